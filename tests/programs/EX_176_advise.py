import tensorflow as tf

tf.matmul(tf.ones([2, 2]), tf.ones([2, 2]))
advice = tf.profiler.advise(tf.get_default_graph(), options={"ExpensiveOperationChecker": {}, "AcceleratorUtilizationChecker": {}, "OperationChecker": {}})
assert type(advice).__name__ == "AdviceProto"
assert sorted(advice.checkers) == ["AcceleratorUtilizationChecker", "ExpensiveOperationChecker", "OperationChecker"]
