#include "ops/tensor_list.h"

// Tensor lists as values, which replace tensor arrays in the loops of TensorFlow 2.
namespace weft {
namespace {

// ---- shapes

template <int kInput>
Status itemShape(ShapeContext& c) {
  WEFT_LET(Shape shape, c.constantAsShape(kInput));
  c.setOutput(c.outputCount() - 1, std::move(shape));
  return {};
}

Status popShape(ShapeContext& c) {
  c.setOutput(0, Shape{});
  return itemShape<1>(c);
}

Status rowsOf(ShapeContext& c, int input, int64_t rows) {
  WEFT_LET(const Shape shape, c.constantAsShape(input));
  if (!shape.hasRank()) return {};
  Shape whole{rows};
  whole.append(shape);
  c.setOutput(0, std::move(whole));
  return {};
}

Status concatShape(ShapeContext& c) {
  c.setOutput(1, Shape{Shape::kUnknownDim});
  Shape shape = c.attrs().shape("element_shape");
  if (c.inputCount() > 1) {
    WEFT_LET(shape, c.constantAsShape(1));
  }
  if (!shape.hasRank() || shape.rank() < 1) return {};
  shape.setDim(0, Shape::kUnknownDim);
  c.setOutput(0, std::move(shape));
  return {};
}

}  // namespace

void registerTensorLists(OpRegistry& ops) {
  const auto op = [&](const char* name, const char* summary) -> OpRecord& {
    return ops.add(name).category("Tensor arrays").keywords("list array loop stack").summary(summary).shape(shapes::scalar);
  };
  constexpr const char *kList = "input_handle: variant", *kListDoc = "The list.", *kOut = "output_handle: variant", *kOutDoc = "The resulting list.",
                       *kShapeDoc = "Shape of an element: a vector with -1 for unknown dimensions, or the scalar -1 for unknown rank.",
                       *kType = "element_dtype: type", *kTypeDoc = "Type of the elements.", *kShapeType = "shape_type: {int32, int64}",
                       *kShapeTypeDoc = "Type of the shape.";
  constexpr const char* kNone = "It creates a list; its arguments are not differentiable.";
  op("EmptyTensorList", "Creates an empty tensor list.")
      .input("element_shape: shape_type", kShapeDoc)
      .input("max_num_elements: int32", "Maximum number of elements; -1: unlimited.")
      .output("handle: variant", "The list.")
      .attr(kType, kTypeDoc)
      .attr(kShapeType, kShapeTypeDoc)
      .noGradient(kNone)
      .cpu({}, simpleKernel(list_kernels::empty));
  op("TensorListReserve", "Creates a tensor list with num_elements uninitialized elements.")
      .input("element_shape: shape_type", kShapeDoc)
      .input("num_elements: int32", "Number of elements; a scalar.")
      .output("handle: variant", "The list.")
      .attr(kType, kTypeDoc)
      .attr(kShapeType, kShapeTypeDoc)
      .noGradient(kNone)
      .cpu({}, simpleKernel(list_kernels::reserve));
  op("TensorListFromTensor", "Creates a tensor list from the rows of a tensor.")
      .input("tensor: element_dtype", "The tensor.")
      .input("element_shape: shape_type", kShapeDoc)
      .output(kOut, "The list.")
      .attr(kType, kTypeDoc)
      .attr(kShapeType, kShapeTypeDoc)
      .gradient(list_gradients::fromTensor)
      .cpu({}, simpleKernel(list_kernels::fromTensor));
  op("TensorListPushBack", "Appends an element to a tensor list.")
      .input(kList, kListDoc)
      .input("tensor: element_dtype", "The element.")
      .output(kOut, kOutDoc)
      .attr(kType, kTypeDoc)
      .gradient(list_gradients::pushBack)
      .cpu({}, simpleKernel(list_kernels::pushBack));
  op("TensorListPushBackBatch", "Appends to each of several lists one row of a tensor.")
      .input("input_handles: variant", "The lists; a vector.")
      .input("tensor: element_dtype", "One row per list.")
      .output("output_handles: variant", "The resulting lists.")
      .attr(kType, kTypeDoc)
      .shape(shapes::unchanged)
      .noGradient("TensorFlow defines no gradient for it.")
      .cpu({}, simpleKernel(list_kernels::pushBackBatch));
  op("TensorListPopBack", "Removes the last element of a tensor list and returns it.")
      .input(kList, kListDoc)
      .input("element_shape: int32", kShapeDoc)
      .output(kOut, kOutDoc)
      .output("tensor: element_dtype", "The element.")
      .attr(kType, kTypeDoc)
      .shape(popShape)
      .gradient(list_gradients::popBack)
      .cpu({}, simpleKernel(list_kernels::popBack));
  op("TensorListGetItem", "Reads an element of a tensor list; zeros if it is uninitialized.")
      .input(kList, kListDoc)
      .input("index: int32", "Index of the element; a scalar.")
      .input("element_shape: int32", kShapeDoc)
      .output("item: element_dtype", "The element.")
      .attr(kType, kTypeDoc)
      .shape(itemShape<2>)
      .gradient(list_gradients::getItem)
      .cpu({}, simpleKernel(list_kernels::getItem));
  op("TensorListSetItem", "Replaces an element of a tensor list.")
      .input(kList, kListDoc)
      .input("index: int32", "Index of the element; a scalar.")
      .input("item: element_dtype", "The element.")
      .output(kOut, kOutDoc)
      .attr(kType, kTypeDoc)
      .gradient(list_gradients::setItem)
      .cpu({}, simpleKernel(list_kernels::setItem));
  op("TensorListResize", "Resizes a tensor list.")
      .input(kList, kListDoc)
      .input("size: int32", "The new length; a scalar.")
      .output(kOut, kOutDoc)
      .stateful()
      .gradient(list_gradients::resize)
      .cpu({}, simpleKernel(list_kernels::resize));
  op("TensorListLength", "Number of elements of a tensor list.")
      .input(kList, kListDoc)
      .output("length: int32", "The count; a scalar.")
      .noGradient("A count is not differentiable.")
      .cpu({}, simpleKernel(list_kernels::length));
  op("TensorListElementShape", "Element shape of a tensor list, as far as it is known.")
      .input(kList, kListDoc)
      .output("element_shape: shape_type", kShapeDoc)
      .attr(kShapeType, kShapeTypeDoc)
      .shape(shapes::unknown)
      .noGradient("A shape is not differentiable.")
      .cpu({}, simpleKernel(list_kernels::elementShape));
  op("TensorListStack", "Stacks the elements of a tensor list into a tensor; uninitialized elements are zeros.")
      .input(kList, kListDoc)
      .input("element_shape: int32", kShapeDoc)
      .output("tensor: element_dtype", "The tensor.")
      .attr(kType, kTypeDoc)
      .attr("num_elements: int = -1", "Required length of the list; -1: any.")
      .shape([](ShapeContext& c) -> Status { return rowsOf(c, 1, c.attrs().integer("num_elements", -1)); })
      .gradient(list_gradients::stack)
      .cpu({}, simpleKernel(list_kernels::stack));
  op("TensorListGather", "Stacks selected elements of a tensor list into a tensor.")
      .input(kList, kListDoc)
      .input("indices: int32", "Indices of the elements; a vector.")
      .input("element_shape: int32", kShapeDoc)
      .output("values: element_dtype", "The tensor.")
      .attr(kType, kTypeDoc)
      .shape([](ShapeContext& c) -> Status { return rowsOf(c, 2, c.input(1).hasRank() && c.input(1).rank() == 1 ? c.input(1).dim(0) : -1); })
      .gradient(list_gradients::gather)
      .cpu({}, simpleKernel(list_kernels::gather));
  for (const bool v2 : {false, true}) {
    OpRecord& record = op(v2 ? "TensorListScatterV2" : "TensorListScatter", "Creates a tensor list with the rows of a tensor at given indices.")
                           .input("tensor: element_dtype", "The tensor.")
                           .input("indices: int32", "Index of each row; a vector.")
                           .input("element_shape: shape_type", kShapeDoc);
    if (v2) record.input("num_elements: int32", "Length of the list; -1: as long as needed.");
    record.output(kOut, "The list.")
        .attr(kType, kTypeDoc)
        .attr(kShapeType, kShapeTypeDoc)
        .gradient(v2 ? list_gradients::scatterV2 : list_gradients::scatter)
        .cpu({}, simpleKernel(list_kernels::scatter));
  }
  op("TensorListScatterIntoExistingList", "Writes the rows of a tensor to given indices of an existing tensor list.")
      .input(kList, kListDoc)
      .input("tensor: element_dtype", "The tensor.")
      .input("indices: int32", "Index of each row; a vector.")
      .output(kOut, kOutDoc)
      .attr(kType, kTypeDoc)
      .gradient(list_gradients::scatterInto)
      .cpu({}, simpleKernel(list_kernels::scatterInto));
  op("TensorListConcat", "Concatenates the elements of a tensor list along their first dimension.")
      .input(kList, kListDoc)
      .output("tensor: element_dtype", "The tensor.")
      .output("lengths: int64", "Size of each element's first dimension.")
      .attr(kType, kTypeDoc)
      .attr("element_shape: shape = { unknown_rank: true }", "Shape of an element, as far as it is known statically.")
      .shape(concatShape)
      .gradient(list_gradients::concat)
      .cpu({}, simpleKernel(list_kernels::concatElements));
  op("TensorListConcatV2", "Concatenates the elements of a tensor list along their first dimension.")
      .input(kList, kListDoc)
      .input("element_shape: shape_type", kShapeDoc)
      .input("leading_dims: int64", "Size of the first dimension of each uninitialized element.")
      .output("tensor: element_dtype", "The tensor.")
      .output("lengths: int64", "Size of each element's first dimension.")
      .attr(kType, kTypeDoc)
      .attr(kShapeType, kShapeTypeDoc)
      .shape(concatShape)
      .gradient(list_gradients::concatV2)
      .cpu({}, simpleKernel(list_kernels::concatElements));
  op("TensorListConcatLists", "Concatenates two tensor lists.")
      .input("input_a: variant", "The first list, or a tensor of lists.")
      .input("input_b: variant", "The second list, or a tensor of lists of the same shape.")
      .output("output: variant", "The resulting lists.")
      .attr(kType, kTypeDoc)
      .shape(shapes::unchanged)
      .noGradient("TensorFlow defines no gradient for it.")
      .cpu({}, simpleKernel(list_kernels::concatLists));
  op("TensorListSplit", "Splits a tensor along its first dimension into the elements of a tensor list.")
      .input("tensor: element_dtype", "The tensor.")
      .input("element_shape: shape_type", kShapeDoc)
      .input("lengths: int64", "Size of each element's first dimension.")
      .output(kOut, "The list.")
      .attr(kType, kTypeDoc)
      .attr(kShapeType, kShapeTypeDoc)
      .gradient(list_gradients::split)
      .cpu({}, simpleKernel(list_kernels::splitTensor));
  state(
      ops, OpRole::TensorList, Effect::None,
      "EmptyTensorList TensorListConcat TensorListConcatLists TensorListConcatV2 TensorListElementShape TensorListFromTensor TensorListGather TensorListGetItem TensorListLength TensorListPopBack TensorListPushBack TensorListPushBackBatch TensorListReserve TensorListScatter TensorListScatterIntoExistingList TensorListScatterV2 TensorListSetItem TensorListSplit TensorListStack");
  state(ops, OpRole::TensorList, Effect::Declared, "TensorListResize");
  retain(
      ops,
      "EmptyTensorList TensorListConcat TensorListConcatLists TensorListConcatV2 TensorListElementShape TensorListFromTensor TensorListGather TensorListGetItem TensorListLength TensorListPopBack TensorListPushBack TensorListPushBackBatch TensorListReserve TensorListResize TensorListScatter TensorListScatterIntoExistingList TensorListScatterV2 TensorListSetItem TensorListSplit TensorListStack");
}

}  // namespace weft
