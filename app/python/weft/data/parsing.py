"""Parses Examples and SequenceExamples into tensors, by feature specs."""

import collections
import re

from .. import basics, dtypes, engine, ops
from ..control_flow import Assert
from ..exports import export, export_value
from ..platform import tf_logging as logging
from ..sparse_tensor import convert_to_tensor_or_sparse_tensor, SparseTensor, SparseTensorValue
from ..tensor_shape import as_shape

VarLenFeature = export_value(collections.namedtuple("VarLenFeature", ["dtype"]), "VarLenFeature", "io.VarLenFeature")
SparseFeature = export_value(collections.namedtuple("SparseFeature", ["index_key", "value_key", "dtype", "size", "already_sorted"], defaults=(False,)),
                             "SparseFeature", "io.SparseFeature")
FixedLenFeature = export_value(collections.namedtuple("FixedLenFeature", ["shape", "dtype", "default_value"], defaults=(None,)), "FixedLenFeature", "io.FixedLenFeature")
FixedLenSequenceFeature = export_value(
    collections.namedtuple("FixedLenSequenceFeature", ["shape", "dtype", "allow_missing", "default_value"], defaults=(False, None)),
    "FixedLenSequenceFeature", "io.FixedLenSequenceFeature")


class _Plan:
    """Features sorted by key, in the form that the ops take."""

    def __init__(self, features, kinds):
        self.sparse_keys, self.sparse_types = [], []
        self.dense_keys, self.dense_types, self.dense_shapes = [], [], []
        self.defaults = {}
        for key in sorted(features or ()):
            feature = features[key]
            kind = type(feature)
            if kind not in (VarLenFeature, SparseFeature, FixedLenFeature, FixedLenSequenceFeature):
                raise ValueError("Invalid feature %s:%s." % (key, feature))
            if kind not in kinds:
                raise ValueError("Unsupported %s %s." % (kind.__name__, feature))
            if kind is SparseFeature:
                self._add_sparse_feature(key, feature)
                continue
            if not feature.dtype:
                raise ValueError("Missing type for feature %s." % key)
            if kind is VarLenFeature:
                self.sparse_keys.append(key)
                self.sparse_types.append(dtypes.as_dtype(feature.dtype))
                continue
            if feature.shape is None:
                raise ValueError("Missing shape for feature %s." % key)
            if kind is FixedLenFeature:
                self._check_shape(key, feature)
            elif feature.allow_missing:
                self.defaults[key] = None
            self.dense_keys.append(key)
            self.dense_shapes.append(feature.shape)
            self.dense_types.append(dtypes.as_dtype(feature.dtype))
            if feature.default_value is not None:
                self.defaults[key] = feature.default_value
        if not self.sparse_keys and not self.dense_keys:
            return
        both = set(self.dense_keys) & set(self.sparse_keys)
        if both:
            raise ValueError("Dense and sparse keys must not intersect; intersection: %s" % both)

    def _add_sparse_feature(self, key, feature):
        for field in ("index_key", "value_key"):
            if not getattr(feature, field):
                raise ValueError("Missing %s for SparseFeature %s." % (field, feature))
        if not feature.dtype:
            raise ValueError("Missing type for feature %s." % key)
        index_keys = [feature.index_key] if isinstance(feature.index_key, str) else feature.index_key
        if len(index_keys) > 1:
            logging.warning("SparseFeature is a complicated feature config and should only be used after careful consideration of VarLenFeature.")
        for index_key in sorted(index_keys):
            self._add_part(index_key, dtypes.int64, "Conflicting type %s vs int64 for feature %s." % ("%s", index_key))
        self._add_part(feature.value_key, dtypes.as_dtype(feature.dtype), "Conflicting type %s vs %s for feature %s." % ("%s", feature.dtype, feature.value_key))

    def _add_part(self, key, dtype, refusal):
        if key in self.sparse_keys:
            there = self.sparse_types[self.sparse_keys.index(key)]
            if there != dtype:
                raise ValueError(refusal % there)
            return
        self.sparse_keys.append(key)
        self.sparse_types.append(dtype)

    @staticmethod
    def _check_shape(key, feature):
        shape = as_shape(feature.shape)
        if feature.shape and shape.ndims and shape.as_list()[0] is None:
            raise ValueError("First dimension of shape for feature %s unknown. Consider using FixedLenSequenceFeature." % key)
        if not shape.is_fully_defined():
            raise ValueError("All dimensions of shape for feature %s need to be known but received %s." % (key, feature.shape))

    def default_tensors(self, variable_lengths=True, reshape=True):
        """A default value for each dense feature; an empty one means that the feature is required."""
        return [self._default(key, dtype, as_shape(shape), variable_lengths, reshape)
                for key, dtype, shape in zip(self.dense_keys, self.dense_types, self.dense_shapes)]

    def _default(self, key, dtype, shape, variable_lengths, reshape):
        value = self.defaults.get(key)
        if variable_lengths and shape.ndims and shape.as_list()[0] is None:
            if value is None:
                return ops.convert_to_tensor("" if dtype == dtypes.string else 0, dtype=dtype)
            return engine.reshape(ops.convert_to_tensor(value, dtype=dtype, name="padding_" + _safe(key)), [])
        if value is None:
            return ops.constant([], dtype=dtype)
        if isinstance(value, ops.Tensor):
            return value
        value = ops.convert_to_tensor(value, dtype=dtype, name="key_" + _safe(key))
        return engine.reshape(value, shape) if reshape else value


