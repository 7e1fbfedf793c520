"""Functions of tf.compat.v2 that do something else than those of tf with the same names."""

import numpy as np

from .. import basics, dtypes, engine, images, ops
from ..exports import export, export_value
from ..internals import initializers_v2
from ..ragged import strings as ragged_strings
from ..ragged.tensor import convert_to_tensor_or_ragged_tensor
from ..sparse_tensor import SparseTensor
from ..tensor_shape import TensorShape

for _names, _class in (("Constant constant", "Constant"), ("Ones ones", "Ones"), ("Zeros zeros", "Zeros"), ("GlorotNormal glorot_normal", "GlorotNormal"),
                       ("GlorotUniform glorot_uniform", "GlorotUniform"), ("Identity identity", "Identity"), ("Orthogonal orthogonal", "Orthogonal"), ("RandomNormal", "RandomNormal"),
                       ("RandomUniform", "RandomUniform"), ("TruncatedNormal", "TruncatedNormal"), ("VarianceScaling", "VarianceScaling"), ("Initializer", "Initializer"),
                       ("he_normal", "he_normal"), ("he_uniform", "he_uniform"), ("lecun_normal", "lecun_normal"), ("lecun_uniform", "lecun_uniform")):
    for _name in _names.split():
        export_value(getattr(initializers_v2, _class), "compat.v2.initializers." + _name, "compat.v2.keras.initializers." + _name)
for _name in ("Constant constant_initializer", "Ones ones_initializer", "Zeros zeros_initializer", "RandomNormal random_normal_initializer", "RandomUniform random_uniform_initializer"):
    export_value(getattr(initializers_v2, _name.split()[0]), "compat.v2." + _name.split()[1])

export_value(None, "compat.v2.newaxis")
export_value(ops.set_random_seed, "compat.v2.random.set_seed")


@export("compat.v2.constant")
def constant(value, dtype=None, shape=None, name="Const"):
    """A tensor with a value that never changes. The value has as many elements as `shape`, or one."""
    if shape is not None:
        there, wanted = np.shape(value), tuple(TensorShape(shape).as_list())
        if there not in ((), (1,)) and int(np.prod(there)) != int(np.prod(wanted)):
            raise TypeError("Expected Tensor's shape: %s, got %s." % (wanted, there))
    return ops.constant(value, dtype, shape, name)


@export("compat.v2.device")
def device(device_name):
    """Context manager: operations inside are on that device, a name."""
    if callable(device_name):
        raise RuntimeError("tf.device does not support functions.")
    return ops.device(device_name)


@export("compat.v2.name_scope", "compat.v2.keras.backend.name_scope")
class name_scope(ops.name_scope):
    """Context manager: names of operations inside start with the scope's unique name."""

    def __init__(self, name):
        if not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        super().__init__(name)


@export("compat.v2.strings.split")
def split(input, sep=None, maxsplit=-1, name=None):
    """The parts of each string between separators, by default its words: a ragged tensor."""
    with ops.name_scope(name, "StringSplit", [input]):
        return ragged_strings.ragged_split(convert_to_tensor_or_ragged_tensor(input, dtype=dtypes.string, name="input"), sep, maxsplit)


@export("compat.v2.math.bincount")
def bincount(arr, weights=None, minlength=None, maxlength=None, dtype=dtypes.int32, name=None):
    """How often each number occurs, or the sum of its weights."""
    with ops.name_scope("bincount" if name is None else name):
        return engine.math.bincount(arr, weights=weights, minlength=minlength, maxlength=maxlength, dtype=dtype)


@export("compat.v2.io.decode_raw")
def decode_raw(input_bytes, out_type, little_endian=True, fixed_length=None, name=None):
    """Strings of bytes as numbers; with `fixed_length`, each cut or padded with zeros to so many bytes."""
    if fixed_length is None:
        return engine.io.decode_raw(input_bytes, out_type, little_endian=little_endian, name=name)
    return engine.raw_ops.DecodePaddedRaw(input_bytes=input_bytes, fixed_length=fixed_length, out_type=out_type, little_endian=little_endian, name=name)


def _reduced(sp_input, axis, keepdims, output_is_sparse, name, kind):
    call = getattr(engine.raw_ops, "SparseReduce%s%s" % (kind, "Sparse" if output_is_sparse else ""))
    axes = engine.range(engine.size(sp_input.dense_shape)) if axis is None else axis
    made = call(input_indices=sp_input.indices, input_values=sp_input.values, input_shape=sp_input.dense_shape, reduction_axes=axes, keep_dims=bool(keepdims), name=name)
    return SparseTensor(*made) if output_is_sparse else made


@export("compat.v2.sparse.reduce_max")
def sparse_reduce_max(sp_input, axis=None, keepdims=None, output_is_sparse=False, name=None):
    """The largest stored values along axes, of a sparse tensor."""
    return _reduced(sp_input, axis, keepdims, output_is_sparse, name, "Max")


@export("compat.v2.sparse.reduce_sum")
def sparse_reduce_sum(sp_input, axis=None, keepdims=None, output_is_sparse=False, name=None):
    """Sums along axes, of a sparse tensor."""
    return _reduced(sp_input, axis, keepdims, output_is_sparse, name, "Sum")


@export("compat.v2.nn.dilation2d")
def dilation2d(input, filters, strides, padding, data_format, dilations, name=None):
    """Grayscale dilation."""
    if data_format != "NHWC":
        raise ValueError("Data formats other than NHWC are not yet supported")
    return engine.nn.dilation2d(input=input, filter=filters, strides=strides, rates=dilations, padding=padding, name=name)


