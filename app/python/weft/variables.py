"""tf.Variable: reference variables and resource variables, and what is asked of all of them."""

import enum

import numpy as np

from . import _weft, constants, dtypes, ops
from .exports import export, export_value
from .op_calls import raw
from .ops import GraphKeys, Tensor
from .tensor_shape import TensorShape, unknown_shape


@export("VariableSynchronization")
class VariableSynchronization(enum.Enum):
    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


@export("VariableAggregation")
class VariableAggregation(enum.Enum):
    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3
    ONLY_FIRST_TOWER = 3


_AGGREGATION = {0: 0, 1: 1, 2: 2, 3: 3}


def check_synchronization_and_aggregation(synchronization, aggregation, trainable, name):
    """What `trainable`, synchronization and aggregation are, with their defaults."""
    if aggregation is None:
        aggregation = VariableAggregation.NONE
    elif not isinstance(aggregation, VariableAggregation):
        raise ValueError("Invalid variable aggregation mode: {} for variable: {}".format(aggregation, name))
    if synchronization is None:
        synchronization = VariableSynchronization.AUTO
    elif not isinstance(synchronization, VariableSynchronization):
        raise ValueError("Invalid variable synchronization mode: {} for variable: {}".format(synchronization, name))
    if trainable is None:
        trainable = synchronization != VariableSynchronization.ON_READ
    elif trainable and synchronization == VariableSynchronization.ON_READ:
        raise ValueError("Synchronization value can be set to VariableSynchronization.ON_READ only for non-trainable variables. You have specified trainable=True and synchronization=VariableSynchronization.ON_READ.")
    return synchronization, aggregation, trainable


class _Kind(type):
    """tf.Variable(…) makes the variable that the scopes around ask for."""

    def __call__(cls, *args, **kwargs):
        if cls is Variable:
            return _make(*args, **kwargs)
        return super().__call__(*args, **kwargs)


def _make(initial_value=None, trainable=None, collections=None, validate_shape=True, caching_device=None, name=None, variable_def=None, dtype=None,
          expected_shape=None, import_scope=None, constraint=None, use_resource=None, synchronization=VariableSynchronization.AUTO,
          aggregation=VariableAggregation.NONE, shape=None):
    def default(next_creator=None, **kwargs):
        return _default_creator(**kwargs)

    creator = default
    for outer in _creator_stack(ops.get_default_graph()):
        creator = _nested(creator, outer)
    return creator(initial_value=initial_value, trainable=trainable, collections=collections, validate_shape=validate_shape, caching_device=caching_device, name=name,
                   variable_def=variable_def, dtype=dtype, expected_shape=expected_shape, import_scope=import_scope, constraint=constraint, use_resource=use_resource,
                   synchronization=synchronization, aggregation=aggregation, shape=shape)


def _nested(inner, outer):
    return lambda **kwargs: outer(inner, **kwargs)


def _creator_stack(graph):
    return graph.__dict__.setdefault("_variable_creators", [])


@export("variable_creator_scope")
class variable_creator_scope:
    """Inside, variable_creator(next_creator, **kwargs) makes the variables."""

    def __init__(self, variable_creator):
        self._creator = variable_creator

    def __enter__(self):
        self._stack = _creator_stack(ops.get_default_graph())
        self._stack.append(self._creator)

    def __exit__(self, *unused):
        self._stack.pop()


_use_resources = False


@export("enable_resource_variables")
def enable_resource_variables():
    """From now on variables are resources unless asked otherwise."""
    global _use_resources
    _use_resources = True


@export("disable_resource_variables")
def disable_resource_variables():
    global _use_resources
    _use_resources = False


@export("resource_variables_enabled")
def resource_variables_enabled():
    return _use_resources


