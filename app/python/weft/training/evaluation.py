"""tensorflow.python.training.evaluation: evaluates a checkpoint by running operations a number of times."""

import math
import time

from .. import basics, dtypes, engine, initializers, ops
from ..exports import export_value
from ..platform import tf_logging as logging
from ..variable_scope import get_variable, variable_scope
from ..variable_store import AUTO_REUSE
from ..variables import assign_add
from .hooks import FinalOpsHook
from .monitored_session import ChiefSessionCreator, MonitoredSession
from .run_hook import SessionRunArgs, SessionRunHook

_STEPS_PER_RUN_VAR = "steps_per_run"


def _get_or_create_eval_step():
    """The graph's counter of evaluation steps."""
    found = ops.get_collection("eval_step")
    if len(found) > 1:
        raise ValueError("Multiple tensors added to tf.GraphKeys.EVAL_STEP")
    if found:
        return found[0]
    return get_variable("eval_step", shape=[], dtype=dtypes.int64, initializer=initializers.zeros_initializer(), trainable=False, collections=["local_variables", "eval_step"])


def get_or_create_steps_per_run_variable():
    """The number of steps per run, a variable that step loops read."""
    key = "hooks_" + _STEPS_PER_RUN_VAR
    found = ops.get_collection(key)
    if len(found) > 1:
        raise RuntimeError("Multiple steps_per_run_var in collection.")
    if found:
        return found[0]
    with variable_scope("hooks", reuse=AUTO_REUSE):
        return get_variable(_STEPS_PER_RUN_VAR, initializer=initializers.ones_initializer(), shape=[], dtype=dtypes.int32, trainable=False, collections=[key, "local_variables"], use_resource=True)


def _get_latest_eval_step_value(update_ops):
    """The counter after `update_ops`."""
    if isinstance(update_ops, dict):
        update_ops = list(update_ops.values())
    with ops.control_dependencies(update_ops):
        return engine.identity(_get_or_create_eval_step().read_value())


class _EvalsHook(SessionRunHook):
    """Stops after a number of evaluations; None: never."""

    def __init__(self, num_evals):
        self._num_evals, self._evals_completed = num_evals, None

    def _set_evals_completed_tensor(self, updated_eval_step):
        self._evals_completed = updated_eval_step

    def before_run(self, run_context):
        return SessionRunArgs({"evals_completed": self._evals_completed})

    def _say(self, done):
        if self._num_evals is None:
            logging.info("Evaluation [%d]", done)
        else:
            logging.info("Evaluation [%d/%d]", done, self._num_evals)

    def _stop(self, run_context, done):
        if self._num_evals is not None and done >= self._num_evals:
            run_context.request_stop()


class _MultiStepStopAfterNEvalsHook(_EvalsHook):
    """As _StopAfterNEvalsHook if one run makes several steps; the last run makes only the remaining steps."""

    def __init__(self, num_evals, steps_per_run=1):
        super().__init__(num_evals)
        self._steps_per_run_initial_value = steps_per_run

    def begin(self):
        self._steps_per_run_variable = get_or_create_steps_per_run_variable()

    def _load(self, session, done):
        steps = self._steps_per_run_initial_value
        self._steps_per_run_variable.load(steps if self._num_evals is None else min(steps, self._num_evals - done), session=session)

    def after_create_session(self, session, coord):
        self._load(session, 0)

    def after_run(self, run_context, run_values):
        done = run_values.results["evals_completed"]
        self._load(run_context.session, done)
        self._say(done)
        self._stop(run_context, done)


class _StopAfterNEvalsHook(_EvalsHook):
    """Stops after a number of runs; logs progress, each time or ten times in all."""

    def __init__(self, num_evals, log_progress=True):
        super().__init__(num_evals)
        self._log_progress = log_progress
        self._log_frequency = 1 if num_evals is None or num_evals < 20 else math.floor(num_evals / 10.0)

    def after_run(self, run_context, run_values):
        done = run_values.results["evals_completed"]
        if self._log_progress and (self._num_evals is None or done % self._log_frequency == 0 or self._num_evals == done):
            self._say(done)
        self._stop(run_context, done)


def _with_counter(eval_ops, update):
    if isinstance(eval_ops, dict):
        eval_ops["update_eval_step"] = update
        return eval_ops
    return (list(eval_ops) if isinstance(eval_ops, (tuple, list)) else [eval_ops]) + [update]


def _evaluate_once(checkpoint_path, master="", scaffold=None, eval_ops=None, feed_dict=None, final_ops=None, final_ops_feed_dict=None, hooks=None, config=None):
    """Restores a checkpoint, runs `eval_ops` until a hook stops it, then `final_ops` once; returns the values of `final_ops`."""
    step, hooks = _get_or_create_eval_step(), list(hooks or [])
    if eval_ops is not None:
        several = any(isinstance(h, _MultiStepStopAfterNEvalsHook) for h in hooks)
        count = basics.cast(get_or_create_steps_per_run_variable(), dtype=step.dtype.base_dtype) if several else 1
        update = assign_add(step, count, use_locking=True)
        eval_ops = _with_counter(eval_ops, update)
        latest = _get_latest_eval_step_value(eval_ops)
        for h in hooks:
            if isinstance(h, _EvalsHook):
                h._set_evals_completed_tensor(latest)
    logging.info("Starting evaluation at " + time.strftime("%Y-%m-%dT%H:%M:%SZ", time.localtime()))
    creator = ChiefSessionCreator(scaffold=scaffold, checkpoint_filename_with_path=checkpoint_path, master=master, config=config)
    final = FinalOpsHook(final_ops, final_ops_feed_dict)
    hooks.append(final)
    with MonitoredSession(session_creator=creator, hooks=hooks) as session:
        if eval_ops is not None:
            while not session.should_stop():
                session.run(eval_ops, feed_dict)
    logging.info("Finished evaluation at " + time.strftime("%Y-%m-%d-%H:%M:%S", time.localtime()))
    return final.final_ops_values


# The names that contrib.training and Estimators use.
get_or_create_eval_step, StopAfterNEvalsHook, evaluate_once = _get_or_create_eval_step, _StopAfterNEvalsHook, _evaluate_once
for _name in ("get_or_create_eval_step", "StopAfterNEvalsHook", "evaluate_once"):
    export_value(globals()[_name], "contrib.training." + _name)
