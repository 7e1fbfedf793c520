"""tf.train.experimental.LossScale and kin: factors of losses that keep small gradients in the range of 16-bit floats; MixedPrecisionLossScaleOptimizer."""

import abc

from .. import basics, dtypes, engine, ops
from ..control_flow import cond, group, smart_cond
from ..distribute import contexts
from ..distribute.reduce_op import ReduceOp
from ..exports import export
from ..ops import IndexedSlices
from ..util import nest
from ..variable_base import Variable, VariableAggregation, VariableSynchronization
from .optimizer import Optimizer
from .tracking import base


def _graph_key():
    return None if ops.executing_eagerly() else ops.get_default_graph()._graph_key


@export("train.experimental.LossScale")
class LossScale(base.Trackable):
    """Base of loss scales. Subclasses define __call__(), which gives the scale, update(grads), which returns an update and whether gradients are to be applied, and
    get_config()."""

    def __init__(self):
        self._weights = {}

    @abc.abstractmethod
    def __call__(self):
        """The scale as a scalar tensor of type float32."""

    @abc.abstractmethod
    def update(self, grads):
        """(an operation that adapts the scale to gradients, whether these should be applied)"""

    @abc.abstractmethod
    def get_config(self):
        """The arguments of the constructor."""

    @classmethod
    def from_config(cls, config):
        return cls(**config)

    def _add_weight(self, name, initial_value, dtype=None):
        """A variable of the scale, not trained; each graph has its own."""
        key = name, _graph_key()
        if key in self._weights:
            raise RuntimeError("Duplicate variables detected. %s" % (key,))
        self._weights[key] = Variable(initial_value=initial_value, name=name, dtype=dtype, trainable=False, use_resource=True, synchronization=VariableSynchronization.AUTO,
                                      aggregation=VariableAggregation.NONE)
        if base.deferred:
            base.restore_deferred()
        return self._weights[key]

    @property
    def _checkpoint_dependencies(self):
        mine = [base.TrackableReference(name, variable) for (name, graph), variable in sorted(self._weights.items(), key=lambda item: item[0][0]) if graph == _graph_key()]
        return super()._checkpoint_dependencies + mine

    def _lookup_dependency(self, name):
        found = super()._lookup_dependency(name)
        return self._weights.get((name, _graph_key())) if found is None else found


def get_loss_scale_weights(loss_scale):
    return loss_scale._weights.values()


@export("train.experimental.FixedLossScale")
class FixedLossScale(LossScale):
    """A scale that never changes."""

    def __init__(self, loss_scale_value):
        super().__init__()
        if not isinstance(loss_scale_value, (int, float)):
            raise ValueError("loss_scale_value must be a Python int or float.")
        if loss_scale_value < 1:
            raise ValueError("loss_scale_value must be at least 1.")
        self._loss_scale_value = float(loss_scale_value)

    def __call__(self):
        return ops.convert_to_tensor(self._loss_scale_value)

    def update(self, grads):
        return engine.no_op(), True

    def __repr__(self):
        return "FixedLossScale(%s)" % self._loss_scale_value

    def get_config(self):
        return {"loss_scale_value": self._loss_scale_value}


def _all_finite(grads):
    return engine.reduce_all([engine.reduce_all(engine.is_finite(g)) for g in grads if g is not None])


def _operation(tensor):
    return tensor if ops.executing_eagerly() else tensor.op


