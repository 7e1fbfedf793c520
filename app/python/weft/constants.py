"""Converts Python values to arrays of the engine's types, by TensorFlow's rules for types and shapes."""

import numbers

import numpy as np

from . import _weft, dtypes
from .tensor_shape import Dimension, TensorShape

_INTEGERS = (numbers.Integral, np.integer, Dimension)
_REALS = (numbers.Real, np.integer, np.floating)
_COMPLEX = (numbers.Complex, np.number)
_TEXTS = (bytes, str)


def _kinds(dtype):
    if dtype.base_dtype is dtypes.bool_:
        return (bool, np.bool_)
    if dtype.is_floating:
        return _REALS
    if dtype.is_integer or dtype.is_quantized:
        return _INTEGERS
    if dtype.is_complex:
        return _COMPLEX
    return _TEXTS if dtype.base_dtype is dtypes.string else None


def _mismatch(value, kinds):
    """A 1-tuple of the first element that is not an instance of `kinds`; None if all are."""
    if isinstance(value, (list, tuple)):
        for item in value:
            found = _mismatch(item, kinds)
            if found is not None:
                return found
        return None
    if isinstance(value, np.ndarray):
        return None
    return None if isinstance(value, kinds) else (value,)


def _check_kinds(values, dtype):
    if dtype is None:
        if _has_tensor(values):
            raise TypeError("List of Tensors when single Tensor expected")
        return
    if dtype.is_quantized:
        wrong = _outside_of_tuples(values)
        if wrong is not None:
            raise TypeError("Expected %s, got %s of type '%s' instead." % (dtype.name, repr(wrong), type(wrong).__name__))
        return
    kinds = _kinds(dtype)
    wrong = _mismatch(values, kinds) if kinds else None
    if wrong is not None:
        raise TypeError("Expected %s, got %s of type '%s' instead." % (dtype.name, repr(wrong[0]), type(wrong[0]).__name__))


def _outside_of_tuples(value):
    """The first element that is not a quantized number (a tuple of one number), or None."""
    if not isinstance(value, (list, tuple)):
        return value
    inner = [v for v in value if isinstance(v, (list, tuple))]
    if not inner:
        return None if isinstance(value, tuple) or not value else value[0]
    return next((found for found in map(_outside_of_tuples, value) if found is not None), None)


def _has_tensor(value):
    if isinstance(value, (list, tuple)):
        return any(_has_tensor(v) for v in value)
    return getattr(value, "_is_tensor", False)


def _dense_dimensions(value):
    if not isinstance(value, (list, tuple)):
        return list(np.shape(value)) if isinstance(value, np.ndarray) else []
    if not value:
        return [0]
    return [len(value)] + _dense_dimensions(value[0])


def _plain(values):
    if isinstance(values, (list, tuple)):
        return [_plain(v) for v in values]
    return values.value if isinstance(values, Dimension) else values


def _texts(values, array):
    """`array`, made by NumPy from `values`, with strings as objects: NumPy's string types drop trailing NULs. The program's own arrays stay unchanged."""
    if array.dtype.kind not in "SU" or isinstance(values, (np.ndarray, np.generic)):
        return array
    return np.array(values, dtype=np.object_)


