"""Gradient accumulators: they drop stale gradients and return the mean or the sum of the others."""

from .. import basics, dtypes, engine, ops
from ..exports import export
from ..tensor_shape import TensorShape, unknown_shape


def _step(value):
    return basics.cast(ops.convert_to_tensor(value), dtypes.int64)


@export("ConditionalAccumulatorBase")
class ConditionalAccumulatorBase:
    """Base of the accumulators of dense and sparse gradients."""

    _family = ""

    def __init__(self, dtype, shape, accumulator_ref):
        self._dtype = dtypes.as_dtype(dtype)
        self._shape = unknown_shape() if shape is None else TensorShape(shape)
        self._accumulator_ref = accumulator_ref
        self._name = accumulator_ref.op.name.split("/")[-1]

    accumulator_ref = property(lambda self: self._accumulator_ref)
    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)

    def num_accumulated(self, name=None):
        """The number of gradients accumulated."""
        return getattr(engine.raw_ops, self._family + "AccumulatorNumAccumulated")(handle=self._accumulator_ref, name=name or "%s_NumAccumulated" % self._name)

    def set_global_step(self, new_global_step, name=None):
        """Gradients of earlier steps are dropped from now on."""
        return getattr(engine.raw_ops, self._family + "AccumulatorSetGlobalStep")(handle=self._accumulator_ref, new_global_step=_step(new_global_step), name=name)


@export("ConditionalAccumulator")
class ConditionalAccumulator(ConditionalAccumulatorBase):
    """Sums dense gradients."""

    _family = "Resource"

    def __init__(self, dtype, shape=None, shared_name=None, name="conditional_accumulator", reduction_type="MEAN"):
        super().__init__(dtype, shape, engine.raw_ops.ResourceConditionalAccumulator(dtype=dtype, shape=shape, shared_name=shared_name, name=name, reduction_type=reduction_type))

    def apply_grad(self, grad, local_step=0, name=None):
        """Adds a gradient of `local_step`."""
        grad = ops.convert_to_tensor(grad, self._dtype)
        grad.get_shape().assert_is_compatible_with(self._shape)
        return engine.raw_ops.ResourceAccumulatorApplyGradient(handle=self._accumulator_ref, local_step=_step(local_step), gradient=grad, name=name)

    def take_grad(self, num_required, name=None):
        """The mean (or sum), once `num_required` gradients have arrived; empties the accumulator."""
        mean = engine.raw_ops.ResourceAccumulatorTakeGradient(handle=self._accumulator_ref, num_required=num_required, dtype=self._dtype, name=name)
        mean.set_shape(self._shape)
        return mean


@export("SparseConditionalAccumulator", "sparse.SparseConditionalAccumulator")
class SparseConditionalAccumulator(ConditionalAccumulatorBase):
    """Sums gradients that are IndexedSlices."""

    def __init__(self, dtype, shape=None, shared_name=None, name="sparse_conditional_accumulator", reduction_type="MEAN"):
        super().__init__(dtype, shape, engine.raw_ops.SparseConditionalAccumulator(dtype=dtype, shape=shape, shared_name=shared_name, name=name, reduction_type=reduction_type))

    def apply_indexed_slices_grad(self, grad, local_step=0, name=None):
        return self.apply_grad(grad_indices=grad.indices, grad_values=grad.values, grad_shape=grad.dense_shape, local_step=local_step, name=name)

    def apply_grad(self, grad_indices, grad_values, grad_shape=None, local_step=0, name=None):
        """Adds a gradient of `local_step`."""
        local_step = _step(local_step)
        indices = basics.cast(grad_indices, dtypes.int64)
        shape = basics.cast([] if grad_shape is None else grad_shape, dtypes.int64)
        return engine.raw_ops.SparseAccumulatorApplyGradient(handle=self._accumulator_ref, local_step=local_step, gradient_indices=indices, gradient_values=grad_values,
                                                             gradient_shape=shape, has_known_shape=grad_shape is not None, name=name)

    def take_grad(self, num_required, name=None):
        return engine.raw_ops.SparseAccumulatorTakeGradient(handle=self._accumulator_ref, num_required=num_required, dtype=self._dtype, name=name)

    def take_indexed_slices_grad(self, num_required, name=None):
        """The mean (or sum) as IndexedSlices, once `num_required` gradients have arrived."""
        taken = self.take_grad(num_required, name)
        return ops.IndexedSlices(indices=taken.indices, values=taken.values, dense_shape=taken.shape)
