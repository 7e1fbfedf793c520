"""Graphs and what they consist of: Graph, Operation, Tensor; scopes, collections, conversion of values to tensors.

The state lies in the engine (`_weft.GraphCore`); objects here are names for nodes. Each node has one Operation, each output one Tensor."""

import collections
import contextlib
import os
import re
import threading
import weakref

import numpy as np

from . import _weft, constants, dtypes, errors, tensor_shape
from .exports import export, export_value
from .tensor_shape import TensorShape


class OperatorNotAllowedInGraphError(TypeError):
    """A Python construct asked a symbolic tensor for its value."""


export_value(OperatorNotAllowedInGraphError, "errors.OperatorNotAllowedInGraphError")

_BUILD_ERRORS = {3: ValueError, 5: ValueError, 6: ValueError, 9: ValueError, 11: ValueError, 12: NotImplementedError}
_KINDS = {"TypeError": TypeError, "ValueError": ValueError, "RuntimeError": RuntimeError, "LookupError": LookupError, "KeyError": KeyError,
          "NotImplementedError": NotImplementedError, "AttributeError": AttributeError, "IndexError": IndexError, "AssertionError": AssertionError}


def raise_error(code, message, node, kind, graph):
    """Raises what TensorFlow raises for an error of the engine: a Python class while a graph is built, an OpError when it runs."""
    if kind in _KINDS:
        raise _KINDS[kind](message)
    if kind == "build" and code in _BUILD_ERRORS:
        raise _BUILD_ERRORS[code](message)
    op = None
    if node and graph is not None:
        found = graph._core.find(node)
        if found >= 0:
            op = graph._core.operation(found)
    if op is not None and "[[node" not in message and "{{node" not in message:
        message += "\n\t [[node %s (defined at %s:%s) ]]" % ((op.name,) + (op._line or ("unknown", 0))[:2])
    raise errors.make(code, message, op.node_def if op is not None else None, op)


_stateful = {}  # op -> whether it keeps state


@export("Operation")
class Operation:
    """A node of a graph."""

    __slots__ = ("_graph", "graph", "_node", "_outputs", "__dict__", "__weakref__")

    def __init__(self, graph, node, outputs):
        self.graph = graph
        self._node = node
        self._outputs = [Tensor(self, i) for i in range(outputs)]

    @property
    def name(self):
        return self.graph._core.name(self._node)

    @property
    def type(self):
        return self.graph._core.type(self._node)

    @property
    def device(self):
        return self.graph._core.device(self._node)

    def _set_device(self, device):
        self.graph._core.set_device(self._node, device.to_string() if hasattr(device, "to_string") else str(device or ""))

    @property
    def outputs(self):
        return self._outputs

    def values(self):
        return tuple(self._outputs)

    @property
    def inputs(self):
        return _InputList(self.graph._core.inputs(self._node))

    @property
    def _inputs(self):
        return self.inputs

    @property
    def control_inputs(self):
        core = self.graph._core
        return [core.operation(i) for i in core.controls(self._node)]

    @property
    def _is_stateful(self):
        """Whether it keeps state, or calls a function of the graph (which may)."""
        found = _stateful.get(self.type)
        if found is None:
            definition = _weft.op_definition(self.type)
            found = True if definition is None else definition[3][0]
            if definition is not None:
                _stateful[self.type] = found
        return found

    @property
    def _control_outputs(self):
        return [op for op in self.graph.get_operations() if self._node in self.graph._core.controls(op._node)]

    @property
    def _id(self):
        return self._node + 1

    @property
    def _input_types(self):
        return [dtypes.as_dtype(t) for t in self.graph._core.input_types(self._node)]

    @property
    def _output_types(self):
        return [t.dtype._number for t in self._outputs]

    @property
    def _line(self):
        return self.graph._core.line(self._node)

    @property
    def traceback(self):
        line = self._line
        if not line:
            return []
        import linecache

        return [(line[0], line[1], line[2], linecache.getline(line[0], line[1]).strip())]

    @property
    def node_def(self):
        return self.graph._node_defs([self._node])[0]

    @property
    def op_def(self):
        from .graph_access import op_def

        return op_def(self.type)

    def get_attr(self, name):
        """The value of an attribute: bytes, numbers, DTypes, TensorShapeProtos as in TensorFlow."""
        try:
            value = self.graph._core.attr(self._node, name)
        except KeyError:
            raise ValueError("Operation '%s' has no attr named '%s'." % (self.name, name))
        if not isinstance(value, tuple):
            return value
        kind, value = value
        if kind == "type":
            return dtypes.as_dtype(value)
        if kind == "types":
            return [dtypes.as_dtype(v) for v in value]
        if kind == "shape":
            return TensorShape(value).as_proto()
        if kind == "shapes":
            return [TensorShape(v).as_proto() for v in value]
        for attr_name, attr in self.node_def.attr.items():
            if attr_name == name:
                if kind == "tensor":
                    return attr.tensor
                if kind == "tensors":
                    return list(attr.list.tensor)
                return attr.func if kind == "func" else list(attr.list.func)
        return value

    def _set_attr(self, name, attr_value):
        kind = attr_value.WhichOneof("value")
        if kind == "b":
            self.graph._core.set_attr_flag(self._node, name, attr_value.b)
        elif name == "_class":
            self.graph._core.set_class_attr(self._node, [s.decode() for s in attr_value.list.s])
        else:
            self.graph._core.set_attr_text(self._node, name, attr_value.s)

    def colocation_groups(self):
        try:
            groups = [g for g in self.graph._core.attr(self._node, "_class") if g.startswith(b"loc:@")]
        except KeyError:
            groups = []
        return groups or [b"loc:@" + self.name.encode()]

    def _add_control_input(self, op):
        self._add_control_inputs([op])

    def _add_control_inputs(self, ops):
        self.graph._core.add_control_inputs(self._node, [op._node for op in ops])

    def _update_input(self, index, tensor):
        self.graph._core.update_input(self._node, index, tensor)

    def _get_control_flow_context(self):
        return self.graph._flow_context(self._node)

    def run(self, feed_dict=None, session=None):
        """Runs this operation in `session` or the default one."""
        _run_using_default_session(self, feed_dict, self.graph, session)

    def __str__(self):
        return str(self.node_def)

    def __repr__(self):
        return "<tf.Operation '%s' type=%s>" % (self.name, self.type)


