"""tensorflow.python.framework.subscribe: side effects that run whenever a tensor is computed."""

import contextlib
import re

from .. import engine, ops
from ..ops import Tensor
from ..platform import tf_logging as logging
from ..variable_base import Variable

_IDENTITY = re.compile(r"(?P<source>^.*?)/subscription/Identity[^/]+")


def _recursive_apply(tensors, apply_fn):
    """apply_fn of each tensor in a structure of lists, tuples and dictionaries; of a variable its value."""
    if type(tensors) is Tensor:
        return apply_fn(tensors)
    if isinstance(tensors, Variable):
        return apply_fn(tensors.value())
    if isinstance(tensors, (list, tuple)):
        made = [_recursive_apply(t, apply_fn) for t in tensors]
        return made if type(tensors) is list else tuple(made) if type(tensors) is tuple else type(tensors)(*made)
    if type(tensors) is dict:
        return {key: _recursive_apply(value, apply_fn) for key, value in tensors.items()}
    raise TypeError("_recursive_apply argument %r has invalid type %r" % (tensors, type(tensors)))


def _is_subscribed_identity(tensor):
    """Whether subscribe() made the operation of a tensor."""
    match = _IDENTITY.match(tensor.name) if tensor.op.type == "Identity" else None
    return match is not None and match.group("source") == tensor.op.inputs[0].op.name


def _effects(source, side_effects):
    with ops.name_scope(source.op.name + "/subscription/"):
        return [out for effect in side_effects for out in effect(source)]


def _extended(identity, side_effects):
    made = _effects(identity.op.inputs[0], side_effects)
    identity.op._add_control_inputs([out.op if isinstance(out, Tensor) else out for out in made])
    return identity


def _subscribed(tensor, side_effects, waiting):
    """An identity that the readers of the tensor read from now on, and for which those wait that waited for the tensor's operation."""
    readers = [(op, [i for i, x in enumerate(op.inputs) if x is tensor]) for op in list(tensor.consumers())]
    with ops.name_scope(tensor.op.name + "/subscription/"):
        made = [out for effect in side_effects for out in effect(tensor)]
        with ops.control_dependencies(made):
            identity = engine.identity(tensor)
    for op, indices in readers:
        for i in indices:
            op._update_input(i, identity)
    for op in waiting.get(tensor.op, ()):
        # After the first of several outputs the wait for the tensor's operation is gone already.
        kept = [c for c in op.control_inputs if c is not tensor.op] + [identity.op]
        op._remove_all_control_inputs()
        op._add_control_inputs(kept)
    return identity


def _subscribe(tensor, side_effects, waiting):
    if not tensor.dtype.is_numpy_compatible:
        logging.debug("Tensor %s has an un-supported %s type and cannot be subscribed.", tensor.name, tensor.dtype)
        return tensor
    if _is_subscribed_identity(tensor):
        return _extended(tensor, side_effects)
    for op in tensor.consumers():
        if op.name.startswith(tensor.op.name + "/subscription/Identity") and _is_subscribed_identity(op.outputs[0]):
            return _extended(op.outputs[0], side_effects)
    return _subscribed(tensor, side_effects, waiting)


@contextlib.contextmanager
def _in_context_of(tensor):
    context = tensor.op._get_control_flow_context()
    if context:
        context.Enter()
    try:
        yield
    finally:
        if context:
            context.Exit()


def subscribe(tensors, side_effects):
    """Calls each of `side_effects` with each tensor of a structure; the operations that they return run before anything reads the tensor. Returns the structure with the
    tensors that are read from now on. Tensors of types without arrays stay as they are."""
    side_effects = side_effects if hasattr(side_effects, "__iter__") else [side_effects]
    waiting_of = {}  # graph -> {operation: those that wait for it}

    def one(tensor):
        waiting = waiting_of.get(tensor.graph)
        if waiting is None:
            waiting = waiting_of[tensor.graph] = {}
            for op in tensor.graph.get_operations():
                for before in op.control_inputs:
                    waiting.setdefault(before, []).append(op)
        with ops.device(tensor.device), _in_context_of(tensor):
            return _subscribe(tensor, side_effects, waiting)

    return _recursive_apply(tensors, one)
