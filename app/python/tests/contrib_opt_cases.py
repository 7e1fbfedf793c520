"""Cases of contrib_graphs_test.py: the optimizers of tf.contrib.opt, with dense and sparse gradients, on variables of both kinds."""

import numpy as np
import tensorflow as tf

from contrib_case_tools import case

opt = tf.contrib.opt


def _variables(resource):
    with tf.variable_scope("net", use_resource=resource):
        return (tf.get_variable("table", initializer=tf.constant(np.linspace(-1, 1, 12).reshape(4, 3), tf.float32)),
                tf.get_variable("bias", initializer=tf.constant([0.5, -0.25, 0.125])))


def _loss(table, bias, sparse, linear=False):
    """linear: gradients do not read the variables, which weights that decay at the same time would change."""
    rows = tf.gather(table, [2, 0, 2]) if sparse else table
    return tf.reduce_sum(0.7 * rows - 0.2 * bias if linear else tf.square(rows + bias - 0.3))


def _step(make, linear, resource=False, sparse=False):
    """Three steps of an optimizer; the variables after each."""
    def build():
        step = tf.train.get_or_create_global_step()
        table, bias = _variables(resource)
        trained = make(step).minimize(_loss(table, bias, sparse, linear), global_step=step)
        with tf.control_dependencies([trained]):
            return [table.read_value(), bias.read_value()]

    return build


def _optimizer(name, make, sparse=True, resource=True, linear=False):
    for kind, uses in (("", {}), ("_sparse", dict(sparse=True)), ("_resource", dict(resource=True)), ("_sparse_resource", dict(sparse=True, resource=True))):
        if (sparse or "sparse" not in uses) and (resource or uses != dict(sparse=True, resource=True)):
            build = _step(make, linear, **uses)
            build.__name__ = "opt_" + name + kind
            case(runs=3, fill=False)(build)


_optimizer("adamax", lambda step: opt.AdaMaxOptimizer(0.1))
_optimizer("nadam", lambda step: opt.NadamOptimizer(0.1))
_optimizer("adam_gs", lambda step: opt.AdamGSOptimizer(step, 0.1))
_optimizer("lazy_adam", lambda step: opt.LazyAdamOptimizer(0.1))
_optimizer("lazy_adam_gs", lambda step: opt.LazyAdamGSOptimizer(step, 0.1))
_optimizer("adam_w", lambda step: opt.AdamWOptimizer(0.01, 0.1), linear=True)
_optimizer("momentum_w", lambda step: opt.MomentumWOptimizer(0.01, 0.1, 0.9, use_nesterov=True), linear=True)
_optimizer("extended", lambda step: opt.extend_with_decoupled_weight_decay(tf.train.AdagradOptimizer)(0.01, learning_rate=0.1), linear=True)
_optimizer("add_sign", lambda step: opt.AddSignOptimizer(0.1), resource=False)
_optimizer("power_sign", lambda step: opt.PowerSignOptimizer(0.1), resource=False)
_optimizer("lars", lambda step: opt.LARSOptimizer(0.5, skip_list=["bias"]))
_optimizer("reg_adagrad", lambda step: opt.RegAdagradOptimizer(0.1))
_optimizer("shampoo", lambda step: opt.ShampooOptimizer(step, learning_rate=0.1), sparse=False)


@case(runs=3, fill=False)
def opt_decay_var_list():
    table, bias = _variables(False)
    trained = opt.AdamWOptimizer(0.1, 0.1).minimize(_loss(table, bias, False, linear=True), decay_var_list=[table])
    with tf.control_dependencies([trained]):
        return [table.read_value(), bias.read_value()]


@case(runs=3, fill=False)
def opt_sign_decays():
    from tensorflow.contrib.opt.python.training import sign_decay

    steps = tf.constant([0.0, 3.0, 5.0, 9.0, 20.0])
    return [tf.stack([decay(s) for s in tf.unstack(steps)]) for decay in (sign_decay.get_linear_decay_fn(10), sign_decay.get_cosine_decay_fn(10, zero_after=0.4), sign_decay.get_restart_decay_fn(10, 2))]


@case(runs=3, fill=False)
def opt_avoid_updating_slots():
    table, bias = _variables(False)
    optimizer = opt.RegAdagradOptimizer(0.5)
    loss = optimizer.minimize(_loss(table, bias, False, linear=True))
    with optimizer.avoid_updating_slots():
        regular = optimizer.minimize(tf.reduce_sum(3.0 * table))
    with tf.control_dependencies([loss, regular]):
        return [optimizer.get_slot(table, "accumulator").read_value()]


@case(runs=3, fill=False)
def opt_moving_average():
    table, bias = _variables(False)
    optimizer = opt.MovingAverageOptimizer(tf.train.GradientDescentOptimizer(0.1), average_decay=0.5)
    trained = optimizer.minimize(_loss(table, bias, False))
    optimizer.swapping_saver()
    with tf.control_dependencies([trained]):
        return [v.read_value() for v in tf.global_variables()]


