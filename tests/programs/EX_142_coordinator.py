import tensorflow as tf

from check import run

queue = tf.train.string_input_producer(["a", "b"], shuffle=False, num_epochs=1)
x = queue.dequeue()
got = []
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    try:
        while not coord.should_stop():
            got.append(sess.run(x))
    except tf.errors.OutOfRangeError:
        pass
    finally:
        coord.request_stop()
    coord.join(threads)
assert got == [b"a", b"b"] and not any(t.is_alive() for t in threads)
