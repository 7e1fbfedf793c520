"""tf.contrib.slim.nets: the sequential convolutional networks AlexNet, OverFeat and VGG."""

from ... import engine, initializers
from ...exports import export, export_value
from ...variable_scope import variable_scope
from ..arg_scope import arg_scope
from ..layer_tools import convert_collection_to_dict
from . import parts


def _normal(stddev):
    return initializers.truncated_normal_initializer(0.0, stddev)


def _scope(weight_decay, biases, valid_pools):
    with arg_scope([parts.conv2d, parts.fully_connected], activation_fn=engine.nn.relu, weights_regularizer=parts.l2_regularizer(weight_decay), biases_initializer=biases):
        with arg_scope([parts.conv2d], padding="SAME") as scope:
            if not valid_pools:
                return scope
            with arg_scope([parts.max_pool2d], padding="VALID") as scope:
                return scope


@export("contrib.slim.nets.alexnet.alexnet_v2_arg_scope")
def alexnet_v2_arg_scope(weight_decay=0.0005):
    return _scope(weight_decay, initializers.constant_initializer(0.1), True)


@export("contrib.slim.nets.overfeat.overfeat_arg_scope")
def overfeat_arg_scope(weight_decay=0.0005):
    return _scope(weight_decay, initializers.zeros_initializer(), True)


@export("contrib.slim.nets.vgg.vgg_arg_scope")
def vgg_arg_scope(weight_decay=0.0005):
    return _scope(weight_decay, initializers.zeros_initializer(), False)


def _classifier(net, sizes, first_kernel, num_classes, is_training, keep_prob, **last):
    """Two fully connected layers, built as convolutions, and the logits."""
    net = parts.conv2d(net, sizes[0], [first_kernel, first_kernel], padding="VALID", scope="fc6")
    net = parts.dropout(net, keep_prob, is_training=is_training, scope="dropout6")
    net = parts.conv2d(net, sizes[1], [1, 1], scope="fc7")
    net = parts.dropout(net, keep_prob, is_training=is_training, scope="dropout7")
    return parts.conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope="fc8", **last)


def _ends(net, collection, spatial_squeeze, scope):
    end_points = convert_collection_to_dict(collection)
    if spatial_squeeze:
        net = engine.squeeze(net, [1, 2], name="fc8/squeezed")
        end_points[scope.name + "/fc8"] = net
    return net, end_points


@export("contrib.slim.nets.alexnet.alexnet_v2")
def alexnet_v2(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.5, spatial_squeeze=True, scope="alexnet_v2"):
    """(Logits, end points) of AlexNet for one tower."""
    with variable_scope(scope, "alexnet_v2", [inputs]) as sc:
        collection = sc.original_name_scope + "_end_points"
        with arg_scope([parts.conv2d, parts.fully_connected, parts.max_pool2d], outputs_collections=[collection]):
            net = parts.conv2d(inputs, 64, [11, 11], 4, padding="VALID", scope="conv1")
            net = parts.max_pool2d(net, [3, 3], 2, scope="pool1")
            net = parts.conv2d(net, 192, [5, 5], scope="conv2")
            net = parts.max_pool2d(net, [3, 3], 2, scope="pool2")
            for i, size in ((3, 384), (4, 384), (5, 256)):
                net = parts.conv2d(net, size, [3, 3], scope="conv%d" % i)
            net = parts.max_pool2d(net, [3, 3], 2, scope="pool5")
            with arg_scope([parts.conv2d], weights_initializer=_normal(0.005), biases_initializer=initializers.constant_initializer(0.1)):
                net = _classifier(net, (4096, 4096), 5, num_classes, is_training, dropout_keep_prob, biases_initializer=initializers.zeros_initializer())
            return _ends(net, collection, spatial_squeeze, sc)


@export("contrib.slim.nets.overfeat.overfeat")
def overfeat(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.5, spatial_squeeze=True, scope="overfeat"):
    """(Logits, end points) of OverFeat."""
    with variable_scope(scope, "overfeat", [inputs]) as sc:
        collection = sc.name + "_end_points"
        with arg_scope([parts.conv2d, parts.fully_connected, parts.max_pool2d], outputs_collections=collection):
            net = parts.conv2d(inputs, 64, [11, 11], 4, padding="VALID", scope="conv1")
            net = parts.max_pool2d(net, [2, 2], scope="pool1")
            net = parts.conv2d(net, 256, [5, 5], padding="VALID", scope="conv2")
            net = parts.max_pool2d(net, [2, 2], scope="pool2")
            for i, size in ((3, 512), (4, 1024), (5, 1024)):
                net = parts.conv2d(net, size, [3, 3], scope="conv%d" % i)
            net = parts.max_pool2d(net, [2, 2], scope="pool5")
            with arg_scope([parts.conv2d], weights_initializer=_normal(0.005), biases_initializer=initializers.constant_initializer(0.1)):
                net = _classifier(net, (3072, 4096), 6, num_classes, is_training, dropout_keep_prob, biases_initializer=initializers.zeros_initializer())
            return _ends(net, collection, spatial_squeeze, sc)


def _vgg(name, repeats, by_name_scope=True):
    """A VGG network; `repeats`: the convolutions before each pooling."""
    def network(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.5, spatial_squeeze=True, scope=name):
        with variable_scope(scope, name, [inputs]) as sc:
            collection = (sc.original_name_scope if by_name_scope else sc.name) + "_end_points"
            with arg_scope([parts.conv2d, parts.fully_connected, parts.max_pool2d], outputs_collections=collection):
                net = inputs
                for i, (count, size) in enumerate(zip(repeats, (64, 128, 256, 512, 512)), 1):
                    net = parts.repeat(net, count, parts.conv2d, size, [3, 3], scope="conv%d" % i)
                    net = parts.max_pool2d(net, [2, 2], scope="pool%d" % i)
                net = _classifier(net, (4096, 4096), 7, num_classes, is_training, dropout_keep_prob)
                return _ends(net, collection, spatial_squeeze, sc)

    network.__name__, network.__doc__, network.default_image_size = name, "(Logits, end points) of %s." % name.replace("_", " ").upper(), 224
    return network


alexnet_v2.default_image_size = 224
vgg_a = export_value(_vgg("vgg_a", (1, 1, 2, 2, 2)), "contrib.slim.nets.vgg.vgg_a")
vgg_16 = export_value(_vgg("vgg_16", (2, 2, 3, 3, 3)), "contrib.slim.nets.vgg.vgg_16", "contrib.slim.nets.vgg.vgg_d")
vgg_19 = export_value(_vgg("vgg_19", (2, 2, 4, 4, 4), by_name_scope=False), "contrib.slim.nets.vgg.vgg_19", "contrib.slim.nets.vgg.vgg_e")
