#include <cstring>

#include "base/parallel.h"
#include "graph/window.h"
#include "ops/quantized.h"

// Sums, products, convolutions and activations of quantized integers, as found in files made by TensorFlow's graph transforms (quantize_nodes). 32-bit results
// wrap, as in TensorFlow.
namespace weft {
namespace {

using namespace quantized;

Result<Range> scalarRange(KernelContext& c, int i, const char* what) {
  const char* ends[] = {"min", "max"};
  for (int k = 0; k < 2; ++k)
    if (c.input(i + k).rank() != 0) return invalidArgument("`", ends[k], "_", what, "` must be rank 0 but is rank ", c.input(i + k).rank());
  return rangeAt(c, i);
}

// ---- Add, Mul

/// TensorFlow's classification of broadcasts: consecutive dims that behave alike count as one.
int broadcastGroups(const Shape& x, const Shape& y) {
  if (x == y) return 1;
  const int rank = std::max(x.rank(), y.rank());
  int groups = 0, last = 0;  // 1: the same, 2: x repeats, 3: y repeats
  for (int d = 1; d <= rank; ++d) {
    const int64_t a = d <= x.rank() ? x.dim(x.rank() - d) : 1, b = d <= y.rank() ? y.dim(y.rank() - d) : 1;
    if (a == 1 && b == 1) continue;
    const int kind = a == b ? 1 : a == 1 ? 2 : 3;
    groups += kind != last;
    last = kind;
  }
  return std::max(groups, 1);
}

/// The operands' element positions for each element of the result.
struct Operands {
  const uint8_t *x, *y;
  int64_t xs, ys;  ///< Number of elements; positions wrap.
};

/// Computes f(x, y) for each element of the result; `sign`: text for errors about operands that TensorFlow does not support.
template <typename F>
Status forPairs(KernelContext& c, F&& f) {
  const Tensor &x = c.input(0), &y = c.input(1);
  const auto shape = broadcastShapes(x.shape(), y.shape());
  if (!shape.ok()) return invalidArgument("Incompatible shapes: ", x.shape().toString(), " vs. ", y.shape().toString());
  if (broadcastGroups(x.shape(), y.shape()) > 2)
    return unimplemented("Broadcast between ", x.shape().toString(), " and ", y.shape().toString(), " is not supported yet.");
  WEFT_LET(Tensor * out, c.allocate(0, shape.value()));
  int32_t* z = data<int32_t>(*out);
  const uint8_t *a = data<uint8_t>(x), *b = data<uint8_t>(y);
  const int64_t xs = x.elements(), ys = y.elements(), count = out->elements();
  if (count == 0) return {};
  if (std::max(xs, ys) == count) {
    // The shorter one is repeated as a whole, even where broadcasting would repeat each of its elements, as in TensorFlow.
    for (int64_t i = 0; i < count; ++i) z[i] = f(a[i % xs], b[i % ys]);
  } else {
    const int64_t columns = shape.value().dim(shape.value().rank() - 1);
    for (int64_t i = 0; i < count; ++i)
      z[i] = x.dim(x.rank() - 1) == 1 ? f(a[i / columns % xs], b[i % columns % ys]) : f(a[i % columns % xs], b[i / columns % ys]);
  }
  return {};
}

Status runAdd(KernelContext& c) {
  WEFT_LET(const Range x, scalarRange(c, 2, "x"));
  WEFT_LET(const Range y, scalarRange(c, 4, "y"));
  if (!broadcastShapes(c.input(0).shape(), c.input(1).shape()).ok())
    return invalidArgument("Incompatible shapes: ", c.input(0).shape().toString(), " vs. ", c.input(1).shape().toString());
  if (!(x.max > x.min)) return invalidArgument("max_x must be larger than min_x.");
  if (!(y.max > y.min)) return invalidArgument("max_y must be larger than min_y.");
  const float farthest = std::max(std::abs(std::min(x.min, y.min)), std::abs(std::max(x.max, y.max))) * float(1 << 14);
  const Range out{-farthest, farthest};
  // Operand integers become result integers by one multiplication.
  struct Line {
    int64_t at0;
    int32_t step;
    Line(Range in, Range out) : at0(out.unclamped<int32_t>(in.number<uint8_t>(0))), step(int32_t(out.unclamped<int32_t>(in.number<uint8_t>(1)) - at0)) {}
    uint32_t operator()(uint8_t q) const { return uint32_t(int32_t(std::min(std::max(at0 + int64_t(q) * step, lowest<int32_t>()), highest<int32_t>()))); }
  };
  const Line a(x, out), b(y, out);
  // A single scalar with an array is rounded separately.
  const auto alone = [&](int i, Range r) { return uint32_t(out.integer<int32_t>(r.number<uint8_t>(*data<uint8_t>(c.input(i))))); };
  if (broadcastGroups(c.input(0).shape(), c.input(1).shape()) == 1 && c.input(0).elements() == 1) {
    const uint32_t s = alone(0, x);
    WEFT_TRY(forPairs(c, [&](uint8_t, uint8_t q) { return int32_t(b(q) + s); }));
  } else if (broadcastGroups(c.input(0).shape(), c.input(1).shape()) == 1 && c.input(1).elements() == 1) {
    const uint32_t s = alone(1, y);
    WEFT_TRY(forPairs(c, [&](uint8_t p, uint8_t) { return int32_t(a(p) + s); }));
  } else {
    WEFT_TRY(forPairs(c, [&](uint8_t p, uint8_t q) { return int32_t(a(p) + b(q)); }));
  }
  return setRange(c, out);
}

Status runMul(KernelContext& c) {
  const char* names[] = {"min_x", "max_x", "min_y", "max_y"};
  for (int i = 0; i < 4; ++i)
    if (c.input(2 + i).rank() != 0) return invalidArgument(names[i], " must be a scalar");
  WEFT_LET(const Range x, rangeAt(c, 2));
  WEFT_LET(const Range y, rangeAt(c, 4));
  if (!broadcastShapes(c.input(0).shape(), c.input(1).shape()).ok())
    return invalidArgument("Incompatible shapes: ", c.input(0).shape().toString(), " vs. ", c.input(1).shape().toString());
  if (!(x.max > x.min)) return invalidArgument("max_x must be larger than min_a.");
  if (!(y.max > y.min)) return invalidArgument("max_x must be larger than min_b.");
  const auto zeroX = uint32_t(x.unclamped<uint8_t>(0)), zeroY = uint32_t(y.unclamped<uint8_t>(0));
  WEFT_TRY(forPairs(c, [&](uint8_t p, uint8_t q) { return int32_t((uint32_t(p) - zeroX) * (uint32_t(q) - zeroY)); }));
  return setRange(c, productRange<uint8_t, uint8_t>(x, y));
}

// ---- MatMul, Conv2D

Status runMatMul(KernelContext& c) {
  const Tensor &a = c.input(0), &b = c.input(1);
  WEFT_LET(const Range ra, rangeAt(c, 2));
  WEFT_LET(const Range rb, rangeAt(c, 4));
  if (!(ra.max > ra.min)) return invalidArgument("max_a must be larger than min_a.");
  if (!(rb.max > rb.min)) return invalidArgument("max_b must be larger than min_b.");
  if (a.rank() != 2) return invalidArgument("In[0] is not a matrix");
  if (b.rank() != 2) return invalidArgument("In[1] is not a matrix");
  const bool ta = c.node().attrs.flag("transpose_a"), tb = c.node().attrs.flag("transpose_b");
  const int64_t m = a.dim(ta), k = a.dim(!ta), n = b.dim(!tb);
  if (k != b.dim(tb)) return invalidArgument("Matrix size-incompatible: In[0]: ", a.shape().toString(), ", In[1]: ", b.shape().toString());
  WEFT_LET(Tensor * out, c.allocate(0, {m, n}));
  const auto zeroA = uint32_t(ra.unclamped<uint8_t>(0)), zeroB = uint32_t(rb.unclamped<uint8_t>(0));
  const uint8_t *pa = data<uint8_t>(a), *pb = data<uint8_t>(b);
  auto* z = data<int32_t>(*out);
  // Rows of B in the order of the inner loop.
  std::vector<int32_t> shifted(size_t(k * n));
  for (int64_t i = 0; i < k; ++i)
    for (int64_t j = 0; j < n; ++j) shifted[size_t(i * n + j)] = int32_t(uint32_t(tb ? pb[j * k + i] : pb[i * n + j]) - zeroB);
  parallelFor(m, std::max<int64_t>(1, 65536 / std::max<int64_t>(1, k * n)), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      auto* to = reinterpret_cast<uint32_t*>(z + row * n);
      std::fill(to, to + n, 0u);
      for (int64_t i = 0; i < k; ++i) {
        const uint32_t left = uint32_t(ta ? pa[i * m + row] : pa[row * k + i]) - zeroA;
        const int32_t* right = shifted.data() + i * n;
        for (int64_t j = 0; j < n; ++j) to[j] += left * uint32_t(right[j]);
      }
    }
  });
  return setRange(c, productRange<uint8_t, uint8_t>(ra, rb));
}

