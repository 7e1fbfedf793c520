// Inputs and outputs of nodes, and types that fit them; used by gestures.
#include <QCoreApplication>
#include <algorithm>

#include "adapters/engine_graph.h"
#include "adapters/graph_edit.h"
#include "adapters/group_facts.h"
#include "adapters/seen_shape.h"
#include "weft/op.h"
#include "weft/recipes.h"

namespace weft::app {
namespace {

struct Ports {
  Q_DECLARE_TR_FUNCTIONS(GraphPorts)
};

const Recipe* recipeOf(const std::vector<Recipe>& recipes, const std::string& scope) {
  for (const Recipe& r : recipes)
    if (r.scope == scope && !r.trains()) return &r;
  return nullptr;
}

void fill(const Graph& graph, Output o, NodePorts::Port* port) {
  port->dtype = text(dtypeName(graph.dtype(o)));
  port->shape = shapeOrUnknown(seenShape(graph, o));
}

NodePorts layerPorts(const GraphContents& contents, const Recipe& r) {
  NodePorts out;
  const Graph& graph = contents.engine->loaded.meta.graph;
  const ApiRecord* record = ApiRegistry::instance().findLayer(r.kind);
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
    return r ? layerPorts(contents, *r) : instancePorts(contents, name);
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
      port.shape = shapeOrUnknown(seenShape(graph, node->inputs[i]));
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

namespace {

/// The output shape of an op applied to a tensor of this type and shape, found by a dry run. Returns false if the op refuses the tensor. Leaves `out` empty for
/// ops that need more inputs, or attributes without defaults.
bool tryOp(const OpRecord& record, DType type, const Shape& shape, QString* out) {
  if (type == DType::Invalid || record.inputs.size() != 1 || record.outputs.empty()) return true;
  const ArgSpec& arg = record.inputs[0];
  if (!arg.numberAttr.empty() || arg.isTypeList) return true;
  for (const AttrSpec& attr : record.attrs)
    if (!attr.defaultValue && attr.name != arg.typeAttr) return true;
  MetaGraph scratch;
  GraphBuilder b(scratch);
  const Output result = b.op(record.name, {b.placeholder(type, shape, "x")});
  if (!b.ok()) return false;
  *out = shapeOrUnknown(scratch.graph.shape(result));
  return true;
}

}  // namespace

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
    if (!record->recipe || !record->offered) continue;
    const auto inputs = layerInputs(*record);
    if (inputs.empty()) continue;
    FittingType fit{text(record->name), text(inputs[0].name), {}};
    // Where the tensor is the only required input, a dry run tells whether it fits and the resulting shape.
    const bool plain = type != DType::Invalid && std::count_if(inputs.begin(), inputs.end(), [](const LayerInput& i) { return i.required; }) == 1 &&
                       !record->name.starts_with("train.");
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
        const auto built = buildApi(b, *record, std::move(arguments));
        if (!built.ok()) continue;
        const bool chosen =
            std::any_of(record->parameters.begin(), record->parameters.end(), [](const ApiParameter& p) { return !p.otherwise && p.type.starts_with("int"); });
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
      FittingType fit{text(record->name), text(arg.name), {}};
      if (tryOp(*record, type, shape, &fit.shape)) out << fit;
      break;
    }
  }
  return out;
}

}  // namespace weft::app
