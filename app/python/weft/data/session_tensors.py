"""Tensors that a session keeps between runs: tf.get_session_handle and the functions around it."""

import threading
import weakref

from .. import dtypes, engine, ops
from ..exports import export
from ..op_calls import raw
from ..device import canonical_name
from ..public_names import as_str_any

_DEAD_HANDLES = 10  # this many handles are deleted in one run


class TensorHandle:
    """A tensor kept by a session. It is deleted some time after the handle is garbage-collected, unless get_raw_handle() was called."""

    def __init__(self, handle, dtype, session):
        self._handle, self._dtype, self._session = as_str_any(handle), dtypes.as_dtype(dtype), session
        self._auto_gc_enabled = True

    def __del__(self):
        if getattr(self, "_auto_gc_enabled", False):
            _register_dead(self._session, self._handle)

    def __str__(self):
        return self._handle

    handle = property(lambda self: self._handle)

    def _check(self):
        if not self._auto_gc_enabled:
            raise TypeError("Persistent tensor %s may have already been deleted." % self._handle)

    def eval(self):
        """The tensor's value."""
        self._check()
        holder, reader = _reader(self._session.graph, self._handle, self._dtype)
        return self._session.run(reader, feed_dict={holder: self._handle})

    def delete(self):
        """Deletes the tensor from the session now."""
        self._check()
        self._auto_gc_enabled = False
        holder, deleter = _deleter(self._session.graph, 0, self._handle)
        self._session.run(deleter, feed_dict={holder: self._handle})

    def get_raw_handle(self):
        """The handle as text. From now on the tensor stays until tf.delete_session_tensor() deletes it."""
        self._auto_gc_enabled = False
        return self._handle

    @staticmethod
    def _get_device_name(handle):
        return canonical_name(as_str_any(handle).split(";")[-1])

    @staticmethod
    def _get_reader_key(handle):
        parts = str(handle).split(";")
        return parts[0] + ";" + parts[-1]


@export("get_session_handle")
def get_session_handle(data, name=None):
    """Keeps the value of a tensor in the session. Fetching the result gives a TensorHandle."""
    if not isinstance(data, ops.Tensor):
        raise TypeError("`data` must be of type Tensor.")
    with ops.colocate_with(data):
        return raw("GetSessionHandle")(data, name=name)


@export("get_session_tensor")
def get_session_tensor(handle, dtype, name=None):
    """(placeholder for a handle, the tensor kept under that handle)"""
    with ops.device(TensorHandle._get_device_name(handle)):
        holder = engine.placeholder(dtypes.string)
        return holder, raw("GetSessionTensor")(holder, dtypes.as_dtype(dtype), name=name)


@export("delete_session_tensor")
def delete_session_tensor(handle, name=None):
    """(placeholder for a handle, the operation that deletes its tensor)"""
    with ops.device(TensorHandle._get_device_name(handle)):
        holder = engine.placeholder(dtypes.string)
        return holder, raw("DeleteSessionTensor")(holder, name=name)


def _kept(graph, key, make):
    """Nodes created once per key in a graph."""
    kept = graph.__dict__.setdefault("_session_tensor_nodes", {})
    if key not in kept:
        with graph.as_default(), graph.control_dependencies(None):
            kept[key] = make()
    return kept[key]


def _reader(graph, handle, dtype):
    return _kept(graph, ("read", TensorHandle._get_reader_key(handle), dtype), lambda: get_session_tensor(handle, dtype))


def _deleter(graph, number, handle):
    return _kept(graph, ("delete", number), lambda: delete_session_tensor(handle))


_lock = threading.Lock()


def _register_dead(session, handle):
    """Collects dead handles and deletes their tensors in batches."""
    with _lock:
        dead = session.__dict__.setdefault("_dead_handles", [])
        dead.append(handle)
        if len(dead) < _DEAD_HANDLES or session._closed:
            return
        session._dead_handles = []
    feeds, fetches = {}, []
    for i, name in enumerate(dead):
        holder, deleter = _deleter(session.graph, i, name)
        feeds[holder] = name
        fetches.append(deleter)
    session.run(fetches, feed_dict=feeds)


def with_handles(session, pack, tensors):
    """Wraps `pack`, which assembles the results of a run, so that handles among `tensors` become TensorHandles."""
    kinds = {i: t.op.get_attr("T") for i, t in enumerate(tensors) if t.op.type in ("GetSessionHandle", "GetSessionHandleV2")}
    if not kinds:
        return pack
    session = weakref.ref(session)

    def packed(values):
        values = list(values)
        for i, dtype in kinds.items():
            values[i] = TensorHandle(values[i], dtype, session())
        return pack(values)

    return packed
