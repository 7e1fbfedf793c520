"""What statements read and set: local names, composite names such as `self.x`, and which names are live after a statement."""

import ast


def composite(node):
    """The text of `a.b.c`; None for anything else."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id] + parts[::-1]) if isinstance(node, ast.Name) and parts else None


class _Names(ast.NodeVisitor):
    """`sets`: local names that are set, `reads`: names that are read, `attributes`: composite names that are set, in order; `closures`: names that functions inside read."""

    def __init__(self):
        self.sets, self.reads, self.attributes, self.closures = [], set(), [], set()

    def _set(self, name):
        if name not in self.sets:
            self.sets.append(name)

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load):
            self.reads.add(node.id)
        else:
            self._set(node.id)

    def visit_Attribute(self, node):
        if isinstance(node.ctx, ast.Store):
            name = composite(node)
            if name and name not in self.attributes:
                self.attributes.append(name)
        self.generic_visit(node)

    def visit_AugAssign(self, node):
        for n in ast.walk(node.target):
            if isinstance(n, ast.Name):
                self.reads.add(n.id)
        self.visit(node.value)
        self.visit(node.target)

    def _inner(self, node, parts):
        for part in parts:
            for n in ast.walk(part):
                if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load):
                    self.reads.add(n.id)
                    self.closures.add(n.id)

    def visit_FunctionDef(self, node):
        self._set(node.name)
        self._inner(node, node.body)
        for d in node.decorator_list + node.args.defaults + [d for d in node.args.kw_defaults if d]:
            self.visit(d)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        self._set(node.name)
        self._inner(node, node.body)
        for d in node.decorator_list + node.bases:
            self.visit(d)

    def visit_Lambda(self, node):
        self._inner(node, [node.body])
        for d in node.args.defaults + [d for d in node.args.kw_defaults if d]:
            self.visit(d)

    def _comprehension(self, node):
        for n in ast.walk(node):  # its own names are read as well; that only makes more names live
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load):
                self.reads.add(n.id)
            elif hasattr(ast, "NamedExpr") and isinstance(n, ast.NamedExpr):
                self._set(n.target.id)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def visit_ExceptHandler(self, node):
        if node.name:
            self._set(node.name)
        self.generic_visit(node)

    def visit_Import(self, node):
        for a in node.names:
            self._set((a.asname or a.name).partition(".")[0])

    visit_ImportFrom = visit_Import

    def visit_Global(self, node):
        pass

    visit_Nonlocal = visit_Global


def names_of(statements):
    found = _Names()
    for s in statements:
        found.visit(s)
    return found


def declared(statements):
    """The names that `global` and `nonlocal` statements declare, functions inside excluded."""
    class Declared(ast.NodeVisitor):
        def __init__(self):
            self.outer, self.globals = set(), set()

        def visit_Global(self, node):
            self.globals.update(node.names)

        def visit_Nonlocal(self, node):
            self.outer.update(node.names)

        def visit_FunctionDef(self, _node):
            """Has its own."""

        visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = visit_FunctionDef

    found = Declared()
    for s in statements:
        found.visit(s)
    return found


def mark_live(body, after):
    """Gives each if, while and for in `body` the names that are live after it (`live_after`) and, for loops, at its start (`live_before`). Returns those before `body`."""
    live = set(after)
    for s in reversed(body):
        live = _live_before(s, live)
    return live


def _live_before(s, after):
    if isinstance(s, ast.If):
        s.live_after = set(after)
        return names_of([s.test]).reads | mark_live(s.body, after) | mark_live(s.orelse, after)
    if isinstance(s, (ast.While, ast.For)):
        s.live_after = set(after)
        head = names_of([s.test]) if isinstance(s, ast.While) else names_of([s.iter])
        test = getattr(s, "extra_test", None)
        extra = names_of([test]).reads if test is not None else set()
        target = set(names_of([s.target]).sets) if isinstance(s, ast.For) else set()
        live = set(after) | extra | (head.reads if isinstance(s, ast.While) else set())
        while True:
            more = live | (mark_live(s.body, live) - target)
            if more == live:
                break
            live = more
        s.live_before = set(live)
        return live | head.reads
    if isinstance(s, (ast.With, ast.AsyncWith)):
        found = names_of([i.context_expr for i in s.items])
        return found.reads | (mark_live(s.body, after) - set(names_of([i.optional_vars for i in s.items if i.optional_vars]).sets))
    if isinstance(s, ast.Try):
        live = set(after) | mark_live(s.finalbody, after)
        live |= mark_live(s.orelse, live)
        for h in s.handlers:
            live |= mark_live(h.body, live) | (names_of([h.type]).reads if h.type else set())
        return live | mark_live(s.body, live)
    if isinstance(s, (ast.Return, ast.Raise)):
        return names_of([s]).reads
    found = names_of([s])
    kills = set() if isinstance(s, ast.AugAssign) else set(found.sets)
    return (set(after) - kills) | found.reads
