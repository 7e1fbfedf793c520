// Convolution of volumes and its gradients: im2col plane by plane, then matrix products.
#include <cstring>

#include "base/parallel.h"
#include "device/cpu/bfloat16_products.h"
#include "device/cpu/convert.h"
#include "device/cpu/gemm.h"
#include "device/cpu/kernel_precision.h"
#include "device/cpu/products.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "ops/volume_convolution.h"

namespace weft {
namespace {

// ---- shapes

Status convShape(ShapeContext& c) {
  const Shape &input = c.input(0), &filter = c.input(1);
  WEFT_TRY(c.requireRank(input, 5));
  WEFT_TRY(c.requireRank(filter, 5));
  WEFT_LET(const std::vector<int64_t> strides, smallIntegers(c.attrs(), "strides"));
  WEFT_LET(const std::vector<int64_t> dilations, smallIntegers(c.attrs(), "dilations"));
  if (dilations.size() != 5) return invalidArgument("Conv3D requires the dilation attribute to contain 5 values, but got: ", dilations.size());
  if (strides.size() != 5) return invalidArgument("Conv3D requires the stride attribute to contain 5 values, but got: ", strides.size());
  const bool channelsFirst = c.attrs().text("data_format") == "NCDHW";
  const std::string padding = c.attrs().text("padding");
  const Shape in = input.hasRank() ? input : Shape::unknownOfRank(5), f = filter.hasRank() ? filter : Shape::unknownOfRank(5);
  const int channel = channelsFirst ? 1 : 4;
  const int64_t depth = in.dim(channel), filterDepth = f.dim(3);
  if (depth >= 0 && filterDepth > 0 && depth % filterDepth != 0) {
    return invalidArgument("Depth of input (", depth, ") is not a multiple of input depth of filter (", filterDepth, ")");
  }
  Shape out = in;
  for (int i = 0; i < 3; ++i) {
    const int a = i + (channelsFirst ? 2 : 1);
    WEFT_LET(const int64_t d, shapes::windowOutput(in.dim(a), f.dim(i), dilations[size_t(a)], strides[size_t(a)], padding));
    out.setDim(a, d);
  }
  out.setDim(channel, f.dim(4));
  c.setOutput(0, std::move(out));
  return {};
}

/// The result has the shape of input `i`, or the shape stored in input `i` (`held`).
template <int i, bool held>
Status shapeOf(ShapeContext& c) {
  Shape s = c.input(i);
  if constexpr (held) {
    WEFT_LET(s, c.constantAsShape(i));
  }
  WEFT_TRY(c.requireRank(s, 5));
  c.setOutput(0, s.hasRank() ? s : Shape::unknownOfRank(5));
  return {};
}

// ---- gradients

AttrMap convAttrs(const AttrMap& from) {
  AttrMap out;
  for (const char* name : {"strides", "padding", "data_format", "dilations"}) {
    if (const Attr* a = from.find(name)) out.set(name, *a);
  }
  return out;
}

Result<std::vector<Output>> convGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output size = py::shape(b, c.input(0));
  const Output dx = b.op("Conv3DBackpropInputV2", {size, c.input(1), c.grad()}, convAttrs(c.attrs()));
  const Output filterSize = py::shape(b, c.input(1));
  return std::vector<Output>{dx, b.op("Conv3DBackpropFilterV2", {c.input(0), filterSize, c.grad()}, convAttrs(c.attrs()))};
}

Result<std::vector<Output>> volumeInputGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output size = py::shape(b, c.input(1));
  const Output df = b.op("Conv3DBackpropFilterV2", {c.grad(), size, c.input(2)}, convAttrs(c.attrs()));
  return std::vector<Output>{Output{}, df, b.op("Conv3D", {c.grad(), c.input(1)}, convAttrs(c.attrs()))};
}

Result<std::vector<Output>> volumeFilterGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output size = py::shape(b, c.input(0));
  const Output dx = b.op("Conv3DBackpropInputV2", {size, c.grad(), c.input(2)}, convAttrs(c.attrs()));
  return std::vector<Output>{dx, Output{}, b.op("Conv3D", {c.input(0), c.grad()}, convAttrs(c.attrs()))};
}

// ---- kernels

using Target = cpu::ConvDirection;
using Strides = std::vector<int64_t>;

