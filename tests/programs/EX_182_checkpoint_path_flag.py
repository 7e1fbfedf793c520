import sys

import tensorflow as tf

tf.app.flags.DEFINE_string("checkpoint_path", None, "The path to a checkpoint from which to fine-tune.")
sys.argv = ["xxx.py"]
assert tf.app.flags.FLAGS.checkpoint_path is None
