"""Operators and slices of tensors and variables."""

import sys

import numpy as np

from . import _weft, dtypes, engine, ops, tensor_shape
from .exports import export_value
from .op_calls import raw
from .ops import Tensor
from .sparse_tensor import SparseTensor
from .variables import RefVariable, ResourceVariable, Variable

newaxis = export_value(None, "newaxis")

_callers = {}


def _call(op, x, y, name):
    caller = _callers.get(op)
    if caller is None:
        caller = _callers[op] = _weft.OpCaller(op)
    return caller((x, y), (), name)


def _plain(op):
    return lambda x, y, name: _call(op, x, y, name)


def _add(x, y, name):
    return _call("Add" if x.dtype.base_dtype is dtypes.string else "AddV2", x, y, name)


def _mul(x, y, name):
    if isinstance(y, SparseTensor):
        return SparseTensor(y.indices, raw("SparseDenseCwiseMul")(y.indices, y.values, y.dense_shape, x, name=name), y.dense_shape)
    return _call("Mul", x, y, name)


_TRUEDIV = {dtypes.uint8: dtypes.float32, dtypes.int8: dtypes.float32, dtypes.uint16: dtypes.float32, dtypes.int16: dtypes.float32, dtypes.int32: dtypes.float64,
            dtypes.int64: dtypes.float64, dtypes.bfloat16: None, dtypes.float16: None, dtypes.float32: None, dtypes.float64: None, dtypes.complex64: None, dtypes.complex128: None}


def _truediv(x, y, name):
    graph = ops._get_graph_from_inputs([x, y])
    with graph.as_default(), graph.name_scope(name or "truediv") as scope:
        x = ops.convert_to_tensor(x, name="x")
        y = ops.convert_to_tensor(y, name="y")
        a, b = x.dtype.base_dtype, y.dtype.base_dtype
        if a != b:
            raise TypeError("x and y must have the same dtype, got %r != %r" % (a, b))
        if a not in _TRUEDIV:
            raise TypeError("Invalid dtype %r in __truediv__. Expected one of {%s}." % (a, ", ".join(repr(t) for t in _TRUEDIV)))
        if _TRUEDIV[a] is not None:
            x, y = [raw("Cast")(t, _TRUEDIV[a]) for t in (x, y)]
        return _call("RealDiv", x, y, scope)


def _pow(x, y, name):
    graph = ops._get_graph_from_inputs([x, y])
    with graph.name_scope(name) as scope:
        return _call("Pow", x, y, scope)


def _matmul(x, y, name):
    return engine.matmul(x, y, name=name)


def _div(x, y, name):
    graph = ops._get_graph_from_inputs([x, y])
    with graph.name_scope(name) as scope:
        x = ops.convert_to_tensor(x, name="x")
        y = ops.convert_to_tensor(y, name="y", dtype=x.dtype.base_dtype)
        return _call("RealDiv" if x.dtype.is_floating or x.dtype.is_complex else "FloorDiv", x, y, scope)


def _binary(function, op_name, simple=None):
    """(operator, reflected operator). `simple`: the op to create directly if no conversion is needed."""

    def left(x, y):
        if simple is not None and (type(y) is Tensor or type(y) is int and not (simple == "AddV2" and x.dtype.base_dtype is dtypes.string) or
                                   type(y) is float and (x.dtype.is_floating or x.dtype.is_complex)):
            if not (simple == "AddV2" and x.dtype.base_dtype is dtypes.string) and not (type(y) is int and x.dtype.base_dtype is dtypes.bool_):
                return _call(simple, x, y, op_name)
        graph = ops._get_graph_from_inputs([x, y])
        with graph.as_default(), graph.name_scope(op_name) as scope:
            if not isinstance(y, Tensor) and not _is_sparse(y):
                try:
                    y = ops.internal_convert_to_tensor(y, preferred_dtype=x.dtype.base_dtype, name="y")
                except TypeError:
                    if hasattr(type(y), "__r%s__" % op_name):
                        return NotImplemented
                    raise
            return function(x, y, scope)

    def right(y, x):
        graph = ops._get_graph_from_inputs([x, y])
        with graph.as_default(), graph.name_scope(op_name) as scope:
            x = ops.internal_convert_to_tensor(x, dtype=y.dtype.base_dtype, name="x")
            return function(x, y, scope)

    return left, right


def _is_sparse(value):
    return type(value).__name__ == "SparseTensor"


def _unary(op):
    return lambda x: raw(op)(x)


def _abs(x):
    return engine.abs(x)


_table = {}
for _method, _function, _name, _simple in (
        ("add", _add, "add", "AddV2"), ("sub", _plain("Sub"), "sub", "Sub"), ("mul", _mul, "mul", "Mul"), ("truediv", _truediv, "truediv", None), ("div", _div, "div", None),
        ("floordiv", _plain("FloorDiv"), "floordiv", "FloorDiv"), ("mod", _plain("FloorMod"), "mod", "FloorMod"), ("pow", _pow, "pow", None),
        ("and", _plain("LogicalAnd"), "and", None), ("or", _plain("LogicalOr"), "or", None), ("xor", None, "xor", None), ("matmul", _matmul, "matmul", None)):
    if _method == "xor":
        def _function(x, y, name):
            return engine.logical_xor(x, y, name=name)
    _left, _right = _binary(_function, _name, _simple)
    _table["__%s__" % _method], _table["__r%s__" % _method] = _left, _right
