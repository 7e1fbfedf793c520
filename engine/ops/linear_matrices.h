#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <atomic>
#include <complex>
#include <vector>

#include "base/parallel.h"
#include "ops/matrix_checks.h"
#include "ops/registry.h"

// Shared by the linear algebra families: tensors seen as Eigen matrices in the last two dimensions. For their .cpp files only.
namespace weft::linear {

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
/// Calls f(type_identity<W>) with the type used to compute with matrices of `type`: double or complex<double>. Narrower types are widened, which costs little
/// beside the decompositions and saves the compile time of further types.
template <typename F>
void withField(DType type, F&& f) {
  if (isComplex(type)) f(std::type_identity<std::complex<double>>());
  else f(std::type_identity<double>());
}

/// Matrix `i` of a tensor, widened.
template <typename W>
Matrix<W> matrixAt(const Tensor& t, int64_t i) {
  const Batch b = batchOf(t);
  const auto read = [&]<typename T>(std::type_identity<T>) -> Matrix<W> {
    return Eigen::Map<const Matrix<T>>(t.data<T>() + i * b.rows * b.cols, b.rows, b.cols).template cast<W>();
  };
  if constexpr (std::is_same_v<W, std::complex<double>>) {
    if (t.dtype() == DType::Complex64) return read(std::type_identity<std::complex<float>>());
    if (t.dtype() == DType::Complex128) return read(std::type_identity<std::complex<double>>());
  }
  return t.dtype() == DType::Double ? read(std::type_identity<double>()) : read(std::type_identity<float>());
}
/// Writes element or matrix `i` of a tensor, narrowed to its type; real tensors get the real part.
template <typename W>
void storeElement(Tensor& t, int64_t i, const W& v) {
  switch (t.dtype()) {
    case DType::Complex64: t.mutableData<std::complex<float>>()[i] = std::complex<float>(v); break;
    case DType::Complex128: t.mutableData<std::complex<double>>()[i] = v; break;
    case DType::Double: t.mutableData<double>()[i] = std::real(v); break;
    default: t.mutableData<float>()[i] = float(std::real(v));
  }
}
/// f(pointer to the elements), which are of the tensor's type: one of those that W can be narrowed to.
template <typename W, typename F>
void withElements(DType type, F&& f) {
  if constexpr (std::is_same_v<W, std::complex<double>>) {
    if (type == DType::Complex64) return f(std::type_identity<std::complex<float>>());
    if (type == DType::Complex128) return f(std::type_identity<std::complex<double>>());
  }
  if (type == DType::Double) f(std::type_identity<double>());
  else f(std::type_identity<float>());
}
/// Writes `n` elements that begin at element `at`, narrowed to the tensor's type.
template <typename W>
void storeElements(Tensor& t, int64_t at, const W* from, int64_t n) {
  withElements<W>(t.dtype(), [&]<typename T>(std::type_identity<T>) {
    T* const to = t.mutableData<T>() + at;
    if constexpr (std::is_same_v<W, std::complex<double>> && std::is_floating_point_v<T>) {
      for (int64_t k = 0; k < n; ++k) to[k] = T(std::real(from[k]));
    } else {
      for (int64_t k = 0; k < n; ++k) to[k] = T(from[k]);
    }
  });
}
template <typename W>
void storeMatrix(Tensor& t, int64_t i, const Matrix<W>& m) {
  storeElements(t, i * m.size(), m.data(), m.size());
}

/// The matrices of a tensor, widened if its type is narrower.
template <typename W>
class MatrixReader {
 public:
  explicit MatrixReader(const Tensor& t) : tensor_(t), size_(t.dim(t.rank() - 2) * t.dim(t.rank() - 1)) {}
  /// The elements of matrix i, row by row; valid until the next call.
  const W* operator()(int64_t i) {
    const W* found = nullptr;
    withElements<W>(tensor_.dtype(), [&]<typename T>(std::type_identity<T>) {
      const T* const from = tensor_.data<T>() + i * size_;
      if constexpr (std::is_same_v<T, W>) {
        found = from;
      } else {
        room_.resize(size_t(size_));
        for (int64_t k = 0; k < size_; ++k) room_[size_t(k)] = W(from[k]);
        found = room_.data();
      }
    });
    return found;
  }
  /// A copy, or that of the conjugate transpose of a square matrix.
  void copy(int64_t i, W* to, bool adjoint = false) {
    const W* const from = (*this)(i);
    const int64_t n = tensor_.dim(tensor_.rank() - 1);
    if (!adjoint) {
      std::copy_n(from, size_, to);
      return;
    }
    for (int64_t r = 0; r < n; ++r) {
      for (int64_t c = 0; c < n; ++c) {
        if constexpr (std::is_same_v<W, std::complex<double>>) to[c * n + r] = std::conj(from[r * n + c]);
        else to[c * n + r] = from[r * n + c];
      }
    }
  }

