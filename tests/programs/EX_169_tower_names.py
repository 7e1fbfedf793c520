import tensorflow as tf

from check import close, run

opt = tf.train.GradientDescentOptimizer(.1)
towers = []
for i in range(2):
    with tf.device("/gpu:%d" % i), tf.name_scope("%s_%d" % ("tower", i)):
        x = tf.ones([2, 3])
        w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer())
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.), name="loss")
        tf.get_variable_scope().reuse_variables()
        towers.append(opt.compute_gradients(loss))
assert [v.name for v in tf.global_variables()] == ["w:0"]
names = [op.name for op in tf.get_default_graph().get_operations()]
assert "tower_0/loss" in names and "tower_1/loss" in names
pairs = [(tf.reduce_mean(tf.stack([g for g, _ in both]), 0), both[0][1]) for both in zip(*towers)]
train = opt.apply_gradients(pairs)
with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train)
    close(sess.run(w), [[.2]] * 3)
