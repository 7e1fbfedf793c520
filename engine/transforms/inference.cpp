// strip_unused_lib and optimize_for_inference_lib: graphs cut and simplified for inference.
#include <algorithm>
#include <set>

#include "proto/convert.h"
#include "proto/text.h"
#include "transforms/batch_norms.h"
#include "transforms/node_names.h"

namespace weft {
namespace transforms {
namespace {

std::string quotedList(const std::set<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "'" : ", '") + name + "'";
  return out;
}

/// The nodes that `outputs` need, those in the same colocation groups included, as tf.graph_util.extract_sub_graph.
Status extractSubGraph(const GraphDef& in, const std::vector<std::string>& outputs, GraphDef* out) {
  const NodeIndex nodes = indexNodes(in);
  for (const std::string& name : outputs)
    if (!nodes.count(name)) return invalidArgument(name, " is not in graph");
  std::set<std::string> needed;
  std::vector<std::string> next = outputs;
  while (!next.empty()) {
    const std::string name = std::move(next.back());
    next.pop_back();
    if (!needed.insert(name).second) continue;
    const auto node = nodes.find(name);
    if (node == nodes.end()) return invalidArgument("node '", name, "' is read but not in the graph");
    for (const std::string& input : node->second->input()) next.push_back(nodeNameOf(input));
    const auto classes = node->second->attr().find("_class");
    if (classes == node->second->attr().end()) continue;
    for (const std::string& c : classes->second.list().s())
      if (c.starts_with("loc:@")) next.push_back(c.substr(5));
  }
  for (const NodeDef& node : in.node())
    if (needed.count(node.name())) *out->add_node() = node;
  // Both fields are there even if they are empty, as in TensorFlow's result.
  *out->mutable_library() = in.library();
  *out->mutable_versions() = in.versions();
  return {};
}

Status stripUnusedParts(const GraphDef& in, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs, const std::vector<int>& types,
                        GraphDef* out) {
  WEFT_TRY(checkNames(in, ""));
  if (types.size() != 1 && types.size() != inputs.size())
    return invalidArgument("found ", types.size(), " placeholder types for ", inputs.size(), " inputs, expected one or one for each");
  for (const int type : types)
    if (!tensorflow::DataType_IsValid(type) || type == 0) return invalidArgument("placeholder type ", type, " is not a DataType");
  for (const std::string& name : inputs)
    if (name.find(':') != name.npos) return invalidArgument("Name '", name, "' appears to refer to a Tensor, not a Operation.");
  std::set<std::string> missing(inputs.begin(), inputs.end());
  GraphDef replaced;
  for (const NodeDef& node : in.node()) {
    const auto at = std::find(inputs.begin(), inputs.end(), node.name());
    NodeDef* copy = replaced.add_node();
    if (at == inputs.end()) {
      *copy = node;
      continue;
    }
    missing.erase(node.name());
    copy->set_op("Placeholder");
    copy->set_name(node.name());
    (*copy->mutable_attr())["dtype"].set_type(tensorflow::DataType(types[types.size() == 1 ? 0 : size_t(at - inputs.begin())]));
    for (const char* attr : {"_output_shapes", "shape"})
      if (const auto value = node.attr().find(attr); value != node.attr().end()) (*copy->mutable_attr())[attr] = value->second;
  }
  if (!missing.empty()) return notFound("The following input nodes were not found: {", quotedList(missing), "}");
  return extractSubGraph(replaced, outputs, out);
}

/// ValueError's cases of ensure_graph_is_valid.
Status checkGraph(const GraphDef& graph) {
  WEFT_TRY(checkNames(graph, ""));
  const NodeIndex names = indexNodes(graph);
  for (const NodeDef& node : graph.node())
    for (const std::string& input : node.input())
      if (!names.count(nodeNameOf(input))) return invalidArgument("Input for ", node.name(), " not found: ", input);
  return {};
}

/// The node whose only or first output, or whose end, an input names; another output's name as it is.
std::string bare(const std::string& input) {
  const InputParts parts = inputParts(input);
  return parts.suffix.empty() || parts.suffix == ":0" ? parts.node : input;
}

/// As tf.graph_util.remove_training_nodes: without CheckNumerics, and without identities that have no control edges. A node that reads a CheckNumerics reads its input
/// then; TensorFlow leaves that node without an input.
GraphDef withoutTrainingNodes(const GraphDef& in, const std::set<std::string>& kept) {
  std::map<std::string, std::string> checks;  // with their inputs
  std::set<std::string> waited;
  for (const NodeDef& node : in.node())
    if (node.op() == "CheckNumerics" && node.input_size() > 0 && !kept.count(node.name())) checks[node.name()] = node.input(0);
  const auto unchecked = [&](std::string input) {
    for (size_t hops = 0; hops <= checks.size() && input[0] != '^' && checks.count(nodeNameOf(input)); ++hops) input = checks[nodeNameOf(input)];
    return input;
  };
  std::vector<NodeDef> left;
  for (const NodeDef& node : in.node()) {
    if (checks.count(node.name())) continue;
    NodeDef copy = node;
    copy.clear_input();
    for (const std::string& input : node.input()) {
      if (input[0] == '^' && checks.count(bare(input))) continue;
      copy.add_input(unchecked(input));
      if (input[0] == '^') waited.insert(input.substr(1));
    }
    left.push_back(std::move(copy));
  }
  std::map<std::string, std::string> sources;
  for (const NodeDef& node : left) {
    const bool waits = std::any_of(node.input().begin(), node.input().end(), [](const std::string& i) { return i[0] == '^'; });
    if (node.op() == "Identity" && node.input_size() > 0 && !waits && !kept.count(node.name()) && !waited.count(node.name()))
      sources[node.name()] = node.input(0);
  }
  GraphDef out;
  for (NodeDef& node : left) {
    if (sources.count(node.name())) continue;
    for (std::string& input : *node.mutable_input())
      for (size_t hops = 0; hops <= sources.size() && sources.count(bare(input)); ++hops) input = sources[bare(input)];
    out.add_node()->Swap(&node);
  }
  return out;
}

NodeDef pythonConst(const std::string& name, const Tensor& value, Status* status) {
  NodeDef out;
  out.set_op("Const");
  out.set_name(name);
  (*out.mutable_attr())["dtype"].set_type(tensorflow::DataType(value.dtype()));
  *status = tensorToProto(value, TensorForm::Python, (*out.mutable_attr())["value"].mutable_tensor());
  return out;
}

/// Folds batch norms into convolutions, as optimize_for_inference_lib.fold_batch_norms.
class NormFolder {
 public:
  NormFolder(const GraphDef& in, const std::vector<std::string>& outputs, std::vector<std::string>* warnings)
      : in_(in), nodes_(indexNodes(in)), outputs_(outputs.begin(), outputs.end()), beyondFirst_(readBeyondFirst(in, outputs)), warnings_(warnings) {
    for (const NodeDef& node : in.node())
      for (const std::string& input : node.input())
        if (const InputParts parts = inputParts(input); parts.prefix.empty()) ++reads_[parts.node];
  }

