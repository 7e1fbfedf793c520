"""Which strategy, and which of its replicas, the code that runs belongs to."""

import threading

from .. import ops
from ..exports import export
from .reduce_op import ReduceOp

default = None  # the mode outside all strategies; set by default.py


class Mode:
    """The state between entering and leaving a strategy, or one of its replicas. `replica` is None in cross-replica context."""

    __slots__ = ("strategy", "replica")

    def __init__(self, strategy, replica=None):
        self.strategy, self.replica = strategy, replica


class _Stack(threading.local):
    def __init__(self):
        super().__init__()
        self.modes = []
        self.update_device = None


def _of_graph():
    graph = ops.get_default_graph()
    while graph.building_function:
        graph = graph.outer_graph
    return graph.__dict__.setdefault("_strategy_stack", _Stack())


def push(mode):
    _of_graph().modes.append(mode)


def pop():
    _of_graph().modes.pop()


def current():
    """The innermost mode of this thread in the default graph."""
    modes = _of_graph().modes
    return modes[-1] if modes else default


def active_strategy():
    """The strategy in whose scope the code runs; None outside all of them."""
    modes = _of_graph().modes
    return modes[-1].strategy if modes and modes[-1].strategy is not default.strategy else None


def update_device():
    """The device whose components an update() function changes now, or None."""
    return _of_graph().update_device


class updating:
    """Context manager for the function of an update() on one device."""

    def __init__(self, device):
        self._device = device

    def __enter__(self):
        self._stack = _of_graph()
        self._old, self._stack.update_device = self._stack.update_device, self._device

    def __exit__(self, *unused):
        self._stack.update_device = self._old


class cross_replica:
    """Context manager for the cross-replica context of a strategy."""

    def __init__(self, strategy):
        self._strategy = strategy

    def __enter__(self):
        push(Mode(self._strategy))

    def __exit__(self, *unused):
        pop()


@export("distribute.get_strategy")
def get_strategy():
    """The current strategy; the default one outside all scopes."""
    return current().strategy


@export("distribute.has_strategy")
def has_strategy():
    """Whether a strategy other than the default is in use."""
    return current().strategy is not default.strategy


@export("distribute.in_cross_replica_context")
def in_cross_replica_context():
    return current().replica is None


@export("distribute.get_replica_context")
def get_replica_context():
    """The context of the current replica; None in cross-replica context."""
    return current().replica


def refuse_mirrored(what, instead):
    """Raises for a function that would train one replica only of a strategy that mirrors variables."""
    strategy = active_strategy()
    if strategy is not None and hasattr(strategy.extended, "_cross_device_ops"):
        raise NotImplementedError("%s in the scope of a %s is not supported: %s" % (what, type(strategy).__name__, instead))


def wrong_strategy(strategy):
    """Raises the error for a call that needs the scope of `strategy`."""
    if not has_strategy():
        raise RuntimeError('Need to be inside "with strategy.scope()" for %s' % (strategy,))
    raise RuntimeError("Mixing different tf.distribute.Strategy objects: %s is not %s" % (current().strategy, strategy))


def require_scope(strategy):
    if current().strategy is not strategy:
        wrong_strategy(strategy)


def require_cross_replica(strategy):
    """Raises unless in cross-replica context of the strategy, or outside all strategies."""
    mode = current()
    if mode is default or mode.replica is None and mode.strategy is strategy:
        return
    if mode.strategy is not strategy:
        wrong_strategy(strategy)
    raise RuntimeError("Method requires being in cross-replica context, use get_replica_context().merge_call()")


def require_replica(replica):
    mode = current()
    if mode.replica is replica:
        return
    if mode.replica is None:
        raise RuntimeError("Need to be inside `call_for_each_replica()`")
    if mode.strategy is replica.strategy:
        raise RuntimeError("Mismatching ReplicaContext.")
    raise RuntimeError("Mismatching tf.distribute.Strategy objects: %s is not %s." % (mode.strategy, replica.strategy))


@export("distribute.get_loss_reduction")
def get_loss_reduction():
    """The ReduceOp with which losses of replicas are combined: SUM unless an Estimator scales them and the last loss is a mean."""
    if not get_strategy()._scale_loss_for_estimator:
        return ReduceOp.SUM
    last = getattr(ops.get_default_graph(), "_last_loss_reduction", None)
    return ReduceOp.SUM if last in ("weighted_sum", "sum") else ReduceOp.MEAN
