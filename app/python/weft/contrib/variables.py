"""tf.contrib.framework: model variables and lookup of variables."""

import functools
import re

from .. import dtypes, ops, variable_scope as scopes
from ..exports import export
from ..ops import GraphKeys
from ..platform import tf_logging as logging
from ..sparse_tensor import SparseTensor
from ..training.checkpoint_reader import NewCheckpointReader
from ..training.global_step import assert_global_step, create_global_step, get_global_step, get_or_create_global_step
from ..training.saver import Saver
from ..variable_base import Variable
from .arg_scope import add_arg_scope, framework


@framework("variable")
@add_arg_scope
def variable(name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=True, collections=None, caching_device=None, device=None, partitioner=None,
             custom_getter=None, use_resource=None, **more):
    """tf.get_variable on a device."""
    collections = list(dict.fromkeys(collections if collections is not None else [GraphKeys.GLOBAL_VARIABLES]))
    getter = scopes.get_variable
    if custom_getter is not None:
        getter = functools.partial(custom_getter, reuse=scopes.get_variable_scope().reuse)
    with ops.device(device or ""):
        return getter(name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer, trainable=trainable, collections=collections,
                      caching_device=caching_device, partitioner=partitioner, use_resource=use_resource, **more)


@framework("model_variable")
@add_arg_scope
def model_variable(name, shape=None, dtype=dtypes.float32, initializer=None, regularizer=None, trainable=True, collections=None, caching_device=None, device=None,
                   partitioner=None, custom_getter=None, use_resource=None, **more):
    """A variable that is also in the collection MODEL_VARIABLES."""
    collections = list(collections or []) + [GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES]
    return variable(name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer, trainable=trainable, collections=collections,
                    caching_device=caching_device, device=device, partitioner=partitioner, custom_getter=custom_getter, use_resource=use_resource, **more)


@framework("local_variable")
def local_variable(initial_value, validate_shape=True, name=None, use_resource=None):
    return Variable(initial_value, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES], validate_shape=validate_shape, use_resource=use_resource, name=name)


@framework("global_variable")
def global_variable(initial_value, validate_shape=True, name=None, use_resource=None):
    return Variable(initial_value, trainable=False, collections=[GraphKeys.GLOBAL_VARIABLES], validate_shape=validate_shape, use_resource=use_resource, name=name)


@framework("get_variables")
def get_variables(scope=None, suffix=None, collection=GraphKeys.GLOBAL_VARIABLES):
    """Variables of a collection in a scope, or whose names end with `suffix`."""
    if isinstance(scope, scopes.VariableScope):
        scope = scope.name
    if suffix is not None:
        scope = (scope or "") + ".*" + (suffix if ":" in suffix else suffix + ":")
    return ops.get_collection(collection, scope)


@framework("get_model_variables")
def get_model_variables(scope=None, suffix=None):
    return get_variables(scope, suffix, GraphKeys.MODEL_VARIABLES)


@framework("get_local_variables")
def get_local_variables(scope=None, suffix=None):
    return get_variables(scope, suffix, GraphKeys.LOCAL_VARIABLES)


@framework("get_trainable_variables")
def get_trainable_variables(scope=None, suffix=None):
    return get_variables(scope, suffix, GraphKeys.TRAINABLE_VARIABLES)


@framework("get_variables_by_suffix")
def get_variables_by_suffix(suffix, scope=None):
    return get_variables(scope=scope, suffix=suffix)


@framework("get_variables_by_name")
def get_variables_by_name(given_name, scope=None):
    return get_variables(scope=scope, suffix="/" + given_name + ":|^" + given_name + ":")


@framework("get_unique_variable")
def get_unique_variable(var_op_name):
    candidates = get_variables(scope=var_op_name)
    if not candidates:
        raise ValueError("Couldn't find variable %s" % var_op_name)
    for candidate in candidates:
        if candidate.op.name == var_op_name:
            return candidate
    raise ValueError("Variable %s does not uniquely identify a variable" % var_op_name)


@framework("get_variables_to_restore")
def get_variables_to_restore(include=None, exclude=None):
    """The variables in the scopes `include` but not in `exclude`."""
    def below(scope_names):
        if not isinstance(scope_names, (list, tuple)):
            raise TypeError("include is provided but is not a list or a tuple.")
        return [v for scope in scope_names for v in get_variables(scope)]

    found = get_variables() if include is None else below(include)
    left_out = {id(v) for v in below(exclude)} if exclude is not None else ()
    return [v for v in found if id(v) not in left_out]


@framework("filter_variables")
def filter_variables(var_list, include_patterns=None, exclude_patterns=None, reg_search=True):
    match = re.search if reg_search else re.match
    found = [v for v in var_list if include_patterns is None or any(match(p, v.name) for p in include_patterns)]
    return [v for v in found if exclude_patterns is None or not any(match(p, v.name) for p in exclude_patterns)]


@framework("assign_from_checkpoint_fn")
def assign_from_checkpoint_fn(model_path, var_list, ignore_missing_vars=False, reshape_variables=False):
    """A function of a session that restores the variables."""
    if not var_list:
        raise ValueError("var_list cannot be empty")
    if ignore_missing_vars:
        reader = NewCheckpointReader(model_path)
        wanted = var_list if isinstance(var_list, dict) else {v.op.name: v for v in var_list}
        var_list = {}
        for name in wanted:
            if reader.has_tensor(name):
                var_list[name] = wanted[name]
            else:
                logging.warning("Variable %s missing in checkpoint %s", name, model_path)
    if not var_list:
        logging.warning("No Variables to restore")
        return None
    saver = Saver(var_list, reshape=reshape_variables)

    def restore(session):
        saver.restore(session, model_path)

    return restore


def _forward(function):
    def call(*args, **kwargs):
        return function(*args, **kwargs)

    call.__name__ = function.__name__
    return framework(function.__name__)(call)


for _function in (get_or_create_global_step, create_global_step, get_global_step, assert_global_step):
    _forward(_function)


@export("contrib.framework.is_tensor")
def is_tensor(x):
    return isinstance(x, (ops.Tensor, SparseTensor)) or bool(getattr(x, "_is_variable", False))

