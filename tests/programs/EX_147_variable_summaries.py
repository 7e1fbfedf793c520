import tensorflow as tf

from check import close, run


def variable_summaries(var):
    with tf.name_scope("summaries"):
        mean = tf.reduce_mean(var)
        tf.summary.scalar("mean", mean)
        with tf.name_scope("stddev"):
            stddev = tf.sqrt(tf.reduce_mean(tf.square(var - mean)))
        tf.summary.scalar("stddev", stddev)
        tf.summary.scalar("max", tf.reduce_max(var))
        tf.summary.scalar("min", tf.reduce_min(var))
        tf.summary.histogram("histogram", var)


variable_summaries(tf.constant([1., 2., 3., 4.]))
found = tf.Summary.FromString(run(tf.summary.merge_all()))
values = {v.tag: v.simple_value for v in found.value}
close([values["summaries/" + k] for k in ("mean_1", "stddev_1", "max_1", "min_1")], [2.5, 1.118034, 4, 1])
assert found.value[-1].tag == "summaries/histogram" and found.value[-1].histo.num == 4
