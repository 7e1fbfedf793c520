#include "device/cpu/hot_extremes.h"

// Compiled once per instruction set, with the restrictions of hot_nn.cpp. Loops without branches, which compilers turn into vectors.
namespace weft::cpu::WEFT_ISA_NAME {
namespace {

/// What nothing is worse than: the lowest number for maxima, the highest for minima.
template <typename T>
struct Limits {
  static constexpr T lowest = T(-1) < T(0) ? T(uint64_t(1) << (8 * sizeof(T) - 1)) : T(0), highest = T(~lowest);
};
template <>
struct Limits<float> {
  static constexpr float highest = 3.40282346638528859812e38f, lowest = -highest;
};
template <>
struct Limits<double> {
  static constexpr double highest = 1.7976931348623157e308, lowest = -highest;
};

template <bool isMin, typename T>
inline bool better(T a, T b) {
  return isMin ? a < b : a > b;
}

/// The best value first, then its position.
template <typename T, bool isMin>
int64_t extremeOfRow(const T* x, int64_t n) {
  constexpr int64_t kWidth = 128 / int64_t(sizeof(T));
  constexpr T kEnd = isMin ? Limits<T>::highest : Limits<T>::lowest;
  T best[kWidth];
  for (int64_t j = 0; j < kWidth; ++j) best[j] = kEnd;
  int64_t i = 0;
  for (; i + kWidth <= n; i += kWidth) {
    for (int64_t j = 0; j < kWidth; ++j) best[j] = better<isMin>(x[i + j], best[j]) ? x[i + j] : best[j];
  }
  T all = kEnd;
  for (int64_t j = 0; j < kWidth; ++j) all = better<isMin>(best[j], all) ? best[j] : all;
  for (; i < n; ++i) all = better<isMin>(x[i], all) ? x[i] : all;
  if (!better<isMin>(all, kEnd)) return 0;
  for (i = 0; i + kWidth <= n; i += kWidth) {
    int equal = 0;
    for (int64_t j = 0; j < kWidth; ++j) equal |= x[i + j] == all;
    if (equal) break;
  }
  while (x[i] != all) ++i;
  return i;
}

// Small integers are widened, so that a lane can hold a position.
template <typename T>
struct Lane {
  typedef int32_t value;
  typedef int32_t position;
};
template <>
struct Lane<float> {
  typedef float value;
  typedef int32_t position;
};
template <>
struct Lane<double> {
  typedef double value;
  typedef int64_t position;
};
template <>
struct Lane<int64_t> {
  typedef int64_t value;
  typedef int64_t position;
};

/// `width`: the number of columns if it is known to the compiler, or 0.
template <typename T, bool isMin, int64_t width>
inline void extremesOfStrip(const T* x, int64_t n, int64_t stride, int64_t columns, int64_t* at) {
  typedef typename Lane<T>::value Value;
  typedef typename Lane<T>::position Position;
  constexpr int64_t kBlock = int64_t(1) << 30;  // rows whose positions fit
  const int64_t w = width ? width : columns;
  Value best[kExtremeColumns];
  Position where[kExtremeColumns];
  for (int64_t j = 0; j < w; ++j) best[j] = Value(isMin ? Limits<T>::highest : Limits<T>::lowest);
  for (int64_t j = 0; j < w; ++j) at[j] = 0;
  for (int64_t first = 0; first < n; first += kBlock) {
    const int64_t count = n - first < kBlock ? n - first : kBlock;
    const T* row = x + first * stride;
    for (int64_t j = 0; j < w; ++j) where[j] = -1;
    for (int64_t k = 0; k < count; ++k, row += stride) {
      for (int64_t j = 0; j < w; ++j) {
        const Value v = Value(row[j]);
        const bool is = better<isMin>(v, best[j]);
        best[j] = is ? v : best[j];
        where[j] = is ? Position(k) : where[j];
      }
    }
    for (int64_t j = 0; j < w; ++j) at[j] = where[j] >= 0 ? first + int64_t(where[j]) : at[j];
  }
}

template <typename T, bool isMin>
void extremesOfColumns(const T* x, int64_t n, int64_t stride, int64_t columns, int64_t* at) {
  if (columns == kExtremeColumns) extremesOfStrip<T, isMin, kExtremeColumns>(x, n, stride, columns, at);
  else extremesOfStrip<T, isMin, 0>(x, n, stride, columns, at);
}

template <typename T>
constexpr ArgExtremes<T> extremes() {
  return {{extremeOfRow<T, false>, extremeOfRow<T, true>}, {extremesOfColumns<T, false>, extremesOfColumns<T, true>}};
}

}  // namespace

extern const ExtremeKernels kExtremeKernels;
const ExtremeKernels kExtremeKernels = {extremes<float>(),   extremes<double>(),   extremes<int8_t>(),  extremes<uint8_t>(),
                                        extremes<int16_t>(), extremes<uint16_t>(), extremes<int32_t>(), extremes<int64_t>()};

}  // namespace weft::cpu::WEFT_ISA_NAME
