// Pairs the nodes of two graphs whatever they are called, in time proportional to the number of wires.
//
// Every node gets three hashes that no name enters: of itself (op, attributes), of everything that it is computed from, and of everything that is computed from
// it. Nodes for which all three are unique and equal in both graphs are pairs. An edit changes the second hash of all nodes below and the third of all above
// it, so the other pairs are found from those known: the producers of a pair's inputs and the readers of its outputs are compared, first by strict keys, then by
// looser ones, finally across one inserted or removed node.
#include <algorithm>
#include <functional>
#include <unordered_map>

#include "weft/defects.h"
#include "weft/diff.h"

namespace weft {
namespace {

using Hash = uint64_t;

Hash mixed(Hash h, Hash with) {
  h ^= with + 0x9e3779b97f4a7c15ULL + (h << 6) + (h >> 2);
  h ^= h >> 30;
  h *= 0xbf58476d1ce4e5b9ULL;
  return h ^ (h >> 27);
}
Hash textHash(std::string_view text) { return std::hash<std::string_view>()(text); }

Hash tensorHash(const Tensor& t) {
  Hash h = mixed(Hash(t.dtype()), textHash(t.shape().toString()));
  if (sizeOf(t.dtype()) > 0 && t.raw()) return mixed(h, textHash(std::string_view(static_cast<const char*>(t.raw()), t.bytes())));
  if (t.dtype() == DType::String)
    for (const std::string& s : t.flat<std::string>()) h = mixed(h, textHash(s));
  return h;
}

Hash attrHash(const Attr& attr) {
  Hash h = attr.value.index();
  if (const auto* text = attr.get<std::string>()) return mixed(h, textHash(*text));
  if (const auto* number = attr.get<int64_t>()) return mixed(h, Hash(*number));
  if (const auto* flag = attr.get<bool>()) return mixed(h, Hash(*flag));
  if (const auto* type = attr.get<DType>()) return mixed(h, Hash(*type));
  if (const auto* shape = attr.get<Shape>()) {
    if (!shape->hasRank()) return mixed(h, 1000);
    for (const int64_t dim : shape->dims()) h = mixed(h, Hash(dim));
    return mixed(h, Hash(shape->rank()));
  }
  if (const auto* tensor = attr.get<Tensor>()) return mixed(h, tensorHash(*tensor));
  if (const auto* numbers = attr.get<std::vector<int64_t>>()) {
    for (const int64_t v : *numbers) h = mixed(h, Hash(v));
    return h;
  }
  return mixed(h, textHash(attr.toString()));
}

/// Attributes that hold names of nodes, which may differ.
bool holdsName(const std::string& attribute) { return attribute == "_class" || attribute == "shared_name" || attribute == "container"; }

/// One reader of a node: its output, the reader, and which of its inputs. Control wires have output -1.
struct MatchedReader {
  int output, node, input;
};

/// A graph with what the comparison needs of it.
struct MatchedSide {
  explicit MatchedSide(const Graph& graph)
      : graph(graph), size(size_t(graph.size())), own(size), above(size), below(size), near(size), readers(size), pair(size, -1), usable(size) {
    for (size_t id = 0; id < size; ++id) usable[id] = graph.node(int(id)) && !isMissing(*graph.node(int(id)));
    for (size_t id = 0; id < size; ++id) {
      const Node* n = node(int(id));
      if (!n) continue;
      Hash h = mixed(textHash(n->op), n->inputs.size());
      for (const auto& [name, value] : n->attrs)
        if (!holdsName(name)) h = mixed(mixed(h, textHash(name)), attrHash(value));
      own[id] = h;
      for (size_t i = 0; i < n->inputs.size(); ++i)
        if (node(n->inputs[i].node)) readers[size_t(n->inputs[i].node)].push_back({n->inputs[i].index, int(id), int(i)});
      for (const int c : n->controls)
        if (node(c)) readers[size_t(c)].push_back({-1, int(id), -1});
    }
    hashAround();
  }

