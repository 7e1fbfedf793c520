import tensorflow as tf

from check import run

assert run(tf.nn.l2_loss([3., 4.])) == 12.5
