"""tf.contrib.losses (tf.contrib.slim.losses): the predecessors of tf.losses. Predictions come first; means are over elements with nonzero weight."""

from .. import basics, dtypes, engine, ops
from ..exports import export
from ..ops import GraphKeys
from .arg_scope import add_arg_scope


def _losses(name):
    return export("contrib.slim.losses." + name, "contrib.losses." + name)


def _summed(losses, weights):
    """The sum of losses, weighted by row."""
    rows = engine.reduce_sum(losses, axis=list(range(max(0, weights.get_shape().ndims), losses.get_shape().ndims)))
    return engine.reduce_sum(engine.multiply(rows, weights))


def _counted(losses, weights, per_batch=False):
    """The number of losses with a nonzero weight."""
    rank = weights.get_shape().ndims
    if rank == 0:
        rows = engine.reshape(engine.slice(basics.shape(losses), [0], [1]), [])
        each = engine.div(basics.cast(basics.size(losses), dtypes.float32), basics.cast(rows, dtypes.float32))
        each = engine.where(engine.equal(weights, 0), 0.0, each)
        each = engine.multiply(engine.ones(engine.reshape(rows, [1])), each)
    else:
        weighted = engine.reduce_sum(basics.cast(engine.not_equal(weights, 0), dtypes.float32), axis=list(range(1, rank)))
        rest = engine.slice(basics.shape(losses), [rank], [-1])
        each = engine.multiply(weighted, basics.cast(engine.reduce_prod(rest), dtypes.float32))
    return each if per_batch else engine.reduce_sum(each)


@_losses("add_loss")
@add_arg_scope
def add_loss(loss, loss_collection=GraphKeys.LOSSES):
    if loss_collection:
        ops.add_to_collection(loss_collection, loss)


@_losses("get_losses")
def get_losses(scope=None, loss_collection=GraphKeys.LOSSES):
    return ops.get_collection(loss_collection, scope)


@_losses("get_regularization_losses")
def get_regularization_losses(scope=None):
    return ops.get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


@_losses("get_total_loss")
def get_total_loss(add_regularization_losses=True, name="total_loss"):
    """The sum of all losses, including regularization losses."""
    losses = get_losses()
    if add_regularization_losses:
        losses += get_regularization_losses()
    return engine.add_n(losses, name=name)


@_losses("compute_weighted_loss")
def compute_weighted_loss(losses, weights=1.0, scope=None):
    with ops.name_scope(scope, "weighted_loss", [losses, weights]):
        losses = ops.convert_to_tensor(losses)
        dtype = losses.dtype
        losses = basics.cast(losses, dtypes.float32)
        weights = basics.cast(ops.convert_to_tensor(weights), dtypes.float32)
        for what, shape in (("losses", losses.get_shape()), ("weights", weights.get_shape())):
            if shape.ndims is None:
                raise ValueError("%s.get_shape().ndims cannot be None" % what)
        shape = weights.get_shape()
        if shape.ndims > 1 and shape[-1].is_compatible_with(1):
            weights = engine.squeeze(weights, [-1])
        total = _summed(losses, weights)
        count = _counted(losses, weights)
        mean = basics.cast(engine.div_no_nan(engine.reduce_sum(total), count, name="value"), dtype)
        add_loss(mean)
        return mean


def _pair(predictions, labels):
    """Both as float32, after a shape check."""
    predictions.get_shape().assert_is_compatible_with(labels.get_shape())
    return basics.cast(predictions, dtypes.float32), basics.cast(labels, dtypes.float32)


@_losses("absolute_difference")
def absolute_difference(predictions, labels=None, weights=1.0, scope=None):
    with ops.name_scope(scope, "absolute_difference", [predictions, labels, weights]) as scope:
        predictions, labels = _pair(predictions, labels)
        return compute_weighted_loss(engine.abs(engine.subtract(predictions, labels)), weights, scope=scope)


@_losses("mean_squared_error")
def mean_squared_error(predictions, labels=None, weights=1.0, scope=None):
    with ops.name_scope(scope, "mean_squared_error", [predictions, labels, weights]) as scope:
        predictions, labels = _pair(predictions, labels)
        return compute_weighted_loss(engine.squared_difference(predictions, labels), weights, scope=scope)


