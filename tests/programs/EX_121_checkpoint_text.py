import tensorflow as tf

from check import run

v = tf.Variable(1.0, name="v")
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in (50, 100):
        saver.save(sess, "./model.ckpt", global_step=step)
assert open("checkpoint").read() == ('model_checkpoint_path: "model.ckpt-100"\nall_model_checkpoint_paths: "model.ckpt-50"\n'
                                     'all_model_checkpoint_paths: "model.ckpt-100"\n')
