import tensorflow as tf

from check import run

x = tf.placeholder(tf.float32, [64, 64])
y = tf.matmul(x, x)
metadata = tf.RunMetadata()
with tf.Session() as sess:
    sess.run(y, {x: [[1.] * 64] * 64}, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
wanted = {"ExpensiveOperationChecker": {}, "AcceleratorUtilizationChecker": {}, "OperationChecker": {}}
advice = tf.profiler.advise(tf.get_default_graph(), metadata, options=wanted)
assert type(advice).__name__ == "AdviceProto"
assert sorted(advice.checkers) == ["AcceleratorUtilizationChecker", "ExpensiveOperationChecker", "OperationChecker"]
reports = advice.checkers["ExpensiveOperationChecker"].reports
assert reports[0].startswith("top 1 operation type: MatMul, cpu: ") and "total: 0us" not in reports[0], reports
