#include "sessions.h"

#include <algorithm>
#include <map>
#include <thread>

#include "weft/op.h"

namespace weft::generated {
namespace {

SessionOptions options() {
  SessionOptions o;
  o.threads = 1;
  o.operationTimeoutMs = Patience::ms();
  return o;
}

Outcome failed(const Error& error) {
  Outcome out;
  out.load.code = error.code;
  out.load.message = error.message;
  return out;
}

/// False after an error, after which nothing is compared.
bool runStep(Session& session, const Step& step, Outcome& out) {
  auto values = session.run(step.feeds, step.fetches, step.targets);
  StepOutcome& result = out.steps.emplace_back();
  if (values.ok()) {
    result.values = std::move(*values);
    return true;
  }
  result.code = values.error().code;
  result.message = values.error().message;
  result.node = values.error().node;
  return false;
}

void addVariables(Session& session, Outcome& out) {
  StepOutcome& last = out.steps.emplace_back();
  for (auto& [name, value] : session.variables()) last.values.push_back(std::move(value));
}

/// The case with its nodes in the order in which steps need them, and the number of nodes present at each step.
std::pair<Case, std::vector<int>> inOrderOfNeed(const Case& one) {
  const Graph& graph = one.meta.graph;
  std::vector<int> order, known;
  std::vector<bool> seen(size_t(graph.size()), false);
  for (const Step& step : one.steps) {
    Step all = step;
    for (const auto& [name, value] : step.feeds) all.fetches.push_back(name);
    all.feeds.clear();  // a fed node is present with all its dependencies
    for (const int id : neededBy(graph, all)) {
      if (seen[size_t(id)]) continue;
      seen[size_t(id)] = true;
      order.push_back(id);
    }
    known.push_back(int(order.size()));
  }
  std::map<int, int> ids;
  for (size_t k = 0; k < order.size(); ++k) ids[order[k]] = int(k);
  Case out;
  out.seed = one.seed;
  out.steps = one.steps;
  out.meta.graph.versions = graph.versions;
  out.meta.graph.functions = graph.functions;
  out.meta.graph.statesShapes = graph.statesShapes;
  for (const int id : order) {
    Node n = *graph.node(id);
    n.raw = nullptr;
    for (Output& in : n.inputs) in.node = ids[in.node];
    for (int& c : n.controls) c = ids[c];
    (void)out.meta.graph.add(std::move(n));
  }
  return {std::move(out), std::move(known)};
}

/// The first nodes of a graph.
Graph beginning(const Graph& whole, int nodes) {
  Graph out;
  out.versions = whole.versions;
  out.functions = whole.functions;
  out.statesShapes = whole.statesShapes;
  for (int id = 0; id < nodes; ++id) (void)out.add(*whole.node(id));
  return out;
}

}  // namespace

Outcome besideAnother(const Case& one, bool threads) {
  auto first = Session::create(one.meta.graph, options()), second = Session::create(one.meta.graph, options());
  if (!first.ok()) return failed(first.error());
  if (!second.ok()) return failed(second.error());
  Outcome a, b;
  const auto all = [&](Session& session, Outcome& out) {
    for (const Step& s : one.steps)
      if (!runStep(session, s, out)) return;
    addVariables(session, out);
  };
  if (threads) {
    std::thread other([&] { all(**second, b); });
    all(**first, a);
    other.join();
  } else {
    // The second session is one step behind; state left by the first would appear too early.
    bool going = true, following = true;
    for (size_t s = 0; s <= one.steps.size(); ++s) {
      if (going && s < one.steps.size()) going = runStep(**first, one.steps[s], a);
      if (following && s > 0 && s <= one.steps.size()) following = runStep(**second, one.steps[s - 1], b);
    }
    if (going) addVariables(**first, a);
    if (following) addVariables(**second, b);
  }
  if (!compare(b, a).what.empty()) a.beside = std::make_shared<const Outcome>(std::move(b));
  return a;
}

Outcome extended(const Case& one) {
  Case whole = one;
  const bool keepsState = std::any_of(one.steps.begin(), one.steps.end(), [&](const Step& s) {
    const auto needed = neededBy(one.meta.graph, s);
    return std::any_of(needed.begin(), needed.end(), [&](int id) { return one.meta.graph.node(id)->record->isStateful; });
  });
  const bool tried = !keepsState && one.steps[0].fetches.size() > 1;
  if (tried) {
    Step half = one.steps[0];
    half.fetches.resize(half.fetches.size() / 2);
    half.targets.clear();
    std::vector<bool> needs(size_t(one.meta.graph.size()), false);
    for (const int id : neededBy(one.meta.graph, half)) needs[size_t(id)] = true;
    std::erase_if(half.feeds, [&](const auto& f) {
      const auto o = one.meta.graph.findOutput(f.first);
      return !o.ok() || (!needs[size_t(o->node)] && std::find(half.fetches.begin(), half.fetches.end(), f.first) == half.fetches.end());
    });
    whole.steps.insert(whole.steps.begin(), std::move(half));
  }
  const auto [ordered, known] = inOrderOfNeed(whole);
  auto session = Session::create(beginning(ordered.meta.graph, known[0]), options());
  if (!session.ok()) return failed(session.error());
  Outcome out;
  for (size_t s = 0; s < ordered.steps.size(); ++s) {
    if (s > 0 && known[s] > known[s - 1])
      if (const Status more = (*session)->extend(beginning(ordered.meta.graph, known[s])); !more.ok()) return failed(more.error());
    if (!runStep(**session, ordered.steps[s], out) && !(tried && s == 0)) break;
    if (s + 1 == ordered.steps.size()) addVariables(**session, out);
  }
  if (tried) out.steps.erase(out.steps.begin());
  return out;
}

}  // namespace weft::generated
