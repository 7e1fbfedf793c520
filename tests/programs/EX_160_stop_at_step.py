import tensorflow as tf

from check import run

step = tf.train.get_or_create_global_step()
up = tf.assign_add(step, 1)
runs = []
with tf.train.MonitoredTrainingSession(hooks=[tf.train.StopAtStepHook(last_step=5)]) as sess:
    while not sess.should_stop() and len(runs) < 10:
        runs.append(int(sess.run(up)))
assert runs == [1, 2, 3, 4, 5]
