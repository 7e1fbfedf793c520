"""tf.contrib.slim.adaptive_clipping_fn: clips gradients by a moving average of their norm."""

from .. import basics, dtypes, engine, initializers
from ..exports import export
from ..ops import IndexedSlices
from ..summaries import ops as summary
from ..training.moving_averages import assign_moving_average
from ..variable_scope import get_variable, variable_scope


def _usual_length(norm, std_factor, decay, global_step, epsilon, name):
    """(The largest norm allowed, the moving mean of the log norm)"""
    with variable_scope(name, "AdaptiveMaxNorm", [norm]):
        log_norm = engine.log(norm + epsilon)
        if global_step is not None:
            n = basics.cast(global_step, dtypes.float32)
            decay = engine.minimum(decay, n / (n + 1.0))

        def average(name, value):
            kept = get_variable(name, shape=value.get_shape(), dtype=value.dtype, initializer=initializers.zeros_initializer(), trainable=False)
            return assign_moving_average(kept, value, decay, zero_debias=False)

        mean = average("mean", log_norm)
        squares = average("sq_mean", engine.square(log_norm))
        variance = squares - engine.square(mean)
        return engine.exp(mean + std_factor * engine.sqrt(engine.maximum(epsilon, variance))), mean


@export("contrib.slim.adaptive_clipping_fn")
def adaptive_clipping_fn(std_factor=2.0, decay=0.95, static_max_norm=None, global_step=None, report_summary=False, epsilon=1e-8, name=None):
    """A function for optimize_loss()'s clip_gradients."""
    def clip(grads_and_vars):
        gradients, variables = zip(*grads_and_vars)
        norm = engine.global_norm(gradients)
        most, log_mean = _usual_length(norm, std_factor, decay, global_step, epsilon, name)
        if report_summary:
            summary.scalar("global_norm/adaptive_max_gradient_norm", most)
        factor = engine.where(norm < most, engine.ones_like(norm), engine.exp(log_mean) / norm)
        if static_max_norm is not None:
            factor = engine.minimum(static_max_norm / norm, factor)

        def scaled(gradient):
            if isinstance(gradient, IndexedSlices):
                return IndexedSlices(gradient.values * factor, gradient.indices, gradient.dense_shape)
            return None if gradient is None else gradient * factor

        return list(zip([scaled(g) for g in gradients], variables))

    return clip
