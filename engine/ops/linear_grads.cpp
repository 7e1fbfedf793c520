#include "ops/linear_grads.h"

#include "ops/grad_ops.h"

namespace weft::linear {
namespace {

bool isMatrix(GraphBuilder& b, Output x) { return b.shape(x).hasRank() && b.shape(x).rank() <= 2; }

/// tf.matmul: MatMul for matrices, BatchMatMulV2 for what may be more.
Output matmul(GraphBuilder& b, Output x, Output y, bool adjointX = false, bool adjointY = false) {
  const py::Scope s(b, "MatMul");
  if (!isMatrix(b, x) && !isMatrix(b, y)) return b.op("BatchMatMulV2", {x, y}, {{"adj_x", adjointX}, {"adj_y", adjointY}}, s.name());
  if (adjointX) x = py::conj(b, x);
  if (adjointY) y = py::conj(b, y);
  return b.op("MatMul", {x, y}, {{"transpose_a", adjointX}, {"transpose_b", adjointY}}, s.name());
}

/// tf.linalg.adjoint
Output adjoint(GraphBuilder& b, Output x) {
  const py::Scope s(b, "adjoint");
  const bool conjugates = isComplex(b.dtype(x));
  if (b.shape(x).hasRank()) {
    std::vector<int32_t> perm;
    for (int d = 0; d < b.shape(x).rank() - 2; ++d) perm.push_back(d);
    perm.push_back(b.shape(x).rank() - 1);
    perm.push_back(b.shape(x).rank() - 2);
    return py::transpose(b, x, b.ints(perm, "matrix_transpose/transpose/perm"), conjugates);
  }
  const Output rank = py::rank(b, x);
  const Output rest = py::range(b, 0, py::sub(b, rank, 2));
  const Output last = py::sub(b, rank, 1), before = py::sub(b, rank, 2);
  const Output perm = py::concat(b, {rest, py::stack(b, {last, before})}, 0);
  return py::transpose(b, x, perm, conjugates);
}

Output bandPart(GraphBuilder& b, Output x, int lower, int upper) {
  return b.op("MatrixBandPart", {x, b.constant(Tensor::scalar(int64_t(lower)), "MatrixBandPart/num_lower"), b.constant(Tensor::scalar(int64_t(upper)), "MatrixBandPart/num_upper")});
}

/// multipliers[..., None, None] * inverse(a, adjoint)
Output timesInverse(GraphBuilder& b, Output a, Output multipliers, Output shapeOf) {
  const Output inverse = b.op("MatrixInverse", {a}, {{"adjoint", true}});
  const Output shape = py::concat(b, {py::shape(b, shapeOf), std::vector<int64_t>{1, 1}}, 0);
  return py::mul(b, py::reshape(b, multipliers, shape), inverse);
}

/// The identity in the shape of the square matrices `like`.
Output identityLike(GraphBuilder& b, Output like) {
  const Output zeros = py::zerosLike(b, like);
  const Output ones = py::onesLike(b, b.op("MatrixDiagPart", {like}));
  return b.op("MatrixSetDiag", {zeros, ones});
}

}  // namespace

Grads inverseGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output inner = matmul(b, c.grad(), c.output(0), false, true);
  return std::vector{py::neg(b, matmul(b, c.output(0), inner, true))};
}

Grads determinantGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  return std::vector{timesInverse(b, c.input(0), py::mul(b, c.grad(), c.output(0)), c.output(0))};
}

Grads logDeterminantGradient(GradContext& c) { return std::vector{timesInverse(c.b(), c.input(0), c.grad(1), c.output(1))}; }

Grads solveGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const bool adjointA = c.attrs().flag("adjoint");
  const Output gb = b.op("MatrixSolve", {c.input(0), c.grad()}, {{"adjoint", !adjointA}});
  const Output ga = adjointA ? matmul(b, c.output(0), gb, false, true) : matmul(b, gb, c.output(0), false, true);
  return std::vector{py::neg(b, ga), gb};
}

Grads triangularSolveGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const bool adjointA = c.attrs().flag("adjoint"), lower = c.attrs().flag("lower", true);
  const Output gb = b.op("MatrixTriangularSolve", {c.input(0), c.grad()}, {{"lower", lower}, {"adjoint", !adjointA}});
  const Output ga = py::neg(b, adjointA ? matmul(b, c.output(0), gb, false, true) : matmul(b, gb, c.output(0), false, true));
  return std::vector{lower ? bandPart(b, ga, -1, 0) : bandPart(b, ga, 0, -1), gb};
}

Grads choleskyGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output l = c.output(0);
  const Output inverse = b.op("MatrixTriangularSolve", {l, identityLike(b, l)});
  Output middle = matmul(b, l, c.grad(), true);
  const Output half = py::mul(b, 0.5, b.op("MatrixDiagPart", {middle}));
  middle = bandPart(b, b.op("MatrixSetDiag", {middle, half}), -1, 0);
  const Output left = matmul(b, inverse, middle, true);
  const Output grad = matmul(b, left, inverse);
  return std::vector{py::mul(b, py::add(b, grad, adjoint(b, grad)), 0.5)};
}

