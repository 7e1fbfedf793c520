#include "device/cpu/gemm.h"

#include <dnnl.hpp>

#include <complex>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/parallel.h"
#include "device/cpu/bfloat16_products.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/half_blocks.h"
#include "device/cpu/hot_nn.h"
#include "device/cpu/products.h"
#include "weft/mutex.h"

namespace weft::cpu {
namespace {

/// The product by the engine's own loops.
template <typename T>
void ownGemm(const GemmShape& s, bool conjugate, const T* a, const T* b, T* c) {
  const MatrixView left{a, s.transposeA ? 1 : s.k, s.transposeA ? s.m : 1, conjugate && s.transposeA};
  const MatrixView right{b, s.transposeB ? 1 : s.n, s.transposeB ? s.k : 1, conjugate && s.transposeB};
  product(productTypeOf<T>(), s.m, s.k, s.n, left, right, c, s.n, Update::Set);
}

constexpr int64_t kConvertGrain = 16384;

/// Elements of blocks of 16-bit floats that are widened at a time.
constexpr int64_t kWidened = 1 << 16;

/// Few rows or columns: the large operand is widened in blocks that stay in the cache. Its rows [begin, end) are the stored ones.
template <typename T>
void thinGemm(const GemmShape& s, const T* large, bool largeIsLeft, const float* small, float* c) {
  const HotFormat& format = formatOf<T>();
  const bool transposed = largeIsLeft ? s.transposeA : s.transposeB;
  const int64_t outer = largeIsLeft ? s.m : s.n;    // of the large operand; the sums run over s.k
  const bool sumsDown = transposed == largeIsLeft;  // the sums run along its stored columns
  const int64_t stride = sumsDown ? outer : s.k;    // of its stored rows
  parallelFor(outer, std::max<int64_t>(16, kConvertGrain / std::max<int64_t>(1, s.k)), [&](int64_t begin, int64_t end) {
    const int64_t wide = std::min<int64_t>(end - begin, 1024), deep = std::clamp<int64_t>(kWidened / wide, 1, s.k);
    const std::unique_ptr<float[]> room(new float[size_t(wide * deep)]);
    for (int64_t i = begin; i < end; i += wide) {
      const int64_t width = std::min(wide, end - i);
      for (int64_t p = 0; p < s.k; p += deep) {
        const int64_t depth = std::min(deep, s.k - p);
        const int64_t rows = sumsDown ? depth : width, columns = sumsDown ? width : depth;
        const T* from = large + (sumsDown ? p * stride + i : i * stride + p);
        for (int64_t r = 0; r < rows; ++r) format.widen(&from[r * stride].bits, room.get() + r * columns, columns);
        const Update update = p == 0 ? Update::Set : Update::Add;
        const MatrixView block{room.get(), sumsDown == largeIsLeft ? 1 : columns, sumsDown == largeIsLeft ? columns : 1, false};
        if (largeIsLeft) {
          const MatrixView other{small + p * (s.transposeB ? 1 : s.n), s.transposeB ? 1 : s.n, s.transposeB ? s.k : 1, false};
          product(ProductType::Float, width, depth, s.n, block, other, c + i * s.n, s.n, update);
        } else {
          const MatrixView other{small + p * (s.transposeA ? s.m : 1), s.transposeA ? 1 : s.k, s.transposeA ? s.m : 1, false};
          product(ProductType::Float, s.m, depth, width, other, block, c + i, s.n, update);
        }
      }
    }
  });
}

/// 16-bit floats: both operands are widened and the product is rounded once.
template <typename T>
void smallFloatGemm(const GemmShape& s, const T* a, const T* b, T* c) {
  const HotFormat& format = formatOf<T>();
  constexpr int64_t kThin = 16;
  const bool thinLeft = s.m <= kThin && s.n > 64, thinRight = s.n <= kThin && s.m > 64;
  const int64_t sizeA = s.m * s.k, sizeB = s.k * s.n, sizeC = s.m * s.n, roomA = thinRight ? 0 : sizeA, roomB = thinLeft ? 0 : sizeB;
  constexpr int64_t kOnStack = 3 * 1024;
  float onStack[kOnStack];
  const int64_t all = roomA + roomB + sizeC;
  const std::unique_ptr<float[]> room(all > kOnStack ? new float[size_t(all)] : nullptr);
  float *const wa = room ? room.get() : onStack, *const wb = wa + roomA, *const wc = wb + roomB;
  const auto widened = [&](const T* from, float* to, int64_t n) {
    parallelFor(n, kConvertGrain, [&](int64_t begin, int64_t end) { format.widen(&from[begin].bits, to + begin, end - begin); });
  };
  if (!thinRight) widened(a, wa, sizeA);
  if (!thinLeft) widened(b, wb, sizeB);
  if (thinLeft) thinGemm(s, b, false, wa, wc);
  else if (thinRight) thinGemm(s, a, true, wb, wc);
  else gemm(s, wa, wb, wc);
  parallelFor(sizeC, kConvertGrain, [&](int64_t begin, int64_t end) { format.narrow(wc + begin, &c[begin].bits, end - begin); });
}

/// Matrix products as oneDNN primitives, made once per shape. Used where a primitive beats the BLAS call by more than its look-up costs.
class ProductPrimitives {
 public:
  static ProductPrimitives& instance() {
    static ProductPrimitives all;
    return all;
  }

