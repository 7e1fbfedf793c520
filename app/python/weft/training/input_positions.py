"""Checkpoints of input pipelines: where their iterators are."""

from . import checkpoints
from .. import ops
from ..data.iterators import IteratorSaveable
from ..exports import export
from .checkpoint_hooks import CheckpointSaverHook
from .run_hook import SessionRunHook
from .saver import Saver


@export("data.experimental.make_saveable_from_iterator", "contrib.data.make_saveable_from_iterator")
def make_saveable_from_iterator(iterator):
    """The position of an iterator for savers: add it to the collection SAVEABLE_OBJECTS before the saver is made."""
    return _Saveable(iterator._iterator_resource)


class _Saveable(IteratorSaveable):
    def __init__(self, iterator_resource):
        super().__init__(iterator_resource, iterator_resource.name, iterator_resource.name + "-state")


class _InputSaver(Saver):
    """A saver whose list of checkpoints has a file of its own."""

    def __init__(self, saveables, latest_filename):
        super().__init__(saveables)
        self._latest_filename = latest_filename

    def save(self, sess, save_path, global_step=None, latest_filename=None, **more):
        return super().save(sess, save_path, global_step, latest_filename or self._latest_filename, **more)


@export("data.experimental.CheckpointInputPipelineHook", "contrib.data.CheckpointInputPipelineHook")
class CheckpointInputPipelineHook(SessionRunHook):
    """Saves the positions of all iterators of the graph beside the checkpoints of an estimator, and continues at them in the next training.

    The files are named input.ckpt, or input_TASK_NUMBER.ckpt if there are several workers."""

    def __init__(self, estimator):
        config = estimator.config
        name = "input" if config.num_worker_replicas <= 1 else "input_%s_%s" % (config.task_type, config.task_id)
        self._checkpoint_saver_hook = CheckpointSaverHook(estimator.model_dir, save_secs=config.save_checkpoints_secs, save_steps=config.save_checkpoints_steps,
                                                          checkpoint_basename=name + ".ckpt")
        self._latest_filename = "checkpoint_" + name
        self._first_run = True

    def begin(self):
        hook = self._checkpoint_saver_hook
        if hook._saver is None and hook._scaffold is None:
            hook._saver = _InputSaver([_Saveable(i) for i in ops.get_collection("iterators")], self._latest_filename)
        hook.begin()

    def before_run(self, run_context):
        if self._first_run:  # other hooks initialize the iterators once the session exists
            self._first_run = False
            self._restore_or_save(run_context.session)
        return self._checkpoint_saver_hook.before_run(run_context)

    def _restore_or_save(self, session):
        hook = self._checkpoint_saver_hook
        latest = checkpoints.latest_checkpoint(hook._dir, latest_filename=self._latest_filename)
        if latest:
            hook._get_saver().restore(session, latest)
            return
        step = session.run(hook._read)
        hook._save(session, step)
        hook._timer.update_last_triggered_step(step)

    def after_run(self, run_context, run_values):
        self._checkpoint_saver_hook.after_run(run_context, run_values)

    def end(self, session):
        self._checkpoint_saver_hook.end(session)
