"""tf.variable_scope and tf.get_variable: variables by name, made once and shared by the rules of their scopes."""

import contextlib
import enum
import functools

import numpy as np

from . import _weft, dtypes, ops
from .exports import export, export_value
from .initializers import Initializer
from .ops import GraphKeys, Tensor
from .tensor_shape import TensorShape, as_shape
from .variables import (RefVariable, ResourceVariable, SaveSliceInfo, Variable, VariableAggregation, VariableSynchronization,
                        check_synchronization_and_aggregation)


class _ReuseMode(enum.Enum):
    AUTO_REUSE = 1


AUTO_REUSE = export_value(_ReuseMode.AUTO_REUSE, "AUTO_REUSE")


class _PartitionInfo:
    """Which part of a variable an initializer makes."""

    def __init__(self, full_shape, var_offset):
        self._full_shape, self._var_offset = full_shape, var_offset

    full_shape = property(lambda self: self._full_shape)
    var_offset = property(lambda self: self._var_offset)

    def single_offset(self, shape):
        i = self.single_slice_dim(shape)
        return self.var_offset[0 if i is None else i]

    def single_slice_dim(self, shape):
        if len(shape) != len(self.full_shape):
            raise ValueError("Expected equal length, but got shape={} with length {} and self.full_shape={} with length {}.".format(shape, len(shape), self.full_shape, len(self.full_shape)))
        found = None
        for i, (have, full) in enumerate(zip(shape, self.full_shape)):
            if have == full:
                continue
            if found is not None:
                raise ValueError("Cannot use single_slice_dim() with shape %s and self.full_shape %s since slice dim could be either dimension %s or %s." % (shape, self.full_shape, i, found))
            found = i
        return found


class PartitionedVariable:
    """A variable in parts; used as a tensor it is their concatenation."""

    __array_priority__ = 100
    _is_variable = True

    def __init__(self, name, shape, dtype, variable_list, partitions):
        if not isinstance(variable_list, (list, tuple)):
            raise TypeError("variable_list is not a list or tuple: %s" % variable_list)
        if len(shape) != len(partitions):
            raise ValueError("partitions is not the same length as shape: %s vs. %s" % (partitions, shape))
        self._name, self._shape, self._dtype = name, TensorShape(shape), dtype
        self._variable_list = sorted(variable_list, key=lambda v: v._get_save_slice_info().var_offset)
        self._partitions = partitions
        self._as_tensor_value = None

    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)
    shape = property(lambda self: self._shape)
    graph = property(lambda self: self._variable_list[0].graph)

    def get_shape(self):
        return self._shape

    def _get_variable_list(self):
        return self._variable_list

    def _get_partitions(self):
        return self._partitions

    def __iter__(self):
        return iter(self._variable_list)

    def __len__(self):
        return len([p for p in self._partitions if p > 1] or [1]) and len(self._variable_list)

    def _partition_axes(self):
        axes = [i for i, p in enumerate(self._partitions) if p > 1]
        return axes or [0]

    def _concat(self):
        import tensorflow as tf

        if len(self._variable_list) == 1:
            with tf.name_scope(None):
                return tf.identity(self._variable_list[0], name=self._name)
        axes = self._partition_axes()
        if len(axes) > 1:
            raise NotImplementedError("Cannot concatenate along more than one dimension: %s.  Multi-axis partition concat is not supported" % str(axes))
        with tf.name_scope(self._name + "/ConcatPartitions/"):
            joined = tf.concat(self._variable_list, axes[0])
        with tf.name_scope(None):
            return tf.identity(joined, name=self._name)

    def as_tensor(self):
        with ops.control_dependencies(None):
            return self._concat()

    def assign(self, value, use_locking=False, name=None, read_value=True):
        import tensorflow as tf

        axis = self._partition_axes()[0]
        parts = tf.split(value, [v.shape.as_list()[axis] for v in self._variable_list], axis)
        done = [v.assign(p, use_locking=use_locking, read_value=read_value) for v, p in zip(self._variable_list, parts)]
        return done if read_value else [d for d in done]

    __hash__ = object.__hash__

    def __eq__(self, other):
        return self is other


def _partitioned_to_tensor(v, dtype=None, name=None, as_ref=False):
    if dtype is not None and not dtype.is_compatible_with(v.dtype):
        raise ValueError("Incompatible type conversion requested to type '%s' for variable of type '%s'" % (dtype.name, v.dtype.name))
    if as_ref:
        raise NotImplementedError("PartitionedVariable doesn't support being used as a reference.")
    return v.as_tensor()


