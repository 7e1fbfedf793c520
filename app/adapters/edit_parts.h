// Parts that the edits of this folder share. Only its sources include it.
#pragma once

#include <QCoreApplication>
#include <string>
#include <vector>

#include "adapters/edit_words.h"
#include "weft/graph_commands.h"
#include "weft/recipes.h"

namespace weft::app {

/// Translation context: the texts are those of the Edit menu.
struct GraphEdits {
  Q_DECLARE_TR_FUNCTIONS(GraphEdits)
};

inline QString lastPart(const QString& name) { return name.mid(name.lastIndexOf(u'/') + 1); }

inline std::vector<std::string> strings(const QStringList& texts) {
  std::vector<std::string> out;
  for (const QString& t : texts) out.push_back(t.toStdString());
  return out;
}
// The engine's functions of these names, for Qt's texts (weft/graph_commands.h).
inline Result<std::vector<int>> nodesNamed(const Graph& graph, const QStringList& names) { return weft::nodesNamed(graph, strings(names)); }
inline std::string tensorNamed(LayerEditor& layers, const QString& text) { return weft::tensorNamed(layers, text.toStdString()); }
inline Recipe* layerAt(LayerEditor& layers, const QString& place, std::string* port) { return weft::layerAt(layers, place.toStdString(), port); }
inline Status setValue(LayerEditor& layers, std::string& node, const QString& key, const QString& value) {
  return weft::setValue(layers, node, key.toStdString(), value.toStdString());
}
inline Status checkNodeName(const QString& name, const std::string& old) { return weft::checkNodeName(name.toStdString(), old); }
inline bool connectGroup(LayerEditor& layers, const QString& to, const std::string& tensor, Status* status) {
  return weft::connectGroup(layers, to.toStdString(), tensor, status);
}
/// The settings given as --set NAME=VALUE or NAME=VALUE.
TextAttrs textAttrs(const EditWords& words);

/// Makes one action's edit from its words, which were already checked. Defined in node_edits.cpp, …
using MakeEdit = GraphEdit (*)(const EditWords&);
GraphEdit addEdit(const EditWords& words);
GraphEdit connectEdit(const EditWords& words);
GraphEdit disconnectEdit(const EditWords& words);
GraphEdit setEdit(const EditWords& words);
GraphEdit removeEdit(const EditWords& words);
GraphEdit renameEdit(const EditWords& words);
GraphEdit renameAllEdit(const EditWords& words);
GraphEdit moveEdit(const EditWords& words);
// … bulk_edits.cpp, …
GraphEdit setAllEdit(const EditWords& words);
// … structure_edits.cpp, …
GraphEdit groupEdit(const EditWords& words);
GraphEdit ungroupEdit(const EditWords& words);
GraphEdit explodeEdit(const EditWords& words);
GraphEdit extractEdit(const EditWords& words);
GraphEdit muteEdit(const EditWords& words);
GraphEdit insertEdit(const EditWords& words);
GraphEdit replaceEdit(const EditWords& words);
// … group_edits.cpp, …
GraphEdit makeGroupEdit(const EditWords& words);
GraphEdit foldEdit(const EditWords& words);
GraphEdit updateGroupEdit(const EditWords& words);
GraphEdit restoreGroupEdit(const EditWords& words);
GraphEdit resetGroupEdit(const EditWords& words);
GraphEdit detachGroupEdit(const EditWords& words);
GraphEdit groupToFunctionEdit(const EditWords& words);
GraphEdit inlineCallEdit(const EditWords& words);
GraphEdit exposeParameterEdit(const EditWords& words);
GraphEdit declareParameterEdit(const EditWords& words);
GraphEdit hideParameterEdit(const EditWords& words);
GraphEdit groupDefaultEdit(const EditWords& words);
GraphEdit renameGroupEdit(const EditWords& words);
GraphEdit removeGroupEdit(const EditWords& words);
GraphEdit takeGroupEdit(const EditWords& words);
// … expression_edits.cpp, …
GraphEdit setNameEdit(const EditWords& words);
GraphEdit describeNameEdit(const EditWords& words);
GraphEdit renameNameEdit(const EditWords& words);
GraphEdit removeNameEdit(const EditWords& words);
GraphEdit followEdit(const EditWords& words);
GraphEdit releaseEdit(const EditWords& words);
// … helper_edits.cpp, …
GraphEdit toHelpersEdit(const EditWords& words);
GraphEdit toNetworkEdit(const EditWords& words);
GraphEdit helperRuleEdit(const EditWords& words);
// … repair_edits.cpp, …
GraphEdit inferAttributesEdit(const EditWords& words);
GraphEdit rewriteEdit(const EditWords& words);
// … and training_edits.cpp.
GraphEdit addTrainingEdit(const EditWords& words);
GraphEdit setTrainingEdit(const EditWords& words);
GraphEdit stripTrainingEdit(const EditWords& words);
GraphEdit initializeEdit(const EditWords& words);
GraphEdit addGlobalStepEdit(const EditWords& words);
GraphEdit switchTrainingEdit(const EditWords& words);
GraphEdit bindDataEdit(const EditWords& words);
GraphEdit freezeEdit(const EditWords& words);

}  // namespace weft::app
