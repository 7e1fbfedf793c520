#include <cstdlib>
#include <cstring>

#include "device/cuda/host/machine.h"
#include "weft/error.h"

// The functions of the CUDA runtime, over the machine.
using weft::concat;
using weft::MutexLock;
using weft::cuda::host::DeviceMemory;
using weft::cuda::host::Event;
using weft::cuda::host::Fault;
using weft::cuda::host::Machine;

namespace {

thread_local int currentDevice = 0;
thread_local cudaError_t lastError = cudaSuccess;

cudaError_t failed(cudaError_t e) { return lastError = e; }

/// The result of a call: the machine's fault, which stays, or success.
cudaError_t outcome(Machine& m) WEFT_REQUIRES(m.mutex()) { return m.fault().empty() ? cudaSuccess : failed(cudaErrorIllegalAddress); }

/// An address range of a call: device memory must be one allocation's. Sets the fault if not.
bool usable(Machine& m, const void* data, size_t bytes, const char* what) WEFT_REQUIRES(m.mutex()) {
  const int owner = m.ownerOf(data);
  std::string why;
  if (owner < 0 || m.memory(owner).holds(data, bytes, why)) return true;
  m.fail(concat(what, " uses ", why));
  return false;
}

void copyNow(Machine& m, void* to, const void* from, size_t bytes) {
  m.mutex().assertHeld();
  if (m.ownerOf(from) >= 0 && m.ownerOf(to) < 0) {
    if (const int64_t k = weft::cuda::host::firstPoison(from, bytes); k >= 0)
      throw Fault{concat("copies uninitialised memory to the host, from byte ", k, " of ", bytes)};
  }
  std::memcpy(to, from, bytes);
}

}  // namespace

const char* cudaGetErrorName(cudaError_t e) {
  switch (e) {
    case cudaSuccess: return "cudaSuccess";
    case cudaErrorInvalidValue: return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation: return "cudaErrorMemoryAllocation";
    case cudaErrorInsufficientDriver: return "cudaErrorInsufficientDriver";
    case cudaErrorNoDevice: return "cudaErrorNoDevice";
    case cudaErrorInvalidDevice: return "cudaErrorInvalidDevice";
    case cudaErrorInvalidResourceHandle: return "cudaErrorInvalidResourceHandle";
    case cudaErrorNotReady: return "cudaErrorNotReady";
    case cudaErrorIllegalAddress: return "cudaErrorIllegalAddress";
    case cudaErrorPeerAccessAlreadyEnabled: return "cudaErrorPeerAccessAlreadyEnabled";
    case cudaErrorLaunchFailure: return "cudaErrorLaunchFailure";
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t e) {
  switch (e) {
    case cudaErrorMemoryAllocation: return "out of memory";
    case cudaErrorInvalidDevice: return "invalid device ordinal";
    case cudaErrorNoDevice: return "no CUDA-capable device is detected";
    case cudaErrorIllegalAddress: {
      Machine& m = Machine::instance();
      const MutexLock lock(m.mutex());
      return m.fault().c_str();  // set once, and kept
    }
    default: return cudaGetErrorName(e);
  }
}

cudaError_t cudaGetLastError() {
  const cudaError_t e = lastError;
  lastError = cudaSuccess;
  return e;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = Machine::broken("driver") ? 11040 : 13000;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 0;
  if (Machine::broken("driver")) return failed(cudaErrorInsufficientDriver);
  *count = Machine::instance().deviceCount();
  return *count ? cudaSuccess : failed(cudaErrorNoDevice);
}
cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= Machine::instance().deviceCount()) return failed(cudaErrorInvalidDevice);
  currentDevice = device;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = currentDevice;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  Machine& m = Machine::instance();
  if (device < 0 || device >= m.deviceCount()) return failed(cudaErrorInvalidDevice);
  const MutexLock lock(m.mutex());
  *properties = {};
  std::strcpy(properties->name, "host build of the device code");
  properties->totalGlobalMem = m.memory(device).bytes();
  properties->multiProcessorCount = 1;
  properties->major = Machine::broken("capability") ? 6 : 9;
  if (properties->major == 6) properties->minor = 1;
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  Machine& m = Machine::instance();
  const MutexLock lock(m.mutex());
  m.finishAll();
  return outcome(m);
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  *can = device != peer;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return cudaSuccess; }

cudaError_t cudaMalloc(void** data, size_t bytes) {
  Machine& m = Machine::instance();
  const MutexLock lock(m.mutex());
  const DeviceMemory::Access access;
  *data = m.memory(currentDevice).allocate(bytes);
  return *data ? cudaSuccess : failed(cudaErrorMemoryAllocation);
}

cudaError_t cudaFree(void* data) {
  if (!data) return cudaSuccess;
  Machine& m = Machine::instance();
  const MutexLock lock(m.mutex());
  m.finishAll();
  const DeviceMemory::Access access;
  const int owner = m.ownerOf(data);
  return owner >= 0 && m.memory(owner).free(data) ? outcome(m) : failed(cudaErrorInvalidValue);
}

