"""NASNet: cells found by architecture search (Zoph et al., 2017)."""

from ... import ops
from .. import backend
from . import layers, parts

_WEIGHTS = "https://github.com/titu1994/Keras-NASNet/releases/download/v1.2/"
_MOBILE = [("nasnet_mobile.h5", "020fb642bf7360b370c678b08e0adf61", "NASNet-mobile.h5"), ("nasnet_mobile_no_top.h5", "1ed92395b5b598bdda52abe5c0dbfd63", "NASNet-mobile-no-top.h5")]
_LARGE = [("nasnet_large.h5", "11577c9a518f0070763c2b964a382f17", "NASNet-large.h5"), ("nasnet_large_no_top.h5", "d81d89dc07e6e56530c4e77faddd61b5", "NASNet-large-no-top.h5")]


def _scope(name):
    return ops.name_scope(name)


def _norm(name):
    return layers.BatchNormalization(axis=parts.last_or_first(), momentum=0.9997, epsilon=1e-3, name=name)


def _conv(filters, name):
    return layers.Conv2D(filters, (1, 1), padding="same", use_bias=False, name=name, kernel_initializer="he_normal")


def _add(tensors, name=None):
    return layers.add(tensors, name=name)


def _separable(x, filters, size, name, stride=1):
    """Two separable convolutions."""
    options = {"use_bias": False, "kernel_initializer": "he_normal"}
    with _scope("separable_conv_block_" + name):
        x = layers.Activation("relu")(x)
        if stride == 2:
            x = layers.ZeroPadding2D(padding=parts.pads_before_stride(x, size), name="separable_conv_1_pad_" + name)(x)
        first = layers.SeparableConv2D(filters, (size, size), strides=(stride, stride), name="separable_conv_1_" + name, padding="valid" if stride == 2 else "same", **options)
        x = parts.through(x, first, _norm("separable_conv_1_bn_" + name), layers.Activation("relu"))
        return parts.through(x, layers.SeparableConv2D(filters, (size, size), name="separable_conv_2_" + name, padding="same", **options), _norm("separable_conv_2_bn_" + name))