def _safe(key):
    return re.sub("[^A-Za-z0-9_.\\-/]", "_", key)


def _sparse(indices, values, shapes):
    return [SparseTensor(i, v, s) for i, v, s in zip(indices, values, shapes)]


def _merged(features, found):
    """Builds sparse features from their parts, and drops features that were only such parts."""
    found = dict(found)
    for key in sorted(features):
        feature = features[key]
        if isinstance(feature, SparseFeature):
            ids = found[feature.index_key] if isinstance(feature.index_key, str) else [found[k] for k in feature.index_key]
            found[key] = sparse_merge(ids, found[feature.value_key], vocab_size=feature.size, already_sorted=feature.already_sorted)
    return {key: value for key, value in found.items() if key in features}


def _with_lengths(features):
    """Adds the length dimension to the specs of sequence features."""
    out = dict(features)
    for key, feature in features.items():
        if isinstance(feature, FixedLenSequenceFeature):
            if not feature.allow_missing:
                raise ValueError("Unsupported: FixedLenSequenceFeature requires allow_missing to be True.")
            out[key] = feature._replace(shape=[None] + list(feature.shape))
    return out


_ALL = (VarLenFeature, SparseFeature, FixedLenFeature, FixedLenSequenceFeature)


def _parse_batch(serialized, names, plan, name):
    with ops.name_scope(name, "ParseExample", [serialized, names]):
        defaults = plan.default_tensors()
        indices, values, shapes, dense = engine.raw_ops.ParseExample(
            serialized=serialized, names=[] if names is None else names, sparse_keys=plan.sparse_keys, dense_keys=plan.dense_keys, dense_defaults=defaults,
            sparse_types=plan.sparse_types, dense_shapes=[as_shape(s) for s in plan.dense_shapes], name=name)
        return dict(zip(plan.sparse_keys + plan.dense_keys, _sparse(indices, values, shapes) + list(dense)))


@export("parse_example", "io.parse_example")
def parse_example(serialized, features, name=None, example_names=None):
    """Serialized Examples (a vector) as a dict of tensors and SparseTensors."""
    if not features:
        raise ValueError("Missing: features was %s." % features)
    features = _with_lengths(features)
    return _merged(features, _parse_batch(serialized, example_names, _Plan(features, _ALL), name))


@export("parse_single_example", "io.parse_single_example")
def parse_single_example(serialized, features, name=None, example_names=None):
    """One serialized Example as a dict of tensors and SparseTensors."""
    if not features:
        raise ValueError("Missing features.")
    features = _with_lengths(features)
    plan = _Plan(features, _ALL)
    if example_names is not None:
        return _merged(features, _parse_named(serialized, example_names, plan, name))
    with ops.name_scope(name, "ParseSingleExample", [serialized]):
        serialized = ops.convert_to_tensor(serialized, name="serialized")
        defaults = plan.default_tensors()
        indices, values, shapes, dense = engine.raw_ops.ParseSingleExample(
            serialized=serialized, dense_defaults=defaults, num_sparse=len(plan.sparse_keys), sparse_keys=plan.sparse_keys, sparse_types=plan.sparse_types,
            dense_keys=plan.dense_keys, dense_shapes=[as_shape(s) for s in plan.dense_shapes], name=name)
        found = dict(zip(plan.sparse_keys + plan.dense_keys, _sparse(indices, values, shapes) + list(dense)))
    return _merged(features, found)


