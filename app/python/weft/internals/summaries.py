"""The summaries before tf.summary (tensorflow.python.ops.logging_ops): their tags are given, not derived from names."""

from .. import dtypes, engine, ops
from ..summaries import ops as summary
from ..util.deprecation import deprecated


def _collect(value, collections, defaults):
    for key in defaults if collections is None else collections:
        ops.add_to_collection(key, value)
    return value


_Collect = _collect


def _summary(scope, values, collections, name, build):
    with ops.name_scope(name, scope, values) as scope:
        return _collect(build(scope), collections, ["summaries"])


@deprecated("2016-11-30", "Please switch to tf.summary.scalar. Note that tf.summary.scalar uses the node name instead of the tag.")
def scalar_summary(tags, values, collections=None, name=None):
    """A summary with one value per tag."""
    return _summary("ScalarSummary", [tags, values], collections, name, lambda scope: engine.raw_ops.ScalarSummary(tags=tags, values=values, name=scope))


@deprecated("2016-11-30", "Please switch to tf.summary.histogram. Note that tf.summary.histogram uses the node name instead of the tag.")
def histogram_summary(tag, values, collections=None, name=None):
    return _summary("HistogramSummary", [tag, values], collections, name, lambda scope: engine.raw_ops.HistogramSummary(tag=tag, values=values, name=scope))


@deprecated("2016-11-30", "Please switch to tf.summary.image. Note that tf.summary.image uses the node name instead of the tag.")
def image_summary(tag, tensor, max_images=3, collections=None, name=None):
    return _summary("ImageSummary", [tag, tensor], collections, name, lambda scope: engine.raw_ops.ImageSummary(tag=tag, tensor=tensor, max_images=max_images, name=scope))


@deprecated("2016-11-30", "Please switch to tf.summary.audio. Note that tf.summary.audio uses the node name instead of the tag.")
def audio_summary(tag, tensor, sample_rate, max_outputs=3, collections=None, name=None):
    def build(scope):
        return engine.raw_ops.AudioSummaryV2(tag=tag, tensor=tensor, max_outputs=max_outputs, sample_rate=ops.convert_to_tensor(sample_rate, dtype=dtypes.float32, name="sample_rate"), name=scope)

    return _summary("AudioSummary", [tag, tensor], collections, name, build)


@deprecated("2016-11-30", "Please switch to tf.summary.merge.")
def merge_summary(inputs, collections=None, name=None):
    with ops.name_scope(name, "MergeSummary", inputs):
        return _collect(engine.raw_ops.MergeSummary(inputs=inputs, name=name), collections, [])


def get_summary_op():
    """The graph's merged summary op, created if there is none."""
    found = ops.get_collection("summary_op")
    summary_op = found[0] if found else None
    if summary_op is None:
        summary_op = summary.merge_all()
        if summary_op is not None:
            ops.add_to_collection("summary_op", summary_op)
    return summary_op
