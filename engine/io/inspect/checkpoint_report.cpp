#include "io/inspect/report.h"
#include "proto/text.h"
#include "weft/checkpoint.h"

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
  out["object_based"] = reader.find("_CHECKPOINTABLE_OBJECT_GRAPH") != nullptr;
  out["tensors"] = Json::array();
  Status first;
  for (const CheckpointEntry& entry : reader.tensors()) {
    Json tensor{{"name", entry.name}, {"dtype", dtypeText(int(entry.dtype))}, {"shape", shapeJson(entry.shape)}, {"bytes", nullptr}};
    if (entry.dtype == DType::String ? total <= kVerifyBytes || r.verify : sizeOf(entry.dtype) > 0) {
      const auto bytes = shownBytes(reader, entry);
      if (bytes.ok()) {
        tensor["bytes"] = *bytes;
      } else if (first.ok() && bytes.error().kind != "missing_file") {
        first = bytes.error();
      }
    }
    out["tensors"].push_back(std::move(tensor));
  }
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

Status reportCheckpoint(Report& r, const std::string& prefix) {
  r.setKind("checkpoint");
  uint64_t bytes = 0;
  if (auto info = r.files.stat(prefix + ".index"); info.ok()) bytes += info->bytes;
  const PartialJson found = checkpointTensors(r, prefix);
  r.json.update(found.json);
  r.json["bytes"] = bytes + found.dataBytes;
  return found.status;
}

Status reportCheckpointState(Report& r, std::string_view text) {
  r.setKind("checkpoint_state");
  WEFT_LET(const CheckpointState state, parseCheckpointState(text));
  r.json["latest"] = state.latest;
  r.json["all"] = state.all;
  r.json["timestamps"] = state.timestamps;
  const auto found = resolveCheckpoint(folderOf(r.path), state.latest, &r.files);
  r.json["found"] = found ? Json(*found) : Json(nullptr);
  return {};
}

}  // namespace weft::inspect
