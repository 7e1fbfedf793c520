#include <algorithm>
#include <cmath>

#include "api/variables.h"
#include "ops/grad_ops.h"

namespace weft::api {
namespace {

// Converts a shape to a tensor as TensorFlow does: int32, or int64 if a dimension does not fit.
Tensor dimsOf(const Shape& s) {
  std::vector<int32_t> narrow;
  std::vector<int64_t> wide;
  for (int64_t d : s.dims()) {
    narrow.push_back(int32_t(d));
    wide.push_back(d);
  }
  return std::equal(narrow.begin(), narrow.end(), wide.begin()) ? Tensor::vector(narrow) : Tensor::vector(wide);
}

Tensor filled(DType type, const Shape& shape, double value) {
  Tensor t = Tensor::zeros(type, shape);
  if (value == 0) return t;
  for (int64_t i = 0; i < t.elements(); ++i) {
    switch (type) {
      case DType::Float: t.mutableData<float>()[i] = float(value); break;
      case DType::Double: t.mutableData<double>()[i] = value; break;
      case DType::Int32: t.mutableData<int32_t>()[i] = int32_t(value); break;
      case DType::Int64: t.mutableData<int64_t>()[i] = int64_t(value); break;
      case DType::Half: t.mutableData<HalfBits>()[i] = halfFromFloat(float(value)); break;
      default: break;
    }
  }
  return t;
}

// tf.zeros and tf.ones: a Const if it is small, else a Fill.
Output constantShaped(GraphBuilder& b, const Shape& shape, DType type, double value, std::string_view name) {
  const py::Scope scope(b, name);
  if (shape.elements() < 1000) return b.constant(filled(type, shape, value), scope.name());
  const Output dims = b.constant(dimsOf(shape), "shape_as_tensor");
  const Output v = b.number(type, value, "Const");
  return b.op("Fill", {dims, v}, {}, scope.name());
}

AttrMap seeded(GraphBuilder& b, DType type, std::optional<int64_t> seed) {
  const auto [first, second] = b.seedsFor(seed);
  return {{"dtype", type}, {"seed", first}, {"seed2", second}};
}

// mean + stddev * op(shape), as tf.random_normal and tf.truncated_normal are built.
Output normal(GraphBuilder& b, std::string_view op, std::string_view name, const Shape& shape, double mean, double stddev, DType type,
              std::optional<int64_t> seed) {
  const py::Scope scope(b, name);
  const Output dims = b.constant(dimsOf(shape), "shape");
  const Output m = b.number(type, mean, "mean"), s = b.number(type, stddev, "stddev");
  const Output random = b.op(op, {dims}, seeded(b, type, seed));
  return b.op("Add", {py::mul(b, random, s), m}, {}, scope.name());
}

}  // namespace

Output randomUniform(GraphBuilder& b, Output shape, double low, double high, DType type, std::optional<int64_t> seed, std::string_view name) {
  const py::Scope scope(b, name);
  const Output lo = b.number(type, low, "min"), hi = b.number(type, high, "max");
  const Output random = b.op("RandomUniform", {shape}, seeded(b, type, seed));
  const Output range = py::sub(b, hi, lo);
  return b.op("Add", {py::mul(b, random, range), lo}, {}, scope.name());
}

Output zeros(GraphBuilder& b, const Shape& shape, DType type, std::string_view name) { return constantShaped(b, shape, type, 0, name); }
Output ones(GraphBuilder& b, const Shape& shape, DType type, std::string_view name) { return constantShaped(b, shape, type, 1, name); }

Initializer zerosInitializer() {
  return [](GraphBuilder& b, const Shape& s, DType t) { return zeros(b, s, t); };
}
Initializer onesInitializer() {
  return [](GraphBuilder& b, const Shape& s, DType t) { return ones(b, s, t); };
}
Initializer constantInitializer(double value) {
  return [value](GraphBuilder& b, const Shape& s, DType t) { return b.constant(filled(t, s, value)); };
}
Initializer randomUniformInitializer(double low, double high, std::optional<int64_t> seed) {
  return [=](GraphBuilder& b, const Shape& s, DType t) {
    const py::Scope scope(b, "random_uniform");
    const Output dims = b.constant(dimsOf(s), "shape");
    return randomUniform(b, dims, low, high, t, seed, scope.name());
  };
}
Initializer randomNormalInitializer(double mean, double stddev, std::optional<int64_t> seed) {
  return [=](GraphBuilder& b, const Shape& s, DType t) { return normal(b, "RandomStandardNormal", "random_normal", s, mean, stddev, t, seed); };
}
Initializer truncatedNormalInitializer(double mean, double stddev, std::optional<int64_t> seed) {
  return [=](GraphBuilder& b, const Shape& s, DType t) { return normal(b, "TruncatedNormal", "truncated_normal", s, mean, stddev, t, seed); };
}

Initializer varianceScalingInitializer(double scale, std::string mode, std::string distribution, std::optional<int64_t> seed) {
  return [=](GraphBuilder& b, const Shape& s, DType t) {
    double in = 1, out = 1;
    if (s.rank() == 1) {
      in = out = double(s.dim(0));
    } else if (s.rank() >= 2) {
      double field = 1;
      for (int i = 0; i < s.rank() - 2; ++i) field *= double(s.dim(i));
      in = double(s.dim(s.rank() - 2)) * field;
      out = double(s.dim(s.rank() - 1)) * field;
    }
    const double fan = mode == "fan_in" ? in : mode == "fan_out" ? out : (in + out) / 2;
    const double k = scale / std::max(1.0, fan);
    if (distribution == "uniform") {
      const double limit = std::sqrt(3.0 * k);
      return randomUniformInitializer(-limit, limit, seed)(b, s, t);
    }
    // The second factor is the standard deviation of a normal distribution truncated at two standard deviations.
    if (distribution == "untruncated_normal") return randomNormalInitializer(0, std::sqrt(k), seed)(b, s, t);
    return truncatedNormalInitializer(0, std::sqrt(k) / .87962566103423978, seed)(b, s, t);
  };
}
Initializer glorotUniformInitializer(std::optional<int64_t> seed) { return varianceScalingInitializer(1, "fan_avg", "uniform", seed); }
Initializer glorotNormalInitializer(std::optional<int64_t> seed) { return varianceScalingInitializer(1, "fan_avg", "truncated_normal", seed); }

}  // namespace weft::api