/// Conv3D with volumes and filters of these shapes.
Result<VolumeConvolution> forwardOf(const AttrMap& attrs, const Shape& input, const Shape& filter, const Strides& strides, const Strides& dilations,
                                    bool onCpu) {
  VolumeConvolution v;
  v.channelsFirst = attrs.text("data_format", "NDHWC") != "NDHWC";
  if (input.rank() != 5) return invalidArgument("input must be 5-dimensional");
  if (filter.rank() != 5) return invalidArgument("filter must be 5-dimensional");
  if (filter.dim(0) == 0 || filter.dim(1) == 0 || filter.dim(2) == 0)
    return invalidArgument("filter must not have zero elements (i.e. all dimensions must be non-zero)");
  const int64_t depth = input.dim(v.channelsFirst ? 1 : 4), filterDepth = filter.dim(3);
  if (filterDepth == 0 || depth % filterDepth != 0)
    return invalidArgument("Input depth must be evenly divisible by filter depth: ", depth, " vs ", filterDepth);
  if (onCpu && v.channelsFirst) return invalidArgument("CPU implementation of Conv3D currently only supports the NHWC tensor format.");
  if (onCpu && dilations != Strides(5, 1)) return invalidArgument("CPU implementation of Conv3D currently only supports dilated rates of 1.");
  if (depth != filterDepth)
    return unimplemented(onCpu ? "CPU implementation of " : "", "Conv3D does not support grouped convolutions: ", depth, " vs ", filterDepth);
  v.outChannels = filter.dim(4);
  WEFT_LET(v.windows, VolumeWindows::of(input, {filter.dim(0), filter.dim(1), filter.dim(2)}, strides, attrs.text("padding"), v.channelsFirst, dilations));
  v.result = v.windows.outShape(v.outChannels);
  return v;
}

/// A gradient of Conv3D; `other` is the shape of the operand that the call has.
Result<VolumeConvolution> gradientOf(const Node& node, bool ofInput, const Tensor& sizes, const Shape& other, const Shape& grad, const Strides& strides,
                                     const Strides& dilations) {
  const char* const op = ofInput ? "Conv3DBackpropInputOp" : "Conv3DBackpropFilterOp";
  VolumeConvolution v;
  v.channelsFirst = node.attrs.text("data_format", "NDHWC") != "NDHWC";
  const int channel = v.channelsFirst ? 1 : 4, first = v.channelsFirst ? 2 : 1;
  v.result = sizes.shape();
  if (node.op.ends_with("V2")) {
    if (sizes.rank() != 1) return invalidArgument(op, ": ", ofInput ? "input" : "filter", "_sizes must be 1-dim, not ", sizes.rank());
    v.result = Shape();
    for (int64_t i = 0; i < sizes.elements(); ++i) {
      if (sizes.asInt(i) < 0) return invalidArgument("Dimension ", sizes.asInt(i), " must be >= 0");
      v.result.append(sizes.asInt(i));
    }
  }
  const Shape &input = ofInput ? v.result : other, &filter = ofInput ? other : v.result;
  if (input.rank() != 5) return invalidArgument(op, ": input must be 5-dimensional");
  if (filter.rank() != 5) return invalidArgument(op, ": filter must be 5-dimensional");
  if (grad.rank() != 5) return invalidArgument(op, ": out_backprop must be 5-dimensional");
  if (input.dim(0) != grad.dim(0)) {
    return invalidArgument(op, ": input and out_backprop must have the same batch size", "input batch: ", input.dim(0), "outbackprop batch: ", grad.dim(0),
                           " batch_dim: 0");
  }
  const int64_t depth = input.dim(channel);
  if (filter.dim(3) == 0 || depth % filter.dim(3) != 0) return invalidArgument(op, ": input depth must be evenly divisible by filter depth");
  v.outChannels = filter.dim(4);
  if (v.outChannels != grad.dim(channel)) return invalidArgument(op, ": filter and out_backprop must have the same out_depth");
  WEFT_LET(v.windows, VolumeWindows::of(input, {filter.dim(0), filter.dim(1), filter.dim(2)}, strides, node.attrs.text("padding"), v.channelsFirst, dilations));
  for (int k = 0; k < 3; ++k) {
    const int a = first + k;
    const int64_t computed = v.windows.out[size_t(k)];
    if (grad.dim(a) != computed) {
      return invalidArgument(op, ": Size of out_backprop doesn't match computed: actual = ", grad.dim(a), ", computed = ", computed, " spatial_dim: ", a,
                             " input: ", input.dim(a), " filter: ", filter.dim(k), " output: ", grad.dim(a), " stride: ", strides[size_t(a)],
                             " dilation: ", dilations[size_t(a)]);
    }
  }
  if (depth != filter.dim(3)) return unimplemented("Gradients of grouped convolutions are not supported on the CPU: ", depth, " vs ", filter.dim(3));
  return v;
}

}  // namespace

