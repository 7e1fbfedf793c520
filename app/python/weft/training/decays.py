"""Learning rates that change with the step: schedule classes, and the functions of tf.train that call them."""

import functools
import math

from .. import basics, dtypes, engine, ops
from ..control_flow import case, cond
from ..exports import export


class LearningRateSchedule:
    """A learning rate as a function of the step. `_defaults` holds its parameters after the first."""

    _scope = ""
    _fields = ()

    def __init__(self, **values):
        self.name = values.pop("name", None)
        self.__dict__.update(values)

    def get_config(self):
        """The arguments that recreate the schedule."""
        config = {field: getattr(self, field) for field in self._fields}
        config["name"] = self.name
        return config

    @classmethod
    def from_config(cls, config):
        return cls(**config)

    def __call__(self, step):
        with ops.name_scope(self.name or self._scope) as scope:
            return self._rate(step, scope)

    def _rate(self, step, scope):
        raise NotImplementedError("%s does not say its rate." % type(self).__name__)

    def _initial(self):
        return ops.convert_to_tensor(self.initial_learning_rate, name="initial_learning_rate")


export("keras.optimizers.schedules.LearningRateSchedule")(LearningRateSchedule)


@export("keras.optimizers.schedules.ExponentialDecay")
class ExponentialDecay(LearningRateSchedule):
    """initial * decay_rate ** (step / decay_steps)"""

    _scope, _fields = "ExponentialDecay", ("initial_learning_rate", "decay_steps", "decay_rate", "staircase")

    def __init__(self, initial_learning_rate, decay_steps, decay_rate, staircase=False, name=None):
        super().__init__(initial_learning_rate=initial_learning_rate, decay_steps=decay_steps, decay_rate=decay_rate, staircase=staircase, name=name)

    def _rate(self, step, scope):
        rate = self._initial()
        steps, factor = basics.cast(self.decay_steps, rate.dtype), basics.cast(self.decay_rate, rate.dtype)
        p = basics.cast(step, rate.dtype) / steps
        if self.staircase:
            p = engine.floor(p)
        return engine.multiply(rate, engine.pow(factor, p), name=scope)


@export("keras.optimizers.schedules.InverseTimeDecay")
class InverseTimeDecay(ExponentialDecay):
    """initial / (1 + decay_rate * step / decay_steps)"""

    _scope = "InverseTimeDecay"

    def _rate(self, step, scope):
        rate = self._initial()
        steps, factor = basics.cast(self.decay_steps, rate.dtype), basics.cast(self.decay_rate, rate.dtype)
        p = basics.cast(step, rate.dtype) / steps
        if self.staircase:
            p = engine.floor(p)
        one = basics.cast(ops.constant(1), rate.dtype)
        return engine.divide(rate, engine.add(one, engine.multiply(factor, p)), name=scope)


@export("keras.optimizers.schedules.PiecewiseConstantDecay")
class PiecewiseConstantDecay(LearningRateSchedule):
    """values[i] up to boundaries[i], the last one after them."""

    _scope, _fields = "PiecewiseConstant", ("boundaries", "values")

    def __init__(self, boundaries, values, name=None):
        if len(boundaries) != len(values) - 1:
            raise ValueError("The length of boundaries should be 1 less than the length of values")
        super().__init__(boundaries=boundaries, values=values, name=name)

    def _rate(self, step, scope):
        bounds = [ops.convert_to_tensor(b) for b in self.boundaries]
        values = [ops.convert_to_tensor(v) for v in self.values]
        x = ops.convert_to_tensor(step)
        bounds = [b if b.dtype.base_dtype == x.dtype.base_dtype else basics.cast(b, x.dtype.base_dtype) for b in bounds]
        pairs = [(x <= bounds[0], lambda: values[0]), (x > bounds[-1], lambda: values[-1])]
        for low, high, value in zip(bounds[:-1], bounds[1:], values[1:-1]):
            pairs.append(((x > low) & (x <= high), lambda value=value: value))
        return case(pairs, lambda: values[0], exclusive=True)


@export("keras.optimizers.schedules.PolynomialDecay")
class PolynomialDecay(LearningRateSchedule):
    """The initial rate decays to the end rate as a power of the remaining fraction of steps."""

    _scope, _fields = "PolynomialDecay", ("initial_learning_rate", "decay_steps", "end_learning_rate", "power", "cycle")

    def __init__(self, initial_learning_rate, decay_steps, end_learning_rate=0.0001, power=1.0, cycle=False, name=None):
        super().__init__(initial_learning_rate=initial_learning_rate, decay_steps=decay_steps, end_learning_rate=end_learning_rate, power=power,
                         cycle=cycle, name=name)

    def _rate(self, step, scope):
        rate = self._initial()
        end, power = basics.cast(self.end_learning_rate, rate.dtype), basics.cast(self.power, rate.dtype)
        at, steps = basics.cast(step, rate.dtype), basics.cast(self.decay_steps, rate.dtype)
        if self.cycle:
            times = cond(engine.equal(at, 0), lambda: 1.0, lambda: engine.ceil(at / self.decay_steps))
            steps = engine.multiply(steps, times)
        else:
            at = engine.minimum(at, self.decay_steps)
        p = engine.divide(at, steps)
        return engine.add(engine.multiply(rate - end, engine.pow(1 - p, power)), end, name=scope)


