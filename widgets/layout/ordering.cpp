// Order within the layers: barycentres, keeping the model's (or the remembered) order wherever a change gains nothing.
#include <algorithm>
#include <limits>
#include <numeric>

#include "layout/container_layout.h"

namespace weft::layout {
namespace {

constexpr size_t kFew = 600;    // vertices up to which several initial orders are tried
constexpr size_t kSifted = 80;  // of a layer

struct Ordering {
  const ContainerProblem& p;
  Layers& out;
  std::vector<std::int32_t> position;              // of each vertex in its layer
  std::vector<std::int32_t> predStart, succStart;  // hops sorted by b and by a, as ranges
  std::vector<std::int32_t> predHops, succHops;
  std::vector<double> value;
  std::vector<char> known;
  std::vector<float> remembered;

  size_t count() const { return out.vertices.size(); }

  void index() {
    predStart.assign(count() + 1, 0);
    succStart.assign(count() + 1, 0);
    for (const Hop& hop : out.hops) {
      ++predStart[static_cast<size_t>(hop.b) + 1];
      ++succStart[static_cast<size_t>(hop.a) + 1];
    }
    std::partial_sum(predStart.begin(), predStart.end(), predStart.begin());
    std::partial_sum(succStart.begin(), succStart.end(), succStart.begin());
    predHops.resize(out.hops.size());
    succHops.resize(out.hops.size());
    std::vector<std::int32_t> p1 = predStart, s1 = succStart;
    for (size_t h = 0; h < out.hops.size(); ++h) {
      predHops[static_cast<size_t>(p1[static_cast<size_t>(out.hops[h].b)]++)] = static_cast<std::int32_t>(h);
      succHops[static_cast<size_t>(s1[static_cast<size_t>(out.hops[h].a)]++)] = static_cast<std::int32_t>(h);
    }
  }

  void number(const std::vector<std::int32_t>& layer) {
    for (size_t i = 0; i < layer.size(); ++i) position[static_cast<size_t>(layer[i])] = static_cast<std::int32_t>(i);
  }

  // Depth-first in the model's order, so that chains lie next to their neighbours.
  void initial() {
    std::vector<char> seen(count(), 0);
    std::vector<std::int32_t> stack;
    for (size_t start = 0; start < count(); ++start) {
      const bool isSource = predStart[start] == predStart[start + 1];
      if (!isSource || seen[start]) continue;
      stack.push_back(static_cast<std::int32_t>(start));
      while (!stack.empty()) {
        const auto v = static_cast<size_t>(stack.back());
        stack.pop_back();
        if (seen[v]) continue;
        seen[v] = 1;
        out.layers[static_cast<size_t>(out.vertices[v].layer)].push_back(static_cast<std::int32_t>(v));
        for (std::int32_t i = succStart[v + 1] - 1; i >= succStart[v]; --i) {
          const std::int32_t b = out.hops[static_cast<size_t>(succHops[static_cast<size_t>(i)])].b;
          if (!seen[static_cast<size_t>(b)]) stack.push_back(b);
        }
      }
    }
    position.assign(count(), 0);
    for (const auto& layer : out.layers) number(layer);
  }

  bool recall(const ContainerMemory::Places* seed) {
    known.assign(count(), 0);
    remembered.assign(count(), 0);
    if (seed == nullptr || seed->empty()) return false;
    size_t found = 0;
    for (size_t v = 0; v < count(); ++v) {
      const auto it = seed->find(out.vertices[v].key);
      if (it == seed->end()) continue;
      known[v] = 1;
      remembered[v] = it->second;
      ++found;
    }
    if (found < count()) return false;
    for (auto& layer : out.layers) {
      std::stable_sort(layer.begin(), layer.end(),
                       [this](std::int32_t a, std::int32_t b) { return remembered[static_cast<size_t>(a)] < remembered[static_cast<size_t>(b)]; });
      number(layer);
    }
    return true;
  }

