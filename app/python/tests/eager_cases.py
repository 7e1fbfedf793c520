"""Eager programs for eager_test.py: each prints what it computes. They run in TensorFlow 1.15.5 as well."""

import functools
import os
import shutil
import tempfile

import numpy as np
import tensorflow as tf

tf.enable_eager_execution()

CASES = {}


def case(function):
    """Decorator: registers a program."""
    CASES[function.__name__] = function
    return function


def show(*values):
    """Prints values with few digits, on one line."""
    def plain(v):
        if hasattr(v, "numpy"):
            v = v.numpy()
        if isinstance(v, (list, tuple)):
            return [plain(x) for x in v]
        if isinstance(v, (np.ndarray, np.generic)):
            return (np.round(v.astype(np.float64), 4) + 0.0).tolist() if v.dtype.kind in "fiub" else v.tolist()
        return v

    print(*[plain(v) for v in values])


def refused(call):
    """Prints the class and message of the error that a call raises."""
    try:
        print("no error:", call())
    except Exception as e:
        print(type(e).__name__, str(e).splitlines()[0])


@case
def tensors():
    a, b, s = tf.constant([[1., 2.], [3., 4.]]), tf.constant(3), tf.constant(["a", "b"])
    for t in (a, b, s, tf.constant([True, False]), tf.constant([], tf.float32), tf.constant(1.5, tf.float16), tf.constant(1 + 2j)):
        print(t)
        print(repr(t)[repr(t).index("shape"):])
    print(a.device, a.dtype, a.shape, a.ndim, len(a), bool(b), int(b), float(b), tf.executing_eagerly(), isinstance(a, tf.Tensor))
    print(hash(a) == id(a), a == a, a != b, {a: 1}[a], range(5)[b], "%.2f" % tf.constant(1.5), format(tf.constant(1.5), ".3f"))
    show(a[0], a[0, 1], a[:, 1], a[..., 0], a[tf.newaxis, 1:], [x for x in a], np.array(a), a.numpy())
    show(a + 1.0, 2 * a, a - a, a @ a, a / 2, b / 2, b // 2, 7 % b, a ** 2, -a, abs(-a), a > 2, 1 - b, a * a)
    show(tf.reduce_sum(a), tf.concat([a, a], 1), tf.split(a, 2), tf.unstack(a), tf.cast(a, tf.int32), tf.shape(a), tf.zeros([2], tf.int64), tf.reshape(a, [4]))
    show(tf.nn.softmax(a), tf.transpose(a), tf.argmax(a, 1), tf.one_hot([0, 2], 3), tf.where(a > 2), tf.where(a > 2, a, -a), tf.gather(a, [1, 0]))
    show(tf.nn.moments(a, [0]), tf.clip_by_value(a, 2, 3), tf.tensordot(a, a, 1), tf.nn.relu(a - 2), tf.stack([a, a]), tf.pad(a, [[1, 0], [0, 0]]), tf.linspace(0., 1., 3))


@case
def errors_of_ops():
    a, b = tf.constant([[1., 2.], [3., 4.]]), tf.constant(3)
    refused(lambda: b + tf.constant(1.0))
    refused(lambda: a + tf.constant([1., 2., 3.]))
    refused(lambda: tf.matmul(a, tf.constant([[1., 2., 3.]])))
    refused(lambda: tf.reshape(a, [5]))
    refused(lambda: tf.gather(a, [5]))
    refused(lambda: len(b))
    refused(lambda: list(b))
    refused(lambda: bool(a))
    for name in ("graph", "op", "name", "value_index"):
        refused(lambda: getattr(a, name))
    refused(a.eval)
    refused(a.consumers)
    refused(lambda: tf.placeholder(tf.float32))
    refused(lambda: tf.gradients(a, a))
    refused(lambda: tf.convert_to_tensor(b, tf.float32))
    refused(lambda: tf.constant([1.0], tf.int32))


@case
def variables():
    v = tf.Variable([1., 2.], name="q")
    print(v, v.name, v.shape, v.dtype, v.trainable, v.device)
    show(v, v + 1., v[0], v.assign([3., 4.]), v.assign_add([1., 1.]), v.assign_sub([.5, .5]), v.read_value(), tf.reduce_sum(v))
    print(tf.global_variables(), tf.trainable_variables())
    w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
    print(w is tf.get_variable("w", [2], initializer=tf.ones_initializer()), w.name)
    with tf.variable_scope("s"):
        print(tf.get_variable("x", initializer=3).name)
    show(tf.train.get_or_create_global_step(), v.is_initialized())
    refused(lambda: v.assign([1., 2., 3.]))


@case
def tapes():
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    show(t.gradient(y, x))
    refused(lambda: t.gradient(y, x))
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x
        z = y * y
    show(t.gradient(z, x), t.gradient(y, x), t.gradient(z, [x, y]))
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x ** 3
        first = inner.gradient(y, x)
    show(first, outer.gradient(first, x))
    v, frozen = tf.Variable([1., 2.]), tf.Variable(5., trainable=False)
    with tf.GradientTape() as t:
        loss = tf.reduce_sum(v * v) * frozen
    print([w.name for w in t.watched_variables()])
    show(t.gradient(loss, [v, frozen]))
    with tf.GradientTape(watch_accessed_variables=False) as t:
        loss = tf.reduce_sum(v * v)
    show(t.gradient(loss, v))
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
        with t.stop_recording():
            z = x * 10.
        y = y + z
    show(t.gradient(y, x))
    other = tf.constant(2.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * other
    show(t.gradient(y, {"a": x, "b": other}, unconnected_gradients=tf.UnconnectedGradients.ZERO)["b"])
    with tf.GradientTape() as t:
        t.watch(x)
        y = [x * 2., x * 3.]
    show(t.gradient(y, x, output_gradients=[tf.constant(1.), tf.constant(10.)]))
    table = tf.Variable([[1., 2.], [3., 4.], [5., 6.]])
    with tf.GradientTape() as t:
        loss = tf.reduce_sum(tf.gather(table, [0, 2, 0]) ** 2)
    g = t.gradient(loss, table)
    print(type(g).__name__)
    show(g.values, g.indices)
    x = tf.constant([1., 2.])
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x * tf.constant([1., 3.])
    show(t.jacobian(y, x))


@case
def tapes_in_graphs():
    with tf.Graph().as_default():
        x, other = tf.constant(3.0), tf.constant(1.0)
        with tf.GradientTape() as t:
            t.watch(x)
            y = x * x * other
        g, none = t.gradient(y, [x, other])
        with tf.Session() as session:
            show(tf.executing_eagerly(), session.run(g), none)


@case
def linear_regression():
    rng = np.random.RandomState(0)
    inputs = rng.randn(200).astype(np.float32)
    outputs = inputs * 3 + 2 + rng.randn(200).astype(np.float32) * .1
    w, b = tf.Variable(5.), tf.Variable(10.)
    optimizer = tf.train.GradientDescentOptimizer(.1)
    for i in range(50):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(inputs * w + b - outputs))
        optimizer.apply_gradients(zip(tape.gradient(loss, [w, b]), [w, b]))
        if i % 10 == 0:
            show(loss, w, b)


@case
def optimizers():
    train = tf.train
    for make in (lambda: train.GradientDescentOptimizer(.1), lambda: train.MomentumOptimizer(.1, .9), lambda: train.AdamOptimizer(.1), lambda: train.RMSPropOptimizer(.1),
                 lambda: train.AdagradOptimizer(.1), lambda: train.FtrlOptimizer(.1), lambda: train.AdadeltaOptimizer(.1)):
        v, w = tf.Variable([1., 2.]), tf.Variable(3.)
        step = tf.Variable(0, dtype=tf.int64, trainable=False)
        optimizer = make()
        for _ in range(5):
            optimizer.minimize(lambda: tf.reduce_sum(v * v) * w, global_step=step)
        show(type(optimizer).__name__, v, w, step)
    refused(lambda: train.GradientDescentOptimizer(.1).minimize(tf.constant(1.)))


@case
def functions():
    traces = []

    @tf.function
    def f(x, y=2.):
        traces.append(1)
        return x * y + 1.

    show(f(tf.constant(3.)), f(tf.constant(4.)), f(tf.constant([1., 2.])), f(tf.constant(3.), 5.), f(tf.constant(4.), y=5.), len(traces))
    v = tf.Variable(2.)

    @tf.function
    def g(x):
        v.assign_add(1.)
        return {"a": x * v, "b": (x, v + 0.)}

    r = g(tf.constant(10.))
    show(r["a"], r["b"], v)
    x = tf.constant(3.)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, 4.) * x
    show(tape.gradient(y, x))

    @tf.function
    def loss():
        return v * v * v

    with tf.GradientTape() as tape:
        y = loss()
    print([w.name for w in tape.watched_variables()])
    show(tape.gradient(y, v))

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def h(x):
        traces.append(2)
        return tf.reduce_sum(x)

    show(h(tf.constant([1., 2.])), h(tf.constant([1., 2., 3.])), traces.count(2))

    @tf.function
    def inner(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x ** 3
        return tape.gradient(y, x)

    show(inner(tf.constant(2.)))
    show(f.get_concrete_function(tf.TensorSpec([], tf.float32), 2.)(tf.constant(7.)))


@case
def training_step_in_a_function():
    rng = np.random.RandomState(1)
    x, y = rng.randn(64, 4).astype(np.float32), rng.randn(64, 1).astype(np.float32)
    w, b = tf.Variable(tf.ones([4, 1])), tf.Variable(tf.zeros([1]))
    optimizer = tf.train.AdamOptimizer(.05)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - y))
        grads = tape.gradient(loss, [w, b])
        optimizer.apply_gradients(zip(grads, [w, b]))
        return loss

    for i in range(20):
        loss = step(tf.constant(x), tf.constant(y))
        if i % 5 == 0:
            show(loss)
    show(w, b)


