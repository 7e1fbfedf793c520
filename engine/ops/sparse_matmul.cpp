#include <Eigen/Core>

#include "ops/grad_ops.h"
#include "ops/grad_transposes.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

// SparseMatMul: the product of two dense matrices that are declared to contain many zeros, with float and bfloat16 mixed.
namespace weft {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix floats(const Tensor& t) {
  Matrix m(t.dim(0), t.dim(1));
  if (t.dtype() == DType::Float) std::copy_n(t.data<float>(), t.elements(), m.data());
  else std::copy_n(elementsOf<Eigen::bfloat16>(t), t.elements(), m.data());
  return m;
}

Status run(KernelContext& c) {
  const Tensor &a = c.input(0), &b = c.input(1);
  if (a.rank() != 2) return invalidArgument("a is not a matrix");
  if (b.rank() != 2) return invalidArgument("b is not a matrix");
  const bool ta = c.node().attrs.flag("transpose_a"), tb = c.node().attrs.flag("transpose_b");
  if (a.dim(ta ? 0 : 1) != b.dim(tb ? 1 : 0)) return invalidArgument("Matrix size incompatible: a: ", a.shape().toString(), ", b: ", b.shape().toString());
  WEFT_LET(Tensor* out, c.allocate(0, Shape{a.dim(ta ? 1 : 0), b.dim(tb ? 0 : 1)}));
  Eigen::Map<Matrix> y(out->mutableData<float>(), out->dim(0), out->dim(1));
  const Matrix x = floats(a), w = floats(b);
  if (x.size() == 0 || w.size() == 0) y.setZero();
  else if (ta && tb) y.noalias() = x.transpose() * w.transpose();
  else if (ta) y.noalias() = x.transpose() * w;
  else if (tb) y.noalias() = x * w.transpose();
  else y.noalias() = x * w;
  return {};
}

Status shape(ShapeContext& c) {
  const Shape &a = c.input(0), &b = c.input(1);
  WEFT_TRY(c.requireRank(a, 2));
  WEFT_TRY(c.requireRank(b, 2));
  const bool ta = c.attrs().flag("transpose_a"), tb = c.attrs().flag("transpose_b");
  const auto dim = [](const Shape& s, bool first) { return s.hasRank() ? s.dim(first ? 0 : 1) : Shape::kUnknownDim; };
  WEFT_TRY(c.mergeDims(dim(a, ta), dim(b, !tb)).status());
  c.setOutput(0, Shape{dim(a, !ta), dim(b, tb)});
  return {};
}

/// A matrix and whether it is declared to contain many zeros.
struct Factor {
  Output value;
  bool sparse;
};

/// tf.matmul of two matrices, then cast to `type`.
Output product(GraphBuilder& b, Factor x, Factor y, DType type, bool transposeX = false, bool transposeY = false) {
  if (transposeY) y.value = py::transposeAll(b, y.value);
  Output out;
  {
    const py::Scope scope(b, "MatMul");
    const DType tx = b.dtype(x.value), ty = b.dtype(y.value);
    if (x.sparse || y.sparse || tx != ty) {
      out = b.op("SparseMatMul", {x.value, y.value}, {{"transpose_a", transposeX}, {"a_is_sparse", x.sparse}, {"b_is_sparse", y.sparse}}, scope.name());
      if (tx == DType::BFloat16 && ty == DType::BFloat16) out = py::cast(b, out, DType::BFloat16);
    } else {
      out = b.op("MatMul", {x.value, y.value}, {{"transpose_a", transposeX}}, scope.name());
    }
  }
  return py::cast(b, out, type);
}

Result<std::vector<Output>> gradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const bool ta = c.attrs().flag("transpose_a"), tb = c.attrs().flag("transpose_b");
  const Factor x{c.input(0), c.attrs().flag("a_is_sparse")}, y{c.input(1), c.attrs().flag("b_is_sparse")};
  // The gradient of a Relu has as many zeros as the Relu.
  const Factor g{c.grad(), b.graph().node(c.grad().node)->op == "ReluGrad"};
  const DType tx = b.dtype(x.value), ty = b.dtype(y.value);
  if (!ta && !tb) {
    const Output dx = product(b, g, y, tx, false, true);
    return std::vector{dx, product(b, x, g, ty, true)};
  }
  if (!ta) {
    const Output dx = product(b, g, y, tx);
    return std::vector{dx, product(b, g, x, ty, true)};
  }
  if (!tb) {
    const Output dx = product(b, y, g, tx, false, true);
    return std::vector{dx, product(b, x, g, ty)};
  }
  const Output dx = product(b, y, g, tx, true, true);
  return std::vector{dx, product(b, g, x, ty, true, true)};
}

}  // namespace

void registerSparseMatMul(OpRegistry& ops) {
  const std::vector<DType> both = {DType::Float, DType::BFloat16};
  ops.add("SparseMatMul")
      .category("Linear algebra")
      .summary("Matrix product for matrices that may contain many zeros.")
      .description("The flags are hints only; the result equals that of MatMul in float.")
      .input("a: Ta", "A matrix.")
      .input("b: Tb", "A matrix.")
      .output("product: float", "Their product.")
      .attr("transpose_a: bool = false", "Transpose `a` before multiplying.")
      .attr("transpose_b: bool = false", "Transpose `b` before multiplying.")
      .attr("a_is_sparse: bool = false", "Hint that `a` contains many zeros.")
      .attr("b_is_sparse: bool = false", "Hint that `b` contains many zeros.")
      .attr("Ta: {float, bfloat16} = DT_FLOAT", "Type of `a`.")
      .attr("Tb: {float, bfloat16} = DT_FLOAT", "Type of `b`.")
      .shape(shape)
      .gradient(gradient)
      .cpu({{"Ta", both}, {"Tb", both}}, simpleKernel(run));
  state(ops, OpRole::MatMul, Effect::None, "SparseMatMul");
}

}  // namespace weft
