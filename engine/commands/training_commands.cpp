// What a training needs of a graph: its step counter, and layers that know whether they train.
#include "weft/graph_commands.h"
#include "weft/op_traits.h"
#include "weft/train.h"

namespace weft {

Status addGlobalStep(LayerEditor& layers, const std::string& name) {
  GraphEditor& editor = layers.editor();
  WEFT_LET(const int training, editor.find(name));
  if (editor.graph().find("global_step")) return failedPrecondition("There is a global_step already").atNode("global_step");
  const bool isGroup = roleOf(*editor.graph().node(training)) == OpRole::Group;
  const std::vector<int> updates = isGroup ? editor.graph().node(training)->controls : std::vector<int>{training};
  WEFT_LET(const int step, editor.add("VariableV2", "global_step", {{"dtype", "int64"}, {"shape", "[]"}}));
  WEFT_TRY(layers.initialize("global_step"));
  WEFT_LET(const int one, editor.add("Const", "global_step/one", {{"dtype", "int64"}, {"value", "1"}}));
  WEFT_LET(const int increment, editor.add("AssignAdd", "global_step/increment", {{"T", "int64"}}));
  WEFT_TRY(editor.connect({step, 0}, {increment, 0}));
  WEFT_TRY(editor.connect({one, 0}, {increment, 1}));
  for (const int update : updates) WEFT_TRY(editor.connectControl(update, increment));
  int group = training;
  if (!isGroup) {
    WEFT_LET(group, editor.add("NoOp", editor.uniqueName(name + "_and_step")));
    WEFT_TRY(editor.connectControl(training, group));
  }
  WEFT_TRY(editor.connectControl(increment, group));
  MetaGraph& meta = editor.meta();
  const std::string groupName = editor.graph().node(group)->name;
  Collection& steps = meta.collections["global_step"];
  steps.kind = Collection::Kind::Bytes;
  steps.bytes.push_back(meta.collections["variables"].bytes.back());  // where initialize() put its description
  if (const auto it = meta.collections.find("train_op"); it != meta.collections.end())
    for (std::string& op : it->second.nodes)
      if (op == name) op = groupName;
  if (auto settings = trainingSettingsOf(meta); settings.ok() && settings->trainOp == name) {
    settings->trainOp = groupName;
    settings->globalStep = "global_step:0";
    setTrainingSettings(meta, *settings);
  }
  return {};
}

Status switchByTraining(LayerEditor& layers, const std::vector<std::string>& names) {
  GraphEditor& editor = layers.editor();
  auto settings = trainingSettingsOf(editor.meta());
  if (!settings.ok()) return failedPrecondition("There is no training in this graph that could switch it: add one first");
  std::string tensor;
  for (const auto& [name, text] : settings->trainFeed)
    if (text == "true" && editor.output(name).ok()) tensor = name;
  if (tensor.empty()) {
    WEFT_LET(const int node, editor.add("PlaceholderWithDefault", "is_training", {{"dtype", "bool"}, {"shape", "[]"}}));
    const std::string name = editor.graph().node(node)->name;
    WEFT_LET(const int otherwise, editor.add("Const", name + "/input", {{"dtype", "bool"}, {"value", "false"}}));
    WEFT_TRY(editor.connect({otherwise, 0}, {node, 0}));
    tensor = name + ":0";
  }
  settings->trainFeed[tensor] = "true";
  setTrainingSettings(editor.meta(), *settings);
  for (const std::string& name : names) {
    Recipe* layer = layers.around(name);
    if (!layer) return invalidArgument(name, " is no layer").atNode(name);
    WEFT_TRY(layers.connect(tensor, *layer, "training_tensor"));
  }
  return {};
}

}  // namespace weft
