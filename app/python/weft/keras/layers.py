"""tf.keras.layers."""

import re

import tensorflow as tf

from ..exports import export
from ..util import nest
from . import backend


def snake_case(name):
    text = re.sub("(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    return re.sub("([a-z])([A-Z])", r"\1_\2", text).lower()


def activation_of(what):
    """A function by its name; None for "linear"."""
    if what is None or callable(what):
        return what
    found = {"linear": None, "relu": tf.nn.relu, "softmax": tf.nn.softmax, "sigmoid": tf.nn.sigmoid, "tanh": tf.nn.tanh, "elu": tf.nn.elu,
             "selu": tf.nn.selu, "softplus": tf.nn.softplus, "softsign": tf.nn.softsign, "exponential": tf.exp,
             "hard_sigmoid": lambda x: tf.clip_by_value(.2 * x + .5, 0., 1.)}
    if what not in found:
        raise ValueError("Unknown activation function:" + str(what))
    return found[what]


def initializer_of(what):
    """An initializer by its name."""
    if what is None or not isinstance(what, str):
        return what() if isinstance(what, type) else what
    names = {"zeros": "zeros", "ones": "ones", "glorot_uniform": "glorot_uniform", "glorot_normal": "glorot_normal", "he_normal": "he_normal",
             "he_uniform": "he_uniform", "lecun_normal": "lecun_normal", "lecun_uniform": "lecun_uniform", "orthogonal": "orthogonal",
             "identity": "identity"}
    if what in names:
        return getattr(tf.initializers, names[what])()
    if what in ("uniform", "random_uniform"):
        return tf.random_uniform_initializer(-.05, .05)
    if what in ("normal", "random_normal"):
        return tf.random_normal_initializer(stddev=.05)
    raise ValueError("Unknown initializer:" + what)


class CallRecord:
    """One call of a layer, from which models are put together: where each tensor comes from."""

    def __init__(self, layer, inputs, kwargs, outputs):
        self.layer, self.inputs, self.kwargs, self.outputs = layer, inputs, kwargs, outputs


@export("keras.layers.Layer")
class Layer:
    """Base of layers: variables are made at the first call."""

    def __init__(self, trainable=True, name=None, dtype=None, **kwargs):
        shape = kwargs.pop("input_shape", None)
        dim = kwargs.pop("input_dim", None)
        batch_shape = kwargs.pop("batch_input_shape", None)
        batch_size = kwargs.pop("batch_size", None)
        self._activity_regularizer = kwargs.pop("activity_regularizer", None)
        for ignored in ("weights", "dynamic", "autocast"):
            kwargs.pop(ignored, None)
        if kwargs:
            raise TypeError("Keyword argument not understood:", next(iter(kwargs)))
        if dim is not None and shape is None:
            shape = (dim,)
        self.batch_input_shape = tuple(batch_shape) if batch_shape is not None else (batch_size,) + tuple(shape) if shape is not None else None
        self.trainable, self.built = trainable, False
        self._dtype = dtype
        self._name = name or backend.unique_name(snake_case(type(self).__name__))
        self._weights, self._fixed_weights, self._losses, self._updates = [], [], [], []
        self.input = self.output = None

    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)

    def _nested(self):
        return [v for v in self.__dict__.values() if isinstance(v, Layer)] + [
            x for v in self.__dict__.values() if isinstance(v, list) for x in v if isinstance(x, Layer)]

    @property
    def trainable_weights(self):
        if not self.trainable:
            return []
        return _once(self._weights + [w for layer in self._nested() for w in layer.trainable_weights])

    @property
    def non_trainable_weights(self):
        own = self._fixed_weights if self.trainable else self._weights + self._fixed_weights
        below = [w for layer in self._nested() for w in (layer.non_trainable_weights if self.trainable else layer.weights)]
        return _once(own + below)

    @property
    def weights(self):
        return self.trainable_weights + self.non_trainable_weights

    variables = property(lambda self: self.weights)
    trainable_variables = property(lambda self: self.trainable_weights)
    non_trainable_variables = property(lambda self: self.non_trainable_weights)

    @property
    def losses(self):
        return self._losses + [x for layer in self._nested() for x in layer.losses]

    @property
    def updates(self):
        return self._updates + [x for layer in self._nested() for x in layer.updates]

    def add_weight(self, name=None, shape=None, dtype=None, initializer=None, regularizer=None, trainable=True, constraint=None, **unused):
        """A variable of the layer."""
        dtype = tf.as_dtype(dtype or self._dtype or backend.floatx())
        shape = tuple(int(n) for n in (shape or ()))
        initializer = initializer_of(initializer)
        if initializer is None:
            initializer = tf.glorot_uniform_initializer() if dtype.is_floating else tf.zeros_initializer()
        v = tf.Variable(lambda: initializer(shape, dtype=dtype), dtype=dtype, name=name, trainable=trainable, constraint=constraint, use_resource=True)
        backend.track(v)
        if regularizer is not None:
            with tf.name_scope(name + "/Regularizer"):
                self._losses.append(regularizer(v))
        (self._weights if trainable else self._fixed_weights).append(v)
        return v

    add_variable = add_weight

    def add_loss(self, losses, inputs=None):
        self._losses += [x() if callable(x) else x for x in nest.flatten(losses)]

    def add_update(self, updates, inputs=None):
        self._updates += [u for u in nest.flatten(updates)]

    def build(self, input_shape):
        self.built = True

    def call(self, inputs, **kwargs):
        return inputs

    def __call__(self, inputs, *args, **kwargs):
        inputs = nest.map_structure(lambda x: x if isinstance(x, (tf.Tensor, tf.SparseTensor)) else tf.convert_to_tensor(x), inputs)
        with tf.name_scope(self._name):
            if not self.built:
                if self._dtype is None:
                    first = nest.flatten(inputs)[0].dtype.base_dtype
                    self._dtype = first.name if first.is_floating else backend.floatx()
                self.build(nest.map_structure(lambda x: x.shape, inputs))
                self.built = True
            outputs = self.call(inputs, *args, **kwargs)
            if self._activity_regularizer is not None:
                with tf.name_scope("ActivityRegularizer"):
                    self._losses.append(self._activity_regularizer(outputs))
        record = CallRecord(self, inputs, kwargs, outputs)
        for t in nest.flatten(outputs):
            t._keras_call = record
        if self.input is None:
            self.input, self.output = inputs, outputs
        return outputs

    def get_weights(self):
        """The values of all variables."""
        return backend.batch_get_value(self.weights)

    def set_weights(self, weights):
        own = self.weights
        if len(own) != len(weights):
            raise ValueError('You called `set_weights(weights)` on layer "%s" with a  weight list of length %d, but the layer was expecting %d weights.'
                             % (self.name, len(weights), len(own)))
        backend.batch_set_value(zip(own, weights))

    def count_params(self):
        return sum(w.shape.num_elements() for w in self.weights)

    @property
    def output_shape(self):
        return backend.int_shape(self.output)

    @property
    def input_shape(self):
        return backend.int_shape(self.input)

    def get_config(self):
        return {"name": self.name, "trainable": self.trainable}


