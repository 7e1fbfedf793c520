#include "device/cuda/convolution_plan.h"

#include <algorithm>
#include <vector>

namespace weft::cuda {

ConvolutionAxis ConvolutionAxis::of(int64_t size, int64_t window, int64_t out, int64_t stride, int64_t dilation, int64_t before) {
  ConvolutionAxis a{.size = size, .window = window, .out = out, .stride = stride, .dilation = dilation};
  const int64_t reach = (window - 1) * dilation + 1, after = std::max<int64_t>(0, (out - 1) * stride + reach - size - before);
  if ((size + 2 * before - reach) / stride + 1 == out) {
    a.pad = before;
    return a;
  }
  a.pad = std::min(before, after);
  a.extraBefore = before - a.pad;
  a.extraAfter = after - a.pad;
  return a;
}

Status ConvolutionShape::check() const {
  int64_t inPlaces = 1, outPlaces = 1;
  for (const ConvolutionAxis& a : axes) {
    inPlaces *= a.padded();
    outPlaces *= a.out;
  }
  for (const int64_t elements : {batch * in * inPlaces, batch * out * outPlaces, in * out * window()}) {
    if (elements > INT32_MAX) return unimplemented("cuDNN convolves tensors of up to ", INT32_MAX, " elements, got ", elements);
  }
  return {};
}

namespace {

using cpu::ConvDirection;

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
  Status set(const ConvolutionShape& g, cudnnDataType_t type);
};

Status setPlanes(cudnnTensorDescriptor_t t, cudnnDataType_t type, const std::vector<int>& dims) {
  std::vector<int> strides(dims.size(), 1);
  for (size_t i = dims.size() - 1; i > 0; --i) strides[i - 1] = strides[i] * dims[i];
  WEFT_CUDA_TRY(cudnnSetTensorNdDescriptor(t, type, int(dims.size()), dims.data(), strides.data()));
  return {};
}

Status Descriptors::set(const ConvolutionShape& g, cudnnDataType_t type) {
  std::vector<int> ofX{int(g.batch), int(g.in)}, ofY{int(g.batch), int(g.out)}, ofFilter{int(g.out), int(g.in)}, pads, strides, dilations;
  for (int i = 3 - g.dims; i < 3; ++i) {
    const ConvolutionAxis& a = g.axes[i];
    ofX.push_back(int(a.padded()));
    ofY.push_back(int(a.out));
    ofFilter.push_back(int(a.window));
    pads.push_back(int(a.pad));
    strides.push_back(int(a.stride));
    dilations.push_back(int(a.dilation));
  }
  WEFT_CUDA_TRY(cudnnCreateTensorDescriptor(&x));
  WEFT_CUDA_TRY(cudnnCreateTensorDescriptor(&y));
  WEFT_CUDA_TRY(cudnnCreateFilterDescriptor(&filter));
  WEFT_CUDA_TRY(cudnnCreateConvolutionDescriptor(&conv));
  WEFT_TRY(setPlanes(x, type, ofX));
  WEFT_TRY(setPlanes(y, type, ofY));
  WEFT_CUDA_TRY(cudnnSetFilterNdDescriptor(filter, type, CUDNN_TENSOR_NCHW, int(ofFilter.size()), ofFilter.data()));
  WEFT_CUDA_TRY(cudnnSetConvolutionNdDescriptor(conv, g.dims, pads.data(), strides.data(), dilations.data(), CUDNN_CROSS_CORRELATION,
                                                type == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT));
  // Floats are multiplied as floats: by default, cuDNN would round them to 10 bits.
  WEFT_CUDA_TRY(cudnnSetConvolutionMathType(conv, type == CUDNN_DATA_HALF ? CUDNN_TENSOR_OP_MATH : CUDNN_FMA_MATH));
  return {};
}

/// The first algorithm of cuDNN's list, which is sorted by time, that works and is deterministic.
template <typename Perf, typename List>
Result<int> firstDeterministic(List list) {
  constexpr int kMost = 8;
  Perf found[kMost];
  int count = 0;
  WEFT_CUDA_TRY(list(kMost, &count, found));
  for (int i = 0; i < count; ++i) {
    if (found[i].status == CUDNN_STATUS_SUCCESS && found[i].determinism == CUDNN_DETERMINISTIC) return int(found[i].algo);
  }
  return internalError("cuDNN has no algorithm for this convolution");
}

Result<ConvolutionChoice> choose(cudnnHandle_t h, const Descriptors& t, ConvDirection direction) {
  ConvolutionChoice choice;
  switch (direction) {
    case ConvDirection::Output: {
      WEFT_LET(choice.algorithm, firstDeterministic<cudnnConvolutionFwdAlgoPerf_t>([&](int most, int* count, cudnnConvolutionFwdAlgoPerf_t* found) { return cudnnGetConvolutionForwardAlgorithm_v7(h, t.x, t.filter, t.conv, t.y, most, count, found);
               }));
      WEFT_CUDA_TRY(cudnnGetConvolutionForwardWorkspaceSize(h, t.x, t.filter, t.conv, t.y, cudnnConvolutionFwdAlgo_t(choice.algorithm), &choice.workspace));
      break;
    }
    case ConvDirection::Input: {
      WEFT_LET(choice.algorithm, firstDeterministic<cudnnConvolutionBwdDataAlgoPerf_t>([&](int most, int* count, cudnnConvolutionBwdDataAlgoPerf_t* found) { return cudnnGetConvolutionBackwardDataAlgorithm_v7(h, t.filter, t.y, t.conv, t.x, most, count, found);
               }));
      WEFT_CUDA_TRY(
          cudnnGetConvolutionBackwardDataWorkspaceSize(h, t.filter, t.y, t.conv, t.x, cudnnConvolutionBwdDataAlgo_t(choice.algorithm), &choice.workspace));
      break;
    }
    case ConvDirection::Filter: {
      WEFT_LET(choice.algorithm, firstDeterministic<cudnnConvolutionBwdFilterAlgoPerf_t>([&](int most, int* count, cudnnConvolutionBwdFilterAlgoPerf_t* found) { return cudnnGetConvolutionBackwardFilterAlgorithm_v7(h, t.x, t.y, t.conv, t.filter, most, count, found);
               }));
      WEFT_CUDA_TRY(
          cudnnGetConvolutionBackwardFilterWorkspaceSize(h, t.x, t.y, t.conv, t.filter, cudnnConvolutionBwdFilterAlgo_t(choice.algorithm), &choice.workspace));
      break;
    }
  }
  return choice;
}

std::vector<int64_t> keyOf(ConvDirection direction, const ConvolutionShape& g, cudnnDataType_t type) {
  std::vector<int64_t> key{int64_t(direction), int64_t(type), g.dims, g.batch, g.in, g.out};
  for (const ConvolutionAxis& a : g.axes) key.insert(key.end(), {a.padded(), a.window, a.out, a.stride, a.dilation, a.pad});
  return key;
}

}  // namespace

