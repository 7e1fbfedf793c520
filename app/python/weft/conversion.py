"""Conversion of Python values to tensors: registered conversion functions, constants, lists of tensors, slices."""

import numpy as np

from . import _weft, constants, dtypes, engine, tensor_shape
from .constant_values import constant_value, constant_value_as_shape  # noqa: F401 (re-exported)
from .context import get_default_graph
from .exports import export, export_value
from .graph_elements import IndexedSlices, Operation, Tensor
from .op_calls import raw
from .tensor_shape import TensorShape


# Conversion.
_conversions = []  # (priority, order, type, function)
_conversion_cache = {}


@export("register_tensor_conversion_function")
def register_tensor_conversion_function(base_type, conversion_func, priority=100):
    """Registers `conversion_func(value, dtype, name, as_ref)` for values of `base_type`; lower priorities are tried first."""
    if not callable(conversion_func):
        raise TypeError("conversion_func must be callable.")
    _conversions.append((priority, len(_conversions), base_type, conversion_func))
    _conversions.sort(key=lambda c: c[:2])
    _conversion_cache.clear()


def _functions_for(kind):
    found = _conversion_cache.get(kind)
    if found is None:
        found = _conversion_cache[kind] = [f for _, _, base, f in _conversions if issubclass(kind, base)]
    return found


def internal_convert_to_tensor(value, dtype=None, name=None, as_ref=False, preferred_dtype=None, ctx=None, accept_symbolic_tensors=True, accept_composite_tensors=False):
    if type(value) is Tensor:
        if dtype is not None and dtypes.as_dtype(dtype).base_dtype is not value.dtype.base_dtype:
            raise ValueError("Tensor conversion requested dtype %s for Tensor with dtype %s: %r" % (dtypes.as_dtype(dtype).name, value.dtype.name, str(value)))
        return value
    if getattr(value, "_is_eager", False):
        return _from_eager(value, dtype)
    if dtype is not None:
        dtype = dtypes.as_dtype(dtype)
    if preferred_dtype is not None:
        preferred_dtype = dtypes.as_dtype(preferred_dtype)
    for function in _functions_for(type(value)):
        result = None
        if dtype is None and preferred_dtype is not None:
            try:
                result = function(value, dtype=preferred_dtype, name=name, as_ref=as_ref)
            except (TypeError, ValueError):
                pass
        if result is None:
            result = function(value, dtype=dtype, name=name, as_ref=as_ref)
        if result is NotImplemented:
            continue
        if not isinstance(result, Tensor):
            raise RuntimeError("%sConversion function %r for type %s returned non-Tensor: %r" % (_prefix(name), function, type(value), result))
        if dtype is not None and not dtype.is_compatible_with(result.dtype):
            raise RuntimeError("%sConversion function %r for type %s returned incompatible dtype: requested = %s, actual = %s" %
                               (_prefix(name), function, type(value), dtype.name, result.dtype.name))
        return result
    raise TypeError("%sCannot convert %r with type %s to Tensor: no conversion function registered." % (_prefix(name), value, type(value)))


def _from_eager(value, dtype):
    """An EagerTensor as a tensor of the default graph."""
    if dtype is not None and dtypes.as_dtype(dtype).base_dtype is not value.dtype:
        raise ValueError("Tensor conversion requested dtype %s for Tensor with dtype %s: %r" % (dtypes.as_dtype(dtype).name, value.dtype.name, value))
    graph = get_default_graph()
    if graph._eager:
        return value
    if not graph.building_function:
        raise RuntimeError("Attempting to capture an EagerTensor without building a function.")
    return graph.capture(value)


def _prefix(name):
    return "" if name is None else "%s: " % name


@export("convert_to_tensor")
def convert_to_tensor(value, dtype=None, name=None, preferred_dtype=None, dtype_hint=None):
    """`value` as a tensor: tensors unchanged, variables by their value, everything else as a constant."""
    return internal_convert_to_tensor(value, dtype, name, False, dtype_hint if dtype_hint is not None else preferred_dtype)


