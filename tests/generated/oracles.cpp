#include "oracles.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "derivatives.h"
#include "graph/graph_shapes.h"
#include "graph/shape_context.h"
#include "random.h"
#include "sessions.h"
#include "weft/checkpoint.h"
#include "weft/freeze.h"
#include "weft/op.h"
#include "weft/passes.h"

namespace weft::generated {
namespace {

Way plain() { return {"plain", {"all"}, 1}; }

Outcome failed(const Error& error) {
  Outcome out;
  out.load.code = error.code;
  out.load.message = error.message;
  return out;
}

/// The same graph after it was written and read.
Outcome afterFile(const Case& one, GraphFormat format) {
  auto bytes = serializeGraph(one.meta, format);
  if (!bytes.ok()) return failed(bytes.error());
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(std::move(*bytes)), "generated");
  if (!loaded.ok()) return failed(loaded.error());
  if (!loaded->problems.empty()) return failed(loaded->problems.front());
  Case again = one;
  again.meta = std::move(loaded->meta);
  return runCase(again, plain());
}

/// Steps through a run op by op, without changes, and checks that every tensor has the shape that the graph and the op's shape function state, because
/// rewrites rely on it.
class Walker : public StepController {
 public:
  std::string wrong;
  void runBegins(const Graph&, std::span<const int>) override {}
  void fed(Output, const Tensor&) override {}
  StepVerdict before(StepPoint&) override { return StepVerdict::Go; }
  StepVerdict after(StepPoint& point, const Status& status) override {
    const Node& n = point.node();
    if (!status.ok() || !wrong.empty() || !n.record->shapeFunction) return StepVerdict::Go;
    std::vector<Tensor> values;
    std::vector<Shape> shapes;
    for (size_t i = 0; i < n.inputs.size(); ++i) {
      auto value = point.input(int(i));
      if (!value.ok() || !value->hasValue()) return StepVerdict::Go;
      shapes.push_back(value->shape());
      values.push_back(std::move(*value));
    }
    const auto found = inferShapes(n, shapes, [&](int k) { return size_t(k) < values.size() ? &values[size_t(k)] : nullptr; });
    // As in TensorFlow, windows that do not fit give an empty result if their step exceeds the deficit, although the shape function reports an error.
    if (!found.ok() && found.error().message.find("Negative dimension size") != std::string::npos) return StepVerdict::Go;
    // TensorFlow's kernels do not check inputs that they do not need, and accept any predicate or range end of one element.
    const bool looksLess = (n.op.starts_with("QuantizeAndDequantizeV") && !n.attrs.flag("range_given")) || n.op.starts_with("Quantized") ||
                           n.op.starts_with("QuantizeDown") || n.op.starts_with("Requanti") || n.op.starts_with("FakeQuantWithMinMaxVars") ||
                           n.op == "Switch" || n.op == "RefSwitch";
    if (!found.ok() && looksLess && found.error().message.starts_with("Shape must be rank 0")) return StepVerdict::Go;
    if (!found.ok() && n.op == "PlaceholderWithDefault") return StepVerdict::Go;  // a default may contradict the declared shape
    if (!found.ok() && n.op.starts_with("QuantizedBatchNorm") && found.error().message.starts_with("Dimensions must be equal")) return StepVerdict::Go;
    if (!found.ok()) wrong = concat(n.op, " ran, but its shape function says: ", found.error().message);
    for (size_t k = 0; wrong.empty() && k < n.outputTypes.size(); ++k) {
      if (misstatesShape(n, int(k), shapes.empty() ? Shape::unknown() : shapes[0])) continue;
      const auto value = point.output(int(k));
      if (isRef(n.outputTypes[k]) || !fetchable(n.outputTypes[k]) || !value.ok() || !value->hasValue()) continue;
      for (const Shape& said : {(*found)[k], point.graph().shape({n.id, int(k)})})
        if (!said.mergedWith(value->shape()).ok())
          wrong = concat("output ", k, " of ", n.op, " has shape ", value->shape().toString(), ", said to be ", said.toString());
    }
    return StepVerdict::Go;
  }
  void dead(const Node&, const std::vector<LoopPlace>&) override {}
  void runEnds(const Status&) override {}
};

Outcome stepped(const Case& one) {
  Walker walker;
  Way way{"stepping"};
  way.controller = &walker;
  Outcome out = runCase(one, way);
  return walker.wrong.empty() ? out : failed(internalError(walker.wrong));
}

/// Whether the variables are the only state of a session of this graph.
bool onlyVariables(const Case& one) {
  bool some = false;
  for (int id = 0; id < one.meta.graph.size(); ++id) {
    const Node& n = *one.meta.graph.node(id);
    if (n.op == "VariableV2" || n.op == "VarHandleOp") {
      const std::string shared = n.attrs.text("shared_name");
      if (!shared.empty() && shared != n.name) return false;  // setVariable() identifies variables by node
      some = true;
      continue;
    }
    if (!n.record->isStateful) continue;
    const std::string& op = n.op;
    const bool ofVariables = op.find("Variable") != std::string::npos || op.find("ResourceApply") == 0 || op.find("ResourceSparseApply") == 0 ||
                             op.find("ResourceScatter") == 0 || op.find("ResourceGather") == 0 || op == "VarIsInitializedOp";
    if (!ofVariables) return false;
  }
  return some;
}

/// Whether it has state that all sessions of the process share, or differs from run to run.
bool hasOwnNames(const Case& one) {
  for (int id = 0; id < one.meta.graph.size(); ++id) {
    const std::string& op = one.meta.graph.node(id)->op;
    if (op.starts_with("GetSessionHandle") || op.starts_with("NonDeterministic")) return true;
  }
  return false;
}

/// Stops after the first half, saves, and continues from the checkpoint in another session.
Outcome resumed(const Case& one) {
  const WorkingDirectory files(one.files);
  SessionOptions options;
  options.threads = 1;
  Outcome out;
  auto first = Session::create(one.meta.graph, options), second = Session::create(one.meta.graph, options);
  if (!first.ok()) return failed(first.error());
  if (!second.ok()) return failed(second.error());
  const size_t half = (one.steps.size() + 1) / 2;
  Session* session = first->get();
  for (size_t s = 0; s < one.steps.size(); ++s) {
    if (s == half) {
      const std::string prefix = (std::filesystem::temp_directory_path() / concat("weft-generated-", getpid())).string();
      auto writer = CheckpointWriter::create(prefix);
      if (!writer.ok()) return failed(writer.error());
      for (const auto& [name, value] : (*first)->variables())
        if (const Status added = (*writer)->add(name, value); !added.ok()) return failed(added.error());
      if (const Status done = (*writer)->finish(); !done.ok()) return failed(done.error());
      auto reader = CheckpointReader::open(prefix);
      if (!reader.ok()) return failed(reader.error());
      for (const auto& entry : (*reader)->tensors()) {
        auto value = (*reader)->read(entry.name);
        if (!value.ok()) return failed(value.error());
        if (const Status set = (*second)->setVariable(entry.name, *value); !set.ok()) return failed(set.error());
      }
      (void)removeCheckpoint(prefix);
      session = second->get();
    }
    auto values = session->run(one.steps[s].feeds, one.steps[s].fetches, one.steps[s].targets);
    StepOutcome& result = out.steps.emplace_back();
    if (!values.ok()) {
      result.code = values.error().code;
      result.message = values.error().message;
      result.node = values.error().node;
      return out;
    }
    result.values = std::move(*values);
  }
  StepOutcome& last = out.steps.emplace_back();
  for (auto& [name, value] : session->variables()) last.values.push_back(std::move(value));
  return out;
}

/// Whether the last step only reads variables, without ops that could be updates.
bool lastStepReads(const Case& one) {
  const Step& last = one.steps.back();
  if (!last.targets.empty() || last.fetches.empty()) return false;
  bool some = false;
  for (const int id : neededBy(one.meta.graph, last)) {
    const Node& n = *one.meta.graph.node(id);
    const bool variable = n.op == "VariableV2" || n.op == "VarHandleOp";
    some |= variable;
    if (variable || n.op == "ReadVariableOp" || n.op == "VarIsInitializedOp") {
      if (n.op == "VarIsInitializedOp" || !n.controls.empty()) return false;
      continue;
    }
    if (n.record->isStateful || std::any_of(n.outputTypes.begin(), n.outputTypes.end(), isRef)) return false;
    if (std::any_of(n.record->inputs.begin(), n.record->inputs.end(), [](const ArgSpec& a) { return a.isRef; })) return false;
  }
  return some;
}

/// All but the last step in one session; the last one in a graph with constants in place of the variables.
Outcome frozen(const Case& one) {
  const WorkingDirectory files(one.files);
  SessionOptions options;
  options.threads = 1;
  Outcome out;
  auto session = Session::create(one.meta.graph, options);
  if (!session.ok()) return failed(session.error());
  Case last = one;
  last.steps = {one.steps.back()};
  last.files.clear();  // those of the steps before it
  for (size_t s = 0; s + 1 < one.steps.size(); ++s) {
    auto values = (*session)->run(one.steps[s].feeds, one.steps[s].fetches, one.steps[s].targets);
    if (!values.ok()) return runCase(one, plain());
    out.steps.emplace_back().values = std::move(*values);
  }
  const auto variables = (*session)->variables();
  FreezeOptions freeze;
  for (const std::string& f : last.steps[0].fetches) freeze.outputs.push_back(f.substr(0, f.rfind(':')));
  const auto bytes = serializeGraph(one.meta, GraphFormat::GraphBinary);
  if (!bytes.ok()) return failed(bytes.error());
  for (const int id : neededBy(one.meta.graph, last.steps[0])) {
    const Node& n = *one.meta.graph.node(id);
    if ((n.op == "VariableV2" || n.op == "VarHandleOp") && !variables.count(n.name)) return runCase(one, plain());  // without a value: nothing to freeze
  }
  auto graph = freezeGraph(
      *bytes,
      [&](const SavedVariable& v) -> Result<Tensor> {
        const auto it = variables.find(v.name);
        return it != variables.end() ? Result<Tensor>(it->second) : Result<Tensor>(notFound("no value of ", v.name));
      },
      freeze);
  if (!graph.ok()) return failed(graph.error());
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(std::move(*graph)), "frozen");
  if (!loaded.ok()) return failed(loaded.error());
  last.meta = std::move(loaded->meta);
  std::erase_if(last.steps[0].feeds, [&](const auto& f) { return !last.meta.graph.findOutput(f.first).ok(); });
  Outcome end = runCase(last, plain());
  if (end.load.code != Code::Ok) return end;
  out.steps.push_back(end.steps[0]);
  if (end.steps[0].code != Code::Ok) return out;
  StepOutcome& state = out.steps.emplace_back();
  for (const auto& [name, value] : variables) state.values.push_back(value);
  return out;
}

}  // namespace

