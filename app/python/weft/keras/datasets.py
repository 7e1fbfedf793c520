"""tf.keras.datasets: data sets read from ~/.keras/datasets, Keras's own cache. Nothing is downloaded."""

import gzip
import json
import os
import pickle

import numpy as np

from ..exports import export

_GOOGLE = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"
_TORONTO = "https://www.cs.toronto.edu/~kriz/"


def _there(name, origin):
    """The path of a data file; an error if it is missing."""
    path = name if os.path.isabs(name) else os.path.join(os.path.expanduser(os.path.join("~", ".keras")), "datasets", name)
    if not os.path.exists(path):
        raise IOError("%s is not there, and Weft fetches nothing from the network: fetch %s and put it there (unpacked, if it is an archive)" % (path, origin))
    return path


@export("keras.datasets.mnist.load_data")
def mnist(path="mnist.npz"):
    """Handwritten digits: (x_train, y_train), (x_test, y_test)."""
    with np.load(_there(path, _GOOGLE + "mnist.npz")) as f:
        return (f["x_train"], f["y_train"]), (f["x_test"], f["y_test"])


@export("keras.datasets.boston_housing.load_data")
def boston_housing(path="boston_housing.npz", test_split=0.2, seed=113):
    """House prices."""
    assert 0 <= test_split < 1
    with np.load(_there(path, _GOOGLE + "boston_housing.npz"), allow_pickle=True) as f:
        x, y = f["x"], f["y"]
    np.random.seed(seed)
    order = np.arange(len(x))
    np.random.shuffle(order)
    x, y = x[order], y[order]
    cut = int(len(x) * (1 - test_split))
    return (np.array(x[:cut]), np.array(y[:cut])), (np.array(x[cut:]), np.array(y[cut:]))


@export("keras.datasets.fashion_mnist.load_data")
def fashion_mnist():
    """Images of clothes, of the same size as mnist()."""
    arrays = []
    for name in ("train-labels-idx1-ubyte.gz", "train-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz", "t10k-images-idx3-ubyte.gz"):
        with gzip.open(_there(os.path.join("fashion-mnist", name), _GOOGLE + name), "rb") as f:
            data = f.read()
        images = "images" in name
        array = np.frombuffer(data, np.uint8, offset=16 if images else 8)
        arrays.append(array.reshape(len(arrays[-1]), 28, 28) if images else array)
    return (arrays[1], arrays[0]), (arrays[3], arrays[2])


def _cifar_batch(path, label_key):
    with open(path, "rb") as f:
        batch = {k.decode("utf8") if isinstance(k, bytes) else k: v for k, v in pickle.load(f, encoding="bytes").items()}
    data = batch["data"]
    return data.reshape(data.shape[0], 3, 32, 32), batch[label_key]


def _cifar_result(x_train, y_train, x_test, y_test):
    from . import backend

    if backend.image_data_format() == "channels_last":
        x_train, x_test = x_train.transpose(0, 2, 3, 1), x_test.transpose(0, 2, 3, 1)
    return (x_train, np.reshape(y_train, (len(y_train), 1))), (x_test, np.reshape(y_test, (len(y_test), 1)))


@export("keras.datasets.cifar10.load_data")
def cifar10():
    """Images in ten classes."""
    folder = _there("cifar-10-batches-py", _TORONTO + "cifar-10-python.tar.gz")
    parts = [_cifar_batch(os.path.join(folder, "data_batch_%d" % i), "labels") for i in range(1, 6)]
    x_test, y_test = _cifar_batch(os.path.join(folder, "test_batch"), "labels")
    return _cifar_result(np.concatenate([x for x, _ in parts]), np.concatenate([np.array(y, "uint8") for _, y in parts]), x_test, y_test)


@export("keras.datasets.cifar100.load_data")
def cifar100(label_mode="fine"):
    """Images in a hundred classes, or their twenty groups."""
    if label_mode not in ("fine", "coarse"):
        raise ValueError('`label_mode` must be one of `"fine"`, `"coarse"`.')
    folder = _there("cifar-100-python", _TORONTO + "cifar-100-python.tar.gz")
    train, test = (_cifar_batch(os.path.join(folder, name), label_mode + "_labels") for name in ("train", "test"))
    return _cifar_result(train[0], train[1], test[0], test[1])


