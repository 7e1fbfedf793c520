#include <algorithm>
#include <array>
#include <map>

#include "graph/constant_folding.h"
#include "graph/small_ints.h"
#include "weft/op_traits.h"

namespace weft {
namespace {

constexpr int64_t kLargestFill = 1 << 20;

// The ops of tensor_util.constant_value in TensorFlow 1.15. Graph-building code decides by its result which ops to make, so folding more here
// would build different graphs.
bool isKnownOp(std::string_view op) {
  static constexpr std::array<std::string_view, 12> kOps = {"Const",  "Shape",    "Size", "Rank", "Range", "Cast",
                                                            "Concat", "ConcatV2", "Pack", "Fill", "Equal", "NotEqual"};
  return std::find(kOps.begin(), kOps.end(), op) != kOps.end();
}

class Evaluation {
 public:
  explicit Evaluation(const Graph& graph) : graph_(graph), folder_(graph) {}

  std::optional<Tensor> value(Output o, int depth) {
    const Node* n = graph_.node(o.node);
    if (!n || !isKnown(o, depth)) return std::nullopt;
    if (roleOf(*n) == OpRole::Fill) return filled(*n, depth);
    const Tensor* t = folder_.value(o);
    return t ? std::optional(*t) : std::nullopt;
  }

 private:
  /// Whether Python folds the op and everything that it reads. Cached per node, since a node may have many readers.
  bool isKnown(Output o, int depth) {
    const Node* n = graph_.node(o.node);
    if (!n || depth > kDeepestFolding || o.index < 0 || o.index >= int(n->outputTypes.size()) || !isKnownOp(n->op)) return false;
    if (const auto it = known_.find(o.node); it != known_.end()) return it->second;
    bool known = true;
    // Shape ops need only their input's shape, which the folder knows; Fill needs only its value.
    if (roleOf(*n) != OpRole::ShapeOf) {
      for (size_t i = roleOf(*n) == OpRole::Fill ? 1 : 0; known && i < n->inputs.size(); ++i) known = isKnown(n->inputs[i], depth + 1);
    }
    return known_[o.node] = known;
  }

  std::optional<Tensor> filled(const Node& n, int depth) {
    const auto v = n.inputs.size() == 2 ? value(n.inputs[1], depth + 1) : std::nullopt;
    const Shape s = n.outputShapes.empty() ? Shape::unknown() : n.outputShapes[0];
    const int64_t count = s.elements();
    if (!v || v->elements() != 1 || count < 0 || count > kLargestFill) return std::nullopt;
    const size_t width = sizeOf(v->dtype());
    if (width == 0) return std::nullopt;
    Tensor t = Tensor::zeros(v->dtype(), s);
    for (int64_t i = 0; i < count; ++i) std::copy_n(static_cast<const char*>(v->raw()), width, static_cast<char*>(t.mutableRaw()) + size_t(i) * width);
    return t;
  }

  const Graph& graph_;
  ConstantFolder folder_;
  std::map<int, bool> known_;
};

}  // namespace

std::optional<Tensor> staticValue(const Graph& graph, Output o) { return Evaluation(graph).value(o, 0); }

}  // namespace weft
