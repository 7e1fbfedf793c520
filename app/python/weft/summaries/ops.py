"""tf.summary: summary ops and their merging."""

import contextlib
import functools
import re

from .. import dtypes, engine, ops, protos
from ..distribute import contexts
from ..exports import export
from ..platform import tf_logging as logging


def _clean(name):
    """A name without the characters that tags must not contain."""
    if name is None:
        return None
    clean = re.sub(r"[^-/\w\.]", "_", name).lstrip("/")
    if clean != name:
        logging.info("Summary name %s is illegal; using %s instead." % (name, clean))
    return clean


@contextlib.contextmanager
def summary_scope(name, family=None, default_name=None, values=None):
    """Context manager for the scope of a summary; yields (tag, scope)."""
    name, family = _clean(name), _clean(family)
    with ops.name_scope(name if family is None else "%s/%s" % (family, name), default_name, values) as scope:
        tag = scope.rstrip("/")
        yield (tag if family is None else "%s/%s" % (family, tag)), scope


def _collect(node, collections, default=("summaries",)):
    for key in default if collections is None else collections:
        ops.add_to_collection(key, node)
    return node


def _of_first_replica(function):
    """Replicas after the first make no summaries: theirs would have the same tags."""
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        replica = contexts.get_replica_context() if contexts.active_strategy() else None
        return ops.constant("") if replica is not None and replica.index > 0 else function(*args, **kwargs)

    return wrapper


@export("summary.scalar")
@_of_first_replica
def scalar(name, tensor, collections=None, family=None):
    """A number for each step."""
    with summary_scope(name, family, values=[tensor]) as (tag, scope):
        return _collect(engine.raw_ops.ScalarSummary(tags=tag, values=tensor, name=scope), collections)


@export("summary.image")
@_of_first_replica
def image(name, tensor, max_outputs=3, collections=None, family=None):
    """Images: uint8 or float32, [batch, height, width, channels]."""
    with summary_scope(name, family, values=[tensor]) as (tag, scope):
        return _collect(engine.raw_ops.ImageSummary(tag=tag, tensor=tensor, max_images=max_outputs, name=scope), collections)


@export("summary.histogram")
@_of_first_replica
def histogram(name, values, collections=None, family=None):
    """The distribution of values."""
    with summary_scope(name, family, values=[values], default_name="HistogramSummary") as (tag, scope):
        return _collect(engine.raw_ops.HistogramSummary(tag=tag, values=values, name=scope), collections)


@export("summary.audio")
@_of_first_replica
def audio(name, tensor, sample_rate, max_outputs=3, collections=None, family=None):
    """Sound: float32 in [-1, 1], [batch, frames, channels] or [batch, frames]."""
    with summary_scope(name, family=family, values=[tensor]) as (tag, scope):
        rate = ops.convert_to_tensor(sample_rate, dtype=dtypes.float32, name="sample_rate")
        return _collect(engine.raw_ops.AudioSummaryV2(tag=tag, tensor=tensor, max_outputs=max_outputs, sample_rate=rate, name=scope), collections)


@export("summary.tensor_summary")
@_of_first_replica
def tensor_summary(name, tensor, summary_description=None, collections=None, summary_metadata=None, family=None, display_name=None):
    """Any tensor, with metadata that select the plugin which shows it."""
    metadata = protos.SummaryMetadata() if summary_metadata is None else summary_metadata
    if summary_description is not None:
        metadata.summary_description = summary_description
    if display_name is not None:
        metadata.display_name = display_name
    with summary_scope(name, family, values=[tensor]) as (tag, scope):
        node = engine.raw_ops.TensorSummaryV2(tensor=tensor, tag=tag, name=scope, serialized_summary_metadata=metadata.SerializeToString())
        return _collect(node, collections)


@export("summary.text")
@_of_first_replica
def text(name, tensor, collections=None):
    """Text in Markdown."""
    if tensor.dtype != dtypes.string:
        raise ValueError("Expected tensor %s to have dtype string, got %s" % (tensor.name, tensor.dtype))
    metadata = protos.SummaryMetadata(plugin_data=protos.SummaryMetadata.PluginData(plugin_name="text"))
    return tensor_summary(name=name, tensor=tensor, summary_metadata=metadata, collections=collections)


@export("summary.merge")
def merge(inputs, collections=None, name=None):
    """One node for several summaries."""
    name = _clean(name)
    with ops.name_scope(name, "Merge", inputs):
        return _collect(engine.raw_ops.MergeSummary(inputs=inputs, name=name), collections, ())


@export("summary.merge_all", "merge_all_summaries")
def merge_all(key="summaries", scope=None, name=None):
    """One node for all summaries of a collection; None if there are none."""
    found = ops.get_collection(key, scope=scope)
    return merge(found, name=name) if found else None