for _method, _op in (("lt", "Less"), ("le", "LessEqual"), ("gt", "Greater"), ("ge", "GreaterEqual")):
    _table["__%s__" % _method] = (lambda op: lambda x, y: raw(op)(x, y))(_op)
_table["__invert__"] = _unary("LogicalNot")
_table["__neg__"] = _unary("Neg")
_table["__abs__"] = _abs

_SLICE_TYPE_ERROR = "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors are valid indices"


def _check_index(i):
    if isinstance(i, (int, tensor_shape.Dimension)):
        return
    dtype = getattr(i, "dtype", None)
    if dtype is None or dtypes.as_dtype(dtype).base_dtype not in (dtypes.int32, dtypes.int64) or i.shape and len(i.shape) == 1:
        raise TypeError(_SLICE_TYPE_ERROR + ", got {!r}".format(i))


def _is_mask(spec):
    return (isinstance(spec, bool) or isinstance(spec, Tensor) and spec.dtype.base_dtype is dtypes.bool_ or isinstance(spec, np.ndarray) and spec.dtype == bool)


def _pack(values):
    """tf.stack of the bounds of a slice."""
    return ops.convert_to_tensor(values, name="stack")


def slice_of(tensor, spec, var=None):
    """tensor[spec], as a StridedSlice."""
    if _is_mask(spec) or isinstance(spec, (list, tuple)) and spec and all(isinstance(s, (bool, np.bool_)) for s in spec):
        return engine.boolean_mask(tensor, spec)
    if not isinstance(spec, (list, tuple)):
        spec = [spec]
    begin, end, strides = [], [], []
    begin_mask = end_mask = ellipsis_mask = new_axis_mask = shrink_mask = 0
    for i, s in enumerate(spec):
        bit = 1 << i
        if isinstance(s, slice):
            if s.start is not None and (isinstance(s.start, Tensor) or s.start != sys.maxsize):
                _check_index(s.start)
                begin.append(s.start)
            else:
                begin.append(0)
                begin_mask |= bit
            if s.stop is not None and (isinstance(s.stop, Tensor) or s.stop != sys.maxsize):
                _check_index(s.stop)
                end.append(s.stop)
            else:
                end.append(0)
                end_mask |= bit
            if s.step is not None:
                _check_index(s.step)
                strides.append(s.step)
            else:
                strides.append(1)
        elif s is Ellipsis:
            begin.append(0)
            end.append(0)
            strides.append(1)
            ellipsis_mask |= bit
        elif s is None:
            begin.append(0)
            end.append(0)
            strides.append(1)
            new_axis_mask |= bit
        else:
            _check_index(s)
            begin.append(s)
            end.append(s + 1)
            strides.append(1)
            shrink_mask |= bit
    graph = ops._get_graph_from_inputs([tensor] + begin + end + strides)
    with graph.as_default(), graph.name_scope("strided_slice") as scope:
        if begin:
            ends = [_pack(begin), _pack(end), _pack(strides)]
            if any(t.dtype == dtypes.int64 for t in ends):
                ends = [t if t.dtype == dtypes.int64 else raw("Cast")(t, dtypes.int64) for t in ends]
        else:
            ends = [ops.constant([], dtype=dtypes.int32)] * 3
        return strided_slice(tensor, *ends, begin_mask=begin_mask, end_mask=end_mask, ellipsis_mask=ellipsis_mask, new_axis_mask=new_axis_mask,
                             shrink_axis_mask=shrink_mask, var=var, name=scope)


def strided_slice(input_, begin, end, strides=None, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0, var=None, name=None):
    """Every `strides`-th element from `begin` to `end`; the masks mark open bounds and added or removed axes."""
    if strides is None:
        strides = engine.ones_like(begin)
    masks = dict(begin_mask=begin_mask, end_mask=end_mask, ellipsis_mask=ellipsis_mask, new_axis_mask=new_axis_mask, shrink_axis_mask=shrink_axis_mask)
    made = raw("StridedSlice")(input_, begin, end, strides, name=name, **masks)
    owner = made.op.name if name is None else name

    def assign(val, name=None):
        if var is None:
            raise ValueError("Sliced assignment is only supported for variables")
        name = name or owner + "_assign"
        if var._resource:
            return var._after(raw("ResourceStridedSliceAssign")(var.handle, begin, end, strides, ops.convert_to_tensor(val, dtype=var.dtype), name=name, **masks))
        return raw("StridedSliceAssign")(var._ref(), begin, end, strides, val, name=name, **masks)

    made.assign = assign
    return made


export_value(strided_slice, "strided_slice")


def _getitem(tensor, spec):
    return slice_of(tensor, spec)


def _variable_operator(function):
    return lambda v, *args: function(v.value(), *args)


for _method, _function in _table.items():
    setattr(Tensor, _method, _function)
    setattr(Variable, _method, _variable_operator(_function))
    from .variable_scope import PartitionedVariable

    setattr(PartitionedVariable, _method, (lambda f: lambda v, *args: f(v.as_tensor(), *args))(_function))
Tensor.__getitem__ = _getitem
Variable.__getitem__ = lambda v, spec: slice_of(v.value(), spec, v)
PartitionedVariable.__getitem__ = lambda v, spec: slice_of(v.as_tensor(), spec)
