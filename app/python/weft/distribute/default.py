"""The strategy outside all scopes: one replica, placed as the program says."""

from .. import dtypes, ops
from ..exports import export
from . import contexts
from .inputs import DefaultIterator, InputContext, make_numpy_variables
from .strategy import OneReplicaExtended, ReplicaContext, Strategy


class _DefaultScope:
    def __init__(self, strategy):
        self._strategy = strategy

    def __enter__(self):
        if contexts.has_strategy():
            raise RuntimeError("Must not nest tf.distribute.Strategy scopes.")
        return self._strategy

    def __exit__(self, *unused):
        """Has no effect."""


class _DefaultExtended(OneReplicaExtended):
    """One replica on one device, or as the program places it."""

    experimental_between_graph = False
    experimental_require_static_shapes = experimental_should_init = should_checkpoint = should_save_summary = None
    worker_devices = parameter_devices = property(lambda self: self._no_devices())

    def _no_devices(self):
        raise RuntimeError("worker_devices() and parameter_devices() are not available without a distribution strategy.")

    def _scope(self, strategy):
        return _DefaultScope(strategy)

    def colocate_vars_with(self, colocate_with_variable):
        return ops.colocate_with(colocate_with_variable)

    def variable_created_in_scope(self, v):
        return getattr(v, "_distribute_strategy", None) is None

    def _make_dataset_iterator(self, dataset):
        return DefaultIterator(dataset)

    def _make_input_fn_iterator(self, input_fn):
        return DefaultIterator(input_fn(InputContext()))

    def _experimental_distribute_dataset(self, dataset):
        return dataset

    def _experimental_distribute_datasets_from_function(self, dataset_fn):
        return dataset_fn(InputContext())

    def _experimental_make_numpy_dataset(self, numpy_input, session):
        return make_numpy_variables(numpy_input, session, True)

    def _call_for_each_replica(self, fn, args, kwargs):
        with ReplicaContext(self._container_strategy(), ops.constant(0, dtypes.int32)):
            return fn(*args, **kwargs)

    def non_slot_devices(self, var_list):
        return min(var_list, key=lambda v: v.name)


class _DefaultDistributionStrategy(Strategy):
    """The strategy outside all scopes."""

    def __deepcopy__(self, memo):
        raise RuntimeError("Should only create a single instance of _DefaultDistributionStrategy")


_default = _DefaultDistributionStrategy.__new__(_DefaultDistributionStrategy)
Strategy.__init__(_default, _DefaultExtended(_default))
contexts.default = contexts.Mode(_default, ReplicaContext(_default, 0))


@export("distribute.experimental_set_strategy")
def experimental_set_strategy(strategy):
    """Makes a strategy current without a `with` statement; None ends this."""
    state = ops.get_default_graph().__dict__
    old = state.pop("_strategy_scope", None)
    if old is not None:
        old.__exit__(None, None, None)
    if contexts.has_strategy():
        raise RuntimeError("Must not be called inside a `tf.distribute.Strategy` scope.")
    if strategy is not None:
        scope = strategy.scope()
        scope.__enter__()
        state["_strategy_scope"] = scope
