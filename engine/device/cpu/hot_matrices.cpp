// Blocks of factorizations that are no matrix products; small, so that they stay in the first caches.
#include "device/cpu/hot_matrices.h"

namespace weft::cpu::WEFT_ISA_NAME {
namespace {

struct Complex {
  double re, im;
};
inline Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
inline Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
inline Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
inline Complex operator*(Complex a, double b) { return {a.re * b, a.im * b}; }
inline double conjugate(double a) { return a; }
inline Complex conjugate(Complex a) { return {a.re, -a.im}; }
inline double real(double a) { return a; }
inline double real(Complex a) { return a.re; }
inline double imaginary(double) { return 0; }
inline double imaginary(Complex a) { return a.im; }
inline double square(double a) { return a * a; }
inline double square(Complex a) { return a.re * a.re + a.im * a.im; }
inline double reciprocal(double a) { return 1 / a; }
/// By Smith's method: no overflow of squares.
inline Complex reciprocal(Complex a) {
  if (__builtin_fabs(a.re) >= __builtin_fabs(a.im)) {
    const double r = a.im / a.re, d = a.re + a.im * r;
    return {1 / d, -r / d};
  }
  const double r = a.re / a.im, d = a.re * r + a.im;
  return {r / d, -1 / d};
}
inline double magnitude(double a) { return __builtin_fabs(a); }
inline double magnitude(Complex a) {
  const double x = __builtin_fabs(a.re), y = __builtin_fabs(a.im), most = x > y ? x : y;
  if (!(most > 0) || most > 1.7e308) return most;
  const double u = x / most, v = y / most;
  return most * __builtin_sqrt(u * u + v * v);
}

template <typename T>
T make(double re, double im);
template <>
inline double make<double>(double re, double) {
  return re;
}
template <>
inline Complex make<Complex>(double re, double im) {
  return {re, im};
}

/// y -= x * a
template <typename T>
inline void subtract(const T* __restrict x, T a, T* __restrict y, long n) {
  for (long i = 0; i < n; ++i) y[i] = y[i] - x[i] * a;
}

/// The sum of conj(x[i]) y[i]: eight sums that run side by side, in a fixed order.
inline double dot(const double* x, const double* y, long n) {
  typedef double V __attribute__((vector_size(64)));
  typedef double Loose __attribute__((vector_size(64), aligned(8), may_alias));
  V a = {}, b = {};
  long i = 0;
  for (; i + 16 <= n; i += 16) {
    a += *reinterpret_cast<const Loose*>(x + i) * *reinterpret_cast<const Loose*>(y + i);
    b += *reinterpret_cast<const Loose*>(x + i + 8) * *reinterpret_cast<const Loose*>(y + i + 8);
  }
  a += b;
  double sum = ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
  for (; i < n; ++i) sum += x[i] * y[i];
  return sum;
}
inline Complex dot(const Complex* x, const Complex* y, long n) {
  double re[4] = {}, im[4] = {};
  long i = 0;
  for (; i + 4 <= n; i += 4) {
    for (int q = 0; q < 4; ++q) {
      re[q] += x[i + q].re * y[i + q].re + x[i + q].im * y[i + q].im;
      im[q] += x[i + q].re * y[i + q].im - x[i + q].im * y[i + q].re;
    }
  }
  Complex sum = {(re[0] + re[1]) + (re[2] + re[3]), (im[0] + im[1]) + (im[2] + im[3])};
  for (; i < n; ++i) sum = sum + conjugate(x[i]) * y[i];
  return sum;
}

template <typename T>
bool cholesky(void* matrix, long lda, long n) {
  T* a = static_cast<T*>(matrix);
  T column[64];
  for (long k = 0; k < n; ++k) {
    const double pivot = real(a[k * lda + k]);
    if (pivot <= 0) return false;
    const double root = __builtin_sqrt(pivot), inverse = 1 / root;
    a[k * lda + k] = make<T>(root, 0);
    for (long i = k + 1; i < n; ++i) {
      a[i * lda + k] = a[i * lda + k] * inverse;
      column[i] = conjugate(a[i * lda + k]);
    }
    for (long i = k + 1; i < n; ++i) subtract(column + k + 1, a[i * lda + k], a + i * lda + k + 1, i - k);
  }
  return true;
}

/// The first of the largest elements.
inline long largest(const double* x, long n) {
  // The largest magnitude first, which is a loop of vectors, then its place.
  double most = __builtin_fabs(x[0]);
  double lanes[16];
  for (int q = 0; q < 16; ++q) lanes[q] = most;
  long i = 1;
  for (; i + 16 <= n; i += 16) {
    for (int q = 0; q < 16; ++q) {
      const double v = __builtin_fabs(x[i + q]);
      lanes[q] = v > lanes[q] ? v : lanes[q];
    }
  }
  for (int q = 0; q < 16; ++q) most = lanes[q] > most ? lanes[q] : most;
  for (; i < n; ++i) {
    const double v = __builtin_fabs(x[i]);
    most = v > most ? v : most;
  }
  for (i = 0; i < n; ++i) {
    if (__builtin_fabs(x[i]) == most) return i;
  }
  return 0;
}
inline long largest(const Complex* x, long n) {
  long at = 0;
  double most = square(x[0]);
  for (long i = 1; i < n; ++i) {
    const double v = square(x[i]);
    if (v > most) most = v, at = i;
  }
  if ((most > 1e-290 && most < 1e300) || most != most) return at;  // a NaN that comes first stays the largest, as in Eigen
  at = 0, most = magnitude(x[0]);                                  // squares may have left the range
  for (long i = 1; i < n; ++i) {
    const double v = magnitude(x[i]);
    if (v > most) most = v, at = i;
  }
  return at;
}

template <typename T>
void lu(void* columns, long m, long w, int* pivots) {
  T* const a = static_cast<T*>(columns);
  for (long j = 0; j < w && j < m; ++j) {
    T* const column = a + j * m;
    const long p = j + largest(column + j, m - j);
    pivots[j] = int(p);
    if (magnitude(column[p]) != 0) {
      if (p != j) {
        for (long c = 0; c < w; ++c) {
          const T t = a[c * m + j];
          a[c * m + j] = a[c * m + p];
          a[c * m + p] = t;
        }
      }
      // The reciprocal of a tiny pivot is infinite.
      const bool isTiny = magnitude(column[j]) < 1e-290;
      const T inverse = reciprocal(isTiny ? column[j] * 0x1p200 : column[j]);
      for (long i = j + 1; i < m; ++i) column[i] = isTiny ? column[i] * 0x1p200 * inverse : column[i] * inverse;
    } else {
      pivots[j] = int(j);
    }
    for (long c = j + 1; c < w; ++c) subtract(column + j + 1, a[c * m + j], a + c * m + j + 1, m - j - 1);
  }
}

template <typename T>
void reflect(void* columns, long m, long w, void* taus) {
  T* const a = static_cast<T*>(columns);
  T* const tau = static_cast<T*>(taus);
  constexpr double kTiny = 2.2250738585072014e-308;
  for (long j = 0; j < w; ++j) {
    T* const x = a + j * m + j;
    const long n = m - j;
    double tail = real(dot(x + 1, x + 1, n - 1));
    const T first = x[0];
    double beta;
    if (tail <= kTiny && imaginary(first) * imaginary(first) <= kTiny) {
      tau[j] = make<T>(0, 0);
      beta = real(first);
      for (long i = 1; i < n; ++i) x[i] = make<T>(0, 0);
    } else {
      beta = __builtin_sqrt(square(first) + tail);
      if (real(first) >= 0) beta = -beta;
      const T inverse = reciprocal(first - make<T>(beta, 0));
      for (long i = 1; i < n; ++i) x[i] = x[i] * inverse;
      tau[j] = conjugate((make<T>(beta, 0) - first) * (1 / beta));
    }
    x[0] = make<T>(beta, 0);
    for (long c = j + 1; c < w; ++c) {
      T* const y = a + c * m + j;
      const T sum = (y[0] + dot(x + 1, y + 1, n - 1)) * tau[j];
      y[0] = y[0] - sum;
      subtract(x + 1, sum, y + 1, n - 1);
    }
  }
}

typedef double Wide __attribute__((vector_size(64)));
typedef double LooseWide __attribute__((vector_size(64), aligned(8), may_alias));

/// kVectors * 8 columns.
template <int kVectors>
void rotateStrip(double* rows, long ld, const RowRotation* rotations, long count) {
  Wide x[kVectors];
  for (int q = 0; q < kVectors; ++q) x[q] = *reinterpret_cast<const LooseWide*>(rows + q * 8);
  for (long k = 0; k < count; ++k, rows += ld) {
    const double c = rotations[k].c, s = rotations[k].s;
#pragma GCC unroll 4
    for (int q = 0; q < kVectors; ++q) {
      const Wide y = *reinterpret_cast<const LooseWide*>(rows + ld + q * 8);
      *reinterpret_cast<LooseWide*>(rows + q * 8) = x[q] * c - y * s;
      x[q] = x[q] * s + y * c;
    }
  }
  for (int q = 0; q < kVectors; ++q) *reinterpret_cast<LooseWide*>(rows + q * 8) = x[q];
}

void rotate(double* rows, long ld, long columns, long first, const RowRotation* rotations, long count) {
  double* at = rows + first * ld;
  long j = 0;
  for (; j + 32 <= columns; j += 32) rotateStrip<4>(at + j, ld, rotations, count);
  for (; j + 8 <= columns; j += 8) rotateStrip<1>(at + j, ld, rotations, count);
  for (; j < columns; ++j) {
    double* y = at + j;
    double x = *y;
    for (long k = 0; k < count; ++k, y += ld) {
      const double next = y[ld];
      *y = x * rotations[k].c - next * rotations[k].s;
      x = x * rotations[k].s + next * rotations[k].c;
    }
    *y = x;
  }
}

}  // namespace

extern const MatrixTable kMatrixTable;
const MatrixTable kMatrixTable = {{cholesky<double>, lu<double>, reflect<double>}, {cholesky<Complex>, lu<Complex>, reflect<Complex>}, rotate};

}  // namespace weft::cpu::WEFT_ISA_NAME
