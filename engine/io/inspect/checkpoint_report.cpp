#include "base/table.h"
#include "io/inspect/format.h"
#include "proto/text.h"
#include "weft/checkpoint.h"
#include "weft/object_graph.h"

namespace weft::inspect {

namespace {

/// Counts the characters of a string as NumPy does, which treats trailing zero bytes of a scalar string as padding.
Result<uint64_t> shownBytes(const CheckpointReader& reader, const CheckpointEntry& entry) {
  if (entry.dtype != DType::String || entry.shape.rank() != 0) return reader.bytesOf(entry);
  WEFT_LET(const Tensor tensor, reader.read(entry.name));
  const std::string& text = *tensor.data<std::string>();
  const size_t last = text.find_last_not_of('\0');
  return uint64_t(last == text.npos ? 0 : last + 1);
}

}  // namespace

namespace {

Status describeTensors(Report& r, const std::string& prefix, Json& out, uint64_t* dataBytes) {
  auto opened = CheckpointReader::open(prefix, &r.files);
  if (!opened.ok()) return opened.error();
  const CheckpointReader& reader = **opened;
  out["format"] = reader.version() == 2 ? "V2" : "V1";
  out["shards"] = reader.shards();
  bool complete = true;
  uint64_t total = 0;
  for (const std::string& path : reader.dataFiles()) {
    const auto info = r.files.stat(path);
    if (info.ok()) {
      total += info->bytes;
      continue;
    }
    complete = false;
    r.problem("missing_file", concat("the data file ", fileNameOf(path), " is not there"));
  }
  *dataBytes = total;
  out["complete"] = complete;
  out["object_based"] = reader.find(kObjectGraphKey) != nullptr;
  Status first;
  Json::array_t tensors;
  tensors.reserve(reader.tensors().size());
  for (const CheckpointEntry& entry : reader.tensors()) {
    Json size;
    if (entry.dtype == DType::String ? total <= kVerifyBytes || r.verify : sizeOf(entry.dtype) > 0) {
      const auto bytes = shownBytes(reader, entry);
      if (bytes.ok()) {
        size = *bytes;
      } else if (first.ok() && bytes.error().kind != "missing_file") {
        first = bytes.error();
      }
    }
    // Member by member: a list of initialisers would be copied, and there may be 100,000 tensors.
    Json::object_t tensor;
    tensor.reserve(4);
    tensor.emplace_back("name", entry.name);
    tensor.emplace_back("dtype", dtypeText(int(entry.dtype)));
    tensor.emplace_back("shape", shapeJson(entry.shape));
    tensor.emplace_back("bytes", std::move(size));
    tensors.push_back(std::move(tensor));
  }
  out["tensors"] = std::move(tensors);
  addCheckpointObjects(r, reader, out);
  WEFT_TRY(first);
  if (!complete) return {};
  if (total > kVerifyBytes && !r.verify) {
    out["verified"] = false;
    return {};
  }
  WEFT_TRY(reader.verify());
  out["verified"] = true;
  return {};
}

}  // namespace

PartialJson checkpointTensors(Report& r, const std::string& prefix) {
  PartialJson out;
  out.status = describeTensors(r, prefix, out.json, &out.dataBytes);
  return out;
}

namespace {

bool allDigits(std::string_view text) { return text.find_first_not_of("0123456789") == text.npos; }

/// "PREFIX.data-00000-of-00002": its prefix, shard and number of shards; shards 0: another name.
struct DataFile {
  std::string prefix;
  int shard = 0, shards = 0;
};
DataFile dataFileOf(const std::string& path) {
  if (path.size() < 20) return {};
  const size_t at = path.size() - 20;
  const std::string_view end = std::string_view(path).substr(at);
  if (end.substr(0, 6) != ".data-" || end.substr(11, 4) != "-of-" || !allDigits(end.substr(6, 5)) || !allDigits(end.substr(15))) return {};
  return {path.substr(0, at), std::atoi(path.c_str() + at + 6), std::atoi(path.c_str() + at + 15)};
}

/// "PREFIX-00000-of-00002" -> PREFIX; any other path as it is.
std::string shardPrefix(const std::string& path) {
  if (path.size() < 16) return path;
  const std::string_view end = std::string_view(path).substr(path.size() - 15);
  const bool shard = end[0] == '-' && end.substr(6, 4) == "-of-" && allDigits(end.substr(1, 5)) && allDigits(end.substr(10));
  return shard ? path.substr(0, path.size() - 15) : path;
}

/// The checkpoint that a path is or belongs to; empty: none.
std::string prefixOf(Report& r) {
  if (r.place == Report::Place::Missing) return checkpointExists(r.path, &r.files) ? r.path : std::string();
  if (!r.isFile()) return {};
  if (const DataFile data = dataFileOf(r.path); data.shards) return r.files.exists(data.prefix + ".index") ? data.prefix : std::string();
  if (r.ends(".index")) return r.path.substr(0, r.path.size() - 6);
  return Table::looksLikeOne(r.files, r.path) ? shardPrefix(r.path) : std::string();
}

Status reportCheckpoint(Report& r) {
  const std::string prefix = prefixOf(r);
  r.setKind("checkpoint");
  uint64_t bytes = 0;
  if (auto info = r.files.stat(prefix + ".index"); info.ok()) bytes += info->bytes;
  PartialJson found = checkpointTensors(r, prefix);
  for (auto& [name, value] : found.json.items()) r.json[name] = std::move(value);
  r.json["bytes"] = bytes + found.dataBytes;
  return found.status;
}

Result<std::vector<NamedTensor>> variablesOf(Report& r) {
  WEFT_LET(const auto reader, CheckpointReader::open(prefixOf(r), &r.files));
  std::vector<NamedTensor> out;
  for (const CheckpointEntry& entry : reader->tensors()) {
    WEFT_LET(Tensor value, reader->read(entry.name));
    out.emplace_back(entry.name, std::move(value));
  }
  return out;
}

Status reportShard(Report& r) {
  const DataFile data = dataFileOf(r.path);
  r.setKind("checkpoint_shard");
  r.json["shard"] = data.shard;
  r.json["of"] = data.shards;
  return {};
}

Status reportCheckpointState(Report& r) {
  r.setKind("checkpoint_state");
  WEFT_LET(const std::string_view text, r.content());
  WEFT_LET(const CheckpointState state, parseCheckpointState(text));
  r.json["latest"] = state.latest;
  r.json["all"] = state.all;
  r.json["timestamps"] = state.timestamps;
  const auto found = resolveCheckpoint(folderOf(r.path), state.latest, &r.files);
  r.json["found"] = found ? Json(*found) : Json(nullptr);
  return {};
}

}  // namespace

extern const Format kCheckpointFormat;
const Format kCheckpointFormat{
    {"checkpoint", WEFT_TRANSLATED("FileKinds", "Checkpoint"), WEFT_TRANSLATED("FileKinds", "Variable values, as written by Saver. The graph is not included."),
     ".index .ckpt", "", false, false, false, true},
    [](Report& r) { return !prefixOf(r).empty(); },
    reportCheckpoint,
    nullptr,
    nullptr,
    variablesOf};

extern const Format kCheckpointShardFormat;
const Format kCheckpointShardFormat{{"checkpoint_shard", WEFT_TRANSLATED("FileKinds", "Checkpoint data"),
                                     WEFT_TRANSLATED("FileKinds", "The bytes of the variables; the index file describes them."), ""},
                                    [](Report& r) { return r.isFile() && dataFileOf(r.path).shards > 0; },
                                    reportShard};

extern const Format kCheckpointStateFormat;
const Format kCheckpointStateFormat{{"checkpoint_state", WEFT_TRANSLATED("FileKinds", "Checkpoint state"),
                                     WEFT_TRANSLATED("FileKinds", "Lists the checkpoints in a folder and names the newest."), ""},
                                    [](Report& r) { return r.message() == ProtoKind::CheckpointState; },
                                    reportCheckpointState};

}  // namespace weft::inspect
