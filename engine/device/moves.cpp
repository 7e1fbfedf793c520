#include "device/moves.h"

#include <algorithm>
#include <complex>
#include <cstring>

#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "kernel/device.h"

namespace weft {
namespace {

/// Of the device whose memory holds `t`; null: the host.
ElementMover* moverOf(KernelContext& c, const Tensor& t) { return t.place() == 0 ? nullptr : dynamic_cast<ElementMover*>(&c.device()); }

/// Copies `rows` pieces of each of `all`. Threads share the rows, because producers and consumers of the data do so too.
void copyPieces(DType type, std::span<const Pieces> all, int64_t rows) {
  constexpr int64_t kGrain = 8192;  // elements that are worth a thread
  const size_t size = cpu::storageSize(type);
  const bool plain = cpu::isPlain(type);
  int64_t width = 0;
  for (const Pieces& p : all) width += p.length;
  constexpr int64_t kFewRows = 8;
  if (rows < kFewRows && width > 2 * kGrain) {  // long rows: threads share each
    for (int64_t row = 0; row < rows; ++row) {
      parallelFor(width, 2 * kGrain, [&](int64_t begin, int64_t end) {
        int64_t at = 0;
        for (const Pieces& p : all) {
          const int64_t from = std::max(begin, at) - at, n = std::min(end, at + p.length) - at - from;
          at += p.length;
          if (n <= 0) continue;
          cpu::BoxCopy box;
          box.add(n, 1, 1);
          cpu::copyBox(type, std::move(box), cpu::offsetBy(p.from, row * p.fromStride + from, size), cpu::offsetBy(p.to, row * p.toStride + from, size));
        }
      });
    }
    return;
  }
  // A few rows at a time keep the wider of the two sides in one stretch of memory.
  const int64_t block = std::max<int64_t>(1, kGrain / std::max<int64_t>(1, width));
  parallelFor(rows, block, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; row += block) {
      const int64_t rowEnd = std::min(end, row + block);
      for (const Pieces& p : all) {
        const void* from = cpu::offsetBy(p.from, row * p.fromStride, size);
        void* to = cpu::offsetBy(p.to, row * p.toStride, size);
        const size_t bytes = size_t(p.length) * size;
        if (plain && bytes >= 64) {
          for (int64_t r = row; r < rowEnd; ++r) {
            std::memcpy(to, from, bytes);
            from = cpu::offsetBy(from, p.fromStride, size);
            to = cpu::offsetBy(to, p.toStride, size);
          }
          continue;
        }
        cpu::BoxCopy box;
        box.add(rowEnd - row, p.fromStride, p.toStride);
        box.add(p.length, 1, 1);
        cpu::copyBox(type, std::move(box), from, to);
      }
    }
  });
}

template <typename T>
void conjugateAll(Tensor& t) {
  T* x = t.mutableData<T>();
  for (int64_t i = 0; i < t.elements(); ++i) x[i] = std::conj(x[i]);
}

}  // namespace

ElementMover::~ElementMover() = default;

Status moveBox(KernelContext& c, const Tensor& like, cpu::BoxCopy box, const void* source, void* target) {
  if (ElementMover* m = moverOf(c, like)) return m->moveBox(like.dtype(), box, source, target);
  cpu::copyBox(like.dtype(), std::move(box), source, target);
  return {};
}

Status movePieces(KernelContext& c, const Tensor& like, std::span<const Pieces> all, int64_t rows) {
  if (ElementMover* m = moverOf(c, like)) return m->movePieces(like.dtype(), all, rows);
  copyPieces(like.dtype(), all, rows);
  return {};
}

Status fillWithZeros(KernelContext& c, Tensor& t) {
  if (ElementMover* m = moverOf(c, t)) return m->fillWithZeros(t.mutableRaw(), t.bytes());
  cpu::withStorage(t.dtype(), [&](auto tag) {
    using S = typename decltype(tag)::type;
    const S zero{};
    cpu::fillElements(t.dtype(), &zero, t.mutableRaw(), t.elements());
  });
  return {};
}

Status conjugate(KernelContext& c, Tensor& t) {
  if (ElementMover* m = moverOf(c, t)) return m->conjugate(t.dtype(), t.mutableRaw(), t.elements());
  if (t.dtype() == DType::Complex64) conjugateAll<cpu::Complex64>(t);
  if (t.dtype() == DType::Complex128) conjugateAll<cpu::Complex128>(t);
  return {};
}

}  // namespace weft
