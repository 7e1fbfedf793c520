"""tf.contrib.training: checkpoints are evaluated, once or as they appear."""

import math
import time

import tensorflow as tf

from .. import ops
from ..exports import export
from ..ops import GraphKeys
from ..platform import tf_logging as logging
from ..training.hooks import FinalOpsHook
from ..training.monitored_session import ChiefSessionCreator, MonitoredSession
from ..training.run_hook import SessionRunArgs, SessionRunHook


@export("contrib.training.get_or_create_eval_step", "contrib.training.python.training.evaluation.get_or_create_eval_step")
def get_or_create_eval_step():
    """The local variable that counts the evaluation's steps."""
    found = ops.get_collection(GraphKeys.EVAL_STEP)
    if len(found) > 1:
        raise ValueError("Multiple tensors added to tf.GraphKeys.EVAL_STEP")
    if found:
        return found[0]
    return tf.get_variable("eval_step", shape=[], dtype=tf.int64, initializer=tf.zeros_initializer(), trainable=False,
                           collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.EVAL_STEP])


@export("contrib.training.StopAfterNEvalsHook")
class StopAfterNEvalsHook(SessionRunHook):
    """Ends the loop after so many evaluations; None: it only tells how many there were."""

    def __init__(self, num_evals, log_progress=True):
        self._num_evals, self._log_progress, self._evals_completed = num_evals, log_progress, None
        self._log_frequency = 1 if num_evals is None or num_evals < 20 else math.floor(num_evals / 10.0)

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


@export("contrib.training.SummaryAtEndHook")
class SummaryAtEndHook(SessionRunHook):
    """Writes the summaries once, when the session ends."""

    def __init__(self, log_dir=None, summary_writer=None, summary_op=None, feed_dict=None):
        if log_dir is None and summary_writer is None:
            raise ValueError("One of log_dir or summary_writer should be used.")
        self._log_dir, self._summary_writer, self._feed_dict = log_dir, summary_writer, feed_dict
        self._summary_op, self._replace_summary_op = summary_op, summary_op is None

    def begin(self):
        if self._replace_summary_op:
            self._summary_op = tf.summary.merge_all()
        self._global_step = tf.train.get_or_create_global_step()

    def after_create_session(self, session, coord):
        if self._summary_writer is None and self._log_dir:
            self._summary_writer = tf.summary.FileWriterCache.get(self._log_dir)

    def end(self, session):
        if self._summary_op is not None:
            step = tf.train.global_step(session, self._global_step)
            written = session.run(self._summary_op, self._feed_dict)
            if self._summary_writer:
                self._summary_writer.add_summary(written, step)
        if self._summary_writer:
            self._summary_writer.flush()


@export("contrib.training.wait_for_new_checkpoint", "contrib.slim.evaluation.wait_for_new_checkpoint")
def wait_for_new_checkpoint(checkpoint_dir, last_checkpoint=None, seconds_to_sleep=1, timeout=None):
    """The path of a checkpoint other than the last one, or None after `timeout` seconds."""
    logging.info("Waiting for new checkpoint at %s", checkpoint_dir)
    until = None if timeout is None else time.time() + timeout
    while True:
        path = tf.train.latest_checkpoint(checkpoint_dir)
        if path is not None and path != last_checkpoint:
            logging.info("Found new checkpoint at %s", path)
            return path
        if until is not None and time.time() + seconds_to_sleep > until:
            return None
        time.sleep(seconds_to_sleep)


def _with_counter(eval_ops, counter):
    """The ops and the counter's update. A dictionary of the caller's gets the update as an entry, as in TensorFlow."""
    if isinstance(eval_ops, dict):
        eval_ops["update_eval_step"] = counter
        return eval_ops
    return (list(eval_ops) if isinstance(eval_ops, (tuple, list)) else [eval_ops]) + [counter]


def _run(session_creator, hooks, eval_ops, feed_dict):
    with MonitoredSession(session_creator=session_creator, hooks=hooks) as session:
        if eval_ops is not None:
            while not session.should_stop():
                session.run(eval_ops, feed_dict)


@export("contrib.training.evaluate_once")
def evaluate_once(checkpoint_path, master="", scaffold=None, eval_ops=None, feed_dict=None, final_ops=None, final_ops_feed_dict=None, hooks=None, config=None):
    """Restores a checkpoint, runs `eval_ops` until a hook ends it, and returns the values of `final_ops`."""
    eval_step = get_or_create_eval_step()
    hooks = list(hooks or [])
    if eval_ops is not None:
        eval_ops = _with_counter(eval_ops, tf.assign_add(eval_step, 1, use_locking=True))
        with tf.control_dependencies(list(eval_ops.values()) if isinstance(eval_ops, dict) else eval_ops):
            completed = tf.identity(eval_step.read_value())
        for hook in hooks:
            if isinstance(hook, StopAfterNEvalsHook):
                hook._set_evals_completed_tensor(completed)
    logging.info("Starting evaluation at " + time.strftime("%Y-%m-%dT%H:%M:%SZ", time.localtime()))
    creator = ChiefSessionCreator(scaffold=scaffold, checkpoint_filename_with_path=checkpoint_path, master=master, config=config)
    final = FinalOpsHook(final_ops, final_ops_feed_dict)
    _run(creator, hooks + [final], eval_ops, feed_dict)
    logging.info("Finished evaluation at " + time.strftime("%Y-%m-%d-%H:%M:%S", time.localtime()))
    return final.final_ops_values


@export("contrib.training.evaluate_repeatedly")
def evaluate_repeatedly(checkpoint_dir, master="", scaffold=None, eval_ops=None, feed_dict=None, final_ops=None, final_ops_feed_dict=None, eval_interval_secs=60, hooks=None,
                        config=None, max_number_of_evaluations=None, timeout=None, timeout_fn=None):
    """Evaluates each checkpoint that appears in a folder; returns the values of `final_ops` of the last one."""
    eval_step = get_or_create_eval_step()
    hooks = hooks or []
    if eval_ops is not None:
        update = tf.assign_add(eval_step, 1)
        for hook in hooks:
            if isinstance(hook, StopAfterNEvalsHook):
                hook._set_evals_completed_tensor(update)
        eval_ops = _with_counter(eval_ops, update)
    final = FinalOpsHook(final_ops, final_ops_feed_dict)
    hooks.append(final)
    evaluated = 0
    for path in tf.contrib.training.checkpoints_iterator(checkpoint_dir, min_interval_secs=eval_interval_secs, timeout=timeout, timeout_fn=timeout_fn):
        creator = ChiefSessionCreator(scaffold=scaffold, checkpoint_filename_with_path=path, master=master, config=config)
        logging.info("Starting evaluation at " + time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime()))
        _run(creator, hooks, eval_ops, feed_dict)
        logging.info("Finished evaluation at " + time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime()))
        evaluated += 1
        if max_number_of_evaluations is not None and evaluated >= max_number_of_evaluations:
            break
    return final.final_ops_values
