// Activation functions and their gradients.
#include <algorithm>

#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/elementwise.h"
#include "device/cpu/half_blocks.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

namespace weft {
namespace {

const std::vector<DType> kReals = {DType::Float, DType::Double, DType::Half,   DType::BFloat16, DType::Int8,
                                   DType::UInt8, DType::Int16,  DType::UInt16, DType::Int32,    DType::Int64};
const std::vector<DType> kCpuFloatsBf = {DType::Half, DType::BFloat16, DType::Float, DType::Double};

// ---- functions of one element (C is the type used to compute); those without attributes are in the table of element-wise functions

template <typename C>
C leakyRelu(C x, C alpha) {
  return std::max(x, C(x * alpha));
}
template <typename C>
C leakyReluGrad(C g, C x, C alpha) {
  return x > 0 ? g : C(g * alpha);
}

// ---- kernels

Status differentSizes(const KernelContext& c) {
  return invalidArgument("Inputs to operation ", c.node().name, " of type ", c.node().op,
                         " must have the same size and shape.  Input 0: ", c.input(0).shape().toString(), " != input 1: ", c.input(1).shape().toString());
}

/// An op whose function is in the table of element-wise functions, which the fusion pass uses too.
Status tableKernel(KernelContext& c) {
  const Tensor& first = c.input(0);
  const bool binary = c.inputCount() == 2;
  if (binary && !(first.shape() == c.input(1).shape())) return differentSizes(c);
  const cpu::ElementwiseEntry* entry = cpu::findElementwise(c.node().op, first.dtype());
  if (!entry) return unimplemented(c.node().op, " of ", dtypeName(first.dtype()), " is not supported");
  auto allocated = binary ? c.allocateOrForward(0, first.shape(), {0, 1}) : c.allocateOrForward(0, first.shape(), {0});
  WEFT_LET(Tensor * out, std::move(allocated));
  const size_t size = sizeOf(first.dtype());
  const char *x = static_cast<const char*>(first.raw()), *y = binary ? static_cast<const char*>(c.input(1).raw()) : nullptr;
  char* o = static_cast<char*>(out->mutableRaw());
  parallelFor(first.elements(), cpu::grainFor(entry->nanoseconds), [&](int64_t begin, int64_t end) {
    const size_t at = size_t(begin) * size;
    const void* in[2] = {x + at, y ? y + at : nullptr};
    const bool scalar[2] = {false, false};
    entry->fn(in, scalar, o + at, long(end - begin));
  });
  return {};
}

constexpr int64_t kActivationGrain = 8192;

template <typename F>
Status unaryOver(KernelContext& c, double alpha, F&& f) {
  const Tensor& x = c.input(0);
  WEFT_LET(Tensor * out, c.allocateOrForward(0, x.shape(), {0}));
  cpu::withNumber(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (cpu::kIsFloat<T>) {
      const T* in = static_cast<const T*>(x.raw());
      T* o = static_cast<T*>(out->mutableRaw());
      parallelFor(x.elements(), kActivationGrain, [&](int64_t begin, int64_t end) {
        cpu::mapFloats<T, 1>({in + begin}, o + begin, end - begin, [&](auto v) { return f(v, decltype(v)(alpha)); });
      });
    }
  });
  return {};
}

template <typename F>
Status binaryOver(KernelContext& c, double alpha, F&& f) {
  const Tensor &g = c.input(0), &x = c.input(1);
  if (!(g.shape() == x.shape())) return differentSizes(c);
  WEFT_LET(Tensor * out, c.allocateOrForward(0, x.shape(), {0, 1}));
  cpu::withNumber(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (cpu::kIsFloat<T>) {
      const T *gi = static_cast<const T*>(g.raw()), *xi = static_cast<const T*>(x.raw());
      T* o = static_cast<T*>(out->mutableRaw());
      parallelFor(x.elements(), kActivationGrain, [&](int64_t begin, int64_t end) {
        cpu::mapFloats<T, 2>({gi + begin, xi + begin}, o + begin, end - begin, [&](auto a, auto b) { return f(a, b, decltype(a)(alpha)); });
      });
    }
  });
  return {};
}

#define WEFT_UNARY_KERNEL(f) simpleKernel([](KernelContext& c) { return unaryOver(c, c.node().attrs.number("alpha"), [](auto x, auto a) { return f(x, a); }); })
#define WEFT_BINARY_KERNEL(f) \
  simpleKernel([](KernelContext& c) { return binaryOver(c, c.node().attrs.number("alpha"), [](auto g, auto x, auto a) { return f(g, x, a); }); })

// ---- gradients

/// Calls a gradient op on the gradient and the op's input or output.
GradientFunction byOp(std::string gradOp, bool ofOutput, bool alpha) {
  return [gradOp, ofOutput, alpha](GradContext& c) -> Result<std::vector<Output>> {
    AttrMap attrs;
    if (alpha) attrs.set("alpha", c.attrs().number("alpha"));
    return std::vector<Output>{c.b().op(gradOp, {c.grad(), ofOutput ? c.output(0) : c.input(0)}, std::move(attrs))};
  };
}

/// For gradients that are linear in dy and piecewise constant in x: the same op, and zeros.
Result<std::vector<Output>> piecewiseLinear(GradContext& c) {
  GraphBuilder& b = c.b();
  AttrMap attrs;
  if (c.attrs().find("alpha")) attrs.set("alpha", c.attrs().number("alpha"));
  const Output dy = b.op(c.node().op, {c.grad(), c.input(1)}, std::move(attrs));
  const Output shape = py::shape(b, c.input(1));
  return std::vector<Output>{dy, py::zeros(b, shape, b.dtype(c.input(1)))};
}

