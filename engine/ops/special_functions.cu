#include "device/cuda/elementwise.cuh"

#include <unsupported/Eigen/SpecialFunctions>

#include "ops/special_functions.h"

// Special functions, with Eigen's code as on the CPU: Gamma, zeta, Bessel, incomplete integrals; also the next representable float.
namespace weft::cuda {
namespace {

namespace numext = Eigen::numext;

template <typename T>
constexpr T kInfinity = std::numeric_limits<T>::infinity();

struct Lgamma {
  template <typename T>
  static __device__ T of(T x) {
    return lgamma(x);
  }
};
/// Infinity at the poles, as in TensorFlow 1.15's Eigen.
struct Digamma {
  template <typename T>
  static __device__ T of(T x) {
    return x <= T(0) && floor(x) == x ? kInfinity<T> : numext::digamma(x);
  }
};
struct BesselI0e {
  template <typename T>
  static __device__ T of(T x) {
    return numext::bessel_i0e(x);
  }
};
struct BesselI1e {
  template <typename T>
  static __device__ T of(T x) {
    return numext::bessel_i1e(x);
  }
};
struct Zeta {
  template <typename T>
  static __device__ T of(T x, T q) {
    return x >= T(1) && q <= T(0) && floor(q) == q ? kInfinity<T> : numext::zeta(x, q);
  }
};
struct Polygamma {
  template <typename T>
  static __device__ T of(T n, T x) {
    if (n == T(0)) return Digamma::of(x);
    if (n > T(0) && floor(n) == n && x <= T(0) && floor(x) == x) return fmod(n, T(2)) == T(0) ? -kInfinity<T> : kInfinity<T>;
    return numext::polygamma(n, x);
  }
};
struct Igamma {
  template <typename T>
  static __device__ T of(T a, T x) {
    return numext::igamma(a, x);
  }
};
struct Igammac {
  template <typename T>
  static __device__ T of(T a, T x) {
    return numext::igammac(a, x);
  }
};
struct IgammaGradA {
  template <typename T>
  static __device__ T of(T a, T x) {
    return numext::igamma_der_a(a, x);
  }
};
struct GammaSampleGrad {
  template <typename T>
  static __device__ T of(T a, T x) {
    return numext::gamma_sample_der_alpha(a, x);
  }
};
struct NextAfter {
  static __device__ float of(float x, float y) { return nextafterf(x, y); }
  static __device__ double of(double x, double y) { return nextafter(x, y); }
};

template <typename F>
void addUnary(OpRegistry& ops, const char* op) {
  addFor<Half, float, double>(ops, op, []<typename T>(KernelContext& c) { return runUnary<F, T>(c); });
}
template <typename F>
void addBinary(OpRegistry& ops, const char* op) {
  addFor<float, double>(ops, op, []<typename T>(KernelContext& c) { return runBinary<F, T>(c); });
}

/// All inputs have one shape, or are scalars.
template <typename T>
Status runBetainc(KernelContext& c) {
  WEFT_LET(const Shape shape, betaincShapeOf(c));
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  const T *a = input<T>(c, 0), *b = input<T>(c, 1), *x = input<T>(c, 2);
  const int64_t stepA = c.input(0).rank() != 0, stepB = c.input(1).rank() != 0, stepX = c.input(2).rank() != 0;
  T* y = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) { y[i] = numext::betainc(a[i * stepA], b[i * stepB], x[i * stepX]); });
}

}  // namespace

void registerSpecialFunctionsGpu(OpRegistry& ops) {
  addUnary<Lgamma>(ops, "Lgamma");
  addUnary<Digamma>(ops, "Digamma");
  addUnary<BesselI0e>(ops, "BesselI0e");
  addUnary<BesselI1e>(ops, "BesselI1e");
  addBinary<Polygamma>(ops, "Polygamma");
  addBinary<Zeta>(ops, "Zeta");
  addBinary<Igamma>(ops, "Igamma");
  addBinary<Igammac>(ops, "Igammac");
  addBinary<IgammaGradA>(ops, "IgammaGradA");
  addBinary<GammaSampleGrad>(ops, "RandomGammaGrad");
  addBinary<NextAfter>(ops, "NextAfter");
  addFor<float, double>(ops, "Betainc", []<typename T>(KernelContext& c) { return runBetainc<T>(c); });
}

}  // namespace weft::cuda
