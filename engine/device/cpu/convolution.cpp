#include "device/cpu/convolution.h"

#include <algorithm>
#include <dnnl.hpp>
#include <unordered_map>

#include "base/openmp_calls.h"
#include "base/parallel.h"
#include "base/pool.h"

namespace weft::cpu {
namespace {

using Tag = dnnl::memory::format_tag;

dnnl::engine& cpuEngine() {
  static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

dnnl::stream& threadStream() {
  thread_local dnnl::stream stream(cpuEngine());
  return stream;
}

dnnl::memory::desc floats(const dnnl::memory::dims& dims, Tag tag) { return {dims, dnnl::memory::data_type::f32, tag}; }
size_t rounded(size_t bytes) { return (bytes + 63) / 64 * 64; }

}  // namespace

struct DnnlConvolution::Impl {
  /// One of the three tensors, with the caller's format and the primitive's.
  struct Operand {
    int argument = 0;
    bool written = false;
    dnnl::memory::desc given, wanted;
    dnnl::primitive reorder;  ///< Empty if the formats are the same.
    bool reordered() const { return given != wanted; }
  };
  Operand operands[3];  // input, filter, output
  dnnl::primitive primitive;
  dnnl::memory::desc scratchpad;
  std::string name;

  bool prepare(ConvDirection direction, const ConvGeometry& g, Tag inputTag, Tag outputTag);
};

bool DnnlConvolution::Impl::prepare(ConvDirection direction, const ConvGeometry& g, Tag inputTag, Tag outputTag) {
  using dnnl::algorithm;
  const dnnl::memory::dims in{g.batch, g.inChannels, g.inHeight, g.inWidth}, out{g.batch, g.outChannels, g.outHeight, g.outWidth},
      strides{g.strideHeight, g.strideWidth}, dilations{g.dilationHeight - 1, g.dilationWidth - 1}, before{g.padTop, g.padLeft}, after{g.padBottom, g.padRight};
  // The filters of a group are adjacent in the last dim, with one input channel each (hwigo allows only one).
  const dnnl::memory::dims filter = g.groups == 1 ? dnnl::memory::dims{g.outChannels, g.inChannels, g.kernelHeight, g.kernelWidth}
                                                  : dnnl::memory::dims{g.groups, g.outChannels / g.groups, 1, g.kernelHeight, g.kernelWidth};
  const Tag filterTag = g.groups == 1 ? Tag::hwio : Tag::hwigo;
  const auto inDesc = floats(in, inputTag), filterDesc = floats(filter, Tag::any), outDesc = floats(out, outputTag);
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  auto& engine = cpuEngine();
  const auto kind = direction == ConvDirection::Output ? dnnl::prop_kind::forward_inference : dnnl::prop_kind::forward_training;
  const dnnl::convolution_forward::desc description(kind, algorithm::convolution_direct, inDesc, filterDesc, outDesc, strides, dilations, before, after);
  const dnnl::convolution_forward::primitive_desc forward(description, attr, engine);
  if (direction == ConvDirection::Output) {
    name = forward.impl_info_str();
    operands[0] = {DNNL_ARG_SRC, false, floats(in, Tag::nhwc), forward.src_desc(), {}};
    operands[1] = {DNNL_ARG_WEIGHTS, false, floats(filter, filterTag), forward.weights_desc(), {}};
    operands[2] = {DNNL_ARG_DST, true, floats(out, Tag::nhwc), forward.dst_desc(), {}};
    scratchpad = forward.scratchpad_desc();
    primitive = dnnl::convolution_forward(forward);
  } else if (direction == ConvDirection::Input) {
    const dnnl::convolution_backward_data::primitive_desc backward(
        {algorithm::convolution_direct, inDesc, filterDesc, outDesc, strides, dilations, before, after}, attr, engine, forward);
    name = backward.impl_info_str();
    operands[0] = {DNNL_ARG_DIFF_SRC, true, floats(in, Tag::nhwc), backward.diff_src_desc(), {}};
    operands[1] = {DNNL_ARG_WEIGHTS, false, floats(filter, filterTag), backward.weights_desc(), {}};
    operands[2] = {DNNL_ARG_DIFF_DST, false, floats(out, Tag::nhwc), backward.diff_dst_desc(), {}};
    scratchpad = backward.scratchpad_desc();
    primitive = dnnl::convolution_backward_data(backward);
  } else {
    const dnnl::convolution_backward_weights::primitive_desc backward(
        {algorithm::convolution_direct, inDesc, filterDesc, outDesc, strides, dilations, before, after}, attr, engine, forward);
    name = backward.impl_info_str();
    operands[0] = {DNNL_ARG_SRC, false, floats(in, Tag::nhwc), backward.src_desc(), {}};
    operands[1] = {DNNL_ARG_DIFF_WEIGHTS, true, floats(filter, filterTag), backward.diff_weights_desc(), {}};
    operands[2] = {DNNL_ARG_DIFF_DST, false, floats(out, Tag::nhwc), backward.diff_dst_desc(), {}};
    scratchpad = backward.scratchpad_desc();
    primitive = dnnl::convolution_backward_weights(backward);
  }
  if (name.starts_with("ref")) return false;
  // oneDNN's strided 1x1 code first gathers the used pixels in its scratchpad. With NHWC it writes whole vectors; if the channels do not fill a vector, each
  // thread's last one overruns the thread's part of the scratchpad, into the next thread's pixels or past the end.
  const bool thinsOut = name.starts_with("jit_1x1") && (g.strideHeight > 1 || g.strideWidth > 1);
  if (thinsOut && !operands[0].reordered() && g.inChannels % 16 != 0) return false;
  for (Operand& o : operands) {
    if (!o.reordered()) continue;
    const auto& from = o.written ? o.wanted : o.given;
    const auto& to = o.written ? o.given : o.wanted;
    o.reorder = dnnl::reorder(dnnl::reorder::primitive_desc(engine, from, engine, to));
  }
  return true;
}

/// A gradient of the filter as the sum of those of parts of the images.
struct DnnlConvolution::Parts {
  ConvGeometry whole;
  int count = 0;
  int64_t longer = 0;                                   ///< Parts that have one image more than the others; they come first.
  std::shared_ptr<const DnnlConvolution> first, other;  ///< `other`: of the parts without it.

