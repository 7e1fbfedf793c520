"""Dense, Dropout, Flatten."""

from .. import basics, dtypes, engine, initializers, ops
from ..control_flow import cond, smart_cond
from ..exports import export
from ..op_calls import raw
from ..sparse_tensor import SparseTensor
from ..tensor_shape import TensorShape
from .base import InputSpec, Layer, learning_phase
from .graph_layer import GraphLayer
from .keras_names import keras_class
from .lookups import activation as get_activation, constraint as get_constraint, initializer as get_initializer, regularizer as get_regularizer, text_of


def last_dimension(shape, axis=-1):
    return TensorShape(shape).as_list()[axis]


def kept(layer, config, *names):
    """`config` extended by the layer's attributes `names`, serialized."""
    for name in names:
        value = getattr(layer, name)
        config[name] = text_of(value) if callable(value) or name.endswith(("izer", "constraint", "activation")) else value
    return config


def choose(training, yes, no):
    """smart_cond that takes variables and Python numbers."""
    if getattr(training, "_is_variable", False):
        return cond(training, yes, no)
    return smart_cond(training, yes, no)


@keras_class("Dense")
class KerasDense(Layer):
    """activation(inputs · kernel + bias)."""

    def __init__(self, units, activation=None, use_bias=True, kernel_initializer="glorot_uniform", bias_initializer="zeros", kernel_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, bias_constraint=None, **kwargs):
        if "input_shape" not in kwargs and "input_dim" in kwargs:
            kwargs["input_shape"] = (kwargs.pop("input_dim"),)
        super().__init__(activity_regularizer=get_regularizer(activity_regularizer), **kwargs)
        self.units = int(units)
        self.activation = get_activation(activation)
        self.use_bias = use_bias
        self.kernel_initializer, self.bias_initializer = get_initializer(kernel_initializer), get_initializer(bias_initializer)
        self.kernel_regularizer, self.bias_regularizer = get_regularizer(kernel_regularizer), get_regularizer(bias_regularizer)
        self.kernel_constraint, self.bias_constraint = get_constraint(kernel_constraint), get_constraint(bias_constraint)
        self.supports_masking = True
        self.input_spec = InputSpec(min_ndim=2)

    def build(self, input_shape):
        dtype = dtypes.as_dtype(self.dtype or dtypes.float32)
        if not (dtype.is_floating or dtype.is_complex):
            raise TypeError("Unable to build `Dense` layer with non-floating point dtype %s" % (dtype,))
        size = last_dimension(input_shape)
        if size is None:
            raise ValueError("The last dimension of the inputs to `Dense` should be defined. Found `None`.")
        self.input_spec = InputSpec(min_ndim=2, axes={-1: size})
        self.kernel = self.add_weight("kernel", shape=[size, self.units], initializer=self.kernel_initializer, regularizer=self.kernel_regularizer,
                                      constraint=self.kernel_constraint, dtype=self.dtype, trainable=True)
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight("bias", shape=[self.units], initializer=self.bias_initializer, regularizer=self.bias_regularizer, constraint=self.bias_constraint,
                                        dtype=self.dtype, trainable=True)
        self.built = True

    def call(self, inputs):
        rank = inputs.shape.ndims
        if rank > 2:
            outputs = engine.tensordot(inputs, self.kernel, [[rank - 1], [0]])
            outputs.set_shape(inputs.shape.as_list()[:-1] + [self.units])
        elif isinstance(inputs, SparseTensor):
            outputs = engine.sparse_tensor_dense_matmul(inputs, self.kernel)
        else:
            inputs = basics.cast(inputs, self.dtype)
            outputs = raw("MatMul")(inputs, self.kernel)
        if self.use_bias:
            outputs = engine.nn.bias_add(outputs, self.bias)
        return self.activation(outputs)

    def compute_output_shape(self, input_shape):
        input_shape = TensorShape(input_shape).with_rank_at_least(2)
        if input_shape.as_list()[-1] is None:
            raise ValueError("The innermost dimension of input_shape must be defined, but saw: %s" % input_shape)
        return input_shape[:-1].concatenate(self.units)

    def get_config(self):
        return kept(self, super().get_config(), "units", "activation", "use_bias", "kernel_initializer", "bias_initializer", "kernel_regularizer", "bias_regularizer",
                    "activity_regularizer", "kernel_constraint", "bias_constraint")


@keras_class("Dropout")
class KerasDropout(Layer):
    """Sets a random part of the inputs to zero while training."""

    def __init__(self, rate, noise_shape=None, seed=None, **kwargs):
        super().__init__(**kwargs)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed
        self.supports_masking = True

    def _get_noise_shape(self, inputs):
        if self.noise_shape is None:
            return None
        sizes = basics.shape(inputs)
        return ops.convert_to_tensor([sizes[i] if n is None else n for i, n in enumerate(self.noise_shape)])

    def call(self, inputs, training=None):
        if training is None:
            training = learning_phase()

        def dropped():
            return engine.nn.dropout(inputs, noise_shape=self._get_noise_shape(inputs), seed=self.seed, rate=self.rate)

        return choose(training, dropped, lambda: engine.identity(inputs))

    def compute_output_shape(self, input_shape):
        return TensorShape(input_shape)

    def get_config(self):
        return kept(self, super().get_config(), "rate", "noise_shape", "seed")


@keras_class("Flatten")
class KerasFlatten(Layer):
    """Flattens all dimensions except the batch."""

    def __init__(self, data_format=None, **kwargs):
        super().__init__(**kwargs)
        self.data_format = data_format or "channels_last"
        self.input_spec = InputSpec(min_ndim=1)

    def call(self, inputs):
        rank = inputs.shape.ndims
        if self.data_format == "channels_first" and rank is not None and rank > 1:
            inputs = engine.transpose(inputs, perm=[0] + list(range(2, rank)) + [1])
        outputs = engine.reshape(inputs, (inputs.shape.as_list()[0] or basics.shape(inputs)[0], -1))
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        return outputs

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        rest = 1
        for size in sizes[1:]:
            rest = rest * size if rest and size else None
        return TensorShape([sizes[0], rest])

    def get_config(self):
        return kept(self, super().get_config(), "data_format")


@export("layers.Dense")
class Dense(KerasDense, GraphLayer):
    """activation(inputs · kernel + bias), with variables of tf.get_variable."""

    def __init__(self, units, activation=None, use_bias=True, kernel_initializer=None, bias_initializer=initializers.zeros_initializer(), kernel_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, bias_constraint=None, trainable=True, name=None, **kwargs):
        super().__init__(units=units, activation=activation, use_bias=use_bias, kernel_initializer=kernel_initializer, bias_initializer=bias_initializer,
                         kernel_regularizer=kernel_regularizer, bias_regularizer=bias_regularizer, activity_regularizer=activity_regularizer,
                         kernel_constraint=kernel_constraint, bias_constraint=bias_constraint, trainable=trainable, name=name, **kwargs)


@export("layers.Dropout")
class Dropout(KerasDropout, GraphLayer):
    """Sets a random part of the inputs to zero while training."""

    def __init__(self, rate=0.5, noise_shape=None, seed=None, name=None, **kwargs):
        super().__init__(rate=rate, noise_shape=noise_shape, seed=seed, name=name, **kwargs)

    def call(self, inputs, training=False):
        return super().call(inputs, training=training)


@export("layers.Flatten")
class Flatten(KerasFlatten, GraphLayer):
    """Flattens all dimensions except the batch."""
