#include <algorithm>
#include <array>

#include "device/cpu/dtypes.h"
#include "ops/registry.h"
#include "ops/sparse_parts.h"
#include "proto/convert.h"
#include "proto/graph.pb.h"
#include "tensor/element_types.h"
#include "tensor/variant.h"

// Sparse tensors packed into three strings or variants each (indices, values, shape), so that queues and data sets carry them as one dense tensor.
namespace weft {
namespace {

using Parts = std::array<Tensor, 3>;  // indices, values, shape

struct TensorInVariant final : VariantObject {
  Tensor value;
  static constexpr const char* kTypeName = "tensorflow::Tensor";
  Result<EncodedVariant> encoded() const override { return EncodedVariant{kTypeName, "", {value}}; }
  static Made decode(EncodedVariant from) {
    if (from.tensors.size() != 1) return invalidArgument("A variant that holds a tensor must have one, not ", from.tensors.size());
    auto made = std::make_shared<TensorInVariant>();
    made->value = std::move(from.tensors[0]);
    return std::shared_ptr<const VariantObject>(std::move(made));
  }
};

Status pack(const Tensor& part, Tensor& to, int64_t at) {
  if (to.dtype() == DType::Variant) {
    auto object = std::make_shared<TensorInVariant>();
    object->value = part;
    to.mutableData<VariantValue>()[at].object = std::move(object);
    return {};
  }
  tensorflow::TensorProto proto;
  WEFT_TRY(tensorToProto(part, TensorForm::Content, &proto));
  if (part.dtype() == DType::String) {
    // Packed strings: the lengths of all of them, then their characters.
    std::string lengths, characters;
    for (const std::string& text : part.flat<std::string>()) {
      size_t n = text.size();
      for (; n >= 0x80; n >>= 7) lengths += char(0x80 | (n & 0x7f));
      lengths += char(n);
      characters += text;
    }
    proto.clear_string_val();
    proto.set_tensor_content(lengths + characters);
  }
  to.mutableData<std::string>()[at] = proto.SerializeAsString();
  return {};
}

}  // namespace

Status packIntoVariant(const Tensor& part, Tensor& to, int64_t at) { return pack(part, to, at); }

namespace {

Result<Tensor> unpack(const Tensor& from, int64_t at) {
  if (from.dtype() == DType::Variant) {
    const auto* held = dynamic_cast<const TensorInVariant*>(from.data<VariantValue>()[at].object.get());
    if (!held) return invalidArgument("Cannot unpack DT_VARIANT Tensor, because it does not contain a Tensor.");
    return held->value;
  }
  tensorflow::TensorProto proto;
  if (!proto.ParseFromString(from.data<std::string>()[at])) return invalidArgument("Could not parse serialized proto");
  auto tensor = tensorFromProto(proto);
  if (!tensor.ok() || tensor.value().dtype() == DType::Invalid) return invalidArgument("Could not construct tensor from proto");
  return tensor;
}

Status requireParts(const Tensor& indices, const Tensor& values, const Tensor& shape) {
  if (indices.rank() != 2) return invalidArgument("Input indices should be a matrix but received shape ", indices.shape().toString());
  if (values.rank() != 1) return invalidArgument("Input values should be a vector but received shape ", values.shape().toString());
  if (shape.rank() != 1) return invalidArgument("Input shape should be a vector but received shape ", shape.shape().toString());
  return {};
}

Status runSerialize(KernelContext& c) {
  WEFT_TRY(requireParts(c.input(0), c.input(1), c.input(2)));
  WEFT_LET(Tensor* out, c.allocate(0, Shape{3}));
  for (int i = 0; i < 3; ++i) {
    WEFT_LET(Tensor own, c.input(i).clone());
    WEFT_TRY(pack(own, *out, i));
  }
  return {};
}

/// Serializes each slice along the first dimension into one row: indices, values, shape.
Status runSerializeMany(KernelContext& c) {
  const Tensor &indices = c.input(0), &values = c.input(1), &shape = c.input(2);
  WEFT_TRY(requireParts(indices, values, shape));
  const int64_t rank = shape.elements(), count = indices.dim(0);
  if (rank <= 1) return invalidArgument("Rank of input SparseTensor should be > 1, but saw rank: ", rank);
  if (values.elements() != count)
    return invalidArgument("indices and values rows (indexing dimension) must match. (indices = ", count, ", values = ", values.elements(), ")");
  if (indices.dim(1) != rank) return invalidArgument("Order length must be SparseTensor rank.");
  const Shape dense(std::vector<int64_t>(shape.data<int64_t>(), shape.data<int64_t>() + rank));
  if (dense.elements() < 0) return invalidArgument("The shape ", dense.toString(), " of a sparse tensor is negative or too large");
  WEFT_TRY(checkOrder(indices, count, dense));
  const int64_t rows = dense.dim(0), inner = rank - 1;
  if (rows > (int64_t(1) << 40)) return resourceExhausted("A batch of ", rows, " sparse tensors cannot be serialized");
  WEFT_LET(Tensor* out, c.allocate(0, Shape{rows, 3}));
  std::vector<int64_t> size(dense.dims().begin() + 1, dense.dims().end());
  const Tensor innerShape = Tensor::vector(size);
  int64_t at = 0;
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t begin = at;
    while (at < count && indices.at<int64_t>(at * rank) == r) ++at;
    WEFT_LET(Tensor places, Tensor::allocate(DType::Int64, Shape{at - begin, inner}));
    WEFT_LET(Tensor entries, Tensor::allocate(values.dtype(), Shape{at - begin}));
    for (int64_t k = begin; k < at; ++k) copyElements(places, (k - begin) * inner, indices, k * rank + 1, inner);
    copyElements(entries, 0, values, begin, at - begin);
    WEFT_TRY(pack(places, *out, r * 3));
    WEFT_TRY(pack(entries, *out, r * 3 + 1));
    WEFT_TRY(pack(innerShape, *out, r * 3 + 2));
  }
  return {};
}

Result<Parts> partsOf(const Tensor& packed, int64_t i, DType dtype, int64_t rankBefore) {
  Parts p;
  for (int64_t k = 0; k < 3; ++k) {
    WEFT_LET(p[size_t(k)], unpack(packed, i * 3 + k));
  }
  const auto& [indices, values, shape] = p;
  if (indices.dtype() != DType::Int64)
    return invalidArgument("Expected serialized_sparse[", i, ", 0] to hold int64 indices but it holds ", dtypeShortName(indices.dtype()));
  if (shape.dtype() != DType::Int64)
    return invalidArgument("Expected serialized_sparse[", i, ", 2] to hold an int64 shape but it holds ", dtypeShortName(shape.dtype()));
  if (indices.rank() != 2)
    return invalidArgument("Expected serialized_sparse[", i, ", 0] to represent an index matrix but received shape ", indices.shape().toString());
  if (values.rank() != 1)
    return invalidArgument("Expected serialized_sparse[", i, ", 1] to represent a values vector but received shape ", values.shape().toString());
  if (shape.rank() != 1) return invalidArgument("Expected serialized_sparse[", i, ", 1] to be a shape vector but its shape is ", shape.shape().toString());
  if (values.dtype() != dtype)
    return invalidArgument("Requested SparseTensor of type ", dtypeShortName(dtype), " but SparseTensor[", i,
                           "].values.dtype() == ", dtypeShortName(values.dtype()));
  if (values.elements() != indices.dim(0))
    return invalidArgument("Expected row counts of SparseTensor[", i, "].indices and SparseTensor[", i, "].values to match but they do not: ", indices.dim(0),
                           " vs. ", values.elements());
  const int64_t rank = indices.dim(1);
  if (shape.elements() != rank)
    return invalidArgument("Expected column counts of SparseTensor[", i, "].indices to match size of SparseTensor[", i, "].shape but they do not: ", rank,
                           " vs. ", shape.elements());
  for (int64_t d = 0; d < rank; ++d) {
    if (shape.at<int64_t>(d) < 0) return invalidArgument("SparseTensor[", i, "].shape is negative: ", shape.at<int64_t>(d));
  }
  if (rankBefore >= 0 && rank != rankBefore)
    return invalidArgument("Inconsistent shape across SparseTensors: rank prior to SparseTensor[", i, "] was: ", rankBefore, " but rank of SparseTensor[", i,
                           "] is: ", rank);
  return p;
}

/// Unpacks [dims…, 3] packed tensors into one sparse tensor with these leading dims; its other dims are those of the largest.
Status runDeserialize(KernelContext& c) {
  const Tensor& packed = c.input(0);
  const DType dtype = c.node().attrs.type("dtype");
  if (packed.rank() == 0) return invalidArgument("Serialized sparse should have non-zero rank ", packed.shape().toString());
  const int outer = packed.rank() - 1;
  if (packed.dim(outer) != 3) return invalidArgument("Serialized sparse should have 3 as the last dimension ", packed.shape().toString());
  for (int d = 0; d < outer; ++d) {
    if (packed.dim(d) == 0)
      return invalidArgument("Serialized sparse should have at least 1 serialized tensor, but has a zero dimension ", packed.shape().toString());
  }
  const int64_t n = packed.elements() / 3;
  std::vector<Parts> all;
  int64_t count = 0, rank = -1;
  for (int64_t i = 0; i < n; ++i) {
    WEFT_LET(Parts p, partsOf(packed, i, dtype, rank));
    rank = p[0].dim(1);
    count += p[1].elements();
    all.push_back(std::move(p));
  }
  std::vector<int64_t> shape;
  for (int d = 0; d < outer; ++d) shape.push_back(packed.dim(d));
  for (int64_t d = 0; d < rank; ++d) {
    int64_t most = 0;
    for (const Parts& p : all) most = std::max(most, p[2].at<int64_t>(d));
    shape.push_back(most);
  }
  const int64_t width = outer + rank;
  WEFT_LET(Tensor* indices, c.allocate(0, Shape{count, width}));
  WEFT_LET(Tensor* values, c.allocate(1, Shape{count}));
  int64_t at = 0;
  std::vector<int64_t> place(static_cast<size_t>(outer));
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t d = outer - 1, rest = i; d >= 0; --d) {
      place[size_t(d)] = rest % packed.dim(int(d));
      rest /= packed.dim(int(d));
    }
    const Parts& p = all[size_t(i)];
    for (int64_t k = 0; k < p[1].elements(); ++k) {
      std::copy(place.begin(), place.end(), indices->mutableData<int64_t>() + (at + k) * width);
      copyElements(*indices, (at + k) * width + outer, p[0], k * rank, rank);
    }
    copyElements(*values, at, p[1], 0, p[1].elements());
    at += p[1].elements();
  }
  c.setOutput(2, Tensor::vector(shape));
  return {};
}

