"""The four views of a profile: by scope, by inputs, by op type, by source line. Each is a tree of Rows, which becomes a message."""

import re

from .. import protos

_FIELDS = ("run_count", "exec_micros", "accelerator_exec_micros", "cpu_exec_micros", "requested_bytes", "peak_bytes", "residual_bytes", "output_bytes",
           "parameters", "float_ops")
_ORDER = {"micros": "exec_micros", "accelerator_micros": "accelerator_exec_micros", "cpu_micros": "cpu_exec_micros", "bytes": "requested_bytes",
          "peak_bytes": "peak_bytes", "residual_bytes": "residual_bytes", "output_bytes": "output_bytes", "params": "parameters",
          "float_ops": "float_ops", "occurrence": "definitions"}
ORDERS = dict(_ORDER, name=None)
_LIMITS = {"min_micros": "exec_micros", "min_accelerator_micros": "accelerator_exec_micros", "min_cpu_micros": "cpu_exec_micros",
           "min_bytes": "requested_bytes", "min_peak_bytes": "peak_bytes", "min_residual_bytes": "residual_bytes", "min_output_bytes": "output_bytes",
           "min_params": "parameters", "min_float_ops": "float_ops", "min_occurrence": "definitions"}


def _matches(patterns, name):
    return any(p == ".*" or re.fullmatch(p, name) for p in patterns)


def _numbers(facts, step):
    """The numbers of one node."""
    numbers = dict.fromkeys(_FIELDS, 0)
    numbers.update(definitions=1, parameters=facts.parameters)
    e = facts.execution(step)
    numbers["float_ops"] = facts.flops * max(1, e.runs if e else 1)
    if e is not None:
        numbers.update(run_count=e.runs, exec_micros=e.micros, accelerator_exec_micros=e.accelerator, cpu_exec_micros=e.cpu, requested_bytes=e.bytes,
                       peak_bytes=e.peak, residual_bytes=e.residual, output_bytes=e.output)
    return numbers, e.devices if e is not None else []


class Row:
    """One line of a view: its own numbers, and totals that include its descendants."""

    def __init__(self, name, facts=(), step=-1, frame=None):
        self.name, self.children, self.facts, self.step, self.frame = name, [], [], step, frame
        self.types, self.devices, self.accounted = set(), [], False
        self.own = dict.fromkeys(_FIELDS + ("definitions",), 0)
        for f in facts:
            self.take(f)
        if not facts:
            self.own["definitions"] = 1  # a row without nodes (a scope or a line) counts once
        self.reset()

    def take(self, facts):
        """Adds a node to the row."""
        numbers, devices = _numbers(facts, self.step)
        if not self.facts:
            self.own["definitions"] = 0
        self.facts.append(facts)
        self.types |= facts.types
        for key, value in numbers.items():
            self.own[key] += value
        self.devices += [d for d in devices if d not in self.devices]

    def parts(self):
        """The row's nodes, each with its own numbers."""
        return [(f, _numbers(f, self.step)[0]) for f in self.facts]

    def reset(self):
        self.total = dict.fromkeys(self.own, 0)

    def add(self, numbers):
        for key in self.total:
            self.total[key] += numbers[key]


