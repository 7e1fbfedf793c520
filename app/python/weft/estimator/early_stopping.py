"""tf.estimator.experimental: hooks that end training by a metric of the evaluations."""

import collections
import operator
import os

from .. import dtypes, initializers
from ..errors import AbortedError
from ..exports import export
from ..ops import GraphKeys
from ..platform import tf_logging as logging
from ..platform.gfile import Exists, Glob
from ..summaries import writer
from ..training.global_step import get_global_step
from ..training.run_hook import SessionRunArgs, SessionRunHook
from ..training.timers import SecondOrStepTimer
from ..variable_scope import get_variable, variable_scope
from ..variable_store import AUTO_REUSE
from ..variables import assign
from .estimator import Estimator


def read_eval_metrics(eval_dir):
    """{step: {metric: value}}, from the event files of evaluations."""
    found = collections.defaultdict(dict)
    if Exists(eval_dir):
        for name in Glob(os.path.join(eval_dir, "events.out.tfevents.*")):
            for event in writer.summary_iterator(name):
                values = {v.tag: v.simple_value for v in event.summary.value if v.HasField("simple_value")} if event.HasField("summary") else {}
                if values:
                    found[event.step].update(values)
    return collections.OrderedDict(sorted(found.items()))


def _stop_variable():
    with variable_scope("signal_early_stopping", reuse=AUTO_REUSE):
        return get_variable("STOP", shape=[], dtype=dtypes.bool_, initializer=initializers.constant_initializer(False), collections=[GraphKeys.GLOBAL_VARIABLES], trainable=False)


class _StopHook(SessionRunHook):
    """Checks periodically whether to stop; a variable passes the stop on to other workers."""

    def __init__(self, should_stop_fn, run_every_secs=60, run_every_steps=None):
        if not callable(should_stop_fn):
            raise TypeError("`should_stop_fn` must be callable.")
        self._should_stop = should_stop_fn
        self._timer = SecondOrStepTimer(every_secs=run_every_secs, every_steps=run_every_steps)

    def begin(self):
        self._step = get_global_step()
        self._stop = assign(_stop_variable(), True)

    def before_run(self, run_context):
        return SessionRunArgs(self._step)

    def after_run(self, run_context, run_values):
        step = run_values.results
        if self._timer.should_trigger_for_step(step):
            self._timer.update_last_triggered_step(step)
            if self._should_stop():
                logging.info("Requesting early stopping at global step %d", step)
                run_context.session.run(self._stop)
                run_context.request_stop()


class _FollowHook(SessionRunHook):
    """Ends training when the chief has requested it."""

    def begin(self):
        self._variable = _stop_variable()

    def before_run(self, run_context):
        return SessionRunArgs(self._variable)

    def after_run(self, run_context, run_values):
        if run_values.results:
            logging.info("Early stopping requested, suspending run.")
            run_context.request_stop()


@export("estimator.experimental.make_early_stopping_hook")
def make_early_stopping_hook(estimator, should_stop_fn, run_every_secs=60, run_every_steps=None):
    """A hook that ends training once should_stop_fn() is true."""
    if not isinstance(estimator, Estimator):
        raise TypeError("`estimator` must have type `tf.estimator.Estimator`. Got: {}".format(type(estimator)))
    if run_every_secs is not None and run_every_steps is not None:
        raise ValueError("Only one of `run_every_secs` and `run_every_steps` must be set.")
    return _StopHook(should_stop_fn, run_every_secs, run_every_steps) if estimator.config.is_chief else _FollowHook()


def _threshold(name, better, words):
    def hook(estimator, metric_name, threshold, eval_dir=None, min_steps=0, run_every_secs=60, run_every_steps=None):
        folder = estimator.eval_dir() if eval_dir is None else eval_dir

        def crossed():
            for step, metrics in read_eval_metrics(folder).items():
                if step >= min_steps and better(metrics[metric_name], threshold):
                    logging.info('At step %s, metric "%s" has value %s which is %s the configured threshold (%s) for early stopping.', step, metric_name, metrics[metric_name],
                                 words, threshold)
                    return True
            return False

        return make_early_stopping_hook(estimator, crossed, run_every_secs, run_every_steps)

    export("estimator.experimental." + name)(hook)


def _improvement(name, better, word, parameter):
    def hook(estimator, metric_name, most, eval_dir=None, min_steps=0, run_every_secs=60, run_every_steps=None):
        folder = estimator.eval_dir() if eval_dir is None else eval_dir

        def stands_still():
            best = best_step = None
            for step, metrics in read_eval_metrics(folder).items():
                if step < min_steps:
                    continue
                if best is None or better(metrics[metric_name], best):
                    best, best_step = metrics[metric_name], step
                if step - best_step >= most:
                    logging.info('No %s in metric "%s" for %s steps, which is greater than or equal to max steps (%s) configured for early stopping.', word, metric_name,
                                 step - best_step, most)
                    return True
            return False

        return make_early_stopping_hook(estimator, stands_still, run_every_secs, run_every_steps)

    def with_name(estimator, metric_name, *args, **kwargs):
        if parameter in kwargs:
            args, kwargs = (kwargs.pop(parameter),) + args, kwargs
        return hook(estimator, metric_name, *args, **kwargs)

    export("estimator.experimental." + name)(with_name)


_threshold("stop_if_higher_hook", operator.gt, "greater than")
_threshold("stop_if_lower_hook", operator.lt, "less than")
_improvement("stop_if_no_increase_hook", operator.gt, "increase", "max_steps_without_increase")
_improvement("stop_if_no_decrease_hook", operator.lt, "decrease", "max_steps_without_decrease")


@export("train.basic_train_loop")
def basic_train_loop(supervisor, train_step_fn, args=None, kwargs=None, master=""):
    """Calls train_step_fn(session, …) until the supervisor stops; restarts after an aborted session."""
    again = True
    while again:
        again = False
        try:
            with supervisor.managed_session(master) as session:
                while not supervisor.should_stop():
                    train_step_fn(session, *(args or []), **(kwargs or {}))
        except AbortedError:
            again = True
