L = tf.linalg
m = tf.placeholder(tf.float32, [3, 3])
u = tf.placeholder(tf.float32, [None, None, None])
x = tf.placeholder(tf.float32, [3, 2])
ops = [L.LinearOperatorDiag([1.0, 2.0, 3.0], is_positive_definite=True), L.LinearOperatorFullMatrix(m), L.LinearOperatorFullMatrix(m, is_self_adjoint=True, is_positive_definite=True, name="spd"),
       L.LinearOperatorLowerTriangular(m, is_non_singular=True), L.LinearOperatorIdentity(3), L.LinearOperatorIdentity(3, batch_shape=[2], dtype=tf.float32, assert_proper_shapes=True, name="ids"),
       L.LinearOperatorScaledIdentity(3, 2.0), L.LinearOperatorScaledIdentity(3, tf.placeholder(tf.float32, []), is_positive_definite=True, name="sc")]
ops.append(L.LinearOperatorComposition([ops[0], ops[1]]))
ops.append(L.LinearOperatorBlockDiag([ops[3], L.LinearOperatorDiag([4.0])]))
ops.append(L.LinearOperatorLowRankUpdate(ops[0], tf.ones([3, 1])))
ops.append(L.LinearOperatorLowRankUpdate(ops[1], tf.ones([3, 2]), diag_update=[1.0, 2.0], v=tf.ones([3, 2]), name="lru"))
ops.append(L.LinearOperatorAdjoint(ops[1]))
ops.append(L.LinearOperatorInversion(ops[3]))
for o in ops:
    y = tf.placeholder(tf.float32, [int(o.domain_dimension), 2])
    show(o.name, o.shape, o.batch_shape, o.is_square, o.is_self_adjoint, o.is_non_singular, o.is_positive_definite, o.tensor_rank, o.domain_dimension.value)
    show(o.matmul(y), o.matmul(y, adjoint=True), o.matmul(tf.transpose(y), adjoint_arg=True), o.matvec(y[:, 0]), o.solve(y), o.solvevec(y[:, 0]), o.solve(y, adjoint=True))
    show(o.determinant(), o.log_abs_determinant(), o.to_dense(), o.diag_part(), o.trace(), o.add_to_tensor(tf.ones([int(o.domain_dimension)] * 2)), o.shape_tensor(), o.batch_shape_tensor(),
         o.tensor_rank_tensor(), o.domain_dimension_tensor(), o.range_dimension_tensor())
    show(o.adjoint().name, o.inverse().name, raises(lambda: o.cholesky().name), raises(o.assert_non_singular), raises(o.assert_positive_definite), raises(o.assert_self_adjoint))
for a in ops[:9]:
    for b in ops[:5]:
        show(a.matmul(b).name, raises(lambda: a.solve(b).name))
dyn = L.LinearOperatorFullMatrix(u)
show(dyn.shape, dyn.is_square, dyn.shape_tensor(), dyn.batch_shape_tensor(), dyn.to_dense(), dyn.domain_dimension_tensor(), L.LinearOperatorDiag(u).shape_tensor())
tri = L.LinearOperatorLowerTriangular(tf.placeholder(tf.float32, [5, 5]))
show(tri.solve(tf.placeholder(tf.float32, [4, 5, 2])), tri.solve(tf.placeholder(tf.float32, [4, 5, 2]), adjoint=True), dyn.solve(tf.placeholder(tf.float32, [2, 3, 4])))
comp = L.LinearOperatorComposition([L.LinearOperatorFullMatrix(u), L.LinearOperatorDiag(tf.placeholder(tf.float32, [None]))])
show(comp.shape, comp.shape_tensor(), L.LinearOperatorIdentity(tf.placeholder(tf.int32, [])).to_dense(), L.LinearOperatorBlockDiag([tri, tri]).solve(tf.ones([10, 1])))
show(raises(lambda: L.LinearOperatorFullMatrix([1.0])), raises(lambda: L.LinearOperatorFullMatrix([[1]])), raises(lambda: L.LinearOperatorDiag(1.0)), raises(lambda: L.LinearOperatorIdentity(-1)),
     raises(lambda: ops[1].matmul(tf.ones([4, 1]))), raises(lambda: L.LinearOperatorDiag([1.0], is_self_adjoint=False)), raises(lambda: L.LinearOperatorBlockDiag([])),
     raises(lambda: L.LinearOperatorFullMatrix(tf.ones([2, 3])).determinant()), raises(lambda: ops[1].matmul(tf.ones([3, 1], tf.float64))))
