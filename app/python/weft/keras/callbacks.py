"""tf.keras.callbacks."""

import collections
import csv
import json
import os
import re

import numpy as np

from ..exports import export
from ..platform import tf_logging as logging
from ..training.checkpoints import latest_checkpoint
from . import backend


@export("keras.callbacks.Callback")
class Callback:
    """Base of callbacks. All methods do nothing."""

    model = params = validation_data = None

    def set_model(self, model):
        self.model = model

    def set_params(self, params):
        self.params = params

    def _nothing(self, *args, **kwargs):
        pass

    on_train_begin = on_train_end = on_epoch_begin = on_epoch_end = on_batch_begin = on_batch_end = _nothing
    on_test_begin = on_test_end = on_test_batch_begin = on_test_batch_end = on_predict_begin = on_predict_end = on_predict_batch_begin = on_predict_batch_end = _nothing

    def on_train_batch_begin(self, batch, logs=None):
        self.on_batch_begin(batch, logs=logs)

    def on_train_batch_end(self, batch, logs=None):
        self.on_batch_end(batch, logs=logs)


@export("keras.callbacks.History")
class History(Callback):
    """Records losses and metrics of each epoch."""

    def on_train_begin(self, logs=None):
        self.epoch, self.history = [], {}

    def on_epoch_end(self, epoch, logs=None):
        self.epoch.append(epoch)
        for key, value in (logs or {}).items():
            self.history.setdefault(key, []).append(value)


@export("keras.callbacks.LambdaCallback")
class LambdaCallback(Callback):
    """A callback made of functions."""

    def __init__(self, on_epoch_begin=None, on_epoch_end=None, on_batch_begin=None, on_batch_end=None, on_train_begin=None, on_train_end=None, **kwargs):
        for name, function in dict(kwargs, on_epoch_begin=on_epoch_begin, on_epoch_end=on_epoch_end, on_batch_begin=on_batch_begin, on_batch_end=on_batch_end,
                                   on_train_begin=on_train_begin, on_train_end=on_train_end).items():
            if function is not None:
                setattr(self, name, function if "batch" not in name else lambda batch, logs=None, f=function: f(batch, logs))


@export("keras.callbacks.BaseLogger")
class BaseLogger(Callback):
    """Means of an epoch's metrics, weighted by samples. The training loop computes them."""

    def __init__(self, stateful_metrics=None):
        self.stateful_metrics = set(stateful_metrics or [])

    def on_epoch_begin(self, epoch, logs=None):
        self.seen, self.totals = 0, {}

    def on_batch_end(self, batch, logs=None):
        logs = logs or {}
        size = logs.get("size", 0)
        self.seen += size * logs.get("num_steps", 1)
        for k, v in logs.items():
            self.totals[k] = v if k in self.stateful_metrics else self.totals.get(k, 0) + v * size

    def on_epoch_end(self, epoch, logs=None):
        if logs is not None:
            for k in self.params["metrics"]:
                if k in self.totals:
                    logs[k] = self.totals[k] if k in self.stateful_metrics else self.totals[k] / self.seen


@export("keras.callbacks.TerminateOnNaN")
class TerminateOnNaN(Callback):
    """Ends training when the loss is NaN or infinite."""

    def on_batch_end(self, batch, logs=None):
        loss = (logs or {}).get("loss")
        if loss is not None and (np.isnan(loss) or np.isinf(loss)):
            print("Batch %d: Invalid loss, terminating training" % batch)
            self.model.stop_training = True


class _Monitor(Callback):
    """Tracks whether one value improves."""

    def _watch(self, monitor, mode, min_delta=0):
        if mode not in ("auto", "min", "max"):
            mode = "auto"
        greater = mode == "max" or mode == "auto" and ("acc" in monitor or monitor.startswith("fmeasure"))
        self.monitor, self.min_delta = monitor, abs(min_delta) * (1 if greater else -1)
        self.monitor_op = np.greater if greater else np.less

    def _worst(self):
        return -np.inf if self.monitor_op is np.greater else np.inf

    def _value(self, logs):
        value = (logs or {}).get(self.monitor)
        if value is None:
            logging.warning("%s conditioned on metric `%s` which is not available. Available metrics are: %s", type(self).__name__, self.monitor, ",".join(list(logs or {})))
        return value


