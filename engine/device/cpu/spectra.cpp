#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/parallel.h"
#include "device/cpu/matrices.h"

// Eigenvalues and singular values: reflections reduce a matrix to two diagonals, and rotations make these one (Golub and Van Loan, Matrix Computations, chapter 8).
// The rotations depend on the diagonals only. They are collected and then applied to the vectors, which are rows here, in strips that stay in the cache.
namespace weft::cpu {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr int64_t kBlock = 32;   // reflections of a block
constexpr int kIterations = 60;  // of a value, on average

double conjugateOf(double x) { return x; }
std::complex<double> conjugateOf(const std::complex<double>& x) { return std::conj(x); }

double length(double x, double y) {
  const double square = x * x + y * y;
  return square > 1e-280 ? std::sqrt(square) : std::hypot(x, y);
}

/// The rotation that makes (x, z) into (r, 0); returns r.
double rotationOf(double x, double z, RowRotation& rotation) {
  if (z == 0) {
    rotation = {1, 0};
    return x;
  }
  const double r = length(x, z);
  rotation = {x / r, -z / r};
  return r;
}

/// Rotations of adjacent rows that are still to be applied.
class PendingRotations {
 public:
  /// `rows` [count, columns]: null if the vectors are not wanted.
  PendingRotations(double* rows, int64_t count, int64_t columns) : rows_(rows), count_(count), columns_(columns) {}

  void begin(int64_t first) {
    if (!rows_) return;
    if (rotations_.size() > 16'384) apply();
    sweeps_.push_back({first, int64_t(rotations_.size())});
  }
  void add(const RowRotation& rotation) {
    if (rows_) rotations_.push_back(rotation);
  }
  void apply() {
    if (sweeps_.empty()) return;
    constexpr int64_t kStrip = 32;
    const int64_t strips = (columns_ + kStrip - 1) / kStrip;
    const RotateRows rotate = matrixTable().rotate;
    parallelFor(strips, std::max<int64_t>(1, 8192 / int64_t(rotations_.size() + 1)), [&](int64_t begin, int64_t end) {
      std::vector<double> strip;  // without the gaps between rows, which would share few places of a cache
      for (int64_t s = begin; s < end; ++s) {
        const int64_t from = s * kStrip, width = std::min(kStrip, columns_ - from);
        strip.resize(size_t(count_ * width));
        for (int64_t i = 0; i < count_; ++i) std::copy_n(rows_ + i * columns_ + from, width, strip.data() + i * width);
        for (size_t k = 0; k < sweeps_.size(); ++k) {
          const int64_t last = k + 1 < sweeps_.size() ? sweeps_[k + 1].at : int64_t(rotations_.size());
          rotate(strip.data(), width, width, sweeps_[k].first, rotations_.data() + sweeps_[k].at, last - sweeps_[k].at);
        }
        for (int64_t i = 0; i < count_; ++i) std::copy_n(strip.data() + i * width, width, rows_ + i * columns_ + from);
      }
    });
    sweeps_.clear();
    rotations_.clear();
  }
  /// Applies one rotation of any two rows at once: (x, y) becomes (c x + s y, -s x + c y).
  void rotateNow(int64_t i, int64_t j, double c, double s) {
    if (!rows_) return;
    apply();
    double *const x = rows_ + i * columns_, *const y = rows_ + j * columns_;
    for (int64_t k = 0; k < columns_; ++k) {
      const double old = x[k];
      x[k] = c * old + s * y[k];
      y[k] = c * y[k] - s * old;
    }
  }

 private:
  struct Sweep {
    int64_t first, at;
  };
  double* const rows_;
  const int64_t count_, columns_;
  std::vector<Sweep> sweeps_;
  std::vector<RowRotation> rotations_;
};

/// The largest magnitude; NaN or infinity if there is one.
template <typename T>
double largestOf(const T* a, int64_t n) {
  double most = 0;
  for (int64_t i = 0; i < n; ++i) {
    const double x = std::abs(a[i]);
    if (!(x <= most)) most = x;
    if (!std::isfinite(most)) break;
  }
  return most;
}

/// Reflections one by one, handed over in blocks.
template <typename T>
class ReflectionList {
 public:
  ReflectionList(int64_t m, bool wanted) : all_(m), m_(m), wanted_(wanted) {}

