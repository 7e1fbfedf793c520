#include "device/cpu/reduce.h"

#include <cmath>

#include "device/cpu/dtypes.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"

// Reductions along axes.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

Status reductionShape(ShapeContext& c) {
  const Shape& in = c.input(0);
  const bool keep = c.attrs().flag("keep_dims");
  if (c.input(1).hasRank() && c.input(1).rank() > 1) return invalidArgument("Shape must be at most rank 1 but is rank ", c.input(1).rank());
  const Tensor* axes = c.constant(1);
  if (!in.hasRank()) return {};
  if (!axes) {
    if (keep) c.setOutput(0, Shape::unknownOfRank(in.rank()));
    return {};
  }
  std::vector<bool> reduced(size_t(in.rank()), false);
  for (int64_t i = 0; i < axes->elements(); ++i) {
    const int64_t axis = axes->asInt(i);
    if (axis < -in.rank() || axis >= in.rank()) {
      return invalidArgument("Invalid reduction dimension ", axis, " for input with ", in.rank(), " dimensions.");
    }
    reduced[size_t(axis < 0 ? axis + in.rank() : axis)] = true;
  }
  Shape out;
  for (int d = 0; d < in.rank(); ++d) {
    if (!reduced[size_t(d)]) out.append(in.dim(d));
    else if (keep) out.append(1);
  }
  c.setOutput(0, std::move(out));
  return {};
}

class ReduceKernel final : public Kernel {
 public:
  ReduceKernel(KernelInit& init, cpu::ReduceFunction f) : f_(f), keepDims_(init.attrs().flag("keep_dims")) {}

  Status compute(KernelContext& c) override {
    const Tensor& x = c.input(0);
    Shape shape;
    WEFT_LET(const cpu::ReducePlan plan, cpu::planReduction(x.shape(), c.input(1), keepDims_, shape));
    if (plan.isCopy()) {
      c.setOutput(0, x.reshaped(std::move(shape)));
      return {};
    }
    WEFT_LET(Tensor* out, c.allocate(0, shape));
    f_(plan, x.raw(), out->mutableRaw());
    return {};
  }

 private:
  const cpu::ReduceFunction f_;
  const bool keepDims_;
};

/// Sum of squares and its root, computed in the type itself: integers wrap and their roots are truncated.
class NormKernel final : public Kernel {
 public:
  explicit NormKernel(KernelInit& init) : sum_(cpu::findReduction(cpu::Reduction::Sum, init.inputType(0))), keepDims_(init.attrs().flag("keep_dims")) {}

  Status compute(KernelContext& c) override {
    const Tensor& x = c.input(0);
    Shape shape;
    WEFT_LET(const cpu::ReducePlan plan, cpu::planReduction(x.shape(), c.input(1), keepDims_, shape));
    if (plan.isCopy()) {  // signs are kept, as in TensorFlow
      c.setOutput(0, x.reshaped(std::move(shape)));
      return {};
    }
    WEFT_LET(Tensor squares, c.scratch(x.dtype(), x.shape()));
    WEFT_LET(Tensor* out, c.allocate(0, shape));
    cpu::withNumber(x.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      const T* from = static_cast<const T*>(x.raw());
      T *square = static_cast<T*>(squares.mutableRaw()), *to = static_cast<T*>(out->mutableRaw());
      for (int64_t i = 0; i < x.elements(); ++i) {
        if constexpr (cpu::kIsComplex<T>) square[i] = from[i] * std::conj(from[i]);
        else if constexpr (std::is_integral_v<T>) square[i] = T(uint64_t(from[i]) * uint64_t(from[i]));
        else square[i] = T(cpu::Compute<T>(from[i]) * cpu::Compute<T>(from[i]));
      }
      sum_(plan, square, to);
      for (int64_t i = 0; i < out->elements(); ++i) {
        if constexpr (std::is_integral_v<T>) to[i] = T(std::sqrt(double(to[i])));
        else if constexpr (cpu::kIsComplex<T>) to[i] = std::sqrt(to[i]);
        else to[i] = T(std::sqrt(cpu::Compute<T>(to[i])));
      }
    });
    return {};
  }

 private:
  const cpu::ReduceFunction sum_;
  const bool keepDims_;
};

