#pragma once

#include <cmath>

#include "base/any_device.h"
#include "kernel/kernel.h"

// Quantization and back, for the kernels of all devices.
namespace weft {

/// Rounds ties to even, regardless of the processor's rounding mode.
template <typename T>
WEFT_ANY_DEVICE T roundToEven(T x) {
  const T r = T(round(x));
  return T(fabs(x - T(trunc(x)))) == T(0.5) ? T(2) * T(round(x / T(2))) : r;
}

/// Rounds numbers to those that integers with the given number of bits represent.
template <typename T>
struct QuantizeDequantize {
  T scale, inverseScale, min, max;
  bool clamp, up;

  WEFT_ANY_DEVICE QuantizeDequantize(T low, T high, int bits, bool isSigned, bool narrow, bool given, bool roundUp) : clamp(given), up(roundUp) {
    const int64_t least = !isSigned ? 0 : -int64_t(uint64_t(1) << (bits - 1)) + (narrow ? 1 : 0);
    const int64_t most = isSigned ? int64_t(uint64_t(1) << (bits - 1)) - 1 : int64_t((uint64_t(1) << bits) - 1);
    constexpr T none = sizeof(T) == 8 ? T(1.7976931348623157e308) : T(3.40282347e38f);
    const T a = T(least), b = T(most);
    const T fromMin = a * low > 0 ? a / low : none, fromMax = b * high > 0 ? b / high : none;
    if (fromMin < fromMax) {
      scale = fromMin;
      inverseScale = low / a;
      high = b * inverseScale;
    } else {
      scale = fromMax;
      inverseScale = high / b;
      low = a * inverseScale;
    }
    min = low;
    max = high;
  }
  WEFT_ANY_DEVICE T operator()(T x) const {
    if (clamp) {
      const T below = x < max ? x : max;
      x = below > min ? below : min;
    }
    const T q = x * scale;
    return (up ? T(floor(q + T(0.5))) : roundToEven(q)) * inverseScale;
  }
};

/// Where QuantizeAndDequantize, V2 and V3 have their range and number of bits: in attributes, partly in inputs.
enum class QuantizeInputs { None, Range, RangeAndBits };

/// The attributes, checked, and with them what the inputs say.
struct QuantizeSettings {
  bool isSigned = true, narrow = false, up = false, given = false;
  int64_t bits = 8;
  float least = 0, most = 0;
};
WEFT_API Result<QuantizeSettings> quantizeSettings(const AttrMap& attrs, QuantizeInputs where);
/// Reads the number of bits from input 3, if it is there, and checks the shapes of the range's inputs.
WEFT_API Status readQuantizeInputs(KernelContext& c, QuantizeInputs where, QuantizeSettings& s);

/// The shape of CompareAndBitpack's result.
WEFT_API Result<Shape> packedShape(const Tensor& in, const Tensor& threshold);

}  // namespace weft