  Result<GraphDef> fold() {
    for (const NodeDef& node : in_.node())
      if (node.op() == "BatchNormWithGlobalNormalization" || node.op() == "FusedBatchNorm") WEFT_TRY(foldOne(node));
    // Parameters that another node reads stay.
    std::set<std::string> stillRead = outputs_;
    for (const NodeDef& node : in_.node())
      if (!gone_.count(node.name()))
        for (const std::string& input : node.input()) stillRead.insert(nodeNameOf(input));
    GraphDef out;
    for (const NodeDef& node : in_.node())
      if (!gone_.count(node.name()) && (!parameters_.count(node.name()) || stillRead.count(node.name()))) *out.add_node() = node;
    for (NodeDef& node : made_) out.add_node()->Swap(&node);
    return out;
  }

 private:
  /// The node that computes a data input; null if the input is a control edge, or there is none.
  const NodeDef* source(const NodeDef& node, int input) const {
    if (input >= node.input_size() || node.input(input).starts_with('^')) return nullptr;
    const auto at = nodes_.find(nodeNameOf(node.input(input)));
    return at == nodes_.end() ? nullptr : at->second;
  }

  void warn(std::string text) { warnings_->push_back(std::move(text)); }

  /// A constant with one value for each channel; nothing, with a warning, otherwise.
  const NodeDef* parameter(const NodeDef& norm, int input, const char* what, int64_t channels, Tensor* values) {
    const NodeDef* node = source(norm, input);
    if (!node || node->op() != "Const") {
      warn(concat("Didn't find expected ", what, " Constant input to '", norm.name(), "', found ", node ? node->op() : "nothing",
                  " instead. Maybe because freeze_graph wasn't run first?"));
      return nullptr;
    }
    auto value = realValue(*node);
    if (!value.ok() || value->rank() != 1 || value->dim(0) != channels) {
      warn(concat("Incorrect shape for ", what, ", found ", value.ok() ? value->shape().toPythonString() : value.error().message, ", expected (", channels,
                  ",), for node ", norm.name()));
      return nullptr;
    }
    *values = std::move(*value);
    return node;
  }

