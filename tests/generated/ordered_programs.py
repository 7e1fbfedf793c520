"""Random programs whose statements can run only in one order. Executing the statements one by one gives the expected values of the variables.

    weft py ordered_programs.py [--seed N] [--count N | --seconds S] [--one N]

A statement updates a variable, reads one into another, sends a value through a queue, branches, loops, or calls a function with further statements. Each one
waits for the one before in one of many ways: a control edge from it, or from an Identity, a group or a no_op after it; a constant created after it; its value
times zero. Runs in TensorFlow 1.15 too.
"""
import argparse
import random
import sys
import time

import tensorflow as tf
from tensorflow.python.framework import function

F = tf.float32


class Program:
    """A program drawn from a seed. `build` makes the graph; `act` does the same on numbers."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.count = self.r.randint(2, 4)
        share = self.r.choice([0.0, 0.4, 1.0])
        self.resource = [self.r.random() < share for _ in range(self.count)]
        self.size = 0
        self.body = self.block(self.r.randint(2, 8), 0)

    def block(self, n, depth):
        return [self.statement(depth) for _ in range(n)]

    def statement(self, depth):
        r = self.r
        self.size += 1
        kinds = ["add", "add", "set", "copy", "twice", "pass", "choose"] + (["cond", "while"] + ["call"] * all(self.resource) if depth < 2 and self.size < 25 else [])
        kind, wait, v, w, c = r.choice(kinds), r.choice(WAITS), r.randrange(self.count), r.randrange(self.count), float(r.randint(-3, 3))
        inner = [self.block(r.randint(1, 4), depth + 1) for _ in range(2)] if kind in ("cond", "while", "call") else None
        return kind, wait, v, w, c, inner, r.randint(0, 3)

    def act(self, values, body=None):
        for kind, _, v, w, c, inner, times in self.body if body is None else body:
            if kind == "add":
                values[v] += c
            elif kind == "set":
                values[v] = c
            elif kind == "copy":
                values[v] = values[w] + c
            elif kind == "pass":
                values[v] = values[w] - c
            elif kind == "choose":
                values[v] = c if values[w] > c else values[v] + 1
            elif kind == "twice":
                values[v] = (values[v] * 2 + c) % 64
            elif kind == "cond":
                self.act(values, inner[0] if values[w] > c else inner[1])
            else:
                for _ in range(times if kind == "while" else 1):
                    self.act(values, inner[0])

    def build(self):
        self.variables = [tf.get_variable("v%d" % i, [], F, tf.constant_initializer(float(i)), use_resource=self.resource[i]) for i in range(self.count)]
        self.queue = tf.FIFOQueue(1, [F], [[]])
        self.large = tf.placeholder(F, [None, None], "large")
        self.nothing = tf.reduce_sum(tf.matmul(self.large, self.large)) * 0  # zero; takes a while to compute
        return self.chain(self.body, None)

    def chain(self, body, last):
        """The value of the last statement; `last` is what the first one waits for."""
        for s in body:
            last = self.make(s, last)
        return last

    def make(self, statement, last):
        kind, wait, v, w, c, inner, times = statement
        held, value = hold(wait, last, c, simple=kind in ("add", "set"))
        with tf.control_dependencies(held):
            if kind == "add":
                return tf.assign_add(self.variables[v], value)
            if kind == "set":
                return tf.assign(self.variables[v], value + self.nothing if self.size % 3 == 0 else value)
            if kind == "copy":
                return tf.assign(self.variables[v], self.variables[w].read_value() + value)
            if kind == "twice":
                return tf.assign(self.variables[v], tf.floormod(self.variables[v].read_value() * 2.0 + value, 64.0))
            if kind == "pass":
                with tf.control_dependencies([self.queue.enqueue(self.variables[w].read_value() - value)]):
                    return tf.assign(self.variables[v], self.queue.dequeue())
            if kind == "choose":
                own = self.variables[v].read_value() + 1.0
                return tf.assign(self.variables[v], tf.where(self.variables[w].read_value() > value, value, own))
            if kind == "cond":
                at = self.variables[w].read_value() > value
                return tf.cond(at, lambda: tf.identity(self.chain(inner[0], None)), lambda: tf.identity(self.chain(inner[1], None)))

            if kind == "call":
                @function.Defun(F)
                def called(x):
                    return tf.identity(self.chain(inner[0], x))

                result = called(value)
                result.set_shape([])  # a call has no static shape
                return result

            def round_(i, x):
                # In a loop the first statement waits for the loop variables, that is, for the previous iteration.
                return i + 1, tf.identity(self.chain(inner[0], x)) * 0.0 + x

            begin = tf.identity(value)
            return tf.while_loop(lambda i, x: i < times, round_, [tf.constant(0), begin])[1]


WAITS = ["op", "output", "identity", "identities", "group", "no_op", "constant", "computed", "value", "tuple", "conditional"]


def hold(wait, last, c, simple):
    """(what to wait for, the constant `c`, which may wait itself)."""
    if last is None:
        return [], tf.constant(c)
    if wait in ("constant", "computed") and simple:
        # Only the constant's reader waits.
        with tf.control_dependencies([tf.identity(last)]):
            k = tf.constant(c)
            return [], k if wait == "constant" else tf.negative(tf.constant(-c))
    if wait == "value" and simple:
        return [], last * 0.0 + c
    if wait == "op":
        return [last.op], tf.constant(c)
    if wait == "identity":
        return [tf.identity(last)], tf.constant(c)
    if wait == "identities":
        return [tf.identity(tf.identity(last))], tf.constant(c)
    if wait == "group":
        return [tf.group(last, tf.no_op())], tf.constant(c)
    if wait == "no_op":
        with tf.control_dependencies([last]):
            return [tf.no_op()], tf.constant(c)
    if wait == "tuple":
        return [tf.tuple([last, tf.constant(1.0)])[1]], tf.constant(c)
    if wait == "conditional":
        return [tf.cond(tf.equal(last, last), lambda: tf.identity(last), lambda: tf.constant(0.0))], tf.constant(c)
    return [last], tf.constant(c)


def check(seed):
    """None, or the error."""
    import numpy as np
    program = Program(seed)
    tf.reset_default_graph()
    tf.set_random_seed(1)
    last = program.build()
    expected = [float(i) for i in range(program.count)]
    config = tf.ConfigProto(intra_op_parallelism_threads=1)
    with tf.Session(config=config) as session:
        session.run(tf.global_variables_initializer())
        for step in range(3):
            program.act(expected)
            session.run(last if seed % 2 else last.op, {program.large: np.ones((60, 60), np.float32)})
            found = [float(x) for x in session.run(program.variables)]
            if found != expected:
                return "program %d, step %d: the variables are %s, expected %s\n%s" % (seed, step, found, expected, program.body)
    return None


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--seed", type=int, default=None)
    options.add_argument("--count", type=int, default=None)
    options.add_argument("--seconds", type=float, default=None)
    options.add_argument("--one", type=int, default=None)
    given = options.parse_args()
    if given.one is not None:
        wrong = check(given.one)
        print(wrong or "right")
        sys.exit(1 if wrong else 0)
    seed = given.seed if given.seed is not None else random.SystemRandom().randrange(10 ** 9)
    print("seed %d" % seed, flush=True)
    begin, done, failures = time.time(), 0, 0
    while (given.count is None or done < given.count) and (given.seconds is None or time.time() - begin < given.seconds) and failures < 5:
        wrong = check(seed + done)
        if wrong:
            failures += 1
            print(wrong, flush=True)
        done += 1
    print("%d programs, %d failures" % (done, failures))
    sys.exit(1 if failures else 0)


main()