Status loadable(const Case& one) {
  auto bytes = serializeGraph(one.meta, GraphFormat::GraphBinary);
  if (!bytes.ok()) return bytes.status();
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(std::move(*bytes)), "generated");
  if (!loaded.ok()) return loaded.status();
  return loaded->problems.empty() ? Status() : Status(loaded->problems.front());
}

/// A step that exceeds the time limit in the first run waits forever.
constexpr int64_t kFirstPatienceMs = 3000;

bool makeFit(Case& one, Outcome& reference) {
  Step failing;
  bool hasFailing = false;
  for (int trial = 0; trial < 8; ++trial) {
    std::erase_if(one.steps, [](const Step& s) { return s.fetches.empty() && s.targets.empty(); });
    if (one.steps.empty()) break;
    const Patience brief(kFirstPatienceMs);
    reference = runCase(one, plain());
    if (reference.load.code != Code::Ok) return true;  // all must refuse it
    size_t bad = one.steps.size();
    for (size_t s = 0; s < one.steps.size() && s < reference.steps.size(); ++s)
      if (reference.steps[s].code != Code::Ok) bad = s;
    if (bad == one.steps.size()) break;
    const StepOutcome& error = reference.steps[bad];
    if (error.code == Code::DeadlineExceeded) return false;  // waits for something that a removed step would have produced
    const Node* node = one.meta.graph.find(error.node);
    if (!node) return true;
    if (!hasFailing && !node->outputTypes.empty() && fetchable(node->outputTypes[0]) && !node->record->isStateful) {
      failing = one.steps[bad];
      failing.targets.clear();
      failing.fetches = {node->name + ":0"};
      hasFailing = true;
    }
    const std::vector<bool> gone = dependents(one.meta.graph, node->id);
    for (Step& s : one.steps) {
      std::erase_if(s.fetches, [&](const std::string& f) {
        const auto o = one.meta.graph.findOutput(f);
        return !o.ok() || gone[size_t(o->node)];
      });
      std::erase_if(s.targets, [&](const std::string& t) {
        const Node* n = one.meta.graph.find(t);
        return !n || gone[size_t(n->id)];
      });
    }
  }
  if (hasFailing) one.steps.push_back(std::move(failing));
  std::erase_if(one.steps, [](const Step& s) { return s.fetches.empty() && s.targets.empty(); });
  if (one.steps.empty()) return false;
  one = pruned(one);
  reference = runCase(one, plain());
  for (size_t s = 0; s + 1 < reference.steps.size(); ++s)
    if (reference.steps[s].code != Code::Ok) return false;
  return true;
}

