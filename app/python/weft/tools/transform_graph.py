"""tensorflow.tools.graph_transforms: the Graph Transform Tool's transforms, which the engine implements."""

from .. import _weft, protos
from ..platform import tf_logging
from ..public_names import as_text


def result_of(made):
    """The GraphDef that the engine made; its warnings are logged."""
    serialized, warnings = made
    for warning in warnings:
        tf_logging.warning(warning)
    return protos.GraphDef.FromString(serialized)


def TransformGraph(input_graph_def, inputs, outputs, transforms):
    """A new GraphDef with the transforms applied in order; each is a text such as "fold_constants(ignore_errors=true)"."""
    inputs, outputs = [as_text(i) for i in inputs], [as_text(o) for o in outputs]
    return result_of(_weft.transform_graph(input_graph_def.SerializeToString(), inputs, outputs, " ".join(as_text(t) for t in transforms)))
