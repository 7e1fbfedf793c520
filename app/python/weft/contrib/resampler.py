"""tf.contrib.resampler."""

import tensorflow as tf

from ..exports import export


@export("contrib.resampler.resampler")
def resampler(data, warp, name="resampler"):
    """Values of pictures at given places, interpolated linearly."""
    with tf.name_scope(name, "resampler", [data, warp]):
        data, warp = tf.convert_to_tensor(data, name="data"), tf.convert_to_tensor(warp, name="warp")
        return tf.raw_ops.Resampler(data=data, warp=warp)
