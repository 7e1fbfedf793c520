#include <algorithm>
#include <limits>

#include "device/cpu/dtypes.h"
#include "ops/registry.h"

// EditDistance: the number of insertions, deletions and substitutions (Levenshtein) between two sequences, for batches of sequences.
namespace weft {
namespace {

/// The name of one side of the comparison in messages, and its three inputs.
struct Side {
  const char* name;
  const Tensor &indices, &values, &shape;
};

Status checkSide(const Side& s) {
  if (s.indices.rank() != 2) return invalidArgument(s.name, "_indices should be a matrix, but got shape: ", s.indices.shape().toString());
  if (s.values.rank() != 1) return invalidArgument(s.name, "_values should be a vector, but got shape: ", s.values.shape().toString());
  if (s.shape.rank() != 1) return invalidArgument(s.name, "_shape should be a vector, but got shape: ", s.shape.shape().toString());
  if (s.shape.elements() != s.indices.dim(1)) {
    return invalidArgument("Expected ", s.name, "_shape.NumElements == #cols(", s.name, "_indices), their shapes are: ", s.shape.shape().toString(), " and ",
                           s.indices.shape().toString());
  }
  return {};
}
Status checkRows(const Side& s) {
  if (s.values.dim(0) != s.indices.dim(0)) {
    return invalidArgument("Number of ", s.name, "_values (", s.values.dim(0), ") does not match the number of rows of ", s.name, "_indices (",
                           s.indices.dim(0), ")");
  }
  return {};
}

/// A run of rows that agree in all columns but the last: one sequence.
struct Group {
  int64_t place;  ///< In the output.
  int64_t begin, end;
};
Result<std::vector<Group>> groupsOf(const Side& s, const Shape& out) {
  std::vector<Group> groups;
  const int64_t n = s.indices.dim(0), rank = s.indices.dim(1);
  for (int64_t i = 0; i < n; ++i) {
    const int64_t* row = s.indices.data<int64_t>() + i * rank;
    int64_t place = 0;
    for (int64_t d = 0; d + 1 < rank; ++d) {
      if (row[d] < 0 || row[d] >= out.dim(int(d))) {
        return invalidArgument(s.name, "_indices[", i, "] lies outside of the output, whose shape is ", out.toString());
      }
      place = place * out.dim(int(d)) + row[d];
    }
    if (!groups.empty() && groups.back().place == place) groups.back().end = i + 1;
    else groups.push_back({place, i, i + 1});
    if (groups.size() > 1 && groups.back().begin == i && groups[groups.size() - 2].place > place) {
      return invalidArgument(s.name, "_indices[", i, "] is out of order. Many sparse ops require sorted indices.");
    }
  }
  return groups;
}

/// The Levenshtein distance of a[0, n) and b[0, m), computed row by row.
template <typename T>
int64_t distance(const T* a, int64_t n, const T* b, int64_t m, std::vector<int64_t>& row) {
  row.resize(size_t(m + 1));
  for (int64_t j = 0; j <= m; ++j) row[size_t(j)] = j;
  for (int64_t i = 1; i <= n; ++i) {
    int64_t diagonal = row[0];
    row[0] = i;
    for (int64_t j = 1; j <= m; ++j) {
      const int64_t above = row[size_t(j)], changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[size_t(j)] = std::min({changed, above + 1, row[size_t(j - 1)] + 1});
      diagonal = above;
    }
  }
  return row[size_t(m)];
}

template <typename T>
void compare(const Side& hypothesis, const Side& truth, const std::vector<Group>& h, const std::vector<Group>& t, bool normalize, float* out) {
  const T *hv = static_cast<const T*>(hypothesis.values.raw()), *tv = static_cast<const T*>(truth.values.raw());
  std::vector<int64_t> row;
  size_t i = 0, j = 0;
  while (i < h.size() || j < t.size()) {
    if (j == t.size() || (i < h.size() && h[i].place < t[j].place)) {  // no sequence to compare with
      out[h[i].place] = normalize ? std::numeric_limits<float>::infinity() : float(h[i].end - h[i].begin);
      ++i;
    } else if (i == h.size() || t[j].place < h[i].place) {
      out[t[j].place] = normalize ? 1.f : float(t[j].end - t[j].begin);
      ++j;
    } else {
      const int64_t length = t[j].end - t[j].begin;
      const float d = float(distance(tv + t[j].begin, length, hv + h[i].begin, h[i].end - h[i].begin, row));
      out[h[i].place] = normalize ? d / float(length) : d;
      ++i, ++j;
    }
  }
}

Status runEditDistance(KernelContext& c) {
  const Side hypothesis{"hypothesis", c.input(0), c.input(1), c.input(2)}, truth{"truth", c.input(3), c.input(4), c.input(5)};
  WEFT_TRY(checkSide(hypothesis));
  WEFT_TRY(checkSide(truth));
  const int64_t rank = truth.shape.elements();
  if (rank < 2) return invalidArgument("Input SparseTensors must have rank at least 2, but truth_shape rank is: ", rank);
  if (rank != hypothesis.shape.elements()) {
    return invalidArgument("Expected truth and hypothesis to have matching ranks, but their shapes are: ", truth.shape.shape().toString(), " and ",
                           hypothesis.shape.shape().toString());
  }
  WEFT_TRY(checkRows(hypothesis));
  WEFT_TRY(checkRows(truth));
  Shape shape;
  for (int64_t d = 0; d + 1 < rank; ++d) {
    const int64_t n = std::max(hypothesis.shape.at<int64_t>(d), truth.shape.at<int64_t>(d));
    if (n < 0) return invalidArgument("Dimension ", n, " must be >= 0");
    shape.append(n);
  }
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  std::fill_n(out->mutableData<float>(), out->elements(), 0.f);
  WEFT_LET(const auto h, groupsOf(hypothesis, shape));
  WEFT_LET(const auto t, groupsOf(truth, shape));
  const bool normalize = c.node().attrs.flag("normalize", true);
  float* to = out->mutableData<float>();
  const DType type = hypothesis.values.dtype();
  if (type == DType::String) compare<std::string>(hypothesis, truth, h, t, normalize, to);
  else if (type == DType::Bool) compare<bool>(hypothesis, truth, h, t, normalize, to);
  else cpu::withNumber(type, [&](auto tag) { compare<typename decltype(tag)::type>(hypothesis, truth, h, t, normalize, to); });
  return {};
}

Status editDistanceShape(ShapeContext& c) {
  const auto dim = [](const Shape& s, int d) { return s.hasRank() ? s.dim(d) : Shape::kUnknownDim; };
  for (int side = 0; side < 6; side += 3) {
    const Shape &indices = c.input(side), &values = c.input(side + 1), &shape = c.input(side + 2);
    WEFT_TRY(c.requireRank(indices, 2));
    WEFT_TRY(c.requireRank(values, 1));
    WEFT_TRY(c.requireRank(shape, 1));
    const int64_t rows = dim(indices, 0), count = dim(values, 0), columns = dim(indices, 1), rank = dim(shape, 0);
    if (rows >= 0 && count >= 0 && rows != count) return invalidArgument("Number of elements in index (", rows, ") and values (", count, ") do not match.");
    if (columns >= 0 && rank >= 0 && columns != rank) return invalidArgument("Index rank (", columns, ") and shape rank (", rank, ") do not match.");
  }
  const Tensor *h = c.constant(2), *t = c.constant(5);
  if (!h || !t) return {};
  if (h->elements() != t->elements()) {
    return invalidArgument("Num elements of hypothesis_shape does not match truth_shape: ", h->elements(), " vs. ", t->elements());
  }
  Shape out;
  for (int64_t d = 0; d + 1 < h->elements(); ++d) {
    const int64_t n = std::max(h->at<int64_t>(d), t->at<int64_t>(d));
    if (n < 0) return invalidArgument("Dimension ", n, " must be >= 0");
    out.append(n);
  }
  c.setOutput(0, std::move(out));
  return {};
}

}  // namespace

void registerEditDistance(OpRegistry& ops) {
  ops.add("EditDistance")
      .category("Neural network")
      .keywords("levenshtein word error rate")
      .summary("Levenshtein (edit) distance between pairs of sequences.")
      .description("Both inputs are sparse tensors whose last dimension runs along the sequences; a missing sequence is empty.")
      .input("hypothesis_indices: int64", "Indices of the hypothesis, sorted.")
      .input("hypothesis_values: T", "The values.")
      .input("hypothesis_shape: int64", "Dense shape of the hypothesis.")
      .input("truth_indices: int64", "Indices of the truth, sorted.")
      .input("truth_values: T", "The values.")
      .input("truth_shape: int64", "Dense shape of the hypothesis.")
      .output("output: float", "The distances, in the dense shape without its last dimension.")
      .attr("normalize: bool = true", "Divide the distances by the length of the truth sequence.")
      .attr("T: type", "Type of the elements.")
      .shape(editDistanceShape)
      .noGradient("An edit count is not differentiable.")
      .cpu({{"T",
             {DType::String, DType::Bool, DType::Complex128, DType::Complex64, DType::Double, DType::Float, DType::BFloat16, DType::Half, DType::Int8,
              DType::UInt8, DType::Int16, DType::UInt16, DType::Int32, DType::Int64}}},
           simpleKernel(runEditDistance));
}

}  // namespace weft
