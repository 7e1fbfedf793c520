#pragma once

#include <algorithm>
#include <cstdint>

#include "device/cuda/launch.cuh"

// Sums over all elements of a channel, in a fixed order, so that they are the same in every run.
namespace weft::cuda {

/// A tensor as [outer, channels, inner].
struct Channels {
  int64_t outer = 1, channels = 1, inner = 1;
  __host__ __device__ int64_t rows() const { return outer * inner; }  ///< Elements of a channel.
  __device__ int64_t at(int64_t row, int64_t channel) const { return (row / inner * channels + channel) * inner + row % inner; }
  __device__ int64_t channelOf(int64_t i) const { return i / inner % channels; }
};

/// K sums that are made together.
template <int K, typename W>
struct Sums {
  W v[K] = {};
  __device__ friend Sums operator+(Sums a, const Sums& b) {
    for (int k = 0; k < K; ++k) a.v[k] += b.v[k];
    return a;
  }
};

/// Calls finish(channel, sums) for each channel, where the sums are those of of(element, channel). Both are functors for device code.
template <int K, typename W, typename F, typename G>
Status channelSums(CudaDevice& d, const Channels& shape, F of, G finish) {
  using S = Sums<K, W>;
  const Channels c = shape;
  if (c.channels == 0) return {};
  constexpr int kRows = kThreads / kWarp;
  const int64_t rows = c.rows(), parts = std::clamp<int64_t>(rows / 1024, 1, 128), per = (rows + parts - 1) / parts;
  WEFT_LET(Tensor room, scratch(d, size_t(parts * c.channels) * sizeof(S)));
  S* partial = static_cast<S*>(room.mutableRaw());
  if (c.inner == 1) {  // neighbouring threads take neighbouring channels
    const int64_t groups = (c.channels + kWarp - 1) / kWarp;
    WEFT_TRY(forEachBlock(d, parts * groups, [=] __device__(int64_t block) {
      WEFT_SHARED(W, own, kThreads);
      const int64_t part = block / groups, channel = block % groups * kWarp + threadIdx.x % kWarp;
      S sum;
      if (channel < c.channels) {
        for (int64_t r = part * per + threadIdx.x / kWarp; r < rows && r < (part + 1) * per; r += kRows) sum = sum + of(r * c.channels + channel, channel);
      }
      for (int k = 0; k < K; ++k) {
        own[threadIdx.x] = sum.v[k];
        __syncthreads();
        if (threadIdx.x < kWarp) {
          for (int row = 1; row < kRows; ++row) sum.v[k] += own[row * kWarp + threadIdx.x];
        }
        __syncthreads();
      }
      if (threadIdx.x < kWarp && channel < c.channels) partial[part * c.channels + channel] = sum;
    }));
  } else {
    WEFT_TRY(forEachBlock(d, parts * c.channels, [=] __device__(int64_t block) {
      WEFT_SHARED(W, own, kThreads);
      const int64_t part = block / c.channels, channel = block % c.channels;
      S sum;
      for (int64_t r = part * per + threadIdx.x; r < rows && r < (part + 1) * per; r += kThreads) sum = sum + of(c.at(r, channel), channel);
      for (int k = 0; k < K; ++k)
        sum.v[k] = acrossBlock(
            sum.v[k], [](W a, W b) { return a + b; }, own);
      if (threadIdx.x == 0) partial[block] = sum;
    }));
  }
  return forEach(d, c.channels, [=] __device__(int64_t channel) {
    S sum;
    for (int64_t part = 0; part < parts; ++part) sum = sum + partial[part * c.channels + channel];
    finish(channel, sum);
  });
}

}  // namespace weft::cuda
