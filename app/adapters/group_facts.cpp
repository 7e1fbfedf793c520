#include "adapters/group_facts.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>

#include "adapters/engine_graph.h"
#include "adapters/expression_facts.h"
#include "adapters/property_list.h"
#include "weft/groups.h"

namespace weft::app {
namespace {

using widgets::Property;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(GroupFacts)
};

QString portText(const GroupPort& p) {
  QString shape;
  return text(p.name) + u' ' + text(dtypeName(p.type)) + (shapeText(p.shape, &shape) ? u' ' + shape : QString());
}

QString typeOfParameter(const std::string& type) {
  if (type == "dtype") return QStringLiteral("type");
  if (type == "ints") return QStringLiteral("list(int)");
  return text(type);
}

Property propertyOf(const GroupParameter& parameter) {
  Property p;
  p.name = text(parameter.name);
  p.type = typeOfParameter(parameter.type);
  p.value = p.otherwise = parameter.value.empty() ? QStringLiteral("") : text(parameter.value);
  p.isDefault = true;
  QStringList places;
  for (const std::string& t : parameter.targets) places << text(t);
  const QString use = places.isEmpty() ? Words::tr("For the expressions of fields inside.") : Words::tr("Sets %1.").arg(places.join(QStringLiteral(", ")));
  p.doc = parameter.doc.empty() ? use : text(parameter.doc) + u'\n' + use;
  return p;
}

GroupFacts factsOf(const GroupDefinition& d) {
  GroupFacts out;
  out.name = text(d.name);
  out.doc = text(d.doc);
  out.version = d.version;
  for (const GroupPort& p : d.inputs) out.inputs << portText(p);
  for (const GroupPort& p : d.outputs) out.outputs << portText(p);
  for (const GroupParameter& p : d.parameters) out.parameters << propertyOf(p);
  return out;
}

}  // namespace

QVector<GroupFacts> groupFacts(const GraphContents& contents) {
  QVector<GroupFacts> out;
  const MetaGraph& meta = contents.engine->loaded.meta;
  for (const GroupDefinition& d : groupsOf(meta)) out << factsOf(d);
  for (const GroupInstance& i : groupInstancesOf(meta))
    for (GroupFacts& f : out)
      if (f.name == text(i.group)) f.instances << text(i.scope);
  const QVector<FollowedFacts> followed = followedFacts(contents);
  for (GroupFacts& f : out) {
    const QString prefix = f.instances.isEmpty() ? QString() : f.instances.front() + u'/';
    for (const FollowedFacts& field : followed)
      if (!prefix.isEmpty() && field.owner.startsWith(prefix)) f.follows << field.field.mid(prefix.size()) + QStringLiteral(" = ") + field.expression;
  }
  return out;
}

GroupLibrary readLibrary(const QString& path) {
  GroupLibrary out;
  out.path = path;
  const auto groups = readGroupLibrary(path.toStdString());
  if (!groups.ok()) {
    out.error = errorText(groups.error());
    return out;
  }
  for (const GroupDefinition& d : *groups) {
    out.groups << factsOf(d);
    out.groups.last().library = path;
  }
  return out;
}

QString writeLibrary(const QString& path, const GraphContentsPtr& contents, const QStringList& names) {
  std::vector<std::string> chosen;
  for (const QString& n : names) chosen.push_back(n.toStdString());
  const Status saved = writeGroupLibrary(path.toStdString(), groupsOf(contents->engine->loaded.meta), chosen);
  return saved.ok() ? QString() : errorText(saved.error());
}

InstanceFacts instanceFacts(const GraphContents& contents, const QString& scope) {
  InstanceFacts out;
  const MetaGraph& meta = contents.engine->loaded.meta;
  const auto instance = groupInstanceAt(meta, scope.toStdString());
  if (!instance) return out;
  for (const GroupDefinition& d : groupsOf(meta)) {
    if (d.name != instance->group) continue;
    out.found = true;
    out.doc = text(d.doc);
    for (const GroupParameter& parameter : d.parameters) {
      Property p = propertyOf(parameter);
      if (const auto own = instance->overrides.find(parameter.name); own != instance->overrides.end()) {
        p.value = text(own->second);
        p.isDefault = false;
      }
      out.parameters << p;
    }
  }
  markExpressions(out.parameters, contents, scope);
  out.group = text(instance->group);
  for (const auto& [name, value] : instance->aside) out.aside << QStringLiteral("%1 = %2").arg(text(name), text(value));
  return out;
}

QVector<Property> instanceProperties(const GraphContents& contents, const QStringList& scopes) {
  QVector<Property> out;
  QString group;
  for (const QString& scope : scopes) {
    const InstanceFacts facts = instanceFacts(contents, scope);
    if (!facts.found || (!group.isEmpty() && facts.group != group)) return {};
    if (group.isEmpty()) {
      out = facts.parameters;
    } else {
      for (qsizetype i = 0; i < out.size(); ++i) {
        out[i].isDefault = out[i].isDefault && facts.parameters[i].isDefault;
        const bool same = out[i].value == facts.parameters[i].value && out[i].expression == facts.parameters[i].expression;
        out[i].mixed = out[i].mixed || !same;
        if (!same) out[i].expression.clear();
      }
    }
    group = facts.group;
  }
  return out;
}

