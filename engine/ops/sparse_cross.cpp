#include <farmhash.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "ops/registry.h"

// Feature crosses: all combinations of the features of several columns in a row, as strings or hashes.
namespace weft {
namespace {

uint64_t mixed(uint64_t x) { return x ^ (x >> 47); }

/// Combines two fingerprints as TensorFlow does, so that models keep their buckets.
uint64_t joinedFingerprint(uint64_t a, uint64_t b) {
  constexpr uint64_t m = 0xc6a4a7935bd1e995u;
  uint64_t h = a ^ m;
  h ^= mixed(b * m) * m;
  h *= m;
  return mixed(mixed(h) * m);
}

/// The features of one input: those of row r are values[begin[r]] … values[begin[r] + count[r] - 1].
struct Column {
  const Tensor* values = nullptr;
  std::vector<int64_t> begin, count;
  std::string text(int64_t at) const { return values->dtype() == DType::String ? values->data<std::string>()[at] : std::to_string(values->at<int64_t>(at)); }
  uint64_t hash(int64_t at) const {
    if (values->dtype() != DType::String) return uint64_t(values->at<int64_t>(at));
    const std::string& s = values->data<std::string>()[at];
    return util::Fingerprint64(s.data(), s.size());
  }
};

struct Inputs {
  int sparse = 0, sparseValues = 0, dense = 0;  ///< Number of inputs of each kind.
  const Tensor& indices(KernelContext& c, int i) const { return c.input(i); }
  const Tensor& values(KernelContext& c, int i) const { return c.input(sparse + i); }
  const Tensor& shape(KernelContext& c, int i) const { return c.input(sparse + sparseValues + i); }
  const Tensor& denseInput(KernelContext& c, int i) const { return c.input(2 * sparse + sparseValues + i); }
};

Result<int64_t> batchSize(KernelContext& c, const Inputs& in) {
  for (int i = 0; i < in.sparse; ++i) {
    const Tensor& t = in.indices(c, i);
    if (t.rank() != 2) return invalidArgument("Input indices should be a matrix but received shape ", t.shape().toString(), " at position ", i);
    if (t.dim(1) != 2) return invalidArgument("Expected D2 of index to be 2 got ", t.dim(1), " at position ", i);
  }
  if (in.sparseValues != in.sparse) return invalidArgument("Expected ", in.sparse, " input values, got ", in.sparseValues);
  for (int i = 0; i < in.sparse; ++i) {
    const Tensor& t = in.values(c, i);
    if (t.rank() != 1) return invalidArgument("Input values should be a vector but received shape ", t.shape().toString(), " at position ", i);
    if (t.elements() != in.indices(c, i).dim(0))
      return invalidArgument("Expected size of values to be ", in.indices(c, i).dim(0), " got ", t.elements(), " at position ", i);
  }
  int64_t rows = -1;
  for (int i = 0; i < in.sparse; ++i) {
    const Tensor& t = in.shape(c, i);
    if (t.rank() != 1) return invalidArgument("Input shapes should be a vector but received shape ", t.shape().toString(), " at position ", i);
    if (t.elements() != 2) return invalidArgument("shape should imply a 2D tensor, but got ", t.shape().toString(), " at position ", i);
    if (rows < 0) rows = t.at<int64_t>(0);
    if (t.at<int64_t>(0) != rows) return invalidArgument("Expected batch size ", rows, " got ", t.at<int64_t>(0), " at position ", i);
    if (rows < 0) return invalidArgument("The batch size cannot be negative, but is ", rows, " at position ", i);
  }
  for (int i = 0; i < in.dense; ++i) {
    const Tensor& t = in.denseInput(c, i);
    if (t.rank() != 2) return invalidArgument("Dense inputs should be a matrix but received shape ", t.shape().toString(), " at position ", i);
    if (rows < 0) rows = t.dim(0);
    if (t.dim(0) != rows) return invalidArgument("Expected batch size ", rows, " got ", t.dim(0), " at dense tensor ", i);
  }
  if (rows > (int64_t(1) << 32)) return resourceExhausted("A batch of ", rows, " rows is too large");
  return std::max<int64_t>(rows, 0);
}

Column sparseColumn(const Tensor& indices, const Tensor& values, int64_t rows) {
  Column column;
  column.values = &values;
  int64_t at = 0;
  for (int64_t r = 0; r < rows; ++r) {
    column.begin.push_back(at);
    while (at < values.elements() && indices.at<int64_t>(2 * at) == r) ++at;
    column.count.push_back(at - column.begin.back());
  }
  return column;
}

Column denseColumn(const Tensor& values, int64_t rows) {
  Column column;
  column.values = &values;
  for (int64_t r = 0; r < rows; ++r) {
    column.begin.push_back(r * values.dim(1));
    column.count.push_back(values.dim(1));
  }
  return column;
}

/// Calls f(index of one feature per column) for all combinations in row r; the last column's features change fastest.
template <typename F>
void eachCross(const std::vector<Column>& columns, int64_t r, F&& f) {
  std::vector<int64_t> at(columns.size(), 0);
  for (;;) {
    f(at);
    size_t d = columns.size();
    while (d > 0 && ++at[d - 1] == columns[d - 1].count[size_t(r)]) at[--d] = 0;
    if (d == 0) return;
  }
}

Result<std::unique_ptr<Kernel>> makeCross(KernelInit& init) {
  Inputs in;
  in.sparse = int(init.attrs().integer("N"));
  in.sparseValues = int(init.attrs().list<DType>("sparse_types").size());
  in.dense = int(init.attrs().list<DType>("dense_types").size());
  const bool text = init.attrs().type("out_type") == DType::String;
  const int64_t buckets = init.attrs().integer("num_buckets");
  const auto key = uint64_t(init.attrs().integer("hash_key"));
  return functionKernel([in, text, buckets, key](KernelContext& c) -> Status {
    WEFT_LET(const int64_t rows, batchSize(c, in));
    std::vector<Column> columns;
    for (int i = 0; i < in.sparse; ++i) columns.push_back(sparseColumn(in.indices(c, i), in.values(c, i), rows));
    for (int i = 0; i < in.dense; ++i) columns.push_back(denseColumn(in.denseInput(c, i), rows));
    std::vector<int64_t> crosses(static_cast<size_t>(rows), columns.empty() ? 0 : 1);
    int64_t total = 0, most = 0;
    for (size_t r = 0; r < crosses.size(); ++r) {
      bool none = false;
      for (const Column& column : columns) none = none || column.count[r] == 0;
      if (none) crosses[r] = 0;
      for (const Column& column : columns) {
        if (__builtin_mul_overflow(crosses[r], column.count[r], &crosses[r])) return invalidArgument("Row ", int64_t(r), " has more than 2^63 crosses");
      }
      if (__builtin_add_overflow(total, crosses[r], &total)) return invalidArgument("There are more than 2^63 crosses");
      most = std::max(most, crosses[r]);
    }
    WEFT_LET(Tensor* indices, c.allocate(0, Shape{total, 2}));
    WEFT_LET(Tensor* values, c.allocate(1, Shape{total}));
    int64_t k = 0;
    for (int64_t r = 0; r < rows; ++r) {
      if (crosses[size_t(r)] == 0) continue;
      int64_t number = 0;
      eachCross(columns, r, [&](const std::vector<int64_t>& at) {
        indices->mutableData<int64_t>()[2 * k] = r;
        indices->mutableData<int64_t>()[2 * k + 1] = number++;
        std::string joined;
        uint64_t hash = key;
        for (size_t i = 0; i < columns.size(); ++i) {
          const int64_t place = columns[i].begin[size_t(r)] + at[i];
          if (text) joined += (i ? "_X_" : "") + columns[i].text(place);
          else hash = joinedFingerprint(hash, columns[i].hash(place));
        }
        if (text) values->mutableData<std::string>()[k] = std::move(joined);
        else values->mutableData<int64_t>()[k] = int64_t(hash % (buckets > 0 ? uint64_t(buckets) : uint64_t(std::numeric_limits<int64_t>::max())));
        ++k;
      });
    }
    c.setOutput(2, Tensor::vector(std::vector<int64_t>{rows, most}));
    return {};
  });
}

}  // namespace

void registerSparseCross(OpRegistry& ops) {
  const std::vector<DType> both = {DType::Int64, DType::String};
  ops.add("SparseCross")
      .category("Sparse")
      .summary("Feature crosses: all combinations of the features that several columns have in a row.")
      .description(
          "Sparse columns come first, then dense ones. String crosses join the features by \"_X_\"; integer crosses combine their fingerprints, starting "
          "with hash_key.")
      .keywords("feature cross column hash")
      .input("indices: N * int64", "[n, 2] each: row and position of each feature of a sparse column, in row-major order.")
      .input("values: list(sparse_types)", "[n] each: the features.")
      .input("shapes: N * int64", "[2] each: number of rows and maximum number of features per row.")
      .input("dense_inputs: list(dense_types)", "[rows, features] each: dense columns.")
      .output("output_indices: int64", "[crosses, 2]: row and index of each cross.")
      .output("output_values: out_type", "The crosses.")
      .output("output_shape: int64", "[2]: number of rows and maximum number of crosses per row.")
      .attr("N: int >= 0", "Number of sparse columns.")
      .attr("hashed_output: bool", "Whether crosses are hashed to integers; ignored, out_type decides.")
      .attr("num_buckets: int >= 0", "Hashes are taken modulo this; 0: modulo the largest int64.")
      .attr("hash_key: int", "Initial value of the hash.")
      .attr("sparse_types: list({int64, string}) >= 0", "Types of the sparse columns.")
      .attr("dense_types: list({int64, string}) >= 0", "Types of the dense columns.")
      .attr("out_type: {int64, string}", "Type of the crosses.")
      .attr("internal_type: {int64, string}", "Type used for computation in TensorFlow; ignored, it does not affect the result.")
      .shape([](ShapeContext& c) -> Status {
        c.setOutput(0, Shape{Shape::kUnknownDim, 2});
        c.setOutput(1, Shape::unknownOfRank(1));
        c.setOutput(2, Shape{2});
        return {};
      })
      .noGradient("Features are not differentiable.")
      .cpu({{"out_type", both}, {"internal_type", both}}, makeCross)
      .gradientIsError = true;
}

}  // namespace weft
