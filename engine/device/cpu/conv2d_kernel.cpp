#include "device/cpu/conv2d_kernel.h"
#include "base/parallel.h"

#include <atomic>
#include <cstring>
#include <limits>

#include "device/cpu/bfloat16_products.h"
#include "device/cpu/convolution.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/hot.h"
#include "device/cpu/hot_nn.h"
#include "device/cpu/kernel_precision.h"
#include "device/cpu/rounded_convolution.h"
#include "graph/window.h"

namespace weft {
namespace {

using cpu::ConvDirection;
using cpu::ConvGeometry;

constexpr int64_t kGrain = 32768;  // elements for which a thread is worth waking

float largestMagnitude(const float* values, int64_t n) {
  std::atomic<float> most = 0;
  parallelFor(n, kGrain, [&](int64_t begin, int64_t end) {
    const float part = cpu::nnKernels().largestMagnitude(values + begin, end - begin);
    for (float seen = most; seen < part && !most.compare_exchange_weak(seen, part);) {
    }
  });
  return most;
}

/// Whether all sums of a convolution are certain to be finite in any order of summation. `bias` may be null.
bool staysFinite(const ConvGeometry& g, const float* input, const float* filter, const float* bias) {
  const double terms = double(g.filterElements()) / double(g.outChannels);
  const double product = double(largestMagnitude(input, g.inputElements())) * largestMagnitude(filter, g.filterElements());
  return terms * product + (bias ? largestMagnitude(bias, g.outChannels) : 0.0) < std::numeric_limits<float>::max() / 2;
}

class ConvKernel final : public Kernel {
 public:
  explicit ConvKernel(KernelInit& init)
      : settings_(ConvolutionSettings::of(init.attrs())),
        direction_(init.node().op == "Conv2D"                ? ConvDirection::Output
                   : init.node().op == "Conv2DBackpropInput" ? ConvDirection::Input
                                                             : ConvDirection::Filter) {}
  ConvKernel(const AttrMap& attrs, cpu::ConvEpilogue epilogue)
      : settings_(ConvolutionSettings::of(attrs)), direction_(ConvDirection::Output), epilogue_(epilogue) {}

  Status compute(KernelContext& c) override {
    WEFT_TRY(settings_.checkKernel());
    switch (direction_) {
      case ConvDirection::Output: return forward(c);
      case ConvDirection::Input: return backward(c, "Conv2DCustomBackpropInput", 0);
      case ConvDirection::Filter: return backward(c, "Conv2DCustomBackpropFilter", 1);
    }
    return {};
  }

 private:
  Status forward(KernelContext& c) {
    const Tensor &input = c.input(0), &filter = c.input(1);
    if (input.rank() != 4) return invalidArgument("convolution input must be 4-dimensional", input.shape().toString());
    if (filter.rank() != 4) return invalidArgument("filter must be 4-dimensional: ", filter.shape().toString());
    if (filter.dim(0) == 0 || filter.dim(1) == 0) return invalidArgument("filter must not have zero elements (i.e. all dimensions must be non-zero)");
    const int64_t depth = input.dim(settings_.axis('C')), filterDepth = filter.dim(2);
    if (filterDepth == 0 || depth % filterDepth != 0) {
      return invalidArgument("input depth must be evenly divisible by filter depth: ", depth, " vs ", filterDepth);
    }
    if (settings_.channelsFirst()) {
      return unimplemented("The Conv2D op currently only supports the NHWC tensor format on the CPU. The op was given the format: ", settings_.format);
    }
    if (depth != filterDepth) {
      return unimplemented(
          "The Conv2D op currently does not support grouped convolutions on the CPU. A grouped convolution was attempted to be run because the "
          "input depth of ",
          depth, " does not match the filter input depth of ", filterDepth);
    }
    WEFT_LET(const ConvGeometry g, geometry(input.shape(), filter.shape()));
    if (epilogue_.bias && (c.input(2).rank() != 1 || c.input(2).dim(0) != g.outChannels)) {
      return invalidArgument("Must provide as many biases as the last dimension of the input tensor: ", c.input(2).shape().toString(), " vs. ", g.outChannels,
                             " channels");
    }
    WEFT_LET(Tensor * out, c.allocate(0, {g.batch, g.outHeight, g.outWidth, g.outChannels}));
    return convolve(c, g, input, filter, *out);
  }

