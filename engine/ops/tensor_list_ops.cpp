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
  constexpr const char *kList = "input_handle: variant", *kListDoc = "The list.", *kOut = "output_handle: variant", *kOutDoc = "The new list.",
                       *kShapeDoc = "Shape of an element: a vector with -1 where a dim is not known, or the scalar -1.", *kType = "element_dtype: type",
                       *kTypeDoc = "Type of the elements.", *kShapeType = "shape_type: {int32, int64}", *kShapeTypeDoc = "Type of the shape.";
  constexpr const char* kNone = "A list is made anew here; nothing flows back into its shape.";
  op("EmptyTensorList", "A list without elements.")
      .input("element_shape: shape_type", kShapeDoc)
      .input("max_num_elements: int32", "How many it may hold; -1: any number.")
      .output("handle: variant", "The list.")
      .attr(kType, kTypeDoc)
      .attr(kShapeType, kShapeTypeDoc)
      .noGradient(kNone)
      .cpu({}, simpleKernel(list_kernels::empty));
  op("TensorListReserve", "A list of elements that are not set yet.")
      .input("element_shape: shape_type", kShapeDoc)
      .input("num_elements: int32", "How many.")
      .output("handle: variant", "The list.")
      .attr(kType, kTypeDoc)
      .attr(kShapeType, kShapeTypeDoc)
      .noGradient(kNone)
      .cpu({}, simpleKernel(list_kernels::reserve));
  op("TensorListFromTensor", "The rows of a tensor as a list.")
      .input("tensor: element_dtype", "The tensor.")
      .input("element_shape: shape_type", kShapeDoc)
      .output(kOut, "The list.")
      .attr(kType, kTypeDoc)
      .attr(kShapeType, kShapeTypeDoc)
      .gradient(list_gradients::fromTensor)
      .cpu({}, simpleKernel(list_kernels::fromTensor));
  op("TensorListPushBack", "A list with one more element at its end.")
      .input(kList, kListDoc)
      .input("tensor: element_dtype", "The element.")
      .output(kOut, kOutDoc)
      .attr(kType, kTypeDoc)
      .gradient(list_gradients::pushBack)
      .cpu({}, simpleKernel(list_kernels::pushBack));
  op("TensorListPushBackBatch", "Lists with one more element each: the rows of a tensor.")
      .input("input_handles: variant", "The lists, a vector.")
      .input("tensor: element_dtype", "One row for each list.")
      .output("output_handles: variant", "The new lists.")
      .attr(kType, kTypeDoc)
      .shape(shapes::unchanged)
      .noGradient("TensorFlow defines none.")
      .cpu({}, simpleKernel(list_kernels::pushBackBatch));
  op("TensorListPopBack", "A list without its last element, and that element.")
      .input(kList, kListDoc)
      .input("element_shape: int32", kShapeDoc)
      .output(kOut, kOutDoc)
      .output("tensor: element_dtype", "The element.")
      .attr(kType, kTypeDoc)
      .shape(popShape)
      .gradient(list_gradients::popBack)
      .cpu({}, simpleKernel(list_kernels::popBack));
  op("TensorListGetItem", "An element of a list; zeros if it was never set.")
      .input(kList, kListDoc)
      .input("index: int32", "Its position.")
      .input("element_shape: int32", kShapeDoc)
      .output("item: element_dtype", "The element.")
      .attr(kType, kTypeDoc)
      .shape(itemShape<2>)
      .gradient(list_gradients::getItem)
      .cpu({}, simpleKernel(list_kernels::getItem));
  op("TensorListSetItem", "A list with another element at a position.")
      .input(kList, kListDoc)
      .input("index: int32", "The position.")
      .input("item: element_dtype", "The element.")
      .output(kOut, kOutDoc)
      .attr(kType, kTypeDoc)
      .gradient(list_gradients::setItem)
      .cpu({}, simpleKernel(list_kernels::setItem));
  op("TensorListResize", "A list cut or made longer.")
      .input(kList, kListDoc)
      .input("size: int32", "Its new length.")
      .output(kOut, kOutDoc)
      .stateful()
      .gradient(list_gradients::resize)
      .cpu({}, simpleKernel(list_kernels::resize));
  op("TensorListLength", "How many elements a list has.")
      .input(kList, kListDoc)
      .output("length: int32", "The number.")
      .noGradient("A number of elements has no gradient.")
      .cpu({}, simpleKernel(list_kernels::length));
  op("TensorListElementShape", "What a list says of the shape of its elements.")
      .input(kList, kListDoc)
      .output("element_shape: shape_type", kShapeDoc)
      .attr(kShapeType, kShapeTypeDoc)
      .shape(shapes::unknown)
      .noGradient("A shape has no gradient.")
      .cpu({}, simpleKernel(list_kernels::elementShape));
  op("TensorListStack", "The elements of a list as rows of a tensor; those that were never set are zeros.")
      .input(kList, kListDoc)
      .input("element_shape: int32", kShapeDoc)
      .output("tensor: element_dtype", "The tensor.")
      .attr(kType, kTypeDoc)
      .attr("num_elements: int = -1", "Length that the list must have; -1: any.")
      .shape([](ShapeContext& c) -> Status { return rowsOf(c, 1, c.attrs().integer("num_elements", -1)); })
      .gradient(list_gradients::stack)
      .cpu({}, simpleKernel(list_kernels::stack));
  op("TensorListGather", "Some elements of a list as rows of a tensor.")
      .input(kList, kListDoc)
      .input("indices: int32", "Their positions.")
      .input("element_shape: int32", kShapeDoc)
      .output("values: element_dtype", "The tensor.")
      .attr(kType, kTypeDoc)
      .shape([](ShapeContext& c) -> Status { return rowsOf(c, 2, c.input(1).hasRank() && c.input(1).rank() == 1 ? c.input(1).dim(0) : -1); })
      .gradient(list_gradients::gather)
      .cpu({}, simpleKernel(list_kernels::gather));
  for (const bool v2 : {false, true}) {
    OpRecord& record = op(v2 ? "TensorListScatterV2" : "TensorListScatter", "A list with the rows of a tensor at given positions.")
                           .input("tensor: element_dtype", "The tensor.")
                           .input("indices: int32", "Positions of its rows.")
                           .input("element_shape: shape_type", kShapeDoc);
    if (v2) record.input("num_elements: int32", "Length of the list; -1: as long as needed.");
    record.output(kOut, "The list.")
        .attr(kType, kTypeDoc)
        .attr(kShapeType, kShapeTypeDoc)
        .gradient(v2 ? list_gradients::scatterV2 : list_gradients::scatter)
        .cpu({}, simpleKernel(list_kernels::scatter));
  }
  op("TensorListScatterIntoExistingList", "A list in which the rows of a tensor took given positions.")
      .input(kList, kListDoc)
      .input("tensor: element_dtype", "The tensor.")
      .input("indices: int32", "Positions of its rows.")
      .output(kOut, kOutDoc)
      .attr(kType, kTypeDoc)
      .gradient(list_gradients::scatterInto)
      .cpu({}, simpleKernel(list_kernels::scatterInto));
  op("TensorListConcat", "The elements of a list joined along their first dimension.")
      .input(kList, kListDoc)
      .output("tensor: element_dtype", "The tensor.")
      .output("lengths: int64", "Length of each element.")
      .attr(kType, kTypeDoc)
      .attr("element_shape: shape = { unknown_rank: true }", "Shape of an element, as far as it is known.")
      .shape(concatShape)
      .gradient(list_gradients::concat)
      .cpu({}, simpleKernel(list_kernels::concatElements));
  op("TensorListConcatV2", "The elements of a list joined along their first dimension.")
      .input(kList, kListDoc)
      .input("element_shape: shape_type", kShapeDoc)
      .input("leading_dims: int64", "Lengths of elements that were never set.")
      .output("tensor: element_dtype", "The tensor.")
      .output("lengths: int64", "Length of each element.")
      .attr(kType, kTypeDoc)
      .attr(kShapeType, kShapeTypeDoc)
      .shape(concatShape)
      .gradient(list_gradients::concatV2)
      .cpu({}, simpleKernel(list_kernels::concatElements));
  op("TensorListConcatLists", "The elements of one list, then those of another.")
      .input("input_a: variant", "The first list, or several.")
      .input("input_b: variant", "The second, as many.")
      .output("output: variant", "The new lists.")
      .attr(kType, kTypeDoc)
      .shape(shapes::unchanged)
      .noGradient("TensorFlow defines none.")
      .cpu({}, simpleKernel(list_kernels::concatLists));
  op("TensorListSplit", "A tensor cut along its first dimension into the elements of a list.")
      .input("tensor: element_dtype", "The tensor.")
      .input("element_shape: shape_type", kShapeDoc)
      .input("lengths: int64", "Length of each element.")
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
