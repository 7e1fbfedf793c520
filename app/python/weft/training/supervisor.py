"""tf.train.Supervisor: initializes or restores a model, and saves and writes summaries in separate threads."""

import contextlib
import os
import time

from .. import dtypes, ops, protos
from ..control_flow import group
from ..data.tables import tables_initializer
from ..exports import export
from ..platform import tf_logging as logging
from ..summaries import ops as summary
from ..summaries.writer import FileWriter
from ..variables import global_variables, global_variables_initializer, local_variables_initializer, report_uninitialized_variables
from . import coordinator, meta_graph
from . import global_step as steps
from .saver import Saver
from .session_manager import SessionManager


def _collected(key, given, make=None):
    """The given value, else the first item of a collection, else a new item that is added to it."""
    if given is not Supervisor.USE_DEFAULT:
        return given
    found = ops.get_collection(key)
    if len(found) > 1:
        logging.info("Found %d %s operations. Returning the first one.", len(found), key)
    if found:
        return found[0]
    made = make() if make else None
    if made is not None:
        ops.add_to_collection(key, made)
    return made


@export("train.Supervisor")
class Supervisor:
    """Provides ready sessions, and writes checkpoints and summaries while they run."""

    USE_DEFAULT = 0

    def __init__(self, graph=None, ready_op=USE_DEFAULT, ready_for_local_init_op=USE_DEFAULT, is_chief=True, init_op=USE_DEFAULT, init_feed_dict=None,
                 local_init_op=USE_DEFAULT, logdir=None, summary_op=USE_DEFAULT, saver=USE_DEFAULT, global_step=USE_DEFAULT, save_summaries_secs=120,
                 save_model_secs=600, recovery_wait_secs=30, stop_grace_secs=120, checkpoint_basename="model.ckpt", session_manager=None,
                 summary_writer=USE_DEFAULT, init_fn=None, local_init_run_options=None):
        self._graph = graph = ops.get_default_graph() if graph is None else graph
        with graph.as_default():
            self._ready_op = _collected("ready_op", ready_op, report_uninitialized_variables)
            self._ready_for_local_init_op = _collected("ready_for_local_init_op", ready_for_local_init_op)
            self._init_op = _collected("init_op", init_op, global_variables_initializer)
            self._local_init_op = _collected("local_init_op", local_init_op,
                                             lambda: group(local_variables_initializer(), tables_initializer()))
            self._saver = _collected("savers", saver, lambda: Saver() if global_variables() else None)
            self._summary_op = _collected("summary_op", summary_op, summary.merge_all)
            self._global_step = _collected("global_step", global_step, self._default_global_step)
            self._meta_graph_def = meta_graph.create_meta_graph_def(graph_def=graph.as_graph_def(add_shapes=True),
                                                                    saver_def=self._saver.saver_def if self._saver else None)
        self._init_feed_dict, self._init_fn = init_feed_dict, init_fn
        self._is_chief, self._stop_grace_secs = is_chief, stop_grace_secs
        self._coord = coordinator.Coordinator()
        self._logdir = logdir if is_chief else None
        self._save_summaries_secs = save_summaries_secs if is_chief else None
        self._save_model_secs = save_model_secs if is_chief else None
        self._save_path = os.path.join(logdir, checkpoint_basename) if self._logdir else None
        self._summary_writer, self._graph_written = None, False
        if is_chief and summary_writer is not Supervisor.USE_DEFAULT:
            self._summary_writer = summary_writer
        elif self._logdir:
            self._summary_writer = FileWriter(self._logdir)
        self._session_manager = session_manager or SessionManager(
            local_init_op=self._local_init_op, ready_op=self._ready_op, ready_for_local_init_op=self._ready_for_local_init_op, graph=graph,
            recovery_wait_secs=recovery_wait_secs, local_init_run_options=local_init_run_options)
        if not is_chief:
            for op in graph.get_operations():
                if op.type in ("Variable", "VariableV2") and not op.device:
                    raise ValueError("When using replicas, all Variables must have their device set: %s" % op)
        graph.finalize()

    @staticmethod
    def _default_global_step():
        try:
            step = ops.get_default_graph().get_tensor_by_name("global_step:0")
        except KeyError:
            return None
        if step.dtype.base_dtype in (dtypes.int32, dtypes.int64):
            return step
        logging.warning("Found 'global_step' is not an int type: %s", step.dtype)
        return None

    is_chief = property(lambda self: self._is_chief)
    session_manager = property(lambda self: self._session_manager)
    coord = property(lambda self: self._coord)
    init_op = property(lambda self: self._init_op)
    init_feed_dict = property(lambda self: self._init_feed_dict)
    ready_op = property(lambda self: self._ready_op)
    ready_for_local_init_op = property(lambda self: self._ready_for_local_init_op)
    summary_writer = property(lambda self: self._summary_writer)
    summary_op = property(lambda self: self._summary_op)
    save_summaries_secs = property(lambda self: self._save_summaries_secs)
    global_step = property(lambda self: self._global_step)
    saver = property(lambda self: self._saver)
    save_model_secs = property(lambda self: self._save_model_secs)
    save_path = property(lambda self: self._save_path)

    def _write_graph(self):
        if self._logdir:
            meta_graph.write_graph(self._graph.as_graph_def(add_shapes=True), self._logdir, "graph.pbtxt")
        if self._summary_writer and not self._graph_written:
            self._summary_writer.add_graph(self._graph)
            self._summary_writer.add_meta_graph(self._meta_graph_def)
            self._graph_written = True

    def start_standard_services(self, sess):
        """Starts the threads that write summaries, steps per second and checkpoints."""
        if not self._is_chief:
            raise RuntimeError("Only chief supervisor can start standard services. Because only chief supervisors can write events.")
        if not self._logdir:
            logging.warning("Standard services need a 'logdir' passed to the SessionManager")
            return None
        if self._global_step is not None and self._summary_writer:
            step = steps.global_step(sess, self._global_step)
            self._summary_writer.add_session_log(protos.SessionLog(status=protos.SessionLog.START), step)
        threads = []
        if self._save_summaries_secs and self._summary_writer:
            if self._summary_op is not None:
                threads.append(SummaryThread(self, sess))
            if self._global_step is not None:
                threads.append(StepCounterThread(self, sess))
        if self._saver and self._save_model_secs:
            threads.append(CheckpointThread(self, sess))
        for thread in threads:
            thread.start()
        return threads

    def prepare_or_wait_for_session(self, master="", config=None, wait_for_checkpoint=False, max_wait_secs=7200, start_standard_services=True):
        """A ready session: the chief restores or initializes the model, other workers wait for it."""
        self._coord.clear_stop()
        if self._summary_writer:
            self._summary_writer.reopen()
        if self._is_chief:
            session = self._session_manager.prepare_session(
                master, init_op=self._init_op, saver=self._saver, checkpoint_dir=self._logdir, wait_for_checkpoint=wait_for_checkpoint,
                max_wait_secs=max_wait_secs, config=config, init_feed_dict=self._init_feed_dict, init_fn=self._init_fn)
            self._write_graph()
            if start_standard_services:
                logging.info("Starting standard services.")
                self.start_standard_services(session)
        else:
            session = self._session_manager.wait_for_session(master, config=config, max_wait_secs=max_wait_secs)
        if start_standard_services:
            logging.info("Starting queue runners.")
            self.start_queue_runners(session)
        return session

    def start_queue_runners(self, sess, queue_runners=None):
        """Starts the given queue runners, by default all of the graph; returns their threads."""
        runners = self._graph.get_collection("queue_runners") if queue_runners is None else queue_runners
        return [t for r in runners for t in r.create_threads(sess, coord=self._coord, daemon=True, start=True)]

    def loop(self, timer_interval_secs, target, args=None, kwargs=None):
        """Calls a function repeatedly in a thread until the supervisor stops."""
        return coordinator.LooperThread.loop(self._coord, timer_interval_secs, target, args, kwargs)

    def stop(self, threads=None, close_summary_writer=True, ignore_live_threads=False):
        """Stops the threads and waits for them."""
        self._coord.request_stop()
        try:
            self._coord.join(threads, stop_grace_period_secs=self._stop_grace_secs, ignore_live_threads=ignore_live_threads)
        finally:
            if close_summary_writer and self._summary_writer:
                self._summary_writer.add_session_log(protos.SessionLog(status=protos.SessionLog.STOP))
                self._summary_writer.close()
                self._graph_written = False

    def request_stop(self, ex=None):
        self._coord.request_stop(ex=ex)

    def should_stop(self):
        return self._coord.should_stop()

    def stop_on_exception(self):
        return self._coord.stop_on_exception()

    def wait_for_stop(self):
        self._coord.wait_for_stop()

    def summary_computed(self, sess, summary, global_step=None):
        """Writes a summary that the program has computed."""
        if not self._summary_writer:
            raise RuntimeError("Writing a summary requires a summary writer.")
        if global_step is None and self._global_step is not None:
            global_step = steps.global_step(sess, self._global_step)
        self._summary_writer.add_summary(summary, global_step)

    @contextlib.contextmanager
    def managed_session(self, master="", config=None, start_standard_services=True, close_summary_writer=True):
        """Context manager with a session; at the end stops all threads and raises the first error."""
        session = None
        try:
            session = self.prepare_or_wait_for_session(master=master, config=config, start_standard_services=start_standard_services)
            yield session
        except Exception as e:
            self.request_stop(e)
        finally:
            try:
                self.stop(close_summary_writer=close_summary_writer)
            finally:
                if session is not None:
                    session.close()