  bool run(const GemmShape& s, const float* a, const float* b, float* c) {
    try {
      const std::shared_ptr<const Product> p = get(s);
      if (!p) return false;
      thread_local dnnl::stream stream(engine_);
      thread_local std::unique_ptr<char, void (*)(void*)> scratch(nullptr, std::free);
      thread_local size_t scratchSize = 0;
      const size_t need = p->scratchpad.get_size();
      if (need > scratchSize) {
        scratchSize = (need + 4095) / 4096 * 4096;
        scratch.reset(static_cast<char*>(std::aligned_alloc(64, scratchSize)));
        if (!scratch) {
          scratchSize = 0;
          return false;
        }
      }
      p->primitive.execute(stream, {{DNNL_ARG_SRC, {p->a, engine_, const_cast<float*>(a)}},
                                    {DNNL_ARG_WEIGHTS, {p->b, engine_, const_cast<float*>(b)}},
                                    {DNNL_ARG_DST, {p->c, engine_, c}},
                                    {DNNL_ARG_SCRATCHPAD, {p->scratchpad, engine_, scratch.get()}}});
      return true;
    } catch (const dnnl::error&) {
      return false;
    }
  }

 private:
  struct Product {
    GemmShape shape;
    int threads;
    dnnl::memory::desc a, b, c, scratchpad;
    dnnl::matmul primitive;
  };

  std::shared_ptr<const Product> get(const GemmShape& s) {
    const int threads = parallelism();
    const MutexLock lock(mutex_);
    for (const auto& p : products_) {
      if (p->shape == s && p->threads == threads) return p;
    }
    auto made = std::make_shared<Product>();
    using Tag = dnnl::memory::format_tag;
    const auto floats = [](int64_t rows, int64_t columns, Tag tag) { return dnnl::memory::desc({rows, columns}, dnnl::memory::data_type::f32, tag); };
    made->shape = s;
    made->threads = threads;
    made->a = floats(s.m, s.k, s.transposeA ? Tag::ba : Tag::ab);
    made->b = floats(s.k, s.n, s.transposeB ? Tag::ba : Tag::ab);
    made->c = floats(s.m, s.n, Tag::ab);
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    const dnnl::matmul::primitive_desc description({made->a, made->b, made->c}, attr, engine_);
    if (std::string(description.impl_info_str()).starts_with("ref")) return nullptr;
    made->scratchpad = description.scratchpad_desc();
    made->primitive = dnnl::matmul(description);
    if (products_.size() >= 128) products_.erase(products_.begin());
    products_.push_back(made);
    return made;
  }

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  Mutex mutex_;
  std::vector<std::shared_ptr<const Product>> products_ WEFT_GUARDED_BY(mutex_);
};

/// Measured with oneDNN 2.6: the primitive is 6 to 16 % faster if the right operand is transposed or large; otherwise the BLAS call is as fast or faster.
bool primitivePays(const GemmShape& s) {
  if (s.transposeA) return false;
  return s.transposeB ? s.m * s.n * s.k >= 500'000 : s.k * s.n >= 1 << 20;
}

/// The engine's own loops have less overhead, and read a matrix that is multiplied with a vector once.
bool ownPays(const GemmShape& s, double work) {
  if (s.m == 1 || s.n == 1) return true;
  return work <= 270'000 && !(s.transposeB && work > 65'536) && s.k <= 512;
}

}  // namespace

