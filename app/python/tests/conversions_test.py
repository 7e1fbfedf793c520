"""Functions that a tf.function converts give what the same functions give in Python, eagerly; some of them TensorFlow 1.15 refuses. weft py conversions_test.py"""

import functools
import random
import unittest
import warnings

warnings.filterwarnings("ignore")
import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
tf.logging.set_verbosity(tf.logging.ERROR)


def plain(values):
    return [np.asarray(v).tolist() if hasattr(v, "numpy") else v for v in tf.contrib.framework.nest.flatten(values)]


class Box:
    pass


class Scaled:
    def __init__(self, k):
        self.k, self.__hidden = k, 10

    def __call__(self, x):
        if x > self.k:
            x = x * self.__hidden
        return x

    def method(self, x):
        while x < self.k:
            x += 1
        return x

    @property
    def doubled(self):
        return self.k * 2

    @classmethod
    def made(cls, x):
        return cls(2).method(x) if x > 0 else cls(1).method(x)

    @staticmethod
    def static(x):
        return x if x > 1 else -x


class Derived(Scaled):
    def method(self, x):
        if x > 100:
            return x
        return super().method(x) + 1


def plus_one(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs) + 1

    return wrapper


@plus_one
def decorated(x, *, bias=1):
    if x > 0:
        x += bias
    return x


def positive(x):
    if x > 0:
        return x
    return tf.zeros_like(x)


class Conversions(unittest.TestCase):
    def same(self, f, *values):
        """f as it is and as a tf.function, for each value."""
        converted = tf.function(f)
        for v in values:
            v = v if isinstance(v, tuple) else (v,)
            self.assertEqual(plain(converted(*[tf.constant(x) for x in v])), plain(f(*[tf.constant(x) for x in v])), v)

    def test_functions_that_are_called_are_converted(self):
        scaled, derived, part = Scaled(3), Derived(5), functools.partial(positive)

        def f(x, *rest, **named):
            def inside(y):
                if y > 1:
                    return y - 1
                return y

            g = lambda y: y * 2 if y > 1 else y * 3
            return (positive(x), scaled(x), scaled.method(x), derived.method(x), part(x), decorated(x), decorated(x, bias=5), inside(x), g(x), Scaled.static(x), Scaled.made(x),
                    scaled.doubled, [positive(y) for y in rest], positive(*rest[:1], **named))

        self.same(f, (4, 5), (1, 2), (-2, -1))

    def test_returns_in_the_middle(self):
        def sign(x):
            if x > 0:
                return tf.constant("positive")
            elif x < 0:
                return tf.constant("negative")
            return tf.constant("zero")

        def deep(x):
            if x > 0:
                y = x * 2
                if y > 4:
                    return y
                else:
                    y = y + 1
                    return -y
            x = x - 1
            return x

        def first(x):
            for y in [1, 2, 3]:
                if y == 2:
                    return x + y

        self.same(sign, 1, -1, 0)
        self.same(deep, 3, 1, -1)
        self.same(first, 1)

    def test_comparisons_in_a_chain_and_else_of_loops(self):
        def chain(x):
            return (1 if 0 < x < 5 else 2), 1 < 2 < 3, (0 < x <= 5 < 7)

        def loops(n):
            total = tf.constant(0)
            for i in tf.range(n):
                for j in tf.range(n):
                    if j > i:
                        break
                    total += j
                else:
                    total += 100
            while total > 5:
                total -= 7
                if total < 50:
                    continue
                total -= 1
            else:
                total *= 3
            return total

        self.same(chain, 2, 7, 0)
        self.same(loops, 4, 0)

    def test_python_stays_python(self):
        def f(x):
            out, box = [], Box()
            try:
                for i in range(10):
                    last = i
                    if i == 3:
                        raise KeyError(i)
                    out.append(x + i)
            except KeyError as e:
                out.append(e.args[0] + last)
            finally:
                box.done = True
            with tf.name_scope("a"):
                y = [z for z in out if z is not None]
            box.items = {k: v for k, v in enumerate(y)}
            n = 0
            while n < 3:
                n += 1
                if n == 2:
                    continue
            del last
            return y, box.done, n, sorted(box.items), (lambda *a, **k: len(a) + len(k))(1, 2, z=3)

        self.same(f, 1)

    def test_layers_and_functions_of_data_sets(self):
        class Doubles(tf.keras.layers.Layer):
            def call(self, x):
                if tf.reduce_sum(x) > 0:
                    return x * 2
                return -x

        def big(x):
            if tf.equal(x % 2, 1):
                return True
            else:
                return x > 3

        with tf.Graph().as_default(), tf.Session() as session:
            x = tf.placeholder(tf.float32, [2])
            y = Doubles()(x)
            self.assertEqual([session.run(y, {x: v}).tolist() for v in ([1, 2], [-3, 1])], [[2, 4], [3, -1]])
        self.assertEqual([int(x) for x in tf.data.Dataset.range(6).map(lambda x: x * 10 if x > 2 else x).filter(big)], [1, 30, 40, 50])

    def test_names_without_a_value_are_missing(self):
        @tf.function
        def f(flag):
            if flag:
                y = 1
            return y

        with self.assertRaises(UnboundLocalError):
            f(False)
        self.assertEqual(f(True).numpy(), 1)

    def test_generators_and_lines_of_errors(self):
        def numbers(n):
            for i in range(n):
                yield i

        def f(x):
            for i in numbers(3):
                x += i
            return x

        self.same(f, 1)

        @tf.function
        def fails(x):
            if x > 0:
                raise ValueError("here")
            return x

        try:
            fails(tf.constant(1))
        except ValueError as e:
            traceback, lines = e.__traceback__, []
        while traceback:
            lines.append(traceback.tb_lineno if traceback.tb_frame.f_code.co_filename == __file__ else None)
            traceback = traceback.tb_next
        self.assertIn(fails.python_function.__code__.co_firstlineno + 3, lines)


