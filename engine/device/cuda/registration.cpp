#include "device/cuda/registration.h"

#include <algorithm>

namespace weft::cuda {
namespace {

std::vector<std::string> allArguments(const OpRecord& record) {
  std::vector<std::string> names;
  for (const auto* args : {&record.inputs, &record.outputs}) {
    for (const ArgSpec& a : *args) names.push_back(a.name);
  }
  return names;
}

/// What both lists of types allow; nullopt: nothing.
std::optional<std::vector<KernelConstraint>> restricted(std::vector<KernelConstraint> constraints, const std::string& attr, const std::vector<DType>& types) {
  if (types.empty()) return constraints;
  for (KernelConstraint& c : constraints) {
    if (c.attr != attr) continue;
    std::erase_if(c.types, [&](DType t) { return std::find(types.begin(), types.end(), t) == types.end(); });
    if (c.types.empty()) return {};
    return constraints;
  }
  constraints.push_back({attr, types});
  return constraints;
}

}  // namespace

void addAny(OpRegistry& ops, const char* op, Status (*f)(KernelContext&), const std::vector<std::string>& hostMemory,
            std::vector<KernelConstraint> constraints) {
  if (OpRecord* record = ops.findMutable(op)) record->kernel("GPU", std::move(constraints), hostMemory, simpleKernel(f));
}

namespace {

void share(OpRegistry& ops, const char* op, const std::vector<std::string>* hostMemory, const std::vector<DType>& types, const char* attr, bool onlyIfAsked) {
  OpRecord* record = ops.findMutable(op);
  if (!record) return;
  const std::vector<KernelRecord> kernels = record->kernels;
  for (const KernelRecord& k : kernels) {
    if (k.device != "CPU") continue;
    if (auto constraints = restricted(k.constraints, attr, types)) {
      std::vector<std::string> host = hostMemory ? *hostMemory : allArguments(*record);
      if (onlyIfAsked) host.emplace_back(kOnlyIfAsked);
      record->kernel("GPU", std::move(*constraints), std::move(host), k.create);
    }
  }
}

}  // namespace

void shareWithCpu(OpRegistry& ops, const char* op, const std::vector<std::string>& hostMemory, const std::vector<DType>& types, const char* attr) {
  share(ops, op, &hostMemory, types, attr, false);
}

void keepOnHost(OpRegistry& ops, const char* op, const std::vector<DType>& types, const char* attr, bool onlyIfAsked) {
  share(ops, op, nullptr, types, attr, onlyIfAsked);
}

}  // namespace weft::cuda
