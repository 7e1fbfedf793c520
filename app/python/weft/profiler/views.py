"""The four views of a profile: by scope, by inputs, by type of op, by line of the program. Each is a tree of Rows, then a message."""

import re

from .. import protos

_FIELDS = ("run_count", "exec_micros", "accelerator_exec_micros", "cpu_exec_micros", "requested_bytes", "peak_bytes", "residual_bytes", "output_bytes",
           "parameters", "float_ops")
_ORDER = {"micros": "exec_micros", "accelerator_micros": "accelerator_exec_micros", "cpu_micros": "cpu_exec_micros", "bytes": "requested_bytes",
          "peak_bytes": "peak_bytes", "residual_bytes": "residual_bytes", "output_bytes": "output_bytes", "params": "parameters",
          "float_ops": "float_ops", "occurrence": "definitions"}
_LIMITS = {"min_micros": "exec_micros", "min_accelerator_micros": "accelerator_exec_micros", "min_cpu_micros": "cpu_exec_micros",
           "min_bytes": "requested_bytes", "min_peak_bytes": "peak_bytes", "min_residual_bytes": "residual_bytes", "min_output_bytes": "output_bytes",
           "min_params": "parameters", "min_float_ops": "float_ops", "min_occurrence": "definitions"}


def _matches(patterns, name):
    return any(p == ".*" or re.fullmatch(p, name) for p in patterns)


class Row:
    """One line of a view: numbers of its own and totals with all below it."""

    def __init__(self, name, facts=(), step=-1):
        self.name, self.children, self.facts = name, [], list(facts)
        self.types = set().union(*[f.types for f in self.facts]) if self.facts else set()
        self.own = dict.fromkeys(_FIELDS + ("definitions",), 0)
        self.devices = []
        for f in self.facts:
            self.own["definitions"] += 1
            self.own["parameters"] += f.parameters
            e = f.execution(step)
            self.own["float_ops"] += f.flops * max(1, e.runs if e else 1)
            if e is None:
                continue
            for field, value in (("run_count", e.runs), ("exec_micros", e.micros), ("accelerator_exec_micros", e.accelerator), ("cpu_exec_micros", e.cpu),
                                 ("requested_bytes", e.bytes), ("peak_bytes", e.peak), ("residual_bytes", e.residual), ("output_bytes", e.output)):
                self.own[field] += value
            self.devices += [d for d in e.devices if d not in self.devices]
        self.accounted = False
        self.reset()

    def reset(self):
        self.total = dict.fromkeys(self.own, 0)

    def add(self, numbers):
        for key in self.total:
            self.total[key] += numbers[key]


class View:
    """Filters, orders and writes rows as the options say."""

    def __init__(self, options):
        self.options = options

    def accounts(self, row):
        row.accounted = any(_matches(self.options.get("account_type_regexes", [".*"]), t) for t in row.types)
        return row.accounted

    def own_of(self, row):
        return row.own if row.accounted else dict.fromkeys(row.own, 0)

    def shows(self, row, depth):
        o, own = self.options, self.own_of(row)
        if depth > o.get("max_depth", 10) or any(own[field] < o.get(limit, 0) for limit, field in _LIMITS.items()):
            return False
        return _matches(o.get("show_name_regexes", [".*"]), row.name) and not _matches(o.get("hide_name_regexes", []), row.name)

    def ordered(self, rows):
        key = self.options.get("order_by", "name")
        if key in _ORDER:
            return sorted(rows, key=lambda r: r.total[_ORDER[key]], reverse=True)
        return sorted(rows, key=lambda r: r.name)

    def trims(self, row):
        return _matches(self.options.get("trim_name_regexes", []), row.name)

    # Trees.

    def account(self, rows):
        """Rows that count, or have something below them that does; with totals."""
        kept = []
        for row in rows:
            below = self.account(row.children)
            if self.accounts(row) or below:
                row.children = below
                row.reset()
                row.add(self.own_of(row))
                for child in below:
                    row.add(child.total)
                kept.append(row)
        return kept

    def start(self, rows):
        """The rows that the start patterns name, wherever they are."""
        patterns = self.options.get("start_name_regexes", [".*"])
        found = []
        for row in rows:
            found += [row] if _matches(patterns, row.name) else self.start(row.children)
        return found

    def visible(self, rows, depth=1):
        """What is shown; children of a hidden row move up."""
        shown = []
        for row in rows:
            below = [] if self.trims(row) else self.visible(row.children, depth + 1)
            if not self.shows(row, depth):
                shown += below
                continue
            if self.options.get("account_displayed_op_only", False):
                row.reset()
                row.add(self.own_of(row))
                for child in below:
                    row.add(child.total)
            row.children = self.ordered(below)
            shown.append(row)
        return shown

    def tree(self, roots):
        """The root row of a tree view."""
        root = Row("_TFProfRoot")
        accounted = self.account(roots)
        started = self.start(accounted)
        shown = self.visible(started)
        root.children = self.ordered(shown)
        for row in root.children if self.options.get("account_displayed_op_only", False) else started:
            root.add(row.total)
        return root

    def chain(self, rows):
        """The root of the view by types: each row below the one before it, totals running from the end."""
        kept = []
        for row in self.start(rows):
            if self.accounts(row):
                row.reset()
                row.add(self.own_of(row))
                kept.append(row)
        kept = [r for r in self.ordered(kept) if not self.trims(r)]
        kept = [r for r in kept if self.shows(r, 1)]
        below = None
        for row in reversed(kept):
            row.children = [below] if below is not None else []
            if below is not None:
                row.add(below.total)
            below = row
        root = Row("_TFProfRoot")
        if below is not None:
            root.children = [below]
            root.add(below.total)
        return root


