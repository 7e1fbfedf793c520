"""One evaluation of a checkpoint: a counter of its steps, the hook that ends it, and the run itself."""

import math
import time

import tensorflow as tf

from ..exports import export
from ..platform import tf_logging as logging
from . import monitored_session
from .hooks import FinalOpsHook
from .run_hook import SessionRunArgs, SessionRunHook


@export("contrib.training.get_or_create_eval_step")
def get_or_create_eval_step():
    """The counter of evaluation steps, a local variable. ValueError if the graph has several."""
    found = tf.get_collection(tf.GraphKeys.EVAL_STEP)
    if len(found) > 1:
        raise ValueError("Multiple tensors added to tf.GraphKeys.EVAL_STEP")
    if found:
        return found[0]
    return tf.get_variable("eval_step", shape=[], dtype=tf.int64, initializer=tf.zeros_initializer(), trainable=False,
                           collections=[tf.GraphKeys.LOCAL_VARIABLES, tf.GraphKeys.EVAL_STEP])


@export("contrib.training.StopAfterNEvalsHook")
class StopAfterNEvalsHook(SessionRunHook):
    """Ends an evaluation after so many steps. evaluate_once() tells it which tensor counts them."""

    def __init__(self, num_evals, log_progress=True):
        self._num_evals, self._log_progress, self._evals_completed = num_evals, log_progress, None
        self._log_frequency = 1 if num_evals is None or num_evals < 20 else math.floor(num_evals / 10.)

    def _set_evals_completed_tensor(self, updated_eval_step):
        self._evals_completed = updated_eval_step

    def before_run(self, run_context):
        return SessionRunArgs({"evals_completed": self._evals_completed})

    def after_run(self, run_context, run_values):
        done, wanted = run_values.results["evals_completed"], self._num_evals
        if self._log_progress:
            if wanted is None:
                logging.info("Evaluation [%d]", done)
            elif done % self._log_frequency == 0 or done == wanted:
                logging.info("Evaluation [%d/%d]", done, wanted)
        if wanted is not None and done >= wanted:
            run_context.request_stop()


def _with_counter(eval_ops, update):
    if isinstance(eval_ops, dict):
        eval_ops["update_eval_step"] = update
        return eval_ops
    return list(eval_ops) + [update] if isinstance(eval_ops, (tuple, list)) else [eval_ops, update]


@export("contrib.training.evaluate_once")
def evaluate_once(checkpoint_path, master="", scaffold=None, eval_ops=None, feed_dict=None, final_ops=None, final_ops_feed_dict=None, hooks=None, config=None):
    """Restores a checkpoint, runs `eval_ops` until a hook or the end of the data says stop, then `final_ops` once; gives their values.

    A local_init_op of the scaffold's must initialise the step counter as well.
    """
    counter = get_or_create_eval_step()
    hooks = list(hooks or ())
    if eval_ops is not None:
        eval_ops = _with_counter(eval_ops, tf.assign_add(counter, 1, use_locking=True))
        with tf.control_dependencies(list(eval_ops.values()) if isinstance(eval_ops, dict) else eval_ops):
            done = tf.identity(counter.read_value())
        for hook in hooks:
            if isinstance(hook, StopAfterNEvalsHook):
                hook._set_evals_completed_tensor(done)
    logging.info("Starting evaluation at " + time.strftime("%Y-%m-%dT%H:%M:%SZ", time.localtime()))
    creator = monitored_session.ChiefSessionCreator(scaffold=scaffold, checkpoint_filename_with_path=checkpoint_path, master=master, config=config)
    last = FinalOpsHook(final_ops, final_ops_feed_dict)
    with monitored_session.MonitoredSession(session_creator=creator, hooks=hooks + [last]) as session:
        if eval_ops is not None:
            while not session.should_stop():
                session.run(eval_ops, feed_dict)
    logging.info("Finished evaluation at " + time.strftime("%Y-%m-%d-%H:%M:%S", time.localtime()))
    return last.final_ops_values