NodePorts instancePorts(const GraphContents& contents, const QString& scope) {
  NodePorts out;
  if (!groupInstanceAt(contents.engine->loaded.meta, scope.toStdString())) return out;
  LoadedGraph copy = contents.engine->loaded;  // nodes are shared
  GraphEditor editor(copy.meta, copy.problems);
  LayerEditor layers(editor);
  GroupEditor groups(layers);
  const GroupInstance* instance = groups.instance(scope.toStdString());
  const GroupDefinition* d = instance ? groups.definition(instance->group) : nullptr;
  const auto wires = groups.wires(scope.toStdString());
  if (!d || !wires.ok()) return out;
  const auto port = [&](const GroupPort& p, const std::string& tensor) {
    NodePorts::Port made;
    made.name = text(p.name);
    made.dtype = text(dtypeName(p.type));
    made.shape = shapeOrUnknown(p.shape);
    made.doc = text(p.doc);
    made.source = text(tensor);
    made.place = scope + u':' + made.name;
    if (const auto o = copy.meta.graph.findOutput(tensor); o.ok()) made.shape = shapeOrUnknown(copy.meta.graph.shape(*o));
    return made;
  };
  for (size_t p = 0; p < d->inputs.size() && p < wires->inputs.size(); ++p) out.inputs << port(d->inputs[p], wires->inputs[p]);
  for (size_t p = 0; p < d->outputs.size() && p < wires->outputs.size(); ++p) out.outputs << port(d->outputs[p], wires->outputs[p]);
  return out;
}

QVector<GroupPlace> groupPlaces(const GraphContents& contents, const QStringList& names) {
  constexpr qsizetype kMost = 400;
  QVector<GroupPlace> layers, constants, others;
  const MetaGraph& meta = contents.engine->loaded.meta;
  const auto chosen = [&](const QString& name) {
    return std::any_of(names.begin(), names.end(), [&](const QString& n) { return name == n || name.startsWith(n + u'/'); });
  };
  QString common = names.size() == 1 ? names.front() + u'/' : QString();
  const auto shown = [&](const QString& name) { return !common.isEmpty() && name.startsWith(common) ? name.mid(common.size()) : name; };
  QStringList layerScopes;
  for (const Recipe& r : recipesOf(meta)) {
    const QString scope = text(r.scope);
    if (r.trains() || !chosen(scope)) continue;
    layerScopes << scope + u'/';
    for (const Property& p : layerDetails(contents, scope).parameters) {
      const QString place = scope + u'.' + p.name;
      layers << GroupPlace{place, shown(place), p.value};
    }
  }
  const Graph& graph = meta.graph;
  for (int id = 0; id < graph.size() && constants.size() + others.size() < kMost; ++id) {
    const Node* n = graph.node(id);
    if (!n || isOpenInput(*n)) continue;
    const QString name = text(n->name);
    if (!chosen(name) || std::any_of(layerScopes.begin(), layerScopes.end(), [&](const QString& s) { return name.startsWith(s); })) continue;
    for (const Property& p : nodeProperties(contents, {name})) {
      if (p.readOnly || p.name == QLatin1String("device") || p.name.startsWith(u'_') || p.name == QLatin1String("dtype")) continue;
      const QString place = name + u'.' + p.name;
      (p.name == QLatin1String("value") ? constants : others) << GroupPlace{place, shown(place), p.value};
    }
  }
  QVector<GroupPlace> all = layers + constants + others;
  all.resize(std::min(all.size(), kMost));
  return all;
}

QVector<widgets::PaletteItem> groupItems(const QVector<GroupFacts>& groups) {
  QVector<widgets::PaletteItem> out;
  for (const GroupFacts& g : groups) {
    widgets::PaletteItem item;
    item.type = QStringLiteral("group:") + g.name + (g.library.isEmpty() ? QString() : u'@' + g.library);
    item.name = g.name;
    item.group = QCoreApplication::translate("Palette", "Groups");
    item.kind = g.library.isEmpty() ? QCoreApplication::translate("Palette", "group") : QFileInfo(g.library).completeBaseName();
    item.keywords = QStringLiteral("group function own");
    const QString ports = Words::tr("%1 → %2").arg(g.inputs.isEmpty() ? Words::tr("no inputs") : g.inputs.join(QStringLiteral(", ")),
                                                   g.outputs.isEmpty() ? Words::tr("no outputs") : g.outputs.join(QStringLiteral(", ")));
    item.summary = g.doc.isEmpty() ? ports : g.doc + u'\n' + ports;
    item.hue = widgets::OpCategory::Nn;
    out << item;
  }
  return out;
}

}  // namespace weft::app
