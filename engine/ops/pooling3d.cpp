// Average and maximum pooling over volumes, with gradients.
#include <limits>

#include "base/parallel.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "ops/volume_windows.h"

namespace weft {
namespace {

// ---- shapes

Status poolShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 5));
  WEFT_LET(const std::vector<int64_t> strides, smallIntegers(c.attrs(), "strides"));
  WEFT_LET(const std::vector<int64_t> window, smallIntegers(c.attrs(), "ksize"));
  if (strides.size() != 5) return invalidArgument("Pool3D ops require the stride attribute to contain 5 values, but got: ", strides.size());
  if (window.size() != 5) return invalidArgument("Pool3D ops require the ksize attribute to contain 5 values, but got: ", window.size());
  const Shape in = c.input(0).hasRank() ? c.input(0) : Shape::unknownOfRank(5);
  const int first = c.attrs().text("data_format") == "NCDHW" ? 2 : 1;
  Shape out = in;
  for (int i = first; i < first + 3; ++i) {
    WEFT_LET(const int64_t d, shapes::windowOutput(in.dim(i), window[size_t(i)], 1, strides[size_t(i)], c.attrs().text("padding")));
    out.setDim(i, d);
  }
  c.setOutput(0, std::move(out));
  return {};
}

Status averageGradShape(ShapeContext& c) {
  WEFT_LET(Shape s, c.constantAsShape(0));
  WEFT_TRY(c.requireRank(s, 5));
  c.setOutput(0, s.hasRank() ? s : Shape::unknownOfRank(5));
  return {};
}

Status likeInput(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 5));
  c.setOutput(0, c.input(0).hasRank() ? c.input(0) : Shape::unknownOfRank(5));
  return {};
}

Status volumeGradGradShape(ShapeContext& c) {
  WEFT_TRY(poolShape(c));
  WEFT_TRY(c.merge(c.input(0), c.input(2)).status());
  return c.merge(c.input(1), c.outputs()[0]).status();
}

// ---- gradients

AttrMap poolAttrs(const AttrMap& from) {
  AttrMap out;
  for (const char* name : {"ksize", "strides", "padding", "data_format"}) {
    if (const Attr* a = from.find(name)) out.set(name, *a);
  }
  return out;
}

Result<std::vector<Output>> averageGradient(GradContext& c) {
  const Output shape = py::shape(c.b(), c.input(0));
  return std::vector<Output>{c.b().op("AvgPool3DGrad", {shape, c.grad()}, poolAttrs(c.attrs()))};
}
Result<std::vector<Output>> averageGradGradient(GradContext& c) {
  const Output still = c.b().op("StopGradient", {c.input(0)});
  return std::vector<Output>{still, c.b().op("AvgPool3D", {c.grad()}, poolAttrs(c.attrs()))};
}
Result<std::vector<Output>> maximumGradient(GradContext& c) {
  return std::vector<Output>{c.b().op("MaxPool3DGrad", {c.input(0), c.output(0), c.grad()}, poolAttrs(c.attrs()))};
}
/// No gradient flows to tensors that only locate the maxima.
Result<std::vector<Output>> secondGradient(GradContext& c) {
  std::vector<Output> out;
  for (int i = 0; i < 2; ++i) {
    const Output shape = py::shape(c.b(), c.input(i));
    out.push_back(py::zeros(c.b(), shape, c.b().dtype(c.input(i))));
  }
  const char* const op = c.node().op == "MaxPool3DGrad" ? "MaxPool3DGradGrad" : "MaxPool3DGrad";
  out.push_back(c.b().op(op, {c.input(0), c.input(1), c.grad()}, poolAttrs(c.attrs())));
  return out;
}

Status sameShape(const Tensor& t, const Shape& want, const char* name) {
  if (t.shape() == want) return {};
  return invalidArgument("Expected ", name, " shape to be ", want.toString(), ", but got ", t.shape().toString());
}

}  // namespace

