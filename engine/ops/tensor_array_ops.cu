#include "device/cuda/registration.h"

// TensorArrays and stacks: their kernels ask the device for what touches elements (kernel/device.h), so that one kernel serves all devices. Small integers and truth
// values are on the host.
namespace weft::cuda {

void registerTensorArrayOpsGpu(OpRegistry& ops) {
  const std::vector<DType> kept = {DType::Half, DType::BFloat16, DType::Float, DType::Double, DType::Int64, DType::Complex64, DType::Complex128};
  for (const char* version : {"", "V2", "V3"}) {
    const auto name = [&](const char* op) { return std::string(op) + version; };
    shareWithCpu(ops, name("TensorArray").c_str(), {"handle", "size"}, kept, "dtype");
    shareWithCpu(ops, name("TensorArrayGrad").c_str(), {"handle", "grad_handle"});
    shareWithCpu(ops, name("TensorArrayWrite").c_str(), {"handle", "index"}, kept);
    shareWithCpu(ops, name("TensorArrayRead").c_str(), {"handle", "index"}, kept, "dtype");
    shareWithCpu(ops, name("TensorArrayGather").c_str(), {"handle", "indices"}, kept, "dtype");
    shareWithCpu(ops, name("TensorArrayScatter").c_str(), {"handle", "indices"}, kept);
    shareWithCpu(ops, name("TensorArrayConcat").c_str(), {"handle", "lengths"}, kept, "dtype");
    shareWithCpu(ops, name("TensorArraySplit").c_str(), {"handle", "lengths"}, kept);
    shareWithCpu(ops, name("TensorArraySize").c_str(), {"handle", "size"});
    shareWithCpu(ops, name("TensorArrayClose").c_str(), {"handle"});
  }
  shareWithCpu(ops, "TensorArrayGradWithShape", {"handle", "shape_to_prepend", "grad_handle"});
  shareWithCpu(ops, "TensorArrayPack", {"handle"}, kept, "dtype");
  shareWithCpu(ops, "TensorArrayUnpack", {"handle"}, kept);

  std::vector<DType> pushed = kOnDevice;
  std::erase(pushed, DType::Bool);
  std::erase(pushed, DType::UInt64);
  for (const char* version : {"", "V2"}) {
    const auto name = [&](const char* op) { return std::string(op) + version; };
    shareWithCpu(ops, name("Stack").c_str(), {"handle", "max_size"});
    shareWithCpu(ops, name("StackPush").c_str(), {"handle"}, pushed);
    keepOnHost(ops, name("StackPush").c_str(), {DType::Int32, DType::Bool});
    shareWithCpu(ops, name("StackPop").c_str(), {"handle"}, pushed, "elem_type");
    keepOnHost(ops, name("StackPop").c_str(), {DType::Int32, DType::Bool}, "elem_type");
    shareWithCpu(ops, name("StackClose").c_str(), {"handle"});
  }
}

}  // namespace weft::cuda
