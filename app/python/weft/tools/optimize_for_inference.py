"""tensorflow.python.tools.optimize_for_inference_lib: simplifies frozen graphs for inference."""

import re

from .. import _weft
from ..tensor_util import MakeNdarray
from .strip_unused import python_errors, type_numbers
from .transform_graph import result_of

INPUT_ORDER = {"BatchNormWithGlobalNormalization": ["conv_op", "mean_op", "var_op", "beta_op", "gamma_op"],
               "FusedBatchNorm": ["conv_op", "gamma_op", "beta_op", "mean_op", "var_op"]}
EPSILON_ATTR = {"BatchNormWithGlobalNormalization": "variance_epsilon", "FusedBatchNorm": "epsilon"}


def optimize_for_inference(input_graph_def, input_node_names, output_node_names, placeholder_type_enum, toco_compatible=False):
    """The graph between inputs and outputs without training nodes; folds batch norms and, unless `toco_compatible`, padding and resizing into convolutions."""
    with python_errors():
        return result_of(_weft.optimize_for_inference(input_graph_def.SerializeToString(), list(input_node_names), list(output_node_names), type_numbers(placeholder_type_enum),
                                                      toco_compatible))


def _by_name(graph_def):
    nodes = {}
    for node in graph_def.node:
        if node.name in nodes:
            raise ValueError("Duplicate node names detected for ", node.name)
        nodes[node.name] = node
    return nodes


def ensure_graph_is_valid(graph_def):
    """ValueError if two nodes have the same name or an input is missing."""
    nodes = _by_name(graph_def)
    for node in graph_def.node:
        for name in node.input:
            if node_name_from_input(name) not in nodes:
                raise ValueError("Input for ", node.name, " not found: ", name)


def node_name_from_input(node_name):
    return re.sub(r":\d+$", "", node_name[1:] if node_name.startswith("^") else node_name)


def node_from_map(node_map, name):
    stripped = node_name_from_input(name)
    if stripped not in node_map:
        raise ValueError("No node named '%s' found in map." % name)
    return node_map[stripped]


def values_from_const(node_def):
    if node_def.op != "Const":
        raise ValueError("Node named '%s' should be a Const op for values_from_const." % node_def.name)
    return MakeNdarray(node_def.attr["value"].tensor)


def scale_after_normalization(node):
    return node.attr["scale_after_normalization"].b if node.op == "BatchNormWithGlobalNormalization" else True


def fold_batch_norms(input_graph_def):
    """Folds batch norms with constant inputs into the weights of the preceding convolution and an added offset."""
    with python_errors():
        return result_of(_weft.fold_batch_norms(input_graph_def.SerializeToString(), []))


def fuse_resize_and_conv(input_graph_def, output_node_names):
    """Fuses resizing and mirror padding into the convolution that follows."""
    with python_errors():
        return result_of(_weft.fuse_resize_and_conv(input_graph_def.SerializeToString(), list(output_node_names)))