  const Node* node(int id) const { return id >= 0 && usable[size_t(id)] ? graph.node(id) : nullptr; }
  bool free(int id) const { return id >= 0 && usable[size_t(id)] && pair[size_t(id)] < 0; }

  /// Combines the hashes of a node's inputs, and those of its readers whatever their order.
  Hash overInputs(int id, const std::vector<Hash>& of) const {
    const Node& n = *graph.node(id);
    Hash h = own[size_t(id)], waits = 0;
    const auto at = [&](int producer) { return producer < 0 ? 0 : of[size_t(producer)] ? of[size_t(producer)] : own[size_t(producer)]; };  // 0: a back edge
    for (const Output o : n.inputs) h = mixed(mixed(h, at(o.node)), Hash(o.index));
    for (const int c : n.controls) waits += mixed(7, at(c));
    return mixed(h, waits);
  }
  Hash overReaders(int id, const std::vector<Hash>& of) const {
    Hash sum = 0;
    for (const MatchedReader& r : readers[size_t(id)]) {
      const Hash h = of[size_t(r.node)] ? of[size_t(r.node)] : own[size_t(r.node)];
      sum += mixed(mixed(h, Hash(r.output)), Hash(r.input));
    }
    return mixed(own[size_t(id)], sum);
  }

  void hashAround() {
    std::vector<int> order;
    if (auto sorted = graph.topologicalOrder(); sorted.ok()) order = std::move(*sorted);
    else
      for (size_t id = 0; id < size; ++id) order.push_back(int(id));
    for (const int id : order)
      if (node(id)) live.push_back(id);
    for (const int id : live) above[size_t(id)] = overInputs(id, above);
    for (auto id = live.rbegin(); id != live.rend(); ++id) below[size_t(*id)] = overReaders(*id, below);
    std::vector<Hash> last = own;
    for (int round = 0; round < 2; ++round) {
      for (const int id : live) near[size_t(id)] = mixed(overInputs(id, last), overReaders(id, last));
      last = near;
    }
  }

  const Graph& graph;
  const size_t size;
  std::vector<Hash> own, above, below, near;  ///< Itself; with all that it is computed from; with all computed from it; with neighbours at distance 2.
  std::vector<std::vector<MatchedReader>> readers;
  std::vector<int> pair;     ///< Id in the other graph, or -1.
  std::vector<char> usable;  ///< Whether there is a node that is not a stand-in for a missing one.
  std::vector<int> live;     ///< Ids, producers first.
};

class StructureMatcher {
 public:
  StructureMatcher(const Graph& a, const Graph& b) : a_(a), b_(b) {}

  std::vector<int> match() {
    pairUnique([](const MatchedSide& s, int id) { return mixed(s.above[size_t(id)], s.below[size_t(id)]); });
    pairNames();
    spread(kStrict);
    pairUnique([](const MatchedSide& s, int id) { return s.above[size_t(id)]; });
    pairUnique([](const MatchedSide& s, int id) { return s.below[size_t(id)]; });
    spread(kSameNode);
    pairUnique([](const MatchedSide& s, int id) { return s.near[size_t(id)]; });
    spread(kAcrossOne);
    // What is still equal is symmetric, or repeats: taken in order.
    pairInOrder([](const MatchedSide& s, int id) { return mixed(s.above[size_t(id)], s.below[size_t(id)]); });
    spread(kAcrossOne);
    pairInOrder([](const MatchedSide& s, int id) { return s.near[size_t(id)]; });
    spread(kAcrossOne);
    pairReplaced();
    return std::move(a_.pair);
  }

 private:
  enum Level { kStrict, kNeighbours, kSameNode, kSameOp, kAcrossOne };
  static constexpr size_t kMostAcross = 64;  ///< Readers that are compared across an inserted node: among more, one is hardly told from another.

  void join(int x, int y) {
    a_.pair[size_t(x)] = y;
    b_.pair[size_t(y)] = x;
    work_.push_back(x);
  }

