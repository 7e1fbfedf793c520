#include "base/parallel.h"
#include "graph/indexed_slices.h"
#include "kernel/session_state.h"
#include "ops/gathers.h"
#include "ops/grad_ops.h"
#include "ops/index_vectors.h"
#include "ops/state_ops.h"
#include "tensor/element_types.h"

// Variables by handle (VarHandleOp and its consumers). The variable is created with the kernel of its VarHandleOp. It has no value before its first
// AssignVariableOp and after DestroyResourceOp.
namespace weft {
namespace {

class VarHandleKernel final : public Kernel {
 public:
  explicit VarHandleKernel(Tensor handle) : handle_(std::move(handle)) {}
  Status compute(KernelContext& c) override {
    c.setOutput(0, handle_);
    return {};
  }
  bool isCheap() const override { return true; }

 private:
  Tensor handle_;
};

Result<std::unique_ptr<Kernel>> makeVarHandle(KernelInit& init) {
  const Node& node = init.node();
  ResourceHandle handle;
  handle.container = node.attrs.text("container");
  if (handle.container.empty()) handle.container = SessionState::kDefaultContainer;
  handle.name = node.attrs.text("shared_name");
  if (handle.name.empty()) handle.name = node.name;
  handle.dtype = node.attrs.type("dtype");
  handle.shape = node.attrs.shape("shape");
  handle.device = "/job:localhost/replica:0/task:0/device:CPU:0";
  WEFT_LET(handle.resource, init.session().lookupOrCreate<Variable>(handle.container, handle.name, [&]() -> Result<std::shared_ptr<Variable>> {
    auto made = std::make_shared<Variable>();
    made->dtype = handle.dtype;
    made->shape = handle.shape;
    made->name = handle.name;
    return made;
  }));
  WEFT_LET(Tensor tensor, Tensor::allocate(DType::Resource, {}));
  *tensor.mutableData<ResourceHandle>() = std::move(handle);
  return std::unique_ptr<Kernel>(std::make_unique<VarHandleKernel>(std::move(tensor)));
}

Status read(KernelContext& c) {
  WEFT_LET(Tensor value, readVariable(c, 0, unreadableVariable));
  const DType wanted = c.node().attrs.type("dtype");
  if (value.dtype() != wanted)
    return invalidArgument("Trying to read variable with wrong dtype. Expected ", dtypeShortName(wanted), " got ", dtypeShortName(value.dtype()));
  c.setOutput(0, std::move(value));
  return {};
}

Status assign(KernelContext& c) {
  WEFT_LET(auto variable, variableOf(c, 0));
  const Tensor& value = c.input(1);
  if (variable->dtype != value.dtype())
    return invalidArgument("Variable and value dtypes don't match; respectively, ", dtypeShortName(variable->dtype), " and ", dtypeShortName(value.dtype()));
  return c.assign(*variable, value);
}

template <bool kAdd>
Status updateResource(KernelContext& c) {
  WEFT_LET(auto updates, lockForDelta(c));
  addInPlace(updates[0].value(), c.input(1), kAdd);
  return {};
}

Status isResourceInitialized(KernelContext& c) {
  auto variable = std::dynamic_pointer_cast<Variable>(handleOf(c, 0).resource);
  bool initialized = false;
  if (variable) {
    const MutexLock lock(variable->mutex);
    initialized = variable->value.hasValue();
  }
  c.setOutput(0, Tensor::scalar(initialized));
  return {};
}

Status variableShape(KernelContext& c) {
  WEFT_LET(Tensor value, readVariable(c, 0, noSuchVariable));
  WEFT_LET(Tensor * out, c.allocate(0, {value.rank()}));
  for (int i = 0; i < value.rank(); ++i) {
    if (out->dtype() == DType::Int64) out->mutableData<int64_t>()[i] = value.dim(i);
    else out->mutableData<int32_t>()[i] = int32_t(value.dim(i));
  }
  return {};
}

Status destroy(KernelContext& c) {
  const ResourceHandle& handle = handleOf(c, 0);
  const bool ignore = c.node().attrs.flag("ignore_lookup_error", true);
  if (auto variable = std::dynamic_pointer_cast<Variable>(handle.resource)) {
    const MutexLock lock(variable->mutex);
    if (!variable->value.hasValue() && !ignore) return noSuchVariable(handle);
    variable->value = Tensor();
    return {};
  }
  if (!handle.resource) return ignore ? Status() : Status(noSuchVariable(handle));
  const Status erased = c.session().erase(*handle.resource, handle.container, handle.name);
  return ignore ? Status() : erased;
}

Status countUpTo(KernelContext& c) {
  const int64_t limit = c.node().attrs.integer("limit");
  WEFT_TRY(requireInitialized(c, {0}, c.node().outputTypes[0], noSuchVariable));
  WEFT_LET(auto updates, c.update({0}));
  Tensor& value = updates[0].value();
  if (!value.shape().isScalar()) return invalidArgument("input is not a scalar: ", value.shape().toString());
  if (value.asInt(0) >= limit) return outOfRange("Reached limit of ", limit);
  if (value.dtype() == DType::Int32) c.setOutput(0, Tensor::scalar(value.mutableData<int32_t>()[0]++));
  else c.setOutput(0, Tensor::scalar(value.mutableData<int64_t>()[0]++));
  return {};
}

Status gather(KernelContext& c) {
  WEFT_LET(const Tensor params, gatheredVariable(c));
  const Tensor& indices = c.input(1);
  const int64_t batch = c.node().attrs.integer("batch_dims");
  const GatherPlan g = planGather(params.shape(), indices.shape(), batch, batch);
  std::vector<int64_t> picks(size_t(indices.elements()));
  for (int64_t i = 0; i < indices.elements(); ++i) {
    const int64_t row = indices.asInt(i);
    if (row < 0 || row >= g.limit) return indexOutside(indices, i, g.limit);
    picks[size_t(i)] = (i / g.count) * g.limit + row;
  }
  WEFT_LET(Tensor * out, c.allocate(0, g.shape));
  parallelFor(indices.elements(), std::max<int64_t>(1, (1 << 14) / std::max<int64_t>(g.row, 1)), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) copyElements(*out, i * g.row, params, picks[size_t(i)] * g.row, g.row);
  });
  return {};
}