@case(runs=3, fill=False)
def opt_variable_clipping():
    table, bias = _variables(False)
    optimizer = opt.VariableClippingOptimizer(tf.train.GradientDescentOptimizer(0.1), {table: [1]}, 0.5)
    with tf.control_dependencies([optimizer.minimize(_loss(table, bias, False))]):
        return [table.read_value(), bias.read_value()]


@case(runs=3, fill=False)
def opt_variable_clipping_sparse():
    table, bias = _variables(False)
    optimizer = opt.VariableClippingOptimizer(tf.train.GradientDescentOptimizer(0.1), {table: [1]}, 0.5, colocate_clip_ops_with_vars=True)
    with tf.control_dependencies([optimizer.minimize(_loss(table, bias, True))]):
        return [table.read_value(), bias.read_value()]


@case(runs=3, fill=False)
def opt_multitask():
    table, bias = _variables(False)
    wrapped = opt.MultitaskOptimizerWrapper(tf.train.MomentumOptimizer(0.1, 0.9))
    step = tf.get_variable("turn", initializer=0.0)
    gradients = [(tf.zeros_like(table), table), (tf.ones_like(bias) * step, bias)]
    clipped, norm = opt.clip_gradients_by_global_norm(gradients, 1.0)
    with tf.control_dependencies([wrapped.apply_gradients(clipped)]):
        with tf.control_dependencies([table.read_value(), bias.read_value(), step.assign_add(1.0)]):
            return [table.read_value(), bias.read_value(), tf.identity(norm)]


@case(runs=2, fill=False)
def opt_drop_stale():
    step = tf.train.get_or_create_global_step()
    table, bias = _variables(False)
    optimizer = opt.DropStaleGradientOptimizer(tf.train.GradientDescentOptimizer(0.1), staleness=1)
    with tf.control_dependencies([optimizer.minimize(_loss(table, bias, False), global_step=step)]):
        return [table.read_value(), step.read_value()]


@case(runs=3, fill=False)
def opt_shampoo_intervals():
    step = tf.train.get_or_create_global_step()
    table, bias = _variables(False)
    optimizer = opt.ShampooOptimizer(step, max_matrix_size=3, svd_interval=2, precond_update_interval=2, gbar_decay=0.5, gbar_weight=0.5, learning_rate=0.1)
    with tf.control_dependencies([optimizer.minimize(_loss(table, bias, False), global_step=step)]):
        return [table.read_value(), bias.read_value()]


@case(runs=2, fill=False)
def opt_shampoo_roots():
    step = tf.train.get_or_create_global_step()
    table, bias = _variables(False)
    optimizer = opt.ShampooOptimizer(step, use_iterative_root=True, learning_rate=0.1)
    with tf.control_dependencies([optimizer.minimize(_loss(table, bias, False), global_step=step)]):
        return [table.read_value()]


@case(runs=3, fill=False, names=False)
def opt_ggt():
    table, bias = _variables(False)
    with tf.control_dependencies([opt.GGTOptimizer(0.1, window=3, svd_eps=0.1).minimize(_loss(table, bias, False))]):
        return [table.read_value(), bias.read_value()]


@case(runs=4, fill=False)
def opt_elastic_average():
    getter = opt.ElasticAverageCustomGetter("/job:localhost/task:0")
    step = tf.train.get_or_create_global_step()
    with tf.variable_scope("", custom_getter=getter):
        table, bias = _variables(False)
    optimizer = opt.ElasticAverageOptimizer(tf.train.MomentumOptimizer(0.1, 0.9), 2, getter, communication_period=2)
    trained = optimizer.minimize(_loss(table, bias, False), global_step=step)
    optimizer.get_init_op(0)
    with tf.control_dependencies([trained]):
        return [getter._global_map[table].read_value(), table.read_value(), step.read_value()]


@case(runs=4, fill=False)
def opt_accumulated_gradients():
    getter = opt.AGNCustomGetter("/job:localhost/task:0")
    step = tf.train.get_or_create_global_step()
    with tf.variable_scope("", custom_getter=getter):
        table, bias = _variables(False)
    optimizer = opt.AGNOptimizer(tf.train.AdamOptimizer(0.1), 1, getter, communication_period=2)
    trained = optimizer.minimize(_loss(table, bias, False), global_step=step)
    optimizer.get_init_op(0)
    with tf.control_dependencies([trained]):
        return [getter._global_map[table].read_value(), table.read_value(), step.read_value()]


@case(runs=4, fill=False)
def opt_model_average():
    getter = opt.ModelAverageCustomGetter("/job:localhost/task:0")
    step = tf.train.get_or_create_global_step()
    with tf.variable_scope("", custom_getter=getter):
        table, bias = _variables(False)
    optimizer = opt.ModelAverageOptimizer(tf.train.GradientDescentOptimizer(0.1), 1, True, getter, interval_steps=2)
    trained = optimizer.minimize(_loss(table, bias, False), global_step=step)
    optimizer.get_init_op()
    with tf.control_dependencies([trained]):
        return [getter._local_2_global[table].read_value(), table.read_value(), step.read_value()]
