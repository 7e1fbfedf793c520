#include <limits>

#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/hot_rows.h"
#include "ops/registry.h"

// Positions of the largest and smallest elements along an axis; the first one in case of ties.
namespace weft {
namespace {

Status argShape(ShapeContext& c) {
  const Shape& in = c.input(0);
  WEFT_TRY(c.requireRank(c.input(1), 0));
  if (!in.hasRank()) return {};
  if (in.rank() <= 1) {
    c.setOutput(0, Shape{});
    return {};
  }
  const auto axis = c.constantInt(1);
  if (!axis) {
    c.setOutput(0, Shape::unknownOfRank(in.rank() - 1));
    return {};
  }
  const int64_t at = *axis < 0 ? *axis + in.rank() : *axis;
  if (at < 0 || at >= in.rank()) {
    return invalidArgument("Dimension (", *axis, ") must be in the range [", -in.rank(), ", ", in.rank(), "), where ", in.rank(),
                           " is the number of dimensions in the input.");
  }
  Shape out;
  for (int d = 0; d < in.rank(); ++d) {
    if (d != at) out.append(in.dim(d));
  }
  c.setOutput(0, std::move(out));
  return {};
}

/// As in TensorFlow, the search starts from the lowest (for minima, the highest) finite number instead of the first element. If no element is better than that
/// (only NaN, infinities, or the number itself), the result is position 0. Otherwise NaN is never selected.
template <typename C, bool isMax>
C beginning(C first) {
  if constexpr (std::is_floating_point_v<C>) {
    const C end = isMax ? std::numeric_limits<C>::lowest() : std::numeric_limits<C>::max();
    return isMax ? (first > end ? first : end) : (first < end ? first : end);
  } else {
    return first;
  }
}

template <typename T, typename I, bool isMax>
void findExtremes(const T* x, I* y, int64_t before, int64_t n, int64_t after) {
  using C = cpu::Compute<T>;
  const auto better = [](C a, C b) { return isMax ? a > b : a < b; };
  parallelFor(before, std::max<int64_t>(1, 16384 / std::max<int64_t>(n * after, 1)), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const T* base = x + i * n * after;
      I* out = y + i * after;
      if (after == 1) {
        if constexpr (std::is_same_v<T, float>) {
          out[0] = I(isMax ? cpu::rowKernels().firstMaximum(base, n) : cpu::rowKernels().firstMinimum(base, n));
          continue;
        }
        int64_t at = 0;
        C best = beginning<C, isMax>(C(base[0]));
        for (int64_t k = 1; k < n; ++k) {
          if (better(C(base[k]), best)) {
            best = C(base[k]);
            at = k;
          }
        }
        out[0] = I(at);
        continue;
      }
      for (int64_t j = 0; j < after; ++j) out[j] = 0;
      for (int64_t k = 1; k < n; ++k) {
        for (int64_t j = 0; j < after; ++j) {
          if (better(C(base[k * after + j]), beginning<C, isMax>(C(base[int64_t(out[j]) * after + j])))) out[j] = I(k);
        }
      }
    }
  });
}

template <bool isMax>
Status runArg(KernelContext& c) {
  const Tensor &x = c.input(0), &axisTensor = c.input(1);
  if (axisTensor.rank() != 0) return invalidArgument("dim must be a scalar, but received tensor of shape: ", axisTensor.shape().toString());
  const int64_t given = axisTensor.asInt(0), axis = given < 0 ? given + x.rank() : given;
  if (axis < 0 || axis >= x.rank()) return invalidArgument("Expected dimension in the range [", -x.rank(), ", ", x.rank(), "), but got ", given);
  if (x.dim(int(axis)) == 0) return invalidArgument("Reduction axis ", given, " is empty in shape ", x.shape().toString());
  Shape shape;
  int64_t before = 1, after = 1;
  for (int d = 0; d < x.rank(); ++d) {
    if (d == axis) continue;
    shape.append(x.dim(d));
    (d < axis ? before : after) *= x.dim(d);
  }
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  if (out->elements() == 0) return {};
  cpu::withNumber(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (!cpu::kIsComplex<T>) {
      const T* v = static_cast<const T*>(x.raw());
      if (out->dtype() == DType::Int32) findExtremes<T, int32_t, isMax>(v, out->mutableData<int32_t>(), before, x.dim(int(axis)), after);
      else findExtremes<T, int64_t, isMax>(v, out->mutableData<int64_t>(), before, x.dim(int(axis)), after);
    }
  });
  return {};
}

}  // namespace

void registerArgExtreme(OpRegistry& ops) {
  const std::vector<DType> kernels = {DType::Float, DType::Double, DType::Int32,    DType::UInt8,  DType::Int16,
                                      DType::Int8,  DType::Int64,  DType::BFloat16, DType::UInt16, DType::Half};
  for (const bool max : {true, false}) {
    ops.add(max ? "ArgMax" : "ArgMin")
        .category("Reductions")
        .summary(max ? "Index of the largest element along an axis." : "Index of the smallest element along an axis.")
        .description("If several elements are equal, the index of the first is returned.")
        .input("input: T", "The tensor to search.")
        .input("dimension: Tidx", "The axis, a scalar; negative values count from the end.")
        .output("output: output_type", "The indices; the shape of `input` without the axis.")
        .attr("T: numbertype", "Type of the elements.")
        .attr("Tidx: {int32, int64} = DT_INT32", "Type of the axis.")
        .attr("output_type: {int32, int64} = DT_INT64", "Type of the indices.")
        .shape(argShape)
        .noGradient("The result is an index.")
        .cpu({{"T", kernels}}, simpleKernel(max ? runArg<true> : runArg<false>));
  }
  state(ops, OpRole::ArgMax, Effect::None, "ArgMax");
  countFlops(ops, 1, "ArgMax ArgMin");
}

}  // namespace weft