Result<VolumeConvolution> volumeConvolution(const KernelContext& c, Target target, bool onCpu) {
  const AttrMap& attrs = c.node().attrs;
  WEFT_LET(const Strides strides, smallIntegers(attrs, "strides"));
  WEFT_LET(Strides dilations, smallIntegers(attrs, "dilations"));
  const bool isForward = target == Target::Output, ofInput = target == Target::Input, channelsFirst = attrs.text("data_format", "NDHWC") != "NDHWC";
  if (onCpu && !isForward && channelsFirst) {
    return invalidArgument(ofInput ? "Conv3DBackpropInputOpV2" : "Conv3DBackpropFilterOpV2", " only supports NDHWC on the CPU.");
  }
  const size_t channel = channelsFirst ? 1 : 4, first = channelsFirst ? 2 : 1;
  if (strides.size() != 5) return invalidArgument("Sliding window strides field must specify 5 dimensions");
  if (strides[0] != 1 || strides[channel] != 1) {
    return invalidArgument("Current implementation does not yet support strides in the batch and depth dimensions.");
  }
  if (dilations.size() != 5) return invalidArgument("Dilation rates field must specify 5 dimensions");
  if (dilations[0] != 1 || dilations[channel] != 1) {
    return invalidArgument("Current implementation does not yet support dilation rates in the batch and depth dimensions.");
  }
  for (const int64_t d : dilations) {
    if (d <= 0) return invalidArgument("Dilated rates should be larger than 0.");
  }
  if (onCpu && !isForward && dilations != Strides(5, 1)) {
    return invalidArgument("Current CPU implementation does not yet support dilation rates larger than 1.");
  }
  WEFT_LET(VolumeConvolution v, isForward ? forwardOf(attrs, c.input(0).shape(), c.input(1).shape(), strides, dilations, onCpu)
                                          : gradientOf(c.node(), ofInput, c.input(ofInput ? 0 : 1), c.input(ofInput ? 1 : 0).shape(), c.input(2).shape(), strides,
                                                       dilations));
  for (size_t i = 0; i < 3; ++i) v.dilations[i] = dilations[first + i];
  return v;
}

