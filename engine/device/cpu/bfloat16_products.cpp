#include "device/cpu/bfloat16_products.h"

#include <algorithm>
#include <cstring>
#include <dnnl.hpp>
#include <memory>
#include <vector>

#include "base/parallel.h"
#include "device/cpu/hot.h"
#include "device/cpu/thread_room.h"
#include "weft/mutex.h"
#include "weft/precision.h"

// A product is split into parts along its longer side, at places that depend on its sizes only. Each part is one oneDNN primitive of one thread, so that the result
// does not depend on the number of threads. The operand that is split is rounded part by part, which keeps the rounded copy in the cache.
namespace weft::cpu {
namespace {

using Bits = unsigned short;
using Type = dnnl::memory::data_type;

constexpr int64_t kGrain = 16384;         // elements for which a thread is worth waking
constexpr int64_t kPartWork = 4'000'000;  // multiplications of a part, at least
constexpr int64_t kMostParts = 16, kLeastSide = 64;

size_t rounded(size_t bytes) { return (bytes + 63) / 64 * 64; }

/// Primitives of one thread, made once per shape.
class Primitives {
 public:
  struct Product {
    GemmShape shape;
    int64_t ldc;
    bool add;
    dnnl::memory::desc a, b, c, scratchpad;
    dnnl::matmul primitive;
    bool fast = false;  ///< oneDNN has optimised code for it.
  };

  static Primitives& instance() {
    static Primitives all;
    return all;
  }

  /// Null if oneDNN has nothing fast.
  std::shared_ptr<const Product> get(const GemmShape& s, int64_t ldc, bool add) {
    const MutexLock lock(mutex_);
    const auto known = std::find_if(products_.begin(), products_.end(), [&](const auto& p) { return p->shape == s && p->ldc == ldc && p->add == add; });
    if (known != products_.end()) return (*known)->fast ? *known : nullptr;
    auto made = std::make_shared<Product>();
    made->shape = s;
    made->ldc = ldc;
    made->add = add;
    try {
      prepare(*made);
    } catch (const dnnl::error&) {
      made->fast = false;
    }
    if (products_.size() >= 256) products_.erase(products_.begin());
    products_.push_back(made);
    return made->fast ? made : nullptr;
  }

  void run(const Product& p, const Bits* a, const Bits* b, float* c, char* scratch) const {
    thread_local dnnl::stream stream(engine_);
    p.primitive.execute(stream, {{DNNL_ARG_SRC, {p.a, engine_, const_cast<Bits*>(a)}},
                                 {DNNL_ARG_WEIGHTS, {p.b, engine_, const_cast<Bits*>(b)}},
                                 {DNNL_ARG_DST, {p.c, engine_, c}},
                                 {DNNL_ARG_SCRATCHPAD, {p.scratchpad, engine_, scratch}}});
  }

 private:
  void prepare(Product& p) {
    using Tag = dnnl::memory::format_tag;
    const Alone alone;
    p.a = {{p.shape.m, p.shape.k}, Type::bf16, p.shape.transposeA ? Tag::ba : Tag::ab};
    p.b = {{p.shape.k, p.shape.n}, Type::bf16, p.shape.transposeB ? Tag::ba : Tag::ab};
    p.c = {{p.shape.m, p.shape.n}, Type::f32, dnnl::memory::dims{p.ldc, 1}};
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    if (p.add) {
      dnnl::post_ops operations;
      operations.append_sum(1.f);
      attr.set_post_ops(operations);
    }
    const dnnl::matmul::primitive_desc description({p.a, p.b, p.c}, attr, engine_);
    p.fast = std::string(description.impl_info_str()).starts_with("brg");
    p.scratchpad = description.scratchpad_desc();
    p.primitive = dnnl::matmul(description);
  }

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  Mutex mutex_;
  std::vector<std::shared_ptr<const Product>> products_ WEFT_GUARDED_BY(mutex_);
};

/// An operand as it is stored: `rows` of `columns` elements.
struct Stored {
  const float* data;
  int64_t rows, columns;
};

/// Rounds columns [begin, begin + width) of all rows, side by side.
void narrowColumns(const Stored& m, int64_t begin, int64_t width, Bits* to) {
  const HotFormat& format = hotTable().bfloat16;
  if (width == m.columns) return format.narrow(m.data, to, m.rows * width);
  for (int64_t r = 0; r < m.rows; ++r) format.narrow(m.data + r * m.columns + begin, to + r * width, width);
}

/// The product by oneDNN; false if it has nothing fast for one of the parts.
bool inParts(const GemmShape& s, const float* a, const float* b, float* c, bool add) {
  const bool byColumns = s.n >= s.m;
  const int64_t side = byColumns ? s.n : s.m;
  const double work = double(s.m) * double(s.n) * double(s.k);
  const auto wanted = int64_t(std::clamp(work / double(kPartWork), 1.0, double(kMostParts)));
  const int64_t each = std::max(kLeastSide, ((side + wanted - 1) / wanted + 31) / 32 * 32), parts = (side + each - 1) / each, last = side - (parts - 1) * each;
  const auto ofWidth = [&](int64_t width) {
    GemmShape part = s;
    (byColumns ? part.n : part.m) = width;
    return Primitives::instance().get(part, s.n, add);
  };
  const auto full = parts > 1 ? ofWidth(each) : nullptr, rest = ofWidth(last);
  if (!rest || (parts > 1 && !full)) return false;

  const Stored left{a, s.transposeA ? s.k : s.m, s.transposeA ? s.m : s.k}, right{b, s.transposeB ? s.n : s.k, s.transposeB ? s.k : s.n};
  const Stored &whole = byColumns ? left : right, &split = byColumns ? right : left;
  Bits* const kept = reinterpret_cast<Bits*>(threadRoom<Room::Operands>(size_t(whole.rows * whole.columns) * sizeof(Bits)));
  parallelFor(whole.rows * whole.columns, kGrain,
              [&](int64_t begin, int64_t end) { hotTable().bfloat16.narrow(whole.data + begin, kept + begin, end - begin); });
  const bool splitIsStoredByRows = byColumns ? s.transposeB : !s.transposeA;  // its parts are adjacent rows
  const size_t partBytes = rounded(size_t(std::min(each, side) * s.k) * sizeof(Bits));
  const size_t scratchBytes = std::max(rest->scratchpad.get_size(), full ? full->scratchpad.get_size() : 0);
  const auto some = [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) {
      const int64_t from = p * each, width = std::min(each, side - from);
      Bits* const own = reinterpret_cast<Bits*>(threadRoom<Room::Part>(partBytes + scratchBytes));
      if (splitIsStoredByRows) hotTable().bfloat16.narrow(split.data + from * s.k, own, width * s.k);
      else narrowColumns(split, from, width, own);
      Primitives::instance().run(p + 1 < parts ? *full : *rest, byColumns ? kept : own, byColumns ? own : kept, c + (byColumns ? from : from * s.n),
                                 reinterpret_cast<char*>(own) + partBytes);
    }
  };
  if (parts > 1) {
    parallelFor(parts, 1, some);
  } else {
    const Alone alone;
    some(0, 1);
  }
  return true;
}

}  // namespace

