"""Shared parts of all variables: creation, the class Variable, slices for saving."""

import enum
import threading

from . import _weft, context, ops
from .control_flow import cond
from .exports import export
from .op_calls import raw
from .ops import GraphKeys
from .training.tracking.base import Trackable
from .util.object_identity import Reference


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


kinds = {}  # whether it is a resource -> class; set by ref_variable.py and resource_variable.py
_AGGREGATION = {0: 0, 1: 1, 2: 2, 3: 3}


def check_synchronization_and_aggregation(synchronization, aggregation, trainable, name):
    """(synchronization, aggregation, trainable), with defaults filled in."""
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
    """Metaclass: tf.Variable(…) creates the kind of variable that the surrounding scopes select."""

    def __call__(cls, *args, **kwargs):
        if cls is Variable:
            return _make(*args, **kwargs)
        return super().__call__(*args, **kwargs)


def _make(initial_value=None, trainable=None, collections=None, validate_shape=True, caching_device=None, name=None, variable_def=None, dtype=None,
          expected_shape=None, import_scope=None, constraint=None, use_resource=None, synchronization=VariableSynchronization.AUTO,
          aggregation=VariableAggregation.NONE, shape=None):
    def default(next_creator=None, **kwargs):
        return _default_creator(**kwargs)

    creator, graph = default, ops.get_default_graph()
    for outer in creators_of(graph):
        creator = _nested(creator, outer)
    orders = getattr(graph, "_orders", None)
    first = graph._core.size() if orders else 0
    made = creator(initial_value=initial_value, trainable=trainable, collections=collections, validate_shape=validate_shape, caching_device=caching_device, name=name,
                   variable_def=variable_def, dtype=dtype, expected_shape=expected_shape, import_scope=import_scope, constraint=constraint, use_resource=use_resource,
                   synchronization=synchronization, aggregation=aggregation, shape=shape)
    for order in orders or ():
        order.leave_out(first, graph._core.size())
    return made


def _nested(inner, outer):
    return lambda **kwargs: outer(inner, **kwargs)


class _Creators(threading.local):
    def __init__(self):
        super().__init__()
        self.stack = []


def creators_of(graph):
    """The variable creators of the open scopes of this thread, outermost first."""
    return graph.__dict__.setdefault("_variable_creators", _Creators()).stack


@export("variable_creator_scope")
class variable_creator_scope:
    """Context manager: variable_creator(next_creator, **kwargs) creates the variables inside."""

    def __init__(self, variable_creator):
        self._creator = variable_creator

    def __enter__(self):
        self._stack = creators_of(ops.get_default_graph())
        self._stack.append(self._creator)

    def __exit__(self, *unused):
        self._stack.pop()


_use_resources = False


@export("enable_resource_variables")
def enable_resource_variables():
    """From now on variables are resources by default."""
    global _use_resources
    _use_resources = True


@export("disable_resource_variables")
def disable_resource_variables():
    global _use_resources
    _use_resources = False


@export("resource_variables_enabled")
def resource_variables_enabled():
    return _use_resources


def _lives_eagerly():
    """Whether a new variable has its value at once, also while a function is traced."""
    graph = context.get_default_graph()
    while getattr(graph, "building_function", False) and getattr(graph, "outer_graph", None) is not None:
        graph = graph.outer_graph
    return graph._eager


def _default_creator(initial_value=None, trainable=None, collections=None, validate_shape=True, caching_device=None, name=None, variable_def=None, dtype=None, expected_shape=None, import_scope=None,
                     constraint=None, use_resource=None, synchronization=None, aggregation=None, shape=None, distribute_strategy=None):
    if use_resource is None:
        use_resource = context.get_variable_scope().use_resource
    if use_resource is None:
        use_resource = _use_resources
    use_resource = use_resource or _lives_eagerly()
    kind = kinds[bool(use_resource)]
    made = kind(initial_value=initial_value, trainable=trainable, collections=collections, validate_shape=validate_shape, caching_device=caching_device, name=name,
                dtype=dtype, constraint=constraint, variable_def=variable_def, import_scope=import_scope, synchronization=synchronization, aggregation=aggregation,
                shape=shape, expected_shape=expected_shape)
    if distribute_strategy is not None:
        made._distribute_strategy = distribute_strategy
    return made


