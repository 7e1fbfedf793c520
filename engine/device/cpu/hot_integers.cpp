#include "device/cpu/hot_spans.h"

// Integers and bools: arithmetic of the small ones, divisions, bits and logic; and functions of 16-bit floats that are integer arithmetic on their bits.
namespace {

using weft::cpu::HotSpan;
using weft::cpu::HotType;

WEFT_BINARY(BitAndT, T(x& y))
WEFT_BINARY(BitOrT, T(x | y))
WEFT_BINARY(BitXorT, T(x ^ y))
template <typename T>
struct InvertT {
  static T of(T x) { return T(~x); }
};

// Bools are bytes of 0 or 1.
typedef unsigned char Byte;
WEFT_BINARY(DifferT, x != y)
WEFT_BINARY(SameT, x == y)
struct Not {
  static Byte of(Byte x) { return x == 0; }
};
struct And {
  static Byte of(Byte x, Byte y) { return (x & y) != 0; }
};
struct Or {
  static Byte of(Byte x, Byte y) { return (x | y) != 0; }
};

/// How T is divided: in a floating-point type in which quotients of T that are no integers stay apart from integers when they are rounded.
template <typename T>
struct Division {
  typedef float Real;
  typedef int Whole;  ///< of the quotients
  typedef unsigned Wrapping;
};
template <>
struct Division<int> {
  typedef double Real;
  typedef int Whole;
  typedef unsigned Wrapping;
};

/// The quotient rounded towards zero. The least number divided by -1 wraps. REQUIRES: y != 0.
template <typename T>
inline T quotientOf(T x, T y) {
  typedef typename Division<T>::Real Real;
  typedef typename Division<T>::Wrapping Wrapping;
  constexpr bool kSigned = T(-1) < T(0);
  const bool negates = kSigned && y == T(-1);
  const Real divisor = negates ? Real(1) : Real(y);
  const T q = T(typename Division<T>::Whole(Real(x) / divisor));
  return negates ? T(Wrapping(0) - Wrapping(x)) : q;
}
inline long quotientOf(long x, long y) { return y == -1 ? long(0ul - static_cast<unsigned long>(x)) : x / y; }

template <typename T>
inline T productOf(T x, T y) {
  return T(static_cast<unsigned long>(x) * static_cast<unsigned long>(y));
}
template <typename T>
inline T differenceOf(T x, T y) {
  return T(static_cast<unsigned long>(x) - static_cast<unsigned long>(y));
}
inline int productOf(int x, int y) { return int(unsigned(x) * unsigned(y)); }
inline int differenceOf(int x, int y) { return int(unsigned(x) - unsigned(y)); }

// The operations from the quotient rounded towards zero.
struct Truncated {
  template <typename T>
  static T of(T, T, T q) {
    return q;
  }
};
struct Floored {
  template <typename T>
  static T of(T x, T y, T q) {
    const bool exact = productOf(q, y) == x;
    return T(q - T(!exact && (x < 0) != (y < 0)));
  }
};
struct Remainder {
  template <typename T>
  static T of(T x, T y, T q) {
    return differenceOf(x, productOf(q, y));
  }
};
struct FloorRemainder {
  template <typename T>
  static T of(T x, T y, T q) {
    const T r = Remainder::of(x, y, q);
    return r != 0 && (r < 0) != (y < 0) ? T(r + y) : r;
  }
};
template <typename F, typename T>
struct Dividing {
  static T of(T x, T y) { return F::of(x, y, quotientOf(x, y)); }
};

/// Division of 64-bit integers: blocks of numbers below 2^51 in doubles, which hold them exactly and truncate their quotients correctly after one correction,
/// others one by one.
template <typename F>
void divideLong(const void* const* in, const bool* scalar, void* out, long n) {
  const long *x = static_cast<const long*>(in[0]), *y = static_cast<const long*>(in[1]);
  long* z = static_cast<long*>(out);
  constexpr long kBlock = 128;
  constexpr unsigned long kBound = 1ul << 51;
  constexpr double kMagic = 6755399441055744.0;  // 1.5 * 2^52: numbers of this size have a last bit of 1
  constexpr long kMagicBits = 0x4338000000000000;
  const long sx = !scalar[0], sy = !scalar[1];
  long a[kBlock], b[kBlock];
  for (long begin = 0; begin < n; begin += kBlock) {
    const long count = n - begin < kBlock ? n - begin : kBlock;
    if (sx) __builtin_memcpy(a, x + begin, size_t(count) * sizeof(long));
    if (sy) __builtin_memcpy(b, y + begin, size_t(count) * sizeof(long));
    if (!sx && begin == 0) {
      for (long i = 0; i < kBlock; ++i) a[i] = x[0];
    }
    if (!sy && begin == 0) {
      for (long i = 0; i < kBlock; ++i) b[i] = y[0];
    }
    unsigned long wide = 0;
    for (long i = 0; i < count; ++i) {
      wide |= (static_cast<unsigned long>(a[i]) + kBound) | (static_cast<unsigned long>(b[i]) + kBound);
    }
    long* to = z + begin;
    if (wide < 2 * kBound) {
      WEFT_INDEPENDENT
      for (long i = 0; i < count; ++i) {
        const double p = __builtin_bit_cast(double, a[i] + kMagicBits) - kMagic, d = __builtin_bit_cast(double, b[i] + kMagicBits) - kMagic;
        const double quotient = __builtin_trunc(p / d);
        long q = __builtin_bit_cast(long, quotient + kMagic) - kMagicBits;
        // A rounded quotient may be one too far from zero; the remainder then has the other sign.
        const long r = differenceOf(a[i], productOf(q, b[i]));
        const long away = (a[i] < 0) != (b[i] < 0) ? -1 : 1;
        q -= r != 0 && (r < 0) != (a[i] < 0) ? away : 0;
        to[i] = F::of(a[i], b[i], q);
      }
    } else {
      for (long i = 0; i < count; ++i) to[i] = F::of(a[i], b[i], quotientOf(a[i], b[i]));
    }
  }
}

/// Functions of the bits of half and bfloat16, whose infinity and 1 are given.
typedef unsigned short U16;
template <int kInfinity, int kOne>
struct HalfBits {
  struct Neg {
    static U16 of(U16 x) { return U16(x ^ 0x8000); }
  };
  struct Abs {
    static U16 of(U16 x) { return U16(x & 0x7fff); }
  };
  struct Sign {
    static U16 of(U16 x) {
      const U16 mag = x & 0x7fff;
      return mag == 0 || mag > kInfinity ? U16(0) : U16((x & 0x8000) | kOne);
    }
  };
  struct Relu {  // -0 and NaN stay
    static U16 of(U16 x) { return x > 0x8000 && x <= (0x8000 | kInfinity) ? U16(0) : x; }
  };
  struct IsNan {
    static bool of(U16 x) { return (x & 0x7fff) > kInfinity; }
  };
  struct IsInf {
    static bool of(U16 x) { return (x & 0x7fff) == kInfinity; }
  };
  struct IsFinite {
    static bool of(U16 x) { return (x & 0x7fff) < kInfinity; }
  };
};
typedef HalfBits<0x7c00, 0x3c00> Ieee;
typedef HalfBits<0x7f80, 0x3f80> Brain;
#define WEFT_HALF_BITS(type, F)                                                                                                         \
  {"Neg", type, false, 1, 0.1f, plainSpan<F::Neg, U16, U16>}, {"Abs", type, false, 1, 0.1f, plainSpan<F::Abs, U16, U16>},               \
      {"Sign", type, false, 1, 0.1f, plainSpan<F::Sign, U16, U16>}, {"Relu", type, false, 1, 0.1f, plainSpan<F::Relu, U16, U16>},       \
      {"IsNan", type, true, 1, 0.1f, plainSpan<F::IsNan, U16, bool>}, {"IsInf", type, true, 1, 0.1f, plainSpan<F::IsInf, U16, bool>}, { \
    "IsFinite", type, true, 1, 0.1f, plainSpan<F::IsFinite, U16, bool>                                                                  \
  }

#define WEFT_DIVISIONS(type, T, cost)                                                                                                                       \
  {"Div", type, false, 2, cost, binarySpan<Dividing<Truncated, T>, T, T>}, {"TruncateDiv", type, false, 2, cost, binarySpan<Dividing<Truncated, T>, T, T>}, \
      {"FloorDiv", type, false, 2, cost, binarySpan<Dividing<Floored, T>, T, T>},                                                                           \
      {"FloorMod", type, false, 2, cost, binarySpan<Dividing<FloorRemainder, T>, T, T>},                                                                    \
      {"Mod", type, false, 2, cost, binarySpan<Dividing<Remainder, T>, T, T>}, {                                                                            \
    "TruncateMod", type, false, 2, cost, binarySpan<Dividing<Remainder, T>, T, T>                                                                           \
  }
#define WEFT_BITS(type, T, cost)                                                                                                        \
  {"BitwiseAnd", type, false, 2, cost, binarySpan<BitAndT<T>, T, T>}, {"BitwiseOr", type, false, 2, cost, binarySpan<BitOrT<T>, T, T>}, \
      {"BitwiseXor", type, false, 2, cost, binarySpan<BitXorT<T>, T, T>}, {                                                             \
    "Invert", type, false, 1, cost, plainSpan<InvertT<T>, T, T>                                                                         \
  }

const HotSpan kIntegers[] = {
    WEFT_ARITHMETIC(HotType::Int8, Byte, 0.05f),
    WEFT_ARITHMETIC(HotType::UInt8, Byte, 0.05f),
    WEFT_ARITHMETIC(HotType::Int16, unsigned short, 0.1f),
    WEFT_ARITHMETIC(HotType::UInt16, unsigned short, 0.1f),
    WEFT_ORDER(HotType::Int8, signed char, 0.05f),
    WEFT_ORDER(HotType::UInt8, Byte, 0.05f),
    WEFT_ORDER(HotType::Int16, short, 0.1f),
    WEFT_ORDER(HotType::UInt16, unsigned short, 0.1f),
    WEFT_COMPARISONS(HotType::UInt32, unsigned, 0.2f),
    WEFT_COMPARISONS(HotType::UInt64, unsigned long, 0.4f),
    WEFT_DIVISIONS(HotType::Int8, signed char, 0.4f),
    WEFT_DIVISIONS(HotType::UInt8, Byte, 0.4f),
    WEFT_DIVISIONS(HotType::Int16, short, 0.4f),
    WEFT_DIVISIONS(HotType::UInt16, unsigned short, 0.4f),
    WEFT_DIVISIONS(HotType::Int32, int, 0.6f),
    {"Div", HotType::Int64, false, 2, 1, divideLong<Truncated>},
    {"TruncateDiv", HotType::Int64, false, 2, 1, divideLong<Truncated>},
    {"FloorDiv", HotType::Int64, false, 2, 1, divideLong<Floored>},
    {"FloorMod", HotType::Int64, false, 2, 1, divideLong<FloorRemainder>},
    {"Mod", HotType::Int64, false, 2, 1, divideLong<Remainder>},
    {"TruncateMod", HotType::Int64, false, 2, 1, divideLong<Remainder>},
    WEFT_BITS(HotType::Int8, Byte, 0.05f),
    WEFT_BITS(HotType::UInt8, Byte, 0.05f),
    WEFT_BITS(HotType::Int16, unsigned short, 0.1f),
    WEFT_BITS(HotType::UInt16, unsigned short, 0.1f),
    WEFT_BITS(HotType::Int32, unsigned, 0.2f),
    WEFT_BITS(HotType::UInt32, unsigned, 0.2f),
    WEFT_BITS(HotType::Int64, unsigned long, 0.4f),
    WEFT_BITS(HotType::UInt64, unsigned long, 0.4f),
    WEFT_HALF_BITS(HotType::Half, Ieee),
    WEFT_HALF_BITS(HotType::BFloat16, Brain),
    {"LogicalAnd", HotType::Bool, false, 2, 0.05f, binarySpan<And, Byte, Byte>},
    {"LogicalOr", HotType::Bool, false, 2, 0.05f, binarySpan<Or, Byte, Byte>},
    {"LogicalNot", HotType::Bool, false, 1, 0.05f, plainSpan<Not, Byte, Byte>},
    {"Equal", HotType::Bool, true, 2, 0.05f, binarySpan<SameT<Byte>, Byte, Byte>},
    {"NotEqual", HotType::Bool, true, 2, 0.05f, binarySpan<DifferT<Byte>, Byte, Byte>},
};

}  // namespace

namespace weft::cpu {

extern const HotList WEFT_JOIN(hotIntegers_, WEFT_ISA_NAME) = {kIntegers, int(sizeof(kIntegers) / sizeof(kIntegers[0]))};

}  // namespace weft::cpu
