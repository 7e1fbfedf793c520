"""tf.contrib.training: evaluates checkpoints as they appear and writes summaries once per evaluation."""

import time

from ..exports import export
from ..platform import tf_logging as logging
from ..summaries import ops as summary
from ..summaries.writer import FileWriterCache
from ..training import checkpoint_reader, checkpoints
from ..training.evaluation import StopAfterNEvalsHook, _with_counter, get_or_create_eval_step
from ..training.global_step import get_or_create_global_step, global_step
from ..training.hooks import FinalOpsHook
from ..training.monitored_session import ChiefSessionCreator, MonitoredSession
from ..training.run_hook import SessionRunHook
from ..variables import assign_add


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
            self._summary_op = summary.merge_all()
        self._global_step = get_or_create_global_step()

    def after_create_session(self, session, coord):
        if self._summary_writer is None and self._log_dir:
            self._summary_writer = FileWriterCache.get(self._log_dir)

    def end(self, session):
        if self._summary_op is not None:
            step = global_step(session, self._global_step)
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
        path = checkpoints.latest_checkpoint(checkpoint_dir)
        if path is not None and path != last_checkpoint:
            logging.info("Found new checkpoint at %s", path)
            return path
        if until is not None and time.time() + seconds_to_sleep > until:
            return None
        time.sleep(seconds_to_sleep)


@export("contrib.training.evaluate_repeatedly")
def evaluate_repeatedly(checkpoint_dir, master="", scaffold=None, eval_ops=None, feed_dict=None, final_ops=None, final_ops_feed_dict=None, eval_interval_secs=60, hooks=None,
                        config=None, max_number_of_evaluations=None, timeout=None, timeout_fn=None):
    """Evaluates each checkpoint that appears in a folder; returns the values of `final_ops` of the last one."""
    eval_step = get_or_create_eval_step()
    hooks = hooks or []
    if eval_ops is not None:
        update = assign_add(eval_step, 1)
        for hook in hooks:
            if isinstance(hook, StopAfterNEvalsHook):
                hook._set_evals_completed_tensor(update)
        eval_ops = _with_counter(eval_ops, update)
    final = FinalOpsHook(final_ops, final_ops_feed_dict)
    hooks.append(final)
    evaluated = 0
    for path in checkpoint_reader.checkpoints_iterator(checkpoint_dir, min_interval_secs=eval_interval_secs, timeout=timeout, timeout_fn=timeout_fn):
        creator = ChiefSessionCreator(scaffold=scaffold, checkpoint_filename_with_path=path, master=master, config=config)
        logging.info("Starting evaluation at " + time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime()))
        with MonitoredSession(session_creator=creator, hooks=hooks) as session:
            if eval_ops is not None:
                while not session.should_stop():
                    session.run(eval_ops, feed_dict)
        logging.info("Finished evaluation at " + time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime()))
        evaluated += 1
        if max_number_of_evaluations is not None and evaluated >= max_number_of_evaluations:
            break
    return final.final_ops_values
