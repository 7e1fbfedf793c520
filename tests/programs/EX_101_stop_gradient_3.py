import tensorflow as tf

from check import close, raises, run

w1, w2 = tf.Variable(2.0), tf.Variable(2.0)
a = tf.multiply(w1, 3.0)
b = tf.multiply(tf.stop_gradient(a), w2)
opt = tf.train.GradientDescentOptimizer(0.1)
gradients = tf.gradients(b, xs=tf.trainable_variables())
raises(AttributeError, "'NoneType' object has no attribute 'name'", lambda: [tf.summary.histogram(g.name, g) for g in gradients])
train_op = opt.apply_gradients(zip(gradients, tf.trainable_variables()))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    assert gradients[0] is None and isinstance(gradients[1], tf.Tensor) and sess.run(train_op) is None
    close(sess.run(tf.trainable_variables()), [2.0, 1.4])
