"""A program may end while its threads are inside steps, as with queue runners that were not stopped. It must end normally, not by a signal."""
import threading
import time

import numpy as np
import tensorflow as tf


def keep_running(session, fetch, feeds):
    while True:
        session.run(fetch, feeds)


x = tf.placeholder(tf.float32, [None, None])
product = tf.matmul(x, x)
called = tf.py_func(lambda v: v + 1, [x], tf.float32)
waiting = tf.FIFOQueue(1, tf.float32).dequeue()
session = tf.Session()
for fetch in (product, called, waiting, product, called):
    threading.Thread(target=keep_running, args=(session, fetch, {x: np.ones([64, 64], np.float32)}), daemon=True).start()
time.sleep(0.3)
