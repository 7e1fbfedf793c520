#include "device/cuda/elementwise.cuh"

// Element-wise arithmetic of two tensors with broadcasting.
namespace weft::cuda {
namespace {

struct Add {
  template <typename T>
  static __device__ T of(T a, T b) {
    return a + b;
  }
};
struct Subtract {
  template <typename T>
  static __device__ T of(T a, T b) {
    return a - b;
  }
};
struct Multiply {
  template <typename T>
  static __device__ T of(T a, T b) {
    return a * b;
  }
};
struct Divide {
  template <typename T>
  static __device__ T of(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      return b == 0 ? T(0) : b == T(-1) ? T(0 - a) : T(a / b);
    } else {
      return a / b;
    }
  }
};
struct DivideNoNan {
  template <typename T>
  static __device__ T of(T a, T b) {
    return b == T(0) ? T(0) : a / b;
  }
};
struct MultiplyNoNan {
  template <typename T>
  static __device__ T of(T a, T b) {
    return b == T(0) ? T(0) : a * b;
  }
};
struct FloorDivide {
  template <typename T>
  static __device__ T of(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      const T q = Divide::of(a, b);
      return std::is_signed_v<T> && b != 0 && q * b != a && (a < 0) != (b < 0) ? T(q - 1) : q;
    } else {
      return floor(a / b);
    }
  }
};
struct Larger {
  template <typename T>
  static __device__ T of(T a, T b) {
    return a < b ? b : a;
  }
};
struct Smaller {
  template <typename T>
  static __device__ T of(T a, T b) {
    return b < a ? b : a;
  }
};
struct SquaredDifference {
  template <typename T>
  static __device__ T of(T a, T b) {
    return (a - b) * (a - b);
  }
};
struct Power {
  template <typename T>
  static __device__ T of(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      if (b < 0) return a == 1 ? T(1) : a == -1 ? T(b % 2 ? -1 : 1) : T(0);
      uint64_t result = 1, square = uint64_t(a);
      for (; b > 0; b /= 2) {
        if (b % 2) result *= square;
        square *= square;
      }
      return T(result);
    } else {
      return pow(a, b);
    }
  }
};
struct ArcTangent {
  template <typename T>
  static __device__ T of(T a, T b) {
    return atan2(a, b);
  }
};

template <typename R>
__device__ R magnitude(Complex<R> x) {
  return hypot(x.re, x.im);
}
template <typename T>
__device__ T logarithm(T x) {
  if constexpr (kIsComplex<T>) {
    return T(log(magnitude(x)), atan2(x.im, x.re));
  } else {
    return log(x);
  }
}
struct TimesLogarithm {
  template <typename T>
  static __device__ T of(T x, T y) {
    return x == T(0) ? T(0) : x * logarithm(y);
  }
};
struct DividedUnlessZero {
  template <typename T>
  static __device__ T of(T x, T y) {
    return x == T(0) ? T(0) : x / y;
  }
};

/// A second operand that integers cannot be combined with, as on the CPU; the op's own result is 0 there.
template <typename T, typename Wrong>
Status checkSecond(KernelContext& c, Wrong wrong, Error (*describe)(const Node&)) {
  CudaDevice& d = deviceOf(c);
  const Tensor& b = c.input(1);
  WEFT_LET(const ErrorSlot slot, d.errorSlot(c, b, [node = &c.node(), describe](int64_t, const Tensor&) { return describe(*node); }));
  const T* from = dataOf<T>(b);
  return forEach(d, b.elements(), [=] __device__(int64_t i) {
    if (wrong(from[i])) slot.report(i);
  });
}
struct IsZero {
  template <typename T>
  __device__ bool operator()(T x) const {
    return x == 0;
  }
};
struct IsNegative {
  template <typename T>
  __device__ bool operator()(T x) const {
    return x < 0;
  }
};

template <typename F, typename T>
Status runDivision(KernelContext& c) {
  if constexpr (std::is_integral_v<T>) {
    WEFT_TRY(checkSecond<T>(c, IsZero(), [](const Node& node) {
      if (node.op.starts_with("Truncate")) return internalError("Unexpected error in binary operator (only integer div and mod should have errors)");
      return invalidArgument("Integer division by zero");
    }));
  }
  return runBinary<F, T>(c);
}
template <typename T>
Status runPower(KernelContext& c) {
  if constexpr (std::is_integral_v<T>) {
    WEFT_TRY(checkSecond<T>(c, IsNegative(), [](const Node&) { return invalidArgument("Integers to negative integer powers are not allowed"); }));
  }
  return runBinary<Power, T>(c);
}

template <typename F, typename... Ts>
void addDivision(OpRegistry& ops, const char* op) {
  addFor<Ts...>(ops, op, []<typename T>(KernelContext& c) { return runDivision<F, T>(c); });
}
template <typename F, typename... Ts>
void add(OpRegistry& ops, const char* op) {
  addFor<Ts...>(ops, op, []<typename T>(KernelContext& c) { return runBinary<F, T>(c); });
}

}  // namespace

void registerBinaryMathGpu(OpRegistry& ops) {
  for (const char* op : {"Add", "AddV2"}) add<Add, Half, float, double, uint8_t, int64_t, Complex64, Complex128>(ops, op);
  add<Subtract, Half, float, double, int64_t, Complex64, Complex128>(ops, "Sub");
  add<Multiply, Half, float, double, int8_t, uint8_t, int16_t, uint16_t, int64_t, Complex64, Complex128>(ops, "Mul");
  addDivision<Divide, Half, float, double, uint8_t, int16_t, uint16_t, int64_t, Complex64, Complex128>(ops, "Div");
  add<Divide, Half, float, double, Complex64, Complex128>(ops, "RealDiv");
  addDivision<Divide, uint8_t, int16_t, uint16_t, int64_t>(ops, "TruncateDiv");
  addDivision<FloorDivide, Half, float, double, uint8_t, int16_t, uint16_t, int64_t>(ops, "FloorDiv");
  add<DivideNoNan, Half, float, double, Complex64, Complex128>(ops, "DivNoNan");
  add<MultiplyNoNan, Half, float, double, Complex64, Complex128>(ops, "MulNoNan");
  add<TimesLogarithm, Half, float, double, Complex64, Complex128>(ops, "Xlogy");
  add<DividedUnlessZero, Half, float, double, Complex64, Complex128>(ops, "Xdivy");
  add<Larger, Half, float, double, int64_t>(ops, "Maximum");
  add<Smaller, Half, float, double, int64_t>(ops, "Minimum");
  add<SquaredDifference, Half, float, double, int64_t>(ops, "SquaredDifference");
  addFor<Half, float, double, int64_t>(ops, "Pow", []<typename T>(KernelContext& c) { return runPower<T>(c); });
  add<ArcTangent, float, double>(ops, "Atan2");
  for (const char* op : {"Add", "AddV2", "Sub", "Mul", "Div", "FloorDiv", "FloorMod", "Mod", "TruncateMod", "Maximum", "Minimum", "SquaredDifference"}) {
    keepOnHost(ops, op);
  }
}

}  // namespace weft::cuda
