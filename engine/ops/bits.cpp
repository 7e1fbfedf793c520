#include "ops/elementwise_kernel.h"
#include "ops/registry.h"

// Integers as rows of bits.
namespace weft {
namespace {

constexpr const char* kWhole = "T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}";

void addBits(OpRegistry& ops, const char* name, bool commutative, const char* summary) {
  OpRecord& r = ops.add(name)
                    .category("Math")
                    .summary(summary)
                    .description("The inputs are broadcast against each other.")
                    .input("x: T", "Integers.")
                    .input("y: T", "Integers; the shape must be broadcastable with that of `x`.")
                    .output("z: T", "The element-wise result, in the broadcast shape.")
                    .attr(kWhole, "Type of the elements.")
                    .shape(shapes::broadcast)
                    .noGradient("It operates on integers.")
                    .cpu({}, binaryKernel());
  if (commutative) r.commutative();
}

}  // namespace

void registerBits(OpRegistry& ops) {
  addBits(ops, "BitwiseAnd", true, "Bitwise AND, element-wise.");
  addBits(ops, "BitwiseOr", true, "Bitwise OR, element-wise.");
  addBits(ops, "BitwiseXor", true, "Bitwise XOR, element-wise.");
  addBits(ops, "LeftShift", false, "x << y, element-wise; `y` is clamped to [0, bit width - 1].");
  addBits(ops, "RightShift", false, "x >> y, element-wise, keeping the sign; `y` is clamped to [0, bit width - 1].");
  ops.add("PopulationCount")
      .category("Math")
      .summary("Number of set bits of each element (population count).")
      .input("x: T", "Integers of any shape.")
      .output("y: uint8", "Bit counts, in the shape of `x`.")
      .attr(kWhole, "Type of the elements.")
      .shape(shapes::unchanged)
      .noGradient("It operates on integers.")
      .cpu({{"T", {DType::Int8, DType::Int16, DType::Int32, DType::Int64, DType::UInt8, DType::UInt16}}}, unaryKernel());
}

}  // namespace weft
