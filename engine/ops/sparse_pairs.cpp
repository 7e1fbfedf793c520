#include <algorithm>
#include <cmath>

#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "ops/sparse_parts.h"
#include "tensor/element_types.h"

// Entry-wise operations on two sparse tensors of the same shape (sum, maximum, minimum); also splitting a sparse tensor along a dimension.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

std::string spaced(const Tensor& shape) {
  std::string out;
  for (int64_t d = 0; d < shape.elements(); ++d) out += (d ? " " : "") + std::to_string(shape.at<int64_t>(d));
  return out;
}

/// Errors with TensorFlow's wording unless inputs 0 … 5 are two sparse tensors of the same shape.
Status requirePair(KernelContext& c, const char* indicesWords, const char* valuesWords, const char* indicesJoin) {
  const Tensor &ai = c.input(0), &av = c.input(1), &as = c.input(2), &bi = c.input(3), &bv = c.input(4), &bs = c.input(5);
  if (ai.rank() != 2 || bi.rank() != 2)
    return invalidArgument(indicesWords, " should be matrices but received shapes: ", ai.shape().toString(), indicesJoin, bi.shape().toString());
  if (av.rank() != 1 || bv.rank() != 1)
    return invalidArgument(valuesWords, " should be vectors but received shapes: ", av.shape().toString(), " and ", bv.shape().toString());
  if (av.elements() != ai.dim(0) || bv.elements() != bi.dim(0))
    return invalidArgument("Expected ", ai.dim(0), " and ", bi.dim(0), " non-empty input values, got ", av.elements(), " and ", bv.elements());
  if (as.rank() != 1 || bs.rank() != 1)
    return invalidArgument("Input shapes should be a vector but received shapes ", as.shape().toString(), " and ", bs.shape().toString());
  if (as.elements() != bs.elements()) return invalidArgument("Operands do not have the same ranks; got shapes: ", spaced(as), " and ", spaced(bs));
  for (int64_t d = 0; d < as.elements(); ++d) {
    if (as.at<int64_t>(d) != bs.at<int64_t>(d))
      return invalidArgument("Operands' shapes do not match: got ", as.at<int64_t>(d), " and ", bs.at<int64_t>(d), " for dimension ", d);
  }
  if (ai.dim(1) != bi.dim(1)) return invalidArgument("Indices of the operands have ", ai.dim(1), " and ", bi.dim(1), " columns");
  return {};
}

/// -1, 0 or 1: the order of two index vectors (row-major).
int compared(const Tensor& a, int64_t i, const Tensor& b, int64_t j, int64_t rank) {
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t x = a.at<int64_t>(i * rank + d), y = b.at<int64_t>(j * rank + d);
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

/// Merges the entries of both in order: calls f(i, j) with -1 for a tensor without that entry.
template <typename F>
void walkBoth(const Tensor& a, const Tensor& b, F&& f) {
  const int64_t n = a.dim(0), m = b.dim(0), rank = std::min(a.dim(1), b.dim(1));
  int64_t i = 0, j = 0;
  while (i < n || j < m) {
    const int order = i == n ? 1 : j == m ? -1 : compared(a, i, b, j, rank);
    f(order <= 0 ? i : -1, order >= 0 ? j : -1);
    if (order <= 0) ++i;
    if (order >= 0) ++j;
  }
}

struct Pick {
  int64_t a, b;  ///< Entries of the two tensors; -1: none.
};

Status copyIndices(KernelContext& c, const std::vector<Pick>& picks) {
  const Tensor &a = c.input(0), &b = c.input(3);
  const int64_t rank = a.dim(1);
  WEFT_LET(Tensor* out, c.allocate(0, Shape{int64_t(picks.size()), rank}));
  for (size_t k = 0; k < picks.size(); ++k)
    copyElements(*out, int64_t(k) * rank, picks[k].a >= 0 ? a : b, (picks[k].a >= 0 ? picks[k].a : picks[k].b) * rank, rank);
  return {};
}

// SparseAdd.

Status runAdd(KernelContext& c) {
  WEFT_TRY(requirePair(c, "Input indices", "Input values", " and "));
  const Tensor &av = c.input(1), &bv = c.input(4), &threshold = c.input(6);
  if (threshold.rank() != 0) return invalidArgument("The magnitude threshold must be a scalar: got shape ", threshold.shape().toString());
  Status status;
  withNumber(av.dtype(), [&]<typename T>(std::type_identity<T>) {
    status = [&]() -> Status {
      std::vector<Pick> picks;
      std::vector<T> sums;
      const double least = threshold.asDouble(0);
      walkBoth(c.input(0), c.input(3), [&](int64_t i, int64_t j) {
        // The threshold applies to sums only; entries of a single operand are kept.
        T sum = i < 0 ? elementsOf<T>(bv)[j] : elementsOf<T>(av)[i];
        bool large = true;
        if (i >= 0 && j >= 0) {
          if constexpr (std::is_integral_v<T>) {
            sum = T(uint64_t(sum) + uint64_t(elementsOf<T>(bv)[j]));  // wraps around
            const uint64_t magnitude = sum < 0 ? uint64_t(0) - uint64_t(sum) : uint64_t(sum);
            large = threshold.asInt(0) <= 0 || uint64_t(threshold.asInt(0)) <= magnitude;
          } else {
            sum = T(sum + elementsOf<T>(bv)[j]);
            large = least <= double(std::abs(sum));
          }
        }
        if (!large) return;
        picks.push_back({i, j});
        sums.push_back(sum);
      });
      WEFT_TRY(copyIndices(c, picks));
      WEFT_LET(Tensor* out, c.allocate(1, Shape{int64_t(sums.size())}));
      std::copy(sums.begin(), sums.end(), elementsOf<T>(*out));
      c.setOutput(2, c.input(2));
      return {};
    }();
  });
  return status;
}

Status addShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(2), 1));
  c.setOutput(0, Shape{Shape::kUnknownDim, c.input(2).hasRank() ? c.input(2).dim(0) : Shape::kUnknownDim});
  c.setOutput(1, Shape::unknownOfRank(1));
  c.setOutput(2, c.input(2).hasRank() ? c.input(2) : Shape::unknownOfRank(1));
  return {};
}

