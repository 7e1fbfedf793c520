"""Gradients of tridiagonal systems and products, with known and unknown shapes, and of rows of a resource variable."""
for number, shape in enumerate([[3, 4], [2, 3, 4], [None, 3, None], None]):
    for dtype in (tf.float32, tf.float64):
        with tf.name_scope("solve%d_%s" % (number, dtype.name)):
            d = tf.placeholder(dtype, shape, name="d")
            r = tf.placeholder(dtype, None if shape is None else shape[:-2] + [shape[-1], 2], name="r")
            x = tf.raw_ops.TridiagonalSolve(diagonals=d, rhs=r, partial_pivoting=True)
            show([g.name for g in tf.gradients(x, [d, r])])
for number, shape in enumerate([[4], [2, 4], None]):
    with tf.name_scope("multiply%d" % number):
        parts = [tf.placeholder(tf.float64, None if shape is None else shape[:-1] + [1, shape[-1]], name="p%d" % i) for i in range(3)]
        r = tf.placeholder(tf.float64, None if shape is None else shape + [2], name="r")
        x = tf.raw_ops.TridiagonalMatMul(superdiag=parts[0], maindiag=parts[1], subdiag=parts[2], rhs=r)
        show([g.name for g in tf.gradients(x, parts + [r])])
for number, (shape, ids) in enumerate([([5, 2], [3]), ([5, 2], [None]), ([5, 2], [2, 0]), ([5, 2], None), ([5], []), ([3, 2, 2], [None, 2])]):
    with tf.variable_scope("rows%d" % number):
        v = tf.get_variable("v", shape, use_resource=True)
        rows = tf.placeholder(tf.int64, ids, name="rows")
        g, = tf.gradients(tf.gather(v, rows), [v])
        show(g.values.name, g.indices.name, g.dense_shape.name)
with tf.variable_scope("open"):
    v = tf.get_variable("v", initializer=tf.placeholder(tf.float32, [None, 2]), use_resource=True, validate_shape=False)
    g, = tf.gradients(tf.gather(v, [0, 1]), [v])
    show(g.dense_shape.name)
