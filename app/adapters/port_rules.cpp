#include "adapters/port_rules.h"

#include <QCoreApplication>
#include <algorithm>

#include "adapters/engine_graph.h"
#include "adapters/graph_edit.h"
#include "adapters/seen_shape.h"
#include "adapters/shape_words.h"
#include "common/format.h"
#include "weft/builder.h"
#include "weft/edit.h"
#include "weft/op.h"
#include "weft/recipes.h"

namespace weft::app {
namespace {

struct PortRuleWords {
  Q_DECLARE_TR_FUNCTIONS(PortRules)
};

const Node* nodeOf(const GraphContents& contents, int index) {
  if (index < 0 || size_t(index) >= contents.arrays.nodes.size()) return nullptr;
  return contents.engine->loaded.meta.graph.find(contents.arrays.nodes[size_t(index)].name.toStdString());
}

QString typeText(DType type) { return text(dtypeName(baseType(type))); }

/// The argument of flat input or output `index`; null for unknown ops.
const ArgSpec* argumentAt(const Node& node, int index, bool output, int* element = nullptr) {
  if (!node.record) return nullptr;
  AttrMap attrs = node.attrs;
  const auto signature = resolveSignature(*node.record, attrs);
  if (!signature.ok()) return nullptr;
  const auto& ranges = output ? signature->outputRanges : signature->inputRanges;
  const auto& args = output ? node.record->outputs : node.record->inputs;
  for (size_t a = 0; a < ranges.size() && a < args.size(); ++a) {
    if (index < ranges[a].first || index >= ranges[a].second) continue;
    if (element) *element = index - ranges[a].first;
    return &args[a];
  }
  return nullptr;
}

/// The layer that this node stands for while it waits, or whose scope contains it.
const Recipe* layerAround(const std::vector<Recipe>& recipes, const std::string& node) {
  const Recipe* best = nullptr;
  for (const Recipe& r : recipes) {
    if (r.trains() || r.scope.empty()) continue;
    if (node == r.scope || (node.size() > r.scope.size() && node.compare(0, r.scope.size(), r.scope) == 0 && node[r.scope.size()] == '/'))
      if (!best || r.scope.size() > best->scope.size()) best = &r;
  }
  return best;
}

bool isOpen(const Graph& graph, Output o) {
  const Node* from = graph.node(o.node);
  return !from || isOpenInput(*from);
}

/// The type attribute's value as determined by other wires; Invalid: undetermined.
DType decidedType(const Graph& graph, const Node& node, const std::string& attr, int except) {
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (int(i) == except || isOpen(graph, node.inputs[i])) continue;
    const ArgSpec* arg = argumentAt(node, int(i), false);
    if (!arg || arg->typeAttr != attr || arg->isTypeList) continue;
    return baseType(graph.dtype(node.inputs[i]));
  }
  return DType::Invalid;
}

/// Builds the op with placeholders of the known shapes as inputs; returns the error of its shape function.
QString shapeProblem(const Graph& graph, const Node& node, int input, Output from) {
  MetaGraph scratch;
  GraphBuilder b(scratch);
  std::vector<Output> inputs;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const bool changed = int(i) == input;
    const Output source = changed ? from : node.inputs[i];
    const bool known = changed || !isOpen(graph, source);
    const DType type = known ? baseType(graph.dtype(source)) : (i < node.inputTypes.size() ? baseType(node.inputTypes[i]) : DType::Float);
    // Values of constants can determine shapes (in a Reshape), so constants are copied.
    const Node* producer = known ? graph.node(source.node) : nullptr;
    if (producer && isConstant(*producer)) {
      if (const Attr* value = producer->attrs.find("value")) {
        AttrMap attrs;
        attrs.set("dtype", type);
        attrs.set("value", *value);
        inputs.push_back(b.op("Const", {}, std::move(attrs)));
        continue;
      }
    }
    inputs.push_back(b.placeholder(type, known ? graph.shape(source) : Shape::unknown()));
  }
  if (!b.ok()) return {};
  AttrMap attrs;
  for (const auto& [name, value] : node.attrs)
    if (const AttrSpec* spec = node.record->findAttr(name); spec && spec->type != "type" && spec->type != "list(type)") attrs.set(name, value);
  b.node(node.op, Inputs(inputs), std::move(attrs));
  return b.ok() ? QString() : text(b.status().error().message);
}

}  // namespace

