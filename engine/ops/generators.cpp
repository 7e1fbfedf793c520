#include <algorithm>
#include <cmath>

#include "device/cpu/dtypes.h"
#include "device/cpu/move.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "ops/variant_math.h"

// Tensors generated from a few numbers: filled, ranges, one-hot.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

Status fillShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 1));
  WEFT_TRY(c.requireRank(c.input(1), 0));
  if (const Tensor* dims = c.constant(0)) {
    for (int64_t i = 0; i < dims->elements(); ++i) {
      if (dims->asInt(i) < 0) return invalidArgument("Fill dimensions must be >= 0");
    }
  }
  WEFT_LET(Shape out, c.constantAsShape(0));
  c.setOutput(0, std::move(out));
  return {};
}

Status runFill(KernelContext& c) {
  const Tensor &dims = c.input(0), &value = c.input(1);
  if (dims.rank() != 1) return invalidArgument("Shape must be rank 1: dims must be a vector, got shape ", dims.shape().toString());
  if (value.rank() != 0) return invalidArgument("Shape must be rank 0: value must be a scalar, got shape ", value.shape().toString());
  Shape shape;
  for (int64_t i = 0; i < dims.elements(); ++i) {
    if (dims.asInt(i) < 0) return invalidArgument("Dimension ", dims.asInt(i), " must be >= 0");
    shape.append(dims.asInt(i));
  }
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  cpu::fillElements(value.dtype(), value.raw(), out->mutableRaw(), out->elements());
  return {};
}

Grads fillGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Shape s = b.shape(c.grad());
  Output axes;
  if (s.hasRank()) {
    std::vector<int32_t> all(size_t(s.rank()));
    for (int i = 0; i < s.rank(); ++i) all[size_t(i)] = i;
    axes = b.ints(all, "Const");
  } else {
    const Output rank = py::rank(b, c.grad());
    axes = py::range(b, 0, rank);
  }
  return std::vector{Output{}, b.op("Sum", {c.grad(), axes})};
}

/// ZerosLike and OnesLike.
class LikeKernel final : public Kernel {
 public:
  explicit LikeKernel(KernelInit& init) : one_(init.node().op == "OnesLike") {}
  Status compute(KernelContext& c) override {
    const Tensor& x = c.input(0);
    if (x.dtype() == DType::Variant) {
      WEFT_LET(Tensor lists, zerosOf(x));
      c.setOutput(0, std::move(lists));
      return {};
    }
    if (!cpu::isPlain(x.dtype())) {
      WEFT_LET(Tensor* out, c.allocate(0, x.shape()));
      cpu::withStorage(x.dtype(), [&](auto tag) {
        using S = typename decltype(tag)::type;
        std::fill_n(static_cast<S*>(out->mutableRaw()), out->elements(), S());
      });
      return {};
    }
    WEFT_LET(Tensor* out, c.allocateOrForward(0, x.shape(), {0}));
    char value[16] = {};
    if (one_) {
      if (x.dtype() == DType::Bool) value[0] = 1;
      cpu::withNumber(x.dtype(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        *reinterpret_cast<T*>(value) = T(1);
      });
    }
    cpu::fillElements(x.dtype(), value, out->mutableRaw(), out->elements());
    return {};
  }

 private:
  const bool one_;
};

// Range.

template <typename T>
Result<int64_t> rangeSize(T start, T limit, T delta) {
  if (delta == T(0)) return invalidArgument("Requires delta != 0: ", delta);
  if (delta > T(0) && start > limit) return invalidArgument("Requires start <= limit when delta > 0: ", start, "/", limit);
  if (delta < T(0) && start < limit) return invalidArgument("Requires start >= limit when delta < 0: ", start, "/", limit);
  if constexpr (std::is_integral_v<T>) {
    const auto span = start < limit ? uint64_t(limit) - uint64_t(start) : uint64_t(start) - uint64_t(limit);
    const auto step = delta < 0 ? uint64_t(0) - uint64_t(delta) : uint64_t(delta);
    return int64_t(span / step + (span % step != 0));
  } else {
    const double count = std::ceil(std::abs((limit - start) / delta));
    if (!(count < 9e18)) return invalidArgument("Requires ((limit - start) / delta) <= ", INT64_MAX);
    return int64_t(count);
  }
}

