"""tf.contrib.layers and tf.contrib.slim: layers as functions that create model variables."""

from .. import engine, initializers, ops, variable_scope as scopes
from ..layers import convolutional, core, functions, pooling
from ..variable_base import VariableAggregation, VariableSynchronization
from .arg_scope import add_arg_scope, both
from .variables import model_variable

WEIGHTS = {"bias": "biases", "kernel": "weights"}


def collected(collections, alias, outputs):
    """Adds `outputs` to collections under an alias and returns them."""
    if collections:
        alias = alias[:-1] if alias[-1:] == "/" else alias
        outputs.aliases = getattr(outputs, "aliases", []) + [alias]
        ops.add_to_collections(collections, outputs)
    return outputs


def collections_of(given, name):
    return given.get(name) if isinstance(given, dict) else given


def model_getter(rename=None):
    """A custom getter that adds variables to the model's, under the names that contrib uses."""
    def getter(getter, name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=True, collections=None, caching_device=None, partitioner=None,
               use_resource=None, synchronization=VariableSynchronization.AUTO, aggregation=VariableAggregation.NONE, **_):
        folder, slash, short = name.rpartition("/")
        name = folder + slash + (rename or {}).get(short, short)
        return model_variable(name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer, collections=collections, trainable=trainable,
                              caching_device=caching_device, partitioner=partitioner, custom_getter=getter, use_resource=use_resource, synchronization=synchronization,
                              aggregation=aggregation)

    return getter


def collect_variable(variable, given, name):
    for collection in collections_of(given, name) or []:
        for v in list(variable) if isinstance(variable, scopes.PartitionedVariable) else [variable]:
            if not any(v is there for there in ops.get_collection(collection)):
                ops.add_to_collection(collection, v)


def finished(outputs, scope, normalizer_fn, normalizer_params, activation_fn, outputs_collections):
    if normalizer_fn is not None:
        outputs = normalizer_fn(outputs, **(normalizer_params or {}))
    if activation_fn is not None:
        outputs = activation_fn(outputs)
    return collected(outputs_collections, scope.name, outputs)


def _order(data_format):
    return "channels_first" if data_format and data_format.startswith("NC") else "channels_last"


def check_format(data_format, allowed=("NCHW", "NHWC"), text="data_format has to be either NCHW or NHWC."):
    if data_format not in allowed:
        raise ValueError(text)


_xavier = initializers.xavier_initializer
_relu = engine.nn.relu


def _run(layer, inputs, scope, variables_collections, normalizer_fn, normalizer_params, activation_fn, outputs_collections):
    outputs = layer.apply(inputs)
    collect_variable(layer.kernel, variables_collections, "weights")
    if layer.bias is not None:
        collect_variable(layer.bias, variables_collections, "biases")
    return finished(outputs, scope, normalizer_fn, normalizer_params, activation_fn, outputs_collections)


@both("fully_connected")
@add_arg_scope
def fully_connected(inputs, num_outputs, activation_fn=_relu, normalizer_fn=None, normalizer_params=None, weights_initializer=_xavier(), weights_regularizer=None,
                    biases_initializer=initializers.zeros_initializer(), biases_regularizer=None, reuse=None, variables_collections=None, outputs_collections=None, trainable=True,
                    scope=None):
    """A fully connected layer over the last dimension."""
    if not isinstance(num_outputs, int):
        raise ValueError("num_outputs type should be one of %s, got %s." % ([int], type(num_outputs)))
    with scopes.variable_scope(scope, "fully_connected", [inputs], reuse=reuse, custom_getter=model_getter(WEIGHTS)) as sc:
        inputs = ops.convert_to_tensor(inputs)
        layer = core.Dense(units=num_outputs, activation=None, use_bias=not normalizer_fn and biases_initializer, kernel_initializer=weights_initializer,
                           bias_initializer=biases_initializer, kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer, trainable=trainable,
                           name=sc.name, dtype=inputs.dtype.base_dtype, _scope=sc, _reuse=reuse)
        return _run(layer, inputs, sc, variables_collections, normalizer_fn, normalizer_params, activation_fn, outputs_collections)


