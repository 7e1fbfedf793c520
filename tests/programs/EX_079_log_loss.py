import tensorflow as tf

from check import close, raises, run

y, p = [1., 0., 1., 0.], [.9, .1, .8, .3]
raises(ValueError, "Invalid Reduction Key None.", lambda: tf.losses.log_loss(y, p, reduction=None))
each = run(tf.losses.log_loss(y, p, reduction=tf.losses.Reduction.NONE))
close(each, [0.10536041, 0.10536041, 0.22314337, 0.3566748], 1e-5)
close(each.sum(), 0.79053897, 1e-5)
close(run(tf.losses.log_loss(y, p)), 0.19763474, 1e-5)