ops.register_tensor_conversion_function(PartitionedVariable, _partitioned_to_tensor, 50)
export_value(PartitionedVariable, "PartitionedVariable")


class _Store:
    """Variables of one graph by name."""

    def __init__(self):
        self._vars = {}
        self._partitioned_vars = {}
        self._store_eager_variables = False

    def get_variable(self, name, shape=None, dtype=dtypes.float32, initializer=None, regularizer=None, reuse=None, trainable=None, collections=None, caching_device=None,
                     partitioner=None, validate_shape=True, use_resource=None, custom_getter=None, constraint=None, synchronization=VariableSynchronization.AUTO,
                     aggregation=VariableAggregation.NONE):
        if custom_getter is not None and not callable(custom_getter):
            raise ValueError("Passed a custom_getter which is not callable: %s" % custom_getter)
        dtype = dtypes.as_dtype(dtype)
        if dtype is not None and dtype._is_ref_dtype:
            dtype = dtype.base_dtype
        if isinstance(initializer, type) and False:
            initializer = initializer()

        def getter(name, shape=None, dtype=dtypes.float32, initializer=None, regularizer=None, reuse=None, trainable=None, collections=None, caching_device=None,
                   partitioner=None, validate_shape=True, use_resource=None, constraint=None, synchronization=VariableSynchronization.AUTO,
                   aggregation=VariableAggregation.NONE):
            is_scalar = shape is not None and isinstance(shape, (list, tuple, TensorShape)) and not (isinstance(shape, TensorShape) and shape.ndims is None) and not len(shape)
            if partitioner is not None and not is_scalar:
                if not callable(partitioner):
                    raise ValueError("Partitioner must be callable, but received: %s" % partitioner)
                with ops.name_scope(None):
                    return self._partitioned(name=name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer, reuse=reuse, trainable=trainable,
                                             collections=collections, caching_device=caching_device, partitioner=partitioner, validate_shape=validate_shape,
                                             use_resource=use_resource, constraint=constraint, synchronization=synchronization, aggregation=aggregation)
            if reuse is True and partitioner is None and name in self._partitioned_vars:
                return self._partitioned(name=name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer, reuse=reuse, trainable=trainable,
                                         collections=collections, caching_device=caching_device, partitioner=None, validate_shape=validate_shape,
                                         use_resource=use_resource, constraint=constraint, synchronization=synchronization, aggregation=aggregation)
            if "%s/part_0" % name in self._vars:
                raise ValueError("No partitioner was provided, but a partitioned version of the variable was found: %s/part_0. Perhaps a variable of the same name was "
                                 "already created with partitioning?" % name)
            return self._single(name=name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer, reuse=reuse, trainable=trainable,
                                collections=collections, caching_device=caching_device, validate_shape=validate_shape, use_resource=use_resource,
                                constraint=constraint, synchronization=synchronization, aggregation=aggregation)

        synchronization, aggregation, trainable = check_synchronization_and_aggregation(synchronization, aggregation, trainable, name)
        kwargs = dict(name=name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer, reuse=reuse, trainable=trainable, collections=collections,
                      caching_device=caching_device, partitioner=partitioner, validate_shape=validate_shape, use_resource=use_resource, synchronization=synchronization,
                      aggregation=aggregation)
        if custom_getter is not None:
            if _accepts(custom_getter, "constraint"):
                kwargs["constraint"] = constraint
            return custom_getter(getter=getter, **kwargs)
        return getter(constraint=constraint, **kwargs)

    def _partitioned(self, name, partitioner, shape=None, dtype=dtypes.float32, initializer=None, regularizer=None, reuse=None, trainable=None, collections=None,
                     caching_device=None, validate_shape=True, use_resource=None, constraint=None, synchronization=VariableSynchronization.AUTO,
                     aggregation=VariableAggregation.NONE):
        from_value = initializer is not None and not callable(initializer)
        shape = as_shape(shape)
        if from_value:
            shape = shape.merge_with(initializer.get_shape() if hasattr(initializer, "get_shape") else np.shape(initializer))
        partitions = None
        if not reuse or partitioner:
            partitions = _call_partitioner(partitioner, shape, dtype)
        if name in self._partitioned_vars:
            if reuse is False:
                raise ValueError("Partitioned variable with name %s already exists. Did you mean to set reuse=True or reuse=tf.AUTO_REUSE in VarScope?" % name)
            existing = self._partitioned_vars[name]
            if not shape.is_compatible_with(existing.get_shape()):
                raise ValueError("Trying to reuse partitioned variable %s, but specified shape %s and found shape %s." % (name, shape, existing.get_shape()))
            if not dtype.is_compatible_with(existing.dtype):
                raise ValueError("Trying to reuse partitioned variable %s, but specified dtype %s and found dtype %s." % (name, dtype.name, existing.dtype.name))
            if partitions is not None and existing._get_partitions() != partitions:
                raise ValueError("Trying to reuse partitioned variable %s, but specified partitions %s and found partitions %s." % (name, partitions, existing._get_partitions()))
            return existing
        if reuse is True:
            raise ValueError("PartitionedVariable %s does not exist, or was not created with tf.get_variable(). Did you mean to set reuse=False or reuse=tf.AUTO_REUSE in VarScope?" % name)
        axis, count = _slice_axis(shape.as_list(), partitions)
        if "%s/part_0" % name in self._vars:
            if "%s/part_%d" % (name, count - 1) not in self._vars:
                raise ValueError("Partitioner returned a different partitioning than what was already found.  Partitioner returned %d shards, and shard %s/part_0 was found, but %s/part_%d was not." % (count, name, name, count - 1))
        parts = []
        for i, (offset, part_shape) in enumerate(_slices(shape.as_list(), partitions, axis)):
            part_name = "%s/part_%d" % (name, i)
            info = _PartitionInfo(full_shape=shape.as_list(), var_offset=offset)
            if initializer is None:
                make, from_array = self._default_initializer(name, part_shape, dtype)
                init, init_shape = (make, None) if from_array else (make, part_shape)
            elif callable(initializer):
                init, init_shape = initializer, part_shape
            elif isinstance(initializer, Tensor):
                import tensorflow as tf

                init, init_shape = tf.slice(initializer, offset, part_shape), None
            else:
                array = np.asarray(initializer)
                init, init_shape = array[tuple(slice(o, o + s) for o, s in zip(offset, part_shape))], None
            v = self._single(name=part_name, shape=init_shape, dtype=dtype, initializer=init, partition_info=info, regularizer=regularizer, reuse=reuse, trainable=trainable,
                             collections=collections, caching_device=caching_device, validate_shape=validate_shape, use_resource=use_resource, constraint=constraint,
                             synchronization=synchronization, aggregation=aggregation)
            v._set_save_slice_info(SaveSliceInfo(name, shape.as_list(), offset, part_shape))
            parts.append(v)
        made = PartitionedVariable(name=name, shape=shape.as_list(), dtype=dtype, variable_list=parts, partitions=partitions)
        self._partitioned_vars[name] = made
        return made

    def _single(self, name, shape=None, dtype=dtypes.float32, initializer=None, regularizer=None, partition_info=None, reuse=None, trainable=None, collections=None,
                caching_device=None, validate_shape=True, use_resource=None, constraint=None, synchronization=VariableSynchronization.AUTO,
                aggregation=VariableAggregation.NONE):
        from_value = initializer is not None and not callable(initializer)
        if from_value and shape is not None:
            raise ValueError("If initializer is a constant, do not specify shape.")
        dtype = dtypes.as_dtype(dtype)
        shape = as_shape(shape)
        if name in self._vars:
            if reuse is False:
                found = self._vars[name]
                message = "Variable %s already exists, disallowed. Did you mean to set reuse=True or reuse=tf.AUTO_REUSE in VarScope?" % name
                line = found.op.traceback
                if line and not isinstance(found, ResourceVariable):
                    message += " Originally defined at:\n\n" + "".join('  File "%s", line %d, in %s\n    %s\n' % tuple(t[:4]) for t in line)
                raise ValueError(message)
            found = self._vars[name]
            if not shape.is_compatible_with(found.get_shape()):
                raise ValueError("Trying to share variable %s, but specified shape %s and found shape %s." % (name, shape, found.get_shape()))
            if not dtype.is_compatible_with(found.dtype):
                raise ValueError("Trying to share variable %s, but specified dtype %s and found dtype %s." % (name, dtype.name, found.dtype.name))
            return found
        if reuse is True:
            raise ValueError("Variable %s does not exist, or was not created with tf.get_variable(). Did you mean to set reuse=tf.AUTO_REUSE in VarScope?" % name)
        if initializer is None:
            initializer, from_value = self._default_initializer(name=name, shape=shape, dtype=dtype)
        with ops.init_scope():
            if from_value:
                init_val, variable_dtype = initializer, None
            else:
                if isinstance(initializer, type):
                    initializer = initializer(dtype=dtype)
                if shape is not None and shape.is_fully_defined():
                    if _accepts(initializer, "partition_info"):
                        init_val = lambda: initializer(shape.as_list(), dtype=dtype, partition_info=partition_info)
                    else:
                        init_val = lambda: initializer(shape.as_list(), dtype=dtype)
                    variable_dtype = dtype.base_dtype
                elif _needs_no_arguments(initializer):
                    init_val, variable_dtype = initializer, None
                else:
                    raise ValueError("The initializer passed is not valid. It should be a callable with no arguments and the shape should not be provided or an instance of "
                                     "`tf.keras.initializers.*' and `shape` should be fully defined.")
        if not (from_value or shape.is_fully_defined()) and not _needs_no_arguments(initializer):
            raise ValueError("Shape of a new variable (%s) must be fully defined, but instead was %s." % (name, shape))
        if use_resource is None:
            from . import variables

            use_resource = variables._use_resources
        v = Variable(initial_value=init_val, name=name, trainable=trainable, collections=collections, caching_device=caching_device, dtype=variable_dtype,
                     validate_shape=validate_shape, constraint=constraint, use_resource=use_resource, synchronization=synchronization, aggregation=aggregation)
        self._vars[name] = v
        if regularizer:
            with ops.colocate_with(v.op if not v._resource else v.handle.op):
                with ops.name_scope(name + "/Regularizer/"):
                    with ops.init_scope():
                        loss = regularizer(v)
                if loss is not None:
                    ops.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)
        return v

    def _default_initializer(self, name, shape=None, dtype=dtypes.float32):
        from . import initializers

        if dtype.is_floating:
            return initializers.glorot_uniform_initializer(), False
        if dtype.is_integer or dtype.is_unsigned or dtype.is_bool or dtype == dtypes.string:
            return initializers.Zeros(), False
        raise ValueError("An initializer for variable %s of %s is required" % (name, dtype.base_dtype))


