#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/parallel.h"
#include "ops/registry.h"
#include "weft/checkpoint.h"
#include "weft/file_system.h"

// Transfers weights from one vocabulary to another: the old index of each new word, and rows and columns of a checkpoint's matrix in the new order. Also
// nearest neighbours among centres.
namespace weft {
namespace {

Result<std::vector<std::string>> wordsOf(const std::string& file) {
  WEFT_LET(const std::string all, posixFileSystem().readAll(file));
  std::vector<std::string> words;
  for (size_t at = 0; at < all.size();) {
    const size_t end = std::min(all.find('\n', at), all.size());
    std::string word = all.substr(at, end - at);
    if (!word.empty() && word.back() == '\r') word.pop_back();
    words.push_back(std::move(word));
    at = end + 1;
  }
  return words;
}

Status runRemapping(KernelContext& c) {
  const AttrMap& a = c.node().attrs;
  for (int i = 0; i < 2; ++i)
    if (!c.input(i).shape().isScalar())
      return invalidArgument(i ? "old_vocab_file" : "new_vocab_file", " should be a single string, but got ", c.input(i).shape().toString());
  const std::string newFile = c.input(0).at<std::string>(0), oldFile = c.input(1).at<std::string>(0);
  if (newFile.empty()) return invalidArgument("new vocab filename cannot be empty.");
  if (oldFile.empty()) return invalidArgument("old vocab filename cannot be empty.");
  const int64_t offset = a.integer("new_vocab_offset"), count = a.integer("num_new_vocab"), oldSize = a.integer("old_vocab_size", -1);
  WEFT_LET(const auto fresh, wordsOf(newFile));
  WEFT_LET(const auto old, wordsOf(oldFile));
  if (offset + count > int64_t(fresh.size())) {
    return invalidArgument("lookup table size must be larger than last new vocab entry's line: new vocabulary file ", newFile, " has ", fresh.size(),
                           " lines, lines ", offset, " to ", offset + count, " are asked for");
  }
  std::unordered_map<std::string, int64_t> numbers;
  for (size_t i = 0; i < old.size() && (oldSize < 0 || int64_t(i) < oldSize); ++i) {
    const auto [it, first] = numbers.emplace(old[i], int64_t(i));
    if (!first) return failedPrecondition("HashTable has different value for same key. Key ", old[i], " has ", it->second, " and trying to add value ", i);
  }
  WEFT_LET(Tensor * out, c.allocate(0, {count}));
  int32_t present = 0;
  for (int64_t i = 0; i < count; ++i) {
    const auto it = numbers.find(fresh[size_t(offset + i)]);
    out->mutableData<int64_t>()[i] = it == numbers.end() ? -1 : it->second;
    present += it != numbers.end();
  }
  c.setOutput(1, Tensor::scalar(present));
  return {};
}

Status remappingShape(ShapeContext& c) {
  for (int i = 0; i < 2; ++i) WEFT_TRY(c.requireRank(c.input(i), 0));
  c.setOutput(0, {c.attrs().integer("num_new_vocab")});
  c.setOutput(1, Shape());
  return {};
}

/// The remapping gives the old index for each new row (column), or -1.
Status checkRemapping(const Tensor& remapping, int64_t oldCount, const char* what) {
  std::vector<bool> seen(static_cast<size_t>(std::max<int64_t>(0, oldCount)));
  for (int64_t i = 0; i < remapping.elements(); ++i) {
    const int64_t from = remapping.at<int64_t>(i);
    if (from < 0) continue;
    if (from >= oldCount) return invalidArgument("Maximum index in ", what, "_remapping should be < ", oldCount, " but was ", from);
    if (seen[size_t(from)]) return unimplemented("Old ", what, " index ", from, " is asked for twice: the remapping must be one to one");
    seen[size_t(from)] = true;
  }
  return {};
}

Status runLoad(KernelContext& c) {
  const AttrMap& a = c.node().attrs;
  const int64_t rows = a.integer("num_rows"), columns = a.integer("num_cols");
  const Tensor &rowMap = c.input(2), &columnMap = c.input(3), &fill = c.input(4);
  for (int i = 0; i < 2; ++i)
    if (c.input(i).elements() != 1)
      return invalidArgument(i ? "The `old_tensor_name`" : "The `ckpt_path`", " tensor must have exactly one element, got tensor of shape ",
                             c.input(i).shape().toString());
  if (rowMap.rank() != 1) return invalidArgument("The `row_remapping` must be a vector, got ", rowMap.shape().toString());
  if (columnMap.rank() != 1) return invalidArgument("The `col_remapping` must be a vector, got ", columnMap.shape().toString());
  if (rowMap.elements() != rows) return invalidArgument("Size of row_remapping is ", rowMap.elements(), " instead of being equal to num_rows=", rows);
  const bool remapColumns = columnMap.elements() > 0;
  if (remapColumns && columnMap.elements() != columns)
    return invalidArgument("Provided col_remapping, but its size is ", columnMap.elements(), " instead of being equal to num_cols=", columns);
  WEFT_LET(const auto reader, CheckpointReader::open(c.input(0).at<std::string>(0)));
  WEFT_LET(const Tensor old, reader->read(c.input(1).at<std::string>(0)));
  if (old.dtype() != DType::Float)
    return invalidArgument("Tensor ", c.input(1).at<std::string>(0), " has invalid type ", dtypeShortName(old.dtype()), " instead of expected type float");
  if (old.rank() != 2)
    return invalidArgument("Tensor ", c.input(1).at<std::string>(0), " has shape ", old.shape().toString(), " of invalid rank ", old.rank(),
                           " instead of expected shape of rank 2");
  if (!remapColumns && columns != old.dim(1))
    return invalidArgument("Tensor ", c.input(1).at<std::string>(0), " has shape ", old.shape().toString(), ", where the size of its 2nd dimension is ",
                           old.dim(1), " instead of being equal to num_cols=", columns);
  WEFT_TRY(checkRemapping(rowMap, old.dim(0), "row"));
  if (remapColumns) WEFT_TRY(checkRemapping(columnMap, old.dim(1), "col"));
  WEFT_LET(Tensor * out, c.allocate(0, {rows, columns}));
  int64_t filled = 0;
  float* to = out->mutableData<float>();
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t from = rowMap.at<int64_t>(r);
    for (int64_t k = 0; k < columns; ++k) {
      const int64_t column = remapColumns ? columnMap.at<int64_t>(k) : k;
      if (from >= 0 && column >= 0) {
        to[r * columns + k] = old.at<float>(from * old.dim(1) + column);
      } else {
        if (filled == fill.elements()) return invalidArgument("initializing_values contained ", fill.elements(), " elements, but more missing values remain");
        to[r * columns + k] = fill.at<float>(filled++);
      }
    }
  }
  if (filled != fill.elements())
    return invalidArgument("initializing_values contained ", fill.elements(), " elements, but only ", filled, " elements were used to fill in missing values.");
  return {};
}

Status loadShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(1), 0));
  c.setOutput(0, {c.attrs().integer("num_rows"), c.attrs().integer("num_cols")});
  return {};
}

