"""tf.contrib.slim.learning, tf.contrib.training: training steps."""

from .. import engine, ops
from ..control_flow import no_op, with_dependencies
from ..exports import export
from ..ops import GraphKeys, IndexedSlices
from ..platform import tf_logging as logging
from ..summaries import ops as summary
from ..training.global_step import get_or_create_global_step
from ..variables import trainable_variables

_DEFAULT = object()


@export("contrib.slim.learning.clip_gradient_norms", "contrib.training.clip_gradient_norms")
def clip_gradient_norms(gradients_to_variables, max_norm):
    """Clips each gradient separately to norm `max_norm`."""
    out = []
    for gradient, variable in gradients_to_variables:
        if isinstance(gradient, IndexedSlices):
            gradient = IndexedSlices(engine.clip_by_norm(gradient.values, max_norm), gradient.indices, gradient.dense_shape)
        elif gradient is not None:
            gradient = engine.clip_by_norm(gradient, max_norm)
        out.append((gradient, variable))
    return out


@export("contrib.slim.learning.multiply_gradients", "contrib.training.multiply_gradients")
def multiply_gradients(grads_and_vars, gradient_multipliers):
    """Multiplies the gradients of the given variables."""
    if not isinstance(grads_and_vars, list):
        raise ValueError("`grads_and_vars` must be a list.")
    if not gradient_multipliers:
        raise ValueError("`gradient_multipliers` is empty.")
    if not isinstance(gradient_multipliers, dict):
        raise ValueError("`gradient_multipliers` must be a dict.")
    out = []
    for gradient, variable in grads_and_vars:
        factor = gradient_multipliers.get(variable, gradient_multipliers.get(variable.op.name))
        if factor is not None:
            if gradient is None:
                raise ValueError("Requested multiple of `None` gradient.")
            if not isinstance(factor, ops.Tensor):
                factor = ops.constant(factor, dtype=gradient.dtype)
            if isinstance(gradient, IndexedSlices):
                gradient = IndexedSlices(gradient.values * factor, gradient.indices, gradient.dense_shape)
            else:
                gradient *= factor
        out.append((gradient, variable))
    return out


@export("contrib.slim.learning.add_gradients_summaries", "contrib.training.add_gradients_summaries")
def add_gradients_summaries(grads_and_vars):
    """Histograms and norms of gradients."""
    summaries = []
    for gradient, variable in grads_and_vars:
        if gradient is None:
            logging.info("Var %s has no gradient", variable.op.name)
            continue
        values = gradient.values if isinstance(gradient, IndexedSlices) else gradient
        summaries.append(summary.histogram(variable.op.name + "_gradient", values))
        summaries.append(summary.scalar(variable.op.name + "_gradient_norm", engine.global_norm([values])))
    return summaries


@export("contrib.training.create_train_op")
def create_train_op_with(total_loss, optimizer, global_step=_DEFAULT, update_ops=None, variables_to_train=None, transform_grads_fn=None, summarize_gradients=False,
                         gate_gradients=1, aggregation_method=None, colocate_gradients_with_ops=False, check_numerics=True):
    """A tensor that takes one training step when evaluated and returns the loss."""
    if global_step is _DEFAULT:
        global_step = get_or_create_global_step()
    all_updates = set(ops.get_collection(GraphKeys.UPDATE_OPS))
    update_ops = all_updates if update_ops is None else set(update_ops)
    if not all_updates.issubset(update_ops):
        logging.warning("update_ops in create_train_op does not contain all the update_ops in GraphKeys.UPDATE_OPS")
    if update_ops:
        with ops.control_dependencies(update_ops):
            barrier = no_op(name="update_barrier")
        total_loss = with_dependencies([barrier], total_loss)
    variables = trainable_variables() if variables_to_train is None else variables_to_train
    assert variables
    pairs = optimizer.compute_gradients(total_loss, variables, gate_gradients=gate_gradients, aggregation_method=aggregation_method,
                                        colocate_gradients_with_ops=colocate_gradients_with_ops)
    if transform_grads_fn:
        pairs = transform_grads_fn(pairs)
    if summarize_gradients:
        with ops.name_scope("summarize_grads"):
            add_gradients_summaries(pairs)
    updates = optimizer.apply_gradients(pairs, global_step=global_step)
    with ops.name_scope("train_op"):
        if check_numerics:
            total_loss = engine.check_numerics(total_loss, "LossTensor is inf or nan")
        train_op = with_dependencies([updates], total_loss)
    if not any(train_op is t for t in ops.get_collection_ref(GraphKeys.TRAIN_OP)):
        ops.add_to_collection(GraphKeys.TRAIN_OP, train_op)
    return train_op


@export("contrib.slim.learning.create_train_op")
def create_train_op(total_loss, optimizer, global_step=_DEFAULT, update_ops=None, variables_to_train=None, clip_gradient_norm=0, summarize_gradients=False, gate_gradients=1,
                    aggregation_method=None, colocate_gradients_with_ops=False, gradient_multipliers=None, check_numerics=True):
    """create_train_op_with() with gradient clipping and multipliers."""
    def transform(pairs):
        if gradient_multipliers:
            with ops.name_scope("multiply_grads"):
                pairs = multiply_gradients(pairs, gradient_multipliers)
        if clip_gradient_norm > 0:
            with ops.name_scope("clip_grads"):
                pairs = clip_gradient_norms(pairs, clip_gradient_norm)
        return pairs

    return create_train_op_with(total_loss, optimizer, global_step, update_ops, variables_to_train, transform, summarize_gradients, gate_gradients, aggregation_method,
                                colocate_gradients_with_ops, check_numerics)
