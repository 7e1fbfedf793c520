"""tf.contrib.slim.nets: residual networks, versions 1 and 2."""

import collections

from ... import engine
from ...exports import export, export_value
from ...ops import GraphKeys
from ...variable_scope import variable_scope
from ..arg_scope import add_arg_scope, arg_scope
from ..layer_tools import collect_named_outputs, convert_collection_to_dict, last_dimension
from . import parts


def _tool(name):
    return export("contrib.slim.nets.resnet_utils." + name)


@_tool("Block")
class Block(collections.namedtuple("Block", ["scope", "unit_fn", "args"])):
    """Units of one kind: the scope, the function of a unit, and the arguments of each."""


@_tool("subsample")
def subsample(inputs, factor, scope=None):
    """Every `factor`-th row and column."""
    return inputs if factor == 1 else parts.max_pool2d(inputs, [1, 1], stride=factor, scope=scope)


@_tool("conv2d_same")
def conv2d_same(inputs, num_outputs, kernel_size, stride, rate=1, scope=None):
    """A convolution whose padding does not depend on the input size, even with a stride."""
    if stride == 1:
        return parts.conv2d(inputs, num_outputs, kernel_size, stride=1, rate=rate, padding="SAME", scope=scope)
    padding = kernel_size + (kernel_size - 1) * (rate - 1) - 1
    sides = [padding // 2, padding - padding // 2]
    padded = engine.pad(inputs, [[0, 0], sides, sides, [0, 0]])
    return parts.conv2d(padded, num_outputs, kernel_size, stride=stride, rate=rate, padding="VALID", scope=scope)


@_tool("stack_blocks_dense")
@add_arg_scope
def stack_blocks_dense(net, blocks, output_stride=None, outputs_collections=None):
    """Stacks the blocks. Once `output_stride` is reached, convolutions are dilated instead of strided."""
    stride_so_far = rate = 1
    for block in blocks:
        with variable_scope(block.scope, "block", [net]) as sc:
            for i, unit in enumerate(block.args):
                if output_stride is not None and stride_so_far > output_stride:
                    raise ValueError("The target output_stride cannot be reached.")
                with variable_scope("unit_%d" % (i + 1), values=[net]):
                    if output_stride is not None and stride_so_far == output_stride:
                        net = block.unit_fn(net, rate=rate, **dict(unit, stride=1))
                        rate *= unit.get("stride", 1)
                    else:
                        net = block.unit_fn(net, rate=1, **unit)
                        stride_so_far *= unit.get("stride", 1)
            net = collect_named_outputs(outputs_collections, sc.name, net)
    if output_stride is not None and stride_so_far != output_stride:
        raise ValueError("The target output_stride cannot be reached.")
    return net


@export("contrib.slim.nets.resnet_utils.resnet_arg_scope", "contrib.slim.nets.resnet_v1.resnet_arg_scope", "contrib.slim.nets.resnet_v2.resnet_arg_scope")
def resnet_arg_scope(weight_decay=0.0001, batch_norm_decay=0.997, batch_norm_epsilon=1e-5, batch_norm_scale=True):
    """The defaults with which these networks were trained."""
    norm = {"decay": batch_norm_decay, "epsilon": batch_norm_epsilon, "scale": batch_norm_scale, "updates_collections": GraphKeys.UPDATE_OPS}
    with arg_scope([parts.conv2d], weights_regularizer=parts.l2_regularizer(weight_decay), weights_initializer=parts.variance_scaling_initializer(),
                   activation_fn=engine.nn.relu, normalizer_fn=parts.batch_norm, normalizer_params=norm):
        with arg_scope([parts.batch_norm], **norm):
            with arg_scope([parts.max_pool2d], padding="SAME") as scope:
                return scope


@export("contrib.slim.nets.resnet_v1.bottleneck")
@add_arg_scope
def bottleneck_v1(inputs, depth, depth_bottleneck, stride, rate=1, outputs_collections=None, scope=None):
    """A unit that activates after the addition."""
    with variable_scope(scope, "bottleneck_v1", [inputs]) as sc:
        if depth == last_dimension(inputs.get_shape(), min_rank=4):
            shortcut = subsample(inputs, stride, "shortcut")
        else:
            shortcut = parts.conv2d(inputs, depth, [1, 1], stride=stride, activation_fn=None, scope="shortcut")
        residual = parts.conv2d(inputs, depth_bottleneck, [1, 1], stride=1, scope="conv1")
        residual = conv2d_same(residual, depth_bottleneck, 3, stride, rate=rate, scope="conv2")
        residual = parts.conv2d(residual, depth, [1, 1], stride=1, activation_fn=None, scope="conv3")
        return collect_named_outputs(outputs_collections, sc.name, engine.nn.relu(shortcut + residual))


@export("contrib.slim.nets.resnet_v2.bottleneck")
@add_arg_scope
def bottleneck_v2(inputs, depth, depth_bottleneck, stride, rate=1, outputs_collections=None, scope=None):
    """A unit that normalizes and activates before its convolutions."""
    with variable_scope(scope, "bottleneck_v2", [inputs]) as sc:
        size = last_dimension(inputs.get_shape(), min_rank=4)
        active = parts.batch_norm(inputs, activation_fn=engine.nn.relu, scope="preact")
        if depth == size:
            shortcut = subsample(inputs, stride, "shortcut")
        else:
            shortcut = parts.conv2d(active, depth, [1, 1], stride=stride, normalizer_fn=None, activation_fn=None, scope="shortcut")
        residual = parts.conv2d(active, depth_bottleneck, [1, 1], stride=1, scope="conv1")
        residual = conv2d_same(residual, depth_bottleneck, 3, stride, rate=rate, scope="conv2")
        residual = parts.conv2d(residual, depth, [1, 1], stride=1, normalizer_fn=None, activation_fn=None, scope="conv3")
        return collect_named_outputs(outputs_collections, sc.name, shortcut + residual)


def _root(net, version):
    if version == 1:
        net = conv2d_same(net, 64, 7, stride=2, scope="conv1")
    else:
        with arg_scope([parts.conv2d], activation_fn=None, normalizer_fn=None):
            net = conv2d_same(net, 64, 7, stride=2, scope="conv1")
    return parts.max_pool2d(net, [3, 3], stride=2, scope="pool1")


def _network(version, unit):
    def network(inputs, blocks, num_classes=None, is_training=True, global_pool=True, output_stride=None, include_root_block=True, reuse=None, scope=None):
        with variable_scope(scope, "resnet_v%d" % version, [inputs], reuse=reuse) as sc:
            collection = sc.original_name_scope + "_end_points"
            with arg_scope([parts.conv2d, unit, stack_blocks_dense], outputs_collections=collection), arg_scope([parts.batch_norm], is_training=is_training):
                net = inputs
                if include_root_block:
                    if output_stride is not None:
                        if output_stride % 4 != 0:
                            raise ValueError("The output_stride needs to be a multiple of 4.")
                        output_stride /= 4
                    net = _root(net, version)
                net = stack_blocks_dense(net, blocks, output_stride)
                if version == 2:
                    net = parts.batch_norm(net, activation_fn=engine.nn.relu, scope="postnorm")
                if global_pool:
                    net = engine.reduce_mean(net, [1, 2], name="pool5", keepdims=True)
                if num_classes is not None:
                    net = parts.conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope="logits")
                end_points = convert_collection_to_dict(collection)
                if num_classes is not None:
                    end_points["predictions"] = parts.softmax(net, scope="predictions")
                return net, end_points

    network.__name__, network.__doc__, network.default_image_size = "resnet_v%d" % version, "(Output, end points) of a residual network of these blocks.", 224
    return network


