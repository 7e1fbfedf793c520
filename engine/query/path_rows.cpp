// Files and folders: what each one fills.
#include <algorithm>
#include <set>

#include "query/sources.h"
#include "weft/events.h"
#include "weft/file_kinds.h"
#include "weft/file_system.h"
#include "weft/saved_model.h"

namespace weft::query {
namespace {

constexpr std::string_view kSqliteStart = "SQLite format 3";

struct Found {
  std::string path;
  const char* kind = nullptr;
  const char* title = nullptr;
  FileInfo info;
};

bool isSqlite(const std::string& path) {
  const auto file = posixFileSystem().openForReading(path);
  if (!file.ok()) return false;
  char head[kSqliteStart.size()];
  const auto read = (*file)->read(0, head, sizeof head);
  return read.ok() && *read == sizeof head && std::string_view(head, sizeof head) == kSqliteStart;
}

void addFileRows(Tables& tables, const std::vector<Found>& found) {
  Table& table = tables["files"];
  struct Columns {
    std::vector<int32_t> paths, names, kinds, titles;
    std::vector<int64_t> bytes;
    std::vector<double> modified;
  };
  auto c = std::make_shared<Columns>();
  Dictionary& d = table.dictionary;
  for (const Found& f : found) {
    c->paths.push_back(d.code(f.path));
    c->names.push_back(d.code(fileNameOf(f.path)));
    c->kinds.push_back(f.kind ? d.code(f.kind) : kNullCode);
    c->titles.push_back(f.title ? d.code(f.title) : kNullCode);
    c->bytes.push_back(f.info.isFolder ? kNullInteger : int64_t(f.info.bytes));
    c->modified.push_back(f.info.modified);
  }
  Segment s;
  s.rows = Row(found.size());
  s.columns = {Source::ofVector(c->paths),  Source::ofVector(c->names), Source::ofVector(c->kinds),
               Source::ofVector(c->titles), Source::ofVector(c->bytes), Source::ofVector(c->modified)};
  s.owner = c;
  table.add(std::move(s));
}

/// The prefix of a checkpoint whose index is given.
std::string prefixOf(const std::string& path) {
  constexpr std::string_view kIndex = ".index";
  const bool index = path.size() > kIndex.size() && std::string_view(path).substr(path.size() - kIndex.size()) == kIndex;
  return index ? path.substr(0, path.size() - kIndex.size()) : path;
}

Status loadGraph(Tables& tables, const std::string& path) {
  WEFT_LET(auto loaded, openModelGraph(path, &tables.notes));
  addGraphRows(tables, path, std::make_shared<const MetaGraph>(std::move(loaded.meta)));
  return {};
}

Status loadCheckpoint(Tables& tables, const std::string& path, const std::string& prefix) {
  WEFT_LET(auto reader, CheckpointReader::open(prefix));
  addCheckpointRows(tables, path, std::move(reader));
  return {};
}

Status loadTrace(Tables& tables, const std::string& path) {
  WEFT_LET(auto trace, readTrace(path));
  for (const TraceProblem& p : trace.problems) tables.notes.push_back(path + ": " + p.message);
  addTraceRows(tables, path, std::make_shared<const Trace>(std::move(trace)));
  return {};
}

/// Adds the loaders of one file. False if it fills no table. `tolerant`: what cannot be read becomes a note, as for a file that a folder happens to hold.
bool addFile(Tables& tables, const Found& found, bool tolerant) {
  const std::string path = found.path, kind = found.kind ? found.kind : "";
  const auto add = [&](std::initializer_list<const char*> names, std::function<Status(const Stop&)> load) {
    addLoader(tables, names, [load = std::move(load), path, tolerant, &tables](const Stop& stop) -> Status {
      Status status = load(stop);
      if (status.ok() || status.code() == Code::Cancelled) return status;
      status.error().inFile(path);
      if (!tolerant) return status;
      tables.notes.push_back(status.error().toString());
      return {};
    });
    return true;
  };
  bool any = false;
  const FileKind* known = findFileKind(kind);
  if (known && known->hasGraph) any = add({"nodes", "edges", "attrs", "variables"}, [&tables, path](const Stop&) { return loadGraph(tables, path); });
  if (kind == "savedmodel") {
    const std::string prefix = joinPath(found.info.isFolder ? path : folderOf(path), "variables/variables");
    if (checkpointExists(prefix)) any = add({"tensors"}, [&tables, path, prefix](const Stop&) { return loadCheckpoint(tables, path, prefix); });
  }
  // A part of a checkpoint is read with its index.
  if (kind == "checkpoint" && path.find(".data-") == path.npos)
    any = add({"tensors"}, [&tables, path](const Stop&) { return loadCheckpoint(tables, path, prefixOf(path)); });
  constexpr std::string_view kState = ".weft-state";  // of a training, in JSON as traces are
  const bool state = path.size() > kState.size() && std::string_view(path).substr(path.size() - kState.size()) == kState;
  if ((kind == "trace" && !state) || kind == "run_metadata" || kind == "tfprof" || kind == "xplane")
    any = add({"slices"}, [&tables, path](const Stop&) { return loadTrace(tables, path); });
  if (kind == "events") {
    any = true;
    add({"slices"}, [&tables, path](const Stop&) { return addEventTraces(tables, path); });
    add({"nodes", "edges", "attrs", "variables"}, [&tables, path](const Stop& stop) -> Status {
      auto bytes = readEventGraph(path, nullptr, stop);
      if (!bytes.ok() && bytes.error().code == Code::NotFound) return {};
      WEFT_TRY(bytes.status());
      WEFT_LET(auto loaded, loadGraphBytes(std::make_shared<const std::string>(std::move(*bytes)), path));
      addGraphRows(tables, path, std::make_shared<const MetaGraph>(std::move(loaded.meta)));
      return {};
    });
  }
  if (kind == "experiments") any = add({"runs", "params", "metrics"}, [&tables, path](const Stop&) { return addExperimentRows(tables, path); });
  return any;
}

/// A run's event files together: curves of a run that was continued, and hyperparameters, lie in files of their own.
void addRunFiles(Tables& tables, const std::vector<std::string>& paths, const std::string& folder, const std::string& run, bool tolerant) {
  addLoader(tables, {"scalars", "tags", "runs", "params", "metrics"}, [&tables, paths, folder, run, tolerant](const Stop& stop) -> Status {
    Status status = addEventRows(tables, paths, folder, run, stop);
    if (status.ok() || status.code() == Code::Cancelled || !tolerant) return status;
    tables.notes.push_back(status.error().toString());
    return {};
  });
}

void judge(Found& found) {
  if (const FileKind* kind = fileKindOf(found.path)) {
    found.kind = kind->name;
    found.title = kind->title;
  } else if (!found.info.isFolder && isSqlite(found.path)) {
    found.kind = "experiments";
    found.title = "Experiments";
  }
}

/// Walks a folder: every file becomes a row of `files` and adds its loaders.
Status walk(Tables& tables, const std::string& root, const Stop& stop) {
  FileSystem& files = posixFileSystem();
  std::vector<std::string> open{root};
  std::set<std::string> seen{files.resolved(root)};
  std::vector<Found> all;
  while (!open.empty()) {
    const std::string at = open.back();
    open.pop_back();
    if (stop()) return cancelledError("the query was stopped");
    const auto names = files.list(at);
    if (!names.ok()) {
      tables.notes.push_back(names.error().toString());
      continue;
    }
    std::string run = at.size() > root.size() ? at.substr(root.size() + (root.back() == '/' ? 0 : 1)) : std::string(".");
    if (isSavedModel(at) && at != root) {
      Found model{at, nullptr, nullptr, {}};
      model.info.isFolder = true;
      judge(model);
      addFile(tables, model, true);
      all.push_back(std::move(model));
      continue;
    }
    std::vector<std::string> events;
    for (const std::string& name : *names) {
      Found f{joinPath(at, name), nullptr, nullptr, {}};
      const auto info = files.stat(f.path);
      if (!info.ok() || info->isDevice) continue;
      f.info = *info;
      if (info->isFolder) {
        if (seen.insert(files.resolved(f.path)).second) open.push_back(f.path);
        continue;
      }
      judge(f);
      addFile(tables, f, true);
      if (f.kind && std::string_view(f.kind) == "events") events.push_back(f.path);
      if (name == "run.json") addLoader(tables, {"params"}, [&tables, at, run](const Stop&) -> Status { return addRunRecord(tables, at, run), Status(); });
      all.push_back(std::move(f));
    }
    if (!events.empty()) addRunFiles(tables, events, at, run, true);
  }
  std::sort(all.begin(), all.end(), [](const Found& a, const Found& b) { return a.path < b.path; });
  addFileRows(tables, all);
  return {};
}

}  // namespace

Status addPathRows(Tables& tables, const std::string& path) {
  FileSystem& files = posixFileSystem();
  Found found{path, nullptr, nullptr, {}};
  const auto info = files.stat(path);
  if (!info.ok() && !checkpointExists(path)) return Error(info.error()).inFile(path);
  if (info.ok()) {
    found.info = *info;
    judge(found);
  } else {
    found.kind = "checkpoint";
    found.title = findFileKind("checkpoint")->title;
  }
  const bool model = isSavedModel(path);
  if (found.info.isFolder && !model) {
    const std::string root = path.size() > 1 && path.back() == '/' ? path.substr(0, path.size() - 1) : path;
    addLoader(tables, {"files", "nodes", "edges", "attrs", "tensors", "scalars", "tags", "runs", "params", "metrics", "slices"},
              [&tables, root](const Stop& stop) { return walk(tables, root, stop); });
    return {};
  }
  if (found.kind && std::string_view(found.kind) == "events") addRunFiles(tables, {path}, folderOf(path), fileNameOf(folderOf(path)), false);
  if (!addFile(tables, found, false)) {
    return invalidArgument("expected a graph, a model, a checkpoint, event files, a trace, a store of experiments or a folder",
                           found.kind ? concat("; this is of kind ", found.kind) : std::string())
        .inFile(path);
  }
  addLoader(tables, {"files"}, [&tables, found](const Stop&) -> Status { return addFileRows(tables, {found}), Status(); });
  return {};
}

}  // namespace weft::query