@both("convolution")
@add_arg_scope
def convolution(inputs, num_outputs, kernel_size, stride=1, padding="SAME", data_format=None, rate=1, activation_fn=_relu, normalizer_fn=None, normalizer_params=None,
                weights_initializer=_xavier(), weights_regularizer=None, biases_initializer=initializers.zeros_initializer(), biases_regularizer=None, reuse=None,
                variables_collections=None, outputs_collections=None, trainable=True, scope=None, conv_dims=None):
    """A convolution in as many spatial dimensions as the inputs have."""
    check_format(data_format, (None, "NWC", "NCW", "NHWC", "NCHW", "NDHWC", "NCDHW"), "Invalid data_format: %r" % (data_format,))
    with scopes.variable_scope(scope, "Conv", [inputs], reuse=reuse, custom_getter=model_getter(WEIGHTS)) as sc:
        inputs = ops.convert_to_tensor(inputs)
        rank = inputs.get_shape().ndims
        if conv_dims is not None and conv_dims + 2 != rank:
            raise ValueError("Convolution expects input with rank %d, got %d" % (conv_dims + 2, rank))
        kinds = {3: convolutional.Conv1D, 4: convolutional.Conv2D, 5: convolutional.Conv3D}
        if rank not in kinds:
            raise ValueError("Convolution not supported for input with rank", rank)
        layer = kinds[rank](filters=num_outputs, kernel_size=kernel_size, strides=stride, padding=padding, data_format=_order(data_format), dilation_rate=rate,
                            activation=None, use_bias=not normalizer_fn and biases_initializer, kernel_initializer=weights_initializer, bias_initializer=biases_initializer,
                            kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer, trainable=trainable, name=sc.name,
                            dtype=inputs.dtype.base_dtype, _scope=sc, _reuse=reuse)
        return _run(layer, inputs, sc, variables_collections, normalizer_fn, normalizer_params, activation_fn, outputs_collections)


@both("conv2d", "convolution2d")
@add_arg_scope
def convolution2d(inputs, num_outputs, kernel_size, stride=1, padding="SAME", data_format=None, rate=1, activation_fn=_relu, normalizer_fn=None, normalizer_params=None,
                  weights_initializer=_xavier(), weights_regularizer=None, biases_initializer=initializers.zeros_initializer(), biases_regularizer=None, reuse=None,
                  variables_collections=None, outputs_collections=None, trainable=True, scope=None):
    """A convolution over images."""
    return convolution(inputs, num_outputs, kernel_size, stride, padding, data_format, rate, activation_fn, normalizer_fn, normalizer_params, weights_initializer,
                       weights_regularizer, biases_initializer, biases_regularizer, reuse, variables_collections, outputs_collections, trainable, scope, conv_dims=2)


@both("conv1d", "convolution1d")
@add_arg_scope
def convolution1d(inputs, num_outputs, kernel_size, stride=1, padding="SAME", data_format=None, rate=1, activation_fn=_relu, normalizer_fn=None, normalizer_params=None,
                  weights_initializer=_xavier(), weights_regularizer=None, biases_initializer=initializers.zeros_initializer(), biases_regularizer=None, reuse=None,
                  variables_collections=None, outputs_collections=None, trainable=True, scope=None):
    """A convolution along sequences."""
    return convolution(inputs, num_outputs, kernel_size, stride, padding, data_format, rate, activation_fn, normalizer_fn, normalizer_params, weights_initializer,
                       weights_regularizer, biases_initializer, biases_regularizer, reuse, variables_collections, outputs_collections, trainable, scope, conv_dims=1)


@both("conv3d", "convolution3d")
@add_arg_scope
def convolution3d(inputs, num_outputs, kernel_size, stride=1, padding="SAME", data_format=None, rate=1, activation_fn=_relu, normalizer_fn=None, normalizer_params=None,
                  weights_initializer=_xavier(), weights_regularizer=None, biases_initializer=initializers.zeros_initializer(), biases_regularizer=None, reuse=None,
                  variables_collections=None, outputs_collections=None, trainable=True, scope=None):
    """A convolution over volumes."""
    return convolution(inputs, num_outputs, kernel_size, stride, padding, data_format, rate, activation_fn, normalizer_fn, normalizer_params, weights_initializer,
                       weights_regularizer, biases_initializer, biases_regularizer, reuse, variables_collections, outputs_collections, trainable, scope, conv_dims=3)


