#include "device/cuda/elementwise.cuh"

// Element-wise functions of one tensor, and the gradient ops of some of them.
namespace weft::cuda {
namespace {

struct Negate {
  template <typename T>
  static __device__ T of(T x) {
    return -x;
  }
};
struct SquareOf {
  template <typename T>
  static __device__ T of(T x) {
    return x * x;
  }
};
struct Root {
  template <typename T>
  static __device__ T of(T x) {
    return sqrt(x);
  }
};
struct ReciprocalRoot {
  template <typename T>
  static __device__ T of(T x) {
    return 1 / sqrt(x);
  }
};
struct Logarithm {
  template <typename T>
  static __device__ T of(T x) {
    return log(x);
  }
};
struct LogarithmOfOnePlus {
  template <typename T>
  static __device__ T of(T x) {
    return log1p(x);
  }
};
struct ExponentialMinusOne {
  template <typename T>
  static __device__ T of(T x) {
    return expm1(x);
  }
};
struct HyperbolicTangent {
  template <typename T>
  static __device__ T of(T x) {
    return tanh(x);
  }
};
struct Logistic {
  template <typename T>
  static __device__ T of(T x) {
    return 1 / (1 + exp(-x));
  }
};
struct Sine {
  template <typename T>
  static __device__ T of(T x) {
    return sin(x);
  }
};
struct Cosine {
  template <typename T>
  static __device__ T of(T x) {
    return cos(x);
  }
};
struct Tangent {
  template <typename T>
  static __device__ T of(T x) {
    return tan(x);
  }
};
struct ArcSine {
  template <typename T>
  static __device__ T of(T x) {
    return asin(x);
  }
};
struct ArcCosine {
  template <typename T>
  static __device__ T of(T x) {
    return acos(x);
  }
};
struct ArcTangent {
  template <typename T>
  static __device__ T of(T x) {
    return atan(x);
  }
};
struct HyperbolicSine {
  template <typename T>
  static __device__ T of(T x) {
    return sinh(x);
  }
};
struct HyperbolicCosine {
  template <typename T>
  static __device__ T of(T x) {
    return cosh(x);
  }
};
struct AreaSine {
  template <typename T>
  static __device__ T of(T x) {
    return asinh(x);
  }
};
struct AreaCosine {
  template <typename T>
  static __device__ T of(T x) {
    return acosh(x);
  }
};
struct AreaTangent {
  template <typename T>
  static __device__ T of(T x) {
    return atanh(x);
  }
};
struct ErrorFunction {
  template <typename T>
  static __device__ T of(T x) {
    return erf(x);
  }
};
struct ComplementOfErrorFunction {
  template <typename T>
  static __device__ T of(T x) {
    return erfc(x);
  }
};
struct RoundDown {
  template <typename T>
  static __device__ T of(T x) {
    return floor(x);
  }
};
struct RoundUp {
  template <typename T>
  static __device__ T of(T x) {
    return ceil(x);
  }
};
struct BitsInverted {
  template <typename T>
  static __device__ T of(T x) {
    return T(~x);
  }
};
struct Absolute {
  template <typename T>
  static __device__ T of(T x) {
    if constexpr (std::is_integral_v<T>) {
      return x < 0 ? T(0 - x) : x;
    } else {
      return fabs(x);
    }
  }
};
struct Inverse {
  template <typename T>
  static __device__ T of(T x) {
    if constexpr (std::is_integral_v<T>) {
      return x == 0 ? T(0) : T(1 / x);
    } else {
      return 1 / x;
    }
  }
};
struct Exponential {
  template <typename T>
  static __device__ T of(T x) {
    if constexpr (kIsComplex<T>) {
      const auto r = exp(x.re);
      return T(r * cos(x.im), r * sin(x.im));
    } else {
      return exp(x);
    }
  }
};
/// Rounds halves to even.
struct RoundToEven {
  template <typename T>
  static __device__ T of(T x) {
    if constexpr (std::is_integral_v<T>) {
      return x;
    } else {
      return rint(x);
    }
  }
};
struct SignOf {
  template <typename T>
  static __device__ T of(T x) {
    if constexpr (kIsComplex<T>) {
      const auto r = hypot(x.re, x.im);
      return r == 0 ? T(0) : T(x.re / r, x.im / r);
    } else {
      return x > T(0) ? T(1) : x < T(0) ? T(-1) : x;  // of NaN: NaN
    }
  }
};
struct Conjugate {
  template <typename R>
  static __device__ Complex<R> of(Complex<R> x) {
    return {x.re, -x.im};
  }
};
struct IsNotANumber {
  template <typename T>
  static __device__ bool of(T x) {
    return x != x;
  }
};
struct IsInfinite {
  template <typename T>
  static __device__ bool of(T x) {
    return x == x && x - x != x - x;
  }
};
struct IsFiniteNumber {
  template <typename T>
  static __device__ bool of(T x) {
    return x - x == x - x;
  }
};
struct Not {
  static __device__ bool of(bool x) { return !x; }
};

// (y, dy) -> dx, in the order of the ops' inputs.
struct TanhGradient {
  template <typename T>
  static __device__ T of(T y, T dy) {
    return dy * (1 - y * y);
  }
};
struct SigmoidGradient {
  template <typename T>
  static __device__ T of(T y, T dy) {
    return dy * y * (1 - y);
  }
};
struct SqrtGradient {
  template <typename T>
  static __device__ T of(T y, T dy) {
    return dy == 0 ? T(0) : T(0.5) * dy / y;
  }
};
struct RsqrtGradient {
  template <typename T>
  static __device__ T of(T y, T dy) {
    return dy == 0 ? T(0) : T(-0.5) * dy * y * y * y;
  }
};
struct InverseGradient {
  template <typename T>
  static __device__ T of(T y, T dy) {
    return dy == 0 ? T(0) : -dy * y * y;
  }
};

template <typename F, typename... Ts>
void add(OpRegistry& ops, const char* op) {
  addFor<Ts...>(ops, op, []<typename T>(KernelContext& c) { return runUnary<F, T>(c); });
}
template <typename F>
void addFloats(OpRegistry& ops, const char* op) {
  add<F, Half, float, double>(ops, op);
}
template <typename F>
void addTest(OpRegistry& ops, const char* op) {
  addFor<Half, float, double>(ops, op, []<typename T>(KernelContext& c) { return runUnary<F, T, bool>(c); });
}
template <typename F>
void addGradient(OpRegistry& ops, const char* op) {
  addFor<Half, float, double>(ops, op, []<typename T>(KernelContext& c) { return runPair<F, T>(c); });
}

}  // namespace

void registerUnaryMathGpu(OpRegistry& ops) {
  add<Absolute, Half, float, double, int64_t>(ops, "Abs");
  add<Negate, Half, float, double, int64_t, Complex64, Complex128>(ops, "Neg");
  add<SignOf, Half, float, double, int64_t, Complex64, Complex128>(ops, "Sign");
  add<SquareOf, Half, float, double, int64_t>(ops, "Square");
  for (const char* op : {"Abs", "Neg", "Sign", "Square"}) keepOnHost(ops, op);
  for (const char* op : {"Inv", "Reciprocal"}) add<Inverse, Half, float, double, int64_t>(ops, op);
  add<Exponential, Half, float, double, Complex64, Complex128>(ops, "Exp");
  add<RoundToEven, Half, float, double, int32_t, int64_t>(ops, "Round");
  add<RoundToEven, float, double>(ops, "Rint");
  add<Conjugate, Complex64, Complex128>(ops, "Conj");
  add<BitsInverted, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>(ops, "Invert");
  addAny(ops, "LogicalNot", runUnary<Not, bool>);
  addFloats<Root>(ops, "Sqrt");
  addFloats<ReciprocalRoot>(ops, "Rsqrt");
  addFloats<Logarithm>(ops, "Log");
  addFloats<LogarithmOfOnePlus>(ops, "Log1p");
  addFloats<ExponentialMinusOne>(ops, "Expm1");
  addFloats<HyperbolicTangent>(ops, "Tanh");
  addFloats<Logistic>(ops, "Sigmoid");
  addFloats<Sine>(ops, "Sin");
  addFloats<Cosine>(ops, "Cos");
  addFloats<Tangent>(ops, "Tan");
  addFloats<ErrorFunction>(ops, "Erf");
  addFloats<ComplementOfErrorFunction>(ops, "Erfc");
  addFloats<RoundDown>(ops, "Floor");
  addFloats<RoundUp>(ops, "Ceil");
  add<ArcSine, float, double>(ops, "Asin");
  add<ArcCosine, float, double>(ops, "Acos");
  add<ArcTangent, float, double>(ops, "Atan");
  add<HyperbolicSine, float, double>(ops, "Sinh");
  add<HyperbolicCosine, float, double>(ops, "Cosh");
  add<AreaSine, float, double>(ops, "Asinh");
  add<AreaCosine, float, double>(ops, "Acosh");
  add<AreaTangent, float, double>(ops, "Atanh");
  addTest<IsNotANumber>(ops, "IsNan");
  addTest<IsInfinite>(ops, "IsInf");
  addTest<IsFiniteNumber>(ops, "IsFinite");
  addGradient<TanhGradient>(ops, "TanhGrad");
  addGradient<SigmoidGradient>(ops, "SigmoidGrad");
  addGradient<SqrtGradient>(ops, "SqrtGrad");
  addGradient<RsqrtGradient>(ops, "RsqrtGrad");
  addGradient<InverseGradient>(ops, "ReciprocalGrad");
  addGradient<InverseGradient>(ops, "InvGrad");
}

}  // namespace weft::cuda
