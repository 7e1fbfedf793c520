#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"

// Moves of elements within device memory: boxes of any strides, pieces of rows, zeros.
namespace weft::cuda {
namespace {

constexpr int kMostBoxDims = 12;  ///< After joining neighbours.
constexpr int kTile = 32;

struct BoxDim {
  int64_t size, from, to;
};

/// Sorts the dims by their order in the target, and joins those that are neighbours on both sides. False if there is nothing to move.
bool simplify(const cpu::BoxCopy& box, std::vector<BoxDim>& dims) {
  for (size_t d = 0; d < box.size.size(); ++d) {
    if (box.size[d] == 0) return false;
    if (box.size[d] > 1) dims.push_back({box.size[d], box.from[d], box.to[d]});
  }
  std::stable_sort(dims.begin(), dims.end(), [](const BoxDim& a, const BoxDim& b) { return std::abs(a.to) > std::abs(b.to); });
  size_t kept = 0;
  for (const BoxDim& d : dims) {
    if (kept > 0 && dims[kept - 1].from == d.from * d.size && dims[kept - 1].to == d.to * d.size) {
      dims[kept - 1] = {dims[kept - 1].size * d.size, d.from, d.to};
    } else {
      dims[kept++] = d;
    }
  }
  dims.resize(kept);
  return true;
}

/// Doubles the size of elements as long as rows and addresses allow it; returns the new size.
size_t widen(std::vector<BoxDim>& dims, size_t size, const void* source, const void* target) {
  if (dims.empty() || dims.back().from != 1 || dims.back().to != 1) return size;
  const auto address = reinterpret_cast<uintptr_t>(source) | reinterpret_cast<uintptr_t>(target);
  while (size < 16 && address % (2 * size) == 0 && dims.back().size % 2 == 0 &&
         std::all_of(dims.begin(), dims.end() - 1, [](const BoxDim& d) { return d.from % 2 == 0 && d.to % 2 == 0; })) {
    for (BoxDim& d : dims) {
      if (&d == &dims.back()) continue;
      d.from /= 2;
      d.to /= 2;
    }
    dims.back().size /= 2;
    size *= 2;
  }
  return size;
}

template <typename F>
Status forBytes(size_t size, F f) {
  switch (size) {
    case 1: return f.template operator()<uint8_t>();
    case 2: return f.template operator()<uint16_t>();
    case 4: return f.template operator()<uint32_t>();
    case 8: return f.template operator()<uint64_t>();
    default: return f.template operator()<Complex128>();
  }
}

/// Places of element i of a box; I is the type for divisions, the dearest part.
template <typename I>
struct BoxPlaces {
  int rank = 0;
  I size[kMostBoxDims] = {};
  int64_t from[kMostBoxDims] = {}, to[kMostBoxDims] = {};
  explicit BoxPlaces(const std::vector<BoxDim>& dims) : rank(int(dims.size())) {
    for (size_t d = 0; d < dims.size(); ++d) {
      size[d] = I(dims[d].size);
      from[d] = dims[d].from;
      to[d] = dims[d].to;
    }
  }
  __device__ void at(I i, int64_t& source, int64_t& target) const {
    source = target = 0;
    for (int d = rank - 1; d >= 0; --d) {
      const I k = d > 0 ? i % size[d] : i;
      source += int64_t(k) * from[d];
      target += int64_t(k) * to[d];
      if (d > 0) i /= size[d];
    }
  }
};

template <typename T, typename I>
Status moveElements(CudaDevice& d, const std::vector<BoxDim>& dims, int64_t n, const T* from, T* to) {
  const BoxPlaces<I> places(dims);
  return forEach(d, n, [=] __device__(int64_t i) {
    int64_t source, target;
    places.at(I(i), source, target);
    to[target] = from[source];
  });
}

/// A transposition: neighbours in the source, along dim `a`, are not neighbours in the target. Tiles pass through shared memory, so that both sides are
/// accessed in order.
template <typename T>
Status moveTiles(CudaDevice& d, std::vector<BoxDim> dims, size_t a, const T* from, T* to) {
  const BoxDim along = dims[a], across = dims.back();
  dims.pop_back();
  dims.erase(dims.begin() + int64_t(a));
  int64_t others = 1;
  for (const BoxDim& x : dims) others *= x.size;
  const BoxPlaces<int64_t> places(dims);
  const int64_t columns = (along.size + kTile - 1) / kTile, rows = (across.size + kTile - 1) / kTile;
  return forEachBlock(d, others * rows * columns, [=] __device__(int64_t block) {
    WEFT_SHARED(T, tile, kTile * (kTile + 1));
    int64_t source, target;
    places.at(block / (rows * columns), source, target);
    const int64_t first = block % columns * kTile, top = block / columns % rows * kTile;
    const int x = int(threadIdx.x) % kTile;
    for (int y = int(threadIdx.x) / kTile; y < kTile; y += kThreads / kTile) {
      if (first + x < along.size && top + y < across.size) tile[y * (kTile + 1) + x] = from[source + (top + y) * across.from + first + x];
    }
    __syncthreads();
    for (int y = int(threadIdx.x) / kTile; y < kTile; y += kThreads / kTile) {
      if (first + y < along.size && top + x < across.size) to[target + (first + y) * along.to + top + x] = tile[x * (kTile + 1) + y];
    }
  });
}

Status moveDims(CudaDevice& d, size_t size, std::vector<BoxDim> dims, const void* source, void* target) {
  size = widen(dims, size, source, target);
  int64_t n = 1;
  for (const BoxDim& x : dims) n *= x.size;
  if (dims.size() > kMostBoxDims) {  // one box after another
    const BoxDim outer = dims.front();
    dims.erase(dims.begin());
    for (int64_t i = 0; i < outer.size; ++i) {
      WEFT_TRY(moveDims(d, size, dims, cpu::offsetBy(source, i * outer.from, size), cpu::offsetBy(target, i * outer.to, size)));
    }
    return {};
  }
  if (dims.empty() || (dims.size() == 1 && dims[0].from == 1 && dims[0].to == 1)) {
    return check(cudaMemcpyAsync(target, source, size_t(n) * size, cudaMemcpyDeviceToDevice, d.stream()), "copy");
  }
  constexpr int64_t kSmallest = 8;  // dims that are worth a tile
  size_t along = 0;
  while (along < dims.size() && dims[along].from != 1) ++along;
  const bool tiles = along + 1 < dims.size() && dims.back().to == 1 && dims[along].size >= kSmallest && dims.back().size >= kSmallest;
  return forBytes(size, [&]<typename T>() {
    const T* from = static_cast<const T*>(source);
    T* to = static_cast<T*>(target);
    if (tiles) return moveTiles(d, dims, along, from, to);
    return n <= INT32_MAX ? moveElements<T, uint32_t>(d, dims, n, from, to) : moveElements<T, int64_t>(d, dims, n, from, to);
  });
}

constexpr int kMostPieces = 32;  ///< Of one launch.

template <typename T>
struct PieceList {
  int count = 0;
  int64_t width = 0, start[kMostPieces] = {}, fromStride[kMostPieces] = {}, toStride[kMostPieces] = {};
  const T* from[kMostPieces] = {};
  T* to[kMostPieces] = {};
};

template <typename T>
Status movePiecesOf(CudaDevice& d, std::span<const Pieces> all, int64_t scale, int64_t rows) {
  PieceList<T> list;
  for (const Pieces& p : all) {
    if (p.length == 0) continue;
    const int k = list.count++;
    list.start[k] = list.width;
    list.width += p.length / scale;
    list.fromStride[k] = p.fromStride / scale;
    list.toStride[k] = p.toStride / scale;
    list.from[k] = static_cast<const T*>(p.from);
    list.to[k] = static_cast<T*>(p.to);
  }
  return forEach(d, list.width * rows, [=] __device__(int64_t i) {
    const int64_t row = i / list.width, column = i % list.width;
    int k = 0, end = list.count;  // the last piece that starts at or before the column
    while (end - k > 1) {
      const int middle = (k + end) / 2;
      if (list.start[middle] <= column) k = middle;
      else end = middle;
    }
    const int64_t at = column - list.start[k];
    list.to[k][row * list.toStride[k] + at] = list.from[k][row * list.fromStride[k] + at];
  });
}

template <typename C>
Status conjugateAll(CudaDevice& d, C* x, int64_t n) {
  return forEach(d, n, [=] __device__(int64_t i) { x[i].im = -x[i].im; });
}

}  // namespace

Status CudaDevice::moveBox(DType type, const cpu::BoxCopy& box, const void* source, void* target) {
  std::vector<BoxDim> dims;
  return simplify(box, dims) ? moveDims(*this, sizeOf(type), std::move(dims), source, target) : Status();
}

Status CudaDevice::movePieces(DType type, std::span<const Pieces> all, int64_t rows) {
  for (size_t first = 0; first < all.size(); first += kMostPieces) {
    const auto some = all.subspan(first, std::min<size_t>(kMostPieces, all.size() - first));
    const size_t size = sizeOf(type);
    int64_t scale = 1;
    const auto divides = [&](int64_t by) {
      return std::all_of(some.begin(), some.end(), [&](const Pieces& p) {
        const auto address = reinterpret_cast<uintptr_t>(p.from) | reinterpret_cast<uintptr_t>(p.to);
        return p.length % by == 0 && p.fromStride % by == 0 && p.toStride % by == 0 && address % (size_t(by) * size) == 0;
      });
    };
    while (size * size_t(scale) < 16 && divides(2 * scale)) scale *= 2;
    WEFT_TRY(forBytes(size * size_t(scale), [&]<typename T>() { return movePiecesOf<T>(*this, some, scale, rows); }));
  }
  return {};
}

Status CudaDevice::fillWithZeros(void* to, size_t bytes) {
  if (bytes == 0) return {};
  return check(cudaMemsetAsync(to, 0, bytes, stream_), "zeros");
}

Status CudaDevice::conjugate(DType type, void* data, int64_t n) {
  return type == DType::Complex64 ? conjugateAll(*this, static_cast<Complex64*>(data), n) : conjugateAll(*this, static_cast<Complex128*>(data), n);
}

}  // namespace weft::cuda
