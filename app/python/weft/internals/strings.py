"""tensorflow.python.ops.string_ops: variants of functions without a public name."""

from .. import dtypes, engine, ops
from ..sparse_tensor import SparseTensor
from ..util.deprecation import deprecated_argument_lookup


def string_split(source, sep=None, skip_empty=True, delimiter=None):
    """The parts of each string between separators, as a sparse tensor."""
    separator = deprecated_argument_lookup("sep", sep, "delimiter", delimiter)
    separator = ops.convert_to_tensor(" " if separator is None else separator, dtype=dtypes.string)
    indices, values, shape = engine.raw_ops.StringSplit(input=ops.convert_to_tensor(source, dtype=dtypes.string), delimiter=separator, skip_empty=skip_empty)
    indices.set_shape([None, 2])
    values.set_shape([None])
    shape.set_shape([2])
    return SparseTensor(indices, values, shape)


def string_split_v2(source, sep=None, maxsplit=-1):
    """As string_split(); without `sep` splits at white space, at most `maxsplit` times."""
    separator = ops.convert_to_tensor("" if sep is None else sep, dtype=dtypes.string)
    indices, values, shape = engine.raw_ops.StringSplitV2(input=ops.convert_to_tensor(source, dtype=dtypes.string), sep=separator, maxsplit=maxsplit)
    indices.set_shape([None, 2])
    values.set_shape([None])
    shape.set_shape([2])
    return SparseTensor(indices, values, shape)
