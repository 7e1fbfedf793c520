// BiasAdd and its gradient.
#include <algorithm>

#include "base/parallel.h"
#include "device/cpu/broadcast.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/hot_nn.h"
#include "device/cpu/reduce.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"

namespace weft {
namespace {

const std::vector<DType> kBiasTypes = {DType::Float, DType::Double, DType::Half,  DType::BFloat16, DType::Int8,      DType::UInt8,
                                       DType::Int16, DType::UInt16, DType::Int32, DType::Int64,    DType::Complex64, DType::Complex128};
constexpr int64_t kBiasGrain = 32768;

bool isChannelsFirst(const AttrMap& attrs) { return attrs.text("data_format", "NHWC") == "NCHW"; }

// ---- shapes

Status biasAddShape(ShapeContext& c) {
  const Shape &value = c.input(0), &bias = c.input(1);
  const bool first = isChannelsFirst(c.attrs());
  WEFT_TRY(c.requireRankAtLeast(value, first ? 3 : 2));
  WEFT_TRY(c.requireRank(bias, 1));
  if (!value.hasRank()) return {};
  Shape out = value;
  const int channel = first ? 1 : value.rank() - 1;
  WEFT_LET(const int64_t d, c.mergeDims(value.dim(channel), bias.hasRank() ? bias.dim(0) : Shape::kUnknownDim));
  out.setDim(channel, d);
  c.setOutput(0, std::move(out));
  return {};
}

Status biasAddGradShape(ShapeContext& c) {
  const Shape& value = c.input(0);
  const bool first = isChannelsFirst(c.attrs());
  WEFT_TRY(c.requireRankAtLeast(value, first ? 3 : 2));
  c.setOutput(0, value.hasRank() ? Shape{value.dim(first ? 1 : value.rank() - 1)} : Shape::unknownOfRank(1));
  return {};
}

// ---- gradients

Result<std::vector<Output>> biasAddGradient(GradContext& c) {
  return std::vector<Output>{c.grad(), c.b().op("BiasAddGrad", {c.grad()}, {{"data_format", c.attrs().text("data_format", "NHWC")}})};
}

Result<std::vector<Output>> biasAddV1Gradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output last = py::sub(b, py::rank(b, c.grad()), 1);
  return std::vector<Output>{c.grad(), py::reduceSum(b, c.grad(), py::range(b, 0, last))};
}

/// Broadcasts the gradient of the bias to all positions: reshape to [1,…,channels,…1] and tile.
Result<std::vector<Output>> biasAddGradGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output shape = py::shape(b, c.input(0)), biasShape = py::shape(b, c.grad());
  const std::vector<int64_t> one = {1};
  Output expanded, multiples;
  if (isChannelsFirst(c.attrs())) {
    const Output before = py::onesLike(b, py::sliceTo(b, shape, 1));
    const Output after = py::onesLike(b, py::sliceFrom(b, shape, 2));
    expanded = py::concat(b, {before, biasShape, after}, 0);
    const Output head = py::sliceTo(b, shape, 1), tail = py::sliceFrom(b, shape, 2);
    multiples = py::concat(b, {head, one, tail}, 0);
  } else {
    const Output before = py::onesLike(b, py::sliceTo(b, shape, -1));
    expanded = py::concat(b, {before, biasShape}, 0);
    const Output head = py::sliceTo(b, shape, -1);
    multiples = py::concat(b, {head, one}, 0);
  }
  const Output grown = py::reshape(b, c.grad(), expanded);
  return std::vector<Output>{b.op("Tile", {grown, multiples})};
}

// ---- kernels

/// Memory layout: `outer` blocks of `channels` groups of `inner` elements.
struct Layout {
  int64_t outer = 1, channels = 1, inner = 1;
};

Layout layoutOf(const Shape& s, bool channelsFirst) {
  Layout l;
  const int channel = channelsFirst ? 1 : s.rank() - 1;
  for (int i = 0; i < s.rank(); ++i) (i < channel ? l.outer : i == channel ? l.channels : l.inner) *= s.dim(i);
  return l;
}

template <typename T>
void addBias(DType dtype, const Layout& l, const T* in, const T* bias, T* out) {
  if constexpr (std::is_same_v<T, float>) {
    if (l.inner == 1) {
      parallelFor(l.outer, std::max<int64_t>(1, kBiasGrain / std::max<int64_t>(1, l.channels)), [&](int64_t begin, int64_t end) {
        cpu::nnKernels().biasAdd(out + begin * l.channels, in + begin * l.channels, bias, end - begin, l.channels);
      });
      return;
    }
  }
  const cpu::ElementwiseEntry* add = cpu::findElementwise("Add", dtype);
  if (!add) {  // unsigned integers of 16 bits, which Add does not take
    for (int64_t i = 0; i < l.outer * l.channels; ++i) {
      for (int64_t k = 0; k < l.inner; ++k) out[i * l.inner + k] = T(in[i * l.inner + k] + bias[i % l.channels]);
    }
    return;
  }
  const Shape value{l.outer, l.channels, l.inner}, biases{l.channels, 1};
  const Shape* shapes[2] = {&value, &biases};
  Shape result;
  const auto plan = cpu::planBroadcast(shapes, 2, result);
  const void* operands[2] = {in, bias};
  const size_t sizes[2] = {sizeof(T), sizeof(T)};
  cpu::runBroadcast(*add, *plan, operands, sizes, out, sizeof(T), true);
}

