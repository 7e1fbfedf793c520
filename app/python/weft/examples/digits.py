"""tensorflow.examples.tutorials.mnist.input_data: the handwritten digits, as the tutorials of 1.x read them, from local files.

Nothing is downloaded: an error names the missing file and its folder. Batches come in TensorFlow's order for the same NumPy seed."""

import collections
import gzip
import os
import struct

import numpy as np

from .. import dtypes, ops
from ..exports import export, export_value

_NAMES = ("examples.tutorials.mnist.input_data.", "contrib.learn.datasets.mnist.", "contrib.learn.python.learn.datasets.mnist.")
_KINDS = {2051: "images", 2049: "labels"}


def _everywhere(name):
    return export(*[prefix + name for prefix in _NAMES])


Datasets = export_value(collections.namedtuple("Datasets", ["train", "validation", "test"]), "contrib.learn.datasets.base.Datasets", "contrib.learn.python.learn.datasets.base.Datasets")
Dataset = export_value(collections.namedtuple("Dataset", ["data", "target"]), "contrib.learn.datasets.base.Dataset", "contrib.learn.python.learn.datasets.base.Dataset")


def _read(f, magic, dimensions):
    """The bytes of an idx file, compressed or not, as an array."""
    data = f.read()
    name = getattr(f, "name", "the file")
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    found = struct.unpack(">I", data[:4])[0] if len(data) >= 4 else -1
    if found != magic:
        raise ValueError("Invalid magic number %d in MNIST %s file: %s" % (found, _KINDS[magic][:-1], name))
    shape = struct.unpack(">%dI" % dimensions, data[4:4 + 4 * dimensions])
    count = int(np.prod(shape, dtype=np.int64))
    if len(data) < 4 + 4 * dimensions + count:
        raise ValueError("%s says that it has %s bytes of %s, but has %d" % (name, count, _KINDS[magic], len(data) - 4 - 4 * dimensions))
    return np.frombuffer(data, np.uint8, count, 4 + 4 * dimensions).reshape(shape)


@_everywhere("extract_images")
def extract_images(f):
    """Images of an open file as [index, row, column, 1] of uint8."""
    print("Extracting", getattr(f, "name", f))
    return _read(f, 2051, 3)[..., np.newaxis]


@_everywhere("dense_to_one_hot")
def dense_to_one_hot(labels_dense, num_classes):
    """Class numbers as one-hot rows."""
    return np.eye(num_classes)[np.ravel(labels_dense)]


@_everywhere("extract_labels")
def extract_labels(f, one_hot=False, num_classes=10):
    """Labels of an open file: numbers, or one-hot rows."""
    print("Extracting", getattr(f, "name", f))
    labels = _read(f, 2049, 1)
    return dense_to_one_hot(labels, num_classes) if one_hot else labels


@_everywhere("DataSet")
class DataSet:
    """Images with labels, in batches; shuffled before each epoch."""

    def __init__(self, images, labels, fake_data=False, one_hot=False, dtype=dtypes.float32, reshape=True, seed=None):
        graph_seed, op_seed = ops.get_seed(seed)
        np.random.seed(graph_seed if seed is None else op_seed)
        dtype = dtypes.as_dtype(dtype).base_dtype
        if dtype not in (dtypes.uint8, dtypes.float32):
            raise TypeError("Invalid image dtype %r, expected uint8 or float32" % dtype)
        self.one_hot = one_hot
        if fake_data:
            self._num_examples = 10000
        else:
            assert images.shape[0] == labels.shape[0], "images.shape: %s labels.shape: %s" % (images.shape, labels.shape)
            self._num_examples = images.shape[0]
            if reshape:
                assert images.shape[3] == 1
                images = images.reshape(images.shape[0], -1)
            if dtype == dtypes.float32:
                images = np.multiply(images.astype(np.float32), 1.0 / 255.0)
        self._images, self._labels = images, labels
        self._epochs_completed = self._index_in_epoch = 0

    images = property(lambda self: self._images)
    labels = property(lambda self: self._labels)
    num_examples = property(lambda self: self._num_examples)
    epochs_completed = property(lambda self: self._epochs_completed)

    def _shuffle(self):
        order = np.arange(self._num_examples)
        np.random.shuffle(order)
        self._images, self._labels = self._images[order], self._labels[order]

    def next_batch(self, batch_size, fake_data=False, shuffle=True):
        """The next examples; at the end of an epoch the rest of it, filled up from the next one."""
        if fake_data:
            return [[1] * 784] * batch_size, [[1] + [0] * 9 if self.one_hot else 0] * batch_size
        start = self._index_in_epoch
        if shuffle and start == 0 and self._epochs_completed == 0:
            self._shuffle()
        end = start + batch_size
        if end <= self._num_examples:
            self._index_in_epoch = end
            return self._images[start:end], self._labels[start:end]
        rest = self._images[start:], self._labels[start:]
        self._epochs_completed += 1
        if shuffle:
            self._shuffle()
        self._index_in_epoch = end - self._num_examples
        return tuple(np.concatenate((old, new[:self._index_in_epoch])) for old, new in zip(rest, (self._images, self._labels)))


