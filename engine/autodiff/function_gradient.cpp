#include "autodiff/function_gradient.h"

#include <algorithm>

#include "graph/constant_folding.h"
#include "graph/function_library.h"
#include "weft/op_traits.h"

namespace weft {

bool isTrainableType(DType t) {
  return t == DType::Half || t == DType::Float || t == DType::Double || isComplex(t) || t == DType::Resource || t == DType::Variant;
}

Shape commonShape(const Shape& a, const Shape& b) {
  if (!a.hasRank() || !b.hasRank() || a.rank() != b.rank()) return Shape::unknown();
  Shape out = a;
  for (int i = 0; i < a.rank(); ++i) {
    if (a.dim(i) != b.dim(i)) out.setDim(i, Shape::kUnknownDim);
  }
  return out;
}

Attr functionCalled(const std::string& name) { return FuncAttr{name, std::make_shared<AttrMap>()}; }

namespace {

/// Records the dtype and shape of the variable behind a handle, in the form used by function arguments.
void describeHandle(Graph& graph, int arg, const ShapeContext::HandleData& handle) {
  (void)graph.change(arg, [&](Node& n) {
    n.attrs.set("_handle_dtypes", std::vector<DType>{handle.dtype});
    n.attrs.set("_handle_shapes", std::vector<Shape>{handle.shape});
  });
}

}  // namespace

Status FunctionGradient::open(GraphBuilder& outer, const FuncAttr& function, const std::vector<Output>& inputs, const std::vector<Shape>& shapes) {
  static const AttrMap kNone;
  const auto library = outer.graph().functions;
  if (!library) return notFound("Function ", function.name, " is not defined.");
  WEFT_LET(const auto found, library->instantiate(function.name, function.attrs ? *function.attrs : kNone));
  if (found->args.size() != inputs.size()) {
    return invalidArgument("Function ", function.name, " takes ", found->args.size(), " arguments, but gets ", inputs.size());
  }
  name = function.name;
  meta.graph = found->graph;
  meta.graph.functions = library;
  args = found->args;
  results = found->results;
  targets = found->targets;
  for (size_t i = 0; i < args.size(); ++i) {
    if (const auto handle = findHandleData(outer.graph(), inputs[i])) describeHandle(meta.graph, args[i].node, *handle);
  }
  // The arguments' shapes are known here, so infer those of the other nodes.
  WEFT_LET(const std::vector<int> order, meta.graph.topologicalOrder());
  for (size_t i = 0; i < args.size(); ++i) meta.graph.setOutputShapes(args[i].node, {shapes[i]});
  ConstantFolder folder(meta.graph);
  for (const int id : order) {
    const Node& n = *meta.graph.node(id);
    if (!n.record || roleOf(n) == OpRole::Argument) continue;
    if (auto inferred = inferNodeShapes(meta.graph, n, folder); inferred.ok()) meta.graph.setOutputShapes(id, std::move(*inferred));
  }
  opened_ = meta.graph.size();
  builder = std::make_unique<GraphBuilder>(meta);
  return {};
}

Result<std::vector<Gradient>> FunctionGradient::gradients(const std::vector<Output>& ys, const std::vector<Output>& xs, const GradientsOptions& options) {
  auto found = addGradients(*builder, ys, xs, options);
  if (found.ok()) return found;
  // The failing node is inside the function; the caller's graph does not contain it.
  Error e = found.error();
  e.message = concat("In function ", name, e.node.empty() ? "" : ", node ", e.node, ": ", e.message);
  e.node.clear();
  return e;
}

Output FunctionGradient::addArg(GraphBuilder& outer, DType type, const Shape& shape, const std::string& argName, Output like) {
  const auto anywhere = builder->clearControlDependencies();
  const Output arg = builder->op("_Arg", {}, {{"T", type}, {"index", 0}}, argName);
  if (!arg.valid()) return arg;
  builder->setShape(arg, shape);
  if (type == DType::Resource && like.valid()) {
    if (const auto handle = findHandleData(outer.graph(), like)) describeHandle(meta.graph, arg.node, *handle);
  }
  return arg;
}

void FunctionGradient::divide() {
  std::vector<int> open;
  for (int id = 0; id < opened_; ++id) {
    if (meta.graph.node(id)) open.push_back(id);
  }
  while (!open.empty()) {
    const int id = open.back();
    open.pop_back();
    if (!body.insert(id).second) continue;
    const Node& n = *meta.graph.node(id);
    for (const Output o : n.inputs) open.push_back(o.node);
    open.insert(open.end(), n.controls.begin(), n.controls.end());
  }
  for (int id = opened_; id < meta.graph.size(); ++id) {
    if (meta.graph.node(id) && !body.contains(id)) gradient.insert(id);
  }
}

Status FunctionGradient::reroute(const std::set<Output>& strangers, std::vector<Output>& outputs, const std::function<Result<Output>(Output)>& capture) {
  const auto comesFromOutside = [&](Output o) { return body.contains(o.node) || strangers.contains(o); };
  const std::vector<int> ids(gradient.begin(), gradient.end());
  for (const int id : ids) {
    const std::vector<Output> inputs = meta.graph.node(id)->inputs;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!comesFromOutside(inputs[i])) continue;
      WEFT_LET(const Output here, capture(inputs[i]));
      builder->updateInput(id, int(i), here);
    }
  }
  for (Output& o : outputs) {
    if (!comesFromOutside(o)) continue;
    WEFT_LET(o, capture(o));
  }
  return builder->status();
}

