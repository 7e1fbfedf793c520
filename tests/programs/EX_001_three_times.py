import os
import sys
import tempfile

import tensorflow as tf

from check import run

kept, told = os.dup(1), tempfile.TemporaryFile()
sys.stdout.flush()
os.dup2(told.fileno(), 1)  # the placement is logged to the process's stdout
for run in range(3):
    a = tf.constant([1., 2., 3.], shape=[3], name="a")
    b = tf.constant([1., 2., 3.], shape=[3], name="b")
    c = a + b
    with tf.Session(config=tf.ConfigProto(log_device_placement=True, device_count={"GPU": 0})) as sess:
        told.seek(0)
        told.truncate()
        assert sess.run(c).tolist() == [2., 4., 6.]
os.dup2(kept, 1)
assert str(c) == 'Tensor("add_2:0", shape=(3,), dtype=float32)'
ops = tf.get_default_graph().get_operations()
assert [op.name for op in ops] == ["a", "b", "add", "a_1", "b_1", "add_1", "a_2", "b_2", "add_2"]
assert {op.type for op in ops} == {"Const", "AddV2"}
told.seek(0)
lines = [line for line in told.read().decode().splitlines() if ": (" in line]
on_cpu = ": (%s): /job:localhost/replica:0/task:0/device:CPU:0"
assert lines == [name + on_cpu % ("AddV2" if name.startswith("add") else "Const") for name in ("add", "add_1", "add_2", "a", "b", "a_1", "b_1", "a_2", "b_2")], lines
