"""tf.contrib.layers: in-plane and volume convolutions, image sequences, keypoints, scaled gradients."""

import functools

from .. import basics, dtypes, engine, initializers, ops
from ..exports import export, export_value
from ..functions.custom_gradient import custom_gradient
from ..layers import convolutional
from ..sparse_tensor import SparseTensor
from ..variable_scope import variable_scope
from .arg_scope import add_arg_scope, both
from .composed import legacy_fully_connected
from .layer_tools import last_dimension, n_positive_integers, two_element_tuple
from .layers import WEIGHTS, _order, _relu, _run, _xavier, check_format, collected, collections_of, finished, fully_connected, model_getter
from .variables import model_variable


@both("conv2d_in_plane", "convolution2d_in_plane")
@add_arg_scope
def convolution2d_in_plane(inputs, kernel_size, stride=1, padding="SAME", activation_fn=_relu, normalizer_fn=None, normalizer_params=None, weights_initializer=_xavier(),
                           weights_regularizer=None, biases_initializer=initializers.zeros_initializer(), biases_regularizer=None, reuse=None, variables_collections=None,
                           outputs_collections=None, trainable=True, scope=None):
    """Applies the same convolution to each channel."""
    with variable_scope(scope, "ConvInPlane", [inputs], reuse=reuse) as sc:
        dtype = inputs.dtype.base_dtype
        height, width = two_element_tuple(kernel_size)
        down, right = two_element_tuple(stride)
        channels = last_dimension(inputs.get_shape(), min_rank=4)
        weights = model_variable("weights", shape=[height, width, 1, 1], dtype=dtype, initializer=weights_initializer, regularizer=weights_regularizer,
                                 collections=collections_of(variables_collections, "weights"), trainable=trainable)
        outputs = engine.nn.depthwise_conv2d(inputs, engine.tile(weights, [1, 1, channels, 1]), [1, down, right, 1], padding)
        if normalizer_fn is None and biases_initializer is not None:
            biases = model_variable("biases", shape=[channels], dtype=dtype, initializer=biases_initializer, regularizer=biases_regularizer,
                                    collections=collections_of(variables_collections, "biases"), trainable=trainable)
            outputs = engine.nn.bias_add(outputs, biases)
        return finished(outputs, sc, normalizer_fn, normalizer_params, activation_fn, outputs_collections)


@both("conv3d_transpose", "convolution3d_transpose")
@add_arg_scope
def convolution3d_transpose(inputs, num_outputs, kernel_size, stride=1, padding="SAME", data_format="NDHWC", activation_fn=_relu, normalizer_fn=None, normalizer_params=None,
                            weights_initializer=_xavier(), weights_regularizer=None, biases_initializer=initializers.zeros_initializer(), biases_regularizer=None, reuse=None,
                            variables_collections=None, outputs_collections=None, trainable=True, scope=None):
    """A transposed convolution over volumes."""
    with variable_scope(scope, "Conv3d_transpose", [inputs], reuse=reuse, custom_getter=model_getter(WEIGHTS)) as sc:
        check_format(data_format, ("NCDHW", "NDHWC"), "data_format has to be either NCDHW or NDHWC.")
        inputs = ops.convert_to_tensor(inputs)
        layer = convolutional.Conv3DTranspose(filters=num_outputs, kernel_size=kernel_size, strides=stride, padding=padding, data_format=_order(data_format), activation=None,
                                              use_bias=not normalizer_fn and biases_initializer, kernel_initializer=weights_initializer, bias_initializer=biases_initializer,
                                              kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer, trainable=trainable, name=sc.name,
                                              dtype=inputs.dtype.base_dtype, _scope=sc, _reuse=reuse)
        return _run(layer, inputs, sc, variables_collections, normalizer_fn, normalizer_params, activation_fn, outputs_collections)


@both("dense_to_sparse")
@add_arg_scope
def dense_to_sparse(tensor, eos_token=0, outputs_collections=None, scope=None):
    """A sparse tensor of all elements except `eos_token`."""
    with variable_scope(scope, "dense_to_sparse", [tensor]) as sc:
        tensor = ops.convert_to_tensor(tensor)
        indices = engine.where(engine.not_equal(tensor, ops.constant(eos_token, tensor.dtype)))
        values = engine.gather_nd(tensor, indices)
        shape = basics.shape(tensor, out_type=dtypes.int64)
        return collected(outputs_collections, sc.name, SparseTensor(indices, values, shape))