struct Convolution {
  int64_t inHeight, inWidth, depth, height, width, count, outHeight, outWidth, stride, top, left;
};

Status runConvolution(KernelContext& c, int64_t stride, const std::string& padding) {
  const Tensor &in = c.input(0), &filter = c.input(1);
  if (in.rank() != 4) return invalidArgument("input must be 4-dimensional", in.shape().toString());
  if (filter.rank() != 4) return invalidArgument("filter must be 4-dimensional: ", filter.shape().toString());
  WEFT_LET(const Range ri, rangeAt(c, 2));
  WEFT_LET(const Range rf, rangeAt(c, 4));
  if (in.dim(3) != filter.dim(2)) return invalidArgument("input and filter must have the same depth: ", in.dim(3), " vs ", filter.dim(2));
  WEFT_LET(const WindowAxis h, windowAxis(in.dim(1), filter.dim(0), 1, stride, padding));
  WEFT_LET(const WindowAxis w, windowAxis(in.dim(2), filter.dim(1), 1, stride, padding));
  if (in.dim(0) < 1 || h.output < 1 || w.output < 1 || filter.dim(3) < 1)
    return invalidArgument("QuantizedConv2D must have results: input ", in.shape().toString(), ", filter ", filter.shape().toString());
  Convolution v{in.dim(1), in.dim(2), in.dim(3), filter.dim(0), filter.dim(1), filter.dim(3), h.output, w.output, stride, 0, 0};
  v.top = ((v.outHeight - 1) * stride + v.height - v.inHeight) / 2;
  v.left = ((v.outWidth - 1) * stride + v.width - v.inWidth) / 2;
  WEFT_LET(Tensor * out, c.allocate(0, {in.dim(0), v.outHeight, v.outWidth, v.count}));
  const auto zeroIn = int32_t(ri.unclamped<uint8_t>(0)), zeroFilter = int32_t(rf.unclamped<uint8_t>(0));
  // Outside the image, use the integer of 0, truncated to a byte.
  const uint32_t outside = zeroIn < 0 ? 0u : uint32_t(uint8_t(zeroIn)) - uint32_t(zeroIn);
  std::vector<uint32_t> weights(size_t(filter.elements()));
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = uint32_t(data<uint8_t>(filter)[i]) - uint32_t(zeroFilter);
  const auto* x = data<uint8_t>(in);
  auto* y = reinterpret_cast<uint32_t*>(data<int32_t>(*out));
  parallelFor(in.dim(0) * v.outHeight, 1, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t batch = row / v.outHeight, fromY = row % v.outHeight * v.stride - v.top;
      for (int64_t ox = 0; ox < v.outWidth; ++ox) {
        uint32_t* to = y + (row * v.outWidth + ox) * v.count;
        std::fill(to, to + v.count, 0u);
        const int64_t fromX = ox * v.stride - v.left;
        for (int64_t ky = 0; ky < v.height; ++ky) {
          for (int64_t kx = 0; kx < v.width; ++kx) {
            const int64_t iy = fromY + ky, ix = fromX + kx;
            const bool inside = iy >= 0 && iy < v.inHeight && ix >= 0 && ix < v.inWidth;
            const uint8_t* pixel = inside ? x + ((batch * v.inHeight + iy) * v.inWidth + ix) * v.depth : nullptr;
            const uint32_t* weight = weights.data() + (ky * v.width + kx) * v.depth * v.count;
            for (int64_t d = 0; d < v.depth; ++d, weight += v.count) {
              const uint32_t value = pixel ? uint32_t(pixel[d]) - uint32_t(zeroIn) : outside;
              for (int64_t k = 0; k < v.count; ++k) to[k] += value * weight[k];
            }
          }
        }
      }
    }
  });
  return setRange(c, productRange<uint8_t, uint8_t>(ri, rf));
}