widgets::PortInfo portInfo(const GraphContents& contents, const widgets::Port& port) {
  widgets::PortInfo info;
  const Graph& graph = contents.engine->loaded.meta.graph;
  const Node* node = nodeOf(contents, port.node);
  if (!node) return info;
  int element = 0;
  const ArgSpec* arg = argumentAt(*node, port.index, port.output, &element);
  if (arg) {
    info.name = text(arg->name);
    if (!arg->numberAttr.empty() || arg->isTypeList) info.name += QStringLiteral("[%1]").arg(element);
    info.doc = text(arg->doc);
  }
  if (port.output) {
    if (size_t(port.index) >= node->outputTypes.size()) return info;
    info.dtype = text(dtypeName(node->outputTypes[size_t(port.index)]));
    if (size_t(port.index) < node->outputShapes.size()) shapeText(node->outputShapes[size_t(port.index)], &info.shape);
    return info;
  }
  if (isOpenInput(*node)) {  // a waiting layer: the inputs are the recipe's
    const NodePorts ports = nodePorts(contents, text(node->name).section(u'/', 0, -2));
    if (port.index < ports.inputs.size()) {
      const NodePorts::Port& p = ports.inputs[port.index];
      info = {p.name, p.dtype, p.shape, p.doc};
    }
    return info;
  }
  if (size_t(port.index) >= node->inputs.size()) return info;
  const Output source = node->inputs[size_t(port.index)];
  if (!isOpen(graph, source)) {
    info.dtype = text(dtypeName(graph.dtype(source)));
    shapeText(seenShape(graph, source), &info.shape);
  } else if (arg) {
    if (arg->typeAttr.empty()) {
      info.dtype = typeText(arg->type);
    } else if (const DType decided = decidedType(graph, *node, arg->typeAttr, port.index); decided != DType::Invalid) {
      info.dtype = typeText(decided);
    } else if (const AttrSpec* spec = node->record->findAttr(arg->typeAttr)) {
      QStringList types;
      for (const DType t : spec->allowedTypes) types << typeText(t);
      info.dtype = types.join(u'|');
    }
  }
  return info;
}

bool mayConnect(const GraphContents& contents, const widgets::Port& from, const widgets::Port& to, QString* why) {
  const auto refuse = [why](const QString& reason) {
    if (why) *why = reason;
    return false;
  };
  const Graph& graph = contents.engine->loaded.meta.graph;
  const Node *source = nodeOf(contents, from.node), *target = nodeOf(contents, to.node);
  if (!source || !target) return refuse(PortRuleWords::tr("This node no longer exists."));
  if (size_t(from.index) >= source->outputTypes.size()) return refuse(PortRuleWords::tr("%1 has no such output.").arg(text(source->name)));
  if (isOpenInput(*target)) return true;  // whether it fits a layer is known when the layer is built
  if (size_t(to.index) >= target->inputs.size()) return refuse(PortRuleWords::tr("%1 has no such input.").arg(text(target->name)));
  const DType given = source->outputTypes[size_t(from.index)];
  const ArgSpec* arg = argumentAt(*target, to.index, false);
  if (!arg || given == DType::Invalid) return true;
  const DType type = baseType(given);
  const QString place = QStringLiteral("%1 (%2)").arg(text(target->name), text(arg->name));
  if (arg->isRef && !isRef(given)) return refuse(PortRuleWords::tr("%1 expects a variable, not a value.").arg(place));
  if (arg->typeAttr.empty()) {
    if (baseType(arg->type) != type) return refuse(PortRuleWords::tr("%1 expects %2, not %3.").arg(place, typeText(arg->type), typeText(type)));
  } else if (!arg->isTypeList) {
    const AttrSpec* spec = target->record->findAttr(arg->typeAttr);
    if (spec && !spec->allowedTypes.empty() && std::find(spec->allowedTypes.begin(), spec->allowedTypes.end(), type) == spec->allowedTypes.end()) {
      QStringList types;
      for (const DType t : spec->allowedTypes) types << typeText(t);
      return refuse(PortRuleWords::tr("%1 expects %2, not %3.").arg(place, types.join(QStringLiteral(", ")), typeText(type)));
    }
    const DType decided = decidedType(graph, *target, arg->typeAttr, to.index);
    if (decided != DType::Invalid && decided != type)
      return refuse(PortRuleWords::tr("%1 expects %2, like the other inputs, not %3.").arg(place, typeText(decided), typeText(type)));
  }
  const Output output{source->id, from.index};
  const QString problem = shapeProblem(graph, *target, to.index, output);
  if (problem.isEmpty()) return true;
  QStringList sources;
  for (size_t i = 0; i < target->inputs.size(); ++i)
    sources << (int(i) == to.index || isOpen(graph, target->inputs[i]) ? QString() : text(graph.tensorName(target->inputs[i])));
  return refuse(shapeWords(text(target->name), problem, sources));
}

QString tensorName(const GraphContents& contents, const widgets::Port& output) {
  if (output.node < 0 || size_t(output.node) >= contents.arrays.nodes.size()) return {};
  return contents.arrays.nodes[size_t(output.node)].name + QStringLiteral(":%1").arg(output.index);
}

QString inputName(const GraphContents& contents, const widgets::Port& input) {
  const Node* node = nodeOf(contents, input.node);
  if (!node) return {};
  const Graph& graph = contents.engine->loaded.meta.graph;
  const QString plain = text(node->name) + QStringLiteral(":%1").arg(input.index);
  const auto recipes = recipesOf(contents.engine->loaded.meta);
  const Recipe* layer = layerAround(recipes, node->name);
  if (!layer) return plain;
  if (isOpenInput(*node)) return text(layer->scope) + QStringLiteral(":%1").arg(input.index);
  if (size_t(input.index) >= node->inputs.size()) return plain;
  // Find the recipe's input with the same tensor.
  const Output source = node->inputs[size_t(input.index)];
  for (size_t i = 0; i < layer->inputs.size(); ++i) {
    const auto o = graph.findOutput(layer->inputs[i]);
    if (o.ok() && o->node == source.node && o->index == source.index) return text(layer->scope) + QStringLiteral(":%1").arg(i);
  }
  for (size_t i = 0; i < layer->inputs.size(); ++i)
    if (layer->inputs[i].empty()) return text(layer->scope) + QStringLiteral(":%1").arg(i);
  return plain;
}

}  // namespace weft::app
