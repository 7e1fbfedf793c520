"""tensorflow.python.saved_model.nested_structure_coder: nested Python values, shapes and types as StructuredValue messages, which SavedModels hold."""

import collections

from .. import dtypes, protos
from ..data.optional import OptionalSpec
from ..data.structure import DatasetSpec, SparseTensorSpec
from ..ragged.spec import RaggedTensorSpec
from ..tensor_shape import TensorShape
from ..tensor_spec import IndexedSlicesSpec, TensorSpec


class NotEncodableError(Exception):
    """A value has no StructuredValue."""


# TypeSpecProto's numbers of classes; those of tensor arrays, iterators and values per replica have none here.
_SPECS = {1: SparseTensorSpec, 2: IndexedSlicesSpec, 3: RaggedTensorSpec, 5: DatasetSpec, 7: OptionalSpec}
_NUMBERS = {cls: number for number, cls in _SPECS.items()}


def is_named_tuple(value):
    fields = getattr(value, "_fields", None)
    return isinstance(value, tuple) and isinstance(fields, collections.abc.Sequence) and all(isinstance(f, str) for f in fields)


def _encode_named_tuple(out, value, encode):
    out.named_tuple_value.name = type(value).__name__
    for key in value._fields:
        encode(getattr(value, key), out.named_tuple_value.values.add(key=key).value)


def _encode_tensor_spec(out, value, encode):
    spec = out.tensor_spec_value
    spec.SetInParent()
    spec.shape.CopyFrom(value.shape.as_proto())
    spec.dtype = value.dtype.as_datatype_enum
    if value.name:
        spec.name = value.name


def _encode_type_spec(out, value, encode):
    spec = out.type_spec_value
    spec.type_spec_class, spec.type_spec_class_name = _NUMBERS[type(value)], type(value).__name__
    encode(value._serialize(), spec.type_state)


def _encode_into(field):
    """An encoder of lists and tuples."""
    def encoder(out, value, encode):
        part = getattr(out, field)
        part.SetInParent()
        for item in value:
            encode(item, part.values.add())
    return encoder


def _encode_dict(out, value, encode):
    out.dict_value.SetInParent()
    for key, item in value.items():
        encode(item, out.dict_value.fields[key])


def _setter(field, convert=lambda value: value):
    return lambda out, value, encode: setattr(out, field, convert(value))


# (whether a value is of this kind, encode(message, value, function for its parts)), the first that fits counts.
_ENCODERS = [
    (lambda v: isinstance(v, list), _encode_into("list_value")),
    (is_named_tuple, _encode_named_tuple),
    (lambda v: isinstance(v, tuple), _encode_into("tuple_value")),
    (lambda v: isinstance(v, dict), _encode_dict),
    (lambda v: isinstance(v, float), _setter("float64_value")),
    (lambda v: isinstance(v, bool), _setter("bool_value")),
    (lambda v: isinstance(v, int), _setter("int64_value")),
    (lambda v: isinstance(v, str), _setter("string_value")),
    (lambda v: v is None, lambda out, value, encode: out.none_value.SetInParent()),
    (lambda v: isinstance(v, TensorShape), lambda out, value, encode: out.tensor_shape_value.CopyFrom(value.as_proto())),
    (lambda v: isinstance(v, dtypes.DType), _setter("tensor_dtype_value", lambda dtype: dtype.as_datatype_enum)),
    (lambda v: isinstance(v, TensorSpec), _encode_tensor_spec),
    (lambda v: type(v) in _NUMBERS, _encode_type_spec),
]


def _decode_named_tuple(pairs, decode):
    items = [(pair.key, decode(pair.value)) for pair in pairs.values]
    return collections.namedtuple(pairs.name, [key for key, _ in items])(**dict(items))


def _decode_type_spec(spec, decode):
    if spec.type_spec_class not in _SPECS:
        raise ValueError("The type '%s' is not supported by this version of TensorFlow. (The object you are loading must have been created with a newer version of TensorFlow.)"
                         % spec.type_spec_class_name)
    return _SPECS[spec.type_spec_class]._deserialize(decode(spec.type_state))


_DECODERS = {
    "list_value": lambda v, decode: [decode(item) for item in v.values],
    "tuple_value": lambda v, decode: tuple(decode(item) for item in v.values),
    "dict_value": lambda v, decode: {key: decode(item) for key, item in v.fields.items()},
    "named_tuple_value": _decode_named_tuple,
    "float64_value": lambda v, decode: v, "int64_value": lambda v, decode: int(v), "string_value": lambda v, decode: str(v), "bool_value": lambda v, decode: v,
    "none_value": lambda v, decode: None,
    "tensor_shape_value": lambda v, decode: TensorShape(v),
    "tensor_dtype_value": lambda v, decode: dtypes.as_dtype(v),
    "tensor_spec_value": lambda v, decode: TensorSpec(TensorShape(v.shape), dtypes.as_dtype(v.dtype), v.name or None),
    "type_spec_value": _decode_type_spec,
}


class StructureCoder:
    """Encodes lists, tuples, named tuples, dictionaries, numbers, text, None, shapes, dtypes and type specs. A decoded named tuple has a class of its own."""

    def _encode(self, value, out):
        for fits, encode in _ENCODERS:
            if fits(value):
                encode(out, value, self._encode)
                return out
        raise NotEncodableError("No encoder for object [%s] of type [%s]." % (value, type(value)))

    def encode_structure(self, nested_structure):
        return self._encode(nested_structure, protos.StructuredValue())

    def can_encode(self, nested_structure):
        try:
            self.encode_structure(nested_structure)
        except NotEncodableError:
            return False
        return True

    def decode_proto(self, proto):
        kind = proto.WhichOneof("kind")
        if kind not in _DECODERS:
            raise NotEncodableError("No encoder for object [%s] of type [%s]." % (proto, type(proto)))
        return _DECODERS[kind](getattr(proto, kind), self.decode_proto)