Result<std::unique_ptr<Kernel>> convolution(KernelInit& init) {
  WEFT_LET(const std::vector<int64_t> strides, smallIntegers(init.attrs(), "strides"));
  if (strides.size() != 4) return invalidArgument("Sliding window strides field must specify 4 dimensions");
  if (strides[1] != strides[2]) return invalidArgument("Current implementation only supports equal length strides in the row and column dimensions.");
  if (strides[0] != 1 || strides[3] != 1) return invalidArgument("Current implementation does not yet support strides in the batch and depth dimensions.");
  WEFT_LET(const std::vector<int64_t> dilations, smallIntegers(init.attrs(), "dilations"));
  if (!dilations.empty() && dilations.size() != 4) return invalidArgument("Dilation rates field must specify 4 dimensions");
  for (const int64_t d : dilations)
    if (d != 1) return invalidArgument("Current implementation only supports dilated rate as 1 in the row and column dimensions.");
  return functionKernel([stride = strides[1], padding = init.attrs().text("padding")](KernelContext& c) { return runConvolution(c, stride, padding); });
}

// ---- BiasAdd

template <typename T>
Status runBias(KernelContext& c) {
  const Tensor &in = c.input(0), &bias = c.input(1);
  WEFT_LET(const Range ri, rangeAt(c, 2));
  WEFT_LET(const Range rb, rangeAt(c, 4));
  if (in.rank() < 2) return invalidArgument("Input tensor must be at least 2D: ", in.shape().toString());
  if (bias.rank() != 1) return invalidArgument("Biases must be 1D: ", bias.shape().toString());
  if (bias.dim(0) != in.dim(in.rank() - 1)) {
    return invalidArgument("Must provide as many biases as the last dimension of the input tensor: ", bias.shape().toString(), " vs. ", in.shape().toString());
  }
  const float most = std::max(ri.max, std::max(-ri.min, std::max(rb.max, -rb.min))) * float(1 << 17);
  const Range total{-most, most};
  WEFT_LET(Tensor * out, c.allocate(0, in.shape()));
  const FromSteps<T> inNumber(ri), biasNumber(rb);
  const ToSteps<int32_t> sum(total);
  const auto zero = uint32_t(total.integer<int32_t>(0));
  const int64_t channels = bias.dim(0);
  for (int64_t i = 0; i < in.elements(); ++i) {
    const auto b = uint32_t(sum(biasNumber(data<T>(bias)[i % channels]))), x = uint32_t(sum(inNumber(data<T>(in)[i])));
    data<int32_t>(*out)[i] = int32_t(x + b + zero);
  }
  return setRange(c, total);
}

