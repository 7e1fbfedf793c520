"""A training whose applied steps can be counted, for cluster_failures.py, which kills and pauses its tasks.

    cluster_counted_training.py JOB TASK CLUSTER FOLDER      JOB: ps, worker, or check, which compares what the parameter server has with what the workers wrote

Every step has a number that no other step has, of any worker and any of its lives, and adds one to the entry `number` of the variable `applied`. A worker writes a
number to FOLDER/attempts.TASK before the step, and to FOLDER/confirmed.TASK with the time after it. The chief writes to FOLDER/restored when it has restored or
initialized the model, which undoes what came after the checkpoint."""

import json
import os
import sys
import time

import numpy as np
import tensorflow as tf

MOST = 1 << 20  # steps of a worker


def last_number(path):
    """The last number written to the file, perhaps by an earlier life of this task."""
    if not os.path.exists(path):
        return -1
    with open(path) as f:
        lines = f.read().split("\n")[:-1]
    return int(lines[-1].split()[0]) if lines else -1


class Restored(tf.train.SessionRunHook):
    """Writes what the chief has restored, before the next checkpoint is saved."""

    def __init__(self, folder):
        self._folder = folder

    def after_create_session(self, session, coord):
        path = tf.train.latest_checkpoint(os.path.join(self._folder, "checkpoints"))
        with open(os.path.join(self._folder, "restored"), "a") as f:
            f.write("%.6f %s\n" % (time.time(), path or "nothing"))


class Impatient(tf.train.SessionCreator):
    """As tf.train.WorkerSessionCreator, but asks every half second instead of every 30 seconds whether the chief is ready."""

    def __init__(self, scaffold, master, config):
        self._scaffold, self._master, self._config = scaffold, master, config

    def create_session(self):
        scaffold = self._scaffold.finalize()
        manager = tf.train.SessionManager(local_init_op=scaffold.local_init_op, ready_op=scaffold.ready_op,
                                          ready_for_local_init_op=scaffold.ready_for_local_init_op, recovery_wait_secs=0.5)
        return manager.wait_for_session(self._master, config=self._config)


def model(cluster, task):
    with tf.device(tf.train.replica_device_setter(cluster=cluster, worker_device="/job:worker/task:%d" % task)):
        applied = tf.get_variable("applied", [2 * MOST], tf.int8, initializer=tf.zeros_initializer())
        w = tf.get_variable("w", [3, 1], initializer=tf.constant_initializer(0.5))
        step = tf.train.get_or_create_global_step()
        number, x = tf.placeholder(tf.int32, [1]), tf.placeholder(tf.float32, [None, 3])
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.))
        train = tf.train.GradientDescentOptimizer(0.01).minimize(loss, global_step=step)
        with tf.control_dependencies([train]):
            counted = tf.scatter_add(applied, number, tf.ones([1], tf.int8), use_locking=True)
        with tf.control_dependencies([counted.op]):
            done = tf.identity(loss)
    return number, x, done


def work(cluster, task, folder):
    server = tf.train.Server(cluster, job_name="worker", task_index=task)
    number, x, done = model(cluster, task)
    config = tf.ConfigProto(device_filters=["/job:ps", "/job:worker/task:%d" % task])
    attempts, confirmed = os.path.join(folder, "attempts.%d" % task), os.path.join(folder, "confirmed.%d" % task)
    n = max(last_number(attempts), task * MOST - 1)
    if task == 0:
        session = tf.train.MonitoredTrainingSession(server.target, is_chief=True, checkpoint_dir=os.path.join(folder, "checkpoints"), config=config,
                                                    save_checkpoint_secs=1, save_summaries_steps=None, log_step_count_steps=None,
                                                    chief_only_hooks=[Restored(folder)], stop_grace_period_secs=1)
    else:
        session = tf.train.MonitoredSession(Impatient(tf.train.Scaffold(), server.target, config), stop_grace_period_secs=1)
    random = np.random.RandomState(n + 1 & 0x7fffffff)
    with open(attempts, "a") as a, open(confirmed, "a") as c, session:
        while not os.path.exists(os.path.join(folder, "stop")):
            n += 1
            a.write("%d\n" % n)
            a.flush()
            begin = time.time()
            session.run(done, {number: [n], x: random.rand(64, 3)})
            c.write("%d %.6f\n" % (n, begin))
            c.flush()
            time.sleep(0.002)


def numbers(path):
    """[(number, other fields…)] of the complete lines."""
    if not os.path.exists(path):
        return []
    with open(path) as f:
        return [line.split() for line in f.read().split("\n")[:-1]]


def problems(applied, attempted, confirmed, base, since):
    """What is wrong: steps that were applied twice, lost, or never made. `base`: numbers in the restored checkpoint; `since`: when it was restored."""
    out = []
    twice = np.flatnonzero(applied > 1)
    if twice.size:
        out.append("applied twice: %s" % twice[:5].tolist())
    here = applied > 0
    strange = np.setdiff1d(np.flatnonzero(here), attempted)
    if strange.size:
        out.append("applied without an attempt: %s" % strange[:5].tolist())
    wanted = np.union1d(base, [n for n, begin in confirmed if begin > since]).astype(np.int64)
    lost = wanted[~here[wanted]]
    if lost.size:
        out.append("lost: %s of %d" % (lost[:5].tolist(), wanted.size))
    return out


def check(cluster, folder):
    """For each line on stdin, one line of JSON: what is wrong, and how many steps were applied. After "plant", one is applied twice and one is lost."""
    with tf.device("/job:ps/task:0"):
        applied = tf.get_variable("applied", [2 * MOST], tf.int8)
    where, times = tf.placeholder(tf.int32, [2]), tf.placeholder(tf.int8, [2])
    planted = tf.scatter_update(applied, where, times)
    target, config = "grpc://" + cluster["ps"][0], tf.ConfigProto(device_filters=["/job:ps"], operation_timeout_in_ms=20000)
    for command in sys.stdin:
        while True:
            restored = numbers(os.path.join(folder, "restored"))
            confirmed = [(int(n), float(t)) for task in (0, 1) for n, t in numbers(os.path.join(folder, "confirmed.%d" % task))]
            with tf.Session(target, config=config) as session:
                if command.strip() == "plant":
                    session.run(planted, {where: [confirmed[-1][0], confirmed[-2][0]], times: [2, 0]})
                values = session.run(applied)
            attempted = [int(line[0]) for task in (0, 1) for line in numbers(os.path.join(folder, "attempts.%d" % task))]
            if numbers(os.path.join(folder, "restored")) == restored:
                break
        since, path = float(restored[-1][0]), restored[-1][1]
        base = np.array([], np.int64)
        if path != "nothing" and os.path.exists(path + ".index"):
            base = np.flatnonzero(tf.train.load_checkpoint(path).get_tensor("applied"))
        print("CHECK " + json.dumps([problems(values, attempted, confirmed, base, since), int((values > 0).sum())]), flush=True)


def main():
    job, task, cluster, folder = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3]), sys.argv[4]
    tf.logging.set_verbosity(tf.logging.INFO)
    if job == "ps":
        tf.train.Server(tf.train.ClusterSpec(cluster), job_name="ps", task_index=task).join()
    elif job == "worker":
        work(tf.train.ClusterSpec(cluster), task, folder)
    else:
        check(cluster, folder)


if __name__ == "__main__":
    main()
