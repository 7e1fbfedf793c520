"""if, while and for of converted functions: as in Python, or nodes of a graph where a tensor decides.

State is a tuple of the values of the variables that a statement sets and that are read later; get_state() and set_state() of the converted function move it."""

import contextlib

from .. import basics, engine, ops
from ..control_flow import cond as tf_cond
from ..loops import while_loop
from ..ops import Tensor
from ..tensor_array import TensorArray
from ..util import nest
from .values import is_symbolic, is_undefined, is_undefined_return, may_be_tensor, tensor_of

make_trace = None  # makes a graph for nodes that are thrown away (eager/function.py)
scan = take_while = get_next_as_optional = None  # of data sets (eager/iteration.py)


# Branches.
def if_(test, body, orelse, get_state, set_state, names):
    """`if test:`. The branches set variables."""
    if not is_symbolic(test):
        (body if test else orelse)()
        return
    before = get_state()

    def outcome(branch):
        def run():
            set_state(before)
            branch()
            return get_state()

        return run

    results = _choose(test, outcome(body), outcome(orelse), names)
    set_state(results)


def _flat(value):
    return nest.flatten(value) if nest.is_sequence(value) else [value]


def _choose(test, body, orelse, names):
    """The values that one of two functions returns, as `test` decides."""
    made = {}

    def branch(function, which):
        word = "if" if which else "else"

        def run():
            values = made[which] = function()
            for v, n in zip(values, names):
                if is_undefined(v):
                    raise ValueError("The following symbols must also be initialized in the %s branch: %s. Alternatively, you may initialize them before the if statement." %
                                     (word, (n,)))
                if is_undefined_return(v):
                    raise ValueError("A value must also be returned from the %s branch. If a value is returned from one branch of a conditional a value must be returned from all "
                                     "branches." % word)
            if len(made) == 2:
                _check_alike(made[True], made[False], names)
            return [tensor_of(x) for v in values for x in _flat(v) if may_be_tensor(x)] + [ops.constant(0)]

        return run

    result = iter(tf_cond(test, branch(body, True), branch(orelse, False), strict=True))
    out = []
    for name, value, other in zip(names, made[True], made[False]):
        leaves = []
        for x, y in zip(_flat(value), _flat(other)):
            merged = next(result) if may_be_tensor(x) else x
            leaves.append(x if name.startswith("ag__") and x is y else merged)  # a flag that both branches set
        out.append(nest.pack_sequence_as(value, leaves) if nest.is_sequence(value) else leaves[0])
    return tuple(out)


def _check_alike(on_true, on_false, names):
    for a, b, name in zip(on_true, on_false, names):
        name = "return value" if name == "ag__retval" else name
        try:
            nest.assert_same_structure(a, b)
        except (ValueError, TypeError) as e:
            raise TypeError('"%s" does not have the same nested structure in the TRUE and FALSE branches.\n\n%s' % (name, e))
        for x, y in zip(nest.flatten(a), nest.flatten(b)):
            if may_be_tensor(x) != may_be_tensor(y) or not may_be_tensor(x) and x is not y:
                raise TypeError('"%s" is %r in the TRUE branch, but %r in the FALSE branch. TensorFlow control flow can only choose between tensors.' % (name, x, y))
            if may_be_tensor(x):
                x, y = tensor_of(x), tensor_of(y)
                if x.dtype != y.dtype:
                    raise TypeError('"%s" has dtype %s in the TRUE branch, but dtype=%s in the FALSE branch. TensorFlow control flow requires that they are the same.' %
                                    (name, x.dtype.name, y.dtype.name))


def if_expression(test, body, orelse):
    """`body() if test else orelse()`."""
    if not is_symbolic(test):
        return body() if test else orelse()
    return _choose(test, lambda: (body(),), lambda: (orelse(),), ("the value of the conditional expression",))[0]