def _shuffled(rng, x, y):
    order = np.arange(len(x))
    rng.shuffle(order)
    return x[order], y[order]


def _words(sequences, start_char, index_from):
    if start_char is not None:
        return [[start_char] + [w + index_from for w in x] for x in sequences]
    return [[w + index_from for w in x] for x in sequences] if index_from else sequences


def _not_longer(maxlen, xs, labels):
    kept = [(x, y) for x, y in zip(xs, labels) if len(x) < maxlen]
    return [x for x, _ in kept], [y for _, y in kept]


def _limited(xs, num_words, skip_top, oov_char):
    if not num_words:
        num_words = max(max(x) for x in xs)
    if oov_char is not None:
        return [[w if skip_top <= w < num_words else oov_char for w in x] for x in xs]
    return [[w for w in x if skip_top <= w < num_words] for x in xs]


@export("keras.datasets.imdb.load_data")
def imdb(path="imdb.npz", num_words=None, skip_top=0, maxlen=None, seed=113, start_char=1, oov_char=2, index_from=3, **kwargs):
    """Movie reviews as word ids."""
    if "nb_words" in kwargs:
        num_words = kwargs.pop("nb_words")
    if kwargs:
        raise TypeError("Unrecognized keyword arguments: " + str(kwargs))
    with np.load(_there(path, _GOOGLE + "imdb.npz"), allow_pickle=True) as f:
        x_train, y_train, x_test, y_test = f["x_train"], f["y_train"], f["x_test"], f["y_test"]
    np.random.seed(seed)
    x_train, y_train = _shuffled(np.random, x_train, y_train)
    x_test, y_test = _shuffled(np.random, x_test, y_test)
    xs, labels = np.concatenate([x_train, x_test]), np.concatenate([y_train, y_test])
    xs = _words(xs, start_char, index_from)
    if maxlen:
        xs, labels = _not_longer(maxlen, xs, labels)
        if not xs:
            raise ValueError("After filtering for sequences shorter than maxlen=%s, no sequence was kept. Increase maxlen." % maxlen)
    xs, cut = _limited(xs, num_words, skip_top, oov_char), len(x_train)
    return (_ragged(xs[:cut]), np.array(labels[:cut])), (_ragged(xs[cut:]), np.array(labels[cut:]))


@export("keras.datasets.reuters.load_data")
def reuters(path="reuters.npz", num_words=None, skip_top=0, maxlen=None, test_split=0.2, seed=113, start_char=1, oov_char=2, index_from=3, **kwargs):
    """News with topics, as word ids."""
    if "nb_words" in kwargs:
        num_words = kwargs.pop("nb_words")
    if kwargs:
        raise TypeError("Unrecognized keyword arguments: " + str(kwargs))
    with np.load(_there(path, _GOOGLE + "reuters.npz"), allow_pickle=True) as f:
        xs, labels = f["x"], f["y"]
    np.random.seed(seed)
    xs, labels = _shuffled(np.random, xs, labels)
    xs = _words(xs, start_char, index_from)
    if maxlen:
        xs, labels = _not_longer(maxlen, xs, labels)
    xs, cut = _limited(xs, num_words, skip_top, oov_char), int(len(xs) * (1 - test_split))
    return (_ragged(xs[:cut]), np.array(labels[:cut])), (_ragged(xs[cut:]), np.array(labels[cut:]))


def _ragged(lists):
    """An object array of lists, even if all have the same length."""
    made = np.empty(len(lists), dtype=object)
    made[:] = lists
    return made


def _word_index(path, origin):
    with open(_there(path, origin), encoding="utf-8") as f:
        return json.load(f)


@export("keras.datasets.imdb.get_word_index")
def imdb_word_index(path="imdb_word_index.json"):
    """Word -> its number."""
    return _word_index(path, _GOOGLE + "imdb_word_index.json")


@export("keras.datasets.reuters.get_word_index")
def reuters_word_index(path="reuters_word_index.json"):
    """Word -> its number."""
    return _word_index(path, _GOOGLE + "reuters_word_index.json")
