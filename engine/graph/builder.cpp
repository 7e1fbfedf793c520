#include "weft/builder.h"

#include <algorithm>

#include "graph/builder_hooks.h"
#include "graph/builder_impl.h"
#include "graph/function_library.h"
#include "graph/graph_assembler.h"
#include "graph/indexed_slices.h"
#include "tensor/number.h"

namespace weft {

namespace {

// The name that op_def_library gives to an input's conversion: the argument's name, with the index for list elements.
std::string argumentName(const OpRecord& record, size_t i) {
  for (const ArgSpec& a : record.inputs) {
    if (!a.numberAttr.empty() || a.isTypeList) return a.name + "_" + std::to_string(i);
    if (i == 0) return a.name;
    --i;
  }
  return "input";
}

// Producers of reference inputs, with which the node is colocated.
std::vector<int> refInputs(const Node& n) {
  std::vector<int> out;
  for (size_t i = 0; i < n.inputs.size(); ++i) {
    if (isRef(n.inputTypes[i])) out.push_back(n.inputs[i].node);
  }
  return out;
}

}  // namespace

GraphBuilder::GraphBuilder(MetaGraph& meta) : impl_(std::make_unique<Impl>(meta)) {
  extension<StacksByThread>().begin = [impl = impl_.get()] { impl->separateStacks(); };
  // As after an import: names of nodes are in use, names of their scopes are not.
  for (int id = 0; id < meta.graph.size(); ++id) {
    const Node* n = meta.graph.node(id);
    if (!n) continue;
    std::string key = n->name;
    std::transform(key.begin(), key.end(), key.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    impl_->namesInUse.try_emplace(std::move(key), 1);
  }
  auto& around = extension<Surroundings>();
  around.attrs = [impl = impl_.get()](Node& n) { impl->applyAttrScopes(n); };
  around.colocations = [impl = impl_.get()](Node& n) { impl->applyColocations(n, {}); };
  around.devices = [impl = impl_.get()](Node& n) { impl->applyDevices(n); };
}

GraphBuilder::~GraphBuilder() = default;

const Status& GraphBuilder::status() const { return impl_->status; }
void GraphBuilder::fail(Error error) {
  if (impl_->status.ok()) impl_->status = std::move(error);
}
Graph& GraphBuilder::graph() { return impl_->meta.graph; }
MetaGraph& GraphBuilder::meta() { return impl_->meta; }

int GraphBuilder::node(std::string_view op, const Inputs& inputs, AttrMap attrs, std::string_view name) {
  if (!ok()) return -1;
  const OpRecord* record = recordOf(graph(), op);
  if (!record) {
    fail(notFound("Op type not registered '", op, "'"));
    return -1;
  }
  std::vector<Output> items = inputs.items();
  const bool sparse = std::any_of(items.begin(), items.end(), isSlices);
  Node n;
  n.op = op;
  n.record = record;
  if (name.ends_with('/')) {
    n.name = name.substr(0, name.size() - 1);
    if (auto& repeated = extension<RepeatedNames>(); repeated.numbered && graph().find(n.name)) {
      int& i = repeated.counts[n.name];
      do n.name = std::string(name.substr(0, name.size() - 1)) + "_" + std::to_string(++i);
      while (graph().find(n.name));
    }
  } else {
    n.name = uniqueName(name.empty() ? op : name);
  }
  if (!isValidNodeName(n.name) || n.name[0] == '_') {
    fail(invalidArgument("'", n.name, "' is not a valid node name"));
    return -1;
  }
  if (sparse) {
    // Conversions happen in the op's own scope and are named after the argument.
    const auto scope = nameScope(n.name + "/");
    for (size_t i = 0; i < items.size(); ++i) {
      if (isSlices(items[i])) items[i] = densified(*this, items[i], argumentName(*record, i));
    }
    if (!ok()) return -1;
  }

  std::vector<DType> given;
  given.reserve(items.size());
  for (size_t i = 0; i < items.size(); ++i) {
    const Node* from = impl_->meta.graph.node(items[i].node);
    if (!from || items[i].index < 0 || items[i].index >= int(from->outputTypes.size())) {
      fail(invalidArgument("Input ", i, " of '", n.name, "' (op: '", op, "') is no tensor of this graph").atNode(n.name));
      return -1;
    }
    given.push_back(from->outputTypes[items[i].index]);
  }
  n.attrs = std::move(attrs);
  if (const auto& overrides = extension<GradientOverrides>().byOp; !overrides.empty()) {
    if (const auto it = overrides.find(op); it != overrides.end()) n.attrs.set("_gradient_op_type", it->second);
  }
  if (Status s = inferAttrs(*record, given, n.attrs); !s.ok()) {
    fail(s.error().atNode(n.name));
    return -1;
  }
  auto signature = resolveSignature(*record, n.attrs);
  if (!signature.ok()) {
    signature.error().message += "; NodeDef: {{node " + n.name + "}}";
    fail(signature.error().atNode(n.name));
    return -1;
  }
  n.inputs = std::move(items);
  n.inputTypes = std::move(signature->inputTypes);
  n.outputTypes = std::move(signature->outputTypes);
  n.outputShapes.assign(n.outputTypes.size(), Shape::unknown());
  n.controls = impl_->controlsFor(n.inputs);
  impl_->applyScopes(n, refInputs(n));
  auto shapes = inferNodeShapes(impl_->meta.graph, n, impl_->folder);
  if (shapes.ok()) {
    n.outputShapes = std::move(shapes).value();
  } else if (!extension<OpSeedSource>().next) {  // nodes that run at once get the error of their kernel, as in TensorFlow
    fail(shapes.error());
    return -1;
  }

  const bool stated = impl_->meta.graph.statesShapes;
  auto id = impl_->meta.graph.add(std::move(n));
  impl_->meta.graph.statesShapes = stated;  // the node's shapes are inferred
  if (!id.ok()) {
    fail(id.error());
    return -1;
  }
  for (auto& c : impl_->stacks().controllers) c.seen.insert(*id);
  if (impl_->context) {
    const auto context = impl_->context;
    setContextOf(*id, context);
    // Enter and Switch nodes for the inputs are named below the node. Only constants open no scope.
    const auto own = isConstant(nodeAt(*id)) ? Guard() : nameScope(std::string(nodeAt(*id).name) + "/");
    context->addedNode(*this, *id);
  }
  return ok() ? *id : -1;
}

std::vector<Output> GraphBuilder::outputsOf(int node) const {
  std::vector<Output> out;
  if (const Node* n = impl_->meta.graph.node(node)) {
    for (int i = 0; i < int(n->outputTypes.size()); ++i) out.push_back({node, i});
  }
  return out;
}

Output GraphBuilder::constant(Tensor value, std::string_view name) {
  if (!ok()) return {};
  const DType type = value.dtype();
  return op("Const", {}, {{"dtype", type}, {"value", std::move(value)}}, name);
}

Output GraphBuilder::number(DType type, double value, std::string_view name) {
  if (!ok()) return {};
  auto t = numberOf(type, value);
  if (!t.ok()) {
    fail(t.error());  // only the first error is kept
    return {};
  }
  return constant(std::move(*t), name);
}

Output GraphBuilder::placeholder(DType type, Shape shape, std::string_view name) {
  return op("Placeholder", {}, {{"dtype", type}, {"shape", std::move(shape)}}, name);
}

Output GraphBuilder::cast(Output x, DType to, std::string_view name) {
  if (!ok()) return {};
  return dtype(x) == to ? x : op("Cast", {x}, {{"DstT", to}}, name);
}

int GraphBuilder::noOp(const std::vector<int>& controls, std::string_view name) {
  const auto wait = controlDependencies(controls);
  return node("NoOp", {}, {}, name);
}

int GraphBuilder::group(const std::vector<int>& nodes, std::string_view name) {
  const auto scope = nameScope(name);
  const std::string full = currentScope();
  if (nodes.empty()) return node("NoOp", {}, {}, full);
  std::map<std::string, std::vector<int>> byDevice;
  for (int n : nodes) byDevice[nodeAt(n).device].push_back(n);
  const auto waitFor = [&](const std::string& where, const std::vector<int>& deps, std::string_view as) {
    const auto wait = controlDependencies(deps);
    const auto place = where.empty() ? Guard() : device(where);
    return node("NoOp", {}, {}, as);
  };
  if (byDevice.size() == 1) return waitFor(byDevice.begin()->first, nodes, full);
  std::vector<int> parts;
  for (const auto& [where, deps] : byDevice) parts.push_back(waitFor(where, deps, "NoOp"));
  return waitFor({}, parts, full);
}

DType GraphBuilder::dtype(Output o) const {
  if (o.node <= -2) {
    const auto s = slicesOf(const_cast<GraphBuilder&>(*this), o);
    return s ? dtype(s->values) : DType::Invalid;
  }
  const Node* n = impl_->meta.graph.node(o.node);
  return n && o.index < int(n->outputTypes.size()) ? baseType(n->outputTypes[o.index]) : DType::Invalid;
}

Shape GraphBuilder::shape(Output o) const {
  if (o.node <= -2) {
    const auto s = slicesOf(const_cast<GraphBuilder&>(*this), o);
    return s && s->denseShape.valid() ? impl_->folder.asShape(s->denseShape) : Shape::unknown();
  }
  const Node* n = impl_->meta.graph.node(o.node);
  return n && o.index < int(n->outputShapes.size()) ? n->outputShapes[o.index] : Shape::unknown();
}

const Node& GraphBuilder::nodeAt(int id) const {
  static const Node none;
  const Node* n = impl_->meta.graph.node(id);
  return n ? *n : none;
}

std::optional<Tensor> GraphBuilder::constantValue(Output o) const { return staticValue(impl_->meta.graph, o); }

void GraphBuilder::setShape(Output o, const Shape& shape) {
  const Node* n = impl_->meta.graph.node(o.node);
  if (!ok() || !n) return;
  auto merged = n->outputShapes[o.index].mergedWith(shape);
  if (!merged.ok()) {
    fail(merged.error().atNode(n->name));
    return;
  }
  if (*merged == n->outputShapes[o.index]) return;
  auto shapes = n->outputShapes;
  shapes[o.index] = std::move(merged).value();
  impl_->meta.graph.setOutputShapes(o.node, std::move(shapes));
  impl_->meta.graph.statesShapes = true;
}

void GraphBuilder::updateInput(int node, int i, Output o) {
  const Node* changed = impl_->meta.graph.node(node);
  if (!ok() || !changed || !o.valid()) return;
  if (i < 0 || i >= int(changed->inputs.size())) {
    fail(outOfRange("Cannot update edge. Input index [", i, "] is greater than the number of total inputs [", changed->inputs.size(), "].")
             .atNode(changed->name));
    return;
  }
  if (Status s = impl_->meta.graph.change(node, [&](Node& n) { n.inputs[size_t(i)] = o; }); !s.ok()) fail(s.error());
}

void GraphBuilder::addControlInputs(int node, const std::vector<int>& controls) {
  if (!ok() || node < 0) return;
  const Status s = impl_->meta.graph.change(node, [&](Node& n) {
    for (int c : controls) {
      if (std::find(n.controls.begin(), n.controls.end(), c) == n.controls.end()) n.controls.push_back(c);
    }
  });
  if (!s.ok()) fail(s.error());
}

}  // namespace weft
