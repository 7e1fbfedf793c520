#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "cluster/proto/master.pb.h"
#include "kernel/session_internals.h"
#include "rpc/channel.h"
#include "weft/mutex.h"
#include "weft/session.h"

namespace weft::cluster {

/// The connection of a session to its server's master, and the calls that steps need. Thread-safe.
class MasterLink {
 public:
  MasterLink(std::shared_ptr<rpc::Channel> channel, SessionOptions options) : channel_(std::move(channel)), options_(std::move(options)) {}

  const SessionOptions& options() const { return options_; }
  /// A call of MasterService; 0: the session's time limit. `stopped`, if given, ends it early, as closing the session does.
  Status call(const char* method, const google::protobuf::MessageLite& request, google::protobuf::MessageLite* response, int64_t timeoutMs = 0,
              const std::atomic<bool>* stopped = nullptr) const;

  /// One step. Feeds and fetches are in the order of the names.
  Result<std::vector<Tensor>> step(const std::vector<std::string>& feeds, std::span<const Tensor> values, const std::vector<std::string>& fetches,
                                   const std::vector<std::string>& targets, const RunOptions& run, RunReport* report, const std::string& partial = {}) const;

  Status create(Graph graph);
  Status extend(Graph graph);
  std::shared_ptr<const Graph> graph() const;
  std::string handle() const;
  bool closed() const { return closed_.load(std::memory_order_relaxed); }
  void close();

 private:
  /// A step under run.controller. A serialised RunStepResponse.
  Result<rpc::Bytes> stepped(pb::RunStepRequest step, const std::vector<std::string>& feeds, std::span<const Tensor> values, const RunOptions& run) const;
  /// Dtype and shape of what is fed, in the words of a session of this process.
  Status checkFeeds(const std::vector<std::string>& feeds, std::span<const Tensor> values) const;

  /// Whether no step of this signature has been traced yet.
  bool isFirstTrace(const std::vector<std::string>& feeds, const std::vector<std::string>& fetches, const std::vector<std::string>& targets) const;

  const std::shared_ptr<rpc::Channel> channel_;
  const SessionOptions options_;
  std::atomic<bool> closed_{false};
  mutable Mutex mutex_;
  std::shared_ptr<const Graph> graph_ WEFT_GUARDED_BY(mutex_);
  std::string handle_ WEFT_GUARDED_BY(mutex_);
  int64_t version_ WEFT_GUARDED_BY(mutex_) = 0;
  mutable std::set<std::string> traced_ WEFT_GUARDED_BY(mutex_);  ///< Signatures.
};

/// A signature of a session on a server. Keeps the link, not the session.
class RemoteCallable final : public CallableImpl {
 public:
  RemoteCallable(std::shared_ptr<MasterLink> link, std::vector<std::string> feeds, std::vector<std::string> fetches, std::vector<std::string> targets)
      : link_(std::move(link)), feeds_(std::move(feeds)), fetches_(std::move(fetches)), targets_(std::move(targets)) {}
  Result<std::vector<Tensor>> run(std::span<const Tensor> feeds, const RunOptions& options, RunReport* report) override {
    return link_->step(feeds_, feeds, fetches_, targets_, options, report);
  }

 private:
  const std::shared_ptr<MasterLink> link_;
  const std::vector<std::string> feeds_, fetches_, targets_;
};

}  // namespace weft::cluster
