#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/hot.h"
#include "device/cpu/hot_random.h"
#include "ops/random_fill.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

// Random choices: shuffled rows, classes sampled by their logits; also random tensors with seeds as inputs.
namespace weft {

using cpu::Philox;

namespace {

/// Where numbers below `total` fall among the partial sums, `samples` times, from the number `first` of the stream on; two numbers each.
template <typename I>
void drawFrom(const std::vector<double>& sums, double total, Philox gen, int64_t first, int64_t samples, I* out) {
  gen.skip(uint64_t(first) / 4);
  cpu::PhiloxSingles singles(gen);
  for (int64_t k = 0; k < first % 4; ++k) singles.next32();
  for (int64_t s = 0; s < samples; ++s) {
    const uint32_t a = singles.next32(), b = singles.next32();
    out[s] = I(std::upper_bound(sums.begin(), sums.end(), cpu::uniformDouble(a, b) * total) - sums.begin());
  }
}

template <typename T>
double expSumsOf(std::vector<double>& sums, const T* x, std::vector<float>& wide) {
  const int64_t n = int64_t(sums.size());
  if constexpr (std::is_same_v<T, double>) {
    return cpu::randomKernels().expSumsOfDoubles(sums.data(), x, n);
  } else if constexpr (std::is_same_v<T, float>) {
    return cpu::randomKernels().expSums(sums.data(), x, n);
  } else {
    wide.resize(size_t(n));
    (std::is_same_v<T, Eigen::half> ? cpu::hotTable().half : cpu::hotTable().bfloat16).widen(reinterpret_cast<const uint16_t*>(x), wide.data(), n);
    return cpu::randomKernels().expSums(sums.data(), wide.data(), n);
  }
}

template <typename T, typename I>
void drawRows(const Philox& gen, const T* logits, int64_t rows, int64_t classes, int64_t samples, I* out) {
  constexpr int64_t kFew = 8;  // rows of which each shares out its samples
  const int64_t grain = std::max<int64_t>(1, 4096 / (classes + 4 * samples));
  parallelFor(rows, rows < kFew ? rows : grain, [&](int64_t begin, int64_t end) {
    std::vector<double> sums(static_cast<size_t>(classes));
    std::vector<float> wide;
    for (int64_t r = begin; r < end; ++r) {
      const double total = expSumsOf(sums, logits + r * classes, wide);
      parallelFor(samples, 512, [&](int64_t from, int64_t to) { drawFrom(sums, total, gen, 2 * (r * samples + from), to - from, out + r * samples + from); });
    }
  });
}

}  // namespace

Status drawClasses(Philox gen, const Tensor& logits, int64_t samples, Tensor& out) {
  const int64_t rows = logits.dim(0), classes = logits.dim(1);
  withFloat(logits.dtype(), [&]<typename T>(std::type_identity<T>) {
    const T* x = elementsOf<T>(logits);
    if (out.dtype() == DType::Int64) drawRows(gen, x, rows, classes, samples, out.mutableData<int64_t>());
    else drawRows(gen, x, rows, classes, samples, out.mutableData<int32_t>());
  });
  return {};
}

Result<Philox> randomStreamFor(const Tensor& seed) {
  if (seed.rank() != 1 || seed.dim(0) != 2) return invalidArgument("seed must have shape [2], not ", seed.shape().toString());
  const uint64_t first = uint64_t(seed.asInt(0)), second = uint64_t(seed.asInt(1));
  Philox mixer = Philox::fromState({uint32_t(first), uint32_t(first >> 32), uint32_t(second), uint32_t(second >> 32)}, {0x3ec8f720u, 0x02461e29u});
  const auto mix = mixer();
  return Philox::fromState({0, 0, mix[2], mix[3]}, {mix[0], mix[1]});
}

Result<int64_t> samplesFor(const Tensor& logits, const Tensor& samples) {
  if (logits.rank() != 2) return invalidArgument("logits should be a matrix, got shape ", logits.shape().toString());
  if (samples.rank() != 0) return invalidArgument("num_samples should be a scalar, got shape ", samples.shape().toString());
  if (samples.asInt(0) < 0) return invalidArgument("num_samples should be non-negative, got ", samples.asInt(0));
  if (logits.dim(1) <= 0) return invalidArgument("num_classes should be positive, got ", logits.dim(1));
  return samples.asInt(0);
}

namespace {

// RandomShuffle.

class ShuffleKernel final : public Kernel {
 public:
  explicit ShuffleKernel(KernelInit& init) : stream_(cpu::randomStream(init)) {}
  Status compute(KernelContext& c) override {
    const Tensor& in = c.input(0);
    if (in.elements() <= 1 || in.dim(0) <= 1) {
      c.setOutput(0, in);
      return {};
    }
    const int64_t n = in.dim(0), row = in.elements() / n;
    const Philox gen = stream_->reserve(uint64_t(n + 2) / 4);  // n - 1 numbers, because the last element has no choice
    WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
    cpu::withStorage(in.dtype(), [&](auto tag) {
      using S = typename decltype(tag)::type;
      const S* x = static_cast<const S*>(in.raw());
      S* y = static_cast<S*>(out->mutableRaw());
      if (row == 1) {
        std::copy_n(x, n, y);
        shuffle(gen, y, n);
        return;
      }
      std::vector<int64_t> order(static_cast<size_t>(n));
      std::iota(order.begin(), order.end(), 0);
      shuffle(gen, order.data(), n);
      parallelFor(n, std::max<int64_t>(1, 16384 / std::max<int64_t>(1, row)), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) std::copy_n(x + order[size_t(i)] * row, row, y + i * row);
      });
    });
    return {};
  }

