#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/elementwise.h"
#include "device/cpu/move.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"

// Cumulative sums and products along an axis.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

/// Along an axis that is not the last: rows of the result are the rows before them joined with rows of x, by an element-wise function.
void scanRows(const cpu::ElementwiseEntry& join, const void* x, void* y, const void* start, size_t size, int64_t before, int64_t n, int64_t after,
              bool exclusive, bool reverse) {
  constexpr int64_t kStrip = 256;  // columns
  const int64_t strips = (after + kStrip - 1) / kStrip, step = reverse ? -after : after;
  parallelFor(before * strips, std::max<int64_t>(1, 16384 / (n * std::min(after, kStrip))), [&](int64_t begin, int64_t end) {
    for (int64_t s = begin; s < end; ++s) {
      const int64_t column = s % strips * kStrip, count = std::min(kStrip, after - column);
      int64_t at = s / strips * n * after + column + (reverse ? (n - 1) * after : 0);
      const bool startScalar[] = {true, false}, none[] = {false, false};
      const void* operands[] = {start, cpu::offsetBy(x, at, size)};
      if (exclusive) {
        for (int64_t k = 0; k < count; ++k) std::memcpy(cpu::offsetBy(y, at + k, size), start, size);
      } else {
        join.fn(operands, startScalar, cpu::offsetBy(y, at, size), long(count));
      }
      for (int64_t k = 1; k < n; ++k, at += step) {
        operands[0] = cpu::offsetBy(y, at, size);
        operands[1] = cpu::offsetBy(x, exclusive ? at : at + step, size);
        join.fn(operands, none, cpu::offsetBy(y, at + step, size), long(count));
      }
    }
  });
}

template <typename T, bool isSum>
void scan(DType type, const T* x, T* y, int64_t before, int64_t n, int64_t after, bool exclusive, bool reverse) {
  using C = cpu::Compute<T>;
  constexpr int64_t kShortest = 8;  // rows that are worth a call
  if (const auto* entry = after >= kShortest ? cpu::findElementwise(isSum ? "Add" : "Mul", type) : nullptr) {
    const T start = T(isSum ? C(0) : C(1));
    scanRows(*entry, x, y, &start, sizeof(T), before, n, after, exclusive, reverse);
    return;
  }
  const auto join = [](C a, C b) -> C {
    if constexpr (std::is_integral_v<T>) return isSum ? C(uint64_t(a) + uint64_t(b)) : C(uint64_t(a) * uint64_t(b));
    else return isSum ? a + b : a * b;
  };
  parallelFor(before * after, std::max<int64_t>(1, 16384 / std::max<int64_t>(n, 1)), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t base = i / after * n * after + i % after;
      C sum = isSum ? C(0) : C(1);
      for (int64_t k = 0; k < n; ++k) {
        const int64_t at = base + (reverse ? n - 1 - k : k) * after;
        const C v = C(x[at]);
        if (exclusive) y[at] = T(sum);
        sum = C(T(join(sum, v)));  // 16-bit floats are rounded at every step
        if (!exclusive) y[at] = T(sum);
      }
    }
  });
}

/// Cumulative log(sum(exp(x))); log 0 is the lowest number of the type, as in TensorFlow.
template <typename T>
void scanLogSum(const T* x, T* y, int64_t before, int64_t n, int64_t after, bool exclusive, bool reverse) {
  using C = cpu::Compute<T>;
  const C lowest = std::is_same_v<T, cpu::Half> ? C(-65504) : std::numeric_limits<C>::lowest();
  parallelFor(before * after, std::max<int64_t>(1, 1024 / std::max<int64_t>(n, 1)), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t base = i / after * n * after + i % after;
      C sum = lowest;
      for (int64_t k = 0; k < n; ++k) {
        const int64_t at = base + (reverse ? n - 1 - k : k) * after;
        const C v = C(x[at]);
        if (exclusive) y[at] = T(sum);
        const C great = std::max(sum, v), small = std::min(sum, v);
        sum = C(T(great + C(T(std::log1p(C(T(std::exp(C(T(small - great))))))))));
        if (!exclusive) y[at] = T(sum);
      }
    }
  });
}

class ScanKernel final : public Kernel {
 public:
  explicit ScanKernel(KernelInit& init)
      : logSum_(init.node().op == "CumulativeLogsumexp"),
        sum_(init.node().op == "Cumsum"),
        exclusive_(init.attrs().flag("exclusive")),
        reverse_(init.attrs().flag("reverse")) {}
  Status compute(KernelContext& c) override {
    const Tensor &x = c.input(0), &axisTensor = c.input(1);
    if (axisTensor.rank() != 0) return invalidArgument("ScanOp: axis must be a scalar, not ", axisTensor.shape().toString());
    const int64_t given = axisTensor.asInt(0), axis = given < 0 ? given + x.rank() : given;
    if (axis < 0 || axis >= x.rank()) {
      return invalidArgument("ScanOp: Expected scan axis in the range [", -x.rank(), ", ", x.rank(), "), but got ", given);
    }
    WEFT_LET(Tensor* out, c.allocate(0, x.shape()));
    if (out->elements() == 0) return {};
    int64_t before = 1, after = 1;
    for (int d = 0; d < x.rank(); ++d) {
      if (d < axis) before *= x.dim(d);
      if (d > axis) after *= x.dim(d);
    }
    cpu::withNumber(x.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      const T* from = static_cast<const T*>(x.raw());
      T* to = static_cast<T*>(out->mutableRaw());
      if (logSum_) {
        if constexpr (cpu::kIsFloat<T>) scanLogSum<T>(from, to, before, x.dim(int(axis)), after, exclusive_, reverse_);
        return;
      }
      if (sum_) scan<T, true>(x.dtype(), from, to, before, x.dim(int(axis)), after, exclusive_, reverse_);
      else scan<T, false>(x.dtype(), from, to, before, x.dim(int(axis)), after, exclusive_, reverse_);
    });
    return {};
  }

 private:
  const bool logSum_, sum_, exclusive_, reverse_;
};

