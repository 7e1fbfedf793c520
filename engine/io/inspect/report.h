#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "weft/file_system.h"
#include "weft/inspect.h"
#include "weft/tensor.h"

namespace tensorflow {
class GraphDef;
class MetaGraphDef;
}  // namespace tensorflow

namespace weft::inspect {

using Json = nlohmann::ordered_json;

constexpr uint64_t kVerifyBytes = 256 << 20;  ///< Files up to this size are verified by default.
constexpr uint64_t kMaxInflated = 512 << 20;  ///< Limit for decompressed files: a few megabytes can expand to gigabytes of zeros.

/// One inspection: the report being filled, and what the readers of all formats need.
struct Report {
  FileSystem& files;
  std::string path;
  bool verify = false;
  Json json;

  void setKind(const char* kind) { json["kind"] = kind; }
  void problem(std::string_view kind, const std::string& message) { json["problems"].push_back({{"kind", kind}, {"message", message}}); }
};

Error bad(std::string_view kind, const auto&... parts) { return Error{Code::DataLoss, concat(parts...), {}, {}, std::string(kind)}; }

std::string dtypeText(int dtype);    ///< Name of a DataType number, references as their base, "unknown_N".
Json shapeJson(const Shape& shape);  ///< -1 = unknown size, null = unknown rank
Json numberJson(double value);       ///< Non-finite numbers as text.

/// Classifies a message in wire format by its first fields.
enum class ProtoKind { Unknown, Graph, MetaGraph, SavedModel, RunMetadata, Profile, OpLog, CheckpointState, Projector };
ProtoKind classifyWire(std::string_view bytes);
ProtoKind classifyText(std::string_view text);
/// Whether the first bytes have no control characters except white space.
bool hasNoControls(std::string_view bytes);
/// Whether the bytes look like the beginning of protobuf text format.
bool looksLikeText(std::string_view bytes);

// Each fills the report. After an error, the report contains what was read before it.
Status reportProto(Report& r, ProtoKind kind, bool text, std::string_view bytes);
Status graphBody(const tensorflow::GraphDef& graph, Json& out);
Status metaBody(const tensorflow::MetaGraphDef& meta, Json& out);
Status reportSavedModel(Report& r, const std::string& folder, const std::string& file, bool text);
Status reportCheckpoint(Report& r, const std::string& prefix);
/// One part of the report and the status of reading it. Returned by value: `problem()` may reallocate the report's entries, so references into them must not be
/// kept across it.
struct PartialJson {
  Json json = Json::object();
  Status status;
  uint64_t dataBytes = 0;  ///< For checkpoints: total size of the existing data files.
};
PartialJson checkpointTensors(Report& r, const std::string& prefix);
Status reportCheckpointState(Report& r, std::string_view text);
Status reportEvents(Report& r);
Status reportLogFolder(Report& r);
bool holdsEventFiles(FileSystem& files, const std::string& folder, int depth = 0);
Status reportRecords(Report& r);
Status reportTrace(Report& r, std::string_view json);
Status reportRecording(Report& r, ProtoKind kind, bool text, std::string_view bytes);
Status reportDebugDump(Report& r);
Status reportDebuggerV2(Report& r);
Status reportOnnx(Report& r, std::string_view bytes);
Status reportTflite(Report& r, std::string_view bytes);
Status reportKeras(Report& r, std::string_view bytes);
Status reportNpy(Report& r, std::string_view bytes);
Status reportNpz(Report& r, std::string_view bytes);
Status reportIdx(Report& r, std::string_view bytes, bool gzip);
Status reportCifar10(Report& r, std::string_view bytes);

}  // namespace weft::inspect