Status gatherNd(KernelContext& c) {
  WEFT_LET(const Tensor params, gatheredNdVariable(c));
  const Tensor& indices = c.input(1);
  WEFT_LET(const GatherNdPlan g, planGatherNd(params.shape(), indices.shape()));
  WEFT_LET(Tensor * out, c.allocate(0, g.shape));
  for (int64_t i = 0; i < g.count; ++i) {
    int64_t at = 0;
    for (int64_t d = 0; d < g.depth; ++d) {
      const int64_t k = indices.asInt(i * g.depth + d);
      if (k < 0 || k >= params.dim(int(d))) return outsideOf(indices, i, "param shape", params.shape());
      at = at * params.dim(int(d)) + k;
    }
    copyElements(*out, i * g.row, params, at * g.row, g.row);
  }
  return {};
}

// Shape functions: the dtype and shape carried by the handle.
Status handleOutput(ShapeContext& c) {
  c.setOutput(0, {});
  return {};
}

Status readShape(ShapeContext& c) {
  c.setOutput(0, handleShape(c, 0));
  if (const auto data = c.handle(0); data && data->dtype != DType::Invalid && data->dtype != c.attrs().type("dtype"))
    return invalidArgument("Trying to read variable with wrong dtype. Expected ", dtypeShortName(data->dtype), " got ",
                           dtypeShortName(c.attrs().type("dtype")));
  return {};
}

Status assignResourceShape(ShapeContext& c) {
  if (const auto data = c.handle(0)) {
    if (data->dtype != DType::Invalid && data->dtype != c.attrs().type("dtype"))
      return invalidArgument("Trying to initialize handle for variable with wrong dtype. Expected ", dtypeShortName(data->dtype), " got ",
                             dtypeShortName(c.attrs().type("dtype")));
    WEFT_TRY(c.merge(data->shape, c.input(1)));
  }
  return {};
}

Status shapeOfVariable(ShapeContext& c) {
  const Shape shape = handleShape(c, 0);
  c.setOutput(0, shape.hasRank() ? Shape({shape.rank()}) : Shape::unknownOfRank(1));
  return {};
}

Status gatherShape(ShapeContext& c) {
  const Shape params = handleShape(c, 0);
  WEFT_TRY(c.requireRankAtLeast(params, 1));
  const int batchDims = int(c.attrs().integer("batch_dims"));
  if (!params.hasRank() || !c.input(1).hasRank() || batchDims < 0 || batchDims >= params.rank()) return {};
  Shape out = params.slice(0, batchDims);
  out.append(c.input(1).slice(batchDims));
  out.append(params.slice(batchDims + 1));
  c.setOutput(0, out);
  return {};
}