def _open(folder, name):
    for candidate in (name, name[:-len(".gz")]):
        path = os.path.join(folder, candidate)
        if os.path.exists(path):
            return open(path, "rb")
    raise FileNotFoundError("%s is not in %s: Weft downloads nothing; put the MNIST files (train-images-idx3-ubyte.gz, train-labels-idx1-ubyte.gz, "
                            "t10k-images-idx3-ubyte.gz, t10k-labels-idx1-ubyte.gz) there" % (name, os.path.abspath(folder)))


@_everywhere("read_data_sets")
def read_data_sets(train_dir, fake_data=False, one_hot=False, dtype=dtypes.float32, reshape=True, validation_size=5000, seed=None, source_url=None):
    """Datasets(train, validation, test) from the four idx files in a folder."""
    if fake_data:
        return Datasets(*[DataSet([], [], fake_data=True, one_hot=one_hot, dtype=dtype, seed=seed) for _ in range(3)])
    parts = []
    for prefix in ("train", "t10k"):
        with _open(train_dir, prefix + "-images-idx3-ubyte.gz") as f:
            images = extract_images(f)
        with _open(train_dir, prefix + "-labels-idx1-ubyte.gz") as f:
            parts.append((images, extract_labels(f, one_hot=one_hot)))
    (images, labels), test = parts
    n = validation_size
    if not 0 <= n <= len(images):
        raise ValueError("Validation size should be between 0 and {}. Received: {}.".format(len(images), n))
    return Datasets(*[DataSet(*part, dtype=dtype, reshape=reshape, seed=seed) for part in ((images[n:], labels[n:]), (images[:n], labels[:n]), test)])


@_everywhere("load_mnist")
def load_mnist(train_dir="MNIST-data"):
    return read_data_sets(train_dir)


def _csv(filename):
    import csv

    from ..platform import gfile

    with gfile.GFile(filename) as f:
        return list(csv.reader(f.read().splitlines()))


@export("contrib.learn.datasets.base.load_csv_with_header", "contrib.learn.python.learn.datasets.base.load_csv_with_header")
def load_csv_with_header(filename, target_dtype, features_dtype, target_column=-1):
    """A data set from a file whose first line begins with the numbers of rows and features."""
    header, *rows = _csv(filename)
    data = np.zeros((int(header[0]), int(header[1])), dtype=features_dtype)
    target = np.zeros((int(header[0]),), dtype=target_dtype)
    for i, row in enumerate(rows):
        target[i] = np.asarray(row.pop(target_column), dtype=target_dtype)
        data[i] = np.asarray(row, dtype=features_dtype)
    return Dataset(data=data, target=target)


@export("contrib.learn.datasets.base.load_csv_without_header", "contrib.learn.python.learn.datasets.base.load_csv_without_header")
def load_csv_without_header(filename, target_dtype, features_dtype, target_column=-1):
    """A data set from a file of rows."""
    rows = _csv(filename)
    target = np.array([row.pop(target_column) for row in rows], dtype=target_dtype)
    return Dataset(data=np.array([np.asarray(row, dtype=features_dtype) for row in rows]), target=target)


@export("contrib.learn.datasets.load_dataset")
def load_dataset(name, size="small", test_with_fake_data=False):
    """A data set by name. Only mnist is supported."""
    if name != "mnist":
        raise ValueError("Unknown dataset: %s; known here: mnist" % name)
    return load_mnist()
