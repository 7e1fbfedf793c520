#include <algorithm>
#include <map>
#include <set>

#include "ops/registry.h"
#include "ops/sparse_parts.h"

// Sets along the last dimension of dense and sparse tensors: differences, intersection, union, sizes.
namespace weft {
namespace {

const std::vector<DType> kSetTypes = {DType::Int8, DType::Int16, DType::Int32, DType::Int64, DType::UInt8, DType::UInt16, DType::String};

template <typename F>
void withSetType(DType t, F&& f) {
  switch (t) {
    case DType::Int8: f(std::type_identity<int8_t>()); break;
    case DType::Int16: f(std::type_identity<int16_t>()); break;
    case DType::Int32: f(std::type_identity<int32_t>()); break;
    case DType::Int64: f(std::type_identity<int64_t>()); break;
    case DType::UInt8: f(std::type_identity<uint8_t>()); break;
    case DType::UInt16: f(std::type_identity<uint16_t>()); break;
    default: f(std::type_identity<std::string>()); break;
  }
}

/// A tensor whose last dimension contains sets: dense (input `at`) or sparse (inputs `at` … `at + 2`).
struct SetTensor {
  bool sparse = false;
  const Tensor *indices = nullptr, *values = nullptr;
  Shape shape;
  Shape groups() const { return shape.slice(0, shape.rank() - 1); }
};

Result<SetTensor> denseSets(KernelContext& c, int at) {
  SetTensor s;
  s.values = &c.input(at);
  s.shape = s.values->shape();
  if (s.shape.rank() < 2) return invalidArgument("Shape ", s.shape.toString(), " has rank ", s.shape.rank(), " < 2");
  return s;
}

/// `second`: the second of two sparse operands, which TensorFlow checks less strictly.
Result<SetTensor> sparseSets(KernelContext& c, int at, bool second) {
  SetTensor s;
  s.sparse = true;
  s.indices = &c.input(at);
  s.values = &c.input(at + 1);
  const Tensor& shape = c.input(at + 2);
  if (shape.rank() != 1) return invalidArgument("Shape must be a 1D tensor but it is ", shape.shape().toString());
  s.shape = Shape(std::vector<int64_t>(shape.data<int64_t>(), shape.data<int64_t>() + shape.elements()));
  const int rank = s.shape.rank();
  if (rank < 2) return invalidArgument("Invalid rank ", rank, ".");
  if (s.shape.elements() < 0) return invalidArgument("The shape ", s.shape.toString(), " of a sparse tensor is negative or too large");
  if (s.indices->rank() != 2) return invalidArgument("indices must be a matrix, but got: ", s.indices->shape().toString());
  if (s.values->rank() != 1) return invalidArgument("vals must be a vec, but got: ", s.values->shape().toString());
  const int64_t n = s.indices->dim(0);
  if (s.values->elements() != n)
    return invalidArgument("indices and values rows (indexing dimension) must match. (indices = ", n, ", values = ", s.values->elements(), ")");
  if (s.indices->dim(1) != rank) return invalidArgument("Order length must be SparseTensor rank.");
  if (!second) {
    WEFT_TRY(checkOrder(*s.indices, n, s.shape));
    return s;
  }
  for (int64_t i = 0; i < n; ++i) {
    for (int d = 0; d < rank; ++d) {
      const int64_t k = s.indices->at<int64_t>(i * rank + d);
      if (k < 0 || k >= s.shape.dim(d)) return internalError("indices[0, ", d, "] expected < ", s.shape.dim(d), ", got ", k, ".");
    }
  }
  return s;
}

template <typename T>
struct Pair {
  std::set<T> a, b;
};
/// Sets, by the flat position of their group.
template <typename T>
using Groups = std::map<int64_t, Pair<T>>;

template <typename T>
void collect(const SetTensor& s, std::set<T> Pair<T>::*side, Groups<T>& groups) {
  const T* v = s.values->template data<T>();
  const int rank = s.shape.rank();
  const int64_t width = s.shape.dim(rank - 1), n = s.values->elements();
  for (int64_t i = 0; i < n; ++i) {
    int64_t at = 0;
    if (s.sparse) {
      for (int d = 0; d + 1 < rank; ++d) at = at * s.shape.dim(d) + s.indices->at<int64_t>(i * rank + d);
    } else {
      at = i / width;
    }
    (groups[at].*side).insert(v[i]);
  }
}

enum class Operation { AMinusB, BMinusA, Intersection, Union };

template <typename T>
std::vector<T> combined(Operation operation, const std::set<T>& a, const std::set<T>& b) {
  std::vector<T> out;
  const auto to = std::back_inserter(out);
  switch (operation) {
    case Operation::AMinusB: std::set_difference(a.begin(), a.end(), b.begin(), b.end(), to); break;
    case Operation::BMinusA: std::set_difference(b.begin(), b.end(), a.begin(), a.end(), to); break;
    case Operation::Intersection: std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), to); break;
    case Operation::Union: std::set_union(a.begin(), a.end(), b.begin(), b.end(), to); break;
  }
  return out;
}

