#include "ops/diagonals.h"

#include <cstring>

#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"

// Diagonals and bands of matrices. Each element of the result looks up where it comes from.
namespace weft::cuda {
namespace {

/// A number in host memory as an element of the size of T; null is 0.
template <typename T>
T hostValue(const Tensor* t) {
  T value = T(0);
  if (t) std::memcpy(static_cast<void*>(&value), t->raw(), sizeof value);
  return value;
}

/// Position of an element on the diagonal through (row, col).
__device__ int64_t placeOnDiagonal(int64_t row, int64_t col) { return row < col ? row : col; }

/// Matrices whose elements in the band come from `diagonals`; the others from `base`, or are `filling` where that is null.
template <typename T>
Status putDiagonals(CudaDevice& d, const DiagonalPlan& p, const Tensor& diagonals, const T* base, T filling, Tensor& out) {
  const T* from = static_cast<const T*>(diagonals.raw());
  T* to = static_cast<T*>(out.mutableRaw());
  const int64_t rows = p.rows, cols = p.cols, width = p.width, lower = p.band.lower, upper = p.band.upper, count = p.band.count();
  return forEach(d, out.elements(), [=] __device__(int64_t i) {
    const int64_t matrix = i / (rows * cols), row = i / cols % rows, col = i % cols, k = col - row;
    if (k >= lower && k <= upper) to[i] = from[(matrix * count + upper - k) * width + placeOnDiagonal(row, col)];
    else to[i] = base ? base[i] : filling;
  });
}

Status runMatrixDiag(KernelContext& c) {
  WEFT_LET(const DiagonalPlan p, planMatrixDiag(c));
  WEFT_LET(Tensor * out, c.allocate(0, p.shape));
  const Tensor* padding = c.inputCount() > 1 ? &c.input(4) : nullptr;
  return forSizeOf(out->dtype(), [&]<typename T>() { return putDiagonals<T>(deviceOf(c), p, c.input(0), nullptr, hostValue<T>(padding), *out); });
}

Status runMatrixSetDiag(KernelContext& c) {
  WEFT_LET(const DiagonalPlan p, planMatrixSetDiag(c));
  const Tensor in = c.input(0);
  WEFT_LET(Tensor * out, c.allocate(0, p.shape));
  return forSizeOf(in.dtype(), [&]<typename T>() { return putDiagonals<T>(deviceOf(c), p, c.input(1), static_cast<const T*>(in.raw()), T(0), *out); });
}

template <typename T>
Status takeDiagonals(CudaDevice& d, const DiagonalPlan& p, const Tensor& in, T padding, Tensor& out) {
  const T* from = static_cast<const T*>(in.raw());
  T* to = static_cast<T*>(out.mutableRaw());
  const int64_t rows = p.rows, cols = p.cols, width = p.width, upper = p.band.upper, count = p.band.count();
  return forEach(d, out.elements(), [=] __device__(int64_t i) {
    const int64_t at = i % width, k = upper - i / width % count, matrix = i / (width * count);
    const int64_t row = at + (k < 0 ? -k : 0), col = at + (k > 0 ? k : 0);
    to[i] = row < rows && col < cols ? from[(matrix * rows + row) * cols + col] : padding;
  });
}

Status runMatrixDiagPart(KernelContext& c) {
  WEFT_LET(const DiagonalPlan p, planMatrixDiagPart(c));
  WEFT_LET(Tensor * out, c.allocate(0, p.shape));
  const Tensor* padding = c.inputCount() > 1 ? &c.input(2) : nullptr;
  return forSizeOf(out->dtype(), [&]<typename T>() { return takeDiagonals<T>(deviceOf(c), p, c.input(0), hostValue<T>(padding), *out); });
}

template <typename T>
Status keepBand(CudaDevice& d, const DiagonalPlan& p, const Tensor& in, Tensor& out) {
  const T* from = static_cast<const T*>(in.raw());
  T* to = static_cast<T*>(out.mutableRaw());
  const int64_t rows = p.rows, cols = p.cols, below = -p.band.lower, above = p.band.upper;
  return forEach(d, out.elements(), [=] __device__(int64_t i) {
    const int64_t k = i % cols - i / cols % rows;
    to[i] = (below < 0 || -k <= below) && (above < 0 || k <= above) ? from[i] : T(0);
  });
}

Status runMatrixBandPart(KernelContext& c) {
  WEFT_LET(const DiagonalPlan p, planMatrixBandPart(c));
  const Tensor in = c.input(0);
  WEFT_LET(Tensor * out, c.allocate(0, p.shape));
  return forSizeOf(in.dtype(), [&]<typename T>() { return keepBand<T>(deviceOf(c), p, in, *out); });
}

}  // namespace

void registerDiagonalsGpu(OpRegistry& ops) {
  const std::vector<DType> moved = {DType::Half, DType::Float, DType::Double, DType::Bool, DType::Complex64, DType::Complex128};
  const std::vector<DType> floats = {DType::Half, DType::Float, DType::Double};
  for (const bool old : {false, true}) {
    const std::vector<KernelConstraint> types = {{"T", old ? floats : moved}};
    addAny(ops, old ? "BatchMatrixDiag" : "MatrixDiag", runMatrixDiag, {}, types);
    addAny(ops, old ? "BatchMatrixDiagPart" : "MatrixDiagPart", runMatrixDiagPart, {}, types);
    addAny(ops, old ? "BatchMatrixSetDiag" : "MatrixSetDiag", runMatrixSetDiag, {}, types);
    addAny(ops, old ? "BatchMatrixBandPart" : "MatrixBandPart", runMatrixBandPart, {"num_lower", "num_upper"}, types);
  }
  addAny(ops, "MatrixDiagV2", runMatrixDiag, {"k", "num_rows", "num_cols", "padding_value"}, {{"T", moved}});
  addAny(ops, "MatrixDiagPartV2", runMatrixDiagPart, {"k", "padding_value"}, {{"T", moved}});
  addAny(ops, "MatrixSetDiagV2", runMatrixSetDiag, {"k"}, {{"T", moved}});
}

}  // namespace weft::cuda
