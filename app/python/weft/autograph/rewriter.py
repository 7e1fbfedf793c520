"""The syntax tree of a function, rewritten: each if, while and for becomes functions for its parts and a call that decides, with the values at hand, whether they
run as in Python or become nodes of a graph. The functions share the variables of the function around them (nonlocal)."""

import ast

from . import lowering, names
from .features import Feature

_NATIVE = {"locals", "globals", "vars", "dir", "eval", "exec", "breakpoint", "isinstance", "issubclass", "hasattr", "getattr", "setattr", "type", "id", "repr"}
_DEBUGGERS = {"pdb.set_trace", "ipdb.set_trace"}


def _expression(text, **parts):
    """An expression; names in it that are keys of `parts` are replaced."""
    tree = ast.parse(text, mode="eval").body

    class Fill(ast.NodeTransformer):
        def visit_Name(self, node):
            return parts.get(node.id, node)

    return Fill().visit(tree)


def _lambda(body):
    made = ast.parse("lambda: 0", mode="eval").body
    made.body = body
    return made


def _text(value):
    return ast.parse(repr(value), mode="eval").body


def place(node, at):
    """New code lies where the code lies that it stands for; code of the program keeps its place."""
    if getattr(node, "placed", False):
        at = node if hasattr(node, "lineno") else at
    else:
        if "lineno" in node._attributes:
            ast.copy_location(node, at)
        node.placed = True
    for child in ast.iter_child_nodes(node):
        place(child, at)


def _names_a_value(node):
    return hasattr(ast, "NamedExpr") and any(isinstance(n, ast.NamedExpr) for n in ast.walk(node))


