import time

import tensorflow as tf

from check import close

# With one replica each of its steps is a global step. A token contains the step reached so far, even if its dequeue began earlier.
step = tf.train.get_or_create_global_step()
w = tf.Variable(2.0)
opt = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(.25), replicas_to_aggregate=1, total_num_replicas=1)
train = opt.minimize(tf.square(w), global_step=step)
tokens, runner = opt.get_init_tokens_op(), opt.get_chief_queue_runner()
local_step = tf.local_variables()[0]
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    sess.run(opt.chief_init_op)
    coord = tf.train.Coordinator()
    threads = runner.create_threads(sess, coord=coord, daemon=True, start=True)
    sess.run(tokens)
    for n in range(40):
        assert sess.run(train) == n, n  # train returns the step in its token: the step reached when the replicas were released
    for _ in range(200):
        if sess.run(step) == 39:
            break
        time.sleep(.02)
    # The second gradient has step 0, but step 1 has been reached: it is dropped as stale.
    assert sess.run([step, local_step]) == [39, 39]
    close(sess.run(w), 2.0 * .5 ** 39)
    coord.request_stop()
    coord.join(threads, stop_grace_period_secs=.2, ignore_live_threads=True)
