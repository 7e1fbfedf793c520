#include "device/cuda/late_errors.h"

#include "device/cuda/cuda_device.h"

namespace weft::cuda {

namespace {
constexpr auto kNone = ~0ull;
}

Status LateErrors::open(cudaStream_t stream) {
  void *device = nullptr, *host = nullptr;
  WEFT_CUDA_TRY(cudaMalloc(&device, kSlots * sizeof *device_));
  device_ = static_cast<unsigned long long*>(device);
  WEFT_CUDA_TRY(cudaMallocHost(&host, kSlots * sizeof *host_));
  host_ = static_cast<unsigned long long*>(host);
  WEFT_CUDA_TRY(cudaMemsetAsync(device_, 0xff, kSlots * sizeof *device_, stream));
  return {};
}

void LateErrors::close() {
  used_.clear();
  if (device_) cudaFree(device_);
  if (host_) cudaFreeHost(host_);
}

Result<ErrorSlot> LateErrors::take(cudaStream_t, std::string node, Tensor looked, Describe describe) {
  ErrorSlot slot;
  slot.first_ = device_ + used_.size();
  used_.push_back({std::move(node), std::move(looked), std::move(describe)});
  return slot;
}

Status LateErrors::collect(cudaStream_t stream, const std::function<Result<Tensor>(const Tensor&)>& toHost) {
  if (used_.empty()) return {};
  const std::vector<Use> used = std::move(used_);
  used_.clear();
  WEFT_CUDA_TRY(cudaMemcpyAsync(host_, device_, used.size() * sizeof *host_, cudaMemcpyDeviceToHost, stream));
  WEFT_CUDA_TRY(cudaMemsetAsync(device_, 0xff, used.size() * sizeof *device_, stream));
  WEFT_CUDA_TRY(cudaStreamSynchronize(stream));
  for (size_t k = 0; k < used.size(); ++k) {
    if (host_[k] == kNone) continue;
    WEFT_LET(const Tensor looked, toHost(used[k].looked));
    return used[k].describe(int64_t(host_[k]), looked).atNode(used[k].node);
  }
  return {};
}

}  // namespace weft::cuda