template <typename T>
void sumOverRows(DType dtype, const Layout& l, const T* in, T* out) {
  if constexpr (std::is_same_v<T, float>) {
    if (l.inner == 1) {
      // Partial sums of fixed parts, added in order: the same bits for any number of threads.
      const int64_t parts = std::clamp<int64_t>(l.outer * l.channels / kBiasGrain, 1, std::min<int64_t>(32, std::max<int64_t>(1, l.outer)));
      std::vector<float> partial(size_t(parts * l.channels), 0.f);
      parallelFor(parts, 1, [&](int64_t begin, int64_t end) {
        for (int64_t p = begin; p < end; ++p) {
          const int64_t from = l.outer * p / parts, to = l.outer * (p + 1) / parts;
          cpu::nnKernels().columnSums(partial.data() + p * l.channels, in + from * l.channels, to - from, l.channels);
        }
      });
      for (int64_t c = 0; c < l.channels; ++c) {
        float s = 0;
        for (int64_t p = 0; p < parts; ++p) s += partial[size_t(p * l.channels + c)];
        out[c] = s;
      }
      return;
    }
  }
  Tensor axes = Tensor::vector(std::vector<int32_t>{0, 2});
  Shape result;
  const auto plan = cpu::planReduction(Shape{l.outer, l.channels, l.inner}, axes, false, result);
  cpu::findReduction(cpu::Reduction::Sum, dtype)(*plan, in, out);
}

Status biasAddKernel(KernelContext& c) {
  const Tensor &value = c.input(0), &bias = c.input(1);
  const bool first = isChannelsFirst(c.node().attrs);
  if (value.rank() < 2) return invalidArgument("Input tensor must be at least 2D: ", value.shape().toString());
  if (bias.rank() != 1) return invalidArgument("Biases must be 1D: ", bias.shape().toString());
  const Layout l = layoutOf(value.shape(), first);
  if (bias.dim(0) != l.channels) {
    return invalidArgument("Must provide as many biases as the ", first ? "channel" : "last", " dimension of the input tensor: ", bias.shape().toString(),
                           " vs. ", value.shape().toString());
  }
  WEFT_LET(Tensor * out, c.allocateOrForward(0, value.shape(), {0}));
  cpu::withNumber(value.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    addBias<T>(value.dtype(), l, static_cast<const T*>(value.raw()), static_cast<const T*>(bias.raw()), static_cast<T*>(out->mutableRaw()));
  });
  return {};
}

Status biasAddGradKernel(KernelContext& c) {
  const Tensor& grad = c.input(0);
  if (grad.rank() < 2) return invalidArgument("Input tensor must be at least 2D: ", grad.shape().toString());
  const Layout l = layoutOf(grad.shape(), isChannelsFirst(c.node().attrs));
  WEFT_LET(Tensor * out, c.allocate(0, {l.channels}));
  cpu::withNumber(grad.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    sumOverRows<T>(grad.dtype(), l, static_cast<const T*>(grad.raw()), static_cast<T*>(out->mutableRaw()));
  });
  return {};
}

}  // namespace

void registerBias(OpRegistry& ops) {
  for (const bool v1 : {false, true}) {
    OpRecord& r = ops.add(v1 ? "BiasAddV1" : "BiasAdd")
                      .category("Neural network")
                      .keywords("offset channel")
                      .summary(v1 ? "Adds a bias vector along the last dimension; older form of BiasAdd." : "Adds a bias vector along the channel dimension.")
                      .input("value: T", "Any tensor of rank 2 or more.")
                      .input("bias: T", "A vector with one element per channel.")
                      .output("output: T", "`value` plus the bias, in the shape of `value`.")
                      .attr("T: numbertype", "Type of the elements.")
                      .shape(biasAddShape)
                      .gradient(v1 ? biasAddV1Gradient : biasAddGradient)
                      .cpu({{"T", kBiasTypes}}, simpleKernel(biasAddKernel));
    if (!v1) r.attr("data_format: {'NHWC', 'NCHW'} = 'NHWC'", "NHWC: channels are the last dimension. NCHW: the second.");
  }
  ops.add("BiasAddGrad")
      .category("Gradients")
      .summary("Gradient of BiasAdd with respect to the bias: the incoming gradient summed over all dimensions but the channels.")
      .input("out_backprop: T", "Gradient with respect to the output of BiasAdd.")
      .output("output: T", "Gradient with respect to the bias, a vector.")
      .attr("T: numbertype", "Type of the elements.")
      .attr("data_format: {'NHWC', 'NCHW'} = 'NHWC'", "NHWC: channels are the last dimension. NCHW: the second.")
      .shape(biasAddGradShape)
      .gradient(biasAddGradGradient)
      .cpu({{"T", kBiasTypes}}, simpleKernel(biasAddGradKernel));
  state(ops, OpRole::BiasAdd, Effect::None, "BiasAdd");
  makeFresh(ops, "BiasAdd BiasAddGrad");
  passNan(ops, NanPath::Elementwise, "BiasAdd");
  countFlops(ops, 1, "BiasAdd BiasAddGrad");
}

}  // namespace weft
