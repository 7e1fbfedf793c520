// Random numbers with a distribution per parameter: Gamma, Poisson, truncated normal.
// TensorFlow uses rejection sampling, which takes an unknown number of Philox blocks per number. It reserves 256 blocks for each number, so that any thread can
// generate any of them.
#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/philox.h"
#include "ops/grad_ops.h"
#include "ops/random_fill.h"
#include "ops/registry.h"

namespace weft {
namespace {

using cpu::Philox;

constexpr uint64_t kBlocksPerOutput = 256;

/// Numbers of one kind drawn from a Philox generator in groups, of which the last is used first.
template <typename T, bool isNormal>
class Drawn {
 public:
  static constexpr int kGroup = sizeof(T) == 8 ? 2 : 4;
  T next(Philox& gen) {
    if (left_ == 0) {
      group(gen, values_);
      left_ = kGroup;
    }
    return values_[--left_];
  }
  static void group(Philox& gen, T* out) {
    const auto x = gen();
    if constexpr (std::is_same_v<T, double>) {
      if constexpr (isNormal) cpu::normalPair(x.data(), out);
      else out[0] = cpu::uniformDouble(x[0], x[1]), out[1] = cpu::uniformDouble(x[2], x[3]);
    } else {
      for (size_t i = 0; i < 4; ++i) {
        if constexpr (isNormal) {
          if (i % 2) continue;
          float pair[2];
          cpu::normalPair(x[i], x[i + 1], pair);
          out[i] = T(pair[0]), out[i + 1] = T(pair[1]);
        } else if constexpr (std::is_same_v<T, cpu::Half>) {
          out[i] = T(float(x[i] & 0x3ffu) / 1024.f);
        } else if constexpr (std::is_same_v<T, cpu::BFloat16>) {
          out[i] = T(float(x[i] & 0x7fu) / 128.f);
        } else {
          out[i] = T(cpu::uniformFloat(x[i]));
        }
      }
    }
  }

 private:
  T values_[kGroup];
  int left_ = 0;
};

// ---- Gamma: G. Marsaglia, W. W. Tsang, "A simple method for generating gamma variables", 2000

double sampleGamma(Philox gen, double alpha) {
  Drawn<double, true> normal;
  Drawn<double, false> uniform;
  if (alpha == 1.0) return -std::log1p(-uniform.next(gen));  // the exponential distribution
  const bool small = alpha < 1;
  const double d = alpha + (small ? 2.0 / 3 : -1.0 / 3), c = 1.0 / 3 / std::sqrt(d);
  while (true) {
    const double x = normal.next(gen);
    double v = 1 + c * x;
    if (v <= 0) continue;
    v = v * v * v;
    const double u = uniform.next(gen);
    if (!(u < 1 - 0.0331 * (x * x) * (x * x)) && !(std::log(u) < 0.5 * x * x + d * (1 - v + std::log(v)))) continue;
    const double result = d * v;
    return small ? result * std::pow(uniform.next(gen), 1 / alpha) : result;
  }
}

// ---- Poisson: below 10 by products of uniform numbers (Knuth), else by W. Hörmann's transformed rejection (1993)

double samplePoisson(Philox gen, double rate) {
  Drawn<double, false> uniform;
  if (rate < 10) {
    const double limit = std::exp(-rate);
    double product = 1, count = 0;
    while (true) {
      product = product * uniform.next(gen);
      if (product <= limit) return count;
      count += 1;
    }
  }
  const double logRate = std::log(rate);
  const double b = 0.931 + 2.53 * std::sqrt(rate), a = -0.059 + 0.02483 * b;
  const double inverseAlpha = 1.1239 + 1.1328 / (b - 3.4);
  while (true) {
    const double u = uniform.next(gen) - 0.5, v = uniform.next(gen);
    const double shifted = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / shifted + b) * u + rate + 0.43);
    if (shifted >= 0.07 && v <= 0.9277 - 3.6224 / (b - 2)) return k;
    if (k < 0 || (shifted < 0.013 && v > shifted)) continue;
    const double s = std::log(v * inverseAlpha / (a / (shifted * shifted) + b));
    const double t = -rate + k * logRate - std::lgamma(k + 1);
    if (s <= t) return k;
  }
}

