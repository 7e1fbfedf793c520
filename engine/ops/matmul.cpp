// MatMul and its batched forms.
#include "device/cpu/gemm.h"
#include "device/cpu/kernel_precision.h"
#include "ops/batch_product.h"
#include "ops/grad_ops.h"
#include "ops/operand_checks.h"
#include "ops/registry.h"

namespace weft {

Result<BatchProduct> batchProductOf(KernelContext& c) {
  const AttrMap& attrs = c.node().attrs;
  const bool adjointX = attrs.flag("adj_x"), adjointY = attrs.flag("adj_y"), broadcast = c.node().op == "BatchMatMulV2";
  const Tensor &x = c.input(0), &y = c.input(1);
  const int rx = x.rank(), ry = y.rank();
  if (!broadcast && rx != ry) {
    return invalidArgument("In[0] and In[1] has different ndims: ", x.shape().toString(), " vs. ", y.shape().toString());
  }
  if (rx < 2) return invalidArgument("In[0] ndims must be >= 2: ", rx);
  if (ry < 2) return invalidArgument("In[1] ndims must be >= 2: ", ry);
  const Shape bx = x.shape().slice(0, rx - 2), by = y.shape().slice(0, ry - 2);
  auto batch = broadcastShapes(bx, by);
  if (!broadcast && !(bx == by)) {
    return invalidArgument("In[0].dim(0) and In[1].dim(0) must be the same: ", x.shape().toString(), " vs ", y.shape().toString());
  }
  if (!batch.ok()) {
    return invalidArgument("In[0] and In[1] must have compatible batch dimensions: ", x.shape().toString(), " vs. ", y.shape().toString());
  }
  BatchProduct p{bx, by, *batch, *batch};
  p.m = x.dim(adjointX ? rx - 1 : rx - 2);
  p.k = x.dim(adjointX ? rx - 2 : rx - 1);
  p.n = y.dim(adjointY ? ry - 2 : ry - 1);
  const int64_t inner = y.dim(adjointY ? ry - 1 : ry - 2);
  if (inner != p.k) {
    return invalidArgument("Matrix size-incompatible: In[0] mismatch In[1] shape: ", p.k, " vs. ", inner, ": ", x.shape().toString(), " ", y.shape().toString(),
                           " ", adjointX, " ", adjointY);
  }
  p.out.append(p.m);
  p.out.append(p.n);
  return p;
}

namespace {

const std::vector<DType> kMatMulTypes = {DType::BFloat16, DType::Half,  DType::Float,     DType::Double,
                                         DType::Int32,    DType::Int64, DType::Complex64, DType::Complex128};

// ---- shapes

Status matMulShape(ShapeContext& c) {
  const Shape &a = c.input(0), &b = c.input(1);
  WEFT_TRY(c.requireRank(a, 2));
  WEFT_TRY(c.requireRank(b, 2));
  const bool ta = c.attrs().flag("transpose_a"), tb = c.attrs().flag("transpose_b");
  const auto dim = [](const Shape& s, int i) { return s.hasRank() ? s.dim(i) : Shape::kUnknownDim; };
  WEFT_TRY(c.mergeDims(dim(a, ta ? 0 : 1), dim(b, tb ? 1 : 0)));
  c.setOutput(0, Shape{dim(a, ta ? 1 : 0), dim(b, tb ? 0 : 1)});
  return {};
}

/// Batch dims must be equal for the older op; for V2 they are broadcast.
Status batchMatMulShape(ShapeContext& c, bool broadcast) {
  Shape x = c.input(0), y = c.input(1);
  WEFT_TRY(c.requireRankAtLeast(x, 2));
  if (broadcast) {
    WEFT_TRY(c.requireRankAtLeast(y, 2));
  } else if (x.hasRank()) {
    WEFT_TRY(c.requireRank(y, x.rank()));
    if (!y.hasRank()) y = Shape::unknownOfRank(x.rank());
  } else if (y.hasRank()) {
    WEFT_TRY(c.requireRankAtLeast(y, 2));
    x = Shape::unknownOfRank(y.rank());
  }
  if (!x.hasRank() || !y.hasRank()) return {};
  const bool ax = c.attrs().flag("adj_x"), ay = c.attrs().flag("adj_y");
  const int rx = x.rank(), ry = y.rank();
  Shape batch;
  if (broadcast) {
    const int rank = std::max(rx, ry) - 2;
    for (int i = 0; i < rank; ++i) {
      const int ix = i - (rank - (rx - 2)), iy = i - (rank - (ry - 2));
      const int64_t dx = ix < 0 ? 1 : x.dim(ix), dy = iy < 0 ? 1 : y.dim(iy);
      if (dx < 0 || dy < 0) {
        batch.append(dx > 1 ? dx : dy > 1 ? dy : Shape::kUnknownDim);
      } else if (dx == 1 || dy == 1) {
        batch.append(dx == 1 ? dy : dx);
      } else {
        WEFT_LET(const int64_t d, c.mergeDims(dx, dy));
        batch.append(d);
      }
    }
  } else {
    WEFT_LET(Shape merged, c.merge(x.slice(0, rx - 2), y.slice(0, ry - 2)));
    batch = std::move(merged);
  }
  WEFT_TRY(c.mergeDims(x.dim(ax ? rx - 2 : rx - 1), y.dim(ay ? ry - 1 : ry - 2)));
  batch.append(x.dim(ax ? rx - 1 : rx - 2));
  batch.append(y.dim(ay ? ry - 2 : ry - 1));
  c.setOutput(0, std::move(batch));
  return {};
}

// ---- gradients

Result<std::vector<Output>> matMulGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const bool ta = c.attrs().flag("transpose_a"), tb = c.attrs().flag("transpose_b");
  const Output x = py::conj(b, c.input(0)), y = py::conj(b, c.input(1)), dy = c.grad();
  const auto product = [&](Output l, Output r, bool tl, bool tr) { return b.op("MatMul", {l, r}, {{"transpose_a", tl}, {"transpose_b", tr}}); };
  Output dx, dw;
  if (!ta) {
    dx = product(dy, y, false, !tb);
    dw = tb ? product(dy, x, true, false) : product(x, dy, true, false);
  } else {
    dx = product(y, dy, tb, true);
    dw = tb ? product(dy, x, true, true) : product(x, dy, false, false);
  }
  return std::vector<Output>{dx, dw};
}

/// tf.matmul(x, y, adjoint_a, adjoint_b): MatMul for matrices, else BatchMatMulV2.
Output matmul(GraphBuilder& b, Output x, Output y, bool adjointX, bool adjointY) {
  const py::Scope scope(b, "MatMul");
  const Shape sx = b.shape(x), sy = b.shape(y);
  if (!sx.hasRank() || sx.rank() > 2 || !sy.hasRank() || sy.rank() > 2) {
    return b.op("BatchMatMulV2", {x, y}, {{"adj_x", adjointX}, {"adj_y", adjointY}}, scope.name());
  }
  if (adjointX) x = py::conj(b, x);
  if (adjointY) y = py::conj(b, y);
  return b.op("MatMul", {x, y}, {{"transpose_a", adjointX}, {"transpose_b", adjointY}}, scope.name());
}

Result<std::vector<Output>> batchMatMulGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const bool ax = c.attrs().flag("adj_x"), ay = c.attrs().flag("adj_y");
  const Output x = c.input(0), y = c.input(1), dy = c.grad();
  Output dx, dw;
  if (!ax) {
    dx = matmul(b, dy, y, false, !ay);
    dw = ay ? matmul(b, dy, x, true, false) : matmul(b, x, dy, true, false);
  } else {
    dx = matmul(b, y, dy, ay, true);
    dw = ay ? matmul(b, dy, x, true, true) : matmul(b, x, dy, false, false);
  }
  if (c.node().op == "BatchMatMulV2") {
    const Shape sx = b.shape(x), sy = b.shape(y);
    if (!sx.isFullyKnown() || !sy.isFullyKnown() || !(sx == sy)) {
      // Sum over the broadcast dims.
      const Output shapeX = py::shape(b, x), shapeY = py::shape(b, y);
      const Output batchX = py::sliceTo(b, shapeX, -2), batchY = py::sliceTo(b, shapeY, -2);
      const auto axes = b.outputsOf(b.node("BroadcastGradientArgs", {batchX, batchY}));
      if (axes.size() < 2) return b.status().error();
      dx = b.op("Reshape", {py::reduceSum(b, dx, axes[0]), shapeX});
      dw = b.op("Reshape", {py::reduceSum(b, dw, axes[1]), shapeY});
    }
  }
  return std::vector<Output>{dx, dw};
}

