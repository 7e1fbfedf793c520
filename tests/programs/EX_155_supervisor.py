import tensorflow as tf

from check import run


def train(steps):
    with tf.Graph().as_default():
        a, b = tf.Variable(1, name="a"), tf.Variable(2, name="b")
        c = tf.assign_add(a, b)
        summary = tf.summary.scalar("a", a)
        sv = tf.train.Supervisor(logdir="log", init_op=tf.global_variables_initializer(), summary_op=None)
        got = []
        with sv.managed_session() as sess:
            for i in range(steps):
                got.append(int(sess.run(c)))
                if i % 10 == 0:
                    sv.summary_computed(sess, sess.run(summary), global_step=i)
            sv.saver.save(sess, "log/model.ckpt", global_step=steps)
        return got


assert train(1000) == list(range(3, 2002, 2))
assert train(2) == [2003, 2005]
