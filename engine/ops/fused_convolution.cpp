// Convolutions of images that are first resized and padded by mirroring, in one op.
#include <cmath>

#include "device/cpu/convolution.h"
#include "device/cpu/kernel_precision.h"
#include "graph/window.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

namespace weft {
namespace {

/// Whether there is a size input; it shifts the other inputs.
bool resizes(const Node& node) { return node.op == "FusedResizeAndPadConv2D"; }

Status fusedShape(ShapeContext& c) {
  const bool hasSize = resizes(c.node());
  const int paddingsAt = hasSize ? 2 : 1;
  const Shape &input = c.input(0), &paddings = c.input(paddingsAt), &filter = c.input(paddingsAt + 1);
  WEFT_TRY(c.requireRank(input, 4));
  Shape in = input.hasRank() ? input : Shape::unknownOfRank(4);
  if (hasSize) {
    WEFT_TRY(c.requireRank(c.input(1), 1));
    if (c.input(1).hasRank() && c.input(1).dim(0) >= 0 && c.input(1).dim(0) != 2) return invalidArgument("Dimension must be 2 but is ", c.input(1).dim(0));
    for (int k = 0; k < 2; ++k) in.setDim(1 + k, std::max<int64_t>(-1, c.constantInt(1, k).value_or(-1)));
  }
  WEFT_TRY(c.requireRank(paddings, 2));
  if (paddings.hasRank() && paddings.dim(1) >= 0 && paddings.dim(1) != 2) return invalidArgument("Dimension must be 2 but is ", paddings.dim(1));
  if (paddings.hasRank() && paddings.dim(0) >= 0 && paddings.dim(0) != 4) return invalidArgument("Dimension must be 4 but is ", paddings.dim(0));
  const Tensor* pads = c.constant(paddingsAt);
  for (int i = 0; i < 4; ++i) {
    if (pads && pads->elements() == 8) {
      const int64_t before = pads->asInt(2 * i), after = pads->asInt(2 * i + 1);
      if (before < 0 || after < 0) return invalidArgument("Paddings must be non-negative");
      if (in.dim(i) >= 0) in.setDim(i, in.dim(i) + before + after);
    } else {
      in.setDim(i, Shape::kUnknownDim);
    }
  }
  WEFT_LET(const std::vector<int64_t> strides, smallIntegers(c.attrs(), "strides"));
  if (strides.size() != 4) return invalidArgument("Operation requires the stride attribute to contain 4 values, but got: ", strides.size());
  WEFT_TRY(c.requireRank(filter, 4));
  const Shape f = filter.hasRank() ? filter : Shape::unknownOfRank(4);
  WEFT_TRY(c.mergeDims(in.dim(3), f.dim(2)).status());
  Shape out = in;
  for (int i = 1; i <= 2; ++i) {
    WEFT_LET(const int64_t d, shapes::windowOutput(in.dim(i), f.dim(i - 1), 1, strides[size_t(i)], c.attrs().text("padding")));
    out.setDim(i, d);
  }
  out.setDim(3, f.dim(3));
  c.setOutput(0, std::move(out));
  return {};
}

/// One axis of the padded image: for each new position, the two old positions it is interpolated from and the weight of the second.
struct Places {
  std::vector<int64_t> low, high;
  std::vector<double> part;

