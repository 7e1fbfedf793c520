#include <algorithm>
#include <cmath>
#include <cstring>

#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

// Ops that pass a tensor on after a check or conversion: CheckNumerics, EnsureShape, IdentityN, Bitcast, ClipByValue; also Cross and LinSpace.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

// CheckNumerics.

Status runCheckNumerics(KernelContext& c) {
  const Tensor& x = c.input(0);
  bool nan = false, infinite = false;
  withFloat(x.dtype(), [&]<typename T>(std::type_identity<T>) {
    const T* v = elementsOf<T>(x);
    for (int64_t i = 0; i < x.elements(); ++i) {
      const double d = double(v[i]);
      if (std::isfinite(d)) continue;
      nan = nan || std::isnan(d);
      infinite = infinite || std::isinf(d);
    }
  });
  if (nan || infinite)
    return invalidArgument(c.node().attrs.text("message"), " : Tensor had ", nan && infinite ? "Inf and NaN" : nan ? "NaN" : "Inf", " values");
  c.setOutput(0, x);
  return {};
}

Grads checkNumericsGradient(GradContext& c) {
  AttrMap attrs;
  attrs.set("message", "Not a number (NaN) or infinity (Inf) values detected in gradient. " + c.attrs().text("message"));
  return std::vector{c.b().op("CheckNumerics", {c.grad()}, attrs)};
}

// EnsureShape.

Status ensureShape(ShapeContext& c) {
  const Shape wanted = c.attrs().shape("shape");
  if (wanted.hasRank() && c.input(0).hasRank()) WEFT_TRY(c.requireRank(c.input(0), wanted.rank()));
  WEFT_LET(Shape out, c.merge(c.input(0), wanted));
  c.setOutput(0, std::move(out));
  return {};
}
Status runEnsureShape(KernelContext& c) {
  const Shape wanted = c.node().attrs.shape("shape");
  if (!wanted.compatibleWith(c.input(0).shape()))
    return invalidArgument("Shape of tensor ", c.node().name, " ", c.input(0).shape().toString(), " is not compatible with expected shape ", wanted.toString(),
                           ".");
  c.setOutput(0, c.input(0));
  return {};
}

// IdentityN.

Status identityNShape(ShapeContext& c) {
  for (int i = 0; i < c.outputCount(); ++i) c.setOutput(i, c.input(i));
  return {};
}
Status runIdentityN(KernelContext& c) {
  for (int i = 0; i < c.outputCount(); ++i) c.setOutput(i, c.input(i));
  return {};
}

// Bitcast.

Result<Shape> bitcastResult(const Shape& in, size_t from, size_t to) {
  Shape out = in;
  if (!in.hasRank()) return out;
  if (from > to) {
    out.append(int64_t(from / to));
  } else if (from < to) {
    const int64_t ratio = int64_t(to / from);
    if (in.rank() < 1) return invalidArgument("Shape must be at least rank 1 but is rank 0");
    const int64_t last = in.dim(in.rank() - 1);
    if (last >= 0 && last != ratio) return invalidArgument("Cannot bitcast due to shape. ", last, " does not match ", ratio);
    out = in.slice(0, in.rank() - 1);
  }
  return out;
}
Status bitcastShape(ShapeContext& c) {
  WEFT_LET(Shape out, bitcastResult(c.input(0), sizeOf(c.inputType(0)), sizeOf(c.attrs().type("type"))));
  c.setOutput(0, std::move(out));
  return {};
}
Status runBitcast(KernelContext& c) {
  const Tensor& in = c.input(0);
  const DType type = c.node().attrs.type("type");
  const auto shape = bitcastResult(in.shape(), sizeOf(in.dtype()), sizeOf(type));
  if (!shape.ok()) return invalidArgument("Cannot bitcast from ", int(in.dtype()), " to ", int(type), ": ", in.shape().toString());
  c.setOutput(0, in.withDType(type).reshaped(*shape));
  return {};
}

// ClipByValue.

Status runClipByValue(KernelContext& c) {
  const Tensor &x = c.input(0), &low = c.input(1), &high = c.input(2);
  const auto fits = [&](const Tensor& t) { return t.rank() == 0 || t.shape() == x.shape(); };
  if (!fits(low) || !fits(high))
    return invalidArgument("clip_value_min and clip_value_max must be either of the same shape as input, or a scalar. input shape: ", x.shape().toString(),
                           "clip_value_min shape: ", low.shape().toString(), "clip_value_max shape: ", high.shape().toString());
  WEFT_LET(Tensor* out, c.allocateOrForward(0, x.shape(), {0}));
  withReal(x.dtype(), [&]<typename T>(std::type_identity<T>) {
    const T *v = elementsOf<T>(x), *lowest = elementsOf<T>(low), *highest = elementsOf<T>(high);
    const int64_t ls = low.rank() != 0, hs = high.rank() != 0;
    T* y = elementsOf<T>(*out);
    for (int64_t i = 0; i < x.elements(); ++i) {
      const T atMost = highest[i * hs] < v[i] ? highest[i * hs] : v[i];
      y[i] = atMost < lowest[i * ls] ? lowest[i * ls] : atMost;
    }
  });
  return {};
}

