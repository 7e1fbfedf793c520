#include <numeric>

#include "graph/indexed_slices.h"
#include "kernel/step_state.h"
#include "ops/state_ops.h"
#include "ops/tensor_array.h"
#include "tensor/element_types.h"
#include "tensor/scratch.h"

// TensorArrayV3 and its ops; old_names.cpp has the first two versions, whose handles are strings. Ops are ordered by the `flow` scalar that each write passes
// on; its value is meaningless.
namespace weft {
namespace {

constexpr const char* kContainer = "_tensor_arrays";

Result<std::shared_ptr<TensorArray>> arrayOf(KernelContext& c) {
  if (const Tensor& handle = c.input(0); handle.dtype() == DType::String) {
    // Versions 1 and 2: container and name.
    if (handle.elements() != 2) return invalidArgument("Tensor array handle must be 2-element vector, but had shape: ", handle.shape().toString());
    const std::string* text = handle.data<std::string>();
    auto named = c.step().find<TensorArray>(text[1]);
    if (!named) return notFound("Resource ", text[0], "/", text[1], "/N10tensorflow11TensorArrayE does not exist.");
    return named;
  }
  auto array = std::dynamic_pointer_cast<TensorArray>(handleOf(c, 0).resource);
  if (!array) return notFound("Resource ", handleOf(c, 0).container, "/", handleOf(c, 0).name, " is not a TensorArray");
  return array;
}

Status setHandle(KernelContext& c, const std::shared_ptr<TensorArray>& array) {
  if (baseType(c.node().outputTypes[0]) == DType::String) {
    WEFT_TRY(c.step().findOrCreate<TensorArray>(array->name(), [&]() -> Result<std::shared_ptr<TensorArray>> { return array; }).status());
    const Tensor names = Tensor::vector(std::vector<std::string>{kContainer, array->name()});
    if (!isRef(c.node().outputTypes[0])) {
      c.setOutput(0, names);
      return {};
    }
    auto reference = std::make_shared<Variable>();
    reference->set(names);
    reference->dtype = DType::String;
    reference->shape = names.shape();
    reference->name = c.node().name;
    c.setOutputRef(0, reference);
    return {};
  }
  ResourceHandle handle;
  handle.container = kContainer;
  handle.name = array->name();
  handle.dtype = array->dtype();
  handle.resource = array;
  WEFT_LET(Tensor * out, c.allocate(0, {}));
  *out->mutableData<ResourceHandle>() = std::move(handle);
  WEFT_LET(Tensor flow, c.device().zeros(DType::Float, {}));
  c.setOutput(1, std::move(flow));
  return {};
}

Status checkType(const TensorArray& array, DType wanted) {
  if (array.dtype() == wanted) return {};
  return invalidArgument("TensorArray dtype is ", dtypeShortName(array.dtype()), " but Op requested dtype ", dtypeShortName(wanted), ".");
}

Result<int64_t> scalarIndex(const Tensor& index, const char* what) {
  if (!index.shape().isScalar()) return invalidArgument(what, " must be scalar, but had shape: ", index.shape().toString());
  return index.asInt(0);
}

/// Copies all elements of `from` behind the first `begin` of `to`, both of the device (objects are on the host).
Status copyBetween(Device& device, const Tensor& from, Tensor& to, int64_t begin) {
  if (to.place() != 0) return device.copyRange(from, 0, to, begin, from.elements());
  copyElements(to, begin, from, 0, from.elements());
  return {};
}

Status make(KernelContext& c) {
  const AttrMap& attrs = c.node().attrs;
  WEFT_LET(const int64_t size, scalarIndex(c.input(0), "TensorArray size"));
  if (size < 0) return invalidArgument("Size should be >= 0.");
  TensorArray::Options options;
  const std::string given = attrs.text("tensor_array_name");
  options.device = &c.device();
  options.name = concat(given.empty() ? c.node().name : given, "_", c.step().nextNumber());
  options.dtype = attrs.type("dtype");
  options.elementShape = attrs.shape("element_shape");
  options.identicalShapes = attrs.flag("identical_element_shapes");
  options.dynamicSize = attrs.flag("dynamic_size");
  options.clearAfterRead = attrs.flag("clear_after_read", true);
  WEFT_TRY(reserveScratch(size, sizeof(Tensor) + sizeof(Shape)));
  return setHandle(c, std::make_shared<TensorArray>(std::move(options), size));
}

/// All calls with the same source share a gradient array.
Status makeGradient(KernelContext& c) {
  WEFT_LET(auto array, arrayOf(c));
  const std::string name = array->name() + "@" + c.node().attrs.text("source");
  Shape prepend;
  for (int64_t i = 0; c.inputCount() > 2 && i < c.input(2).elements(); ++i) {
    const int64_t d = c.input(2).asInt(i);
    if (d < 0) return invalidArgument("Dimension ", d, " must be >= 0");
    prepend.append(d);
  }
  WEFT_LET(auto gradient, c.step().findOrCreate<TensorArray>(name, [&] { return array->makeGradient(name, prepend); }));
  return setHandle(c, gradient);
}

Status write(KernelContext& c) {
  WEFT_LET(auto array, arrayOf(c));
  WEFT_LET(const int64_t index, scalarIndex(c.input(1), "TensorArray index"));
  WEFT_TRY(array->write(index, c.input(2)));
  c.setOutput(0, c.input(3));
  return {};
}

Status read(KernelContext& c) {
  WEFT_LET(auto array, arrayOf(c));
  WEFT_LET(const int64_t index, scalarIndex(c.input(1), "TensorArray index"));
  WEFT_TRY(checkType(*array, c.node().attrs.type("dtype")));
  WEFT_LET(Tensor value, array->read(index, c.device()));
  c.setOutput(0, std::move(value));
  return {};
}

Status size(KernelContext& c) {
  WEFT_LET(auto array, arrayOf(c));
  WEFT_LET(const int64_t n, array->size());
  c.setOutput(0, Tensor::scalar(int32_t(n)));
  return {};
}

Status closeArray(KernelContext& c) {
  WEFT_LET(auto array, arrayOf(c));
  array->close();
  return {};
}

/// Input 1 or, if there is none in the first version (TensorArrayPack, TensorArrayUnpack: `without` inputs), the first `count` elements (-1: all).
Result<Tensor> indicesOf(KernelContext& c, int without, const TensorArray& array, int64_t count) {
  if (c.inputCount() != without) return c.input(1);
  if (count < 0) {
    WEFT_LET(count, array.size());
  }
  std::vector<int32_t> all(static_cast<size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return Tensor::vector(all);
}

Status gather(KernelContext& c) {
  WEFT_LET(auto array, arrayOf(c));
  const AttrMap& attrs = c.node().attrs;
  WEFT_LET(const Tensor indices, indicesOf(c, 2, *array, -1));
  if (indices.rank() != 1) return invalidArgument("Expected indices to be a vector, but received shape: ", indices.shape().toString());
  WEFT_TRY(checkType(*array, attrs.type("dtype")));
  WEFT_TRY(array->mergeElementShape(attrs.shape("element_shape")));
  const int64_t n = indices.elements();
  Shape shape{n};
  if (n == 0) {
    const Shape element = array->elementShape();
    if (!element.isFullyKnown())
      return unimplemented("TensorArray has size zero, but element shape ", element.toString(),
                           " is not fully defined. Currently only static shapes are supported when packing zero-size TensorArrays.");
    shape.append(element);
    WEFT_TRY(c.allocate(0, shape));
    return {};
  }
  std::vector<Tensor> values;
  for (int64_t i = 0; i < n; ++i) {
    WEFT_LET(Tensor value, array->read(indices.asInt(i), c.device()));
    if (i > 0 && !(value.shape() == values[0].shape()))
      return invalidArgument("TensorArray ", array->name(), ": has inconsistent shapes.  Index 0 has shape: ", values[0].shape().toString(), " but index ", i,
                             " has shape: ", value.shape().toString());
    values.push_back(std::move(value));
  }
  shape.append(values[0].shape());
  const int64_t width = values[0].elements();
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  for (int64_t i = 0; i < n; ++i) WEFT_TRY(copyBetween(c.device(), values[size_t(i)], *out, i * width));
  return {};
}

Status scatter(KernelContext& c) {
  WEFT_LET(auto array, arrayOf(c));
  const Tensor& value = c.input(c.inputCount() - 2);
  WEFT_LET(const Tensor indices, indicesOf(c, 3, *array, value.rank() < 1 ? 0 : value.dim(0)));
  if (indices.rank() != 1) return invalidArgument("Expected indices to be a vector, but received shape: ", indices.shape().toString());
  if (value.rank() < 1) return invalidArgument("Input value for unpack must be at least a vector but received shape: ", value.shape().toString());
  if (value.dim(0) != indices.elements())
    return invalidArgument("Expected len(indices) == values.shape[0], but saw: ", indices.elements(), " vs. ", value.dim(0));
  WEFT_TRY(checkType(*array, value.dtype()));
  int64_t largest = -1;
  for (int64_t i = 0; i < indices.elements(); ++i) largest = std::max(largest, indices.asInt(i));
  WEFT_LET(const int64_t have, array->size());
  if (!array->dynamicSize() && largest >= have) return invalidArgument("Max scatter index must be < array size (", largest, " vs. ", have, ")");
  array->markSize(array->dynamicSize() ? std::max(have, largest + 1) : have);
  const Shape element = value.shape().slice(1);
  WEFT_TRY(array->mergeElementShape(element));
  for (int64_t i = 0; i < indices.elements(); ++i) WEFT_TRY(array->write(indices.asInt(i), value.rows(i, i + 1).reshaped(element)));
  c.setOutput(0, c.input(c.inputCount() - 1));
  return {};
}

Status split(KernelContext& c) {
  WEFT_LET(auto array, arrayOf(c));
  const Tensor& value = c.input(1);
  const Tensor& lengths = c.input(2);
  if (lengths.rank() != 1) return invalidArgument("Expected lengths to be a vector, received shape: ", lengths.shape().toString());
  if (value.rank() < 1) return invalidArgument("Expected value to be at least a vector, but received shape: ", value.shape().toString());
  const int64_t total = std::accumulate(lengths.data<int64_t>(), lengths.data<int64_t>() + lengths.elements(), int64_t(0));
  if (total != value.dim(0))
    return invalidArgument("Expected sum of lengths to be equal to values.shape[0], but sum of lengths is ", total,
                           " and value's shape is: ", value.shape().toString());
  WEFT_TRY(checkType(*array, value.dtype()));
  WEFT_LET(const int64_t have, array->size());
  if (!array->dynamicSize() && have != lengths.elements())
    return invalidArgument("TensorArray's size is not equal to the size of lengths (", have, " vs. ", lengths.elements(),
                           "), and the TensorArray is not marked as dynamically resizeable");
  array->markSize(lengths.elements());
  int64_t begin = 0;
  for (int64_t i = 0; i < lengths.elements(); ++i) {
    const int64_t length = lengths.at<int64_t>(i);
    if (length < 0) return invalidArgument("Expected lengths to be nonnegative, but lengths[", i, "] is ", length);
    WEFT_TRY(array->write(i, value.rows(begin, begin + length)));
    begin += length;
  }
  c.setOutput(0, c.input(3));
  return {};
}

Status concatenate(KernelContext& c) {
  WEFT_LET(auto array, arrayOf(c));
  const AttrMap& attrs = c.node().attrs;
  WEFT_TRY(checkType(*array, attrs.type("dtype")));
  WEFT_LET(const int64_t n, array->concatSize());
  WEFT_LET(Tensor * lengths, c.allocate(1, {n}));
  const Shape rest = attrs.shape("element_shape_except0");
  if (n == 0) {
    if (!rest.isFullyKnown())
      return unimplemented("TensorArray has size zero, but element_shape_except0 ", rest.toString(),
                           " is not fully defined. Currently only static shapes are supported when concatenating zero-size TensorArrays.");
    Shape shape{0};
    shape.append(rest);
    WEFT_TRY(c.allocate(0, shape));
    return {};
  }
  std::vector<Tensor> values;
  int64_t rows = 0;
  for (int64_t i = 0; i < n; ++i) {
    WEFT_LET(Tensor value, array->read(i, c.device()));
    if (value.rank() < 1) return invalidArgument("Concat saw a scalar shape at index ", i, " but requires at least vectors.  Did you mean to call pack?");
    if (!rest.compatibleWith(value.shape().slice(1)))
      return invalidArgument("TensorArray was passed element_shape_except0 ", rest.toString(), " but index ", i,
                             " has (excepting dimension 0) shape: ", value.shape().slice(1).toString(), " which does not match.");
    if (i > 0 && !(value.shape().slice(1) == values[0].shape().slice(1)))
      return invalidArgument("TensorArray ", array->name(),
                             ": has inconsistent shapes.  Index 0 has (excepting dimension 0) shape: ", values[0].shape().slice(1).toString(), " but index ", i,
                             " has (excepting dimension 0) shape: ", value.shape().slice(1).toString());
    lengths->mutableData<int64_t>()[i] = value.dim(0);
    rows += value.dim(0);
    values.push_back(std::move(value));
  }
  Shape shape{rows};
  shape.append(values[0].shape().slice(1));
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  int64_t at = 0;
  for (const Tensor& value : values) {
    WEFT_TRY(copyBetween(c.device(), value, *out, at));
    at += value.elements();
  }
  return {};
}

// Static shapes. A handle's static shape is that of version 1 handles (two strings), as in TensorFlow.
Status handleAndFlow(ShapeContext& c) {
  if (c.inputCount() == 1) WEFT_TRY(c.requireRank(c.input(0), 0));
  c.setOutput(0, {2});
  if (c.outputCount() > 1) c.setOutput(1, {});
  return {};
}

Status readShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(1), 0));
  c.setOutput(0, handleShape(c, 0));
  return {};
}

