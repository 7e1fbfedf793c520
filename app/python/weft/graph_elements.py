"""Operations, tensors and IndexedSlices: handles to the elements of the engine's graph."""

import collections
import re

from . import _weft, context, dtypes
from .attr_values import ATTR_KINDS, from_attr_value
from .build_errors import OperatorNotAllowedInGraphError
from .constant_values import constant_value_as_shape
from .exports import export, export_value
from .placement_notes import colocations_of, devices_of
from .tensor_shape import TensorShape
from .util.object_identity import Reference


_stateful = {}  # op -> whether it is stateful


@export("Operation")
class Operation:
    """A node of a graph."""

    __slots__ = ("_graph", "graph", "_node", "_outputs", "__dict__", "__weakref__")

    def __init__(self, graph, node, outputs=None, output_types=None, control_inputs=None, input_types=None, original_op=None, op_def=None):
        if type(node) is not int:
            graph, node, outputs = self._create(graph, node, outputs, control_inputs, original_op)
        self.graph = graph
        self._node = node
        self._outputs = [graph._tensor_class(self, i) for i in range(outputs)]

    def _create(self, node_def, graph, inputs, control_inputs, original_op):
        """A new node for TensorFlow's constructor, Operation(node_def, graph, inputs, output_types …). Types come from the op."""
        if not hasattr(node_def, "op"):
            raise TypeError("node_def needs to be a NodeDef: %s" % (node_def,))
        if not re.fullmatch(r"[A-Za-z0-9.][A-Za-z0-9_.\-/]*", node_def.name):
            raise ValueError("'%s' is not a valid node name" % node_def.name)
        made = graph.create_op(node_def.op, list(inputs or ()), attrs=dict(node_def.attr), name=node_def.name)
        if node_def.device:
            made._set_device(node_def.device)
        if control_inputs:
            made._add_control_inputs(control_inputs)
        if original_op is not None:
            self.__dict__["_original"] = original_op
        graph._operations[made._node] = self
        return graph, made._node, len(made.outputs)

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
        """Whether the op is stateful or calls a graph function (which may be stateful)."""
        found = _stateful.get(self.type)
        if found is None:
            definition = _weft.op_definition(self.type)
            found = True if definition is None else definition[3][0]
            if definition is not None:
                _stateful[self.type] = found
        return found

    @property
    def _control_outputs(self):
        return self.graph._core.control_consumers(self._node)

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
            return ()
        import linecache

        return ((line[0], line[1], line[2], linecache.getline(line[0], line[1]).strip()),)

    @property
    def _traceback(self):
        return self.traceback

    @property
    def _device_assignments(self):
        return devices_of(self)

    @property
    def _colocation_dict(self):
        return colocations_of(self)

    @property
    def traceback_with_start_lines(self):
        """The traceback, each entry with the first line of its function."""
        return [(*entry, entry[1]) for entry in self.traceback]

    @property
    def _original_op(self):
        return self.__dict__.get("_original")

    @property
    def node_def(self):
        from .protos import NodeDef

        return NodeDef.FromString(self.graph._core.node_def(self._node))

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
        elif kind == "s":
            self.graph._core.set_attr_text(self._node, name, attr_value.s)
        else:
            one = kind
            if kind == "list":
                one = next((f for f in ATTR_KINDS if getattr(attr_value.list, f)), "i")
            word = ATTR_KINDS[one]
            _weft.set_attr(self.graph._core, self._node, name, "list(%s)" % word if kind == "list" else word, from_attr_value(attr_value))

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

    def _remove_all_control_inputs(self):
        self.graph._core.remove_control_inputs(self._node)

    def _update_input(self, index, tensor):
        self.graph._core.update_input(self._node, index, tensor)

    def _get_control_flow_context(self):
        return self.graph._flow_context(self._node)

    def run(self, feed_dict=None, session=None):
        """Runs this operation in `session` or the default one."""
        context.run_using_default_session(self, feed_dict, self.graph, session)

    def __str__(self):
        return str(self.node_def)

    def __repr__(self):
        return "<tf.Operation '%s' type=%s>" % (self.name, self.type)


class _InputList(list):
    """An operation's inputs, which stay as they are. Compares as a list, unlike TensorFlow's iterator."""

    def __hash__(self):
        return id(self)

    def __getattribute__(self, name):
        if name in _CHANGES:
            raise AttributeError("'_InputList' object has no attribute '%s'" % name)
        return super().__getattribute__(name)


_CHANGES = frozenset(("append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"))


class _TensorLike:
    """The class that programs use with isinstance(): tensors, slices, sparse tensors."""

    __slots__ = ()