_STATEMENTS = ("x = x * vs[0]", "x = tf.sin(x) + vs[1]", "y = y + x * x", "x = x - y * vs[0]", "y = tf.tanh(y * vs[1])", "x, y = y, x", "x = tf.tanh(x) * 1.5", "y = tf.nn.relu(y - x)")


def program(rng, depth, indent):
    """Lines of branches, loops and assignments."""
    out, start = [], "    " * indent
    for _ in range(rng.randint(1, 3)):
        kind = rng.random()
        if kind < .3 and depth:
            out += [start + "if x > %.2f:" % rng.uniform(-1, 1)] + program(rng, depth - 1, indent + 1)
            if rng.random() < .7:
                out += [start + "else:"] + program(rng, depth - 1, indent + 1)
        elif kind < .5 and depth:
            out += [start + "for i%d in tf.range(%d):" % (indent, rng.randint(0, 3))] + program(rng, depth - 1, indent + 1)
        else:
            out.append(start + rng.choice(_STATEMENTS))
    return out


class Gradients(unittest.TestCase):
    """Of functions with branches and loops: first and, where there is no loop, second ones, against those of the eager run."""

    def measured(self, f, vs, x, y, twice):
        x, y = tf.constant(x), tf.constant(y)
        with tf.GradientTape() as outer:
            outer.watch([x, y])
            with tf.GradientTape() as inner:
                inner.watch([x, y])
                result = f(x, y)
            first = inner.gradient(result, [x, y] + vs)
        slopes = [result] + first + (outer.gradient(first[0], [x, y] + vs) if twice and first[0] is not None else [])
        return [0.0 if s is None else float(s) for s in slopes]

    def test_random_programs(self):
        import linecache

        vs = [tf.Variable(1.3), tf.Variable(0.7)]
        for seed in range(25):
            source = "def f(x, y):\n%s\n    return x + 2 * y\n" % "\n".join(program(random.Random(seed), 3, 1))
            name = "<program %d>" % seed
            linecache.cache[name] = len(source), None, source.splitlines(True), name
            scope = dict(tf=tf, vs=vs)
            exec(compile(source, name, "exec"), scope)
            for x, y in ((.5, .2), (-.8, 1.), (.1, -.4)):
                twice = "for" not in source
                np.testing.assert_allclose(self.measured(tf.function(scope["f"]), vs, x, y, twice), self.measured(scope["f"], vs, x, y, twice), rtol=1e-4, atol=1e-5, err_msg=source)

    def test_second_derivatives_of_loops_are_refused(self):
        @tf.function
        def f(x):
            for _ in tf.range(2):
                x = x * x
            return x

        x = tf.constant(2.0)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = f(x)
            slope = inner.gradient(y, x)
        self.assertEqual(float(slope), 32.0)
        with self.assertRaisesRegex(NotImplementedError, "Second-order gradient for while loops"):
            outer.gradient(slope, x)


if __name__ == "__main__":
    unittest.main()
