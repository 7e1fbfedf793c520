"""Values, messages and aliases among the names of tf."""

import numpy as np

from . import protos
from .exports import export, export_value

for _message in ("AttrValue", "ConfigProto", "Event", "GPUOptions", "GraphDef", "GraphOptions", "HistogramProto", "LogMessage", "MetaGraphDef", "NameAttrList", "NodeDef",
                 "OptimizerOptions", "RunMetadata", "RunOptions", "SessionLog", "Summary", "SummaryMetadata", "TensorInfo"):
    _class = protos.message(_message)
    if _class is not None:
        export_value(_class, _message)
for _path, _message in (("train.Example", "Example"), ("train.SequenceExample", "SequenceExample"), ("train.Feature", "Feature"), ("train.Features", "Features"),
                        ("train.FeatureList", "FeatureList"), ("train.FeatureLists", "FeatureLists"), ("train.BytesList", "BytesList"), ("train.Int64List", "Int64List"),
                        ("train.FloatList", "FloatList"), ("train.SaverDef", "SaverDef"), ("train.ClusterDef", "ClusterDef"), ("train.JobDef", "JobDef"),
                        ("train.ServerDef", "ServerDef"), ("summary.Summary", "Summary"), ("summary.Event", "Event"), ("summary.SummaryDescription", "SummaryDescription"),
                        ("summary.SessionLog", "SessionLog"), ("summary.TaggedRunMetadata", "TaggedRunMetadata"),
                        ("VariableDef", "VariableDef")):
    _class = protos.message(_message)
    if _class is not None:
        export_value(_class, _path)
export_value(np.pi, "pi")


@export("compat.as_bytes", "as_bytes")
def as_bytes(bytes_or_text, encoding="utf-8"):
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    raise TypeError("Expected binary or unicode string, got %r" % (bytes_or_text,))


@export("compat.as_text", "compat.as_str", "as_text", "as_str")
def as_text(bytes_or_text, encoding="utf-8"):
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    raise TypeError("Expected binary or unicode string, got %r" % (bytes_or_text,))


@export("compat.as_str_any")
def as_str_any(value):
    return as_text(value) if isinstance(value, bytes) else str(value)


export_value((int, np.integer), "compat.integral_types")
export_value((float, int, np.integer, np.floating), "compat.real_types")
export_value((complex, float, int, np.number), "compat.complex_types")
export_value((bytes, str), "compat.bytes_or_text_types")


@export("disable_v2_tensorshape", "disable_tensor_equality")
def disable_v2_tensorshape():
    """Has no effect: shapes have Dimensions, and tensors are compared with `is`, from the start."""


@export("enable_v2_behavior")
def enable_v2_behavior():
    raise NotImplementedError("tf.enable_v2_behavior: control flow and shapes are those of TensorFlow 1; tf.enable_eager_execution() alone works.")


def _refused(name, why):
    def refuse():
        raise NotImplementedError("tf.%s: %s" % (name, why))

    refuse.__name__ = name
    export(name)(refuse)


_refused("enable_tensor_equality", "tensors are compared with `is`, as in TensorFlow 1; tf.equal compares values.")
_refused("enable_v2_tensorshape", "shapes have Dimensions, as in TensorFlow 1.")
