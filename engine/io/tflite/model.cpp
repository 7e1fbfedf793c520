#include "io/tflite/model.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "weft/tflite.h"

namespace weft::tflite {
namespace {

constexpr size_t kAlignment = 16;  // of the largest thing in a FlatBuffer that is read in place

struct TypePair {
  tfl::TensorType type;
  DType dtype;
};
constexpr TypePair kTypes[] = {
    {tfl::TensorType::FLOAT32, DType::Float},     {tfl::TensorType::FLOAT16, DType::Half},   {tfl::TensorType::INT32, DType::Int32},
    {tfl::TensorType::UINT8, DType::UInt8},       {tfl::TensorType::INT64, DType::Int64},    {tfl::TensorType::STRING, DType::String},
    {tfl::TensorType::BOOL, DType::Bool},         {tfl::TensorType::INT16, DType::Int16},    {tfl::TensorType::COMPLEX64, DType::Complex64},
    {tfl::TensorType::INT8, DType::Int8},         {tfl::TensorType::FLOAT64, DType::Double}, {tfl::TensorType::COMPLEX128, DType::Complex128},
    {tfl::TensorType::UINT64, DType::UInt64},     {tfl::TensorType::UINT32, DType::UInt32},  {tfl::TensorType::UINT16, DType::UInt16},
    {tfl::TensorType::BFLOAT16, DType::BFloat16},
};

Error invalidFlatModel(std::string_view why) { return invalidArgument("expected a TensorFlow Lite model: ", why).ofKind("invalid_model"); }

std::string nameOf(const tfl::Tensor& tensor) { return tensor.name() ? tensor.name()->str() : std::string(); }

/// The bytes of a tensor's buffer: in the FlatBuffer, or after it in a file of more than 2 GB.
Result<std::string_view> bytesOfBuffer(const ModelFile& file, const tfl::Tensor& tensor) {
  const auto* buffers = file.root->buffers();
  const uint32_t index = tensor.buffer();
  if (index == 0 || !buffers) return std::string_view();
  if (index >= buffers->size())
    return invalidArgument("tensor '", nameOf(tensor), "' lies in buffer ", index, ", but there are ", buffers->size()).ofKind("invalid_model");
  const tfl::Buffer* buffer = buffers->Get(index);
  if (buffer->data() && buffer->data()->size()) return std::string_view(reinterpret_cast<const char*>(buffer->data()->data()), buffer->data()->size());
  if (buffer->offset() <= 1) return std::string_view();
  if (buffer->offset() > file.bytes.size() || buffer->size() > file.bytes.size() - buffer->offset())
    return invalidArgument("buffer ", index, " lies outside the file of ", file.bytes.size(), " bytes").ofKind("invalid_model");
  return file.bytes.substr(buffer->offset(), buffer->size());
}

/// Strings: how many, where each begins (and the last ends), then their characters.
Result<Tensor> stringsOf(std::string_view bytes, const Shape& shape, const std::string& name) {
  const auto number = [&](size_t i) {
    int32_t n;
    std::memcpy(&n, bytes.data() + 4 * i, 4);
    return int64_t(n);
  };
  const int64_t expected = shape.elements();
  const int64_t room = int64_t(bytes.size() / 4);
  if (room < 1 || number(0) != expected || expected < 0 || room < expected + 2)
    return invalidArgument("tensor '", name, "' of shape ", shape.toString(), " needs ", expected, " strings; its buffer has ", room < 1 ? 0 : number(0))
        .ofKind("invalid_model");
  WEFT_LET(Tensor out, Tensor::allocate(DType::String, shape));
  for (int64_t i = 0; i < expected; ++i) {
    const int64_t begin = number(size_t(i) + 1), end = number(size_t(i) + 2);
    if (begin < 0 || end < begin || end > int64_t(bytes.size()))
      return invalidArgument("string ", i, " of tensor '", name, "' lies outside its buffer").ofKind("invalid_model");
    out.mutableData<std::string>()[i] = std::string(bytes.substr(size_t(begin), size_t(end - begin)));
  }
  return out;
}

/// Two 4-bit integers a byte, the lower one first.
Tensor unpackedNibbles(std::string_view bytes, const Shape& shape, bool isSigned) {
  Tensor out = Tensor::zeros(DType::Int8, shape);
  int8_t* to = out.mutableData<int8_t>();
  for (int64_t i = 0; i < out.elements(); ++i) {
    const int nibble = (uint8_t(bytes[size_t(i / 2)]) >> (i % 2 ? 4 : 0)) & 15;
    to[i] = int8_t(isSigned && nibble > 7 ? nibble - 16 : nibble);
  }
  return out;
}

Result<std::shared_ptr<const char[]>> alignedCopy(std::string_view bytes) {
  const size_t room = (bytes.size() + kAlignment - 1) / kAlignment * kAlignment;
  char* memory = static_cast<char*>(std::aligned_alloc(kAlignment, room));
  if (!memory) return resourceExhausted("no memory for ", bytes.size(), " bytes");
  std::memcpy(memory, bytes.data(), bytes.size());
  return std::shared_ptr<const char[]>(memory, [](const char* p) { std::free(const_cast<char*>(p)); });
}

}  // namespace

Result<ModelFile> openModel(std::string_view bytes) {
  if (bytes.size() < 8 || bytes.substr(4, 4) != "TFL3") return invalidFlatModel("'TFL3' is missing at byte 4");
  ModelFile out;
  const char* memory = bytes.data();
  if (reinterpret_cast<uintptr_t>(memory) % kAlignment != 0) {
    WEFT_LET(out.memory, alignedCopy(bytes));
    memory = out.memory.get();
  }
  out.bytes = std::string_view(memory, bytes.size());
  // What lies after 2 GB is reached by buffers' offsets only.
  const size_t verified = std::min(bytes.size(), size_t(FLATBUFFERS_MAX_BUFFER_SIZE) - 1);
  flatbuffers::Verifier::Options options;
  options.max_tables = 10'000'000;
  flatbuffers::Verifier verifier(reinterpret_cast<const uint8_t*>(memory), verified, options);
  if (!tfl::VerifyModelBuffer(verifier)) return invalidFlatModel(concat("some part refers outside the ", bytes.size(), " bytes or is not aligned"));
  out.root = tfl::GetModel(memory);
  return out;
}

Quantization quantizationOf(const tfl::Tensor& tensor) {
  Quantization out;
  const auto* q = tensor.quantization();
  if (!q || !q->scale() || q->scale()->size() == 0 || !(q->scale()->Get(0) > 0)) return out;
  out.scale.assign(q->scale()->begin(), q->scale()->end());
  out.zeroPoint.assign(out.scale.size(), 0);
  if (const auto* zero = q->zero_point()) {
    // The verifier checks the alignment of a list's length, not that of 8-byte elements.
    for (size_t i = 0; i < out.scale.size() && zero->size() > 0; ++i)
      std::memcpy(&out.zeroPoint[i], zero->Data() + 8 * std::min<size_t>(i, zero->size() - 1), 8);
  }
  out.axis = q->quantized_dimension();
  return out;
}

DType dtypeOf(tfl::TensorType type) {
  for (const TypePair& pair : kTypes)
    if (pair.type == type) return pair.dtype;
  return DType::Invalid;
}

Result<tfl::TensorType> typeOf(DType type) {
  for (const TypePair& pair : kTypes)
    if (pair.dtype == type) return pair.type;
  return invalidArgument("TensorFlow Lite has no type ", dtypeName(type));
}

std::optional<IntegerRange> quantizedRange(tfl::TensorType type) {
  switch (type) {
    case tfl::TensorType::UINT8: return IntegerRange{0, 255, 8};
    case tfl::TensorType::INT8: return IntegerRange{-128, 127, 8};
    case tfl::TensorType::INT16: return IntegerRange{-32768, 32767, 16};
    default: return std::nullopt;
  }
}

Op opOf(const tfl::OperatorCode& code) { return Op(std::max(int(uint8_t(code.deprecated_builtin_code())), int(code.builtin_code()))); }

std::string opName(const tfl::OperatorCode& code) {
  const Op op = opOf(code);
  if (op == Op::CUSTOM) return code.custom_code() ? code.custom_code()->str() : std::string("CUSTOM");
  const char* name = op >= Op::MIN && op <= Op::MAX ? tfl::EnumNameBuiltinOperator(op) : "";
  return *name ? std::string(name) : concat("BUILTIN_", int(op));
}

Shape shapeOf(const tfl::Tensor& tensor, bool open) {
  const auto* dims = open && tensor.shape_signature() && tensor.shape_signature()->size() ? tensor.shape_signature() : tensor.shape();
  Shape out;
  if (!dims) return out;
  for (const int32_t d : *dims) out.append(d < 0 ? Shape::kUnknownDim : d);
  return out;
}

bool isConstant(const ModelFile& file, const tfl::Tensor& tensor) {
  if (tensor.is_variable()) return false;
  const auto bytes = bytesOfBuffer(file, tensor);
  return !bytes.ok() || !bytes->empty();
}

Result<Tensor> valueOf(const ModelFile& file, const tfl::Tensor& tensor) {
  const std::string name = nameOf(tensor);
  WEFT_LET(const std::string_view bytes, bytesOfBuffer(file, tensor));
  const Shape shape = shapeOf(tensor, false);
  const int64_t elements = shape.elements();
  if (shape.rank() > 8 || elements < 0)
    return invalidArgument("tensor '", name, "' has the shape ", shape.toString(), "; expected at most 8 known dimensions").ofKind("invalid_model");
  if (tensor.sparsity() && tensor.sparsity()->traversal_order()) return unimplemented("tensor '", name, "' is stored as a sparse tensor");
  if (tensor.type() == tfl::TensorType::STRING) return stringsOf(bytes, shape, name);
  const auto wrongSize = [&](uint64_t expected) {
    return invalidArgument("tensor '", name, "' of shape ", shape.toString(), " needs ", expected, " bytes; its buffer has ", bytes.size())
        .ofKind("invalid_model");
  };
  if (tensor.type() == tfl::TensorType::INT4 || tensor.type() == tfl::TensorType::UINT4) {
    const uint64_t expected = uint64_t(elements) / 2 + uint64_t(elements % 2);
    if (bytes.size() != expected) return wrongSize(expected);
    return unpackedNibbles(bytes, shape, tensor.type() == tfl::TensorType::INT4);
  }
  const DType dtype = dtypeOf(tensor.type());
  if (sizeOf(dtype) == 0) return unimplemented("tensor '", name, "' has the type ", tfl::EnumNameTensorType(tensor.type()), ", which graphs cannot hold");
  if (bytes.size() / sizeOf(dtype) != uint64_t(elements) || bytes.size() % sizeOf(dtype)) return wrongSize(uint64_t(elements) * sizeOf(dtype));
  WEFT_LET(Tensor out, Tensor::allocate(dtype, shape));
  std::memcpy(out.mutableRaw(), bytes.data(), bytes.size());
  return out;
}

Result<Tensor> dequantized(const Tensor& integers, const Quantization& how) {
  const Shape& shape = integers.shape();
  const int64_t slices = int64_t(how.scale.size());
  int64_t inner = 1;
  if (slices > 1) {
    const int axis = shape.rank() == 1 ? 0 : how.axis;  // older converters give a bias its kernel's axis
    if (axis < 0 || axis >= shape.rank() || shape.dim(axis) != slices)
      return invalidArgument("a tensor of shape ", shape.toString(), " has ", slices, " scales for its dimension ", how.axis).ofKind("invalid_model");
    for (int i = axis + 1; i < shape.rank(); ++i) inner *= shape.dim(i);
  }
  WEFT_LET(Tensor out, Tensor::allocate(DType::Float, shape));
  float* to = out.mutableData<float>();
  for (int64_t i = 0; i < out.elements(); ++i) {
    const size_t slice = slices > 1 ? size_t(i / inner % slices) : 0;
    to[i] = float((double(integers.asInt(i)) - double(how.zeroPoint[slice])) * double(how.scale[slice]));
  }
  return out;
}

}  // namespace weft::tflite

