#include "ops/elementwise_kernel.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

// Element-wise functions of two numbers, with broadcasting.
namespace weft {
namespace {

using py::BroadcastAxes;
using Grads = Result<std::vector<Output>>;

Grads addGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output x = c.input(0), y = c.input(1), g = c.grad();
  if (py::shapesKnownAndEqual(b, x, y, g)) return std::vector{g, g};
  const BroadcastAxes axes = py::broadcastAxes(b, x, y, g);
  const Output gx = axes.x.mustReduce ? py::reduced(b, g, axes.x) : g;
  const Output gy = axes.y.mustReduce ? py::reduced(b, g, axes.y) : g;
  return std::vector{gx, gy};
}

Grads subGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output x = c.input(0), y = c.input(1), g = c.grad();
  if (py::shapesKnownAndEqual(b, x, y, g)) return std::vector{g, py::neg(b, g)};
  const BroadcastAxes axes = py::broadcastAxes(b, x, y, g);
  const Output gx = axes.x.mustReduce ? py::reduced(b, g, axes.x) : g;
  const Output minus = py::neg(b, g);
  return std::vector{gx, axes.y.mustReduce ? py::reduced(b, minus, axes.y) : minus};
}

Grads mulGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output g = c.grad();
  Output x = c.input(0), y = c.input(1);
  const DType type = b.dtype(x);
  if (py::shapesKnownAndEqual(b, x, y, g) && (type == DType::Int32 || type == DType::Float)) {
    const Output gx = b.op("Mul", {g, y});
    return std::vector{gx, b.op("Mul", {g, x})};
  }
  const BroadcastAxes axes = py::broadcastAxes(b, x, y, g);
  x = py::conj(b, x);
  y = py::conj(b, y);
  Output gx = b.op("Mul", {g, y});
  if (axes.x.mustReduce) gx = py::reduced(b, gx, axes.x);
  Output gy = b.op("Mul", {x, g});
  if (axes.y.mustReduce) gy = py::reduced(b, gy, axes.y);
  return std::vector{gx, gy};
}

Grads mulNoNanGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output g = c.grad(), x = c.input(0), y = c.input(1);
  if (py::shapesKnownAndEqual(b, x, y, g)) {
    const Output gx = b.op("MulNoNan", {g, y});
    return std::vector{gx, b.op("MulNoNan", {x, g})};
  }
  const BroadcastAxes axes = py::dynamicBroadcastAxes(b, x, y);
  const Output gx = py::reduced(b, b.op("MulNoNan", {g, y}), axes.x);
  return std::vector{gx, py::reduced(b, b.op("MulNoNan", {x, g}), axes.y)};
}

/// The gradients of a quotient x/y: g / y and g * ((-x / y) / y), computed with the given division op.
template <typename Divide>
Grads quotientGradient(GradContext& c, Divide divide) {
  GraphBuilder& b = c.b();
  const Output g = c.grad();
  const BroadcastAxes axes = py::dynamicBroadcastAxes(b, c.input(0), c.input(1));
  const Output x = py::conj(b, c.input(0)), y = py::conj(b, c.input(1));
  const Output gx = py::reduced(b, divide(b, g, y), axes.x);
  const Output slope = divide(b, divide(b, py::neg(b, x), y), y);
  return std::vector{gx, py::reduced(b, py::mul(b, g, slope), axes.y)};
}
Grads realDivGradient(GradContext& c) {
  return quotientGradient(c, [](GraphBuilder& b, Output x, Output y) { return b.op("RealDiv", {x, y}); });
}
Grads divGradient(GradContext& c) {
  return quotientGradient(c, [](GraphBuilder& b, Output x, Output y) { return py::truediv(b, x, y); });
}
Grads divNoNanGradient(GradContext& c) {
  return quotientGradient(c, [](GraphBuilder& b, Output x, Output y) {
    const py::Scope s(b, "div_no_nan");
    return b.op("DivNoNan", {x, y}, {}, s.name());
  });
}

Grads floorModGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output x = py::conj(b, c.input(0)), y = py::conj(b, c.input(1));
  const BroadcastAxes axes = py::dynamicBroadcastAxes(b, x, y);
  const Output quotient = b.op("FloorDiv", {x, y});
  const Output gx = py::reduced(b, c.grad(), axes.x);
  return std::vector{gx, py::reduced(b, py::mul(b, c.grad(), py::neg(b, quotient)), axes.y)};
}

