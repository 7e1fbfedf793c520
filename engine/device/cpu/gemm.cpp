#include "device/cpu/gemm.h"

#include <dnnl.hpp>

#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Core>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/hot_nn.h"
#include "device/cpu/hot_rows.h"
#include "weft/mutex.h"

namespace weft::cpu {
namespace {

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Rows [begin, end) of C by Eigen, on this thread.
template <typename T>
void eigenRows(const GemmShape& s, bool conjugate, const T* a, const T* b, T* c, int64_t begin, int64_t end) {
  const int64_t rows = end - begin;
  Eigen::Map<Matrix<T>> out(c + begin * s.n, rows, s.n);
  const Eigen::Map<const Matrix<T>> bm(b, s.transposeB ? s.n : s.k, s.transposeB ? s.k : s.n);
  const auto multiply = [&](const auto& left) {
    if (!s.transposeB) {
      out.noalias() = left * bm;
    } else if (conjugate) {
      out.noalias() = left * bm.adjoint();
    } else {
      out.noalias() = left * bm.transpose();
    }
  };
  if (!s.transposeA) {
    multiply(Eigen::Map<const Matrix<T>>(a + begin * s.k, rows, s.k));
  } else {
    const Eigen::Map<const Matrix<T>> am(a, s.k, s.m);
    if (conjugate) {
      multiply(am.middleCols(begin, rows).adjoint());
    } else {
      multiply(am.middleCols(begin, rows).transpose());
    }
  }
}

template <typename T>
void eigenGemm(const GemmShape& s, bool conjugate, const T* a, const T* b, T* c) {
  if (s.m == 0 || s.n == 0) return;
  if (s.k == 0) {
    std::fill(c, c + s.m * s.n, T(0));
    return;
  }
  const int64_t grain = std::max<int64_t>(1, 20000 / std::max<int64_t>(1, s.n * s.k));
  parallelFor(s.m, grain, [&](int64_t begin, int64_t end) { eigenRows(s, conjugate, a, b, c, begin, end); });
}

constexpr int64_t kConvertGrain = 16384;

/// 16-bit floats: both operands are widened and the product is rounded once.
template <typename T>
void smallFloatGemm(const GemmShape& s, const T* a, const T* b, T* c) {
  constexpr bool isHalf = std::is_same_v<T, Half>;
  const RowKernels& rows = rowKernels();
  const auto widen = isHalf ? rows.floatsFromHalves : rows.floatsFromBFloats;
  const auto narrow = isHalf ? rows.halvesFromFloats : rows.bfloatsFromFloats;
  const int64_t sizeA = s.m * s.k, sizeB = s.k * s.n, sizeC = s.m * s.n;
  const std::unique_ptr<float[]> room(new float[size_t(sizeA + sizeB + sizeC)]);
  float *const wa = room.get(), *const wb = wa + sizeA, *const wc = wb + sizeB;
  const auto widened = [&](const T* from, float* to, int64_t n) {
    parallelFor(n, kConvertGrain, [&](int64_t begin, int64_t end) { widen(to + begin, &from[begin].bits, end - begin); });
  };
  widened(a, wa, sizeA);
  widened(b, wb, sizeB);
  gemm(s, wa, wb, wc);
  parallelFor(sizeC, kConvertGrain, [&](int64_t begin, int64_t end) { narrow(&c[begin].bits, wc + begin, end - begin); });
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

}  // namespace

void gemm(const GemmShape& s, const float* a, const float* b, float* c) {
  if (s.m == 0 || s.n == 0) return;
  if (s.k == 0) {
    std::memset(c, 0, size_t(s.m * s.n) * sizeof(float));
    return;
  }
  if (s.m * s.n * s.k <= 8192 && !s.transposeA && !s.transposeB) {
    nnKernels().tinyMatMul(c, a, b, s.m, s.k, s.n);
    return;
  }
  if (primitivePays(s) && ProductPrimitives::instance().run(s, a, b, c)) return;
  dnnl_sgemm(s.transposeA ? 'T' : 'N', s.transposeB ? 'T' : 'N', s.m, s.n, s.k, 1.f, a, s.transposeA ? s.m : s.k, b, s.transposeB ? s.k : s.n, 0.f, c, s.n);
}

void gemmAdd(const GemmShape& s, const float* a, const float* b, float* c) {
  if (s.m == 0 || s.n == 0 || s.k == 0) return;
  dnnl_sgemm(s.transposeA ? 'T' : 'N', s.transposeB ? 'T' : 'N', s.m, s.n, s.k, 1.f, a, s.transposeA ? s.m : s.k, b, s.transposeB ? s.k : s.n, 1.f, c, s.n);
}

void gemm(const GemmShape& s, const double* a, const double* b, double* c) { eigenGemm(s, false, a, b, c); }

Status gemm(DType type, const GemmShape& s, bool conjugate, const void* a, const void* b, void* c) {
  Status status;
  const bool known = withNumber(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T *pa = static_cast<const T*>(a), *pb = static_cast<const T*>(b);
    T* pc = static_cast<T*>(c);
    if constexpr (std::is_same_v<T, float>) {
      gemm(s, pa, pb, pc);
    } else if constexpr (kIsSmallFloat<T>) {
      smallFloatGemm(s, pa, pb, pc);
    } else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t>) {
      eigenGemm(s, false, pa, pb, pc);
    } else if constexpr (kIsComplex<T>) {
      eigenGemm(s, conjugate, pa, pb, pc);
    } else {
      status = unimplemented("MatMul of ", dtypeName(type), " is not supported");
    }
  });
  if (!known) return unimplemented("MatMul of ", dtypeName(type), " is not supported");
  return status;
}

Status gemmBatch(DType type, const GemmShape& s, bool conjugate, int64_t count, const int64_t* aOffset, const int64_t* bOffset, const void* a, const void* b,
                 void* c) {
  const size_t size = sizeOf(type);
  const auto one = [&](int64_t i) {
    return gemm(type, s, conjugate, static_cast<const char*>(a) + size_t(aOffset[i]) * size, static_cast<const char*>(b) + size_t(bOffset[i]) * size,
                static_cast<char*>(c) + size_t(i * s.m * s.n) * size);
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
