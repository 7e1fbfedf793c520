#pragma once

#include <google/protobuf/message_lite.h>

#include <string>

#include "rpc/bytes.h"
#include "weft/error.h"
#include "weft/precision.h"

// Messages and statuses as gRPC carries them.
namespace weft::cluster {
namespace pb {
class GraphOptions;
}

rpc::Bytes bufferOf(std::string bytes);
rpc::Bytes bufferOf(const google::protobuf::MessageLite& message);
/// INTERNAL, naming `what`, for bytes that are no such message.
Status parse(const rpc::Bytes& bytes, const char* what, google::protobuf::MessageLite* message);

/// The message that an error travels with: the node is named in it, as by TensorFlow's workers.
std::string messageOf(const Error& error);
/// TensorFlow's codes are gRPC's. An unknown number is UNKNOWN.
Code codeOf(int number);

/// bfloat16 if auto_mixed_precision is ON or AGGRESSIVE.
ProductPrecision productsOf(const pb::GraphOptions& options);

}  // namespace weft::cluster