Status gatherNdShape(ShapeContext& c) {
  const Shape params = handleShape(c, 0);
  const Shape& indices = c.input(1);
  WEFT_TRY(c.requireRankAtLeast(indices, 1));
  if (!params.hasRank() || !indices.hasRank() || indices.dim(indices.rank() - 1) < 0) return {};
  const int64_t depth = indices.dim(indices.rank() - 1);
  if (depth > params.rank())
    return invalidArgument("indices.shape[-1] must be <= params.rank, but saw indices shape: ", indices.toString(), " and params shape: ", params.toString());
  Shape out = indices.slice(0, indices.rank() - 1);
  out.append(params.slice(int(depth)));
  c.setOutput(0, out);
  return {};
}

Result<std::vector<Output>> readGradient(GradContext& g) { return std::vector<Output>{g.grad()}; }

Result<std::vector<Output>> gatherGradient(GradContext& g) {
  GraphBuilder& b = g.b();
  const auto data = findHandleData(b.graph(), g.input(0));
  Output shape;
  if (data && data->shape.isFullyKnown()) {
    const auto dims = data->shape.toVector();
    shape = b.ints({dims.begin(), dims.end()});
  } else {
    shape = b.op("VariableShape", {g.input(0)});
  }
  const Output size = py::expandDims(b, py::size(b, g.input(1)), 0);
  AttrMap restOfShape{{"begin_mask", 0}, {"end_mask", 1}, {"ellipsis_mask", 0}, {"new_axis_mask", 0}, {"shrink_axis_mask", 0}};
  const Output inner =
      b.op("StridedSlice", {shape, b.ints({1}, "strided_slice/stack"), b.ints({0}, "strided_slice/stack_1"), b.ints({1}, "strided_slice/stack_2")}, restOfShape,
           "strided_slice");
  const Output valuesShape = b.op("ConcatV2", {size, inner, b.scalar<int32_t>(0, "concat/axis")}, {}, "concat");
  const Output values = b.op("Reshape", {g.grad(), valuesShape});
  const Output indices = b.op("Reshape", {g.input(1), size});
  return std::vector<Output>{makeSlices(g, values, indices, shape), Output()};
}

}  // namespace

Result<Tensor> gatheredVariable(KernelContext& c) {
  WEFT_LET(Tensor params, readVariable(c, 0, unreadableVariable));
  WEFT_TRY(requireType(params, c.node().outputTypes[0]));
  const Shape& indices = c.input(1).shape();
  const int64_t batch = c.node().attrs.integer("batch_dims");
  if (params.rank() < 1) return invalidArgument("params must be at least 1 dimensional");
  if (batch < 0 || batch > indices.rank() || batch >= params.rank())
    return invalidArgument("batch_dims (", batch, ") must be less than rank(params) (", params.rank(), ").");
  for (int d = 0; d < batch; ++d) {
    if (params.dim(d) != indices.dim(d))
      return invalidArgument("params.shape[", d, "]: ", params.dim(d), " should be equal to indices.shape[", d, "]: ", indices.dim(d));
  }
  return params;
}

Result<Tensor> gatheredNdVariable(KernelContext& c) {
  WEFT_LET(Tensor params, readVariable(c, 0, unreadableVariable));
  WEFT_TRY(requireType(params, c.node().outputTypes[0]));
  return params;
}

