// Kernels of pooling gradients, and code shared with the pools.
#include <limits>
#include <vector>

#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/half_blocks.h"
#include "device/cpu/pooling.h"
#include "graph/window.h"

namespace weft {

namespace {

/// Values of [batch, channels, height, width] in the order of NHWC.
void moveChannelsLast(std::vector<int64_t>& values) {
  if (values.size() == 4) values = {values[0], values[2], values[3], values[1]};
}

}  // namespace

PoolSettings PoolSettings::of(const AttrMap& attrs) {
  PoolSettings s{attrs.integers("ksize"), attrs.integers("strides"), attrs.text("padding"), attrs.text("data_format", "NHWC")};
  if (s.channelsFirst()) {
    moveChannelsLast(s.window);
    moveChannelsLast(s.strides);
  }
  return s;
}

Status PoolSettings::check(const char* op) const {
  if (format != "NHWC") return invalidArgument("Default ", op, " only supports NHWC on device type CPU");
  return checkWindows();
}

Status PoolSettings::checkWindows() const {
  if (window.size() != 4) return invalidArgument("Sliding window ksize field must specify 4 dimensions");
  if (strides.size() != 4) return invalidArgument("Sliding window stride field must specify 4 dimensions");
  for (int i = 0; i < 4; ++i) {
    if (window[size_t(i)] <= 0) return invalidArgument("Sliding window ksize for dimension ", i, " was zero.");
    if (strides[size_t(i)] <= 0)
      return invalidArgument("Sliding window stride for dimension ", i, " was zero. Stride must be > 0, but got ", strides[size_t(i)]);
  }
  if (window[0] != 1 || strides[0] != 1) return unimplemented("Pooling is not yet supported on the batch dimension.");
  return {};
}

Result<cpu::PoolGeometry> PoolSettings::geometry(const Shape& in) const {
  if (in.rank() != 4) return invalidArgument("tensor_in_shape must have 2 spatial dimensions. ", in.rank(), " 0");
  const int height = channelsFirst() ? 2 : 1, channel = channelsFirst() ? 1 : 3;
  if (overChannels()) {
    if (window[1] != 1 || window[2] != 1) {
      return unimplemented("MaxPooling supports exactly one of pooling across depth or pooling across width/height.");
    }
    if (in.dim(channel) % window[3] != 0) return unimplemented("Depthwise max pooling requires the depth window to evenly divide the input depth");
    if (strides[3] != window[3]) return unimplemented("Depthwise max pooling requires the depth window to equal the depth stride");
  }
  WEFT_LET(const WindowAxis h, windowAxis(in.dim(height), window[1], 1, strides[1], padding));
  WEFT_LET(const WindowAxis w, windowAxis(in.dim(height + 1), window[2], 1, strides[2], padding));
  cpu::PoolGeometry g;
  g.inHeight = in.dim(height);
  g.inWidth = in.dim(height + 1);
  g.channels = in.dim(channel);
  g.outHeight = overChannels() ? g.inHeight : h.output;
  g.outWidth = overChannels() ? g.inWidth : w.output;
  g.windowHeight = window[1];
  g.windowWidth = window[2];
  g.strideHeight = strides[1];
  g.strideWidth = strides[2];
  g.padTop = h.before;
  g.padLeft = w.before;
  return g;
}

Shape PoolSettings::outputShape(const Shape& in, const cpu::PoolGeometry& g) const {
  if (channelsFirst()) return {in.dim(0), g.channels, g.outHeight, g.outWidth};
  return {in.dim(0), g.outHeight, g.outWidth, g.channels};
}

Result<PoolSettings> poolSettings(const KernelContext& c, int firstWindowInput) {
  PoolSettings s = PoolSettings::of(c.node().attrs);
  if (firstWindowInput < 0) return s;
  const char* names[] = {"ksize", "strides"};
  for (int k = 0; k < 2; ++k) {
    const Tensor& t = c.input(firstWindowInput + k);
    if (t.rank() != 1 || t.dim(0) != 4) return invalidArgument("Sliding window ", k ? "stride" : "ksize", " field must specify 4 dimensions: ", names[k]);
    std::vector<int64_t>& to = k ? s.strides : s.window;
    to.clear();
    for (int i = 0; i < 4; ++i) to.push_back(t.asInt(i));
    if (s.channelsFirst()) moveChannelsLast(to);
  }
  return s;
}

namespace {

/// Calls f(image element offset of the first maximum, window index) for every window and channel of one image.
template <typename T, typename F>
void overMaxima(const T* in, const cpu::PoolGeometry& g, F&& f) {
  const int64_t channels = g.channels;
  for (int64_t y = 0; y < g.outHeight; ++y) {
    const int64_t top = std::max<int64_t>(0, y * g.strideHeight - g.padTop);
    const int64_t bottom = std::min(g.inHeight, y * g.strideHeight - g.padTop + g.windowHeight);
    for (int64_t x = 0; x < g.outWidth; ++x) {
      const int64_t left = std::max<int64_t>(0, x * g.strideWidth - g.padLeft);
      const int64_t right = std::min(g.inWidth, x * g.strideWidth - g.padLeft + g.windowWidth);
      for (int64_t c = 0; c < channels; ++c) {
        int64_t best = -1;
        for (int64_t i = top; i < bottom; ++i) {
          for (int64_t j = left; j < right; ++j) {
            const int64_t at = (i * g.inWidth + j) * channels + c;
            if (best < 0 || cpu::Compute<T>(in[best]) < cpu::Compute<T>(in[at])) best = at;
          }
        }
        if (best >= 0) f(best, (y * g.outWidth + x) * channels + c);
      }
    }
  }
}

Status sameShape(const Tensor& t, const Shape& want, const char* name) {
  if (t.shape() == want) return {};
  return invalidArgument("Expected ", name, " shape to be ", want.toString(), ", but got ", t.shape().toString());
}

}  // namespace

Result<cpu::PoolGeometry> averagePoolGradGeometry(const KernelContext& c, const PoolSettings& s, Shape& in) {
  const Tensor &sizes = c.input(0), &grad = c.input(1);
  if (sizes.rank() != 1 || sizes.elements() != 4) return invalidArgument("out_backprop must be 1-dimensional and 4 elements");
  if (grad.rank() != 4) return invalidArgument("out_backprop must be 4-dimensional");
  if (s.overChannels()) return unimplemented("Non-spatial pooling is not yet supported. Volunteers? :)");
  in = Shape();
  for (int i = 0; i < 4; ++i) {
    if (sizes.asInt(i) < 0) return invalidArgument("orig_input_shape must not be negative, got ", sizes.asInt(i), " in position ", i);
    in.append(sizes.asInt(i));
  }
  WEFT_LET(const cpu::PoolGeometry g, s.geometry(in));
  WEFT_TRY(sameShape(grad, s.outputShape(in, g), "grad"));
  return g;
}

Result<cpu::PoolGeometry> maxPoolGradGeometry(const KernelContext& c, const PoolSettings& s, bool second) {
  const Tensor &in = c.input(0), &out = c.input(1), &grad = c.input(2);
  if (in.rank() != 4) return invalidArgument("tensor_in must be 4-dimensional");
  if (out.rank() != 4) return invalidArgument("tensor_out must be 4-dimensional");
  if (grad.rank() != 4) return invalidArgument(second ? "out_grad_backprop must be 4-dimensional" : "out_backprop must be 4-dimensional");
  if (s.window[3] != 1 || s.strides[3] != 1) {
    return unimplemented(second ? "MaxPoolingGradGrad" : "MaxPoolingGrad", " is not yet supported on the depth dimension.");
  }
  WEFT_LET(const cpu::PoolGeometry g, s.geometry(in.shape()));
  WEFT_TRY(sameShape(out, s.outputShape(in.shape(), g), "orig_output"));
  WEFT_TRY(sameShape(grad, second ? in.shape() : out.shape(), "grad"));
  return g;
}

Status averagePoolGradKernel(KernelContext& c) {
  const Tensor& grad = c.input(1);
  const PoolSettings s = PoolSettings::of(c.node().attrs);
  WEFT_TRY(s.check("AvgPoolingGradOp"));
  Shape in;
  WEFT_LET(const cpu::PoolGeometry g, averagePoolGradGeometry(c, s, in));
  WEFT_LET(Tensor * out, c.allocate(0, in));
  const int64_t image = g.inHeight * g.inWidth * g.channels, gradImage = g.outHeight * g.outWidth * g.channels;
  cpu::withNumber(grad.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (cpu::kIsFloat<T>) {
      const T* dy = static_cast<const T*>(grad.raw());
      T* dx = static_cast<T*>(out->mutableRaw());
      parallelFor(in.dim(0), std::max<int64_t>(1, 16384 / std::max<int64_t>(1, image)), [&](int64_t begin, int64_t end) {
        for (int64_t n = begin; n < end; ++n) {
          if constexpr (std::is_same_v<T, float>) {
            cpu::nnKernels().averagePoolGrad(dx + n * image, dy + n * gradImage, g);
          } else {
            std::vector<cpu::Compute<T>> sums(size_t(image), 0);
            for (int64_t y = 0; y < g.outHeight; ++y) {
              const int64_t top = std::max<int64_t>(0, y * g.strideHeight - g.padTop);
              const int64_t bottom = std::min(g.inHeight, y * g.strideHeight - g.padTop + g.windowHeight);
              for (int64_t x = 0; x < g.outWidth; ++x) {
                const int64_t left = std::max<int64_t>(0, x * g.strideWidth - g.padLeft);
                const int64_t right = std::min(g.inWidth, x * g.strideWidth - g.padLeft + g.windowWidth);
                const cpu::Compute<T> count = cpu::Compute<T>((bottom - top) * (right - left));
                const T* from = dy + n * gradImage + (y * g.outWidth + x) * g.channels;
                for (int64_t i = top; i < bottom; ++i) {
                  for (int64_t j = left; j < right; ++j) {
                    cpu::Compute<T>* to = sums.data() + (i * g.inWidth + j) * g.channels;
                    for (int64_t k = 0; k < g.channels; ++k) to[k] += cpu::Compute<T>(from[k]) / count;
                  }
                }
              }
            }
            for (int64_t i = 0; i < image; ++i) dx[n * image + i] = T(sums[size_t(i)]);
          }
        }
      });
    }
  });
  return {};
}

