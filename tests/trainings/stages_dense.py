"""Stages from [batch, features] to [batch, features']."""

import tensorflow as tf

from draw import activation, plain_activation, width


def layers_dense(net, draw, x):
    n = draw.whole(1, 8)
    return tf.layers.dense(x, n, activation=plain_activation(draw), use_bias=draw.chance(0.8), kernel_initializer=net.initializer(draw, [width(x), n]),
                           kernel_regularizer=net.regularizer(draw), bias_regularizer=net.regularizer(draw) if draw.chance(0.2) else None,
                           kernel_constraint=tf.keras.constraints.MaxNorm(draw.rounded(0.5, 2)) if draw.chance(0.1) else None)


def keras_dense(net, draw, x):
    n = draw.whole(1, 8)
    layer = tf.keras.layers.Dense(n, activation=draw.pick([None, "relu", "tanh", "selu", "softsign", "linear"]), use_bias=draw.chance(0.8),
                                  kernel_initializer=draw.pick(["glorot_uniform", "he_normal", "lecun_uniform", "random_normal"]), kernel_regularizer=net.regularizer(draw),
                                  dtype=net.dtype)
    out = layer(x)
    net.added_losses += layer.losses
    return out


def raw_dense(net, draw, x):
    n = draw.whole(1, 8)
    w = net.variable(draw, "w", [width(x), n])
    if draw.chance(0.3):
        w2 = net.variable(draw, "w_t", [n, width(x)])
        w = 0.5 * (w + tf.transpose(w2)) if draw.chance(0.5) else w
        y = tf.matmul(x, w) + 0.5 * tf.matmul(x, w2, transpose_b=True)
    elif draw.chance(0.3):
        y = tf.tensordot(x, w, [[1], [0]]) if draw.chance(0.5) else tf.einsum("bi,ij->bj", x, w)
    else:
        y = tf.matmul(x, w)
    how = draw.pick(["add", "bias_add", "xw", None])
    draw.note("bias %s" % how)
    if how == "add":
        y = y + net.bias(draw, "b", n)
    elif how == "bias_add":
        y = tf.nn.bias_add(y, net.bias(draw, "b", n))
    elif how == "xw":
        y = tf.nn.xw_plus_b(x, w, net.bias(draw, "b", n))
    return activation(net, draw, y)


def contrib_dense(net, draw, x):
    n = draw.whole(1, 8)
    normalizer = tf.contrib.layers.batch_norm if draw.chance(0.3) and net.dtype == tf.float32 else None
    return tf.contrib.layers.fully_connected(x, n, activation_fn=plain_activation(draw), normalizer_fn=normalizer, weights_regularizer=net.regularizer(draw),
                                             weights_initializer=net.initializer(draw, [width(x), n]))


def reused(net, draw, x):
    """One set of weights applied twice or three times, by any of the ways to share it."""
    n = width(x)
    seed = draw.whole(1, 999)

    def once(x):
        w = tf.get_variable("w", [n, n], net.dtype, tf.random_normal_initializer(0.0, 0.3, seed))
        b = tf.get_variable("b", [n], net.dtype, tf.zeros_initializer())
        return tf.tanh(tf.matmul(x, w) + b)

    how = draw.pick(["AUTO_REUSE", "reuse_variables", "reuse=True", "template"])
    draw.note("reuse " + how)
    if how == "template":
        f = tf.make_template("shared", once)
        return f(f(x))
    if how == "AUTO_REUSE":
        for _ in range(draw.whole(2, 3)):
            with tf.variable_scope("shared", reuse=tf.AUTO_REUSE):
                x = once(x)
        return x
    with tf.variable_scope("shared") as scope:
        x = once(x)
        if how == "reuse_variables":
            scope.reuse_variables()
            return once(x)
    with tf.variable_scope("shared", reuse=True):
        return once(x)


def residual(net, draw, x):
    with tf.variable_scope("inner"):
        y = tf.layers.dense(x, width(x), plain_activation(draw), kernel_initializer=net.initializer(draw, [width(x), width(x)]))
    return x + y if draw.chance(0.6) else activation(net, draw, tf.add_n([x, y, 0.1 * x]))


def highway(net, draw, x):
    n = width(x)
    gate = tf.layers.dense(x, n, tf.nn.sigmoid, bias_initializer=tf.constant_initializer(-1.0), name="gate")
    h = tf.layers.dense(x, n, tf.nn.tanh, name="candidate")
    return gate * h + (1.0 - gate) * x