def _one(value, what):
    """A scalar as a vector of one element."""
    shape = value.get_shape()
    if shape.ndims is None:
        title = what.capitalize()
        check = Assert(engine.equal(basics.rank(value), 0), ["Input %s must be a scalar" % what], name="%sIsScalar" % title)
        with ops.control_dependencies([check]):
            value = engine.identity(value, name="%sDependencies" % title)
    elif shape.ndims != 0:
        raise ValueError("Input %s must be a scalar" % what)
    return engine.expand_dims(value, 0)


def _parse_named(serialized, names, plan, name):
    with ops.name_scope(name, "ParseSingleExample", [serialized, names]):
        serialized = _one(ops.convert_to_tensor(serialized), "serialized")
        found = _parse_batch(serialized, _one(ops.convert_to_tensor(names), "names"), plan, name)
        for key in plan.dense_keys:
            found[key] = engine.squeeze(found[key], [0], name="Squeeze_%s" % _safe(key))
        for key in plan.sparse_keys:
            indices = engine.slice(found[key].indices, [0, 1], [-1, -1], name="Slice_Indices_%s" % _safe(key))
            shape = engine.slice(found[key].dense_shape, [1], [-1], name="Squeeze_Shape_%s" % _safe(key))
            found[key] = SparseTensor(indices, found[key].values, shape)
        return found


def _sequence_plans(context_features, sequence_features):
    if not (context_features or sequence_features):
        raise ValueError("Missing features.")
    context, lists = _Plan(context_features, (VarLenFeature, FixedLenFeature)), _Plan(sequence_features, (VarLenFeature, FixedLenSequenceFeature))
    for key, value in lists.defaults.items():
        if value is not None:
            raise ValueError("Value feature_list_dense_defaults[%s] must be None" % key)
    arguments = {"context_sparse_keys": context.sparse_keys, "context_sparse_types": context.sparse_types, "context_dense_keys": context.dense_keys,
                 "context_dense_shapes": [as_shape(s) for s in context.dense_shapes], "feature_list_sparse_keys": lists.sparse_keys,
                 "feature_list_sparse_types": lists.sparse_types, "feature_list_dense_keys": lists.dense_keys, "feature_list_dense_types": lists.dense_types,
                 "feature_list_dense_shapes": [as_shape(s) for s in lists.dense_shapes], "feature_list_dense_missing_assumed_empty": list(lists.defaults)}
    return context, lists, arguments


def _sequence_results(context, lists, found):
    return (dict(zip(context.sparse_keys + context.dense_keys, _sparse(*found[0:3]) + list(found[3]))),
            dict(zip(lists.sparse_keys + lists.dense_keys, _sparse(*found[4:7]) + list(found[7]))))


@export("parse_single_sequence_example", "io.parse_single_sequence_example")
def parse_single_sequence_example(serialized, context_features=None, sequence_features=None, example_name=None, name=None):
    """One serialized SequenceExample as (context dict, feature list dict)."""
    context, lists, arguments = _sequence_plans(context_features, sequence_features)
    with ops.name_scope(name, "ParseSingleSequenceExample", [serialized]):
        defaults = context.default_tensors(variable_lengths=False)
        found = _call("ParseSingleSequenceExample", dict(arguments, serialized=serialized, debug_name="" if example_name is None else example_name,
                                                        context_dense_defaults=defaults), name)
        return _sequence_results(context, lists, found)


@export("io.parse_sequence_example")
def parse_sequence_example(serialized, context_features=None, sequence_features=None, example_names=None, name=None):
    """Serialized SequenceExamples as (context dict, feature list dict, dict of list lengths)."""
    context, lists, arguments = _sequence_plans(context_features, sequence_features)
    with ops.name_scope(name, "ParseSequenceExample", [serialized]):
        defaults = context.default_tensors(variable_lengths=False, reshape=False)
        found = _call("ParseSequenceExample", dict(
            arguments, serialized=serialized, debug_name=[] if example_names is None else example_names, context_dense_defaults=defaults,
            Ncontext_sparse=len(context.sparse_keys), Ncontext_dense=len(context.dense_keys), Nfeature_list_sparse=len(lists.sparse_keys),
            Nfeature_list_dense=len(lists.dense_keys)), name)
        return _sequence_results(context, lists, found) + (dict(zip(lists.dense_keys, found[8])),)



