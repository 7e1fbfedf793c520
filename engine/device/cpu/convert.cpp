#include "device/cpu/convert.h"

#include <algorithm>

#include "device/cpu/dtypes.h"
#include "device/cpu/half_blocks.h"

namespace weft::cpu {
namespace {

/// Mantissa bits of a float type.
template <typename T>
constexpr int mantissaOf() {
  if constexpr (std::is_same_v<T, Half>) return 10;
  else if constexpr (std::is_same_v<T, BFloat16>) return 7;
  else if constexpr (std::is_same_v<T, float>) return 23;
  else return 52;
}

template <typename To, typename From>
To cut(From x) {
  if constexpr (std::is_same_v<From, double>) {
    return To(float(std::bit_cast<double>(std::bit_cast<uint64_t>(x) & (~uint64_t(0) << (52 - mantissaOf<To>())))));
  } else {
    const float f = x;
    return To(std::bit_cast<float>(std::bit_cast<uint32_t>(f) & (~uint32_t(0) << (23 - mantissaOf<To>()))));
  }
}

template <typename To, typename From>
To convertOne(From x) {
  if constexpr (kIsComplex<From> && kIsComplex<To>) {
    return To(typename To::value_type(x.real()), typename To::value_type(x.imag()));
  } else if constexpr (kIsComplex<From>) {
    if constexpr (std::is_same_v<To, bool>) return x.real() != 0;
    else return convertOne<To>(x.real());
  } else if constexpr (kIsComplex<To>) {
    return To(convertOne<typename To::value_type>(x), 0);
  } else if constexpr (std::is_same_v<To, bool>) {
    return Compute<From>(x) != Compute<From>(0);
  } else if constexpr (kIsSmallFloat<To>) {
    return To(float(x));
  } else if constexpr (kIsSmallFloat<From>) {
    return To(float(x));
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To> && sizeof(To) < 4) {
    return To(int32_t(x));  // as processors do: through 32 bits, then wrapping
  } else {
    return To(x);
  }
}

template <typename From, typename To>
void convertAll(const void* from, void* to, int64_t n, bool truncate) {
  const From* x = static_cast<const From*>(from);
  To* y = static_cast<To*>(to);
  if constexpr (kIsFloat<From> && kIsFloat<To>) {
    if constexpr (mantissaOf<To>() < mantissaOf<From>()) {
      if (truncate) {
        for (int64_t i = 0; i < n; ++i) y[i] = cut<To>(x[i]);
        return;
      }
    }
  }
  if constexpr (kIsSmallFloat<From> && std::is_same_v<To, float>) {
    formatOf<From>().widen(static_cast<const uint16_t*>(from), y, n);
  } else if constexpr (kIsSmallFloat<To> && std::is_same_v<From, float>) {
    formatOf<To>().narrow(x, static_cast<uint16_t*>(to), n);
  } else if constexpr ((kIsSmallFloat<From> || kIsSmallFloat<To>)&&!kIsComplex<From> && !kIsComplex<To>) {
    // By way of float, a block at a time.
    constexpr int64_t kBlock = 1024;
    float block[kBlock];
    for (int64_t i = 0; i < n; i += kBlock) {
      const int64_t count = std::min(kBlock, n - i);
      convertAll<From, float>(x + i, block, count, false);
      convertAll<float, To>(block, y + i, count, false);
    }
  } else {
    for (int64_t i = 0; i < n; ++i) y[i] = convertOne<To>(x[i]);
  }
}

template <typename F>
bool withCastable(DType t, F&& f) {
  if (t == DType::Bool) {
    f(TypeTag<bool>());
    return true;
  }
  return withNumber(t, std::forward<F>(f));
}

}  // namespace

ConvertFunction findConversion(DType from, DType to) {
  ConvertFunction f = nullptr;
  withCastable(from,
               [&](auto fromTag) { withCastable(to, [&](auto toTag) { f = convertAll<typename decltype(fromTag)::type, typename decltype(toTag)::type>; }); });
  return f;
}

}  // namespace weft::cpu
