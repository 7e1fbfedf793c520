#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <vector>

#include "cudnn.h"
#include "device/cuda/host/machine.h"

// cuDNN's convolutions as matrix products over gathered windows. Tensors are NCHW, or NCDHW, and filters OIHW, without gaps.
struct WeftHostDnn {
  cudaStream_t stream = nullptr;
};
struct WeftHostArray {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  std::vector<int> dims;
};
struct WeftHostConvolution {
  std::vector<int> pads, strides, dilations;
};

namespace {

constexpr int kMostDims = 3;
constexpr size_t kWorkspace = 256;  // not used; so that callers pass one

/// One convolution with its windows: spatial dims are aligned to the right, those in front have size 1.
struct Geometry {
  int batch, in, out;
  std::array<int, kMostDims> x, w, y, pad, stride, dilation;
  int64_t spotsX() const { return int64_t(x[0]) * x[1] * x[2]; }
  int64_t spotsW() const { return int64_t(w[0]) * w[1] * w[2]; }
  int64_t spotsY() const { return int64_t(y[0]) * y[1] * y[2]; }
};

cudnnStatus_t geometryOf(const WeftHostArray& x, const WeftHostArray& w, const WeftHostConvolution& c, const WeftHostArray& y, Geometry& g) {
  const size_t rank = x.dims.size(), dims = rank - 2;
  if (rank < 4 || rank > 5 || w.dims.size() != rank || y.dims.size() != rank || c.pads.size() != dims) return CUDNN_STATUS_BAD_PARAM;
  if (x.type != w.type || x.type != y.type || x.dims[1] != w.dims[1] || y.dims[1] != w.dims[0] || x.dims[0] != y.dims[0]) return CUDNN_STATUS_BAD_PARAM;
  g = {};
  g.batch = x.dims[0], g.in = x.dims[1], g.out = y.dims[1];
  g.x = g.w = g.y = g.stride = g.dilation = {1, 1, 1};
  for (size_t d = 0; d < dims; ++d) {
    const size_t to = kMostDims - dims + d;
    g.x[to] = x.dims[d + 2], g.w[to] = w.dims[d + 2], g.y[to] = y.dims[d + 2];
    g.pad[to] = c.pads[d], g.stride[to] = c.strides[d], g.dilation[to] = c.dilations[d];
    if (g.y[to] != 1 + (g.x[to] + 2 * g.pad[to] - ((g.w[to] - 1) * g.dilation[to] + 1)) / g.stride[to]) return CUDNN_STATUS_BAD_PARAM;
  }
  return CUDNN_STATUS_SUCCESS;
}

template <typename T>
using Rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Calls f(row of the window matrix, column, index in the image or -1) for one image; rows are (channel, place in the filter), columns places of the output.
template <typename F>
void forWindows(const Geometry& g, F f) {
  int64_t row = 0;
  for (int c = 0; c < g.in; ++c) {
    for (int w = 0; w < g.spotsW(); ++w, ++row) {
      const std::array<int, 3> tap{w / (g.w[1] * g.w[2]), w / g.w[2] % g.w[1], w % g.w[2]};
      for (int s = 0; s < g.spotsY(); ++s) {
        const std::array<int, 3> at{s / (g.y[1] * g.y[2]), s / g.y[2] % g.y[1], s % g.y[2]};
        int64_t index = c;
        for (size_t d = 0; d < 3; ++d) {
          const int place = at[d] * g.stride[d] - g.pad[d] + tap[d] * g.dilation[d];
          index = index < 0 || place < 0 || place >= g.x[d] ? -1 : index * g.x[d] + place;
        }
        f(row, int64_t(s), index);
      }
    }
  }
}

template <typename T>
using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;

template <typename T>
Rows<Wide<T>> windowsOf(const Geometry& g, const T* image) {
  Rows<Wide<T>> out(g.in * g.spotsW(), g.spotsY());
  forWindows(g, [&](int64_t row, int64_t column, int64_t index) { out(row, column) = index < 0 ? Wide<T>(0) : Wide<T>(image[index]); });
  return out;
}
template <typename T>
Rows<Wide<T>> matrixOf(const T* data, int64_t rows, int64_t columns) {
  return Eigen::Map<const Rows<T>>(data, rows, columns).template cast<Wide<T>>();
}
template <typename T>
void store(const Rows<Wide<T>>& from, T* to, Wide<T> beta) {
  Eigen::Map<Rows<T>> out(to, from.rows(), from.cols());
  if (beta == 0) out = from.template cast<T>();
  else out = (from + beta * out.template cast<Wide<T>>()).template cast<T>();
}

template <typename T>
void forward(const Geometry& g, const T* x, const T* w, T* y, Wide<T> alpha, Wide<T> beta) {
  const auto filter = matrixOf(w, g.out, g.in * g.spotsW());
  for (int b = 0; b < g.batch; ++b) {
    store<T>(alpha * (filter * windowsOf(g, x + b * g.in * g.spotsX())), y + b * g.out * g.spotsY(), beta);
  }
}

template <typename T>
void backwardData(const Geometry& g, const T* w, const T* dy, T* dx, Wide<T> alpha, Wide<T> beta) {
  const auto filter = matrixOf(w, g.out, g.in * g.spotsW());
  for (int b = 0; b < g.batch; ++b) {
    const Rows<Wide<T>> windows = filter.transpose() * matrixOf(dy + b * g.out * g.spotsY(), g.out, g.spotsY());
    Rows<Wide<T>> image = Rows<Wide<T>>::Zero(g.in, g.spotsX());
    forWindows(g, [&](int64_t row, int64_t column, int64_t index) {
      if (index >= 0) image.data()[index] += windows(row, column);
    });
    store<T>(alpha * image, dx + b * g.in * g.spotsX(), beta);
  }
}

template <typename T>
void backwardFilter(const Geometry& g, const T* x, const T* dy, T* dw, Wide<T> alpha, Wide<T> beta) {
  Rows<Wide<T>> sum = Rows<Wide<T>>::Zero(g.out, g.in * g.spotsW());
  for (int b = 0; b < g.batch; ++b) {
    sum += matrixOf(dy + b * g.out * g.spotsY(), g.out, g.spotsY()) * windowsOf(g, x + b * g.in * g.spotsX()).transpose();
  }
  store<T>(alpha * sum, dw, beta);
}

/// Queues f<T>(alpha, beta) for the element type; alpha and beta are doubles for doubles and floats otherwise.
template <typename F>
cudnnStatus_t queued(cudnnHandle_t handle, const char* name, cudnnDataType_t type, const void* alpha, const void* beta, F f) {
  std::function<void()> work;
  if (type == CUDNN_DATA_DOUBLE) {
    work = [f, a = *static_cast<const double*>(alpha), b = *static_cast<const double*>(beta)] { f.template operator()<double>(a, b); };
  } else {
    const float a = *static_cast<const float*>(alpha), b = *static_cast<const float*>(beta);
    if (type == CUDNN_DATA_FLOAT) work = [f, a, b] { f.template operator()<float>(a, b); };
    else work = [f, a, b] { f.template operator()<Eigen::half>(a, b); };
  }
  return weft::cuda::host::launchOther(handle->stream, name, std::move(work)) == cudaSuccess ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_EXECUTION_FAILED;
}

template <typename Perf>
cudnnStatus_t onlyAlgorithm(int wanted, int* found, Perf* out) {
  if (wanted < 1) return CUDNN_STATUS_BAD_PARAM;
  *out = {{}, CUDNN_STATUS_SUCCESS, 0, kWorkspace, CUDNN_DETERMINISTIC, CUDNN_DEFAULT_MATH};
  *found = 1;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t workspace(size_t* bytes) {
  *bytes = kWorkspace;
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace

const char* cudnnGetErrorString(cudnnStatus_t status) {
  switch (status) {
    case CUDNN_STATUS_SUCCESS: return "CUDNN_STATUS_SUCCESS";
    case CUDNN_STATUS_BAD_PARAM: return "CUDNN_STATUS_BAD_PARAM";
    case CUDNN_STATUS_NOT_SUPPORTED: return "CUDNN_STATUS_NOT_SUPPORTED";
    case CUDNN_STATUS_EXECUTION_FAILED: return cudaGetErrorString(cudaErrorIllegalAddress);
  }
  return "unknown";
}
size_t cudnnGetVersion() { return weft::cuda::host::Machine::broken("cudnn") ? 89700 : CUDNN_VERSION; }
cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) {
  *handle = new WeftHostDnn;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  delete handle;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  handle->stream = stream;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t* out) {
  *out = new WeftHostArray;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t d) {
  delete d;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t d, cudnnDataType_t type, int rank, const int* dims, const int* strides) {
  int whole = 1;
  for (int i = rank - 1; i >= 0; whole *= dims[i--]) {
    if (dims[i] < 1) return CUDNN_STATUS_BAD_PARAM;
    if (strides[i] != whole) return CUDNN_STATUS_NOT_SUPPORTED;
  }
  d->type = type;
  d->dims.assign(dims, dims + rank);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t* out) { return cudnnCreateTensorDescriptor(out); }
cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t d) { return cudnnDestroyTensorDescriptor(d); }
cudnnStatus_t cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t d, cudnnDataType_t type, cudnnTensorFormat_t format, int rank, const int* dims) {
  if (format != CUDNN_TENSOR_NCHW) return CUDNN_STATUS_NOT_SUPPORTED;
  if (std::any_of(dims, dims + rank, [](int dim) { return dim < 1; })) return CUDNN_STATUS_BAD_PARAM;
  d->type = type;
  d->dims.assign(dims, dims + rank);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t* out) {
  *out = new WeftHostConvolution;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t d) {
  delete d;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t d, int dims, const int* pads, const int* strides, const int* dilations,
                                              cudnnConvolutionMode_t mode, cudnnDataType_t) {
  if (dims < 2 || dims > kMostDims || mode != CUDNN_CROSS_CORRELATION) return CUDNN_STATUS_NOT_SUPPORTED;
  d->pads.assign(pads, pads + dims);
  d->strides.assign(strides, strides + dims);
  d->dilations.assign(dilations, dilations + dims);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t, cudnnMathType_t) { return CUDNN_STATUS_SUCCESS; }

cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(cudnnHandle_t, cudnnTensorDescriptor_t, cudnnFilterDescriptor_t, cudnnConvolutionDescriptor_t,
                                                     cudnnTensorDescriptor_t, int wanted, int* found, cudnnConvolutionFwdAlgoPerf_t* out) {
  return onlyAlgorithm(wanted, found, out);
}
cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(cudnnHandle_t, cudnnTensorDescriptor_t, cudnnFilterDescriptor_t, cudnnConvolutionDescriptor_t,
                                                      cudnnTensorDescriptor_t, cudnnConvolutionFwdAlgo_t, size_t* bytes) {
  return workspace(bytes);
}
cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void* alpha, cudnnTensorDescriptor_t x, const void* xData, cudnnFilterDescriptor_t w,
                                      const void* wData, cudnnConvolutionDescriptor_t c, cudnnConvolutionFwdAlgo_t, void*, size_t, const void* beta,
                                      cudnnTensorDescriptor_t y, void* yData) {
  Geometry g;
  if (const cudnnStatus_t s = geometryOf(*x, *w, *c, *y, g); s != CUDNN_STATUS_SUCCESS) return s;
  return queued(handle, "cudnnConvolutionForward", x->type, alpha, beta, [=]<typename T>(Wide<T> a, Wide<T> b) {
    forward(g, static_cast<const T*>(xData), static_cast<const T*>(wData), static_cast<T*>(yData), a, b);
  });
}

cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm_v7(cudnnHandle_t, cudnnFilterDescriptor_t, cudnnTensorDescriptor_t, cudnnConvolutionDescriptor_t,
                                                          cudnnTensorDescriptor_t, int wanted, int* found, cudnnConvolutionBwdDataAlgoPerf_t* out) {
  return onlyAlgorithm(wanted, found, out);
}
cudnnStatus_t cudnnGetConvolutionBackwardDataWorkspaceSize(cudnnHandle_t, cudnnFilterDescriptor_t, cudnnTensorDescriptor_t, cudnnConvolutionDescriptor_t,
                                                           cudnnTensorDescriptor_t, cudnnConvolutionBwdDataAlgo_t, size_t* bytes) {
  return workspace(bytes);
}
cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t handle, const void* alpha, cudnnFilterDescriptor_t w, const void* wData, cudnnTensorDescriptor_t dy,
                                           const void* dyData, cudnnConvolutionDescriptor_t c, cudnnConvolutionBwdDataAlgo_t, void*, size_t, const void* beta,
                                           cudnnTensorDescriptor_t dx, void* dxData) {
  Geometry g;
  if (const cudnnStatus_t s = geometryOf(*dx, *w, *c, *dy, g); s != CUDNN_STATUS_SUCCESS) return s;
  return queued(handle, "cudnnConvolutionBackwardData", w->type, alpha, beta, [=]<typename T>(Wide<T> a, Wide<T> b) {
    backwardData(g, static_cast<const T*>(wData), static_cast<const T*>(dyData), static_cast<T*>(dxData), a, b);
  });
}

cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm_v7(cudnnHandle_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnConvolutionDescriptor_t,
                                                            cudnnFilterDescriptor_t, int wanted, int* found, cudnnConvolutionBwdFilterAlgoPerf_t* out) {
  return onlyAlgorithm(wanted, found, out);
}
cudnnStatus_t cudnnGetConvolutionBackwardFilterWorkspaceSize(cudnnHandle_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnConvolutionDescriptor_t,
                                                             cudnnFilterDescriptor_t, cudnnConvolutionBwdFilterAlgo_t, size_t* bytes) {
  return workspace(bytes);
}
cudnnStatus_t cudnnConvolutionBackwardFilter(cudnnHandle_t handle, const void* alpha, cudnnTensorDescriptor_t x, const void* xData, cudnnTensorDescriptor_t dy,
                                             const void* dyData, cudnnConvolutionDescriptor_t c, cudnnConvolutionBwdFilterAlgo_t, void*, size_t,
                                             const void* beta, cudnnFilterDescriptor_t dw, void* dwData) {
  Geometry g;
  if (const cudnnStatus_t s = geometryOf(*x, *dw, *c, *dy, g); s != CUDNN_STATUS_SUCCESS) return s;
  return queued(handle, "cudnnConvolutionBackwardFilter", x->type, alpha, beta, [=]<typename T>(Wide<T> a, Wide<T> b) {
    backwardFilter(g, static_cast<const T*>(xData), static_cast<const T*>(dyData), static_cast<T*>(dwData), a, b);
  });
}
