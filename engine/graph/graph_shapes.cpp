#include "graph/graph_shapes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "graph/constant_folding.h"
#include "weft/op.h"

namespace weft {

Result<std::vector<Shape>> inferNodeShapes(const Graph& graph, const Node& node, ConstantFolder& folder) {
  std::vector<Shape> inputs;
  inputs.reserve(node.inputs.size());
  for (Output o : node.inputs) {
    const Node* producer = graph.node(o.node);
    inputs.push_back(producer && o.index < int(producer->outputShapes.size()) ? producer->outputShapes[o.index] : Shape::unknown());
  }
  auto shapes = inferShapes(node, inputs, folder.constantsOf(node), folder.lookupsOf(node));
  if (graph.node(node.id) == &node) folder.inferred(node.id, shapes.ok());  // not for a node that is yet to be added
  return shapes;
}

std::optional<ShapeContext::HandleData> findHandleData(const Graph& graph, Output o) {
  for (int depth = 0; depth < 1000; ++depth) {
    const Node* n = graph.node(o.node);
    if (!n) break;
    if (isResourceVariable(*n)) return ShapeContext::HandleData{n->attrs.type("dtype"), n->attrs.shape("shape")};
    if (roleOf(*n) == OpRole::TensorArray) {
      if (!n->attrs.flag("identical_element_shapes")) break;
      return ShapeContext::HandleData{n->attrs.type("dtype"), n->attrs.shape("element_shape")};
    }
    if (roleOf(*n) == OpRole::Argument || isPlaceholder(*n)) {  // the latter while a function is being built
      const auto types = n->attrs.list<DType>("_handle_dtypes");
      const auto shapes = n->attrs.list<Shape>("_handle_shapes");
      if (types.size() != 1 || shapes.size() != 1) break;
      return ShapeContext::HandleData{types[0], shapes[0]};
    }
    if (roleOf(*n) == OpRole::WhileFunction && size_t(o.index) < n->inputs.size()) {
      o = n->inputs[size_t(o.index)];
      continue;
    }
    if (!passesHandles(*n) || n->inputs.empty()) break;
    o = n->inputs[0];
  }
  return std::nullopt;
}

namespace {

// The common part of two shapes; dims that differ become unknown.
Shape common(const Shape& a, const Shape& b) {
  if (!a.hasRank() || !b.hasRank() || a.rank() != b.rank()) return Shape::unknown();
  Shape out = a;
  for (int i = 0; i < a.rank(); ++i) {
    if (a.dim(i) != b.dim(i)) out.setDim(i, Shape::kUnknownDim);
  }
  return out;
}

bool isMerge(const Node& n) { return roleOf(n) == OpRole::Merge; }

constexpr const char* kStated = "_output_shapes";

/// Merges inferred shapes with those declared in the file. Contradictory declarations, and lists of the wrong length, are ignored.
void mergeStated(const Node& n, std::vector<Shape>& shapes) {
  const Attr* attr = n.attrs.find(kStated);
  if (!attr) return;
  const std::vector<Shape> stated = n.attrs.list<Shape>(kStated);
  if (stated.size() != shapes.size()) return;
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (auto merged = shapes[i].mergedWith(stated[i]); merged.ok()) shapes[i] = std::move(*merged);
  }
}

bool isLoopMerge(const Graph& graph, const Node& n) {
  return isMerge(n) && n.outputShapes.size() == 2 &&
         std::any_of(n.inputs.begin(), n.inputs.end(), [&](Output o) { return isBackEdge(*graph.node(o.node), n); });
}

/// Whether a stack's handle comes out as it went in. A Merge may have two of them.
bool passesStack(const Node& n) { return roleOf(n) == OpRole::Enter || roleOf(n) == OpRole::Switch || isIdentity(n); }

/// The Stack or StackV2 of this handle; -1 if unknown.
int stackBehind(const Graph& graph, Output o) {
  for (int depth = 0; depth < 1000; ++depth) {
    const Node* n = graph.node(o.node);
    if (!n) return -1;
    if (roleOf(*n) == OpRole::StackMaker) return n->id;
    if (n->inputs.empty() || !passesStack(*n)) return -1;
    o = n->inputs[0];
  }
  return -1;
}

/// Whether the node takes a stack's handle and may push values that cannot be tracked.
bool exposesStackHandle(const Graph& graph, const Node& n) {
  if (passesStack(n) || isStack(roleOf(n))) return false;
  for (size_t i = 0; i < n.inputs.size(); ++i) {
    const DType type = graph.dtype(n.inputs[i]);
    if ((type == DType::Resource || isRef(type)) && stackBehind(graph, n.inputs[i]) >= 0) return true;
  }
  return false;
}

/// Shapes that depend on later nodes: loop variables, and values popped from stacks. Each is first assumed to be the shape that enters, or the graph's;
/// assumptions that inference contradicts are widened, and everything is inferred again. The final shapes hold in every iteration.
class ShapeAssumptions {
 public:
  ShapeAssumptions(const Graph& graph, const std::vector<int>& order, bool trustDeclared) {
    std::map<int, std::vector<Output>> pushed;
    for (int id : order) {
      const Node& n = *graph.node(id);
      if (isLoopMerge(graph, n)) {
        for (Output o : n.inputs)
          if (isBackEdge(*graph.node(o.node), n)) later_[id].push_back(o);
      } else if (!trustDeclared && roleOf(n) == OpRole::StackPush) {
        pushed[stackBehind(graph, n.inputs[0])].push_back(n.inputs[1]);
      } else if (!trustDeclared && exposesStackHandle(graph, n)) {
        pushed[-1];
      }
    }
    if (trustDeclared || pushed.count(-1)) return;  // pushed values cannot be tracked
    for (int id : order) {
      const Node& n = *graph.node(id);
      if (roleOf(n) != OpRole::StackPop || n.outputShapes.size() != 1) continue;
      const auto it = pushed.find(stackBehind(graph, n.inputs[0]));
      if (it == pushed.end()) continue;
      later_[id] = it->second;
      shapes_[id] = n.outputShapes[0];
    }
  }
  bool holds(int id) const { return later_.count(id); }
  Shape of(const Graph& graph, const Node& n) const {
    const auto it = shapes_.find(n.id);
    if (!isMerge(n)) return it->second;
    Shape shape = it == shapes_.end() ? graph.shape(n.inputs[0]) : it->second;
    for (Output o : n.inputs)
      if (!isBackEdge(*graph.node(o.node), n)) shape = common(shape, graph.shape(o));
    return shape;
  }
  /// Widens the assumptions that the inferred shapes contradict; returns whether there were any. After kPatience rounds, all assumptions are dropped.
  bool correct(const Graph& graph, int round) {
    bool wrong = false;
    for (const auto& [id, sources] : later_) {
      const Shape& assumed = graph.shape({id, 0});
      Shape wider = assumed;
      for (Output o : sources) wider = common(wider, graph.shape(o));
      if (wider == assumed) continue;
      wrong = true;
      shapes_[id] = wider;
    }
    if (wrong && round >= kPatience)
      for (const auto& [id, sources] : later_) shapes_[id] = Shape::unknown();
    return wrong;
  }