Result<VolumeWindows> volumePool(const AttrMap& attrs, const char* op, const Shape& in, bool onCpu) {
  const bool channelsFirst = attrs.text("data_format", "NDHWC") != "NDHWC";
  if (channelsFirst && onCpu) return invalidArgument("Default ", op, " only supports NDHWC on device type CPU");
  WEFT_LET(const std::vector<int64_t> strides, smallIntegers(attrs, "strides"));
  WEFT_LET(const std::vector<int64_t> window, smallIntegers(attrs, "ksize"));
  if (window.size() != 5) return invalidArgument("Sliding window ksize field must specify 5 dimensions");
  if (strides.size() != 5) return invalidArgument("Sliding window stride field must specify 5 dimensions");
  const size_t channel = channelsFirst ? 1 : 4, first = channelsFirst ? 2 : 1;
  if (window[0] != 1 || strides[0] != 1) return unimplemented("Pooling is not yet supported on the batch dimension.");
  if (window[channel] != 1 || strides[channel] != 1) return unimplemented("Pooling is not yet supported on the depth dimension.");
  for (size_t i = first; i < first + 3; ++i) {
    if (window[i] <= 0) return invalidArgument("Sliding window ksize for dimension ", i, " was zero.");
  }
  if (in.rank() != 5) return invalidArgument("tensor_in must be 5-dimensional");
  return VolumeWindows::of(in, {window[first], window[first + 1], window[first + 2]}, strides, attrs.text("padding"), channelsFirst);
}

Result<VolumeWindows> averageVolumeGrad(const KernelContext& c, Shape& in, bool onCpu) {
  const Tensor &sizes = c.input(0), &grad = c.input(1);
  if (sizes.rank() != 1 || sizes.elements() != 5) return invalidArgument("tensor_in must be 1-dimensional and 5 elements");
  if (grad.rank() != 5) return invalidArgument("out_backprop must be 5-dimensional");
  in = Shape();
  for (int i = 0; i < 5; ++i) {
    if (sizes.asInt(i) < 0) return invalidArgument("Dimension ", sizes.asInt(i), " must be >= 0");
    in.append(sizes.asInt(i));
  }
  WEFT_LET(const VolumeWindows g, volumePool(c.node().attrs, "AvgPooling3dGradOp", in, onCpu));
  WEFT_TRY(sameShape(grad, g.outShape(g.channels), "grad"));
  return g;
}

Result<VolumeWindows> maximumVolumeGrad(const KernelContext& c, bool second, bool onCpu) {
  const Tensor &in = c.input(0), &out = c.input(1), &grad = c.input(2);
  WEFT_LET(const VolumeWindows g, volumePool(c.node().attrs, second ? "MaxPooling3dGradGradOp" : "MaxPooling3dGradOp", in.shape(), onCpu));
  if (out.rank() != 5) return invalidArgument("tensor_out must be 5-dimensional");
  if (grad.rank() != 5) return invalidArgument(second ? "out_grad_backprop must be 5-dimensional" : "out_backprop must be 5-dimensional");
  WEFT_TRY(sameShape(out, g.outShape(g.channels), "orig_output"));
  WEFT_TRY(sameShape(grad, second ? in.shape() : out.shape(), "grad"));
  return g;
}

namespace {

// ---- kernels

/// Calls f(window index within the volume, pixel) for all pixels of all windows, window by window; with `finish`, calls finish(window, pixels) after each.
template <typename F, typename G>
void overWindows(const VolumeWindows& g, F&& f, G&& finish) {
  int64_t number = 0;
  for (int64_t z = 0; z < g.out[0]; ++z) {
    for (int64_t y = 0; y < g.out[1]; ++y) {
      for (int64_t x = 0; x < g.out[2]; ++x, ++number) {
        int64_t count = 0;
        for (int64_t d = g.begin(0, z); d < g.end(0, z); ++d) {
          for (int64_t h = g.begin(1, y); h < g.end(1, y); ++h) {
            for (int64_t w = g.begin(2, x); w < g.end(2, x); ++w, ++count) f(number, (d * g.in[1] + h) * g.in[2] + w);
          }
        }
        finish(number, count);
      }
    }
  }
}

template <typename F>
void overBatch(const VolumeWindows& g, F&& f) {
  const int64_t work = std::max<int64_t>(1, g.outPixels() * g.window[0] * g.window[1] * g.window[2] * g.channels);
  parallelFor(g.batch, std::max<int64_t>(1, 16384 / work), [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) f(n);
  });
}

