"""Preprocessing of images for the networks of tf.keras.applications, and decoding of their predictions."""

import json

import numpy as np

from ...exports import export
from .. import backend, backend_functions
from ..names import get_file

_MEANS = {"torch": ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]), "caffe": ([103.939, 116.779, 123.68], None)}
_classes = None


def _prepared_array(x, data_format, mode):
    """Preprocesses in place if the type allows it."""
    if not np.issubdtype(x.dtype, np.floating):
        x = x.astype(backend.floatx(), copy=False)
    if mode == "tf":
        x /= 127.5
        x -= 1.0
        return x
    channels = -3 if data_format == "channels_first" else -1
    if mode == "torch":
        x /= 255.0
    else:
        x = np.flip(x, channels)
    mean, deviation = _MEANS["torch" if mode == "torch" else "caffe"]
    planes = np.moveaxis(x, channels, 0)  # a view
    for i in range(3):
        planes[i] -= mean[i]
        if deviation:
            planes[i] /= deviation[i]
    return x


def _prepared_tensor(x, data_format, mode):
    if mode == "tf":
        x /= 127.5
        return x - 1.0
    if mode == "torch":
        x /= 255.0
    elif data_format == "channels_first":
        x = x[::-1, ...] if x.shape.ndims == 3 else x[:, ::-1, ...]
    else:
        x = x[..., ::-1]
    mean, deviation = _MEANS["torch" if mode == "torch" else "caffe"]
    offset = backend_functions.constant(-np.array(mean))
    if backend.dtype(x) != backend.dtype(offset):
        offset = backend.cast(offset, backend.dtype(x))
    x = backend_functions.bias_add(x, offset, data_format)
    return x / deviation if deviation else x


@export("keras.applications.imagenet_utils.preprocess_input")
def preprocess_input(x, data_format=None, mode="caffe"):
    """Scales images from 0…255 for a network. mode: "caffe" (BGR, means subtracted), "tf" (-1 to 1), "torch" (0 to 1, normalized)."""
    data_format = data_format or backend.image_data_format()
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError("Unknown data_format " + str(data_format))
    return (_prepared_array if isinstance(x, np.ndarray) else _prepared_tensor)(x, data_format, mode)


def _of_mode(mode):
    def preprocess(x, data_format=None, **kwargs):
        return preprocess_input(x, data_format, mode)

    preprocess.__name__, preprocess.__doc__ = "preprocess_input", preprocess_input.__doc__
    return preprocess


@export("keras.applications.imagenet_utils.decode_predictions")
def decode_predictions(preds, top=5, **kwargs):
    """The most probable classes for each row of 1,000 probabilities: (WordNet id, name, probability). Names come from Keras's file in ~/.keras/models."""
    global _classes
    if len(preds.shape) != 2 or preds.shape[1] != 1000:
        raise ValueError("`decode_predictions` expects a batch of predictions (i.e. a 2D array of shape (samples, 1000)). Found array with shape: %s" % (preds.shape,))
    if _classes is None:
        path = get_file("imagenet_class_index.json", "https://s3.amazonaws.com/deep-learning-models/image-models/imagenet_class_index.json",
                        cache_subdir="models", file_hash="c2c37ea517e94d9795004a39431a14cb")
        with open(path) as f:
            _classes = json.load(f)
    return [sorted((tuple(_classes[str(i)]) + (row[i],) for i in row.argsort()[-top:][::-1]), key=lambda c: c[2], reverse=True) for row in preds]


for _mode, _folders in {"caffe": ("vgg16", "vgg19", "resnet", "resnet50"), "torch": ("densenet",),
                        "tf": ("inception_resnet_v2", "inception_v3", "mobilenet", "mobilenet_v2", "nasnet", "resnet_v2", "xception")}.items():
    for _folder in _folders:
        export("keras.applications.%s.preprocess_input" % _folder)(_of_mode(_mode))
        export("keras.applications.%s.decode_predictions" % _folder)(decode_predictions)