cudaError_t cudaMallocHost(void** data, size_t bytes) {
  *data = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  return *data ? cudaSuccess : failed(cudaErrorMemoryAllocation);
}
cudaError_t cudaFreeHost(void* data) {
  Machine& m = Machine::instance();
  const MutexLock lock(m.mutex());
  m.finishAll();
  std::free(data);
  return outcome(m);
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  Machine& m = Machine::instance();
  const MutexLock lock(m.mutex());
  *total = m.memory(currentDevice).bytes();
  *free = *total - m.memory(currentDevice).used();
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  Machine& m = Machine::instance();
  const MutexLock lock(m.mutex());
  const bool toDevice = m.ownerOf(to) >= 0, fromDevice = m.ownerOf(from) >= 0;
  const bool asked = kind == cudaMemcpyDefault || (toDevice == (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice) &&
                                                   fromDevice == (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice));
  if (!asked) return failed(cudaErrorInvalidValue);
  const char* name = !toDevice ? "the copy to the host" : !fromDevice ? "the copy to the device" : "the copy between tensors";
  if (usable(m, to, bytes, name) && usable(m, from, bytes, name)) m.queue(stream, name, [&m, to, from, bytes] { copyNow(m, to, from, bytes); });
  return outcome(m);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes, cudaStream_t stream) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemsetAsync(void* data, int value, size_t bytes, cudaStream_t stream) {
  Machine& m = Machine::instance();
  const MutexLock lock(m.mutex());
  if (usable(m, data, bytes, "cudaMemset")) m.queue(stream, "cudaMemset", [=] { std::memset(data, value, bytes); });
  return outcome(m);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  Machine& m = Machine::instance();
  const MutexLock lock(m.mutex());
  *stream = m.addStream(currentDevice);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  Machine& m = Machine::instance();
  const MutexLock lock(m.mutex());
  m.removeStream(stream);
  return outcome(m);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  Machine& m = Machine::instance();
  const MutexLock lock(m.mutex());
  m.finish(stream);
  return outcome(m);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  Machine& m = Machine::instance();
  const MutexLock lock(m.mutex());
  m.passTime();
  const cudaError_t e = outcome(m);
  return e == cudaSuccess && !m.idle(stream) ? cudaErrorNotReady : e;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  Machine& m = Machine::instance();
  const MutexLock lock(m.mutex());
  m.wait(stream, *event);
  return outcome(m);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = new Event(currentDevice);
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  Machine& m = Machine::instance();
  const MutexLock lock(m.mutex());
  if (event->device != stream->device()) return failed(cudaErrorInvalidResourceHandle);
  m.record(event, stream);
  return outcome(m);
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  Machine& m = Machine::instance();
  const MutexLock lock(m.mutex());
  m.passTime();
  const cudaError_t e = outcome(m);
  return e == cudaSuccess && event->last && !event->last->passed ? cudaErrorNotReady : e;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  Machine& m = Machine::instance();
  const MutexLock lock(m.mutex());
  if (event->last) m.finish(*event->last);
  return outcome(m);
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  Machine& m = Machine::instance();
  const MutexLock lock(m.mutex());
  if (!begin->last || !end->last) return failed(cudaErrorInvalidValue);
  if (!begin->last->passed || !end->last->passed) return cudaErrorNotReady;
  *milliseconds = float((end->last->seconds - begin->last->seconds) * 1e3);
  return outcome(m);
}

namespace weft::cuda::host {

thread_local std::string launchName = "device code";

void nameLaunches(std::string name) { launchName = std::move(name); }

cudaError_t launchThreads(Stream* stream, int64_t n, Rows rows) {
  Machine& m = Machine::instance();
  if (stream->device() != currentDevice) return failed(cudaErrorInvalidResourceHandle);  // as the driver: the stream is another device's
  const MutexLock lock(m.mutex());
  m.queue(stream, launchName, [&m, n, rows = std::move(rows)] {
    m.mutex().assertHeld();
    runThreads(n, rows, m.chance());
  });
  return outcome(m);
}

cudaError_t launchBlocks(Stream* stream, int64_t blocks, unsigned threads, std::function<void(int64_t)> body) {
  Machine& m = Machine::instance();
  if (stream->device() != currentDevice) return failed(cudaErrorInvalidResourceHandle);  // as the driver: the stream is another device's
  const MutexLock lock(m.mutex());
  m.queue(stream, launchName, [&m, blocks, threads, body = std::move(body)] {
    m.mutex().assertHeld();
    runBlocks(blocks, threads, body, m.chance());
  });
  return outcome(m);
}

cudaError_t launchOther(Stream* stream, const char* name, std::function<void()> work) {
  Machine& m = Machine::instance();
  if (stream->device() != currentDevice) return failed(cudaErrorInvalidResourceHandle);  // as the driver: the stream is another device's
  const MutexLock lock(m.mutex());
  m.queue(stream, concat(name, " for ", launchName), std::move(work));
  return outcome(m);
}

void noteAllocated(Stream* stream, void* data, size_t bytes, size_t size) {
  Machine& m = Machine::instance();
  const MutexLock lock(m.mutex());
  m.queue(stream, launchName, [&m, data, bytes, size] {
    m.mutex().assertHeld();
    DeviceMemory& memory = m.memory(m.ownerOf(data));
    if (!memory.take(data, bytes, size)) throw Fault{concat("finds that a free block of ", size, " bytes was written to")};
  });
}

void noteReleased(Stream* stream, void* data, size_t size) {
  Machine& m = Machine::instance();
  const MutexLock lock(m.mutex());
  m.queue(stream, launchName, [&m, data, size] {
    m.mutex().assertHeld();
    m.memory(m.ownerOf(data)).release(data, size);
  });
}

}  // namespace weft::cuda::host
