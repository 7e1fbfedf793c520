"""tf.contrib.slim.utils (tensorflow.contrib.layers.python.layers.utils): names of outputs, sizes, static conditions."""

import collections

from .. import ops
from ..control_flow import cond
from ..exports import export, export_value
from ..tensor_shape import TensorShape
from ..variable_base import Variable
from . import layers


def tool(name):
    return export("contrib.slim.utils." + name)


NamedOutputs = export_value(collections.namedtuple("NamedOutputs", ["name", "outputs"]), "contrib.slim.utils.NamedOutputs")
collect_named_outputs = export_value(layers.collected, "contrib.slim.utils.collect_named_outputs")
export_value(layers.collections_of, "contrib.slim.utils.get_variable_collections")


@tool("append_tensor_alias")
def append_tensor_alias(tensor, alias):
    """Adds an alias to the tensor and returns it."""
    tensor.aliases = getattr(tensor, "aliases", []) + [alias[:-1] if alias[-1] == "/" else alias]
    return tensor


@tool("get_tensor_aliases")
def get_tensor_aliases(tensor):
    """The aliases of a tensor, or its own name if it has none."""
    if hasattr(tensor, "aliases"):
        return tensor.aliases
    return [tensor.op.name if tensor.name[-2:] == ":0" else tensor.name]


@tool("gather_tensors_aliases")
def gather_tensors_aliases(tensors):
    return [alias for t in tensors for alias in get_tensor_aliases(t)]


@tool("convert_collection_to_dict")
def convert_collection_to_dict(collection, clear_collection=False):
    """A collection's tensors by their names."""
    found = collections.OrderedDict((alias, t) for t in ops.get_collection(collection) for alias in get_tensor_aliases(t))
    if clear_collection:
        ops.get_default_graph().clear_collection(collection)
    return found


@tool("constant_value")
def constant_value(value_or_tensor_or_var, dtype=None):
    """The static value of a tensor, or None if unknown; other values are returned unchanged."""
    value = value_or_tensor_or_var
    if value is None:
        raise ValueError("value_or_tensor_or_var cannot be None")
    is_variable = isinstance(value, Variable)
    if is_variable or isinstance(value, ops.Tensor):
        if dtype and value.dtype != dtype:
            raise ValueError("It has the wrong type %s instead of %s" % (value.dtype, dtype))
        return None if is_variable else ops.constant_value(value)
    return value


@tool("static_cond")
def static_cond(pred, fn1, fn2):
    for name, function in (("fn1", fn1), ("fn2", fn2)):
        if not callable(function):
            raise TypeError("%s must be callable." % name)
    return fn1() if pred else fn2()


@tool("smart_cond")
def smart_cond(pred, fn1, fn2, name=None):
    """Calls one of the functions if the condition is known statically, else builds a cond of both."""
    known = constant_value(pred)
    return cond(pred, fn1, fn2, name=name) if known is None else static_cond(known, fn1, fn2)


def _dimension(shape, at, min_rank):
    if shape.ndims is None:
        raise ValueError("dims of shape must be known but is None")
    if shape.ndims < min_rank:
        raise ValueError("rank of shape must be at least %d not: %d" % (min_rank, shape.ndims))
    size = shape.as_list()[at]
    if size is None:
        raise ValueError("dimension %d of shape must be known but is None: %s" % (at, shape))
    return size


@tool("channel_dimension")
def channel_dimension(shape, data_format, min_rank=1):
    return _dimension(shape, 1 if data_format == "channels_first" else -1, min_rank)


@tool("last_dimension")
def last_dimension(shape, min_rank=1):
    return _dimension(shape, -1, min_rank)


@tool("two_element_tuple")
def two_element_tuple(int_or_tuple):
    """A size in two dimensions from one number or two."""
    given = int_or_tuple
    if isinstance(given, (list, tuple)):
        if len(given) != 2:
            raise ValueError("Must be a list with 2 elements: %s" % (given,))
        return int(given[0]), int(given[1])
    if isinstance(given, int):
        return given, given
    if isinstance(given, TensorShape) and given.ndims == 2:
        return given[0], given[1]
    raise ValueError("Must be an int, a list with 2 elements or a TensorShape of length 2")


@tool("n_positive_integers")
def n_positive_integers(n, value):
    """A tuple of n positive numbers from one of them or from n."""
    if int(n) < 1 or int(n) != n:
        raise ValueError("n must be a positive integer")
    n = int(n)
    try:
        values = (int(value),) * n
    except (TypeError, ValueError):
        refusal = "Expected sequence of %d positive integers, but received %r" % (n, value)
        if len(value) != n:
            raise ValueError(refusal)
        try:
            values = tuple(int(x) for x in value)
        except (TypeError, ValueError):
            raise ValueError(refusal)
    for x in values:
        if x < 1:
            raise ValueError("expected positive integer, but received %d" % x)
    return values