// ---- NearestNeighbors

Status runNeighbors(KernelContext& c) {
  const Tensor &points = c.input(0), &centers = c.input(1), &k = c.input(2);
  if (points.rank() != 2) return invalidArgument("Input points should be a matrix.");
  if (centers.rank() != 2) return invalidArgument("Input centers should be a matrix.");
  if (!k.shape().isScalar()) return invalidArgument("Input k should be a scalar.");
  const int64_t n = points.dim(0), dim = points.dim(1), m = centers.dim(0), wanted = k.at<int64_t>(0);
  if (dim != centers.dim(1)) return invalidArgument("Expected point_dimensions == center_dimensions: ", dim, " vs. ", centers.dim(1), ".");
  if (m <= 0 && n > 0) return invalidArgument("Number of centers must be > 0.");
  if (wanted < 0) return invalidArgument("Input k should be non-negative: ", wanted);
  const int64_t count = std::min(wanted, m);
  WEFT_LET(Tensor * indices, c.allocate(0, {n, count}));
  WEFT_LET(Tensor * distances, c.allocate(1, {n, count}));
  const float *p = points.data<float>(), *q = centers.data<float>();
  std::vector<float> norms(static_cast<size_t>(m));
  for (int64_t j = 0; j < m; ++j)
    for (int64_t d = 0; d < dim; ++d) norms[size_t(j)] += q[j * dim + d] * q[j * dim + d];
  parallelFor(n, std::max<int64_t>(1, 65536 / std::max<int64_t>(1, m * dim)), [&](int64_t begin, int64_t end) {
    std::vector<std::pair<float, int64_t>> found(static_cast<size_t>(m));
    for (int64_t i = begin; i < end; ++i) {
      float norm = 0;
      for (int64_t d = 0; d < dim; ++d) norm += p[i * dim + d] * p[i * dim + d];
      for (int64_t j = 0; j < m; ++j) {
        float dot = 0;
        for (int64_t d = 0; d < dim; ++d) dot += p[i * dim + d] * q[j * dim + d];
        found[size_t(j)] = {std::max(0.0f, norm + norms[size_t(j)] - 2 * dot), j};
      }
      std::partial_sort(found.begin(), found.begin() + count, found.end());
      for (int64_t j = 0; j < count; ++j) {
        distances->mutableData<float>()[i * count + j] = found[size_t(j)].first;
        indices->mutableData<int64_t>()[i * count + j] = found[size_t(j)].second;
      }
    }
  });
  return {};
}

}  // namespace