namespace {

Status maxPoolGrad(KernelContext& c, const PoolSettings& s, bool positiveOnly) {
  const Tensor &in = c.input(0), &grad = c.input(2);
  WEFT_TRY(s.check("MaxPoolingGradOp"));
  WEFT_LET(const cpu::PoolGeometry g, maxPoolGradGeometry(c, s, false));
  WEFT_LET(Tensor * dxTensor, c.allocate(0, in.shape()));
  const int64_t image = g.inHeight * g.inWidth * g.channels, gradImage = g.outHeight * g.outWidth * g.channels;
  cpu::withNumber(in.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (!cpu::kIsComplex<T>) {
      const T *x = static_cast<const T*>(in.raw()), *dy = static_cast<const T*>(grad.raw());
      T* dx = static_cast<T*>(dxTensor->mutableRaw());
      parallelFor(in.dim(0), std::max<int64_t>(1, 8192 / std::max<int64_t>(1, image)), [&](int64_t begin, int64_t end) {
        for (int64_t n = begin; n < end; ++n) {
          if constexpr (std::is_same_v<T, float>) {
            cpu::nnKernels().maxPoolGrad(dx + n * image, x + n * image, dy + n * gradImage, g, positiveOnly);
          } else if constexpr (cpu::kIsSmallFloat<T>) {
            const cpu::HotFormat& format = cpu::formatOf<T>();
            std::vector<float> room(size_t(2 * image + gradImage));
            float *wide = room.data(), *back = wide + image, *wideGrad = back + image;
            format.widen(&x[n * image].bits, wide, image);
            format.widen(&dy[n * gradImage].bits, wideGrad, gradImage);
            cpu::nnKernels().maxPoolGrad(back, wide, wideGrad, g, positiveOnly);
            format.narrow(back, &dx[n * image].bits, image);
          } else {
            T* to = dx + n * image;
            std::fill(to, to + image, T(0));
            overMaxima(x + n * image, g,
                       [&](int64_t at, int64_t window) { to[at] = T(cpu::Compute<T>(to[at]) + cpu::Compute<T>(dy[n * gradImage + window])); });
          }
        }
      });
    }
  });
  return {};
}