# Loops.
class _Loop:
    """The state of a loop on tensors: the leaves that may be tensors are variables of the loop, others stay as they are."""

    def __init__(self, get_state, set_state, names):
        self._get, self._set, self._names = get_state, set_state, names
        self._like = get_state()
        undefined = tuple(n for v, n in zip(self._like, names) if is_undefined(v))
        if undefined:
            raise ValueError("TensorFlow requires that the following symbols must be defined before the loop: %s" % (undefined,))
        if any(is_undefined_return(v) for v in self._like):
            raise ValueError("return statements are not supported within a TensorFlow loop.")
        self.start = tuple(tensor_of(x) for x in nest.flatten(self._like) if may_be_tensor(x))

    def enter(self, variables):
        """Gives the variables of the program the values of the loop's variables."""
        variables = iter(variables)
        self._set(nest.pack_sequence_as(self._like, [next(variables) if may_be_tensor(x) else x for x in nest.flatten(self._like)]))

    def leave(self):
        """The values of the loop's variables after a turn."""
        after = self._get()
        out = []
        for old, new, name in zip(self._like, after, self._names):
            if is_undefined(new):
                raise ValueError("TensorFlow requires that the following symbols must be defined in the loop: %s" % ((name,),))
            if is_undefined_return(new) or is_undefined_return(old):
                raise ValueError("return statements are not supported within a TensorFlow loop.")
            try:
                nest.assert_same_structure(old, new)
            except (ValueError, TypeError) as e:
                raise TypeError('"%s" does not have the same nested structure after one iteration.\n\n%s' % (name, e))
            for x, y in zip(nest.flatten(old), nest.flatten(new)):
                if may_be_tensor(x):
                    out.append(self._checked(x, y, name))
                elif x is not y:
                    raise TypeError('"%s" is %r before the loop, but %r after one iteration. TensorFlow loops can only change tensors.' % (name, x, y))
        return tuple(out)

    @staticmethod
    def _checked(old, new, name):
        if not may_be_tensor(new):
            raise TypeError('"%s" is a tensor before the loop, but %r after one iteration.' % (name, new))
        old, new = tensor_of(old), tensor_of(new)
        if old.dtype != new.dtype:
            raise TypeError('"%s" has dtype %s before the loop, but dtype %s after one iteration. TensorFlow control flow requires it stays the same.' %
                            (name, old.dtype.name, new.dtype.name))
        if isinstance(old, Tensor) and isinstance(new, Tensor):
            was, now = old.shape, new.shape
            if was.ndims is not None and (now.ndims != was.ndims or any(a is not None and a != b for a, b in zip(was.as_list(), now.as_list()))):
                raise ValueError('"%s" has shape %s before the loop, but shape %s after one iteration. TensorFlow control flow requires it stays the same or be more specific.' %
                                 (name, was, now))
        return new

    def run(self, test, body, start, options):
        """A loop with the variables `start` beside the state. test(*own) and body(*own) are called with the state in the program's variables; body returns the new `own`."""
        count = len(start)

        def turn(*v):
            self.enter(v[count:])
            own = body(*v[:count])
            return tuple(own) + self.leave()

        def holds(*v):
            self.enter(v[count:])
            return test(*v[:count])

        start = tuple(ops.convert_to_tensor(x) for x in start)
        variables = start + self.start
        spare = () if variables else (ops.constant(0),)
        if spare:
            made = while_loop(lambda _: holds(), lambda i: (turn(), i)[1:], spare, return_same_structure=True, **(options or {}))
            self.enter(())
            return
        made = while_loop(holds, turn, variables, return_same_structure=True, **(options or {}))
        self.enter(made[count:])


def loop_options(parallel_iterations=None, back_prop=None, swap_memory=None, maximum_iterations=None):
    """The options of a loop, as set_loop_options() gives them."""
    given = dict(parallel_iterations=parallel_iterations, back_prop=back_prop, swap_memory=swap_memory, maximum_iterations=maximum_iterations)
    return {k: v for k, v in given.items() if v is not None}


def while_(test, body, get_state, set_state, names, options=None):
    """`while test():`."""
    if ops.executing_eagerly():
        while test():
            body()
        return
    with _thrown_away():
        first = test()
    if not is_symbolic(first):
        if not first:
            return
        while True:
            body()
            first = test()
            if is_symbolic(first):  # the variables became tensors
                break
            if not first:
                return
    _Loop(get_state, set_state, names).run(lambda: test(), lambda: (body(), ())[1], (), options)