// ---- kernels of Gamma and Poisson: a batch of samples for each element of the parameter

class RateKernel final : public Kernel {
 public:
  explicit RateKernel(KernelInit& init) : gamma_(init.node().op == "RandomGamma"), stream_(cpu::randomStream(init)) {}

  Status compute(KernelContext& c) override {
    const Tensor& rates = c.input(1);
    WEFT_LET(Shape shape, randomShapeFrom(c.input(0)));
    const int64_t samples = shape.elements();
    if (samples < 0) return invalidArgument("Shape ", shape.toString(), " has too many elements");
    shape.append(rates.shape());
    WEFT_LET(Tensor* out, c.allocate(0, shape));
    if (out->elements() == 0) return {};
    // With a NaN rate, sampling would never end.
    const int64_t count = rates.elements();
    std::vector<double> parameters;
    for (int64_t i = 0; i < count; ++i) {
      const double v = rates.asDouble(i);
      if (!gamma_ && (std::isnan(v) || (std::isinf(v) && v > 0))) return invalidArgument("Input rate must be finite, but is ", v);
      parameters.push_back(v);
    }
    const Philox base = stream_->reserve(uint64_t(samples) * uint64_t(count) * kBlocksPerOutput);
    cpu::withNumber(out->dtype(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      if constexpr (!cpu::kIsComplex<T>) {
        T* to = static_cast<T*>(out->mutableRaw());
        parallelFor(count * samples, 32, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            const int64_t which = i / samples;
            Philox gen = base;
            gen.skip(kBlocksPerOutput * uint64_t(i));
            const double v = gamma_ ? sampleGamma(gen, parameters[size_t(which)]) : samplePoisson(gen, parameters[size_t(which)]);
            if constexpr (cpu::kIsSmallFloat<T>) to[i % samples * count + which] = T(float(v));
            else to[i % samples * count + which] = T(v);
          }
        });
      }
    });
    return {};
  }

 private:
  const bool gamma_;
  std::shared_ptr<cpu::RandomStream> stream_;
};

/// The result has the requested shape followed by that of the parameter.
Status ratesShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 1));
  WEFT_LET(Shape out, c.constantAsShape(0));
  if (out.hasRank() && c.input(1).hasRank()) {
    out.append(c.input(1));
    c.setOutput(0, std::move(out));
  }
  return {};
}

/// By implicit differentiation: RandomGammaGrad gives the derivative of a sample with respect to alpha.
Result<std::vector<Output>> gammaGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto guard = py::afterGrad(c);
  const Output shapeOfShape = py::shape(b, c.input(0));
  const Output leading = py::at(b, shapeOfShape, 0);
  Output ones;
  {
    const py::Scope s(b, "ones");
    const Output dims = b.op("Pack", {leading}, {}, "packed");
    const Output one = b.scalar(int32_t(1), "Const");
    ones = b.op("Fill", {dims, one}, {}, s.name());
  }
  const Output shape = py::concat(b, {ones, py::shape(b, c.input(1))}, 0);
  const Output alpha = py::reshape(b, c.input(1), shape);
  const Output slope = b.op("RandomGammaGrad", {alpha, c.output(0)});
  const Output product = py::mul(b, c.grad(), slope);
  return std::vector{Output{}, py::reduceSum(b, product, py::range(b, 0, leading))};
}

// ---- normal numbers between bounds

constexpr int64_t kMaxTries = 1000;

/// A row of parameters and its sampling method. C. P. Robert, "Simulation of truncated normal variables", 1995.
template <typename T>
class BoundedNormal {
 public:
  using F = cpu::Compute<T>;
  static bool valid(T deviation, T low, T high) { return F(deviation) > F(0) && F(low) < F(high) && (std::isfinite(F(low)) || std::isfinite(F(high))); }