  template <typename Key>
  std::unordered_map<Hash, std::vector<int>> grouped(const MatchedSide& side, Key&& key) const {
    std::unordered_map<Hash, std::vector<int>> out;
    for (const int id : side.live)
      if (side.free(id)) out[key(side, id)].push_back(id);
    return out;
  }
  template <typename Key>
  void pairUnique(Key&& key) {
    const auto left = grouped(a_, key), right = grouped(b_, key);
    for (const auto& [hash, ids] : left)
      if (const auto at = right.find(hash); ids.size() == 1 && at != right.end() && at->second.size() == 1) join(ids[0], at->second[0]);
  }
  template <typename Key>
  void pairInOrder(Key&& key) {
    const auto left = grouped(a_, key), right = grouped(b_, key);
    for (const auto& [hash, ids] : left)
      if (const auto at = right.find(hash); at != right.end() && at->second.size() == ids.size())
        for (size_t i = 0; i < ids.size(); ++i) join(ids[i], at->second[i]);
  }
  /// Nodes that kept their name and are otherwise equal.
  void pairNames() {
    for (const int x : a_.live) {
      if (!a_.free(x)) continue;
      const Node* other = b_.graph.find(a_.node(x)->name);
      if (other && b_.free(other->id) && a_.own[size_t(x)] == b_.own[size_t(other->id)]) join(x, other->id);
    }
  }

  static Hash keyOf(const MatchedSide& side, int id, int level) {
    const size_t i = size_t(id);
    switch (level) {
      case kStrict: return mixed(side.above[i], side.below[i]);
      case kNeighbours: return side.near[i];
      case kSameNode: return side.own[i];
      default: return textHash(side.node(id)->op);
    }
  }

  /// Pairs candidates whose key is unique on both sides. The keys in `left` and `right` are computed by the caller.
  using Candidates = std::vector<std::pair<Hash, int>>;
  void pairCandidates(Candidates& left, Candidates& right) {
    std::sort(left.begin(), left.end());
    std::sort(right.begin(), right.end());
    const auto same = [](const Candidates& c, size_t i) {
      size_t end = i + 1;
      while (end < c.size() && c[end].first == c[i].first) ++end;
      return end;
    };
    for (size_t i = 0, k = 0; i < left.size() && k < right.size();) {
      const size_t iEnd = same(left, i), kEnd = same(right, k);
      if (left[i].first < right[k].first) {
        i = iEnd;
      } else if (right[k].first < left[i].first) {
        k = kEnd;
      } else {
        if (iEnd - i == 1 && kEnd - k == 1 && a_.free(left[i].second) && b_.free(right[k].second)) join(left[i].second, right[k].second);
        i = iEnd;
        k = kEnd;
      }
    }
  }

  void matchReaders(int x, int y, int level) {
    const auto collect = [&](const MatchedSide& side, int id, Candidates* out) {
      out->clear();
      for (const MatchedReader& r : side.readers[size_t(id)])
        if (side.free(r.node)) out->emplace_back(mixed(mixed(keyOf(side, r.node, level), Hash(r.output)), Hash(r.input)), r.node);
    };
    collect(a_, x, &left_);
    if (left_.empty()) return;
    collect(b_, y, &right_);
    if (!right_.empty()) pairCandidates(left_, right_);
  }

  /// Whether a neighbour is not paired yet.
  static bool hasFree(const MatchedSide& side, int id) {
    for (const MatchedReader& r : side.readers[size_t(id)])
      if (side.free(r.node)) return true;
    for (const Output o : side.node(id)->inputs)
      if (side.free(o.node)) return true;
    return false;
  }

  void matchProducers(int x, int y, int level) {
    const Node &n = *a_.node(x), &m = *b_.node(y);
    for (size_t i = 0; i < std::min(n.inputs.size(), m.inputs.size()); ++i) {
      const Output p = n.inputs[i], q = m.inputs[i];
      if (p.index == q.index && a_.free(p.node) && b_.free(q.node) && keyOf(a_, p.node, level) == keyOf(b_, q.node, level)) join(p.node, q.node);
    }
  }