@export("keras.callbacks.EarlyStopping")
class EarlyStopping(_Monitor):
    """Stops when a value has not improved for some epochs."""

    def __init__(self, monitor="val_loss", min_delta=0, patience=0, verbose=0, mode="auto", baseline=None, restore_best_weights=False):
        self._watch(monitor, mode, min_delta)
        self.patience, self.verbose, self.baseline, self.restore_best_weights = patience, verbose, baseline, restore_best_weights

    def on_train_begin(self, logs=None):
        self.wait = self.stopped_epoch = 0
        self.best, self.best_weights = self.baseline if self.baseline is not None else self._worst(), None

    def on_epoch_end(self, epoch, logs=None):
        value = self._value(logs)
        if value is None:
            return
        if self.monitor_op(value - self.min_delta, self.best):
            self.best, self.wait = value, 0
            if self.restore_best_weights:
                self.best_weights = self.model.get_weights()
            return
        self.wait += 1
        if self.wait >= self.patience:
            self.stopped_epoch, self.model.stop_training = epoch, True
            if self.restore_best_weights and self.best_weights is not None:
                self.model.set_weights(self.best_weights)

    def on_train_end(self, logs=None):
        if self.stopped_epoch > 0 and self.verbose > 0:
            print("Epoch %05d: early stopping" % (self.stopped_epoch + 1))


@export("keras.callbacks.ModelCheckpoint")
class ModelCheckpoint(_Monitor):
    """Saves the model or its weights after epochs."""

    def __init__(self, filepath, monitor="val_loss", verbose=0, save_best_only=False, save_weights_only=False, mode="auto", save_freq="epoch", **kwargs):
        if save_freq != "epoch" and not isinstance(save_freq, int):
            raise ValueError("Unrecognized save_freq: {}".format(save_freq))
        self._watch(monitor, mode)
        self.filepath, self.verbose, self.save_best_only, self.save_weights_only, self.save_freq = filepath, verbose, save_best_only, save_weights_only, save_freq
        self.load_weights_on_restart, self.period = kwargs.get("load_weights_on_restart", False), kwargs.get("period", 1)
        if "load_weights_on_restart" in kwargs:
            logging.warning("`load_weights_on_restart` argument is deprecated. Please use `model.load_weights()` for loading weights before the start of `model.fit()`.")
        if "period" in kwargs:
            logging.warning("`period` argument is deprecated. Please use `save_freq` to specify the frequency in number of samples seen.")
        self.epochs_since_last_save = self._samples_seen_since_last_saving = self._current_epoch = 0
        self.best = self._worst()

    def set_model(self, model):
        self.model = model
        if not model._functional and not hasattr(model, "add"):
            self.save_weights_only = True  # a subclass has no configuration

    def on_train_begin(self, logs=None):
        if not self.load_weights_on_restart:
            return
        path = self._get_most_recently_modified_file_matching_pattern(self.filepath)
        if path is not None and (os.path.exists(path) or os.path.exists(path + ".index")):
            try:
                self.model.load_weights(path)
            except (IOError, ValueError) as e:
                raise ValueError("Error loading file from {}. Reason: {}".format(path, e)) from e

    def on_batch_end(self, batch, logs=None):
        if isinstance(self.save_freq, int):
            self._samples_seen_since_last_saving += (logs or {}).get("size", 1)
            if self._samples_seen_since_last_saving >= self.save_freq:
                self._save_model(self._current_epoch, logs or {})
                self._samples_seen_since_last_saving = 0

    def on_epoch_begin(self, epoch, logs=None):
        self._current_epoch = epoch

    def on_epoch_end(self, epoch, logs=None):
        self.epochs_since_last_save += 1
        if self.save_freq == "epoch" and self.epochs_since_last_save >= self.period:
            self._save_model(epoch, logs or {})

    def _save_model(self, epoch, logs):
        self.epochs_since_last_save = 0
        path = self.filepath.format(epoch=epoch + 1, **logs)
        if self.save_best_only:
            value = logs.get(self.monitor)
            if value is None:
                logging.warning("Can save best model only with %s available, skipping.", self.monitor)
                return
            if not self.monitor_op(value, self.best):
                if self.verbose > 0:
                    print("\nEpoch %05d: %s did not improve from %0.5f" % (epoch + 1, self.monitor, self.best))
                return
            if self.verbose > 0:
                print("\nEpoch %05d: %s improved from %0.5f to %0.5f, saving model to %s" % (epoch + 1, self.monitor, self.best, value, path))
            self.best = value
        elif self.verbose > 0:
            print("\nEpoch %05d: saving model to %s" % (epoch + 1, path))
        (self.model.save_weights if self.save_weights_only else self.model.save)(path, overwrite=True)

    def _get_most_recently_modified_file_matching_pattern(self, pattern):
        """The newest file that a path with {fields} can stand for; of equally new ones the one whose name is last."""
        folder, name = os.path.split(pattern)
        matches = re.compile("^" + re.sub(r"{.*}", r".*", name) + "$").match
        latest = latest_checkpoint(folder)
        if latest is not None and matches(os.path.basename(latest)):
            return latest
        found = [os.path.join(folder, f) for f in (os.listdir(folder) if os.path.isdir(folder) else ()) if matches(f)]
        return max(found, key=lambda path: (os.path.getmtime(path), path), default=None)