def _accepts(function, name):
    if name == "partition_info" and isinstance(function, Initializer):
        return True
    import inspect

    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return True
    return name in parameters or any(p.kind == p.VAR_KEYWORD for p in parameters.values())


def _needs_no_arguments(function):
    import inspect

    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    return all(p.default is not p.empty or p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters)


def _call_partitioner(partitioner, shape, dtype):
    if not shape.is_fully_defined():
        raise ValueError("Shape of a new partitioned variable must be fully defined, but instead was %s." % (shape,))
    if shape.ndims < 1:
        raise ValueError("A partitioned Variable must have rank at least 1, shape: %s" % shape)
    partitions = partitioner(shape=shape, dtype=dtype)
    if not isinstance(partitions, (list, tuple)):
        raise ValueError("Partitioner must return a sequence, but saw: %s" % partitions)
    if len(partitions) != shape.ndims:
        raise ValueError("Partitioner returned a partition list that does not match the Variable's rank: %s vs. %s" % (partitions, shape))
    if any(p < 1 for p in partitions):
        raise ValueError("Partitioner returned zero partitions for some axes: %s" % partitions)
    if sum(p > 1 for p in partitions) > 1:
        raise ValueError("Can only slice a variable along one dimension: shape: %s, partitioning: %s" % (shape, partitions))
    return list(partitions)