Status gatherShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(1), 1));
  const auto data = c.handle(0);
  const Shape element = data ? data->shape : c.attrs().shape("element_shape");
  if (!element.hasRank()) return {};
  Shape out = c.input(1).hasRank() ? c.input(1) : Shape::unknownOfRank(1);
  out.append(element);
  c.setOutput(0, out);
  return {};
}

Status concatShape(ShapeContext& c) {
  c.setOutput(0, Shape::unknown());
  c.setOutput(1, Shape::unknownOfRank(1));
  return {};
}

// Gradients: each op on the forward array has a counterpart on the gradient array.
using Gradients = Result<std::vector<Output>>;

/// The scope of the tf.gradients call that created the gradient `o`; gradient arrays are shared within it.
Result<std::string> gradientSource(GradContext& g, Output o) {
  const std::string name = g.b().nodeAt(o.node).name;
  size_t end = std::string::npos;
  for (size_t begin = 0; begin < name.size();) {
    const size_t slash = std::min(name.find('/', begin), name.size());
    if (name.compare(begin, 9, "gradients") == 0) end = slash;
    begin = slash + 1;
  }
  if (end == std::string::npos)
    return invalidArgument("Expected op/tensor name to start with gradients (excluding scope), got: ", name,
                           ". This means that a tf.gradients op with this op in its dependency path has a custom name that does not start with "
                           "'gradients'. Please make sure all calls to tf.gradients that have non-empty 'name' arguments use names that start with "
                           "'gradients'.");
  return name.substr(0, end);
}