 private:
  const Tensor& tensor_;
  const int64_t size_;
  std::vector<W> room_;
};

/// Results of the computing type, written to a tensor of a type that may be narrower.
template <typename W>
class MatrixWriter {
 public:
  MatrixWriter(Tensor& t, int64_t size) : tensor_(t), size_(size) {}
  /// Where to put result i, `size` elements.
  W* operator()(int64_t i) {
    W* place = nullptr;
    withElements<W>(tensor_.dtype(), [&]<typename T>(std::type_identity<T>) {
      if constexpr (std::is_same_v<T, W>) place = tensor_.mutableData<T>() + i * size_;
    });
    if (place) return place;
    room_.resize(size_t(size_));
    return room_.data();
  }
  void done(int64_t i) {
    if (!room_.empty()) storeElements(tensor_, i * size_, room_.data(), size_);
  }

 private:
  Tensor& tensor_;
  const int64_t size_;
  std::vector<W> room_;
};

/// Calls f(begin, end) for parts of a batch of `count` matrices of n rows: side by side, or one after another if each is large enough for all threads.
template <typename F>
void overBatch(int64_t count, int64_t n, F&& f) {
  if (n >= 128 && count < 2 * parallelism()) {
    if (count > 0) f(int64_t(0), count);
    return;
  }
  parallelFor(count, std::max<int64_t>(1, 20'000 / (n * n * n + 32 * n + 1)), f);
}

/// Whether the least of the sizes of A's diagonal is above 0, found as TensorFlow finds it: a NaN counts where it comes first, so a matrix with NaN further down
/// counts as invertible and gives NaN.
template <typename T>
bool isInvertible(const T* a, int64_t n) {
  double least = n > 0 ? std::abs(a[0]) : 1;
  for (int64_t k = 1; k < n; ++k) {
    const double size = std::abs(a[k * (n + 1)]);
    if (size < least) least = size;
  }
  return least > 0;
}

/// Shape function for square matrices that keep `extra` of the last two dimensions.
inline Status squareShape(ShapeContext& c, int extra) {
  const Shape& in = c.input(0);
  WEFT_TRY(c.requireRankAtLeast(in, 2));
  if (!in.hasRank()) return {};
  WEFT_LET(const int64_t n, c.mergeDims(in.dim(in.rank() - 2), in.dim(in.rank() - 1)));
  Shape out = in.slice(0, in.rank() - 2);
  for (int i = 0; i < extra; ++i) out.append(n);
  c.setOutput(0, std::move(out));
  return {};
}

/// Shape function for square matrices with results of the same size.
inline Status sameSquare(ShapeContext& c) { return squareShape(c, 2); }

/// Computes each matrix of `out` from that of `in`: f(matrix, result) returns false on failure. Returns whether all succeeded.
template <typename W, typename F>
bool mapMatrices(const Tensor& in, Tensor& out, F&& f) {
  const Batch b = batchOf(in);
  if (b.rows == 0) return true;
  std::atomic<bool> good = true;
  overBatch(b.count, b.rows, [&](int64_t begin, int64_t end) {
    Matrix<W> result(b.rows, b.cols);
    for (int64_t i = begin; i < end; ++i) {
      if (!f(matrixAt<W>(in, i), result)) good = false;
      storeMatrix(out, i, result);
    }
  });
  return good;
}

inline OpRecord& addMatrixOp(OpRegistry& ops, const char* name, const char* summary) {
  return ops.add(name).category("Linear algebra").keywords("linear algebra").summary(summary);
}
inline constexpr const char* kTypes = "T: {double, float, half, complex64, complex128}";
inline constexpr const char* kIn = "Matrices in the last two dimensions.";

}  // namespace weft::linear