  /// `sizesAt`: index of the input that holds the result's shape and takes the place of that tensor.
  Status backward(KernelContext& c, const char* op, int sizesAt) {
    const Tensor &sizes = c.input(sizesAt), &other = c.input(1 - sizesAt), &grad = c.input(2);
    const bool ofInput = direction_ == ConvDirection::Input;
    if (settings_.channelsFirst()) return invalidArgument(op, "Op only supports NHWC.");
    if (settings_.dilations[1] > 1 || settings_.dilations[2] > 1) {
      return invalidArgument("Current libxsmm and customized CPU implementations do not yet support dilation rates larger than 1.");
    }
    if (sizes.rank() != 1) {
      return invalidArgument(
          ofInput ? "Conv2DBackpropInput: input_sizes input must be 1-dim, not " : "Conv2DCustomBackpropFilter: filter_sizes input must be 1-dim, not ",
          sizes.rank());
    }
    Shape wanted;
    for (int64_t i = 0; i < sizes.elements(); ++i) {
      if (sizes.asInt(i) < 0) return invalidArgument("Dimension ", sizes.asInt(i), " must be >= 0");
      wanted.append(sizes.asInt(i));
    }
    const Shape &input = ofInput ? wanted : other.shape(), &filter = ofInput ? other.shape() : wanted;
    if (input.rank() != 4) return invalidArgument(op, ": input must be 4-dimensional");
    if (filter.rank() != 4) return invalidArgument(op, ": filter must be 4-dimensional");
    if (grad.rank() != 4) return invalidArgument(op, ": out_backprop must be 4-dimensional");
    if (input.dim(0) != grad.dim(0)) {
      return invalidArgument(op, ": input and out_backprop must have the same batch size", "input batch: ", input.dim(0), "outbackprop batch: ", grad.dim(0),
                             " batch_dim: 0");
    }
    if (filter.dim(2) == 0 || input.dim(3) % filter.dim(2) != 0) return invalidArgument(op, ": input depth must be evenly divisible by filter depth");
    if (filter.dim(3) != grad.dim(3)) return invalidArgument(op, ": filter and out_backprop must have the same out_depth");
    WEFT_LET(const ConvGeometry g, geometry(input, filter));
    for (int a : {1, 2}) {
      const int64_t computed = a == 1 ? g.outHeight : g.outWidth;
      if (grad.dim(a) != computed) {
        return invalidArgument(op, ": Size of out_backprop doesn't match computed: actual = ", grad.dim(a), ", computed = ", computed, " spatial_dim: ", a,
                               " input: ", input.dim(a), " filter: ", filter.dim(a - 1), " output: ", grad.dim(a), " stride: ", settings_.strides[size_t(a)],
                               " dilation: 1");
      }
    }
    if (input.dim(3) != filter.dim(2)) {
      return unimplemented("Gradients of grouped convolutions are not supported on the CPU: the input depth of ", input.dim(3),
                           " does not match the filter input depth of ", filter.dim(2));
    }
    WEFT_LET(Tensor * out, c.allocate(0, wanted));
    return ofInput ? convolve(c, g, *out, other, grad) : convolve(c, g, other, *out, grad);
  }

