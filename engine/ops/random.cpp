// Random tensors: uniform, normal, truncated normal, uniform integers.
// Numbers come in groups, each from one Philox block, so any thread can generate any group. As in TensorFlow, a stream advances by 256 blocks per output
// element, because the truncated normal redraws until a number fits.
#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/half_blocks.h"
#include "device/cpu/hot_random.h"
#include "device/cpu/philox.h"
#include "ops/random_fill.h"
#include "ops/registry.h"

namespace weft {
namespace {

using cpu::Philox;

constexpr uint64_t kBlocksPerOutput = 256;

using cpu::randomKernels;

constexpr int64_t kBlock = 256;  // groups whose numbers are drawn at once

/// Calls f(first, count, numbers) for blocks of the groups [begin, end), `step` Philox blocks apart, with the four numbers of each.
template <typename F>
void overNumbers(const Philox& base, int64_t begin, int64_t end, uint64_t step, F&& f) {
  alignas(64) uint32_t numbers[4 * kBlock];
  for (int64_t g = begin; g < end; g += kBlock) {
    const int64_t count = std::min(kBlock, end - g);
    Philox gen = base;
    gen.skip(uint64_t(g) * step);
    randomKernels().philox(numbers, count, gen.counter().data(), gen.key().data(), step);
    f(g, count, numbers);
  }
}

// ---- distributions: `n` elements from one Philox number each, or two for elements of 8 bytes

struct Uniform {
  void operator()(const uint32_t* x, float* out, int64_t n) const { randomKernels().fractions(out, x, 0x7fffffu, 0x1p-23f, n); }
  void operator()(const uint32_t* x, double* out, int64_t n) const { randomKernels().doubles(out, x, n); }
  void operator()(const uint32_t* x, cpu::Half* out, int64_t n) const { narrow(x, out, 0x3ffu, 0x1p-10f, n); }
  void operator()(const uint32_t* x, cpu::BFloat16* out, int64_t n) const { narrow(x, out, 0x7fu, 0x1p-7f, n); }

 private:
  template <typename T>
  static void narrow(const uint32_t* x, T* out, uint32_t mask, float scale, int64_t n) {
    float wide[4 * kBlock];
    randomKernels().fractions(wide, x, mask, scale, n);
    cpu::formatOf<T>().narrow(wide, reinterpret_cast<uint16_t*>(out), n);
  }
};

struct Normal {
  template <typename T>
  void operator()(const uint32_t* x, T* out, int64_t n) const {
    constexpr int kNumbers = sizeof(T) == 8 ? 4 : 2;  // of a pair
    for (int64_t i = 0; i < n; i += 2, x += kNumbers) {
      cpu::Compute<T> pair[2];
      if constexpr (sizeof(T) == 8) cpu::normalPair(x, pair);
      else cpu::normalPair(x[0], x[1], pair);
      out[i] = T(pair[0]);
      if (i + 1 < n) out[i + 1] = T(pair[1]);
    }
  }
};

template <typename T>
struct UniformInteger {
  using U = std::make_unsigned_t<T>;
  U low, range;
  void operator()(const uint32_t* x, T* out, int64_t n) const {
    if constexpr (sizeof(T) == 8) {
      for (int64_t i = 0; i < n; ++i) out[i] = T(low + (x[2 * i] | uint64_t(x[2 * i + 1]) << 32) % range);
    } else {
      randomKernels().remainders(reinterpret_cast<uint32_t*>(out), x, low, range, n);
    }
  }
};

template <typename T, typename Distribution>
void fill(const Philox& base, T* out, int64_t n, const Distribution& draw) {
  constexpr int64_t kGroup = sizeof(T) == 8 ? 2 : 4;
  parallelFor((n + kGroup - 1) / kGroup, 2048, [&](int64_t begin, int64_t end) {
    overNumbers(base, begin, end, 1, [&](int64_t first, int64_t count, const uint32_t* numbers) {
      draw(numbers, out + first * kGroup, std::min(count * kGroup, n - first * kGroup));
    });
  });
}

/// Redraws what is beyond two standard deviations. Each group of elements has its own part of the stream.
template <typename T>
void fillTruncated(const Philox& base, T* out, int64_t n) {
  using C = cpu::Compute<T>;
  constexpr int64_t kGroup = sizeof(T) == 8 ? 2 : 4;
  constexpr uint64_t kStep = uint64_t(kGroup) * kBlocksPerOutput / 4;
  parallelFor((n + kGroup - 1) / kGroup, 512, [&](int64_t begin, int64_t end) {
    overNumbers(base, begin, end, kStep, [&](int64_t first, int64_t count, const uint32_t* numbers) {
      for (int64_t g = 0; g < count; ++g) {
        Philox gen = base;
        const uint32_t* x = numbers + 4 * g;
        Philox::Group later;
        const int64_t from = (first + g) * kGroup, wanted = std::min(kGroup, n - from);
        for (int64_t found = 0, drawn = 0; found < wanted; ++drawn) {
          if (drawn > 0) {
            if (drawn == 1) gen.skip(uint64_t(first + g) * kStep + 1);
            later = gen();
            x = later.data();
          }
          C pairs[4];
          if constexpr (sizeof(T) == 8) {
            cpu::normalPair(x, pairs);
          } else {
            cpu::normalPair(x[0], x[1], pairs);
            cpu::normalPair(x[2], x[3], pairs + 2);
          }
          for (int64_t i = 0; i < kGroup && found < wanted; ++i) {
            if (std::abs(pairs[i]) < C(2)) out[from + found++] = T(pairs[i]);
          }
        }
      }
    });
  });
}

// ---- shapes

Status randomShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 1));
  WEFT_LET(Shape s, c.constantAsShape(0));
  c.setOutput(0, std::move(s));
  return {};
}

}  // namespace

