import json
import os

import tensorflow as tf

from check import run

c = tf.matmul(tf.ones([32, 32]), tf.ones([32, 32]))
metadata = tf.RunMetadata()
with tf.Session() as sess:
    sess.run(c, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
B = tf.profiler.ProfileOptionBuilder
profiler = tf.profiler.Profiler(tf.get_default_graph())
profiler.add_step(1, metadata)
profiler.profile_graph(B(B.time_and_memory()).with_step(1).with_timeline_output("timeline.json").build())
name = [f for f in os.listdir(".") if f.startswith("timeline.json")][0]
events = json.load(open(name))["traceEvents"]
assert any(e["ph"] == "X" and e["dur"] > 0 and e["ts"] > 0 for e in events), events
