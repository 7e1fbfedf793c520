"""MobileNet and MobileNetV2: depthwise convolutions for small devices (Howard et al., 2017; Sandler et al., 2018)."""

import warnings

from .. import backend
from . import layers, parts


def _shape(input_shape, input_tensor, sizes, include_top, weights):
    """(input shape, size in the model's name); `sizes`: the sizes with pretrained weights."""
    if input_shape is None and input_tensor is not None and hasattr(input_tensor, "_keras_history"):
        known = backend.int_shape(input_tensor)[1:]
    else:
        known = input_shape
    first = backend.image_data_format() == "channels_first"
    usual = 224
    if known is not None:
        sides = known[1:] if first else known[:2]
        usual = sides[0] if sides[0] == sides[1] and sides[0] in sizes else 224
    shape = parts.input_shape_of(input_shape, usual, 32, include_top, weights)
    sides = shape[1:] if first else shape[:2]
    if weights == "imagenet" and (sides[0] != sides[1] or sides[0] not in sizes):
        warnings.warn("`input_shape` is undefined or non-square, or `rows` is not in %s. Weights for input shape (224, 224) will be loaded as the default." % sizes)
        return shape, 224
    return shape, sides[0]


def _norm(name, **options):
    return layers.BatchNormalization(axis=parts.last_or_first(), name=name, **options)


def _depthwise(x, filters, depth_multiplier, stride, number):
    if stride == 2:
        x = layers.ZeroPadding2D(((0, 1), (0, 1)), name="conv_pad_%d" % number)(x)
    dw, pw = "conv_dw_%d" % number, "conv_pw_%d" % number
    return parts.through(
        x, layers.DepthwiseConv2D((3, 3), padding="same" if stride == 1 else "valid", depth_multiplier=depth_multiplier, strides=(stride, stride), use_bias=False, name=dw),
        _norm(dw + "_bn"), layers.ReLU(6.0, name=dw + "_relu"), layers.Conv2D(filters, (1, 1), padding="same", use_bias=False, strides=(1, 1), name=pw),
        _norm(pw + "_bn"), layers.ReLU(6.0, name=pw + "_relu"))


def MobileNet(input_shape=None, alpha=1.0, depth_multiplier=1, dropout=1e-3, include_top=True, weights="imagenet", input_tensor=None, pooling=None, classes=1000, **kwargs):
    """13 depthwise separable convolutions; alpha scales the number of filters."""
    parts.no_more(kwargs)
    parts.checked_weights(weights, include_top, classes)
    if weights == "imagenet":
        if depth_multiplier != 1:
            raise ValueError("If imagenet weights are being loaded, depth multiplier must be 1")
        if alpha not in (0.25, 0.50, 0.75, 1.0):
            raise ValueError("If imagenet weights are being loaded, alpha can be one of`0.25`, `0.50`, `0.75` or `1.0` only.")
    shape, rows = _shape(input_shape, None, [128, 160, 192, 224], include_top, weights)
    image = parts.picture(input_tensor, shape)
    x = parts.through(image, layers.ZeroPadding2D(padding=((0, 1), (0, 1)), name="conv1_pad"),
                      layers.Conv2D(int(32 * alpha), (3, 3), padding="valid", use_bias=False, strides=(2, 2), name="conv1"), _norm("conv1_bn"), layers.ReLU(6.0, name="conv1_relu"))
    for i, (filters, stride) in enumerate([(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)] + [(512, 1)] * 5 + [(1024, 2), (1024, 1)], 1):
        x = _depthwise(x, int(filters * alpha), depth_multiplier, stride, i)
    if include_top:
        n = int(1024 * alpha)
        x = parts.through(x, layers.GlobalAveragePooling2D(), layers.Reshape((n, 1, 1) if parts.channel_axis() == 1 else (1, 1, n), name="reshape_1"),
                          layers.Dropout(dropout, name="dropout"), layers.Conv2D(classes, (1, 1), padding="same", name="conv_preds"),
                          layers.Reshape((classes,), name="reshape_2"), layers.Activation("softmax", name="act_softmax"))
    else:
        x = parts.pooled(x, pooling)
    made = parts.model(image, input_tensor, x, "mobilenet_%0.2f_%s" % (alpha, rows))
    size = {1.0: "1_0", 0.75: "7_5", 0.50: "5_0"}.get(alpha, "2_5")
    return parts.load(made, weights, parts.RELEASES + "v0.6/", [("mobilenet_%s_%s_tf%s.h5" % (size, rows, end), None) for end in ("", "_no_top")], include_top)


