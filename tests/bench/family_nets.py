"""Twelve small networks of different families, each a training step as a TensorFlow 1.x program writes it. families.py measures them.

A network is a function that adds its graph to the default graph and returns (feeds: {placeholder: ndarray}, train_op, loss). Everything random is
seeded, so that each engine that draws the numbers as TensorFlow does computes the same losses.
"""
import numpy as np
import tensorflow.compat.v1 as tf

RNG = np.random.RandomState


def _integers(high, shape, seed):
    return RNG(seed).randint(0, high, shape).astype(np.int64)


def _weight(name, shape, stddev=0.08):
    return tf.get_variable(name, shape, initializer=tf.truncated_normal_initializer(stddev=stddev, seed=11))


def _constant(name, shape, value, trainable=True):
    return tf.get_variable(name, shape, initializer=tf.constant_initializer(value), trainable=trainable)


def _dense(x, units, name, activation=None, stddev=0.08):
    with tf.variable_scope(name):
        y = tf.nn.bias_add(tf.matmul(x, _weight("kernel", [int(x.shape[-1]), units], stddev)), _constant("bias", [units], 0.0))
        return activation(y) if activation else y


def _dense_3d(x, units, name, activation=None):
    """A dense layer on the last axis of [batch, steps, width]."""
    batch, steps, width = (int(n) for n in x.shape)
    return tf.reshape(_dense(tf.reshape(x, [-1, width]), units, name, activation), [batch, steps, units])


def _conv(x, filters, size, name, stride=1, activation=None, bias=True):
    with tf.variable_scope(name):
        y = tf.nn.conv2d(x, _weight("kernel", [size, size, int(x.shape[-1]), filters]), [1, stride, stride, 1], "SAME")
        if bias:
            y = tf.nn.bias_add(y, _constant("bias", [filters], 0.0))
        return activation(y) if activation else y


def _upsample(x, filters, size, name, activation=None):
    """A transposed convolution with stride 2."""
    batch, height, width, channels = (int(n) for n in x.shape)
    with tf.variable_scope(name):
        y = tf.nn.conv2d_transpose(x, _weight("kernel", [size, size, filters, channels]), [batch, 2 * height, 2 * width, filters], [1, 2, 2, 1])
        y = tf.nn.bias_add(y, _constant("bias", [filters], 0.0))
        return activation(y) if activation else y


def _batch_norm(x, name, moving=True):
    with tf.variable_scope(name):
        n = int(x.shape[-1])
        y, mean, variance = tf.nn.fused_batch_norm(x, _constant("gamma", [n], 1.0), _constant("beta", [n], 0.0), epsilon=1e-3)
        if moving:
            _move("moving_mean", mean, 0.0)
            _move("moving_variance", variance, 1.0)
        return y


def _move(name, value, start):
    average = _constant(name, [int(value.shape[0])], start, trainable=False)
    tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, tf.assign_sub(average, (average - value) * 0.01))


def _layer_norm(x, name):
    with tf.variable_scope(name):
        n = int(x.shape[-1])
        mean, variance = tf.nn.moments(x, [-1], keep_dims=True)
        return (x - mean) * tf.rsqrt(variance + 1e-5) * _constant("gamma", [n], 1.0) + _constant("beta", [n], 0.0)


def _cross_entropy(logits, labels):
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))


def _minimize(optimizer, loss, **options):
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        return optimizer.minimize(loss, **options)


