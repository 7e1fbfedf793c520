"""Functions of tensorflow.python.keras.utils that programs import: generic_utils, io_utils, data_utils, mode_keys."""

import hashlib
import inspect

import numpy as np

from .. import context
from ..exports import export
from ..graph_elements import Tensor
from ..sparse_tensor import SparseTensor
from . import backend


def has_arg(fn, name, accept_all=False):
    """Whether a function has a parameter `name`; with accept_all also whether it takes any keyword."""
    parameters = inspect.signature(fn).parameters
    found = name in parameters and parameters[name].kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return found or accept_all and any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())


def slice_arrays(arrays, start=None, stop=None):
    """Rows start:stop, or the rows of a list of indices, of an array or of each array of a list."""
    if arrays is None:
        return [None]
    if isinstance(start, list) and stop is not None:
        raise ValueError("The stop argument has to be None if the value of start is a list.")
    if not isinstance(arrays, list):
        if hasattr(start, "__len__"):
            return arrays[start.tolist() if hasattr(start, "shape") else start]
        return arrays[start:stop] if hasattr(start, "__int__") else [None]
    if hasattr(start, "__len__"):
        rows = start.tolist() if hasattr(start, "shape") else start
        return [None if x is None else x[rows] for x in arrays]
    return [None if x is None or not hasattr(x, "__getitem__") else x[start:stop] for x in arrays]


def ask_to_proceed_with_overwrite(filepath):
    """Asks whether to overwrite a file; True for yes."""
    question = "[WARNING] %s already exists - overwrite? [y/n]" % filepath
    while True:
        answer = input(question).strip().lower()
        if answer in ("y", "n"):
            break
        question = "Enter y (overwrite) or n (cancel)."
    if answer == "n":
        return False
    print("[TIP] Next time specify overwrite=True!")
    return True


def _hash_file(fpath, algorithm="sha256", chunk_size=65535):
    """The SHA-256 or MD5 of a file in hex; "auto" is SHA-256."""
    digest = hashlib.sha256() if algorithm in ("sha256", "auto") else hashlib.md5()
    with open(fpath, "rb") as f:
        for chunk in iter(lambda: f.read(chunk_size), b""):
            digest.update(chunk)
    return digest.hexdigest()


def validate_file(fpath, file_hash, algorithm="auto", chunk_size=65535):
    """Whether a file has this hash."""
    sha = algorithm == "sha256" or algorithm == "auto" and len(file_hash) == 64
    return _hash_file(fpath, "sha256" if sha else "md5", chunk_size) == str(file_hash)


def terminate_keras_multiprocessing_pools(grace_period=0.1, use_sigkill=False):
    """Ends the processes of enqueuers that were not stopped; returns the errors. Here enqueuers have no processes, so there are none to end."""
    return []


def v2_dtype_behavior_enabled():
    """Whether layers have Keras's type before they know that of their inputs. TensorFlow 1 does not have it so, unless asked for."""
    return False


class ModeKeys:
    """Names of what a model does."""

    TRAIN, TEST, PREDICT = "train", "test", "predict"


# keras.backend.
def get_graph():
    """The graph in which Keras connects layers."""
    return context.keras_graph()


def symbolic_learning_phase():
    """The learning phase of Keras's graph."""
    with get_graph().as_default():
        return backend.learning_phase()


def _initialize_variables(session):
    """Initializes the variables of layers that are not initialized in the session."""
    with session.as_default():
        backend.get_session()


def is_keras_tensor(x):
    """Whether a tensor is an output of a Keras layer."""
    if not isinstance(x, (Tensor, SparseTensor)) and not getattr(x, "_is_variable", False):
        raise ValueError("Unexpectedly found an instance of type `" + str(type(x)) + "`. Expected a symbolic tensor instance.")
    return hasattr(x, "_keras_history")


@export("keras.utils.HDF5Matrix")
class HDF5Matrix:
    """Rows of a data set in an HDF5 file, which are read when they are used."""

    refs = {}  # path -> open file

    def __init__(self, datapath, dataset, start=0, end=None, normalizer=None):
        try:
            import h5py
        except ImportError:
            raise ImportError("The use of HDF5Matrix requires HDF5 and h5py installed.") from None
        if datapath not in self.refs:
            self.refs[datapath] = h5py.File(datapath, "r")
        self.data = self.refs[datapath][dataset]
        self.start, self.end = start, self.data.shape[0] if end is None else end
        self.normalizer = normalizer

    def __len__(self):
        return self.end - self.start

    def __getitem__(self, key):
        if isinstance(key, slice):
            first, last = 0 if key.start is None else key.start, len(self) if key.stop is None else key.stop
            if last + self.start > self.end:
                raise IndexError
            rows = slice(first + self.start, last + self.start)
        elif isinstance(key, (int, np.integer)):
            if key + self.start >= self.end:
                raise IndexError
            rows = key + self.start
        elif isinstance(key, (np.ndarray, list, range)):
            rows = [int(k) + self.start for k in key]
            if max(rows) >= self.end:
                raise IndexError
        else:
            raise TypeError("HDF5Matrix takes slices, integers and lists of them, not %r" % (key,))
        found = self.data[rows]
        return found if self.normalizer is None else self.normalizer(found)

    @property
    def shape(self):
        return (len(self),) + tuple(self.data.shape[1:])

    dtype = property(lambda self: self.data.dtype)
    ndim = property(lambda self: self.data.ndim)
    size = property(lambda self: int(np.prod(self.shape)))
