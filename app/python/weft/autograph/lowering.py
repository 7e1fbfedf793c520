"""break, continue and return become flags, so that what is left is if, while and for with one way through."""

import ast


class _Leaves(ast.NodeVisitor):
    """Whether statements return, or leave or continue the loop that they are in."""

    def __init__(self):
        self.returns = self.breaks = self.continues = False
        self._loops = 0

    def visit_Return(self, _node):
        self.returns = True

    def visit_Break(self, _node):
        self.breaks = self.breaks or not self._loops

    def visit_Continue(self, _node):
        self.continues = self.continues or not self._loops

    def _loop(self, node):
        self._loops += 1
        for s in node.body:
            self.visit(s)
        self._loops -= 1
        for s in node.orelse:
            self.visit(s)

    visit_For = visit_While = visit_AsyncFor = _loop

    def visit_FunctionDef(self, _node):
        """Leaves only itself."""

    visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = visit_FunctionDef


def _leaves(statements):
    found = _Leaves()
    for s in statements:
        found.visit(s)
    return found


def _parsed(text, at):
    made = ast.parse(text).body
    for s in made:
        for n in ast.walk(s):
            ast.copy_location(n, at)
            n.placed = True
    return made


def _always_returns(statements):
    if not statements:
        return False
    last = statements[-1]
    if isinstance(last, (ast.Return, ast.Raise)):
        return True
    if isinstance(last, ast.If):
        return _always_returns(last.body) and _always_returns(last.orelse)
    return isinstance(last, ast.With) and _always_returns(last.body)


def _blocks(s):
    """(field, statements) of the blocks of a statement that is not a loop."""
    if isinstance(s, ast.Try):
        return [(s, "body"), (s, "orelse"), (s, "finalbody")] + [(h, "body") for h in s.handlers]
    return [(s, name) for name in ("body", "orelse") if isinstance(getattr(s, name, None), list)]


class Lowering:
    """Rewrites the body of one function."""

    def __init__(self):
        self._count = 0

    def function(self, body, at):
        """The body of a function without break, continue, and returns except for one at its end."""
        found = _leaves(body[:-1] if isinstance(body[-1], ast.Return) else body)
        if found.returns:
            start = _parsed("ag__do_return = False\nag__retval = ag__.UndefinedReturnValue()", at)
            body = start + self._returns(body, False) + _parsed("return ag__.retval(ag__retval)", body[-1])
        return self._loops(body)

    def _returns(self, statements, in_loop):
        out = []
        for i, s in enumerate(statements):
            rest = statements[i + 1:]
            if isinstance(s, ast.Return):
                made = _parsed("ag__do_return = True\nag__retval = None", s)
                if s.value is not None:
                    made[1].value = s.value
                return out + made + ([ast.copy_location(ast.Break(), s)] if in_loop else [])
            if not _leaves([s]).returns:
                out.append(s)
                continue
            if isinstance(s, (ast.For, ast.While)):
                s.body, s.orelse = self._returns(s.body, True), self._returns(s.orelse, in_loop)
                after = self._returns(rest, in_loop)
                if in_loop:
                    out += [s] + _parsed("if ag__do_return:\n    break", s) + after
                    return out
                return out + [s] + self._unless("ag__do_return", after, s)
            if isinstance(s, ast.If) and rest and not in_loop and (_always_returns(s.body) or _always_returns(s.orelse)):
                if _always_returns(s.body):
                    s.orelse = s.orelse + rest
                else:
                    s.body = s.body + rest
                rest = []
            for owner, field in _blocks(s):
                setattr(owner, field, self._returns(getattr(owner, field), in_loop) if getattr(owner, field) else [])
            after = self._returns(rest, in_loop)
            return out + [s] + (after if in_loop else self._unless("ag__do_return", after, s))
        return out

    @staticmethod
    def _unless(flag, statements, at):
        if not statements:
            return []
        guard = _parsed("if not %s:\n    pass" % flag, at)
        guard[0].body = statements
        return guard

    def _loops(self, statements):
        """Rewrites the loops in `statements`."""
        out = []
        for s in statements:
            if isinstance(s, (ast.For, ast.While)):
                out += self._loop(s)
                continue
            for owner, field in _blocks(s) if not isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) else ():
                setattr(owner, field, self._loops(getattr(owner, field)))
            out.append(s)
        return out

    def _loop(self, s):
        found = _leaves(s.body)
        self._count += 1
        stop, skip = "ag__break_%d" % self._count, "ag__continue_%d" % self._count
        flags = ([stop] if found.breaks else []) + ([skip] if found.continues else [])
        if flags:
            s.body = self._without_jumps(s.body, stop, skip, " or ".join(flags))
        s.body = self._loops(s.body)
        before, after = [], self._loops(s.orelse)
        if found.continues:
            s.body = _parsed("%s = False" % skip, s) + s.body
            before += _parsed("%s = False" % skip, s)
        if found.breaks:
            before += _parsed("%s = False" % stop, s)
            test = _parsed("not %s" % stop, s)[0].value
            if isinstance(s, ast.While):
                s.test = ast.copy_location(ast.BoolOp(op=ast.And(), values=[test, s.test]), s)
            else:
                s.extra_test = test
            after = self._unless(stop, after, s)
        s.orelse = []
        return before + [s] + after

    def _without_jumps(self, statements, stop, skip, flags):
        """`flags`: the condition under which the rest of the turn is passed over."""
        out = []
        for i, s in enumerate(statements):
            if isinstance(s, ast.Break):
                return out + _parsed("%s = True" % stop, s)
            if isinstance(s, ast.Continue):
                return out + _parsed("%s = True" % skip, s)
            found = _leaves([s])
            out.append(s)
            if not (found.breaks or found.continues):
                continue
            blocks = _blocks(s) if not isinstance(s, (ast.For, ast.While)) else [(s, "orelse")]
            for owner, field in blocks:
                setattr(owner, field, self._without_jumps(getattr(owner, field), stop, skip, flags))
            rest = self._without_jumps(statements[i + 1:], stop, skip, flags)
            return out + self._unless("(%s)" % flags, rest, s)
        return out
