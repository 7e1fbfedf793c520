#pragma once

#include <map>
#include <optional>
#include <set>

#include "graph/shape_context.h"

namespace weft {

/// Maximum length of a chain of producers that is folded.
inline constexpr int kDeepestFolding = 200;

/// Values of tensors that are known before a run, for shape functions: constants, shapes of tensors with known shapes, and small integer computations
/// on these. Caches its results; the graph may grow between calls.
class WEFT_API ConstantFolder {
 public:
  explicit ConstantFolder(const Graph& graph) : graph_(graph) {}

  /// The value of a tensor, or null. Stays valid as long as the folder.
  const Tensor* value(Output o);
  /// The value of a vector as a shape; unknown elements become unknown dims. Unknown rank if nothing is known.
  Shape asShape(Output o);

  /// Reports whether a node's shape inference succeeded; otherwise its value is not folded. Without a report it is tested on demand.
  void inferred(int node, bool ok) { sound_[node] = ok; }

  /// The lookups of one node, for inferShapes().
  ShapeContext::ConstantLookup constantsOf(const Node& node);
  ShapeContext::Lookups lookupsOf(const Node& node);

 private:
  const Tensor* fold(Output o, int depth);
  std::optional<Tensor> compute(const Node& node, int index, int depth);
  Shape asShape(Output o, int depth);
  /// Whether the shape function accepts the node's inputs and its result fits the value's shape.
  bool agrees(const Node& node, int index, const Tensor& value, int depth);

  const Graph& graph_;
  std::map<Output, Tensor> known_;
  std::set<Output> unfoldable_;  // outputs without a value, in the current query
  std::map<int, bool> sound_;    // by node: whether its shapes could be inferred
};

/// Infers the shapes of one node from its producers' shapes in `graph`.
Result<std::vector<Shape>> inferNodeShapes(const Graph& graph, const Node& node, ConstantFolder& folder);

/// TensorFlow's tensor_util.constant_value, the static value that Python code sees. It folds fewer ops than shape functions do.
WEFT_API std::optional<Tensor> staticValue(const Graph& graph, Output o);

}  // namespace weft
