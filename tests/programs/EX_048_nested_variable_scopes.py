import tensorflow as tf

with tf.variable_scope("scope1"):
    with tf.variable_scope("scope2") as scope2:
        assert scope2.name == "scope1/scope2"
