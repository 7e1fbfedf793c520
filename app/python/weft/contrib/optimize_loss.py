"""tf.contrib.layers.optimize_loss: one training step with summaries, clipping and decay."""

from .. import basics, engine, initializers, ops
from ..control_flow import with_dependencies
from ..exports import export, export_value
from ..ops import IndexedSlices, Tensor
from ..summaries.ops import histogram, scalar
from ..training.global_step import assert_global_step, get_global_step
from ..training.optimizer import Optimizer
from ..training.optimizers import AdagradOptimizer, AdamOptimizer, FtrlOptimizer, GradientDescentOptimizer, MomentumOptimizer, RMSPropOptimizer
from ..variable_scope import get_variable, variable_scope
from ..variables import trainable_variables

OPTIMIZER_CLS_NAMES = {"Adagrad": AdagradOptimizer, "Adam": AdamOptimizer, "Ftrl": FtrlOptimizer, "Momentum": MomentumOptimizer,
                       "RMSProp": RMSPropOptimizer, "SGD": GradientDescentOptimizer}
export_value(OPTIMIZER_CLS_NAMES, "contrib.layers.OPTIMIZER_CLS_NAMES", "contrib.slim.OPTIMIZER_CLS_NAMES")
OPTIMIZER_SUMMARIES = export_value(["learning_rate", "loss", "gradients", "gradient_norm", "global_gradient_norm"], "contrib.layers.OPTIMIZER_SUMMARIES",
                                  "contrib.slim.OPTIMIZER_SUMMARIES")


def _optimizer(optimizer, rate, learning_rate):
    if isinstance(optimizer, str):
        if rate is None:
            raise ValueError("Learning rate is None, but should be specified if optimizer is string (%s)." % optimizer)
        if optimizer not in OPTIMIZER_CLS_NAMES:
            raise ValueError("Optimizer name should be one of [%s], you provided %s." % (", ".join(OPTIMIZER_CLS_NAMES), optimizer))
        more = {"momentum": 0.9} if optimizer == "Momentum" else {}
        return OPTIMIZER_CLS_NAMES[optimizer](learning_rate=rate, **more)
    if isinstance(optimizer, type) and issubclass(optimizer, Optimizer):
        if rate is None:
            raise ValueError("Learning rate is None, but should be specified if optimizer is class (%s)." % optimizer)
        return optimizer(learning_rate=rate)
    if isinstance(optimizer, Optimizer):
        return optimizer
    if callable(optimizer):
        made = optimizer(rate) if learning_rate is not None else optimizer()
        if not isinstance(made, Optimizer):
            raise ValueError("Unrecognized optimizer: function should return subclass of Optimizer. Got %s." % str(made))
        return made
    raise ValueError("Unrecognized optimizer: should be string, subclass of Optimizer, instance of subclass of Optimizer or function with one argument. Got %s." % str(optimizer))


def _values(gradient):
    return gradient.values if isinstance(gradient, IndexedSlices) else gradient


def _scaled(gradient, by):
    return IndexedSlices(gradient.values * by, gradient.indices, gradient.dense_shape) if isinstance(gradient, IndexedSlices) else gradient * by


def _noisy(pairs, scale):
    out = []
    for gradient, variable in pairs:
        if gradient is not None:
            shape = gradient.dense_shape if isinstance(gradient, IndexedSlices) else gradient.get_shape()
            gradient = gradient + engine.truncated_normal(shape) * scale
        out.append((gradient, variable))
    return out


def _multiplied(pairs, multipliers):
    out = []
    for gradient, variable in pairs:
        factor = multipliers.get(variable, multipliers.get(variable.name))
        if gradient is not None and factor is not None:
            gradient = _scaled(gradient, factor) if isinstance(gradient, IndexedSlices) else gradient * basics.cast(factor, gradient.dtype)
        out.append((gradient, variable))
    return out


