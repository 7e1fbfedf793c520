L = tf.linalg
m, n = tf.placeholder(tf.float32, [2, 2]), tf.placeholder(tf.float32, [3, 3])
ops = [L.LinearOperatorKronecker([L.LinearOperatorFullMatrix(m), L.LinearOperatorDiag([1.0, 2.0, 3.0])]), L.LinearOperatorHouseholder([1.0, 2.0, 2.0]), L.LinearOperatorZeros(3),
       L.LinearOperatorKronecker([L.LinearOperatorDiag([1.0, 2.0], is_positive_definite=True), L.LinearOperatorIdentity(2)])]
for o in ops:
    k = int(o.domain_dimension)
    y = tf.placeholder(tf.float32, [k, 2])
    show(o.name, o.shape, o.is_square, o.is_self_adjoint, o.is_non_singular, o.is_positive_definite)
    show(o.matmul(y), o.matmul(y, adjoint=True), o.matmul(tf.transpose(y), adjoint_arg=True), o.matvec(y[:, 0]), raises(lambda: o.solve(y).name), raises(lambda: o.solve(y, adjoint=True).name))
    show(o.determinant(), o.to_dense(), o.diag_part(), o.trace(), o.add_to_tensor(tf.ones([k, k])), o.shape_tensor(), o.batch_shape_tensor(), raises(lambda: o.log_abs_determinant().name))
    show(o.adjoint().name, raises(lambda: o.inverse().name), raises(lambda: o.cholesky().name), raises(o.assert_non_singular), raises(o.assert_positive_definite), raises(o.assert_self_adjoint))
show(L.LinearOperatorZeros(2, 3, is_square=False, is_self_adjoint=False, batch_shape=[2]).matmul(tf.ones([3, 1])), raises(lambda: L.LinearOperatorZeros(2, 3)), L.LinearOperatorDiag([1.0, 2.0, 3.0]).matmul(ops[2]).name)
show(L.LinearOperatorZeros(3, assert_proper_shapes=True, name="zp").matmul(tf.ones([3, 1])), raises(lambda: L.LinearOperatorHouseholder(1.0)), raises(lambda: L.LinearOperatorKronecker([])))
d = tf.placeholder(tf.float32, [3, 4])
show(L.expm(n), L.expm(tf.placeholder(tf.float64, [None, 2, 2]), name="e"), L.tridiagonal_matmul(d, tf.ones([4, 2])), L.tridiagonal_matmul(tf.ones([4, 4]), tf.ones([4, 2]), "matrix"),
     L.tridiagonal_matmul((tf.ones([4]), tf.ones([4]), tf.ones([4])), tf.ones([4, 2]), diagonals_format="sequence"), raises(lambda: L.expm([[1, 2], [3, 4]])),
     raises(lambda: L.tridiagonal_matmul(d, tf.ones([4, 2]), "x")), L.expm(tf.ones([2, 3, 3], tf.float64)))
with tf.Session() as s:
    f = {m: [[1.0, 2.0], [3.0, 4.0]], n: [[0.1, 0.2, 0.0], [0.0, 3.0, 1.0], [1.0, 0.0, 0.5]], d: np.arange(12).reshape(3, 4)}
    show(s.run([ops[0].to_dense(), ops[0].determinant(), ops[1].to_dense(), ops[3].solve(tf.ones([4, 1])), L.expm(n), L.expm(tf.constant([[1.0, 2.0], [0.0, 20.0]], tf.float64)),
                L.tridiagonal_matmul(d, tf.ones([4, 2]))], f))
