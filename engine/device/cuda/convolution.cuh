#pragma once

#include <algorithm>
#include <vector>

#include "device/cpu/convolution.h"
#include "device/cuda/convolution_plan.h"
#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"

// Convolutions by cuDNN, which gets planes (NCHW) and filters OIHW. Tensors with channels last are copied; the copy also adds the padding of unequal sides, which
// cuDNN does not support.
namespace weft::cuda {

/// Images as TensorFlow and as cuDNN store them.
struct ImageLayout {
  int64_t images = 0, channels = 0, places = 1, padded = 1;  ///< places of one image, without and with padding
  bool channelsFirst = false;
  int64_t size[3] = {1, 1, 1}, before[3] = {}, paddedSize[3] = {1, 1, 1};

  bool isPlanes() const { return channelsFirst && places == padded; }
  int64_t planeElements() const { return images * channels * padded; }
  /// The place that a padded place shows; -1: padding.
  __device__ int64_t source(int64_t at) const {
    const int64_t x = at % paddedSize[2] - before[2], y = at / paddedSize[2] % paddedSize[1] - before[1], z = at / paddedSize[2] / paddedSize[1] - before[0];
    const bool inside = x >= 0 && x < size[2] && y >= 0 && y < size[1] && z >= 0 && z < size[0];
    return inside ? (z * size[1] + y) * size[2] + x : -1;
  }
  __device__ int64_t target(int64_t at) const {
    const int64_t x = at % size[2] + before[2], y = at / size[2] % size[1] + before[1], z = at / size[2] / size[1] + before[0];
    return (z * paddedSize[1] + y) * paddedSize[2] + x;
  }
};

constexpr int kTile = 32;
constexpr int64_t kFewChannels = 8;  ///< For which a tile would be mostly empty.

/// Copies to padded planes.
template <typename T>
Status toPlanes(CudaDevice& d, const T* x, T* planes, const ImageLayout& layout) {
  const ImageLayout l = layout;
  if (l.channelsFirst || l.channels < kFewChannels) {
    return forEach(d, l.planeElements(), [=] __device__(int64_t i) {
      const int64_t at = l.source(i % l.padded), plane = i / l.padded;
      const int64_t from = l.channelsFirst ? plane * l.places + at : (plane / l.channels * l.places + at) * l.channels + plane % l.channels;
      planes[i] = at < 0 ? T(0) : x[from];
    });
  }
  const int64_t across = (l.channels + kTile - 1) / kTile, along = (l.padded + kTile - 1) / kTile;
  return forEachBlock(d, l.images * across * along, [=] __device__(int64_t block) {
    WEFT_SHARED(T, tile, kTile * (kTile + 1));
    const int64_t channel = block % across * kTile, place = block / across % along * kTile, image = block / across / along;
    const int lane = int(threadIdx.x) % kTile, row = int(threadIdx.x) / kTile;
    for (int k = row; k < kTile; k += kThreads / kTile) {
      const int64_t at = place + k < l.padded ? l.source(place + k) : -1, c = channel + lane;
      tile[k * (kTile + 1) + lane] = at < 0 || c >= l.channels ? T(0) : x[(image * l.places + at) * l.channels + c];
    }
    __syncthreads();
    for (int k = row; k < kTile; k += kThreads / kTile) {
      if (channel + k < l.channels && place + lane < l.padded) {
        planes[(image * l.channels + channel + k) * l.padded + place + lane] = tile[lane * (kTile + 1) + k];
      }
    }
  });
}

/// Copies back from padded planes.
template <typename T>
Status fromPlanes(CudaDevice& d, const T* planes, T* out, const ImageLayout& layout) {
  const ImageLayout l = layout;
  if (l.channelsFirst || l.channels < kFewChannels) {
    return forEach(d, l.images * l.channels * l.places, [=] __device__(int64_t i) {
      const int64_t place = l.channelsFirst ? i % l.places : i / l.channels % l.places;
      const int64_t plane = l.channelsFirst ? i / l.places : i / (l.channels * l.places) * l.channels + i % l.channels;
      out[i] = planes[plane * l.padded + l.target(place)];
    });
  }
  const int64_t across = (l.channels + kTile - 1) / kTile, along = (l.places + kTile - 1) / kTile;
  return forEachBlock(d, l.images * across * along, [=] __device__(int64_t block) {
    WEFT_SHARED(T, tile, kTile * (kTile + 1));
    const int64_t channel = block % across * kTile, place = block / across % along * kTile, image = block / across / along;
    const int lane = int(threadIdx.x) % kTile, row = int(threadIdx.x) / kTile;
    for (int k = row; k < kTile; k += kThreads / kTile) {
      const bool inside = channel + k < l.channels && place + lane < l.places;
      tile[k * (kTile + 1) + lane] = inside ? planes[(image * l.channels + channel + k) * l.padded + l.target(place + lane)] : T(0);
    }
    __syncthreads();
    for (int k = row; k < kTile; k += kThreads / kTile) {
      if (place + k < l.places && channel + lane < l.channels) {
        out[(image * l.places + place + k) * l.channels + channel + lane] = tile[lane * (kTile + 1) + k];
      }
    }
  });
}

/// [a, b, c] -> [c, b, a]: filters from HWIO (a = H·W) to OIHW, and back.
template <typename T>
Status reverseFilter(CudaDevice& d, const T* x, T* out, int64_t a, int64_t b, int64_t c) {
  return forEach(d, a * b * c, [=] __device__(int64_t i) { out[i] = x[(i % a * b + i / a % b) * c + i / a / b]; });
}

template <typename T>
constexpr cudnnDataType_t kDnnType = CUDNN_DATA_FLOAT;
template <>
constexpr cudnnDataType_t kDnnType<Half> = CUDNN_DATA_HALF;
template <>
constexpr cudnnDataType_t kDnnType<double> = CUDNN_DATA_DOUBLE;

inline ImageLayout layoutOf(const ConvolutionShape& g, bool ofOutput) {
  ImageLayout l;
  l.images = g.batch, l.channels = ofOutput ? g.out : g.in, l.channelsFirst = g.channelsFirst;
  for (int i = 0; i < 3; ++i) {
    const ConvolutionAxis& a = g.axes[i];
    l.size[i] = ofOutput ? a.out : a.size;
    l.before[i] = ofOutput ? 0 : a.extraBefore;
    l.paddedSize[i] = ofOutput ? a.out : a.padded();
    l.places *= l.size[i];
    l.padded *= l.paddedSize[i];
  }
  return l;
}

/// Computes `target`, which is that of x, filter and y that `direction` names, from the two others. REQUIRES: none is empty.
template <typename T>
Status convolution(CudaDevice& d, cpu::ConvDirection direction, const ConvolutionShape& g, const Tensor& x, const Tensor& filter, const Tensor& y,
                   Tensor& target) {
  WEFT_TRY(g.check());
  const bool ofOutput = direction == cpu::ConvDirection::Output, ofInput = direction == cpu::ConvDirection::Input,
             ofFilter = direction == cpu::ConvDirection::Filter;
  const ImageLayout in = layoutOf(g, false), out = layoutOf(g, true);
  Tensor rooms[3];  // copies in cuDNN's order
  T* to = mutableDataOf<T>(target);
  const auto planes = [&](const Tensor& t, const ImageLayout& l, Tensor& room, bool isTarget) -> Result<T*> {
    if (l.isPlanes()) return isTarget ? to : const_cast<T*>(dataOf<T>(t));
    WEFT_LET(room, scratch(d, size_t(l.planeElements()) * sizeof(T)));
    T* copy = static_cast<T*>(room.mutableRaw());
    if (!isTarget) WEFT_TRY(toPlanes(d, dataOf<T>(t), copy, l));
    return copy;
  };
  WEFT_LET(T* const xPlanes, planes(x, in, rooms[0], ofInput));
  WEFT_LET(T* const yPlanes, planes(y, out, rooms[1], ofOutput));
  WEFT_LET(rooms[2], scratch(d, size_t(filter.elements()) * sizeof(T)));
  T* const weights = static_cast<T*>(rooms[2].mutableRaw());
  if (!ofFilter) WEFT_TRY(reverseFilter(d, dataOf<T>(filter), weights, g.window(), g.in, g.out));
  WEFT_TRY(runConvolution(d, direction, g, kDnnType<T>, xPlanes, weights, yPlanes));
  if (ofFilter) return reverseFilter(d, weights, to, g.out, g.in, g.window());
  if (ofInput) return in.isPlanes() ? Status() : fromPlanes(d, xPlanes, to, in);
  return out.isPlanes() ? Status() : fromPlanes(d, yPlanes, to, out);
}

}  // namespace weft::cuda
