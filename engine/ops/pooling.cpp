// Average and maximum pooling over images, with gradients.
#include "device/cpu/pooling.h"

#include <limits>

#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/half_blocks.h"
#include "device/cpu/hot_doubles.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"

namespace weft {
namespace {

const std::vector<DType> kMaxTypes = {DType::Float, DType::Double, DType::Half,   DType::BFloat16, DType::Int8,
                                      DType::UInt8, DType::Int16,  DType::UInt16, DType::Int32,    DType::Int64};
constexpr const char* kMaxForward = "T: {half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8} = DT_FLOAT";
constexpr const char* kReals = "T: realnumbertype";

// ---- shapes

/// Output of a pool over `in`. If the windows are unknown (V2, sizes not constant), only batch and rank are known.
Status poolShape(ShapeContext& c, const std::vector<int64_t>& window, const std::vector<int64_t>& strides, bool depth) {
  const std::string format = c.attrs().text("data_format", "NHWC"), padding = c.attrs().text("padding");
  const int rank = format == "NCHW_VECT_C" ? 5 : 4;
  WEFT_TRY(c.requireRank(c.input(0), rank));
  const std::string& op = c.node().op;
  if (strides.size() != 4) return invalidArgument(op, " requires the stride attribute to contain 4 values, but got: ", strides.size());
  if (window.size() != 4) return invalidArgument(op, " requires the ksize attribute to contain 4 values, but got: ", window.size());
  const bool first = format != "NHWC";
  const Shape in = c.input(0).hasRank() ? c.input(0) : Shape::unknownOfRank(rank);
  Shape out = in;
  const int height = first ? 2 : 1, channel = first ? 1 : 3;
  for (int i : {height, height + 1}) {
    WEFT_LET(const int64_t d, shapes::windowOutput(in.dim(i), window[size_t(i)], 1, strides[size_t(i)], padding));
    out.setDim(i, d);
  }
  if (depth && rank == 4) {
    WEFT_LET(const int64_t d, shapes::windowOutput(in.dim(channel), window[size_t(channel)], 1, strides[size_t(channel)], padding));
    out.setDim(channel, d);
  }
  c.setOutput(0, std::move(out));
  return {};
}

Status averagePoolShape(ShapeContext& c) { return poolShape(c, c.attrs().integers("ksize"), c.attrs().integers("strides"), false); }
Status maxPoolShape(ShapeContext& c) { return poolShape(c, c.attrs().integers("ksize"), c.attrs().integers("strides"), true); }

/// Windows given as inputs are known only if they are constants.
Status maxPoolV2Shape(ShapeContext& c, int firstWindowInput) {
  std::vector<int64_t> sizes[2];
  for (int k = 0; k < 2; ++k) {
    const Shape& s = c.input(firstWindowInput + k);
    WEFT_TRY(c.requireRank(s, 1));
    const Tensor* t = c.constant(firstWindowInput + k);
    if (!t) {
      WEFT_TRY(c.requireRank(c.input(0), 4));
      c.setOutput(0, Shape::unknownOfRank(4));
      return {};
    }
    for (int64_t i = 0; i < t->elements(); ++i) sizes[k].push_back(t->asInt(i));
  }
  return poolShape(c, sizes[0], sizes[1], true);
}

Status averagePoolGradShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 1));
  WEFT_LET(Shape s, c.constantAsShape(0));
  WEFT_TRY(c.requireRank(s, 4));
  c.setOutput(0, s.hasRank() ? s : Shape::unknownOfRank(4));
  return {};
}

Status likeFirstInput(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 4));
  c.setOutput(0, c.input(0).hasRank() ? c.input(0) : Shape::unknownOfRank(4));
  return {};
}

Status maxPoolGradGradShape(ShapeContext& c) {
  if (c.inputCount() > 3) {
    WEFT_TRY(maxPoolV2Shape(c, 3));
  } else {
    WEFT_TRY(maxPoolShape(c));
  }
  WEFT_TRY(c.merge(c.input(0), c.input(2)).status());
  WEFT_TRY(c.merge(c.input(1), c.outputs()[0]).status());
  return {};
}

// ---- gradients

AttrMap poolAttrs(const AttrMap& from) {
  AttrMap out;
  for (const char* name : {"ksize", "strides", "padding", "data_format"}) {
    if (const Attr* a = from.find(name)) out.set(name, *a);
  }
  return out;
}

