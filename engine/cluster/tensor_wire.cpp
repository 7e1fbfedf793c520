#include "cluster/tensor_wire.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/wire_format_lite.h>
#include <grpcpp/support/proto_buffer_reader.h>
#include <grpcpp/support/slice.h>

#include "proto/tensor_bytes.h"

namespace weft::cluster {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;
using google::protobuf::io::CodedOutputStream;
using google::protobuf::io::StringOutputStream;

// Field numbers of RecvTensorResponse, TensorProto, TensorShapeProto and its Dim.
constexpr int kTensor = 1, kIsDead = 2, kSendStart = 3;
constexpr int kDType = 1, kShape = 2, kVersion = 3, kContent = 4;
constexpr int kDim = 2, kUnknownRank = 3, kSize = 1;

constexpr uint32_t varintTag(int field) { return uint32_t(field) << 3; }
constexpr uint32_t lengthTag(int field) { return uint32_t(field) << 3 | 2; }

bool isPlain(DType t) { return sizeOf(t) > 0; }

std::string shapeBytes(const Shape& shape) {
  std::string out;
  StringOutputStream stream(&out);
  CodedOutputStream coded(&stream);
  for (const int64_t size : shape.dims()) {
    const size_t length = 1 + CodedOutputStream::VarintSize64(uint64_t(size));
    coded.WriteVarint32(lengthTag(kDim));
    coded.WriteVarint32(uint32_t(length));
    coded.WriteVarint32(varintTag(kSize));
    coded.WriteVarint64(uint64_t(size));
  }
  return out;
}

/// A slice over the tensor's memory, which it keeps alive.
grpc::Slice sliceOf(const Tensor& tensor) {
  auto* owner = new Tensor(tensor);
  return grpc::Slice(
      const_cast<void*>(tensor.raw()), tensor.bytes(), [](void* held) { delete static_cast<Tensor*>(held); }, owner);
}

std::string headBytes(const ReceivedTensor& received, size_t tensorLength) {
  std::string head;
  StringOutputStream stream(&head);
  CodedOutputStream coded(&stream);
  if (received.dead) {
    coded.WriteVarint32(varintTag(kIsDead));
    coded.WriteVarint32(1);
  }
  if (received.sentMicros) {
    coded.WriteVarint32(varintTag(kSendStart));
    coded.WriteVarint64(uint64_t(received.sentMicros));
  }
  coded.WriteVarint32(lengthTag(kTensor));
  coded.WriteVarint64(tensorLength);
  return head;
}

Result<Shape> readShape(CodedInputStream& in) {
  std::vector<int64_t> dims;
  while (const uint32_t tag = in.ReadTag()) {
    if (tag == lengthTag(kDim)) {
      uint32_t length = 0;
      if (!in.ReadVarint32(&length)) return internalError("a dimension is cut off");
      const auto limit = in.PushLimit(int(length));
      uint64_t size = 0;
      while (const uint32_t inner = in.ReadTag()) {
        if (inner == varintTag(kSize) ? !in.ReadVarint64(&size) : !WireFormatLite::SkipField(&in, inner)) return internalError("a dimension is cut off");
      }
      in.PopLimit(limit);
      if (int64_t(size) < 0 || dims.size() >= 254) return invalidArgument("a received tensor has dimension ", int64_t(size), " as number ", dims.size());
      dims.push_back(int64_t(size));
    } else if (tag == varintTag(kUnknownRank) || !WireFormatLite::SkipField(&in, tag)) {
      return internalError("a received tensor has no shape");
    }
  }
  return Shape(std::move(dims));
}

/// Reads a TensorProto in the form that its memory can be read straight into a tensor. False for any other form, with nothing decided.
Result<bool> readPlainTensor(CodedInputStream& in, Tensor* out) {
  DType dtype = DType::Invalid;
  Shape shape;
  while (const uint32_t tag = in.ReadTag()) {
    uint32_t number = 0;
    if (tag == varintTag(kDType)) {
      if (!in.ReadVarint32(&number)) return internalError("a received tensor is cut off");
      dtype = DType(number);
      if (number > 23 || !isPlain(dtype)) return false;
    } else if (tag == lengthTag(kShape)) {
      if (!in.ReadVarint32(&number)) return internalError("a received tensor is cut off");
      const auto limit = in.PushLimit(int(number));
      WEFT_LET(shape, readShape(in));
      in.PopLimit(limit);
    } else if (tag == varintTag(kVersion)) {
      if (!in.ReadVarint32(&number)) return internalError("a received tensor is cut off");
    } else if (tag == lengthTag(kContent) && dtype != DType::Invalid && !out->hasValue()) {
      if (!in.ReadVarint32(&number)) return internalError("a received tensor is cut off");
      const int left = in.BytesUntilLimit();
      if (left >= 0 && number > uint32_t(left)) return internalError("a received tensor is cut off");
      if (shape.elements() < 0 || uint64_t(shape.elements()) * sizeOf(dtype) != number) {
        return invalidArgument("a received tensor of type ", dtypeName(dtype), " and shape ", shape.toString(), " has ", number, " bytes");
      }
      WEFT_LET(*out, Tensor::allocate(dtype, shape));
      if (number && !in.ReadRaw(out->mutableRaw(), int(number))) return internalError("a received tensor is cut off");
    } else {
      return false;
    }
  }
  return out->hasValue();
}

struct Fields {
  ReceivedTensor received;
  bool slow = false;  ///< The tensor has another form, and must be read as a message.
  std::string message;
};

/// With `asMessage`: keeps the tensor's bytes instead of reading them.
Result<Fields> readFields(const grpc::ByteBuffer& bytes, bool asMessage) {
  grpc::ByteBuffer copy(bytes);
  grpc::ProtoBufferReader reader(&copy);
  CodedInputStream in(&reader);
  in.SetTotalBytesLimit(INT32_MAX);
  Fields fields;
  const auto bad = [&] { return internalError("could not parse a message of ", bytes.Length(), " bytes as RecvTensorResponse"); };
  while (const uint32_t tag = in.ReadTag()) {
    uint64_t number = 0;
    if (tag == lengthTag(kTensor)) {
      uint32_t length = 0;
      if (!in.ReadVarint32(&length) || length > bytes.Length()) return bad();
      if (asMessage) {
        if (!in.ReadString(&fields.message, int(length))) return bad();
        continue;
      }
      const auto limit = in.PushLimit(int(length));
      WEFT_LET(const bool plain, readPlainTensor(in, &fields.received.value));
      if (!plain) {
        fields.slow = true;
        return fields;
      }
      in.PopLimit(limit);
    } else if (tag == varintTag(kIsDead) || tag == varintTag(kSendStart)) {
      if (!in.ReadVarint64(&number)) return bad();
      if (tag == varintTag(kIsDead)) fields.received.dead = number != 0;
      else fields.received.sentMicros = int64_t(number);
    } else if (!WireFormatLite::SkipField(&in, tag)) {
      return bad();
    }
  }
  if (!in.ConsumedEntireMessage()) return bad();
  return fields;
}

}  // namespace

