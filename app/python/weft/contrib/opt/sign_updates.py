"""AddSign and PowerSign (Bello and others 2017): steps whose size says whether a gradient and its moving average agree in sign, and decays of that part."""

import math

from ... import basics, dtypes, engine, ops
from ...control_flow import group
from ...exports import export
from ...training.optimizer import Optimizer
from ...variables import assign, scatter_sub


class _SignOptimizer(Optimizer):
    """learning rate × multiplier × gradient, where the subclass computes the multiplier from sign(gradient) × sign(moving average)."""

    _op = ""      # ApplyAddSign and ResourceApplyAddSign without their prefix
    _factor = ""  # the name of the op's input that _factor_t holds

    def __init__(self, learning_rate, beta, sign_decay_fn, use_locking, name):
        super().__init__(use_locking, name)
        self._lr, self._beta, self._sign_decay_fn = learning_rate, beta, sign_decay_fn
        self._lr_t = self._beta_t = self._sign_decay_t = None

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        if self._sign_decay_fn is not None:
            self._sign_decay_t = ops.convert_to_tensor(self._sign_decay_fn(global_step), name="sign_decay")
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def _create_slots(self, var_list):
        for v in var_list:
            self._zeros_slot(v, "m", self._name)

    def _prepare(self):
        self._lr_t = ops.convert_to_tensor(self._lr, name="learning_rate")
        self._beta_t = ops.convert_to_tensor(self._beta, name="beta")
        self._prepare_factor()
        if self._sign_decay_fn is None:
            self._sign_decay_t = ops.convert_to_tensor(1.0, name="sign_decay")

    def _apply(self, prefix, var, target, m, grad):
        rate, factor, decay, beta = (basics.cast(t, var.dtype.base_dtype) for t in (self._lr_t, self._factor_tensor(), self._sign_decay_t, self._beta_t))
        inputs = {"var": target, "m": m, "lr": rate, self._factor: factor, "sign_decay": decay, "beta": beta, "grad": grad}
        return getattr(engine.raw_ops, prefix + self._op)(use_locking=self._use_locking, **inputs)

    def _apply_dense(self, grad, var):
        return self._apply("Apply", var, var, self.get_slot(var, "m"), grad).op

    def _resource_apply_dense(self, grad, var):
        return self._apply("ResourceApply", var, var.handle, self.get_slot(var, "m").handle, grad)

    def _apply_sparse(self, grad, var):
        rate, factor, decay, beta = (basics.cast(t, var.dtype.base_dtype) for t in (self._lr_t, self._factor_tensor(), self._sign_decay_t, self._beta_t))
        m = self.get_slot(var, "m")
        mean = assign(m, m * beta + grad * (1 - beta), use_locking=self._use_locking)
        sign = engine.sign(grad.values)
        agreement = engine.gather(engine.sign(mean), grad.indices) * sign
        step = rate * self._multiplier(factor, decay, agreement) * grad.values
        return group(scatter_sub(var, grad.indices, step, use_locking=self._use_locking), mean)


@export("contrib.opt.AddSignOptimizer")
class AddSignOptimizer(_SignOptimizer):
    """The multiplier is alpha + sign decay × agreement."""

    _op, _factor = "AddSign", "alpha"

    def __init__(self, learning_rate=0.1, alpha=1.0, beta=0.9, sign_decay_fn=None, use_locking=False, name="AddSignOptimizer"):
        super().__init__(learning_rate, beta, sign_decay_fn, use_locking, name)
        self._alpha, self._alpha_t = alpha, None

    def _prepare_factor(self):
        self._alpha_t = ops.convert_to_tensor(self._alpha, name="alpha")

    def _factor_tensor(self):
        return self._alpha_t

    @staticmethod
    def _multiplier(factor, decay, agreement):
        return factor + decay * agreement


@export("contrib.opt.PowerSignOptimizer")
class PowerSignOptimizer(_SignOptimizer):
    """The multiplier is base to the power of sign decay × agreement."""

    _op, _factor = "PowerSign", "logbase"

    def __init__(self, learning_rate=0.1, base=math.e, beta=0.9, sign_decay_fn=None, use_locking=False, name="PowerSignOptimizer"):
        super().__init__(learning_rate, beta, sign_decay_fn, use_locking, name)
        self._logbase, self._logbase_t = math.log(base), None

    def _prepare_factor(self):
        self._logbase_t = ops.convert_to_tensor(self._logbase, name="logbase")

    def _factor_tensor(self):
        return self._logbase_t

    @staticmethod
    def _multiplier(factor, decay, agreement):
        return engine.pow(basics.cast(math.e, agreement.dtype), factor * decay * agreement)


def _checked(global_step, decay, decay_steps):
    if global_step is None:
        raise ValueError("global_step is required for %s_decay." % decay)
    return engine.minimum(global_step, decay_steps)


def get_linear_decay_fn(decay_steps):
    """A function of the step: from 1 to 0 in a line over `decay_steps` steps."""
    def linear_decay_fn(global_step):
        step = _checked(global_step, "linear", decay_steps)
        left = basics.cast(decay_steps, dtypes.int32) - basics.cast(step, dtypes.int32)
        return engine.maximum(0.0, basics.cast(left, dtypes.float32) / basics.cast(decay_steps, dtypes.float32))

    return linear_decay_fn


def get_cosine_decay_fn(decay_steps, num_periods=0.5, zero_after=None):
    """A function of the step: (1 + cos) / 2 with `num_periods` periods over `decay_steps` steps; 0 after `zero_after` periods."""
    def cosine_decay_fn(global_step):
        step = _checked(global_step, "cosine", decay_steps)
        fraction = 2.0 * num_periods * (basics.cast(step, dtypes.float32) / basics.cast(decay_steps, dtypes.float32))
        decayed = 0.5 * (1.0 + engine.cos(ops.constant(math.pi) * fraction))
        return decayed if zero_after is None else engine.where(engine.greater_equal(fraction, 2 * zero_after), 0.0, decayed)

    return cosine_decay_fn


def get_restart_decay_fn(decay_steps, num_periods=1, zero_after=None):
    """A function of the step: (1 + cos) / 2 over half a period, which starts `num_periods` times in `decay_steps` steps."""
    def restart_decay_fn(global_step):
        step = _checked(global_step, "cosine", decay_steps)
        steps = basics.cast(decay_steps, dtypes.float32)
        fraction = engine.mod(num_periods * basics.cast(step, dtypes.float32), decay_steps) / steps
        decayed = 0.5 * (1.0 + engine.cos(ops.constant(math.pi) * fraction))
        if zero_after is None:
            return decayed
        return engine.where(engine.greater_equal(basics.cast(num_periods * step, dtypes.float32) / steps, zero_after), 0.0, decayed)

    return restart_decay_fn
