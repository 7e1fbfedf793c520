"""How Keras models are trained: the nodes that a compiled model needs, and the loops over batches."""

import numpy as np
import tensorflow as tf

from ..util import nest
from . import backend, losses, metrics as metric_table
from .callbacks import CallbackList, History, ProgbarLogger


def _by_output(given, names, what):
    """One value for each output, from one for all, a list, or a dict by the outputs' names."""
    if isinstance(given, dict):
        for name in given:
            if name not in names:
                raise ValueError('Unknown entry in %s dictionary: "%s". Only expected the following keys: %s' % (what, name, names))
        return [given.get(n) for n in names]
    if isinstance(given, (list, tuple)):
        if len(given) != len(names):
            raise ValueError("When passing a list as %s, it should have one entry per model output. The model has %d outputs, but you passed %s=%s" %
                             (what, len(names), what, given))
        return list(given)
    return [given] * len(names)


def _metric_lists(given, names):
    if given is None:
        return [[] for _ in names]
    if isinstance(given, dict):
        return [list(v) if isinstance(v, (list, tuple)) else [v] if v is not None else [] for v in (given.get(n) for n in names)]
    if any(isinstance(m, (list, tuple)) for m in given):
        return [list(m) if isinstance(m, (list, tuple)) else [m] for m in given]
    return [list(given) for _ in names]


def _metric_function(what, loss, output):
    """(name, function or Metric) of what a program writes for a metric."""
    if what in ("accuracy", "acc", "crossentropy", "ce"):
        short = "acc" if what in ("accuracy", "acc") else "ce"
        name = loss if isinstance(loss, str) else getattr(loss, "__name__", None) or getattr(loss, "name", None) or type(loss).__name__
        last = output.shape.as_list()[-1] if output.shape.ndims else None
        sparse = name in ("sparse_categorical_crossentropy", "SparseCategoricalCrossentropy")
        if short == "acc":
            binary = last == 1 or name in ("binary_crossentropy",)
            function = metric_table.binary_accuracy if binary else metric_table.sparse_categorical_accuracy if sparse else metric_table.categorical_accuracy
        else:
            function = losses.binary_crossentropy if last == 1 else losses.sparse_categorical_crossentropy if sparse else losses.categorical_crossentropy
        return short, function
    found = metric_table.metric_of(what)
    return (found.name if isinstance(found, metric_table.Metric) else getattr(found, "__name__", type(found).__name__)), found


