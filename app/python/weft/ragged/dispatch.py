"""Ragged versions of tf.* functions, used when the function itself refuses the arguments."""

import inspect

from .. import dispatchable, dtypes, engine, ops
from ..ops import Graph, Tensor
from ..sparse_tensor import SparseTensor
from . import functions, reductions, tiles
from .broadcasting import RaggedTensorDynamicShape, broadcast_dynamic_shape, broadcast_outer
from .segments import splits_match
from .tensor import RaggedTensor, is_ragged, match_row_splits_dtypes


def _expand_dims(input, axis=None, name=None, dim=None):
    return tiles.expand_dims(input, axis if dim is None else dim, name)


def _squeeze(input, axis=None, name=None, squeeze_dims=None):
    return functions.squeeze(input, axis if squeeze_dims is None else squeeze_dims, name)


def _dynamic_partition(data, partitions, num_partitions, name=None):
    if not isinstance(num_partitions, int) or num_partitions < 0:
        raise TypeError("num_partitions must be a non-negative integer")
    if num_partitions > 1 << 20:
        raise ValueError("Attr num_partitions has value %d, one call makes at most %d tensors" % (num_partitions, 1 << 20))
    made = tiles.stack_dynamic_partitions(data, partitions, num_partitions, name)
    return [made[i] for i in range(num_partitions)]


def _reduce(function):
    """Accepts the deprecated parameter names of tf.reduce_X, too."""

    def reduce(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None):
        return function(input_tensor, axis if reduction_indices is None else reduction_indices, keepdims if keep_dims is None else keep_dims, name)

    return reduce


def _reduce_join(inputs=None, axis=None, keep_dims=None, separator="", name=None, reduction_indices=None, keepdims=None):
    return reductions.reduce_join(inputs, axis if reduction_indices is None else reduction_indices, keep_dims if keepdims is None else keepdims, separator, name)


# Function -> (its version for ragged tensors, the parameters that may be ragged; "[values]": a list of such).
_OWN = {
    "batch_gather": (functions.batch_gather, "params indices"), "concat": (functions.concat, "[values]"), "expand_dims": (_expand_dims, "input"),
    "gather": (functions.gather, "params indices"), "gather_nd": (functions.gather_nd, "params indices"), "one_hot": (functions.one_hot, "indices"),
    "rank": (functions.rank, "input"), "size": (functions.size, "input"), "squeeze": (_squeeze, "input"), "stack": (functions.stack, "[values]"),
    "tile": (tiles.tile, "input"), "where": (functions.where, "condition x y"), "dynamic_partition": (_dynamic_partition, "data partitions"),
    "reduce_join": (_reduce_join, "inputs"),
}
for _name in ("sum", "prod", "min", "max", "mean", "sqrt_n"):
    _OWN["unsorted_segment_" + _name] = (getattr(reductions, "segment_" + _name), "data segment_ids")
for _name in ("sum", "prod", "min", "max", "mean", "any", "all"):
    _OWN["reduce_" + _name] = (_reduce(getattr(reductions, "reduce_" + _name)), "input_tensor")

NOT_SUPPORTED = dispatchable.NOT_SUPPORTED


def _convertible(value):
    if value is None:
        return True
    if isinstance(value, SparseTensor):
        return False
    try:
        with Graph().as_default() if not isinstance(value, (Tensor, list, tuple)) else _nothing():
            ops.convert_to_tensor(value)
        return True
    except (TypeError, ValueError):
        return False


class _nothing:
    def __enter__(self):
        pass

    def __exit__(self, *what):
        pass


def _first(function, args, kwargs, count):
    """(names and values of the first `count` parameters, the remaining arguments)."""
    names = [n for n, p in inspect.signature(function).parameters.items() if p.kind is p.POSITIONAL_OR_KEYWORD][:count]
    kwargs = dict(kwargs)
    values = list(args[:count])
    values += [kwargs.pop(n, None) for n in names[len(values):]]
    return names, values, args[count:], kwargs


def _unary(function, args, kwargs):
    _, (x,), args, kwargs = _first(function, args, kwargs, 1)
    return x.with_flat_values(function(x.flat_values, *args, **kwargs)) if isinstance(x, RaggedTensor) else NOT_SUPPORTED


def _of_list(function, args, kwargs):
    _, (x,), args, kwargs = _first(function, args, kwargs, 1)
    if not isinstance(x, (list, tuple)) or not any(is_ragged(t) for t in x) or not all(is_ragged(t) or _convertible(t) for t in x):
        return NOT_SUPPORTED
    x = match_row_splits_dtypes(*x)
    nested = [t.nested_row_splits for t in x if is_ragged(t)]
    flat = [t.flat_values if is_ragged(t) else t for t in x]
    with ops.control_dependencies(splits_match(nested)):
        return RaggedTensor.from_nested_row_splits(function(flat, *args, **kwargs), nested[0], validate=False)


def _binary(function, args, kwargs):
    names, (x, y), args, kwargs = _first(function, args, kwargs, 2)
    ragged = isinstance(x, RaggedTensor), isinstance(y, RaggedTensor)
    if not any(ragged):
        return NOT_SUPPORTED
    try:
        x = x if ragged[0] else ops.convert_to_tensor(x, name=names[0], preferred_dtype=y.dtype)
        y = y if ragged[1] else ops.convert_to_tensor(y, name=names[1], preferred_dtype=x.dtype)
    except (TypeError, ValueError):
        return NOT_SUPPORTED
    if all(ragged):
        x, y = match_row_splits_dtypes(x, y)
    if all(ragged) or ragged[0] and x.flat_values.shape.ndims <= y.shape.ndims or ragged[1] and y.flat_values.shape.ndims <= x.shape.ndims:
        shape = broadcast_dynamic_shape(RaggedTensorDynamicShape.from_tensor(x), RaggedTensorDynamicShape.from_tensor(y))
        x, y = broadcast_outer(x, shape), broadcast_outer(y, shape)
    made = function(*[t.flat_values if is_ragged(t) else t for t in (x, y)], *args, **kwargs)
    return (x if is_ragged(x) else y).with_flat_values(made)