def _once(items):
    seen, kept = set(), []
    for item in items:
        if id(item) not in seen:
            seen.add(id(item))
            kept.append(item)
    return kept


@export("keras.layers.InputLayer")
class InputLayer(Layer):
    """Where a model is fed."""

    def __init__(self, input_shape=None, batch_size=None, dtype=None, input_tensor=None, name=None, **kwargs):
        super().__init__(name=name, dtype=dtype)
        shape = (batch_size,) + tuple(input_shape or ())
        self.tensor = tf.placeholder(dtype or backend.floatx(), shape, name=self.name) if input_tensor is None else input_tensor
        self.tensor._keras_call = CallRecord(self, None, {}, self.tensor)
        self.input = self.output = self.tensor


@export("keras.Input", "keras.layers.Input")
def Input(shape=None, batch_size=None, name=None, dtype=None, sparse=False, tensor=None, **kwargs):
    """A tensor that a model is fed with."""
    if "batch_shape" in kwargs:
        batch = kwargs["batch_shape"]
        batch_size, shape = batch[0], batch[1:]
    return InputLayer(shape, batch_size, dtype, tensor, name or "input_%d" % backend.get_uid("input")).tensor


@export("keras.layers.Dense")
class Dense(Layer):
    """activation(inputs @ kernel + bias)"""

    def __init__(self, units, activation=None, use_bias=True, kernel_initializer="glorot_uniform", bias_initializer="zeros", kernel_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None, bias_constraint=None, **kwargs):
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self.units, self.activation, self.use_bias = int(units), activation_of(activation), use_bias
        self._kernel, self._bias = (kernel_initializer, kernel_regularizer, kernel_constraint), (bias_initializer, bias_regularizer, bias_constraint)

    def build(self, input_shape):
        last = tf.TensorShape(input_shape).as_list()[-1]
        if last is None:
            raise ValueError("The last dimension of the inputs to `Dense` should be defined. Found `None`.")
        self.kernel = self.add_weight("kernel", [last, self.units], initializer=self._kernel[0], regularizer=self._kernel[1], constraint=self._kernel[2])
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight("bias", [self.units], initializer=self._bias[0], regularizer=self._bias[1], constraint=self._bias[2])

    def call(self, inputs):
        if inputs.shape.ndims is not None and inputs.shape.ndims > 2:
            outputs = tf.tensordot(inputs, self.kernel, [[inputs.shape.ndims - 1], [0]])
            outputs.set_shape(inputs.shape.as_list()[:-1] + [self.units])
        else:
            outputs = tf.matmul(inputs, self.kernel)
        if self.use_bias:
            outputs = tf.nn.bias_add(outputs, self.bias)
        return outputs if self.activation is None else self.activation(outputs)


@export("keras.layers.Activation")
class Activation(Layer):
    """A function of each value."""

    def __init__(self, activation, **kwargs):
        super().__init__(**kwargs)
        self.activation = activation_of(activation)

    def call(self, inputs):
        return inputs if self.activation is None else self.activation(inputs)