Status serializeShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 2));
  WEFT_TRY(c.requireRank(c.input(1), 1));
  WEFT_TRY(c.requireRank(c.input(2), 1));
  if (c.node().op == "SerializeSparse") c.setOutput(0, Shape{3});
  else c.setOutput(0, Shape{Shape::kUnknownDim, 3});
  return {};
}

Status deserializeShape(ShapeContext& c) {
  const Shape& in = c.input(0);
  if (c.node().op == "DeserializeManySparse") WEFT_TRY(c.requireRank(in, 2));
  else WEFT_TRY(c.requireRankAtLeast(in, 1));
  if (in.hasRank()) {
    const int64_t last = in.dim(in.rank() - 1);
    if (last >= 0 && last != 3) return invalidArgument("Dimension must be 3 but is ", last);
  }
  c.setOutput(0, Shape::unknownOfRank(2));
  c.setOutput(1, Shape::unknownOfRank(1));
  c.setOutput(2, Shape::unknownOfRank(1));
  return {};
}

constexpr const char* kNoGradient = "Serialized tensors are not differentiable.";

OpRecord& addPack(OpRegistry& ops, const char* name, const char* summary, const char* result) {
  return ops.add(name)
      .category("Sparse")
      .summary(summary)
      .input("sparse_indices: int64", "[N, rank]: indices of the values.")
      .input("sparse_values: T", "[N].")
      .input("sparse_shape: int64", "[rank].")
      .output("serialized_sparse: out_type", result)
      .attr("T: type", "Type of the values.")
      .attr("out_type: {string, variant} = DT_STRING", "string can be saved; variant holds the tensors in memory.")
      .shape(serializeShape)
      .noGradient(kNoGradient);
}

