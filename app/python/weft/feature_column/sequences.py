"""Sequence columns: features with values for each step."""

import collections

from .. import basics, dtypes, engine, ops
from ..data.parsing import VarLenFeature
from ..exports import export
from ..tensor_shape import TensorShape
from . import columns
from .column_base import NewSequence, OldSequence, TensorSequenceLengthPair
from .learned_columns import SequenceCategoricalColumn, length_of


def _named(name, make):
    def function(*args, **kwargs):
        return SequenceCategoricalColumn(make(*args, **kwargs))

    function.__name__, function.__doc__ = name, make.__doc__
    export("feature_column." + name)(function)


for _kind in ("identity", "hash_bucket", "vocabulary_file", "vocabulary_list"):
    _named("sequence_categorical_column_with_" + _kind, getattr(columns, "categorical_column_with_" + _kind))
del _kind


class SequenceNumeric:
    """Numbers for each step."""

    name = property(lambda self: self.key)
    parse_example_spec = property(lambda self: {self.key: VarLenFeature(self.dtype)})
    variable_shape = property(lambda self: TensorShape(self.shape))

    def transform(self, reader):
        tensor = reader.get(self.key)
        return tensor if self.normalizer_fn is None else self.normalizer_fn(tensor)

    def steps(self, reader):
        sparse = reader.get(self)
        dense = engine.sparse_tensor_to_dense(sparse, default_value=self.default_value)
        dense = engine.reshape(dense, engine.concat([basics.shape(dense)[:1], [-1], self.shape], axis=0))
        return TensorSequenceLengthPair(dense, length_of(sparse, self.variable_shape.num_elements() if sparse.shape.ndims == 2 else 1))


_FIELDS = ["key", "shape", "default_value", "dtype", "normalizer_fn"]


class SequenceNumericColumn(SequenceNumeric, NewSequence, collections.namedtuple("SequenceNumericColumn", _FIELDS)):
    """Of the second protocol alone."""


class _SequenceNumericColumn(SequenceNumeric, OldSequence, collections.namedtuple("_SequenceNumericColumn", _FIELDS)):
    """Of the first protocol alone, as tf.contrib.feature_column makes it."""

    _variable_shape = property(lambda self: self.variable_shape)


def sequence_arguments(key, shape, default_value, dtype, normalizer_fn):
    """The fields of a column of numbers for each step."""
    shape, dtype = columns.checked_shape(shape, key), dtypes.as_dtype(dtype)
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError("dtype must be convertible to float. dtype: {}, key: {}".format(dtype, key))
    if normalizer_fn is not None and not callable(normalizer_fn):
        raise TypeError("normalizer_fn must be a callable. Given: {}".format(normalizer_fn))
    return key, shape, default_value, dtype, normalizer_fn


@export("feature_column.sequence_numeric_column")
def sequence_numeric_column(key, shape=(1,), default_value=0., dtype=dtypes.float32, normalizer_fn=None):
    """Numbers for each step."""
    return SequenceNumericColumn(*sequence_arguments(key, shape, default_value, dtype, normalizer_fn))


def same_lengths(lengths, name=None):
    """The first of the lengths; the run fails if another differs."""
    with ops.name_scope(name, "assert_all_equal", values=lengths):
        if len(lengths) == 1:
            return lengths[0]
        with ops.control_dependencies([c for c in [engine.assert_equal(lengths[0], n) for n in lengths[1:]] if c is not None]):
            return engine.identity(lengths[0])


def concatenate_context_input(context_input, sequence_input):
    """The sequence with the context appended at each step."""
    checks = []
    for name, tensor, rank in (("sequence_input", sequence_input, 3), ("context_input", context_input, 2)):
        checks.append(engine.assert_rank(tensor, rank, message="%s must have rank %d" % (name, rank), data=[basics.shape(tensor)]))
        checks.append(engine.assert_type(tensor, dtypes.float32, message="%s must have dtype float32; got %s." % (name, tensor.dtype)))
    with ops.control_dependencies([c for c in checks if c is not None]):
        steps = basics.shape(sequence_input)[1]
        tiled = engine.tile(engine.expand_dims(context_input, 1), engine.concat([[1], [steps], [1]], 0))
    return engine.concat([sequence_input, tiled], 2)