class _InputList(list):
    """Inputs of an operation; compares as a list, prints as TensorFlow's iterator does not."""

    def __hash__(self):
        return id(self)


@export("Tensor")
class Tensor:
    """An output of an operation: a value that a step will have."""

    __slots__ = ("op", "value_index", "graph", "_node", "_type", "__dict__", "__weakref__")
    __array_priority__ = 100
    OVERLOADABLE_OPERATORS = {
        "__add__", "__radd__", "__sub__", "__rsub__", "__mul__", "__rmul__", "__div__", "__rdiv__", "__truediv__", "__rtruediv__", "__floordiv__",
        "__rfloordiv__", "__mod__", "__rmod__", "__lt__", "__le__", "__gt__", "__ge__", "__ne__", "__eq__", "__and__", "__rand__", "__or__", "__ror__",
        "__xor__", "__rxor__", "__getitem__", "__pow__", "__rpow__", "__invert__", "__neg__", "__abs__", "__matmul__", "__rmatmul__"}

    def __init__(self, op, value_index, dtype=None):
        self.op = op
        self.value_index = value_index
        self.graph = op.graph
        self._node = op._node
        self._type = None

    @property
    def dtype(self):
        if self._type is None:
            self._type = dtypes.as_dtype(self.graph._core.dtype(self._node, self.value_index))
        return self._type

    _dtype = dtype

    @property
    def name(self):
        return "%s:%d" % (self.graph._core.name(self._node), self.value_index)

    @property
    def device(self):
        return self.graph._core.device(self._node)

    @property
    def shape(self):
        return TensorShape._of(self.graph._core.shape(self._node, self.value_index))

    def get_shape(self):
        return self.shape

    def _shape_as_list(self):
        return self.shape.as_list() if self.shape.ndims is not None else None

    _shape_tuple = property(lambda self: lambda: self.graph._core.shape(self._node, self.value_index))

    def _rank(self):
        return self.shape.ndims

    def set_shape(self, shape):
        """Joins what is known with `shape`; ValueError if they contradict each other."""
        self.graph._core.set_shape(self._node, self.value_index, shape)

    def consumers(self):
        return self.graph._core.consumers(self._node, self.value_index)

    def _as_node_def_input(self):
        return self.op.name if self.value_index == 0 else self.name

    def _as_graph_element(self):
        return self

    def eval(self, feed_dict=None, session=None):
        """The tensor's value in `session` or the default one."""
        return _eval_using_default_session(self, feed_dict, self.graph, session)

    @property
    def _is_initialized(self):
        return None

    def __str__(self):
        shape = self.shape
        return 'Tensor("%s"%s%s%s)' % (self.name, ", shape=%s" % shape if shape.ndims is not None else "", ", dtype=%s" % self.dtype.name,
                                       ", device=%s" % self.device if self.device else "")

    def __repr__(self):
        return "<tf.Tensor '%s' shape=%s dtype=%s>" % (self.name, self.shape, self.dtype.name)

    __hash__ = object.__hash__

    def __eq__(self, other):
        return self is other

    def __ne__(self, other):
        return self is not other

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __iter__(self):
        _not_in_graph("iterating over `tf.Tensor`")

    def __len__(self):
        raise TypeError("len is not well defined for symbolic Tensors. ({}) Please call `x.shape` rather than `len(x)` for shape information.".format(self.name))

    def __bool__(self):
        _not_in_graph("using a `tf.Tensor` as a Python `bool`")

    __nonzero__ = __bool__

    def __array__(self, *unused):
        raise NotImplementedError("Cannot convert a symbolic Tensor ({}) to a numpy array.".format(self.name))

    @staticmethod
    def _override_operator(operator, func):
        setattr(Tensor, operator, func)


def _not_in_graph(task):
    raise OperatorNotAllowedInGraphError("{} is not allowed in Graph execution. Use Eager execution or decorate this function with @tf.function.".format(task))


@export("IndexedSlices")
class IndexedSlices:
    """Rows `indices` of a tensor: a sparse gradient."""

    def __init__(self, values, indices, dense_shape=None):
        self._values, self._indices, self._dense_shape = values, indices, dense_shape

    values = property(lambda self: self._values)
    indices = property(lambda self: self._indices)
    dense_shape = property(lambda self: self._dense_shape)
    name = property(lambda self: self._values.name)
    device = property(lambda self: self._values.device)
    op = property(lambda self: self._values.op)
    dtype = property(lambda self: self._values.dtype)
    graph = property(lambda self: self._values.graph)

    @property
    def shape(self):
        return None if self._dense_shape is None else constant_value_as_shape(self._dense_shape)

    def get_shape(self):
        return self.shape

    def __str__(self):
        return "IndexedSlices(indices=%s, values=%s%s)" % (self._indices, self._values, ", dense_shape=%s" % self._dense_shape if self._dense_shape is not None else "")

    def __neg__(self):
        return IndexedSlices(-self.values, self.indices, self.dense_shape)


IndexedSlicesValue = collections.namedtuple("IndexedSlicesValue", ["values", "indices", "dense_shape"])
export_value(IndexedSlicesValue, "IndexedSlicesValue")


