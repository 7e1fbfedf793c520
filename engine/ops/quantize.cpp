#include "ops/quantize.h"
#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "ops/grad_ops.h"
#include "ops/quantized.h"

// Conversion of numbers to small integers (QuantizeV2), there and back (QuantizeAndDequantize, for quantization-aware training), and comparison results packed
// into bytes.
namespace weft {

namespace {

Status bitsFit(int64_t bits, bool isSigned) {
  if (bits > 0 && bits < (isSigned ? 62 : 63)) return {};
  return invalidArgument("num_bits is out of range: ", bits, " with signed_input_ ", int(isSigned));
}

}  // namespace

Result<QuantizeSettings> quantizeSettings(const AttrMap& a, QuantizeInputs where) {
  QuantizeSettings s;
  s.isSigned = a.flag("signed_input", true);
  s.narrow = a.flag("narrow_range");
  s.up = a.text("round_mode", "HALF_TO_EVEN") == "HALF_UP";
  s.given = a.flag("range_given", where == QuantizeInputs::RangeAndBits);
  s.bits = a.integer("num_bits", 8);
  if (where != QuantizeInputs::RangeAndBits) WEFT_TRY(bitsFit(s.bits, s.isSigned));
  s.least = a.number("input_min", 0);
  s.most = a.number("input_max", 0);
  if (where == QuantizeInputs::None && s.given && !(s.least <= s.most)) {
    return invalidArgument("Invalid range: input_min ", s.least, " > input_max ", s.most);
  }
  return s;
}

Status readQuantizeInputs(KernelContext& c, QuantizeInputs where, QuantizeSettings& s) {
  if (where == QuantizeInputs::RangeAndBits) {
    if (c.input(3).elements() != 1) return invalidArgument("num_bits must be a scalar, but is of shape ", c.input(3).shape().toString());
    s.bits = c.input(3).asInt(0);
    WEFT_TRY(bitsFit(s.bits, s.isSigned));
  }
  for (int k = 1; k < 3 && where != QuantizeInputs::None; ++k) {
    if (s.given && c.input(k).elements() != 1)
      return invalidArgument(k == 1 ? "input_min" : "input_max", " must be a scalar, but is of shape ", c.input(k).shape().toString());
  }
  return {};
}

Result<Shape> packedShape(const Tensor& in, const Tensor& threshold) {
  if (threshold.rank() != 0) return invalidArgument("Compare must be a scalar, but saw shape: ", threshold.shape().toString());
  if (in.rank() < 1) return invalidArgument("Input should be at least a vector, but saw a scalar.");
  const int64_t inner = in.dim(in.rank() - 1);
  if (inner % 8 != 0) return invalidArgument("Inner dimension of input should be divisible by ", 8, ", but saw shape: ", in.shape().toString());
  Shape s = in.shape();
  s.setDim(s.rank() - 1, inner / 8);
  return s;
}

namespace {

using namespace quantized;

// ---- QuantizeV2

enum class Mode { MinCombined, MinFirst, Scaled };

template <typename T>
struct Quantizer {
  Mode mode;
  bool toEven;
  Range range;  ///< The range used, which is also output.
  float scale = 0;

  Quantizer(Mode m, bool even, float least, float most) : mode(m), toEven(even) {
    // The range must include 0, and its ends must not be too close together.
    range.min = std::min(0.0f, least);
    const float apart = std::max(1.0f, std::max(std::abs(least), std::abs(most))) / 100.0f;
    range.max = std::max(0.0f, std::max(most, range.min + apart));
    constexpr double kLow = double(std::numeric_limits<T>::min()), kHigh = double(std::numeric_limits<T>::max());
    if (mode == Mode::MinCombined) scale = float((kHigh - kLow) / double(range.max - range.min));
    if (mode == Mode::Scaled) {
      const float low = float(kLow), high = float(kHigh), most32 = std::numeric_limits<float>::max();
      const float fromMin = low * range.min > 0 ? low / range.min : most32, fromMax = high * range.max > 0 ? high / range.max : most32;
      scale = std::min(fromMin, fromMax);
      range = {low / scale, high / scale};
    }
  }

