#include <unsupported/Eigen/SpecialFunctions>

#include "base/parallel.h"
#include "ops/elementwise_kernel.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "ops/special_functions.h"

// Special functions of one to three numbers: Gamma, zeta, Bessel, incomplete integrals; also the next representable float.
namespace weft {

Result<Shape> betaincShapeOf(KernelContext& c) {
  const Tensor* in[3] = {&c.input(0), &c.input(1), &c.input(2)};
  const Tensor* shaped = nullptr;
  for (const Tensor* t : in) {
    if (t->rank() == 0) continue;
    if (shaped && !(shaped->shape() == t->shape()))
      return invalidArgument("Shapes of ", in[0] == shaped ? "a" : "b", " and ", t == in[1] ? "b" : "x", " are inconsistent: ", shaped->shape().toString(),
                             " vs. ", t->shape().toString());
    shaped = t;
  }
  return shaped ? shaped->shape() : Shape();
}

namespace {

using py::BroadcastAxes;
using Grads = Result<std::vector<Output>>;

Grads lgammaGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto guard = py::afterGrad(c);
  const Output x = py::conj(b, c.input(0));
  return std::vector{py::mul(b, c.grad(), b.op("Digamma", {x}))};
}

Grads digammaGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto guard = py::afterGrad(c);
  const Output x = py::conj(b, c.input(0));
  const Output one = b.number(b.dtype(x), 1, "Const");
  return std::vector{py::mul(b, c.grad(), b.op("Polygamma", {one, x}))};
}

Grads besselI0eGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto guard = py::afterGrad(c);
  const Output x = c.input(0), y = c.output(0);
  const Output i1e = b.op("BesselI1e", {x});
  const Output slope = py::sub(b, i1e, py::mul(b, b.op("Sign", {x}), y));
  return std::vector{py::mul(b, c.grad(), slope)};
}

/// At zero, division by x would give NaN; the limit is 0.5.
Grads besselI1eGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto guard = py::afterGrad(c);
  const Output x = c.input(0), y = c.output(0);
  const DType type = b.dtype(x);
  const double epsilon = type == DType::Double ? 0x1p-52 : type == DType::Half ? 0x1p-10 : 0x1p-23;
  const Output zeros = py::zerosLike(b, x);
  const Output notTiny = py::call(b, "Greater", b.op("Abs", {x}), epsilon);
  const Output safe = b.op("Select", {notTiny, x, py::add(b, epsilon, zeros)});
  const Output i0e = b.op("BesselI0e", {safe});
  const Output sign = b.op("Sign", {safe});
  const Output factor = py::add(b, sign, b.op("Reciprocal", {safe}));
  const Output plain = py::sub(b, i0e, py::mul(b, y, factor));
  const Output slope = b.op("Select", {notTiny, plain, py::add(b, 0.5, zeros)});
  return std::vector{py::mul(b, c.grad(), slope)};
}

Grads igammaGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output a = c.input(0), x = c.input(1);
  const BroadcastAxes axes = py::dynamicBroadcastAxes(b, a, x);
  const auto guard = py::afterGrad(c);
  const Output slopeA = b.op("IgammaGradA", {a, x});
  const Output minus = py::neg(b, x), less = py::sub(b, a, 1);
  const Output sum = py::add(b, minus, py::mul(b, less, b.op("Log", {x})));
  const Output slopeX = b.op("Exp", {py::sub(b, sum, b.op("Lgamma", {a}))});
  const Output ga = py::reduced(b, py::mul(b, slopeA, c.grad()), axes.x);
  return std::vector{ga, py::reduced(b, py::mul(b, slopeX, c.grad()), axes.y)};
}

Grads igammacGradient(GradContext& c) {
  WEFT_LET(const auto g, igammaGradient(c));
  const Output ga = py::neg(c.b(), g[0]);
  return std::vector{ga, py::neg(c.b(), g[1])};
}

