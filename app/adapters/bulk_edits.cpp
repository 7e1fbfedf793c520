// One value for many nodes.
#include <map>
#include <set>

#include "adapters/edit_parts.h"
#include "adapters/engine_graph.h"
#include "weft/edit.h"
#include "weft/variables.h"

namespace weft::app {
namespace {

/// What is set, and to what.
struct BulkValue {
  QString key, value, replaced;
};

QString scopeOf(const QString& name) { return name.left(std::max<qsizetype>(0, name.lastIndexOf(u'/'))); }

QString attributeText(const Node& node, const std::string& name) {
  const Attr* attr = node.attrs.find(name);
  if (!attr) return {};
  const std::string* plain = attr->get<std::string>();
  return text(plain ? *plain : attr->toString());
}

using Names = std::set<std::string, std::less<>>;

/// The text that a node gets; `number`: its place among the nodes, from 1. `trainable`: the names of trainable variables, if that is what is set.
QString valueFor(const Node& node, const BulkValue& bulk, int number, const Names* trainable) {
  const QString name = text(node.name);
  QString out = bulk.value;
  if (out.contains(u'{')) {
    out.replace(QLatin1String("{name}"), name)
        .replace(QLatin1String("{last}"), lastPart(name))
        .replace(QLatin1String("{scope}"), scopeOf(name))
        .replace(QLatin1String("{op}"), text(node.op))
        .replace(QLatin1String("{device}"), text(node.device))
        .replace(QLatin1String("{n}"), QString::number(number));
  }
  if (bulk.replaced.isEmpty()) return out;
  QString present = bulk.key == QLatin1String("name")     ? name
                    : bulk.key == QLatin1String("scope")  ? scopeOf(name)
                    : bulk.key == QLatin1String("device") ? text(node.device)
                    : trainable                           ? QString(trainable->count(node.name) ? u'1' : u'0')
                                                          : attributeText(node, bulk.key.toStdString());
  return present.replace(bulk.replaced, out);
}

}  // namespace

GraphEdit setAllEdit(const EditWords& w) {
  const QStringList names = w.names();
  const auto settings = w.settings();
  const BulkValue bulk = {settings.value(0).first, settings.value(0).second, w.option(QStringLiteral("replace"))};
  const QString what = names.size() == 1 ? lastPart(names[0]) : GraphEdits::tr("%n node(s)", nullptr, int(names.size()));
  return makeEdit(GraphEdits::tr("Set %1 of %2").arg(bulk.key, what), [names, bulk](LayerEditor& layers, EditOutcome& out) -> Status {
    const bool renames = bulk.key == QLatin1String("name"), moves = bulk.key == QLatin1String("scope");
    std::map<std::string, std::string> renamed;
    const Names trainable = trainableVariables(layers.editor().meta());
    std::map<std::string, bool> trained;  // in one step: each one by itself would look through the graph
    int number = 0, changed = 0;
    for (const QString& name : names) {
      std::string node = name.toStdString();
      WEFT_LET(const int id, layers.editor().find(node));
      const Node& present = *layers.editor().graph().node(id);
      const bool trains = isTrainableKey(layers.editor().graph(), node, bulk.key.toStdString());
      QString value = valueFor(present, bulk, ++number, trains ? &trainable : nullptr);
      if (moves) value = value.isEmpty() ? lastPart(name) : value + u'/' + lastPart(name);
      if (renames || moves) {
        if (value != name) {
          WEFT_TRY(checkNodeName(value, node));
          byHand(layers, node);
          renamed.emplace(node, value.toStdString());
        }
        out.select << value;
        continue;
      }
      if (trains) {
        if (!bulk.replaced.isEmpty() && (trainable.count(node) > 0) != (bulk.replaced == u'1')) continue;
        WEFT_LET(const bool on, trainableFromText(node, value.toStdString()));
        trained.emplace(node, on);
        ++changed;
        continue;
      }
      if (!bulk.replaced.isEmpty() &&
          !(bulk.key == QLatin1String("device") ? text(present.device) : attributeText(present, bulk.key.toStdString())).contains(bulk.replaced))
        continue;
      WEFT_TRY(setValue(layers, node, bulk.key, value));
      ++changed;
    }
    if (!trained.empty()) WEFT_TRY(layers.setTrainable(trained));
    if (!bulk.replaced.isEmpty() && changed == 0 && renamed.empty())
      return notFound("No ", bulk.key.toStdString(), " of these nodes holds '", bulk.replaced.toStdString(), "'");
    if (renamed.empty()) {
      out.select.clear();
      return {};
    }
    return layers.editor().renameNodes(renamed);
  });
}

GraphEdit setEach(const QVector<NodeValue>& values) {
  return makeEdit(GraphEdits::tr("Paste %n value(s)", nullptr, int(values.size())), [values](LayerEditor& layers, EditOutcome& out) -> Status {
    std::map<std::string, std::string> renamed;
    std::map<std::string, bool> trained;
    for (const NodeValue& v : values) {
      std::string node = v.node.toStdString();
      WEFT_TRY(layers.editor().find(node).status());
      if (isTrainableKey(layers.editor().graph(), node, v.key.toStdString())) {
        WEFT_LET(const bool on, trainableFromText(node, v.value.toStdString()));
        trained.emplace(node, on);
        continue;
      }
      const bool moves = v.key == QLatin1String("scope");
      if (!moves && v.key != QLatin1String("name")) {
        WEFT_TRY(setValue(layers, node, v.key, v.value));
        continue;
      }
      const QString now = !moves ? v.value : v.value.isEmpty() ? lastPart(v.node) : v.value + u'/' + lastPart(v.node);
      if (now == v.node) continue;
      WEFT_TRY(checkNodeName(now, node));
      if (!renamed.emplace(node, now.toStdString()).second) return invalidArgument("one of name and scope can be pasted, not both").atNode(node);
      byHand(layers, node);
      out.select << now;
    }
    if (!trained.empty()) WEFT_TRY(layers.setTrainable(trained));
    return renamed.empty() ? Status() : layers.editor().renameNodes(renamed);
  });
}

}  // namespace weft::app
