#include "proto/convert.h"

#include <cstring>

#include "proto/graph.pb.h"
#include "proto/variants.h"
#include "tensor/variable.h"
#include "weft/truth_values.h"

namespace weft {
namespace {

using tensorflow::TensorProto;

Error bad(const auto&... parts) { return invalidArgument(parts...).ofKind("invalid_tensor"); }

/// Copies a typed list into `out[0, n)`, repeating its last value.
template <typename T, typename List>
void fill(const List& list, T* out, int64_t n) {
  const int64_t given = std::min<int64_t>(list.size(), n);
  for (int64_t i = 0; i < given; ++i) out[i] = static_cast<T>(list[int(i)]);
  const T last = given > 0 ? out[given - 1] : T{};
  for (int64_t i = given; i < n; ++i) out[i] = last;
}

template <typename Real, typename List>
void fillComplex(const List& list, std::complex<Real>* out, int64_t n) {
  const int64_t given = std::min<int64_t>(list.size() / 2, n);
  for (int64_t i = 0; i < given; ++i) out[i] = {list[int(2 * i)], list[int(2 * i + 1)]};
  const std::complex<Real> last = given > 0 ? out[given - 1] : std::complex<Real>{};
  for (int64_t i = given; i < n; ++i) out[i] = last;
}

/// Layout of strings in tensor_content: the varint lengths of all strings, then their characters.
Status decodeStrings(const std::string& content, int64_t n, std::string* out) {
  size_t at = 0;
  std::vector<uint64_t> lengths;
  lengths.reserve(size_t(n));
  for (int64_t i = 0; i < n; ++i) {
    uint64_t length = 0;
    int shift = 0;
    for (;; shift += 7) {
      if (at >= content.size() || shift > 28) return bad("tensor_content of ", content.size(), " bytes does not hold the lengths of ", n, " strings");
      const auto byte = uint8_t(content[at++]);
      length |= uint64_t(byte & 0x7f) << shift;
      if (!(byte & 0x80)) break;
    }
    lengths.push_back(length);
  }
  for (int64_t i = 0; i < n; ++i) {
    if (lengths[size_t(i)] > content.size() - at) return bad("string ", i, " of tensor_content is longer than what is left of its bytes");
    if (out) out[i].assign(content, at, lengths[size_t(i)]);
    at += lengths[size_t(i)];
  }
  if (at != content.size()) return bad("tensor_content has ", content.size() - at, " bytes after its ", n, " strings");
  return {};
}

bool isResourceOrVariant(DType t) { return t == DType::Resource || t == DType::Variant; }

}  // namespace

Status variantToProto(const VariantValue& value, tensorflow::VariantTensorDataProto* proto) {
  proto->Clear();
  if (!value.object) return {};
  WEFT_LET(EncodedVariant encoded, value.object->encoded());
  proto->set_type_name(std::move(encoded.typeName));
  proto->set_metadata(std::move(encoded.metadata));
  for (const Tensor& t : encoded.tensors) WEFT_TRY(tensorToProto(t, TensorForm::Content, proto->add_tensors()));
  return {};
}

Result<VariantValue> variantFromProto(const tensorflow::VariantTensorDataProto& proto) {
  VariantValue value;
  if (proto.type_name().empty()) return value;
  EncodedVariant encoded{proto.type_name(), proto.metadata(), {}};
  for (const TensorProto& t : proto.tensors()) {
    WEFT_LET(Tensor tensor, tensorFromProto(t));
    encoded.tensors.push_back(std::move(tensor));
  }
  WEFT_LET(value.object, decodedVariant(std::move(encoded)));
  return value;
}

Result<Shape> shapeFromProto(const tensorflow::TensorShapeProto& proto) {
  if (proto.unknown_rank()) {
    if (proto.dim_size() > 0) return bad("a shape of unknown rank must have no dimensions, but it has ", proto.dim_size());
    return Shape::unknown();
  }
  if (proto.dim_size() > Shape::kMaxRank) return bad("rank ", proto.dim_size(), " of a shape is over the limit of ", Shape::kMaxRank);
  Shape shape;
  int64_t product = 1;
  for (int i = 0; i < proto.dim_size(); ++i) {
    const int64_t size = proto.dim(i).size();
    if (size < -1) return bad("dimension ", i, " of a shape has size ", size, ", expected -1 or more");
    if (size > 0 && __builtin_mul_overflow(product, size, &product))
      return bad("the product of a shape's sizes is over 2^63 at dimension ", i, " of size ", size);
    if (size == 0) product = 0;
    shape.append(size);
  }
  return shape;
}

void shapeToProto(const Shape& shape, tensorflow::TensorShapeProto* proto) {
  proto->Clear();
  if (!shape.hasRank()) {
    proto->set_unknown_rank(true);
    return;
  }
  for (const int64_t d : shape.dims()) proto->add_dim()->set_size(d);
}

Result<int64_t> checkTensorProto(const TensorProto& proto) {
  const auto dtype = static_cast<DType>(proto.dtype());
  if (!isKnown(dtype) || isRef(dtype)) return bad("dtype ", proto.dtype(), " of a tensor is none that tensors have");
  WEFT_LET(const Shape shape, shapeFromProto(proto.tensor_shape()));
  if (!shape.isFullyKnown()) return bad("shape ", shape.toString(), " of a tensor is not fully known");
  const int64_t n = shape.elements();
  if (n < 0) return bad("shape ", shape.toString(), " of a tensor has too many elements");
  const size_t content = proto.tensor_content().size();
  if (content == 0) return n;
  if (isResourceOrVariant(dtype)) return bad("a ", dtypeName(dtype), " tensor cannot be given as tensor_content");
  if (dtype == DType::String) {
    if (n > int64_t(content)) return bad("tensor_content of ", content, " bytes does not hold the lengths of ", n, " strings");
    WEFT_TRY(decodeStrings(proto.tensor_content(), n, nullptr));
    return n;
  }
  const size_t width = sizeOf(dtype);
  if (uint64_t(n) > content / width || uint64_t(n) * width != content)
    return bad("tensor_content has ", content, " bytes, expected ", n, " elements of ", width, " bytes for ", dtypeName(dtype), " ", shape.toString());
  return n;
}

Result<Tensor> tensorFromProto(const TensorProto& proto) {
  WEFT_LET(const int64_t n, checkTensorProto(proto));
  const auto dtype = static_cast<DType>(proto.dtype());
  WEFT_LET(const Shape shape, shapeFromProto(proto.tensor_shape()));
  WEFT_LET(Tensor tensor, Tensor::allocate(dtype, shape));
  if (!proto.tensor_content().empty()) {
    if (dtype == DType::String) {
      WEFT_TRY(decodeStrings(proto.tensor_content(), n, tensor.mutableData<std::string>()));
    } else {
      std::memcpy(tensor.mutableRaw(), proto.tensor_content().data(), tensor.bytes());
      makeTruthValues(tensor);
    }
    return tensor;
  }
  void* raw = tensor.mutableRaw();
  switch (dtype) {
    case DType::Float: fill(proto.float_val(), static_cast<float*>(raw), n); break;
    case DType::Double: fill(proto.double_val(), static_cast<double*>(raw), n); break;
    case DType::Int32:
    case DType::QInt32: fill(proto.int_val(), static_cast<int32_t*>(raw), n); break;
    case DType::UInt8:
    case DType::QUInt8:
    case DType::Int8:
    case DType::QInt8: fill(proto.int_val(), static_cast<uint8_t*>(raw), n); break;
    case DType::Int16:
    case DType::UInt16:
    case DType::QInt16:
    case DType::QUInt16: fill(proto.int_val(), static_cast<uint16_t*>(raw), n); break;
    case DType::Half:
    case DType::BFloat16: fill(proto.half_val(), static_cast<uint16_t*>(raw), n); break;
    case DType::String: {
      auto* out = static_cast<std::string*>(raw);
      const int64_t given = std::min<int64_t>(proto.string_val_size(), n);
      for (int64_t i = 0; i < given; ++i) out[i] = proto.string_val(int(i));
      for (int64_t i = given; given > 0 && i < n; ++i) out[i] = out[given - 1];
      break;
    }
    case DType::Complex64: fillComplex(proto.scomplex_val(), static_cast<std::complex<float>*>(raw), n); break;
    case DType::Complex128: fillComplex(proto.dcomplex_val(), static_cast<std::complex<double>*>(raw), n); break;
    case DType::Int64: fill(proto.int64_val(), static_cast<int64_t*>(raw), n); break;
    case DType::UInt32: fill(proto.uint32_val(), static_cast<uint32_t*>(raw), n); break;
    case DType::UInt64: fill(proto.uint64_val(), static_cast<uint64_t*>(raw), n); break;
    case DType::Bool: fill(proto.bool_val(), static_cast<bool*>(raw), n); break;
    case DType::Resource: {
      auto* out = static_cast<ResourceHandle*>(raw);
      for (int64_t i = 0; i < std::min<int64_t>(proto.resource_handle_val_size(), n); ++i) {
        const auto& handle = proto.resource_handle_val(int(i));
        out[i].container = handle.container();
        out[i].name = handle.name();
        out[i].device = handle.device();
        if (handle.dtypes_and_shapes_size() == 1) {
          out[i].dtype = static_cast<DType>(handle.dtypes_and_shapes(0).dtype());
          WEFT_LET(out[i].shape, shapeFromProto(handle.dtypes_and_shapes(0).shape()));
        }
      }
      break;
    }
    case DType::Variant: {
      auto* out = static_cast<VariantValue*>(raw);
      for (int64_t i = 0; i < std::min<int64_t>(proto.variant_val_size(), n); ++i) {
        WEFT_LET(out[i], variantFromProto(proto.variant_val(int(i))));
      }
      break;
    }
    default:
      if (n > 0) return unimplemented("tensors of ", dtypeName(dtype), " cannot be read from a message");
  }
  return tensor;
}

namespace {

bool hasContentInPython(DType t) {
  return t == DType::Float || t == DType::Double || (isInteger(t) && t != DType::UInt16) || t == DType::QInt8 || t == DType::QUInt8 || t == DType::QInt16 ||
         t == DType::QUInt16 || t == DType::QInt32;
}

template <typename T, typename List>
void addAll(const Tensor& tensor, List* list) {
  const int64_t n = tensor.elements();
  const T* values = static_cast<const T*>(tensor.raw());
  list->Reserve(int(n));
  for (int64_t i = 0; i < n; ++i) list->Add(values[i]);
}

}  // namespace

Status tensorToProto(const Tensor& tensor, TensorForm form, TensorProto* proto) {
  proto->Clear();
  const DType dtype = tensor.dtype();
  proto->set_dtype(static_cast<tensorflow::DataType>(dtype));
  shapeToProto(tensor.shape(), proto->mutable_tensor_shape());
  const int64_t n = tensor.elements();
  const bool raw = sizeOf(dtype) > 0 && (form == TensorForm::Content || (form == TensorForm::Python && n > 1 && hasContentInPython(dtype)));
  if (raw) {
    // A message cannot be larger than 2 GB.
    if (tensor.bytes() >= size_t(1) << 31) return invalidArgument("a tensor of ", tensor.bytes(), " bytes is over the 2 GB that a message can hold");
    proto->set_tensor_content(tensor.raw(), tensor.bytes());
    return {};
  }
  switch (dtype) {
    case DType::Float: addAll<float>(tensor, proto->mutable_float_val()); break;
    case DType::Double: addAll<double>(tensor, proto->mutable_double_val()); break;
    case DType::Int32:
    case DType::QInt32: addAll<int32_t>(tensor, proto->mutable_int_val()); break;
    case DType::UInt8:
    case DType::QUInt8: addAll<uint8_t>(tensor, proto->mutable_int_val()); break;
    case DType::Int8:
    case DType::QInt8: addAll<int8_t>(tensor, proto->mutable_int_val()); break;
    case DType::Int16:
    case DType::QInt16: addAll<int16_t>(tensor, proto->mutable_int_val()); break;
    case DType::UInt16:
    case DType::QUInt16: addAll<uint16_t>(tensor, proto->mutable_int_val()); break;
    case DType::Half:
    case DType::BFloat16: addAll<uint16_t>(tensor, proto->mutable_half_val()); break;
    case DType::Int64: addAll<int64_t>(tensor, proto->mutable_int64_val()); break;
    case DType::UInt32: addAll<uint32_t>(tensor, proto->mutable_uint32_val()); break;
    case DType::UInt64: addAll<uint64_t>(tensor, proto->mutable_uint64_val()); break;
    case DType::Bool: addAll<bool>(tensor, proto->mutable_bool_val()); break;
    case DType::Complex64:
      for (const auto c : tensor.flat<std::complex<float>>()) {
        proto->add_scomplex_val(c.real());
        proto->add_scomplex_val(c.imag());
      }
      break;
    case DType::Complex128:
      for (const auto c : tensor.flat<std::complex<double>>()) {
        proto->add_dcomplex_val(c.real());
        proto->add_dcomplex_val(c.imag());
      }
      break;
    case DType::String:
      for (const std::string& s : tensor.flat<std::string>()) proto->add_string_val(s);
      break;
    case DType::Resource:
      for (int64_t i = 0; i < n; ++i) {
        const auto& handle = static_cast<const ResourceHandle*>(tensor.raw())[i];
        auto* out = proto->add_resource_handle_val();
        out->set_device(handle.device);
        out->set_container(handle.container);
        out->set_name(handle.name);
        if (handle.dtype != DType::Invalid) {
          auto* held = out->add_dtypes_and_shapes();
          held->set_dtype(static_cast<tensorflow::DataType>(handle.dtype));
          shapeToProto(handle.shape, held->mutable_shape());
        }
      }
      break;
    case DType::Variant:
      for (int64_t i = 0; i < n; ++i) WEFT_TRY(variantToProto(static_cast<const VariantValue*>(tensor.raw())[i], proto->add_variant_val()));
      break;
    default: return unimplemented("a tensor of ", dtypeName(dtype), " cannot be written into a message");
  }
  return {};
}

}  // namespace weft
