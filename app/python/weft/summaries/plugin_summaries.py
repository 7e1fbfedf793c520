"""tf.compat.v2.summary's scalars, histograms, images and texts, as TensorBoard's plugins read them."""

from .. import basics, dtypes, engine, ops, protos
from ..control_flow import cond
from ..exports import export
from ..row_functions import map_fn
from .summary_v2 import summary_scope, write


def _metadata(plugin, description):
    made = protos.SummaryMetadata(summary_description=description or "")
    made.plugin_data.plugin_name = plugin
    return made


@export("compat.v2.summary.scalar")
def scalar(name, data, step=None, description=None):
    """Writes a number as float32."""
    with summary_scope(name, "scalar_summary", values=[data, step]) as (tag, _):
        data = basics.cast(data, dtypes.float32)
        if data.shape.ndims not in (None, 0):
            raise ValueError("Expected scalar shape for tensor, got shape: %s." % (data.shape,))
        return write(tag, data, step=step, metadata=_metadata("scalars", description))


def _buckets(data, count):
    """[left, right, number of values] of each of `count` buckets; one bucket if all values are equal, none without values."""
    data = basics.cast(engine.reshape(data, [-1]), dtypes.float64)

    def spread(low, high):
        width = (high - low) / basics.cast(count, dtypes.float64)
        places = engine.minimum(basics.cast(engine.floor((data - low) / width), dtypes.int32), count - 1)
        counts = basics.cast(engine.reduce_sum(engine.one_hot(places, depth=count), axis=0), dtypes.float64)
        edges = engine.concat([engine.linspace(low, high, count + 1)[:-1], [high]], 0)  # the last edge is exactly the largest value
        return engine.transpose(engine.stack([edges[:-1], edges[1:], counts]))

    def one(value):
        return engine.reshape(engine.stack([value - 0.5, value + 0.5, basics.cast(basics.size(data), dtypes.float64)]), [1, 3])

    def some():
        low, high = engine.reduce_min(data), engine.reduce_max(data)
        return cond(engine.equal(low, high), lambda: one(low), lambda: spread(low, high))

    return cond(engine.equal(basics.size(data), 0), lambda: ops.constant([], shape=(0, 3), dtype=dtypes.float64), some)


@export("compat.v2.summary.histogram")
def histogram(name, data, step=None, buckets=None, description=None):
    """Writes how many values are in each of `buckets` ranges, by default 30."""
    with summary_scope(name, "histogram_summary", values=[data, buckets, step]) as (tag, _):
        return write(tag, _buckets(data, 30 if buckets is None else buckets), step=step, metadata=_metadata("histograms", description))


@export("compat.v2.summary.image")
def image(name, data, step=None, max_outputs=3, description=None):
    """Writes the first `max_outputs` images of a batch as PNG; numbers with a point are from 0 to 1."""
    with summary_scope(name, "image_summary", values=[data, max_outputs, step]) as (tag, _):
        data = ops.convert_to_tensor(data)
        if data.shape.ndims not in (None, 4):
            raise ValueError("The images of %s must have four dimensions: batch, height, width and channels, but have shape %s" % (tag, data.shape))
        images = engine.image.convert_image_dtype(data, dtypes.uint8, saturate=True)
        encoded = map_fn(engine.image.encode_png, images[:max_outputs], dtype=dtypes.string, name="encode_each_image")
        shape = basics.shape(images)
        sizes = engine.stack([engine.strings.as_string(shape[2], name="width"), engine.strings.as_string(shape[1], name="height")], name="dimensions")
        return write(tag, engine.concat([sizes, encoded], axis=0), step=step, metadata=_metadata("images", description))


@export("compat.v2.summary.text")
def text(name, data, step=None, description=None):
    """Writes text, which TensorBoard shows as Markdown; a matrix is a table."""
    with summary_scope(name, "text_summary", values=[data, step]) as (tag, _):
        data = ops.convert_to_tensor(data)
        if data.dtype.base_dtype != dtypes.string:
            raise TypeError("The text of %s must be of type string, but is of type %s" % (tag, data.dtype.name))
        return write(tag, data, step=step, metadata=_metadata("text", description))