KernelFactory reduceKernel(cpu::Reduction kind) {
  return [kind](KernelInit& init) -> Result<std::unique_ptr<Kernel>> {
    const cpu::ReduceFunction f = cpu::findReduction(kind, init.inputType(0));
    if (!f) return unimplemented("No reduction of ", dtypeShortName(init.inputType(0)));
    return std::unique_ptr<Kernel>(std::make_unique<ReduceKernel>(init, f));
  };
}

/// Static results for Sum's gradient, computed once per graph.
struct ReducedShapeCache {
  std::map<std::pair<std::vector<int64_t>, std::vector<int64_t>>, std::pair<std::vector<int64_t>, std::vector<int64_t>>> found;
};

/// Ops that TensorFlow's Python creates, evaluates and leaves in the graph.
void addStaticReducedShape(GraphBuilder& b, const std::vector<int64_t>& shape, const std::vector<int64_t>& axes, const std::vector<int64_t>& kept) {
  const auto ints = [](const std::vector<int64_t>& v) { return Tensor::vector(std::vector<int32_t>(v.begin(), v.end())); };
  const auto castOf = [&](const std::vector<int64_t>& v) {
    const py::Scope s(b, "Cast");
    if (!v.empty()) return b.constant(ints(v), "x");
    const Output none = b.constant(Tensor::vector(std::vector<float>()), "x");  // Python's empty tuple becomes floats
    return b.op("Cast", {none}, {{"DstT", DType::Int32}}, s.name());
  };
  const Output inputShape = castOf(shape);
  const Output list = castOf(axes);
  py::reducedShape(b, inputShape, list);
  const py::Operand keptShape = kept;
  Output least;
  {
    const py::Scope s(b, "Maximum");
    const Output x = py::tensor(b, keptShape, DType::Int32, "x"), one = b.number(DType::Int32, 1, "y");
    least = b.op("Maximum", {x, one}, {}, s.name());
  }
  py::floordiv(b, shape, least);
}

Output sumGradientOf(GradContext& c) {
  GraphBuilder& b = c.b();
  const Shape in = b.shape(c.input(0));
  if (in.hasRank()) {
    if (const auto axes = b.constantValue(c.input(1))) {
      bool all = axes->elements() == in.rank() && axes->rank() == 1;
      for (int64_t i = 0; all && i < axes->elements(); ++i) all = axes->asInt(i) == i;
      if (all) {
        const Output grad = py::reshape(b, c.grad(), std::vector<int64_t>(size_t(in.rank()), 1));
        if (in.isFullyKnown()) {
          const auto dims = in.toVector();
          const Output multiples = b.ints(std::vector<int32_t>(dims.begin(), dims.end()), "Const");
          return b.op("Tile", {grad, multiples});
        }
        return b.op("Tile", {grad, py::shape(b, c.input(0))});
      }
      bool inside = true;  // axes that Sum itself rejects are left to the kernel
      for (int64_t i = 0; i < axes->elements(); ++i) inside = inside && axes->asInt(i) >= -in.rank() && axes->asInt(i) < in.rank();
      if (in.isFullyKnown() && inside) {
        std::vector<int64_t> list;
        for (int64_t i = 0; i < axes->elements(); ++i) list.push_back(axes->asInt(i));
        auto& cache = b.extension<ReducedShapeCache>().found;
        auto it = cache.find({in.toVector(), list});
        if (it == cache.end()) {
          std::vector<int64_t> kept = in.toVector(), scaling(kept.size(), 1);
          for (int64_t axis : list) kept[size_t(axis < 0 ? axis + in.rank() : axis)] = 1;
          for (size_t d = 0; d < kept.size(); ++d) scaling[d] = in.dim(int(d)) / std::max<int64_t>(kept[d], 1);
          addStaticReducedShape(b, in.toVector(), list, kept);
          it = cache.emplace(std::pair(in.toVector(), list), std::pair(kept, scaling)).first;
        }
        const Output grad = py::reshape(b, c.grad(), it->second.first);
        const py::Scope s(b, "Tile");
        const Output multiples = py::tensor(b, it->second.second, DType::Int32, "multiples");
        return b.op("Tile", {grad, multiples}, {}, s.name());
      }
    }
  }
  const Output inputShape = py::shape(b, c.input(0));
  Output kept, scaling;
  {
    const auto guard = b.colocateWith(inputShape.node);
    kept = py::reducedShape(b, inputShape, c.input(1));
    scaling = py::safeShapeDiv(b, inputShape, kept);
  }
  return b.op("Tile", {py::reshape(b, c.grad(), kept), scaling});
}