class _FlowContext:
    """A branch or loop: its name, and its message if it comes from a collection."""

    def __init__(self, kind, name, data=None):
        self.kind, self.name, self._data = kind, name, data

    def to_proto(self, export_scope=None):
        from . import protos

        return None if self._data is None else protos.message("CondContextDef" if self.kind == "cond" else "WhileContextDef").FromString(self._data)

    def IsCondContext(self):
        return self.kind == "cond"

    def IsWhileContext(self):
        return self.kind == "while"


class CondContext(_FlowContext):
    pass


class WhileContext(_FlowContext):
    pass


on_new_graph = []  # functions of a new Graph


@export("Graph")
class Graph:
    """A dataflow graph under construction."""

    def __init__(self):
        self._operations = []
        self._core = _weft.GraphCore(self, self._operations)
        self._collections = {}
        self._collection_taken = {}
        self._unfeedable = set()
        self._unfetchable = set()
        self._seed = None
        self._device_stack = []
        self._container = ""
        self._graph_key = "grap-key-%d" % id(self)
        self._extra_control = []
        self._control_stack = []
        self._gradient_override_map = {}
        self._lock = threading.RLock()
        self._functions = {}
        self._mutation_lock = contextlib.nullcontext
        self.building_function = False
        self._variable_state = None
        for hook in on_new_graph:
            hook(self)

    # State.
    @property
    def version(self):
        return self._core.size()

    _version = version

    @property
    def _last_id(self):
        return self._core.size()

    @property
    def finalized(self):
        return self._core.finalized

    def finalize(self):
        self._core.finalized = True

    def _unsafe_unfinalize(self):
        self._core.finalized = False

    def _check_not_finalized(self):
        if self._core.finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")

    @property
    def seed(self):
        return self._seed

    @seed.setter
    def seed(self, seed):
        self._seed = seed
        self._core.set_seed(None if seed is None else int(seed))

    @property
    def graph_def_versions(self):
        from .protos import VersionDef

        return VersionDef(producer=134)

    def as_default(self):
        return _default_graph_stack.get_controller(self)

    def as_graph_def(self, from_version=None, add_shapes=False):
        """The graph as a GraphDef."""
        from .protos import GraphDef

        result = GraphDef.FromString(self._core.serialize("graph"))
        self._add_functions(result)
        if from_version is not None:
            names = {self._core.name(i) for i in range(from_version)}
            kept = [n for n in result.node if n.name not in names]
            del result.node[:]
            result.node.extend(kept)
        if add_shapes:
            for node in result.node:
                op = self.get_operation_by_name(node.name)
                if op.outputs:
                    node.attr["_output_shapes"].list.shape.extend([t.shape.as_proto() for t in op.outputs])
        return result

    def _add_functions(self, graph_def):
        for function in self._functions.values():
            function._add_to_graph_def(graph_def)

    def _node_defs(self, nodes):
        defs = {n.name: n for n in self.as_graph_def().node}
        return [defs[self._core.name(i)] for i in nodes]

    # Elements.
    def get_operations(self):
        return [self._core.operation(i) for i in range(self._core.size())]

    @property
    def _nodes_by_name(self):
        return {op.name: op for op in self.get_operations()}

    @property
    def _nodes_by_id(self):
        return {op._id: op for op in self.get_operations()}

    def _get_operation_by_name_unsafe(self, name):
        return self.get_operation_by_name(name)

    def get_operation_by_name(self, name):
        if not isinstance(name, (str, bytes)):
            raise TypeError("Operation names are strings (or similar), not %s." % type(name).__name__)
        return self.as_graph_element(name, allow_tensor=False, allow_operation=True)

    def get_tensor_by_name(self, name):
        if not isinstance(name, (str, bytes)):
            raise TypeError("Tensor names are strings (or similar), not %s." % type(name).__name__)
        return self.as_graph_element(name, allow_tensor=True, allow_operation=False)

    def as_graph_element(self, obj, allow_tensor=True, allow_operation=True):
        """The tensor or operation that `obj` is or names. ValueError, KeyError, TypeError in TensorFlow's words."""
        if not allow_tensor and not allow_operation:
            raise ValueError("allow_tensor and allow_operation can't both be False.")
        types = "Tensor or Operation" if allow_tensor and allow_operation else "Tensor" if allow_tensor else "Operation"
        element = _as_graph_element(obj)
        if element is not None:
            obj = element
        if isinstance(obj, (str, bytes)):
            name = obj.decode() if isinstance(obj, bytes) else obj
            if ":" in name:
                if not allow_tensor:
                    raise ValueError("Name %s appears to refer to a Tensor, not a %s." % (repr(name), types))
                try:
                    op_name, index = name.split(":")
                    index = int(index)
                except ValueError:
                    raise ValueError('The name %s looks a like a Tensor name, but is not a valid one. Tensor names must be of the form "<op_name>:<output_index>".' % repr(name))
                node = self._core.find(op_name)
                if node < 0:
                    raise KeyError("The name %s refers to a Tensor which does not exist. The operation, %s, does not exist in the graph." % (repr(name), repr(op_name)))
                outputs = self._core.operation(node).outputs
                if not -len(outputs) <= index < len(outputs):
                    raise KeyError("The name %s refers to a Tensor which does not exist. The operation, %s, exists but only has %s outputs." % (repr(name), repr(op_name), len(outputs)))
                return outputs[index]
            node = self._core.find(name)
            if allow_operation:
                if node < 0:
                    raise KeyError("The name %s refers to an Operation not in the graph." % repr(name))
                return self._core.operation(node)
            if node >= 0:
                message = "The name %s refers to an Operation, not a %s." % (repr(name), types)
            else:
                message = "The name %s looks like an (invalid) Operation name, not a %s." % (repr(name), types)
            raise ValueError(message + ' Tensor names must be of the form "<op_name>:<output_index>".')
        if isinstance(obj, Tensor) and allow_tensor:
            if obj.graph is not self:
                raise ValueError("Tensor %s is not an element of this graph." % obj)
            return obj
        if isinstance(obj, Operation) and allow_operation:
            if obj.graph is not self:
                raise ValueError("Operation %s is not an element of this graph." % obj)
            return obj
        raise TypeError("Can not convert a %s into a %s." % (type(obj).__name__, types))

    def create_op(self, op_type, inputs, dtypes=None, input_types=None, name=None, attrs=None, op_def=None, compute_shapes=True, compute_device=True):
        """A node of tensors and AttrValues as they are."""
        given = {}
        for key, value in (attrs or {}).items():
            given[key] = _from_attr_value(value) if hasattr(value, "WhichOneof") else value
        return _weft.node(self._core, op_type, list(inputs), given, name or op_type)

    def prevent_feeding(self, tensor):
        self._unfeedable.add(tensor)

    def is_feedable(self, tensor):
        return tensor not in self._unfeedable

    def prevent_fetching(self, op):
        self._unfetchable.add(op)

    def is_fetchable(self, tensor_or_op):
        return (tensor_or_op.op if isinstance(tensor_or_op, Tensor) else tensor_or_op) not in self._unfetchable

    # Scopes.
    def unique_name(self, name, mark_as_used=True):
        return self._core.unique_name(name, mark_as_used)

    @property
    def _name_stack(self):
        return self._core.current_scope()[:-1]

    def get_name_scope(self):
        return self._name_stack

    def name_scope(self, name):
        return _NameScope(self, name)

    def device(self, device_name_or_function):
        return _DeviceScope(self, device_name_or_function)

    def control_dependencies(self, control_inputs):
        if control_inputs is None:
            return _ControlScope(self, None)
        nodes = []
        for c in control_inputs:
            if isinstance(c, IndexedSlices):
                c = c.op
            elif isinstance(c, Tensor) or hasattr(c, "_handle") and hasattr(c, "op") and not isinstance(c, Operation):
                c = getattr(c, "_control_operation", None) or c.op
            element = self.as_graph_element(c)
            nodes.append((element.op if isinstance(element, Tensor) else element)._node)
        return _ControlScope(self, nodes)

    def _control_dependencies_for_inputs(self, inputs):
        return [self._core.operation(i) for i in self._core.pending_controls()]

    @contextlib.contextmanager
    def colocate_with(self, op, ignore_existing=False):
        if op is None and not ignore_existing:
            raise ValueError("Trying to reset colocation (op is None) but ignore_existing is not True")
        op = _op_to_colocate_with(op)
        end = self._core.colocate_with(-1 if op is None else op._node, ignore_existing)
        stack, self._device_stack = self._device_stack, []
        try:
            yield
        finally:
            self._device_stack = stack
            end.end()

    @contextlib.contextmanager
    def container(self, container_name):
        old, self._container = self._container, container_name
        try:
            yield container_name
        finally:
            self._container = old

    def _attr_scope(self, attrs):
        given = {}
        for key, value in attrs.items():
            if value is None:
                continue
            given[key] = _from_attr_value(value) if hasattr(value, "WhichOneof") else value
            if isinstance(given[key], bytes):
                given[key] = given[key].decode()
        return _Scope(lambda: self._core.attr_scope(given))

    @contextlib.contextmanager
    def gradient_override_map(self, op_type_map):
        if not isinstance(op_type_map, dict):
            raise TypeError("op_type_map must be a dictionary mapping strings to strings")
        for key, value in op_type_map.items():
            if not (isinstance(key, str) and isinstance(value, str)):
                raise TypeError("op_type_map must be a dictionary mapping strings to strings")
        old = dict(self._gradient_override_map)
        self._gradient_override_map.update(op_type_map)
        self._core.set_gradient_overrides(self._gradient_override_map)
        try:
            yield
        finally:
            self._gradient_override_map = old
            self._core.set_gradient_overrides(old)

    @contextlib.contextmanager
    def _original_op(self, op):
        yield

    @contextlib.contextmanager
    def _kernel_label_map(self, op_to_kernel_label_map):
        yield

    def _flow_context(self, node=-1):
        found = _weft.flow_context(self._core, node)
        return None if found is None else (CondContext if found[0] == "cond" else WhileContext)(*found)

    def _get_control_flow_context(self):
        return self._flow_context()

    # Collections: lists of objects here; what the engine's functions add is taken over when a list is looked at, and the other way round.
    def _absorb(self, name):
        items = self._collections.get(name)
        if isinstance(name, str):
            size = self._core.collection_size(name)
            taken = self._collection_taken.get(name, 0)
            if size > taken:
                if items is None:
                    items = self._collections[name] = []
                kind, values = next(iter(self._core.collection(name).items()))
                for value in values[taken:size]:
                    items.append(_collection_item(self, name, kind, value))
                self._collection_taken[name] = size
        return items

    def add_to_collection(self, name, value):
        self._check_not_finalized()
        items = self._absorb(name)
        if items is None:
            items = self._collections[name] = []
        items.append(value)
        if isinstance(name, str):
            self._tell_engine(name, value)

    def _tell_engine(self, name, value):
        if isinstance(value, (Tensor, Operation)) and value.graph is self:
            is_message, item = False, value.name
        elif hasattr(value, "_variable_def"):
            is_message, item = True, value._variable_def()
        else:
            return
        if self._core.add_to_collection(name, is_message, item):
            self._collection_taken[name] = self._collection_taken.get(name, 0) + 1

    def add_to_collections(self, names, value):
        names = (names,) if isinstance(names, str) else set(names)
        for name in names:
            self.add_to_collection(name, value)

    def get_collection_ref(self, name):
        items = self._absorb(name)
        if items is None:
            items = self._collections[name] = []
        return items

    def get_collection(self, name, scope=None):
        items = self._absorb(name)
        if not items:
            return []
        if scope is None:
            return list(items)
        pattern = re.compile(scope)
        return [item for item in items if hasattr(item, "name") and pattern.match(item.name)]

    def get_all_collection_keys(self):
        for name in self._core.collection_names():
            self._absorb(name)
        return [x for x in self._collections if isinstance(x, str)]

    @property
    def collections(self):
        return self.get_all_collection_keys()

    def clear_collection(self, name):
        self._check_not_finalized()
        self._collections.pop(name, None)
        self._collection_taken.pop(name, None)
        if isinstance(name, str):
            self._core.erase_collection(name)

    def _is_function(self, name):
        return name in self._functions

    def _get_function(self, name):
        return self._functions.get(name)

    def _add_function(self, function):
        self._functions[function.name] = function

    def switch_to_thread_local(self):
        pass

    def _add_new_tf_operations(self, compute_devices=True):
        return []


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
        return CondContext("cond", d.context_name, value) if is_cond else WhileContext("while", d.context_name, value)
    if kind == "bytes":
        from .variables import variable_from_def

        try:
            return variable_from_def(graph, value) or value
        except Exception:
            return value
    return value