class View:
    """Filters, sorts and totals rows according to the options."""

    def __init__(self, options):
        self.options = options

    def counts(self, facts):
        """Whether one of a node's types matches account_type_regexes."""
        return any(_matches(self.options.get("account_type_regexes", [".*"]), t) for t in facts.types)

    def accounts(self, row):
        row.accounted = any(self.counts(f) for f in row.facts) if row.facts else ".*" in self.options.get("account_type_regexes", [".*"])
        return row.accounted

    def own_of(self, row):
        return row.own if row.accounted else dict(dict.fromkeys(row.own, 0), definitions=row.own["definitions"])

    def shows(self, row, depth):
        """Whether a row passes the filters. Limits apply to totals, so a scope shows if its contents exceed them."""
        o = self.options
        if depth > o.get("max_depth", 10) or any(row.total[field] < o.get(limit, 0) for limit, field in _LIMITS.items()):
            return False
        return _matches(o.get("show_name_regexes", [".*"]), row.name) and not _matches(o.get("hide_name_regexes", []), row.name)

    def ordered(self, rows):
        rows = sorted(rows, key=lambda r: r.name)
        key = self.options.get("order_by", "name")
        return sorted(rows, key=lambda r: r.total[_ORDER[key]], reverse=True) if key in _ORDER else rows

    def trims(self, row):
        return _matches(self.options.get("trim_name_regexes", []), row.name)

    # Trees.

    def account(self, rows):
        """Rows that are accounted or have accounted descendants; computes their totals."""
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
        """The topmost rows that match start_name_regexes."""
        patterns = self.options.get("start_name_regexes", [".*"])
        found = []
        for row in rows:
            found += [row] if _matches(patterns, row.name) else self.start(row.children)
        return found

    def visible(self, rows, depth=2):
        """The rows to show, with the root at depth 1; children of a hidden row move up."""
        shown = []
        for row in rows:
            shows = self.shows(row, depth)
            below = [] if self.trims(row) else self.visible(row.children, depth + 1)
            if not shows:
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
        started = self.start(self.account(roots))
        whole = [dict(row.total) for row in started]
        root.children = self.ordered(self.visible(started))
        root.add(root.own)
        for total in [row.total for row in root.children] if self.options.get("account_displayed_op_only", False) else whole:
            root.add(total)
        return root

    def chain(self, rows):
        """The root of the op view: each row is the child of the row before it, so totals accumulate from the end."""
        kept = []
        for row in self.start(rows):
            row.accounted = True
            row.reset()
            row.add(row.own)
            kept.append(row)
        kept = self._linked([r for r in self.ordered(kept) if not self.trims(r)])
        if self.options.get("account_displayed_op_only", False):
            kept = self._linked([r for r in kept if self.shows(r, 1)])
        else:
            totals = [dict(r.total) for r in kept]
            shown = [self.shows(r, 1) for r in kept]
            for row, total in zip(kept, totals):
                row.total = total
            kept = [r for r, s in zip(kept, shown) if s]
            for row, after in zip(kept, kept[1:] + [None]):
                row.children = [after] if after is not None else []
        root = Row("_TFProfRoot")
        if kept:
            root.children = [kept[0]]
            root.add(kept[0].total)
        return root

    @staticmethod
    def _linked(rows):
        below = None
        for row in reversed(rows):
            row.reset()
            row.add(row.own)
            row.children = [below] if below is not None else []
            if below is not None:
                row.add(below.total)
            below = row
        return rows


def scope_rows(nodes, step, _):
    """Rows by name scope."""
    rows = {name: Row(name, [facts], step) for name, facts in nodes.items()}
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


def graph_rows(nodes, step, _):
    """Rows by inputs, including control inputs. Roots are nodes without readers, sorted by name; a node appears where it is first reached."""
    rows = {name: Row(name, [facts], step) for name, facts in nodes.items()}
    read = {i for facts in nodes.values() for i in facts.inputs}
    seen, roots = set(), []
    for root in sorted(name for name in nodes if name not in read):
        roots.append(rows[root])
        todo = [iter([(None, root)])]
        while todo:
            edge = next(todo[-1], None)
            if edge is None:
                todo.pop()
                continue
            reader, name = edge
            if name in seen or name not in rows:
                continue
            seen.add(name)
            if reader is not None:
                rows[reader].children.append(rows[name])
            todo.append(iter([(name, source) for source in nodes[name].inputs]))
    return roots


def op_rows(nodes, step, view):
    """Rows by op type, of accounted nodes."""
    groups = {}
    for facts in nodes.values():
        if view.counts(facts):
            groups.setdefault(facts.op.type, []).append(facts)
    return [Row(kind, members, step) for kind, members in groups.items()]


def code_rows(nodes, step, view):
    """Rows by source line, callers above callees; of accounted nodes."""
    roots, below = [], {}
    for facts in nodes.values():
        path, parent = (), None
        for frame in getattr(facts.op, "traceback", None) or []:
            path += ((frame[0], frame[1]),)
            row = below.get(path)
            if row is None:
                row = below[path] = Row("%s:%s:%s" % (frame[0].rpartition("/")[2], frame[1], frame[2]), (), step, frame)
                (roots if parent is None else parent.children).append(row)
            parent = row
        if parent is not None and view.counts(facts):
            parent.take(facts)
    return roots


def to_message(row, many):
    """A row as GraphNodeProto, or as MultiGraphNodeProto if `many`."""
    message = protos.MultiGraphNodeProto(name=row.name) if many else protos.GraphNodeProto(name=row.name)
    for field in _FIELDS:
        if many and field == "run_count":
            continue
        setattr(message, field, row.own[field] if row.accounted else 0)
        setattr(message, "total_" + field, row.total[field])
    if many:
        for facts in row.facts:
            one = Row(facts.name, [facts], row.step)
            one.accounted = True
            one.add(one.own)
            message.graph_nodes.add().CopyFrom(to_message(one, False))
    else:
        message.total_run_count, message.total_definition_count = row.total["run_count"], row.total["definitions"]
        message.devices.extend(row.devices)
        for facts in row.facts:
            for i, shape in enumerate(facts.input_shapes):
                if shape.is_fully_defined():
                    message.input_shapes[i].CopyFrom(shape.as_proto())
    for child in row.children:
        message.children.add().CopyFrom(to_message(child, many))
    return message
