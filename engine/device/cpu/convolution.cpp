#include "device/cpu/convolution.h"

#include <algorithm>
#include <unordered_map>

#include "base/openmp_calls.h"
#include "base/parallel.h"
#include "base/pool.h"
#include "device/cpu/convolution_primitive.h"

namespace weft::cpu {

struct DnnlConvolution::Impl : ConvolutionPrimitive {};

/// A gradient of the filter as the sum of those of parts of the images.
struct DnnlConvolution::Parts {
  ConvGeometry whole;
  int count = 0;
  int64_t longer = 0;                                   ///< Parts that have one image more than the others; they come first.
  std::shared_ptr<const DnnlConvolution> first, other;  ///< `other`: of the parts without it.

  int64_t imagesBefore(int part) const { return whole.batch / count * part + std::min<int64_t>(part, longer); }
  const DnnlConvolution& convolution(int part) const { return part < longer || !other ? *first : *other; }
  size_t sumBytes() const { return wholeLines(size_t(whole.filterElements()) * sizeof(float)); }
  size_t scratchBytes() const { return std::max(first->scratchBytes(), other ? other->scratchBytes() : 0); }
};

DnnlConvolution::DnnlConvolution(std::unique_ptr<Impl> impl, std::unique_ptr<Parts> parts) : impl_(std::move(impl)), parts_(std::move(parts)) {}
DnnlConvolution::~DnnlConvolution() = default;
const std::string& DnnlConvolution::implementation() const { return parts_ ? parts_->first->implementation() : impl_->name; }

Result<std::shared_ptr<const DnnlConvolution>> DnnlConvolution::makeInParts(const ConvGeometry& g, int threads) {
  struct OneThread {
    const int before = parallelism();
    OneThread() { setThreadParallelism(1); }
    ~OneThread() { setThreadParallelism(before); }
  } alone;
  auto parts = std::make_unique<Parts>();
  parts->whole = g;
  parts->count = threads;
  parts->longer = g.batch % threads;
  ConvGeometry some = g;
  some.batch = (g.batch + threads - 1) / threads;
  WEFT_LET(parts->first, make(ConvDirection::Filter, some));
  if (parts->longer > 0) {
    --some.batch;
    WEFT_LET(parts->other, make(ConvDirection::Filter, some));
  }
  return std::shared_ptr<const DnnlConvolution>(new DnnlConvolution(nullptr, std::move(parts)));
}

Status DnnlConvolution::runParts(float* input, float* filter, float* output, char* scratch) const {
  const Parts& parts = *parts_;
  const ConvGeometry& g = parts.whole;
  const int64_t imageIn = g.inputElements() / g.batch, imageOut = g.outputElements() / g.batch, weights = g.filterElements();
  const size_t sumBytes = parts.sumBytes(), each = sumBytes + parts.scratchBytes();
  std::vector<Status> results(size_t(parts.count));
  // The first part's sum is the result, and the others are added to it.
  const auto sumOf = [&](int part) { return part == 0 ? filter : reinterpret_cast<float*>(scratch + size_t(part) * each); };
  pool::share(parts.count, [&](int part) {
    const int64_t image = parts.imagesBefore(part);
    const openmp::OneThread inside;
    results[size_t(part)] =
        parts.convolution(part).run(input + image * imageIn, sumOf(part), output + image * imageOut, scratch + size_t(part) * each + sumBytes);
  });
  for (const Status& s : results) WEFT_TRY(s);
  constexpr int64_t kGrain = 16384;
  parallelFor(weights, kGrain, [&](int64_t begin, int64_t end) {
    for (int part = 1; part < parts.count; ++part) {
      const float* sum = sumOf(part);
      for (int64_t i = begin; i < end; ++i) filter[i] += sum[i];
    }
  });
  return {};
}

Result<std::shared_ptr<const DnnlConvolution>> DnnlConvolution::make(ConvDirection direction, const ConvGeometry& g) {
  threadStream();
  // Adding up the parts must be little beside computing them.
  constexpr int64_t kPositionsPerPart = 256;
  const int threads = parallelism();
  if (direction == ConvDirection::Filter && threads > 1 && g.batch >= threads && g.batch * g.outHeight * g.outWidth >= kPositionsPerPart * threads)
    return makeInParts(g, threads);
  auto impl = std::make_unique<Impl>();
  if (impl->prepare(direction, g, ProductPrecision::Float32)) return std::shared_ptr<const DnnlConvolution>(new DnnlConvolution(std::move(impl)));
  return unimplemented("oneDNN has no optimised convolution for this geometry");
}

size_t DnnlConvolution::scratchBytes() const {
  if (parts_) return size_t(parts_->count) * (parts_->sumBytes() + parts_->scratchBytes());
  size_t bytes = wholeLines(impl_->scratchpad.get_size());
  for (const auto& o : impl_->operands) bytes += o.reordered() ? wholeLines(o.wanted.get_size()) : 0;
  return bytes;
}

Status DnnlConvolution::run(float* input, float* filter, float* output, void* scratch) const {
  if (parts_) return runParts(input, filter, output, static_cast<char*>(scratch));
  try {
    auto& engine = cpuEngine();
    auto& stream = threadStream();
    char* free = static_cast<char*>(scratch);
    const auto take = [&](const dnnl::memory::desc& d) {
      char* at = free;
      free += wholeLines(d.get_size());
      return dnnl::memory(d, engine, at);
    };
    float* const pointers[3] = {input, filter, output};
    std::unordered_map<int, dnnl::memory> arguments;
    arguments.reserve(8);
    arguments.emplace(DNNL_ARG_SCRATCHPAD, take(impl_->scratchpad));
    dnnl::memory given, wanted;
    const Impl::Operand* after = nullptr;
    for (int i = 0; i < 3; ++i) {
      const Impl::Operand& o = impl_->operands[i];
      dnnl::memory own(o.given, engine, pointers[i]);
      if (!o.reordered()) {
        arguments.emplace(o.argument, std::move(own));
        continue;
      }
      dnnl::memory inner = take(o.wanted);
      arguments.emplace(o.argument, inner);
      if (o.written) {
        after = &o;
        given = own;
        wanted = inner;
      } else {
        o.reorder.execute(stream, {{DNNL_ARG_FROM, own}, {DNNL_ARG_TO, inner}});
      }
    }
    impl_->primitive.execute(stream, arguments);
    if (after) after->reorder.execute(stream, {{DNNL_ARG_FROM, wanted}, {DNNL_ARG_TO, given}});
    return {};
  } catch (const dnnl::error& e) {
    return internalError("oneDNN: ", e.what());
  }
}

}  // namespace weft::cpu
