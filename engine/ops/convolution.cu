#include <algorithm>
#include <map>
#include <vector>

#include "device/cuda/launch.cuh"
#include "graph/shape_context.h"

// Conv2D and its two gradients by cuDNN, for NHWC tensors and HWIO filters. cuDNN gets NCHW and OIHW copies. The copy of the input also adds SAME padding with
// unequal sides, which cuDNN does not support.
namespace weft::cuda {
namespace {

struct Geometry {
  int64_t batch, height, width, in, out;  // of the unpadded input, and channels
  int64_t filterHeight, filterWidth, outHeight, outWidth;
  int strideHeight, strideWidth, dilationHeight, dilationWidth;
  int64_t padTop, padBottom, padLeft, padRight;
  __host__ __device__ int64_t paddedHeight() const { return height + padTop + padBottom; }
  __host__ __device__ int64_t paddedWidth() const { return width + padLeft + padRight; }
};

/// NHWC -> NCHW with zero padding.
__global__ void toPlanes(const float* x, float* out, int64_t n, Geometry g, int64_t channels) {
  WEFT_GRID_STRIDE(i, n) {
    const int64_t w = i % g.paddedWidth(), h = i / g.paddedWidth() % g.paddedHeight(), c = i / g.paddedWidth() / g.paddedHeight() % channels;
    const int64_t b = i / g.paddedWidth() / g.paddedHeight() / channels, y = h - g.padTop, at = w - g.padLeft;
    out[i] = y < 0 || y >= g.height || at < 0 || at >= g.width ? 0 : x[((b * g.height + y) * g.width + at) * channels + c];
  }
}
/// NCHW -> NHWC, dropping the padding.
__global__ void fromPlanes(const float* x, float* out, int64_t n, Geometry g, int64_t channels) {
  WEFT_GRID_STRIDE(i, n) {
    const int64_t c = i % channels, w = i / channels % g.width, h = i / channels / g.width % g.height, b = i / channels / g.width / g.height;
    out[i] = x[((b * channels + c) * g.paddedHeight() + h + g.padTop) * g.paddedWidth() + w + g.padLeft];
  }
}
/// [a, b, c] -> [c, b, a], keeping the middle: HWIO (a = H·W, b = I, c = O) -> OIHW, and back.
__global__ void reverse3(const float* x, float* out, int64_t n, int64_t a, int64_t b, int64_t c) {
  WEFT_GRID_STRIDE(i, n) {
    const int64_t ia = i % a, ib = i / a % b, ic = i / a / b;
    out[i] = x[(ia * b + ib) * c + ic];
  }
}

Result<Geometry> geometryOf(KernelContext& c, const Shape& x, const Shape& filter) {
  const AttrMap& a = c.node().attrs;
  const auto strides = a.integers("strides");
  auto dilations = a.integers("dilations");
  if (dilations.empty()) dilations = {1, 1, 1, 1};
  if (a.text("data_format", "NHWC") != "NHWC" || x.rank() != 4 || filter.rank() != 4 || strides.size() != 4 || dilations.size() != 4) {
    return unimplemented(c.node().op, " on the GPU takes NHWC tensors and HWIO filters, got ", x.toString(), " and ", filter.toString());
  }
  if (x.dim(3) != filter.dim(2)) {
    return invalidArgument("input and filter must have the same depth: ", x.dim(3), " vs ", filter.dim(2));
  }
  Geometry g{};
  g.batch = x.dim(0), g.height = x.dim(1), g.width = x.dim(2), g.in = x.dim(3), g.out = filter.dim(3);
  g.filterHeight = filter.dim(0), g.filterWidth = filter.dim(1);
  g.strideHeight = int(strides[1]), g.strideWidth = int(strides[2]), g.dilationHeight = int(dilations[1]), g.dilationWidth = int(dilations[2]);
  const std::string padding = a.text("padding");
  const auto explicitPads = a.integers("explicit_paddings");
  if (padding == "EXPLICIT" && explicitPads.size() == 8) {
    g.padTop = explicitPads[2], g.padBottom = explicitPads[3], g.padLeft = explicitPads[4], g.padRight = explicitPads[5];
  }
  WEFT_LET(g.outHeight, shapes::windowOutput(g.height, g.filterHeight, g.dilationHeight, g.strideHeight, padding, g.padTop, g.padBottom));
  WEFT_LET(g.outWidth, shapes::windowOutput(g.width, g.filterWidth, g.dilationWidth, g.strideWidth, padding, g.padLeft, g.padRight));
  if (padding == "SAME") {
    const auto split = [](int64_t out, int64_t stride, int64_t window, int64_t in, int64_t& before, int64_t& after) {
      const int64_t total = std::max<int64_t>(0, (out - 1) * stride + window - in);
      before = total / 2;
      after = total - before;
    };
    split(g.outHeight, g.strideHeight, (g.filterHeight - 1) * g.dilationHeight + 1, g.height, g.padTop, g.padBottom);
    split(g.outWidth, g.strideWidth, (g.filterWidth - 1) * g.dilationWidth + 1, g.width, g.padLeft, g.padRight);
  }
  return g;
}

/// cuDNN's descriptors of one convolution.
struct Descriptors {
  cudnnTensorDescriptor_t x = nullptr, y = nullptr;
  cudnnFilterDescriptor_t filter = nullptr;
  cudnnConvolutionDescriptor_t conv = nullptr;
  Descriptors() = default;
  Descriptors(const Descriptors&) = delete;
  ~Descriptors() {
    if (x) cudnnDestroyTensorDescriptor(x);
    if (y) cudnnDestroyTensorDescriptor(y);
    if (filter) cudnnDestroyFilterDescriptor(filter);
    if (conv) cudnnDestroyConvolutionDescriptor(conv);
  }
  Status set(const Geometry& g) {
    WEFT_CUDA_TRY(cudnnCreateTensorDescriptor(&x));
    WEFT_CUDA_TRY(cudnnCreateTensorDescriptor(&y));
    WEFT_CUDA_TRY(cudnnCreateFilterDescriptor(&filter));
    WEFT_CUDA_TRY(cudnnCreateConvolutionDescriptor(&conv));
    WEFT_CUDA_TRY(cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, int(g.batch), int(g.in), int(g.paddedHeight()), int(g.paddedWidth())));
    WEFT_CUDA_TRY(cudnnSetTensor4dDescriptor(y, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, int(g.batch), int(g.out), int(g.outHeight), int(g.outWidth)));
    WEFT_CUDA_TRY(cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, int(g.out), int(g.in), int(g.filterHeight), int(g.filterWidth)));
    WEFT_CUDA_TRY(cudnnSetConvolution2dDescriptor(conv, 0, 0, g.strideHeight, g.strideWidth, g.dilationHeight, g.dilationWidth, CUDNN_CROSS_CORRELATION,
                                                  CUDNN_DATA_FLOAT));
    return {};
  }
};