 private:
  /// Swaps each element with one that is not before it.
  template <typename S>
  static void shuffle(Philox gen, S* y, int64_t n) {
    constexpr int64_t kNumbers = 1024;
    uint32_t numbers[kNumbers];
    for (int64_t first = 0; first + 1 < n; first += kNumbers) {
      cpu::randomKernels().philox(numbers, kNumbers / 4, gen.counter().data(), gen.key().data(), 1);
      gen.skip(kNumbers / 4);
      const int64_t last = std::min(n - 1, first + kNumbers);
      for (int64_t i = first; i < last; ++i) std::swap(y[i], y[i + int64_t(numbers[i - first] % uint32_t(n - i))]);
    }
  }

  std::shared_ptr<cpu::RandomStream> stream_;
};

// Multinomial.

Status classesShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 2));
  WEFT_TRY(c.requireRank(c.input(1), 0));
  const auto n = c.constantInt(1);
  if (n && *n < 0) return invalidArgument("Dimension size, given by scalar input 1, must be non-negative but is ", *n);
  c.setOutput(0, Shape{c.input(0).hasRank() ? c.input(0).dim(0) : Shape::kUnknownDim, n.value_or(Shape::kUnknownDim)});
  return {};
}
class MultinomialKernel final : public Kernel {
 public:
  explicit MultinomialKernel(KernelInit& init) : stream_(cpu::randomStream(init)) {}
  Status compute(KernelContext& c) override {
    WEFT_LET(const int64_t samples, samplesFor(c.input(0), c.input(1)));
    const int64_t rows = c.input(0).dim(0);
    WEFT_LET(Tensor* out, c.allocate(0, Shape{rows, samples}));
    if (out->elements() == 0) return {};
    return drawClasses(stream_->reserve(multinomialBlocks(rows, samples)), c.input(0), samples, *out);
  }

 private:
  std::shared_ptr<cpu::RandomStream> stream_;
};

// Seeds as inputs.

Status requireSeed(const ShapeContext& c, int i) {
  WEFT_TRY(c.requireRank(c.input(i), 1));
  if (c.input(i).hasRank() && c.input(i).dim(0) >= 0 && c.input(i).dim(0) != 2) return invalidArgument("Dimension must be 2 but is ", c.input(i).dim(0));
  return {};
}
Status statelessShape(ShapeContext& c) {
  WEFT_TRY(requireSeed(c, 1));
  for (int i = 2; i < c.inputCount(); ++i) WEFT_TRY(c.requireRank(c.input(i), 0));
  if (const Tensor* sizes = c.constant(0)) {
    for (int64_t k = 0; k < sizes->elements(); ++k) {
      if (sizes->asInt(k) < -1) return invalidArgument("Invalid value in tensor used for shape: ", sizes->asInt(k));
    }
  }
  WEFT_LET(Shape s, c.constantAsShape(0));
  c.setOutput(0, std::move(s));
  return {};
}

template <RandomKind kind>
Status runStateless(KernelContext& c) {
  WEFT_LET(const Shape shape, randomShapeFrom(c.input(0)));
  WEFT_LET(const Philox gen, randomStreamFor(c.input(1)));
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  if (out->elements() > 0) fillRandom(gen, kind, *out);
  return {};
}
Status runStatelessInt(KernelContext& c) {
  const Tensor &low = c.input(2), &high = c.input(3);
  WEFT_TRY(checkRandomBounds(low, high));
  WEFT_LET(const Shape shape, randomShapeFrom(c.input(0)));
  WEFT_LET(const Philox gen, randomStreamFor(c.input(1)));
  WEFT_TRY(checkRandomRange(low, high));
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  if (out->elements() > 0) fillRandomIntegers(gen, low.asInt(0), high.asInt(0), *out);
  return {};
}
Status statelessClassesShape(ShapeContext& c) {
  WEFT_TRY(requireSeed(c, 2));
  return classesShape(c);
}
Status runStatelessClasses(KernelContext& c) {
  WEFT_LET(const Philox gen, randomStreamFor(c.input(2)));
  WEFT_LET(const int64_t samples, samplesFor(c.input(0), c.input(1)));
  WEFT_LET(Tensor* out, c.allocate(0, Shape{c.input(0).dim(0), samples}));
  return out->elements() > 0 ? drawClasses(gen, c.input(0), samples, *out) : Status();
}