Result<Shape> randomShapeFrom(const Tensor& t) {
  if (t.rank() != 1) return invalidArgument("shape must be a vector of {int32,int64}, got shape ", t.shape().toString());
  Shape s;
  for (int64_t i = 0; i < t.elements(); ++i) {
    if (t.asInt(i) < 0) return invalidArgument("Dimension ", t.asInt(i), " must be >= 0");
    s.append(t.asInt(i));
  }
  return s;
}

Status checkRandomBounds(const Tensor& low, const Tensor& high) {
  if (low.rank() != 0) return invalidArgument("minval must be 0-D, got shape ", low.shape().toString());
  if (high.rank() != 0) return invalidArgument("maxval must be 0-D, got shape ", high.shape().toString());
  return {};
}
Status checkRandomRange(const Tensor& low, const Tensor& high) {
  if (low.asInt(0) >= high.asInt(0)) return invalidArgument("Need minval < maxval, got ", low.asInt(0), " >= ", high.asInt(0));
  return {};
}

void fillRandom(const Philox& gen, RandomKind kind, Tensor& out) {
  const int64_t n = out.elements();
  cpu::withNumber(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (cpu::kIsFloat<T>) {
      T* to = static_cast<T*>(out.mutableRaw());
      if (kind == RandomKind::Normal) fill(gen, to, n, Normal());
      else if (kind == RandomKind::Truncated) fillTruncated(gen, to, n);
      else fill(gen, to, n, Uniform());
    }
  });
}

void fillRandomIntegers(const Philox& gen, int64_t low, int64_t high, Tensor& out) {
  const int64_t n = out.elements();
  if (out.dtype() == DType::Int32) fill(gen, out.mutableData<int32_t>(), n, UniformInteger<int32_t>{uint32_t(low), uint32_t(high) - uint32_t(low)});
  else fill(gen, out.mutableData<int64_t>(), n, UniformInteger<int64_t>{uint64_t(low), uint64_t(high) - uint64_t(low)});
}

namespace {

// ---- kernels

using Kind = RandomKind;

class RandomKernel final : public Kernel {
 public:
  RandomKernel(KernelInit& init, Kind kind) : kind_(kind), stream_(cpu::randomStream(init)) {}

