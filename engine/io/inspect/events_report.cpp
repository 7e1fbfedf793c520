#include <algorithm>
#include <map>
#include <set>

#include "graph/wire.h"
#include "io/inspect/format.h"
#include "proto/summary.pb.h"
#include "proto/text.h"
#include "weft/event_plugins.h"
#include "weft/events.h"
#include "weft/records.h"

namespace weft::inspect {
namespace {

namespace tf = ::tensorflow;

const char* typeOf(const tf::Summary::Value& v) {
  switch (v.value_case()) {
    case tf::Summary::Value::kSimpleValue: return "simple_value";
    case tf::Summary::Value::kObsoleteOldStyleHistogram: return "obsolete_old_style_histogram";
    case tf::Summary::Value::kImage: return "image";
    case tf::Summary::Value::kHisto: return "histo";
    case tf::Summary::Value::kAudio: return "audio";
    case tf::Summary::Value::kTensor: return "tensor";
    default: return "none";
  }
}

Json pluginOfType(std::string_view type) {
  if (type == "simple_value") return "scalars";
  if (type == "image") return "images";
  if (type == "histo") return "histograms";
  if (type == "audio") return "audio";
  return nullptr;
}

/// Fields 1 of a GraphDef, field 2 of a MetaGraphDef, without parsing what is in them.
int64_t nodesIn(std::string_view graph) {
  WireReader in(graph);
  int64_t n = 0;
  while (const auto f = in.next()) n += f->number == 1 && f->type == 2;
  return n;
}

int64_t nodesInMeta(std::string_view meta) {
  WireReader in(meta);
  int64_t n = 0;
  while (const auto f = in.next())
    if (f->number == 2 && f->type == 2) n += nodesIn(f->bytes);
  return n;
}

struct Series {
  int64_t points = 0, first = 0, last = 0;
  void add(int64_t step) {
    if (points++ == 0) first = step;
    last = step;
  }
};

bool isEventFileName(const std::string& name) { return name.find("tfevents") != std::string::npos; }

std::string shownTag(const tf::Summary::Value& v) { return v.tag().empty() ? v.node_name() : v.tag(); }

/// The meshes of an event file: their parts are values of several tags.
class Meshes {
 public:
  void add(Report& r, const std::string& tag, const tf::Summary::Value& v, int64_t step) {
    if (v.has_metadata() && v.metadata().plugin_data().plugin_name() == "mesh" && !parts_.count(tag)) {
      const auto part = decodeMeshPart(v.metadata().plugin_data().content());
      if (!part.ok()) return r.problem("malformed", tag + ": " + part.error().message);
      parts_[tag] = *part;
    }
    const auto at = parts_.find(tag);
    if (at == parts_.end() || !v.has_tensor()) return;
    Mesh& mesh = meshes_[at->second.name];
    if (!at->second.config.empty()) mesh.config = at->second.config;
    const auto& dims = v.tensor().tensor_shape().dim();
    if (dims.size() != 3 || dims[2].size() != 3) {
      if (!mesh.isOdd)
        r.problem("malformed", concat(tag, ": a part of a mesh has the shape ", shapeText(v.tensor().tensor_shape()), ", expected [samples, count, 3]"));
      mesh.isOdd = true;
      return;
    }
    mesh.counts[size_t(at->second.kind)] = dims[1].size();
    mesh.samples = dims[0].size();
    if (at->second.kind == MeshPart::Kind::Vertices) mesh.steps.add(step);
  }
  Json print() const {
    static const char* kParts[] = {"", "vertices", "faces", "colors"};
    Json out = Json::array();
    for (const auto& [name, mesh] : meshes_) {
      Json one{{"name", name}, {"points", mesh.steps.points}, {"first_step", mesh.steps.first}, {"last_step", mesh.steps.last}, {"samples", mesh.samples}};
      for (size_t part = 1; part < 4; ++part) one[kParts[part]] = mesh.counts[part] < 0 ? Json(nullptr) : Json(mesh.counts[part]);
      one["config"] = mesh.config;
      out.push_back(std::move(one));
    }
    return out;
  }
  bool isEmpty() const { return meshes_.empty(); }

 private:
  struct Mesh {
    Series steps;
    int64_t samples = 0, counts[4] = {-1, -1, -1, -1};  // by MeshPart::Kind
    std::string config = "{}";
    bool isOdd = false;
  };
  static std::string shapeText(const tf::TensorShapeProto& shape) {
    std::string out = "[";
    for (int i = 0; i < shape.dim_size(); ++i) out += (i ? ", " : "") + std::to_string(shape.dim(i).size());
    return out + "]";
  }

