import numpy as np
import tensorflow as tf

from check import close, run

x = tf.constant([-2., -.5, 0., .5, 2., 7.])
n = tf.nn
relu, relu6, elu, softplus, softsign, crelu, sigmoid, tanh = run([n.relu(x), n.relu6(x), n.elu(x), n.softplus(x), n.softsign(x), n.crelu(x), n.sigmoid(x), n.tanh(x)])
close(relu, [0, 0, 0, .5, 2, 7])
close(relu6, [0, 0, 0, .5, 2, 6])
close(elu, [-0.86466473, -0.39346933, 0, .5, 2, 7])
close(softplus, [0.126928, 0.474077, 0.6931472, 0.974077, 2.126928, 7.000911], 1e-5)
close(softsign, [-0.6666667, -1 / 3, 0, 1 / 3, 2 / 3, .875])
close(crelu, [0, 0, 0, .5, 2, 7, 2, .5, 0, 0, 0, 0])
values = np.array([-2., -.5, 0., .5, 2., 7.])
close(sigmoid, 1 / (1 + np.exp(-values)))
close(tanh, np.tanh(values))
