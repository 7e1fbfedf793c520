"""Parts of tensorflow.python.training that libraries use: optimizer processors for variables, saver builders, round-robin placement."""

from .. import ops
from ..training.optimizer import _Target
from ..training.saveables import ReferenceSaveable, ResourceSaveable, SaveableObject, SaveSpec
from ..training.saver import Saver
from ..training.saver_builder import SaverBuilder
from ..training.slots import key_of as _var_key  # noqa: F401 (re-exported)


def _get_processor(v):
    """How an optimizer handles a variable: target() is the tensor to differentiate by, update_op(optimizer, gradient) updates it."""
    return _Target(v)


class BaseSaverBuilder(SaverBuilder):
    """Builds the nodes of savers; programs derive their SaveableObjects from its members."""

    SaveSpec = SaveSpec
    SaveableObject = SaveableObject
    VariableSaveable = ReferenceSaveable
    ResourceVariableSaveable = ResourceSaveable


class BulkSaverBuilder(BaseSaverBuilder):
    """Reads all tensors with one node, as all builders do here."""


def _get_saver_or_default():
    """The saver of the graph's collection; a new one, which is added to it, if there is none. RuntimeError if there are several."""
    savers = ops.get_collection_ref(ops.GraphKeys.SAVERS)
    if len(savers) > 1:
        raise RuntimeError("More than one item in collection {}. Please indicate which one to use by passing it to the constructor.".format(ops.GraphKeys.SAVERS))
    if not savers:
        savers.append(Saver(sharded=True, allow_empty=True))
    return savers[0]


class _RoundRobinStrategy:
    """The number of the next parameter server, in turn."""

    def __init__(self, num_tasks):
        self._num_tasks, self._next_task = num_tasks, 0

    def __call__(self, unused_op):
        task = self._next_task
        self._next_task = (task + 1) % self._num_tasks
        return task
