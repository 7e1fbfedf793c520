// Transforms that fold batch norms with constant parameters into the weights of convolutions.
#include <algorithm>
#include <cmath>

#include "transforms/node_names.h"
#include "transforms/patterns.h"

namespace weft::transforms {
namespace {

/// Number of columns of a convolution's or product's weights; 0 if their rank does not fit.
int64_t columnsOf(const std::string& op, const Tensor& weights) {
  if (weights.rank() != (op == "MatMul" ? 2 : 4)) return 0;
  if (op == "MatMul") return weights.dim(1);
  return op == "Conv2D" ? weights.dim(3) : weights.dim(2) * weights.dim(3);
}

/// A copy of `weights` with each column multiplied by its factor.
Result<Tensor> scaledColumns(const Tensor& weights, std::span<const float> factors) {
  WEFT_LET(Tensor out, Tensor::allocate(DType::Float, weights.shape()));
  const auto from = weights.flat<float>();
  float* to = out.mutableData<float>();
  for (size_t i = 0; i < from.size(); ++i) to[i] = from[i] * factors[i % factors.size()];
  return out;
}

std::string textAttr(const NodeDef& node, const char* name, const char* fallback) {
  const auto at = node.attr().find(name);
  return at == node.attr().end() ? fallback : at->second.s();
}

/// Why a multiplication behind a node does not scale the columns of its weights; empty if it does.
std::string whyNoColumns(const NodeDef& node) {
  const auto transposed = node.attr().find("transpose_b");
  if (node.op() == "MatMul" && transposed != node.attr().end() && transposed->second.b()) return "it has transpose_b";
  const std::string format = textAttr(node, "data_format", "NHWC");
  return node.op() != "MatMul" && format != "NHWC" ? "its data_format is " + format : "";
}

Status foldMul(const Context& context, const Match& match, const std::set<std::string>& readOutside, std::vector<NodeDef>* made) {
  const NodeDef &mul = *match.node, &conv = *match.inputs[0].node, &input = *match.inputs[0].inputs[0].node;
  const NodeDef &weightsNode = *match.inputs[0].inputs[1].node, &factorsNode = *match.inputs[1].node;
  for (const NodeDef* node : {&conv, &weightsNode, &factorsNode}) {
    if (!readOutside.count(node->name())) continue;
    for (const NodeDef* n : {&mul, &conv, &input, &weightsNode, &factorsNode}) made->push_back(*n);
    return {};
  }
  if (const std::string why = whyNoColumns(conv); !why.empty()) {
    context.warn(concat("the multiplication '", mul.name(), "' is not folded into '", conv.name(), "': ", why));
    return {};
  }
  WEFT_LET(const Tensor weights, floatValue(weightsNode));
  WEFT_LET(const Tensor factors, floatValue(factorsNode));
  const int64_t columns = columnsOf(conv.op(), weights);
  if (columns == 0 || factors.rank() != 1 || factors.dim(0) != columns)
    return invalidArgument("Mul constant input to batch norm has bad shape: ", factors.shape().toString()).atNode(mul.name());
  WEFT_LET(const Tensor scaled, scaledColumns(weights, factors.flat<float>()));
  WEFT_LET(NodeDef newWeights, constNode(weightsNode.name(), scaled));
  made->push_back(std::move(newWeights));
  made->push_back(input);
  made->push_back(conv);
  made->back().set_name(mul.name());
  return {};
}

Status foldBatchNorms(const GraphDef& in, const Context& context, GraphDef* out) {
  const Pattern pattern{"Mul", {{"Conv2D|MatMul|DepthwiseConv2dNative", {{"*", {}}, {"Const", {}}}}, {"Const", {}}}};
  const auto replace = [&](const Match& match, const std::set<std::string>& readOutside, std::vector<NodeDef>* made) {
    return foldMul(context, match, readOutside, made);
  };
  return replaceMatches(in, context, pattern, replace, false, out).status();
}

/// A batch norm as a factor and an offset for each channel.
struct Affine {
  std::vector<float> scale, offset;
};

Result<Affine> affineOf(const Match& match) {
  const NodeDef& norm = *match.node;
  const bool fused = norm.op() == "FusedBatchNorm";
  const auto parameter = [&](size_t input) { return floatValue(*match.inputs[input].node); };
  WEFT_LET(const Tensor mean, parameter(fused ? 3 : 1));
  WEFT_LET(const Tensor variance, parameter(fused ? 4 : 2));
  WEFT_LET(const Tensor beta, parameter(fused ? 2 : 3));
  WEFT_LET(const Tensor gamma, parameter(fused ? 1 : 4));
  const std::pair<const char*, const Tensor*> named[] = {{"Mean", &mean}, {"Variance", &variance}, {"Beta", &beta}, {"gamma", &gamma}};
  for (const auto& [what, tensor] : named)
    if (tensor->rank() != 1 || mean.rank() != 1 || tensor->dim(0) != mean.dim(0))
      return invalidArgument(what, " input to batch norm has bad shape: ", tensor->shape().toString()).atNode(norm.name());
  const auto epsilon = norm.attr().find(fused ? "epsilon" : "variance_epsilon");
  if (epsilon == norm.attr().end()) return invalidArgument("the attribute ", fused ? "epsilon" : "variance_epsilon", " is missing").atNode(norm.name());
  const auto after = norm.attr().find("scale_after_normalization");
  const bool scaled = fused || (after != norm.attr().end() && after->second.b());
  Affine out;
  for (int64_t i = 0; i < mean.dim(0); ++i) {
    float scale = 1.0F / std::sqrt(variance.at<float>(i) + epsilon->second.f());
    if (scaled) scale *= gamma.at<float>(i);
    out.scale.push_back(scale);
    out.offset.push_back(-mean.at<float>(i) * scale + beta.at<float>(i));
  }
  return out;
}

/// Weights, input and convolution with the factors folded in, the offsets, and a BiasAdd named `name`.
Status foldIntoConv(const Affine& affine, const Match& convMatch, const std::string& name, std::vector<NodeDef>* made) {
  const NodeDef& conv = *convMatch.node;
  WEFT_LET(const Tensor weights, floatValue(*convMatch.inputs[1].node));
  if (columnsOf("Conv2D", weights) != int64_t(affine.scale.size()) || affine.scale.empty())
    return invalidArgument("the weights have the shape ", weights.shape().toString(), ", expected ", affine.scale.size(), " output channels")
        .atNode(conv.name());
  if (!conv.attr().contains("T")) return invalidArgument("the attribute T is missing").atNode(conv.name());
  WEFT_LET(const Tensor scaled, scaledColumns(weights, affine.scale));
  WEFT_LET(NodeDef newWeights, constNode(convMatch.inputs[1].node->name(), scaled));
  made->push_back(std::move(newWeights));
  made->push_back(*convMatch.inputs[0].node);
  made->push_back(conv);
  WEFT_LET(NodeDef offset, constNode(conv.name() + "_bn_offset", Tensor::vector(affine.offset)));
  NodeDef add;
  add.set_op("BiasAdd");
  add.set_name(name);
  for (const char* attr : {"data_format", "T"})
    if (const auto at = conv.attr().find(attr); at != conv.attr().end()) (*add.mutable_attr())[attr] = at->second;
  add.add_input(conv.name());
  add.add_input(offset.name());
  made->push_back(std::move(offset));
  made->push_back(std::move(add));
  return {};
}

Status foldConv(const Match& match, std::vector<NodeDef>* made) {
  WEFT_LET(const Affine affine, affineOf(match));
  return foldIntoConv(affine, match.inputs[0], match.node->name(), made);
}

Status foldBatchToSpace(const Match& match, std::vector<NodeDef>* made) {
  WEFT_LET(const Affine affine, affineOf(match));
  const Match& space = match.inputs[0];
  const std::string biased = space.inputs[0].node->name() + "/biasadd";
  WEFT_TRY(foldIntoConv(affine, space.inputs[0], biased, made));
  made->push_back(*space.inputs[1].node);
  made->push_back(*space.inputs[2].node);
  made->push_back(*space.node);
  made->back().set_name(match.node->name());
  made->back().set_input(0, biased);
  return {};
}

Status foldConcat(const Match& match, std::vector<NodeDef>* made) {
  WEFT_LET(const Affine affine, affineOf(match));
  const Match& concat = match.inputs[0];
  WEFT_LET(const Tensor axis, constValue(*concat.inputs[2].node));
  if (concat.node->op() != "ConcatV2" || axis.elements() != 1)
    return invalidArgument("expected a ConcatV2 with a scalar axis before the batch norm").atNode(concat.node->name());
  Affine parts[] = {affine, affine};
  if (axis.asInt(0) == 3) {
    WEFT_LET(const Tensor weights, floatValue(*concat.inputs[0].inputs[1].node));
    const size_t split = size_t(columnsOf("Conv2D", weights));
    if (split > affine.scale.size()) return invalidArgument("the weights have more output channels than the batch norm").atNode(match.node->name());
    for (std::vector<float> Affine::*list : {&Affine::scale, &Affine::offset}) {
      (parts[0].*list).resize(split);
      (parts[1].*list).erase((parts[1].*list).begin(), (parts[1].*list).begin() + int64_t(split));
    }
  }
  std::string names[2];
  for (size_t i = 0; i < 2; ++i) {
    names[i] = weft::concat(concat.node->name(), "_bn_in", i);
    WEFT_TRY(foldIntoConv(parts[i], concat.inputs[i], names[i], made));
  }
  made->push_back(*concat.inputs[2].node);
  made->push_back(*concat.node);
  made->back().set_name(match.node->name());
  for (int i = 0; i < 2; ++i) made->back().set_input(i, names[i]);
  return {};
}

/// The convolutions of a match.
void convsOf(const Match& match, std::vector<const Match*>* out) {
  if (match.node->op() == "Conv2D" && match.inputs.size() == 2) out->push_back(&match);
  for (const Match& input : match.inputs) convsOf(input, out);
}

/// Why folding a batch norm would change values that other nodes read; empty if it would not.
std::string whyNotFolded(const Match& match, const std::set<std::string>& readOutside, const std::set<std::string>& otherOutputs) {
  if (otherOutputs.count(match.node->name())) return "its other outputs are used";
  std::vector<const Match*> convs;
  convsOf(match, &convs);
  for (const Match* conv : convs) {
    for (const NodeDef* changed : {conv->node, conv->inputs[1].node})
      if (readOutside.count(changed->name())) return "'" + changed->name() + "' is used elsewhere";
    const std::string format = textAttr(*conv->node, "data_format", "NHWC");
    if (format != textAttr(*match.node, "data_format", "NHWC")) return "the data_format of '" + conv->node->name() + "' is " + format;
  }
  return {};
}

/// Replaces until nothing matches: batch norms that share inputs are matched one after the other.
Status foldAll(GraphDef* graph, const Context& context, const Pattern& input, Status (*fold)(const Match&, std::vector<NodeDef>*)) {
  const Pattern constant{"Const", {}};
  const Pattern pattern{"BatchNormWithGlobalNormalization|FusedBatchNorm", {input, constant, constant, constant, constant}};
  std::set<std::string> otherOutputs;
  const auto read = [&](const std::string& name) {
    if (const InputParts parts = inputParts(name); !parts.suffix.empty() && parts.suffix != ":0") otherOutputs.insert(parts.node);
  };
  for (const NodeDef& node : graph->node()) std::for_each(node.input().begin(), node.input().end(), read);
  std::for_each(context.outputs.begin(), context.outputs.end(), read);
  for (int count = 1; count > 0;) {
    GraphDef made;
    const auto replace = [&](const Match& match, const std::set<std::string>& readOutside, std::vector<NodeDef>* nodes) -> Status {
      const std::string why = whyNotFolded(match, readOutside, otherOutputs);
      if (why.empty()) return fold(match, nodes);
      context.warn(concat("the batch norm '", match.node->name(), "' is not folded: ", why));
      return {};
    };
    WEFT_LET(count, replaceMatches(*graph, context, pattern, replace, false, &made));
    graph->Swap(&made);
  }
  return {};
}

Status foldOldBatchNorms(const GraphDef& in, const Context& context, GraphDef* out) {
  const Pattern any{"*", {}}, constant{"Const", {}}, conv{"Conv2D", {any, constant}};
  for (const NodeDef& node : in.node()) *out->add_node() = node;
  WEFT_TRY(foldAll(out, context, conv, foldConv));
  WEFT_TRY(foldAll(out, context, {"BatchToSpaceND", {conv, constant, constant}}, foldBatchToSpace));
  return foldAll(out, context, {"ConcatV2|Concat", {conv, conv, constant}}, foldConcat);
}

}  // namespace

std::vector<Entry> batchNormTransforms() {
  return {
      {{"fold_batch_norms", "Folds a multiplication by constants behind a convolution or matrix product into its weights. Fold constants before.", {}},
       foldBatchNorms},
      {{"fold_old_batch_norms", "Folds BatchNormWithGlobalNormalization and FusedBatchNorm with constant parameters into the convolution before.", {}},
       foldOldBatchNorms},
  };
}

}  // namespace weft::transforms
