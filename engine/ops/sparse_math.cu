#include "device/cuda/row_groups.cuh"
#include "ops/sparse_product.h"

// Products of sparse and dense matrices. Products that belong to one row of the result are added in their order.
namespace weft::cuda {
namespace {

struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

/// What element i of the sparse matrix adds to column j of its row.
struct Products {
  const float *values, *dense;
  const uint32_t* inner;
  int64_t perInner, perColumn;
  __device__ float operator()(int64_t i, int64_t j) const { return values[i] * dense[int64_t(inner[i]) * perInner + j * perColumn]; }
};

template <typename I>
Status findPlaces(CudaDevice& d, const I* indices, const SparseProduct& p, ErrorSlot wrong, uint32_t* rows, uint32_t* inner) {
  const int rowAt = p.adjointA ? 1 : 0;
  const int64_t most = p.rows, mostInner = p.inner;
  return forEach(d, p.count, [=] __device__(int64_t i) {
    const int64_t m = int64_t(indices[2 * i + rowAt]), k = int64_t(indices[2 * i + 1 - rowAt]);
    const bool inside = m >= 0 && m < most && k >= 0 && k < mostInner;
    if (!inside) wrong.report(i);
    rows[i] = inside ? uint32_t(m) : kNowhere;
    inner[i] = inside ? uint32_t(k) : 0;
  });
}

Status runSparseProduct(KernelContext& c) {
  WEFT_LET(const SparseProduct p, sparseProductOf(c));
  WEFT_LET(Tensor * out, c.allocate(0, Shape{p.rows, p.columns}));
  CudaDevice& d = deviceOf(c);
  if (out->elements() > 0) WEFT_CUDA_TRY(cudaMemsetAsync(out->mutableRaw(), 0, out->bytes(), d.stream()));
  if (p.count == 0) return {};
  const Tensor& indices = c.input(0);
  WEFT_LET(const ErrorSlot wrong, d.errorSlot(c, indices, [p](int64_t i, const Tensor& t) { return outsideProduct(p, t, i); }));
  WEFT_LET(const Places places, placesFor(d, p.count, p.rows));
  WEFT_LET(const Places inner, placesFor(d, p.count, p.inner));
  WEFT_TRY(indices.dtype() == DType::Int32 ? findPlaces(d, dataOf<int32_t>(indices), p, wrong, places.at, inner.at)
                                           : findPlaces(d, dataOf<int64_t>(indices), p, wrong, places.at, inner.at));
  const Products products{input<float>(c, 1), input<float>(c, 3), inner.at, p.adjointB ? 1 : p.columns, p.adjointB ? p.inner : 1};
  return joinRows(d, places.at, p.count, p.rows, p.columns, p.columns, mutableDataOf<float>(*out), products, Sum());
}

}  // namespace

void registerSparseMathGpu(OpRegistry& ops) { addAny(ops, "SparseTensorDenseMatMul", runSparseProduct, {"a_shape"}, {{"T", {DType::Float}}}); }

}  // namespace weft::cuda