class Trainer:
    """The nodes that train a compiled model, and the loops around them."""

    def __init__(self, model):
        self._model, outputs, names = model, model.outputs, model.output_names
        given = _by_output(model.loss, names, "loss")
        shares = _by_output(model._loss_weights, names, "loss_weights") if model._loss_weights is not None else [1.0] * len(names)
        wanted = _metric_lists(model._compiled_metrics, names)
        self._targets, self._weights, self._values, self.names, self._stateful = [], [], [], ["loss"], []
        self._updates, self._states, loss_values, total = [], [], [], None
        with tf.name_scope("loss"):
            for output, name, loss, share in zip(outputs, names, given, shares):
                if loss is None:
                    self._targets.append(None)
                    self._weights.append(None)
                    continue
                function = losses.loss_of(loss)
                sparse = function is losses.sparse_categorical_crossentropy or isinstance(function, losses.CLASSES["SparseCategoricalCrossentropy"])
                shape = [None] * (output.shape.ndims or 2)
                with tf.name_scope(None):
                    target = tf.placeholder(tf.int64 if sparse else output.dtype if output.dtype.is_floating else backend.floatx(), shape, name=name + "_target")
                    weight = tf.placeholder_with_default(tf.ones([1], tf.float32), shape=[None] * (2 if model._temporal(name) else 1), name=name + "_sample_weights") \
                        if not model._temporal(name) else tf.placeholder_with_default(tf.ones([1, 1], tf.float32), shape=[None, None], name=name + "_sample_weights")
                self._targets.append(target)
                self._weights.append(weight)
                with tf.name_scope(name + "_loss"):
                    mask = getattr(output, "_keras_mask", None)
                    if isinstance(function, losses.Loss):
                        each, reduction = function.call(target, output), function.reduction
                    else:
                        each, reduction = function(target, output), "auto"
                    if mask is not None and each.shape.ndims == mask.shape.ndims:
                        each = each * tf.cast(mask, each.dtype)
                    value = losses.reduced(losses.weighted(each, weight), reduction)
                    if mask is not None and each.shape.ndims == mask.shape.ndims:  # the mean is over what is seen
                        value = value * tf.cast(tf.size(mask), value.dtype) / tf.reduce_sum(tf.cast(mask, value.dtype))
                    if reduction == "none":
                        value = tf.reduce_mean(value)
                loss_values.append((name, value))
                part = value if share == 1.0 or share is None else share * value
                total = part if total is None else total + part
            for x in model.losses:
                total = x if total is None else total + x
            if total is None:
                raise ValueError("The model cannot be compiled because it has no loss to optimize.")
            self._loss = total
        if len(outputs) > 1:
            for name, value in loss_values:
                self._add(name + "_loss", value)
        with tf.name_scope("metrics"):
            for output, name, loss, target, weight, mine in zip(outputs, names, given, self._targets, self._weights, wanted):
                for what in mine:
                    own, function = _metric_function(what, loss, output)
                    own = own if len(outputs) == 1 else "%s_%s" % (name, own)
                    base, number = own, 1
                    while own in self.names:
                        own, number = "%s_%d" % (base, number), number + 1
                    with tf.name_scope(own):
                        if isinstance(function, metric_table.Metric):
                            self._add_metric(own, function, function.update_state(target, output))
                        else:
                            each = function(target, output)
                            self._add(own, tf.reduce_mean(each) if each.shape.ndims != 0 else each)
            for layer in [model] + list(model._layers):
                for name, value, aggregation in layer._metrics:
                    if not isinstance(value, metric_table.Metric):
                        self._add(name, tf.reduce_mean(value))
        self._train, self._optimizer = None, model.optimizer

    def _add(self, name, value):
        self.names.append(name)
        self._values.append(value)

    def _add_metric(self, name, metric, update):
        # Its result is read after its update; over a whole epoch it stands for itself.
        with tf.control_dependencies([update if isinstance(update, tf.Operation) else update.op]):
            self._add(name, tf.identity(metric.result()))
        self._states.append(metric)
        self._stateful.append(len(self.names) - 1)

    def reset(self):
        for metric in self._states:
            metric.reset_states()

    def _train_op(self):
        if self._train is None:
            model = self._model
            variables = model.trainable_weights
            with tf.name_scope("training"):
                step = tf.no_op()
                if variables:
                    step = self._optimizer.apply_gradients(list(zip(self._optimizer.get_gradients(self._loss, variables), variables)))
                self._train = tf.group(step, *[u.op if hasattr(u, "op") and not isinstance(u, tf.Operation) else u for u in model.updates])
        return self._train

    def _feeds(self, x, y, weights, train):
        feeds = {}
        for t, a in zip(self._model.inputs, _named(x, self._model.input_names)):
            feeds[t] = fitting(a, t)
        for target, value in zip(self._targets, _named(y, self._model.output_names) if y is not None else []):
            if target is not None:
                feeds[target] = fitting(value, target)
        if weights is not None:
            for node, value in zip([w for w in self._weights if w is not None], _named(weights, self._model.output_names)):
                if value is not None:
                    feeds[node] = np.asarray(value)
        phase = backend.known_phase(self._loss.graph)
        if isinstance(phase, tf.Tensor):
            feeds[phase] = train
        return feeds

    def step(self, x, y, train, weights=None):
        """One batch: loss and metrics."""
        fetches = [[self._loss] + self._values] + ([self._train_op()] if train else [])
        options = self._model._run_options if train else {}
        return [v if np.ndim(v) else float(v) for v in backend.get_session().run(fetches, self._feeds(x, y, weights, train), **options)[0]]

    def _sum(self, sums, values, size):
        for i, v in enumerate(values):
            sums[i] = v if i in self._stateful else sums[i] + np.asarray(v) * size

    def _mean(self, sums, count):
        return [v if i in self._stateful else v / max(1, count) for i, v in enumerate(sums)]

    def evaluate(self, x, y, batch_size, weights=None, steps=None):
        """Loss and metrics over data."""
        self.reset()
        count, sums = 0, [0.0] * len(self.names)
        for bx, by, bw, size in batches(x, y, weights, batch_size, steps):
            self._sum(sums, self.step(bx, by, False, bw), size)
            count += size
        return [float(v) if np.ndim(v) == 0 else v for v in self._mean(sums, count)]

    def fit(self, x, y, batch_size, epochs, verbose, callbacks, validation_split, validation_data, shuffle, initial_epoch, weights=None, class_weight=None,
            steps_per_epoch=None, validation_steps=None, validation_freq=1):
        """The loop over epochs and batches."""
        endless, count = not is_arrays(x), None
        if not endless:
            x, y = _arrays(x, self._model.input_names), _arrays(y, self._model.output_names)
            weights = None if weights is None else _arrays(weights, self._model.output_names)
            if validation_split and validation_data is None:
                cut = int(len(x[0]) * (1. - validation_split))
                validation_data = ([a[cut:] for a in x], [a[cut:] for a in y]) + (([a[cut:] for a in weights],) if weights is not None else ())
                x, y = [a[:cut] for a in x], [a[:cut] for a in y]
                weights = None if weights is None else [a[:cut] for a in weights]
            count = len(x[0])
        if class_weight:
            weights = [_class_weights(y[0], class_weight)] if weights is None and not endless else weights
        model, history = self._model, History()
        names = self.names + ["val_" + n for n in self.names] if validation_data is not None else self.names
        params = {"batch_size": batch_size, "epochs": epochs, "steps": steps_per_epoch, "samples": count, "verbose": verbose, "do_validation": validation_data is not None,
                  "metrics": list(names)}
        printer = [ProgbarLogger("steps" if endless else "samples")] if verbose else []
        every = CallbackList(printer + list(callbacks) + [history], model, params)
        model.stop_training, model.history = False, history
        self._train_op()
        if verbose:
            if endless:
                print("Train for %s steps" % steps_per_epoch if steps_per_epoch else "Train")
            else:
                print("Train on %d samples%s" % (count, ", validate on %d samples" % len(nest.flatten(validation_data[0])[0]) if validation_data and is_arrays(validation_data) and
                                                 is_arrays(validation_data[0]) else ""))
        every.on_train_begin({})
        source = Source(x, batch_size) if endless else None
        for epoch in range(initial_epoch, epochs):
            self.reset()
            every.on_epoch_begin(epoch, {})
            sums, seen = [0.0] * len(self.names), 0
            if endless:
                pieces = source.epoch(steps_per_epoch)
            else:
                order = np.arange(count)
                if shuffle == "batch":
                    full = count // batch_size
                    rows = order[:full * batch_size].reshape(full, batch_size)
                    np.random.shuffle(rows)
                    order = np.append(rows.flatten(), order[full * batch_size:])
                elif shuffle:
                    np.random.shuffle(order)
                pieces = batches(x, y, weights, batch_size, steps_per_epoch, order)
            for number, (bx, by, bw, size) in enumerate(pieces):
                if class_weight and bw is None:
                    bw = [_class_weights(nest.flatten(by)[0], class_weight)]
                every.on_train_batch_begin(number, {"batch": number, "size": size})
                values = self.step(bx, by, True, bw)
                self._sum(sums, values, size)
                seen += size
                every.on_train_batch_end(number, dict(zip(self.names, values), batch=number, size=size))
                if model.stop_training:
                    break
            logs = dict(zip(self.names, [float(v) if np.ndim(v) == 0 else v for v in self._mean(sums, seen)]))
            if validation_data is not None and (epoch + 1) % validation_freq == 0:
                if is_arrays(validation_data) and isinstance(validation_data, (list, tuple)) and len(validation_data) in (2, 3):
                    v = list(validation_data) + [None]
                    values = self.evaluate(v[0], v[1], batch_size, v[2], validation_steps)
                else:
                    values = self.evaluate(validation_data, None, batch_size, None, validation_steps)
                logs.update(("val_" + k, v) for k, v in zip(self.names, values))
            every.on_epoch_end(epoch, logs)
            if model.stop_training:
                break
        every.on_train_end({})
        return history