def _default_creator(initial_value, trainable, collections, validate_shape, caching_device, name, variable_def, dtype, expected_shape=None, import_scope=None,
                     constraint=None, use_resource=None, synchronization=None, aggregation=None, shape=None):
    if use_resource is None:
        from .variable_scope import get_variable_scope

        use_resource = get_variable_scope().use_resource
    if use_resource is None:
        use_resource = _use_resources
    kind = ResourceVariable if use_resource else RefVariable
    return kind(initial_value=initial_value, trainable=trainable, collections=collections, validate_shape=validate_shape, caching_device=caching_device, name=name,
                dtype=dtype, constraint=constraint, variable_def=variable_def, import_scope=import_scope, synchronization=synchronization, aggregation=aggregation,
                shape=shape, expected_shape=expected_shape)


class SaveSliceInfo:
    """Where the part that a variable is lies in the whole: full name, full shape, offset and shape of the part."""

    def __init__(self, full_name=None, full_shape=None, var_offset=None, var_shape=None, save_slice_info_def=None, import_scope=None):
        if save_slice_info_def is not None:
            self.full_name = (import_scope + "/" if import_scope else "") + save_slice_info_def.full_name
            self.full_shape = list(save_slice_info_def.full_shape)
            self.var_offset = list(save_slice_info_def.var_offset)
            self.var_shape = list(save_slice_info_def.var_shape)
        else:
            self.full_name, self.full_shape, self.var_offset, self.var_shape = full_name, full_shape, var_offset, var_shape

    @property
    def spec(self):
        """As savers write it: "10 4 0,5:0,4"."""
        return " ".join(str(d) for d in self.full_shape) + " " + ":".join("%d,%d" % (o, s) for o, s in zip(self.var_offset, self.var_shape))

    def to_proto(self, export_scope=None):
        from .protos import SaveSliceInfoDef
        from .training.names import strip_scope

        if not (export_scope is None or self.full_name.startswith(export_scope)):
            return None
        return SaveSliceInfoDef(full_name=strip_scope(self.full_name, export_scope), full_shape=self.full_shape, var_offset=self.var_offset, var_shape=self.var_shape)


@export("Variable")
class Variable(metaclass=_Kind):
    """A value that lives in a session from one step to the next."""

    __array_priority__ = 100
    _is_variable = True
    SaveSliceInfo = SaveSliceInfo
    trainable = property(lambda self: self._trainable)
    constraint = property(lambda self: self._constraint)
    synchronization = property(lambda self: self._synchronization)
    aggregation = property(lambda self: self._aggregation)
    initial_value = property(lambda self: self._initial_value)
    initializer = property(lambda self: self._initializer_op)
    _save_slice_info = None
    _constraint = None
    _synchronization = VariableSynchronization.AUTO
    _aggregation = VariableAggregation.NONE

    @property
    def _shared_name(self):
        return self.name[:-2]

    def _set_save_slice_info(self, info):
        self._save_slice_info = info

    def _get_save_slice_info(self):
        return self._save_slice_info

    @property
    def graph(self):
        return self._tensor.graph

    @property
    def device(self):
        return self._tensor.device

    def get_shape(self):
        return self.shape

    def eval(self, session=None):
        """The variable's value in `session` or the default one."""
        return self._as_graph_element().eval(session=session)

    def initialized_value(self):
        """The value if it is initialised, else the initial value."""
        import tensorflow as tf

        with ops.init_scope():
            return tf.cond(tf.is_variable_initialized(self), self.read_value, lambda: self.initial_value)

    def load(self, value, session=None):
        """Sets the value in a session, without adding nodes."""
        session = session or ops.get_default_session()
        if session is None:
            raise ValueError("Either session argument should be provided or default session should be established")
        session.run(self._initializer_op, {self._initializer_op.inputs[1]: value})

    def _variable_def(self):
        return self.to_proto().SerializeToString()

    def to_proto(self, export_scope=None):
        from .protos import VariableDef
        from .training.names import strip_scope

        if not (export_scope is None or self.name.startswith(export_scope)):
            return None
        d = VariableDef(variable_name=strip_scope(self._tensor.name, export_scope), initializer_name=strip_scope(self._initializer_op.name, export_scope),
                        snapshot_name=strip_scope(self._snapshot.name, export_scope), is_resource=self._resource, trainable=bool(self._trainable),
                        synchronization=self._synchronization.value, aggregation=self._aggregation.value)
        if self._initial_value is not None:
            d.initial_value_name = strip_scope(self._initial_value.name, export_scope)
        if self._save_slice_info:
            d.save_slice_info_def.MergeFrom(self._save_slice_info.to_proto(export_scope))
        return d

    @staticmethod
    def from_proto(variable_def, import_scope=None):
        kind = ResourceVariable if variable_def.is_resource else RefVariable
        v = kind.__new__(kind)
        v._from_def(variable_def, import_scope)
        return v

    def _from_def(self, d, import_scope=None):
        from .training.names import prepend_scope

        graph = ops.get_default_graph()
        find = lambda name: graph.as_graph_element(prepend_scope(name, import_scope))
        self._tensor = find(d.variable_name)
        self._initializer_op = find(d.initializer_name) if d.initializer_name else None
        self._snapshot = find(d.snapshot_name) if d.snapshot_name else None
        self._initial_value = find(d.initial_value_name) if d.initial_value_name else None
        self._synchronization, self._aggregation, self._trainable = check_synchronization_and_aggregation(
            VariableSynchronization(d.synchronization), VariableAggregation(_AGGREGATION.get(d.aggregation, 0)), d.trainable, d.variable_name)
        self._caching_device = None
        self._save_slice_info = SaveSliceInfo(save_slice_info_def=d.save_slice_info_def, import_scope=import_scope) if d.HasField("save_slice_info_def") else None
        self._graph_key = graph._graph_key
        self._restored()
        self._know()

    def _restored(self):
        pass

    def _know(self):
        """Tells the engine's functions of this variable."""
        core = self.graph._core
        self._weft = _weft.make_variable(core, self._tensor.op.name, self._tensor, self._snapshot, self._initial_value, self._initializer_op,
                                         self.dtype.base_dtype._number, self.shape, self._resource, bool(self._trainable))
        _by_handle(self.graph)[self._tensor.name] = self

    def experimental_ref(self):
        return _Reference(self)

    def _gather_saveables_for_checkpoint(self):
        return {"VARIABLE_VALUE": self}

    def __iter__(self):
        raise TypeError("'Variable' object is not iterable.")

    __hash__ = object.__hash__

    def __eq__(self, other):
        return self is other

    def __ne__(self, other):
        return self is not other

    @staticmethod
    def _OverloadAllOperators():
        pass