def _from_attr_value(value):
    kind = value.WhichOneof("value")
    if kind == "type":
        return value.type
    if kind == "shape":
        return TensorShape(value.shape)
    if kind == "tensor":
        from .tensor_util import MakeNdarray

        return constants.value(MakeNdarray(value.tensor), value.tensor.dtype)
    if kind == "func":
        return value.func.name
    if kind == "list":
        for field in ("s", "i", "f", "b", "type"):
            items = list(getattr(value.list, field))
            if items:
                return items
        if value.list.shape:
            return [TensorShape(s) for s in value.list.shape]
        return []
    return getattr(value, kind) if kind else None


def _op_to_colocate_with(v):
    if v is None:
        return None
    if hasattr(v, "handle") and hasattr(getattr(v, "handle"), "op") and not isinstance(v, Operation):
        return v.handle.op
    if isinstance(v, Operation):
        return v
    element = _as_graph_element(v)
    if element is not None:
        return element.op if isinstance(element, Tensor) else element
    return internal_convert_to_tensor(v, as_ref=True).op


class _DeviceScope:
    """tf.device(): text, a DeviceSpec, a function of the new operation, or None."""

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
        return None

    def __exit__(self, *unused):
        self._graph._device_stack.pop()
        self._end.end()


class PendingOperation:
    """What a device function sees of an operation that is about to be made."""

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


