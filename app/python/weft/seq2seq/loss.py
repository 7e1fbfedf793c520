"""Losses of sequences."""

from .. import basics, engine, ops
from .attention import seq2seq


@seq2seq("sequence_loss")
def sequence_loss(logits, targets, weights, average_across_timesteps=True, average_across_batch=True, sum_over_timesteps=False, sum_over_batch=False,
                  softmax_loss_function=None, name=None):
    """Weighted cross entropy of sequences of logits."""
    for value, rank, text in ((logits, 3, "Logits must be a [batch_size x sequence_length x logits] tensor"), (targets, 2, "Targets must be a [batch_size x sequence_length] tensor"),
                              (weights, 2, "Weights must be a [batch_size x sequence_length] tensor")):
        if value.get_shape().ndims != rank:
            raise ValueError(text)
    if average_across_timesteps and sum_over_timesteps:
        raise ValueError("average_across_timesteps and sum_over_timesteps cannot be set to True at same time.")
    if average_across_batch and sum_over_batch:
        raise ValueError("average_across_batch and sum_over_batch cannot be set to True at same time.")
    with ops.name_scope(name, "sequence_loss", [logits, targets, weights]):
        classes = basics.shape(logits)[2]
        flat = engine.reshape(logits, [-1, classes])
        targets = engine.reshape(targets, [-1])
        function = softmax_loss_function or engine.nn.sparse_softmax_cross_entropy_with_logits
        loss = function(labels=targets, logits=flat)
        loss *= engine.reshape(weights, [-1])
        if average_across_timesteps and average_across_batch:
            loss = engine.reduce_sum(loss)
            return engine.math.divide_no_nan(loss, engine.reduce_sum(weights))
        if sum_over_timesteps and sum_over_batch:
            loss = engine.reduce_sum(loss)
            return engine.math.divide_no_nan(loss, basics.cast(engine.count_nonzero(weights), loss.dtype))
        loss = engine.reshape(loss, basics.shape(logits)[0:2])
        if average_across_timesteps or average_across_batch:
            axis = [0] if average_across_batch else [1]
            loss = engine.reduce_sum(loss, axis=axis)
            loss = engine.math.divide_no_nan(loss, engine.reduce_sum(weights, axis=axis))
        elif sum_over_timesteps or sum_over_batch:
            axis = [0] if sum_over_batch else [1]
            loss = engine.reduce_sum(loss, axis=axis)
            loss = engine.math.divide_no_nan(loss, basics.cast(engine.count_nonzero(weights, axis=axis), dtype=loss.dtype))
        return loss
