// Maximum pooling that also outputs the position of each maximum, and the gradients based on these positions.
#include "base/parallel.h"
#include "device/cpu/pooling.h"
#include "graph/window.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

namespace weft {
namespace {

Status poolShape(ShapeContext& c, int outputs) {
  WEFT_TRY(c.requireRank(c.input(0), 4));
  WEFT_LET(const std::vector<int64_t> strides, smallIntegers(c.attrs(), "strides"));
  WEFT_LET(const std::vector<int64_t> window, smallIntegers(c.attrs(), "ksize"));
  const std::string& op = c.node().op;
  if (strides.size() != 4) return invalidArgument(op, " requires the stride attribute to contain 4 values, but got: ", strides.size());
  if (window.size() != 4) return invalidArgument(op, " requires the ksize attribute to contain 4 values, but got: ", window.size());
  Shape out = c.input(0).hasRank() ? c.input(0) : Shape::unknownOfRank(4);
  for (int i = 1; i < 4; ++i) {
    WEFT_LET(const int64_t d, shapes::windowOutput(out.dim(i), window[size_t(i)], 1, strides[size_t(i)], c.attrs().text("padding")));
    out.setDim(i, d);
  }
  for (int k = 0; k < outputs; ++k) c.setOutput(k, out);
  return {};
}

Status argmaxGradShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 4));
  c.setOutput(0, c.input(0).hasRank() ? c.input(0) : Shape::unknownOfRank(4));
  return {};
}

Status argmaxGradGradShape(ShapeContext& c) {
  WEFT_TRY(poolShape(c, 1));
  WEFT_TRY(c.merge(c.input(0), c.input(1)).status());
  return c.merge(c.input(2), c.outputs()[0]).status();
}

Result<std::vector<Output>> poolGradient(GradContext& c) {
  AttrMap attrs;
  for (const char* name : {"ksize", "strides", "padding", "include_batch_in_index"}) {
    if (const Attr* a = c.attrs().find(name)) attrs.set(name, *a);
  }
  return std::vector<Output>{c.b().op("MaxPoolGradWithArgmax", {c.input(0), c.grad(0), c.output(1)}, attrs)};
}

}  // namespace

Result<cpu::PoolGeometry> argmaxPoolGeometry(const KernelContext& c) {
  PoolSettings s = PoolSettings::of(c.node().attrs);
  s.format = "NHWC";
  WEFT_LET(s.window, smallIntegers(c.node().attrs, "ksize"));
  WEFT_LET(s.strides, smallIntegers(c.node().attrs, "strides"));
  WEFT_TRY(s.check("MaxPoolingOp"));
  const int rank = c.input(0).rank();
  if (rank != 4) return invalidArgument("tensor_in must be 4-dimensional: tensor_in_shape must have 2 spatial dimensions. ", rank, " 0");
  WEFT_LET(const cpu::PoolGeometry g, s.geometry(c.input(0).shape()));
  if (s.overChannels()) return unimplemented("Pooling across depth does not say where the maxima are.");
  return g;
}

Result<cpu::PoolGeometry> argmaxGradGeometry(const KernelContext& c, bool second) {
  const Tensor &in = c.input(0), &grad = c.input(1), &places = c.input(2);
  WEFT_LET(const cpu::PoolGeometry g, argmaxPoolGeometry(c));
  const Shape pooled{in.dim(0), g.outHeight, g.outWidth, g.channels};
  if (places.shape() != pooled) return invalidArgument("Expected argmax shape to be ", pooled.toString(), ", but got ", places.shape().toString());
  const Shape& want = second ? in.shape() : pooled;
  if (grad.shape() != want) return invalidArgument("Expected grad shape to be ", want.toString(), ", but got ", grad.shape().toString());
  return g;
}

namespace {

Status runPool(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_LET(const cpu::PoolGeometry g, argmaxPoolGeometry(c));
  const Shape shape{in.dim(0), g.outHeight, g.outWidth, g.channels};
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  WEFT_LET(Tensor * places, c.allocate(1, shape));
  const bool overAll = c.node().attrs.flag("include_batch_in_index");
  const int64_t image = g.inHeight * g.inWidth * g.channels, outImage = g.outHeight * g.outWidth * g.channels;
  withReal(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    parallelFor(in.dim(0), std::max<int64_t>(1, 8192 / std::max<int64_t>(1, image)), [&](int64_t begin, int64_t end) {
      for (int64_t n = begin; n < end; ++n) {
        const T* x = elementsOf<T>(in) + n * image;
        int64_t at = n * outImage;
        for (int64_t y = 0; y < g.outHeight; ++y) {
          const int64_t top = std::max<int64_t>(0, y * g.strideHeight - g.padTop),
                        bottom = std::min(g.inHeight, y * g.strideHeight - g.padTop + g.windowHeight);
          for (int64_t w = 0; w < g.outWidth; ++w) {
            const int64_t left = std::max<int64_t>(0, w * g.strideWidth - g.padLeft),
                          right = std::min(g.inWidth, w * g.strideWidth - g.padLeft + g.windowWidth);
            for (int64_t k = 0; k < g.channels; ++k, ++at) {
              int64_t best = -1;
              for (int64_t i = top; i < bottom; ++i) {
                for (int64_t j = left; j < right; ++j) {
                  const int64_t here = (i * g.inWidth + j) * g.channels + k;
                  if (best < 0 || x[best] < x[here]) best = here;
                }
              }
              elementsOf<T>(*out)[at] = best < 0 ? T(0) : x[best];
              places->mutableData<int64_t>()[at] = best < 0 || !overAll ? best : best + n * image;
            }
          }
        }
      }
    });
  });
  return {};
}

