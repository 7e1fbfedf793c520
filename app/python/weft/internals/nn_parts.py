"""Parts of the functions of tf.nn that libraries use by their names in tensorflow.python.ops: logits of sampled classes, the gradients of batch normalization by plain operations."""

from .. import basics, dtypes, engine, ops
from ..partitioned_variable import PartitionedVariable


def _looked_up(tables, ids, like, partition_strategy):
    return basics.cast(engine.nn.embedding_lookup(tables, ids, partition_strategy=partition_strategy), like.dtype)


def _compute_sampled_logits(weights, biases, labels, inputs, num_sampled, num_classes, num_true=1, sampled_values=None, subtract_log_q=True, remove_accidental_hits=False,
                            partition_strategy="mod", name=None, seed=None):
    """(logits, labels), each [batch, num_true + num_sampled]: the true classes of each example, then classes that are sampled for the whole batch. `subtract_log_q`: whether the
    logarithm of the expected count of a class is subtracted from its logit; `remove_accidental_hits`: whether sampled classes that are true ones get very small logits."""
    weights = list(weights) if isinstance(weights, PartitionedVariable) else weights
    weights = weights if isinstance(weights, list) else [weights]
    with ops.name_scope(name, "compute_sampled_logits", weights + [biases, inputs, labels]):
        labels = basics.cast(labels, dtypes.int64)
        flat = engine.reshape(labels, [-1])
        if sampled_values is None:
            sampled_values = engine.random.log_uniform_candidate_sampler(true_classes=labels, num_true=num_true, num_sampled=num_sampled, unique=True, range_max=num_classes, seed=seed)
        sampled, expected, expected_sampled = (engine.stop_gradient(v) for v in sampled_values)
        sampled = basics.cast(sampled, dtypes.int64)
        ids, count = engine.concat([flat, sampled], 0), basics.shape(flat)[0]
        rows, offsets = _looked_up(weights, ids, inputs, partition_strategy), _looked_up(biases, ids, inputs, partition_strategy)
        logits = engine.matmul(inputs, rows[count:], transpose_b=True) + offsets[count:]
        own = engine.reshape(rows[:count], engine.concat([[-1, num_true], basics.shape(rows)[1:]], 0))
        true_logits = engine.reduce_sum(engine.expand_dims(inputs, 1) * own, 2) + engine.reshape(offsets[:count], [-1, num_true])
        if remove_accidental_hits:
            examples, places, lowered = engine.nn.compute_accidental_hits(labels, sampled, num_true=num_true)
            hits = engine.stack([examples, basics.cast(places, dtypes.int32)], 1)
            shape = engine.stack([basics.shape(labels)[0], num_sampled])
            logits += engine.sparse_to_dense(hits, shape, basics.cast(lowered, logits.dtype), default_value=0.0, validate_indices=False)
        if subtract_log_q:
            true_logits -= engine.math.log(expected)
            logits -= engine.math.log(expected_sampled)
        return (engine.concat([true_logits, logits], 1), engine.concat([engine.ones_like(true_logits) / num_true, engine.zeros_like(logits)], 1))


def _BatchNormGrad(grad_y, x, scale, pop_mean, pop_var, epsilon, data_format, is_training=True):
    """(gradient of x, of the scale, of the offset) of batch normalization. In training mean and variance are those of the batch, so they pass gradients to x, too."""
    kind = x.dtype.base_dtype
    if kind == dtypes.float16:  # too imprecise for sums
        x, grad_y = basics.cast(x, dtypes.float32), basics.cast(grad_y, dtypes.float32)
    channels_first = data_format in (b"NCHW", "NCHW")
    axes = [0, 2, 3] if channels_first else [0, 1, 2]

    def aligned(v):
        """A vector with an element for each channel, to be broadcast against images."""
        return engine.reshape(v, [1, -1, 1, 1]) if channels_first else v

    if is_training:
        mean, variance = engine.nn.moments(x, axes)
    else:
        mean, variance = pop_mean, pop_var
    factor = engine.math.rsqrt(variance + epsilon)
    normal = (x - aligned(mean)) * aligned(factor)
    grad_offset, grad_scale = engine.reduce_sum(grad_y, axes), engine.reduce_sum(grad_y * normal, axes)
    grad_x = grad_y
    if is_training:
        grad_x -= aligned(engine.reduce_mean(grad_y, axes)) + normal * aligned(engine.reduce_mean(grad_y * normal, axes))
    return basics.cast(aligned(scale * factor) * grad_x, kind), grad_scale, grad_offset
