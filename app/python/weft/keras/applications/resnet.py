"""Residual networks (He et al., 2015), and their variants with pre-activation (2016)."""

from . import layers, parts

_FILES = {"resnet50": ("2cb95161c43110f7111970584f804107", "4d473c1dd8becc155b73f8504c6f6626"), "resnet101": ("f1aeb4b969a6efcfb50fad2f0c20cfc5", "88cf7a10940856eca736dc7b7e228a21"),
          "resnet152": ("100835be76be38e30d865e96f2aaae62", "ee4c566cf9a93f14d82f913c2dc6dd0c"), "resnet50v2": ("3ef43a0b657b3be2300d5770ece849e0", "fac2f116257151a9d068a22e544a4917"),
          "resnet101v2": ("6343647c601c52e1368623803854d971", "c0ed64b8031c3730f411d2eb4eea35b5"), "resnet152v2": ("a49b44d1979771252814e80f8ec446f9", "ed17cf2e0169df9d443503ef94b23b33")}
_NAMES = ("%s_weights_tf_dim_ordering_tf_kernels.h5", "%s_weights_tf_dim_ordering_tf_kernels_notop.h5")


def _norm(name):
    return layers.BatchNormalization(axis=parts.channel_axis(), epsilon=1.001e-5, name=name)


def _relu(name):
    return layers.Activation("relu", name=name)


def _block(x, filters, name, stride=1, conv_shortcut=False):
    """A residual block of three convolutions with batch normalization."""
    shortcut = x
    if conv_shortcut:
        shortcut = parts.through(x, layers.Conv2D(4 * filters, 1, strides=stride, name=name + "_0_conv"), _norm(name + "_0_bn"))
    x = parts.through(x, layers.Conv2D(filters, 1, strides=stride, name=name + "_1_conv"), _norm(name + "_1_bn"), _relu(name + "_1_relu"),
                      layers.Conv2D(filters, 3, padding="SAME", name=name + "_2_conv"), _norm(name + "_2_bn"), _relu(name + "_2_relu"),
                      layers.Conv2D(4 * filters, 1, name=name + "_3_conv"), _norm(name + "_3_bn"))
    return _relu(name + "_out")(layers.Add(name=name + "_add")([shortcut, x]))


def _block_v2(x, filters, name, stride=1, conv_shortcut=False):
    """A residual block with batch normalization before the convolutions."""
    before = parts.through(x, _norm(name + "_preact_bn"), _relu(name + "_preact_relu"))
    if conv_shortcut:
        shortcut = layers.Conv2D(4 * filters, 1, strides=stride, name=name + "_0_conv")(before)
    else:
        shortcut = layers.MaxPooling2D(1, strides=stride)(x) if stride > 1 else x
    x = parts.through(before, layers.Conv2D(filters, 1, strides=1, use_bias=False, name=name + "_1_conv"), _norm(name + "_1_bn"), _relu(name + "_1_relu"),
                      layers.ZeroPadding2D(padding=((1, 1), (1, 1)), name=name + "_2_pad"),
                      layers.Conv2D(filters, 3, strides=stride, use_bias=False, name=name + "_2_conv"), _norm(name + "_2_bn"), _relu(name + "_2_relu"),
                      layers.Conv2D(4 * filters, 1, name=name + "_3_conv"))
    return layers.Add(name=name + "_out")([shortcut, x])


def _stack(x, filters, blocks, stride, name):
    x = _block(x, filters, name + "_block1", stride, conv_shortcut=True)
    for i in range(2, blocks + 1):
        x = _block(x, filters, "%s_block%d" % (name, i))
    return x


def _stack_v2(x, filters, blocks, stride, name):
    """In version 2 the last block of a stack has the stride."""
    x = _block_v2(x, filters, name + "_block1", conv_shortcut=True)
    for i in range(2, blocks + 1):
        x = _block_v2(x, filters, "%s_block%d" % (name, i), stride if i == blocks else 1)
    return x


def _resnet(name, depths, second, include_top, weights, input_tensor, input_shape, pooling, classes):
    parts.checked_weights(weights, include_top, classes)
    image = parts.picture(input_tensor, parts.input_shape_of(input_shape, 224, 32, include_top, weights))
    x = parts.through(image, layers.ZeroPadding2D(padding=((3, 3), (3, 3)), name="conv1_pad"), layers.Conv2D(64, 7, strides=2, use_bias=True, name="conv1_conv"))
    if not second:
        x = parts.through(x, _norm("conv1_bn"), _relu("conv1_relu"))
    x = parts.through(x, layers.ZeroPadding2D(padding=((1, 1), (1, 1)), name="pool1_pad"), layers.MaxPooling2D(3, strides=2, name="pool1_pool"))
    for i, (filters, depth) in enumerate(zip((64, 128, 256, 512), depths)):
        stack, stride = (_stack_v2, 1 if i == 3 else 2) if second else (_stack, 1 if i == 0 else 2)
        x = stack(x, filters, depth, stride, "conv%d" % (i + 2))
    if second:
        x = parts.through(x, _norm("post_bn"), _relu("post_relu"))
    x = parts.classified(x, classes, name="probs") if include_top else parts.pooled(x, pooling, named=True)
    files = [(n % name, checksum) for n, checksum in zip(_NAMES, _FILES[name])]
    return parts.load(parts.model(image, input_tensor, x, name), weights, parts.ORGANISATION + "resnet/", files, include_top)


def _define(function_name, depths, second, folders):
    def make(include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000, **kwargs):
        parts.no_more(kwargs)
        return _resnet(function_name.lower(), depths, second, include_top, weights, input_tensor, input_shape, pooling, classes)

    make.__name__ = function_name
    make.__doc__ = "A residual network with %s blocks in its four stacks." % ", ".join(str(d) for d in depths)
    return parts.export_model(make, *folders)


for _layers, _depths in ((50, (3, 4, 6, 3)), (101, (3, 4, 23, 3)), (152, (3, 8, 36, 3))):
    _define("ResNet%d" % _layers, _depths, False, ("resnet", "resnet50") if _layers == 50 else ("resnet",))
    _define("ResNet%dV2" % _layers, _depths, True, ("resnet_v2",))
