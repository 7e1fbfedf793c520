"""tf.compat.v2: the names of TensorFlow 2 in TensorFlow 1.15. names.tsv lists them; most are those of tf."""
