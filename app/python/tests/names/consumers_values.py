"""Consumers of a tensor, once per use; nodes that wait for an operation; properties of an operation, also after changes."""
x = tf.constant(1.0, name="x")
y = tf.add(x, x, name="y")
z = tf.multiply(x, y, name="z")
show([o.name for o in x.consumers()])
with tf.control_dependencies([x, y]):
    a, b = tf.no_op(name="a"), tf.identity(x, name="b")
show([o.name for o in x.op._control_outputs], [o.name for o in y.op._control_outputs])
z.op._update_input(0, y)
show([o.name for o in x.consumers()], [o.name for o in y.consumers()])
a._add_control_input(z.op)
show([o.name for o in z.op._control_outputs])
tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)])
for op in tf.get_default_graph().get_operations():
    show(op.name, [[c.name for c in t.consumers()] for t in op.outputs], [c.name for c in op._control_outputs])
    show(str(op.node_def).replace(':0"', '"'))
