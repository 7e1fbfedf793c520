// Variables in place of the constants of a frozen graph.
#include <algorithm>

#include "fold/fold_parts.h"
#include "graph/edit_internal.h"
#include "proto/meta_graph.pb.h"
#include "weft/builder.h"
#include "weft/op_traits.h"

namespace weft::folding {

Status thaw(GraphEditor& editor, const std::vector<FrozenWeight>& weights) {
  if (weights.empty()) return {};
  Graph& graph = editor.graph();
  const std::vector<std::vector<int>> consumers = graph.consumers();
  // The name under which layers look for the values that their variables keep.
  std::vector<std::string> names;
  std::map<std::string, std::string> renamed;
  for (const FrozenWeight& w : weights) {
    names.push_back(graph.node(w.constant)->name);
    renamed.emplace(names.back(), editor.uniqueName(names.back() + "/Initializer/initial_value"));
  }
  WEFT_TRY(editor.renameNodes(renamed));
  const int before = graph.size();
  GraphBuilder b(editor.meta());
  for (size_t i = 0; i < weights.size(); ++i) {
    const int constant = weights[i].constant;
    const std::string& name = names[i];
    const Tensor value = *graph.node(constant)->attrs.find("value")->get<Tensor>();
    const std::vector<std::string> place = {"loc:@" + name};
    const Output variable = b.op("VariableV2", {}, {{"dtype", value.dtype()}, {"shape", value.shape()}}, name);
    const int assign = b.node("Assign", {variable, {constant, 0}}, {{"_class", place}, {"validate_shape", true}, {"use_locking", true}}, name + "/Assign");
    // Ops that passed the constant on read the variable; all others read it through such an op.
    Output read;
    std::vector<int> others;
    for (const int id : consumers[size_t(constant)]) {
      const Node& n = *graph.node(id);
      if (roleOf(n) != OpRole::Identity || !n.name.starts_with(name + "/")) {
        others.push_back(id);
        continue;
      }
      WEFT_TRY(graph.change(id, [&](Node& node) {
        node.inputs[0] = variable;
        node.attrs.set("_class", place);
      }));
      editor.touch(id);
      read = {id, 0};
    }
    if (!read.valid()) read = b.op("Identity", {variable}, {{"_class", place}}, name + "/read");
    WEFT_TRY(b.status());
    for (const int id : others) {
      WEFT_TRY(graph.change(id, [&](Node& node) {
        for (Output& in : node.inputs)
          if (in == Output{constant, 0}) in = read;
      }));
      editor.touch(id);
    }
    tensorflow::VariableDef def;
    def.set_variable_name(name + ":0");
    def.set_initializer_name(graph.node(assign)->name);
    def.set_snapshot_name(graph.tensorName(read));
    def.set_initial_value_name(graph.node(constant)->name + ":0");
    def.set_trainable(weights[i].trained);
    for (const char* key : {"variables", "trainable_variables"}) {
      if (!weights[i].trained && std::string_view(key) != "variables") continue;
      Collection& c = editor.meta().collections[key];
      c.kind = Collection::Kind::Bytes;
      c.bytes.push_back(def.SerializeAsString());
    }
  }
  for (int id = before; id < graph.size(); ++id)
    if (graph.node(id)) editor.touch(id);
  return {};
}

}  // namespace weft::folding
