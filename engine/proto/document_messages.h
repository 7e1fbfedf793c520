// Messages in the collections of a document: each is packed in an Any, and a collection holds messages of one type.
#pragma once

#include <google/protobuf/any.pb.h>

#include <string>
#include <utility>
#include <vector>

#include "weft/graph.h"

namespace weft::document {

/// Calls `take(message)` for each message of a collection, in its order. Bytes that are no such message are left out.
template <typename Message, typename F>
void readMessages(const MetaGraph& meta, const char* key, F&& take) {
  const auto it = meta.collections.find(key);
  if (it == meta.collections.end()) return;
  for (const std::string& bytes : it->second.anys) {
    google::protobuf::Any any;
    Message m;
    if (any.ParseFromString(bytes) && any.UnpackTo(&m)) take(m);
  }
}

/// An Any of the type of `m` that holds `bytes`, for a message that is written part by part: maps of protobuf have no order.
std::string packedAs(const google::protobuf::Message& m, std::string bytes);
inline std::string packed(const google::protobuf::Message& m) { return packedAs(m, m.SerializeAsString()); }

/// Replaces a collection; without messages there is none.
void writeMessages(MetaGraph& meta, const char* key, std::vector<std::string> anys);

}  // namespace weft::document
