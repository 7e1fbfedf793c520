"""Paths with file:// in all places that accept paths: weft py file_uri_test.py"""

import os
import tempfile
import unittest

import tensorflow as tf


class UriTest(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()
        self.folder = tempfile.mkdtemp()
        self.uri = "file://" + self.folder
        with tf.gfile.GFile(self.uri + "/a.txt", "w") as f:
            f.write("l1\nl2\n")
        self.session = tf.Session()

    def tearDown(self):
        self.session.close()
        self.assertFalse(os.path.exists("file:"), "a folder of that name was made in the working directory")

    def next(self, data):
        return self.session.run(tf.data.make_one_shot_iterator(data).get_next())

    def test_gfile(self):
        g = tf.gfile
        self.assertEqual(g.Glob(self.uri + "/*.txt"), [self.uri + "/a.txt"])
        self.assertEqual(list(g.Walk(self.uri)), [(self.uri, [], ["a.txt"])])
        self.assertTrue(g.Exists("file://localhost" + self.folder + "/a.txt"))
        self.assertFalse(g.Exists("file:" + self.folder + "/a.txt"))
        with self.assertRaisesRegex(tf.errors.NotFoundError, "^%s/no; No such file" % self.uri):
            g.Stat(self.uri + "/no")
        with self.assertRaisesRegex(tf.errors.UnimplementedError, "File system scheme 'foo' not implemented"):
            g.Exists("foo://bar/a")

    def test_ops(self):
        run = self.session.run
        self.assertEqual(run(tf.read_file(self.uri + "/a.txt")), b"l1\nl2\n")
        run(tf.write_file(self.uri + "/sub/b.txt", "x"))
        self.assertEqual(run(tf.matching_files([self.uri + "/sub/*", self.folder + "/*.txt"])).tolist(),
                         [(self.folder + "/a.txt").encode(), (self.uri + "/sub/b.txt").encode()])
        with self.assertRaisesRegex(tf.errors.NotFoundError, self.uri + "/no"):
            run(tf.read_file(self.uri + "/no"))
        with self.assertRaisesRegex(tf.errors.UnimplementedError, "scheme 'foo' not implemented"):
            run(tf.read_file("foo://host/a"))

    def test_data(self):
        with tf.python_io.TFRecordWriter(self.uri + "/r") as writer:
            writer.write(b"rec")
        self.assertEqual(list(tf.python_io.tf_record_iterator(self.uri + "/r")), [b"rec"])
        self.assertEqual(self.next(tf.data.TFRecordDataset(self.uri + "/r")), b"rec")
        self.assertEqual(self.next(tf.data.TextLineDataset(self.uri + "/a.txt")), b"l1")
        self.assertEqual(self.next(tf.data.FixedLengthRecordDataset(self.uri + "/a.txt", 3)), b"l1\n")
        self.assertEqual(self.next(tf.data.Dataset.list_files(self.uri + "/*.txt")), (self.uri + "/a.txt").encode())
        found = tf.contrib.lookup.index_table_from_file(self.uri + "/a.txt").lookup(tf.constant(["l2"]))
        self.session.run(tf.tables_initializer())
        self.assertEqual(self.session.run(found), [1])

    def test_a_closed_writer(self):
        writer = tf.python_io.TFRecordWriter(self.uri + "/r")
        writer.close()
        self.assertRaises(tf.errors.FailedPreconditionError, writer.flush)
        self.assertRaises(tf.errors.FailedPreconditionError, writer.write, b"x")

    def test_savers_and_models(self):
        v = tf.Variable([1., 2.], name="v")
        self.session.run(v.initializer)
        saver = tf.train.Saver()
        path = saver.save(self.session, self.uri + "/m/model.ckpt", global_step=3)
        self.assertEqual(path, self.uri + "/m/model.ckpt-3")
        self.assertEqual(sorted(os.listdir(self.folder + "/m"))[0], "checkpoint")
        self.assertEqual(tf.train.latest_checkpoint(self.uri + "/m"), path)
        self.assertEqual(tf.train.latest_checkpoint(self.folder + "/m"), self.folder + "/m/model.ckpt-3")
        saver.restore(self.session, path)
        self.assertEqual(tf.train.load_variable(self.uri + "/m", "v").tolist(), [1., 2.])
        self.assertEqual(tf.train.list_variables(self.uri + "/m"), [("v", [2])])
        x = tf.placeholder(tf.float32, [None])
        tf.saved_model.simple_save(self.session, self.uri + "/sm", {"x": x}, {"y": x * 2})
        for place in (self.uri + "/sm", (self.uri + "/sm").encode(), (self.folder + "/sm").encode()):
            with tf.Session(graph=tf.Graph()) as session:
                self.assertEqual(list(tf.saved_model.loader.load(session, ["serve"], place).signature_def), ["serving_default"])
        writer = tf.summary.FileWriter(self.uri + "/ev")
        writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="a", simple_value=1)]), 1)
        writer.close()
        self.assertEqual([n.split(".")[0] for n in os.listdir(self.folder + "/ev")], ["events"])

    def test_estimators(self):
        def model(features, labels, mode):
            w = tf.get_variable("w", [])
            step = tf.train.GradientDescentOptimizer(.1).minimize(tf.square(w), tf.train.get_global_step())
            return tf.estimator.EstimatorSpec(mode, loss=tf.square(w), predictions={"w": w + features}, train_op=step)

        feed = lambda: tf.data.Dataset.from_tensors([1.]).repeat()
        estimator = tf.estimator.Estimator(model, self.uri + "/est")
        estimator.train(feed, steps=2)
        estimator.evaluate(feed, steps=1)
        self.assertEqual(estimator.latest_checkpoint(), self.uri + "/est/model.ckpt-2")
        self.assertIn("eval", os.listdir(self.folder + "/est"))


if __name__ == "__main__":
    unittest.main()