def _slice_axis(shape, partitions):
    for i, p in enumerate(partitions):
        if p > 1:
            return i, p
    return 0, 1


def _slices(shape, partitions, axis):
    count = partitions[axis]
    size, extra = divmod(shape[axis], count)
    at = 0
    for i in range(count):
        n = size + (1 if i < extra else 0)
        offset, part = [0] * len(shape), list(shape)
        offset[axis], part[axis] = at, n
        at += n
        yield offset, part


@export("VariableScope")
class VariableScope:
    """What get_variable takes from its surroundings: the prefix of names, whether variables are shared, defaults."""

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


class _State:
    """Of one graph: the store, the current scope, how often scopes of each name were opened."""

    def __init__(self, graph):
        self.store = _Store()
        self.scope = VariableScope(False)
        self.counts = {}
        self.entered = {}  # variable prefix -> scope, for the engine's layers
        self.stack = []
        _weft.set_variable_client(graph._core, functools.partial(_get_for_engine, graph), functools.partial(_enter_for_engine, graph), functools.partial(_leave_for_engine, graph))


def _state(graph=None):
    graph = graph or ops.get_default_graph()
    if graph._variable_state is None:
        graph._variable_state = _State(graph)
    return graph._variable_state


ops.on_new_graph.append(_state)


# What the engine's functions (layers, …) ask for.
def _get_for_engine(graph, name, shape, dtype, initializer, trainable, resource, collections, kind):
    with graph.as_default():
        given = collections or ([GraphKeys.LOCAL_VARIABLES] if kind == "local_variables" else None)
        v = get_variable(name, shape=TensorShape(shape), dtype=dtypes.as_dtype(dtype), initializer=initializer, trainable=trainable, use_resource=resource, collections=given)
        return v._weft


