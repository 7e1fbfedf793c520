import tensorflow as tf

with tf.name_scope("scope1"):
    with tf.name_scope("scope2") as scope2:
        assert scope2 == "scope1/scope2/"
