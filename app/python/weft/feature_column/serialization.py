"""tensorflow.python.feature_column.serialization: columns to configurations and back."""

import sys

from .. import dtypes
from ..keras.serialization import CustomObjectScope, deserialize_keras_object, serialize_keras_object
from ..layers import lookups
from . import column_base, columns, learned_columns, sequences
from .column_base import FeatureColumn

_CLASSES = {kind.__name__: kind for kind in (
    columns.BucketizedColumn, columns.CrossedColumn, learned_columns.EmbeddingColumn, columns.HashedCategoricalColumn, columns.IdentityCategoricalColumn,
    learned_columns.IndicatorColumn, columns.NumericColumn, learned_columns.SequenceCategoricalColumn, learned_columns.SharedEmbeddingColumn,
    columns.VocabularyFileCategoricalColumn, columns.VocabularyListCategoricalColumn, columns.WeightedCategoricalColumn, sequences.SequenceNumericColumn)}


def serialize_feature_column(fc):
    """The name of a feature as it is; a column as {"class_name", "config"}."""
    if isinstance(fc, str):
        return fc
    if not isinstance(fc, FeatureColumn):
        raise ValueError("Instance: {} is not a FeatureColumn".format(fc))
    return {"class_name": fc.__class__.__name__, "config": fc._get_config()}


def deserialize_feature_column(config, custom_objects=None, columns_by_name=None):
    """The column of a configuration. `columns_by_name` has those that exist, and gets this one."""
    if isinstance(config, str):
        return config
    columns_by_name = {} if columns_by_name is None else columns_by_name
    if not isinstance(config, dict) or "class_name" not in config or "config" not in config:
        raise ValueError("Improper config format: " + str(config))
    name = config["class_name"]
    kind = (custom_objects or {}).get(name) or lookups.CUSTOM.get(name) or _CLASSES.get(name)
    if kind is None:
        raise ValueError("Unknown feature_column_v2: " + name)
    if not issubclass(kind, FeatureColumn):
        raise ValueError("Expected FeatureColumn class, instead found: {}".format(kind))
    made = kind._from_config(config["config"], custom_objects=custom_objects, columns_by_name=columns_by_name)
    return columns_by_name.setdefault(_column_name_with_class_name(made), made)


def serialize_feature_columns(feature_columns):
    return [serialize_feature_column(fc) for fc in feature_columns]


def deserialize_feature_columns(configs, custom_objects=None):
    """The columns of several configurations; equal ones become the same column."""
    columns_by_name = {}
    return [deserialize_feature_column(c, custom_objects, columns_by_name) for c in configs]


def _column_name_with_class_name(fc):
    return fc.__class__.__name__ + ":" + fc.name


# The fields of a column that are not written as they are: (to a configuration, from it).
def _initializer(config, custom_objects, _):
    own = (custom_objects or {}).get(config) if isinstance(config, str) else None
    if own is not None and not isinstance(own, type):
        return own
    with CustomObjectScope(custom_objects or {}):
        return lookups.initializer(config)


_FIELDS = {
    "categorical_column": (serialize_feature_column, deserialize_feature_column),
    "source_column": (serialize_feature_column, deserialize_feature_column),
    "keys": (lambda keys: tuple(serialize_feature_column(k) for k in keys), lambda keys, custom, known: tuple(deserialize_feature_column(k, custom, known) for k in keys)),
    "dtype": (lambda dtype: dtype.name, lambda name, *_: dtypes.as_dtype(name)),
    "normalizer_fn": (serialize_keras_object, lambda name, custom, _: deserialize_keras_object(name, custom_objects=custom)),
    "initializer": (serialize_keras_object, _initializer),
}


def config_of(column):
    """The fields of a column, so that json can write them."""
    return {name: _FIELDS[name][0](value) if name in _FIELDS else value for name, value in zip(column._fields, column)}


def arguments_of(cls, config, custom_objects, columns_by_name):
    """The fields of a column of a class from a configuration."""
    if set(config) != set(cls._fields):
        raise ValueError("Invalid config: {}, expected keys: {}".format(config, cls._fields))
    plain = {name: tuple(value) if isinstance(value, list) else value for name, value in config.items()}
    return {name: _FIELDS[name][1](value, custom_objects, columns_by_name) if name in _FIELDS else value for name, value in plain.items()}


column_base.configurations = sys.modules[__name__]
