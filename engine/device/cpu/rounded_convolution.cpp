#include "device/cpu/rounded_convolution.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <unordered_map>

#include "base/parallel.h"
#include "device/cpu/bfloat16_products.h"
#include "device/cpu/convolution_primitive.h"
#include "device/cpu/hot.h"
#include "device/cpu/thread_room.h"

namespace weft::cpu {
namespace {

constexpr int64_t kImageGrain = 16384;  // elements for which a thread is worth waking

/// Images of a part. Its rounded operands should stay in the cache, and it should be worth the call of a primitive.
int64_t imagesPerPart(ConvDirection direction, const ConvGeometry& g) {
  constexpr double kPartWork = 4e6, kPartElements = 1 << 19, kMostSums = 1 << 22;
  const double images = double(g.batch), work = double(g.outputElements()) / images * double(g.filterElements()) / double(g.outChannels);
  double each = std::max(kPartWork / work, std::min(images / 8, kPartElements / (double(g.inputElements() + g.outputElements()) / images)));
  each = std::max(each, images / 32);
  if (direction == ConvDirection::Filter) each = std::max({each, images / 8, images * double(g.filterElements()) / kMostSums});
  return int64_t(std::clamp(each, 1.0, images));
}

}  // namespace

struct RoundedConvolution::Impl {
  ConvDirection direction;
  ConvGeometry whole;
  int64_t each = 1, parts = 1;       ///< Images of a part; the last may have fewer.
  ConvolutionPrimitive first, last;  ///< `last`: of the last part, if it has fewer images.

  bool hasShorter() const { return whole.batch % each != 0; }
  const ConvolutionPrimitive& of(int64_t part) const { return part + 1 == parts && hasShorter() ? last : first; }
  const dnnl::memory::desc& filter() const { return first.operands[1].wanted; }
  /// The sums of the first part are the result.
  bool sumsInPlace() const { return direction == ConvDirection::Filter && !first.operands[1].reordered(); }

  size_t partBytes(const ConvolutionPrimitive& p) const {
    size_t bytes = wholeLines(p.scratchpad.get_size());
    for (const int i : {0, 2}) bytes += p.operands[i].reordered() ? wholeLines(p.operands[i].wanted.get_size()) : 0;
    return bytes;
  }

