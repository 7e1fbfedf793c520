#pragma once

#include <algorithm>
#include <memory>

#include "base/parallel.h"
#include "device/cpu/reduce.h"
#include "device/cpu/reduce_loops.h"

// How a reduction runs over its dimensions, by a reducer R (reduce_loops.h).
namespace weft::cpu {

template <typename R>
class Reducer {
  using In = typename R::In;
  using Acc = typename R::Acc;
  static constexpr int64_t kWork = 32768;  // elements that are worth a thread

 public:
  static void run(const ReducePlan& plan, const void* in, void* out) {
    const In* x = static_cast<const In*>(in);
    In* y = static_cast<In*>(out);
    const int64_t n = plan.reducedElements;
    if (plan.outElements == 0) return;
    if (n == 0) {
      std::fill(y, y + plan.outElements, R::done(R::start(), 0));
      return;
    }
    const auto& s = plan.size;
    if (s.empty()) {
      y[0] = R::done(R::lift(x[0]), 1);
    } else if (s.size() == 1 && !plan.firstReduced) {
      for (int64_t i = 0; i < s[0]; ++i) y[i] = R::done(R::lift(x[i]), 1);
    } else if (s.size() == 1) {
      y[0] = R::done(whole(x, n), n);
    } else if (s.size() == 2 && !plan.firstReduced) {
      parallelFor(s[0], std::max<int64_t>(1, kWork / s[1]), [&](int64_t begin, int64_t end) {
        if constexpr (R::kHasHot) {
          R::hot()->rows(x + begin * s[1], end - begin, s[1], y + begin);
          if constexpr (R::kFinishes) {
            for (int64_t i = begin; i < end; ++i) y[i] = R::done(y[i], n);
          }
        } else if constexpr (kIsSmallFloat<In>) {
          rowsOfSmallFloats(x + begin * s[1], end - begin, s[1], y + begin);
        } else {
          for (int64_t i = begin; i < end; ++i) y[i] = R::done(reduceRow<R>(x + i * s[1], s[1]), n);
        }
      });
    } else if (s.size() == 2) {
      columns(x, s[0], s[1], y, n);
    } else if (s.size() == 3 && !plan.firstReduced) {
      parallelFor(s[0], std::max<int64_t>(1, kWork / (s[1] * s[2])), [&](int64_t begin, int64_t end) {
        Scratch acc(s[2]);
        for (int64_t i = begin; i < end; ++i) {
          reduceColumns<R>(x + i * s[1] * s[2], s[1], s[2], s[2], acc.get());
          finish(acc.get(), s[2], y + i * s[2], n);
        }
      });
    } else {
      general(plan, x, y);
    }
  }

 private:
  static void rowsOfSmallFloats(const In* x, int64_t rows, int64_t n, In* y) {
    if (n > kWidened) {
      for (int64_t i = 0; i < rows; ++i) y[i] = R::done(reduceRow<R>(x + i * n, n), n);
      return;
    }
    float sums[kWidened];
    for (const int64_t block = kWidened / n; rows > 0; rows -= block, x += block * n, y += block) {
      const int64_t count = std::min(block, rows);
      overWidened(x, count * n, [&](const float* wide, int64_t) { R::hot()->rows(wide, count, n, sums); });
      finish(sums, count, y, n);
    }
  }

  /// Accumulators of one row. Not a std::vector, because std::vector<bool> has no element addresses.
  class Scratch {
   public:
    explicit Scratch(int64_t n) : data_(new Acc[size_t(n)]) {}
    Acc* get() { return data_.get(); }

   private:
    std::unique_ptr<Acc[]> data_;
  };

  static void finish(const Acc* acc, int64_t count, In* y, int64_t n) {
    for (int64_t j = 0; j < count; ++j) y[j] = R::done(acc[j], n);
  }

