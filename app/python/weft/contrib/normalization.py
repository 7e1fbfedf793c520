"""tf.contrib.layers: batch_norm, layer_norm and the like."""

from .. import basics, dtypes, engine, ops
from ..control_flow import cond
from ..initializers import ones_initializer, zeros_initializer
from ..layers.normalization import BatchNormalization
from ..operators import strided_slice
from ..ops import GraphKeys
from ..training.moving_averages import assign_moving_average
from ..variable_scope import get_variable_scope, variable_scope
from .arg_scope import add_arg_scope, both
from .layers import check_format, collect_variable, collected, collections_of, finished, model_getter
from .variables import model_variable


def _known(value):
    if isinstance(value, ops.Tensor):
        return ops.constant_value(value)
    return None if getattr(value, "_is_variable", False) else value


def _choose(training, yes, no):
    known = _known(training)
    return cond(training, yes, no) if known is None else yes() if known else no()


class _Parameters:
    """beta, gamma and the moving moments of one normalization."""

    def __init__(self, shape, dtype, center, scale, initializers, regularizers, variables_collections, trainable, defaults):
        def variable(name, initializer, **more):
            return model_variable(name, shape=shape, dtype=dtype, initializer=(initializers or {}).get(name, initializer()),
                                  collections=collections_of(variables_collections, name), **more)

        own = regularizers or {}
        self.beta = self.gamma = None
        if center:
            self.beta = variable("beta", zeros_initializer, regularizer=own.get("beta"), trainable=trainable)
        elif defaults:
            self.beta = ops.constant(0.0, dtype=dtype, shape=shape)
        if scale:
            self.gamma = variable("gamma", ones_initializer, regularizer=own.get("gamma"), trainable=trainable)
        elif defaults:
            self.gamma = ops.constant(1.0, dtype=dtype, shape=shape)
        with variable_scope(get_variable_scope()) as local:
            local.set_partitioner(None)
            self.mean = variable("moving_mean", zeros_initializer, trainable=False)
            self.variance = variable("moving_variance", ones_initializer, trainable=False)

    def update(self, mean, variance, decay, zero_debias):
        return (assign_moving_average(self.mean, mean, decay, zero_debias=zero_debias), assign_moving_average(self.variance, variance, decay, zero_debias=False))


def _fused(inputs, decay, center, scale, epsilon, activation_fn, initializers, regularizers, updates_collections, is_training, reuse, variables_collections,
           outputs_collections, trainable, data_format, zero_debias, scope):
    """Batch normalization by the fused op; updates go to `updates_collections`."""
    check_format(data_format)
    with variable_scope(scope, "BatchNorm", [inputs], reuse=reuse) as sc:
        inputs = original = ops.convert_to_tensor(inputs)
        rank = original.get_shape().ndims
        if rank is None:
            raise ValueError("Inputs %s has undefined rank" % inputs.name)
        if rank not in (2, 4):
            raise ValueError("Inputs %s has unsupported rank. Expected 2 or 4 but got %d" % (inputs.name, rank))
        if rank == 2:
            channels = inputs.get_shape().as_list()[-1]
            if channels is None:
                raise ValueError("`C` dimension must be known but is None")
            inputs = engine.reshape(inputs, [-1, channels, 1, 1] if data_format == "NCHW" else [-1, 1, 1, channels])
        shape = inputs.get_shape()
        size = shape[-1:] if data_format == "NHWC" else shape[1:2]
        if not size.is_fully_defined():
            raise ValueError("Inputs %s has undefined `C` dimension %s." % (inputs.name, size))
        own = _Parameters(size, dtypes.float32, center, scale, initializers, regularizers, variables_collections, trainable, True)

        def train():
            return engine.nn.fused_batch_norm(inputs, own.gamma, own.beta, epsilon=epsilon, data_format=data_format)

        def use():
            return engine.nn.fused_batch_norm(inputs, own.gamma, own.beta, mean=own.mean, variance=own.variance, epsilon=epsilon, is_training=False, data_format=data_format)

        normal, mean, variance = _choose(is_training, train, use)
        outputs = normal
        known = _known(is_training)
        if known is None or known:
            if updates_collections is None:
                def updated():
                    with ops.control_dependencies(own.update(mean, variance, decay, zero_debias)):
                        return engine.identity(normal)

                outputs = _choose(is_training, updated, lambda: normal)
            else:
                updates = _choose(is_training, lambda: own.update(mean, variance, decay, zero_debias), lambda: (own.mean, own.variance))
                for update in updates:
                    ops.add_to_collections(updates_collections, update)
        outputs.set_shape(shape)
        if rank == 2:
            outputs = engine.reshape(outputs, basics.shape(original))
        return finished(outputs, sc, None, None, activation_fn, outputs_collections)


