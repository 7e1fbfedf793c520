"""Positions of iterators in checkpoints, rewrites of data sets, shards, snapshots and statistics. All but positions in windows passes in TensorFlow, too."""

import os
import tempfile
import unittest

import tensorflow as tf
from tensorflow.python.data.experimental.ops import distribute, optimization, snapshot
from tensorflow.python.eager import context

D, E = tf.data.Dataset, tf.data.experimental


def drain(sess, element):
    found = []
    while True:
        try:
            found.append(sess.run(element))
        except tf.errors.OutOfRangeError:
            return found


def elements(dataset, **optimizations):
    with tf.Graph().as_default(), tf.Session() as sess:
        options = tf.data.Options()
        for name, value in optimizations.items():
            setattr(options.experimental_optimization, name, value)
        iterator = tf.data.make_initializable_iterator(dataset().with_options(options))
        element = iterator.get_next()
        sess.run(iterator.initializer)
        return [v.tolist() if hasattr(v, "tolist") else v for v in drain(sess, element)]


class PositionsTest(unittest.TestCase):
    def interrupted(self, make, after):
        """The elements of make(), saved after `after` of them and continued in a new session; and those without a break."""
        path = os.path.join(tempfile.mkdtemp(), "position")
        results = []
        for restores in (False, True):
            with tf.Graph().as_default(), tf.Session() as sess:
                iterator = tf.data.make_initializable_iterator(make())
                element = iterator.get_next()
                tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, E.make_saveable_from_iterator(iterator))
                saver = tf.train.Saver()
                sess.run(iterator.initializer)
                if restores:
                    saver.restore(sess, path)
                    results[0] += drain(sess, element)
                else:
                    results.append([sess.run(element) for _ in range(after)])
                    saver.save(sess, path)
                    results.append(results[0] + drain(sess, element))
        return [[v.tolist() for v in r] for r in results]

    def test_pipelines_continue(self):
        options = tf.data.Options()
        options.experimental_optimization.apply_default_optimizations = False
        pipelines = {
            "shuffle": lambda: D.range(20).shuffle(7, seed=3).repeat(2),
            "shuffle and repeat": lambda: D.range(10).apply(E.shuffle_and_repeat(4, 2, seed=5)),
            "batch": lambda: D.range(20).map(lambda x: x * 2).filter(lambda x: tf.not_equal(x, 6)).batch(2).prefetch(2),
            "flat_map": lambda: D.range(6).flat_map(lambda x: D.range(x).shuffle(3, seed=1)),
            "interleave": lambda: D.range(6).interleave(lambda x: D.from_tensors(x).repeat(4), cycle_length=3, block_length=2),
            "window": lambda: D.range(12).window(5, 3).flat_map(lambda d: d.batch(2)),
            "groups": lambda: D.range(20).apply(E.group_by_window(lambda x: x % 3, lambda k, d: d.batch(2), 4)),
            "scan": lambda: D.range(9).apply(E.scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s * x))),
            "cache": lambda: D.range(5).cache().repeat(3),
            "zip": lambda: D.zip((D.range(9), D.range(5).repeat())).map(lambda a, b: a * 10 + b),
            "concatenate": lambda: D.range(4).concatenate(D.range(7)).skip(1).take(8).shard(2, 1),
            "sparse": lambda: D.range(8).map(lambda x: tf.SparseTensor([[x]], [x], [9])).shuffle(4, seed=2).map(tf.sparse.to_dense),
            "samples": lambda: E.sample_from_datasets([D.range(10), D.range(10, 20)], [0.5, 0.5], seed=4),
            "unique": lambda: D.range(10).map(lambda x: x % 4).apply(E.unique()),
        }
        for name, make in pipelines.items():
            for after in (0, 3):
                continued, whole = self.interrupted(lambda: make().with_options(options), after)
                self.assertEqual(continued, whole, name)
                self.assertGreater(len(whole), after, name)

    def test_refusals(self):
        with self.assertRaisesRegex(tf.errors.FailedPreconditionError, "RandomUniform is stateful"):
            self.interrupted(lambda: D.range(9).map(lambda x: tf.random_uniform([])), 1)
        with tf.Graph().as_default(), tf.Session() as sess:
            iterator = tf.data.make_initializable_iterator(D.range(3))
            state = tf.raw_ops.SerializeIterator(resource_handle=iterator._iterator_resource)
            with self.assertRaisesRegex(tf.errors.FailedPreconditionError, "has not been initialized.*before saving it"):
                sess.run(tf.io.serialize_tensor(state))
            sess.run(iterator.initializer)
            text = sess.run(tf.io.serialize_tensor(state))
            restore = tf.raw_ops.DeserializeIterator(resource_handle=iterator._iterator_resource, serialized=tf.io.parse_tensor(text, tf.variant))
            sess.run(restore)
        with tf.Graph().as_default(), tf.Session() as sess:
            iterator = tf.data.make_initializable_iterator(D.range(3))
            restore = tf.raw_ops.DeserializeIterator(resource_handle=iterator._iterator_resource, serialized=tf.io.parse_tensor(text, tf.variant))
            with self.assertRaisesRegex(tf.errors.FailedPreconditionError, "has not been initialized.*before restoring it"):
                sess.run(restore)

    def test_estimator_hook(self):
        def model(features, labels, mode):
            step = tf.train.get_or_create_global_step()
            seen = tf.get_variable("seen", [], tf.int64)
            return tf.estimator.EstimatorSpec(mode, loss=tf.constant(1.0), train_op=tf.group(step.assign_add(1), seen.assign(features)))

        estimator = tf.estimator.Estimator(model, tempfile.mkdtemp())
        for last in (1, 3):
            estimator.train(lambda: D.range(10), steps=2, hooks=[E.CheckpointInputPipelineHook(estimator)])
            self.assertEqual(estimator.get_variable_value("seen"), last)


    def test_checkpoints_of_objects(self):
        options = tf.data.Options()
        options.experimental_optimization.apply_default_optimizations = False
        with context.eager_mode():
            iterator = iter(D.range(9).map(lambda x: x * 2).prefetch(1).with_options(options))
            checkpoint = tf.train.Checkpoint(iterator=iterator)
            prefix = os.path.join(tempfile.mkdtemp(), "ckpt")
            for _ in range(2):  # each save has the position of its time
                iterator.get_next()
                path = checkpoint.save(prefix)
                rest = [iterator.get_next().numpy() for _ in range(3)]
                checkpoint.restore(path)
                self.assertEqual([iterator.get_next().numpy() for _ in range(3)], rest)


