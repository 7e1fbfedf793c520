"""tf.distribute with the default strategy only: one replica. Lets programs that may be distributed run."""

import enum
import threading

from . import engine, ops
from .control_flow import group
from .exports import export
from .variable_base import VariableAggregation


@export("distribute.ReduceOp")
class ReduceOp(enum.Enum):
    """How values of several replicas are combined."""

    SUM = "SUM"
    MEAN = "MEAN"

    @staticmethod
    def from_variable_aggregation(aggregation):
        """The ReduceOp of a variable's aggregation."""
        found = {VariableAggregation.SUM: ReduceOp.SUM, VariableAggregation.MEAN: ReduceOp.MEAN}.get(aggregation)
        if found is None:
            raise ValueError("Could not convert from `tf.VariableAggregation` %s to`tf.distribute.ReduceOp` type" % aggregation)
        return found


def _as_reduce_op(op):
    return ReduceOp(op.upper()) if isinstance(op, str) else op


class _Extended:
    """The `extended` interface of a strategy that libraries use, for one replica on one device or as the program places it."""

    experimental_between_graph = False
    experimental_require_static_shapes = experimental_should_init = should_checkpoint = should_save_summary = None
    worker_devices = parameter_devices = property(lambda self: self._no_devices())

    def _no_devices(self):
        raise RuntimeError("worker_devices() and parameter_devices() are not available without a distribution strategy.")

    def colocate_vars_with(self, colocate_with_variable):
        return ops.colocate_with(colocate_with_variable)

    def variable_created_in_scope(self, v):
        return True

    def call_for_each_replica(self, fn, args=(), kwargs=None):
        return fn(*args, **(kwargs or {}))

    def reduce_to(self, reduce_op, value, destinations):
        return value

    def batch_reduce_to(self, reduce_op, value_destination_pairs):
        return [value for value, _ in value_destination_pairs]

    def broadcast_to(self, tensor, destinations):
        return tensor

    def update(self, var, fn, args=(), kwargs=None, group=True):
        return self.update_non_slot(var, fn, (var,) + tuple(args), kwargs, group)

    def update_non_slot(self, colocate_with, fn, args=(), kwargs=None, group=True):
        with ops.colocate_with(colocate_with), _cross_replica():
            result = fn(*args, **(kwargs or {}))
        return result if group else (result,)

    def read_var(self, replica_local_var):
        return engine.identity(replica_local_var)

    def value_container(self, value):
        return value

    def non_slot_devices(self, var_list):
        return min(var_list, key=lambda v: v.name)


@export("distribute.Strategy")
class Strategy:
    """A distribution strategy; only the default one exists here."""

    def __init__(self, extended):
        self._extended = extended

    extended = property(lambda self: self._extended)
    num_replicas_in_sync = property(lambda self: 1)

    def scope(self):
        """Has no effect: the default strategy is already current."""
        return _Scope(self)

    def colocate_vars_with(self, colocate_with_variable):
        return self.extended.colocate_vars_with(colocate_with_variable)

    def experimental_run_v2(self, fn, args=(), kwargs=None):
        return self.extended.call_for_each_replica(fn, args, kwargs)

    def reduce(self, reduce_op, value, axis=None):
        """The value, summed or averaged over an axis if one is given."""
        reduce_op = _as_reduce_op(reduce_op)
        if axis is None:
            return value
        return (engine.reduce_sum if reduce_op is ReduceOp.SUM else engine.reduce_mean)(value, axis=axis)

    def experimental_local_results(self, value):
        return (value,)

    def unwrap(self, value):
        return (value,)

    def group(self, value, name=None):
        return group(value, name=name)

    def experimental_distribute_dataset(self, dataset):
        return dataset

    def configure(self, session_config=None, cluster_spec=None, task_type=None, task_id=None):
        """Has no effect: there are no other tasks."""

    def update_config_proto(self, config_proto):
        return config_proto


class _DefaultDistributionStrategy(Strategy):
    pass


class _Scope:
    def __init__(self, strategy):
        self._strategy = strategy

    def __enter__(self):
        return self._strategy

    def __exit__(self, *unused):
        """Has no effect."""


@export("distribute.ReplicaContext")
class ReplicaContext:
    """The context of the only replica."""

    def __init__(self, strategy, replica_id_in_sync_group):
        self._strategy, self._replica_id = strategy, replica_id_in_sync_group

    strategy = property(lambda self: self._strategy)
    replica_id_in_sync_group = property(lambda self: self._replica_id)
    num_replicas_in_sync = property(lambda self: self._strategy.num_replicas_in_sync)

    def merge_call(self, merge_fn, args=(), kwargs=None):
        """merge_fn(strategy, …), called for all replicas together."""
        with _cross_replica():
            return merge_fn(self._strategy, *args, **(kwargs or {}))

    def all_reduce(self, reduce_op, value):
        """The value unchanged: there is only one replica."""
        from .util import nest

        _as_reduce_op(reduce_op)
        flat = [ops.convert_to_tensor(v) for v in nest.flatten(value)]
        made = list(engine.raw_ops.IdentityN(input=flat))
        return nest.pack_sequence_as(value, made) if nest.is_sequence(value) else made[0]


_state = threading.local()


class _cross_replica:
    """Context manager for cross-replica context."""

    def __enter__(self):
        _state.depth = getattr(_state, "depth", 0) + 1

    def __exit__(self, *unused):
        _state.depth -= 1


_strategy = _DefaultDistributionStrategy(_Extended())
_replica = ReplicaContext(_strategy, 0)


@export("distribute.get_strategy")
def get_strategy():
    return _strategy


@export("distribute.has_strategy")
def has_strategy():
    """Whether a strategy other than the default is in use: always False here."""
    return False


@export("distribute.in_cross_replica_context")
def in_cross_replica_context():
    return getattr(_state, "depth", 0) > 0


@export("distribute.get_replica_context")
def get_replica_context():
    return None if in_cross_replica_context() else _replica


@export("distribute.get_loss_reduction")
def get_loss_reduction():
    """The ReduceOp for the losses of replicas."""
    return ReduceOp.SUM
