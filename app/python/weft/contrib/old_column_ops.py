"""tf.contrib.layers: functions of the old feature columns: network inputs, linear models, parsing."""

from .. import dtypes, engine, initializers
from ..data import parsing
from ..data.parsing import FixedLenSequenceFeature, VarLenFeature
from ..data.sparse_functions import sparse_placeholder
from ..feature_column.embedding import safe_embedding_lookup_sparse
from ..ops import GraphKeys
from ..platform import tf_logging as logging
from ..sparse_tensor import SparseTensor
from ..variable_scope import variable_scope
from .old_columns import EmbeddingColumn, OldColumn, OneHotColumn, WeightedSparseColumn, inner_flatten, layer, parts_of, restore
from .old_number_columns import BucketizedColumn, CrossedColumn, RealValuedColumn, real_valued_column
from .variables import model_variable


@layer("check_feature_columns")
def check_feature_columns(feature_columns):
    """ValueError if two columns are the same."""
    if isinstance(feature_columns, dict):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    seen = set()
    for column in feature_columns:
        if column.key in seen:
            raise ValueError("Duplicate feature column key found for column: {}. This usually means that the column is almost identical to another column, and one must be discarded."
                             .format(column.name))
        seen.add(column.key)


class _Transformed:
    """The feature tensors that columns read; caches the results of columns."""

    def __init__(self, tensors):
        self.tensors = tensors

    def get(self, key):
        if key not in self.tensors:
            if isinstance(key, str):
                raise ValueError("features dictionary doesn't contain key ({})".format(key))
            if not isinstance(key, OldColumn):
                raise TypeError('"key" must be either a "str" or "_FeatureColumn". Provided: {}'.format(key))
            self.tensors[key] = key.transform(self)
        return self.tensors[key]


def _in_order(feature_columns):
    return sorted(set(feature_columns), key=lambda c: c.key)


def _with_rank(tensor, name, rank):
    if isinstance(tensor, tuple):
        return tuple(_with_rank(t, name, rank) for t in tensor)
    sparse = isinstance(tensor, SparseTensor)
    have = tensor.get_shape().ndims
    if have is None and sparse:
        have = tensor.dense_shape.get_shape().as_list()[0]
    if have is None:
        raise ValueError("Error while processing column {}. Rank of input Tensor can not be None.".format(name))
    if rank > have + 1:
        raise ValueError("Error while processing column {}. Rank of input Tensor ({}) should be the same as output_rank ({}). For example, sequence data should typically be 3 "
                         "dimensional (rank 3) while non-sequence data is typically 2 dimensional (rank 2).".format(name, have, rank))
    if rank == have + 1:
        return engine.sparse_reshape(tensor, engine.concat([tensor.dense_shape, [1]], 0)) if sparse else engine.expand_dims(tensor, -1)
    return inner_flatten(tensor, rank) if rank < have else tensor


def _with_global(collections):
    return list(dict.fromkeys(list(collections) + [GraphKeys.GLOBAL_VARIABLES])) if collections else collections


def _inputs(columns_to_tensors, feature_columns, weight_collections, trainable, scope, rank, default_name, cols_to_outs=None):
    tensors = columns_to_tensors.copy()
    check_feature_columns(feature_columns)
    if cols_to_outs is not None and not isinstance(cols_to_outs, dict):
        raise ValueError("cols_to_outs must be a dict unless None")
    with variable_scope(scope, default_name=default_name, values=list(tensors.values())):
        cache, outputs = _Transformed(tensors), []
        weight_collections = _with_global(weight_collections)
        for column in _in_order(feature_columns):
            with variable_scope(None, default_name=column.name, values=list(columns_to_tensors.values())):
                transformed = cache.get(column)
                if rank == 3:
                    transformed = _with_rank(transformed, column.name, rank)
                try:
                    outputs.append(column.deep(transformed, weight_collections, trainable, rank))
                except ValueError as e:
                    raise ValueError("Error creating input layer for column: {}.\n{}, No deep embedding lookup arguments for column {}.".format(column.name, e, column))
                if cols_to_outs is not None:
                    cols_to_outs[column] = outputs[-1]
        return engine.concat(outputs, rank - 1)


@layer("input_from_feature_columns")
def input_from_feature_columns(columns_to_tensors, feature_columns, weight_collections=None, trainable=True, scope=None, cols_to_outs=None):
    """The columns concatenated, as the input of a network."""
    return _inputs(columns_to_tensors, feature_columns, weight_collections, trainable, scope, 2, "input_from_feature_columns", cols_to_outs)


