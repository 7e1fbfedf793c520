"""Hooks that save checkpoints, and their listeners."""

import os

from . import meta_graph
from .. import ops, protos
from ..exports import export
from ..platform import tf_logging as logging
from ..summaries.writer import FileWriterCache
from .run_hook import SessionRunArgs, SessionRunHook
from .timers import _step_reader, SecondOrStepTimer


@export("train.CheckpointSaverListener", "estimator.CheckpointSaverListener")
class CheckpointSaverListener:
    """Called before and after checkpoints are written."""

    def begin(self):
        pass

    def before_save(self, session, global_step_value):
        pass

    def after_save(self, session, global_step_value):
        """Returning True requests a stop."""

    def end(self, session, global_step_value):
        pass


@export("train.CheckpointSaverHook", "estimator.CheckpointSaverHook")
class CheckpointSaverHook(SessionRunHook):
    """Writes a checkpoint every N steps or seconds, at the beginning and at the end."""

    def __init__(self, checkpoint_dir, save_secs=None, save_steps=None, saver=None, checkpoint_basename="model.ckpt", scaffold=None, listeners=None):
        logging.info("Create CheckpointSaverHook.")
        if saver is not None and scaffold is not None:
            raise ValueError("You cannot provide both saver and scaffold.")
        self._saver, self._scaffold, self._dir = saver, scaffold, checkpoint_dir
        self._path = os.path.join(checkpoint_dir, checkpoint_basename)
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)
        self._listeners = listeners or []
        self._steps_per_run = 1

    def _set_steps_per_run(self, steps_per_run):
        """By how much a run increments the step."""
        self._steps_per_run = steps_per_run

    def begin(self):
        self._writer = FileWriterCache.get(self._dir)
        self._read = _step_reader("CheckpointSaverHook")
        for listener in self._listeners:
            listener.begin()

    def after_create_session(self, session, coord):
        step = session.run(self._read)
        graph = ops.get_default_graph()
        graph_def = graph.as_graph_def(add_shapes=True)
        meta_graph.write_graph(graph_def, self._dir, "graph.pbtxt")
        saver = self._get_saver()
        meta = meta_graph.create_meta_graph_def(graph_def=graph_def, saver_def=saver.saver_def if saver else None)
        self._writer.add_graph(graph)
        self._writer.add_meta_graph(meta)
        self._save(session, step)
        self._timer.update_last_triggered_step(step)

    def before_run(self, run_context):
        return SessionRunArgs(self._read)

    def after_run(self, run_context, run_values):
        if not self._timer.should_trigger_for_step(run_values.results + self._steps_per_run):
            return
        step = run_context.session.run(self._read)
        if self._timer.should_trigger_for_step(step):
            self._timer.update_last_triggered_step(step)
            if self._save(run_context.session, step):
                run_context.request_stop()

    def end(self, session):
        step = session.run(self._read)
        if step != self._timer.last_triggered_step():
            self._save(session, step)
        for listener in self._listeners:
            listener.end(session, step)

    def _save(self, session, step):
        logging.info("Saving checkpoints for %d into %s.", step, self._path)
        for listener in self._listeners:
            listener.before_save(session, step)
        self._get_saver().save(session, self._path, global_step=step)
        self._writer.add_session_log(protos.SessionLog(status=protos.SessionLog.CHECKPOINT, checkpoint_path=self._path), step)
        stop = False
        for listener in self._listeners:
            if listener.after_save(session, step):
                logging.info("A CheckpointSaverListener requested that training be stopped. listener: {}".format(listener))
                stop = True
        return stop

    def _get_saver(self):
        if self._saver is not None:
            return self._saver
        if self._scaffold is not None:
            return self._scaffold.saver
        found = ops.get_collection("savers")
        if not found:
            raise RuntimeError("No items in collection {}. Please add a saver to the collection or provide a saver or scaffold.".format("savers"))
        if len(found) > 1:
            raise RuntimeError("More than one item in collection {}. Please indicate which one to use by passing it to the constructor.".format("savers"))
        self._saver = found[0]
        return self._saver
