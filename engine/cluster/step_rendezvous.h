#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "cluster/addresses.h"
#include "kernel/rendezvous.h"
#include "rpc/channel.h"
#include "rpc/cork.h"
#include "weft/mutex.h"

namespace weft::cluster {

/// The rendezvous of a step in one task of a cluster: what this task sends waits here, what another task sends is asked for there (RecvTensor).
class StepRendezvous final : public Rendezvous, public std::enable_shared_from_this<StepRendezvous> {
 public:
  /// `task`: this one's name.
  StepRendezvous(int64_t step, std::string task) : step_(step), task_(std::move(task)) {}

  /// Where the other tasks are. Set before the step's graph runs; a RecvTensor of another task may come earlier.
  void setChannels(std::shared_ptr<TaskChannels> tasks);

  Status send(const std::string& key, Tensor value, bool dead) override { return local_.send(key, std::move(value), dead); }
  Cancel receive(const std::string& key, Done done) override;
  std::shared_ptr<void> together() override;
  bool help(int milliseconds, const std::atomic<bool>& finished) override;
  /// Marks errors that only followed from another as derived, so that the master reports the first one.
  void abort(Error why) override;
  /// A tensor that this task sends, for another task.
  Cancel receiveHere(const std::string& key, Done done) { return local_.receive(key, std::move(done)); }

 private:
  Cancel receiveFrom(const std::string& task, const std::string& key, Done done);

  const int64_t step_;
  const std::string task_;
  LocalRendezvous local_;
  Mutex mutex_;
  std::shared_ptr<TaskChannels> tasks_ WEFT_GUARDED_BY(mutex_);
  struct Call {
    std::shared_ptr<rpc::Channel> channel;
    std::function<void()> cancel;
  };
  std::map<int64_t, Call> calls_ WEFT_GUARDED_BY(mutex_);  ///< In flight.
  int64_t made_ WEFT_GUARDED_BY(mutex_) = 0;
  Status ended_ WEFT_GUARDED_BY(mutex_);
};

/// Text before the message of an error that only followed from another task's, as TensorFlow 1.15 marks it.
inline constexpr std::string_view kDerived = "[_Derived_]";
bool isDerived(const Error& error);

}  // namespace weft::cluster
