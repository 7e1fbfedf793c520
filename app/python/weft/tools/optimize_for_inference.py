"""tensorflow.python.tools.optimize_for_inference_lib: simplifies frozen graphs for inference."""

import collections
import re

import numpy as np

from .. import dtypes, protos
from ..platform import tf_logging
from ..saved.graph_util import remove_training_nodes
from ..tensor_util import make_tensor_proto, MakeNdarray
from .strip_unused import strip_unused

INPUT_ORDER = {"BatchNormWithGlobalNormalization": ["conv_op", "mean_op", "var_op", "beta_op", "gamma_op"],
               "FusedBatchNorm": ["conv_op", "gamma_op", "beta_op", "mean_op", "var_op"]}
EPSILON_ATTR = {"BatchNormWithGlobalNormalization": "variance_epsilon", "FusedBatchNorm": "epsilon"}


def optimize_for_inference(input_graph_def, input_node_names, output_node_names, placeholder_type_enum, toco_compatible=False):
    """The graph between inputs and outputs without training nodes; folds batch norms and, unless `toco_compatible`, padding and resizing into convolutions."""
    ensure_graph_is_valid(input_graph_def)
    graph_def = strip_unused(input_graph_def, input_node_names, output_node_names, placeholder_type_enum)
    graph_def = fold_batch_norms(remove_training_nodes(graph_def, output_node_names))
    if not toco_compatible:
        graph_def = fuse_resize_and_conv(graph_def, output_node_names)
    ensure_graph_is_valid(graph_def)
    return graph_def


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


def _constant_input(nodes, node, key, channels):
    """(node, values) of a batch norm input with one constant per channel; None, with a warning, otherwise."""
    word = key[:-len("_op")]
    found = node_from_map(nodes, node.input[INPUT_ORDER[node.op].index(key)])
    if found.op != "Const":
        tf_logging.warning("Didn't find expected %s Constant input to '%s', found %s instead. Maybe because freeze_graph wasn't run first?" % (word, node.name, found))
        return None
    values = values_from_const(found)
    if values.shape != (channels,):
        tf_logging.warning("Incorrect shape for %s, found %s, expected %s, for node %s" % (word, values.shape, (channels,), node.name))
        return None
    return found, values


def _const(name, like, value, dtype):
    node = protos.NodeDef(op="Const", name=name)
    node.attr["dtype"].CopyFrom(like.attr["dtype"])
    node.attr["value"].tensor.CopyFrom(make_tensor_proto(value, dtype.type, value.shape))
    return node


def _folded(nodes, node):
    """(the nodes that replace a batch norm and its convolution, the names of removed nodes), or None."""
    conv = node_from_map(nodes, node.input[INPUT_ORDER[node.op].index("conv_op")])
    if conv.op not in ("Conv2D", "DepthwiseConv2dNative"):
        tf_logging.warning("Didn't find expected Conv2D or DepthwiseConv2dNative input to '%s'" % node.name)
        return None
    weights_op = node_from_map(nodes, conv.input[1])
    if weights_op.op != "Const":
        tf_logging.warning("Didn't find expected conv Constant input to '%s', found %s instead. Maybe because freeze_graph wasn't run first?" % (conv.name, weights_op))
        return None
    weights = values_from_const(weights_op)
    depthwise = conv.op == "DepthwiseConv2dNative"
    channels = weights.shape[2] * weights.shape[3] if depthwise else weights.shape[3]
    found = {}
    for key in ("mean_op", "var_op", "beta_op", "gamma_op"):
        found[key] = _constant_input(nodes, node, key, channels)
        if found[key] is None:
            return None
    (mean_op, mean), (var_op, var), (_, beta), (_, gamma) = (found[k] for k in ("mean_op", "var_op", "beta_op", "gamma_op"))
    scale = 1.0 / np.sqrt(var.astype(np.float64) + node.attr[EPSILON_ATTR[node.op]].f)
    if scale_after_normalization(node):
        scale = scale * gamma
    scaled = np.copy(weights)
    scaled[...] = weights * (scale.reshape(weights.shape[2:]) if depthwise else scale)
    offset = -mean * scale + beta
    new_conv, add = protos.NodeDef(), protos.NodeDef(op="BiasAdd", name=node.name)
    new_conv.CopyFrom(conv)
    for attr in ("T", "data_format"):
        add.attr[attr].CopyFrom(conv.attr[attr])
    offset_op = _const(conv.name + "_bn_offset", mean_op, offset, mean.dtype)
    add.input.extend([new_conv.name, offset_op.name])
    gone = [node.name, weights_op.name, conv.name] + [op.name for op, _ in found.values()]
    return [_const(weights_op.name, weights_op, scaled, weights.dtype), new_conv, offset_op, add], gone


def fold_batch_norms(input_graph_def):
    """Folds batch norms with constant inputs into the weights of the preceding convolution and an added offset."""
    nodes = _by_name(input_graph_def)
    gone, new = set(), []
    for node in input_graph_def.node:
        folded = _folded(nodes, node) if node.op in INPUT_ORDER else None
        if folded:
            new += folded[0]
            gone.update(folded[1])
    result = protos.GraphDef()
    result.node.extend([n for n in input_graph_def.node if n.name not in gone])
    result.node.extend(new)
    return result


def fuse_resize_and_conv(input_graph_def, output_node_names):
    """Fuses resizing and mirror padding into the convolution that follows."""
    nodes = _by_name(input_graph_def)
    uses = collections.Counter(node_name_from_input(name) for node in input_graph_def.node for name in node.input)
    uses.update(output_node_names)
    new = []
    for conv in input_graph_def.node:
        if conv.op != "Conv2D":
            continue
        source = node_from_map(nodes, conv.input[0])
        pad = source if source.op == "MirrorPad" else None
        resize = node_from_map(nodes, pad.input[0]) if pad else source
        resize = resize if resize.op == "ResizeBilinear" else None
        if not pad and not resize:
            continue
        uses[conv.name] = 0
        for merged in (pad, resize):
            if merged:
                uses[merged.name] -= 1
        fused = protos.NodeDef(op="FusedResizeAndPadConv2D" if resize else "FusedPadConv2D", name=conv.name)
        if pad:
            paddings = pad.input[1]
            fused.attr["mode"].CopyFrom(pad.attr["mode"])
        else:
            none = protos.NodeDef(op="Const", name=conv.name + "_dummy_paddings")
            none.attr["dtype"].type = dtypes.int32.as_datatype_enum
            none.attr["value"].tensor.CopyFrom(make_tensor_proto([0] * 8, dtypes.int32, [4, 2]))
            new.append(none)
            paddings = none.name
            fused.attr["mode"].s = b"REFLECT"
        if resize:
            fused.input.extend([resize.input[0], resize.input[1], paddings, conv.input[1]])
            fused.attr["resize_align_corners"].CopyFrom(resize.attr["align_corners"])
        else:
            fused.input.extend([pad.input[0], paddings, conv.input[1]])
        for attr in ("T", "strides", "padding"):
            fused.attr[attr].CopyFrom(conv.attr[attr])
        new.append(fused)
    result = protos.GraphDef()
    result.node.extend([n for n in input_graph_def.node if uses[n.name] >= 1])
    result.node.extend(new)
    return result