class _Reference:
    def __init__(self, v):
        self._v = v

    def deref(self):
        return self._v

    def __hash__(self):
        return id(self._v)

    def __eq__(self, other):
        return isinstance(other, _Reference) and self._v is other._v


def _by_handle(graph):
    return graph.__dict__.setdefault("_variables_by_handle", {})


def variable_from_def(graph, data):
    """The variable of a serialised VariableDef: the object that there is, or a new one."""
    from .protos import VariableDef

    d = VariableDef.FromString(data)
    there = _by_handle(graph).get(d.variable_name)
    if there is not None:
        return there
    try:
        return of_engine(graph, graph.get_tensor_by_name(d.variable_name)) if _weft.find_variable(graph._core, d.variable_name.split(":")[0]) else _imported(graph, d)
    except KeyError:
        return None


def _imported(graph, d):
    with graph.as_default():
        return Variable.from_proto(d)


def _checked_collections(collections, trainable):
    if collections is None:
        collections = [GraphKeys.GLOBAL_VARIABLES]
    if not isinstance(collections, (list, tuple, set)):
        raise ValueError("collections argument to Variable constructor must be a list, tuple, or set. Got %s of type %s" % (collections, type(collections)))
    if trainable and GraphKeys.TRAINABLE_VARIABLES not in collections:
        collections = list(collections) + [GraphKeys.TRAINABLE_VARIABLES]
    return collections


def _refuse_inside_flow(value, name):
    if value.op._get_control_flow_context() is not None:
        raise ValueError("Initializer for variable %s is from inside a control-flow construct, such as a loop or conditional. When creating a variable inside a loop or "
                         "conditional, use a lambda as the initializer." % name)