  /// Makes the vector x[0, m - index) the first unit vector times the returned number; x becomes the reflection's vector.
  double reflect(T* x, T& tau) {
    const int64_t n = m_ - index_;
    matrixLoops<T>().reflect(x, n, 1, &tau);
    const double beta = std::real(x[0]);
    x[0] = T(1);
    if (wanted_) {
      const int64_t begin = index_ / kBlock * kBlock, rows = m_ - begin;
      if (index_ == begin) columns_.assign(size_t(rows * std::min(kBlock, rows)), T(0));
      std::copy_n(x, n, columns_.data() + (index_ - begin) * rows + (index_ - begin));
      taus_.push_back(tau);
    }
    ++index_;
    if (int64_t(taus_.size()) == kBlock) flush();
    return beta;
  }
  void flush() {
    if (!taus_.empty()) all_.add(index_ - int64_t(taus_.size()), int64_t(taus_.size()), columns_.data(), taus_.data());
    taus_.clear();
  }
  const Reflections<T>& all() const { return all_; }

 private:
  Reflections<T> all_;
  const int64_t m_;
  const bool wanted_;
  int64_t index_ = 0;
  std::vector<T> columns_, taus_;
};

/// The rows of Qᵀ, where Q [n, n] is the identity in its first `keep` rows and columns and the product of reflections in the others.
template <typename T>
std::vector<T> rowsOf(const ReflectionList<T>& list, int64_t n, int64_t keep) {
  std::vector<T> q(static_cast<size_t>(n * n));
  for (int64_t i = 0; i < n; ++i) q[size_t(i * (n + 1))] = T(1);
  list.all().apply(q.data() + keep * (n + 1), n, n - keep, true);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < i; ++j) std::swap(q[size_t(i * n + j)], q[size_t(j * n + i)]);
  }
  return q;
}

/// Sets negligible elements of `e`, beside the diagonal `d`, to 0 and lowers `end` to the last row of the last block that is not diagonal yet; 0 if there is none.
/// Returns the block's first row.
int64_t lastBlock(const std::vector<double>& d, std::vector<double>& e, int64_t& end) {
  for (int64_t i = 0; i < end; ++i) {
    if (std::abs(e[size_t(i)]) <= kEpsilon * (std::abs(d[size_t(i)]) + std::abs(d[size_t(i + 1)])) || std::abs(e[size_t(i)]) < 1e-290) e[size_t(i)] = 0;
  }
  while (end > 0 && e[size_t(end - 1)] == 0) --end;
  int64_t start = std::max<int64_t>(end - 1, 0);
  while (start > 0 && e[size_t(start - 1)] != 0) --start;
  return start;
}

/// The eigenvalues of a symmetric tridiagonal matrix, by the implicit QR method with Wilkinson's shift. Unordered.
bool tridiagonalValues(std::vector<double>& d, std::vector<double>& e, PendingRotations& vectors) {
  const int64_t n = int64_t(d.size());
  int64_t end = n - 1;
  for (int64_t left = kIterations * n; end > 0; --left) {
    if (left == 0) return false;
    const int64_t start = lastBlock(d, e, end);
    if (end == 0) break;

    const double half = (d[size_t(end - 1)] - d[size_t(end)]) / 2, off = e[size_t(end - 1)], root = length(half, off);
    const double shift = d[size_t(end)] - off * (off / (half + (half >= 0 ? root : -root)));
    double x = d[size_t(start)] - shift, z = e[size_t(start)];
    vectors.begin(start);
    for (int64_t k = start; k < end; ++k) {
      RowRotation r;
      const double before = rotationOf(x, z, r);
      vectors.add(r);
      if (k > start) e[size_t(k - 1)] = before;
      const double a = d[size_t(k)], b = e[size_t(k)], g = d[size_t(k + 1)], c = r.c, s = r.s;
      d[size_t(k)] = c * (c * a - s * b) - s * (c * b - s * g);
      d[size_t(k + 1)] = s * (s * a + c * b) + c * (s * b + c * g);
      e[size_t(k)] = c * (s * a + c * b) - s * (s * b + c * g);
      if (k + 1 == end) break;
      x = e[size_t(k)];
      z = -s * e[size_t(k + 1)];
      e[size_t(k + 1)] *= c;
    }
  }
  return true;
}

