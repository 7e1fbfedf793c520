import tensorflow as tf

from check import raises, run

val_a = tf.Variable([1, 2, 4])
new = tf.assign(val_a, [2, 2, 2])
assert type(val_a).__name__ == "RefVariable"
with tf.Session() as sess:
    raises(tf.errors.FailedPreconditionError, "Attempting to use uninitialized value Variable", lambda: sess.run(val_a))
    assert sess.run(val_a.initial_value).tolist() == [1, 2, 4]
    sess.run(tf.global_variables_initializer())
    assert sess.run(val_a).tolist() == [1, 2, 4]
    assert sess.run(new).tolist() == [2, 2, 2]
    assert sess.run(val_a).tolist() == [2, 2, 2]
    assert sess.run(val_a.initial_value).tolist() == [1, 2, 4]
