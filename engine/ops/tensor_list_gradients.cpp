#include "ops/grad_ops.h"
#include "ops/tensor_list.h"

// Gradients of tensor lists: the gradient of a list is a list of gradients.
namespace weft::list_gradients {
namespace {

Output shapeOf(GraphBuilder& b, Output list) { return b.op("TensorListElementShape", {list}, {{"shape_type", DType::Int32}}); }

/// The shape of a row of `t`.
Output rowShape(GraphBuilder& b, Output t) {
  const Output shape = py::shape(b, t);
  const Output begin = b.constant(Tensor::vector<int32_t>({1}), "Slice/begin"), size = b.constant(Tensor::vector<int32_t>({-1}), "Slice/size");
  return b.op("Slice", {shape, begin, size});
}

Output emptyLike(GraphBuilder& b, Output list, DType type) {
  const Output shape = shapeOf(b, list);
  return b.op("EmptyTensorList", {shape, b.constant(Tensor::scalar(int32_t(-1)), "EmptyTensorList/max_num_elements")}, {{"element_dtype", type}});
}

Grads done(GraphBuilder& b, std::vector<Output> grads) {
  WEFT_TRY(b.status());
  return grads;
}

DType typeOf(const GradContext& c) { return c.attrs().type("element_dtype"); }

}  // namespace

Grads pushBack(GradContext& c) {
  const int id = c.b().node("TensorListPopBack", {c.grad(), py::shape(c.b(), c.input(1))}, {{"element_dtype", typeOf(c)}});
  return done(c.b(), {{id, 0}, {id, 1}});
}

Grads popBack(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output list = c.grad(0).valid() ? c.grad(0) : emptyLike(b, c.output(0), typeOf(c));
  return done(b, {b.op("TensorListPushBack", {list, c.grad(1)}, {{"element_dtype", typeOf(c)}}), {}});
}

Grads stack(GradContext& c) {
  GraphBuilder& b = c.b();
  const Shape known = b.shape(c.grad());
  Output shape;
  if (known.hasRank()) {
    std::vector<int32_t> dims;
    for (int d = 1; d < known.rank(); ++d) dims.push_back(int32_t(known.dim(d)));
    shape = b.constant(Tensor::vector(dims), "TensorListFromTensor/element_shape");
  } else {
    shape = b.constant(Tensor::scalar(int32_t(-1)), "TensorListFromTensor/element_shape");
  }
  return done(b, {b.op("TensorListFromTensor", {c.grad(), shape}, {{"element_dtype", typeOf(c)}}), {}});
}

Grads concat(GradContext& c) {
  GraphBuilder& b = c.b();
  return done(b, {b.op("TensorListSplit", {c.grad(0), shapeOf(b, c.input(0)), c.output(1)}, {{"element_dtype", typeOf(c)}})});
}

Grads concatV2(GradContext& c) {
  WEFT_LET(auto grads, concat(c));
  grads.resize(3);
  return grads;
}

Grads split(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output row = rowShape(b, c.input(0));
  const Output shape = py::concat(b, {std::vector<int64_t>{-1}, row}, 0);
  return done(b, {b.op("TensorListConcatV2", {c.grad(), shape, c.input(2)}, {{"element_dtype", b.dtype(c.input(0))}}), {}, {}});
}

Grads fromTensor(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output t = c.input(0);
  const Shape known = b.shape(t);
  const int64_t rows = known.hasRank() && known.rank() > 0 ? known.dim(0) : -1;
  const Output list = c.grad().valid() ? c.grad() : emptyLike(b, c.output(0), b.dtype(t));
  return done(b, {b.op("TensorListStack", {list, rowShape(b, t)}, {{"element_dtype", b.dtype(t)}, {"num_elements", rows}}), {}});
}

Grads getItem(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output size = b.op("TensorListLength", {c.input(0)});
  const Output zeros = b.op("TensorListReserve", {shapeOf(b, c.input(0)), size}, {{"element_dtype", typeOf(c)}});
  return done(b, {b.op("TensorListSetItem", {zeros, c.input(1), c.grad()}, {{"element_dtype", typeOf(c)}}), {}, {}});
}

Grads setItem(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output index = c.input(1), item = c.input(2);
  const Output list = b.op("TensorListSetItem", {c.grad(), index, py::zerosLike(b, item)}, {{"element_dtype", typeOf(c)}});
  const Output element = b.op("TensorListGetItem", {c.grad(), index, py::shape(b, item)}, {{"element_dtype", typeOf(c)}});
  return done(b, {list, {}, element});
}

Grads resize(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output size = b.op("TensorListLength", {c.input(0)});
  return done(b, {b.op("TensorListResize", {c.grad(), size}), {}});
}

Grads gather(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output shape = shapeOf(b, c.input(0));
  const Output size = b.op("TensorListLength", {c.input(0)});
  const Output zeros = b.op("TensorListReserve", {shape, size}, {{"element_dtype", typeOf(c)}});
  return done(b, {b.op("TensorListScatterIntoExistingList", {zeros, c.grad(), c.input(1)}, {{"element_dtype", typeOf(c)}}), {}, {}});
}

Grads scatter(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output t = c.input(0);
  return done(b, {b.op("TensorListGather", {c.grad(), c.input(1), rowShape(b, t)}, {{"element_dtype", b.dtype(t)}}), {}, {}});
}

Grads scatterV2(GradContext& c) {
  WEFT_LET(auto grads, scatter(c));
  grads.resize(4);
  return grads;
}

Grads scatterInto(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output t = c.input(1), indices = c.input(2);
  const Output rows = b.op("TensorListGather", {c.grad(), indices, rowShape(b, t)}, {{"element_dtype", b.dtype(t)}});
  const Output list = b.op("TensorListScatterIntoExistingList", {c.grad(), py::zerosLike(b, t), indices}, {{"element_dtype", typeOf(c)}});
  return done(b, {list, rows, {}});
}

}  // namespace weft::list_gradients
