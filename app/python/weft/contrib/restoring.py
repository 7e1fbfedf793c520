"""tf.contrib.framework: assigns values to variables by name, from arrays or a checkpoint; places variables on devices."""

from .. import engine, ops
from ..control_flow import group
from ..device import DeviceSpec
from ..ops import GraphKeys
from ..platform import tf_logging as logging
from ..training.checkpoint_reader import NewCheckpointReader
from ..training.global_step import assert_global_step, get_global_step
from .arg_scope import framework


@framework("add_model_variable")
def add_model_variable(var):
    """Adds a variable to the model variables unless it is already there."""
    if not any(v is var for v in ops.get_collection(GraphKeys.MODEL_VARIABLES)):
        ops.add_to_collection(GraphKeys.MODEL_VARIABLES, var)


@framework("get_variable_full_name")
def get_variable_full_name(var):
    """The name under which a variable is saved; for a slice that of the whole variable."""
    info = getattr(var, "_save_slice_info", None)
    return info.full_name if info else var.op.name


@framework("assert_or_get_global_step")
def assert_or_get_global_step(graph=None, global_step_tensor=None):
    """The given global step after a check, or else the graph's."""
    if global_step_tensor is None:
        return get_global_step(graph)
    assert_global_step(global_step_tensor)
    return global_step_tensor


def _named(name):
    found = ops.get_collection(GraphKeys.GLOBAL_VARIABLES, name)
    if not found:
        raise ValueError("Variable %s wasn't found" % name)
    if len(found) == 1:
        return found[0]
    for v in found:
        if v.op.name == name:
            return v
    raise ValueError("Variable %s doesn't uniquely identify a variable" % name)


def _assignment(var):
    """(A placeholder, the op that assigns it to the variable)"""
    place = engine.placeholder(dtype=var.dtype.base_dtype, shape=var.get_shape(), name="placeholder/" + var.op.name)
    return place, var.assign(place)


@framework("assign_from_values")
def assign_from_values(var_names_to_values):
    """(An op that assigns values to variables by name, the feed_dict for it)"""
    feeds, assignments = {}, []
    for name, value in var_names_to_values.items():
        var = _named(name)
        place, assignment = _assignment(var)
        assignments.append(assignment)
        feeds[place] = value.reshape(var.get_shape())
    return group(*assignments), feeds


@framework("assign_from_values_fn")
def assign_from_values_fn(var_names_to_values):
    """A function of a session that assigns values to variables by name."""
    step, feeds = assign_from_values(var_names_to_values)

    def assign(session):
        return session.run(step, feeds)

    return assign


def _by_saved_name(var_list):
    if not isinstance(var_list, (tuple, list)):
        return {name: list(v) if isinstance(v, (tuple, list)) else [v] for name, v in var_list.items()}
    found = {}
    for var in var_list:
        found.setdefault(get_variable_full_name(var), []).append(var)
    return found


@framework("assign_from_checkpoint")
def assign_from_checkpoint(model_path, var_list, ignore_missing_vars=False):
    """(An op that restores variables from a checkpoint, the feed_dict for it)"""
    reader = NewCheckpointReader(model_path)
    feeds, assignments = {}, []
    for name, variables in _by_saved_name(var_list).items():
        if not reader.has_tensor(name):
            text = "Checkpoint is missing variable [%s]" % name
            if not ignore_missing_vars:
                raise ValueError(text)
            logging.warning(text)
            continue
        saved = reader.get_tensor(name)
        for var in variables:
            place, assignment = _assignment(var)
            assignments.append(assignment)
            info = getattr(var, "_save_slice_info", None)
            if info:
                feeds[place] = saved[tuple(slice(start, start + size) for start, size in zip(info.var_offset, info.var_shape))].reshape(info.var_shape)
                continue
            if var.get_shape().as_list() != list(saved.shape):
                raise ValueError("Total size of new array must be unchanged for %s lh_shape: [%s], rh_shape: [%s]" % (name, saved.shape, var.get_shape()))
            feeds[place] = saved
    return group(*assignments), feeds


@framework("VariableDeviceChooser")
class VariableDeviceChooser:
    """A device for each variable: the parameter servers in turn."""

    def __init__(self, num_tasks=0, job_name="ps", device_type="CPU", device_index=0, replica=None):
        self._job_name, self._device_type, self._device_index, self._replica = job_name, device_type, device_index, replica
        self._num_tasks, self._next_task_id = num_tasks, 0

    def __call__(self, op):
        where = {}
        if self._num_tasks > 0:
            where = {"job": self._job_name, "task": self._next_task_id}
            self._next_task_id = (self._next_task_id + 1) % self._num_tasks
        return DeviceSpec(replica=self._replica, device_type=self._device_type, device_index=self._device_index, **where).to_string()
