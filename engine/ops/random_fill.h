#pragma once

#include "device/cpu/philox.h"
#include "weft/tensor.h"

// Random tensors from a position in a Philox stream, which belongs to the op or comes from a seed.
namespace weft {

/// Attributes `seed` and `seed2` of random ops, as their records describe them.
inline constexpr const char* kSeedDoc = "Seed; if both seeds are 0, each session draws different numbers.";
inline constexpr const char* kSeed2Doc = "Second seed; distinguishes ops that share a graph-level seed.";

enum class RandomKind { Uniform, Normal, Truncated };

/// Fills a float tensor from `gen` as TensorFlow does, on several threads.
void fillRandom(const cpu::Philox& gen, RandomKind kind, Tensor& out);
/// Integers (int32, int64) in [low, high).
void fillRandomIntegers(const cpu::Philox& gen, int64_t low, int64_t high, Tensor& out);

/// The shape given by a vector of sizes, with TensorFlow's errors.
Result<Shape> randomShapeFrom(const Tensor& sizes);

/// Samples `samples` classes for each row of `logits` ([rows, classes]) into `out` (int32 or int64, [rows, samples]).
Status drawClasses(cpu::Philox gen, const Tensor& logits, int64_t samples, Tensor& out);

}  // namespace weft
