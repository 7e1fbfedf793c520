#include "runtime/memory_plan.h"

#include <algorithm>
#include <numeric>

namespace weft {
namespace {

constexpr size_t kAlign = 64;
constexpr size_t kSmall = 512;

size_t rounded(size_t bytes) { return std::max(kAlign, (bytes + kAlign - 1) / kAlign * kAlign); }

}  // namespace

size_t packBlocks(std::vector<MemoryBlock>& blocks) {
  std::vector<int> order(blocks.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return blocks[a].bytes > blocks[b].bytes; });
  std::vector<int> placed;  // by offset
  size_t total = 0;
  size_t next = 0;
  for (; next < order.size() && blocks[order[next]].bytes > kSmall; ++next) {
    MemoryBlock& b = blocks[order[next]];
    const size_t need = rounded(b.bytes);
    size_t at = 0;
    for (int p : placed) {
      const MemoryBlock& other = blocks[p];
      if (other.last < b.first || b.last < other.first) continue;
      if (other.offset >= at + need) break;  // the gap before it is large enough; later ones begin later
      at = std::max(at, other.offset + rounded(other.bytes));
    }
    b.offset = at;
    total = std::max(total, at + need);
    placed.insert(std::upper_bound(placed.begin(), placed.end(), order[next], [&](int x, int y) { return blocks[x].offset < blocks[y].offset; }),
                  order[next]);
  }
  for (; next < order.size(); ++next) {
    blocks[order[next]].offset = total;
    total += rounded(blocks[order[next]].bytes);
  }
  return total;
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
