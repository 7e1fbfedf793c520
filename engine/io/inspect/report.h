#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/file_system.h"
#include "weft/inspect.h"
#include "weft/tensor.h"

namespace tensorflow {
class GraphDef;
class MetaGraphDef;
}  // namespace tensorflow

namespace weft {
class CheckpointReader;
struct FileKind;
}  // namespace weft

namespace weft::inspect {

using Json = nlohmann::ordered_json;

constexpr uint64_t kVerifyBytes = 256 << 20;  ///< Files up to this size are verified by default.
constexpr uint64_t kMaxInflated = 512 << 20;  ///< Limit for decompressed files: a few megabytes can expand to gigabytes of zeros.

/// Classifies a message in wire format by its first fields.
enum class ProtoKind { Unknown, Graph, MetaGraph, SavedModel, RunMetadata, Profile, OpLog, CheckpointState, Projector };
ProtoKind classifyWire(std::string_view bytes);
ProtoKind classifyText(std::string_view text);
/// Whether the first bytes have no control characters except white space.
bool hasNoControls(std::string_view bytes);
/// Whether the bytes look like the beginning of protobuf text format.
bool looksLikeText(std::string_view bytes);
/// Whether they look like the beginning of JSON.
bool looksLikeJson(std::string_view bytes);

/// One inspection: the report being filled, and the file, of which no more is read than somebody asks for.
class Report {
 public:
  enum class Place { Missing, File, Folder };

  Report(FileSystem& files, std::string path);

  FileSystem& files;
  std::string path, name;  ///< `name`: the last part of the path.
  bool verify = false;
  bool parseCall = false;  ///< As InspectOptions::parseCall.
  uint64_t glance = 0;     ///< Bytes of a file that are read; 0: as many as somebody asks for.
  Json json = Json::object();
  Place place = Place::Missing;
  uint64_t size = 0;  ///< Bytes of a file.
  Status unreadable;  ///< Why the path could not be looked at, or the content not be read when somebody wanted it.

  bool isFile() const { return place == Place::File; }
  bool isFolder() const { return place == Place::Folder; }
  std::string_view head();                     ///< The first 8 KB of a file; empty if it cannot be read.
  std::string_view bytes();                    ///< The whole file; empty if it cannot be read.
  Result<std::string_view> content();          ///< The same, or why it cannot be read.
  std::shared_ptr<const std::string> whole();  ///< The same as bytes(), to keep.
  std::string_view inflatedHead();             ///< The first 4 KB of what a GZIP file holds; empty if it is none or is damaged.
  const std::vector<std::string>& entries();   ///< Names in a folder, sorted.
  ProtoKind message();                         ///< The message that a file holds, if its first bytes may begin one.
  bool isText();                               ///< Whether it begins as a message in text format.
  bool starts(std::string_view with) { return head().substr(0, with.size()) == with; }
  bool ends(std::string_view with) const { return name.size() >= with.size() && std::string_view(name).substr(name.size() - with.size()) == with; }

  void setKind(const char* kind) { json["kind"] = kind; }
  void problem(std::string_view kind, const std::string& message) { json["problems"].push_back({{"kind", kind}, {"message", message}}); }

 private:
  std::optional<std::string> head_, inflated_;
  std::shared_ptr<const std::string> bytes_;
  std::optional<std::vector<std::string>> entries_;
  std::optional<ProtoKind> message_;
};

Error bad(std::string_view kind, const auto&... parts) { return Error{Code::DataLoss, concat(parts...), {}, {}, std::string(kind)}; }

std::string dtypeText(int dtype);    ///< Name of a DataType number, references as their base, "unknown_N".
Json shapeJson(const Shape& shape);  ///< -1 = unknown size, null = unknown rank
Json numberJson(double value);       ///< Non-finite numbers as text.

/// Appends a report to `out`: one line per field, lists of records as indented lines, long ones cut.
void writeText(const Json& report, const std::string& indent, std::string& out);

Status graphBody(const tensorflow::GraphDef& graph, Json& out);
Status metaBody(const tensorflow::MetaGraphDef& meta, Json& out);
/// One part of the report and the status of reading it. Returned by value: `problem()` may reallocate the report's entries, so references into them must not be
/// kept across it.
struct PartialJson {
  Json json = Json::object();
  Status status;
  uint64_t dataBytes = 0;  ///< For checkpoints: total size of the existing data files.
};
PartialJson checkpointTensors(Report& r, const std::string& prefix);
/// Adds `objects` and `object_count` of an object-based checkpoint. A damaged object graph is a problem: the tensors are readable without it.
void addCheckpointObjects(Report& r, const CheckpointReader& reader, Json& out);
/// Adds `objects` and `functions` of a meta graph of TensorFlow 2.
void addSavedObjects(Report& r, const tensorflow::MetaGraphDef& meta, Json& out);
bool holdsEventFiles(FileSystem& files, const std::string& folder, int depth = 0);
/// Whether the first bytes are the length of a record with its checksum.
bool looksLikeRecords(std::string_view head);
/// Adds `checkpoints` and `latest` of a folder.
void addCheckpoints(Report& r);
/// The kind of an entry of a folder by its name and its first bytes; null: none, or a folder that is no SavedModel.
const FileKind* fileKindAtAGlance(FileSystem& files, const std::string& path);

}  // namespace weft::inspect
