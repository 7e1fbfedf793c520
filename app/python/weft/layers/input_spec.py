"""Requirements of layers on their inputs."""

from .. import dtypes
from ..exports import export
from ..tensor_shape import TensorShape
from ..util import nest


@export("keras.layers.InputSpec", "layers.InputSpec")
class InputSpec:
    """Requirements on an input: rank, type, sizes of axes."""

    def __init__(self, dtype=None, shape=None, ndim=None, max_ndim=None, min_ndim=None, axes=None):
        self.dtype = dtypes.as_dtype(dtype).name if dtype is not None else None
        self.shape = shape
        self.ndim = len(shape) if shape is not None else ndim
        self.max_ndim, self.min_ndim = max_ndim, min_ndim
        try:
            self.axes = {int(k): axes[k] for k in axes} if axes else {}
        except (ValueError, TypeError):
            raise TypeError("The keys in axes must be integers.") from None
        if self.axes and (self.ndim is not None or self.max_ndim is not None):
            most = (self.ndim if self.ndim else self.max_ndim) - 1
            if max(self.axes) > most:
                raise ValueError("Axis {} is greater than the maximum allowed value: {}".format(max(self.axes), most))

    def __repr__(self):
        told = [(n, getattr(self, n)) for n in ("dtype", "shape", "ndim", "max_ndim", "min_ndim", "axes")]
        return "InputSpec(%s)" % ", ".join("%s=%s" % (n, v) for n, v in told if v)


def to_tensor_shape(spec):
    """The shape that an InputSpec requires, as far as it says."""
    if spec.shape is not None or spec.ndim is None:
        return TensorShape(spec.shape)
    sizes = [None] * spec.ndim
    for axis, size in spec.axes.items():
        sizes[axis] = size
    return TensorShape(sizes)


def check_inputs(spec, inputs, name):
    """ValueError unless `inputs` satisfy the InputSpecs."""
    if not spec:
        return
    inputs, specs = nest.flatten(inputs), nest.flatten(spec)
    if len(inputs) != len(specs):
        raise ValueError("Layer %s expects %d inputs, but it received %d input tensors. Inputs received: %s" % (name, len(specs), len(inputs), inputs))
    for i, (x, wanted) in enumerate(zip(inputs, specs)):
        if wanted is None:
            continue
        begin = "Input %d of layer %s is incompatible with the layer: " % (i, name)
        rank = x.shape.ndims
        if rank is None:
            if wanted.ndim is not None or wanted.min_ndim is not None or wanted.max_ndim is not None:
                raise ValueError(begin + "its rank is undefined, but the layer requires a defined rank.")
        else:
            full = ". Full shape received: " + str(x.shape.as_list())
            if wanted.ndim is not None and rank != wanted.ndim:
                raise ValueError(begin + "expected ndim=%d, found ndim=%d" % (wanted.ndim, rank) + full)
            if wanted.max_ndim is not None and rank > wanted.max_ndim:
                raise ValueError(begin + "expected max_ndim=%d, found ndim=%d" % (wanted.max_ndim, rank))
            if wanted.min_ndim is not None and rank < wanted.min_ndim:
                raise ValueError(begin + ": expected min_ndim=%d, found ndim=%d" % (wanted.min_ndim, rank) + full)
        if wanted.dtype is not None and x.dtype.base_dtype.name != wanted.dtype:
            raise ValueError(begin + "expected dtype=%s, found dtype=%s" % (wanted.dtype, x.dtype))
        if rank is None:
            continue
        sizes = x.shape.as_list()
        for axis, size in wanted.axes.items():
            size = getattr(size, "value", size)
            if size is not None and sizes[int(axis)] not in (size, None):
                raise ValueError(begin + "expected axis %d of input shape to have value %s but received input with shape %s" % (axis, size, sizes))
        if wanted.shape is not None:
            for have, want in zip(sizes, wanted.shape):
                if want is not None and have is not None and want != have:
                    raise ValueError(begin + "expected shape=%s, found shape=%s" % (wanted.shape, sizes))
