// Transforms that join convolutions with the ops before and after them.
#include <algorithm>

#include "transforms/patterns.h"

namespace weft::transforms {
namespace {

/// Copies an attribute under another name. INVALID_ARGUMENT if the node lacks it.
Status copyAttr(const NodeDef& from, const std::string& name, const std::string& as, NodeDef* to) {
  const auto* value = attrOf(from, name);
  if (!value) return invalidArgument("the attribute ", name, " is missing").atNode(from.name());
  (*to->mutable_attr())[as] = *value;
  return {};
}

Status flattenAtrous(const Context& context, const Match& match, const std::set<std::string>& readOutside, std::vector<NodeDef>* made) {
  const NodeDef &conv = *match.inputs[0].node, &filterNode = *match.inputs[0].inputs[1].node;
  if (readOutside.count(filterNode.name())) {
    context.warn(concat("the dilated convolution '", conv.name(), "' stays as it is: its filter '", filterNode.name(), "' is used elsewhere"));
    return {};
  }
  const Match& toBatch = match.inputs[0].inputs[0];
  const NodeDef& blockNode = *toBatch.inputs[1].node;
  for (const NodeDef* node : {&blockNode, &filterNode})
    if (node->op() != "Const") return invalidArgument("expected a Const, found ", node->op(), "; fold constants first").atNode(node->name());
  WEFT_LET(const Tensor block, constValue(blockNode));
  WEFT_LET(const Tensor filter, constValue(filterNode));
  if (block.dtype() != DType::Int32 || block.elements() != 2)
    return invalidArgument("the block shape is ", block.toString(), ", expected two int32 numbers").atNode(blockNode.name());
  if (filter.rank() != 4)
    return invalidArgument("the filter has the shape ", filter.shape().toString(), ", expected four dimensions").atNode(filterNode.name());
  const int64_t high = block.at<int32_t>(0), wide = block.at<int32_t>(1), channels = filter.dim(2) * filter.dim(3);
  if (high < 1 || wide < 1) return invalidArgument("the block shape is ", block.toString(), ", expected at least 1").atNode(blockNode.name());
  if (!isFloating(filter.dtype()))
    return invalidArgument("the filter is of ", dtypeName(filter.dtype()), ", expected a floating type").atNode(filterNode.name());
  if (filter.elements() == 0)
    return invalidArgument("the filter has the shape ", filter.shape().toString(), ", expected at least one element").atNode(filterNode.name());
  const int64_t rows = (filter.dim(0) - 1) * high + 1, columns = (filter.dim(1) - 1) * wide + 1;
  const size_t point = size_t(channels) * sizeOf(filter.dtype());
  WEFT_LET(Tensor spread, Tensor::allocate(filter.dtype(), {rows, columns, filter.dim(2), filter.dim(3)}));
  auto* to = static_cast<char*>(spread.mutableRaw());
  const auto* from = static_cast<const char*>(filter.raw());
  std::fill_n(to, spread.bytes(), char(0));
  for (int64_t y = 0; y < filter.dim(0); ++y)
    for (int64_t x = 0; x < filter.dim(1); ++x)
      std::copy_n(from + size_t(y * filter.dim(1) + x) * point, point, to + size_t(y * high * columns + x * wide) * point);
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

Status flattenAtrousConv(const GraphDef& in, const Context& context, GraphDef* out) {
  const Pattern any{"*", {}};
  const Pattern pattern{"BatchToSpaceND", {{"Conv2D|DepthwiseConv2dNative", {{"SpaceToBatchND", {any, any, any}}, any}}, any, any}};
  const auto replace = [&](const Match& match, const std::set<std::string>& readOutside, std::vector<NodeDef>* made) {
    return flattenAtrous(context, match, readOutside, made);
  };
  return replaceMatches(in, context, pattern, replace, false, out).status();
}

/// Adds the fused convolution to the nodes that replace a match.
Status fuse(const NodeDef& conv, const NodeDef* pad, const NodeDef* resize, const std::string& paddings, std::vector<NodeDef>* made) {
  WEFT_LET(NodeDef fused, fusedConvolution(conv, pad, resize, paddings));
  made->push_back(std::move(fused));
  return {};
}

/// Replaces the convolutions that can be fused. `resizes`: whether resizing is fused as well.
template <typename F>
Status fuseEach(const GraphDef& in, const Context& context, const Pattern& pattern, bool resizes, GraphDef* out, F&& make) {
  const auto replace = [&](const Match& match, const std::set<std::string>&, std::vector<NodeDef>* made) -> Status {
    const NodeDef &conv = *match.node, &before = *match.inputs[0].node;
    const NodeDef* resize = before.op() == "ResizeBilinear" ? &before : match.inputs[0].inputs[0].node;
    if (!resizes) resize = nullptr;
    if (const std::string why = whyNotFused(conv, resize); !why.empty()) {
      context.warn(concat("the convolution '", conv.name(), "' is not fused with '", before.name(), "': ", why));
      return {};
    }
    return make(match, made);
  };
  return replaceMatches(in, context, pattern, replace, false, out).status();
}

Status fuseResizePadAndConv(const GraphDef& in, const Context& context, GraphDef* out) {
  return fuseEach(in, context, {"Conv2D", {{"MirrorPad", {{"ResizeBilinear", {}}, {"*", {}}}}, {"*", {}}}}, true, out,
                  [](const Match& match, std::vector<NodeDef>* made) {
                    const Match& pad = match.inputs[0];
                    made->push_back(*match.inputs[1].node);
                    made->push_back(*pad.inputs[1].node);
                    return fuse(*match.node, pad.node, pad.inputs[0].node, pad.node->input(1), made);
                  });
}

Status fuseResizeAndConv(const GraphDef& in, const Context& context, GraphDef* out) {
  return fuseEach(in, context, {"Conv2D", {{"ResizeBilinear", {}}, {"*", {}}}}, true, out, [](const Match& match, std::vector<NodeDef>* made) -> Status {
    made->push_back(*match.inputs[1].node);
    WEFT_LET(NodeDef none, constNode(match.node->name() + "_dummy_paddings", Tensor::zeros(DType::Int32, {4, 2})));
    const std::string name = none.name();
    made->push_back(std::move(none));
    return fuse(*match.node, nullptr, match.inputs[0].node, name, made);
  });
}

Status fusePadAndConv(const GraphDef& in, const Context& context, GraphDef* out) {
  return fuseEach(in, context, {"Conv2D", {{"MirrorPad", {{"*", {}}, {"*", {}}}}, {"*", {}}}}, false, out, [](const Match& match, std::vector<NodeDef>* made) {
    const Match& pad = match.inputs[0];
    for (const Match* m : {&match.inputs[1], &pad.inputs[0], &pad.inputs[1]}) made->push_back(*m->node);
    return fuse(*match.node, pad.node, nullptr, pad.node->input(1), made);
  });
}

}  // namespace

std::string whyNotFused(const NodeDef& conv, const NodeDef* resize) {
  if (const std::string format = textAttr(conv, "data_format", "NHWC"); format != "NHWC") return "its data_format is " + format;
  if (const auto* dilations = attrOf(conv, "dilations"))
    for (const int64_t dilation : dilations->list().i())
      if (dilation != 1) return "it has dilations";
  if (textAttr(conv, "padding", "") == "EXPLICIT") return "its padding is explicit";
  const auto* type = attrOf(conv, "T");
  if (type && type->type() != tensorflow::DT_HALF && type->type() != tensorflow::DT_FLOAT && type->type() != tensorflow::DT_DOUBLE)
    return "the fused op has no kernel for its type";
  if (!resize) return {};
  if (boolAttr(*resize, "half_pixel_centers")) return "'" + resize->name() + "' has half_pixel_centers";
  const auto* from = attrOf(*resize, "T");
  return from && type && from->type() != type->type() ? "'" + resize->name() + "' reads another type" : "";
}

Result<NodeDef> fusedConvolution(const NodeDef& conv, const NodeDef* pad, const NodeDef* resize, const std::string& paddings) {
  NodeDef fused;
  fused.set_op(resize ? "FusedResizeAndPadConv2D" : "FusedPadConv2D");
  fused.set_name(conv.name());
  for (const NodeDef* node : {pad, resize, &conv})
    if (node && node->input_size() < 2) return invalidArgument("expected 2 inputs, found ", node->input_size()).atNode(node->name());
  fused.add_input((resize ? resize : pad)->input(0));
  if (resize) fused.add_input(resize->input(1));
  fused.add_input(paddings);
  fused.add_input(conv.input(1));
  auto& attrs = *fused.mutable_attr();
  // It has the same default under both names.
  if (const auto* corners = resize ? attrOf(*resize, "align_corners") : nullptr) attrs["resize_align_corners"] = *corners;
  if (pad) WEFT_TRY(copyAttr(*pad, "mode", "mode", &fused));
  else attrs["mode"].set_s("REFLECT");
  for (const char* attr : {"T", "padding", "strides"}) WEFT_TRY(copyAttr(conv, attr, attr, &fused));
  return fused;
}

std::vector<Entry> convolutionTransforms() {
  return {
      {{"flatten_atrous_conv", "Makes one convolution with a spread filter of SpaceToBatchND, a convolution and BatchToSpaceND.", {}}, flattenAtrousConv},
      {{"fuse_pad_and_conv", "Joins MirrorPad and Conv2D in FusedPadConv2D.", {}}, fusePadAndConv},
      {{"fuse_resize_and_conv", "Joins ResizeBilinear and Conv2D in FusedResizeAndPadConv2D.", {}}, fuseResizeAndConv},
      {{"fuse_resize_pad_and_conv", "Joins ResizeBilinear, MirrorPad and Conv2D in FusedResizeAndPadConv2D.", {}}, fuseResizePadAndConv},
  };
}

}  // namespace weft::transforms
