"""Asynchronous between-graph training under a Supervisor: the same program for every task, which its flags name."""
import json
import os
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


def main(_):
    ps_hosts = FLAGS.ps_hosts.split(",")
    worker_hosts = FLAGS.worker_hosts.split(",")
    cluster = tf.train.ClusterSpec({"ps": ps_hosts, "worker": worker_hosts})
    server = tf.train.Server(cluster, job_name=FLAGS.job_name, task_index=FLAGS.task_index)
    if FLAGS.job_name == "ps":
        server.join()
    elif FLAGS.job_name == "worker":
        with tf.device(tf.train.replica_device_setter(worker_device="/job:worker/task:%d" % FLAGS.task_index, cluster=cluster)):
            x = tf.placeholder(tf.float32, [None, 4], name="x")
            y_ = tf.placeholder(tf.int64, [None], name="y")
            hidden = tf.layers.dense(x, 8, tf.nn.relu, kernel_initializer=tf.glorot_uniform_initializer(seed=1))
            logits = tf.layers.dense(hidden, 2, kernel_initializer=tf.glorot_uniform_initializer(seed=2))
            loss = tf.losses.sparse_softmax_cross_entropy(y_, logits)
            global_step = tf.Variable(0, name="global_step", trainable=False)
            train_op = tf.train.AdagradOptimizer(0.1).minimize(loss, global_step=global_step)
            tf.summary.scalar("loss", loss)
            saver = tf.train.Saver()
            init_op = tf.global_variables_initializer()
        sv = tf.train.Supervisor(is_chief=(FLAGS.task_index == 0), logdir=FLAGS.logdir, init_op=init_op, summary_op=None, saver=saver,
                                 global_step=global_step, save_model_secs=600, recovery_wait_secs=1)
        random = np.random.RandomState(FLAGS.task_index)
        with sv.managed_session(server.target) as sess:
            open(os.path.join(FLAGS.logdir, "started-%d" % FLAGS.task_index), "w").close()
            step, losses = 0, []
            while not sv.should_stop() and step < FLAGS.steps:
                values = random.rand(32, 4)
                _, loss_value, step = sess.run([train_op, loss, global_step], {x: values, y_: (values[:, 0] > values[:, 1]).astype(int)})
                losses.append(float(loss_value))
            # A session cannot be opened while a task is missing: a chief that is fast must not leave before the others have theirs.
            while sv.is_chief and not all(os.path.exists(os.path.join(FLAGS.logdir, "started-%d" % i)) for i in range(len(worker_hosts))):
                time.sleep(0.1)
            # A session of TensorFlow does not close if another task has gone, so the result comes before.
            restored = int(step) - len(losses) if len(worker_hosts) == 1 else None
            if sv.is_chief:
                sv.saver.save(sess, os.path.join(FLAGS.logdir, "model.ckpt"), global_step=step)
            print("RESULT " + json.dumps({
                "chief": sv.is_chief, "reached": bool(step >= FLAGS.steps), "restored": restored, "learns": bool(np.mean(losses[-20:]) < 0.7),
                "devices": sorted([v.op.name, v.device] for v in tf.global_variables()), "loss on": loss.device,
                "files": sorted({f.split("-")[0].split(".")[0] for f in os.listdir(FLAGS.logdir) if not f.startswith("started")}) if sv.is_chief else []}), flush=True)
        sv.stop()


if __name__ == "__main__":
    tf.app.run()
