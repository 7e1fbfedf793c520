#pragma once

#include <cuda_runtime.h>

#include <cstdint>

// Places of windows over images and volumes, for pools and depthwise convolutions. An image is a volume of depth 1.
namespace weft::cuda {

/// One axis. Numbers of windows and of places fit into 32 bits.
struct WindowsOfAxis {
  int in = 1, out = 1, window = 1, stride = 1, before = 0;
  /// The part of window `at` inside of the data.
  __device__ int begin(int at) const { return max(0, at * stride - before); }
  __device__ int end(int at) const { return min(in, at * stride - before + window); }
  /// The windows that cover place `at`.
  __device__ int first(int at) const { return at + before < window ? 0 : (at + before - window) / stride + 1; }
  __device__ int last(int at) const { return min((at + before) / stride, out - 1); }
};

/// Elements of a tensor by batch, place and channel, for either order of dims.
struct Layout {
  int64_t places = 1, channels = 1;
  bool channelsFirst = false;
  __device__ int64_t image(int64_t i) const { return i / (places * channels); }
  __device__ int64_t channel(int64_t i) const { return channelsFirst ? i / places % channels : i % channels; }
  __device__ int64_t place(int64_t i) const { return channelsFirst ? i % places : i / channels % places; }
  __device__ int64_t at(int64_t image, int64_t place, int64_t channel) const {
    return channelsFirst ? (image * channels + channel) * places + place : (image * places + place) * channels + channel;
  }
};

struct Windows {
  WindowsOfAxis axes[3];
  Layout in, out;

  struct Spot {
    int z, y, x;
  };
  __device__ Spot input(int64_t place) const { return {int(place / axes[2].in / axes[1].in), int(place / axes[2].in % axes[1].in), int(place % axes[2].in)}; }
  __device__ Spot output(int64_t place) const {
    return {int(place / axes[2].out / axes[1].out), int(place / axes[2].out % axes[1].out), int(place % axes[2].out)};
  }
  /// Calls f(place) for the places of a window, in order, until it returns false.
  template <typename F>
  __device__ void overWindow(int64_t window, F f) const {
    const Spot w = output(window);
    for (int z = axes[0].begin(w.z); z < axes[0].end(w.z); ++z) {
      for (int y = axes[1].begin(w.y); y < axes[1].end(w.y); ++y) {
        for (int x = axes[2].begin(w.x); x < axes[2].end(w.x); ++x) {
          if (!f((int64_t(z) * axes[1].in + y) * axes[2].in + x)) return;
        }
      }
    }
  }
  /// Calls f(window) for the windows that cover a place, in order.
  template <typename F>
  __device__ void overCovering(int64_t place, F f) const {
    const Spot p = input(place);
    for (int z = axes[0].first(p.z); z <= axes[0].last(p.z); ++z) {
      for (int y = axes[1].first(p.y); y <= axes[1].last(p.y); ++y) {
        for (int x = axes[2].first(p.x); x <= axes[2].last(p.x); ++x) f((int64_t(z) * axes[1].out + y) * axes[2].out + x);
      }
    }
  }
  __device__ int sizeOf(int64_t window) const {
    const Spot w = output(window);
    return (axes[0].end(w.z) - axes[0].begin(w.z)) * (axes[1].end(w.y) - axes[1].begin(w.y)) * (axes[2].end(w.x) - axes[2].begin(w.x));
  }
};

}  // namespace weft::cuda
