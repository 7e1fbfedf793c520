#pragma once

#include <string>
#include <vector>

#include "device/cuda/cuda_device.h"
#include "device/cuda/numbers.cuh"
#include "weft/op.h"

// How the .cu files add their kernels to ops.
namespace weft::cuda {

/// Elements of an input or of a tensor, in device memory. REQUIRES: the tensor's dtype is T's.
template <typename T>
const T* dataOf(const Tensor& t) {
  return static_cast<const T*>(t.raw());
}
template <typename T>
T* mutableDataOf(Tensor& t) {
  return static_cast<T*>(t.mutableRaw());
}
template <typename T>
const T* input(KernelContext& c, int i) {
  return dataOf<T>(c.input(i));
}

/// Registers f for each of the types, which attribute `attr` selects:
///
///     addFor<Half, float, double>(ops, "Tanh", []<typename T>(KernelContext& c) { return runUnary<T, HyperbolicTangent>(c); });
///
/// `hostMemory` names the arguments that are in host memory. Unknown ops are left out: a build may lack some.
template <typename... Ts, typename F>
void addFor(OpRegistry& ops, const char* op, F, const std::vector<std::string>& hostMemory = {}, const char* attr = "T") {
  OpRecord* record = ops.findMutable(op);
  if (!record) return;
  (record->kernel("GPU", {{attr, {kDType<Ts>}}}, hostMemory, simpleKernel(+[](KernelContext& c) -> Status { return F{}.template operator()<Ts>(c); })), ...);
}
/// Registers f for all types of the op, or for those that `constraints` name.
void addAny(OpRegistry& ops, const char* op, Status (*f)(KernelContext&), const std::vector<std::string>& hostMemory = {},
            std::vector<KernelConstraint> constraints = {});
/// Registers the CPU kernels of `op` for GPUs too, for ops that only pass buffers on, read shapes, or move elements with device/moves.h. `hostMemory` names the
/// arguments whose values they read. `types` restricts attribute `attr`; empty: all types.
void shareWithCpu(OpRegistry& ops, const char* op, const std::vector<std::string>& hostMemory = {}, const std::vector<DType>& types = {},
                  const char* attr = "T");
/// Registers the CPU kernels of `op` for GPUs with all arguments in host memory, where TensorFlow does so: small integers, which steer shapes. `types` restricts
/// attribute `attr`; empty: all types. With `onlyIfAsked`, nodes that ask for no device stay on the CPU.
void keepOnHost(OpRegistry& ops, const char* op, const std::vector<DType>& types = {DType::Int32}, const char* attr = "T", bool onlyIfAsked = false);

/// The types of numbers that TensorFlow keeps on a GPU in ops that pass any value on: all but int32, which is on the host.
inline const std::vector<DType> kOnDevice = {DType::Half,   DType::BFloat16, DType::Float,  DType::Double, DType::Int8,      DType::UInt8,     DType::Int16,
                                             DType::UInt16, DType::Int64,    DType::UInt64, DType::Bool,   DType::Complex64, DType::Complex128};

/// Calls f<Bytes<N>::Type>() for the size of an element of type `t`. REQUIRES: its elements are plain bytes.
template <typename F>
Status forSizeOf(DType t, F f) {
  switch (sizeOf(t)) {
    case 1: return f.template operator()<uint8_t>();
    case 2: return f.template operator()<uint16_t>();
    case 4: return f.template operator()<uint32_t>();
    case 8: return f.template operator()<uint64_t>();
    case 16: return f.template operator()<Complex128>();
    default: return unimplemented("Elements of type ", dtypeName(t), " cannot be moved on a GPU");
  }
}

}  // namespace weft::cuda
