#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"
#include "ops/blocks.h"

// Blocks of space that move into the batch, and back. SpaceToDepth and DepthToSpace are the CPU kernels, which move boxes.
namespace weft::cuda {
namespace {

constexpr int kMostBlocked = 8;

/// The blocked dims in space and in the batch.
struct BlockedDims {
  int count = 0;
  int64_t batches = 0, inner = 1, size[kMostBlocked] = {}, before[kMostBlocked] = {}, space[kMostBlocked] = {}, cells[kMostBlocked] = {};
};

/// Each element of the batch looks up its place in space; outside is 0.
template <typename T>
Status moveToBatch(CudaDevice& d, const BlockedDims& b, const Tensor& in, Tensor& out) {
  const T* from = static_cast<const T*>(in.raw());
  T* to = static_cast<T*>(out.mutableRaw());
  return forEach(d, out.elements(), [=] __device__(int64_t i) {
    int64_t rest = i / b.inner, cell[kMostBlocked];
    for (int k = b.count - 1; k >= 0; --k) {
      cell[k] = rest % b.cells[k];
      rest /= b.cells[k];
    }
    int64_t group = rest / b.batches, at = i % b.inner, stride = b.inner;
    bool inside = true;
    for (int k = b.count - 1; k >= 0; --k) {
      const int64_t place = cell[k] * b.size[k] + group % b.size[k] - b.before[k];
      group /= b.size[k];
      inside = inside && place >= 0 && place < b.space[k];
      at += place * stride;
      stride *= b.space[k];
    }
    to[i] = inside ? from[at + rest % b.batches * stride] : T(0);
  });
}

/// Each element of space looks up its place in the batch.
template <typename T>
Status moveToSpace(CudaDevice& d, const BlockedDims& b, const Tensor& in, Tensor& out) {
  const T* from = static_cast<const T*>(in.raw());
  T* to = static_cast<T*>(out.mutableRaw());
  return forEach(d, out.elements(), [=] __device__(int64_t i) {
    int64_t rest = i / b.inner, group = 0, groups = 1, at = i % b.inner, stride = b.inner;
    for (int k = b.count - 1; k >= 0; --k) {
      const int64_t place = rest % b.space[k] + b.before[k];
      rest /= b.space[k];
      group += place % b.size[k] * groups;
      groups *= b.size[k];
      at += place / b.size[k] * stride;
      stride *= b.cells[k];
    }
    to[i] = from[at + (group * b.batches + rest) * stride];
  });
}

template <bool toBatch>
Status runBlocks(KernelContext& c) {
  WEFT_LET(const BlockPlan p, planBlocks(c, toBatch));
  const Tensor& in = c.input(0);
  BlockedDims b;
  b.count = int(p.blocks.size.size());
  if (b.count > kMostBlocked) return unimplemented(c.node().op, " on the GPU takes up to ", kMostBlocked, " blocked dims, got ", b.count);
  WEFT_LET(Tensor * out, c.allocate(0, p.shape));
  const Shape &space = toBatch ? in.shape() : p.shape, &batch = toBatch ? p.shape : in.shape();
  b.batches = space.dim(0);
  for (int d = 0; d < b.count; ++d) {
    b.size[d] = p.blocks.size[size_t(d)];
    b.before[d] = p.blocks.before[size_t(d)];
    b.space[d] = space.dim(d + 1);
    b.cells[d] = batch.dim(d + 1);
  }
  for (int d = b.count + 1; d < in.rank(); ++d) b.inner *= in.dim(d);
  return forSizeOf(in.dtype(), [&]<typename T>() { return toBatch ? moveToBatch<T>(deviceOf(c), b, in, *out) : moveToSpace<T>(deviceOf(c), b, in, *out); });
}

}  // namespace

void registerSpaceBatchGpu(OpRegistry& ops) {
  const std::vector<DType> floats = {DType::Half, DType::Float, DType::Double};
  addAny(ops, "SpaceToBatch", runBlocks<true>, {"paddings"}, {{"T", floats}});
  addAny(ops, "SpaceToBatchND", runBlocks<true>, {"block_shape", "paddings"}, {{"T", floats}});
  addAny(ops, "BatchToSpace", runBlocks<false>, {"crops"}, {{"T", floats}});
  addAny(ops, "BatchToSpaceND", runBlocks<false>, {"block_shape", "crops"}, {{"T", floats}});
  shareWithCpu(ops, "SpaceToDepth", {}, {DType::Half, DType::Float, DType::UInt8, DType::QInt8});
  shareWithCpu(ops, "DepthToSpace", {}, {DType::Half, DType::Float, DType::QInt8});
}

}  // namespace weft::cuda
