#include <cmath>

#include "ops/elementwise_kernel.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

// Element-wise functions of one number, and the gradient ops of some of them.
namespace weft {
namespace {

using py::Operand;
using Grads = Result<std::vector<Output>>;

// Gradients get a control input from the incoming gradient, so that their parts are not computed long before they are needed.
GraphBuilder::Guard after(GradContext& c) { return py::afterGrad(c); }

Grads negGradient(GradContext& c) { return std::vector{py::neg(c.b(), c.grad())}; }

Grads absGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  return std::vector{py::mul(b, c.grad(), b.op("Sign", {c.input(0)}))};
}

Grads reciprocalGradient(GradContext& c) { return std::vector{c.b().op("ReciprocalGrad", {c.output(0), c.grad()})}; }
Grads sqrtGradient(GradContext& c) { return std::vector{c.b().op("SqrtGrad", {c.output(0), c.grad()})}; }
Grads rsqrtGradient(GradContext& c) { return std::vector{c.b().op("RsqrtGrad", {c.output(0), c.grad()})}; }

Grads squareGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto guard = after(c);
  const Output x = py::conj(b, c.input(0));
  const Output two = b.number(b.dtype(x), 2.0, "Const");
  const Output inner = py::call(b, "Mul", x, two);
  return std::vector{py::call(b, "Mul", c.grad(), inner)};
}

Grads expGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto guard = after(c);
  return std::vector{py::mul(b, c.grad(), py::conj(b, c.output(0)))};
}

Grads expm1Gradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto guard = after(c);
  return std::vector{py::mul(b, c.grad(), b.op("Exp", {py::conj(b, c.input(0))}))};
}

Grads logGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto guard = after(c);
  return std::vector{py::mul(b, c.grad(), b.op("Reciprocal", {py::conj(b, c.input(0))}))};
}

Grads log1pGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto guard = after(c);
  const Output x = py::conj(b, c.input(0));
  return std::vector{py::mul(b, c.grad(), b.op("Reciprocal", {py::add(b, 1, x)}))};
}

/// grad(y, dy), computed by a gradient op.
GradientFunction byGradOp(const char* op) {
  return [op](GradContext& c) -> Grads {
    GraphBuilder& b = c.b();
    const auto guard = after(c);
    return std::vector{b.op(op, {py::conj(b, c.output(0)), c.grad()})};
  };
}

/// grad * f(conj(x))
GradientFunction timesFunction(const char* op) {
  return [op](GradContext& c) -> Grads {
    GraphBuilder& b = c.b();
    const auto guard = after(c);
    return std::vector{py::mul(b, c.grad(), b.op(op, {py::conj(b, c.input(0))}))};
  };
}

Grads cosGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto guard = after(c);
  const Output x = py::conj(b, c.input(0));
  const Output minus = py::neg(b, c.grad());
  return std::vector{py::mul(b, minus, b.op("Sin", {x}))};
}

Grads signGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output dims = py::shape(b, c.input(0));
  return std::vector{py::zeros(b, dims, b.dtype(c.input(0)))};
}

Grads erfGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output factor = b.number(b.dtype(c.grad()), 2 / std::sqrt(M_PI), "Const");
  const auto guard = after(c);
  const Output x = py::conj(b, c.input(0));
  const Output scaled = py::mul(b, c.grad(), factor);
  return std::vector{py::mul(b, scaled, b.op("Exp", {py::neg(b, b.op("Square", {x}))}))};
}

Grads erfcGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output factor = b.number(b.dtype(c.grad()), -2 / std::sqrt(M_PI), "Const");
  const auto guard = after(c);
  const Output x = py::conj(b, c.input(0));
  const Output scaled = py::mul(b, c.grad(), factor);
  return std::vector{py::mul(b, scaled, b.op("Exp", {py::neg(b, b.op("Square", {x}))}))};
}

Grads tanGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto guard = after(c);
  const Output secant = b.op("Reciprocal", {b.op("Cos", {py::conj(b, c.input(0))})});
  return std::vector{py::mul(b, b.op("Square", {secant}), c.grad())};
}

/// The derivative of arcsine and, up to its sign, of arccosine: 1 / sqrt(1 - x²).
Output arcSlope(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output squared = b.op("Square", {py::conj(b, c.input(0))});
  const Output one = b.number(b.dtype(c.grad()), 1, "Const");
  return b.op("Reciprocal", {b.op("Sqrt", {b.op("Sub", {one, squared})})});
}
Grads asinGradient(GradContext& c) {
  const auto guard = after(c);
  const Output slope = arcSlope(c);
  return std::vector{py::mul(c.b(), c.grad(), slope)};
}
Grads acosGradient(GradContext& c) {
  const auto guard = after(c);
  const Output slope = arcSlope(c);
  const Output minus = py::neg(c.b(), c.grad());
  return std::vector{py::mul(c.b(), minus, slope)};
}

