"""InceptionV3 and InceptionResNetV2: convolutions of several sizes side by side (Szegedy et al., 2015, 2016)."""

from .. import backend
from . import layers, parts

_V3 = [("inception_v3_weights_tf_dim_ordering_tf_kernels.h5", "9a0d58056eeedaa3f26cb7ebd46da564"),
       ("inception_v3_weights_tf_dim_ordering_tf_kernels_notop.h5", "bcbd6486424b2319ff4ef7d526e38f63")]
_RESNET = [("inception_resnet_v2_weights_tf_dim_ordering_tf_kernels.h5", "e693bd0210a403b3192acc6073ad2e96"),
           ("inception_resnet_v2_weights_tf_dim_ordering_tf_kernels_notop.h5", "d19885ff4a710c122648d3b5c3b684e4")]


def _conv(x, filters, size, strides=1, padding="same", activation="relu", use_bias=False, name=None):
    """A convolution with batch normalization, unless it has a bias."""
    x = layers.Conv2D(filters, size, strides=strides, padding=padding, use_bias=use_bias, name=name)(x)
    if not use_bias:
        x = layers.BatchNormalization(axis=parts.channel_axis(), scale=False, name=name and name + "_bn")(x)
    return layers.Activation(activation, name=name and name + "_ac")(x) if activation else x


def _chain(x, *steps):
    """A chain of convolutions: (filters, size), with a third element for those that halve the image."""
    for filters, size, *halves in steps:
        x = _conv(x, filters, size, **({"strides": 2, "padding": "valid"} if halves else {}))
    return x


def _joined(branches, name=None):
    return layers.Concatenate(axis=parts.channel_axis(), name=name)(branches)


def _mean(x):
    return layers.AveragePooling2D((3, 3), strides=(1, 1), padding="same")(x)


def _stem(x):
    x = _conv(x, 32, (3, 3), strides=2, padding="valid")
    x = _conv(_conv(x, 32, (3, 3), padding="valid"), 64, (3, 3))
    x = layers.MaxPooling2D((3, 3), strides=(2, 2))(x)
    x = _conv(_conv(x, 80, (1, 1), padding="valid"), 192, (3, 3), padding="valid")
    return layers.MaxPooling2D((3, 3), strides=(2, 2))(x)


def _module(x, chains, pooled_filters, name):
    """Chains of convolutions in parallel with average pooling."""
    branches = [_chain(x, *chain) for chain in chains]
    return _joined(branches + [_conv(_mean(x), pooled_filters, (1, 1))], name)


def _halved(x, chains, name):
    """Chains that halve the size, in parallel with max pooling."""
    branches = [_chain(x, *chain) for chain in chains]
    return _joined(branches + [layers.MaxPooling2D((3, 3), strides=(2, 2))(x)], name)


def _wide(x, i):
    """The module whose branches fork at their ends."""
    first = _conv(x, 320, (1, 1))
    split = _conv(x, 384, (1, 1))
    second = _joined([_conv(split, 384, (1, 3)), _conv(split, 384, (3, 1))], "mixed9_%d" % i)
    split = _chain(x, (448, (1, 1)), (384, (3, 3)))
    third = _joined([_conv(split, 384, (1, 3)), _conv(split, 384, (3, 1))])
    return _joined([first, second, third, _conv(_mean(x), 192, (1, 1))], "mixed%d" % (9 + i))


def InceptionV3(include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000, **kwargs):
    """Eleven modules of branches."""
    parts.no_more(kwargs)
    parts.checked_weights(weights, include_top, classes)
    image = parts.picture(input_tensor, parts.input_shape_of(input_shape, 299, 75, include_top, weights))
    x = _stem(image)
    for i, filters in enumerate((32, 64, 64)):
        x = _module(x, [[(64, (1, 1))], [(48, (1, 1)), (64, (5, 5))], [(64, (1, 1)), (96, (3, 3)), (96, (3, 3))]], filters, "mixed%d" % i)
    x = _halved(x, [[(384, (3, 3), True)], [(64, (1, 1)), (96, (3, 3)), (96, (3, 3), True)]], "mixed3")
    for i, n in enumerate((128, 160, 160, 192)):
        x = _module(x, [[(192, (1, 1))], [(n, (1, 1)), (n, (1, 7)), (192, (7, 1))], [(n, (1, 1)), (n, (7, 1)), (n, (1, 7)), (n, (7, 1)), (192, (1, 7))]], 192, "mixed%d" % (4 + i))
    x = _halved(x, [[(192, (1, 1)), (320, (3, 3), True)], [(192, (1, 1)), (192, (1, 7)), (192, (7, 1)), (192, (3, 3), True)]], "mixed8")
    for i in range(2):
        x = _wide(x, i)
    x = parts.classified(x, classes) if include_top else parts.pooled(x, pooling)
    return parts.load(parts.model(image, input_tensor, x, "inception_v3"), weights, parts.RELEASES + "v0.5/", _V3, include_top)


_BLOCKS = {"block35": (0.17, [[(32, 1)], [(32, 1), (32, 3)], [(32, 1), (48, 3), (64, 3)]]), "block17": (0.1, [[(192, 1)], [(128, 1), (160, [1, 7]), (192, [7, 1])]]),
           "block8": (0.2, [[(192, 1)], [(192, 1), (224, [1, 3]), (256, [3, 1])]])}


def _residual(x, kind, number, scale=None, activation="relu"):
    """x plus the scaled output of the branches."""
    usual, chains = _BLOCKS[kind]
    name = "%s_%d" % (kind, number)
    mixed = _joined([_chain(x, *chain) for chain in chains], name + "_mixed")
    up = _conv(mixed, backend.int_shape(x)[parts.channel_axis()], 1, activation=None, use_bias=True, name=name + "_conv")
    x = layers.Lambda(lambda inputs, scale: inputs[0] + inputs[1] * scale, output_shape=backend.int_shape(x)[1:], arguments={"scale": scale or usual}, name=name)([x, up])
    return layers.Activation(activation, name=name + "_ac")(x) if activation else x


def InceptionResNetV2(include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000, **kwargs):
    """40 residual blocks of branches."""
    parts.no_more(kwargs)
    parts.checked_weights(weights, include_top, classes)
    image = parts.picture(input_tensor, parts.input_shape_of(input_shape, 299, 75, include_top, weights))
    x = _module(_stem(image), [[(96, 1)], [(48, 1), (64, 5)], [(64, 1), (96, 3), (96, 3)]], 64, "mixed_5b")
    for i in range(1, 11):
        x = _residual(x, "block35", i)
    x = _halved(x, [[(384, 3, True)], [(256, 1), (256, 3), (384, 3, True)]], "mixed_6a")
    for i in range(1, 21):
        x = _residual(x, "block17", i)
    x = _halved(x, [[(256, 1), (384, 3, True)], [(256, 1), (288, 3, True)], [(256, 1), (288, 3), (320, 3, True)]], "mixed_7a")
    for i in range(1, 10):
        x = _residual(x, "block8", i)
    x = _conv(_residual(x, "block8", 10, scale=1.0, activation=None), 1536, 1, name="conv_7b")
    x = parts.classified(x, classes) if include_top else parts.pooled(x, pooling)
    return parts.load(parts.model(image, input_tensor, x, "inception_resnet_v2"), weights, parts.RELEASES + "v0.7/", _RESNET, include_top)


parts.export_model(InceptionV3, "inception_v3")
parts.export_model(InceptionResNetV2, "inception_resnet_v2")
