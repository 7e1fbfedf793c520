#pragma once

#include "device/cpu/philox.h"
#include "kernel/kernel.h"
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
WEFT_API Result<Shape> randomShapeFrom(const Tensor& sizes);

/// Whether the bounds of random integers are scalars, and whether they leave a choice.
WEFT_API Status checkRandomBounds(const Tensor& low, const Tensor& high);
WEFT_API Status checkRandomRange(const Tensor& low, const Tensor& high);
/// The stream that two numbers in `seed` give; they are mixed, so that weak bits in them do no harm.
WEFT_API Result<cpu::Philox> randomStreamFor(const Tensor& seed);
/// The number of samples per row, after checks of the inputs of Multinomial.
WEFT_API Result<int64_t> samplesFor(const Tensor& logits, const Tensor& samples);
/// The blocks that Multinomial's stream advances by: TensorFlow counts groups of four samples, two numbers per sample, 256 blocks per number.
inline uint64_t multinomialBlocks(int64_t rows, int64_t samples) { return uint64_t(rows * ((samples + 3) / 4 * 4 * 2)) * 256; }
/// Whether a variable holds the state of a generator: `before` numbers, a Philox counter (two numbers), its key.
WEFT_API Status checkRandomState(const Tensor& state, int64_t algorithm, int64_t before);
/// Returns the stream of such a variable, in host memory, and advances it by what `elements` numbers take. If `before` > 0, the first number names the algorithm.
WEFT_API Result<cpu::Philox> advanceRandomState(VariableUpdate& state, int64_t algorithm, int64_t before, uint64_t elements);
/// The value of input `i`, which must be a scalar; `name` is that of the argument.
WEFT_API Result<int64_t> scalarInput(KernelContext& c, int i, const char* name);

/// Samples `samples` classes for each row of `logits` ([rows, classes]) into `out` (int32 or int64, [rows, samples]).
Status drawClasses(cpu::Philox gen, const Tensor& logits, int64_t samples, Tensor& out);

}  // namespace weft