class SummaryThread(coordinator.LooperThread):
    """Runs the summary op once per interval."""

    def __init__(self, sv, sess):
        super().__init__(sv.coord, sv.save_summaries_secs)
        self._sv, self._sess = sv, sess

    def run_loop(self):
        step = None
        if self._sv.global_step is not None:
            summary, step = self._sess.run([self._sv.summary_op, self._sv.global_step])
        else:
            summary = self._sess.run(self._sv.summary_op)
        if self._sv.summary_writer:
            logging.info("Recording summary at step %s.", step)
            self._sv.summary_writer.add_summary(summary, step)


class StepCounterThread(coordinator.LooperThread):
    """Records steps per second."""

    def __init__(self, sv, sess, step_counter=None):
        super().__init__(sv.coord, sv.save_summaries_secs)
        self._sv, self._sess = sv, sess
        self._counter = sv.global_step if step_counter is None else step_counter
        self._tag = "%s/sec" % self._counter.op.name

    def start_loop(self):
        self._time, self._step = time.time(), steps.global_step(self._sess, self._counter)

    def run_loop(self):
        step, now = steps.global_step(self._sess, self._counter), time.time()
        rate = (step - self._step) / (now - self._time) if now > self._time else float("inf")
        self._step, self._time = step, now
        summary = protos.Summary()
        summary.value.add(tag=self._tag, simple_value=rate)
        if self._sv.summary_writer:
            self._sv.summary_writer.add_summary(summary, step)
        logging.log_first_n(logging.INFO, "%s: %g", 10, self._tag, rate)


class CheckpointThread(coordinator.LooperThread):
    """Saves once per interval."""

    def __init__(self, sv, sess):
        super().__init__(sv.coord, sv.save_model_secs)
        self._sv, self._sess = sv, sess

    def run_loop(self):
        sv = self._sv
        logging.info("Saving checkpoint to path %s", sv.save_path)
        sv.saver.save(self._sess, sv.save_path, global_step=sv.global_step)
        if sv.summary_writer and sv.global_step is not None:
            log = protos.SessionLog(status=protos.SessionLog.CHECKPOINT, checkpoint_path=sv.save_path)
            sv.summary_writer.add_session_log(log, steps.global_step(self._sess, sv.global_step))


for _old, _new in (("PrepareSession", "prepare_or_wait_for_session"), ("StartQueueRunners", "start_queue_runners"),
                   ("StartStandardServices", "start_standard_services"), ("Stop", "stop"), ("RequestStop", "request_stop"), ("Loop", "loop"),
                   ("ShouldStop", "should_stop"), ("StopOnException", "stop_on_exception"), ("WaitForStop", "wait_for_stop"),
                   ("SummaryComputed", "summary_computed")):
    setattr(Supervisor, _old, getattr(Supervisor, _new))
del _old, _new