@export("train.experimental.DynamicLossScale")
class DynamicLossScale(LossScale):
    """A scale that is multiplied after `increment_period` steps with finite gradients, and divided after each step without; these gradients are not applied."""

    def __init__(self, initial_loss_scale=2**15, increment_period=2000, multiplier=2.0):
        super().__init__()
        self.initial_loss_scale, self.increment_period, self.multiplier = float(initial_loss_scale), int(increment_period), float(multiplier)
        self._current_loss_scale = self._add_weight("current_loss_scale", self.initial_loss_scale, dtypes.float32)
        self._num_good_steps = self._add_weight("good_steps", 0, dtypes.int64)

    def __call__(self):
        return ops.convert_to_tensor(self._current_loss_scale)

    def update(self, grads):
        grads = nest.flatten(grads)
        if contexts.has_strategy():
            strategy = contexts.get_strategy()
            finite = strategy.extended.call_for_each_replica(lambda g: basics.cast(_all_finite(g), dtypes.float32), args=(grads,))
            is_finite = engine.equal(strategy.reduce(ReduceOp.SUM, finite, axis=None), strategy.num_replicas_in_sync)
        else:
            is_finite = _all_finite(grads)
        return cond(is_finite, self._after_finite, self._after_infinite), is_finite

    def _after_finite(self):
        scale, steps = self._current_loss_scale, self._num_good_steps

        def increase():
            larger = scale * self.multiplier
            grown = cond(engine.is_finite(larger), lambda: _operation(scale.assign(larger)), engine.no_op)
            return group(grown, steps.assign(0))

        return cond(steps + 1 >= self.increment_period, increase, lambda: _operation(steps.assign_add(1)))

    def _after_infinite(self):
        smaller = engine.maximum(self._current_loss_scale / self.multiplier, 1)
        return group(self._num_good_steps.assign(0), self._current_loss_scale.assign(smaller))

    def __repr__(self):
        fixed = "initial_loss_scale=%s, increment_period=%s, multiplier=%s" % (self.initial_loss_scale, self.increment_period, self.multiplier)
        if not ops.executing_eagerly():
            return "DynamicLossScale(%s)" % fixed
        return "DynamicLossScale(current_loss_scale=%s, num_good_steps=%s, %s)" % (self._current_loss_scale.numpy(), self._num_good_steps.numpy(), fixed)

    def get_config(self):
        return {"initial_loss_scale": self.initial_loss_scale, "increment_period": self.increment_period, "multiplier": self.multiplier}


def get(identifier):
    """The LossScale for a number, "dynamic", a LossScale or None."""
    if isinstance(identifier, (int, float)):
        return FixedLossScale(identifier)
    if identifier == "dynamic":
        return DynamicLossScale()
    if identifier is None or isinstance(identifier, LossScale):
        return identifier
    raise ValueError("Could not interpret loss scale identifier: %s" % identifier)


@export("train.experimental.MixedPrecisionLossScaleOptimizer")
class MixedPrecisionLossScaleOptimizer(Optimizer):
    """Multiplies the loss of another optimizer by a scale and divides the gradients by it. With a dynamic scale, gradients that are not finite are not applied."""

    def __init__(self, opt, loss_scale):
        if not isinstance(opt, Optimizer):
            raise ValueError('"opt" must be an instance of Optimizer, but got: %s' % type(opt))
        super().__init__(opt._use_locking, opt.get_name())
        self._optimizer, self._loss_scale = opt, get(loss_scale)
        self._track_trackable(self._optimizer, "base_optimizer")
        self._track_trackable(self._loss_scale, "loss_scale")

    def compute_gradients(self, loss, var_list=None, gate_gradients=Optimizer.GATE_OP, aggregation_method=None, colocate_gradients_with_ops=False, grad_loss=None):
        scale = self._loss_scale()
        scaled = (lambda: loss() * scale) if callable(loss) else loss * scale
        pairs = self._optimizer.compute_gradients(scaled, var_list, gate_gradients, aggregation_method, colocate_gradients_with_ops, grad_loss)
        factor = 1 / self._loss_scale()
        return [(self._scaled(g, factor), v) for g, v in pairs]

    @staticmethod
    def _scaled(grad, factor):
        if isinstance(grad, IndexedSlices):
            return IndexedSlices(grad.values * factor, grad.indices, grad.dense_shape)
        return grad if grad is None else grad * factor

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        if contexts.in_cross_replica_context():
            raise ValueError("apply_gradients() must be called in a replica context.")
        if not isinstance(self._loss_scale, DynamicLossScale):
            return self._optimizer.apply_gradients(grads_and_vars, global_step, name)
        return contexts.get_replica_context().merge_call(self._distributed_apply, args=(tuple(grads_and_vars), global_step, name))

    def _distributed_apply(self, strategy, grads_and_vars, global_step=None, name=None):
        name = self.get_name() if name is None else name
        update, should_apply = self._loss_scale.update([g for g, _ in grads_and_vars])

        def apply():
            done = strategy.extended.call_for_each_replica(self._optimizer.apply_gradients, args=(grads_and_vars, global_step, name + "-wrapped"))
            return strategy.group(done)

        return group(smart_cond(should_apply, apply, engine.no_op), update, name=name)
