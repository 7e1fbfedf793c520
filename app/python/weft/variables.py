"""tf.Variable, and functions for both reference and resource variables."""

from . import dtypes, engine, ops
from .control_flow import group
from .exports import export
from .op_calls import raw
from .ops import GraphKeys, Tensor
from .ref_variable import RefVariable
from .resource_variable import ResourceVariable
from .variable_base import Variable
from .variable_base import (is_variable_initialized, of_engine, SaveSliceInfo, VariableAggregation, VariableSynchronization, check_synchronization_and_aggregation,
                            disable_resource_variables, enable_resource_variables, resource_variables_enabled, variable_creator_scope,
                            variable_from_def)  # noqa: F401 (re-exported)
from .safe_initial_value import _guarded  # noqa: F401 (re-exported)


def _variable_to_tensor(v, dtype=None, name=None, as_ref=False):
    if dtype is not None and not dtype.is_compatible_with(v.dtype):
        raise ValueError("Incompatible type conversion requested to type '%s' for variable of type '%s'" % (dtype.name, v.dtype.name))
    if v._resource:
        return v.read_value().op.inputs[0] if as_ref else v.value()
    return v._ref() if as_ref else v.value()


ops.register_tensor_conversion_function(Variable, _variable_to_tensor, 50)


# Collections of variables.
@export("global_variables")
def global_variables(scope=None):
    return ops.get_collection(GraphKeys.GLOBAL_VARIABLES, scope)


@export("all_variables")
def all_variables():
    return global_variables()


@export("local_variables")
def local_variables(scope=None):
    return ops.get_collection(GraphKeys.LOCAL_VARIABLES, scope)


@export("model_variables")
def model_variables(scope=None):
    return ops.get_collection(GraphKeys.MODEL_VARIABLES, scope)


@export("trainable_variables")
def trainable_variables(scope=None):
    return ops.get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)


@export("moving_average_variables")
def moving_average_variables(scope=None):
    return ops.get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)


@export("variables_initializer", "initializers.variables", "initialize_variables")
def variables_initializer(var_list, name="init"):
    """An operation that initializes all of `var_list`."""
    if var_list:
        return group(*[v.initializer for v in var_list], name=name)
    return group(name=name)


@export("global_variables_initializer", "initializers.global_variables", "initialize_all_variables")
def global_variables_initializer():
    return variables_initializer(global_variables())


@export("local_variables_initializer", "initializers.local_variables", "initialize_local_variables")
def local_variables_initializer():
    return variables_initializer(local_variables())


@export("report_uninitialized_variables")
def report_uninitialized_variables(var_list=None, name="report_uninitialized_variables"):
    """A tensor with the names of uninitialized variables."""
    if var_list is None:
        var_list = global_variables() + local_variables()
        if not var_list:
            var_list = [op.outputs[0] for op in ops.get_default_graph().get_operations() if op.type in ("Variable", "VariableV2", "AutoReloadVariable")]
    with ops.name_scope(name):
        if var_list:
            init_vars = [is_variable_initialized(v) for v in var_list]
        with ops.device("/cpu:0"):
            if not var_list:
                return ops.constant([], dtype=dtypes.string)
            mask = engine.logical_not(engine.stack(init_vars))
            names = ops.constant([v.op.name for v in var_list])
            return engine.boolean_mask(names, mask)


@export("assert_variables_initialized")
def assert_variables_initialized(var_list=None):
    if var_list is None:
        var_list = global_variables() + local_variables()
    if not var_list:
        return None
    ranks = []
    for v in var_list:
        with ops.colocate_with(v.op if not isinstance(v, Tensor) else v):
            ranks.append(engine.raw_ops.Rank(input=v))
    return ranks[0] if len(ranks) == 1 else engine.stack(ranks)


def _is_reference(ref):
    return ref.dtype._is_ref_dtype


@export("assign", "compat.v1.assign")
def assign(ref, value, validate_shape=None, use_locking=None, name=None):
    """Writes `value` into a variable."""
    if _is_reference(ref):
        return raw("Assign")(ref, value, use_locking=use_locking, name=name, validate_shape=validate_shape)
    return ref.assign(value, name=name)


@export("assign_add")
def assign_add(ref, value, use_locking=None, name=None):
    if _is_reference(ref):
        return raw("AssignAdd")(ref, value, use_locking=use_locking, name=name)
    return ref.assign_add(value)


@export("assign_sub")
def assign_sub(ref, value, use_locking=None, name=None):
    if _is_reference(ref):
        return raw("AssignSub")(ref, value, use_locking=use_locking, name=name)
    return ref.assign_sub(value)


@export("count_up_to")
def count_up_to(ref, limit, name=None):
    if _is_reference(ref):
        return raw("CountUpTo")(ref, limit=limit, name=name)
    return raw("ResourceCountUpTo")(ref.handle, limit, T=ref.dtype, name=name)


def _scatter_function(public, op, nd=False):
    resource = "Resource" + op

    def scatter(ref, indices, updates, use_locking=public in ("scatter_update", "scatter_nd_update"), name=None):
        if _is_reference(ref):
            return raw(op)(ref, indices, updates, use_locking=use_locking, name=name)
        made = raw(resource)(ref.handle, ops.convert_to_tensor(indices) if not nd else indices, ops.convert_to_tensor(updates, ref.dtype), name=name)
        return ref._after(made)

    scatter.__name__ = public
    scatter.__doc__ = "Changes the rows `indices` of a variable (%s)." % op
    return export(public)(scatter)


scatter_update, scatter_nd_update = _scatter_function("scatter_update", "ScatterUpdate"), _scatter_function("scatter_nd_update", "ScatterNdUpdate", nd=True)
scatter_add, scatter_nd_add = _scatter_function("scatter_add", "ScatterAdd"), _scatter_function("scatter_nd_add", "ScatterNdAdd", nd=True)
scatter_sub, scatter_nd_sub = _scatter_function("scatter_sub", "ScatterSub"), _scatter_function("scatter_nd_sub", "ScatterNdSub", nd=True)
scatter_mul, scatter_div = _scatter_function("scatter_mul", "ScatterMul"), _scatter_function("scatter_div", "ScatterDiv")
scatter_min, scatter_max = _scatter_function("scatter_min", "ScatterMin"), _scatter_function("scatter_max", "ScatterMax")
