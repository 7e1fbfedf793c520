#include <chrono>

#include "device/cuda/cuda_device.h"

// Moments of a stream by CUDA events. They need no profiling library, and say when each op's work began and ended on the GPU.
namespace weft::cuda {
namespace {

class EventTimer final : public DeviceTimer {
 public:
  explicit EventTimer(CudaDevice& device) : device_(device) {}
  ~EventTimer() override {
    for (cudaEvent_t e : events_) cudaEventDestroy(e);
  }

  /// The event from which the others are counted, and its time on the host's clock.
  Status begin() {
    WEFT_TRY(mark().status());
    WEFT_CUDA_TRY(cudaEventSynchronize(events_[0]));
    begunNs_ = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
    return {};
  }

  Result<int> mark() override {
    WEFT_TRY(device_.makeCurrent());
    cudaEvent_t e = nullptr;
    WEFT_CUDA_TRY(cudaEventCreate(&e));
    events_.push_back(e);
    WEFT_CUDA_TRY(cudaEventRecord(e, device_.stream()));
    return int(events_.size()) - 2;  // the first is begin()'s
  }

  Result<std::vector<int64_t>> moments() override {
    WEFT_CUDA_TRY(cudaEventSynchronize(events_.back()));
    std::vector<int64_t> out;
    for (size_t i = 1; i < events_.size(); ++i) {
      float milliseconds = 0;
      WEFT_CUDA_TRY(cudaEventElapsedTime(&milliseconds, events_[0], events_[i]));
      out.push_back(begunNs_ + int64_t(double(milliseconds) * 1e6));
    }
    return out;
  }

 private:
  CudaDevice& device_;
  std::vector<cudaEvent_t> events_;
  int64_t begunNs_ = 0;
};

}  // namespace

Result<std::unique_ptr<DeviceTimer>> CudaDevice::timer() {
  auto made = std::make_unique<EventTimer>(*this);
  WEFT_TRY(made->begin());
  return std::unique_ptr<DeviceTimer>(std::move(made));
}

}  // namespace weft::cuda