def _own(what, parameters):
    names = list(inspect.signature(what).parameters)

    def handle(function, args, kwargs):
        found = False
        for parameter in parameters.split():
            name = parameter.strip("[]")
            place = names.index(name)
            value = args[place] if place < len(args) else kwargs.get(name)
            if parameter[0] == "[" and not isinstance(value, (list, tuple)):
                return NOT_SUPPORTED
            for item in value if parameter[0] == "[" else [value]:
                if is_ragged(item):
                    found = True
                elif not _convertible(item):
                    return NOT_SUPPORTED
        return what(*args, **kwargs) if found else NOT_SUPPORTED

    return handle


# TensorFlow's functions take a scope name before they refuse a ragged tensor. Engine functions do not, so the name is taken here.
_NAMES = {
    "abs": "Abs", "angle": "Angle", "cast": "Cast", "clip_by_value": "clip_by_value", "concat": "concat", "conj": "Conj", "div_no_nan": "div_no_nan", "divide": "truediv",
    "equal": "Equal", "expand_dims": "ExpandDims", "floordiv": "floordiv", "gather": "GatherV2", "gather_nd": "GatherNd", "identity": "Identity", "imag": "Imag",
    "length": "StringLength", "string_length": "StringLength", "log_sigmoid": "LogSigmoid", "logical_xor": "LogicalOr", "multiply": "Mul", "not_equal": "NotEqual",
    "one_hot": "one_hot", "ones_like": "ones_like", "pow": "Pow", "rank": "Rank", "real": "Real", "reduce_join": "ReduceJoin", "regex_full_match": "StaticRegexFullMatch",
    "regex_replace": "StaticRegexReplace", "saturate_cast": "saturate_cast", "size": "Size", "squeeze": "Squeeze", "string_to_hash_bucket": "StringToHashBucket",
    "to_hash_bucket": "StringToHashBucket", "string_to_number": "StringToNumber", "to_number": "StringToNumber", "substr": "Substr", "subtract": "Sub", "truediv": "truediv",
    "unsorted_segment_mean": "UnsortedSegmentMean", "unsorted_segment_sqrt_n": "UnsortedSegmentSqrtN", "zeros_like": "zeros_like",
}


def _take_name(kind, leaf, function, args, kwargs):
    graph = ops.get_default_graph()
    name = kwargs.get("name") or _NAMES.get(leaf)
    if leaf == "where":
        name = name or ("Where" if len(args) < 2 and kwargs.get("x") is None else "Select")
    elif leaf.startswith("reduce_") and leaf != "reduce_join":
        axis = args[1] if len(args) > 1 else kwargs.get("axis", kwargs.get("reduction_indices"))
        if axis is None:
            graph.unique_name("Rank")
            engine.range(0, functions.rank(args[0] if args else kwargs["input_tensor"]))
        name = name or leaf[7:].capitalize()
    elif leaf not in _NAMES:
        return
    if kind == "binary" or leaf == "gather":
        names, (x, _), _, _ = _first(function, args, kwargs, 2)
        if not is_ragged(x) and not isinstance(x, Tensor):
            with ops.name_scope(name):
                ops.convert_to_tensor(x, name=names[0])
            return
    if leaf == "one_hot":
        dtype = kwargs.get("dtype") or dtypes.float32
        with ops.name_scope(name):
            for part, value in (("on_value", 1), ("off_value", 0)):
                if kwargs.get(part) is None and len(args) < 3:
                    ops.convert_to_tensor(value, dtype, name=part)
        return
    graph.unique_name(name)


_KINDS = {"unary": _unary, "list": _of_list, "binary": _binary}
_handlers = {}


def handle(kind, leaf, function, args, kwargs):
    """The result of the ragged version of the function, or NOT_SUPPORTED."""
    if not any(is_ragged(v) or isinstance(v, (list, tuple)) and any(is_ragged(i) for i in v) for v in (*args, *kwargs.values())):
        return NOT_SUPPORTED
    _take_name(kind, leaf, function, args, kwargs)
    if kind in _KINDS:
        return _KINDS[kind](function, args, kwargs)
    if leaf not in _handlers:
        _handlers[leaf] = _own(*_OWN[leaf])
    return _handlers[leaf](function, args, kwargs)


def _operators():
    for name, leaf in (("ge", "greater_equal"), ("gt", "greater"), ("le", "less_equal"), ("lt", "less"), ("invert", "logical_not"), ("abs", "abs"), ("neg", "negative")):
        setattr(RaggedTensor, "__%s__" % name, (lambda leaf: lambda *values: getattr(engine, leaf)(*values))(leaf))
    for name, leaf in (("and", "logical_and"), ("or", "logical_or"), ("xor", "logical_xor"), ("add", "add"), ("div", "div"), ("floordiv", "floordiv"), ("mod", "floormod"),
                       ("mul", "multiply"), ("pow", "pow"), ("sub", "subtract"), ("truediv", "truediv")):
        setattr(RaggedTensor, "__%s__" % name, (lambda leaf: lambda x, y: getattr(engine, leaf)(x, y))(leaf))
        setattr(RaggedTensor, "__r%s__" % name, (lambda leaf: lambda y, x: getattr(engine, leaf)(x, y))(leaf))


_operators()
dispatchable.handle = handle