@case
def data_sets():
    ds = tf.data.Dataset.from_tensor_slices((np.arange(6, dtype=np.float32), np.arange(6))).map(lambda a, b: (a * 2., b)).batch(4)
    for a, b in ds:
        show(a, b)
    for i, x in enumerate(tf.data.Dataset.range(5).filter(lambda x: x > 1).repeat(2)):
        show(i, x)
    print(sum(int(x) for x in tf.data.Dataset.range(10).shuffle(10)))
    iterator = tf.data.Dataset.range(2).make_one_shot_iterator()
    show(iterator.get_next(), iterator.get_next())
    refused(iterator.get_next)


@case
def control_flow():
    show(tf.cond(tf.constant(True), lambda: tf.constant(1), lambda: tf.constant(2)))
    show(tf.while_loop(lambda i: i < 5, lambda i: i + 1, [tf.constant(0)]))
    show(tf.while_loop(lambda i, s: i < 5, lambda i, s: (i + 1, s + i), [tf.constant(0), tf.constant(0)]))
    show(tf.map_fn(lambda x: x * x, tf.constant([1., 2., 3.])))
    with tf.control_dependencies([tf.constant(1)]):
        show(tf.identity(2))
    print(tf.no_op(), tf.group(tf.constant(1)))
    with tf.device("/cpu:0"), tf.name_scope("a"):
        show(tf.constant(1) + 1)
    with tf.init_scope():
        print(tf.executing_eagerly())
    with tf.Graph().as_default():
        print(tf.executing_eagerly())
    show(tf.py_function(lambda x: x.numpy() + 1, [tf.constant(1.)], tf.float32))