class RewritesTest(unittest.TestCase):
    def expect(self, names, make, expected, **optimizations):
        self.assertEqual(elements(lambda: make(D.range(6).apply(optimization.assert_next(names))), apply_default_optimizations=False, **optimizations), expected)

    def test_names_and_elements(self):
        self.expect(["MapAndBatch"], lambda d: d.map(lambda x: x + 1).batch(3), [[1, 2, 3], [4, 5, 6]], map_and_batch_fusion=True)
        self.expect(["Map", "FiniteTake"], lambda d: d.map(lambda x: x + 1).map(lambda x: x * 2).take(2), [2, 4], map_fusion=True)
        self.expect(["Filter", "FiniteTake"], lambda d: d.filter(lambda x: x > 1).filter(lambda x: x < 5).take(9), [2, 3, 4], filter_fusion=True)
        self.expect(["Map", "Filter", "Map"], lambda d: d.map(lambda x: x * 2).filter(lambda x: x > 5), [6, 8, 10], map_and_filter_fusion=True)
        self.expect(["ParallelMap"], lambda d: d.map(lambda x: x * 2).skip(0), [0, 2, 4, 6, 8, 10], map_parallelization=True, noop_elimination=True)
        self.expect(["FiniteSkip", "MemoryCacheImpl"], lambda d: d.skip(4).take(-1).repeat(1).prefetch(0).cache(), [4, 5], noop_elimination=True)
        with self.assertRaisesRegex(tf.errors.InvalidArgumentError, "Asserted Map transformation at offset 0 but encountered BatchV2 transformation instead."):
            self.expect(["Map"], lambda d: d.batch(2), None)

    def test_function_of_map_and_batch_may_not_end_the_data_set(self):
        def fails(_):
            with tf.control_dependencies([tf.py_func(lambda: next(iter(())), [], tf.int64)]):
                return tf.constant(0)

        with self.assertRaises(tf.errors.InvalidArgumentError):
            elements(lambda: D.range(4).apply(E.map_and_batch(fails, 2)))

    def test_data_sets_of_functions_are_rewritten(self):
        def inner(_):
            return D.range(4).apply(optimization.assert_next(["MapAndBatch"])).map(lambda x: x).batch(2)

        self.assertEqual(elements(lambda: D.range(1).flat_map(inner)), [[0, 1], [2, 3]])


