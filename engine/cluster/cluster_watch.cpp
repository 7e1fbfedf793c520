#include "cluster/cluster_watch.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "cluster/addresses.h"
#include "cluster/describe.h"
#include "cluster/messages.h"
#include "cluster/proto/worker.pb.h"
#include "rpc/channel.h"
#include "runtime/cluster_placement.h"
#include "weft/cond_var.h"

namespace weft::cluster {
namespace {

using WatchClock = std::chrono::steady_clock;
using Fields = google::protobuf::RepeatedPtrField<pb::DeviceAttributes>;

constexpr int kRounds = 2;  // the second one asks the tasks that the first one told of
constexpr std::chrono::seconds kListAgain{10};
constexpr std::chrono::milliseconds kListPatience{400}, kListLate{2000};

double secondsSince(WatchClock::time_point then) { return std::chrono::duration<double>(WatchClock::now() - then).count(); }

std::string hostOf(const std::string& address) { return address.substr(0, address.rfind(':')); }
bool isThisMachine(const std::string& host) { return host == "localhost" || host == "127.0.0.1"; }

/// Both names of this machine are one.
std::string oneName(const std::string& address) { return isThisMachine(hostOf(address)) ? "localhost" + address.substr(hostOf(address).size()) : address; }

void addDevices(const Fields& fields, std::map<std::string, std::vector<TaskDevice>>& byTask) {
  for (const pb::DeviceAttributes& d : fields)
    byTask[std::string(taskOfDevice(d.name()))].push_back({d.name(), d.device_type(), size_t(std::max<int64_t>(0, d.memory_limit())), d.incarnation()});
}

/// The answers of some tasks. Shared with calls that may end later.
struct Round {
  Mutex mutex;
  CondVar came;
  size_t open WEFT_GUARDED_BY(mutex) = 0;
  std::map<std::string, Result<rpc::Bytes>> status WEFT_GUARDED_BY(mutex), report WEFT_GUARDED_BY(mutex);  // by address
};

/// A ListDevices of a TensorFlow master, which answers once all tasks of its cluster do.
struct Listing {
  const WatchClock::time_point began = WatchClock::now();
  Mutex mutex;
  CondVar came;
  std::optional<Result<rpc::Bytes>> answer WEFT_GUARDED_BY(mutex);
};

struct KnownTask {
  std::shared_ptr<rpc::Channel> channel;
  std::string expected;  // name, by the cluster's map; empty: not known
  std::string name;      // as it answered
  std::vector<TaskDevice> devices;
  std::optional<WatchClock::time_point> answered, restarted;
  int restarts = 0;
  bool ofTensorFlow = false;
};

class Watch final : public ClusterWatch {
 public:
  Watch(const std::string& address, const Addresses& addresses) : target_(oneName(address)) {
    know(target_, {});
    bool isThere = false;
    for (const auto& [job, tasks] : addresses)
      for (const auto& [task, there] : tasks) isThere |= oneName(there) == target_;
    if (isThere) knowAll(addresses);
  }
  ~Watch() override {
    if (stopListing_) stopListing_();
  }

  ClusterStatus look(int64_t timeoutMs, const CancellationToken& cancellation) override {
    std::map<std::string, TaskStatus> seen;  // by address
    for (int round = 0; round < kRounds && !cancellation.cancelled(); ++round) {
      std::vector<std::string> addresses;
      for (const auto& [address, task] : tasks_)
        if (!seen.contains(address)) addresses.push_back(address);
      if (addresses.empty()) break;
      ask(addresses, timeoutMs, cancellation, seen);
    }
    ClusterStatus out;
    std::set<std::string> names;
    for (auto& [address, task] : seen) {
      if (!tasks_.contains(address)) continue;
      names.insert(task.name);
      out.tasks.push_back(std::move(task));
    }
    if (tasks_.size() == 1 && tasks_.begin()->second.ofTensorFlow && !cancellation.cancelled()) {
      list(cancellation);
      out.waitsForTasks = listing_ && WatchClock::now() - listing_->began > kListLate;
      for (const auto& [name, devices] : listed_) {
        if (!names.insert(name).second) continue;
        TaskStatus task;
        task.name = name;
        task.state = TaskStatus::State::Listed;
        task.devices = devices;
        task.sinceAnswer = -1;
        out.tasks.push_back(std::move(task));
      }
    }
    std::sort(out.tasks.begin(), out.tasks.end(), [](const TaskStatus& a, const TaskStatus& b) { return a.name < b.name; });
    return out;
  }

 private:
  void know(const std::string& address, const std::string& name) {
    KnownTask& task = tasks_[address];
    if (!task.channel) task.channel = rpc::Channel::to(address);
    if (!name.empty()) task.expected = name;
  }

  void knowAll(const Addresses& addresses) {
    const std::string here = hostOf(target_);
    for (const auto& [job, tasks] : addresses) {
      for (const auto& [number, address] : tasks) {
        // What calls itself localhost on another machine is on that machine.
        const std::string host = hostOf(address);
        const std::string reached = isThisMachine(host) && !isThisMachine(here) ? here + address.substr(host.size()) : oneName(address);
        const std::string name = taskName(job, number);
        const bool isTarget = tasks_[target_].name == name;  // which may have several addresses
        if (reached.ends_with(":0") && !isTarget) continue;
        know(isTarget ? target_ : reached, name);
      }
    }
  }

