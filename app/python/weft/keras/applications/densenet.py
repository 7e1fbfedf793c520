"""Densely connected networks: each block gets the outputs of all earlier blocks (Huang et al., 2016)."""

from .. import backend
from . import layers, parts

_GROWTH = 32
_FILES = {"densenet121": ("9d60b8095a5708f2dcce2bca79d332c7", "30ee3e1110167f948a6b9946edeeb738"),
          "densenet169": ("d699b8f76981ab1b30698df4c175e90b", "b8c4d4c20dd625c148057b9ff1c1176b"),
          "densenet201": ("1ceb130c1ea1b78c3bf6114dbdfd8807", "c13680b51ded0fb44dff2d8f86ac8bb1")}
_NAMES = ("%s_weights_tf_dim_ordering_tf_kernels.h5", "%s_weights_tf_dim_ordering_tf_kernels_notop.h5")


def _normed(x, bn, relu):
    return parts.through(x, layers.BatchNormalization(axis=parts.channel_axis(), epsilon=1.001e-5, name=bn), layers.Activation("relu", name=relu))


def _block(x, name):
    new = layers.Conv2D(4 * _GROWTH, 1, use_bias=False, name=name + "_1_conv")(_normed(x, name + "_0_bn", name + "_0_relu"))
    new = layers.Conv2D(_GROWTH, 3, padding="same", use_bias=False, name=name + "_2_conv")(_normed(new, name + "_1_bn", name + "_1_relu"))
    return layers.Concatenate(axis=parts.channel_axis(), name=name + "_concat")([x, new])


def _halved(x, name):
    """Halves the number of channels and the size."""
    x = _normed(x, name + "_bn", name + "_relu")
    filters = int(backend.int_shape(x)[parts.channel_axis()] * 0.5)
    return parts.through(x, layers.Conv2D(filters, 1, use_bias=False, name=name + "_conv"), layers.AveragePooling2D(2, strides=2, name=name + "_pool"))


def _densenet(name, depths, include_top, weights, input_tensor, input_shape, pooling, classes):
    parts.checked_weights(weights, include_top, classes)
    image = parts.picture(input_tensor, parts.input_shape_of(input_shape, 224, 32, include_top, weights))
    x = parts.through(image, layers.ZeroPadding2D(padding=((3, 3), (3, 3))), layers.Conv2D(64, 7, strides=2, use_bias=False, name="conv1/conv"))
    x = parts.through(_normed(x, "conv1/bn", "conv1/relu"), layers.ZeroPadding2D(padding=((1, 1), (1, 1))), layers.MaxPooling2D(3, strides=2, name="pool1"))
    for stage, depth in enumerate(depths, 2):
        if stage > 2:
            x = _halved(x, "pool%d" % (stage - 1))
        for i in range(depth):
            x = _block(x, "conv%d_block%d" % (stage, i + 1))
    x = _normed(x, "bn", "relu")
    x = parts.classified(x, classes, name="fc1000") if include_top else parts.pooled(x, pooling, named=True)
    files = [(n % name, checksum) for n, checksum in zip(_NAMES, _FILES[name])]
    return parts.load(parts.model(image, input_tensor, x, name), weights, parts.ORGANISATION + "densenet/", files, include_top)


def _define(function_name, depths):
    def make(include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000, **kwargs):
        parts.no_more(kwargs)
        return _densenet(function_name.lower(), depths, include_top, weights, input_tensor, input_shape, pooling, classes)

    make.__name__ = function_name
    make.__doc__ = "A densely connected network with %s blocks in its four stages." % ", ".join(str(d) for d in depths)
    return parts.export_model(make, "densenet")


_define("DenseNet121", (6, 12, 24, 16))
_define("DenseNet169", (6, 12, 32, 32))
_define("DenseNet201", (6, 12, 48, 32))
