#pragma once

#include <set>
#include <unordered_map>

#include "graph/device_parts.h"
#include "ops/constant_folding.h"
#include "weft/builder.h"

namespace weft {

/// The surroundings of new nodes; see builder.cpp and builder_scopes.cpp.
struct GraphBuilder::Impl {
  // One control_dependencies() block: what new nodes wait for, and which nodes were made inside. A node that depends on one of
  // those waits already, so it gets no edge of its own.
  struct Controller {
    std::vector<int> deps;
    std::set<int> seen;
  };
  struct DeviceScope {
    bool clears = false;
    DeviceParts spec;
    std::function<std::string(const Node&)> choose;  // instead of `spec`
  };

  explicit Impl(MetaGraph& m) : meta(m), folder(m.graph) {}

  MetaGraph& meta;
  ConstantFolder folder;
  Status status;
  std::string scope;  // without the final '/'
  std::unordered_map<std::string, int> namesInUse;
  std::vector<Controller> controllers;
  std::vector<DeviceScope> devices;
  std::vector<int> colocations;
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

/// Attributes that the inputs decide (types, counts), in the words of TensorFlow's Python client where they do not fit.
Status inferAttrs(const OpRecord& record, const std::vector<DType>& given, AttrMap& attrs);

}  // namespace weft