def mobilenet(batch=8):
    """Vision: depthwise separable convolutions, batch norm, relu6."""
    x = tf.placeholder(tf.float32, [batch, 64, 64, 3], "x")
    y = tf.placeholder(tf.int64, [batch], "y")
    h = tf.nn.relu6(_batch_norm(_conv(x, 16, 3, "stem", 2, bias=False), "stem_bn"))
    for i, (filters, stride) in enumerate([(32, 1), (64, 2), (64, 1), (128, 2), (128, 1)]):
        with tf.variable_scope("block%d" % i):
            kernel = _weight("depthwise", [3, 3, int(h.shape[-1]), 1], 0.3)
            h = tf.nn.depthwise_conv2d(h, kernel, [1, stride, stride, 1], "SAME")
            h = tf.nn.relu6(_batch_norm(h, "bn1"))
            h = tf.nn.relu6(_batch_norm(_conv(h, filters, 1, "pointwise", bias=False), "bn2"))
    loss = _cross_entropy(_dense(tf.reduce_mean(h, [1, 2]), 10, "logits"), y)
    feeds = {x: RNG(0).rand(batch, 64, 64, 3).astype(np.float32), y: _integers(10, batch, 1)}
    return feeds, _minimize(tf.train.MomentumOptimizer(0.01, 0.9), loss), loss


def unet(batch=2, size=64):
    """Vision: segmentation by an encoder and a decoder with skips; cross entropy and dice."""
    x = tf.placeholder(tf.float32, [batch, size, size, 1], "x")
    y = tf.placeholder(tf.float32, [batch, size, size, 1], "y")
    skips, h = [], x
    for i, filters in enumerate((16, 32)):
        h = _conv(_conv(h, filters, 3, "down%da" % i, 1, tf.nn.relu), filters, 3, "down%db" % i, 1, tf.nn.relu)
        skips.append(h)
        h = tf.nn.max_pool(h, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    h = _conv(_conv(h, 64, 3, "middle_a", 1, tf.nn.relu), 64, 3, "middle_b", 1, tf.nn.relu)
    for i, filters in enumerate((32, 16)):
        h = tf.concat([_upsample(h, filters, 2, "up%d" % i, tf.nn.relu), skips.pop()], 3)
        h = _conv(_conv(h, filters, 3, "up%da" % i, 1, tf.nn.relu), filters, 3, "up%db" % i, 1, tf.nn.relu)
    logits = _conv(h, 1, 1, "logits")
    p = tf.sigmoid(logits)
    dice = 1 - (2 * tf.reduce_sum(p * y, [1, 2, 3]) + 1) / (tf.reduce_sum(p, [1, 2, 3]) + tf.reduce_sum(y, [1, 2, 3]) + 1)
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits)) + tf.reduce_mean(dice)
    image = RNG(0).rand(batch, size, size, 1).astype(np.float32)
    return {x: image, y: (image > 0.6).astype(np.float32)}, tf.train.AdamOptimizer(1e-3).minimize(loss), loss


def _lstm(x, lengths, units, name):
    """Outputs [steps, batch, units] of an LSTM over x [steps, batch, width] in a while loop; a sequence stands still after its end."""
    steps, batch, width = (int(n) for n in x.shape)
    with tf.variable_scope(name):
        kernel, bias = _weight("kernel", [width + units, 4 * units]), _constant("bias", [4 * units], 0.0)
        inputs = tf.TensorArray(tf.float32, steps, element_shape=[batch, width]).unstack(x)
        outputs = tf.TensorArray(tf.float32, steps, element_shape=[batch, units])

        def body(t, c, h, outputs):
            i, j, f, o = tf.split(tf.nn.bias_add(tf.matmul(tf.concat([inputs.read(t), h], 1), kernel), bias), 4, 1)
            new_c = c * tf.sigmoid(f + 1.0) + tf.sigmoid(i) * tf.tanh(j)
            new_h = tf.tanh(new_c) * tf.sigmoid(o)
            over = t >= lengths
            return t + 1, tf.where(over, c, new_c), tf.where(over, h, new_h), outputs.write(t, tf.where(over, tf.zeros_like(h), new_h))

        zero = tf.zeros([batch, units])
        found = tf.while_loop(lambda t, *_: t < steps, body, [tf.constant(0), zero, zero, outputs])[3].stack()
        found.set_shape([steps, batch, units])
        return found


