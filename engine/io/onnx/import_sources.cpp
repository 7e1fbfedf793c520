#include <algorithm>
#include <cmath>

#include "io/onnx/import_node.h"
#include "io/onnx/tensor_proto.h"

// Constants, sequences of numbers, and random numbers.

namespace weft::onnx_io {
namespace {

Translation constantOp(ImportNode& n) {
  if (n.hasAttr("value")) {
    WEFT_LET(Tensor value, n.tensor("value"));
    return Outputs{n.b.constant(std::move(value))};
  }
  if (n.hasAttr("value_float")) return Outputs{n.b.scalar(n.real("value_float"))};
  if (n.hasAttr("value_int")) return Outputs{n.b.scalar(n.integer("value_int"))};
  if (n.hasAttr("value_string")) return Outputs{n.b.constant(Tensor::scalar(n.text("value_string")))};
  if (n.hasAttr("value_floats")) return Outputs{n.b.constant(Tensor::vector(n.reals("value_floats")))};
  if (n.hasAttr("value_ints")) return Outputs{n.b.constant(Tensor::vector(n.integers("value_ints")))};
  if (n.hasAttr("value_strings")) return Outputs{n.b.constant(Tensor::vector(n.texts("value_strings")))};
  return unimplemented("a sparse constant");
}

Translation constantOfShape(ImportNode& n) {
  const Output shape = n.in(0);
  Tensor value = Tensor::scalar(0.0f);
  if (n.hasAttr("value")) {
    WEFT_LET(value, n.tensor("value"));
  }
  if (value.elements() != 1) return invalidArgument("its value has ", value.elements(), " elements; expected 1");
  const Output filling = n.b.constant(value.reshaped({}));
  return Outputs{n.op("Fill", {shape, filling})};
}

Translation range(ImportNode& n) {
  const Output from = n.reshape(n.in(0), {}), to = n.reshape(n.in(1), {}), step = n.reshape(n.in(2), {});
  return Outputs{n.op("Range", {from, to, step})};
}

Translation eyeLike(ImportNode& n) {
  const Output x = n.in(0);
  const Shape shape = n.b.shape(x);
  const DType type = n.hasAttr("dtype") ? dtypeOfOnnx(int(n.integer("dtype"))) : n.b.dtype(x);
  if (shape.rank() != 2 || !shape.isFullyKnown() || type == DType::Invalid || shape.elements() > (1 << 22))
    return unimplemented("an input of shape ", shape.toString());
  WEFT_TRY(n.spend(shape.elements() * int64_t(sizeof(float))));
  Tensor eye = Tensor::zeros(DType::Float, shape);
  const int64_t k = n.integer("k");
  for (int64_t i = 0; i < shape.dim(0); ++i)
    if (i + k >= 0 && i + k < shape.dim(1)) eye.mutableData<float>()[i * shape.dim(1) + i + k] = 1;
  return Outputs{n.b.cast(n.b.constant(std::move(eye)), type)};
}

/// The type that a random op draws: a float one, or the fallback.
DType drawnType(const ImportNode& n, DType otherwise) {
  const DType type = n.hasAttr("dtype") ? dtypeOfOnnx(int(n.integer("dtype"))) : otherwise;
  return type;
}

/// A seed of 0 counts too; TensorFlow takes two zeros for none.
AttrMap randomAttrs(const ImportNode& n, DType type) {
  if (!n.hasAttr("seed")) return {{"dtype", type}};
  const double given = double(n.real("seed"));
  const int64_t seed = std::isfinite(given) ? int64_t(std::clamp(given, -1e15, 1e15)) : 0;
  return {{"dtype", type}, {"seed", seed}, {"seed2", seed + 1}};
}

Result<Output> drawn(ImportNode& n, Output shape, DType type, bool normal) {
  if (type != DType::Float && type != DType::Double && type != DType::Half) return unimplemented("random numbers of type ", dtypeName(type));
  const Output unit = n.b.op(normal ? "RandomStandardNormal" : "RandomUniform", {shape}, randomAttrs(n, type));
  const double low = double(normal ? n.real("mean", 0) : n.real("low", 0)), scale = normal ? double(n.real("scale", 1)) : double(n.real("high", 1)) - low;
  const Output factor = n.scalar(unit, scale), offset = n.scalar(unit, low);
  return n.op("AddV2", {n.op("Mul", {unit, factor}), offset});
}

template <bool Normal, bool Like>
Translation random(ImportNode& n) {
  const Output shape = Like ? n.shapeOf(n.in(0)) : n.intVector(n.integers("shape"));
  WEFT_LET(const Output made, drawn(n, shape, drawnType(n, Like ? n.b.dtype(n.in(0)) : DType::Float), Normal));
  return Outputs{made};
}

Translation bernoulli(ImportNode& n) {
  const Output x = n.in(0);
  const DType type = drawnType(n, n.b.dtype(x));
  if (type == DType::Invalid) return unimplemented("a type that TensorFlow's graphs do not have");
  const Output shape = n.shapeOf(x);
  const Output unit = n.b.op("RandomUniform", {shape}, randomAttrs(n, n.b.dtype(x)));
  return Outputs{n.b.cast(n.op("Less", {unit, x}), type)};
}

/// a0 - a1 cos(2 pi i / n) + a2 cos(4 pi i / n), with n - 1 for a symmetric window.
Translation cosineWindow(ImportNode& n, double a0, double a1, double a2) {
  WEFT_LET(const double given, n.number(0));
  const DType type = n.hasAttr("output_datatype") ? dtypeOfOnnx(int(n.integer("output_datatype"))) : DType::Float;
  if (!(given >= 0 && given <= (1 << 22)) || type == DType::Invalid) return invalidArgument("a window of ", given, " numbers");
  WEFT_TRY(n.spend(int64_t(given) * int64_t(sizeof(double))));
  const int64_t size = int64_t(given);
  const double period = n.integer("periodic", 1) ? double(size) : std::max(1.0, double(size - 1));
  Tensor values = Tensor::zeros(DType::Double, {size});
  for (int64_t i = 0; i < size; ++i)
    values.mutableData<double>()[i] = a0 - a1 * std::cos(2 * M_PI * double(i) / period) + a2 * std::cos(4 * M_PI * double(i) / period);
  return Outputs{n.b.cast(n.b.constant(std::move(values)), type)};
}

Translation hannWindow(ImportNode& n) { return cosineWindow(n, 0.5, 0.5, 0); }
Translation hammingWindow(ImportNode& n) { return cosineWindow(n, 25.0 / 46, 21.0 / 46, 0); }
Translation blackmanWindow(ImportNode& n) { return cosineWindow(n, 0.42, 0.5, 0.08); }

}  // namespace

std::vector<ImportRule> sourceImports() {
  return {{"Constant", constantOp},
          {"ConstantOfShape", constantOfShape},
          {"Range", range},
          {"EyeLike", eyeLike},
          {"RandomNormal", random<true, false>},
          {"RandomNormalLike", random<true, true>},
          {"RandomUniform", random<false, false>},
          {"RandomUniformLike", random<false, true>},
          {"Bernoulli", bernoulli},
          {"HannWindow", hannWindow},
          {"HammingWindow", hammingWindow},
          {"BlackmanWindow", blackmanWindow}};
}

}  // namespace weft::onnx_io
