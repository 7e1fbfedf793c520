"""Variables cached on a device: recurrent loops read them once, outside the loop."""
for name in ("BasicLSTMCell", "LSTMCell", "GRUCell", "BasicRNNCell"):
    for resource in (False, True):
        with tf.variable_scope("%s_%s" % (name, resource), use_resource=resource):
            outputs, state = tf.nn.dynamic_rnn(getattr(tf.nn.rnn_cell, name)(3), tf.zeros([2, 4, 5]), dtype=tf.float32)
            show([g.name for g in tf.gradients(outputs, tf.trainable_variables(tf.get_variable_scope().name))])
with tf.variable_scope("kept", use_resource=True, caching_device="/cpu:0"):
    v, i = tf.get_variable("v", [3, 3]), tf.get_variable("i", [2], tf.int32)
    show(tf.matmul(v, v).name, (v + 1.0).name, tf.identity(v).name, tf.concat([v, v], 0).name, v.value().name, v.read_value().name, tf.gather(v, [0, 1]).name, tf.reshape(v, i).name)
