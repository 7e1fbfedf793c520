#pragma once

#include <algorithm>

#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"

// Updates of rows at given places, of which several may be the same. The updates of a row happen one after the other, in order, as on the CPU: with atomic
// additions, sums of floats would differ from run to run.
namespace weft::cuda {

constexpr uint32_t kNowhere = 0xffffffffu;  ///< The place of an update that is dropped.

namespace rows {

constexpr int kEach = 8, kTile = kThreads * kEach, kDigits = 16, kDigitBits = 4;
constexpr int64_t kSearched = 512;  ///< Up to so many places are compared with each other; more are sorted.

/// Shared memory of a block that sorts a tile.
struct TileRoom {
  uint32_t *table, *sums, *starts;  ///< kDigits * kThreads, kThreads, and kDigits numbers.
};

/// Makes each number of table the sum of those before it, for `n` numbers; each thread has n / kThreads neighbours. Returns nothing that differs by order.
__device__ inline void sumBefore(uint32_t* table, int64_t n, uint32_t* sums) {
  const int64_t per = (n + kThreads - 1) / kThreads, begin = threadIdx.x * per, end = begin + per < n ? begin + per : n;
  uint32_t sum = 0;
  for (int64_t i = begin; i < end; ++i) sum += table[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned by = 1; by < kThreads; by *= 2) {
    const uint32_t other = threadIdx.x >= by ? sums[threadIdx.x - by] : 0;
    __syncthreads();
    sums[threadIdx.x] += other;
    __syncthreads();
  }
  uint32_t before = sums[threadIdx.x] - sum;
  for (int64_t i = begin; i < end; ++i) {
    const uint32_t here = table[i];
    table[i] = before;
    before += here;
  }
  __syncthreads();
}

/// Moves one tile of keys to their places by one digit; keys with the same digit keep their order. `starts`: where the tile's keys with digit d go, at
/// starts[d * step]; null: the tile is alone.
__device__ inline void moveTile(const uint32_t* keys, const uint32_t* order, uint32_t* toKeys, uint32_t* toOrder, int64_t first, int64_t count, int shift,
                                const uint32_t* starts, int64_t step, TileRoom room) {
  const int64_t begin = first + int64_t(threadIdx.x) * kEach, end = begin + kEach < count ? begin + kEach : count;
  for (int d = 0; d < kDigits; ++d) room.table[d * kThreads + threadIdx.x] = 0;
  for (int64_t i = begin; i < end; ++i) ++room.table[(keys[i] >> shift & (kDigits - 1)) * kThreads + threadIdx.x];
  __syncthreads();
  sumBefore(room.table, kDigits * kThreads, room.sums);
  if (threadIdx.x < kDigits) room.starts[threadIdx.x] = room.table[threadIdx.x * kThreads];
  __syncthreads();
  for (int64_t i = begin; i < end; ++i) {
    const uint32_t d = keys[i] >> shift & (kDigits - 1);
    const uint32_t at = room.table[d * kThreads + threadIdx.x]++;
    const int64_t to = starts ? int64_t(starts[d * step]) + at - room.starts[d] : at;
    toKeys[to] = keys[i];
    toOrder[to] = order[i];
  }
  __syncthreads();
}

}  // namespace rows

/// Keys in ascending order and where each was before. Equal keys keep their order.
struct SortedKeys {
  Tensor memory;
  const uint32_t* keys = nullptr;
  uint32_t* order = nullptr;
};

/// Sorts by a radix sort of the lower `bits` bits. UNIMPLEMENTED from 2^32 keys on.
inline Result<SortedKeys> sortKeys(CudaDevice& d, const uint32_t* keys, int64_t count, int bits) {
  using namespace rows;
  if (count >= int64_t(kNowhere)) return unimplemented("GPUs sort fewer than 2^32 keys, got ", count);
  const int64_t tiles = (count + kTile - 1) / kTile;
  SortedKeys sorted;
  WEFT_LET(sorted.memory, scratch(d, size_t(4 * count + kDigits * tiles) * sizeof(uint32_t)));
  auto* memory = static_cast<uint32_t*>(sorted.memory.mutableRaw());
  uint32_t *from = memory, *to = memory + 2 * count, *counts = memory + 4 * count;
  uint32_t *const firstFrom = from, *const firstTo = to;
  const int passes = std::max(1, (bits + kDigitBits - 1) / kDigitBits);
  WEFT_TRY(forEach(d, count, [=] __device__(int64_t i) {
    firstFrom[i] = keys[i];
    firstFrom[count + i] = uint32_t(i);
  }));
  if (tiles == 1) {
    WEFT_TRY(forEachBlock(d, 1, [=] __device__(int64_t) {
      WEFT_SHARED(uint32_t, table, kDigits * kThreads);
      WEFT_SHARED(uint32_t, sums, kThreads);
      WEFT_SHARED(uint32_t, starts, kDigits);
      uint32_t *a = firstFrom, *b = firstTo;
      for (int p = 0; p < passes; ++p) {
        moveTile(a, a + count, b, b + count, 0, count, p * kDigitBits, nullptr, 0, TileRoom{table, sums, starts});
        uint32_t* const last = a;
        a = b;
        b = last;
      }
    }));
    if (passes % 2) std::swap(from, to);
  } else {
    for (int p = 0; p < passes; ++p) {
      const int shift = p * kDigitBits;
      uint32_t *const a = from, *const b = to;
      WEFT_TRY(forEachBlock(d, tiles, [=] __device__(int64_t tile) {
        WEFT_SHARED(uint32_t, found, kDigits);
        if (threadIdx.x < kDigits) found[threadIdx.x] = 0;
        __syncthreads();
        for (int64_t k = threadIdx.x; k < kTile; k += kThreads) {
          const int64_t i = tile * kTile + k;
          if (i < count) atomicAdd(&found[a[i] >> shift & (kDigits - 1)], 1u);
        }
        __syncthreads();
        if (threadIdx.x < kDigits) counts[threadIdx.x * tiles + tile] = found[threadIdx.x];
      }));
      WEFT_TRY(forEachBlock(d, 1, [=] __device__(int64_t) {
        WEFT_SHARED(uint32_t, sums, kThreads);
        sumBefore(counts, kDigits * tiles, sums);
      }));
      WEFT_TRY(forEachBlock(d, tiles, [=] __device__(int64_t tile) {
        WEFT_SHARED(uint32_t, table, kDigits * kThreads);
        WEFT_SHARED(uint32_t, sums, kThreads);
        WEFT_SHARED(uint32_t, starts, kDigits);
        const int64_t first = tile * kTile, end = first + kTile < count ? first + kTile : count;
        moveTile(a, a + count, b, b + count, first, end, shift, counts + tile, tiles, TileRoom{table, sums, starts});
      }));
      std::swap(from, to);
    }
  }
  sorted.keys = from;
  sorted.order = from + count;
  return sorted;
}

/// The row of each update, in device memory.
struct Places {
  Tensor memory;
  uint32_t* at = nullptr;
};
/// Room for the places of `count` updates of `rows` rows. UNIMPLEMENTED for 2^32 rows or more.
inline Result<Places> placesFor(CudaDevice& d, int64_t count, int64_t rows) {
  if (rows >= int64_t(kNowhere)) return unimplemented("Fewer than 2^32 rows can be updated by index on a GPU, got ", rows);
  Places p;
  WEFT_LET(p.memory, scratch(d, size_t(std::max<int64_t>(1, count)) * sizeof(uint32_t)));
  p.at = static_cast<uint32_t*>(p.memory.mutableRaw());
  return p;
}

/// out[row][k] = join(out[row][k], value(i, k)) for each update i of `row`, in order, if places are in ascending order. One thread per update and column goes on
/// if the update is its row's first. `fresh`: the first update sets the element.
template <typename T, typename Value, typename Join>
Status joinSortedRows(CudaDevice& d, const uint32_t* places, const uint32_t* order, int64_t count, int64_t width, int64_t stride, T* out, Value value,
                      Join join, bool fresh = false) {
  return forEach(d, count * width, [=] __device__(int64_t t) {
    const int64_t first = t / width, k = t - first * width;
    const uint32_t row = places[first];
    if (row == kNowhere || (first > 0 && places[first - 1] == row)) return;
    const int64_t at = int64_t(row) * stride + k;
    int64_t i = first;
    T sum = fresh ? value(order ? order[i++] : i++, k) : out[at];
    for (; i < count && places[i] == row; ++i) sum = join(sum, value(order ? order[i] : i, k));
    out[at] = sum;
  });
}

/// As joinSortedRows(), for places in any order, below `rows` or kNowhere. `width` elements of each row are changed, from its start on.
template <typename T, typename Value, typename Join>
Status joinRows(CudaDevice& d, const uint32_t* places, int64_t count, int64_t rows, int64_t width, int64_t stride, T* out, Value value, Join join) {
  if (count == 0 || width == 0) return {};
  if (count <= rows::kSearched) {
    return forEach(d, count * width, [=] __device__(int64_t t) {
      const int64_t first = t / width, k = t - first * width;
      const uint32_t row = places[first];
      if (row == kNowhere) return;
      for (int64_t i = 0; i < first; ++i) {
        if (places[i] == row) return;
      }
      const int64_t at = int64_t(row) * stride + k;
      T sum = out[at];
      for (int64_t i = first; i < count; ++i) {
        if (places[i] == row) sum = join(sum, value(i, k));
      }
      out[at] = sum;
    });
  }
  // Dropped updates come last: in the bits that are sorted, kNowhere is not below any row.
  int bits = 1;
  while (bits < 32 && (int64_t(1) << bits) <= rows) ++bits;
  WEFT_LET(const SortedKeys sorted, sortKeys(d, places, count, bits));
  return joinSortedRows(d, sorted.keys, sorted.order, count, width, stride, out, value, join);
}

}  // namespace weft::cuda
