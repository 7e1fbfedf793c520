"""tf.contrib.layers' regularizers."""

import numbers

from .. import engine, ops
from ..platform import tf_logging as logging
from .arg_scope import both


def _check(scale, text):
    """Whether the scale disables the regularizer; ValueError if it is invalid."""
    if isinstance(scale, numbers.Integral):
        raise ValueError("scale cannot be an integer: %s" % (scale,))
    if isinstance(scale, numbers.Real):
        if scale < 0.0:
            raise ValueError(text % scale)
        if scale == 0.0:
            logging.info("Scale of 0 disables regularizer.")
            return True
    return False


def _nothing(_):
    return None


@both("l1_regularizer")
def l1_regularizer(scale, scope=None):
    """scale * sum(|weights|)"""
    if _check(scale, "Setting a scale less than 0 on a regularizer: %g"):
        return _nothing

    def l1(weights, name=None):
        with ops.name_scope(scope, "l1_regularizer", [weights]) as name:
            factor = ops.convert_to_tensor(scale, dtype=weights.dtype.base_dtype, name="scale")
            return engine.multiply(factor, engine.reduce_sum(engine.abs(weights)), name=name)

    return l1


@both("l2_regularizer")
def l2_regularizer(scale, scope=None):
    """scale * sum(weights²) / 2"""
    if _check(scale, "Setting a scale less than 0 on a regularizer: %g."):
        return _nothing

    def l2(weights):
        with ops.name_scope(scope, "l2_regularizer", [weights]) as name:
            factor = ops.convert_to_tensor(scale, dtype=weights.dtype.base_dtype, name="scale")
            return engine.multiply(factor, engine.nn.l2_loss(weights), name=name)

    return l2


@both("l1_l2_regularizer")
def l1_l2_regularizer(scale_l1=1.0, scale_l2=1.0, scope=None):
    """The sum of l1_regularizer and l2_regularizer."""
    for name, scale in (("scale_l1", scale_l1), ("scale_l2", scale_l2)):
        if isinstance(scale, numbers.Integral):
            raise ValueError("%s cannot be an integer: %s" % (name, scale))
    scope = scope or "l1_l2_regularizer"
    if scale_l1 == 0.0:
        return l2_regularizer(scale_l2, scope)
    if scale_l2 == 0.0:
        return l1_regularizer(scale_l1, scope)
    return sum_regularizer([l1_regularizer(scale_l1), l2_regularizer(scale_l2)], scope=scope)


@both("sum_regularizer")
def sum_regularizer(regularizer_list, scope=None):
    """The sum of several regularizers."""
    regularizers = [r for r in regularizer_list if r is not None]
    if not regularizers:
        return None

    def sum_of(weights):
        with ops.name_scope(scope, "sum_regularizer", [weights]) as name:
            values = [v for v in [r(weights) for r in regularizers] if v is not None]
            return engine.add_n(values, name=name) if values else None

    return sum_of


@both("apply_regularization")
def apply_regularization(regularizer, weights_list=None):
    """The sum of a regularizer over several variables, added to the regularization losses."""
    weights = weights_list or ops.get_collection(ops.GraphKeys.WEIGHTS)
    if not weights:
        raise ValueError("No weights to regularize.")
    with ops.name_scope("get_regularization_penalty", values=weights) as scope:
        values = [regularizer(w) for w in weights]
        values = [ops.constant(0.0) if v is None else v for v in values]
        for v in values:
            if v.get_shape().ndims != 0:
                raise ValueError("regularizer must return a scalar Tensor instead of a Tensor with rank %d." % v.get_shape().ndims)
        total = engine.add_n(values, name=scope)
        ops.add_to_collection(ops.GraphKeys.REGULARIZATION_LOSSES, total)
        return total
