#include "proto/document_messages.h"

namespace weft::document {

std::string packedAs(const google::protobuf::Message& m, std::string bytes) {
  google::protobuf::Any any;
  any.set_type_url("type.googleapis.com/" + m.GetDescriptor()->full_name());
  any.set_value(std::move(bytes));
  return any.SerializeAsString();
}

void writeMessages(MetaGraph& meta, const char* key, std::vector<std::string> anys) {
  if (anys.empty()) {
    meta.collections.erase(key);
    return;
  }
  Collection c;
  c.kind = Collection::Kind::Anys;
  c.anys = std::move(anys);
  meta.collections[key] = std::move(c);
}

}  // namespace weft::document
