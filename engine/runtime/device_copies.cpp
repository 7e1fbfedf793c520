#include <map>

#include "runtime/executor.h"
#include "runtime/host_sides.h"
#include "runtime/plan_graph.h"
#include "weft/mutex.h"
#include "weft/op_traits.h"

namespace weft {
namespace {

/// Copies input 0 to where the node's device has it: from a device to the host, from the host to a device, or between devices. A constant is copied once; later runs
/// recognize its buffer and reuse the copy.
class CopyKernel final : public Kernel {
 public:
  /// Null: the host.
  CopyKernel(Device* from, Device* to) : from_(from), to_(to) {}
  Status compute(KernelContext& c) override {
    const Tensor& from = c.input(0);
    if (!to_ || from_) {
      auto copied = !to_ ? from_->toHost(from) : to_->fromDevice(*from_, from);
      WEFT_LET(Tensor t, std::move(copied));
      c.setOutput(0, std::move(t));
      return {};
    }
    const MutexLock lock(mutex_);
    if (last_.hasValue() && last_.sharesBufferWith(from) && last_.raw() == from.raw() && last_.shape() == from.shape()) {
      c.setOutput(0, copy_);
      return {};
    }
    WEFT_LET(Tensor t, to_->fromHost(from));
    // Only constants are kept: a shared buffer can no longer be written in place by its other owners.
    last_ = constant_ ? from : Tensor();
    copy_ = constant_ ? t : Tensor();
    c.setOutput(0, std::move(t));
    return {};
  }
  void setConstant() { constant_ = true; }

