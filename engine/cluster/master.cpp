#include "cluster/master.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "weft/cond_var.h"

namespace weft::cluster {
namespace {

constexpr std::chrono::seconds kReminder{10};
}  // namespace

/// Devices of the tasks that have answered so far. Shared with calls that may end after the wait was given up.
struct Master::Search {
  std::vector<std::string> tasks;
  const std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  Mutex mutex;
  CondVar came;
  std::map<std::string, Result<std::vector<ClusterDevice>>> found WEFT_GUARDED_BY(mutex);
};

Master::Master(Worker& own, Addresses addresses) : own_(own), addresses_(std::move(addresses)) {}

Master::~Master() { closeAll(abortedError("The master was shut down")); }

void Master::closeAll(const Error& why) {
  std::map<std::string, std::shared_ptr<MasterSession>> sessions;
  {
    const MutexLock lock(mutex_);
    sessions.swap(sessions_);
  }
  for (const auto& [handle, session] : sessions) session->close(why);
}

Result<std::vector<ClusterDevice>> Master::findDevices(const std::vector<std::string>& tasks, const CancellationToken& cancellation) const {
  const auto search = std::make_shared<Search>();
  for (const std::string& task : tasks)
    if (task != own_.name()) search->tasks.push_back(task);
  {
    const MutexLock lock(mutex_);
    searches_.insert(search);
  }
  std::vector<std::thread> threads;
  for (const std::string& task : search->tasks) {
    threads.emplace_back([search, task, cancellation, channel = rpc::Channel::to(addresses_.at(task))] {
      auto devices = devicesOf(*channel, cancellation);
      const MutexLock lock(search->mutex);
      search->found.try_emplace(task, std::move(devices));
      search->came.notify_all();
    });
  }
  auto next = std::chrono::steady_clock::now() + kReminder;
  while (!cancellation.cancelled()) {
    const MutexLock lock(search->mutex);
    if (search->found.size() == threads.size()) break;
    search->came.wait_for(search->mutex, std::chrono::milliseconds(10));
    if (std::chrono::steady_clock::now() < next) continue;
    next += kReminder;
    for (const std::string& task : search->tasks)
      if (!search->found.contains(task)) std::fprintf(stderr, "CreateSession still waiting for response from worker: %s\n", task.c_str());
  }
  for (std::thread& thread : threads) thread.join();
  {
    const MutexLock lock(mutex_);
    searches_.erase(search);
  }
  if (cancellation.cancelled()) return cancelledError("CreateSession was cancelled while workers had not answered");
  std::vector<ClusterDevice> out;
  const MutexLock lock(search->mutex);
  for (const std::string& task : tasks) {
    if (task == own_.name()) {
      for (const TaskDevice& device : own_.devices()) out.push_back({device.name, device.type, device.incarnation, int64_t(device.memoryBytes)});
      continue;
    }
    auto& found = search->found.at(task);
    if (!found.ok()) return std::move(found.error());
    out.insert(out.end(), found->begin(), found->end());
  }
  return out;
}

Result<std::shared_ptr<MasterSession>> Master::createSession(std::string graphDef, const std::string& config, const CancellationToken& cancellation) {
  pb::ConfigProto settings;
  if (!settings.ParseFromString(config)) return invalidArgument("the session's configuration of ", config.size(), " bytes cannot be parsed");
  // A filter is compared with tasks before it is with devices: a task that no filter admits need not be there.
  std::vector<ClusterDevice> candidates;
  for (const auto& [task, address] : addresses_) candidates.push_back({task, "CPU", 0, 0});
  const std::vector<std::string> filters(settings.device_filters().begin(), settings.device_filters().end());
  WEFT_LET(candidates, admittedDevices(candidates, filters, own_.name()));
  std::vector<std::string> tasks;
  for (const ClusterDevice& candidate : candidates) tasks.push_back(candidate.name);
  if (std::find(tasks.begin(), tasks.end(), own_.name()) == tasks.end()) tasks.push_back(own_.name());
  WEFT_LET(auto devices, findDevices(tasks, cancellation));
  WEFT_LET(devices, admittedDevices(devices, filters, own_.name()));
  std::map<std::string, std::shared_ptr<Peer>> peers;
  for (const std::string& task : tasks) {
    if (task == own_.name()) peers[task] = localPeer(own_);
    else peers[task] = remotePeer(own_.name(), task, rpc::Channel::to(addresses_.at(task)));
  }
  char handle[20];
  std::snprintf(handle, sizeof(handle), "%016llx", static_cast<unsigned long long>(newRequestId()));
  auto session = std::make_shared<MasterSession>(handle, std::move(settings), std::move(devices), std::move(peers), own_.name());
  WEFT_TRY(session->create(std::move(graphDef), cancellation));
  const MutexLock lock(mutex_);
  sessions_[handle] = session;
  return session;
}

Result<std::shared_ptr<MasterSession>> Master::find(const std::string& handle) const {
  const MutexLock lock(mutex_);
  const auto it = sessions_.find(handle);
  if (it == sessions_.end()) return abortedError("Session ", handle, " is not found. Possibly, this master has restarted.");
  return it->second;
}

void Master::report(TaskReport& report) const {
  std::set<std::shared_ptr<Search>> searches;
  {
    const MutexLock lock(mutex_);
    report.clients = int64_t(sessions_.size());
    searches = searches_;
  }
  std::map<std::string, double> missing;  // with the longest wait
  for (const auto& search : searches) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - search->began).count();
    const MutexLock lock(search->mutex);
    for (const std::string& task : search->tasks)
      if (!search->found.contains(task)) missing[task] = std::max(missing[task], seconds);
  }
  report.missing.assign(missing.begin(), missing.end());
}

Status Master::closeSession(const std::string& handle) {
  WEFT_LET(const auto session, find(handle));
  {
    const MutexLock lock(mutex_);
    sessions_.erase(handle);
  }
  session->close(cancelledError("Session was closed"));
  return {};
}

Status Master::reset(const std::vector<std::string>& containers, const CancellationToken& cancellation) {
  closeAll(abortedError("The session was reset"));
  Status first;
  for (const auto& [task, address] : addresses_) {
    const auto peer = task == own_.name() ? localPeer(own_) : remotePeer(own_.name(), task, rpc::Channel::to(address));
    if (Status status = peer->cleanupAll(containers, cancellation); first.ok()) first = std::move(status);
  }
  return first;
}

}  // namespace weft::cluster
