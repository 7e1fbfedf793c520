#include "api/control_flow.h"

#include "api/narrow.h"
#include "graph/flow_context.h"
#include "ops/grad_ops.h"

namespace weft::api {

std::vector<Output> cond(GraphBuilder& b, Output pred, const std::function<std::vector<Output>()>& trueFn, const std::function<std::vector<Output>()>& falseFn,
                         std::string_view name) {
  readControlFlowCollections(b);
  const auto scope = b.nameScope(name);
  const auto both = flow::switchOn(b, pred, pred);
  if (both.size() != 2) return {};
  const Output pivotTrue = b.identity(both[1], "switch_t"), pivotFalse = b.identity(both[0], "switch_f");
  pred = b.identity(pred, "pred_id");
  std::vector<std::shared_ptr<CondContext>> contexts;
  const auto branch = [&](Output pivot, int which, const std::function<std::vector<Output>()>& build) {
    auto context = CondContext::make(b, pred, pivot, which);
    contexts.push_back(context);
    context->enter(b);
    std::vector<Output> results;
    for (Output o : build()) {
      if (!b.ok()) break;
      results.push_back(context->outputTensor(b, o));
    }
    context->exitResult(results);
    context->exit(b);
    return results;
  };
  const auto onTrue = branch(pivotTrue, 1, trueFn);
  const auto onFalse = branch(pivotFalse, 0, falseFn);
  if (!b.ok()) return {};
  if (onTrue.size() != onFalse.size()) {
    b.fail(invalidArgument("true_fn and false_fn must return the same number of results: ", onTrue.size(), ", ", onFalse.size()));
    return {};
  }
  if (onTrue.empty()) {
    b.fail(invalidArgument("true_fn and false_fn must return at least one result."));
    return {};
  }
  std::vector<Output> out;
  for (size_t i = 0; i < onTrue.size(); ++i) {
    if (b.dtype(onTrue[i]) != b.dtype(onFalse[i])) {
      b.fail(invalidArgument("Outputs of true_fn and false_fn must have the same type: ", dtypeName(b.dtype(onTrue[i])), ", ", dtypeName(b.dtype(onFalse[i]))));
      return {};
    }
    out.push_back(flow::merge(b, {onFalse[i], onTrue[i]}));
  }
  if (!contexts[0]->outer) {
    addRootContext(b, contexts[0]);
    addRootContext(b, contexts[1]);
  }
  for (const auto& context : contexts) writeFinishedContext(b, *context);
  return out;
}

namespace {

// Whether every shape that `a` allows is allowed by `wider`.
bool fitsInto(const Shape& a, const Shape& wider) {
  if (!wider.hasRank()) return true;
  if (!a.hasRank() || a.rank() != wider.rank()) return false;
  for (int i = 0; i < a.rank(); ++i) {
    if (wider.dim(i) >= 0 && wider.dim(i) != a.dim(i)) return false;
  }
  return true;
}

std::vector<Output> buildLoop(GraphBuilder& b, WhileContext& c, const std::function<Output(const std::vector<Output>&)>& condition,
                              const std::function<std::vector<Output>(const std::vector<Output>&)>& body, const std::vector<Output>& variables,
                              const std::vector<Shape>& invariants) {
  c.values = {variables.begin(), variables.end()};
  std::vector<Output> real = variables, enters, merges, inside;
  if (FlowContext* around = c.outerFlow()) {
    for (Output& o : real) o = around->addValue(b, o);
  }
  {
    const auto clear = b.clearControlDependencies();
    for (Output o : real) enters.push_back(flow::enter(b, o, c.name, false, c.parallelIterations));
  }
  if (!b.ok()) return {};
  int pivot = -1;
  for (FlowContext* around = c.outerFlow(); around && pivot < 0; around = around->outerFlow()) pivot = around->controlPivot();
  if (pivot >= 0) {
    for (Output e : enters) {
      if (flow::isLoopConstantEnter(b.nodeAt(b.nodeAt(e.node).inputs[0].node))) b.addControlInputs(e.node, {pivot});
    }
  }
  for (size_t i = 0; i < enters.size(); ++i) {
    if (!fitsInto(b.shape(real[i]), invariants[i])) {
      b.fail(invalidArgument("The shape invariant specified for ", b.graph().tensorName(variables[i]),
                             " is not compatible with the initial shape of the "
                             "loop variable. It enters the loop with shape ",
                             b.shape(real[i]).toPythonString(), ", but the specified shape invariant is ", invariants[i].toPythonString(), "."));
      return {};
    }
    b.graph().setOutputShapes(enters[i].node, {invariants[i]});
  }
  c.fixControlInputsAndContext(b, enters);
  c.values = {enters.begin(), enters.end()};
  c.loopEnters = enters;
  for (Output e : enters) merges.push_back(flow::merge(b, {e, e}));
  c.pivotForPred = merges[0];
  const Output test = condition(merges);
  c.pivot = b.op("LoopCond", {test}, {}, "LoopCond");
  std::vector<std::vector<Output>> switches;
  for (Output m : merges) switches.push_back(flow::switchColocated(b, m, c.pivot));
  if (!b.ok()) return {};
  for (const auto& s : switches) inside.push_back(b.identity(s[1]));
  c.pivotForBody = inside[0];
  const std::vector<Output> results = body(inside);
  if (!b.ok()) return {};
  if (results.size() != merges.size()) {
    b.fail(invalidArgument("Number of inputs and outputs of body must match loop_vars: ", merges.size(), ", ", results.size()));
    return {};
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const Output next = flow::nextIteration(b, results[i]);
    if (!b.ok()) return {};
    if (b.dtype(next) != b.dtype(merges[i])) {
      b.fail(invalidArgument("The loop variable ", b.graph().tensorName(variables[i]), " enters the loop as ", dtypeName(b.dtype(merges[i])), " but has type ",
                             dtypeName(b.dtype(next)), " after one iteration."));
      return {};
    }
    if (!fitsInto(b.shape(next), b.shape(merges[i]))) {
      const Output entering = b.nodeAt(b.nodeAt(merges[i].node).inputs[0].node).inputs[0];
      b.fail(invalidArgument("Input tensor '", b.graph().tensorName(entering), "' enters the loop with shape ", b.shape(merges[i]).toPythonString(),
                             ", but has shape ", b.shape(next).toPythonString(),
                             " after one iteration. To allow the shape to vary across iterations, use the `shape_invariants` argument of "
                             "tf.while_loop to specify a less-specific shape."));
      return {};
    }
    b.updateInput(merges[i].node, 1, next);
  }
  std::vector<Output> exits;
  for (const auto& s : switches) exits.push_back(flow::exit(b, s[0]));
  c.loopExits = exits;
  c.exitResult(exits);
  return exits;
}

}  // namespace

std::vector<Output> whileLoop(GraphBuilder& b, const std::function<Output(const std::vector<Output>&)>& condition,
                              const std::function<std::vector<Output>(const std::vector<Output>&)>& body, const std::vector<Output>& variables,
                              const WhileOptions& options) {
  readControlFlowCollections(b);
  const auto scope = b.nameScope(options.name);
  if (variables.empty()) {
    b.fail(invalidArgument("No loop variables provided"));
    return {};
  }
  std::vector<Output> all = variables;
  auto test = condition;
  auto step = body;
  Output limit = options.limit;
  if (options.maximumIterations) {
    // A counter joins the loop as its first variable.
    limit = b.scalar<int32_t>(fit32(b, *options.maximumIterations, "maximum_iterations"), "maximum_iterations");
    all.insert(all.begin(), b.scalar<int32_t>(0, "iteration_counter"));
    test = [&b, &condition, limit](const std::vector<Output>& v) {
      const Output more = b.op("Less", {v[0], limit});
      return b.op("LogicalAnd", {more, condition({v.begin() + 1, v.end()})});
    };
    step = [&b, &body](const std::vector<Output>& v) {
      std::vector<Output> out = {py::add(b, v[0], 1)};
      const auto rest = body({v.begin() + 1, v.end()});
      out.insert(out.end(), rest.begin(), rest.end());
      return out;
    };
  }
  std::vector<Shape> invariants = options.shapeInvariants;
  if (!invariants.empty() && options.maximumIterations) invariants.insert(invariants.begin(), Shape{});
  if (invariants.empty()) {
    for (Output o : all) invariants.push_back(b.shape(o));
  }
  if (invariants.size() != all.size()) {
    b.fail(invalidArgument("whileLoop: ", invariants.size(), " shape invariants for ", all.size(), " variables"));
    return {};
  }
  auto context = WhileContext::make(b);
  context->parallelIterations = options.parallelIterations;
  context->backProp = options.backProp;
  context->swapMemory = options.swapMemory;
  context->maximumIterations = limit;
  if (!context->outer) addRootContext(b, context);
  context->enter(b);
  auto out = buildLoop(b, *context, test, step, all, invariants);
  context->exit(b);
  writeFinishedContext(b, *context);  // a loop whose body is rejected stays in the collection, as its nodes stay in the graph
  if (!b.ok()) return {};
  if (options.maximumIterations) out.erase(out.begin());
  return out;
}

}  // namespace weft::api