constexpr const char* kSeedInputDoc = "Two integers; the same seed always gives the same result.";
constexpr const char* kNoGradient = "Random numbers do not depend on differentiable inputs.";

}  // namespace

void registerRandomChoice(OpRegistry& ops) {
  const std::vector<DType> drawn = {DType::Half, DType::Float, DType::Double};
  ops.add("RandomShuffle")
      .category("Random")
      .keywords("permutation")
      .summary("Shuffles a tensor randomly along its first dimension.")
      .input("value: T", "A tensor of rank 1 or more.")
      .output("output: T", "The same rows in random order.")
      .attr("seed: int = 0", kSeedDoc)
      .attr("seed2: int = 0", kSeed2Doc)
      .attr("T: type", "Type of the elements.")
      .stateful()
      .shape(shapes::unchanged)
      .noGradient("TensorFlow defines no gradient for it.")
      .cpu({}, kernelOf<ShuffleKernel>())
      .gradientIsError = true;
  ops.add("Multinomial")
      .category("Random")
      .keywords("categorical sample")
      .summary("Samples classes from categorical distributions given by logits.")
      .input("logits: T", "[rows, classes]: unnormalized log-probabilities.")
      .input("num_samples: int32", "Number of samples per row; a scalar.")
      .output("output: output_dtype", "[rows, samples]: class indices.")
      .attr("seed: int = 0", kSeedDoc)
      .attr("seed2: int = 0", kSeed2Doc)
      .attr("T: realnumbertype", "Type of the logits.")
      .attr("output_dtype: {int32, int64} = DT_INT64", "Type of the numbers.")
      .stateful()
      .shape(classesShape)
      .noGradient(kNoGradient)
      .cpu({{"T", drawn}}, kernelOf<MultinomialKernel>());
  const auto stateless = [&](const char* name, KernelFactory create, const char* summary) {
    ops.add(name)
        .category("Random")
        .summary(summary)
        .input("shape: T", "Shape of the result.")
        .input("seed: Tseed", kSeedInputDoc)
        .output("output: dtype", "The random numbers.")
        .attr("dtype: {half, bfloat16, float, double} = DT_FLOAT", "Type of the numbers.")
        .attr("T: {int32, int64} = DT_INT32", "Type of the shape.")
        .attr("Tseed: {int32, int64} = DT_INT64", "Type of the seed.")
        .shape(statelessShape)
        .noGradient(kNoGradient)
        .cpu({}, std::move(create));
  };
  stateless("StatelessRandomUniform", simpleKernel(runStateless<RandomKind::Uniform>),
            "Uniformly distributed random numbers in [0, 1), with the seed as an input.");
  stateless("StatelessRandomNormal", simpleKernel(runStateless<RandomKind::Normal>), "Normally distributed random numbers, with the seed as an input.");
  stateless("StatelessTruncatedNormal", simpleKernel(runStateless<RandomKind::Truncated>),
            "Normally distributed random numbers within two standard deviations, with the seed as an input.");
  ops.add("StatelessRandomUniformInt")
      .category("Random")
      .summary("Uniformly distributed random integers in [minval, maxval), with the seed as an input.")
      .input("shape: T", "Shape of the result.")
      .input("seed: Tseed", kSeedInputDoc)
      .input("minval: dtype", "Lower bound, included; a scalar.")
      .input("maxval: dtype", "Upper bound, excluded; a scalar.")
      .output("output: dtype", "The random numbers.")
      .attr("dtype: {int32, int64}", "Type of the numbers.")
      .attr("T: {int32, int64}", "Type of the shape.")
      .attr("Tseed: {int32, int64} = DT_INT64", "Type of the seed.")
      .shape(statelessShape)
      .noGradient("Integers have no gradient.")
      .cpu({}, simpleKernel(runStatelessInt));
  ops.add("StatelessMultinomial")
      .category("Random")
      .summary("Samples classes from categorical distributions given by logits, with the seed as an input.")
      .input("logits: T", "[rows, classes]: unnormalized log-probabilities.")
      .input("num_samples: int32", "Number of samples per row; a scalar.")
      .input("seed: Tseed", kSeedInputDoc)
      .output("output: output_dtype", "[rows, samples]: class indices.")
      .attr("T: realnumbertype", "Type of the logits.")
      .attr("Tseed: {int32, int64} = DT_INT64", "Type of the seed.")
      .attr("output_dtype: {int32, int64} = DT_INT64", "Type of the numbers.")
      .shape(statelessClassesShape)
      .noGradient(kNoGradient)
      .cpu({{"T", drawn}}, simpleKernel(runStatelessClasses));
  state(ops, OpRole::Random, Effect::Random, "Multinomial RandomShuffle");
}

}  // namespace weft
