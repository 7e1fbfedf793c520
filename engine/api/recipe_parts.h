// Shared by the sources of LayerEditor.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "weft/recipes.h"

namespace weft::recipes {

inline constexpr const char* kSeenIn = "~in";    // types and shapes of the inputs for which a layer was built
inline constexpr const char* kSeenOut = "~out";  // its output shapes, which shape functions may not find again after reading a file

inline constexpr const char* kNames = "~names";  // names that variables keep when the layer is built again: "kernel=./weights;bias=b1", ./ is the layer's scope

inline constexpr const char* kFolded = "~folded";  // the layer was recognised in plain ops, so that its variables have initial values that are not the layer's

inline constexpr const char* kFixed = "~fixed";  // variables that no training changes, by their names within the layer: "kernel;bias"

inline constexpr const char* kSettingsBefore = "weft/training_before";  // collection: settings of a training that waits until its network is complete

inline bool isTensor(const ApiParameter& p) { return p.type == "tensor" || p.type == "tensors"; }
inline bool isName(const ApiParameter& p) { return p.name == "name" || p.name == "scope"; }
inline bool inScope(std::string_view name, std::string_view scope) {
  return name.starts_with(scope) && (name.size() == scope.size() || name[scope.size()] == '/');
}
/// The scope's nodes, in the order of the graph.
std::vector<int> nodesIn(const Graph& graph, const std::string& scope);
/// Removes the nodes of a layer that comes back at once. An instance of a group whose only content it is stays an instance.
Status removeToBuildAgain(GraphEditor& editor, const std::vector<int>& nodes);
/// A name in the layer's scope, and the name that the variable has.
std::vector<std::pair<std::string, std::string>> keptNames(const Recipe& r);
/// Takes variables that the user fixed out of the trainable ones, after the layer was built.
Status keepFixed(MetaGraph& meta, const Recipe& r);
/// The initial values of a layer's variables, read before the layer is removed to be built again: where shapes stay, they do.
class InitialValues {
 public:
  /// `nodes`: those of the layer. Of a layer that was recognised in plain ops, also initializers that are no constants.
  InitialValues(const Graph& graph, const Recipe& r, const std::vector<int>& nodes);
  /// By the variable's name in the layer's scope; LayerEditor::build() uses them.
  const std::map<std::string, Tensor>& constants() const { return constants_; }
  /// Puts initializers of a recognised layer back. REQUIRES: the layer was built, and its variables have their kept names.
  Status restore(GraphEditor& editor) const;

 private:
  struct Initializer {
    std::string variable;
    Shape shape;
    DType type;
    std::vector<Node> ops;  ///< In the order of computation.
    Output value;
  };
  std::map<std::string, Tensor> constants_;
  std::vector<Initializer> initializers_;
};
/// The shape of a tensor, with what its layer noted.
Shape knownShape(const Graph& graph, const std::vector<Recipe>& recipes, Output o);
/// Types and shapes of a layer's inputs, for kSeenIn.
std::string inputsSeen(GraphEditor& editor, const std::vector<Recipe>& recipes, const Recipe& r);
/// A layer's parameters as text: "units, activation".
std::string settableNames(const ApiRecord& record);
/// argumentFromText() for what people set: sizes of dimensions, windows and strides are from 1 on, and a whole number is one that ops take as 32 bits; seeds have all 64.
Result<Argument> settingFromText(const ApiParameter& p, std::string_view text);

/// Updates by gradients, and what saves and restores variables, by name; empty if a recipe trains, which makes them again.
std::vector<std::string> trainingOps(const std::vector<Recipe>& recipes, const Graph& graph);
/// Full name of an optimizer's record: "adam", "Adam" and "train.AdamOptimizer" are train.AdamOptimizer.
std::string optimizerRecord(const std::string& name);
/// Nodes [from, to) that one optimizer was built of.
struct OptimizerNodes {
  int from = 0, to = 0;
};
/// Makes each optimizer's updates wait for the gradients of all others, which must read the values before the step.
void updateTogether(GraphBuilder& b, const std::vector<OptimizerNodes>& optimizers);
/// Converts a training's additional losses to parameters and inputs of its recipe, and back.
void keepOthers(const std::vector<LayerEditor::Training::Other>& others, Recipe& recipe);
std::vector<LayerEditor::Training::Other> othersOf(const Recipe& recipe);

}  // namespace weft::recipes
