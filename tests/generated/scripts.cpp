#include "scripts.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "drawing.h"
#include "support/tensor_json.h"

namespace weft::generated {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Ops whose outcome depends on more than their inputs, files and seeds.
bool unfit(const std::string& op) {
  for (const char* part : {"Print", "Debug", "Timestamp", "Abort", "Python", "PyFunc"})
    if (op.find(part) != std::string::npos) return true;
  return false;
}

std::vector<std::string> namesOf(const Json& run, const char* key) {
  std::vector<std::string> out;
  if (const auto it = run.find(key); it != run.end())
    for (const Json& name : *it) out.push_back(name.get<std::string>());
  return out;
}

/// One session of a script; nothing if it is not for generated graphs.
std::optional<ScriptCase> sessionOf(const Json& session, const fs::path& folder) {
  if (session.contains("config")) return std::nullopt;
  auto loaded = loadGraphFile((folder / session["graph"].get<std::string>()).string());
  if (!loaded.ok() || !loaded->problems.empty() || loaded->meta.graph.nodeCount() > 150) return std::nullopt;
  ScriptCase out;
  out.graph = std::move(loaded->meta.graph);
  for (int id = 0; id < out.graph.size(); ++id) {
    const Node* n = out.graph.node(id);
    if (n && (!n->record || unfit(n->op))) return std::nullopt;
    // Without seeds the numbers are others in each run.
    if (n && n->record->findAttr("seed2") && n->attrs.integer("seed") == 0 && n->attrs.integer("seed2") == 0) return std::nullopt;
  }
  for (const Json& run : session["runs"]) {
    Step step;
    step.fetches = namesOf(run, "fetches");
    step.targets = namesOf(run, "targets");
    for (const std::string& f : step.fetches)
      if (const auto o = out.graph.findOutput(f); !o.ok() || !fetchable(out.graph.dtype(*o))) return std::nullopt;
    if (const auto feeds = run.find("feeds"); feeds != run.end()) {
      for (const auto& [name, value] : feeds->items()) {
        auto tensor = app::tensorFromJson(value, folder.string());
        if (!tensor.ok()) return std::nullopt;
        step.feeds.emplace_back(name, std::move(*tensor));
      }
    }
    // After a failure the session's state depends on how it was run: the script ends there.
    if (run.contains("error")) break;
    out.steps.push_back(std::move(step));
  }
  if (out.steps.empty()) return std::nullopt;
  for (int id = 0; id < out.graph.size(); ++id)
    for (const char* part : {"File", "Save", "Restore", "Record", "Summary", "Checkpoint", "Matching", "Cache", "Vocab"})
      if (const Node* n = out.graph.node(id); n && n->op.find(part) != std::string::npos) out.files["here"] = "";  // a separate directory
  std::error_code failed;
  for (const auto& entry : fs::recursive_directory_iterator(folder, failed)) {
    if (!entry.is_regular_file() || entry.file_size() > 65536 || entry.path().filename() == "script.json" || entry.path().extension() == ".pb") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    out.files[fs::relative(entry.path(), folder).string()] = std::string((std::istreambuf_iterator<char>(file)), {});
  }
  return out;
}

}  // namespace

Result<std::vector<ScriptCase>> readScripts(const std::string& folder) {
  std::vector<fs::path> folders;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (fs::exists(entry.path() / "script.json")) folders.push_back(entry.path());
  if (folders.empty()) return notFound("no NAME/script.json here").inFile(folder);
  std::sort(folders.begin(), folders.end());
  std::vector<ScriptCase> out;
  for (const fs::path& path : folders) {
    std::ifstream file(path / "script.json", std::ios::binary);
    const Json json = Json::parse(std::string((std::istreambuf_iterator<char>(file)), {}), nullptr, false);
    if (json.is_discarded()) return invalidArgument("no JSON").inFile((path / "script.json").string());
    for (const Json& session : json["sessions"]) {
      if (auto one = sessionOf(session, path)) {
        one->name = path.filename().string();
        out.push_back(std::move(*one));
      }
    }
  }
  return out;
}

bool drawScript(Drawing& d) {
  const ScriptCase& script = d.random_.pick(d.sources_.scripts);
  const std::string prefix = concat("s", d.nextName_++, "_");
  if (script.graph.functions && d.meta_.graph.functions) return false;
  if (!script.files.empty() && !d.files_.empty()) return false;
  const MetaGraph before = d.meta_;
  if (script.graph.functions) d.meta_.graph.functions = script.graph.functions;
  d.meta_.graph.versions = script.graph.versions;
  const int offset = d.meta_.graph.size();
  // Ids are kept as they are, shifted; gaps of removed nodes would break that.
  for (int id = 0; id < script.graph.size(); ++id) {
    const Node* old = script.graph.node(id);
    Node n = old ? *old : Node{};
    if (!old) return d.meta_ = before, false;
    n.id = -1;
    n.raw = nullptr;
    n.name = prefix + n.name;
    for (Output& in : n.inputs) in.node += offset;
    for (int& c : n.controls) c += offset;
    if (const Attr* classes = n.attrs.find("_class"); classes) {
      std::vector<std::string> list = n.attrs.list<std::string>("_class");
      for (std::string& c : list)
        if (c.starts_with("loc:@")) c = "loc:@" + prefix + c.substr(5);
      n.attrs.set("_class", list);
    }
    n.attrs.erase("_output_shapes");
    if (!d.meta_.graph.add(std::move(n)).ok()) return d.meta_ = before, false;
  }
  d.builder_ = std::make_unique<GraphBuilder>(d.meta_);
  d.files_ = script.files;
  for (Step step : script.steps) {
    for (auto& [name, value] : step.feeds) name = prefix + name;
    for (std::string& f : step.fetches) {
      f = prefix + f;
      // Its results may feed the graph's other ops only if it leaves no state behind.
    }
    for (std::string& t : step.targets) t = prefix + t;
    d.scripted_.push_back(std::move(step));
  }
  return true;
}

}  // namespace weft::generated
