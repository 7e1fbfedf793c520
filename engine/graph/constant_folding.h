#pragma once

#include <map>
#include <optional>
#include <set>

#include "graph/shape_context.h"

namespace weft {

/// So many producers lie at most between a tensor and the constants that its value is folded from.
inline constexpr int kDeepestFolding = 200;

/// Values of tensors that are known before the run, as far as shape functions need them: constants, shapes of tensors with known
/// shapes, and small integer computations on these. Remembers what it found; the graph may grow between calls.
class WEFT_API ConstantFolder {
 public:
  explicit ConstantFolder(const Graph& graph) : graph_(graph) {}

  /// The value of a tensor, or null. Stays valid as long as the folder.
  const Tensor* value(Output o);
  /// The value of a vector read as a shape with unknown dims where parts are not known; unknown rank if nothing is known.
  Shape asShape(Output o);

  /// What became of the inference of a node's shapes. Nothing is folded where it failed; who has not told is found out when it matters.
  void inferred(int node, bool ok) { sound_[node] = ok; }

  /// The lookups of one node, for inferShapes().
  ShapeContext::ConstantLookup constantsOf(const Node& node);
  ShapeContext::Lookups lookupsOf(const Node& node);

 private:
  const Tensor* fold(Output o, int depth);
  std::optional<Tensor> compute(const Node& node, int index, int depth);
  Shape asShape(Output o, int depth);
  /// Whether the shape function takes the node's inputs and its result has the value's shape.
  bool agrees(const Node& node, int index, const Tensor& value, int depth);

  const Graph& graph_;
  std::map<Output, Tensor> known_;
  std::set<Output> hopeless_;  // of the query that runs
  std::map<int, bool> sound_;  // by node: whether its shapes could be inferred
};

/// Infers the shapes of one node from those that its producers have in `graph`.
Result<std::vector<Shape>> inferNodeShapes(const Graph& graph, const Node& node, ConstantFolder& folder);

/// TensorFlow's tensor_util.constant_value: what Python code sees when it asks for a static value (fewer ops than shape functions fold).
WEFT_API std::optional<Tensor> staticValue(const Graph& graph, Output o);

}  // namespace weft