Grads betaincGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output p = c.input(0), q = c.input(1), x = c.input(2);
  const BroadcastAxes axes = py::dynamicBroadcastAxes(b, p, x);
  const Output lp = b.op("Lgamma", {p}), lq = b.op("Lgamma", {q});
  const Output both = py::add(b, lp, lq);
  const Output logBeta = py::sub(b, both, b.op("Lgamma", {py::add(b, p, q)}));
  const Output lessQ = py::sub(b, q, 1);
  const Output first = py::mul(b, lessQ, b.op("Log", {py::sub(b, 1, x)}));
  const Output lessP = py::sub(b, p, 1);
  const Output second = py::mul(b, lessP, b.op("Log", {x}));
  const Output slope = b.op("Exp", {py::sub(b, py::add(b, first, second), logBeta)});
  return std::vector{Output{}, Output{}, py::reduced(b, py::mul(b, slope, c.grad()), axes.y)};
}

/// Zeta and Polygamma are differentiated with respect to their second argument only.
Grads zetaGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output x = c.input(0), q = c.input(1);
  const BroadcastAxes axes = py::dynamicBroadcastAxes(b, x, q);
  const auto guard = py::afterGrad(c);
  const Output minus = py::neg(b, x);
  const Output slope = py::mul(b, minus, b.op("Zeta", {py::add(b, x, 1), q}));
  return std::vector{Output{}, py::reduced(b, py::mul(b, slope, c.grad()), axes.y)};
}
Grads polygammaGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output n = c.input(0), x = c.input(1);
  const BroadcastAxes axes = py::dynamicBroadcastAxes(b, n, x);
  const auto guard = py::afterGrad(c);
  const Output slope = b.op("Polygamma", {py::add(b, n, 1), x});
  return std::vector{Output{}, py::reduced(b, py::mul(b, slope, c.grad()), axes.y)};
}

Grads nextAfterGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output x = c.input(0), y = c.input(1);
  const BroadcastAxes axes = py::dynamicBroadcastAxes(b, x, y);
  const auto guard = py::afterGrad(c);
  const Output one = b.number(b.dtype(x), 1, "ones/Const");
  const Output ones = b.op("Fill", {*axes.x.shape.tensor(), one}, {}, "ones");
  const Output zeros = py::zeros(b, *axes.y.shape.tensor(), b.dtype(y));
  const Output gx = py::reduced(b, py::mul(b, ones, c.grad()), axes.x);
  return std::vector{gx, py::reduced(b, py::mul(b, zeros, c.grad()), axes.y)};
}

void addSpecial(OpRegistry& ops, const char* name, GradientFunction gradient, const char* summary) {
  ops.add(name)
      .category("Math")
      .summary(summary)
      .input("x: T", "Numbers of any shape.")
      .output("y: T", "The element-wise result, in the shape of `x`.")
      .attr("T: {bfloat16, half, float, double}", "Type of the elements.")
      .shape(shapes::unchanged)
      .gradient(std::move(gradient))
      .cpu({{"T", types::kFloats}}, unaryKernel());
}

OpRecord& addPair(OpRegistry& ops, const char* name, const char* first, const char* second, const char* result, const char* summary) {
  return ops.add(name)
      .category("Math")
      .summary(summary)
      .description("The inputs are broadcast against each other.")
      .input(std::string(first) + ": T", "First argument.")
      .input(std::string(second) + ": T", "Second argument; its shape must be broadcastable with that of the first.")
      .output(std::string(result) + ": T", "The element-wise result, in the broadcast shape.")
      .attr("T: {float, double}", "Type of the elements.")
      .shape(shapes::broadcast)
      .cpu({{"T", {DType::Float, DType::Double}}}, binaryKernel());
}

Status betaincShape(ShapeContext& c) {
  Shape out = Shape::unknown();
  bool known = true;
  for (int i = 0; i < 3; ++i) {
    const Shape& s = c.input(i);
    known = known && s.hasRank();
    if (!s.hasRank() || s.rank() == 0) continue;
    WEFT_LET(out, c.merge(out, s));
  }
  // Scalars broadcast to any shape, so a known non-scalar shape is the result's.
  if (out.hasRank() || known) c.setOutput(0, out.hasRank() ? out : Shape());
  return {};
}

