// Recurrent layers that are unrolled: their ops depend on the number of steps, so they are built for the one that a graph has.
#include <algorithm>
#include <tuple>

#include "fold/fold_parts.h"
#include "weft/builder.h"
#include "weft/mutex.h"

namespace weft::folding {
namespace {

using From = Source::From;

/// What each layer is unrolled of.
struct Record {
  const char* kind;
  TextAttrs parameters;
  std::vector<Source> sources;
  const char* kernel;
  int gates;
};
const std::vector<Record>& records() {
  static const std::vector<Record> all = {
      {"layers.lstm",
       {{"units", "3"}, {"forget_bias", "0.6875"}},
       {{"units", From::Variable, "bias", {0}, 4}, {"forget_bias", From::Constant, "", {}}},
       "kernel",
       4},
      {"layers.gru", {{"units", "3"}}, {{"units", From::Variable, "candidate/bias", {0}}}, "gates/kernel", 2},
  };
  return all;
}

std::shared_ptr<const Specimen> specimenOf(const Record& r, bool all, int64_t steps) {
  TextAttrs parameters = r.parameters;
  parameters.emplace_back("return_sequences", all ? "true" : "false");
  auto made = buildSpecimen(r.kind, parameters, {{DType::Float, Shape{-1, steps, 5}}}, {});
  return made.ok() ? *made : nullptr;
}

/// Ops at which such a layer is recognised.
struct Ends {
  std::set<std::string> parts;  ///< Gives the steps of the sequence.
  std::set<std::string> step;   ///< Computes the output of a step.
  std::set<std::string> last;   ///< Passes the last one on.
  std::set<std::string> all;    ///< Joins all.
};
const Ends& ends() {
  static const Ends found = [] {
    Ends e;
    for (const Record& r : records())
      for (const bool all : {false, true}) {
        const auto s = specimenOf(r, all, 2);
        if (!s) continue;
        const Graph& graph = s->meta.graph;
        const Node& output = *graph.node(s->output.node);
        (all ? e.all : e.last).insert(output.op);
        e.step.insert(graph.node(output.inputs[0].node)->op);
        for (const int id : s->dependent)
          if (const Node& n = *graph.node(id); n.inputs[0].node == s->inputs[0] && n.outputTypes.size() == 2) e.parts.insert(n.op);
      }
    return e;
  }();
  return found;
}

bool isStep(const Node& n) {
  return std::any_of(ends().step.begin(), ends().step.end(), [&](const std::string& op) { return isSameOp(op, n.op); });
}

/// Over how many steps a recurrent layer that ends here would be unrolled; 0: none does.
int64_t stepsBefore(const Graph& graph, const Node& output) {
  const bool all = ends().all.count(output.op) > 0, isBare = isStep(output);
  if ((!all && !isBare && !ends().last.count(output.op)) || output.inputs.empty()) return 0;
  const Node& last = isBare ? output : *graph.node(output.inputs.back().node);
  if (!isStep(last)) return 0;
  // The last step reads the last part of the sequence.
  constexpr size_t kMostOps = 64;
  std::vector<int> open{last.id};
  for (size_t i = 0; i < open.size() && i < kMostOps; ++i) {
    const Node& n = *graph.node(open[i]);
    if (ends().parts.count(n.op)) {
      const size_t steps = n.outputTypes.size();
      return !all || steps == output.inputs.size() ? int64_t(steps) : 0;
    }
    for (const Output in : n.inputs)
      if (std::find(open.begin(), open.end(), in.node) == open.end()) open.push_back(in.node);
  }
  return 0;
}

/// Nodes from which `output` is computed, in that order; false: too many, or they do more than compute.
bool collectBefore(const Graph& graph, Output output, Output input, std::vector<int>& out) {
  constexpr size_t kMostOps = 64;
  if (output == input || std::find(out.begin(), out.end(), output.node) != out.end()) return true;
  const Node& n = *graph.node(output.node);
  if (output.node == input.node || !n.controls.empty() || !isPure(n)) return false;
  for (const Output in : n.inputs)
    if (out.size() >= kMostOps || !collectBefore(graph, in, input, out)) return false;
  out.push_back(output.node);
  return out.size() <= kMostOps;
}

/// The shape of `zeros` if the input has so many rows.
Shape shapeWith(const Graph& graph, const std::vector<int>& ops, Output input, const Shape& shape) {
  MetaGraph meta;
  GraphBuilder b(meta);
  const Output given = b.placeholder(baseType(graph.dtype(input)), shape, "input");
  std::map<int, int> copies;
  for (const int id : ops) {
    const Node& n = *graph.node(id);
    std::vector<Output> inputs;
    for (const Output in : n.inputs) inputs.push_back(in == input ? given : Output{copies.at(in.node), in.index});
    AttrMap attrs;
    for (const auto& [name, value] : n.attrs)
      if (!name.starts_with('_')) attrs.set(name, value);
    copies[id] = b.node(n.op, inputs, attrs, "copy");
    if (!b.ok()) return Shape::unknown();
  }
  return ops.empty() ? Shape::unknown() : b.shape({copies.at(ops.back()), 0});
}

}  // namespace

std::optional<std::vector<int>> opsOfState(const Graph& graph, int zeros, Output input, int64_t columns) {
  std::vector<int> ops;
  Shape shape = graph.shape(input);
  if (!shape.hasRank() || shape.rank() < 1 || !collectBefore(graph, {zeros, 0}, input, ops)) return {};
  // Two numbers of rows tell whether the state follows its input.
  const int64_t known = shape.dim(0);
  for (const int64_t rows : {7, 11}) {
    if (known < 0) shape.setDim(0, rows);
    if (!(shapeWith(graph, ops, input, shape) == Shape{known < 0 ? rows : known, columns})) return {};
  }
  return ops;
}

std::vector<Pattern> unrolledPatterns(const Graph& graph, const Node& output) {
  const int64_t steps = stepsBefore(graph, output);
  if (steps <= 0) return {};
  struct Kept {
    Mutex mutex;
    std::map<std::tuple<bool, bool, int64_t>, std::vector<Pattern>> patterns WEFT_GUARDED_BY(mutex);
  };
  static Kept kept;
  constexpr size_t kMostKept = 8;
  const bool all = ends().all.count(output.op) > 0, isBare = isStep(output);
  const std::tuple key{all, isBare, steps};
  const MutexLock lock(kept.mutex);
  if (const auto at = kept.patterns.find(key); at != kept.patterns.end()) return at->second;
  if (kept.patterns.size() >= kMostKept) kept.patterns.clear();
  std::vector<Pattern>& out = kept.patterns[key];
  for (const Record& r : records())
    if (const auto specimen = specimenOf(r, all, steps)) out.push_back({specimen, r.sources, {r.kernel, 0}, r.gates, steps, isBare});
  return out;
}

}  // namespace weft::folding
