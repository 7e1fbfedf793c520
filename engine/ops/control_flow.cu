#include "device/cuda/registration.h"

// Control flow: values pass through, whether they are on the device or on the host. What steers (predicates, loop conditions, the index of a Merge) is on the host.
namespace weft::cuda {

void registerControlFlowGpu(OpRegistry& ops) {
  const std::vector<DType> hostTypes = {DType::Int32, DType::Resource, DType::String};
  for (const char* op : {"Enter", "Exit", "NextIteration", "RefEnter", "RefExit", "RefNextIteration"}) {
    shareWithCpu(ops, op, {}, kOnDevice);
    keepOnHost(ops, op, hostTypes);
    shareWithCpu(ops, op);  // types that are nowhere else: objects, which are on the host by themselves
  }
  std::vector<DType> switched = kOnDevice;
  std::erase(switched, DType::Bool);
  for (const char* op : {"Switch", "RefSwitch"}) {
    shareWithCpu(ops, op, {"pred"}, switched);
    keepOnHost(ops, op, {DType::Int32, DType::Bool, DType::Resource, DType::String});
    shareWithCpu(ops, op, {"pred"});
  }
  for (const char* op : {"Merge", "RefMerge"}) {
    shareWithCpu(ops, op, {"value_index"}, kOnDevice);
    keepOnHost(ops, op, hostTypes);
    shareWithCpu(ops, op, {"value_index"});
  }
  shareWithCpu(ops, "LoopCond", {"input", "output"});
  shareWithCpu(ops, "Assert", {"condition", "data"});
}

}  // namespace weft::cuda
