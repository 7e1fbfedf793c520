#pragma once

#include <Eigen/Core>
#include <complex>

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

struct Batch {
  int64_t count, rows, cols;
};
inline Batch batchOf(const Tensor& t) { return {t.shape().slice(0, t.rank() - 2).elements(), t.dim(t.rank() - 2), t.dim(t.rank() - 1)}; }
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
template <typename W>
void storeMatrix(Tensor& t, int64_t i, const Matrix<W>& m) {
  const int64_t n = m.size();
  for (int64_t k = 0; k < n; ++k) storeElement(t, i * n + k, m.data()[k]);
}
inline Shape withLast(const Tensor& t, std::initializer_list<int64_t> dims) {
  Shape s = t.shape().slice(0, t.rank() - 2);
  for (int64_t d : dims) s.append(d);
  return s;
}

inline Status requireMatrix(const Tensor& t) {
  if (t.rank() < 2) return invalidArgument("Input tensor 0 must have rank >= 2");
  return {};
}
inline Status requireSquare(const Tensor& t) {
  WEFT_TRY(requireMatrix(t));
  if (t.dim(t.rank() - 1) != t.dim(t.rank() - 2)) return invalidArgument("Input matrix must be square.");
  return {};
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
  bool good = true;
  const Batch b = batchOf(in);
  for (int64_t i = 0; b.rows > 0 && i < b.count; ++i) {
    Matrix<W> result(b.rows, b.cols);
    good = f(matrixAt<W>(in, i), result) && good;
    storeMatrix(out, i, result);
  }
  return good;
}

inline OpRecord& addMatrixOp(OpRegistry& ops, const char* name, const char* summary) {
  return ops.add(name).category("Linear algebra").keywords("linear algebra").summary(summary);
}
inline constexpr const char* kTypes = "T: {double, float, half, complex64, complex128}";
inline constexpr const char* kIn = "Matrices in the last two dimensions.";

}  // namespace weft::linear
