#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "weft/graph.h"
#include "weft/server.h"

// Several tasks in the test's process, on free ports of this machine.
namespace weft {

inline std::vector<int> freePorts(size_t count) {
  std::vector<int> sockets, ports;
  for (size_t i = 0; i < count; ++i) {
    const int s = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof(address);
    if (::bind(s, reinterpret_cast<sockaddr*>(&address), length) == 0 && ::getsockname(s, reinterpret_cast<sockaddr*>(&address), &length) == 0)
      ports.push_back(ntohs(address.sin_port));
    sockets.push_back(s);
  }
  for (const int s : sockets) ::close(s);
  return ports;
}

/// The error of a result, for QVERIFY2; empty if there is none.
template <typename T>
std::string problemOf(const Result<T>& result) {
  return result.ok() ? std::string() : result.error().toString();
}
inline std::string problemOf(const Status& status) { return status.ok() ? std::string() : status.error().toString(); }
#define VERIFY_OK(...) QCOMPARE(problemOf(__VA_ARGS__), std::string())

class ClusterOfTasks {
 public:
  /// Jobs with their numbers of tasks: {{"ps", 1}, {"worker", 2}}.
  explicit ClusterOfTasks(const std::map<std::string, int>& jobs) {
    size_t count = 0;
    for (const auto& [job, tasks] : jobs) count += size_t(tasks);
    const std::vector<int> ports = freePorts(count);
    size_t next = 0;
    for (const auto& [job, tasks] : jobs)
      for (int task = 0; task < tasks; ++task) addresses[job][task] = "localhost:" + std::to_string(ports.at(next++));
  }

  /// The error of the first task that does not start; empty if all do.
  std::string startAll() {
    for (const auto& [job, tasks] : addresses)
      for (const auto& [task, address] : tasks)
        if (std::string why = start(job, task); !why.empty()) return why;
    return {};
  }
  std::string start(const std::string& job, int task) {
    ServerOptions options;
    options.cluster = addresses;
    options.job = job;
    options.task = task;
    auto server = ClusterServer::start(std::move(options));
    if (!server.ok()) return server.error().toString();
    servers[job + ":" + std::to_string(task)] = std::move(*server);
    return {};
  }
  void stop(const std::string& job, int task) { servers.erase(job + ":" + std::to_string(task)); }
  /// Sessions of this process run a master of this process without a connection. With WEFT_TEST_CONNECTED in the environment, masters go by another name, so that
  /// the same tests run as between processes.
  std::string target(const std::string& job, int task = 0) const {
    const std::string& address = addresses.at(job).at(task);
    return "grpc://" + (::getenv("WEFT_TEST_CONNECTED") ? "127.0.0.1" + address.substr(address.rfind(':')) : address);
  }

  /// A session on the master of a task.
  Result<std::unique_ptr<Session>> session(const std::string& text, const std::string& job = "worker", int task = 0, SessionOptions options = {}) const {
    WEFT_LET(auto loaded, loadGraphBytes(std::make_shared<const std::string>(text), "the test's graph"));
    options.target = target(job, task);
    if (options.operationTimeoutMs == 0) options.operationTimeoutMs = 60000;
    return Session::create(std::move(loaded.meta.graph), std::move(options));
  }

  std::map<std::string, std::map<int, std::string>> addresses;
  std::map<std::string, std::unique_ptr<ClusterServer>> servers;
};

}  // namespace weft