class SaveSliceInfo:
    """The slice of a whole variable that this variable holds: full name, full shape, offset and shape of the slice."""

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
        """In the notation of savers: "10 4 0,5:0,4"."""
        return " ".join(str(d) for d in self.full_shape) + " " + ":".join("%d,%d" % (o, s) for o, s in zip(self.var_offset, self.var_shape))

    def to_proto(self, export_scope=None):
        from .protos import SaveSliceInfoDef
        from .training.names import strip_scope

        if not (export_scope is None or self.full_name.startswith(export_scope)):
            return None
        return SaveSliceInfoDef(full_name=strip_scope(self.full_name, export_scope), full_shape=self.full_shape, var_offset=self.var_offset, var_shape=self.var_shape)


@export("Variable")
class Variable(Trackable, metaclass=_Kind):
    """A value that a session keeps between steps."""

    __array_priority__ = 100
    _is_variable = True
    SaveSliceInfo = SaveSliceInfo
    trainable = property(lambda self: self._trainable)
    constraint = property(lambda self: self._constraint)
    synchronization = property(lambda self: self._synchronization)
    aggregation = property(lambda self: self._aggregation)
    initial_value = property(lambda self: self._initial_value)
    initializer = property(lambda self: self._initializer_op)

    def _begin_with(self, value, initializer):
        """Replaces the initial value and the operation that assigns it."""
        self._initial_value, self._initializer_op = value, initializer

    _save_slice_info = None
    _constraint = None
    _distribute_strategy = None  # of tf.distribute, if the variable was created in its scope
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
        """The value if the variable is initialized, else the initial value."""
        with ops.init_scope():
            return cond(is_variable_initialized(self), self.read_value, lambda: self.initial_value)

    def load(self, value, session=None):
        """Sets the value in a session without adding nodes to the graph."""
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
        kind = kinds[variable_def.is_resource]
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
        """Registers the variable with the engine, so that its functions know it."""
        core = self.graph._core
        self._weft = _weft.make_variable(core, self._tensor.op.name, self._tensor, self._snapshot, self._initial_value, self._initializer_op,
                                         self.dtype.base_dtype._number, self.shape, self._resource, bool(self._trainable))
        _by_handle(self.graph)[self._tensor.name] = self

    def experimental_ref(self):
        """A hashable reference; deref() is the variable."""
        return Reference(self)

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


@export("is_variable_initialized")
def is_variable_initialized(variable):
    return variable.is_initialized() if getattr(variable, "_resource", False) else raw("IsVariableInitialized")(variable)


class _ResourceKind(_Kind):
    """Metaclass of the class that TensorFlow's own modules call variables.Variable: makes resource variables; all variables are instances of it."""

    def __call__(cls, initial_value=None, trainable=None, validate_shape=True, caching_device=None, name=None, variable_def=None, dtype=None, import_scope=None, constraint=None,
                 synchronization=VariableSynchronization.AUTO, aggregation=VariableAggregation.NONE, shape=None):
        return _make(initial_value, trainable, validate_shape=validate_shape, caching_device=caching_device, name=name, variable_def=variable_def, dtype=dtype,
                     import_scope=import_scope, constraint=constraint, use_resource=True, synchronization=synchronization, aggregation=aggregation, shape=shape)

    def __instancecheck__(cls, value):
        return isinstance(value, Variable)

    def __subclasscheck__(cls, kind):
        return issubclass(kind, Variable)


@export("python.ops.variables.Variable")
class VariableV2(Variable, metaclass=_ResourceKind):
    """tf.Variable of TensorFlow 2."""


VariableV2.__name__ = VariableV2.__qualname__ = "Variable"


def _by_handle(graph):
    return graph.__dict__.setdefault("_variables_by_handle", {})


def variable_from_def(graph, data):
    """The variable of a serialized VariableDef: the existing object, or a new one."""
    from .protos import VariableDef

    d = VariableDef.FromString(data)
    there = _by_handle(graph).get(d.variable_name)
    if there is not None:
        return there
    try:
        known = _weft.find_variable(graph._core, d.variable_name.split(":")[0])
        return of_engine(graph, graph.get_tensor_by_name(d.variable_name)) if known else _imported(graph, d)
    except KeyError:
        return None


def of_engine(graph, handle):
    """The variable with that handle, which an engine function has returned."""
    there = _by_handle(graph).get(handle.name)
    if there is not None:
        return there
    found = _weft.find_variable(graph._core, handle.op.name)
    if found is None:
        return handle
    held, facts = found
    kind = kinds[bool(facts["resource"])]
    v = kind.__new__(kind)
    v._weft, v._tensor, v._snapshot, v._initial_value, v._initializer_op = held, facts["handle"], facts["snapshot"], facts["initial_value"], facts["initializer"]
    v._trainable, v._caching_device, v._graph_key = facts["trainable"], None, graph._graph_key
    if facts["resource"]:
        v._restored()
    _by_handle(graph)[handle.name] = v
    return v


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


context.variable_of = variable_from_def