  Status foldOne(const NodeDef& norm) {
    const bool fused = norm.op() == "FusedBatchNorm";
    const NodeDef* conv = source(norm, 0);
    if (!conv || (conv->op() != "Conv2D" && conv->op() != "DepthwiseConv2dNative")) {
      warn(concat("Didn't find expected Conv2D or DepthwiseConv2dNative input to '", norm.name(), "'"));
      return {};
    }
    const NodeDef* weightsNode = source(*conv, 1);
    if (!weightsNode || weightsNode->op() != "Const") {
      warn(concat("Didn't find expected conv Constant input to '", conv->name(), "', found ", weightsNode ? weightsNode->op() : "nothing",
                  " instead. Maybe because freeze_graph wasn't run first?"));
      return {};
    }
    const auto isUsedElsewhere = [&](const std::string& name) { return outputs_.count(name) > 0 || reads_[name] > 1; };
    if (const std::string why = whyNormNotFolded(norm, {{conv, weightsNode}}, beyondFirst_, isUsedElsewhere); !why.empty()) {
      warn(concat("The batch norm '", norm.name(), "' is not folded: ", why));
      return {};
    }
    WEFT_LET(const Tensor weights, realValue(*weightsNode));
    if (weights.rank() != 4)
      return invalidArgument("the weights have the shape ", weights.shape().toString(), ", expected four dimensions").atNode(conv->name());
    const int64_t channels = columnsOf(conv->op(), weights);
    NormConstants constants;
    const NodeDef* meanNode = parameter(norm, fused ? 3 : 1, "mean", channels, &constants.mean);
    const NodeDef* varianceNode = meanNode ? parameter(norm, fused ? 4 : 2, "var", channels, &constants.variance) : nullptr;
    const NodeDef* betaNode = varianceNode ? parameter(norm, fused ? 2 : 3, "beta", channels, &constants.beta) : nullptr;
    const NodeDef* gammaNode = betaNode ? parameter(norm, fused ? 1 : 4, "gamma", channels, &constants.gamma) : nullptr;
    if (!gammaNode || channels == 0) return {};
    WEFT_LET(const Affine affine, affineOf(norm, constants, NormArithmetic::NumPy));
    WEFT_LET(const Tensor scaled, scaledColumns(weights, affine.scale));
    WEFT_LET(const Tensor offset, roundedTo(constants.mean.dtype(), {channels}, affine.offset));

    Status status;
    made_.push_back(pythonConst(weightsNode->name(), scaled, &status));
    WEFT_TRY(status);
    made_.push_back(*conv);
    made_.push_back(pythonConst(conv->name() + "_bn_offset", offset, &status));
    WEFT_TRY(status);
    made_.push_back(biasAdd(norm.name(), *conv, conv->name() + "_bn_offset"));
    for (const NodeDef* node : {&norm, weightsNode, conv}) gone_.insert(node->name());
    for (const NodeDef* node : {meanNode, varianceNode, betaNode, gammaNode}) parameters_.insert(node->name());
    return {};
  }