Result<std::vector<Output>> averagePoolGradient(GradContext& c) {
  const Output shape = py::shape(c.b(), c.input(0));
  return std::vector<Output>{c.b().op("AvgPoolGrad", {shape, c.grad()}, poolAttrs(c.attrs()))};
}

Result<std::vector<Output>> averagePoolGradGradient(GradContext& c) {
  const Output still = c.b().op("StopGradient", {c.input(0)});
  return std::vector<Output>{still, c.b().op("AvgPool", {c.grad()}, poolAttrs(c.attrs()))};
}

Result<std::vector<Output>> maxPoolGradient(GradContext& c) {
  Inputs in{c.input(0), c.output(0), c.grad()};
  const bool v2 = c.node().op == "MaxPoolV2";
  if (v2) in.add(c.input(1)).add(c.input(2));
  const Output dx = c.b().op(v2 ? "MaxPoolGradV2" : "MaxPoolGrad", in, poolAttrs(c.attrs()));
  return v2 ? std::vector<Output>{dx, {}, {}} : std::vector<Output>{dx};
}

/// Gradient of MaxPoolGrad by MaxPoolGradGrad, and vice versa. No gradient flows to tensors that only locate the maxima.
Result<std::vector<Output>> maxPoolSecondGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  std::string op = c.node().op;
  const bool v2 = op.ends_with("V2");
  op = op.starts_with("MaxPoolGradGrad") ? "MaxPoolGrad" : "MaxPoolGradGrad";
  std::vector<Output> out;
  for (int i = 0; i < 2; ++i) {
    const Output shape = py::shape(b, c.input(i));
    out.push_back(py::zeros(b, shape, b.dtype(c.input(i))));
  }
  Inputs in{c.input(0), c.input(1), c.grad()};
  if (v2) in.add(c.input(3)).add(c.input(4));
  out.push_back(b.op(v2 ? op + "V2" : op, in, poolAttrs(c.attrs())));
  if (v2) out.insert(out.end(), 2, Output{});
  return out;
}

// ---- kernels of the pools

template <typename T, bool kMaximum>
void poolRows(const T* in, T* out, const cpu::PoolGeometry& g, int64_t begin, int64_t end);

/// Of 16-bit floats: the rows that the windows need are widened, image by image.
template <typename T, bool kMaximum>
void poolWidenedRows(const T* in, T* out, const cpu::PoolGeometry& g, int64_t begin, int64_t end) {
  const int64_t rowLength = g.inWidth * g.channels, outLength = g.outWidth * g.channels;
  std::vector<float> wide, pooled;
  for (int64_t row = begin; row < end;) {
    const int64_t image = row / g.outHeight, first = row % g.outHeight, last = std::min(g.outHeight, first + (end - row));
    const int64_t top = std::clamp<int64_t>(first * g.strideHeight - g.padTop, 0, g.inHeight);
    const int64_t bottom = std::clamp<int64_t>((last - 1) * g.strideHeight - g.padTop + g.windowHeight, top, g.inHeight);
    cpu::PoolGeometry part = g;
    part.inHeight = bottom - top;
    part.outHeight = last - first;
    part.padTop = g.padTop - first * g.strideHeight + top;
    wide.resize(size_t(part.inHeight * rowLength));
    pooled.resize(size_t(part.outHeight * outLength));
    cpu::formatOf<T>().widen(&in[(image * g.inHeight + top) * rowLength].bits, wide.data(), part.inHeight * rowLength);
    poolRows<float, kMaximum>(wide.data(), pooled.data(), part, 0, part.outHeight);
    cpu::formatOf<T>().narrow(pooled.data(), &out[row * outLength].bits, part.outHeight * outLength);
    row += last - first;
  }
}

template <typename T, bool kMaximum>
void poolRows(const T* in, T* out, const cpu::PoolGeometry& g, int64_t begin, int64_t end) {
  const auto run = [&](cpu::PoolFunction<T> f) { f(out, in, g, begin, end); };
  const cpu::WideKernels& wide = cpu::wideKernels();
  if constexpr (cpu::kIsSmallFloat<T>) poolWidenedRows<T, kMaximum>(in, out, g, begin, end);
  else if constexpr (std::is_same_v<T, float>) run(kMaximum ? cpu::nnKernels().maxPool : cpu::nnKernels().averagePool);
  else if constexpr (std::is_same_v<T, double>) run(kMaximum ? wide.maxPool : wide.averagePool);
  else if constexpr (!kMaximum) return;
  else if constexpr (std::is_same_v<T, int8_t>) run(wide.maxPoolInt8);
  else if constexpr (std::is_same_v<T, uint8_t>) run(wide.maxPoolUInt8);
  else if constexpr (std::is_same_v<T, int16_t>) run(wide.maxPoolInt16);
  else if constexpr (std::is_same_v<T, uint16_t>) run(wide.maxPoolUInt16);
  else if constexpr (std::is_same_v<T, int32_t>) run(wide.maxPoolInt32);
  else if constexpr (std::is_same_v<T, int64_t>) run(wide.maxPoolInt64);
}