  BoundedNormal(T mean, T deviation, T low, T high) : mean_(mean), deviation_(deviation) {
    if ((std::isinf(F(low)) && F(low) < F(0)) || F(high) < F(mean)) {  // mirrored
      std::swap(low, high);
      deviation_ = T(-F(deviation_));
    }
    low_ = T(F(T(F(low) - F(mean))) / F(deviation_));
    high_ = T(F(T(F(high) - F(mean))) / F(deviation_));
  }

  Status fill(Philox& gen, T* out, int64_t count) const {
    const F low = F(low_), high = F(high_);
    const T root = T(std::sqrt(F(T(F(T(low * low)) + F(4)))));
    const T exponent = T(F(0.5) + F(T(F(T(low * F(T(low - F(root))))) / F(4))));
    const T cutoff = T(F(T(F(2) * F(T(std::exp(F(exponent)))))) / F(T(low + F(root))));
    const T range = T(high - low);
    const F inside = F(T(F(1.3)));
    if ((low < -inside && high >= F(0)) || (high > inside && low <= F(0))) return fillByNormal(gen, out, count);
    if (F(range) < F(cutoff)) return fillByUniform(gen, out, count, range);
    return fillByExponential(gen, out, count, root);
  }

 private:
  T scaled(T z) const { return T(F(T(F(z) * F(deviation_))) + F(mean_)); }

  Status fillByNormal(Philox& gen, T* out, int64_t count) const {
    int64_t tries = 0;
    for (int64_t done = 0; done < count;) {
      T group[4];
      Drawn<T, true>::group(gen, group);
      for (int i = 0; i < (Drawn<T, true>::kGroup) && done < count; ++i) {
        if (F(group[i]) >= F(low_) && F(group[i]) <= F(high_)) {
          out[done++] = scaled(group[i]);
          tries = 0;
        } else if (++tries > kMaxTries) {
          return internalError("TruncatedNormal randn rejection sampler failed to accept a sample.");
        }
      }
    }
    return {};
  }

  Status fillByUniform(Philox& gen, T* out, int64_t count, T range) const {
    const T plus = F(low_) < F(0) ? T(F(0)) : T(F(low_) * F(low_));
    int64_t tries = 0;
    for (int64_t done = 0; done < count;) {
      T values[4], chances[4];
      Drawn<T, false>::group(gen, values);
      Drawn<T, false>::group(gen, chances);
      for (int i = 0; i < (Drawn<T, false>::kGroup) && done < count; ++i) {
        const T z = T(F(T(F(values[i]) * F(range))) + F(low_));
        const T g = T(F(T(F(plus) - F(T(F(z) * F(z))))) / F(2));
        if (F(chances[i]) <= F(T(std::exp(F(g))))) {
          out[done++] = scaled(z);
          tries = 0;
        } else if (++tries >= kMaxTries) {
          return internalError("TruncatedNormal uniform rejection sampler failed to  accept a sample.");
        }
      }
    }
    return {};
  }

  Status fillByExponential(Philox& gen, T* out, int64_t count, T root) const {
    const T alpha = T(F(T(F(low_) + F(root))) / F(2));
    int64_t tries = 0;
    for (int64_t done = 0; done < count;) {
      T group[4];
      Drawn<T, false>::group(gen, group);
      for (int i = 0; i < (Drawn<T, false>::kGroup) && done < count; i += 2) {
        const T z = T(F(T(F(T(-std::log(F(group[i])))) / F(alpha))) + F(low_));
        const T x = F(low_) < F(alpha) ? T(F(alpha) - F(z)) : T(F(low_) - F(alpha));
        const T g = T(std::exp(F(T(F(T(F(T(-F(x))) * F(x))) / F(2)))));
        if (F(group[i + 1]) <= F(g) && F(z) < F(high_)) {
          out[done++] = scaled(z);
          tries = 0;
        } else if (++tries >= kMaxTries) {
          return internalError("TruncatedNormal exponential distribution rejection sampler failed to accept a sample.");
        }
      }
    }
    return {};
  }

