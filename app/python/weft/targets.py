"""Session targets: which one a text names. "" is this process; "grpc://…" a task that a tf.train.Server of this process serves, or a server elsewhere."""

import atexit
import threading
import weakref

from . import _weft, errors
from .platform import tf_logging as logging

_FACTORIES = "Registered factories are {DIRECT_SESSION, GRPC_SESSION}."
_lock = threading.Lock()
_tasks = {}                        # target -> Task; never removed, because TensorFlow's servers are never shut down either
_local = weakref.WeakSet()         # sessions of target ""


class Task:
    """A task of a cluster that is served here: the state shared by its sessions, and the server that other processes reach."""

    def __init__(self, name, device_count, timeout_ms, alone):
        self.target, self.name, self._count = None, name, device_count
        self.timeout_ms = timeout_ms  # for runs whose session and options set none; 0: no limit
        self.alone = alone            # no other task: sessions of this process need no master
        self.core = _weft.TaskServer(name, device_count)
        self.server = None
        self.sessions = weakref.WeakSet()

    def apart(self):
        """The server state for a session with isolate_session_state: the same devices, but nothing shared."""
        return _weft.TaskServer(self.name, self._count)


class Remote:
    """A TensorFlow server, of another process or with other tasks, whose master runs the steps of sessions."""

    def __init__(self, target):
        self.target = target
        self.sessions = weakref.WeakSet()


@atexit.register
def _stop_servers():
    for task in _tasks.values():
        if task.server is not None:
            task.server.stop()


def _listening(host):
    """Where a task listens whose address in the cluster has this host: nowhere but on this machine, if that is what the address says."""
    return "127.0.0.1" if host in ("", "localhost", "127.0.0.1") else host


def serve(cluster, job, index, device_count, timeout_ms=0):
    """The Task of a new server. Its port is open from now on, to this machine only unless the cluster gives the task another address."""
    address = cluster[job][index]
    host = address.rpartition(":")[0]
    task = Task("/job:%s/replica:0/task:%d" % (job, index), device_count, timeout_ms, sum(len(tasks) for tasks in cluster.values()) == 1)
    with _lock:
        task.server = _weft.ClusterServer(cluster, job, index, _listening(host), task.core)
        task.target = task.server.target
        for target in (task.target, "grpc://" + address):
            if not target.endswith(":0"):
                _tasks.setdefault(target, task)
    if _listening(host) != "127.0.0.1":
        logging.warning("The port of %s is open to other machines; whoever reaches it runs any graph with your rights.", task.name)
    return task


def resolve(target, config=None):
    """The Task or the Remote that a target names; None for this process. NotFoundError for other kinds of targets."""
    if not target:
        return None
    task = _tasks.get(target)
    if task is not None and task.alone:
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
