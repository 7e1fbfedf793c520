#include "device/cpu/move.h"

#include <algorithm>
#include <cstring>

#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/hot_rows.h"

namespace weft::cpu {
namespace {

constexpr int64_t kWork = 16384;  // elements that are worth a thread

/// Drops dimensions of length 1 and merges dimensions that are adjacent in both arrays. False if there is nothing to copy.
bool simplify(BoxCopy& box) {
  BoxCopy out;
  for (size_t d = 0; d < box.size.size(); ++d) {
    if (box.size[d] == 0) return false;
    if (box.size[d] == 1) continue;
    if (!out.size.empty() && out.from.back() == box.from[d] * box.size[d] && out.to.back() == box.to[d] * box.size[d]) {
      out.size.back() *= box.size[d];
      out.from.back() = box.from[d];
      out.to.back() = box.to[d];
    } else {
      out.add(box.size[d], box.from[d], box.to[d]);
    }
  }
  box = std::move(out);
  return true;
}

template <typename S>
void copyRow(const S* from, int64_t fromStride, S* to, int64_t toStride, int64_t n) {
  if (fromStride == 1 && toStride == 1) {
    if constexpr (std::is_trivially_copyable_v<S>) std::memcpy(to, from, size_t(n) * sizeof(S));
    else std::copy(from, from + n, to);
  } else if (fromStride == 0 && toStride == 1) {
    std::fill(to, to + n, *from);
  } else if (fromStride == -1 && toStride == 1 && n >= 8) {
    if constexpr (std::is_same_v<S, uint8_t>) rowKernels().reverse1(to, from, n);
    else if constexpr (std::is_same_v<S, uint16_t>) rowKernels().reverse2(to, from, n);
    else if constexpr (std::is_same_v<S, uint32_t>) rowKernels().reverse4(to, from, n);
    else if constexpr (std::is_same_v<S, uint64_t>) rowKernels().reverse8(to, from, n);
    else std::reverse_copy(from - n + 1, from + 1, to);
  } else {
    for (int64_t i = 0; i < n; ++i) to[i * toStride] = from[i * fromStride];
  }
}

/// Rows of a length that the compiler knows are copied without a call.
template <size_t kBytes, typename S>
void copyKnownRows(const S* from, int64_t fromStep, S* to, int64_t toStep, int64_t rows) {
  for (int64_t r = 0; r < rows; ++r, from += fromStep, to += toStep) std::memcpy(to, from, kBytes);
}

/// `rows` rows of n elements each, whose first elements are `fromStep` and `toStep` apart.
template <typename S>
void copyRows(const S* from, int64_t fromStep, int64_t fromStride, S* to, int64_t toStep, int64_t toStride, int64_t rows, int64_t n) {
  if constexpr (std::is_trivially_copyable_v<S>) {
    if (fromStride == 1 && toStride == 1 && rows > 1) {
      switch (size_t(n) * sizeof(S)) {
        case 2: return copyKnownRows<2>(from, fromStep, to, toStep, rows);
        case 3: return copyKnownRows<3>(from, fromStep, to, toStep, rows);
        case 4: return copyKnownRows<4>(from, fromStep, to, toStep, rows);
        case 6: return copyKnownRows<6>(from, fromStep, to, toStep, rows);
        case 8: return copyKnownRows<8>(from, fromStep, to, toStep, rows);
        case 12: return copyKnownRows<12>(from, fromStep, to, toStep, rows);
        case 16: return copyKnownRows<16>(from, fromStep, to, toStep, rows);
        case 24: return copyKnownRows<24>(from, fromStep, to, toStep, rows);
        case 32: return copyKnownRows<32>(from, fromStep, to, toStep, rows);
        case 48: return copyKnownRows<48>(from, fromStep, to, toStep, rows);
        case 64: return copyKnownRows<64>(from, fromStep, to, toStep, rows);
        default: break;
      }
    }
  }
  for (int64_t r = 0; r < rows; ++r, from += fromStep, to += toStep) copyRow(from, fromStride, to, toStride, n);
}

/// Transposes two dimensions, one contiguous in the source and the other in the target, in blocks that stay in the cache.
template <typename S>
void transposeBlock(const S* from, int64_t fromOuter, int64_t fromInner, S* to, int64_t toOuter, int64_t outer, int64_t inner) {
  if constexpr (sizeof(S) == 4 && std::is_trivially_copyable_v<S>) {
    if (fromOuter == 1) {
      rowKernels().transpose4(to, toOuter, from, fromInner, inner, outer);
      return;
    }
  }
  constexpr int64_t kBlock = 16;
  for (int64_t j = 0; j < inner; j += kBlock) {
    const int64_t jEnd = std::min(inner, j + kBlock);
    for (int64_t i = 0; i < outer; ++i) {
      const S* f = from + i * fromOuter;
      S* t = to + i * toOuter;
      for (int64_t k = j; k < jEnd; ++k) t[k] = f[k * fromInner];
    }
  }
}

template <typename S>
void copyTyped(const BoxCopy& box, const S* source, S* target) {
  const int dims = int(box.size.size());
  if (dims == 0) {
    *target = *source;
    return;
  }
  const int64_t inner = box.size[size_t(dims - 1)], innerFrom = box.from[size_t(dims - 1)], innerTo = box.to[size_t(dims - 1)];
  if (dims == 1) {
    parallelFor(inner, kWork * 4,
                [&](int64_t begin, int64_t end) { copyRow(source + begin * innerFrom, innerFrom, target + begin * innerTo, innerTo, end - begin); });
    return;
  }
  // If the innermost dimension is not contiguous in the source, find the one that is: the pair is a transposition.
  int pair = -1;
  if (innerTo == 1 && innerFrom != 1 && innerFrom != 0) {
    for (int d = 0; d < dims - 1; ++d) {
      if (box.from[size_t(d)] == 1) pair = d;
    }
  }
  SmallInts outerDims;
  int64_t outer = 1, work = inner;
  for (int d = 0; d < dims - 1; ++d) {
    if (d == pair) {
      work *= box.size[size_t(d)];
      continue;
    }
    outerDims.push_back(d);
    outer *= box.size[size_t(d)];
  }
  const auto run = [&](int64_t begin, int64_t end, int64_t pairBegin, int64_t pairEnd) {
    SmallInts index(outerDims.size(), 0);
    int64_t from = 0, to = 0, rest = begin;
    for (size_t k = outerDims.size(); k-- > 0;) {
      const size_t d = size_t(outerDims[k]);
      index[k] = rest % box.size[d];
      rest /= box.size[d];
      from += index[k] * box.from[d];
      to += index[k] * box.to[d];
    }
    for (int64_t o = begin; o < end; ++o) {
      if (pair >= 0) {
        transposeBlock(source + from + pairBegin, 1, innerFrom, target + to + pairBegin * box.to[size_t(pair)], box.to[size_t(pair)], pairEnd - pairBegin,
                       inner);
      } else {  // all rows along the next dimension at once
        const size_t k = outerDims.size() - 1, d = size_t(outerDims[k]);
        const int64_t rows = std::min(end - o, box.size[d] - index[k]);
        copyRows(source + from, box.from[d], innerFrom, target + to, box.to[d], innerTo, rows, inner);
        index[k] += rows - 1;
        from += (rows - 1) * box.from[d];
        to += (rows - 1) * box.to[d];
        o += rows - 1;
      }
      for (size_t k = outerDims.size(); k-- > 0;) {
        const size_t d = size_t(outerDims[k]);
        from += box.from[d];
        to += box.to[d];
        if (++index[k] < box.size[d]) break;
        from -= box.from[d] * box.size[d];
        to -= box.to[d] * box.size[d];
        index[k] = 0;
      }
    }
  };
  if (pair >= 0 && outer < 8) {  // few big matrices: split the rows of each
    const int64_t n = box.size[size_t(pair)];
    for (int64_t o = 0; o < outer; ++o) {
      parallelFor(n, std::max<int64_t>(16, kWork / inner), [&](int64_t begin, int64_t end) { run(o, o + 1, begin, end); });
    }
    return;
  }
  parallelFor(outer, std::max<int64_t>(1, kWork / work), [&](int64_t begin, int64_t end) { run(begin, end, 0, pair >= 0 ? box.size[size_t(pair)] : 0); });
}

}  // namespace

void copyBox(DType type, BoxCopy box, const void* source, void* target) {
  if (!simplify(box)) return;
  withStorage(type, [&](auto tag) {
    using S = typename decltype(tag)::type;
    copyTyped(box, static_cast<const S*>(source), static_cast<S*>(target));
  });
}

void fillElements(DType type, const void* value, void* to, int64_t n) {
  withStorage(type, [&](auto tag) {
    using S = typename decltype(tag)::type;
    const S& v = *static_cast<const S*>(value);
    S* out = static_cast<S*>(to);
    parallelFor(n, kWork * 4, [&](int64_t begin, int64_t end) { std::fill(out + begin, out + end, v); });
  });
}

SmallInts denseStrides(const Shape& shape) {
  SmallInts out(size_t(std::max(shape.rank(), 0)), 1);
  for (int d = shape.rank() - 1; d > 0; --d) out[size_t(d - 1)] = out[size_t(d)] * shape.dim(d);
  return out;
}

}  // namespace weft::cpu
