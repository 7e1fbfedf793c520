// Series first: siblings of the same structure whose names differ only in a number, with no path that leaves and re-enters them. If there are still too many
// boxes, the flow is cut where only a single wire passes. The part between two cuts is a block: a node of a chain, a residual block, a cell. Runs of equal
// blocks become a series, and the rest is joined into stages.
#include "layout/blocks.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "layout/acyclic.h"

namespace weft::layout {
namespace {

constexpr int kMostSeries = 48;  // convexity tests, each linear
constexpr size_t kLongestPeriod = 12;
constexpr size_t kWidestCut = 6;
constexpr size_t kLargestBlock = 60;
constexpr size_t kWanted = 24;  // target number of boxes when stages are made
constexpr size_t kHub = 12;
constexpr double kMost = 0.4;          // of all ops, in one box
constexpr size_t kMostJoined = 4000;   // boxes among which neighbours are searched
constexpr std::int32_t kSmallOps = 8;  // of an item that may be joined to its neighbour
constexpr size_t kJoined = 16;         // small items in one box

std::uint64_t mixed(std::uint64_t h) {
  h ^= h >> 31;
  h *= 0xBF58476D1CE4E5B9ull;
  return h ^ (h >> 29);
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

struct Blocks {
  const BlockInput& in;
  std::vector<Planned> unit;  // per vertex of the contracted graph
  std::vector<std::uint64_t> structure;
  std::vector<std::int32_t> ops;
  std::vector<char> input;
  std::vector<std::vector<std::int32_t>> succ, pred;
  std::vector<std::int32_t> order, depth;

  size_t count() const { return unit.size(); }

  void start() {
    for (size_t i = 0; i < in.items.size(); ++i) {
      unit.push_back({in.items[i], {}, {}, {}});
      structure.push_back(in.structure[i]);
      ops.push_back(in.ops[i]);
      input.push_back(in.isInput[i]);
    }
    link(in.arcs);
  }

  void link(std::vector<std::pair<std::int32_t, std::int32_t>> arcs) {
    std::sort(arcs.begin(), arcs.end());
    arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
    arcs.erase(std::remove_if(arcs.begin(), arcs.end(), [](const auto& a) { return a.first == a.second; }), arcs.end());
    std::vector<char> back;
    order = acyclicOrder(static_cast<std::int32_t>(count()), arcs, back);
    succ.assign(count(), {});
    pred.assign(count(), {});
    for (size_t a = 0; a < arcs.size(); ++a) {
      if (back[a]) continue;
      succ[static_cast<size_t>(arcs[a].first)].push_back(arcs[a].second);
      pred[static_cast<size_t>(arcs[a].second)].push_back(arcs[a].first);
    }
  }

  std::vector<std::pair<std::int32_t, std::int32_t>> arcs() const {
    std::vector<std::pair<std::int32_t, std::int32_t>> out;
    for (size_t v = 0; v < succ.size(); ++v)
      for (const std::int32_t to : succ[v]) out.emplace_back(static_cast<std::int32_t>(v), to);
    return out;
  }

  /// Whether no path leaves the members and re-enters them.
  bool isConvex(const std::vector<std::int32_t>& members) const {
    std::vector<char> seen(count(), 0), member(count(), 0);
    for (const std::int32_t m : members) member[static_cast<size_t>(m)] = 1;
    std::vector<std::int32_t> stack;
    for (const std::int32_t m : members)
      for (const std::int32_t to : succ[static_cast<size_t>(m)])
        if (!member[static_cast<size_t>(to)] && !seen[static_cast<size_t>(to)]) seen[static_cast<size_t>(to)] = 1, stack.push_back(to);
    while (!stack.empty()) {
      const std::int32_t v = stack.back();
      stack.pop_back();
      for (const std::int32_t to : succ[static_cast<size_t>(v)]) {
        if (member[static_cast<size_t>(to)]) return false;
        if (!seen[static_cast<size_t>(to)]) seen[static_cast<size_t>(to)] = 1, stack.push_back(to);
      }
    }
    return true;
  }

  std::string titleOf(const Planned& p) const { return p.item >= 0 ? in.title(p.item) : p.title; }

  /// Merges each set of vertices into one, which contains them in the given order.
  void contract(const std::vector<std::vector<std::int32_t>>& sets, const std::vector<Planned>& plans) {
    std::vector<std::int32_t> to(count(), -1);
    for (size_t s = 0; s < sets.size(); ++s)
      for (const std::int32_t v : sets[s]) to[static_cast<size_t>(v)] = static_cast<std::int32_t>(s);
    std::vector<Planned> units;
    std::vector<std::uint64_t> structures;
    std::vector<std::int32_t> sums;
    std::vector<char> inputs;
    std::vector<std::int32_t> of(count(), -1), made(sets.size(), -1);
    for (size_t v = 0; v < count(); ++v) {
      if (to[v] < 0) {
        of[v] = static_cast<std::int32_t>(units.size());
        units.push_back(std::move(unit[v]));
        structures.push_back(structure[v]);
        sums.push_back(ops[v]);
        inputs.push_back(input[v]);
        continue;
      }
      auto& place = made[static_cast<size_t>(to[v])];
      if (place < 0) {
        place = static_cast<std::int32_t>(units.size());
        units.push_back(plans[static_cast<size_t>(to[v])]);
        structures.push_back(0);
        sums.push_back(0);
        inputs.push_back(input[v]);
      }
      of[v] = place;
      sums[static_cast<size_t>(place)] += ops[v];
      inputs[static_cast<size_t>(place)] &= input[v];
      structures[static_cast<size_t>(place)] += mixed(structure[v] + 3);
    }
    auto list = arcs();
    for (auto& [a, b] : list) a = of[static_cast<size_t>(a)], b = of[static_cast<size_t>(b)];
    unit = std::move(units);
    structure = std::move(structures);
    ops = std::move(sums);
    input = std::move(inputs);
    link(std::move(list));
  }

  void findSeries() {
    const bool many = static_cast<int>(count()) > in.budget;
    const size_t least = static_cast<size_t>(many ? 3 : in.series);
    std::unordered_map<std::uint64_t, std::vector<std::int32_t>> alike;
    // Single nodes show the computation and inputs its data: while there is room, nodes are folded only if they lie in parallel between the same two.
    for (size_t v = 0; v < count(); ++v) {
      if (input[v] || unit[v].item < 0) continue;
      std::uint64_t kind = structure[v];
      if (!many && ops[v] <= 1) {
        if (pred[v].empty() && succ[v].empty()) continue;
        kind = mixed(kind ^ 0x5bd1e995);
        for (const std::int32_t p : pred[v]) kind += mixed(static_cast<std::uint64_t>(p) * 2 + 1);
        for (const std::int32_t s : succ[v]) kind += mixed(static_cast<std::uint64_t>(s) * 2 + 0x100000001ull);
      }
      alike[kind].push_back(static_cast<std::int32_t>(v));
    }
    std::vector<std::vector<std::int32_t>> candidates;
    for (auto& [hash, list] : alike) {
      if (list.size() < least) continue;
      std::unordered_map<std::string, std::vector<std::int32_t>> byStem;
      for (const std::int32_t v : list) byStem[stemOf(titleOf(unit[static_cast<size_t>(v)]))].push_back(v);
      for (auto& [stem, members] : byStem)
        if (members.size() >= least) candidates.push_back(std::move(members));
    }
    std::sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() > b.size() : a < b; });
    if (candidates.size() > static_cast<size_t>(kMostSeries)) candidates.resize(static_cast<size_t>(kMostSeries));
    // Each contraction renumbers the vertices, so members are kept by item.
    std::vector<std::vector<std::int32_t>> byItem;
    for (const auto& c : candidates) {
      byItem.emplace_back();
      for (const std::int32_t v : c) byItem.back().push_back(unit[static_cast<size_t>(v)].item);
    }
    for (const auto& items : byItem) {
      std::unordered_map<std::int32_t, std::int32_t> at;
      for (size_t v = 0; v < count(); ++v)
        if (unit[v].item >= 0) at.emplace(unit[v].item, static_cast<std::int32_t>(v));
      std::vector<std::int32_t> members;
      for (const std::int32_t item : items) members.push_back(at.at(item));
      if (!isConvex(members)) continue;
      Planned series;
      series.kind = Group::Kind::Series;
      std::vector<std::string> titles;
      for (const std::int32_t m : members) {
        titles.push_back(titleOf(unit[static_cast<size_t>(m)]));
        series.parts.push_back(unit[static_cast<size_t>(m)]);
      }
      series.title = commonTitle(titles);
      contract({members}, {series});
    }
  }