Grads sumGradient(GradContext& c) { return std::vector{sumGradientOf(c), Output{}}; }

Grads meanGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output sum = sumGradientOf(c);
  const Shape in = b.shape(c.input(0)), out = b.shape(c.output(0));
  Output factor;
  if (in.isFullyKnown() && out.isFullyKnown()) {
    factor = b.number(b.dtype(sum), double(in.elements() / std::max<int64_t>(out.elements(), 1)), "Const");
  } else {
    const Output inputShape = py::shape(b, c.input(0)), outputShape = py::shape(b, c.output(0));
    const Output inputSize = py::reduceProd(b, inputShape), outputSize = py::reduceProd(b, outputShape);
    factor = py::safeShapeDiv(b, inputSize, outputSize);
  }
  factor = py::cast(b, factor, b.dtype(sum));
  return std::vector{py::truediv(b, sum, factor), Output{}};
}

Grads extremeGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output inputShape = py::shape(b, c.input(0));
  const Output kept = py::reducedShape(b, inputShape, c.input(1));
  const Output y = py::reshape(b, c.output(0), kept);
  const Output grad = py::reshape(b, c.grad(), kept);
  const Output indicators = py::cast(b, b.op("Equal", {y, c.input(0)}), b.dtype(grad));
  const Output selected = py::reshape(b, py::reduceSum(b, indicators, c.input(1)), kept);
  return std::vector{py::mul(b, py::truediv(b, indicators, selected), grad), Output{}};
}

Grads prodGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output inputShape = py::shape(b, c.input(0));
  Output axes = py::reshape(b, c.input(1), std::vector<int64_t>{-1});
  const Output kept = py::reducedShape(b, inputShape, c.input(1));
  const Output scaling = py::safeShapeDiv(b, inputShape, kept);
  const Output grad = b.op("Tile", {py::reshape(b, c.grad(), kept), scaling});
  Output perm, reducedSize, otherSize;
  {
    const auto guard = b.device("/cpu:0");
    const Output rank = py::rank(b, c.input(0));
    axes = py::mod(b, py::add(b, axes, rank), rank);
    const Output reduced = py::cast(b, axes, DType::Int32);
    const Output all = py::range(b, 0, rank);
    const Output other = b.op("ListDiff", {all, reduced});
    perm = py::concat(b, {reduced, other}, 0);
    reducedSize = py::reduceProd(b, py::gather(b, inputShape, reduced));
    otherSize = py::reduceProd(b, py::gather(b, inputShape, other));
  }
  const Output permuted = py::transpose(b, c.input(0), perm);
  const Output permutedShape = py::shape(b, permuted);
  Output matrix;
  {
    const py::Scope s(b, "Reshape");
    const Output dims = py::stack(b, {reducedSize, otherSize}, "shape");
    matrix = b.op("Reshape", {permuted, dims}, {}, s.name());
  }
  const auto scan = [&](bool reverse) {
    const py::Scope s(b, "Cumprod");
    const Output axis = b.scalar(int32_t(0), "axis");
    return b.op("Cumprod", {matrix, axis}, {{"exclusive", true}, {"reverse", reverse}}, s.name());
  };
  const Output left = scan(false), right = scan(true);
  const Output cl = py::conj(b, left), cr = py::conj(b, right);
  const Output y = py::reshape(b, py::mul(b, cl, cr), permutedShape);
  const Output back = py::transpose(b, y, b.op("InvertPermutation", {perm}));
  return std::vector{py::reshape(b, py::mul(b, grad, back), inputShape), Output{}};
}

