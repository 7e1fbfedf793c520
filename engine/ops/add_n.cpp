#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/elementwise.h"
#include "ops/registry.h"
#include "ops/variant_math.h"

// The sum of many tensors of one shape.
namespace weft {
namespace {

class AddNKernel final : public Kernel {
 public:
  explicit AddNKernel(KernelInit& init) : add_(cpu::findElementwise("Add", init.inputType(0))), size_(sizeOf(init.inputType(0))) {}

  Status compute(KernelContext& c) override {
    const Tensor& first = c.input(0);
    const int count = c.inputCount();
    for (int i = 1; i < count; ++i) {
      if (!(c.input(i).shape() == first.shape())) {
        return invalidArgument("Inputs to operation ", c.node().name, " of type AddN must have the same size and shape.  Input 0: ", first.shape().toString(),
                               " != input ", i, ": ", c.input(i).shape().toString());
      }
    }
    if (count == 1) {
      c.setOutput(0, first);
      return {};
    }
    // Sums go into the first input's memory if no other op uses it.
    WEFT_LET(Tensor* out, c.allocateOrForward(0, first.shape(), {0}));
    char* y = static_cast<char*>(out->mutableRaw());
    const int64_t n = first.elements();
    // Add all inputs of a stretch while it is in the cache.
    constexpr int64_t kStretch = 4096;
    parallelFor(n, 32768, [&](int64_t begin, int64_t end) {
      static constexpr bool kNone[2] = {};
      for (int64_t at = begin; at < end; at += kStretch) {
        const int64_t m = std::min(kStretch, end - at);
        const size_t offset = size_t(at) * size_;
        const void* in[2] = {static_cast<const char*>(first.raw()) + offset, nullptr};
        for (int i = 1; i < count; ++i) {
          in[1] = static_cast<const char*>(c.input(i).raw()) + offset;
          add_->fn(in, kNone, y + offset, m);
          in[0] = y + offset;
        }
      }
    });
    return {};
  }

 private:
  const cpu::ElementwiseEntry* add_;
  const size_t size_;
};

Status addNShape(ShapeContext& c) {
  Shape out = c.input(c.inputCount() - 1);
  for (int i = c.inputCount() - 2; i >= 0; --i) {
    auto merged = c.merge(c.input(i), out);
    if (!merged.ok()) return invalidArgument("From merging shape ", i, " with other shapes. ", merged.error().message);
    out = std::move(merged).value();
  }
  c.setOutput(0, std::move(out));
  return {};
}

Result<std::vector<Output>> addNGradient(GradContext& c) { return std::vector<Output>(size_t(c.inputCount()), c.grad()); }

}  // namespace

void registerAddN(OpRegistry& ops) {
  const std::vector<DType> kernels = {DType::Float, DType::Double,   DType::Int32,  DType::UInt8, DType::Int16,     DType::Int8,
                                      DType::Int64, DType::BFloat16, DType::UInt16, DType::Half,  DType::Complex64, DType::Complex128};
  ops.add("AddN")
      .category("Math")
      .summary("Element-wise sum of N tensors of the same shape.")
      .input("inputs: N * T", "The tensors.")
      .output("sum: T", "Their sum.")
      .attr("N: int >= 1", "Number of tensors.")
      .attr("T: {numbertype, variant}", "Type of the elements.")
      .commutative()
      .aggregate()
      .shape(addNShape)
      .gradient(addNGradient)
      .cpu({{"T", kernels}}, kernelOf<AddNKernel>())
      .cpu({{"T", {DType::Variant}}}, simpleKernel([](KernelContext& c) -> Status {
             Tensor sum = c.input(0);
             for (int i = 1; i < c.inputCount(); ++i) {
               if (!(c.input(i).shape() == sum.shape())) {
                 return invalidArgument("Inputs must have the same shape: ", sum.shape().toString(), " vs. ", c.input(i).shape().toString());
               }
               WEFT_LET(sum, sumOf(sum, c.input(i)));
             }
             c.setOutput(0, std::move(sum));
             return {};
           }));
  state(ops, OpRole::Sum, Effect::None, "AddN");
  passNan(ops, NanPath::Elementwise, "AddN");
  countFlops(ops, 1, "AddN");
}

}  // namespace weft