Grads clipGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output x = c.input(0), low = c.input(1), high = c.input(2), g = c.grad();
  const Output sx = py::shape(b, x), sl = py::shape(b, low), sh = py::shape(b, high);
  const Output zeros = py::zeros(b, py::shape(b, g), b.dtype(g));
  const Output below = b.op("Less", {x, low}), above = b.op("Greater", {x, high});
  const int first = b.node("BroadcastGradientArgs", {sx, sl}), second = b.node("BroadcastGradientArgs", {sx, sh});
  const Output gx = b.op("Select", {b.op("LogicalOr", {below, above}), zeros, g});
  const Output gl = b.op("Select", {below, g, zeros}), gh = b.op("Select", {above, g, zeros});
  const Output rx = py::reshape(b, py::reduceSum(b, gx, Output{second, 0}), sx);
  const Output rl = py::reshape(b, py::reduceSum(b, gl, Output{first, 1}), sl);
  return std::vector{rx, rl, py::reshape(b, py::reduceSum(b, gh, Output{second, 1}), sh)};
}

// Cross.

Status crossShape(ShapeContext& c) {
  WEFT_LET(Shape out, c.merge(c.input(0), c.input(1)));
  if (out.hasRank()) {
    WEFT_TRY(c.requireRankAtLeast(out, 1));
    const int64_t last = out.dim(out.rank() - 1);
    if (last >= 0 && last != 3) return invalidArgument("Dimension must be 3 but is ", last);
  }
  c.setOutput(0, std::move(out));
  return {};
}
Status runCross(KernelContext& c) {
  const Tensor &u = c.input(0), &v = c.input(1);
  if (!(u.shape() == v.shape())) return invalidArgument("Both inputs must be of same shape: ", u.shape().toString(), " vs. ", v.shape().toString());
  if (u.rank() < 1) return invalidArgument("Input must be at least 1D");
  if (u.dim(u.rank() - 1) != 3) return failedPrecondition("Cross-products are only defined for 3-element vectors.");
  WEFT_LET(Tensor* out, c.allocate(0, u.shape()));
  withReal(u.dtype(), [&]<typename T>(std::type_identity<T>) {
    const T *a = elementsOf<T>(u), *b = elementsOf<T>(v);
    T* y = elementsOf<T>(*out);
    for (int64_t i = 0; i < u.elements(); i += 3) {
      for (int k = 0; k < 3; ++k) {
        const int m = (k + 1) % 3, n = (k + 2) % 3;
        y[i + k] = T(T(a[i + m] * b[i + n]) - T(a[i + n] * b[i + m]));
      }
    }
  });
  return {};
}
Grads crossGradient(GradContext& c) {
  const Output u = c.b().op("Cross", {c.input(1), c.grad()});
  return std::vector{u, c.b().op("Cross", {c.grad(), c.input(0)})};
}

// LinSpace.

Status linSpaceShape(ShapeContext& c) {
  for (int i = 0; i < 3; ++i) WEFT_TRY(c.requireRank(c.input(i), 0));
  const auto n = c.constantInt(2);
  if (n && *n <= 0) return invalidArgument("Requires num > 0: ", *n);
  c.setOutput(0, Shape{n.value_or(Shape::kUnknownDim)});
  return {};
}
template <typename T>
void fillLine(T start, T stop, Tensor& out) {
  const int64_t n = out.elements();
  T* y = out.mutableData<T>();
  y[0] = start;
  if (n == 1) return;
  const T step = (stop - start) / T(n - 1);
  for (int64_t i = 1; i < n - 1; ++i) y[i] = start + step * T(i);
  y[n - 1] = stop;
}
Status runLinSpace(KernelContext& c) {
  const char* const names[] = {"start", "stop", "num"};
  for (int i = 0; i < 3; ++i) {
    if (c.input(i).rank() != 0) return invalidArgument(names[i], " must be a scalar, not shape ", c.input(i).shape().toString());
  }
  const int64_t n = c.input(2).asInt(0);
  if (n <= 0) return invalidArgument("Requires num > 0: ", n);
  WEFT_LET(Tensor* out, c.allocate(0, Shape{n}));
  if (out->dtype() == DType::Double) fillLine(c.input(0).at<double>(0), c.input(1).at<double>(0), *out);
  else fillLine(c.input(0).at<float>(0), c.input(1).at<float>(0), *out);
  return {};
}

}  // namespace

