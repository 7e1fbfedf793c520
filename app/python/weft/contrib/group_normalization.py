"""tf.contrib.layers: instance, group and divisive normalization."""

from .. import basics, engine, ops
from ..exports import export_value
from ..initializers import ones_initializer, zeros_initializer
from ..layers.base import InputSpec
from ..layers.graph_layer import GraphLayer
from ..ops import RegisterGradient
from ..tensor_shape import TensorShape
from ..variable_scope import variable_scope
from .arg_scope import add_arg_scope, both
from .layers import check_format, collections_of, finished
from .variables import model_variable


def _parameters(shape, dtype, center, scale, initializers, collections, trainable, broadcast):
    """(beta, gamma), None where not requested, reshaped to `broadcast` if given."""
    made = []
    for name, wanted, usual in (("beta", center, zeros_initializer()), ("gamma", scale, ones_initializer())):
        value = None
        if wanted:
            value = model_variable(name, shape=shape, dtype=dtype, initializer=(initializers or {}).get(name, usual), collections=collections_of(collections, name),
                                   trainable=trainable)
            if broadcast:
                value = engine.reshape(value, broadcast)
        made.append(value)
    return made


@both("instance_norm")
@add_arg_scope
def instance_norm(inputs, center=True, scale=True, epsilon=1e-6, activation_fn=None, param_initializers=None, reuse=None, variables_collections=None, outputs_collections=None,
                  trainable=True, data_format="NHWC", scope=None):
    """Each channel of each example shifted and scaled to mean 0 and variance 1."""
    inputs = ops.convert_to_tensor(inputs)
    rank = inputs.shape.ndims
    if rank is None:
        raise ValueError("Inputs %s has undefined rank." % inputs.name)
    check_format(data_format)
    with variable_scope(scope, "InstanceNorm", [inputs], reuse=reuse) as sc:
        axis = 1 if data_format == "NCHW" else rank - 1
        channels = inputs.shape[axis:axis + 1]
        if not channels.is_fully_defined():
            raise ValueError("Inputs %s has undefined channels dimension %s." % (inputs.name, channels))
        broadcast = [1, channels.as_list()[0]] + [1] * (rank - 2) if data_format == "NCHW" else None
        beta, gamma = _parameters(channels, inputs.dtype.base_dtype, center, scale, param_initializers, variables_collections, trainable, broadcast)
        mean, variance = engine.nn.moments(inputs, [i for i in range(1, rank) if i != axis], keep_dims=True)
        outputs = engine.nn.batch_normalization(inputs, mean, variance, beta, gamma, epsilon, name="instancenorm")
        return finished(outputs, sc, None, None, activation_fn, outputs_collections)


def _checked_axes(inputs, groups, channels_axis, reduction_axes):
    """(Channel axis, number of channels, axes of the moments before the channels are split)."""
    known, rank = inputs.shape.as_list(), inputs.shape.ndims
    channels_axis = channels_axis + rank if channels_axis < 0 else channels_axis
    channels = known[channels_axis]
    if channels is None:
        raise ValueError("Inputs %s has undefined channel dimension: %d." % (inputs.name, channels_axis))
    axes = [a + rank if a < 0 else a for a in reduction_axes]
    for a in axes:
        if a > rank:
            raise ValueError("Axis is out of bounds.")
        if known[a] is None:
            raise ValueError("Inputs %s has undefined dimensions %d." % (inputs.name, a))
        if a == channels_axis:
            raise ValueError("reduction_axis must be mutually exclusive with channels_axis")
    if groups > channels:
        raise ValueError("Invalid groups %d for %d channels." % (groups, channels))
    if channels % groups != 0:
        raise ValueError("%d channels is not commensurate with %d groups." % (channels, groups))
    return channels_axis, channels, axes


