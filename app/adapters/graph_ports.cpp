// Ends of wires, and what fits them: look-ups for gestures.
#include <QCoreApplication>
#include <algorithm>

#include "adapters/engine_graph.h"
#include "adapters/graph_edit.h"
#include "weft/op.h"
#include "weft/recipes.h"

namespace weft::app {
namespace {

struct Ports {
  Q_DECLARE_TR_FUNCTIONS(GraphPorts)
};

QString shapeOrUnknown(const Shape& shape) {
  QString out;
  return shapeText(shape, &out) ? out : QStringLiteral("?");
}

const Recipe* recipeOf(const std::vector<Recipe>& recipes, const std::string& scope) {
  for (const Recipe& r : recipes)
    if (r.scope == scope && !r.trains()) return &r;
  return nullptr;
}

void fill(const Graph& graph, Output o, NodePorts::Port* port) {
  port->dtype = text(dtypeName(graph.dtype(o)));
  port->shape = shapeOrUnknown(graph.shape(o));
}

NodePorts layerPorts(const GraphContents& contents, const Recipe& r) {
  NodePorts out;
  const Graph& graph = contents.engine->loaded.meta.graph;
  const ApiRecord* record = ApiRegistry::instance().find(r.kind);
  const auto inputs = record ? layerInputs(*record) : std::vector<LayerInput>();
  for (size_t i = 0; i < std::max(inputs.size(), r.inputs.size()); ++i) {
    const bool inList = i >= inputs.size() || inputs[i].list;
    const LayerInput& spec = inputs[std::min(i, inputs.size() - 1)];
    NodePorts::Port port{text(spec.name), {}, {}, text(spec.doc), {}, inList, text(r.scope) + QStringLiteral(":%1").arg(i)};
    const std::string tensor = i < r.inputs.size() ? r.inputs[i] : std::string();
    const auto source = graph.findOutput(tensor);
    if (source.ok()) {
      port.source = text(tensor);
      fill(graph, *source, &port);
    }
    out.inputs << port;
    if (inputs.empty()) break;
  }
  for (size_t i = 0; i < r.outputs.size(); ++i) {
    NodePorts::Port port{QString::number(i), {}, QStringLiteral("?"), {}, {}, false, text(r.scope) + QStringLiteral(":%1").arg(i)};
    if (const auto o = graph.findOutput(r.outputs[i]); o.ok()) fill(graph, *o, &port);
    out.outputs << port;
  }
  return out;
}

}  // namespace

NodePorts nodePorts(const GraphContents& contents, const QString& name) {
  const Graph& graph = contents.engine->loaded.meta.graph;
  const Node* node = graph.find(name.toStdString());
  NodePorts out;
  if (!node) {
    const auto recipes = recipesOf(contents.engine->loaded.meta);
    const Recipe* r = recipeOf(recipes, name.toStdString());
    return r ? layerPorts(contents, *r) : out;
  }
  NodeSignature signature;
  AttrMap attrs = node->attrs;
  if (node->record)
    if (auto resolved = resolveSignature(*node->record, attrs); resolved.ok()) signature = std::move(*resolved);
  const auto argument = [](const std::vector<ArgSpec>& args, const std::vector<std::pair<int, int>>& ranges, int index, NodePorts::Port* port) {
    for (size_t a = 0; a < ranges.size() && a < args.size(); ++a) {
      if (index < ranges[a].first || index >= ranges[a].second) continue;
      port->list = !args[a].numberAttr.empty() || args[a].isTypeList;
      port->name = text(args[a].name) + (port->list ? QStringLiteral("_%1").arg(index - ranges[a].first) : QString());
      port->doc = text(args[a].doc);
    }
  };
  for (size_t i = 0; i < node->inputs.size(); ++i) {
    NodePorts::Port port{QString::number(i), {}, QStringLiteral("?"), {}, {}, false, name + QStringLiteral(":%1").arg(i)};
    if (node->record) argument(node->record->inputs, signature.inputRanges, int(i), &port);
    if (i < node->inputTypes.size()) port.dtype = text(dtypeName(node->inputTypes[i]));
    const Node* from = graph.node(node->inputs[i].node);
    if (from && !isOpenInput(*from)) {
      port.source = text(graph.tensorName(node->inputs[i]));
      port.shape = shapeOrUnknown(graph.shape(node->inputs[i]));
    }
    out.inputs << port;
  }
  for (size_t i = 0; i < node->outputTypes.size(); ++i) {
    NodePorts::Port port{QString::number(i), {}, {}, {}, {}, false, name + QStringLiteral(":%1").arg(i)};
    if (node->record) argument(node->record->outputs, signature.outputRanges, int(i), &port);
    port.list = false;
    fill(graph, {node->id, int(i)}, &port);
    out.outputs << port;
  }
  return out;
}

struct ConnectCheck::Impl {
  explicit Impl(GraphContentsPtr c) : contents(std::move(c)), graph(contents->engine->loaded.meta.graph), recipes(recipesOf(contents->engine->loaded.meta)) {}
  GraphContentsPtr contents;
  const Graph& graph;
  std::vector<Recipe> recipes;
  int from = -2;
  std::vector<bool> before;  // all that `from` is computed from, itself included