  Result<ConvGeometry> geometry(const Shape& input, const Shape& filter) const {
    ConvGeometry g;
    g.batch = input.dim(0);
    g.inHeight = input.dim(1);
    g.inWidth = input.dim(2);
    g.inChannels = input.dim(3);
    g.kernelHeight = filter.dim(0);
    g.kernelWidth = filter.dim(1);
    g.outChannels = filter.dim(3);
    g.strideHeight = settings_.strides[1];
    g.strideWidth = settings_.strides[2];
    g.dilationHeight = settings_.dilations[1];
    g.dilationWidth = settings_.dilations[2];
    WEFT_LET(const WindowAxis h, windowAxis(g.inHeight, g.kernelHeight, g.dilationHeight, g.strideHeight, settings_.padding, settings_.before(1),
                                            settings_.after(1)));
    WEFT_LET(const WindowAxis w, windowAxis(g.inWidth, g.kernelWidth, g.dilationWidth, g.strideWidth, settings_.padding, settings_.before(2),
                                            settings_.after(2)));
    g.outHeight = h.output;
    g.outWidth = w.output;
    g.padTop = h.before;
    g.padLeft = w.before;
    // Pad the bottom and right just as far as the last window reaches; there is no padding where the stride leaves pixels unused.
    const auto reach = [](int64_t outputs, int64_t stride, int64_t kernel, int64_t dilation, int64_t before, int64_t size) {
      return std::max<int64_t>(0, (outputs - 1) * stride + (kernel - 1) * dilation + 1 - size - before);
    };
    g.padBottom = reach(g.outHeight, g.strideHeight, g.kernelHeight, g.dilationHeight, g.padTop, g.inHeight);
    g.padRight = reach(g.outWidth, g.strideWidth, g.kernelWidth, g.dilationWidth, g.padLeft, g.inWidth);
    return g;
  }

  /// The tensor chosen by direction_ is the kernel's output; the others are only read.
  Status convolve(KernelContext& c, const ConvGeometry& g, const Tensor& input, const Tensor& filter, const Tensor& output) {
    const Tensor& target = direction_ == ConvDirection::Output ? output : direction_ == ConvDirection::Input ? input : filter;
    if (target.elements() == 0) return {};
    if (g.inputElements() == 0 || g.filterElements() == 0 || g.outputElements() == 0) {  // never with an epilogue: see the rewrite pass
      std::memset(const_cast<void*>(target.raw()), 0, target.bytes());
      return {};
    }
    if (input.dtype() == DType::Double) {
      const auto data = [](const Tensor& t) { return const_cast<double*>(t.data<double>()); };
      cpu::unfoldedConvolution(direction_, g, data(input), data(filter), data(output));
      return {};
    }
    if (input.dtype() == DType::Half) {
      // 16-bit floats: widened, computed in float, rounded once.
      const Tensor* all[3] = {&input, &filter, &output};
      Tensor wide[3];
      for (int i = 0; i < 3; ++i) {
        WEFT_LET(wide[i], c.scratch(DType::Float, all[i]->shape()));
        if (all[i] == &target) continue;
        const cpu::Half* from = static_cast<const cpu::Half*>(all[i]->raw());
        float* to = wide[i].mutableData<float>();
        parallelFor(all[i]->elements(), kGrain, [&](int64_t begin, int64_t end) { cpu::hotTable().half.widen(&from[begin].bits, to + begin, end - begin); });
      }
      WEFT_TRY(convolveFloat(c, g, wide[0].mutableData<float>(), wide[1].mutableData<float>(), wide[2].mutableData<float>(), ProductPrecision::Float32));
      const Tensor& result = wide[int(&target == &filter) + 2 * int(&target == &output)];
      cpu::Half* to = static_cast<cpu::Half*>(const_cast<void*>(target.raw()));
      const float* from = result.data<float>();
      parallelFor(target.elements(), kGrain, [&](int64_t begin, int64_t end) { cpu::hotTable().half.narrow(from + begin, &to[begin].bits, end - begin); });
      return {};
    }
    const auto data = [](const Tensor& t) { return const_cast<float*>(t.data<float>()); };
    return convolveFloat(c, g, data(input), data(filter), data(output), precisionFor(c, direction_, g));
  }