def _block(version, unit):
    def block(scope, base_depth, num_units, stride):
        sizes = {"depth": base_depth * 4, "depth_bottleneck": base_depth}
        return Block(scope, unit, [dict(sizes, stride=1)] * (num_units - 1) + [dict(sizes, stride=stride)])

    block.__name__, block.__doc__ = "resnet_v%d_block" % version, "Units of one depth, the last of them with the stride."
    return block


def _of_depth(version, layers, counts, network, block):
    name = "resnet_v%d_%d" % (version, layers)

    def of_depth(inputs, num_classes=None, is_training=True, global_pool=True, output_stride=None, reuse=None, scope=name):
        blocks = [block("block%d" % (i + 1), base_depth=64 << i, num_units=count, stride=1 if i == 3 else 2) for i, count in enumerate(counts)]
        return network(inputs, blocks, num_classes, is_training, global_pool, output_stride, include_root_block=True, reuse=reuse, scope=scope)

    of_depth.__name__, of_depth.__doc__ = name, "(Output, end points) of the residual network of %d layers." % layers
    return of_depth


for _version, _unit in ((1, bottleneck_v1), (2, bottleneck_v2)):
    _place = "contrib.slim.nets.resnet_v%d.resnet_v%d" % (_version, _version)
    _whole, _of_block = _network(_version, _unit), _block(_version, _unit)
    export_value(_whole, _place)
    export_value(_of_block, _place + "_block")
    for _layer_count, _counts in ((50, (3, 4, 6, 3)), (101, (3, 4, 23, 3)), (152, (3, 8, 36, 3)), (200, (3, 24, 36, 3))):
        export_value(_of_depth(_version, _layer_count, _counts, _whole, _of_block), "%s_%d" % (_place, _layer_count))
