"""A straight line, found by gradient descent."""
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None], name="x")
y = tf.placeholder(tf.float32, [None], name="y")
with tf.name_scope("line"):
    slope = tf.Variable(0.0, name="slope")
    offset = tf.Variable(0.0, name="offset")
    guess = x * slope + offset
loss = tf.losses.mean_squared_error(y, guess)
train = tf.train.GradientDescentOptimizer(0.05).minimize(loss)

points = np.linspace(-2, 2, 64).astype(np.float32)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(201):
        _, value = session.run([train, loss], {x: points, y: 3 * points - 1})
        if step % 25 == 0:
            print("step %3d   loss %.5f" % (step, value))
    print("slope %.3f, offset %.3f" % tuple(session.run([slope, offset])))