# Default graph and session.
class _DefaultStack(threading.local):
    def __init__(self):
        super().__init__()
        self.stack = []
        self._enforce_nesting = True

    def get_default(self):
        return self.stack[-1] if self.stack else None

    @property
    def enforce_nesting(self):
        return self._enforce_nesting

    def get_controller(self, default):
        return _Default(self, default)


class _Default:
    """Makes something the default one inside a `with`."""

    __slots__ = ("_owner", "_item")

    def __init__(self, owner, item):
        self._owner, self._item = owner, item

    def __enter__(self):
        self._owner.stack.append(self._item)
        return self._item

    def __exit__(self, *unused):
        stack = self._owner.stack
        if stack:
            if self._owner._enforce_nesting:
                if stack[-1] is not self._item:
                    raise AssertionError("Nesting violated for default stack of %s objects" % type(self._item))
                stack.pop()
            else:
                stack.remove(self._item)


_default_graph_stack = _DefaultStack()
_default_session_stack = _DefaultStack()
_global_graph = None


@export("get_default_graph")
def get_default_graph():
    """The graph that new operations join."""
    global _global_graph
    stack = _default_graph_stack.stack
    if stack:
        return stack[-1]
    if _global_graph is None:
        _global_graph = Graph()
    return _global_graph


@export("reset_default_graph")
def reset_default_graph():
    """Begins anew with an empty global default graph."""
    global _global_graph
    if _default_graph_stack.stack:
        raise AssertionError("Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared graph, exit the nesting and create a new graph.")
    _global_graph = Graph()


@export("get_default_session")
def get_default_session():
    return _default_session_stack.get_default()


def default_session(session):
    return _default_session_stack.get_controller(session)


def _eval_using_default_session(tensors, feed_dict, graph, session=None):
    if session is None:
        session = get_default_session()
        if session is None:
            raise ValueError("Cannot evaluate tensor using `eval()`: No default session is registered. Use `with sess.as_default()` or pass an explicit session to `eval(session=sess)`")
        if session.graph is not graph:
            raise ValueError("Cannot use the default session to evaluate tensor: the tensor's graph is different from the session's graph. Pass an explicit session to `eval(session=sess)`.")
    elif session.graph is not graph:
        raise ValueError("Cannot use the given session to evaluate tensor: the tensor's graph is different from the session's graph.")
    return session.run(tensors, feed_dict)


def _run_using_default_session(operation, feed_dict, graph, session=None):
    if session is None:
        session = get_default_session()
        if session is None:
            raise ValueError("Cannot execute operation using `run()`: No default session is registered. Use `with sess.as_default():` or pass an explicit session to `run(session=sess)`")
        if session.graph is not graph:
            raise ValueError("Cannot use the default session to execute operation: the operation's graph is different from the session's graph. Pass an explicit session to run(session=sess).")
    elif session.graph is not graph:
        raise ValueError("Cannot use the given session to execute operation: the operation's graph is different from the session's graph.")
    session.run(operation, feed_dict)


def _as_graph_element(obj):
    convert = getattr(obj, "_as_graph_element", None)
    return convert() if convert else None


def _get_graph_from_inputs(values, graph=None):
    """The graph of the first tensor among `values`; ValueError if they lie in several."""
    first = None
    if graph is None and get_default_graph().building_function:
        return get_default_graph()
    for value in values:
        element = value if isinstance(value, (Tensor, Operation)) else _as_graph_element(value)
        if element is None:
            continue
        if graph is None:
            graph, first = element.graph, element
        elif element.graph is not graph:
            if first is not None:
                raise ValueError("%s must be from the same graph as %s." % (element, first))
            raise ValueError("%s is not from the passed-in graph." % element)
    return graph or get_default_graph()


