#pragma once

#include <immintrin.h>

namespace weft {

/// Restores this thread's floating-point mode in its destructor. parallelFor() sets the mode for kernels (denormals are zero); other code that uses
/// parallelFor() must not leave it changed.
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