  void lookAt(int node) {
    if (node == from) return;
    from = node;
    before.assign(size_t(graph.size()), false);
    std::vector<int> queue{node};
    while (!queue.empty()) {
      const int id = queue.back();
      queue.pop_back();
      if (before[size_t(id)]) continue;
      before[size_t(id)] = true;
      const Node& n = *graph.node(id);
      const bool merges = n.op == "Merge" || n.op == "RefMerge";
      for (const Output o : n.inputs)
        if (!merges || !graph.node(o.node)->op.ends_with("NextIteration")) queue.push_back(o.node);
      for (const int c : n.controls) queue.push_back(c);
    }
  }
};

ConnectCheck::ConnectCheck(GraphContentsPtr contents) : impl_(std::make_unique<Impl>(std::move(contents))) {}
ConnectCheck::~ConnectCheck() = default;

namespace {

/// The sentence for types that do not go together; empty if they do, or if an attribute would follow the wire.
QString typeReason(const Graph& graph, const Node& target, int index, DType given, const QString& from) {
  if (!target.record || given == DType::Invalid) return {};
  AttrMap attrs = target.attrs;
  const auto signature = resolveSignature(*target.record, attrs);
  if (!signature.ok()) return {};
  for (size_t a = 0; a < signature->inputRanges.size(); ++a) {
    const auto [begin, end] = signature->inputRanges[a];
    if (index < begin || index >= end) continue;
    const ArgSpec& arg = target.record->inputs[a];
    const QString port = text(arg.name), have = text(dtypeName(baseType(given)));
    if (arg.isRef && !isRef(given)) return Ports::tr("%1 needs a variable, but %2 is a value.").arg(port, from);
    if (arg.isTypeList) return {};
    if (arg.typeAttr.empty()) {
      return baseType(arg.type) == baseType(given) ? QString() : Ports::tr("%1 takes %2, but %3 is %4. Put a Cast between them.").arg(port, text(dtypeName(baseType(arg.type))), from, have);
    }
    const AttrSpec* spec = target.record->findAttr(arg.typeAttr);
    if (spec && !spec->allowedTypes.empty() && std::find(spec->allowedTypes.begin(), spec->allowedTypes.end(), baseType(given)) == spec->allowedTypes.end())
      return Ports::tr("%1 does not take %2. Put a Cast between them.").arg(port, have);
    // Another wire may have decided the type already.
    for (size_t other = 0; other < target.record->inputs.size(); ++other) {
      if (target.record->inputs[other].typeAttr != arg.typeAttr || target.record->inputs[other].isTypeList) continue;
      for (int i = signature->inputRanges[other].first; i < signature->inputRanges[other].second; ++i) {
        const Node* source = graph.node(target.inputs[size_t(i)].node);
        if (i == index || !source || isOpenInput(*source)) continue;
        const DType decided = baseType(graph.dtype(target.inputs[size_t(i)]));
        if (decided == DType::Invalid || decided == baseType(given)) continue;
        return Ports::tr("%1 must be %2, as %3 is; %4 is %5. Put a Cast between them.").arg(port, text(dtypeName(decided)), text(target.record->inputs[other].name), from, have);
      }
    }
  }
  return {};
}

}  // namespace

QString ConnectCheck::whyNot(const QString& from, const QString& to) {
  const Graph& graph = impl_->graph;
  const auto part = [](const QString& place) { return place.left(place.lastIndexOf(u':') < 0 ? place.size() : place.lastIndexOf(u':')); };
  if (part(from) == part(to)) return Ports::tr("A node cannot be its own input.");
  const Node *source = graph.find(part(from).toStdString()), *target = graph.find(part(to).toStdString());
  Output o{source ? source->id : -1, std::max(0, from.mid(from.lastIndexOf(u':') + 1).toInt())};
  if (!source) {
    const Recipe* layer = recipeOf(impl_->recipes, part(from).toStdString());
    const auto found = layer && !layer->outputs.empty() ? graph.findOutput(layer->outputs[0]) : Result<Output>(notFound("no such layer"));
    if (!found.ok()) return Ports::tr("There is no tensor %1.").arg(from);
    o = *found;
  }
  impl_->lookAt(o.node);
  if (!target) {
    const Recipe* layer = recipeOf(impl_->recipes, part(to).toStdString());
    if (!layer) return Ports::tr("There is no node %1.").arg(part(to));
    for (const std::string& out : layer->outputs)
      if (const auto own = graph.findOutput(out); own.ok() && impl_->before[size_t(own->node)]) return Ports::tr("That would close a cycle.");
    return {};
  }
  const bool backEdge = target->op == "Merge" && graph.node(o.node)->op == "NextIteration";
  if (!backEdge && impl_->before[size_t(target->id)]) return Ports::tr("That would close a cycle.");
  const DType given = o.index < int(graph.node(o.node)->outputTypes.size()) ? graph.dtype(o) : DType::Invalid;
  return typeReason(graph, *target, to.mid(to.lastIndexOf(u':') + 1).toInt(), given, from);
}

QVector<FittingType> fittingTypes(const GraphContents& contents, const QString& tensor) {
  QVector<FittingType> out;
  const Graph& graph = contents.engine->loaded.meta.graph;
  std::string name = tensor.toStdString();
  const auto recipes = recipesOf(contents.engine->loaded.meta);
  if (const Recipe* r = recipeOf(recipes, name.substr(0, name.rfind(':'))); r && !r->outputs.empty() && !graph.findOutput(name).ok()) name = r->outputs[0];
  const auto o = graph.findOutput(name);
  const DType type = o.ok() ? baseType(graph.dtype(*o)) : DType::Invalid;
  const Shape shape = o.ok() ? graph.shape(*o) : Shape::unknown();
  for (const ApiRecord* record : ApiRegistry::instance().all()) {
    if (!record->recipe) continue;
    const auto inputs = layerInputs(*record);
    if (inputs.empty()) continue;
    FittingType fit{text(record->name), text(inputs[0].name), {}};
    // A dry run says whether it fits and what comes out, where nothing but the tensor is needed.
    const bool plain = type != DType::Invalid && std::count_if(inputs.begin(), inputs.end(), [](const LayerInput& i) { return i.required; }) == 1 && !record->name.starts_with("train.");
    if (plain) {
      MetaGraph scratch;
      GraphBuilder b(scratch);
      const Output in = b.placeholder(type, shape, "x");
      Arguments arguments;
      bool given = true;
      for (const ApiParameter& p : record->parameters) {
        if (p.name == inputs[0].name) {
          if (inputs[0].list) arguments.set(p.name, std::vector<Output>{in, in});
          else arguments.set(p.name, in);
        } else if (!p.otherwise) {
          if (p.type == "int") arguments.set(p.name, int64_t(1));
          else if (p.type == "ints") arguments.set(p.name, std::vector<int64_t>{2, 2});
          else if (p.type == "string") arguments.set(p.name, std::string("x"));
          else given = false;
        }
      }
      if (given) {
        const auto built = buildApi(b, record->name, std::move(arguments));
        if (!built.ok()) continue;
        const bool chosen = std::any_of(record->parameters.begin(), record->parameters.end(), [](const ApiParameter& p) { return !p.otherwise && p.type.starts_with("int"); });
        if (!chosen && !built->outputs.empty()) fit.shape = shapeOrUnknown(scratch.graph.shape(built->outputs[0]));
      }
    }
    out << fit;
  }
  for (const OpRecord* record : OpRegistry::instance().all()) {
    for (const ArgSpec& arg : record->inputs) {
      if (arg.isRef) continue;
      if (type != DType::Invalid) {
        if (arg.typeAttr.empty() && arg.type != type) continue;
        const AttrSpec* spec = arg.typeAttr.empty() ? nullptr : record->findAttr(arg.typeAttr);
        if (spec && !spec->allowedTypes.empty() && std::find(spec->allowedTypes.begin(), spec->allowedTypes.end(), type) == spec->allowedTypes.end()) continue;
      }
      out << FittingType{text(record->name), text(arg.name), {}};
      break;
    }
  }
  return out;
}

}  // namespace weft::app