  static Places make(int64_t size, int64_t resized, bool resize, bool align, int64_t before, int64_t after, bool reflect) {
    Places p;
    const float scale = align && resized > 1 ? float(size - 1) / float(resized - 1) : float(size) / float(resized);
    for (int64_t i = -before; i < resized + after; ++i) {
      int64_t at = i;  // mirrored at the edges
      if (at < 0) at = -at - (reflect ? 0 : 1);
      if (at >= resized) at = 2 * resized - 1 - at - (reflect ? 1 : 0);
      const float source = resize ? float(at) * scale : float(at);
      const auto first = std::min(int64_t(std::floor(source)), size - 1);
      p.low.push_back(first);
      p.high.push_back(std::min(first + 1, size - 1));
      p.part.push_back(resize ? double(source - float(first)) : 0.0);
    }
    return p;
  }
  int64_t count() const { return int64_t(low.size()); }
};

/// Resizes and pads the image in type C, then convolves it.
template <typename T, typename C>
void convolve(const Tensor& in, const Places axis[4], const Tensor& filter, const cpu::ConvGeometry& g, Tensor& padded, Tensor& kernel, Tensor& result,
              Tensor& out, ProductPrecision precision) {
  const T* x = elementsOf<T>(in);
  C* to = elementsOf<C>(padded);
  const int64_t width = in.dim(2), depth = in.dim(3), image = in.dim(1) * width * depth;
  for (int64_t n = 0; n < axis[0].count(); ++n) {
    const T* picture = x + axis[0].low[size_t(n)] * image;
    for (int64_t y = 0; y < axis[1].count(); ++y) {
      const int64_t top = axis[1].low[size_t(y)], bottom = axis[1].high[size_t(y)];
      const C py = C(axis[1].part[size_t(y)]);
      for (int64_t w = 0; w < axis[2].count(); ++w) {
        const int64_t left = axis[2].low[size_t(w)], right = axis[2].high[size_t(w)];
        const C px = C(axis[2].part[size_t(w)]);
        for (int64_t k = 0; k < axis[3].count(); ++k) {
          const auto at = [&](int64_t row, int64_t column) { return C(picture[(row * width + column) * depth + axis[3].low[size_t(k)]]); };
          const C upper = at(top, left) + (at(top, right) - at(top, left)) * px, lower = at(bottom, left) + (at(bottom, right) - at(bottom, left)) * px;
          *to++ = upper + (lower - upper) * py;
        }
      }
    }
  }
  for (int64_t i = 0; i < filter.elements(); ++i) elementsOf<C>(kernel)[i] = C(elementsOf<T>(filter)[i]);
  if constexpr (std::is_same_v<T, float>) {
    if (precision == ProductPrecision::BFloat16)
      for (Tensor* t : {&padded, &kernel}) cpu::roundToBFloat16(t->data<float>(), t->mutableData<float>(), t->elements());
  }
  cpu::unfoldedConvolution(cpu::ConvDirection::Output, g, elementsOf<C>(padded), elementsOf<C>(kernel), elementsOf<C>(result));
  for (int64_t i = 0; i < out.elements(); ++i) elementsOf<T>(out)[i] = T(elementsOf<C>(result)[i]);
}

Status runFused(KernelContext& c) {
  const AttrMap& attrs = c.node().attrs;
  const bool hasSize = resizes(c.node()), reflect = attrs.text("mode") == "REFLECT";
  WEFT_LET(const std::vector<int64_t> strides, smallIntegers(attrs, "strides"));
  if (strides.size() != 4) return invalidArgument("Sliding window strides field must specify 4 dimensions");
  if (strides[0] != 1 || strides[3] != 1) return invalidArgument("Current implementation does not yet support strides in the batch and depth dimensions.");
  const Tensor &in = c.input(0), &paddings = c.input(hasSize ? 2 : 1), &filter = c.input(hasSize ? 3 : 2);
  if (in.rank() != 4) return invalidArgument("input must be 4-dimensional", in.shape().toString());
  int64_t size[4] = {in.dim(0), in.dim(1), in.dim(2), in.dim(3)};
  if (hasSize) {
    const Tensor& want = c.input(1);
    if (want.rank() != 1) return invalidArgument("shape_t must be 1-dimensional", want.shape().toString());
    if (want.elements() != 2) return invalidArgument("shape_t must have two elements", want.shape().toString());
    for (int k = 0; k < 2; ++k) size[1 + k] = want.asInt(k);
    if (size[1] <= 0 || size[2] <= 0) return invalidArgument("output dimensions must be positive");
    if (in.dim(3) == 0) return invalidArgument("image must have at least one channel");
    if (in.dim(1) == 0 || in.dim(2) == 0) return invalidArgument("input image must be of non-zero size");
  }
  if (paddings.rank() != 2 || paddings.dim(1) != 2) return invalidArgument("paddings must be a matrix with 2 columns: ", paddings.shape().toString());
  if (paddings.dim(0) != 4) return invalidArgument("The first dimension of paddings must be the rank of inputs: 4 ", paddings.shape().toString());
  Shape padded;
  for (int i = 0; i < 4; ++i) {
    const int64_t before = paddings.asInt(2 * i), after = paddings.asInt(2 * i + 1);
    if (before < 0 || after < 0) return invalidArgument("paddings must be non-negative: ", before, " ", after);
    if (reflect ? (before > 0 || after > 0) && (before >= size[i] || after >= size[i]) : before > size[i] || after > size[i]) {
      return invalidArgument(reflect ? "paddings must be less than the dimension size: " : "paddings must be no greater than the dimension size: ", before,
                             ", ", after, reflect ? " not less than " : " greater than ", size[i]);
    }
    padded.append(size[i] + before + after);
  }
  if (filter.rank() != 4) return invalidArgument("filter must be 4-dimensional: ", filter.shape().toString());
  if (padded.dim(3) != filter.dim(2)) return invalidArgument("input and filter must have the same depth: ", padded.dim(3), " vs ", filter.dim(2));
  cpu::ConvGeometry g;
  g.batch = padded.dim(0), g.inHeight = padded.dim(1), g.inWidth = padded.dim(2), g.inChannels = padded.dim(3);
  g.kernelHeight = filter.dim(0), g.kernelWidth = filter.dim(1), g.outChannels = filter.dim(3);
  g.strideHeight = strides[1], g.strideWidth = strides[2];
  WEFT_LET(const WindowAxis h, windowAxis(g.inHeight, g.kernelHeight, 1, g.strideHeight, attrs.text("padding")));
  WEFT_LET(const WindowAxis w, windowAxis(g.inWidth, g.kernelWidth, 1, g.strideWidth, attrs.text("padding")));
  g.outHeight = h.output, g.outWidth = w.output, g.padTop = h.before, g.padBottom = h.after, g.padLeft = w.before, g.padRight = w.after;
  WEFT_LET(Tensor * out, c.allocate(0, {g.batch, g.outHeight, g.outWidth, g.outChannels}));
  if (out->elements() == 0) return {};
  const DType type = in.dtype() == DType::Double ? DType::Double : DType::Float;
  WEFT_LET(Tensor image, c.scratch(type, padded));
  WEFT_LET(Tensor kernel, c.scratch(type, filter.shape()));
  WEFT_LET(Tensor result, c.scratch(type, out->shape()));
  const bool align = attrs.flag("resize_align_corners");
  const ProductPrecision precision = in.dtype() == DType::Float ? precisionFor(c, cpu::ConvDirection::Output, g) : ProductPrecision::Float32;
  Places axis[4];
  for (int i = 0; i < 4; ++i) {
    axis[i] = Places::make(in.dim(i), size[i], hasSize && (i == 1 || i == 2), align, paddings.asInt(2 * i), paddings.asInt(2 * i + 1), reflect);
  }
  withFloat(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    if constexpr (!std::is_same_v<T, Eigen::bfloat16>) {
      convolve<T, std::conditional_t<std::is_same_v<T, double>, double, float>>(in, axis, filter, g, image, kernel, result, *out, precision);
    }
  });
  return {};
}

}  // namespace