Grads addGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const int both = b.node("SparseAddGrad", {c.grad(1), c.input(0), c.input(3), c.output(0)});
  const auto shaped = [&](Output grad, Output like) {
    if (b.shape(like).hasRank()) b.setShape(grad, b.shape(like));
    return grad;
  };
  return std::vector{Output{}, shaped({both, 0}, c.input(1)), Output{}, Output{}, shaped({both, 1}, c.input(4)), Output{}, Output{}};
}

// SparseAddGrad: each operand's entry gets the gradient of the sum's entry at the same position.

Status runAddGrad(KernelContext& c) {
  const Tensor &grad = c.input(0), &a = c.input(1), &b = c.input(2), &sum = c.input(3);
  if (a.rank() != 2 || b.rank() != 2 || sum.rank() != 2)
    return invalidArgument("Input indices should be matrices but received shapes: ", a.shape().toString(), " and ", b.shape().toString(), " and ",
                           sum.shape().toString());
  if (grad.rank() != 1) return invalidArgument("Input backprop_val_grad should be a vector but received shape: ", grad.shape().toString());
  if (a.dim(1) != b.dim(1) || b.dim(1) != sum.dim(1))
    return invalidArgument("The densified operands should have the same ndims; for A, B, sum got: ", a.dim(1), b.dim(1), sum.dim(1));
  if (grad.elements() != sum.dim(0))
    return invalidArgument("# elements of backprop_val_grad and # rows of sum_indices should match (#nnz of sum): got ", grad.elements(), " and ", sum.dim(0));
  const int64_t rank = sum.dim(1);
  for (int k = 0; k < 2; ++k) {
    const Tensor& own = k == 0 ? a : b;
    WEFT_LET(Tensor* out, c.allocate(k, Shape{own.dim(0)}));
    withNumber(grad.dtype(), [&]<typename T>(std::type_identity<T>) {
      std::fill_n(elementsOf<T>(*out), out->elements(), T(0));
      for (int64_t i = 0, s = 0; i < own.dim(0) && s < sum.dim(0);) {
        const int order = compared(own, i, sum, s, rank);
        if (order == 0) elementsOf<T>(*out)[i] = elementsOf<T>(grad)[s];
        if (order <= 0) ++i;
        if (order >= 0) ++s;
      }
    });
  }
  return {};
}

Status addGradShape(ShapeContext& c) {
  for (int i = 0; i < 2; ++i) {
    WEFT_TRY(c.requireRank(c.input(1 + i), 2));
    c.setOutput(i, Shape{c.input(1 + i).hasRank() ? c.input(1 + i).dim(0) : Shape::kUnknownDim});
  }
  return {};
}

// SparseSparseMaximum, SparseSparseMinimum: absent entries count as zero.

