#include "device/cuda/launch.cuh"
#include "device/cuda/philox.cuh"
#include "device/cuda/registration.h"
#include "ops/random_fill.h"

// Random tensors. Each thread makes the elements of one Philox group. The stream's position is on the host; kernels get it by value.
namespace weft::cuda {
namespace {

constexpr uint64_t kBlocksPerOutput = 256;  // the stream advances by this many blocks per output element

template <typename T>
constexpr int kGroup = sizeof(T) == 8 ? 2 : 4;  ///< Elements from four numbers.

template <typename T>
__device__ void makeUniform(const uint32_t* x, T* out) {
  if constexpr (std::is_same_v<T, double>) {
    out[0] = uniformDouble(x[0], x[1]);
    out[1] = uniformDouble(x[2], x[3]);
  } else if constexpr (std::is_same_v<T, Half>) {
    for (int i = 0; i < 4; ++i) out[i] = T(float(int(x[i] & 0x3ffu)) * 0x1p-10f);
  } else {
    for (int i = 0; i < 4; ++i) out[i] = uniformFloat(x[i]);
  }
}
template <typename T>
__device__ void makeNormal(const uint32_t* x, Wide<T>* out) {
  if constexpr (std::is_same_v<T, double>) {
    normalPair(x, out);
  } else {
    normalPair(x[0], x[1], out);
    normalPair(x[2], x[3], out + 2);
  }
}

template <typename T>
struct Uniform {
  __device__ void operator()(Philox gen, T* out) const {
    uint32_t x[4];
    gen.next(x);
    makeUniform(x, out);
  }
};
template <typename T>
struct Normal {
  __device__ void operator()(Philox gen, T* out) const {
    uint32_t x[4];
    gen.next(x);
    Wide<T> wide[4];
    makeNormal<T>(x, wide);
    for (int i = 0; i < kGroup<T>; ++i) out[i] = T(wide[i]);
  }
};
/// Redraws what is beyond two standard deviations. Each group of elements has its own part of the stream.
template <typename T>
struct Truncated {
  __device__ void operator()(Philox gen, T* out) const {
    for (int found = 0; found < kGroup<T>;) {
      uint32_t x[4];
      gen.next(x);
      Wide<T> wide[4];
      makeNormal<T>(x, wide);
      for (int i = 0; i < kGroup<T> && found < kGroup<T>; ++i) {
        if (fabs(wide[i]) < Wide<T>(2)) out[found++] = T(wide[i]);
      }
    }
  }
};
template <typename T>
struct Integers {
  using U = std::make_unsigned_t<T>;
  U low, range;
  __device__ void operator()(Philox gen, T* out) const {
    uint32_t x[4];
    gen.next(x);
    if constexpr (sizeof(T) == 8) {
      for (int i = 0; i < 2; ++i) out[i] = T(low + (x[2 * i] | uint64_t(x[2 * i + 1]) << 32) % range);
    } else {
      for (int i = 0; i < 4; ++i) out[i] = T(low + x[i] % range);
    }
  }
};
template <typename T>
struct AnyBits {
  __device__ void operator()(Philox gen, T* out) const {
    uint32_t x[4];
    gen.next(x);
    if constexpr (sizeof(T) == 8) {
      for (int i = 0; i < 2; ++i) out[i] = T(x[2 * i] | uint64_t(x[2 * i + 1]) << 32);
    } else {
      for (int i = 0; i < 4; ++i) out[i] = T(x[i]);
    }
  }
};

/// Where a stream is: in a number, or in device memory (a counter of two numbers and a key).
struct Start {
  Philox known;
  const int64_t* state = nullptr;
  __device__ Philox operator()() const {
    if (!state) return known;
    Philox p;
    for (int i = 0; i < 2; ++i) {
      p.counter[2 * i] = uint32_t(state[i]);
      p.counter[2 * i + 1] = uint32_t(uint64_t(state[i]) >> 32);
    }
    p.key[0] = uint32_t(state[2]);
    p.key[1] = uint32_t(uint64_t(state[2]) >> 32);
    return p;
  }
};

/// `step`: Philox groups from one group of elements to the next.
template <typename T, typename Draw>
Status fill(CudaDevice& d, const Start& start, Tensor& out, uint64_t step, Draw draw) {
  const int64_t n = out.elements();
  T* to = mutableDataOf<T>(out);
  return forEach(d, (n + kGroup<T> - 1) / kGroup<T>, [=] __device__(int64_t g) {
    Philox gen = start();
    gen.skip(uint64_t(g) * step);
    T group[4];
    draw(gen, group);
    for (int i = 0; i < kGroup<T>; ++i) {
      if (g * kGroup<T> + i < n) to[g * kGroup<T> + i] = group[i];
    }
  });
}

template <typename T, RandomKind kKind>
Status fillRandomOn(CudaDevice& d, const Start& from, Tensor& out) {
  if constexpr (kKind == RandomKind::Normal) return fill<T>(d, from, out, 1, Normal<T>());
  if constexpr (kKind == RandomKind::Truncated) return fill<T>(d, from, out, kGroup<T> * kBlocksPerOutput / 4, Truncated<T>());
  return fill<T>(d, from, out, 1, Uniform<T>());
}
template <typename T>
Status fillIntegersOn(CudaDevice& d, const Start& from, int64_t low, int64_t high, Tensor& out) {
  using U = std::make_unsigned_t<T>;
  return fill<T>(d, from, out, 1, Integers<T>{U(low), U(U(high) - U(low))});
}

// ---- kernels with a stream of their own

template <typename T, RandomKind kKind>
class RandomKernel final : public Kernel {
 public:
  explicit RandomKernel(KernelInit& init) : stream_(cpu::randomStream(init)) {}
  Status compute(KernelContext& c) override {
    WEFT_LET(const Shape shape, randomShapeFrom(c.input(0)));
    WEFT_LET(Tensor * out, c.allocate(0, shape));
    const int64_t n = out->elements();
    return n == 0 ? Status() : fillRandomOn<T, kKind>(deviceOf(c), {Philox(stream_->reserve(uint64_t(n) * kBlocksPerOutput))}, *out);
  }

