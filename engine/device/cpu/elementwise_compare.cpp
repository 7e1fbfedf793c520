#include "device/cpu/dtypes.h"
#include "device/cpu/elementwise.h"

// Comparisons and Select for element types without a hot loop.
namespace weft::cpu {
namespace {

template <typename F, typename T>
void compare(const void* const* in, const bool* scalar, void* out, long n) {
  const T* x = static_cast<const T*>(in[0]);
  const T* y = static_cast<const T*>(in[1]);
  bool* z = static_cast<bool*>(out);
  const long sx = !scalar[0], sy = !scalar[1];
  for (long i = 0; i < n; ++i) {
    if constexpr (kIsSmallFloat<T>) {
      z[i] = F::of(float(x[i * sx]), float(y[i * sy]));
    } else {
      z[i] = F::of(x[i * sx], y[i * sy]);
    }
  }
}

/// Select only moves elements: T is any type of the same size.
template <typename T>
void select(const void* const* in, const bool* scalar, void* out, long n) {
  const bool* c = static_cast<const bool*>(in[0]);
  const T* t = static_cast<const T*>(in[1]);
  const T* e = static_cast<const T*>(in[2]);
  T* z = static_cast<T*>(out);
  const long cs = !scalar[0], ts = !scalar[1], es = !scalar[2];
  for (long i = 0; i < n; ++i) z[i] = c[i * cs] ? t[i * ts] : e[i * es];
}

#define WEFT_COMPARISON(Name, operation)     \
  struct Name {                              \
    template <typename T>                    \
    static bool of(const T& x, const T& y) { \
      return x operation y;                  \
    }                                        \
  };
WEFT_COMPARISON(Equal, ==)
WEFT_COMPARISON(NotEqual, !=)
WEFT_COMPARISON(Less, <)
WEFT_COMPARISON(LessEqual, <=)
WEFT_COMPARISON(Greater, >)
WEFT_COMPARISON(GreaterEqual, >=)

#define WEFT_ROW(name, F, T, dtype)                             \
  {                                                             \
    name, DType::dtype, DType::Bool, 2, 0.7f, compare<F, T>, {} \
  }
#define WEFT_ORDERED(name, F)                                                                                                               \
  WEFT_ROW(name, F, Half, Half), WEFT_ROW(name, F, BFloat16, BFloat16), WEFT_ROW(name, F, int8_t, Int8), WEFT_ROW(name, F, int16_t, Int16), \
      WEFT_ROW(name, F, uint8_t, UInt8), WEFT_ROW(name, F, uint16_t, UInt16), WEFT_ROW(name, F, uint32_t, UInt32), WEFT_ROW(name, F, uint64_t, UInt64)
#define WEFT_IDENTITY(name, F) \
  WEFT_ROW(name, F, bool, Bool), WEFT_ROW(name, F, Complex64, Complex64), WEFT_ROW(name, F, Complex128, Complex128), WEFT_ROW(name, F, std::string, String)
#define WEFT_SELECT(dtype, T)                                    \
  {                                                              \
    "Select", DType::dtype, DType::dtype, 3, 0.7f, select<T>, {} \
  }

const ElementwiseEntry kTable[] = {
    WEFT_ORDERED("Equal", Equal),       WEFT_IDENTITY("Equal", Equal),        WEFT_ORDERED("NotEqual", NotEqual), WEFT_IDENTITY("NotEqual", NotEqual),
    WEFT_ORDERED("Less", Less),         WEFT_ORDERED("LessEqual", LessEqual), WEFT_ORDERED("Greater", Greater),   WEFT_ORDERED("GreaterEqual", GreaterEqual),
    WEFT_SELECT(Double, uint64_t),      WEFT_SELECT(Half, uint16_t),          WEFT_SELECT(BFloat16, uint16_t),    WEFT_SELECT(Int8, uint8_t),
    WEFT_SELECT(UInt8, uint8_t),        WEFT_SELECT(Bool, uint8_t),           WEFT_SELECT(Int16, uint16_t),       WEFT_SELECT(UInt16, uint16_t),
    WEFT_SELECT(Int32, uint32_t),       WEFT_SELECT(UInt32, uint32_t),        WEFT_SELECT(Int64, uint64_t),       WEFT_SELECT(UInt64, uint64_t),
    WEFT_SELECT(Complex64, uint64_t),   WEFT_SELECT(Complex128, Bytes16),     WEFT_SELECT(String, std::string),   WEFT_SELECT(Resource, ResourceHandle),
    WEFT_SELECT(Variant, VariantValue),
};

}  // namespace

std::span<const ElementwiseEntry> baselineCompare() { return kTable; }

}  // namespace weft::cpu
