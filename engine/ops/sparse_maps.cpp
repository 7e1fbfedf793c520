#include <map>

#include "ops/session_objects.h"
#include "tensor/element_types.h"
#include "tensor/scratch.h"
#include "weft/mutex.h"

// Maps of sparse tensors: inserted one by one or as a batch, taken as a batch, so that a queue only has to hold their numbers.
namespace weft {
namespace {

struct Sparse {
  Tensor indices, values;
  std::vector<int64_t> shape;
};

class SparseMap final : public SessionResource {
 public:
  explicit SparseMap(std::string name) : name_(std::move(name)) {}
  std::string kind() const override { return "map of sparse tensors"; }
  int64_t add(Sparse sparse) {
    const MutexLock lock(mutex_);
    tensors_.emplace(next_, std::move(sparse));
    return next_++;
  }
  Result<std::vector<Sparse>> take(const Tensor& handles) {
    std::vector<Sparse> taken;
    const MutexLock lock(mutex_);
    for (int64_t i = 0; i < handles.elements(); ++i) {
      const auto it = tensors_.find(handles.asInt(i));
      if (it == tensors_.end()) return invalidArgument("Unable to find SparseTensor: ", handles.asInt(i), " in map: ", name_);
      taken.push_back(std::move(it->second));
      tensors_.erase(it);
    }
    return taken;
  }

 private:
  const std::string name_;
  Mutex mutex_;
  std::map<int64_t, Sparse> tensors_ WEFT_GUARDED_BY(mutex_);
  int64_t next_ WEFT_GUARDED_BY(mutex_) = 0;
};

Result<std::shared_ptr<SparseMap>> mapOf(KernelContext& c) {
  const ObjectKey key = objectKey(c.node(), ObjectNaming::AfterNode);
  return c.session().lookupOrCreate<SparseMap>(key.container, key.name,
                                               [&]() -> Result<std::shared_ptr<SparseMap>> { return std::make_shared<SparseMap>(key.name); });
}

Status checkSparse(const Tensor& indices, const Tensor& values, const Tensor& shape) {
  if (indices.rank() != 2) return invalidArgument("Input indices should be a matrix but received shape ", indices.shape().toString());
  if (values.rank() != 1) return invalidArgument("Input values should be a vector but received shape ", values.shape().toString());
  if (shape.rank() != 1) return invalidArgument("Input shape should be a vector but received shape ", shape.shape().toString());
  if (values.dim(0) != indices.dim(0))
    return invalidArgument("Number of values must match first dimension of indices. Got ", values.dim(0),
                           " values, indices shape: ", indices.shape().toString());
  if (shape.dim(0) != indices.dim(1))
    return invalidArgument("Number of dimensions must match second dimension of indices. Got ", shape.dim(0),
                           " dimensions, indices shape: ", indices.shape().toString());
  return {};
}

std::vector<int64_t> numbers(const Tensor& t) {
  std::vector<int64_t> out;
  for (int64_t i = 0; i < t.elements(); ++i) out.push_back(t.asInt(i));
  return out;
}

Status add(KernelContext& c) {
  const Tensor &indices = c.input(0), &values = c.input(1), &shape = c.input(2);
  WEFT_TRY(checkSparse(indices, values, shape));
  WEFT_LET(auto map, mapOf(c));
  Sparse sparse;
  WEFT_LET(sparse.indices, indices.clone());
  WEFT_LET(sparse.values, values.clone());
  sparse.shape = numbers(shape);
  c.setOutput(0, Tensor::scalar(map->add(std::move(sparse))));
  return {};
}

/// Adds one sparse tensor for each position of the first dimension.
Status addMany(KernelContext& c) {
  const Tensor &indices = c.input(0), &values = c.input(1), &shape = c.input(2);
  WEFT_TRY(checkSparse(indices, values, shape));
  const int64_t rank = shape.elements();
  if (rank <= 1) return invalidArgument("Rank of input SparseTensor should be > 1, but saw rank: ", rank);
  const int64_t n = shape.asInt(0);
  if (n < 0 || n > (int64_t(1) << 40)) return invalidArgument("The first dimension of a batch cannot be ", n);
  WEFT_LET(Tensor * handles, c.allocate(0, {n}));
  WEFT_TRY(reserveScratch(n, sizeof(std::vector<int64_t>) + sizeof(int64_t) + sizeof(Sparse)));
  std::vector<std::vector<int64_t>> rows(static_cast<size_t>(n));
  int64_t last = 0;
  for (int64_t i = 0; i < indices.dim(0); ++i) {
    const int64_t b = indices.asInt(i * rank);
    if (b < 0 || b >= n) return invalidArgument("Received unexpected column 0 value in input SparseTensor: ", b, " < 0 or >= N (= ", n, ")");
    if (b < last) return invalidArgument("Indices of a batch must ascend in their first column, but ", b, " follows ", last);
    last = b;
    rows[size_t(b)].push_back(i);
  }
  WEFT_LET(auto map, mapOf(c));
  std::vector<int64_t> inner = numbers(shape);
  inner.erase(inner.begin());
  // Empty ones come last, in order of their numbers.
  std::vector<int64_t> order;
  for (const bool empty : {false, true}) {
    for (int64_t b = 0; b < n; ++b) {
      if (rows[size_t(b)].empty() == empty) order.push_back(b);
    }
  }
  for (const int64_t b : order) {
    const auto& mine = rows[size_t(b)];
    Sparse sparse;
    sparse.shape = inner;
    WEFT_LET(sparse.indices, Tensor::allocate(DType::Int64, Shape{int64_t(mine.size()), rank - 1}));
    WEFT_LET(sparse.values, Tensor::allocate(values.dtype(), Shape{int64_t(mine.size())}));
    for (size_t k = 0; k < mine.size(); ++k) {
      copyElements(sparse.indices, int64_t(k) * (rank - 1), indices, mine[k] * rank + 1, rank - 1);
      copyElements(sparse.values, int64_t(k), values, mine[k], 1);
    }
    handles->mutableData<int64_t>()[b] = map->add(std::move(sparse));
  }
  return {};
}

Status takeMany(KernelContext& c) {
  const Tensor& handles = c.input(0);
  if (handles.rank() != 1) return invalidArgument("sparse_handles should be a vector but received shape ", handles.shape().toString());
  if (handles.elements() == 0) return invalidArgument("Must have at least 1 serialized SparseTensor, but input matrix has 0 rows");
  const DType dtype = c.node().attrs.type("dtype");
  WEFT_LET(auto map, mapOf(c));
  WEFT_LET(const std::vector<Sparse> taken, map->take(handles));
  const size_t rank = taken[0].shape.size();
  std::vector<int64_t> shape{int64_t(taken.size())};
  shape.insert(shape.end(), rank, 0);
  int64_t count = 0;
  for (size_t i = 0; i < taken.size(); ++i) {
    const Sparse& s = taken[i];
    if (s.values.dtype() != dtype)
      return invalidArgument("Requested SparseTensor of type ", dtypeShortName(dtype), " but SparseTensor[", i,
                             "].values.dtype() == ", dtypeShortName(s.values.dtype()));
    if (s.shape.size() != rank)
      return invalidArgument("Inconsistent rank across SparseTensors: rank prior to SparseTensor[", i, "] was: ", rank, " but rank of SparseTensor[", i,
                             "] is: ", s.shape.size());
    for (size_t d = 0; d < rank; ++d) shape[d + 1] = std::max(shape[d + 1], s.shape[d]);
    count += s.values.elements();
  }
  WEFT_LET(Tensor * indices, c.allocate(0, {count, int64_t(rank) + 1}));
  WEFT_LET(Tensor * values, c.allocate(1, {count}));
  int64_t at = 0;
  for (size_t i = 0; i < taken.size(); ++i) {
    const Sparse& s = taken[i];
    for (int64_t k = 0; k < s.values.elements(); ++k) {
      indices->mutableData<int64_t>()[(at + k) * int64_t(rank + 1)] = int64_t(i);
      copyElements(*indices, (at + k) * int64_t(rank + 1) + 1, s.indices, k * int64_t(rank), int64_t(rank));
    }
    copyElements(*values, at, s.values, 0, s.values.elements());
    at += s.values.elements();
  }
  c.setOutput(2, Tensor::vector(shape));
  return {};
}

Status addShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 2));
  WEFT_TRY(c.requireRank(c.input(1), 1));
  WEFT_TRY(c.requireRank(c.input(2), 1));
  c.setOutput(0, c.node().op == "AddSparseToTensorsMap" ? Shape() : Shape::unknownOfRank(1));
  return {};
}

