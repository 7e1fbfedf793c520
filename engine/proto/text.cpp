#include "proto/text.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/message.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/text_format.h>

#include "proto/text_to_wire.h"

namespace weft {
namespace {

/// Keeps the first error.
class FirstError final : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, google::protobuf::io::ColumnNumber column, const std::string& message) override {
    if (text.empty()) text = concat(line + 1, ":", column + 1, ": ", message);
  }
  std::string text;
};

constexpr int kMaxDepth = 100;

/// Protobuf's last error message on this thread. Protobuf would print it to stderr, which belongs to the program.
thread_local std::string lastComplaint;

void recordLogMessage(google::protobuf::LogLevel level, const char*, int, const std::string& message) {
  if (level >= google::protobuf::LOGLEVEL_ERROR) lastComplaint = message;
}

[[maybe_unused]] const auto previousHandler = google::protobuf::SetLogHandler(recordLogMessage);

/// Checks the wire format's structure before parsing, to find where and how it is broken. Returns an error or what protobuf itself will accept.
Error whyMalformed(std::string_view bytes) {
  size_t at = 0;
  const auto varint = [&](uint64_t* value) -> const char* {
    *value = 0;
    for (int i = 0; i < 10; ++i) {
      if (at >= bytes.size()) return "truncated";
      const auto byte = uint8_t(bytes[at++]);
      *value |= uint64_t(byte & 0x7f) << (7 * i);
      if (!(byte & 0x80)) return nullptr;
    }
    return "malformed";
  };
  const auto broken = [&](const char* kind, size_t where, const auto&... parts) { return invalidArgument(parts..., " at byte ", where).ofKind(kind); };
  while (at < bytes.size()) {
    const size_t start = at;
    uint64_t tag, value;
    if (const char* kind = varint(&tag)) return broken(kind, start, "a broken field number");
    if (tag >> 3 == 0 || tag >> 32) return broken("malformed", start, "field number ", tag >> 3);
    switch (tag & 7) {
      case 0:
        if (const char* kind = varint(&value)) return broken(kind, start, "a broken number in field ", tag >> 3);
        break;
      case 1:
      case 5: {
        const size_t width = (tag & 7) == 1 ? 8 : 4;
        if (bytes.size() - at < width) return broken("truncated", start, "the bytes end inside field ", tag >> 3);
        at += width;
        break;
      }
      case 2:
        if (const char* kind = varint(&value)) return broken(kind, start, "a broken length of field ", tag >> 3);
        if (value > bytes.size() - at) return broken("truncated", start, "field ", tag >> 3, " claims ", value, " bytes, but ", bytes.size() - at, " are left");
        at += size_t(value);
        break;
      case 3:
      case 4: break;
      default: return broken("malformed", start, "field ", tag >> 3, " has wire type ", tag & 7, ", expected 0 to 5");
    }
  }
  // "String field 'tensorflow.NodeDef.name' contains invalid UTF-8 data when parsing …": the rest is useful to programmers only.
  const std::string why = lastComplaint.substr(0, lastComplaint.find(" when parsing"));
  return invalidArgument(why.empty() ? "a message inside is broken" : why).ofKind("malformed");
}

}  // namespace

Status parseText(std::string_view text, google::protobuf::Message* message, bool lenient) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (const auto wire = wireFromText(text, *message->GetDescriptor()); wire && message->ParseFromString(*wire)) return {};
  google::protobuf::TextFormat::Parser parser;
  FirstError errors;
  parser.RecordErrorsTo(&errors);
  parser.SetRecursionLimit(kMaxDepth);
  parser.AllowUnknownField(lenient);
  google::protobuf::io::ArrayInputStream in(text.data(), int(text.size()));
  if (text.size() > size_t(INT32_MAX)) return invalidArgument("1:1: a text of ", text.size(), " bytes is over the 2 GB that can be read").ofKind("too_large");
  if (parser.Parse(&in, message)) return {};
  const bool deep = errors.text.find("recursion limit") != std::string::npos || errors.text.find("too deep") != std::string::npos;
  return invalidArgument(errors.text.empty() ? "1:1: not parseable" : errors.text).ofKind(deep ? "too_deep" : "bad_syntax");
}

std::string printText(const google::protobuf::Message& message) {
  google::protobuf::TextFormat::Printer printer;
  std::string out;
  printer.PrintToString(message, &out);
  return out;
}

Status parseWire(std::string_view bytes, google::protobuf::Message* message) {
  if (bytes.size() > size_t(INT32_MAX)) return invalidArgument("a message of ", bytes.size(), " bytes is over the limit of 2 GB").ofKind("too_large");
  google::protobuf::io::CodedInputStream in(reinterpret_cast<const uint8_t*>(bytes.data()), int(bytes.size()));
  in.SetRecursionLimit(kMaxDepth);
  lastComplaint.clear();
  if (message->ParseFromCodedStream(&in) && in.ConsumedEntireMessage()) return {};
  return whyMalformed(bytes);
}

std::string printWire(const google::protobuf::Message& message) {
  std::string out;
  google::protobuf::io::StringOutputStream stream(&out);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  message.SerializeToCodedStream(&coded);
  coded.Trim();
  return out;
}

}  // namespace weft
