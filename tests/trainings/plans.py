"""Training plans: optimizer, learning rate, clipping, other parts of a step. One network is trained by several plans, each in a separate session."""

import tensorflow as tf

KINDS = ["GradientDescent", "Momentum", "Nesterov", "Adam", "Adagrad", "Adadelta", "RMSProp", "RMSProp centered", "Ftrl", "ProximalGradientDescent", "ProximalAdagrad",
         "AdagradDA", "by hand", "keras"]


class Plan:
    """The operations of a step and the plan's name."""

    def __init__(self, kind):
        self.kind = kind
        self.train = None    # the operations to run
        self.fetch = "train"
        self.ema = None


def _rate(draw, base, step, net):
    how = draw.pick([None, None, None, "exponential", "staircase", "piecewise", "polynomial", "inverse", "natural", "cosine", "restarts", "linear cosine", "tensor"])
    draw.note("rate %s" % how)
    if how is None:
        return base
    net.single = net.single or how not in ("piecewise", "inverse", "tensor")
    if how == "exponential":
        return tf.train.exponential_decay(base, step, 5, 0.8)
    if how == "staircase":
        return tf.train.exponential_decay(base, step, 4, 0.5, staircase=True)
    if how == "piecewise":
        return tf.train.piecewise_constant(step, [4, 9], [base, base / 2, base / 5])
    if how == "polynomial":
        return tf.train.polynomial_decay(base, step, 7, base / 10, power=draw.pick([1.0, 2.0]), cycle=draw.chance(0.5))
    if how == "inverse":
        return tf.train.inverse_time_decay(base, step, 3, 0.5, staircase=draw.chance(0.3))
    if how == "natural":
        return tf.train.natural_exp_decay(base, step, 10, 0.4)
    if how == "cosine":
        return tf.train.cosine_decay(base, step, 12, alpha=0.1)
    if how == "restarts":
        return tf.train.cosine_decay_restarts(base, step, 5)
    if how == "linear cosine":
        return tf.train.linear_cosine_decay(base, step, 15)
    return tf.constant(base) * 0.5


def optimizer(net, draw, kind, step, locking):
    t = tf.train
    if kind == "GradientDescent":
        return t.GradientDescentOptimizer(_rate(draw, draw.rounded(0.01, 0.2), step, net), use_locking=locking)
    if kind in ("Momentum", "Nesterov"):
        return t.MomentumOptimizer(_rate(draw, draw.rounded(0.005, 0.1), step, net), draw.pick([0.9, 0.5]), use_locking=locking, use_nesterov=kind == "Nesterov")
    if kind == "Adam":
        return t.AdamOptimizer(_rate(draw, draw.rounded(0.001, 0.05), step, net), beta1=draw.pick([0.9, 0.5]), beta2=draw.pick([0.999, 0.9]), epsilon=draw.pick([1e-8, 1e-3]),
                               use_locking=locking)
    if kind == "Adagrad":
        return t.AdagradOptimizer(_rate(draw, draw.rounded(0.01, 0.1), step, net), initial_accumulator_value=draw.pick([0.1, 1.0]), use_locking=locking)
    if kind == "Adadelta":
        return t.AdadeltaOptimizer(_rate(draw, draw.rounded(0.1, 1.0), step, net), rho=draw.pick([0.95, 0.8]), epsilon=draw.pick([1e-8, 1e-4]), use_locking=locking)
    if kind.startswith("RMSProp"):
        return t.RMSPropOptimizer(_rate(draw, draw.rounded(0.001, 0.02), step, net), decay=0.9, momentum=draw.pick([0.0, 0.5]), epsilon=draw.pick([1e-10, 1e-3]),
                                  centered=kind.endswith("centered"), use_locking=locking)
    if kind == "Ftrl":
        return t.FtrlOptimizer(_rate(draw, draw.rounded(0.01, 0.1), step, net), learning_rate_power=draw.pick([-0.5, -0.5, -0.7, 0.0]), initial_accumulator_value=draw.pick([0.1, 1.0]),
                               l1_regularization_strength=draw.pick([0.0, 0.01]), l2_regularization_strength=draw.pick([0.0, 0.01]),
                               l2_shrinkage_regularization_strength=draw.pick([0.0, 0.0, 0.05]), use_locking=locking)
    if kind == "ProximalGradientDescent":
        return t.ProximalGradientDescentOptimizer(_rate(draw, draw.rounded(0.01, 0.1), step, net), draw.pick([0.0, 0.01]), draw.pick([0.0, 0.01]), use_locking=locking)
    if kind == "ProximalAdagrad":
        return t.ProximalAdagradOptimizer(_rate(draw, draw.rounded(0.01, 0.1), step, net), 0.1, draw.pick([0.0, 0.01]), draw.pick([0.0, 0.01]), use_locking=locking)
    if kind == "AdagradDA":
        return t.AdagradDAOptimizer(_rate(draw, draw.rounded(0.01, 0.1), step, net), step, 0.1, draw.pick([0.0, 0.001]), draw.pick([0.0, 0.01]), use_locking=locking)
    raise ValueError(kind)