@both("group_norm")
@add_arg_scope
def group_norm(inputs, groups=32, channels_axis=-1, reduction_axes=(-3, -2), center=True, scale=True, epsilon=1e-6, activation_fn=None, param_initializers=None, reuse=None,
               variables_collections=None, outputs_collections=None, trainable=True, scope=None, mean_close_to_zero=False):
    """Each group of channels of each example shifted and scaled to mean 0 and variance 1."""
    inputs = ops.convert_to_tensor(inputs)
    rank = inputs.shape.ndims
    if rank is None:
        raise ValueError("Inputs %s has undefined rank." % inputs.name)
    if channels_axis > rank - 1:
        raise ValueError("Axis is out of bounds.")
    dynamic = basics.shape(inputs)
    shape = [dynamic[i] if size is None else size for i, size in enumerate(inputs.shape.as_list())]
    axis, channels, axes = _checked_axes(inputs, groups, channels_axis, reduction_axes)
    split = [groups, channels // groups]
    before, after = shape[:axis], shape[axis + 1:]
    inputs = engine.reshape(inputs, before + split + after)
    moments = [axis + 1] + [a + 1 if a > axis else a for a in axes]
    with variable_scope(scope, "GroupNorm", [inputs], reuse=reuse) as sc:
        beta, gamma = _parameters([channels], inputs.dtype.base_dtype, center, scale, param_initializers, variables_collections, trainable,
                                  [1] * len(before) + split + [1] * len(after))
        if mean_close_to_zero:
            count, sums, squares, _ = engine.nn.sufficient_statistics(inputs, moments, keep_dims=True)
            mean, variance = engine.nn.normalize_moments(count, sums, squares, shift=None)
        else:
            mean, variance = engine.nn.moments(inputs, moments, keep_dims=True)
        gain = engine.rsqrt(variance + epsilon)
        offset = -mean * gain
        if gamma is not None:
            gain *= gamma
            offset *= gamma
        if beta is not None:
            offset += beta
        outputs = engine.reshape(inputs * gain + offset, shape)
        return finished(outputs, sc, None, None, activation_fn, outputs_collections)


@RegisterGradient("GDNLowerBound")
def _lower_bound_gradient(op, grad):
    """Gradient of max(input, bound): below the bound it still passes if it moves the input up."""
    value, bound = op.inputs
    passes = engine.logical_or(value >= bound, grad < 0)
    return [basics.cast(passes, grad.dtype) * grad, None]


class GDN(GraphLayer):
    """Generalized divisive normalization: each channel divided by a pooled norm of all of them."""

    def __init__(self, inverse=False, beta_min=1e-6, gamma_init=0.1, reparam_offset=2 ** -18, data_format="channels_last", activity_regularizer=None, trainable=True, name=None,
                 **kwargs):
        super().__init__(trainable=trainable, name=name, activity_regularizer=activity_regularizer, **kwargs)
        self.inverse, self._beta_min, self._gamma_init, self._reparam_offset, self.data_format = inverse, beta_min, gamma_init, reparam_offset, data_format
        self._channel_axis()
        self.input_spec = InputSpec(min_ndim=3, max_ndim=5)

    def _channel_axis(self):
        if self.data_format not in ("channels_first", "channels_last"):
            raise ValueError("Unsupported `data_format` for GDN layer: {}.".format(self.data_format))
        return 1 if self.data_format == "channels_first" else -1

    @staticmethod
    def _lower_bound(inputs, bound):
        with ops.name_scope(None, "GDNLowerBound", [inputs, bound]) as scope:
            inputs = ops.convert_to_tensor(inputs, name="inputs")
            bound = ops.convert_to_tensor(bound, name="bound")
            with ops.get_default_graph().gradient_override_map({"Maximum": "GDNLowerBound"}):
                return engine.maximum(inputs, bound, name=scope)

    def build(self, input_shape):
        axis, shape = self._channel_axis(), TensorShape(input_shape)
        channels = shape.as_list()[axis]
        if channels is None:
            raise ValueError("The channel dimension of the inputs to `GDN` must be defined.")
        self._input_rank = shape.ndims
        self.input_spec = InputSpec(ndim=shape.ndims, axes={axis: channels})
        offset, dtype = self._reparam_offset, self.dtype
        pedestal = ops.constant(offset ** 2, dtype=dtype)
        beta_bound = ops.constant((self._beta_min + offset ** 2) ** 0.5, dtype=dtype)
        gamma_bound = ops.constant(offset, dtype=dtype)

        def beta_initializer(shape, dtype=None, partition_info=None):
            pedestal = ops.constant(offset ** 2, dtype=self.dtype)
            return engine.sqrt(engine.ones(shape, dtype=dtype) + pedestal)

        def gamma_initializer(shape, dtype=None, partition_info=None):
            eye = engine.eye(shape[0], dtype=dtype)
            pedestal = ops.constant(offset ** 2, dtype=self.dtype)
            return engine.sqrt(self._gamma_init * eye + pedestal)

        beta = self.add_variable("reparam_beta", shape=[channels], initializer=beta_initializer, dtype=dtype, trainable=True)
        self.beta = engine.square(self._lower_bound(beta, beta_bound)) - pedestal
        gamma = self.add_variable("reparam_gamma", shape=[channels, channels], initializer=gamma_initializer, dtype=dtype, trainable=True)
        self.gamma = engine.square(self._lower_bound(gamma, gamma_bound)) - pedestal
        self.built = True

    def call(self, inputs):
        inputs, rank = ops.convert_to_tensor(inputs, dtype=self.dtype), self._input_rank
        gamma = engine.reshape(self.gamma, (rank - 2) * [1] + self.gamma.get_shape().as_list())
        if self.data_format == "channels_last":
            norm = engine.nn.bias_add(engine.nn.convolution(engine.square(inputs), gamma, "VALID"), self.beta, data_format="NHWC")
        else:
            norm = engine.nn.convolution(engine.square(inputs), gamma, "VALID", data_format="NC" + "DHW"[-(rank - 2):])
            if rank == 3:
                norm = engine.squeeze(engine.nn.bias_add(engine.expand_dims(norm, 2), self.beta, data_format="NCHW"), [2])
            elif rank == 5:
                shape = basics.shape(norm)
                flat = engine.reshape(norm, engine.concat([shape[:3], [-1]], 0))
                norm = engine.reshape(engine.nn.bias_add(flat, self.beta, data_format="NCHW"), shape)
            else:
                norm = engine.nn.bias_add(norm, self.beta, data_format="NCHW")
        norm = engine.sqrt(norm)
        outputs = inputs * norm if self.inverse else inputs / norm
        outputs.set_shape(inputs.get_shape())
        return outputs

    def compute_output_shape(self, input_shape):
        shape = TensorShape(input_shape)
        if not 3 <= shape.ndims <= 5:
            raise ValueError("`input_shape` must be of rank 3 to 5, inclusive.")
        if shape.as_list()[self._channel_axis()] is None:
            raise ValueError("The channel dimension of `input_shape` must be defined.")
        return shape


export_value(GDN, "contrib.layers.GDN", "contrib.slim.GDN")


@both("gdn")
def gdn(inputs, inverse=False, beta_min=1e-6, gamma_init=0.1, reparam_offset=2 ** -18, data_format="channels_last", activity_regularizer=None, trainable=True, name=None, reuse=None):
    """Generalized divisive normalization of the inputs."""
    layer = GDN(inverse=inverse, beta_min=beta_min, gamma_init=gamma_init, reparam_offset=reparam_offset, data_format=data_format, activity_regularizer=activity_regularizer,
                trainable=trainable, name=name, dtype=inputs.dtype.base_dtype, _scope=name, _reuse=reuse)
    return layer.apply(inputs)