  Status compute(KernelContext& c) override {
    WEFT_LET(const Shape shape, randomShapeFrom(c.input(0)));
    WEFT_LET(Tensor * out, c.allocate(0, shape));
    const int64_t n = out->elements();
    if (n == 0) return {};
    fillRandom(stream_->reserve(uint64_t(n) * kBlocksPerOutput), kind_, *out);
    return {};
  }

 private:
  Kind kind_;
  std::shared_ptr<cpu::RandomStream> stream_;
};

class RandomIntegerKernel final : public Kernel {
 public:
  explicit RandomIntegerKernel(KernelInit& init) : stream_(cpu::randomStream(init)) {}

  Status compute(KernelContext& c) override {
    const Tensor &minimum = c.input(1), &maximum = c.input(2);
    WEFT_TRY(checkRandomBounds(minimum, maximum));
    WEFT_LET(const Shape shape, randomShapeFrom(c.input(0)));
    WEFT_LET(Tensor * out, c.allocate(0, shape));
    const int64_t n = out->elements();
    if (n == 0) return {};
    WEFT_TRY(checkRandomRange(minimum, maximum));
    fillRandomIntegers(stream_->reserve(uint64_t(n) * kBlocksPerOutput), minimum.asInt(0), maximum.asInt(0), *out);
    return {};
  }

 private:
  std::shared_ptr<cpu::RandomStream> stream_;
};

KernelFactory randomKernel(Kind kind) {
  return [kind](KernelInit& init) -> Result<std::unique_ptr<Kernel>> { return std::unique_ptr<Kernel>(std::make_unique<RandomKernel>(init, kind)); };
}

}  // namespace

void registerRandom(OpRegistry& ops) {
  const struct {
    const char *name, *summary;
    Kind kind;
  } kinds[] = {{"RandomUniform", "Uniformly distributed random numbers in [0, 1).", Kind::Uniform},
               {"RandomStandardNormal", "Random numbers from the standard normal distribution (mean 0, standard deviation 1).", Kind::Normal},
               {"TruncatedNormal", "Random numbers from the standard normal distribution, redrawn if beyond two standard deviations.", Kind::Truncated}};
  for (const auto& k : kinds) {
    ops.add(k.name)
        .category("Random")
        .keywords("noise initializer dropout sample")
        .summary(k.summary)
        .input("shape: T", "Shape of the result.")
        .output("output: dtype", "The random numbers.")
        .attr("seed: int = 0", kSeedDoc)
        .attr("seed2: int = 0", kSeed2Doc)
        .attr("dtype: {half, bfloat16, float, double}", "Type of the numbers.")
        .attr("T: {int32, int64}", "Type of the shape.")
        .stateful()
        .shape(randomShape)
        .noGradient("Random numbers do not depend on differentiable inputs.")
        .cpu({{"dtype", types::kFloatsBf}}, randomKernel(k.kind));
  }
  OpRecord& integers = ops.add("RandomUniformInt")
                           .category("Random")
                           .keywords("index label sample")
                           .summary("Uniformly distributed random integers in [minval, maxval).")
                           .input("shape: T", "Shape of the result.")
                           .input("minval: Tout", "Lower bound, included; a scalar.")
                           .input("maxval: Tout", "Upper bound, excluded; a scalar.")
                           .output("output: Tout", "The random numbers.")
                           .attr("seed: int = 0", kSeedDoc)
                           .attr("seed2: int = 0", kSeed2Doc)
                           .attr("Tout: {int32, int64}", "Type of the numbers.")
                           .attr("T: {int32, int64}", "Type of the shape.")
                           .stateful()
                           .shape([](ShapeContext& c) -> Status {
                             for (int i : {1, 2}) WEFT_TRY(c.requireRank(c.input(i), 0));
                             return randomShape(c);
                           })
                           .noGradient("Integers have no gradient.")
                           .cpu({{"Tout", types::kIndex}}, kernelOf<RandomIntegerKernel>());
  integers.gradientIsError = true;
  state(ops, OpRole::Random, Effect::Random, "RandomStandardNormal RandomUniform RandomUniformInt TruncatedNormal");
}

}  // namespace weft
