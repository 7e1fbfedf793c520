#include <algorithm>

#include "ops/tensor_list.h"
#include "tensor/element_types.h"

// Kernels of the ops on tensor lists.
namespace weft {
namespace {

DType elementType(const KernelContext& c) { return c.node().attrs.type("element_dtype"); }

Status checkType(const KernelContext& c, const TensorList& list) {
  if (list.dtype == elementType(c)) return {};
  return invalidArgument("Invalid data types; op elements ", dtypeShortName(elementType(c)), " but list elements ", dtypeShortName(list.dtype));
}

/// The element shape from the list and input `i` combined.
Result<Shape> elementShapeOf(const KernelContext& c, const TensorList& list, int i) {
  WEFT_LET(const Shape asked, elementShapeFrom(c.input(i)));
  auto merged = asked.mergedWith(list.elementShape);
  if (!merged.ok()) return invalidArgument("Incompatible shapes: ", asked.toString(), " vs. ", list.elementShape.toString());
  return merged;
}

/// The shape of elements that were never set: `known` or, if that is incomplete, the shape of the other elements.
Result<Shape> inferredShape(Shape known, const std::vector<const Tensor*>& elements) {
  if (known.isFullyKnown()) return known;
  for (const Tensor* t : elements) {
    if (!t->hasValue()) continue;
    auto merged = known.mergedWith(t->shape());
    if (!merged.ok()) return invalidArgument("Incompatible shapes: ", known.toString(), " vs. ", t->shape().toString());
    known = std::move(*merged);
  }
  return known;
}

Result<Tensor> zeros(DType type, const Shape& shape) {
  WEFT_LET(Tensor t, Tensor::allocate(type, shape));
  if (sizeOf(type) > 0) std::fill_n(static_cast<char*>(t.mutableRaw()), t.bytes(), char(0));
  return t;
}

Result<int64_t> scalarOf(const KernelContext& c, int i, const char* name) {
  const Tensor& t = c.input(i);
  if (!t.shape().isScalar()) return invalidArgument(name, " expected to be a scalar saw: ", t.shape().toString());
  return t.asInt(0);
}

Result<int64_t> indexOf(const KernelContext& c, const TensorList& list, const char* doing) {
  WEFT_LET(const int64_t index, scalarOf(c, 1, "index"));
  if (index < 0 || index >= int64_t(list.elements.size())) {
    return invalidArgument("Trying to ", doing, " element ", index, " in a list with ", list.elements.size(), " elements.");
  }
  return index;
}

constexpr int64_t kMaxReserved = int64_t(1) << 22;  // limit on elements that have not been set yet

std::vector<const Tensor*> allOf(const TensorList& list) {
  std::vector<const Tensor*> out;
  for (const Tensor& t : list.elements) out.push_back(&t);
  return out;
}

/// Stacks the elements; those that were never set are zeros.
Status stackElements(KernelContext& c, const TensorList& list, const std::vector<const Tensor*>& elements, Shape shape, const char* doing) {
  WEFT_LET(shape, inferredShape(shape, elements));
  if (!shape.isFullyKnown()) {
    if (elements.empty()) return invalidArgument("Tried to ", doing, " elements of an empty list with non-fully-defined element_shape: ", shape.toString());
    return invalidArgument("Tried to ", doing, " list which only contains uninitialized tensors and has a non-fully-defined element_shape: ", shape.toString());
  }
  Shape whole{int64_t(elements.size())};
  whole.append(shape);
  WEFT_LET(Tensor * out, c.allocate(0, whole));
  const int64_t width = shape.elements();
  WEFT_LET(const Tensor zero, zeros(list.dtype, shape));
  for (size_t i = 0; i < elements.size(); ++i) {
    const Tensor& t = elements[i]->hasValue() ? *elements[i] : zero;
    if (!(t.shape() == shape)) {
      return invalidArgument("Tried to ", doing, " elements with different shapes. The first is ", shape.toString(), ", element ", i, " is ",
                             t.shape().toString());
    }
    copyElements(*out, int64_t(i) * width, t, 0, width);
  }
  return {};
}

/// Stores the rows of `t` at `indices`. REQUIRES: the list is long enough.
Status scatterRows(TensorList& list, const Tensor& t, const Tensor& indices) {
  const Shape row = t.shape().slice(1);
  if (!list.elementShape.compatibleWith(row)) {
    return invalidArgument("Specified a list with shape ", list.elementShape.toString(), " from a tensor with shape ", row.toString());
  }
  for (int64_t i = 0; i < indices.elements(); ++i) {
    WEFT_LET(Tensor element, t.rows(i, i + 1).reshaped(row).clone());
    list.elements[size_t(indices.asInt(i))] = std::move(element);
  }
  return {};
}

Result<int64_t> highestIndex(const Tensor& t, const Tensor& indices) {
  if (indices.rank() != 1) return invalidArgument("indices must be a vector, but saw shape: ", indices.shape().toString());
  if (t.rank() < 1) return invalidArgument("Tensor must be at least a vector, but saw shape: ", t.shape().toString());
  if (t.dim(0) != indices.elements()) {
    return invalidArgument("Invalid number of rows in input tensor. Expected: ", indices.elements(), " Actual: ", t.dim(0));
  }
  int64_t highest = -1;
  for (int64_t i = 0; i < indices.elements(); ++i) {
    if (indices.asInt(i) < 0) return invalidArgument("Indices in TensorListScatter must all be positive.");
    highest = std::max(highest, indices.asInt(i));
  }
  if (highest >= kMaxReserved) return resourceExhausted("A list of ", highest + 1, " elements is too long");
  return highest;
}

Result<TensorListPtr> listAt(const Tensor& t, int64_t i) {
  auto list = std::dynamic_pointer_cast<const TensorList>(static_cast<const VariantValue*>(t.raw())[i].object);
  if (!list) return invalidArgument("input is not a TensorList at index ", i);
  return list;
}

}  // namespace

namespace list_kernels {

// ---- making lists

Status empty(KernelContext& c) {
  auto list = std::make_shared<TensorList>();
  WEFT_LET(list->maxElements, scalarOf(c, 1, "max_num_elements"));
  WEFT_LET(list->elementShape, elementShapeFrom(c.input(0)));
  list->dtype = elementType(c);
  c.setOutput(0, tensorOf(std::move(list)));
  return {};
}

Status reserve(KernelContext& c) {
  auto list = std::make_shared<TensorList>();
  WEFT_LET(list->elementShape, elementShapeFrom(c.input(0)));
  WEFT_LET(const int64_t count, scalarOf(c, 1, "num_elements"));
  if (count < 0) return invalidArgument("The num_elements to reserve must be a non negative number, but got ", count);
  if (count > kMaxReserved) return resourceExhausted("A list of ", count, " elements is too long");
  list->dtype = elementType(c);
  list->elements.resize(size_t(count));
  c.setOutput(0, tensorOf(std::move(list)));
  return {};
}

Status fromTensor(KernelContext& c) {
  const Tensor& t = c.input(0);
  auto list = std::make_shared<TensorList>();
  WEFT_LET(list->elementShape, elementShapeFrom(c.input(1)));
  if (t.rank() < 1) return invalidArgument("Tensor must be at least a vector, but saw shape: ", t.shape().toString());
  const Shape row = t.shape().slice(1);
  if (!list->elementShape.compatibleWith(row)) {
    return invalidArgument("Specified a list with shape ", list->elementShape.toString(), " from a tensor with shape ", row.toString());
  }
  list->dtype = t.dtype();
  for (int64_t i = 0; i < t.dim(0); ++i) {
    WEFT_LET(Tensor element, t.rows(i, i + 1).reshaped(row).clone());
    list->elements.push_back(std::move(element));
  }
  c.setOutput(0, tensorOf(std::move(list)));
  return {};
}

// ---- elements

Status pushBack(KernelContext& c) {
  WEFT_LET(auto list, copyOfList(c, 0));
  const Tensor& t = c.input(1);
  if (list->dtype != elementType(c)) {
    return invalidArgument("Invalid data types; list elements ", dtypeShortName(list->dtype), " but tried to append ", dtypeShortName(elementType(c)));
  }
  if (!list->elementShape.compatibleWith(t.shape())) {
    return invalidArgument("Tried to append a tensor with incompatible shape to a list. Op element shape: ", t.shape().toString(),
                           " list shape: ", list->elementShape.toString());
  }
  if (list->maxElements != -1 && int64_t(list->elements.size()) >= list->maxElements) {
    return invalidArgument("Tried to push item into a full list list size: ", list->elements.size(), " max_num_elements: ", list->maxElements);
  }
  list->elements.push_back(t);
  c.setOutput(0, tensorOf(std::move(list)));
  return {};
}

Status popBack(KernelContext& c) {
  WEFT_LET(auto list, copyOfList(c, 0));
  WEFT_TRY(checkType(c, *list));
  if (list->elements.empty()) return invalidArgument("Trying to pop from an empty list.");
  Tensor last = std::move(list->elements.back());
  list->elements.pop_back();
  if (!last.hasValue()) {
    WEFT_LET(const Shape shape, elementShapeOf(c, *list, 1));
    if (!shape.isFullyKnown()) return invalidArgument("Trying to read an uninitialized tensor but element_shape is not fully defined.", shape.toString());
    WEFT_LET(last, zeros(list->dtype, shape));
  }
  c.setOutput(0, tensorOf(std::move(list)));
  c.setOutput(1, std::move(last));
  return {};
}

Status getItem(KernelContext& c) {
  WEFT_LET(const TensorListPtr list, tensorListOf(c, 0));
  WEFT_TRY(checkType(c, *list));
  WEFT_LET(const int64_t index, indexOf(c, *list, "access"));
  const Tensor& t = list->elements[size_t(index)];
  if (t.hasValue()) {
    c.setOutput(0, t);
    return {};
  }
  WEFT_LET(Shape shape, elementShapeOf(c, *list, 2));
  WEFT_LET(shape, inferredShape(shape, allOf(*list)));
  if (!shape.isFullyKnown()) {
    return invalidArgument("Trying to read an uninitialized tensor but element_shape is not fully defined: ", shape.toString(), " and no list element is set.");
  }
  WEFT_LET(Tensor zero, zeros(list->dtype, shape));
  c.setOutput(0, std::move(zero));
  return {};
}

Status setItem(KernelContext& c) {
  WEFT_LET(auto list, copyOfList(c, 0));
  const Tensor& t = c.input(2);
  if (list->dtype != elementType(c)) {
    return invalidArgument("Invalid data types; list elements ", dtypeShortName(list->dtype), " but tried to append ", dtypeShortName(elementType(c)));
  }
  WEFT_LET(const int64_t index, indexOf(c, *list, "modify"));
  if (!list->elementShape.compatibleWith(t.shape())) {
    return invalidArgument("Tried to set a tensor with incompatible shape at a list index. Item element shape: ", t.shape().toString(),
                           " list shape: ", list->elementShape.toString());
  }
  list->elements[size_t(index)] = t;
  c.setOutput(0, tensorOf(std::move(list)));
  return {};
}

Status resize(KernelContext& c) {
  WEFT_LET(auto list, copyOfList(c, 0));
  WEFT_LET(const int64_t size, scalarOf(c, 1, "size"));
  if (size < 0) return invalidArgument("TensorListSlice expects size to be non-negative. Got: ", size);
  if (size > kMaxReserved) return resourceExhausted("A list of ", size, " elements is too long");
  list->elements.resize(size_t(size));
  c.setOutput(0, tensorOf(std::move(list)));
  return {};
}

Status length(KernelContext& c) {
  WEFT_LET(const TensorListPtr list, tensorListOf(c, 0));
  c.setOutput(0, Tensor::scalar(int32_t(list->elements.size())));
  return {};
}

Status elementShape(KernelContext& c) {
  WEFT_LET(const TensorListPtr list, tensorListOf(c, 0));
  const bool wide = baseType(c.node().outputTypes[0]) == DType::Int64;
  const std::vector<int64_t> dims = list->elementShape.hasRank() ? list->elementShape.toVector() : std::vector<int64_t>{-1};
  const Shape shape = list->elementShape.hasRank() ? Shape{int64_t(dims.size())} : Shape{};
  c.setOutput(0, wide ? Tensor::of(dims, shape) : Tensor::of(std::vector<int32_t>(dims.begin(), dims.end()), shape));
  return {};
}

// ---- whole lists

Status stack(KernelContext& c) {
  WEFT_LET(const TensorListPtr list, tensorListOf(c, 0));
  WEFT_TRY(checkType(c, *list));
  const int64_t wanted = c.node().attrs.integer("num_elements", -1);
  if (wanted != -1 && wanted != int64_t(list->elements.size())) {
    return invalidArgument("Operation expected a list with ", wanted, " elements but got a list with ", list->elements.size(), " elements.");
  }
  WEFT_LET(Shape shape, elementShapeOf(c, *list, 1));
  return stackElements(c, *list, allOf(*list), std::move(shape), "stack");
}

Status gather(KernelContext& c) {
  WEFT_LET(const TensorListPtr list, tensorListOf(c, 0));
  WEFT_TRY(checkType(c, *list));
  WEFT_LET(Shape shape, elementShapeOf(c, *list, 2));
  const Tensor& indices = c.input(1);
  std::vector<const Tensor*> elements;
  for (int64_t i = 0; i < indices.elements(); ++i) {
    const int64_t index = indices.asInt(i);
    if (index < 0 || index >= int64_t(list->elements.size())) {
      return invalidArgument("Index ", index, " out o range; list only has ", list->elements.size(), " elements.");
    }
    elements.push_back(&list->elements[size_t(index)]);
  }
  // The shapes of other elements in the list count too.
  if (!elements.empty()) {
    WEFT_LET(shape, inferredShape(shape, elements));
  }
  return stackElements(c, *list, elements, std::move(shape), "gather");
}

Status scatter(KernelContext& c) {
  const Tensor &t = c.input(0), &indices = c.input(1);
  auto list = std::make_shared<TensorList>();
  WEFT_LET(list->elementShape, elementShapeFrom(c.input(2)));
  list->dtype = t.dtype();
  WEFT_LET(const int64_t highest, highestIndex(t, indices));
  int64_t size = highest + 1;
  if (c.inputCount() > 3) {
    WEFT_LET(const int64_t count, scalarOf(c, 3, "num_elements"));
    if (count < -1) return invalidArgument("TensorListScatter expects num_elements >= -1, found: ", count);
    if (count >= 0 && highest >= count) return invalidArgument("TensorListScatter: Trying to scatter at index ", highest, " in list with size ", count);
    if (count > kMaxReserved) return resourceExhausted("A list of ", count, " elements is too long");
    if (count >= 0) size = count;
  }
  list->elements.resize(size_t(size));
  WEFT_TRY(scatterRows(*list, t, indices));
  c.setOutput(0, tensorOf(std::move(list)));
  return {};
}

Status scatterInto(KernelContext& c) {
  WEFT_LET(auto list, copyOfList(c, 0));
  const Tensor &t = c.input(1), &indices = c.input(2);
  WEFT_LET(const int64_t highest, highestIndex(t, indices));
  if (highest >= int64_t(list->elements.size())) list->elements.resize(size_t(highest + 1));
  WEFT_TRY(scatterRows(*list, t, indices));
  c.setOutput(0, tensorOf(std::move(list)));
  return {};
}

Status concatElements(KernelContext& c) {
  WEFT_LET(const TensorListPtr list, tensorListOf(c, 0));
  WEFT_TRY(checkType(c, *list));
  const bool v2 = c.node().op == "TensorListConcatV2";
  Shape shape = v2 ? Shape() : c.node().attrs.shape("element_shape");
  if (v2) {
    WEFT_LET(shape, elementShapeFrom(c.input(1)));
  }
  auto merged = shape.mergedWith(list->elementShape);
  if (!merged.ok()) return invalidArgument("Incompatible element_shape: ", shape.toString(), " and ", list->elementShape.toString());
  shape = std::move(*merged);
  // Lengths may differ, the other dims may not.
  Shape behind = shape.hasRank() ? shape.slice(1) : Shape::unknown();
  if (shape.hasRank() && shape.rank() < 1) return invalidArgument("Concat requires elements to be at least vectors, found scalars instead.");
  for (const Tensor& t : list->elements) {
    if (!t.hasValue()) continue;
    if (t.rank() < 1) return invalidArgument("Concat saw a scalar shape at index ", &t - list->elements.data(), " but requires at least vectors.");
    auto both = behind.mergedWith(t.shape().slice(1));
    if (!both.ok()) return invalidArgument("Tried to concat tensors with unequal shapes: ", behind.toString(), " vs ", t.shape().slice(1).toString());
    behind = std::move(*both);
  }
  if (!behind.isFullyKnown()) {
    return invalidArgument("All except the first dimension must be fully defined when concating an empty tensor list. element_shape: ", shape.toString());
  }
  const int64_t count = int64_t(list->elements.size()), width = behind.elements();
  WEFT_LET(Tensor lengths, Tensor::allocate(DType::Int64, {count}));
  int64_t total = 0;
  for (int64_t i = 0; i < count; ++i) {
    const Tensor& t = list->elements[size_t(i)];
    int64_t n = -1;
    if (t.hasValue()) {
      n = t.dim(0);
    } else if (v2 && i < c.input(2).elements()) {
      n = c.input(2).asInt(i);
    } else if (shape.hasRank() && shape.dim(0) >= 0) {
      n = shape.dim(0);
    }
    if (n < 0) {
      return invalidArgument("List contains uninitialized tensor at index ", i, " but leading_dims has only ", v2 ? c.input(2).elements() : 0, " elements.");
    }
    lengths.mutableData<int64_t>()[i] = n;
    total += n;
  }
  Shape whole{total};
  whole.append(behind);
  WEFT_LET(Tensor * out, c.allocate(0, whole));
  int64_t at = 0;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t n = lengths.at<int64_t>(i) * width;
    if (list->elements[size_t(i)].hasValue()) {
      copyElements(*out, at, list->elements[size_t(i)], 0, n);
    } else if (n > 0) {
      WEFT_LET(const Tensor zero, zeros(list->dtype, {n}));
      copyElements(*out, at, zero, 0, n);
    }
    at += n;
  }
  c.setOutput(1, std::move(lengths));
  return {};
}

Status splitTensor(KernelContext& c) {
  const Tensor &t = c.input(0), &lengths = c.input(2);
  auto list = std::make_shared<TensorList>();
  WEFT_LET(list->elementShape, elementShapeFrom(c.input(1)));
  list->dtype = t.dtype();
  if (t.rank() < 1) return invalidArgument("Tensor must be at least a vector, but saw shape: ", t.shape().toString());
  if (lengths.rank() != 1) return invalidArgument("Expected lengths to be a vector, received shape: ", lengths.shape().toString());
  const Shape behind = t.shape().slice(1);
  if (list->elementShape.hasRank() && !list->elementShape.slice(1).compatibleWith(behind)) {
    return invalidArgument("tensor shape ", t.shape().toString(), " is not compatible with element_shape ", list->elementShape.toString());
  }
  int64_t at = 0;
  for (int64_t i = 0; i < lengths.elements(); ++i) {
    const int64_t n = lengths.at<int64_t>(i);
    if (n < 0) return invalidArgument("Invalid value in lengths: ", n);
    if (n > t.dim(0) - at) {
      return invalidArgument("Attempting to slice [", at, ", ", at + n, "] from tensor with length ", t.dim(0));
    }
    if (list->elementShape.hasRank() && list->elementShape.dim(0) >= 0 && list->elementShape.dim(0) != n) {
      return invalidArgument("Element ", i, " has length ", n, " but element_shape is ", list->elementShape.toString());
    }
    WEFT_LET(Tensor element, t.rows(at, at + n).clone());
    list->elements.push_back(std::move(element));
    at += n;
  }
  if (at != t.dim(0)) return invalidArgument("Unused values in tensor. Length of tensor: ", t.dim(0), " Values used: ", at);
  c.setOutput(0, tensorOf(std::move(list)));
  return {};
}

Status pushBackBatch(KernelContext& c) {
  const Tensor &handles = c.input(0), &t = c.input(1);
  if (t.rank() < 1) return invalidArgument("Expected tensor to be at least a vector, but saw shape: ", t.shape().toString());
  if (t.rank() < handles.rank() || !(t.shape().slice(0, handles.rank()) == handles.shape()) || handles.rank() != 1) {
    return invalidArgument("Expected tensor.shape[:1] == input_handles.shape, but saw ", t.shape().toString(), " vs. ", handles.shape().toString());
  }
  const Shape row = t.shape().slice(1);
  WEFT_LET(Tensor * out, c.allocate(0, handles.shape()));
  for (int64_t i = 0; i < handles.elements(); ++i) {
    WEFT_LET(const TensorListPtr old, listAt(handles, i));
    if (!old->elementShape.compatibleWith(row)) {
      return invalidArgument("Tried to append a tensor with incompatible shape to a list at index ", i, ". Op element shape: ", row.toString(),
                             " list shape: ", old->elementShape.toString());
    }
    if (old->dtype != t.dtype()) {
      return invalidArgument("Invalid data type at index ", i, "; op elements ", dtypeShortName(t.dtype()), " but list elements ", dtypeShortName(old->dtype));
    }
    auto list = std::make_shared<TensorList>(*old);
    WEFT_LET(Tensor element, t.rows(i, i + 1).reshaped(row).clone());
    list->elements.push_back(std::move(element));
    static_cast<VariantValue*>(out->mutableRaw())[i].object = std::move(list);
  }
  return {};
}

Status concatLists(KernelContext& c) {
  const Tensor &a = c.input(0), &b = c.input(1);
  if (!(a.shape() == b.shape())) {
    return invalidArgument("Expected input_a.shape == input_b.shape but saw ", a.shape().toString(), " vs. ", b.shape().toString());
  }
  WEFT_LET(Tensor * out, c.allocate(0, a.shape()));
  for (int64_t i = 0; i < a.elements(); ++i) {
    WEFT_LET(const TensorListPtr first, listAt(a, i));
    WEFT_LET(const TensorListPtr second, listAt(b, i));
    if (!first->elementShape.compatibleWith(second->elementShape)) {
      return invalidArgument("input_a[", i, "] and input_b[", i, "] have incompatible shapes: ", first->elementShape.toString(), " vs. ",
                             second->elementShape.toString());
    }
    for (const TensorListPtr& list : {first, second}) {
      if (list->dtype != elementType(c)) {
        return invalidArgument("input_a[", i, "].dtype != element_dtype: ", dtypeShortName(list->dtype), " vs. ", dtypeShortName(elementType(c)));
      }
    }
    auto both = std::make_shared<TensorList>(*first);
    both->elements.insert(both->elements.end(), second->elements.begin(), second->elements.end());
    static_cast<VariantValue*>(out->mutableRaw())[i].object = std::move(both);
  }
  return {};
}

}  // namespace list_kernels

}  // namespace weft