def scope_rows(nodes, step):
    """Rows by scope of names."""
    rows = {}
    for name, facts in nodes.items():
        rows[name] = Row(name, [facts], step)
    roots = []
    for name in list(rows):
        row = rows[name]
        while True:
            parent = name.rpartition("/")[0]
            if not parent:
                roots.append(row)
                break
            known = parent in rows
            if not known:
                rows[parent] = Row(parent)
            rows[parent].children.append(row)
            if known:
                break
            name, row = parent, rows[parent]
    return roots


def graph_rows(nodes, step):
    """Rows by inputs, from the nodes that nobody reads; a node shows where it is met first."""
    rows = {name: Row(name, [facts], step) for name, facts in nodes.items()}
    read = {i for facts in nodes.values() for i in facts.inputs}
    seen = set()

    def take(root):
        todo = [root]
        while todo:
            name = todo.pop()
            for source in nodes[name].inputs:
                if source in rows and source not in seen:
                    seen.add(source)
                    rows[name].children.append(rows[source])
                    todo.append(source)
        return rows[root]

    return [take(name) for name in nodes if name not in read]


def op_rows(nodes, step):
    """Rows by type of op; variables that count as trainable have a row of their own, as each device has."""
    groups = {}
    for facts in nodes.values():
        for kind in facts.types:
            groups.setdefault(kind, []).append(facts)
    made = []
    for kind, members in groups.items():
        row = Row(kind, members, step)
        row.types = {kind}
        made.append(row)
    return made


def code_rows(nodes, step):
    """Rows by line of the program, callers above what they call."""
    roots, below = [], {}
    for facts in nodes.values():
        path = ()
        parent = None
        frames = getattr(facts.op, "traceback", None) or []
        for frame in frames:
            path += ((frame[0], frame[1]),)
            row = below.get(path)
            if row is None:
                row = below[path] = Row("%s:%s:%s" % (frame[0].rpartition("/")[2], frame[1], frame[2]))
                (roots if parent is None else parent.children).append(row)
            parent = row
        if parent is not None:
            merged = Row(parent.name, parent.facts + [facts], step)
            merged.children = parent.children
            parent.__dict__.update(merged.__dict__)
    return roots


def to_message(row, many, nodes_in=True):
    """A row as GraphNodeProto, or MultiGraphNodeProto with `many`."""
    message = protos.MultiGraphNodeProto(name=row.name) if many else protos.GraphNodeProto(name=row.name)
    for field in _FIELDS:
        if many and field == "run_count":
            continue
        setattr(message, field, row.own[field] if row.accounted else 0)
        setattr(message, "total_" + field, row.total[field])
    if many:
        for facts in row.facts if nodes_in else ():
            one = Row(facts.name, [facts])
            one.accounted = True
            one.add(one.own)
            message.graph_nodes.add().CopyFrom(to_message(one, False))
    else:
        message.total_definition_count = row.total["definitions"]
        message.devices.extend(row.devices)
        for facts in row.facts:
            for tensor in facts.op.outputs:
                if tensor.shape.ndims is not None and row.own["parameters"]:
                    message.shapes.add().CopyFrom(tensor.shape.as_proto())
    for child in row.children:
        message.children.add().CopyFrom(to_message(child, many))
    return message


def to_text(row, options, many):
    """The view as lines of text."""
    labels = {"micros": ("exec_micros", "total execution time"), "accelerator_micros": ("accelerator_exec_micros", "accelerator execution time"),
              "cpu_micros": ("cpu_exec_micros", "cpu execution time"), "bytes": ("requested_bytes", "requested bytes"),
              "peak_bytes": ("peak_bytes", "peak bytes"), "residual_bytes": ("residual_bytes", "residual bytes"),
              "output_bytes": ("output_bytes", "output bytes"), "params": ("parameters", "# parameters"), "float_ops": ("float_ops", "# float_ops"),
              "occurrence": ("definitions", "op count (run|defined)")}
    columns = [s for s in options.get("select", []) if s in labels]
    lines = ["node name | " + " | ".join(labels[c][1] for c in columns)]

    def number(value, column):
        if "micros" in column:
            return "%.2fms" % (value / 1e3) if value >= 1000 else "%dus" % value
        unit = {"bytes": "B", "params": " params", "float_ops": " flops"}.get(column.split("_")[-1] if column != "float_ops" else column, "")
        for size, mark in ((1e9, "b" if unit != "B" else "G"), (1e6, "m"), (1e3, "k")):
            if value >= size:
                return "%.2f%s%s" % (value / size, mark, unit)
        return "%d%s" % (value, unit)

    def walk(row, depth):
        cells = []
        for c in columns:
            field = labels[c][0]
            own = number(row.own[field], c).split(" ")[0] if row.accounted else "--"
            cells.append("%s/%s" % (own, number(row.total[field], c)))
        lines.append("%s%s (%s)" % ("  " * (0 if many else depth), row.name, ", ".join(cells)))
        for child in row.children:
            walk(child, depth + 1)

    walk(row, 0)
    return "\n".join(lines) + "\n"