std::vector<Oracle> oraclesFor(const Case& one, bool few) {
  static const std::vector<std::string> kPasses = passNames();
  Random random(one.seed ^ 0x5eed);
  std::vector<Oracle> out;
  out.push_back({"all passes, two threads", [](const Case& c) { return runCase(c, {"", {}, 2}); }});
  const auto alone = [](const std::string& pass) {
    // These passes are parts of native_loops.
    const bool part = pass == "scalar_loops" || pass == "loop_products" || pass == "loop_transposes";
    Way way{"only " + pass, {}, 1};
    for (const std::string& p : kPasses)
      if (p != pass && !(part && p == "native_loops")) way.without.push_back(p);
    return Oracle{way.name, [way](const Case& c) { return runCase(c, way); }};
  };
  const auto allBut = [](const std::string& pass) {
    const Way way{"without " + pass, {pass}, 1};
    return Oracle{way.name, [way](const Case& c) { return runCase(c, way); }};
  };
  const Oracle stepping{"stepping", stepped};
  const Oracle text{"text file", [](const Case& c) { return afterFile(c, GraphFormat::GraphText); }};
  const Oracle binary{"binary file", [](const Case& c) { return afterFile(c, GraphFormat::GraphBinary); }};
  const Oracle saved{"checkpoint in the middle", resumed};
  const Oracle constant{"variables as constants", frozen};
  const Oracle taking{"beside another session", [](const Case& c) { return besideAnother(c, false); }};
  const Oracle threads{"beside another thread's session", [](const Case& c) { return besideAnother(c, true); }};
  const Oracle more{"session extended", extended};
  const Oracle numeric{"numeric gradient", {}, [](const Case& c, Counters& counters) {
                         const DerivativeCheck found = checkDerivatives(c);
                         if (found.judged) ++counters.oracles["numeric gradient, judged"];
                         return found.wrong;
                       }};
  const bool sessions = one.files.empty() && !hasOwnNames(one);
  const bool canFreeze = one.steps.size() > 1 && onlyVariables(one) && lastStepReads(one);
  const bool canSave = one.steps.size() > 1 && onlyVariables(one);
  if (!few) {
    for (const std::string& p : kPasses) {
      out.push_back(alone(p));
      out.push_back(allBut(p));
    }
    out.insert(out.end(), {stepping, text, binary});
    if (canSave) out.push_back(saved);
    if (canFreeze) out.push_back(constant);
    if (sessions) out.insert(out.end(), {taking, threads, more});
    if (!one.derivatives.empty()) out.push_back(numeric);
    return out;
  }
  switch (random.below(8)) {
    case 0:
    case 1: out.push_back(alone(random.pick(kPasses))); break;
    case 2:
    case 3: out.push_back(allBut(random.pick(kPasses))); break;
    case 4: out.push_back(stepping); break;
    case 5: out.push_back(!sessions ? stepping : random.chance(0.5) ? taking : threads); break;
    case 6: out.push_back(!sessions ? stepping : more); break;
    default: out.push_back(random.chance(0.5) ? text : binary); break;
  }
  if (canSave && random.chance(0.25)) out.push_back(saved);
  if (canFreeze && random.chance(0.5)) out.push_back(constant);
  if (!one.derivatives.empty()) out.push_back(numeric);
  return out;
}

