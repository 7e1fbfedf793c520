// A device library as the engine finds it beside itself, without a GPU behind it: the host again, with a kernel for every op that has one there.
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "kernel/device.h"
#include "weft/op.h"

namespace {

using namespace weft;

class FakeGpu final : public Device {
 public:
  std::string type() const override { return "GPU"; }
  const std::string& name() const override { return name_; }
  std::string description() const override { return "fake"; }
  size_t memoryBytes() const override { return size_t(1) << 30; }
  Allocator& allocator() override { return hostAllocator(); }

 private:
  std::string name_ = "/job:localhost/replica:0/task:0/device:GPU:0";
};

}  // namespace

extern "C" __attribute__((visibility("default"))) void weftDeviceLibrary(weft::DeviceLibrary* out) {
  const char* kind = std::getenv("WEFT_TEST_DEVICES");
  const std::string wish = kind ? kind : "";
  out->abiVersion = wish == "old" ? kDeviceAbiVersion - 1 : kDeviceAbiVersion;
  if (wish == "none") out->whyNone = "the driver lists none";
  if (!wish.empty()) return;
  static FakeGpu gpu;
  out->devices.push_back(&gpu);
  for (const OpRecord* known : OpRegistry::instance().all()) {
    OpRecord* record = OpRegistry::instance().findMutable(known->name);
    const std::vector<KernelRecord> kernels = record->kernels;
    for (const KernelRecord& k : kernels) record->kernel("GPU", k.constraints, k.hostMemory, k.create);
    ::usleep(50);  // as long as a driver takes, so that the others come while it goes on
  }
}