void registerPassing(OpRegistry& ops) {
  ops.add("CheckNumerics")
      .category("Debugging")
      .summary("Passes its input through; fails if it contains NaN or infinity.")
      .input("tensor: T", "Any floats.")
      .output("output: T", "The input, unchanged.")
      .attr("T: {bfloat16, half, float, double}", "Type of the elements.")
      .attr("message: string", "Prefix of the error message.")
      .stateful()
      .shape(shapes::unchanged)
      .gradient(checkNumericsGradient)
      .cpu({{"T", types::kCpuFloats}}, simpleKernel(runCheckNumerics));
  ops.add("EnsureShape")
      .category("Arrays")
      .summary("Passes its input through; fails if its shape does not match.")
      .input("input: T", "Any tensor.")
      .output("output: T", "The input; its static shape merges the input's and the expected one.")
      .attr("shape: shape", "Expected shape; unknown dimensions match any size.")
      .attr("T: type", "Type of the elements.")
      .shape(ensureShape)
      .gradient([](GradContext& c) -> Grads { return std::vector{c.grad()}; })
      .cpu({}, simpleKernel(runEnsureShape));
  ops.add("IdentityN")
      .category("Arrays")
      .summary("Passes several tensors through as a group.")
      .input("input: list(T)", "Any tensors.")
      .output("output: list(T)", "The inputs, unchanged.")
      .attr("T: list(type) >= 1", "Types of the tensors.")
      .shape(identityNShape)
      .gradient([](GradContext& c) -> Grads { return c.grads(); })
      .cpu({}, simpleKernel(runIdentityN));
  constexpr const char* kBits =
      "{bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, int16, complex64, complex128, qint8, quint8, qint16, "
      "quint16, qint32}";
  ops.add("Bitcast")
      .category("Arrays")
      .summary("Reinterprets the bytes of a tensor as another type.")
      .input("input: T", "Any numbers.")
      .output("output: type", "The same bytes; if the element sizes differ, a last dimension is added or removed.")
      .attr(std::string("T: ") + kBits, "Type of the elements.")
      .attr(std::string("type: ") + kBits, "Target type.")
      .shape(bitcastShape)
      .noGradient("Bit patterns are not differentiable.")
      .cpu({}, simpleKernel(runBitcast));
  ops.add("ClipByValue")
      .category("Math")
      .summary("Clamps each element to [clip_value_min, clip_value_max].")
      .input("t: T", "Numbers of any shape.")
      .input("clip_value_min: T", "Lower bound: a scalar, or one value per element.")
      .input("clip_value_max: T", "Upper bound: a scalar, or one value per element.")
      .output("output: T", "The clamped numbers.")
      .attr("T: numbertype", "Type of the elements.")
      .shape(shapes::unchanged)
      .gradient(clipGradient)
      .cpu({{"T", {DType::Half, DType::Float, DType::Double, DType::Int8, DType::Int16, DType::Int32, DType::Int64, DType::UInt8, DType::UInt16}}},
           simpleKernel(runClipByValue));
  ops.add("Cross")
      .category("Math")
      .summary("Cross products of 3-element vectors along the last dimension.")
      .input("a: T", "First vectors.")
      .input("b: T", "Second vectors, in the same shape.")
      .output("product: T", "Their cross products.")
      .attr("T: realnumbertype", "Type of the elements.")
      .shape(crossShape)
      .gradient(crossGradient)
      .cpu({{"T", types::kCpuReal}}, simpleKernel(runCross));
  ops.add("LinSpace")
      .category("Arrays")
      .summary("Evenly spaced numbers from start to stop, both included.")
      .input("start: T", "First number; a scalar.")
      .input("stop: T", "Last number; a scalar.")
      .input("num: Tidx", "Number of values; a scalar.")
      .output("output: T", "A vector.")
      .attr("T: {bfloat16, float, double}", "Type of the numbers.")
      .attr("Tidx: {int32, int64} = DT_INT32", "Type of `num`.")
      .shape(linSpaceShape)
      .noGradient("TensorFlow defines no gradient for it.")
      .cpu({{"T", {DType::Float, DType::Double}}}, simpleKernel(runLinSpace));
  state(ops, OpRole::Check, Effect::Check, "CheckNumerics EnsureShape");
  state(ops, OpRole::Identities, Effect::None, "IdentityN");
}

}  // namespace weft
