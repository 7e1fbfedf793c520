#include "device/cuda/elementwise.cuh"

// Composition and parts of complex numbers.
namespace weft::cuda {
namespace {

struct RealPart {
  template <typename R>
  static __device__ R of(Complex<R> x) {
    return x.re;
  }
};
struct ImaginaryPart {
  template <typename R>
  static __device__ R of(Complex<R> x) {
    return x.im;
  }
};
struct AngleOf {
  template <typename R>
  static __device__ R of(Complex<R> x) {
    return atan2(x.im, x.re);
  }
};
struct Magnitude {
  template <typename R>
  static __device__ R of(Complex<R> x) {
    return hypot(x.re, x.im);
  }
};
struct Composed {
  template <typename R>
  static __device__ Complex<R> of(R re, R im) {
    return Complex<R>(re, im);
  }
};

template <typename F>
void addPart(OpRegistry& ops, const char* op) {
  addAny(ops, op, runUnary<F, Complex64, float>, {}, {{"T", {DType::Complex64}}, {"Tout", {DType::Float}}});
  addAny(ops, op, runUnary<F, Complex128, double>, {}, {{"T", {DType::Complex128}}, {"Tout", {DType::Double}}});
}

}  // namespace

void registerComplexPartsGpu(OpRegistry& ops) {
  addPart<RealPart>(ops, "Real");
  addPart<ImaginaryPart>(ops, "Imag");
  addPart<AngleOf>(ops, "Angle");
  addPart<Magnitude>(ops, "ComplexAbs");
  addAny(ops, "Complex", runBinary<Composed, float, Complex64>, {}, {{"T", {DType::Float}}, {"Tout", {DType::Complex64}}});
  addAny(ops, "Complex", runBinary<Composed, double, Complex128>, {}, {{"T", {DType::Double}}, {"Tout", {DType::Complex128}}});
}

}  // namespace weft::cuda
