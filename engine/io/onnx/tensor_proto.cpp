#include "io/onnx/tensor_proto.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "proto/onnx.pb.h"

// Tensors of ONNX: numbers are little-endian raw bytes or typed lists, in which narrow types share int32_data; large ones may lie in a file beside the model.

namespace weft::onnx_io {
namespace {

constexpr int kExternal = 1;
constexpr int64_t kLargestDim = int64_t(1) << 40;  // of a stated shape: what is larger counts as unknown, so that sizes can be computed with
constexpr struct {
  int onnx;
  DType type;
} kTypes[] = {{kOnnxFloat, DType::Float},      {kOnnxUInt8, DType::UInt8},         {kOnnxInt8, DType::Int8},
              {kOnnxUInt16, DType::UInt16},    {kOnnxInt16, DType::Int16},         {kOnnxInt32, DType::Int32},
              {kOnnxInt64, DType::Int64},      {kOnnxString, DType::String},       {kOnnxBool, DType::Bool},
              {kOnnxHalf, DType::Half},        {kOnnxDouble, DType::Double},       {kOnnxUInt32, DType::UInt32},
              {kOnnxUInt64, DType::UInt64},    {kOnnxComplex64, DType::Complex64}, {kOnnxComplex128, DType::Complex128},
              {kOnnxBFloat16, DType::BFloat16}};
constexpr const char* kOtherTypes[] = {"float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "uint4",
                                       "int4",         "float4e2m1",     "float8e8m0", "uint2",          "int2"};
constexpr int kFirstOther = 17;

std::string quoted(const ::onnx::TensorProto& proto) { return concat("tensor '", proto.name(), "'"); }

template <typename To, typename List>
void copyList(const List& from, Tensor* to) {
  To* out = static_cast<To*>(to->mutableRaw());
  for (int i = 0; i < from.size(); ++i) out[i] = To(from.Get(i));
}

/// Number of values in the typed list of a type; -1: the type has none.
int64_t listed(const ::onnx::TensorProto& p, int type) {
  switch (type) {
    case kOnnxFloat: return p.float_data_size();
    case kOnnxComplex64: return p.float_data_size() / 2;
    case kOnnxDouble: return p.double_data_size();
    case kOnnxComplex128: return p.double_data_size() / 2;
    case kOnnxInt64: return p.int64_data_size();
    case kOnnxUInt32:
    case kOnnxUInt64: return p.uint64_data_size();
    case kOnnxString: return p.string_data_size();
    default: return p.int32_data_size();
  }
}

void copyTyped(const ::onnx::TensorProto& p, int type, Tensor* out) {
  switch (type) {
    case kOnnxFloat: return copyList<float>(p.float_data(), out);
    case kOnnxComplex64: std::copy(p.float_data().begin(), p.float_data().begin() + 2 * out->elements(), static_cast<float*>(out->mutableRaw())); return;
    case kOnnxComplex128: std::copy(p.double_data().begin(), p.double_data().begin() + 2 * out->elements(), static_cast<double*>(out->mutableRaw())); return;
    case kOnnxDouble: return copyList<double>(p.double_data(), out);
    case kOnnxInt64: return copyList<int64_t>(p.int64_data(), out);
    case kOnnxUInt32: return copyList<uint32_t>(p.uint64_data(), out);
    case kOnnxUInt64: return copyList<uint64_t>(p.uint64_data(), out);
    case kOnnxInt32: return copyList<int32_t>(p.int32_data(), out);
    case kOnnxInt16: return copyList<int16_t>(p.int32_data(), out);
    case kOnnxInt8: return copyList<int8_t>(p.int32_data(), out);
    case kOnnxUInt8: return copyList<uint8_t>(p.int32_data(), out);
    case kOnnxBool: return copyList<bool>(p.int32_data(), out);
    default: return copyList<uint16_t>(p.int32_data(), out);  // uint16, and the bits of float16 and bfloat16
  }
}

bool isBelow(const std::string& path, const std::string& folder) {
  return path.size() > folder.size() && path.compare(0, folder.size(), folder) == 0 && (folder.ends_with('/') || path[folder.size()] == '/');
}

/// Whether a part of `location` is a symbolic link that leaves the folder.
bool leadsOutside(FileSystem& files, const std::string& folder, const std::string& location) {
  const std::string own = files.resolved(folder);
  for (size_t at = 0; at < location.size();) {
    at = std::min(location.find('/', at + 1), location.size());
    const std::string part = joinPath(folder, location.substr(0, at)), end = files.target(part);
    if (end != part && !isBelow(end, own)) return true;
  }
  return false;
}

}  // namespace

DType dtypeOfOnnx(int type) {
  for (const auto& t : kTypes)
    if (t.onnx == type) return t.type;
  return DType::Invalid;
}

int onnxTypeOf(DType type) {
  for (const auto& t : kTypes)
    if (t.type == type) return t.onnx;
  return 0;
}

std::string onnxTypeName(int type) {
  if (const DType known = dtypeOfOnnx(type); known != DType::Invalid) return dtypeName(known);
  if (type >= kFirstOther && type - kFirstOther < int(std::size(kOtherTypes))) return kOtherTypes[type - kFirstOther];
  return type == 0 ? "undefined" : concat("unknown_", type);
}

int64_t bytesOfOnnxTensor(const ::onnx::TensorProto& proto) {
  int64_t count = 1;
  for (const int64_t dim : proto.dims())
    if (dim < 0 || __builtin_mul_overflow(count, dim, &count)) return -1;
  const DType type = dtypeOfOnnx(proto.data_type());
  if (type == DType::String) {
    int64_t bytes = 0;
    for (const std::string& s : proto.string_data()) bytes += int64_t(s.size());
    return bytes;
  }
  if (type == DType::Invalid) return proto.has_raw_data() ? int64_t(proto.raw_data().size()) : 0;
  return __builtin_mul_overflow(count, int64_t(sizeOf(type)), &count) ? -1 : count;
}

Result<std::string> TensorReader::external(const ::onnx::TensorProto& proto, size_t wanted) const {
  std::string location;
  int64_t offset = 0, length = int64_t(wanted);
  for (const auto& entry : proto.external_data()) {
    const std::string& text = entry.value();
    if (entry.key() == "location") location = text;
    if (entry.key() != "offset" && entry.key() != "length") continue;
    int64_t& number = entry.key() == "offset" ? offset : length;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc() || end != text.data() + text.size() || number < 0)
      return dataLoss(quoted(proto), ": the ", entry.key(), " of its file is '", text, "'; expected a number").ofKind("malformed");
  }
  if (location.empty()) return dataLoss(quoted(proto), " lies in a file of its own, but none is named").ofKind("malformed");
  bool outside = location[0] == '/' || location.find('\\') != location.npos || location.find('\0') != location.npos;
  for (size_t at = 0; at <= location.size();) {
    const size_t slash = std::min(location.find('/', at), location.size());
    outside = outside || location.compare(at, slash - at, "..") == 0;
    at = slash + 1;
  }
  if (outside) return invalidArgument(quoted(proto), " lies in '", location, "', outside the model's folder").ofKind("outside_folder");
  if (folder.empty()) return notFound(quoted(proto), " lies in the file '", location, "', but the model's folder is not known").ofKind("not_found");
  const std::string path = joinPath(folder, location);
  if (leadsOutside(files, folder, location))
    return invalidArgument(quoted(proto), " lies in '", location, "', a link to a place outside the model's folder").ofKind("outside_folder");
  const auto info = files.stat(path);
  if (!info.ok() || info->isFolder) return notFound(quoted(proto), " lies in the file '", location, "', which is not there").ofKind("missing_file");
  if (uint64_t(length) != wanted)
    return dataLoss(quoted(proto), " takes ", length, " bytes of '", location, "'; expected ", wanted, " for its type and dimensions").ofKind("malformed");
  if (uint64_t(offset) > info->bytes || info->bytes - uint64_t(offset) < wanted)
    return dataLoss(quoted(proto), " ends at byte ", uint64_t(offset) + wanted, " of '", location, "', which has ", info->bytes).ofKind("out_of_range");
  std::string bytes(wanted, '\0');
  WEFT_LET(auto file, files.openForReading(path));
  for (size_t done = 0; done < wanted;) {
    WEFT_LET(const size_t got, file->read(uint64_t(offset) + done, bytes.data() + done, wanted - done));
    if (got == 0) return dataLoss("'", location, "' became shorter while it was read").ofKind("truncated");
    done += got;
  }
  return bytes;
}