template <typename T>
void poolChannels(const T* in, T* out, int64_t count, int64_t window) {
  for (int64_t i = 0; i < count; ++i, in += window) {
    T best = in[0];
    for (int64_t k = 1; k < window; ++k) {
      if (cpu::Compute<T>(best) < cpu::Compute<T>(in[k])) best = in[k];
    }
    out[i] = best;
  }
}

template <bool kMaximum>
Status poolKernel(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_LET(const PoolSettings s, poolSettings(c, c.inputCount() > 1 ? 1 : -1));
  WEFT_TRY(s.check(kMaximum ? "MaxPoolingOp" : "AvgPoolingOp"));
  WEFT_LET(const cpu::PoolGeometry g, s.geometry(in.shape()));
  if (s.overChannels()) {
    if (!kMaximum) return unimplemented("Non-spatial pooling is not yet supported. Volunteers? :)");
    Shape shape = in.shape();
    shape.setDim(3, in.dim(3) / s.window[3]);
    WEFT_LET(Tensor * out, c.allocate(0, shape));
    cpu::withNumber(in.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      if constexpr (!cpu::kIsComplex<T>) poolChannels(static_cast<const T*>(in.raw()), static_cast<T*>(out->mutableRaw()), out->elements(), s.window[3]);
    });
    return {};
  }
  WEFT_LET(Tensor * out, c.allocate(0, {in.dim(0), g.outHeight, g.outWidth, g.channels}));
  if (out->elements() == 0) return {};
  const int64_t rowWork = g.outWidth * g.channels * g.windowHeight * g.windowWidth;
  cpu::withNumber(in.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (!cpu::kIsComplex<T>) {
      parallelFor(in.dim(0) * g.outHeight, std::max<int64_t>(1, 32768 / rowWork), [&](int64_t begin, int64_t end) {
        poolRows<T, kMaximum>(static_cast<const T*>(in.raw()), static_cast<T*>(out->mutableRaw()), g, begin, end);
      });
    }
  });
  return {};
}

// ---- records

constexpr const char* kWindowDoc = "Window size along each dimension of the input.";
constexpr const char* kStrideDoc = "Stride of the window along each dimension of the input.";
constexpr const char* kPaddingDoc = "SAME: padded so that the output has size ceil(input / stride). VALID: no padding.";
constexpr const char* kFormatDoc = "Order of the dimensions: [batch, height, width, channels] or [batch, channels, height, width].";

OpRecord& withImageWindows(OpRecord& r, const char* format = "data_format: {'NHWC', 'NCHW'} = 'NHWC'") {
  return r.attr("ksize: list(int) >= 4", kWindowDoc)
      .attr("strides: list(int) >= 4", kStrideDoc)
      .attr("padding: {'SAME', 'VALID'}", kPaddingDoc)
      .attr(format, kFormatDoc);
}

OpRecord& gradInputs(OpRecord& r, bool second) {
  return r.category("Gradients")
      .input("orig_input: T", "Input of the pooling.")
      .input("orig_output: T", "Output of the pooling.")
      .input("grad: T", second ? "Gradient with respect to the output of MaxPoolGrad, in the shape of the input." : "Gradient with respect to the output.");
}

}  // namespace