OpRecord& withSparseOutputs(OpRecord& r) {
  return r.output("sparse_indices: int64", "[N, rank]: indices of the values; the dimensions of the input come first.")
      .output("sparse_values: dtype", "[N].")
      .output("sparse_shape: int64", "[rank]: dense shape; each dimension has the largest tensor's size.")
      .attr("dtype: type", "Type of the values.");
}

}  // namespace

void registerSparseSerialize(OpRegistry& ops) {
  setVariantDecoder(TensorInVariant::kTypeName, &TensorInVariant::decode);
  const std::vector<DType> packable = {DType::Variant, DType::Resource, DType::String,   DType::Bool, DType::Complex128, DType::Complex64,
                                       DType::Double,  DType::Float,    DType::BFloat16, DType::Half, DType::Int8,       DType::UInt8,
                                       DType::Int16,   DType::UInt16,   DType::Int32,    DType::Int64};
  addPack(ops, "SerializeSparse", "Serializes a sparse tensor into three strings or variants.", "[3]: serialized indices, values and dense shape.")
      .cpu({}, simpleKernel(runSerialize));
  addPack(ops, "SerializeManySparse", "Serializes each row of a batch of sparse tensors into three strings or variants.",
          "[rows, 3]: serialized indices, values and dense shape of each row.")
      .cpu({{"T", packable}}, simpleKernel(runSerializeMany));
  withSparseOutputs(ops.add("DeserializeSparse")
                        .category("Sparse")
                        .summary("Deserializes sparse tensors and stacks them into one of higher rank.")
                        .input("serialized_sparse: Tserialized", "[…, 3]: serialized indices, values and dense shape of each tensor."))
      .attr("Tserialized: {string, variant} = DT_STRING")
      .shape(deserializeShape)
      .noGradient(kNoGradient)
      .cpu({}, simpleKernel(runDeserialize));
  withSparseOutputs(ops.add("DeserializeManySparse")
                        .category("Sparse")
                        .summary("Deserializes a batch of sparse tensors and stacks them along a new first dimension.")
                        .input("serialized_sparse: string", "[N, 3]: serialized indices, values and dense shape of each tensor."))
      .shape(deserializeShape)
      .noGradient(kNoGradient)
      .cpu({}, simpleKernel(runDeserialize));
}

}  // namespace weft