@export("compat.v2.nn.erosion2d")
def erosion2d(value, filters, strides, padding, data_format, dilations, name=None):
    """Grayscale erosion."""
    if data_format != "NHWC":
        raise ValueError("Data formats other than NHWC are not yet supported")
    return engine.nn.erosion2d(value, filters, strides, dilations, padding, name=name)


@export("compat.v2.image.extract_glimpse")
def extract_glimpse(input, size, offsets, centered=True, normalized=True, noise="uniform", name=None):
    """Parts of images around offsets. `noise` ("uniform", "gaussian", "zero") fills what is outside."""
    return engine.raw_ops.ExtractGlimpse(input=input, size=size, offsets=offsets, centered=centered, normalized=normalized, noise=noise, uniform_noise=False, name=name)


@export("compat.v2.image.ResizeMethod")
class ResizeMethod:
    """The values of the parameter `method` of resize()."""

    BILINEAR, NEAREST_NEIGHBOR, BICUBIC, AREA = "bilinear", "nearest", "bicubic", "area"
    LANCZOS3, LANCZOS5, GAUSSIAN, MITCHELLCUBIC = "lanczos3", "lanczos5", "gaussian", "mitchellcubic"


def _resized(pictures, size, method, antialias):
    """A batch of images in the new size, by the op of the method."""
    kernel = {"bilinear": "triangle", "bicubic": "keyscubic"}.get(method, method)
    if method in ("lanczos3", "lanczos5", "gaussian", "mitchellcubic") or antialias and method in ("bilinear", "bicubic"):
        scale = basics.cast(size, dtypes.float32) / basics.cast(basics.shape(pictures)[1:3], dtypes.float32)
        return engine.raw_ops.ScaleAndTranslate(images=pictures, size=size, scale=scale, translation=engine.zeros([2]), kernel_type=kernel, antialias=antialias)
    if method == "area":
        return engine.raw_ops.ResizeArea(images=pictures, size=size)
    op = {"bilinear": "ResizeBilinear", "nearest": "ResizeNearestNeighbor", "bicubic": "ResizeBicubic"}.get(method)
    if op is None:
        raise ValueError("Resize method is not implemented: {}".format(method))
    return getattr(engine.raw_ops, op)(images=pictures, size=size, half_pixel_centers=True)


@export("compat.v2.image.resize")
def resize(images, size, method=ResizeMethod.BILINEAR, preserve_aspect_ratio=False, antialias=False, name=None):
    """Images in another size. Centers of pixels are at halves; `antialias` filters what becomes smaller."""
    with ops.name_scope(name, "resize", [images, size]):
        pictures = ops.convert_to_tensor(images, name="images")
        if pictures.shape.ndims is None:
            raise ValueError("'images' contains no shape.")
        if pictures.shape.ndims not in (3, 4):
            raise ValueError("'images' must have either 3 or 4 dimensions.")
        single = pictures.shape.ndims == 3
        pictures = engine.expand_dims(pictures, 0) if single else pictures
        try:
            size = ops.convert_to_tensor(size, dtypes.int32, name="size")
        except (TypeError, ValueError):
            raise ValueError("'size' must be a 1-D int32 Tensor") from None
        if not size.shape.is_compatible_with([2]):
            raise ValueError("'size' must be a 1-D Tensor of 2 elements: new_height, new_width")
        known = ops.constant_value_as_shape(size)
        if preserve_aspect_ratio:
            now = basics.cast(basics.shape(pictures)[1:3], dtypes.float32)
            factor = engine.reduce_min(basics.cast(size, dtypes.float32) / now)
            size = basics.cast(engine.round(factor * now), dtypes.int32)
            known = ops.constant_value_as_shape(size)
        made = _resized(pictures, size, method, antialias)
        made.set_shape([None, known[0], known[1], None])
        return engine.squeeze(made, axis=[0]) if single else made


@export("compat.v2.image.resize_with_pad")
def resize_with_pad(image, target_height, target_width, method=ResizeMethod.BILINEAR, antialias=False):
    """The image scaled to fit into the target size, padded with zeros."""
    return images.resized_with_pad(image, target_height, target_width, lambda picture, size: resize(picture, size, method, antialias=antialias))


def _drawn(op, value, pooling_ratio, pseudo_random, overlapping, seed, name):
    seeds = {"seed": 0, "seed2": 0} if seed == 0 else dict(zip(("seed", "seed2"), ops.get_seed(seed)))
    ratio = pooling_ratio if isinstance(pooling_ratio, (list, tuple)) else [pooling_ratio]
    if len(ratio) == 1:
        ratio = [1.0, ratio[0], ratio[0], 1.0]
    elif len(ratio) == 2:
        ratio = [1.0, ratio[0], ratio[1], 1.0]
    return getattr(engine.raw_ops, op)(value=value, pooling_ratio=ratio, pseudo_random=pseudo_random, overlapping=overlapping, deterministic=seed != 0, name=name, **seeds)


@export("compat.v2.nn.fractional_max_pool")
def fractional_max_pool(value, pooling_ratio, pseudo_random=False, overlapping=False, seed=0, name=None):
    """Largest values of regions of random sizes; with a seed always the same ones."""
    return _drawn("FractionalMaxPool", value, pooling_ratio, pseudo_random, overlapping, seed, name)


@export("compat.v2.nn.fractional_avg_pool")
def fractional_avg_pool(value, pooling_ratio, pseudo_random=False, overlapping=False, seed=0, name=None):
    """Means of regions of random sizes; with a seed always the same ones."""
    return _drawn("FractionalAvgPool", value, pooling_ratio, pseudo_random, overlapping, seed, name)