@_losses("log_loss")
def log_loss(predictions, labels=None, weights=1.0, epsilon=1e-7, scope=None):
    with ops.name_scope(scope, "log_loss", [predictions, labels, weights]) as scope:
        predictions, labels = _pair(predictions, labels)
        losses = -engine.multiply(labels, engine.log(predictions + epsilon)) - engine.multiply((1 - labels), engine.log(1 - predictions + epsilon))
        return compute_weighted_loss(losses, weights, scope=scope)


@_losses("cosine_distance")
def cosine_distance(predictions, labels=None, axis=None, weights=1.0, scope=None, dim=None):
    axis = dim if axis is None else axis
    if axis is None:
        raise ValueError("You must specify 'axis'.")
    with ops.name_scope(scope, "cosine_distance_loss", [predictions, labels, weights]) as scope:
        predictions, labels = _pair(predictions, labels)
        return compute_weighted_loss(1 - engine.reduce_sum(engine.multiply(predictions, labels), axis=[axis]), weights, scope=scope)


@_losses("hinge_loss")
def hinge_loss(logits, labels=None, scope=None):
    """The elementwise hinge loss, neither summed nor added to a collection."""
    with ops.name_scope(scope, "hinge_loss", [logits, labels]) as scope:
        logits.get_shape().assert_is_compatible_with(labels.get_shape())
        labels = basics.cast(labels, dtypes.float32)
        ones = engine.ones_like(labels)
        labels = engine.subtract(2 * labels, ones)
        return engine.nn.relu(engine.subtract(ones, engine.multiply(labels, logits)))


@_losses("softmax_cross_entropy")
def softmax_cross_entropy(logits, onehot_labels, weights=1.0, label_smoothing=0, scope=None):
    with ops.name_scope(scope, "softmax_cross_entropy_loss", [logits, onehot_labels, weights]) as scope:
        logits.get_shape().assert_is_compatible_with(onehot_labels.get_shape())
        onehot_labels = basics.cast(onehot_labels, logits.dtype)
        if label_smoothing > 0:
            classes = basics.cast(basics.shape(onehot_labels)[1], logits.dtype)
            onehot_labels = onehot_labels * (1.0 - label_smoothing) + label_smoothing / classes
        losses = engine.nn.softmax_cross_entropy_with_logits(labels=onehot_labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope=scope)


@_losses("sparse_softmax_cross_entropy")
def sparse_softmax_cross_entropy(logits, labels, weights=1.0, scope=None):
    with ops.name_scope(scope, "sparse_softmax_cross_entropy_loss", [logits, labels, weights]) as scope:
        labels = engine.reshape(labels, shape=[basics.shape(labels)[0]])
        losses = engine.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope=scope)


@_losses("sigmoid_cross_entropy")
def sigmoid_cross_entropy(logits, multi_class_labels, weights=1.0, label_smoothing=0, scope=None):
    with ops.name_scope(scope, "sigmoid_cross_entropy_loss", [logits, multi_class_labels, weights]) as scope:
        logits.get_shape().assert_is_compatible_with(multi_class_labels.get_shape())
        labels = basics.cast(multi_class_labels, logits.dtype)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = engine.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope=scope)


@_losses("mean_pairwise_squared_error")
def mean_pairwise_squared_error(predictions, labels=None, weights=1.0, scope=None):
    with ops.name_scope(scope, "mean_pairwise_squared_error", [predictions, labels, weights]) as scope:
        predictions, labels = _pair(predictions, labels)
        weights = basics.cast(ops.convert_to_tensor(weights), dtypes.float32)
        differences = engine.subtract(predictions, labels)
        axis = list(range(1, differences.get_shape().ndims))
        squares = engine.reduce_sum(engine.square(differences), axis=axis)
        count = _counted(differences, weights, per_batch=True)
        first = 2.0 * engine.div_no_nan(squares, count, name="value")
        sums = engine.reduce_sum(differences, axis=axis)
        second = 2.0 * engine.div_no_nan(engine.square(sums), engine.square(count), name="value")
        loss = _summed(first - second, weights)
        mean = engine.where(engine.reduce_sum(count) > 0, loss, engine.zeros_like(loss), name="value")
        add_loss(mean)
        return mean