def lstm_tagger(batch=16, steps=30, vocabulary=5000, units=64, tags=20):
    """Text: a tag for each word, by a bidirectional LSTM over embedded words, with lengths and clipped gradients."""
    words = tf.placeholder(tf.int64, [batch, steps], "words")
    lengths = tf.placeholder(tf.int32, [batch], "lengths")
    y = tf.placeholder(tf.int64, [batch, steps], "y")
    table = tf.get_variable("table", [vocabulary, 64], initializer=tf.random_uniform_initializer(-0.5, 0.5, seed=5))
    x = tf.transpose(tf.nn.embedding_lookup(table, words), [1, 0, 2])
    back = tf.reverse_sequence(_lstm(tf.reverse_sequence(x, lengths, seq_axis=0, batch_axis=1), lengths, units, "back"), lengths, seq_axis=0, batch_axis=1)
    h = tf.transpose(tf.concat([_lstm(x, lengths, units, "forth"), back], 2), [1, 0, 2])
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=_dense_3d(h, tags, "logits"))
    mask = tf.sequence_mask(lengths, steps, tf.float32)
    loss = tf.reduce_sum(losses * mask) / tf.reduce_sum(mask)
    optimizer = tf.train.AdamOptimizer(1e-3)
    gradients, variables = zip(*optimizer.compute_gradients(loss))
    gradients, _ = tf.clip_by_global_norm(gradients, 5.0)
    feeds = {words: _integers(vocabulary, [batch, steps], 2), lengths: RNG(3).randint(10, steps + 1, batch).astype(np.int32), y: _integers(tags, [batch, steps], 4)}
    return feeds, optimizer.apply_gradients(zip(gradients, variables)), loss