def array(values, dtype=None, shape=None, verify_shape=False):
    """A contiguous array of `dtype` (by default the type that TensorFlow infers). Raises TypeError and ValueError with TensorFlow's messages."""
    given = dtype
    if dtype is not None:
        dtype = dtypes.as_dtype(dtype).base_dtype
    if type(values) is float and shape is None:
        if dtype is None:
            return np.float32(values)
    elif type(values) is int and shape is None and dtype is None:
        return np.int32(values) if -2147483648 <= values <= 2147483647 else np.int64(values)
    if isinstance(values, np.matrix):
        values = np.asarray(values)  # a matrix keeps two dimensions when it is reshaped
    if isinstance(values, (np.ndarray, np.generic)):
        if dtype is not None and dtype is not dtypes.bfloat16:
            result = values.astype(dtype.as_numpy_dtype) if dtype is not dtypes.string else values
        else:
            result = values
    else:
        if values is None:
            raise ValueError("None values not supported.")
        numpy_type = None
        if dtype is not None and dtype is not dtypes.bfloat16:
            numpy_type = dtype.as_numpy_dtype
        if shape is not None and np.prod(shape, dtype=np.int64) == 0:
            result = np.empty(shape, dtype=numpy_type)
        elif (hasattr(values, "__array__") or hasattr(values, "__array_interface__")) and not isinstance(values, (list, tuple)):
            result = np.array(values, dtype=numpy_type)
        else:
            if isinstance(values, (bytearray, memoryview)):
                values = list(bytes(values))
                numpy_type = numpy_type or np.uint8
            _check_kinds(values, dtype)
            if dtype is None or not dtype.is_quantized:  # quantized numbers are tuples
                values = _plain(values)
            try:
                result = _texts(values, np.array(values, dtype=numpy_type))
                if numpy_type is None and result.dtype == np.object_ and list(result.shape) == _dense_dimensions(values) and not all(
                        isinstance(v, _TEXTS) for v in result.ravel().tolist()):
                    raise TypeError("Failed to convert object of type %s to Tensor. Contents: %s. Consider casting elements to a supported type." % (type(values), values))
                if numpy_type is None and result.dtype == np.object_ and _mismatch(values, _TEXTS) is not None:
                    raise ValueError("setting an array element with a sequence.")
            except ValueError:
                wanted = _dense_dimensions(values)
                if isinstance(values, (list, tuple)) and values and len({np.shape(v) if not isinstance(v, (list, tuple)) else len(v) for v in values}) > 1:
                    raise ValueError("Argument must be a dense tensor: %s - got shape %s, but wanted %s." % (values, wanted[:1], wanted))
                raise
            except OverflowError as e:
                raise ValueError(str(e))
            wanted = _dense_dimensions(values)
            if list(result.shape) != wanted and not (dtype is not None and dtype.is_quantized):
                raise ValueError("Argument must be a dense tensor: %s - got shape %s, but wanted %s." % (values, list(result.shape), wanted))
        if dtype is None:
            if result.dtype == np.float64:
                result = result.astype(np.float32)
            elif result.dtype == np.int64:
                smaller = result.astype(np.int32)
                if np.array_equal(smaller, result):
                    result = smaller
    if dtype is not None:
        found = dtypes.as_dtype(result.dtype)
        if found != dtype and dtype is not dtypes.bfloat16:
            raise TypeError("Incompatible types: %s vs. %s. Value is %s" % (given, result.dtype, values))
    else:
        try:
            dtypes.as_dtype(result.dtype)
        except TypeError:
            raise TypeError("Unrecognized data type: %s" % result.dtype)
    if shape is not None:
        shape = [int(d) for d in shape]
        size = int(np.prod(shape, dtype=np.int64))
        if verify_shape and result.shape != tuple(shape):
            raise TypeError("Expected Tensor's shape: %s, got %s." % (tuple(shape), result.shape))
        if size == 0 and not isinstance(values, (np.ndarray, np.generic)):
            result = np.empty(shape, dtype=result.dtype)
        if result.size > size:
            raise ValueError("Too many elements provided. Needed at most %d, but received %d" % (size, result.size))
        if result.size == size:
            result = np.reshape(result, shape)
        elif result.size == 0:
            result = np.zeros(shape, dtype=result.dtype)
        else:  # repeat the last value
            full = np.empty(size, dtype=result.dtype)
            full[:result.size] = np.ravel(result)
            full[result.size:] = np.ravel(result)[-1]
            result = full.reshape(shape)
    return result


def value(values, dtype=None, shape=None, verify_shape=False):
    """array() as a value of the engine."""
    if isinstance(values, _weft.Value):
        return values
    if shape is not None:
        shape = TensorShape(shape).as_list() if isinstance(shape, TensorShape) else shape
    result = array(values, dtype, shape, verify_shape)
    if dtype is not None:
        dtype = dtypes.as_dtype(dtype).base_dtype
        if dtype is dtypes.bfloat16:
            return _weft.bfloat16_value(np.asarray(result, dtype=np.float32))
    return _weft.value(result)
