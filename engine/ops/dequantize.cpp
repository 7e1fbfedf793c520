#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "ops/registry.h"

// Dequantize: converts small integers with a range to floats, for example weights of files for mobile devices.
namespace weft {
namespace {

/// number = offset + (stored - zero) * scale, each step in float unless `wide`.
struct Ruler {
  float scale = 0, offset = 0, zero = 0;
  bool wide = false;  ///< MIN_FIRST with 32 bits: the difference does not fit into a float.
};

template <typename T>
Ruler rulerFor(const std::string& mode, float least, float most) {
  constexpr double kLow = double(std::numeric_limits<T>::min()), kHigh = double(std::numeric_limits<T>::max());
  Ruler r;
  if (mode == "SCALED") {
    r.scale = kLow == 0 ? most / float(kHigh) : std::max(least / float(kLow), most / float(kHigh));
  } else if (mode == "MIN_COMBINED") {
    r.scale = (most - least) / (float(kHigh) - float(kLow));
    r.offset = least;
    r.zero = kLow == 0 ? 0.0f : -(float(kHigh) - float(kLow) + 1) / 2.0f;
  } else {
    // The range is widened by a step, and its lower end rounded to a step, so that 0 is represented exactly.
    const double steps = kHigh - kLow + 1, range = double(most - least) * (steps / (steps - 1));
    r.scale = float(range / steps);
    r.offset = least == most ? least : std::round(least / r.scale) * r.scale;
    r.zero = float(kLow);
    r.wide = sizeof(T) == 4;
  }
  return r;
}

template <typename T>
void measure(const Tensor& in, Tensor& out, const Ruler& r) {
  const T* from = static_cast<const T*>(in.raw());
  float* to = out.mutableData<float>();
  parallelFor(in.elements(), 16384, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if (r.wide) to[i] = float(double(r.offset) + (double(from[i]) - double(r.zero)) * double(r.scale));
      else to[i] = (float(from[i]) - r.zero) * r.scale + r.offset;
    }
  });
}

Status runDequantize(KernelContext& c) {
  const Tensor &in = c.input(0), &least = c.input(1), &most = c.input(2);
  for (int i = 1; i < 3; ++i)
    if (c.input(i).elements() != 1)
      return invalidArgument(i == 1 ? "min_range" : "max_range", " must be a scalar, but is of shape ", c.input(i).shape().toString());
  const std::string mode = c.node().attrs.text("mode", "MIN_COMBINED");
  WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
  const auto run = [&]<typename T>(T) { measure<T>(in, *out, rulerFor<T>(mode, least.at<float>(0), most.at<float>(0))); };
  switch (in.dtype()) {
    case DType::QInt8: run(int8_t()); break;
    case DType::QUInt8: run(uint8_t()); break;
    case DType::QInt16: run(int16_t()); break;
    case DType::QUInt16: run(uint16_t()); break;
    default: run(int32_t());
  }
  return {};
}

Status dequantizeShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(1), 0));
  WEFT_TRY(c.requireRank(c.input(2), 0));
  c.setOutput(0, c.input(0));
  return {};
}

}  // namespace

void registerDequantize(OpRegistry& ops) {
  ops.add("Dequantize")
      .category("Math")
      .keywords("quantization int8 weights mobile")
      .summary("Converts quantized integers back to floats.")
      .input("input: T", "The quantized integers.")
      .input("min_range: float", "Float value of the lowest integer.")
      .input("max_range: float", "Float value of the highest integer.")
      .output("output: float", "The floats.")
      .attr("T: quantizedtype", "Type of the integers.")
      .attr("mode: {'MIN_COMBINED', 'MIN_FIRST', 'SCALED'} = 'MIN_COMBINED'",
            "How integers map to floats: SCALED is proportional, the MIN_ modes span the range from min_range to max_range.")
      .shape(dequantizeShape)
      .noGradient("Quantized integers are not differentiable.")
      .cpu({{"T", {DType::QInt8, DType::QUInt8, DType::QInt16, DType::QUInt16, DType::QInt32}}}, simpleKernel(runDequantize));
}

}  // namespace weft
