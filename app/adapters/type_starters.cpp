#include "adapters/type_starters.h"

#include <QCoreApplication>
#include <QHash>
#include <algorithm>
#include <cmath>

#include "adapters/engine_graph.h"
#include "adapters/graph_edit.h"
#include "adapters/group_facts.h"
#include "weft/api.h"
#include "weft/dataset.h"
#include "weft/op.h"
#include "weft/recipes.h"
#include "weft/train.h"

namespace weft::app {
namespace {

struct TypeStarterWords {
  Q_DECLARE_TR_FUNCTIONS(TypeStarters)
};

const ApiRecord* layerRecordOf(const QString& type) {
  const std::string name = type.toStdString();
  return OpRegistry::instance().find(name) ? nullptr : ApiRegistry::instance().findLayer(name);
}

/// Parameters that typed words may set; those that the palette shows come first.
std::vector<const ApiParameter*> settable(const ApiRecord& record) {
  std::vector<const ApiParameter*> out;
  const auto add = [&](const ApiParameter* p) {
    const bool isSet = p && p->type != "tensor" && p->type != "tensors" && p->name != "name" && p->name != "scope";
    if (isSet && std::find(out.begin(), out.end(), p) == out.end()) out.push_back(p);
  };
  if (record.recipe)
    for (const std::string& shown : record.recipe->shownParameters) add(record.find(shown));
  for (const ApiParameter& p : record.parameters) add(&p);
  return out;
}

/// Converts "3x3" and "3×3" to lists.
QString listText(const QString& word) {
  QString list = word;
  list.replace(u'×', u'x');
  return list.contains(u'x') ? u'[' + list.replace(u'x', u',') + u']' : word;
}

bool takes(const ApiParameter& p, const QString& word) {
  const QString value = p.type == "ints" ? listText(word) : word;
  if (!argumentFromText(p, value.toStdString()).ok()) return false;
  // A free text (a name) accepts any word, so it is set only by NAME=VALUE.
  return p.type != "string" || std::find(p.choices.begin(), p.choices.end(), word.toStdString()) != p.choices.end();
}

Shape shapeOf(const GraphContents& contents, const QString& tensor) {
  const auto o = contents.engine->loaded.meta.graph.findOutput(tensor.toStdString());
  return o.ok() ? contents.engine->loaded.meta.graph.shape(*o) : Shape::unknown();
}

/// A starting value.
QString starter(const ApiParameter& p, const Shape& input, const QHash<QString, QString>& given, const QString& tensor) {
  const std::string& name = p.name;
  if (name == "units") return QStringLiteral("64");
  if (name == "filters") return QStringLiteral("32");
  if (name == "kernel_size") return QStringLiteral("[3,3]");
  if (name == "pool_size") return QStringLiteral("[2,2]");
  if (name == "strides") return given.value(QStringLiteral("pool_size"), QStringLiteral("[2,2]"));
  if (name == "perm") {
    QStringList order;
    for (int i = 0; i < (input.hasRank() ? input.rank() : 2); ++i) order.prepend(QString::number(i));
    return u'[' + order.join(u',') + u']';
  }
  if (name == "target_shape") {
    // Rows with a square number of values become square pictures.
    const int64_t width = input.hasRank() && input.rank() == 2 ? input[1] : 0;
    const auto side = int64_t(std::llround(std::sqrt(double(std::max<int64_t>(0, width)))));
    return side > 1 && side * side == width ? QStringLiteral("[-1,%1,%1,1]").arg(side) : QStringLiteral("[-1]");
  }
  if (p.type == "ints") return QStringLiteral("[1]");
  if (p.type == "int") return QStringLiteral("1");
  const QString node = tensor.section(u':', 0, 0);
  return p.type == "string" ? (node.isEmpty() ? QString::fromStdString(name) : node.section(u'/', -1)) : QString();
}

/// The placeholder for the labels, by its binding or its name.
QString labelsOf(const GraphContents& contents) {
  const MetaGraph& meta = contents.engine->loaded.meta;
  if (const auto bindings = datasetBindingsOf(meta); bindings.ok())
    for (const DatasetBinding& binding : *bindings)
      for (const auto& [placeholder, column] : binding.placeholders)
        if (column.starts_with("label") && meta.graph.findOutput(placeholder).ok()) return text(placeholder);
  for (const char* name : {"labels", "label", "y", "targets"})
    if (const Node* n = meta.graph.find(name); n && isPlaceholder(*n) && !isOpenInput(*n)) return text(n->name) + QStringLiteral(":0");
  return {};
}

}  // namespace

QStringList settingsFor(const GraphContents& contents, const QString& type, const QString& typed, const QString& tensor, QString* error) {
  QStringList out;
  QHash<QString, QString> given;
  const QStringList words = typed.split(u' ', Qt::SkipEmptyParts);
  const ApiRecord* record = layerRecordOf(type);
  const auto set = [&](const QString& name, const QString& value) {
    given.insert(name, value);
    out << name + u'=' + value;
  };
  for (const QString& word : words) {
    if (const qsizetype equals = word.indexOf(u'='); equals > 0) {
      set(word.left(equals), word.mid(equals + 1));
      continue;
    }
    bool taken = false;
    QStringList names;
    for (const ApiParameter* p : record ? settable(*record) : std::vector<const ApiParameter*>()) {
      const QString name = text(p->name);
      names << name;
      if (given.contains(name) || !takes(*p, word)) continue;
      set(name, p->type == "ints" ? listText(word) : word);
      taken = true;
      break;
    }
    if (!taken) {
      *error = names.isEmpty() ? TypeStarterWords::tr("%1 is invalid: expected NAME=VALUE.").arg(word)
                               : TypeStarterWords::tr("%1 is not a value of %2: expected one of %3.").arg(word, type, names.join(QStringLiteral(", ")));
      return {};
    }
  }
  if (type == QLatin1String("data") && given.isEmpty()) set(QStringLiteral("builtin"), QStringLiteral("digits"));
  if (!record) return out;
  for (const ApiParameter* p : settable(*record)) {
    if (p->otherwise || given.contains(text(p->name))) continue;
    if (const QString value = starter(*p, shapeOf(contents, tensor), given, tensor); !value.isEmpty()) set(text(p->name), value);
  }
  return out;
}

QStringList wiresFor(const GraphContents& contents, const QString& type, const QString& tensor) {
  if (tensor.isEmpty()) return {};
  if (type.startsWith(QLatin1String("group:"))) return {QStringLiteral("--from"), tensor};
  const ApiRecord* record = layerRecordOf(type);
  if (record && record->name.starts_with("train.")) return {QStringLiteral("--from"), tensor};
  QStringList out;
  // A new layer is connected even if it does not fit: it then waits, and Problems offers what to insert between.
  if (record) {
    const auto inputs = layerInputs(*record);
    if (inputs.empty()) return {};
    const auto has = [&](const char* name) { return std::any_of(inputs.begin(), inputs.end(), [&](const LayerInput& i) { return i.name == name; }); };
    for (const char* said : {"logits", "predictions"}) {
      if (!has(said) || !has("labels")) continue;
      const QString labels = labelsOf(contents);
      if (labels == tensor) return {QStringLiteral("--from"), QStringLiteral("labels=") + tensor};
      out << QStringLiteral("--from") << QLatin1String(said) + QStringLiteral("=") + tensor;
      if (!labels.isEmpty()) out << QStringLiteral("--from") << QStringLiteral("labels=") + labels;
      return out;
    }
    return {QStringLiteral("--from"), tensor};
  }
  const auto fits = fittingTypes(contents, tensor);
  if (std::any_of(fits.begin(), fits.end(), [&](const FittingType& f) { return f.type == type; })) out << QStringLiteral("--from") << tensor;
  return out;
}

QString outputOfLayer(const GraphContents& contents, const QString& scope) {
  for (const Recipe& r : recipesOf(contents.engine->loaded.meta))
    if (!r.trains() && text(r.scope) == scope && !r.outputs.empty()) return text(r.outputs[0]);
  const NodePorts ports = instancePorts(contents, scope);
  return ports.outputs.isEmpty() ? QString() : ports.outputs.front().source;
}

}  // namespace weft::app
