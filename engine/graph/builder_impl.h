#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>

#include "graph/builder_hooks.h"
#include "graph/constant_folding.h"
#include "graph/device_parts.h"
#include "weft/builder.h"

namespace weft {

/// The surroundings of new nodes; see builder.cpp and builder_scopes.cpp.
struct GraphBuilder::Impl {
  // One control_dependencies() block: its dependencies, and the nodes made inside. A node that depends on one of these nodes gets no control edge,
  // because it already waits.
  struct Controller {
    std::vector<int> deps;
    std::set<int> seen;
  };
  struct DeviceScope {
    bool clears = false;
    DeviceParts spec;
    std::function<std::string(const Node&)> choose;  // instead of `spec`
  };

  // Control dependencies, devices and colocation of new nodes.
  struct Stacks {
    std::vector<Controller> controllers;
    std::vector<DeviceScope> devices;
    std::vector<int> colocations;
  };

  explicit Impl(MetaGraph& m) : meta(m), folder(m.graph) {}

  /// The name scope of a thread, without the final '/'. As in TensorFlow, each thread has its own, which begins at the root.
  const std::string& scope() const;
  void setScope(uint64_t thread, std::string scope);
  /// The stacks for the calling thread: the graph's, or the thread's own after keepStacksByThread().
  Stacks& stacks() const;
  void separateStacks();
  /// Number of the calling thread, never reused in this process.
  static uint64_t thisThread();

  MetaGraph& meta;
  ConstantFolder folder;
  Status status;
  const uint64_t maker = thisThread();
  std::string scopeOfMaker;
  std::map<uint64_t, std::string> scopes;  // of other threads, unless at the root
  std::unordered_map<std::string, int> namesInUse;
  std::optional<uint64_t> owner;  // the thread that keeps `shared` after keepStacksByThread()
  mutable Stacks shared;
  Stacks atSwitch;                              // `shared` at the time of keepStacksByThread()
  mutable std::map<uint64_t, Stacks> stacksOf;  // of threads other than `owner`; start as copies of `atSwitch`
  std::vector<AttrMap> attrScopes;
  std::shared_ptr<ControlFlowContext> context;
  std::vector<std::shared_ptr<ControlFlowContext>> contexts;  // per node
  std::optional<int64_t> graphSeed;

  std::vector<int> controlsFor(const std::vector<Output>& inputs) const;
  void applyScopes(Node& node, const std::vector<int>& alsoColocateWith) const;
  void applyAttrScopes(Node& node) const;
  void applyDevices(Node& node) const;
  void applyColocations(Node& node, const std::vector<int>& also) const;
};

/// Infers attributes from the inputs (types, counts). Errors are in the words of TensorFlow's Python client.
Status inferAttrs(const OpRecord& record, const std::vector<DType>& given, AttrMap& attrs);

}  // namespace weft