Output scanned(GraphBuilder& b, const char* op, Output x, Output axis, bool exclusive, bool reverse) {
  return b.op(op, {x, axis}, {{"exclusive", exclusive}, {"reverse", reverse}});
}

Grads cumsumGradient(GradContext& c) {
  return std::vector{scanned(c.b(), "Cumsum", c.grad(), c.input(1), c.attrs().flag("exclusive"), !c.attrs().flag("reverse")), Output{}};
}

Grads cumprodGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const bool exclusive = c.attrs().flag("exclusive"), reverse = c.attrs().flag("reverse");
  const Output prod = scanned(b, "Cumprod", c.input(0), c.input(1), exclusive, reverse);
  const Output sum = scanned(b, "Cumsum", py::mul(b, prod, c.grad()), c.input(1), exclusive, !reverse);
  return std::vector{py::truediv(b, sum, c.input(0)), Output{}};
}

/// In logarithms, with the positive and the negative part of the incoming gradient separate.
Grads logSumGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const bool exclusive = c.attrs().flag("exclusive"), reverse = c.attrs().flag("reverse");
  const Output x = c.input(0), y = c.output(0), grad = c.grad();
  const DType type = b.dtype(grad);
  const double lowest = type == DType::Half     ? -65504
                        : type == DType::Double ? std::numeric_limits<double>::lowest()
                                                : double(std::numeric_limits<float>::lowest());
  const auto logOf = [&](const char* op, bool negative) {
    const Output mask = py::call(b, op, grad, 0);
    const Output log = b.op("Log", {negative ? py::neg(b, grad) : grad});
    const py::Scope s(b, "SelectV2");
    const Output otherwise = b.number(type, lowest, "e");
    return b.op("SelectV2", {mask, log, otherwise}, {}, s.name());
  };
  const Output positive = logOf("Greater", false), negative = logOf("Less", true);
  const auto part = [&](Output log) {
    const Output sum = scanned(b, "CumulativeLogsumexp", py::sub(b, log, y), c.input(1), exclusive, !reverse);
    return b.op("Exp", {py::add(b, sum, x)});
  };
  const Output up = part(positive), down = part(negative);
  return std::vector{py::sub(b, up, down), Output{}};
}

}  // namespace

void registerScans(OpRegistry& ops) {
  const std::vector<DType> kernels = {DType::Float, DType::Double,   DType::Int32,  DType::UInt8, DType::Int16,     DType::Int8,
                                      DType::Int64, DType::BFloat16, DType::UInt16, DType::Half,  DType::Complex64, DType::Complex128};
  for (const bool sum : {true, false}) {
    ops.add(sum ? "Cumsum" : "Cumprod")
        .category("Reductions")
        .summary(sum ? "Cumulative sum along an axis." : "Cumulative product along an axis.")
        .input("x: T", "A tensor of rank 1 or more.")
        .input("axis: Tidx", "The axis, a scalar; negative values count from the end.")
        .output("out: T", sum ? "The cumulative sums, in the shape of `x`." : "The cumulative products, in the shape of `x`.")
        .attr("exclusive: bool = false", "Exclude each element from its own result.")
        .attr("reverse: bool = false", "Accumulate from the end.")
        .attr("T: numbertype", "Type of the elements.")
        .attr("Tidx: {int32, int64} = DT_INT32", "Type of the axis.")
        .shape(shapes::unchanged)
        .gradient(sum ? cumsumGradient : cumprodGradient)
        .cpu({{"T", kernels}}, kernelOf<ScanKernel>());
  }
  ops.add("CumulativeLogsumexp")
      .category("Reductions")
      .summary("Cumulative log-sum-exp along an axis.")
      .input("x: T", "A tensor of rank 1 or more.")
      .input("axis: Tidx", "The axis, a scalar; negative values count from the end.")
      .output("out: T", "The results, in the shape of `x`; an empty sum gives the type's lowest value.")
      .attr("exclusive: bool = false", "Exclude each element from its own result.")
      .attr("reverse: bool = false", "Accumulate from the end.")
      .attr("T: {half, float, double}", "Type of the elements.")
      .attr("Tidx: {int32, int64} = DT_INT32", "Type of the axis.")
      .shape(shapes::unchanged)
      .gradient(logSumGradient)
      .cpu({{"T", types::kFloats}}, kernelOf<ScanKernel>());
}

}  // namespace weft