  Status convolveFloat(KernelContext& c, const ConvGeometry& g, float* input, float* filter, float* output, ProductPrecision precision) {
    const float* bias = epilogue_.bias ? c.input(2).data<float>() : nullptr;
    // oneDNN's Relu within the convolution turns NaN into 0, which would hide that a training has diverged. Where NaN is possible, Relu runs afterwards.
    const bool joined = epilogue_.relu && staysFinite(g, input, filter, bias);
    Tensor copies[2];
    if (precision == ProductPrecision::BFloat16) {
      if (const auto shape = cpu::productOf(direction_, g)) {
        float* const tensors[] = {input, filter, output};
        static constexpr int kRoles[][3] = {{0, 1, 2}, {2, 1, 0}, {0, 2, 1}};  // left, right, result by direction
        const int* role = kRoles[int(direction_)];
        cpu::bfloat16Product(*shape, tensors[role[0]], tensors[role[1]], tensors[role[2]], false);
        finish(g, output, bias);
        return {};
      }
      // Measured: for small images of many channels, our products are faster than oneDNN's gradient of the filter.
      const bool unfolds = direction_ == ConvDirection::Filter && g.outHeight * g.outWidth < 256 && g.inChannels >= 32;
      if (unfolds && cpu::bfloat16UnitOfProcessor() == cpu::BFloat16Unit::Amx) {
        cpu::roundedFilterGradient(g, input, filter, output);
        return {};
      }
      if (const auto rounded = rounded_.get(direction_, g, {epilogue_.bias, joined}); rounded.ok()) {
        WEFT_TRY(run(c, **rounded, input, filter, output, bias));
        if (epilogue_.relu && !joined) relu(output, g.outputElements());
        return {};
      }
      WEFT_TRY(roundOperands(c, g, copies, input, filter, output));
      if (direction_ == ConvDirection::Filter) {  // oneDNN's sums over images depend on the number of threads
        cpu::unfoldedConvolution(direction_, g, input, filter, output);
        return {};
      }
    }
    auto primitive = cache_.get(direction_, g, {epilogue_.bias, joined});
    if (!primitive.ok()) {
      cpu::unfoldedConvolution(direction_, g, input, filter, output);
      finish(g, output, bias);
      return {};
    }
    WEFT_TRY(run(c, **primitive, input, filter, output, bias));
    if (epilogue_.relu && !joined) relu(output, g.outputElements());
    return {};
  }

  template <typename Convolution>
  static Status run(KernelContext& c, const Convolution& convolution, float* input, float* filter, float* output, const float* bias) {
    WEFT_LET(Tensor scratch, c.scratch(DType::UInt8, {std::max<int64_t>(int64_t(convolution.scratchBytes()), 1)}));
    return convolution.run(input, filter, output, scratch.mutableRaw(), bias);
  }

  /// The epilogue, after the convolution.
  void finish(const ConvGeometry& g, float* output, const float* bias) const {
    if (bias) {
      parallelFor(g.batch * g.outHeight * g.outWidth, std::max<int64_t>(1, kGrain / g.outChannels), [&](int64_t begin, int64_t end) {
        cpu::nnKernels().biasAdd(output + begin * g.outChannels, output + begin * g.outChannels, bias, end - begin, g.outChannels);
      });
    }
    if (epilogue_.relu) relu(output, g.outputElements());
  }

  static void relu(float* x, int64_t n) {
    parallelFor(n, kGrain, [&](int64_t begin, int64_t end) { cpu::nnKernels().relu(x + begin, x + begin, end - begin); });
  }

  /// Where the processor has no unit for bfloat16: the two tensors that are read become rounded copies.
  Status roundOperands(KernelContext& c, const ConvGeometry& g, Tensor copies[2], float*& input, float*& filter, float*& output) const {
    const auto copy = [&](Tensor& to, float*& data, int64_t elements) -> Status {
      WEFT_LET(to, c.scratch(DType::Float, {elements}));
      cpu::roundToBFloat16(data, to.mutableData<float>(), elements);
      data = to.mutableData<float>();
      return {};
    };
    int used = 0;
    if (direction_ != ConvDirection::Input) WEFT_TRY(copy(copies[used++], input, g.inputElements()));
    if (direction_ != ConvDirection::Filter) WEFT_TRY(copy(copies[used++], filter, g.filterElements()));
    if (direction_ != ConvDirection::Output) WEFT_TRY(copy(copies[used++], output, g.outputElements()));
    return {};
  }

  ConvolutionSettings settings_;
  ConvDirection direction_;
  cpu::ConvEpilogue epilogue_;
  cpu::ConvolutionCache cache_;
  cpu::ConvolutionsOf<cpu::RoundedConvolution> rounded_;
};

}  // namespace

KernelFactory convolutionKernel() { return kernelOf<ConvKernel>(); }

std::shared_ptr<Kernel> makeBiasedConvolution(const AttrMap& attrs, bool relu) { return std::make_shared<ConvKernel>(attrs, cpu::ConvEpilogue{true, relu}); }

}  // namespace weft