Difference judge(const Outcome& got, const Outcome& reference, Conditioning& conditioning, Counters* counters) {
  Difference d = compare(got, reference);
  if (d.what.empty()) return got.beside ? judge(*got.beside, reference, conditioning, counters) : d;
  if (counters) ++counters->excused;
  // Values that depend on rounding are judged by the case's conditioning.
  for (const bool closer : {false, true}) {
    if (closer) conditioning.lookCloser();
    d = compare(got, reference, [&](int step, int fetch) { return conditioning.allowed(step, fetch); });
    const bool hangs = d.step >= 0 && (d.fetch < 0 ? conditioning.unsteady() : !d.isRounding && conditioning.unsteady(d.step, d.fetch));
    if (d.what.empty() || hangs) return got.beside ? judge(*got.beside, reference, conditioning, counters) : Difference();
  }
  if (counters) --counters->excused;
  return d;
}

std::optional<Finding> check(const Case& one, const Outcome& reference, bool few, Counters& counters) {
  Conditioning conditioning(one, reference);
  for (const Oracle& oracle : oraclesFor(one, few)) {
    Difference d = differenceBy(oracle, one, reference, conditioning, counters);
    if (!d.what.empty()) return Finding{oracle.name, std::move(d)};
  }
  return std::nullopt;
}

