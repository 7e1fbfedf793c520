#include <atomic>
#include <chrono>
#include <iostream>

#include "ops/registry.h"
#include "ops/tensor_text.h"

// Assert, Print and Timestamp: ops with effects outside the graph.
namespace weft {
namespace {

class AssertKernel final : public Kernel {
 public:
  explicit AssertKernel(KernelInit& init) : summarize_(init.attrs().integer("summarize", 3)) {}
  Status compute(KernelContext& c) override {
    const Tensor& condition = c.input(0);
    if (!condition.shape().isScalar()) return invalidArgument("In[0] should be a scalar: ", condition.shape().toString());
    if (condition.at<bool>(0)) return {};
    std::string message = "assertion failed: ";
    for (int i = 1; i < c.inputCount(); ++i) message += (i > 1 ? " [" : "[") + summarizeValue(c.input(i), summarize_) + "]";
    return invalidArgument(message);
  }

 private:
  int64_t summarize_;
};

class PrintKernel final : public Kernel {
 public:
  explicit PrintKernel(KernelInit& init)
      : message_(init.attrs().text("message")), firstN_(init.attrs().integer("first_n", -1)), summarize_(init.attrs().integer("summarize", 3)) {}
  Status compute(KernelContext& c) override {
    if (c.isRefInput(0)) c.forwardRef(0, 0);
    else c.setOutput(0, c.input(0));
    if (firstN_ >= 0 && calls_.fetch_add(1) >= firstN_) return {};
    std::string line = message_;
    for (int i = 1; i < c.inputCount(); ++i) line += "[" + summarizeValue(c.input(i), summarize_) + "]";
    std::cerr << line + "\n" << std::flush;
    return {};
  }

 private:
  const std::string message_;
  const int64_t firstN_, summarize_;
  std::atomic<int64_t> calls_{0};
};

class PrintV2Kernel final : public Kernel {
 public:
  static Result<std::unique_ptr<Kernel>> create(KernelInit& init) {
    auto kernel = std::make_unique<PrintV2Kernel>();
    kernel->stream_ = init.attrs().text("output_stream", "stderr");
    kernel->end_ = init.attrs().text("end", "\n");
    const std::string& s = kernel->stream_;
    if (s != "stdout" && s != "stderr" && !s.starts_with("log(") && !s.starts_with("file://"))
      return invalidArgument("Unknown output stream: ", s, ", stream can be \"stdout\", \"stderr\", \"log(info)\", \"log(warning)\", \"log(error)\"")
          .atNode(init.node().name);
    return std::unique_ptr<Kernel>(std::move(kernel));
  }
  Status compute(KernelContext& c) override {
    const Tensor& text = c.input(0);
    if (!text.shape().isScalar()) return invalidArgument("Input is expected to be scalar, but got ", text.shape().toString());
    (stream_ == "stdout" ? std::cout : std::cerr) << text.at<std::string>(0) + end_ << std::flush;
    return {};
  }

 private:
  std::string stream_, end_;
};

Status timestamp(KernelContext& c) {
  using namespace std::chrono;
  c.setOutput(0, Tensor::scalar(duration<double>(system_clock::now().time_since_epoch()).count()));
  return {};
}

Result<std::vector<Output>> printGradient(GradContext& g) {
  std::vector<Output> grads(size_t(g.inputCount()));
  grads[0] = g.grad();
  return grads;
}

}  // namespace

void registerLogging(OpRegistry& ops) {
  ops.add("Assert")
      .category("Debugging")
      .summary("Fails the run unless a condition is true.")
      .input("condition: bool", "A scalar.")
      .input("data: list(T)", "Tensors to print in the error message.")
      .attr("T: list(type) >= 1")
      .attr("summarize: int = 3", "Number of elements to print per tensor.")
      .stateful()
      .shape(shapes::none)
      .noGradient("It has no outputs.")
      .cpu({}, kernelOf<AssertKernel>());
  ops.add("Print")
      .category("Debugging")
      .summary("Prints tensors to stderr and passes its input through.")
      .input("input: T", "The value to pass through.")
      .input("data: list(U)", "Tensors to print.")
      .output("output: T", "The input, unchanged.")
      .attr("T: type")
      .attr("U: list(type) >= 0")
      .attr("message: string = ''", "Text printed before the tensors.")
      .attr("first_n: int = -1", "Print only the first first_n times; negative: always.")
      .attr("summarize: int = 3", "Number of elements to print per tensor.")
      .stateful()
      .shape(shapes::unchanged)
      .gradient(printGradient)
      .cpu({}, kernelOf<PrintKernel>());
  ops.add("PrintV2")
      .category("Debugging")
      .summary("Prints a string.")
      .input("input: string", "The string; a scalar.")
      .attr("output_stream: string = 'stderr'", "Where to print: stdout, stderr, log(info), log(warning) or log(error).")
      .attr("end: string = '\\n'", "Text printed after the string.")
      .stateful()
      .shape(shapes::none)
      .noGradient("It has no outputs.")
      .cpu({}, PrintV2Kernel::create);
  ops.add("Timestamp")
      .category("Debugging")
      .summary("Current time.")
      .output("ts: double", "Seconds since 1970-01-01 UTC; a scalar.")
      .stateful()
      .shape(shapes::scalar)
      .noGradient("It has no inputs.")
      .cpu({}, simpleKernel(timestamp));
  state(ops, OpRole::Check, Effect::Check, "Assert");
  state(ops, OpRole::Print, Effect::Output, "Print PrintV2");
  state(ops, OpRole::Compute, Effect::Reads, "Timestamp");
}

}  // namespace weft
