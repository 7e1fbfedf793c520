#include "cluster/messages.h"

#include <google/protobuf/io/coded_stream.h>
#include <grpcpp/support/proto_buffer_reader.h>
#include <grpcpp/support/slice.h>

namespace weft::cluster {

grpc::ByteBuffer bufferOf(std::string bytes) {
  auto* owner = new std::string(std::move(bytes));
  grpc::Slice slice(
      owner->data(), owner->size(), [](void* text) { delete static_cast<std::string*>(text); }, owner);
  return grpc::ByteBuffer(&slice, 1);
}

grpc::ByteBuffer bufferOf(const google::protobuf::MessageLite& message) { return bufferOf(message.SerializeAsString()); }

Status parse(const grpc::ByteBuffer& bytes, const char* what, google::protobuf::MessageLite* message) {
  grpc::ByteBuffer copy(bytes);  // shares the slices; the reader wants a buffer that it may change
  grpc::ProtoBufferReader reader(&copy);
  google::protobuf::io::CodedInputStream input(&reader);
  input.SetTotalBytesLimit(INT32_MAX);
  if (!reader.status().ok() || !message->ParseFromCodedStream(&input) || !input.ConsumedEntireMessage())
    return internalError("could not parse a message of ", bytes.Length(), " bytes as ", what);
  return {};
}

std::string messageOf(const Error& error) {
  if (error.node.empty() || error.message.find("{{node ") != std::string::npos) return error.message;
  return error.message + "\n\t [[{{node " + error.node + "}}]]";
}

Code codeOf(int number) { return number >= 0 && number <= int(Code::Unauthenticated) ? Code(number) : Code::Unknown; }

}  // namespace weft::cluster
