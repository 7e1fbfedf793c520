#include "device/cuda/registration.h"

// Calls of functions: arguments and results stay on the device, but for small integers and objects.
namespace weft::cuda {

void registerFunctionCallsGpu(OpRegistry& ops) {
  const std::string integers(kInt32Arguments);
  for (const char* op : {"PartitionedCall", "StatefulPartitionedCall", "SymbolicGradient", "While", "StatelessWhile"}) shareWithCpu(ops, op, {integers});
  for (const char* op : {"If", "StatelessIf"}) shareWithCpu(ops, op, {integers, "cond"});
  shareWithCpu(ops, "Case", {integers, "branch_index"});
  shareWithCpu(ops, "RemoteCall", {integers, "target"});
  shareWithCpu(ops, "For", {integers, "start", "limit", "delta"});
  shareWithCpu(ops, "FakeParam", {integers});
  shareWithCpu(ops, "_Arg", {integers});
}

}  // namespace weft::cuda
