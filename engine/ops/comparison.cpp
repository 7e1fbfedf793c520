#include "device/cpu/broadcast.h"
#include "device/cpu/dtypes.h"
#include "ops/elementwise_kernel.h"
#include "ops/grad_ops.h"
#include "ops/operand_checks.h"
#include "ops/registry.h"

// Comparisons, logic, and Select.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

const std::vector<DType> kComparedByOrder = {DType::Float, DType::Double, DType::Int32,    DType::UInt8, DType::Int16,
                                             DType::Int8,  DType::Int64,  DType::BFloat16, DType::Half};
const std::vector<DType> kComparable = {DType::BFloat16, DType::Half,  DType::Float,     DType::Double, DType::UInt8, DType::Int8,      DType::Int16,
                                        DType::Int32,    DType::Int64, DType::Complex64, DType::String, DType::Bool,  DType::Complex128};
const std::vector<DType> kMovable = {DType::BFloat16,   DType::Half,  DType::Float,    DType::Double, DType::UInt8,  DType::Int8,
                                     DType::UInt16,     DType::Int16, DType::Int32,    DType::Int64,  DType::String, DType::Complex64,
                                     DType::Complex128, DType::Bool,  DType::Resource, DType::Variant};

// Equal and NotEqual may be told to accept shapes that do not broadcast. The result's shape is then known only if the shapes are known to broadcast, and a
// scalar if they are known not to. The first decisive axis counts, as in TensorFlow.
Status sameShape(ShapeContext& c) {
  if (c.node().attrs.flag("incompatible_shape_error", true)) return shapes::broadcast(c);
  const Shape &a = c.input(0), &b = c.input(1);
  c.setOutput(0, Shape::unknown());
  if (!a.hasRank() || !b.hasRank()) return {};
  const int rank = std::max(a.rank(), b.rank());
  Shape out = Shape::unknownOfRank(rank);
  for (int i = 0; i < rank; ++i) {
    const int ai = i - (rank - a.rank()), bi = i - (rank - b.rank());
    const int64_t da = ai < 0 ? 1 : a.dim(ai), db = bi < 0 ? 1 : b.dim(bi);
    if (da == 1 || db == 1) {
      out.setDim(i, da == 1 ? db : da);
    } else if (da < 0 || db < 0) {
      return {};
    } else if (da != db) {
      c.setOutput(0, Shape());
      return {};
    } else {
      out.setDim(i, da);
    }
  }
  c.setOutput(0, std::move(out));
  return {};
}

OpRecord& addComparison(OpRegistry& ops, const char* name, const char* types, const std::vector<DType>& kernels, const char* summary) {
  return ops.add(name)
      .category("Logic")
      .summary(summary)
      .description("The inputs are broadcast against each other.")
      .input("x: T", "First operand.")
      .input("y: T", "Second operand; its shape must be broadcastable with that of `x`.")
      .output("z: bool", "The element-wise result, in the broadcast shape.")
      .attr(types, "Type of the operands.")
      .shape(shapes::broadcast)
      .noGradient("The result is boolean.")
      .cpu({{"T", kernels}}, binaryKernel());
}

OpRecord& addLogic(OpRegistry& ops, const char* name, const char* summary) {
  return ops.add(name)
      .category("Logic")
      .summary(summary)
      .description("The inputs are broadcast against each other.")
      .input("x: bool", "First operand.")
      .input("y: bool", "Second operand; its shape must be broadcastable with that of `x`.")
      .output("z: bool", "The element-wise result, in the broadcast shape.")
      .shape(shapes::broadcast)
      .noGradient("It operates on booleans.")
      .commutative()
      .cpu({}, binaryKernel());
}

// Select: the condition is a scalar, has the shape of the values, or chooses rows.
Status selectShape(ShapeContext& c) {
  WEFT_LET(const Shape data, c.merge(c.input(1), c.input(2)));
  const Shape& cond = c.input(0);
  c.setOutput(0, data);
  if (!cond.hasRank() || !data.hasRank()) return {};
  if (cond.rank() == 0) return {};
  if (cond.rank() == 1 && data.rank() != 1) {
    // A vector condition selects rows of matrices and of tensors with higher rank.
    WEFT_TRY(c.requireRankAtLeast(data, 1));
    if (data.dim(0) >= 0 && cond.dim(0) >= 0 && data.dim(0) != cond.dim(0)) {
      return invalidArgument("Dimension 0 in both shapes must be equal, but are ", data.dim(0), " and ", cond.dim(0), ". Shapes are [", data.dim(0), "] and [",
                             cond.dim(0), "].");
    }
    if (data.dim(0) < 0) {
      Shape merged = data;
      merged.setDim(0, cond.dim(0));
      c.setOutput(0, merged);
    }
    return {};
  }
  WEFT_LET(Shape merged, c.merge(data, cond));
  c.setOutput(0, std::move(merged));
  return {};
}

}  // namespace

