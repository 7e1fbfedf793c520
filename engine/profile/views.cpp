// Tables of a trace. All numbers of an entry are sums over its executions, divided by the number of steps.
#include <algorithm>
#include <memory>
#include <optional>
#include <regex>
#include <unordered_map>

#include "profile/aggregate.h"
#include "profile/bounds.h"
#include "profile/view_tree.h"

namespace weft {

ProfileNumbers& ProfileNumbers::operator+=(const ProfileNumbers& o) {
  selfNs += o.selfNs;
  spanNs += o.spanNs;
  waitNs += o.waitNs;
  criticalNs += o.criticalNs;
  count += o.count;
  flops += o.flops;
  bytes += o.bytes;
  outputBytes += o.outputBytes;
  parameters = boundedSum(parameters, o.parameters);
  nodes += o.nodes;
  return *this;
}

double percentile(std::vector<double>& values, double p) {
  if (values.empty()) return 0;
  const size_t k = std::min(values.size() - 1, size_t(p * double(values.size())));
  std::nth_element(values.begin(), values.begin() + ptrdiff_t(k), values.end());
  return values[k];
}

std::vector<NodeTotals> nodeTotals(const Trace& trace, int step, bool critical, int* steps) {
  std::vector<NodeTotals> out;
  std::unordered_map<int32_t, size_t> place;
  const int count = step >= 0 ? 1 : std::max<int>(1, int(trace.steps.size()));
  if (steps) *steps = count;
  const double share = 1.0 / count;
  const auto totals = [&](const TraceSlice& s) -> NodeTotals& {
    const auto [it, made] = place.try_emplace(s.name, out.size());
    if (made) {
      NodeTotals t;
      t.name = s.name;
      t.op = s.op;
      t.device = s.track;
      t.facts = trace.node(trace.text(s.name));
      t.numbers.nodes = 1;
      if (t.facts) t.numbers.parameters = t.facts->parameters;
      out.push_back(std::move(t));
    }
    return out[it->second];
  };
  for (const TraceSlice& s : trace.slices) {
    if ((step >= 0 && s.step != step) || !trace.counts(s)) continue;
    NodeTotals& t = totals(s);
    t.numbers.selfNs += double(s.selfNs) * share;
    t.numbers.spanNs += double(s.durationNs) * share;
    t.numbers.waitNs += double(s.waitNs) * share;
    t.numbers.count += share;
    t.numbers.outputBytes += double(s.bytes) * share;
    t.durations.push_back(double(s.selfNs));
  }
  for (NodeTotals& t : out) {
    if (!t.facts) continue;
    t.numbers.flops = t.facts->flops * t.numbers.count;
    t.numbers.bytes = t.facts->movedBytes * t.numbers.count;
  }
  if (critical) {
    for (int k = 0; k < int(trace.steps.size()); ++k) {
      if (step >= 0 && k != step) continue;
      for (const int i : criticalPath(trace, k)) {
        const TraceSlice& s = trace.slices[size_t(i)];
        if (const auto it = place.find(s.name); it != place.end()) out[it->second].numbers.criticalNs += double(s.durationNs) * share;
      }
    }
  }
  return out;
}

namespace {

Result<std::optional<std::regex>> pattern(const std::string& text, const char* what) {
  if (text.empty() || text == ".*") return std::optional<std::regex>();
  try {
    return std::optional<std::regex>(std::regex(text, std::regex::optimize));
  } catch (const std::regex_error& e) {
    return invalidArgument(what, ": \"", text, "\" is no regular expression: ", e.what());
  }
}

void fillPercentiles(ProfileRow& row, std::vector<double>& durations) {
  row.p50Ns = percentile(durations, 0.5);
  row.p90Ns = percentile(durations, 0.9);
  row.p99Ns = percentile(durations, 0.99);
  row.maxNs = percentile(durations, 1);
}

/// Types of ops, each with all its nodes.
std::unique_ptr<ViewTree> opTree(const Trace& trace, std::vector<NodeTotals>& nodes) {
  auto root = std::make_unique<ViewTree>();
  std::unordered_map<std::string, ViewTree*> byOp;
  for (NodeTotals& n : nodes) {
    const std::string& op = n.op ? trace.text(n.op) : trace.text(n.name);
    ViewTree*& entry = byOp[op];
    if (!entry) {
      entry = root->child(op);
      entry->row.op = op;
    }
    entry->row.self += n.numbers;
    entry->durations.insert(entry->durations.end(), n.durations.begin(), n.durations.end());
  }
  return root;
}

double keyOf(const ProfileRow& row, ProfileOrder order, bool tree) {
  const ProfileNumbers& n = tree ? row.total : row.self;
  switch (order) {
    case ProfileOrder::Self: return row.self.selfNs;
    case ProfileOrder::Total: return n.selfNs;
    case ProfileOrder::Count: return n.count;
    case ProfileOrder::Flops: return n.flops;
    case ProfileOrder::Bytes: return n.outputBytes;
    case ProfileOrder::Parameters: return double(n.parameters);
    case ProfileOrder::CriticalPath: return n.criticalNs;
    case ProfileOrder::Name: break;
  }
  return 0;
}

/// Flattens the visible part of a tree into a list, parents first.
class Lister {
 public:
  Lister(const ProfileOptions& options, ProfileTable& table) : options_(options), table_(table) {}