 private:
  Device *const from_, *const to_;
  bool constant_ = false;
  Mutex mutex_;
  Tensor last_ WEFT_GUARDED_BY(mutex_), copy_ WEFT_GUARDED_BY(mutex_);
};

/// The record of a copy: an op of no family, with no role and no effects. Null devices: the host.
const OpRecord& copyRecord(const Device* from, const Device* to) {
  const auto named = [](const char* name) {
    OpRecord r;
    r.name = name;
    return r;
  };
  static const OpRecord in = named("_HostToDevice"), out = named("_DeviceToHost"), between = named("_DeviceToDevice");
  return !from ? in : !to ? out : between;
}

/// Whether the value may change while it is held: a reference, or what only passes one on.
bool followsVariable(const PlanGraph& plan, Output from) {
  for (;;) {
    const PlanNode& p = plan.nodes[size_t(from.node)];
    if (isRef(p.types[size_t(from.index)])) return true;
    if (!p.node || p.isConstant() || !isIdentity(*p.node) || p.inputs.empty()) return false;
    from = p.inputs[0];
  }
}

}  // namespace

HostSides hostSides(const PlanNode& p, std::string_view deviceType) {
  HostSides h;
  const bool onHost = deviceType == "CPU";
  h.inputs.assign(p.inputs.size(), onHost);
  h.outputs.assign(p.types.size(), onHost);
  for (size_t k = 0; k < p.types.size(); ++k) {
    if (sizeOf(baseType(p.types[k])) == 0) h.outputs[k] = 1;  // strings and handles
  }
  if (onHost || !p.node) return h;  // a fed tensor may be on a device: a function's argument
  for (size_t k = 0; k < h.inputs.size(); ++k) {
    if (sizeOf(baseType(p.node->inputTypes[k])) == 0) h.inputs[k] = 1;
  }
  const KernelRecord* kernel = findKernel(*p.node, deviceType);
  if (!kernel || kernel->hostMemory.empty()) return h;
  AttrMap attrs = p.node->attrs;
  const auto signature = resolveSignature(*p.node->record, attrs);
  if (!signature.ok()) return h;
  const auto mark = [&](const std::vector<ArgSpec>& args, const std::vector<std::pair<int, int>>& ranges, const std::vector<DType>& types,
                        std::vector<char>& side) {
    for (size_t a = 0; a < args.size(); ++a) {
      for (const std::string& name : kernel->hostMemory) {
        if (name != args[a].name && name != kInt32Arguments) continue;
        for (int k = ranges[a].first; k < ranges[a].second && k < int(side.size()); ++k) side[k] |= name != kInt32Arguments || types[k] == DType::Int32;
      }
    }
  };
  mark(p.node->record->inputs, signature->inputRanges, signature->inputTypes, h.inputs);
  mark(p.node->record->outputs, signature->outputRanges, signature->outputTypes, h.outputs);
  return h;
}

// RULE plan.device_copies
//   pattern      an edge between host memory and a device's memory
//   condition    not a reference on both ends
//   replacement  one copy per destination, shared by all readers there, but for values of variables; the copy of a constant is kept across runs
Status insertDeviceCopies(PlanGraph& plan) {
  bool any = false;
  for (const PlanNode& p : plan.nodes) any |= p.alive && p.device && p.device->type() != "CPU";
  if (!any) return {};
  const int n = int(plan.nodes.size());
  std::vector<HostSides> sides(n);
  for (int i = 0; i < n; ++i) {
    if (!plan.nodes[i].alive) continue;
    sides[i] = hostSides(plan.nodes[i], plan.nodes[i].device->type());
    if (plan.nodes[i].device->type() != "CPU") plan.nodes[i].hostOutputs = sides[i].outputs;
  }
  // The copy of an output on a device (null: the host). What a variable holds depends on when it is read, so each reader gets a copy of its own, after what
  // the reader waits for.
  std::map<std::tuple<int, int, Device*, int>, int> copies;
  int made = 0;
  for (int i = 0; i < n; ++i) {
    if (!plan.nodes[i].alive || plan.nodes[i].isConstant()) continue;
    for (size_t k = 0; k < plan.nodes[i].inputs.size(); ++k) {
      const Output in = plan.nodes[i].inputs[k];
      const PlanNode& from = plan.nodes[in.node];
      const DType type = from.types[in.index];
      if (isRef(type) && isRef(plan.nodes[i].node->inputTypes[k])) continue;  // placed together
      const bool fromHost = from.isConstant() || sides[in.node].outputs[in.index], toHost = sides[i].inputs[k];
      Device* fromDevice = fromHost ? nullptr : from.device;
      Device* toDevice = toHost ? nullptr : plan.nodes[i].device;
      if (fromDevice == toDevice) continue;
      const bool moves = followsVariable(plan, in);
      const auto [it, fresh] = copies.try_emplace({in.node, in.index, toDevice, moves ? i : -1}, int(plan.nodes.size()));
      if (fresh) {
        auto kernel = std::make_shared<CopyKernel>(fromDevice, toDevice);
        if (from.isConstant()) kernel->setConstant();
        Node node;
        node.name = (from.node ? from.node->name : std::string("feed")) + (toDevice ? "/_to_device" : "/_to_host");
        node.record = &copyRecord(fromDevice, toDevice);
        node.op = node.record->name;
        node.inputTypes = {baseType(type)};
        node.outputTypes = {baseType(type)};
        node.outputShapes = {from.shapes[in.index]};
        PlanNode copy;
        copy.origin = from.origin;
        copy.inputs = {in};
        if (moves) copy.controls = plan.nodes[i].controls;
        copy.types = node.outputTypes;
        copy.shapes = node.outputShapes;
        copy.device = toDevice ? toDevice : fromDevice;
        copy.hostOutputs.assign(1, toDevice == nullptr);
        copy.isCopy = true;
        copy.kernel = std::move(kernel);
        plan.made.push_back(std::move(node));
        copy.node = &plan.made.back();
        plan.nodes.push_back(std::move(copy));
        ++made;
      }
      plan.nodes[i].inputs[k] = {it->second, 0};
    }
  }
  if (made) plan.applied.push_back("device copies: " + std::to_string(made));
  return {};
}

}  // namespace weft