@case
def seeds():
    tf.set_random_seed(42)
    show(tf.random_uniform([3]), tf.random_normal([2]), tf.random_uniform([2], seed=7), tf.random_uniform([2], seed=7))
    tf.set_random_seed(42)
    show(tf.random_uniform([3]), tf.random.shuffle(tf.range(5)))
    tf.set_random_seed(1)
    show(tf.Variable(tf.glorot_uniform_initializer()([2, 2])), tf.keras.layers.Dense(2)(tf.ones([1, 3])))


@case
def keras_layers():
    tf.set_random_seed(0)
    layer = tf.keras.layers.Dense(3, activation="relu", kernel_initializer="ones", name="first")
    x = tf.constant([[1., 2.], [3., 4.]])
    show(layer(x), layer.get_weights()[0], [w.name for w in layer.weights])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(layer(x) ** 2)
    show(tape.gradient(y, layer.trainable_variables))
    model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="tanh", kernel_initializer="ones", input_shape=(2,)), tf.keras.layers.Dense(1, kernel_initializer="ones")])
    show(model(x), len(model.trainable_variables))

    class Net(tf.keras.Model):
        def __init__(self):
            super(Net, self).__init__()
            self.one, self.two = tf.keras.layers.Dense(4, kernel_initializer="ones"), tf.keras.layers.Dense(1, kernel_initializer="ones")

        def call(self, x):
            return self.two(tf.nn.relu(self.one(x)))

    net = Net()
    optimizer = tf.train.AdamOptimizer(.01)
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((net(x) - 1.) ** 2)
        optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        show(loss)


