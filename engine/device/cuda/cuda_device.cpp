#include "device/cuda/cuda_device.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>

#include "weft/mutex.h"

namespace weft::cuda {

Status check(cudaError_t e, const char* what) {
  if (e == cudaSuccess) return {};
  const std::string text = concat("CUDA: ", cudaGetErrorString(e), " (", what, ")");
  // After a fault of the device every later call of this process fails with the same error.
  const bool lasts = (int(e) >= 700 && int(e) <= 720 && e != cudaErrorPeerAccessAlreadyEnabled) || int(e) == 214 || int(e) == 999;
  if (lasts) return internalError(text, ". This process cannot use the GPU any more; new sessions run on the CPU");
  return e == cudaErrorMemoryAllocation ? resourceExhausted(text) : internalError(text);
}

Status check(cublasStatus_t e, const char* what) {
  if (e == CUBLAS_STATUS_SUCCESS) return {};
  return internalError("cuBLAS: ", cublasGetStatusString(e), " (", what, ")");
}

Status check(cudnnStatus_t e, const char* what) {
  if (e == CUDNN_STATUS_SUCCESS) return {};
  return internalError("cuDNN: ", cudnnGetErrorString(e), " (", what, ")");
}

Status useDevice(int ordinal) {
  static thread_local int current = -1;
  if (current == ordinal) return {};
  WEFT_CUDA_TRY(cudaSetDevice(ordinal));
  current = ordinal;
  return {};
}

namespace {

// The host build checks how tensors use their memory.
#ifdef WEFT_CUDA_HOST
constexpr bool kHostBuild = true;
#define WEFT_CHECK_MEMORY(call) host::call
#else
constexpr bool kHostBuild = false;
#define WEFT_CHECK_MEMORY(call) \
  do {                          \
  } while (0)
#endif

constexpr size_t kGranule = 512;
constexpr int kLeastCapability = 75;  // the lowest of CMAKE_CUDA_ARCHITECTURES

/// 91002 as "9.10.2".
std::string cudnnVersionText(size_t version) { return concat(version / 10000, ".", version / 100 % 100, ".", version % 100); }

/// Keeps freed blocks by size. All work of a device is queued on one stream, so a block may be reused as soon as its last tensor is freed: any work that still
/// reads it was queued earlier.
class CachingAllocator final : public Allocator {
 public:
  CachingAllocator(int ordinal, cudaStream_t stream, size_t limit) : ordinal_(ordinal), stream_(stream), limit_(limit) {}

  Result<BufferPtr> allocate(size_t bytes) override;
  void release(void* data, size_t size) {
    WEFT_CHECK_MEMORY(noteReleased(stream_, data, size));
    const MutexLock lock(mutex_);
    free_.emplace(size, data);
    inUse_ -= size;
  }
  size_t bytesInUse() const override {
    const MutexLock lock(mutex_);
    return inUse_;
  }
  size_t peakBytes() const override {
    const MutexLock lock(mutex_);
    return peak_;
  }
  void resetPeak() override {
    const MutexLock lock(mutex_);
    peak_ = inUse_;
  }
  void setLimit(size_t bytes) override {
    const MutexLock lock(mutex_);
    limit_ = bytes;
  }
  size_t limit() const override {
    const MutexLock lock(mutex_);
    return limit_;
  }

 private:
  void releaseFreeBlocks() WEFT_REQUIRES(mutex_) {
    for (auto& [size, data] : free_) {
      cudaFree(data);
      reserved_ -= size;
    }
    free_.clear();
  }
  const int ordinal_;
  [[maybe_unused]] const cudaStream_t stream_;
  mutable Mutex mutex_;
  std::multimap<size_t, void*> free_ WEFT_GUARDED_BY(mutex_);
  size_t inUse_ WEFT_GUARDED_BY(mutex_) = 0, peak_ WEFT_GUARDED_BY(mutex_) = 0, reserved_ WEFT_GUARDED_BY(mutex_) = 0, limit_ WEFT_GUARDED_BY(mutex_);
};

class DeviceBuffer final : public Buffer {
 public:
  DeviceBuffer(void* data, size_t bytes, size_t size, int place, CachingAllocator* owner) : Buffer(data, bytes, place), size_(size), owner_(owner) {}
  ~DeviceBuffer() override { owner_->release(data_, size_); }