namespace weft {

Result<TfliteTensors> readTfliteTensors(std::string_view bytes) {
  WEFT_LET(const tflite::ModelFile file, tflite::openModel(bytes));
  TfliteTensors out;
  const auto* subgraphs = file.root->subgraphs();
  if (!subgraphs || subgraphs->size() == 0) return invalidArgument("the model has no subgraph").ofKind("invalid_model");
  const tfl::SubGraph& sub = *subgraphs->Get(0);
  if (sub.tensors()) {
    for (const tfl::Tensor* t : *sub.tensors()) {
      tflite::Quantization q = tflite::quantizationOf(*t);
      out.tensors.push_back({t->name() ? t->name()->str() : std::string(), tflite::dtypeOf(t->type()), tflite::shapeOf(*t, false).toVector(),
                             std::move(q.scale), std::move(q.zeroPoint), q.axis});
    }
  }
  for (const auto& [from, to] : {std::pair(sub.inputs(), &out.inputs), std::pair(sub.outputs(), &out.outputs)}) {
    if (!from) continue;
    for (const int32_t i : *from) {
      if (i < 0 || i >= int64_t(out.tensors.size()))
        return invalidArgument("an input or output names tensor ", i, ", but there are ", out.tensors.size()).ofKind("invalid_model");
      to->push_back(i);
    }
  }
  return out;
}

Result<Tensor> readTfliteValue(std::string_view bytes, int tensor) {
  WEFT_LET(const tflite::ModelFile file, tflite::openModel(bytes));
  const auto* subgraphs = file.root->subgraphs();
  const auto* tensors = subgraphs && subgraphs->size() ? subgraphs->Get(0)->tensors() : nullptr;
  if (!tensors || tensor < 0 || uint32_t(tensor) >= tensors->size())
    return invalidArgument("there is no tensor ", tensor, "; the model has ", tensors ? tensors->size() : 0);
  const tfl::Tensor& t = *tensors->Get(uint32_t(tensor));
  if (!tflite::isConstant(file, t)) return notFound("tensor ", tensor, " ('", tflite::nameOf(t), "') has no value in the file");
  return tflite::valueOf(file, t);
}

}  // namespace weft
