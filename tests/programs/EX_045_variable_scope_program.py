import tensorflow as tf

with tf.variable_scope("hello") as variable_scope:
    arr1 = tf.get_variable("arr1", shape=[2, 10], dtype=tf.float32)
    assert type(variable_scope).__name__ == "VariableScope" and variable_scope.name == "hello"
    assert arr1.name == "hello/arr1:0" and tf.get_variable_scope().original_name_scope == "hello/"
    with tf.variable_scope("xixi"):
        assert tf.get_variable_scope().original_name_scope == "hello/xixi/"
