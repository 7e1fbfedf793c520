#include "device/cpu/fused_convolution.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "device/cpu/conv2d_kernel.h"
#include "device/cpu/direct_convolution.h"
#include "device/cpu/kernel_precision.h"
#include "device/cpu/rounded_kernel.h"
#include "tensor/allocator.h"
#include "weft/mutex.h"

namespace weft {
namespace {

using cpu::ConvGeometry;
using cpu::DirectConvolution;

class FusedConvolution final : public Kernel {
 public:
  FusedConvolution(const Node& node, const ConvolutionTail& tail, std::vector<Tensor> constants)
      : attrs_(node.attrs), settings_(ConvolutionSettings::of(node.attrs)), depthwise_(node.op != "Conv2D"), tail_(tail), constants_(std::move(constants)) {}

  Status compute(KernelContext& c) override {
    const Tensor &input = c.input(0), &filter = c.input(1);
    WEFT_LET(const std::shared_ptr<const Shaped> shaped, shapedFor(input.shape(), filter));
    const ConvGeometry& g = shaped->geometry;
    for (const int i : {tail_.factor, tail_.offset}) {
      if (i >= 0 && c.input(i).elements() != g.outChannels) {
        return invalidArgument("Must provide as many biases as the last dimension of the input tensor: ", c.input(i).shape().toString(), " vs. ", g.outChannels,
                               " channels");
      }
    }
    WEFT_LET(Tensor * out, c.allocate(0, {g.batch, g.outHeight, g.outWidth, g.outChannels}));
    if (out->elements() == 0) return {};
    cpu::WindowTail tail;
    const auto values = [&](int i) { return i < 0 ? nullptr : c.input(i).data<float>(); };
    tail.factor = values(tail_.factor), tail.offset = values(tail_.offset);
    tail.first = tail_.first, tail.second = tail_.second;
    Tensor factors;
    if (tail_.batchNorm >= 0) {
      for (int i = 0; i < 4; ++i) {
        if (c.input(tail_.batchNorm + i).elements() != g.outChannels) {
          return invalidArgument("scale, offset, mean and variance must have as many elements as the image has channels, ", g.outChannels, ", got ",
                                 c.input(tail_.batchNorm + i).elements());
        }
      }
      tail.offset = values(tail_.batchNorm + 1), tail.shift = values(tail_.batchNorm + 2);
      tail.factor = shaped->factors.empty() ? nullptr : shaped->factors.data();
      if (!tail.factor) {
        WEFT_LET(factors, c.scratch(DType::Float, {g.outChannels}));
        fillFactors(c.input(tail_.batchNorm), c.input(tail_.batchNorm + 3), factors.mutableData<float>());
        tail.factor = factors.data<float>();
      }
    }
    if (tail_.added >= 0) {
      if (!(c.input(tail_.added).shape() == out->shape()))
        return invalidArgument("Incompatible shapes: ", out->shape().toString(), " vs. ", c.input(tail_.added).shape().toString());
      tail.added = values(tail_.added);
    }
    if (!depthwise_ && precisionFor(c, cpu::ConvDirection::Output, g) == ProductPrecision::BFloat16) {
      const auto read = [&](int i) { return const_cast<float*>(c.input(i).data<float>()); };
      WEFT_TRY(rounded_.run(c, cpu::ConvDirection::Output, g, read(0), read(1), out->mutableData<float>()));
      finish(g, out->mutableData<float>(), tail);
      return {};
    }
    const float* packed = shaped->convolution.isDepthwise() ? filter.data<float>() : shaped->packed.hasValue() ? shaped->packed.data<float>() : nullptr;
    if (!packed && !DirectConvolution::isPreferred(cpu::ConvDirection::Output, g)) {
      WEFT_LET(const bool done, byLibrary(c, g, *out, tail));
      if (done) return {};
    }
    Tensor room;
    if (!packed) {
      WEFT_LET(room, c.scratch(DType::Float, {shaped->convolution.packedFloats()}));
      shaped->convolution.pack(filter.data<float>(), room.mutableData<float>());
      packed = room.data<float>();
    }
    shaped->convolution.run(input.data<float>(), packed, out->mutableData<float>(), tail);
    return {};
  }