@contextlib.contextmanager
def _thrown_away():
    with make_trace("tmp").as_default():
        yield


def for_(items, extra_test, body, get_state, set_state, names, options=None):
    """`for x in items:`; `body` takes x. `extra_test`: whether no break was met."""
    if is_symbolic(items):
        if items.op.type == "Range":
            return _for_range(items, extra_test, body, _Loop(get_state, set_state, names), options)
        return _for_tensor(items, extra_test, body, _Loop(get_state, set_state, names), options)
    if not ops.executing_eagerly():
        if hasattr(items, "_variant_tensor"):
            return _for_dataset(items, extra_test, body, _Loop(get_state, set_state, names), options)
        if hasattr(items, "_resource") and hasattr(items, "element_spec"):
            return _for_iterator(items, extra_test, body, _Loop(get_state, set_state, names), options)
    for x in items:
        body(x)
        if extra_test is not None and not extra_test():
            break
    return None


def _and_more(extra_test, first):
    return first if extra_test is None else and_(lambda: first, extra_test)


def _for_tensor(items, extra_test, body, loop, options):
    if items.shape.ndims == 0:
        raise ValueError("len requires a non-scalar tensor, got one of shape %s" % (items.shape,))
    n = basics.shape(items)[0]
    elements = TensorArray(items.dtype, size=n).unstack(items)

    def turn(i):
        body(elements.read(i))
        return (i + 1,)

    loop.run(lambda i: _and_more(extra_test, i < n), turn, (ops.constant(0),), options)


def _for_range(items, extra_test, body, loop, options):
    start, limit, delta = items.op.inputs
    step = ops.constant_value(delta)

    def more(i):
        if step is not None:
            return i < limit if step >= 0 else i > limit
        return engine.logical_or(engine.logical_and(delta >= 0, i < limit), engine.logical_and(delta < 0, i > limit))

    def turn(i):
        body(i)
        return (i + delta,)

    loop.run(lambda i: _and_more(extra_test, more(i)), turn, (start,), options)


def _for_dataset(items, extra_test, body, loop, options):
    if options:
        raise NotImplementedError("set_loop_options() in a loop over a data set: the data set has no such options (%s)" % ", ".join(options))
    start = (ops.constant(True),) + loop.start

    def turn(state, x):
        """(whether the next element is wanted, the state)"""
        loop.enter(state[1:])
        body(x)
        after = loop.leave()
        return (ops.convert_to_tensor(extra_test()) if extra_test is not None else ops.constant(True),) + after

    if extra_test is None:
        made = items.reduce(start, turn)
    else:
        def step(state, x):
            after = tuple(tf_cond(state[0], lambda: list(turn(state, x)), lambda: list(state), strict=True))
            return after, (state[0],) + after  # the element after the one that ends the loop is the first that is not wanted

        steps = items.apply(scan(start, step)).apply(take_while(lambda wanted, *_: wanted))
        made = steps.reduce(start, lambda _, new: tuple(new[1:]))
    loop.enter(tuple(made)[1:])


def _for_iterator(items, extra_test, body, loop, options):
    state_of = lambda: list(loop.leave())

    def turn(_):
        element = get_next_as_optional(items)
        there = element.has_value()
        before = state_of()

        def with_value():
            body(element.get_value())
            return state_of() + [ops.constant(True)]

        made = tf_cond(there, with_value, lambda: before + [ops.constant(True)], strict=True)
        loop.enter(made[:-1])
        return (there,)

    loop.run(lambda more: _and_more(extra_test, more), turn, (ops.constant(True),), options)


# Logic.
def not_(x):
    return engine.logical_not(x) if is_symbolic(x) else not x


def and_(first, second):
    """`first() and second()`; the second only if the first holds."""
    value = first()
    if not is_symbolic(value):
        return value and second()
    return tf_cond(value, lambda: ops.convert_to_tensor(second()), lambda: ops.constant(False))


def or_(first, second):
    value = first()
    if not is_symbolic(value):
        return value or second()
    return tf_cond(value, lambda: ops.constant(True), lambda: ops.convert_to_tensor(second()))

