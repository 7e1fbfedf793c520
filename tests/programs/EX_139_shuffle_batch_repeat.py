import tensorflow as tf

from check import run


def values(dataset):
    element, got = dataset.make_one_shot_iterator().get_next(), []
    with tf.Session() as sess:
        try:
            while True:
                got.append(sess.run(element).tolist())
        except tf.errors.OutOfRangeError:
            return got


assert values(tf.data.Dataset.range(5).batch(2).repeat(2)) == [[0, 1], [2, 3], [4], [0, 1], [2, 3], [4]]
assert values(tf.data.Dataset.range(5).repeat(2).batch(2)) == [[0, 1], [2, 3], [4, 0], [1, 2], [3, 4]]
shuffled = values(tf.data.Dataset.range(5).shuffle(5, seed=1).batch(5))
assert sorted(shuffled[0]) == [0, 1, 2, 3, 4]
