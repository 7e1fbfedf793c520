// Edits of groups: definitions, and the scopes that follow them.
#include "adapters/group_edits.h"

#include "adapters/edit_parts.h"
#include "adapters/engine_graph.h"
#include "weft/fold.h"
#include "weft/groups.h"

namespace weft::app {
namespace {

const QLatin1String kPrefix("group:");

using GroupChange = std::function<Status(GroupEditor&, LayerEditor&, EditOutcome&)>;

/// An edit of groups; the engine's notes go to the log.
GraphEdit groupChange(const QString& name, GroupChange change) {
  return makeEdit(name, [change = std::move(change)](LayerEditor& layers, EditOutcome& out) -> Status {
    GroupEditor groups(layers);
    WEFT_TRY(change(groups, layers, out));
    for (const std::string& note : groups.notes()) out.note += (out.note.isEmpty() ? QString() : QStringLiteral(" ")) + text(note);
    return {};
  });
}

/// The instance that a name stands for: the instance itself, or the innermost around it.
Result<std::string> instanceNamed(const GroupEditor& groups, const QString& name) {
  if (const GroupInstance* i = groups.around(name.toStdString())) return i->scope;
  return notFound(name.toStdString(), " belongs to no group").atNode(name.toStdString());
}

/// One edit for each of the named instances.
GraphEdit forInstances(const QString& title, const QStringList& names, Status (*act)(GroupEditor&, const std::string&)) {
  return groupChange(title, [names, act](GroupEditor& groups, LayerEditor&, EditOutcome&) -> Status {
    for (const QString& n : names) {
      WEFT_LET(const std::string scope, instanceNamed(groups, n));
      WEFT_TRY(act(groups, scope));
    }
    return {};
  });
}

}  // namespace

bool isGroupType(const QString& type) { return type.startsWith(kPrefix); }

namespace {

/// Adds an instance of a group, of the document or a library ("NAME@LIBRARY"), between tensors and a reader (`to`; empty: none).
Status addInstance(GroupEditor& groups, LayerEditor& layers, EditOutcome& out, const QString& type, const std::string& name, TextAttrs inputs,
                   const TextAttrs& values, const QString& to) {
  const QString group = type.section(u'@', 0, 0).mid(kPrefix.size()), library = type.section(u'@', 1);
  if (!library.isEmpty()) {
    WEFT_LET(const auto all, readGroupLibrary(library.toStdString()));
    const GroupDefinition* found = nullptr;
    for (const GroupDefinition& d : all)
      if (d.name == group.toStdString()) found = &d;
    if (!found) return Error(notFound("There is no group ", group.toStdString(), " in this library")).inFile(library.toStdString());
    WEFT_TRY(groups.take(*found, all));
  }
  // A group without inputs does not read what is selected.
  if (const GroupDefinition* d = groups.definition(group.toStdString()); d && d->inputs.empty())
    std::erase_if(inputs, [](const auto& i) { return i.first.empty(); });
  WEFT_LET(const std::string made, groups.insert(group.toStdString(), name, inputs, values));
  out.select = {text(made)};
  if (to.isEmpty()) return {};
  WEFT_LET(const GroupWires wires, groups.wires(made));
  if (wires.outputs.empty()) return invalidArgument("The group ", group.toStdString(), " has no output").atNode(made);
  if (Status status; connectGroup(layers, to, wires.outputs[0], &status)) return status;
  std::string port;
  if (Recipe* reader = layerAt(layers, to, &port)) return layers.connect(wires.outputs[0], *reader, port);
  WEFT_LET(const Output from, layers.editor().output(wires.outputs[0]));
  WEFT_LET(const auto place, layers.editor().input(to.toStdString()));
  byHand(layers, layers.editor().graph().node(place.node)->name);
  return layers.editor().connect(from, place);
}

QString shownName(const EditWords& w, const QString& type) {
  const QString name = w.option(QStringLiteral("name"));
  return name.isEmpty() ? type.section(u'@', 0, 0).mid(kPrefix.size()) : name;
}

}  // namespace

GraphEdit addGroupEdit(const EditWords& w) {
  const QString type = w.positional.value(0), name = shownName(w, type);
  return groupChange(GraphEdits::tr("Add %1").arg(name), [w, type, name](GroupEditor& groups, LayerEditor& layers, EditOutcome& out) -> Status {
    TextAttrs inputs;
    for (const QString& from : w.all(QStringLiteral("from"))) {
      const qsizetype equal = from.indexOf(u'=');
      inputs.emplace_back(equal < 0 ? std::string() : from.left(equal).toStdString(), tensorNamed(layers, from.mid(equal + 1)));
    }
    const QString into = w.option(QStringLiteral("into"));
    const std::string full = (into.isEmpty() ? name : into + u'/' + name).toStdString();
    WEFT_TRY(addInstance(groups, layers, out, type, full, std::move(inputs), textAttrs(w), w.option(QStringLiteral("to"))));
    double x = 0, y = 0;
    if (w.point(QStringLiteral("at"), &x, &y)) placeOnCanvas(layers.editor().meta(), {out.select.front().toStdString(), true, x, y, false});
    return {};
  });
}

GraphEdit insertGroupEdit(const EditWords& w) {
  const QString wire = w.positional.value(0), type = w.positional.value(1), name = shownName(w, type);
  return groupChange(GraphEdits::tr("Insert %1").arg(name), [w, wire, type, name](GroupEditor& groups, LayerEditor& layers, EditOutcome& out) -> Status {
    std::string port, source;
    if (const Recipe* reader = layerAt(layers, wire, &port)) {
      const size_t k = size_t(std::max(0, std::atoi(port.c_str())));
      if (k < reader->inputs.size()) source = reader->inputs[k];
    } else {
      WEFT_LET(const auto place, layers.editor().input(wire.toStdString()));
      const Node& node = *layers.editor().graph().node(place.node);
      if (!place.append && size_t(place.index) < node.inputs.size()) {
        const Node* from = layers.editor().graph().node(node.inputs[size_t(place.index)].node);
        if (from && !isOpenInput(*from)) source = layers.editor().graph().tensorName(node.inputs[size_t(place.index)]);
      }
    }
    if (source.empty()) return failedPrecondition("There is no wire at ", wire.toStdString());
    return addInstance(groups, layers, out, type, name.toStdString(), {{"", source}}, textAttrs(w), wire);
  });
}

GraphEdit foldEdit(const EditWords& w) {
  std::vector<std::string> scopes;
  for (const QString& n : w.positional)
    if (n != QLatin1String("all")) scopes.push_back(n.toStdString());
  return makeEdit(GraphEdits::tr("Fold into layers"), [scopes](LayerEditor& layers, EditOutcome& out) -> Status {
    WEFT_LET(const FoldReport report, fold(layers, scopes));
    if (report.proposals.empty()) return failedPrecondition("No part of this graph is exactly a layer");
    for (const FoldProposal& p : report.proposals) out.select << text(p.scope);
    return {};
  });
}

GraphEdit makeGroupEdit(const EditWords& w) {
  const QStringList names = w.names();
  const QString group = w.option(QStringLiteral("name"));
  const QStringList parameters = w.all(QStringLiteral("parameter"));
  return groupChange(group.isEmpty() ? GraphEdits::tr("Make a group function") : GraphEdits::tr("Make the group %1").arg(group),
                     [names, group, parameters](GroupEditor& groups, LayerEditor& layers, EditOutcome& out) -> Status {
                       WEFT_LET(const auto ids, nodesNamed(layers.editor().graph(), names));
                       std::string name = group.toStdString();
                       if (name.empty()) {  // the scope's name, or the first free one
                         const bool scope = names.size() == 1 && !layers.editor().graph().find(names[0].toStdString());
                         const std::string base = scope ? lastPart(names[0]).toStdString() : std::string("group");
                         name = base;
                         for (int k = 1; groups.definition(name); ++k) name = base + "_" + std::to_string(k);
                       }
                       WEFT_LET(const std::string made, groups.make(ids, name));
                       const std::string own = groups.instance(made)->group;
                       for (const QString& p : parameters) {
                         const qsizetype equals = p.indexOf(u'=');
                         std::string place = p.mid(equals + 1).toStdString();
                         // Nodes that moved into the new scope are named within the scope that they came from.
                         const std::string parent = made.substr(0, made.rfind('/') == made.npos ? 0 : made.rfind('/') + 1);
                         if (place.starts_with(parent) && !place.starts_with(made + "/")) place = place.substr(parent.size());
                         WEFT_TRY(groups.addParameter(own, equals < 0 ? std::string() : p.left(equals).toStdString(), place));
                       }
                       out.select = {text(made)};
                       return {};
                     });
}

GraphEdit updateGroupEdit(const EditWords& w) {
  const QString name = w.names().value(0);
  return groupChange(GraphEdits::tr("Update the group from %1").arg(lastPart(name)), [name](GroupEditor& groups, LayerEditor&, EditOutcome&) -> Status {
    WEFT_LET(const std::string scope, instanceNamed(groups, name));
    return groups.updateFrom(scope);
  });
}

GraphEdit restoreGroupEdit(const EditWords& w) {
  return forInstances(GraphEdits::tr("Build %1 from its group").arg(lastPart(w.names().value(0))), w.names(),
                      [](GroupEditor& groups, const std::string& scope) { return groups.restore(scope); });
}

GraphEdit resetGroupEdit(const EditWords& w) {
  const QString scope = w.positional.value(0), parameter = w.positional.value(1);
  return groupChange(
      GraphEdits::tr("Reset %1").arg(parameter.isEmpty() ? lastPart(scope) : parameter),
      [scope, parameter](GroupEditor& groups, LayerEditor&, EditOutcome&) { return groups.reset(scope.toStdString(), parameter.toStdString()); });
}

GraphEdit detachGroupEdit(const EditWords& w) {
  return forInstances(GraphEdits::tr("Detach %1 from its group").arg(lastPart(w.names().value(0))), w.names(),
                      [](GroupEditor& groups, const std::string& scope) { return groups.detach(scope); });
}

GraphEdit groupToFunctionEdit(const EditWords& w) {
  return forInstances(GraphEdits::tr("Convert %1 to a function").arg(lastPart(w.names().value(0))), w.names(),
                      [](GroupEditor& groups, const std::string& scope) { return groups.toFunction(scope); });
}

GraphEdit inlineCallEdit(const EditWords& w) {
  const QStringList names = w.names();
  return groupChange(GraphEdits::tr("Inline %1").arg(lastPart(names.value(0))), [names](GroupEditor& groups, LayerEditor&, EditOutcome& out) -> Status {
    for (const QString& n : names) WEFT_TRY(groups.inlineCall(n.toStdString()));
    out.select = names;
    return {};
  });
}

GraphEdit exposeParameterEdit(const EditWords& w) {
  const QString place = w.positional.value(0), name = w.option(QStringLiteral("name"));
  return groupChange(GraphEdits::tr("Make %1 a parameter of the group").arg(lastPart(place)),
                     [place, name](GroupEditor& groups, LayerEditor&, EditOutcome&) -> Status {
                       const qsizetype dot = place.lastIndexOf(u'.');
                       // The instance around the place; an instance's own parameter belongs to the group around that.
                       const GroupInstance* around = groups.around(place.left(std::max<qsizetype>(0, dot)).toStdString());
                       if (around && text(around->scope) == place.left(dot)) {
                         const qsizetype slash = place.left(dot).lastIndexOf(u'/');
                         around = slash < 0 ? nullptr : groups.around(place.left(slash).toStdString());
                       }
                       if (!around) return notFound(place.toStdString(), " lies in no group").atNode(place.left(std::max<qsizetype>(0, dot)).toStdString());
                       const std::string group = around->group;
                       return groups.addParameter(group, name.toStdString(), place.toStdString());
                     });
}

GraphEdit declareParameterEdit(const EditWords& w) {
  const QString group = w.positional.value(0), type = w.option(QStringLiteral("type"));
  const TextAttrs settings = textAttrs(w);
  return groupChange(
      GraphEdits::tr("Add a parameter to the group %1").arg(group), [group, type, settings](GroupEditor& groups, LayerEditor&, EditOutcome&) -> Status {
        if (settings.empty()) return invalidArgument("a parameter needs a name and a value, such as units=64");
        for (const auto& [name, value] : settings)
          WEFT_TRY(groups.declareParameter(group.toStdString(), text(name).trimmed().toStdString(), text(value).trimmed().toStdString(), type.toStdString()));
        return {};
      });
}

GraphEdit hideParameterEdit(const EditWords& w) {
  const QString group = w.positional.value(0), name = w.positional.value(1);
  return groupChange(GraphEdits::tr("Remove the parameter %1").arg(name), [group, name](GroupEditor& groups, LayerEditor&, EditOutcome&) {
    return groups.removeParameter(group.toStdString(), name.toStdString());
  });
}

GraphEdit groupDefaultEdit(const EditWords& w) {
  const QString group = w.positional.value(0);
  const TextAttrs settings = textAttrs(w);
  return groupChange(GraphEdits::tr("Change the group %1").arg(group), [group, settings](GroupEditor& groups, LayerEditor&, EditOutcome&) -> Status {
    for (const auto& [name, value] : settings)
      WEFT_TRY(name == "doc" ? groups.setDoc(group.toStdString(), value) : groups.setDefault(group.toStdString(), name, value));
    return {};
  });
}

GraphEdit renameGroupEdit(const EditWords& w) {
  const QString from = w.positional.value(0), to = w.positional.value(1);
  return groupChange(GraphEdits::tr("Rename the group %1").arg(from),
                     [from, to](GroupEditor& groups, LayerEditor&, EditOutcome&) { return groups.rename(from.toStdString(), to.toStdString()); });
}

GraphEdit removeGroupEdit(const EditWords& w) {
  const QString group = w.positional.value(0);
  return groupChange(GraphEdits::tr("Remove the group %1").arg(group),
                     [group](GroupEditor& groups, LayerEditor&, EditOutcome&) { return groups.remove(group.toStdString()); });
}

GraphEdit takeGroupEdit(const EditWords& w) {
  const QString library = w.positional.value(0), group = w.positional.value(1);
  const bool replace = w.positional.value(2) == QLatin1String("replace");
  return groupChange(GraphEdits::tr("Take the group %1 from a library").arg(group),
                     [library, group, replace](GroupEditor& groups, LayerEditor&, EditOutcome&) -> Status {
                       WEFT_LET(const auto all, readGroupLibrary(library.toStdString()));
                       for (const GroupDefinition& d : all)
                         if (d.name == group.toStdString()) return groups.take(d, all, replace);
                       return Error(notFound("There is no group ", group.toStdString(), " in this library")).inFile(library.toStdString());
                     });
}

}  // namespace weft::app
