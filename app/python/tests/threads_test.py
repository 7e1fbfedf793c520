"""Python loads the engine as a module, where oneDNN must use the engine's threads, too. The threads are recognized by name."""
import os
import sys
import threading
import time

import numpy as np
import tensorflow as tf


def thread_names():
    names = []
    for task in os.listdir("/proc/self/task"):
        with open("/proc/self/task/%s/comm" % task) as comm:
            names.append(comm.read().strip())
    return names


def settled():
    """The threads' names once they are stable: a thread that was joined may still be listed for a moment."""
    names = thread_names()
    for _ in range(100):
        time.sleep(0.02)
        seen, names = names, thread_names()
        if seen == names:
            break
    return names


def main():
    rng = np.random.RandomState(1)
    a, b = rng.rand(256, 300).astype(np.float32), rng.rand(300, 200).astype(np.float32)
    first = threading.Thread(target=len, args=("",))  # ThreadSanitizer starts its own thread together with the first one
    first.start()
    first.join()
    before = settled()
    session = tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=2))
    x = tf.placeholder(tf.float32, [None, None])
    product = session.run(tf.matmul(x, tf.constant(b)), {x: a})
    after = settled()
    np.testing.assert_allclose(product, a @ b, rtol=1e-5)
    for name in before:
        after.remove(name)
    if after != ["weft-compute"]:
        print("threads that a product of two matrices started:", after)
        return 1
    return 0


sys.exit(main())
