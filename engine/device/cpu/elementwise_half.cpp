#include <array>
#include <utility>

#include "device/cpu/elementwise.h"

// Element-wise functions of half and bfloat16: blocks of elements are widened, computed by the function of float, and rounded to nearest even.
namespace weft::cpu {
namespace {

// Functions that both formats have. (hot_integers.cpp computes those of the bits alone.)
// clang-format off
constexpr const char* kOps[] = {
    "Square", "Sqrt", "Rsqrt", "Reciprocal", "Inv", "Exp", "Log", "Log1p", "Expm1", "Tanh", "Sigmoid", "Floor", "Ceil", "Rint", "Round", "Sin", "Cos",
    "Tan", "Asin", "Acos", "Atan", "Sinh", "Cosh", "Asinh", "Acosh", "Atanh", "Erf", "Erfc", "Lgamma", "Relu6", "Softplus", "Softsign", "Elu", "Selu",
    "Add", "AddV2", "Sub", "Mul", "RealDiv", "Div", "DivNoNan", "MulNoNan", "Xdivy", "Xlogy", "FloorMod", "Mod", "TruncateMod", "TruncateDiv",
    "Maximum", "Minimum", "Pow", "Atan2", "SquaredDifference", "SigmoidGrad", "TanhGrad", "SqrtGrad", "RsqrtGrad", "ReciprocalGrad", "InvGrad",
    "ReluGrad", "Relu6Grad", "EluGrad", "SeluGrad", "SoftplusGrad", "Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual",
    "SoftsignGrad",
};
// clang-format on
// Functions of half only.
constexpr const char* kHalfOps[] = {"Digamma", "BesselI0e", "BesselI1e"};
constexpr size_t kCommon = std::size(kOps), kAll = kCommon + std::size(kHalfOps);

struct FloatFunction {
  SpanFunction fn = nullptr;
  int arity = 1;
  bool toBool = false;
};
/// By the position of the op's name; filled before the first call.
std::array<FloatFunction, kAll> floatFunctions;

const HotFormat& half() { return hotTable().half; }
const HotFormat& bfloat16() { return hotTable().bfloat16; }

void viaFloat(const FloatFunction& f, const HotFormat& format, const void* const* in, const bool* scalar, void* out, long n) {
  constexpr long kBlock = 512;
  alignas(64) float operands[2][kBlock], result[kBlock];
  const void* blocks[2] = {operands[0], operands[1]};
  for (int k = 0; k < f.arity; ++k) {
    if (scalar[k] && n > 0) format.widen(static_cast<const uint16_t*>(in[k]), operands[k], 1);
  }
  for (long i = 0; i < n; i += kBlock) {
    const long count = n - i < kBlock ? n - i : kBlock;
    for (int k = 0; k < f.arity; ++k) {
      if (!scalar[k]) format.widen(static_cast<const uint16_t*>(in[k]) + i, operands[k], count);
    }
    if (f.toBool) {
      f.fn(blocks, scalar, static_cast<bool*>(out) + i, count);
    } else {
      f.fn(blocks, scalar, result, count);
      format.narrow(result, static_cast<uint16_t*>(out) + i, count);
    }
  }
}

template <size_t kOp, const HotFormat& (*kFormat)()>
void span(const void* const* in, const bool* scalar, void* out, long n) {
  viaFloat(floatFunctions[kOp], kFormat(), in, scalar, out, n);
}

template <const HotFormat& (*kFormat)(), size_t... kOp>
constexpr std::array<SpanFunction, sizeof...(kOp)> spans(std::index_sequence<kOp...>) {
  return {span<kOp, kFormat>...};
}
constexpr auto kHalfSpans = spans<half>(std::make_index_sequence<kAll>());
constexpr auto kBFloat16Spans = spans<bfloat16>(std::make_index_sequence<kCommon>());

constexpr size_t indexOf(std::string_view op) {
  for (size_t i = 0; i < kCommon; ++i) {
    if (op == kOps[i]) return i;
  }
  return kAll;
}

/// The quotient is rounded to 16 bits before it is rounded down: that of -1e-8 becomes -0.
template <const auto& kSpans>
void floorDiv(const void* const* in, const bool* scalar, void* out, long n) {
  constexpr long kBlock = 1024;  // stays in the first-level cache
  const bool vector[] = {false};
  for (long i = 0; i < n; i += kBlock) {
    const long count = n - i < kBlock ? n - i : kBlock;
    const void* operands[2];
    for (int k = 0; k < 2; ++k) operands[k] = static_cast<const uint16_t*>(in[k]) + (scalar[k] ? 0 : i);
    uint16_t* result = static_cast<uint16_t*>(out) + i;
    const void* quotients[] = {result};
    kSpans[indexOf("RealDiv")](operands, scalar, result, count);
    kSpans[indexOf("Floor")](quotients, vector, result, count);
  }
}

}  // namespace

std::vector<ElementwiseEntry> halfEntries(const std::map<std::pair<std::string_view, DType>, ElementwiseEntry>& table) {
  constexpr float kConversion = 0.2f;  // nanoseconds per element
  std::vector<ElementwiseEntry> out;
  for (size_t i = 0; i < kAll; ++i) {
    const char* op = i < kCommon ? kOps[i] : kHalfOps[i - kCommon];
    const auto found = table.find({op, DType::Float});
    if (found == table.end()) continue;
    const ElementwiseEntry& e = found->second;
    const bool toBool = e.out == DType::Bool;
    floatFunctions[i] = {e.fn, e.arity, toBool};
    out.push_back({op, DType::Half, toBool ? DType::Bool : DType::Half, e.arity, e.nanoseconds + kConversion, kHalfSpans[i], {}});
    if (i < kCommon) out.push_back({op, DType::BFloat16, toBool ? DType::Bool : DType::BFloat16, e.arity, e.nanoseconds + kConversion, kBFloat16Spans[i], {}});
  }
  out.push_back({"FloorDiv", DType::Half, DType::Half, 2, 1.0f, floorDiv<kHalfSpans>, {}});
  out.push_back({"FloorDiv", DType::BFloat16, DType::BFloat16, 2, 1.0f, floorDiv<kBFloat16Spans>, {}});
  return out;
}

}  // namespace weft::cpu