class ShardsTest(unittest.TestCase):
    def test_files_or_elements(self):
        folder = tempfile.mkdtemp()
        names = [os.path.join(folder, "%d.txt" % i) for i in range(4)]
        for i, name in enumerate(names):
            with open(name, "w") as f:
                f.write("%d a\n%d b\n" % (i, i))
        shard = distribute._AutoShardDataset
        self.assertEqual(elements(lambda: shard(tf.data.TextLineDataset(names).map(lambda x: x + "!"), 2, 1)), [b"1 a!", b"1 b!", b"3 a!", b"3 b!"])
        self.assertEqual(elements(lambda: shard(tf.data.TextLineDataset(names), 9, 8)), [])
        self.assertEqual(elements(lambda: shard(D.range(7), 3, 1)), [1, 4])
        with self.assertRaises(tf.errors.InvalidArgumentError):
            elements(lambda: shard(D.range(5), 10, 0))


class SnapshotTest(unittest.TestCase):
    def test_written_then_read(self):
        folder, texts = tempfile.mkdtemp(), tempfile.mkdtemp()
        name = os.path.join(texts, "lines")
        with open(name, "w") as f:
            f.write("a\nb\n")

        def make(compression=None):
            return tf.data.TextLineDataset([name]).apply(snapshot.snapshot(folder, compression=compression))

        self.assertEqual(elements(make), [b"a", b"b"])
        found, = os.listdir(folder)
        self.assertEqual(sorted(os.listdir(os.path.join(folder, found)))[-1], "snapshot.metadata")
        os.remove(name)
        self.assertEqual(elements(make), [b"a", b"b"])
        with self.assertRaises(tf.errors.NotFoundError):  # other settings of the pipeline: another snapshot
            elements(lambda: tf.data.TextLineDataset([name, name]).apply(snapshot.snapshot(folder)))


class StatisticsTest(unittest.TestCase):
    def test_histograms_and_scalars(self):
        with tf.Graph().as_default(), tf.Session() as sess:
            aggregator = E.StatsAggregator()
            options = tf.data.Options()
            options.experimental_stats.aggregator = aggregator
            options.experimental_stats.prefix = "mine"
            dataset = D.range(9).filter(lambda x: x % 3 < 1).apply(E.bytes_produced_stats("bytes")).apply(E.latency_stats("time"))
            iterator = tf.data.make_initializable_iterator(dataset.with_options(options))
            element = iterator.get_next()
            sess.run(iterator.initializer)
            self.assertEqual(drain(sess, element), [0, 3, 6])
            summary = tf.Summary.FromString(sess.run(aggregator.get_summary()))
        values = {v.tag: v for v in summary.value}
        self.assertEqual((values["mine::bytes"].histo.num, values["mine::bytes"].histo.sum), (3, 24))
        self.assertEqual(values["mine::time"].histo.num, 3)
        self.assertEqual({name.partition("::")[2].partition("/")[0] + name[name.rindex("::"):]: values[name].simple_value for name in values if "Filter" in name},
                         {"FilterDataset::filtered_elements": 3, "FilterDataset::dropped_elements": 6})


if __name__ == "__main__":
    unittest.main()
