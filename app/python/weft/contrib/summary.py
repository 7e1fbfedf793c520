"""tf.contrib.summary: ops that write event files, using the writer that is the default when they are built."""

import functools
import os

from .. import dtypes, engine, ops
from ..control_flow import no_op
from ..exports import export
from ..op_calls import raw
from ..platform import tf_logging as logging
from ..summaries import recording
from ..summaries.ops import summary_scope
from ..summaries.recording import state
from ..training.global_step import get_or_create_global_step


def _summary(*names):
    return export(*["contrib.summary." + n for n in names])


@_summary("should_record_summaries")
def should_record_summaries():
    """Whether summaries are written, as a tensor."""
    return recording.should_record(False)


@_summary("record_summaries_every_n_global_steps")
def record_summaries_every_n_global_steps(n, global_step=None):
    """Context manager: summaries are written every n global steps."""
    if global_step is None:
        global_step = get_or_create_global_step()
    with ops.device("cpu:0"):
        def now():
            return engine.equal(global_step % n, 0)

        return recording.record_if(now if ops.executing_eagerly() else now())


@_summary("always_record_summaries")
def always_record_summaries():
    """Context manager: summaries are written."""
    return recording.record_if(True)


@_summary("never_record_summaries")
def never_record_summaries():
    """Context manager: summaries are not written."""
    return recording.record_if(False)


@_summary("create_file_writer")
def create_file_writer(logdir, max_queue=None, flush_millis=None, filename_suffix=None, name=None):
    """A writer of event files in `logdir`; None: a writer that writes nothing."""
    if logdir is None:
        return recording.NoopSummaryWriter()
    logdir = str(logdir)
    with ops.device("cpu:0"):
        max_queue = ops.constant(10) if max_queue is None else max_queue
        flush_millis = ops.constant(2 * 60 * 1000) if flush_millis is None else flush_millis
        filename_suffix = ops.constant(".v2") if filename_suffix is None else filename_suffix
        return recording.ResourceSummaryWriter("logdir:" + logdir if name is None else name, functools.partial(
            recording.open_file, logdir=logdir, max_queue=max_queue, flush_millis=flush_millis, filename_suffix=filename_suffix))


@_summary("create_summary_file_writer")
def create_summary_file_writer(*args, **kwargs):
    """create_file_writer() by its old name."""
    logging.warning("Deprecation Warning: create_summary_file_writer was renamed to create_file_writer")
    return create_file_writer(*args, **kwargs)


@_summary("create_db_writer")
def create_db_writer(db_uri, experiment_name=None, run_name=None, user_name=None, name=None):
    """Fails: the engine has no op that writes summaries to SQLite."""
    raise NotImplementedError("tf.contrib.summary.create_db_writer: the engine has no op CreateSummaryDbWriter (%s); create_file_writer() writes event files" % db_uri)


@export("contrib.summary.all_summary_ops", "summary.all_v2_summary_ops")
def all_summary_ops():
    """The graph's nodes that write summaries; None while execution is eager."""
    return None if ops.executing_eagerly() else ops.get_collection(recording.WRITTEN)


@_summary("summary_writer_initializer_op")
def summary_writer_initializer_op():
    """The nodes that open the graph's writers."""
    if ops.executing_eagerly():
        raise RuntimeError("tf.contrib.summary.summary_writer_initializer_op is only supported in graph mode.")
    return ops.get_collection(recording.INITIALIZERS)


@export("contrib.summary.initialize", "summary.initialize")
def initialize(graph=None, session=None):
    """Opens the writers in a session and writes the graph, if given. Has no effect while execution is eager."""
    if ops.executing_eagerly():
        return
    if state.writer is None:
        raise RuntimeError("No default tf.contrib.summary.SummaryWriter found")
    if session is None:
        session = ops.get_default_session()
        if session is None:
            raise ValueError("session must be passed if no default session exists")
    session.run(summary_writer_initializer_op())
    if graph is not None:
        text = (graph.as_graph_def(add_shapes=True) if isinstance(graph, ops.Graph) else graph).SerializeToString()
        place = engine.placeholder(dtypes.string)
        session.run(write_graph(place, 0), feed_dict={place: text})


