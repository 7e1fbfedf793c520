"""How Keras models are trained: losses, metrics, optimizers, callbacks and the loop."""

import numpy as np
import tensorflow as tf

from ..exports import export
from ..training import optimizers
from ..util import nest
from . import backend


def _float(y, like):
    return tf.cast(y, like.dtype)


@export("keras.losses.mean_squared_error", "keras.losses.mse", "keras.losses.MSE", "keras.metrics.mse")
def mean_squared_error(y_true, y_pred):
    return tf.reduce_mean(tf.squared_difference(y_pred, _float(y_true, y_pred)), axis=-1)


@export("keras.losses.mean_absolute_error", "keras.losses.mae", "keras.losses.MAE", "keras.metrics.mae")
def mean_absolute_error(y_true, y_pred):
    return tf.reduce_mean(tf.abs(y_pred - _float(y_true, y_pred)), axis=-1)


@export("keras.losses.categorical_crossentropy")
def categorical_crossentropy(y_true, y_pred, from_logits=False):
    y_true = _float(y_true, y_pred)
    if from_logits:
        return tf.nn.softmax_cross_entropy_with_logits_v2(labels=y_true, logits=y_pred)
    p = y_pred / tf.reduce_sum(y_pred, -1, keepdims=True)
    return -tf.reduce_sum(y_true * tf.log(tf.clip_by_value(p, 1e-7, 1 - 1e-7)), -1)


@export("keras.losses.sparse_categorical_crossentropy")
def sparse_categorical_crossentropy(y_true, y_pred, from_logits=False):
    labels = tf.cast(tf.reshape(y_true, [-1]), tf.int64)
    logits = y_pred if from_logits else tf.log(tf.clip_by_value(y_pred, 1e-7, 1 - 1e-7))
    shape = logits.shape
    each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=tf.reshape(logits, [-1, int(shape[-1])]))
    return tf.reshape(each, tf.shape(logits)[:-1]) if shape.ndims != 2 else each


@export("keras.losses.binary_crossentropy")
def binary_crossentropy(y_true, y_pred, from_logits=False):
    y_true = _float(y_true, y_pred)
    if from_logits:
        return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y_true, logits=y_pred), -1)
    p = tf.clip_by_value(y_pred, 1e-7, 1 - 1e-7)
    return tf.reduce_mean(-(y_true * tf.log(p + 1e-7) + (1 - y_true) * tf.log(1 - p + 1e-7)), -1)


@export("keras.losses.hinge")
def hinge(y_true, y_pred):
    y_true = _float(y_true, y_pred)
    return tf.reduce_mean(tf.maximum(1.0 - y_true * y_pred, 0.0), -1)


_LOSSES = {"mse": mean_squared_error, "mean_squared_error": mean_squared_error, "mae": mean_absolute_error, "mean_absolute_error": mean_absolute_error,
           "categorical_crossentropy": categorical_crossentropy, "sparse_categorical_crossentropy": sparse_categorical_crossentropy,
           "binary_crossentropy": binary_crossentropy, "hinge": hinge}


def loss_of(what):
    """A loss function by its name."""
    if callable(what):
        return what
    if what not in _LOSSES:
        raise ValueError("Unknown loss function:" + str(what))
    return _LOSSES[what]


@export("keras.metrics.binary_accuracy")
def binary_accuracy(y_true, y_pred, threshold=0.5):
    return tf.reduce_mean(tf.cast(tf.equal(_float(y_true, y_pred), tf.cast(y_pred > threshold, y_pred.dtype)), tf.float32), -1)


@export("keras.metrics.categorical_accuracy")
def categorical_accuracy(y_true, y_pred):
    return tf.cast(tf.equal(tf.argmax(y_true, -1), tf.argmax(y_pred, -1)), tf.float32)


@export("keras.metrics.sparse_categorical_accuracy")
def sparse_categorical_accuracy(y_true, y_pred):
    return tf.cast(tf.equal(tf.cast(tf.reshape(y_true, [-1]), tf.int64), tf.reshape(tf.argmax(y_pred, -1), [-1])), tf.float32)