@export("keras.experimental.CosineDecay")
class CosineDecay(LearningRateSchedule):
    """Half a cosine down to alpha * initial."""

    _scope, _fields = "CosineDecay", ("initial_learning_rate", "decay_steps", "alpha")

    def __init__(self, initial_learning_rate, decay_steps, alpha=0.0, name=None):
        super().__init__(initial_learning_rate=initial_learning_rate, decay_steps=decay_steps, alpha=alpha, name=name)

    def _rate(self, step, scope):
        rate = self._initial()
        steps, at = basics.cast(self.decay_steps, rate.dtype), basics.cast(step, rate.dtype)
        done = engine.minimum(at, steps) / steps
        cosine = 0.5 * (1.0 + engine.cos(ops.constant(math.pi) * done))
        return engine.multiply(rate, (1 - self.alpha) * cosine + self.alpha)


@export("keras.experimental.CosineDecayRestarts")
class CosineDecayRestarts(LearningRateSchedule):
    """Half cosines in sequence; the length and start of each are those of the one before times a factor."""

    _scope, _fields = "SGDRDecay", ("initial_learning_rate", "first_decay_steps", "t_mul", "m_mul", "alpha")

    def __init__(self, initial_learning_rate, first_decay_steps, t_mul=2.0, m_mul=1.0, alpha=0.0, name=None):
        super().__init__(initial_learning_rate=initial_learning_rate, first_decay_steps=first_decay_steps, t_mul=t_mul, m_mul=m_mul, alpha=alpha,
                         name=name)

    def _rate(self, step, scope):
        rate = self._initial()
        first, alpha, longer, lower = (basics.cast(v, rate.dtype) for v in (self.first_decay_steps, self.alpha, self.t_mul, self.m_mul))
        done = basics.cast(step, rate.dtype) / first

        def within(geometric):
            if not geometric:
                count = engine.floor(done)
                return count, done - count
            count = engine.floor(engine.log(1.0 - done * (1.0 - longer)) / engine.log(longer))
            before = (1.0 - longer ** count) / (1.0 - longer)
            return count, (done - before) / longer ** count

        restarts, fraction = cond(engine.equal(longer, 1.0), lambda: within(False), lambda: within(True))
        factor = lower ** restarts
        cosine = 0.5 * factor * (1.0 + engine.cos(ops.constant(math.pi) * fraction))
        return engine.multiply(rate, (1 - alpha) * cosine + alpha, name=scope)


@export("keras.experimental.LinearCosineDecay")
class LinearCosineDecay(LearningRateSchedule):
    """A line times a cosine, plus beta."""

    _scope, _fields = "LinearCosineDecay", ("initial_learning_rate", "decay_steps", "num_periods", "alpha", "beta")
    _noisy = False

    def __init__(self, initial_learning_rate, decay_steps, num_periods=0.5, alpha=0.0, beta=0.001, name=None):
        super().__init__(initial_learning_rate=initial_learning_rate, decay_steps=decay_steps, num_periods=num_periods, alpha=alpha, beta=beta, name=name)

    def _rate(self, step, scope):
        rate = self._initial()
        steps = basics.cast(self.decay_steps, rate.dtype)
        if self._noisy:
            first, falling = basics.cast(self.initial_variance, rate.dtype), basics.cast(self.variance_decay, rate.dtype)
        periods, alpha, beta = (basics.cast(v, rate.dtype) for v in (self.num_periods, self.alpha, self.beta))
        at = engine.minimum(basics.cast(step, rate.dtype), steps)
        line = (steps - at) / steps
        if self._noisy:
            deviation = engine.sqrt(first / engine.pow(1.0 + at, falling))
            line = line + engine.random_normal(line.shape, stddev=deviation)
        done = at / steps
        fraction = 2.0 * periods * done
        cosine = 0.5 * (1.0 + engine.cos(ops.constant(math.pi) * fraction))
        return engine.multiply(rate, (alpha + line) * cosine + beta, name=scope)