# Conversion.
_conversions = []  # (priority, order, type, function)
_conversion_cache = {}


@export("register_tensor_conversion_function")
def register_tensor_conversion_function(base_type, conversion_func, priority=100):
    """`conversion_func(value, dtype, name, as_ref)` makes tensors of values of `base_type`; lower priorities come first."""
    if not callable(conversion_func):
        raise TypeError("conversion_func must be callable.")
    _conversions.append((priority, len(_conversions), base_type, conversion_func))
    _conversions.sort(key=lambda c: c[:2])
    _conversion_cache.clear()


def _functions_for(kind):
    found = _conversion_cache.get(kind)
    if found is None:
        found = _conversion_cache[kind] = [f for _, _, base, f in _conversions if issubclass(kind, base)]
    return found


def internal_convert_to_tensor(value, dtype=None, name=None, as_ref=False, preferred_dtype=None, ctx=None, accept_symbolic_tensors=True, accept_composite_tensors=False):
    if type(value) is Tensor:
        if dtype is not None and dtypes.as_dtype(dtype).base_dtype is not value.dtype.base_dtype:
            raise ValueError("Tensor conversion requested dtype %s for Tensor with dtype %s: %r" % (dtypes.as_dtype(dtype).name, value.dtype.name, str(value)))
        return value
    if dtype is not None:
        dtype = dtypes.as_dtype(dtype)
    if preferred_dtype is not None:
        preferred_dtype = dtypes.as_dtype(preferred_dtype)
    for function in _functions_for(type(value)):
        result = None
        if dtype is None and preferred_dtype is not None:
            try:
                result = function(value, dtype=preferred_dtype, name=name, as_ref=as_ref)
            except (TypeError, ValueError):
                pass
        if result is None:
            result = function(value, dtype=dtype, name=name, as_ref=as_ref)
        if result is NotImplemented:
            continue
        if not isinstance(result, Tensor):
            raise RuntimeError("%sConversion function %r for type %s returned non-Tensor: %r" % (_prefix(name), function, type(value), result))
        if dtype is not None and not dtype.is_compatible_with(result.dtype):
            raise RuntimeError("%sConversion function %r for type %s returned incompatible dtype: requested = %s, actual = %s" %
                               (_prefix(name), function, type(value), dtype.name, result.dtype.name))
        return result
    raise TypeError("%sCannot convert %r with type %s to Tensor: no conversion function registered." % (_prefix(name), value, type(value)))


def _prefix(name):
    return "" if name is None else "%s: " % name


@export("convert_to_tensor")
def convert_to_tensor(value, dtype=None, name=None, preferred_dtype=None, dtype_hint=None):
    """`value` as a tensor: tensors as they are, variables' values, everything else as a constant."""
    return internal_convert_to_tensor(value, dtype, name, False, dtype_hint if dtype_hint is not None else preferred_dtype)


convert_to_tensor_v2 = convert_to_tensor


def convert_n_to_tensor(values, dtype=None, name=None, preferred_dtype=None):
    return [internal_convert_to_tensor(v, dtype, None if name is None else "%s_%d" % (name, i), False, preferred_dtype) for i, v in enumerate(values)]


def internal_convert_n_to_tensor(values, dtype=None, name=None, as_ref=False, preferred_dtype=None, ctx=None):
    return [internal_convert_to_tensor(v, dtype, None if name is None else "%s_%d" % (name, i), as_ref, preferred_dtype) for i, v in enumerate(values)]


@export("convert_to_tensor_or_indexed_slices")
def convert_to_tensor_or_indexed_slices(value, dtype=None, name=None):
    if isinstance(value, IndexedSlices):
        if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(value.dtype):
            raise ValueError("Tensor conversion requested dtype %s for Tensor with dtype %s: %r" % (dtypes.as_dtype(dtype).name, value.dtype.name, str(value)))
        return value
    return internal_convert_to_tensor(value, dtype, name)


internal_convert_to_tensor_or_indexed_slices = convert_to_tensor_or_indexed_slices
convert_to_tensor_or_composite = convert_to_tensor_or_indexed_slices


def _convert_for_engine(value, dtype, name, as_ref, preferred, graph):
    if get_default_graph() is graph:
        tensor = internal_convert_to_tensor(value, dtype, name, as_ref, preferred)
        return graph.capture(tensor) if graph.building_function and tensor.graph is not graph else tensor
    with graph.as_default():
        return internal_convert_to_tensor(value, dtype, name, as_ref, preferred)


def _refuse_name():
    raise ValueError("'' is not a valid node name")


def constant(value, dtype=None, shape=None, name="Const", verify_shape=False):
    """A tensor with a value that never changes."""
    graph = get_default_graph()
    return _weft.constant(graph._core, constants.value(value, dtype, shape, verify_shape), name if name != "" else _refuse_name())


export_value(constant, "constant", "constant_v1")


def _from_constant(v, dtype=None, name=None, as_ref=False):
    return constant(v, dtype=dtype, name=name or "Const")


def _from_tensor(t, dtype=None, name=None, as_ref=False):
    if dtype is not None and not dtype.is_compatible_with(t.dtype):
        raise ValueError("Tensor conversion requested dtype %s for Tensor with dtype %s: %r" % (dtype.name, t.dtype.name, str(t)))
    return t


