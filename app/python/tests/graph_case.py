"""The case that tests of graphs share: each test builds in a graph of its own."""

import unittest

import tensorflow as tf


class InGraph(unittest.TestCase):
    def setUp(self):
        self._context = tf.Graph().as_default()
        self._context.__enter__()
        self.addCleanup(self._context.__exit__, None, None, None)

    def value(self, fetches, feed=None):
        """What a new session computes, after all variables are initialized."""
        with tf.Session() as s:
            s.run(tf.global_variables_initializer())
            return s.run(fetches, feed)