/// The singular values of an upper bidiagonal matrix with diagonals d and e, by the method of Golub and Kahan. Unordered; they may be negative.
bool bidiagonalValues(std::vector<double>& d, std::vector<double>& e, PendingRotations& left, PendingRotations& right) {
  const int64_t n = int64_t(d.size());
  double norm = 0;
  for (int64_t i = 0; i < n; ++i) norm = std::max(norm, std::abs(d[size_t(i)]) + (i + 1 < n ? std::abs(e[size_t(i)]) : 0));
  int64_t end = n - 1;
  for (int64_t tries = kIterations * n; end > 0; --tries) {
    if (tries == 0) return false;
    const int64_t start = lastBlock(d, e, end);
    if (end == 0) break;

    // A zero on the diagonal: rotations with its row, or with the last column, remove an element beside the diagonal.
    int64_t zero = -1;
    for (int64_t k = start; k <= end; ++k) {
      if (std::abs(d[size_t(k)]) <= kEpsilon * norm * 0.125) zero = k;
    }
    if (zero >= 0) {
      d[size_t(zero)] = 0;
      if (zero == end) {
        double f = e[size_t(end - 1)];
        e[size_t(end - 1)] = 0;
        for (int64_t k = end - 1; k >= start && f != 0; --k) {
          const double r = length(d[size_t(k)], f), c = d[size_t(k)] / r, s = f / r;
          d[size_t(k)] = r;
          right.rotateNow(k, end, c, s);
          if (k == start) break;
          f = -s * e[size_t(k - 1)];
          e[size_t(k - 1)] *= c;
        }
      } else {
        double f = e[size_t(zero)];
        e[size_t(zero)] = 0;
        for (int64_t k = zero + 1; k <= end && f != 0; ++k) {
          const double r = length(d[size_t(k)], f), c = d[size_t(k)] / r, s = f / r;
          d[size_t(k)] = r;
          left.rotateNow(k, zero, c, s);
          if (k == end) break;
          f = -s * e[size_t(k)];
          e[size_t(k)] *= c;
        }
      }
      continue;
    }

    const double dm = d[size_t(end - 1)], dn = d[size_t(end)], em = e[size_t(end - 1)], el = end - 1 > start ? e[size_t(end - 2)] : 0;
    const double corner = dn * dn + em * em, half = (dm * dm + el * el - corner) / 2, off = dm * em, root = length(half, off);
    const double below = half + (half >= 0 ? root : -root), shift = below == 0 ? corner : corner - off * (off / below);
    double y = d[size_t(start)] * d[size_t(start)] - shift, z = d[size_t(start)] * e[size_t(start)];
    left.begin(start), right.begin(start);
    for (int64_t k = start; k < end; ++k) {
      RowRotation r;
      const double before = rotationOf(y, z, r);
      right.add(r);
      if (k > start) e[size_t(k - 1)] = before;
      const double a = d[size_t(k)], b = e[size_t(k)], g = d[size_t(k + 1)];
      const double upper = r.s * a + r.c * b, lower = r.c * g;
      d[size_t(k)] = rotationOf(r.c * a - r.s * b, -r.s * g, r);
      left.add(r);
      e[size_t(k)] = r.c * upper - r.s * lower;
      d[size_t(k + 1)] = r.s * upper + r.c * lower;
      if (k + 1 == end) break;
      y = e[size_t(k)];
      z = -r.s * e[size_t(k + 1)];
      e[size_t(k + 1)] *= r.c;
    }
  }
  return true;
}

/// The order in which a QR factorization with column pivoting takes the columns of A [m, n]: always the one with the largest rest.
template <typename T>
std::vector<int64_t> pivotOrder(const T* a, int64_t m, int64_t n) {
  std::vector<T> g(static_cast<size_t>(n * n));
  multiplyAdjoint(n, m, n, a, n, a, n, g.data(), n, Update::Set);
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&](int64_t i, int64_t j) -> T& { return g[size_t(order[size_t(i)] * n + order[size_t(j)])]; };
  for (int64_t k = 0; k < n; ++k) {
    int64_t best = k;
    for (int64_t j = k + 1; j < n; ++j) {
      if (std::real(at(j, j)) > std::real(at(best, best))) best = j;
    }
    std::swap(order[size_t(k)], order[size_t(best)]);
    const double pivot = std::real(at(k, k));
    if (!(pivot > 0)) break;
    for (int64_t i = k + 1; i < n; ++i) {
      for (int64_t j = k + 1; j < n; ++j) at(i, j) -= at(i, k) * at(k, j) / pivot;
    }
  }
  return order;
}