 private:
  const size_t size_;
  CachingAllocator* owner_;
};

Result<BufferPtr> CachingAllocator::allocate(size_t bytes) {
  // Block sizes are rounded up in steps of an eighth of their power of two, so that similar requests share blocks.
  size_t step = kGranule;
  while (step * 16 < bytes) step *= 2;
  const size_t size = std::max(kGranule, (bytes + step - 1) / step * step);
  const MutexLock lock(mutex_);
  void* data = nullptr;
  size_t got = size;
  if (const auto it = free_.lower_bound(size); it != free_.end() && it->first <= size + size / 4) {
    got = it->first;
    data = it->second;
    free_.erase(it);
  } else {
    if (limit_ && reserved_ + size > limit_) releaseFreeBlocks();
    if (limit_ && inUse_ + size > limit_) {
      return resourceExhausted("OOM when allocating ", bytes, " bytes on GPU ", ordinal_, "; ", inUse_, " bytes are in use, the limit is ", limit_);
    }
    WEFT_TRY(useDevice(ordinal_));
    cudaError_t e = cudaMalloc(&data, size);
    if (e == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      releaseFreeBlocks();
      e = cudaMalloc(&data, size);
    }
    if (e != cudaSuccess) {
      cudaGetLastError();
      return resourceExhausted("OOM when allocating ", bytes, " bytes on GPU ", ordinal_, ": ", cudaGetErrorString(e));
    }
    reserved_ += size;
  }
  WEFT_CHECK_MEMORY(noteAllocated(stream_, data, bytes, got));
  inUse_ += got;
  peak_ = std::max(peak_, inUse_);
  return BufferPtr::adopt(new DeviceBuffer(data, bytes, got, ordinal_ + 1, this));
}

}  // namespace

/// Pinned host memory for transfers, which avoids the driver's own staging. A block is reused once the event after its last transfer has passed.
class CudaDevice::Staging {
 public:
  struct Block {
    void* data = nullptr;
    size_t bytes = 0;
    cudaEvent_t done = nullptr;
  };
  ~Staging() {
    for (Block& b : blocks_) {
      cudaEventDestroy(b.done);
      cudaFreeHost(b.data);
    }
  }
  /// A block of at least `bytes` that the device does not use.
  Result<Block> take(size_t bytes) {
    for (auto it = blocks_.begin(); it != blocks_.end(); ++it) {
      if (it->bytes < bytes || cudaEventQuery(it->done) != cudaSuccess) continue;
      Block b = *it;
      blocks_.erase(it);
      return b;
    }
    Block b;
    b.bytes = std::max<size_t>(bytes, 1 << 16);
    WEFT_CUDA_TRY(cudaMallocHost(&b.data, b.bytes));
    WEFT_CUDA_TRY(cudaEventCreateWithFlags(&b.done, cudaEventDisableTiming));
    return b;
  }
  /// To be called after the transfer of `b` has been queued.
  Status returnBlock(Block b, cudaStream_t stream) {
    WEFT_CUDA_TRY(cudaEventRecord(b.done, stream));
    blocks_.push_back(b);
    return {};
  }

