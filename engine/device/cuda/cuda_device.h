#pragma once

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cudnn.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device/cuda/late_errors.h"
#include "device/moves.h"
#include "kernel/device.h"
#include "kernel/kernel.h"
#include "weft/mutex.h"

namespace weft::cuda {

/// Converts errors of the three libraries: out of memory becomes RESOURCE_EXHAUSTED, everything else INTERNAL with the library's message.
Status check(cudaError_t e, const char* what);
Status check(cublasStatus_t e, const char* what);
Status check(cudnnStatus_t e, const char* what);

#define WEFT_CUDA_TRY(expr) WEFT_TRY(::weft::cuda::check((expr), #expr))

/// Makes a GPU the one that this thread's next calls are for.
Status useDevice(int ordinal);

/// cuDNN's way to compute a convolution.
struct ConvolutionChoice {
  int algorithm = 0;
  size_t workspace = 0;  ///< Bytes.
};

/// One GPU: a stream on which all its work is queued in order, the library handles bound to that stream, and its memory.
class CudaDevice final : public Device, public ElementMover {
 public:
  /// `ordinal` counts CUDA devices from 0.
  static Result<std::unique_ptr<CudaDevice>> open(int ordinal);
  ~CudaDevice() override;

  std::string type() const override { return "GPU"; }
  const std::string& name() const override { return name_; }
  /// Calls it GPU:number from now on. Before any session uses it.
  void setNumber(int number) { name_ = "/job:localhost/replica:0/task:0/device:GPU:" + std::to_string(number); }
  std::string description() const override { return description_; }
  size_t memoryBytes() const override { return memory_; }
  Allocator& allocator() override { return *allocator_; }
  int place() const override { return ordinal_ + 1; }
  Result<Tensor> fromHost(const Tensor& t) override;
  Result<Tensor> toHost(const Tensor& t) override;
  Result<Tensor> fromDevice(Device& other, const Tensor& t) override;
  Result<Tensor> copy(const Tensor& t) override;
  Status copyRange(const Tensor& from, int64_t fromBegin, Tensor& to, int64_t toBegin, int64_t count) override;
  Result<Tensor> zeros(DType dtype, const Shape& shape) override;
  Result<Tensor> sum(const Tensor& a, const Tensor& b) override;
  Result<std::unique_ptr<DeviceTimer>> timer() override;
  Status sync() override;
  Status moveBox(DType type, const cpu::BoxCopy& box, const void* source, void* target) override;
  Status movePieces(DType type, std::span<const Pieces> all, int64_t rows) override;
  Status fillWithZeros(void* to, size_t bytes) override;
  Status conjugate(DType type, void* data, int64_t n) override;

  cudaStream_t stream() const { return stream_; }
  /// Work that this thread queues next is this device's.
  Status makeCurrent();
  /// Must be held while handles are used, because concurrent runs share them.
  Mutex& mutex() WEFT_RETURNS_MUTEX(mutex_) { return mutex_; }
  cublasHandle_t blas() const { return blas_; }
  cudnnHandle_t dnn() const { return dnn_; }
  /// What was chosen for convolutions so far, by their sizes (convolution_plan.cpp).
  std::map<std::vector<int64_t>, ConvolutionChoice>& convolutionChoices() WEFT_REQUIRES(mutex_) { return convolutionChoices_; }
  /// A slot in which the next kernel can report an element of `looked`, an input, as wrong; `describe` makes the error, at the latest when the step ends:
  ///
  ///     WEFT_LET(const ErrorSlot wrong, d.errorSlot(c, indices, [n](int64_t i, const Tensor& t) { return invalidArgument("indices[", i, "] = ", t.asInt(i), …); }));
  ///     return forEach(d, count, [=] __device__(int64_t i) { if (at[i] < 0 || at[i] >= n) wrong.report(i); … });
  ///
  /// Device code must go on without harm after a report.
  Result<ErrorSlot> errorSlot(KernelContext& c, const Tensor& looked, LateErrors::Describe describe);

 private:
  class Staging;
  explicit CudaDevice(int ordinal);
  const int ordinal_;
  std::string name_, description_;
  size_t memory_ = 0;
  cudaStream_t stream_ = nullptr;
  cublasHandle_t blas_ = nullptr;
  cudnnHandle_t dnn_ = nullptr;
  cudaEvent_t handOver_ = nullptr;  ///< Recorded on this stream, for another device's to wait for.
  Mutex mutex_;
  std::unique_ptr<Allocator> allocator_;
  std::unique_ptr<Staging> staging_;
  LateErrors lateErrors_ WEFT_GUARDED_BY(mutex_);
  std::map<std::vector<int64_t>, ConvolutionChoice> convolutionChoices_ WEFT_GUARDED_BY(mutex_);
  /// Copies to the host and waits. REQUIRES: mutex().
  Result<Tensor> fetch(const Tensor& t) WEFT_REQUIRES(mutex_);
  /// The first error of finished kernels. REQUIRES: the stream is empty.
  Status lateError() WEFT_REQUIRES(mutex_);
};

/// The device of a kernel call. REQUIRES: the kernel is registered for "GPU".
inline CudaDevice& deviceOf(KernelContext& c) {
#ifdef WEFT_CUDA_HOST
  host::nameLaunches(concat(c.node().op, " ", c.node().name));
#endif
  auto& d = static_cast<CudaDevice&>(c.device());
  (void)d.makeCurrent();  // if that fails, so does what follows
  return d;
}
/// out = a + b, for numbers of one dtype and shape (tensor_sum.cu).
Status addTensors(CudaDevice& device, const Tensor& a, const Tensor& b, Tensor& out);
/// Device memory for the duration of a call; work queued later may reuse it, in stream order.
Result<Tensor> scratch(CudaDevice& device, size_t bytes);

}  // namespace weft::cuda
