#pragma once

#include <memory>
#include <vector>

#include "ops/registry.h"
#include "tensor/variant.h"

namespace weft {

/// A list of tensors in a Variant scalar, as used by the loops of TensorFlow 2. It is a value: ops that change a list create another one.
class TensorList final : public VariantObject {
 public:
  DType dtype = DType::Invalid;
  Shape elementShape = Shape::unknown();
  int64_t maxElements = -1;      ///< -1: unlimited.
  std::vector<Tensor> elements;  ///< Elements without a value were never set.

  Made zerosLike() const override;
  Made plus(const VariantObject& other) const override;
};
using TensorListPtr = std::shared_ptr<const TensorList>;

Tensor tensorOf(TensorListPtr list);
/// The list in Variant input `i`. INVALID_ARGUMENT with TensorFlow's wording if it is not a list.
Result<TensorListPtr> tensorListOf(const KernelContext& c, int i);
/// A private copy of the list in input `i`, for modification.
Result<std::shared_ptr<TensorList>> copyOfList(const KernelContext& c, int i);
/// A shape given as a vector with -1 for unknown dims, or as the scalar -1 for an unknown rank.
Result<Shape> elementShapeFrom(const Tensor& t);

/// Kernels of the TensorList ops (tensor_list_kernels.cpp).
namespace list_kernels {
Status empty(KernelContext& c);
Status reserve(KernelContext& c);
Status fromTensor(KernelContext& c);
Status pushBack(KernelContext& c);
Status popBack(KernelContext& c);
Status getItem(KernelContext& c);
Status setItem(KernelContext& c);
Status resize(KernelContext& c);
Status length(KernelContext& c);
Status elementShape(KernelContext& c);
Status stack(KernelContext& c);
Status gather(KernelContext& c);
Status scatter(KernelContext& c);
Status scatterInto(KernelContext& c);
Status concatElements(KernelContext& c);
Status splitTensor(KernelContext& c);
Status pushBackBatch(KernelContext& c);
Status concatLists(KernelContext& c);
}  // namespace list_kernels

/// Gradients of the TensorList ops (tensor_list_gradients.cpp).
namespace list_gradients {
using Grads = Result<std::vector<Output>>;
Grads pushBack(GradContext& c);
Grads popBack(GradContext& c);
Grads stack(GradContext& c);
Grads concat(GradContext& c);
Grads concatV2(GradContext& c);
Grads split(GradContext& c);
Grads fromTensor(GradContext& c);
Grads getItem(GradContext& c);
Grads setItem(GradContext& c);
Grads resize(GradContext& c);
Grads gather(GradContext& c);
Grads scatter(GradContext& c);
Grads scatterV2(GradContext& c);
Grads scatterInto(GradContext& c);
}  // namespace list_gradients

}  // namespace weft