OpRecord& describeReduction(OpRegistry& ops, const char* name, bool isTruth, const char* summary) {
  OpRecord& r = ops.add(name);
  r.category("Reductions")
      .summary(summary)
      .description("With keep_dims, reduced axes stay with length 1; otherwise they are removed. An empty list of axes leaves the input unchanged.")
      .input(isTruth ? "input: bool" : "input: T", "The tensor to reduce.")
      .input("reduction_indices: Tidx", "Axes to reduce, a scalar or vector; negative values count from the end.")
      .output(isTruth ? "output: bool" : "output: T", "The reduced tensor.")
      .attr("keep_dims: bool = false", "Keep reduced axes with length 1.");
  if (!isTruth) r.attr("T: numbertype", "Type of the elements.");
  r.attr("Tidx: {int32, int64} = DT_INT32", "Type of the axes.").shape(reductionShape);
  r.cost([](const std::vector<Shape>& in, const std::vector<Shape>& out, const AttrMap&, DType t) {
    const double n = double(std::max<int64_t>(in[0].elements(), 0)), m = double(std::max<int64_t>(out[0].elements(), 0));
    return Cost{n, (n + m) * double(sizeOf(t))};
  });
  return r;
}

OpRecord& addReduction(OpRegistry& ops, const char* name, cpu::Reduction kind, const std::vector<DType>& kernels, const char* summary) {
  const bool isTruth = kind == cpu::Reduction::All || kind == cpu::Reduction::Any;
  return describeReduction(ops, name, isTruth, summary)
      .cpu(isTruth ? std::vector<KernelConstraint>{} : std::vector<KernelConstraint>{{"T", kernels}}, reduceKernel(kind));
}

}  // namespace

void registerReductions(OpRegistry& ops) {
  const std::vector<DType> ordered = {DType::Float, DType::Double, DType::Int32,    DType::UInt8,  DType::Int16,
                                      DType::Int8,  DType::Int64,  DType::BFloat16, DType::UInt16, DType::Half};
  std::vector<DType> all = ordered;
  all.push_back(DType::Complex64);
  all.push_back(DType::Complex128);
  using cpu::Reduction;
  addReduction(ops, "Sum", Reduction::Sum, all, "Sum of elements along axes.").gradient(sumGradient);
  addReduction(ops, "Mean", Reduction::Mean, all, "Mean of elements along axes; integer means are truncated towards zero.").gradient(meanGradient);
  addReduction(ops, "Prod", Reduction::Prod, all, "Product of elements along axes.").gradient(prodGradient);
  addReduction(ops, "Max", Reduction::Max, ordered, "Maximum of elements along axes.").gradient(extremeGradient);
  addReduction(ops, "Min", Reduction::Min, ordered, "Minimum of elements along axes.").gradient(extremeGradient);
  addReduction(ops, "All", Reduction::All, {}, "Logical AND of elements along axes.").noGradient("It operates on booleans.");
  addReduction(ops, "Any", Reduction::Any, {}, "Logical OR of elements along axes.").noGradient("It operates on booleans.");
  describeReduction(ops, "EuclideanNorm", false, "Euclidean norm (square root of the sum of squares) along axes.")
      .noGradient("TensorFlow 1.15 defines no gradient for it.")
      .cpu({{"T", all}}, kernelOf<NormKernel>());
  countFlops(ops, 1, "Mean Sum");
}

}  // namespace weft
