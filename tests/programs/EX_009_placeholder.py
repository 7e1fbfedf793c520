import tensorflow as tf

A = tf.placeholder(tf.float32, (None, 3))
B = A + 5
with tf.Session():
    assert B.eval(feed_dict={A: [[1, 2, 3]]}).tolist() == [[6, 7, 8]]
    assert B.eval(feed_dict={A: [[4, 5, 6], [7, 8, 9]]}).tolist() == [[9, 10, 11], [12, 13, 14]]
