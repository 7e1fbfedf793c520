#include <limits>

#include "device/cuda/row_groups.cuh"
#include "ops/box_selection.h"

// Greedy non-maximum suppression. Boxes are sorted by score; then one block goes through them and compares each with the boxes selected before.
namespace weft::cuda {
namespace {

struct Box {
  float top, left, bottom, right;
  __device__ float area() const { return (bottom - top) * (right - left); }
};
__device__ Box boxAt(const float* boxes, int64_t i) {
  const float *p = boxes + 4 * i, *q = p + 2;
  return {p[0] < q[0] ? p[0] : q[0], p[1] < q[1] ? p[1] : q[1], p[0] < q[0] ? q[0] : p[0], p[1] < q[1] ? q[1] : p[1]};
}
/// The intersection of two boxes divided by their union.
__device__ float overlapOf(const Box& a, const Box& b) {
  const float areaA = a.area(), areaB = b.area();
  if (areaA <= 0 || areaB <= 0) return 0;
  const float height = (a.bottom < b.bottom ? a.bottom : b.bottom) - (a.top < b.top ? b.top : a.top);
  const float width = (a.right < b.right ? a.right : b.right) - (a.left < b.left ? b.left : a.left);
  const float both = (height > 0 ? height : 0.0f) * (width > 0 ? width : 0.0f);
  return both / (areaA + areaB - both);
}

/// Scores as keys, the largest first; those that are not above `least` come last.
Status makeKeys(CudaDevice& d, const float* scores, float least, int64_t n, uint32_t* keys) {
  return forEach(d, n, [=] __device__(int64_t i) {
    const float v = scores[i] + 0.0f;
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    keys[i] = !(scores[i] > least) ? kNowhere : bits & 0x80000000u ? bits : ~bits & 0x7fffffffu;
  });
}

/// Writes the selected boxes. Counts: how many there are, and one more than a box that is selected for all further places, or 0. As in TensorFlow 1.15, a box goes
/// back into the queue when it is selected; one that does not overlap itself, since it has no area, is then selected again.
Status select(CudaDevice& d, const float* boxes, const uint32_t* keys, const uint32_t* order, int64_t n, int64_t limit, float threshold, int32_t* selected,
              int64_t* counts) {
  return forEachBlock(d, 1, [=] __device__(int64_t) {
    WEFT_SHARED(int, overlaps, 1);
    int64_t count = 0, repeated = 0;
    for (int64_t k = 0; k < n && count < limit && repeated == 0; ++k) {
      if (keys[k] == kNowhere) break;
      const int64_t box = order[k];
      const Box candidate = boxAt(boxes, box);
      if (threadIdx.x == 0) overlaps[0] = 0;
      __syncthreads();
      for (int64_t s = threadIdx.x; s < count; s += kThreads) {
        if (overlapOf(candidate, boxAt(boxes, selected[s])) >= threshold) overlaps[0] = 1;
      }
      __syncthreads();
      const bool dropped = overlaps[0] != 0;
      if (!dropped) {
        if (threadIdx.x == 0) selected[count] = int32_t(box);
        ++count;
        if (!(overlapOf(candidate, candidate) >= threshold)) repeated = box + 1;
      }
      __syncthreads();
    }
    if (threadIdx.x == 0) {
      counts[0] = count;
      counts[1] = repeated;
    }
  });
}

Status runSelect(KernelContext& c) {
  WEFT_LET(const BoxSelection s, boxSelectionOf(c));
  CudaDevice& d = deviceOf(c);
  const int64_t n = s.boxes, most = std::min(n, s.limit);
  int64_t found[2] = {0, 0};
  Tensor memory;
  if (most > 0) {
    WEFT_LET(memory, scratch(d, size_t(n) * 2 * sizeof(uint32_t)));
    auto* keys = static_cast<uint32_t*>(memory.mutableRaw());
    auto* selected = reinterpret_cast<int32_t*>(keys + n);
    WEFT_LET(Tensor counts, scratch(d, 2 * sizeof(int64_t)));
    WEFT_TRY(makeKeys(d, input<float>(c, 1), s.least, n, keys));
    WEFT_LET(const SortedKeys sorted, sortKeys(d, keys, n, 32));
    WEFT_TRY(select(d, input<float>(c, 0), sorted.keys, sorted.order, n, s.limit, s.threshold, selected, static_cast<int64_t*>(counts.mutableRaw())));
    WEFT_LET(const Tensor known, d.toHost(counts));
    memcpy(found, known.raw(), sizeof found);
  }
  const int64_t count = found[0], repeated = found[1] - 1;
  WEFT_LET(Tensor * out, c.allocate(0, Shape{repeated >= 0 ? s.limit : count}));
  const int32_t* from = count > 0 ? reinterpret_cast<const int32_t*>(static_cast<const uint32_t*>(memory.raw()) + n) : nullptr;
  int32_t* to = mutableDataOf<int32_t>(*out);
  return forEach(d, out->elements(), [=] __device__(int64_t i) { to[i] = i < count ? from[i] : int32_t(repeated); });
}

}  // namespace

void registerBoxSelectionGpu(OpRegistry& ops) {
  addAny(ops, "NonMaxSuppressionV2", runSelect, {"iou_threshold", "max_output_size"}, {{"T", {DType::Float}}});
  addAny(ops, "NonMaxSuppressionV3", runSelect, {"iou_threshold", "max_output_size", "score_threshold"}, {{"T", {DType::Float}}});
}

}  // namespace weft::cuda
