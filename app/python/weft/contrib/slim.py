"""tf.contrib.slim: training steps and the loop that runs them."""

import time

import tensorflow as tf

from .. import errors, ops, settings
from ..control_flow import with_dependencies
from ..exports import export
from ..ops import GraphKeys, IndexedSlices
from ..platform import tf_logging as logging

_DEFAULT = object()


@export("contrib.slim.learning.clip_gradient_norms", "contrib.training.clip_gradient_norms")
def clip_gradient_norms(gradients_to_variables, max_norm):
    """Each gradient by itself brought to a length of at most `max_norm`."""
    out = []
    for gradient, variable in gradients_to_variables:
        if isinstance(gradient, IndexedSlices):
            gradient = IndexedSlices(tf.clip_by_norm(gradient.values, max_norm), gradient.indices, gradient.dense_shape)
        elif gradient is not None:
            gradient = tf.clip_by_norm(gradient, max_norm)
        out.append((gradient, variable))
    return out


@export("contrib.slim.learning.multiply_gradients", "contrib.training.multiply_gradients")
def multiply_gradients(grads_and_vars, gradient_multipliers):
    """Gradients of the variables named, times a number."""
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
                factor = tf.constant(factor, dtype=gradient.dtype)
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
        summaries.append(tf.summary.histogram(variable.op.name + "_gradient", values))
        summaries.append(tf.summary.scalar(variable.op.name + "_gradient_norm", tf.global_norm([values])))
    return summaries


@export("contrib.training.create_train_op")
def create_train_op_with(total_loss, optimizer, global_step=_DEFAULT, update_ops=None, variables_to_train=None, transform_grads_fn=None, summarize_gradients=False,
                         gate_gradients=1, aggregation_method=None, colocate_gradients_with_ops=False, check_numerics=True):
    """A tensor with the loss, which has taken a step when it is computed."""
    if global_step is _DEFAULT:
        global_step = tf.train.get_or_create_global_step()
    all_updates = set(ops.get_collection(GraphKeys.UPDATE_OPS))
    update_ops = all_updates if update_ops is None else set(update_ops)
    if not all_updates.issubset(update_ops):
        logging.warning("update_ops in create_train_op does not contain all the update_ops in GraphKeys.UPDATE_OPS")
    if update_ops:
        with tf.control_dependencies(update_ops):
            barrier = tf.no_op(name="update_barrier")
        total_loss = with_dependencies([barrier], total_loss)
    variables = tf.trainable_variables() if variables_to_train is None else variables_to_train
    assert variables
    pairs = optimizer.compute_gradients(total_loss, variables, gate_gradients=gate_gradients, aggregation_method=aggregation_method,
                                        colocate_gradients_with_ops=colocate_gradients_with_ops)
    if transform_grads_fn:
        pairs = transform_grads_fn(pairs)
    if summarize_gradients:
        with tf.name_scope("summarize_grads"):
            add_gradients_summaries(pairs)
    updates = optimizer.apply_gradients(pairs, global_step=global_step)
    with tf.name_scope("train_op"):
        if check_numerics:
            total_loss = tf.check_numerics(total_loss, "LossTensor is inf or nan")
        train_op = with_dependencies([updates], total_loss)
    if not any(train_op is t for t in ops.get_collection_ref(GraphKeys.TRAIN_OP)):
        ops.add_to_collection(GraphKeys.TRAIN_OP, train_op)
    return train_op


@export("contrib.slim.learning.create_train_op")
def create_train_op(total_loss, optimizer, global_step=_DEFAULT, update_ops=None, variables_to_train=None, clip_gradient_norm=0, summarize_gradients=False, gate_gradients=1,
                    aggregation_method=None, colocate_gradients_with_ops=False, gradient_multipliers=None, check_numerics=True):
    """A training step with clipping and factors of gradients."""
    def transform(pairs):
        if gradient_multipliers:
            with tf.name_scope("multiply_grads"):
                pairs = multiply_gradients(pairs, gradient_multipliers)
        if clip_gradient_norm > 0:
            with tf.name_scope("clip_grads"):
                pairs = clip_gradient_norms(pairs, clip_gradient_norm)
        return pairs

    return create_train_op_with(total_loss, optimizer, global_step, update_ops, variables_to_train, transform, summarize_gradients, gate_gradients, aggregation_method,
                                colocate_gradients_with_ops, check_numerics)


@export("contrib.slim.learning.train_step")
def train_step(sess, train_op, global_step, train_step_kwargs):
    """One step of train(): (loss, whether to stop)."""
    begin = time.time()
    loss, step = sess.run([train_op, global_step])
    took = time.time() - begin
    if "should_log" in train_step_kwargs and sess.run(train_step_kwargs["should_log"]):
        logging.info("global step %d: loss = %.4f (%.3f sec/step)", step, loss, took)
    return loss, sess.run(train_step_kwargs["should_stop"]) if "should_stop" in train_step_kwargs else False