/// grad / (1 + x²) and grad / (1 - x²)
GradientFunction byRationalSlope(const char* join) {
  return [join](GradContext& c) -> Grads {
    GraphBuilder& b = c.b();
    const auto guard = after(c);
    const Output squared = b.op("Square", {py::conj(b, c.input(0))});
    const Output one = b.number(b.dtype(c.grad()), 1, "Const");
    const Output slope = b.op("Reciprocal", {b.op(join, {one, squared})});
    return std::vector{py::mul(b, c.grad(), slope)};
  };
}

/// grad / f(conj(y))
GradientFunction overFunctionOfResult(const char* op) {
  return [op](GradContext& c) -> Grads {
    GraphBuilder& b = c.b();
    const auto guard = after(c);
    return std::vector{py::truediv(b, c.grad(), b.op(op, {py::conj(b, c.output(0))}))};
  };
}

Grads conjGradient(GradContext& c) { return std::vector{py::conj(c.b(), c.grad())}; }

// Second derivatives: gradients of the gradient ops.

Grads reciprocalGradGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto guard = after(c);
  const Output ca = py::conj(b, c.input(0)), cg = py::conj(b, c.grad());
  const Output first = py::mul(b, py::mul(b, py::mul(b, cg, -2.0), c.input(1)), ca);
  return std::vector{first, b.op("ReciprocalGrad", {ca, c.grad()})};
}

Grads sqrtGradGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto guard = after(c);
  const Output ga = py::truediv(b, c.grad(), c.input(0));
  const Output minus = py::neg(b, py::conj(b, ga));
  const Output first = py::mul(b, minus, c.output(0));
  return std::vector{first, py::mul(b, 0.5, ga)};
}

Grads rsqrtGradGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto guard = after(c);
  const Output ca = py::conj(b, c.input(0)), cg = py::conj(b, c.grad());
  const Output scaled = py::mul(b, py::mul(b, -1.5, cg), c.input(1));
  const Output first = py::mul(b, scaled, b.op("Square", {ca}));
  return std::vector{first, b.op("RsqrtGrad", {ca, c.grad()})};
}

Grads tanhGradGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto guard = after(c);
  const Output a = py::conj(b, c.input(0)), second = py::conj(b, c.input(1));
  const Output first = py::mul(b, py::mul(b, py::mul(b, c.grad(), -2.0), second), a);
  return std::vector{first, b.op("TanhGrad", {a, c.grad()})};
}

Grads sigmoidGradGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto guard = after(c);
  const Output a = py::conj(b, c.input(0)), second = py::conj(b, c.input(1));
  const Output gb = py::mul(b, c.grad(), second);
  const Output twice = py::mul(b, py::mul(b, 2.0, gb), a);
  return std::vector{py::sub(b, gb, twice), b.op("SigmoidGrad", {a, c.grad()})};
}

// Type lists: the types of the op, and those with CPU kernels.
constexpr const char* kRealOrComplex = "T: {bfloat16, half, float, double, complex64, complex128}";
constexpr const char* kAnyNumber = "T: {bfloat16, half, float, double, int32, int64, complex64, complex128}";
constexpr const char* kReal = "T: {bfloat16, half, float, double}";
const std::vector<DType> kNumbers = {DType::BFloat16, DType::Half,  DType::Float,     DType::Double,
                                     DType::Int32,    DType::Int64, DType::Complex64, DType::Complex128};

struct UnaryOp {
  const char* name;
  const char* types;
  const std::vector<DType>* kernels;
  double flops;
  GradientFunction gradient;  ///< Empty: `noGradient` gives the reason.
  const char* noGradient;
  const char* summary;
};

void addUnary(OpRegistry& ops, const UnaryOp& o) {
  OpRecord& r = ops.add(o.name)
                    .category("Math")
                    .summary(o.summary)
                    .input("x: T", "Numbers of any shape.")
                    .output("y: T", "The element-wise result, in the shape of `x`.")
                    .attr(o.types, "Type of the elements.")
                    .shape(shapes::unchanged)
                    .cpu({{"T", *o.kernels}}, unaryKernel());
  if (o.gradient) r.gradient(o.gradient);
  else r.noGradient(o.noGradient);
  const double flops = o.flops;
  r.cost([flops](const std::vector<Shape>&, const std::vector<Shape>& out, const AttrMap&, DType t) {
    const double n = double(std::max<int64_t>(out[0].elements(), 0));
    return Cost{flops * n, 2 * n * double(sizeOf(t))};
  });
}