  int64_t imagesBefore(int part) const { return whole.batch / count * part + std::min<int64_t>(part, longer); }
  const DnnlConvolution& convolution(int part) const { return part < longer || !other ? *first : *other; }
  size_t sumBytes() const { return rounded(size_t(whole.filterElements()) * sizeof(float)); }
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
  // TensorFlow's layout needs no reorders. Where oneDNN has only reference code for it (few channels, older processors), oneDNN may choose the layout.
  const Tag formats[][2] = {{Tag::nhwc, Tag::nhwc}, {Tag::any, Tag::any}, {Tag::nchw, Tag::any}, {Tag::nchw, Tag::nchw}};
  for (const auto& f : formats) {
    try {
      auto impl = std::make_unique<Impl>();
      if (impl->prepare(direction, g, f[0], f[1])) {
        return std::shared_ptr<const DnnlConvolution>(new DnnlConvolution(std::move(impl)));
      }
    } catch (const dnnl::error&) {
      // Not available in these formats: try the next.
    }
  }
  return unimplemented("oneDNN has no optimised convolution for this geometry");
}

size_t DnnlConvolution::scratchBytes() const {
  if (parts_) return size_t(parts_->count) * (parts_->sumBytes() + parts_->scratchBytes());
  size_t bytes = rounded(impl_->scratchpad.get_size());
  for (const auto& o : impl_->operands) bytes += o.reordered() ? rounded(o.wanted.get_size()) : 0;
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
      free += rounded(d.get_size());
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

Result<std::shared_ptr<const DnnlConvolution>> ConvolutionCache::get(ConvDirection direction, const ConvGeometry& g) {
  const int threads = parallelism();
  const MutexLock lock(mutex_);
  for (const Entry& e : entries_) {
    if (e.threads == threads && e.direction == direction && e.geometry == g) return e.primitive;
  }
  WEFT_LET(auto made, DnnlConvolution::make(direction, g));
  if (entries_.size() >= 16) entries_.erase(entries_.begin());
  entries_.push_back({direction, g, threads, made});
  return made;
}

}  // namespace weft::cpu