@both("batch_norm")
@add_arg_scope
def batch_norm(inputs, decay=0.999, center=True, scale=False, epsilon=0.001, activation_fn=None, param_initializers=None, param_regularizers=None,
               updates_collections=GraphKeys.UPDATE_OPS, is_training=True, reuse=None, variables_collections=None, outputs_collections=None, trainable=True,
               batch_weights=None, fused=None, data_format="NHWC", zero_debias_moving_mean=False, scope=None, renorm=False, renorm_clipping=None, renorm_decay=0.99,
               adjustment=None):
    """Inputs shifted and scaled to mean 0 and variance 1 over the batch."""
    if fused is None:
        fused = True
    inputs = ops.convert_to_tensor(inputs)
    rank = inputs.get_shape().ndims
    usual = updates_collections == GraphKeys.UPDATE_OPS
    if fused and batch_weights is None and not renorm and rank in (2, 4) and adjustment is None and (zero_debias_moving_mean or rank == 2 or not usual):
        return _fused(inputs, decay, center, scale, epsilon, activation_fn, param_initializers, param_regularizers, updates_collections, is_training, reuse,
                      variables_collections, outputs_collections, trainable, data_format, zero_debias_moving_mean, scope)
    check_format(data_format)
    with variable_scope(scope, "BatchNorm", [inputs], reuse=reuse, custom_getter=model_getter()) as sc:
        inputs = ops.convert_to_tensor(inputs)
        if batch_weights is None and usual and not zero_debias_moving_mean:
            init, own = param_initializers or {}, param_regularizers or {}
            layer = BatchNormalization(
                axis=1 if data_format == "NCHW" else -1, momentum=decay, epsilon=epsilon, center=center, scale=scale,
                beta_initializer=init.get("beta", zeros_initializer()), gamma_initializer=init.get("gamma", ones_initializer()),
                moving_mean_initializer=init.get("moving_mean", zeros_initializer()),
                moving_variance_initializer=init.get("moving_variance", ones_initializer()), beta_regularizer=own.get("beta"), gamma_regularizer=own.get("gamma"),
                trainable=trainable, renorm=renorm, renorm_clipping=renorm_clipping, renorm_momentum=renorm_decay, adjustment=adjustment, name=sc.name, _scope=sc,
                _reuse=reuse, fused=fused)
            outputs = layer.apply(inputs, training=is_training)
            for name in ("moving_mean", "moving_variance", "beta", "gamma"):
                if getattr(layer, name) is not None:
                    collect_variable(getattr(layer, name), variables_collections, name)
            return finished(outputs, sc, None, None, activation_fn, outputs_collections)
        if renorm:
            raise ValueError("renorm is not supported with batch_weights, updates_collections or zero_debias_moving_mean")
        outputs = _by_moments(inputs, decay, center, scale, epsilon, param_initializers, updates_collections, is_training, variables_collections, trainable, batch_weights,
                              data_format, zero_debias_moving_mean)
        return finished(outputs, sc, None, None, activation_fn, outputs_collections)


def _by_moments(inputs, decay, center, scale, epsilon, initializers, updates_collections, is_training, variables_collections, trainable, weights, data_format, zero_debias):
    shape = inputs.get_shape()
    rank = shape.ndims
    if rank is None:
        raise ValueError("Inputs %s has undefined rank." % inputs.name)
    first = data_format == "NCHW"
    if weights is not None:
        weights = ops.convert_to_tensor(weights)
        shape[0:1].assert_is_compatible_with(weights.get_shape())
        weights = engine.reshape(weights, [-1] + [1] * (rank - 1))
    axes = [0] + list(range(2, rank)) if first else list(range(rank - 1))
    size = shape[1:2] if first else shape[-1:]
    if not size.is_fully_defined():
        raise ValueError("Inputs %s has undefined channels dimension %s." % (inputs.name, size))
    own = _Parameters(size, inputs.dtype.base_dtype, center, scale, initializers, None, variables_collections, trainable, False)
    known = _known(is_training)
    if known is None or known:
        if weights is None:
            mean, variance = engine.nn.moments(inputs, axes, keep_dims=True) if first else engine.nn.moments(inputs, axes)
        else:
            mean, variance = engine.nn.weighted_moments(inputs, axes, weights, keepdims=True) if first else engine.nn.weighted_moments(inputs, axes, weights)
        if first:
            mean, variance = engine.reshape(mean, [-1]), engine.reshape(variance, [-1])
        batch, moving = (mean, variance), lambda: (own.mean, own.variance)
        if updates_collections is None:
            def updated():
                with ops.control_dependencies(own.update(batch[0], batch[1], decay, zero_debias)):
                    return engine.identity(batch[0]), engine.identity(batch[1])

            mean, variance = _choose(is_training, updated, moving)
        else:
            for update in _choose(is_training, lambda: own.update(batch[0], batch[1], decay, zero_debias), moving):
                ops.add_to_collections(updates_collections, update)
            mean, variance = _choose(is_training, lambda: batch, moving)
    else:
        mean, variance = own.mean, own.variance
    beta, gamma = own.beta, own.gamma
    if first:
        wide = [1, shape.as_list()[1]] + [1] * (rank - 2)
        mean, variance, beta, gamma = (None if v is None else engine.reshape(v, wide) for v in (mean, variance, beta, gamma))
    outputs = engine.nn.batch_normalization(inputs, mean, variance, beta, gamma, epsilon)
    outputs.set_shape(shape)
    return outputs


