"""tensorflow.python.keras.utils.tf_utils: what counts as a tensor, nested shapes, what depends on what."""

from .. import ops
from ..util import nest, object_identity
from ..variable_base import Variable
from .layer_sizes import constant_value  # noqa: F401 (re-exported)
from .nested_shapes import convert_shapes, map_structure_with_atomic

_user_convertible_tensor_types = set()


def register_symbolic_tensor_type(cls):
    """Objects of the class count as symbolic tensors; tf.register_tensor_conversion_function says what they are as tensors."""
    _user_convertible_tensor_types.add(cls)


def is_symbolic_tensor(tensor):
    """Whether something belongs to a graph."""
    if isinstance(tensor, tuple(_user_convertible_tensor_types)):
        tensor = ops.convert_to_tensor_or_composite(tensor)
    return isinstance(tensor, (Variable, ops.Tensor, ops.IndexedSlices)) or nest._is_composite(tensor)


def are_all_symbolic_tensors(tensors):
    return all(is_symbolic_tensor(t) for t in tensors)


def is_tensor_or_tensor_list(v):
    flat = nest.flatten(v)
    return bool(flat) and isinstance(flat[0], ops.Tensor)


def is_tensor_or_variable(x):
    return isinstance(x, (Variable, ops.Tensor)) or nest._is_composite(x)


def get_reachable_from_inputs(inputs, targets=None):
    """The inputs and all tensors and operations that depend on them; stops early once all targets are found."""
    inputs = nest.flatten(inputs, expand_composites=True)
    reachable, queue = object_identity.ObjectIdentitySet(inputs), list(inputs)
    left = object_identity.ObjectIdentitySet(nest.flatten(targets)) if targets else None
    while queue:
        x = queue.pop()
        if isinstance(x, tuple(_user_convertible_tensor_types)):
            continue
        if isinstance(x, ops.Operation):
            found = list(x.outputs) + list(x._control_outputs)
        elif isinstance(x, Variable):
            found = [x.op]
        elif isinstance(x, ops.Tensor):
            found = x.consumers()
        else:
            raise TypeError("Expected Operation, Variable, or Tensor, got " + str(x))
        for y in found:
            if y not in reachable:
                reachable.add(y)
                if left is not None:
                    left.discard(y)
                queue.insert(0, y)
        if left is not None and not left:
            break
    return reachable


def shape_type_conversion(fn):
    """Decorator of build() and compute_output_shape(): they receive tuples, their callers TensorShapes."""

    def wrapper(instance, input_shape):
        if input_shape is not None:
            input_shape = convert_shapes(input_shape, to_tuples=True)
        output_shape = fn(instance, input_shape)
        return output_shape if output_shape is None else convert_shapes(output_shape, to_tuples=False)

    return wrapper


class ListWrapper:
    """A list that is one leaf of a structure."""

    def __init__(self, list_to_wrap):
        self._list = list_to_wrap

    def as_list(self):
        return self._list


def convert_inner_node_data(nested, wrap=False):
    """The innermost lists that describe a call of a layer, wrapped as leaves or unwrapped again."""

    def is_node(value):
        return isinstance(value, list) and len(value) in (3, 4) and isinstance(value[0], str)

    def convert(value):
        if wrap:
            return ListWrapper(value) if is_node(value) else value
        return value.as_list() if isinstance(value, ListWrapper) else value

    return map_structure_with_atomic(lambda v: isinstance(v, ListWrapper) or is_node(v) or not nest.is_sequence(v), convert, nested)


def assert_no_legacy_layers(layers):
    """TypeError if layers of tf.layers are among those of a Keras model."""
    from ..layers.graph_layer import GraphLayer

    legacy = [layer for layer in layers if isinstance(layer, GraphLayer)]
    if legacy:
        raise TypeError("The following are legacy tf.layers.Layers:\n{}\nTo use keras as a framework (for instance using the Network, Model, or Sequential classes), please use the "
                        "tf.keras.layers implementation instead. (Or, if writing custom layers, subclass from tf.keras.layers rather than tf.layers)".format(
                            "\n".join("  " + str(layer) for layer in legacy)))
