"""A view as text: its options, an explanation of the columns, its rows."""

# Column -> (heading, field of a row, unit, explanation), in the column order of tree views. The op view starts with memory and time.
_COLUMNS = {
    "params": ("# parameters", "parameters", "params", "param: Number of parameters (in the Variable)."),
    "float_ops": ("# float_ops", "float_ops", "flops", "flops: Number of float operations, by static shapes."),
    "bytes": ("requested bytes", "requested_bytes", "B", "requested bytes: The memory requested by the operation, accumulatively."),
    "peak_bytes": ("peak bytes", "peak_bytes", "B", "peak bytes: The most memory that the operation held at some point."),
    "residual_bytes": ("residual bytes", "residual_bytes", "B", "residual bytes: The memory that is still held after the operation."),
    "output_bytes": ("output bytes", "output_bytes", "B", "output bytes: The memory of the operation's results."),
    "micros": ("total execution time", "exec_micros", "us", "total execution time: Sum of accelerator execution time and cpu execution time."),
    "accelerator_micros": ("accelerator execution time", "accelerator_exec_micros", "us", "accelerator execution time: Time spent executing on the accelerator."),
    "cpu_micros": ("cpu execution time", "cpu_exec_micros", "us", "cpu execution time: The time from the start to the end of the operation."),
}
_WORDS = {
    "device": ("assigned devices", "device: which device it ran on."),
    "op_types": ("op types", "op_types: The operation's type, its device, and types that the user gave it."),
    "occurrence": ("op count (run|defined)", "occurrence: How often it ran, and how often the graph has it."),
    "input_shapes": ("input shapes", "input shape: The shape of input tensors."),
    "tensor_value": (None, "tensor_value: Not supported."),
}
_VIEWS = {
    "scope": "scope: The nodes in the model graph are organized by their names, which is hierarchical like filesystem.",
    "graph": "graph: The nodes in the model graph are organized by their inputs.",
    "op": "op: Graph nodes of the same operation type, such as MatMul, Conv2D, are taken together.",
    "code": "code: The nodes are lines of the program, organized by who calls whom.",
}
SELECTABLE = set(_COLUMNS) | set(_WORDS)
_ORDER = ("max_depth", "min_bytes", "min_peak_bytes", "min_residual_bytes", "min_output_bytes", "min_micros", "min_accelerator_micros", "min_cpu_micros",
          "min_params", "min_float_ops", "min_occurrence", "step", "order_by", "account_type_regexes", "start_name_regexes", "trim_name_regexes",
          "show_name_regexes", "hide_name_regexes", "account_displayed_op_only", "select", "output")
OPTIONS = set(_ORDER)


def number(value, unit, words=None):
    """12us, 72.15ms, 1.28k flops, 928B, 1.18KB, 160 params."""
    if unit == "us":
        for size, mark in ((1e6, "sec"), (1e3, "ms")):
            if value >= size:
                return "%.2f%s" % (value / size, mark)
        return "%dus" % value
    after = "" if words == "" else " " + (words or unit)
    for size, mark in ((1e9, "b"), (1e6, "m"), (1e3, "k")):
        if value >= size:
            return "%.2f%s" % (value / size, mark.upper().replace("B", "G") + "B" if unit == "B" else mark + after)
    return "%dB" % value if unit == "B" else "%d%s" % (value, after)


def options_text(options):
    def said(name):
        value = options.get(name, -1 if name == "step" else 0)
        if isinstance(value, (list, tuple)):
            return ",".join(sorted(value) if name == "select" else value)
        return str(value).lower() if isinstance(value, bool) else str(value)

    return "".join("-%-26s %s\n" % (name, said(name)) for name in _ORDER)


def _shape_list(facts):
    return "|".join("%d:%s" % (i, "x".join(str(d) for d in shape.as_list())) for i, shape in enumerate(facts.input_shapes) if shape.is_fully_defined())


class Report:
    """The text of a view."""

    def __init__(self, root, options, cmd):
        self._root, self._options, self._cmd = root, options, cmd
        select = set(options.get("select", []))
        if "micros" in select:  # the sum of these two
            select |= {"accelerator_micros", "cpu_micros"}
        columns = [c for c in _COLUMNS if c in select]
        if cmd == "op":
            columns.sort(key=lambda c: c in ("params", "float_ops"))
        self._columns, self._words = columns, [w for w in _WORDS if w in select and _WORDS[w][0]]
        self._select = select

    def text(self):
        head = ["", "Doc:", _VIEWS[self._cmd]] + [(_COLUMNS.get(s) or _WORDS.get(s))[-1] for s in sorted(self._select) if s in SELECTABLE]
        names = ["node name"] + [_COLUMNS[c][0] for c in self._columns] + [_WORDS[w][0] for w in self._words]
        lines = head + ["", "Profile:", " | ".join(names)]
        if self._cmd == "op":
            self._chain(lines)
        else:
            self._tree(lines)
        return "\n".join(lines) + "\n"

    def _own_words(self, row, root):
        out = []
        for word in self._words:
            if word == "device":
                out += ["|".join(row.devices)] if row.devices else []
            elif word == "op_types":
                out.append("|".join(sorted(row.types)))
            elif word == "occurrence":
                own = ("--", "--") if root else (row.own["run_count"], row.own["definitions"])
                out.append("%s/%d|%s/%d" % (own[0], row.total["run_count"], own[1], row.total["definitions"]))
            else:
                out.append("/".join(_shape_list(f) for f in row.facts))
        return out

    def _tree(self, lines):
        todo = [(self._root, 0)]
        while todo:
            row, depth = todo.pop()
            shape = next((f.shape for f in row.facts if f.shape), None) if self._cmd in ("scope", "graph") else None
            cells = ["x".join(map(str, shape))] if shape and "params" in self._columns else []
            for c in self._columns:
                _, field, unit, _ = _COLUMNS[c]
                root = row is self._root or not row.facts and self._cmd in ("scope", "graph") and "_trainable_variables" in self._options.get("account_type_regexes", [])
                own = "--" if root or not (row.accounted or not row.facts) else number(row.own[field], unit, "")
                cells.append("%s/%s" % (own, number(row.total[field], unit)))
            lines.append("%s%s (%s)" % ("  " * depth, row.name, ", ".join(cells + self._own_words(row, row is self._root))))
            todo += [(child, depth + 1) for child in reversed(row.children)]

    def _chain(self, lines):
        row = self._root
        while row.children:
            row = row.children[0]
            cells = []
            for c in self._columns:
                _, field, unit, _ = _COLUMNS[c]
                whole = self._root.total[field]
                share = lambda value: 100.0 * value / whole if whole else 0.0
                cells.append("%s (%.2f%%, %.2f%%)" % (number(row.own[field], unit, "float_ops" if c == "float_ops" else None), share(row.total[field]), share(row.own[field])))
            for word in self._words:
                cells.append({"device": "|".join(row.devices), "op_types": "|".join(sorted(row.types)),
                              "occurrence": "%d|%d" % (row.own["run_count"], row.own["definitions"]),
                              "input_shapes": "; ".join(sorted({_shape_list(f) for f in row.facts} - {""}))}[word])
            lines.append("%-25s%s" % (row.name, ", ".join("%22s" % c for c in cells)))


def reported(root, options, cmd):
    return Report(root, options, cmd).text()