@both("conv2d_transpose", "convolution2d_transpose")
@add_arg_scope
def convolution2d_transpose(inputs, num_outputs, kernel_size, stride=1, padding="SAME", data_format="NHWC", activation_fn=_relu, normalizer_fn=None, normalizer_params=None,
                            weights_initializer=_xavier(), weights_regularizer=None, biases_initializer=initializers.zeros_initializer(), biases_regularizer=None, reuse=None,
                            variables_collections=None, outputs_collections=None, trainable=True, scope=None):
    """A transposed convolution over images."""
    with scopes.variable_scope(scope, "Conv2d_transpose", [inputs], reuse=reuse, custom_getter=model_getter(WEIGHTS)) as sc:
        check_format(data_format)
        inputs = ops.convert_to_tensor(inputs)
        layer = convolutional.Conv2DTranspose(filters=num_outputs, kernel_size=kernel_size, strides=stride, padding=padding, data_format=_order(data_format), activation=None,
                                              use_bias=not normalizer_fn and biases_initializer, kernel_initializer=weights_initializer,
                                              bias_initializer=biases_initializer, kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer,
                                              trainable=trainable, name=sc.name, dtype=inputs.dtype.base_dtype, _scope=sc, _reuse=reuse)
        return _run(layer, inputs, sc, variables_collections, normalizer_fn, normalizer_params, activation_fn, outputs_collections)


@both("separable_conv2d", "separable_convolution2d")
@add_arg_scope
def separable_convolution2d(inputs, num_outputs, kernel_size, depth_multiplier=1, stride=1, padding="SAME", data_format="NHWC", rate=1, activation_fn=_relu,
                            normalizer_fn=None, normalizer_params=None, weights_initializer=_xavier(), pointwise_initializer=None, weights_regularizer=None,
                            biases_initializer=initializers.zeros_initializer(), biases_regularizer=None, reuse=None, variables_collections=None, outputs_collections=None,
                            trainable=True, scope=None):
    """Each channel convolved by itself, then, where `num_outputs` is given, across channels."""
    check_format(data_format)
    rename = {"bias": "biases", "depthwise_kernel": "depthwise_weights", "pointwise_kernel": "pointwise_weights"}
    with scopes.variable_scope(scope, "SeparableConv2d", [inputs], reuse=reuse, custom_getter=model_getter(rename)) as sc:
        inputs = ops.convert_to_tensor(inputs)
        rates = convolutional.tuple_of(rate, 2, "rate")
        if num_outputs is not None:
            layer = convolutional.SeparableConv2D(
                filters=num_outputs, kernel_size=kernel_size, strides=stride, padding=padding, data_format=_order(data_format), dilation_rate=rates, activation=None,
                depth_multiplier=depth_multiplier, use_bias=not normalizer_fn and biases_initializer, depthwise_initializer=weights_initializer,
                pointwise_initializer=pointwise_initializer if pointwise_initializer is not None else weights_initializer, bias_initializer=biases_initializer,
                depthwise_regularizer=weights_regularizer, pointwise_regularizer=weights_regularizer, bias_regularizer=biases_regularizer, trainable=trainable, name=sc.name,
                dtype=inputs.dtype.base_dtype, _scope=sc, _reuse=reuse)
            outputs = layer.apply(inputs)
            collect_variable(layer.depthwise_kernel, variables_collections, "weights")
            collect_variable(layer.pointwise_kernel, variables_collections, "weights")
            if layer.bias is not None:
                collect_variable(layer.bias, variables_collections, "biases")
            return finished(outputs, sc, normalizer_fn, normalizer_params, activation_fn, outputs_collections)
        dtype = inputs.dtype.base_dtype
        channels = inputs.get_shape().as_list()[1 if data_format == "NCHW" else -1]
        size, strides = convolutional.tuple_of(kernel_size, 2, "kernel_size"), convolutional.tuple_of(stride, 2, "stride")
        weights = model_variable("depthwise_weights", shape=list(size) + [channels, depth_multiplier], dtype=dtype, initializer=weights_initializer,
                                 regularizer=weights_regularizer, trainable=trainable, collections=collections_of(variables_collections, "weights"))
        strides = [1, 1] + list(strides) if data_format == "NCHW" else [1] + list(strides) + [1]
        outputs = engine.nn.depthwise_conv2d(inputs, weights, strides, padding, rate=rates, data_format=data_format)
        if normalizer_fn is None and biases_initializer is not None:
            biases = model_variable("biases", shape=[depth_multiplier * channels], dtype=dtype, initializer=biases_initializer, regularizer=biases_regularizer,
                                    trainable=trainable, collections=collections_of(variables_collections, "biases"))
            outputs = engine.nn.bias_add(outputs, biases, data_format=data_format)
        return finished(outputs, sc, normalizer_fn, normalizer_params, activation_fn, outputs_collections)