template <typename F>
bool withRange(DType t, F&& f) {
  switch (t) {
    case DType::Int32: f(cpu::TypeTag<int32_t>()); return true;
    case DType::Int64: f(cpu::TypeTag<int64_t>()); return true;
    case DType::Float: f(cpu::TypeTag<float>()); return true;
    case DType::Double: f(cpu::TypeTag<double>()); return true;
    default: return false;
  }
}

Status rangeShape(ShapeContext& c) {
  for (int i = 0; i < 3; ++i) WEFT_TRY(c.requireRank(c.input(i), 0));
  const Tensor *start = c.constant(0), *limit = c.constant(1), *delta = c.constant(2);
  c.setOutput(0, Shape::unknownOfRank(1));
  if (!start || !limit || !delta) return {};
  Status status;
  withRange(c.inputType(0), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto n = rangeSize(start->at<T>(0), limit->at<T>(0), delta->at<T>(0));
    if (n.ok()) c.setOutput(0, Shape{*n});
    else status = n.error();
  });
  return status;
}

Status runRange(KernelContext& c) {
  const char* names[] = {"start", "limit", "delta"};
  for (int i = 0; i < 3; ++i) {
    if (c.input(i).rank() != 0) return invalidArgument("Shape must be rank 0: ", names[i], " must be a scalar, not shape ", c.input(i).shape().toString());
  }
  Status status;
  withRange(c.input(0).dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    status = [&]() -> Status {
      const T start = c.input(0).at<T>(0), delta = c.input(2).at<T>(0);
      WEFT_LET(const int64_t n, rangeSize(start, c.input(1).at<T>(0), delta));
      WEFT_LET(Tensor* out, c.allocate(0, Shape{n}));
      // Floats are accumulated, as in TensorFlow.
      T value = start;
      T* y = out->mutableData<T>();
      for (int64_t i = 0; i < n; ++i) {
        y[i] = value;
        if (i + 1 < n) value += delta;
      }
      return {};
    }();
  });
  return status;
}

// OneHot.

Status oneHotShape(ShapeContext& c) {
  const int64_t axis = c.attrs().integer("axis", -1);
  if (axis < -1) return invalidArgument("axis must be >= -1");
  if (c.input(1).hasRank() && c.input(1).rank() != 0) return invalidArgument("Input must be scalar but has rank ", c.input(1).rank());
  int64_t depth = Shape::kUnknownDim;
  if (const auto d = c.constantInt(1)) {
    if (*d < 0) return invalidArgument("Dimension size, given by scalar input 1, must be non-negative but is ", *d);
    depth = *d;
  }
  const Shape& in = c.input(0);
  if (!in.hasRank()) return {};
  const int64_t at = axis == -1 ? in.rank() : std::min<int64_t>(axis, in.rank());  // the kernel rejects an axis beyond the last
  Shape out;
  for (int d = 0; d <= in.rank(); ++d) {
    if (d == at) out.append(depth);
    if (d < in.rank()) out.append(in.dim(d));
  }
  c.setOutput(0, std::move(out));
  return {};
}

class OneHotKernel final : public Kernel {
 public:
  explicit OneHotKernel(KernelInit& init) : axis_(init.attrs().integer("axis", -1)) {}
  Status compute(KernelContext& c) override {
    const Tensor &indices = c.input(0), &depthTensor = c.input(1), &on = c.input(2), &off = c.input(3);
    const int rank = indices.rank();
    if (axis_ != -1 && (axis_ < 0 || axis_ > rank)) {
      return invalidArgument("Expected axis to be -1 or between [0, ", rank + 1, ").  But received: ", axis_);
    }
    if (depthTensor.rank() != 0) return invalidArgument("depth must be a scalar, but got: ", depthTensor.shape().toString());
    if (on.rank() != 0) return invalidArgument("on_value must be a scalar, but got: ", on.shape().toString());
    if (off.rank() != 0) return invalidArgument("off_value must be a scalar, but got: ", off.shape().toString());
    const int64_t depth = depthTensor.asInt(0), at = axis_ == -1 ? rank : axis_;
    if (depth < 0) return invalidArgument("depth must be non-negative, got: ", depth);
    Shape shape;
    int64_t before = 1, after = 1;
    for (int d = 0; d <= rank; ++d) {
      if (d == at) shape.append(depth);
      if (d < rank) {
        shape.append(indices.dim(d));
        (d < at ? before : after) *= indices.dim(d);
      }
    }
    WEFT_LET(Tensor* out, c.allocate(0, shape));
    cpu::fillElements(on.dtype(), off.raw(), out->mutableRaw(), out->elements());
    cpu::withStorage(on.dtype(), [&](auto tag) {
      using S = typename decltype(tag)::type;
      S* y = static_cast<S*>(out->mutableRaw());
      const S& hot = *static_cast<const S*>(on.raw());
      for (int64_t i = 0; i < before; ++i) {
        for (int64_t j = 0; j < after; ++j) {
          const int64_t k = indices.asInt(i * after + j);
          if (k >= 0 && k < depth) y[(i * depth + k) * after + j] = hot;
        }
      }
    });
    return {};
  }