  void run(const float* x, T* y, int64_t count) const {
    constexpr bool kSigned = std::is_signed_v<T>;
    const float half = kSigned ? (float(std::numeric_limits<T>::max()) - float(std::numeric_limits<T>::min()) + 1) / 2.0f : 0.0f;
    const ToSteps<T> first(range);
    for (int64_t i = 0; i < count; ++i) {
      const float below = x[i] < range.max ? x[i] : range.max, inside = below > range.min ? below : range.min;
      if (mode == Mode::MinFirst) y[i] = first(x[i]);
      else if (mode == Mode::Scaled) y[i] = store(toEven ? roundToEven(inside * scale) : std::round(inside * scale));
      else if (kSigned) y[i] = store(std::round((inside - range.min) * scale - half));
      else y[i] = store((inside - range.min) * scale + 0.5f);
    }
  }
  static T store(float q) {
    // Converts like x86: numbers that do not fit into 32 bits become the lowest integer.
    return T(q >= -2147483648.0f && q < 2147483648.0f ? int32_t(q) : std::numeric_limits<int32_t>::min());
  }
};

class QuantizeKernel : public Kernel {
 public:
  static Result<std::unique_ptr<Kernel>> create(KernelInit& init) {
    auto k = std::make_unique<QuantizeKernel>();
    const std::string mode = init.attrs().text("mode", "MIN_COMBINED"), round = init.attrs().text("round_mode", "HALF_AWAY_FROM_ZERO");
    k->mode_ = mode == "SCALED" ? Mode::Scaled : mode == "MIN_FIRST" ? Mode::MinFirst : Mode::MinCombined;
    k->toEven_ = round == "HALF_TO_EVEN";
    if (k->toEven_ && k->mode_ != Mode::Scaled) return invalidArgument("Round mode 'HALF_TO_EVEN' only supported for mode 'SCALED', but mode is '", mode, "'.");
    return std::unique_ptr<Kernel>(std::move(k));
  }
  Status compute(KernelContext& c) override {
    const Tensor& in = c.input(0);
    WEFT_LET(const Range given, rangeAt(c, 1));
    if (given.max < given.min) return invalidArgument("input_max_range must be larger than input_min_range.");
    WEFT_LET(Tensor * out, c.allocate(0, in.shape()));
    Range used;
    withQuantized(out->dtype(), [&]<typename T>(T) {
      if constexpr (!std::is_floating_point_v<T>) {
        const Quantizer<T> q(mode_, toEven_, given.min, given.max);
        parallelFor(in.elements(), 16384, [&](int64_t a, int64_t b) { q.run(in.data<float>() + a, data<T>(*out) + a, b - a); });
        used = q.range;
      }
    });
    return setRange(c, used);
  }

 private:
  Mode mode_ = Mode::MinCombined;
  bool toEven_ = false;
};

// ---- QuantizeAndDequantize

template <QuantizeInputs where>
Result<std::unique_ptr<Kernel>> makeQuantizeDequantize(KernelInit& init) {
  WEFT_LET(const QuantizeSettings known, quantizeSettings(init.attrs(), where));
  return functionKernel([known](KernelContext& c) -> Status {
    QuantizeSettings s = known;
    WEFT_TRY(readQuantizeInputs(c, where, s));
    const Tensor& in = c.input(0);
    WEFT_LET(Tensor * out, c.allocateOrForward(0, in.shape(), {0}));
    const auto run = [&]<typename T>(T) -> Status {
      const T* x = data<T>(in);
      T low = T(s.least), high = T(s.most);
      if (!s.given) {
        low = std::numeric_limits<T>::max();
        high = std::numeric_limits<T>::lowest();
        for (int64_t i = 0; i < in.elements(); ++i) {
          low = x[i] < low ? x[i] : low;
          high = x[i] > high ? x[i] : high;
        }
      } else if (where != QuantizeInputs::None) {
        for (int i = 1; i < 3; ++i)
          if (c.input(i).elements() < 1) return invalidArgument(i == 1 ? "input_min" : "input_max", " must be a scalar");
        low = *data<T>(c.input(1));
        high = *data<T>(c.input(2));
        if (!(low <= high)) return invalidArgument("Invalid range: input_min ", low, " > input_max ", high);
      }
      if (in.elements() == 0) return {};
      const QuantizeDequantize<T> f(low, high, int(s.bits), s.isSigned, s.narrow, s.given, s.up);
      T* y = data<T>(*out);
      parallelFor(in.elements(), 16384, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) y[i] = f(x[i]);
      });
      return {};
    };
    return in.dtype() == DType::Double ? run(double()) : run(float());
  });
}

