#include "adapters/property_list.h"

#include <QCoreApplication>
#include <algorithm>

#include "adapters/api_help.h"
#include "adapters/engine_graph.h"
#include "adapters/expression_facts.h"
#include "adapters/op_text.h"
#include "weft/api.h"
#include "weft/edit.h"
#include "weft/op.h"
#include "weft/recipes.h"

namespace weft::app {
namespace {

using widgets::Property;

constexpr qint64 kMostEditable = 64;  // elements of a constant that can be edited as text

QString shapeEntry(const Shape& shape) {
  if (!shape.hasRank()) return QStringLiteral("?");
  QStringList dims;
  for (int i = 0; i < shape.rank(); ++i) dims << (shape.dim(i) < 0 ? QStringLiteral("?") : QString::number(shape.dim(i)));
  return widgets::listText(dims);
}

template <typename T, typename F>
QString listEntry(const std::vector<T>& values, F&& one) {
  QStringList parts;
  for (const auto& v : values) parts << one(v);
  return widgets::listText(parts);
}

QString typeEntry(DType type) { return text(dtypeName(baseType(type))); }
QString realEntry(float value) { return QString::number(double(value), 'g', 7); }
QString flagEntry(bool value) { return value ? QStringLiteral("true") : QStringLiteral("false"); }

/// The value in the form that `graph.set` takes; false if it has no text form.
bool entryOf(const Attr& attr, QString* out) {
  if (const auto* v = attr.get<std::string>()) *out = text(*v);
  else if (const auto* v = attr.get<int64_t>()) *out = QString::number(*v);
  else if (const auto* v = attr.get<float>()) *out = realEntry(*v);
  else if (const auto* v = attr.get<bool>()) *out = flagEntry(*v);
  else if (const auto* v = attr.get<DType>()) *out = typeEntry(*v);
  else if (const auto* v = attr.get<Shape>()) *out = shapeEntry(*v);
  else if (const auto* v = attr.get<std::vector<int64_t>>()) *out = listEntry(*v, [](int64_t x) { return QString::number(x); });
  else if (const auto* v = attr.get<std::vector<float>>()) *out = listEntry(*v, realEntry);
  else if (const auto* v = attr.get<std::vector<bool>>()) *out = listEntry(*v, flagEntry);
  else if (const auto* v = attr.get<std::vector<DType>>()) *out = listEntry(*v, typeEntry);
  else if (const auto* v = attr.get<std::vector<std::string>>()) *out = listEntry(*v, [](const std::string& s) { return text(s); });
  else if (attr.get<EmptyListAttr>()) *out = QStringLiteral("[]");
  else return false;
  return true;
}

/// Whether wires determine this attribute, which makes it read-only.
bool decidedByWires(const Graph& graph, const Node& node, const AttrSpec& spec) {
  for (size_t a = 0; a < node.record->inputs.size(); ++a) {
    const ArgSpec& arg = node.record->inputs[a];
    if (arg.numberAttr == spec.name) return true;
    if (arg.typeAttr != spec.name) continue;
    for (const Output& input : node.inputs)
      if (const Node* from = graph.node(input.node); from && !isOpenInput(*from)) return true;
  }
  return false;
}

Property propertyOf(const Graph& graph, const Node& node, const AttrSpec& spec) {
  Property p;
  p.name = text(spec.name);
  p.type = text(spec.type);
  p.doc = recordText(spec.doc);
  if (spec.hasMinimum) p.minimum = spec.minimum;
  for (const std::string& s : spec.allowedStrings) p.choices << text(s);
  if (spec.type == "type" && !spec.allowedTypes.empty())
    for (const DType t : spec.allowedTypes) p.choices << typeEntry(t);
  if (spec.defaultValue) {
    QString entry;
    if (entryOf(*spec.defaultValue, &entry)) p.otherwise = entry.isNull() ? QStringLiteral("") : entry;
  }
  const Attr* value = node.attrs.find(spec.name);
  if (!value) {
    p.value = p.otherwise;
    p.isDefault = true;
  } else if (!entryOf(*value, &p.value)) {
    const Tensor* tensor = value->get<Tensor>();
    p.value = attrText(*value);
    p.readOnly = !tensor || tensor->elements() > kMostEditable;
    if (tensor && !p.readOnly) p.value = p.value.trimmed();
  }
  p.isDefault = p.isDefault || std::find(node.defaulted.begin(), node.defaulted.end(), spec.name) != node.defaulted.end();
  if (spec.type == "func" || spec.type == "list(func)") p.readOnly = true;
  if (decidedByWires(graph, node, spec)) {
    p.readOnly = true;
    p.note = QCoreApplication::translate("Properties", "inferred");
  }
  return p;
}

Property plainProperty(const std::string& name, const Attr& value) {
  Property p;
  p.name = text(name);
  p.type = QStringLiteral("attribute");
  p.readOnly = true;
  p.value = attrText(value);
  return p;
}

QVector<Property> propertiesOf(const Graph& graph, const Node& node) {
  QVector<Property> out;
  if (node.record) {
    for (const AttrSpec& spec : node.record->attrs) out << propertyOf(graph, node, spec);
  }
  for (const auto& [name, value] : node.attrs) {
    if (node.record && node.record->findAttr(name)) continue;
    const bool quantization = name.rfind("_quantization_", 0) == 0;
    if (!name.empty() && name[0] == '_' && name != "_class" && !quantization) continue;
    out << plainProperty(name, value);
    if (quantization)
      out.last().doc = QCoreApplication::translate(
          "Properties",
          "How the TensorFlow Lite model stores this tensor: number = scale × (integer − zero point). Several scales belong to the slices of the axis.");
  }
  Property device;
  device.name = QStringLiteral("device");
  device.type = QStringLiteral("string");
  device.value = text(node.device);
  device.otherwise = QStringLiteral("");
  device.isDefault = node.device.empty();
  device.doc = QCoreApplication::translate("Properties", "Device to run the op on, such as /device:CPU:0; if empty, the engine chooses.");
  out << device;
  return out;
}

/// Converts the type words of `layers.dense` to those of properties.
QString typeOfParameter(const std::string& type) {
  if (type == "dtype") return QStringLiteral("type");
  if (type == "ints") return QStringLiteral("list(int)");
  return text(type);
}

/// Merges another item's properties into `out`: values that differ become mixed.
void joinProperties(QVector<Property>& out, const QVector<Property>& own) {
  for (Property& p : out) {
    const auto same = std::find_if(own.begin(), own.end(), [&](const Property& o) { return o.name == p.name; });
    if (same == own.end()) continue;
    p.readOnly = p.readOnly || same->readOnly;
    p.isDefault = p.isDefault && same->isDefault;
    if (same->expression != p.expression) {
      p.expression.clear();
      p.mixed = true;
    }
    if (same->value == p.value) continue;
    p.mixed = true;
    if (p.readOnly) p.value = QCoreApplication::translate("Properties", "several values");
  }
}

}  // namespace

QVector<Property> nodeProperties(const GraphContents& contents, const QStringList& names) {
  const Graph& graph = contents.engine->loaded.meta.graph;
  QVector<Property> out;
  std::string op;
  for (const QString& name : names) {
    const Node* node = graph.find(name.toStdString());
    if (!node || (!op.empty() && node->op != op)) return {};
    QVector<Property> own = propertiesOf(graph, *node);
    markExpressions(own, contents, name);
    if (op.empty()) out = own;
    else joinProperties(out, own);
    op = node->op;
  }
  return out;
}

QVector<Property> layerProperties(const GraphContents& contents, const QStringList& scopes) {
  QVector<Property> out;
  QString kind;
  for (const QString& scope : scopes) {
    const LayerDetails layer = layerDetails(contents, scope);
    if (!layer.found || (!kind.isEmpty() && layer.kind != kind)) return {};
    if (kind.isEmpty()) out = layer.parameters;
    else joinProperties(out, layer.parameters);
    kind = layer.kind;
  }
  return out;
}

LayerDetails layerDetails(const GraphContents& contents, const QString& scope) {
  LayerDetails out;
  const std::string wanted = scope.toStdString();
  for (const Recipe& recipe : recipesOf(contents.engine->loaded.meta)) {
    if (recipe.scope != wanted) continue;
    const ApiRecord* record = ApiRegistry::instance().findLayer(recipe.kind);
    if (!record) return out;
    out.found = true;
    out.kind = text(recipe.kind);
    out.summary = recordText(record->summary);
    if (const QString formula = apiFormula(text(record->name)); !formula.isEmpty()) out.summary += u'\n' + formula;
    out.doc = recordText(record->doc);
    out.source = recordText(record->source);
    for (const ApiParameter& parameter : record->parameters) {
      if (parameter.type == "tensor" || parameter.type == "tensors" || parameter.name == "name") continue;
      Property p;
      p.name = text(parameter.name);
      p.type = typeOfParameter(parameter.type);
      p.doc = recordText(parameter.doc);
      p.unit = text(parameter.unit);
      for (const std::string& choice : parameter.choices) p.choices << text(choice);
      if (parameter.otherwise) {
        const QString otherwise = text(argumentToText(*parameter.otherwise));
        p.otherwise = otherwise.isNull() ? QStringLiteral("") : otherwise;
      }
      const auto it = recipe.parameters.find(parameter.name);
      p.isDefault = it == recipe.parameters.end();
      p.value = p.isDefault ? p.otherwise : text(it->second);
      out.parameters << p;
    }
    markExpressions(out.parameters, contents, scope);
    return out;
  }
  return out;
}

}  // namespace weft::app
