#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"
#include "ops/state_ops.h"

// Variables, by reference and by handle. Handles are in host memory, values on the GPU. Only additions touch elements; the other ops share the CPU's kernels.
namespace weft::cuda {
namespace {

template <typename T, bool kAdd>
Status runUpdate(KernelContext& c) {
  WEFT_LET(auto updates, lockForDelta(c));
  const Tensor& delta = c.input(1);
  T* value = mutableDataOf<T>(updates[0].value());
  const T* by = dataOf<T>(delta);
  WEFT_TRY(forEach(deviceOf(c), delta.elements(), [=] __device__(int64_t i) {
    const Wide<T> old = value[i], change = by[i];
    value[i] = T(kAdd ? old + change : old - change);
  }));
  if (c.outputCount() > 0) c.forwardRef(0, 0);
  return {};
}

template <bool kAdd>
void addUpdate(OpRegistry& ops, const char* op, const char* resourceOp) {
  addFor<Half, float, double, int64_t>(ops, op, []<typename T>(KernelContext& c) { return runUpdate<T, kAdd>(c); });
  addFor<Half, float, double, int64_t>(
      ops, resourceOp, []<typename T>(KernelContext& c) { return runUpdate<T, kAdd>(c); }, {"resource"}, "dtype");
}

}  // namespace

void registerVariablesGpu(OpRegistry& ops) {
  const std::vector<DType> held = {DType::Half, DType::Float, DType::Double, DType::Int64};
  std::vector<DType> handled = held;
  handled.insert(handled.end(), {DType::Bool, DType::Complex64, DType::Complex128, DType::Variant});
  shareWithCpu(ops, "TemporaryVariable", {}, held, "dtype");
  shareWithCpu(ops, "DestroyTemporaryVariable", {}, held);
  shareWithCpu(ops, "IsVariableInitialized", {"is_initialized"}, held, "dtype");
  addUpdate<true>(ops, "AssignAdd", "AssignAddVariableOp");
  addUpdate<false>(ops, "AssignSub", "AssignSubVariableOp");

  keepOnHost(ops, "VarHandleOp", handled, "dtype");
  for (const char* op : {"VarIsInitializedOp", "DestroyResourceOp"}) keepOnHost(ops, op, {});
  keepOnHost(ops, "VariableShape", {DType::Int32, DType::Int64}, "out_type");
  shareWithCpu(ops, "ReadVariableOp", {"resource"});
  shareWithCpu(ops, "AssignVariableOp", {"resource"}, handled, "dtype");
}

}  // namespace weft::cuda
