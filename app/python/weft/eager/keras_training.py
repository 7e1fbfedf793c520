"""Training of Keras models while execution is eager."""

import functools

from .. import context, ops
from ..keras.training import Trainable


def _in_keras_graph(method):
    """While execution is eager, models are trained in Keras's graph, with the variables' values."""
    @functools.wraps(method)
    def call(self, *args, **kwargs):
        graph = ops.get_default_graph()
        if not graph._eager:
            return method(self, *args, **kwargs)
        with context.keras_graph().as_default():
            return method(self, *args, **kwargs)

    return call


for _name in ("compile", "fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch", "fit_generator", "evaluate_generator", "predict_generator"):
    if _name in vars(Trainable):
        setattr(Trainable, _name, _in_keras_graph(vars(Trainable)[_name]))
del _name
