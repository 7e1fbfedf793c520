import numpy as np
import tensorflow as tf

from check import close, run

w = run(tf.initializers.orthogonal()([4, 4], dtype=tf.float32))
close(w.T @ w, np.eye(4), 1e-5)