def dropout(net, draw, x):
    how = draw.pick(["nn", "nn keep", "layers", "layers fed", "keras", "noise shape", "cond"])
    draw.note("dropout " + how)
    rate, seed = draw.rounded(0.1, 0.6), draw.whole(1, 999) if draw.chance(0.6) else None
    if how == "nn":
        return tf.nn.dropout(x, rate=rate, seed=seed)
    if how == "nn keep":
        return tf.nn.dropout(x, keep_prob=1 - rate, seed=seed)
    if how == "noise shape":
        return tf.nn.dropout(x, rate=rate, noise_shape=[1] + x.shape.as_list()[1:], seed=seed)
    if how == "layers":
        return tf.layers.dropout(x, rate, seed=seed, training=True)
    if how == "layers fed":
        return tf.layers.dropout(x, rate, seed=seed, training=net.is_training())
    if how == "keras":
        return tf.keras.layers.Dropout(rate, seed=seed)(x, training=True)
    return tf.cond(net.is_training(), lambda: tf.nn.dropout(x, rate=rate, seed=seed), lambda: x)


def batch_norm(net, draw, x):
    how = draw.pick(["layers", "layers fed", "keras", "contrib", "contrib fed", "hand", "hand", "nn"])
    if net.dtype != tf.float32 and (how.startswith("contrib") or x.shape.ndims == 4) and how not in ("hand", "nn"):
        how = "hand"  # the fused op supports only float32
    draw.note("batch norm %s of rank %d" % (how, x.shape.ndims))
    momentum = draw.pick([0.9, 0.5, 0.99])
    if how == "layers":
        return tf.layers.batch_normalization(x, momentum=momentum, training=True, center=draw.chance(0.8), scale=draw.chance(0.8), renorm=draw.chance(0.15))
    if how == "layers fed":
        return tf.layers.batch_normalization(x, momentum=momentum, training=net.is_training(), fused=draw.pick([None, False]))
    if how == "keras":
        layer = tf.keras.layers.BatchNormalization(momentum=momentum, dtype=net.dtype)
        y = layer(x, training=True)
        for update in layer.updates:
            tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, update)
        return y
    if how == "contrib":
        updates = {} if draw.chance(0.5) else {"updates_collections": None}
        return tf.contrib.layers.batch_norm(x, decay=momentum, scale=draw.chance(0.5), is_training=True, **updates)
    if how == "contrib fed":
        updates = {} if draw.chance(0.5) else {"updates_collections": None}
        return tf.contrib.layers.batch_norm(x, decay=momentum, is_training=net.is_training(), zero_debias_moving_mean=draw.chance(0.2), **updates)
    n = width(x)
    beta = tf.get_variable("beta", [n], net.dtype, tf.zeros_initializer())
    gamma = tf.get_variable("gamma", [n], net.dtype, tf.ones_initializer())
    mean, variance = tf.nn.moments(x, list(range(x.shape.ndims - 1)), name="moments")
    if how == "nn":
        return tf.nn.batch_normalization(x, mean, variance, beta, gamma, 1e-3)
    ema = tf.train.ExponentialMovingAverage(decay=momentum)

    def with_update():
        op = ema.apply([mean, variance])
        with tf.control_dependencies([op]):
            return tf.identity(mean), tf.identity(variance)

    mean, variance = tf.cond(net.is_training(), with_update, lambda: (ema.average(mean), ema.average(variance)))
    return tf.nn.batch_normalization(x, mean, variance, beta, gamma, 1e-3)


def layer_norm(net, draw, x):
    if draw.chance(0.5):
        return tf.contrib.layers.layer_norm(x)
    mean, variance = tf.nn.moments(x, [-1], keep_dims=True)
    scale = tf.get_variable("scale", [width(x)], net.dtype, tf.ones_initializer())
    return (x - mean) * tf.rsqrt(variance + 1e-2) * scale