def _metric(what, loss, output):
    if callable(what):
        return getattr(what, "__name__", "metric"), what
    if what in ("accuracy", "acc"):
        name = loss if isinstance(loss, str) else getattr(loss, "__name__", "")
        if output.shape.as_list()[-1] == 1 or name == "binary_crossentropy":
            return "acc", binary_accuracy
        return "acc", sparse_categorical_accuracy if name == "sparse_categorical_crossentropy" else categorical_accuracy
    return loss_of(what).__name__, loss_of(what)


class _Optimizer:
    """An optimizer of Keras, made of one of tf.train."""

    def __init__(self, make, **values):
        self._make, self._values, self._made = make, values, {}

    def minimizer(self):
        graph = tf.get_default_graph()
        if graph not in self._made:
            self._made[graph] = self._make(**self._values)
        return self._made[graph]

    def get_config(self):
        return dict(self._values)


def _keras_optimizer(name, make, doc):
    def create(*args, **kwargs):
        for ignored in ("decay", "clipnorm", "clipvalue", "name", "amsgrad"):
            kwargs.pop(ignored, None)
        if "lr" in kwargs:
            kwargs["learning_rate"] = kwargs.pop("lr")
        return make(*args, **kwargs)

    create.__name__, create.__doc__ = name, doc
    return export("keras.optimizers." + name)(create)


def _sgd(learning_rate=.01, momentum=0.0, nesterov=False):
    if momentum:
        return _Optimizer(optimizers.MomentumOptimizer, learning_rate=learning_rate, momentum=momentum, use_nesterov=nesterov)
    return _Optimizer(optimizers.GradientDescentOptimizer, learning_rate=learning_rate)


def _adam(learning_rate=.001, beta_1=.9, beta_2=.999, epsilon=1e-7):
    return _Optimizer(optimizers.AdamOptimizer, learning_rate=learning_rate, beta1=beta_1, beta2=beta_2, epsilon=epsilon)


def _rmsprop(learning_rate=.001, rho=.9, momentum=0.0, epsilon=1e-7):
    return _Optimizer(optimizers.RMSPropOptimizer, learning_rate=learning_rate, decay=rho, momentum=momentum, epsilon=epsilon)


def _adagrad(learning_rate=.001, initial_accumulator_value=.1):
    return _Optimizer(optimizers.AdagradOptimizer, learning_rate=learning_rate, initial_accumulator_value=initial_accumulator_value)


def _adadelta(learning_rate=.001, rho=.95, epsilon=1e-7):
    return _Optimizer(optimizers.AdadeltaOptimizer, learning_rate=learning_rate, rho=rho, epsilon=epsilon)


SGD = _keras_optimizer("SGD", _sgd, "Gradient descent, with momentum if asked for.")
Adam = _keras_optimizer("Adam", _adam, "tf.train.AdamOptimizer with the defaults of Keras.")
RMSprop = _keras_optimizer("RMSprop", _rmsprop, "tf.train.RMSPropOptimizer with the defaults of Keras.")
Adagrad = _keras_optimizer("Adagrad", _adagrad, "tf.train.AdagradOptimizer with the defaults of Keras.")
Adadelta = _keras_optimizer("Adadelta", _adadelta, "tf.train.AdadeltaOptimizer with the defaults of Keras.")
_OPTIMIZERS = {"sgd": _sgd, "adam": _adam, "rmsprop": _rmsprop, "adagrad": _adagrad, "adadelta": _adadelta}


def optimizer_of(what):
    """An optimizer by its name; those of tf.train as they are."""
    if isinstance(what, str):
        if what.lower() not in _OPTIMIZERS:
            raise ValueError("Unknown optimizer: " + what)
        return _OPTIMIZERS[what.lower()]()
    if isinstance(what, _Optimizer) or hasattr(what, "minimize"):
        return what
    raise ValueError("Could not interpret optimizer identifier: " + str(what))


@export("keras.callbacks.Callback")
class Callback:
    """Called while a model is trained; every method does nothing."""

    model = None
    params = None

    def set_model(self, model):
        self.model = model

    def set_params(self, params):
        self.params = params

    def _nothing(self, *args):
        pass

    on_train_begin = on_train_end = on_epoch_begin = on_epoch_end = on_batch_begin = on_batch_end = on_train_batch_begin = on_train_batch_end = _nothing


