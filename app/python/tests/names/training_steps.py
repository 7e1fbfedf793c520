# The nodes of a training step: gradient gating, with slices too; clipping; gradients of loops under control dependencies.
table = tf.get_variable("table", [5, 2], initializer=tf.zeros_initializer())
w = tf.get_variable("w", [2, 2], initializer=tf.ones_initializer())
rows = tf.nn.embedding_lookup(table, [0, 3, 3])
with tf.variable_scope("rows"):
    mapped = tf.map_fn(lambda row: tf.squeeze(tf.matmul(tf.expand_dims(row, 0), w), 0) + row, rows)
loss = tf.reduce_mean(tf.square(mapped - 1.0))
with tf.variable_scope("gated"):
    gradients = tf.tuple(tf.gradients(loss, [table, w]), control_inputs=[loss])
    show([type(g).__name__ for g in gradients])
    tf.train.GradientDescentOptimizer(0.1).apply_gradients(zip(gradients, [table, w]))
with tf.variable_scope("clipped"):
    clipped, norm = tf.clip_by_global_norm(gradients, 0.5)
    show([type(g).__name__ for g in clipped], norm)
with tf.variable_scope("minimized"), tf.control_dependencies([loss.op]):
    for gate in (tf.train.Optimizer.GATE_NONE, tf.train.Optimizer.GATE_OP, tf.train.Optimizer.GATE_GRAPH):
        tf.train.AdagradOptimizer(0.1).minimize(loss, gate_gradients=gate)
with tf.variable_scope("ranks"):
    labels, predictions = tf.placeholder(tf.int64), tf.placeholder(tf.float32, [None, 3])
    tf.metrics.recall_at_k(labels, predictions, 1)
    tf.metrics.recall_at_k(tf.sparse_placeholder(tf.int64), predictions, 1)
with tf.variable_scope("colocated"):
    with tf.colocate_with(gradients[0]):
        tf.constant(1.0)
with tf.variable_scope("normalized", use_resource=True):
    beta, gamma = tf.get_variable("beta", [2]), tf.get_variable("gamma", [2])
    tf.nn.batch_normalization(rows, tf.reduce_mean(rows, 0), tf.ones([2]), beta, gamma, 1e-3)
    tf.nn.batch_normalization(rows, gamma, beta, None, None, 1e-3)
    tf.contrib.layers.layer_norm(rows)
with tf.variable_scope("regularized"):
    for f in (tf.keras.regularizers.l1(0.1), tf.keras.regularizers.l2(0.2), tf.keras.regularizers.l1_l2(0.1, 0.2)):
        f(w)
show([op.name for op in tf.get_default_graph().get_operations() if op.name.startswith(("clipped/", "ranks/"))])
with tf.variable_scope("ordered"):
    tf.clip_by_average_norm(rows, 0.5)
    values, vectors = tf.self_adjoint_eig(tf.matmul(w, w, transpose_b=True))
    tf.gradients(values[0] + vectors[0, 0], w)
show([op.name for op in tf.get_default_graph().get_operations() if op.name.startswith("ordered/")][:7])
