#include <cstring>

#include "base/parallel.h"
#include "device/cpu/pooling.h"
#include "ops/pieces.h"
#include "ops/quantized.h"

// Quantized integers: requantized, joined, pooled, reshaped and resized.
namespace weft {
namespace {

using namespace quantized;

// ---- other ranges

template <typename T>
void convertMany(const int32_t* from, int64_t count, Range in, Range out, T* to) {
  const FromSteps<int32_t> number(in);
  const ToSteps<T> store(out);
  for (int64_t i = 0; i < count; ++i) to[i] = store(number(from[i]));
}

/// To bytes, as is usual in quantized inference: in 16-bit fixed point.
void convertMany(const int32_t* from, int64_t count, Range in, Range out, uint8_t* to) {
  constexpr int kShift = 16;
  const float inRange = in.max - in.min, outRange = out.max - out.min;
  const bool none = outRange == 0.0f;
  const float inverse = none ? 0.0f : float(255.0 / double(outRange)), middle = float(double(in.min + in.max) / 2.0);
  const int64_t scale = none ? 0 : toInteger(255.0 * (1 << kShift) * double(inRange) / double(outRange));
  const int64_t inOffset = toInteger(double(middle * inverse * float(1 << kShift)));
  const int64_t outOffset = none ? 0 : toInteger(double(1 << kShift) * (double(out.min) * 255.0) / double(outRange));
  const auto offset = uint64_t(inOffset) - uint64_t(outOffset) + (1 << (kShift - 1));
  for (int64_t i = 0; i < count; ++i) {
    const int64_t scaled = int64_t(uint64_t(int64_t(from[i])) * uint64_t(scale)) >> 32;
    to[i] = uint8_t(std::min<int64_t>(std::max<int64_t>(int64_t(uint64_t(scaled) + offset) >> kShift, 0), 255));
  }
}

/// The range that the integers of input 0 use; includes 0.
Range usedRange(const Tensor& in, Range r) {
  int32_t low = std::numeric_limits<int32_t>::max(), high = std::numeric_limits<int32_t>::min();
  for (int64_t i = 0; i < in.elements(); ++i) {
    low = std::min(low, data<int32_t>(in)[i]);
    high = std::max(high, data<int32_t>(in)[i]);
  }
  return {std::min(0.0f, r.number<int32_t>(low)), r.number<int32_t>(high)};
}

Status convert(KernelContext& c, Range in, Range out) {
  WEFT_LET(Tensor * to, c.allocate(0, c.input(0).shape()));
  const auto* from = data<int32_t>(c.input(0));
  parallelFor(to->elements(), 16384, [&](int64_t begin, int64_t end) {
    if (to->dtype() == DType::QUInt8) convertMany(from + begin, end - begin, in, out, data<uint8_t>(*to) + begin);
    else convertMany<int8_t>(from + begin, end - begin, in, out, data<int8_t>(*to) + begin);
  });
  return setRange(c, out);
}

Status runShrink(KernelContext& c) {
  WEFT_LET(const Range in, rangeAt(c, 1));
  return convert(c, in, usedRange(c.input(0), in));
}
Status runUsedRange(KernelContext& c) {
  WEFT_LET(const Range in, rangeAt(c, 1));
  return setRange(c, usedRange(c.input(0), in), 0);
}
Status runRequantize(KernelContext& c) {
  WEFT_LET(const Range in, rangeAt(c, 1));
  WEFT_LET(const Range out, rangeAt(c, 3));
  if (!(out.min <= 0.0f)) return invalidArgument("requested_output_min must be <= 0, but got ", out.min);
  if (!(out.max >= out.min)) return invalidArgument("requested_output_max must be >= requested_output_min, but got ", out.max, " and ", out.min);
  return convert(c, in, out);
}
Status rangeShape(ShapeContext& c) {
  c.setOutput(0, Shape());
  return {};
}

// ---- joined

Status runConcat(KernelContext& c) {
  const int count = int(c.node().attrs.integer("N"));
  if (c.input(0).rank() != 0) return invalidArgument("Concat dim tensor should be a scalar integer, but got shape ", c.input(0).shape().toString());
  const int64_t axis = c.input(0).asInt(0);
  const Tensor& first = c.input(1);
  if (axis < 0 || axis >= first.rank())
    return invalidArgument("ConcatOp : Expected concatenating dimensions in the range [0, ", first.rank(), "), but got ", axis);
  std::vector<Range> ranges;
  Range out{std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()};
  for (int i = 0; i < count; ++i) {
    const Tensor &low = c.input(1 + count + i), &high = c.input(1 + 2 * count + i);
    if (low.elements() < 1 || high.elements() < 1) return invalidArgument("The range of input ", i, " must be two numbers");
    ranges.push_back({low.at<float>(0), high.at<float>(0)});
    out = {std::min(out.min, ranges.back().min), std::max(out.max, ranges.back().max)};
  }
  out.min = std::min(0.f, out.min);  // only the lower end is extended to 0, not the upper
  if (first.dtype() == DType::QInt32) {
    const float farthest = std::max(std::abs(out.min), std::abs(out.max));
    out = {-farthest, farthest};
  }
  Shape shape = first.shape();
  int64_t length = 0;
  for (int i = 0; i < count; ++i) {
    const Shape& s = c.input(1 + i).shape();
    const auto say = [&](const char* what) {
      return invalidArgument("ConcatOp : ", what, " of ", what[0] == 'R' ? "all input tensors" : "inputs",
                             " should match: shape[0] = ", first.shape().toString(), " vs. shape[", i, "] = ", s.toString());
    };
    if (s.rank() != shape.rank()) return say("Ranks");
    for (int d = 0; d < s.rank(); ++d)
      if (d != axis && s.dim(d) != shape.dim(d)) return say("Dimensions");
    length += s.dim(int(axis));
  }
  shape.setDim(int(axis), length);
  WEFT_LET(Tensor * to, c.allocate(0, shape));
  const Around a = around(shape, axis);
  withQuantized(first.dtype(), [&]<typename T>(T) {
    if constexpr (std::is_integral_v<T>) {
      int64_t at = 0;
      for (int i = 0; i < count; ++i) {
        const Tensor& t = c.input(1 + i);
        const int64_t piece = t.dim(int(axis)) * a.after;
        const FromSteps<T> number(ranges[size_t(i)]);
        const ToSteps<T> store(out);
        const bool same = ranges[size_t(i)].min == out.min && ranges[size_t(i)].max == out.max;
        for (int64_t row = 0; row < a.before; ++row) {
          const T* from = data<T>(t) + row * piece;
          T* put = data<T>(*to) + row * length * a.after + at;
          for (int64_t k = 0; k < piece; ++k) put[k] = same ? from[k] : store(number(from[k]));
        }
        at += piece;
      }
    }
  });
  return setRange(c, out);
}

ShapeFunction concatShape(ShapeFunction plain) {
  return [plain](ShapeContext& c) -> Status {
    // Concat's shape function gets the axis and the values, without their ranges.
    const int count = int(c.attrs().integer("N"));
    std::vector<Shape> inputs;
    for (int i = 0; i <= count; ++i) inputs.push_back(c.input(i));
    ShapeContext values(c.node(), std::move(inputs), [&c](int i) { return c.constant(i); });
    WEFT_TRY(plain(values));
    c.setOutput(0, values.outputs()[0]);
    for (int i = count + 1; i < c.inputCount(); ++i) WEFT_TRY(c.requireRank(c.input(i), 0));
    for (int k = 1; k < 3; ++k) c.setOutput(k, Shape());
    return {};
  };
}

// ---- by the ops for plain types

/// Runs the op `op` and passes on the range in inputs `range` and `range+1`.
KernelFactory delegateTo(const char* op, int range) {
  return [=](KernelInit& init) -> Result<std::unique_ptr<Kernel>> {
    for (const KernelRecord& k : OpRegistry::instance().find(op)->kernels) {
      if (k.device != "CPU") continue;
      WEFT_LET(std::shared_ptr<Kernel> plain, k.create(init));
      return functionKernel([=](KernelContext& c) -> Status {
        WEFT_LET(const Range r, rangeAt(c, range));
        WEFT_TRY(plain->compute(c));
        return setRange(c, r);
      });
    }
    return internalError(op, " has no kernel for the CPU");
  };
}

/// The largest integer of each window, or its mean rounded towards 0.
template <bool kMax>
Status runPool(KernelContext& c) {
  const PoolSettings s = PoolSettings::of(c.node().attrs);
  WEFT_TRY(s.check(kMax ? "MaxPoolingOp" : "AvgPoolingOp"));
  const Tensor& in = c.input(0);
  WEFT_LET(const cpu::PoolGeometry g, s.geometry(in.shape()));
  const int64_t depth = s.window[3];
  if (!kMax && depth > 1) return unimplemented("Non-spatial pooling is not yet supported.");
  WEFT_LET(const Range r, rangeAt(c, 1));
  const int64_t channels = g.channels / depth;
  WEFT_LET(Tensor * out, c.allocate(0, {in.dim(0), g.outHeight, g.outWidth, channels}));
  const auto* x = data<uint8_t>(in);
  auto* y = data<uint8_t>(*out);
  for (int64_t i = 0; i < out->elements(); ++i) {
    const int64_t k = i % channels, ox = i / channels % g.outWidth, oy = i / (channels * g.outWidth) % g.outHeight,
                  n = i / (channels * g.outWidth * g.outHeight);
    const int64_t y0 = std::max<int64_t>(0, oy * g.strideHeight - g.padTop),
                  y1 = std::min<int64_t>(g.inHeight, oy * g.strideHeight - g.padTop + g.windowHeight);
    const int64_t x0 = std::max<int64_t>(0, ox * g.strideWidth - g.padLeft), x1 = std::min<int64_t>(g.inWidth, ox * g.strideWidth - g.padLeft + g.windowWidth);
    int64_t sum = 0, most = 0;
    for (int64_t a = y0; a < y1; ++a) {
      for (int64_t b = x0; b < x1; ++b) {
        for (int64_t d = k * depth; d < (k + 1) * depth; ++d) {
          const int64_t v = x[((n * g.inHeight + a) * g.inWidth + b) * g.channels + d];
          sum += v;
          most = std::max(most, v);
        }
      }
    }
    const int64_t count = (y1 - y0) * (x1 - x0);
    y[i] = uint8_t(kMax ? most : count > 0 ? sum / count : 0);
  }
  return setRange(c, r);
}

// ---- resized

/// The two old positions around each new one, and the distance from the first in units of 2^-bits.
struct Positions {
  std::vector<int64_t> lower, upper;
  std::vector<float> part;
  std::vector<int64_t> fixed;

