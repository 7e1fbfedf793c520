"""tf.contrib.slim.nets: Inception, versions 1 to 3, from tables of their layers.

A layer is written Scope:depth, followed by non-default settings: @KxK the kernel if the scope does not name it, /N the stride, ! padding VALID, = SAME,
~S weights initialized from a truncated normal of standard deviation S. Scopes of pooling layers begin with MaxPool or AvgPool. A+B are two layers of the
same input, concatenated. Each line is an end point: one layer, or branches that are concatenated."""

import functools
import re

from ... import engine, initializers
from ...exports import export
from ...ops import GraphKeys
from ...variable_scope import variable_scope
from ..arg_scope import arg_scope
from . import parts

_WORD = re.compile(r"(?P<scope>\w+?_(?P<height>\d)x(?P<width>\d))(?:@(?P<kernel>\d)x\d)?(?::(?P<depth>\d+))?(?:/(?P<stride>\d))?(?P<padding>[!=])?(?:~(?P<normal>[\d.]+))?$")


def _normal(stddev):
    return initializers.truncated_normal_initializer(0.0, stddev)


def _layer(net, word, depth):
    """The layers of one word."""
    if "+" in word:
        return engine.concat([_layer(net, one, depth) for one in word.split("+")], 3)
    found = _WORD.match(word)
    scope = found.group("scope")
    kernel = [int(found.group("kernel") or found.group(side)) for side in ("height", "width")]
    more = {}
    if found.group("stride"):
        more["stride"] = int(found.group("stride"))
    if found.group("padding"):
        more["padding"] = "VALID" if found.group("padding") == "!" else "SAME"
    if found.group("normal"):
        more["weights_initializer"] = _normal(float(found.group("normal")))
    if scope.startswith("MaxPool"):
        return parts.max_pool2d(net, kernel, scope=scope, **more)
    if scope.startswith("AvgPool"):
        return parts.avg_pool2d(net, kernel, scope=scope, **more)
    return parts.conv2d(net, depth(int(found.group("depth"))), kernel, scope=scope, **more)


def _through(net, table, depth, final_endpoint, end_points):
    """Builds the lines of a table; returns (output, whether the final end point was reached)."""
    for line in table.strip().split("\n"):
        name, _, branches = line.strip().partition(" = ")
        if not branches:
            net = _layer(net, name, depth)
            name = _WORD.match(name).group("scope")
        else:
            with variable_scope(name):
                made = []
                for i, words in enumerate(branches.split(" | ")):
                    with variable_scope("Branch_%d" % i):
                        made.append(functools.reduce(lambda x, word: _layer(x, word, depth), words.split(), net))
                net = engine.concat(made, 3)
        end_points[name] = net
        if name == final_endpoint:
            return net, True
    return net, False


def _module_v1(name, sizes, second="0b"):
    a, b1, b3, c1, c3, d = sizes
    return ("%s = Conv2d_0a_1x1:%d | Conv2d_0a_1x1:%d Conv2d_0b_3x3:%d | Conv2d_0a_1x1:%d Conv2d_%s_3x3:%d | MaxPool_0a_3x3 Conv2d_0b_1x1:%d"
            % (name, a, b1, b3, c1, second, c3, d))


_V1 = "\n".join(
    ["Conv2d_1a_7x7:64/2", "MaxPool_2a_3x3/2", "Conv2d_2b_1x1:64", "Conv2d_2c_3x3:192", "MaxPool_3a_3x3/2",
     _module_v1("Mixed_3b", (64, 96, 128, 16, 32, 32)), _module_v1("Mixed_3c", (128, 128, 192, 32, 96, 64)), "MaxPool_4a_3x3/2",
     _module_v1("Mixed_4b", (192, 96, 208, 16, 48, 64)), _module_v1("Mixed_4c", (160, 112, 224, 24, 64, 64)), _module_v1("Mixed_4d", (128, 128, 256, 24, 64, 64)),
     _module_v1("Mixed_4e", (112, 144, 288, 32, 64, 64)), _module_v1("Mixed_4f", (256, 160, 320, 32, 128, 128)), "MaxPool_5a_2x2/2",
     _module_v1("Mixed_5b", (256, 160, 320, 32, 128, 128), second="0a"), _module_v1("Mixed_5c", (384, 192, 384, 48, 128, 128))])


def _module_v2(name, sizes, pool="AvgPool"):
    a, b1, b3, c1, c3, d = sizes
    return ("%s = Conv2d_0a_1x1:%d | Conv2d_0a_1x1:%d~0.09 Conv2d_0b_3x3:%d | Conv2d_0a_1x1:%d~0.09 Conv2d_0b_3x3:%d Conv2d_0c_3x3:%d | %s_0a_3x3 Conv2d_0b_1x1:%d~0.1"
            % (name, a, b1, b3, c1, c3, c3, pool, d))