Status checkSelect(const KernelContext& c) {
  const Tensor &cond = c.input(0), &t = c.input(1), &e = c.input(2);
  if (!(t.shape() == e.shape())) {
    return invalidArgument("Inputs to operation ", c.node().name, " of type Select must have the same size and shape.  Input 1: ", t.shape().toString(),
                           " != input 2: ", e.shape().toString());
  }
  if (cond.rank() == 0 || cond.shape() == t.shape()) return {};
  if (t.rank() < 1) return invalidArgument("'then' must be at least a vector, but saw shape: ", t.shape().toString());
  if (cond.rank() != 1) return invalidArgument("'cond' must be a vector, but saw shape: ", cond.shape().toString());
  if (cond.elements() != t.dim(0)) {
    return invalidArgument("Number of batches of 'then' must match size of 'cond', but saw: ", t.dim(0), " vs. ", cond.elements());
  }
  return {};
}

Error notBroadcastable(const KernelContext& c) {
  const auto shape = [&c](int i) { return c.input(i).shape().toString(); };
  return invalidArgument("condition ", shape(0), ", then ", shape(1), ", and else ", shape(2), " must be broadcastable");
}

namespace {

class SelectKernel final : public Kernel {
 public:
  explicit SelectKernel(KernelInit& init)
      : entry_(cpu::findElementwise("Select", init.inputType(1))), size_(cpu::storageSize(init.inputType(1))), plain_(cpu::isPlain(init.inputType(1))) {}

  Status compute(KernelContext& c) override {
    const Tensor &cond = c.input(0), &t = c.input(1), &e = c.input(2);
    WEFT_TRY(checkSelect(c));
    if (cond.rank() == 0) {  // select one of the two tensors as a whole
      c.setOutput(0, *cond.data<bool>() ? t : e);
      return {};
    }
    const int64_t n = t.elements();
    if (cond.shape() == t.shape()) {
      WEFT_LET(Tensor* out, plain_ ? c.allocateOrForward(0, t.shape(), {1, 2}) : c.allocate(0, t.shape()));
      const void* in[3] = {cond.raw(), t.raw(), e.raw()};
      static constexpr bool kScalar[3] = {};
      const size_t sizes[3] = {1, size_, size_};
      cpu::runFlat(*entry_, in, kScalar, sizes, out->mutableRaw(), size_, n);
      return {};
    }
    WEFT_LET(Tensor* out, plain_ ? c.allocateOrForward(0, t.shape(), {1, 2}) : c.allocate(0, t.shape()));
    if (n == 0) return {};
    cpu::BroadcastPlan plan;
    plan.operands = 3;
    plan.elements = n;
    const int64_t rows = t.dim(0), row = n / rows;
    plan.dims = row == 1 ? 1 : 2;
    plan.size[0] = rows;
    plan.size[1] = row;
    for (int k = 0; k < 3; ++k) {
      plan.varies[k][0] = true;
      plan.varies[k][1] = k > 0;
      plan.stride[k][0] = k > 0 ? row : 1;
      plan.stride[k][1] = k > 0 ? 1 : 0;
    }
    const void* in[3] = {cond.raw(), t.raw(), e.raw()};
    const size_t sizes[3] = {1, size_, size_};
    cpu::runBroadcast(*entry_, plan, in, sizes, out->mutableRaw(), size_, plain_);
    return {};
  }

 private:
  const cpu::ElementwiseEntry* entry_;
  const size_t size_;
  const bool plain_;
};

Status selectV2Shape(ShapeContext& c) {
  const Shape &cond = c.input(0), &t = c.input(1), &e = c.input(2);
  if (!cond.hasRank() || !t.hasRank() || !e.hasRank()) return {};
  // The condition broadcasts with the broadcast shape of the two values.
  const auto both = [&c](const Shape& a, const Shape& b) -> Result<Shape> {
    const int rank = std::max(a.rank(), b.rank());
    Shape out = Shape::unknownOfRank(rank);
    for (int i = 0; i < rank; ++i) {
      const int ai = i - (rank - a.rank()), bi = i - (rank - b.rank());
      const int64_t da = ai < 0 ? 1 : a.dim(ai), db = bi < 0 ? 1 : b.dim(bi);
      if (da < 0 || db < 0) {
        out.setDim(i, da > 1 ? da : db > 1 ? db : Shape::kUnknownDim);
      } else if (da == 1 || db == 1) {
        out.setDim(i, da == 1 ? db : da);
      } else {
        WEFT_LET(const int64_t d, c.mergeDims(da, db));
        out.setDim(i, d);
      }
    }
    return out;
  };
  WEFT_LET(const Shape values, both(t, e));
  WEFT_LET(Shape out, both(values, cond));
  c.setOutput(0, std::move(out));
  return {};
}

class SelectV2Kernel final : public Kernel {
 public:
  explicit SelectV2Kernel(KernelInit& init)
      : entry_(cpu::findElementwise("Select", init.inputType(1))), size_(cpu::storageSize(init.inputType(1))), plain_(cpu::isPlain(init.inputType(1))) {}

