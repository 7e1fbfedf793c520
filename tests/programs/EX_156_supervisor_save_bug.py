import tensorflow as tf

from check import raises

v = tf.Variable(1)
sv = tf.train.Supervisor(logdir="log")
with sv.managed_session() as sess:
    raises(TypeError, "save() got an unexpected keyword argument 'logdir'", lambda: sv.saver.save(sess, logdir="log", global_step=1))