struct GradientArray {
  Output handle, flow;
};

/// The gradient array for the call that created `grad`, ordered after `flow`.
Result<GradientArray> gradientArray(GradContext& g, Output grad, Output flow) {
  WEFT_LET(const std::string source, gradientSource(g, grad));
  GraphBuilder& b = g.b();
  const auto scope = b.nameScope("TensorArrayGrad");
  const auto place = b.colocateWith(g.input(0).node);
  const Output handle = b.op("TensorArrayGradV3", {g.input(0), flow}, {{"source", source}});
  const auto after = b.controlDependencies({handle.node});
  return GradientArray{handle, b.identity(flow, "gradient_flow")};
}

Gradients readGradient(GradContext& g) {
  const Output grad = densified(g.b(), g.grad());
  WEFT_LET(const GradientArray to, gradientArray(g, grad, g.input(2)));
  const auto scope = g.b().nameScope("TensorArrayWrite");
  return std::vector<Output>{Output(), Output(), g.b().op("TensorArrayWriteV3", {to.handle, g.input(1), grad, to.flow})};
}

Gradients writeGradient(GradContext& g) {
  WEFT_LET(const GradientArray from, gradientArray(g, g.grad(), g.grad()));
  const Output value = g.b().op("TensorArrayReadV3", {from.handle, g.input(1), from.flow}, {{"dtype", g.attrs().type("T")}});
  return std::vector<Output>{Output(), Output(), value, g.grad()};
}