  std::map<std::string, MeshPart> parts_;  // by tag
  std::map<std::string, Mesh> meshes_;     // by name
};

/// What TensorBoard keeps of one run: the steps of each tag's points.
class Run {
 public:
  void add(const tf::Event& event) {
    if (event.what_case() == tf::Event::kFileVersion) {
      const std::string& text = event.file_version();
      const std::string_view prefix = "brain.Event:";
      if (text.compare(0, prefix.size(), prefix) == 0) version_ = std::atof(text.c_str() + prefix.size());
    }
    purge(event);
    switch (event.what_case()) {
      case tf::Event::kGraphDef:
      case tf::Event::kMetaGraphDef: graph_ = true; break;
      case tf::Event::kTaggedRunMetadata: runMetadata_.insert(event.tagged_run_metadata().tag()); break;
      case tf::Event::kSummary:
        for (const auto& v : event.summary().value()) {
          if (v.value_case() == tf::Summary::Value::VALUE_NOT_SET || v.value_case() == tf::Summary::Value::kObsoleteOldStyleHistogram) continue;
          const std::string tag = shownTag(v);
          auto [at, fresh] = tags_.try_emplace(tag);
          if (fresh) {
            const std::string& plugin = v.metadata().plugin_data().plugin_name();
            at->second.plugin = v.has_metadata() && !plugin.empty() ? Json(plugin) : pluginOfType(typeOf(v));
          }
          at->second.steps.push_back(event.step());
        }
        break;
      default: break;
    }
  }

  void print(Json& out) const {
    out["tags"] = Json::array();
    for (const auto& [name, tag] : tags_) {
      if (tag.steps.empty()) continue;
      out["tags"].push_back(
          {{"tag", name}, {"plugin", tag.plugin}, {"points", tag.steps.size()}, {"first_step", tag.steps.front()}, {"last_step", tag.steps.back()}});
    }
    out["graph"] = graph_;
    out["run_metadata"] = runMetadata_;
  }

 private:
  struct Tag {
    Json plugin;
    std::vector<int64_t> steps;
  };

  /// A restarted training writes steps again: points at or after its first step are discarded.
  void purge(const tf::Event& event) {
    const auto drop = [&](Tag& tag) { std::erase_if(tag.steps, [&](int64_t s) { return s >= event.step(); }); };
    if (version_ >= 2) {
      if (event.what_case() == tf::Event::kSessionLog && event.session_log().status() == tf::SessionLog::START && starts_++ > 0)
        for (auto& [name, tag] : tags_) drop(tag);
    } else if (event.has_summary() && event.step() < lastStep_) {
      for (const auto& v : event.summary().value())
        if (const auto at = tags_.find(shownTag(v)); at != tags_.end()) drop(at->second);
    }
    if (event.has_summary()) lastStep_ = event.step();
  }

