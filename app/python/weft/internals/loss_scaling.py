"""tf.nn.compute_average_loss, scale_regularization_loss and what tensorflow.python.ops.losses.util has beside: losses of examples, weighted and averaged over all replicas."""

import contextlib

from .. import assertions, basics, control_flow, dtypes, engine, ops
from ..distribute import contexts
from ..exports import export
from .metrics import remove_squeezable_dimensions
from .weights import broadcast_weights


def _fitted_labels(predictions, labels):
    """Both, without a last dimension of 1 that only one of them has. Labels that are class numbers have one dimension less and stay as they are."""
    if labels.shape.ndims is not None and predictions.shape.ndims is not None:
        if predictions.shape.ndims - labels.shape.ndims == 1 and predictions.shape[-1] != 1:
            return predictions, labels
        labels, predictions = remove_squeezable_dimensions(labels, predictions)
        return predictions, labels

    def squeezed():
        return remove_squeezable_dimensions(labels, predictions)

    def of_one():
        return control_flow.cond(engine.equal(1, basics.shape(predictions)[-1]), squeezed, lambda: (labels, predictions))

    labels, predictions = control_flow.cond(engine.equal(1, basics.rank(predictions) - basics.rank(labels)), of_one, squeezed)
    return predictions, labels


def squeeze_or_expand_dimensions(y_pred, y_true=None, sample_weight=None):
    """The three, without `sample_weight` if it is None, with as many dimensions as the predictions: a last dimension of 1 is removed, for weights also added. A scalar weight stays."""
    rank = y_pred.shape.ndims
    if y_true is not None:
        y_pred, y_true = _fitted_labels(y_pred, y_true)
    if sample_weight is None:
        return y_pred, y_true
    weights = ops.convert_to_tensor(sample_weight)
    if weights.shape.ndims == 0:
        return y_pred, y_true, weights
    if rank is not None and weights.shape.ndims is not None:
        if weights.shape.ndims - rank == 1:
            weights = engine.squeeze(weights, [-1])
        elif rank - weights.shape.ndims == 1:
            weights = engine.expand_dims(weights, -1)
        return y_pred, y_true, weights
    own = basics.rank(weights)
    difference, whole = own - basics.rank(y_pred), weights

    def expanded():
        return control_flow.cond(engine.equal(difference, -1), lambda: engine.expand_dims(whole, -1), lambda: whole)

    def adjusted():
        return control_flow.cond(engine.equal(difference, 1), lambda: engine.squeeze(whole, [-1]), expanded)

    return y_pred, y_true, control_flow.cond(engine.equal(own, 0), lambda: whole, adjusted)


def scale_losses_by_sample_weight(losses, sample_weight):
    """The products, as float32."""
    losses, weights = basics.cast(losses, dtypes.float32), basics.cast(sample_weight, dtypes.float32)
    losses, _, weights = squeeze_or_expand_dimensions(losses, None, weights)
    return engine.multiply(losses, broadcast_weights(weights, losses))


@contextlib.contextmanager
def check_per_example_loss_rank(per_example_loss):
    """Context manager: the loss has a dimension for examples, or ValueError; what is built inside checks it in a run if its rank is unknown."""
    wanted, rank = "Invalid value passed for `per_example_loss`. Expected a tensor with at least rank 1", per_example_loss.shape.ndims
    if rank == 0:
        raise ValueError("%s, received: %s" % (wanted, per_example_loss))
    checks = [] if rank is not None else [assertions.assert_greater_equal(basics.rank(per_example_loss), 1, message=wanted + ".")]
    with ops.control_dependencies(checks):
        yield


def _replicas(name):
    if contexts.has_strategy() and contexts.in_cross_replica_context():
        raise RuntimeError("You are calling `%s` in cross replica context, while it was expected to be called in replica context." % name)
    return contexts.get_strategy().num_replicas_in_sync


@export("nn.compute_average_loss")
def compute_average_loss(per_example_loss, sample_weight=None, global_batch_size=None):
    """The sum of the weighted losses divided by the size of the batch of all replicas, by default as many times this batch as there are replicas."""
    loss = ops.convert_to_tensor(per_example_loss)
    kind = loss.dtype
    with check_per_example_loss_rank(loss):
        if sample_weight is not None:
            loss = scale_losses_by_sample_weight(loss, sample_weight)
        loss = basics.cast(loss, kind)
        if global_batch_size is None:
            replicas = _replicas("compute_average_loss")
            global_batch_size = basics.cast(basics.shape(loss)[0] * replicas, kind)
        return engine.reduce_sum(loss) / global_batch_size


@export("nn.scale_regularization_loss")
def scale_regularization_loss(regularization_loss):
    """The sum divided by the number of replicas, as each of them adds it."""
    return engine.reduce_sum(regularization_loss) / _replicas("scale_regularization_loss")