Output FunctionGradient::captured(GraphBuilder& outer, Output tensor, DType type, const Shape& shape, const std::string& argName) {
  for (const Capture& c : captures) {
    if (c.outer == tensor) return c.arg;
  }
  const Output arg = addArg(outer, type, shape, argName, tensor);
  gradient.insert(arg.node);
  captures.push_back({tensor, arg, arg});
  return arg;
}

Result<size_t> FunctionGradient::resourceArg(Output o) const {
  for (int depth = 0; depth < 1000; ++depth) {
    if (const auto at = std::find(args.begin(), args.end(), o); at != args.end()) return size_t(at - args.begin());
    const Node& n = *meta.graph.node(o.node);
    const bool passes = roleOf(n) == OpRole::Identity || roleOf(n) == OpRole::WhileFunction;
    if (!passes || size_t(o.index) >= n.inputs.size()) break;
    o = n.inputs[size_t(o.index)];
  }
  return unimplemented("Function ", name, ": its gradient needs the resource ", meta.graph.tensorName(o),
                       ", which is made inside of the function; only resources that come in as arguments can be used there.");
}

Result<std::string> FunctionGradient::publish(GraphBuilder& outer, const std::string& preferredName, bool gradientHalf, const std::vector<Output>& fromArgs,
                                              const std::vector<Output>& toResults) {
  WEFT_TRY(builder->status());
  FunctionPart part;
  part.name = freeFunctionName(outer.graph().functions.get(), preferredName);
  part.nodes = gradientHalf ? gradient : body;
  part.args = fromArgs;
  part.results = toResults;
  if (!gradientHalf) part.targets = targets;
  meta.graph.functions = outer.graph().functions;
  WEFT_LET(auto functions, withFunction(meta.graph, part));
  setFunctions(outer.graph(), std::move(functions));
  return part.name;
}

std::string freeGradientName(const Graph& graph, const std::string& base, const std::vector<std::string>& taken) {
  for (int k = 0;; ++k) {
    std::string name = base + "_grad_" + std::to_string(k);
    if (std::find(taken.begin(), taken.end(), name) == taken.end() && !graph.functions->contains(name)) return name;
  }
}

void addVariantOutputs(Node& node, size_t more, const char* types) {
  node.outputTypes.insert(node.outputTypes.end(), more, DType::Variant);
  node.outputShapes.insert(node.outputShapes.end(), more, Shape{});
  std::vector<DType> all;
  for (const DType t : node.outputTypes) all.push_back(baseType(t));
  node.attrs.set(types, all);
  node.attrs.set("output_shapes", node.outputShapes);
  std::erase(node.defaulted, "output_shapes");
}

}  // namespace weft