def _clipped(draw, pairs, how):
    draw.note("clip %s" % how)
    with_gradient = [(g, v) for g, v in pairs if g is not None]
    limit = draw.rounded(0.05, 1.0)
    if how == "value":
        # Sparse gradients keep their indices.
        def clip(g):
            return tf.IndexedSlices(tf.clip_by_value(g.values, -limit, limit), g.indices, g.dense_shape) if isinstance(g, tf.IndexedSlices) else tf.clip_by_value(g, -limit, limit)
        return [(clip(g), v) for g, v in with_gradient]
    if how == "norm":
        return [(tf.clip_by_norm(tf.convert_to_tensor(g), limit), v) for g, v in with_gradient]
    if how == "global norm":
        clipped, _ = tf.clip_by_global_norm([g for g, _ in with_gradient], limit)
        return list(zip(clipped, [v for _, v in with_gradient]))
    if how == "average norm":
        return [(tf.clip_by_average_norm(tf.convert_to_tensor(g), limit / 10), v) for g, v in with_gradient]
    if how == "contrib":
        return tf.contrib.training.clip_gradient_norms(with_gradient, limit)
    return pairs


def _by_hand(net, draw, loss, variables, step):
    """Trains with tf.gradients and assignments, without an optimizer."""
    how = draw.pick(["assign_sub", "assign", "momentum", "second order"])
    draw.note("by hand " + how)
    if how == "second order" and "embedding" in " ".join(net.used):
        how = "assign"
    rate = draw.rounded(0.01, 0.1)
    gradients = [g for g, _ in _shared(net, loss)]
    if how == "second order" and not any(k in " ".join(net.used) for k in ("loop", "_rnn", "recurrence", "keras ", "branches", "cond")):
        # A penalty on the gradient's size: the gradient of a gradient.
        norm = tf.add_n([tf.reduce_sum(tf.square(g)) for g in gradients if g is not None])
        gradients = tf.tuple(tf.gradients(loss + 0.01 * norm, variables), control_inputs=[loss])
    updates = []
    for g, v in zip(gradients, variables):
        if g is None:
            continue
        g = tf.convert_to_tensor(g)
        if how == "assign":
            updates.append(tf.assign(v, v - rate * g))
        elif how == "momentum":
            m = tf.Variable(tf.zeros(v.shape, v.dtype.base_dtype), trainable=False, name="velocity", use_resource=net.resource or None)
            velocity = tf.assign(m, 0.9 * m + g)
            updates.append(tf.assign_sub(v, rate * velocity))
        else:
            updates.append(tf.assign_sub(v, rate * g))
    with tf.control_dependencies(updates):
        return tf.assign_add(step, 1, name="count").op


def _keras(draw, loss, variables, step):
    kind = draw.pick(["SGD", "SGD nesterov", "Adam", "Adamax", "Nadam", "Adagrad", "Adadelta", "RMSprop"])
    draw.note("keras optimizer " + kind)
    k = tf.keras.optimizers
    clip = draw.pick([{}, {}, {"clipnorm": 0.5}, {"clipvalue": 0.1}])
    o = k.SGD(0.05, momentum=0.9, nesterov=True, **clip) if kind == "SGD nesterov" else getattr(k, kind)(draw.rounded(0.005, 0.05), **clip)
    updates = o.get_updates(loss, variables)
    with tf.control_dependencies(updates):
        return tf.assign_add(step, 1, name="count").op


