"""tf.keras.layers: attention, layer normalization, locally connected layers."""

from .. import basics, dtypes, engine, ops
from ..layers import lookups
from ..layers.base import Layer
from ..layers.core import kept
from ..layers.keras_names import keras_class, layer_class
from ..tensor_shape import TensorShape
from . import backend, backend_functions


@keras_class("LayerNormalization")
class LayerNormalization(Layer):
    """Normalizes each sample to mean 0 and variance 1 over its features."""

    def __init__(self, axis=-1, epsilon=1e-3, center=True, scale=True, beta_initializer="zeros", gamma_initializer="ones", beta_regularizer=None, gamma_regularizer=None,
                 beta_constraint=None, gamma_constraint=None, trainable=True, name=None, **kwargs):
        super().__init__(name=name, trainable=trainable, **kwargs)
        if not isinstance(axis, (int, list, tuple)):
            raise ValueError("Expected an int or a list/tuple of ints for the argument 'axis', but received instead: %s" % axis)
        self.axis = axis if isinstance(axis, int) else list(axis)
        self.epsilon, self.center, self.scale, self.supports_masking = epsilon, center, scale, True
        self.beta_initializer, self.gamma_initializer = lookups.initializer(beta_initializer), lookups.initializer(gamma_initializer)
        self.beta_regularizer, self.gamma_regularizer = lookups.regularizer(beta_regularizer), lookups.regularizer(gamma_regularizer)
        self.beta_constraint, self.gamma_constraint = lookups.constraint(beta_constraint), lookups.constraint(gamma_constraint)

    def build(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        axes = [self.axis] if isinstance(self.axis, int) else self.axis
        self._axes = [a % len(sizes) for a in axes]
        if any(a >= len(sizes) or a < -len(sizes) for a in axes):
            raise ValueError("Invalid axis: %d" % axes[0])
        shape = [sizes[a] for a in self._axes]
        self.gamma = self.add_weight("gamma", shape=shape, initializer=self.gamma_initializer, regularizer=self.gamma_regularizer, constraint=self.gamma_constraint) \
            if self.scale else None
        self.beta = self.add_weight("beta", shape=shape, initializer=self.beta_initializer, regularizer=self.beta_regularizer, constraint=self.beta_constraint) \
            if self.center else None
        self.built = True

    def call(self, inputs):
        rank = inputs.shape.ndims
        mean, variance = engine.nn.moments(inputs, self._axes, keep_dims=True)
        shape = [inputs.shape.as_list()[i] if i in self._axes else 1 for i in range(rank)]

        def wide(v):
            return engine.reshape(v, shape) if v is not None and (len(v.shape) != rank and self._axes != [rank - 1]) else v

        outputs = engine.nn.batch_normalization(inputs, mean, variance, offset=wide(self.beta), scale=wide(self.gamma), variance_epsilon=self.epsilon)
        outputs.set_shape(inputs.shape)
        return outputs

    def compute_output_shape(self, input_shape):
        return TensorShape(input_shape)

    def get_config(self):
        return kept(self, super().get_config(), "axis", "epsilon", "center", "scale", "beta_initializer", "gamma_initializer", "beta_regularizer", "gamma_regularizer",
                    "beta_constraint", "gamma_constraint")


@layer_class
class BaseDenseAttention(Layer):
    """Averages values, weighted by the similarity of queries and keys. Derived classes define _calculate_scores()."""

    def __init__(self, causal=False, **kwargs):
        super().__init__(**kwargs)
        self.causal, self.supports_masking = causal, True

    def _calculate_scores(self, query, key):
        """How similar each query is to each key: [batch, queries, keys]."""
        return NotImplementedError

    def _apply_scores(self, scores, value, scores_mask=None):
        """The values, weighted by the softmax of the scores; those where the mask is false do not count."""
        if scores_mask is not None:
            scores -= 1.e9 * basics.cast(engine.logical_not(scores_mask), backend.floatx())
        return engine.matmul(engine.nn.softmax(scores), value)

    def call(self, inputs, mask=None):
        self._validate_call_args(inputs, mask)
        query, value = inputs[0], inputs[1]
        scores = self._calculate_scores(query=query, key=inputs[2] if len(inputs) > 2 else value)
        masks = mask or [None, None]
        seen = engine.expand_dims(masks[1], axis=-2) if masks[1] is not None else None
        if self.causal:
            sizes = basics.shape(scores)
            earlier = _lower_triangular_mask(engine.concat([engine.ones_like(sizes[:-2]), sizes[-2:]], axis=0))
            seen = earlier if seen is None else engine.logical_and(seen, earlier)
        result = self._apply_scores(scores=scores, value=value, scores_mask=seen)
        if masks[0] is not None:
            result *= basics.cast(engine.expand_dims(masks[0], axis=-1), result.dtype)
        return result

    def compute_mask(self, inputs, mask=None):
        self._validate_call_args(inputs, mask)
        return None if not mask or mask[0] is None else ops.convert_to_tensor(mask[0])

    def _validate_call_args(self, inputs, mask):
        name = type(self).__name__
        if not isinstance(inputs, list):
            raise ValueError("{} layer must be called on a list of inputs, namely [query, value] or [query, value, key].".format(name))
        if not 2 <= len(inputs) <= 3:
            raise ValueError("{} layer accepts inputs list of length 2 or 3, namely [query, value] or [query, value, key]. Given length: {}".format(name, len(inputs)))
        if mask is not None and not isinstance(mask, list):
            raise ValueError("{} layer mask must be a list, namely [query_mask, value_mask].".format(name))
        if mask and len(mask) != 2:
            raise ValueError("{} layer mask must be a list of length 2, namely [query_mask, value_mask]. Given length: {}".format(name, len(mask)))

    def get_config(self):
        return kept(self, super().get_config(), "causal")


def _lower_triangular_mask(shape):
    """True where the row is not before the column."""
    return engine.matrix_band_part(engine.ones(shape, dtypes.int32), -1, 0) > 0


@keras_class("Attention")
class Attention(BaseDenseAttention):
    """Attention with dot products of queries and keys."""

    def __init__(self, use_scale=False, **kwargs):
        super().__init__(**kwargs)
        self.use_scale = use_scale

    def build(self, input_shape):
        self.scale = self.add_weight("scale", shape=(), initializer="ones", trainable=True) if self.use_scale else None
        self.built = True

    def _calculate_scores(self, query, key):
        scores = engine.matmul(query, key, transpose_b=True)
        return scores if self.scale is None else scores * self.scale

    def get_config(self):
        return kept(self, super().get_config(), "use_scale")


@keras_class("AdditiveAttention")
class AdditiveAttention(BaseDenseAttention):
    """Attention with sums of tanh(query + key)."""

    def __init__(self, use_scale=True, **kwargs):
        super().__init__(**kwargs)
        self.use_scale = use_scale

    def build(self, input_shape):
        size = TensorShape(input_shape[1]).as_list()[-1]
        self.scale = self.add_weight("scale", shape=[size], initializer="glorot_uniform", trainable=True) if self.use_scale else None
        self.built = True

    def _calculate_scores(self, query, key):
        both = engine.tanh(engine.expand_dims(query, axis=-2) + engine.expand_dims(key, axis=-3))
        return engine.reduce_sum((self.scale if self.use_scale else 1.) * both, axis=-1)

    def get_config(self):
        return kept(self, super().get_config(), "use_scale")


class _LocallyConnected(Layer):
    _rank = 1

    def __init__(self, filters, kernel_size, strides=1, padding="valid", data_format=None, activation=None, use_bias=True, kernel_initializer="glorot_uniform",
                 bias_initializer="zeros", kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None, kernel_constraint=None, bias_constraint=None,
                 implementation=1, **kwargs):
        super().__init__(activity_regularizer=lookups.regularizer(activity_regularizer), **kwargs)
        every = lambda v: (v,) * self._rank if isinstance(v, int) else tuple(v)  # noqa: E731
        if padding.lower() != "valid" and implementation == 1:
            raise ValueError("Invalid border mode for LocallyConnected%dD (only \"valid\" is supported if implementation is 1): %s" % (self._rank, padding))
        self.filters, self.kernel_size, self.strides, self.padding = filters, every(kernel_size), every(strides), padding.lower()
        self.data_format, self.activation, self.use_bias, self.implementation = data_format or backend.image_data_format(), lookups.activation(activation), use_bias, implementation
        self.kernel_initializer, self.bias_initializer = lookups.initializer(kernel_initializer), lookups.initializer(bias_initializer)
        self.kernel_regularizer, self.bias_regularizer = lookups.regularizer(kernel_regularizer), lookups.regularizer(bias_regularizer)
        self.kernel_constraint, self.bias_constraint = lookups.constraint(kernel_constraint), lookups.constraint(bias_constraint)

    def _output_sizes(self, sizes):
        inner = sizes[2:] if self.data_format == "channels_first" else sizes[1:-1]
        return [(n - k) // s + 1 for n, k, s in zip(inner, self.kernel_size, self.strides)]

    def build(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        channels = sizes[1 if self.data_format == "channels_first" else -1]
        if None in sizes[1:]:
            raise ValueError("The spatial dimensions of the inputs to  a LocallyConnected%dD layer should be fully-defined, but layer received the inputs shape %s" %
                             (self._rank, tuple(sizes)))
        self._out, window, places = self._output_sizes(sizes), channels, 1
        for k in self.kernel_size:
            window *= k
        for n in self._out:
            places *= n
        self.kernel = self.add_weight("kernel", shape=(places, window, self.filters), initializer=self.kernel_initializer, regularizer=self.kernel_regularizer,
                                      constraint=self.kernel_constraint)
        self.bias = self.add_weight("bias", shape=tuple(self._out) + (self.filters,), initializer=self.bias_initializer, regularizer=self.bias_regularizer,
                                    constraint=self.bias_constraint) if self.use_bias else None
        self.built = True

    def call(self, inputs):
        outputs = backend_functions.local_conv(inputs, self.kernel, self.kernel_size, self.strides, tuple(self._out), self.data_format)
        if self.use_bias:
            outputs = backend_functions.bias_add(outputs, self.bias, data_format=self.data_format)
        return self.activation(outputs)

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        out = self._output_sizes(sizes)
        return TensorShape([sizes[0], self.filters] + out if self.data_format == "channels_first" else [sizes[0]] + out + [self.filters])

    def get_config(self):
        return kept(self, super().get_config(), "filters", "kernel_size", "strides", "padding", "data_format", "activation", "use_bias", "kernel_initializer", "bias_initializer",
                    "kernel_regularizer", "bias_regularizer", "kernel_constraint", "bias_constraint", "implementation")


for _rank in (1, 2):
    keras_class("LocallyConnected%dD" % _rank)(type("LocallyConnected%dD" % _rank, (_LocallyConnected,), {
        "_rank": _rank, "__doc__": "A convolution whose filters differ from place to place.", "__module__": __name__}))
del _rank