template <bool largest>
Status runExtreme(KernelContext& c) {
  WEFT_TRY(requirePair(c, "Inputs a_indices and b_indices", "Inputs a_values and b_values", ", "));
  const Tensor &av = c.input(1), &bv = c.input(4);
  Status status;
  withReal(av.dtype(), [&]<typename T>(std::type_identity<T>) {
    status = [&]() -> Status {
      std::vector<Pick> picks;
      walkBoth(c.input(0), c.input(3), [&](int64_t i, int64_t j) { picks.push_back({i, j}); });
      WEFT_TRY(copyIndices(c, picks));
      WEFT_LET(Tensor* out, c.allocate(1, Shape{int64_t(picks.size())}));
      for (size_t k = 0; k < picks.size(); ++k) {
        const T x = picks[k].a < 0 ? T(0) : elementsOf<T>(av)[picks[k].a], y = picks[k].b < 0 ? T(0) : elementsOf<T>(bv)[picks[k].b];
        // If one of the two is NaN, the result is the first operand, as in TensorFlow.
        elementsOf<T>(*out)[k] = largest ? (x < y ? y : x) : (y < x ? y : x);
      }
      return {};
    }();
  });
  return status;
}

Status extremeShape(ShapeContext& c) {
  for (int i : {0, 3}) WEFT_TRY(c.requireRank(c.input(i), 2));
  for (int i : {1, 2, 4, 5}) WEFT_TRY(c.requireRank(c.input(i), 1));
  c.setOutput(0, Shape::unknownOfRank(2));
  c.setOutput(1, Shape::unknownOfRank(1));
  return {};
}

// SparseSplit.

Status runSplit(KernelContext& c) {
  const Tensor &axisInput = c.input(0), &indices = c.input(1), &values = c.input(2), &shape = c.input(3);
  if (axisInput.elements() < 1) return invalidArgument("split_dim must hold one number, but has shape ", axisInput.shape().toString());
  const int64_t named = axisInput.at<int64_t>(0), parts = c.node().attrs.integer("num_split", 1);
  if (indices.rank() != 2) return invalidArgument("Input indices should be a matrix but received shape ", indices.shape().toString());
  if (values.rank() != 1) return invalidArgument("Input values should be a vector but received shape ", indices.shape().toString());
  if (shape.rank() != 1) return invalidArgument("Input shape should be a vector but received shape ", shape.shape().toString());
  const int64_t rank = shape.elements(), count = indices.dim(0);
  if (named >= rank) return invalidArgument("Input split_dim should be between 0 and rank (", rank, "), got ", named);
  if (named < 0) return invalidArgument("num_dim must be in the interval [0, ", rank, ")");
  const int64_t axis = named, size = shape.at<int64_t>(axis);
  if (parts < 1 || parts > size) return invalidArgument("Input num_split should be between 1 and the splitting dimension size (", size, "), got ", parts);
  if (values.elements() != count)
    return invalidArgument("indices and values rows (indexing dimension) must match. (indices = ", count, ", values = ", values.elements(), ")");
  if (indices.dim(1) != rank) return invalidArgument("Order length must be SparseTensor rank.");
  // If `parts` does not divide `size`, each of the first `longer` parts gets one more element.
  const int64_t each = size / parts, longer = size % parts;
  const auto beginOf = [&](int64_t p) { return p * each + std::min(p, longer); };
  const auto partOf = [&](int64_t k) { return k < longer * (each + 1) ? k / (each + 1) : longer + (k - longer * (each + 1)) / each; };
  std::vector<std::vector<int64_t>> entries(static_cast<size_t>(parts));
  for (int64_t i = 0; i < count; ++i) {
    const int64_t k = indices.at<int64_t>(i * rank + axis);
    if (k < 0 || k >= size) return invalidArgument("indices[", i, ", ", axis, "] = ", k, " is out of bounds: need 0 <= index < ", size);
    entries[size_t(partOf(k))].push_back(i);
  }
  for (int64_t p = 0; p < parts; ++p) {
    const auto& mine = entries[size_t(p)];
    const auto n = int64_t(mine.size());
    WEFT_LET(Tensor* outIndices, c.allocate(int(p), Shape{n, rank}));
    WEFT_LET(Tensor* outValues, c.allocate(int(parts + p), Shape{n}));
    for (int64_t k = 0; k < n; ++k) {
      copyElements(*outIndices, k * rank, indices, mine[size_t(k)] * rank, rank);
      outIndices->mutableData<int64_t>()[k * rank + axis] -= beginOf(p);
      copyElements(*outValues, k, values, mine[size_t(k)], 1);
    }
    std::vector<int64_t> size2(shape.data<int64_t>(), shape.data<int64_t>() + rank);
    size2[size_t(axis)] = beginOf(p + 1) - beginOf(p);
    c.setOutput(int(2 * parts + p), Tensor::vector(size2));
  }
  return {};
}