  // --- small items

  /// Joins small items to their only reader or their only source, until there is room. Neither creates a cycle.
  void joinSmall() {
    std::vector<std::int32_t> root(count());
    std::iota(root.begin(), root.end(), 0);
    const auto find = [&](std::int32_t v) {
      while (root[static_cast<size_t>(v)] != v) v = root[static_cast<size_t>(v)] = root[static_cast<size_t>(root[static_cast<size_t>(v)])];
      return v;
    };
    std::vector<size_t> size(count(), 1);
    size_t boxes = count();
    const auto isSmall = [&](std::int32_t v) {
      return ops[static_cast<size_t>(v)] <= kSmallOps && !input[static_cast<size_t>(v)] && unit[static_cast<size_t>(v)].item >= 0;
    };
    for (const size_t most : {size_t{3}, size_t{6}, kJoined}) {
      for (auto it = order.rbegin(); it != order.rend() && boxes > static_cast<size_t>(in.budget); ++it) {
        const std::int32_t v = *it;
        if (!isSmall(v)) continue;
        // All its outputs go to one box, or all its inputs come from one.
        for (const auto* side : {&succ[static_cast<size_t>(v)], &pred[static_cast<size_t>(v)]}) {
          if (side->empty()) continue;
          const std::int32_t a = find(v), b = find(side->front());
          if (a == b || !isSmall(side->front()) || size[static_cast<size_t>(a)] + size[static_cast<size_t>(b)] > most) continue;
          if (size[static_cast<size_t>(a)] > 1 && side == &pred[static_cast<size_t>(v)]) continue;
          if (!std::all_of(side->begin(), side->end(), [&](std::int32_t o) { return find(o) == b; })) continue;
          if (side == &succ[static_cast<size_t>(v)] && !feedsOnly(a, b, find)) continue;
          root[static_cast<size_t>(a)] = b;
          size[static_cast<size_t>(b)] += size[static_cast<size_t>(a)];
          --boxes;
          break;
        }
      }
    }
    std::unordered_map<std::int32_t, std::vector<std::int32_t>> sets;
    for (const std::int32_t v : order) sets[find(v)].push_back(v);
    std::vector<std::vector<std::int32_t>> members;
    std::vector<Planned> plans;
    for (const std::int32_t v : order) {
      auto it = sets.find(v);
      if (it == sets.end() || it->second.size() < 2) continue;
      Planned p = boxOf(it->second, Group::Kind::Stage);
      p.title = titleOf(unit[static_cast<size_t>(it->second.back())]);  // the last one, which gives the output
      plans.push_back(std::move(p));
      members.push_back(it->second);
    }
    if (!members.empty()) contract(members, plans);
  }

