#include <atomic>
#include <limits>

#include "base/parallel.h"
#include "weft/tensor_statistics.h"

namespace weft {
namespace {

constexpr int64_t kGrain = 131072;  // elements per thread (about 20 µs); smaller parts are not worth a thread

/// Calls `f(double)` for each element; returns false for dtypes that are not numeric.
template <typename F>
bool forEachNumber(const Tensor& t, F&& f) {
  const int64_t n = t.elements();
  const auto run = [&]<typename T>(const T* p) {
    for (int64_t i = 0; i < n; ++i) f(double(p[i]));
    return true;
  };
  switch (t.dtype()) {
    case DType::Float: return run(static_cast<const float*>(t.raw()));
    case DType::Double: return run(static_cast<const double*>(t.raw()));
    case DType::Int32: return run(static_cast<const int32_t*>(t.raw()));
    case DType::Int64: return run(static_cast<const int64_t*>(t.raw()));
    case DType::UInt8: return run(static_cast<const uint8_t*>(t.raw()));
    case DType::Bool: return run(static_cast<const bool*>(t.raw()));
    default: break;
  }
  if (sizeOf(t.dtype()) == 0) return false;
  for (int64_t i = 0; i < n; ++i) f(t.asDouble(i));
  return true;
}

/// Whether any word has an exponent of all ones (NaN or infinity). Branch-free, so that the compiler vectorizes it.
template <typename Word, Word kExponent>
[[gnu::always_inline]] inline bool anyBad(const Word* words, int64_t n) {
  Word bad = 0;
  for (int64_t i = 0; i < n; ++i) bad |= Word((words[i] & kExponent) == kExponent);
  return bad != 0;
}
// The same code with and without AVX2: with wide registers it is bound by memory bandwidth.
template <typename Word, Word kExponent>
bool anyBadPlain(const Word* words, int64_t n) {
  return anyBad<Word, kExponent>(words, n);
}
template <typename Word, Word kExponent>
[[gnu::target("avx2")]] bool anyBadWide(const Word* words, int64_t n) {
  return anyBad<Word, kExponent>(words, n);
}

/// An exponent of all ones means infinity if the fraction is zero, else NaN.
template <typename Word, Word kExponent, Word kMagnitude>
int scan(const void* data, int64_t n) {
  static const bool wide = __builtin_cpu_supports("avx2");
  const Word* words = static_cast<const Word*>(data);
  std::atomic<int> found{0};
  parallelFor(n, kGrain, [&](int64_t begin, int64_t end) {
    const bool any = wide ? anyBadWide<Word, kExponent>(words + begin, end - begin) : anyBadPlain<Word, kExponent>(words + begin, end - begin);
    if (!any) return;
    int mine = 0;
    for (int64_t i = begin; i < end; ++i) {
      const Word magnitude = words[i] & kMagnitude;
      if (magnitude >= kExponent) mine |= magnitude == kExponent ? int(NonFinite::Infinity) : int(NonFinite::Nan);
    }
    found.fetch_or(mine, std::memory_order_relaxed);
  });
  return found.load();
}

/// Whether any word is NaN: its magnitude is above that of infinity. Compared as signed integers, which vector units support.
template <typename Word>
[[gnu::always_inline]] inline bool anyNan(const Word* words, int64_t n) {
  constexpr Word kInfinity = sizeof(Word) == 8 ? Word(0x7ff0000000000000) : Word(0x7f800000);
  constexpr Word kMagnitude = std::numeric_limits<Word>::max();
  Word bad = 0;
  for (int64_t i = 0; i < n; ++i) bad |= Word((words[i] & kMagnitude) > kInfinity);
  return bad != 0;
}
template <typename Word>
bool anyNanPlain(const Word* words, int64_t n) {
  return anyNan(words, n);
}
template <typename Word>
[[gnu::target("avx2")]] bool anyNanWide(const Word* words, int64_t n) {
  return anyNan(words, n);
}

template <typename Word>
bool scanForNan(const void* data, int64_t n) {
  static const bool wide = __builtin_cpu_supports("avx2");
  const Word* words = static_cast<const Word*>(data);
  if (n <= kGrain) return wide ? anyNanWide(words, n) : anyNanPlain(words, n);
  std::atomic<bool> found{false};
  parallelFor(n, kGrain, [&](int64_t begin, int64_t end) {
    if (wide ? anyNanWide(words + begin, end - begin) : anyNanPlain(words + begin, end - begin)) found = true;
  });
  return found;
}

int scanFloats(const Tensor& t) {
  switch (t.dtype()) {
    case DType::Float: return scan<uint32_t, 0x7f800000, 0x7fffffff>(t.raw(), t.elements());
    case DType::Complex64: return scan<uint32_t, 0x7f800000, 0x7fffffff>(t.raw(), t.elements() * 2);
    case DType::Double: return scan<uint64_t, 0x7ff0000000000000, 0x7fffffffffffffff>(t.raw(), t.elements());
    case DType::Complex128: return scan<uint64_t, 0x7ff0000000000000, 0x7fffffffffffffff>(t.raw(), t.elements() * 2);
    case DType::Half: return scan<uint16_t, 0x7c00, 0x7fff>(t.raw(), t.elements());
    case DType::BFloat16: return scan<uint16_t, 0x7f80, 0x7fff>(t.raw(), t.elements());
    default: return 0;
  }
}

}  // namespace

NonFinite nonFiniteIn(const Tensor& tensor) { return tensor.hasValue() && tensor.elements() > 0 ? NonFinite(scanFloats(tensor)) : NonFinite::None; }

bool hasNan(const Tensor& tensor) {
  if (!tensor.hasValue()) return false;
  switch (tensor.dtype()) {
    case DType::Float: return scanForNan<int32_t>(tensor.raw(), tensor.elements());
    case DType::Complex64: return scanForNan<int32_t>(tensor.raw(), tensor.elements() * 2);
    case DType::Double: return scanForNan<int64_t>(tensor.raw(), tensor.elements());
    case DType::Complex128: return scanForNan<int64_t>(tensor.raw(), tensor.elements() * 2);
    default: return tensor.elements() > 0 && (scanFloats(tensor) & int(NonFinite::Nan));
  }
}

TensorStatistics statisticsOf(const Tensor& tensor) {
  TensorStatistics s;
  if (!tensor.hasValue()) return s;
  s.elements = tensor.elements();
  s.bytes = int64_t(tensor.totalBytes());
  int64_t finite = 0;
  s.isNumeric = forEachNumber(tensor, [&](double v) {
    if (std::isnan(v)) {
      ++s.nans;
      return;
    }
    if (std::isinf(v)) {
      ++(v > 0 ? s.positiveInfinities : s.negativeInfinities);
      return;
    }
    if (finite++ == 0) s.min = s.max = v;
    s.min = std::min(s.min, v);
    s.max = std::max(s.max, v);
    s.zeros += v == 0;
    s.negatives += v < 0;
    s.sum += v;
    s.norm += v * v;
  });
  s.norm = std::sqrt(s.norm);
  if (finite == 0) return s;
  s.mean = s.sum / double(finite);
  // A second pass, because the difference of two large sums is inaccurate for a small spread.
  double squares = 0;
  forEachNumber(tensor, [&](double v) {
    if (std::isfinite(v)) squares += (v - s.mean) * (v - s.mean);
  });
  s.std = std::sqrt(squares / double(finite));
  return s;
}

std::vector<int64_t> histogramOf(const Tensor& tensor, const TensorStatistics& statistics, int bins) {
  std::vector<int64_t> counts(size_t(bins), 0);
  if (!statistics.isNumeric || statistics.finite() <= 0) return counts;
  const double width = statistics.max - statistics.min;
  const double scale = width > 0 ? bins / width : 0;
  forEachNumber(tensor, [&](double v) {
    if (std::isfinite(v)) ++counts[size_t(std::clamp(int((v - statistics.min) * scale), 0, bins - 1))];
  });
  return counts;
}

std::vector<int64_t> nonFinitePositions(const Tensor& tensor, size_t limit) {
  std::vector<int64_t> out;
  if (nonFiniteIn(tensor) == NonFinite::None) return out;
  int64_t i = 0;
  forEachNumber(tensor, [&](double v) {
    if (!std::isfinite(v) && out.size() < limit) out.push_back(i);
    ++i;
  });
  return out;
}

}  // namespace weft