namespace {

/// Calls f(element offset in the unfolded plane, element offset in the volume, elements) for all windows of output plane `plane` and rows [from, to), once per
/// line of a window inside the volume.
template <typename F>
void overPlane(const VolumeWindows& g, int64_t plane, int64_t from, int64_t to, F&& f) {
  const int64_t row = g.window[0] * g.window[1] * g.window[2] * g.channels;
  for (int64_t y = from; y < to; ++y) {
    for (int64_t x = 0; x < g.out[2]; ++x) {
      const int64_t z0 = plane * g.stride[0] - g.before[0], y0 = y * g.stride[1] - g.before[1], x0 = x * g.stride[2] - g.before[2];
      for (int64_t d = g.begin(0, plane); d < g.end(0, plane); ++d) {
        for (int64_t h = g.begin(1, y); h < g.end(1, y); ++h) {
          const int64_t w = g.begin(2, x), cell = ((d - z0) * g.window[1] + (h - y0)) * g.window[2] + (w - x0);
          if (g.end(2, x) > w) f((y * g.out[2] + x) * row + cell * g.channels, ((d * g.in[1] + h) * g.in[2] + w) * g.channels, (g.end(2, x) - w) * g.channels);
        }
      }
    }
  }
}

/// Unfolds the windows of output plane `plane` and rows [from, to). Neighbours along the last dimension lie together in both arrays.
template <typename T>
void unfoldPlane(const VolumeWindows& g, int64_t plane, int64_t from, int64_t to, const T* volume, T* windows) {
  const int64_t line = g.window[2] * g.channels, z0 = plane * g.stride[0] - g.before[0];
  T* at = windows + from * g.out[2] * g.window[0] * g.window[1] * line;
  for (int64_t y = from; y < to; ++y) {
    const int64_t y0 = y * g.stride[1] - g.before[1];
    for (int64_t x = 0; x < g.out[2]; ++x) {
      const int64_t x0 = x * g.stride[2] - g.before[2], begin = g.begin(2, x), count = std::max<int64_t>(0, g.end(2, x) - begin) * g.channels;
      const int64_t ahead = count > 0 ? (begin - x0) * g.channels : line, behind = line - ahead - count;
      for (int64_t d = z0; d < z0 + g.window[0]; ++d) {
        for (int64_t h = y0; h < y0 + g.window[1]; ++h, at += line) {
          if (d < 0 || d >= g.in[0] || h < 0 || h >= g.in[1] || count == 0) {
            std::fill_n(at, line, T(0));
            continue;
          }
          std::fill_n(at, ahead, T(0));
          std::copy_n(volume + ((d * g.in[1] + h) * g.in[2] + begin) * g.channels, count, at + ahead);
          std::fill_n(at + ahead + count, behind, T(0));
        }
      }
    }
  }
}

/// Parts of the sums over all planes, which are computed side by side: a number that depends on the sizes only.
int64_t filterParts(const VolumeWindows& g, int64_t filterElements) {
  constexpr int64_t kMostPartial = 1 << 21;  // elements
  return std::clamp<int64_t>(std::min(g.batch * g.out[0] / 2, kMostPartial / std::max<int64_t>(1, filterElements)), 1, 8);
}

/// Writes one of the three tensors and reads the others. `windows` holds `parts` unfolded planes, `partial` as many filters. Each part is a range of planes, or of
/// volumes for the gradient of the input, and belongs to one thread at a time.
template <typename T>
void convolve(Target target, const VolumeWindows& g, int64_t outChannels, T* input, T* filter, T* output, T* windows, T* partial, int64_t parts,
              ProductPrecision precision) {
  const int64_t positions = g.out[1] * g.out[2], row = g.window[0] * g.window[1] * g.window[2] * g.channels, planes = g.batch * g.out[0];
  const int64_t volume = g.inPixels() * g.channels, size = row * outChannels;
  const auto gemm = [precision](const cpu::GemmShape& s, const T* a, const T* b, T* c) {
    if constexpr (std::is_same_v<T, float>) cpu::gemm(s, a, b, c, precision);
    else cpu::gemm(s, a, b, c);
  };
  const cpu::GemmShape ofFilter{row, positions, outChannels, true, false};
  const bool roundsFilter = std::is_same_v<T, float> && precision == ProductPrecision::BFloat16 && cpu::roundsProduct(ofFilter);
  const auto unfold = [&](int64_t p, T* own) {
    const T* from = input + p / g.out[0] * volume;
    if (parts > 1) return unfoldPlane(g, p % g.out[0], 0, g.out[1], from, own);
    parallelFor(g.out[1], std::max<int64_t>(1, 16384 / std::max<int64_t>(1, g.out[2] * row)),
                [&](int64_t begin, int64_t end) { unfoldPlane(g, p % g.out[0], begin, end, from, own); });
  };
  parallelFor(parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      T* const own = windows + part * positions * row;
      if (target == Target::Input) {
        for (int64_t n = g.batch * part / parts; n < g.batch * (part + 1) / parts; ++n) {
          T* const to = input + n * volume;
          std::fill_n(to, volume, T(0));
          for (int64_t p = 0; p < g.out[0]; ++p) {
            gemm({positions, outChannels, row, false, true}, output + (n * g.out[0] + p) * positions * outChannels, filter, own);
            overPlane(g, p, 0, g.out[1], [&](int64_t at, int64_t pixel, int64_t count) {
              for (int64_t k = 0; k < count; ++k) to[pixel + k] += own[at + k];
            });
          }
        }
        continue;
      }
      T* const sum = part == 0 ? filter : partial + (part - 1) * size;
      cpu::Update update = cpu::Update::Set;
      for (int64_t p = planes * part / parts; p < planes * (part + 1) / parts; ++p) {
        unfold(p, own);
        T* const plane = output + p * positions * outChannels;
        if (target == Target::Output) {
          gemm({positions, row, outChannels, false, false}, own, filter, plane);
        } else if (roundsFilter) {
          if constexpr (std::is_same_v<T, float>) cpu::bfloat16Product(ofFilter, own, plane, sum, update == cpu::Update::Add);
          update = cpu::Update::Add;
        } else {
          cpu::product(cpu::productTypeOf<T>(), row, positions, outChannels, {own, 1, row, false}, {plane, outChannels, 1, false}, sum, outChannels, update);
          update = cpu::Update::Add;
        }
      }
    }
  });
  for (int64_t part = 1; target == Target::Filter && part < parts; ++part) {
    const T* more = partial + (part - 1) * size;
    for (int64_t i = 0; i < size; ++i) filter[i] += more[i];
  }
}