def _divisible(n, by=8):
    """The nearest multiple of `by`, at most 10 % below n."""
    near = max(by, int(n + by / 2) // by * by)
    return near + by if near < 0.9 * n else near


def _inverted(x, filters, alpha, stride, expansion, number):
    """An inverted residual block: expand, depthwise convolution, project."""
    options = {"epsilon": 1e-3, "momentum": 0.999}
    before, channels = x, backend.int_shape(x)[parts.last_or_first()]
    narrow = _divisible(int(filters * alpha))
    prefix = "block_%d_" % number if number else "expanded_conv_"
    if number:
        x = parts.through(x, layers.Conv2D(expansion * channels, kernel_size=1, padding="same", use_bias=False, name=prefix + "expand"), _norm(prefix + "expand_BN", **options),
                          layers.ReLU(6.0, name=prefix + "expand_relu"))
    if stride == 2:
        x = layers.ZeroPadding2D(padding=parts.pads_before_stride(x, 3), name=prefix + "pad")(x)
    x = parts.through(x, layers.DepthwiseConv2D(kernel_size=3, strides=stride, use_bias=False, padding="same" if stride == 1 else "valid", name=prefix + "depthwise"),
                      _norm(prefix + "depthwise_BN", **options), layers.ReLU(6.0, name=prefix + "depthwise_relu"),
                      layers.Conv2D(narrow, kernel_size=1, padding="same", use_bias=False, name=prefix + "project"), _norm(prefix + "project_BN", **options))
    return layers.Add(name=prefix + "add")([before, x]) if channels == narrow and stride == 1 else x


def MobileNetV2(input_shape=None, alpha=1.0, include_top=True, weights="imagenet", input_tensor=None, pooling=None, classes=1000, **kwargs):
    """17 inverted residual blocks; alpha scales the number of filters."""
    parts.no_more(kwargs)
    parts.checked_weights(weights, include_top, classes)
    if weights == "imagenet" and alpha not in (0.35, 0.50, 0.75, 1.0, 1.3, 1.4):
        raise ValueError("If imagenet weights are being loaded, alpha can be one of `0.35`, `0.50`, `0.75`, `1.0`, `1.3` or `1.4` only.")
    if input_shape is not None and input_tensor is not None:
        if not hasattr(input_tensor, "_keras_history"):
            raise ValueError("input_tensor specified: ", input_tensor, "is not a keras tensor")
        if backend.int_shape(input_tensor)[2] != input_shape[1]:
            raise ValueError("input_shape: ", input_shape, "and input_tensor: ", input_tensor, "do not meet the same shape requirements")
    shape, rows = _shape(input_shape, input_tensor, [96, 128, 160, 192, 224], include_top, weights)
    image = parts.picture(input_tensor, shape)
    x = parts.through(image, layers.ZeroPadding2D(padding=parts.pads_before_stride(image, 3), name="Conv1_pad"),
                      layers.Conv2D(_divisible(32 * alpha), kernel_size=3, strides=(2, 2), padding="valid", use_bias=False, name="Conv1"),
                      _norm("bn_Conv1", epsilon=1e-3, momentum=0.999), layers.ReLU(6.0, name="Conv1_relu"))
    number = 0
    for filters, repeats, stride, expansion in ((16, 1, 1, 1), (24, 2, 2, 6), (32, 3, 2, 6), (64, 4, 2, 6), (96, 3, 1, 6), (160, 3, 2, 6), (320, 1, 1, 6)):
        for i in range(repeats):
            x = _inverted(x, filters, alpha, stride if i == 0 else 1, expansion, number)
            number += 1
    x = parts.through(x, layers.Conv2D(_divisible(1280 * alpha) if alpha > 1.0 else 1280, kernel_size=1, use_bias=False, name="Conv_1"),
                      _norm("Conv_1_bn", epsilon=1e-3, momentum=0.999), layers.ReLU(6.0, name="out_relu"))
    x = parts.classified(x, classes, pool=None, name="Logits") if include_top else parts.pooled(x, pooling)
    made = parts.model(image, input_tensor, x, "mobilenetv2_%0.2f_%s" % (alpha, rows))
    names = ["mobilenet_v2_weights_tf_dim_ordering_tf_kernels_%s_%s%s.h5" % (alpha, rows, end) for end in ("", "_no_top")]
    return parts.load(made, weights, "https://github.com/JonathanCMitchell/mobilenet_v2_keras/releases/download/v1.1/", [(n, None) for n in names], include_top)


parts.export_model(MobileNet, "mobilenet")
parts.export_model(MobileNetV2, "mobilenet_v2")
