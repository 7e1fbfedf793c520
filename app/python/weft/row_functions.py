"""map_fn, foldl, foldr, scan: functions over the rows of tensors."""

from . import basics, ops
from .context import get_variable_scope
from .exports import export
from .loops import while_loop
from .ops import name_scope
from .sparse_tensor import SparseTensor
from .tensor_array import TensorArray
from .tensor_shape import Dimension, TensorShape
from .util import nest


# Loops over rows.
class _Caching:
    """Context manager: variables are read once per loop and cached on the device that uses them."""

    def __enter__(self):
        self._scope = get_variable_scope()
        self._set = self._scope.caching_device is None
        if self._set:
            self._scope.set_caching_device(lambda op: op.device)

    def __exit__(self, *unused):
        if self._set:
            self._scope.set_caching_device(None)


def _shared(structure):
    """(flatten, pack) for the nesting of `structure`."""
    if nest.is_sequence(structure):
        return nest.flatten, lambda x: nest.pack_sequence_as(structure, x)
    return lambda x: [x], lambda x: x[0]


def _arrays_of(flat, n, shaped=False):
    arrays = [TensorArray(e.dtype, size=n, dynamic_size=False, infer_shape=True, element_shape=e.shape[1:] if shaped else None) for e in flat]
    return [a.unstack(e) for a, e in zip(arrays, flat)]


def _length(flat):
    return _dim(flat[0].shape) or basics.shape(flat[0])[0]


def _dim(shape):
    return shape._values[0] if shape.ndims else None


def _set_rows(results, flat):
    n = Dimension(_dim(flat[0].get_shape().with_rank_at_least(1)))
    for e in flat[1:]:
        n.merge_with(Dimension(_dim(e.get_shape().with_rank_at_least(1))))
    for r in results:
        r.set_shape(TensorShape(n).concatenate(r.get_shape()[1:]))


@export("map_fn")
def map_fn(fn, elems, dtype=None, parallel_iterations=None, back_prop=True, swap_memory=False, infer_shape=True, name=None):
    """`fn` applied to each row of `elems`; the results stacked."""
    if not callable(fn):
        raise TypeError("fn must be callable.")
    if isinstance(elems, SparseTensor):
        raise TypeError("To perform a map on the values of a sparse tensor use either  SparseTensor(input.indices, fn(input.values), input.dense_shape) or  "
                        "SparseTensor(input.indices, map_fn(fn, input.values), input.dense_shape)")
    flatten_in, pack_in = _shared(elems)
    flatten_out, pack_out = (flatten_in, pack_in) if dtype is None else _shared(dtype)
    flat = flatten_in(elems)
    with name_scope(name, "map", flat), _Caching():
        flat = [ops.convert_to_tensor(e, name="elem") for e in flat]
        dtype = dtype or pack_in([e.dtype for e in flat])
        types = flatten_out(dtype)
        shape = flat[0].shape
        if shape.ndims is not None and shape.ndims < 1:
            raise ValueError("elems must be a 1+ dimensional Tensor, not a scalar" if len(flat) == 1 else "elements in elems must be 1+ dimensional Tensors, not scalars")
        n = _length(flat)
        arrays = _arrays_of(flat, n)
        i = ops.constant(0)
        results = [TensorArray(t, size=n, dynamic_size=False, infer_shape=infer_shape) for t in types]

        def compute(i, tas):
            value = fn(pack_in([a.read(i) for a in arrays]))
            nest.assert_same_structure(dtype or elems, value)
            return i + 1, [ta.write(i, v) for ta, v in zip(tas, flatten_out(value))]

        _, results = while_loop(lambda i, _: i < n, compute, (i, results), parallel_iterations=parallel_iterations or 10, back_prop=back_prop, swap_memory=swap_memory,
                                maximum_iterations=n)
        out = [r.stack() for r in results]
        _set_rows(out, flat)
        return pack_out(out)


def _fold(fn, elems, initializer, parallel_iterations, back_prop, swap_memory, name, scope_name, backwards):
    if not callable(fn):
        raise TypeError("fn must be callable.")
    flatten, pack = _shared(elems)
    flat = flatten(elems)
    with name_scope(name, scope_name, flat), _Caching():
        flat = [ops.convert_to_tensor(e, name="elem") for e in flat]
        n = _length(flat)
        arrays = _arrays_of(flat, n)
        if backwards:
            if initializer is None:
                i = n - 1
                a = pack([t.read(i) for t in arrays])
            else:
                i = n
                a = nest.map_structure(ops.convert_to_tensor, initializer)

            def step(i, a):
                i -= 1
                return [i, fn(a, pack([t.read(i) for t in arrays]))]

            test = lambda i, a: i > 0
        else:
            if initializer is None:
                a = pack([t.read(0) for t in arrays])
                i = ops.constant(1)
            else:
                a = nest.map_structure(ops.convert_to_tensor, initializer)
                i = ops.constant(0)

            def step(i, a):
                a = fn(a, pack([t.read(i) for t in arrays]))
                return [i + 1, a]

            test = lambda i, a: i < n
        _, result = while_loop(test, step, [i, a], parallel_iterations=parallel_iterations or 10, back_prop=back_prop, swap_memory=swap_memory, maximum_iterations=n)
        return result


@export("foldl")
def foldl(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False, name=None):
    """fn(… fn(fn(first, second), third) …) over the rows of `elems`."""
    return _fold(fn, elems, initializer, parallel_iterations, back_prop, swap_memory, name, "foldl", False)


@export("foldr")
def foldr(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False, name=None):
    """As foldl, from the last row backwards."""
    return _fold(fn, elems, initializer, parallel_iterations, back_prop, swap_memory, name, "foldr", True)


@export("scan")
def scan(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False, infer_shape=True, reverse=False, name=None):
    """All intermediate results of a fold, stacked."""
    if not callable(fn):
        raise TypeError("fn must be callable.")
    flatten_in, pack_in = _shared(elems)
    flatten_out, pack_out = (flatten_in, pack_in) if initializer is None else _shared(initializer)
    flat = flatten_in(elems)
    with name_scope(name, "scan", flat), _Caching():
        flat = [ops.convert_to_tensor(e, name="elem") for e in flat]
        n = _length(flat)
        arrays = _arrays_of(flat, n, shaped=True)
        if initializer is None:
            first = [t.read(n - 1 if reverse else 0) for t in arrays]
            i = 1
        else:
            first = [ops.convert_to_tensor(v) for v in flatten_out(initializer)]
            i = 0
        results = [TensorArray(v.dtype, size=n, element_shape=v.shape if infer_shape else None, dynamic_size=False, infer_shape=infer_shape) for v in first]
        if initializer is None:
            results = [r.write(n - 1 if reverse else 0, v) for r, v in zip(results, first)]

        def compute(i, a_flat, tas):
            value = fn(pack_out(a_flat), pack_in([t.read(i) for t in arrays]))
            nest.assert_same_structure(elems if initializer is None else initializer, value)
            flat_value = flatten_out(value)
            tas = [ta.write(i, v) for ta, v in zip(tas, flat_value)]
            return i - 1 if reverse else i + 1, flat_value, tas

        if reverse:
            start = n - 1 - i
            test = lambda i, _1, _2: i >= 0
        else:
            start, test = i, lambda i, _1, _2: i < n
        _, _, results = while_loop(test, compute, (start, first, results), parallel_iterations=parallel_iterations, back_prop=back_prop, swap_memory=swap_memory,
                                   maximum_iterations=n)
        out = [r.stack() for r in results]
        _set_rows(out, flat)
        return pack_out(out)
