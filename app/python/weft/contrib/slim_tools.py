"""tf.contrib.slim: summaries named after their tensors, evaluation of checkpoints, queue runners for a block, model sizes."""

import contextlib
import threading

from .. import engine, ops
from ..exports import export, export_value
from ..ops import GraphKeys
from ..summaries import ops as summary
from ..training import checkpoint_reader
from ..training.coordinator import Coordinator
from ..training.evaluation import StopAfterNEvalsHook
from ..training.evaluation import evaluate_once as evaluate_checkpoint
from ..training.saver import Saver
from ..training.scaffold import Scaffold
from . import evaluation

_DEFAULT = object()


# Summaries.
def _summary(name):
    return export("contrib.slim.summaries." + name)


def _name_of(tensor, name, prefix, postfix=None):
    return "/".join(([prefix] if prefix else []) + [name or tensor.op.name] + ([postfix] if postfix else []))


def _printed(written, tensor, name):
    """Makes the summary print the tensor when it is evaluated, and adds it to the collection."""
    written = engine.Print(written, [tensor], name)
    ops.add_to_collection(GraphKeys.SUMMARIES, written)
    return written


@_summary("add_histogram_summary")
def add_histogram_summary(tensor, name=None, prefix=None):
    return summary.histogram(_name_of(tensor, name, prefix), tensor)


@_summary("add_image_summary")
def add_image_summary(tensor, name=None, prefix=None, print_summary=False):
    name = _name_of(tensor, name, prefix)
    written = summary.image(name=name, tensor=tensor, collections=[] if print_summary else None)
    return _printed(written, tensor, name) if print_summary else written


@_summary("add_scalar_summary")
def add_scalar_summary(tensor, name=None, prefix=None, print_summary=False):
    name = _name_of(tensor, name, prefix)
    written = summary.scalar(name=name, tensor=tensor, collections=[] if print_summary else None)
    return _printed(written, tensor, name) if print_summary else written


@_summary("add_zero_fraction_summary")
def add_zero_fraction_summary(tensor, name=None, prefix=None, print_summary=False):
    name = _name_of(tensor, name, prefix, "Fraction_of_Zero_Values")
    return add_scalar_summary(engine.nn.zero_fraction(tensor), name, print_summary=print_summary)


@_summary("add_histogram_summaries")
def add_histogram_summaries(tensors, prefix=None):
    return [add_histogram_summary(t, prefix=prefix) for t in tensors]


@_summary("add_image_summaries")
def add_image_summaries(tensors, prefix=None):
    return [add_image_summary(t, prefix=prefix) for t in tensors]


@_summary("add_scalar_summaries")
def add_scalar_summaries(tensors, prefix=None, print_summary=False):
    return [add_scalar_summary(t, prefix=prefix, print_summary=print_summary) for t in tensors]


@_summary("add_zero_fraction_summaries")
def add_zero_fraction_summaries(tensors, prefix=None):
    return [add_zero_fraction_summary(t, prefix=prefix) for t in tensors]


# Evaluation.
def _hooks(num_evals, logdir, summary_op, feed_dict, more):
    if summary_op is _DEFAULT:
        summary_op = summary.merge_all()
    hooks = [StopAfterNEvalsHook(num_evals)]
    if summary_op is not None:
        hooks.append(evaluation.SummaryAtEndHook(log_dir=logdir, summary_op=summary_op, feed_dict=feed_dict))
    return hooks + list(more or [])


@export("contrib.slim.evaluation.evaluate_once")
def evaluate_once(master, checkpoint_path, logdir, num_evals=1, initial_op=None, initial_op_feed_dict=None, eval_op=None, eval_op_feed_dict=None, final_op=None,
                  final_op_feed_dict=None, summary_op=_DEFAULT, summary_op_feed_dict=None, variables_to_restore=None, session_config=None, hooks=None):
    """Evaluates one checkpoint and writes its summaries into `logdir`; returns the value of `final_op`."""
    hooks = _hooks(num_evals, logdir, summary_op, summary_op_feed_dict, hooks)
    saver = None if variables_to_restore is None else Saver(variables_to_restore)
    return evaluate_checkpoint(checkpoint_path, master=master, scaffold=Scaffold(init_op=initial_op, init_feed_dict=initial_op_feed_dict, saver=saver), eval_ops=eval_op,
                               feed_dict=eval_op_feed_dict, final_ops=final_op, final_ops_feed_dict=final_op_feed_dict, hooks=hooks, config=session_config)