// ---- Relu, Relu6, ReluX

/// Clamps below the integer of 0 and above that of `most` (of input 1 for ReluX).
template <int most>
Status runRelu(KernelContext& c) {
  constexpr int kRange = most < 0 ? 2 : 1;
  WEFT_LET(const Range r, rangeAt(c, kRange));
  if (most < 0 && c.input(1).elements() < 1) return invalidArgument("max_value must be a number");
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor * out, c.allocate(0, in.shape()));
  withQuantized(in.dtype(), [&]<typename T>(T) {
    const T low = r.integer<T>(0), high = most == 0 ? std::numeric_limits<T>::max() : r.integer<T>(most < 0 ? c.input(1).at<float>(0) : float(most));
    for (int64_t i = 0; i < in.elements(); ++i) data<T>(*out)[i] = std::min(std::max(data<T>(in)[i], low), high);
  });
  return setRange(c, r);
}

// ---- normalization

Status runInstanceNorm(KernelContext& c, const AttrMap& attrs) {
  const Tensor& in = c.input(0);
  WEFT_LET(const Range r, rangeAt(c, 1));
  if (!(r.min < r.max)) return invalidArgument("input_min must be less than input_max : ", r.min, " >= ", r.max);
  if (in.rank() != 4) return invalidArgument("input must be 4-dimensional", in.shape().toString());
  WEFT_LET(Tensor * out, c.allocate(0, in.shape()));
  const float scale = (r.max - r.min) / 255.0f, epsilon = attrs.number("variance_epsilon", 1e-5f);
  const int64_t pixels = in.dim(1) * in.dim(2), channels = in.dim(3);
  std::vector<float> normed(size_t(in.elements()));
  const auto* x = data<uint8_t>(in);
  for (int64_t n = 0; n < in.dim(0); ++n) {
    for (int64_t k = 0; k < channels; ++k) {
      const int64_t first = n * pixels * channels + k;
      float sum = 0, squares = 0;
      for (int64_t p = 0; p < pixels; ++p) sum += float(x[first + p * channels]);
      const float mean = sum / float(pixels);
      for (int64_t p = 0; p < pixels; ++p) {
        const float d = scale * (float(x[first + p * channels]) - mean);
        squares += d * d;
      }
      const float inverse = 1.0f / std::sqrt(squares / float(pixels) + epsilon);
      for (int64_t p = 0; p < pixels; ++p) normed[size_t(first + p * channels)] = scale * (float(x[first + p * channels]) - mean) * inverse;
    }
  }
  Range y{attrs.number("given_y_min", 0), attrs.number("given_y_max", 0)};
  if (!attrs.flag("output_range_given")) {
    y = {std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()};
    for (const float v : normed) y = {std::min(y.min, v), std::max(y.max, v)};
  }
  const float apart = attrs.number("min_separation", 1e-3f);
  if (y.max - y.min < apart) y.max = y.min + apart;
  const ToSteps<uint8_t> store(y);
  for (size_t i = 0; i < normed.size(); ++i) data<uint8_t>(*out)[i] = store(normed[i]);
  return setRange(c, y);
}