def _from_shape(s, dtype=None, name=None, as_ref=False):
    if not s.is_fully_defined():
        raise ValueError("Cannot convert a partially known TensorShape to a Tensor: %s" % s)
    values = s.as_list()
    if dtype is not None:
        if dtype not in (dtypes.int32, dtypes.int64):
            raise TypeError("Cannot convert a TensorShape to dtype: %s" % dtype)
        if dtype == dtypes.int32 and any(v >= 2 ** 31 for v in values):
            raise ValueError("Cannot convert a TensorShape to dtype int32; a dimension is too large (%s)" % max(values))
    else:
        dtype = dtypes.int64 if any(v >= 2 ** 31 for v in values) else dtypes.int32
    return constant(values, dtype=dtype, name=name or "shape_as_tensor")


def _from_dimension(d, dtype=None, name=None, as_ref=False):
    if d.value is None:
        raise ValueError("Cannot convert an unknown Dimension to a Tensor: %s" % d)
    if dtype is not None:
        if dtype not in (dtypes.int32, dtypes.int64):
            raise TypeError("Cannot convert a TensorShape to dtype: %s" % dtype)
    else:
        dtype = dtypes.int32
    return constant(d.value, dtype=dtype, name=name or "shape_as_tensor")


def _from_operation(op, dtype=None, name=None, as_ref=False):
    raise TypeError("Can't convert Operation '%s' to Tensor (target dtype=%r, name=%r, as_ref=%r)" % (op.name, dtype, name, as_ref))


def is_dense_tensor_like(value):
    return isinstance(value, Tensor) or getattr(value, "_is_variable", False)


def _type_in_nested(value):
    for item in value:
        if is_dense_tensor_like(item):
            return item.dtype.base_dtype
        if isinstance(item, (list, tuple)):
            found = _type_in_nested(item)
            if found is not None:
                return found
    return None


def _pack(items, dtype, name):
    """A nested list with tensors in it as one tensor; lists without tensors stay lists."""
    graph = get_default_graph()
    packed = False
    converted = []
    with graph.name_scope(name) as scope:
        for i, item in enumerate(items):
            if is_dense_tensor_like(item):
                if dtype is not None and item.dtype.base_dtype != dtype:
                    raise TypeError("Cannot convert a list containing a tensor of dtype %s to %s (Tensor is: %r)" % (item.dtype, dtype, item))
                packed = True
            elif isinstance(item, (list, tuple)):
                item = _pack(item, dtype, str(i))
                packed = packed or isinstance(item, Tensor)
            converted.append(item)
        if not packed:
            return converted
        tensors = [item if is_dense_tensor_like(item) else constant(item, dtype=dtype, name=str(i)) for i, item in enumerate(converted)]
        from .op_calls import raw

        return raw("Pack")(tensors, name=scope)


def _from_list(v, dtype=None, name=None, as_ref=False):
    if as_ref:
        return NotImplemented
    found = _type_in_nested(v)
    if found is None:
        return NotImplemented
    if dtype is None:
        dtype = found
    elif dtype != found:
        def cast(item):
            if isinstance(item, (list, tuple)):
                return [cast(i) for i in item]
            if is_dense_tensor_like(item) and item.dtype.base_dtype != dtype:
                import tensorflow as tf

                return tf.cast(item, dtype)
            return item

        v = cast(v)
    return _pack(v, dtype, name or "packed")


def _from_slices(value, dtype=None, name=None, as_ref=False):
    if dtype is not None and not dtype.is_compatible_with(value.dtype):
        raise ValueError("Tensor conversion requested dtype %s for IndexedSlices with dtype %s" % (dtype.name, value.dtype.name))
    if value.dense_shape is None:
        raise ValueError("Tensor conversion requested for IndexedSlices without dense_shape: %s" % str(value))
    import tensorflow as tf

    return tf.unsorted_segment_sum(value.values, value.indices, value.dense_shape[0], name=name)


register_tensor_conversion_function(Tensor, _from_tensor, 0)
register_tensor_conversion_function((list, tuple), _from_list, 99)
register_tensor_conversion_function((list, tuple), _from_constant, 100)
register_tensor_conversion_function((np.generic, np.ndarray), _from_constant, 100)
register_tensor_conversion_function(TensorShape, _from_shape, 100)
register_tensor_conversion_function(tensor_shape.Dimension, _from_dimension, 100)
register_tensor_conversion_function(Operation, _from_operation, 100)
register_tensor_conversion_function(IndexedSlices, _from_slices, 100)
register_tensor_conversion_function(object, _from_constant, 200)


def constant_value(tensor, partial=False):
    """The value of `tensor` as an array if it can be known now, else None."""
    if not isinstance(tensor, Tensor):
        return None if getattr(tensor, "_is_variable", False) else tensor
    return tensor.graph._core.constant_value(tensor._node, tensor.value_index)


export_value(constant_value, "get_static_value", "contrib.util.constant_value")


def constant_value_as_shape(tensor):
    value = constant_value(tensor)
    if value is not None:
        return TensorShape([None if d == -1 else int(d) for d in np.ravel(value)])
    shape = tensor.shape
    return tensor_shape.unknown_shape(shape.as_list()[0] if shape.ndims == 1 else None)


# Functions of the default graph.
@export("name_scope", "compat.v1.name_scope")
class name_scope:
    """Names of operations made inside begin with the scope's (made unique) name; `as` gives it with a final slash."""

    def __init__(self, name, default_name=None, values=None):
        if not (default_name is None or isinstance(default_name, str)):
            raise TypeError("`default_name` type (%s) is not a string type. You likely meant to pass this into the `values` kwarg." % type(default_name))
        self._name = default_name if name is None else name
        self._default_name, self._values = default_name, values

    name = property(lambda self: self._name)

    def __enter__(self):
        if self._name is None and self._values is not None:
            raise ValueError("At least one of name (%s) and default_name (%s) must be provided." % (None, self._default_name))
        graph = _get_graph_from_inputs(self._values or [])
        self._context = None
        if graph is not get_default_graph():
            self._context = graph.as_default()
            self._context.__enter__()
        try:
            self._scope = graph.name_scope(self._name)
            return self._scope.__enter__()
        except BaseException:
            if self._context:
                self._context.__exit__(None, None, None)
            raise

    def __exit__(self, *error):
        self._scope.__exit__(*error)
        if self._context:
            self._context.__exit__(*error)

    def __call__(self, function):
        import functools

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            with name_scope(self._name, self._default_name, self._values):
                return function(*args, **kwargs)

        return wrapper