Grads powGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output g = c.grad();
  const BroadcastAxes axes = py::broadcastAxes(b, c.input(0), c.input(1), g);
  const Output x = py::conj(b, c.input(0)), y = py::conj(b, c.input(1));
  Output gx = py::mul(b, g, y);
  const Output less = py::sub(b, y, 1);
  gx = py::mul(b, gx, b.op("Pow", {x, less}));
  if (axes.x.mustReduce) gx = py::reduced(b, gx, axes.x);

  const Output z = py::conj(b, c.output(0));
  // Negative real numbers have no logarithm; their part of the gradient is zero.
  const Output mask = py::call(b, isComplex(b.dtype(x)) ? "NotEqual" : "Greater", x, 0);
  const Output safe = b.op("Select", {mask, x, py::onesLike(b, x)});
  const Output log = b.op("Log", {safe});
  const Output logX = b.op("Select", {mask, log, py::zerosLike(b, x)});
  Output gy = py::mul(b, py::mul(b, g, z), logX);
  if (axes.y.mustReduce) gy = py::reduced(b, gy, axes.y);
  return std::vector{gx, gy};
}

/// Maximum and Minimum: the gradient goes to x where `selector` is true, else to y.
GradientFunction extremeGradient(const char* selector) {
  return [selector](GradContext& c) -> Grads {
    GraphBuilder& b = c.b();
    const Output x = c.input(0), y = c.input(1), g = c.grad();
    const Output sx = py::shape(b, x), sy = py::shape(b, y), sg = py::shape(b, g);
    const Output zeros = py::zeros(b, sg, b.dtype(g));
    const Output mask = b.op(selector, {x, y});
    const int args = b.node("BroadcastGradientArgs", {sx, sy});
    const Output xg = b.op("Select", {mask, g, zeros});
    const Output gx = py::reshape(b, py::reduceSum(b, xg, Output{args, 0}), sx);
    const Output yg = b.op("Select", {mask, zeros, g});
    return std::vector{gx, py::reshape(b, py::reduceSum(b, yg, Output{args, 1}), sy)};
  };
}

Grads squaredDifferenceGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output x = c.input(0), y = c.input(1), g = c.grad();
  Output xGrad;
  {
    const auto guard = py::afterGrad(c);
    const Output two = b.number(b.dtype(g), 2.0, "scalar");
    const Output twice = b.op("Mul", {two, g});
    xGrad = py::mul(b, twice, py::sub(b, x, y));
  }
  if (py::shapesKnownAndEqual(b, x, y, g)) return std::vector{xGrad, py::neg(b, xGrad)};
  const BroadcastAxes axes = py::broadcastAxes(b, x, y, g);
  const Output gx = axes.x.mustReduce ? py::reduced(b, xGrad, axes.x) : xGrad;
  const Output gy = py::neg(b, axes.y.mustReduce ? py::reduced(b, xGrad, axes.y) : xGrad);
  return std::vector{gx, gy};
}

/// Xlogy and Xdivy: partial derivatives times the gradient.
template <typename PartialX, typename PartialY>
Grads partialGradients(GradContext& c, PartialX partialX, PartialY partialY) {
  GraphBuilder& b = c.b();
  const Output x = c.input(0), y = c.input(1);
  const BroadcastAxes axes = py::dynamicBroadcastAxes(b, x, y);
  const auto guard = py::afterGrad(c);
  Output zero;
  {
    const py::Scope s(b, "Cast");
    zero = b.number(DType::Float, 0, "x");  // Python numbers become float first and are then cast
    if (b.dtype(x) != DType::Float) zero = b.op("Cast", {zero}, {{"DstT", b.dtype(x)}}, s.name());
  }
  const Output notZero = py::cast(b, b.op("NotEqual", {x, zero}), b.dtype(x));
  const Output px = partialX(b, notZero, y), dy = partialY(b, x, y);
  const Output gx = py::reduced(b, py::mul(b, px, c.grad()), axes.x);
  return std::vector{gx, py::reduced(b, py::mul(b, dy, c.grad()), axes.y)};
}
Grads xlogyGradient(GradContext& c) {
  return partialGradients(
      c,
      [](GraphBuilder& b, Output one, Output y) {
        return b.op("Xlogy", {one, y});
      },
      [](GraphBuilder& b, Output x, Output y) {
        return b.op("Xdivy", {x, y});
      });
}
Grads xdivyGradient(GradContext& c) {
  return partialGradients(
      c,
      [](GraphBuilder& b, Output one, Output y) {
        return b.op("Xdivy", {one, y});
      },
      [](GraphBuilder& b, Output x, Output y) {
        const Output minus = py::neg(b, x);
        return b.op("Xdivy", {minus, py::binary(b, "pow", "Pow", y, 2)});
      });
}

