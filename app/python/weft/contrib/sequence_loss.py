"""tf.contrib.legacy_seq2seq's losses of sequences, and those of contrib.seq2seq."""

import tensorflow as tf

from ..exports import export


@export("contrib.legacy_seq2seq.sequence_loss_by_example")
def sequence_loss_by_example(logits, targets, weights, average_across_timesteps=True, softmax_loss_function=None, name=None):
    """The weighted cross entropy of each sequence of a batch; `logits`, `targets`, `weights`: lists over time."""
    if len(targets) != len(logits) or len(weights) != len(logits):
        raise ValueError("Lengths of logits, weights, and targets must be the same %d, %d, %d." % (len(logits), len(weights), len(targets)))
    with tf.name_scope(name, "sequence_loss_by_example", logits + targets + weights):
        losses = []
        for logit, target, weight in zip(logits, targets, weights):
            if softmax_loss_function is None:
                target = tf.reshape(target, [-1])
                entropy = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=logit)
            else:
                entropy = softmax_loss_function(labels=target, logits=logit)
            losses.append(entropy * weight)
        total = tf.add_n(losses)
        if average_across_timesteps:
            size = tf.add_n(weights)
            size += 1e-12  # against division by zero where all weights are zero
            total /= size
    return total


@export("contrib.legacy_seq2seq.sequence_loss")
def sequence_loss(logits, targets, weights, average_across_timesteps=True, average_across_batch=True, softmax_loss_function=None, name=None):
    """The mean of sequence_loss_by_example() over the batch."""
    with tf.name_scope(name, "sequence_loss", logits + targets + weights):
        cost = tf.reduce_sum(sequence_loss_by_example(logits, targets, weights, average_across_timesteps=average_across_timesteps,
                                                      softmax_loss_function=softmax_loss_function))
        if average_across_batch:
            return cost / tf.cast(tf.shape(targets[0])[0], cost.dtype)
        return cost


@export("contrib.resampler.resampler")
def resampler(data, warp, name="resampler"):
    """Values of pictures at given places, interpolated linearly."""
    with tf.name_scope(name, "resampler", [data, warp]):
        data, warp = tf.convert_to_tensor(data, name="data"), tf.convert_to_tensor(warp, name="warp")
        return tf.raw_ops.Resampler(data=data, warp=warp)
