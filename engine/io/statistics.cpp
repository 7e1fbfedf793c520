#include "weft/statistics.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace weft {
namespace {

constexpr int64_t kBlock = 1 << 14;  // values converted to double at a time
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool hasNumbers(DType t) { return sizeOf(t) > 0; }  // strings, resources and variants are objects

template <typename T>
void copyOut(const T* from, int64_t count, double* into) {
  for (int64_t i = 0; i < count; ++i) into[i] = double(from[i]);
}

/// Values [begin, begin + count) as doubles.
void readBlock(const Tensor& t, int64_t begin, int64_t count, double* into) {
  switch (t.dtype()) {
    case DType::Float: return copyOut(t.data<float>() + begin, count, into);
    case DType::Double: return copyOut(t.data<double>() + begin, count, into);
    case DType::Int32: return copyOut(t.data<int32_t>() + begin, count, into);
    case DType::Int64: return copyOut(t.data<int64_t>() + begin, count, into);
    case DType::UInt8: return copyOut(t.data<uint8_t>() + begin, count, into);
    case DType::Complex64:
      for (int64_t i = 0; i < count; ++i) into[i] = std::abs(t.data<std::complex<float>>()[begin + i]);
      return;
    case DType::Complex128:
      for (int64_t i = 0; i < count; ++i) into[i] = std::abs(t.data<std::complex<double>>()[begin + i]);
      return;
    default:
      for (int64_t i = 0; i < count; ++i) into[i] = t.asDouble(begin + i);
  }
}

/// Calls `use(values, count, first index)` block by block. `from` and `to` are the part of the whole job covered here.
template <typename F>
Status forBlocks(const Tensor& t, const Progress& progress, double from, double to, F&& use) {
  const int64_t count = t.elements();
  std::vector<double> block(size_t(std::min(count, kBlock)));
  for (int64_t at = 0; at < count; at += kBlock) {
    const int64_t part = std::min(kBlock, count - at);
    readBlock(t, at, part, block.data());
    use(block.data(), part, at);
    if (progress && (at / kBlock) % 16 == 0 && !progress(from + (to - from) * double(at) / double(count))) return cancelledError("the job was cancelled");
  }
  return {};
}

/// Divides [low, high] into equal bins. Computed in halves, because high - low can overflow a double.
struct Bins {
  Bins(double low, double high, int count) : half(low / 2), scale(count / (high / 2 - low / 2)), count(count) {}
  /// The bin that contains a value of the range.
  size_t of(double v) const { return size_t(std::clamp(int((v / 2 - half) * scale), 0, count - 1)); }
  double half, scale;
  int count;
};

}  // namespace

Result<ValueSummary> summaryOf(const Tensor& tensor, int bins, const Progress& progress) {
  ValueSummary s;
  s.count = tensor.elements();
  s.min = s.max = s.mean = s.std = kNan;
  s.numeric = hasNumbers(tensor.dtype());
  if (!s.numeric || s.count == 0) return s;
  double low = kInfinity, high = -kInfinity, mean = 0, squares = 0;
  int64_t finite = 0;
  WEFT_TRY(forBlocks(tensor, progress, 0, 0.5, [&](const double* v, int64_t n, int64_t) {
    // Mean and spread of the block, then merged with the previous ones (Chan, Golub and LeVeque): one pass, no cancellation.
    double sum = 0;
    int64_t good = 0;
    for (int64_t i = 0; i < n; ++i) {
      const double x = v[i];
      if (std::isfinite(x)) {
        low = std::min(low, x);
        high = std::max(high, x);
        s.zeros += x == 0;
        sum += x;
        ++good;
      } else if (std::isnan(x)) {
        ++s.nan;
      } else {
        ++(x > 0 ? s.positiveInf : s.negativeInf);
      }
    }
    if (!good) return;
    const double here = sum / double(good);
    double spread = 0;
    for (int64_t i = 0; i < n; ++i)
      if (std::isfinite(v[i])) spread += (v[i] - here) * (v[i] - here);
    const double apart = here - mean, all = double(finite + good);
    squares += spread + apart * apart * double(finite) * double(good) / all;
    mean += apart * double(good) / all;
    finite += good;
  }));
  if (!finite) return s;
  s.min = low;
  s.max = high;
  s.mean = mean;
  s.std = std::sqrt(squares / double(finite));
  s.low = low;
  s.high = high;
  if (low == high) {
    const double half = low == 0 ? 0.5 : std::abs(low) / 2;
    s.low = low - half;
    s.high = high + half;
    s.histogram = {finite};
    return s;
  }
  // Integers of a small range get one bin per value; otherwise some bins would hold two values and others one.
  if (const double range = high - low; !isFloating(tensor.dtype()) && !isComplex(tensor.dtype()) && range < bins) {
    bins = int(range) + 1;
    s.low = low - 0.5;
    s.high = high + 0.5;
  }
  s.histogram.assign(size_t(bins), 0);
  const Bins parts(s.low, s.high, bins);
  WEFT_TRY(forBlocks(tensor, progress, 0.5, 1, [&](const double* v, int64_t n, int64_t) {
    for (int64_t i = 0; i < n; ++i)
      if (std::isfinite(v[i])) ++s.histogram[parts.of(v[i])];
  }));
  return s;
}

