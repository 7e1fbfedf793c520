"""Synchronous between-graph training: the chief starts the queue runner that applies the gradients, and puts in the first tokens."""
import json
import time

import numpy as np
import tensorflow as tf

tf.app.flags.DEFINE_string("ps_hosts", "", "Comma-separated list of hostname:port pairs")
tf.app.flags.DEFINE_string("worker_hosts", "", "Comma-separated list of hostname:port pairs")
tf.app.flags.DEFINE_string("job_name", "", "One of 'ps', 'worker'")
tf.app.flags.DEFINE_integer("task_index", 0, "Index of task within the job")
tf.app.flags.DEFINE_string("logdir", "/tmp/train_logs", "A folder that all tasks share")
tf.app.flags.DEFINE_integer("steps", 1000000, "Global steps of the training")
FLAGS = tf.app.flags.FLAGS


def alone(steps):
    """The weights after so many steps of one process. Both workers have the same data, so the average of their gradients is the gradient of either."""
    x, w = np.array([[1., 2.], [3., 1.], [0., 1.]], np.float32), np.full([2, 1], 2., np.float32)
    for _ in range(steps):
        w = w - 0.01 * 2. / 3. * x.T.dot(x.dot(w) - 1.)
    return w


def main(_):
    ps_hosts, worker_hosts = FLAGS.ps_hosts.split(","), FLAGS.worker_hosts.split(",")
    cluster = tf.train.ClusterSpec({"ps": ps_hosts, "worker": worker_hosts})
    server = tf.train.Server(cluster, job_name=FLAGS.job_name, task_index=FLAGS.task_index)
    if FLAGS.job_name == "ps":
        server.join()
    is_chief = FLAGS.task_index == 0
    with tf.device(tf.train.replica_device_setter(worker_device="/job:worker/task:%d" % FLAGS.task_index, cluster=cluster)):
        x = tf.constant([[1., 2.], [3., 1.], [0., 1.]])
        w = tf.get_variable("w", [2, 1], initializer=tf.constant_initializer(2.))
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.))
        global_step = tf.Variable(0, name="global_step", trainable=False)
        opt = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.01), replicas_to_aggregate=len(worker_hosts),
                                             total_num_replicas=len(worker_hosts))
        train_op = opt.minimize(loss, global_step=global_step)
        if is_chief:
            chief_queue_runner = opt.get_chief_queue_runner()
            init_token_op = opt.get_init_tokens_op()
        local_init_op = opt.chief_init_op if is_chief else opt.local_step_init_op
        init_op = tf.global_variables_initializer()
    sv = tf.train.Supervisor(is_chief=is_chief, logdir=FLAGS.logdir, init_op=init_op, local_init_op=local_init_op,
                             ready_for_local_init_op=opt.ready_for_local_init_op, global_step=global_step, recovery_wait_secs=1)
    sess = sv.prepare_or_wait_for_session(server.target)
    if is_chief:
        sv.start_queue_runners(sess, [chief_queue_runner])
        sess.run(init_token_op)
    steps, step = [], 0
    while not sv.should_stop() and step < FLAGS.steps:
        sess.run(train_op)
        step = sess.run(global_step)  # not with train_op, where it might be read before the step was made; nobody would then give a token for the step after the last
        steps.append(int(step))
        time.sleep(0.05)  # so that the chief is not done before the other worker begins; it may take both tokens of a step
    before, value, after = None, None, -1
    while before != after:  # the other worker may be making the last step still
        before, value, after = sess.run(global_step), sess.run(w), sess.run(global_step)
        time.sleep(0.2)
    print("RESULT " + json.dumps({"chief": is_chief, "steps never fall": steps == sorted(steps), "last": int(step) >= FLAGS.steps,
                                  "one gradient a step": bool(np.allclose(value, alone(after), atol=1e-5))}), flush=True)
    sv.request_stop()


if __name__ == "__main__":
    tf.app.run()
