"""The hooks of tf.train."""

import os
import time

import numpy as np

from . import global_step as steps
from .. import errors, protos
from ..exports import export
from ..platform import gfile, tf_logging as logging
from ..summaries.writer import FileWriterCache
from .run_hook import SessionRunArgs, SessionRunHook
from .timers import _element, _step_reader, NeverTriggerTimer, SecondOrStepTimer
from .checkpoint_hooks import CheckpointSaverHook, CheckpointSaverListener  # noqa: F401 (re-exported)


@export("train.LoggingTensorHook", "estimator.LoggingTensorHook")
class LoggingTensorHook(SessionRunHook):
    """Logs values every N runs or seconds, or at the end."""

    def __init__(self, tensors, every_n_iter=None, every_n_secs=None, at_end=False, formatter=None):
        only_at_end = at_end and every_n_iter is None and every_n_secs is None
        if not only_at_end and (every_n_iter is None) == (every_n_secs is None):
            raise ValueError("either at_end and/or exactly one of every_n_iter and every_n_secs must be provided.")
        if every_n_iter is not None and every_n_iter <= 0:
            raise ValueError("invalid every_n_iter=%s." % every_n_iter)
        self._order = sorted(tensors) if isinstance(tensors, dict) else tensors
        self._tensors = tensors if isinstance(tensors, dict) else {item: item for item in tensors}
        self._formatter, self._at_end = formatter, at_end
        self._timer = NeverTriggerTimer() if only_at_end else SecondOrStepTimer(every_secs=every_n_secs, every_steps=every_n_iter)

    def begin(self):
        self._timer.reset()
        self._count = 0
        self._current = {tag: _element(tensor) for tag, tensor in self._tensors.items()}

    def before_run(self, run_context):
        self._due = self._timer.should_trigger_for_step(self._count)
        return SessionRunArgs(self._current) if self._due else None

    def _log(self, values):
        with np.printoptions(suppress=True):
            seconds, _ = self._timer.update_last_triggered_step(self._count)
            if self._formatter:
                logging.info(self._formatter(values))
                return
            text = ", ".join("%s = %s" % (tag, values[tag]) for tag in self._order)
            if seconds is not None:
                logging.info("%s (%.3f sec)", text, seconds)
            else:
                logging.info("%s", text)

    def after_run(self, run_context, run_values):
        if self._due:
            self._log(run_values.results)
        self._count += 1

    def end(self, session):
        if self._at_end:
            self._log(session.run(self._current))


@export("train.StopAtStepHook", "estimator.StopAtStepHook")
class StopAtStepHook(SessionRunHook):
    """Requests a stop after a number of steps, or at a given step."""

    def __init__(self, num_steps=None, last_step=None):
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._num_steps, self._last_step = num_steps, last_step

    def begin(self):
        self._read = _step_reader("StopAtStepHook")

    def after_create_session(self, session, coord):
        if self._last_step is None:
            self._last_step = session.run(self._read) + self._num_steps

    def before_run(self, run_context):
        return SessionRunArgs(self._read)

    def after_run(self, run_context, run_values):
        # The value fetched with the run may have been read before the step was incremented.
        if run_values.results + 1 >= self._last_step and run_context.session.run(self._read) >= self._last_step:
            run_context.request_stop()