Result<grpc::ByteBuffer> encodeReceived(const ReceivedTensor& received) {
  const Tensor& t = received.value;
  if (!t.hasValue()) {  // of a dead tensor, TensorFlow sends an empty float
    ReceivedTensor empty = received;
    empty.value = Tensor::zeros(DType::Float, {0});
    return encodeReceived(empty);
  }
  if (!isPlain(t.dtype())) {
    WEFT_LET(const std::string message, tensorToBytes(t));
    const std::string head = headBytes(received, message.size());
    const grpc::Slice slices[] = {grpc::Slice(head), grpc::Slice(message)};
    return grpc::ByteBuffer(slices, 2);
  }
  const std::string shape = shapeBytes(t.shape());
  std::string skeleton;
  {
    StringOutputStream stream(&skeleton);
    CodedOutputStream coded(&stream);
    coded.WriteVarint32(varintTag(kDType));
    coded.WriteVarint32(uint32_t(t.dtype()));
    coded.WriteVarint32(lengthTag(kShape));
    coded.WriteVarint32(uint32_t(shape.size()));
    coded.WriteString(shape);
    coded.WriteVarint32(lengthTag(kContent));
    coded.WriteVarint64(t.bytes());
  }
  if (skeleton.size() + t.bytes() > size_t(INT32_MAX)) {
    return invalidArgument("a tensor of ", t.bytes(), " bytes cannot be sent to another task: a message holds at most ", INT32_MAX);
  }
  std::string head = headBytes(received, skeleton.size() + t.bytes()) + skeleton;
  constexpr size_t kInline = 1024;  // below this, copying costs less than a slice
  if (t.bytes() <= kInline) {
    head.append(static_cast<const char*>(t.raw()), t.bytes());
    const grpc::Slice slice(head);
    return grpc::ByteBuffer(&slice, 1);
  }
  const grpc::Slice slices[] = {grpc::Slice(head), sliceOf(t)};
  return grpc::ByteBuffer(slices, 2);
}

Result<ReceivedTensor> decodeReceived(const grpc::ByteBuffer& bytes) {
  WEFT_LET(Fields fields, readFields(bytes, false));
  if (!fields.slow) return std::move(fields.received);
  WEFT_LET(fields, readFields(bytes, true));
  if (!fields.received.dead || !fields.message.empty()) {
    WEFT_LET(fields.received.value, tensorFromBytes(fields.message));
  }
  return std::move(fields.received);
}

}  // namespace weft::cluster
