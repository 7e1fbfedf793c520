"""tf.variable_scope and tf.get_variable: named variables, created or shared according to their scopes."""

import contextlib
import functools
import threading
import weakref

from . import _weft, context, dtypes, ops
from .exports import export
from .ops import GraphKeys
from .tensor_shape import TensorShape
from .variable_store import _Store, AUTO_REUSE
from .variables import VariableAggregation, VariableSynchronization
from .partitioned_variable import PartitionedVariable, fixed_size_partitioner, min_max_variable_partitioner, variable_axis_size_partitioner  # noqa: F401 (re-exported)


@export("VariableScope")
class VariableScope:
    """The settings of get_variable in a scope: name prefix, reuse, defaults."""

    def __init__(self, reuse, name="", initializer=None, regularizer=None, caching_device=None, partitioner=None, custom_getter=None, name_scope="", dtype=dtypes.float32,
                 use_resource=None, constraint=None):
        self._name, self._initializer, self._regularizer, self._reuse = name, initializer, regularizer, reuse
        self._caching_device, self._partitioner, self._custom_getter, self._name_scope = caching_device, partitioner, custom_getter, name_scope
        self._dtype, self._use_resource, self._constraint = dtype, use_resource, constraint

    name = property(lambda self: self._name)
    original_name_scope = property(lambda self: self._name_scope)
    reuse = property(lambda self: self._reuse)
    initializer = property(lambda self: self._initializer)
    dtype = property(lambda self: self._dtype)
    use_resource = property(lambda self: self._use_resource)
    regularizer = property(lambda self: self._regularizer)
    caching_device = property(lambda self: self._caching_device)
    partitioner = property(lambda self: self._partitioner)
    custom_getter = property(lambda self: self._custom_getter)
    constraint = property(lambda self: self._constraint)

    def reuse_variables(self):
        self._reuse = True

    def set_initializer(self, initializer):
        self._initializer = initializer

    def set_dtype(self, dtype):
        self._dtype = dtype

    def set_use_resource(self, use_resource):
        self._use_resource = use_resource

    def set_regularizer(self, regularizer):
        self._regularizer = regularizer

    def set_caching_device(self, caching_device):
        self._caching_device = caching_device

    def set_partitioner(self, partitioner):
        self._partitioner = partitioner

    def set_custom_getter(self, custom_getter):
        self._custom_getter = custom_getter

    def get_collection(self, name):
        return ops.get_collection(name, self._name + "/" if self._name else self._name)

    def trainable_variables(self):
        return self.get_collection(GraphKeys.TRAINABLE_VARIABLES)

    def global_variables(self):
        return self.get_collection(GraphKeys.GLOBAL_VARIABLES)

    def local_variables(self):
        return self.get_collection(GraphKeys.LOCAL_VARIABLES)

    def get_variable(self, var_store, name, shape=None, dtype=None, initializer=None, regularizer=None, reuse=None, trainable=None, collections=None, caching_device=None,
                     partitioner=None, validate_shape=True, use_resource=None, custom_getter=None, constraint=None, synchronization=VariableSynchronization.AUTO,
                     aggregation=VariableAggregation.NONE):
        if regularizer is None:
            regularizer = self._regularizer
        if caching_device is None:
            caching_device = self._caching_device
        if partitioner is None:
            partitioner = self._partitioner
        if custom_getter is None:
            custom_getter = self._custom_getter
        if reuse is None:
            reuse = self._reuse
        full_name = self.name + "/" + name if self.name else name
        with ops.name_scope(None):
            if dtype is not None and initializer is not None and not callable(initializer):
                found = ops.convert_to_tensor(initializer).dtype.base_dtype if not hasattr(initializer, "dtype") else dtypes.as_dtype(initializer.dtype).base_dtype
                if dtype != found:
                    raise ValueError("Initializer type '%s' and explicit dtype '%s' don't match." % (found, dtype))
            if initializer is None:
                initializer = self._initializer
            if constraint is None:
                constraint = self._constraint
            if dtype is None:
                dtype = self._dtype
            if use_resource is None:
                use_resource = self._use_resource
            return var_store.get_variable(full_name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer, reuse=reuse, trainable=trainable,
                                          collections=collections, caching_device=caching_device, partitioner=partitioner, validate_shape=validate_shape,
                                          use_resource=use_resource, custom_getter=custom_getter, constraint=constraint, synchronization=synchronization, aggregation=aggregation)


