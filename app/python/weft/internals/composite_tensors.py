"""tensorflow.python.framework.composite_tensor_utils: sparse and ragged tensors, or their values, one behind the other."""

import numpy as np

from ..engine import concat, sparse_concat
from ..ragged.tensor import RaggedTensor
from ..ragged.values import RaggedTensorValue
from ..sparse_tensor import SparseTensor, SparseTensorValue
from ..type_spec import CompositeTensor


def is_composite_or_composite_value(tensor):
    return isinstance(tensor, (CompositeTensor, SparseTensorValue, RaggedTensorValue))


def get_shape(tensor):
    return tensor.dense_shape if isinstance(tensor, SparseTensorValue) else tensor.shape


def _append_sparse(target, more):
    if len(target.dense_shape) != len(more.dense_shape):
        raise RuntimeError("Unable to concatenate %s and %s. The inner dense shapes do not have the same number of dimensions (%s vs %s)" %
                           (target, more, target.dense_shape, more.dense_shape))
    inner, other = (tuple(v.dense_shape[1:]) for v in (target, more))
    if inner != other:
        raise RuntimeError("Unable to concatenate %s and %s. The inner dense shapes do not match inner dimensions (%s vs %s)" % (target, more, inner, other))
    rows = target.dense_shape[0]
    moved = np.array(more.indices)
    moved[:, 0] += rows
    # As TensorFlow's: rows of `more` behind its last value do not count.
    return SparseTensorValue(np.concatenate([target.indices, moved]), np.concatenate([target.values, more.values]), (max([rows, *moved[:, 0]]) + 1,) + inner)


def _append_ragged(target, more):
    if len(target.shape) != len(more.shape) or target.shape[1:] != more.shape[1:]:
        raise RuntimeError("Unable to concatenate %s and %s" % (target, more))
    nested = isinstance(target.values, RaggedTensorValue)
    values = _append_ragged(target.values, more.values) if nested else np.concatenate([target.values, more.values])
    return RaggedTensorValue(values, np.append(target.row_splits, more.row_splits[1:] + target.row_splits[-1]))


def append_composite_tensor(target, to_append):
    """Both, joined in the first dimension. RuntimeError if they are of different types or shapes."""
    if type(target) is not type(to_append):
        raise RuntimeError("Unable to concatenate %s and %s" % (type(target), type(to_append)))
    if isinstance(target, SparseTensor):
        return sparse_concat(sp_inputs=[target, to_append], axis=0)
    if isinstance(target, RaggedTensor):
        return concat([target, to_append], axis=0)
    if isinstance(target, SparseTensorValue):
        return _append_sparse(target, to_append)
    if isinstance(target, RaggedTensorValue):
        return _append_ragged(target, to_append)
    raise RuntimeError("Attempted to concatenate unsupported object %s." % type(target))