  void runPart(int64_t part, float* input, char* filterOrSum, float* output) const;
};

RoundedConvolution::RoundedConvolution(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RoundedConvolution::~RoundedConvolution() = default;

Result<std::shared_ptr<const RoundedConvolution>> RoundedConvolution::make(ConvDirection direction, const ConvGeometry& g) {
  if (bfloat16UnitOfProcessor() == BFloat16Unit::None) return unimplemented("this processor does not multiply bfloat16");
  threadStream();
  auto impl = std::make_unique<Impl>();
  impl->direction = direction;
  impl->whole = g;
  impl->each = imagesPerPart(direction, g);
  impl->parts = (g.batch + impl->each - 1) / impl->each;
  // A single image's rows are divided by oneDNN: sums over channels and windows are not. Those over positions would be.
  std::optional<Alone> alone;
  if (impl->parts > 1 || direction == ConvDirection::Filter) alone.emplace();
  ConvGeometry some = g;
  some.batch = impl->each;
  bool made = impl->first.prepare(direction, some, ProductPrecision::BFloat16);
  if (made && impl->hasShorter()) {
    some.batch = g.batch % impl->each;
    made = impl->last.prepare(direction, some, ProductPrecision::BFloat16) && impl->last.operands[1].wanted == impl->filter();
  }
  if (!made) return unimplemented("oneDNN has no optimised convolution of bfloat16 for this geometry");
  return std::shared_ptr<const RoundedConvolution>(new RoundedConvolution(std::move(impl)));
}

size_t RoundedConvolution::scratchBytes() const {
  const size_t filter = wholeLines(impl_->filter().get_size());
  if (impl_->direction != ConvDirection::Filter) return filter;
  return filter * size_t(impl_->parts - (impl_->sumsInPlace() ? 1 : 0));
}

void RoundedConvolution::Impl::runPart(int64_t part, float* input, char* filterOrSum, float* output) const {
  const ConvolutionPrimitive& p = of(part);
  auto& engine = cpuEngine();
  auto& stream = threadStream();
  char* own = threadRoom<Room::Part>(partBytes(p));
  const auto take = [&](const dnnl::memory::desc& d) {
    char* const at = own;
    own += wholeLines(d.get_size());
    return at;
  };
  std::unordered_map<int, dnnl::memory> arguments;
  arguments.reserve(8);
  arguments.emplace(DNNL_ARG_SCRATCHPAD, dnnl::memory(p.scratchpad, engine, take(p.scratchpad)));
  arguments.emplace(p.operands[1].argument, dnnl::memory(p.operands[1].wanted, engine, filterOrSum));
  const int64_t image = part * each, images = std::min(each, whole.batch - image);
  const ConvolutionPrimitive::Operand* after = nullptr;
  dnnl::memory given, wanted;
  for (const int i : {0, 2}) {
    const ConvolutionPrimitive::Operand& o = p.operands[i];
    const int64_t size = (i == 0 ? whole.inputElements() : whole.outputElements()) / whole.batch;
    float* const data = (i == 0 ? input : output) + image * size;
    if (!o.reordered()) {
      arguments.emplace(o.argument, dnnl::memory(o.given, engine, data));
      continue;
    }
    char* const inner = take(o.wanted);
    arguments.emplace(o.argument, dnnl::memory(o.wanted, engine, inner));
    if (o.narrows) {
      auto* const bits = reinterpret_cast<unsigned short*>(inner);
      parallelFor(images * size, kImageGrain, [&](int64_t begin, int64_t end) { hotTable().bfloat16.narrow(data + begin, bits + begin, end - begin); });
      continue;
    }
    dnnl::memory outer(o.given, engine, data), within(o.wanted, engine, inner);
    if (o.written) {
      after = &o;
      given = std::move(outer);
      wanted = std::move(within);
    } else {
      o.reorder.execute(stream, {{DNNL_ARG_FROM, outer}, {DNNL_ARG_TO, within}});
    }
  }
  p.primitive.execute(stream, arguments);
  if (after) after->reorder.execute(stream, {{DNNL_ARG_FROM, wanted}, {DNNL_ARG_TO, given}});
}

Status RoundedConvolution::run(float* input, float* filter, float* output, void* scratch) const {
  try {
    const Impl& all = *impl_;
    const bool isSum = all.direction == ConvDirection::Filter;
    const ConvolutionPrimitive::Operand& o = all.first.operands[1];
    auto& engine = cpuEngine();
    dnnl::memory outer(o.given, engine, filter), inner(o.wanted, engine, scratch);
    if (!isSum) o.reorder.execute(threadStream(), {{DNNL_ARG_FROM, outer}, {DNNL_ARG_TO, inner}});
    const size_t sumBytes = wholeLines(o.wanted.get_size());
    const auto sumOf = [&](int64_t part) {
      if (!all.sumsInPlace()) return static_cast<char*>(scratch) + size_t(part) * sumBytes;
      return part == 0 ? reinterpret_cast<char*>(filter) : static_cast<char*>(scratch) + size_t(part - 1) * sumBytes;
    };
    const auto some = [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) all.runPart(p, input, isSum ? sumOf(p) : static_cast<char*>(scratch), output);
    };
    if (all.parts > 1) {
      parallelFor(all.parts, 1, some);
    } else {
      std::optional<Alone> alone;
      if (isSum) alone.emplace();
      some(0, 1);
    }
    if (!isSum) return {};
    float* const sum = reinterpret_cast<float*>(sumOf(0));
    parallelFor(int64_t(o.wanted.get_size() / sizeof(float)), kImageGrain, [&](int64_t begin, int64_t end) {
      for (int64_t p = 1; p < all.parts; ++p) {
        const float* more = reinterpret_cast<const float*>(sumOf(p));
        for (int64_t i = begin; i < end; ++i) sum[i] += more[i];
      }
    });
    if (o.reordered()) o.reorder.execute(threadStream(), {{DNNL_ARG_FROM, inner}, {DNNL_ARG_TO, outer}});
    return {};
  } catch (const dnnl::error& e) {
    return internalError("oneDNN: ", e.what());
  }
}

}  // namespace weft::cpu