 private:
  static constexpr int kPatience = 8;         // rounds; few graphs need more than two
  std::map<int, std::vector<Output>> later_;  // node -> sources of its later values
  std::map<int, Shape> shapes_;
};

bool changesShape(const Node& n) { return roleOf(n) == OpRole::Assign && !n.attrs.flag("validate_shape", true); }

/// Variables whose shape an Assign with validate_shape=false may change, so their declared shape may become wrong.
std::set<int> variablesOfAnyShape(const Graph& graph) {
  std::set<int> out;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n || !changesShape(*n)) continue;
    const Node* variable = graph.node(n->inputs[0].node);
    for (int depth = 0; variable && depth < 1000 && !variable->inputs.empty(); ++depth) variable = graph.node(variable->inputs[0].node);
    if (variable) out.insert(variable->id);
  }
  return out;
}

Shape firstInput(const Graph& graph, const Node& n) { return n.inputs.empty() ? Shape::unknown() : graph.shape(n.inputs[0]); }

Status inferShapes(Graph& graph, const std::vector<int>& order, std::vector<Error>* problems, bool trustDeclared) {
  ShapeAssumptions assumed(graph, order, trustDeclared);
  const std::set<int> ofAnyShape = trustDeclared ? std::set<int>() : variablesOfAnyShape(graph);
  for (int round = 0;; ++round) {
    std::vector<Error> found;
    ConstantFolder folder(graph);
    for (int id : order) {
      const Node& n = *graph.node(id);
      if (!n.record) continue;
      if (assumed.holds(id)) {
        std::vector<Shape> shapes{assumed.of(graph, n)};
        if (isMerge(n)) shapes.push_back(Shape{});
        graph.setOutputShapes(id, std::move(shapes));
        continue;
      }
      auto shapes = inferNodeShapes(graph, n, folder);
      if (shapes.ok()) {
        if (trustDeclared) mergeStated(n, *shapes);
        for (size_t k = 0; k < shapes->size(); ++k)
          if (!trustDeclared && (misstatesShape(n, int(k), firstInput(graph, n)) || ofAnyShape.count(id))) (*shapes)[k] = Shape::unknown();
        graph.setOutputShapes(id, std::move(shapes).value());
      } else {
        found.push_back(std::move(shapes.error()));
        graph.setOutputShapes(id, std::vector<Shape>(n.outputTypes.size(), Shape::unknown()));
      }
    }
    if (assumed.correct(graph, round)) continue;
    if (problems) problems->insert(problems->end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
    return {};
  }
}

}  // namespace

bool misstatesShape(const Node& node, int output, const Shape& input) {
  if (roleOf(node) == OpRole::DefaultedPlaceholder) {  // its shape function returns the declared shape, whatever the default
    const auto both = node.attrs.shape("shape").mergedWith(input);
    return !both.ok() || !(*both == input);
  }
  if (roleOf(node) == OpRole::WhileFunction)
    return node.attrs.list<Shape>("output_shapes").empty();  // declared to be the input shapes, but the body may return others
  return node.record && node.record->statedOutputs >= 0 && output >= node.record->statedOutputs;
}

Status inferGraphShapes(Graph& graph, const std::vector<int>& order, std::vector<Error>* problems) { return inferShapes(graph, order, problems, true); }

Status inferGraphShapes(Graph& graph, std::vector<Error>* problems) {
  WEFT_LET(const std::vector<int> order, graph.topologicalOrder());
  return inferShapes(graph, order, problems, true);
}

Result<bool> inferShapesForRuns(Graph& graph) {
  bool stated = graph.statesShapes;
  for (int id = 0; id < graph.size() && !stated; ++id) {
    const Node* n = graph.node(id);
    stated = n && (n->attrs.find(kStated) || misstatesShape(*n, int(n->outputTypes.size()) - 1, firstInput(graph, *n)) || changesShape(*n));
  }
  if (!stated) return false;
  WEFT_LET(const std::vector<int> order, graph.topologicalOrder());
  WEFT_TRY(inferShapes(graph, order, nullptr, false));
  return true;
}

}  // namespace weft
