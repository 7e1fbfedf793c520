#include "device/cpu/broadcast.h"

#include <algorithm>
#include <cstring>

#include "base/parallel.h"

namespace weft::cpu {
namespace {

constexpr int64_t kTile = 1024;    // elements of a repeated operand that are expanded at once
constexpr int64_t kShortRow = 64;  // shorter rows are not worth a call each

const char* at(const void* p, int64_t element, size_t size) { return static_cast<const char*>(p) + size_t(element) * size; }

/// Position in the outer dimensions [0, dims) of a plan, with the operands' offsets.
struct Cursor {
  int64_t index[BroadcastPlan::kMaxDims] = {};
  int64_t offset[BroadcastPlan::kMaxOperands] = {};

  void seek(const BroadcastPlan& plan, int dims, int64_t position) {
    for (int d = dims - 1; d >= 0; --d) {
      index[d] = position % plan.size[d];
      position /= plan.size[d];
      for (int k = 0; k < plan.operands; ++k) offset[k] += index[d] * plan.stride[k][d];
    }
  }
  void next(const BroadcastPlan& plan, int dims) {
    for (int d = dims - 1; d >= 0; --d) {
      for (int k = 0; k < plan.operands; ++k) offset[k] += plan.stride[k][d];
      if (++index[d] < plan.size[d]) return;
      for (int k = 0; k < plan.operands; ++k) offset[k] -= plan.stride[k][d] * plan.size[d];
      index[d] = 0;
    }
  }
};

/// One call per row of the innermost dimension.
void byRows(const ElementwiseEntry& entry, const BroadcastPlan& plan, const void* const* in, const size_t* inSize, void* out, size_t outSize) {
  const int outer = plan.dims - 1;
  const int64_t row = plan.size[outer], rows = plan.elements / row;
  bool scalar[BroadcastPlan::kMaxOperands];
  for (int k = 0; k < plan.operands; ++k) scalar[k] = !plan.varies[k][outer];
  const int64_t grain = grainFor(entry.nanoseconds);
  if (rows < 8 && row > grain) {  // few long rows: split each of them
    Cursor c;
    for (int64_t r = 0; r < rows; ++r, c.next(plan, outer)) {
      const void* base[BroadcastPlan::kMaxOperands];
      for (int k = 0; k < plan.operands; ++k) base[k] = at(in[k], c.offset[k], inSize[k]);
      runFlat(entry, base, scalar, inSize, static_cast<char*>(out) + size_t(r * row) * outSize, outSize, row);
    }
    return;
  }
  parallelFor(rows, std::max<int64_t>(1, grain / row), [&](int64_t begin, int64_t end) {
    Cursor c;
    c.seek(plan, outer, begin);
    for (int64_t r = begin; r < end; ++r, c.next(plan, outer)) {
      const void* base[BroadcastPlan::kMaxOperands];
      for (int k = 0; k < plan.operands; ++k) base[k] = at(in[k], c.offset[k], inSize[k]);
      entry.fn(base, scalar, static_cast<char*>(out) + size_t(r * row) * outSize, row);
    }
  });
}

template <typename S>
void gather(const void* from, void* to, const BroadcastPlan& plan, int k, int64_t begin, int64_t n) {
  const S* src = static_cast<const S*>(from);
  S* dst = static_cast<S*>(to);
  const int outer = plan.dims - 1;
  const int64_t row = plan.size[outer], step = plan.stride[k][outer];
  if (outer == 1 && step == 0) {  // a column: repeat each element for a whole row (tiles begin with a row)
    const int64_t stride = plan.stride[k][0];
    const S* p = src + begin / row * stride;
    for (int64_t i = 0; i < n; i += row, p += stride) {
      for (int64_t j = 0; j < row; ++j) dst[i + j] = *p;
    }
    return;
  }
  Cursor c;
  c.seek(plan, outer, begin / row);
  for (int64_t i = 0; i < n; i += row, c.next(plan, outer)) {
    const S* p = src + c.offset[k];
    for (int64_t j = 0; j < row; ++j) dst[i + j] = p[j * step];
  }
}

struct Bytes16 {
  uint64_t a, b;
};

void gatherTile(const void* from, void* to, size_t size, const BroadcastPlan& plan, int k, int64_t begin, int64_t n) {
  switch (size) {
    case 1: return gather<uint8_t>(from, to, plan, k, begin, n);
    case 2: return gather<uint16_t>(from, to, plan, k, begin, n);
    case 4: return gather<uint32_t>(from, to, plan, k, begin, n);
    case 8: return gather<uint64_t>(from, to, plan, k, begin, n);
    default: return gather<Bytes16>(from, to, plan, k, begin, n);
  }
}

/// Short rows: repeated operands are expanded tile by tile, so that each call handles many rows.
void byTiles(const ElementwiseEntry& entry, const BroadcastPlan& plan, const void* const* in, const size_t* inSize, void* out, size_t outSize) {
  const int64_t row = plan.size[plan.dims - 1];
  const int64_t tile = std::max<int64_t>(1, kTile / row) * row;
  bool whole[BroadcastPlan::kMaxOperands], onlyRow[BroadcastPlan::kMaxOperands];
  for (int k = 0; k < plan.operands; ++k) {
    whole[k] = onlyRow[k] = true;
    for (int d = 0; d < plan.dims; ++d) {
      whole[k] = whole[k] && plan.varies[k][d];
      onlyRow[k] = onlyRow[k] && plan.varies[k][d] == (d == plan.dims - 1);
    }
  }
  const bool none[BroadcastPlan::kMaxOperands] = {};
  parallelFor((plan.elements + tile - 1) / tile, std::max<int64_t>(1, grainFor(entry.nanoseconds + 0.5f) / tile), [&](int64_t first, int64_t last) {
    alignas(64) char buffer[BroadcastPlan::kMaxOperands][kTile * 16];
    bool filled[BroadcastPlan::kMaxOperands] = {};
    for (int64_t t = first; t < last; ++t) {
      const int64_t begin = t * tile, n = std::min(tile, plan.elements - begin);
      const void* base[BroadcastPlan::kMaxOperands];
      for (int k = 0; k < plan.operands; ++k) {
        if (whole[k]) {
          base[k] = at(in[k], begin, inSize[k]);
          continue;
        }
        if (!(onlyRow[k] && filled[k])) gatherTile(in[k], buffer[k], inSize[k], plan, k, begin, n);  // a repeated row is the same in every tile
        filled[k] = true;
        base[k] = buffer[k];
      }
      entry.fn(base, none, static_cast<char*>(out) + size_t(begin) * outSize, n);
    }
  });
}

}  // namespace

Result<BroadcastPlan> planBroadcast(const Shape* const* shapes, int operands, Shape& result) {
  BroadcastPlan plan;
  plan.operands = operands;
  int rank = -1;
  for (int k = 0; k < operands; ++k) {
    if (shapes[k]->rank() <= rank) continue;
    rank = shapes[k]->rank();
    result = *shapes[k];
  }
  bool varies[BroadcastPlan::kMaxOperands];
  for (int d = 0; d < rank; ++d) {
    int64_t size = 1;
    for (int k = 0; k < operands; ++k) {
      const int i = d - (rank - shapes[k]->rank());
      const int64_t n = i < 0 ? 1 : shapes[k]->dim(i);
      if (n != 1 && size != 1 && n != size) {
        return operands == 2 ? invalidArgument("Incompatible shapes: ", shapes[0]->toString(), " vs. ", shapes[1]->toString())
                             : invalidArgument("Incompatible shapes: ", shapes[0]->toString(), ", ", shapes[1]->toString(), ", ", shapes[2]->toString());
      }
      if (n != 1) size = n;
      varies[k] = n != 1;
    }
    result.setDim(d, size);
    plan.elements *= size;
    if (size == 1) continue;
    bool same = plan.dims > 0;
    for (int k = 0; k < operands && same; ++k) same = plan.varies[k][plan.dims - 1] == varies[k];
    if (same) {
      plan.size[plan.dims - 1] *= size;
      continue;
    }
    if (plan.dims == BroadcastPlan::kMaxDims)
      return unimplemented("Broadcast between ", shapes[0]->toString(), " and ", shapes[1]->toString(), " is not supported yet.");
    plan.size[plan.dims] = size;
    for (int k = 0; k < operands; ++k) plan.varies[k][plan.dims] = varies[k];
    ++plan.dims;
  }
  for (int k = 0; k < operands; ++k) {
    int64_t stride = 1;
    for (int d = plan.dims - 1; d >= 0; --d) {
      plan.stride[k][d] = plan.varies[k][d] ? stride : 0;
      if (plan.varies[k][d]) stride *= plan.size[d];
    }
  }
  return plan;
}

void runFlat(const ElementwiseEntry& entry, const void* const* in, const bool* scalar, const size_t* inSize, void* out, size_t outSize, int64_t n) {
  const int64_t grain = grainFor(entry.nanoseconds);
  if (n <= grain) {
    entry.fn(in, scalar, out, n);
    return;
  }
  const int operands = entry.arity;
  parallelFor(n, grain, [&](int64_t begin, int64_t end) {
    const void* base[BroadcastPlan::kMaxOperands];
    for (int k = 0; k < operands; ++k) base[k] = scalar[k] ? in[k] : at(in[k], begin, inSize[k]);
    entry.fn(base, scalar, static_cast<char*>(out) + size_t(begin) * outSize, end - begin);
  });
}

void runBroadcast(const ElementwiseEntry& entry, const BroadcastPlan& plan, const void* const* in, const size_t* inSize, void* out, size_t outSize,
                  bool plain) {
  if (plan.elements == 0) return;
  if (plan.dims <= 1) {
    bool scalar[BroadcastPlan::kMaxOperands];
    for (int k = 0; k < plan.operands; ++k) scalar[k] = plan.dims == 0 || !plan.varies[k][0];
    runFlat(entry, in, scalar, inSize, out, outSize, plan.elements);
  } else if (plain && plan.size[plan.dims - 1] < kShortRow) {
    byTiles(entry, plan, in, inSize, out, outSize);
  } else {
    byRows(entry, plan, in, inSize, out, outSize);
  }
}

}  // namespace weft::cpu