@case
def metrics():
    m = tf.keras.metrics.Mean()
    m(tf.constant([1., 2.]))
    m.update_state(6.)
    show(m.result())
    m.reset_states()
    a = tf.keras.metrics.SparseCategoricalAccuracy()
    show(m.result(), a(tf.constant([0, 1]), tf.constant([[.9, .1], [.8, .2]])), a.result())
    show(tf.keras.losses.MeanSquaredError()(tf.constant([1., 2.]), tf.constant([1., 4.])), tf.losses.mean_squared_error(tf.constant([1.]), tf.constant([3.])))


@case
def branches_and_loops_in_functions():
    @tf.function
    def sign(x):
        if x > 0:
            y = x * 2.
        else:
            y = -x
        return y + 1.

    show(sign(tf.constant(3.)), sign(tf.constant(-3.)))

    @tf.function
    def early(x):
        if x > 0 and not x > 10:
            return x
        return x * x

    show(early(tf.constant(3.)), early(tf.constant(-3.)), early(tf.constant(11.)))

    @tf.function
    def collatz(n):
        steps = 0
        while n > 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        return steps

    @tf.function
    def total(xs):
        s = tf.constant(0.)
        for x in xs:
            s += x * x
        for i in tf.range(3):
            s += tf.cast(i, tf.float32)
        for i in range(2):
            s += i
        return s

    xs = tf.constant([1., 2., 3.])
    show(total(xs))
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = total(xs)
    show(tape.gradient(y, xs))

    @tf.function
    def powers(n):
        x = tf.constant(1)
        while x < n:
            x = x * 2
        return x

    show(powers(tf.constant(100)))


@case
def two_tapes():
    rng = np.random.RandomState(0)
    g, d = tf.Variable([[.5, .2]]), tf.Variable([[.3], [.1]])
    real = tf.constant(rng.randn(8, 2).astype(np.float32) + 2.)
    noise = tf.constant(rng.randn(8, 1).astype(np.float32))
    first, second = tf.train.AdamOptimizer(.1), tf.train.AdamOptimizer(.1)
    for _ in range(5):
        with tf.GradientTape() as of_g, tf.GradientTape() as of_d:
            made = tf.matmul(noise, g)
            on_real, on_made = tf.matmul(real, d), tf.matmul(made, d)
            loss_g = tf.losses.sigmoid_cross_entropy(tf.ones_like(on_made), on_made)
            loss_d = tf.losses.sigmoid_cross_entropy(tf.ones_like(on_real), on_real) + tf.losses.sigmoid_cross_entropy(tf.zeros_like(on_made), on_made)
        first.apply_gradients(zip(of_g.gradient(loss_g, [g]), [g]))
        second.apply_gradients(zip(of_d.gradient(loss_d, [d]), [d]))
        show(loss_g, loss_d)
    show(g, d)


