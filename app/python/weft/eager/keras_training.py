"""Training of Keras models while execution is eager."""

import functools
import inspect

from .. import context, ops
from ..data.dataset import Dataset
from ..keras.data_checks import check_data_set
from ..keras.runs import EagerBatches, next_batch
from ..keras.training import Trainable
from ..util import nest
from .tensor import EagerTensor


_DATA = ("x", "y", "sample_weight", "validation_data", "generator")


def _array(value):
    return value.numpy() if isinstance(value, EagerTensor) else value


def _take_values(method, given):
    """Replaces tensors with values by arrays, and a data set given to a method for one batch by its first batch."""
    if method.endswith("_on_batch") and isinstance(given.get("x"), Dataset):
        _take_batch(given)
    for name in _DATA:
        value = given.get(name)
        if value is not None and not hasattr(value, "__next__"):
            given[name] = nest.map_structure(_array, value) if isinstance(value, (EagerTensor, list, tuple, dict)) else value


def _take_batch(given):
    check_data_set(given["x"], given.get("y"), given.get("sample_weight"))
    batch = next_batch(EagerBatches(given["x"]))
    if batch is None:
        raise ValueError("Empty training data.")
    given.update(zip(("x", "y", "sample_weight"), batch))


def _in_keras_graph(method):
    """While execution is eager, models are trained in Keras's graph, with the variables' values."""
    @functools.wraps(method)
    def call(self, *args, **kwargs):
        graph = ops.get_default_graph()
        if not graph._eager:
            return method(self, *args, **kwargs)
        bound = inspect.signature(method).bind(self, *args, **kwargs)
        _take_values(method.__name__, bound.arguments)
        with context.keras_graph().as_default():
            return method(*bound.args, **bound.kwargs)

    return call


for _name in ("compile", "fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch", "fit_generator", "evaluate_generator", "predict_generator"):
    if _name in vars(Trainable):
        setattr(Trainable, _name, _in_keras_graph(vars(Trainable)[_name]))
del _name
