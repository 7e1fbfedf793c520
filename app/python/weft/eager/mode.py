"""Whether operations run as they are called, and the graph that stands for it."""

import contextlib
import random
import threading
import weakref

from .. import _weft, context, control_flow_util, device as devices, dtypes, settings
from ..exports import export
from ..graph_keys import GraphKeys
from ..graph_object import Graph, on_new_graph
from .tensor import EagerTensor

_FORGOTTEN = {v for k, v in vars(GraphKeys).items() if k.isupper() and isinstance(v, str) and k != "GLOBAL_STEP"}


class _Scope:
    """A name scope; it has a name, but changes no operation."""

    __slots__ = ("_graph", "_name", "_old")

    def __init__(self, graph, name):
        self._graph, self._name = graph, name

    def __enter__(self):
        graph, name = self._graph, self._name
        self._old = graph._scope
        if not name:
            graph._scope = ""
        elif name[-1] == "/":
            graph._scope = name
        else:
            graph._scope = self._old + name + "/"
        return graph._scope

    def __exit__(self, *unused):
        self._graph._scope = self._old


def _of_thread(name):
    return property(lambda graph: getattr(graph._own, name), lambda graph, value: setattr(graph._own, name, value))


class _Own(threading.local):
    """What each thread has of an EagerGraph."""

    core = None
    scope = ""

    def __init__(self):
        self.operations, self.collection_taken, self.functions, self.devices = [], {}, {}, []


class EagerGraph(Graph):
    """The default graph while execution is eager. Functions of the engine build nodes in it that run at once; it forgets them. Each thread has nodes of its own."""

    immediate = True
    _eager = True

    def __init__(self):
        self._own = _Own()
        self._rng = random.Random()
        self._cores = weakref.WeakSet()  # of all threads
        super().__init__()

    _operations, _collection_taken, _functions = _of_thread("operations"), _of_thread("collection_taken"), _of_thread("functions")
    _devices, _scope = _of_thread("devices"), _of_thread("scope")

    @property
    def _core(self):
        """The engine's graph of this thread."""
        if self._own.core is None:
            self._renew()
        return self._own.core

    @_core.setter
    def _core(self, core):
        if core not in self._cores:
            _weft.begin_eager(core)
            core.set_seed_source(self._next_seed)
            self._cores.add(core)
        self._own.core = core
        _weft.use_eager_core(self, core)

    _tensor_class = staticmethod(lambda op, index: _weft.eager_output(op.graph._core, op._node, index))

    def _renew(self):
        """Replaces the engine's graph by an empty one. Tapes may still hold the old one."""
        self._operations = []
        self._core = _weft.GraphCore(self, self._operations)
        self._core.set_seed(self._seed)
        self._collection_taken, self._functions = {}, {}
        self.__dict__.pop("_variables_by_handle", None)
        for hook in on_new_graph:
            hook(self)

    @property
    def seed(self):
        return self._seed

    @seed.setter
    def seed(self, seed):
        self._seed = None if seed is None else int(seed)
        self._rng = random.Random(self._seed)
        for core in self._cores:
            core.set_seed(self._seed)
        _weft.eager_forget_ops()

    def _next_seed(self):
        return self._rng.randint(0, 2 ** 31 - 1)

    def name_scope(self, name):
        return _Scope(self, name)

    def get_name_scope(self):
        return self._scope[:-1]

    _name_stack = property(get_name_scope)

    def device(self, device_name_or_function):
        return _device(self, device_name_or_function)

    def control_dependencies(self, control_inputs):
        """Operations have run when this is called."""
        if callable(control_inputs):
            control_inputs()
        return contextlib.nullcontext()

    def colocate_with(self, op, ignore_existing=False):
        return contextlib.nullcontext()

    def _attr_scope(self, attrs):
        return contextlib.nullcontext()

    def finalize(self):
        """Has no effect."""

    def add_to_collection(self, name, value):
        if name not in _FORGOTTEN:
            self._collections.setdefault(name, []).append(value)

    def get_collection_ref(self, name):
        return self._collections.setdefault(name, [])

    def _absorb(self, name):
        return self._collections.get(name)

    def forget(self):
        """Forgets collections and names of scopes, as a new default graph would. Seeds stay: they are not a graph's while execution is eager."""
        self._collections.clear()
        self._variable_state = None


@contextlib.contextmanager
def _device(graph, device):
    if device is not None and not isinstance(device, str):
        if not hasattr(device, "to_string"):
            raise ValueError("tf.device does not support functions when eager execution is enabled.")
        device = device.to_string()
    if device:
        spec = devices.DeviceSpec.from_string(device)
        if spec.device_type not in (None, "CPU"):
            raise RuntimeError("Eager execution runs on the CPU here; device %s is not available to it" % device)
    graph._devices.append(device)
    try:
        yield
    finally:
        graph._devices.pop()


_graph = None
context.on_eager_reset.append(EagerGraph.forget)


def eager_graph():
    """The EagerGraph of this process; made on first use."""
    global _graph
    if _graph is None:
        _graph = EagerGraph()
    return _graph


context.eager_graph = eager_graph
context.made_eager_graph = lambda: _graph


@export("enable_eager_execution")
def enable_eager_execution(config=None, device_policy=None, execution_mode=None):
    """From now on operations run when they are called. Call it before any graph is built."""
    if execution_mode not in (None, 0):
        raise NotImplementedError("Eager execution runs synchronously here; execution_mode tf.contrib.eager.ASYNC is not supported")
    if device_policy not in (None, 0, 1, 2, 3):
        raise ValueError("device_policy must be one of None, tf.contrib.eager.DEVICE_PLACEMENT_*")
    settings.unused("enable_eager_execution", "ops use all threads of the CPU", config=(config, None))
    if context.eager_by_default:
        return
    if context.global_graph_was_used():
        raise ValueError("tf.enable_eager_execution must be called at program startup.")
    eager_graph()
    context.eager_by_default = True


@export("disable_eager_execution")
def disable_eager_execution():
    """Operations are added to graphs, as at the start of a program."""
    context.eager_by_default = False


@export("disable_v2_behavior")
def disable_v2_behavior():
    """Graphs, with control flow of Switch and Merge, as at the start of a program."""
    disable_eager_execution()
    control_flow_util.ENABLE_CONTROL_FLOW_V2 = False


def eager_mode():
    """Context manager: operations run when they are called."""
    return eager_graph().as_default()


@contextlib.contextmanager
def graph_mode():
    """Context manager: operations are added to the global graph, or to the innermost one."""
    with context.symbolic_graph().as_default():
        yield


def is_eager(value):
    return isinstance(value, EagerTensor)


def constant_of(value, dtype=None):
    return _weft.eager_tensor(value, None if dtype is None else dtypes.as_dtype(dtype)._number)
