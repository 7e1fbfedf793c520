#include "device/cpu/dtypes.h"
#include "kernel/functions.h"
#include "ops/functions.h"

// If, Case and While, whose branches and bodies are functions.
namespace weft {
namespace {

Status deliver(KernelContext& c, std::vector<Tensor> results) {
  if (int(results.size()) != c.outputCount()) {
    return invalidArgument(c.node().op, " has ", c.outputCount(), " outputs, but the branch returns ", results.size(), " values");
  }
  const auto stated = c.node().attrs.list<Shape>("output_shapes");  // the plan of later nodes relies on these shapes
  for (int k = 0; k < c.outputCount(); ++k) {
    const DType want = baseType(c.node().outputTypes[size_t(k)]);
    if (results[size_t(k)].dtype() != want) {
      return invalidArgument("Expects ret[", k, "] to be ", dtypeName(want), ", but the branch returns ", dtypeName(results[size_t(k)].dtype()));
    }
    if (size_t(k) < stated.size() && !stated[size_t(k)].compatibleWith(results[size_t(k)].shape())) {
      return invalidArgument("`output_shapes` states the shape ", stated[size_t(k)].toString(), " for output ", k, ", but what comes out has the shape ",
                             results[size_t(k)].shape().toString());
    }
    c.setOutput(k, std::move(results[size_t(k)]));
  }
  return {};
}

Result<std::unique_ptr<Kernel>> ifKernel(KernelInit& init) {
  WEFT_LET(auto yes, bindFunction(init, "then_branch"));
  WEFT_LET(auto no, bindFunction(init, "else_branch"));
  return functionKernel([yes, no](KernelContext& c) -> Status {
    WEFT_LET(const bool taken, asCondition(c.input(0)));
    std::vector<Tensor> args;
    for (int i = 1; i < c.inputCount(); ++i) args.push_back(c.input(i));
    WEFT_LET(auto results, (taken ? yes : no)->call(args, CallSite::onDevice(c)));
    return deliver(c, std::move(results));
  });
}

Result<std::unique_ptr<Kernel>> caseKernel(KernelInit& init) {
  std::vector<std::shared_ptr<BoundFunction>> branches;
  for (const FuncAttr& f : init.attrs().list<FuncAttr>("branches")) {
    WEFT_LET(auto bound, bindFunction(init, f));
    branches.push_back(std::move(bound));
  }
  return functionKernel([branches = std::move(branches)](KernelContext& c) -> Status {
    const Tensor& index = c.input(0);
    if (!index.shape().isScalar()) return invalidArgument("branch_index must be scalar, but has shape ", index.shape().toString());
    // An index out of range selects the last branch.
    const int64_t i = index.asInt(0);
    const auto& branch = i < 0 || i >= int64_t(branches.size()) ? branches.back() : branches[size_t(i)];
    std::vector<Tensor> args;
    for (int k = 1; k < c.inputCount(); ++k) args.push_back(c.input(k));
    WEFT_LET(auto results, branch->call(args, CallSite::onDevice(c)));
    return deliver(c, std::move(results));
  });
}

Result<std::unique_ptr<Kernel>> whileKernel(KernelInit& init) {
  WEFT_LET(auto condition, bindFunction(init, "cond"));
  WEFT_LET(auto body, bindFunction(init, "body"));
  return functionKernel([condition, body](KernelContext& c) -> Status {
    const CallSite site = CallSite::onDevice(c), onHost = CallSite::of(c);
    std::vector<Tensor> values;
    for (int i = 0; i < c.inputCount(); ++i) values.push_back(c.input(i));
    for (;;) {
      WEFT_TRY(site.check());
      WEFT_LET(const auto tested, condition->call(values, onHost));
      if (tested.size() != 1) return invalidArgument("Expected a single scalar return value from WhileOp cond got ", tested.size(), " tensors.");
      WEFT_LET(const bool again, asCondition(tested[0]));
      if (!again) break;
      WEFT_LET(auto next, body->call(values, site));
      if (next.size() != values.size()) {
        return invalidArgument("While loop body returned ", next.size(), " arguments. Expected: ", values.size());
      }
      values = std::move(next);
    }
    return deliver(c, std::move(values));
  });
}

}  // namespace

Result<bool> asCondition(const Tensor& t) {
  if (!t.shape().isScalar()) return t.elements() > 0;
  if (t.dtype() == DType::Bool) return t.at<bool>(0);
  if (t.dtype() == DType::String) return !t.data<std::string>()[0].empty();
  switch (t.dtype()) {
    case DType::Float:
    case DType::Double:
    case DType::Int32:
    case DType::UInt8:
    case DType::Int16:
    case DType::Int8:
    case DType::Int64: return t.asDouble(0) != 0;
    default: break;
  }
  return invalidArgument(dtypeName(t.dtype()), " cannot be converted to a boolean");
}

void registerFunctionalFlow(OpRegistry& ops) {
  for (const bool stateless : {false, true}) {
    OpRecord& branch =
        ops.add(stateless ? "StatelessIf" : "If")
            .category("Control flow")
            .keywords("cond branch switch")
            .summary(stateless ? "Calls one of two stateless functions, depending on a condition." : "Calls one of two functions, depending on a condition.")
            .input("cond: Tcond", "Selects then_branch if it is a nonzero number, a nonempty string, or a nonscalar tensor with elements.")
            .input("input: list(Tin)", "Arguments of both functions.")
            .output("output: list(Tout)", "Results of the branch.")
            .attr("Tcond: type", "Type of the condition.")
            .attr("Tin: list(type) >= 0", "Types of the arguments.")
            .attr("Tout: list(type) >= 0", "Types of the results.")
            .attr("then_branch: func", "Function to call if the condition is true.")
            .attr("else_branch: func", "Function to call if the condition is false.")
            .attr("output_shapes: list(shape) = []", "Shapes of the results, if known.")
            .shape(declaredOutputShapes)
            .cpu({}, ifKernel);
    if (!stateless) branch.stateful();
    OpRecord& loop = ops.add(stateless ? "StatelessWhile" : "While")
                         .category("Control flow")
                         .keywords("loop iterate repeat")
                         .summary(stateless ? "While loop over stateless functions: calls `body` as long as `cond` returns true."
                                            : "While loop: calls `body` as long as `cond` returns true.")
                         .input("input: list(T)", "Loop variables.")
                         .output("output: list(T)", "Final values of the loop variables.")
                         .attr("T: list(type) >= 0", "Types of the loop variables.")
                         .attr("cond: func", "Maps the loop variables to whether to continue.")
                         .attr("body: func", "Maps the loop variables to their next values.")
                         .attr("output_shapes: list(shape) = []", "Shapes of the results, if known.")
                         .attr("parallel_iterations: int = 10", "Ignored; iterations run one at a time.")
                         .shape([](ShapeContext& c) -> Status {
                           if (!c.attrs().list<Shape>("output_shapes").empty()) return declaredOutputShapes(c);
                           for (int k = 0; k < c.outputCount(); ++k) c.setOutput(k, c.input(k));
                           return {};
                         })
                         .cpu({}, whileKernel);
    if (!stateless) loop.stateful();
    branch.gradient(gradientOfConditional);
    loop.gradient(gradientOfWhile);
  }
  ops.add("Case")
      .category("Control flow")
      .keywords("switch branch")
      .summary("Calls one of several functions, selected by index.")
      .input("branch_index: int32", "Index of the function; out of range selects the last one.")
      .input("input: list(Tin)", "Arguments of the functions.")
      .output("output: list(Tout)", "Results of the branch.")
      .attr("Tin: list(type) >= 0", "Types of the arguments.")
      .attr("Tout: list(type) >= 0", "Types of the results.")
      .attr("branches: list(func) >= 1", "The functions.")
      .attr("output_shapes: list(shape) = []", "Shapes of the results, if known.")
      .stateful()
      .shape(declaredOutputShapes)
      .gradient(gradientOfConditional)
      .cpu({}, caseKernel);
  state(ops, OpRole::WhileFunction, Effect::None, "StatelessWhile");
  state(ops, OpRole::WhileFunction, Effect::Declared, "While");
  state(ops, OpRole::Branch, Effect::None, "StatelessIf");
  state(ops, OpRole::Branch, Effect::Declared, "Case If");
}

}  // namespace weft