Grads qrGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output q = c.output(0), r = c.output(1), dq = c.grad(0), dr = c.grad(1);
  if (isComplex(b.dtype(q))) return unimplemented("QrGrad not implemented for dtype: ", dtypeName(b.dtype(q)));
  const Shape s = b.shape(r);
  if (!s.hasRank() || s.dim(s.rank() - 2) < 0 || s.dim(s.rank() - 1) < 0) return unimplemented("QrGrad not implemented with dynamic shapes.");
  if (s.dim(s.rank() - 2) != s.dim(s.rank() - 1)) return unimplemented("QrGrad not implemented when ncols > nrows or full_matrices is true and ncols != nrows.");
  const Output qdq = matmul(b, q, dq, true), rdr = matmul(b, r, dr, false, true);
  const Output skewQ = py::sub(b, qdq, adjoint(b, qdq)), skewR = py::sub(b, rdr, adjoint(b, rdr));
  const Output tril = bandPart(b, py::add(b, skewQ, skewR), -1, 0);
  const auto timesInverseOfR = [&](Output x) {
    return adjoint(b, b.op("MatrixTriangularSolve", {r, adjoint(b, x)}, {{"lower", false}, {"adjoint", false}}));
  };
  const Output first = matmul(b, q, py::add(b, dr, timesInverseOfR(tril)));
  const Output second = timesInverseOfR(py::sub(b, dq, matmul(b, q, qdq)));
  return std::vector{py::add(b, first, second)};
}

Grads eigGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output e = c.output(0);
  Output grad;
  if (c.attrs().flag("compute_v", true)) {
    const Output v = c.output(1);
    const Output gaps = py::sub(b, py::expandDims(b, e, -2), py::expandDims(b, e, -1));
    const Output f = b.op("MatrixSetDiag", {b.op("Reciprocal", {gaps}), py::zerosLike(b, e)});
    const Output turned = py::mul(b, f, matmul(b, v, c.grad(1), true));
    const Output middle = py::add(b, b.op("MatrixDiag", {c.grad(0)}), turned);
    grad = matmul(b, v, matmul(b, middle, v, false, true));
  } else {
    const int solved = b.node("SelfAdjointEigV2", {c.input(0)});
    const Output v{solved, 1};
    grad = matmul(b, v, matmul(b, b.op("MatrixDiag", {c.grad(0)}), v, false, true));
  }
  // Only the lower triangle is looked at: what belongs to both halves goes there.
  grad = bandPart(b, py::add(b, grad, adjoint(b, grad)), -1, 0);
  const Output half = py::mul(b, 0.5, b.op("MatrixDiagPart", {grad}));
  return std::vector{b.op("MatrixSetDiag", {grad, half})};
}

Grads solveLsGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  if (!c.attrs().flag("fast", true)) return invalidArgument("Gradient not defined for fast=False");
  const Output a = c.input(0), rhs = c.input(1);
  const Shape s = b.shape(a);
  if (!s.hasRank() || s.dim(s.rank() - 2) < 0 || s.dim(s.rank() - 1) < 0) return unimplemented("the gradient of MatrixSolveLs needs the shape of its matrices");
  const bool tall = s.dim(s.rank() - 2) >= s.dim(s.rank() - 1);
  const Output l2 = py::cast(b, c.input(2), b.dtype(a));
  const Output gram = matmul(b, a, a, tall, !tall);
  const Output cholesky = b.op("Cholesky", {py::add(b, gram, py::mul(b, l2, identityLike(b, gram)))});
  const auto solve = [&](Output y) {
    const Output lower = b.op("MatrixTriangularSolve", {cholesky, y}, {{"lower", true}, {"adjoint", false}});
    return b.op("MatrixTriangularSolve", {cholesky, lower}, {{"lower", true}, {"adjoint", true}});
  };
  if (tall) {
    const Output z = solve(c.grad());
    const Output xz = matmul(b, c.output(0), z, false, true);
    const Output symmetric = py::add(b, xz, adjoint(b, xz));
    const Output minus = py::neg(b, matmul(b, a, symmetric));
    const Output ga = py::add(b, minus, matmul(b, rhs, z, false, true));
    return std::vector{ga, matmul(b, a, z), Output{}};
  }
  const Output gb = solve(matmul(b, a, c.grad()));
  const Output part = solve(rhs);
  const Output first = py::neg(b, matmul(b, gb, matmul(b, part, a, true)));
  const Output rest = py::sub(b, c.grad(), matmul(b, a, gb, true));
  return std::vector{py::add(b, first, matmul(b, part, rest, false, true)), gb, Output{}};
}

Grads svdGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  if (c.attrs().flag("compute_uv", true)) return unimplemented("the gradient of Svd with compute_uv=true is not implemented");
  const Output diagonal = b.op("MatrixDiag", {c.grad(0)});
  const int svd = b.node("Svd", {c.input(0)}, {{"compute_uv", true}});
  const Output u{svd, 1}, v{svd, 2};
  return std::vector{matmul(b, u, matmul(b, diagonal, v, false, true))};
}

}  // namespace weft::linear
