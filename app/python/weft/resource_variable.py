"""Resource variables."""

from . import dtypes, ops
from .exports import export
from .graph_keys import GraphKeys
from .op_calls import raw
from .ops import Tensor
from .safe_initial_value import _guarded
from .tensor_shape import TensorShape
from .variable_base import _checked_collections, _refuse_inside_flow, check_synchronization_and_aggregation, kinds, Variable


begin_eagerly = None  # makes a variable while execution is eager (eager/variables.py)


@export("_ResourceVariable")
class ResourceVariable(Variable):
    """A variable with a handle (VarHandleOp); each read is an operation."""

    _resource = True
    _parent = None

    def __init__(self, initial_value=None, trainable=None, collections=None, validate_shape=True, caching_device=None, name=None, dtype=None, variable_def=None,
                 import_scope=None, constraint=None, distribute_strategy=None, synchronization=None, aggregation=None, shape=None, expected_shape=None):
        if variable_def is not None:
            if initial_value is not None:
                raise ValueError("variable_def and initial_value are mutually exclusive.")
            self._from_def(variable_def, import_scope)
            return
        self._synchronization, self._aggregation, trainable = check_synchronization_and_aggregation(synchronization, aggregation, trainable, name)
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        is_function = callable(initial_value)
        if isinstance(initial_value, Tensor) and hasattr(initial_value, "graph") and initial_value.graph.building_function and \
                getattr(initial_value.graph, "given", None) is None:  # a function in its first call has values
            raise ValueError("Tensor-typed variable initializers must either be wrapped in an init_scope or callable")
        collections = _checked_collections(collections, trainable)
        if constraint is not None and not callable(constraint):
            raise ValueError("The `constraint` argument must be a callable.")
        with ops.init_scope():
            is_eager = ops.get_default_graph()._eager
            if is_eager:
                self._trainable, self._constraint, self._caching_device = trainable, constraint, caching_device
                begin_eagerly(self, initial_value, name, dtype, shape)
                if GraphKeys.GLOBAL_STEP in collections:  # the only collection that is kept while execution is eager
                    ops.add_to_collection(GraphKeys.GLOBAL_STEP, self)
                return
        graph = ops._get_graph_from_inputs([] if is_function else [initial_value])
        self._graph_key = graph._graph_key
        self._trainable = trainable
        self._constraint = constraint
        self._caching_device = caching_device
        self._cached = None
        if not name:
            name = "Variable"
        with graph.as_default(), ops.init_scope(), graph.name_scope(name) as scope:
            own = scope[:-1]
            with graph._attr_scope({"_class": ["loc:@" + own]}):
                with graph.name_scope("Initializer"), graph.device(None):
                    self._initial_value = ops.convert_to_tensor(initial_value() if is_function else initial_value, name="initial_value", dtype=dtype)
                _refuse_inside_flow(self._initial_value, name)
                self._dtype = self._initial_value.dtype.base_dtype
                shape = self._initial_value.get_shape() if shape is None else TensorShape(shape)
                self._tensor = raw("VarHandleOp")(self._dtype, shape, container=graph._container, shared_name=own, name=scope)
                self._shape = shape
            with graph.name_scope("IsInitialized"):
                self._is_initialized_op = raw("VarIsInitializedOp")(self._tensor)
            with graph.name_scope("Assign") as n, graph.colocate_with(None, ignore_existing=True), graph.device(self._tensor.device):
                self._initializer_op = raw("AssignVariableOp")(self._tensor, _guarded(name, self._initial_value), name=n)
            with graph.name_scope("Read"):
                with graph.device(self._tensor.device):
                    self._snapshot = raw("ReadVariableOp")(self._tensor, self._dtype)
                if caching_device is not None:
                    with graph.colocate_with(None, ignore_existing=True), graph.device(caching_device):
                        self._cached = raw("Identity")(self._snapshot)
        self._know()
        graph.add_to_collections(collections, self)

    def _restored(self):
        op = self._tensor.op
        self._dtype = dtypes.as_dtype(op.get_attr("dtype"))
        self._shape = TensorShape(op.get_attr("shape"))
        self._cached = None
        self._is_initialized_op = None

    handle = property(lambda self: self._tensor)
    _handle = property(lambda self: self._tensor)
    name = property(lambda self: self._tensor.name)
    dtype = property(lambda self: self._dtype)
    shape = property(lambda self: self._shape)

    @property
    def op(self):
        return self._parent if self._parent is not None else self._tensor.op

    @property
    def create(self):
        return self._initializer_op

    def _as_graph_element(self):
        return self._snapshot

    def _read(self):
        if self._parent is not None:
            with ops.control_dependencies([self._parent]):
                return raw("ReadVariableOp")(self._tensor, self._dtype)
        return raw("ReadVariableOp")(self._tensor, self._dtype)

    def value(self):
        """A new read."""
        if self._cached is not None:
            return self._cached
        graph = ops.get_default_graph()  # if a function is being built, its graph captures the handle
        with graph.colocate_with(None, ignore_existing=True), graph.device(self._tensor.device):
            return self._read()

    def read_value(self):
        """A new read, followed by an Identity on the device of the current scope."""
        graph = ops.get_default_graph()
        with graph.name_scope("Read"):
            with graph.device(self._tensor.device):
                value = self._read()
        return raw("Identity")(value)

    def sparse_read(self, indices, name=None):
        """Rows of the value, without a read of all of it."""
        with ops.get_default_graph().name_scope("Gather" if name is None else name) as scope:
            value = raw("ResourceGather")(self._tensor, indices, dtype=self._dtype, name=scope)
        return raw("Identity")(value)

    def gather_nd(self, indices, name=None):
        with ops.get_default_graph().name_scope("GatherNd" if name is None else name) as scope:
            value = raw("ResourceGatherNd")(self._tensor, indices, dtype=self._dtype, name=scope)
        return raw("Identity")(value)

    def is_initialized(self, name=None):
        return raw("VarIsInitializedOp")(self._tensor, name=name)

    def _after(self, op):
        later = _UnreadVariable.__new__(_UnreadVariable)
        later.__dict__.update(self.__dict__)
        later.__dict__.pop("_distributed_container", None)  # a result of one device, no longer the variable of all of them
        later._parent = op
        later._unread = True
        later._snapshot = later._read()
        return later

    def _changed(self, op, read_value):
        return self._after(op) if read_value else op

    def assign(self, value, use_locking=None, name=None, read_value=True):
        value = ops.convert_to_tensor(value, dtype=self._dtype)
        self._shape.assert_is_compatible_with(value.shape)
        return self._changed(raw("AssignVariableOp")(self._tensor, value, name=name), read_value)

    def assign_add(self, delta, use_locking=None, name=None, read_value=True):
        return self._changed(raw("AssignAddVariableOp")(self._tensor, ops.convert_to_tensor(delta, dtype=self._dtype), name=name), read_value)

    def assign_sub(self, delta, use_locking=None, name=None, read_value=True):
        return self._changed(raw("AssignSubVariableOp")(self._tensor, ops.convert_to_tensor(delta, dtype=self._dtype), name=name), read_value)

    def _scatter(self, op, sparse_delta, name):
        if not isinstance(sparse_delta, ops.IndexedSlices):
            raise ValueError("sparse_delta is not IndexedSlices: %s" % sparse_delta)
        return self._after(raw(op)(self._tensor, sparse_delta.indices, ops.convert_to_tensor(sparse_delta.values, self._dtype), name=name))

    def scatter_sub(self, sparse_delta, use_locking=False, name=None):
        return self._scatter("ResourceScatterSub", sparse_delta, name)

    def scatter_add(self, sparse_delta, use_locking=False, name=None):
        return self._scatter("ResourceScatterAdd", sparse_delta, name)

    def scatter_update(self, sparse_delta, use_locking=False, name=None):
        return self._scatter("ResourceScatterUpdate", sparse_delta, name)

    def scatter_max(self, sparse_delta, use_locking=False, name=None):
        return self._scatter("ResourceScatterMax", sparse_delta, name)

    def scatter_min(self, sparse_delta, use_locking=False, name=None):
        return self._scatter("ResourceScatterMin", sparse_delta, name)

    def scatter_mul(self, sparse_delta, use_locking=False, name=None):
        return self._scatter("ResourceScatterMul", sparse_delta, name)

    def scatter_div(self, sparse_delta, use_locking=False, name=None):
        return self._scatter("ResourceScatterDiv", sparse_delta, name)

    def _scatter_nd(self, op, indices, updates, name):
        return self._after(raw(op)(self._tensor, indices, ops.convert_to_tensor(updates, self._dtype), name=name))

    def scatter_nd_sub(self, indices, updates, name=None):
        return self._scatter_nd("ResourceScatterNdSub", indices, updates, name)

    def scatter_nd_add(self, indices, updates, name=None):
        return self._scatter_nd("ResourceScatterNdAdd", indices, updates, name)

    def scatter_nd_update(self, indices, updates, name=None):
        return self._scatter_nd("ResourceScatterNdUpdate", indices, updates, name)

    def count_up_to(self, limit):
        return raw("ResourceCountUpTo")(self._tensor, limit=limit, T=self._dtype)

    def set_shape(self, shape):
        if not self.shape.is_compatible_with(shape):
            raise ValueError("Shapes %s and %s are incompatible" % (self.shape, shape))

    @property
    def _graph_element(self):
        return self._snapshot

    # Conversions that need the value.

    def __bool__(self):
        return bool(self.read_value())

    __nonzero__ = __bool__

    def __int__(self):
        if self.dtype.is_integer:
            return int(self.value().numpy())  # tensors of a graph have no numpy(), so this raises AttributeError
        raise TypeError("Non-integer variable can't be converted to integer.")

    def numpy(self):
        raise NotImplementedError("numpy() is only available when eager execution is enabled.")

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        raise NotImplementedError("__deepcopy__() is only available when eager execution is enabled.")

    def __repr__(self):
        return "<tf.Variable '%s' shape=%s dtype=%s>" % (self.name, self.get_shape(), self.dtype.name)


