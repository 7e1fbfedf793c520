#pragma once

#include <vector>

#include "base/any_device.h"
#include "kernel/kernel.h"

// Ranges of fake quantization, for the kernels of all devices.
namespace weft {

/// A range shifted slightly so that 0 is representable.
struct FakeRange {
  float low, high, step;
  bool off;  ///< Both ends of the wanted range are 0.
  WEFT_API static FakeRange of(float min, float max, int bits, bool narrow);
  /// As with Eigen's min and max, NaN gives the bound.
  WEFT_ANY_DEVICE float clamp(float x) const {
    const float a = x < high ? x : high;
    return a > low ? a : low;
  }
  WEFT_ANY_DEVICE bool holds(float x) const { return x >= low && x <= high; }
};

/// From attributes `min` and `max`.
WEFT_API Result<FakeRange> fakeRangeOfAttrs(const AttrMap& attrs);
/// The ranges of all channels (one for scalars), from two inputs in host memory. `in`: the shape of the numbers.
WEFT_API Result<std::vector<FakeRange>> fakeRangesOf(KernelContext& c, int firstInput, bool perChannel, const Shape& in);

}  // namespace weft
