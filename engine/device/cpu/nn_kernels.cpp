#include <cstring>

#include "device/cpu/hot.h"
#include "device/cpu/hot_nn.h"

namespace weft::cpu {

namespace v2 {
extern const NnKernels kNnKernels;
}
namespace v3 {
extern const NnKernels kNnKernels;
}
namespace v4 {
extern const NnKernels kNnKernels;
}

const NnKernels& nnKernels() {
  static const NnKernels& chosen = [&]() -> const NnKernels& {
    const char* isa = hotTable().isa;
    return std::strcmp(isa, "v4") == 0 ? v4::kNnKernels : std::strcmp(isa, "v3") == 0 ? v3::kNnKernels : v2::kNnKernels;
  }();
  return chosen;
}

}  // namespace weft::cpu
