#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/allocator.h"
#include "weft/session.h"

namespace weft {

/// Notes moments of a device's own work, which runs behind the host. For one thread.
class DeviceTimer {
 public:
  virtual ~DeviceTimer() = default;
  /// The moment when all work queued so far has ended; its number, from 0.
  virtual Result<int> mark() = 0;
  /// Waits for the work, and returns the moments in nanoseconds of the steady clock.
  virtual Result<std::vector<int64_t>> moments() = 0;
};

/// A place where kernels run. One object per physical device and process; thread-safe.
class WEFT_API Device {
 public:
  virtual ~Device() = default;
  /// "CPU" or "GPU"; decides which kernels can run here.
  virtual std::string type() const = 0;
  /// Full name: "/job:localhost/replica:0/task:0/device:CPU:0".
  virtual const std::string& name() const = 0;
  virtual std::string description() const = 0;
  virtual size_t memoryBytes() const = 0;
  virtual Allocator& allocator() = 0;
  /// Identifies the memory in Buffer::place(); 0 is host memory.
  virtual int place() const { return 0; }
  /// Copies between host and this device. Work queued later on this device may use the result immediately, the host only after sync().
  virtual Result<Tensor> fromHost(const Tensor& t) { return t; }
  virtual Result<Tensor> toHost(const Tensor& t) { return t; }
  /// A copy of a tensor of another device. Work queued later on either device may use both tensors.
  virtual Result<Tensor> fromDevice(Device& other, const Tensor& t);
  /// An independent copy of a tensor on this device.
  virtual Result<Tensor> copy(const Tensor& t) { return t.clone(); }
  /// Copies `count` elements between tensors of one dtype on this device; the elements are bytes, not objects.
  virtual Status copyRange(const Tensor& from, int64_t fromBegin, Tensor& to, int64_t toBegin, int64_t count);
  /// All elements, into a tensor of the same dtype and number of elements.
  Status copyInto(const Tensor& from, Tensor& to) { return copyRange(from, 0, to, 0, from.elements()); }
  virtual Result<Tensor> zeros(DType dtype, const Shape& shape) { return Tensor::zeros(dtype, shape); }
  /// a + b for numbers of one dtype and shape.
  virtual Result<Tensor> sum(const Tensor& a, const Tensor& b);
  /// Null: work ends before a kernel returns, so that the host's clock tells.
  virtual Result<std::unique_ptr<DeviceTimer>> timer() { return std::unique_ptr<DeviceTimer>(); }
  /// Waits for all queued work and returns its error, if that was not reported earlier.
  virtual Status sync() { return {}; }
};

/// All devices of this process, CPU first. The first call loads libweft-cuda for the GPUs, on one thread while the others wait. That may take a second and adds
/// kernels to OpRecord::kernels, so call this (or findKernel()) before reading those lists.
WEFT_API const std::vector<Device*>& physicalDevices();
/// Why there is no GPU, in one line; empty if there is one.
WEFT_API const std::string& whyNoGpu();
/// `t` in host memory; shares the buffer if it is already there.
WEFT_API Result<Tensor> hostTensor(const Tensor& t);
/// `t` where kernels of `device` find it, copied there if it is elsewhere.
WEFT_API Result<Tensor> tensorAt(Device& device, const Tensor& t);
/// An independent copy of `t`, on the host.
WEFT_API Result<Tensor> ownCopy(const Tensor& t);
/// Prefix of this process's device names when there is no cluster.
inline constexpr std::string_view kLocalTask = "/job:localhost/replica:0/task:0";
/// The host as a device with its own name (a session may have several CPU devices).
WEFT_API std::unique_ptr<Device> makeCpuDevice(int index, std::string_view task = kLocalTask);

/// In KernelRecord::hostMemory: all arguments of type int32, for ops with lists of arguments of any type.
inline constexpr std::string_view kInt32Arguments = "(int32)";
/// There too: a node that asks for no device goes to a CPU, as TensorFlow's priorities of kernels say for iterators.
inline constexpr std::string_view kOnlyIfAsked = "(only if asked)";

/// Filled in by libweft-cuda through `extern "C" void weftDeviceLibrary(weft::DeviceLibrary*)`.
struct DeviceLibrary {
  int abiVersion = 1;
  std::vector<Device*> devices;  ///< Live as long as the process.
  std::string whyNone;           ///< Reason, set if `devices` is empty.
};
constexpr int kDeviceAbiVersion = 1;

/// The parts of a device name; -1 and empty: unspecified. "/cpu:0", "/device:GPU:1", "/job:ps/replica:0/task:1/device:CPU:0".
struct DeviceSpec {
  std::string job, type;
  int replica = -1, task = -1, id = -1;
  static Result<DeviceSpec> parse(const std::string& text);
  bool matches(const std::string& fullName) const;
};

}  // namespace weft