void registerFusedConvolution(OpRegistry& ops) {
  for (const bool hasSize : {false, true}) {
    OpRecord& r = ops.add(hasSize ? "FusedResizeAndPadConv2D" : "FusedPadConv2D");
    r.category("Neural network")
        .keywords("convolution mirror reflect pad mobile")
        .summary(hasSize ? "Bilinear resize, mirror padding and 2-D convolution fused into one op." : "Mirror padding and 2-D convolution fused into one op.")
        .input("input: T", "Images [batch, height, width, channels].");
    if (hasSize) r.input("size: int32", "Height and width to resize to.");
    r.input("paddings: int32", "[4, 2]: padding before and after each dimension.")
        .input("filter: T", "Filters [height, width, in channels, out channels].")
        .output("output: T", "Output feature maps, [batch, out height, out width, out channels].")
        .attr("T: {half, float, double}", "Type of the elements.");
    if (hasSize) r.attr("resize_align_corners: bool = false", "Whether to align the centres of the corner pixels of input and output.");
    r.attr("mode: {'REFLECT', 'SYMMETRIC'}", "REFLECT mirrors without repeating the edge; SYMMETRIC repeats the edge.")
        .attr("strides: list(int)", "Stride of the window along each dimension.")
        .attr("padding: {'SAME', 'VALID'}", "SAME: zero-padded so that the output has size ceil(input / stride). VALID: no padding.")
        .shape(fusedShape)
        .noGradient("TensorFlow defines no gradient for it.")
        .cpu({{"T", types::kFloats}}, simpleKernel(runFused))
        .gradientIsError = true;
  }
}

}  // namespace weft
