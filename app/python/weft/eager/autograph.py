"""if, while and for over tensors in a tf.function: the function's source is rewritten so that each of them asks whether it concerns a tensor.

A statement becomes functions of the variables that it sets, and a call of if_stmt, while_stmt or for_stmt below, which run it as Python does or build a branch or loop."""

import ast
import copy
import inspect
import sys
import textwrap
import types

from .. import basics, engine, ops
from ..control_flow import cond
from ..loops import while_loop
from ..ops import Tensor
from ..util import nest


class _Undefined:
    """The value of a variable that has none yet."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return "<undefined %s>" % self.name


def _is_symbolic(x):
    return isinstance(x, Tensor) and not getattr(x, "_is_eager", False)


def _tensors(values, names, what):
    out = []
    for v, n in zip(values, names):
        if isinstance(v, _Undefined):
            raise ValueError("'%s' must also be defined %s, because a tensor decides" % (n, what))
        out.append(ops.convert_to_tensor(v))
    return tuple(out)


def if_stmt(test, body, orelse, values, names, in_both):
    """`if test:`; body and orelse take and return the variables that are set. `in_both`: those that both set."""
    if not _is_symbolic(test):
        return body(*values) if test else orelse(*values)
    made = {}  # what each branch returned
    # A variable that one branch alone gives a value is its own.
    leaves = lambda v, n: not isinstance(v, _Undefined) or n in in_both
    kept = [leaves(v, n) for v, n in zip(values, names)]

    def both(function, key):
        def run():
            found = made[key] = [v if k else _Undefined(n) for v, k, n in zip(function(*values), kept, names)]
            return [ops.convert_to_tensor(v) for v in found if _may_be_tensor(v)]

        return run

    if not any(kept):
        cond(test, _effect(body, values), _effect(orelse, values))
        return tuple(_Undefined(n) for n in names)
    result = cond(test, both(body, 0), both(orelse, 1), strict=True)
    first, second = made[0], made[1]
    if [_may_be_tensor(v) for v in first] != [_may_be_tensor(v) for v in second]:
        missing = [n for n, a, b in zip(names, first, second) if _may_be_tensor(a) != _may_be_tensor(b)]
        raise ValueError("The following symbols must also be initialized in both branches of an if on a tensor: %s" % ", ".join(missing))
    result = iter(result if isinstance(result, (list, tuple)) else [result])
    return tuple(next(result) if _may_be_tensor(a) else a for a in first)


def _may_be_tensor(v):
    return v is not None and not isinstance(v, _Undefined) and not callable(v) and not isinstance(v, (str, dict))


def _effect(function, values):
    def run():
        function(*values)
        return ops.constant(0)

    return run


def while_stmt(test, body, values, names):
    """`while test:`; test and body take the variables that the loop sets."""
    first = test(*values)
    if not _is_symbolic(first):
        while first:
            values = body(*values)
            first = test(*values)
            if _is_symbolic(first):
                return while_stmt(test, body, values, names)
        return values
    turn = _Turn(body, values, names)
    return turn.results(while_loop(lambda i, *v: test(*turn.all(v)), lambda i, *v: (i + 1,) + turn(v), turn.start, return_same_structure=True))


def for_stmt(items, body, values, names, targets):
    """`for x in items:`; body takes x and the variables that the loop sets, the last `targets` of them by the parts of x."""
    over_dataset = hasattr(items, "_variant_tensor") and not ops.executing_eagerly()
    if not _is_symbolic(items) and not over_dataset:
        for x in items:
            values = body(x, *values)
        return values
    kept = len(names) - targets
    turn = _Turn(body, values[:kept] + tuple(_Undefined(n) for n in names[kept:]), names)
    if over_dataset:
        return turn.results(items.reduce(turn.start, lambda v, x: (v[0] + 1,) + turn(v[1:], x)))
    n = basics.shape(items)[0]
    return turn.results(while_loop(lambda i, *v: i < n, lambda i, *v: (i + 1,) + turn(v, items[i]), turn.start, return_same_structure=True))


class _Turn:
    """The body of a loop on tensors. The loop's state is a counter and the variables that have a value before the loop; others live for one turn."""

    def __init__(self, body, values, names):
        self._body, self._values, self._names = body, values, names
        self._kept = [not isinstance(v, _Undefined) for v in values]
        self.start = (ops.constant(0),) + self._state(values, "before the loop")

    def _state(self, values, where):
        return _tensors([v for v, k in zip(values, self._kept) if k], [n for n, k in zip(self._names, self._kept) if k], where)

    def all(self, state):
        state = iter(state)
        return tuple(next(state) if k else v for v, k in zip(self._values, self._kept))

    def __call__(self, state, *item):
        return self._state(self._body(*item, *self.all(state)), "in the loop")

    def results(self, made):
        return self.all(tuple(made)[1:])


def range_of(*args):
    """range(): of tensors, a tensor."""
    if any(isinstance(a, Tensor) and not getattr(a, "_is_eager", False) for a in args):
        return engine.range(*args)
    return range(*args)