  void sortLayer(std::vector<std::int32_t>& layer, bool fromLeft) {
    for (const std::int32_t v : layer) {
      const auto i = static_cast<size_t>(v);
      const std::int32_t begin = fromLeft ? predStart[i] : succStart[i], end = fromLeft ? predStart[i + 1] : succStart[i + 1];
      double sum = 0, weight = 0;
      for (std::int32_t k = begin; k < end; ++k) {
        const Hop& hop = out.hops[static_cast<size_t>((fromLeft ? predHops : succHops)[static_cast<size_t>(k)])];
        const std::int32_t other = fromLeft ? hop.a : hop.b;
        const double size = std::max<double>(1, static_cast<double>(out.layers[static_cast<size_t>(out.vertices[static_cast<size_t>(other)].layer)].size()));
        const double w = std::min(8.F, hop.weight);  // the spine should be straight, not first
        sum += w * (position[static_cast<size_t>(other)] + 0.5) / size;
        weight += w;
      }
      value[i] = weight > 0 ? sum / weight : (position[i] + 0.5) / static_cast<double>(layer.size());
    }
    // Known vertices keep their order: their values must not decrease downwards.
    std::vector<std::int32_t> old;
    for (const std::int32_t v : layer)
      if (known[static_cast<size_t>(v)]) old.push_back(v);
    std::stable_sort(old.begin(), old.end(),
                     [this](std::int32_t a, std::int32_t b) { return remembered[static_cast<size_t>(a)] < remembered[static_cast<size_t>(b)]; });
    double least = -std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < old.size(); ++i) {
      least = std::max(least, value[static_cast<size_t>(old[i])]);
      value[static_cast<size_t>(old[i])] = least;
      position[static_cast<size_t>(old[i])] = static_cast<std::int32_t>(i);  // breaks ties among them
    }
    std::stable_sort(layer.begin(), layer.end(), [this](std::int32_t a, std::int32_t b) {
      const auto x = static_cast<size_t>(a), y = static_cast<size_t>(b);
      if (value[x] != value[y]) return value[x] < value[y];
      return known[x] && known[y] && position[x] < position[y];
    });
    number(layer);
  }

  std::int64_t crossings() const {
    std::int64_t total = 0;
    std::vector<HopEnd> ends;
    for (size_t l = 0; l + 1 < out.layers.size(); ++l) {
      ends.clear();
      for (const std::int32_t v : out.layers[l]) {
        const size_t first = ends.size();
        for (std::int32_t k = succStart[static_cast<size_t>(v)]; k < succStart[static_cast<size_t>(v) + 1]; ++k) {
          const Hop& hop = out.hops[static_cast<size_t>(succHops[static_cast<size_t>(k)])];
          ends.push_back({position[static_cast<size_t>(hop.b)], hop.wires});
        }
        std::sort(ends.begin() + static_cast<std::ptrdiff_t>(first), ends.end(), higher);
      }
      total += countCrossings(ends, static_cast<std::int32_t>(out.layers[l + 1].size()));
    }
    return total;
  }

  static bool higher(const HopEnd& a, const HopEnd& b) { return a.place < b.place; }

  /// The ends of a vertex's hops on one side, from the top.
  void hopsOf(std::int32_t v, bool left, std::vector<HopEnd>& ends) const {
    const auto i = static_cast<size_t>(v);
    ends.clear();
    for (std::int32_t k = left ? predStart[i] : succStart[i]; k < (left ? predStart[i + 1] : succStart[i + 1]); ++k) {
      const Hop& hop = out.hops[static_cast<size_t>((left ? predHops : succHops)[static_cast<size_t>(k)])];
      ends.push_back({position[static_cast<size_t>(left ? hop.a : hop.b)], hop.wires});
    }
    std::sort(ends.begin(), ends.end(), higher);
  }

  /// Crossings between the hops of two vertices of a layer if the first lies above the second.
  static std::int64_t inversions(const std::vector<HopEnd>& above, const std::vector<HopEnd>& below) {
    std::int64_t found = 0, passed = 0;
    size_t k = 0;
    for (const HopEnd& a : above) {
      for (; k < below.size() && below[k].place < a.place; ++k) passed += below[k].wires;
      found += passed * a.wires;
    }
    return found;
  }

  /// Swaps neighbours in a layer wherever that removes crossings.
  void exchange(int rounds) {
    std::vector<HopEnd> a, b;
    for (int round = 0; round < rounds; ++round) {
      bool changed = false;
      for (auto& layer : out.layers)
        for (size_t i = 0; i + 1 < layer.size(); ++i) {
          const std::int32_t u = layer[i], w = layer[i + 1];
          if (known[static_cast<size_t>(u)] && known[static_cast<size_t>(w)]) continue;
          std::int64_t gain = 0;
          for (const bool left : {true, false}) {
            hopsOf(u, left, a);
            hopsOf(w, left, b);
            gain += inversions(a, b) - inversions(b, a);
          }
          if (gain <= 0) continue;
          std::swap(layer[i], layer[i + 1]);
          std::swap(position[static_cast<size_t>(u)], position[static_cast<size_t>(w)]);
          changed = true;
        }
      if (!changed) return;
    }
  }

  /// Moves each vertex of a small layer to the position with the fewest crossings (sifting). Other layers swap neighbours.
  void sift(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      bool changed = false;
      for (auto& layer : out.layers)
        if (layer.size() > 1 && layer.size() <= kSifted) changed = siftLayer(layer) || changed;
      if (!changed) return;
    }
  }

