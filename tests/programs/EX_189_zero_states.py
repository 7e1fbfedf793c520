import tensorflow as tf

from check import run

cells = tf.nn.rnn_cell
state = cells.BasicLSTMCell(4).zero_state(2, tf.float32)
assert type(state).__name__ == "LSTMStateTuple"
c, h = run([state.c, state.h])
assert c.shape == h.shape == (2, 4) and not c.any() and not h.any()
many = cells.MultiRNNCell([cells.BasicLSTMCell(4) for _ in range(2)]).zero_state(2, tf.float32)
assert isinstance(many, tuple) and len(many) == 2