  /// One node was inserted below y (or removed below x): its readers stand where the other's readers stand.
  void matchAcross(int x, int y) {
    const auto collect = [](const MatchedSide& side, int id, Candidates* out) {
      out->clear();
      for (const MatchedReader& c : side.readers[size_t(id)]) {
        if (!side.free(c.node) || c.output < 0) continue;
        out->emplace_back(mixed(side.own[size_t(c.node)], Hash(c.input)), c.node);
        if (out->size() >= kMostAcross) return;
      }
    };
    const auto step = [&](const MatchedSide& near, int from, const MatchedSide& other, int to, bool swapped) {
      Candidates beside;  // collected once: `from` and `to` may have tens of thousands of readers each
      collect(other, to, &beside);
      if (beside.empty() || beside.size() >= kMostAcross) return;
      Candidates &below = swapped ? right_ : left_, &same = swapped ? left_ : right_;
      for (const MatchedReader& r : near.readers[size_t(from)]) {
        if (!near.free(r.node) || r.output < 0 || near.node(r.node)->inputs.size() != 1) continue;
        collect(near, r.node, &below);
        if (below.empty()) continue;
        same.clear();
        for (const auto& candidate : beside)
          if (other.free(candidate.second)) same.push_back(candidate);
        if (same.empty()) return;
        if (below.size() + same.size() < kMostAcross) pairCandidates(left_, right_);
      }
    };
    step(a_, x, b_, y, false);
    step(b_, y, a_, x, true);
  }

  /// Another op in the same place: its first producer and a reader are pairs, and nothing else reads there.
  void pairReplaced() {
    const auto onlyReader = [](const MatchedSide& side, Output from, int input) {
      int found = -1;
      for (const MatchedReader& r : side.readers[size_t(from.node)]) {
        if (r.output != from.index || r.input != input || !side.free(r.node)) continue;
        if (found >= 0) return -1;
        found = r.node;
      }
      return found;
    };
    for (const int x : a_.live) {
      const Node& n = *a_.node(x);
      if (!a_.free(x) || n.inputs.empty() || !a_.node(n.inputs[0].node)) continue;
      const int q = a_.pair[size_t(n.inputs[0].node)];
      if (q < 0 || onlyReader(a_, n.inputs[0], 0) != x) continue;
      const int y = onlyReader(b_, {q, n.inputs[0].index}, 0);
      if (y < 0) continue;
      const auto& others = b_.readers[size_t(y)];
      const bool sameReader = std::any_of(a_.readers[size_t(x)].begin(), a_.readers[size_t(x)].end(), [&](const MatchedReader& r) {
        const int paired = a_.pair[size_t(r.node)];
        return paired >= 0 && std::any_of(others.begin(), others.end(), [&](const MatchedReader& o) { return o.node == paired && o.input == r.input; });
      });
      if (sameReader) join(x, y);
    }
  }

  /// Finds pairs beside known ones until there are no more, with keys up to `loosest`.
  void spread(Level loosest) {
    for (int level = kStrict; level <= loosest; ++level) {
      work_.clear();
      for (const int x : a_.live)
        if (a_.pair[size_t(x)] >= 0) work_.push_back(x);
      for (size_t i = 0; i < work_.size(); ++i) {
        const int x = work_[i], y = a_.pair[size_t(x)];
        if (!hasFree(a_, x) || !hasFree(b_, y)) continue;  // true of few: most nodes stand among pairs
        for (int l = kStrict; l <= std::min<int>(level, kSameOp); ++l) {
          matchProducers(x, y, l);
          matchReaders(x, y, l);
        }
        if (level == kAcrossOne) matchAcross(x, y);
      }
    }
    work_.clear();
  }

  MatchedSide a_, b_;
  std::vector<int> work_;
  Candidates left_, right_;
};

}  // namespace

std::vector<int> matchByStructure(const Graph& a, const Graph& b) { return StructureMatcher(a, b).match(); }

}  // namespace weft