Gradients gatherGradient(GradContext& g) {
  const Output grad = densified(g.b(), g.grad());
  WEFT_LET(const GradientArray to, gradientArray(g, grad, g.input(2)));
  const auto scope = g.b().nameScope("TensorArrayScatter");
  return std::vector<Output>{Output(), Output(), g.b().op("TensorArrayScatterV3", {to.handle, g.input(1), grad, to.flow})};
}

Gradients scatterGradient(GradContext& g) {
  WEFT_LET(const GradientArray from, gradientArray(g, g.grad(), g.grad()));
  const Output value =
      g.b().op("TensorArrayGatherV3", {from.handle, g.input(1), from.flow}, {{"dtype", g.attrs().type("T")}, {"element_shape", Shape::unknown()}});
  return std::vector<Output>{Output(), Output(), value, g.grad()};
}

Gradients concatGradient(GradContext& g) {
  const Output grad = densified(g.b(), g.grad());
  WEFT_LET(const GradientArray to, gradientArray(g, grad, g.input(1)));
  const auto scope = g.b().nameScope("TensorArraySplit");
  return std::vector<Output>{Output(), g.b().op("TensorArraySplitV3", {to.handle, grad, g.output(1), to.flow})};
}

Gradients splitGradient(GradContext& g) {
  WEFT_LET(const GradientArray from, gradientArray(g, g.grad(), g.grad()));
  const Output value = g.b().op("TensorArrayConcatV3", {from.handle, from.flow}, {{"dtype", g.attrs().type("T")}, {"element_shape_except0", Shape::unknown()}});
  return std::vector<Output>{Output(), value, Output(), g.grad()};
}

