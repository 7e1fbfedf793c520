"""Variables while execution is eager: each lives as long as its Python object."""

import itertools
import weakref

from .. import _weft, context, ops, resource_variable
from ..op_calls import raw
from ..ops import Tensor
from ..resource_variable import ResourceVariable
from ..tensor_shape import TensorShape
from .tape import _variables
from .tensor import EagerTensor

_numbers = itertools.count()


def _destroy(handle, number):
    _variables.pop(number, None)
    try:
        with context.eager_graph().as_default():  # memory is collected at any time, also while a function is traced
            raw("DestroyResourceOp")(handle, ignore_lookup_error=True)
    except Exception:  # the interpreter may be ending
        pass


class _Operation:
    """What functions that work in graphs too ask of a variable's operation."""

    type = "VarHandleOp"
    graph = property(lambda self: context.eager_graph())

    def __init__(self, name, device, unique_id):
        self.name, self.device, self.unique_id = name, device, unique_id


class EagerVariable(ResourceVariable):
    """A resource variable that has its value from the start."""

    _eager = True

    def __init__(self, *args, **kwargs):
        """As ResourceVariable."""
        ResourceVariable.__init__(self, *args, **kwargs)

    handle = property(lambda self: self._tensor)
    _handle = handle
    name = property(lambda self: self._handle_name)
    _shared_name = property(lambda self: self._handle_name[:-2])
    graph = property(lambda self: context.eager_graph())
    device = property(lambda self: self._tensor.device)
    initializer = property(lambda self: None)
    create = property(lambda self: None)

    @property
    def initial_value(self):
        raise RuntimeError("initial_value not supported in EAGER mode.")

    op = property(lambda self: self._operation)
    _unique_id = property(lambda self: self._operation.unique_id)

    @property
    def _weft(self):
        """The variable as functions of the engine know it, in the present graph."""
        graph = ops.get_default_graph()
        handle = self._tensor if graph._eager else graph.capture(self._tensor)
        with graph.control_dependencies(None):
            made = _weft.make_variable(graph._core, handle.op.name, handle, raw("ReadVariableOp")(handle, self._dtype), None, None, self._dtype._number, self._shape, True,
                                       bool(self._trainable))
        graph.__dict__.setdefault("_variables_by_handle", {})[handle.name] = self
        return made

    @property
    def _snapshot(self):
        return self._read()

    def _as_graph_element(self):
        return self._read()

    _graph_element = property(_as_graph_element)

    def _read(self):
        return raw("ReadVariableOp")(self._tensor, self._dtype)

    value = _read
    read_value = _read

    def _after(self, op):
        if op is None:
            return self  # the op has run
        later = _LaterVariable.__new__(_LaterVariable)
        later.__dict__.update(self.__dict__)
        later._variable, later._parent = self, op  # the variable lives as long as this
        return later

    def initialized_value(self):
        return self._read()

    def is_initialized(self, name=None):
        return raw("VarIsInitializedOp")(self._tensor, name=name)

    def eval(self, session=None):
        raise RuntimeError("Trying to eval in EAGER mode")

    def numpy(self):
        if not ops.executing_eagerly():
            raise NotImplementedError("numpy() is only available when eager execution is enabled.")
        return self._read().numpy()

    def load(self, value, session=None):
        self.assign(value)

    def to_proto(self, export_scope=None):
        raise RuntimeError("to_proto not supported in EAGER mode.")

    def _variable_def(self):
        return None

    def __array__(self, dtype=None):
        return self._read().__array__(dtype)

    def __int__(self):
        return int(self._read())

    def __float__(self):
        return float(self._read())

    def __bool__(self):
        return bool(self._read())

    __nonzero__ = __bool__

    def __iter__(self):
        if not self.shape.ndims:
            raise TypeError("Cannot iterate over a scalar tensor.")
        return iter(self._read())

    def __deepcopy__(self, memo):
        made = EagerVariable(self._read(), trainable=self._trainable, name=self._handle_name[:-2], dtype=self._dtype, constraint=self._constraint)
        memo[id(self)] = made
        return made

    def __reduce__(self):
        return _restored, (self.numpy(), self._trainable, self._handle_name[:-2])

    def __repr__(self):
        if not ops.executing_eagerly():
            return "<tf.Variable '%s' shape=%s dtype=%s>" % (self.name, self.get_shape(), self.dtype.name)
        return "<tf.Variable '%s' shape=%s dtype=%s, numpy=%s>" % (self.name, self.get_shape(), self.dtype.name, self._read()._text(True))

    __str__ = __repr__


class _LaterVariable(EagerVariable):
    """A variable after an assignment in a traced function; reads of it wait for the assignment."""

    op = property(lambda self: self._parent)

    def _read(self):
        with ops.control_dependencies([self._parent]):
            return raw("ReadVariableOp")(self._tensor, self._dtype)

    value = read_value = _read


EagerVariable.__name__ = EagerVariable.__qualname__ = "ResourceVariable"
EagerVariable.__module__ = "tensorflow.python.ops.resource_variable_ops"


_made = 0


def made_since():
    """How many variables were made so far."""
    return _made


def _restored(value, trainable, name):
    return EagerVariable(value, trainable=trainable, name=name)


def begin_eagerly(v, initial_value, name, dtype, shape):
    """The part of ResourceVariable's constructor that makes nodes in a graph."""
    global _made
    _made += 1
    v.__class__ = EagerVariable
    graph = ops.get_default_graph()
    with graph.name_scope(name or "Variable") as scope:
        own = scope[:-1]
        value = initial_value() if callable(initial_value) else initial_value
        if isinstance(value, Tensor) and not isinstance(value, EagerTensor) and hasattr(value.graph, "value_now"):
            now = value.graph.value_now(value)  # of the first call of a function
            value = value if now is None else now
        if isinstance(value, Tensor) and not isinstance(value, EagerTensor):
            raise ValueError("Tensor-typed variable initializers must either be wrapped in an init_scope or callable")
        value = ops.convert_to_tensor(value, name="initial_value", dtype=dtype)
        v._dtype = value.dtype.base_dtype
        v._shape = value.shape if shape is None else TensorShape(shape)
        v._handle_name = own + ":0"
        unique = "%s_%d" % (own, next(_numbers))
        v._tensor = raw("VarHandleOp")(v._dtype, v._shape, container="", shared_name=unique, name=own)
        v._operation = _Operation(own, v._tensor.device, unique)
        raw("AssignVariableOp")(v._tensor, value)
    v._cached = None
    v._graph_key = graph._graph_key
    number = _weft.eager_id(v._tensor)
    _variables[number] = weakref.ref(v)
    if v._trainable:
        _weft.eager_is_variable(v._tensor)
    weakref.finalize(v, _destroy, v._tensor, number).atexit = False


resource_variable.begin_eagerly = begin_eagerly
ops.register_tensor_conversion_function(EagerVariable, lambda v, dtype=None, name=None, as_ref=False: _converted(v, dtype), 50)


def _converted(v, dtype):
    if dtype is not None and not dtype.is_compatible_with(v.dtype):
        raise ValueError("Incompatible type conversion requested to type {!r} for variable of type {!r}".format(dtype.name, v.dtype.name))
    return v.value()
