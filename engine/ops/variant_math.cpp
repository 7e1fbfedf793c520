#include "ops/variant_math.h"

#include <algorithm>

#include "device/cpu/dtypes.h"
#include "device/cpu/elementwise.h"
#include "tensor/variant.h"

namespace weft {
namespace {

const VariantValue* variantsOf(const Tensor& t) { return static_cast<const VariantValue*>(t.raw()); }

}  // namespace

Result<Tensor> zerosOf(const Tensor& t) {
  if (!t.hasValue()) return t;
  WEFT_LET(Tensor out, Tensor::allocate(t.dtype(), t.shape()));
  if (t.dtype() == DType::Variant) {
    for (int64_t i = 0; i < t.elements(); ++i) {
      if (!variantsOf(t)[i].object) continue;
      WEFT_LET(static_cast<VariantValue*>(out.mutableRaw())[i].object, variantsOf(t)[i].object->zerosLike());
    }
  } else if (cpu::isPlain(t.dtype())) {
    std::fill_n(static_cast<char*>(out.mutableRaw()), out.bytes(), char(0));
  }
  return out;
}

Result<Tensor> sumOf(const Tensor& a, const Tensor& b) {
  if (!a.hasValue() || !b.hasValue()) return a.hasValue() ? a : b;
  if (!(a.shape() == b.shape())) {
    return invalidArgument("Trying to add two tensors with incompatible element shapes. One is ", a.shape().toString(), " and the other is ",
                           b.shape().toString());
  }
  WEFT_LET(Tensor out, Tensor::allocate(a.dtype(), a.shape()));
  if (a.dtype() == DType::Variant && b.dtype() == DType::Variant) {
    for (int64_t i = 0; i < a.elements(); ++i) {
      const auto &x = variantsOf(a)[i].object, &y = variantsOf(b)[i].object;
      if (!x || !y) return invalidArgument("A variant that holds nothing cannot be added");
      WEFT_LET(static_cast<VariantValue*>(out.mutableRaw())[i].object, x->plus(*y));
    }
    return out;
  }
  const cpu::ElementwiseEntry* add = a.dtype() == b.dtype() ? cpu::findElementwise("Add", a.dtype()) : nullptr;
  if (!add) return unimplemented("Tensors of ", dtypeName(a.dtype()), " and ", dtypeName(b.dtype()), " cannot be added");
  static constexpr bool kNone[2] = {};
  const void* in[2] = {a.raw(), b.raw()};
  add->fn(in, kNone, out.mutableRaw(), a.elements());
  return out;
}

}  // namespace weft
