#include <algorithm>
#include <map>

#include "io/inspect/format.h"
#include "weft/checkpoint.h"

// What lies in a folder that people keep trainings and models in, and what belongs together.

namespace weft::inspect {
namespace {

constexpr size_t kListed = 1000;        // entries that are named; the others are counted
constexpr uint64_t kGlance = 64 << 10;  // bytes of a file that its kind is judged by, so that a folder of large files is listed at once
constexpr std::string_view kIndex = ".index";

bool endsInIndex(const std::string& n) { return n.size() > kIndex.size() && std::string_view(n).substr(n.size() - kIndex.size()) == kIndex; }

/// Whether the entry is one of the files of a checkpoint in this folder.
bool belongsTo(const std::string& entry, const std::string& prefix) {
  if (entry.compare(0, prefix.size(), prefix) != 0) return false;
  const std::string_view rest = std::string_view(entry).substr(prefix.size());
  return rest == kIndex || rest == ".meta" || rest == ".weft-state" || rest.substr(0, 6) == ".data-";
}

/// Prefixes of the checkpoints, the newest last: in the order of the state file, then those that it does not name, by age.
std::vector<std::string> checkpointsIn(Report& r) {
  std::vector<std::string> out;
  if (auto state = readCheckpointState(r.path, "checkpoint", &r.files); state.ok())
    for (const std::string& stored : state->all)
      if (const auto found = resolveCheckpoint(r.path, stored, &r.files)) out.push_back(*found);
  std::vector<std::pair<double, std::string>> others;
  for (const std::string& name : r.entries()) {
    if (!endsInIndex(name)) continue;
    const std::string prefix = joinPath(r.path, name.substr(0, name.size() - kIndex.size()));
    if (std::find(out.begin(), out.end(), prefix) != out.end()) continue;
    if (const auto info = r.files.stat(prefix + ".index"); info.ok()) others.emplace_back(info->modified, prefix);
  }
  std::sort(others.begin(), others.end());
  // What no state file names is older than what one does: the Saver has forgotten it.
  std::vector<std::string> all;
  for (auto& [modified, prefix] : others) all.push_back(std::move(prefix));
  all.insert(all.end(), out.begin(), out.end());
  return all;
}

Json checkpointJson(Report& r, const std::string& prefix) {
  uint64_t bytes = 0;
  double modified = 0;
  Json files = Json::array();
  const std::string name = fileNameOf(prefix);
  const auto& entries = r.entries();
  for (auto it = std::lower_bound(entries.begin(), entries.end(), name); it != entries.end() && it->compare(0, name.size(), name) == 0; ++it) {
    if (!belongsTo(*it, name)) continue;
    const auto info = r.files.stat(joinPath(r.path, *it));
    if (!info.ok()) continue;
    bytes += info->bytes;
    modified = std::max(modified, info->modified);
    files.push_back(*it);
  }
  return {{"name", name}, {"bytes", bytes}, {"modified", modified}, {"has_graph", r.files.exists(prefix + ".meta")}, {"files", std::move(files)}};
}

bool holdsSomething(Report& r) {
  if (!r.isFolder()) return false;
  size_t looked = 0;
  for (const std::string& name : r.entries()) {
    if (looked++ == kListed) return false;
    if (fileKindAtAGlance(r.files, joinPath(r.path, name))) return true;
  }
  return false;
}

Status reportFolder(Report& r) {
  r.setKind("folder");
  addCheckpoints(r);
  std::vector<std::string> ownFiles;
  for (const auto& checkpoint : r.json["checkpoints"])
    for (const auto& file : checkpoint["files"]) ownFiles.push_back(file);
  std::sort(ownFiles.begin(), ownFiles.end());
  Json entries = Json::array();
  uint64_t bytes = 0, more = 0;
  for (const std::string& name : r.entries()) {
    const std::string path = joinPath(r.path, name);
    const auto info = r.files.stat(path);
    if (!info.ok()) continue;
    if (!info->isFolder) bytes += info->bytes;
    if (std::binary_search(ownFiles.begin(), ownFiles.end(), name)) continue;
    if (entries.size() == kListed) {
      ++more;
      continue;
    }
    const FileKind* kind = fileKindAtAGlance(r.files, path);
    entries.push_back({{"name", name}, {"kind", kind ? Json(kind->name) : Json(nullptr)}, {"bytes", info->isFolder ? Json(nullptr) : Json(info->bytes)}});
  }
  r.json["entries"] = std::move(entries);
  if (more) r.problem("too_many", concat(more, " more entries are not listed"));
  r.json["bytes"] = bytes;
  return r.unreadable;
}

}  // namespace

void addCheckpoints(Report& r) {
  const std::vector<std::string> prefixes = checkpointsIn(r);
  r.json["checkpoints"] = Json::array();
  for (const std::string& prefix : prefixes) r.json["checkpoints"].push_back(checkpointJson(r, prefix));
  const auto latest = latestCheckpoint(r.path, "checkpoint", &r.files);
  r.json["latest"] = latest ? Json(fileNameOf(*latest)) : prefixes.empty() ? Json(nullptr) : Json(fileNameOf(prefixes.back()));
}

const FileKind* fileKindAtAGlance(FileSystem& files, const std::string& path) {
  const auto info = files.stat(path);
  // Folders below are not walked: their kind would need all that is in them.
  if (!info.ok() || info->isDevice || (info->isFolder && !files.exists(joinPath(path, "saved_model.pb")) && !files.exists(joinPath(path, "saved_model.pbtxt"))))
    return nullptr;
  Report r(files, path);
  r.glance = kGlance;
  const Format* format = formatOf(r);
  return format ? &format->kind : nullptr;
}

extern const Format kFolderFormat;
const Format kFolderFormat{
    {"folder", WEFT_TRANSLATED("FileKinds", "Folder"), WEFT_TRANSLATED("FileKinds", "Checkpoints, models and other files of a training."), "", "", true, false},
    holdsSomething,
    reportFolder};

}  // namespace weft::inspect
