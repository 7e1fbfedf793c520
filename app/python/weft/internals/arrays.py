"""Helpers of tensorflow.python.ops.array_ops that have no public name."""

from .. import dtypes, engine, ops
from ..sparse_tensor import SparseTensor, SparseTensorValue


def shape_internal(input, name=None, optimize=True, out_type=dtypes.int32):
    """tf.shape, as a constant if the shape is known and `optimize`."""
    with ops.name_scope(name, "Shape", [input]) as name:
        if isinstance(input, (SparseTensor, SparseTensorValue)):
            return engine.raw_ops.Cast(x=input.dense_shape, DstT=out_type)
        input = ops.convert_to_tensor(input)
        if optimize and input.get_shape().is_fully_defined():
            return ops.constant(input.get_shape().as_list(), out_type, name=name)
        return engine.raw_ops.Shape(input=input, out_type=out_type, name=name)


def size_internal(input, name=None, optimize=True, out_type=dtypes.int32):
    """tf.size, as a constant if the shape is known and `optimize`."""
    with ops.name_scope(name, "Size", [input]) as name:
        if isinstance(input, (SparseTensor, SparseTensorValue)):
            return engine.raw_ops.Prod(input=engine.raw_ops.Cast(x=input.dense_shape, DstT=out_type), axis=0, name=name)
        input = ops.convert_to_tensor(input)
        if optimize and input.get_shape().is_fully_defined():
            return ops.constant(input.get_shape().num_elements(), out_type, name=name)
        return engine.raw_ops.Size(input=input, out_type=out_type, name=name)


def rank_internal(input, name=None, optimize=True):
    """tf.rank, as a constant if the rank is known and `optimize`."""
    with ops.name_scope(name, "Rank", [input]) as name:
        if isinstance(input, (SparseTensor, SparseTensorValue)):
            return engine.raw_ops.Size(input=input.dense_shape, out_type=dtypes.int32, name=name)
        input = ops.convert_to_tensor(input)
        if optimize and input.get_shape().ndims is not None:
            return ops.constant(input.get_shape().ndims, dtypes.int32, name=name)
        return engine.raw_ops.Rank(input=input, name=name)


_SLICE_TYPE_ERROR = "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors are valid indices"


def squeeze_v2(input, axis=None, name=None):
    """`input` without the axes of size 1, or without those of `axis`."""
    return engine.squeeze(input, axis, name)


def reduced_shape(input_shape, axes):
    """The shape of a reduction that keeps the reduced axes, with size 1."""
    if ops.get_default_graph()._eager:
        sizes = input_shape.numpy()
        sizes[axes.numpy()] = 1
        return sizes
    input_shape, axes = engine.cast(input_shape, dtypes.int32), engine.cast(axes, dtypes.int32)
    rank = engine.size(input_shape)
    axes = (axes + rank) % rank
    return engine.dynamic_stitch([engine.range(rank), axes], [input_shape, engine.fill(engine.shape(axes), 1)])


def _bucketize(input, boundaries, name=None):
    """The number of boundaries at or below each element."""
    if not isinstance(boundaries, (list, tuple)):
        raise TypeError("Expected list for 'boundaries' argument to 'bucketize' Op, not %s." % boundaries)
    return engine.raw_ops.Bucketize(input=input, boundaries=boundaries, name=name)


def batch_gather_nd(params, indices, batch_dims, name=None):
    """Slices of `params` by the last axis of `indices`; the first `batch_dims` axes of both belong together."""
    with ops.name_scope(name, "BatchGatherND", [params, indices]):
        indices = ops.convert_to_tensor(indices, name="indices")
        params = ops.convert_to_tensor(params, name="params")
        if not isinstance(batch_dims, int):
            raise TypeError("batch_dims must be an int; got %r" % (batch_dims,))
        if batch_dims < 0:
            raise ValueError("tf.gather_nd does not allow negative batch_dims.")
        for what, rank in (("indices", indices.shape.ndims), ("params", params.shape.ndims)):
            if rank is not None and batch_dims >= rank:
                raise ValueError("batch_dims = %d must be less than rank(%s) = %d" % (batch_dims, what, rank))
        if batch_dims == 0:
            return engine.raw_ops.GatherNd(params=params, indices=indices)
        batch = engine.shape(params)[:batch_dims]
        sizes = engine.shape(indices)
        ranges = [engine.cast(engine.range(0, n, 1), indices.dtype) for n in engine.unstack(batch, num=batch_dims, axis=0)]
        places = engine.stack([engine.reshape(x, [-1]) for x in engine.meshgrid(*ranges, indexing="ij")], axis=-1)
        inner = sizes[batch_dims:-1]
        places = engine.reshape(places, engine.concat([engine.shape(places)[:1], engine.ones_like(inner), engine.shape(places)[1:]], axis=0))
        places = engine.tile(places, engine.concat([[1], inner, [1]], axis=0))
        flat = engine.reshape(indices, engine.concat([[engine.raw_ops.Prod(input=batch, axis=[0])], sizes[batch_dims:]], axis=0))
        out = engine.raw_ops.GatherNd(params=params, indices=engine.concat([places, flat], axis=-1))
        return engine.reshape(out, engine.concat([batch, engine.shape(out)[1:]], axis=0))


def _as_indexed_slices(x, optimize=True):
    """`x` as IndexedSlices: all rows of a tensor. `optimize`: whether a known shape becomes a constant."""
    if isinstance(x, ops.IndexedSlices):
        return x
    if not isinstance(x, ops.Tensor):
        raise TypeError("Not a Tensor or IndexedSlices: %s" % type(x))
    shape = shape_internal(x, optimize=optimize)
    return ops.IndexedSlices(x, engine.range(0, shape[0]), dense_shape=shape)


def _as_indexed_slices_list(inputs, optimize=True):
    """The inputs as IndexedSlices whose indices have one type, int64 if one of them has it."""
    if not isinstance(inputs, (list, tuple)):
        raise TypeError("Expected a list or tuple, not a %s" % type(inputs))
    slices = [_as_indexed_slices(x, optimize) for x in inputs]
    if len({s.indices.dtype for s in slices}) < 2:
        return slices
    return [ops.IndexedSlices(s.values, engine.cast(s.indices, dtypes.int64), s.dense_shape) for s in slices]