template <bool maximum>
Status runPool(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_LET(const VolumeWindows g, volumePool(c.node().attrs, "Pooling3DOp", in.shape()));
  WEFT_LET(Tensor * out, c.allocate(0, g.outShape(g.channels)));
  if (out->elements() == 0) return {};
  overBatch(g, [&](int64_t n) {
    const float* x = in.data<float>() + n * g.inPixels() * g.channels;
    float* y = out->mutableData<float>() + n * g.outPixels() * g.channels;
    std::fill_n(y, g.outPixels() * g.channels, maximum ? std::numeric_limits<float>::lowest() : 0.0f);
    overWindows(
        g,
        [&](int64_t window, int64_t pixel) {
          for (int64_t k = 0; k < g.channels; ++k) {
            float& to = y[window * g.channels + k];
            const float v = x[pixel * g.channels + k];
            if (maximum) to = to < v ? v : to;
            else to += v;
          }
        },
        [&](int64_t window, int64_t count) {
          for (int64_t k = 0; k < g.channels && !maximum; ++k) y[window * g.channels + k] /= float(count);
        });
  });
  return {};
}

Status runAverageGrad(KernelContext& c) {
  const Tensor& grad = c.input(1);
  Shape in;
  WEFT_LET(const VolumeWindows g, averageVolumeGrad(c, in));
  WEFT_LET(Tensor * out, c.allocate(0, in));
  overBatch(g, [&](int64_t n) {
    const float* dy = grad.data<float>() + n * g.outPixels() * g.channels;
    float* dx = out->mutableData<float>() + n * g.inPixels() * g.channels;
    std::fill_n(dx, g.inPixels() * g.channels, 0.0f);
    std::vector<int64_t> pixels;
    overWindows(
        g, [&](int64_t, int64_t pixel) { pixels.push_back(pixel); },
        [&](int64_t window, int64_t count) {
          for (const int64_t pixel : pixels) {
            for (int64_t k = 0; k < g.channels; ++k) dx[pixel * g.channels + k] += dy[window * g.channels + k] / float(count);
          }
          pixels.clear();
        });
  });
  return {};
}

/// First gradient: all positions that hold a window's maximum get its gradient. Second: takes the gradient at the first of them.
template <bool second>
Status runMaximumGrad(KernelContext& c) {
  const Tensor &in = c.input(0), &out = c.input(1), &grad = c.input(2);
  WEFT_LET(const VolumeWindows g, maximumVolumeGrad(c, second));
  WEFT_LET(Tensor * result, c.allocate(0, second ? out.shape() : in.shape()));
  overBatch(g, [&](int64_t n) {
    const int64_t inside = n * g.inPixels() * g.channels, outside = n * g.outPixels() * g.channels;
    const float *x = in.data<float>() + inside, *y = out.data<float>() + outside, *d = grad.data<float>() + (second ? inside : outside);
    float* to = result->mutableData<float>() + (second ? outside : inside);
    std::fill_n(to, (second ? g.outPixels() : g.inPixels()) * g.channels, 0.0f);
    std::vector<bool> found(size_t(g.channels), false);
    overWindows(
        g,
        [&](int64_t window, int64_t pixel) {
          for (int64_t k = 0; k < g.channels; ++k) {
            const int64_t i = pixel * g.channels + k, o = window * g.channels + k;
            if (!(x[i] == y[o])) continue;
            if (!second) {
              to[i] += d[o];
            } else if (!found[size_t(k)]) {
              to[o] = d[i];
              found[size_t(k)] = true;
            }
          }
        },
        [&](int64_t, int64_t) {
          if (second) std::fill(found.begin(), found.end(), false);
        });
  });
  return {};
}

