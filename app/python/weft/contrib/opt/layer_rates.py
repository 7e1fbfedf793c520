"""LARS, which scales the learning rate by the norms of each layer, and Adagrad that can leave its accumulators alone."""

import contextlib

from ... import basics, engine
from ...exports import export
from ...training.optimizers import AdagradOptimizer, MomentumOptimizer


@export("contrib.opt.LARSOptimizer")
class LARSOptimizer(MomentumOptimizer):
    """Momentum with layer-wise adaptive rates, for large batches (You, Gitman and Ginsburg 2017). Sparse gradients take plain momentum.

    Variables whose names contain a text of `skip_list` keep the plain rate and do not decay."""

    def __init__(self, learning_rate, momentum=0.9, weight_decay=0.0001, eeta=0.001, epsilon=0.0, name="LARSOptimizer", skip_list=None, use_nesterov=False):
        if momentum < 0.0:
            raise ValueError("momentum should be positive: %s" % momentum)
        if weight_decay < 0.0:
            raise ValueError("weight_decay should be positive: %s" % weight_decay)
        super().__init__(learning_rate, momentum, use_locking=False, name=name, use_nesterov=use_nesterov)
        self._weight_decay, self._eeta, self._epsilon, self._skip_list = weight_decay, eeta, epsilon, skip_list

    def compute_lr(self, grad, var):
        """(learning rate of the variable, gradient with the weight decay)"""
        if self._skip_list is not None and any(text in var.name for text in self._skip_list):
            return self._learning_rate, grad
        weight, slope = engine.norm(var, ord=2), engine.norm(grad, ord=2)
        ratio = self._eeta * weight / (slope + self._weight_decay * weight + self._epsilon)
        trust = engine.where(engine.greater(weight, 0), engine.where(engine.greater(slope, 0), ratio, 1.0), 1.0)
        return self._learning_rate * trust, grad + self._weight_decay * var

    def _scaled(self, prefix, var, target, slot, grad):
        rate, grad = self.compute_lr(grad, var)
        return getattr(engine.raw_ops, prefix + "ApplyMomentum")(var=target, accum=slot, lr=basics.cast(1.0, var.dtype.base_dtype), grad=grad * rate,
                                                                 momentum=self._momentum, use_locking=False, use_nesterov=self._use_nesterov)

    def _apply_dense(self, grad, var):
        return self._scaled("", var, var, self.get_slot(var, "momentum"), grad)

    def _resource_apply_dense(self, grad, var):
        return self._scaled("Resource", var, var.handle, self.get_slot(var, "momentum").handle, grad)


@export("contrib.opt.RegAdagradOptimizer")
class RegAdagradOptimizer(AdagradOptimizer):
    """Adagrad whose accumulators stay as they are inside of avoid_updating_slots(): for losses that only regularize."""

    def __init__(self, learning_rate, initial_accumulator_value=0.1, use_locking=False, name="RegAdagrad"):
        super().__init__(learning_rate, initial_accumulator_value=initial_accumulator_value, use_locking=use_locking, name=name)
        self._should_update_slots = True

    @contextlib.contextmanager
    def avoid_updating_slots(self):
        before, self._should_update_slots = self._should_update_slots, False
        try:
            yield
        finally:
            self._should_update_slots = before

    def _attrs(self):
        return {"use_locking": self._use_locking, "update_slots": self._should_update_slots}
