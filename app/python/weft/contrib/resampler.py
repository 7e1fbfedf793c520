"""tf.contrib.resampler."""

from .. import engine, ops
from ..exports import export


@export("contrib.resampler.resampler")
def resampler(data, warp, name="resampler"):
    """Values of images at given positions, interpolated bilinearly."""
    with ops.name_scope(name, "resampler", [data, warp]):
        data, warp = ops.convert_to_tensor(data, name="data"), ops.convert_to_tensor(warp, name="warp")
        return engine.raw_ops.Resampler(data=data, warp=warp)
