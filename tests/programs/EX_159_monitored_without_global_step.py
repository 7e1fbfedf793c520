import tensorflow as tf

from check import raises

tf.Variable(1.0)
raises(RuntimeError, "Global step should be created to use", lambda: tf.train.MonitoredTrainingSession(checkpoint_dir="ck"))
