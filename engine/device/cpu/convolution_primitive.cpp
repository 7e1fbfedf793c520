#include "device/cpu/convolution_primitive.h"

namespace weft::cpu {
namespace {

using Type = dnnl::memory::data_type;

dnnl::memory::desc floats(const dnnl::memory::dims& dims, dnnl::memory::format_tag tag) { return {dims, Type::f32, tag}; }

}  // namespace

dnnl::engine& cpuEngine() {
  static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

dnnl::stream& threadStream() {
  thread_local dnnl::stream stream(cpuEngine());
  return stream;
}

bool ConvolutionPrimitive::prepare(ConvDirection direction, const ConvGeometry& g, ProductPrecision precision) {
  // TensorFlow's layout needs no reorders. Where oneDNN has only reference code for it (few channels, older processors), oneDNN may choose the layout.
  const Tag formats[][2] = {{Tag::nhwc, Tag::nhwc}, {Tag::any, Tag::any}, {Tag::nchw, Tag::any}, {Tag::nchw, Tag::nchw}};
  for (const auto& f : formats) {
    try {
      *this = {};
      if (prepareIn(direction, g, precision, f[0], f[1])) return true;
    } catch (const dnnl::error&) {
      // Not available in these formats: try the next.
    }
  }
  return false;
}

bool ConvolutionPrimitive::prepareIn(ConvDirection direction, const ConvGeometry& g, ProductPrecision precision, Tag inputTag, Tag outputTag) {
  using dnnl::algorithm;
  const dnnl::memory::dims in{g.batch, g.inChannels, g.inHeight, g.inWidth}, out{g.batch, g.outChannels, g.outHeight, g.outWidth},
      strides{g.strideHeight, g.strideWidth}, dilations{g.dilationHeight - 1, g.dilationWidth - 1}, before{g.padTop, g.padLeft}, after{g.padBottom, g.padRight};
  // The filters of a group are adjacent in the last dim, with one input channel each (hwigo allows only one).
  const dnnl::memory::dims filter = g.groups == 1 ? dnnl::memory::dims{g.outChannels, g.inChannels, g.kernelHeight, g.kernelWidth}
                                                  : dnnl::memory::dims{g.groups, g.outChannels / g.groups, 1, g.kernelHeight, g.kernelWidth};
  const Tag filterTag = g.groups == 1 ? Tag::hwio : Tag::hwigo;
  const auto read = precision == ProductPrecision::BFloat16 ? Type::bf16 : Type::f32;
  const auto typed = [&](const dnnl::memory::dims& dims, bool written, Tag tag) { return dnnl::memory::desc(dims, written ? Type::f32 : read, tag); };
  const bool forInput = direction == ConvDirection::Input, forFilter = direction == ConvDirection::Filter;
  const auto inDesc = typed(in, forInput, inputTag), filterDesc = typed(filter, forFilter, Tag::any);
  const auto outDesc = typed(out, direction == ConvDirection::Output, outputTag);
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  auto& engine = cpuEngine();
  const auto kind = direction == ConvDirection::Output ? dnnl::prop_kind::forward_inference : dnnl::prop_kind::forward_training;
  // Gradients are described by the forward pass, whose operands are all read.
  const dnnl::convolution_forward::desc description(kind, algorithm::convolution_direct, typed(in, false, inputTag), typed(filter, false, Tag::any), outDesc,
                                                    strides, dilations, before, after);
  const dnnl::convolution_forward::primitive_desc forward(description, attr, engine);
  if (direction == ConvDirection::Output) {
    name = forward.impl_info_str();
    operands[0] = {DNNL_ARG_SRC, false, floats(in, Tag::nhwc), forward.src_desc(), {}};
    operands[1] = {DNNL_ARG_WEIGHTS, false, floats(filter, filterTag), forward.weights_desc(), {}};
    operands[2] = {DNNL_ARG_DST, true, floats(out, Tag::nhwc), forward.dst_desc(), {}};
    scratchpad = forward.scratchpad_desc();
    primitive = dnnl::convolution_forward(forward);
  } else if (direction == ConvDirection::Input) {
    const dnnl::convolution_backward_data::primitive_desc backward(
        {algorithm::convolution_direct, inDesc, filterDesc, outDesc, strides, dilations, before, after}, attr, engine, forward);
    name = backward.impl_info_str();
    operands[0] = {DNNL_ARG_DIFF_SRC, true, floats(in, Tag::nhwc), backward.diff_src_desc(), {}};
    operands[1] = {DNNL_ARG_WEIGHTS, false, floats(filter, filterTag), backward.weights_desc(), {}};
    operands[2] = {DNNL_ARG_DIFF_DST, false, floats(out, Tag::nhwc), backward.diff_dst_desc(), {}};
    scratchpad = backward.scratchpad_desc();
    primitive = dnnl::convolution_backward_data(backward);
  } else {
    const dnnl::convolution_backward_weights::primitive_desc backward(
        {algorithm::convolution_direct, inDesc, filterDesc, outDesc, strides, dilations, before, after}, attr, engine, forward);
    name = backward.impl_info_str();
    operands[0] = {DNNL_ARG_SRC, false, floats(in, Tag::nhwc), backward.src_desc(), {}};
    operands[1] = {DNNL_ARG_DIFF_WEIGHTS, true, floats(filter, filterTag), backward.diff_weights_desc(), {}};
    operands[2] = {DNNL_ARG_DIFF_DST, false, floats(out, Tag::nhwc), backward.diff_dst_desc(), {}};
    scratchpad = backward.scratchpad_desc();
    primitive = dnnl::convolution_backward_weights(backward);
  }
  if (name.starts_with("ref")) return false;
  // oneDNN's strided 1x1 code first gathers the used pixels in its scratchpad. With NHWC it writes whole vectors; if the channels do not fill a vector, each
  // thread's last one overruns the thread's part of the scratchpad, into the next thread's pixels or past the end.
  const bool thinsOut = name.starts_with("jit_1x1") && (g.strideHeight > 1 || g.strideWidth > 1);
  if (thinsOut && !operands[0].reordered() && g.inChannels % 16 != 0) return false;
  for (int i = 0; i < 3; ++i) {
    Operand& o = operands[i];
    if (!o.reordered()) continue;
    o.narrows = !o.written && i != 1 && o.wanted == dnnl::memory::desc(i == 0 ? in : out, Type::bf16, Tag::nhwc);
    const auto& from = o.written ? o.wanted : o.given;
    const auto& to = o.written ? o.given : o.wanted;
    o.reorder = dnnl::reorder(dnnl::reorder::primitive_desc(engine, from, engine, to));
  }
  return true;
}

}  // namespace weft::cpu