  template <typename Find>
  bool feedsOnly(std::int32_t box, std::int32_t to, Find&& find) const {
    for (size_t v = 0; v < count(); ++v) {
      if (find(static_cast<std::int32_t>(v)) != box) continue;
      for (const std::int32_t s : succ[v])
        if (find(s) != box && find(s) != to) return false;
    }
    return true;
  }

  // --- the chain

  void findDepths() {
    depth.assign(count(), 0);
    for (const std::int32_t v : order)
      for (const std::int32_t to : succ[static_cast<size_t>(v)])
        depth[static_cast<size_t>(to)] = std::max(depth[static_cast<size_t>(to)], depth[static_cast<size_t>(v)] + 1);
    // A vertex without inputs lies beside its first reader.
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      const auto v = static_cast<size_t>(*it);
      if (!pred[v].empty() || succ[v].empty()) continue;
      std::int32_t least = std::numeric_limits<std::int32_t>::max();
      for (const std::int32_t to : succ[v]) least = std::min(least, depth[static_cast<size_t>(to)]);
      depth[v] = std::max(depth[v], least - 1);
    }
  }

  /// Number of wires between each depth and the next, without those of hubs and of vertices without inputs.
  std::vector<size_t> crossings(std::int32_t deepest) const {
    std::vector<std::int64_t> change(static_cast<size_t>(deepest) + 2, 0);
    for (size_t v = 0; v < count(); ++v) {
      if (succ[v].empty() || succ[v].size() > kHub || (pred[v].empty() && depth[v] > 0)) continue;
      std::int32_t last = depth[v];
      for (const std::int32_t to : succ[v]) {
        // A loss that reads every layer for its regularizer does not tie the layers together.
        const bool gathers = pred[static_cast<size_t>(to)].size() > kHub && depth[static_cast<size_t>(to)] > depth[v] + 1;
        if (!gathers) last = std::max(last, depth[static_cast<size_t>(to)]);
      }
      ++change[static_cast<size_t>(depth[v])];
      --change[static_cast<size_t>(last)];
    }
    std::vector<size_t> crossing(static_cast<size_t>(deepest) + 1, 0);
    std::int64_t sum = 0;
    for (size_t d = 0; d < crossing.size(); ++d) {
      sum += change[d];
      crossing[d] = static_cast<size_t>(std::max<std::int64_t>(0, sum));
    }
    return crossing;
  }

