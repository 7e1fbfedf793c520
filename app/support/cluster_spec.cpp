#include "support/cluster_spec.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace weft {
namespace {

using SpecJson = nlohmann::json;

constexpr int kMostTasks = 1 << 20;
constexpr const char* kClusterForm = "expected {\"job\": [\"host:port\", …], …}";

std::optional<int> wholeNumber(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

std::string shortText(const SpecJson& json) {
  std::string text = json.dump(-1, ' ', false, SpecJson::error_handler_t::replace);
  constexpr size_t kMost = 100;
  return text.size() > kMost ? text.substr(0, kMost) + "…" : text;
}

Result<ClusterJobs> jobsOf(const SpecJson& json) {
  if (!json.is_object() || json.empty()) return invalidArgument("the cluster is ", shortText(json), ", ", kClusterForm);
  ClusterJobs jobs;
  for (const auto& [job, tasks] : json.items()) {
    if ((!tasks.is_array() && !tasks.is_object()) || tasks.empty())
      return invalidArgument("the tasks of job ", job, " are ", shortText(tasks), ", expected a list of addresses");
    int next = 0;
    for (const auto& [key, address] : tasks.items()) {
      const auto task = tasks.is_array() ? std::optional(next++) : wholeNumber(key);
      if (!task || *task >= kMostTasks) return invalidArgument("job ", job, " has a task \"", key, "\", expected a number");
      if (!address.is_string()) return invalidArgument("task ", key, " of job ", job, " is ", shortText(address), ", expected \"host:port\"");
      WEFT_TRY(checkAddress(job, *task, address.get<std::string>()));
      jobs[job][*task] = address.get<std::string>();
    }
  }
  return jobs;
}

}  // namespace

Status checkAddress(const std::string& job, int task, const std::string& address) {
  const size_t colon = address.rfind(':');
  const auto port = colon == std::string::npos || colon == 0 ? std::nullopt : wholeNumber(std::string_view(address).substr(colon + 1));
  if (port && *port <= 65535) return {};
  return invalidArgument("task ", task, " of job ", job, " has the address \"", address, "\", expected \"host:port\"");
}

Result<TfConfig> readTfConfig(const std::string& text) {
  const SpecJson json = SpecJson::parse(text, nullptr, false);
  if (!json.is_object()) return invalidArgument("not a JSON object such as {\"cluster\": {…}, \"task\": {\"type\": …, \"index\": …}}");
  TfConfig config;
  if (!json.contains("cluster")) return config;
  WEFT_LET(config.cluster, jobsOf(json["cluster"]));
  if (!json.contains("task")) return config;
  const SpecJson& task = json["task"];
  if (!task.is_object()) return invalidArgument("the task is ", shortText(task), ", expected {\"type\": …, \"index\": …}");
  if (task.contains("type")) {
    if (!task["type"].is_string()) return invalidArgument("the task's type is ", shortText(task["type"]), ", expected the name of a job");
    config.job = task["type"].get<std::string>();
  }
  if (task.contains("index")) {
    const SpecJson& index = task["index"];
    if (index.is_number_integer() && index.get<int64_t>() >= 0 && index.get<int64_t>() < kMostTasks) config.task = index.get<int>();
    else if (index.is_string()) config.task = wholeNumber(index.get<std::string>());  // as start scripts write it
    if (!config.task) return invalidArgument("the task's index is ", shortText(index), ", expected a number");
  }
  return config;
}

Result<ClusterJobs> readClusterJson(const std::string& text) {
  const SpecJson json = SpecJson::parse(text, nullptr, false);
  if (json.is_discarded()) return invalidArgument("not JSON, ", kClusterForm);
  return jobsOf(json.is_object() && json.contains("cluster") && json["cluster"].is_object() ? json["cluster"] : json);
}

Status addJob(const std::string& word, ClusterJobs& jobs) {
  const size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) return invalidArgument("the cluster's part \"", word, "\" is not of the form job=host:port,…");
  const std::string job = word.substr(0, equals);
  auto& tasks = jobs[job];
  for (size_t at = equals + 1; at <= word.size();) {
    const size_t comma = std::min(word.find(',', at), word.size());
    const int task = tasks.empty() ? 0 : tasks.rbegin()->first + 1;
    tasks[task] = word.substr(at, comma - at);
    WEFT_TRY(checkAddress(job, task, tasks[task]));
    at = comma + 1;
  }
  return {};
}

}  // namespace weft
