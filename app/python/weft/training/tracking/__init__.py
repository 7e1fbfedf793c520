"""Objects saved by their dependencies instead of by name: tf.train.Checkpoint, tf.Module."""
