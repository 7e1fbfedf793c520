import tensorflow as tf

from check import raises, run

cluster = tf.train.ClusterSpec({"worker": ["localhost:0"]})
raises(tf.errors.OpError, 'Job "local" was not defined in cluster', lambda: tf.train.Server(cluster, job_name="local", task_index=0))
server = tf.train.Server(cluster, job_name="worker", task_index=0)
with tf.Session(server.target) as sess:
    assert sess.run(tf.constant(3) + 4) == 7
