"""Xception: depthwise separable convolutions with residual connections (Chollet, 2016)."""

from . import layers, parts

_FILES = [("xception_weights_tf_dim_ordering_tf_kernels.h5", "0a58e3b7378bc2990ea3b43d5981f1f6"), ("xception_weights_tf_dim_ordering_tf_kernels_notop.h5", "b0042744bf5b25fce3cb969f33bebb97")]


def _norm(name=None):
    return layers.BatchNormalization(axis=parts.last_or_first(), name=name)


def _separable(x, filters, name):
    x = layers.SeparableConv2D(filters, (3, 3), padding="same", use_bias=False, name=name)(x)
    return _norm(name + "_bn")(x)


def _relu(x, name):
    return layers.Activation("relu", name=name)(x)


def _halving(x, block, filters, first_activation=True):
    """Two separable convolutions and max pooling, added to a strided convolution."""
    beside = _norm()(layers.Conv2D(filters[-1], (1, 1), strides=(2, 2), padding="same", use_bias=False)(x))
    for i, n in enumerate(filters, 1):
        if i > 1 or first_activation:
            x = _relu(x, "block%d_sepconv%d_act" % (block, i))
        x = _separable(x, n, "block%d_sepconv%d" % (block, i))
    x = layers.MaxPooling2D((3, 3), strides=(2, 2), padding="same", name="block%d_pool" % block)(x)
    return layers.add([x, beside])


def Xception(include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000, **kwargs):
    """36 convolutions, most of them separable."""
    parts.no_more(kwargs)
    parts.checked_weights(weights, include_top, classes)
    image = x = parts.picture(input_tensor, parts.input_shape_of(input_shape, 299, 71, include_top, weights))
    for i, (filters, stride) in enumerate(((32, (2, 2)), (64, (1, 1))), 1):
        name = "block1_conv%d" % i
        x = _relu(_norm(name + "_bn")(layers.Conv2D(filters, (3, 3), strides=stride, use_bias=False, name=name)(x)), name + "_act")
    x = _halving(x, 2, (128, 128), first_activation=False)
    x = _halving(x, 3, (256, 256))
    x = _halving(x, 4, (728, 728))
    for block in range(5, 13):
        before = x
        for i in range(1, 4):
            name = "block%d_sepconv%d" % (block, i)
            x = _separable(_relu(x, name + "_act"), 728, name)
        x = layers.add([x, before])
    x = _halving(x, 13, (728, 1024))
    for i, filters in enumerate((1536, 2048), 1):
        name = "block14_sepconv%d" % i
        x = _relu(_separable(x, filters, name), name + "_act")
    x = parts.classified(x, classes) if include_top else parts.pooled(x, pooling)
    return parts.load(parts.model(image, input_tensor, x, "xception"), weights, parts.RELEASES + "v0.4/", _FILES, include_top)


parts.export_model(Xception, "xception")