@export("contrib.slim.evaluation.evaluation_loop")
def evaluation_loop(master, checkpoint_dir, logdir, num_evals=1, initial_op=None, initial_op_feed_dict=None, init_fn=None, eval_op=None, eval_op_feed_dict=None, final_op=None,
                    final_op_feed_dict=None, summary_op=_DEFAULT, summary_op_feed_dict=None, variables_to_restore=None, eval_interval_secs=60, max_number_of_evaluations=None,
                    session_config=None, timeout=None, timeout_fn=None, hooks=None):
    """Evaluates each checkpoint that appears in a folder."""
    hooks = _hooks(num_evals, logdir, summary_op, summary_op_feed_dict, hooks)
    saver = None if variables_to_restore is None else Saver(variables_to_restore)
    scaffold = Scaffold(init_op=initial_op, init_feed_dict=initial_op_feed_dict, init_fn=init_fn, saver=saver)
    return evaluation.evaluate_repeatedly(checkpoint_dir, master=master, scaffold=scaffold, eval_ops=eval_op, feed_dict=eval_op_feed_dict, final_ops=final_op,
                                          final_ops_feed_dict=final_op_feed_dict, eval_interval_secs=eval_interval_secs, hooks=hooks, config=session_config,
                                          max_number_of_evaluations=max_number_of_evaluations, timeout=timeout, timeout_fn=timeout_fn)


export_value(checkpoint_reader.checkpoints_iterator, "contrib.slim.evaluation.checkpoints_iterator")


# Queue runners.
_running = threading.Lock()


@export("contrib.slim.queues.NestedQueueRunnerError")
class NestedQueueRunnerError(Exception):
    """One QueueRunners block inside another."""


@export("contrib.slim.queues.QueueRunners")
@contextlib.contextmanager
def QueueRunners(session):
    """Runs the graph's queue runners for a `with` block; stops and joins them at its end."""
    if not _running.acquire(False):
        raise NestedQueueRunnerError("QueueRunners cannot be nested")
    coordinator, threads = Coordinator(), []
    for runner in ops.get_collection(GraphKeys.QUEUE_RUNNERS):
        threads.extend(runner.create_threads(session, coord=coordinator, daemon=True, start=True))
    try:
        yield
    finally:
        coordinator.request_stop()
        try:
            coordinator.join(threads, stop_grace_period_secs=120)
        except RuntimeError:
            session.close()
        _running.release()


# Sizes.
@export("contrib.slim.model_analyzer.tensor_description")
def tensor_description(var):
    """A tensor's type and shape, as (float32 3x4)."""
    return "(%s %s)" % (var.dtype.name, "x".join(str(size) for size in var.get_shape()))


def _heading(*lines):
    print("\n".join(("---------",) + lines + ("---------",)))


@export("contrib.slim.model_analyzer.analyze_ops")
def analyze_ops(graph, print_info=False):
    """The total number of elements of all outputs with a known shape; prints each operation if `print_info`."""
    if print_info:
        _heading("Operations: name -> (type shapes) [size]")
    total = 0
    for op in graph.get_operations():
        size = sum(output.get_shape().num_elements() or 0 for output in op.outputs)
        if print_info:
            print(op.name, "\t->", ", ".join(tensor_description(output) for output in op.outputs if output.get_shape()), "[%d]" % size)
        total += size
    return total


@export("contrib.slim.model_analyzer.analyze_vars")
def analyze_vars(variables, print_info=False):
    """(Total elements, total bytes) of variables; prints each if `print_info`."""
    if print_info:
        _heading("Variables: name (type shape) [size]")
    size = total = 0
    for v in variables:
        n = v.get_shape().num_elements() or 0
        size += n
        total += n * v.dtype.size
        if print_info:
            print(v.name, tensor_description(v), "[%d, bytes: %d]" % (n, n * v.dtype.size))
    if print_info:
        print("Total size of variables: %d\nTotal bytes of variables: %d" % (size, total))
    return size, total