Result<Tensor> TensorReader::read(const ::onnx::TensorProto& proto) const {
  const DType type = dtypeOfOnnx(proto.data_type());
  if (type == DType::Invalid)
    return unimplemented(quoted(proto), " is of type ", onnxTypeName(proto.data_type()), ", which TensorFlow's graphs do not have").ofKind("unsupported_type");
  const Shape shape(std::vector<int64_t>(proto.dims().begin(), proto.dims().end()));
  const int64_t bytes = bytesOfOnnxTensor(proto), count = shape.rank() <= Shape::kMaxRank ? shape.elements() : -1;
  for (const int64_t dim : proto.dims())
    if (dim < 0) return dataLoss(quoted(proto), " has the dimension ", dim).ofKind("invalid_tensor");
  if (bytes < 0 || count < 0) return dataLoss(quoted(proto), ": its dimensions ", shape.toString(), " are too large").ofKind("invalid_tensor");
  const bool raw = proto.has_raw_data() && type != DType::String;
  std::string fromFile;
  if (proto.data_location() == kExternal) {
    if (type == DType::String) return dataLoss(quoted(proto), ": strings cannot lie in a file of their own").ofKind("invalid_tensor");
    WEFT_LET(fromFile, external(proto, size_t(bytes)));
  } else if (raw && int64_t(proto.raw_data().size()) != bytes) {
    return dataLoss(quoted(proto), " has ", proto.raw_data().size(), " bytes; expected ", bytes, " for ", shape.toString(), " of ", dtypeName(type))
        .ofKind("invalid_tensor");
  } else if (!raw && listed(proto, proto.data_type()) != count) {
    return dataLoss(quoted(proto), " has ", listed(proto, proto.data_type()), " values; expected ", count, " for ", shape.toString()).ofKind("invalid_tensor");
  }
  WEFT_LET(Tensor out, Tensor::allocate(type, shape));
  if (proto.data_location() == kExternal || raw) {
    const std::string& from = raw && proto.data_location() != kExternal ? proto.raw_data() : fromFile;
    if (bytes > 0) std::memcpy(out.mutableRaw(), from.data(), size_t(bytes));
    // A byte other than 0 and 1 is no bool.
    if (type == DType::Bool)
      for (uint8_t *b = static_cast<uint8_t*>(out.mutableRaw()), *end = b + count; b != end; ++b) *b = *b != 0;
  } else if (type == DType::String) {
    for (int i = 0; i < proto.string_data_size(); ++i) out.mutableData<std::string>()[i] = proto.string_data(i);
  } else {
    copyTyped(proto, proto.data_type(), &out);
  }
  return out;
}

Status tensorToOnnx(const Tensor& tensor, const std::string& name, ::onnx::TensorProto* proto) {
  const int type = onnxTypeOf(tensor.dtype());
  if (type == 0) return unimplemented("ONNX has no tensors of type ", dtypeName(tensor.dtype()));
  proto->set_name(name);
  proto->set_data_type(type);
  for (const int64_t dim : tensor.shape().dims()) proto->add_dims(dim);
  if (tensor.dtype() == DType::String) {
    for (const std::string& s : tensor.flat<std::string>()) proto->add_string_data(s);
  } else {
    proto->set_raw_data(tensor.raw(), tensor.bytes());
  }
  return {};
}

Shape shapeOfOnnx(const ::onnx::TypeProto& type) {
  if (!type.has_tensor_type() || !type.tensor_type().has_shape() || type.tensor_type().shape().dim_size() > Shape::kMaxRank) return Shape::unknown();
  Shape out;
  for (const auto& dim : type.tensor_type().shape().dim())
    out.append(dim.has_dim_value() && dim.dim_value() >= 0 && dim.dim_value() <= kLargestDim ? dim.dim_value() : Shape::kUnknownDim);
  return out;
}

}  // namespace weft::onnx_io
