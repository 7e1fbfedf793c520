#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "graph/window.h"
#include "kernel/kernel.h"
#include "weft/shape.h"

namespace weft {

/// Windows over the three inner axes of [batch, depth, height, width, channels]; shared by convolutions and pools of volumes.
struct VolumeWindows {
  std::array<int64_t, 3> in{}, out{}, window{}, stride{}, before{};
  int64_t batch = 0, channels = 0;

  bool channelsFirst = false;

  /// Sizes for a volume of shape `in`; `window` has three elements, `strides` and `dilations` five, in the order of the volume's dims.
  static Result<VolumeWindows> of(const Shape& in, const std::array<int64_t, 3>& window, const std::vector<int64_t>& strides, const std::string& padding,
                                  bool channelsFirst = false, const std::vector<int64_t>& dilations = std::vector<int64_t>(5, 1)) {
    VolumeWindows g;
    g.batch = in.dim(0);
    g.channels = in.dim(channelsFirst ? 1 : 4);
    g.channelsFirst = channelsFirst;
    for (size_t i = 0; i < 3; ++i) {
      const size_t at = i + (channelsFirst ? 2 : 1);
      g.in[i] = in.dim(int(at));
      g.window[i] = window[i];
      g.stride[i] = strides[at];
      WEFT_LET(const WindowAxis axis, windowAxis(g.in[i], window[i], dilations[at], g.stride[i], padding));
      g.out[i] = axis.output;
      g.before[i] = axis.before;
    }
    return g;
  }
  int64_t inPixels() const { return in[0] * in[1] * in[2]; }
  int64_t outPixels() const { return out[0] * out[1] * out[2]; }
  Shape outShape(int64_t depth) const { return channelsFirst ? Shape{batch, depth, out[0], out[1], out[2]} : Shape{batch, out[0], out[1], out[2], depth}; }
  /// The part of a window inside the volume, along an axis.
  int64_t begin(size_t axis, int64_t at) const { return std::max<int64_t>(0, at * stride[axis] - before[axis]); }
  int64_t end(size_t axis, int64_t at) const { return std::min(in[axis], at * stride[axis] - before[axis] + window[axis]); }
};

/// Windows of the pools of volumes and of their gradients, with TensorFlow's checks; `op` is the name in its messages. The CPU takes NDHWC only.
WEFT_API Result<VolumeWindows> volumePool(const AttrMap& attrs, const char* op, const Shape& in, bool onCpu = true);
/// AvgPool3DGrad; `in` gets the volume's shape.
WEFT_API Result<VolumeWindows> averageVolumeGrad(const KernelContext& c, Shape& in, bool onCpu = true);
/// MaxPool3DGrad, or MaxPool3DGradGrad (`second`).
WEFT_API Result<VolumeWindows> maximumVolumeGrad(const KernelContext& c, bool second, bool onCpu = true);

}  // namespace weft