 private:
  /// What depends on the shapes and on constants only.
  struct Shaped {
    Shaped(const ConvGeometry& g, Shape in, Shape of) : geometry(g), convolution(g), input(std::move(in)), filter(std::move(of)) {}
    ConvGeometry geometry;
    DirectConvolution convolution;
    Shape input, filter;
    Tensor packed;               ///< Empty if the filter is not constant, or not packed.
    std::vector<float> factors;  ///< Empty if not constant.
  };

  /// By oneDNN, and the tail after it; false if oneDNN has no code for the shape.
  Result<bool> byLibrary(KernelContext& c, const ConvGeometry& g, Tensor& out, const cpu::WindowTail& tail) {
    const auto primitive = cache_.get(cpu::ConvDirection::Output, g);
    if (!primitive.ok()) return false;
    WEFT_LET(Tensor scratch, c.scratch(DType::UInt8, {std::max<int64_t>(int64_t((*primitive)->scratchBytes()), 1)}));
    const auto values = [&](int i) { return const_cast<float*>(c.input(i).data<float>()); };  // only read
    float* const sums = out.mutableData<float>();
    WEFT_TRY((*primitive)->run(values(0), values(1), sums, scratch.mutableRaw()));
    finish(g, sums, tail);
    return true;
  }

  /// The tail, on sums that are in place already.
  static void finish(const ConvGeometry& g, float* sums, const cpu::WindowTail& tail) {
    constexpr int64_t kTailGrain = 32768;
    const int64_t rows = g.outputElements() / g.outChannels;
    parallelFor(rows, std::max<int64_t>(1, kTailGrain / g.outChannels), [&](int64_t begin, int64_t end) {
      cpu::WindowTail t = tail;
      if (t.added) t.added += begin * g.outChannels;
      cpu::windowKernels().finishRows(end - begin, g.outChannels, sums + begin * g.outChannels, t);
    });
  }

  bool isConstant(int i) const { return size_t(i) < constants_.size() && constants_[size_t(i)].hasValue(); }

  void fillFactors(const Tensor& scale, const Tensor& variance, float* to) const {
    for (int64_t i = 0; i < scale.elements(); ++i) to[i] = scale.data<float>()[i] / std::sqrt(variance.data<float>()[i] + tail_.epsilon);
  }

  Result<std::shared_ptr<const Shaped>> shapedFor(const Shape& input, const Tensor& filter) {
    const MutexLock lock(mutex_);
    if (shaped_ && shaped_->input == input && shaped_->filter == filter.shape()) return shaped_;
    ConvGeometry g;
    if (depthwise_) {
      WEFT_LET(g, depthwiseGeometry(attrs_, input, filter.shape()));
    } else {
      WEFT_TRY(settings_.checkKernel());
      WEFT_LET(g, conv2dGeometry(settings_, input, filter.shape()));
    }
    if (g.inputElements() == 0 || g.filterElements() == 0) return internalError("a fused convolution without elements");
    auto made = std::make_shared<Shaped>(g, input, filter.shape());
    if (isConstant(1) && made->convolution.packedFloats() > 0) {
      WEFT_LET(made->packed, allocateTensor(hostAllocator(), DType::Float, {made->convolution.packedFloats()}));
      made->convolution.pack(filter.data<float>(), made->packed.mutableData<float>());
    }
    if (tail_.batchNorm >= 0 && isConstant(tail_.batchNorm) && isConstant(tail_.batchNorm + 3)) {
      const Tensor &scale = constants_[size_t(tail_.batchNorm)], &variance = constants_[size_t(tail_.batchNorm) + 3];
      if (scale.elements() == variance.elements()) {
        made->factors.resize(size_t(scale.elements()));
        fillFactors(scale, variance, made->factors.data());
      }
    }
    shaped_ = std::move(made);
    return shaped_;
  }

  const AttrMap attrs_;
  const ConvolutionSettings settings_;
  const bool depthwise_;
  const ConvolutionTail tail_;
  const std::vector<Tensor> constants_;
  cpu::ConvolutionCache cache_;
  RoundedConvolutions rounded_;
  Mutex mutex_;
  std::shared_ptr<const Shaped> shaped_ WEFT_GUARDED_BY(mutex_);
};

}  // namespace

std::shared_ptr<Kernel> makeFusedConvolution(const Node& convolution, const ConvolutionTail& tail, std::vector<Tensor> constants) {
  return std::make_shared<FusedConvolution>(convolution, tail, std::move(constants));
}

}  // namespace weft