Status quantizeDequantizeShape(ShapeContext& c) {
  for (int i = 1; i < std::min(c.inputCount(), 3); ++i) WEFT_TRY(c.requireRank(c.input(i), 0));
  return shapes::unchanged(c);
}

Result<std::vector<Output>> passToFirstInput(GradContext& c) {
  std::vector<Output> out(size_t(c.inputCount()));
  out[0] = c.grad(0);
  return out;
}

// ---- CompareAndBitpack

Status runPack(KernelContext& c) {
  const Tensor &in = c.input(0), &threshold = c.input(1);
  WEFT_LET(const Shape s, packedShape(in, threshold));
  WEFT_LET(Tensor * out, c.allocate(0, s));
  cpu::withNumber(in.dtype() == DType::Bool ? DType::UInt8 : in.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (!cpu::kIsComplex<T>) {
      using C = cpu::Compute<T>;
      const T* x = data<T>(in);
      const C limit = C(*data<T>(threshold));
      const bool plain = in.dtype() == DType::Bool;  // booleans need no threshold
      uint8_t* y = out->mutableData<uint8_t>();
      parallelFor(out->elements(), 4096, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          unsigned b = 0;
          for (int k = 0; k < 8; ++k) b = b << 1 | unsigned(plain ? x[i * 8 + k] != T(0) : C(x[i * 8 + k]) > limit);
          y[i] = uint8_t(b);
        }
      });
    }
  });
  return {};
}

Status packShape(ShapeContext& c) {
  WEFT_TRY(c.requireRankAtLeast(c.input(0), 1));
  WEFT_TRY(c.requireRank(c.input(1), 0));
  const Shape& in = c.input(0);
  if (!in.hasRank()) return {};
  Shape out = in;
  const int64_t inner = in.dim(in.rank() - 1);
  if (inner >= 0 && inner % 8 != 0) return invalidArgument("Dimension size must be evenly divisible by 8 but is ", inner);
  out.setDim(in.rank() - 1, inner < 0 ? -1 : inner / 8);
  c.setOutput(0, std::move(out));
  return {};
}

OpRecord& quantizeDequantizeRecord(OpRecord& r) {
  return r.category("Math")
      .keywords("quantization aware training rounding int8")
      .summary("Simulates quantization: quantizes numbers and converts them back to floats.")
      .input("input: T", "The numbers.");
}

}  // namespace

