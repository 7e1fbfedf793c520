"""tf.contrib.feature_column: sequence features as one tensor."""

from .. import basics, dtypes, engine
from ..exports import export
from ..feature_column import old_columns
from ..feature_column.column_base import _LazyBuilder, _SequenceDenseColumn
from ..feature_column.inputs import _normalize_feature_columns
from ..feature_column.sequences import same_lengths, sequence_arguments, _SequenceNumericColumn
from ..variable_scope import variable_scope


def _named(kind):
    make = getattr(old_columns, "_categorical_column_with_" + kind)

    def function(*args, **kwargs):
        return old_columns._SequenceCategoricalColumn(make(*args, **kwargs))

    function.__name__ = "sequence_categorical_column_with_" + kind
    function.__doc__ = "Ids for each step, as tf.feature_column.%s." % function.__name__
    export("contrib.feature_column." + function.__name__)(function)


for _kind in ("identity", "hash_bucket", "vocabulary_file", "vocabulary_list"):
    _named(_kind)
del _kind


@export("contrib.feature_column.sequence_numeric_column")
def sequence_numeric_column(key, shape=(1,), default_value=0., dtype=dtypes.float32, normalizer_fn=None):
    """Numbers for each step."""
    return _SequenceNumericColumn(*sequence_arguments(key, shape, default_value, dtype, normalizer_fn))


@export("contrib.feature_column.sequence_input_layer")
def sequence_input_layer(features, feature_columns, weight_collections=None, trainable=True):
    """(Values of sequence columns: [batch, steps, values], the number of steps of each row)"""
    columns = _normalize_feature_columns(feature_columns)
    for column in columns:
        if not isinstance(column, _SequenceDenseColumn):
            raise ValueError("All feature_columns must be of type _SequenceDenseColumn. You can wrap a sequence_categorical_column with an embedding_column or indicator_column. "
                             "Given (type {}): {}".format(type(column), column))
    with variable_scope(None, default_name="sequence_input_layer", values=list(features.values())):
        builder, outputs, lengths = _LazyBuilder(features), [], []
        for column in columns:
            with variable_scope(None, default_name=column._var_scope_name):
                dense, length = column._get_sequence_dense_tensor(builder, weight_collections=weight_collections, trainable=trainable)
                shape = basics.shape(dense)
                outputs.append(engine.reshape(dense, shape=[shape[0], shape[1], column._variable_shape.num_elements()]))
                lengths.append(length)
        return engine.concat(outputs, -1), same_lengths(lengths)