OpRecord& withVolumeWindows(OpRecord& r) {
  return r.attr("ksize: list(int) >= 5", "Window size along each dimension of the input.")
      .attr("strides: list(int) >= 5", "Stride of the window along each dimension of the input.")
      .attr("padding: {'SAME', 'VALID'}", "SAME: padded so that the output has size ceil(input / stride). VALID: no padding.")
      .attr("data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'", "Order of the dimensions: [batch, depth, height, width, channels], or channels second.");
}

}  // namespace

void registerPooling3D(OpRegistry& ops) {
  const char* const volumes = "Volumes [batch, depth, height, width, channels].";
  withVolumeWindows(ops.add("AvgPool3D")
                        .category("Neural network")
                        .keywords("downsample subsample mean window volume")
                        .summary("3-D average pooling: the mean of each window of a volume; padding does not count.")
                        .input("input: T", volumes)
                        .output("output: T", "The means."))
      .attr("T: {half, bfloat16, float, double}", "Type of the elements.")
      .shape(poolShape)
      .gradient(averageGradient)
      .cpu({{"T", types::kFloat}}, simpleKernel(runPool<false>));
  withVolumeWindows(ops.add("MaxPool3D")
                        .category("Neural network")
                        .keywords("downsample subsample maximum window volume")
                        .summary("3-D max pooling: the maximum of each window of a volume.")
                        .input("input: T", volumes)
                        .output("output: T", "The maxima."))
      .attr("T: {half, bfloat16, float}", "Type of the elements.")
      .shape(poolShape)
      .gradient(maximumGradient)
      .cpu({{"T", types::kFloat}}, simpleKernel(runPool<true>));
  withVolumeWindows(ops.add("AvgPool3DGrad")
                        .category("Gradients")
                        .summary("Gradient of AvgPool3D with respect to its input.")
                        .input("orig_input_shape: int32", "Shape of the pooling's input.")
                        .input("grad: T", "Gradient with respect to the output of the pooling.")
                        .output("output: T", "Gradient with respect to the input volumes."))
      .attr("T: {half, bfloat16, float, double}", "Type of the elements.")
      .shape(averageGradShape)
      .gradient(averageGradGradient)
      .cpu({{"T", types::kFloat}}, simpleKernel(runAverageGrad));
  withVolumeWindows(ops.add("MaxPool3DGrad")
                        .category("Gradients")
                        .summary("Gradient of MaxPool3D: each element equal to its window's maximum receives that window's gradient.")
                        .input("orig_input: TInput", "Input of the pooling.")
                        .input("orig_output: TInput", "Output of the pooling.")
                        .input("grad: T", "Gradient with respect to the output.")
                        .output("output: T", "Gradient with respect to the input volumes."))
      .attr("T: {half, bfloat16, float} = DT_FLOAT", "Type of the gradients.")
      .attr("TInput: {half, bfloat16, float} = DT_FLOAT", "Type of the volumes.")
      .shape(likeInput)
      .gradient(secondGradient)
      .cpu({{"T", types::kFloat}, {"TInput", types::kFloat}}, simpleKernel(runMaximumGrad<false>));
  withVolumeWindows(ops.add("MaxPool3DGradGrad")
                        .category("Gradients")
                        .summary("Second gradient of MaxPool3D: picks the gradient at each window's first maximum.")
                        .input("orig_input: T", "Input of the pooling.")
                        .input("orig_output: T", "Output of the pooling.")
                        .input("grad: T", "Gradient with respect to the output of MaxPool3DGrad, in the shape of the volumes.")
                        .output("output: T", "Second-order gradient."))
      .attr("T: realnumbertype", "Type of the elements.")
      .shape(volumeGradGradShape)
      .gradient(secondGradient)
      .cpu({{"T", types::kFloat}}, simpleKernel(runMaximumGrad<true>));
}

}  // namespace weft
