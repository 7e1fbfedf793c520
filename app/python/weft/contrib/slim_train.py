"""tf.contrib.slim.learning.train: the loop that runs training steps."""

import os
import sys
import time

from .. import engine, errors, ops, protos
from ..control_flow import group
from ..data.tables import tables_initializer
from ..exports import export
from ..platform import tf_logging as logging
from ..platform.gfile import GFile
from ..profiler.timeline import Timeline
from ..summaries import ops as summary
from ..training import global_step as training_global_step
from ..training.global_step import get_or_create_global_step
from ..training.saver import Saver
from ..training.supervisor import Supervisor
from ..training.sync_replicas import SyncReplicasOptimizer
from ..variables import global_variables_initializer, local_variables_initializer, report_uninitialized_variables

_DEFAULT = object()


def _write_trace(metadata, step, train_step_kwargs):
    path = os.path.join(train_step_kwargs["logdir"], "tf_trace-%d.json" % step)
    logging.info("Writing trace to %s", path)
    with GFile(path, "w") as f:
        f.write(Timeline(metadata.step_stats).generate_chrome_trace_format())
    if "summary_writer" in train_step_kwargs:
        train_step_kwargs["summary_writer"].add_run_metadata(metadata, "run_metadata-%d" % step)


@export("contrib.slim.learning.train_step")
def train_step(sess, train_op, global_step, train_step_kwargs):
    """One step of train(): (loss, whether to stop)."""
    begin = time.time()
    options = metadata = None
    if "should_trace" in train_step_kwargs:
        if "logdir" not in train_step_kwargs:
            raise ValueError("logdir must be present in train_step_kwargs when should_trace is present")
        if sess.run(train_step_kwargs["should_trace"]):
            options, metadata = protos.RunOptions(trace_level=protos.RunOptions.FULL_TRACE), protos.RunMetadata()
    loss, step = sess.run([train_op, global_step], options=options, run_metadata=metadata)
    took = time.time() - begin
    if metadata is not None:
        _write_trace(metadata, step, train_step_kwargs)
    if "should_log" in train_step_kwargs and sess.run(train_step_kwargs["should_log"]):
        logging.info("global step %d: loss = %.4f (%.3f sec/step)", step, loss, took)
    return loss, sess.run(train_step_kwargs["should_stop"]) if "should_stop" in train_step_kwargs else False


def _check_without_logdir(summary_op, saver, trace_every_n_steps):
    if summary_op is not _DEFAULT:
        raise ValueError("Cannot provide summary_op because logdir=None")
    if saver is not None:
        raise ValueError("Cannot provide saver because logdir=None")
    if trace_every_n_steps is not None:
        raise ValueError("Cannot provide trace_every_n_steps because logdir=None")


def _step_arguments(global_step, number_of_steps, log_every_n_steps, trace_every_n_steps, logdir):
    """The arguments of train_step(): tensors that tell when to stop, log and trace."""
    with ops.name_scope("train_step"):
        given = {"should_stop": engine.greater_equal(global_step, number_of_steps) if number_of_steps else ops.constant(False)}
        if log_every_n_steps > 0:
            given["should_log"] = engine.equal(engine.mod(global_step, log_every_n_steps), 0)
        if trace_every_n_steps is not None:
            given["should_trace"] = engine.equal(engine.mod(global_step, trace_every_n_steps), 0)
            given["logdir"] = logdir
    return given


def _wait_for_step(sess, global_step, step):
    """Waits until the global step reaches `step`."""
    while True:
        now = training_global_step.global_step(sess, global_step)
        if now >= step:
            return
        logging.info("Waiting for step %d before starting training (now: %d).", step, now)
        time.sleep(1)


def _loop(sv, sess, train_op, global_step, train_step_fn, train_step_kwargs):
    loss = None
    try:
        while not sv.should_stop():
            loss, stop = train_step_fn(sess, train_op, global_step, train_step_kwargs)
            if stop:
                logging.info("Stopping Training.")
                sv.request_stop()
                break
    except errors.OutOfRangeError as e:
        logging.info("Caught OutOfRangeError. Stopping Training. %s", e)
    return loss