def _refuse_in_place(operator, instead):
    def refuse(self, other):
        plain = operator[:-1]
        if plain in "+-":
            raise RuntimeError("Variable %s value not supported. Use %s to modify the variable value and variable = variable %s value to get a new Tensor object."
                               % (operator, instead, plain))
        raise RuntimeError("Variable %s value not supported. Use %s to modify the variable or `var = var %s value` to get a new Tensor object."
                           % (operator, instead, plain))

    return refuse


for _method, _operator, _instead in (
        ("__iadd__", "+=", "variable.assign_add(value)"), ("__isub__", "-=", "variable.assign_sub(value)"), ("__imul__", "*=", "`var.assign(var * value)`"),
        ("__idiv__", "/=", "`var.assign(var / value)`"), ("__itruediv__", "/=", "`var.assign(var / value)`"),
        ("__irealdiv__", "/=", "`var.assign(var / value)`"), ("__ipow__", "**=", "`var.assign(var ** value)`")):
    setattr(ResourceVariable, _method, _refuse_in_place(_operator, _instead))
del _method, _operator, _instead


class _UnreadVariable(ResourceVariable):
    """A resource variable after an assignment; reads of it wait for the assignment."""

    name = property(lambda self: self._parent.name)

    def _as_graph_element(self):
        return self._snapshot

    def value(self):
        """A read on the device of the current scope."""
        return self._read()

    read_value = value


kinds[True] = ResourceVariable
