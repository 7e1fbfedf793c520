#include "device/cuda/elementwise.cuh"

// Integers as rows of bits.
namespace weft::cuda {
namespace {

struct And {
  template <typename T>
  static __device__ T of(T x, T y) {
    return T(x & y);
  }
};
struct Or {
  template <typename T>
  static __device__ T of(T x, T y) {
    return T(x | y);
  }
};
struct Xor {
  template <typename T>
  static __device__ T of(T x, T y) {
    return T(x ^ y);
  }
};

/// Shifting by more than the width is undefined; TensorFlow clamps the distance to [0, width - 1].
template <typename T>
__device__ int distanceOf(T y) {
  constexpr int kLast = int(sizeof(T)) * 8 - 1;
  if (std::is_signed_v<T> && y < T(0)) return 0;
  return y > T(kLast) ? kLast : int(y);
}
struct Left {
  template <typename T>
  static __device__ T of(T x, T y) {
    return T(uint64_t(x) << distanceOf(y));
  }
};
struct Right {
  template <typename T>
  static __device__ T of(T x, T y) {
    return T(x >> distanceOf(y));
  }
};
/// By sums of neighbouring groups of bits.
struct Count {
  template <typename T>
  static __device__ uint8_t of(T x) {
    uint64_t b = uint64_t(std::make_unsigned_t<T>(x));
    b -= b >> 1 & 0x5555555555555555u;
    b = (b & 0x3333333333333333u) + (b >> 2 & 0x3333333333333333u);
    b = (b + (b >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return uint8_t(b * 0x0101010101010101u >> 56);
  }
};

template <typename F>
void add(OpRegistry& ops, const char* op) {
  addFor<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>(ops, op, []<typename T>(KernelContext& c) { return runBinary<F, T>(c); });
}

}  // namespace

void registerBitsGpu(OpRegistry& ops) {
  add<And>(ops, "BitwiseAnd");
  add<Or>(ops, "BitwiseOr");
  add<Xor>(ops, "BitwiseXor");
  add<Left>(ops, "LeftShift");
  add<Right>(ops, "RightShift");
  addFor<int8_t, uint8_t, int16_t, uint16_t, int32_t, int64_t>(ops, "PopulationCount",
                                                               []<typename T>(KernelContext& c) { return runUnary<Count, T, uint8_t>(c); });
}

}  // namespace weft::cuda
