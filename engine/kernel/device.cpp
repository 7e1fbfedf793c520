#include "kernel/device.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "kernel/library.h"
#include "tensor/element_types.h"
#include "weft/gpus.h"
#include "weft/mutex.h"

namespace weft {
namespace {

class CpuDevice final : public Device {
 public:
  CpuDevice(int index, std::string_view task) : name_(std::string(task) + "/device:CPU:" + std::to_string(index)) {}
  std::string type() const override { return "CPU"; }
  const std::string& name() const override { return name_; }
  std::string description() const override { return "processor with " + std::to_string(::sysconf(_SC_NPROCESSORS_ONLN)) + " threads"; }
  size_t memoryBytes() const override { return size_t(::sysconf(_SC_PHYS_PAGES)) * size_t(::sysconf(_SC_PAGE_SIZE)); }
  Allocator& allocator() override { return hostAllocator(); }

 private:
  std::string name_;
};

using NumberGpus = void (*)(const int* order, size_t count);

struct Found {
  std::vector<Device*> devices;
  std::string why;
  NumberGpus numberGpus = nullptr;  ///< Of the device library: GPU:i becomes the one that was found as order[i].
};

/// The choices on GPUs that hold for the whole process.
struct GpuChoices {
  Mutex mutex;
  std::vector<int> order WEFT_GUARDED_BY(mutex);  ///< Empty: as found.
  bool settled WEFT_GUARDED_BY(mutex) = false;
  double fraction WEFT_GUARDED_BY(mutex) = 0;                 ///< Of memory; 0: not chosen.
  std::atomic<const std::vector<Device*>*> devices{nullptr};  ///< In that order, if it is another.
};
GpuChoices& gpuChoices() {
  static auto* choices = new GpuChoices;
  return *choices;
}

/// Whether GPUs are those of the host build of the device code (engine/device/cuda/host).
bool hostBuildOfGpu() {
  const char* wanted = std::getenv("WEFT_GPU");
  return wanted && std::string_view(wanted) == "host";
}

/// libweft-cuda lies beside libweft-engine. It is optional and opened at run time.
void loadGpus(Found& found) {
  const bool host = hostBuildOfGpu();
  if (const char* wanted = std::getenv("WEFT_GPU"); wanted && *wanted && !host) {
    found.why = "no CUDA device: WEFT_GPU is '" + std::string(wanted) + "'; expected 'host', or that it is not set";
    return;
  }
  const std::filesystem::path path = libraryBesideEngine(host ? "libweft-cuda-host.so" : "libweft-cuda.so");
  std::error_code ec;
  if (!std::filesystem::exists(path, ec)) {
    found.why = host ? "no CUDA device: Weft was built without the host build of the device code" : "no CUDA device: Weft was built without CUDA";
    return;
  }
  // Loading hundreds of megabytes of CUDA libraries takes a third of a second; without a driver that would be wasted.
  if (!host && !::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL)) {
    found.why = "no CUDA device: no NVIDIA driver (libcuda.so.1) on this machine";
    return;
  }
  std::string why;
  void* library = openLibrary(path, why);
  if (!library) {
    found.why = "no CUDA device: " + why;
    return;
  }
  using Entry = void (*)(DeviceLibrary*);
  auto entry = reinterpret_cast<Entry>(::dlsym(library, "weftDeviceLibrary"));
  DeviceLibrary gpus;
  if (entry) entry(&gpus);
  if (!entry || gpus.abiVersion != kDeviceAbiVersion) {
    found.why = "no CUDA device: " + path.string() + " belongs to another version of Weft";
    return;
  }
  found.numberGpus = reinterpret_cast<NumberGpus>(::dlsym(library, "weftNumberGpus"));
  found.devices.insert(found.devices.end(), gpus.devices.begin(), gpus.devices.end());
  found.why = gpus.devices.empty() ? "no CUDA device: " + gpus.whyNone : std::string();
}

const Found& found() {
  static const Found* all = [] {
    auto* f = new Found;
    f->devices.push_back(makeCpuDevice(0).release());
    loadGpus(*f);
    return f;
  }();
  return *all;
}

bool takeInt(std::string_view text, int& out) {
  if (text == "*") return true;
  const auto r = std::from_chars(text.data(), text.data() + text.size(), out);
  return r.ec == std::errc() && r.ptr == text.data() + text.size() && out >= 0;
}

std::string upper(std::string_view s) {
  std::string out(s);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return char(std::toupper(c)); });
  return out;
}

}  // namespace

std::unique_ptr<Device> makeCpuDevice(int index, std::string_view task) { return std::make_unique<CpuDevice>(index, task); }
const std::vector<Device*>& physicalDevices() {
  const std::vector<Device*>* chosen = gpuChoices().devices.load(std::memory_order_acquire);
  return chosen ? *chosen : found().devices;
}
const std::string& whyNoGpu() { return found().why; }

