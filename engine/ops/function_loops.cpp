#include "kernel/functions.h"
#include "ops/functions.h"
#include "tensor/element_types.h"

// Ops that call functions for numbers (For) and for the rows of tensors (MapDefun), and placeholder outputs of branches (FakeParam).
namespace weft {
namespace {

Result<int64_t> loopNumber(KernelContext& c, int i, const char* name) {
  if (!c.input(i).shape().isScalar()) return invalidArgument(name, " must be a scalar, but ", c.input(i).shape().toString());
  return c.input(i).asInt(0);
}

Result<std::unique_ptr<Kernel>> forKernel(KernelInit& init) {
  WEFT_LET(auto body, bindFunction(init, "body"));
  return functionKernel([body](KernelContext& c) -> Status {
    WEFT_LET(const int64_t start, loopNumber(c, 0, "start"));
    WEFT_LET(const int64_t limit, loopNumber(c, 1, "limit"));
    WEFT_LET(const int64_t delta, loopNumber(c, 2, "delta"));
    if (!((delta > 0 && start <= limit) || (delta < 0 && start >= limit) || (delta == 0 && start == limit)))
      return invalidArgument("Invalid start/limit/delta: ", start, " ", limit, " ", delta);
    const CallSite site = CallSite::onDevice(c);
    std::vector<Tensor> values;
    for (int i = 3; i < c.inputCount(); ++i) values.push_back(c.input(i));
    for (int64_t i = start; delta > 0 ? i < limit : delta < 0 && i > limit; i += delta) {
      WEFT_TRY(site.check());
      std::vector<Tensor> arguments = {Tensor::scalar(int32_t(i))};
      arguments.insert(arguments.end(), values.begin(), values.end());
      WEFT_LET(auto next, body->call(arguments, site));
      if (next.size() != values.size()) return invalidArgument("For loop body returned ", next.size(), " arguments. Expected: ", values.size());
      values = std::move(next);
    }
    if (int(values.size()) != c.outputCount()) return invalidArgument("For has ", c.outputCount(), " outputs, but ", values.size(), " values");
    for (size_t k = 0; k < values.size(); ++k) {
      const DType want = baseType(c.node().outputTypes[k]);
      if (values[k].dtype() != want)
        return invalidArgument("Expects ret[", k, "] to be ", dtypeName(want), ", but the body returns ", dtypeName(values[k].dtype()));
      c.setOutput(int(k), std::move(values[k]));
    }
    return {};
  });
}

Result<std::unique_ptr<Kernel>> mapKernel(KernelInit& init) {
  WEFT_LET(auto f, bindFunction(init, "f"));
  const int arguments = int(init.attrs().list<DType>("Targuments").size());
  const auto shapes = init.attrs().list<Shape>("output_shapes");
  return functionKernel([=](KernelContext& c) -> Status {
    int64_t rows = -1;
    for (int i = 0; i < arguments; ++i) {
      const Shape& s = c.input(i).shape();
      if (s.rank() == 0) return invalidArgument("All inputs must have rank at least 1. Input ", i, " has a rank of 0.");
      if (i > 0 && s.dim(0) != rows)
        return invalidArgument("All inputs must have the same dimension 0. Input ", i, " has leading dimension ", s.dim(0),
                               ", while all previous inputs have leading dimension ", rows);
      rows = s.dim(0);
    }
    const CallSite site = CallSite::of(c);
    std::vector<Tensor*> out(size_t(c.outputCount()), nullptr);
    const auto make = [&](size_t k, const Shape& element) -> Status {
      Shape whole{rows};
      for (int d = 0; d < element.rank(); ++d) whole.append(std::max<int64_t>(0, element.dim(d)));
      WEFT_LET(out[k], c.allocate(int(k), whole));
      return {};
    };
    if (rows == 0)
      for (size_t k = 0; k < out.size(); ++k) WEFT_TRY(make(k, k < shapes.size() ? shapes[k] : Shape()));
    for (int64_t row = 0; row < rows; ++row) {
      WEFT_TRY(site.check());
      std::vector<Tensor> args;
      for (int i = 0; i < c.inputCount(); ++i) {
        const Tensor& t = c.input(i);
        if (i >= arguments) {
          args.push_back(t);
          continue;
        }
        WEFT_LET(Tensor piece, t.rows(row, row + 1).reshaped(t.shape().slice(1)).clone());
        args.push_back(std::move(piece));
      }
      WEFT_LET(const auto results, f->call(args, site));
      if (results.size() != out.size()) return invalidArgument("The function of MapDefun returned ", results.size(), " values instead of ", out.size());
      for (size_t k = 0; k < out.size(); ++k) {
        const Tensor& value = results[k];
        if (const DType want = baseType(c.node().outputTypes[k]); value.dtype() != want)
          return invalidArgument("Expects ret[", k, "] to be ", dtypeName(want), ", but the function returns ", dtypeName(value.dtype()));
        if (k < shapes.size() && !shapes[k].compatibleWith(value.shape()))
          return invalidArgument("Incompatible shapes: output ", k, " of the function is ", value.shape().toString(), ", expected ", shapes[k].toString());
        if (!out[k]) WEFT_TRY(make(k, value.shape()));
        if (value.elements() * rows != out[k]->elements() || !(out[k]->shape().slice(1) == value.shape()))
          return invalidArgument("Output ", k, " of the function has the shapes ", out[k]->shape().slice(1).toString(), " and ", value.shape().toString());
        copyElements(*out[k], row * value.elements(), value, 0, value.elements());
      }
    }
    return {};
  });
}

Status mapShape(ShapeContext& c) {
  const int arguments = int(c.attrs().list<DType>("Targuments").size());
  const auto shapes = c.attrs().list<Shape>("output_shapes");
  int64_t rows = Shape::kUnknownDim;
  for (int i = 0; i < arguments; ++i) {
    if (!c.input(i).hasRank()) continue;
    WEFT_TRY(c.requireRankAtLeast(c.input(i), 1));
    WEFT_LET(rows, c.mergeDims(rows, c.input(i).dim(0)));
  }
  for (int k = 0; k < c.outputCount() && k < int(shapes.size()); ++k) {
    if (!shapes[size_t(k)].hasRank()) continue;
    Shape whole{rows};
    whole.append(shapes[size_t(k)]);
    c.setOutput(k, std::move(whole));
  }
  return {};
}

Result<std::unique_ptr<Kernel>> fakeKernel(KernelInit& init) {
  Shape shape;
  const Shape given = init.attrs().shape("shape");
  for (int d = 0; d < given.rank(); ++d) shape.append(std::max<int64_t>(0, given.dim(d)));
  WEFT_LET(const Tensor value, Tensor::allocate(init.outputType(0), shape));
  Tensor zeros = value;
  if (zeros.bytes() > 0 && zeros.dtype() != DType::String && zeros.dtype() != DType::Resource && zeros.dtype() != DType::Variant)
    std::fill_n(static_cast<char*>(zeros.mutableRaw()), zeros.bytes(), '\0');
  return functionKernel([zeros](KernelContext& c) -> Status {
    c.setOutput(0, zeros);
    return {};
  });
}

}  // namespace

void registerFunctionLoops(OpRegistry& ops) {
  ops.add("For")
      .category("Control flow")
      .keywords("loop iterate repeat")
      .summary("For loop: calls a function for each number of a range.")
      .input("start: int32", "First number.")
      .input("limit: int32", "End of the range, excluded.")
      .input("delta: int32", "The step; a scalar.")
      .input("input: list(T)", "Loop variables.")
      .output("output: list(T)", "Final values of the loop variables.")
      .attr("T: list(type) >= 0", "Types of the loop variables.")
      .attr("body: func", "Maps the loop counter and the loop variables to the variables' next values.")
      .shape(shapes::unknown)
      .noGradient("TensorFlow defines no gradient for it.")
      .cpu({}, forKernel)
      .gradientIsError = true;
  ops.add("MapDefun")
      .category("Control flow")
      .keywords("map rows vectorize function")
      .summary("Applies a function to each row of the arguments and stacks the results.")
      .input("arguments: list(Targuments)", "Tensors with the same number of rows.")
      .input("captured_inputs: list(Tcaptured)", "Captured tensors, passed to each call unchanged.")
      .output("output: list(output_types)", "The stacked results.")
      .attr("Targuments: list(type) >= 1", "Types of the arguments.")
      .attr("Tcaptured: list(type) >= 0 = []", "Types of the captured tensors.")
      .attr("output_types: list(type) >= 1", "Types of the results.")
      .attr("output_shapes: list(shape) >= 1", "Shapes of the results of a single call.")
      .attr("f: func", "The function.")
      .attr("max_intra_op_parallelism: int = 1", "Ignored; rows are processed one at a time.")
      .shape(mapShape)
      .noGradient("TensorFlow defines no gradient for it.")
      .cpu({}, mapKernel)
      .gradientIsError = true;
  ops.add("FakeParam")
      .category("Control flow")
      .keywords("cond branch placeholder")
      .summary("Placeholder for a value that the branch taken does not produce.")
      .output("output: dtype", "An arbitrary value.")
      .attr("dtype: type", "Type of the value.")
      .attr("shape: shape", "Shape of the value, as far as it is known statically.")
      .shape([](ShapeContext& c) -> Status {
        c.setOutput(0, c.attrs().shape("shape"));
        return {};
      })
      .noGradient("It carries no value.")
      .cpu({}, fakeKernel);
}

}  // namespace weft