def make(net, draw, kind, loss, index):
    plan = Plan(kind)
    if kind == "keras" and not net.resource:
        kind = plan.kind = "Adam"  # slots of Keras optimizers require resource variables
    if net.dtype != tf.float32 and kind.startswith("Proximal"):
        kind = plan.kind = "GradientDescent"  # TensorFlow's proximal optimizers have float32 rates only
    draw.note("optimizer " + kind)
    step = tf.train.get_or_create_global_step()
    variables = tf.trainable_variables()
    updates = list(tf.get_collection(tf.GraphKeys.UPDATE_OPS))
    with tf.variable_scope("plan%d" % index):
        if kind == "keras":
            plan.train = _keras(draw, loss, [v for g, v in _shared(net, loss) if g is not None], step)
        elif kind == "by hand":
            plan.train = _by_hand(net, draw, loss, variables, step)
        else:
            plan.train = _optimized(net, draw, kind, loss, step, updates)
            _shared(net, loss)  # so that later plans do not differentiate again
        if updates and draw.chance(0.4):
            draw.note("updates grouped")
            plan.train = tf.group(plan.train, *updates)
        if draw.chance(0.3):
            draw.note("moving averages of variables")
            plan.ema = tf.train.ExponentialMovingAverage(draw.pick([0.9, 0.99]), step if draw.chance(0.5) else None, zero_debias=draw.chance(0.2))
            with tf.control_dependencies([plan.train]):
                plan.train = plan.ema.apply(variables)
        early = index == 0 and not net.resource  # the loss may be read before or after the update of a reference
        plan.fetch = draw.pick(["train", "train", "train and step"] if early else ["train", "train", "loss and train", "train and step", "dependent loss"])
        draw.note("fetched: " + plan.fetch)
        if plan.fetch == "dependent loss":
            with tf.control_dependencies([plan.train]):
                plan.train = tf.identity(loss, name="loss_after")
        elif plan.fetch == "loss and train":
            plan.train = [loss, plan.train]
        elif plan.fetch == "train and step":
            plan.train = [plan.train, step]
    return plan


def _shared(net, loss):
    """Gradients that several plans apply."""
    if net.gradients is None:
        variables = tf.trainable_variables()
        with tf.name_scope("shared"), tf.control_dependencies(None):
            gradients = tf.gradients(loss, variables)
            # Compute all before applying one: otherwise the order of a variable's reads and updates is undefined, in TensorFlow too.
            net.gradients = list(zip(tf.tuple(gradients, control_inputs=[loss]), variables))
    return net.gradients


def _optimized(net, draw, kind, loss, step, updates):
    o = optimizer(net, draw, kind, step, draw.chance(0.2))
    how = draw.pick(["minimize", "minimize", "apply", "create_train_op", "averaged", "halves", "shared"]) if net.gradients is None else "shared"
    if kind == "AdagradDA" and how == "create_train_op":
        how = "minimize"
    draw.note("step by " + how)
    t = tf.train.Optimizer
    gate = draw.pick([t.GATE_OP, t.GATE_OP, t.GATE_GRAPH, t.GATE_NONE if net.resource else t.GATE_OP])  # without gating, reads of references are unordered
    aggregation = draw.pick([None, None, tf.AggregationMethod.EXPERIMENTAL_TREE, tf.AggregationMethod.ADD_N])
    colocate = draw.chance(0.2)
    # Gradients are built outside control dependencies: a loop's gradients with control inputs from outside never run, in TensorFlow too.
    if how == "create_train_op":
        return tf.contrib.slim.learning.create_train_op(loss, o, global_step=step, clip_gradient_norm=draw.pick([0, 1]), check_numerics=draw.chance(0.5), update_ops=[])
    if how == "minimize":
        return o.minimize(loss, global_step=step, gate_gradients=gate, aggregation_method=aggregation, colocate_gradients_with_ops=colocate)
    if how == "shared":
        pairs = _shared(net, loss)
    else:
        pairs = o.compute_gradients(loss, gate_gradients=gate, aggregation_method=aggregation, colocate_gradients_with_ops=colocate)
    if how == "averaged":
        # Two towers' gradients, averaged.
        second = o.compute_gradients(loss * 0.5)
        pairs = [(tf.reduce_mean(tf.stack([tf.convert_to_tensor(g), tf.convert_to_tensor(h)]), 0), v) for (g, v), (h, _) in zip(pairs, second) if g is not None]
    with tf.control_dependencies([loss.op] + (updates if draw.chance(0.7) else [])):  # the loss may read what is updated
        if how in ("apply", "shared"):
            pairs = _clipped(draw, pairs, draw.pick(["value", "norm", "global norm", "average norm" if net.dtype == tf.float32 else "norm", "contrib", None, None, None]))
        if how == "halves":
            half = (len(pairs) + 1) // 2
            first = o.apply_gradients([p for p in pairs[:half] if p[0] is not None] or [p for p in pairs if p[0] is not None][:1])
            rest = [p for p in pairs[half:] if p[0] is not None]
            with tf.control_dependencies([first]):
                return o.apply_gradients(rest, global_step=step) if rest else tf.group(first, tf.assign_add(step, 1))
        return o.apply_gradients(pairs, global_step=step)