def transformer(batch=8, steps=48, width=96, heads=4, vocabulary=1000, blocks=2):
    """Text: a causal language model, layer norms of moments, gelu of erf, smoothed labels."""
    words = tf.placeholder(tf.int64, [batch, steps], "words")
    y = tf.placeholder(tf.int64, [batch, steps], "y")
    table = _weight("table", [vocabulary, width], 0.1)
    h = tf.nn.embedding_lookup(table, words) * np.float32(np.sqrt(width)) + _weight("positions", [steps, width], 0.1)
    mask = (1.0 - tf.matrix_band_part(tf.ones([steps, steps]), -1, 0)) * -1e9

    def split(v):
        return tf.transpose(tf.reshape(v, [batch, steps, heads, width // heads]), [0, 2, 1, 3])

    def gelu(v):
        return 0.5 * v * (1.0 + tf.erf(v * np.float32(np.sqrt(0.5))))

    for block in range(blocks):
        with tf.variable_scope("block%d" % block):
            n = _layer_norm(h, "ln1")
            q, k, v = (split(part) for part in tf.split(_dense_3d(n, 3 * width, "qkv"), 3, 2))
            weights = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) * np.float32(1 / np.sqrt(width // heads)) + mask)
            a = tf.reshape(tf.transpose(tf.matmul(tf.nn.dropout(weights, rate=0.1, seed=block), v), [0, 2, 1, 3]), [batch, steps, width])
            h = h + _dense_3d(a, width, "out")
            h = h + _dense_3d(_dense_3d(_layer_norm(h, "ln2"), 4 * width, "ff1", gelu), width, "ff2")
    logits = tf.matmul(tf.reshape(_layer_norm(h, "ln"), [-1, width]), table, transpose_b=True)
    smoothed = tf.one_hot(tf.reshape(y, [-1]), vocabulary, 0.9, 0.1 / vocabulary)
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=smoothed, logits=logits))
    feeds = {words: _integers(vocabulary, [batch, steps], 2), y: _integers(vocabulary, [batch, steps], 3)}
    return feeds, tf.train.AdamOptimizer(1e-3).minimize(loss), loss


def wide_deep(batch=512, columns=8, vocabulary=10000, width=16):
    """Recommender: a linear part and a deep part over categories, updated sparsely by Adagrad."""
    ids = tf.placeholder(tf.int64, [batch, columns], "ids")
    numbers = tf.placeholder(tf.float32, [batch, 13], "numbers")
    y = tf.placeholder(tf.float32, [batch, 1], "y")
    wide, deep = [], [tf.log1p(numbers)]
    for c in range(columns):
        with tf.variable_scope("column%d" % c):
            linear = tf.get_variable("linear", [vocabulary, 1], initializer=tf.zeros_initializer())
            table = tf.get_variable("table", [vocabulary, width], initializer=tf.random_uniform_initializer(-0.1, 0.1, seed=c))
            wide.append(tf.nn.embedding_lookup(linear, ids[:, c]))
            deep.append(tf.nn.embedding_lookup(table, ids[:, c]))
    h = tf.concat(deep, 1)
    for i, units in enumerate((256, 128, 64)):
        h = _dense(h, units, "deep%d" % i, tf.nn.relu)
    logits = tf.add_n(wide) + _dense(h, 1, "logits")
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
    feeds = {ids: (_integers(vocabulary, [batch, columns], 2) ** 2 // vocabulary), numbers: 100 * RNG(3).rand(batch, 13).astype(np.float32),
             y: _integers(2, [batch, 1], 4).astype(np.float32)}
    return feeds, tf.train.AdagradOptimizer(0.05).minimize(loss), loss


def gan(batch=32):
    """Generation: a DCGAN, both networks updated by Adam in one step."""
    z = tf.placeholder(tf.float32, [batch, 64], "z")
    real = tf.placeholder(tf.float32, [batch, 28, 28, 1], "real")

    def generator(noise):
        with tf.variable_scope("generator"):
            h = tf.reshape(_dense(noise, 7 * 7 * 32, "project"), [batch, 7, 7, 32])
            h = tf.nn.relu(_batch_norm(h, "bn0", moving=False))
            h = tf.nn.relu(_batch_norm(_upsample(h, 16, 5, "up0"), "bn1", moving=False))
            return tf.tanh(_upsample(h, 1, 5, "up1"))

    def discriminator(image):
        with tf.variable_scope("discriminator", reuse=tf.AUTO_REUSE):
            h = _conv(image, 16, 5, "conv0", 2, tf.nn.leaky_relu)
            h = tf.nn.leaky_relu(_batch_norm(_conv(h, 32, 5, "conv1", 2), "bn1", moving=False))
            return _dense(tf.reshape(h, [batch, 7 * 7 * 32]), 1, "logits")

    def cross_entropy(logits, label):
        return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.fill([batch, 1], label), logits=logits))

    fake = generator(z)
    on_real, on_fake = discriminator(real), discriminator(fake)
    judged = cross_entropy(on_real, 0.9) + cross_entropy(on_fake, 0.0)
    fooled = cross_entropy(on_fake, 1.0)
    optimizers = []
    for loss, scope in ((judged, "discriminator"), (fooled, "generator")):
        optimizer, variables = tf.train.AdamOptimizer(2e-4, 0.5), tf.trainable_variables(scope)
        optimizers.append((optimizer, optimizer.compute_gradients(loss, variables)))
    # Both networks step from the same values: no update before all gradients.
    with tf.control_dependencies([g for _, pairs in optimizers for g, _ in pairs]):
        train = tf.group(*[optimizer.apply_gradients(pairs) for optimizer, pairs in optimizers], name="train")
    return {z: RNG(0).randn(batch, 64).astype(np.float32), real: 2 * RNG(1).rand(batch, 28, 28, 1).astype(np.float32) - 1}, train, judged + fooled


def dqn(batch=32, actions=6):
    """Reinforcement: a double DQN step with a target network that follows, and a Huber loss."""
    before = tf.placeholder(tf.uint8, [batch, 44, 44, 4], "before")
    after = tf.placeholder(tf.uint8, [batch, 44, 44, 4], "after")
    action = tf.placeholder(tf.int32, [batch], "action")
    reward = tf.placeholder(tf.float32, [batch], "reward")
    done = tf.placeholder(tf.float32, [batch], "done")

    def q_values(frames, name):
        with tf.variable_scope(name, reuse=tf.AUTO_REUSE):
            h = tf.cast(frames, tf.float32) / 255.0
            h = _conv(h, 16, 8, "conv0", 4, tf.nn.relu)
            h = _conv(h, 32, 4, "conv1", 2, tf.nn.relu)
            h = _conv(h, 32, 3, "conv2", 1, tf.nn.relu)
            h = _dense(tf.reshape(h, [batch, 6 * 6 * 32]), 256, "hidden", tf.nn.relu)
            value, advantage = _dense(h, 1, "value"), _dense(h, actions, "advantage")
            return value + advantage - tf.reduce_mean(advantage, 1, keepdims=True)

    rows = tf.range(batch)
    best = tf.argmax(q_values(after, "online"), 1, output_type=tf.int32)
    future = tf.gather_nd(q_values(after, "target"), tf.stack([rows, best], 1))
    target = tf.stop_gradient(reward + 0.99 * (1.0 - done) * future)
    chosen = tf.reduce_sum(q_values(before, "online") * tf.one_hot(action, actions), 1)
    error = tf.abs(target - chosen)
    clipped = tf.minimum(error, 1.0)
    loss = tf.reduce_mean(0.5 * clipped * clipped + (error - clipped))
    train = tf.train.AdamOptimizer(1e-4).minimize(loss, var_list=tf.trainable_variables("online"))
    with tf.control_dependencies([train]):
        pairs = zip(tf.trainable_variables("online"), tf.trainable_variables("target"))
        follow = tf.group(*[tf.assign_add(theirs, 0.01 * (ours - theirs)) for ours, theirs in pairs], name="follow")
    frames = RNG(0).randint(0, 256, [2, batch, 44, 44, 4]).astype(np.uint8)
    feeds = {before: frames[0], after: frames[1], action: RNG(1).randint(0, actions, batch).astype(np.int32),
             reward: RNG(2).randn(batch).astype(np.float32), done: (RNG(3).rand(batch) < 0.1).astype(np.float32)}
    return feeds, follow, loss


def vae(batch=128):
    """Generation: a variational autoencoder of dense layers."""
    x = tf.placeholder(tf.float32, [batch, 784], "x")
    h = _dense(x, 400, "encode", tf.nn.relu)
    mean, log_variance = _dense(h, 20, "mean"), _dense(h, 20, "log_variance")
    z = mean + tf.exp(0.5 * log_variance) * tf.random_normal([batch, 20], seed=9)
    logits = _dense(_dense(z, 400, "decode", tf.nn.relu), 784, "logits")
    rebuilt = tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=logits), 1)
    divergence = -0.5 * tf.reduce_sum(1 + log_variance - tf.square(mean) - tf.exp(log_variance), 1)
    loss = tf.reduce_mean(rebuilt + divergence)
    return {x: RNG(0).rand(batch, 784).astype(np.float32)}, tf.train.AdamOptimizer(1e-3).minimize(loss), loss


