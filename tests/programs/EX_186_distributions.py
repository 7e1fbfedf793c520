import tensorflow as tf

from check import run

tf.set_random_seed(1)
I = tf.initializers


def sample(initializer):
    value = run(initializer([784, 100], dtype=tf.float32))
    assert value.shape == (784, 100)
    return value


assert abs(sample(I.random_normal()).std() - 1) < .02
assert abs(sample(I.truncated_normal())).max() < 2
u = sample(I.random_uniform(0., 1.))
assert u.min() >= 0 and u.max() < 1
assert abs(sample(I.variance_scaling(1., "fan_in", "truncated_normal")).std() - (1 / 784) ** .5) < .002
assert abs(sample(I.glorot_uniform())).max() <= 0.08238526
assert abs(sample(I.he_uniform())).max() <= 0.08748178
assert abs(sample(I.lecun_uniform())).max() <= 0.06185896