  T mean_, deviation_, low_, high_;
};

class BoundedNormalKernel final : public Kernel {
 public:
  explicit BoundedNormalKernel(KernelInit& init) : stream_(cpu::randomStream(init)) {}

  Status compute(KernelContext& c) override {
    const Tensor& sizes = c.input(0);
    if (sizes.rank() != 1) return invalidArgument("Input shape should be a vector, got shape: ", sizes.shape().toString());
    if (sizes.elements() == 0) return invalidArgument("Shape tensor must not be empty, got shape: ", sizes.shape().toString());
    WEFT_LET(const Shape shape, randomShapeFrom(sizes));
    WEFT_LET(Tensor* out, c.allocate(0, shape));
    const int64_t total = out->elements();
    const char* const names[] = {"means", "stddevs", "minvals", "maxvals"};
    bool same = true;
    for (int i = 0; i < 4; ++i) {
      const Tensor& p = c.input(i + 1);
      if (p.rank() > 1) return invalidArgument("Input ", names[i], " should be a scalar or vector, got shape: ", p.shape().toString());
      same = same && (p.rank() == 0 || (i < 2 && p.dim(0) == 1));
    }
    int64_t batches = shape.dim(0), samples = batches > 0 ? total / batches : 1;
    if (same) {  // equal parameters in all rows: split the rows anew
      samples = 100;
      batches = (total + samples - 1) / samples;
    } else {
      for (int i = 0; i < 4; ++i) {
        const Tensor& p = c.input(i + 1);
        if (p.rank() != 0 && p.dim(0) != 1 && p.dim(0) != batches) {
          return invalidArgument("Input ", names[i], " should have length 1 or shape[0], got shape: ", p.shape().toString());
        }
      }
    }
    const Philox base = stream_->reserve(uint64_t(batches) * 2 * uint64_t(kMaxTries) * uint64_t(samples + 3) / 4);
    Status status;
    cpu::withNumber(out->dtype(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      if constexpr (cpu::kIsFloat<T>) status = draw<T>(c, base, batches, samples, *out);
    });
    return status;
  }

 private:
  template <typename T>
  static Status draw(KernelContext& c, const Philox& base, int64_t batches, int64_t samples, Tensor& out) {
    const T* parameters[4];
    int64_t step[4];
    for (int i = 0; i < 4; ++i) {
      parameters[i] = static_cast<const T*>(c.input(i + 1).raw());
      step[i] = c.input(i + 1).elements() == 1 ? 0 : 1;
    }
    Philox gen = base;  // continues from row to row
    for (int64_t b = 0; b < batches; ++b) {
      const T mean = parameters[0][b * step[0]], deviation = parameters[1][b * step[1]], low = parameters[2][b * step[2]], high = parameters[3][b * step[3]];
      if (!BoundedNormal<T>::valid(deviation, low, high)) return invalidArgument("Invalid parameters");
      const int64_t begin = b * samples, end = std::min(begin + samples, out.elements());
      if (begin < end) WEFT_TRY(BoundedNormal<T>(mean, deviation, low, high).fill(gen, static_cast<T*>(out.mutableRaw()) + begin, end - begin));
    }
    return {};
  }

  std::shared_ptr<cpu::RandomStream> stream_;
};

Status boundedShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 1));
  for (int i = 1; i < 5; ++i) WEFT_TRY(c.requireRankAtMost(c.input(i), 1));
  WEFT_LET(Shape s, c.constantAsShape(0));
  c.setOutput(0, std::move(s));
  return {};
}

OpRecord& addRandom(OpRegistry& ops, const char* name, const char* summary) {
  return ops.add(name).category("Random").keywords("noise sample distribution").summary(summary).stateful();
}

}  // namespace