@export("keras.callbacks.LearningRateScheduler")
class LearningRateScheduler(Callback):
    """Sets the learning rate of each epoch with a function."""

    def __init__(self, schedule, verbose=0):
        self.schedule, self.verbose = schedule, verbose

    def on_epoch_begin(self, epoch, logs=None):
        if not hasattr(self.model.optimizer, "lr"):
            raise ValueError('Optimizer must have a "lr" attribute.')
        rate = float(backend.get_value(self.model.optimizer.lr))
        try:
            rate = self.schedule(epoch, rate)
        except TypeError:
            rate = self.schedule(epoch)
        if not isinstance(rate, (float, np.float32, np.float64)):
            raise ValueError('The output of the "schedule" function should be float.')
        backend.set_value(self.model.optimizer.lr, rate)
        if self.verbose > 0:
            print("\nEpoch %05d: LearningRateScheduler reducing learning rate to %s." % (epoch + 1, rate))

    def on_epoch_end(self, epoch, logs=None):
        if logs is not None:
            logs["lr"] = backend.get_value(self.model.optimizer.lr)


@export("keras.callbacks.ReduceLROnPlateau")
class ReduceLROnPlateau(_Monitor):
    """Lowers the learning rate when a value stops improving."""

    def __init__(self, monitor="val_loss", factor=0.1, patience=10, verbose=0, mode="auto", min_delta=1e-4, cooldown=0, min_lr=0, **kwargs):
        if factor >= 1.0:
            raise ValueError("ReduceLROnPlateau does not support a factor >= 1.0.")
        self._watch(monitor, mode)
        self.min_delta = kwargs.get("epsilon", min_delta)
        self.factor, self.patience, self.verbose, self.cooldown, self.min_lr = factor, patience, verbose, cooldown, min_lr
        if "epsilon" in kwargs:
            logging.warning("`epsilon` argument is deprecated and will be removed, use `min_delta` instead.")
        self._reset()

    def _reset(self):
        self.best, self.cooldown_counter, self.wait = self._worst(), 0, 0

    def on_train_begin(self, logs=None):
        self._reset()

    def in_cooldown(self):
        return self.cooldown_counter > 0

    def on_epoch_end(self, epoch, logs=None):
        if logs is not None:
            logs["lr"] = backend.get_value(self.model.optimizer.lr)
        value = self._value(logs)
        if value is None:
            return
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.wait = 0
        if self.monitor_op(value, self.best + (self.min_delta if self.monitor_op is np.greater else -self.min_delta)):
            self.best, self.wait = value, 0
        elif self.cooldown_counter <= 0:
            self.wait += 1
            if self.wait >= self.patience:
                old = float(backend.get_value(self.model.optimizer.lr))
                if old > self.min_lr:
                    new = max(old * self.factor, self.min_lr)
                    backend.set_value(self.model.optimizer.lr, new)
                    if self.verbose > 0:
                        print("\nEpoch %05d: ReduceLROnPlateau reducing learning rate to %s." % (epoch + 1, new))
                    self.cooldown_counter, self.wait = self.cooldown, 0


@export("keras.callbacks.CSVLogger")
class CSVLogger(Callback):
    """Writes each epoch as a line of a CSV file."""

    def __init__(self, filename, separator=",", append=False):
        self.filename, self.sep, self.append, self.writer = filename, separator, append, None

    def on_train_begin(self, logs=None):
        self._header = not (self.append and os.path.exists(self.filename) and os.path.getsize(self.filename))
        self.csv_file = open(self.filename, "a" if self.append else "w", newline="")

    def on_epoch_end(self, epoch, logs=None):
        logs = logs or {}
        if self.writer is None:
            self.keys = sorted(logs)
            self.writer = csv.DictWriter(self.csv_file, fieldnames=["epoch"] + self.keys, delimiter=self.sep)
            if self._header:
                self.writer.writeheader()
        row = collections.OrderedDict(epoch=epoch)
        row.update((k, logs.get(k, "NA")) for k in self.keys)
        self.writer.writerow(row)
        self.csv_file.flush()

    def on_train_end(self, logs=None):
        self.csv_file.close()
        self.writer = None


@export("keras.callbacks.RemoteMonitor")
class RemoteMonitor(Callback):
    """Sends each epoch to a server as a request."""

    def __init__(self, root="http://localhost:9000", path="/publish/epoch/end/", field="data", headers=None, send_as_json=False):
        self.url, self.field, self.headers, self.send_as_json = root + path, field, headers or {}, send_as_json

    def on_epoch_end(self, epoch, logs=None):
        import urllib.parse
        import urllib.request

        sent = dict({k: float(v) for k, v in (logs or {}).items()}, epoch=epoch)
        text = json.dumps(sent)
        body = text.encode() if self.send_as_json else urllib.parse.urlencode({self.field: text}).encode()
        headers = dict(self.headers, **({"Content-Type": "application/json"} if self.send_as_json else {}))
        try:
            urllib.request.urlopen(urllib.request.Request(self.url, body, headers)).close()
        except OSError:
            logging.warning("Warning: could not reach RemoteMonitor root server at " + str(self.url))