def convert_n_to_tensor(values, dtype=None, name=None, preferred_dtype=None):
    return [internal_convert_to_tensor(v, dtype, None if name is None else "%s_%d" % (name, i), False, preferred_dtype) for i, v in enumerate(values)]


def internal_convert_n_to_tensor(values, dtype=None, name=None, as_ref=False, preferred_dtype=None, ctx=None):
    return [internal_convert_to_tensor(v, dtype, None if name is None else "%s_%d" % (name, i), as_ref, preferred_dtype) for i, v in enumerate(values)]


@export("convert_to_tensor_or_indexed_slices")
def convert_to_tensor_or_indexed_slices(value, dtype=None, name=None):
    if isinstance(value, IndexedSlices):
        if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(value.dtype):
            raise ValueError("Tensor conversion requested dtype %s for Tensor with dtype %s: %r" % (dtypes.as_dtype(dtype).name, value.dtype.name, str(value)))
        return value
    return internal_convert_to_tensor(value, dtype, name)


internal_convert_to_tensor_or_indexed_slices = convert_to_tensor_or_indexed_slices
convert_to_tensor_or_composite = convert_to_tensor_or_indexed_slices


def _convert_for_engine(value, dtype, name, as_ref, preferred, graph):
    if get_default_graph() is graph:
        tensor = internal_convert_to_tensor(value, dtype, name, as_ref, preferred)
        return graph.capture(tensor) if graph.building_function and tensor.graph is not graph else tensor
    with graph.as_default():
        return internal_convert_to_tensor(value, dtype, name, as_ref, preferred)


def _refuse_name():
    raise ValueError("'' is not a valid node name")


def constant(value, dtype=None, shape=None, name="Const", verify_shape=False):
    """A tensor with a value that never changes."""
    graph = get_default_graph()
    if graph._eager:
        return _constant_now(value, dtype, shape, verify_shape)
    return _weft.constant(graph._core, constants.value(value, dtype, shape, verify_shape), "Const" if name is None else name if name != "" else _refuse_name())


def _as_bytes(value):
    if isinstance(value, (list, tuple)):
        return [_as_bytes(v) for v in value]
    return value.encode() if isinstance(value, str) else value


def _constant_now(value, dtype, shape, verify_shape):
    """The constant as an EagerTensor."""
    core = get_default_graph()._core
    if getattr(value, "_is_eager", False):
        if dtype is not None and dtypes.as_dtype(dtype).base_dtype is not value.dtype:
            value = engine.cast(value, dtype)
        return value if shape is None else engine.reshape(value, shape)
    if value is None:
        raise ValueError("Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to a Tensor.")
    try:
        return _weft.constant(core, constants.value(value, dtype, shape, verify_shape), "Const")
    except OverflowError:
        raise ValueError("Can't convert Python sequence with out-of-range integer to Tensor.") from None
    except UnicodeDecodeError:  # bytes and texts side by side
        return _weft.constant(core, constants.value(_as_bytes(value), dtype, shape, verify_shape), "Const")
    except TypeError:
        if dtype is None:
            raise
        raise TypeError("Cannot convert %r to EagerTensor of dtype %s" % (value, dtypes.as_dtype(dtype).name)) from None


export_value(constant, "constant", "constant_v1")


def _from_constant(v, dtype=None, name=None, as_ref=False):
    return constant(v, dtype=dtype, name=name or "Const")


def _from_tensor(t, dtype=None, name=None, as_ref=False):
    if dtype is not None and not dtype.is_compatible_with(t.dtype):
        raise ValueError("Tensor conversion requested dtype %s for Tensor with dtype %s: %r" % (dtype.name, t.dtype.name, str(t)))
    return t


def _from_shape(s, dtype=None, name=None, as_ref=False):
    if not s.is_fully_defined():
        raise ValueError("Cannot convert a partially known TensorShape to a Tensor: %s" % s)
    values = s.as_list()
    if dtype is not None:
        if dtype not in (dtypes.int32, dtypes.int64):
            raise TypeError("Cannot convert a TensorShape to dtype: %s" % dtype)
        if dtype == dtypes.int32 and any(v >= 2 ** 31 for v in values):
            raise ValueError("Cannot convert a TensorShape to dtype int32; a dimension is too large (%s)" % max(values))
    else:
        dtype = dtypes.int64 if any(v >= 2 ** 31 for v in values) else dtypes.int32
    return constant(values, dtype=dtype, name=name or "shape_as_tensor")