Status takeShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 1));
  c.setOutput(0, Shape::unknownOfRank(2));
  c.setOutput(1, Shape::unknownOfRank(1));
  c.setOutput(2, Shape::unknownOfRank(1));
  return {};
}

constexpr const char* kNoGradient = "Tensors in the map come from other runs; no gradient flows through it.";

OpRecord& addOp(OpRegistry& ops, const char* name, const char* summary) {
  return withSharedName(ops.add(name).category("Sparse").summary(summary))
      .input("sparse_indices: int64", "Indices of the values; a matrix.")
      .input("sparse_values: T", "The values; a vector.")
      .input("sparse_shape: int64", "Dense shape; a vector.")
      .attr("T: type")
      .shape(addShape)
      .noGradient(kNoGradient);
}

}  // namespace

void registerSparseMaps(OpRegistry& ops) {
  addOp(ops, "AddSparseToTensorsMap", "Adds a sparse tensor to a SparseTensorsMap and returns its handle.")
      .output("sparse_handle: int64", "Handle of the tensor; a scalar.")
      .cpu({}, simpleKernel(add));
  addOp(ops, "AddManySparseToTensorsMap", "Adds each row of a batch of sparse tensors to a SparseTensorsMap and returns their handles.")
      .output("sparse_handles: int64", "Handles of the tensors; a vector.")
      .cpu({}, simpleKernel(addMany));
  withSharedName(
      ops.add("TakeManySparseFromTensorsMap").category("Sparse").summary("Takes sparse tensors out of a SparseTensorsMap and stacks them into a batch."))
      .input("sparse_handles: int64", "Handles of the tensors; a vector.")
      .output("sparse_indices: int64", "Indices of the values; the first column is the position in the batch.")
      .output("sparse_values: dtype", "The values.")
      .output("sparse_shape: int64", "Dense shape of the batch; each dimension has the largest tensor's size.")
      .attr("dtype: type")
      .shape(takeShape)
      .noGradient(kNoGradient)
      .cpu({}, simpleKernel(takeMany));
  state(ops, OpRole::Compute, Effect::Object, "AddManySparseToTensorsMap AddSparseToTensorsMap TakeManySparseFromTensorsMap");
}

}  // namespace weft
