#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include "api/control_flow.h"
#include "graph/builder_hooks.h"
#include "graph/flow_context.h"
#include "graph/indexed_slices.h"
#include "module/eager.h"
#include "module/graph_core.h"
#include "weft/aggregation.h"
#include "weft/op.h"
#include "weft/program_ops.h"
#include "weft/training_mistakes.h"

// Constructs that call functions of the program: branches, loops, gradients.
namespace weft::python {
namespace {

// Calls a function of the program for the engine. Exceptions must not cross the engine, so they are stored; check() rethrows them.
template <typename T, typename F>
T runGuarded(GraphCore& g, F&& f) {
  try {
    if (g.builder->ok()) return f();
  } catch (...) {
    if (!g.raised) g.raised = std::current_exception();
    g.builder->fail(internalError("a function of the program raised an exception"));
  }
  return T();
}

py::list tensorsOf(GraphCore& g, const std::vector<Output>& outputs) {
  py::list out;
  for (Output o : outputs) out.append(tensorOf(g, o));
  return out;
}

py::list cond(GraphCore& g, py::handle pred, const py::function& onTrue, const py::function& onFalse, const std::string& name) {
  const int before = g.meta.graph.size();
  const auto branch = [&](const py::function& f) { return [&g, &f] { return runGuarded<std::vector<Output>>(g, [&] { return outputsFrom(g, f()); }); }; };
  const auto out = api::cond(*g.builder, refOf(pred).output, branch(onTrue), branch(onFalse), name);
  ++g.revision;
  check(g);
  noteLines(g, before);
  return tensorsOf(g, out);
}

py::list whileLoop(GraphCore& g, const py::function& condition, const py::function& body, py::handle variables, const py::object& shapes,
                   const std::string& name, int64_t parallelIterations, bool backProp, bool swapMemory, py::handle limit) {
  const int before = g.meta.graph.size();
  api::WhileOptions options;
  options.name = name;
  options.parallelIterations = parallelIterations;
  options.backProp = backProp;
  options.swapMemory = swapMemory;
  if (!limit.is_none()) options.limit = refOf(limit).output;
  if (!shapes.is_none()) {
    for (py::handle s : shapes) options.shapeInvariants.push_back(shapeFromPython(s));
  }
  const auto test = [&](const std::vector<Output>& v) { return runGuarded<Output>(g, [&] { return refOf(condition(tensorsOf(g, v))).output; }); };
  const auto step = [&](const std::vector<Output>& v) { return runGuarded<std::vector<Output>>(g, [&] { return outputsFrom(g, body(tensorsOf(g, v))); }); };
  const auto out = api::whileLoop(*g.builder, test, step, outputsFrom(g, variables), options);
  ++g.revision;
  check(g);
  noteLines(g, before);
  return tensorsOf(g, out);
}

Output slicesFrom(GraphCore& g, py::handle item) {
  if (item.is_none()) return {};
  if (const TensorRef ref = refOf(item); ref.graph) return ref.output;
  const py::object shape = denseShapeOf(item);
  return makeSlices(*g.builder, refOf(item.attr("values")).output, refOf(item.attr("indices")).output, shape.is_none() ? Output{} : refOf(shape).output);
}

// Wraps a gradient function of the program as one of the engine. NotImplemented as its result stands for the gradient function of the node's op.
Result<std::vector<Output>> callGradient(const py::object& f, GradContext& c) {
  GraphCore* g = coreOf(c.b());
  if (!g) return internalError("a gradient function of a Python program met a graph that is not Python's");
  bool declined = false;
  auto out = runGuarded<std::vector<Output>>(*g, [&] {
    py::list arguments;
    arguments.append(operationOf(*g, c.node().id));
    for (Output o : c.grads()) {
      if (const auto s = slicesOf(c.b(), o)) {
        arguments.append(py::module_::import("weft.ops")
                             .attr("IndexedSlices")(tensorOf(*g, s->values), tensorOf(*g, s->indices),
                                                    s->denseShape.valid() ? tensorOf(*g, s->denseShape) : py::object(py::none())));
      } else {
        arguments.append(o.valid() ? tensorOf(*g, o) : py::object(py::none()));
      }
    }
    const py::object made = f(*py::tuple(arguments));
    std::vector<Output> result;
    declined = made.is(py::reinterpret_borrow<py::object>(Py_NotImplemented));
    if (declined) return result;
    if (PyList_Check(made.ptr()) || PyTuple_Check(made.ptr())) {
      for (py::handle item : made) result.push_back(slicesFrom(*g, item));
    } else {
      result.push_back(slicesFrom(*g, made));
    }
    return result;
  });
  if (!c.b().ok()) return c.b().status().error();
  if (declined && c.node().record) return c.node().record->gradientFunction(c);
  return out;
}

void registerGradient(const std::string& name, const py::object& f) {
  OpRegistry& registry = OpRegistry::instance();
  OpRecord* record = registry.findMutable(name);
  if (!record) record = programGradient(name, true);
  if (f.is_none()) {
    record->gradientFunction = nullptr;
    record->noGradientReason = "declared so by the program";
    return;
  }
  if (record->gradientFunction) {
    PyErr_SetObject(PyExc_KeyError, py::str("Registering two gradient with name '" + name + "'!").ptr());
    throw py::error_already_set();
  }
  // Never destroyed: the registry may outlive the interpreter.
  auto* kept = new py::object(f);
  record->gradientFunction = [kept](GradContext& c) { return callGradient(*kept, c); };
}

// Per x: None, a tensor, or (values, indices, dense shape or None).
py::list gradients(GraphCore& g, py::handle ys, py::handle xs, py::handle gradYs, py::handle stop, const std::string& name, bool colocate, bool gate,
                   int aggregation) {
  const EagerBuild building(g);
  const int before = g.meta.graph.size();
  GradientsOptions options;
  options.name = name;
  options.colocateWithOps = colocate;
  options.gateGradients = gate;
  options.stopGradients = outputsFrom(g, stop);
  if (!gradYs.is_none()) {
    for (py::handle item : gradYs) options.gradYs.push_back(slicesFrom(g, item));
  }
  auto result = addGradients(*g.builder, outputsFrom(g, ys), outputsFrom(g, xs), options, Aggregation(aggregation));
  ++g.revision;  // counters may have joined loops
  if (g.raised) check(g);
  if (!result.ok()) {
    (void)takeError(*g.builder);
    Error e = result.error();
    if (e.kind.empty()) e.kind = e.code == Code::NotFound ? "LookupError" : "build";
    raise(e, &g);
  }
  noteLines(g, before);
  if (!g.eager) g.gradients.push_back({before, g.meta.graph.size(), outputsFrom(g, ys)});
  py::list out;
  for (const Gradient& d : *result) {
    if (d.slices) {
      const auto& s = *d.slices;
      out.append(py::make_tuple(tensorOf(g, s.values), tensorOf(g, s.indices), s.denseShape.valid() ? tensorOf(g, s.denseShape) : py::object(py::none())));
    } else {
      out.append(d.dense.valid() ? tensorOf(g, d.dense) : py::object(py::none()));
    }
  }
  return out;
}

}  // namespace

void bindFlow(py::module_& m) {
  m.def("cond", &cond);
  m.def("while_loop", &whileLoop);
  m.def("gradients", &gradients);
  m.def("register_gradient", &registerGradient);
  // The predicate of the branch under construction.
  m.def("cond_pivot", [](GraphCore& g) {
    const auto c = std::dynamic_pointer_cast<CondContext>(g.builder->controlFlowContext());
    if (!c) throw py::value_error("not inside of a branch of tf.cond");
    return tensorOf(g, c->pivot);
  });
  // The construct a node lies in: None, ("cond", name, the one around it) or ("while", name, the one around it).
  m.def("flow_context", [](GraphCore& g, int node) -> py::object {
    const auto c = std::dynamic_pointer_cast<FlowContext>(node < 0 ? g.builder->controlFlowContext() : g.builder->contextOf(node));
    std::vector<const FlowContext*> around;
    for (const FlowContext* f = c.get(); f; f = f->outerFlow()) around.push_back(f);
    py::object found = py::none();
    for (auto f = around.rbegin(); f != around.rend(); ++f) found = py::make_tuple((*f)->isWhile() ? "while" : "cond", (*f)->name, found);
    return found;
  });
  // A number for each loop that a node lies in.
  m.def("loops_around", [](GraphCore& g, int node) {
    py::list out;
    const auto own = std::dynamic_pointer_cast<FlowContext>(g.builder->contextOf(node));
    for (FlowContext* c = own.get(); c; c = c->outerFlow()) {
      if (c->isWhile()) out.append(uint64_t(reinterpret_cast<uintptr_t>(c)));
    }
    return out;
  });
  // (kind, node, the node that feeds it or -1) of each; hints_of_trainings.py defines the kinds.
  m.def("training_mistakes", [](GraphCore& g, const std::vector<int>& runs) {
    py::list out;
    for (const TrainingMistake& mistake : findTrainingMistakes(g.meta, runs)) {
      const char* kind = mistake.kind == TrainingMistake::Kind::UpdatesNotRun  ? "updates"
                         : mistake.kind == TrainingMistake::Kind::SoftmaxTwice ? "softmax"
                                                                               : "step";
      out.append(py::make_tuple(kind, mistake.node, mistake.source));
    }
    return out;
  });
  m.def("add_flow_contexts", [](GraphCore& g, const std::string& collection, const std::vector<std::string>& messages) {
    ++g.revision;
    addControlFlowContexts(*g.builder, collection, messages);
    check(g);
  });
}

}  // namespace weft::python