 private:
  const int64_t axis_;
};

}  // namespace

void registerGenerators(OpRegistry& ops) {
  ops.add("Fill")
      .category("Arrays")
      .summary("Creates a tensor filled with one value.")
      .input("dims: index_type", "Shape of the result.")
      .input("value: T", "The value; a scalar.")
      .output("output: T", "The filled tensor.")
      .attr("T: type", "Type of the elements.")
      .attr("index_type: {int32, int64} = DT_INT32", "Type of the shape.")
      .shape(fillShape)
      .gradient(fillGradient)
      .cpu({}, simpleKernel(runFill));
  ops.add("ZerosLike")
      .category("Arrays")
      .summary("Zeros in the shape and type of another tensor.")
      .input("x: T", "Tensor that gives shape and type.")
      .output("y: T", "Zeros (empty strings, false).")
      .attr("T: type", "Type of the elements.")
      .shape(shapes::unchanged)
      .noGradient("The result does not depend on the input's values.")
      .cpu({}, kernelOf<LikeKernel>());
  ops.add("OnesLike")
      .category("Arrays")
      .summary("Ones in the shape and type of another tensor.")
      .input("x: T", "Tensor that gives shape and type.")
      .output("y: T", "Ones (true).")
      .attr("T: {bfloat16, half, float, double, int8, uint8, int16, uint16, int32, int64, complex64, complex128, bool}", "Type of the elements.")
      .shape(shapes::unchanged)
      .noGradient("The result does not depend on the input's values.")
      .cpu({}, kernelOf<LikeKernel>());
  ops.add("Range")
      .category("Arrays")
      .summary("Evenly spaced numbers from start (included) to limit (excluded).")
      .input("start: Tidx", "First number; a scalar.")
      .input("limit: Tidx", "End of the range, excluded; a scalar.")
      .input("delta: Tidx", "Increment, nonzero; a scalar.")
      .output("output: Tidx", "The numbers; a vector.")
      .attr("Tidx: {bfloat16, float, double, int32, int64} = DT_INT32", "Type of the numbers.")
      .shape(rangeShape)
      .noGradient("Its arguments are indices.")
      .cpu({{"Tidx", {DType::Float, DType::Double, DType::Int32, DType::Int64}}}, simpleKernel(runRange));
  ops.add("OneHot")
      .category("Arrays")
      .summary("One-hot encoding: on_value at each index, off_value elsewhere.")
      .description("An index outside [0, depth) gives a vector of off_value only.")
      .input("indices: TI", "Indices, in any shape.")
      .input("depth: int32", "Length of the one-hot dimension; a scalar.")
      .input("on_value: T", "Value at the index; a scalar.")
      .input("off_value: T", "Value elsewhere; a scalar.")
      .output("output: T", "The one-hot vectors, along the new axis.")
      .attr("axis: int = -1", "Position of the new axis; -1: last.")
      .attr("T: type", "Type of the values.")
      .attr("TI: {uint8, int32, int64} = DT_INT64", "Type of the indices.")
      .shape(oneHotShape)
      .noGradient("Its arguments are indices.")
      .cpu({}, kernelOf<OneHotKernel>());
  state(ops, OpRole::Fill, Effect::None, "Fill");
}

}  // namespace weft