/// MaxPoolGrad followed by the ReluGrad of the pool's input.
class ReluPoolGradKernel final : public Kernel {
 public:
  explicit ReluPoolGradKernel(const AttrMap& attrs) : settings_(PoolSettings::of(attrs)) {}
  Status compute(KernelContext& c) override { return maxPoolGrad(c, settings_, true); }

 private:
  PoolSettings settings_;
};

}  // namespace

Status maxPoolGradKernel(KernelContext& c) {
  WEFT_LET(const PoolSettings s, poolSettings(c, c.inputCount() > 3 ? 3 : -1));
  return maxPoolGrad(c, s, false);
}

std::shared_ptr<Kernel> makeReluMaxPoolGrad(const AttrMap& attrs) { return std::make_shared<ReluPoolGradKernel>(attrs); }

Status maxPoolGradGradKernel(KernelContext& c) {
  const Tensor &in = c.input(0), &out = c.input(1), &grad = c.input(2);
  WEFT_LET(const PoolSettings s, poolSettings(c, c.inputCount() > 3 ? 3 : -1));
  WEFT_TRY(s.check("MaxPoolingGradGradOp"));
  WEFT_LET(const cpu::PoolGeometry g, maxPoolGradGeometry(c, s, true));
  WEFT_LET(Tensor * result, c.allocate(0, out.shape()));
  const int64_t image = g.inHeight * g.inWidth * g.channels, outImage = g.outHeight * g.outWidth * g.channels;
  cpu::withNumber(in.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (!cpu::kIsComplex<T>) {
      const T *x = static_cast<const T*>(in.raw()), *d = static_cast<const T*>(grad.raw());
      T* to = static_cast<T*>(result->mutableRaw());
      std::fill(to, to + out.elements(), T(0));
      parallelFor(in.dim(0), 1, [&](int64_t begin, int64_t end) {
        for (int64_t n = begin; n < end; ++n) {
          overMaxima(x + n * image, g, [&](int64_t at, int64_t window) { to[n * outImage + window] = d[n * image + at]; });
        }
      });
    }
  });
  return {};
}

}  // namespace weft
