import numpy as np
import tensorflow as tf

from check import raises, run

raises(TypeError, "size", lambda: np.random.randn(size=[2]))
assert run(tf.constant(np.random.randn(2))).shape == (2,)
