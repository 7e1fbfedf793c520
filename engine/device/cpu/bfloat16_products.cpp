#include "device/cpu/bfloat16_products.h"

#include <algorithm>
#include <cstring>
#include <dnnl.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "base/parallel.h"
#include "device/cpu/convolution_primitive.h"
#include "device/cpu/hot.h"
#include "device/cpu/hot_amx.h"
#include "device/cpu/products.h"
#include "device/cpu/thread_room.h"
#include "weft/mutex.h"
#include "weft/precision.h"

// Two ways: by our loops on the AMX unit (hot_amx.cpp), and on processors with AVX512-BF16 only by oneDNN's primitives of one thread. The work is shared out at places
// that do not change an element's sum, so that the result does not depend on the number of threads.
namespace weft::cpu {
namespace {

using Bits = unsigned short;
using Type = dnnl::memory::data_type;

constexpr int64_t kGrain = 16384;  // elements for which a thread is worth waking

/// Primitives of one thread, made once per shape.
class Primitives {
 public:
  struct Product {
    GemmShape shape;
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
  std::shared_ptr<const Product> get(const GemmShape& s, bool add) {
    const MutexLock lock(mutex_);
    const auto known = std::find_if(products_.begin(), products_.end(), [&](const auto& p) { return p->shape == s && p->add == add; });
    if (known != products_.end()) return (*known)->fast ? *known : nullptr;
    auto made = std::make_shared<Product>();
    made->shape = s;
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
    p.c = {{p.shape.m, p.shape.n}, Type::f32, Tag::ab};
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

/// The product by oneDNN, in parts of rows; false if it has nothing fast for one of them. Its code for bfloat16 wants a result without gaps between rows.
bool inParts(const GemmShape& s, const float* a, const float* b, float* c, bool add) {
  constexpr double kPartWork = 4e6, kMostParts = 16;
  constexpr int64_t kLeastRows = 64;
  const auto wanted = int64_t(std::clamp(double(s.m) * double(s.n) * double(s.k) / kPartWork, 1.0, kMostParts));
  const int64_t each = std::max(kLeastRows, ((s.m + wanted - 1) / wanted + 31) / 32 * 32), parts = (s.m + each - 1) / each, last = s.m - (parts - 1) * each;
  const auto ofHeight = [&](int64_t rows) {
    GemmShape part = s;
    part.m = rows;
    return Primitives::instance().get(part, add);
  };
  const auto full = parts > 1 ? ofHeight(each) : nullptr, rest = ofHeight(last);
  if (!rest || (parts > 1 && !full)) return false;
  const HotFormat& format = hotTable().bfloat16;
  Bits* const right = reinterpret_cast<Bits*>(threadRoom<Room::Operands>(size_t(s.k * s.n) * sizeof(Bits)));
  parallelFor(s.k * s.n, kGrain, [&](int64_t begin, int64_t end) { format.narrow(b + begin, right + begin, end - begin); });
  const size_t partBytes = wholeLines(size_t(std::min(each, s.m) * s.k) * sizeof(Bits));
  const size_t scratchBytes = std::max(rest->scratchpad.get_size(), full ? full->scratchpad.get_size() : 0);
  const auto some = [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) {
      const int64_t from = p * each, rows = std::min(each, s.m - from);
      Bits* const left = reinterpret_cast<Bits*>(threadRoom<Room::Part>(partBytes + scratchBytes));
      if (!s.transposeA) format.narrow(a + from * s.k, left, rows * s.k);
      for (int64_t i = 0; s.transposeA && i < s.k; ++i) format.narrow(a + i * s.m + from, left + i * rows, rows);
      Primitives::instance().run(p + 1 < parts ? *full : *rest, left, right, c + from * s.n, reinterpret_cast<char*>(left) + partBytes);
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

/// The product by the AMX unit. The shorter side's operand is packed in blocks that stay in the second cache; then each panel of the longer side is packed and
/// multiplied with the block. An element's sum runs over k in order, whatever the blocks.
void byAmx(const GemmShape& s, const float* a, const float* b, float* c, bool add) {
  constexpr int64_t kMostDepth = 1024, kBlockBytes = 1 << 20;
  constexpr int64_t kThreadWork = 1'000'000;  // multiplications for which a thread is worth waking
  const AmxOperand left{a, s.transposeA ? 1 : s.k, s.transposeA ? s.m : 1}, right{b, s.transposeB ? 1 : s.n, s.transposeB ? s.k : 1};
  const bool byColumns = s.n >= s.m;  // panels of columns meet blocks of rows
  const int64_t longer = byColumns ? s.n : s.m, shorter = byColumns ? s.m : s.n;
  const auto pack = [&](bool isLeft, int64_t begin, int64_t size, int64_t from, int64_t depth, char* to) {
    if (isLeft) amxPackLeft({left.data + begin * left.rowStride + from * left.columnStride, left.rowStride, left.columnStride}, size, depth, to);
    else amxPackRight({right.data + from * right.rowStride + begin * right.columnStride, right.rowStride, right.columnStride}, depth, size, to);
  };
  for (int64_t from = 0; from < s.k; from += kMostDepth) {
    const int64_t depth = std::min(kMostDepth, s.k - from), bytes = amxPanelBytes(depth);
    const int64_t blockSide = std::min((shorter + kAmxSide - 1) / kAmxSide, kBlockBytes / bytes) * kAmxSide;
    for (int64_t at = 0; at < shorter; at += blockSide) {
      const int64_t side = std::min(blockSide, shorter - at), panels = (side + kAmxSide - 1) / kAmxSide;
      char* const block = threadRoom<Room::Operands>(size_t(panels * bytes));
      parallelFor(panels, std::max<int64_t>(1, 2 * kGrain / (depth * kAmxSide)), [&](int64_t begin, int64_t end) {
        for (int64_t p = begin; p < end; ++p)
          pack(byColumns, at + p * kAmxSide, std::min<int64_t>(kAmxSide, side - p * kAmxSide), from, depth, block + p * bytes);
      });
      parallelFor((longer + kAmxSide - 1) / kAmxSide, std::max<int64_t>(1, kThreadWork / (side * kAmxSide * depth)), [&](int64_t begin, int64_t end) {
        char* const own = threadRoom<Room::Part>(size_t(bytes));
        amxBegin();
        for (int64_t q = begin; q < end; ++q) {
          const int64_t first = q * kAmxSide, width = std::min<int64_t>(kAmxSide, longer - first);
          pack(!byColumns, first, width, from, depth, own);
          for (int64_t p = 0; p < panels; ++p) {
            const int64_t other = at + p * kAmxSide, height = std::min<int64_t>(kAmxSide, side - p * kAmxSide);
            const bool adds = add || from > 0;
            if (byColumns) amxMultiply(block + p * bytes, own, depth, c + other * s.n + first, s.n, height, width, adds);
            else amxMultiply(own, block + p * bytes, depth, c + first * s.n + other, s.n, width, height, adds);
          }
        }
        amxEnd();
      });
    }
  }
}

}  // namespace

BFloat16Unit bfloat16UnitOfProcessor() {
  static const BFloat16Unit unit = [] {
    if (std::strcmp(hotTable().isa, "v4") != 0) return BFloat16Unit::None;
    switch (dnnl::get_effective_cpu_isa()) {  // ONEDNN_MAX_CPU_ISA can lower it
      case dnnl::cpu_isa::avx512_core_bf16: return BFloat16Unit::Avx512;
      case dnnl::cpu_isa::avx512_core_amx: return amxPermitted() ? BFloat16Unit::Amx : BFloat16Unit::Avx512;
      default: return BFloat16Unit::None;
    }
  }();
  return unit;
}

bool roundsProduct(const GemmShape& s) { return s.m >= 8 && s.n >= 8 && s.k >= 32 && double(s.m) * double(s.n) * double(s.k) >= 250'000; }

std::optional<GemmShape> productOf(ConvDirection direction, const ConvGeometry& g) {
  const bool plain = g.groups == 1 && g.kernelHeight == 1 && g.kernelWidth == 1 && g.strideHeight == 1 && g.strideWidth == 1 && g.padTop == 0 &&
                     g.padLeft == 0 && g.outHeight == g.inHeight && g.outWidth == g.inWidth;
  if (!plain) return {};
  const int64_t positions = g.batch * g.outHeight * g.outWidth;
  switch (direction) {
    case ConvDirection::Output: return GemmShape{positions, g.inChannels, g.outChannels, false, false};
    case ConvDirection::Input: return GemmShape{positions, g.outChannels, g.inChannels, false, true};
    case ConvDirection::Filter: return GemmShape{g.inChannels, positions, g.outChannels, true, false};
  }
  return {};
}

bool roundsConvolution(ConvDirection direction, const ConvGeometry& g) {
  if (const auto product = productOf(direction, g)) return roundsProduct(*product);
  if (g.groups != 1) return false;
  const double work = double(g.outputElements()) * double(g.filterElements()) / double(g.outChannels);
  switch (direction) {
    case ConvDirection::Output: return work >= 1e6 && g.outChannels >= 8;
    case ConvDirection::Input: return work >= 1e6 && g.outChannels >= 16;
    case ConvDirection::Filter: return work >= 2e7 && g.inChannels >= 16 && g.outChannels >= 8;
  }
  return false;
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
  switch (bfloat16UnitOfProcessor()) {
    case BFloat16Unit::Amx: return byAmx(s, a, b, c, add);
    case BFloat16Unit::Avx512:
      if (inParts(s, a, b, c, add)) return;
      break;
    case BFloat16Unit::None: break;
  }
  const int64_t left = s.m * s.k, right = s.k * s.n;
  float* const operands = reinterpret_cast<float*>(threadRoom<Room::Operands>(size_t(left + right) * sizeof(float)));
  roundToBFloat16(a, operands, left);
  roundToBFloat16(b, operands + left, right);
  // oneDNN's sums of float32 may depend on the number of threads.
  product(ProductType::Float, s.m, s.k, s.n, {operands, s.transposeA ? 1 : s.k, s.transposeA ? s.m : 1, false},
          {operands + left, s.transposeB ? 1 : s.n, s.transposeB ? s.k : 1, false}, c, s.n, add ? Update::Add : Update::Set);
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
