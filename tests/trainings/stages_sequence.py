"""Stages of sequences [batch, time, features], and stages that reduce sequences to vectors."""

import tensorflow as tf

from draw import plain_activation, width


def _cell(net, draw, n, depth):
    kind = draw.pick(["rnn", "basic lstm", "lstm", "peephole", "projection", "gru", "layer norm"])
    if kind == "layer norm" and net.dtype != tf.float32:
        kind = "gru"
    draw.note("cell " + kind)
    if kind == "rnn":
        cell = tf.nn.rnn_cell.BasicRNNCell(n)
    elif kind == "basic lstm":
        cell = tf.nn.rnn_cell.BasicLSTMCell(n, forget_bias=draw.pick([1.0, 0.0]), state_is_tuple=True)
    elif kind == "lstm":
        cell = tf.nn.rnn_cell.LSTMCell(n, initializer=tf.glorot_uniform_initializer(draw.whole(1, 99)), cell_clip=draw.pick([None, 1.0]))
    elif kind == "peephole":
        cell = tf.nn.rnn_cell.LSTMCell(n, use_peepholes=True)
    elif kind == "projection":
        cell = tf.nn.rnn_cell.LSTMCell(n + 1, num_proj=n, proj_clip=draw.pick([None, 0.8]))
    elif kind == "layer norm":
        cell = tf.contrib.rnn.LayerNormBasicLSTMCell(n)
    else:
        cell = tf.nn.rnn_cell.GRUCell(n, activation=draw.pick([None, tf.nn.relu]))
    wrapper = draw.pick([None, None, None, "dropout", "residual"])
    if wrapper == "dropout":
        cell = tf.nn.rnn_cell.DropoutWrapper(cell, input_keep_prob=draw.pick([1.0, 0.7]), output_keep_prob=0.8, state_keep_prob=draw.pick([1.0, 0.9]), seed=draw.whole(1, 99))
    elif wrapper == "residual" and depth == n:
        cell = tf.nn.rnn_cell.ResidualWrapper(cell)
    if wrapper:
        draw.note("cell wrapper " + wrapper)
    return cell


def _cells(net, draw, x):
    n = draw.whole(2, 4)
    if draw.chance(0.12):
        draw.note("stacked cells")
        return tf.nn.rnn_cell.MultiRNNCell([_cell(net, draw, n, width(x)), _cell(net, draw, n, n)])
    return _cell(net, draw, n, width(x))


def dynamic(net, draw, x):
    lengths = net.lengths if draw.chance(0.6) else None
    draw.note("dynamic_rnn" + (" with lengths" if lengths is not None else ""))
    if draw.chance(0.15):
        draw.note("dynamic_rnn time major")
        out = tf.nn.dynamic_rnn(_cells(net, draw, x), tf.transpose(x, [1, 0, 2]), lengths, dtype=net.dtype, time_major=True)[0]
        return tf.transpose(out, [1, 0, 2])
    out, state = tf.nn.dynamic_rnn(_cells(net, draw, x), x, lengths, dtype=net.dtype, parallel_iterations=draw.pick([None, 1]), swap_memory=draw.chance(0.2))
    if draw.chance(0.2):
        last = tf.contrib.framework.nest.flatten(state)[-1]
        return out + 0.1 * tf.expand_dims(last, 1) if last.shape.as_list()[-1] == width(out) else out
    return out


def static(net, draw, x):
    draw.note("static_rnn")
    lengths = net.lengths if draw.chance(0.4) else None
    out, _ = tf.nn.static_rnn(_cells(net, draw, x), tf.unstack(x, axis=1), dtype=net.dtype, sequence_length=lengths)
    return tf.stack(out, 1)


def bidirectional(net, draw, x):
    n = draw.whole(2, 3)
    forward, backward = _cell(net, draw, n, width(x)), _cell(net, draw, n, width(x))
    if draw.chance(0.7):
        draw.note("bidirectional_dynamic_rnn")
        out, _ = tf.nn.bidirectional_dynamic_rnn(forward, backward, x, net.lengths if draw.chance(0.6) else None, dtype=net.dtype)
        return tf.concat(out, 2)
    draw.note("static_bidirectional_rnn")
    return tf.stack(tf.nn.static_bidirectional_rnn(forward, backward, tf.unstack(x, axis=1), dtype=net.dtype)[0], 1)


def keras_recurrent(net, draw, x):
    kind = draw.pick(["SimpleRNN", "LSTM", "GRU"])
    draw.note("keras " + kind)
    return getattr(tf.keras.layers, kind)(draw.whole(2, 4), return_sequences=True, dtype=net.dtype, go_backwards=draw.chance(0.2))(x)


def by_hand(net, draw, x):
    """A hand-written recurrence: a loop over TensorArrays of rows, as in older programs."""
    draw.note("recurrence by hand")
    n, time = draw.whole(2, 4), x.shape.as_list()[1]
    wx = tf.get_variable("wx", [width(x), n], net.dtype, net.initializer(draw, [width(x), n]))
    wh = tf.get_variable("wh", [n, n], net.dtype, net.initializer(draw, [n, n]))
    b = net.bias(draw, "b", n)
    inputs = tf.TensorArray(net.dtype, time).unstack(tf.transpose(x, [1, 0, 2]))
    outputs = tf.TensorArray(net.dtype, time)
    start = tf.zeros(tf.stack([tf.shape(x)[0], n]), net.dtype)

    def body(t, h, outputs):
        h = tf.tanh(tf.matmul(inputs.read(t), wx) + tf.matmul(h, wh) + b)
        return t + 1, h, outputs.write(t, h)

    _, _, outputs = tf.while_loop(lambda t, h, o: t < time, body, (0, start, outputs))
    y = tf.transpose(outputs.stack(), [1, 0, 2])
    y.set_shape([x.shape.as_list()[0], time, n])
    return y


