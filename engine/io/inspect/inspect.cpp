#include "weft/inspect.h"

#include <cmath>

#include "base/record_frame.h"
#include "base/table.h"
#include "io/inspect/report.h"
#include "proto/summary.pb.h"
#include "proto/text.h"
#include "weft/checkpoint.h"
#include "weft/onnx.h"
#include "weft/records.h"

namespace weft {
namespace inspect {

std::string dtypeText(int dtype) {
  if (dtype > 100) dtype -= 100;
  if (dtype == 0) return "invalid";
  return isKnown(DType(dtype)) ? dtypeName(DType(dtype)) : concat("unknown_", dtype);
}

Json shapeJson(const Shape& shape) {
  if (!shape.hasRank()) return nullptr;
  return shape.toVector();
}

Json numberJson(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

namespace {

constexpr uint64_t kMaxFile = uint64_t(4) << 30;

bool endsWith(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// "PREFIX.data-00000-of-00002" -> prefix, shard and number of shards.
bool isDataFile(const std::string& path, std::string* prefix, int* shard, int* shards) {
  if (path.size() < 20) return false;
  const size_t at = path.size() - 20;
  if (path.compare(at, 6, ".data-") != 0 || path.compare(at + 11, 4, "-of-") != 0) return false;
  for (const size_t i : {at + 6, at + 15})
    if (path.find_first_not_of("0123456789", i) < i + 5) return false;
  *prefix = path.substr(0, at);
  *shard = std::atoi(path.substr(at + 6, 5).c_str());
  *shards = std::atoi(path.substr(at + 15, 5).c_str());
  return true;
}

/// "PREFIX-00000-of-00002" -> PREFIX; any other path as it is.
std::string shardPrefix(const std::string& path) {
  if (path.size() < 16) return path;
  const size_t at = path.size() - 15;
  const bool shard = path[at] == '-' && path.compare(at + 6, 4, "-of-") == 0 && path.find_first_not_of("0123456789", at + 1) == at + 6 &&
                     path.find_first_not_of("0123456789", at + 10) == path.npos;
  return shard ? path.substr(0, at) : path;
}

bool startsWith(std::string_view bytes, std::string_view head) { return bytes.substr(0, head.size()) == head; }

bool looksLikeIdx(const std::string& name, std::string_view head) {
  if (head.size() < 4 || head[0] != 0 || head[1] != 0) return false;
  const int code = uint8_t(head[2]), rank = uint8_t(head[3]);
  return ((code == 8 || code == 9 || (code >= 11 && code <= 14)) && rank >= 1 && rank <= 8) || name.find("-idx") != name.npos;
}

char firstChar(std::string_view bytes) {
  const size_t at = bytes.find_first_not_of(" \t\r\n");
  return at == bytes.npos ? '\0' : bytes[at];
}

/// Whether the first record of an uncompressed record file is an Event of an event file.
bool isEventFile(Report& r) {
  if (fileNameOf(r.path).find("tfevents") != std::string::npos) return true;
  auto reader = RecordReader::open(r.path, Compression::None, &r.files);
  std::string record;
  if (!reader.ok()) return false;
  auto got = (*reader)->next(&record);
  tensorflow::Event event;
  return got.ok() && *got && record.size() < 4096 && parseWire(record, &event).ok() && event.what_case() == tensorflow::Event::kFileVersion &&
         event.file_version().compare(0, 12, "brain.Event:") == 0;
}

Status inspectGzip(Report& r) {
  WEFT_LET(auto stream, ByteStream::open(r.path, Compression::Gzip, &r.files));
  std::string head(4096, '\0');
  auto got = stream->read(head.data(), head.size());
  if (!got.ok()) return reportRecords(r);
  head.resize(*got);
  if (const char c = firstChar(head); c == '{' || c == '[') {
    WEFT_LET(auto again, ByteStream::open(r.path, Compression::Gzip, &r.files));
    WEFT_LET(const std::string text, again->readAll(kMaxInflated));
    return reportTrace(r, text);
  }
  if (looksLikeIdx(fileNameOf(r.path), head)) {
    WEFT_LET(auto again, ByteStream::open(r.path, Compression::Gzip, &r.files));
    WEFT_LET(const std::string bytes, again->readAll(kMaxInflated));
    return reportIdx(r, bytes, true);
  }
  uint64_t length;
  if (head.empty() || (head.size() >= kRecordHeader && decodeRecordHeader(head.data(), &length))) return reportRecords(r);
  return bad("unrecognized", "GZIP, but what is in it is none of the known formats");
}

bool isZlibRecords(Report& r) {
  auto stream = ByteStream::open(r.path, Compression::Zlib, &r.files);
  char head[kRecordHeader];
  uint64_t length;
  if (!stream.ok()) return false;
  const auto got = (*stream)->read(head, sizeof head);
  return !got.ok() || *got == 0 || (*got == sizeof head && decodeRecordHeader(head, &length));
}

/// The kind of a file by its first bytes, where they identify it; else Text, Json or Message.
enum class Form { LfsPointer, Index, Table, Tflite, Hdf5, Npy, Zip, Gzip, Records, Idx, Text, Json, Message };

Form formOf(Report& r, std::string_view head) {
  const std::string name = fileNameOf(r.path);
  uint64_t length;
  if (startsWith(head, "version https://git-lfs")) return Form::LfsPointer;
  if (endsWith(name, ".index")) return Form::Index;
  if (Table::looksLikeOne(r.files, r.path)) return Form::Table;
  if (head.size() >= 8 && head.substr(4, 4) == "TFL3") return Form::Tflite;
  if (startsWith(head, "\x89HDF\r\n\x1a\n")) return Form::Hdf5;
  if (startsWith(head, "\x93NUMPY")) return Form::Npy;
  if (startsWith(head, "PK\x03\x04") || startsWith(head, "PK\x05\x06")) return Form::Zip;
  if (startsWith(head, "\x1f\x8b")) return Form::Gzip;
  if ((head.size() >= kRecordHeader && decodeRecordHeader(head.data(), &length)) || name.find("tfevents") != name.npos) return Form::Records;
  if (looksLikeIdx(name, head)) return Form::Idx;
  if (looksLikeText(head)) return Form::Text;
  if (const char c = firstChar(head); (c == '{' || c == '[') && hasNoControls(head)) return Form::Json;
  return Form::Message;
}

Status inspectMessage(Report& r, std::string_view head, uint64_t size, const std::string& bytes) {
  const std::string name = fileNameOf(r.path);
  if (looksLikeOnnx(bytes) || endsWith(name, ".onnx")) return reportOnnx(r, bytes);
  ProtoKind kind = classifyWire(bytes);
  // Truncated within its first field, so that only the file name identifies it.
  if (kind == ProtoKind::Unknown && endsWith(name, ".meta") && startsWith(bytes, "\n")) kind = ProtoKind::MetaGraph;
  if (kind != ProtoKind::Unknown) return reportProto(r, kind, false, bytes);
  if (guessCompression(head) == Compression::Zlib && isZlibRecords(r)) return reportRecords(r);
  if (endsWith(name, ".bin") && size % 3073 == 0) {
    bool labels = true;
    for (size_t at = 0; at < bytes.size(); at += 3073) labels = labels && uint8_t(bytes[at]) < 10;
    if (labels) return reportCifar10(r, bytes);
  }
  if (endsWith(name, ".tfrecord") || endsWith(name, ".tfrecords")) return reportRecords(r);
  return bad("unrecognized", "none of the known formats: the file begins with ",
             nlohmann::json(std::string(head.substr(0, 8))).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

Status inspectContent(Report& r, std::string_view head, uint64_t size) {
  const Form form = formOf(r, head);
  switch (form) {
    case Form::LfsPointer: return bad("not_downloaded", "a Git LFS pointer stands in place of the file");
    case Form::Index: return reportCheckpoint(r, r.path.substr(0, r.path.size() - 6));
    case Form::Table: return reportCheckpoint(r, shardPrefix(r.path));
    case Form::Gzip: return inspectGzip(r);
    case Form::Records: return isEventFile(r) ? reportEvents(r) : reportRecords(r);
    default: break;
  }
  WEFT_LET(const std::string bytes, r.files.readAll(r.path, kMaxFile));
  switch (form) {
    case Form::Tflite: return reportTflite(r, bytes);
    case Form::Hdf5: return reportKeras(r, bytes);
    case Form::Npy: return reportNpy(r, bytes);
    case Form::Zip: return reportNpz(r, bytes);
    case Form::Idx: return reportIdx(r, bytes, false);
    case Form::Json: return reportTrace(r, bytes);
    case Form::Text:
      if (const ProtoKind kind = classifyText(bytes); kind != ProtoKind::Unknown) return reportProto(r, kind, true, bytes);
      return bad("unrecognized", "text, but its first field belongs to none of the known messages");
    default: return inspectMessage(r, head, size, bytes);
  }
}

Result<std::string> headOf(Report& r) {
  std::string head(8192, '\0');
  WEFT_LET(auto file, r.files.openForReading(r.path));
  WEFT_LET(const size_t got, file->read(0, head.data(), head.size()));
  head.resize(got);
  return head;
}

Status inspectFolder(Report& r) {
  for (const bool text : {false, true}) {
    const std::string file = joinPath(r.path, text ? "saved_model.pbtxt" : "saved_model.pb");
    if (!r.files.exists(file)) continue;
    uint64_t bytes = 0;
    if (auto info = r.files.stat(file); info.ok()) bytes = info->bytes;
    r.json["bytes"] = bytes;
    return reportSavedModel(r, r.path, file, text);
  }
  WEFT_LET(const auto names, r.files.list(r.path));
  bool dumps = false, debugger = false;
  for (const std::string& n : names) {
    dumps = dumps || startsWith(n, "_tfdbg_");
    debugger = debugger || endsWith(n, ".metadata");
  }
  if (dumps) return reportDebugDump(r);
  if (debugger) return reportDebuggerV2(r);
  if (holdsEventFiles(r.files, r.path)) return reportLogFolder(r);
  return bad("missing_file", "the folder holds neither saved_model.pb nor event files nor a debugger's dump");
}

Status inspect(Report& r) {
  const auto info = r.files.stat(r.path);
  if (!info.ok()) {
    if (info.error().code != Code::NotFound) return info.error();
    if (checkpointExists(r.path, &r.files)) return reportCheckpoint(r, r.path);
    return bad("not_found", "no such file, folder or checkpoint");
  }
  if (info->isFolder) return inspectFolder(r);
  r.json["bytes"] = info->bytes;
  if (info->bytes == 0) {
    r.setKind("empty");
    return {};
  }
  std::string prefix;
  int shard, shards;
  if (isDataFile(r.path, &prefix, &shard, &shards)) {
    if (r.files.exists(prefix + ".index")) return reportCheckpoint(r, prefix);
    r.setKind("checkpoint_shard");
    r.json["shard"] = shard;
    r.json["of"] = shards;
    return {};
  }
  WEFT_LET(const std::string head, headOf(r));
  return inspectContent(r, head, info->bytes);
}

std::string oneLine(std::string text) {
  for (char& c : text)
    if (uint8_t(c) < 32) c = ' ';
  return text;
}

}  // namespace
}  // namespace inspect

bool isGraphFile(const std::string& path, FileSystem* files) {
  inspect::Report r{files ? *files : posixFileSystem(), path, false, inspect::Json::object()};
  const auto info = r.files.stat(path);
  if (!info.ok() || info->isFolder) return false;
  const auto head = inspect::headOf(r);
  if (!head.ok()) return false;
  const inspect::Form form = inspect::formOf(r, *head);
  if (form != inspect::Form::Text && form != inspect::Form::Message) return false;
  const auto bytes = r.files.readAll(path, inspect::kMaxFile);
  if (!bytes.ok()) return false;
  const inspect::ProtoKind kind = form == inspect::Form::Text ? inspect::classifyText(*bytes) : inspect::classifyWire(*bytes);
  return kind == inspect::ProtoKind::Graph || kind == inspect::ProtoKind::MetaGraph;
}

Inspection inspectPath(const std::string& path, const InspectOptions& options) {
  inspect::Report r{options.files ? *options.files : posixFileSystem(), path, options.verify, inspect::Json::object()};
  r.json["inspect_version"] = 1;
  r.json["file"] = path;
  r.json["kind"] = nullptr;
  r.json["bytes"] = 0;
  Inspection out;
  try {
    out.status = inspect::inspect(r);
  } catch (const std::bad_alloc&) {
    out.status = resourceExhausted("not enough memory to read the file").ofKind("too_large");
  } catch (const std::exception& e) {
    out.status = internalError(e.what()).ofKind("malformed");
  }
  if (!out.status.ok()) {
    Error& error = out.status.error();
    if (error.kind.empty()) error.kind = error.code == Code::NotFound ? "not_found" : error.code == Code::ResourceExhausted ? "too_large" : "malformed";
    error.message = inspect::oneLine(error.message);
    r.json["error"] = {{"kind", error.kind}, {"message", error.message}};
  }
  if (r.json["kind"].is_string()) out.kind = r.json["kind"];
  out.json = r.json.dump(-1, ' ', false, inspect::Json::error_handler_t::replace);
  return out;
}

}  // namespace weft