@export("train.StepCounterHook", "estimator.StepCounterHook")
class StepCounterHook(SessionRunHook):
    """Logs and records steps per second."""

    def __init__(self, every_n_steps=100, every_n_secs=None, output_dir=None, summary_writer=None):
        if (every_n_steps is None) == (every_n_secs is None):
            raise ValueError("exactly one of every_n_steps and every_n_secs should be provided.")
        self._timer = SecondOrStepTimer(every_steps=every_n_steps, every_secs=every_n_secs)
        self._writer, self._dir, self._last = summary_writer, output_dir, None
        self._steps_per_run = 1

    def _set_steps_per_run(self, steps_per_run):
        """By how much a run increments the step."""
        self._steps_per_run = steps_per_run

    def begin(self):
        if self._writer is None and self._dir:
            self._writer = FileWriterCache.get(self._dir)
        self._read = _step_reader("StepCounterHook")
        self._tag = steps.get_global_step().op.name + "/sec"

    def before_run(self, run_context):
        return SessionRunArgs(self._read)

    def _log_and_record(self, elapsed_steps, elapsed_time, global_step):
        rate = elapsed_steps / elapsed_time if elapsed_time else float("inf")
        if self._writer is not None:
            summary = protos.Summary()
            summary.value.add(tag=self._tag, simple_value=rate)
            self._writer.add_summary(summary, global_step)
        logging.info("%s: %g", self._tag, rate)

    def after_run(self, run_context, run_values):
        stale = run_values.results
        if self._timer.should_trigger_for_step(stale + self._steps_per_run):
            step = run_context.session.run(self._read)
            if self._timer.should_trigger_for_step(step):
                seconds, passed = self._timer.update_last_triggered_step(step)
                if seconds is not None:
                    self._log_and_record(passed, seconds, step)
        if stale == self._last:
            logging.log_first_n(logging.WARN, "It seems that global step (tf.train.get_global_step) has not been increased. Current value (could be "
                                "stable): %s vs previous value: %s. You could increase the global step by passing tf.train.get_global_step() to "
                                "Optimizer.apply_gradients or Optimizer.minimize.", 5, stale, self._last)
        self._last = stale


@export("train.NanLossDuringTrainingError", "estimator.NanLossDuringTrainingError")
class NanLossDuringTrainingError(RuntimeError):
    """The loss is NaN."""

    def __str__(self):
        return "NaN loss during training."


@export("train.NanTensorHook", "estimator.NanTensorHook")
class NanTensorHook(SessionRunHook):
    """Fails or stops when the loss is NaN."""

    def __init__(self, loss_tensor, fail_on_nan_loss=True):
        self._loss, self._fail = loss_tensor, fail_on_nan_loss

    def before_run(self, run_context):
        return SessionRunArgs(self._loss)

    def after_run(self, run_context, run_values):
        if not np.isnan(run_values.results):
            return
        if self._fail:
            logging.error("Model diverged with loss = NaN.")
            raise NanLossDuringTrainingError
        logging.warning("Model diverged with loss = NaN.")
        run_context.request_stop()


@export("train.SummarySaverHook", "estimator.SummarySaverHook")
class SummarySaverHook(SessionRunHook):
    """Writes summaries every N steps or seconds."""

    def __init__(self, save_steps=None, save_secs=None, output_dir=None, summary_writer=None, scaffold=None, summary_op=None):
        if (scaffold is None) == (summary_op is None):
            raise ValueError("Exactly one of scaffold or summary_op must be provided.")
        self._summary_op, self._writer, self._dir, self._scaffold = summary_op, summary_writer, output_dir, scaffold
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)

    def begin(self):
        if self._writer is None and self._dir:
            self._writer = FileWriterCache.get(self._dir)
        self._next = None
        self._read = _step_reader("SummarySaverHook")

    def _ops(self):
        op = self._summary_op if self._summary_op is not None else self._scaffold.summary_op
        return op if op is None or isinstance(op, list) else [op]

    def before_run(self, run_context):
        self._due = self._next is None or self._timer.should_trigger_for_step(self._next)
        wanted = {"global_step": self._read}
        if self._due and self._ops() is not None:
            wanted["summary"] = self._ops()
        return SessionRunArgs(wanted)

    def after_run(self, run_context, run_values):
        if not self._writer:
            return
        step = run_values.results["global_step"] + 1
        if self._next is None or self._due:
            step = run_context.session.run(self._read)
        if self._next is None:
            self._writer.add_session_log(protos.SessionLog(status=protos.SessionLog.START), step)
        if self._due:
            self._timer.update_last_triggered_step(step)
            for summary in run_values.results.get("summary", ()):
                self._writer.add_summary(summary, step)
        self._next = step + 1

    def end(self, session=None):
        if self._writer:
            self._writer.flush()


