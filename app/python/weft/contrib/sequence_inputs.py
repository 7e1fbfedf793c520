"""tf.contrib.feature_column: sequence features as one tensor."""

from .. import basics, dtypes, engine, ops
from ..exports import export, export_value, names
from ..feature_column import sequences
from ..feature_column.columns import FeatureCache
from ..feature_column.inputs import checked
from ..variable_scope import variable_scope

for _name in ("sequence_categorical_column_with_identity", "sequence_categorical_column_with_hash_bucket", "sequence_categorical_column_with_vocabulary_file",
              "sequence_categorical_column_with_vocabulary_list", "sequence_numeric_column"):
    export_value(names["feature_column." + _name], "contrib.feature_column." + _name)


def _same(lengths):
    """The first of the lengths; the run fails if another differs."""
    with ops.name_scope(None, "assert_all_equal", values=lengths):
        if len(lengths) == 1:
            return lengths[0]
        with ops.control_dependencies([engine.assert_equal(lengths[0], n) for n in lengths[1:]]):
            return engine.identity(lengths[0])


@export("contrib.feature_column.sequence_input_layer")
def sequence_input_layer(features, feature_columns, weight_collections=None, trainable=True):
    """(Values of sequence columns: [batch, steps, values], the number of steps of each row)"""
    columns = checked(feature_columns)
    with variable_scope(None, default_name="sequence_input_layer", values=list(features.values())):
        cache, outputs, lengths = FeatureCache(features), [], []
        for column in columns:
            with variable_scope(None, default_name=column.var_scope_name):
                dense, length = sequences.steps_of(column, cache, weight_collections, trainable)
                shape = basics.shape(dense)
                outputs.append(engine.reshape(dense, shape=[shape[0], shape[1], column.variable_shape.num_elements()]))
                lengths.append(length)
        return engine.concat(outputs, -1), _same(lengths)


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
