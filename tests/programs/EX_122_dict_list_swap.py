from tensorflow.python.tools.inspect_checkpoint import print_tensors_in_checkpoint_file
import contextlib
import io
import os

import tensorflow as tf

from check import run

os.mkdir("test-ckpt")


def printed(path):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        print_tensors_in_checkpoint_file(path, None, True)
    return [line for line in out.getvalue().split("\n") if line and not line.startswith("#")]


v1, v2 = tf.Variable(1.0, name="v1"), tf.Variable(2.0, name="v2")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    tf.train.Saver({"variable_1": v1, "variable_2": v2}).save(sess, "test-ckpt/model-1")
    assert printed("test-ckpt/model-1") == ["tensor_name:  variable_1", "1.0", "tensor_name:  variable_2", "2.0"]
    tf.train.Saver([v1, v2]).save(sess, "test-ckpt/model-2")
    assert printed("test-ckpt/model-2") == ["tensor_name:  v1", "1.0", "tensor_name:  v2", "2.0"]
    tf.train.Saver({"variable_1": v2, "variable_2": v1}).restore(sess, "test-ckpt/model-1")
    assert [float(x) for x in sess.run([v1, v2])] == [2.0, 1.0]