@export("_RefVariable")
class RefVariable(Variable):
    """A variable that operations hold by reference (VariableV2)."""

    _resource = False

    def __init__(self, initial_value=None, trainable=None, collections=None, validate_shape=True, caching_device=None, name=None, variable_def=None, dtype=None,
                 expected_shape=None, import_scope=None, constraint=None, synchronization=None, aggregation=None, shape=None):
        if variable_def is not None:
            if initial_value is not None:
                raise ValueError("variable_def and initial_value are mutually exclusive.")
            self._from_def(variable_def, import_scope)
            return
        self._synchronization, self._aggregation, trainable = check_synchronization_and_aggregation(synchronization, aggregation, trainable, name)
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        is_function = callable(initial_value)
        if constraint is not None and not callable(constraint):
            raise ValueError("The `constraint` argument must be a callable.")
        collections = _checked_collections(collections, trainable)
        graph = ops._get_graph_from_inputs([] if is_function else [initial_value])
        self._graph_key = graph._graph_key
        self._trainable = trainable
        self._constraint = constraint
        self._caching_device = caching_device
        if not name:
            name = "Variable"
        with graph.as_default(), ops.init_scope(), graph.name_scope(name) as scope:
            if is_function:
                with graph._attr_scope({"_class": ["loc:@" + scope[:-1]]}):
                    with graph.name_scope("Initializer"), graph.device(None):
                        self._initial_value = ops.convert_to_tensor(initial_value(), name="initial_value", dtype=dtype)
                        shape = self._initial_value.get_shape() if validate_shape else unknown_shape()
                    self._tensor = _variable_op(shape, self._initial_value.dtype.base_dtype, scope, graph)
            else:
                self._initial_value = ops.convert_to_tensor(initial_value, name="initial_value", dtype=dtype)
                _refuse_inside_flow(self._initial_value, scope)
                shape = self._initial_value.get_shape() if validate_shape else unknown_shape()
                self._tensor = _variable_op(shape, self._initial_value.dtype.base_dtype, scope, graph)
            if validate_shape and not self._initial_value.get_shape().is_fully_defined():
                raise ValueError("initial_value must have a shape specified: %s" % self._initial_value)
            self._initializer_op = _assign(self._tensor, _guarded(scope, self._initial_value), validate_shape=validate_shape).op
            if caching_device is not None:
                with graph.device(caching_device):
                    self._snapshot = raw("Identity")(self._tensor, name="read")
            else:
                with graph.colocate_with(self._tensor.op):
                    self._snapshot = raw("Identity")(self._tensor, name="read")
        self._know()
        graph.add_to_collections(collections, self)

    _variable = property(lambda self: self._tensor)
    op = property(lambda self: self._tensor.op)
    name = property(lambda self: self._tensor.name)
    dtype = property(lambda self: self._tensor.dtype)
    shape = property(lambda self: self._tensor.get_shape())

    def _ref(self):
        return self._tensor

    def _as_graph_element(self):
        return self._tensor

    def value(self):
        """The snapshot, or the reference itself if the variable has none."""
        return self._snapshot

    def _AsTensor(self):
        return self._snapshot

    def read_value(self):
        """The value when this operation runs, not before."""
        return raw("Identity")(self._tensor, name="read")

    def set_shape(self, shape):
        self._ref().set_shape(shape)
        self.value().set_shape(shape)

    def is_initialized(self, name=None):
        return raw("IsVariableInitialized")(self._tensor, name=name)

    def _result(self, assigned, read_value):
        return assigned if read_value else assigned.op

    def assign(self, value, use_locking=False, name=None, read_value=True):
        return self._result(_assign(self._tensor, value, use_locking=use_locking, name=name), read_value)

    def assign_add(self, delta, use_locking=False, name=None, read_value=True):
        return self._result(raw("AssignAdd")(self._tensor, delta, use_locking=use_locking, name=name), read_value)

    def assign_sub(self, delta, use_locking=False, name=None, read_value=True):
        return self._result(raw("AssignSub")(self._tensor, delta, use_locking=use_locking, name=name), read_value)

    def _scatter(self, op, sparse_delta, use_locking, name):
        if not isinstance(sparse_delta, ops.IndexedSlices):
            raise ValueError("sparse_delta is not IndexedSlices: %s" % sparse_delta)
        return raw(op)(self._tensor, sparse_delta.indices, sparse_delta.values, use_locking=use_locking, name=name)

    def scatter_sub(self, sparse_delta, use_locking=False, name=None):
        return self._scatter("ScatterSub", sparse_delta, use_locking, name)

    def scatter_add(self, sparse_delta, use_locking=False, name=None):
        return self._scatter("ScatterAdd", sparse_delta, use_locking, name)

    def scatter_update(self, sparse_delta, use_locking=False, name=None):
        return self._scatter("ScatterUpdate", sparse_delta, use_locking, name)

    def scatter_nd_sub(self, indices, updates, name=None):
        return raw("ScatterNdSub")(self._tensor, indices, updates, use_locking=True, name=name)

    def scatter_nd_add(self, indices, updates, name=None):
        return raw("ScatterNdAdd")(self._tensor, indices, updates, use_locking=True, name=name)

    def scatter_nd_update(self, indices, updates, name=None):
        return raw("ScatterNdUpdate")(self._tensor, indices, updates, use_locking=True, name=name)

    def count_up_to(self, limit):
        return raw("CountUpTo")(self._tensor, limit=limit)

    def __repr__(self):
        return "<tf.Variable '%s' shape=%s dtype=%s>" % (self.name, self.get_shape(), self.dtype.name)


