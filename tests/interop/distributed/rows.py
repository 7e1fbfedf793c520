"""What the notes say of clusters and towers in a line or two, and lines of them that are wrong, whose errors must be TensorFlow's."""
import json

import tensorflow as tf


def error(f):
    """Class and first line; without what Weft adds, the nearest name that exists."""
    try:
        f()
    except Exception as e:
        return [type(e).__name__, str(e).split("\n")[0].split("; the nearest that exists")[0]]
    return "no error"


def average_gradients(tower_grads):
    for grad_and_vars in zip(average_gradients):
        pass


def sync_without_step():
    opt = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(.1), 2, 2)
    opt.minimize(tf.square(tf.Variable(1.)))


def sync_too_early(what):
    opt = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(.1), 2, 2)
    getattr(opt, what)()


cluster = tf.train.ClusterSpec({"worker": ["worker0.example.com:2222", "worker1.example.com:2222", "worker2.example.com:2222"],
                                "ps": ["ps0.example.com:2222", "ps1.example.com:2222"]})
out = {}
out["DS-02"] = [sorted(cluster.jobs), cluster.num_tasks("worker"), cluster.task_indices("ps"), str(cluster.as_cluster_def())]
out["DS-03"] = [cluster.task_address("worker", 2), cluster.task_address("ps", 1), error(lambda: cluster.task_address("worker", 3)),
                error(lambda: cluster.task_address("ps", 2)), error(lambda: cluster.job_tasks("master"))]
out["DS-05"] = [error(lambda: tf.train.Server(tf.train.ClusterSpec({"worker": ["localhost:0"]}), job_name="local", task_index=0)),
                error(lambda: tf.train.Server(tf.train.ClusterSpec({"worker": ["localhost:0"]}), job_name="worker", task_index=1)),
                error(lambda: tf.train.Server(cluster)), error(lambda: tf.train.Server(cluster, job_name="worker")), error(lambda: tf.train.Server("worker"))]
server = tf.train.Server(tf.train.ClusterSpec({"worker": ["localhost:0"]}), job_name="worker", task_index=0)
out["DS-04"] = [server.target.rpartition(":")[0], server.server_def.job_name, server.server_def.task_index, server.server_def.protocol]
with tf.Session(server.target) as sess:
    out["DS-08"] = [d.name for d in sess.list_devices() if "XLA" not in d.name]
with tf.device(tf.train.replica_device_setter(cluster=cluster)):
    v1, v2, v3 = tf.Variable(1.), tf.Variable(2.), tf.Variable(3.)
    s = v1 + v2
out["DS-09"] = [v1.device, v2.device, v3.device, s.device, error(lambda: tf.replica_device_setter(cluster=cluster)), tf.train.replica_device_setter() is None]
out["DS-14"] = [error(lambda: sync_too_early(f)) for f in ("get_init_tokens_op", "get_chief_queue_runner")]
out["DS-15"] = error(sync_without_step)
out["DS-19"] = error(lambda: tf.train.Server({"worker": ["localhost:0"]}, job_name="worker", task_index=0, protocol="carrier-pigeon"))
out["DS-19"] = [out["DS-19"][0], out["DS-19"][1].split(":")[0]] if out["DS-19"] != "no error" else out["DS-19"]
with tf.Graph().as_default() as g, tf.device(tf.train.replica_device_setter(cluster=cluster)):
    tf.Variable(1., name="v")
    meta = tf.train.export_meta_graph(graph=g)
out["DS-21"] = [[n.name, n.device] for n in meta.graph_def.node]
out["MG-05"] = [error(lambda: tf.expanded_dim(tf.constant(1.), 0)), error(lambda: tf.concat_v2([tf.constant([1.])], 0)), error(lambda: average_gradients([]))[0]]  # Python words the last one differently in each version
print("RESULT " + json.dumps(out))
