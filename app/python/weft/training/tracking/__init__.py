"""Objects whose values are saved by what they are to each other, not by names: tf.train.Checkpoint, tf.Module."""
