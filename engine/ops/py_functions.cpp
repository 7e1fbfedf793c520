#include "ops/py_functions.h"

#include "ops/registry.h"
#include "weft/mutex.h"

// Ops that call functions of the Python program that built the graph. Outside that program, such a graph can be read and shown, but not run.
namespace weft {
namespace {

Mutex mutex;
PythonCaller& caller() {
  static PythonCaller instance;
  return instance;
}

Status run(KernelContext& c) {
  PythonCaller call;
  {
    const MutexLock lock(mutex);
    call = caller();
  }
  const std::string token = c.node().attrs.text("token");
  if (!call) return failedPrecondition("callback ", token, " is not found: it is a function of the Python program that made this graph");
  std::vector<Tensor> arguments;
  for (int i = 0; i < c.inputCount(); ++i) arguments.push_back(c.input(i));
  WEFT_LET(std::vector<Tensor> results, call(token, arguments));
  if (int(results.size()) != c.outputCount())
    return invalidArgument(token, " returns ", results.size(), " values, but expects to see ", c.outputCount(), " values.");
  for (int k = 0; k < c.outputCount(); ++k) {
    const DType want = baseType(c.node().outputTypes[size_t(k)]);
    if (results[size_t(k)].dtype() != want)
      return invalidArgument(k, "-th value returned by ", token, " is ", dtypeShortName(results[size_t(k)].dtype()), ", but expects ", dtypeShortName(want));
    c.setOutput(k, std::move(results[size_t(k)]));
  }
  return {};
}

Status unknownShapes(ShapeContext& c) {
  for (int k = 0; k < c.outputCount(); ++k) c.setOutput(k, Shape::unknown());
  return {};
}

}  // namespace

void setPythonCaller(PythonCaller call) {
  const MutexLock lock(mutex);
  caller() = std::move(call);
}

void registerPythonFunctions(OpRegistry& ops) {
  const auto add = [&](const char* name, const char* summary) -> OpRecord& {
    return ops.add(name)
        .category("Python")
        .summary(summary)
        .input("input: list(Tin)", "Arguments of the function, as arrays.")
        .output("output: list(Tout)", "Results of the function.")
        .attr("token: string", "Key under which the program registered the function.")
        .attr("Tin: list(type) >= 0")
        .attr("Tout: list(type) >= 0")
        .shape(unknownShapes)
        .noGradient("A Python function declares no gradient.")
        .cpu({}, simpleKernel(run));
  };
  add("PyFunc", "Calls a Python function of the program; it may be stateful.").stateful();
  add("PyFuncStateless", "Calls a Python function of the program that depends on its arguments only.");
  state(ops, OpRole::Compute, Effect::Program, "PyFunc");
  retain(ops, "PyFunc PyFuncStateless");
}

}  // namespace weft
