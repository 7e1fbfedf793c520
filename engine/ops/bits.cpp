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
                    .description("The two inputs are broadcast against each other as in NumPy.")
                    .input("x: T", "Whole numbers.")
                    .input("y: T", "Whole numbers, of a shape that broadcasts with that of `x`.")
                    .output("z: T", "The result for each pair of elements, in the common shape.")
                    .attr(kWhole, "Type of the elements.")
                    .shape(shapes::broadcast)
                    .noGradient("It works on whole numbers.")
                    .cpu({}, binaryKernel());
  if (commutative) r.commutative();
}

}  // namespace

void registerBits(OpRegistry& ops) {
  addBits(ops, "BitwiseAnd", true, "The bits that both numbers have.");
  addBits(ops, "BitwiseOr", true, "The bits that either number has.");
  addBits(ops, "BitwiseXor", true, "The bits that exactly one of both numbers has.");
  addBits(ops, "LeftShift", false, "`x` shifted by `y` bits towards the higher ones; `y` is held between 0 and the width of the type - 1.");
  addBits(ops, "RightShift", false, "`x` shifted by `y` bits towards the lower ones, with its sign; `y` is held between 0 and the width of the type - 1.");
  ops.add("PopulationCount")
      .category("Math")
      .summary("How many bits are set in each number.")
      .input("x: T", "Whole numbers of any shape.")
      .output("y: uint8", "The count for each of them.")
      .attr(kWhole, "Type of the elements.")
      .shape(shapes::unchanged)
      .noGradient("It works on whole numbers.")
      .cpu({{"T", {DType::Int8, DType::Int16, DType::Int32, DType::Int64, DType::UInt8, DType::UInt16}}}, unaryKernel());
}

}  // namespace weft
