// Fake quantization: floats rounded to the values representable in a few bits, for training networks that will run with integers (Jacob et al. 2018).
#include <cmath>

#include "base/parallel.h"
#include "ops/fake_quant.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"

namespace weft {

namespace {
Result<int> bitsOf(const AttrMap& attrs) {
  const int64_t bits = attrs.integer("num_bits", 8);
  if (bits < 2 || bits > 16) return invalidArgument("num_bits must be between 2 and 16, inclusive");
  return int(bits);
}
}  // namespace

FakeRange FakeRange::of(float min, float max, int bits, bool narrow) {
  const float least = narrow ? 1 : 0, most = float((1 << bits) - 1);
  const float step = (max - min) / (most - least), fromMin = least - min / step;
  const float zero = fromMin < least ? least : fromMin > most ? most : float(uint16_t(int64_t(std::isfinite(fromMin) ? std::round(fromMin) : 0)));
  return {(least - zero) * step, (most - zero) * step, step, min == 0 && max == 0};
}

Result<FakeRange> fakeRangeOfAttrs(const AttrMap& attrs) {
  const float min = attrs.number("min", -6), max = attrs.number("max", 6);
  if (!(min < max)) return invalidArgument("min has to be smaller than max, was: ", min, " >= ", max);
  WEFT_LET(const int bits, bitsOf(attrs));
  return FakeRange::of(min, max, bits, attrs.flag("narrow_range"));
}

Result<std::vector<FakeRange>> fakeRangesOf(KernelContext& c, int firstInput, bool perChannel, const Shape& in) {
  WEFT_LET(const int bits, bitsOf(c.node().attrs));
  const Tensor &min = c.input(firstInput), &max = c.input(firstInput + 1);
  int64_t channels = 1;
  if (perChannel) {
    if (in.rank() < 1) return invalidArgument("inputs must have at least one dimension, but have shape ", in.toString());
    channels = in.dim(in.rank() - 1);
    for (const auto& [t, name] : {std::pair(&min, "min"), std::pair(&max, "max")}) {
      if (t->rank() != 1) return invalidArgument(name, " must be a vector, but has shape ", t->shape().toString());
      if (t->dim(0) != channels) return invalidArgument(name, " has incorrect size, expected ", channels, " was ", t->dim(0));
    }
  } else if (min.elements() != 1 || max.elements() != 1) {
    return invalidArgument("min and max must be rank 0, but have shapes ", min.shape().toString(), " and ", max.shape().toString());
  }
  std::vector<FakeRange> out;
  for (int64_t k = 0; k < channels; ++k) out.push_back(FakeRange::of(min.at<float>(k), max.at<float>(k), bits, c.node().attrs.flag("narrow_range")));
  return out;
}

namespace {

Status runArgs(KernelContext& c) {
  WEFT_LET(const FakeRange r, fakeRangeOfAttrs(c.node().attrs));
  WEFT_LET(Tensor * out, c.allocateOrForward(0, c.input(0).shape(), {0}));
  const float *x = c.input(0).data<float>(), inverse = 1.0f / r.step;
  float* y = out->mutableData<float>();
  parallelFor(out->elements(), 16384, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) y[i] = std::floor((r.clamp(x[i]) - r.low) * inverse + 0.5f) * r.step + r.low;
  });
  return {};
}

Status runArgsGradient(KernelContext& c) {
  const Tensor &grad = c.input(0), &in = c.input(1);
  WEFT_LET(const FakeRange r, fakeRangeOfAttrs(c.node().attrs));
  if (grad.shape() != in.shape()) {
    return invalidArgument("Inputs to operation ", c.node().name, " of type ", c.node().op,
                           " must have the same size and shape.  Input 0: ", grad.shape().toString(), " != input 1: ", in.shape().toString());
  }
  WEFT_LET(Tensor * out, c.allocate(0, in.shape()));
  const float *x = in.data<float>(), *dy = grad.data<float>();
  float* dx = out->mutableData<float>();
  for (int64_t i = 0; i < in.elements(); ++i) dx[i] = dy[i] * (x[i] >= r.low && x[i] <= r.high ? 1.0f : 0.0f);
  return {};
}