// ---- kernels

}  // namespace

Status checkMatrices(const Tensor& a, const Tensor& b) {
  if (a.rank() == 2 && b.rank() == 2) return {};
  const std::string ranks =
      a.rank() != b.rank() ? concat(" (In[0] and In[1] has different ndims: ", a.shape().toString(), " vs. ", b.shape().toString(), ")") : std::string();
  const int wrong = a.rank() != 2 ? 0 : 1;
  return invalidArgument("In[", wrong, "] is not a matrix. Instead it has shape ", (wrong ? b : a).shape().toString(), ranks);
}

namespace {

class MatMulKernel final : public Kernel {
 public:
  explicit MatMulKernel(KernelInit& init)
      : type_(init.inputType(0)), transposeA_(init.attrs().flag("transpose_a")), transposeB_(init.attrs().flag("transpose_b")) {}

  Status compute(KernelContext& c) override {
    const Tensor &a = c.input(0), &b = c.input(1);
    WEFT_TRY(checkMatrices(a, b));
    const cpu::GemmShape s{a.dim(transposeA_ ? 1 : 0), a.dim(transposeA_ ? 0 : 1), b.dim(transposeB_ ? 0 : 1), transposeA_, transposeB_};
    if (b.dim(transposeB_ ? 1 : 0) != s.k) {
      return invalidArgument("Matrix size-incompatible: In[0]: ", a.shape().toString(), ", In[1]: ", b.shape().toString());
    }
    WEFT_LET(Tensor * out, c.allocate(0, {s.m, s.n}));
    return cpu::gemm(type_, s, false, a.raw(), b.raw(), out->mutableRaw(), precisionFor(c, s, type_));
  }

