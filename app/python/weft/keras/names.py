"""tf.keras.utils and other names of tf.keras."""

import hashlib
import os

import numpy as np

from .. import engine
from ..exports import export, export_value
from ..layers import lookups
from ..row_functions import map_fn
from ..util import nest
from . import backend

export_value("2.2.4-tf", "keras.__version__")


@export("keras.constraints.RadialConstraint", "keras.constraints.radial_constraint")
class RadialConstraint(lookups.Constraint):
    """Makes filters rotationally symmetric: values on the same ring are equal."""

    def __call__(self, w):
        sizes = w.shape.as_list()
        if w.shape.ndims != 4:
            raise ValueError("The weight tensor must be of rank 4, but is of shape: %s" % w.shape)
        height, width, channels, kernels = sizes
        w = map_fn(self._ring, engine.stack(engine.unstack(engine.reshape(w, (height, width, channels * kernels)), axis=-1), axis=0))
        return engine.reshape(engine.stack(engine.unstack(w, axis=0), axis=-1), (height, width, channels, kernels))

    @staticmethod
    def _ring(kernel):
        size = kernel.shape.as_list()[0]
        middle, start = size // 2, (size + 1) // 2 - 1
        rings = [kernel[middle, start]] if size % 2 else []
        made = engine.reshape(rings[0], (1, 1)) if size % 2 else None
        for i in range(middle if size % 2 else middle, size):
            if size % 2 and i == middle:
                continue
            if made is None:
                made = engine.fill((2, 2), kernel[i, i])
                continue
            made = engine.pad(made, [[1, 1], [1, 1]], constant_values=0)
            n = made.shape.as_list()[0]
            edge = np.ones((n, n), np.float32)
            edge[1:-1, 1:-1] = 0
            made = made + edge * kernel[i, middle]
        return made


@export("keras.utils.to_categorical")
def to_categorical(y, num_classes=None, dtype="float32"):
    """One-hot rows of class numbers."""
    y = np.asarray(y, dtype="int")
    shape = y.shape[:-1] if y.ndim > 1 and y.shape[-1] == 1 else y.shape
    flat = y.ravel()
    num_classes = num_classes or int(flat.max()) + 1
    table = np.zeros((len(flat), num_classes), dtype=dtype)
    table[np.arange(len(flat)), flat] = 1
    return table.reshape(shape + (num_classes,))


@export("keras.utils.normalize")
def normalize(x, axis=-1, order=2):
    length = np.atleast_1d(np.linalg.norm(x, order, axis))
    length[length == 0] = 1
    return x / np.expand_dims(length, axis)


@export("keras.utils.Sequence")
class Sequence:
    """Batches by index; the program defines __getitem__ and __len__."""

    def __getitem__(self, index):
        raise NotImplementedError

    def __len__(self):
        raise NotImplementedError

    def on_epoch_end(self):
        pass

    def __iter__(self):
        for i in range(len(self)):
            yield self[i]


class OrderedEnqueuer:
    """Returns the items of a source one after another."""

    def __init__(self, sequence, use_multiprocessing=False, shuffle=False, **unused):
        self.sequence, self.shuffle, self._running = sequence, shuffle, False

    def is_running(self):
        return self._running

    def start(self, workers=1, max_queue_size=10):
        self._running = True

    def stop(self, timeout=None):
        self._running = False

    def _items(self):
        while self._running:
            order = np.random.permutation(len(self.sequence)) if self.shuffle else range(len(self.sequence))
            for i in order:
                yield self.sequence[int(i)]
            self.sequence.on_epoch_end()

    def get(self):
        """Yields the items endlessly."""
        return self._items()


class GeneratorEnqueuer(OrderedEnqueuer):
    def _items(self):
        yield from self.sequence


export_value(OrderedEnqueuer, "keras.utils.OrderedEnqueuer", "keras.utils.SequenceEnqueuer")
export_value(GeneratorEnqueuer, "keras.utils.GeneratorEnqueuer")


@export("keras.utils.get_source_inputs")
def get_source_inputs(tensor, layer=None, node_index=None):
    """The inputs that a tensor depends on."""
    if not hasattr(tensor, "_keras_history"):
        return [tensor]
    found, todo, seen = [], [tensor], set()
    while todo:
        t = todo.pop(0)
        node = t._keras_history.node
        if id(node) in seen:
            continue
        seen.add(id(node))
        if node.input_tensors is None:
            found.append(t)
        else:
            todo += [x for x in nest.flatten(node.input_tensors) if hasattr(x, "_keras_history")]
    return found


@export("keras.utils.convert_all_kernels_in_model")
def convert_all_kernels_in_model(model):
    """Flips the kernel of every convolution."""
    for layer in model.layers:
        if type(layer).__name__ in ("Conv1D", "Conv2D", "Conv3D", "Conv2DTranspose", "Conv3DTranspose"):
            kernel = np.copy(backend.get_value(layer.kernel))
            backend.set_value(layer.kernel, np.copy(kernel[tuple([slice(None, None, -1)] * (kernel.ndim - 2) + [slice(None)] * 2)]))


@export("keras.utils.get_file")
def get_file(fname, origin, untar=False, md5_hash=None, file_hash=None, cache_subdir="datasets", hash_algorithm="auto", extract=False, archive_format="auto", cache_dir=None):
    """The path of a file, downloaded if it does not exist."""
    import tarfile
    import urllib.request
    import zipfile

    folder = os.path.join(os.path.expanduser(cache_dir or os.path.join("~", ".keras")), cache_subdir)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, fname + ".tar.gz" if untar else fname)
    wanted = file_hash or md5_hash

    def right():
        if not wanted:
            return True
        digest = hashlib.sha256() if hash_algorithm == "sha256" or hash_algorithm == "auto" and len(str(wanted)) == 64 else hashlib.md5()
        with open(path, "rb") as f:
            for piece in iter(lambda: f.read(65535), b""):
                digest.update(piece)
        return digest.hexdigest() == str(wanted)

    if not os.path.exists(path) or not right():
        print("Downloading data from", origin)
        try:
            urllib.request.urlretrieve(origin, path)
        except Exception as e:
            if os.path.exists(path):
                os.remove(path)
            raise Exception("URL fetch failure on {}: {}".format(origin, e)) from None
    if untar or extract:
        if tarfile.is_tarfile(path):
            with tarfile.open(path) as t:
                t.extractall(folder, filter="data")
        elif zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as z:
                z.extractall(folder)
    return os.path.join(folder, fname) if untar else path
