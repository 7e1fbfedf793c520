"""Graph: a graph of the engine under construction, with TensorFlow's interface."""

import contextlib
import re
import threading

from . import _weft, context
from .attr_values import from_attr_value
from .exports import export
from .graph_elements import _as_graph_element, flow_context, IndexedSlices, Operation, Tensor
from .graph_scopes import _collection_item, _ControlScope, _DeviceScope, _NameScope, _op_to_colocate_with, _Scope
from .placement_notes import Note


class _DeviceStacks(threading.local):
    """The device scopes of each thread; they start as those that were open when the threads were separated."""

    def __init__(self, stack):
        super().__init__()
        self.stack = list(stack)


on_new_graph = []  # functions called with each new Graph


@export("Graph")
class Graph:
    """A dataflow graph under construction."""

    _tensor_class = Tensor
    immediate = False  # whether tensors have values during construction
    _eager = False     # whether nodes run as they are added (eager/mode.py)

    def __init__(self):
        self._operations = []
        self._core = _weft.GraphCore(self, self._operations)
        self._collections = {}
        self._collection_taken = {}
        self._unfeedable = set()
        self._unfetchable = set()
        self._seed = None
        self._device_stacks = None
        self._placement_notes = []
        self._devices = []
        self._container = ""
        self._graph_key = "grap-key-%d" % id(self)
        self._extra_control = []
        self._control_stack = []
        self._gradient_override_map = {}
        self._lock = threading.RLock()
        self._functions = {}
        self._mutation_lock = contextlib.nullcontext
        self.building_function = self._building_function = False  # TensorFlow's name, which libraries read, is the second
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

        producer, min_consumer, bad_consumers = self._core.versions()
        return VersionDef(producer=producer, min_consumer=min_consumer, bad_consumers=bad_consumers)

    def as_default(self):
        return context.graphs.get_controller(self)

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
        """The tensor or operation that `obj` is or names. Raises ValueError, KeyError, TypeError with TensorFlow's messages."""
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
        """Creates a node from tensors and AttrValues without conversion."""
        given = {}
        for key, value in (attrs or {}).items():
            given[key] = from_attr_value(value) if hasattr(value, "WhichOneof") else value
        return _weft.node(self._core, op_type, list(inputs), given, name or op_type)

    def prevent_feeding(self, tensor):
        self._unfeedable.add(tensor)

    def is_feedable(self, tensor):
        return tensor not in self._unfeedable

    def prevent_fetching(self, op):
        self._unfetchable.add(op)

    def is_fetchable(self, tensor_or_op):
        """Whether a session may compute it alone: not inside of branches and loops."""
        op = tensor_or_op.op if isinstance(tensor_or_op, Tensor) else tensor_or_op
        if op in self._unfetchable:
            return False
        found = _weft.flow_context(self._core, op._node)
        return found is None or found[2] is None and op.type in ("Exit", "RefExit")

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

    @property
    def _device_stack(self):
        """The open device scopes, innermost last: the graph's, or those of the thread after switch_to_thread_local()."""
        stacks = self._device_stacks
        return self._devices if stacks is None else stacks.stack

    @_device_stack.setter
    def _device_stack(self, stack):
        if self._device_stacks is None:
            self._devices = stack
        else:
            self._device_stacks.stack = stack

    def _apply_device_functions(self, op):
        """Applies the open device scopes to an operation, innermost first; parts already set are kept."""
        from .device import DeviceSpec

        for device in reversed(self._device_stack):
            if device is None:
                break
            if callable(device):
                answer = device(op)
            else:
                scope = device if hasattr(device, "to_string") else DeviceSpec.from_string(device)
                answer = scope.make_merged_spec(DeviceSpec.from_string(op.device or ""))
            op._set_device(answer or "")

    def control_dependencies(self, control_inputs):
        if control_inputs is None:
            return _ControlScope(self, None)
        nodes = []
        for c in control_inputs:
            if isinstance(c, IndexedSlices):
                c = c.op
            elif isinstance(c, Tensor) or getattr(c, "_is_variable", False) and hasattr(c, "device_map") or hasattr(c, "_handle") and hasattr(c, "op") and not isinstance(c, Operation):
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
        notes = [] if self._eager else [Note(self, kind, op and op.name) for kind, noted in (("no colocation", ignore_existing), ("colocation", op is not None)) if noted]
        try:
            yield
        finally:
            self._device_stack = stack
            end.end()
            for note in reversed(notes):
                note.close(self)

    @contextlib.contextmanager
    def _original_op(self, op):
        """Operations made inside have `op` as their `_original_op`: what they were made for."""
        first = self._core.size()
        try:
            yield
        finally:
            for node in range(first, self._core.size()):
                made = self._core.operation(node)
                if made._original_op is None:
                    made.__dict__["_original"] = op

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
            given[key] = from_attr_value(value) if hasattr(value, "WhichOneof") else value
            if isinstance(given[key], bytes):
                given[key] = given[key].decode()
        return _Scope(lambda: self._core.attr_scope(given))

    def _kernel_label_map(self, op_to_kernel_label_map):
        """Context manager that chooses kernels by their labels. There is one kernel for each op here, without a label; another label is refused."""
        if not isinstance(op_to_kernel_label_map, dict) or not all(isinstance(x, str) for pair in op_to_kernel_label_map.items() for x in pair):
            raise TypeError("op_to_kernel_label_map must be a dictionary mapping strings to strings")
        for op_type, label in op_to_kernel_label_map.items():
            if label:
                raise NotImplementedError("No OpKernel was registered to support Op '%s' with the label \"%s\": kernels have no labels here" % (op_type, label))
        return contextlib.nullcontext()

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

    def _flow_context(self, node=-1):
        return flow_context(_weft.flow_context(self._core, node))

    def _get_control_flow_context(self):
        return self._flow_context()

    # Collections are lists of objects here. Reading a list synchronizes it with the engine's collection in both directions.
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
        """Makes devices, colocations and control dependencies thread-local. Name scopes and variable scopes always are."""
        if self._device_stacks is None:
            self._device_stacks = _DeviceStacks(list(self._devices))
            self._device_stacks.stack = self._devices  # this thread goes on with the scopes that it has opened
        self._core.keep_stacks_by_thread()

    def _add_new_tf_operations(self, compute_devices=True):
        return []


context.new_graph = Graph