template <bool perChannel>
Status runVars(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_LET(const std::vector<FakeRange> r, fakeRangesOf(c, 1, perChannel, in.shape()));
  WEFT_LET(Tensor * out, c.allocate(0, in.shape()));
  const auto channels = int64_t(r.size());
  const float* x = in.data<float>();
  float* y = out->mutableData<float>();
  if (in.elements() == 0) return {};
  parallelFor(in.elements() / channels, std::max<int64_t>(1, 8192 / channels), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * channels; i < end * channels; ++i) {
      const auto k = size_t(i % channels);
      const FakeRange& q = r[k];
      y[i] = q.off ? 0 : std::floor((q.clamp(x[i]) - q.low) / q.step + 0.5f) * q.step + q.low;
    }
  });
  return {};
}

template <bool perChannel>
Status runVarsGradient(KernelContext& c) {
  const Tensor &grad = c.input(0), &in = c.input(1);
  if (grad.shape() != in.shape()) return invalidArgument("gradient and input must be the same size");
  WEFT_LET(const std::vector<FakeRange> r, fakeRangesOf(c, 2, perChannel, in.shape()));
  const auto channels = int64_t(r.size());
  WEFT_LET(Tensor * out, c.allocate(0, in.shape()));
  const Shape sums = perChannel ? Shape{channels} : Shape();
  WEFT_LET(Tensor * forMin, c.allocate(1, sums));
  WEFT_LET(Tensor * forMax, c.allocate(2, sums));
  std::vector<double> below(size_t(channels), 0), above(size_t(channels), 0);
  const float *x = in.data<float>(), *dy = grad.data<float>();
  for (int64_t i = 0; i < in.elements(); ++i) {
    const auto k = size_t(i % channels);
    const FakeRange& q = r[k];
    const float d = dy[i];
    if (q.off) {
      out->mutableData<float>()[i] = d;
      continue;
    }
    out->mutableData<float>()[i] = d * (x[i] >= q.low && x[i] <= q.high ? 1.0f : 0.0f);
    below[k] += d * (x[i] < q.low ? 1 : 0);  // products, so that non-finite values stay visible
    above[k] += d * (x[i] > q.high ? 1 : 0);
  }
  for (int64_t k = 0; k < channels; ++k) {
    forMin->mutableData<float>()[k] = float(below[size_t(k)]);
    forMax->mutableData<float>()[k] = float(above[size_t(k)]);
  }
  return {};
}

/// For all four ops: inputs (and gradients), then min and max, which are scalars or have one element per channel.
template <bool perChannel>
Status varsShape(ShapeContext& c) {
  const bool isGradient = c.outputCount() == 3;
  Shape in = c.input(0);
  if (isGradient) {
    WEFT_LET(in, c.merge(c.input(0), c.input(1)));
  }
  const int first = isGradient ? 2 : 1;
  Shape range;
  if (perChannel) {
    WEFT_TRY(c.requireRankAtLeast(in, 1));
    int64_t channels = in.hasRank() ? in.dim(in.rank() - 1) : Shape::kUnknownDim;
    for (int i : {first, first + 1}) {
      WEFT_TRY(c.requireRank(c.input(i), 1));
      if (!c.input(i).hasRank()) continue;
      WEFT_LET(channels, c.mergeDims(channels, c.input(i).dim(0)));
    }
    if (in.hasRank()) in.setDim(in.rank() - 1, channels);
    range = Shape{channels};
  } else {
    for (int i : {first, first + 1}) WEFT_TRY(c.requireRank(c.input(i), 0));
  }
  c.setOutput(0, in);
  for (int i = 1; i < c.outputCount(); ++i) c.setOutput(i, range);
  return {};
}

