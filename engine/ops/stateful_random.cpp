#include <random>

#include "ops/random_fill.h"
#include "ops/registry.h"

// Random tensors whose stream is in a variable: tf.random.Generator. The variable holds a Philox counter (two numbers) and its key.
namespace weft {
namespace {

using cpu::Philox;

constexpr int64_t kPhilox = 1;
constexpr uint64_t kBlocksPerOutput = 256;  // the stream advances by this many blocks per output element

Philox read(const int64_t* s) {
  const auto low = uint64_t(s[0]), high = uint64_t(s[1]), key = uint64_t(s[2]);
  return Philox::fromState({uint32_t(low), uint32_t(low >> 32), uint32_t(high), uint32_t(high >> 32)}, {uint32_t(key), uint32_t(key >> 32)});
}
void write(const Philox& p, int64_t* s) {
  s[0] = int64_t(uint64_t(p.counter()[0]) | uint64_t(p.counter()[1]) << 32);
  s[1] = int64_t(uint64_t(p.counter()[2]) | uint64_t(p.counter()[3]) << 32);
  s[2] = int64_t(uint64_t(p.key()[0]) | uint64_t(p.key()[1]) << 32);
}

}  // namespace

Status checkRandomState(const Tensor& state, int64_t algorithm, int64_t before) {
  if (state.dtype() != DType::Int64) return invalidArgument("dtype of RNG state variable must be int64, not ", dtypeShortName(state.dtype()));
  if (state.rank() != 1) return invalidArgument("RNG state must have one and only one dimension, not ", state.rank());
  if (algorithm != kPhilox) return invalidArgument("Unsupported algorithm id: ", algorithm);
  if (state.elements() < before + 3)
    return invalidArgument("For the Philox algorithm, the size of state must be at least ", before + 3, "; got ", state.elements());
  return {};
}

Result<Philox> advanceRandomState(VariableUpdate& state, int64_t algorithm, int64_t before, uint64_t elements) {
  const Tensor& value = state.value();
  if (before > 0 && value.dtype() == DType::Int64 && value.elements() > 0) algorithm = value.at<int64_t>(0);
  WEFT_TRY(checkRandomState(value, algorithm, before));
  int64_t* numbers = state.data<int64_t>() + before;
  const Philox now = read(numbers);
  Philox next = now;
  next.skip(elements * kBlocksPerOutput);
  write(next, numbers);
  return now;
}

Result<int64_t> scalarInput(KernelContext& c, int i, const char* name) {
  const Tensor& t = c.input(i);
  if (!t.shape().isScalar()) return invalidArgument(name, " must have shape [], not ", t.shape().toString());
  return t.asInt(0);
}

namespace {

/// Uniform over all values of the type.
void fillBits(Philox gen, Tensor& out) {
  const int64_t n = out.elements();
  if (sizeOf(out.dtype()) == 4) {
    auto* to = static_cast<uint32_t*>(out.mutableRaw());
    for (int64_t i = 0; i < n; i += 4) {
      const auto x = gen();
      for (int64_t k = 0; k < std::min<int64_t>(4, n - i); ++k) to[i + k] = x[size_t(k)];
    }
  } else {
    auto* to = static_cast<uint64_t*>(out.mutableRaw());
    for (int64_t i = 0; i < n; i += 2) {
      const auto x = gen();
      for (int64_t k = 0; k < std::min<int64_t>(2, n - i); ++k) to[i + k] = uint64_t(x[size_t(2 * k)]) | uint64_t(x[size_t(2 * k + 1)]) << 32;
    }
  }
}

enum class What { Uniform, Normal, Truncated, Integers, Bits, OldNormal };

template <What what>
Status run(KernelContext& c) {
  constexpr bool kOld = what == What::OldNormal;
  int64_t algorithm = kPhilox;
  if (!kOld) {
    WEFT_LET(algorithm, scalarInput(c, 1, "algorithm"));
  }
  WEFT_LET(const Shape shape, randomShapeFrom(c.input(kOld ? 1 : 2)));
  int64_t low = 0, high = 0;
  if (what == What::Integers) {
    WEFT_LET(low, scalarInput(c, 3, "minval"));
    WEFT_LET(high, scalarInput(c, 4, "maxval"));
    if (low >= high) return invalidArgument("Need minval < maxval, got ", low, " >= ", high);
  }
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  WEFT_LET(auto updates, c.update({0}));
  WEFT_LET(const Philox gen, advanceRandomState(updates[0], algorithm, kOld ? 1 : 0, uint64_t(out->elements())));
  if (out->elements() == 0) return {};
  switch (what) {
    case What::Uniform: fillRandom(gen, RandomKind::Uniform, *out); break;
    case What::Normal:
    case What::OldNormal: fillRandom(gen, RandomKind::Normal, *out); break;
    case What::Truncated: fillRandom(gen, RandomKind::Truncated, *out); break;
    case What::Integers: fillRandomIntegers(gen, low, high, *out); break;
    case What::Bits: fillBits(gen, *out); break;
  }
  return {};
}

Status runSkip(KernelContext& c) {
  WEFT_LET(const int64_t algorithm, scalarInput(c, 1, "algorithm"));
  WEFT_LET(const int64_t delta, scalarInput(c, 2, "delta"));
  WEFT_LET(auto updates, c.update({0}));
  return advanceRandomState(updates[0], algorithm, 0, uint64_t(delta)).status();
}

Status runAnyIntegers(KernelContext& c) {
  WEFT_LET(const Shape shape, randomShapeFrom(c.input(0)));
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  std::random_device device;
  fillBits(Philox(uint64_t(device()) << 32 | device(), uint64_t(device()) << 32 | device()), *out);
  return {};
}

/// The result has the shape stored in input `i`; inputs 1 to i before it and `after` inputs behind it are scalars.
ShapeFunction shapeAt(int i, int after) {
  return [=](ShapeContext& c) -> Status {
    for (int k = 1; k < i; ++k) WEFT_TRY(c.requireRank(c.input(k), 0));
    for (int k = i + 1; k <= i + after; ++k) WEFT_TRY(c.requireRank(c.input(k), 0));
    WEFT_LET(Shape s, c.constantAsShape(i));
    c.setOutput(0, std::move(s));
    return {};
  };
}

Status skipShape(ShapeContext& c) {
  for (int i = 1; i < 3; ++i) WEFT_TRY(c.requireRank(c.input(i), 0));
  return {};
}

}  // namespace

void registerStatefulRandom(OpRegistry& ops) {
  const auto add = [&](const char* name, const char* summary) -> OpRecord& {
    return ops.add(name)
        .category("Random")
        .keywords("generator random stream")
        .summary(summary)
        .stateful()
        .noGradient("Random numbers do not depend on differentiable inputs.");
  };
  const char *const state = "Handle of the variable that holds the generator's state.", *const algorithm = "Random number generator: 1 is Philox.",
                    *const shape = "Shape of the result.";
  struct Op {
    const char *name, *summary;
    Status (*run)(KernelContext&);
    std::vector<DType> types;
    const char* dtype;
  };
  const std::vector<DType> wide = {DType::Int32, DType::Int64, DType::UInt32, DType::UInt64};
  const Op all[] = {
      {"StatefulUniform", "Uniformly distributed random numbers in [0, 1), from a generator state in a variable.", run<What::Uniform>, types::kFloatsBf,
       "DT_FLOAT"},
      {"StatefulStandardNormalV2", "Normally distributed random numbers, from a generator state in a variable.", run<What::Normal>, types::kFloatsBf,
       "DT_FLOAT"},
      {"StatefulTruncatedNormal", "Normally distributed random numbers truncated to [-2, 2], from a generator state in a variable.", run<What::Truncated>,
       types::kFloatsBf, "DT_FLOAT"},
      {"StatefulUniformInt", "Uniformly distributed random integers in [minval, maxval), from a generator state in a variable.", run<What::Integers>,
       types::kIndex, "DT_INT64"},
      {"StatefulUniformFullInt", "Uniformly distributed random integers over the whole range of the type, from a generator state in a variable.",
       run<What::Bits>, wide, "DT_UINT64"},
  };
  for (const Op& o : all) {
    OpRecord& r = add(o.name, o.summary).input("resource: resource", state).input("algorithm: int64", algorithm).input("shape: shape_dtype", shape);
    const bool range = std::string_view(o.name) == "StatefulUniformInt";
    if (range) r.input("minval: dtype", "Lower bound, included; a scalar.").input("maxval: dtype", "Upper bound, excluded; a scalar.");
    r.output("output: dtype", "The numbers.")
        .attr(concat("dtype: type = ", o.dtype), "Type of the numbers.")
        .attr("shape_dtype: type = DT_INT64", "Type of the shape.")
        .shape(shapeAt(2, range ? 2 : 0))
        .cpu({{"dtype", o.types}}, simpleKernel(o.run));
  }
  add("StatefulStandardNormal", "Normally distributed random numbers, from a generator state in a variable that also names the algorithm.")
      .input("resource: resource", state)
      .input("shape: shape_dtype", shape)
      .output("output: dtype", "The numbers.")
      .attr("dtype: type = DT_FLOAT", "Type of the numbers.")
      .attr("shape_dtype: type = DT_INT64", "Type of the shape.")
      .deprecated(29, "Use StatefulStandardNormalV2 instead")
      .shape(shapeAt(1, 0))
      .cpu({{"dtype", types::kFloatsBf}}, simpleKernel(run<What::OldNormal>));
  add("RngSkip", "Advances a generator state as if numbers had been drawn.")
      .input("resource: resource", state)
      .input("algorithm: int64", algorithm)
      .input("delta: int64", "Number of draws to skip; a scalar.")
      .shape(skipShape)
      .cpu({}, simpleKernel(runSkip));
  add("NonDeterministicInts", "Nondeterministic random integers, different in every run.")
      .input("shape: shape_dtype", shape)
      .output("output: dtype", "The numbers.")
      .attr("dtype: type = DT_INT64", "Type of the numbers.")
      .attr("shape_dtype: type = DT_INT64", "Type of the shape.")
      .shape(shapeAt(0, 0))
      .cpu({{"dtype", wide}}, simpleKernel(runAnyIntegers));
  weft::state(ops, OpRole::Random, Effect::Variable,
              "StatefulStandardNormal StatefulStandardNormalV2 StatefulTruncatedNormal StatefulUniform StatefulUniformFullInt StatefulUniformInt");
  weft::state(ops, OpRole::Compute, Effect::Variable, "RngSkip");
  weft::state(ops, OpRole::Random, Effect::Random, "NonDeterministicInts");
}

}  // namespace weft