  // Parts have a fixed length, so the result does not depend on the number of threads.
  static Acc whole(const In* x, int64_t n) {
    constexpr int64_t kPart = 65536;
    if (n <= kPart) return reduceRow<R>(x, n);
    const int64_t parts = (n + kPart - 1) / kPart;
    Scratch acc(parts);
    parallelFor(parts, 1, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) acc.get()[p] = reduceRow<R>(x + p * kPart, std::min(kPart, n - p * kPart));
    });
    return joinParts(acc.get(), parts);
  }

  static Acc joinParts(const Acc* acc, int64_t n) {
    if (n == 1) return acc[0];
    return R::join(joinParts(acc, n / 2), joinParts(acc + n / 2, n - n / 2));
  }

  static void columns(const In* x, int64_t rows, int64_t cols, In* y, int64_t n) {
    const int64_t total = rows * cols;
    if (cols < 32 && rows >= 256) {
      narrowColumns(x, rows, cols, y, n);
      return;
    }
    if (total <= 2 * kWork || cols >= 1024) {  // threads share the columns
      constexpr int64_t kStrip = 64;
      const int64_t strips = (cols + kStrip - 1) / kStrip;
      parallelFor(strips, std::max<int64_t>(1, kWork / (rows * kStrip)), [&](int64_t begin, int64_t end) {
        const int64_t from = begin * kStrip, to = std::min(cols, end * kStrip);
        if constexpr (R::kHasHot && !R::kFinishes) {
          reduceColumns<R>(x + from, rows, to - from, cols, y + from);
        } else {
          Scratch acc(to - from);
          reduceColumns<R>(x + from, rows, to - from, cols, acc.get());
          finish(acc.get(), to - from, y + from, n);
        }
      });
      return;
    }
    const int64_t partRows = std::max<int64_t>(1, kWork / cols), parts = (rows + partRows - 1) / partRows;
    Scratch acc(parts * cols);
    parallelFor(parts, 1, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) {
        reduceColumns<R>(x + p * partRows * cols, std::min(partRows, rows - p * partRows), cols, cols, acc.get() + p * cols);
      }
    });
    for (int64_t width = parts; width > 1; width = (width + 1) / 2) {
      for (int64_t p = 0; p + (width + 1) / 2 < width; ++p) {
        Acc *a = acc.get() + p * cols, *b = acc.get() + (p + (width + 1) / 2) * cols;
        for (int64_t j = 0; j < cols; ++j) a[j] = R::join(a[j], b[j]);
      }
    }
    finish(acc.get(), cols, y, n);
  }

  /// Few columns: several adjacent rows are treated as one wide row, whose columns are joined at the end.
  static void narrowColumns(const In* x, int64_t rows, int64_t cols, In* y, int64_t n) {
    const int64_t folded = 128 / cols, wide = folded * cols, wideRows = rows / folded;
    const int64_t partRows = std::max<int64_t>(1, kWork / wide), parts = (wideRows + partRows - 1) / partRows;
    Scratch acc(parts * wide);
    parallelFor(parts, 1, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) {
        reduceColumns<R>(x + p * partRows * wide, std::min(partRows, wideRows - p * partRows), wide, wide, acc.get() + p * wide);
      }
    });
    for (int64_t j = 0; j < cols; ++j) {
      Acc total = R::start();
      for (int64_t k = j; k < parts * wide; k += cols) total = R::join(total, acc.get()[k]);
      for (int64_t r = wideRows * folded; r < rows; ++r) total = R::join(total, R::lift(x[r * cols + j]));
      y[j] = R::done(total, n);
    }
  }

  /// Any number of dimensions: each output (or row of outputs, if the last dimension is kept) visits its inputs.
  static void general(const ReducePlan& plan, const In* x, In* y) {
    const size_t dims = plan.size.size();
    std::vector<int64_t> stride(dims, 1);
    for (size_t d = dims - 1; d-- > 0;) stride[d] = stride[d + 1] * plan.size[d + 1];
    const bool lastReduced = plan.reduces(dims - 1);
    const int64_t last = plan.size[dims - 1];
    std::vector<size_t> kept, reduced;
    for (size_t d = 0; d + 1 < dims; ++d) (plan.reduces(d) ? reduced : kept).push_back(d);
    int64_t outer = 1, inner = 1;
    for (size_t d : kept) outer *= plan.size[d];
    for (size_t d : reduced) inner *= plan.size[d];
    const auto offsetOf = [&](const std::vector<size_t>& list, int64_t position) {
      int64_t offset = 0;
      for (size_t k = list.size(); k-- > 0;) {
        offset += position % plan.size[list[k]] * stride[list[k]];
        position /= plan.size[list[k]];
      }
      return offset;
    };
    parallelFor(outer, std::max<int64_t>(1, kWork / (inner * last)), [&](int64_t begin, int64_t end) {
      Scratch acc(lastReduced ? 1 : last);
      for (int64_t o = begin; o < end; ++o) {
        const int64_t base = offsetOf(kept, o);
        std::fill(acc.get(), acc.get() + (lastReduced ? 1 : last), R::start());
        for (int64_t i = 0; i < inner; ++i) {
          const In* row = x + base + offsetOf(reduced, i);
          if (lastReduced) {
            acc.get()[0] = R::join(acc.get()[0], reduceRow<R>(row, last));
          } else {
            for (int64_t j = 0; j < last; ++j) acc.get()[j] = R::join(acc.get()[j], R::lift(row[j]));
          }
        }
        finish(acc.get(), lastReduced ? 1 : last, y + o * (lastReduced ? 1 : last), plan.reducedElements);
      }
    });
  }
};

}  // namespace weft::cpu
