"""map_fn over the rows of ragged tensors, and with ragged results."""

from .. import basics, dtypes, engine, ops, settings
from ..loops import while_loop
from ..row_functions import _Caching
from ..sparse_tensor import SparseTensor
from ..tensor_array import TensorArray
from ..util import nest
from .spec import RaggedTensorType
from .tensor import convert_to_tensor_or_ragged_tensor, is_ragged, match_row_splits_dtypes, RaggedTensor


def _rows_of(elements):
    first = elements[0]
    if is_ragged(first):
        return first.nrows(out_type=dtypes.int32)
    if first.shape.ndims == 0:
        raise ValueError("elems must be a 1+ dimensional Tensor, not a scalar" if len(elements) == 1 else "elements in elems must be 1+ dimensional Tensors, not scalars")
    known = first.shape[0].value if first.shape.ndims is not None else None
    return basics.cast(known or basics.shape(first)[0], dtypes.int32)


def _types(declared):
    """The types of the arrays that collect one result: its values and, if it is ragged, the lengths of its rows, outermost first."""
    if not isinstance(declared, RaggedTensorType):
        return [declared]
    return [declared.dtype] + [declared.row_splits_dtype] * declared.ragged_rank


def _parts(value, declared):
    if not isinstance(declared, RaggedTensorType):
        return [value]
    rank = getattr(value, "ragged_rank", 0) + 1
    if declared.ragged_rank != rank:
        raise ValueError("The declared ragged rank (%d) mismatches the result (%d)" % (declared.ragged_rank, rank))
    if declared.dtype != value.dtype:
        raise ValueError("The declared dtype (%s) mismatches the result (%s)" % (declared.dtype, value.dtype))
    if not is_ragged(value):
        return [value, basics.shape(value, out_type=declared.row_splits_dtype)[:1]]
    if value.row_splits.dtype != declared.row_splits_dtype:
        raise ValueError("The declared row_splits dtype (%s) mismatches the result (%s). Use RaggedTensor.with_row_splits_dtype to convert it." %
                         (declared.row_splits_dtype, value.row_splits.dtype))
    return [value.flat_values, engine.expand_dims(value.nrows(), 0)] + [splits[1:] - splits[:-1] for splits in value.nested_row_splits]


def _joined(arrays, declared):
    if not isinstance(declared, RaggedTensorType):
        return arrays[0].stack()
    made = arrays[0].concat()
    for lengths in reversed(arrays[1:]):
        made = RaggedTensor.from_row_lengths(made, lengths.concat(), validate=False)
    return made


def map_fn(fn, elems, dtype=None, parallel_iterations=None, back_prop=True, swap_memory=False, infer_shape=True, name=None):
    """`fn` applied to each row of `elems`, which may be ragged; the results stacked. A RaggedTensorType in `dtype` makes a ragged tensor of a result."""
    if not callable(fn):
        raise TypeError("fn must be callable.")
    if isinstance(elems, SparseTensor):
        raise TypeError("To perform a map on the values of a sparse tensor use either  SparseTensor(input.indices, fn(input.values), input.dense_shape) or "
                        " SparseTensor(input.indices, map_fn(fn, input.values), input.dense_shape)")
    eager = ops.executing_eagerly()
    if eager:
        settings.unused("map_fn", "rows are taken one after the other while execution is eager", parallel_iterations=(parallel_iterations, None, 1))
    flat = list(match_row_splits_dtypes(*(nest.flatten(elems) if nest.is_sequence(elems) else [elems])))

    def packed(values):
        return nest.pack_sequence_as(elems, values) if nest.is_sequence(elems) else values[0]

    with ops.name_scope(name, "map", flat):
        flat = [convert_to_tensor_or_ragged_tensor(e, name="elem") for e in flat]
        dtype = dtype or packed([e.dtype for e in flat])
        declared = nest.flatten(dtype)
        count = _rows_of(flat)
        arrays = [[TensorArray(t, size=count, dynamic_size=False, infer_shape=infer_shape) for t in _types(d)] for d in declared]

        def step(i, arrays):
            results = nest.flatten(fn(packed([e[i] for e in flat])))
            return i + 1, [[a.write(i, p) for a, p in zip(own, _parts(r, d))] for own, r, d in zip(arrays, results, declared)]

        def loop():
            return while_loop(lambda i, _: engine.less(i, count), step, (ops.constant(0), arrays), parallel_iterations=1 if eager else parallel_iterations or 10, back_prop=back_prop,
                              swap_memory=swap_memory, maximum_iterations=count)[1]

        if eager:
            arrays = loop()
        else:
            with _Caching():
                arrays = loop()
        return nest.pack_sequence_as(dtype, [_joined(own, d) for own, d in zip(arrays, declared)])