/// The padded input in NCHW.
Result<Tensor> planesOf(CudaDevice& d, const Tensor& x, const Geometry& g) {
  const int64_t n = g.batch * g.in * g.paddedHeight() * g.paddedWidth();
  WEFT_LET(Tensor out, allocateTensor(d.allocator(), DType::Float, Shape{n}));
  WEFT_LAUNCH(d, n, toPlanes, x.data<float>(), out.mutableData<float>(), n, g, g.in);
  return out;
}
/// A tensor of the output's size in NCHW.
Result<Tensor> outputPlanesOf(CudaDevice& d, const Tensor& y, Geometry g) {
  g.height = g.outHeight, g.width = g.outWidth, g.padTop = g.padBottom = g.padLeft = g.padRight = 0;
  const int64_t n = g.batch * g.out * g.height * g.width;
  WEFT_LET(Tensor out, allocateTensor(d.allocator(), DType::Float, Shape{n}));
  WEFT_LAUNCH(d, n, toPlanes, y.data<float>(), out.mutableData<float>(), n, g, g.out);
  return out;
}
Result<Tensor> filterPlanesOf(CudaDevice& d, const Tensor& f, const Geometry& g) {
  const int64_t n = f.elements();
  WEFT_LET(Tensor out, allocateTensor(d.allocator(), DType::Float, Shape{n}));
  WEFT_LAUNCH(d, n, reverse3, f.data<float>(), out.mutableData<float>(), n, g.filterHeight * g.filterWidth, g.in, g.out);
  return out;
}

