"""The named variables created by get_variable."""

import enum

import numpy as np

from . import constants, dtypes, engine, ops
from .exports import export_value
from .initializers import glorot_uniform_initializer, Initializer, Zeros
from .ops import GraphKeys, Tensor
from .partitioned_variable import _call_partitioner, _PartitionInfo, _slice_axis, _slices, PartitionedVariable
from .tensor_shape import as_shape, TensorShape
from .variables import check_synchronization_and_aggregation, resource_variables_enabled, ResourceVariable, SaveSliceInfo, Variable, VariableAggregation, VariableSynchronization


class _ReuseMode(enum.Enum):
    AUTO_REUSE = 1


AUTO_REUSE = export_value(_ReuseMode.AUTO_REUSE, "AUTO_REUSE")


class _Store:
    """The variables of one graph by name."""

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
                init, init_shape = engine.slice(initializer, offset, part_shape), None
            else:
                array = constants.array(initializer)
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
        if not self._store_eager_variables and _makes_eager_variables():
            reuse = False  # each call makes a variable
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
            use_resource = resource_variables_enabled()
        v = Variable(initial_value=init_val, name=name, trainable=trainable, collections=collections, caching_device=caching_device, dtype=variable_dtype,
                     validate_shape=validate_shape, constraint=constraint, use_resource=use_resource, synchronization=synchronization, aggregation=aggregation)
        if self._store_eager_variables or not getattr(v, "_eager", False):
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
        if dtype.is_floating:
            return glorot_uniform_initializer(), False
        if dtype.is_integer or dtype.is_unsigned or dtype.is_bool or dtype == dtypes.string:
            return Zeros(), False
        raise ValueError("An initializer for variable %s of %s is required" % (name, dtype.base_dtype))


def _makes_eager_variables():
    with ops.init_scope():
        return ops.get_default_graph()._eager


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