def attention(net, draw, x):
    draw.note("attention")
    n = draw.whole(2, 4)
    q, k, v = [tf.layers.dense(x, n, use_bias=False, name=name) for name in "qkv"]
    scores = tf.matmul(q, k, transpose_b=True) / n ** 0.5
    if draw.chance(0.4):
        mask = tf.cast(tf.sequence_mask(net.lengths, x.shape.as_list()[1]), net.dtype)
        scores += (1.0 - tf.expand_dims(mask, 1)) * -9.0
    if draw.chance(0.3):
        draw.note("attention causal")
        scores += tf.matrix_band_part(tf.zeros_like(scores) - 5.0, 0, -1)
    return tf.matmul(tf.nn.softmax(scores), v)


def convolved(net, draw, x):
    how = draw.pick(["layers", "raw", "keras"])
    draw.note("conv1d " + how)
    n = draw.whole(2, 4)
    if how == "layers":
        return tf.layers.conv1d(x, n, 2, padding="same", activation=plain_activation(draw))
    if how == "keras":
        return tf.keras.layers.Conv1D(n, 2, padding=draw.pick(["same", "causal"]), dtype=net.dtype)(x)
    return tf.nn.conv1d(x, net.variable(draw, "k", [2, width(x), n]), stride=1, padding="SAME")


def per_step(net, draw, x):
    draw.note("dense of each step")
    if draw.chance(0.3):
        return tf.keras.layers.TimeDistributed(tf.keras.layers.Dense(draw.whole(2, 4), dtype=net.dtype), dtype=net.dtype)(x)
    return tf.layers.dense(x, draw.whole(2, 4), plain_activation(draw))


def turned(net, draw, x):
    how = draw.pick(["reverse_sequence", "reverse", "mask", "shift"])
    draw.note("sequence " + how)
    if how == "reverse_sequence":
        return tf.reverse_sequence(x, net.lengths, seq_axis=1, batch_axis=0)
    if how == "reverse":
        return tf.concat([x, x[:, ::-1]], 2)
    if how == "mask":
        return x * tf.expand_dims(tf.cast(tf.sequence_mask(net.lengths, x.shape.as_list()[1]), net.dtype), 2)
    return tf.concat([x[:, 1:], x[:, :1]], 1)


STAGES = [dynamic, dynamic, dynamic, static, bidirectional, keras_recurrent, by_hand, attention, convolved, per_step, turned]


def to_vector(net, draw, x):
    how = draw.pick(["last", "mean", "max", "at length", "flatten"])
    draw.note("sequences to vectors by " + how)
    if how == "last":
        return x[:, -1]
    if how == "mean":
        return tf.reduce_mean(x, 1)
    if how == "max":
        return tf.reduce_max(x, 1)
    if how == "at length":
        rows = tf.range(tf.shape(x)[0])
        y = tf.gather_nd(x, tf.stack([rows, net.lengths - 1], 1))
        y.set_shape([None, width(x)])
        return y
    return tf.reshape(x, [-1, x.shape.as_list()[1] * width(x)])


def embedded(net, draw, ids, words):
    """Rows of a table for [batch, time] word numbers: sparse gradients."""
    n = draw.whole(2, 4)
    how = draw.pick(["lookup", "gather", "partitioned", "keras", "one hot", "unique", "max norm", "contrib", "twice", "tied"])
    draw.note("embedding " + how)
    if how == "partitioned":
        parts = [tf.get_variable("table%d" % i, [(words + 1) // 2 if i == 0 else words // 2, n], net.dtype, net.initializer(draw)) for i in range(2)]
        return tf.nn.embedding_lookup(parts, ids, partition_strategy=draw.pick(["mod", "div"]))
    if how == "keras":
        return tf.keras.layers.Embedding(words, n, dtype=net.dtype)(ids)
    if how == "contrib":
        return tf.contrib.layers.embed_sequence(ids, words, n) if net.dtype == tf.float32 else tf.gather(net.variable(draw, "table", [words, n]), ids)
    table = net.variable(draw, "table", [words, n])
    if how == "gather":
        return tf.gather(table, ids)
    if how == "one hot":
        return tf.tensordot(tf.one_hot(ids, words, dtype=net.dtype), table, 1)
    if how == "unique":
        unique, index = tf.unique(tf.reshape(ids, [-1]))
        return tf.reshape(tf.gather(tf.nn.embedding_lookup(table, unique), index), tf.stack([tf.shape(ids)[0], ids.shape.as_list()[1], n]))
    if how == "max norm":
        return tf.nn.embedding_lookup(table, ids, max_norm=0.7)
    if how == "twice":
        return tf.nn.embedding_lookup(table, ids) + tf.nn.embedding_lookup(table, (ids + 1) % words)
    if how == "tied":
        return tf.nn.embedding_lookup(table, ids) + 0.1 * tf.reduce_mean(table, 0)
    return tf.nn.embedding_lookup(table, ids)
