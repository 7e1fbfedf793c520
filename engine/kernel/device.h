#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/allocator.h"
#include "weft/session.h"

namespace weft {

/// A place where kernels run. One object per physical device and process; thread-safe.
class WEFT_API Device {
 public:
  virtual ~Device() = default;
  /// "CPU" or "GPU": which kernels fit.
  virtual std::string type() const = 0;
  /// Full name: "/job:localhost/replica:0/task:0/device:CPU:0".
  virtual const std::string& name() const = 0;
  virtual std::string description() const = 0;
  virtual size_t memoryBytes() const = 0;
  virtual Allocator& allocator() = 0;
  /// Number in Buffer::place(); 0 is host memory.
  virtual int place() const { return 0; }
  /// Copies between host and this device; the result may be used by work queued later on this device, and by the host only after sync().
  virtual Result<Tensor> fromHost(const Tensor& t) { return t; }
  virtual Result<Tensor> toHost(const Tensor& t) { return t; }
  /// An independent copy of a tensor that lies on this device.
  virtual Result<Tensor> copy(const Tensor& t) { return t.clone(); }
  /// Waits for all queued work; an error of that work is returned here at the latest.
  virtual Status sync() { return {}; }
};

/// All devices that this process found, CPU first. GPU devices come from libweft-cuda, which is loaded at the first call, by one thread while
/// the others wait: that may take a second, and adds kernels to OpRecord::kernels. So who reads those lists calls this (or findKernel()) first.
WEFT_API const std::vector<Device*>& physicalDevices();
/// Why there is no GPU, in one line; empty if there is one.
WEFT_API const std::string& whyNoGpu();
/// `t` in host memory, wherever it lies now; shares the buffer if it is there already.
WEFT_API Result<Tensor> hostTensor(const Tensor& t);
/// An independent copy of `t`, on the host.
WEFT_API Result<Tensor> ownCopy(const Tensor& t);
/// What device names of this process begin with where no cluster is spoken of.
inline constexpr std::string_view kLocalTask = "/job:localhost/replica:0/task:0";
/// The host as a device with its own name (a session may have several CPU devices).
WEFT_API std::unique_ptr<Device> makeCpuDevice(int index, std::string_view task = kLocalTask);

/// What libweft-cuda gives: `extern "C" void weftDeviceLibrary(weft::DeviceLibrary*)`.
struct DeviceLibrary {
  int abiVersion = 1;
  std::vector<Device*> devices;  ///< Live as long as the process.
  std::string whyNone;           ///< If `devices` is empty.
};
constexpr int kDeviceAbiVersion = 1;

/// A device name in parts; -1 and empty: not said. "/cpu:0", "/device:GPU:1", "/job:ps/replica:0/task:1/device:CPU:0".
struct DeviceSpec {
  std::string job, type;
  int replica = -1, task = -1, id = -1;
  static Result<DeviceSpec> parse(const std::string& text);
  bool matches(const std::string& fullName) const;
};

}  // namespace weft