template <typename T>
Status combine(KernelContext& c, Operation operation, const SetTensor& a, const SetTensor& b) {
  Groups<T> groups;
  collect(a, &Pair<T>::a, groups);
  collect(b, &Pair<T>::b, groups);
  std::vector<std::pair<int64_t, std::vector<T>>> sets;
  int64_t count = 0, most = 0;
  for (const auto& [at, pair] : groups) {
    std::vector<T> set = combined(operation, pair.a, pair.b);
    if (set.empty()) continue;
    count += int64_t(set.size());
    most = std::max(most, int64_t(set.size()));
    sets.emplace_back(at, std::move(set));
  }
  const Shape outer = a.groups();
  const int rank = outer.rank() + 1;
  WEFT_LET(Tensor* indices, c.allocate(0, Shape{count, rank}));
  WEFT_LET(Tensor* values, c.allocate(1, Shape{count}));
  int64_t* place = indices->mutableData<int64_t>();
  T* v = values->template mutableData<T>();
  for (const auto& [at, set] : sets) {
    for (size_t k = 0; k < set.size(); ++k, place += rank) {
      int64_t rest = at;
      for (int d = rank - 2; d >= 0; --d) {
        place[d] = rest % outer.dim(d);
        rest /= outer.dim(d);
      }
      place[rank - 1] = int64_t(k);
      *v++ = set[k];
    }
  }
  std::vector<int64_t> shape = outer.toVector();
  shape.push_back(most);
  c.setOutput(2, Tensor::vector(shape));
  return {};
}

enum class Form { DenseDense, DenseSparse, SparseSparse };

Result<std::unique_ptr<Kernel>> makeOperation(KernelInit& init, Form form) {
  std::string name = init.attrs().text("set_operation");
  for (char& ch : name) ch = ch >= 'A' && ch <= 'Z' ? char(ch - 'A' + 'a') : ch;
  const std::vector<std::string> names = {"a-b", "b-a", "intersection", "union"};
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end()) return invalidArgument("Invalid set_operation ", name, ".");
  const auto operation = Operation(it - names.begin());
  return functionKernel([operation, form](KernelContext& c) -> Status {
    WEFT_LET(const SetTensor a, form == Form::SparseSparse ? sparseSets(c, 0, false) : denseSets(c, 0));
    WEFT_LET(const SetTensor b, form == Form::DenseDense ? denseSets(c, 1) : sparseSets(c, form == Form::DenseSparse ? 1 : 3, form == Form::SparseSparse));
    if (!(a.groups() == b.groups())) return invalidArgument("Mismatched shapes ", a.groups().toString(), " vs ", b.groups().toString());
    Status status;
    withSetType(a.values->dtype(), [&]<typename T>(std::type_identity<T>) { status = combine<T>(c, operation, a, b); });
    return status;
  });
}

Status runSize(KernelContext& c) {
  WEFT_LET(const SetTensor s, sparseSets(c, 0, false));
  WEFT_LET(Tensor* out, c.allocate(0, s.groups()));
  std::fill_n(out->mutableData<int32_t>(), out->elements(), 0);
  withSetType(s.values->dtype(), [&]<typename T>(std::type_identity<T>) {
    Groups<T> groups;
    collect(s, &Pair<T>::a, groups);
    for (const auto& [at, pair] : groups) out->mutableData<int32_t>()[at] = int32_t(pair.a.size());
  });
  return {};
}

// Shapes.

/// Rank of the sparse tensor in inputs `at` … `at + 2`; -1 if unknown.
Result<int64_t> sparseRank(ShapeContext& c, int at) {
  WEFT_TRY(c.requireRank(c.input(at), 2));
  WEFT_TRY(c.requireRank(c.input(at + 1), 1));
  WEFT_TRY(c.requireRank(c.input(at + 2), 1));
  const auto dim = [&](int i, int d) { return c.input(i).hasRank() ? c.input(i).dim(d) : Shape::kUnknownDim; };
  WEFT_TRY(c.mergeDims(dim(at, 0), dim(at + 1, 0)).status());
  return c.mergeDims(dim(at, 1), dim(at + 2, 0));
}

