#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace google::protobuf {
class Descriptor;
}

namespace weft {

/// Converts a text message to its canonical bytes (fields by number, maps by key) without building the message. An order of magnitude faster than
/// protobuf's parser, which dominates the opening of large graphs. nullopt if the text has an error or a construct that graph writers do not print
/// (extensions, lists in brackets, hexadecimal numbers, …); protobuf's parser then decides and words the error.
std::optional<std::string> wireFromText(std::string_view text, const google::protobuf::Descriptor& type);

}  // namespace weft
