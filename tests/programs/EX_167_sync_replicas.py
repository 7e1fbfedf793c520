import time

import tensorflow as tf

from check import close, run

step = tf.train.get_or_create_global_step()
w = tf.Variable(2.0)
opt = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(.25), replicas_to_aggregate=2, total_num_replicas=2)
train = opt.minimize(tf.square(w), global_step=step)
tokens, runner = opt.get_init_tokens_op(), opt.get_chief_queue_runner()
init = [tf.global_variables_initializer(), tf.local_variables_initializer()]
with tf.Session() as sess:
    sess.run(init)
    sess.run(opt.chief_init_op)
    coord = tf.train.Coordinator()
    threads = runner.create_threads(sess, coord=coord, daemon=True, start=True)
    sess.run(tokens)
    for _ in range(2):
        sess.run(train)
    for _ in range(200):
        if sess.run(step) == 1:
            break
        time.sleep(.02)
    assert sess.run(step) == 1
    close(sess.run(w), 1.0)
    coord.request_stop()
    coord.join(threads, stop_grace_period_secs=.2, ignore_live_threads=True)  # one may still wait for gradients that will not arrive