  const GraphDef& in_;
  const NodeIndex nodes_;
  const std::set<std::string> outputs_;
  const std::set<std::string> beyondFirst_;
  std::map<std::string, int> reads_;  ///< data inputs that read each node
  std::vector<std::string>* warnings_;
  std::vector<NodeDef> made_;
  std::set<std::string> gone_, parameters_;  ///< what is replaced; constants that folded batch norms read
};

/// Fuses resizing and mirror padding into convolutions, as optimize_for_inference_lib.fuse_resize_and_conv.
Result<GraphDef> fuseResizes(const GraphDef& in, const std::vector<std::string>& outputs, std::vector<std::string>* warnings) {
  const NodeIndex nodes = indexNodes(in);
  std::map<std::string, int> uses;
  for (const NodeDef& node : in.node())
    for (const std::string& input : node.input()) ++uses[nodeNameOf(input)];
  for (const std::string& output : outputs) ++uses[output];
  const auto sourceOf = [&](const NodeDef& node) -> const NodeDef* {
    const auto at = node.input_size() && !node.input(0).starts_with('^') ? nodes.find(nodeNameOf(node.input(0))) : nodes.end();
    return at == nodes.end() ? nullptr : at->second;
  };
  std::vector<NodeDef> made;
  for (const NodeDef& conv : in.node()) {
    if (conv.op() != "Conv2D" || conv.input_size() < 2) continue;
    const NodeDef* source = sourceOf(conv);
    const NodeDef* pad = source && source->op() == "MirrorPad" ? source : nullptr;
    const NodeDef* resize = pad ? sourceOf(*pad) : source;
    if (resize && resize->op() != "ResizeBilinear") resize = nullptr;
    if (!pad && !resize) continue;
    if (const std::string why = whyNotFused(conv, resize); !why.empty()) {
      warnings->push_back(concat("The convolution '", conv.name(), "' is not fused with '", source->name(), "': ", why));
      continue;
    }
    std::string paddings = pad && pad->input_size() > 1 ? pad->input(1) : std::string();
    if (!pad) {
      Status status;
      made.push_back(pythonConst(conv.name() + "_dummy_paddings", Tensor::zeros(DType::Int32, {4, 2}), &status));
      WEFT_TRY(status);
      paddings = made.back().name();
    }
    WEFT_LET(NodeDef fused, fusedConvolution(conv, pad, resize, paddings));
    made.push_back(std::move(fused));
    uses[conv.name()] = 0;
    // Padding that another node reads stays, and reads the resizing.
    const bool padGoes = pad && --uses[pad->name()] == 0;
    if (resize && (!pad || padGoes)) --uses[resize->name()];
  }
  GraphDef out;
  for (const NodeDef& node : in.node())
    if (uses[node.name()] >= 1) *out.add_node() = node;
  for (NodeDef& node : made) out.add_node()->Swap(&node);
  return out;
}

}  // namespace
}  // namespace transforms

Result<std::string> stripUnused(std::string_view bytes, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                                const std::vector<int>& types) {
  tensorflow::GraphDef graph, out;
  WEFT_TRY(transforms::readGraph(bytes, &graph));
  WEFT_TRY(transforms::stripUnusedParts(graph, inputs, outputs, types, &out));
  return printWire(out);
}

Result<std::string> optimizeForInference(std::string_view bytes, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                                         const std::vector<int>& types, bool tocoCompatible, std::vector<std::string>* warnings) {
  tensorflow::GraphDef graph, stripped;
  WEFT_TRY(transforms::readGraph(bytes, &graph));
  WEFT_TRY(transforms::checkGraph(graph));
  WEFT_TRY(transforms::stripUnusedParts(graph, inputs, outputs, types, &stripped));
  stripped = transforms::withoutTrainingNodes(stripped, {outputs.begin(), outputs.end()});
  WEFT_LET(tensorflow::GraphDef out, transforms::NormFolder(stripped, outputs, warnings).fold());
  if (!tocoCompatible) {
    WEFT_LET(out, transforms::fuseResizes(out, outputs, warnings));
  }
  WEFT_TRY(transforms::checkGraph(out));
  return printWire(out);
}

Result<std::string> foldInferenceNorms(std::string_view bytes, const std::vector<std::string>& outputs, std::vector<std::string>* warnings) {
  tensorflow::GraphDef graph;
  WEFT_TRY(transforms::readGraph(bytes, &graph));
  WEFT_TRY(transforms::checkGraph(graph));
  WEFT_LET(const tensorflow::GraphDef out, transforms::NormFolder(graph, outputs, warnings).fold());
  return printWire(out);
}

Result<std::string> fuseResizeAndConv(std::string_view bytes, const std::vector<std::string>& outputs, std::vector<std::string>* warnings) {
  tensorflow::GraphDef graph;
  WEFT_TRY(transforms::readGraph(bytes, &graph));
  WEFT_TRY(transforms::checkGraph(graph));
  WEFT_LET(const tensorflow::GraphDef out, transforms::fuseResizes(graph, outputs, warnings));
  return printWire(out);
}

Result<std::string> graphUnderScope(std::string_view bytes, const std::string& scope) {
  tensorflow::GraphDef graph;
  WEFT_TRY(transforms::readGraph(bytes, &graph));
  for (tensorflow::NodeDef& node : *graph.mutable_node()) {
    node.set_name(scope + "/" + node.name());
    for (std::string& input : *node.mutable_input()) input = input[0] == '^' ? "^" + scope + "/" + input.substr(1) : scope + "/" + input;
    transforms::renameGroups(&node, [&](const std::string& name) { return scope + "/" + name; });
  }
  return printWire(graph);
}

int graphNodeCount(std::string_view bytes) {
  tensorflow::GraphDef graph;
  return parseWire(bytes, &graph).ok() ? graph.node_size() : 0;
}

}  // namespace weft
