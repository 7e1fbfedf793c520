#pragma once

#include <map>

#include "graph/constant_folding.h"

namespace weft::onnx_io {

/// Values of tensors that constants alone determine. What ConstantFolder doesn't know is computed by the ops' own kernels, node by node.
class ComputedConstants {
 public:
  /// Elements that a computed tensor may have: these are axes, sizes and pads, not weights.
  static constexpr int64_t kMostElements = 4096;
  /// Nodes that one value may depend on.
  static constexpr size_t kMostNodes = 500;

  explicit ComputedConstants(const Graph& graph) : graph_(graph), folder_(graph) {}

  /// Null: it depends on a feed or on state, or is too large. Stays valid as long as this object.
  const Tensor* value(Output o);
  Shape asShape(Output o) { return folder_.asShape(o); }

 private:
  /// Lists the nodes that `o` depends on, in an order in which they can run. False: one of them cannot be computed now.
  bool collect(Output o, std::vector<int>* order);
  /// Runs one node whose inputs are known.
  bool compute(const Node& node);
  const Tensor* known(Output o);

  const Graph& graph_;
  ConstantFolder folder_;
  std::map<Output, Tensor> computed_;
};

}  // namespace weft::onnx_io
