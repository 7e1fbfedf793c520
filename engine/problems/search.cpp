// All searches, one after another.
#include "problems/search.h"

#include <exception>
#include <functional>
#include <new>

namespace weft {
namespace problems {
namespace {

constexpr int kMostTrials = 16;  // per graph, because each one edits a copy
constexpr size_t kMostFixes = 4;

/// Runs one search. A failure becomes a problem, and does not prevent the others.
void guard(Search& s, const std::string& node, const char* analysis, const std::function<void()>& search) {
  std::string failure;
  try {
    search();
    return;
  } catch (const std::bad_alloc&) {
    failure = "there is not enough memory";
  } catch (const std::exception& e) {
    failure = e.what();
  }
  if (failure.empty()) failure = "for an unknown reason";
  s.add(DoctorWeight::Error, node, "analysis",
        {"AnalysisBorder",
         WEFT_TRANSLATED("AnalysisBorder", "This could not be analysed (%1): %2. The graph itself was read without changes."),
         {analysis, failure}});
}

}  // namespace

Search::Search(const LoadedGraph& loadedGraph)
    : loaded(loadedGraph), meta(loaded.meta), graph(meta.graph), recipes(recipesOf(meta)), readers(graph.consumers()) {}

GraphProblem& Search::add(DoctorWeight weight, const std::string& node, const char* code, ProblemText text) {
  GraphProblem p;
  p.code = code;
  p.weight = weight;
  p.node = node;
  p.text = std::move(text);
  return found.emplace_back(std::move(p));
}

void Search::offer(GraphProblem& p, ProblemText text, GraphCommand command, const std::string& node) {
  Shape shape = Shape::unknown();
  if (p.fixes.size() >= kMostFixes || ++trials > kMostTrials || graph.nodeCount() > kLargestForTrials || !fixesNode(loaded, command, node, &shape)) return;
  p.fixes.push_back({std::move(text), std::move(command), true, shape});
}

const Recipe* Search::layer(const std::string& scope) const {
  for (const Recipe& r : recipes)
    if (!r.trains() && r.scope == scope) return &r;
  return nullptr;
}

}  // namespace problems

std::vector<GraphProblem> findGraphProblems(const LoadedGraph& loaded) {
  using namespace problems;
  Search s(loaded);
  for (const Error& e : loaded.problems) guard(s, e.node, "fixes", [&] { findMisfits(s, e); });
  guard(s, {}, "defects", [&] { findDefects(s); });
  guard(s, {}, "open inputs", [&] { findOpenInputs(s); });
  guard(s, {}, "variables", [&] { findUninitialised(s); });
  guard(s, {}, "optimizers", [&] { findUntrained(s); });
  guard(s, {}, "losses", [&] { findWrongLabels(s); });
  guard(s, {}, "switches", [&] { findFixedSwitches(s); });
  guard(s, {}, "readers", [&] { findUnread(s); });
  guard(s, {}, "trainings", [&] { findTrainingProblems(s); });
  return std::move(s.found);
}

}  // namespace weft