@both("layer_norm")
@add_arg_scope
def layer_norm(inputs, center=True, scale=True, activation_fn=None, reuse=None, variables_collections=None, outputs_collections=None, trainable=True, begin_norm_axis=1,
               begin_params_axis=-1, scope=None):
    """Each example shifted and scaled to mean 0 and variance 1."""
    with variable_scope(scope, "LayerNorm", [inputs], reuse=reuse) as sc:
        inputs = ops.convert_to_tensor(inputs)
        shape = inputs.shape
        rank = shape.ndims
        if rank is None:
            raise ValueError("Inputs %s has undefined rank." % inputs.name)
        dtype = inputs.dtype.base_dtype
        if begin_norm_axis < 0:
            begin_norm_axis += rank
        if begin_params_axis >= rank or begin_norm_axis >= rank:
            raise ValueError("begin_params_axis (%d) and begin_norm_axis (%d) must be < rank(inputs) (%d)" % (begin_params_axis, begin_norm_axis, rank))
        size = shape[begin_params_axis:]
        if not size.is_fully_defined():
            raise ValueError("Inputs %s: shape(inputs)[%s:] is not fully defined: %s" % (inputs.name, begin_params_axis, shape))

        def variable(name, initializer):
            return model_variable(name, shape=size, dtype=dtype, initializer=initializer, collections=collections_of(variables_collections, name), trainable=trainable)

        beta = variable("beta", zeros_initializer()) if center else None
        gamma = variable("gamma", ones_initializer()) if scale else None
        mean, variance = engine.nn.moments(inputs, list(range(begin_norm_axis, rank)), keep_dims=True)
        outputs = engine.nn.batch_normalization(inputs, mean, variance, offset=beta, scale=gamma, variance_epsilon=1e-12 if dtype != dtypes.float16 else 1e-3)
        outputs.set_shape(shape)
        return finished(outputs, sc, None, None, activation_fn, outputs_collections)


@both("unit_norm")
@add_arg_scope
def unit_norm(inputs, dim, epsilon=1e-7, scope=None):
    """Scales the vectors along `dim` to length 1."""
    with variable_scope(scope, "UnitNorm", [inputs]):
        if not inputs.get_shape():
            raise ValueError("The input rank must be known.")
        rank = inputs.get_shape().ndims
        if dim < 0 or dim >= rank:
            raise ValueError("dim must be positive but smaller than the input rank.")
        lengths = engine.sqrt(epsilon + engine.reduce_sum(engine.square(inputs), dim, True))
        multiples = [engine.ones([dim], dtypes.int32)] if dim > 0 else []
        multiples.append(strided_slice(basics.shape(inputs), [dim], [dim + 1]))
        if dim < rank - 1:
            multiples.append(engine.ones([rank - 1 - dim], dtypes.int32))
        return engine.div(inputs, engine.tile(lengths, engine.concat(multiples, 0)))


@both("one_hot_encoding")
@add_arg_scope
def one_hot_encoding(labels, num_classes, on_value=1.0, off_value=0.0, outputs_collections=None, scope=None):
    """Rows with one element on."""
    with ops.name_scope(scope, "OneHotEncoding", [labels, num_classes]) as sc:
        labels = ops.convert_to_tensor(labels)
        if labels.dtype == dtypes.int32:
            labels = basics.to_int64(labels)
        return collected(outputs_collections, sc, engine.one_hot(labels, num_classes, on_value=on_value, off_value=off_value))
