#include <memory>
#include <vector>

#include "base/log.h"
#include "device/cuda/cuda_device.h"
#include "weft/op.h"

// The entry point of libweft-cuda. It registers its kernels only if there is a CUDA device. It is called once, from physicalDevices(); kernels are not read
// before that returns, and no ops are added.
namespace weft::cuda {
#define WEFT_GPU_OPS(name) void register##name##Gpu(OpRegistry& ops);
#include "device/cuda/kernel_list.inc"
#undef WEFT_GPU_OPS
}  // namespace weft::cuda

namespace {
/// Those that work, as found. They live as long as the process.
std::vector<std::unique_ptr<weft::cuda::CudaDevice>>& openGpus() {
  static std::vector<std::unique_ptr<weft::cuda::CudaDevice>> devices;
  return devices;
}
}  // namespace

extern "C" __attribute__((visibility("default"))) void weftNumberGpus(const int* order, size_t count) {
  for (size_t i = 0; i < count; ++i) openGpus()[size_t(order[i])]->setNumber(int(i));
}

extern "C" __attribute__((visibility("default"))) void weftDeviceLibrary(weft::DeviceLibrary* out) {
  using namespace weft;
  out->abiVersion = kDeviceAbiVersion;
  int count = 0;
  const cudaError_t e = cudaGetDeviceCount(&count);
  if (e == cudaErrorInsufficientDriver) {
    int has = 0, needs = 0;
    cudaDriverGetVersion(&has);
    cudaRuntimeGetVersion(&needs);
    const auto text = [](int version) { return concat(version / 1000, ".", version % 1000 / 10); };
    out->whyNone = concat("the NVIDIA driver is too old: it supports CUDA ", text(has), ", but Weft needs ", text(needs), " or more");
    return;
  }
  if (e != cudaSuccess || count == 0) {
    out->whyNone = e != cudaSuccess ? cudaGetErrorString(e) : "the driver lists none";
    return;
  }
  auto& devices = openGpus();
  for (int i = 0; i < count; ++i) {
    auto device = cuda::CudaDevice::open(i);
    if (!device.ok()) {
      out->whyNone += (out->whyNone.empty() ? "" : "; ") + device.error().message;
      continue;
    }
    out->devices.push_back(device->get());
    devices.push_back(std::move(*device));
  }
  if (devices.empty()) return;
  if (!out->whyNone.empty()) logMessage(LogLevel::Warning, "not every GPU can be used: ", out->whyNone);
  OpRegistry& ops = OpRegistry::instance();
#define WEFT_GPU_OPS(name) cuda::register##name##Gpu(ops);
#include "device/cuda/kernel_list.inc"
#undef WEFT_GPU_OPS
}
