"""Training of Keras models while execution is eager."""

import functools
import inspect

from .. import context, engine, ops
from ..data.dataset import Dataset
from ..keras.training import Trainable
from ..util import nest
from .tensor import EagerTensor


_DATA = ("x", "y", "sample_weight", "validation_data", "generator")
_STEPS = {"fit": "steps_per_epoch", "fit_generator": "steps_per_epoch"}


def _array(value):
    return value.numpy() if isinstance(value, EagerTensor) else value


def _batches(dataset):
    """The batches of a data set as arrays, over and over."""
    with context.eager_graph().as_default():
        iterator, is_empty = iter(dataset), True
    while True:
        try:
            with context.eager_graph().as_default():
                batch = nest.map_structure(_array, next(iterator))
        except StopIteration:
            if is_empty:
                raise ValueError("Empty training data.") from None
            with context.eager_graph().as_default():
                iterator = iter(dataset)
            continue
        is_empty = False
        yield batch


def _count(dataset):
    """How many batches a data set has."""
    known = int(engine.raw_ops.ExperimentalDatasetCardinality(input_dataset=dataset._variant_tensor))
    if known == _INFINITE:
        return None
    return known if known >= 0 else sum(1 for _ in dataset)


_INFINITE = -1


def _take_values(method, given):
    """Replaces tensors with values by arrays, and data sets by generators of arrays."""
    for name in _DATA:
        value = given.get(name)
        if isinstance(value, Dataset):
            steps = "validation_steps" if name == "validation_data" else _STEPS.get(method, "steps")
            if given.get(steps) is None and method in ("fit", "fit_generator", "evaluate", "evaluate_generator", "predict", "predict_generator"):
                given[steps] = _count(value)
            given[name] = _batches(value)
        elif value is not None and not hasattr(value, "__next__"):
            given[name] = nest.map_structure(_array, value) if isinstance(value, (EagerTensor, list, tuple, dict)) else value


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
