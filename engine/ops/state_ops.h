#pragma once

#include <string>

#include "ops/registry.h"

// What the families of variables, scatter updates and optimizers share.
namespace weft {

/// The handle in Resource input `i`; one that names nothing where the input has no element, or no handles at all (a reference without value).
const ResourceHandle& handleOf(const KernelContext& c, int i);

/// Makes the error of an op family for a variable that has no value.
using ResourceError = Error (*)(const ResourceHandle&);
/// NOT_FOUND "Resource localhost/v/N10tensorflow3VarE does not exist."
Error noSuchVariable(const ResourceHandle& handle);
/// INTERNAL "Invalid variable reference."
Error invalidVariableReference(const ResourceHandle& handle);
/// FAILED_PRECONDITION "Error while reading resource variable v from Container: localhost. This could mean that …"
Error unreadableVariable(const ResourceHandle& handle);
/// "localhost/v/N10tensorflow3VarE": a variable as TensorFlow's messages name it.
std::string variableLabel(const ResourceHandle& handle);

/// The variable behind input `i` (reference or handle), whatever its state.
Result<std::shared_ptr<Variable>> variableOf(KernelContext& c, int i);
/// The value of the variable behind Resource input `i`, shared; `missing` makes the error if there is none.
Result<Tensor> readVariable(KernelContext& c, int i, ResourceError missing);
/// An error by `missing` if a handle among these inputs leads to a variable without value, INVALID_ARGUMENT if it leads to one whose value is not
/// of type `wanted` (a handle says nothing of it: any graph can pass on any). References have a type, and are checked by update().
Status requireInitialized(KernelContext& c, std::initializer_list<int> inputs, DType wanted, ResourceError missing);
/// INVALID_ARGUMENT unless a variable's value is of the type that the node was made for.
Status requireType(const Tensor& value, DType wanted);

/// value += delta, or -= where not `add`; both have the same shape and type, a number's.
void addInPlace(Tensor& value, const Tensor& delta, bool add);

/// Static shape of the variable behind Resource input `i`.
Shape handleShape(const ShapeContext& c, int i);

/// "[1,0]": position of element `flat` in a tensor of this shape; empty for scalars. As messages about indices have it.
std::string indexLabel(const Shape& shape, int64_t flat);

}  // namespace weft