void registerPooling(OpRegistry& ops) {
  withImageWindows(ops.add("AvgPool")
                       .category("Neural network")
                       .keywords("downsample subsample mean window")
                       .summary("Average pooling: the mean of each window of an image; padding does not count.")
                       .input("value: T", "Images [batch, height, width, channels].")
                       .output("output: T", "The means."))
      .attr("T: {half, bfloat16, float, double}", "Type of the elements.")
      .shape(averagePoolShape)
      .gradient(averagePoolGradient)
      .cpu({{"T", types::kFloats}}, simpleKernel(poolKernel<false>));
  withImageWindows(ops.add("AvgPoolGrad")
                       .category("Gradients")
                       .summary("Gradient of AvgPool with respect to its input.")
                       .input("orig_input_shape: int32", "Shape of the pooling's input.")
                       .input("grad: T", "Gradient with respect to the output of the pooling.")
                       .output("output: T", "Gradient with respect to the images."))
      .attr("T: {half, bfloat16, float, double}", "Type of the elements.")
      .shape(averagePoolGradShape)
      .gradient(averagePoolGradGradient)
      .cpu({{"T", types::kFloats}}, simpleKernel(averagePoolGradKernel));

  withImageWindows(ops.add("MaxPool")
                       .category("Neural network")
                       .keywords("downsample subsample maximum window")
                       .summary("Max pooling: the maximum of each window of an image.")
                       .input("input: T", "Images [batch, height, width, channels].")
                       .output("output: T", "The maxima.")
                       .attr(kMaxForward, "Type of the elements."),
                   "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'")
      .shape(maxPoolShape)
      .gradient(maxPoolGradient)
      .cpu({{"T", kMaxTypes}}, simpleKernel(poolKernel<true>));
  ops.add("MaxPoolV2")
      .category("Neural network")
      .keywords("downsample subsample maximum window")
      .summary("Max pooling with window size and strides given as tensors.")
      .input("input: T", "Images [batch, height, width, channels].")
      .input("ksize: int32", kWindowDoc)
      .input("strides: int32", kStrideDoc)
      .output("output: T", "The maxima.")
      .attr(kMaxForward, "Type of the elements.")
      .attr("padding: {'SAME', 'VALID'}", kPaddingDoc)
      .attr("data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'", kFormatDoc)
      .shape([](ShapeContext& c) { return maxPoolV2Shape(c, 1); })
      .gradient(maxPoolGradient)
      .cpu({{"T", kMaxTypes}}, simpleKernel(poolKernel<true>));

  withImageWindows(gradInputs(ops.add("MaxPoolGrad"), false)
                       .summary("Gradient of MaxPool: each window's gradient goes to its first maximum.")
                       .output("output: T", "Gradient with respect to the images."))
      .attr(std::string(kReals) + " = DT_FLOAT", "Type of the elements.")
      .shape(likeFirstInput)
      .gradient(maxPoolSecondGradient)
      .cpu({{"T", kMaxTypes}}, simpleKernel(maxPoolGradKernel));
  gradInputs(ops.add("MaxPoolGradV2"), false)
      .summary("Gradient of MaxPoolV2: each window's gradient goes to its first maximum.")
      .input("ksize: int32", kWindowDoc)
      .input("strides: int32", kStrideDoc)
      .output("output: T", "Gradient with respect to the images.")
      .attr("padding: {'SAME', 'VALID'}", kPaddingDoc)
      .attr("data_format: {'NHWC', 'NCHW'} = 'NHWC'", kFormatDoc)
      .attr(std::string(kReals) + " = DT_FLOAT", "Type of the elements.")
      .shape(likeFirstInput)
      .gradient(maxPoolSecondGradient)
      .cpu({{"T", kMaxTypes}}, simpleKernel(maxPoolGradKernel));
  withImageWindows(gradInputs(ops.add("MaxPoolGradGrad"), true)
                       .summary("Second gradient of MaxPool: picks the gradient at each window's first maximum.")
                       .output("output: T", "Second-order gradient."))
      .attr(kReals, "Type of the elements.")
      .shape(maxPoolGradGradShape)
      .gradient(maxPoolSecondGradient)
      .cpu({{"T", kMaxTypes}}, simpleKernel(maxPoolGradGradKernel));
  OpRecord& last = gradInputs(ops.add("MaxPoolGradGradV2"), true)
                       .summary("Second gradient of MaxPoolV2: picks the gradient at each window's first maximum.")
                       .input("ksize: int32", kWindowDoc)
                       .input("strides: int32", kStrideDoc)
                       .output("output: T", "Second-order gradient.")
                       .attr("padding: {'SAME', 'VALID'}", kPaddingDoc)
                       .attr("data_format: {'NHWC', 'NCHW'} = 'NHWC'", kFormatDoc)
                       .attr(kReals, "Type of the elements.")
                       .shape(maxPoolGradGradShape)
                       .noGradient("TensorFlow defines no third derivative of MaxPoolV2.")
                       .cpu({{"T", kMaxTypes}}, simpleKernel(maxPoolGradGradKernel));
  last.gradientIsError = true;
  state(ops, OpRole::Pooling, Effect::None, "AvgPool MaxPool");
}

}  // namespace weft