@case
def digits_with_data_and_layers():
    rng = np.random.RandomState(0)
    images, labels = rng.rand(64, 28, 28).astype(np.float32), rng.randint(0, 10, 64)
    tf.set_random_seed(3)
    model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(10)])
    data = tf.data.Dataset.from_tensor_slices((images, labels)).batch(16)
    optimizer = tf.train.AdamOptimizer(.01)
    accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
    for _ in range(2):
        for x, y in data:
            with tf.GradientTape() as tape:
                logits = model(x)
                loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
            accuracy(y, logits)
        show(loss, accuracy.result())
    show([v.shape.as_list() for v in model.trainable_variables])


@case
def networks_of_layers():
    x = tf.constant(np.arange(48, dtype=np.float32).reshape(1, 4, 4, 3) / 48)
    layers = tf.keras.layers
    show(tf.reduce_sum(layers.Conv2D(2, 3, kernel_initializer="ones")(x)), layers.MaxPool2D()(x)[0, 0, 0], layers.GlobalAveragePooling2D()(x))
    show(tf.reduce_sum(layers.BatchNormalization()(x, training=True)), layers.Dropout(.5)(x, training=False)[0, 0, 0])
    sequence = tf.constant(np.arange(12, dtype=np.float32).reshape(2, 3, 2) / 12)
    ones = dict(kernel_initializer="ones", recurrent_initializer="ones")
    show(layers.LSTM(2, **ones)(sequence), layers.GRU(2, **ones)(sequence), layers.SimpleRNN(2, **ones)(sequence))
    cell = tf.nn.rnn_cell.BasicLSTMCell(2)
    state = cell.zero_state(2, tf.float32)
    out, state = cell(sequence[:, 0], state)
    print(out.shape, len(cell.trainable_variables))
    embedded = layers.Embedding(4, 2, embeddings_initializer="ones")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(embedded(tf.constant([[1, 2]])))
    g = tape.gradient(y, embedded.trainable_variables)[0]
    print(type(g).__name__)
    show(g.indices, layers.Dense(1, use_bias=False, kernel_initializer="ones", kernel_regularizer=tf.keras.regularizers.l2(.1))(tf.ones([1, 2])))