@export("contrib.slim.learning.train")
def train(train_op, logdir, train_step_fn=train_step, train_step_kwargs=_DEFAULT, log_every_n_steps=1, graph=None, master="", is_chief=True, global_step=None,
          number_of_steps=None, init_op=_DEFAULT, init_feed_dict=None, local_init_op=_DEFAULT, init_fn=None, ready_op=_DEFAULT, summary_op=_DEFAULT, save_summaries_secs=600,
          summary_writer=_DEFAULT, startup_delay_steps=0, saver=None, save_interval_secs=600, sync_optimizer=None, session_config=None, session_wrapper=None,
          trace_every_n_steps=None, ignore_live_threads=False):
    """Runs training steps until it is time to stop; returns the last loss."""
    if train_op is None:
        raise ValueError("train_op cannot be None.")
    if sync_optimizer is not None:
        raise NotImplementedError("slim.learning.train: sync_optimizer is not supported; a MonitoredTrainingSession with the optimizer's hook trains synchronously")
    settings.unused("slim.learning.train", "only other tasks of a cluster would begin later", startup_delay_steps=(startup_delay_steps, 0))
    if logdir is None:
        if summary_op is not _DEFAULT:
            raise ValueError("Cannot provide summary_op because logdir=None")
        if saver is not None:
            raise ValueError("Cannot provide saver because logdir=None")
        if trace_every_n_steps is not None:
            raise ValueError("Cannot provide trace_every_n_steps because logdir=None")
    if number_of_steps is not None and number_of_steps <= 0:
        raise ValueError("`number_of_steps` must be either None or a positive number.")
    graph = graph or tf.get_default_graph()
    with graph.as_default():
        if global_step is None:
            global_step = tf.train.get_or_create_global_step()
        saver = saver or tf.train.Saver()
        with tf.name_scope("init_ops"):
            if init_op is _DEFAULT:
                init_op = tf.global_variables_initializer()
            if ready_op is _DEFAULT:
                ready_op = tf.report_uninitialized_variables()
            if local_init_op is _DEFAULT:
                local_init_op = tf.group(tf.local_variables_initializer(), tf.tables_initializer())
        if summary_op is _DEFAULT:
            summary_op = tf.summary.merge_all()
        if summary_writer is _DEFAULT:
            summary_writer = tf.train.Supervisor.USE_DEFAULT
        if train_step_kwargs is _DEFAULT:
            with tf.name_scope("train_step"):
                train_step_kwargs = {"should_stop": tf.greater_equal(global_step, number_of_steps) if number_of_steps else tf.constant(False)}
                if log_every_n_steps > 0:
                    train_step_kwargs["should_log"] = tf.equal(tf.mod(global_step, log_every_n_steps), 0)
    sv = tf.train.Supervisor(graph=graph, is_chief=is_chief, logdir=logdir, init_op=init_op, init_feed_dict=init_feed_dict, local_init_op=local_init_op, ready_op=ready_op,
                             summary_op=summary_op, summary_writer=summary_writer, global_step=global_step, saver=saver, save_summaries_secs=save_summaries_secs,
                             save_model_secs=save_interval_secs, init_fn=init_fn)
    loss = None
    with sv.managed_session(master, start_standard_services=False, config=session_config) as sess:
        logging.info("Starting Session.")
        if session_wrapper is not None:
            sess = session_wrapper(sess)
        if is_chief and logdir:
            sv.start_standard_services(sess)
        threads = sv.start_queue_runners(sess)
        logging.info("Starting Queues.")
        try:
            while not sv.should_stop():
                loss, stop = train_step_fn(sess, train_op, global_step, train_step_kwargs)
                if stop:
                    logging.info("Stopping Training.")
                    sv.request_stop()
                    break
        except errors.OutOfRangeError as e:
            logging.info("Caught OutOfRangeError. Stopping Training. %s", e)
        if logdir and sv.is_chief:
            logging.info("Finished training! Saving model to disk.")
            sv.saver.save(sess, sv.save_path, global_step=sv.global_step)
            sv.stop(threads, close_summary_writer=True, ignore_live_threads=ignore_live_threads)
    return loss


@export("contrib.slim.model_analyzer.analyze_vars")
def analyze_vars(variables, print_info=False):
    """(Sum of sizes, sum of bytes) of variables; prints a table of them if asked for."""
    size = total = 0
    for v in variables:
        n = v.get_shape().num_elements() or 0
        size += n
        total += n * v.dtype.size
        if print_info:
            print(v.name, n, v.get_shape(), v.dtype.name)
    return size, total
