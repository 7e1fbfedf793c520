import tensorflow as tf

from check import close, run

x = tf.reshape(tf.range(1., 8.), [1, 1, 1, 7])
alexnet = tf.nn.lrn(x, depth_radius=2, bias=2., alpha=1e-4, beta=.75)
close(run(alexnet).ravel(), [0.5942916, 1.187871, 1.7801404, 2.3704186, 2.9580552, 3.5508567, 4.1451379], 1e-5)
close(run(tf.nn.lrn(x)).ravel(), [0.10425721, 0.16843038, 0.25264558, 0.33686077, 0.42107596, 0.50529115, 0.59160798], 1e-5)