  Status prepare() {
    WEFT_LET(start_, pattern(options_.startNames, "start_name_regexes"));
    WEFT_LET(show_, pattern(options_.showNames, "show_name_regexes"));
    WEFT_LET(hide_, pattern(options_.hideNames, "hide_name_regexes"));
    WEFT_LET(trim_, pattern(options_.trimNames, "trim_name_regexes"));
    return {};
  }

  /// Hidden entries do not count towards the depth, so chains of them can be as long as the graph; hence an explicit stack instead of recursion.
  void list(ViewTree& root) {
    const bool isTree = options_.view != ProfileView::Op;
    std::vector<Place> open;  // the next one is last
    add(open, root, -1, 0, false);
    while (!open.empty()) {
      const Place p = open.back();
      open.pop_back();
      ProfileRow& row = p.tree->row;
      if (trim_ && std::regex_match(row.name, *trim_)) continue;
      const bool begun = p.started || !start_ || std::regex_match(row.name, *start_);
      const bool shown = begun && isShown(row, isTree);
      int below = p.parent;
      if (shown) {
        below = int(table_.rows.size());
        fillPercentiles(row, p.tree->durations);
        row.parent = p.parent;
        row.depth = p.depth;
        table_.rows.push_back(row);
      }
      add(open, *p.tree, below, p.depth + (shown ? 1 : 0), begun);
    }
  }

 private:
  struct Place {
    ViewTree* tree = nullptr;
    int parent = -1, depth = 0;
    bool started = false;
  };

  void add(std::vector<Place>& open, ViewTree& tree, int parent, int depth, bool started) const {
    if (depth >= options_.maxDepth) return;
    std::vector<ViewTree*> children;
    for (auto& c : tree.children) children.push_back(c.get());
    const bool isTree = options_.view != ProfileView::Op;
    std::stable_sort(children.begin(), children.end(), [&](const ViewTree* a, const ViewTree* b) {
      if (options_.order == ProfileOrder::Name) return a->row.name < b->row.name;
      return keyOf(a->row, options_.order, isTree) > keyOf(b->row, options_.order, isTree);
    });
    for (size_t i = children.size(); i-- > 0;) open.push_back({children[i], parent, depth, started});
  }

  bool isShown(const ProfileRow& row, bool tree) const {
    const ProfileNumbers& n = tree ? row.total : row.self;
    if (n.selfNs < options_.minMicros * 1000 || n.outputBytes < options_.minBytes || n.flops < options_.minFlops) return false;
    if (n.parameters < options_.minParameters || n.count < double(options_.minOccurrence)) return false;
    if (show_ && !std::regex_match(row.name, *show_)) return false;
    return !hide_ || !std::regex_match(row.name, *hide_);
  }

  const ProfileOptions& options_;
  ProfileTable& table_;
  std::optional<std::regex> start_, show_, hide_, trim_;
};

}  // namespace

Result<ProfileTable> profileTable(const Trace& trace, const ProfileOptions& options) {
  if (options.step >= int(trace.steps.size())) return invalidArgument("the trace has ", trace.steps.size(), " steps; there is no step ", options.step);
  ProfileTable out;
  out.view = options.view;
  std::vector<NodeTotals> nodes = nodeTotals(trace, options.step, true);
  for (const NodeTotals& n : nodes) out.all += n.numbers;
  std::vector<double> lengths;
  for (size_t k = 0; k < trace.steps.size(); ++k) {
    if (options.step < 0 || options.step == int(k)) lengths.push_back(double(trace.steps[k].endNs - trace.steps[k].startNs));
  }
  for (const double l : lengths) out.stepNs += l / double(lengths.size());
  out.p50StepNs = percentile(lengths, 0.5);
  out.p99StepNs = percentile(lengths, 0.99);

  std::unique_ptr<ViewTree> tree;
  switch (options.view) {
    case ProfileView::Op: tree = opTree(trace, nodes); break;
    case ProfileView::Scope: tree = scopeTree(trace, nodes); break;
    case ProfileView::Graph: tree = graphTree(trace, nodes); break;
    case ProfileView::Code:
      tree = codeTree(trace, nodes);
      if (tree->children.empty()) {
        out.note = "This trace does not say which lines of a program made its ops; profiles of tfprof that were written with code traces do.";
      }
      break;
  }
  tree->sum();
  Lister lister(options, out);
  WEFT_TRY(lister.prepare());
  lister.list(*tree);
  return out;
}

}  // namespace weft
