#include "device/cpu/bfloat16_products.h"

#include <algorithm>
#include <cstring>
#include <dnnl.hpp>
#include <memory>
#include <optional>

#include "base/parallel.h"
#include "device/cpu/hot.h"
#include "device/cpu/hot_amx.h"
#include "device/cpu/products.h"
#include "device/cpu/thread_room.h"
#include "weft/precision.h"

// Two ways: by our loops on the AMX unit (hot_amx.cpp), and elsewhere by the loops of float32 on rounded operands. Products of bfloat16 by AVX512-BF16 (oneDNN 2.6)
// were slower than those. The work is shared out at places that do not change an element's sum, so that the result does not depend on the number of threads.
namespace weft::cpu {
namespace {

using Bits = unsigned short;

constexpr int64_t kGrain = 16384;  // elements for which a thread is worth waking

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
      case dnnl::cpu_isa::avx512_core_amx: return amxPermitted() ? BFloat16Unit::Amx : BFloat16Unit::None;
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
  if (bfloat16UnitOfProcessor() == BFloat16Unit::Amx) return byAmx(s, a, b, c, add);
  const int64_t left = s.m * s.k, right = s.k * s.n;
  const std::unique_ptr<float[]> copies(new float[size_t(left + right)]);  // as large as the operands: not kept
  float* const operands = copies.get();
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
    case cpu::BFloat16Unit::None: break;
  }
  return "rounded float32";
}

}  // namespace weft
