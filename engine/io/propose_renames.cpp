// Which keys of a checkpoint are probably a graph's variables under other names.
#include <algorithm>
#include <map>
#include <set>

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

  /// A scope was renamed, added or removed: the beginning of many names changed in the same way.
  void byScopes() {
    std::map<std::string, std::vector<const VariableMatch*>> byEnd;  // last part of the name
    const auto last = [](const std::string& name) { return name.substr(name.rfind('/') + 1); };
    for (const auto& [name, m] : unused_)
      if (!isSlot(name, allStored_)) byEnd[last(name)].push_back(m);
    std::map<std::pair<std::string, std::string>, int> votes;
    for (const auto& [key, m] : asked_) {
      const auto at = byEnd.find(last(key));
      if (at == byEnd.end() || isSlot(key, allKeys_) || at->second.size() > kMostCandidates) continue;
      for (const VariableMatch* stored : at->second) {
        if (!fits(*m, *stored)) continue;
        const auto [i, k] = commonEnd(key, stored->key);
        if (i != key.npos) ++votes[{key.substr(0, i), stored->key.substr(0, k)}];
      }
    }
    std::vector<std::pair<int, std::pair<std::string, std::string>>> rules;
    for (const auto& [rule, count] : votes) rules.emplace_back(-count, rule);
    std::sort(rules.begin(), rules.end());
    for (const auto& [count, rule] : rules) {
      std::vector<std::pair<std::string, std::string>> pairs;
      for (const auto& [key, m] : asked_) {
        if (!key.starts_with(rule.first) || isSlot(key, allKeys_)) continue;
        const auto at = unused_.find(rule.second + key.substr(rule.first.size()));
        if (at != unused_.end() && fits(*m, *at->second)) pairs.emplace_back(key, at->first);
      }
      if (pairs.size() < 2) continue;  // one pair alone says too little
      for (const auto& [key, stored] : pairs)
        take(key, stored, pairs.size() > 2 ? 0.95 : 0.85,
             concat("the names begin with '", rule.second, "' instead of '", rule.first, "', as those of ", pairs.size(), " variables"));
    }
  }

  /// Variables of one shape: the only ones, or as many on both sides, in order.
  void byShape() {
    std::map<std::string, std::pair<std::vector<std::string>, std::vector<std::string>>> classes;
    for (const std::string& key : order_)
      if (const auto at = asked_.find(key); at != asked_.end() && at->second->shape.isFullyKnown() && !isSlot(key, allKeys_))
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
      const bool ordered = std::is_sorted(keys.begin(), keys.end(), naturallyLess);
      for (size_t i = 0; i < keys.size(); ++i)
        take(keys[i], stored[i], ordered ? 0.6 : 0.4,
             concat("number ", i + 1, " of ", keys.size(), " of ", shape, ", by order in the graph and by number in the names"));
    }
  }

  void slotsFollow() {
    const auto before = found_;
    std::vector<std::string> rest;
    for (const auto& [key, m] : asked_) rest.push_back(key);
    for (const std::string& key : rest) {
      const std::string base = baseOf(key, allKeys_);
      const auto known = base.empty() ? before.end() : before.find(base);
      if (known == before.end()) continue;
      const auto at = unused_.find(known->second.stored + key.substr(base.size()));
      if (at != unused_.end() && fits(*asked_.at(key), *at->second)) take(key, at->first, known->second.confidence, concat("follows ", base));
    }
  }

  /// Same shape, and a last part of the name that no other candidate has.
  void bySimilarNames() {
    std::vector<std::pair<std::string, std::string>> pairs;
    std::map<std::string, int> wanted;
    std::vector<const VariableMatch*> candidates;
    for (const auto& [name, stored] : unused_)
      if (!isSlot(name, allStored_)) candidates.push_back(stored);
    for (const auto& [key, m] : asked_) {
      if (isSlot(key, allKeys_)) continue;
      std::string best;
      size_t longest = 0;
      bool only = true;
      for (const VariableMatch* stored : candidates) {
        if (!fits(*m, *stored)) continue;
        const std::string& name = stored->key;
        size_t common = 0;
        while (common < std::min(key.size(), name.size()) && key[key.size() - 1 - common] == name[name.size() - 1 - common]) ++common;
        if (common == longest) only = false;
        if (common > longest) longest = common, best = name, only = true;
      }
      if (best.empty() || !only || longest * 3 < key.size()) continue;
      pairs.emplace_back(key, best);
      ++wanted[best];
    }
    for (const auto& [key, stored] : pairs)
      if (wanted[stored] == 1) take(key, stored, 0.5, "same shape, and the names end alike");
  }

  static constexpr size_t kMostCandidates = 2000;
  std::map<std::string, const VariableMatch*> asked_, unused_;  // still without a partner
  std::set<std::string> allKeys_, allStored_;
  std::vector<std::string> order_;
  std::map<std::string, RenameProposal> found_;
};

}  // namespace

std::vector<RenameProposal> proposeRenames(const GraphMatch& match) { return Proposer(match).propose(); }

}  // namespace weft