def _from_dimension(d, dtype=None, name=None, as_ref=False):
    if d.value is None:
        raise ValueError("Cannot convert an unknown Dimension to a Tensor: %s" % d)
    if dtype is not None:
        if dtype not in (dtypes.int32, dtypes.int64):
            raise TypeError("Cannot convert a TensorShape to dtype: %s" % dtype)
    else:
        dtype = dtypes.int32
    return constant(d.value, dtype=dtype, name=name or "shape_as_tensor")


def _from_operation(op, dtype=None, name=None, as_ref=False):
    raise TypeError("Can't convert Operation '%s' to Tensor (target dtype=%r, name=%r, as_ref=%r)" % (op.name, dtype, name, as_ref))


_dense_tensor_like = []  # classes that a program registered


def is_dense_tensor_like(value):
    return isinstance(value, Tensor) or getattr(value, "_is_variable", False) or bool(_dense_tensor_like) and isinstance(value, tuple(_dense_tensor_like))


def _type_in_nested(value):
    for item in value:
        if is_dense_tensor_like(item):
            return item.dtype.base_dtype
        if isinstance(item, (list, tuple)):
            found = _type_in_nested(item)
            if found is not None:
                return found
    return None


def _pack(items, dtype, name):
    """A nested list that contains tensors as one tensor; lists without tensors stay lists."""
    graph = get_default_graph()
    packed = False
    converted = []
    with graph.name_scope(name) as scope:
        for i, item in enumerate(items):
            if is_dense_tensor_like(item):
                if dtype is not None and item.dtype.base_dtype != dtype:
                    raise TypeError("Cannot convert a list containing a tensor of dtype %s to %s (Tensor is: %r)" % (item.dtype, dtype, item))
                packed = True
            elif isinstance(item, (list, tuple)):
                item = _pack(item, dtype, str(i))
                packed = packed or isinstance(item, Tensor)
            converted.append(item)
        if not packed:
            return converted
        tensors = [item if is_dense_tensor_like(item) else constant(item, dtype=dtype, name=str(i)) for i, item in enumerate(converted)]
        return raw("Pack")(tensors, name=scope)


def _from_list(v, dtype=None, name=None, as_ref=False):
    if as_ref:
        return NotImplemented
    found = _type_in_nested(v)
    if found is None:
        return NotImplemented
    if dtype is None:
        dtype = found
    elif dtype != found:
        def cast(item):
            if isinstance(item, (list, tuple)):
                return [cast(i) for i in item]
            if is_dense_tensor_like(item) and item.dtype.base_dtype != dtype:
                return engine.cast(item, dtype)  # the same as basics.cast here, which this module may not import
            return item

        v = cast(v)
    return _pack(v, dtype, name or "packed")


def _from_slices(value, dtype=None, name=None, as_ref=False):
    if dtype is not None and not dtype.is_compatible_with(value.dtype):
        raise ValueError("Tensor conversion requested dtype %s for IndexedSlices with dtype %s" % (dtype.name, value.dtype.name))
    if value.dense_shape is None:
        raise ValueError("Tensor conversion requested for IndexedSlices without dense_shape: %s" % str(value))
    return engine.unsorted_segment_sum(value.values, value.indices, value.dense_shape[0], name=name)


register_tensor_conversion_function(Tensor, _from_tensor, 0)
register_tensor_conversion_function((list, tuple), _from_list, 99)
register_tensor_conversion_function((list, tuple), _from_constant, 100)
register_tensor_conversion_function((np.generic, np.ndarray), _from_constant, 100)
register_tensor_conversion_function(TensorShape, _from_shape, 100)
register_tensor_conversion_function(tensor_shape.Dimension, _from_dimension, 100)
register_tensor_conversion_function(Operation, _from_operation, 100)
register_tensor_conversion_function(IndexedSlices, _from_slices, 100)
register_tensor_conversion_function(object, _from_constant, 200)
