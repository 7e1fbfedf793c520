#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include <algorithm>

#include "io/bundle_format.h"
#include "io/checkpoint_reader.h"
#include "proto/bundle.pb.h"
#include "proto/text.h"
#include "weft/checkpoint.h"

namespace weft {
namespace {

FileSystem& orDefault(FileSystem* files) { return files ? *files : posixFileSystem(); }

/// `path` relative to `folder`, if it lies below it.
std::string relativeTo(const std::string& folder, const std::string& path) {
  const std::string head = folder.empty() || folder.back() == '/' ? folder : folder + "/";
  return path.compare(0, head.size(), head) == 0 ? path.substr(head.size()) : path;
}

/// All existing files of a checkpoint of either version.
Result<std::vector<std::string>> filesOfCheckpoint(FileSystem& files, const std::string& prefix) {
  std::vector<std::string> paths;
  const std::string folder = folderOf(prefix), name = fileNameOf(prefix);
  WEFT_LET(const auto names, files.list(folder));
  for (const std::string& n : names) {
    if (n.compare(0, name.size(), name) != 0) continue;
    const std::string rest = n.substr(name.size());
    const bool shard = rest.size() == 15 && rest[0] == '-' && rest.compare(6, 4, "-of-") == 0;  // -00000-of-00001
    if (rest.empty() || rest == ".index" || rest == ".meta" || rest == ".weft-state" || rest.compare(0, 6, ".data-") == 0 || shard)
      paths.push_back(joinPath(folder, n));
  }
  return paths;
}

}  // namespace

Status syncCheckpoint(const std::string& prefix, FileSystem* fileSystem) {
  FileSystem& files = orDefault(fileSystem);
  WEFT_LET(const auto paths, filesOfCheckpoint(files, prefix));
  for (const std::string& path : paths) {
    WEFT_LET(auto file, files.openForAppending(path));
    WEFT_TRY(file->sync());
    WEFT_TRY(file->close());
  }
  return files.syncFolder(folderOf(prefix));
}

Result<CheckpointState> parseCheckpointState(std::string_view text) {
  tensorflow::CheckpointState proto;
  WEFT_TRY(parseText(text, &proto));
  CheckpointState state;
  state.latest = proto.model_checkpoint_path();
  state.all.assign(proto.all_model_checkpoint_paths().begin(), proto.all_model_checkpoint_paths().end());
  state.timestamps.assign(proto.all_model_checkpoint_timestamps().begin(), proto.all_model_checkpoint_timestamps().end());
  state.lastPreserved = proto.last_preserved_timestamp();
  return state;
}

Result<CheckpointState> readCheckpointState(const std::string& folder, const std::string& fileName, FileSystem* files) {
  const std::string path = joinPath(folder, fileName);
  WEFT_LET(const std::string text, orDefault(files).readAll(path, 64 << 20));
  auto state = parseCheckpointState(text);
  if (!state.ok()) state.error().inFile(path);
  return state;
}

Status writeCheckpointState(const std::string& folder, const CheckpointState& state, bool relative, const std::string& fileName, FileSystem* files) {
  tensorflow::CheckpointState proto;
  const auto stored = [&](const std::string& path) { return relative ? relativeTo(folder, path) : path; };
  proto.set_model_checkpoint_path(stored(state.latest));
  for (const std::string& path : state.all) proto.add_all_model_checkpoint_paths(stored(path));
  for (const double time : state.timestamps) proto.add_all_model_checkpoint_timestamps(time);
  if (state.lastPreserved != 0) proto.set_last_preserved_timestamp(state.lastPreserved);
  WEFT_TRY(orDefault(files).makeFolders(folder));
  // Checkpoints are written without fsync. The named one must be on disk before this file is, because its predecessor is often deleted next.
  if (const auto named = resolveCheckpoint(folder, state.latest, files)) WEFT_TRY(syncCheckpoint(*named, files));
  return orDefault(files).writeAtomically(joinPath(folder, fileName), printText(proto));
}

bool checkpointExists(const std::string& prefix, FileSystem* files) {
  return !prefix.empty() && (orDefault(files).exists(bundleIndexFile(prefix)) || !filesOfV1(orDefault(files), prefix).empty());
}

std::optional<std::string> resolveCheckpoint(const std::string& folder, const std::string& stored, FileSystem* files) {
  if (stored.empty()) return std::nullopt;
  // For paths written on Windows, the last component follows a backslash.
  const size_t cut = stored.find_last_of("/\\");
  const std::string last = cut == std::string::npos ? stored : stored.substr(cut + 1);
  for (const std::string& candidate : {joinPath(folder, stored), stored, last.empty() ? std::string() : joinPath(folder, last)})
    if (checkpointExists(candidate, files)) return candidate;
  return std::nullopt;
}

std::optional<std::string> latestCheckpoint(const std::string& folder, const std::string& fileName, FileSystem* files) {
  auto state = readCheckpointState(folder, fileName, files);
  if (!state.ok()) return std::nullopt;
  return resolveCheckpoint(folder, state->latest, files);
}

Status removeCheckpoint(const std::string& prefix, FileSystem* fileSystem) {
  FileSystem& files = orDefault(fileSystem);
  WEFT_LET(auto paths, filesOfCheckpoint(files, prefix));
  // The index is deleted first: without it, the remaining files are not a checkpoint.
  std::stable_partition(paths.begin(), paths.end(), [](const std::string& p) { return p.size() > 6 && p.compare(p.size() - 6, 6, ".index") == 0; });
  for (const std::string& path : paths) WEFT_TRY(files.remove(path));
  return {};
}

CheckpointKeeper::CheckpointKeeper(int maxToKeep, double keepEveryHours, double now)
    : maxToKeep_(maxToKeep), keepEverySeconds_(keepEveryHours * 3600), nextKept_(now + keepEveryHours * 3600) {}

std::optional<std::string> CheckpointKeeper::record(const std::string& prefix, double now) {
  if (maxToKeep_ <= 0) return std::nullopt;
  std::erase_if(last_, [&](const auto& c) { return c.first == prefix; });
  last_.emplace_back(prefix, now);
  if (int(last_.size()) <= maxToKeep_) return std::nullopt;
  const auto oldest = last_.front();
  last_.erase(last_.begin());
  if (oldest.second > nextKept_) {
    nextKept_ += keepEverySeconds_;
    return std::nullopt;
  }
  return oldest.first;
}

}  // namespace weft
