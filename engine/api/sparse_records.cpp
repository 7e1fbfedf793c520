// tf.sparse and tf.sets. A sparse tensor is three tensors: indices, values, dense shape.
#include <algorithm>

#include "api/checks.h"
#include "api/nn_functions.h"

namespace weft::api {
namespace {

using Ints = std::vector<int64_t>;
using tf::Index;

const SparseValue* sparseOf(Call& c, const std::string& name) {
  const auto* s = std::get_if<SparseValue>(&c[name]);
  if (!s) c.b.fail(typeError("Input must be a SparseTensor."));
  return s;
}

// tf.SparseTensor from its parts; non-tensors become constants in its scope.
SparseValue sparseTensor(GraphBuilder& b, const Argument& indices, const Argument& values, const Argument& shape) {
  const py::Scope scope(b, "SparseTensor");
  SparseValue s;
  s.indices = toTensor(b, indices, "indices", DType::Int64);
  s.values = toTensor(b, values, "values");
  s.denseShape = toTensor(b, shape, "dense_shape", DType::Int64);
  return s;
}

Built sparse(const SparseValue& s) { return Values{{s.indices, s.values, s.denseShape}, {}, {Argument(s)}}; }
Built sparse(GraphBuilder& b, const Argument& indices, const Argument& values, const Argument& shape) {
  return sparse(sparseTensor(b, indices, values, shape));
}

// The static shape as numbers, if it is fully known.
std::optional<Ints> knownShape(GraphBuilder& b, const SparseValue& s) {
  const auto t = b.constantValue(s.denseShape);
  if (!t) return std::nullopt;
  Ints out;
  for (int64_t i = 0; i < t->elements(); ++i) out.push_back(t->asInt(i));
  return out;
}

Output allAxesOf(GraphBuilder& b, const SparseValue& s) {
  const Shape shape = b.shape(s.denseShape);
  if (shape.rank() == 1 && shape.dim(0) >= 0) {
    std::vector<int32_t> axes(static_cast<size_t>(shape.dim(0)));
    for (size_t i = 0; i < axes.size(); ++i) axes[i] = int32_t(i);
    return b.constant(Tensor::vector(axes));
  }
  return tf::range(b, 0, tf::size(b, s.denseShape));
}

SparseValue reordered(GraphBuilder& b, const SparseValue& s, std::string_view name) {
  const auto out = emitAll(b, "SparseReorder", {s.indices, s.values, s.denseShape}, {}, name);
  if (!b.ok()) return {};
  if (const auto known = knownShape(b, s)) return sparseTensor(b, out[0], out[1], *known);
  return sparseTensor(b, out[0], out[1], tf::identity(b, s.denseShape));
}

Output toDense(GraphBuilder& b, const SparseValue& s, const Argument& otherwise, bool validate, std::string_view name) {
  const Argument value = isNone(otherwise) ? Argument(tf::zeros(b, Shape{}, b.dtype(s.values))) : otherwise;
  return emit(b, "SparseToDense", {s.indices, s.denseShape, s.values, value}, {{"validate_indices", validate}}, name);
}

SparseValue merged(GraphBuilder& b, const std::vector<SparseValue>& ids, const SparseValue& values, const ArgumentList& sizes, const std::string& name,
                   bool sorted) {
  const py::Scope scope(b, name.empty() ? "SparseMerge" : name);
  std::vector<Output> columns;
  for (const SparseValue& s : ids) columns.push_back(tf::expandDims(b, tf::cast(b, s.values, DType::Int64), 1));
  ArgumentList shape;
  for (const Argument& a : sizes) shape.emplace_back(tf::cast(b, a, DType::Int64));
  ArgumentList parts = {tf::item(b, ids[0].indices, {Index::range({}, {}), Index::range({}, -1)})};
  parts.insert(parts.end(), columns.begin(), columns.end());
  const Output indices = tf::concatenate(b, parts, 1);
  const Output outer = tf::part(b, ids[0].denseShape, {}, -1);
  const Output whole = tf::concatenate(b, ArgumentList{outer, shape}, 0);
  const SparseValue result = sparseTensor(b, indices, values.values, whole);
  if (sorted) return result;
  const SparseValue inOrder = reordered(b, result, {});
  return sparseTensor(b, inOrder.indices, inOrder.values, whole);
}

Built add(Call& c) {
  GraphBuilder& b = c.b;
  const auto* x = std::get_if<SparseValue>(&c["a"]);
  const auto* y = std::get_if<SparseValue>(&c["b"]);
  if (!x && !y) return typeError("At least one input should be SparseTensor; do you mean to use tf.add()?");
  if (x && y) {
    const DType type = b.dtype(x->values), real = type == DType::Complex64 ? DType::Float : type == DType::Complex128 ? DType::Double : type;
    const Output threshold = toTensor(b, c.has("threshold") ? c["threshold"] : Argument(0), "threshold", real);
    const auto out = emitAll(b, "SparseAdd", {x->indices, x->values, x->denseShape, y->indices, y->values, y->denseShape, threshold});
    if (!b.ok()) return b.status().error();
    if (const auto known = knownShape(b, *x); known && knownShape(b, *y)) return sparse(b, out[0], out[1], *known);
    return sparse(b, out[0], out[1], out[2]);
  }
  const SparseValue& s = x ? *x : *y;
  return c.one(emit(b, "SparseTensorDenseAdd", {s.indices, s.values, s.denseShape, x ? c["b"] : c["a"]}));
}

Built concatenated(Call& c) {
  GraphBuilder& b = c.b;
  std::vector<Output> indices, values, shapes;
  std::vector<SparseValue> all;
  for (const Argument& a : c.list("sp_inputs")) {
    const auto* s = std::get_if<SparseValue>(&a);
    if (!s) return typeError("Inputs must be a list of SparseTensors");
    all.push_back(*s);
    indices.push_back(s->indices);
    values.push_back(s->values);
    shapes.push_back(s->denseShape);
  }
  if (all.size() == 1) return sparse(all[0]);
  const int64_t axis = c.a.integer("axis");
  if (c.a.flag("expand_nonconcat_dim")) {
    ArgumentList rows;
    for (const Output s : shapes) rows.emplace_back(tf::reshape(b, s, Ints{1, -1}));
    const Output most = tf::reduce(b, "Max", tf::concatenate(b, rows, 0), 0);
    for (Output& s : shapes) {
      const Output before = tf::part(b, most, {}, axis);
      const Output own = axis == -1 ? tf::part(b, s, -1, {}) : tf::part(b, s, axis, axis + 1);
      const Argument after = axis == -1 ? Argument(ArgumentList()) : Argument(tf::part(b, most, axis + 1, {}));
      s = tf::concatenate(b, ArgumentList{before, own, after}, 0);
    }
  }
  const auto out = emitAll(b, "SparseConcat", {Argument(indices), Argument(values), Argument(shapes)}, {{"concat_dim", axis}}, c.name());
  if (!b.ok()) return b.status().error();
  std::optional<Tensor> first;
  int64_t total = 0;
  for (const Output s : shapes) {
    const auto t = b.constantValue(s);
    if (!t) return sparse(b, out[0], out[1], out[2]);
    total += t->asInt(axis < 0 ? axis + t->elements() : axis);
    if (!first) first = t;
  }
  Ints dims;
  for (int64_t i = 0; i < first->elements(); ++i) dims.push_back(first->asInt(i));
  dims[size_t(axis < 0 ? axis + int64_t(dims.size()) : axis)] = total;
  return sparse(b, out[0], out[1], toTensor(b, Literal{Tensor::vector(dims), false}, {}));
}

Built reshaped(Call& c) {
  GraphBuilder& b = c.b;
  const auto* s = sparseOf(c, "sp_input");
  if (!s) return b.status().error();
  const Output shape = tf::cast(b, c["shape"], DType::Int64);
  const auto scope = c.scope("SparseReshape");
  const auto out = emitAll(b, "SparseReshape", {s->indices, s->denseShape, shape}, {}, scope.name());
  if (!b.ok()) return b.status().error();
  Argument dims = out[1];
  const auto in = knownShape(b, *s);
  const auto want = b.constantValue(shape);
  if (in && want) {
    // As in NumPy: the product of declared sizes may overflow, and then wraps.
    uint64_t size = 1, known = 1, total = 1;
    int64_t implied = -1;
    for (const int64_t d : *in) size *= uint64_t(d);
    Ints list;
    for (int64_t i = 0; i < want->elements(); ++i) {
      list.push_back(want->asInt(i));
      if (list.back() < 0) {
        if (implied >= 0) return invalidArgument("At most one dimension can be inferred (-1). Found: ", want->toString());
        implied = i;
      } else {
        known *= uint64_t(list.back());
      }
    }
    if (implied >= 0) list[size_t(implied)] = known ? int64_t(size / known) : 0;
    for (const int64_t d : list) total *= uint64_t(d);
    if (total != size)
      return invalidArgument("Cannot reshape a tensor with ", int64_t(size), " elements to shape ", Shape(list).toString(), " (", int64_t(total),
                             " elements).");
    dims = b.constant(Tensor::vector(list));
  }
  const Output values = tf::identity(b, s->values);
  return sparse(b, out[0], values, dims);
}

Built resetShape(Call& c) {
  GraphBuilder& b = c.b;
  const auto* s = sparseOf(c, "sp_input");
  if (!s) return b.status().error();
  const Output indices = tf::identity(b, s->indices), values = tf::identity(b, s->values), shape = tf::identity(b, s->denseShape);
  Argument out;
  if (!c.has("new_shape")) {
    const Output last = tf::reduce(b, "Max", indices, 0);
    const Output zero = b.scalar<int64_t>(0);
    out = b.op("Maximum", {zero, b.op("Add", {last, tf::onesLike(b, shape)})});
  } else {
    Output want = tf::cast(b, toTensor(b, c["new_shape"], {}), DType::Int64);
    const auto known = b.constantValue(want);
    const auto in = knownShape(b, *s);
    if (known && in) {
      Ints dims;
      for (int64_t i = 0; i < known->elements(); ++i) dims.push_back(known->asInt(i));
      for (size_t i = 0; i < dims.size() && i < in->size(); ++i) {
        if ((*in)[i] > dims[i])
          return invalidArgument("Requested new_shape should have dimension sizes >= sp_input.shape.  Found new_shape (", Shape(*in).toString(),
                                 "), sp_input.shape (", Shape(dims).toString(), ").");
      }
      out = dims;
    } else {
      const Output own = tf::shape(b, shape);
      const int same = checks::binary(b, "==", own, tf::shape(b, want), {});
      want = nn::withDependencies(b, {same}, want);
      const int fits = checks::binary(b, "<=", shape, want, {});
      out = nn::withDependencies(b, {fits}, want);
    }
  }
  return sparse(b, indices, values, out);
}

Built retain(Call& c) {
  GraphBuilder& b = c.b;
  const auto* s = sparseOf(c, "sp_input");
  if (!s) return b.status().error();
  const Output keep = toTensor(b, c["to_retain"], {});
  const Output which = tf::reshape(b, tf::where(b, keep), Ints{-1});
  const Output indices = tf::gather(b, s->indices, which), values = tf::gather(b, s->values, which);
  return sparse(b, indices, values, tf::identity(b, s->denseShape));
}

Built transposed(Call& c) {
  GraphBuilder& b = c.b;
  const auto* s = sparseOf(c, "sp_input");
  if (!s) return b.status().error();
  const auto scope = c.scope("SparseTranspose");
  Argument perm = c["perm"];
  if (isNone(perm)) {
    const Shape n = b.shape(s->denseShape);
    if (n.rank() != 1 || n.dim(0) < 0) return invalidArgument("sparse_transpose needs `perm` for a sparse tensor of unknown rank");
    std::vector<int32_t> order;
    for (int64_t i = n.dim(0) - 1; i >= 0; --i) order.push_back(int32_t(i));
    perm = Literal{Tensor::vector(order), false};
  }
  const Output turned = tf::transpose(b, tf::gather(b, tf::transpose(b, s->indices), perm));
  const auto known = knownShape(b, *s);
  const auto order = knownValue(b, perm);
  Argument shape;
  if (known && order) {
    Ints dims;
    for (int64_t i = 0; i < order->elements(); ++i) dims.push_back((*known)[size_t(order->asInt(i))]);
    shape = toTensor(b, Literal{Tensor::vector(dims), false}, {});
  } else {
    shape = tf::gather(b, s->denseShape, perm);
  }
  return sparse(reordered(b, sparseTensor(b, turned, s->values, shape), {}));
}

Built setOperation(Call& c, std::string operation) {
  GraphBuilder& b = c.b;
  const auto* x = std::get_if<SparseValue>(&c["a"]);
  const auto* y = std::get_if<SparseValue>(&c["b"]);
  if (x && !y) {  // the op wants the dense one first
    if (operation == "a-b") operation = "b-a";
    else if (operation == "b-a") operation = "a-b";
  }
  const bool swap = x && !y;
  ArgumentList inputs;
  const auto append = [&](const SparseValue* s, const Argument& dense) {
    if (s) inputs.insert(inputs.end(), {s->indices, s->values, s->denseShape});
    else inputs.emplace_back(toTensor(b, dense, {}));
  };
  append(swap ? y : x, swap ? c["b"] : c["a"]);
  append(swap ? x : y, swap ? c["a"] : c["b"]);
  const char* op = x && y ? "SparseToSparseSetOperation" : x || y ? "DenseToSparseSetOperation" : "DenseToDenseSetOperation";
  const auto out = emitAll(b, op, inputs, {{"set_operation", operation}, {"validate_indices", c.a.flag("validate_indices")}});
  if (!b.ok()) return b.status().error();
  return sparse(b, out[0], out[1], out[2]);
}

}  // namespace

void registerSparse(ApiRegistry& r) {
  def(r, "sparse.add sparse_add", "a: any|b: any|threshold/thresh=None -- Values of smaller magnitude are dropped.",
      "Sum of sparse tensors, or of a sparse and a dense tensor.", "others: A sparse or a dense tensor.", add);
  def(r, "sparse.concat sparse_concat",
      "axis/concat_dim: int|sp_inputs: any -- Sparse tensors.|name|expand_nonconcat_dim/expand_nonconcat_dims: bool=false -- Whether the other dimensions "
      "may differ.",
      "Concatenates sparse tensors along a dimension.", "sparse: A sparse tensor.", concatenated);
  def(r, "sparse.reorder sparse_reorder", "sp_input: sparse|name", "Sorts the entries of a sparse tensor into row-major order.", "sparse: A sparse tensor.",
      [](Call& c) -> Built { return sparse(reordered(c.b, std::get<SparseValue>(c["sp_input"]), c.name())); });
  def(r, "sparse.reshape sparse_reshape", "sp_input: sparse|shape|name", "Reshapes a sparse tensor.", "sparse: A sparse tensor.", reshaped);
  def(r, "sparse.retain sparse_retain", "sp_input: sparse|to_retain -- For each value, whether to keep it.", "Keeps only some of a sparse tensor's values.",
      "sparse: A sparse tensor.", retain);
  def(r, "sparse.reset_shape sparse_reset_shape", "sp_input: sparse|new_shape=None -- New dense shape; None: the smallest that fits.",
      "Replaces the dense shape of a sparse tensor.", "sparse: A sparse tensor.", resetShape);
  def(r, "sparse.transpose sparse_transpose",
      "sp_input: sparse|perm=None -- Dimension i of the result is dimension perm[i] of the input; None: reverse all dimensions.|name",
      "Permutes the dimensions of a sparse tensor.", "sparse: A sparse tensor.", transposed);
  def(r, "sparse.to_dense sparse_tensor_to_dense", "sp_input: sparse|default_value=None -- Value elsewhere; None: zero.|validate_indices: bool=true|name",
      "A dense tensor.", "A tensor.",
      [](Call& c) { return c.one(toDense(c.b, std::get<SparseValue>(c["sp_input"]), c["default_value"], c.a.flag("validate_indices"), c.name())); });
  def(r, "sparse_to_dense",
      "sparse_indices -- Indices of the values.|output_shape -- Shape of the result.|sparse_values -- The values.|default_value=0 -- Value "
      "elsewhere.|validate_indices: bool=true|name",
      "Converts indices and values to a dense tensor.", "A tensor.", [](Call& c) {
        return c.one(emit(c.b, "SparseToDense", {c["sparse_indices"], c["output_shape"], c["sparse_values"], c["default_value"]},
                          {{"validate_indices", c.a.flag("validate_indices")}}, c.name()));
      });
  for (const auto& [names, op] :
       {std::pair("sparse.reduce_sum sparse_reduce_sum", "SparseReduceSum"), std::pair("sparse.reduce_max sparse_reduce_max", "SparseReduceMax")}) {
    def(r, names, "sp_input: sparse|axis/reduction_axes=None|keepdims/keep_dims: bool=None", "Reduces a sparse tensor along dimensions.", "A tensor.",
        [op = std::string(op)](Call& c) {
          const auto& s = std::get<SparseValue>(c["sp_input"]);
          const Argument axes = c.has("axis") ? c["axis"] : Argument(allAxesOf(c.b, s));
          return c.one(emit(c.b, op, {s.indices, s.values, s.denseShape, axes}, {{"keep_dims", c.a.flag("keepdims")}}));
        });
  }
  for (const auto& [names, op] : {std::pair("sparse.reduce_sum_sparse sparse_reduce_sum_sparse", "SparseReduceSumSparse"),
                                  std::pair("sparse.reduce_max_sparse sparse_reduce_max_sparse", "SparseReduceMaxSparse")}) {
    def(r, names, "sp_input: sparse|axis/reduction_axes=None|keepdims/keep_dims: bool=None", "Reduces a sparse tensor along dimensions.",
        "sparse: A sparse tensor.", [op = std::string(op)](Call& c) -> Built {
          const auto& s = std::get<SparseValue>(c["sp_input"]);
          const Argument axes = c.has("axis") ? c["axis"] : Argument(allAxesOf(c.b, s));
          const auto out = emitAll(c.b, op, {s.indices, s.values, s.denseShape, axes}, {{"keep_dims", c.a.flag("keepdims")}});
          if (!c.b.ok()) return c.b.status().error();
          return sparse(c.b, out[0], out[1], out[2]);
        });
  }
  def(r, "sparse.sparse_dense_matmul sparse_tensor_dense_matmul sparse.matmul",
      "sp_a: sparse -- A sparse matrix.|b|adjoint_a: bool=false -- Use the adjoint (conjugate transpose) of a.|adjoint_b: bool=false -- Use the adjoint "
      "(conjugate transpose) of b.|name",
      "Product of a sparse and a dense matrix.", "A matrix.", [](Call& c) {
        const auto scope = c.scope("SparseTensorDenseMatMul");
        const auto& s = std::get<SparseValue>(c["sp_a"]);
        const Output y = c.tensor("b");
        return c.one(c.b.op("SparseTensorDenseMatMul", {s.indices, s.values, s.denseShape, y},
                            {{"adjoint_a", c.a.flag("adjoint_a")}, {"adjoint_b", c.a.flag("adjoint_b")}}));
      });
  def(r, "sparse.softmax sparse_softmax", "sp_input: sparse|name", "Softmax over the entries of each row.", "sparse: A sparse tensor.", [](Call& c) -> Built {
    const auto scope = c.scope("SparseSoftmax");
    const auto& s = std::get<SparseValue>(c["sp_input"]);
    const Output values = c.b.op("SparseSoftmax", {s.indices, s.values, s.denseShape});
    return sparse(c.b, s.indices, values, s.denseShape);
  });
  for (const auto& [names, op, scope] : {std::tuple("sparse.maximum sparse_maximum", "SparseSparseMaximum", "SparseSparseMaximum"),
                                         std::tuple("sparse.minimum sparse_minimum", "SparseSparseMinimum", "SparseSparseMinimum")}) {
    def(r, names, "sp_a: sparse -- A sparse tensor.|sp_b: sparse -- A sparse tensor of the same shape.|name",
        "Element-wise maximum or minimum of two sparse tensors.", "sparse: A sparse tensor.",
        [op = std::string(op), scope = std::string(scope)](Call& c) -> Built {
          const auto inside = c.scope(scope);
          const auto& x = std::get<SparseValue>(c["sp_a"]);
          const auto& y = std::get<SparseValue>(c["sp_b"]);
          const auto out = emitAll(c.b, op, {x.indices, x.values, x.denseShape, y.indices, y.values, y.denseShape}, {}, inside.name());
          if (!c.b.ok()) return c.b.status().error();
          return sparse(c.b, out[0], out[1], x.denseShape);
        });
  }
  def(r, "sparse.slice sparse_slice", "sp_input: sparse|start -- First index in each dimension.|size -- Size of the slice in each dimension.|name",
      "Extracts a slice of a sparse tensor.", "sparse: A sparse tensor.", [](Call& c) -> Built {
        const auto& s = std::get<SparseValue>(c["sp_input"]);
        const Output start = toTensor(c.b, c["start"], {}, DType::Int64), size = toTensor(c.b, c["size"], {}, DType::Int64);
        const auto scope = c.scope("SparseSlice");
        const auto out = emitAll(c.b, "SparseSlice", {s.indices, s.values, s.denseShape, start, size}, {}, scope.name());
        if (!c.b.ok()) return c.b.status().error();
        return sparse(c.b, out[0], out[1], out[2]);
      });
  def(r, "sparse.split sparse_split",
      "keyword_required: any=None -- Do not use; enforces named arguments.|sp_input: sparse=None|num_split: int=None -- Number of "
      "parts.|axis/split_dim=None|name",
      "Splits a sparse tensor along a dimension.", "others: Sparse tensors.", [](Call& c) -> Built {
        for (const char* n : {"sp_input", "num_split", "axis"}) {
          if (!c.has(n)) return invalidArgument(n, " is required");
        }
        const auto& s = std::get<SparseValue>(c["sp_input"]);
        const auto n = c.a.integer("num_split");
        const auto out = emitAll(c.b, "SparseSplit", {c["axis"], s.indices, s.values, s.denseShape}, {{"num_split", n}}, c.name());
        if (!c.b.ok()) return c.b.status().error();
        ArgumentList parts;
        for (size_t i = 0; i < size_t(n); ++i) parts.emplace_back(sparseTensor(c.b, out[i], out[size_t(n) + i], out[2 * size_t(n) + i]));
        return Values{{}, {}, {Argument(parts)}};
      });
  def(r, "sparse.fill_empty_rows sparse_fill_empty_rows", "sp_input: sparse|default_value -- Value of the entries added to empty rows.|name",
      "Adds an entry with a default value to each empty row of a sparse tensor.", "others: The sparse tensor, and which rows were empty.",
      [](Call& c) -> Built {
        const auto scope = c.scope("SparseFillEmptyRows");
        const auto& s = std::get<SparseValue>(c["sp_input"]);
        const Output otherwise = toTensor(c.b, c["default_value"], {}, c.b.dtype(s.values));
        const auto out = emitAll(c.b, "SparseFillEmptyRows", {s.indices, s.values, s.denseShape, otherwise});
        if (!c.b.ok()) return c.b.status().error();
        const SparseValue full = sparseTensor(c.b, out[0], out[1], s.denseShape);
        return Values{{}, {}, {Argument(ArgumentList{full, out[2]})}};
      });
  def(r, "sparse.merge sparse_merge",
      "sp_ids: any -- Feature ids: a sparse tensor or a list of them.|sp_values: sparse -- Their values.|vocab_size: any -- Number of "
      "features.|name|already_sorted: bool=false -- Whether the ids are sorted.",
      "Merges ids and values into a sparse tensor whose columns are the ids.", "sparse: A sparse tensor.", [](Call& c) -> Built {
        std::vector<SparseValue> ids;
        for (const Argument& a : c.list("sp_ids")) {
          if (const auto* s = std::get_if<SparseValue>(&a)) ids.push_back(*s);
        }
        const ArgumentList sizes = c.list("vocab_size");
        if (ids.size() != sizes.size() || ids.empty()) return invalidArgument("sp_ids and vocab_size have to have equal lengths.");
        return sparse(merged(c.b, ids, std::get<SparseValue>(c["sp_values"]), sizes, c.name(), c.a.flag("already_sorted")));
      });
  def(r, "sparse.to_indicator sparse_to_indicator", "sp_input: sparse|vocab_size -- Number of features.|name",
      "For each row, whether it contains each feature id.", "A boolean tensor.", [](Call& c) -> Built {
        GraphBuilder& b = c.b;
        const auto scope = c.scope("SparseToIndicator");
        const auto& s = std::get<SparseValue>(c["sp_input"]);
        const Output count = tf::at(b, tf::shape(b, s.indices), 0);
        const Output yes = tf::fill(b, tf::expandDims(b, count, 0), true);
        const SparseValue values = sparseTensor(b, s.indices, yes, s.denseShape);
        const SparseValue all = merged(b, {s}, values, {c["vocab_size"]}, scope.name(), false);
        return c.one(toDense(b, all, false, false, scope.name()));
      });
  def(r, "sparse.from_dense", "tensor|name", "Converts a dense tensor to a sparse one with its nonzero elements.", "sparse: A sparse tensor.",
      [](Call& c) -> Built {
        GraphBuilder& b = c.b;
        const auto scope = c.scope("dense_to_sparse");
        const Output x = toTensor(b, c["tensor"], {});
        const Output zero = b.number(b.dtype(x), 0);
        const Output where = tf::where(b, b.op("NotEqual", {x, zero}));
        const Output values = b.op("GatherNd", {x, where});
        return sparse(b, where, values, tf::shape(b, x, {}, DType::Int64));
      });
  def(r, "SparseTensor sparse.SparseTensor", "indices -- [values, rank]|values|dense_shape -- Shape of the dense tensor.",
      "A sparse tensor built from indices and values.", "sparse: A sparse tensor.",
      [](Call& c) -> Built { return sparse(c.b, c["indices"], c["values"], c["dense_shape"]); });
  const std::string check = "|validate_indices: bool=true";
  def(r, "sets.intersection sets.set_intersection", "a: any|b: any" + check, "Intersection of sets along the last dimension.", "sparse: A sparse tensor.",
      [](Call& c) { return setOperation(c, "intersection"); });
  def(r, "sets.union sets.set_union", "a: any|b: any" + check, "Union of sets along the last dimension.", "sparse: A sparse tensor.",
      [](Call& c) { return setOperation(c, "union"); });
  def(r, "sets.difference sets.set_difference", "a: any|b: any|aminusb: bool=true -- True: a minus b; false: b minus a." + check,
      "Difference of sets along the last dimension.", "sparse: A sparse tensor.", [](Call& c) { return setOperation(c, c.a.flag("aminusb") ? "a-b" : "b-a"); });
  def(r, "sets.size sets.set_size", "a: sparse" + check, "Number of distinct elements of each set.", "A tensor.", [](Call& c) {
    const auto& s = std::get<SparseValue>(c["a"]);
    return c.one(c.b.op("SetSize", {s.indices, s.values, s.denseShape}, {{"validate_indices", c.a.flag("validate_indices")}}));
  });
}

}  // namespace weft::api
