// Which keys of a checkpoint are probably a graph's variables under other names.
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "io/rename_score.h"
#include "weft/compare.h"

namespace weft {
namespace {

/// "layer_2" before "layer_10": runs of digits compare as numbers.
bool naturallyLess(std::string_view a, std::string_view b) {
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  size_t i = 0, k = 0;
  while (i < a.size() && k < b.size()) {
    if (!isDigit(a[i]) || !isDigit(b[k])) {
      if (a[i] != b[k]) return a[i] < b[k];
      ++i, ++k;
      continue;
    }
    while (i < a.size() && a[i] == '0') ++i;
    while (k < b.size() && b[k] == '0') ++k;
    size_t iEnd = i, kEnd = k;
    while (iEnd < a.size() && isDigit(a[iEnd])) ++iEnd;
    while (kEnd < b.size() && isDigit(b[kEnd])) ++kEnd;
    if (iEnd - i != kEnd - k) return iEnd - i < kEnd - k;
    if (const int order = a.substr(i, iEnd - i).compare(b.substr(k, kEnd - k))) return order < 0;
    i = iEnd, k = kEnd;
  }
  return a.size() - i < b.size() - k;
}

/// The longest NAME of a slot NAME/suffix that is in `names`; empty: none.
std::string baseOf(const std::string& name, const std::set<std::string>& names) {
  for (size_t slash = name.rfind('/'); slash != name.npos && slash > 0; slash = name.rfind('/', slash - 1))
    if (names.count(name.substr(0, slash))) return name.substr(0, slash);
  return {};
}

/// Where two names begin to be equal up to their ends, at a "/" or the beginning of one. npos if their last parts differ.
std::pair<size_t, size_t> commonEnd(std::string_view a, std::string_view b) {
  size_t i = a.size(), k = b.size(), ai = a.npos, bk = b.npos;
  while (i > 0 && k > 0 && a[i - 1] == b[k - 1]) {
    --i, --k;
    if ((i == 0 || a[i - 1] == '/') && (k == 0 || b[k - 1] == '/')) ai = i, bk = k;
  }
  return {ai, bk};
}

class Proposer {
 public:
  explicit Proposer(const GraphMatch& match) {
    for (const VariableMatch& m : match.variables) {
      if (m.kind == VariableMatch::Kind::Unused) unused_.emplace(m.key, &m), allStored_.insert(m.key);
      else if (!m.key.empty()) allKeys_.insert(m.key), allStored_.insert(m.kind == VariableMatch::Kind::Missing ? std::string() : m.key);
      if (m.kind == VariableMatch::Kind::Missing && asked_.emplace(m.key, &m).second) order_.push_back(m.key);
    }
    for (auto at = asked_.begin(); at != asked_.end();) {
      const auto next = std::next(at);
      if (isSlot(at->first, allKeys_)) askedSlots_.insert(asked_.extract(at));
      at = next;
    }
  }

  std::vector<RenameProposal> propose() {
    byScopes();
    byShape();
    bySimilarNames();
    slotsFollow();
    std::vector<RenameProposal> out;
    for (const std::string& key : order_)
      if (const auto at = found_.find(key); at != found_.end()) out.push_back(at->second);
    return out;
  }

 private:
  bool fits(const VariableMatch& asked, const VariableMatch& stored) const {
    return asked.dtype == stored.dtypeStored && asked.shape.compatibleWith(stored.shapeStored);
  }
  void take(const std::string& key, const std::string& stored, double confidence, std::string reason) {
    found_[key] = {key, stored, confidence, std::move(reason)};
    asked_.erase(key);
    unused_.erase(stored);
  }

  /// Slots have the shapes of their variables and end alike: they are never matched on their own, they follow their variable.
  static bool isSlot(const std::string& name, const std::set<std::string>& names) { return !baseOf(name, names).empty(); }

  /// The beginnings of a name that is asked for and of a stored one that ends alike. They refer to the names of the comparison.
  using Rule = std::pair<std::string_view, std::string_view>;
  struct RuleHash {
    size_t operator()(const Rule& r) const { return std::hash<std::string_view>()(r.first) * 31 + std::hash<std::string_view>()(r.second); }
  };
  using Votes = std::unordered_map<Rule, int, RuleHash>;

