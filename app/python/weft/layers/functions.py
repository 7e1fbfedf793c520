"""tf.layers.dense and similar functions, which create a layer and call it."""

import inspect

from .. import initializers
from ..exports import export
from . import convolutional, core, normalization, pooling


def _function(name, make, order, reusable, aliases=()):
    """tf.layers.NAME(inputs, …): parameters in the order of the class, then `reuse`."""
    words = ("inputs",) + tuple(order) + (("reuse",) if reusable else ())

    def function(*args, **kwargs):
        if len(args) > len(words):
            raise TypeError("%s() takes %d positional arguments but %d were given" % (name, len(words), len(args)))
        given = dict(zip(words, args))
        twice = set(given) & set(kwargs)
        if twice:
            raise TypeError("%s() got multiple values for argument '%s'" % (name, sorted(twice)[0]))
        given.update(kwargs)
        if "inputs" not in given:
            raise TypeError("%s() missing 1 required positional argument: 'inputs'" % name)
        unknown = set(given) - set(words)
        if unknown:
            raise TypeError("%s() got an unexpected keyword argument '%s'" % (name, sorted(unknown)[0]))
        inputs = given.pop("inputs")
        if reusable:
            given["_reuse"] = given.pop("reuse", None)
            given["_scope"] = given.get("name")
        return make(**given)(inputs)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = make.__doc__
    function.__module__ = "tensorflow.layers"
    function.__signature__ = inspect.Signature([inspect.Parameter(w, inspect.Parameter.POSITIONAL_OR_KEYWORD) if w == "inputs" else
                                                inspect.Parameter(w, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None) for w in words])
    export("layers." + name, *aliases)(function)
    return function


dense = _function("dense", core.Dense, ("units", "activation", "use_bias", "kernel_initializer", "bias_initializer", "kernel_regularizer", "bias_regularizer",
                                        "activity_regularizer", "kernel_constraint", "bias_constraint", "trainable", "name"), True)
for _name, _class in (("conv1d", convolutional.Conv1D), ("conv2d", convolutional.Conv2D), ("conv3d", convolutional.Conv3D),
                      ("conv2d_transpose", convolutional.Conv2DTranspose), ("conv3d_transpose", convolutional.Conv3DTranspose),
                      ("separable_conv1d", convolutional.SeparableConv1D), ("separable_conv2d", convolutional.SeparableConv2D)):
    globals()[_name] = _function(_name, _class, _class._order, True)
for _name, _class in (("max_pooling1d", pooling.MaxPooling1D), ("max_pooling2d", pooling.MaxPooling2D), ("max_pooling3d", pooling.MaxPooling3D),
                      ("average_pooling1d", pooling.AveragePooling1D), ("average_pooling2d", pooling.AveragePooling2D),
                      ("average_pooling3d", pooling.AveragePooling3D)):
    globals()[_name] = _function(_name, _class, ("pool_size", "strides", "padding", "data_format", "name"), False)


@export("layers.dropout")
def dropout(inputs, rate=0.5, noise_shape=None, seed=None, training=False, name=None):
    """Sets a random part of the inputs to zero where `training` is true."""
    return core.Dropout(rate, noise_shape=noise_shape, seed=seed, name=name)(inputs, training=training)


@export("layers.flatten")
def flatten(inputs, name=None, data_format="channels_last"):
    """Flattens all dimensions except the batch."""
    return core.Flatten(name=name, data_format=data_format)(inputs)


@export("layers.batch_normalization")
def batch_normalization(inputs, axis=-1, momentum=0.99, epsilon=1e-3, center=True, scale=True, beta_initializer=initializers.zeros_initializer(), gamma_initializer=initializers.ones_initializer(),
                        moving_mean_initializer=initializers.zeros_initializer(), moving_variance_initializer=initializers.ones_initializer(), beta_regularizer=None, gamma_regularizer=None,
                        beta_constraint=None, gamma_constraint=None, training=False, trainable=True, name=None, reuse=None, renorm=False, renorm_clipping=None,
                        renorm_momentum=0.99, fused=None, virtual_batch_size=None, adjustment=None):
    """Inputs shifted and scaled to mean 0 and variance 1; the updates of the moving averages are in the collection UPDATE_OPS."""
    layer = normalization.BatchNormalization(
        axis=axis, momentum=momentum, epsilon=epsilon, center=center, scale=scale, beta_initializer=beta_initializer, gamma_initializer=gamma_initializer,
        moving_mean_initializer=moving_mean_initializer, moving_variance_initializer=moving_variance_initializer, beta_regularizer=beta_regularizer,
        gamma_regularizer=gamma_regularizer, beta_constraint=beta_constraint, gamma_constraint=gamma_constraint, renorm=renorm, renorm_clipping=renorm_clipping,
        renorm_momentum=renorm_momentum, fused=fused, trainable=trainable, virtual_batch_size=virtual_batch_size, adjustment=adjustment, name=name, _reuse=reuse, _scope=name)
    return layer(inputs, training=training)
