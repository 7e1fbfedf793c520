#include <cstring>

#include "device/cpu/hot.h"
#include "device/cpu/hot_doubles.h"
#include "device/cpu/hot_extremes.h"
#include "device/cpu/hot_nn.h"
#include "device/cpu/hot_pixels.h"
#include "device/cpu/hot_random.h"
#include "device/cpu/hot_reduce_ints.h"
#include "device/cpu/hot_rows.h"
#include "device/cpu/hot_windows.h"

namespace weft::cpu {

#define WEFT_TABLES(isa)                       \
  namespace isa {                              \
  extern const NnKernels kNnKernels;           \
  extern const RowKernels kRowKernels;         \
  extern const RandomKernels kRandomKernels;   \
  extern const ExtremeKernels kExtremeKernels; \
  extern const WideKernels kWideKernels;       \
  extern const PixelKernels kPixelKernels;     \
  extern const IntegerKernels kIntegerKernels; \
  extern const WindowKernels kWindowKernels;   \
  }
WEFT_TABLES(v2)
WEFT_TABLES(v3)
WEFT_TABLES(v4)

/// The table for the instruction set that hotTable() chose.
template <typename Table>
static const Table& tableFor(const Table& v2, const Table& v3, const Table& v4) {
  const char* isa = hotTable().isa;
  return std::strcmp(isa, "v4") == 0 ? v4 : std::strcmp(isa, "v3") == 0 ? v3 : v2;
}

#define WEFT_CHOICE(Table, function)                                                 \
  const Table& function() {                                                          \
    static const Table& chosen = tableFor(v2::k##Table, v3::k##Table, v4::k##Table); \
    return chosen;                                                                   \
  }
WEFT_CHOICE(NnKernels, nnKernels)
WEFT_CHOICE(RowKernels, rowKernels)
WEFT_CHOICE(RandomKernels, randomKernels)
WEFT_CHOICE(ExtremeKernels, extremeKernels)
WEFT_CHOICE(WideKernels, wideKernels)
WEFT_CHOICE(PixelKernels, pixelKernels)
WEFT_CHOICE(IntegerKernels, integerKernels)
WEFT_CHOICE(WindowKernels, windowKernels)

}  // namespace weft::cpu
