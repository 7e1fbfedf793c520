"""What tf.contrib.summary and tf.compat.v2.summary share: the default writer, whether to record, and writers that ops hold open."""

import contextlib
import threading

from .. import engine, ops
from ..control_flow import cond, no_op
from ..distribute import replicas
from ..exports import export
from ..op_calls import raw

INITIALIZERS, WRITTEN = "_SUMMARY_WRITER_V2", "_SUMMARY_V2"


class _State(threading.local):
    """Per thread: the default writer, the default step, and whether to record (a bool, a tensor or a function of either; None: as each interface has it)."""

    writer = None
    recording = None
    step = None


state = _State()


def _for_replica():
    writer, recording, step = state.writer, state.recording, state.step

    def give(replica):
        state.writer, state.recording, state.step = writer, False if replica else recording, step  # the tags of the others would be the same

    return give


replicas.inherited.append(_for_replica)


def should_record(default):
    """Whether summaries are written, as a tensor; `default` where nothing was said."""
    recording = state.recording() if callable(state.recording) else state.recording
    return engine.logical_and(True, default if recording is None else recording)


@export("compat.v2.summary.record_if")
@contextlib.contextmanager
def record_if(condition):
    """Context manager: summaries are written if a bool, a tensor, or what a function returns is true."""
    old, state.recording = state.recording, condition
    try:
        yield
    finally:
        state.recording = old


@export("contrib.summary.SummaryWriter", "compat.v2.summary.SummaryWriter")
class SummaryWriter:
    """Base of writers."""

    def set_as_default(self):
        raise NotImplementedError()

    def as_default(self):
        raise NotImplementedError()

    def init(self):
        raise NotImplementedError()

    def flush(self):
        raise NotImplementedError()

    def close(self):
        raise NotImplementedError()


class ResourceSummaryWriter(SummaryWriter):
    """A writer that a session or eager execution holds. `init_op_fn` opens it. v2: it cannot be used after close(), nor be opened twice."""

    def __init__(self, shared_name, init_op_fn, name=None, v2=False):
        self._resource = raw("SummaryWriter")(shared_name=shared_name or "", name=name)
        self._init_op_fn = init_op_fn
        self._init_op = init_op_fn(self._resource)
        self._v2, self._closed = v2, False
        if not ops.executing_eagerly():
            ops.add_to_collection(INITIALIZERS, self._init_op)

    def _gone(self):
        return self._v2 and self._closed and ops.executing_eagerly()

    def _check(self):
        if self._gone():
            raise RuntimeError("SummaryWriter is already closed")

    def set_as_default(self):
        self._check()
        state.writer = self

    @contextlib.contextmanager
    def as_default(self):
        self._check()
        old, state.writer = state.writer, self
        try:
            yield self
            self.flush()  # in a graph without a function nothing runs this node, as in TensorFlow
        finally:
            state.writer = old

    def init(self):
        self._check()
        return self._init_op if self._v2 else self._init_op_fn(self._resource)

    def flush(self):
        return None if self._gone() else flush(writer=self)

    def close(self):
        if self._gone():
            return None
        try:
            with ops.control_dependencies([self.flush()]), ops.device("cpu:0"):
                return raw("CloseSummaryWriter")(writer=self._resource)
        finally:
            self._closed = self._v2 and ops.executing_eagerly()


class NoopSummaryWriter(SummaryWriter):
    """A writer that writes nothing."""

    def set_as_default(self):
        """Has no effect: the default writer stays."""

    @contextlib.contextmanager
    def as_default(self):
        yield

    def init(self):
        """Nothing to open."""

    flush = close = init


@export("contrib.summary.flush", "compat.v2.summary.flush")
def flush(writer=None, name=None):
    """Flushes a writer, by default the default one; an op in graphs."""
    writer = state.writer if writer is None else writer
    if writer is None:
        return no_op()
    with ops.device("cpu:0"):
        return raw("FlushSummaryWriter")(writer=getattr(writer, "_resource", writer), name=name)


def open_file(writer, **settings):
    """Opens an event file for a writer's resource."""
    return raw("CreateSummaryFileWriter")(writer=writer, **settings)


def recorded(condition, default, record, name):
    """A bool tensor: true after record() has run, false where `condition`, which should_record(default) gave, does not hold. Kept in the graph's collection."""
    known = default if state.recording is None else state.recording
    if known is not True and known is not False:
        known = ops.constant_value(condition)
    if known is None:
        made = cond(condition, record, lambda: ops.constant(False), name=name)
    else:
        made = record() if known else ops.constant(False)
    if not ops.executing_eagerly():
        ops.add_to_collection(WRITTEN, made)
    return made
