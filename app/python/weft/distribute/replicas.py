"""The replicas of a program, each in a thread. The threads run one at a time, in the order of the replicas, so that the graph is always the same."""

import re
import threading

from .. import dtypes, ops
from ..context import get_variable_scope
from ..variable_base import creators_of, variable_creator_scope
from ..variable_scope import variable_scope
from . import contexts, values
from .strategy import ReplicaContext


inherited = []  # functions of modules with state per thread: each returns a function(replica number) that sets up a replica's thread like the calling one


class _Stopped(BaseException):
    """Ends a replica after another one failed."""


def _plain_name(name):
    """A variable's name without the numbers that made it unique."""
    return "Variable" if name is None else re.sub(r"_\d$", "", re.sub(r"_\d/", "/", name))


class _SharedVariables:
    """The variables that the first replica created; the others get them in the same order."""

    def __init__(self):
        self._by_name = {}

    def creator(self, index):
        """The variable creator of a replica."""
        taken = {}

        def create(next_creator, **kwargs):
            made = next_creator(**kwargs)
            self._by_name.setdefault(_plain_name(kwargs.get("name")), []).append(made)
            return made

        def reuse(next_creator, **kwargs):
            name = _plain_name(kwargs.get("name"))
            place = taken.get(name, 0)
            made = self._by_name.get(name, [])
            if place >= len(made):
                raise RuntimeError("Tried to create variable {} with mismatching name on device {}".format(kwargs.get("name"), index))
            taken[name] = place + 1
            return made[place]

        return create if index == 0 else reuse


class MirroredReplicaContext(ReplicaContext):
    """The context of a replica in its thread."""

    def __init__(self, strategy, thread):
        super().__init__(strategy, ops.constant(thread.index, dtypes.int32))
        self.index, self._thread = thread.index, thread

    def _merge_call(self, merge_fn, args, kwargs):
        return self._thread.merge(merge_fn, args, kwargs)

    @property
    def devices(self):
        contexts.require_replica(self)
        return (self._strategy.extended.worker_devices[self.index],)


class _Replica(threading.Thread):
    """A thread that runs a replica until it ends or until its next merge_call()."""

    def __init__(self, strategy, index, device, creator, fn, args, kwargs):
        super().__init__(daemon=True, name="replica_%d" % index)
        self.index, self.done, self.stopped, self.error, self.result = index, False, False, None, None
        self.request = self.answer = None
        self._strategy, self._device, self._creator = strategy, device, creator
        self._fn, self._args, self._kwargs = fn, args, kwargs
        self._go, self._paused = threading.Event(), threading.Event()
        self._graph = ops.get_default_graph()
        self._inherit = [take() for take in inherited]
        self._creators = list(creators_of(self._graph))
        self._variable_scope = get_variable_scope()
        scope = self._graph.get_name_scope()
        self._name_scope = (scope + "/" if scope else "") + ("replica_%d/" % index if index else "")

    def advance(self):
        """Runs to the end or to the next merge_call(). Raises the replica's error."""
        self._paused.clear()
        self._go.set()
        self._paused.wait()
        if self.error is not None:
            raise self.error

    def stop(self):
        """Ends a thread that waits."""
        self.stopped = True
        self._go.set()

    def _wait(self):
        if not self.stopped:
            self._go.wait()
        self._go.clear()
        if self.stopped:
            raise _Stopped()

    def run(self):
        try:
            self._wait()
            self._run()
            self.done = True
        except _Stopped:
            pass
        except BaseException as error:  # raised again by the thread that runs the replicas
            self.error = error
        finally:
            self._paused.set()

    def _run(self):
        graph = self._graph
        for give in self._inherit:
            give(self.index)
        with graph.as_default():
            creators_of(graph)[:] = self._creators
            with MirroredReplicaContext(self._strategy, self), ops.device(self._device), ops.name_scope(self._name_scope), \
                    variable_scope(self._variable_scope, reuse=self.index > 0), variable_creator_scope(self._creator):
                self.result = self._fn(*self._args, **self._kwargs)

    def merge(self, merge_fn, args, kwargs):
        """Pauses the replica; returns its component of the merged result."""
        graph = self._graph
        if ops.get_default_graph() is not graph:
            raise RuntimeError("`merge_call` called while defining a new graph or a function: an optimizer, a reduction or an assignment of a replica is inside of it. "
                               "Call it in the replica's own graph.")
        scope = graph.get_name_scope()
        self.request = (merge_fn, tuple(args), dict(kwargs), scope + "/" if scope else "", get_variable_scope(), graph._control_dependencies_for_inputs(()))
        self._paused.set()
        self._wait()
        return self.answer


def call_for_each(strategy, device_map, fn, args, kwargs):
    """fn(*args, **kwargs) on each replica; returns the regrouped results."""
    graph = ops.get_default_graph()
    graph.switch_to_thread_local()
    shared = _SharedVariables()
    replicas = [_Replica(strategy, i, device, shared.creator(i), fn, values.of_replica(i, args), values.of_replica(i, kwargs))
                for i, device in enumerate(device_map.devices)]
    for replica in replicas:
        replica.start()
    try:
        while True:
            for replica in replicas:
                replica.advance()
            if all(r.done for r in replicas):
                break
            if any(r.done for r in replicas):
                raise RuntimeError("Some replicas made a different number of replica_context().merge_call() calls.")
            _merge(strategy, device_map, replicas)
    finally:
        for replica in replicas:
            replica.stop()
        for replica in replicas:
            replica.join()
    return values.regroup(device_map, tuple(r.result for r in replicas))


def _merge(strategy, device_map, replicas):
    """Calls the function of a merge_call() for all replicas, in the scopes of the first one."""
    merge_fn, _, _, name_scope, scope, _ = replicas[0].request
    args = values.regroup(device_map, tuple(r.request[1] for r in replicas))
    kwargs = values.regroup(device_map, tuple(r.request[2] for r in replicas))
    controls = {op for r in replicas for op in r.request[5]}
    with ops.name_scope(name_scope), ops.control_dependencies(sorted(controls, key=lambda op: op._id)), variable_scope(scope):
        result = merge_fn(strategy, *args, **kwargs)
    for i, replica in enumerate(replicas):
        replica.answer = values.of_replica(i, result)
