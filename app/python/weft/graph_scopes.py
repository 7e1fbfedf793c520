"""Name scopes, devices and control dependencies of a graph under construction; conversion of collection items."""

import re

from . import context, errors
from .conversion import internal_convert_to_tensor
from .graph_elements import _as_graph_element, CondContext, IndexedSlices, Operation, Tensor, WhileContext
from .graph_keys import GraphKeys
from .placement_notes import Note


class _NameScope:
    __slots__ = ("_graph", "_name", "_end")

    def __init__(self, graph, name):
        self._graph, self._name = graph, name

    def __enter__(self):
        name, core = self._name, self._graph._core
        if not name:
            self._end = core.name_scope("")
            return ""
        if isinstance(name, bytes):
            name = name.decode()
        if not _SCOPE_NAME.match(name) or not (_ROOT_SCOPE_NAME.match(name) or core.current_scope()):
            raise ValueError("'%s' is not a valid scope name" % name)
        self._end = core.name_scope(name)
        return core.current_scope()

    def __exit__(self, *unused):
        self._end.end()


class _Scope:
    """A scope of the engine's builder."""

    __slots__ = ("_begin", "_end")

    def __init__(self, begin):
        self._begin = begin

    def __enter__(self):
        self._end = self._begin()

    def __exit__(self, *unused):
        self._end.end()


_SCOPE_NAME = re.compile("^[A-Za-z0-9_.\\-/]*$")
_ROOT_SCOPE_NAME = re.compile("^[A-Za-z0-9.][A-Za-z0-9_.\\-/]*$")


def _collection_item(graph, name, kind, value):
    if kind == "nodes":
        try:
            return graph.as_graph_element(value)
        except (KeyError, ValueError):
            return value
    if kind == "bytes" and name in (GraphKeys.COND_CONTEXT, GraphKeys.WHILE_CONTEXT):
        from . import protos

        is_cond = name == GraphKeys.COND_CONTEXT
        d = protos.message("CondContextDef" if is_cond else "WhileContextDef").FromString(value)
        return CondContext("cond", d.context_name, data=value) if is_cond else WhileContext("while", d.context_name, data=value)
    if kind == "bytes":
        try:
            return context.variable_of(graph, value) or value
        except Exception:
            return value
    return value


def _op_to_colocate_with(v):
    if v is None:
        return None
    if hasattr(v, "device_map") and getattr(v, "_is_variable", False):
        return v.handle.op
    if hasattr(v, "handle") and hasattr(v.handle, "op") and not isinstance(v, Operation):
        return v.handle.op
    if isinstance(v, Operation):
        return v
    element = _as_graph_element(v)
    if element is not None:
        return element.op if isinstance(element, Tensor) else element
    if isinstance(v, IndexedSlices):
        return v.op
    return internal_convert_to_tensor(v, as_ref=True).op


class _DeviceScope:
    """tf.device(): a string, a DeviceSpec, a function of the new operation, or None."""

    def __init__(self, graph, device):
        self._graph, self._device = graph, device

    def __enter__(self):
        core, device = self._graph._core, self._device
        if hasattr(device, "to_string"):
            device = device.to_string()
        self._graph._device_stack.append(self._device)
        if device is None or isinstance(device, str):
            try:
                self._end = core.device_scope(device)
            except (errors.OpError, ValueError) as e:
                self._graph._device_stack.pop()
                raise ValueError(getattr(e, "message", None) or str(e))
        else:
            function = self._device

            def choose(name, kind, so_far, inputs):
                answer = function(PendingOperation(self._graph, name, kind, so_far, inputs))
                return answer.to_string() if hasattr(answer, "to_string") else answer or ""

            self._end = core.device_function_scope(choose)
        self._note = None if self._graph._eager else Note(self._graph, "device", self._device)
        return None

    def __exit__(self, *unused):
        self._graph._device_stack.pop()
        self._end.end()
        if self._note is not None:
            self._note.close(self._graph)


class PendingOperation:
    """The view that a device function gets of an operation about to be created."""

    def __init__(self, graph, name, kind, device, inputs):
        self.graph, self.name, self.type, self.device, self.inputs = graph, name, kind, device, inputs
        self.outputs = []
        self.control_inputs = []

    @property
    def node_def(self):
        from .protos import NodeDef

        return NodeDef(name=self.name, op=self.type, device=self.device, input=[t._as_node_def_input() for t in self.inputs])

    op_def = property(lambda self: None)

    def get_attr(self, name):
        raise ValueError("Operation '%s' has no attr named '%s'." % (self.name, name))


class _ControlScope:
    def __init__(self, graph, nodes):
        self._graph, self._nodes = graph, nodes

    def __enter__(self):
        core = self._graph._core
        self._end = core.clear_control_dependencies() if self._nodes is None else core.control_dependencies(self._nodes)

    def __exit__(self, *unused):
        self._end.end()
