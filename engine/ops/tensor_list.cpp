#include "ops/tensor_list.h"

#include "ops/variant_math.h"

namespace weft {

VariantObject::Made TensorList::zerosLike() const {
  auto zeros = std::make_shared<TensorList>(*this);
  for (Tensor& e : zeros->elements) {
    WEFT_LET(e, zerosOf(e));
  }
  return std::shared_ptr<const VariantObject>(std::move(zeros));
}

VariantObject::Made TensorList::plus(const VariantObject& other) const {
  const auto* that = dynamic_cast<const TensorList*>(&other);
  if (!that) return invalidArgument("A list of tensors and another object cannot be added");
  if (dtype != that->dtype) {
    return invalidArgument("Trying to add two lists of tensors of different dtypes. One is ", dtypeShortName(dtype), " and the other is ",
                           dtypeShortName(that->dtype));
  }
  if (elements.size() != that->elements.size()) {
    return invalidArgument("Trying to add two lists of tensors with different lengths. One is ", elements.size(), " and the other is ", that->elements.size());
  }
  auto sum = std::make_shared<TensorList>(*this);
  for (size_t k = 0; k < elements.size(); ++k) {
    WEFT_LET(sum->elements[k], sumOf(elements[k], that->elements[k]));
  }
  return std::shared_ptr<const VariantObject>(std::move(sum));
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
  if (t.elements() > Shape::kMaxRank) return invalidArgument("A shape has at most ", Shape::kMaxRank, " dimensions, got ", t.elements());
  for (int64_t i = 0; i < t.elements(); ++i) {
    if (t.asInt(i) < -1) return invalidArgument("Dimension ", t.asInt(i), " must be >= -1");
    out.append(t.asInt(i));
  }
  return out;
}

}  // namespace weft