  /// Counts the rules that pairs of names support whose last `parts` parts are equal. Where too many are, more parts must be equal.
  void vote(const std::vector<const VariableMatch*>& asked, const std::vector<const VariableMatch*>& stored, int parts, size_t* pairs, Votes* votes) const {
    const auto end = [&](std::string_view name) {
      size_t at = name.size() + 1;
      for (int i = 0; i < parts && at != 0; ++i) at = at == 1 ? 0 : name.rfind('/', at - 2) + 1;
      return name.substr(at);
    };
    std::map<std::string_view, std::pair<std::vector<const VariableMatch*>, std::vector<const VariableMatch*>>> byEnd;
    for (const VariableMatch* m : asked) byEnd[end(m->key)].first.push_back(m);
    for (const VariableMatch* m : stored) byEnd[end(m->key)].second.push_back(m);
    for (const auto& [common, sides] : byEnd) {
      const size_t count = sides.first.size() * sides.second.size();
      if (count > kMostInGroup) {
        if (parts < kMostParts) vote(sides.first, sides.second, parts + 1, pairs, votes);
        continue;
      }
      if ((*pairs += count) > kMostPairs) return;
      for (const VariableMatch* a : sides.first)
        for (const VariableMatch* s : sides.second) {
          if (!fits(*a, *s)) continue;
          const auto [i, k] = commonEnd(a->key, s->key);
          if (i != std::string::npos) ++(*votes)[{std::string_view(a->key).substr(0, i), std::string_view(s->key).substr(0, k)}];
        }
    }
  }

  /// A scope was renamed, added or removed: the beginning of many names changed in the same way.
  void byScopes() {
    Votes votes;
    std::vector<const VariableMatch*> asked, stored;
    for (const auto& [key, m] : asked_) asked.push_back(m);
    for (const auto& [name, m] : unused_)
      if (!isSlot(name, allStored_)) stored.push_back(m);
    size_t counted = 0;
    vote(asked, stored, 1, &counted, &votes);
    std::vector<std::pair<int, Rule>> rules;
    for (const auto& [rule, count] : votes)
      if (count >= 2) rules.emplace_back(-count, rule);  // one pair alone says too little
    std::sort(rules.begin(), rules.end());
    for (const auto& [count, rule] : rules) {
      const std::string from(rule.first), to(rule.second);
      std::vector<std::pair<std::string, std::string>> pairs;
      for (auto key = asked_.lower_bound(from); key != asked_.end() && key->first.starts_with(from); ++key) {
        const auto at = unused_.find(to + key->first.substr(from.size()));
        if (at != unused_.end() && fits(*key->second, *at->second)) pairs.emplace_back(key->first, at->first);
      }
      if (pairs.size() < 2) continue;
      for (const auto& [key, stored] : pairs)
        take(key, stored, pairs.size() > 2 ? 0.95 : 0.85,
             concat("the names begin with '", to, "' instead of '", from, "', as those of ", pairs.size(), " variables"));
    }
  }

  /// Variables of one shape: the only ones, or as many on both sides, in order.
  void byShape() {
    std::map<std::string, std::pair<std::vector<std::string>, std::vector<std::string>>> classes;
    for (const std::string& key : order_)
      if (const auto at = asked_.find(key); at != asked_.end() && at->second->shape.isFullyKnown())
        classes[dtypeName(at->second->dtype) + at->second->shape.toString()].first.push_back(key);
    for (const auto& [name, m] : unused_)
      if (!isSlot(name, allStored_)) classes[dtypeName(m->dtypeStored) + m->shapeStored.toString()].second.push_back(name);
    for (auto& [shape, sides] : classes) {
      auto& [keys, stored] = sides;
      if (keys.size() != stored.size()) continue;
      if (keys.size() == 1) {
        take(keys[0], stored[0], 0.8, concat("the only ", shape, " that is left in both"));
        continue;
      }
      std::sort(stored.begin(), stored.end(), naturallyLess);
      // Where the graph has another order than the names, or the names say otherwise, order tells nothing.
      if (!std::is_sorted(keys.begin(), keys.end(), naturallyLess) || namesContradict(keys, stored)) continue;
      for (size_t i = 0; i < keys.size(); ++i)
        take(keys[i], stored[i], 0.6, concat("number ", i + 1, " of ", keys.size(), " of ", shape, ", by order in the graph and by number in the names"));
    }
  }

