#include <random>

#include "kernel/cluster_library.h"
#include "kernel/device.h"
#include "kernel/session_internals.h"
#include "kernel/session_state.h"
#include "weft/server.h"

namespace weft {

TaskServer::TaskServer(std::string name, SessionOptions options)
    : name_(std::move(name)), options_(std::move(options)), state_(std::make_shared<SessionState>()) {
  const auto it = options_.deviceCount.find("CPU");
  std::random_device draw;
  for (int i = 0; i < (it == options_.deviceCount.end() ? 1 : it->second); ++i) {
    const auto device = makeCpuDevice(i, name_);
    uint64_t incarnation = 0;
    while (incarnation == 0) incarnation = uint64_t(draw()) << 32 | draw();
    devices_.push_back({device->name(), device->type(), device->memoryBytes(), incarnation});
  }
}

TaskServer::~TaskServer() { state_->clear(); }  // while the sessions' functions still exist

Result<std::unique_ptr<TaskServer>> TaskServer::create(std::string name, SessionOptions options) {
  WEFT_LET(const DeviceSpec spec, DeviceSpec::parse(name));
  if (spec.job.empty() || spec.task < 0 || spec.replica < 0 || !spec.type.empty()) return invalidArgument("'", name, "' is no task's name");
  return std::unique_ptr<TaskServer>(new TaskServer(std::move(name), std::move(options)));
}

Result<std::unique_ptr<Session>> TaskServer::session(Graph graph, SessionOptions options) {
  options.deviceCount = options_.deviceCount;
  WEFT_LET(auto made, SessionInternals::create(std::move(graph), std::move(options), {name_, state_}));
  keep(*made);
  return made;
}

void TaskServer::keep(const Session& session) {
  const MutexLock lock(mutex_);
  keptAlive_.push_back(SessionInternals::keepAlive(session));
}

void TaskServer::reset(const std::vector<std::string>& containers) {
  if (containers.empty()) state_->clearContainer({});
  for (const std::string& container : containers) state_->clearContainer(container);
}

ClusterServer::~ClusterServer() = default;

Result<std::unique_ptr<ClusterServer>> ClusterServer::start(ServerOptions options) {
  WEFT_LET(ClusterLibrary * library, clusterLibrary());
  return library->serve(std::move(options));
}

Status canStepOn(const std::string& target, const CancellationToken& cancellation) {
  WEFT_LET(ClusterLibrary * library, clusterLibrary());
  return library->canStepOn(target, cancellation);
}

Status resetServer(const std::string& target, const std::vector<std::string>& containers, const SessionOptions& options) {
  WEFT_LET(ClusterLibrary * library, clusterLibrary());
  return library->reset(target, containers, options);
}

}  // namespace weft