def not_(x):
    return engine.logical_not(x) if _is_symbolic(x) else not x


def and_(x, y):
    if _is_symbolic(x):
        return engine.logical_and(x, ops.convert_to_tensor(y()))
    return x and y()


def or_(x, y):
    if _is_symbolic(x):
        return engine.logical_or(x, ops.convert_to_tensor(y()))
    return x or y()


def undefined(name):
    return _Undefined(name)


class _Sets(ast.NodeVisitor):
    """The local names that statements set, in order."""

    def __init__(self):
        self.names = []
        self.leaves = False

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Store) and node.id not in self.names and not node.id.startswith("ag__"):
            self.names.append(node.id)

    def visit_FunctionDef(self, node):
        if not node.name.startswith("ag__") and node.name not in self.names:
            self.names.append(node.name)

    def visit_Lambda(self, node):
        pass

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ClassDef = visit_Lambda

    def visit_Return(self, _node):
        self.leaves = True

    visit_Break = visit_Continue = visit_Yield = visit_Nonlocal = visit_Global = visit_Return


def _sets(statements):
    found = _Sets()
    for s in statements:
        found.visit(s)
    return found


def _returns_last(statements):
    """Whether all paths end in a return that is the only one."""
    return bool(statements) and isinstance(statements[-1], ast.Return) and not _sets(statements[:-1]).leaves


class _Rewriter(ast.NodeTransformer):
    def __init__(self):
        self._count = 0
        self._functions = 0

    def _name(self, what):
        self._count += 1
        return "ag__%s_%d" % (what, self._count)

    def visit_FunctionDef(self, node):
        self._functions += 1
        if self._functions == 1:  # convert() gives it the original's defaults
            node.decorator_list, node.returns = [], None
            none = ast.Constant(value=None)
            node.args.defaults, node.args.kw_defaults = [none] * len(node.args.defaults), [d and none for d in node.args.kw_defaults]
            for a in ast.walk(node.args):
                if isinstance(a, ast.arg):
                    a.annotation = None
        node.body = self._block(node.body)
        return node

    def visit_Lambda(self, node):
        return node

    visit_ClassDef = visit_AsyncFunctionDef = visit_Lambda

    def _block(self, statements):
        out = []
        for i, s in enumerate(statements):
            # `if c: return a` and what comes after it, which returns as well: both become branches of one return.
            if isinstance(s, ast.If) and _returns_last(s.body) and (not s.orelse or i + 1 == len(statements)):
                rest = self._block(copy.deepcopy(s.orelse or statements[i + 1:]))
                if rest and isinstance(rest[-1], ast.Return):
                    return out + self._returning(s, rest)
            made = self.visit(s)
            out += made if isinstance(made, list) else [made]
        return out

    def _returning(self, node, rest):
        yes, no, value = self._name("then"), self._name("else"), self._name("value")
        test = self.visit(node.test)
        names = _sets(node.body + rest).names
        body = self._function(yes, names, self._block(node.body))
        orelse = self._function(no, names, rest)
        call = ast.parse("%s = ag__.returned(ag__test, %s, %s, (%s))" % (value, yes, no, "".join(n + ", " for n in names))).body[0]
        call.value.args[0] = test
        return self._before(names) + [body, orelse, call, ast.Return(value=ast.Name(id=value, ctx=ast.Load()))]

    @staticmethod
    def _function(name, parameters, statements):
        f = ast.parse("def %s(%s):\n    pass" % (name, ", ".join(parameters))).body[0]
        f.body = statements
        return f

    def _before(self, names):
        """Gives the variables that have no value yet one that says so."""
        out = []
        for n in names:
            out += ast.parse("try:\n    %s\nexcept NameError:\n    %s = ag__.undefined(%r)" % (n, n, n)).body
        return out

    @staticmethod
    def _result(names):
        return ast.parse("return (%s)" % "".join(n + ", " for n in names)).body[0]

    @staticmethod
    def _assign(names, call):
        made = ast.parse("(%s) = %s" % ("".join(n + ", " for n in names), call) if names else call).body[0]
        return made

    def visit_If(self, node):
        found = _sets(node.body + node.orelse)
        test = self.visit(node.test)
        if found.leaves:
            node.test, node.body, node.orelse = test, self._block(node.body), self._block(node.orelse)
            return node
        names = found.names
        yes, no = self._name("then"), self._name("else")
        body = self._function(yes, names, self._block(node.body) + [self._result(names)])
        orelse = self._function(no, names, self._block(node.orelse) + [self._result(names)])
        listed = "(%s)" % "".join(n + ", " for n in names)
        in_both = tuple(n for n in _sets(node.body).names if n in _sets(node.orelse).names)
        call = self._assign(names, "ag__.if_stmt(ag__test, %s, %s, %s, %r, %r)" % (yes, no, listed, tuple(names), in_both))
        call.value.args[0] = test
        return self._before(names) + [body, orelse, call]

    def visit_While(self, node):
        found = _sets(node.body)
        test = self.visit(node.test)
        if found.leaves or node.orelse:
            node.test, node.body = test, self._block(node.body)
            return node
        names = found.names
        check, step = self._name("test"), self._name("body")
        condition = self._function(check, names, [ast.Return(value=test)])
        body = self._function(step, names, self._block(node.body) + [self._result(names)])
        listed = "(%s)" % "".join(n + ", " for n in names)
        call = self._assign(names, "ag__.while_stmt(%s, %s, %s, %r)" % (check, step, listed, tuple(names)))
        return self._before(names) + [condition, body, call]

    def visit_For(self, node):
        targets = _sets([ast.Assign(targets=[node.target], value=ast.Constant(value=0))]).names
        found = _sets(node.body)
        items = self.visit(node.iter)
        if found.leaves or node.orelse:
            node.iter, node.body = items, self._block(node.body)
            return node
        names = [n for n in found.names if n not in targets] + targets
        step, item = self._name("body"), self._name("item")
        take = ast.Assign(targets=[node.target], value=ast.Name(id=item, ctx=ast.Load()))
        body = self._function(step, [item] + names, [take] + self._block(node.body) + [self._result(names)])
        listed = "(%s)" % "".join(n + ", " for n in names)
        call = self._assign(names, "ag__.for_stmt(ag__items, %s, %s, %r, %d)" % (step, listed, tuple(names), len(targets)))
        call.value.args[0] = items
        return self._before(names) + [body, call]

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "range":
            node.func = ast.parse("ag__.range_of", mode="eval").body
        return node

    def visit_IfExp(self, node):
        self.generic_visit(node)
        call = ast.parse("ag__.returned(0, lambda: 0, lambda: 0, ())", mode="eval").body
        call.args[0], call.args[1].body, call.args[2].body = node.test, node.body, node.orelse
        return call

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.Not):
            call = ast.parse("ag__.not_(0)", mode="eval").body
            call.args = [node.operand]
            return call
        return node

    def visit_BoolOp(self, node):
        self.generic_visit(node)
        made = node.values[-1]
        for value in reversed(node.values[:-1]):
            call = ast.parse("ag__.%s(0, lambda: 0)" % ("and_" if isinstance(node.op, ast.And) else "or_"), mode="eval").body
            call.args[0], call.args[1].body = value, made
            made = call
        return made