 private:
  std::deque<Block> blocks_;
};

Result<std::unique_ptr<CudaDevice>> CudaDevice::open(int ordinal) {
  std::unique_ptr<CudaDevice> d(new CudaDevice(ordinal));
  WEFT_TRY(useDevice(ordinal));
  cudaDeviceProp properties{};
  WEFT_CUDA_TRY(cudaGetDeviceProperties(&properties, ordinal));
  const int capability = properties.major * 10 + properties.minor;
  if (capability < kLeastCapability) {
    return failedPrecondition("GPU ", ordinal, " (", properties.name, ") has compute capability ", properties.major, ".", properties.minor, ", but Weft needs ",
                              kLeastCapability / 10, ".", kLeastCapability % 10, " or more");
  }
  if (const size_t there = cudnnGetVersion(); there < CUDNN_VERSION) {
    return failedPrecondition("cuDNN ", cudnnVersionText(there), " is installed, but Weft needs ", cudnnVersionText(CUDNN_VERSION),
                              " or a newer one of the same series");
  }
  d->setNumber(ordinal);
  d->description_ = kHostBuild ? properties.name : concat(properties.name, ", compute capability ", properties.major, ".", properties.minor);
  d->memory_ = properties.totalGlobalMem;
  WEFT_CUDA_TRY(cudaStreamCreateWithFlags(&d->stream_, cudaStreamNonBlocking));
  WEFT_CUDA_TRY(cublasCreate(&d->blas_));
  WEFT_CUDA_TRY(cublasSetStream(d->blas_, d->stream_));
  WEFT_CUDA_TRY(cudnnCreate(&d->dnn_));
  WEFT_CUDA_TRY(cudnnSetStream(d->dnn_, d->stream_));
  d->allocator_ = std::make_unique<CachingAllocator>(ordinal, d->stream_, d->memory_ / 10 * 8);
  WEFT_CUDA_TRY(cudaEventCreateWithFlags(&d->handOver_, cudaEventDisableTiming));
  d->staging_ = std::make_unique<Staging>();
  const MutexLock lock(d->mutex_);
  WEFT_TRY(d->lateErrors_.open(d->stream_));
  return d;
}

CudaDevice::CudaDevice(int ordinal) : ordinal_(ordinal) {}

CudaDevice::~CudaDevice() {
  if (stream_) cudaStreamSynchronize(stream_);
  staging_.reset();
  lateErrors_.close();
  if (handOver_) cudaEventDestroy(handOver_);
  if (dnn_) cudnnDestroy(dnn_);
  if (blas_) cublasDestroy(blas_);
  if (stream_) cudaStreamDestroy(stream_);
}

Status CudaDevice::makeCurrent() { return useDevice(ordinal_); }

Result<Tensor> CudaDevice::fromHost(const Tensor& t) {
  if (sizeOf(t.dtype()) == 0) return t;
  WEFT_LET(Tensor out, allocateTensor(*allocator_, t.dtype(), t.shape()));
  const size_t bytes = t.bytes();
  if (bytes == 0) return out;
  const MutexLock lock(mutex_);
  WEFT_TRY(makeCurrent());
  WEFT_LET(Staging::Block block, staging_->take(bytes));
  std::memcpy(block.data, t.raw(), bytes);
  WEFT_CUDA_TRY(cudaMemcpyAsync(out.mutableRaw(), block.data, bytes, cudaMemcpyHostToDevice, stream_));
  WEFT_TRY(staging_->returnBlock(block, stream_));
  return out;
}

Result<Tensor> CudaDevice::fetch(const Tensor& t) {
  WEFT_LET(Tensor out, Tensor::allocate(t.dtype(), t.shape()));
  const size_t bytes = t.bytes();
  if (bytes == 0) return out;
  WEFT_LET(Staging::Block block, staging_->take(bytes));
  WEFT_CUDA_TRY(cudaMemcpyAsync(block.data, t.raw(), bytes, cudaMemcpyDeviceToHost, stream_));
  WEFT_CUDA_TRY(cudaStreamSynchronize(stream_));
  std::memcpy(out.mutableRaw(), block.data, bytes);
  WEFT_TRY(staging_->returnBlock(block, stream_));
  return out;
}

Status CudaDevice::lateError() {
  return lateErrors_.collect(stream_, [this](const Tensor& t) {
    mutex_.assertHeld();
    return fetch(t);
  });
}

Result<Tensor> CudaDevice::toHost(const Tensor& t) {
  if (t.place() == 0) return t;
  const MutexLock lock(mutex_);
  WEFT_TRY(makeCurrent());
  WEFT_LET(Tensor out, fetch(t));
  WEFT_TRY(lateError());
  return out;
}

Result<ErrorSlot> CudaDevice::errorSlot(KernelContext& c, const Tensor& looked, LateErrors::Describe describe) {
  const MutexLock lock(mutex_);
  if (lateErrors_.full()) {
    WEFT_CUDA_TRY(cudaStreamSynchronize(stream_));
    WEFT_TRY(lateError());
  }
  return lateErrors_.take(stream_, c.node().name, looked, std::move(describe));
}

Result<Tensor> CudaDevice::fromDevice(Device& other, const Tensor& t) {
  auto* peer = dynamic_cast<CudaDevice*>(&other);
  if (!peer || t.bytes() == 0) return Device::fromDevice(other, t);
  WEFT_LET(Tensor out, allocateTensor(*allocator_, t.dtype(), t.shape()));
  CudaDevice &first = ordinal_ < peer->ordinal_ ? *this : *peer, &second = &first == this ? *peer : *this;
  const MutexLock one(first.mutex_), two(second.mutex_);
  // The copy waits for the work that makes the tensor; later work over there, which may reuse its memory, waits for the copy.
  WEFT_TRY(peer->makeCurrent());
  WEFT_CUDA_TRY(cudaEventRecord(peer->handOver_, peer->stream_));
  WEFT_TRY(makeCurrent());
  WEFT_CUDA_TRY(cudaStreamWaitEvent(stream_, peer->handOver_));
  WEFT_CUDA_TRY(cudaMemcpyPeerAsync(out.mutableRaw(), ordinal_, t.raw(), peer->ordinal_, t.bytes(), stream_));
  WEFT_CUDA_TRY(cudaEventRecord(handOver_, stream_));
  WEFT_CUDA_TRY(cudaStreamWaitEvent(peer->stream_, handOver_));
  return out;
}

Result<Tensor> CudaDevice::copy(const Tensor& t) {
  WEFT_LET(Tensor out, allocateTensor(*allocator_, t.dtype(), t.shape()));
  WEFT_TRY(copyInto(t, out));
  return out;
}

Status CudaDevice::copyRange(const Tensor& from, int64_t fromBegin, Tensor& to, int64_t toBegin, int64_t count) {
  if (count <= 0) return {};
  const size_t size = sizeOf(from.dtype());
  return check(cudaMemcpyAsync(static_cast<char*>(to.mutableRaw()) + size_t(toBegin) * size, static_cast<const char*>(from.raw()) + size_t(fromBegin) * size,
                               size_t(count) * size, cudaMemcpyDeviceToDevice, stream_),
               "copying elements");
}

Result<Tensor> CudaDevice::zeros(DType dtype, const Shape& shape) {
  WEFT_LET(Tensor out, allocateTensor(*allocator_, dtype, shape));
  if (out.bytes() > 0) WEFT_CUDA_TRY(cudaMemsetAsync(out.mutableRaw(), 0, out.bytes(), stream_));
  return out;
}

Result<Tensor> CudaDevice::sum(const Tensor& a, const Tensor& b) {
  WEFT_LET(Tensor out, allocateTensor(*allocator_, a.dtype(), a.shape()));
  WEFT_TRY(addTensors(*this, a, b, out));
  return out;
}

Status CudaDevice::sync() {
  const MutexLock lock(mutex_);
  WEFT_CUDA_TRY(cudaStreamSynchronize(stream_));
  return lateError();
}

Result<Tensor> scratch(CudaDevice& device, size_t bytes) {
  return allocateTensor(device.allocator(), DType::UInt8, Shape{int64_t(std::max<size_t>(bytes, 1))});
}

}  // namespace weft::cuda
