#include <cstring>

#include "device/cpu/hot.h"
#include "device/cpu/hot_nn.h"
#include "device/cpu/hot_rows.h"

namespace weft::cpu {

namespace v2 {
extern const NnKernels kNnKernels;
extern const RowKernels kRowKernels;
}  // namespace v2
namespace v3 {
extern const NnKernels kNnKernels;
extern const RowKernels kRowKernels;
}  // namespace v3
namespace v4 {
extern const NnKernels kNnKernels;
extern const RowKernels kRowKernels;
}  // namespace v4

const NnKernels& nnKernels() {
  static const NnKernels& chosen = [&]() -> const NnKernels& {
    const char* isa = hotTable().isa;
    return std::strcmp(isa, "v4") == 0 ? v4::kNnKernels : std::strcmp(isa, "v3") == 0 ? v3::kNnKernels : v2::kNnKernels;
  }();
  return chosen;
}

const RowKernels& rowKernels() {
  static const RowKernels& chosen = []() -> const RowKernels& {
    const char* isa = hotTable().isa;
    return std::strcmp(isa, "v4") == 0 ? v4::kRowKernels : std::strcmp(isa, "v3") == 0 ? v3::kRowKernels : v2::kRowKernels;
  }();
  return chosen;
}

}  // namespace weft::cpu