Result<Shape> shapeFrom(const Tensor& sizes) {
  if (sizes.rank() != 1 || sizes.dim(0) != 4) return invalidArgument("Sizes must be a vector of four numbers, got ", sizes.shape().toString());
  return Shape{sizes.asInt(0), sizes.asInt(1), sizes.asInt(2), sizes.asInt(3)};
}

Status runConv2D(KernelContext& c) {
  const Tensor &x = c.input(0), &filter = c.input(1);
  WEFT_LET(const Geometry g, geometryOf(c, x.shape(), filter.shape()));
  WEFT_LET(Tensor * out, c.allocate(0, Shape{g.batch, g.outHeight, g.outWidth, g.out}));
  const int64_t n = out->elements();
  if (n == 0) return {};
  CudaDevice& d = deviceOf(c);
  WEFT_LET(Tensor planes, planesOf(d, x, g));
  WEFT_LET(Tensor weights, filterPlanesOf(d, filter, g));
  WEFT_LET(Tensor result, allocateTensor(d.allocator(), DType::Float, Shape{n}));
  Descriptors t;
  WEFT_TRY(t.set(g));
  {
    const MutexLock lock(d.mutex());
    int found = 0;
    cudnnConvolutionFwdAlgoPerf_t best;
    WEFT_CUDA_TRY(cudnnGetConvolutionForwardAlgorithm_v7(d.dnn(), t.x, t.filter, t.conv, t.y, 1, &found, &best));
    if (found == 0) return internalError("cuDNN has no algorithm for this convolution");
    size_t bytes = 0;
    WEFT_CUDA_TRY(cudnnGetConvolutionForwardWorkspaceSize(d.dnn(), t.x, t.filter, t.conv, t.y, best.algo, &bytes));
    WEFT_LET(Tensor workspace, scratch(d, bytes));
    const float one = 1, zero = 0;
    WEFT_CUDA_TRY(cudnnConvolutionForward(d.dnn(), &one, t.x, planes.raw(), t.filter, weights.raw(), t.conv, best.algo, workspace.mutableRaw(), bytes, &zero,
                                          t.y, result.mutableRaw()));
  }
  Geometry whole = g;
  whole.height = g.outHeight, whole.width = g.outWidth, whole.padTop = whole.padBottom = whole.padLeft = whole.padRight = 0;
  WEFT_LAUNCH(d, n, fromPlanes, result.data<float>(), out->mutableData<float>(), n, whole, g.out);
  return {};
}