def _class_weights(y, table):
    y = np.asarray(y)
    classes = y.argmax(axis=1) if y.ndim > 1 and y.shape[1] > 1 else y.reshape(-1)
    return np.asarray([table.get(int(c), 1.0) for c in classes], np.float32)


def fitting(value, tensor):
    """An array with as many dimensions as a tensor."""
    if isinstance(value, (tf.SparseTensor, tf.compat.v1.SparseTensorValue)) or not hasattr(tensor, "shape"):
        return value
    value = np.asarray(value)
    if tensor.shape.ndims is not None and value.ndim == tensor.shape.ndims - 1:
        value = value.reshape(value.shape + (1,))
    if tensor.shape.ndims is not None and (value.ndim != tensor.shape.ndims or any(a is not None and a != b for a, b in zip(tensor.shape.as_list(), value.shape))):
        raise ValueError("Error when checking input: expected %s to have %s but got array with shape %s" %
                         (tensor.op.name, "%d dimensions" % tensor.shape.ndims + "," if value.ndim != tensor.shape.ndims else "shape %s" % (tuple(tensor.shape.as_list()),),
                          value.shape))
    return value


def is_arrays(x):
    """Whether data lies in arrays (and not in a data set, a generator, a Sequence)."""
    if x is None or hasattr(x, "make_one_shot_iterator") or hasattr(x, "__next__") or hasattr(x, "get_next") or type(x).__name__ == "Sequence":
        return False
    return not (hasattr(x, "__getitem__") and hasattr(x, "__len__") and hasattr(x, "on_epoch_end"))