template <typename T>
void betaincLoop(const Tensor* in[3], Tensor& out) {
  const T* p[3];
  int64_t step[3];
  for (int i = 0; i < 3; ++i) p[i] = in[i]->data<T>(), step[i] = in[i]->rank() != 0;
  T* y = out.mutableData<T>();
  parallelFor(out.elements(), 64, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) y[i] = Eigen::numext::betainc(p[0][i * step[0]], p[1][i * step[1]], p[2][i * step[2]]);
  });
}

Status runBetainc(KernelContext& c) {
  const Tensor* in[3] = {&c.input(0), &c.input(1), &c.input(2)};
  WEFT_LET(const Shape shape, betaincShapeOf(c));
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  if (out->dtype() == DType::Double) betaincLoop<double>(in, *out);
  else betaincLoop<float>(in, *out);
  return {};
}

}  // namespace

void registerSpecialFunctions(OpRegistry& ops) {
  addSpecial(ops, "Lgamma", lgammaGradient, "log(|Γ(x)|), element-wise.");
  addSpecial(ops, "Digamma", digammaGradient, "Digamma function ψ(x), the derivative of Lgamma, element-wise.");
  addSpecial(ops, "BesselI0e", besselI0eGradient, "Exponentially scaled modified Bessel function I₀(x) * exp(-|x|), element-wise.");
  addSpecial(ops, "BesselI1e", besselI1eGradient, "Exponentially scaled modified Bessel function I₁(x) * exp(-|x|), element-wise.");
  addPair(ops, "Polygamma", "a", "x", "z", "Polygamma function: the derivative of order `a` of the digamma function at `x`, element-wise.")
      .gradient(polygammaGradient);
  addPair(ops, "Zeta", "x", "q", "z", "Hurwitz zeta function: the sum of (q + n)^-x over n = 0, 1, 2, …, element-wise.").gradient(zetaGradient);
  addPair(ops, "Igamma", "a", "x", "z", "Regularized lower incomplete gamma function P(a, x), element-wise.").gradient(igammaGradient);
  addPair(ops, "Igammac", "a", "x", "z", "Regularized upper incomplete gamma function Q(a, x) = 1 - P(a, x), element-wise.").gradient(igammacGradient);
  addPair(ops, "IgammaGradA", "a", "x", "z", "Derivative of Igamma with respect to `a`, element-wise.")
      .noGradient("TensorFlow defines no second derivative with respect to `a`.")
      .gradientIsError = true;
  addPair(ops, "RandomGammaGrad", "alpha", "sample", "output", "Derivative of a Gamma-distributed sample with respect to its parameter `alpha`, element-wise.")
      .noGradient("TensorFlow defines no second derivative with respect to `alpha`.")
      .gradientIsError = true;
  OpRecord& next = addPair(ops, "NextAfter", "x1", "x2", "output", "The next representable float after `x1` in the direction of `x2`, element-wise.")
                       .gradient(nextAfterGradient);
  next.attrs.clear();
  next.attr("T: {double, float} = DT_FLOAT", "Type of the elements.");
  ops.add("Betainc")
      .category("Math")
      .summary("Regularized incomplete beta function I_x(a, b), element-wise.")
      .description("All inputs have the same shape; any of them may be a scalar instead.")
      .input("a: T", "First parameter, positive.")
      .input("b: T", "Second parameter, positive.")
      .input("x: T", "Upper limit of the integral, between 0 and 1.")
      .output("z: T", "The element-wise result.")
      .attr("T: {float, double}", "Type of the elements.")
      .shape(betaincShape)
      .gradient(betaincGradient)
      .cpu({{"T", {DType::Float, DType::Double}}}, simpleKernel(runBetainc));
}

}  // namespace weft
