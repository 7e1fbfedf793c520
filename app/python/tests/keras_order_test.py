"""The order in which Keras returns and accepts variables, and the feeds of its functions: weft py keras_order_test.py. TensorFlow 1.15 passes it, too,
except for the marked parts."""

import numpy as np
import tensorflow as tf

K, L = tf.keras, tf.keras.layers
WEFT = tf.GIT_VERSION == "weft"


def names(variables):
    return [v.name.rsplit(":")[0] for v in variables]


def norm(name):
    return [name + "/" + n for n in ("gamma", "beta", "moving_mean", "moving_variance")]


def dense(name):
    return [name + "/kernel", name + "/bias"]


def same(got, wanted):
    assert got == wanted, (got, wanted)


# Models order by layer, whether trainable or not. Layers put trainable variables first.
m = K.Sequential([L.Dense(2, input_shape=(3,), name="d1"), L.BatchNormalization(name="b1"), L.Dense(4, name="d2"), L.BatchNormalization(name="b2")])
wanted = dense("d1") + norm("b1") + dense("d2") + norm("b2")
for frozen in (None, 0, 1):
    if frozen is not None:
        m.layers[frozen].trainable = False
    same(names(m.weights), wanted)
    same([w.shape for w in m.get_weights()], [(3, 2)] + [(2,)] * 5 + [(2, 4)] + [(4,)] * 5)
same(names(m.trainable_weights), dense("d2") + norm("b2")[:2])
same(names(m.non_trainable_weights), dense("d1") + norm("b1") + norm("b2")[2:])
m.set_weights([np.full(w.shape, i, np.float32) for i, w in enumerate(m.get_weights())])
same([int(w.ravel()[0]) for w in m.get_weights()], list(range(12)))
same([int(w.ravel()[0]) for w in m.layers[1].get_weights()], [2, 3, 4, 5])

K.backend.clear_session()
i = L.Input((3,))
inner = K.Model(i, L.Dense(2, name="i2")(L.BatchNormalization(name="i1")(i)))
j = L.Input((3,))
outer = K.Model(j, L.BatchNormalization(name="o2")(inner(L.Dense(3, name="o1")(j))))
same(names(outer.weights), dense("o1") + norm("i1") + dense("i2") + norm("o2"))
inner.trainable = False
same(names(outer.weights), dense("o1") + norm("i1") + dense("i2") + norm("o2"))
same(names(outer.trainable_weights), dense("o1") + norm("o2")[:2])


class Own(K.Model):
    def __init__(self):
        super(Own, self).__init__(name="own")
        self.v = tf.Variable(1., name="v")
        self.a = L.BatchNormalization(name="a")
        self.w = tf.Variable(np.ones(2, np.float32), trainable=False, name="w")

    def call(self, x):
        return self.a(x) * self.v


K.backend.clear_session()
m = Own()
m(tf.zeros([2, 3]))
same(names(m.weights), ["own/" + n for n in norm("a")] + ["v", "w"])
m.trainable = False
same(names(m.non_trainable_weights), ["v"] + ["own/" + n for n in norm("a")] + ["w"])

# Optimizers: one kind of slot for all variables, then the next kind.
SLOTS = [("sgd", []), (K.optimizers.SGD(momentum=.9), ["momentum"]), (K.optimizers.RMSprop(centered=True, momentum=.1), ["rms", "momentum", "mg"]), ("adam", ["m", "v"]),
         (K.optimizers.Adam(amsgrad=True), ["m", "v", "vhat"]), ("adagrad", ["accumulator"]), ("adadelta", ["accum_grad", "accum_var"]), ("adamax", ["m", "v"]), ("nadam", ["m", "v"])]
for optimizer, slots in SLOTS:
    K.backend.clear_session()
    m = K.Sequential([L.Dense(2, input_shape=(3,), name="d1"), L.Dense(1, name="d2")])
    m.compile(optimizer, "mse")
    m.train_on_batch(np.ones((4, 3)), np.ones((4, 1)))
    kept = [n.split("/", 2)[2] for n in names(m.optimizer.weights)]
    same(kept, ["iter"] + ["momentum_cache"] * (optimizer == "nadam") + [v + "/" + s for s in slots for v in dense("d1") + dense("d2")])
    same(len(m.optimizer.get_weights()), len(kept))

# K.function: values for placeholders and variables, updates after the outputs, results in the structure of the outputs.
K.backend.clear_session()
B = K.backend
a, b, c = B.placeholder((2,)), B.placeholder((2,)), B.variable(0.)
x, y = np.array([1., 2.]), np.array([3., 4.])
same(B.function([a, b], [a + b])([x, y])[0].tolist(), [4., 6.])
same({k: v.tolist() for k, v in B.function([a], {"p": a * 2., "q": a + 1.})([x]).items()}, {"p": [2., 4.], "q": [2., 3.]})
same(B.function([], [c + 0.], updates=[(c, c + 1.)])([]), [0.])
same(B.get_value(c), 1.)
same(B.function([a], [a + b], feed_dict={b: y})([x])[0].tolist(), [4., 6.])
r = tf.Variable(2., use_resource=False)
B.get_session().run(r.initializer)
same(B.function([r], [r * 3.])([5.]), [15.])
if WEFT:  # TensorFlow refuses feeds of Keras variables, and requires a value for each input
    v = B.variable(2.)
    same(B.function([v], [v * 3.])([5.]), [15.])
    same(B.get_value(v), 2.)
for wrong in [lambda: B.function([a], [a], foo=1)] + [lambda: B.function([a, b], [a + b])([x]), lambda: B.function([a], [a * 1.])([x, y])] * WEFT:
    try:
        wrong()
    except ValueError:
        continue
    raise AssertionError("it did not fail")
print("keras order: all as expected")