  /// Calls all at once, waits, and notes what has come.
  void ask(const std::vector<std::string>& addresses, int64_t timeoutMs, const CancellationToken& cancellation, std::map<std::string, TaskStatus>& seen) {
    const auto round = std::make_shared<Round>();
    std::vector<std::function<void()>> stops;
    const auto call = [&](const KnownTask& task, const char* method, std::map<std::string, Result<rpc::Bytes>> Round::*into) {
      {
        const MutexLock lock(round->mutex);
        ++round->open;
      }
      stops.push_back(task.channel->start(method, rpc::Bytes(), timeoutMs, [round, into, address = task.channel->address()](Result<rpc::Bytes> bytes) {
        const MutexLock lock(round->mutex);
        ((*round).*into).try_emplace(address, std::move(bytes));
        --round->open;
        round->came.notify_all();
      }));
    };
    for (const std::string& address : addresses) {
      const KnownTask& task = tasks_[address];
      call(task, "/tensorflow.WorkerService/GetStatus", &Round::status);
      if (!task.ofTensorFlow) call(task, kDescribe, &Round::report);
    }
    {
      const MutexLock lock(round->mutex);
      while (round->open > 0 && !cancellation.cancelled()) round->came.wait_for(round->mutex, std::chrono::milliseconds(10));
    }
    if (cancellation.cancelled())
      for (const auto& stop : stops) stop();
    const MutexLock lock(round->mutex);
    for (const std::string& address : addresses) {
      const auto status = round->status.find(address);
      const auto report = round->report.find(address);
      seen[address] =
          take(address, status == round->status.end() ? nullptr : &status->second, report == round->report.end() ? nullptr : &report->second, timeoutMs);
    }
    for (const auto& [address, task] : seen)
      if (task.report) knowAll(task.report->cluster);
  }

  TaskStatus take(const std::string& address, const Result<rpc::Bytes>* status, const Result<rpc::Bytes>* report, int64_t timeoutMs) {
    KnownTask& task = tasks_[address];
    TaskStatus out;
    out.address = address;
    out.isTarget = address == target_;
    pb::GetStatusResponse response;
    if (!status) out.problem = "it was not asked to the end";
    else if (!status->ok())
      out.problem = status->error().code == Code::DeadlineExceeded ? concat("no answer within ", timeoutMs, " ms") : status->error().message;
    else if (const Status parsed = parse(**status, "GetStatusResponse", &response); !parsed.ok()) out.problem = parsed.error().message;
    else answered(task, response, out);
    if (out.state == TaskStatus::State::Answers && report) takeReport(*report, task, out);
    out.name = task.name.empty() ? task.expected : task.name;
    out.devices = task.devices;
    out.restarts = task.restarts;
    if (task.restarted) out.sinceRestart = secondsSince(*task.restarted);
    out.sinceAnswer = task.answered ? secondsSince(*task.answered) : -1;
    return out;
  }

  static void answered(KnownTask& task, const pb::GetStatusResponse& response, TaskStatus& out) {
    out.state = TaskStatus::State::Answers;
    task.answered = WatchClock::now();
    std::map<std::string, std::vector<TaskDevice>> byTask;
    addDevices(response.device_attributes(), byTask);
    if (byTask.empty()) return;
    auto& [name, devices] = *byTask.begin();
    if (!task.devices.empty() && task.devices[0].incarnation != devices[0].incarnation) {
      ++task.restarts;
      task.restarted = task.answered;
      task.ofTensorFlow = false;  // it may be another program
    }
    task.name = name;
    task.devices = std::move(devices);
    if (!task.expected.empty() && task.expected != task.name) out.problem = concat("it answers as ", task.name, ", expected ", task.expected);
  }

  static void takeReport(const Result<rpc::Bytes>& bytes, KnownTask& task, TaskStatus& out) {
    pb::DescribeResponse response;
    if (!bytes.ok()) task.ofTensorFlow = bytes.error().code == Code::Unimplemented;
    else if (parse(*bytes, "DescribeResponse", &response).ok()) out.report = reportOf(response);
  }

  /// Asks a TensorFlow master for the tasks of its cluster. It answers once all of them do, and waits for them until then even if nobody waits for the answer.
  /// So there is one such call at a time, and it is not given up.
  void list(const CancellationToken& cancellation) {
    if (!listing_ && (!listedAt_ || WatchClock::now() - *listedAt_ > kListAgain)) {
      const auto listing = listing_ = std::make_shared<Listing>();
      stopListing_ =
          tasks_[target_].channel->start("/tensorflow.MasterService/ListDevices", bufferOf(pb::ListDevicesRequest()), 0, [listing](Result<rpc::Bytes> bytes) {
            const MutexLock lock(listing->mutex);
            listing->answer = std::move(bytes);
            listing->came.notify_all();
          });
    }
    if (!listing_) return;
    std::optional<Result<rpc::Bytes>> answer;
    {
      const MutexLock lock(listing_->mutex);
      const auto until = listing_->began + kListPatience;
      while (!listing_->answer && WatchClock::now() < until && !cancellation.cancelled())
        listing_->came.wait_for(listing_->mutex, std::chrono::milliseconds(10));
      answer = listing_->answer;
    }
    if (!answer) return;
    listing_ = nullptr;
    stopListing_ = nullptr;
    listedAt_ = WatchClock::now();
    pb::ListDevicesResponse response;
    if (!answer->ok() || !parse(**answer, "ListDevicesResponse", &response).ok()) return;
    listed_.clear();
    addDevices(response.local_device(), listed_);
    addDevices(response.remote_device(), listed_);
  }

  const std::string target_;
  std::map<std::string, KnownTask> tasks_;  // by address
  std::shared_ptr<Listing> listing_;        // in flight
  std::function<void()> stopListing_;
  std::optional<WatchClock::time_point> listedAt_;
  std::map<std::string, std::vector<TaskDevice>> listed_;
};

}  // namespace

std::unique_ptr<ClusterWatch> makeWatch(std::string address, ClusterWatch::Addresses addresses) { return std::make_unique<Watch>(address, addresses); }

}  // namespace weft::cluster
