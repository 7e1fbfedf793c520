#include "adapters/node_details.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>

#include "adapters/engine_graph.h"
#include "adapters/op_text.h"
#include "adapters/seen_shape.h"
#include "adapters/state_words.h"
#include "weft/defects.h"
#include "weft/op.h"
#include "weft/variables.h"

namespace weft::app {
namespace {

/// The record's argument for flat input or output `index`, "values[2]" for lists.
struct ArgName {
  QString name, doc;
};
ArgName argAt(const std::vector<ArgSpec>& args, const std::vector<std::pair<int, int>>& ranges, int index) {
  for (size_t i = 0; i < args.size() && i < ranges.size(); ++i) {
    if (index < ranges[i].first || index >= ranges[i].second) continue;
    const bool list = !args[i].numberAttr.empty() || args[i].isTypeList;
    QString name = text(args[i].name);
    if (list) name += QStringLiteral("[%1]").arg(index - ranges[i].first);
    return {name, text(args[i].doc)};
  }
  return {QString::number(index), {}};
}

/// Also finds the record of a node that does not match it.
const OpRecord* recordFor(const Node& node) { return node.record ? node.record : OpRegistry::instance().find(node.op); }

void describePorts(const Graph& graph, const Node& node, NodeDetails& out) {
  NodeSignature signature;
  const OpRecord* record = recordFor(node);
  if (record) {
    AttrMap attrs = node.attrs;
    if (auto resolved = resolveSignature(*record, attrs)) signature = std::move(resolved).value();
  }
  static const std::vector<ArgSpec> kNone;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const Output source = node.inputs[i];
    const Node* from = graph.node(source.node);
    const ArgName arg = argAt(record ? record->inputs : kNone, signature.inputRanges, int(i));
    NodeDetails::Port port{arg.name, {}, QStringLiteral("?"), {}, {}, arg.doc};
    if (from) {
      port.other = text(from->name) + (source.index > 0 ? QStringLiteral(":%1").arg(source.index) : QString());
      port.targets = {text(from->name)};
      if (isNotGiven(*from)) {
        port.other = QCoreApplication::translate("NodeDetails", "not set");
        port.targets.clear();
      }
      if (size_t(source.index) < from->outputTypes.size()) port.dtype = text(dtypeName(from->outputTypes[size_t(source.index)]));
      if (size_t(source.index) < from->outputShapes.size()) port.shape = shapeOrUnknown(seenShape(graph, source));
    }
    out.inputs << port;
  }
  std::map<int, QStringList> readers;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* reader = graph.node(id);
    if (!reader) continue;
    for (const Output& input : reader->inputs) {
      if (input.node == node.id && !readers[input.index].contains(text(reader->name))) readers[input.index] << text(reader->name);
    }
  }
  for (size_t i = 0; i < node.outputTypes.size(); ++i) {
    const ArgName arg = argAt(record ? record->outputs : kNone, signature.outputRanges, int(i));
    NodeDetails::Port port{arg.name, text(dtypeName(node.outputTypes[i])), QStringLiteral("?"), {}, readers[int(i)], arg.doc};
    if (i < node.outputShapes.size()) port.shape = shapeOrUnknown(seenShape(graph, {node.id, int(i)}));
    port.other = port.targets.isEmpty()     ? QCoreApplication::translate("NodeDetails", "not used")
                 : port.targets.size() == 1 ? port.targets.front()
                                            : QCoreApplication::translate("NodeDetails", "%n reader(s)", nullptr, int(port.targets.size()));
    out.outputs << port;
  }
}

void describeAttributes(const Node& node, const OpRecord* record, NodeDetails& out) {
  if (isMissing(node)) return;
  for (const auto& [key, value] : node.attrs) {
    const std::string name = unreadName(key);
    NodeDetails::Attribute attribute;
    attribute.name = text(name);
    attribute.value = name == key ? attrText(value) : QCoreApplication::translate("NodeDetails", "cannot be read");
    attribute.isDefault = std::find(node.defaulted.begin(), node.defaulted.end(), name) != node.defaulted.end();
    if (const AttrSpec* spec = record ? record->findAttr(name) : nullptr) {
      attribute.type = text(spec->type);
      attribute.doc = text(spec->doc);
    }
    out.attributes << attribute;
  }
}