Result<std::unique_ptr<Kernel>> instanceNorm(KernelInit& init) {
  const float low = init.attrs().number("given_y_min", 0), high = init.attrs().number("given_y_max", 0);
  if (init.attrs().flag("output_range_given") && !(low < high)) return invalidArgument("given_y_min must be less than given_y_max : ", low, " >= ", high);
  return functionKernel([](KernelContext& c) { return runInstanceNorm(c, c.node().attrs); });
}

Status instanceNormShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 4));
  c.setOutput(0, c.input(0).hasRank() ? c.input(0) : Shape::unknownOfRank(4));
  return {};
}

/// As in TensorFlow: in 32-bit fixed point, where 2^20 is the largest number.
Status runBatchNorm(KernelContext& c) {
  const char* names[] = {"input", "mean", "var", "beta", "gamma"};
  Range r[5];
  const uint8_t* q[5];
  for (int i = 0; i < 5; ++i) {
    const Tensor& t = c.input(i * 3);
    WEFT_LET(r[i], rangeAt(c, i * 3 + 1));
    if (t.rank() != (i ? 1 : 4)) return invalidArgument(names[i], " must be ", i ? 1 : 4, "-dimensional", t.shape().toString());
    if (i > 1 && t.dim(0) < c.input(3).dim(0)) return invalidArgument(names[i], " must have a number for each channel, but has shape ", t.shape().toString());
    q[i] = data<uint8_t>(t);
  }
  const Tensor& in = c.input(0);
  const int64_t depth = c.input(3).dim(0);
  if (depth == 0 || in.dim(3) != depth)
    return invalidArgument("input must have as many channels as mean: ", in.shape().toString(), " vs. ", c.input(3).shape().toString());
  const Range out{-float(1 << 20), float(1 << 20)};
  const float epsilon = c.node().attrs.number("variance_epsilon", 0);
  const bool scaled = c.node().attrs.flag("scale_after_normalization");
  std::vector<int32_t> scale, offset;
  for (int64_t k = 0; k < depth; ++k) {
    float s = 1.0f / std::sqrt(r[2].number<uint8_t>(q[2][k]) + epsilon);
    if (scaled) s *= r[4].number<uint8_t>(q[4][k]);
    scale.push_back(out.integer<int32_t>(s));
    offset.push_back(out.integer<int32_t>(-r[1].number<uint8_t>(q[1][k]) * s + r[3].number<uint8_t>(q[3][k])));
  }
  const int32_t one = out.integer<int32_t>(1);
  WEFT_LET(Tensor * y, c.allocate(0, in.shape()));
  for (int64_t i = 0; i < in.elements(); ++i) {
    const auto k = size_t(i % depth);
    const auto product = int32_t(uint32_t(out.integer<int32_t>(r[0].number<uint8_t>(q[0][i]))) * uint32_t(scale[k]));
    data<int32_t>(*y)[i] = int32_t(uint32_t(product / one) + uint32_t(offset[k]));
  }
  return setRange(c, out);
}

