"""Batch normalization."""

from .. import basics, context, dtypes, engine, initializers, ops
from ..control_flow import smart_constant_value
from ..exports import export
from ..tensor_shape import TensorShape
from ..variable_base import Variable
from ..variables import assign, assign_sub, VariableAggregation, VariableSynchronization
from .base import InputSpec, Layer, learning_phase, name_scope
from .core import choose, kept
from .graph_layer import GraphLayer
from .keras_names import keras_class, unexported
from .lookups import constraint as get_constraint, initializer as get_initializer, regularizer as get_regularizer


def _known(training):
    return None if getattr(training, "_is_variable", False) else smart_constant_value(training)


class _BatchNormalization(Layer):
    """Shifts and scales inputs to mean 0 and variance 1 over the batch, and keeps moving averages of both for inference."""

    _prefers_fused = False
    # Whether the fused op's variances, which are divided by n - 1, are averaged as they are; False: as the variances of n values that the unfused computation gives.
    _bessels_correction_test_only = True

    def __init__(self, axis=-1, momentum=0.99, epsilon=1e-3, center=True, scale=True, beta_initializer="zeros", gamma_initializer="ones", moving_mean_initializer="zeros",
                 moving_variance_initializer="ones", beta_regularizer=None, gamma_regularizer=None, beta_constraint=None, gamma_constraint=None, renorm=False,
                 renorm_clipping=None, renorm_momentum=0.99, fused=None, trainable=True, virtual_batch_size=None, adjustment=None, name=None, **kwargs):
        super().__init__(name=name, **kwargs)
        if not isinstance(axis, (int, list, tuple)):
            raise TypeError("axis must be int or list, type given: %s" % type(axis))
        self.axis = axis if isinstance(axis, int) else list(axis)
        self.momentum, self.epsilon, self.center, self.scale = momentum, epsilon, center, scale
        self.beta_initializer, self.gamma_initializer = get_initializer(beta_initializer), get_initializer(gamma_initializer)
        self.moving_mean_initializer, self.moving_variance_initializer = get_initializer(moving_mean_initializer), get_initializer(moving_variance_initializer)
        self.beta_regularizer, self.gamma_regularizer = get_regularizer(beta_regularizer), get_regularizer(gamma_regularizer)
        self.beta_constraint, self.gamma_constraint = get_constraint(beta_constraint), get_constraint(gamma_constraint)
        self.renorm, self.virtual_batch_size, self.adjustment = renorm, virtual_batch_size, adjustment
        if self._prefers_fused:
            self.fused = True if fused is None else fused
        else:
            if fused:
                self._refuse_fused()
            self.fused = False if fused is None and not self._can_be_fused() else fused
        self.supports_masking = True
        self.trainable = trainable
        if renorm:
            renorm_clipping = renorm_clipping or {}
            keys = ["rmax", "rmin", "dmax"]
            if set(renorm_clipping) - set(keys):
                raise ValueError("renorm_clipping %s contains keys not in %s" % (renorm_clipping, keys))
            self.renorm_clipping, self.renorm_momentum = renorm_clipping, renorm_momentum

    def _refuse_fused(self):
        """ValueError if the fused op cannot be used."""
        if self.renorm:
            raise ValueError("Passing both fused=True and renorm=True is unsupported")
        axis = [self.axis] if isinstance(self.axis, int) else self.axis
        if len(axis) > 1 or axis[0] not in (-3, -1, 1, 3):
            raise ValueError("Passing fused=True is only supported when axis is 1 or 3")
        if self.virtual_batch_size is not None:
            raise ValueError("Passing fused=True is unsupported when virtual_batch_size is specified.")
        if self.adjustment is not None:
            raise ValueError("Passing fused=True is unsupported when adjustment is specified.")

    def _can_be_fused(self):
        try:
            self._refuse_fused()
            return True
        except ValueError:
            return False

    @property
    def _param_dtype(self):
        return dtypes.float32 if self.dtype in ("float16", "bfloat16") else dtypes.as_dtype(self.dtype or "float32")

    def build(self, input_shape):
        input_shape = TensorShape(input_shape)
        if not input_shape.ndims:
            raise ValueError("Input has undefined rank:", input_shape)
        rank = input_shape.ndims
        axes = [self.axis] if isinstance(self.axis, int) else self.axis
        self.axis = axes = [rank + x if x < 0 else x for x in axes]
        for x in axes:
            if x < 0 or x >= rank:
                raise ValueError("Invalid axis: %d" % x)
        if len(axes) != len(set(axes)):
            raise ValueError("Duplicate axis: %s" % axes)
        if self.virtual_batch_size is not None:
            if self.virtual_batch_size <= 0:
                raise ValueError("virtual_batch_size must be a positive integer that divides the true batch size of the input Tensor")
            if 0 in axes:
                raise ValueError("When using virtual_batch_size, the batch dimension must be 0 and thus axis cannot include 0")
            if self.adjustment is not None:
                raise ValueError("When using virtual_batch_size, adjustment cannot be specified")
        if self.fused in (None, True):
            if self._prefers_fused:
                self.fused = rank == 4 and self._can_be_fused()
            elif self.fused is None:
                self.fused = rank == 4
            elif rank != 4:
                raise ValueError("Batch normalization layers with fused=True only support 4D input tensors.")
        if self.fused:
            if axes not in ([1], [3]):
                raise ValueError("Unsupported axis, fused batch norm only supports axis == [1] or axis == [3]")
            self._data_format = "NCHW" if axes == [1] else "NHWC"
        sizes = {x: input_shape.as_list()[x] for x in axes}
        if None in sizes.values():
            raise ValueError("Input has undefined `axis` dimension. Input shape: ", input_shape)
        self.input_spec = InputSpec(ndim=rank, axes=sizes)
        if len(sizes) == 1 and self.virtual_batch_size is None:
            shape = (sizes[axes[0]],)
        else:
            shape = [sizes.get(i, 1) for i in range(rank)]
            if self.virtual_batch_size is not None:
                shape.insert(1, 1)
                self.axis = [x + 1 for x in axes]
        self.gamma = self.beta = None
        if self.scale:
            self.gamma = self.add_weight(name="gamma", shape=shape, dtype=self._param_dtype, initializer=self.gamma_initializer, regularizer=self.gamma_regularizer,
                                         constraint=self.gamma_constraint, trainable=True, experimental_autocast=False)
        elif self.fused:
            self._gamma_const = ops.constant(1.0, dtype=self._param_dtype, shape=shape)
        if self.center:
            self.beta = self.add_weight(name="beta", shape=shape, dtype=self._param_dtype, initializer=self.beta_initializer, regularizer=self.beta_regularizer,
                                        constraint=self.beta_constraint, trainable=True, experimental_autocast=False)
        elif self.fused:
            self._beta_const = ops.constant(0.0, dtype=self._param_dtype, shape=shape)
        scope = getattr(self, "_scope", None)
        partitioner = scope.partitioner if scope else None
        if scope:
            scope.set_partitioner(None)
        try:
            self._add_moving(shape)
        finally:
            if partitioner:
                scope.set_partitioner(partitioner)
        self.built = True

    def _add_moving(self, shape):
        def variable(name, initializer):
            return self.add_weight(name=name, shape=shape, dtype=self._param_dtype, initializer=initializer, synchronization=VariableSynchronization.ON_READ, trainable=False,
                                   aggregation=VariableAggregation.MEAN, experimental_autocast=False)

        self.moving_mean = variable("moving_mean", self.moving_mean_initializer)
        self.moving_variance = variable("moving_variance", self.moving_variance_initializer)
        if self.renorm:
            def deviation(*args, **kwargs):
                return engine.sqrt(self.moving_variance_initializer(*args, **kwargs))

            with ops.colocate_with(self.moving_variance):
                self.moving_stddev = variable("moving_stddev", deviation)
            with ops.colocate_with(self.moving_mean):
                self.renorm_mean = variable("renorm_mean", self.moving_mean_initializer)
            with ops.colocate_with(self.moving_stddev):
                self.renorm_stddev = variable("renorm_stddev", deviation)

    def _move(self, variable, value, momentum):
        """variable -= (variable - value) * (1 - momentum)"""
        with name_scope("AssignMovingAvg") as scope, ops.colocate_with(variable):
            decay = ops.convert_to_tensor(1.0 - momentum, name="decay")
            if decay.dtype != variable.dtype.base_dtype:
                decay = basics.cast(decay, variable.dtype.base_dtype)
            return assign_sub(variable, (variable - basics.cast(value, variable.dtype.base_dtype)) * decay, name=scope)

    def _assign(self, variable, value):
        with name_scope("AssignNewValue") as scope, ops.colocate_with(variable):
            return assign(variable, value, name=scope)

    def _renorm_variance(self, variance, momentum):
        deviation = self._move(self.moving_stddev, engine.sqrt(variance + self.epsilon), momentum)
        return self._assign(self.moving_variance, engine.nn.relu(deviation * deviation - self.epsilon))

    def _here(self, made, value):
        """A constant of build(), or a new one if the layer was built in a graph and is called on values."""
        return made if ops.executing_eagerly() == getattr(made, "_is_eager", False) else ops.constant(value, dtype=self._param_dtype, shape=made.shape)

    def _fused(self, inputs, training):
        beta = self.beta if self.center else self._here(self._beta_const, 0.0)
        gamma = self.gamma if self.scale else self._here(self._gamma_const, 1.0)

        def train():
            return engine.nn.fused_batch_norm(inputs, gamma, beta, epsilon=self.epsilon, data_format=self._data_format)

        def use():
            return engine.nn.fused_batch_norm(inputs, gamma, beta, mean=self.moving_mean, variance=self.moving_variance, epsilon=self.epsilon, is_training=False,
                                              data_format=self._data_format)

        output, mean, variance = choose(training, train, use)
        if not self._bessels_correction_test_only:
            count = basics.cast(basics.size(inputs) / basics.size(variance), variance.dtype)
            variance *= (count - basics.cast(1.0, variance.dtype)) / count
        known = _known(training)
        if known is None:
            momentum = choose(training, lambda: self.momentum, lambda: 1.0)
        else:
            momentum = ops.convert_to_tensor(self.momentum)
        if known or known is None:
            self.add_update(lambda: self._move(self.moving_mean, mean, momentum))
            self.add_update(lambda: self._renorm_variance(variance, momentum) if self.renorm else self._move(self.moving_variance, variance, momentum))
        return output

    def _renormalized(self, mean, variance, training):
        """(corrections from the batch's moments to the moving ones, the moments after their update)."""
        deviation = engine.sqrt(variance + self.epsilon)
        moving_deviation = engine.maximum(self.renorm_stddev, engine.sqrt(self.epsilon))
        r = deviation / moving_deviation
        d = (mean - self.renorm_mean) / moving_deviation
        with ops.control_dependencies([r, d]):
            mean = engine.identity(mean)
            deviation = engine.identity(deviation)
        least, most, widest = [self.renorm_clipping.get(key) for key in ("rmin", "rmax", "dmax")]
        if least is not None:
            r = engine.maximum(r, least)
        if most is not None:
            r = engine.minimum(r, most)
        if widest is not None:
            d = engine.minimum(engine.maximum(d, -widest), widest)
        r = choose(training, lambda: r, lambda: engine.ones_like(r))
        d = choose(training, lambda: d, lambda: engine.zeros_like(d))

        def update(variable, value):
            value = engine.identity(value)
            return choose(training, lambda: self._move(variable, value, self.renorm_momentum), lambda: engine.identity(variable))

        updates = [update(self.renorm_mean, mean), update(self.renorm_stddev, deviation)]
        with ops.control_dependencies(updates):
            return r, d, engine.identity(mean), engine.identity(variance)

    def _training_value(self, training):
        if training is None:
            training = learning_phase()
        if not self._prefers_fused:
            if isinstance(training, int):
                training = bool(training)
            training = engine.logical_and(training, self._trainable_now())
        return training

    def _trainable_now(self):
        """Whether the layer is trainable; in Keras's own graph a variable, since the graph stays when the attribute changes."""
        if ops.get_default_graph() is not context.made_keras_graph():
            return self.trainable
        if "_keras_trainable" not in self.__dict__:
            with ops.init_scope():
                self.__dict__["_keras_trainable"] = Variable(self.trainable, trainable=False, dtype=dtypes.bool_, name=self.name + "_trainable")
        return self._keras_trainable

    @property
    def trainable(self):
        return self._trainable

    @trainable.setter
    def trainable(self, value):
        Layer.trainable.fset(self, value)
        if "_keras_trainable" in self.__dict__:
            with context.eager_graph().as_default():
                self._keras_trainable.assign(value)

    def call(self, inputs, training=None):
        training = self._training_value(training)
        original = None
        if self.virtual_batch_size is not None:
            original = [-1] + inputs.shape.as_list()[1:]
            inputs = engine.reshape(inputs, [self.virtual_batch_size, -1] + original[1:])
        outputs = self._fused(inputs, training) if self.fused else self._unfused(inputs, training)
        return outputs if original is None else engine.reshape(outputs, original)

    def _unfused(self, inputs, training):
        shape = inputs.shape
        rank = shape.ndims
        over = [i for i in range(rank) if i not in self.axis]
        if self.virtual_batch_size is not None:
            del over[1]
        wide = [1] * rank
        wide[self.axis[0]] = shape.as_list()[self.axis[0]]

        def broadcast(v):
            if v is not None and v.get_shape().ndims != rank and over != list(range(rank - 1)):
                return engine.reshape(v, wide)
            return v

        def composed(scale, offset, more_scale, more_offset):
            if more_scale is not None:
                scale *= more_scale
                offset *= more_scale
            return scale, offset if more_offset is None else offset + more_offset

        scale, offset = broadcast(self.gamma), broadcast(self.beta)
        if _known(training) is False:
            mean, variance = self.moving_mean, self.moving_variance
        else:
            if self.adjustment:
                more_scale, more_offset = self.adjustment(basics.shape(inputs))
                more_scale = choose(training, lambda: more_scale, lambda: engine.ones_like(more_scale))
                more_offset = choose(training, lambda: more_offset, lambda: engine.zeros_like(more_offset))
                scale, offset = composed(more_scale, more_offset, scale, offset)
            keep = self.virtual_batch_size is not None or len(self.axis) > 1
            mean, variance = engine.nn.moments(basics.cast(inputs, self._param_dtype), over, keep_dims=keep)
            batch_mean, batch_variance = mean, variance
            mean = choose(training, lambda: batch_mean, lambda: ops.convert_to_tensor(self.moving_mean))
            variance = choose(training, lambda: batch_variance, lambda: ops.convert_to_tensor(self.moving_variance))
            new_mean, new_variance = mean, variance
            if self.virtual_batch_size is not None:
                new_mean, new_variance = engine.reduce_mean(mean, axis=1, keepdims=True), engine.reduce_mean(variance, axis=1, keepdims=True)
            if self.renorm:
                r, d, new_mean, new_variance = self._renormalized(new_mean, new_variance, training)
                r, d = broadcast(engine.stop_gradient(r, name="renorm_r")), broadcast(engine.stop_gradient(d, name="renorm_d"))
                scale, offset = composed(r, d, scale, offset)

            def moved_variance():
                if self.renorm:
                    return self._renorm_variance(new_variance, self.momentum)
                return self._move(self.moving_variance, new_variance, self.momentum)

            self.add_update(lambda: choose(training, lambda: self._move(self.moving_mean, new_mean, self.momentum), lambda: self.moving_mean))
            self.add_update(lambda: choose(training, moved_variance, lambda: self.moving_variance))
        mean, variance, offset, scale = (None if v is None else basics.cast(v, inputs.dtype) for v in (mean, variance, offset, scale))
        outputs = engine.nn.batch_normalization(inputs, broadcast(mean), broadcast(variance), offset, scale, self.epsilon)
        outputs.set_shape(shape)
        return outputs

    def compute_output_shape(self, input_shape):
        return TensorShape(input_shape)

    def get_config(self):
        return kept(self, super().get_config(), "axis", "momentum", "epsilon", "center", "scale", "beta_initializer", "gamma_initializer", "moving_mean_initializer",
                    "moving_variance_initializer", "beta_regularizer", "gamma_regularizer", "beta_constraint", "gamma_constraint")