def _reduction_v2(name, a1, a3, b1, b3):
    return ("%s = Conv2d_0a_1x1:%d~0.09 Conv2d_1a_3x3:%d/2 | Conv2d_0a_1x1:%d~0.09 Conv2d_0b_3x3:%d Conv2d_1a_3x3:%d/2 | MaxPool_1a_3x3/2" % (name, a1, a3, b1, b3, b3))


_V2 = "\n".join(
    ["MaxPool_2a_3x3/2", "Conv2d_2b_1x1:64~0.1", "Conv2d_2c_3x3:192", "MaxPool_3a_3x3/2",
     _module_v2("Mixed_3b", (64, 64, 64, 64, 96, 32)), _module_v2("Mixed_3c", (64, 64, 96, 64, 96, 64)), _reduction_v2("Mixed_4a", 128, 160, 64, 96),
     _module_v2("Mixed_4b", (224, 64, 96, 96, 128, 128)), _module_v2("Mixed_4c", (192, 96, 128, 96, 128, 128)), _module_v2("Mixed_4d", (160, 128, 160, 128, 160, 96)),
     _module_v2("Mixed_4e", (96, 128, 192, 160, 192, 96)), _reduction_v2("Mixed_5a", 128, 192, 192, 256),
     _module_v2("Mixed_5b", (352, 192, 320, 160, 224, 128)), _module_v2("Mixed_5c", (352, 192, 320, 192, 224, 128), pool="MaxPool")])


def _module_5(name, pooled, first="0a", second="Conv2d_0b"):
    return ("%s = Conv2d_0a_1x1:64 | Conv2d_%s_1x1:48 %s_5x5:64 | Conv2d_0a_1x1:64 Conv2d_0b_3x3:96 Conv2d_0c_3x3:96 | AvgPool_0a_3x3 Conv2d_0b_1x1:%d"
            % (name, first, second, pooled))


def _module_6(name, n):
    return ("%s = Conv2d_0a_1x1:192 | Conv2d_0a_1x1:%d Conv2d_0b_1x7:%d Conv2d_0c_7x1:192 | Conv2d_0a_1x1:%d Conv2d_0b_7x1:%d Conv2d_0c_1x7:%d Conv2d_0d_7x1:%d "
            "Conv2d_0e_1x7:192 | AvgPool_0a_3x3 Conv2d_0b_1x1:192" % (name, n, n, n, n, n, n))


def _module_7(name, half):
    return ("%s = Conv2d_0a_1x1:320 | Conv2d_0a_1x1:384 Conv2d_0b_1x3:384+Conv2d_%s_3x1:384 | Conv2d_0a_1x1:448 Conv2d_0b_3x3:384 Conv2d_0c_1x3:384+Conv2d_0d_3x1:384 | "
            "AvgPool_0a_3x3 Conv2d_0b_1x1:192" % (name, half))


_V3_BELOW = "\n".join(["Conv2d_1a_3x3:32/2", "Conv2d_2a_3x3:32", "Conv2d_2b_3x3:64=", "MaxPool_3a_3x3/2", "Conv2d_3b_1x1:80", "Conv2d_4a_3x3:192", "MaxPool_5a_3x3/2"])
_V3 = "\n".join(
    [_module_5("Mixed_5b", 32), _module_5("Mixed_5c", 64, first="0b", second="Conv_1_0c"), _module_5("Mixed_5d", 64),
     "Mixed_6a = Conv2d_1a_1x1@3x3:384/2! | Conv2d_0a_1x1:64 Conv2d_0b_3x3:96 Conv2d_1a_1x1@3x3:96/2! | MaxPool_1a_3x3/2!",
     _module_6("Mixed_6b", 128), _module_6("Mixed_6c", 160), _module_6("Mixed_6d", 160), _module_6("Mixed_6e", 192),
     "Mixed_7a = Conv2d_0a_1x1:192 Conv2d_1a_3x3:320/2! | Conv2d_0a_1x1:192 Conv2d_0b_1x7:192 Conv2d_0c_7x1:192 Conv2d_1a_3x3:192/2! | MaxPool_1a_3x3/2!",
     _module_7("Mixed_7b", "0b"), _module_7("Mixed_7c", "0c")])


def _depths(multiplier, least):
    if multiplier <= 0:
        raise ValueError("depth_multiplier is not greater than zero.")
    return lambda d: max(int(d * multiplier), least)


def _unknown(final_endpoint):
    return ValueError("Unknown final endpoint %s" % final_endpoint)