  /// Vertices between the cuts, in order.
  std::vector<std::vector<std::int32_t>> segments() {
    findDepths();
    const std::int32_t deepest = count() == 0 ? 0 : *std::max_element(depth.begin(), depth.end());
    const std::vector<size_t> crossing = crossings(deepest);
    std::vector<std::vector<std::int32_t>> best;
    size_t bestLargest = std::numeric_limits<size_t>::max();
    for (size_t width = 1; width <= kWidestCut; ++width) {
      std::vector<std::int32_t> segmentOf(crossing.size(), 0);
      for (size_t d = 1; d < crossing.size(); ++d) segmentOf[d] = segmentOf[d - 1] + (crossing[d - 1] <= width ? 1 : 0);
      std::vector<std::vector<std::int32_t>> found(static_cast<size_t>(segmentOf.empty() ? 0 : segmentOf.back() + 1));
      for (const std::int32_t v : order) found[static_cast<size_t>(segmentOf[static_cast<size_t>(depth[static_cast<size_t>(v)])])].push_back(v);
      size_t largest = 0;
      for (const auto& s : found) largest = std::max(largest, s.size());
      if (largest < bestLargest) {
        bestLargest = largest;
        best = std::move(found);
      }
      if (bestLargest <= kLargestBlock) break;
    }
    best.erase(std::remove_if(best.begin(), best.end(), [](const auto& s) { return s.empty(); }), best.end());
    return best;
  }

  /// One box of the chain: some of its segments, or a series of equal runs of them.
  struct Piece {
    std::vector<size_t> segments;
    size_t repeats = 1;
  };

  std::vector<Piece> findRuns(const std::vector<std::uint64_t>& hash, size_t least) const {
    std::vector<Piece> pieces;
    for (size_t i = 0; i < hash.size();) {
      size_t bestPeriod = 0, bestRepeats = 1;
      for (size_t p = 1; p <= kLongestPeriod && i + 2 * p <= hash.size(); ++p) {
        size_t r = 1;
        while (i + (r + 1) * p <= hash.size() && std::equal(hash.begin() + static_cast<std::ptrdiff_t>(i), hash.begin() + static_cast<std::ptrdiff_t>(i + p),
                                                            hash.begin() + static_cast<std::ptrdiff_t>(i + r * p)))
          ++r;
        if (r >= least && r * p > bestRepeats * bestPeriod) bestPeriod = p, bestRepeats = r;
      }
      Piece piece;
      piece.repeats = bestPeriod > 0 ? bestRepeats : 1;
      const size_t length = bestPeriod > 0 ? bestPeriod * bestRepeats : 1;
      for (size_t k = 0; k < length; ++k) piece.segments.push_back(i + k);
      pieces.push_back(std::move(piece));
      i += length;
    }
    return pieces;
  }

  /// The title of a block: its first informative member, `res4b` from `res4b_branch2a`, rather than a preceding `Reshape`.
  std::string leadOf(const std::vector<std::int32_t>& vertices, bool last = false) const {
    std::int32_t most = 0;
    for (const std::int32_t v : vertices) most = std::max(most, ops[static_cast<size_t>(v)]);
    std::string found;
    int best = 0;
    for (const std::int32_t v : vertices) {
      const std::string title = titleOf(unit[static_cast<size_t>(v)]);
      const int score = 1 + (ops[static_cast<size_t>(v)] > 1 || most <= 1 ? 2 : 0) + (isPlainTitle(title) ? 0 : 4);
      if (score < best || (score == best && !last)) continue;
      best = score;
      found = title;
    }
    const size_t cut = found.find_first_of("_.");
    const bool tells = cut != found.npos && cut >= 3 && std::any_of(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(cut), isDigit);
    return tells ? found.substr(0, cut) : found;
  }