def _adjusted(p, x, filters, name):
    """The previous cell's output, adjusted to the size and channels of this cell."""
    side = 2 if backend.image_data_format() == "channels_first" else -2
    with _scope("adjust_block"):
        if p is None:
            return x
        if backend.int_shape(p)[side] != backend.int_shape(x)[side]:
            with _scope("adjust_reduction_block_" + name):
                p = layers.Activation("relu", name="adjust_relu_1_" + name)(p)
                first = parts.through(p, layers.AveragePooling2D((1, 1), strides=(2, 2), padding="valid", name="adjust_avg_pool_1_" + name), _conv(filters // 2, "adjust_conv_1_" + name))
                second = parts.through(p, layers.ZeroPadding2D(padding=((0, 1), (0, 1))), layers.Cropping2D(cropping=((1, 0), (1, 0))),
                                       layers.AveragePooling2D((1, 1), strides=(2, 2), padding="valid", name="adjust_avg_pool_2_" + name), _conv(filters // 2, "adjust_conv_2_" + name))
                return _norm("adjust_bn_" + name)(layers.concatenate([first, second], axis=parts.last_or_first()))
        if backend.int_shape(p)[parts.last_or_first()] != filters:
            with _scope("adjust_projection_block_" + name):
                return parts.through(p, layers.Activation("relu"), _conv(filters, "adjust_conv_projection_" + name), _norm("adjust_bn_" + name))
        return p


def _entrance(x, filters, kind, name):
    return parts.through(x, layers.Activation("relu"), _conv(filters, "%s_conv_1_%s" % (kind, name)), _norm("%s_bn_1_%s" % (kind, name)))


def _normal(x, p, filters, name):
    """The cell that keeps the size."""

    def mean(t, part):
        return layers.AveragePooling2D((3, 3), strides=(1, 1), padding="same", name="normal_%s_%s" % (part, name))(t)

    def separable(t, size, part):
        return _separable(t, filters, size, "normal_%s_%s" % (part, name))

    with _scope("normal_A_block_" + name):
        p = _adjusted(p, x, filters, name)
        h = _entrance(x, filters, "normal", name)
        with _scope("block_1"):
            x1 = _add([separable(h, 5, "left1"), separable(p, 3, "right1")], "normal_add_1_" + name)
        with _scope("block_2"):
            x2 = _add([separable(p, 5, "left2"), separable(p, 3, "right2")], "normal_add_2_" + name)
        with _scope("block_3"):
            x3 = _add([mean(h, "left3"), p], "normal_add_3_" + name)
        with _scope("block_4"):
            x4 = _add([mean(p, "left4"), mean(p, "right4")], "normal_add_4_" + name)
        with _scope("block_5"):
            x5 = _add([separable(h, 3, "left5"), h], "normal_add_5_" + name)
        return layers.concatenate([p, x1, x2, x3, x4, x5], axis=parts.last_or_first(), name="normal_concat_" + name), x


def _reduction(x, p, filters, name):
    """The cell that halves the size."""

    def pool(kind, t, part):
        return kind((3, 3), strides=(2, 2), padding="valid", name="reduction_%s_%s" % (part, name))(t)

    def separable(t, size, part, stride=2):
        return _separable(t, filters, size, "reduction_%s_%s" % (part, name), stride)

    with _scope("reduction_A_block_" + name):
        p = _adjusted(p, x, filters, name)
        h = _entrance(x, filters, "reduction", name)
        padded = layers.ZeroPadding2D(padding=parts.pads_before_stride(h, 3), name="reduction_pad_1_" + name)(h)
        with _scope("block_1"):
            x1 = _add([separable(h, 5, "left1"), separable(p, 7, "right1")], "reduction_add_1_" + name)
        with _scope("block_2"):
            x2 = _add([pool(layers.MaxPooling2D, padded, "left2"), separable(p, 7, "right2")], "reduction_add_2_" + name)
        with _scope("block_3"):
            x3 = _add([pool(layers.AveragePooling2D, padded, "left3"), separable(p, 5, "right3")], "reduction_add3_" + name)
        with _scope("block_4"):
            mean = layers.AveragePooling2D((3, 3), strides=(1, 1), padding="same", name="reduction_left4_" + name)(x1)
            x4 = _add([x2, mean])
        with _scope("block_5"):
            x5 = _add([separable(x1, 3, "left4", stride=1), pool(layers.MaxPooling2D, padded, "right5")], "reduction_add4_" + name)
        return layers.concatenate([x2, x3, x4, x5], axis=parts.last_or_first(), name="reduction_concat_" + name), x


def _nasnet(size, penultimate, repeats, stem, skip, files, include_top, weights, input_tensor, input_shape, pooling, classes):
    """`skip`: a cell after a reduction gets the reduction's input instead of its output."""
    parts.checked_weights(weights, include_top, classes)
    if isinstance(input_shape, tuple) and None in input_shape and weights == "imagenet":
        raise ValueError("When specifying the input shape of a NASNet and loading `ImageNet` weights, the input_shape argument must be static (no None entries). Got: `input_shape=%s`." % (input_shape,))
    image = parts.picture(input_tensor, parts.input_shape_of(input_shape, size, 32, True, weights))
    filters, p = penultimate // 24, None
    x = parts.through(image, layers.Conv2D(stem, (3, 3), strides=(2, 2), padding="valid", use_bias=False, name="stem_conv1", kernel_initializer="he_normal"), _norm("stem_bn1"))
    x, p = _reduction(x, p, filters // 4, "stem_1")
    x, p = _reduction(x, p, filters // 2, "stem_2")
    for stage in range(3):
        if stage:
            x, before = _reduction(x, p, filters << stage, "reduce_%d" % (stage * repeats))
            p = p if skip else before
        for i in range(repeats):
            x, p = _normal(x, p, filters << stage, str(stage * repeats + i + min(stage, 1)))
    x = layers.Activation("relu")(x)
    x = parts.classified(x, classes, pool=None) if include_top else parts.pooled(x, pooling)
    return parts.load(parts.model(image, input_tensor, x, "NASNet"), weights, _WEIGHTS, files, include_top)


def NASNetLarge(input_shape=None, include_top=True, weights="imagenet", input_tensor=None, pooling=None, classes=1000, **kwargs):
    """18 cells, with 4,032 channels at the end."""
    parts.no_more(kwargs)
    return _nasnet(331, 4032, 6, 96, True, _LARGE, include_top, weights, input_tensor, input_shape, pooling, classes)


def NASNetMobile(input_shape=None, include_top=True, weights="imagenet", input_tensor=None, pooling=None, classes=1000, **kwargs):
    """Twelve cells, with 1,056 channels at the end, for small devices."""
    parts.no_more(kwargs)
    return _nasnet(224, 1056, 4, 32, False, _MOBILE, include_top, weights, input_tensor, input_shape, pooling, classes)


parts.export_model(NASNetLarge, "nasnet")
parts.export_model(NASNetMobile, "nasnet")