def _enter_for_engine(graph, name, default_name, name_scope, reuse):
    state = _state(graph)
    reuse = {0: None, 1: True, 2: AUTO_REUSE}[reuse]
    opened = []
    default = graph.as_default()
    default.__enter__()
    opened.append(default)
    if name_scope:
        scope = variable_scope(state.entered.get(name, name), reuse=reuse, auxiliary_name_scope=False)
        found = scope.__enter__()
        opened.append(scope)
        inner = graph.name_scope(name_scope)
        inner.__enter__()
        opened.append(inner)
    else:
        scope = variable_scope(name or None, default_name=default_name or None, reuse=reuse)
        found = scope.__enter__()
        opened.append(scope)
        state.entered[found.name] = found
    state.stack.append(opened)
    return found.name, found.original_name_scope


def _leave_for_engine(graph):
    for context in reversed(_state(graph).stack.pop()):
        context.__exit__(None, None, None)


@export("get_variable_scope")
def get_variable_scope():
    return _state().scope


def _get_default_variable_store():
    return _state().store


@export("get_variable")
def get_variable(name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=None, collections=None, caching_device=None, partitioner=None,
                 validate_shape=True, use_resource=None, custom_getter=None, constraint=None, synchronization=VariableSynchronization.AUTO,
                 aggregation=VariableAggregation.NONE):
    """The variable of that name in the current variable scope: made, or shared if the scope reuses."""
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
                                  name_scope=self._old_name_scope or given, constraint=old.constraint)
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
        # Scopes below are counted anew when this one is opened again.
        prefix = self._new_name + "/"
        for key in state.counts:
            if not self._new_name or key.startswith(prefix):
                state.counts[key] = 0
        if isinstance(self._given, VariableScope):
            state.counts = self._old_counts
        state.scope = self._old


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
    """Variables of get_variable inside have names below the scope's; operations, too."""

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
        for context in reversed(opened):
            context.__exit__(*error)

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
                old_name_scope = None  # keeps the scope's own
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
    """A regularizer that adds nothing; it hides that of the scope around."""
    return None


# Partitioners.
@export("fixed_size_partitioner")
def fixed_size_partitioner(num_shards, axis=0):
    """As many parts along `axis` as said."""

    def partitioner(shape, **unused):
        parts = [1] * len(shape)
        parts[axis] = min(num_shards, shape.dims[axis].value)
        return parts

    return partitioner


@export("variable_axis_size_partitioner")
def variable_axis_size_partitioner(max_shard_bytes, axis=0, bytes_per_string_element=16, max_shards=None):
    """Parts along `axis` of at most so many bytes."""
    if max_shard_bytes < 1 or bytes_per_string_element < 1:
        raise ValueError("Both max_shard_bytes and bytes_per_string_element must be positive.")
    if max_shards and max_shards < 1:
        raise ValueError("max_shards must be positive.")

    def partitioner(shape, dtype):
        import math

        if axis >= shape.ndims:
            raise ValueError("Cannot partition along axis %d when shape is only %s" % (axis, shape))
        element = bytes_per_string_element if dtype.base_dtype == dtypes.string else dtype.size
        parts = [1] * shape.ndims
        bytes_per_slice = 1
        for i, d in enumerate(shape.as_list()):
            if i != axis:
                bytes_per_slice *= d
        bytes_per_slice *= element
        if bytes_per_slice > max_shard_bytes:
            parts[axis] = shape.dims[axis].value
            return parts
        per_shard = max(1, max_shard_bytes // bytes_per_slice)
        wanted = int(math.ceil(shape.dims[axis].value * 1.0 / per_shard))
        if max_shards:
            wanted = min(max_shards, wanted)
        parts[axis] = wanted
        return parts

    return partitioner


@export("min_max_variable_partitioner")
def min_max_variable_partitioner(max_partitions=1, axis=0, min_slice_size=256 << 10, bytes_per_string_element=16):
    """At most so many parts, none of them smaller than `min_slice_size` bytes."""

    def partitioner(shape, dtype):
        if axis >= shape.ndims:
            raise ValueError("Cannot partition variable along axis %d when shape is only %s" % (axis, shape))
        element = bytes_per_string_element if dtype.base_dtype == dtypes.string else dtype.size
        total = shape.num_elements() * element
        parts = [1] * shape.ndims
        parts[axis] = max(1, min(shape.dims[axis].value, max_partitions, int(total / min_slice_size) if total % min_slice_size == 0 else total // min_slice_size + 1))
        return parts

    return partitioner
