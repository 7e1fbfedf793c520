#include "ops/state_ops.h"

#include <utility>

#include "base/parallel.h"
#include "kernel/session_state.h"
#include "tensor/element_types.h"

namespace weft {

const ResourceHandle& handleOf(const KernelContext& c, int i) {
  static const ResourceHandle none;
  const Tensor& t = c.input(i);
  return t.dtype() == DType::Resource && t.elements() > 0 ? t.data<ResourceHandle>()[0] : none;
}

std::string variableLabel(const ResourceHandle& handle) { return concat(handle.container, "/", handle.name, "/N10tensorflow3VarE"); }

Error noSuchVariable(const ResourceHandle& handle) { return notFound("Resource ", variableLabel(handle), " does not exist."); }

Error invalidVariableReference(const ResourceHandle&) { return internalError("Invalid variable reference."); }

Error unreadableVariable(const ResourceHandle& handle) {
  return failedPrecondition("Error while reading resource variable ", handle.name, " from Container: ", handle.container,
                            ". This could mean that the variable was uninitialized. Not found: Resource ", variableLabel(handle), " does not exist.");
}

Result<std::shared_ptr<Variable>> variableOf(KernelContext& c, int i) {
  if (c.isRefInput(i)) return c.variable(i);
  auto variable = std::dynamic_pointer_cast<Variable>(handleOf(c, i).resource);
  if (!variable) return noSuchVariable(handleOf(c, i));
  return variable;
}

Result<Tensor> readVariable(KernelContext& c, int i, ResourceError missing) {
  const ResourceHandle& handle = handleOf(c, i);
  auto variable = std::dynamic_pointer_cast<Variable>(handle.resource);
  if (!variable) return missing(handle);
  const MutexLock lock(variable->mutex);
  auto& value = variable->value;
  if (!value.hasValue()) return missing(handle);
  // The plan of this step relied on the handle's declared shape. The next plan will use the actual shape.
  if (!handle.shape.compatibleWith(value.shape())) {
    if (!std::exchange(variable->disproved, true)) c.session().disproved.fetch_add(1);
    return failedPrecondition("Variable ", handle.name, " states the shape ", handle.shape.toString(),
                              ", by which this step was planned, but its value has the shape ", value.shape().toString(),
                              " since the step began. Steps from now on go by the value: run this one again.");
  }
  return value;
}

Status requireType(const Tensor& value, DType wanted) {
  if (value.dtype() == wanted) return {};
  return invalidArgument("Trying to access a variable of the wrong dtype. Expected ", dtypeShortName(wanted), " got ", dtypeShortName(value.dtype()));
}

Status requireInitialized(KernelContext& c, std::initializer_list<int> inputs, DType wanted, ResourceError missing) {
  for (const int i : inputs) {
    if (c.isRefInput(i)) continue;
    auto variable = std::dynamic_pointer_cast<Variable>(handleOf(c, i).resource);
    if (!variable) return missing(handleOf(c, i));
    const MutexLock lock(variable->mutex);
    if (!variable->value.hasValue()) return missing(handleOf(c, i));
    WEFT_TRY(requireType(variable->value, wanted));
  }
  return {};
}

Result<std::vector<VariableUpdate>> lockForDelta(KernelContext& c) {
  const Tensor& delta = c.input(1);
  WEFT_TRY(requireInitialized(c, {0}, delta.dtype(), noSuchVariable));
  WEFT_LET(auto updates, c.update({0}));
  const Shape& shape = updates[0].shape();
  if (shape == delta.shape()) return updates;
  if (c.isRefInput(0)) return invalidArgument("Parameters and update must be the same size");
  return invalidArgument("Cannot update variable with shape ", shape.toString(), " using a Tensor with shape ", delta.shape().toString(),
                         ", shapes must be equal.");
}

Shape handleShape(const ShapeContext& c, int i) {
  const auto data = c.handle(i);
  return data ? data->shape : Shape::unknown();
}

std::string indexLabel(const Shape& shape, int64_t flat) {
  if (shape.isScalar()) return {};
  std::vector<int64_t> position(size_t(shape.rank()));
  for (int d = shape.rank() - 1; d >= 0; --d) {
    position[size_t(d)] = flat % shape.dim(d);
    flat /= shape.dim(d);
  }
  std::string text = "[";
  for (size_t d = 0; d < position.size(); ++d) text += (d ? "," : "") + std::to_string(position[d]);
  return text + "]";
}

namespace {

template <bool kAdd>
void accumulate(Tensor& value, const Tensor& delta) {
  withNumber(delta.dtype(), [&]<typename T>(std::type_identity<T>) {
    T* v = elementsOf<T>(value);
    const T* d = elementsOf<T>(delta);
    parallelFor(delta.elements(), 1 << 15, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) v[i] = kAdd ? T(v[i] + d[i]) : T(v[i] - d[i]);
    });
  });
}

}  // namespace

void addInPlace(Tensor& value, const Tensor& delta, bool add) { add ? accumulate<true>(value, delta) : accumulate<false>(value, delta); }

}  // namespace weft