Status batchNormShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 4));
  Shape out = c.input(0).hasRank() ? c.input(0) : Shape::unknownOfRank(4);
  int64_t depth = out.dim(3);
  for (int i = 1; i < 5; ++i) {
    WEFT_TRY(c.requireRank(c.input(i * 3), 1));
    if (!c.input(i * 3).hasRank()) continue;
    WEFT_LET(depth, c.mergeDims(depth, c.input(i * 3).dim(0)));
  }
  out.setDim(3, depth);
  c.setOutput(0, std::move(out));
  return {};
}

// ---- records

std::string arg(const char* name, const char* type) { return std::string(name) + ": " + type; }

/// Inputs a, b and their ranges, output and its range.
OpRecord& pair(OpRecord& r, const char* a, const char* b, const char* typeA, const char* typeB, const char* out, const char* outType, const char* minOut,
               const char* maxOut) {
  const std::string sa = a, sb = b;
  return r.input(arg(a, typeA), "First operand.")
      .input(arg(b, typeB), "Second operand.")
      .input("min_" + sa + ": float", "Float value of the first operand's lowest integer.")
      .input("max_" + sa + ": float", "Float value of the result's highest integer.")
      .input("min_" + sb + ": float", "Float value of the second operand's lowest integer.")
      .input("max_" + sb + ": float", "Float value of the result's highest integer.")
      .output(arg(out, outType), "The result.")
      .output(arg(minOut, "float"), "Float value of the result's lowest integer.")
      .output(arg(maxOut, "float"), "Float value of the result's highest integer.")
      .attr(arg(typeA, kAnyType), "Type of the first operand.")
      .attr(arg(typeB, kAnyType), "Type of the second operand.");
}

const char* const kResultType = "Type of the result.";

}  // namespace

