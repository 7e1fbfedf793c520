import tensorflow as tf

from check import close, run

labels, logits = tf.constant([1., 0., 1.]), tf.constant([.5, -2., 2.])
close(run(tf.losses.hinge_loss(labels, logits, reduction=tf.losses.Reduction.NONE)), [.5, 0, 0])
close(run(tf.losses.hinge_loss(labels, logits)), 0.16666667)
close(run(tf.maximum(0., 1. - labels * logits)), [.5, 1, 0])
