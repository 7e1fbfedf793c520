import tensorflow as tf

cluster = {"ps": ["ps0:2222", "ps1:2222"], "worker": ["worker0:2222", "worker1:2222", "worker2:2222"]}
with tf.device(tf.train.replica_device_setter(cluster=cluster)):
    v1, v2, v3 = tf.Variable(1.0), tf.Variable(2.0), tf.Variable(3.0)
    s = v1 + v2
assert [v.device for v in (v1, v2, v3)] == ["/job:ps/task:0", "/job:ps/task:1", "/job:ps/task:0"] and s.device == "/job:worker"