  std::map<std::string, Tag> tags_;
  std::set<std::string> runMetadata_;
  bool graph_ = false;
  double version_ = 0;
  int64_t lastStep_ = -1;
  int starts_ = 0;
};

/// Folders at or below `folder` that hold event files, with those files sorted by name.
void findRuns(FileSystem& files, const std::string& folder, const std::string& name, int depth, std::map<std::string, std::vector<std::string>>* runs) {
  const auto names = files.list(folder);
  if (!names.ok() || depth > 32) return;
  for (const std::string& n : *names) {
    const std::string path = joinPath(folder, n);
    const auto info = files.stat(path);
    if (!info.ok()) continue;
    if (info->isFolder) {
      findRuns(files, path, name == "." ? n : name + "/" + n, depth + 1, runs);
    } else if (isEventFileName(n) && n.find(".truth.json") == n.npos) {
      (*runs)[name].push_back(path);
    }
  }
}

/// Whether the first record of an uncompressed record file is an Event of an event file; by name, where it cannot be read.
bool isEventFile(Report& r) {
  if (!r.isFile() || r.starts("\x1f\x8b")) return false;
  if (r.name.find("tfevents") != std::string::npos) return true;
  if (!looksLikeRecords(r.head())) return false;
  auto reader = RecordReader::open(r.path, Compression::None, &r.files);
  std::string record;
  if (!reader.ok()) return false;
  auto got = (*reader)->next(&record);
  tf::Event event;
  return got.ok() && *got && record.size() < 4096 && parseWire(record, &event).ok() && event.what_case() == tf::Event::kFileVersion &&
         event.file_version().compare(0, 12, "brain.Event:") == 0;
}

}  // namespace

bool holdsEventFiles(FileSystem& files, const std::string& folder, int depth) {
  std::map<std::string, std::vector<std::string>> runs;
  findRuns(files, folder, ".", depth, &runs);
  return !runs.empty();
}

namespace {

Status reportEvents(Report& r) {
  r.setKind("events");
  r.json["problems"] = Json::array();
  WEFT_LET(auto reader, EventReader::open(r.path, &r.files));
  int64_t records = 0, starts = 0, stops = 0, checkpoints = 0, logs = 0;
  Json version = nullptr, firstTime = nullptr, lastTime = nullptr, graph = nullptr, metaGraph = nullptr, runs = Json::array();
  std::map<std::pair<std::string, std::string>, Series> series;
  std::map<std::string, std::string> plugins;
  Meshes meshes;
  std::string record;
  Status status;
  for (;;) {
    const uint64_t at = reader->offset();
    auto got = reader->nextRecord(&record);
    if (!got.ok()) {
      status = got.error();
      status.error().file.clear();
      if (status.error().kind == "bad_checksum") r.problem("bad_checksum", status.error().message);
      break;
    }
    if (!*got) break;
    tf::Event event;
    Status parsed = parseWire(record, &event);
    if (!parsed.ok()) {
      status = bad("malformed", "the record at ", at, " is no Event: ", parsed.error().message);
      break;
    }
    ++records;
    if (firstTime.is_null()) firstTime = numberJson(event.wall_time());
    lastTime = numberJson(event.wall_time());
    switch (event.what_case()) {
      case tf::Event::kFileVersion:
        if (version.is_null()) version = event.file_version();
        break;
      case tf::Event::kGraphDef: graph = {{"nodes", nodesIn(event.graph_def())}}; break;
      case tf::Event::kMetaGraphDef: metaGraph = {{"nodes", nodesInMeta(event.meta_graph_def())}}; break;
      case tf::Event::kTaggedRunMetadata: runs.push_back(event.tagged_run_metadata().tag()); break;
      case tf::Event::kLogMessage: ++logs; break;
      case tf::Event::kSessionLog:
        starts += event.session_log().status() == tf::SessionLog::START;
        stops += event.session_log().status() == tf::SessionLog::STOP;
        checkpoints += event.session_log().status() == tf::SessionLog::CHECKPOINT;
        break;
      case tf::Event::kSummary:
        for (const auto& v : event.summary().value()) {
          const std::string tag = shownTag(v);
          series[{tag, typeOf(v)}].add(event.step());
          meshes.add(r, tag, v, event.step());
          if (v.has_metadata() && !v.metadata().plugin_data().plugin_name().empty()) plugins.try_emplace(tag, v.metadata().plugin_data().plugin_name());
        }
        break;
      default: break;
    }
  }
  r.json["records"] = records;
  r.json["file_version"] = version;
  r.json["first_wall_time"] = firstTime;
  r.json["last_wall_time"] = lastTime;
  r.json["tags"] = Json::array();
  for (const auto& [key, s] : series) {
    const auto plugin = plugins.find(key.first);
    r.json["tags"].push_back({{"tag", key.first},
                              {"type", key.second},
                              {"plugin", plugin != plugins.end() ? Json(plugin->second) : pluginOfType(key.second)},
                              {"points", s.points},
                              {"first_step", s.first},
                              {"last_step", s.last}});
  }
  if (!meshes.isEmpty()) r.json["meshes"] = meshes.print();
  r.json["graph"] = graph;
  r.json["meta_graph"] = metaGraph;
  r.json["run_metadata"] = runs;
  r.json["session_log"] = {{"start", starts}, {"stop", stops}, {"checkpoint", checkpoints}};
  r.json["log_messages"] = logs;
  if (status.ok() && reader->endsInsideRecord()) r.problem("truncated", concat("truncated record at ", reader->offset()));
  return status;
}

Status reportLogFolder(Report& r) {
  r.setKind("logdir");
  std::map<std::string, std::vector<std::string>> runs;
  findRuns(r.files, r.path, ".", 0, &runs);
  r.json["runs"] = Json::array();
  uint64_t bytes = 0;
  for (const auto& [name, paths] : runs) {
    Run run;
    for (const std::string& path : paths) {
      if (auto info = r.files.stat(path); info.ok()) bytes += info->bytes;
      auto reader = EventReader::open(path, &r.files);
      if (!reader.ok()) {
        r.problem(reader.error().kind, reader.error().message);
        continue;
      }
      std::string record;
      for (;;) {
        auto got = (*reader)->nextRecord(&record);
        if (!got.ok()) {
          r.problem(got.error().kind, concat(path, ": ", got.error().message));
          break;
        }
        if (!*got) {
          if ((*reader)->endsInsideRecord()) r.problem("truncated", concat(path, ": truncated record at ", (*reader)->offset()));
          break;
        }
        tf::Event event;
        if (Status parsed = parseWire(record, &event); !parsed.ok()) {
          r.problem("malformed", concat(path, ": the record before ", (*reader)->offset(), " is no Event: ", parsed.error().message));
          break;
        }
        run.add(event);
      }
    }
    Json out{{"run", name}, {"files", paths.size()}};
    run.print(out);
    r.json["runs"].push_back(std::move(out));
  }
  r.json["bytes"] = bytes;
  addCheckpoints(r);
  return {};
}

}  // namespace

extern const Format kEventsFormat;
const Format kEventsFormat{
    {"events", WEFT_TRANSLATED("FileKinds", "Event file"), WEFT_TRANSLATED("FileKinds", "Summaries of a run, as read by TensorBoard."), ".tfevents"},
    isEventFile,
    reportEvents};

extern const Format kLogFolderFormat;
const Format kLogFolderFormat{
    {"logdir", WEFT_TRANSLATED("FileKinds", "Log folder"), WEFT_TRANSLATED("FileKinds", "Event files of one or more runs."), "", "", true, false},
    [](Report& r) { return r.isFolder() && holdsEventFiles(r.files, r.path); },
    reportLogFolder};

}  // namespace weft::inspect
