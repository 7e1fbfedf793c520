// The table of editing actions, and the checks of their words.
#include "adapters/graph_edit.h"

#include <algorithm>

#include "adapters/edit_parts.h"
#include "adapters/engine_graph.h"
#include "weft/expressions.h"

namespace weft::app {
namespace {

/// An editing action. `words`: the minimum number of words, which is one lower where the selection can replace the first one.
struct EditRecord {
  const char* action;
  MakeEdit make;
  int words = 0;
  bool selectionCounts = false;
  bool namesNeeded = false;  ///< Names, or a selection.
  const char* usage = "";
};

constexpr EditRecord kEdits[] = {
    {"graph.add", addEdit, 1, false, false, "TYPE [--name NAME] [--at X,Y] [--from TENSOR]… [--set NAME=VALUE]…"},
    {"graph.connect", connectEdit, 2, false, false, "FROM:OUTPUT TO:INPUT"},
    {"graph.disconnect", disconnectEdit, 1, false, false, "[FROM:OUTPUT] TO:INPUT"},
    {"graph.set", setEdit, 1, false, false, "NODE NAME=VALUE…"},
    {"graph.set-all", setAllEdit, 0, false, true, "[NODE…] NAME=VALUE [--replace TEXT]"},
    {"graph.delete", removeEdit, 0, false, true},
    {"graph.rename", renameEdit, 2, true, false, "OLD NEW"},
    {"graph.rename-all", renameAllEdit, 2, false, false, "FIND WITH"},
    {"graph.move", moveEdit, 2, false, false, "NAME X,Y [NAME X,Y]…"},
    {"graph.group", groupEdit, 0, false, true},
    {"graph.ungroup", ungroupEdit, 0, false, true},
    {"graph.explode", explodeEdit, 0, false, true},
    {"graph.mute", muteEdit, 0, false, true},
    {"graph.to-helpers", toHelpersEdit, 0, false, true},
    {"graph.to-network", toNetworkEdit, 0, false, true},
    {"graph.helper-rule", helperRuleEdit, 2, false, false, "PATTERN helpers|network|none"},
    {"graph.insert", insertEdit, 2, false, false, "TO:INPUT TYPE [--name NAME]"},
    {"graph.replace", replaceEdit, 2, true, false, "NODE TYPE"},
    {"graph.extract", extractEdit, 0, false, true},
    {"graph.add-training", addTrainingEdit},
    {"graph.set-training", setTrainingEdit, 0, false, false, "[--batch N] [--epochs N] [--steps N] [--optimizer NAME] [--precision float32|bf16]"},
    {"graph.strip-training", stripTrainingEdit},
    {"graph.bind-data", bindDataEdit, 1, false, false,
     "DATASET|FILE [PLACEHOLDER=COLUMN]… [--batch N] [--validation PART] [--seed N] [--kind KIND] [--option NAME=VALUE]…"},
    {"graph.initialize", initializeEdit, 0, false, true},
    {"graph.add-global-step", addGlobalStepEdit, 1, false, false, "TRAIN_OP"},
    {"graph.switch-training", switchTrainingEdit, 0, false, true},
    {"graph.infer-attributes", inferAttributesEdit},
    {"graph.rewrite", rewriteEdit, 0, false, true},
    {"graph.freeze", freezeEdit, 0, false, true},
    {"group.make", makeGroupEdit, 0, false, true},
    {"group.fold", foldEdit, 1, false, false, "SCOPE…|all"},
    {"group.update", updateGroupEdit, 0, false, true},
    {"group.restore", restoreGroupEdit, 0, false, true},
    {"group.reset", resetGroupEdit, 1, false, false, "INSTANCE [PARAMETER]"},
    {"group.detach", detachGroupEdit, 0, false, true},
    {"group.to-function", groupToFunctionEdit, 0, false, true},
    {"group.inline", inlineCallEdit, 0, false, true},
    {"group.expose", exposeParameterEdit, 1, false, false, "NODE.ATTRIBUTE [--name PARAMETER]"},
    {"group.declare", declareParameterEdit, 1, false, false, "GROUP NAME=VALUE… [--type TYPE]"},
    {"group.hide", hideParameterEdit, 2, false, false, "GROUP PARAMETER"},
    {"group.default", groupDefaultEdit, 1, false, false, "GROUP NAME=VALUE…"},
    {"group.rename", renameGroupEdit, 2, false, false, "GROUP NEW"},
    {"group.remove", removeGroupEdit, 1, false, false, "GROUP"},
    {"group.take", takeGroupEdit, 2, false, false, "LIBRARY GROUP [replace]"},
    {"parameter.set", setNameEdit, 0, false, false, "NAME=EXPRESSION…"},
    {"parameter.describe", describeNameEdit, 2, false, false, "NAME TEXT"},
    {"parameter.rename", renameNameEdit, 2, false, false, "NAME NEW"},
    {"parameter.remove", removeNameEdit, 1, false, false, "NAME…"},
    {"parameter.follow", followEdit, 0, false, false, "FIELD=EXPRESSION…"},
    {"parameter.release", releaseEdit, 1, false, false, "FIELD…"},
};

/// Checks the words beyond their number; returns what is wrong.
QString argumentError(const QString& action, const EditWords& w, const QString& usage) {
  const bool takesSettings = action == QLatin1String("graph.set") || action == QLatin1String("parameter.set") || action == QLatin1String("parameter.follow");
  if (takesSettings && w.settings().isEmpty()) return GraphEdits::tr("%1 takes %2.").arg(action, usage);
  if (action == QLatin1String("graph.set-all") && w.settings().size() != 1) return GraphEdits::tr("%1 takes %2.").arg(action, usage);
  if (action == QLatin1String("graph.helper-rule") &&
      !QStringList{QStringLiteral("helpers"), QStringLiteral("network"), QStringLiteral("none")}.contains(w.positional[1]))
    return GraphEdits::tr("%1 is not a part of the drawing; expected helpers, network or none.").arg(w.positional[1]);
  if (action != QLatin1String("graph.move")) return {};
  if (w.positional.size() % 2 != 0) return GraphEdits::tr("%1 takes %2.").arg(action, usage);
  double x = 0, y = 0;
  for (qsizetype i = 1; i < w.positional.size(); i += 2)
    if (!EditWords::pointFrom(w.positional[i], &x, &y)) return GraphEdits::tr("%1 is not a position; expected X,Y.").arg(w.positional[i]);
  return {};
}

}  // namespace

GraphEdit makeEdit(const QString& name, EditChange change) {
  return {name, [change = std::move(change)](const EngineGraph& before) {
            LoadedGraph after = before.loaded;  // nodes are copied only when they change
            after.original = nullptr;
            EditOutcome out;
            GraphEditor editor(after.meta, after.problems);
            LayerEditor layers(editor);
            Status status = change(layers, out);
            std::vector<std::string> notes;
            if (status.ok()) status = finishEdit(layers, &notes);
            if (!status.ok()) return EditOutcome{nullptr, errorText(status.error()), {}, {}};
            for (const std::string& note : notes) out.note += (out.note.isEmpty() ? QString() : QStringLiteral(" ")) + text(note);
            // Saved as .weft or .meta, a GraphDef that gained collections or the like becomes a MetaGraphDef.
            out.graph = std::make_shared<const EngineGraph>(std::move(after));
            return out;
          }};
}

GraphEdit setAllOf(const QStringList& names, const QString& key, const QString& value, const QString& replaced) {
  EditWords words;
  words.positional = names;
  words.bare.append({key, value});
  if (!replaced.isEmpty()) words.options.append({QStringLiteral("replace"), replaced});
  return setAllEdit(words);
}

ParsedEdit editFromWords(const QString& action, const QStringList& arguments, const QStringList& selection, const QString& folder) {
  ParsedEdit out;
  const auto* record = std::find_if(std::begin(kEdits), std::end(kEdits), [&](const EditRecord& r) { return action == QLatin1String(r.action); });
  if (record == std::end(kEdits)) {
    out.error = GraphEdits::tr("There is no command %1.").arg(action);
    return out;
  }
  EditWords w;
  w.selection = selection;
  w.folder = folder;
  w.columns = action == QLatin1String("graph.bind-data");
  out.error = w.read(arguments);
  if (!out.error.isEmpty()) return out;
  const QString usage = QString::fromUtf8(record->usage);
  const int least = record->selectionCounts && !selection.isEmpty() ? record->words - 1 : record->words;
  if (w.positional.size() < least) out.error = GraphEdits::tr("%1 takes %2.").arg(action, usage);
  else if (record->namesNeeded && w.names().isEmpty()) out.error = GraphEdits::tr("Nothing is selected.");
  else out.error = argumentError(action, w, usage);
  if (out.error.isEmpty()) out.edit = record->make(w);
  return out;
}

QStringList editActions() {
  QStringList actions;
  for (const EditRecord& record : kEdits) actions << QLatin1String(record.action);
  return actions;
}

}  // namespace weft::app
