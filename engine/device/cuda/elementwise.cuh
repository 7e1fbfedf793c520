#pragma once

#include "device/cuda/indexing.cuh"
#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"
#include "graph/shape_context.h"

// Kernels that compute each element from the same place of their inputs. `F::of` is the function; it gets float for the 16-bit types.
namespace weft::cuda {

inline Error differentSizes(KernelContext& c) {
  return invalidArgument("Inputs to operation ", c.node().name, " of type ", c.node().op,
                         " must have the same size and shape.  Input 0: ", c.input(0).shape().toString(), " != input 1: ", c.input(1).shape().toString());
}

/// out[i] = F::of(x[i]).
template <typename F, typename T, typename R = T>
Status runUnary(KernelContext& c) {
  const Tensor& x = c.input(0);
  WEFT_LET(Tensor * out, sizeof(T) == sizeof(R) ? c.allocateOrForward(0, x.shape(), {0}) : c.allocate(0, x.shape()));
  const T* from = dataOf<T>(x);
  R* to = mutableDataOf<R>(*out);
  return forEach(deviceOf(c), x.elements(), [=] __device__(int64_t i) { to[i] = R(F::of(Wide<T>(from[i]))); });
}

/// out[i] = F::of(a[i], b[i]) for inputs of one shape: gradients of unary functions.
template <typename F, typename T>
Status runPair(KernelContext& c) {
  const Tensor &a = c.input(0), &b = c.input(1);
  if (a.shape() != b.shape()) return differentSizes(c);
  WEFT_LET(Tensor * out, c.allocateOrForward(0, a.shape(), {0, 1}));
  const T *from = dataOf<T>(a), *other = dataOf<T>(b);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), a.elements(), [=] __device__(int64_t i) { to[i] = T(F::of(Wide<T>(from[i]), Wide<T>(other[i]))); });
}

/// Writes f(element of a, element of b) for each element of the broadcast `shape`.
template <typename T, typename R, typename F>
Status overBroadcast(CudaDevice& d, const Shape& shape, const Tensor& a, const Tensor& b, R* to, F f) {
  const int64_t n = shape.elements();
  if (n == 0) return {};
  const T *from = dataOf<T>(a), *other = dataOf<T>(b);
  const bool sameA = a.elements() == n, sameB = b.elements() == n;
  if ((sameA || a.elements() == 1) && (sameB || b.elements() == 1)) {
    return forEach(d, n, [=] __device__(int64_t i) { to[i] = f(from[sameA ? i : 0], other[sameB ? i : 0]); });
  }
  WEFT_LET(const Broadcast r, broadcastOf(shape, a.shape(), b.shape()));
  return forEach(d, n, [=] __device__(int64_t i) { to[i] = f(from[r.a(i)], other[r.b(i)]); });
}

template <typename F, typename T>
struct Widened {
  __device__ auto operator()(T a, T b) const { return F::of(Wide<T>(a), Wide<T>(b)); }
};

/// out = F::of(a, b) with broadcasting.
template <typename F, typename T, typename R = T>
Status runBinary(KernelContext& c) {
  const Tensor &a = c.input(0), &b = c.input(1);
  WEFT_LET(const Shape shape, broadcastShapes(a.shape(), b.shape()));
  WEFT_LET(Tensor * out, sizeof(T) == sizeof(R) ? c.allocateOrForward(0, shape, {0, 1}) : c.allocate(0, shape));
  return overBroadcast<T>(deviceOf(c), shape, a, b, mutableDataOf<R>(*out), Widened<F, T>());
}

}  // namespace weft::cuda