  Status compute(KernelContext& c) override {
    const Shape* shapes[3] = {&c.input(0).shape(), &c.input(1).shape(), &c.input(2).shape()};
    Shape result;
    auto plan = cpu::planBroadcast(shapes, 3, result);
    if (!plan.ok()) return notBroadcastable(c);
    WEFT_LET(Tensor* out, plain_ ? c.allocateOrForward(0, result, {1, 2}) : c.allocate(0, result));
    const void* in[3] = {c.input(0).raw(), c.input(1).raw(), c.input(2).raw()};
    const size_t sizes[3] = {1, size_, size_};
    cpu::runBroadcast(*entry_, *plan, in, sizes, out->mutableRaw(), size_, plain_);
    return {};
  }

 private:
  const cpu::ElementwiseEntry* entry_;
  const size_t size_;
  const bool plain_;
};

Grads selectGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output cond = c.input(0);
  const Output zeros = py::zerosLike(b, c.input(1));
  const Output t = b.op("Select", {cond, c.grad(), zeros});
  return std::vector{Output{}, t, b.op("Select", {cond, zeros, c.grad()})};
}

Grads selectV2Gradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output cond = c.input(0);
  const Output zero = b.number(b.dtype(c.grad()), 0, "zeros");
  const auto part = [&](Output grad, Output value, Output* outputShape) {
    const Output dims = py::shape(b, value);
    if (!outputShape->valid()) *outputShape = py::shape(b, c.output(0));
    const int args = b.node("BroadcastGradientArgs", {dims, *outputShape});
    return py::reshape(b, py::reduceSum(b, grad, Output{args, 0}, true), dims);
  };
  Output outputShape;
  const Output gx = part(b.op("SelectV2", {cond, c.grad(), zero}), c.input(1), &outputShape);
  const Output gy = part(b.op("SelectV2", {cond, zero, c.grad()}), c.input(2), &outputShape);
  return std::vector{Output{}, gx, gy};
}

}  // namespace

void registerComparison(OpRegistry& ops) {
  constexpr const char* kSame =
      "T: {bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, quint8, qint8, qint32, string, bool, complex128}";
  constexpr const char* kOrder = "T: realnumbertype";
  addComparison(ops, "Equal", kSame, kComparable, "x == y, element-wise.")
      .commutative()
      .attr("incompatible_shape_error: bool = true",
            "If false, shapes that do not broadcast are simply unequal, and the result is a scalar instead of an error.")
      .shape(sameShape);
  addComparison(ops, "NotEqual", kSame, kComparable, "x != y, element-wise.")
      .commutative()
      .attr("incompatible_shape_error: bool = true",
            "If false, shapes that do not broadcast are simply unequal, and the result is a scalar instead of an error.")
      .shape(sameShape);
  addComparison(ops, "Less", kOrder, kComparedByOrder, "x < y, element-wise.");
  addComparison(ops, "LessEqual", kOrder, kComparedByOrder, "x <= y, element-wise.");
  addComparison(ops, "Greater", kOrder, kComparedByOrder, "x > y, element-wise.");
  addComparison(ops, "GreaterEqual", kOrder, kComparedByOrder, "x >= y, element-wise.");
  addLogic(ops, "LogicalAnd", "Logical AND, element-wise.");
  addLogic(ops, "LogicalOr", "Logical OR, element-wise.");

  ops.add("Select")
      .category("Logic")
      .summary("Selects elements of `t` where `condition` is true and elements of `e` elsewhere.")
      .input("condition: bool", "A scalar, a tensor in the shape of `t`, or a vector with one value per row.")
      .input("t: T", "Values where `condition` is true.")
      .input("e: T", "Values where `condition` is false, in the shape of `t`.")
      .output("output: T", "The selected values.")
      .attr("T: type", "Type of the values.")
      .shape(selectShape)
      .gradient(selectGradient)
      .cpu({{"T", kMovable}}, kernelOf<SelectKernel>());
  ops.add("SelectV2")
      .category("Logic")
      .summary("Selects elements of `t` where `condition` is true and elements of `e` elsewhere; all three are broadcast.")
      .input("condition: bool", "Booleans.")
      .input("t: T", "Values where `condition` is true.")
      .input("e: T", "Values where `condition` is false.")
      .output("output: T", "The selected values, in the broadcast shape.")
      .attr("T: type", "Type of the values.")
      .shape(selectV2Shape)
      .gradient(selectV2Gradient)
      .cpu({{"T", kMovable}}, kernelOf<SelectV2Kernel>());
  countFlops(ops, 1, "Equal Greater Less");
}

}  // namespace weft
