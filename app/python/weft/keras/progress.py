"""Text output of training progress; lists of callbacks."""

import contextlib
import os
import sys
import time

import numpy as np

from .. import context
from ..exports import export
from .callbacks import BaseLogger, Callback, History


@export("keras.utils.Progbar")
class Progbar:
    """A progress bar."""

    def __init__(self, target, width=30, verbose=1, interval=0.05, stateful_metrics=None, unit_name="step"):
        self.target, self.width, self.verbose, self.interval, self.unit_name = target, width, verbose, interval, unit_name
        self.stateful_metrics, self._values, self._seen_so_far = set(stateful_metrics or []), {}, 0
        self._start, self._last_update, self._total_width = time.time(), 0, 0
        self._dynamic_display = hasattr(sys.stdout, "isatty") and sys.stdout.isatty() or "ipykernel" in sys.modules or "posix" in sys.modules or "PYCHARM_HOSTED" in os.environ

    def update(self, current, values=None):
        """Shows `current` finished units. Values are averaged over the units unless they are in stateful_metrics."""
        for k, v in values or []:
            amount = current - self._seen_so_far
            old = self._values.get(k, [0, 0])
            self._values[k] = [v, 1] if k in self.stateful_metrics else [old[0] + v * amount, old[1] + amount]
        self._seen_so_far = current
        now, done = time.time(), self.target is not None and current >= self.target
        if self.verbose == 1:
            if now - self._last_update < self.interval and self.target is not None and not done:
                return
            self._draw(current, now, done)
        elif self.verbose == 2 and done:
            text = self._count(current) + " - %.0fs" % (now - self._start)
            for k in self._values:
                mean = self._mean(k)
                text += " - %s:" % k + (" %.4f" if mean > 1e-3 else " %.4e") % mean
            self._write(text + "\n")
        self._last_update = now

    def _count(self, current):
        return ("%" + str(int(np.log10(self.target)) + 1) + "d/%d") % (current, self.target)

    def _mean(self, name):
        total, count = self._values[name]
        return np.mean(total / max(1, count))

    def _draw(self, current, now, done):
        before = self._total_width
        self._write("\b" * before + "\r" if self._dynamic_display else "\n")
        if self.target is not None:
            full = int(self.width * float(current) / self.target)
            bar = self._count(current) + " [" + ("=" * (full - 1) + ("=" if done else ">") if full > 0 else "") + "." * (self.width - full) + "]"
        else:
            bar = "%7d/Unknown" % current
        each = (now - self._start) / current if current else 0
        if self.target is not None and not done:
            left = each * (self.target - current)
            info = " - ETA: " + ("%d:%02d:%02d" % (left // 3600, left % 3600 // 60, left % 60) if left > 3600 else "%d:%02d" % (left // 60, left % 60) if left > 60 else "%ds" % left)
        else:
            info = " - %.0fs" % (now - self._start)
            info += " %.0fs/" % each if each >= 1 or each == 0 else " %.0fms/" % (each * 1e3) if each >= 1e-3 else " %.0fus/" % (each * 1e6)
            info += self.unit_name
        for k in self._values:
            mean = self._mean(k)
            info += " - %s:" % k + (" %.4f" if abs(mean) > 1e-3 else " %.4e") % mean
        self._total_width = len(bar) + len(info)
        self._write(bar + info + " " * max(0, before - self._total_width) + ("\n" if done else ""))

    @staticmethod
    def _write(text):
        sys.stdout.write(text)
        sys.stdout.flush()

    def add(self, n, values=None):
        self.update(self._seen_so_far + n, values)


@export("keras.callbacks.ProgbarLogger")
class ProgbarLogger(Callback):
    """Prints the progress of an epoch."""

    def __init__(self, count_mode="samples", stateful_metrics=None):
        if count_mode not in ("samples", "steps"):
            raise ValueError("Unknown `count_mode`: " + str(count_mode))
        self.use_steps, self.stateful_metrics = count_mode == "steps", set(stateful_metrics or [])

    def on_train_begin(self, logs=None):
        self.verbose, self.epochs = self.params["verbose"], self.params["epochs"]

    def on_epoch_begin(self, epoch, logs=None):
        self.seen, self.log_values = 0, []
        self.target = self.params["steps" if self.use_steps else "samples"]
        if self.verbose and self.epochs > 1:
            print("Epoch %d/%d" % (epoch + 1, self.epochs))
        self.progbar = Progbar(target=self.target, verbose=self.verbose, stateful_metrics=self.stateful_metrics, unit_name="step" if self.use_steps else "sample")

    def on_batch_begin(self, batch, logs=None):
        self.log_values = []

    def on_batch_end(self, batch, logs=None):
        logs = logs or {}
        self.seen += logs.get("num_steps", 1) * (1 if self.use_steps else logs.get("size", 0))
        self.log_values += [(k, logs[k]) for k in self.params["metrics"] if k in logs]
        if self.verbose and (self.target is None or self.seen < self.target):  # the last batch is shown with the epoch
            self.progbar.update(self.seen, self.log_values)

    def on_epoch_end(self, epoch, logs=None):
        logs = logs or {}
        self.log_values += [(k, logs[k]) for k in self.params["metrics"] if k in logs]
        if self.verbose:
            self.progbar.update(self.seen, self.log_values)


class CallbackList:
    """Calls several callbacks."""

    def __init__(self, callbacks):
        self.callbacks, self.model, self.params = list(callbacks), None, {}

    def _call(self, method, *args):
        for c in self.callbacks:
            # While execution is eager the model trains in a graph; a program's own callbacks still see eager execution.
            is_eager = context.eager_by_default and not type(c).__module__.startswith("weft.")
            with context.eager_graph().as_default() if is_eager else contextlib.nullcontext():
                getattr(c, method)(*args)

    def set_model(self, model):
        self.model = model
        self._call("set_model", model)

    def set_params(self, params):
        self.params = params
        self._call("set_params", params)

    def on_batch(self, mode, hook, number, logs):
        self._call("on_%s_batch_%s" % (mode, hook), number, logs)

    def __getattr__(self, name):
        if not name.startswith("on_"):
            raise AttributeError(name)

        return lambda *args: self._call(name, *(args or (None,)))


def configured(callbacks, model, mode, params):
    """The CallbackList of a run; for training it includes the default callbacks."""
    if isinstance(callbacks, CallbackList):
        return callbacks
    callbacks = callbacks or []
    if mode == "train":
        model.history = History()
        callbacks = [BaseLogger()] + callbacks + [model.history]
    made = CallbackList(callbacks)
    made.set_model(model)
    set_parameters(made, model, params, mode)
    model.stop_training = False
    return made


def set_parameters(callbacks, model, params, mode):
    """Passes the parameters of the run and the metric names to callbacks."""
    for c in callbacks.callbacks:
        if isinstance(c, (BaseLogger, ProgbarLogger)):
            c.stateful_metrics = model.metrics_names[1:]
    names = list(model.metrics_names) if mode != "predict" else []
    if params["do_validation"] and names:
        names += ["val_" + n for n in model.metrics_names]
    callbacks.set_params({"batch_size": params["batch_size"], "epochs": params["epochs"], "steps": params["steps"], "samples": params["samples"], "verbose": params["verbose"],
                          "do_validation": params["do_validation"], "metrics": names})