 private:
  DType type_;
  bool transposeA_, transposeB_;
};

class BatchMatMulKernel final : public Kernel {
 public:
  explicit BatchMatMulKernel(KernelInit& init) : type_(init.inputType(0)), adjointX_(init.attrs().flag("adj_x")), adjointY_(init.attrs().flag("adj_y")) {}

  Status compute(KernelContext& c) override {
    WEFT_LET(const BatchProduct p, batchProductOf(c));
    const cpu::GemmShape s{p.m, p.k, p.n, adjointX_, adjointY_};
    WEFT_LET(Tensor * out, c.allocate(0, p.out));
    const auto offsetsX = offsets(p.batchX, p.batch, s.m * s.k), offsetsY = offsets(p.batchY, p.batch, s.k * s.n);
    return cpu::gemmBatch(type_, s, true, p.batch.elements(), offsetsX.data(), offsetsY.data(), c.input(0).raw(), c.input(1).raw(), out->mutableRaw(),
                          precisionFor(c, s, type_));
  }

 private:
  /// The offset of the operand's matrix for each matrix of the result.
  static std::vector<int64_t> offsets(const Shape& own, const Shape& batch, int64_t matrix) {
    std::vector<int64_t> out(size_t(batch.elements()), 0);
    const int rank = batch.rank(), missing = rank - own.rank();
    std::vector<int64_t> stride(size_t(rank), 0), index(size_t(rank), 0);
    int64_t step = matrix;
    for (int i = own.rank() - 1; i >= 0; --i) {
      stride[size_t(i + missing)] = own.dim(i) == 1 ? 0 : step;
      step *= own.dim(i);
    }
    int64_t at = 0;
    for (int64_t& o : out) {
      o = at;
      for (int d = rank - 1; d >= 0; --d) {
        at += stride[size_t(d)];
        if (++index[size_t(d)] < batch.dim(d)) break;
        at -= stride[size_t(d)] * batch.dim(d);
        index[size_t(d)] = 0;
      }
    }
    return out;
  }

