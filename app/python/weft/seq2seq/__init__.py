"""tf.contrib.seq2seq: attention, decoders, losses of sequences."""