class _State(threading.local):
    """Per graph and thread: the current scope, and how often each scope name was opened. The variable store is shared by all threads."""

    def __init__(self, store):
        self.store = store
        self.scope = VariableScope(False)
        self.counts = {}
        self.entered = {}  # variable prefix -> scope, for the engine's layers
        self.stack = []


def _serve_engine(graph):
    """Lets the engine's layers request variables and scopes of the graph."""
    alive = weakref.ref(graph)  # a weak reference: the engine's graph belongs to this one and would keep it alive forever

    def of_graph(function):
        return lambda *given: function(alive(), *given)
    _weft.set_variable_client(graph._core, of_graph(_get_for_engine), of_graph(_enter_for_engine), of_graph(_leave_for_engine), of_graph(_counter_for_engine))


def _state(graph=None):
    graph = graph or ops.get_default_graph()
    if graph._variable_state is None:
        graph._variable_state = _State(_Store())
        _serve_engine(graph)
    return graph._variable_state


ops.on_new_graph.append(_state)
context.variable_state = _state


# Requests of the engine's functions, such as layers.
def _get_for_engine(graph, name, shape, dtype, initializer, trainable, resource, collections, kind):
    with graph.as_default():
        given = collections or ([GraphKeys.LOCAL_VARIABLES] if kind == "local_variables" else None)
        v = get_variable(name, shape=TensorShape(shape), dtype=dtypes.as_dtype(dtype), initializer=initializer, trainable=trainable, use_resource=resource, collections=given)
        return v._weft


counter_of_replicas = None  # makes a metric's counter inside a tf.distribute.Strategy, else returns None; set by distribute/metrics.py


def _counter_for_engine(graph, name, make):
    with graph.as_default():
        made = None if counter_of_replicas is None else counter_of_replicas(name, make)
        return None if made is None else made._weft


def _enter_for_engine(graph, name, default_name, name_scope, reuse):
    state = _state(graph)
    reuse = {0: None, 1: True, 2: AUTO_REUSE}[reuse]
    with contextlib.ExitStack() as opened:  # on an error, closes all scopes opened so far
        opened.enter_context(graph.as_default())
        if name_scope:
            found = opened.enter_context(variable_scope(state.entered.get(name, name), reuse=reuse, auxiliary_name_scope=False))
            opened.enter_context(graph.name_scope(name_scope))
        else:
            scope = variable_scope(name or None, default_name=default_name or None, reuse=reuse)
            found = opened.enter_context(scope)
            state.entered[found.name] = found
        state.stack.append(opened.pop_all())
    return found.name, found.original_name_scope


def _leave_for_engine(graph):
    _state(graph).stack.pop().close()


get_variable_scope = export("get_variable_scope")(context.get_variable_scope)


def _get_default_variable_store():
    return _state().store


@export("get_variable")
def get_variable(name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=None, collections=None, caching_device=None, partitioner=None,
                 validate_shape=True, use_resource=None, custom_getter=None, constraint=None, synchronization=VariableSynchronization.AUTO,
                 aggregation=VariableAggregation.NONE):
    """The variable of that name in the current variable scope: created, or shared if the scope reuses variables."""
    if dtype is not None:
        dtype = dtypes.as_dtype(dtype)
    return get_variable_scope().get_variable(_get_default_variable_store(), name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer,
                                             trainable=trainable, collections=collections, caching_device=caching_device, partitioner=partitioner,
                                             validate_shape=validate_shape, use_resource=use_resource, custom_getter=custom_getter, constraint=constraint,
                                             synchronization=synchronization, aggregation=aggregation)


@export("get_local_variable")
def get_local_variable(name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=False, collections=None, caching_device=None, partitioner=None,
                       validate_shape=True, use_resource=None, custom_getter=None, constraint=None, synchronization=VariableSynchronization.AUTO,
                       aggregation=VariableAggregation.NONE):
    """As get_variable, for a variable that is neither saved nor trained."""
    collections = list(collections) + [GraphKeys.LOCAL_VARIABLES] if collections else [GraphKeys.LOCAL_VARIABLES]
    return get_variable(name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer, trainable=False, collections=collections,
                        caching_device=caching_device, partitioner=partitioner, validate_shape=validate_shape, use_resource=use_resource,
                        custom_getter=custom_getter, constraint=constraint, synchronization=synchronization, aggregation=aggregation)


