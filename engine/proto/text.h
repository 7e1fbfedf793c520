#pragma once

#include <string>
#include <string_view>

#include "weft/error.h"

namespace google::protobuf {
class Message;
}

namespace weft {

/// Parses text format. INVALID_ARGUMENT of kind "bad_syntax", with a message that begins "LINE:COLUMN: " (both 1-based); kind "too_deep" beyond 100 levels.
/// `lenient`: unknown fields are skipped.
Status parseText(std::string_view text, google::protobuf::Message* message, bool lenient = false);
/// Text format with sorted maps; unknown fields are printed by number.
std::string printText(const google::protobuf::Message& message);
/// Parses wire format up to 100 levels deep. INVALID_ARGUMENT of kind "malformed", or "truncated" where the bytes end inside a field.
Status parseWire(std::string_view bytes, google::protobuf::Message* message);
/// Parses text or wire format.
inline Status parseMessage(bool text, std::string_view bytes, google::protobuf::Message* message) {
  return text ? parseText(bytes, message) : parseWire(bytes, message);
}
/// Wire format with sorted maps: equal messages give equal bytes.
std::string printWire(const google::protobuf::Message& message);

}  // namespace weft