void addUnaryGrad(OpRegistry& ops, const char* name, const char* of, const std::vector<DType>& kernels, GradientFunction gradient, const char* summary) {
  ops.add(name)
      .category("Math")
      .summary(summary)
      .description(std::string("Used in the gradient of ") + of + "; both inputs have the same shape.")
      .input("y: T", std::string("Output of ") + of + ".")
      .input("dy: T", "Gradient with respect to the output.")
      .output("z: T", "Gradient with respect to the input.")
      .attr(kRealOrComplex, "Type of the elements.")
      .shape(shapes::unchanged)
      .gradient(std::move(gradient))
      .cpu({{"T", kernels}}, pairKernel());
}

void addTest(OpRegistry& ops, const char* name, const std::vector<DType>& kernels, const char* summary) {
  ops.add(name)
      .category("Math")
      .summary(summary)
      .input("x: T", "Numbers of any shape.")
      .output("y: bool", "The element-wise result, in the shape of `x`.")
      .attr(kReal, "Type of the elements.")
      .shape(shapes::unchanged)
      .noGradient("The result is boolean.")
      .cpu({{"T", kernels}}, unaryKernel());
}

}  // namespace

void registerUnaryMath(OpRegistry& ops) {
  const std::vector<DType> absTypes = {DType::BFloat16, DType::Half, DType::Float, DType::Double, DType::Int8, DType::Int16, DType::Int32, DType::Int64};
  const std::vector<DType> signTypes = {DType::Half, DType::Float, DType::Double, DType::Int32, DType::Int64, DType::Complex64, DType::Complex128};
  const char* flat = "The result is piecewise constant, so its gradient is zero almost everywhere.";
  const UnaryOp table[] = {
      {"Abs", "T: {bfloat16, half, float, double, int32, int64}", &absTypes, 1, absGradient, nullptr, "Absolute value, element-wise."},
      {"Neg", kAnyNumber, &kNumbers, 1, negGradient, nullptr, "-x, element-wise."},
      {"Reciprocal", kAnyNumber, &types::kIeeeFloatsComplex, 1, reciprocalGradient, nullptr, "1 / x, element-wise."},
      {"Inv", kAnyNumber, &types::kIeeeFloatsComplex, 1, reciprocalGradient, nullptr, "1 / x, element-wise; older name of Reciprocal."},
      {"Square", kAnyNumber, &kNumbers, 1, squareGradient, nullptr, "x², element-wise."},
      {"Sqrt", kRealOrComplex, &types::kFloatsComplex, 4, sqrtGradient, nullptr, "Square root, element-wise."},
      {"Rsqrt", kRealOrComplex, &types::kIeeeFloatsComplex, 5, rsqrtGradient, nullptr, "1 / sqrt(x), element-wise."},
      {"Exp", kRealOrComplex, &types::kIeeeFloatsComplex, 10, expGradient, nullptr, "Exponential function e^x, element-wise."},
      {"Expm1", kRealOrComplex, &types::kIeeeFloatsComplex, 12, expm1Gradient, nullptr, "exp(x) - 1, element-wise, accurate for x near zero."},
      {"Log", kRealOrComplex, &types::kFloatsComplex, 10, logGradient, nullptr, "Natural logarithm, element-wise."},
      {"Log1p", kRealOrComplex, &types::kIeeeFloatsComplex, 12, log1pGradient, nullptr, "log(1 + x), element-wise, accurate for x near zero."},
      {"Tanh", kRealOrComplex, &types::kIeeeFloatsComplex, 12, byGradOp("TanhGrad"), nullptr, "Hyperbolic tangent, element-wise."},
      {"Sigmoid", kRealOrComplex, &types::kIeeeFloatsComplex, 12, byGradOp("SigmoidGrad"), nullptr, "Logistic sigmoid 1 / (1 + exp(-x)), element-wise."},
      {"Sin", kRealOrComplex, &types::kIeeeFloatsComplex, 12, timesFunction("Cos"), nullptr, "Sine, element-wise; x in radians."},
      {"Cos", kRealOrComplex, &types::kIeeeFloatsComplex, 12, cosGradient, nullptr, "Cosine, element-wise; x in radians."},
      {"Sinh", kRealOrComplex, &types::kIeeeFloatsComplex, 20, timesFunction("Cosh"), nullptr, "Hyperbolic sine, element-wise."},
      {"Cosh", kRealOrComplex, &types::kIeeeFloatsComplex, 20, timesFunction("Sinh"), nullptr, "Hyperbolic cosine, element-wise."},
      {"Tan", kAnyNumber, &types::kIeeeFloatsComplex, 20, tanGradient, nullptr, "Tangent, element-wise; x in radians."},
      {"Asin", kAnyNumber, &types::kFloats, 20, asinGradient, nullptr, "Arcsine in [-π/2, π/2], element-wise."},
      {"Acos", kAnyNumber, &types::kFloats, 20, acosGradient, nullptr, "Arccosine in [0, π], element-wise."},
      {"Atan", kAnyNumber, &types::kFloats, 20, byRationalSlope("Add"), nullptr, "Arctangent in (-π/2, π/2), element-wise."},
      {"Asinh", kRealOrComplex, &types::kIeeeFloatsComplex, 30, overFunctionOfResult("Cosh"), nullptr, "Inverse hyperbolic sine, element-wise."},
      {"Acosh", kRealOrComplex, &types::kIeeeFloatsComplex, 30, overFunctionOfResult("Sinh"), nullptr, "Inverse hyperbolic cosine, element-wise."},
      {"Atanh", kRealOrComplex, &types::kIeeeFloatsComplex, 30, byRationalSlope("Sub"), nullptr, "Inverse hyperbolic tangent, element-wise."},
      {"Sign", kAnyNumber, &signTypes, 1, signGradient, nullptr, "Sign, element-wise: -1, 0 or 1; complex numbers are divided by their magnitude."},
      {"Erf", kReal, &types::kFloats, 20, erfGradient, nullptr, "Gauss error function, element-wise."},
      {"Erfc", kReal, &types::kFloats, 20, erfcGradient, nullptr, "Complementary error function 1 - erf(x), element-wise."},
      {"Floor", kReal, &types::kFloats, 1, nullptr, flat, "Rounds down to the nearest integer, element-wise."},
      {"Ceil", kReal, &types::kFloats, 1, nullptr, flat, "Rounds up to the nearest integer, element-wise."},
      {"Rint", kReal, &types::kFloats, 1, nullptr, flat, "Rounds to the nearest integer, element-wise; halves are rounded to even."},
      {"Round", kAnyNumber, &signTypes, 1, nullptr, flat, "Rounds to the nearest integer, element-wise; halves are rounded to even."},
  };
  for (const UnaryOp& o : table) addUnary(ops, o);

  addUnaryGrad(ops, "ReciprocalGrad", "Reciprocal", types::kIeeeFloatsComplex, reciprocalGradGradient, "Gradient of Reciprocal: -dy * y².");
  addUnaryGrad(ops, "InvGrad", "Inv", types::kIeeeFloatsComplex, reciprocalGradGradient, "Gradient of Reciprocal: -dy * y².");
  addUnaryGrad(ops, "SqrtGrad", "Sqrt", types::kFloatsComplex, sqrtGradGradient, "Gradient of Sqrt: dy * 0.5 / y.");
  addUnaryGrad(ops, "RsqrtGrad", "Rsqrt", types::kIeeeFloatsComplex, rsqrtGradGradient, "Gradient of Rsqrt: -0.5 * dy * y³.");
  addUnaryGrad(ops, "TanhGrad", "Tanh", types::kIeeeFloatsComplex, tanhGradGradient, "Gradient of Tanh: dy * (1 - y²).");
  addUnaryGrad(ops, "SigmoidGrad", "Sigmoid", types::kIeeeFloatsComplex, sigmoidGradGradient, "Gradient of Sigmoid: dy * y * (1 - y).");

  addTest(ops, "IsNan", types::kFloatsBf, "Whether each element is NaN.");
  addTest(ops, "IsInf", types::kFloats, "Whether each element is infinite.");
  addTest(ops, "IsFinite", types::kFloats, "Whether each element is neither infinite nor NaN.");

  ops.add("LogicalNot")
      .category("Logic")
      .summary("Logical NOT, element-wise.")
      .input("x: bool", "Booleans of any shape.")
      .output("y: bool", "The negated booleans.")
      .shape(shapes::unchanged)
      .noGradient("It operates on booleans.")
      .cpu({}, unaryKernel());
  ops.add("Conj")
      .category("Math")
      .summary("Complex conjugate, element-wise.")
      .input("input: T", "Complex numbers of any shape.")
      .output("output: T", "The conjugates, in the shape of the input.")
      .attr("T: {complex64, complex128, variant} = DT_COMPLEX64", "Type of the elements.")
      .shape(shapes::unchanged)
      .gradient(conjGradient)
      .cpu({{"T", types::kComplex}}, unaryKernel());
  ops.add("Invert")
      .category("Math")
      .summary("Bitwise NOT, element-wise.")
      .input("x: T", "Integers of any shape.")
      .output("y: T", "The inverted integers.")
      .attr("T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}", "Type of the elements.")
      .shape(shapes::unchanged)
      .noGradient("It operates on integers.")
      .cpu({}, unaryKernel());
  state(ops, OpRole::Sigmoid, Effect::None, "Sigmoid");
  passNan(ops, NanPath::Elementwise, "Exp Neg Sigmoid SigmoidGrad Square Tanh TanhGrad");
  countFlops(ops, 1, "Neg Reciprocal Square Sqrt Log Exp Tanh Sigmoid");
  countFlops(ops, 2, "Rsqrt");
  countFlops(ops, 4, "RsqrtGrad");
}

}  // namespace weft