std::vector<int64_t> histogramBetween(const Tensor& tensor, double low, double high, int bins) {
  std::vector<int64_t> counts(size_t(bins), 0);
  if (!hasNumbers(tensor.dtype()) || !(high > low)) return counts;
  const Bins parts(low, high, bins);
  const Status status = forBlocks(tensor, {}, 0, 1, [&](const double* v, int64_t n, int64_t) {
    for (int64_t i = 0; i < n; ++i)
      if (v[i] >= low && v[i] <= high) ++counts[parts.of(v[i])];
  });
  (void)status;  // nothing can stop it, as there is no progress callback
  return counts;
}

double TensorDifference::relative() const { return norm == 0 ? 0 : normA == 0 ? kInfinity : norm / normA; }

Result<TensorDifference> differenceOf(const Tensor& a, const Tensor& b, const Progress& progress) {
  if (a.dtype() != b.dtype() || !(a.shape() == b.shape())) {
    return invalidArgument("tensors of ", dtypeName(a.dtype()), a.shape().toString(), " and ", dtypeName(b.dtype()), b.shape().toString(),
                           " cannot be compared value by value");
  }
  TensorDifference d;
  d.count = a.elements();
  if (a.dtype() == DType::String) {
    for (int64_t i = 0; i < d.count; ++i) {
      if (a.data<std::string>()[i] == b.data<std::string>()[i]) continue;
      if (d.worst < 0) d.worst = i;
      ++d.differing;
    }
    return d;
  }
  if (!hasNumbers(a.dtype())) return unimplemented("tensors of ", dtypeName(a.dtype()), " have no values to compare");
  const bool complex = isComplex(a.dtype());
  const bool exact64 = a.dtype() == DType::Int64 || a.dtype() == DType::UInt64;
  std::vector<double> other(size_t(std::min(d.count, kBlock)));
  double dot = 0, aa = 0, bb = 0, dd = 0;
  WEFT_TRY(forBlocks(a, progress, 0, 1, [&](const double* v, int64_t n, int64_t at) {
    readBlock(b, at, n, other.data());
    for (int64_t i = 0; i < n; ++i) {
      double x = v[i], y = other[size_t(i)], apart = std::abs(x - y);
      if (complex) {
        const auto part = [&](const Tensor& t) {
          return t.dtype() == DType::Complex64 ? std::complex<double>(t.data<std::complex<float>>()[at + i]) : t.data<std::complex<double>>()[at + i];
        };
        apart = std::abs(part(a) - part(b));
      }
      bool differs = !(x == y || (std::isnan(x) && std::isnan(y))) || (complex && apart > 0);
      if (exact64) differs = a.asInt(at + i) != b.asInt(at + i);
      if (std::isfinite(x) && std::isfinite(y)) {
        dot += x * y;
        aa += x * x;
        bb += y * y;
        dd += apart * apart;
      } else {
        apart = differs ? kInfinity : 0;
      }
      if (!differs) continue;
      ++d.differing;
      if (d.worst < 0 || apart > d.maxAbsolute) {
        d.worst = at + i;
        d.maxAbsolute = apart;
      }
      const double size = std::max(std::abs(x), std::abs(y));
      d.maxRelative = std::max(d.maxRelative, std::isfinite(apart) ? (size > 0 ? apart / size : 0) : kInfinity);
    }
  }));
  d.norm = std::sqrt(dd);
  d.normA = std::sqrt(aa);
  d.normB = std::sqrt(bb);
  d.cosine = d.normA == 0 && d.normB == 0 ? 1 : d.normA == 0 || d.normB == 0 ? kNan : std::clamp(dot / d.normA / d.normB, -1.0, 1.0);
  return d;
}

}  // namespace weft
