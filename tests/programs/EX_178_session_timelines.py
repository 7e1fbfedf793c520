from tensorflow.python.client import timeline
import json

import tensorflow as tf

from check import run

y = tf.nn.relu(tf.matmul(tf.ones([8, 8]), tf.ones([8, 8])))
with tf.Session() as sess:
    for i in range(4):
        metadata = tf.RunMetadata()
        sess.run(y, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
        with open("timeline_%d.json" % i, "w") as f:
            f.write(timeline.Timeline(metadata.step_stats).generate_chrome_trace_format())
for i in range(4):
    events = json.load(open("timeline_%d.json" % i))["traceEvents"]
    assert any(e["ph"] == "X" and e["dur"] > 0 and e["ts"] > 0 for e in events), events
