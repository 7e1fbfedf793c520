"""tf.train.experimental.enable_mixed_precision_graph_rewrite: sessions compute products with shorter floats, and an optimizer scales its loss."""

from .. import config, protos, session
from ..exports import export
from ..platform import tf_logging
from . import mixed_precision_global_state as state
from .loss_scales import MixedPrecisionLossScaleOptimizer
from .optimizer import Optimizer


def _wrap_optimizer(opt, loss_scale, use_v1_behavior):
    names = [cls.__name__ for cls in type(opt).__mro__]
    for kind in ("MixedPrecisionLossScaleOptimizer", "LossScaleOptimizer"):
        if names[0] == kind:
            raise ValueError('"opt" must not already be an instance of a %s. `enable_mixed_precision_graph_rewrite` will automatically wrap the optimizer with a %s.' % (kind, kind))
    if isinstance(opt, Optimizer):
        return MixedPrecisionLossScaleOptimizer(opt, loss_scale)
    if "OptimizerV2" in names:
        raise NotImplementedError("Losses of Keras optimizers are not scaled: give enable_mixed_precision_graph_rewrite() a tf.train optimizer")
    raise ValueError('"opt" must be an instance of a %stf.keras.optimizers.Optimizer, but got: %s' % ("tf.train.Optimizer or a " if use_v1_behavior else "", opt))


def _enable(opt, loss_scale, use_v1_behavior):
    if not state.using_default_mixed_precision_policy:
        raise ValueError("The mixed precision graph rewrite cannot be enabled, because a keras mixed precision Policy has been set. Use one of both.")
    if state.non_mixed_precision_session_created:
        tf_logging.warn("You already have existing Sessions that do not use mixed precision. enable_mixed_precision_graph_rewrite() will not affect these Sessions.")
    opt = _wrap_optimizer(opt, loss_scale, use_v1_behavior)
    config.set_experimental_options({"auto_mixed_precision": True})
    state.mixed_precision_graph_rewrite_is_enabled = True
    return opt


def enable_mixed_precision_graph_rewrite(opt, loss_scale="dynamic"):
    """The form of version 2."""
    return _enable(opt, loss_scale, use_v1_behavior=False)


@export("train.experimental.enable_mixed_precision_graph_rewrite")
def enable_mixed_precision_graph_rewrite_v1(opt, loss_scale="dynamic"):
    """Turns the rewrite on for sessions made from now on, and returns the optimizer with a loss scale."""
    return _enable(opt, loss_scale, use_v1_behavior=True)


def disable_mixed_precision_graph_rewrite():
    """Turns the rewrite off for sessions made from now on. Optimizers keep their loss scales."""
    if not state.mixed_precision_graph_rewrite_is_enabled:
        tf_logging.warn("disable_mixed_precision_graph_rewrite() called when mixed precision is already disabled.")
    config.set_experimental_options({"auto_mixed_precision": False})
    state.mixed_precision_graph_rewrite_is_enabled = False


@export("train.experimental.disable_mixed_precision_graph_rewrite")
def disable_mixed_precision_graph_rewrite_v1():
    """Turns the rewrite off for sessions made from now on. Optimizers keep their loss scales."""
    disable_mixed_precision_graph_rewrite()


def _with_mixed_precision(given):
    """A new session's settings with the rewrite, if it is on and they do not turn it off."""
    asked = given.graph_options.rewrite_options.auto_mixed_precision if given is not None else 0
    if state.mixed_precision_graph_rewrite_is_enabled and asked != protos.RewriterConfig.OFF:
        made = protos.ConfigProto()
        if given is not None:
            made.CopyFrom(given)
        made.graph_options.rewrite_options.auto_mixed_precision = protos.RewriterConfig.ON
        return made
    if asked != protos.RewriterConfig.ON:
        state.non_mixed_precision_session_created = True
    return given


session.adapt_config = _with_mixed_precision