Grads atan2Gradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto guard = py::afterGrad(c);
  const Output y = c.input(0), x = c.input(1);
  const Output x2 = b.op("Square", {x}), y2 = b.op("Square", {y});
  const Output inv = py::truediv(b, c.grad(), py::add(b, x2, y2));
  const Output gy = py::mul(b, x, inv);
  return std::vector{gy, py::mul(b, py::neg(b, y), inv)};
}

constexpr const char* kArithmetic = "T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, complex64, complex128}";
constexpr const char* kAdding = "T: {bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128}";
const std::vector<DType> kAll = {DType::BFloat16, DType::Half,  DType::Float, DType::Double, DType::UInt8,     DType::Int8,
                                 DType::UInt16,   DType::Int16, DType::Int32, DType::Int64,  DType::Complex64, DType::Complex128};
const std::vector<DType> kExtremeTypes = {DType::BFloat16, DType::Half, DType::Float, DType::Double, DType::Int32, DType::Int64};

struct BinaryOp {
  const char* name;
  const char* types;
  std::vector<DType> kernels;
  double flops;
  GradientFunction gradient;
  bool commutative;
  const char* summary;
};

void addBinary(OpRegistry& ops, const BinaryOp& o) {
  OpRecord& r = ops.add(o.name)
                    .category("Math")
                    .summary(o.summary)
                    .description("The inputs are broadcast against each other.")
                    .input("x: T", "First operand.")
                    .input("y: T", "Second operand; its shape must be broadcastable with that of `x`.")
                    .output("z: T", "The element-wise result, in the broadcast shape.")
                    .attr(o.types, "Type of the elements.")
                    .shape(shapes::broadcast)
                    .cpu({{"T", o.kernels}}, binaryKernel());
  if (o.commutative) r.commutative();
  if (o.gradient) r.gradient(o.gradient);
  else r.noGradient("The result is piecewise constant, so its gradient is zero almost everywhere.");
  const double flops = o.flops;
  r.cost([flops](const std::vector<Shape>& in, const std::vector<Shape>& out, const AttrMap&, DType t) {
    const auto count = [](const Shape& s) { return double(std::max<int64_t>(s.elements(), 0)); };
    return Cost{flops * count(out[0]), (count(in[0]) + count(in[1]) + count(out[0])) * double(sizeOf(t))};
  });
}

}  // namespace