@export("keras.callbacks.History")
class History(Callback):
    """Losses and metrics by epoch."""

    def __init__(self):
        self.epoch, self.history = [], {}

    def on_epoch_end(self, epoch, logs=None):
        self.epoch.append(epoch)
        for key, value in (logs or {}).items():
            self.history.setdefault(key, []).append(value)


@export("keras.callbacks.LambdaCallback")
class LambdaCallback(Callback):
    """Functions in place of methods."""

    def __init__(self, **functions):
        for name, function in functions.items():
            if function is not None:
                setattr(self, name, function)


@export("keras.callbacks.EarlyStopping")
class EarlyStopping(Callback):
    """Stops when a value has not got better for some epochs."""

    def __init__(self, monitor="val_loss", min_delta=0, patience=0, verbose=0, mode="auto", baseline=None, restore_best_weights=False):
        self.monitor, self.patience, self.delta = monitor, patience, abs(min_delta)
        self.sign = -1 if mode == "max" or (mode == "auto" and "acc" in monitor) else 1

    def on_train_begin(self, logs=None):
        self.best, self.waited = float("inf"), 0

    def on_epoch_end(self, epoch, logs=None):
        value = (logs or {}).get(self.monitor)
        if value is None:
            return
        if self.sign * value < self.best - self.delta:
            self.best, self.waited = self.sign * value, 0
            return
        self.waited += 1
        if self.waited >= self.patience:
            self.model.stop_training = True


@export("keras.callbacks.ModelCheckpoint")
class ModelCheckpoint(Callback):
    """Saves the model or its weights after each epoch."""

    def __init__(self, filepath, monitor="val_loss", verbose=0, save_best_only=False, save_weights_only=False, mode="auto", save_freq="epoch", **kwargs):
        self.filepath, self.monitor, self.only_best, self.only_weights = filepath, monitor, save_best_only, save_weights_only
        self.sign = -1 if mode == "max" or (mode == "auto" and "acc" in monitor) else 1
        self.best = float("inf")

    def on_epoch_end(self, epoch, logs=None):
        value = (logs or {}).get(self.monitor)
        if self.only_best and (value is None or self.sign * value >= self.best):
            return
        self.best = self.best if value is None else self.sign * value
        path = self.filepath.format(epoch=epoch + 1, **(logs or {}))
        (self.model.save_weights if self.only_weights else self.model.save)(path)


def _rows(x, index):
    return [np.asarray(a)[index] for a in nest.flatten(x)]