def _step(step):
    if step is None:
        return get_or_create_global_step()
    return step if isinstance(step, ops.Tensor) else ops.convert_to_tensor(step, dtypes.int64)


def _written(name, tensor, write, family):
    """A bool tensor: true after write(tag, scope) has run, false where recording is off."""
    outer = ops.get_default_graph().get_name_scope()
    outer = outer + "/" if outer else outer

    def record():
        with ops.name_scope(outer), summary_scope(name, family, values=[tensor]) as (tag, scope):
            with ops.control_dependencies([write(tag, scope)]):
                return ops.constant(True)

    if state.writer is None:
        return no_op()
    with ops.device("cpu:0"):
        condition = should_record_summaries()
        return recording.recorded(condition, False, record, name="")


@_summary("generic")
def generic(name, tensor, metadata=None, family=None, step=None):
    """Writes a tensor unchanged."""
    def write(tag, scope):
        text = metadata
        if metadata is None:
            text = ops.constant("")
        elif hasattr(metadata, "SerializeToString"):
            text = ops.constant(metadata.SerializeToString())
        return raw("WriteSummary")(writer=state.writer._resource, step=_step(step), tensor=engine.identity(tensor), tag=tag, summary_metadata=text, name=scope)

    return _written(name, tensor, write, family)


@_summary("scalar")
def scalar(name, tensor, family=None, step=None):
    """Writes a number."""
    def write(tag, scope):
        return raw("WriteScalarSummary")(writer=state.writer._resource, step=_step(step), tag=tag, value=engine.identity(tensor), name=scope)

    return _written(name, tensor, write, family)


@_summary("histogram")
def histogram(name, tensor, family=None, step=None):
    """Writes the distribution of values."""
    def write(tag, scope):
        return raw("WriteHistogramSummary")(writer=state.writer._resource, step=_step(step), tag=tag, values=engine.identity(tensor), name=scope)

    return _written(name, tensor, write, family)


@_summary("image")
def image(name, tensor, bad_color=None, max_images=3, family=None, step=None):
    """Writes images; non-finite pixels get the colour `bad_color`."""
    def write(tag, scope):
        colour = ops.constant([255, 0, 0, 255], dtype=dtypes.uint8) if bad_color is None else bad_color
        return raw("WriteImageSummary")(writer=state.writer._resource, step=_step(step), tag=tag, tensor=engine.identity(tensor), bad_color=colour, max_images=max_images, name=scope)

    return _written(name, tensor, write, family)


@_summary("audio")
def audio(name, tensor, sample_rate, max_outputs, family=None, step=None):
    """Writes sounds."""
    def write(tag, scope):
        return raw("WriteAudioSummary")(writer=state.writer._resource, step=_step(step), tag=tag, tensor=engine.identity(tensor), sample_rate=sample_rate, max_outputs=max_outputs,
                                        name=scope)

    return _written(name, tensor, write, family)


@_summary("graph")
def write_graph(param, step=None, name=None):
    """Writes a graph that a tensor holds, serialized."""
    if not isinstance(param, ops.Tensor):
        raise TypeError("graph() needs a tf.Tensor (e.g. tf.placeholder) in graph mode, but was: %s" % type(param))
    if state.writer is None:
        return no_op()
    with ops.device("cpu:0"):
        tensor = engine.identity(param)
        return raw("WriteGraphSummary")(writer=state.writer._resource, step=_step(step), tensor=tensor, name=name)


@_summary("import_event")
def import_event(tensor, name=None):
    """Writes an event that a tensor holds, serialized."""
    return raw("ImportEvent")(writer=state.writer._resource, event=tensor, name=name)


@_summary("eval_dir")
def eval_dir(model_dir, name=None):
    """The folder of an evaluation's summaries."""
    return os.path.join(model_dir, "eval" if not name else "eval_" + name)
