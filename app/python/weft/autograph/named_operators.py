"""The operators of converted code under TensorFlow's names and with its parameters, for programs that call them directly."""

from . import flow
from .builtin_functions import OVERLOADS


def _names(basic, composite, count, more):
    """The names of `count` variables and `more` composite ones; numbers where there are none."""
    return tuple(basic or ("variable %d" % i for i in range(count))) + tuple(composite or ("state %d" % i for i in range(more)))


class _State:
    """Values that a function takes and returns, as variables that it changes."""

    def __init__(self, values, get_state, set_state):
        self.values, self._get_state, self._set_state = tuple(values), get_state or (lambda: ()), set_state or (lambda _: None)

    def get(self):
        return self.values + tuple(self._get_state())

    def put(self, values):
        count = len(self.values)
        self.values = tuple(values[:count])
        self._set_state(tuple(values[count:]))

    def step(self, body):
        def run(*item):
            made = body(*item, *self.values)
            self.values = () if made is None else tuple(made)

        return run


def for_stmt(iter_, extra_test, body, get_state, set_state, init_vars, basic_symbol_names=None, composite_symbol_names=None):
    """`for x in iter_`: body takes x and the variables and returns the variables; so does this."""
    state = _State(init_vars, get_state, set_state)
    names = _names(basic_symbol_names, composite_symbol_names, len(state.values), len(state.get()) - len(state.values))
    flow.for_(iter_, extra_test and (lambda: extra_test(*state.values)), state.step(body), state.get, state.put, names)
    return state.values


def while_stmt(test, body, get_state, set_state, init_vars, basic_symbol_names=None, composite_symbol_names=None, opts=None):
    """`while test(*variables)`."""
    state = _State(init_vars, get_state, set_state)
    names = _names(basic_symbol_names, composite_symbol_names, len(state.values), len(state.get()) - len(state.values))
    flow.while_(lambda: test(*state.values), state.step(body), state.get, state.put, names, opts)
    return state.values


def if_stmt(cond, body, orelse, get_state, set_state, basic_symbol_names=None, composite_symbol_names=None):
    """`if cond`: what the chosen branch returns."""
    if not flow.is_symbolic(cond):
        return body() if cond else orelse()
    single = []
    state = _State((), get_state, set_state)

    def branch(function):
        def run():
            made = function()
            single.append(not isinstance(made, tuple))
            state.values = made if isinstance(made, tuple) else (made,)

        return run

    names = tuple(basic_symbol_names or ()) + tuple(composite_symbol_names or ())
    flow.if_(cond, branch(body), branch(orelse), state.get, state.put, names or _Numbered())
    return state.values[0] if single[0] else state.values


class _Numbered:
    """A name for each value, however many there are."""

    def __iter__(self):
        return iter("value %d" % i for i in range(1000))


def and_(a, b):
    return flow.and_(a, b)


def or_(a, b):
    return flow.or_(a, b)


def overload_of(f):
    """What converted code calls for one of Python's functions."""
    return OVERLOADS.get(f, f)
