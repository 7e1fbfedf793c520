"""tf.distributions: random variables that sample, score and compare."""
