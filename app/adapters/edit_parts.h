// What the edits of this folder are made of. Only its sources include it.
#pragma once

#include <QCoreApplication>
#include <string>
#include <vector>

#include "adapters/edit_words.h"
#include "weft/recipes.h"

namespace weft::app {

/// Context of the translations: the texts are those of the Edit menu.
struct GraphEdits {
  Q_DECLARE_TR_FUNCTIONS(GraphEdits)
};

inline QString lastPart(const QString& name) { return name.mid(name.lastIndexOf(u'/') + 1); }

/// Nodes of these names, and all that lies in scopes of these names.
Result<std::vector<int>> nodesNamed(const Graph& graph, const QStringList& names);
/// "conv1" or "conv1:0" of a layer as the tensor that the layer gives.
std::string tensorNamed(LayerEditor& layers, const QString& text);
/// The layer whose input that place is: its scope's name, or an inner node that reads one of its inputs. `port` gets the number.
Recipe* layerAt(LayerEditor& layers, const QString& place, std::string* port);
/// An op of a layer that is changed by hand is no longer made by its recipe.
void byHand(LayerEditor& layers, const std::string& node);
/// --set NAME=VALUE and NAME=VALUE.
TextAttrs textAttrs(const EditWords& words);

/// What one action does, made of its words, which were checked. In node_edits.cpp, …
using MakeEdit = GraphEdit (*)(const EditWords&);
GraphEdit addEdit(const EditWords& words);
GraphEdit connectEdit(const EditWords& words);
GraphEdit disconnectEdit(const EditWords& words);
GraphEdit setEdit(const EditWords& words);
GraphEdit removeEdit(const EditWords& words);
GraphEdit renameEdit(const EditWords& words);
GraphEdit renameAllEdit(const EditWords& words);
GraphEdit moveEdit(const EditWords& words);
// … structure_edits.cpp, …
GraphEdit groupEdit(const EditWords& words);
GraphEdit ungroupEdit(const EditWords& words);
GraphEdit explodeEdit(const EditWords& words);
GraphEdit extractEdit(const EditWords& words);
GraphEdit muteEdit(const EditWords& words);
GraphEdit insertEdit(const EditWords& words);
GraphEdit replaceEdit(const EditWords& words);
// … helper_edits.cpp, …
GraphEdit toHelpersEdit(const EditWords& words);
GraphEdit toNetworkEdit(const EditWords& words);
GraphEdit helperRuleEdit(const EditWords& words);
// … mending_edits.cpp, …
GraphEdit inferAttributesEdit(const EditWords& words);
GraphEdit rewriteEdit(const EditWords& words);
// … and training_edits.cpp.
GraphEdit addTrainingEdit(const EditWords& words);
GraphEdit setTrainingEdit(const EditWords& words);
GraphEdit stripTrainingEdit(const EditWords& words);
GraphEdit initializeEdit(const EditWords& words);
GraphEdit switchTrainingEdit(const EditWords& words);
GraphEdit bindDataEdit(const EditWords& words);
GraphEdit freezeEdit(const EditWords& words);

}  // namespace weft::app
