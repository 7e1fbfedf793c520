import tensorflow as tf

from check import close, raises

raises(SyntaxError, "positional argument follows keyword argument", lambda: compile('tf.summary.FileWriter(logdir="log", sess.graph)', "line", "eval"))
with tf.Session() as sess:
    tf.summary.FileWriter("log", sess.graph).close()
