"""tf.compat.v2.summary: writers of event files and summaries with a step of their own, eagerly, in functions and in graphs."""

import contextlib
import functools
import os
import re

from .. import dtypes, engine, ops, protos
from ..exports import export
from ..op_calls import raw
from ..platform import tf_logging as logging
from . import recording
from .recording import state

_NOT_IN_SCOPES = re.compile(r"[^-_/.A-Za-z0-9]")
_numbers = iter(range(1, 2 ** 62))


@export("compat.v2.summary.experimental.get_step")
def get_step():
    """The step of summaries that are written without one, or None."""
    return state.step


@export("compat.v2.summary.experimental.set_step")
def set_step(step):
    """Sets the step of summaries that are written without one: a number, a tensor or a variable; None: they need one."""
    state.step = step


def _refuse_graph_tensors(inside, **given):
    for name, value in given.items():
        if isinstance(value, ops.Tensor) and not getattr(value, "_eager", False):
            if inside:
                raise ValueError('Invalid graph Tensor argument "%s=%s" to create_file_writer() inside an @tf.function. The create call will be lifted into the outer eager execution context, so it '
                                 "cannot consume graph tensors defined inside the function body." % (name, value))
            raise ValueError('Invalid graph Tensor argument "%s=%s" to eagerly executed create_file_writer().' % (name, value))


@export("compat.v2.summary.create_file_writer")
def create_file_writer_v2(logdir, max_queue=None, flush_millis=None, filename_suffix=None, name=None):
    """A writer of a new event file in `logdir`. It writes when `max_queue` summaries wait or after `flush_millis`."""
    if logdir is None:
        raise ValueError("logdir cannot be None")
    inside = bool(getattr(ops.get_default_graph(), "building_function", False))
    with ops.name_scope(name, "create_file_writer") as scope, ops.device("cpu:0"), ops.init_scope():
        if ops.executing_eagerly():
            _refuse_graph_tensors(inside, logdir=logdir, max_queue=max_queue, flush_millis=flush_millis, filename_suffix=filename_suffix)
        number = next(_numbers)
        logdir = ops.convert_to_tensor(logdir, dtype=dtypes.string)
        max_queue = ops.constant(10) if max_queue is None else max_queue
        flush_millis = ops.constant(2 * 60 * 1000) if flush_millis is None else flush_millis
        filename_suffix = ops.constant(".v2") if filename_suffix is None else filename_suffix
        # Files of two writers that are made in the same second get different names.
        suffix = ops.constant(".%s.%s" % (os.getpid(), number)) + filename_suffix
        shared = "create_file_writer_%d" % number if ops.executing_eagerly() else scope.rstrip("/")
        return recording.ResourceSummaryWriter(shared, functools.partial(recording.open_file, logdir=logdir, max_queue=max_queue, flush_millis=flush_millis, filename_suffix=suffix),
                                               name=name, v2=True)


@export("compat.v2.summary.create_noop_writer")
def create_noop_writer():
    """A writer that writes nothing."""
    return recording.NoopSummaryWriter()


@export("compat.v2.summary.experimental.summary_scope")
@contextlib.contextmanager
def summary_scope(name, default_name="summary", values=None):
    """(tag, name scope) of a summary: the tag keeps characters that a scope may not have, and is not made unique."""
    name = name or default_name
    outer = ops.get_default_graph().get_name_scope()
    tag = outer + "/" + name if outer else name
    with ops.name_scope(_NOT_IN_SCOPES.sub("", name) or None, default_name, values) as scope:
        yield tag, scope


def _given_step(step):
    step = state.step if step is None else step
    if step is None:
        raise ValueError("No step set via 'step' argument or tf.summary.experimental.set_step()")
    return step if hasattr(step, "dtype") and not hasattr(step, "tolist") else ops.convert_to_tensor(step, dtypes.int64)


def _write(default_name, name, step, write_op):
    """True after write_op(step, scope) has run; false without a writer or where nothing is recorded."""
    with ops.name_scope(name, default_name) as scope:
        if state.writer is None:
            return ops.constant(False)
        step = _given_step(step)

        def record():
            with ops.device("cpu:0"):
                written = write_op(step, scope)
                with ops.control_dependencies([written]):
                    return ops.constant(True)

        with ops.device("cpu:0"):
            return recording.recorded(recording.should_record(True), True, record, name="summary_cond")


@export("compat.v2.summary.write")
def write(tag, tensor, step=None, metadata=None, name=None):
    """Writes a tensor. `metadata`: a SummaryMetadata, its bytes or a tensor of them. A bool tensor: whether it was written."""
    text = b"" if metadata is None else metadata.SerializeToString() if hasattr(metadata, "SerializeToString") else metadata
    return _write("write_summary", name, step, lambda step, scope: raw("WriteSummary")(
        writer=state.writer._resource, step=step, tensor=engine.identity(tensor), tag=tag, summary_metadata=text, name=scope))


@export("compat.v2.summary.experimental.write_raw_pb")
def write_raw_pb(tensor, step=None, name=None):
    """Writes Summary messages that a string tensor holds."""
    return _write("write_raw_pb", name, step, lambda step, scope: raw("WriteRawProtoSummary")(
        writer=state.writer._resource, step=step, tensor=engine.identity(tensor), name=scope))


def _written_text(name, default_name, plugin, text, step):
    """Writes a text for a plugin of TensorBoard."""
    metadata = protos.SummaryMetadata()
    metadata.plugin_data.plugin_name, metadata.plugin_data.content = plugin, b"1"
    with summary_scope(name, default_name, [step]) as (tag, _):
        with ops.device("cpu:0"):
            tensor = ops.constant(text, dtype=dtypes.string)
        return write(tag, tensor, step=step, metadata=metadata)


def run_metadata(name, data, step=None):
    """Writes a RunMetadata."""
    return _written_text(name, "graph_run_metadata_summary", "graph_run_metadata", data.SerializeToString(), step)


def run_metadata_graphs(name, data, step=None):
    """Writes the graphs of a RunMetadata."""
    graphs = protos.RunMetadata(function_graphs=data.function_graphs, partition_graphs=data.partition_graphs)
    return _written_text(name, "graph_run_metadata_graph_summary", "graph_run_metadata_graph", graphs.SerializeToString(), step)


def keras_model(name, data, step=None):
    """Writes a Keras model as JSON, for TensorBoard's conceptual graph. False, with a warning, for a model without JSON."""
    try:
        text = data.to_json()
    except Exception as e:  # a model's own get_config() may raise anything
        logging.warning("Model failed to serialize as JSON. Ignoring... %s" % e)
        return False
    return _written_text(name, "graph_keras_model", "graph_keras_model", text, step)