/// First gradient: adds out_backprop at the positions of the maxima. Second: takes the values at these positions.
template <bool second>
Status runGrad(KernelContext& c) {
  const Tensor &in = c.input(0), &grad = c.input(1), &places = c.input(2);
  WEFT_LET(const cpu::PoolGeometry g, argmaxGradGeometry(c, second));
  const bool overAll = c.node().attrs.flag("include_batch_in_index");
  const int64_t image = g.inHeight * g.inWidth * g.channels, outImage = g.outHeight * g.outWidth * g.channels, count = places.elements();
  const int64_t* at = places.data<int64_t>();
  for (int64_t i = 0; i < count; ++i) {
    const int64_t low = overAll ? i / outImage * image : 0;
    if (at[i] < low || at[i] >= low + image) return invalidArgument("Invalid output grad index: ", at[i], ", expected one in [", low, ", ", low + image, ")");
  }
  WEFT_LET(Tensor * out, c.allocate(0, second ? places.shape() : in.shape()));
  withReal(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    T* to = elementsOf<T>(*out);
    const T* from = elementsOf<T>(grad);
    if (!second) std::fill_n(to, out->elements(), T(0));
    for (int64_t i = 0; i < count; ++i) {
      const int64_t place = overAll ? at[i] : at[i] + i / outImage * image;
      if (second) to[i] = from[place];
      else to[place] = T(to[place] + from[i]);
    }
  });
  return {};
}

OpRecord& withArgmaxWindows(OpRecord& r) {
  return r.attr("ksize: list(int) >= 4", "Window size along each dimension of the input.")
      .attr("strides: list(int) >= 4", "Stride of the window along each dimension of the input.")
      .attr("padding: {'SAME', 'VALID'}", "SAME: padded so that the output has size ceil(input / stride). VALID: no padding.")
      .attr("include_batch_in_index: bool = false", "Count indices through the whole batch instead of per image.")
      .attr("T: realnumbertype", "Type of the elements.");
}

}  // namespace

void registerPoolingArgmax(OpRegistry& ops) {
  const std::vector<DType> place = {DType::Int64};
  const char* const images = "Images [batch, height, width, channels].";
  withArgmaxWindows(ops.add("MaxPoolWithArgmax")
                        .category("Neural network")
                        .keywords("downsample maximum position unpooling")
                        .summary("Max pooling that also returns the indices of the maxima.")
                        .input("input: T", images)
                        .output("output: T", "The maxima.")
                        .output("argmax: Targmax", "Flattened index of each maximum: (row * width + column) * channels + channel."))
      .attr("Targmax: {int32, int64} = DT_INT64", "Type of the positions.")
      .shape([](ShapeContext& c) { return poolShape(c, 2); })
      .gradient(poolGradient)
      .cpu({{"Targmax", place}, {"T", types::kCpuReal}}, simpleKernel(runPool));
  const struct {
    const char *name, *summary, *grad, *out;
    ShapeFunction shape;
    KernelFactory create;
  } grads[] = {{"MaxPoolGradWithArgmax", "Gradient of MaxPoolWithArgmax: each window's gradient goes to its maximum.", "Gradient with respect to the maxima.",
                "Gradient with respect to the images.", argmaxGradShape, simpleKernel(runGrad<false>)},
               {"MaxPoolGradGradWithArgmax", "Second gradient of MaxPoolWithArgmax: picks the gradient at the index of each maximum.",
                "Gradient with respect to the output of MaxPoolGradWithArgmax, in the shape of the images.",
                "Second-order gradient with respect to the maxima.", argmaxGradGradShape, simpleKernel(runGrad<true>)}};
  for (const auto& r : grads) {
    withArgmaxWindows(ops.add(r.name)
                          .category("Gradients")
                          .summary(r.summary)
                          .input("input: T", images)
                          .input("grad: T", r.grad)
                          .input("argmax: Targmax", "Indices of the maxima, from MaxPoolWithArgmax.")
                          .output("output: T", r.out))
        .attr("Targmax: {int32, int64}", "Type of the positions.")
        .shape(r.shape)
        .noGradient("TensorFlow defines no second derivative for it.")
        .cpu({{"Targmax", place}, {"T", types::kCpuReal}}, r.create)
        .gradientIsError = true;
  }
}

}  // namespace weft
