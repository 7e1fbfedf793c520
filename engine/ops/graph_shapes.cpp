#include "ops/graph_shapes.h"

#include <algorithm>

#include "ops/constant_folding.h"

namespace weft {

Result<std::vector<Shape>> inferNodeShapes(const Graph& graph, const Node& node, ConstantFolder& folder) {
  std::vector<Shape> inputs;
  inputs.reserve(node.inputs.size());
  for (Output o : node.inputs) {
    const Node* producer = graph.node(o.node);
    inputs.push_back(producer && o.index < int(producer->outputShapes.size()) ? producer->outputShapes[o.index] : Shape::unknown());
  }
  auto shapes = inferShapes(node, inputs, folder.constantsOf(node), folder.lookupsOf(node));
  if (graph.node(node.id) == &node) folder.inferred(node.id, shapes.ok());  // not one that is about to be added
  return shapes;
}

std::optional<ShapeContext::HandleData> findHandleData(const Graph& graph, Output o) {
  for (int depth = 0; depth < 1000; ++depth) {
    const Node* n = graph.node(o.node);
    if (!n) break;
    if (n->op == "VarHandleOp") return ShapeContext::HandleData{n->attrs.type("dtype"), n->attrs.shape("shape")};
    if (n->op == "TensorArrayV3") {
      if (!n->attrs.flag("identical_element_shapes")) break;
      return ShapeContext::HandleData{n->attrs.type("dtype"), n->attrs.shape("element_shape")};
    }
    if (n->op == "_Arg" || n->op == "Placeholder") {  // the latter while a function is being built
      const auto types = n->attrs.list<DType>("_handle_dtypes");
      const auto shapes = n->attrs.list<Shape>("_handle_shapes");
      if (types.size() != 1 || shapes.size() != 1) break;
      return ShapeContext::HandleData{types[0], shapes[0]};
    }
    if ((n->op == "While" || n->op == "StatelessWhile") && size_t(o.index) < n->inputs.size()) {
      o = n->inputs[size_t(o.index)];
      continue;
    }
    static const char* const kPass[] = {"Identity", "Enter", "Exit", "Switch", "NextIteration", "Merge"};
    const bool passes = std::any_of(std::begin(kPass), std::end(kPass), [&](const char* op) { return n->op == op; });
    if (!passes || n->inputs.empty()) break;
    o = n->inputs[0];
  }
  return std::nullopt;
}

namespace {

// What two shapes have in common: dims that differ become unknown.
Shape common(const Shape& a, const Shape& b) {
  if (!a.hasRank() || !b.hasRank() || a.rank() != b.rank()) return Shape::unknown();
  Shape out = a;
  for (int i = 0; i < a.rank(); ++i) {
    if (a.dim(i) != b.dim(i)) out.setDim(i, Shape::kUnknownDim);
  }
  return out;
}

bool isMerge(const Node& n) { return n.op == "Merge" || n.op == "RefMerge"; }

constexpr const char* kStated = "_output_shapes";

/// What is inferred and what the file states together; what contradicts each other, and lists of another length, count for nothing.
void mergeStated(const Node& n, std::vector<Shape>& shapes) {
  const Attr* attr = n.attrs.find(kStated);
  if (!attr) return;
  const std::vector<Shape> stated = n.attrs.list<Shape>(kStated);
  if (stated.size() != shapes.size()) return;
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (auto merged = shapes[i].mergedWith(stated[i]); merged.ok()) shapes[i] = std::move(*merged);
  }
}

Status inferShapes(Graph& graph, const std::vector<int>& order, std::vector<Error>* problems, bool believes) {
  // A loop variable has the shape of what enters the loop unless the body gives it back with another one: then the differing dims are
  // unknown and everything is inferred once more. Each round only ever forgets dims, so it ends; few graphs need more than two rounds.
  std::map<int, Shape> relaxed;
  for (int round = 0; round < 8; ++round) {
    std::vector<Error> found;
    ConstantFolder folder(graph);
    for (int id : order) {
      const Node& n = *graph.node(id);
      if (!n.record) continue;
      if (isMerge(n)) {
        const bool loop = std::any_of(n.inputs.begin(), n.inputs.end(), [&](Output o) { return graph.node(o.node)->op.ends_with("NextIteration"); });
        if (loop && n.outputShapes.size() == 2) {
          const auto it = relaxed.find(id);
          graph.setOutputShapes(id, {it != relaxed.end() ? it->second : graph.shape(n.inputs[0]), Shape{}});
          continue;
        }
      }
      auto shapes = inferNodeShapes(graph, n, folder);
      if (shapes.ok()) {
        if (believes) mergeStated(n, *shapes);
        for (size_t k = 0; k < shapes->size(); ++k)
          if (!believes && misstatesShape(n, int(k))) (*shapes)[k] = Shape::unknown();
        graph.setOutputShapes(id, std::move(shapes).value());
      } else {
        found.push_back(std::move(shapes.error()));
        graph.setOutputShapes(id, std::vector<Shape>(n.outputTypes.size(), Shape::unknown()));
      }
    }
    bool again = false;
    for (int id : order) {
      const Node& n = *graph.node(id);
      if (!isMerge(n) || n.outputShapes.empty()) continue;
      for (Output o : n.inputs) {
        if (!graph.node(o.node)->op.ends_with("NextIteration")) continue;
        const Shape wider = common(n.outputShapes[0], graph.shape(o));
        if (wider == n.outputShapes[0]) continue;
        relaxed[id] = round < 6 ? wider : Shape::unknown();
        again = true;
      }
    }
    if (again && round < 7) continue;
    if (problems) problems->insert(problems->end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
    break;
  }
  return {};
}

}  // namespace

bool misstatesShape(const Node& node, int output) {
  if (node.op == "DebugNanCount") return true;                             // a vector of one, not a scalar
  return output >= 3 && node.op.starts_with("FusedBatchNormGrad");  // scalars, not empty vectors
}

Status inferGraphShapes(Graph& graph, const std::vector<int>& order, std::vector<Error>* problems) { return inferShapes(graph, order, problems, true); }

Status inferGraphShapes(Graph& graph, std::vector<Error>* problems) {
  WEFT_LET(const std::vector<int> order, graph.topologicalOrder());
  return inferShapes(graph, order, problems, true);
}

Status inferShapesForRuns(Graph& graph) {
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n || (!n->attrs.find(kStated) && !misstatesShape(*n, int(n->outputTypes.size()) - 1))) continue;
    WEFT_LET(const std::vector<int> order, graph.topologicalOrder());
    return inferShapes(graph, order, nullptr, false);
  }
  return {};
}

}  // namespace weft