@both("images_to_sequence")
@add_arg_scope
def images_to_sequence(inputs, data_format="NHWC", outputs_collections=None, scope=None):
    """[width, batch · height, depth]: each row of an image as a sequence."""
    check_format(data_format)
    with ops.name_scope(scope, "ImagesToSequence", [inputs]) as sc:
        inputs = ops.convert_to_tensor(inputs)
        if data_format == "NCHW":
            inputs = engine.transpose(inputs, [0, 2, 3, 1])
        _, _, width, depth = inputs.get_shape().as_list()
        sizes = basics.shape(inputs)
        batch, height = sizes[0], sizes[1]
        turned = engine.transpose(inputs, [2, 0, 1, 3])
        return collected(outputs_collections, sc, engine.reshape(turned, [width, batch * height, depth]))


@both("sequence_to_images")
@add_arg_scope
def sequence_to_images(inputs, height, output_data_format="channels_last", outputs_collections=None, scope=None):
    """The inverse of images_to_sequence()."""
    with ops.name_scope(scope, "SequenceToImages", [inputs]) as sc:
        inputs = ops.convert_to_tensor(inputs)
        width, batch, depth = inputs.get_shape().as_list()
        rows = engine.reshape(inputs, [width, -1 if batch is None else batch // height, height, depth])
        order = [1, 3, 2, 0] if output_data_format == "channels_first" else [1, 2, 0, 3]
        return collected(outputs_collections, sc, engine.transpose(rows, order))


@export("contrib.slim.pool")
@add_arg_scope
def pool(inputs, kernel_size, pooling_type, padding="VALID", data_format=None, dilation_rate=1, stride=1, outputs_collections=None, scope=None):
    """Pooling over as many spatial dimensions as the inputs have."""
    with ops.name_scope(scope, "%s_pool" % pooling_type.lower(), [inputs]) as sc:
        inputs = ops.convert_to_tensor(inputs)
        rank = inputs.get_shape().ndims
        if rank is None:
            raise ValueError("Rank of inputs must be known")
        if rank < 3:
            raise ValueError("Rank of inputs must be >= 3")
        sizes = [n_positive_integers(rank - 2, n) for n in (kernel_size, dilation_rate, stride)]
        output = engine.nn.pool(input=inputs, window_shape=sizes[0], pooling_type=pooling_type, padding=padding, data_format=data_format, dilation_rate=sizes[1], strides=sizes[2], name=sc)
        return collected(outputs_collections, sc, output)


@both("scale_gradient")
@custom_gradient
def scale_gradient(inputs, gradient_multiplier):
    """The inputs unchanged; their gradient is scaled."""
    return engine.identity(inputs), lambda grad: (grad * gradient_multiplier, None)


@both("spatial_softmax")
@add_arg_scope
def spatial_softmax(features, temperature=None, name=None, variables_collections=None, trainable=True, data_format="NHWC"):
    """The expected position of each channel's maximum, as coordinates from -1 to 1."""
    with variable_scope(name, "spatial_softmax"):
        shape, known = basics.shape(features), features.shape.as_list()
        if data_format == "NHWC":
            height, width, channels = shape[1], shape[2], known[3]
        elif data_format == "NCHW":
            channels, height, width = known[1], shape[2], shape[3]
        else:
            raise ValueError("data_format has to be either NCHW or NHWC.")
        if channels is None:
            raise ValueError("The num_channels dimension of the inputs to `spatial_softmax` should be defined. Found `None`.")
        with ops.name_scope("spatial_softmax_op", "spatial_softmax_op", [features]):
            x, y = engine.meshgrid(engine.lin_space(-1.0, 1.0, num=height), engine.lin_space(-1.0, 1.0, num=width), indexing="ij")
            x = engine.reshape(x, [height * width])
            y = engine.reshape(y, [height * width])
            temperature = model_variable("temperature", shape=(), dtype=dtypes.float32, trainable=trainable,
                                         initializer=initializers.ones_initializer() if temperature is None else initializers.constant_initializer(temperature),
                                         collections=collections_of(variables_collections, "temperature") if trainable else None)
            flat = engine.reshape(features if data_format == "NCHW" else engine.transpose(features, [0, 3, 1, 2]), [-1, height * width])
            attention = engine.nn.softmax(flat / temperature)
            expected = [engine.reduce_sum(axis * attention, [1], keepdims=True) for axis in (x, y)]
            points = engine.reshape(engine.concat(expected, 1), [-1, channels * 2])
            points.set_shape([None, channels * 2])
    return points


for _name, _function in (("elu", engine.nn.elu), ("relu", engine.nn.relu), ("relu6", engine.nn.relu6), ("linear", None)):
    export_value(functools.partial(fully_connected, activation_fn=_function), "contrib.layers." + _name, "contrib.slim." + _name)
for _name, _function in (("legacy_relu", engine.nn.relu), ("legacy_linear", None)):
    export_value(functools.partial(legacy_fully_connected, activation_fn=_function), "contrib.layers." + _name, "contrib.slim." + _name)
