#include <algorithm>

#include "io/onnx/export_node.h"
#include "io/onnx/import_node.h"

// Convolutions, pools and normalizations of images. ONNX has channels first, so that is how they are written; the exporter turns tensors only where an op needs
// TensorFlow's order.

namespace weft::onnx_io {
namespace {

using Sizes = std::vector<int64_t>;

/// Which dimensions of a list of TensorFlow's attribute are spatial.
Sizes spatialOf(const Sizes& all, bool channelsFirst) {
  if (all.size() < 3) return Sizes();
  return channelsFirst ? Sizes(all.begin() + 2, all.end()) : Sizes(all.begin() + 1, all.end() - 1);
}

bool isChannelsFirst(const ExportNode& n) { return n.node.attrs.text("data_format", "NHWC").substr(0, 2) == "NC"; }

/// The input with channels first, whichever order the op has.
std::string imageOf(ExportNode& n, int i) { return isChannelsFirst(n) ? n.in(i) : n.first(i); }

void giveImage(ExportNode& n, const std::string& name) { isChannelsFirst(n) ? n.give(name) : n.giveFirst(name); }

/// auto_pad or pads.
Result<ExportNode::Attrs> paddingOf(const ExportNode& n, size_t spatial) {
  const std::string how = n.node.attrs.text("padding");
  if (how == "SAME") return ExportNode::Attrs{textAttr("auto_pad", "SAME_UPPER")};
  if (how != "EXPLICIT") return ExportNode::Attrs{};
  const Sizes all = n.node.attrs.integers("explicit_paddings");
  const size_t skip = isChannelsFirst(n) ? 4 : 2;
  if (all.size() < skip + 2 * spatial) return n.cannot("its explicit_paddings are too few");
  Sizes pads;
  for (const size_t side : {size_t(0), size_t(1)})
    for (size_t d = 0; d < spatial; ++d) pads.push_back(all[skip + 2 * d + side]);
  return ExportNode::Attrs{intsAttr("pads", pads)};
}

/// SAME depends on the dilated window; ONNX Runtime takes it literally, so where the size is known the pads are written out.
Result<ExportNode::Attrs> samePads(const ExportNode& n, const Shape& image, const Sizes& kernel, const Sizes& strides, const Sizes& dilations) {
  WEFT_LET(ExportNode::Attrs attrs, paddingOf(n, kernel.size()));
  if (n.node.attrs.text("padding") != "SAME") return attrs;
  Sizes before, after;
  const Sizes sizes = image.hasRank() ? spatialOf(image.toVector(), isChannelsFirst(n)) : Sizes();
  for (size_t d = 0; d < kernel.size(); ++d) {
    const bool known = d < sizes.size() && sizes[d] >= 0;
    if (!known && strides[d] != 1) {
      const bool dilated = std::any_of(dilations.begin(), dilations.end(), [](int64_t by) { return by != 1; });
      if (dilated) return n.cannot("the padding SAME with strides and dilations, and the size of its input is not known");
      return attrs;
    }
    // With a stride of 1 there are as many windows as elements, whatever their number.
    const int64_t reach = (kernel[d] - 1) * dilations[d], windows = known ? (sizes[d] + strides[d] - 1) / strides[d] : 0,
                  total = known ? std::max<int64_t>(0, (windows - 1) * strides[d] + reach + 1 - sizes[d]) : reach;
    before.push_back(total / 2);
    after.push_back(total - total / 2);
  }
  before.insert(before.end(), after.begin(), after.end());
  return ExportNode::Attrs{intsAttr("pads", before)};
}

/// Strides and dilations of the spatial dimensions.
void windowAttrs(const ExportNode& n, size_t spatial, Sizes* strides, Sizes* dilations) {
  *strides = spatialOf(n.node.attrs.integers("strides"), isChannelsFirst(n));
  *dilations = spatialOf(n.node.attrs.integers("dilations"), isChannelsFirst(n));
  if (strides->size() != spatial) strides->assign(spatial, 1);
  if (dilations->size() != spatial) dilations->assign(spatial, 1);
}

/// A filter in ONNX's order, [out, in, spatial…]: turned at once if it is a constant.
std::string filterOf(ExportNode& n, int input, const Sizes& perm) {
  const auto known = n.value(input);
  if (!known || known->dtype() != DType::Float || known->rank() != int(perm.size())) return n.transpose(n.in(input), perm);
  Shape shape;
  Sizes step(perm.size(), 1), own(perm.size(), 1);
  for (int d = known->rank() - 2; d >= 0; --d) own[size_t(d)] = own[size_t(d) + 1] * known->dim(d + 1);
  for (size_t d = 0; d < perm.size(); ++d) {
    shape.append(known->dim(int(perm[d])));
    step[d] = own[size_t(perm[d])];
  }
  auto made = Tensor::allocate(DType::Float, shape);
  if (!made.ok()) return n.transpose(n.in(input), perm);
  const float* from = known->data<float>();
  float* to = made->mutableData<float>();
  Sizes at(perm.size(), 0);
  for (int64_t i = 0; i < shape.elements(); ++i) {
    int64_t offset = 0, rest = i;
    for (size_t d = perm.size(); d-- > 0;) {
      offset += rest % shape.dim(int(d)) * step[d];
      rest /= shape.dim(int(d));
    }
    to[i] = from[offset];
  }
  return n.constant(*made);
}

/// [spatial…, in, out] → [out, in, spatial…]
Sizes filterPerm(int rank) {
  Sizes perm{rank - 1, rank - 2};
  for (int d = 0; d < rank - 2; ++d) perm.push_back(d);
  return perm;
}

Status convOut(ExportNode& n) {
  const Shape filter = n.shape(1);
  const int rank = filter.rank();
  if (rank < 4 || !filter.isFullyKnown()) return n.cannot("the shape of its filter is not known");
  const size_t spatial = size_t(rank) - 2;
  Sizes strides, dilations, kernel = filter.slice(0, int(spatial)).toVector();
  windowAttrs(n, spatial, &strides, &dilations);
  WEFT_LET(ExportNode::Attrs attrs, samePads(n, n.shape(0), kernel, strides, dilations));
  attrs.push_back(intsAttr("strides", strides));
  attrs.push_back(intsAttr("dilations", dilations));
  attrs.push_back(intsAttr("kernel_shape", kernel));
  const std::string x = imageOf(n, 0);
  giveImage(n, n.emit("Conv", {x, filterOf(n, 1, filterPerm(rank))}, attrs));
  return {};
}

/// [h, w, in, multiplier] → [in * multiplier, 1, h, w], in as many groups as channels.
Status depthwiseOut(ExportNode& n) {
  const Shape filter = n.shape(1);
  if (filter.rank() != 4 || !filter.isFullyKnown()) return n.cannot("the shape of its filter is not known");
  Sizes strides, dilations;
  windowAttrs(n, 2, &strides, &dilations);
  const Sizes kernel{filter.dim(0), filter.dim(1)};
  WEFT_LET(ExportNode::Attrs attrs, samePads(n, n.shape(0), kernel, strides, dilations));
  attrs.push_back(intsAttr("strides", strides));
  attrs.push_back(intsAttr("dilations", dilations));
  attrs.push_back(intsAttr("kernel_shape", kernel));
  attrs.push_back(intAttr("group", filter.dim(2)));
  const std::string turned = filterOf(n, 1, {2, 3, 0, 1}), weights = n.reshape(turned, {filter.dim(2) * filter.dim(3), 1, kernel[0], kernel[1]});
  const std::string x = imageOf(n, 0);
  giveImage(n, n.emit("Conv", {x, weights}, attrs));
  return {};
}

/// The gradient of a convolution as a transposed one; what its sizes ask for becomes pads and output_padding.
Status convTransposeOut(ExportNode& n) {
  const Shape filter = n.shape(1), image = n.shape(2);
  const int rank = filter.rank();
  WEFT_LET(const Sizes sizes, [&]() -> Result<Sizes> {
    if (const auto known = n.ints(0); known.ok()) return *known;
    const Shape out = n.outShape();
    if (!out.hasRank()) return n.cannot("its input_sizes are computed by the graph");
    return out.toVector();
  }());
  if (rank < 4 || !filter.isFullyKnown() || !image.hasRank()) return n.cannot("the shape of its filter or input is not known");
  const size_t spatial = size_t(rank) - 2;
  Sizes strides, dilations, pads(2 * spatial, 0), more(spatial, 0), kernel = filter.slice(0, int(spatial)).toVector();
  windowAttrs(n, spatial, &strides, &dilations);
  const Sizes out = spatialOf(sizes, isChannelsFirst(n)), in = spatialOf(image.toVector(), isChannelsFirst(n));
  const std::string how = n.node.attrs.text("padding");
  WEFT_LET(const ExportNode::Attrs stated, paddingOf(n, spatial));
  for (size_t d = 0; d < spatial; ++d) {
    if (out.size() <= d || in.size() <= d || out[d] < 1 || in[d] < 1) return n.cannot("its sizes are not known");
    const int64_t reach = (kernel[d] - 1) * dilations[d] + 1, full = (in[d] - 1) * strides[d] + reach;
    if (how == "SAME") {
      const int64_t total = std::max<int64_t>(0, full - out[d]);
      pads[d] = total / 2;
      pads[d + spatial] = total - total / 2;
    } else if (how == "EXPLICIT") {
      pads[d] = stated[0].ints(int(d));
      pads[d + spatial] = stated[0].ints(int(d + spatial));
    }
    more[d] = out[d] - (full - pads[d] - pads[d + spatial]);
    if (more[d] < 0) return n.cannot("its sizes do not fit its filter");
  }
  // [spatial…, out, in] → [in, out, spatial…], where the gradient's input is the convolution's output.
  const std::string x = imageOf(n, 2), weights = filterOf(n, 1, filterPerm(rank));
  giveImage(n, n.emit("ConvTranspose", {x, weights},
                      {intsAttr("strides", strides), intsAttr("dilations", dilations), intsAttr("kernel_shape", kernel), intsAttr("pads", pads),
                       intsAttr("output_padding", more)}));
  return {};
}

Status poolOut(ExportNode& n) {
  const bool isMax = n.node.op.substr(0, 3) == "Max";
  const Sizes kernel = spatialOf(n.node.attrs.integers("ksize"), isChannelsFirst(n)), ones(kernel.size(), 1);
  Sizes strides = spatialOf(n.node.attrs.integers("strides"), isChannelsFirst(n));
  const Sizes all = n.node.attrs.integers("ksize");
  if (kernel.empty() || all[0] != 1 || all[isChannelsFirst(n) ? 1 : all.size() - 1] != 1) return n.cannot("it pools over the batch or over channels");
  WEFT_LET(ExportNode::Attrs attrs, samePads(n, n.shape(0), kernel, strides, ones));
  attrs.push_back(intsAttr("strides", strides));
  attrs.push_back(intsAttr("kernel_shape", kernel));
  const std::string x = imageOf(n, 0);
  giveImage(n, n.emit(isMax ? "MaxPool" : "AveragePool", {x}, attrs));
  return {};
}

Status fusedBatchNormOut(ExportNode& n) {
  if (n.node.attrs.flag("is_training", true)) return n.cannot("it trains; freeze a graph for inference");
  const std::string x = imageOf(n, 0), scale = n.in(1), offset = n.in(2), mean = n.in(3), variance = n.in(4);
  giveImage(n, n.emit("BatchNormalization", {x, scale, offset, mean, variance}, {realAttr("epsilon", double(n.node.attrs.number("epsilon", 1e-4f)))}));
  return {};
}

Status localResponseOut(ExportNode& n) {
  const int64_t size = 2 * n.node.attrs.integer("depth_radius", 5) + 1;
  const std::string x = n.first(0);
  n.giveFirst(n.emit("LRN", {x},
                     {intAttr("size", size), realAttr("bias", double(n.node.attrs.number("bias", 1))),
                      realAttr("alpha", double(n.node.attrs.number("alpha", 1)) * double(size)), realAttr("beta", double(n.node.attrs.number("beta", 0.5f)))}));
  return {};
}

Status resizeOut(ExportNode& n) {
  const bool linear = n.node.op == "ResizeBilinear", corners = n.node.attrs.flag("align_corners"), centers = n.node.attrs.flag("half_pixel_centers");
  const Shape image = n.shape(0);
  if (image.rank() != 4 || image.dim(3) < 0) return n.cannot("the shape of its input is not known");
  if (!linear && corners) return n.cannot("align_corners of nearest neighbours");
  std::string x = n.first(0);
  if (linear && n.dtype(0) != DType::Float) x = n.cast(x, DType::Float);
  const std::string shape = n.emit("Shape", {x}), lead = n.emit("Slice", {shape, n.longs({0}), n.longs({2})}), size = n.asLongs(1);
  const std::string sizes = n.emit("Concat", {lead, size}, {intAttr("axis", 0)});
  const char* coordinates = corners ? "align_corners" : centers ? (linear ? "half_pixel" : "tf_half_pixel_for_nn") : "asymmetric";
  n.giveFirst(
      n.emit("Resize", {x, "", "", sizes},
             {textAttr("mode", linear ? "linear" : "nearest"), textAttr("coordinate_transformation_mode", coordinates), textAttr("nearest_mode", "floor")}));
  return {};
}

/// SpaceToBatchND and its inverse, by which TensorFlow makes dilated convolutions: a padding, a reshape and a transpose.
Status spaceToBatchOut(ExportNode& n) {
  const bool back = n.node.op == "BatchToSpaceND";
  const Shape shape = n.shape(0);
  WEFT_LET(const Sizes block, n.ints(1));
  WEFT_LET(const Sizes edges, n.ints(2));
  const size_t m = block.size();
  if (!shape.hasRank() || size_t(shape.rank()) < m + 1 || edges.size() != 2 * m) return n.cannot("the shape of its input is not known");
  for (int d = 1; d < shape.rank(); ++d)
    if (shape.dim(d) < 0) return n.cannot("the shape of its input is not known");
  std::string x = n.in(0);
  Sizes parts, perm, result;
  const int rest = shape.rank() - 1 - int(m);
  if (!back) {
    Sizes pads(2 * size_t(shape.rank()), 0);
    for (size_t i = 0; i < m; ++i) {
      pads[1 + i] = edges[2 * i];
      pads[size_t(shape.rank()) + 1 + i] = edges[2 * i + 1];
    }
    x = n.emit("Pad", {x, n.longs(pads)});
    parts = {-1};
    result = {-1};
    for (size_t i = 0; i < m; ++i) {
      const int64_t size = (shape.dim(int(i) + 1) + edges[2 * i] + edges[2 * i + 1]) / block[i];
      parts.insert(parts.end(), {size, block[i]});
      result.push_back(size);
      perm.push_back(int64_t(2 * i) + 2);
    }
    perm.push_back(0);
    for (size_t i = 0; i < m; ++i) perm.push_back(int64_t(2 * i) + 1);
    for (int d = 0; d < rest; ++d) {
      parts.push_back(shape.dim(d + 1 + int(m)));
      result.push_back(parts.back());
      perm.push_back(int64_t(2 * m) + 1 + d);
    }
    const std::string turned = n.transpose(n.reshape(x, parts), perm);
    n.give(n.reshape(turned, result));
    return {};
  }
  parts = block;
  parts.push_back(-1);
  result = {-1};
  perm = {int64_t(m)};
  Sizes from, to, axes;
  for (size_t i = 0; i < m; ++i) {
    parts.push_back(shape.dim(int(i) + 1));
    const int64_t size = shape.dim(int(i) + 1) * block[i];
    result.push_back(size);
    perm.insert(perm.end(), {int64_t(m + 1 + i), int64_t(i)});
    from.push_back(edges[2 * i]);
    to.push_back(size - edges[2 * i + 1]);
    axes.push_back(int64_t(i) + 1);
  }
  for (int d = 0; d < rest; ++d) {
    parts.push_back(shape.dim(d + 1 + int(m)));
    result.push_back(parts.back());
    perm.push_back(int64_t(2 * m) + 1 + d);
  }
  const std::string turned = n.transpose(n.reshape(x, parts), perm), whole = n.reshape(turned, result);
  n.give(n.emit("Slice", {whole, n.longs(from), n.longs(to), n.longs(axes)}));
  return {};
}

}  // namespace

std::vector<ExportRule> windowExports() {
  return {{"AvgPool", poolOut},
          {"AvgPool3D", poolOut},
          {"BatchToSpaceND", spaceToBatchOut},
          {"Conv2D", convOut},
          {"Conv2DBackpropInput", convTransposeOut},
          {"Conv3D", convOut},
          {"DepthwiseConv2dNative", depthwiseOut},
          {"FusedBatchNorm", fusedBatchNormOut},
          {"FusedBatchNormV2", fusedBatchNormOut},
          {"FusedBatchNormV3", fusedBatchNormOut},
          {"LRN", localResponseOut},
          {"MaxPool", poolOut},
          {"MaxPool3D", poolOut},
          {"ResizeBilinear", resizeOut},
          {"ResizeNearestNeighbor", resizeOut},
          {"SpaceToBatchND", spaceToBatchOut}};
}

}  // namespace weft::onnx_io
