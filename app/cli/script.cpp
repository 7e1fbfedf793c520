#include "cli/script.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>

#include "support/tensor_json.h"
#include "weft/arrays.h"
#include "weft/graph.h"

namespace weft::cli {
namespace {

std::vector<std::string> namesOf(const Json& run, const char* key) {
  std::vector<std::string> names;
  if (const auto list = run.find(key); list != run.end())
    for (const Json& name : *list) names.push_back(name.get<std::string>());
  return names;
}

Status checkNames(const Json& run, const char* key, const std::string& where) {
  const auto list = run.find(key);
  if (list == run.end()) return {};
  if (!list->is_array()) return invalidArgument(where, ": \"", key, "\" must be a list of names");
  for (const Json& name : *list)
    if (!name.is_string()) return invalidArgument(where, ": \"", key, "\" must be a list of names, has ", name.dump());
  return {};
}

/// Reports each field of a "config" that sessionOptionsFrom() does not read, once each.
Status checkConfig(const Json& config, const std::string& where) {
  static std::set<std::string> told;
  if (!config.is_object()) return invalidArgument(where, ": \"config\" must be an object, is ", config.dump());
  for (const auto& [key, value] : config.items()) {
    const auto wants = [&where, &key = key, &value = value](bool fits, const char* what) -> Status {
      return fits ? Status() : invalidArgument(where, ": \"", key, "\" in \"config\" must be ", what, ", is ", value.dump());
    };
    if (key == "allow_soft_placement" || key == "log_device_placement") {
      WEFT_TRY(wants(value.is_boolean(), "true or false"));
    } else if (key == "operation_timeout_in_ms" || key == "intra_op_parallelism_threads") {
      WEFT_TRY(wants(value.is_number_integer() && value.get<int64_t>() >= 0, "a number that is not negative"));
    } else if (key == "device_count") {
      WEFT_TRY(wants(value.is_object() && std::all_of(value.begin(), value.end(), [](const Json& n) { return n.is_number_integer(); }),
                     "an object of whole numbers"));
    } else if (told.insert(key).second) {
      std::fprintf(stderr, "weft: %s: \"%s\" in \"config\" has no effect here\n", where.c_str(), key.c_str());
    }
  }
  return {};
}

Status checkScript(const Json& script) {
  if (!script.is_object() || !script.contains("sessions") || !script["sessions"].is_array()) return invalidArgument("a script needs a list \"sessions\"");
  int s = 0;
  for (const Json& session : script["sessions"]) {
    const std::string where = concat("session ", s++);
    if (!session.is_object() || !session.contains("graph") || !session["graph"].is_string()) return invalidArgument(where, ": needs a \"graph\"");
    if (const auto config = session.find("config"); config != session.end() && !config->is_null()) WEFT_TRY(checkConfig(*config, where));
    if (!session.contains("runs") || !session["runs"].is_array()) return invalidArgument(where, ": needs a list \"runs\"");
    int r = 0;
    for (const Json& run : session["runs"]) {
      const std::string at = concat(where, " run ", r++);
      if (!run.is_object()) return invalidArgument(at, ": must be an object");
      WEFT_TRY(checkNames(run, "fetches", at));
      WEFT_TRY(checkNames(run, "targets", at));
      if (run.contains("feeds") && !run["feeds"].is_object()) return invalidArgument(at, ": \"feeds\" must be an object");
    }
  }
  return {};
}

/// The graph of a session. As in TensorFlow, unknown ops fail only the runs that need them, but nodes whose inputs do not fit fail the graph.
Result<Graph> loadSessionGraph(const std::string& path) {
  WEFT_LET(auto loaded, loadGraphFile(path));
  for (const Error& problem : loaded.problems)
    if (problem.code != Code::NotFound) return problem;
  return std::move(loaded.meta.graph);
}

}  // namespace

std::string messageWithNode(const Error& error) { return error.node.empty() ? error.message : concat(error.message, "\n\t [[{{node ", error.node, "}}]]"); }

Result<std::string> readTextFile(const std::string& path) {
  if (path == "-") return std::string(std::istreambuf_iterator<char>(std::cin), {});
  std::ifstream file(path, std::ios::binary);
  if (!file) return notFound("cannot be opened").inFile(path);
  return std::string((std::istreambuf_iterator<char>(file)), {});
}

SessionOptions sessionOptionsFrom(const Json& config, SessionOptions base) {
  if (!config.is_object()) return base;
  base.allowSoftPlacement = config.value("allow_soft_placement", base.allowSoftPlacement);
  base.logDevicePlacement = config.value("log_device_placement", base.logDevicePlacement);
  base.operationTimeoutMs = config.value("operation_timeout_in_ms", base.operationTimeoutMs);
  base.threads = config.value("intra_op_parallelism_threads", base.threads);
  if (const auto count = config.find("device_count"); count != config.end() && count->is_object())
    for (const auto& [type, n] : count->items()) base.deviceCount[type] = n.get<int>();
  return base;
}

Result<Script> Script::read(const std::string& path) {
  WEFT_LET(const std::string text, readTextFile(path));
  Script out;
  out.json_ = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (out.json_.is_discarded()) return invalidArgument("is no JSON document").inFile(path);
  if (Status status = checkScript(out.json_); !status.ok()) return status.error().inFile(path);
  if (path != "-") out.folder_ = std::filesystem::path(path).parent_path().string();
  return out;
}

std::vector<std::vector<RunOutcome>> Script::run(const SessionOptions& base, const CancellationToken& stop) const {
  std::vector<std::vector<RunOutcome>> out;
  for (const Json& session : json_["sessions"]) {
    if (stop.cancelled()) break;
    out.push_back(runSession(session, base, stop));
  }
  return out;
}

std::vector<RunOutcome> Script::runSession(const Json& session, const SessionOptions& base, const CancellationToken& stop) const {
  std::vector<RunOutcome> out;
  const std::string name = session["graph"].get<std::string>();
  const std::string path = folder_.empty() || name.starts_with('/') ? name : folder_ + "/" + name;
  auto create = [&]() -> Result<std::unique_ptr<Session>> {
    WEFT_LET(Graph graph, loadSessionGraph(path));
    return Session::create(std::move(graph), sessionOptionsFrom(session.value("config", Json::object()), base));
  };
  const auto created = create();
  RunOptions options;
  options.cancellation = stop;
  for (const Json& run : session["runs"]) {
    if (stop.cancelled()) break;
    if (!created.ok()) {
      out.push_back(created.error());
      continue;
    }
    auto step = [&]() -> RunOutcome {
      std::vector<std::pair<std::string, Tensor>> feeds;
      if (const auto given = run.find("feeds"); given != run.end())
        for (const auto& [tensor, value] : given->items()) {
          WEFT_LET(Tensor t, app::tensorFromJson(value, folder_));
          feeds.emplace_back(tensor, std::move(t));
        }
      return created.value()->run(feeds, namesOf(run, "fetches"), namesOf(run, "targets"), options);
    };
    out.push_back(step());
  }
  return out;
}

Result<std::string> resultsToJson(const std::vector<std::vector<RunOutcome>>& outcomes, const std::string& path, int64_t inlineElements) {
  namespace fs = std::filesystem;
  const fs::path file(path);
  int arrays = 0;
  Json sessions = Json::array();
  for (const auto& session : outcomes) {
    Json runs = Json::array();
    for (const RunOutcome& run : session) {
      if (!run.ok()) {
        runs.push_back({{"error", {{"code", codeName(run.error().code)}, {"message", messageWithNode(run.error())}}}});
        continue;
      }
      Json values = Json::array();
      for (const Tensor& t : *run) {
        const bool asFile = path != "-" && t.elements() > inlineElements && sizeOf(t.dtype()) > 0 && t.dtype() != DType::BFloat16;
        if (!asFile) {
          values.push_back(app::tensorToJson(t));
          continue;
        }
        const std::string name = concat(file.stem().string(), "-", arrays++, ".npy");
        WEFT_TRY(saveNpy((file.parent_path() / name).string(), t));
        values.push_back({{"dtype", dtypeName(t.dtype())}, {"shape", t.shape().toVector()}, {"npy", name}});
      }
      runs.push_back({{"values", std::move(values)}});
    }
    sessions.push_back({{"runs", std::move(runs)}});
  }
  return Json{{"sessions", std::move(sessions)}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace weft::cli