/// Converts between half and float, on all threads.
void convert(DType from, DType to, const void* in, void* out, int64_t n) {
  const cpu::ConvertFunction f = cpu::findConversion(from, to);
  parallelFor(n, 1 << 15, [&](int64_t begin, int64_t end) {
    f(static_cast<const char*>(in) + size_t(begin) * sizeOf(from), static_cast<char*>(out) + size_t(begin) * sizeOf(to), end - begin, false);
  });
}

class VolumeConvKernel final : public Kernel {
 public:
  explicit VolumeConvKernel(KernelInit& init) {
    const std::string& op = init.node().op;
    target_ = op == "Conv3D" ? Target::Output : op.starts_with("Conv3DBackpropInput") ? Target::Input : Target::Filter;
  }

  Status compute(KernelContext& c) override {
    WEFT_LET(const VolumeConvolution v, volumeConvolution(c, target_));
    WEFT_LET(Tensor * out, c.allocate(0, v.result));
    switch (target_) {
      case Target::Output: return run(c, v.windows, c.input(0), c.input(1), *out);
      case Target::Input: return run(c, v.windows, *out, c.input(1), c.input(2));
      case Target::Filter: return run(c, v.windows, c.input(0), *out, c.input(2));
    }
    return {};
  }

 private:
  Status run(KernelContext& c, const VolumeWindows& g, const Tensor& input, const Tensor& filter, const Tensor& output) {
    const Tensor& target = target_ == Target::Output ? output : target_ == Target::Input ? input : filter;
    if (target.elements() == 0) return {};
    if (input.elements() == 0 || filter.elements() == 0 || output.elements() == 0) {
      std::memset(const_cast<void*>(target.raw()), 0, target.bytes());
      return {};
    }
    const DType type = input.dtype() == DType::Double ? DType::Double : DType::Float;
    const int64_t row = g.window[0] * g.window[1] * g.window[2] * g.channels, outChannels = filter.dim(4);
    const int64_t units = target_ == Target::Input ? g.batch : g.batch * g.out[0], most = parallelism();
    const int64_t parts = target_ == Target::Filter ? filterParts(g, filter.elements()) : units >= most ? most : 1;
    WEFT_LET(Tensor windows, c.scratch(type, Shape{parts, g.out[1], g.out[2], row}));
    WEFT_LET(Tensor partial, c.scratch(type, Shape{target_ == Target::Filter ? (parts - 1) * filter.elements() : 0}));
    if (type == DType::Double) {
      const auto data = [](const Tensor& t) { return const_cast<double*>(t.data<double>()); };
      convolve(target_, g, outChannels, data(input), data(filter), data(output), windows.mutableData<double>(), partial.mutableData<double>(), parts,
               ProductPrecision::Float32);
      return {};
    }
    const Tensor* const all[3] = {&input, &filter, &output};
    Tensor wide[3] = {input, filter, output};
    if (input.dtype() == DType::Half) {  // widened, computed in float, rounded once
      for (int i = 0; i < 3; ++i) {
        WEFT_LET(wide[i], c.scratch(DType::Float, all[i]->shape()));
        if (all[i] != &target) convert(DType::Half, DType::Float, all[i]->raw(), wide[i].mutableRaw(), all[i]->elements());
      }
    }
    cpu::GemmShape product{g.out[1] * g.out[2], row, outChannels};  // of a plane
    if (target_ == Target::Filter) std::swap(product.m, product.k);
    else if (target_ == Target::Input) std::swap(product.k, product.n);
    const ProductPrecision precision = input.dtype() == DType::Half ? ProductPrecision::Float32 : precisionFor(c, product);
    convolve(target_, g, outChannels, wide[0].mutableData<float>(), wide[1].mutableData<float>(), wide[2].mutableData<float>(), windows.mutableData<float>(),
             partial.mutableData<float>(), parts, precision);
    if (input.dtype() == DType::Half) {
      const Tensor& result = wide[&target == &filter ? 1 : &target == &output ? 2 : 0];
      convert(DType::Float, DType::Half, result.raw(), const_cast<void*>(target.raw()), target.elements());
    }
    return {};
  }

  Target target_;
};

