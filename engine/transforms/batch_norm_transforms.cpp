// Transforms that fold batch norms with constant parameters into the weights of convolutions.
#include "transforms/batch_norms.h"

namespace weft::transforms {
namespace {

/// Why a multiplication behind a node does not scale the columns of its weights; empty if it does.
std::string whyNoColumns(const NodeDef& node, const NodeDef& weights, const NodeDef& factors) {
  for (const NodeDef* constant : {&weights, &factors})
    if (const DType type = statedType(*constant); !isFloating(type)) return concat("'", constant->name(), "' holds ", dtypeName(type));
  if (node.op() == "MatMul" && boolAttr(node, "transpose_b")) return "it has transpose_b";
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
  if (const std::string why = whyNoColumns(conv, weightsNode, factorsNode); !why.empty()) {
    context.warn(concat("the multiplication '", mul.name(), "' is not folded into '", conv.name(), "': ", why));
    return {};
  }
  WEFT_LET(const Tensor weights, realValue(weightsNode));
  WEFT_LET(const Tensor factors, realValue(factorsNode));
  const int64_t columns = columnsOf(conv.op(), weights);
  if (columns == 0 || factors.rank() != 1 || factors.dim(0) != columns)
    return invalidArgument("Mul constant input to batch norm has bad shape: ", factors.shape().toString()).atNode(mul.name());
  std::vector<double> values(static_cast<size_t>(columns));
  for (size_t i = 0; i < values.size(); ++i) values[i] = factors.asDouble(int64_t(i));
  WEFT_LET(const Tensor scaled, scaledColumns(weights, values));
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

Result<Affine> affineOf(const Match& match) {
  const NodeDef& norm = *match.node;
  const bool fused = norm.op() == "FusedBatchNorm";
  const auto parameter = [&](size_t input) { return realValue(*match.inputs[input].node); };
  NormConstants constants;
  WEFT_LET(constants.mean, parameter(fused ? 3 : 1));
  WEFT_LET(constants.variance, parameter(fused ? 4 : 2));
  WEFT_LET(constants.beta, parameter(fused ? 2 : 3));
  WEFT_LET(constants.gamma, parameter(fused ? 1 : 4));
  const std::pair<const char*, const Tensor*> named[] = {
      {"Mean", &constants.mean}, {"Variance", &constants.variance}, {"Beta", &constants.beta}, {"gamma", &constants.gamma}};
  for (const auto& [what, tensor] : named)
    if (tensor->rank() != 1 || constants.mean.rank() != 1 || tensor->dim(0) != constants.mean.dim(0))
      return invalidArgument(what, " input to batch norm has bad shape: ", tensor->shape().toString()).atNode(norm.name());
  return affineOf(norm, constants, NormArithmetic::Tools);
}

/// Weights, input and convolution with the factors folded in, the offsets, and a BiasAdd named `name`.
Status foldIntoConv(const Affine& affine, const Match& convMatch, const std::string& name, std::vector<NodeDef>* made) {
  const NodeDef& conv = *convMatch.node;
  WEFT_LET(const Tensor weights, realValue(*convMatch.inputs[1].node));
  if (columnsOf("Conv2D", weights) != int64_t(affine.scale.size()) || affine.scale.empty())
    return invalidArgument("the weights have the shape ", weights.shape().toString(), ", expected ", affine.scale.size(), " output channels")
        .atNode(conv.name());
  if (!attrOf(conv, "T")) return invalidArgument("the attribute T is missing").atNode(conv.name());
  WEFT_LET(const Tensor scaled, scaledColumns(weights, affine.scale));
  WEFT_LET(NodeDef newWeights, constNode(convMatch.inputs[1].node->name(), scaled));
  made->push_back(std::move(newWeights));
  made->push_back(*convMatch.inputs[0].node);
  made->push_back(conv);
  WEFT_LET(const Tensor offsets, roundedTo(weights.dtype(), {int64_t(affine.offset.size())}, affine.offset));
  WEFT_LET(NodeDef offset, constNode(conv.name() + "_bn_offset", offsets));
  NodeDef add = biasAdd(name, conv, offset.name());
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
    WEFT_LET(const Tensor weights, realValue(*concat.inputs[0].inputs[1].node));
    const size_t split = size_t(columnsOf("Conv2D", weights));
    if (split > affine.scale.size()) return invalidArgument("the weights have more output channels than the batch norm").atNode(match.node->name());
    for (std::vector<double> Affine::*list : {&Affine::scale, &Affine::offset}) {
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
void convsOf(const Match& match, WeightedConvs* out) {
  if (match.node->op() == "Conv2D" && match.inputs.size() == 2) out->emplace_back(match.node, match.inputs[1].node);
  for (const Match& input : match.inputs) convsOf(input, out);
}

/// Replaces until nothing matches: batch norms that share inputs are matched one after the other.
Status foldAll(GraphDef* graph, const Context& context, const Pattern& input, Status (*fold)(const Match&, std::vector<NodeDef>*)) {
  const Pattern constant{"Const", {}};
  const Pattern pattern{"BatchNormWithGlobalNormalization|FusedBatchNorm", {input, constant, constant, constant, constant}};
  const std::set<std::string> beyondFirst = readBeyondFirst(*graph, context.outputs);
  for (int count = 1; count > 0;) {
    GraphDef made;
    const auto replace = [&](const Match& match, const std::set<std::string>& readOutside, std::vector<NodeDef>* nodes) -> Status {
      WeightedConvs convs;
      convsOf(match, &convs);
      const std::string why = whyNormNotFolded(*match.node, convs, beyondFirst, [&](const std::string& name) { return readOutside.count(name) > 0; });
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