template <typename T>
constexpr int64_t kDoubles = int64_t(sizeof(T) / sizeof(double));

}  // namespace

template <typename T>
bool hermitianEigen(T* a, int64_t n, double* values, T* vectors) {
  for (int64_t i = 0; i < n; ++i) {
    a[i * (n + 1)] = T(std::real(a[i * (n + 1)]));
    for (int64_t j = 0; j < i; ++j) a[j * n + i] = conjugateOf(a[i * n + j]);
  }
  const double scale = largestOf(a, n * n);
  if (!std::isfinite(scale)) return false;
  if (scale > 0) {
    for (int64_t i = 0; i < n * n; ++i) a[i] /= scale;
  }
  // With H = I - tau v vᴴ and p = A v, H A Hᴴ = A - v wᴴ - w vᴴ, where w = conj(tau) p - |tau|² (vᴴ p) / 2 v.
  std::vector<double> d(static_cast<size_t>(n)), e(static_cast<size_t>(std::max<int64_t>(n - 1, 0)));
  ReflectionList<T> list(n - 1, vectors != nullptr);
  std::vector<T> v(static_cast<size_t>(n)), p(static_cast<size_t>(n)), both(static_cast<size_t>(2 * n)), others(static_cast<size_t>(2 * n));
  for (int64_t i = 0; i < n; ++i) {
    d[size_t(i)] = std::real(a[i * (n + 1)]);
    const int64_t rest = n - i - 1;
    if (rest == 0) break;
    for (int64_t j = 0; j < rest; ++j) v[size_t(j)] = conjugateOf(a[i * n + i + 1 + j]);
    T tau;
    e[size_t(i)] = list.reflect(v.data(), tau);
    if (tau == T(0)) continue;
    T* const corner = a + (i + 1) * (n + 1);
    multiply(rest, rest, int64_t(1), corner, n, v.data(), int64_t(1), p.data(), int64_t(1), Update::Set);
    T inner(0);
    for (int64_t j = 0; j < rest; ++j) inner += conjugateOf(v[size_t(j)]) * p[size_t(j)];
    const double half = std::norm(tau) * std::real(inner) / 2;
    for (int64_t j = 0; j < rest; ++j) {
      const T w = conjugateOf(tau) * p[size_t(j)] - half * v[size_t(j)];
      both[size_t(2 * j)] = v[size_t(j)], both[size_t(2 * j + 1)] = w;
      others[size_t(j)] = conjugateOf(w), others[size_t(rest + j)] = conjugateOf(v[size_t(j)]);
    }
    multiply(rest, int64_t(2), rest, both.data(), int64_t(2), others.data(), rest, corner, n, Update::Subtract);
  }
  list.flush();
  std::vector<T> rows;
  if (vectors) rows = rowsOf(list, n, 1);
  PendingRotations pending(reinterpret_cast<double*>(vectors ? rows.data() : nullptr), n, n * kDoubles<T>);
  if (!tridiagonalValues(d, e, pending)) return false;
  pending.apply();
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t x, int64_t y) { return d[size_t(x)] < d[size_t(y)]; });
  for (int64_t k = 0; k < n; ++k) values[k] = d[size_t(order[size_t(k)])] * (scale > 0 ? scale : 1);
  for (int64_t k = 0; vectors && k < n; ++k) {
    for (int64_t i = 0; i < n; ++i) vectors[i * n + k] = rows[size_t(order[size_t(k)] * n + i)];
  }
  return true;
}

