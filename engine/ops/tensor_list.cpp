#include "ops/tensor_list.h"

#include <algorithm>

#include "device/cpu/elementwise.h"

namespace weft {
namespace {

std::shared_ptr<const TensorList> listIn(const Tensor& t, int64_t i) {
  return std::dynamic_pointer_cast<const TensorList>(static_cast<const VariantValue*>(t.raw())[i].object);
}

Result<Tensor> sumOf(const Tensor& a, const Tensor& b) {
  if (!a.hasValue() || !b.hasValue()) return a.hasValue() ? a : b;
  if (!(a.shape() == b.shape()))
    return invalidArgument("Trying to add two tensors with incompatible element shapes. One is ", a.shape().toString(),
                           " and the other is ", b.shape().toString());
  const cpu::ElementwiseEntry* add = cpu::findElementwise("Add", a.dtype());
  if (!add) return unimplemented("Lists of ", dtypeName(a.dtype()), " cannot be added");
  WEFT_LET(Tensor out, Tensor::allocate(a.dtype(), a.shape()));
  static constexpr bool kNone[2] = {};
  const void* in[2] = {a.raw(), b.raw()};
  add->fn(in, kNone, out.mutableRaw(), a.elements());
  return out;
}

}  // namespace

Result<Tensor> zerosLikeLists(const Tensor& t) {
  WEFT_LET(Tensor out, Tensor::allocate(DType::Variant, t.shape()));
  for (int64_t i = 0; i < t.elements(); ++i) {
    const auto list = listIn(t, i);
    if (!list) continue;
    auto zeros = std::make_shared<TensorList>(*list);
    for (Tensor& e : zeros->elements) {
      if (!e.hasValue()) continue;
      WEFT_LET(Tensor zero, Tensor::allocate(e.dtype(), e.shape()));
      if (sizeOf(e.dtype()) > 0) std::fill_n(static_cast<char*>(zero.mutableRaw()), zero.bytes(), char(0));
      e = std::move(zero);
    }
    static_cast<VariantValue*>(out.mutableRaw())[i].object = std::move(zeros);
  }
  return out;
}

Result<Tensor> sumOfLists(const Tensor& a, const Tensor& b) {
  if (!(a.shape() == b.shape()))
    return invalidArgument("Inputs must have the same shape: ", a.shape().toString(), " vs. ", b.shape().toString());
  WEFT_LET(Tensor out, Tensor::allocate(DType::Variant, a.shape()));
  for (int64_t i = 0; i < a.elements(); ++i) {
    const auto x = listIn(a, i), y = listIn(b, i);
    if (!x || !y) return invalidArgument("Only lists of tensors can be added");
    if (x->dtype != y->dtype)
      return invalidArgument("Trying to add two lists of tensors of different dtypes. One is ", dtypeShortName(x->dtype),
                             " and the other is ", dtypeShortName(y->dtype));
    if (x->elements.size() != y->elements.size()) {
      return invalidArgument("Trying to add two lists of tensors with different lengths. One is ", x->elements.size(),
                             " and the other is ", y->elements.size());
    }
    auto sum = std::make_shared<TensorList>(*x);
    for (size_t k = 0; k < sum->elements.size(); ++k) {
      WEFT_LET(sum->elements[k], sumOf(x->elements[k], y->elements[k]));
    }
    static_cast<VariantValue*>(out.mutableRaw())[i].object = std::move(sum);
  }
  return out;
}

Tensor tensorOf(TensorListPtr list) {
  Tensor t = Tensor::zeros(DType::Variant, {});
  static_cast<VariantValue*>(t.mutableRaw())->object = std::move(list);
  return t;
}

Result<TensorListPtr> tensorListOf(const KernelContext& c, int i) {
  const Tensor& t = c.input(i);
  if (!t.shape().isScalar()) return invalidArgument("Input list must be a scalar saw: ", t.shape().toString());
  auto list = std::dynamic_pointer_cast<const TensorList>(static_cast<const VariantValue*>(t.raw())->object);
  if (!list) return invalidArgument("Input handle is not a list. Saw: '", t.toString(), "'");
  return list;
}

Result<std::shared_ptr<TensorList>> copyOfList(const KernelContext& c, int i) {
  WEFT_LET(const TensorListPtr list, tensorListOf(c, i));
  return std::make_shared<TensorList>(*list);
}

Result<Shape> elementShapeFrom(const Tensor& t) {
  if (t.shape().isScalar()) {
    if (t.asInt(0) != -1) return invalidArgument("The only valid scalar shape tensor is the fully unknown shape specified as -1.");
    return Shape::unknown();
  }
  if (t.rank() != 1) return invalidArgument("Expected a scalar or a vector as a shape, got ", t.shape().toString());
  Shape out;
  if (t.elements() > Shape::kMaxRank)
    return invalidArgument("A shape has at most ", Shape::kMaxRank, " dimensions, got ", t.elements());
  for (int64_t i = 0; i < t.elements(); ++i) {
    if (t.asInt(i) < -1) return invalidArgument("Dimension ", t.asInt(i), " must be >= -1");
    out.append(t.asInt(i));
  }
  return out;
}

}  // namespace weft