void gemm(const GemmShape& s, const float* a, const float* b, float* c, ProductPrecision precision) {
  if (s.m == 0 || s.n == 0) return;
  if (s.k == 0) {
    std::memset(c, 0, size_t(s.m * s.n) * sizeof(float));
    return;
  }
  if (precision == ProductPrecision::BFloat16 && roundsProduct(s)) return bfloat16Product(s, a, b, c, false);
  const double work = double(s.m) * double(s.n) * double(s.k);
  if (work <= 216 && !s.transposeA && !s.transposeB) {
    nnKernels().tinyMatMul(c, a, b, s.m, s.k, s.n);
    return;
  }
  if (ownPays(s, work)) return ownGemm(s, false, a, b, c);
  if (primitivePays(s) && ProductPrimitives::instance().run(s, a, b, c)) return;
  dnnl_sgemm(s.transposeA ? 'T' : 'N', s.transposeB ? 'T' : 'N', s.m, s.n, s.k, 1.f, a, s.transposeA ? s.m : s.k, b, s.transposeB ? s.k : s.n, 0.f, c, s.n);
}

void gemmAdd(const GemmShape& s, const float* a, const float* b, float* c, ProductPrecision precision) {
  if (s.m == 0 || s.n == 0 || s.k == 0) return;
  if (precision == ProductPrecision::BFloat16 && roundsProduct(s)) return bfloat16Product(s, a, b, c, true);
  dnnl_sgemm(s.transposeA ? 'T' : 'N', s.transposeB ? 'T' : 'N', s.m, s.n, s.k, 1.f, a, s.transposeA ? s.m : s.k, b, s.transposeB ? s.k : s.n, 1.f, c, s.n);
}

void gemm(const GemmShape& s, const double* a, const double* b, double* c) { ownGemm(s, false, a, b, c); }

Status gemm(DType type, const GemmShape& s, bool conjugate, const void* a, const void* b, void* c, ProductPrecision precision) {
  Status status;
  const bool known = withNumber(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T *pa = static_cast<const T*>(a), *pb = static_cast<const T*>(b);
    T* pc = static_cast<T*>(c);
    if constexpr (std::is_same_v<T, float>) {
      gemm(s, pa, pb, pc, precision);
    } else if constexpr (kIsSmallFloat<T>) {
      smallFloatGemm(s, pa, pb, pc);
    } else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t>) {
      ownGemm(s, false, pa, pb, pc);
    } else if constexpr (kIsComplex<T>) {
      ownGemm(s, conjugate, pa, pb, pc);
    } else {
      status = unimplemented("MatMul of ", dtypeName(type), " is not supported");
    }
  });
  if (!known) return unimplemented("MatMul of ", dtypeName(type), " is not supported");
  return status;
}

Status gemmBatch(DType type, const GemmShape& s, bool conjugate, int64_t count, const int64_t* aOffset, const int64_t* bOffset, const void* a, const void* b,
                 void* c, ProductPrecision precision) {
  const size_t size = sizeOf(type);
  const auto one = [&](int64_t i) {
    return gemm(type, s, conjugate, static_cast<const char*>(a) + size_t(aOffset[i]) * size, static_cast<const char*>(b) + size_t(bOffset[i]) * size,
                static_cast<char*>(c) + size_t(i * s.m * s.n) * size, precision);
  };
  if (count == 0) return {};
  const int64_t work = s.m * s.n * std::max<int64_t>(s.k, 1);
  if (count < parallelism() || work > 4'000'000) {  // large products use all threads by themselves
    for (int64_t i = 0; i < count; ++i) WEFT_TRY(one(i));
    return {};
  }
  WEFT_TRY(one(0));  // tells whether the type is supported
  parallelFor(count - 1, std::max<int64_t>(1, 100000 / std::max<int64_t>(work, 1)), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) (void)one(i + 1).ok();
  });
  return {};
}

}  // namespace weft::cpu
