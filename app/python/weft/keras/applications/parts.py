"""Shared parts of the networks of tf.keras.applications: arguments, inputs, final layers and weights."""

import os
import warnings

from ...exports import export
from .. import backend
from ..models import Model
from ..names import get_file, get_source_inputs
from . import layers

RELEASES = "https://github.com/fchollet/deep-learning-models/releases/download/"
ORGANISATION = "https://github.com/keras-team/keras-applications/releases/download/"


def no_more(kwargs):
    """Refuses further arguments, except those that select a Keras implementation."""
    for name in set(kwargs) - {"backend", "layers", "models", "utils"}:
        raise TypeError("Invalid keyword argument: %s" % name)


def channel_axis():
    return 1 if backend.image_data_format() == "channels_first" else 3


def last_or_first():
    """The channel axis; -1 if channels are last."""
    return 1 if backend.image_data_format() == "channels_first" else -1


def through(x, *layers):
    """x passed through the layers in order."""
    for layer in layers:
        x = layer(x)
    return x


def pads_before_stride(x, size):
    """Pads a convolution with stride 2 so that it starts where "same" padding would."""
    first = 2 if backend.image_data_format() == "channels_first" else 1
    sides = backend.int_shape(x)[first:first + 2]
    before = [size // 2 - 1 if sides[0] is None else size // 2 - (1 - side % 2) for side in sides]
    return ((before[0], size // 2), (before[1], size // 2))


def checked_weights(weights, include_top, classes):
    if not (weights in (None, "imagenet") or os.path.exists(weights)):
        raise ValueError("The `weights` argument should be either `None` (random initialization), `imagenet` (pre-training on ImageNet), "
                         "or the path to the weights file to be loaded.")
    if weights == "imagenet" and include_top and classes != 1000:
        raise ValueError('If using `weights` as `"imagenet"` with `include_top` as true, `classes` should be 1000')


def input_shape_of(shape, usual, least, flat, weights):
    """The shape of one image: the given one, checked, or the network's default; `flat`: sizes must be known."""
    first = backend.image_data_format() == "channels_first"

    def ordered(height, width, channels):
        return (channels, height, width) if first else (height, width, channels)

    own = ordered(usual, usual, 3)
    if weights != "imagenet" and shape and len(shape) == 3:
        channels = shape[0] if first else shape[-1]
        if channels not in (1, 3):
            warnings.warn("This model usually expects 1 or 3 input channels. However, it was passed an input_shape with %s input channels." % channels)
        own = ordered(usual, usual, channels)
    if weights == "imagenet" and flat:
        if shape is not None and shape != own:
            raise ValueError("When setting `include_top=True` and loading `imagenet` weights, `input_shape` should be %s." % (own,))
        return own
    if shape:
        if len(shape) != 3:
            raise ValueError("`input_shape` must be a tuple of three integers.")
        if (shape[0] if first else shape[-1]) != 3 and weights == "imagenet":
            raise ValueError("The input must have 3 channels; got `input_shape=%s`" % (shape,))
        if any(side is not None and side < least for side in (shape[1:] if first else shape[:2])):
            raise ValueError("Input size must be at least %dx%d; got `input_shape=%s`" % (least, least, shape))
    else:
        shape = own if flat else ordered(None, None, 3)
    if flat and None in shape:
        raise ValueError("If `include_top` is True, you should specify a static `input_shape`. Got `input_shape=%s`" % (shape,))
    return shape


def picture(input_tensor, shape):
    """The input tensor of a network."""
    if input_tensor is None:
        return layers.Input(shape=shape)
    return input_tensor if hasattr(input_tensor, "_keras_history") else layers.Input(tensor=input_tensor, shape=shape)


def pooled(x, pooling, named=False):
    """The final pooling of a network without its top."""
    if pooling == "avg":
        return layers.GlobalAveragePooling2D(**({"name": "avg_pool"} if named else {}))(x)
    if pooling == "max":
        return layers.GlobalMaxPooling2D(**({"name": "max_pool"} if named else {}))(x)
    return x


def classified(x, classes, pool="avg_pool", name="predictions"):
    """Global average pooling, then class probabilities."""
    return through(x, layers.GlobalAveragePooling2D(**({"name": pool} if pool else {})), layers.Dense(classes, activation="softmax", name=name))


def model(image, input_tensor, x, name):
    inputs = image if input_tensor is None else get_source_inputs(input_tensor)
    return Model(inputs, x, name=name)


def load(made, weights, base, files, include_top):
    """Loads weights from a file of the program, or those of ImageNet: (name, checksum) with and without top, as Keras keeps them in ~/.keras/models;
    a third element is the file's name at its source."""
    if weights == "imagenet":
        name, checksum, *source = files[0 if include_top else 1]
        weights = get_file(name, base + (source or [name])[0], cache_subdir="models", file_hash=checksum)
    if weights is not None:
        made.load_weights(weights)
    return made


def export_model(function, *folders):
    """Decorator: exports under tf.keras.applications and in the modules where Keras has it."""
    name = function.__name__
    return export("keras.applications." + name, *["keras.applications.%s.%s" % (f, name) for f in folders])(function)
