#include <algorithm>
#include <deque>
#include <set>

#include "debug/debugger_impl.h"
#include "debug/non_finite_reason.h"
#include "weft/op_traits.h"

// Finds the origin of a non-finite value. The run recorded for every value whether it was finite, so no search is needed: follow non-finite inputs back from a
// non-finite tensor until an op has none. The values themselves are read for the report only.
namespace weft {
namespace {

constexpr size_t kSources = 12, kPositions = 4, kRows = 16;

/// A tensor of the run.
struct Found {
  KeptOp op;
  int k = 0;
};

class Search {
 public:
  Search(const Graph& graph, const std::vector<KeptOp>& ops) : graph_(graph), ops_(ops) {
    for (const KeptOp& op : ops) byNode_[op->node].push_back(op);
  }

  Found first() const {
    for (const NonFinite kind : {NonFinite::Nan, NonFinite::Infinity}) {
      for (const KeptOp& op : ops_)
        for (size_t k = 0; k < op->nonFinite.size(); ++k)
          if (uint8_t(op->nonFinite[k]) & uint8_t(kind) && !(kind == NonFinite::Infinity && isConstant(*graph_.node(op->node)))) return {op, int(k)};
    }
    return {};
  }
  Found latest(Output o) const { return before(o, INT64_MAX); }

  /// The input tensors of an op, where known.
  std::vector<Found> inputs(const Found& f) const {
    std::vector<Found> out;
    if (f.op->index < 0) return out;  // fed, so its producer's inputs were not recorded
    for (const Output& in : graph_.node(f.op->node)->inputs) out.push_back(before(in, f.op->index));
    return out;
  }
  static bool isBad(const Found& f) { return f.op && size_t(f.k) < f.op->nonFinite.size() && f.op->nonFinite[size_t(f.k)] != NonFinite::None; }
  /// The variable that an op reads, or null.
  const Node* variableOf(const Found& f) const {
    if (f.op->index < 0) return nullptr;
    const Node& node = *graph_.node(f.op->node);
    for (const Output& in : node.inputs) {
      const Node& from = *graph_.node(in.node);
      if (isRef(graph_.dtype(in)) || (roleOf(node) == OpRole::ReadVariable && isVariable(from))) return &from;
    }
    return nullptr;
  }
  static Tensor valueOf(const Found& f) { return f.op && size_t(f.k) < f.op->outputs.size() ? f.op->outputs[size_t(f.k)] : Tensor(); }

  AutopsyEntry entry(const Found& f) const {
    AutopsyEntry e;
    const Node& node = *graph_.node(f.op->node);
    e.tensor = graph_.tensorName({f.op->node, f.k});
    e.op = f.op->index < 0 ? "fed" : node.op;
    e.loops = f.op->loops;
    const Tensor value = valueOf(f);
    if (!value.hasValue()) return e;
    e.statistics = statisticsOf(value);
    e.shape = value.shape().toString();
    for (const int64_t at : nonFinitePositions(value, kPositions)) e.positions.push_back(positionText(value.shape(), at));
    return e;
  }