def _variable_op(shape, dtype, name, graph):
    return raw("VariableV2")(shape, dtype, container=graph._container, shared_name="", name=name)


def _assign(ref, value, validate_shape=None, use_locking=None, name=None):
    return raw("Assign")(ref, value, validate_shape=validate_shape, use_locking=use_locking, name=name)


@export("_ResourceVariable")
class ResourceVariable(Variable):
    """A variable behind a handle (VarHandleOp): each read is an operation."""

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
        if isinstance(initial_value, Tensor) and hasattr(initial_value, "graph") and initial_value.graph.building_function:
            raise ValueError("Tensor-typed variable initializers must either be wrapped in an init_scope or callable")
        collections = _checked_collections(collections, trainable)
        if constraint is not None and not callable(constraint):
            raise ValueError("The `constraint` argument must be a callable.")
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
            with graph.name_scope("Read"), graph.device(self._tensor.device):
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
            with self.graph.control_dependencies([self._parent]):
                return raw("ReadVariableOp")(self._tensor, self._dtype)
        return raw("ReadVariableOp")(self._tensor, self._dtype)

    def value(self):
        """A fresh read."""
        if self._cached is not None:
            return self._cached
        graph = self.graph
        with graph.colocate_with(None, ignore_existing=True), graph.device(self._tensor.device):
            return self._read()

    def read_value(self):
        """A fresh read, placed where the surroundings say."""
        graph = self.graph
        with graph.name_scope("Read"):
            with graph.device(self._tensor.device):
                value = self._read()
        return raw("Identity")(value)

    def sparse_read(self, indices, name=None):
        """Rows of the value, without reading all of it."""
        with self.graph.name_scope("Gather" if name is None else name) as scope:
            value = raw("ResourceGather")(self._tensor, indices, dtype=self._dtype, name=scope)
        return raw("Identity")(value)

    def gather_nd(self, indices, name=None):
        with self.graph.name_scope("GatherNd" if name is None else name) as scope:
            value = raw("ResourceGatherNd")(self._tensor, indices, dtype=self._dtype, name=scope)
        return raw("Identity")(value)

    def is_initialized(self, name=None):
        return raw("VarIsInitializedOp")(self._tensor, name=name)

    def _after(self, op):
        later = _Unread.__new__(_Unread)
        later.__dict__.update(self.__dict__)
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

    def __repr__(self):
        return "<tf.Variable '%s' shape=%s dtype=%s>" % (self.name, self.get_shape(), self.dtype.name)


class _Unread(ResourceVariable):
    """A resource variable after an assignment: reads of it wait for that."""

    name = property(lambda self: self._parent.name)

    def _as_graph_element(self):
        return self._snapshot


