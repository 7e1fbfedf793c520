import tensorflow as tf

from check import run

valid = [26, 13, 12, 27, 3, 2, 2, 3, 1]
same = [28, 14, 14, 28, 4, 3, 3, 6, 3]
sizes = [(28, 3, 1), (28, 3, 2), (28, 5, 2), (28, 2, 1), (7, 3, 2), (5, 2, 2), (13, 6, 5), (6, 4, 1), (5, 4, 2)]
before, after = [1, 0, 1, 0, 1, 0, 1, 1, 1], [1, 1, 2, 1, 1, 1, 2, 2, 2]
for (w, f, s), v, m, top, bottom in zip(sizes, valid, same, before, after):
    x, k = tf.ones([1, w, w, 1]), tf.ones([f, f, 1, 1])
    assert tf.nn.conv2d(x, k, [1, s, s, 1], "VALID").shape[1] == v
    y = tf.nn.conv2d(x, k, [1, s, s, 1], "SAME")
    assert y.shape[1] == m, (w, f, s)
    # The padding is the part of the first and last window outside the input.
    corner = run(y)[0, :, :, 0]
    middle = min(f, w)
    total = max((m - 1) * s + f - w, 0)
    assert (total // 2, total - total // 2) == (top, bottom), (w, f, s)
    assert corner[0, 0] == (f - top) ** 2