  /// Whether a key is much more like the name of another one's partner than like that of its own.
  static bool namesContradict(const std::vector<std::string>& keys, const std::vector<std::string>& stored) {
    if (keys.size() * stored.size() > kMostScores) return false;
    for (size_t i = 0; i < keys.size(); ++i) {
      const double own = renameScore(keys[i], stored[i], false) + kClearly;
      for (size_t k = 0; k < stored.size(); ++k)
        if (k != i && renameScore(keys[i], stored[k], false) > own) return true;
    }
    return false;
  }

  void slotsFollow() {
    const auto before = found_;
    for (const auto& [key, m] : askedSlots_) {
      const std::string base = baseOf(key, allKeys_);
      const auto known = base.empty() ? before.end() : before.find(base);
      if (known == before.end()) continue;
      const auto at = unused_.find(known->second.stored + key.substr(base.size()));
      if (at != unused_.end() && fits(*m, *at->second)) take(key, at->first, known->second.confidence, concat("follows ", base));
    }
  }

  /// Same shape, and a name that ends alike in more letters than those of all other candidates, or in as many but is clearly more alike before them.
  void bySimilarNames() {
    std::vector<std::pair<std::string, std::string>> pairs;
    std::map<std::string, int> wanted;
    std::vector<const VariableMatch*> candidates;
    for (const auto& [name, stored] : unused_)
      if (!isSlot(name, allStored_)) candidates.push_back(stored);
    if (asked_.size() * candidates.size() > kMostPairs) return;
    size_t scores = 0;
    for (const auto& [key, m] : asked_) {
      std::vector<const std::string*> best;
      size_t longest = 0;
      for (const VariableMatch* stored : candidates) {
        if (!fits(*m, *stored)) continue;
        const std::string& name = stored->key;
        size_t common = 0;
        while (common < std::min(key.size(), name.size()) && key[key.size() - 1 - common] == name[name.size() - 1 - common]) ++common;
        if (common < longest) continue;
        if (common > longest) longest = common, best.clear();
        best.push_back(&name);
      }
      if (best.empty() || longest == 0 || longest * 3 < key.size()) continue;
      if (best.size() > 1) {
        if ((scores += best.size()) > kMostScores) continue;
        std::vector<std::pair<double, const std::string*>> ranked;
        for (const std::string* name : best) ranked.emplace_back(-renameScore(key, *name, false), name);
        std::sort(ranked.begin(), ranked.end());
        if (ranked[1].first - ranked[0].first < kClearly) continue;
        best = {ranked[0].second};
      }
      pairs.emplace_back(key, *best[0]);
      ++wanted[*best[0]];
    }
    for (const auto& [key, stored] : pairs)
      if (wanted[stored] == 1) take(key, stored, 0.5, "same shape, and the names are alike");
  }

  // So that a comparison takes a second at most.
  static constexpr size_t kMostPairs = 1'000'000, kMostInGroup = 100'000, kMostScores = 100'000;
  static constexpr int kMostParts = 8;
  static constexpr double kClearly = 0.15;                      // between two scores
  std::map<std::string, const VariableMatch*> asked_, unused_;  // still without a partner
  std::map<std::string, const VariableMatch*> askedSlots_;
  std::set<std::string> allKeys_, allStored_;
  std::vector<std::string> order_;
  std::map<std::string, RenameProposal> found_;
};

}  // namespace

std::vector<RenameProposal> proposeRenames(const GraphMatch& match) { return Proposer(match).propose(); }

}  // namespace weft
