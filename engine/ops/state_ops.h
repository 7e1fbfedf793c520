#pragma once

#include <string>

#include "ops/registry.h"

// Shared by the families of variables, scatter updates and optimizers.
namespace weft {

/// The handle in Resource input `i`; an empty handle if the input has no elements or holds no handles (a reference without value).
const ResourceHandle& handleOf(const KernelContext& c, int i);

/// Creates an op family's error for a variable without a value.
using ResourceError = Error (*)(const ResourceHandle&);
/// NOT_FOUND "Resource localhost/v/N10tensorflow3VarE does not exist."
WEFT_API Error noSuchVariable(const ResourceHandle& handle);
/// INTERNAL "Invalid variable reference."
Error invalidVariableReference(const ResourceHandle& handle);
/// FAILED_PRECONDITION "Error while reading resource variable v from Container: localhost. This could mean that …"
Error unreadableVariable(const ResourceHandle& handle);
/// "localhost/v/N10tensorflow3VarE": a variable's name in TensorFlow's messages.
std::string variableLabel(const ResourceHandle& handle);

/// The variable behind input `i` (reference or handle), initialised or not.
Result<std::shared_ptr<Variable>> variableOf(KernelContext& c, int i);
/// The shared value of the variable behind Resource input `i`; `missing` creates the error if there is none.
Result<Tensor> readVariable(KernelContext& c, int i, ResourceError missing);
/// Returns an error from `missing` if a handle among these inputs leads to a variable without value, and INVALID_ARGUMENT if its value is not of type `wanted`
/// (handles are untyped, so a graph can pass any). References are typed and are checked by update().
WEFT_API Status requireInitialized(KernelContext& c, std::initializer_list<int> inputs, DType wanted, ResourceError missing);
/// INVALID_ARGUMENT unless a variable's value has the node's dtype.
Status requireType(const Tensor& value, DType wanted);

/// Locks the variable of AssignAdd, AssignSub or one of their forms for resources. Errors if input 1 has another shape.
WEFT_API Result<std::vector<VariableUpdate>> lockForDelta(KernelContext& c);
/// value += delta, or -= if not `add`. REQUIRES: both have the same shape and the same numeric dtype.
void addInPlace(Tensor& value, const Tensor& delta, bool add);

/// Static shape of the variable behind Resource input `i`.
Shape handleShape(const ShapeContext& c, int i);

/// "[1,0]": the position of element `flat` in a tensor of this shape, as in messages about indices; empty for scalars.
WEFT_API std::string indexLabel(const Shape& shape, int64_t flat);

}  // namespace weft
