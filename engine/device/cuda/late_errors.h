#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <string>
#include <vector>

#include "weft/error.h"
#include "weft/mutex.h"
#include "weft/tensor.h"

// Errors that device code finds: an index out of range, a division by zero. The host learns of them when it next waits for the device.
namespace weft::cuda {

/// Where device code says which element is wrong. Of several, the first in order of elements counts.
class ErrorSlot {
 public:
#if defined(__CUDACC__) || defined(WEFT_CUDA_HOST)
  __device__ void report(int64_t element) const { atomicMin(first_, static_cast<unsigned long long>(element)); }
#endif

 private:
  friend class LateErrors;
  unsigned long long* first_ = nullptr;
};

/// The slots of one device. Guarded by the device's mutex.
class LateErrors {
 public:
  static constexpr size_t kSlots = 1024;
  /// Makes the error for an element. `looked` is the tensor given to take(), copied to the host.
  using Describe = std::function<Error(int64_t element, const Tensor& looked)>;

  Status open(cudaStream_t stream);
  void close();
  bool full() const { return used_.size() == kSlots; }
  /// A slot for a kernel of node `node`, to be launched next. `looked`: the tensor whose elements are checked. REQUIRES: !full().
  Result<ErrorSlot> take(cudaStream_t stream, std::string node, Tensor looked, Describe describe);
  /// To be called when all queued work is done: the first error found by kernels since, in the order of their launches. `toHost` copies a tensor.
  Status collect(cudaStream_t stream, const std::function<Result<Tensor>(const Tensor&)>& toHost);

 private:
  struct Use {
    std::string node;
    Tensor looked;
    Describe describe;
  };
  std::vector<Use> used_;
  unsigned long long *device_ = nullptr, *host_ = nullptr;
};

}  // namespace weft::cuda
