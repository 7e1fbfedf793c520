import tensorflow as tf

assert [tf.Variable(3, name="w_1").name, tf.Variable(1, name="w_1").name] == ["w_1:0", "w_1_1:0"]