class Rewriter(ast.NodeTransformer):
    """Rewrites one function; functions inside get rewriters of their own."""

    def __init__(self, features=(), outer=None, counter=None):
        self._features = features
        self._outer = outer
        self._counter = counter if counter is not None else [0]
        self._locals, self._declared, self._first = set(), set(), None

    def _name(self, what):
        self._counter[0] += 1
        return "ag__%s_%d" % (what, self._counter[0])

    def function(self, node):
        """Rewrites a FunctionDef in place."""
        arguments = node.args
        every = getattr(arguments, "posonlyargs", []) + arguments.args
        self._first = every[0].arg if every else None
        node.body = lowering.Lowering().function(node.body, node.body[0])
        found, said = names.names_of(node.body), names.declared(node.body)
        parameters = [a.arg for a in every + arguments.kwonlyargs + [x for x in (arguments.vararg, arguments.kwarg) if x]]
        self._globals, self._declared = said.globals, said.outer | said.globals
        self._locals = {n for n in found.sets if n not in self._declared} | set(parameters)
        self._closures = found.closures
        names.mark_live(node.body, found.closures | self._declared)
        node.body = self._block(node.body)
        bound = sorted(self._locals - set(parameters))
        if bound:  # what only functions inside set must still be a variable of this one
            node.body = self._placed(node.body[0], ast.parse("if False:\n    %s" % "\n    ".join(n + " = None" for n in bound)).body) + node.body
        # Declarations come before any use.
        node.body = [s for s in node.body if isinstance(s, (ast.Global, ast.Nonlocal))] + [s for s in node.body if not isinstance(s, (ast.Global, ast.Nonlocal))]
        return node

    def _block(self, statements):
        out = []
        for s in statements:
            made = self.visit(s)
            out += made if isinstance(made, list) else [made]
        return out or [ast.Pass()]

    def _inner(self, name, statements, sets, parameters=""):
        """A function for a part of a statement; `sets`: the names of this function that it sets."""
        f = ast.parse("def %s(%s):\n    pass" % (name, parameters)).body[0]
        outer = [n for n in sets if n in self._locals or n in self._declared - self._globals]
        head = [ast.Nonlocal(names=outer)] if outer else []
        if [n for n in sets if n in self._globals]:
            head.append(ast.Global(names=[n for n in sets if n in self._globals]))
        f.body = head + statements
        return f

    def _state(self, state, composites):
        """Functions that return and set the state: a tuple of the values of names and composite names."""
        get, put = self._name("get_state"), self._name("set_state")
        read = "".join("ag__.value_of(lambda: %s, %r), " % (n, n) for n in state + composites)
        getter = ast.parse("def %s():\n    return (%s)" % (get, read)).body
        values, lines = "ag__values", []
        for i, n in enumerate(state):
            lines += ["%s = %s[%d]" % (n, values, i), "if ag__.is_undefined(%s):\n    del %s" % (n, n)]
        for i, n in enumerate(composites):
            lines.append("if not ag__.is_undefined(%s[%d]):\n    %s = %s[%d]" % (values, len(state) + i, n, values, len(state) + i))
        setter = self._inner(put, ast.parse("\n".join(lines) or "pass").body, state, values)
        return getter + [setter], get, put

    def visit_If(self, node):
        found = names.names_of(node.body + node.orelse)
        live = getattr(node, "live_after", set())
        state = [n for n in found.sets if n in live and n in self._locals]
        test = self.visit(node.test)
        yes, no = self._name("if_body"), self._name("else_body")
        functions, get, put = self._state(state, found.attributes)
        body = self._inner(yes, self._block(node.body), found.sets)
        orelse = self._inner(no, self._block(node.orelse), found.sets)
        call = ast.Expr(value=_expression("ag__.if_(TEST, %s, %s, %s, %s, %r)" % (yes, no, get, put, tuple(state + found.attributes)), TEST=test))
        return self._placed(node, functions + [body, orelse, call])

    @staticmethod
    def _placed(node, made):
        for s in made:
            place(s, node)
        return made

    def _loop(self, node, found, targets=()):
        names_ = [n for n in found.sets + [t for t in targets if t not in found.sets] if n in self._locals]
        live = getattr(node, "live_after", set()) | getattr(node, "live_before", set())
        state = [n for n in names_ if n in live]
        return state, found.attributes, names_

    def _options(self, node):
        """The arguments of a set_loop_options() at the start of a loop's body."""
        first = node.body[0] if node.body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Call) and (names.composite(first.value.func) or "").endswith("autograph.experimental.set_loop_options"):
            if len(node.body) > 1:
                node.body = node.body[1:]
            else:
                node.body = [ast.copy_location(ast.Pass(), first)]
            call = first.value
            return ast.Call(func=ast.parse("ag__.loop_options", mode="eval").body, args=call.args, keywords=call.keywords)
        return ast.Constant(value=None)

    def visit_While(self, node):
        options = self._options(node)
        found = names.names_of(node.body)
        state, composites, _ = self._loop(node, found)
        check, step = self._name("loop_test"), self._name("loop_body")
        functions, get, put = self._state(state, composites)
        condition = self._inner(check, [ast.Return(value=self.visit(node.test))], names.names_of([node.test]).sets)
        body = self._inner(step, self._block(node.body), found.sets)
        call = ast.Expr(value=_expression("ag__.while_(%s, %s, %s, %s, %r, OPTIONS)" % (check, step, get, put, tuple(state + composites)), OPTIONS=options))
        return self._placed(node, functions + [condition, body, call])

    def visit_For(self, node):
        options = self._options(node)
        found = names.names_of(node.body)
        targets = names.names_of([node.target]).sets
        state, composites, sets = self._loop(node, found, targets)
        step, item = self._name("loop_body"), "ag__item"
        functions, get, put = self._state(state, composites)
        test = getattr(node, "extra_test", None)
        test = _lambda(self.visit(test)) if test is not None else ast.Constant(value=None)
        take = ast.Assign(targets=[node.target], value=ast.Name(id=item, ctx=ast.Load()))
        body = self._inner(step, [take] + self._block(node.body), list(dict.fromkeys(found.sets + targets)), item)
        call = ast.Expr(value=_expression("ag__.for_(ITEMS, TEST, %s, %s, %s, %r, OPTIONS)" % (step, get, put, tuple(state + composites)),
                                          ITEMS=self.visit(node.iter), TEST=test, OPTIONS=options))
        return self._placed(node, functions + [body, call])

    def visit_Assert(self, node):
        self.generic_visit(node)
        if Feature.ASSERT_STATEMENTS not in self._features:
            return node
        message = _lambda(node.msg or ast.Constant(value="Assertion error"))
        return self._placed(node, [ast.Expr(value=_expression("ag__.assert_stmt(TEST, MESSAGE)", TEST=node.test, MESSAGE=message))])

    def visit_FunctionDef(self, node):
        if _is_generator(node):
            return node
        inner = Rewriter(self._features, self, self._counter).function(node)
        inner.decorator_list = [self.visit(d) for d in inner.decorator_list] + [ast.copy_location(_expression("ag__.artifact"), node)]
        inner.args.defaults = [self.visit(d) for d in inner.args.defaults]
        inner.args.kw_defaults = [d and self.visit(d) for d in inner.args.kw_defaults]
        return inner

    def visit_AsyncFunctionDef(self, node):
        return node

    visit_ClassDef = visit_AsyncFunctionDef

    def visit_Lambda(self, node):
        self.generic_visit(node)
        return ast.copy_location(_expression("ag__.artifact(BODY)", BODY=node), node)

    def visit_Call(self, node):
        name = node.func.id if isinstance(node.func, ast.Name) else names.composite(node.func) or ""
        if name.startswith("ag__"):
            return node
        if name == "super" and not node.args and not node.keywords and self._first:
            node.args = [ast.copy_location(ast.Name(id=n, ctx=ast.Load()), node) for n in ("__class__", self._first)]
            return node
        if name in _DEBUGGERS or name in _NATIVE or name == "super":
            self.generic_visit(node)
            return node
        if name == "print" and Feature.BUILTIN_FUNCTIONS not in self._features:
            self.generic_visit(node)
            return node
        self.generic_visit(node)
        args = ast.Tuple(elts=node.args, ctx=ast.Load())
        if node.keywords:
            kwargs = ast.Dict(keys=[ast.Constant(value=k.arg) if k.arg else None for k in node.keywords], values=[k.value for k in node.keywords])
            if sum(k.arg is None for k in node.keywords) > 1 or any(k.arg is None for k in node.keywords) and len(node.keywords) > 1:
                # A keyword given twice is an error that only the call itself notices.
                kwargs = ast.Call(func=ast.Name(id="dict", ctx=ast.Load()), args=[], keywords=node.keywords)
        else:
            kwargs = ast.Constant(value=None)
        return ast.copy_location(_expression("ag__.call(FUNCTION, ARGS, KWARGS, ag__features)", FUNCTION=node.func, ARGS=args, KWARGS=kwargs), node)

    def visit_IfExp(self, node):
        self.generic_visit(node)
        if _names_a_value(node):
            return node
        return ast.copy_location(_expression("ag__.if_expression(TEST, YES, NO)", TEST=node.test, YES=_lambda(node.body), NO=_lambda(node.orelse)), node)

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        return ast.copy_location(_expression("ag__.not_(VALUE)", VALUE=node.operand), node) if isinstance(node.op, ast.Not) else node

    def visit_BoolOp(self, node):
        self.generic_visit(node)
        if _names_a_value(node):
            return node
        made = node.values[-1]
        for value in reversed(node.values[:-1]):
            made = _expression("ag__.%s(FIRST, SECOND)" % ("and_" if isinstance(node.op, ast.And) else "or_"), FIRST=_lambda(value), SECOND=_lambda(made))
        return ast.copy_location(made, node)

    def visit_Compare(self, node):
        self.generic_visit(node)
        if Feature.EQUALITY_OPERATORS in self._features and len(node.ops) == 1 and isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
            name = "eq" if isinstance(node.ops[0], ast.Eq) else "not_eq"
            return ast.copy_location(_expression("ag__.%s(LEFT, RIGHT)" % name, LEFT=node.left, RIGHT=node.comparators[0]), node)
        if len(node.ops) == 1 or _names_a_value(node):
            return node
        # a < b < c is (a < b) and (b < c), with b evaluated once.
        operands = [_lambda(x) for x in [node.left] + node.comparators]
        return ast.copy_location(_expression("ag__.chained(OPERATORS, OPERANDS)", OPERATORS=_text(tuple(type(o).__name__ for o in node.ops)),
                                             OPERANDS=ast.Tuple(elts=operands, ctx=ast.Load())), node)


def _is_generator(node):
    class Yields(ast.NodeVisitor):
        found = False

        def visit_Yield(self, _node):
            self.found = True

        visit_YieldFrom = visit_Await = visit_Yield

        def visit_FunctionDef(self, _node):
            """Its own."""

        visit_AsyncFunctionDef = visit_Lambda = visit_FunctionDef

    found = Yields()
    for s in node.body:
        found.visit(s)
    return found.found