def _pool(kind, default_scope, inputs, kernel_size, stride, padding, data_format, outputs_collections, scope):
    with ops.name_scope(scope, default_scope, [inputs]) as sc:
        inputs = ops.convert_to_tensor(inputs)
        layer = kind(pool_size=kernel_size, strides=stride, padding=padding, data_format=_order(data_format), _scope=sc)
        return collected(outputs_collections, sc, layer.apply(inputs))


@both("max_pool2d")
@add_arg_scope
def max_pool2d(inputs, kernel_size, stride=2, padding="VALID", data_format="NHWC", outputs_collections=None, scope=None):
    """The maximum of each window."""
    check_format(data_format)
    return _pool(pooling.MaxPooling2D, "MaxPool2D", inputs, kernel_size, stride, padding, data_format, outputs_collections, scope)


@both("avg_pool2d")
@add_arg_scope
def avg_pool2d(inputs, kernel_size, stride=2, padding="VALID", data_format="NHWC", outputs_collections=None, scope=None):
    """The mean of each window."""
    check_format(data_format)
    return _pool(pooling.AveragePooling2D, "AvgPool2D", inputs, kernel_size, stride, padding, data_format, outputs_collections, scope)


@both("max_pool3d")
@add_arg_scope
def max_pool3d(inputs, kernel_size, stride=2, padding="VALID", data_format="NDHWC", outputs_collections=None, scope=None):
    check_format(data_format, ("NCDHW", "NDHWC"), "data_format has to be either NCDHW or NDHWC.")
    return _pool(pooling.MaxPooling3D, "MaxPool3D", inputs, kernel_size, stride, padding, data_format, outputs_collections, scope)


@both("avg_pool3d")
@add_arg_scope
def avg_pool3d(inputs, kernel_size, stride=2, padding="VALID", data_format="NDHWC", outputs_collections=None, scope=None):
    check_format(data_format, ("NCDHW", "NDHWC"), "data_format has to be either NCDHW or NDHWC.")
    return _pool(pooling.AveragePooling3D, "AvgPool3D", inputs, kernel_size, stride, padding, data_format, outputs_collections, scope)


@both("dropout")
@add_arg_scope
def dropout(inputs, keep_prob=0.5, noise_shape=None, is_training=True, outputs_collections=None, scope=None, seed=None):
    """Sets a random part of the inputs to zero while training."""
    with scopes.variable_scope(scope, "Dropout", [inputs], custom_getter=model_getter()) as sc:
        inputs = ops.convert_to_tensor(inputs)
        layer = core.Dropout(rate=1 - keep_prob, noise_shape=noise_shape, seed=seed, name=sc.name, _scope=sc)
        return collected(outputs_collections, sc.name, layer.apply(inputs, training=is_training))


@both("flatten")
@add_arg_scope
def flatten(inputs, outputs_collections=None, scope=None):
    """Flattens all dimensions except the batch."""
    with ops.name_scope(scope, "Flatten", [inputs]) as sc:
        return collected(outputs_collections, sc, functions.flatten(ops.convert_to_tensor(inputs)))


@both("bias_add")
@add_arg_scope
def bias_add(inputs, activation_fn=None, initializer=initializers.zeros_initializer(), regularizer=None, reuse=None, variables_collections=None, outputs_collections=None,
             trainable=True, data_format="NHWC", scope=None):
    """A bias for each channel."""
    check_format(data_format)
    with scopes.variable_scope(scope, "BiasAdd", [inputs], reuse=reuse) as sc:
        inputs = ops.convert_to_tensor(inputs)
        shape = inputs.get_shape()
        if shape.ndims is None:
            raise ValueError("Dims of shape must be known but is None")
        if shape.ndims != 4 and data_format == "NCHW":
            raise ValueError("Data format NCHW only supports 4D Tensor")
        channels = shape.as_list()[1 if data_format == "NCHW" else -1]
        if channels is None:
            raise ValueError("`C` dimension must be known but is None")
        biases = model_variable("biases", shape=[channels], dtype=inputs.dtype.base_dtype, initializer=initializer, regularizer=regularizer,
                                collections=collections_of(variables_collections, "biases"), trainable=trainable)
        return finished(engine.nn.bias_add(inputs, biases, data_format=data_format), sc, None, None, activation_fn, outputs_collections)