class _PureVariableScope:
    """A variable scope without a name scope."""

    def __init__(self, name_or_scope, reuse=None, initializer=None, regularizer=None, caching_device=None, partitioner=None, custom_getter=None, old_name_scope=None,
                 dtype=dtypes.float32, use_resource=None, constraint=None):
        self._given, self._reuse = name_or_scope, reuse
        self._defaults = dict(initializer=initializer, regularizer=regularizer, caching_device=caching_device, partitioner=partitioner, dtype=dtype,
                              use_resource=use_resource, constraint=constraint)
        self._custom_getter = custom_getter
        self._old_name_scope = old_name_scope
        self._state = _state()
        if isinstance(name_or_scope, VariableScope):
            self._new_name = name_or_scope.name
        else:
            old = self._state.scope
            self._new_name = old.name + "/" + name_or_scope if old.name else name_or_scope

    def __enter__(self):
        state, old, given = self._state, self._state.scope, self._given
        self._old = old
        if isinstance(given, VariableScope):
            name_scope = given._name_scope if self._old_name_scope is None else self._old_name_scope
            self._old_counts = dict(state.counts)
            scope = VariableScope(given.reuse if self._reuse is None else self._reuse, name=self._new_name, initializer=given.initializer, regularizer=given.regularizer,
                                  caching_device=given.caching_device, partitioner=given.partitioner, dtype=given.dtype, custom_getter=given.custom_getter,
                                  name_scope=name_scope, use_resource=given.use_resource, constraint=given.constraint)
            for key, value in self._defaults.items():
                if value is not None:
                    setattr(scope, "_" + key, value)
            if self._custom_getter is not None:
                scope._custom_getter = _compose(self._custom_getter, given.custom_getter)
            state.counts[self._new_name] = state.counts.get(self._new_name, 0) + 1
        else:
            reuse = self._reuse or old.reuse
            scope = VariableScope(reuse, name=self._new_name, initializer=old.initializer, regularizer=old.regularizer, caching_device=old.caching_device,
                                  partitioner=old.partitioner, dtype=old.dtype, use_resource=old.use_resource, custom_getter=old.custom_getter,
                                  name_scope=given if self._old_name_scope is None else self._old_name_scope, constraint=old.constraint)
            for key, value in self._defaults.items():
                if value is not None:
                    setattr(scope, "_" + key, value)
            if self._custom_getter is not None:
                scope._custom_getter = _compose(self._custom_getter, old.custom_getter)
            state.counts[self._new_name] = state.counts.get(self._new_name, 0) + 1
        state.scope = scope
        return scope

    def __exit__(self, *unused):
        state = self._state
        # Restart the counts of scopes below this one, so that reopening it gives the same names.
        prefix = self._new_name + "/"
        for key in state.counts:
            if not self._new_name or key.startswith(prefix):
                state.counts[key] = 0
        if isinstance(self._given, VariableScope):
            state.counts = self._old_counts
        state.scope = self._old


_pure_variable_scope = _PureVariableScope  # the name that programs import


def _compose(outer, inner):
    if inner is None:
        return outer

    def composed(getter, *args, **kwargs):
        return outer(functools.partial(inner, getter), *args, **kwargs)

    return composed


def _get_unique_variable_scope(prefix):
    state = _state()
    name = state.scope.name + "/" + prefix if state.scope.name else prefix
    if state.counts.get(name, 0) == 0:
        return prefix
    i = 1
    while state.counts.get(name + "_%d" % i, 0) > 0:
        i += 1
    return prefix + "_%d" % i


