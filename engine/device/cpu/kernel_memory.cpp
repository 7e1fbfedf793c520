#include "device/cpu/kernel_memory.h"

#include <algorithm>
#include <iterator>

namespace weft::cpu {
namespace {

constexpr KernelMemory kKernelMemory[] = {
    // By name.
    {"AddN", {0, -1}, false},
    {"BiasAdd", {0, -1}, false},
    {"FusedBatchNorm", {0, -1}, false},
    {"FusedBatchNormGrad", {0, 1}, false},
    {"FusedBatchNormGradV2", {0, 1}, false},
    {"FusedBatchNormGradV3", {0, 1}, false},
    {"FusedBatchNormV2", {0, -1}, false},
    {"FusedBatchNormV3", {0, -1}, false},
    {"LogSoftmax", {0, -1}, false},
    {"Select", {1, 2}, false},
    {"SelectV2", {1, 2}, false},
    {"Slice", {-1, -1}, true},
    {"Softmax", {0, -1}, false},
    {"Split", {-1, -1}, true},
    {"SplitV", {-1, -1}, true},
    {"StridedSlice", {-1, -1}, true},
    {"Unpack", {-1, -1}, true},
};

}  // namespace

const KernelMemory& kernelMemory(std::string_view op) {
  static constexpr KernelMemory kNothing{};
  const auto* found =
      std::lower_bound(std::begin(kKernelMemory), std::end(kKernelMemory), op, [](const KernelMemory& m, std::string_view name) { return m.op < name; });
  return found != std::end(kKernelMemory) && found->op == op ? *found : kNothing;
}

}  // namespace weft::cpu