/// Inputs: the input's sizes (on the host), the filter, the output's gradient.
Status runBackpropInput(KernelContext& c) {
  WEFT_LET(const Shape shape, shapeFrom(c.input(0)));
  const Tensor &filter = c.input(1), &dy = c.input(2);
  WEFT_LET(const Geometry g, geometryOf(c, shape, filter.shape()));
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  const int64_t n = out->elements();
  if (n == 0) return {};
  CudaDevice& d = deviceOf(c);
  WEFT_LET(Tensor weights, filterPlanesOf(d, filter, g));
  WEFT_LET(Tensor gradient, outputPlanesOf(d, dy, g));
  WEFT_LET(Tensor result, allocateTensor(d.allocator(), DType::Float, Shape{g.batch * g.in * g.paddedHeight() * g.paddedWidth()}));
  Descriptors t;
  WEFT_TRY(t.set(g));
  {
    const MutexLock lock(d.mutex());
    int found = 0;
    cudnnConvolutionBwdDataAlgoPerf_t best;
    WEFT_CUDA_TRY(cudnnGetConvolutionBackwardDataAlgorithm_v7(d.dnn(), t.filter, t.y, t.conv, t.x, 1, &found, &best));
    if (found == 0) return internalError("cuDNN has no algorithm for this gradient");
    size_t bytes = 0;
    WEFT_CUDA_TRY(cudnnGetConvolutionBackwardDataWorkspaceSize(d.dnn(), t.filter, t.y, t.conv, t.x, best.algo, &bytes));
    WEFT_LET(Tensor workspace, scratch(d, bytes));
    const float one = 1, zero = 0;
    WEFT_CUDA_TRY(cudnnConvolutionBackwardData(d.dnn(), &one, t.filter, weights.raw(), t.y, gradient.raw(), t.conv, best.algo, workspace.mutableRaw(), bytes,
                                               &zero, t.x, result.mutableRaw()));
  }
  WEFT_LAUNCH(d, n, fromPlanes, result.data<float>(), out->mutableData<float>(), n, g, g.in);
  return {};
}

/// Inputs: the input, the filter's sizes (on the host), the output's gradient.
Status runBackpropFilter(KernelContext& c) {
  const Tensor &x = c.input(0), &dy = c.input(2);
  WEFT_LET(const Shape shape, shapeFrom(c.input(1)));
  WEFT_LET(const Geometry g, geometryOf(c, x.shape(), shape));
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  const int64_t n = out->elements();
  if (n == 0) return {};
  CudaDevice& d = deviceOf(c);
  WEFT_LET(Tensor planes, planesOf(d, x, g));
  WEFT_LET(Tensor gradient, outputPlanesOf(d, dy, g));
  WEFT_LET(Tensor result, allocateTensor(d.allocator(), DType::Float, Shape{n}));
  Descriptors t;
  WEFT_TRY(t.set(g));
  {
    const MutexLock lock(d.mutex());
    int found = 0;
    cudnnConvolutionBwdFilterAlgoPerf_t best;
    WEFT_CUDA_TRY(cudnnGetConvolutionBackwardFilterAlgorithm_v7(d.dnn(), t.x, t.y, t.conv, t.filter, 1, &found, &best));
    if (found == 0) return internalError("cuDNN has no algorithm for this gradient");
    size_t bytes = 0;
    WEFT_CUDA_TRY(cudnnGetConvolutionBackwardFilterWorkspaceSize(d.dnn(), t.x, t.y, t.conv, t.filter, best.algo, &bytes));
    WEFT_LET(Tensor workspace, scratch(d, bytes));
    const float one = 1, zero = 0;
    WEFT_CUDA_TRY(cudnnConvolutionBackwardFilter(d.dnn(), &one, t.x, planes.raw(), t.y, gradient.raw(), t.conv, best.algo, workspace.mutableRaw(), bytes, &zero,
                                                 t.filter, result.mutableRaw()));
  }
  // OIHW -> HWIO.
  WEFT_LAUNCH(d, n, reverse3, result.data<float>(), out->mutableData<float>(), n, g.out, g.in, g.filterHeight * g.filterWidth);
  return {};
}

}  // namespace

void registerConvolutionGpu(OpRegistry& ops) {
  addFloat(ops, "Conv2D", runConv2D);
  addFloat(ops, "Conv2DBackpropInput", runBackpropInput, {"input_sizes"});
  addFloat(ops, "Conv2DBackpropFilter", runBackpropFilter, {"filter_sizes"});
}

}  // namespace weft::cuda
