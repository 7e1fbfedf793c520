"""How an estimator calls the program's functions and interprets their results."""

import functools
import inspect

from ..data.dataset import Dataset
from ..data.iterators import make_initializable_iterator
from ..platform import tf_logging as logging
from ..training.run_hook import SessionRunHook

_MODEL_ARGUMENTS = {"features", "labels", "mode", "params", "self", "config"}


def arguments(function):
    """Names of the arguments that a call may pass, without `self` and without arguments already bound by functools.partial."""
    if isinstance(function, functools.partial):
        bound = function.keywords or {}
        return tuple(n for n in arguments(function.func)[len(function.args):] if n not in bound)
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return ()
    return tuple(n for n in names if n != "self")


def check_model_fn(model_fn, params):
    """ValueError for a model function whose arguments an estimator does not know."""
    names = arguments(model_fn)
    if "features" not in names:
        raise ValueError("model_fn (%s) must include features argument." % model_fn)
    if params is not None and "params" not in names:
        raise ValueError("model_fn (%s) does not include params argument, but params (%s) is passed to Estimator." % (model_fn, params))
    if params is None and "params" in names:
        logging.warning("Estimator's model_fn (%s) includes params argument, but params are not passed to Estimator.", model_fn)
    unknown = [n for n in names if n not in _MODEL_ARGUMENTS]
    if unknown:
        raise ValueError("model_fn (%s) has following not expected args: %s" % (model_fn, unknown))


class InitializeIterator(SessionRunHook):
    """Initializes the iterator over an input function's data set in each new session."""

    def __init__(self, iterator):
        self._iterator = iterator

    def begin(self):
        self._initializer = self._iterator.initializer

    def after_create_session(self, session, coord):
        session.run(self._initializer)


def parse_input(made):
    """(features, labels, hooks) of an input function's result. ValueError for a tuple that is not a pair."""
    hooks = []
    if isinstance(made, Dataset):
        iterator = make_initializable_iterator(made)
        hooks.append(InitializeIterator(iterator))
        made = iterator.get_next()
    if isinstance(made, (list, tuple)):
        if len(made) != 2:
            raise ValueError("input_fn should return (features, labels) as a len 2 tuple.")
        return made[0], made[1], hooks
    return made, None, hooks