@export("train.GlobalStepWaiterHook", "estimator.GlobalStepWaiterHook")
class GlobalStepWaiterHook(SessionRunHook):
    """Delays the first run until the global step has reached `wait_until_step`."""

    def __init__(self, wait_until_step):
        self._until = wait_until_step

    def begin(self):
        self._started = False
        self._read = _step_reader("_GlobalStepWaiterHook")

    def before_run(self, run_context):
        if self._started or self._until <= 0:
            self._started = True
            return None
        logging.info("Waiting for global step %d before starting training.", self._until)
        logged = 0
        while True:
            step = run_context.session.run(self._read)
            if step >= self._until:
                self._started = True
                return None
            if step - logged > 1000:
                logging.info("Waiting for global step %d before starting training. Current step is %d.", self._until, step)
                logged = step
            time.sleep(0.5)


@export("train.FinalOpsHook", "estimator.FinalOpsHook")
class FinalOpsHook(SessionRunHook):
    """Runs `final_ops` at the end; `final_ops_values` holds the results."""

    def __init__(self, final_ops, final_ops_feed_dict=None):
        self._ops, self._feeds, self._values = final_ops, final_ops_feed_dict, None

    @property
    def final_ops_values(self):
        return self._values

    def end(self, session):
        if self._ops is None:
            return
        try:
            self._values = session.run(self._ops, feed_dict=self._feeds)
        except (errors.OutOfRangeError, StopIteration):
            logging.warning("An OutOfRangeError or StopIteration exception is raised by the code in FinalOpsHook. This typically means the Ops running by the FinalOpsHook have a "
                            "dependency back to some input source, which should not happen: they should read what was counted, not the next batch of data.")
            raise


@export("train.FeedFnHook", "estimator.FeedFnHook")
class FeedFnHook(SessionRunHook):
    """Feeds the values that feed_fn() returns."""

    def __init__(self, feed_fn):
        self.feed_fn = feed_fn

    def before_run(self, run_context):
        return SessionRunArgs(fetches=None, feed_dict=self.feed_fn())


@export("train.ProfilerHook", "estimator.ProfilerHook")
class ProfilerHook(SessionRunHook):
    """Traces a run every N steps or seconds; writes timeline-STEP.json and run metadata."""

    def __init__(self, save_steps=None, save_secs=None, output_dir="", show_dataflow=True, show_memory=False):
        self._file = os.path.join(output_dir, "timeline-{}.json")
        self._writer = FileWriterCache.get(output_dir)
        self._flow, self._memory = show_dataflow, show_memory
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)

    def begin(self):
        self._next = None
        self._read = _step_reader("ProfilerHook")

    def before_run(self, run_context):
        self._due = self._next is not None and self._timer.should_trigger_for_step(self._next)
        options = protos.RunOptions(trace_level=protos.RunOptions.FULL_TRACE) if self._due else None
        return SessionRunArgs({"global_step": self._read}, options=options)

    def after_run(self, run_context, run_values):
        stale = run_values.results["global_step"]
        if self._next is None:
            self._timer.update_last_triggered_step(stale)
        step = stale + 1
        if self._due:
            step = run_context.session.run(self._read)
            self._timer.update_last_triggered_step(step)
            self._save(step, run_values.run_metadata.step_stats)
            self._writer.add_run_metadata(run_values.run_metadata, "step_%d" % step)
        self._next = step + 1

    def _save(self, step, step_stats):
        from ..profiler.timeline import Timeline

        path = self._file.format(step)
        logging.info("Saving timeline for %d into '%s'.", step, path)
        with gfile.GFile(path, "w") as f:
            f.write(Timeline(step_stats).generate_chrome_trace_format(show_dataflow=self._flow, show_memory=self._memory))