void registerRandomRates(OpRegistry& ops) {
  const char* const extent = "Number of samples per parameter, as a shape.";
  addRandom(ops, "RandomGamma", "Random numbers from Gamma distributions; samples are drawn for each `alpha`.")
      .input("shape: S", extent)
      .input("alpha: T", "Shape parameters of the distributions.")
      .output("output: T", "The samples, of shape `shape` + alpha.shape.")
      .attr("seed: int = 0", kSeedDoc)
      .attr("seed2: int = 0", kSeed2Doc)
      .attr("S: {int32, int64}", "Type of the shape.")
      .attr("T: {half, float, double}", "Type of the numbers.")
      .shape(ratesShape)
      .gradient(gammaGradient)
      .cpu({{"T", types::kFloats}}, kernelOf<RateKernel>());
  const char* const none = "Counts are not differentiable.";
  addRandom(ops, "RandomPoissonV2", "Random numbers from Poisson distributions; samples are drawn for each `rate`.")
      .input("shape: S", extent)
      .input("rate: R", "Means of the distributions.")
      .output("output: dtype", "The samples, of shape `shape` + rate.shape.")
      .attr("seed: int = 0", kSeedDoc)
      .attr("seed2: int = 0", kSeed2Doc)
      .attr("S: {int32, int64}", "Type of the shape.")
      .attr("R: {half, float, double, int32, int64} = DT_DOUBLE", "Type of the means.")
      .attr("dtype: {half, float, double, int32, int64} = DT_INT64", "Type of the counts.")
      .shape(ratesShape)
      .noGradient(none)
      .cpu({{"R", {DType::Half, DType::Float, DType::Double, DType::Int32, DType::Int64}},
            {"dtype", {DType::Half, DType::Float, DType::Double, DType::Int32, DType::Int64}}},
           kernelOf<RateKernel>())
      .gradientIsError = true;
  addRandom(ops, "RandomPoisson", "Random numbers from Poisson distributions; samples are drawn for each `rate`.")
      .input("shape: S", extent)
      .input("rate: dtype", "Means of the distributions.")
      .output("output: dtype", "The samples, of shape `shape` + rate.shape.")
      .attr("seed: int = 0", kSeedDoc)
      .attr("seed2: int = 0", kSeed2Doc)
      .attr("S: {int32, int64}", "Type of the shape.")
      .attr("dtype: {half, float, double}", "Type of the numbers.")
      .deprecated(25, "Replaced by RandomPoissonV2")
      .shape(ratesShape)
      .noGradient(none)
      .cpu({{"dtype", types::kFloats}}, kernelOf<RateKernel>())
      .gradientIsError = true;
  addRandom(ops, "ParameterizedTruncatedNormal",
            "Random numbers from normal distributions truncated to [minval, maxval], with separate parameters for each row.")
      .input("shape: T", "Shape of the result; the first dimension is the rows.")
      .input("means: dtype", "Mean of each row; a vector, or a scalar for all rows.")
      .input("stdevs: dtype", "Standard deviation of each row; a vector, or a scalar for all rows.")
      .input("minvals: dtype", "Lower bound of each row; a vector, or a scalar for all rows.")
      .input("maxvals: dtype", "Upper bound of each row; a vector, or a scalar for all rows.")
      .output("output: dtype", "The random numbers.")
      .attr("seed: int = 0", kSeedDoc)
      .attr("seed2: int = 0", kSeed2Doc)
      .attr("dtype: {half, bfloat16, float, double}", "Type of the numbers.")
      .attr("T: {int32, int64}", "Type of the shape.")
      .shape(boundedShape)
      .noGradient("TensorFlow defines no gradient for it.")
      .cpu({{"dtype", types::kFloats}}, kernelOf<BoundedNormalKernel>());
  state(ops, OpRole::Random, Effect::Random, "ParameterizedTruncatedNormal RandomGamma RandomPoisson RandomPoissonV2");
}

}  // namespace weft
