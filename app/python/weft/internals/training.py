"""Parts of tensorflow.python.training that libraries use: optimizer processors for variables, saver builders, round-robin placement."""

from ..training.optimizer import _Target
from ..training.saveables import SaveableObject, SaveSpec
from ..training.saver_builder import SaverBuilder
from ..training.slots import key_of as _var_key  # noqa: F401 (re-exported)


def _get_processor(v):
    """How an optimizer handles a variable: target() is the tensor to differentiate by, update_op(optimizer, gradient) updates it."""
    return _Target(v)


class BaseSaverBuilder(SaverBuilder):
    """Builds the nodes of savers; programs derive their SaveableObjects from its members."""

    SaveSpec = SaveSpec
    SaveableObject = SaveableObject


class BulkSaverBuilder(BaseSaverBuilder):
    """Reads all tensors with one node, as all builders do here."""


class _RoundRobinStrategy:
    """The number of the next parameter server, in turn."""

    def __init__(self, num_tasks):
        self._num_tasks, self._next_task = num_tasks, 0

    def __call__(self, unused_op):
        task = self._next_task
        self._next_task = (task + 1) % self._num_tasks
        return task
