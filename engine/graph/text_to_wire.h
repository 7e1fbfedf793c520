#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace google::protobuf {
class Descriptor;
}

namespace weft {

/// The canonical bytes (fields by number, maps by key) of a message in text form, without making the message: an order of magnitude faster
/// than protobuf's parser, which is what large graphs spend their opening in. Nothing if the text has an error or anything beyond what
/// writers of graphs print (extensions, lists in brackets, hexadecimal numbers, …): protobuf's parser then decides and words the error.
std::optional<std::string> wireFromText(std::string_view text, const google::protobuf::Descriptor& type);

}  // namespace weft