  Positions(int64_t in, int64_t out, bool align, bool half, int bits) {
    const float scale = align && out > 1 ? float(in - 1) / float(out - 1) : float(in) / float(out);
    for (int64_t i = 0; i < out; ++i) {
      const float at = half ? (float(i) + 0.5f) * scale - 0.5f : float(i) * scale, down = std::floor(at);
      const int64_t up = std::min(int64_t(std::ceil(at)), in - 1);
      lower.push_back(std::min(std::max<int64_t>(int64_t(down), 0), up));
      upper.push_back(up);
      part.push_back(at - down);
      fixed.push_back(int64_t((at - down) * float(1 << bits)));
    }
  }
};

/// In fixed point: sums wrap in `Sum`, as in TensorFlow.
template <typename T, typename Sum, int bits>
T between(Sum topLeft, Sum topRight, Sum bottomLeft, Sum bottomRight, int64_t x, int64_t y) {
  using U = std::make_unsigned_t<Sum>;
  constexpr Sum kOne = Sum(Sum(1) << bits);
  const auto mix = [&](Sum a, Sum b) { return Sum(U(U(U(a) * U(kOne)) + U(U(U(b) - U(a)) * U(Sum(x))))); };
  const Sum top = mix(topLeft, topRight), bottom = mix(bottomLeft, bottomRight);
  const Sum out = Sum(top + (bottom - top) / kOne * Sum(y));
  return T(int32_t((out + kOne / 2) / kOne));
}

Status runResize(KernelContext& c) {
  const Tensor &in = c.input(0), &size = c.input(1);
  for (int i = 2; i < 4; ++i)
    if (c.input(i).rank() != 0) return invalidArgument(i == 2 ? "min" : "max", " must be a scalar");
  WEFT_LET(const Range r, rangeAt(c, 2));
  if (in.rank() != 4) return invalidArgument("input must be 4-dimensional", in.shape().toString());
  if (size.rank() != 1) return invalidArgument("shape_t must be 1-dimensional", size.shape().toString());
  if (size.elements() != 2) return invalidArgument("shape_t must have two elements", size.shape().toString());
  const int64_t height = size.asInt(0), width = size.asInt(1), channels = in.dim(3);
  if (height <= 0 || width <= 0) return invalidArgument("output dimensions must be positive");
  if (channels == 0) return invalidArgument("image must have at least one channel");
  if (in.dim(1) == 0 || in.dim(2) == 0) return invalidArgument("input image must be of non-zero size");
  WEFT_LET(Tensor * out, c.allocate(0, {in.dim(0), height, width, channels}));
  if (height == in.dim(1) && width == in.dim(2)) {
    std::memcpy(out->mutableRaw(), in.raw(), in.bytes());
    return setRange(c, r);
  }
  const bool align = c.node().attrs.flag("align_corners"), half = c.node().attrs.flag("half_pixel_centers");
  const int bits = in.dtype() == DType::QUInt8 ? 7 : in.dtype() == DType::QInt32 ? 30 : 0;
  const Positions ys(in.dim(1), height, align, half, bits), xs(in.dim(2), width, align, half, bits);
  withQuantized(in.dtype(), [&]<typename T>(T) {
    for (int64_t i = 0; i < out->elements(); ++i) {
      const int64_t k = i % channels, n = i / (channels * width * height);
      const auto ox = size_t(i / channels % width), oy = size_t(i / (channels * width) % height);
      const auto at = [&](int64_t y, int64_t x) { return data<T>(in)[((n * in.dim(1) + y) * in.dim(2) + x) * channels + k]; };
      const T tl = at(ys.lower[oy], xs.lower[ox]), tr = at(ys.lower[oy], xs.upper[ox]), bl = at(ys.upper[oy], xs.lower[ox]),
              br = at(ys.upper[oy], xs.upper[ox]);
      if constexpr (std::is_same_v<T, uint8_t>) {
        data<T>(*out)[i] = between<T, int16_t, 7>(tl, tr, bl, br, xs.fixed[ox], ys.fixed[oy]);
      } else if constexpr (std::is_same_v<T, int32_t>) {
        const auto wide = [](T q) { return int64_t(float(q)); };  // by way of float, which changes large 32-bit integers, as in TensorFlow
        data<T>(*out)[i] = between<T, int64_t, 30>(wide(tl), wide(tr), wide(bl), wide(br), xs.fixed[ox], ys.fixed[oy]);
      } else {
        const float top = tl + (tr - tl) * xs.part[ox], bottom = bl + (br - bl) * xs.part[ox];
        data<T>(*out)[i] = top + (bottom - top) * ys.part[oy];
      }
    }
  });
  return setRange(c, r);
}

const char *const kLow = "Float value of the lowest integer.", *const kHigh = "Float value of the highest integer.";
const char *const kNewLow = "Float value of the result's lowest integer.", *const kNewHigh = "Float value of the result's highest integer.";

}  // namespace

void registerQuantizedArrays(OpRegistry& ops) {
  const std::string in = std::string("Tinput: ") + kAnyType, out = std::string("out_type: ") + kAnyType, same = std::string("T: ") + kAnyType;
  const KernelConstraint wide{"Tinput", {DType::QInt32}};
  described(ops.add("QuantizeDownAndShrinkRange"), "Requantizes integers to fewer bits, over the range that they actually use.")
      .input("input: Tinput", "The quantized input.")
      .input("input_min: float", kLow)
      .input("input_max: float", kHigh)
      .output("output: out_type", "The requantized integers.")
      .output("output_min: float", kNewLow)
      .output("output_max: float", kNewHigh)
      .attr(in, "Type of the input.")
      .attr(out, "Type of the output.")
      .shape(withRanges(shapes::unchanged, 1, 3))
      .cpu({wide, {"out_type", {DType::QUInt8}}}, simpleKernel(runShrink));
  described(ops.add("RequantizationRange"), "Range of the values that quantized integers actually use.")
      .input("input: Tinput", "The quantized integers.")
      .input("input_min: float", kLow)
      .input("input_max: float", kHigh)
      .output("output_min: float", "Minimum of the values, or 0 if that is smaller.")
      .output("output_max: float", "Maximum of the values.")
      .attr(in, "Type of the integers.")
      .shape(withRanges(rangeShape, 1, 3))
      .cpu({wide}, simpleKernel(runUsedRange));
  described(ops.add("Requantize"), "Requantizes integers to fewer bits, over a given range.")
      .input("input: Tinput", "The quantized input.")
      .input("input_min: float", kLow)
      .input("input_max: float", kHigh)
      .input("requested_output_min: float", kNewLow)
      .input("requested_output_max: float", kNewHigh)
      .output("output: out_type", "The requantized integers.")
      .output("output_min: float", kNewLow)
      .output("output_max: float", kNewHigh)
      .attr(in, "Type of the input.")
      .attr(out, "Type of the output.")
      .shape(withRanges(shapes::unchanged, 1, 5))
      .cpu({wide, {"out_type", {DType::QUInt8, DType::QInt8}}}, simpleKernel(runRequantize));

  described(ops.add("QuantizedConcat"), "Concatenates quantized tensors, requantized to a common range.")
      .input("concat_dim: int32", "Axis along which to concatenate.")
      .input("values: N * T", "The tensors.")
      .input("input_mins: N * float", "Float values of each tensor's lowest integer.")
      .input("input_maxes: N * float", "Float values of each tensor's highest integer.")
      .output("output: T", "The concatenated tensor.")
      .output("output_min: float", kNewLow)
      .output("output_max: float", kNewHigh)
      .attr("N: int >= 2", "Number of tensors.")
      .attr("T: type", "Type of the integers.")
      .shape(concatShape(shapeOf(ops, "Concat")))
      .cpu({{"T", {DType::QUInt8, DType::QInt32}}}, simpleKernel(runConcat));
  described(ops.add("QuantizedReshape"), "Reshapes a quantized tensor.")
      .input("tensor: T", "The quantized integers.")
      .input("shape: Tshape", "The new shape.")
      .input("input_min: float", kLow)
      .input("input_max: float", kHigh)
      .output("output: T", "The same integers in the new shape.")
      .output("output_min: float", kLow)
      .output("output_max: float", kHigh)
      .attr("T: type", "Type of the integers.")
      .attr("Tshape: {int32, int64} = DT_INT32", "Type of the shape.")
      .shape(withRanges(shapeOf(ops, "Reshape"), 2, 4))
      .cpu({{"T", {DType::QUInt8, DType::QInt32}}}, delegateTo("Reshape", 2));
  for (const bool most : {true, false}) {
    described(ops.add(most ? "QuantizedMaxPool" : "QuantizedAvgPool"), most ? "Max pooling of quantized images." : "Average pooling of quantized images.")
        .input("input: T", "Images [batch, height, width, channels].")
        .input("min_input: float", kLow)
        .input("max_input: float", kHigh)
        .output("output: T", "The pooled images.")
        .output("min_output: float", kLow)
        .output("max_output: float", kHigh)
        .attr(same, "Type of the integers.")
        .attr("ksize: list(int)", "Window size along each dimension.")
        .attr("strides: list(int)", "Stride of the window along each dimension.")
        .attr("padding: {'SAME', 'VALID'}", "SAME: padded so that the output has size ceil(input / stride). VALID: no padding.")
        .shape(withRanges(shapeOf(ops, most ? "MaxPool" : "AvgPool"), 1, 3))
        .cpu({{"T", {DType::QUInt8}}}, simpleKernel(most ? runPool<true> : runPool<false>));
  }
  described(ops.add("QuantizedResizeBilinear"), "Resizes quantized images with bilinear interpolation.")
      .input("images: T", "Images [batch, height, width, channels].")
      .input("size: int32", "New height and width.")
      .input("min: float", kLow)
      .input("max: float", kHigh)
      .output("resized_images: T", "The resized images.")
      .output("out_min: float", kLow)
      .output("out_max: float", kHigh)
      .attr("T: {quint8, qint32, float}", "Type of the integers.")
      .attr("align_corners: bool = false", "Whether to align the centres of the corner pixels of input and output.")
      .attr("half_pixel_centers: bool = false", "Place pixel centres at half-integer coordinates.")
      .shape(withRanges(shapeOf(ops, "ResizeBilinear"), 2, 4))
      .cpu({{"T", {DType::QUInt8, DType::QInt32, DType::Float}}}, simpleKernel(runResize));
}

}  // namespace weft