@export("Tensor")
class Tensor(_TensorLike):
    """An output of an operation."""

    __slots__ = ("op", "value_index", "graph", "_node", "_type", "_known_shape", "__dict__", "__weakref__")
    __array_priority__ = 100
    _is_tensor = True  # for modules below this one
    OVERLOADABLE_OPERATORS = {
        "__add__", "__radd__", "__sub__", "__rsub__", "__mul__", "__rmul__", "__div__", "__rdiv__", "__truediv__", "__rtruediv__", "__floordiv__",
        "__rfloordiv__", "__mod__", "__rmod__", "__lt__", "__le__", "__gt__", "__ge__", "__ne__", "__eq__", "__and__", "__rand__", "__or__", "__ror__",
        "__xor__", "__rxor__", "__getitem__", "__pow__", "__rpow__", "__invert__", "__neg__", "__abs__", "__matmul__", "__rmatmul__"}

    def __init__(self, op, value_index, dtype=None):
        self.op = op
        self.value_index = value_index
        self.graph = op.graph
        self._node = op._node
        self._type = self._known_shape = None

    @property
    def dtype(self):
        if self._type is None:
            self._type = dtypes.as_dtype(self.graph._core.dtype(self._node, self.value_index))
        return self._type

    _dtype = dtype
    _value_index = property(lambda self: self.value_index)

    @property
    def name(self):
        return "%s:%d" % (self.graph._core.name(self._node), self.value_index)

    @property
    def device(self):
        return self.graph._core.device(self._node)

    @property
    def shape(self):
        values = self.graph._core.shape(self._node, self.value_index)
        known = self._known_shape  # the same object until more is known, because an unknown dimension equals only itself
        if known is None or known._values != values:
            known = self._known_shape = TensorShape._of(values)
        return known

    def get_shape(self):
        return self.shape

    def _shape_as_list(self):
        return self.shape.as_list() if self.shape.ndims is not None else None

    _shape_tuple = property(lambda self: lambda: self.graph._core.shape(self._node, self.value_index))

    def _rank(self):
        return self.shape.ndims

    def set_shape(self, shape):
        """Merges the known shape with `shape`; ValueError if they are incompatible."""
        self.graph._core.set_shape(self._node, self.value_index, shape)

    def consumers(self):
        return self.graph._core.consumers(self._node, self.value_index)

    def _as_node_def_input(self):
        return self.op.name if self.value_index == 0 else self.name

    def _as_graph_element(self):
        return self

    def eval(self, feed_dict=None, session=None):
        """The tensor's value in `session` or the default one."""
        return context.eval_using_default_session(self, feed_dict, self.graph, session)

    @property
    def _is_initialized(self):
        return None

    def __str__(self):
        shape = self.shape
        return 'Tensor("%s"%s%s%s)' % (self.name, ", shape=%s" % shape if shape.ndims is not None else "", ", dtype=%s" % self.dtype.name,
                                       ", device=%s" % self.device if self.device else "")

    def __repr__(self):
        return "<tf.Tensor '%s' shape=%s dtype=%s>" % (self.name, self.shape, self.dtype.name)

    def experimental_ref(self):
        """A hashable reference; deref() is the tensor."""
        return Reference(self)

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


def _as_graph_element(obj):
    convert = getattr(obj, "_as_graph_element", None)
    return convert() if convert else None


@export("IndexedSlices")
class IndexedSlices(_TensorLike):
    """Slices of a tensor at `indices`, such as a sparse gradient."""

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
    """A branch or loop: its name, the one around it, and its message if it was read from a collection."""

    def __init__(self, kind, name, outer=None, data=None):
        self.kind, self.name, self._data = kind, name, data
        self.outer_context = flow_context(outer)

    def __eq__(self, other):
        return isinstance(other, _FlowContext) and (self.kind, self.name) == (other.kind, other.name)

    def __hash__(self):
        return hash((self.kind, self.name))

    def to_proto(self, export_scope=None):
        from . import protos

        return None if self._data is None else protos.message("CondContextDef" if self.kind == "cond" else "WhileContextDef").FromString(self._data)

    def IsCondContext(self):
        return self.kind == "cond"

    def IsWhileContext(self):
        return self.kind == "while"

    def IsXLAContext(self):
        return False

    def GetWhileContext(self):
        """The innermost loop that is or contains this."""
        if self.kind == "while":
            return self
        return None if self.outer_context is None else self.outer_context.GetWhileContext()


class CondContext(_FlowContext):
    pass


class WhileContext(_FlowContext):
    pass


def flow_context(found):
    """The object for the engine's description of a context, (kind, name, the one around it) or None."""
    return None if found is None else (CondContext if found[0] == "cond" else WhileContext)(*found)
