"""tf.test.TestCase's assertions. Passes in TensorFlow 1.15.5, too."""

import sys

import numpy as np
import tensorflow as tf


class Assertions(tf.test.TestCase):
    def fails(self, assertion, *args, **kwargs):
        with self.assertRaises(AssertionError):
            assertion(*args, **kwargs)

    def testStructuresOfTensorsAndNumbers(self):
        self.assertAllClose({"a": [1.0, 2.0], "b": tf.constant(3.0)}, {"a": [1.0, 2.0], "b": 3.0})
        self.assertAllClose([[1.0], [2.0, 3.0]], [[1.0], [2.0, 3.0 + 1e-7]])
        self.fails(self.assertAllClose, {"a": [1.0]}, {"b": [1.0]})
        self.fails(self.assertAllClose, [1.0], [2.0])
        with self.assertRaisesRegex(ValueError, "Can't compare dict to non-dict"):
            self.assertAllClose({"a": 1.0}, [1.0])

    def testTolerancesFollowTypes(self):
        self.assertAllCloseAccordingToType(np.float16([1.0]), np.float16([1.001]))
        self.fails(self.assertAllCloseAccordingToType, np.float32([1.0]), np.float32([1.001]))
        self.assertNotAllClose([1.0], [1.1])

    def testEqualValues(self):
        self.assertAllEqual(tf.constant([1, 2]), [1, 2])
        self.assertAllEqual([np.nan], [np.nan])
        self.assertAllEqual(tf.constant([b"a"]), [b"a"])
        self.fails(self.assertAllEqual, tf.constant(["a"]), ["a"])  # bytes are no text
        self.fails(self.assertAllEqual, [1, 2], [1])
        self.assertNotAllEqual([1], [2])

    def testRaggedValues(self):
        ragged = tf.ragged.constant([[1], [2, 3]])
        self.assertAllEqual(ragged, [[1], [2, 3]])
        self.assertAllClose(ragged, tf.ragged.constant([[1], [2, 3]]))
        self.fails(self.assertAllEqual, ragged, [[1], [2]])

    def testRangesAndSets(self):
        self.assertAllInRange([1, 2], 1, 2)
        self.fails(self.assertAllInRange, [1, 2], 1, 2, open_upper_bound=True)
        self.fails(self.assertAllInRange, [1.0, np.nan], 0, 2)
        self.fails(self.assertAllInRange, ["a"], 0, 2)
        self.assertAllInSet([1, 2, 1], [1, 2])
        self.fails(self.assertAllInSet, [3], [1, 2])
        self.assertAllGreater([2, 3], 1)
        self.fails(self.assertAllLess, [2, 3], 3)

    def testMessages(self):
        self.assertProtoEqualsVersion("node { name: 'c' op: 'NoOp' }", self.graph_of("c"))
        self.fails(self.assertProtoEqualsVersion, "node { name: 'd' op: 'NoOp' }", self.graph_of("c"))
        self.assertProtoEquals("intra_op_parallelism_threads: 2", tf.ConfigProto(intra_op_parallelism_threads=2))

    def testSetUpClearsGraphs(self):
        from tensorflow.python.eager import context

        left = tf.Graph()
        left.as_default().__enter__()
        self.setUp()
        self.assertIsNot(tf.get_default_graph(), left)
        with tf.Graph().as_default(), context.eager_mode():
            self.setUp()
            self.assertTrue(tf.executing_eagerly())
        self.assertFalse(tf.executing_eagerly())

    def testEagerValues(self):
        from tensorflow.python.eager import context
        from tensorflow.python.framework import ops

        graph = tf.Graph()
        with graph.as_default(), context.eager_mode():
            sparse = tf.SparseTensor([[1]], [2], [3])
            found = self.evaluate({"a": [tf.constant(1), None], "s": sparse, "f": lambda: tf.constant(3), "r": tf.ragged.constant([[1], [2, 3]])})
            self.assertEqual((found["a"], found["f"]), ([1, None], 3))
            self.assertIsInstance(found["s"], tf.SparseTensorValue)
            self.assertEqual(found["r"].to_list(), [[1], [2, 3]])
            with self.assertRaises(ValueError):
                self.evaluate("text")
        ops.dismantle_graph(graph)

    def graph_of(self, name):
        with tf.Graph().as_default() as graph:
            tf.no_op(name=name)
        return graph.as_graph_def()

    def testContainers(self):
        self.assertLen([1], 1)
        self.fails(self.assertLen, [1], 2)
        self.assertEmpty([])
        self.assertNotEmpty([0])
        self.assertItemsEqual([1, 2], [2, 1])
        self.assertContainsSubset([1], [1, 2])
        self.fails(self.assertContainsSubset, [3], [1, 2])
        self.assertBetween(2, 1, 3)
        self.assertStartsWith("abc", "ab")
        self.assertDeviceEqual("/cpu:0", "/device:CPU:0")
        self.assertShapeEqual(np.ones((2, 3)), tf.ones([2, 3]))
        self.assertDTypeEqual(tf.ones([2]), np.float32)

    def testThreads(self):
        good = self.checkedThread(lambda: None)
        good.start()
        good.join()
        bad = self.checkedThread(lambda: 1 / 0)
        bad.start()
        self.fails(bad.join)

    def testStreams(self):
        with self.captureWritesToStream(sys.stderr) as captured:
            sys.stderr.write("written")
            sys.stderr.flush()
        self.assertEqual(captured.contents(), "written")

    def testErrorsOfOps(self):
        with self.session():
            with self.assertRaisesOpError("Tensor had NaN"):
                tf.check_numerics(tf.constant(np.nan), "bad").eval()
            with self.assertRaises(AssertionError):
                with self.assertRaisesOpError("something else"):
                    tf.check_numerics(tf.constant(np.nan), "bad").eval()


class Gradients(tf.test.TestCase):
    def testComplexNumbersCountTwice(self):
        with self.session():
            x = tf.placeholder(tf.complex64, [2])
            by_gradients, by_differences = tf.test.compute_gradient(x, [2], x * x * (1 + 2j), [2])
        self.assertEqual(by_gradients.shape, (4, 4))
        self.assertAllClose(by_gradients, by_differences, rtol=1e-2, atol=1e-2)

    def testListsOfTensors(self):
        with self.session():
            a, b = tf.constant(np.ones((2, 2))), tf.constant(np.ones((2, 3)))
            pairs = tf.test.compute_gradient([a, b], [[2, 2], [2, 3]], tf.matmul(a, b), [2, 3])
            self.assertEqual([pair[0].shape for pair in pairs], [(4, 6), (6, 6)])
            self.assertLess(tf.test.compute_gradient_error([a, b], [[2, 2], [2, 3]], tf.matmul(a, b), [2, 3]), 1e-6)

    def testSparseGradients(self):
        with self.session():
            table = tf.Variable(tf.ones([4, 2]))
            tf.global_variables_initializer().run()
            error = tf.test.compute_gradient_error(table, [4, 2], tf.gather(table, [1, 1]), [2, 2], x_init_value=np.ones((4, 2), np.float32))
            self.assertLess(error, 1e-2)

    def testOnlyFloatingPoint(self):
        with self.session():
            with self.assertRaisesRegex(AssertionError, "Don't support type int32 for x"):
                tf.test.compute_gradient(tf.placeholder(tf.int32, [1]), [1], tf.ones([1]), [1])


if __name__ == "__main__":
    tf.test.main()
