#include "runtime/memory_plan.h"

#include <algorithm>
#include <numeric>

namespace weft {
namespace {

constexpr size_t kAlign = 64;
constexpr size_t kSmall = 512;
constexpr size_t kFew = 1024;         // up to this many blocks, several orders are tried
constexpr double kGoodEnough = 1.02;  // relative to the lower bound

size_t rounded(size_t bytes) { return std::max(kAlign, (bytes + kAlign - 1) / kAlign * kAlign); }

}  // namespace

namespace {

/// Places the blocks in `order`. Blocks of at most `small` bytes, which come last, do not share memory.
size_t packInOrder(std::vector<MemoryBlock>& blocks, const std::vector<int>& order, size_t small) {
  std::vector<int> placed;  // by offset
  size_t total = 0;
  for (const int i : order) {
    MemoryBlock& b = blocks[size_t(i)];
    const size_t need = rounded(b.bytes);
    if (b.bytes <= small) continue;
    size_t at = 0;
    for (int p : placed) {
      const MemoryBlock& other = blocks[p];
      if (other.last < b.first || b.last < other.first) continue;
      if (other.offset >= at + need) break;  // the gap before it is large enough, and all further blocks begin later
      at = std::max(at, other.offset + rounded(other.bytes));
    }
    b.offset = at;
    total = std::max(total, at + need);
    placed.insert(std::upper_bound(placed.begin(), placed.end(), i, [&](int x, int y) { return blocks[x].offset < blocks[y].offset; }), i);
  }
  for (const int i : order) {
    MemoryBlock& b = blocks[size_t(i)];
    if (b.bytes > small) continue;
    b.offset = total;
    total += rounded(b.bytes);
  }
  return total;
}

}  // namespace

size_t packBlocks(std::vector<MemoryBlock>& blocks) {
  const bool few = blocks.size() <= kFew;
  const size_t small = few ? 0 : kSmall;
  std::vector<int> order(blocks.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return blocks[a].bytes > blocks[b].bytes; });
  size_t best = packInOrder(blocks, order, small);
  if (!few || double(best) <= kGoodEnough * double(peakOf(blocks))) return best;
  // Largest first is usually the best order. Also tried: largest memory × time first, and earliest first.
  const auto span = [&](int i) { return double(blocks[size_t(i)].bytes) * double(blocks[size_t(i)].last - blocks[size_t(i)].first + 1); };
  for (const bool byTime : {false, true}) {
    std::vector<MemoryBlock> other = blocks;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return byTime ? blocks[a].first < blocks[b].first : span(a) > span(b); });
    const size_t total = packInOrder(other, order, small);
    if (total >= best) continue;
    best = total;
    blocks = std::move(other);
  }
  return best;
}

size_t peakOf(const std::vector<MemoryBlock>& blocks) {
  int end = 0;
  for (const MemoryBlock& b : blocks) end = std::max(end, b.last + 1);
  std::vector<long long> change(size_t(end) + 1, 0);
  for (const MemoryBlock& b : blocks) {
    change[b.first] += (long long)(b.bytes);
    change[size_t(b.last) + 1] -= (long long)(b.bytes);
  }
  long long now = 0, peak = 0;
  for (long long c : change) peak = std::max(peak, now += c);
  return size_t(peak);
}

}  // namespace weft
