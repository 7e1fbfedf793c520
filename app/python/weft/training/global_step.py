"""The step counter of a training."""

from .. import dtypes, initializers, ops
from ..exports import export
from ..ops import Tensor
from ..platform import tf_logging as logging
from ..variable_base import Variable, VariableAggregation
from ..variable_scope import get_variable
from ..variables import assign_add

_READ = "global_step_read_op_cache"


@export("train.global_step")
def global_step(sess, global_step_tensor):
    """The value of the step counter as a Python number."""
    if ops.executing_eagerly():
        return int(global_step_tensor.numpy())
    return int(sess.run(global_step_tensor))


@export("train.get_global_step")
def get_global_step(graph=None):
    """The graph's counter: from the collection "global_step", else the tensor of that name, else None."""
    graph = graph or ops.get_default_graph()
    found = graph.get_collection("global_step")
    if len(found) > 1:
        logging.error("Multiple tensors in global_step collection.")
        return None
    if found:
        step = found[0]
    else:
        try:
            step = graph.get_tensor_by_name("global_step:0")
        except KeyError:
            return None
    assert_global_step(step)
    return step


@export("train.create_global_step")
def create_global_step(graph=None):
    """Creates the counter. ValueError if the graph has one."""
    graph = graph or ops.get_default_graph()
    if get_global_step(graph) is not None:
        raise ValueError('"global_step" already exists.')
    with graph.as_default() as g, g.name_scope(None):
        return get_variable("global_step", shape=[], dtype=dtypes.int64, initializer=initializers.zeros_initializer(), trainable=False,
                            aggregation=VariableAggregation.ONLY_FIRST_REPLICA, collections=["variables", "global_step"])


@export("train.get_or_create_global_step")
def get_or_create_global_step(graph=None):
    """The graph's counter, created if there is none."""
    graph = graph or ops.get_default_graph()
    step = get_global_step(graph)
    return create_global_step(graph) if step is None else step


@export("train.assert_global_step")
def assert_global_step(global_step_tensor):
    """TypeError unless it is an integer scalar."""
    step = global_step_tensor
    if not isinstance(step, (Variable, Tensor)):
        raise TypeError('Existing "global_step" must be a Variable or Tensor: %s.' % step)
    if not step.dtype.base_dtype.is_integer:
        raise TypeError('Existing "global_step" does not have integer type: %s' % step.dtype)
    shape = step.get_shape()
    if shape.ndims != 0 and shape.is_fully_defined():
        raise TypeError('Existing "global_step" is not scalar: %s' % shape)


def read_step(graph=None, make=True):
    """A tensor that reads the counter, created once per graph; None without a counter."""
    graph = graph or ops.get_default_graph()
    found = graph.get_collection(_READ)
    if len(found) > 1:
        raise RuntimeError("There are multiple items in collection {}. There should be only one.".format(_READ))
    if found or not make:
        return found[0] if found else None
    step = get_global_step(graph)
    if step is None:
        return None
    with graph.as_default() as g, g.name_scope(None), g.name_scope(step.op.name + "/"):
        value = (step.initialized_value() if isinstance(step, Variable) else step) + 0
        ops.add_to_collection(_READ, value)
    return value


def _increment_global_step(increment, graph=None):
    """Increments the counter, after the step has been read."""
    graph = graph or ops.get_default_graph()
    step = get_global_step(graph)
    if step is None:
        raise ValueError("Global step tensor should be created by tf.train.get_or_create_global_step before calling increment.")
    read = read_step(graph)
    with graph.as_default() as g, g.name_scope(None), g.name_scope(step.op.name + "/"):
        with ops.control_dependencies([read]):
            return assign_add(step, increment)