def branches(net, draw, x):
    """tf.cond or tf.case depending on the data, each branch with its own weights."""
    n = draw.whole(2, 6)
    w = tf.get_variable("w_true", [width(x), n], net.dtype, net.initializer(draw, [width(x), n]))
    v = tf.get_variable("w_false", [width(x), n], net.dtype, net.initializer(draw, [width(x), n]))
    how = draw.pick(["cond", "case", "step", "nested", "where"])
    draw.note("branches " + how)
    positive = tf.reduce_mean(x) > 0.0
    if how == "cond":
        return tf.cond(positive, lambda: tf.tanh(tf.matmul(x, w)), lambda: tf.matmul(x, v))
    if how == "case":
        return tf.case([(positive, lambda: tf.matmul(x, w)), (tf.reduce_max(x) < 0.5, lambda: tf.nn.relu(tf.matmul(x, v)))], default=lambda: tf.matmul(x, w + v), exclusive=False)
    if how == "step":
        step = tf.train.get_or_create_global_step()
        return tf.cond(tf.equal(tf.mod(step, 2), 0), lambda: tf.matmul(x, w), lambda: tf.matmul(x, w) + tf.matmul(x, v))
    if how == "nested":
        inner = lambda: tf.cond(tf.reduce_sum(x) > 1.0, lambda: tf.matmul(x, w), lambda: 2.0 * tf.matmul(x, w))
        return tf.cond(positive, inner, lambda: tf.matmul(x, v))
    return tf.where(tf.matmul(x, w) > tf.matmul(x, v), tf.matmul(x, w), 0.5 * tf.matmul(x, v))


def loop(net, draw, x):
    """A loop that applies weights again and again."""
    n = width(x)
    w = tf.get_variable("w", [n, n], net.dtype, tf.random_normal_initializer(0.0, 0.3, draw.whole(1, 999)))
    how = draw.pick(["while", "while", "data", "scan", "foldl", "map_fn", "array", "norm"])
    draw.note("loop " + how)
    turns = draw.whole(1, 4)
    parallel = draw.pick([1, 10])
    if how == "while":
        body = lambda i, h: (i + 1, tf.tanh(tf.matmul(h, w)) + 0.1 * x)
        return tf.while_loop(lambda i, h: i < turns, body, [tf.constant(0), x], parallel_iterations=parallel, swap_memory=draw.chance(0.2))[1]
    if how == "data":
        limit = tf.cast(tf.reduce_sum(tf.cast(x > 0, tf.int32)), tf.int32) % 4
        return tf.while_loop(lambda i, h: i < limit, lambda i, h: [i + 1, 0.5 * h + tf.nn.elu(tf.matmul(h, w))], [0, x], parallel_iterations=parallel)[1]
    if how == "norm":
        body = lambda h: tf.matmul(h, w) * 0.4
        return x + tf.while_loop(lambda h: tf.reduce_sum(tf.square(h)) > 0.05, body, [x], maximum_iterations=draw.pick([4, 9]))
    if how == "scan":
        return tf.scan(lambda a, row: tf.tanh(tf.matmul(a, w) + tf.reshape(row, [1, n])), x, initializer=tf.zeros([1, n], net.dtype), parallel_iterations=parallel)[:, 0, :]
    if how == "foldl":
        return x * tf.foldl(lambda a, row: a * 0.5 + tf.reduce_sum(w * row), x, initializer=tf.constant(0.1, net.dtype))
    if how == "map_fn":
        return tf.map_fn(lambda row: tf.squeeze(tf.matmul(tf.expand_dims(row, 0), w), 0) + row, x, parallel_iterations=parallel)
    rows = tf.TensorArray(net.dtype, size=turns, clear_after_read=draw.pick([None, False]))

    def body(i, h, rows):
        h = tf.sigmoid(tf.matmul(h, w)) - 0.1
        return i + 1, h, rows.write(i, h)

    rows = tf.while_loop(lambda i, h, rows: i < turns, body, (0, x, rows), parallel_iterations=parallel)[2]
    return tf.reduce_mean(rows.stack(), 0)


