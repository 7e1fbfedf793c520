#include <algorithm>
#include <functional>
#include <optional>

#include "weft/events.h"

namespace weft {
namespace {

constexpr size_t kNamedTags = 8;  // in messages

/// The event files of a run in the order of their names: the file itself, or those directly in a folder.
Result<std::vector<std::string>> eventFilesOf(const std::string& path, FileSystem& files) {
  WEFT_LET(const FileInfo info, files.stat(path));
  if (!info.isFolder) return std::vector<std::string>{path};
  WEFT_LET(std::vector<std::string> names, files.list(path));
  std::sort(names.begin(), names.end());
  std::vector<std::string> out;
  for (const std::string& name : names)
    if (name.find("tfevents") != name.npos) out.push_back(joinPath(path, name));
  if (out.empty()) return notFound("the folder contains no event files (…tfevents…)").inFile(path);
  return out;
}

/// Passes every event to `take`. A damaged file ends early; its error is returned, after the events before the damage were passed.
template <typename F>
Status forEachEvent(const std::string& path, FileSystem* given, const std::function<bool()>& stop, F&& take) {
  FileSystem& files = given ? *given : posixFileSystem();
  WEFT_LET(const auto paths, eventFilesOf(path, files));
  Status damage;
  for (const std::string& file : paths) {
    WEFT_LET(const auto reader, EventReader::open(file, &files));
    Event event;
    for (;;) {
      if (stop && stop()) return cancelledError("reading was cancelled").inFile(path);
      auto more = reader->next(&event);
      if (!more.ok()) damage = more.error();
      if (!more.ok() || !*more) break;
      take(event);
    }
  }
  return damage;
}

std::string listed(const std::vector<std::string>& tags) {
  std::string out;
  for (size_t i = 0; i < tags.size() && i < kNamedTags; ++i) out += (i ? ", " : "") + tags[i];
  return tags.size() > kNamedTags ? out + concat(" and ", tags.size() - kNamedTags, " more") : out;
}

}  // namespace

Result<std::string> readEventGraph(const std::string& path, FileSystem* files, const std::function<bool()>& stop) {
  std::string graph, meta;
  const Status status = forEachEvent(path, files, stop, [&](Event& event) {
    if (event.kind == Event::Kind::Graph) graph = std::move(event.bytes);
    if (event.kind == Event::Kind::MetaGraph) meta = std::move(event.bytes);
  });
  if (!status.ok() && (status.code() == Code::Cancelled || (graph.empty() && meta.empty()))) return status.error();
  if (graph.empty() && meta.empty()) return notFound("the events contain no graph").inFile(path);
  return meta.empty() ? graph : meta;
}

Result<std::vector<std::string>> eventRunTags(const std::string& path, FileSystem* files) {
  std::vector<std::string> tags;
  const Status status = forEachEvent(path, files, {}, [&](Event& event) {
    if (event.kind != Event::Kind::RunMetadata || std::find(tags.begin(), tags.end(), event.tag) != tags.end()) return;
    tags.push_back(std::move(event.tag));
  });
  if (!status.ok() && tags.empty()) return status.error();
  return tags;
}

Result<std::string> readEventRun(const std::string& path, const std::string& tag, FileSystem* files) {
  std::optional<std::string> found;
  const Status status = forEachEvent(path, files, {}, [&](Event& event) {
    if (event.kind == Event::Kind::RunMetadata && event.tag == tag) found = std::move(event.bytes);
  });
  if (found) return std::move(*found);
  if (!status.ok()) return status.error();
  WEFT_LET(const auto tags, eventRunTags(path, files));
  if (tags.empty()) return notFound("the events contain no session run").inFile(path);
  return notFound("the events contain no session run '", tag, "'; they contain ", listed(tags)).inFile(path);
}

}  // namespace weft