@export("contrib.slim.learning.train")
def train(train_op, logdir, train_step_fn=train_step, train_step_kwargs=_DEFAULT, log_every_n_steps=1, graph=None, master="", is_chief=True, global_step=None,
          number_of_steps=None, init_op=_DEFAULT, init_feed_dict=None, local_init_op=_DEFAULT, init_fn=None, ready_op=_DEFAULT, summary_op=_DEFAULT, save_summaries_secs=600,
          summary_writer=_DEFAULT, startup_delay_steps=0, saver=None, save_interval_secs=600, sync_optimizer=None, session_config=None, session_wrapper=None,
          trace_every_n_steps=None, ignore_live_threads=False):
    """Runs training steps until a stop is due; returns the last loss."""
    if train_op is None:
        raise ValueError("train_op cannot be None.")
    if logdir is None:
        _check_without_logdir(summary_op, saver, trace_every_n_steps)
    if isinstance(sync_optimizer, SyncReplicasOptimizer):
        sync_optimizer = [sync_optimizer]
    if sync_optimizer is not None and startup_delay_steps > 0:
        raise ValueError("startup_delay_steps must be zero when sync_optimizer is supplied.")
    if number_of_steps is not None and number_of_steps <= 0:
        raise ValueError("`number_of_steps` must be either None or a positive number.")
    graph = graph or ops.get_default_graph()
    with graph.as_default():
        if global_step is None:
            global_step = get_or_create_global_step()
        saver = saver or Saver()
        if any(not isinstance(o, SyncReplicasOptimizer) for o in sync_optimizer or ()):
            raise ValueError("`sync_optimizer` must be a tf.train.SyncReplicasOptimizer.")
        ready_for_local_init_op = None
        with ops.name_scope("init_ops"):
            if init_op is _DEFAULT:
                init_op = global_variables_initializer()
            if ready_op is _DEFAULT:
                ready_op = report_uninitialized_variables()
            if local_init_op is _DEFAULT:
                local_init_op = group(local_variables_initializer(), tables_initializer())
            if isinstance(sync_optimizer, list):
                with ops.control_dependencies([local_init_op] if local_init_op is not None else []):
                    local_init_op = group(*[o.chief_init_op if is_chief else o.local_step_init_op for o in sync_optimizer])
                ready_for_local_init_op = group(*[o.ready_for_local_init_op for o in sync_optimizer])
        if summary_op is _DEFAULT:
            summary_op = summary.merge_all()
        if summary_writer is _DEFAULT:
            summary_writer = Supervisor.USE_DEFAULT
        if is_chief and sync_optimizer is not None:
            init_tokens_op = [o.get_init_tokens_op() for o in sync_optimizer]
            sync_runners = [o.get_chief_queue_runner() for o in sync_optimizer]
        if train_step_kwargs is _DEFAULT:
            train_step_kwargs = _step_arguments(global_step, number_of_steps, log_every_n_steps, trace_every_n_steps if is_chief else None, logdir)
    sv = Supervisor(graph=graph, is_chief=is_chief, logdir=logdir, init_op=init_op, init_feed_dict=init_feed_dict, local_init_op=local_init_op,
                    ready_for_local_init_op=ready_for_local_init_op, ready_op=ready_op, summary_op=summary_op, summary_writer=summary_writer, global_step=global_step,
                    saver=saver, save_summaries_secs=save_summaries_secs, save_model_secs=save_interval_secs, init_fn=init_fn)
    if summary_writer is not None:
        train_step_kwargs["summary_writer"] = sv.summary_writer
    while True:
        try:
            with sv.managed_session(master, start_standard_services=False, config=session_config) as sess:
                logging.info("Starting Session.")
                if session_wrapper is not None:
                    logging.info("Wrapping session with wrapper function: %s", session_wrapper)
                    sess = session_wrapper(sess)
                if is_chief:
                    if logdir:
                        sv.start_standard_services(sess)
                elif startup_delay_steps > 0:
                    _wait_for_step(sess, global_step, min(startup_delay_steps, number_of_steps or sys.maxsize))
                threads = sv.start_queue_runners(sess)
                logging.info("Starting Queues.")
                if is_chief and sync_optimizer is not None:
                    sv.start_queue_runners(sess, sync_runners)
                    sess.run(init_tokens_op)
                loss = _loop(sv, sess, train_op, global_step, train_step_fn, train_step_kwargs)
                if logdir and sv.is_chief:
                    logging.info("Finished training! Saving model to disk.")
                    sv.saver.save(sess, sv.save_path, global_step=sv.global_step)
                    sv.stop(threads, close_summary_writer=True, ignore_live_threads=ignore_live_threads)
            return loss
        except errors.AbortedError:
            logging.info("Retrying training!")
