// Transforms that join convolutions with the ops before and after them.
#include "transforms/patterns.h"

namespace weft::transforms {
namespace {

/// Copies an attribute under another name. INVALID_ARGUMENT if the node lacks it.
Status copyAttr(const NodeDef& from, const std::string& name, const std::string& as, NodeDef* to) {
  const auto at = from.attr().find(name);
  if (at == from.attr().end()) return invalidArgument("the attribute ", name, " is missing").atNode(from.name());
  (*to->mutable_attr())[as] = at->second;
  return {};
}

Status flattenAtrous(const Match& match, const std::set<std::string>&, std::vector<NodeDef>* made) {
  const NodeDef &conv = *match.inputs[0].node, &filterNode = *match.inputs[0].inputs[1].node;
  const Match& toBatch = match.inputs[0].inputs[0];
  const NodeDef& blockNode = *toBatch.inputs[1].node;
  for (const NodeDef* node : {&blockNode, &filterNode})
    if (node->op() != "Const") return invalidArgument("expected a Const, found ", node->op(), "; fold constants first").atNode(node->name());
  WEFT_LET(const Tensor block, constValue(blockNode));
  WEFT_LET(const Tensor filter, floatValue(filterNode));
  if (block.dtype() != DType::Int32 || block.elements() != 2)
    return invalidArgument("the block shape is ", block.toString(), ", expected two int32 numbers").atNode(blockNode.name());
  if (filter.rank() != 4)
    return invalidArgument("the filter has the shape ", filter.shape().toString(), ", expected four dimensions").atNode(filterNode.name());
  const int64_t high = block.at<int32_t>(0), wide = block.at<int32_t>(1), channels = filter.dim(2) * filter.dim(3);
  if (high < 1 || wide < 1) return invalidArgument("the block shape is ", block.toString(), ", expected at least 1").atNode(blockNode.name());
  if (filter.elements() == 0)
    return invalidArgument("the filter has the shape ", filter.shape().toString(), ", expected at least one element").atNode(filterNode.name());
  const int64_t rows = (filter.dim(0) - 1) * high + 1, columns = (filter.dim(1) - 1) * wide + 1;
  WEFT_LET(Tensor spread, Tensor::allocate(DType::Float, {rows, columns, filter.dim(2), filter.dim(3)}));
  float* to = spread.mutableData<float>();
  std::fill(to, to + spread.elements(), 0.0F);
  for (int64_t y = 0; y < filter.dim(0); ++y)
    for (int64_t x = 0; x < filter.dim(1); ++x)
      std::copy_n(filter.data<float>() + (y * filter.dim(1) + x) * channels, channels, to + (y * high * columns + x * wide) * channels);
  WEFT_LET(NodeDef newFilter, constNode(filterNode.name(), spread));
  NodeDef flat;
  flat.set_name(match.node->name());
  flat.set_op(conv.op());
  flat.set_device(conv.device());
  flat.add_input(toBatch.inputs[0].node->name());
  flat.add_input(newFilter.name());
  for (const char* attr : {"T", "strides", "data_format"}) WEFT_TRY(copyAttr(conv, attr, attr, &flat));
  (*flat.mutable_attr())["padding"].set_s("SAME");
  if (conv.op() == "Conv2D") WEFT_TRY(copyAttr(conv, "use_cudnn_on_gpu", "use_cudnn_on_gpu", &flat));
  made->push_back(*toBatch.inputs[0].node);
  made->push_back(std::move(newFilter));
  made->push_back(std::move(flat));
  return {};
}

Status flattenAtrousConv(const GraphDef& in, const Context&, GraphDef* out) {
  const Pattern any{"*", {}};
  const Pattern pattern{"BatchToSpaceND", {{"Conv2D|DepthwiseConv2dNative", {{"SpaceToBatchND", {any, any, any}}, any}}, any, any}};
  return replaceMatches(in, pattern, flattenAtrous, false, out);
}

/// A convolution fused with mirror padding (or null) and resizing (or null) before it.
Status fuse(const NodeDef& conv, const NodeDef* pad, const NodeDef* resize, const std::string& paddings, std::vector<NodeDef>* made) {
  NodeDef fused;
  fused.set_op(resize ? "FusedResizeAndPadConv2D" : "FusedPadConv2D");
  fused.set_name(conv.name());
  const NodeDef& first = resize ? *resize : *pad;
  const int sources = resize ? 2 : 1;
  if (first.input_size() < sources) return invalidArgument("expected ", sources, " inputs, found ", first.input_size()).atNode(first.name());
  for (int i = 0; i < sources; ++i) fused.add_input(first.input(i));
  fused.add_input(paddings);
  fused.add_input(conv.input(1));
  if (resize) WEFT_TRY(copyAttr(*resize, "align_corners", "resize_align_corners", &fused));
  if (pad) WEFT_TRY(copyAttr(*pad, "mode", "mode", &fused));
  else (*fused.mutable_attr())["mode"].set_s("REFLECT");
  for (const char* attr : {"T", "padding", "strides"}) WEFT_TRY(copyAttr(conv, attr, attr, &fused));
  made->push_back(std::move(fused));
  return {};
}

Status fuseResizePadAndConv(const GraphDef& in, const Context&, GraphDef* out) {
  const auto replace = [](const Match& match, const std::set<std::string>&, std::vector<NodeDef>* made) -> Status {
    const Match& pad = match.inputs[0];
    made->push_back(*match.inputs[1].node);
    made->push_back(*pad.inputs[1].node);
    return fuse(*match.node, pad.node, pad.inputs[0].node, pad.node->input(1), made);
  };
  return replaceMatches(in, {"Conv2D", {{"MirrorPad", {{"ResizeBilinear", {}}, {"*", {}}}}, {"*", {}}}}, replace, false, out);
}

Status fuseResizeAndConv(const GraphDef& in, const Context&, GraphDef* out) {
  const auto replace = [](const Match& match, const std::set<std::string>&, std::vector<NodeDef>* made) -> Status {
    made->push_back(*match.inputs[1].node);
    WEFT_LET(NodeDef none, constNode(match.node->name() + "_dummy_paddings", Tensor::zeros(DType::Int32, {4, 2})));
    const std::string name = none.name();
    made->push_back(std::move(none));
    return fuse(*match.node, nullptr, match.inputs[0].node, name, made);
  };
  return replaceMatches(in, {"Conv2D", {{"ResizeBilinear", {}}, {"*", {}}}}, replace, false, out);
}

Status fusePadAndConv(const GraphDef& in, const Context&, GraphDef* out) {
  const auto replace = [](const Match& match, const std::set<std::string>&, std::vector<NodeDef>* made) -> Status {
    const Match& pad = match.inputs[0];
    for (const Match* m : {&match.inputs[1], &pad.inputs[0], &pad.inputs[1]}) made->push_back(*m->node);
    return fuse(*match.node, pad.node, nullptr, pad.node->input(1), made);
  };
  return replaceMatches(in, {"Conv2D", {{"MirrorPad", {{"*", {}}, {"*", {}}}}, {"*", {}}}}, replace, false, out);
}

}  // namespace

std::vector<Entry> convolutionTransforms() {
  return {
      {{"flatten_atrous_conv", "Makes one convolution with a spread filter of SpaceToBatchND, a convolution and BatchToSpaceND.", {}}, flattenAtrousConv},
      {{"fuse_pad_and_conv", "Joins MirrorPad and Conv2D in FusedPadConv2D.", {}}, fusePadAndConv},
      {{"fuse_resize_and_conv", "Joins ResizeBilinear and Conv2D in FusedResizeAndPadConv2D.", {}}, fuseResizeAndConv},
      {{"fuse_resize_pad_and_conv", "Joins ResizeBilinear, MirrorPad and Conv2D in FusedResizeAndPadConv2D.", {}}, fuseResizePadAndConv},
  };
}

}  // namespace weft::transforms
