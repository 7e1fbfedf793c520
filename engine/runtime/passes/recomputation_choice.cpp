#include "runtime/passes/recomputation_choice.h"

#include <algorithm>
#include <limits>
#include <numeric>

// Chooses what a step computes again. Values that the first half of a step (the forward pass) computes for its second half lie idle between the two. With a boundary
// between the halves, a set of nodes ("kept") that are not repeated, and everything else behind the boundary made from them, a plan is fixed; step_memory.h tells its
// peak exactly, so plans are tried and compared:
//
// - Segments: the first half is cut where little has to be kept to go on from there; what crosses the cuts is kept, all else is computed again, segment by segment,
//   when the second half comes to it. A chain of n equal layers then needs about sqrt(2 n) of its values (compare Chen et al. 2016, arXiv:1604.06174). How many bytes a
//   segment and the cuts before it may have is tried from all of them down to a few.
// - Prices: nodes that cost more time per byte than a threshold are kept, for several thresholds.
// - In the best plan, values are then kept again, the dearest first, as long as the limit allows it.

namespace weft {
namespace {

constexpr int kPrices = 7, kSegments = 24, kMostTrials = 1200;
constexpr size_t kMostPlaces = 400;

struct Half {
  int boundary = 0;
  std::vector<size_t> cut;         ///< By node: bytes of repeatable values that the first half still needs behind it.
  std::vector<size_t> crossing;    ///< By node: bytes of its values that the second half reads.
  std::vector<int> lastOfForward;  ///< By value: its last reader in the first half; -1: none.
};

/// Last reader of each value among the nodes up to `boundary`, through views.
std::vector<int> lastReaders(const StepModel& m, int boundary) {
  std::vector<int> last(m.values.size(), -1);
  for (int at = boundary; at >= 0; --at) {
    const StepModel::Node& n = m.nodes[size_t(at)];
    for (int k = 0; k < n.inputCount; ++k) {
      const int in = m.inputs[size_t(n.firstInput + k)];
      if (in < 0) continue;
      last[size_t(in)] = std::max(last[size_t(in)], at);
      if (n.shares == StepModel::Shares::None) continue;
      for (int o = 0; o < n.outputCount; ++o) last[size_t(in)] = std::max(last[size_t(in)], last[size_t(n.firstOutput + o)]);
    }
  }
  return last;
}

Half halfOf(const StepModel& m, int boundary) {
  Half h;
  h.boundary = boundary;
  h.lastOfForward = lastReaders(m, boundary);
  h.crossing.assign(m.nodes.size(), 0);
  std::vector<uint8_t> counted(m.values.size(), 0);
  for (int at = boundary + 1; at < int(m.nodes.size()); ++at) {
    const StepModel::Node& n = m.nodes[size_t(at)];
    for (int k = 0; k < n.inputCount; ++k) {
      const int in = m.inputs[size_t(n.firstInput + k)];
      if (in < 0 || counted[size_t(in)] || m.values[size_t(in)].node > boundary) continue;
      counted[size_t(in)] = 1;
      h.crossing[size_t(m.values[size_t(in)].node)] += m.values[size_t(in)].bytes;
    }
  }
  std::vector<int64_t> change(size_t(boundary) + 2, 0);
  for (size_t v = 0; v < m.values.size(); ++v) {
    const int from = m.values[v].node;
    if (from > boundary || h.lastOfForward[v] <= from || !m.nodes[size_t(from)].repeatable) continue;
    change[size_t(from)] += int64_t(m.values[v].bytes);
    change[size_t(h.lastOfForward[v])] -= int64_t(m.values[v].bytes);
  }
  h.cut.resize(size_t(boundary) + 1);
  int64_t now = 0;
  for (int at = 0; at <= boundary; ++at) h.cut[size_t(at)] = size_t(now += change[size_t(at)]);
  return h;
}

/// Where a step turns: the places at which the most bytes lie idle between a reader before and one behind, and the place of the peak.
std::vector<int> boundariesOf(const StepModel& m, const StepPeak& peak) {
  const int n = int(m.nodes.size());
  std::vector<double> idle(size_t(n) + 1, 0), count(size_t(n) + 1, 0);
  std::vector<std::vector<int>> readers(m.values.size());
  for (int at = 0; at < n; ++at) {
    const StepModel::Node& node = m.nodes[size_t(at)];
    for (int k = 0; k < node.inputCount; ++k)
      if (const int in = m.inputs[size_t(node.firstInput + k)]; in >= 0) readers[size_t(in)].push_back(at);
  }
  for (size_t v = 0; v < m.values.size(); ++v) {
    const StepModel::Node& from = m.nodes[size_t(m.values[v].node)];
    if (!from.repeatable) continue;
    int before = m.values[v].node, first = before, last = before;  // the longest gap between two uses
    for (const int reader : readers[v]) {
      if (reader - before > last - first) first = before, last = reader;
      before = reader;
    }
    if (last - first < std::max(2, n / 20)) continue;
    idle[size_t(first)] += double(m.values[v].bytes);
    idle[size_t(last)] -= double(m.values[v].bytes);
    count[size_t(first)] += 1;
    count[size_t(last)] -= 1;
  }
  std::partial_sum(idle.begin(), idle.end(), idle.begin());
  std::partial_sum(count.begin(), count.end(), count.begin());
  std::vector<int> out;
  for (const int at :
       {int(std::max_element(idle.begin(), idle.end()) - idle.begin()), int(std::max_element(count.begin(), count.end()) - count.begin()), peak.at}) {
    const int boundary = std::clamp(at, 0, std::max(n - 2, 0));
    if (std::find(out.begin(), out.end(), boundary) == out.end()) out.push_back(boundary);
  }
  return out;
}

/// Where to cut the first half, so that the values kept at the cuts before a segment and all values of the segment have at most `most` bytes together. That is what
/// is there when the second half comes to the segment, so segments become shorter towards the boundary. Of such cuts those that keep the least, from the front.
std::vector<int> cutsOf(const Half& h, const std::vector<uint8_t>& repeat, size_t most) {
  std::vector<size_t> sum(size_t(h.boundary) + 2, 0);  // [at + 1]: bytes that the second half reads of repeated nodes up to `at`
  for (int at = 0; at <= h.boundary; ++at) sum[size_t(at) + 1] = sum[size_t(at)] + (repeat[size_t(at)] ? h.crossing[size_t(at)] : 0);
  std::vector<int> places{-1};
  for (int at = 0; at < h.boundary; ++at)
    if (h.cut[size_t(at)] <= h.cut[size_t(at) + 1] && (at == 0 || h.cut[size_t(at)] <= h.cut[size_t(at) - 1])) places.push_back(at);
  for (size_t step = places.size() / kMostPlaces; step > 0;) {  // of very many every few
    std::vector<int> fewer;
    for (size_t k = 0; k < places.size(); k += step + 1) fewer.push_back(places[k]);
    places = std::move(fewer);
    step = 0;
  }
  constexpr size_t kNever = std::numeric_limits<size_t>::max();
  std::vector<size_t> kept(places.size(), kNever);
  std::vector<int> from(places.size(), -1);
  kept[0] = 0;
  int end = -1;
  size_t least = kNever;
  for (size_t k = 0; k < places.size(); ++k) {
    if (kept[k] == kNever) continue;
    const auto fits = [&](int last) { return kept[k] + sum[size_t(last) + 1] - sum[size_t(places[k] + 1)] <= most; };
    if (fits(h.boundary) && kept[k] < least) least = kept[k], end = int(k);
    for (size_t next = k + 1; next < places.size() && fits(places[next]); ++next) {
      const size_t there = kept[k] + h.cut[size_t(places[next])];
      if (there < kept[next]) kept[next] = there, from[next] = int(k);
    }
  }
  std::vector<int> cuts;
  for (; end > 0; end = from[size_t(end)]) cuts.push_back(places[size_t(end)]);
  std::reverse(cuts.begin(), cuts.end());
  return cuts;
}

/// What is computed again of the first half if it is cut into segments by `most`, and nodes dearer than `price` (ns per byte) are kept as well.
std::vector<uint8_t> repeated(const StepModel& m, const Half& h, const std::vector<uint8_t>& allowed, size_t most, double price) {
  std::vector<uint8_t> repeat(m.nodes.size(), 0);
  for (int at = 0; at <= h.boundary; ++at) {
    const StepModel::Node& n = m.nodes[size_t(at)];
    const size_t bytes = h.crossing[size_t(at)];
    repeat[size_t(at)] = allowed[size_t(at)] && n.repeatable && !(bytes > 0 && n.ns > price * double(bytes));
  }
  const std::vector<int> cuts = cutsOf(h, repeat, most);
  for (size_t v = 0; v < m.values.size() && !cuts.empty(); ++v) {
    const int from = m.values[v].node;
    if (from > h.boundary || m.values[v].bytes == 0 || m.nodes[size_t(from)].shares == StepModel::Shares::View) continue;
    const auto cut = std::lower_bound(cuts.begin(), cuts.end(), from);
    if (cut != cuts.end() && *cut < h.lastOfForward[v]) repeat[size_t(from)] = 0;
  }
  return repeat;
}

struct Trial {
  int boundary = 0;
  std::vector<uint8_t> repeat;
  StepPeak peak;
  double ns = std::numeric_limits<double>::infinity();
};

Trial tried(const StepModel& m, int boundary, std::vector<uint8_t> repeat) {
  const StepSequence s = sequenceOf(m, boundary, repeat);
  return {boundary, std::move(repeat), peakOf(m, s), s.againNs};
}

/// Keeps values of `best` instead of computing them again, the dearest first, while its peak stays within `room`.
void keepDearest(const StepModel& m, Trial& best, size_t room) {
  std::vector<int> again;
  for (const StepSequence::Call& c : sequenceOf(m, best.boundary, best.repeat).calls)
    if (c.again) again.push_back(c.node);
  std::stable_sort(again.begin(), again.end(), [&](int a, int b) { return m.nodes[size_t(a)].ns > m.nodes[size_t(b)].ns; });
  int trials = 0;
  // Whole runs of candidates first, then halves of those that did not fit.
  std::vector<std::pair<size_t, size_t>> parts{{0, again.size()}};
  while (!parts.empty() && trials < kMostTrials) {
    const auto [from, to] = parts.back();
    parts.pop_back();
    if (from >= to) continue;
    std::vector<uint8_t> repeat = best.repeat;
    for (size_t k = from; k < to; ++k) repeat[size_t(again[k])] = 0;
    ++trials;
    if (Trial t = tried(m, best.boundary, std::move(repeat)); t.peak.bytes <= room && t.ns <= best.ns) {
      best = std::move(t);
    } else if (to - from > 1) {
      parts.emplace_back((from + to) / 2, to);
      parts.emplace_back(from, (from + to) / 2);
    }
  }
}

RecomputationChoice choiceOf(const StepModel& m, StepSequence sequence) {
  RecomputationChoice c;
  std::vector<MemoryBlock> blocks;
  size_t outside = 0;
  c.sequence = std::move(sequence);
  c.peak = peakOf(m, c.sequence, &blocks, nullptr, &outside);
  c.bytes = packBlocks(blocks) + outside;
  return c;
}

/// All plans of the grid; `see` gets each.
template <typename See>
void eachTrial(const StepModel& m, const std::vector<uint8_t>& allowed, const StepPeak& peak, See&& see) {
  for (const int boundary : boundariesOf(m, peak)) {
    const Half h = halfOf(m, boundary);
    std::vector<double> prices;
    size_t all = 0;
    for (int at = 0; at <= boundary; ++at) {
      if (!allowed[size_t(at)] || !m.nodes[size_t(at)].repeatable || h.crossing[size_t(at)] == 0) continue;
      prices.push_back(m.nodes[size_t(at)].ns / double(h.crossing[size_t(at)]));
      all += h.crossing[size_t(at)];
    }
    if (prices.empty()) continue;
    std::sort(prices.begin(), prices.end());
    for (int p = 0; p < kPrices; ++p) {
      const double price = p + 1 == kPrices ? std::numeric_limits<double>::infinity() : prices[prices.size() * size_t(p + 1) / kPrices];
      size_t before = 0;
      for (int s = 0; s < kSegments; ++s) {
        // All in one segment, then ever shorter ones.
        const size_t most = s == 0 ? std::numeric_limits<size_t>::max() / 4 : size_t(double(all) * (1.05 - double(s) / kSegments));
        if (most == before) continue;
        before = most;
        see(tried(m, boundary, repeated(m, h, allowed, most, price)));
      }
    }
  }
}

}  // namespace

RecomputationChoice keepAll(const StepModel& model) { return choiceOf(model, sequenceOf(model, -1, std::vector<uint8_t>(model.nodes.size(), 0))); }

RecomputationChoice chooseRecomputation(const StepModel& model, const std::vector<uint8_t>& allowed, size_t room) {
  const StepSequence plain = sequenceOf(model, -1, std::vector<uint8_t>(model.nodes.size(), 0));
  std::vector<Trial> trials;
  eachTrial(model, allowed, peakOf(model, plain), [&](Trial t) { trials.push_back(std::move(t)); });
  const auto least = std::min_element(trials.begin(), trials.end(), [](const Trial& a, const Trial& b) { return a.peak.bytes < b.peak.bytes; });
  if (least == trials.end()) return choiceOf(model, plain);
  // An arena may need a little more than the most bytes at one time: then some room is left for that.
  size_t target = room;
  for (int attempt = 0; attempt < 4; ++attempt) {
    const Trial* best = nullptr;
    for (const Trial& t : trials)
      if (t.peak.bytes <= target && (!best || t.ns < best->ns)) best = &t;
    if (!best) break;
    Trial refined = *best;
    keepDearest(model, refined, target);
    RecomputationChoice c = choiceOf(model, sequenceOf(model, refined.boundary, refined.repeat));
    c.fits = c.bytes <= room;
    if (c.fits) return c;
    const size_t over = c.bytes - room;
    if (over >= target) break;
    target -= over;
  }
  RecomputationChoice c = choiceOf(model, sequenceOf(model, least->boundary, least->repeat));
  c.fits = c.bytes <= room;
  return c;
}

RecomputationChoice recomputeAll(const StepModel& model, const std::vector<uint8_t>& allowed) {
  RecomputationChoice best = keepAll(model);
  const size_t least = best.bytes / 20;  // a gain that is worth the time
  for (const int boundary : boundariesOf(model, best.peak)) {
    std::vector<uint8_t> repeat = allowed;
    for (size_t at = 0; at < repeat.size(); ++at) repeat[at] = repeat[at] && model.nodes[at].repeatable;
    RecomputationChoice c = choiceOf(model, sequenceOf(model, boundary, repeat));
    if (c.bytes + least < best.bytes) best = std::move(c);
  }
  return best;
}

}  // namespace weft
