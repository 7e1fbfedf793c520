"""VGG16 and VGG19: stacks of small convolutions (Simonyan and Zisserman, 2014)."""

from . import layers, parts

_FILES = {"vgg16": ("64373286793e3c8b2b4e3219cbf3544b", "6d6bbae143d832006294945121d1f1fc"),
          "vgg19": ("cbe5617147190e668d6c5d5026f83318", "253f8cb515780f3b799900260a226db6")}
_NAMES = ("%s_weights_tf_dim_ordering_tf_kernels.h5", "%s_weights_tf_dim_ordering_tf_kernels_notop.h5")


def _vgg(name, depths, include_top, weights, input_tensor, input_shape, pooling, classes):
    parts.checked_weights(weights, include_top, classes)
    image = x = parts.picture(input_tensor, parts.input_shape_of(input_shape, 224, 32, include_top, weights))
    for block, (depth, filters) in enumerate(zip(depths, (64, 128, 256, 512, 512)), 1):
        for i in range(depth):
            x = layers.Conv2D(filters, (3, 3), activation="relu", padding="same", name="block%d_conv%d" % (block, i + 1))(x)
        x = layers.MaxPooling2D((2, 2), strides=(2, 2), name="block%d_pool" % block)(x)
    if include_top:
        x = parts.through(x, layers.Flatten(name="flatten"), layers.Dense(4096, activation="relu", name="fc1"), layers.Dense(4096, activation="relu", name="fc2"),
                          layers.Dense(classes, activation="softmax", name="predictions"))
    else:
        x = parts.pooled(x, pooling)
    files = [(n % name, checksum) for n, checksum in zip(_NAMES, _FILES[name])]
    return parts.load(parts.model(image, input_tensor, x, name), weights, parts.RELEASES + "v0.1/", files, include_top)


def VGG16(include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000, **kwargs):
    """13 convolutions and three dense layers."""
    parts.no_more(kwargs)
    return _vgg("vgg16", (2, 2, 3, 3, 3), include_top, weights, input_tensor, input_shape, pooling, classes)


def VGG19(include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000, **kwargs):
    """16 convolutions and three dense layers."""
    parts.no_more(kwargs)
    return _vgg("vgg19", (2, 2, 4, 4, 4), include_top, weights, input_tensor, input_shape, pooling, classes)


parts.export_model(VGG16, "vgg16")
parts.export_model(VGG19, "vgg19")
