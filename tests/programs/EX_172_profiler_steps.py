import tensorflow as tf

from check import run

a, b = tf.ones([64, 64]), tf.ones([64, 64])
c = tf.matmul(a, b, name="c")
profiler = tf.profiler.Profiler(tf.get_default_graph())
with tf.Session() as sess:
    for step in range(3):
        metadata = tf.RunMetadata()
        sess.run(c, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
        profiler.add_step(step, metadata)
B = tf.profiler.ProfileOptionBuilder
options = B(B.time_and_memory(min_micros=0, min_bytes=0)).with_empty_output().build()
root = profiler.profile_graph(options)
assert type(root).__name__ == "GraphNodeProto" and root.children[0].name == "c"
assert profiler.profile_name_scope(options).total_exec_micros >= 0
assert type(profiler.profile_operations(options)).__name__ == "MultiGraphNodeProto"
