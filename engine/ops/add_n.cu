#include <algorithm>

#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"

// The sum of many tensors of one shape.
namespace weft::cuda {
namespace {

constexpr int kMostTerms = 32;  ///< Of one launch.
template <typename T>
struct Terms {
  int count = 0;
  const T* of[kMostTerms] = {};
};

/// Sums in the order of the inputs, rounded after each, as on the CPU.
template <typename T>
Status runAddN(KernelContext& c) {
  const Tensor& first = c.input(0);
  const int count = c.inputCount();
  for (int i = 1; i < count; ++i) {
    if (!(c.input(i).shape() == first.shape())) {
      return invalidArgument("Inputs to operation ", c.node().name, " of type AddN must have the same size and shape.  Input 0: ", first.shape().toString(),
                             " != input ", i, ": ", c.input(i).shape().toString());
    }
  }
  if (count == 1) {
    c.setOutput(0, first);
    return {};
  }
  const T* start = dataOf<T>(first);
  WEFT_LET(Tensor * out, c.allocateOrForward(0, first.shape(), {0}));
  T* to = mutableDataOf<T>(*out);
  for (int i = 1; i < count; i += kMostTerms) {
    Terms<T> terms;
    for (int k = i; k < std::min(count, i + kMostTerms); ++k) terms.of[terms.count++] = dataOf<T>(c.input(k));
    const T* from = i == 1 ? start : to;
    WEFT_TRY(forEach(deviceOf(c), first.elements(), [=] __device__(int64_t k) {
      T sum = from[k];
      for (int t = 0; t < terms.count; ++t) sum = T(Wide<T>(sum) + Wide<T>(terms.of[t][k]));
      to[k] = sum;
    }));
  }
  return {};
}

}  // namespace

void registerAddNGpu(OpRegistry& ops) {
  addFor<Half, float, double, int64_t, Complex64, Complex128>(ops, "AddN", []<typename T>(KernelContext& c) { return runAddN<T>(c); });
  keepOnHost(ops, "AddN");
}

}  // namespace weft::cuda
