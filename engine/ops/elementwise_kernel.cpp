#include "ops/elementwise_kernel.h"

#include <atomic>

#include "base/parallel.h"
#include "device/cpu/broadcast.h"
#include "device/cpu/dtypes.h"

namespace weft {
namespace {

using cpu::ElementwiseEntry;

Result<const ElementwiseEntry*> entryFor(KernelInit& init, const char* op) {
  const DType type = init.inputType(0);
  if (const ElementwiseEntry* e = cpu::findElementwise(op ? op : init.node().op.c_str(), type)) return e;
  return notFound("No registered '", init.node().op, "' OpKernel for CPU devices compatible with node: its type ", dtypeShortName(type), " has no kernel");
}

class UnaryKernel final : public Kernel {
 public:
  explicit UnaryKernel(const ElementwiseEntry& e)
      : e_(e), inSize_(cpu::storageSize(e.in)), outSize_(cpu::storageSize(e.out)), reuse_(inSize_ == outSize_ && cpu::isPlain(e.in)) {}

  Status compute(KernelContext& c) override {
    const Tensor& x = c.input(0);
    WEFT_LET(Tensor* out, reuse_ ? c.allocateOrForward(0, x.shape(), {0}) : c.allocate(0, x.shape()));
    const void* in[1] = {x.raw()};
    static constexpr bool kScalar[1] = {false};
    cpu::runFlat(e_, in, kScalar, &inSize_, out->mutableRaw(), outSize_, x.elements());
    return {};
  }

 private:
  const ElementwiseEntry& e_;
  const size_t inSize_, outSize_;
  const bool reuse_;
};

/// Whether `bad` is true for any of the numbers.
template <typename F>
bool anyInteger(const Tensor& t, F bad) {
  std::atomic<bool> found = false;
  cpu::withNumber(t.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_integral_v<T>) {
      const T* v = static_cast<const T*>(t.raw());
      parallelFor(t.elements(), 65536 / int64_t(sizeof(T)), [&](int64_t begin, int64_t end) {
        bool any = false;  // without an exit from the loop, which compilers vectorise
        for (int64_t i = begin; i < end; ++i) any |= bad(v[i]);
        if (any) found = true;
      });
    }
  });
  return found;
}

class BinaryKernel final : public Kernel {
 public:
  BinaryKernel(const ElementwiseEntry& e, bool broadcasts, bool toleratesShapes = false)
      : e_(e),
        size_{cpu::storageSize(e.in), cpu::storageSize(e.in)},
        outSize_(cpu::storageSize(e.out)),
        plain_(cpu::isPlain(e.in)),
        reuse_(size_[0] == outSize_ && plain_),
        broadcasts_(broadcasts),
        toleratesShapes_(toleratesShapes) {}

  Status compute(KernelContext& c) override {
    const Tensor &x = c.input(0), &y = c.input(1);
    const Shape &sx = x.shape(), &sy = y.shape();
    const int64_t nx = x.elements(), ny = y.elements();
    bool scalar[2] = {false, false};
    const Shape* result = &sx;
    if (nx == 1 && ny == 1 && sx.rank() == sy.rank()) {
    } else if (ny == 1 && sy.rank() <= sx.rank()) {
      scalar[1] = true;
    } else if (nx == 1 && sx.rank() <= sy.rank()) {
      scalar[0] = true;
      result = &sy;
    } else if (!(sx == sy)) {
      return general(c, x, y);
    }
    WEFT_TRY(check(c, nx, y));
    WEFT_LET(Tensor* out, reuse_ ? c.allocateOrForward(0, *result, {0, 1}) : c.allocate(0, *result));
    const void* in[2] = {x.raw(), y.raw()};
    cpu::runFlat(e_, in, scalar, size_, out->mutableRaw(), outSize_, scalar[0] ? ny : nx);
    return {};
  }

 private:
  Status general(KernelContext& c, const Tensor& x, const Tensor& y) {
    if (!broadcasts_) {
      return invalidArgument("Inputs to operation ", c.node().name, " of type ", c.node().op,
                             " must have the same size and shape.  Input 0: ", x.shape().toString(), " != input 1: ", y.shape().toString());
    }
    const Shape* shapes[2] = {&x.shape(), &y.shape()};
    Shape result;
    const auto plan = cpu::planBroadcast(shapes, 2, result);
    if (!plan.ok() && toleratesShapes_) {
      WEFT_LET(Tensor* answer, c.allocate(0, Shape()));
      *answer->mutableData<bool>() = c.node().op == "NotEqual";
      return {};
    }
    if (!plan.ok()) return plan.error();
    WEFT_TRY(check(c, x.elements(), y));
    WEFT_LET(Tensor* out, reuse_ ? c.allocateOrForward(0, result, {0, 1}) : c.allocate(0, result));
    const void* in[2] = {x.raw(), y.raw()};
    cpu::runBroadcast(e_, *plan, in, size_, out->mutableRaw(), outSize_, plain_);
    return {};
  }

  Status check(KernelContext& c, int64_t nx, const Tensor& y) const {
    if (nx == 0 || e_.check == ElementwiseEntry::Check::None) return {};
    if (e_.check == ElementwiseEntry::Check::NegativeExponent) {
      if (anyInteger(y, [](auto v) { return v < 0; })) return invalidArgument("Integers to negative integer powers are not allowed");
    } else if (anyInteger(y, [](auto v) { return v == 0; })) {
      if (c.node().op.starts_with("Truncate")) return internalError("Unexpected error in binary operator (only integer div and mod should have errors)");
      return invalidArgument("Integer division by zero");
    }
    return {};
  }

  const ElementwiseEntry& e_;
  const size_t size_[2];
  const size_t outSize_;
  const bool plain_, reuse_, broadcasts_, toleratesShapes_;
};

}  // namespace

KernelFactory unaryKernel(const char* op) {
  return [op](KernelInit& init) -> Result<std::unique_ptr<Kernel>> {
    WEFT_LET(const ElementwiseEntry* e, entryFor(init, op));
    return std::unique_ptr<Kernel>(std::make_unique<UnaryKernel>(*e));
  };
}

KernelFactory binaryKernel(const char* op) {
  return [op](KernelInit& init) -> Result<std::unique_ptr<Kernel>> {
    WEFT_LET(const ElementwiseEntry* e, entryFor(init, op));
    return std::unique_ptr<Kernel>(std::make_unique<BinaryKernel>(*e, true, !init.node().attrs.flag("incompatible_shape_error", true)));
  };
}

KernelFactory pairKernel(const char* op) {
  return [op](KernelInit& init) -> Result<std::unique_ptr<Kernel>> {
    WEFT_LET(const ElementwiseEntry* e, entryFor(init, op));
    return std::unique_ptr<Kernel>(std::make_unique<BinaryKernel>(*e, false));
  };
}

}  // namespace weft
