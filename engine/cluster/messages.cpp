#include "cluster/messages.h"

#include "cluster/proto/config.pb.h"

namespace weft::cluster {

rpc::Bytes bufferOf(std::string bytes) { return rpc::Bytes(std::move(bytes)); }

rpc::Bytes bufferOf(const google::protobuf::MessageLite& message) { return bufferOf(message.SerializeAsString()); }

Status parse(const rpc::Bytes& bytes, const char* what, google::protobuf::MessageLite* message) {
  const auto& pieces = bytes.pieces();
  const bool whole = pieces.size() == 1 ? message->ParseFromArray(pieces[0].data, int(pieces[0].size)) : message->ParseFromString(bytes.text());
  if (!whole) return internalError("could not parse a message of ", bytes.size(), " bytes as ", what);
  return {};
}

std::string messageOf(const Error& error) {
  if (error.node.empty() || error.message.find("{{node ") != std::string::npos) return error.message;
  return error.message + "\n\t [[{{node " + error.node + "}}]]";
}

Code codeOf(int number) { return number >= 0 && number <= int(Code::Unauthenticated) ? Code(number) : Code::Unknown; }

ProductPrecision productsOf(const pb::GraphOptions& options) {
  const int toggle = options.rewrite_options().auto_mixed_precision();  // 0: default, 1: on, 2: off, 3: aggressive
  return toggle == 1 || toggle == 3 ? ProductPrecision::BFloat16 : ProductPrecision::Float32;
}

}  // namespace weft::cluster
