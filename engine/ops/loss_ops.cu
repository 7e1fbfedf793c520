#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"
#include "ops/operand_checks.h"

// InTopK: one block per row.
namespace weft::cuda {
namespace {

template <typename Index>
Status runInTopK(KernelContext& c) {
  WEFT_TRY(checkInTopK(c));
  const Tensor& predictions = c.input(0);
  const int64_t rows = predictions.dim(0), classes = predictions.dim(1);
  WEFT_LET(Tensor * out, c.allocate(0, {rows}));
  const float* p = dataOf<float>(predictions);
  const Index *targets = input<Index>(c, 1), *k = input<Index>(c, 2);
  bool* hits = mutableDataOf<bool>(*out);
  return forEachBlock(deviceOf(c), rows, [=] __device__(int64_t r) {
    WEFT_SHARED(int64_t, part, kThreads);
    const float* row = p + r * classes;
    const int64_t target = targets[r];
    const bool inside = target >= 0 && target < classes;
    const float score = inside ? row[target] : 0.0f;
    int64_t better = 0;  // a score that is not finite counts as more than all others: then no target is in the top k
    for (int64_t i = threadIdx.x; i < classes; i += kThreads) better += fabsf(row[i]) <= 3.402823466e+38f ? int64_t(row[i] > score) : classes + 1;
    better = acrossBlock(
        better, [](int64_t a, int64_t b) { return a + b; }, part);
    if (threadIdx.x == 0) hits[r] = inside && better <= classes && better < int64_t(*k);
  });
}

}  // namespace

void registerLossOpsGpu(OpRegistry& ops) {
  addAny(ops, "InTopKV2", runInTopK<int32_t>, {}, {{"T", {DType::Int32}}});
  addAny(ops, "InTopKV2", runInTopK<int64_t>, {}, {{"T", {DType::Int64}}});
}

}  // namespace weft::cuda
