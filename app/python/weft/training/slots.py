"""Slots: variables that belong to another variable, such as momenta and averages. Their names start with its name, and they share its device."""

from .. import basics, engine, initializers, ops
from ..distribute import contexts
from ..distribute.values import value_container
from ..variable_base import Variable
from ..variable_scope import get_variable, get_variable_scope, variable_scope
from .saveables import is_resource


def key_of(variable):
    """The lookup key of a slot: the graph and name of the variable. Components of a variable of several devices have its key."""
    if getattr(variable, "_eager", False):
        return variable.graph, variable._unique_id
    variable = value_container(variable)
    return (variable.graph, variable._shared_name) if hasattr(variable, "device_map") else (variable.op.graph, variable.op.name)


def outside():
    """A scope outside all open control dependencies, loops and branches."""
    return ops.init_scope()


def beside(variable):
    """Context manager: variables created inside are on the devices of a variable."""
    strategy = contexts.active_strategy()
    return ops.colocate_with(variable) if strategy is None else strategy.extended.colocate_vars_with(variable)


def _make(primary, value, validate_shape, shape, dtype):
    scope = get_variable_scope()
    partitioner = scope.partitioner
    scope.set_partitioner(None)
    kind = is_resource(primary) if isinstance(primary, Variable) else None
    slot = get_variable("", initializer=value, trainable=False, use_resource=kind, shape=shape if callable(value) else None, dtype=dtype,
                        validate_shape=validate_shape)
    scope.set_partitioner(partitioner)
    info = getattr(primary, "_save_slice_info", None) if isinstance(primary, Variable) else None
    if info:
        name = slot.name[len(primary.op.name + "/"):-2]
        slot._set_save_slice_info(Variable.SaveSliceInfo(info.full_name + "/" + name, info.full_shape[:], info.var_offset[:], info.var_shape[:]))
    return slot


def create_slot_with_initializer(primary, initializer, shape, dtype, name, colocate_with_primary=True):
    """A slot with an initializer."""
    with variable_scope(None, primary.op.name + "/" + name):
        if not colocate_with_primary:
            return _make(primary, initializer, shape.is_fully_defined(), shape, dtype)
        with beside(primary):
            return _make(primary, initializer, shape.is_fully_defined(), shape, dtype)


def create_slot(primary, val, name, colocate_with_primary=True):
    """A slot initialized with the value of a tensor."""
    known = val.get_shape().is_fully_defined()
    with variable_scope(None, primary.op.name + "/" + name):
        if not colocate_with_primary:
            return _make(primary, val, known, None, None)
        with beside(primary):
            return _make(primary, val, known, None, None)


def create_zeros_slot(primary, name, dtype=None, colocate_with_primary=True):
    """A slot of zeros with the shape of `primary`."""
    dtype = primary.dtype if dtype is None else dtype
    shape = primary.get_shape()
    if shape.is_fully_defined():
        return create_slot_with_initializer(primary, initializers.zeros_initializer(), shape, dtype, name, colocate_with_primary)
    value = primary.initialized_value() if isinstance(primary, Variable) else primary
    return create_slot(primary, engine.zeros(basics.shape(value), dtype=dtype), name, colocate_with_primary)
