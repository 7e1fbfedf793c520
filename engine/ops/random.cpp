// Random tensors: uniform, normal, truncated normal, uniform integers.
// Numbers come in groups, each from one Philox block, so any thread can generate any group. As in TensorFlow, a stream advances by 256 blocks per output
// element, because the truncated normal redraws until a number fits.
#include <cmath>

#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/hot_nn.h"
#include "device/cpu/philox.h"
#include "ops/random_fill.h"
#include "ops/registry.h"

namespace weft {
namespace {

using cpu::Philox;

constexpr uint64_t kBlocksPerOutput = 256;

// ---- distributions: `group` numbers from one call

template <typename T>
struct Uniform {
  static constexpr int kGroup = sizeof(T) == 8 ? 2 : 4;
  static constexpr bool kVariable = false;
  void operator()(Philox& gen, T* out) const {
    const auto x = gen();
    if constexpr (std::is_same_v<T, double>) {
      for (size_t i = 0; i < 2; ++i) out[i] = cpu::uniformDouble(x[2 * i], x[2 * i + 1]);
    } else if constexpr (std::is_same_v<T, cpu::Half>) {
      for (size_t i = 0; i < 4; ++i) out[i] = T(float(x[i] & 0x3ffu) / 1024.f);
    } else if constexpr (std::is_same_v<T, cpu::BFloat16>) {
      for (size_t i = 0; i < 4; ++i) out[i] = T(float(x[i] & 0x7fu) / 128.f);
    } else {
      for (size_t i = 0; i < 4; ++i) out[i] = cpu::uniformFloat(x[i]);
    }
  }
};

template <typename T>
struct Normal {
  static constexpr int kGroup = sizeof(T) == 8 ? 2 : 4;
  static constexpr bool kVariable = false;
  void operator()(Philox& gen, T* out) const {
    const auto x = gen();
    if constexpr (std::is_same_v<T, double>) {
      cpu::normalPair(x.data(), out);
    } else {
      for (size_t i = 0; i < 4; i += 2) {
        float pair[2];
        cpu::normalPair(x[i], x[i + 1], pair);
        out[i] = T(pair[0]);
        out[i + 1] = T(pair[1]);
      }
    }
  }
};

template <typename T>
struct TruncatedNormal {
  static constexpr int kGroup = sizeof(T) == 8 ? 2 : 4;
  static constexpr bool kVariable = true;
  void operator()(Philox& gen, T* out) const {
    cpu::PhiloxSingles singles(gen);
    for (int found = 0; found < kGroup;) {
      using C = cpu::Compute<T>;
      C pair[2];
      if constexpr (std::is_same_v<T, double>) {
        uint32_t x[4];
        for (uint32_t& v : x) v = singles.next32();
        cpu::normalPair(x, pair);
      } else {
        const uint32_t x0 = singles.next32(), x1 = singles.next32();
        cpu::normalPair(x0, x1, pair);
      }
      for (int i = 0; i < 2 && found < kGroup; ++i) {
        if (std::abs(pair[i]) < C(2)) out[found++] = T(pair[i]);
      }
    }
  }
};

template <typename T>
struct UniformInteger {
  static constexpr int kGroup = sizeof(T) == 8 ? 2 : 4;
  static constexpr bool kVariable = false;
  using U = std::make_unsigned_t<T>;
  U low, range;
  void operator()(Philox& gen, T* out) const {
    const auto x = gen();
    if constexpr (sizeof(T) == 8) {
      for (size_t i = 0; i < 2; ++i) out[i] = T(low + (x[2 * i] | uint64_t(x[2 * i + 1]) << 32) % range);
    } else {
      for (size_t i = 0; i < 4; ++i) out[i] = T(low + x[i] % range);
    }
  }
};

template <typename T, typename Distribution>
void fill(const Philox& base, T* out, int64_t n, const Distribution& draw) {
  constexpr int kGroup = Distribution::kGroup;
  const int64_t groups = (n + kGroup - 1) / kGroup;
  parallelFor(groups, Distribution::kVariable ? 128 : 512, [&](int64_t begin, int64_t end) {
    Philox gen = base;
    gen.skip(uint64_t(begin));
    for (int64_t g = begin; g < end; ++g) {
      if constexpr (Distribution::kVariable) {
        gen = base;
        gen.skip(uint64_t(g) * (kGroup * kBlocksPerOutput / 4));
      }
      if ((g + 1) * kGroup <= n) {
        draw(gen, out + g * kGroup);
      } else {
        T last[kGroup];
        draw(gen, last);
        std::copy(last, last + (n - g * kGroup), out + g * kGroup);
      }
    }
  });
}

/// Uniform floats, many blocks at a time.
void fillUniform(const Philox& base, float* out, int64_t n) {
  const int64_t whole = n / 4;
  parallelFor(whole, 2048, [&](int64_t begin, int64_t end) {
    Philox gen = base;
    gen.skip(uint64_t(begin));
    cpu::nnKernels().philoxUniform(out + 4 * begin, end - begin, gen.counter().data(), gen.key().data());
  });
  if (whole * 4 < n) {
    Philox gen = base;
    gen.skip(uint64_t(whole));
    const auto x = gen();
    for (int64_t i = whole * 4; i < n; ++i) out[i] = cpu::uniformFloat(x[size_t(i - whole * 4)]);
  }
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

void fillRandom(const Philox& gen, RandomKind kind, Tensor& out) {
  const int64_t n = out.elements();
  cpu::withNumber(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (cpu::kIsFloat<T>) {
      T* to = static_cast<T*>(out.mutableRaw());
      if (kind == RandomKind::Normal) {
        fill(gen, to, n, Normal<T>());
      } else if (kind == RandomKind::Truncated) {
        fill(gen, to, n, TruncatedNormal<T>());
      } else if constexpr (std::is_same_v<T, float>) {
        fillUniform(gen, to, n);
      } else {
        fill(gen, to, n, Uniform<T>());
      }
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
    if (minimum.rank() != 0) return invalidArgument("minval must be 0-D, got shape ", minimum.shape().toString());
    if (maximum.rank() != 0) return invalidArgument("maxval must be 0-D, got shape ", maximum.shape().toString());
    WEFT_LET(const Shape shape, randomShapeFrom(c.input(0)));
    WEFT_LET(Tensor * out, c.allocate(0, shape));
    const int64_t n = out->elements();
    if (n == 0) return {};
    const int64_t low = minimum.asInt(0), high = maximum.asInt(0);
    if (low >= high) return invalidArgument("Need minval < maxval, got ", low, " >= ", high);
    fillRandomIntegers(stream_->reserve(uint64_t(n) * kBlocksPerOutput), low, high, *out);
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