Status setOutputs(ShapeContext& c, int64_t rank) {
  c.setOutput(0, Shape{Shape::kUnknownDim, rank});
  c.setOutput(1, Shape::unknownOfRank(1));
  c.setOutput(2, Shape{rank});
  return {};
}

Status denseDenseShape(ShapeContext& c) {
  const Shape &a = c.input(0), &b = c.input(1);
  WEFT_TRY(c.requireRankAtLeast(a, 2));
  if (a.hasRank()) WEFT_TRY(c.requireRank(b, a.rank()));
  else WEFT_TRY(c.requireRankAtLeast(b, 2));
  if (a.hasRank() && b.hasRank()) WEFT_TRY(c.merge(a.slice(0, a.rank() - 1), b.slice(0, b.rank() - 1)).status());
  return setOutputs(c, a.hasRank() ? a.rank() : b.hasRank() ? b.rank() : Shape::kUnknownDim);
}
Status denseSparseShape(ShapeContext& c) {
  WEFT_TRY(c.requireRankAtLeast(c.input(0), 2));
  WEFT_LET(int64_t rank, sparseRank(c, 1));
  if (c.input(0).hasRank()) {
    WEFT_LET(rank, c.mergeDims(c.input(0).rank(), rank));
  }
  return setOutputs(c, rank);
}
Status sparseSparseShape(ShapeContext& c) {
  WEFT_LET(const int64_t a, sparseRank(c, 0));
  WEFT_LET(const int64_t b, sparseRank(c, 3));
  WEFT_LET(const int64_t rank, c.mergeDims(a, b));
  return setOutputs(c, rank);
}

OpRecord& withSparse(OpRecord& r, const std::string& set) {
  return r.input(set + "_indices: int64", "[N, rank]: indices of the sparse sets' values, in row-major order.")
      .input(set + "_values: T", "[N].")
      .input(set + "_shape: int64", "[rank]: dense shape; the first rank - 1 dimensions enumerate the sets.");
}

}  // namespace

void registerSetOperations(OpRegistry& ops) {
  const auto finish = [](OpRecord& r, Status (*shape)(ShapeContext&), Form form) {
    r.category("Sparse")
        .keywords("set union intersection difference")
        .output("result_indices: int64", "Indices of the elements of the resulting sets.")
        .output("result_values: T", "The elements, ascending within each set.")
        .output("result_shape: int64", "Dense shape; the last dimension is the size of the largest set.")
        .attr("set_operation: string", "Operation: a-b, b-a, intersection or union.")
        .attr("validate_indices: bool = true", "Ignored: the order of indices is always checked.")
        .attr("T: {int8, int16, int32, int64, uint8, uint16, string}", "Type of the elements.")
        .shape(shape)
        .noGradient("Set members are not differentiable.")
        .cpu({{"T", kSetTypes}}, [form](KernelInit& init) { return makeOperation(init, form); });
  };
  finish(ops.add("DenseToDenseSetOperation")
             .summary("Set operation along the last dimension of two dense tensors.")
             .input("set1: T", "[…, n]: sets; duplicates are ignored.")
             .input("set2: T", "[…, m]: sets, with the same leading dimensions."),
         denseDenseShape, Form::DenseDense);
  finish(withSparse(ops.add("DenseToSparseSetOperation")
                        .summary("Set operation along the last dimension of a dense and a sparse tensor.")
                        .input("set1: T", "[…, n]: sets."),
                    "set2"),
         denseSparseShape, Form::DenseSparse);
  finish(withSparse(withSparse(ops.add("SparseToSparseSetOperation").summary("Set operation along the last dimension of two sparse tensors."), "set1"), "set2"),
         sparseSparseShape, Form::SparseSparse);
  withSparse(ops.add("SetSize").category("Sparse").summary("Number of distinct elements of each set along the last dimension of a sparse tensor."), "set")
      .output("size: int32", "One count per set.")
      .attr("validate_indices: bool = true", "Ignored: the order of indices is always checked.")
      .attr("T: {int8, int16, int32, int64, uint8, uint16, string}", "Type of the elements.")
      .shape(shapes::unknown)
      .noGradient("The size of a set is not differentiable.")
      .cpu({{"T", kSetTypes}}, simpleKernel(runSize));
}

}  // namespace weft