Status runConvolution(CudaDevice& d, ConvDirection direction, const ConvolutionShape& g, cudnnDataType_t type, void* x, void* filter, void* y) {
  Descriptors t;
  WEFT_TRY(t.set(g, type));
  const MutexLock lock(d.mutex());
  auto& choices = d.convolutionChoices();
  const std::vector<int64_t> key = keyOf(direction, g, type);
  auto known = choices.find(key);
  if (known == choices.end()) {
    WEFT_LET(const ConvolutionChoice choice, choose(d.dnn(), t, direction));
    known = choices.emplace(key, choice).first;
  }
  const auto [algorithm, bytes] = known->second;
  WEFT_LET(Tensor workspace, scratch(d, bytes));
  void* const room = workspace.mutableRaw();
  const float one = 1, zero = 0;
  const double wideOne = 1, wideZero = 0;
  const bool wide = type == CUDNN_DATA_DOUBLE;
  const void *alpha = wide ? static_cast<const void*>(&wideOne) : &one, *beta = wide ? static_cast<const void*>(&wideZero) : &zero;
  switch (direction) {
    case ConvDirection::Output:
      return check(cudnnConvolutionForward(d.dnn(), alpha, t.x, x, t.filter, filter, t.conv, cudnnConvolutionFwdAlgo_t(algorithm), room, bytes, beta, t.y, y),
                   "cudnnConvolutionForward");
    case ConvDirection::Input:
      return check(
          cudnnConvolutionBackwardData(d.dnn(), alpha, t.filter, filter, t.y, y, t.conv, cudnnConvolutionBwdDataAlgo_t(algorithm), room, bytes, beta, t.x, x),
          "cudnnConvolutionBackwardData");
    case ConvDirection::Filter:
      return check(cudnnConvolutionBackwardFilter(d.dnn(), alpha, t.x, x, t.y, y, t.conv, cudnnConvolutionBwdFilterAlgo_t(algorithm), room, bytes, beta,
                                                  t.filter, filter),
                   "cudnnConvolutionBackwardFilter");
  }
  return {};
}

}  // namespace weft::cuda
