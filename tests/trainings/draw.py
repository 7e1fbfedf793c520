"""Random choices of a generated program. They depend only on the seed and are the same in every version of Python and NumPy."""

import random

import numpy as np
import tensorflow as tf


class Draw:
    """The choices of one part of a program. Each part has a separate stream, so that leaving out a part does not change the others."""

    def __init__(self, seed, part, used):
        self._random = random.Random("%d/%s" % (seed, part))
        self._part, self._seed = part, seed
        self.used = used

    def real(self, low, high):
        return low + (high - low) * self._random.random()

    def whole(self, low, high):
        """From low to high, both included."""
        return low + int(self._random.random() * (high - low + 1))

    def chance(self, p):
        return self._random.random() < p

    def pick(self, things):
        return things[self.whole(0, len(things) - 1)]

    def part(self, name):
        return Draw(self._seed, "%s/%s" % (self._part, name), self.used)

    def note(self, label):
        """Records a feature that the program uses; runs count them."""
        self.used.add(label)
        return label

    def rounded(self, low, high):
        """A number of three digits, so that the program is readable and float32 and float64 print it alike."""
        return float("%.3g" % self.real(low, high))

    def array(self, shape, scale=1.0):
        state = np.random.RandomState(self.whole(0, 2 ** 31 - 2))
        return state.standard_normal(tuple(shape)) * scale

    def integers(self, shape, end):
        return np.random.RandomState(self.whole(0, 2 ** 31 - 2)).randint(0, end, tuple(shape))


class Network:
    """A program under construction: its features, feeds and properties of its variables."""

    def __init__(self, seed, dtype):
        self.seed, self.dtype = seed, dtype
        self.used = set()
        self.feeds = {}          # placeholder -> the values of each step, a list
        self.training = None     # the placeholder that says whether this is a training step, if one exists
        self.added_losses = []
        self.batch = 0
        self.resource = False
        self.gradients = None    # shared by plans
        self.single = dtype == tf.float32  # whether part of the computation has only the precision of float32

    def draw(self, part):
        return Draw(self.seed, part, self.used)

    def is_training(self):
        if self.training is None:
            self.training = tf.placeholder_with_default(True, [], name="is_training")
        return self.training

    def initializer(self, draw, shape=None):
        kind = draw.pick(["array", "glorot", "normal", "truncated", "uniform", "variance", "he", "orthogonal", "glorot_n"])
        draw.note("initializer " + kind)
        seed = draw.whole(1, 9999) if draw.chance(0.5) else None
        if kind == "array":
            return tf.constant_initializer(draw.array(shape, 0.4), dtype=self.dtype) if shape else tf.random_uniform_initializer(-0.4, 0.4, seed, dtype=self.dtype)
        if kind == "glorot":
            return tf.glorot_uniform_initializer(seed, dtype=self.dtype)
        if kind == "glorot_n":
            return tf.glorot_normal_initializer(seed, dtype=self.dtype)
        if kind == "normal":
            return tf.random_normal_initializer(0.0, 0.3, seed, dtype=self.dtype)
        if kind == "truncated":
            return tf.truncated_normal_initializer(0.0, 0.3, seed, dtype=self.dtype)
        if kind == "variance":
            return tf.variance_scaling_initializer(1.5, draw.pick(["fan_in", "fan_out", "fan_avg"]), draw.pick(["uniform", "normal"]), seed, dtype=self.dtype)
        if kind == "he":
            return tf.keras.initializers.he_normal(seed)
        if kind == "orthogonal" and shape is not None and len(shape) == 2:
            return tf.orthogonal_initializer(1.0, seed, dtype=self.dtype)
        return tf.random_uniform_initializer(-0.3, 0.3, seed, dtype=self.dtype)

    def regularizer(self, draw):
        kind = draw.pick([None, None, None, "l2", "l1", "contrib l2", "contrib l1_l2"])
        if kind is None:
            return None
        draw.note("regularizer " + kind)
        a = draw.rounded(0.001, 0.05)
        if kind == "l2":
            return tf.keras.regularizers.l2(a)
        if kind == "l1":
            return tf.keras.regularizers.l1(a)
        if kind == "contrib l2":
            return tf.contrib.layers.l2_regularizer(a)
        return tf.contrib.layers.l1_l2_regularizer(a, a)

    def variable(self, draw, name, shape, scale=None):
        """A variable, created in one of the possible ways."""
        how = draw.pick(["get", "get", "get", "tf.Variable", "tf.Variable random"])
        draw.note(how + (" resource" if self.resource else " reference"))
        if how == "get":
            regularizer = self.regularizer(draw)
            return tf.get_variable(name, shape, self.dtype, self.initializer(draw, shape), regularizer=regularizer)
        if how == "tf.Variable":
            return tf.Variable(draw.array(shape, 0.4), dtype=self.dtype, name=name, use_resource=self.resource or None)
        return tf.Variable(tf.random_normal(shape, 0.0, 0.4, self.dtype, seed=draw.whole(1, 999)), name=name, use_resource=self.resource or None)

    def bias(self, draw, name, n):
        return tf.get_variable(name, [n], self.dtype, tf.constant_initializer(draw.pick([0.0, 0.1, -0.05])) if draw.chance(0.7) else tf.zeros_initializer())


def width(x):
    return x.shape.as_list()[-1]


ACTIVATIONS = ["relu", "tanh", "sigmoid", "elu", "softplus", "relu6", "selu", "softsign", "leaky_relu", "swish", "crelu", "prelu", "clip", "square", "maxout", "gelu",
               "softmax", "log1p_abs", "arctan", "hard_sigmoid", None]


def activation(net, draw, x, kind="drawn"):
    if kind == "drawn":
        kind = draw.pick(ACTIVATIONS)
    draw.note("activation %s" % kind)
    if kind is None:
        return x
    if kind == "leaky_relu":
        return tf.nn.leaky_relu(x, draw.rounded(0.05, 0.3))
    if kind == "swish":
        return x * tf.sigmoid(x) if draw.chance(0.5) else tf.nn.swish(x)
    if kind == "prelu":
        slope = tf.get_variable("slope", [width(x)], net.dtype, tf.constant_initializer(0.2))
        return tf.maximum(x, 0.0) + slope * tf.minimum(x, 0.0) if draw.chance(0.5) else tf.where(x > 0, x, slope * x)
    if kind == "clip":
        return tf.clip_by_value(x, -1.5, 1.5)
    if kind == "square":
        return 0.1 * tf.square(x)
    if kind == "maxout":
        return x if width(x) % 2 else tf.reduce_max(tf.stack(tf.split(x, 2, -1)), 0)
    if kind == "gelu":
        return 0.5 * x * (1.0 + tf.erf(x / 1.4142135))
    if kind == "log1p_abs":
        return tf.sign(x) * tf.log1p(tf.abs(x))
    if kind == "arctan":
        return tf.atan(x)
    if kind == "hard_sigmoid":
        return tf.keras.activations.hard_sigmoid(x)
    return getattr(tf.nn, kind)(x)


def plain_activation(draw):
    """An activation function for layers."""
    return draw.pick([None, tf.nn.relu, tf.nn.tanh, tf.nn.sigmoid, tf.nn.elu, tf.nn.softplus])