void registerQuantize(OpRegistry& ops) {
  ops.add("QuantizeV2")
      .category("Math")
      .keywords("quantization int8 weights mobile")
      .summary("Quantizes floats to small integers over a range.")
      .input("input: float", "The numbers.")
      .input("min_range: float", "Lower end of the range to represent.")
      .input("max_range: float", "Upper end of the range to represent.")
      .output("output: T", "The quantized integers.")
      .output("output_min: float", "Float value of the lowest integer.")
      .output("output_max: float", "Float value of the highest integer.")
      .attr("T: quantizedtype", "Type of the integers.")
      .attr("mode: {'MIN_COMBINED', 'MIN_FIRST', 'SCALED'} = 'MIN_COMBINED'",
            "How integers map to floats: SCALED is proportional, the MIN_ modes span the range from min_range to max_range.")
      .attr("round_mode: {'HALF_AWAY_FROM_ZERO', 'HALF_TO_EVEN'} = 'HALF_AWAY_FROM_ZERO'", "Rounding of halves, for mode SCALED.")
      .shape(withRanges(shapes::unchanged, 1, 3))
      .noGradient(kNotTrained)
      .cpu({{"T", {DType::QInt8, DType::QUInt8, DType::QInt16, DType::QUInt16, DType::QInt32}}}, QuantizeKernel::create);

  const char *const isSigned = "Whether the integers are signed.", *const bits = "Number of bits of the integers.";
  const char *const given = "Use the given range instead of the input's minimum and maximum.", *const type = "Type of the numbers.";
  const char *const least = "Lower end of the range.", *const most = "Upper end of the range.";
  const char* const narrow = "Leave out the lowest integer, so that the range is symmetric.";
  quantizeDequantizeRecord(ops.add("QuantizeAndDequantize"))
      .output("output: T", "The quantized numbers, as floats.")
      .attr("signed_input: bool = true", isSigned)
      .attr("num_bits: int = 8", bits)
      .attr("range_given: bool = false", given)
      .attr("input_min: float = 0.0", least)
      .attr("input_max: float = 0.0", most)
      .attr("T: {bfloat16, half, float, double}", type)
      .deprecated(22, "Replaced by QuantizeAndDequantizeV2")
      .shape(quantizeDequantizeShape)
      .gradient(passToFirstInput)
      .cpu({{"T", {DType::Float, DType::Double}}}, makeQuantizeDequantize<QuantizeInputs::None>);
  quantizeDequantizeRecord(ops.add("QuantizeAndDequantizeV2"))
      .input("input_min: T", least)
      .input("input_max: T", most)
      .output("output: T", "The quantized numbers, as floats.")
      .attr("signed_input: bool = true", isSigned)
      .attr("num_bits: int = 8", bits)
      .attr("range_given: bool = false", given)
      .attr("T: {bfloat16, half, float, double}", type)
      .attr("round_mode: {'HALF_TO_EVEN', 'HALF_UP'} = 'HALF_TO_EVEN'", "Rounding of halves.")
      .attr("narrow_range: bool = false", narrow)
      .shape(quantizeDequantizeShape)
      .gradient(passToFirstInput)
      .cpu({{"T", {DType::Float, DType::Double}}}, makeQuantizeDequantize<QuantizeInputs::Range>);
  quantizeDequantizeRecord(ops.add("QuantizeAndDequantizeV3"))
      .input("input_min: T", least)
      .input("input_max: T", most)
      .input("num_bits: int32", bits)
      .output("output: T", "The quantized numbers, as floats.")
      .attr("signed_input: bool = true", isSigned)
      .attr("range_given: bool = true", given)
      .attr("T: {bfloat16, half, float, double}", type)
      .attr("narrow_range: bool = false", narrow)
      .shape(quantizeDequantizeShape)
      .gradient(passToFirstInput)
      .cpu({{"T", {DType::Float, DType::Double}}}, makeQuantizeDequantize<QuantizeInputs::RangeAndBits>);

  ops.add("CompareAndBitpack")
      .category("Math")
      .keywords("bits binary network")
      .summary("Compares numbers with a threshold and packs eight results into each byte.")
      .input("input: T", "Numbers; the last dimension is a multiple of 8.")
      .input("threshold: T", "The threshold; a scalar.")
      .output("output: uint8", "Packed bits, 1 where the number is greater; the first number is the highest bit.")
      .attr("T: {bool, half, float, double, int8, int16, int32, int64}", type)
      .shape(packShape)
      .noGradient("The result is made of bits.")
      .cpu({{"T", {DType::Bool, DType::Half, DType::Float, DType::Double, DType::Int8, DType::Int16, DType::Int32, DType::Int64}}}, simpleKernel(runPack));
}

}  // namespace weft
