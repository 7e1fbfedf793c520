// Parts of a graph for several tasks of one process, as a master would register them, and steps that run them together.
#pragma once

#include <QString>
#include <QStringList>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "runtime/partition_run.h"
#include "support/graph_text.h"
#include "weft/graph.h"

namespace weft::tests {

/// Devices of tasks 0 to 2, by letter: 'p' is a parameter server, 'w' and 'x' are workers.
inline std::string taskOf(char task) {
  return task == 'p' ? "/job:ps/replica:0/task:0" : task == 'w' ? "/job:worker/replica:0/task:0" : "/job:worker/replica:0/task:1";
}
inline std::string deviceOf(char task, int cpu = 0) { return taskOf(task) + "/device:CPU:" + std::to_string(cpu); }

inline std::string typed(const std::string& key, const std::string& type = "DT_FLOAT") { return attr(key, "type: " + type); }
inline std::string scalar(const std::string& name, float v, const std::vector<std::string>& controls = {}) {
  return node(name, "Const", controls, typed("dtype") + attr("value", "tensor { dtype: DT_FLOAT tensor_shape {} float_val: " + std::to_string(v) + " }"));
}
inline std::string op(const std::string& name, const std::string& kind, const std::vector<std::string>& inputs, const std::string& more = "") {
  return node(name, kind, inputs, typed("T") + more);
}

/// The attributes of an edge without those that have their default, as masters strip them.
inline std::string edge(const std::string& tensor, char from, char to, const std::string& more) {
  return attr("tensor_name", "s: '" + tensor + "'") + attr("send_device", "s: '" + deviceOf(from) + "'") + attr("recv_device", "s: '" + deviceOf(to) + "'") +
         attr("send_device_incarnation", from == 'p' ? "i: 1811028921319476965" : "i: -1288262640672223188") + more;
}
inline std::string send(const std::string& name, const std::string& input, const std::string& tensor, char from, char to, const std::string& type = "DT_FLOAT",
                        const std::string& more = "") {
  return node(name, "_Send", {input}, typed("T", type) + edge(tensor, from, to, more));
}
inline std::string recv(const std::string& name, const std::string& tensor, char from, char to, const std::string& type = "DT_FLOAT",
                        const std::vector<std::string>& controls = {}, const std::string& more = "") {
  return node(name, "_Recv", controls, typed("tensor_type", type) + edge(tensor, from, to, more));
}
inline std::string feed(const std::string& name, const std::string& tensor, char task, const std::string& type = "DT_FLOAT") {
  return recv(name, tensor, task, task, type, {}, attr("client_terminated", "b: true"));
}
inline std::string fetch(const std::string& name, const std::string& input, const std::string& tensor, char task, const std::string& type = "DT_FLOAT") {
  return send(name, input, tensor, task, task, type, attr("client_terminated", "b: true"));
}
inline std::string keyOf(const std::string& tensor, char from, char to, const std::string& frame = "0:0") {
  return deviceOf(from) + (from == 'p' ? ";192211356d34cee5;" : ";ee1f2bf42d53502c;") + deviceOf(to) + ";" + tensor + ";" + frame;
}

inline Graph partition(const std::string& text, int producer = 134) {
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(text + "versions { producer: " + std::to_string(producer) + " }"), "test");
  if (!loaded.ok()) qFatal("%s", loaded.error().toString().c_str());
  return loaded->meta.graph;
}

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;
/// What a task's part of a step gave: "5, dead", or the error.
inline QString inWords(const Result<std::vector<Received>>& r) {
  if (!r.ok()) return QString::fromStdString(r.error().toString());
  QStringList out;
  for (const Received& one : *r) {
    if (one.dead) out << "dead";
    else if (one.value.dtype() == DType::String) out << QString::fromStdString(one.value.at<std::string>(0));
    else out << QString::number(one.value.asDouble(0));
  }
  return out.join(", ");
}

/// Tasks and one worker session in each.
class Tasks {
 public:
  explicit Tasks(const std::string& letters, int cpus = 1) {
    for (const char c : letters) {
      SessionOptions options;
      options.deviceCount["CPU"] = cpus;
      auto made = TaskServer::create(taskOf(c), options);
      if (!made.ok()) qFatal("%s", made.error().toString().c_str());
      tasks_[c] = std::move(*made);
      sessions_[c] = std::make_shared<WorkerSession>(*tasks_[c]);
    }
  }
  TaskServer& server(char task) { return *tasks_.at(task); }
  std::shared_ptr<const WorkerSession> session(char task) const { return sessions_.at(task); }
  std::unique_ptr<PartitionRunner> add(char task, const std::string& text, int producer = 134) {
    auto made = PartitionRunner::create(session(task), partition(text, producer));
    if (!made.ok()) qFatal("%s", made.error().toString().c_str());
    return std::move(*made);
  }

 private:
  std::map<char, std::unique_ptr<TaskServer>> tasks_;
  std::map<char, std::shared_ptr<WorkerSession>> sessions_;
};

/// One task's part of a step.
struct Part {
  PartitionRunner* runner;
  NamedTensors feeds = {};
  std::vector<std::string> fetches = {};
};

/// Runs the parts of one step at once, each in its thread, and says what each gave.
inline std::vector<QString> together(const std::vector<Part>& parts, std::shared_ptr<Rendezvous> rendezvous = nullptr, const RunOptions& options = {}) {
  static std::atomic<int64_t> steps{1};
  if (!rendezvous) rendezvous = std::make_shared<LocalRendezvous>();
  const PartitionRunner::Step step{steps++, rendezvous};
  std::vector<QString> out(parts.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < parts.size(); ++i)
    threads.emplace_back([&, i] { out[i] = inWords(parts[i].runner->run(step, parts[i].feeds, parts[i].fetches, options)); });
  for (std::thread& t : threads) t.join();
  return out;
}

}  // namespace weft::tests