def tabular(batch=768, features=100, layers=6, units=256):
    """Tables: a deep network with batch norms of moments, dropout and weight decay."""
    x = tf.placeholder(tf.float32, [batch, features], "x")
    y = tf.placeholder(tf.int64, [batch], "y")
    h = x
    for i in range(layers):
        with tf.variable_scope("layer%d" % i):
            h = tf.matmul(h, _weight("kernel", [int(h.shape[-1]), units]))
            mean, variance = tf.nn.moments(h, [0])
            _move("moving_mean", mean, 0.0)
            _move("moving_variance", variance, 1.0)
            h = tf.nn.batch_normalization(h, mean, variance, _constant("beta", [units], 0.0), _constant("gamma", [units], 1.0), 1e-3)
            h = tf.nn.dropout(tf.nn.elu(h), rate=0.2, seed=i)
    loss = _cross_entropy(_dense(h, 7, "logits"), y)
    loss += 1e-4 * tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables() if "kernel" in v.name])
    feeds = {x: RNG(0).randn(batch, features).astype(np.float32), y: _integers(7, batch, 1)}
    return feeds, _minimize(tf.train.MomentumOptimizer(0.01, 0.9), loss), loss


def norms(batch=512, width=256):
    """A chain of normalisations and activations between narrow dense layers."""
    x = tf.placeholder(tf.float32, [batch, width], "x")
    y = tf.placeholder(tf.float32, [batch, width], "y")
    h = x
    steps = [lambda v: tf.nn.softplus(_layer_norm(v, "layer_norm")), lambda v: tf.nn.l2_normalize(v, 1) * 4.0, lambda v: tf.nn.log_softmax(v) * 0.1,
             lambda v: tf.nn.softsign(_layer_norm(v, "layer_norm")), lambda v: v * tf.sigmoid(v), lambda v: tf.nn.softmax(v * 2.0) * float(width),
             lambda v: tf.nn.selu(v - tf.reduce_mean(v, 1, keepdims=True)), lambda v: v / (1e-3 + tf.sqrt(tf.reduce_mean(tf.square(v), 1, keepdims=True))),
             lambda v: v - tf.reduce_logsumexp(v, 1, keepdims=True) * 0.1, lambda v: tf.tanh(v) + tf.clip_by_value(v, -1.0, 1.0)]
    for i, step in enumerate(steps):
        with tf.variable_scope("step%d" % i):
            h = step(h) + _dense(_dense(h, 16, "narrow"), width, "wide")
    loss = tf.reduce_mean(tf.squared_difference(tf.sigmoid(h), y))
    feeds = {x: RNG(0).randn(batch, width).astype(np.float32), y: RNG(1).rand(batch, width).astype(np.float32)}
    return feeds, tf.train.AdamOptimizer(1e-3).minimize(loss), loss


