#include <cfloat>

#include "device/cuda/launch.cuh"
#include "graph/shape_context.h"

// MaxPool over height and width, channels last. The gradient goes to the first maximum of each window. It is gathered per input element, so it needs no atomic
// additions and is the same in every run.
namespace weft::cuda {
namespace {

struct Window {
  int64_t batch, height, width, channels, outHeight, outWidth;
  int windowHeight, windowWidth, strideHeight, strideWidth, padTop, padLeft;
};

__device__ int64_t firstMaximum(const float* x, const Window& w, int64_t b, int64_t oy, int64_t ox, int64_t channel, float* value) {
  int64_t best = -1;
  float largest = -FLT_MAX;
  for (int dy = 0; dy < w.windowHeight; ++dy) {
    const int64_t y = oy * w.strideHeight - w.padTop + dy;
    if (y < 0 || y >= w.height) continue;
    for (int dx = 0; dx < w.windowWidth; ++dx) {
      const int64_t at = ox * w.strideWidth - w.padLeft + dx;
      if (at < 0 || at >= w.width) continue;
      const int64_t i = ((b * w.height + y) * w.width + at) * w.channels + channel;
      if (best < 0 || x[i] > largest) {
        largest = x[i];
        best = i;
      }
    }
  }
  *value = largest;
  return best;
}

__global__ void maxPool(const float* x, float* out, int64_t n, Window w) {
  WEFT_GRID_STRIDE(i, n) {
    const int64_t channel = i % w.channels, ox = i / w.channels % w.outWidth, oy = i / w.channels / w.outWidth % w.outHeight;
    float value;
    firstMaximum(x, w, i / w.channels / w.outWidth / w.outHeight, oy, ox, channel, &value);
    out[i] = value;
  }
}

__global__ void maxPoolGradient(const float* x, const float* dy, float* dx, int64_t n, Window w) {
  WEFT_GRID_STRIDE(i, n) {
    const int64_t channel = i % w.channels, column = i / w.channels % w.width, row = i / w.channels / w.width % w.height;
    const int64_t b = i / w.channels / w.width / w.height;
    const int64_t top = row + w.padTop, left = column + w.padLeft;
    const int64_t firstY = top < w.windowHeight ? 0 : (top - w.windowHeight) / w.strideHeight + 1;
    const int64_t firstX = left < w.windowWidth ? 0 : (left - w.windowWidth) / w.strideWidth + 1;
    const int64_t lastY = min(top / w.strideHeight, w.outHeight - 1), lastX = min(left / w.strideWidth, w.outWidth - 1);
    float sum = 0;
    for (int64_t oy = firstY; oy <= lastY; ++oy) {
      for (int64_t ox = firstX; ox <= lastX; ++ox) {
        float ignored;
        if (firstMaximum(x, w, b, oy, ox, channel, &ignored) == i) sum += dy[((b * w.outHeight + oy) * w.outWidth + ox) * w.channels + channel];
      }
    }
    dx[i] = sum;
  }
}

Result<Window> windowOf(KernelContext& c, const Tensor& x) {
  const AttrMap& a = c.node().attrs;
  const auto size = a.integers("ksize"), stride = a.integers("strides");
  if (a.text("data_format", "NHWC") != "NHWC" || x.rank() != 4 || size.size() != 4 || stride.size() != 4 || size[0] != 1 || size[3] != 1 || stride[0] != 1 ||
      stride[3] != 1) {
    return unimplemented(c.node().op, " on the GPU pools over height and width of NHWC tensors, got ", x.shape().toString());
  }
  Window w{};
  w.batch = x.dim(0), w.height = x.dim(1), w.width = x.dim(2), w.channels = x.dim(3);
  w.windowHeight = int(size[1]), w.windowWidth = int(size[2]), w.strideHeight = int(stride[1]), w.strideWidth = int(stride[2]);
  const std::string padding = a.text("padding");
  WEFT_LET(w.outHeight, shapes::windowOutput(w.height, w.windowHeight, 1, w.strideHeight, padding));
  WEFT_LET(w.outWidth, shapes::windowOutput(w.width, w.windowWidth, 1, w.strideWidth, padding));
  if (padding == "SAME") {
    w.padTop = int(std::max<int64_t>(0, (w.outHeight - 1) * w.strideHeight + w.windowHeight - w.height) / 2);
    w.padLeft = int(std::max<int64_t>(0, (w.outWidth - 1) * w.strideWidth + w.windowWidth - w.width) / 2);
  }
  return w;
}

Status runMaxPool(KernelContext& c) {
  const Tensor& x = c.input(0);
  WEFT_LET(const Window w, windowOf(c, x));
  WEFT_LET(Tensor * out, c.allocate(0, Shape{w.batch, w.outHeight, w.outWidth, w.channels}));
  const int64_t n = out->elements();
  WEFT_LAUNCH(deviceOf(c), n, maxPool, x.data<float>(), out->mutableData<float>(), n, w);
  return {};
}

/// Inputs: the pool's input, its output (not needed), the output's gradient.
Status runMaxPoolGrad(KernelContext& c) {
  const Tensor &x = c.input(0), &dy = c.input(2);
  WEFT_LET(const Window w, windowOf(c, x));
  const Shape expected{w.batch, w.outHeight, w.outWidth, w.channels};
  if (!(dy.shape() == expected)) return invalidArgument("Expected grad shape to be ", expected.toString(), ", but got ", dy.shape().toString());
  WEFT_LET(Tensor * out, c.allocate(0, x.shape()));
  const int64_t n = x.elements();
  WEFT_LAUNCH(deviceOf(c), n, maxPoolGradient, x.data<float>(), dy.data<float>(), out->mutableData<float>(), n, w);
  return {};
}

}  // namespace

void registerPoolingGpu(OpRegistry& ops) {
  addFloat(ops, "MaxPool", runMaxPool);
  addFloat(ops, "MaxPoolGrad", runMaxPoolGrad);
}

}  // namespace weft::cuda