Result<std::vector<Output>> fakeGradient(GradContext& c) {
  AttrMap attrs;
  for (const char* name : {"min", "max", "num_bits", "narrow_range"}) {
    if (const Attr* a = c.attrs().find(name)) attrs.set(name, *a);
  }
  Inputs in{c.grad()};
  for (int i = 0; i < c.inputCount(); ++i) in.add(c.input(i));
  return c.b().outputsOf(c.b().node(c.node().op + "Gradient", in, attrs));
}

OpRecord& withBits(OpRecord& r, bool isGradient) {
  r.category(isGradient ? "Gradients" : "Quantization")
      .keywords("quantize int8 training")
      .attr("num_bits: int = 8", "Number of bits of the simulated integers: 2 to 16.")
      .attr("narrow_range: bool = false", "Leave out the lowest quantization level, so that the levels are symmetric.");
  if (!isGradient) return r.gradient(fakeGradient);
  r.noGradient("TensorFlow defines no second derivative for it.").gradientIsError = true;
  return r;
}

}  // namespace

void registerFakeQuant(OpRegistry& ops) {
  const char *const min = "Lower end of the range.", *const max = "Upper end of the range.";
  withBits(ops.add("FakeQuantWithMinMaxArgs")
               .summary("Simulates quantization: clamps to [min, max], given by attributes, and rounds to 2^num_bits levels.")
               .input("inputs: float", "The numbers.")
               .output("outputs: float", "The quantized numbers, as floats.")
               .attr("min: float = -6.0", min)
               .attr("max: float = 6.0", max)
               .shape(shapes::unchanged)
               .cpu({}, simpleKernel(runArgs)),
           false);
  withBits(ops.add("FakeQuantWithMinMaxArgsGradient")
               .summary("Gradient of FakeQuantWithMinMaxArgs: passes inside the range, 0 outside.")
               .input("gradients: float", "Gradient with respect to the quantized numbers.")
               .input("inputs: float", "The numbers.")
               .output("backprops: float", "Gradient with respect to the inputs.")
               .attr("min: float = -6.0", min)
               .attr("max: float = 6.0", max)
               .shape(shapes::unchanged)
               .cpu({}, simpleKernel(runArgsGradient)),
           true);
  for (const bool perChannel : {false, true}) {
    const std::string name = perChannel ? "FakeQuantWithMinMaxVarsPerChannel" : "FakeQuantWithMinMaxVars";
    withBits(ops.add(name)
                 .summary(perChannel
                              ? "Simulates quantization with one range per channel (the last dimension): clamps to [min, max] and rounds to 2^num_bits levels."
                              : "Simulates quantization: clamps to [min, max] and rounds to 2^num_bits levels.")
                 .input("inputs: float", "The numbers.")
                 .input("min: float", min)
                 .input("max: float", max)
                 .output("outputs: float", "The quantized numbers, as floats.")
                 .shape(perChannel ? varsShape<true> : varsShape<false>)
                 .cpu({}, simpleKernel(perChannel ? runVars<true> : runVars<false>)),
             false);
    withBits(ops.add(name + "Gradient")
                 .summary("Gradient of " + name + ": inside the range it passes to the inputs, outside to min or max.")
                 .input("gradients: float", "Gradient with respect to the quantized numbers.")
                 .input("inputs: float", "The numbers.")
                 .input("min: float", min)
                 .input("max: float", max)
                 .output("backprops_wrt_input: float", "Gradient with respect to the inputs.")
                 .output("backprop_wrt_min: float", "Gradient with respect to min.")
                 .output("backprop_wrt_max: float", "Gradient with respect to max.")
                 .shape(perChannel ? varsShape<true> : varsShape<false>)
                 .cpu({}, simpleKernel(perChannel ? runVarsGradient<true> : runVarsGradient<false>)),
             true);
  }
}

}  // namespace weft