BFloat16Unit bfloat16UnitOfProcessor() {
  static const BFloat16Unit unit = [] {
    if (std::strcmp(hotTable().isa, "v4") != 0) return BFloat16Unit::None;
    switch (dnnl::get_effective_cpu_isa()) {
      case dnnl::cpu_isa::avx512_core_bf16: return BFloat16Unit::Avx512;
      case dnnl::cpu_isa::avx512_core_amx: return BFloat16Unit::Amx;
      default: return BFloat16Unit::None;
    }
  }();
  return unit;
}

bool roundsProduct(const GemmShape& s) { return s.m >= 16 && s.n >= 16 && s.k >= 32 && double(s.m) * double(s.n) * double(s.k) >= 1e6; }

bool roundsConvolution(ConvDirection direction, const ConvGeometry& g) {
  if (g.groups != 1) return false;
  const double work = double(g.outputElements()) * double(g.filterElements()) / double(g.outChannels);
  if (direction == ConvDirection::Filter && g.inChannels < 16) return false;
  return g.outChannels >= 16 && work >= 1e6;
}

void roundToBFloat16(const float* x, float* out, int64_t n) {
  parallelFor(n, kGrain, [&](int64_t begin, int64_t end) {
    constexpr int64_t kBlock = 1024;
    Bits block[kBlock];
    for (int64_t i = begin; i < end; i += kBlock) {
      const int64_t count = std::min(kBlock, end - i);
      hotTable().bfloat16.narrow(x + i, block, count);
      hotTable().bfloat16.widen(block, out + i, count);
    }
  });
}

void bfloat16Product(const GemmShape& s, const float* a, const float* b, float* c, bool add) {
  if (bfloat16UnitOfProcessor() != BFloat16Unit::None && inParts(s, a, b, c, add)) return;
  const int64_t left = s.m * s.k, right = s.k * s.n;
  float* const operands = reinterpret_cast<float*>(threadRoom<Room::Operands>(size_t(left + right) * sizeof(float)));
  roundToBFloat16(a, operands, left);
  roundToBFloat16(b, operands + left, right);
  if (add) gemmAdd(s, operands, operands + left, c);
  else gemm(s, operands, operands + left, c);
}

}  // namespace weft::cpu

namespace weft {

std::string_view precisionName(ProductPrecision precision) { return precision == ProductPrecision::BFloat16 ? "bf16" : "float32"; }

Result<ProductPrecision> precisionNamed(std::string_view name) {
  if (name == "float32" || name == "fp32") return ProductPrecision::Float32;
  if (name == "bf16" || name == "bfloat16") return ProductPrecision::BFloat16;
  return invalidArgument("\"", name, "\" is no precision of products: expected float32 or bf16");
}

std::string_view bfloat16Unit() {
  switch (cpu::bfloat16UnitOfProcessor()) {
    case cpu::BFloat16Unit::Amx: return "AMX";
    case cpu::BFloat16Unit::Avx512: return "AVX-512";
    case cpu::BFloat16Unit::None: break;
  }
  return "rounded float32";
}

}  // namespace weft
