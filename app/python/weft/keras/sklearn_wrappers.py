"""tf.keras.wrappers.scikit_learn: Keras models as estimators of scikit-learn."""

import copy
import types

import numpy as np

from ..exports import export
from .models import Sequential
from .names import to_categorical
from .utility_names import has_arg


class BaseWrapper:
    """Builds a model by `build_fn`, a function or an object with __call__; without one, the subclass has a __call__.

    `sk_params` are parameters of build_fn, fit, predict, predict_proba and score."""

    def __init__(self, build_fn=None, **sk_params):
        self.build_fn = build_fn
        self.sk_params = sk_params
        self.check_params(sk_params)

    def _builder(self):
        """The function whose parameters build a model."""
        if self.build_fn is None:
            return self.__call__
        plain = isinstance(self.build_fn, (types.FunctionType, types.MethodType))
        return self.build_fn if plain else self.build_fn.__call__

    def check_params(self, params):
        """ValueError for a parameter that no function takes."""
        functions = (Sequential.fit, Sequential.predict, Sequential.predict_classes, Sequential.evaluate, self._builder())
        for name in params:
            if name != "nb_epoch" and not any(has_arg(f, name) for f in functions):
                raise ValueError("{} is not a legal parameter".format(name))

    def get_params(self, **params):
        """The parameters, build_fn among them."""
        return dict(copy.deepcopy(self.sk_params), build_fn=self.build_fn)

    def set_params(self, **params):
        self.check_params(params)
        self.sk_params.update(params)
        return self

    def fit(self, x, y, **kwargs):
        """Builds a model and fits it; returns the History."""
        build = self._builder()
        self.model = build(**self.filter_sk_params(build))
        loss = getattr(self.model.loss, "__name__", self.model.loss)
        if loss == "categorical_crossentropy" and len(y.shape) != 2:
            y = to_categorical(y)
        return self.model.fit(x, y, **dict(copy.deepcopy(self.filter_sk_params(Sequential.fit)), **kwargs))

    def filter_sk_params(self, fn, override=None):
        """The parameters that a function takes; those of `override` win."""
        return dict({name: value for name, value in self.sk_params.items() if has_arg(fn, name)}, **(override or {}))


@export("keras.wrappers.scikit_learn.KerasClassifier")
class KerasClassifier(BaseWrapper):
    """A classifier of scikit-learn."""

    def fit(self, x, y, **kwargs):
        y = np.array(y)
        if y.ndim == 2 and y.shape[1] > 1:
            self.classes_ = np.arange(y.shape[1])
        elif y.ndim == 1 or y.ndim == 2 and y.shape[1] == 1:
            self.classes_ = np.unique(y)
            y = np.searchsorted(self.classes_, y)
        else:
            raise ValueError("Invalid shape for y: " + str(y.shape))
        self.n_classes_ = len(self.classes_)
        return super().fit(x, y, **kwargs)

    def predict(self, x, **kwargs):
        """The class of each row."""
        return self.classes_[self.model.predict_classes(x, **self.filter_sk_params(Sequential.predict_classes, kwargs))]

    def predict_proba(self, x, **kwargs):
        """The probability of each class; two columns for one output."""
        found = self.model.predict_proba(x, **self.filter_sk_params(Sequential.predict_proba, kwargs))
        return np.hstack([1 - found, found]) if found.shape[1] == 1 else found

    def score(self, x, y, **kwargs):
        """The accuracy, which the model has to compute."""
        y = np.searchsorted(self.classes_, y)
        if getattr(self.model.loss, "__name__", self.model.loss) == "categorical_crossentropy" and len(y.shape) != 2:
            y = to_categorical(y)
        values = self.model.evaluate(x, y, **self.filter_sk_params(Sequential.evaluate, kwargs))
        for name, value in zip(self.model.metrics_names, values if isinstance(values, list) else [values]):
            if name in ("accuracy", "acc"):
                return value
        raise ValueError('The model is not configured to compute accuracy. You should pass `metrics=["accuracy"]` to the `model.compile()` method.')


@export("keras.wrappers.scikit_learn.KerasRegressor")
class KerasRegressor(BaseWrapper):
    """A regressor of scikit-learn."""

    def predict(self, x, **kwargs):
        return np.squeeze(self.model.predict(x, **self.filter_sk_params(Sequential.predict, kwargs)))

    def score(self, x, y, **kwargs):
        """The negative loss."""
        loss = self.model.evaluate(x, y, **self.filter_sk_params(Sequential.evaluate, kwargs))
        return -(loss[0] if isinstance(loss, list) else loss)