@export("variable_scope", "compat.v1.variable_scope")
class variable_scope:
    """Context manager: names of variables from get_variable, and of operations, start with the scope's name."""

    def __init__(self, name_or_scope, default_name=None, values=None, initializer=None, regularizer=None, caching_device=None, partitioner=None, custom_getter=None,
                 reuse=None, dtype=None, use_resource=None, constraint=None, auxiliary_name_scope=True):
        self._name_or_scope, self._default_name, self._values = name_or_scope, default_name, values or []
        self._given = dict(initializer=initializer, regularizer=regularizer, caching_device=caching_device, partitioner=partitioner, custom_getter=custom_getter, dtype=dtype,
                           use_resource=use_resource, constraint=constraint)
        self._reuse = reuse
        if default_name is None and name_or_scope is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        if self._reuse is False:
            self._reuse = None
        if self._reuse not in (None, True, AUTO_REUSE):
            raise ValueError("The reuse parameter must be True or False or None.")
        if not isinstance(auxiliary_name_scope, bool):
            raise TypeError("The auxiliary_name_scope must be `True` or `False`, while get {}".format(auxiliary_name_scope))
        self._auxiliary_name_scope = auxiliary_name_scope
        if not (name_or_scope is None or isinstance(name_or_scope, (VariableScope, str))):
            raise TypeError("VariableScope: name_or_scope must be a string or VariableScope.")
        if default_name is not None and not isinstance(default_name, str):
            raise TypeError("VariableScope: default_name must be a string.")
        self._graph = ops._get_graph_from_inputs(self._values)

    def __enter__(self):
        self._open = []
        if self._graph is not ops.get_default_graph():
            self._push(self._graph.as_default())
        try:
            return self._enter_scopes()
        except BaseException:
            self._close(None, None, None)
            raise

    def _push(self, context):
        result = context.__enter__()
        self._open.append(context)
        return result

    def _close(self, *error):
        opened, self._open = self._open, []
        for scope in reversed(opened):
            scope.__exit__(*error)

    def _enter_scopes(self):
        graph = self._graph
        name_scope = None
        if self._name_or_scope is not None:
            if isinstance(self._name_or_scope, str):
                name = self._name_or_scope
            else:
                name = self._name_or_scope.name.split("/")[-1]
            current = graph.get_name_scope()
            if not self._auxiliary_name_scope:
                old_name_scope = current + "/" if current else ""
            elif name:
                name_scope = self._push(graph.name_scope(name))
                old_name_scope = name_scope
            else:
                old_name_scope = current + "/" if current else ""
            if isinstance(self._name_or_scope, VariableScope):
                old_name_scope = None  # not used: the scope keeps its own
                pure = _PureVariableScope(self._name_or_scope, reuse=self._reuse, old_name_scope=self._name_or_scope.original_name_scope, **self._given)
            else:
                pure = _PureVariableScope(self._name_or_scope, reuse=self._reuse, old_name_scope=old_name_scope, **self._given)
            return self._push(pure)
        unique = _get_unique_variable_scope(self._default_name)
        if self._reuse:
            raise ValueError("reuse=True cannot be used without a name_or_scope")
        if self._auxiliary_name_scope:
            old_name_scope = self._push(graph.name_scope(self._default_name))
        else:
            current = graph.get_name_scope()
            old_name_scope = current + "/" if current else ""
        return self._push(_PureVariableScope(unique, old_name_scope=old_name_scope, **self._given))

    def __exit__(self, *error):
        self._close(*error)


@export("variable_op_scope")
def variable_op_scope(values, name_or_scope, default_name=None, initializer=None, regularizer=None, caching_device=None, partitioner=None, custom_getter=None, reuse=None,
                      dtype=None, use_resource=None, constraint=None):
    return variable_scope(name_or_scope, default_name=default_name, values=values, initializer=initializer, regularizer=regularizer, caching_device=caching_device,
                          partitioner=partitioner, custom_getter=custom_getter, reuse=reuse, dtype=dtype, use_resource=use_resource, constraint=constraint)


@export("no_regularizer")
def no_regularizer(_):
    """A regularizer without effect, which overrides that of the enclosing scope."""
    return None


@export("create_partitioned_variables")
def create_partitioned_variables(shape, slicing, initializer, dtype=dtypes.float32, trainable=True, collections=None, name=None, reuse=None):
    """The slices of one variable: `slicing` has the number of slices along each dimension."""
    if len(shape) != len(slicing):
        raise ValueError("The 'shape' and 'slicing' of a partitioned Variable must have the length: shape: %s, slicing: %s" % (shape, slicing))
    if len(shape) < 1:
        raise ValueError("A partitioned Variable must have rank at least 1: shape: %s" % shape)
    with variable_scope(name, "PartitionedVariable", reuse=reuse) as scope:
        full = scope.name

        # The variable has the name of the scope.
        def named(getter, name, *args, **kwargs):
            return getter(full, *args, **kwargs)

        with variable_scope(scope, custom_getter=named, reuse=reuse):
            if initializer is not None and not callable(initializer):
                dtype = None  # the values' own, whatever was asked for
            made = get_variable("whole", shape=shape, dtype=dtype, initializer=initializer, trainable=trainable, partitioner=lambda **unused: slicing, collections=collections)
    return list(made)
