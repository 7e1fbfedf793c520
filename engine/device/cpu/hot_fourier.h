#pragma once

#include "device/cpu/fourier.h"

// Between fourier.cpp, which makes plans, and hot_fourier.cpp, which runs them.
namespace weft::cpu {

/// One pass of a transform: `butterflies` groups of `radix` numbers.
struct FourierPass {
  int radix;
  int64_t butterflies;
  const void* twiddles;  ///< radix - 1 complex numbers per butterfly
  const void* roots;     ///< cosine and sine of 2πj / radix for j < radix
};

/// How to transform lines of one length. Numbers are float or double.
struct FourierPlan {
  int64_t n = 1;
  int passes = 0;
  FourierPass pass[64];
  int64_t room = 1;                     ///< Elements of each of the four work arrays.
  const void* halves = nullptr;         ///< For real lines of 2n numbers: exp(-2πik / 2n), k <= n / 2.
  const FourierPlan* padded = nullptr;  ///< Not null if a large prime divides n: the power of two of the convolution. Numbers are double.
  const double* chirp = nullptr;        ///< exp(-πi k² / n)
  const double* kernel = nullptr;
};

/// Runs lines [begin, end) of a job. `work`: aligned memory for four arrays of plan.room * kFourierLanes numbers.
struct FourierTable {
  void (*floats)(const FourierPlan& plan, const FourierLines& job, const void* in, void* out, int64_t begin, int64_t end, void* work);
  void (*doubles)(const FourierPlan& plan, const FourierLines& job, const void* in, void* out, int64_t begin, int64_t end, void* work);
};

/// Lines that are computed side by side.
constexpr int kFourierLanes = 8;
/// Longer lines are computed one by one, to save memory.
constexpr int64_t kLongFourierLine = 1 << 15;

}  // namespace weft::cpu