export_value(name_scope, "keras.backend.name_scope")
export("op_scope")(lambda values, name, default_name=None: name_scope(name, default_name, values))


@export("device")
def device(device_name_or_function):
    return get_default_graph().device(device_name_or_function)


@export("control_dependencies")
def control_dependencies(control_inputs):
    return get_default_graph().control_dependencies(control_inputs)


@export("colocate_with")
def colocate_with(op, ignore_existing=False):
    return get_default_graph().colocate_with(op, ignore_existing)


@export("container")
def container(container_name):
    return get_default_graph().container(container_name)


@export("init_scope")
def init_scope():
    """Leaves control dependencies, branches and functions while variables are made."""
    graph = get_default_graph()
    return _outside_of_functions(graph) if graph.building_function else graph.control_dependencies(None)


@contextlib.contextmanager
def _outside_of_functions(graph):
    scope = graph.get_name_scope()
    while graph.building_function:
        graph = graph.outer_graph
    with graph.as_default(), graph.name_scope(scope + "/" if scope else ""), graph.control_dependencies(None):
        yield


@export("add_to_collection")
def add_to_collection(name, value):
    get_default_graph().add_to_collection(name, value)


@export("add_to_collections")
def add_to_collections(names, value):
    get_default_graph().add_to_collections(names, value)


@export("get_collection")
def get_collection(key, scope=None):
    return get_default_graph().get_collection(key, scope)


@export("get_collection_ref")
def get_collection_ref(key):
    return get_default_graph().get_collection_ref(key)


def get_all_collection_keys():
    return get_default_graph().get_all_collection_keys()


def get_name_scope():
    return get_default_graph().get_name_scope()


@export("executing_eagerly")
def executing_eagerly():
    return False


@export("GraphKeys")
class GraphKeys:
    """Names of collections."""

    GLOBAL_VARIABLES = "variables"
    LOCAL_VARIABLES = "local_variables"
    METRIC_VARIABLES = "metric_variables"
    MODEL_VARIABLES = "model_variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    SUMMARIES = "summaries"
    QUEUE_RUNNERS = "queue_runners"
    TABLE_INITIALIZERS = "table_initializer"
    ASSET_FILEPATHS = "asset_filepaths"
    MOVING_AVERAGE_VARIABLES = "moving_average_variables"
    REGULARIZATION_LOSSES = "regularization_losses"
    CONCATENATED_VARIABLES = "concatenated_variables"
    SAVERS = "savers"
    WEIGHTS = "weights"
    BIASES = "biases"
    ACTIVATIONS = "activations"
    UPDATE_OPS = "update_ops"
    LOSSES = "losses"
    SAVEABLE_OBJECTS = "saveable_objects"
    RESOURCES = "resources"
    LOCAL_RESOURCES = "local_resources"
    TRAINABLE_RESOURCE_VARIABLES = "trainable_resource_variables"
    INIT_OP = "init_op"
    LOCAL_INIT_OP = "local_init_op"
    READY_OP = "ready_op"
    READY_FOR_LOCAL_INIT_OP = "ready_for_local_init_op"
    SUMMARY_OP = "summary_op"
    GLOBAL_STEP = "global_step"
    EVAL_STEP = "eval_step"
    TRAIN_OP = "train_op"
    COND_CONTEXT = "cond_context"
    WHILE_CONTEXT = "while_context"
    _SUMMARY_COLLECTION = "_SUMMARY_V2"
    _VARIABLE_COLLECTIONS = [GLOBAL_VARIABLES, LOCAL_VARIABLES, METRIC_VARIABLES, MODEL_VARIABLES, TRAINABLE_VARIABLES, MOVING_AVERAGE_VARIABLES,
                             CONCATENATED_VARIABLES, TRAINABLE_RESOURCE_VARIABLES]
    _STREAMING_MODEL_PORTS = "streaming_model_ports"
    VARIABLES = GLOBAL_VARIABLES


@export("set_random_seed", "random.set_random_seed", "random.set_seed")
def set_random_seed(seed):
    """The graph's seed, from which every random operation's seed is made."""
    get_default_graph().seed = seed


@export("get_seed", "random.get_seed")
def get_seed(op_seed):
    """The pair (seed, seed2) that a random operation made now gets."""
    graph = get_default_graph()
    if graph.seed is None and op_seed is None:
        return None, None
    return graph._core.seeds_for(None if op_seed is None else int(op_seed))


_gradient_functions = {}


@export("RegisterGradient")
class RegisterGradient:
    """Decorator: the function makes the gradients of operations of a type, or of those that gradient_override_map gives that name."""

    def __init__(self, op_type):
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")
        self._op_type = op_type

    def __call__(self, f):
        if self._op_type in _gradient_functions:
            raise KeyError("Registering two gradient with name '%s'!" % self._op_type)
        _gradient_functions[self._op_type] = f
        _weft.register_gradient(self._op_type, f)
        return f


@export("NoGradient", "NotDifferentiable", "no_gradient")
def NotDifferentiable(op_type):
    """Operations of this type have no gradient."""
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")
    _gradient_functions[op_type] = None
    _weft.register_gradient(op_type, None)


_weft.bind(operation=Operation, tensor=Tensor, convert=_convert_for_engine, raise_error=raise_error, default_graph=get_default_graph,
           to_shape=tensor_shape.to_list, to_dtype=dtypes.enum_of, folder=os.path.dirname(os.path.abspath(__file__)) + "/")