class BatchNormalizationV2(_BatchNormalization):
    """Batch normalization as in TensorFlow 2: a frozen layer uses its moving averages."""


BatchNormalizationV2.__name__ = BatchNormalizationV2.__qualname__ = "BatchNormalization"


@keras_class("BatchNormalization")
class KerasBatchNormalization(_BatchNormalization):
    """Batch normalization of a Keras model."""

    def _training_value(self, training):
        return learning_phase() if training is None else training  # a frozen layer also uses the batch's moments while training: only its updates stop

    _prefers_fused = True


@export("layers.BatchNormalization")
class BatchNormalization(_BatchNormalization, GraphLayer):
    """Batch normalization whose updates are in the collection UPDATE_OPS."""

    _prefers_fused = True

    def __init__(self, axis=-1, momentum=0.99, epsilon=1e-3, center=True, scale=True, beta_initializer=initializers.zeros_initializer(), gamma_initializer=initializers.ones_initializer(),
                 moving_mean_initializer=initializers.zeros_initializer(), moving_variance_initializer=initializers.ones_initializer(), beta_regularizer=None, gamma_regularizer=None,
                 beta_constraint=None, gamma_constraint=None, renorm=False, renorm_clipping=None, renorm_momentum=0.99, fused=None, trainable=True, virtual_batch_size=None,
                 adjustment=None, name=None, **kwargs):
        super().__init__(axis=axis, momentum=momentum, epsilon=epsilon, center=center, scale=scale, beta_initializer=beta_initializer, gamma_initializer=gamma_initializer,
                         moving_mean_initializer=moving_mean_initializer, moving_variance_initializer=moving_variance_initializer, beta_regularizer=beta_regularizer,
                         gamma_regularizer=gamma_regularizer, beta_constraint=beta_constraint, gamma_constraint=gamma_constraint, renorm=renorm,
                         renorm_clipping=renorm_clipping, renorm_momentum=renorm_momentum, fused=fused, trainable=trainable, virtual_batch_size=virtual_batch_size,
                         adjustment=adjustment, name=name, **kwargs)

    def call(self, inputs, training=False):
        return super().call(inputs, training=training)


unexported.update(BatchNormalizationV1=KerasBatchNormalization, BatchNormalizationV2=BatchNormalizationV2)  # names in configurations of earlier versions
