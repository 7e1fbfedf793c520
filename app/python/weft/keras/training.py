"""Training of Keras models: compile(), step functions, checked data. loops.py runs them over batches."""

import inspect

from .. import doctor, engine, ops
from ..distribute import contexts
from ..ops import Tensor
from ..platform import tf_logging as logging
from ..sparse_tensor import SparseTensor
from ..util import nest
from . import backend, compiling, data_checks, data_order, eager_steps, function, loops, metrics as metric_table, optimizers, runs


def _static_batch(layer):
    """The batch size that the first layer was created with."""
    while hasattr(layer, "_functional") and (layer._functional or hasattr(layer, "add")):
        if not layer.layers:
            raise ValueError("An empty Model cannot be used as a Layer.")
        layer = layer.layers[0]
    shape = getattr(layer, "_batch_input_shape", None)
    return getattr(shape[0], "value", shape[0]) if shape else None


def _one(values):
    return values[0] if isinstance(values, list) and len(values) == 1 else values


def _validation_batches(validation):
    """Standardized validation data as over_batches() takes them."""
    return validation if validation is None else validation[0] if data_checks.is_data_set(validation[0]) else tuple(validation)


class Trainable:
    """Mixin of Model for training."""

    _compiled = 0  # models so far

    def _training_state(self):
        self.__dict__.update(self._state_of_training())

    @staticmethod
    def _state_of_training():
        """The attributes that training uses, as they are before compile()."""
        return dict(optimizer=None, loss={}, loss_weights=None, sample_weight_mode=None, stop_training=False, history=None, _is_compiled=False, _compile_metrics=[],
                    _compile_weighted_metrics=None, _training_endpoints=[], _compile_metric_functions=[], _function_kwargs={}, train_function=None, test_function=None,
                    predict_function=None, _run_eagerly=None, total_loss=None)

    # Compiling.
    def compile(self, optimizer="rmsprop", loss=None, metrics=None, loss_weights=None, sample_weight_mode=None, weighted_metrics=None, target_tensors=None, distribute=None,
                **kwargs):
        """Configures training: optimizer, losses, metrics. Options of session.run are accepted, too (options, run_metadata)."""
        if distribute is not None:
            raise NotImplementedError("Model.compile: distribute is not supported; leave it out")
        contexts.refuse_mirrored("Model.compile()", "call the model in experimental_run_v2() and train it with an optimizer of tf.train, or train an Estimator")
        if self._outputs is not None and any(hasattr(w, "device_map") for w in self.weights):
            raise NotImplementedError("Model.compile() of a model whose variables are on several devices is not supported: create the model outside of the scope of "
                                      "tf.distribute.MirroredStrategy")
        kwargs = dict(kwargs)
        self.__dict__["_run_eagerly"] = kwargs.pop("run_eagerly", None)
        kwargs.pop("experimental_run_tf_function", None)  # selects a loop that exists only in eager execution
        made = [optimizers.optimizer_of(o) for o in optimizer] if isinstance(optimizer, (list, tuple)) else optimizers.optimizer_of(optimizer)
        self.__dict__["optimizer"] = made
        eager = self.run_eagerly
        if eager and target_tensors:
            raise ValueError("target_tensors argument is not supported when running a model eagerly.")
        self.__dict__.update(loss=loss or {}, loss_weights=loss_weights, sample_weight_mode=sample_weight_mode, _compile_metrics=metrics or [],
                             _compile_weighted_metrics=weighted_metrics, _training_endpoints=[], _compiled_trainable_state=self._trainable_state(), _compile_metric_functions=[])
        if self._outputs is None:
            return  # compiled later, when the first data define the inputs
        self.__dict__["_is_compiled"] = True
        names = self.output_names
        losses = compiling.loss_objects(self.loss, names)
        targets = compiling.target_tensors(target_tensors, self._outputs, names)
        for output, name, one, target in zip(self._outputs, names, losses, targets):
            endpoint = compiling.TrainingOutput(output, name, one)
            if eager:
                endpoint.feedable = not endpoint.skipped
            else:
                endpoint.make_target(target)
            self._training_endpoints.append(endpoint)
        compiling.share_losses(self._training_endpoints, loss_weights)
        self._name_metrics(metrics, weighted_metrics)
        if not eager:
            self._call_metrics(False)
        compiling.set_weight_modes(self._training_endpoints, sample_weight_mode)
        if not eager:
            self._make_weighted_part()
        self.__dict__.update(_function_kwargs=kwargs, train_function=None, test_function=None, predict_function=None, _collected_trainable_weights=self.trainable_weights)
        Trainable._compiled += 1
        self.__dict__["_compiled_as"] = Trainable._compiled

    def _compile_arguments(self):
        """What compile() was given, but for the optimizer and target tensors."""
        return dict(loss=self.loss, metrics=self._compile_metrics, loss_weights=self.loss_weights, sample_weight_mode=self.sample_weight_mode,
                    weighted_metrics=self._compile_weighted_metrics)

    @property
    def run_eagerly(self):
        """Whether each step calls the model on the values of a batch, instead of running a graph."""
        return eager_steps.runs_eagerly(self)

    @run_eagerly.setter
    def run_eagerly(self, value):
        self.__dict__["_run_eagerly"] = value

    def _name_metrics(self, metrics, weighted_metrics):
        plain = compiling.metrics_by_output(metrics, self._training_endpoints)
        weighted = compiling.metrics_by_output(weighted_metrics, self._training_endpoints, True)
        for i, (endpoint, tables) in enumerate(zip(self._training_endpoints, zip(plain, weighted))):
            if endpoint.skipped:
                continue
            endpoint.metrics, endpoint.weighted_metrics = [self._with_unique_names(table, i) for table in tables]
        if len(self._training_endpoints) > 1:
            for endpoint in self._training_endpoints:
                if not endpoint.skipped:
                    endpoint.loss_metric = metric_table.Mean(name=endpoint.loss_name)

    def _with_unique_names(self, table, index):
        named = {}
        for name, metric in table.items():
            base = name = "%s_%s" % (self._training_endpoints[index].name, name) if len(self._training_endpoints) > 1 else name
            number = 1
            while name in self.metrics_names:
                name, number = "%s_%d" % (base, number), number + 1
            metric._name = name
            named[name] = metric
            self._compile_metric_functions.append(metric)
        return named

    def _call_metrics(self, of_weighted):
        with ops.name_scope("metrics"):
            for endpoint in self._training_endpoints:
                if not endpoint.skipped:
                    endpoint.call_metrics(of_weighted)

    def _make_weighted_part(self):
        # State that depends on whether samples are weighted; rebuilt when that changes.
        for endpoint in self._training_endpoints:
            endpoint.make_weights()
        self._call_metrics(True)
        self.__dict__["total_loss"] = self._make_loss()

    def _make_loss(self):
        total = None
        with ops.name_scope("loss"):
            for endpoint in self._training_endpoints:
                if endpoint.skipped:
                    continue
                with ops.name_scope(endpoint.loss_name):
                    value = endpoint.loss_of_batch()
                if len(self._outputs) > 1:
                    endpoint.loss_metric(value)
                part = endpoint.loss_weight * value
                total = part if total is None else total + part
            if total is None:
                if not self.losses:
                    raise ValueError("The model cannot be compiled because it has no loss to optimize.")
                total = 0.
            more = self.get_losses_for(None) + self.get_losses_for(self._inputs)
            if more:
                total += engine.add_n(more)
        return total

    # Properties.
    @property
    def metrics(self):
        """The metrics of compile() and add_metric()."""
        return (list(self._compile_metric_functions) if self._is_compiled else []) + self._added_metrics()

    def _added_metrics(self):
        found = list(self._metrics)
        for layer in self._layers:
            found += layer._added_metrics()
        return found

    @property
    def metrics_names(self):
        """The names of the values of evaluate() and train_on_batch()."""
        names = ["loss"]
        if self._is_compiled:
            if len(self._training_endpoints) > 1:
                names += [e.loss_name for e in self._training_endpoints if not e.skipped]
            names += [m.name for m in self._compile_metric_functions]
        return names + [m.name for layer in self.layers for m in layer._metrics] + [m.name for m in self._metrics]

    _loss_weights_list = property(lambda self: [e.loss_weight for e in self._training_endpoints])
    loss_functions = property(lambda self: [e.loss for e in self._training_endpoints])
    sample_weights = property(lambda self: [e.sample_weight for e in self._training_endpoints])
    _targets = property(lambda self: [e.target for e in self._training_endpoints])
    _fed = property(lambda self: [e for e in self._training_endpoints if e.feedable])
    _feed_targets = property(lambda self: [e.target for e in self._fed])
    _feed_output_names = property(lambda self: [e.name for e in self._fed])
    _feed_sample_weights = property(lambda self: [e.sample_weight for e in self._training_endpoints if e.sample_weight is not None])
    _feed_inputs = property(lambda self: [t for t in self._inputs if self._is_fed(t)])
    _feed_input_names = property(lambda self: [n for t, n in zip(self._inputs, self.input_names) if self._is_fed(t)])
    _feed_input_shapes = property(lambda self: [backend.int_shape(t) for t in self._feed_inputs])

    @staticmethod
    def _is_fed(tensor):
        layer = tensor._keras_history.layer if hasattr(tensor, "_keras_history") else None
        return layer.is_placeholder if hasattr(layer, "is_placeholder") else backend.is_placeholder(tensor)

    def reset_metrics(self):
        """Resets all metrics."""
        for metric in self._all_metrics():
            metric.reset_states()

    def _all_metrics(self):
        return [e.loss_metric for e in self._training_endpoints if e.loss_metric is not None] + self.metrics

    # Step functions.
    def _refresh_weights(self, weights):
        """Turns sample weighting on or off, depending on whether there are weights."""
        given = bool(weights) and any(w is not None for w in weights)
        for endpoint in self._training_endpoints:
            endpoint.sample_weight_mode = endpoint.sample_weight_mode or "samplewise" if given else None

    def _recompiled(self):
        changed = self._is_compiled and any(e.weights_are_missing() for e in self._training_endpoints if e.feedable)
        if changed:
            self._make_weighted_part()
            self.__dict__.update(train_function=None, test_function=None)
        return changed

    def _metric_results(self):
        return [m._call_result for m in self._all_metrics() if hasattr(m, "_call_result")]

    def _make_train_function(self):
        changed = self._recompiled()
        self._check_trainable_weights_consistency()
        if self.train_function is not None and not changed:
            return
        now = self._trainable_state()
        self._set_trainable_state(self._compiled_trainable_state)
        inputs = self._feed_inputs + self._feed_targets + self._feed_sample_weights
        phase = backend.learning_phase()
        if isinstance(phase, Tensor):
            inputs.append(phase)
        with ops.name_scope("training"):
            updates = self._optimizer_updates()
            updates += self.get_updates_for(None) + self.get_updates_for(self._inputs)
        made = self._function(inputs, [self.total_loss] + self._metric_results(), updates, "train_function")
        self.__dict__["train_function"] = made
        self._set_trainable_state(now)

    def _optimizer_updates(self):
        if isinstance(self.optimizer, list):
            raise ValueError("The `optimizer` in `compile` should be a single optimizer.")
        variables = self._collected_trainable_weights
        if not variables:
            return []
        return list(self.optimizer.get_updates(params=variables, loss=self.total_loss))

    def _check_trainable_weights_consistency(self):
        if len(self.trainable_weights) != len(self._collected_trainable_weights) and not self.__dict__.get("_told_of_weights"):
            self.__dict__["_told_of_weights"] = True
            # A model that was compiled later may have been what layers were frozen for, as in a GAN.
            if self.__dict__.get("_compiled_as") == Trainable._compiled:
                doctor.say("trainable-after-compile", [str(len(self._collected_trainable_weights)), str(len(self.trainable_weights))])
            logging.warning("Discrepancy between trainable weights and collected trainable weights, did you set `model.trainable` without calling `model.compile` after ?")

    def _make_test_function(self):
        if self._recompiled() or self.test_function is None:
            inputs = self._feed_inputs + self._feed_targets + self._feed_sample_weights
            with ops.name_scope("evaluation"):
                self.__dict__["test_function"] = self._function(inputs, [self.total_loss] + self._metric_results(), self.state_updates, "test_function")

    def _make_predict_function(self):
        if self.predict_function is None:
            with ops.name_scope("predict"):
                self.__dict__["predict_function"] = self._function(self._feed_inputs, self._outputs, self.state_updates, "predict_function")

    def _function(self, inputs, outputs, updates, name):
        made = function.function(inputs, [ops.convert_to_tensor(t) if not data_checks.is_tensor(t) else t for t in outputs], updates=updates, name=name, **self._function_kwargs)
        return made

    @property
    def state_updates(self):
        """Updates of stateful layers, which evaluation and prediction run too."""
        return [u for layer in self._layers if getattr(layer, "stateful", False) for u in layer.updates]

    # Data.
    def _assert_compile_was_called(self):
        if not self.optimizer:
            raise RuntimeError("You must compile your model before training/testing. Use `model.compile(optimizer, loss)`.")

    def _check_call_args(self, method):
        names = [p for p in inspect.signature(self.call).parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty]
        names = ["self"] + [p.name for p in names if p.name != "training"]
        if len(names) > 2:
            raise ValueError("Models passed to `" + method + "` can only have `training` and the first argument in `call` as positional arguments, found: " + str(names[2:]) + ".")

    def _batch_size(self, batch_size, steps, x):
        """The batch size for data: the program's, that of the first layer, or 32; None for data that come in batches."""
        if data_checks.is_data_set(x) or data_checks.is_generator(x):
            if batch_size is not None:
                raise ValueError("The `batch_size` argument must not be specified for the given input type. Received input: {}, batch_size: {}".format(x, batch_size))
            return None
        static = _static_batch(self._layers[0]) if self._layers else None
        if static is not None:
            if batch_size is not None and batch_size != static:
                raise ValueError("The `batch_size` argument value {} is incompatible with the specified batch size of your Input Layer: {}".format(batch_size, static))
            if steps is None:
                batch_size = static
        return 32 if batch_size is None and steps is None else batch_size

    def _standardize_user_data(self, x, y=None, sample_weight=None, class_weight=None, batch_size=None, check_steps=False, steps_name="steps", steps=None, validation_split=0,
                               shuffle=False, extract_tensors_from_dataset=False, from_tensors=False):
        """Checked (inputs, targets, weights) as lists of arrays; builds a model that has not been built yet."""
        from_data_set = data_checks.is_data_set(x) or data_checks.is_iterator(x)
        if from_data_set:
            data_checks.check_data_set(x, y, sample_weight, validation_split)
            if shuffle and data_checks.is_data_set(x):
                data_order.verify_dataset_shuffled(x)
            if extract_tensors_from_dataset or data_checks.is_iterator(x):
                x, y, sample_weight = runs.next_tensors(x)
        if check_steps:
            data_checks.check_steps(x, steps, steps_name)
        built = self._outputs is None
        if built:
            self._build_for(x, from_data_set)
        compiled = not self._is_compiled and self.optimizer is not None
        if compiled:
            self._compile_for(x, y, from_data_set)
        if built and compiled and not from_data_set and data_checks.has_tensors(x):
            return [], [], None
        if not data_checks.is_data_set(x):
            x = data_checks.arrays_by_name(x, self._feed_input_names, self._feed_input_shapes if self._checks_shapes else None, "input")
            x = [a.toarray() if hasattr(a, "toarray") and not isinstance(t, SparseTensor) else a for a, t in zip(x, self._feed_inputs)]
        targets, weights = [], None
        if y is not None:
            targets, weights = self._standard_targets(x, y, sample_weight, class_weight, not from_tensors)
        if self.stateful and batch_size and not from_data_set and x[0].shape[0] % batch_size:
            raise ValueError("In a stateful network, you should only pass inputs with a number of samples that can be divided by the batch size. Found: " + str(x[0].shape[0]) +
                             " samples")
        return x, targets, weights

    def _standard_targets(self, x, y, sample_weight, class_weight, check):
        compiling.set_weight_modes(self._training_endpoints, self.sample_weight_mode)
        names = self._feed_output_names
        modes = [e.sample_weight_mode for e in self._fed]
        y = data_checks.arrays_by_name(y, names, None, "target")
        y = [a.toarray() if hasattr(a, "toarray") else a for a in y]
        y = [e.fitted(a) for e, a in zip(self._fed, y)] if len(y) == len(self._fed) else y
        weights = [data_checks.sample_weights(a, w, c, mode) for a, w, c, mode in zip(
            y, data_checks.weights_by_output(sample_weight, names, "sample_weight"), data_checks.weights_by_output(class_weight, names, "class_weight"), modes)]
        data_checks.check_lengths(x, y, weights)
        if self._checks_shapes and check:
            data_checks.check_targets(y, [e.loss for e in self._fed], [e.target_shape or () for e in self._fed])
        if all(m is None for m in modes) and all(w is None for w in weights):
            weights = None
        return y, weights

    def _build_for(self, x, from_data_set):
        original = x
        if data_checks.is_data_set(x):
            x = runs.first_part(x)
        if not data_checks.is_eager_data_set(original):
            data_checks.check_types(x, original)
        if from_data_set:
            x = nest.map_structure(runs.Spec, x)
        self._set_inputs(x)

    def _compile_for(self, x, y, from_data_set):
        own = None
        if y is not None:
            data_checks.check_types(y, y, False, "target")
            values = list(y) if isinstance(y, (list, tuple)) else [y]
            everything = (list(x) if isinstance(x, (list, tuple)) else list(x.values()) if isinstance(x, dict) else [x]) + values
            if not from_data_set and any(map(data_checks.is_tensor, everything)) and not all(map(data_checks.is_tensor, everything)):
                raise ValueError("Do not pass inputs that mix Numpy arrays and TensorFlow tensors. You passed: x=" + str(x) + "; y=" + str(y))
            if not from_data_set:
                own = [v for v in values if data_checks.is_tensor(v)]
        self.compile(optimizer=self.optimizer, loss=self.loss, metrics=self._compile_metrics, weighted_metrics=self._compile_weighted_metrics, loss_weights=self.loss_weights,
                     target_tensors=own, sample_weight_mode=self.sample_weight_mode, run_eagerly=self._run_eagerly)

    # Running.
    def fit(self, x=None, y=None, batch_size=None, epochs=1, verbose=1, callbacks=None, validation_split=0.0, validation_data=None, shuffle=True,
            class_weight=None, sample_weight=None, initial_epoch=0, steps_per_epoch=None, validation_steps=None, validation_freq=1, max_queue_size=10, workers=1,
            use_multiprocessing=False, **kwargs):
        """Trains the model; returns a History."""
        if "nb_epoch" in kwargs:
            logging.warning("The `nb_epoch` argument in `fit` has been renamed `epochs`.")
            epochs = kwargs.pop("nb_epoch")
        if kwargs:
            raise TypeError("Unrecognized keyword arguments: " + str(kwargs))
        self._assert_compile_was_called()
        self._check_call_args("fit")
        runs.refuse_iterators(x)
        if data_checks.is_generator(x):
            self._batch_size(batch_size, steps_per_epoch, x)
            data_checks.check_generator(y, sample_weight, validation_split)
            return self.fit_generator(x, steps_per_epoch, epochs, verbose, callbacks, validation_data, validation_steps, validation_freq, class_weight, max_queue_size, workers,
                                      use_multiprocessing, shuffle, initial_epoch)
        batch_size = self._batch_size(batch_size, steps_per_epoch, x)
        x, y, sample_weight = self._standardize_user_data(x, y, sample_weight, class_weight, batch_size, True, "steps_per_epoch", steps_per_epoch, validation_split, shuffle)
        validation = None
        if validation_data:
            validation = self._standardize_user_data(*data_checks.unpack_validation(validation_data), batch_size=batch_size, steps=validation_steps, steps_name="validation_steps")
        elif validation_split and 0. < validation_split < 1.:
            (x, y, sample_weight), validation = runs.split(x, y, sample_weight, validation_split)
        elif validation_steps:
            raise ValueError("`validation_steps` should not be specified if `validation_data` is None.")
        if data_checks.is_eager_data_set(x):
            return loops.over_batches(self, "train", x, steps_per_epoch, epochs, verbose, callbacks, _validation_batches(validation), validation_steps, validation_freq, class_weight,
                                      initial_epoch=initial_epoch, steps_name="steps_per_epoch")
        return loops.over_arrays(self, "train", x, y, sample_weight, batch_size, epochs, verbose, callbacks, validation, shuffle, initial_epoch, steps_per_epoch, validation_steps,
                                 validation_freq, steps_name="steps_per_epoch")

    def fit_generator(self, generator, steps_per_epoch=None, epochs=1, verbose=1, callbacks=None, validation_data=None, validation_steps=None, validation_freq=1,
                      class_weight=None, max_queue_size=10, workers=1, use_multiprocessing=False, shuffle=True, initial_epoch=0):
        """Trains with batches of a generator or a Sequence."""
        if data_checks.is_data_set(generator):
            return self.fit(generator, None, None, epochs, verbose, callbacks, 0., validation_data, shuffle, class_weight, None, initial_epoch, steps_per_epoch, validation_steps,
                            validation_freq)
        self._check_call_args("fit_generator")
        return loops.over_batches(self, "train", generator, steps_per_epoch, epochs, verbose, callbacks, validation_data, validation_steps, validation_freq, class_weight, shuffle,
                                  initial_epoch, steps_name="steps_per_epoch", workers=workers)

    def evaluate(self, x=None, y=None, batch_size=None, verbose=1, sample_weight=None, steps=None, callbacks=None, max_queue_size=10, workers=1, use_multiprocessing=False):
        """The loss, or loss and metrics, over data."""
        self._assert_compile_was_called()
        self._check_call_args("evaluate")
        runs.refuse_iterators(x)
        batch_size = self._batch_size(batch_size, steps, x)
        if data_checks.is_generator(x):
            data_checks.check_generator(y, sample_weight)
            return loops.over_batches(self, "test", x, steps, 1, verbose, callbacks)
        x, y, sample_weight = self._standardize_user_data(x, y, sample_weight, None, batch_size, True, "steps", steps)
        if data_checks.is_eager_data_set(x):
            return loops.over_batches(self, "test", x, steps, 1, verbose, callbacks)
        return loops.over_arrays(self, "test", x, y, sample_weight, batch_size, 1, verbose, callbacks, steps_per_epoch=steps)

    def evaluate_generator(self, generator, steps=None, callbacks=None, max_queue_size=10, workers=1, use_multiprocessing=False, verbose=0):
        self._check_call_args("evaluate_generator")
        return loops.over_batches(self, "test", generator, steps, 1, verbose, callbacks)

    def predict(self, x, batch_size=None, verbose=0, steps=None, callbacks=None, max_queue_size=10, workers=1, use_multiprocessing=False):
        """The outputs for data."""
        self._check_call_args("predict")
        runs.refuse_iterators(x)
        batch_size = self._batch_size(batch_size, steps, x)
        if data_checks.is_generator(x):
            return loops.over_batches(self, "predict", x, steps, 1, verbose, callbacks)
        x, _, _ = self._standardize_user_data(x, check_steps=True, steps_name="steps", steps=steps)
        if data_checks.is_eager_data_set(x):
            return loops.over_batches(self, "predict", x, steps, 1, verbose, callbacks)
        return loops.over_arrays(self, "predict", x, None, None, batch_size, 1, verbose, callbacks, steps_per_epoch=steps)

    def predict_generator(self, generator, steps=None, callbacks=None, max_queue_size=10, workers=1, use_multiprocessing=False, verbose=0):
        return loops.over_batches(self, "predict", generator, steps, 1, verbose, callbacks)

    def train_on_batch(self, x, y=None, sample_weight=None, class_weight=None, reset_metrics=True):
        """One step: loss and metrics of the batch."""
        self._assert_compile_was_called()
        self._check_call_args("train_on_batch")
        x, y, weights = self._standardize_user_data(x, y, sample_weight=sample_weight, class_weight=class_weight, extract_tensors_from_dataset=True)
        return self._on_batch("train", x, y, weights, reset_metrics)

    def test_on_batch(self, x, y=None, sample_weight=None, reset_metrics=True):
        self._assert_compile_was_called()
        self._check_call_args("test_on_batch")
        x, y, weights = self._standardize_user_data(x, y, sample_weight=sample_weight, extract_tensors_from_dataset=True)
        return self._on_batch("test", x, y, weights, reset_metrics)

    def _on_batch_of_data_set(self, mode, class_weight, x, y=None, sample_weight=None):
        """One step with the values of a data set's element, whose shapes are not checked, as those of tensors."""
        x, y, weights = self._standardize_user_data(x, y if mode != "predict" else None, sample_weight, class_weight if mode == "train" else None, from_tensors=True)
        return self._execution("predict")(x) if mode == "predict" else self._on_batch(mode, x, y, weights, False)

    def _on_batch(self, mode, x, y, weights, reset):
        outputs = self._execution(mode, weights)(self._values(mode, x, y, weights))
        if reset:
            self.reset_metrics()
        return _one(outputs)

    def predict_on_batch(self, x):
        self._check_call_args("predict_on_batch")
        x, _, _ = self._standardize_user_data(x, extract_tensors_from_dataset=True)
        return _one(self._execution("predict")(x))

    def _values(self, mode, x, y, weights):
        """The feeds of a step function; missing targets are None."""
        if mode == "predict":
            return list(x)
        given = list(weights) if weights and any(w is not None for w in weights) else []
        values = list(x) + (list(y) if y else [None] * len(self._feed_targets)) + given
        return values + [True] if mode == "train" and not self.run_eagerly and isinstance(backend.learning_phase(), Tensor) else values

    def _execution(self, mode, weights=None):
        """The step function for training, testing or predicting, with or without sample weights."""
        if self.run_eagerly:
            return eager_steps.EagerStep(self, mode)
        if mode != "predict":
            self._refresh_weights(weights)
        if mode == "train":
            self._make_train_function()
            return runs.Step(self.train_function)
        if mode == "test":
            self._make_test_function()
            return runs.Step(self.test_function)
        self._make_predict_function()
        return runs.Step(self.predict_function)
