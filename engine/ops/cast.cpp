#include "base/parallel.h"
#include "device/cpu/convert.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"

// Conversion between element types.
namespace weft {
namespace {

class CastKernel final : public Kernel {
 public:
  CastKernel(cpu::ConvertFunction f, size_t inSize, size_t outSize, bool truncate) : f_(f), inSize_(inSize), outSize_(outSize), truncate_(truncate) {}

  Status compute(KernelContext& c) override {
    const Tensor& x = c.input(0);
    if (!f_) {
      c.setOutput(0, x);
      return {};
    }
    WEFT_LET(Tensor* out, c.allocate(0, x.shape()));
    const char* from = static_cast<const char*>(x.raw());
    char* to = static_cast<char*>(out->mutableRaw());
    parallelFor(x.elements(), 32768,
                [&](int64_t begin, int64_t end) { f_(from + size_t(begin) * inSize_, to + size_t(begin) * outSize_, end - begin, truncate_); });
    return {};
  }

 private:
  const cpu::ConvertFunction f_;  ///< Null if the types are the same.
  const size_t inSize_, outSize_;
  const bool truncate_;
};

Result<std::unique_ptr<Kernel>> makeCast(KernelInit& init) {
  const DType from = init.inputType(0), to = init.outputType(0);
  const cpu::ConvertFunction f = from == to ? nullptr : cpu::findConversion(from, to);
  if (!f && from != to) return unimplemented("Cast ", dtypeShortName(from), " to ", dtypeShortName(to), " is not supported");
  return std::unique_ptr<Kernel>(std::make_unique<CastKernel>(f, sizeOf(from), sizeOf(to), init.attrs().flag("Truncate")));
}

Result<std::vector<Output>> castGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const DType from = b.dtype(c.input(0)), to = b.dtype(c.grad());
  const auto flows = [](DType t) { return isFloating(t) || isComplex(t); };
  return std::vector{flows(from) && flows(to) ? py::cast(b, c.grad(), from) : Output{}};
}

}  // namespace

void registerCast(OpRegistry& ops) {
  ops.add("Cast")
      .category("Arrays")
      .summary("Converts elements to another type.")
      .description("Complex to real drops the imaginary part; float to integer truncates towards zero; numbers other than zero become true.")
      .input("x: SrcT", "Elements to convert.")
      .output("y: DstT", "The converted elements, in the same shape.")
      .attr("SrcT: type", "Type to convert from.")
      .attr("DstT: type", "Type to convert to.")
      .attr("Truncate: bool = false", "Truncate instead of round when a float conversion loses precision.")
      .shape(shapes::unchanged)
      .gradient(castGradient)
      .cpu({}, makeCast)
      .cost([](const std::vector<Shape>& in, const std::vector<Shape>&, const AttrMap& attrs, DType) {
        const double n = double(std::max<int64_t>(in[0].elements(), 0));
        return Cost{n, n * double(sizeOf(attrs.type("SrcT")) + sizeOf(attrs.type("DstT")))};
      });
  state(ops, OpRole::Cast, Effect::None, "Cast");
}

}  // namespace weft
