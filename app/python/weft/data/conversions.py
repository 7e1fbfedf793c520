"""tensorflow.python.data.util.convert, random_seed, sparse and traverse: arguments of data sets, their seeds, sparse components and ops."""

import collections

from .. import dtypes, engine, ops
from ..sparse_tensor import SparseTensor, SparseTensorValue
from ..tensor_shape import as_shape, unknown_shape
from .dataset import seeds as get_seed  # noqa: F401 (re-exported)
from .structure import flatten, pack


def optional_param_to_tensor(argument_name, argument_value, argument_default=0, argument_dtype=dtypes.int64):
    """The argument as a tensor, or its default for None."""
    if argument_value is None:
        return ops.constant(argument_default, dtype=argument_dtype, name=argument_name)
    return ops.convert_to_tensor(argument_value, dtype=argument_dtype, name=argument_name)


def partial_shape_to_tensor(shape_like):
    """A vector of the sizes, -1 for unknown ones."""
    try:
        return ops.convert_to_tensor([-1 if d is None else d for d in as_shape(shape_like).as_list()], dtype=dtypes.int64)
    except (TypeError, ValueError):
        sizes = ops.convert_to_tensor(shape_like, preferred_dtype=dtypes.int64)
    if sizes.shape.ndims not in (None, 1):
        raise ValueError("The given shape %s must be a 1-D tensor of tf.int64 values, but the shape was %s." % (shape_like, sizes.shape))
    if sizes.dtype != dtypes.int64:
        raise TypeError("The given shape %s must be a 1-D tensor of tf.int64 values, but the element type was %s." % (shape_like, sizes.dtype.name))
    return sizes


def any_sparse(classes):
    return any(c is SparseTensor for c in flatten(classes))


def _where_sparse(values, classes, replace):
    return pack(values, [replace(v) if c is SparseTensor else v for v, c in zip(flatten(values), flatten(classes))])


def as_dense_shapes(shapes, classes):
    """The shapes, unknown for sparse tensors."""
    return _where_sparse(shapes, classes, lambda _: unknown_shape())


def as_dense_types(types, classes):
    """The types, tf.variant for sparse tensors."""
    return _where_sparse(types, classes, lambda _: dtypes.variant)


def get_classes(tensors):
    return pack(tensors, [SparseTensor if isinstance(t, SparseTensor) else ops.Tensor for t in flatten(tensors)])


def deserialize_sparse_tensors(tensors, types, shapes, classes):
    """The tensors, with sparse ones in place of their serialized forms."""
    leaves = zip(flatten(tensors), flatten(types), flatten(shapes), flatten(classes))
    return pack(types, [engine.deserialize_sparse(t, dtype=kind, rank=shape.ndims) if c is SparseTensor else t for t, kind, shape, c in leaves])


def _serialized(op, value):
    return getattr(engine.raw_ops, op)(sparse_indices=value.indices, sparse_values=value.values, sparse_shape=value.dense_shape, out_type=dtypes.variant)


def serialize_sparse_tensors(tensors):
    return pack(tensors, [_serialized("SerializeSparse", t) if isinstance(t, SparseTensor) else t for t in flatten(tensors)])


def serialize_many_sparse_tensors(tensors):
    return pack(tensors, [_serialized("SerializeManySparse", t) if isinstance(t, (SparseTensor, SparseTensorValue)) else t for t in flatten(tensors)])


def obtain_all_variant_tensor_ops(dataset):
    """The ops with variants as results that a data set depends on."""
    found, seen, todo = [], set(), collections.deque([dataset._variant_tensor.op])
    while todo:
        op = todo.popleft()
        if op in seen:
            continue
        seen.add(op)
        if op.outputs[0].dtype == dtypes.variant:
            found.append(op)
        todo += [t.op for t in op.inputs]
    return found