 private:
  Found before(Output o, int64_t index) const {
    const auto it = byNode_.find(o.node);
    if (it == byNode_.end()) return {};
    for (auto op = it->second.rbegin(); op != it->second.rend(); ++op)
      if ((*op)->index < index) return {*op, o.index};
    return {};
  }
  const Graph& graph_;
  const std::vector<KeptOp>& ops_;
  std::map<int, std::vector<KeptOp>> byNode_;
};

/// Variables and fed tensors from which the origin was computed, nearest first.
std::vector<AutopsyEntry> sourcesOf(const Search& search, const Found& origin, std::vector<Found>& fed) {
  std::vector<AutopsyEntry> out;
  std::deque<Found> work{origin};
  std::set<std::pair<int, int64_t>> seen;
  std::set<std::string> named;
  while (!work.empty() && out.size() < kSources) {
    const Found f = work.front();
    work.pop_front();
    if (!f.op || !seen.emplace(f.op->node, f.op->index).second) continue;
    const Node* variable = search.variableOf(f);
    if (f.op->index < 0 || variable) {
      AutopsyEntry e = search.entry(f);
      if (variable) {
        e.tensor = variable->name;
        e.op = "variable";
      } else {
        fed.push_back(f);
      }
      if (named.insert(e.tensor).second) out.push_back(std::move(e));
    }
    for (const Found& in : search.inputs(f)) work.push_back(in);
  }
  return out;
}

std::string kindOf(const AutopsyEntry& e) {
  const TensorStatistics& s = e.statistics;
  if (s.nans > 0 && s.infinities() > 0) return concat(s.nans, " NaN and ", s.infinities(), " infinite values");
  return s.nans > 0           ? concat(s.nans, " NaN")
         : s.infinities() > 0 ? concat(s.infinities(), s.infinities() == 1 ? " infinite value" : " infinite values")
                              : "non-finite values";
}

std::string summaryOf(const Autopsy& a, bool isVariable) {
  const std::string where = placeText(a.origin.loops);
  std::string out = a.origin.tensor;
  if (!where.empty()) out += " (" + where + ")";
  if (a.origin.op == "fed") {
    out += concat(" was fed with ", kindOf(a.origin));
  } else if (isVariable) {
    out += concat(" held ", kindOf(a.origin), " when the run read it");
  } else {
    out += concat(" is the first that is not finite: ", kindOf(a.origin), " of ", a.origin.statistics.elements, " from finite inputs");
  }
  if (!a.origin.positions.empty()) out += concat(", first at ", a.origin.positions[0]);
  out += ".";
  if (const std::string reason = a.origin.reason.text(); !reason.empty()) out += concat(" ", reason, ".");
  return out;
}

}  // namespace

Autopsy Debugger::autopsy(const std::string& tensor) const {
  Autopsy a;
  std::vector<KeptOp> ops;
  Graph graph;
  std::set<Output> byHand;
  {
    const MutexLock lock(impl_->mutex);
    ops = impl_->store.ops();
    graph = impl_->graph;
    for (const Impl::Change& change : impl_->changes) byHand.insert(change.tensor);
  }
  const Search search(graph, ops);
  Found at;
  if (!tensor.empty()) {
    const auto o = graph.findOutput(tensor.find(':') == std::string::npos ? tensor + ":0" : tensor);
    if (o.ok()) at = search.latest(*o);
    if (!Search::isBad(at)) {
      a.outcome = at.op ? Autopsy::Outcome::Finite : Autopsy::Outcome::NotComputed;
      a.summary = at.op ? tensor + " holds finite values only." : tensor + " was not computed.";
      return a;
    }
  } else {
    at = search.first();
    if (!at.op) {
      a.outcome = ops.empty() ? Autopsy::Outcome::NothingComputed : Autopsy::Outcome::AllFinite;
      a.summary = ops.empty() ? "Nothing was computed yet." : "Every value that was computed is finite.";
      return a;
    }
  }
  // Terminates, because indices decrease.
  std::vector<Found> path{at};
  for (;;) {
    const std::vector<Found> inputs = search.inputs(at);
    const auto bad = std::find_if(inputs.begin(), inputs.end(), Search::isBad);
    if (bad == inputs.end()) break;
    at = *bad;
    path.push_back(at);
  }
  a.outcome = Autopsy::Outcome::Found;
  for (const Found& f : path) a.path.push_back(search.entry(f));
  a.origin = a.path.back();
  const Node* variable = search.variableOf(at);
  if (variable) a.origin.tensor = variable->name;
  const Tensor value = Search::valueOf(at);
  std::vector<Tensor> inputs;
  for (const Found& in : search.inputs(at)) {
    inputs.push_back(Search::valueOf(in));
    if (in.op) a.inputs.push_back(search.entry(in));
  }
  const std::vector<int64_t> positions = nonFinitePositions(value, 4096);
  if (!positions.empty() && !variable && at.op->index >= 0) a.origin.reason = nonFiniteReason(*graph.node(at.op->node), inputs, value, positions[0]);
  const bool set = byHand.count({at.op->node, at.k}) > 0 || (variable && byHand.count({variable->id, 0}) > 0);
  if (set) a.origin.reason = {NonFiniteReason::Kind::SetByHand, {}, {}, {}};
  std::vector<Found> fed;
  a.sources = sourcesOf(search, at, fed);
  // The first dimension is assumed to be the batch, as in most networks.
  const bool batched = value.hasValue() && value.rank() >= 1 && value.dim(0) > 0 && std::any_of(fed.begin(), fed.end(), [&](const Found& f) {
                         const Tensor t = Search::valueOf(f);
                         return t.hasValue() && t.rank() >= 1 && t.dim(0) == value.dim(0);
                       });
  if (batched) {
    const int64_t rowSize = value.elements() / value.dim(0);
    for (const int64_t p : positions) {
      const int64_t row = p / std::max<int64_t>(1, rowSize);
      if (a.rows.empty() || a.rows.back() != row) a.rows.push_back(row);
      if (a.rows.size() == kRows) break;
    }
  }
  a.summary = summaryOf(a, variable != nullptr);
  return a;
}

}  // namespace weft