 private:
  std::shared_ptr<cpu::RandomStream> stream_;
};

template <typename T>
class RandomIntegerKernel final : public Kernel {
 public:
  explicit RandomIntegerKernel(KernelInit& init) : stream_(cpu::randomStream(init)) {}
  Status compute(KernelContext& c) override {
    WEFT_TRY(checkRandomBounds(c.input(1), c.input(2)));
    WEFT_LET(const Shape shape, randomShapeFrom(c.input(0)));
    WEFT_LET(Tensor * out, c.allocate(0, shape));
    const int64_t n = out->elements();
    if (n == 0) return {};
    WEFT_TRY(checkRandomRange(c.input(1), c.input(2)));
    return fillIntegersOn<T>(deviceOf(c), {Philox(stream_->reserve(uint64_t(n) * kBlocksPerOutput))}, c.input(1).asInt(0), c.input(2).asInt(0), *out);
  }

 private:
  std::shared_ptr<cpu::RandomStream> stream_;
};

template <template <typename> typename K, typename... Ts>
void addStreams(OpRegistry& ops, const char* op, const char* attr, const std::vector<std::string>& hostMemory) {
  if (OpRecord* r = ops.findMutable(op)) (r->kernel("GPU", {{attr, {kDType<Ts>}}, {"T", {DType::Int32}}}, hostMemory, kernelOf<K<Ts>>()), ...);
}
template <typename T>
using UniformKernel = RandomKernel<T, RandomKind::Uniform>;
template <typename T>
using NormalKernel = RandomKernel<T, RandomKind::Normal>;
template <typename T>
using TruncatedKernel = RandomKernel<T, RandomKind::Truncated>;

// ---- kernels with the seed as an input, and with the stream's state in a variable, which is in host memory

template <typename T, RandomKind kKind>
Status runStateless(KernelContext& c) {
  WEFT_LET(const Shape shape, randomShapeFrom(c.input(0)));
  WEFT_LET(const cpu::Philox gen, randomStreamFor(c.input(1)));
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  return fillRandomOn<T, kKind>(deviceOf(c), {Philox(gen)}, *out);
}
template <typename T>
Status runStatelessIntegers(KernelContext& c) {
  WEFT_TRY(checkRandomBounds(c.input(2), c.input(3)));
  WEFT_LET(const Shape shape, randomShapeFrom(c.input(0)));
  WEFT_LET(const cpu::Philox gen, randomStreamFor(c.input(1)));
  WEFT_TRY(checkRandomRange(c.input(2), c.input(3)));
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  return fillIntegersOn<T>(deviceOf(c), {Philox(gen)}, c.input(2).asInt(0), c.input(3).asInt(0), *out);
}

/// Queues the advance of a generator's state in device memory by what `elements` numbers take.
Status advance(CudaDevice& d, int64_t* state, uint64_t elements) {
  return forEach(d, 1, [=] __device__(int64_t) {
    const uint64_t low = uint64_t(state[0]), next = low + elements * kBlocksPerOutput;
    state[0] = int64_t(next);
    if (next < low) state[1] = int64_t(uint64_t(state[1]) + 1);
  });
}

Status runSkip(KernelContext& c) {
  WEFT_LET(const int64_t algorithm, scalarInput(c, 1, "algorithm"));
  WEFT_LET(const int64_t delta, scalarInput(c, 2, "delta"));
  WEFT_LET(auto updates, c.update({0}));
  Tensor& value = updates[0].value();
  if (value.place() == 0) return advanceRandomState(updates[0], algorithm, 0, uint64_t(delta)).status();
  WEFT_TRY(checkRandomState(value, algorithm, 0));
  return advance(deviceOf(c), mutableDataOf<int64_t>(value), uint64_t(delta));
}

/// The variable may be in host memory (CPU's variables keep their place).
template <typename Fill>
Status runStateful(KernelContext& c, Fill fillFrom) {
  WEFT_LET(const int64_t algorithm, scalarInput(c, 1, "algorithm"));
  WEFT_LET(const Shape shape, randomShapeFrom(c.input(2)));
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  WEFT_LET(auto updates, c.update({0}));
  Tensor& value = updates[0].value();
  const uint64_t n = uint64_t(shape.elements());
  if (value.place() == 0) {
    WEFT_LET(const cpu::Philox gen, advanceRandomState(updates[0], algorithm, 0, n));
    return fillFrom(Start{Philox(gen)}, *out);
  }
  WEFT_TRY(checkRandomState(value, algorithm, 0));
  auto* state = mutableDataOf<int64_t>(value);
  Start start;
  start.state = state;
  WEFT_TRY(fillFrom(start, *out));
  return advance(deviceOf(c), state, n);
}

template <RandomKind kKind>
void addStateful(OpRegistry& ops, const char* op) {
  addFor<Half, float, double>(
      ops, op,
      []<typename T>(KernelContext& c) { return runStateful(c, [&](const Start& s, Tensor& out) { return fillRandomOn<T, kKind>(deviceOf(c), s, out); }); },
      {"resource", "algorithm", "shape"}, "dtype");
}
template <typename T>
Status runStatefulIntegers(KernelContext& c) {
  WEFT_TRY(scalarInput(c, 1, "algorithm").status());
  WEFT_TRY(randomShapeFrom(c.input(2)).status());
  WEFT_LET(const int64_t low, scalarInput(c, 3, "minval"));
  WEFT_LET(const int64_t high, scalarInput(c, 4, "maxval"));
  WEFT_TRY(checkRandomRange(c.input(3), c.input(4)));
  return runStateful(c, [&](const Start& s, Tensor& out) { return fillIntegersOn<T>(deviceOf(c), s, low, high, out); });
}
template <typename T>
Status runStatefulBits(KernelContext& c) {
  return runStateful(c, [&](const Start& s, Tensor& out) { return fill<T>(deviceOf(c), s, out, 1, AnyBits<T>()); });
}

template <RandomKind kKind>
void addStateless(OpRegistry& ops, const char* op) {
  addFor<Half, float, double>(
      ops, op, []<typename T>(KernelContext& c) { return runStateless<T, kKind>(c); }, {"shape", "seed"}, "dtype");
}

}  // namespace

void registerRandomGpu(OpRegistry& ops) {
  addStreams<UniformKernel, Half, float, double>(ops, "RandomUniform", "dtype", {"shape"});
  addStreams<NormalKernel, Half, float, double>(ops, "RandomStandardNormal", "dtype", {"shape"});
  addStreams<TruncatedKernel, Half, float, double>(ops, "TruncatedNormal", "dtype", {"shape"});
  addStreams<RandomIntegerKernel, int32_t, int64_t>(ops, "RandomUniformInt", "Tout", {"shape", "minval", "maxval"});
  addStateless<RandomKind::Uniform>(ops, "StatelessRandomUniform");
  addStateless<RandomKind::Normal>(ops, "StatelessRandomNormal");
  addStateless<RandomKind::Truncated>(ops, "StatelessTruncatedNormal");
  addFor<int32_t, int64_t>(
      ops, "StatelessRandomUniformInt", []<typename T>(KernelContext& c) { return runStatelessIntegers<T>(c); }, {"shape", "seed", "minval", "maxval"},
      "dtype");
  addAny(ops, "RngSkip", runSkip, {"resource", "algorithm", "delta"});
  addStateful<RandomKind::Uniform>(ops, "StatefulUniform");
  addStateful<RandomKind::Normal>(ops, "StatefulStandardNormalV2");
  addStateful<RandomKind::Truncated>(ops, "StatefulTruncatedNormal");
  addFor<int32_t, int64_t>(
      ops, "StatefulUniformInt", []<typename T>(KernelContext& c) { return runStatefulIntegers<T>(c); }, {"resource", "algorithm", "shape", "minval", "maxval"},
      "dtype");
  addFor<int32_t, uint32_t, int64_t, uint64_t>(
      ops, "StatefulUniformFullInt", []<typename T>(KernelContext& c) { return runStatefulBits<T>(c); }, {"resource", "algorithm", "shape"}, "dtype");
}

}  // namespace weft::cuda
