import tensorflow as tf

with tf.name_scope("hello") as name_scope:
    arr1 = tf.get_variable("arr1", shape=[2, 10], dtype=tf.float32)
    assert (name_scope, arr1.name, "scope_name:%s " % tf.get_variable_scope().original_name_scope) == ("hello/", "arr1:0", "scope_name: ")