NodeDetails scopeDetails(const GraphContents& contents, const QString& name) {
  NodeDetails out;
  out.isScope = true;
  out.name = name;
  out.op = name.mid(name.lastIndexOf(u'/') + 1);
  const Graph& graph = contents.engine->loaded.meta.graph;
  const std::string prefix = name.toStdString() + "/";
  std::map<std::string, int> mix;
  const auto trainable = trainableVariables(contents.engine->loaded.meta);
  for (int id = 0; id < graph.size(); ++id) {
    const Node* node = graph.node(id);
    if (!node || (node->name.compare(0, prefix.size(), prefix) != 0 && node->name + "/" != prefix)) continue;
    ++out.ops;
    ++mix[node->op];
    if (isVariable(*node) && (trainable.empty() || trainable.count(node->name))) {  // as on the canvas: without the optimizer's slots
      const Shape shape = node->attrs.shape("shape");
      out.parameters = sumOf(out.parameters, std::max<int64_t>(0, shape.elements()));
    }
  }
  for (const auto& [op, count] : mix) out.opMix << qMakePair(text(op), count);
  std::stable_sort(out.opMix.begin(), out.opMix.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  out.found = out.ops > 0;
  return out;
}

}  // namespace

NodeDetails nodeDetails(const GraphContents& contents, const QString& name, bool isScope) {
  if (isScope) return scopeDetails(contents, name);
  NodeDetails out;
  const Graph& graph = contents.engine->loaded.meta.graph;
  const Node* node = graph.find(name.toStdString());
  if (!node) return out;
  out.found = true;
  out.name = name;
  out.op = text(node->op);
  out.hue = categoryOf(*node);
  out.device = text(node->device);
  for (const int control : node->controls) {
    if (const Node* c = graph.node(control)) out.controls << text(c->name);
  }
  describePorts(graph, *node, out);
  const OpRecord* record = recordFor(*node);
  describeAttributes(*node, record, out);
  if (record) {
    out.isKnownOp = true;
    out.category = QCoreApplication::translate("Palette", record->categoryName.c_str());
    out.summary = recordText(record->summaryText);
    out.description = recordText(record->descriptionText);
    out.stateful = record->isStateful;
    out.changes = changedState(graph, *node);
    out.gradient = record->gradientFunction           ? QCoreApplication::translate("NodeDetails", "has a gradient")
                   : record->noGradientReason.empty() ? QString()
                                                      : QCoreApplication::translate("NodeDetails", "none: %1").arg(recordText(record->noGradientReason));
  }
  return out;
}

QMultiHash<int, QString> outputTexts(const GraphContents& contents) {
  QMultiHash<int, QString> texts;
  const Graph& graph = contents.engine->loaded.meta.graph;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* node = graph.node(id);
    if (!node || node->outputTypes.empty()) continue;
    const int index = contents.arrays.nodeIndex.value(text(node->name), -1);
    for (size_t i = 0; index >= 0 && i < node->outputTypes.size(); ++i)
      texts.insert(
          index, text(dtypeName(node->outputTypes[i])) + u' ' + (i < node->outputShapes.size() ? shapeOrUnknown(node->outputShapes[i]) : QStringLiteral("?")));
  }
  return texts;
}

QString tensorText(const GraphContents& contents, const QString& tensor) {
  const Graph& graph = contents.engine->loaded.meta.graph;
  const auto output = graph.findOutput(tensor.toStdString());
  if (!output.ok()) return {};
  return QStringLiteral("%1 %2").arg(text(dtypeName(graph.dtype(*output))), shapeOrUnknown(graph.shape(*output)));
}

}  // namespace weft::app