Difference differenceBy(const Oracle& oracle, const Case& one, const Outcome& reference, Conditioning& conditioning, Counters& counters) {
  ++counters.oracles[oracle.name];
  if (oracle.complaint) {
    Difference d;
    d.what = oracle.complaint(one, counters);
    return d;
  }
  const Outcome got = oracle.run(one);
  for (const auto& [pass, n] : got.passes) counters.passes[pass] += n;
  return judge(got, reference, conditioning, &counters);
}

void count(const Case& one, const Outcome& reference, Counters& counters) {
  ++counters.graphs;
  counters.nodes += one.meta.graph.nodeCount();
  std::set<std::string> ops;
  for (size_t s = 0; s < one.steps.size() && s < reference.steps.size(); ++s) {
    if (reference.steps[s].code != Code::Ok) {
      ++counters.refused;
      continue;
    }
    for (const int id : neededBy(one.meta.graph, one.steps[s])) ops.insert(one.meta.graph.node(id)->op);
    for (const auto& [name, value] : one.steps[s].feeds)
      if (const auto fed = one.meta.graph.findOutput(name); fed.ok()) ops.insert(one.meta.graph.node(fed->node)->op);
  }
  for (const std::string& op : ops) ++counters.ops[op];
}

}  // namespace weft::generated