  bool siftLayer(std::vector<std::int32_t>& layer) {
    const size_t m = layer.size();
    std::vector<std::vector<HopEnd>> ends(2 * m);
    for (size_t i = 0; i < m; ++i) {
      hopsOf(layer[i], true, ends[2 * i]);
      hopsOf(layer[i], false, ends[2 * i + 1]);
    }
    // The cost of one vertex above another, minus the cost of the reverse.
    std::vector<std::int64_t> cost(m * m, 0);
    for (size_t i = 0; i < m; ++i)
      for (size_t j = i + 1; j < m; ++j) {
        for (const size_t side : {0u, 1u})
          cost[i * m + j] += inversions(ends[2 * i + side], ends[2 * j + side]) - inversions(ends[2 * j + side], ends[2 * i + side]);
        cost[j * m + i] = -cost[i * m + j];
      }
    std::vector<size_t> order(m);
    std::iota(order.begin(), order.end(), size_t{0});
    bool changed = false;
    for (size_t moving = 0; moving < m; ++moving) {
      const auto from = static_cast<size_t>(std::find(order.begin(), order.end(), moving) - order.begin());
      if (known[static_cast<size_t>(layer[moving])]) continue;
      std::int64_t least = 0, sum = 0;
      size_t best = from;
      for (size_t to = from; to-- > 0;) {
        sum += cost[moving * m + order[to]];
        if (sum < least) least = sum, best = to;
      }
      sum = 0;
      for (size_t to = from + 1; to < m; ++to) {
        sum += cost[order[to] * m + moving];
        if (sum < least) least = sum, best = to;
      }
      if (best == from) continue;
      changed = true;
      order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(best), moving);
    }
    if (!changed) return false;
    std::vector<std::int32_t> sorted;
    for (const size_t i : order) sorted.push_back(layer[i]);
    layer = std::move(sorted);
    number(layer);
    return true;
  }

  /// Sweeps end in the nearest of many local minima: small drawings are started from several fixed initial orders.
  void startElsewhere(int sweeps) {
    constexpr int kStarts = 10;
    std::int64_t fewest = crossings();
    auto best = out.layers;
    std::uint32_t state = 1;
    for (int start = 0; start < kStarts && fewest > 0; ++start) {
      for (auto& layer : out.layers) {
        if (start == 0) {
          std::reverse(layer.begin(), layer.end());
        } else {
          for (size_t i = layer.size(); i > 1; --i) {
            state = state * 1664525u + 1013904223u;
            std::swap(layer[i - 1], layer[(state >> 8) % i]);
          }
        }
        number(layer);
      }
      sweep(sweeps, true);
      const std::int64_t now = crossings();
      if (now >= fewest) continue;
      fewest = now;
      best = out.layers;
    }
    out.layers = std::move(best);
    for (const auto& layer : out.layers) number(layer);
  }

  void sweep(int sweeps, bool thorough) {
    value.assign(count(), 0);
    auto best = out.layers;
    std::int64_t fewest = crossings();
    int idle = 0;
    for (int s = 0; s < sweeps && fewest > 0 && idle < (thorough ? 6 : 3); ++s) {
      if (s % 2 == 0)
        for (size_t l = 1; l < out.layers.size(); ++l) sortLayer(out.layers[l], true);
      else
        for (size_t l = out.layers.size() - 1; l-- > 0;) sortLayer(out.layers[l], false);
      if (thorough) {
        exchange(12);
        if (count() <= kFew) sift(6);
      }
      const std::int64_t now = crossings();
      if (now < fewest) {
        fewest = now;
        best = out.layers;
        idle = 0;
      } else {
        ++idle;
      }
    }
    out.layers = std::move(best);
    for (const auto& layer : out.layers) number(layer);
  }
};

}  // namespace

std::int64_t countCrossings(const std::vector<HopEnd>& ends, std::int32_t places) {
  std::vector<std::int64_t> tree(static_cast<size_t>(places) + 1, 0);
  std::int64_t crossings = 0, seen = 0;
  for (const HopEnd& end : ends) {
    std::int64_t notLower = 0;
    for (std::int32_t i = end.place + 1; i > 0; i -= i & -i) notLower += tree[static_cast<size_t>(i)];
    crossings += (seen - notLower) * end.wires;
    for (std::int32_t i = end.place + 1; i <= places; i += i & -i) tree[static_cast<size_t>(i)] += end.wires;
    seen += end.wires;
  }
  return crossings;
}

void orderLayers(const ContainerProblem& problem, const Options& options, const ContainerMemory::Places* seed, Layers& layers) {
  Ordering pass{problem, layers, {}, {}, {}, {}, {}, {}, {}, {}};
  pass.index();
  pass.initial();
  if (pass.recall(seed) || layers.layers.size() < 2) return;
  const bool fresh = seed == nullptr || seed->empty();
  constexpr size_t kThorough = 3000, kLarge = 12000;
  const size_t size = layers.vertices.size();
  pass.sweep(size > kLarge ? std::min(options.sweeps, 4) : size > kThorough ? options.sweeps : 3 * options.sweeps, size <= kThorough);
  if (fresh && size <= kFew) pass.startElsewhere(3 * options.sweeps);
}

}  // namespace weft::layout