@export("contrib.layers.optimize_loss", "contrib.slim.optimize_loss")
def optimize_loss(loss, global_step, learning_rate, optimizer, gradient_noise_scale=None, gradient_multipliers=None, clip_gradients=None, learning_rate_decay_fn=None,
                  update_ops=None, variables=None, name=None, summaries=None, colocate_gradients_with_ops=False, increment_global_step=True):
    """A tensor that takes one optimizer step when evaluated and returns the loss."""
    loss = ops.convert_to_tensor(loss)
    if loss.get_shape().ndims not in (0, None):
        raise ValueError("Expected scalar shape for %s, saw shape: %s." % (loss.name, loss.get_shape()))
    if global_step is None:
        global_step = get_global_step()
    else:
        assert_global_step(global_step)
    with variable_scope(name, "OptimizeLoss", [loss, global_step]):
        if update_ops is None:
            update_ops = set(ops.get_collection(ops.GraphKeys.UPDATE_OPS))
        if update_ops:
            loss = with_dependencies(list(update_ops), loss)
        rate = None
        if learning_rate is not None:
            if isinstance(learning_rate, Tensor) and learning_rate.get_shape().ndims == 0:
                rate = learning_rate
            elif isinstance(learning_rate, float):
                if learning_rate < 0.0:
                    raise ValueError("Invalid learning_rate %s.", learning_rate)
                rate = get_variable("learning_rate", [], trainable=False, initializer=initializers.constant_initializer(learning_rate))
            else:
                raise ValueError("Learning rate should be 0d Tensor or float. Got %s of type %s" % (str(learning_rate), str(type(learning_rate))))
        if summaries is None:
            summaries = ["loss", "learning_rate", "global_gradient_norm"]
        for summary in summaries:
            if summary not in OPTIMIZER_SUMMARIES:
                raise ValueError("Summaries should be one of [%s], you provided %s." % (", ".join(OPTIMIZER_SUMMARIES), summary))
        if learning_rate is not None and learning_rate_decay_fn is not None:
            if global_step is None:
                raise ValueError("global_step is required for learning_rate_decay_fn.")
            rate = learning_rate_decay_fn(rate, global_step)
            if "learning_rate" in summaries:
                scalar("learning_rate", rate)
        opt = _optimizer(optimizer, rate, learning_rate)
        pairs = opt.compute_gradients(loss, trainable_variables() if variables is None else variables, colocate_gradients_with_ops=colocate_gradients_with_ops)
        if gradient_noise_scale is not None:
            pairs = _noisy(pairs, gradient_noise_scale)
        if gradient_multipliers is not None:
            pairs = _multiplied(pairs, gradient_multipliers)
            if not pairs:
                raise ValueError("Empty list of (gradient, var) pairs encountered. This is most likely to be caused by an improper value of gradient_multipliers.")
        norms = "global_gradient_norm" in summaries or "gradient_norm" in summaries
        if norms:
            scalar("global_norm/gradient_norm", engine.global_norm([g for g, _ in pairs]))
        if isinstance(clip_gradients, float):
            clipped, _ = engine.clip_by_global_norm([g for g, _ in pairs], clip_gradients)
            pairs = list(zip(clipped, [v for _, v in pairs]))
        elif callable(clip_gradients):
            pairs = clip_gradients(pairs)
        elif clip_gradients is not None:
            raise ValueError("Unknown type %s for clip_gradients" % type(clip_gradients))
        if "loss" in summaries:
            scalar("loss", loss)
        for gradient, variable in pairs:
            values = _values(gradient)
            if values is not None:
                shown = variable.name.replace(":", "_")
                if "gradients" in summaries:
                    histogram("gradients/%s" % shown, values)
                if "gradient_norm" in summaries:
                    scalar("gradient_norm/%s" % shown, engine.global_norm([values]))
        if clip_gradients is not None and norms:
            scalar("global_norm/clipped_gradient_norm", engine.global_norm([g for g, _ in pairs]))
        updates = opt.apply_gradients(pairs, global_step=global_step if increment_global_step else None, name="train")
        return with_dependencies([updates], loss)