def _inception(version, name):
    return export(*["contrib.slim.nets.%s.inception_v%d%s" % (place, version, name) for place in ("inception", "inception_v%d" % version)])


@_inception(1, "_base")
def inception_v1_base(inputs, final_endpoint="Mixed_5c", scope="InceptionV1"):
    """(Output, end points) of Inception v1 up to an end point."""
    end_points = {}
    with variable_scope(scope, "InceptionV1", [inputs]):
        with arg_scope([parts.conv2d, parts.fully_connected], weights_initializer=_normal(0.01)):
            with arg_scope([parts.conv2d, parts.max_pool2d], stride=1, padding="SAME"):
                net, found = _through(inputs, _V1, lambda d: d, final_endpoint, end_points)
                if found:
                    return net, end_points
        raise _unknown(final_endpoint)


@_inception(2, "_base")
def inception_v2_base(inputs, final_endpoint="Mixed_5c", min_depth=16, depth_multiplier=1.0, scope=None):
    """(Output, end points) of Inception v2 up to an end point."""
    end_points, depth = {}, _depths(depth_multiplier, min_depth)
    with variable_scope(scope, "InceptionV2", [inputs]):
        with arg_scope([parts.conv2d, parts.max_pool2d, parts.avg_pool2d, parts.separable_conv2d], stride=1, padding="SAME"):
            first = "Conv2d_1a_7x7"
            net = parts.separable_conv2d(inputs, depth(64), [7, 7], depth_multiplier=min(int(depth(64) / 3), 8), stride=2, weights_initializer=_normal(1.0), scope=first)
            end_points[first] = net
            found = first == final_endpoint
            if not found:
                net, found = _through(net, _V2, depth, final_endpoint, end_points)
            if found:
                return net, end_points
        raise _unknown(final_endpoint)


@_inception(3, "_base")
def inception_v3_base(inputs, final_endpoint="Mixed_7c", min_depth=16, depth_multiplier=1.0, scope=None):
    """(Output, end points) of Inception v3 up to an end point."""
    end_points, depth = {}, _depths(depth_multiplier, min_depth)
    with variable_scope(scope, "InceptionV3", [inputs]):
        net = inputs
        for table, padding in ((_V3_BELOW, "VALID"), (_V3, "SAME")):
            with arg_scope([parts.conv2d, parts.max_pool2d, parts.avg_pool2d], stride=1, padding=padding):
                net, found = _through(net, table, depth, final_endpoint, end_points)
                if found:
                    return net, end_points
        raise _unknown(final_endpoint)


def _fitting_kernel(net, size):
    """The kernel size, limited to the size of the feature map."""
    _, height, width, _ = net.get_shape().as_list()
    return [size, size] if height is None or width is None else [min(height, size), min(width, size)]


def _logits(net, num_classes, spatial_squeeze, scope):
    logits = parts.conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope=scope)
    return engine.squeeze(logits, [1, 2], name="SpatialSqueeze") if spatial_squeeze else logits


@_inception(1, "")
def inception_v1(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.8, prediction_fn=parts.softmax, spatial_squeeze=True, reuse=None, scope="InceptionV1"):
    """(Logits, end points) of Inception v1."""
    with variable_scope(scope, "InceptionV1", [inputs, num_classes], reuse=reuse) as scope:
        with arg_scope([parts.batch_norm, parts.dropout], is_training=is_training):
            net, end_points = inception_v1_base(inputs, scope=scope)
            with variable_scope("Logits"):
                net = parts.avg_pool2d(net, [7, 7], stride=1, scope="MaxPool_0a_7x7")
                net = parts.dropout(net, dropout_keep_prob, scope="Dropout_0b")
                logits = _logits(net, num_classes, spatial_squeeze, "Conv2d_0c_1x1")
                end_points["Logits"] = logits
                end_points["Predictions"] = prediction_fn(logits, scope="Predictions")
    return logits, end_points


def _head(net, size, keep_prob):
    kernel = _fitting_kernel(net, size)
    net = parts.avg_pool2d(net, kernel, padding="VALID", scope="AvgPool_1a_{}x{}".format(*kernel))
    return parts.dropout(net, keep_prob=keep_prob, scope="Dropout_1b")


