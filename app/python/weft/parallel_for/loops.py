"""for_loop, pfor and vectorized_map: functions of the number of an iteration, run for many numbers."""

import functools
import inspect

from .. import basics, constant_values, control_flow, engine, ops
from ..eager import tape
from ..eager.function import defun
from ..exports import export
from ..loops import while_loop
from ..platform import tf_logging
from ..sparse_tensor import SparseTensor
from ..tensor_array import TensorArray
from ..util import nest, tf_decorator
from . import array_rules, loop_rule, math_rules, nn_rules, state_rules  # noqa: F401 (register converters)
from .vectorizer import flat, PFor, PForConfig

PFOR_CONFIG_ARG = "pfor_config"


def for_loop(loop_fn, loop_fn_dtypes, iters, parallel_iterations=None):
    """loop_fn(0), …, loop_fn(iters - 1) in a while_loop, stacked. Results that are None stay None."""
    types, absent = nest.flatten(loop_fn_dtypes), []

    def body(i, *arrays):
        found = nest.flatten(loop_fn(i))
        if len(found) != len(types):
            raise ValueError("Number of expected outputs, %d, does not match the number of actual outputs, %d, from loop_fn" % (len(types), len(found)))
        absent[:] = [x is None for x in found]
        return (i + 1,) + tuple(a if x is None else a.write(i, engine.expand_dims(x, 0)) for x, a in zip(found, arrays))

    options = {} if parallel_iterations is None else {"parallel_iterations": parallel_iterations}
    arrays = while_loop(lambda i, *_: i < iters, body, [0] + [TensorArray(t.base_dtype, iters) for t in types], **options)[1:]
    results = [None if is_none else a.concat() for a, is_none in zip(arrays, absent)]
    # Without an iteration nothing is known of the results.
    return nest.pack_sequence_as(loop_fn_dtypes, results) if results else None


def pfor(loop_fn, iters, parallel_iterations=None):
    """As for_loop, without a loop: adds operations that compute the results of all iterations at once. Iterations must not depend on one another. `parallel_iterations`: how many
    to compute at once, fewer memory than for all."""
    def run():
        return _pfor(loop_fn, iters, parallel_iterations)

    if ops.executing_eagerly():
        return defun(run, autograph=False)()
    return run()


def _takes_config(loop_fn):
    if isinstance(loop_fn, functools.partial):
        return _takes_config(loop_fn.func) and PFOR_CONFIG_ARG not in loop_fn.keywords
    function = tf_decorator.unwrap(loop_fn)[1]
    if not callable(function):
        raise ValueError("loop_fn object did not have a __call__ method")
    try:
        return PFOR_CONFIG_ARG in inspect.signature(function).parameters
    except (TypeError, ValueError):  # a function of C without a signature
        return False


def _as_tensor(x):
    """A result of loop_fn that PFor.convert() takes."""
    if x is None or isinstance(x, (ops.Operation, ops.Tensor, SparseTensor)):
        return x
    if isinstance(x, ops.IndexedSlices):
        tf_logging.warn("Converting %s to a dense representation may make it slow. Alternatively, output the indices and values of the IndexedSlices separately, and handle the "
                        "vectorized outputs directly." % (x,))
    return ops.convert_to_tensor(x)


class _NewOps:
    """The operations that a graph got since a moment, up to end()."""

    def __init__(self, graph):
        self._graph, self._first, self._last = graph, graph._core.size(), None

    def end(self):
        self._last = self._graph._core.size()
        return self

    def __contains__(self, op):
        return op.graph is self._graph and self._first <= op._node < self._last

    def __iter__(self):
        return iter([self._graph._core.operation(i) for i in range(self._first, self._last)])


def _traced(loop_fn, iters, config):
    """(the placeholder of the number, the structure of results, its parts as tensors, the operations, the config)."""
    made = _NewOps(ops.get_default_graph())
    with ops.name_scope("loop_body"):
        number = engine.raw_ops.Placeholder(dtype="int32", shape=[])
        if _takes_config(loop_fn):
            if config is None:
                config = PForConfig()
                config._set_iters(iters)
            results = loop_fn(number, **{PFOR_CONFIG_ARG: config})
        else:
            results = loop_fn(number)
        parts = [_as_tensor(x) for x in nest.flatten(results)]
    return number, results, parts, made.end(), config


def _pfor(loop_fn, iters, parallel_iterations=None, config=None):
    number, results, parts, made, config = _traced(loop_fn, iters, config)
    iters = ops.convert_to_tensor(iters)
    if parallel_iterations is not None:
        if parallel_iterations < 1:
            raise ValueError("parallel_iterations must be None or a positive integer")
        if parallel_iterations == 1:
            raise ValueError("Found parallel_iterations == 1. Use for_loop instead.")
        known = constant_values.constant_value(iters)
        if known is not None and known < parallel_iterations:
            parallel_iterations = None
    if parallel_iterations is None:
        with ops.name_scope("pfor"):
            converter = PFor(number, iters, made, pfor_config=config)
            return nest.pack_sequence_as(results, [converter.convert(x) for x in parts])
    if config is not None and config._has_reductions():
        raise ValueError("Setting parallel_iterations currently unsupported if reductions across iterations are performed.")
    return nest.pack_sequence_as(results, _in_groups(loop_fn, number, parts, made, config, iters, parallel_iterations))


def _in_groups(loop_fn, number, parts, made, config, iters, size):
    """The results of groups of `size` iterations one after another; the iterations that fill no group come first."""
    groups, rest = iters // size, iters % size
    with ops.name_scope("pfor_untiled"):
        converter = PFor(number, rest, made, pfor_config=config)
        first = [converter.convert(x) for x in parts]
    with ops.name_scope("pfor_tiled"):
        def group(j):
            offset = j * size + rest

            def iteration(i, pfor_config=None):
                return nest.flatten(loop_fn(i + offset, pfor_config=pfor_config) if _takes_config(loop_fn) else loop_fn(i + offset))

            return _pfor(iteration, size)

        grouped = [flat(x) for x in for_loop(group, [ops.convert_to_tensor(x).dtype for x in parts], groups, parallel_iterations=1)]
    with ops.name_scope("pfor"):
        known = constant_values.constant_value(iters)
        if known is not None and known % size == 0:
            return grouped
        found = control_flow.cond(engine.equal(rest, 0), lambda: grouped, lambda: [engine.concat([x, y], 0) for x, y in zip(first, grouped)])
        return nest.flatten(found)


@export("vectorized_map")
def vectorized_map(fn, elems):
    """`fn` applied to each row of the tensors in `elems`, to all rows at once; the results stacked. Rows must not depend on one another."""
    count = basics.shape(nest.flatten(elems)[0])[0]
    return pfor(lambda i: fn(nest.map_structure(lambda x: engine.gather(x, i), elems)), count)


tape.for_all = pfor