def shuffled(net, draw, x):
    """Shape ops between layers."""
    how = draw.pick(["split", "stack", "slice", "gather", "reverse", "pad", "tile", "strided", "reshape", "one", "transpose", "square form", "cumsum", "top_k", "gather_nd", "segment"])
    draw.note("shapes " + how)
    n = width(x)
    if how == "split":
        k = draw.whole(1, max(1, n - 1))
        a, b = tf.split(x, [k, n - k], 1)
        return tf.concat([b, a * 2.0, b], 1) if n > k else x
    if how == "stack":
        return tf.reduce_sum(tf.stack([x, tf.square(x), tf.sin(x)], 2), 2)
    if how == "slice":
        return tf.slice(x, [0, 0], [-1, max(1, n - 1)])
    if how == "gather":
        return tf.gather(x, [draw.whole(0, n - 1) for _ in range(4)], axis=1)
    if how == "reverse":
        return x + tf.reverse(x, [1])
    if how == "pad":
        return tf.pad(x, [[0, 0], [1, 1]], draw.pick(["CONSTANT", "REFLECT", "SYMMETRIC"]) if n > 1 else "CONSTANT")
    if how == "tile":
        return tf.tile(x, [1, 2])
    if how == "strided":
        return tf.concat([x[:, ::2], x[:, :1], x[:, -1:]], -1)
    if how == "reshape":
        return tf.reshape(tf.expand_dims(x, 1) * tf.constant([[[1.0], [0.5]]], net.dtype), [-1, 2 * n])
    if how == "one":
        return tf.expand_dims(tf.reduce_mean(x, 1), 1) * tf.ones([1, 3], net.dtype)
    if how == "transpose":
        return tf.transpose(tf.transpose(x) * 0.5 + tf.cast(tf.reshape(tf.range(n), [n, 1]), net.dtype) * 0.1)
    if how == "square form":
        return tf.reduce_sum(tf.matmul(tf.expand_dims(x, 2), tf.expand_dims(x, 1)), 2)
    if how == "cumsum":
        return tf.cumsum(x, 1, exclusive=draw.chance(0.5), reverse=draw.chance(0.5))
    if how == "top_k":
        return tf.nn.top_k(x, max(1, n // 2)).values
    if how == "gather_nd":
        return x * tf.gather_nd(x, [[0, n - 1]])
    y = tf.transpose(tf.segment_sum(tf.transpose(x), [i // 2 for i in range(n)]))
    y.set_shape([None, (n + 1) // 2])
    return y


def stopped(net, draw, x):
    """Features of which a part has no gradient or a custom one."""
    how = draw.pick(["stop", "straight", "custom", "identity"])
    draw.note("gradient " + how)
    if how == "stop":
        return x + tf.stop_gradient(tf.tanh(x))
    if how == "straight":
        return x + tf.stop_gradient(tf.round(x * 4.0) / 4.0 - x)
    if how == "identity":
        with tf.control_dependencies([tf.reduce_sum(x)]):
            return tf.identity(x)

    @tf.custom_gradient
    def halved(v):
        return v * 1.0, lambda g: 0.5 * g

    return halved(x)


def mixture(net, draw, x):
    n = draw.whole(2, 5)
    experts = [tf.layers.dense(x, n, plain_activation(draw), name="expert%d" % i) for i in range(draw.whole(2, 3))]
    gates = tf.nn.softmax(tf.layers.dense(x, len(experts), name="gates"))
    if draw.chance(0.5):
        return tf.add_n([e * gates[:, i:i + 1] for i, e in enumerate(experts)])
    return tf.einsum("bke,bk->be", tf.stack(experts, 1), gates)


def factorized(net, draw, x):
    """Linear algebra with gradients."""
    n = width(x)
    how = draw.pick(["solve", "bilinear", "norm", "cosine", "cholesky", "matvec"])
    draw.note("algebra " + how)
    w = tf.get_variable("m", [n, n], net.dtype, tf.random_normal_initializer(0.0, 0.2, 7))
    if how == "bilinear":
        return tf.reduce_sum(tf.matmul(x, w) * x, 1, keepdims=True) + x
    if how == "norm":
        return tf.nn.l2_normalize(tf.matmul(x, w), 1, epsilon=0.01)
    if how == "cosine":
        return tf.matmul(tf.nn.l2_normalize(x, 1, epsilon=0.01), tf.nn.l2_normalize(w, 0, epsilon=0.01))
    if how == "matvec":
        return x * tf.reshape(tf.matmul(w, tf.ones([n, 1], net.dtype)), [n])
    spd = tf.matmul(w, w, transpose_b=True) + tf.eye(n, dtype=net.dtype)
    if how == "solve":
        return tf.transpose(tf.matrix_solve(spd, tf.transpose(x)))
    return tf.matmul(x, tf.cholesky(spd))


STAGES = [layers_dense, layers_dense, keras_dense, raw_dense, raw_dense, contrib_dense, reused, residual, highway, dropout, dropout, batch_norm, batch_norm, layer_norm, branches,
          loop, loop, shuffled, shuffled, stopped, mixture, factorized]
