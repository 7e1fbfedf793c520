import tensorflow as tf

from check import raises, run

cluster = tf.train.ClusterSpec({"worker": ["localhost:0"]})
raises(tf.errors.OpError, 'Job "local" was not defined in cluster', lambda: tf.train.Server(cluster, job_name="local", task_index=0))
server = tf.train.Server(cluster, job_name="worker", task_index=0)
with tf.device("/job:worker/task:0"):
    v = tf.Variable(3)
with tf.Session(server.target) as sess:
    sess.run(v.initializer)
    assert sess.run(v + 4) == 7
with tf.Session(server.target) as sess:
    assert sess.run(v + 4) == 7  # the variable belongs to the server, not to the session
raises(tf.errors.InvalidArgumentError, "Cannot assign a device for operation", lambda: tf.Session().run(v))
