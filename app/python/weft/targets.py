"""Session targets: which one a text names. "" is this process; "grpc://…" a task that a tf.train.Server of this process serves, or a server elsewhere."""

import threading
import weakref

from . import _weft, errors

_FACTORIES = "Registered factories are {DIRECT_SESSION, GRPC_SESSION}."
_lock = threading.Lock()
_tasks = {}                        # target -> Task; never removed, because TensorFlow's servers are never shut down either
_local = weakref.WeakSet()         # sessions of target ""
_next_port = [50000]


class Task:
    """A task of a cluster that is served here: the state shared by its sessions."""

    def __init__(self, target, name, device_count, timeout_ms):
        self.target, self.name, self._count = target, name, device_count
        self.timeout_ms = timeout_ms  # for runs whose session and options set none; 0: no limit
        self.core = _weft.TaskServer(name, device_count)
        self.sessions = weakref.WeakSet()

    def apart(self):
        """The server state for a session with isolate_session_state: the same devices, but nothing shared."""
        return _weft.TaskServer(self.name, self._count)


class Remote:
    """A TensorFlow server of another process, whose master runs the steps of sessions."""

    def __init__(self, target):
        self.target = target
        self.sessions = weakref.WeakSet()


def serve(addresses, name, device_count, timeout_ms=0):
    """The Task of a new server; the first address is its target. No port is opened: a target is only a name within the process."""
    with _lock:
        host, _, port = addresses[0].rpartition(":")
        if port == "0":
            while "grpc://%s:%d" % (host, _next_port[0]) in _tasks:
                _next_port[0] += 1
            addresses = ["%s:%d" % (host, _next_port[0])]
            _next_port[0] += 1
        targets = ["grpc://" + a for a in addresses]
        if targets[0] in _tasks:
            raise errors.UnknownError(None, None, "Could not start gRPC server: %s is served by %s already" % (targets[0], _tasks[targets[0]].name))
        task = Task(targets[0], name, device_count, timeout_ms)
        for target in targets:
            _tasks.setdefault(target, task)
        return task


def resolve(target, config=None):
    """The Task or the Remote that a target names; None for this process. NotFoundError for other kinds of targets."""
    if not target:
        return None
    task = _tasks.get(target)
    if task is not None:
        return task
    if target.startswith("grpc://"):
        return Remote(target)
    said = " ".join(str(config).split()) if config is not None else ""
    raise errors.NotFoundError(None, None, "No session factory registered for the given session options: {target: \"%s\" config: %s} %s" % (target, said, _FACTORIES))


def joined(session, task):
    """Registers an open session for reset()."""
    (task.sessions if task is not None else _local).add(session)


def open_sessions():
    """All open sessions of this process."""
    return [s for group in [_local] + [t.sessions for t in _tasks.values()] for s in list(group) if not s._closed]


def reset(target, containers, config):
    """Closes all sessions of a target and clears the containers of its task (by default the default one)."""
    task = resolve(target, config)
    names = [c if isinstance(c, str) else c.decode() for c in containers or []]
    if isinstance(task, Remote):
        _weft.reset_server(target, names, config.operation_timeout_in_ms if config is not None else 0)
        return
    theirs = _local if task is None else task.sessions
    for session in list(theirs):
        session._end(errors.CancelledError(None, None, "Session has been closed.") if task is None else
                     errors.AbortedError(None, None, "Session %016x is not found." % (id(session) & (2 ** 64 - 1))))
    theirs.clear()
    if task is not None:
        task.core.reset(names)
