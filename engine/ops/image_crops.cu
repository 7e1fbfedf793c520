#include "device/cuda/row_groups.cuh"
#include "ops/crop_place.h"

// Boxes of images: crop and resize, and its gradients.
namespace weft::cuda {
namespace {

/// A slot for boxes whose picture does not exist.
Result<ErrorSlot> slotFor(KernelContext& c, const Tensor& index) {
  return deviceOf(c).errorSlot(c, index, [](int64_t, const Tensor&) { return outsideBatch(); });
}

template <typename T>
Status runCrop(KernelContext& c) {
  WEFT_LET(const CropShape s, cropShapeOf(c));
  WEFT_LET(Tensor * out, c.allocate(0, s.out));
  if (out->elements() == 0) return {};
  WEFT_LET(const ErrorSlot wrong, slotFor(c, c.input(2)));
  const bool isNearest = c.node().attrs.text("method") == "nearest";
  const float outside = c.node().attrs.number("extrapolation_value");
  const T* image = input<T>(c, 0);
  const float* boxes = input<float>(c, 1);
  const int32_t* index = input<int32_t>(c, 2);
  float* to = mutableDataOf<float>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) {
    const int64_t k = i % s.depth, pixel = i / s.depth, x = pixel % s.columns, row = pixel / s.columns, y = row % s.rows, b = row / s.rows;
    if (index[b] < 0 || index[b] >= s.batch) return wrong.report(b);
    const float* box = boxes + 4 * b;
    const CropPlace v = cropPlace(box[0], box[2], y, s.rows, s.height), h = cropPlace(box[1], box[3], x, s.columns, s.width);
    const T* picture = image + int64_t(index[b]) * s.height * s.width * s.depth + k;
    if (!v.inside || !h.inside) {
      to[i] = outside;
    } else if (isNearest) {
      to[i] = float(picture[(int64_t(roundf(v.at)) * s.width + int64_t(roundf(h.at))) * s.depth]);
    } else {
      const int64_t top = int64_t(floorf(v.at)), bottom = int64_t(ceilf(v.at)), left = int64_t(floorf(h.at)), right = int64_t(ceilf(h.at));
      const float py = v.at - float(top), px = h.at - float(left);
      const T *high = picture + top * s.width * s.depth, *low = picture + bottom * s.width * s.depth;
      const float tl = float(high[left * s.depth]), tr = float(high[right * s.depth]), bl = float(low[left * s.depth]), br = float(low[right * s.depth]);
      const float upper = tl + (tr - tl) * px, lower = bl + (br - bl) * px;
      to[i] = upper + (lower - upper) * py;
    }
  });
}

/// What a corner of a crop's pixel adds to the image.
template <typename T>
struct Weighted {
  const float *grads, *weights;
  int64_t depth, corners;
  __device__ T operator()(int64_t i, int64_t k) const { return T(grads[i / corners * depth + k] * weights[i]); }
};
struct Sum {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return T(Wide<T>(a) + Wide<T>(b));
  }
};

template <typename T>
Status runGradImage(KernelContext& c) {
  WEFT_LET(const CropShape s, cropGradImageShapeOf(c));
  WEFT_LET(Tensor * out, c.allocate(0, s.out));
  if (out->elements() == 0) return {};
  CudaDevice& d = deviceOf(c);
  WEFT_CUDA_TRY(cudaMemsetAsync(out->mutableRaw(), 0, out->bytes(), d.stream()));
  const int64_t pixels = s.boxes * s.rows * s.columns;
  if (pixels == 0) return {};
  WEFT_LET(const ErrorSlot wrong, slotFor(c, c.input(2)));
  const bool isNearest = c.node().attrs.text("method") == "nearest";
  const int corners = isNearest ? 1 : 4;
  const float* boxes = input<float>(c, 1);
  const int32_t* index = input<int32_t>(c, 2);
  const int64_t places = s.batch * s.height * s.width;
  WEFT_LET(const Places found, placesFor(d, pixels * corners, places));
  WEFT_LET(Tensor memory, scratch(d, size_t(pixels * corners) * sizeof(float)));
  auto* weights = static_cast<float*>(memory.mutableRaw());
  uint32_t* at = found.at;
  WEFT_TRY(forEach(d, pixels, [=] __device__(int64_t p) {
    const int64_t x = p % s.columns, row = p / s.columns, y = row % s.rows, b = row / s.rows;
    const float* box = boxes + 4 * b;
    const CropPlace v = cropPlace(box[0], box[2], y, s.rows, s.height), h = cropPlace(box[1], box[3], x, s.columns, s.width);
    const bool known = index[b] >= 0 && index[b] < s.batch;
    if (!known) wrong.report(b);
    uint32_t* place = at + p * corners;
    float* weight = weights + p * corners;
    if (!known || !v.inside || !h.inside) {
      for (int k = 0; k < corners; ++k) {
        place[k] = kNowhere;
        weight[k] = 0;
      }
      return;
    }
    const int64_t first = int64_t(index[b]) * s.height;
    if (isNearest) {
      place[0] = uint32_t((first + int64_t(roundf(v.at))) * s.width + int64_t(roundf(h.at)));
      weight[0] = 1;
      return;
    }
    const int64_t top = int64_t(floorf(v.at)), bottom = int64_t(ceilf(v.at)), left = int64_t(floorf(h.at)), right = int64_t(ceilf(h.at));
    const float py = v.at - float(top), px = h.at - float(left);
    place[0] = uint32_t((first + top) * s.width + left);
    place[1] = uint32_t((first + top) * s.width + right);
    place[2] = uint32_t((first + bottom) * s.width + left);
    place[3] = uint32_t((first + bottom) * s.width + right);
    weight[0] = (1 - py) * (1 - px);
    weight[1] = (1 - py) * px;
    weight[2] = py * (1 - px);
    weight[3] = py * px;
  }));
  return joinRows(d, at, pixels * corners, places, s.depth, s.depth, mutableDataOf<T>(*out), Weighted<T>{input<float>(c, 0), weights, s.depth, corners}, Sum());
}