Status chooseGpus(const std::vector<int>& order) {
  const std::vector<Device*>& devices = found().devices;
  const int count = int(devices.size()) - 1;  // the first is the CPU
  if (count == 0) return {};
  std::vector<int> all;
  for (const int number : order) {
    if (number < 0 || number >= count)
      return invalidArgument("'visible_device_list' listed an invalid GPU id '", number, "' but visible device count is ", count);
    if (std::find(all.begin(), all.end(), number) != all.end()) return invalidArgument("visible_device_list contained a duplicate entry: ", number);
    all.push_back(number);
  }
  for (int i = 0; i < count; ++i)
    if (std::find(all.begin(), all.end(), i) == all.end()) all.push_back(i);
  GpuChoices& choices = gpuChoices();
  const MutexLock lock(choices.mutex);
  for (size_t i = 0; i < order.size(); ++i) {
    const int before = choices.order.empty() ? int(i) : choices.order[i];
    if (!choices.settled || before == order[i]) continue;
    return alreadyExists("TensorFlow device (GPU:", i, ") is being mapped to multiple CUDA devices (", order[i], " now, and ", before,
                         " previously), which is not supported. This may be the result of providing different GPU configurations (ConfigProto.gpu_options, for "
                         "example different visible_device_list) when creating multiple Sessions in the same process.");
  }
  if (choices.settled || all == choices.order) return {};
  found().numberGpus(all.data(), all.size());
  auto list = std::make_unique<std::vector<Device*>>();
  list->push_back(devices.front());
  for (const int i : all) list->push_back(devices[size_t(i) + 1]);
  choices.devices.store(list.release(), std::memory_order_release);  // kept: others may still read the one before
  choices.order = std::move(all);
  return {};
}

void settleGpus() {
  GpuChoices& choices = gpuChoices();
  const MutexLock lock(choices.mutex);
  choices.settled = true;
}

bool limitGpuMemory(double fraction) {
  GpuChoices& choices = gpuChoices();
  const MutexLock lock(choices.mutex);
  if (choices.fraction > 0) return choices.fraction == fraction;
  choices.fraction = fraction;
  for (Device* d : found().devices)
    if (d->place() > 0) d->allocator().setLimit(size_t(double(d->memoryBytes()) * fraction));
  return true;
}

Result<Tensor> hostTensor(const Tensor& t) {
  if (t.place() == 0) return t;
  for (Device* d : physicalDevices()) {
    if (d->place() == t.place()) return d->toHost(t);
  }
  return internalError("Tensor lies on device number ", t.place(), ", which is not there");
}

Result<Tensor> tensorAt(Device& device, const Tensor& t) {
  if (t.place() == device.place() || sizeOf(t.dtype()) == 0) return t;
  if (device.place() == 0) return hostTensor(t);
  if (t.place() == 0) return device.fromHost(t);
  for (Device* d : physicalDevices()) {
    if (d->place() == t.place()) return device.fromDevice(*d, t);
  }
  return internalError("Tensor lies on device number ", t.place(), ", which is not there");
}

Result<Tensor> Device::fromDevice(Device& other, const Tensor& t) {
  WEFT_LET(const Tensor host, other.toHost(t));
  return fromHost(host);
}

Status Device::copyRange(const Tensor& from, int64_t fromBegin, Tensor& to, int64_t toBegin, int64_t count) {
  copyElements(to, toBegin, from, fromBegin, count);
  return {};
}

Result<Tensor> Device::sum(const Tensor& a, const Tensor& b) {
  WEFT_LET(Tensor out, Tensor::allocate(a.dtype(), a.shape()));
  const bool known = withNumber(a.dtype(), [&]<typename T>(std::type_identity<T>) {
    const T *x = elementsOf<T>(a), *y = elementsOf<T>(b);
    T* to = elementsOf<T>(out);
    for (int64_t i = 0, n = a.elements(); i < n; ++i) to[i] = T(x[i] + y[i]);
  });
  if (!known) return unimplemented("values of type ", dtypeShortName(a.dtype()), " cannot be added");
  return out;
}

Result<Tensor> ownCopy(const Tensor& t) { return t.place() == 0 ? t.clone() : hostTensor(t); }

std::vector<DeviceInfo> availableDevices(std::string* why) {
  std::vector<DeviceInfo> out;
  for (Device* d : physicalDevices()) {
    const std::string full = d->name();
    out.push_back({full.substr(full.rfind("/device:")), d->type(), d->description(), d->memoryBytes()});
  }
  if (why) *why = whyNoGpu();
  return out;
}

Result<DeviceSpec> DeviceSpec::parse(const std::string& text) {
  DeviceSpec spec;
  const auto malformed = [&] { return invalidArgument("Malformed device specification '", text, "'"); };
  size_t pos = 0;
  while (pos < text.size()) {
    if (text[pos] != '/') return malformed();
    const size_t end = std::min(text.find('/', pos + 1), text.size());
    const std::string_view part = std::string_view(text).substr(pos + 1, end - pos - 1);
    pos = end;
    const size_t colon = part.find(':');
    if (part.empty()) continue;
    if (colon == std::string_view::npos) return malformed();
    const std::string_view key = part.substr(0, colon), value = part.substr(colon + 1);
    if (key == "job") {
      spec.job = value == "*" ? "" : std::string(value);
    } else if (key == "replica") {
      if (!takeInt(value, spec.replica)) return malformed();
    } else if (key == "task") {
      if (!takeInt(value, spec.task)) return malformed();
    } else if (key == "device") {
      const size_t c = value.rfind(':');
      spec.type = upper(value.substr(0, c));
      if (c != std::string_view::npos && !takeInt(value.substr(c + 1), spec.id)) return malformed();
      if (spec.type == "*") spec.type.clear();
    } else if (key == "cpu" || key == "CPU" || key == "gpu" || key == "GPU" || key == "tpu" || key == "TPU") {
      spec.type = upper(key);
      if (!takeInt(value, spec.id)) return malformed();
    } else {
      return malformed();
    }
  }
  return spec;
}

bool DeviceSpec::matches(const std::string& fullName) const {
  const auto full = parse(fullName);
  if (!full.ok()) return false;
  return (job.empty() || job == full->job) && (replica < 0 || replica == full->replica) && (task < 0 || task == full->task) &&
         (type.empty() || type == full->type) && (id < 0 || id == full->id);
}

}  // namespace weft