  DType type_;
  bool adjointX_, adjointY_;
};

Cost productCost(const std::vector<Shape>& inputs, const std::vector<Shape>& outputs, const AttrMap& attrs, DType type) {
  Cost cost;
  if (inputs.size() < 2 || outputs.empty() || !inputs[0].isFullyKnown() || !inputs[1].isFullyKnown() || !outputs[0].isFullyKnown()) return cost;
  const Shape& a = inputs[0];
  const bool transposed = attrs.flag("transpose_a") || attrs.flag("adj_x");
  const int64_t inner = a.rank() >= 2 ? a.dim(transposed ? a.rank() - 2 : a.rank() - 1) : 1;
  cost.flops = 2.0 * double(outputs[0].elements()) * double(inner) * (isComplex(type) ? 4 : 1);
  cost.bytes = double(inputs[0].elements() + inputs[1].elements() + outputs[0].elements()) * double(sizeOf(type));
  return cost;
}

}  // namespace

void registerMatMul(OpRegistry& ops) {
  ops.add("MatMul")
      .category("Linear algebra")
      .keywords("gemm dense product fully connected")
      .summary("Matrix product of two matrices, either of which may be transposed.")
      .input("a: T", "Left matrix.")
      .input("b: T", "Right matrix.")
      .output("product: T", "The product.")
      .attr("transpose_a: bool = false", "Transpose `a` before multiplying.")
      .attr("transpose_b: bool = false", "Transpose `b` before multiplying.")
      .attr("T: {bfloat16, half, float, double, int32, int64, complex64, complex128}", "Type of the elements.")
      .shape(matMulShape)
      .gradient(matMulGradient)
      .cost(productCost)
      .cpu({{"T", kMatMulTypes}}, kernelOf<MatMulKernel>());
  const std::vector<DType> batchTypes(kMatMulTypes.begin() + 1, kMatMulTypes.end());
  for (const bool v2 : {false, true}) {
    ops.add(v2 ? "BatchMatMulV2" : "BatchMatMul")
        .category("Linear algebra")
        .keywords("gemm batched product attention")
        .summary(v2 ? "Matrix products over the last two dimensions; leading dimensions are broadcast."
                    : "Matrix products over the last two dimensions; leading dimensions must be equal.")
        .input("x: T", "Left matrices.")
        .input("y: T", "Right matrices.")
        .output("output: T", "The products.")
        .attr("T: {bfloat16, half, float, double, int32, int64, complex64, complex128}", "Type of the elements.")
        .attr("adj_x: bool = false", "Use the adjoint (conjugate transpose) of `x`.")
        .attr("adj_y: bool = false", "Use the adjoint (conjugate transpose) of `y`.")
        .shape([v2](ShapeContext& c) { return batchMatMulShape(c, v2); })
        .gradient(batchMatMulGradient)
        .cost(productCost)
        .cpu({{"T", batchTypes}}, kernelOf<BatchMatMulKernel>());
  }
  state(ops, OpRole::MatMul, Effect::None, "BatchMatMul BatchMatMulV2 MatMul");
  makeFresh(ops, "BatchMatMul BatchMatMulV2 MatMul");
  passNan(ops, NanPath::Whole, "MatMul");
}

}  // namespace weft