struct Sides {
  double side[4];
};
struct SumOfSides {
  __device__ Sides operator()(Sides a, const Sides& b) const {
    for (int k = 0; k < 4; ++k) a.side[k] += b.side[k];
    return a;
  }
};

/// One block per box. Sums are in double, in an order of their own.
template <typename T>
Status runGradBoxes(KernelContext& c) {
  WEFT_LET(const CropShape s, cropGradBoxesShapeOf(c));
  WEFT_LET(Tensor * out, c.allocate(0, s.out));
  if (out->elements() == 0) return {};
  WEFT_LET(const ErrorSlot wrong, slotFor(c, c.input(3)));
  const float *grads = input<float>(c, 0), *boxes = input<float>(c, 2);
  const T* image = input<T>(c, 1);
  const int32_t* index = input<int32_t>(c, 3);
  float* to = mutableDataOf<float>(*out);
  const float perRow = s.rows > 1 ? float(s.height - 1) / float(s.rows - 1) : 0, perColumn = s.columns > 1 ? float(s.width - 1) / float(s.columns - 1) : 0;
  return forEachBlock(deviceOf(c), s.boxes, [=] __device__(int64_t b) {
    WEFT_SHARED(Sides, part, kThreads);
    const bool known = index[b] >= 0 && index[b] < s.batch;
    if (!known) wrong.report(b);
    const float* box = boxes + 4 * b;
    const float bottomMost = float(s.height - 1), rightMost = float(s.width - 1);
    Sides sum{};
    for (int64_t p = threadIdx.x; known && p < s.rows * s.columns; p += kThreads) {
      const int64_t y = p / s.columns, x = p % s.columns;
      const CropPlace v = cropPlace(box[0], box[2], y, s.rows, s.height), h = cropPlace(box[1], box[3], x, s.columns, s.width);
      if (!v.inside || !h.inside) continue;
      const int64_t top = int64_t(floorf(v.at)), bottom = int64_t(ceilf(v.at)), left = int64_t(floorf(h.at)), right = int64_t(ceilf(h.at));
      const float py = v.at - float(top), px = h.at - float(left);
      const T* picture = image + int64_t(index[b]) * s.height * s.width * s.depth;
      for (int64_t k = 0; k < s.depth; ++k) {
        const T *high = picture + top * s.width * s.depth + k, *low = picture + bottom * s.width * s.depth + k;
        const float tl = float(high[left * s.depth]), tr = float(high[right * s.depth]), bl = float(low[left * s.depth]), br = float(low[right * s.depth]);
        const float g = grads[((b * s.rows + y) * s.columns + x) * s.depth + k];
        const float dy = g * ((1 - px) * (bl - tl) + px * (br - tr)), dx = g * ((1 - py) * (tr - tl) + py * (br - bl));
        sum.side[0] += s.rows > 1 ? dy * (bottomMost - float(y) * perRow) : dy * 0.5f * bottomMost;
        sum.side[2] += s.rows > 1 ? dy * float(y) * perRow : dy * 0.5f * bottomMost;
        sum.side[1] += s.columns > 1 ? dx * (rightMost - float(x) * perColumn) : dx * 0.5f * rightMost;
        sum.side[3] += s.columns > 1 ? dx * float(x) * perColumn : dx * 0.5f * rightMost;
      }
    }
    sum = acrossBlock(sum, SumOfSides(), part);
    if (threadIdx.x < 4) to[4 * b + threadIdx.x] = float(sum.side[threadIdx.x]);
  });
}

}  // namespace

void registerImageCropsGpu(OpRegistry& ops) {
  addFor<Half, float, double>(ops, "CropAndResize", []<typename T>(KernelContext& c) { return runCrop<T>(c); }, {"crop_size"});
  addFor<Half, float, double>(ops, "CropAndResizeGradImage", []<typename T>(KernelContext& c) { return runGradImage<T>(c); }, {"image_size"});
  addFor<Half, float, double>(ops, "CropAndResizeGradBoxes", []<typename T>(KernelContext& c) { return runGradBoxes<T>(c); });
}

}  // namespace weft::cuda
