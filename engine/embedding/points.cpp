#include "embedding/points.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

#include "device/cpu/hot.h"

namespace weft::embedding {

namespace v2 {
extern const EmbeddingKernels kEmbeddingKernels;
}
namespace v3 {
extern const EmbeddingKernels kEmbeddingKernels;
}
namespace v4 {
extern const EmbeddingKernels kEmbeddingKernels;
}

const EmbeddingKernels& kernels() {
  static const EmbeddingKernels& chosen = []() -> const EmbeddingKernels& {
    const char* isa = cpu::hotTable().isa;
    return std::strcmp(isa, "v4") == 0 ? v4::kEmbeddingKernels : std::strcmp(isa, "v3") == 0 ? v3::kEmbeddingKernels : v2::kEmbeddingKernels;
  }();
  return chosen;
}

Status checkPoints(const PointsView& points) {
  if (points.rows < 0 || points.columns < 0) return invalidArgument("The points have ", points.rows, " rows and ", points.columns, " columns.");
  if (points.rows > std::numeric_limits<int32_t>::max()) return invalidArgument("There are ", points.rows, " points; at most 2147483647 can be embedded.");
  const int64_t count = points.rows * points.columns;
  std::atomic<int64_t> first{count};
  parallelFor(count, 1 << 18, [&](int64_t begin, int64_t end) {
    constexpr int64_t kBlock = 1024;
    for (int64_t at = begin; at < end && at < first.load(std::memory_order_relaxed); at += kBlock) {
      const int64_t last = std::min(at + kBlock, end);
      uint32_t bad = 0;  // an exponent of ones: infinity or NaN
      for (int64_t i = at; i < last; ++i) {
        uint32_t bits;
        std::memcpy(&bits, points.data + i, 4);
        bad |= uint32_t((bits & 0x7f800000u) == 0x7f800000u);
      }
      if (!bad) continue;
      int64_t i = at;
      while (std::isfinite(points.data[i])) ++i;
      int64_t seen = first.load();
      while (i < seen && !first.compare_exchange_weak(seen, i)) {
      }
      return;
    }
  });
  if (first < count) {
    const int64_t row = first / points.columns, column = first % points.columns;
    const float value = points.data[first];
    return invalidArgument("Row ", row, " holds ",
                           std::isnan(value) ? "NaN"
                           : value > 0       ? "infinity"
                                             : "-infinity",
                           " in column ", column, "; all numbers must be finite.");
  }
  return {};
}

double gaussian(uint64_t seed, uint64_t at) {
  const double u = uniform(seed, 2 * at), v = uniform(seed, 2 * at + 1);
  return std::sqrt(-2 * std::log(1 - u)) * std::cos(2 * std::numbers::pi * v);
}

}  // namespace weft::embedding
