#include <algorithm>

#include "graph/function_library.h"
#include "kernel/device.h"
#include "kernel/functions.h"
#include "kernel/session_state.h"
#include "ops/functions.h"
#include "ops/grad_ops.h"

// Calls of a graph's functions, and the gradient of a function as an op.
namespace weft {
namespace {

std::vector<Tensor> inputsFrom(const KernelContext& c, int first) {
  std::vector<Tensor> out;
  out.reserve(size_t(c.inputCount() - first));
  for (int i = first; i < c.inputCount(); ++i) out.push_back(c.input(i));
  return out;
}

Status setOutputs(KernelContext& c, std::vector<Tensor> results) {
  if (int(results.size()) != c.outputCount()) {
    return invalidArgument(c.node().op, " has ", c.outputCount(), " outputs, but the function returns ", results.size(), " values");
  }
  for (int k = 0; k < c.outputCount(); ++k) {
    const DType want = baseType(c.node().outputTypes[size_t(k)]);
    if (results[size_t(k)].dtype() != want) {
      return invalidArgument("Expects ret[", k, "] to be ", dtypeName(want), ", but the function returns ", dtypeName(results[size_t(k)].dtype()));
    }
    c.setOutput(k, std::move(results[size_t(k)]));
  }
  return {};
}

/// Calls one function with all inputs (from `first` on).
Result<std::unique_ptr<Kernel>> callKernel(std::shared_ptr<BoundFunction> f, int first = 0) {
  return functionKernel([f = std::move(f), first](KernelContext& c) -> Status {
    WEFT_LET(auto results, f->call(inputsFrom(c, first), CallSite::onDevice(c)));
    return setOutputs(c, std::move(results));
  });
}

Result<std::unique_ptr<Kernel>> partitionedCall(KernelInit& init) {
  WEFT_LET(auto f, bindFunction(init, "f"));
  return callKernel(std::move(f));
}

Result<std::unique_ptr<Kernel>> callByName(KernelInit& init) {
  WEFT_LET(auto f, bindFunction(init, FuncAttr{init.node().op, std::make_shared<AttrMap>(init.attrs())}));
  return callKernel(std::move(f));
}

/// RemoteCall runs in this process if its target is one of its devices.
Result<std::unique_ptr<Kernel>> remoteCall(KernelInit& init) {
  WEFT_LET(auto f, bindFunction(init, "f"));
  return functionKernel([f](KernelContext& c) -> Status {
    const Tensor& target = c.input(0);
    if (target.elements() != 1) return invalidArgument("target must be one device name, but has shape ", target.shape().toString());
    const std::string& device = target.data<std::string>()[0];
    if (device.find("/task:") != device.npos && device.find("/job:localhost") == device.npos) {
      return invalidArgument("RemoteCall to ", device, ": this session has devices of this process only");
    }
    WEFT_LET(auto results, f->call(inputsFrom(c, 1), CallSite::onDevice(c)));
    return setOutputs(c, std::move(results));
  });
}

// ---- gradients

/// The function (inputs…, gradients of outputs…) -> gradients of inputs, built from the body of `f`.
Result<std::shared_ptr<const FunctionBody>> gradientBody(const FunctionBody& f) {
  MetaGraph meta;
  meta.graph = f.graph;
  auto body = std::make_shared<FunctionBody>();
  body->name = "gradient of " + f.name;
  body->args = f.args;
  body->targets = f.targets;
  body->isStateful = f.isStateful;
  GraphBuilder b(meta);
  std::vector<Output> ys, gradYs;
  for (const Output& result : f.results) {
    const DType type = baseType(b.dtype(result));
    const Output dy = b.op("_Arg", {}, {{"T", type}, {"index", int64_t(body->args.size())}}, "grad_y");
    body->args.push_back(dy);
    const bool differentiable = isFloating(type) || isComplex(type) || type == DType::Variant;
    if (!differentiable) continue;
    ys.push_back(result);
    gradYs.push_back(dy);
  }
  GradientsOptions options;
  options.gradYs = gradYs;
  WEFT_TRY(b.status());
  std::vector<Gradient> grads(f.args.size());
  if (!ys.empty()) {
    WEFT_LET(grads, addGradients(b, ys, f.args, options));
  }
  for (size_t i = 0; i < grads.size(); ++i) {
    const Gradient& g = grads[i];
    if (g.slices) {
      const Output rows = b.op("StridedSlice", {g.slices->denseShape, b.ints({0}), b.ints({1}), b.ints({1})}, {{"shrink_axis_mask", 1}});
      body->results.push_back(b.op("UnsortedSegmentSum", {g.slices->values, g.slices->indices, rows}));
    } else {
      body->results.push_back(g.none() ? b.op("ZerosLike", {f.args[i]}) : g.dense);
    }
  }
  WEFT_TRY(b.status());
  body->graph = std::move(meta.graph);
  return std::shared_ptr<const FunctionBody>(std::move(body));
}

Result<std::unique_ptr<Kernel>> symbolicGradient(KernelInit& init) {
  const Attr* attr = init.attrs().find("f");
  const FuncAttr* f = attr ? attr->get<FuncAttr>() : nullptr;
  const std::shared_ptr<FunctionRuntime> runtime = init.session().functions();
  if (!f) return invalidArgument("Attribute f of SymbolicGradient names no function");
  if (!runtime) return notFound("Function ", f->name, " is not defined.");
  if (const std::string own = runtime->library()->gradientOf(f->name); !own.empty()) {
    WEFT_LET(auto gradient, bindFunction(init, FuncAttr{own, f->attrs}));
    return callKernel(std::move(gradient));
  }
  static const AttrMap kNone;
  WEFT_LET(auto body, runtime->library()->instantiate(f->name, f->attrs ? *f->attrs : kNone));
  WEFT_LET(auto gradient, gradientBody(*body));
  return callKernel(std::make_shared<BoundFunction>(std::move(gradient), init.session().home(), init.node().name + " -> gradient of " + f->name + "/", false));
}

/// The gradient of a call as built by TensorFlow's client: one SymbolicGradient of the same function.
Result<std::vector<Output>> gradientOfCall(GradContext& c) {
  GraphBuilder& b = c.b();
  const Node& n = c.node();
  std::vector<Output> inputs = n.inputs;
  std::vector<DType> types;
  const std::vector<DType> inputTypes = n.inputTypes;
  for (size_t i = 0; i < n.inputs.size(); ++i) {
    DType t = baseType(inputTypes[i]);
    if (t == DType::Resource) {
      if (const auto handle = findHandleData(b.graph(), n.inputs[i])) t = handle->dtype;
    }
    types.push_back(t);
  }
  std::vector<DType> given;
  for (const DType t : inputTypes) given.push_back(baseType(t));
  const bool byAttr = n.attrs.find("f") != nullptr && (n.op == "PartitionedCall" || n.op == "StatefulPartitionedCall" || n.op == "RemoteCall");
  auto attrs = std::make_shared<AttrMap>(n.attrs);
  const FuncAttr* called = byAttr ? n.attrs.find("f")->get<FuncAttr>() : nullptr;
  const FuncAttr f{called ? called->name : n.op, attrs};
  for (int k = 0; k < int(n.outputTypes.size()); ++k) {
    const Output grad = c.grad(k);
    inputs.push_back(grad.valid() ? grad : b.op("ZerosLike", {c.output(k)}));
    given.push_back(baseType(n.outputTypes[size_t(k)]));
  }
  const int id = b.node("SymbolicGradient", inputs, {{"Tin", given}, {"Tout", types}, {"f", f}});
  WEFT_TRY(b.status());
  return b.outputsOf(id);
}

}  // namespace

Status declaredOutputShapes(ShapeContext& c) {
  const auto shapes = c.attrs().list<Shape>("output_shapes");
  if (shapes.empty()) return shapes::unknown(c);
  if (int(shapes.size()) != c.outputCount()) {
    return invalidArgument("`output_shapes` must be the same length as num outputs (", shapes.size(), " vs. ", c.outputCount());
  }
  for (int k = 0; k < c.outputCount(); ++k) c.setOutput(k, shapes[size_t(k)]);
  return {};
}

void completeFunctionRecord(OpRecord& record) {
  record.shape(shapes::unknown).gradient(gradientOfCall).cpu({}, callByName).kernel("GPU", {}, {std::string(kInt32Arguments)}, callByName);
}

void registerFunctionCalls(OpRegistry& ops) {
  ops.add("_Arg")
      .category("Control flow")
      .summary("Argument of a function.")
      .description("Occurs in function bodies only; each call supplies the value.")
      .output("output: T", "The argument.")
      .attr("T: type", "Type of the argument.")
      .attr("index: int >= 0", "Index of the argument.")
      .shape(shapes::unknown)
      .noGradient("It has no inputs.")
      .cpu({}, simpleKernel([](KernelContext& c) -> Status { return failedPrecondition("The argument ", c.node().name, " has no value outside of a call."); }));
  const struct {
    const char *name, *summary;
    bool stateful;
  } calls[] = {{"PartitionedCall", "Calls a stateless function.", false}, {"StatefulPartitionedCall", "Calls a function.", true}};
  for (const auto& call : calls) {
    OpRecord& record =
        ops.add(call.name)
            .category("Control flow")
            .keywords("function call defun")
            .summary(call.summary)
            .description(
                "The body is planned for the argument shapes and runs as part of this step; it shares the step's variables, cancellation and time limit.")
            .input("args: list(Tin)", "Arguments of the function.")
            .output("output: list(Tout)", "Results of the function.")
            .attr("Tin: list(type) >= 0", "Types of the arguments.")
            .attr("Tout: list(type) >= 0", "Types of the results.")
            .attr("f: func", "The function.")
            .attr("config: string = ''", "Ignored.")
            .attr("config_proto: string = ''", "Ignored.")
            .attr("executor_type: string = ''", "Ignored.")
            .shape(shapes::unknown)
            .gradient(gradientOfCall)
            .cpu({}, partitionedCall);
    if (call.stateful) record.stateful();
  }
  ops.add("RemoteCall")
      .category("Control flow")
      .summary("Calls a function on a device of this process.")
      .input("target: string", "Name of the device.")
      .input("args: list(Tin)", "Arguments of the function.")
      .output("output: list(Tout)", "Results of the function.")
      .attr("Tin: list(type) >= 1", "Types of the arguments.")
      .attr("Tout: list(type) >= 1", "Types of the results.")
      .attr("f: func", "The function.")
      .stateful()
      .shape(shapes::unknown)
      .noGradient("TensorFlow defines no gradient for calls to other devices.")
      .cpu({}, remoteCall);
  ops.add("SymbolicGradient")
      .category("Control flow")
      .summary("Gradient of a function: computes the gradients with respect to its inputs from its inputs and the gradients of its outputs.")
      .input("input: list(Tin)", "The function's inputs, followed by one gradient per output.")
      .output("output: list(Tout)", "One gradient per input of the function; zeros where none flows.")
      .attr("Tin: list(type) >= 1", "Types of the inputs.")
      .attr("Tout: list(type) >= 1", "Types of the function's inputs.")
      .attr("f: func", "The function to differentiate.")
      .shape([](ShapeContext& c) -> Status {
        if (c.inputCount() < c.outputCount()) return invalidArgument("len(inputs) < len(outputs)");
        for (int i = 0; i < c.outputCount(); ++i) {
          // The gradient of a variable has the shape of its value, not that of its handle.
          if (c.inputType(i) != DType::Resource) {
            c.setOutput(i, c.input(i));
          } else if (const auto handle = c.handle(i)) {
            c.setOutput(i, handle->shape);
          }
        }
        return {};
      })
      .noGradient("TensorFlow defines no second derivative for calls.")
      .cpu({}, symbolicGradient);
  state(ops, OpRole::Compute, Effect::Declared, "RemoteCall StatefulPartitionedCall");
  state(ops, OpRole::Argument, Effect::None, "_Arg");
}

}  // namespace weft