void registerVariablesByHandle(OpRegistry& ops) {
  constexpr const char* kCategory = "Variables";
  constexpr const char* kNoGradient = "Variable updates are not differentiable.";
  ops.add("VarHandleOp")
      .category(kCategory)
      .summary("Handle of a resource variable.")
      .output("resource: resource", "The handle.")
      .attr("container: string = ''", "Resource container of the variable; empty: the session's default container.")
      .attr("shared_name: string = ''", "Name of the variable.")
      .attr("dtype: type", "Element type.")
      .attr("shape: shape", "Shape of the variable; may be partially unknown.")
      .stateful()
      .shape(handleOutput)
      .noGradient("A handle has no inputs.")
      .cpu({}, makeVarHandle);
  ops.add("ReadVariableOp")
      .category(kCategory)
      .summary("Reads the value of a variable.")
      .input("resource: resource", "Handle of the variable.")
      .output("value: dtype", "The current value.")
      .attr("dtype: type")
      .stateful()
      .shape(readShape)
      .gradient(readGradient)
      .cpu({}, simpleKernel(read));
  ops.add("AssignVariableOp")
      .category(kCategory)
      .summary("Assigns a value to a variable.")
      .keywords("set store write initialize")
      .input("resource: resource", "Handle of the variable; it need not be initialized.")
      .input("value: dtype", "The value to assign.")
      .attr("dtype: type")
      .stateful()
      .shape(assignResourceShape)
      .noGradient(kNoGradient)
      .cpu({}, simpleKernel(assign));
  for (const bool add : {true, false})
    ops.add(add ? "AssignAddVariableOp" : "AssignSubVariableOp")
        .category(kCategory)
        .summary(add ? "Adds a value to a variable." : "Subtracts a value from a variable.")
        .input("resource: resource", "Handle of the variable.")
        .input("value: dtype", "Value to add or subtract, in the variable's shape.")
        .attr("dtype: type")
        .stateful()
        .shape(assignResourceShape)
        .noGradient(kNoGradient)
        .cpu({{"dtype", types::kCpuNumber}}, simpleKernel(add ? updateResource<true> : updateResource<false>));
  ops.add("VarIsInitializedOp")
      .category(kCategory)
      .summary("Whether a variable is initialized.")
      .input("resource: resource", "Handle of the variable.")
      .output("is_initialized: bool", "A scalar.")
      .stateful()
      .shape(shapes::scalar)
      .noGradient("The result is boolean.")
      .cpu({}, simpleKernel(isResourceInitialized));
  ops.add("VariableShape")
      .category(kCategory)
      .summary("Shape of a variable's value.")
      .input("input: resource", "Handle of the variable.")
      .output("output: out_type", "A vector with one element per dimension.")
      .attr("out_type: {int32, int64} = DT_INT32")
      .stateful()
      .shape(shapeOfVariable)
      .noGradient("A shape does not depend on values.")
      .cpu({}, simpleKernel(variableShape));
  ops.add("DestroyResourceOp")
      .category(kCategory)
      .summary("Destroys a resource, such as a variable.")
      .input("resource: resource", "Handle of the resource to destroy.")
      .attr("ignore_lookup_error: bool = true", "Ignore missing resources instead of failing.")
      .stateful()
      .shape(shapes::none)
      .noGradient(kNoGradient)
      .cpu({}, simpleKernel(destroy));
  ops.add("ResourceCountUpTo")
      .category(kCategory)
      .summary("Increments a scalar variable until it reaches a limit.")
      .input("resource: resource", "Handle of the counter.")
      .output("output: T", "The value before the increment.")
      .attr("limit: int", "The op fails with OUT_OF_RANGE once the counter has reached this value.")
      .attr("T: {int32, int64}")
      .stateful()
      .shape(shapes::scalar)
      .noGradient(kNoGradient)
      .cpu({{"T", types::kIndex}}, simpleKernel(countUpTo));
  ops.add("ResourceGather")
      .category(kCategory)
      .summary("Gathers rows of a variable by index.")
      .keywords("embedding lookup")
      .input("resource: resource", "Handle of the variable.")
      .input("indices: Tindices", "Row indices, in any shape.")
      .output("output: dtype", "The rows; shape indices.shape + variable.shape[1:].")
      .attr("batch_dims: int = 0", "Number of leading batch dimensions.")
      .attr("validate_indices: bool = true")
      .attr("dtype: type")
      .attr("Tindices: {int32, int64}")
      .stateful()
      .shape(gatherShape)
      .gradient(gatherGradient)
      .cpu({{"Tindices", types::kIndex}}, simpleKernel(gather));
  ops.add("ResourceGatherNd")
      .category(kCategory)
      .summary("Gathers slices of a variable by index vectors.")
      .input("resource: resource", "Handle of the variable.")
      .input("indices: Tindices", "Index vectors, along the last dimension.")
      .output("output: dtype", "The slices, of shape indices.shape[:-1] + variable.shape[indices.shape[-1]:].")
      .attr("dtype: type")
      .attr("Tindices: {int32, int64}")
      .stateful()
      .shape(gatherNdShape)
      .noGradient("TensorFlow 1.15 defines no gradient with respect to the variable.")
      .cpu({{"Tindices", types::kIndex}}, simpleKernel(gatherNd));
  state(ops, OpRole::Variable, Effect::Makes, "VarHandleOp");
  state(ops, OpRole::ReadVariable, Effect::Reads, "ReadVariableOp");
  state(ops, OpRole::Assign, Effect::Variable, "AssignVariableOp");
  state(ops, OpRole::Update, Effect::Variable, "AssignAddVariableOp AssignSubVariableOp ResourceCountUpTo");
  state(ops, OpRole::ProbeVariable, Effect::Reads, "VarIsInitializedOp");
  state(ops, OpRole::Compute, Effect::Reads, "ResourceGatherNd VariableShape");
  state(ops, OpRole::GatherVariable, Effect::Reads, "ResourceGather");
  state(ops, OpRole::Compute, Effect::Object, "DestroyResourceOp");
}

}  // namespace weft
