#include "adapters/pass_times.h"

#include <QHash>
#include <QSet>
#include <algorithm>
#include <unordered_map>

#include "adapters/engine_graph.h"
#include "adapters/profile_trace.h"

namespace weft::app {
namespace {

constexpr double kNearlyAll = 0.6;  // a scope with more than this share of the time is split if it has inner scopes
constexpr int kMostSplits = 4;

/// A node of the trace: its pass, and the scopes of the forward node it belongs to.
struct PassNode {
  QString name;
  PassPart::Way way = PassPart::Way::Forward;
  QStringList path;
  QVector<double> stepNs;
  double ns = 0, endNs = 0;
};

bool isGradients(const QString& word) {
  if (!word.startsWith(QLatin1String("gradients"))) return false;
  const QString rest = word.mid(9);
  return rest.isEmpty() || (rest.size() > 1 && rest[0] == u'_' && std::all_of(rest.begin() + 1, rest.end(), [](QChar c) { return c.isDigit(); }));
}

/// `gradients/conv1/Conv2D_grad/Filter` belongs to conv1/Conv2D; empty: a gradient that belongs to no layer.
QStringList gradientPath(const QStringList& words) {
  QStringList path;
  for (const QString& word : words) {
    const bool ends = word.endsWith(QLatin1String("_grad"));
    path << (ends ? word.chopped(5) : word);
    if (ends) return path;
  }
  return {};
}

void place(PassNode& node, const QString& op) {
  for (const char* start : {"Apply", "ResourceApply", "SparseApply", "ResourceSparseApply"}) {
    if (!op.startsWith(QLatin1String(start))) continue;
    node.way = PassPart::Way::Update;
    return;
  }
  const QStringList words = node.name.split(u'/');
  const auto at = std::find_if(words.begin(), words.end(), isGradients);
  if (at == words.end()) {
    node.path = words;
    return;
  }
  node.way = PassPart::Way::Backward;
  node.path = gradientPath(words.mid(at - words.begin() + 1));
}

std::vector<PassNode> nodesOf(const Trace& trace) {
  std::vector<PassNode> nodes;
  std::unordered_map<int32_t, std::size_t> known;
  std::vector<int> counts;
  for (const TraceSlice& s : trace.slices) {
    if (!trace.counts(s) || trace.tracks[std::size_t(s.track)].transfers || std::size_t(s.step) >= trace.steps.size()) continue;
    const auto [it, made] = known.try_emplace(s.name, nodes.size());
    if (made) {
      PassNode node;
      node.name = text(trace.nameOf(s));
      node.stepNs.fill(0, qsizetype(trace.steps.size()));
      place(node, text(trace.opOf(s)));
      nodes.push_back(std::move(node));
      counts.push_back(0);
    }
    PassNode& node = nodes[it->second];
    node.stepNs[s.step] += double(s.selfNs);
    node.ns += double(s.selfNs);
    const double end = double(s.startNs + s.durationNs - trace.steps[std::size_t(s.step)].startNs);
    node.endNs += (end - node.endNs) / ++counts[it->second];
  }
  return nodes;
}

/// The scope that a path is counted under: its first part, extended while `split` contains the scope.
QString scopeOf(const QStringList& path, const QSet<QString>& split) {
  QString scope = path.value(0);
  for (qsizetype i = 1; i < path.size() && split.contains(scope); ++i) scope += u'/' + path[i];
  return scope;
}

/// Finds scopes that hold nearly all the time: such a scope is uninformative, so its inner scopes are shown instead.
QSet<QString> splitScopes(const std::vector<PassNode>& nodes) {
  QSet<QString> split;
  for (int round = 0; round < kMostSplits; ++round) {
    QHash<QString, double> times;
    QHash<QString, QSet<QString>> inner;
    double all = 0;
    for (const PassNode& n : nodes) {
      if (n.path.isEmpty()) continue;
      const QString scope = scopeOf(n.path, split);
      times[scope] += n.ns;
      all += n.ns;
      const qsizetype depth = scope.count(u'/') + 1;
      if (n.path.size() > depth + 1) inner[scope].insert(n.path[depth]);
    }
    QString most;
    for (auto it = times.cbegin(); it != times.cend(); ++it)
      if (most.isEmpty() || *it > times[most] || (*it == times[most] && it.key() < most)) most = it.key();
    if (most.isEmpty() || times[most] < kNearlyAll * all || inner[most].size() < 2) break;
    split.insert(most);
  }
  return split;
}

void add(PassPart& part, const PassNode& node) {
  if (part.stepNs.isEmpty()) part.stepNs.fill(0, node.stepNs.size());
  for (qsizetype i = 0; i < node.stepNs.size(); ++i) part.stepNs[i] += node.stepNs[i];
  part.nodes << node.name;
}

}  // namespace

int PassTimes::partOf(const QString& node) const {
  for (qsizetype i = 0; i < parts.size(); ++i)
    if (parts[i].nodes.contains(node)) return int(i);
  return -1;
}

PassTimes passTimesOf(const EngineTrace& engine) {
  PassTimes out;
  std::vector<PassNode> nodes = nodesOf(engine.trace);
  std::stable_sort(nodes.begin(), nodes.end(), [](const PassNode& a, const PassNode& b) { return a.ns > b.ns; });
  const QSet<QString> split = splitScopes(nodes);
  QHash<QString, int> at[3];
  for (const PassNode& n : nodes) {
    const QString scope = n.path.isEmpty() ? QString() : scopeOf(n.path, split);
    QHash<QString, int>& known = at[int(n.way)];
    if (!known.contains(scope)) {
      known.insert(scope, int(out.parts.size()));
      PassPart part;
      part.way = n.way;
      part.scope = scope;
      part.endNs = n.endNs;  // end of its costliest node: a late summary or check would misplace the layer
      out.parts << part;
    }
    add(out.parts[known[scope]], n);
  }
  const auto forward = at[int(PassPart::Way::Forward)], backward = at[int(PassPart::Way::Backward)];
  for (const int part : forward) out.columns << PassColumn{part, backward.value(out.parts[part].scope, -1)};
  std::sort(out.columns.begin(), out.columns.end(), [&](const PassColumn& a, const PassColumn& b) {
    const PassPart &x = out.parts[a.forward], &y = out.parts[b.forward];
    return x.endNs != y.endNs ? x.endNs < y.endNs : x.scope < y.scope;
  });
  // Gradients without a layer start the backward pass, at the right.
  QStringList alone;
  for (auto it = backward.cbegin(); it != backward.cend(); ++it)
    if (!forward.contains(it.key())) alone << it.key();
  alone.sort();
  for (const QString& scope : std::as_const(alone)) out.columns << PassColumn{-1, backward[scope]};
  out.update = at[int(PassPart::Way::Update)].value(QString(), -1);
  return out;
}

double partNs(const PassPart& part, int step) {
  if (step >= 0) return part.stepNs.value(step, 0);
  QVector<double> sorted = part.stepNs;
  std::sort(sorted.begin(), sorted.end());
  return sorted.isEmpty() ? 0 : sorted[(sorted.size() - 1) / 2];
}

}  // namespace weft::app