@case
def fitted_models():
    rng = np.random.RandomState(0)
    x = rng.randn(32, 4).astype(np.float32)
    y = x.sum(1, keepdims=True)
    model = tf.keras.Sequential([tf.keras.layers.Dense(3, activation="tanh", kernel_initializer="ones", input_shape=(4,)), tf.keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile("sgd", "mse", metrics=["mae"])
    history = model.fit(x, y, batch_size=8, epochs=2, shuffle=False, verbose=0)
    show(history.history["loss"], model.evaluate(x, y, verbose=0), model.predict(x[:2]), model(tf.constant(x[:2])))
    a = tf.keras.Input((4,))
    b = tf.keras.layers.Dense(2, kernel_initializer="ones")(a)
    net = tf.keras.Model(a, tf.keras.layers.add([b, b]))
    show(net(tf.constant(x[:1])), net.predict(x[:1]), len(net.trainable_variables))


@case
def checkpoints():
    folder = tempfile.mkdtemp()
    v, optimizer = tf.Variable([1., 2.]), tf.train.AdamOptimizer(.1)
    optimizer.minimize(lambda: tf.reduce_sum(v * v))
    checkpoint = tf.train.Checkpoint(v=v, optimizer=optimizer)
    path = checkpoint.save(os.path.join(folder, "c"))
    optimizer.minimize(lambda: tf.reduce_sum(v * v))
    show(v)
    v.assign([9., 9.])
    checkpoint.restore(path)
    show(v)
    optimizer.minimize(lambda: tf.reduce_sum(v * v))
    show(v, os.path.basename(path), tf.train.latest_checkpoint(folder) == path)
    shutil.rmtree(folder)


@case
def keras_optimizers():
    optimizers = tf.keras.optimizers
    for optimizer in (optimizers.SGD(.1, momentum=.9), optimizers.RMSprop(.1), optimizers.Adam(.1), optimizers.Adagrad(.1)):
        v = tf.Variable([1., 2.])
        for _ in range(3):
            optimizer.minimize(lambda: tf.reduce_sum(v * v), [v])
        show(v, optimizer.iterations)


@case
def fitted_by_data_sets():
    x = np.random.RandomState(0).randn(32, 4).astype(np.float32)
    y = x.sum(1, keepdims=True) * 2
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones", input_shape=(4,))])
    model.compile(tf.keras.optimizers.SGD(.01), "mse")
    data = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)
    show(model.fit(data, epochs=2, verbose=0).history["loss"], model.evaluate(data, verbose=0), model.train_on_batch(x, y), model.predict(tf.constant(x[:1])))


@case
def models_that_run_eagerly():
    keras, layers = tf.keras, tf.keras.layers
    x = np.random.RandomState(0).randn(10, 4).astype(np.float32)
    y = x.sum(1, keepdims=True)

    class Powers(layers.Layer):
        """Its number of steps depends on the values."""

        def __init__(self):
            super().__init__(dynamic=True)

        def build(self, shape):
            self.w = self.add_weight("w", (4, 1), initializer="ones")

        def call(self, inputs):
            if tf.reduce_sum(inputs) > 0:
                return tf.matmul(inputs, self.w) ** 2
            return tf.matmul(inputs, self.w)

        def compute_output_shape(self, shape):
            return tf.TensorShape([shape[0], 1])

    dense = functools.partial(layers.Dense, kernel_initializer="ones")
    inputs = keras.Input((4,))
    for model in (keras.Sequential([dense(3, activation="tanh", kernel_regularizer=keras.regularizers.l2(.1)), layers.BatchNormalization(), dense(1)]),
                  keras.Model(inputs, [dense(1, name="a")(inputs), dense(1, name="b")(inputs)]), keras.Sequential([Powers()])):
        targets = [y, -y] if len(model.outputs or []) == 2 else y
        model.compile(keras.optimizers.SGD(.001), "mse", metrics=["mae"], run_eagerly=True)
        print(model.run_eagerly, model.dynamic)
        history = model.fit(x, targets, epochs=2, batch_size=4, verbose=0, shuffle=False, sample_weight=None).history
        show(*[history[k] for k in sorted(history)])
        show(model.evaluate(x, targets, verbose=0), model.predict(x[:2]), model.train_on_batch(x, targets), model.test_on_batch(x, targets))
    model = keras.Sequential([Powers()])
    refused(lambda: model.compile("sgd", "mse", run_eagerly=False))
    show(keras.backend.learning_phase())


@case
def reset_default_graph():
    def names():
        v = tf.Variable(1.0, name="v")
        optimizer = tf.train.AdamOptimizer(0.1)
        optimizer.apply_gradients([(tf.constant(1.0), v)])
        print([slot.name for slot in optimizer.variables()], tf.keras.layers.Dense(2).name)

    tf.reset_default_graph()
    names()
    names()
    tf.add_to_collection("mine", 1)
    tf.reset_default_graph()
    names()
    print(tf.get_collection("mine"))