  Planned boxOf(const std::vector<std::int32_t>& vertices, Group::Kind kind) const {
    if (vertices.size() == 1) return unit[static_cast<size_t>(vertices.front())];
    Planned p;
    p.kind = kind;
    std::vector<std::string> titles;
    for (const std::int32_t v : vertices) {
      titles.push_back(titleOf(unit[static_cast<size_t>(v)]));
      p.parts.push_back(unit[static_cast<size_t>(v)]);
    }
    p.title = commonTitle(titles);
    if (kind != Group::Kind::Series && p.title.find(" … ") != std::string::npos) {
      // `res5a … bn5a` are two names of one block.
      const std::string first = leadOf(vertices), last = leadOf(vertices, true);
      const bool same = first.size() > 2 && last.size() > 2 && first.substr(first.size() - 2) == last.substr(last.size() - 2);
      p.title = same ? first : commonTitle({first, last});
    }
    return p;
  }

  static std::vector<std::int32_t> joined(const std::vector<std::vector<std::int32_t>>& segments, const std::vector<size_t>& which, size_t first,
                                          size_t count) {
    std::vector<std::int32_t> all;
    for (size_t k = first; k < first + count; ++k) all.insert(all.end(), segments[which[k]].begin(), segments[which[k]].end());
    return all;
  }

  std::vector<Planned> cutChain() {
    const auto parts = segments();
    std::vector<std::uint64_t> hash;
    for (const auto& s : parts) {
      std::uint64_t h = s.size();
      for (const std::int32_t v : s) h += mixed(structure[static_cast<size_t>(v)]);
      hash.push_back(h);
    }
    const auto boxes = [&](const std::vector<Piece>& pieces) {
      size_t n = 0;
      for (const Piece& p : pieces) n += p.repeats > 1 ? 1 : parts[p.segments.front()].size();
      return n;
    };
    std::vector<Piece> pieces = findRuns(hash, 3);
    if (boxes(pieces) > static_cast<size_t>(in.budget)) pieces = findRuns(hash, 2);
    const bool stages = boxes(pieces) > static_cast<size_t>(in.budget);
    // A block between two cuts is one box. If there are still too many, neighbours are joined.
    const size_t share = pieces.size() <= static_cast<size_t>(in.budget) ? 1 : (pieces.size() + kWanted - 1) / kWanted;
    size_t held = 0;
    const double all = std::accumulate(ops.begin(), ops.end(), 0.0);
    const auto isMost = [&](const std::vector<std::int32_t>& s) {
      double sum = 0;
      for (const std::int32_t v : s) sum += ops[static_cast<size_t>(v)];
      return s.size() > 1 && sum > kMost * all;
    };
    std::vector<Planned> plan;
    std::vector<std::int32_t> open;  // of the stage being filled
    const auto close = [&] {
      if (open.empty()) return;
      if (stages && open.size() > 1) plan.push_back(boxOf(open, Group::Kind::Stage));
      else
        for (const std::int32_t v : open) plan.push_back(unit[static_cast<size_t>(v)]);
      open.clear();
      held = 0;
    };
    for (const Piece& piece : pieces) {
      if (piece.repeats == 1) {
        const auto& s = parts[piece.segments.front()];
        if (stages && isMost(s)) {  // a box that contains nearly everything is useless
          close();
          for (const std::int32_t v : s) plan.push_back(unit[static_cast<size_t>(v)]);
          continue;
        }
        open.insert(open.end(), s.begin(), s.end());
        if (!stages || ++held >= share) close();
        continue;
      }
      close();
      Planned series;
      series.kind = Group::Kind::Series;
      const size_t period = piece.segments.size() / piece.repeats;
      std::vector<std::string> titles;
      for (size_t r = 0; r < piece.repeats; ++r) {
        const auto block = joined(parts, piece.segments, r * period, period);
        series.parts.push_back(boxOf(block, Group::Kind::Block));
        titles.push_back(leadOf(block));
      }
      series.title = commonTitle(titles);
      plan.push_back(std::move(series));
    }
    close();
    return plan;
  }

  std::vector<Planned> run() {
    start();
    for (size_t before = 0; before != count();) {  // vertices that were parallel to different members of a series may now be parallel to one box
      before = count();
      findSeries();
    }
    if (static_cast<int>(count()) <= in.budget) return std::move(unit);
    std::vector<Planned> plan = cutChain();
    if (static_cast<int>(plan.size()) <= in.budget || count() > kMostJoined) return plan;
    joinSmall();
    return static_cast<int>(count()) <= in.budget ? std::move(unit) : cutChain();
  }
};

}  // namespace

std::vector<Planned> planBlocks(const BlockInput& input) { return Blocks{input, {}, {}, {}, {}, {}, {}, {}, {}}.run(); }

}  // namespace weft::layout
