import numpy as np
import tensorflow as tf

from check import close, run

labels, predictions = np.array([4., 2., 6.]), np.array([2., 1., 3.])
close(run(tf.losses.huber_loss(labels, predictions)), np.mean([1.5, .5, 2.5]))
