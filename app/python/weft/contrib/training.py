"""tf.contrib.training: the training loop, gradient clipping, placement of variables."""

import hashlib

import numpy as np

from ..exports import export
from ..tensor_shape import TensorShape
from ..training.monitored_session import MonitoredTrainingSession
from .slim import clip_gradient_norms


@export("contrib.training.clip_gradient_norms_fn")
def clip_gradient_norms_fn(max_norm):
    """A transform_grads_fn for create_train_op() that clips each gradient separately."""
    def clip_norms(gradients_to_variables):
        return clip_gradient_norms(gradients_to_variables, max_norm)

    return clip_norms


@export("contrib.training.train")
def train(train_op, logdir, master="", is_chief=True, scaffold=None, hooks=None, chief_only_hooks=None, save_checkpoint_secs=600, save_summaries_steps=100, config=None,
          max_wait_secs=7200, run_metadata=None):
    """Runs `train_op` until a hook ends it; returns its last value."""
    if logdir is None and is_chief:
        if save_summaries_steps:
            raise ValueError("logdir cannot be None when save_summaries_steps is not None")
        if save_checkpoint_secs:
            raise ValueError("logdir cannot be None when save_checkpoint_secs is not None")
    loss = None
    with MonitoredTrainingSession(master=master, is_chief=is_chief, checkpoint_dir=logdir, scaffold=scaffold, hooks=hooks, chief_only_hooks=chief_only_hooks,
                                  save_checkpoint_secs=save_checkpoint_secs, save_summaries_steps=save_summaries_steps, config=config,
                                  max_wait_secs=max_wait_secs) as session:
        while not session.should_stop():
            loss = session.run(train_op, run_metadata=run_metadata)
    return loss


@export("contrib.training.RandomStrategy")
class RandomStrategy:
    """Picks a variable's parameter server by a hash of its name, so that all processes agree."""

    def __init__(self, num_ps_tasks, seed=0):
        self._num_tasks, self._seed = num_ps_tasks, seed

    def __call__(self, op):
        text = "%s_%d" % (op.name, self._seed)
        return int(hashlib.md5(text.encode("utf-8")).hexdigest(), 16) % self._num_tasks


@export("contrib.training.GreedyLoadBalancingStrategy")
class GreedyLoadBalancingStrategy:
    """Picks the parameter server with the smallest load so far."""

    def __init__(self, num_tasks, load_fn):
        self._num_tasks, self._load_fn = num_tasks, load_fn
        self._ps_loads = np.zeros(num_tasks)

    def __call__(self, op):
        task = np.argmin(self._ps_loads)
        self._ps_loads[task] += self._load_fn(op)
        return task


@export("contrib.training.byte_size_load_fn")
def byte_size_load_fn(op):
    """The size of a variable in bytes."""
    if len(op.outputs) != 1:
        raise ValueError("Op %s must have a single output" % op)
    output = op.outputs[0]
    shape = output.get_shape()
    if not shape.is_fully_defined():
        shape = TensorShape(op.get_attr("shape"))
    shape.assert_is_fully_defined()
    return shape.num_elements() * output.dtype.size
