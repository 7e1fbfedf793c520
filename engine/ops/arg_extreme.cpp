#include <algorithm>
#include <vector>

#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/half_blocks.h"
#include "device/cpu/hot_extremes.h"
#include "ops/arg_extreme.h"
#include "ops/registry.h"

// Positions of the largest and smallest elements along an axis; the first one in case of ties.
namespace weft {

Result<SearchedAxis> searchedAxis(const Tensor& x, const Tensor& axisTensor) {
  if (axisTensor.rank() != 0) return invalidArgument("dim must be a scalar, but received tensor of shape: ", axisTensor.shape().toString());
  const int64_t given = axisTensor.asInt(0), axis = given < 0 ? given + x.rank() : given;
  if (axis < 0 || axis >= x.rank()) return invalidArgument("Expected dimension in the range [", -x.rank(), ", ", x.rank(), "), but got ", given);
  if (x.dim(int(axis)) == 0) return invalidArgument("Reduction axis ", given, " is empty in shape ", x.shape().toString());
  SearchedAxis a;
  a.n = x.dim(int(axis));
  for (int d = 0; d < x.rank(); ++d) {
    if (d == axis) continue;
    a.out.append(x.dim(d));
    (d < axis ? a.before : a.after) *= x.dim(d);
  }
  return a;
}

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

const auto& extremesOf(float) { return cpu::extremeKernels().floats; }
const auto& extremesOf(double) { return cpu::extremeKernels().doubles; }
const auto& extremesOf(int8_t) { return cpu::extremeKernels().int8; }
const auto& extremesOf(uint8_t) { return cpu::extremeKernels().uint8; }
const auto& extremesOf(int16_t) { return cpu::extremeKernels().int16; }
const auto& extremesOf(uint16_t) { return cpu::extremeKernels().uint16; }
const auto& extremesOf(int32_t) { return cpu::extremeKernels().int32; }
const auto& extremesOf(int64_t) { return cpu::extremeKernels().int64; }

/// The elements [0, n) from x on as numbers that have a table; 16-bit floats are widened into `room`.
template <typename T>
const cpu::Compute<T>* asNumbers(const T* x, int64_t n, std::vector<float>& room) {
  if constexpr (cpu::kIsSmallFloat<T>) {
    room.resize(size_t(n));
    cpu::formatOf<T>().widen(&x->bits, room.data(), n);
    return room.data();
  } else {
    return x;
  }
}

/// As in TensorFlow, the search starts from the lowest (for minima, the highest) finite number instead of the first element. If no element is better than that
/// (only NaN, infinities, or the number itself), the result is position 0. Otherwise NaN is never selected.
template <typename T, typename I, bool isMax>
void findExtremes(const T* x, I* y, int64_t before, int64_t n, int64_t after) {
  constexpr int64_t kWork = 16384;  // elements that are worth a thread
  const auto& find = extremesOf(cpu::Compute<T>());
  if (after == 1) {
    parallelFor(before, std::max<int64_t>(1, kWork / n), [&](int64_t begin, int64_t end) {
      std::vector<float> room;
      for (int64_t i = begin; i < end; ++i) y[i] = I(find.row[!isMax](asNumbers(x + i * n, n, room), n));
    });
    return;
  }
  const int64_t strips = (after + cpu::kExtremeColumns - 1) / cpu::kExtremeColumns;
  parallelFor(before * strips, std::max<int64_t>(1, kWork / (n * std::min(after, cpu::kExtremeColumns))), [&](int64_t begin, int64_t end) {
    std::vector<float> room;
    int64_t at[cpu::kExtremeColumns];
    for (int64_t s = begin; s < end; ++s) {
      const int64_t from = s % strips * cpu::kExtremeColumns, columns = std::min(cpu::kExtremeColumns, after - from), i = s / strips;
      const T* base = x + i * n * after + from;
      if constexpr (cpu::kIsSmallFloat<T>) {
        room.resize(size_t(n * columns));
        for (int64_t k = 0; k < n; ++k) cpu::formatOf<T>().widen(&base[k * after].bits, room.data() + k * columns, columns);
        find.columns[!isMax](room.data(), n, columns, columns, at);
      } else {
        find.columns[!isMax](base, n, after, columns, at);
      }
      for (int64_t j = 0; j < columns; ++j) y[i * after + from + j] = I(at[j]);
    }
  });
}

template <bool isMax>
Status runArg(KernelContext& c) {
  const Tensor& x = c.input(0);
  WEFT_LET(const SearchedAxis a, searchedAxis(x, c.input(1)));
  WEFT_LET(Tensor* out, c.allocate(0, a.out));
  if (out->elements() == 0) return {};
  cpu::withNumber(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (!cpu::kIsComplex<T> && !std::is_same_v<T, uint32_t> && !std::is_same_v<T, uint64_t>) {
      const T* v = static_cast<const T*>(x.raw());
      if (out->dtype() == DType::Int32) findExtremes<T, int32_t, isMax>(v, out->mutableData<int32_t>(), a.before, a.n, a.after);
      else findExtremes<T, int64_t, isMax>(v, out->mutableData<int64_t>(), a.before, a.n, a.after);
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
