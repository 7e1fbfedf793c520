#include "ops/elementwise_kernel.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"

// Composition and parts of complex numbers.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

DType complexOf(DType real) { return real == DType::Double ? DType::Complex128 : DType::Complex64; }
DType realOf(DType complex) { return complex == DType::Complex128 ? DType::Double : DType::Float; }

Output complex(GraphBuilder& b, Output real, Output imag) {
  const py::Scope s(b, "Complex");
  return b.op("Complex", {real, imag}, {{"Tout", complexOf(b.dtype(real))}}, s.name());
}
Output part(GraphBuilder& b, const char* op, Output x) {
  if (!isComplex(b.dtype(x))) return x;
  const py::Scope s(b, op);
  return b.op(op, {x}, {{"Tout", realOf(b.dtype(x))}}, s.name());
}

Grads complexGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const py::BroadcastAxes axes = py::dynamicBroadcastAxes(b, c.input(0), c.input(1));
  const Output real = py::reduced(b, part(b, "Real", c.grad()), axes.x);
  return std::vector{real, py::reduced(b, part(b, "Imag", c.grad()), axes.y)};
}

Grads realGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output zero = b.number(b.dtype(c.grad()), 0, "Const");
  return std::vector{complex(b, c.grad(), zero)};
}
Grads imagGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output zero = b.number(b.dtype(c.grad()), 0, "Const");
  return std::vector{complex(b, zero, c.grad())};
}

/// -grad / (Im(x) + i Re(x))
Grads angleGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto guard = py::afterGrad(c);
  const Output re = part(b, "Real", c.input(0)), im = part(b, "Imag", c.input(0));
  const Output z = b.op("Reciprocal", {complex(b, im, re)});
  const Output zero = b.number(b.dtype(c.grad()), 0, "Const");
  const Output minus = py::neg(b, complex(b, c.grad(), zero));
  return std::vector{py::mul(b, minus, z)};
}

Grads magnitudeGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output g = complex(b, c.grad(), py::zerosLike(b, c.grad()));
  const Output numerator = py::mul(b, g, c.input(0));
  const Output y = c.output(0);
  const Output denominator = complex(b, y, py::zerosLike(b, y));
  const py::Scope s(b, "div_no_nan");
  return std::vector{b.op("DivNoNan", {numerator, denominator}, {}, s.name())};
}

void addPart(OpRegistry& ops, const char* name, const char* in, const char* out, GradientFunction gradient, const char* summary) {
  ops.add(name)
      .category("Math")
      .summary(summary)
      .input(std::string(in) + ": T", "Complex numbers of any shape.")
      .output(std::string(out) + ": Tout", "Real numbers, in the shape of the input.")
      .attr("T: {complex64, complex128} = DT_COMPLEX64", "Type of the elements.")
      .attr("Tout: {float, double} = DT_FLOAT", "Type of the result: float for complex64, double for complex128.")
      .shape(shapes::unchanged)
      .gradient(std::move(gradient))
      .cpu({{"T", {DType::Complex64}}, {"Tout", {DType::Float}}}, unaryKernel())
      .cpu({{"T", {DType::Complex128}}, {"Tout", {DType::Double}}}, unaryKernel());
}

}  // namespace

void registerComplexParts(OpRegistry& ops) {
  addPart(ops, "Real", "input", "output", realGradient, "Real part of each element.");
  addPart(ops, "Imag", "input", "output", imagGradient, "Imaginary part of each element.");
  addPart(ops, "Angle", "input", "output", angleGradient, "Argument (phase angle) of each complex element, in (-π, π].");
  addPart(ops, "ComplexAbs", "x", "y", magnitudeGradient, "Absolute value of each complex element.");
  ops.add("Complex")
      .category("Math")
      .summary("Builds complex numbers from their real and imaginary parts.")
      .description("The inputs are broadcast against each other.")
      .input("real: T", "Real parts.")
      .input("imag: T", "Imaginary parts; the shape must be broadcastable with that of `real`.")
      .output("out: Tout", "The complex numbers, in the broadcast shape.")
      .attr("T: {float, double} = DT_FLOAT", "Type of the parts.")
      .attr("Tout: {complex64, complex128} = DT_COMPLEX64", "complex64 for float, complex128 for double.")
      .shape(shapes::broadcast)
      .gradient(complexGradient)
      .cpu({{"T", {DType::Float}}, {"Tout", {DType::Complex64}}}, binaryKernel())
      .cpu({{"T", {DType::Double}}, {"Tout", {DType::Complex128}}}, binaryKernel());
}

}  // namespace weft
