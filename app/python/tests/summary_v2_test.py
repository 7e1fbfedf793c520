"""tf.compat.v2.summary and tf.contrib.summary: what they write, eagerly, in functions and in graphs. Numbers are those of TensorFlow 1.15.5 with TensorBoard: weft py summary_v2_test.py"""

import glob
import os
import tempfile
import unittest

import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
summary = tf.compat.v2.summary


def written(folder):
    """(step, tag, plugin, value) of each summary in a folder's files."""
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "*"))):
        for event in tf.train.summary_iterator(path):
            for value in event.summary.value:
                found.append((event.step, value.tag, value.metadata.plugin_data.plugin_name, tf.make_ndarray(value.tensor).tolist() if value.HasField("tensor") else value.simple_value))
    return found


class Summaries(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        summary.experimental.set_step(None)

    def test_kinds(self):
        with summary.create_file_writer(self.folder).as_default():
            self.assertTrue(summary.scalar("loss", 2, step=3).numpy())
            summary.histogram("weights", [0.0, 1.0, 1.0, 4.0], step=3, buckets=2)
            summary.histogram("same", [2.0, 2.0], step=3)
            summary.histogram("none", tf.zeros([0]), step=3)
            summary.text("note", "hello", step=4, description="a note")
            summary.image("picture", np.zeros([2, 3, 4, 1], np.float32), step=5, max_outputs=1)
        found = {tag: (step, plugin, value) for step, tag, plugin, value in written(self.folder)}
        self.assertEqual(found["loss"], (3, "scalars", 2.0))
        self.assertEqual(found["weights"], (3, "histograms", [[0.0, 2.0, 3.0], [2.0, 4.0, 1.0]]))
        self.assertEqual(found["same"][2], [[1.5, 2.5, 2.0]])
        self.assertEqual(found["none"][2], [])
        self.assertEqual(found["note"], (4, "text", b"hello"))
        step, plugin, value = found["picture"]
        self.assertEqual((step, plugin, value[:2], len(value), value[2][:4]), (5, "images", [b"4", b"3"], 3, b"\x89PNG"))

    def test_steps_and_conditions(self):
        with summary.create_file_writer(self.folder).as_default():
            with self.assertRaisesRegex(ValueError, "No step set via 'step' argument"):
                summary.scalar("a", 1.0)
            summary.experimental.set_step(7)
            summary.scalar("a", 1.0)
            with summary.record_if(False):
                self.assertFalse(summary.scalar("hidden", 1.0).numpy())
            with tf.name_scope("outer"):
                summary.scalar("b c", 2.0, step=8)
        self.assertEqual([row[:2] for row in written(self.folder)], [(7, "a"), (8, "outer/b c")])
        self.assertFalse(summary.scalar("without a writer", 1.0, step=1).numpy())

    def test_in_a_function(self):
        writer = summary.create_file_writer(self.folder)

        @tf.function
        def step(i):
            with writer.as_default(), summary.record_if(tf.equal(i % 2, 0)):
                summary.scalar("i", i, step=i)

        for i in range(4):
            step(tf.constant(i, tf.int64))
        writer.close()
        self.assertEqual([(row[0], row[3]) for row in written(self.folder)], [(0, 0.0), (2, 2.0)])
        with self.assertRaisesRegex(RuntimeError, "SummaryWriter is already closed"):
            writer.set_as_default()
        with self.assertRaisesRegex(ValueError, "logdir cannot be None"):
            summary.create_file_writer(None)

    def test_in_a_graph(self):
        with tf.Graph().as_default(), tf.Session() as session:
            writer = summary.create_file_writer(self.folder)
            with writer.as_default():
                made = summary.scalar("loss", tf.constant(4.0), step=9)
            self.assertEqual(tf.summary.all_v2_summary_ops(), [made])
            session.run(writer.init())
            self.assertTrue(session.run(made))
            session.run(writer.close())
        self.assertEqual(written(self.folder), [(9, "loss", "scalars", 4.0)])

    def test_of_contrib_while_execution_is_eager(self):
        step = tf.train.get_or_create_global_step()
        with tf.contrib.summary.create_file_writer(self.folder).as_default(), tf.contrib.summary.record_summaries_every_n_global_steps(2):
            for _ in range(4):
                step.assign_add(1)
                tf.contrib.summary.scalar("loss", 0.5)
        self.assertEqual(written(self.folder), [(2, "loss", "", 0.5), (4, "loss", "", 0.5)])
        self.assertIsNone(tf.contrib.summary.all_summary_ops())


if __name__ == "__main__":
    unittest.main()