@export("keras.experimental.NoisyLinearCosineDecay")
class NoisyLinearCosineDecay(LinearCosineDecay):
    """As LinearCosineDecay, with noise on the line."""

    _scope, _noisy = "NoisyLinearCosineDecay", True
    _fields = ("initial_learning_rate", "decay_steps", "initial_variance", "variance_decay", "num_periods", "alpha", "beta")

    def __init__(self, initial_learning_rate, decay_steps, initial_variance=1.0, variance_decay=0.55, num_periods=0.5, alpha=0.0, beta=0.001, name=None):
        LearningRateSchedule.__init__(self, initial_learning_rate=initial_learning_rate, decay_steps=decay_steps, initial_variance=initial_variance,
                                      variance_decay=variance_decay, num_periods=num_periods, alpha=alpha, beta=beta, name=name)


def _decayed(schedule, step):
    """The rate at a step; while execution is eager, a function that reads the step when it is called."""
    return functools.partial(schedule, step) if ops.executing_eagerly() else schedule(step)


@export("train.exponential_decay")
def exponential_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None):
    """learning_rate * decay_rate ** (global_step / decay_steps); `staircase`: the quotient is rounded down."""
    return _decayed(ExponentialDecay(learning_rate, decay_steps, decay_rate, staircase=staircase, name=name), global_step)


@export("train.piecewise_constant_decay", "train.piecewise_constant")
def piecewise_constant(x, boundaries, values, name=None):
    """values[i] while x is at most boundaries[i], the last value after them."""
    bounds = [ops.convert_to_tensor(b) for b in boundaries]
    values = [ops.convert_to_tensor(v) for v in values]
    at = ops.convert_to_tensor(x)
    for i, b in enumerate(bounds):
        if b.dtype.base_dtype != at.dtype.base_dtype:
            if b.dtype.base_dtype != dtypes.int32 or at.dtype.base_dtype != dtypes.int64:
                raise ValueError("Boundaries (%s) must have the same dtype as x (%s)." % (b.dtype.base_dtype, at.dtype.base_dtype))
            bounds[i] = basics.cast(b, dtypes.int64)
    for v in values[1:]:
        if v.dtype.base_dtype != values[0].dtype.base_dtype:
            raise ValueError("Values must have elements all with the same dtype (%s vs %s)." % (values[0].dtype.base_dtype, v.dtype.base_dtype))
    return _decayed(PiecewiseConstantDecay(bounds, values, name=name), x)


@export("train.polynomial_decay")
def polynomial_decay(learning_rate, global_step, decay_steps, end_learning_rate=0.0001, power=1.0, cycle=False, name=None):
    """From learning_rate to end_learning_rate within decay_steps; `cycle`: repeats."""
    return _decayed(PolynomialDecay(learning_rate, decay_steps, end_learning_rate=end_learning_rate, power=power, cycle=cycle, name=name), global_step)


@export("train.natural_exp_decay")
def natural_exp_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None):
    """learning_rate * exp(-decay_rate * global_step / decay_steps)"""
    rate = engine.exp(engine.negative(decay_rate))
    return _decayed(ExponentialDecay(learning_rate, decay_steps, rate, staircase=staircase, name=name), global_step)


@export("train.inverse_time_decay")
def inverse_time_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None):
    """learning_rate / (1 + decay_rate * global_step / decay_steps)"""
    return _decayed(InverseTimeDecay(learning_rate, decay_steps, decay_rate, staircase=staircase, name=name), global_step)


@export("train.cosine_decay")
def cosine_decay(learning_rate, global_step, decay_steps, alpha=0.0, name=None):
    """Half a cosine from learning_rate down to alpha * learning_rate."""
    return _decayed(CosineDecay(learning_rate, decay_steps, alpha=alpha, name=name), global_step)


@export("train.cosine_decay_restarts")
def cosine_decay_restarts(learning_rate, global_step, first_decay_steps, t_mul=2.0, m_mul=1.0, alpha=0.0, name=None):
    """Half cosines in sequence; each is t_mul times as long as the one before and starts at m_mul times its height."""
    return _decayed(CosineDecayRestarts(learning_rate, first_decay_steps, t_mul=t_mul, m_mul=m_mul, alpha=alpha, name=name), global_step)


@export("train.linear_cosine_decay")
def linear_cosine_decay(learning_rate, global_step, decay_steps, num_periods=0.5, alpha=0.0, beta=0.001, name=None):
    """A line times a cosine."""
    return _decayed(LinearCosineDecay(learning_rate, decay_steps, num_periods=num_periods, alpha=alpha, beta=beta, name=name), global_step)


@export("train.noisy_linear_cosine_decay")
def noisy_linear_cosine_decay(learning_rate, global_step, decay_steps, initial_variance=1.0, variance_decay=0.55, num_periods=0.5, alpha=0.0,
                              beta=0.001, name=None):
    """As linear_cosine_decay(), with noise whose variance decays with the step."""
    return _decayed(NoisyLinearCosineDecay(learning_rate, decay_steps, initial_variance, variance_decay, num_periods, alpha, beta, name=name), global_step)
