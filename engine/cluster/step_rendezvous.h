#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "cluster/addresses.h"
#include "kernel/rendezvous.h"
#include "rpc/channel.h"
#include "rpc/cork.h"
#include "weft/cluster_status.h"
#include "weft/mutex.h"

namespace weft::cluster {

/// The rendezvous of a step in one task of a cluster: what this task sends waits here, what another task sends is asked for there (RecvTensor).
class StepRendezvous final : public Rendezvous, public std::enable_shared_from_this<StepRendezvous> {
 public:
  /// `task`: this one's name.
  StepRendezvous(int64_t step, std::string task) : step_(step), task_(std::move(task)) {}

  /// Before the step's graph runs here, with the connections to the other tasks; a RecvTensor of another task may come earlier.
  void begin(std::shared_ptr<TaskChannels> tasks);
  /// After it has run.
  void end();
  /// What the step awaits now; nothing unless it runs.
  std::optional<RunningStep> running() const;

  Status send(const std::string& key, Tensor value, bool dead) override { return local_.send(key, std::move(value), dead); }
  Cancel receive(const std::string& key, Done done) override;
  std::shared_ptr<void> together() override;
  bool help(int milliseconds, const std::atomic<bool>& finished) override;
  /// Marks errors that only followed from another as derived, so that the master reports the first one.
  void abort(Error why) override;
  /// A tensor that this task sends, for another task.
  Cancel receiveHere(const std::string& key, Done done) { return local_.receive(key, std::move(done)); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Call {
    std::shared_ptr<rpc::Channel> channel;
    std::string key;
    Clock::time_point since;
    std::function<void()> cancel;
  };
  Cancel receiveFrom(const std::string& task, const std::string& key, Done done);

  const int64_t step_;
  const std::string task_;
  LocalRendezvous local_;
  mutable Mutex mutex_;
  bool runs_ WEFT_GUARDED_BY(mutex_) = false;
  Clock::time_point began_ WEFT_GUARDED_BY(mutex_);
  std::shared_ptr<TaskChannels> tasks_ WEFT_GUARDED_BY(mutex_);
  std::map<int64_t, Call> calls_ WEFT_GUARDED_BY(mutex_);  ///< In flight.
  int64_t made_ WEFT_GUARDED_BY(mutex_) = 0;
  Status ended_ WEFT_GUARDED_BY(mutex_);
};

/// Text before the message of an error that only followed from another task's, as TensorFlow 1.15 marks it.
inline constexpr std::string_view kDerived = "[_Derived_]";
bool isDerived(const Error& error);

}  // namespace weft::cluster
