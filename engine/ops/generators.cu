#include <vector>

#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"

// Tensors of one value, and repetitions.
namespace weft::cuda {
namespace {

template <typename T>
Status fillWith(KernelContext& c, Tensor& out, T value) {
  T* to = mutableDataOf<T>(out);
  return forEach(deviceOf(c), out.elements(), [=] __device__(int64_t i) { to[i] = value; });
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
  return forSizeOf(value.dtype(), [&]<typename T>() {
    const T* from = dataOf<T>(value);
    T* to = mutableDataOf<T>(*out);
    return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) { to[i] = *from; });
  });
}

template <typename T>
Status runConstantLike(KernelContext& c, float value) {
  WEFT_LET(Tensor * out, c.allocateOrForward(0, c.input(0).shape(), {0}));
  return fillWith<T>(c, *out, T(value));
}

/// Tile: a product of coordinates modulo the input's dims.
struct Tiling {
  int rank = 0;
  int64_t out[8] = {}, in[8] = {};
};

Status runTile(KernelContext& c) {
  const Tensor &x = c.input(0), &multiples = c.input(1);
  if (x.rank() > 8) return unimplemented("Tile on the GPU takes up to 8 dims, got ", x.rank());
  if (multiples.rank() != 1 || multiples.dim(0) != x.rank()) {
    return invalidArgument("Expected multiples argument to be a vector of length ", x.rank(), " but got length ", multiples.elements());
  }
  Tiling t;
  t.rank = x.rank();
  Shape shape = x.shape();
  for (int d = 0; d < t.rank; ++d) {
    t.in[d] = x.dim(d);
    t.out[d] = x.dim(d) * multiples.asInt(d);
    if (multiples.asInt(d) < 0) return invalidArgument("Expected multiples[", d, "] >= 0, but got ", multiples.asInt(d));
    shape.setDim(d, t.out[d]);
  }
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  return forSizeOf(x.dtype(), [&]<typename T>() {
    const T* from = dataOf<T>(x);
    T* to = mutableDataOf<T>(*out);
    return forEach(deviceOf(c), shape.elements(), [=] __device__(int64_t i) {
      int64_t rest = i, at = 0, stride = 1;
      for (int d = t.rank - 1; d >= 0; --d) {
        at += rest % t.out[d] % t.in[d] * stride;
        rest /= t.out[d];
        stride *= t.in[d];
      }
      to[i] = from[at];
    });
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
  addAny(ops, "Tile", runTile, {"multiples"},
         {{"T", {DType::Half, DType::Float, DType::Double, DType::Int16, DType::Int32, DType::Int64, DType::Bool, DType::Complex64, DType::Complex128}}});
}

}  // namespace weft::cuda