void registerBinaryMath(OpRegistry& ops) {
  const std::vector<DType> adding = {DType::BFloat16, DType::Half,  DType::Float, DType::Double,    DType::UInt8,     DType::Int8,
                                     DType::Int16,    DType::Int32, DType::Int64, DType::Complex64, DType::Complex128};
  std::vector<DType> addingStrings = adding;
  addingStrings.push_back(DType::String);
  const std::vector<DType> floorDiv = {DType::UInt8, DType::Int8, DType::UInt16, DType::Int16, DType::Int32,
                                       DType::Int64, DType::Half, DType::Float,  DType::Double};
  const std::vector<DType> divided = {DType::BFloat16, DType::Half,  DType::Float, DType::Double, DType::UInt8,     DType::UInt16,
                                      DType::Int8,     DType::Int16, DType::Int32, DType::Int64,  DType::Complex64, DType::Complex128};
  const std::vector<DType> truncated = {DType::Half,   DType::Float, DType::Double, DType::UInt8, DType::Int8,
                                        DType::UInt16, DType::Int16, DType::Int32,  DType::Int64};
  const std::vector<DType> remainders = {DType::Int32, DType::Int64, DType::Half, DType::Float, DType::Double};
  const std::vector<DType> squared = {DType::Half, DType::Float, DType::Double, DType::Int32, DType::Int64, DType::Complex64, DType::Complex128};
  const std::vector<DType> powered = {DType::Half, DType::Float, DType::Double, DType::Int32, DType::Int64, DType::Complex64, DType::Complex128};
  const BinaryOp table[] = {
      {"Add", "T: {bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128, string}", addingStrings, 1, addGradient, false,
       "x + y, element-wise; strings are concatenated."},
      {"AddV2", kAdding, adding, 1, addGradient, true, "x + y, element-wise."},
      {"Sub", kArithmetic, kAll, 1, subGradient, false, "x - y, element-wise."},
      {"Mul", kArithmetic, kAll, 1, mulGradient, true, "x * y, element-wise."},
      {"MulNoNan", "T: {half, float, double, complex64, complex128}", types::kIeeeFloatsComplex, 1, mulNoNanGradient, false,
       "x * y, element-wise; 0 where `y` is 0, even if `x` is infinite or NaN."},
      {"Div", kArithmetic, divided, 1, divGradient, false, "x / y, element-wise; integer division truncates towards zero."},
      {"RealDiv", kArithmetic, types::kFloatsComplex, 1, realDivGradient, false, "x / y, element-wise."},
      {"DivNoNan", "T: {half, float, double, complex64, complex128}", types::kIeeeFloatsComplex, 1, divNoNanGradient, false,
       "x / y, element-wise; 0 where `y` is 0."},
      {"FloorDiv", kArithmetic, floorDiv, 2, nullptr, false, "x / y rounded down, element-wise, like Python's //."},
      {"TruncateDiv", kArithmetic, truncated, 2, nullptr, false, "x / y, element-wise; integer division truncates towards zero."},
      {"FloorMod", "T: {int32, int64, bfloat16, half, float, double}", remainders, 3, floorModGradient, false,
       "Remainder of floor division, element-wise, like Python's %: the result has the sign of `y`."},
      {"Mod", "T: {int32, int64, half, half, bfloat16, float, double}", remainders, 3, nullptr, false,
       "Remainder of truncated division, element-wise: the result has the sign of `x`."},
      {"TruncateMod", "T: {int32, int64, bfloat16, half, float, double}", remainders, 3, nullptr, false,
       "Remainder of truncated division, element-wise: the result has the sign of `x`."},
      {"Maximum", "T: {bfloat16, half, float, double, int32, int64}", kExtremeTypes, 1, extremeGradient("GreaterEqual"), false, "max(x, y), element-wise."},
      {"Minimum", "T: {bfloat16, half, float, double, int32, int64}", kExtremeTypes, 1, extremeGradient("LessEqual"), false, "min(x, y), element-wise."},
      {"SquaredDifference", "T: {bfloat16, half, float, double, int32, int64, complex64, complex128}", squared, 2, squaredDifferenceGradient, true,
       "(x - y)², element-wise."},
      {"Pow", "T: {bfloat16, float, half, double, int32, int64, complex64, complex128}", powered, 20, powGradient, false,
       "x raised to the power y, element-wise."},
      {"Xdivy", "T: {half, float, double, complex64, complex128}", types::kIeeeFloatsComplex, 1, xdivyGradient, false, "x / y, element-wise; 0 where x is 0."},
      {"Xlogy", "T: {half, float, double, complex64, complex128}", types::kIeeeFloatsComplex, 10, xlogyGradient, false,
       "x * log(y), element-wise; 0 where x is 0."},
      {"Atan2",
       "T: {bfloat16, half, float, double}",
       {DType::Half, DType::Float, DType::Double},
       20,
       atan2Gradient,
       false,
       "Angle of the point (y, x), element-wise, in (-π, π]; the first operand is the vertical coordinate."},
  };
  for (const BinaryOp& o : table) addBinary(ops, o);
  for (const char* name : {"Mod", "TruncateMod"}) {  // TensorFlow has no gradient function for these
    OpRecord* r = ops.findMutable(name);
    r->gradientIsError = true;
    r->noGradientReason = "TensorFlow defines no gradient for it; FloorMod has one.";
  }
  // Atan2 names its operands in the opposite order.
  OpRecord* atan2 = ops.findMutable("Atan2");
  atan2->inputs[0].name = "y";
  atan2->inputs[1].name = "x";
  state(ops, OpRole::Sum, Effect::None, "Add AddV2");
  passNan(ops, NanPath::Elementwise, "Add AddV2 Mul RealDiv Sub");
  countFlops(ops, 1, "Add AddV2 Sub Mul RealDiv Div Maximum Minimum Pow");
  countFlops(ops, 2, "SquaredDifference");
}

}  // namespace weft