OpRecord& arrayOp(OpRegistry& ops, const char* name, const char* summary) {
  return ops.add(name).category("Tensor arrays").summary(summary).input("handle: resource", "Handle of the array.").stateful();
}

}  // namespace

void registerTensorArrays(OpRegistry& ops) {
  constexpr const char* kFlowIn = "Flow from an earlier op on the array; orders this op after it.";
  constexpr const char* kFlowOut = "Flow to later ops on the array; orders them after this op.";
  ops.add("TensorArrayV3")
      .category("Tensor arrays")
      .summary("Creates a TensorArray: an array of tensors that lives for one run and whose elements are written once.")
      .input("size: int32", "Initial number of elements; a scalar.")
      .output("handle: resource", "Handle of the array.")
      .output("flow: float", kFlowOut)
      .attr("dtype: type", "Type of the elements.")
      .attr("element_shape: shape = { unknown_rank: true }", "Shape of the elements, as far as it is known statically.")
      .attr("dynamic_size: bool = false", "Whether writes beyond the end grow the array.")
      .attr("clear_after_read: bool = true", "Whether reading an element clears it.")
      .attr("identical_element_shapes: bool = false", "Whether all elements have the shape of the first one written.")
      .attr("tensor_array_name: string = ''", "Name used in error messages; empty: the node's name.")
      .stateful()
      .shape(handleAndFlow)
      .noGradient("A new array has no values yet.")
      .cpu({}, simpleKernel(make));
  arrayOp(ops, "TensorArrayGradV3", "Creates, or finds, the gradient array of a TensorArray.")
      .input("flow_in: float", kFlowIn)
      .output("grad_handle: resource", "Handle of the gradient array; repeated writes to an element are added.")
      .output("flow_out: float", kFlowOut)
      .attr("source: string", "Name of the gradient computation; each has its own gradient array.")
      .shape(handleAndFlow)
      .noGradient("Gradient arrays have no gradients of their own.")
      .cpu({}, simpleKernel(makeGradient));
  arrayOp(ops, "TensorArrayGradWithShape", "Creates, or finds, the gradient array of a TensorArray, with extra leading dimensions.")
      .input("flow_in: float", kFlowIn)
      .input("shape_to_prepend: int32", "Dimensions to prepend to the element shape.")
      .output("grad_handle: resource", "Handle of the gradient array.")
      .output("flow_out: float", kFlowOut)
      .attr("source: string", "Name of the gradient computation; each has its own gradient array.")
      .shape(handleAndFlow)
      .noGradient("Gradient arrays have no gradients of their own.")
      .cpu({}, simpleKernel(makeGradient));
  arrayOp(ops, "TensorArrayWriteV3", "Writes an element of a TensorArray.")
      .input("index: int32", "Index of the element; a scalar.")
      .input("value: T", "The value.")
      .input("flow_in: float", kFlowIn)
      .output("flow_out: float", kFlowOut)
      .attr("T: type")
      .shape(shapes::scalar)
      .gradient(writeGradient)
      .cpu({}, simpleKernel(write));
  arrayOp(ops, "TensorArrayReadV3", "Reads an element of a TensorArray.")
      .input("index: int32", "Index of the element; a scalar.")
      .input("flow_in: float", kFlowIn)
      .output("value: dtype", "The value.")
      .attr("dtype: type")
      .shape(readShape)
      .gradient(readGradient)
      .cpu({}, simpleKernel(read));
  arrayOp(ops, "TensorArrayGatherV3", "Stacks elements of a TensorArray along a new first dimension.")
      .input("indices: int32", "Indices of the elements; a vector.")
      .input("flow_in: float", kFlowIn)
      .output("value: dtype", "The stacked elements.")
      .attr("dtype: type")
      .attr("element_shape: shape = { unknown_rank: true }", "Shape of the elements, as far as it is known statically.")
      .shape(gatherShape)
      .gradient(gatherGradient)
      .cpu({}, simpleKernel(gather));
  arrayOp(ops, "TensorArrayScatterV3", "Writes the rows of a tensor to elements of a TensorArray.")
      .input("indices: int32", "Index of each row's element; a vector.")
      .input("value: T", "The rows.")
      .input("flow_in: float", kFlowIn)
      .output("flow_out: float", kFlowOut)
      .attr("T: type")
      .shape(shapes::scalar)
      .gradient(scatterGradient)
      .cpu({}, simpleKernel(scatter));
  arrayOp(ops, "TensorArrayConcatV3", "Concatenates all elements of a TensorArray along their first dimension.")
      .input("flow_in: float", kFlowIn)
      .output("value: dtype", "The concatenated elements.")
      .output("lengths: int64", "Size of each element's first dimension.")
      .attr("dtype: type")
      .attr("element_shape_except0: shape = { unknown_rank: true }", "Shape of the elements without their first dimension.")
      .shape(concatShape)
      .gradient(concatGradient)
      .cpu({}, simpleKernel(concatenate));
  arrayOp(ops, "TensorArraySplitV3", "Splits a tensor along its first dimension into the elements of a TensorArray.")
      .input("value: T", "The tensor.")
      .input("lengths: int64", "Size of each element's first dimension.")
      .input("flow_in: float", kFlowIn)
      .output("flow_out: float", kFlowOut)
      .attr("T: type")
      .shape(shapes::scalar)
      .gradient(splitGradient)
      .cpu({}, simpleKernel(split));
  arrayOp(ops, "TensorArraySizeV3", "Number of elements of a TensorArray.")
      .input("flow_in: float", kFlowIn)
      .output("size: int32", "A scalar.")
      .shape(shapes::scalar)
      .noGradient("The size does not depend on values.")
      .cpu({}, simpleKernel(size));
  arrayOp(ops, "TensorArrayCloseV3", "Closes a TensorArray and frees its elements.")
      .shape(shapes::none)
      .noGradient("It has no outputs.")
      .cpu({}, simpleKernel(closeArray));
  state(ops, OpRole::TensorArray, Effect::Step,
        "TensorArrayCloseV3 TensorArrayGradV3 TensorArrayGradWithShape TensorArrayScatterV3 TensorArraySplitV3 TensorArrayV3 TensorArrayWriteV3");
  state(ops, OpRole::TensorArray, Effect::Step, "TensorArrayConcatV3 TensorArrayGatherV3 TensorArrayReadV3");
  state(ops, OpRole::TensorArray, Effect::Reads, "TensorArraySizeV3");
  retain(
      ops,
      "TensorArrayCloseV3 TensorArrayConcatV3 TensorArrayGatherV3 TensorArrayGradV3 TensorArrayGradWithShape TensorArrayReadV3 TensorArrayScatterV3 TensorArraySizeV3 TensorArraySplitV3 TensorArrayV3 TensorArrayWriteV3");
}

}  // namespace weft
