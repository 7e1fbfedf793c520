import tensorflow as tf

from check import raises

v = tf.Variable(1.0, name="v")
saver = tf.train.Saver()
with tf.Session() as sess:
    raises((tf.errors.FailedPreconditionError, ValueError), "", lambda: saver.save(sess, "./my_model.ckpt"))
    raises(ValueError, "The passed save_path is not a valid checkpoint: ./my_model_final.ckpt", lambda: saver.restore(sess, "./my_model_final.ckpt"))
