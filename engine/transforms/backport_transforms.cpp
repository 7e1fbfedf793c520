// Transforms for readers that know older versions of ops only.
#include "transforms/patterns.h"

namespace weft::transforms {
namespace {

Status backportConcat(const GraphDef& in, const Context&, GraphDef* out) {
  for (const NodeDef& node : in.node()) {
    NodeDef* copy = out->add_node();
    *copy = node;
    if (node.op() != "ConcatV2") continue;
    copy->set_op("Concat");
    copy->clear_input();
    // The axis is the first input of Concat and the last of ConcatV2.
    if (node.input_size() > 0) copy->add_input(node.input(node.input_size() - 1));
    for (int i = 0; i + 1 < node.input_size(); ++i) copy->add_input(node.input(i));
    copy->mutable_attr()->erase("Tidx");
  }
  return {};
}

Status backportTensorArrays(const GraphDef& in, const Context&, GraphDef* out) {
  std::map<std::string, std::string> names;
  GraphDef replaced;
  for (const NodeDef& node : in.node()) {
    NodeDef* copy = replaced.add_node();
    *copy = node;
    if (!node.op().starts_with("TensorArray") || !node.op().ends_with("V3")) continue;
    copy->set_op(node.op().substr(0, node.op().size() - 1) + "2");
    if (node.op() != "TensorArrayV3" && node.op() != "TensorArrayGradV3") continue;
    // Version 2 has no flow output: its readers get a constant.
    WEFT_LET(NodeDef flow, constNode(node.name() + "/replacement_flow_node", Tensor::scalar(1.0F)));
    names[node.name() + ":1"] = flow.name();
    replaced.add_node()->Swap(&flow);
  }
  return renameInputs(replaced, names, {}, out);
}

}  // namespace

std::vector<Entry> backportTransforms() {
  return {
      {{"backport_concatv2", "Replaces ConcatV2 by Concat.", {}}, backportConcat},
      {{"backport_tensor_array_v3", "Replaces the TensorArray ops of version 3 by those of version 2.", {}}, backportTensorArrays},
  };
}

}  // namespace weft::transforms
