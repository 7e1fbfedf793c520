#pragma once

#include <immintrin.h>

namespace weft {

/// Gives back this thread's treatment of floating-point numbers at its end: parallelFor() sets it for kernels (denormals are zero), and who
/// splits other work by it must not leave that behind.
class KeepFloatMode {
 public:
  KeepFloatMode() : saved_(_mm_getcsr()) {}
  ~KeepFloatMode() { _mm_setcsr(saved_); }
  KeepFloatMode(const KeepFloatMode&) = delete;
  KeepFloatMode& operator=(const KeepFloatMode&) = delete;

 private:
  const unsigned saved_;
};

}  // namespace weft
