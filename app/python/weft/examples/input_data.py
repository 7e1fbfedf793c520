"""tensorflow.examples.tutorials.mnist.input_data: MNIST from files that are there. Nothing is downloaded."""

import collections
import gzip
import os

import numpy

from .. import dtypes, ops

Datasets = collections.namedtuple("Datasets", ["train", "validation", "test"])
DEFAULT_SOURCE_URL = "https://storage.googleapis.com/cvdf-datasets/mnist/"
_FILES = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")


def _read32(stream):
    return int.from_bytes(stream.read(4), "big")


def extract_images(f):
    """uint8 [images, rows, columns, 1] of an idx file."""
    with gzip.GzipFile(fileobj=f) if _zipped(f) else f as stream:
        magic = _read32(stream)
        if magic != 2051:
            raise ValueError("Invalid magic number %d in MNIST image file: %s" % (magic, f.name))
        count, rows, columns = _read32(stream), _read32(stream), _read32(stream)
        return numpy.frombuffer(stream.read(rows * columns * count), dtype=numpy.uint8).reshape(count, rows, columns, 1)


def dense_to_one_hot(labels, num_classes):
    return numpy.eye(num_classes)[labels]


def extract_labels(f, one_hot=False, num_classes=10):
    """uint8 [labels], or one-hot rows."""
    with gzip.GzipFile(fileobj=f) if _zipped(f) else f as stream:
        magic = _read32(stream)
        if magic != 2049:
            raise ValueError("Invalid magic number %d in MNIST label file: %s" % (magic, f.name))
        labels = numpy.frombuffer(stream.read(_read32(stream)), dtype=numpy.uint8)
        return dense_to_one_hot(labels, num_classes) if one_hot else labels


def _zipped(f):
    start = f.read(2)
    f.seek(0)
    return start == b"\x1f\x8b"


class DataSet:
    """Images and labels that are given in batches, shuffled anew in every epoch."""

    def __init__(self, images, labels, fake_data=False, one_hot=False, dtype=dtypes.float32, reshape=True, seed=None):
        seed1, seed2 = ops.get_seed(seed)
        numpy.random.seed(seed1 if seed is None else seed2)
        dtype = dtypes.as_dtype(dtype).base_dtype
        if dtype not in (dtypes.uint8, dtypes.float32):
            raise TypeError("Invalid image dtype %r, expected uint8 or float32" % dtype)
        if fake_data:
            self._num_examples = 10000
            self.one_hot = one_hot
        else:
            assert images.shape[0] == labels.shape[0], "images.shape: %s labels.shape: %s" % (images.shape, labels.shape)
            self._num_examples = images.shape[0]
            if reshape:
                assert images.shape[3] == 1
                images = images.reshape(images.shape[0], images.shape[1] * images.shape[2])
            if dtype == dtypes.float32:
                images = numpy.multiply(images.astype(numpy.float32), 1.0 / 255.0)
        self._images, self._labels = images, labels
        self._fake = fake_data
        self._epochs_completed = 0
        self._index_in_epoch = 0

    images = property(lambda self: self._images)
    labels = property(lambda self: self._labels)
    num_examples = property(lambda self: self._num_examples)
    epochs_completed = property(lambda self: self._epochs_completed)

    def _shuffle(self):
        order = numpy.arange(self._num_examples)
        numpy.random.shuffle(order)
        self._images, self._labels = self._images[order], self._labels[order]

    def next_batch(self, batch_size, fake_data=False, shuffle=True):
        """The next `batch_size` examples; what is left of an epoch is joined with the beginning of the next."""
        if fake_data or self._fake:
            label = [1] + [0] * 9 if self.one_hot else 0
            return [[1] * 784] * batch_size, [label] * batch_size
        start = self._index_in_epoch
        if self._epochs_completed == 0 and start == 0 and shuffle:
            self._shuffle()
        if start + batch_size <= self._num_examples:
            self._index_in_epoch += batch_size
            return self._images[start:self._index_in_epoch], self._labels[start:self._index_in_epoch]
        self._epochs_completed += 1
        images, labels = self._images[start:self._num_examples], self._labels[start:self._num_examples]
        if shuffle:
            self._shuffle()
        rest = batch_size - len(images)
        self._index_in_epoch = rest
        return numpy.concatenate((images, self._images[:rest]), axis=0), numpy.concatenate((labels, self._labels[:rest]), axis=0)


def _find(folder, name):
    for candidate in (name + ".gz", name):
        path = os.path.join(folder, candidate)
        if os.path.exists(path):
            return path
    raise IOError("%s is not there: put the four files of MNIST (%s, as they are or with .gz) into %s; they are not downloaded." % (os.path.join(folder, name + ".gz"), ", ".join(_FILES), folder))


def read_data_sets(train_dir, fake_data=False, one_hot=False, dtype=dtypes.float32, reshape=True, validation_size=5000, seed=None, source_url=DEFAULT_SOURCE_URL):
    """MNIST as train, validation and test."""
    if fake_data:
        def fake():
            return DataSet([], [], fake_data=True, one_hot=one_hot, dtype=dtype, seed=seed)

        return Datasets(train=fake(), validation=fake(), test=fake())
    arrays = []
    for i, name in enumerate(_FILES):
        with open(_find(train_dir, name), "rb") as f:
            arrays.append(extract_labels(f, one_hot=one_hot) if i % 2 else extract_images(f))
    images, labels, test_images, test_labels = arrays
    if not 0 <= validation_size <= len(images):
        raise ValueError("Validation size should be between 0 and {}. Received: {}.".format(len(images), validation_size))
    given = dict(dtype=dtype, reshape=reshape, seed=seed)
    return Datasets(train=DataSet(images[validation_size:], labels[validation_size:], **given), validation=DataSet(images[:validation_size], labels[:validation_size], **given),
                    test=DataSet(test_images, test_labels, **given))


def load_mnist(train_dir="MNIST-data"):
    return read_data_sets(train_dir)