def _with_parents(columns):
    found = list(columns)
    for column in found:
        parents = ()
        if isinstance(column, (WeightedSparseColumn, OneHotColumn, EmbeddingColumn)):
            parents = (column.sparse_id_column,)
        elif isinstance(column, BucketizedColumn):
            parents = (column.source_column,)
        elif isinstance(column, CrossedColumn):
            parents = column.columns
        found += [p for p in parents if p not in found]
    return found


@layer("sequence_input_from_feature_columns")
def sequence_input_from_feature_columns(columns_to_tensors, feature_columns, weight_collections=None, trainable=True, scope=None):
    """The sequence columns concatenated: [batch, steps, values]."""
    for column in feature_columns:
        if not isinstance(column, (OneHotColumn, EmbeddingColumn, RealValuedColumn)):
            raise ValueError("FeatureColumn type {} is not currently supported for sequence data.".format(type(column).__name__))
    for column in _with_parents(feature_columns):
        if isinstance(column, (BucketizedColumn, CrossedColumn)):
            raise ValueError("Column {} is of type {}, which is not currently supported for sequences.".format(column.name, type(column).__name__))
    return _inputs(columns_to_tensors, feature_columns, weight_collections, trainable, scope, 3, "sequence_input_from_feature_columns")


def _looked_up(ids, weights, size, combiner, num_outputs, trainable, collections, name):
    table = model_variable(name="weights", shape=[size, num_outputs], dtype=dtypes.float32, initializer=initializers.zeros_initializer(), trainable=trainable, collections=collections)
    table = parts_of(table)
    return table, safe_embedding_lookup_sparse(table, ids, sparse_weights=weights, combiner=combiner, name=name)


def _bias(num_outputs, trainable, collections):
    return model_variable("bias_weight", shape=[num_outputs], initializer=initializers.zeros_initializer(), trainable=trainable, collections=_with_global(collections))


def _sum_of(column, transformed, columns_to_tensors, num_outputs, trainable, collections):
    """(Variables, the column's contribution to the sum)"""
    wide = column.wide(transformed)
    with variable_scope(None, default_name=column.name, values=list(columns_to_tensors.values())):
        if wide is not None:
            return _looked_up(*wide, num_outputs=num_outputs, trainable=trainable, collections=collections, name=column.name + "_weights")
        if isinstance(column, OneHotColumn):
            raise NotImplementedError("No dense tensor representation for column {}.".format(column))
        tensor = _with_rank(transformed, column.name, 2)
        weight = model_variable(name="weight", shape=[tensor.get_shape()[1], num_outputs], initializer=initializers.zeros_initializer(), trainable=trainable, collections=collections)
        return [weight], engine.matmul(tensor, weight, name="matmul")


@layer("weighted_sum_from_feature_columns")
def weighted_sum_from_feature_columns(columns_to_tensors, feature_columns, num_outputs, weight_collections=None, trainable=True, scope=None):
    """(Predictions of a linear model, its variables by column, its bias)"""
    tensors = columns_to_tensors.copy()
    check_feature_columns(feature_columns)
    with variable_scope(scope, default_name="weighted_sum_from_feature_columns", values=list(tensors.values())):
        cache, sums, variables = _Transformed(tensors), [], {}
        for column in _in_order(feature_columns):
            transformed = cache.get(column)
            try:
                variables[column], part = _sum_of(column, transformed, columns_to_tensors, num_outputs, trainable, weight_collections)
            except ValueError as e:
                raise ValueError("Error creating weighted sum for column: {}.\n{}".format(column.name, e))
            sums.append(engine.reshape(part, shape=(-1, num_outputs)))
            restore(column.checkpoint(), variables[column])
        total = engine.add_n(sums)
        bias = _bias(num_outputs, trainable, weight_collections)
        return engine.nn.bias_add(total, bias), variables, bias


@layer("joint_weighted_sum_from_feature_columns")
def joint_weighted_sum_from_feature_columns(columns_to_tensors, feature_columns, num_outputs, weight_collections=None, trainable=True, scope=None):
    """(Predictions of a linear model of ids, its single weight matrix, its bias)"""
    tensors = columns_to_tensors.copy()
    check_feature_columns(feature_columns)
    with variable_scope(scope, default_name="joint_weighted_sum_from_feature_columns", values=list(tensors.values())):
        cache, parts = _Transformed(tensors), []
        for column in _in_order(feature_columns):
            wide = column.wide(cache.get(column))
            if wide is None:
                raise NotImplementedError("Real-valued columns are not supported. Use weighted_sum_from_feature_columns instead, or bucketize these columns.")
            parts.append(wide)
        for wide in parts:
            assert wide.weights is None, "Joint sums for weighted sparse columns are not supported. Please use weighted_sum_from_feature_columns instead."
            assert wide.combiner == "sum", "Combiners other than sum are not supported for joint sums. Please use weighted_sum_from_feature_columns instead."
        assert parts, "At least one column must be in the model."
        size, moved = 0, []
        for wide in parts:
            values = wide.ids.values + size
            size += wide.size
            moved.append(SparseTensor(wide.ids.indices, values, wide.ids.dense_shape))
        joined = engine.sparse_concat(1, moved)
        with variable_scope(None, default_name="linear_weights", values=list(columns_to_tensors.values())):
            table, total = _looked_up(joined, None, size, "sum", num_outputs, trainable, weight_collections, "_weights")
        bias = _bias(num_outputs, trainable, weight_collections)
        return engine.nn.bias_add(total, bias), table, bias