def _variable_to_tensor(v, dtype=None, name=None, as_ref=False):
    if dtype is not None and not dtype.is_compatible_with(v.dtype):
        raise ValueError("Incompatible type conversion requested to type '%s' for variable of type '%s'" % (dtype.name, v.dtype.name))
    if v._resource:
        return v.read_value().op.inputs[0] if as_ref else v.value()
    return v._ref() if as_ref else v.value()


ops.register_tensor_conversion_function(Variable, _variable_to_tensor, 50)


# An initial value that is computed from other variables reads them safely: a copy of the expression with their initialized_value().
def _has_cycle(op, state):
    stack = [(op, iter([i.op for i in op.inputs] + op.control_inputs))]
    state[op._node] = 1
    while stack:
        current, rest = stack[-1]
        for before in rest:
            seen = state.get(before._node, 0)
            if seen == 1:
                return True
            if seen == 0:
                state[before._node] = 1
                stack.append((before, iter([i.op for i in before.inputs] + before.control_inputs)))
                break
        else:
            state[current._node] = 2
            stack.pop()
    return False


def _guarded(name, value):
    if not value.op.inputs:
        op = value.op
        if op.type not in ("Variable", "VariableV2", "VarHandleOp"):
            return value
    if _has_cycle(value.op, {}):
        return value
    return _safe(name, value, {})


def _safe(name, tensor, cache):
    op = tensor.op
    made = cache.get(op._node)
    if made is None:
        made = cache[op._node] = _safe_op(name, op, cache)
    return made.outputs[tensor.value_index]


def _safe_op(name, op, cache):
    kind = op.type
    if kind in ("IsVariableInitialized", "VarIsInitializedOp", "ReadVariableOp", "If"):
        return op
    if kind in ("Variable", "VariableV2", "VarHandleOp"):
        for collection in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES):
            for v in op.graph.get_collection(collection):
                if getattr(v, "name", None) in (op.name, op.name + ":0"):
                    return v.initialized_value().op
        return op
    inputs = list(op.inputs)
    made = [_safe(name, i, cache) for i in inputs]
    if all(a is b for a, b in zip(inputs, made)):
        return op
    attrs = op.node_def.attr
    new_name = (op.name + "_" + name).replace(":", "_")
    return op.graph.create_op("Switch" if kind == "RefSwitch" else kind, made, name=new_name, attrs=attrs)


# Sets of variables.
@export("global_variables")
def global_variables(scope=None):
    return ops.get_collection(GraphKeys.GLOBAL_VARIABLES, scope)


@export("all_variables")
def all_variables():
    return global_variables()


@export("local_variables")
def local_variables(scope=None):
    return ops.get_collection(GraphKeys.LOCAL_VARIABLES, scope)


@export("model_variables")
def model_variables(scope=None):
    return ops.get_collection(GraphKeys.MODEL_VARIABLES, scope)


@export("trainable_variables")
def trainable_variables(scope=None):
    return ops.get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)


@export("moving_average_variables")
def moving_average_variables(scope=None):
    return ops.get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)


@export("variables_initializer", "initializers.variables", "initialize_variables")
def variables_initializer(var_list, name="init"):
    """An operation that initialises all of `var_list`."""
    import tensorflow as tf

    if var_list:
        return tf.group(*[v.initializer for v in var_list], name=name)
    return tf.group(name=name)


@export("global_variables_initializer", "initializers.global_variables", "initialize_all_variables")
def global_variables_initializer():
    return variables_initializer(global_variables())


@export("local_variables_initializer", "initializers.local_variables", "initialize_local_variables")
def local_variables_initializer():
    return variables_initializer(local_variables())


@export("is_variable_initialized")
def is_variable_initialized(variable):
    return variable.is_initialized() if variable._resource else raw("IsVariableInitialized")(variable)