void registerVocabularies(OpRegistry& ops) {
  ops.add("GenerateVocabRemapping")
      .category("Files")
      .keywords("warm start vocabulary")
      .summary("Maps the entries of a new vocabulary to their indices in an old one.")
      .input("new_vocab_file: string", "File of the new vocabulary, one entry per line.")
      .input("old_vocab_file: string", "File of the old vocabulary.")
      .output("remapping: int64", "Old index of each new entry, or -1.")
      .output("num_present: int32", "Number of entries found in the old vocabulary.")
      .attr("new_vocab_offset: int >= 0", "First entry of the new vocabulary to look up.")
      .attr("num_new_vocab: int >= 0", "Number of entries to look up.")
      .attr("old_vocab_size: int >= -1 = -1", "Number of old entries to use; -1: all.")
      .shape(remappingShape)
      .noGradient("Vocabularies are not differentiable.")
      .cpu({}, simpleKernel(runRemapping));
  ops.add("LoadAndRemapMatrix")
      .category("Files")
      .keywords("warm start checkpoint")
      .summary("Loads a matrix from a checkpoint and reorders its rows and columns; new rows and columns get given values.")
      .input("ckpt_path: string", "Path of the checkpoint.")
      .input("old_tensor_name: string", "Name of the matrix in the checkpoint.")
      .input("row_remapping: int64", "Old index of each row, or -1 for a new row.")
      .input("col_remapping: int64", "Old index of each column, or -1 for a new column; empty: columns stay as they are.")
      .input("initializing_values: float", "Values of new rows and columns, in row-major order.")
      .output("output_matrix: float", "The remapped matrix.")
      .attr("num_rows: int >= 0", "Number of rows of the result.")
      .attr("num_cols: int >= 1", "Number of columns of the result.")
      .attr("max_rows_in_memory: int = -1", "Ignored; the whole matrix is read at once.")
      .stateful()
      .shape(loadShape)
      .noGradient("A checkpoint's contents do not depend on inputs.")
      .cpu({}, simpleKernel(runLoad));
  ops.add("NearestNeighbors")
      .category("Math")
      .keywords("kmeans clusters centres")
      .summary("The k nearest centres of each point.")
      .input("points: float", "Points, one per row.")
      .input("centers: float", "Centres, one per row.")
      .input("k: int64", "Number of centres to return per point.")
      .output("nearest_center_indices: int64", "Indices of the nearest centres, nearest first.")
      .output("nearest_center_distances: float", "Squared distances to these centres.")
      .shape(shapes::unknown)
      .noGradient("The choice of the nearest centre is not differentiable.")
      .cpu({}, simpleKernel(runNeighbors));
  state(ops, OpRole::Compute, Effect::File, "LoadAndRemapMatrix");
}

}  // namespace weft