def returned(test, body, orelse, values):
    """The value of an if whose branches both return, or of `a if test else b`."""
    if not _is_symbolic(test):
        return body(*values) if test else orelse(*values)
    kept = {}

    def branch(function, key):
        def run():
            kept[key] = function(*values)
            return [ops.convert_to_tensor(x) for x in nest.flatten(kept[key])]

        return run

    made = cond(test, branch(body, 0), branch(orelse, 1), strict=True)
    return nest.pack_sequence_as(kept[0], list(made) if isinstance(made, (list, tuple)) else [made])


def _needs(tree):
    return any(isinstance(n, (ast.If, ast.IfExp, ast.While, ast.For, ast.BoolOp)) or isinstance(n, ast.UnaryOp) and isinstance(n.op, ast.Not) for n in ast.walk(tree))


def convert(function):
    """`function` with its ifs and loops rewritten; itself where there is no source or nothing to rewrite."""
    bound = getattr(function, "__self__", None)
    plain = getattr(function, "__func__", function)
    # The source of a function that wraps another is that of the other one.
    if not inspect.isfunction(plain) or plain.__module__.startswith("weft.") or hasattr(plain, "__wrapped__"):
        return function
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(plain)))
    except (OSError, TypeError, SyntaxError, IndentationError):
        return function
    if len(tree.body) != 1 or not isinstance(tree.body[0], ast.FunctionDef) or not _needs(tree):
        return function
    name = tree.body[0].name
    tree = ast.fix_missing_locations(_Rewriter().visit(tree))
    # Inside of a function that has the free variables, they are free again; the new function then gets the cells of the old one.
    free = ("ag__",) + plain.__code__.co_freevars
    outer = ast.parse("def ag__outer(%s):\n    pass\n    return %s" % (", ".join(free), name)).body[0]
    outer.body[0:1] = tree.body
    module = ast.fix_missing_locations(ast.Module(body=[outer], type_ignores=[]))
    ast.increment_lineno(module, plain.__code__.co_firstlineno - 1)
    scope = {}
    exec(compile(module, plain.__code__.co_filename, "exec"), scope)
    code = scope["ag__outer"](*[None] * len(free)).__code__
    cells = dict(zip(plain.__code__.co_freevars, plain.__closure__ or ()), ag__=types.CellType(sys.modules[__name__]))
    made = types.FunctionType(code, plain.__globals__, plain.__name__, plain.__defaults__, tuple(cells[n] for n in code.co_freevars))
    made.__kwdefaults__ = plain.__kwdefaults__
    return made.__get__(bound) if bound is not None else made
