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

/// Variables of one type and shape have a class in common.
std::string classOf(DType dtype, const Shape& shape) { return dtypeName(dtype) + shape.toString(); }

/// Names by their ends: those that end like another one in most letters are neighbours.
class NamesByEnd {
 public:
  void add(const std::string& name) { reversed_.emplace(std::string(name.rbegin(), name.rend()), &name); }

  /// In how many letters at the end `key` and the names most like it agree.
  size_t longestEnd(const std::string& key) const {
    const std::string asked(key.rbegin(), key.rend());
    const auto after = reversed_.lower_bound(asked);
    size_t longest = after == reversed_.end() ? 0 : common(asked, after->first);
    if (after != reversed_.begin()) longest = std::max(longest, common(asked, std::prev(after)->first));
    return longest;
  }
  /// Calls f(name) for the names that end in the last `letters` of `key`.
  template <typename F>
  void eachEnding(const std::string& key, size_t letters, F&& f) const {
    const std::string end(key.rbegin(), key.rbegin() + std::ptrdiff_t(letters));
    for (auto at = reversed_.lower_bound(end); at != reversed_.end() && at->first.starts_with(end); ++at) f(*at->second);
  }

 private:
  static size_t common(const std::string& a, const std::string& b) {
    return size_t(std::mismatch(a.begin(), a.begin() + std::ptrdiff_t(std::min(a.size(), b.size())), b.begin()).first - a.begin());
  }
  std::map<std::string, const std::string*> reversed_;
};

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

  std::vector<RenameProposal> propose(std::vector<std::string>* limits) {
    byScopes();
    byShape();
    bySimilarNames();
    slotsFollow();
    std::vector<RenameProposal> out;
    for (const std::string& key : order_)
      if (const auto at = found_.find(key); at != found_.end()) out.push_back(at->second);
    if (limits) *limits = std::move(limits_);
    return out;
  }

 private:
  bool fits(const VariableMatch& asked, const VariableMatch& stored) const {
    return asked.dtype == stored.dtypeStored && asked.shape.compatibleWith(stored.shapeStored);
  }
  void take(const std::string& key, const std::string& stored, double confidence, std::string reason, RenameProposal::Rule rule,
            std::vector<std::string> details = {}) {
    found_[key] = {key, stored, confidence, std::move(reason), rule, std::move(details)};
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

  /// Counts the rules that pairs of names of one class support whose last `parts` parts are equal. Where too many are, more parts must be equal. False if pairs
  /// were left out all the same.
  bool vote(const std::vector<const VariableMatch*>& asked, const std::vector<const VariableMatch*>& stored, int parts, size_t* left, Votes* votes) const {
    const auto end = [&](std::string_view name) {
      size_t at = name.size() + 1;
      for (int i = 0; i < parts && at != 0; ++i) at = at == 1 ? 0 : name.rfind('/', at - 2) + 1;
      return name.substr(at);
    };
    std::map<std::string_view, std::pair<std::vector<const VariableMatch*>, std::vector<const VariableMatch*>>> byEnd;
    for (const VariableMatch* m : asked) byEnd[end(m->key)].first.push_back(m);
    for (const VariableMatch* m : stored) byEnd[end(m->key)].second.push_back(m);
    bool all = true;
    for (const auto& [common, sides] : byEnd) {
      const size_t count = sides.first.size() * sides.second.size();
      if (count > kMostInGroup) {
        all = parts < kMostParts && vote(sides.first, sides.second, parts + 1, left, votes) && all;
        continue;
      }
      if (count > *left) {
        all = false;
        continue;
      }
      *left -= count;
      for (const VariableMatch* a : sides.first)
        for (const VariableMatch* s : sides.second) {
          const auto [i, k] = commonEnd(a->key, s->key);
          if (i != std::string::npos) ++(*votes)[{std::string_view(a->key).substr(0, i), std::string_view(s->key).substr(0, k)}];
        }
    }
    return all;
  }

  /// A scope was renamed, added or removed: the beginning of many names changed in the same way.
  void byScopes() {
    Votes votes;
    std::map<std::string, std::pair<std::vector<const VariableMatch*>, std::vector<const VariableMatch*>>> classes;
    for (const auto& [name, m] : unused_)
      if (!isSlot(name, allStored_)) classes[classOf(m->dtypeStored, m->shapeStored)].second.push_back(m);
    for (const auto& [key, m] : asked_) {
      if (m->shape.isFullyKnown()) {
        if (const auto at = classes.find(classOf(m->dtype, m->shape)); at != classes.end()) at->second.first.push_back(m);
        continue;
      }
      for (auto& [name, sides] : classes)
        if (fits(*m, *sides.second[0])) sides.first.push_back(m);
    }
    size_t leftInAll = kMostPairsInAll;
    for (const auto& [name, sides] : classes) {
      size_t left = std::min(leftInAll, kMostPairs);
      leftInAll -= left;
      if (!vote(sides.first, sides.second, 1, &left, &votes))
        limits_.push_back(
            concat("renamed scopes were looked for among a part of the ", sides.first.size(), " variables and ", sides.second.size(), " keys of ", name));
      leftInAll += left;
    }
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
             concat("the names begin with '", to, "' instead of '", from, "', as those of ", pairs.size(), " variables"), RenameProposal::Rule::Scope,
             {to, from, std::to_string(pairs.size())});
    }
  }

  /// Variables of one shape: the only ones, or as many on both sides, in order.
  void byShape() {
    std::map<std::string, std::pair<std::vector<std::string>, std::vector<std::string>>> classes;
    for (const std::string& key : order_)
      if (const auto at = asked_.find(key); at != asked_.end() && at->second->shape.isFullyKnown())
        classes[classOf(at->second->dtype, at->second->shape)].first.push_back(key);
    for (const auto& [name, m] : unused_)
      if (!isSlot(name, allStored_)) classes[classOf(m->dtypeStored, m->shapeStored)].second.push_back(name);
    for (auto& [shape, sides] : classes) {
      auto& [keys, stored] = sides;
      if (keys.size() != stored.size()) continue;
      if (keys.size() == 1) {
        take(keys[0], stored[0], 0.8, concat("the only ", shape, " that is left in both"), RenameProposal::Rule::Shape, {shape});
        continue;
      }
      std::sort(stored.begin(), stored.end(), naturallyLess);
      // Where the graph has another order than the names, or the names say otherwise, order tells nothing.
      if (!std::is_sorted(keys.begin(), keys.end(), naturallyLess)) continue;
      if (keys.size() * stored.size() > kMostScores) {
        limits_.push_back(concat("whether the names of the ", keys.size(), " variables of ", shape, " contradict their order was not checked"));
      } else if (namesContradict(keys, stored)) {
        continue;
      }
      for (size_t i = 0; i < keys.size(); ++i)
        take(keys[i], stored[i], 0.6, concat("number ", i + 1, " of ", keys.size(), " of ", shape, ", by order in the graph and by number in the names"),
             RenameProposal::Rule::Order, {std::to_string(i + 1), std::to_string(keys.size()), shape});
    }
  }

  /// Whether a key is much more like the name of another one's partner than like that of its own.
  static bool namesContradict(const std::vector<std::string>& keys, const std::vector<std::string>& stored) {
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
      if (at != unused_.end() && fits(*m, *at->second))
        take(key, at->first, known->second.confidence, concat("follows ", base), RenameProposal::Rule::Follows, {base});
    }
  }

  /// Same shape, and a name that ends alike in more letters than those of all other candidates, or in as many but is clearly more alike before them.
  void bySimilarNames() {
    std::vector<std::pair<std::string, std::string>> pairs;
    std::map<std::string, int> wanted;
    std::map<std::string, std::pair<const VariableMatch*, NamesByEnd>> classes;
    for (const auto& [name, stored] : unused_) {
      if (isSlot(name, allStored_)) continue;
      auto& [one, names] = classes[classOf(stored->dtypeStored, stored->shapeStored)];
      one = stored;
      names.add(stored->key);
    }
    size_t scores = 0, passedOver = 0;
    for (const auto& [key, m] : asked_) {
      std::vector<const NamesByEnd*> fitting;
      if (m->shape.isFullyKnown()) {
        if (const auto at = classes.find(classOf(m->dtype, m->shape)); at != classes.end()) fitting.push_back(&at->second.second);
      } else {
        for (const auto& [name, c] : classes)
          if (fits(*m, *c.first)) fitting.push_back(&c.second);
      }
      size_t longest = 0;
      for (const NamesByEnd* names : fitting) longest = std::max(longest, names->longestEnd(key));
      if (longest == 0 || longest * 3 < key.size()) continue;
      std::vector<const std::string*> best;
      for (const NamesByEnd* names : fitting) names->eachEnding(key, longest, [&](const std::string& name) { best.push_back(&name); });
      if (best.size() > 1) {
        if (scores + best.size() > kMostScores) {
          ++passedOver;
          continue;
        }
        scores += best.size();
        std::vector<std::pair<double, const std::string*>> ranked;
        for (const std::string* name : best) ranked.emplace_back(-renameScore(key, *name, false), name);
        std::sort(ranked.begin(), ranked.end());
        if (ranked[1].first - ranked[0].first < kClearly) continue;
        best = {ranked[0].second};
      }
      pairs.emplace_back(key, *best[0]);
      ++wanted[*best[0]];
    }
    if (passedOver > 0) limits_.push_back(concat("for ", passedOver, " variables too many names are equally similar to be compared"));
    for (const auto& [key, stored] : pairs)
      if (wanted[stored] == 1) take(key, stored, 0.5, "same shape, and the names are alike", RenameProposal::Rule::Alike);
  }

  // So that a comparison takes a few seconds at most.
  static constexpr size_t kMostPairs = 1'000'000, kMostPairsInAll = 4'000'000, kMostInGroup = 100'000, kMostScores = 100'000;
  static constexpr int kMostParts = 8;
  static constexpr double kClearly = 0.15;                      // between two scores
  std::map<std::string, const VariableMatch*> asked_, unused_;  // still without a partner
  std::map<std::string, const VariableMatch*> askedSlots_;
  std::set<std::string> allKeys_, allStored_;
  std::vector<std::string> order_;
  std::map<std::string, RenameProposal> found_;
  std::vector<std::string> limits_;
};

}  // namespace

std::vector<RenameProposal> proposeRenames(const GraphMatch& match, std::vector<std::string>* limits) { return Proposer(match).propose(limits); }

}  // namespace weft