Cost convCost(const std::vector<Shape>& inputs, const std::vector<Shape>& outputs, const AttrMap&, DType type) {
  Cost cost;
  if (inputs.size() < 2 || outputs.empty() || !inputs[1].isFullyKnown() || inputs[1].rank() != 5 || !outputs[0].isFullyKnown()) return cost;
  cost.flops = 2.0 * double(outputs[0].elements()) * double(inputs[1].elements() / std::max<int64_t>(1, inputs[1].dim(4)));
  cost.bytes = double(outputs[0].elements() + inputs[1].elements() + (inputs[0].isFullyKnown() ? inputs[0].elements() : 0)) * double(sizeOf(type));
  return cost;
}

OpRecord& withAttrs(OpRecord& r, bool v1 = false) {
  r.attr(v1 ? "T: {half, float, double}" : "T: {half, bfloat16, float, double}", "Type of the elements.")
      .attr("strides: list(int) >= 5", "Stride of the window along each dimension of the input.")
      .attr("padding: {'SAME', 'VALID'}", "SAME: padded so that the output has size ceil(input / stride). VALID: no padding.");
  if (!v1) r.attr("data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'", "Order of the dimensions: [batch, depth, height, width, channels], or channels second.");
  return r.attr("dilations: list(int) = [1, 1, 1, 1, 1]", "Dilation of the filter along each dimension of the input.")
      .cpu({{"T", types::kFloats}}, kernelOf<VolumeConvKernel>());
}

constexpr const char* kVolumes = "Volumes [batch, depth, height, width, channels].";
constexpr const char* kFilters = "Filters [depth, height, width, in channels, out channels].";
constexpr const char* kGrad = "Gradient with respect to the output of Conv3D.";

}  // namespace

void registerConv3D(OpRegistry& ops) {
  withAttrs(ops.add("Conv3D")
                .category("Neural network")
                .keywords("convolution filter volume video kernel")
                .summary("3-D convolution of a batch of volumes with a bank of filters.")
                .input("input: T", kVolumes)
                .input("filter: T", kFilters)
                .output("output: T", "Output feature maps, [batch, out depth, out height, out width, out channels]."))
      .shape(convShape)
      .gradient(convGradient)
      .cost(convCost);
  withAttrs(ops.add("Conv3DBackpropInputV2")
                .category("Gradients")
                .keywords("transposed convolution deconvolution")
                .summary("Gradient of Conv3D with respect to its input; on its own, a transposed convolution.")
                .input("input_sizes: Tshape", "Shape of the input volumes.")
                .input("filter: T", kFilters)
                .input("out_backprop: T", kGrad)
                .output("output: T", "Gradient with respect to the input volumes."))
      .attr("Tshape: {int32, int64} = DT_INT32", "Type of the shape.")
      .shape(shapeOf<0, true>)
      .gradient(volumeInputGradient);
  withAttrs(ops.add("Conv3DBackpropFilterV2")
                .category("Gradients")
                .summary("Gradient of Conv3D with respect to its filters.")
                .input("input: T", kVolumes)
                .input("filter_sizes: int32", "Shape of the filters.")
                .input("out_backprop: T", kGrad)
                .output("output: T", "Gradient with respect to the filters."))
      .shape(shapeOf<1, true>)
      .gradient(volumeFilterGradient);
  const char* const none = "TensorFlow defines gradients for the second version only.";
  withAttrs(ops.add("Conv3DBackpropInput")
                .category("Gradients")
                .summary("First version of Conv3DBackpropInputV2; takes the input's shape from a tensor of that shape.")
                .input("input: T", kVolumes)
                .input("filter: T", kFilters)
                .input("out_backprop: T", kGrad)
                .output("output: T", "Gradient with respect to the input volumes.")
                .deprecated(10, "Use Conv3DBackpropInputV2"),
            true)
      .shape(shapeOf<0, false>)
      .noGradient(none)
      .gradientIsError = true;
  withAttrs(ops.add("Conv3DBackpropFilter")
                .category("Gradients")
                .summary("First version of Conv3DBackpropFilterV2; takes the filter's shape from a tensor of that shape.")
                .input("input: T", kVolumes)
                .input("filter: T", kFilters)
                .input("out_backprop: T", kGrad)
                .output("output: T", "Gradient with respect to the filters.")
                .deprecated(10, "Use Conv3DBackpropFilterV2"),
            true)
      .shape(shapeOf<1, false>)
      .noGradient(none)
      .gradientIsError = true;
  state(ops, OpRole::Convolution, Effect::None, "Conv3D Conv3DBackpropFilter Conv3DBackpropFilterV2 Conv3DBackpropInput Conv3DBackpropInputV2");
  makeFresh(ops, "Conv3D");
}

}  // namespace weft