void registerQuantizedMath(OpRegistry& ops) {
  const std::vector<KernelConstraint> bytes = {{"T1", {DType::QUInt8}}, {"T2", {DType::QUInt8}}, {"Toutput", {DType::QInt32}}};
  const std::string outType = std::string("Toutput: ") + kAnyType + " = DT_QINT32";
  for (const bool sum : {true, false}) {
    pair(described(ops.add(sum ? "QuantizedAdd" : "QuantizedMul"),
                   sum ? "Element-wise sum of quantized tensors." : "Element-wise product of quantized tensors."),
         "x", "y", "T1", "T2", "z", "Toutput", "min_z", "max_z")
        .attr(outType, kResultType)
        .commutative()
        .shape(withRanges(shapes::broadcast, 2, sum ? 6 : 2))
        .cpu(bytes, simpleKernel(sum ? runAdd : runMul));
  }
  pair(described(ops.add("QuantizedMatMul"), "Product of two quantized matrices."), "a", "b", "T1", "T2", "out", "Toutput", "min_out", "max_out")
      .attr(outType, kResultType)
      .attr("transpose_a: bool = false", "Transpose the first matrix before multiplying.")
      .attr("transpose_b: bool = false", "Transpose the second matrix before multiplying.")
      .attr(std::string("Tactivation: ") + kAnyType + " = DT_QUINT8", "Type of a following activation; ignored.")
      .shape(withRanges(shapeOf(ops, "MatMul"), 2, 6))
      .cpu(bytes, simpleKernel(runMatMul));
  pair(described(ops.add("QuantizedBiasAdd"), "Adds a bias vector to each channel, with quantized operands."), "input", "bias", "T1", "T2", "output",
       "out_type", "min_out", "max_out")
      .attr(std::string("out_type: ") + kAnyType, kResultType)
      .shape(withRanges(shapeOf(ops, "BiasAdd"), 2, 6))
      .cpu({{"T1", {DType::QUInt8}}, {"T2", {DType::QUInt8}}, {"out_type", {DType::QInt32}}}, simpleKernel(runBias<uint8_t>))
      .cpu({{"T1", {DType::QInt8}}, {"T2", {DType::QInt8}}, {"out_type", {DType::QInt32}}}, simpleKernel(runBias<int8_t>));
  pair(described(ops.add("QuantizedConv2D"), "2-D convolution of quantized images with quantized filters."), "input", "filter", "Tinput", "Tfilter", "output",
       "out_type", "min_output", "max_output")
      .attr(std::string("out_type: ") + kAnyType + " = DT_QINT32", kResultType)
      .attr("strides: list(int)", "Stride of the window along each dimension.")
      .attr("padding: {'SAME', 'VALID'}", "SAME: padded so that the output has size ceil(input / stride). VALID: no padding.")
      .attr("dilations: list(int) = [1, 1, 1, 1]", "Dilation of the filter; must be 1.")
      .shape(withRanges(shapeOf(ops, "Conv2D"), 2, 6))
      .cpu({{"Tinput", {DType::QUInt8}}, {"Tfilter", {DType::QUInt8}}, {"out_type", {DType::QInt32}}}, convolution);

  const std::pair<const char*, Status (*)(KernelContext&)> relus[] = {
      {"QuantizedRelu", runRelu<0>}, {"QuantizedRelu6", runRelu<6>}, {"QuantizedReluX", runRelu<-1>}};
  for (const auto& [name, run] : relus) {
    const bool given = name[12] == 'u' && name[13] == 'X';
    OpRecord& r = described(ops.add(name), given ? "min(max(x, 0), upper limit) of quantized integers." : "max(x, 0) of quantized integers.")
                      .input("features: Tinput", "The quantized integers.");
    if (given) r.input("max_value: float", "Upper limit, as a float.");
    r.input("min_features: float", "Float value of the lowest integer.")
        .input("max_features: float", "Float value of the highest integer.")
        .output("activations: out_type", "The activations, in the shape of `features`.")
        .output("min_activations: float", "Float value of the lowest integer.")
        .output("max_activations: float", "Float value of the highest integer.")
        .attr(std::string("Tinput: ") + kAnyType, "Type of the integers.")
        .attr(std::string("out_type: ") + kAnyType + " = DT_QUINT8", kResultType)
        .shape(withRanges(shapes::unchanged, given ? 2 : 1, given ? 4 : 3))
        .cpu({{"Tinput", {DType::QUInt8}}, {"out_type", {DType::QUInt8}}}, simpleKernel(run))
        .cpu({{"Tinput", {DType::QInt32}}, {"out_type", {DType::QInt32}}}, simpleKernel(run));
  }

  described(ops.add("QuantizedInstanceNorm"), "Normalizes each channel of each quantized image to mean 0 and variance 1.")
      .input("x: T", "Images [batch, height, width, channels].")
      .input("x_min: float", "Float value of the lowest integer.")
      .input("x_max: float", "Float value of the highest integer.")
      .output("y: T", "The normalized images.")
      .output("y_min: float", "Float value of the result's lowest integer.")
      .output("y_max: float", "Float value of the result's highest integer.")
      .attr(std::string("T: ") + kAnyType, "Type of the integers.")
      .attr("output_range_given: bool = false", "Use the given output range instead of the range of the results.")
      .attr("given_y_min: float = 0.0", "Lower end of the output range, if given.")
      .attr("given_y_max: float = 0.0", "Upper end of the output range, if given.")
      .attr("variance_epsilon: float = 1e-5", "Small constant added to the variance to avoid division by zero.")
      .attr("min_separation: float = 1e-3", "Minimum width of the output range.")
      .shape(withRanges(instanceNormShape, 1, 3))
      .cpu({{"T", {DType::QUInt8}}}, instanceNorm);

  OpRecord& norm = described(ops.add("QuantizedBatchNormWithGlobalNormalization"), "Batch normalization of quantized images with given statistics.");
  const std::pair<const char*, const char*> parts[] = {{"t", "pictures"}, {"m", "means"}, {"v", "variances"}, {"beta", "offsets"}, {"gamma", "scales"}};
  for (const auto& [name, what] : parts) {
    const std::string n = name, w = what;
    norm.input(n + ": Tinput", "The " + w + ".")
        .input(n + "_min: float", "Float value of the lowest integer of the " + w + ".")
        .input(n + "_max: float", "Float value of their highest integer.");
  }
  norm.output("result: out_type", "The normalized images.")
      .output("result_min: float", "Float value of the result's lowest integer.")
      .output("result_max: float", "Float value of the result's highest integer.")
      .attr(std::string("Tinput: ") + kAnyType, "Type of the integers.")
      .attr(std::string("out_type: ") + kAnyType, kResultType)
      .attr("variance_epsilon: float", "Small constant added to the variance to avoid division by zero.")
      .attr("scale_after_normalization: bool", "Whether to multiply by gamma.")
      .shape(withRanges(batchNormShape, 0, 0))
      .cpu({{"Tinput", {DType::QUInt8}}, {"out_type", {DType::QInt32}}}, simpleKernel(runBatchNorm));
}

}  // namespace weft
