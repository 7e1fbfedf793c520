"""The program of a seed: a network with a loss, and the plans that train it. Uses nothing of Weft: TensorFlow 1.15 runs it, too."""

import numpy as np
import tensorflow as tf

import losses
import plans
import stages_dense
import stages_image
import stages_sequence
from draw import Network

STEPS = 20


class Program:
    """A built graph, with its feeds and fetches."""

    def __init__(self, seed, dtype, drop=(), plan_count=6, kinds=None):
        """drop: numbers of stages to leave out; kinds: names of the plans' optimizers, if not drawn."""
        self.net = net = Network(seed, tf.float64 if dtype == "float64" else tf.float32)
        draw = net.draw("whole")
        self.graph = tf.Graph()
        with self.graph.as_default():
            tf.set_random_seed(draw.whole(1, 2 ** 30))
            net.resource = draw.chance(0.4)
            net.batch = rows = draw.whole(1, 6)
            net.fed_batch = rows if draw.chance(0.5) else None
            draw.note("variables resource" if net.resource else "variables reference")
            self.stages = []
            with tf.variable_scope("net", use_resource=net.resource or None):
                x = self._network(net, draw, set(drop), rows)
                loss = losses.make(net, net.draw("loss"), x, rows, STEPS)
                self.loss = loss = tf.cast(losses.total(net, net.draw("total"), loss), net.dtype)
            self.plans = []
            for i in range(plan_count):
                d = net.draw("plan%d" % i)
                kind = d.pick(plans.KINDS)
                if kinds and i < len(kinds):
                    kind = kinds[i]
                with tf.variable_scope("", use_resource=net.resource or None):
                    self.plans.append(plans.make(net, d, kind, loss, i))
            self.init = tf.global_variables_initializer()
            self.variables = tf.global_variables()

    def _network(self, net, draw, drop, rows):
        kind = draw.pick(["vectors", "vectors", "vectors", "images", "sequences", "words"])
        draw.note("input " + kind)
        data = net.draw("data")
        if kind == "vectors":
            n = data.whole(1, 6)
            x = self._fed("x", net.dtype, [n], [data.array([rows, n]) for _ in range(STEPS)])
        elif kind == "images":
            shape = [data.whole(3, 6), data.whole(3, 6), data.whole(1, 3)]
            x = self._fed("x", net.dtype, shape, [data.array([rows] + shape) for _ in range(STEPS)])
            for i in range(draw.whole(1, 2)):
                x = self._stage(net, "image%d" % i, stages_image.STAGES, x, drop)
            x = stages_image.to_vector(net, net.draw("to vector"), x)
        else:
            time = data.whole(2, 3)
            net.lengths = self._fed("lengths", tf.int32, [], [1 + data.integers([rows], time) for _ in range(STEPS)])
            if kind == "sequences":
                n = data.whole(1, 4)
                x = self._fed("x", net.dtype, [time, n], [data.array([rows, time, n]) for _ in range(STEPS)])
            else:
                words = data.whole(3, 12)
                ids = self._fed("x", data.pick([tf.int32, tf.int64]), [time], [data.integers([rows, time], words) for _ in range(STEPS)])
                with tf.variable_scope("embedding"):
                    x = stages_sequence.embedded(net, net.draw("embedding"), ids, words)
            for i in range(draw.whole(1, 2)):
                x = self._stage(net, "sequence%d" % i, stages_sequence.STAGES, x, drop)
            x = stages_sequence.to_vector(net, net.draw("to vector"), x)
        for i in range(draw.whole(1, 3)):
            x = self._stage(net, "dense%d" % i, stages_dense.STAGES, x, drop)
        return x

    def _fed(self, name, dtype, shape, values):
        p = tf.placeholder(dtype, [self.net.fed_batch] + shape, name=name)
        self.net.feeds[p] = values
        return p

    def _stage(self, net, name, stages, x, drop):
        d = net.draw(name)
        f = d.pick(stages)
        number = len(self.stages)
        self.stages.append("%s.%s" % (f.__module__, f.__name__))
        if number in drop:
            return x
        d.note("stage " + self.stages[-1])
        with tf.variable_scope(name):
            y = f(net, d, x)
        return y

    def feeds(self):
        """Names of placeholders, and their values for each step."""
        feeds = {p.name: [np.asarray(v, p.dtype.as_numpy_dtype) for v in values] for p, values in self.net.feeds.items()}
        if self.net.training is not None:
            feeds[self.net.training.name] = [np.asarray(step % 7 != 6) for step in range(STEPS)]
        return feeds
