// TensorFlow's first batch normalization, with mean and variance as inputs, and its gradient.
#include "ops/batch_norm.h"

#include <cmath>

#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

namespace weft {
namespace {

Status normShape(ShapeContext& c) {
  const bool isGradient = c.outputCount() > 1;
  Shape x = c.input(0).hasRank() ? c.input(0) : Shape::unknownOfRank(4);
  WEFT_TRY(c.requireRank(c.input(0), 4));
  if (isGradient) {
    WEFT_TRY(c.requireRank(c.input(4), 4));
    WEFT_LET(x, c.merge(x, c.input(4)));
  }
  int64_t channels = x.dim(3);
  for (int i = 1; i < (isGradient ? 4 : 5); ++i) {
    WEFT_TRY(c.requireRank(c.input(i), 1));
    if (!c.input(i).hasRank()) continue;
    WEFT_LET(channels, c.mergeDims(channels, c.input(i).dim(0)));
  }
  x.setDim(3, channels);
  c.setOutput(0, x);
  for (int i = 1; i < c.outputCount(); ++i) c.setOutput(i, Shape{channels});
  return {};
}

Result<std::vector<Output>> normGradient(GradContext& c) {
  AttrMap attrs;
  for (const char* name : {"variance_epsilon", "scale_after_normalization"}) {
    if (const Attr* a = c.attrs().find(name)) attrs.set(name, *a);
  }
  return c.b().outputsOf(c.b().node("BatchNormWithGlobalNormalizationGrad", {c.input(0), c.input(1), c.input(2), c.input(4), c.grad()}, attrs));
}

Status checkInputs(const KernelContext& c, std::initializer_list<const char*> names) {
  const Tensor& x = c.input(0);
  if (x.rank() != 4) return invalidArgument("input must be 4-dimensional", x.shape().toString());
  int i = 1;
  for (const char* name : names) {
    const Tensor& t = c.input(i++);
    if (t.rank() != 1) return invalidArgument(name, " must be 1-dimensional", t.shape().toString());
    if (t.dim(0) != x.dim(3)) return invalidArgument(name, " must have ", x.dim(3), " elements, but has shape ", t.shape().toString());
  }
  return {};
}

}  // namespace

Status checkGlobalNorm(const KernelContext& c) { return checkInputs(c, {"mean", "var", "beta", "gamma"}); }

Status checkGlobalNormGrad(const KernelContext& c) {
  WEFT_TRY(checkInputs(c, {"mean", "var", "gamma"}));
  const Tensor &x = c.input(0), &grad = c.input(4);
  if (grad.rank() != 4) return invalidArgument("out_backprop must be 4-dimensional", grad.shape().toString());
  if (grad.shape() != x.shape())
    return invalidArgument("out_backprop must have the shape ", x.shape().toString(), " of the input, but has ", grad.shape().toString());
  return {};
}

namespace {

Status runNorm(KernelContext& c) {
  WEFT_TRY(checkGlobalNorm(c));
  const Tensor& x = c.input(0);
  const float epsilon = c.node().attrs.number("variance_epsilon");
  const bool scaled = c.node().attrs.flag("scale_after_normalization");
  WEFT_LET(Tensor * out, c.allocate(0, x.shape()));
  withFloat(x.dtype(), [&]<typename T>(std::type_identity<T>) {
    using C = std::conditional_t<std::is_same_v<T, double>, double, float>;
    for (int64_t i = 0; i < x.elements(); ++i) {
      const int64_t k = i % x.dim(3);
      const auto of = [&](int input) { return C(elementsOf<T>(c.input(input))[k]); };
      const C factor = C(1) / std::sqrt(of(2) + C(epsilon)) * (scaled ? of(4) : C(1));
      elementsOf<T>(*out)[i] = T((C(elementsOf<T>(x)[i]) - of(1)) * factor + of(3));
    }
  });
  return {};
}

Status runNormGrad(KernelContext& c) {
  WEFT_TRY(checkGlobalNormGrad(c));
  const Tensor &x = c.input(0), &grad = c.input(4);
  const float epsilon = c.node().attrs.number("variance_epsilon");
  const bool scaled = c.node().attrs.flag("scale_after_normalization");
  const int64_t channels = x.dim(3);
  WEFT_LET(Tensor * dx, c.allocate(0, x.shape()));
  Tensor* sums[4];
  for (int i = 0; i < 4; ++i) {
    WEFT_LET(sums[i], c.allocate(i + 1, Shape{channels}));
  }
  withFloat(x.dtype(), [&]<typename T>(std::type_identity<T>) {
    const auto of = [&](int input, int64_t k) { return double(elementsOf<T>(c.input(input))[k]); };
    std::vector<double> total(static_cast<size_t>(channels), 0), weighted(static_cast<size_t>(channels), 0);
    for (int64_t i = 0; i < x.elements(); ++i) {
      const int64_t k = i % channels;
      const double d = double(elementsOf<T>(grad)[i]);
      total[size_t(k)] += d;
      weighted[size_t(k)] += d * (double(elementsOf<T>(x)[i]) - of(1, k));
      elementsOf<T>(*dx)[i] = T(d / std::sqrt(of(2, k) + double(epsilon)) * (scaled ? of(3, k) : 1.0));
    }
    for (int64_t k = 0; k < channels; ++k) {
      const double gamma = scaled ? of(3, k) : 1, variance = of(2, k) + double(epsilon), root = 1 / std::sqrt(variance);
      elementsOf<T>(*sums[0])[k] = T(-total[size_t(k)] * gamma * root);
      elementsOf<T>(*sums[1])[k] = T(weighted[size_t(k)] * gamma * -0.5 * root / variance);
      elementsOf<T>(*sums[2])[k] = T(total[size_t(k)]);
      elementsOf<T>(*sums[3])[k] = T(scaled ? weighted[size_t(k)] * root : 0.0);
    }
  });
  return {};
}

OpRecord& withAttrs(OpRecord& r) {
  return r.attr("T: numbertype", "Type of the elements.")
      .attr("variance_epsilon: float", "Small constant added to the variance to avoid division by zero.")
      .attr("scale_after_normalization: bool", "Whether to multiply by gamma.")
      .deprecated(9, "Use tf.nn.batch_normalization()")
      .shape(normShape);
}

}  // namespace

void registerBatchNormGlobal(OpRegistry& ops) {
  withAttrs(ops.add("BatchNormWithGlobalNormalization")
                .category("Neural network")
                .summary("Batch normalization with given mean and variance; deprecated in favour of FusedBatchNorm.")
                .input("t: T", "Images [batch, height, width, channels].")
                .input("m: T", "Mean of each channel.")
                .input("v: T", "Variance of each channel.")
                .input("beta: T", "Offset of each channel.")
                .input("gamma: T", "Scale of each channel, applied if scale_after_normalization is set.")
                .output("result: T", "The normalized images."))
      .gradient(normGradient)
      .cpu({{"T", types::kFloats}}, simpleKernel(runNorm));
  withAttrs(ops.add("BatchNormWithGlobalNormalizationGrad")
                .category("Gradients")
                .summary("Gradient of BatchNormWithGlobalNormalization.")
                .input("t: T", "The images.")
                .input("m: T", "Mean of each channel.")
                .input("v: T", "Variance of each channel.")
                .input("gamma: T", "Scale of each channel.")
                .input("backprop: T", "Gradient with respect to the normalized images.")
                .output("dx: T", "Gradient with respect to the images.")
                .output("dm: T", "Gradient with respect to the mean.")
                .output("dv: T", "Gradient with respect to the variance.")
                .output("db: T", "Gradient with respect to beta.")
                .output("dg: T", "Gradient with respect to gamma."))
      .noGradient("TensorFlow defines no second derivative for it.")
      .cpu({{"T", types::kFloats}}, simpleKernel(runNormGrad))
      .gradientIsError = true;
}

}  // namespace weft
