#include "ops/linear_grads.h"

#include "graph/indexed_slices.h"
#include "ops/grad_ops.h"
#include "ops/grad_transposes.h"

namespace weft::linear {
namespace {

using py::adjoint;
using py::matrixTranspose;

bool isMatrix(GraphBuilder& b, Output x) { return b.shape(x).hasRank() && b.shape(x).rank() <= 2; }

/// tf.matmul: MatMul for matrices, BatchMatMulV2 if the rank may be higher.
Output matmul(GraphBuilder& b, Output x, Output y, bool adjointX = false, bool adjointY = false) {
  const py::Scope s(b, "MatMul");
  if (!isMatrix(b, x) || !isMatrix(b, y)) return b.op("BatchMatMulV2", {x, y}, {{"adj_x", adjointX}, {"adj_y", adjointY}}, s.name());
  if (adjointX) x = py::conj(b, x);
  if (adjointY) y = py::conj(b, y);
  return b.op("MatMul", {x, y}, {{"transpose_a", adjointX}, {"transpose_b", adjointY}}, s.name());
}

// tf.matrix_diag, tf.matrix_diag_part, tf.matrix_set_diag
Output diag(GraphBuilder& b, Output x) { return b.op("MatrixDiag", {x}, {}, "diag"); }
Output diagPart(GraphBuilder& b, Output x) { return b.op("MatrixDiagPart", {x}, {}, "diag_part"); }
Output setDiag(GraphBuilder& b, Output x, Output diagonal) { return b.op("MatrixSetDiag", {x, diagonal}, {}, "set_diag"); }

Output bandPart(GraphBuilder& b, Output x, int lower, int upper) {
  return b.op("MatrixBandPart", {x, b.constant(Tensor::scalar(int64_t(lower)), "MatrixBandPart/num_lower"),
                                 b.constant(Tensor::scalar(int64_t(upper)), "MatrixBandPart/num_upper")});
}

/// multipliers[..., None, None] * inverse(a, adjoint)
Output timesInverse(GraphBuilder& b, Output a, Output multipliers, Output shapeOf) {
  const Output inverse = b.op("MatrixInverse", {a}, {{"adjoint", true}});
  const Output shape = py::concat(b, {py::shape(b, shapeOf), std::vector<int64_t>{1, 1}}, 0);
  return py::mul(b, py::reshape(b, multipliers, shape), inverse);
}

/// [..., n] as one list: the lists and scalars of `parts` joined.
Output joined(GraphBuilder& b, Output first, const std::vector<py::Operand>& scalars) {
  const py::Scope s(b, "concat");
  Inputs in{first};
  for (size_t i = 0; i < scalars.size(); ++i) {
    const std::string name = "values_" + std::to_string(i + 1);
    in.add(scalars[i].tensor() ? py::stack(b, {scalars[i]}, name) : py::tensor(b, scalars[i], DType::Int32, name));
  }
  in.add(b.scalar(int32_t(0), "axis"));
  return b.op("ConcatV2", in, {}, s.name());
}

/// tf.eye with a number of rows known only at run time; `batch`, if valid, holds the leading dims.
Output eye(GraphBuilder& b, Output rows, Output batch, DType type) {
  const py::Scope s(b, "eye");
  const Output size = b.op("Minimum", {rows, rows});
  if (!batch.valid()) batch = b.ints({}, "shape");
  const Output dims = joined(b, batch, {size});
  Output ones;
  {
    const py::Scope o(b, "ones");
    const Output one = b.number(type, 1, "Const");
    ones = b.op("Fill", {dims, one}, {}, o.name());
  }
  return diag(b, ones);
}

/// x[..., :, begin:end]; a `begin` of 0 is omitted.
Output columns(GraphBuilder& b, Output x, int begin, int end) {
  const py::Scope s(b, "strided_slice");
  const Output from = b.ints({0, 0, begin}, "stack"), to = b.ints({0, 0, end}, "stack_1"), step = b.ints({1, 1, 1}, "stack_2");
  return b.op("StridedSlice", {x, from, to, step}, {{"ellipsis_mask", 1}, {"begin_mask", begin == 0 ? 6 : 2}, {"end_mask", 2}}, s.name());
}

/// New nodes get control inputs from all incoming gradients.
GraphBuilder::Guard afterGrads(GradContext& c) {
  std::vector<int> nodes;
  for (const Output grad : c.grads()) {
    if (const auto slices = slicesOf(c.b(), grad)) nodes.push_back(slices->values.node);
    else if (grad.valid()) nodes.push_back(grad.node);
  }
  return c.b().controlDependencies(nodes);
}

/// shape[:size - 2], by Slice.
Output allButTwo(GraphBuilder& b, Output shape) {
  const Output count = py::call(b, "Sub", py::size(b, shape), 2);
  const py::Scope s(b, "Slice");
  const Output begin = b.ints({0}, "begin");
  const Output size = py::stack(b, {count}, "size");
  return b.op("Slice", {shape, begin, size}, {}, s.name());
}

/// The Kronecker products of square matrices, for each matrix of a batch.
Output kronecker(GraphBuilder& b, Output x, Output y) {
  const Output xShape = py::shape(b, x), yShape = py::shape(b, y);
  const Output xOrder = py::at(b, xShape, -1), yOrder = py::at(b, yShape, -1);
  const Output batch = allButTwo(b, xShape);
  const Output xDims = joined(b, batch, {xOrder, std::vector<int64_t>{1}, xOrder, std::vector<int64_t>{1}});
  const Output yDims = joined(b, batch, {std::vector<int64_t>{1}, yOrder, std::vector<int64_t>{1}, yOrder});
  const Output xSpread = py::reshape(b, x, xDims), ySpread = py::reshape(b, y, yDims);
  const Output order = py::mul(b, xOrder, yOrder);
  const Output dims = joined(b, batch, {order, order});
  return py::reshape(b, py::mul(b, xSpread, ySpread), dims);
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
  const Output rows = py::at(b, py::shape(b, l), -1);
  const Output batch = py::sliceTo(b, py::shape(b, l), -2);
  const Output inverse = b.op("MatrixTriangularSolve", {l, eye(b, rows, batch, b.dtype(l))});
  Output middle = matmul(b, l, c.grad(), true);
  const Output half = py::mul(b, 0.5, diagPart(b, middle));
  middle = bandPart(b, setDiag(b, middle, half), -1, 0);
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
  if (s.dim(s.rank() - 2) != s.dim(s.rank() - 1))
    return unimplemented("QrGrad not implemented when ncols > nrows or full_matrices is true and ncols != nrows.");
  const Output qdq = matmul(b, q, dq, true), rdr = matmul(b, r, dr, false, true);
  const Output skewQ = py::sub(b, qdq, adjoint(b, qdq)), skewR = py::sub(b, rdr, adjoint(b, rdr));
  const Output tril = bandPart(b, py::add(b, skewQ, skewR), -1, 0);
  const auto timesInverseOfR = [&](Output x) { return adjoint(b, b.op("MatrixTriangularSolve", {r, adjoint(b, x)}, {{"lower", false}, {"adjoint", false}})); };
  const Output first = matmul(b, q, py::add(b, dr, timesInverseOfR(tril)));
  const Output second = timesInverseOfR(py::sub(b, dq, matmul(b, q, qdq)));
  return std::vector{py::add(b, first, second)};
}

Grads eigGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto wait = afterGrads(c);
  const Output e = c.output(0);
  Output grad;
  if (c.attrs().flag("compute_v", true)) {
    const Output v = c.output(1);
    const Output row = py::expandDims(b, e, -2), column = py::expandDims(b, e, -1);  // in this order, because it determines the names
    const Output inverse = b.op("Reciprocal", {py::sub(b, row, column)});
    const Output f = setDiag(b, inverse, py::zerosLike(b, e));
    const Output turned = py::mul(b, f, matmul(b, v, c.grad(1), true));
    const Output middle = py::add(b, diag(b, c.grad(0)), turned);
    grad = matmul(b, v, matmul(b, middle, v, false, true));
  } else {
    const int solved = b.node("SelfAdjointEigV2", {c.input(0)});
    const Output v{solved, 1};
    grad = matmul(b, v, matmul(b, diag(b, c.grad(0)), v, false, true));
  }
  // Only the lower triangle is read, so it gets the gradient of both halves.
  grad = bandPart(b, py::add(b, grad, adjoint(b, grad)), -1, 0);
  const Output half = py::mul(b, 0.5, diagPart(b, grad));
  return std::vector{setDiag(b, grad, half)};
}

Grads solveLsGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  if (!c.attrs().flag("fast", true)) return invalidArgument("Gradient not defined for fast=False");
  const Output a = c.input(0), rhs = c.input(1);
  const Shape s = b.shape(a);
  if (!s.hasRank() || s.dim(s.rank() - 2) < 0 || s.dim(s.rank() - 1) < 0) return unimplemented("the gradient of MatrixSolveLs needs the shape of its matrices");
  const bool tall = s.dim(s.rank() - 2) >= s.dim(s.rank() - 1);
  const Output l2 = py::cast(b, c.input(2), b.dtype(a));
  Output gram = matmul(b, a, a, tall, !tall);
  // tf.linalg_ops._RegularizedGramianCholesky
  const Output shape = py::shape(b, a);
  const Output batch = py::sliceTo(b, shape, -2);
  if (tall) {
    const Output rows = py::at(b, shape, -1);
    gram = py::add(b, gram, py::mul(b, l2, eye(b, rows, batch, b.dtype(a))));
  } else {
    const Output rows = py::at(b, shape, -2);
    gram = py::add(b, gram, py::mul(b, l2, eye(b, rows, batch, b.dtype(a))));
  }
  const Output cholesky = b.op("Cholesky", {gram});
  const auto solve = [&](Output y) {
    const py::Scope s(b, "cholesky_solve");
    const Output lower = b.op("MatrixTriangularSolve", {cholesky, y}, {{"lower", true}, {"adjoint", false}});
    return b.op("MatrixTriangularSolve", {cholesky, lower}, {{"lower", true}, {"adjoint", true}});
  };
  if (tall) {
    const Output z = solve(c.grad());
    const Output xz = matmul(b, c.output(0), z, false, true);
    const Output symmetric = py::add(b, xz, matrixTranspose(b, xz));
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
  const Output sDiagonal = diag(b, c.grad(0));
  if (!c.attrs().flag("compute_uv", true)) {
    const int svd = b.node("Svd", {c.input(0)}, {{"compute_uv", true}});
    const Output u{svd, 1}, v{svd, 2};
    if (isComplex(b.dtype(c.input(0)))) b.op("Real", {Output{svd, 0}});  // tf.linalg.svd gives real values
    return std::vector{matmul(b, u, matmul(b, sDiagonal, v, false, true))};
  }
  if (isComplex(b.dtype(c.input(0)))) return unimplemented("SVD gradient is not implemented for complex types and compute_uv=True.");
  const auto dimOf = [&](int fromEnd) {
    for (const auto& [tensor, end] : {std::pair{c.input(0), fromEnd}, {c.grad(3 - fromEnd), 2}}) {
      const Shape shape = b.shape(tensor);
      if (shape.hasRank() && shape.rank() >= end && shape.dim(shape.rank() - end) >= 0) return int(shape.dim(shape.rank() - end));
    }
    return -1;
  };
  int m = dimOf(2), n = dimOf(1);
  if (m < 0 || n < 0) return unimplemented("SVD gradient has not been implemented for input with unknown inner matrix shape.");
  const Output s = c.output(0);
  Output u = c.output(1), v = c.output(2), gu = c.grad(1), gv = c.grad(2);
  // A tall matrix is treated as the adjoint of a wide one.
  const bool tall = m > n, full = c.attrs().flag("full_matrices");
  if (tall) {
    std::swap(m, n);
    std::swap(u, v);
    std::swap(gu, gv);
  }
  const auto wait = afterGrads(c);
  if (full && n - m > 1) return unimplemented("svd gradient is not implemented for abs(m - n) > 1 when full_matrices is True");
  const Output sMatrix = diag(b, s);
  const Output s2 = b.op("Square", {s});
  const Output sShape = py::shape(b, s);
  // Ones on the diagonal, which is later set to zero, keep its reciprocals finite for second derivatives.
  const Output rows = py::at(b, sShape, -1), batch = py::sliceTo(b, sShape, -1);
  const Output ones = eye(b, rows, batch, b.dtype(s));
  const Output across = py::expandDims(b, s2, -2), down = py::expandDims(b, s2, -1);
  const Output gaps = py::add(b, py::sub(b, across, down), ones);
  const Output reciprocals = b.op("Reciprocal", {gaps});
  const Output f = setDiag(b, reciprocals, py::zerosLike(b, s));
  const Output inverseS = diag(b, b.op("Reciprocal", {s}));
  const Output v1 = columns(b, v, 0, m), gv1 = columns(b, gv, 0, m);
  const Output ugu = matmul(b, u, gu, true), vgv = matmul(b, v1, gv1, true);
  const Output fu = py::mul(b, f, ugu), fv = py::mul(b, f, vgv);
  const Output left = matmul(b, py::add(b, fu, adjoint(b, fu)), sMatrix);
  const Output begun = py::add(b, sDiagonal, left);
  const Output right = matmul(b, sMatrix, py::add(b, fv, adjoint(b, fv)));
  const Output inner = py::add(b, begun, right);
  Output grad = matmul(b, u, matmul(b, inner, v1, false, true));
  if (m != n) {
    const Output turned = matrixTranspose(b, gv1);
    Output rest = py::sub(b, turned, matmul(b, matmul(b, turned, v1), v1, false, true));
    if (full) {
      const Output v2 = columns(b, v, m, n), gv2 = columns(b, gv, m, n);
      rest = py::sub(b, rest, matmul(b, matmul(b, v1, gv2, true), v2, false, true));
    }
    grad = py::add(b, grad, matmul(b, matmul(b, u, inverseS), rest));
  }
  return std::vector{tall ? matrixTranspose(b, grad) : grad};
}

// R R = A, so dA = R dR + dR R: a linear system for the elements of dR.
Grads squareRootGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output root = c.output(0);
  const Output shape = py::shape(b, root);
  const Output order = py::at(b, shape, -1);
  Output outer;
  {
    const py::Scope s(b, "strided_slice");
    const Output from = b.ints({0}, "stack"), to = b.ints({-2}, "stack_1"), step = b.ints({1}, "stack_2");
    outer = b.op("StridedSlice", {shape, from, to, step}, {}, s.name());
  }
  const Output count = py::reduceProd(b, outer);
  const Output flat = py::reshape(b, eye(b, order, {}, b.dtype(root)), std::vector<int64_t>{-1});
  Output tiled;
  {
    const py::Scope s(b, "Tile");
    tiled = b.op("Tile", {flat, py::stack(b, {count}, "multiples")}, {}, s.name());
  }
  const Output ones = py::reshape(b, tiled, shape);
  const Output turned = matrixTranspose(b, root);
  const Output first = kronecker(b, ones, turned), second = kronecker(b, root, ones);
  const Output sum = b.op("Add", {first, second});
  const Output batch = allButTwo(b, shape);
  const Output dims = joined(b, batch, {py::mul(b, order, order), std::vector<int64_t>{1}});
  const Output grad = py::reshape(b, matrixTranspose(b, c.grad()), dims);
  const Output solved = b.op("MatrixSolve", {sum, grad});
  return std::vector{matrixTranspose(b, py::reshape(b, solved, shape))};
}

}  // namespace weft::linear