def _config(column):
    if not isinstance(column, OldColumn):
        raise TypeError("feature_columns should only contain instances of _FeatureColumn. Given column is {}".format(column))
    return column.config


@layer("create_feature_spec_for_parsing")
def create_feature_spec_for_parsing(feature_columns):
    """The feature spec of the columns for tf.parse_example."""
    columns = feature_columns.values() if isinstance(feature_columns, dict) else feature_columns
    return {k: v for column in columns for k, v in _config(column).items()}


@layer("make_place_holder_tensors_for_base_features")
def make_place_holder_tensors_for_base_features(feature_columns):
    """Placeholders for the features that the columns read."""
    made = {}
    for name, feature in create_feature_spec_for_parsing(feature_columns).items():
        if isinstance(feature, VarLenFeature):
            made[name] = sparse_placeholder(feature.dtype, name="Placeholder_{}".format(name))
        else:
            made[name] = engine.placeholder(feature.dtype, shape=(None, feature.shape[0]), name="Placeholder_{}".format(name))
    return made


@layer("parse_feature_columns_from_examples")
def parse_feature_columns_from_examples(serialized, feature_columns, name=None, example_names=None):
    """Parses serialized records and applies the columns to the features."""
    check_feature_columns(feature_columns)
    tensors = parsing.parse_example(serialized=serialized, features=create_feature_spec_for_parsing(feature_columns), name=name, example_names=example_names)
    cache = _Transformed(tensors)
    for column in _in_order(feature_columns):
        cache.get(column)
    return tensors


@layer("transform_features")
def transform_features(features, feature_columns):
    """The transformed features by column."""
    check_feature_columns(feature_columns)
    cache = _Transformed(features.copy())
    for column in _in_order(feature_columns):
        cache.get(column)
    return {k: v for k, v in cache.tensors.items() if k in feature_columns}


def _sequence_spec(feature_columns):
    made = {}
    for key, feature in create_feature_spec_for_parsing(feature_columns).items():
        if isinstance(feature, VarLenFeature):
            made[key] = feature
            continue
        default = feature.default_value is not None
        if default:
            logging.warning('Found default value {} for feature "{}". Ignoring this value and setting `allow_missing=True` instead.'.format(feature.default_value, key))
        made[key] = FixedLenSequenceFeature(shape=feature.shape, dtype=feature.dtype, allow_missing=default)
    return made


@layer("parse_feature_columns_from_sequence_examples")
def parse_feature_columns_from_sequence_examples(serialized, context_feature_columns, sequence_feature_columns, name=None, example_name=None):
    """(Features of the context, of the steps) of one serialized SequenceExample."""
    try:
        serialized = engine.reshape(serialized, [])
    except ValueError as e:
        raise ValueError("serialized must contain as single sequence example. Batching must be done after parsing for sequence examples. Error: {}".format(e))
    context, sequence = context_feature_columns or [], sequence_feature_columns or []
    check_feature_columns(context)
    check_feature_columns(sequence)
    return parsing.parse_single_sequence_example(serialized, create_feature_spec_for_parsing(context), _sequence_spec(sequence), example_name, name)


def _inferred(name, tensor):
    if isinstance(tensor, SparseTensor):
        raise ValueError("SparseTensor is not supported for auto detection. Please define corresponding FeatureColumn for tensor {} {}.", name, tensor)
    if not (tensor.dtype.is_integer or tensor.dtype.is_floating):
        raise ValueError("Non integer or non floating types are not supported for auto detection. Please define corresponding FeatureColumn for tensor {} {}.", name, tensor)
    return real_valued_column(name, dimension=tensor.get_shape()[1:].num_elements(), dtype=tensor.dtype)


@layer("infer_real_valued_columns")
def infer_real_valued_columns(features):
    """A real-valued column for each feature."""
    if not isinstance(features, dict):
        return [_inferred("", features)]
    return [_inferred(key, value) for key, value in features.items()]