@export("keras.layers.Lambda")
class Lambda(Layer):
    """Any function of tensors."""

    def __init__(self, function, output_shape=None, mask=None, arguments=None, **kwargs):
        super().__init__(**kwargs)
        self.function, self.arguments = function, arguments or {}

    def call(self, inputs):
        return self.function(inputs, **self.arguments)


def in_phase(training, yes, no):
    """yes() while training, else no(); `training` None: as the learning phase says."""
    training = backend.learning_phase() if training is None else training
    if isinstance(training, (bool, int)):
        return yes() if training else no()
    return tf.cond(tf.cast(training, tf.bool), yes, no)


@export("keras.layers.Dropout")
class Dropout(Layer):
    """Sets a random part of the values to zero while training."""

    def __init__(self, rate, noise_shape=None, seed=None, **kwargs):
        super().__init__(**kwargs)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed

    def call(self, inputs, training=None):
        return in_phase(training, lambda: tf.nn.dropout(inputs, noise_shape=self.noise_shape, seed=self.seed, rate=self.rate), lambda: tf.identity(inputs))


@export("keras.layers.Flatten")
class Flatten(Layer):
    """All dimensions but the batch as one."""

    def __init__(self, data_format=None, **kwargs):
        super().__init__(**kwargs)

    def call(self, inputs):
        rest = inputs.shape[1:].num_elements() if inputs.shape[1:].is_fully_defined() else None
        outputs = tf.reshape(inputs, [tf.shape(inputs)[0], -1] if rest is None else [-1, rest])
        outputs.set_shape([inputs.shape.as_list()[0], rest])
        return outputs


@export("keras.layers.Reshape")
class Reshape(Layer):
    """Another shape of each element of the batch."""

    def __init__(self, target_shape, **kwargs):
        super().__init__(**kwargs)
        self.target_shape = tuple(target_shape)

    def call(self, inputs):
        return tf.reshape(inputs, (tf.shape(inputs)[0],) + self.target_shape)


@export("keras.layers.Embedding")
class Embedding(Layer):
    """Rows of a table."""

    def __init__(self, input_dim, output_dim, embeddings_initializer="uniform", embeddings_regularizer=None, activity_regularizer=None,
                 embeddings_constraint=None, mask_zero=False, input_length=None, **kwargs):
        if "input_shape" not in kwargs and input_length is not None:
            kwargs["input_shape"] = (input_length,)
        super().__init__(dtype=kwargs.pop("dtype", backend.floatx()), **kwargs)
        self.input_dim, self.output_dim = input_dim, output_dim
        self._how = (embeddings_initializer, embeddings_regularizer, embeddings_constraint)

    def build(self, input_shape):
        self.embeddings = self.add_weight("embeddings", [self.input_dim, self.output_dim], initializer=self._how[0], regularizer=self._how[1],
                                          constraint=self._how[2])

    def call(self, inputs):
        ids = inputs if inputs.dtype in (tf.int32, tf.int64) else tf.cast(inputs, tf.int32)
        return tf.nn.embedding_lookup(self.embeddings, ids)


@export("keras.layers.BatchNormalization")
class BatchNormalization(Layer):
    """Brings each channel to mean 0 and variance 1 over the batch, by moving averages when not training."""

    def __init__(self, axis=-1, momentum=.99, epsilon=1e-3, center=True, scale=True, beta_initializer="zeros", gamma_initializer="ones",
                 moving_mean_initializer="zeros", moving_variance_initializer="ones", beta_regularizer=None, gamma_regularizer=None, **kwargs):
        super().__init__(**kwargs)
        self.axis, self.momentum, self.epsilon, self.center, self.scale = axis, momentum, epsilon, center, scale
        self._how = (beta_initializer, gamma_initializer, moving_mean_initializer, moving_variance_initializer, beta_regularizer, gamma_regularizer)

    def build(self, input_shape):
        axis = self.axis if self.axis >= 0 else input_shape.ndims + self.axis
        self.axes, size = [i for i in range(input_shape.ndims) if i != axis], [input_shape.as_list()[axis]]
        self.gamma = self.add_weight("gamma", size, initializer=self._how[1], regularizer=self._how[5]) if self.scale else None
        self.beta = self.add_weight("beta", size, initializer=self._how[0], regularizer=self._how[4]) if self.center else None
        self.moving_mean = self.add_weight("moving_mean", size, initializer=self._how[2], trainable=False)
        self.moving_variance = self.add_weight("moving_variance", size, initializer=self._how[3], trainable=False)

    def call(self, inputs, training=None):
        mean, variance = tf.nn.moments(inputs, self.axes)
        used = [in_phase(training, lambda x=x: tf.identity(x), lambda m=m: tf.identity(m))
                for x, m in ((mean, self.moving_mean), (variance, self.moving_variance))]
        for moving, now in ((self.moving_mean, mean), (self.moving_variance, variance)):
            keep = in_phase(training, lambda: tf.constant(1 - self.momentum), lambda: tf.constant(0.0))
            self.add_update(moving.assign_sub((moving - now) * keep))
        return tf.nn.batch_normalization(inputs, used[0], used[1], self.beta, self.gamma, self.epsilon)