Status splitShape(ShapeContext& c) {
  const Shape& shape = c.input(3);
  const auto parts = int(c.attrs().integer("num_split", 1));
  for (int p = 0; p < parts; ++p) {
    c.setOutput(p, Shape{Shape::kUnknownDim, shape.hasRank() ? shape.elements() : Shape::kUnknownDim});
    c.setOutput(parts + p, Shape::unknownOfRank(1));
    c.setOutput(2 * parts + p, shape);
  }
  return {};
}

OpRecord& withPair(OpRecord& r) {
  return r.input("a_indices: int64", "[N, rank]: indices of the first tensor's values, in row-major order.")
      .input("a_values: T", "[N].")
      .input("a_shape: int64", "[rank].")
      .input("b_indices: int64", "[M, rank]: indices of the second tensor's values, in row-major order.")
      .input("b_values: T", "[M].")
      .input("b_shape: int64", "[rank]: dense shape, the same for both.");
}

}  // namespace

void registerSparsePairs(OpRegistry& ops) {
  const auto add = [&](const char* name, const char* summary) -> OpRecord& { return ops.add(name).category("Sparse").summary(summary); };
  const std::vector<DType> summed = {DType::Float, DType::Double, DType::Int64, DType::Int32, DType::Int16, DType::Int8, DType::Complex64, DType::Complex128};
  withPair(add("SparseAdd", "Sum of two sparse tensors of the same shape; sums of small magnitude are dropped."))
      .input("thresh: Treal", "Minimum magnitude of a sum to keep; entries of only one operand are always kept.")
      .output("sum_indices: int64", "Indices of the sums.")
      .output("sum_values: T", "The sums.")
      .output("sum_shape: int64", "Dense shape of the sum.")
      .attr("T: numbertype", "Type of the values.")
      .attr("Treal: realnumbertype", "Type of the threshold.")
      .shape(addShape)
      .gradient(addGradient)
      .cpu({{"T", summed}}, simpleKernel(runAdd));
  add("SparseAddGrad", "Gradient of SparseAdd.")
      .input("backprop_val_grad: T", "Gradient with respect to the sums.")
      .input("a_indices: int64", "Indices of the first operand's values.")
      .input("b_indices: int64", "Indices of the second operand's values.")
      .input("sum_indices: int64", "Indices of the sums.")
      .output("a_val_grad: T", "Gradient with respect to the first operand's values.")
      .output("b_val_grad: T", "Gradient with respect to the second operand's values.")
      .attr("T: numbertype", "Type of the values.")
      .shape(addGradShape)
      .noGradient("TensorFlow defines no second derivative for it.")
      .cpu({{"T", summed}}, simpleKernel(runAddGrad));
  for (const bool largest : {true, false}) {
    withPair(add(largest ? "SparseSparseMaximum" : "SparseSparseMinimum", largest
                                                                              ? "Element-wise maximum of two sparse tensors; missing entries count as zero."
                                                                              : "Element-wise minimum of two sparse tensors; missing entries count as zero."))
        .output("output_indices: int64", "Indices where either operand has an entry.")
        .output("output_values: T", "The values.")
        .attr(largest ? "T: realnumbertype" : "T: numbertype", "Type of the values.")
        .shape(extremeShape)
        .gradient([](GradContext& c) -> Grads { return unimplemented("Gradient for ", c.node().op, " is currently not implemented yet."); })
        .cpu({{"T", types::kCpuReal}}, simpleKernel(largest ? runExtreme<true> : runExtreme<false>));
  }
  add("SparseSplit", "Splits a sparse tensor into parts along a dimension.")
      .input("split_dim: int64", "Dimension along which to split; a scalar.")
      .input("indices: int64", "[N, rank]: indices of the values.")
      .input("values: T", "[N].")
      .input("shape: int64", "[rank].")
      .output("output_indices: num_split * int64", "Indices within each part.")
      .output("output_values: num_split * T", "The corresponding values.")
      .output("output_shape: num_split * int64", "Dense shape of each part; if the size does not divide evenly, the first parts are one longer.")
      .attr("num_split: int >= 1", "Number of parts.")
      .attr("T: type", "Type of the values.")
      .shape(splitShape)
      .noGradient("TensorFlow defines no gradient for it.")
      .cpu({{"T",
             {DType::Variant, DType::Resource, DType::String, DType::Bool, DType::Complex128, DType::Complex64, DType::Double, DType::Float, DType::BFloat16,
              DType::Half, DType::Int8, DType::UInt8, DType::Int16, DType::UInt16, DType::Int32, DType::Int64}}},
           simpleKernel(runSplit))
      .gradientIsError = true;
}

}  // namespace weft