def _call(op, arguments, name):
    """Calls an op with those of the arguments that it has: keys are inputs of one op and attributes of the other."""
    function = getattr(engine.raw_ops, op)
    names = function.__code__.co_varnames[:function.__code__.co_argcount]
    return function(name=name, **{k: v for k, v in arguments.items() if k in names})


@export("decode_raw", "io.decode_raw")
def decode_raw(input_bytes=None, out_type=None, little_endian=True, name=None, bytes=None):
    """Strings reinterpreted as vectors of numbers, byte for byte."""
    if bytes is not None:
        if input_bytes is not None:
            raise ValueError("Cannot specify both 'bytes' and 'input_bytes'")
        input_bytes = bytes
    if out_type is None:
        raise ValueError("decode_raw_v1() missing 1 positional argument: 'out_type'")
    return engine.raw_ops.DecodeRaw(bytes=input_bytes, out_type=out_type, little_endian=little_endian, name=name)


@export("decode_csv", "io.decode_csv")
def decode_csv(records, record_defaults, field_delim=",", use_quote_delim=True, name=None, na_value="", select_cols=None):
    """The columns of CSV lines; the defaults give their types."""
    if select_cols is not None:
        if any(a >= b for a, b in zip(select_cols, select_cols[1:])):
            raise ValueError("select_cols is not strictly increasing.")
        if select_cols[0] < 0:
            raise ValueError("select_cols contains negative values.")
        if len(select_cols) != len(record_defaults):
            raise ValueError("Length of select_cols and record_defaults do not match.")
    return engine.raw_ops.DecodeCSV(records=records, record_defaults=record_defaults, field_delim=field_delim, use_quote_delim=use_quote_delim, na_value=na_value,
                                    select_cols=select_cols, name=name)


def _is_size(value):
    return isinstance(value, (ops.Tensor, int)) and not isinstance(value, bool)


@export("sparse_merge", "sparse.merge")
def sparse_merge(sp_ids, sp_values, vocab_size, name=None, already_sorted=False):
    """A sparse tensor of `sp_values` in which the values of `sp_ids` replace the last index."""
    if isinstance(sp_ids, (SparseTensorValue, SparseTensor)):
        if not _is_size(vocab_size):
            raise TypeError("vocab_size has to be a Tensor or Python int. Found %s" % type(vocab_size))
        sp_ids, vocab_size = [sp_ids], [vocab_size]
    else:
        for given, words in ((sp_ids, "sp_ids has to be a SparseTensor or list thereof. Found %s"), (vocab_size, "vocab_size has to be a list of Tensors or Python ints. Found %s")):
            if not isinstance(given, collections.abc.Iterable):
                raise TypeError(words % type(given))
        for size in vocab_size:
            if not _is_size(size):
                raise TypeError("vocab_size has to be a list of Tensors or Python ints. Found %s" % type(size))
    if len(sp_ids) != len(vocab_size):
        raise ValueError("sp_ids and vocab_size have to have equal lengths.")
    with ops.name_scope(name, "SparseMerge", [sp_ids, sp_values]):
        sp_ids = [convert_to_tensor_or_sparse_tensor(i) for i in sp_ids]
        sp_values = convert_to_tensor_or_sparse_tensor(sp_values)
        columns = []
        for ids in sp_ids:
            column = ids.values if ids.dtype == dtypes.int64 else basics.cast(ids.values, dtypes.int64)
            columns.append(engine.expand_dims(column, axis=1))
        sizes = [basics.cast(size, dtypes.int64) for size in vocab_size]
        indices = engine.concat([sp_ids[0].indices[:, :-1]] + columns, 1)
        shape = engine.concat([sp_ids[0].dense_shape[:-1], sizes], 0)
        result = SparseTensor(indices, sp_values.values, shape)
        if already_sorted:
            return result
        ordered = engine.sparse_reorder(result)
        return SparseTensor(ordered.indices, ordered.values, shape)
