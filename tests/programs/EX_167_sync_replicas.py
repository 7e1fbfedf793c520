import time

import tensorflow as tf

from check import close


def train(replicas, steps):
    with tf.Graph().as_default():
        step = tf.train.get_or_create_global_step()
        w = tf.Variable(2.0)
        opt = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(.25), replicas_to_aggregate=replicas, total_num_replicas=replicas)
        update = opt.minimize(tf.square(w), global_step=step)
        tokens, runner = opt.get_init_tokens_op(), opt.get_chief_queue_runner()
        init = [tf.global_variables_initializer(), tf.local_variables_initializer()]
        with tf.Session() as sess:
            sess.run(init)
            sess.run(opt.chief_init_op)
            coord = tf.train.Coordinator()
            threads = runner.create_threads(sess, coord=coord, daemon=True, start=True)
            sess.run(tokens)
            for done in range(steps):
                for _ in range(replicas):
                    sess.run(update, options=tf.RunOptions(timeout_in_ms=20000))
                for _ in range(500):
                    if sess.run(step) == done + 1:
                        break
                    time.sleep(.02)
                assert sess.run(step) == done + 1, (replicas, done, sess.run(step))
            close(sess.run(w), 2.0 * .5 ** steps)
            coord.request_stop()
            coord.join(threads, stop_grace_period_secs=.2, ignore_live_threads=True)  # it waits for gradients that nobody sends any more


train(replicas=1, steps=6)
train(replicas=2, steps=1)