template <typename T>
bool singularValues(T* a, int64_t m, int64_t n, double* values, T* u, int64_t columnsU, T* v) {
  const double scale = largestOf(a, m * n);
  if (scale > 0) {
    for (int64_t i = 0; i < m * n; ++i) a[i] /= scale;
  }
  // A tall matrix is that of its triangular factor, multiplied by Q.
  Reflections<T> tall(m);
  std::vector<int64_t> taken(static_cast<size_t>(n));
  std::iota(taken.begin(), taken.end(), 0);
  if (columnsU > n && n < 16) {  // for the basis of the null space that TensorFlow finds for small matrices
    taken = pivotOrder(a, m, n);
    std::vector<T> line(static_cast<size_t>(n));
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) line[size_t(j)] = a[i * n + taken[size_t(j)]];
      std::copy(line.begin(), line.end(), a + i * n);
    }
  }
  if (m > n) {
    tall = qrFactor(a, n, m, n);
    for (int64_t i = 0; i < n; ++i) std::fill_n(a + i * n, i, T(0));
  }
  std::vector<double> d(static_cast<size_t>(n)), e(static_cast<size_t>(n - 1));
  ReflectionList<T> leftList(n, u != nullptr), rightList(n - 1, u != nullptr);
  std::vector<T> x(static_cast<size_t>(n)), w(static_cast<size_t>(n)), conjugates(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) {
    const int64_t rows = n - i, rest = rows - 1;
    for (int64_t j = 0; j < rows; ++j) x[size_t(j)] = a[(i + j) * n + i];
    T tau;
    d[size_t(i)] = leftList.reflect(x.data(), tau);
    if (rest == 0) break;
    if (tau != T(0)) {
      multiplyAdjoint(int64_t(1), rows, rest, x.data(), int64_t(1), a + i * n + i + 1, n, w.data(), rest, Update::Set);
      for (int64_t j = 0; j < rows; ++j) x[size_t(j)] *= tau;
      multiply(rows, int64_t(1), rest, x.data(), int64_t(1), w.data(), rest, a + i * n + i + 1, n, Update::Subtract);
    }
    for (int64_t j = 0; j < rest; ++j) x[size_t(j)] = conjugateOf(a[i * n + i + 1 + j]);
    e[size_t(i)] = rightList.reflect(x.data(), tau);
    if (tau == T(0)) continue;
    T* const corner = a + (i + 1) * (n + 1);
    multiply(rest, rest, int64_t(1), corner, n, x.data(), int64_t(1), w.data(), int64_t(1), Update::Set);
    for (int64_t j = 0; j < rest; ++j) w[size_t(j)] *= conjugateOf(tau), conjugates[size_t(j)] = conjugateOf(x[size_t(j)]);
    multiply(rest, int64_t(1), rest, w.data(), int64_t(1), conjugates.data(), rest, corner, n, Update::Subtract);
  }
  leftList.flush(), rightList.flush();
  std::vector<T> left, right;
  if (u) left = rowsOf(leftList, n, 0), right = rowsOf(rightList, n, 1);
  PendingRotations pendingLeft(reinterpret_cast<double*>(u ? left.data() : nullptr), n, n * kDoubles<T>);
  PendingRotations pendingRight(reinterpret_cast<double*>(u ? right.data() : nullptr), n, n * kDoubles<T>);
  if (!bidiagonalValues(d, e, pendingLeft, pendingRight)) return false;
  pendingLeft.apply(), pendingRight.apply();

  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t p, int64_t q) { return std::abs(d[size_t(p)]) > std::abs(d[size_t(q)]); });
  for (int64_t k = 0; k < n; ++k) values[k] = std::abs(d[size_t(order[size_t(k)])]) * (scale > 0 ? scale : 1);
  if (!u) return true;
  std::fill_n(u, m * columnsU, T(0));
  for (int64_t k = n; k < columnsU; ++k) u[k * columnsU + k] = T(1);
  for (int64_t k = 0; k < n; ++k) {
    const int64_t from = order[size_t(k)];
    const double sign = d[size_t(from)] < 0 ? -1 : 1;
    for (int64_t i = 0; i < n; ++i) {
      u[i * columnsU + k] = left[size_t(from * n + i)];
      v[taken[size_t(i)] * n + k] = right[size_t(from * n + i)] * sign;
    }
  }
  if (m > n) tall.apply(u, columnsU, columnsU, false);
  return true;
}

template bool hermitianEigen<double>(double*, int64_t, double*, double*);
template bool hermitianEigen<std::complex<double>>(std::complex<double>*, int64_t, double*, std::complex<double>*);
template bool singularValues<double>(double*, int64_t, int64_t, double*, double*, int64_t, double*);
template bool singularValues<std::complex<double>>(std::complex<double>*, int64_t, int64_t, double*, std::complex<double>*, int64_t, std::complex<double>*);

}  // namespace weft::cpu