def text_cnn(batch=32, steps=64, vocabulary=10000, width=64, filters=64):
    """Text: convolutions of three widths over embedded words, and the maximum over time."""
    words = tf.placeholder(tf.int64, [batch, steps], "words")
    y = tf.placeholder(tf.int64, [batch], "y")
    table = tf.get_variable("table", [vocabulary, width], initializer=tf.random_uniform_initializer(-0.5, 0.5, seed=5))
    x, found = tf.nn.embedding_lookup(table, words), []
    for size in (3, 4, 5):
        with tf.variable_scope("conv%d" % size):
            h = tf.nn.conv1d(x, _weight("kernel", [size, width, filters]), 1, "VALID") + _constant("bias", [filters], 0.0)
            found.append(tf.reduce_max(tf.nn.relu(h), 1))
    loss = _cross_entropy(_dense(tf.nn.dropout(tf.concat(found, 1), rate=0.5, seed=3), 5, "logits"), y)
    return {words: _integers(vocabulary, [batch, steps], 2), y: _integers(5, batch, 1)}, tf.train.AdamOptimizer(1e-3).minimize(loss), loss


def triplet(batch=32, size=32):
    """Likeness: one network for three images, unit vectors, and the hardest negative of the batch."""
    images = [tf.placeholder(tf.float32, [batch, size, size, 1], name) for name in ("anchor", "positive", "negative")]

    def embed(image):
        with tf.variable_scope("embed", reuse=tf.AUTO_REUSE):
            h = tf.nn.max_pool(_conv(image, 16, 3, "conv0", 1, tf.nn.relu), [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
            h = tf.nn.avg_pool(_conv(h, 32, 3, "conv1", 1, tf.nn.relu), [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
            return tf.nn.l2_normalize(_dense(tf.reshape(h, [batch, (size // 4) ** 2 * 32]), 64, "vector"), 1)

    anchor, positive, negative = (embed(image) for image in images)
    near = tf.reduce_sum(tf.squared_difference(anchor, positive), 1)
    far = tf.reduce_min(tf.reduce_sum(tf.squared_difference(tf.expand_dims(anchor, 1), tf.expand_dims(negative, 0)), 2), 1)
    loss = tf.reduce_mean(tf.maximum(near - far + 0.5, 0.0))
    feeds = {image: RNG(i).rand(batch, size, size, 1).astype(np.float32) for i, image in enumerate(images)}
    return feeds, tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss), loss


NETWORKS = {f.__name__: f for f in (mobilenet, unet, lstm_tagger, transformer, wide_deep, gan, dqn, vae, tabular, norms, text_cnn, triplet)}