class Trainer:
    """The nodes that train a compiled model, and the loop around them."""

    def __init__(self, model):
        self._model = model
        outputs = model.outputs
        losses = model.loss if isinstance(model.loss, (list, tuple)) else [model.loss] * len(outputs)
        weights = model._loss_weights or [1.0] * len(outputs)
        self._targets, self._values, self.names = [], [], ["loss"]
        total = None
        with tf.name_scope("training_nodes"):
            for i, (output, loss, weight) in enumerate(zip(outputs, losses, weights)):
                sparse = loss in ("sparse_categorical_crossentropy", sparse_categorical_crossentropy)
                shape = [None] * (output.shape.ndims or 2) if sparse or callable(loss) else output.shape.as_list()
                target = tf.placeholder(backend.floatx(), shape, name="target_%d" % i)
                self._targets.append(target)
                value = tf.reduce_mean(loss_of(loss)(target, output)) * weight
                total = value if total is None else total + value
                for what in model._metrics or ():
                    name, function = _metric(what, loss, output)
                    self.names.append(name if len(outputs) == 1 else "%s_%d" % (name, i))
                    self._values.append(tf.reduce_mean(function(target, output)))
            for x in model.losses:
                total = total + x
            self._loss = total
            known = {id(v) for v in tf.global_variables()}
            optimizer = model.optimizer.minimizer() if hasattr(model.optimizer, "minimizer") else model.optimizer
            variables = model.trainable_weights
            step = optimizer.minimize(total, var_list=variables) if variables else tf.no_op()
            updates = [u.op if hasattr(u, "op") else u for u in model.updates]
            self._train = tf.group(step, *updates)
            for v in tf.global_variables():
                if id(v) not in known:
                    backend.track(v)

    def step(self, x, y, train):
        """One batch: loss and metrics."""
        feeds = dict(zip(self._model.inputs, [np.asarray(a) for a in nest.flatten(x)]))
        for target, value in zip(self._targets, nest.flatten(y)):
            value = np.asarray(value)
            feeds[target] = value.reshape(value.shape + (1,)) if value.ndim == target.shape.ndims - 1 else value
        phase = backend.learning_phase()
        if isinstance(phase, tf.Tensor):
            feeds[phase] = train
        fetches = [[self._loss] + self._values] + ([self._train] if train else [])
        options = self._model._run_options if train else {}
        return [float(v) for v in backend.get_session().run(fetches, feeds, **options)[0]]

    def evaluate(self, x, y, batch_size):
        count = len(nest.flatten(x)[0])
        sums = np.zeros(len(self.names))
        for start in range(0, count, batch_size):
            index = np.arange(start, min(count, start + batch_size))
            sums += np.asarray(self.step(_rows(x, index), _rows(y, index), False)) * len(index)
        return [float(v) for v in sums / max(1, count)]

    def fit(self, x, y, batch_size, epochs, verbose, callbacks, validation_split, validation_data, shuffle, initial_epoch):
        """The loop over epochs and batches."""
        x, y = [np.asarray(a) for a in nest.flatten(x)], [np.asarray(a) for a in nest.flatten(y)]
        if validation_split and validation_data is None:
            cut = int(len(x[0]) * (1 - validation_split))
            validation_data = ([a[cut:] for a in x], [a[cut:] for a in y])
            x, y = [a[:cut] for a in x], [a[:cut] for a in y]
        count = len(x[0])
        history = History()
        every = [history] + list(callbacks)
        model = self._model
        model.stop_training = False
        for c in every:
            c.set_model(model)
            c.on_train_begin({})
        if verbose:
            print("Train on %d samples%s" % (count, ", validate on %d samples" % len(validation_data[0][0]) if validation_data else ""))
        for epoch in range(initial_epoch, epochs):
            for c in every:
                c.on_epoch_begin(epoch, {})
            order = np.random.permutation(count) if shuffle else np.arange(count)
            sums = np.zeros(len(self.names))
            for number, start in enumerate(range(0, count, batch_size)):
                index = order[start:start + batch_size]
                for c in every:
                    c.on_batch_begin(number, {"batch": number, "size": len(index)})
                values = self.step([a[index] for a in x], [a[index] for a in y], True)
                sums += np.asarray(values) * len(index)
                logs = dict(zip(self.names, values), batch=number, size=len(index))
                for c in every:
                    c.on_batch_end(number, logs)
            logs = dict(zip(self.names, [float(v) for v in sums / count]))
            if validation_data is not None:
                values = self.evaluate(validation_data[0], validation_data[1], batch_size)
                logs.update(("val_" + k, v) for k, v in zip(self.names, values))
            for c in every:
                c.on_epoch_end(epoch, logs)
            if verbose:
                print("Epoch %d/%d\n%d/%d - %s" % (epoch + 1, epochs, count, count, " - ".join("%s: %.4f" % kv for kv in logs.items())))
            if model.stop_training:
                break
        for c in every:
            c.on_train_end({})
        return history


def predict(model, x, batch_size):
    """The outputs of a model, batch by batch."""
    arrays = [np.asarray(a) for a in nest.flatten(x)]
    session, parts = backend.get_session(), []
    for start in range(0, max(1, len(arrays[0])), batch_size):
        feeds = {t: a[start:start + batch_size] for t, a in zip(model.inputs, arrays)}
        phase = backend._phases.get(tf.get_default_graph())
        if isinstance(phase, tf.Tensor):
            feeds[phase] = False
        parts.append(session.run(model.outputs, feeds))
    return [np.concatenate([p[i] for p in parts]) for i in range(len(model.outputs))]
