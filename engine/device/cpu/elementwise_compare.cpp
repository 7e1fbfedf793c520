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
    z[i] = F::of(x[i * sx], y[i * sy]);
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

#define WEFT_ROW(name, F, T, dtype)                             \
  {                                                             \
    name, DType::dtype, DType::Bool, 2, 0.7f, compare<F, T>, {} \
  }
#define WEFT_IDENTITY(name, F) WEFT_ROW(name, F, Complex64, Complex64), WEFT_ROW(name, F, Complex128, Complex128), WEFT_ROW(name, F, std::string, String)
#define WEFT_SELECT(dtype, T)                                    \
  {                                                              \
    "Select", DType::dtype, DType::dtype, 3, 0.7f, select<T>, {} \
  }

const ElementwiseEntry kTable[] = {
    WEFT_IDENTITY("Equal", Equal),    WEFT_IDENTITY("NotEqual", NotEqual),   WEFT_SELECT(Complex64, uint64_t),   WEFT_SELECT(Complex128, Bytes16),
    WEFT_SELECT(String, std::string), WEFT_SELECT(Resource, ResourceHandle), WEFT_SELECT(Variant, VariantValue),
};

}  // namespace

std::span<const ElementwiseEntry> baselineCompare() { return kTable; }

}  // namespace weft::cpu