def _named(x, names):
    if isinstance(x, dict):
        return [x.get(n) for n in names]
    return list(x) if isinstance(x, (list, tuple)) else [x]


def _arrays(x, names):
    return [np.asarray(a) if not hasattr(a, "toarray") else a.toarray() for a in _named(x, names)]


def batches(x, y, weights, batch_size, steps=None, order=None):
    """(inputs, targets, weights, number of samples) of each batch."""
    if not is_arrays(x):
        yield from Source(x, batch_size).epoch(steps)
        return
    take = lambda a, i: None if a is None else nest.map_structure(lambda v: np.asarray(v)[i], a) if isinstance(a, dict) else [  # noqa: E731
        None if v is None else np.asarray(v)[i] for v in (a if isinstance(a, (list, tuple)) else [a])]
    count = len(nest.flatten(x)[0])
    order = np.arange(count) if order is None else order
    for number, start in enumerate(range(0, count, batch_size)):
        if steps is not None and number >= steps:
            return
        index = order[start:start + batch_size]
        yield take(x, index), take(y, index), take(weights, index), len(index)


class Source:
    """Batches from a data set, an iterator of tf.data, a generator or a Sequence."""

    def __init__(self, x, batch_size=None):
        self._x, self._next = x, None
        self._indexed = hasattr(x, "__getitem__") and hasattr(x, "__len__")
        if hasattr(x, "make_one_shot_iterator") and not self._indexed:
            self._make()
        elif hasattr(x, "get_next"):
            self._next = x.get_next()

    def _make(self):
        iterator = tf.data.make_initializable_iterator(self._x)
        backend.get_session().run(iterator.initializer)
        self._restart, self._next = iterator.initializer, iterator.get_next()

    def epoch(self, steps):
        number = 0
        if self._indexed:
            for i in range(min(len(self._x), steps or len(self._x))):
                yield self._batch(self._x[i])
            if hasattr(self._x, "on_epoch_end"):
                self._x.on_epoch_end()
            return
        while steps is None or number < steps:
            try:
                item = backend.get_session().run(self._next) if self._next is not None else next(self._x)
            except (tf.errors.OutOfRangeError, StopIteration):
                if self._next is not None and hasattr(self, "_restart"):
                    backend.get_session().run(self._restart)
                    if steps is not None and number:
                        continue
                return
            yield self._batch(item)
            number += 1
        if self._next is not None and hasattr(self, "_restart") and steps is None:
            backend.get_session().run(self._restart)

    @staticmethod
    def _batch(item):
        item = tuple(item) if isinstance(item, (list, tuple)) else (item,)
        x, y, w = (item + (None, None))[:3]
        return x, y, w, len(nest.flatten(x)[0])


def predict(model, x, batch_size, steps=None):
    """The outputs of a model, batch by batch."""
    session, parts = backend.get_session(), []
    states = [u for layer in model._layers if getattr(layer, "stateful", False) for u in layer.updates]
    for bx, _, _, _ in batches(x, None, None, batch_size, steps):
        feeds = {t: fitting(a, t) for t, a in zip(model.inputs, _named(bx, model.input_names))}
        phase = backend.known_phase(session.graph)
        if isinstance(phase, tf.Tensor):
            feeds[phase] = False
        parts.append(session.run([model.outputs, states], feeds)[0])
    if not parts:
        return [np.zeros([0] + [n or 0 for n in t.shape.as_list()[1:]], t.dtype.as_numpy_dtype) for t in model.outputs]
    return [np.concatenate([p[i] for p in parts]) for i in range(len(model.outputs))]