/// For EluGrad and SeluGrad: where y < 0, the slope is y plus a constant.
Result<std::vector<Output>> exponentialPart(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output y = c.input(1);
  const Output dy = b.op(c.node().op, {c.grad(), y});
  const Output negative = py::call(b, "Less", y, 0.0);
  const Output product = py::mul(b, c.grad(), c.input(0));
  return std::vector<Output>{dy, b.op("Select", {negative, product, py::zerosLike(b, y)})};
}

Result<std::vector<Output>> softplusGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output s = b.op("Sigmoid", {c.input(0)});
  return std::vector<Output>{py::mul(b, c.grad(), s)};
}

Result<std::vector<Output>> softplusGradGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output x = c.input(1);
  auto after = b.controlDependencies({c.grad().node});
  const Output ddy = b.op("SoftplusGrad", {c.grad(), x});
  const Output product = py::mul(b, c.grad(), c.input(0));
  const Output down = py::add(b, b.op("Exp", {py::neg(b, x)}), 2.0);
  const Output all = py::add(b, down, b.op("Exp", {x}));
  return std::vector<Output>{ddy, py::truediv(b, product, all)};
}

// ---- records

struct Activation {
  const char *name, *summary, *types;
  KernelFactory kernel, gradKernel;
  bool gradOfOutput;  ///< the gradient op takes the activations, not the features
  GradientFunction gradGradient;
  const std::vector<DType>* cpuTypes;
};

void addActivation(OpRegistry& ops, const Activation& a) {
  const std::string name = a.name, gradName = name + "Grad", types = a.types;
  const bool alpha = name == "LeakyRelu";
  OpRecord& r = ops.add(name)
                    .category("Activations")
                    .keywords("nonlinearity neuron")
                    .summary(a.summary)
                    .input("features: T", "Any tensor.")
                    .output("activations: T", "The activations, in the shape of `features`.")
                    .shape(shapes::unchanged)
                    .cpu({{"T", *a.cpuTypes}}, a.kernel);
  OpRecord& g = ops.add(gradName)
                    .category("Gradients")
                    .summary("Gradient of " + name + " with respect to its input.")
                    .input("gradients: T", "Gradient of the output of " + name + ".")
                    .input(a.gradOfOutput ? "outputs: T" : "features: T", (a.gradOfOutput ? "Output of " : "Input of ") + name + (a.gradOfOutput ? "." : "."))
                    .output("backprops: T", "Gradient of the input.")
                    .shape(shapes::mergeAll)
                    .cpu({{"T", *a.cpuTypes}}, a.gradKernel);
  // TensorFlow's definitions have the attributes in this order.
  for (OpRecord* record : {&r, &g}) {
    if (alpha) record->attr("alpha: float = 0.2", "Slope for negative inputs.");
    // Only Relu is also defined for qint8 (on GPUs).
    const std::string allowed =
        name == "Relu" && record == &r ? "{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8}" : types;
    record->attr("T: " + allowed + (alpha ? " = DT_FLOAT" : ""), "Type of the elements.");
  }
  if (name == "Softplus") {
    r.gradient(softplusGradient);
  } else {
    // The gradients of Relu and Relu6 take the output, which is as informative as the input and in memory anyway.
    const bool ofOutput = a.gradOfOutput || name == "Relu" || name == "Relu6";
    r.gradient(byOp(gradName, ofOutput, alpha));
  }
  if (a.gradGradient) {
    g.gradient(a.gradGradient);
  } else {
    g.noGradient("TensorFlow defines no second derivative of " + name + ".");
    g.gradientIsError = true;
  }
}

}  // namespace

void registerActivations(OpRegistry& ops) {
  const KernelFactory table = simpleKernel(tableKernel);
  const char* reals = "realnumbertype";
  const char* floats = "{half, bfloat16, float, double}";
  addActivation(ops, {"Relu", "max(x, 0), element-wise.", reals, table, table, false, piecewiseLinear, &kReals});
  addActivation(ops, {"Relu6", "min(max(x, 0), 6), element-wise.", reals, table, table, false, piecewiseLinear, &kReals});
  addActivation(ops, {"Elu", "Exponential linear unit: x where x > 0, otherwise e^x - 1.", floats, table, table, true, exponentialPart, &types::kIeeeFloats});
  addActivation(ops, {"Selu", "Scaled exponential linear unit: an Elu scaled so that activations keep mean 0 and variance 1.", floats, table, table, true,
                      exponentialPart, &types::kIeeeFloats});
  addActivation(ops, {"Softplus", "log(1 + e^x), a smooth version of Relu.", floats, table, table, false, softplusGradGradient, &kCpuFloatsBf});
  addActivation(ops, {"Softsign", "x / (1 + |x|), element-wise.", floats, table, table, false, nullptr, &kCpuFloatsBf});
  addActivation(ops, {"LeakyRelu", "x where x > 0, otherwise alpha * x.", floats, WEFT_UNARY_KERNEL(leakyRelu), WEFT_BINARY_KERNEL(leakyReluGrad), false,
                      piecewiseLinear, &kCpuFloatsBf});
  countFlops(ops, 1, "Relu ReluGrad");
}

}  // namespace weft
