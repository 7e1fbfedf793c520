#include "device/cuda/row_groups.cuh"
#include "ops/ordering.h"

// The k largest elements of rows, and positions in sorted lists.
namespace weft::cuda {
namespace {

constexpr int kMostSelected = 1024;  ///< Up to so many elements of a row are selected by one block; for more, whole rows are sorted.

template <typename T>
using KeyOf = std::conditional_t<sizeof(Wide<T>) == 8, uint64_t, uint32_t>;

/// A number that is smaller for larger elements; equal ones, such as 0 and -0, have the same.
template <typename T>
__device__ KeyOf<T> descendingKey(T element) {
  using K = KeyOf<T>;
  using W = Wide<T>;
  constexpr K kTop = K(1) << (8 * sizeof(K) - 1);
  if constexpr (std::is_integral_v<T> && std::is_unsigned_v<T>) {
    return K(~K(element));
  } else if constexpr (std::is_integral_v<T>) {
    return K(~(K(std::conditional_t<sizeof(K) == 8, int64_t, int32_t>(element)) ^ kTop));
  } else {
    const W v = W(element) + W(0);
    K bits;
    memcpy(&bits, &v, sizeof bits);
    return bits & kTop ? bits : K(~bits & K(~kTop));
  }
}

/// Which elements are selected: those with a smaller key than `key`, and those with that key up to position `at`.
template <typename K>
struct Limit {
  K key;
  int64_t at;
};

/// Of the numbers that `digit(i)` gives for i in [0, n), or -1, finds the one in which the sum of counts reaches `wanted`; `before` gets the count of smaller ones.
/// All threads of a block call it.
template <typename F>
__device__ int digitAt(int64_t n, int64_t wanted, F digit, uint32_t* counts, uint32_t* answer, int64_t* before, int64_t* inDigit) {
  counts[threadIdx.x] = 0;
  __syncthreads();
  for (int64_t i = threadIdx.x; i < n; i += kThreads) {
    const int d = digit(i);
    if (d >= 0) atomicAdd(&counts[d], 1u);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    uint32_t sum = 0;
    int d = 0;
    while (d < 255 && int64_t(sum) + counts[d] < wanted) sum += counts[d++];
    answer[0] = uint32_t(d);
    answer[1] = sum;
    answer[2] = counts[d];
  }
  __syncthreads();
  const int found = int(answer[0]);
  *before = answer[1];
  *inDigit = answer[2];
  __syncthreads();
  return found;
}

/// The limit that selects exactly k of n elements, by digits of the keys and then of the positions.
template <typename T>
__device__ Limit<KeyOf<T>> limitOf(const T* row, int64_t n, int64_t k, uint32_t* counts, uint32_t* answer) {
  using K = KeyOf<T>;
  constexpr int kBits = 8 * int(sizeof(K));
  K prefix = 0;
  int64_t wanted = k, before = 0, inDigit = 0;
  for (int shift = kBits - 8; shift >= 0; shift -= 8) {
    const auto digit = [=](int64_t i) {
      const K key = descendingKey(row[i]);
      return shift + 8 < kBits && key >> (shift + 8) != prefix ? -1 : int(key >> shift & 255);
    };
    const int d = digitAt(n, wanted, digit, counts, answer, &before, &inDigit);
    prefix = K((shift + 8 < kBits ? K(prefix << 8) : K(0)) | K(d));
    wanted -= before;
    if (inDigit == wanted) return {K(shift ? K(prefix << shift) | K((K(1) << shift) - 1) : prefix), n};
  }
  int64_t at = 0;
  for (int shift = 24; shift >= 0; shift -= 8) {
    const int64_t high = at;
    const auto digit = [=](int64_t i) { return descendingKey(row[i]) != prefix || i >> (shift + 8) != high ? -1 : int(i >> shift & 255); };
    const int d = digitAt(n, wanted, digit, counts, answer, &before, &inDigit);
    at = high << 8 | d;
    wanted -= before;
    if (inDigit == wanted) return {prefix, shift ? at << shift | ((int64_t(1) << shift) - 1) : at};
  }
  return {prefix, at};
}

/// One block per row: finds the limit, collects what it selects in any order, and puts each element where its rank says.
template <typename T>
Status selectByBlocks(CudaDevice& d, const T* x, int64_t rows, int64_t n, int64_t k, T* values, int32_t* indices) {
  return forEachBlock(d, rows, [=] __device__(int64_t r) {
    WEFT_SHARED(uint32_t, counts, kThreads);
    WEFT_SHARED(uint32_t, answer, 4);
    WEFT_SHARED(KeyOf<T>, keys, kMostSelected);
    WEFT_SHARED(int32_t, places, kMostSelected);
    const T* row = x + r * n;
    Limit<KeyOf<T>> limit{0, n};
    if (k < n) limit = limitOf(row, n, k, counts, answer);
    if (threadIdx.x == 0) answer[3] = 0;
    __syncthreads();
    for (int64_t i = threadIdx.x; i < n; i += kThreads) {
      const KeyOf<T> key = descendingKey(row[i]);
      if (k < n && (key > limit.key || (key == limit.key && i > limit.at))) continue;
      const uint32_t slot = atomicAdd(&answer[3], 1u);
      keys[slot] = key;
      places[slot] = int32_t(i);
    }
    __syncthreads();
    for (int64_t s = threadIdx.x; s < k; s += kThreads) {
      int64_t rank = 0;
      for (int64_t o = 0; o < k; ++o) rank += keys[o] < keys[s] || (keys[o] == keys[s] && places[o] < places[s]);
      indices[r * k + rank] = places[s];
      values[r * k + rank] = row[places[s]];
    }
  });
}

/// order[i] = earlier[order[i]]: where the elements were before two sorts.
Status chained(CudaDevice& d, int64_t count, const uint32_t* earlier, uint32_t* order) {
  return forEach(d, count, [=] __device__(int64_t i) { order[i] = earlier[order[i]]; });
}

/// Sorts all elements by their keys, then by their rows; each sort keeps the order of the last.
template <typename T>
Status selectBySorting(CudaDevice& d, const T* x, int64_t rows, int64_t n, int64_t k, T* values, int32_t* indices) {
  const int64_t count = rows * n;
  if (count >= int64_t(kNowhere)) return unimplemented("GPUs sort fewer than 2^32 elements, got ", count);
  WEFT_LET(Tensor memory, scratch(d, size_t(count) * sizeof(uint32_t)));
  auto* keys = static_cast<uint32_t*>(memory.mutableRaw());
  SortedKeys sorted;
  constexpr int kParts = int(sizeof(KeyOf<T>) / 4);
  for (int part = 0; part < kParts; ++part) {
    const uint32_t* last = sorted.order;
    WEFT_TRY(forEach(d, count, [=] __device__(int64_t i) { keys[i] = uint32_t(descendingKey(x[last ? last[i] : i]) >> (32 * part)); }));
    WEFT_LET(SortedKeys next, sortKeys(d, keys, count, 32));
    if (last) WEFT_TRY(chained(d, count, last, next.order));
    sorted = std::move(next);
  }
  if (rows > 1) {
    int bits = 1;
    while (bits < 32 && (int64_t(1) << bits) < rows) ++bits;
    const uint32_t* last = sorted.order;
    WEFT_TRY(forEach(d, count, [=] __device__(int64_t i) { keys[i] = uint32_t(last[i] / n); }));
    WEFT_LET(SortedKeys next, sortKeys(d, keys, count, bits));
    WEFT_TRY(chained(d, count, last, next.order));
    sorted = std::move(next);
  }
  const uint32_t* order = sorted.order;
  return forEach(d, rows * k, [=] __device__(int64_t i) {
    const int64_t r = i / k, from = order[r * n + i % k];
    indices[i] = int32_t(from - r * n);
    values[i] = x[from];
  });
}

template <typename T>
Status runTopK(KernelContext& c) {
  WEFT_LET(const TopKShape s, topKShapeOf(c));
  WEFT_LET(Tensor * values, c.allocate(0, s.out));
  WEFT_LET(Tensor * indices, c.allocate(1, s.out));
  if (s.out.elements() == 0) return {};
  const auto run = s.k <= kMostSelected ? selectByBlocks<T> : selectBySorting<T>;
  return run(deviceOf(c), input<T>(c, 0), s.rows, s.columns, s.k, mutableDataOf<T>(*values), mutableDataOf<int32_t>(*indices));
}

// ---- LowerBound, UpperBound

template <typename T, bool kUpper, typename I>
Status findBounds(CudaDevice& d, const Tensor& sorted, const Tensor& values, Tensor& out) {
  const int64_t n = sorted.dim(1), m = values.dim(1);
  const T *from = dataOf<T>(sorted), *wanted = dataOf<T>(values);
  I* to = mutableDataOf<I>(out);
  return forEach(d, values.elements(), [=] __device__(int64_t i) {
    const T* row = from + i / m * n;
    const Wide<T> v = Wide<T>(wanted[i]);
    int64_t low = 0, count = n;
    while (count > 0) {
      const int64_t half = count / 2;
      const Wide<T> at = Wide<T>(row[low + half]);
      const bool later = kUpper ? !(v < at) : at < v;
      if (later) low += half + 1;
      count = later ? count - half - 1 : half;
    }
    to[i] = I(low);
  });
}

template <typename T, bool kUpper>
Status runBound(KernelContext& c) {
  const Tensor &sorted = c.input(0), &values = c.input(1);
  if (sorted.rank() < 2 || values.rank() < 2) return invalidArgument("Shape must be rank 2 but is rank ", std::min(sorted.rank(), values.rank()));
  if (sorted.dim(0) != values.dim(0)) return invalidArgument("Leading dim_size of both tensors must match.");
  WEFT_LET(Tensor * out, c.allocate(0, values.shape()));
  CudaDevice& d = deviceOf(c);
  return out->dtype() == DType::Int32 ? findBounds<T, kUpper, int32_t>(d, sorted, values, *out) : findBounds<T, kUpper, int64_t>(d, sorted, values, *out);
}

template <bool kUpper>
void addBound(OpRegistry& ops, const char* op) {
  addFor<Half, BFloat16, float, double, int8_t, uint8_t, int16_t, uint16_t, int32_t, int64_t>(
      ops, op, []<typename T>(KernelContext& c) { return runBound<T, kUpper>(c); });
}

}  // namespace

void registerOrderingGpu(OpRegistry& ops) {
  addFor<Half, float, double, int8_t, uint8_t, int16_t, uint16_t, int32_t, int64_t>(ops, "TopK", []<typename T>(KernelContext& c) { return runTopK<T>(c); });
  addFor<Half, float, double, int8_t, uint8_t, int16_t, uint16_t, int32_t, int64_t>(ops, "TopKV2", []<typename T>(KernelContext& c) { return runTopK<T>(c); },
                                                                                    {"k"});
  addBound<false>(ops, "LowerBound");
  addBound<true>(ops, "UpperBound");
}

}  // namespace weft::cuda