@export("report_uninitialized_variables")
def report_uninitialized_variables(var_list=None, name="report_uninitialized_variables"):
    """A tensor with the names of the variables that are not initialised."""
    import tensorflow as tf

    if var_list is None:
        var_list = global_variables() + local_variables()
        if not var_list:
            var_list = [op.outputs[0] for op in ops.get_default_graph().get_operations() if op.type in ("Variable", "VariableV2", "AutoReloadVariable")]
    with tf.name_scope(name):
        if var_list:
            init_vars = [tf.is_variable_initialized(v) for v in var_list]
        with tf.device("/cpu:0"):
            if not var_list:
                return tf.constant([], dtype=tf.string)
            mask = tf.logical_not(tf.stack(init_vars))
            names = tf.constant([v.op.name for v in var_list])
            return tf.boolean_mask(names, mask)


@export("assert_variables_initialized")
def assert_variables_initialized(var_list=None):
    import tensorflow as tf

    if var_list is None:
        var_list = global_variables() + local_variables()
    if not var_list:
        return None
    ranks = []
    for v in var_list:
        with tf.colocate_with(v.op if not isinstance(v, Tensor) else v):
            ranks.append(tf.raw_ops.Rank(input=v))
    return ranks[0] if len(ranks) == 1 else tf.stack(ranks)


def _is_reference(ref):
    return ref.dtype._is_ref_dtype


@export("assign", "compat.v1.assign")
def assign(ref, value, validate_shape=None, use_locking=None, name=None):
    """Writes `value` into a variable."""
    if _is_reference(ref):
        return raw("Assign")(ref, value, use_locking=use_locking, name=name, validate_shape=validate_shape)
    return ref.assign(value, name=name)


@export("assign_add")
def assign_add(ref, value, use_locking=None, name=None):
    if _is_reference(ref):
        return raw("AssignAdd")(ref, value, use_locking=use_locking, name=name)
    return ref.assign_add(value)


@export("assign_sub")
def assign_sub(ref, value, use_locking=None, name=None):
    if _is_reference(ref):
        return raw("AssignSub")(ref, value, use_locking=use_locking, name=name)
    return ref.assign_sub(value)


@export("count_up_to")
def count_up_to(ref, limit, name=None):
    if _is_reference(ref):
        return raw("CountUpTo")(ref, limit=limit, name=name)
    return raw("ResourceCountUpTo")(ref.handle, limit, T=ref.dtype, name=name)


def _scatter_function(public, op, nd=False):
    resource = "Resource" + op

    def scatter(ref, indices, updates, use_locking=public in ("scatter_update", "scatter_nd_update"), name=None):
        if _is_reference(ref):
            return raw(op)(ref, indices, updates, use_locking=use_locking, name=name)
        made = raw(resource)(ref.handle, ops.convert_to_tensor(indices) if not nd else indices, ops.convert_to_tensor(updates, ref.dtype), name=name)
        return ref._after(made)

    scatter.__name__ = public
    scatter.__doc__ = "Changes the rows `indices` of a variable (%s)." % op
    export(public)(scatter)


for _public, _op in (("scatter_update", "ScatterUpdate"), ("scatter_add", "ScatterAdd"), ("scatter_sub", "ScatterSub"), ("scatter_mul", "ScatterMul"), ("scatter_div", "ScatterDiv"),
                     ("scatter_min", "ScatterMin"), ("scatter_max", "ScatterMax"), ("scatter_nd_update", "ScatterNdUpdate"), ("scatter_nd_add", "ScatterNdAdd"),
                     ("scatter_nd_sub", "ScatterNdSub")):
    _scatter_function(_public, _op, "Nd" in _op)


def of_engine(graph, handle):
    """The variable with that handle, as a function of the engine returns it."""
    there = _by_handle(graph).get(handle.name)
    if there is not None:
        return there
    found = _weft.find_variable(graph._core, handle.op.name)
    if found is None:
        return handle
    held, facts = found
    kind = ResourceVariable if facts["resource"] else RefVariable
    v = kind.__new__(kind)
    v._weft, v._tensor, v._snapshot, v._initial_value, v._initializer_op = held, facts["handle"], facts["snapshot"], facts["initial_value"], facts["initializer"]
    v._trainable, v._caching_device, v._graph_key = facts["trainable"], None, graph._graph_key
    if facts["resource"]:
        v._restored()
    _by_handle(graph)[handle.name] = v
    return v
