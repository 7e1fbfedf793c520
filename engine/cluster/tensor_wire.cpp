#include "cluster/tensor_wire.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/wire_format_lite.h>

#include <cstring>

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

constexpr size_t kAlignment = 64;  // of tensors
constexpr size_t kInPlace = 4096;  // from this size on, a received tensor stays in its message

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
Result<bool> readPlainTensor(CodedInputStream& in, const rpc::Bytes::Piece& whole, Tensor* out) {
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
      const char* content = whole.data + in.CurrentPosition();
      if (!in.Skip(int(number))) return internalError("a received tensor is cut off");
      if (number >= kInPlace && whole.owner && reinterpret_cast<uintptr_t>(content) % kAlignment == 0) {
        *out = Tensor::borrow(dtype, shape, const_cast<char*>(content), whole.owner);
      } else {
        WEFT_LET(*out, Tensor::allocate(dtype, shape));
        if (number) std::memcpy(out->mutableRaw(), content, number);
      }
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
Result<Fields> readFields(const rpc::Bytes& bytes, bool asMessage) {
  const rpc::Bytes whole = bytes.pieces().size() > 1 ? rpc::Bytes(bytes.text()) : bytes;  // a received message is one piece
  const rpc::Bytes::Piece piece = whole.pieces().empty() ? rpc::Bytes::Piece() : whole.pieces()[0];
  CodedInputStream in(reinterpret_cast<const uint8_t*>(piece.data), int(piece.size));
  in.SetTotalBytesLimit(INT32_MAX);
  Fields fields;
  const auto bad = [&] { return internalError("could not parse a message of ", bytes.size(), " bytes as RecvTensorResponse"); };
  while (const uint32_t tag = in.ReadTag()) {
    uint64_t number = 0;
    if (tag == lengthTag(kTensor)) {
      uint32_t length = 0;
      if (!in.ReadVarint32(&length) || length > bytes.size()) return bad();
      if (asMessage) {
        if (!in.ReadString(&fields.message, int(length))) return bad();
        continue;
      }
      const auto limit = in.PushLimit(int(length));
      WEFT_LET(const bool plain, readPlainTensor(in, piece, &fields.received.value));
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

Result<rpc::Bytes> encodeReceived(const ReceivedTensor& received) {
  const Tensor& t = received.value;
  if (!t.hasValue()) {  // of a dead tensor, TensorFlow sends an empty float
    ReceivedTensor empty = received;
    empty.value = Tensor::zeros(DType::Float, {0});
    return encodeReceived(empty);
  }
  if (!isPlain(t.dtype())) {
    WEFT_LET(const std::string message, tensorToBytes(t));
    const std::string head = headBytes(received, message.size());
    return rpc::Bytes(head + message);
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
  constexpr size_t kInline = 1024;  // below this, copying costs less than another piece
  if (t.bytes() <= kInline) {
    head.append(static_cast<const char*>(t.raw()), t.bytes());
    return rpc::Bytes(std::move(head));
  }
  rpc::Bytes bytes(std::move(head));
  bytes.append({static_cast<const char*>(t.raw()), t.bytes(), std::make_shared<const Tensor>(t)});
  return bytes;
}

Result<ReceivedTensor> decodeReceived(const rpc::Bytes& bytes) {
  WEFT_LET(Fields fields, readFields(bytes, false));
  if (!fields.slow) return std::move(fields.received);
  WEFT_LET(fields, readFields(bytes, true));
  if (!fields.received.dead || !fields.message.empty()) {
    WEFT_LET(fields.received.value, tensorFromBytes(fields.message));
  }
  return std::move(fields.received);
}

size_t contentOffset(std::string_view beginning) {
  CodedInputStream in(reinterpret_cast<const uint8_t*>(beginning.data()), int(beginning.size()));
  bool inTensor = false;
  while (const uint32_t tag = in.ReadTag()) {
    uint32_t length = 0;
    if (!inTensor && tag == lengthTag(kTensor)) {
      inTensor = in.ReadVarint32(&length);
      if (!inTensor) return 0;
    } else if (inTensor && tag == lengthTag(kContent)) {
      return in.ReadVarint32(&length) ? size_t(in.CurrentPosition()) : 0;
    } else if (!WireFormatLite::SkipField(&in, tag)) {
      return 0;
    }
  }
  return 0;
}

}  // namespace weft::cluster
