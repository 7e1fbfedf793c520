#include <memory>
#include <vector>

#include "device/cuda/cuda_device.h"
#include "weft/op.h"

// The entry point of libweft-cuda. It registers its kernels only if there is a CUDA device. It is called once, from physicalDevices(); kernels are not read
// before that returns, and no ops are added.
namespace weft::cuda {
#define WEFT_GPU_OPS(name) void register##name##Gpu(OpRegistry& ops);
#include "device/cuda/kernel_list.inc"
#undef WEFT_GPU_OPS
}  // namespace weft::cuda

extern "C" __attribute__((visibility("default"))) void weftDeviceLibrary(weft::DeviceLibrary* out) {
  using namespace weft;
  out->abiVersion = kDeviceAbiVersion;
  int count = 0;
  const cudaError_t e = cudaGetDeviceCount(&count);
  if (e != cudaSuccess || count == 0) {
    out->whyNone = e != cudaSuccess ? cudaGetErrorString(e) : "the driver lists none";
    return;
  }
  static std::vector<std::unique_ptr<cuda::CudaDevice>> devices;  // live as long as the process
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
  OpRegistry& ops = OpRegistry::instance();
#define WEFT_GPU_OPS(name) cuda::register##name##Gpu(ops);
#include "device/cuda/kernel_list.inc"
#undef WEFT_GPU_OPS
}
