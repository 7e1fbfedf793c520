#include "weft/error.h"

#include <cstdio>

namespace weft {

std::string_view codeName(Code code) {
  static constexpr std::string_view kNames[] = {"OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
                                                "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
                                                "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
                                                "DATA_LOSS", "UNAUTHENTICATED"};
  const auto i = static_cast<size_t>(code);
  return i < std::size(kNames) ? kNames[i] : "UNKNOWN";
}

Error& Error::atNode(std::string name) {
  if (node.empty()) node = std::move(name);
  return *this;
}

Error& Error::inFile(std::string path) {
  if (!file.empty()) return *this;
  // File-system messages begin with the path ("PATH; No such file or directory"), which error output now puts in front anyway.
  if (!path.empty() && message.starts_with(path + "; ")) message.erase(0, path.size() + 2);
  file = std::move(path);
  return *this;
}

Error& Error::ofKind(std::string k) {
  if (kind.empty()) kind = std::move(k);
  return *this;
}

std::string Error::toString() const {
  std::string out(codeName(code));
  out += ": ";
  if (!file.empty()) out += file + ": ";
  if (!node.empty()) out += node + ": ";
  return out + message;
}

void TextPart::appendTo(std::string& out) const {
  switch (kind_) {
    case Kind::Text: out += text_; break;
    case Kind::Character: out += character_; break;
    case Kind::Signed: out += std::to_string(signed_); break;
    case Kind::Unsigned: out += std::to_string(unsigned_); break;
    case Kind::Real: {
      char text[32];
      out.append(text, static_cast<size_t>(std::snprintf(text, sizeof text, "%g", real_)));
      break;
    }
  }
}

std::string concat(std::initializer_list<TextPart> parts) {
  std::string out;
  for (const TextPart& part : parts) part.appendTo(out);
  return out;
}

}  // namespace weft
