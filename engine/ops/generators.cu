#include <algorithm>
#include <vector>

#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"

// Tensors of one value.
namespace weft::cuda {
namespace {

template <typename T>
Status fillWith(KernelContext& c, Tensor& out, T value) {
  T* to = mutableDataOf<T>(out);
  return forEach(deviceOf(c), out.elements(), [=] __device__(int64_t i) { to[i] = value; });
}

template <typename T>
Status repeat(CudaDevice& d, const T* value, Tensor& out) {
  T* to = mutableDataOf<T>(out);
  return forEach(d, out.elements(), [=] __device__(int64_t i) { to[i] = *value; });
}

/// Inputs: the dims, on the host, and the value, on the device.
Status runFill(KernelContext& c) {
  const Tensor &dims = c.input(0), &value = c.input(1);
  if (dims.rank() > 1) return invalidArgument("dims must be a vector, got shape ", dims.shape().toString());
  if (value.rank() != 0) return invalidArgument("value must be a scalar, got shape ", value.shape().toString());
  std::vector<int64_t> v;
  for (int64_t i = 0; i < dims.elements(); ++i) {
    v.push_back(dims.asInt(i));
    if (v.back() < 0) return invalidArgument("Dimension ", v.back(), " must be >= 0");
  }
  WEFT_LET(Tensor * out, c.allocate(0, Shape(v)));
  return forSizeOf(value.dtype(), [&]<typename T>() { return repeat(deviceOf(c), dataOf<T>(value), *out); });
}

/// Integers are in host memory.
Status fillIntegersLike(KernelContext& c, int32_t value) {
  WEFT_LET(Tensor * out, c.allocate(0, c.input(0).shape()));
  std::fill_n(out->mutableData<int32_t>(), out->elements(), value);
  return {};
}

template <typename T>
Status runConstantLike(KernelContext& c, float value) {
  WEFT_LET(Tensor * out, c.allocateOrForward(0, c.input(0).shape(), {0}));
  return fillWith<T>(c, *out, T(value));
}

/// Inputs: indices, the depth on the host, and the two values.
template <typename T, typename I>
Status fillOneHot(CudaDevice& d, const Tensor& indices, const Tensor& on, const Tensor& off, int64_t depth, int64_t after, Tensor& out) {
  const I* hot = dataOf<I>(indices);
  const T *onValue = static_cast<const T*>(on.raw()), *offValue = static_cast<const T*>(off.raw());
  T* to = static_cast<T*>(out.mutableRaw());
  return forEach(d, out.elements(), [=] __device__(int64_t i) {
    const int64_t k = i / after % depth, at = i / (after * depth) * after + i % after;
    to[i] = int64_t(hot[at]) == k ? *onValue : *offValue;
  });
}

Status runOneHot(KernelContext& c) {
  const Tensor &indices = c.input(0), &depthTensor = c.input(1), &on = c.input(2), &off = c.input(3);
  const int rank = indices.rank();
  const int64_t axis = c.node().attrs.integer("axis", -1);
  if (axis != -1 && (axis < 0 || axis > rank)) return invalidArgument("Expected axis to be -1 or between [0, ", rank + 1, ").  But received: ", axis);
  if (depthTensor.rank() != 0) return invalidArgument("depth must be a scalar, but got: ", depthTensor.shape().toString());
  if (on.rank() != 0) return invalidArgument("on_value must be a scalar, but got: ", on.shape().toString());
  if (off.rank() != 0) return invalidArgument("off_value must be a scalar, but got: ", off.shape().toString());
  const int64_t depth = depthTensor.asInt(0), at = axis == -1 ? rank : axis;
  if (depth < 0) return invalidArgument("depth must be non-negative, got: ", depth);
  Shape shape = indices.shape().slice(0, int(at));
  if (at == 0) shape = Shape();
  shape.append(depth);
  int64_t after = 1;
  for (int d = int(at); d < rank; ++d) {
    shape.append(indices.dim(d));
    after *= indices.dim(d);
  }
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  CudaDevice& d = deviceOf(c);
  return forSizeOf(on.dtype(), [&]<typename T>() {
    switch (indices.dtype()) {
      case DType::UInt8: return fillOneHot<T, uint8_t>(d, indices, on, off, depth, after, *out);
      case DType::Int32: return fillOneHot<T, int32_t>(d, indices, on, off, depth, after, *out);
      default: return fillOneHot<T, int64_t>(d, indices, on, off, depth, after, *out);
    }
  });
}

}  // namespace

void registerGeneratorsGpu(OpRegistry& ops) {
  addAny(ops, "Fill", runFill, {"dims"},
         {{"T",
           {DType::Half, DType::BFloat16, DType::Float, DType::Double, DType::Int8, DType::UInt8, DType::Int16, DType::UInt16, DType::Int64, DType::Bool,
            DType::Complex64, DType::Complex128}}});
  keepOnHost(ops, "Fill");
  addFor<Half, BFloat16, float, double, int64_t, bool, Complex64, Complex128>(ops, "ZerosLike",
                                                                              []<typename T>(KernelContext& c) { return runConstantLike<T>(c, 0); });
  addFor<Half, BFloat16, float, double, int64_t, bool, Complex64, Complex128>(ops, "OnesLike",
                                                                              []<typename T>(KernelContext& c) { return runConstantLike<T>(c, 1); });
  addAny(ops, "ZerosLike", [](KernelContext& c) { return fillIntegersLike(c, 0); }, {"y"}, {{"T", {DType::Int32}}});
  addAny(ops, "OnesLike", [](KernelContext& c) { return fillIntegersLike(c, 1); }, {"y"}, {{"T", {DType::Int32}}});
  addAny(ops, "OneHot", runOneHot, {"depth"}, {{"T", {DType::Half, DType::Float, DType::Double, DType::Int32, DType::Int64, DType::Bool}}});
}

}  // namespace weft::cuda
