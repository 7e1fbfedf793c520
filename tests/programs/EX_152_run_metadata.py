import glob

import tensorflow as tf

from check import close, run

x = tf.placeholder(tf.float32, [])
summary = tf.summary.scalar("x", x * 2.)
writer = tf.summary.FileWriter("log")
lines = []
with tf.Session() as sess:
    for i in range(200):
        if i % 100 == 99:
            metadata = tf.RunMetadata()
            text = sess.run(summary, {x: i}, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
            writer.add_run_metadata(metadata, "step%03d" % i)
            lines.append("Adding run metadata for %d" % i)
            assert metadata.step_stats.dev_stats
        else:
            text = sess.run(summary, {x: i})
        writer.add_summary(text, i)
writer.close()
assert lines == ["Adding run metadata for 99", "Adding run metadata for 199"]
tags = [e.tagged_run_metadata.tag for e in tf.train.summary_iterator(glob.glob("log/events*")[0]) if e.WhichOneof("what") == "tagged_run_metadata"]
assert tags == ["step099", "step199"]
