#include "shrink.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "outcome.h"
#include "values.h"
#include "weft/op.h"

namespace weft::generated {
namespace {

constexpr int kMostTrials = 600;

class Shrinker {
 public:
  Shrinker(const Case& one, const std::function<bool(const Case&)>& fails) : best_(one), fails_(fails) {}

  Case shrink() {
    for (size_t before = 0; before != size();) {
      before = size();
      fewerSteps();
      fewerFetches();
      cutInputs();
      fewerControls();
      best_ = pruneIfItFails(best_);
    }
    simplerValues();
    return best_;
  }

 private:
  size_t size() const {
    size_t n = size_t(best_.meta.graph.nodeCount());
    for (const Step& s : best_.steps) n += s.feeds.size() + s.fetches.size() + s.targets.size() + 1;
    return n;
  }
  bool accept(Case c) {
    for (const Step& s : c.steps)
      if (s.fetches.empty() && s.targets.empty()) return false;
    if (++trials_ > kMostTrials || !fails_(c)) return false;
    best_ = std::move(c);
    return true;
  }
  Case pruneIfItFails(const Case& c) {
    Case smaller = pruned(c);
    // Feeds of placeholders that are gone.
    for (Step& s : smaller.steps) std::erase_if(s.feeds, [&](const auto& f) { return !smaller.meta.graph.findOutput(f.first).ok(); });
    return ++trials_ < kMostTrials && fails_(smaller) ? smaller : c;
  }

  void fewerSteps() {
    for (size_t s = best_.steps.size(); s-- > 0;) {
      if (best_.steps.size() < 2) return;
      Case c = best_;
      c.steps.erase(c.steps.begin() + long(s));
      accept(std::move(c));
    }
  }

  template <typename Member>
  void halve(size_t step, Member&& member) {
    for (size_t chunk = std::max<size_t>(1, member(best_.steps[step]).size() / 2);; chunk /= 2) {
      for (size_t at = 0; at < member(best_.steps[step]).size();) {
        Case c = best_;
        auto& list = member(c.steps[step]);
        list.erase(list.begin() + long(at), list.begin() + long(std::min(list.size(), at + chunk)));
        if (!accept(std::move(c))) at += chunk;
      }
      if (chunk <= 1) return;
    }
  }

  void fewerFetches() {
    for (size_t s = 0; s < best_.steps.size(); ++s) {
      halve(
          s, [](Step & step) -> auto& { return step.fetches; });
      halve(
          s, [](Step & step) -> auto& { return step.targets; });
    }
    std::set<std::string> used;
    Case c = best_;
    for (Step& s : c.steps) {
      std::set<int> needed;
      Step without = s;
      without.feeds.clear();
      for (const int id : neededBy(c.meta.graph, without)) needed.insert(id);
      std::erase_if(s.feeds, [&](const auto& f) {
        const auto o = c.meta.graph.findOutput(f.first);
        return !o.ok() || !needed.count(o->node);
      });
    }
    accept(std::move(c));
  }

  /// Feeds the value of a tensor, from the last node to the first.
  void cutInputs() {
    const Graph graph = best_.meta.graph;
    std::vector<std::map<std::string, Tensor>> values(best_.steps.size());
    std::set<int> needed;
    for (const Step& s : best_.steps)
      for (const int id : neededBy(graph, s)) needed.insert(id);
    for (auto it = needed.rbegin(); it != needed.rend(); ++it) {
      const Node& n = *graph.node(*it);
      if (n.op == "Placeholder" || isFlow(n.op) || n.outputTypes.empty()) continue;
      if (trials_ > kMostTrials) return;
      Case c = best_;
      if (feedOutputs(c, n)) accept(std::move(c));
    }
  }

  /// Feeds the outputs of node `n` in each step. Returns false if that is impossible.
  bool feedOutputs(Case& c, const Node& n) {
    std::vector<std::string> names;
    for (size_t k = 0; k < n.outputTypes.size(); ++k) {
      if (isRef(n.outputTypes[k]) || !fetchable(n.outputTypes[k])) return false;
      names.push_back(c.meta.graph.tensorName({n.id, int(k)}));
    }
    for (const Step& s : c.steps)
      for (const std::string& f : s.fetches)
        if (std::find(names.begin(), names.end(), f) != names.end()) return false;
    Case ask = c;
    for (Step& s : ask.steps) s.fetches.insert(s.fetches.end(), names.begin(), names.end());
    const Outcome got = runCase(ask, {"plain", {"all"}, 1});
    bool some = false;
    for (size_t s = 0; s < c.steps.size(); ++s) {
      const auto needed = neededBy(c.meta.graph, c.steps[s]);
      if (std::find(needed.begin(), needed.end(), n.id) == needed.end()) continue;
      if (s >= got.steps.size() || got.steps[s].code != Code::Ok) {
        // In the step that is to fail, values upstream of the failing node can still be fetched.
        Case alone = c;
        alone.steps[s].fetches = names;
        alone.steps[s].targets.clear();
        alone.steps.resize(s + 1);
        const Outcome one = runCase(alone, {"plain", {"all"}, 1});
        if (one.steps.size() <= s || one.steps[s].code != Code::Ok) return false;
        for (size_t k = 0; k < names.size(); ++k) c.steps[s].feeds.emplace_back(names[k], one.steps[s].values[k]);
      } else {
        const auto& values = got.steps[s].values;
        for (size_t k = 0; k < names.size(); ++k) c.steps[s].feeds.emplace_back(names[k], values[values.size() - names.size() + k]);
      }
      some = true;
    }
    return some;
  }

  void fewerControls() {
    // Ordered stateful ops are part of the case: without the order a step's result is random.
    for (int id = 0; id < best_.meta.graph.size(); ++id) {
      const Node* n = best_.meta.graph.node(id);
      if (n && (n->record->isStateful || std::any_of(n->outputTypes.begin(), n->outputTypes.end(), isRef))) return;
    }
    for (int id = 0; id < best_.meta.graph.size(); ++id) {
      const Node* n = best_.meta.graph.node(id);
      if (!n || n->controls.empty()) continue;
      Case c = best_;
      if (c.meta.graph.change(id, [](Node& node) { node.controls.clear(); }).ok()) accept(std::move(c));
    }
  }

  void simplerValues() {
    for (size_t s = 0; s < best_.steps.size(); ++s) {
      for (size_t f = 0; f < best_.steps[s].feeds.size(); ++f) {
        const Tensor value = best_.steps[s].feeds[f].second;
        if (!hasNumbers(value.dtype()) || value.elements() == 0) continue;
        for (const auto& simple : {std::function<double(double)>([](double v) { return std::round(v); }),
                                   std::function<double(double)>([](double v) { return std::round(v * 16) / 16; })}) {
          Case c = best_;
          c.steps[s].feeds[f].second = filled(value.dtype(), value.shape(), [&](int64_t i) { return simple(value.asDouble(i)); });
          if (accept(std::move(c))) break;
        }
      }
    }
  }

  Case best_;
  const std::function<bool(const Case&)>& fails_;
  int trials_ = 0;
};

}  // namespace

Case shrink(const Case& one, const std::function<bool(const Case&)>& fails) { return Shrinker(one, fails).shrink(); }

}  // namespace weft::generated