@_inception(2, "")
def inception_v2(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.8, min_depth=16, depth_multiplier=1.0, prediction_fn=parts.softmax, spatial_squeeze=True,
                 reuse=None, scope="InceptionV2"):
    """(Logits, end points) of Inception v2."""
    _depths(depth_multiplier, min_depth)
    with variable_scope(scope, "InceptionV2", [inputs, num_classes], reuse=reuse) as scope:
        with arg_scope([parts.batch_norm, parts.dropout], is_training=is_training):
            net, end_points = inception_v2_base(inputs, scope=scope, min_depth=min_depth, depth_multiplier=depth_multiplier)
            with variable_scope("Logits"):
                net = _head(net, 7, dropout_keep_prob)
                logits = _logits(net, num_classes, spatial_squeeze, "Conv2d_1c_1x1")
            end_points["Logits"] = logits
            end_points["Predictions"] = prediction_fn(logits, scope="Predictions")
    return logits, end_points


def _auxiliary(net, depth, num_classes, spatial_squeeze):
    """The auxiliary classifier of version 3, for training."""
    with variable_scope("AuxLogits"):
        net = parts.avg_pool2d(net, [5, 5], stride=3, padding="VALID", scope="AvgPool_1a_5x5")
        net = parts.conv2d(net, depth(128), [1, 1], scope="Conv2d_1b_1x1")
        kernel = _fitting_kernel(net, 5)
        net = parts.conv2d(net, depth(768), kernel, weights_initializer=_normal(0.01), padding="VALID", scope="Conv2d_2a_{}x{}".format(*kernel))
        net = parts.conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, weights_initializer=_normal(0.001), scope="Conv2d_2b_1x1")
        return engine.squeeze(net, [1, 2], name="SpatialSqueeze") if spatial_squeeze else net


@_inception(3, "")
def inception_v3(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.8, min_depth=16, depth_multiplier=1.0, prediction_fn=parts.softmax, spatial_squeeze=True,
                 reuse=None, scope="InceptionV3"):
    """(Logits, end points) of Inception v3; the end point AuxLogits is the auxiliary classifier."""
    depth = _depths(depth_multiplier, min_depth)
    with variable_scope(scope, "InceptionV3", [inputs, num_classes], reuse=reuse) as scope:
        with arg_scope([parts.batch_norm, parts.dropout], is_training=is_training):
            net, end_points = inception_v3_base(inputs, scope=scope, min_depth=min_depth, depth_multiplier=depth_multiplier)
            with arg_scope([parts.conv2d, parts.max_pool2d, parts.avg_pool2d], stride=1, padding="SAME"):
                end_points["AuxLogits"] = _auxiliary(end_points["Mixed_6e"], depth, num_classes, spatial_squeeze)
            with variable_scope("Logits"):
                net = _head(net, 8, dropout_keep_prob)
                end_points["PreLogits"] = net
                logits = _logits(net, num_classes, spatial_squeeze, "Conv2d_1c_1x1")
            end_points["Logits"] = logits
            end_points["Predictions"] = prediction_fn(logits, scope="Predictions")
    return logits, end_points


inception_v1.default_image_size = inception_v2.default_image_size = 224
inception_v3.default_image_size = 299


def _scope(weight_decay, normalizer_fn, norm):
    with arg_scope([parts.conv2d, parts.fully_connected], weights_regularizer=parts.l2_regularizer(weight_decay)):
        with arg_scope([parts.conv2d], weights_initializer=parts.variance_scaling_initializer(), activation_fn=engine.nn.relu, normalizer_fn=normalizer_fn,
                       normalizer_params=norm) as scope:
            return scope


def _norm(moving, **more):
    return dict({"decay": 0.9997, "epsilon": 0.001, "updates_collections": GraphKeys.UPDATE_OPS,
                 "variables_collections": {"beta": None, "gamma": None, "moving_mean": [moving], "moving_variance": [moving]}}, **more)


@_inception(1, "_arg_scope")
def inception_v1_arg_scope(weight_decay=0.00004, use_batch_norm=True, batch_norm_var_collection="moving_vars"):
    return _scope(weight_decay, parts.batch_norm if use_batch_norm else None, _norm(batch_norm_var_collection) if use_batch_norm else {})


@_inception(2, "_arg_scope")
def inception_v2_arg_scope(weight_decay=0.00004, batch_norm_var_collection="moving_vars"):
    return _scope(weight_decay, parts.batch_norm, _norm(batch_norm_var_collection))


@_inception(3, "_arg_scope")
def inception_v3_arg_scope(weight_decay=0.00004, batch_norm_var_collection="moving_vars", batch_norm_decay=0.9997, batch_norm_epsilon=0.001,
                           updates_collections=GraphKeys.UPDATE_OPS, use_fused_batchnorm=True):
    norm = _norm(batch_norm_var_collection, decay=batch_norm_decay, epsilon=batch_norm_epsilon, updates_collections=updates_collections, fused=use_fused_batchnorm)
    return _scope(weight_decay, parts.batch_norm, norm)
