#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cluster/peer.h"
#include "cluster/proto/config.pb.h"
#include "runtime/partition.h"
#include "weft/mutex.h"

namespace weft::cluster {

/// A step as a client asks for it.
struct StepRequest {
  Signature signature;  ///< Feeds by name, in the order of `values`.
  std::vector<Tensor> values;
  bool trace = false, partitionGraphs = false;
  int64_t timeoutMs = 0;  ///< 0: the session's.
  /// Set for a step whose ops are computed one by one, without a time limit: called with its number when its parts are about to start.
  std::function<void(int64_t step, std::vector<std::shared_ptr<Peer>> peers)> stepped;

  /// A serialised RunOptions. UNIMPLEMENTED for what this master cannot do.
  Status takeOptions(const std::string& options);
};

struct StepResult {
  std::vector<Tensor> fetches;  ///< In the order of the signature.
  std::string metadata;         ///< Serialised RunMetadata; empty unless the step was traced or its graphs were asked for.
};

/// A session of a client on this master: its graph, where the nodes are, and the parts of it that workers have. Thread-safe.
class MasterSession {
 public:
  MasterSession(std::string handle, pb::ConfigProto config, std::vector<ClusterDevice> devices, std::map<std::string, std::shared_ptr<Peer>> peers,
                std::string ownTask);
  ~MasterSession();

  /// Starts with this GraphDef, which may be empty. Makes a session on each worker.
  Status create(std::string graphDef, const CancellationToken& cancellation);
  /// ABORTED if `version` is not the present one, which means that another client has changed the graph.
  Status extend(const std::string& graphDef, int64_t version);
  int64_t version() const;
  const std::string& handle() const { return handle_; }
  const std::vector<ClusterDevice>& devices() const { return devices_; }
  const std::string& ownTask() const { return ownTask_; }

  Result<StepResult> run(const StepRequest& request, const CancellationToken& cancellation);
  Result<std::string> partialSetup(const Signature& signature, const CancellationToken& cancellation);
  Result<StepResult> partialRun(const std::string& handle, const StepRequest& request, const CancellationToken& cancellation);
  Result<int64_t> makeCallable(Signature signature, const CancellationToken& cancellation);
  Result<Signature> callable(int64_t handle) const;
  void releaseCallable(int64_t handle);

  /// Ends running steps and forgets the graphs on the workers. `why`: what steps of this session fail with.
  void close(Error why);

 private:
  /// A task's part of a signature.
  struct Part {
    std::shared_ptr<Peer> peer;
    std::string graph;  ///< Handle.
    std::vector<std::pair<std::string, std::string>> feeds, fetches;
    Graph whole;  ///< As registered, for partition graphs.
  };
  /// Its graphs are freed when neither the session nor a running step needs it.
  struct Plan {
    explicit Plan(std::string session) : session(std::move(session)) {}
    ~Plan() {
      for (const Part& part : parts) part.peer->forgetGraph(session, part.graph);
    }
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;

    const std::string session;
    std::vector<Part> parts;
  };
  struct Partial;
  class Running;

  Result<std::shared_ptr<const Plan>> planFor(const Signature& signature, const CancellationToken& cancellation);
  Result<std::vector<StepPartition>> cut(const Signature& signature) WEFT_REQUIRES(mutex_);
  Result<std::shared_ptr<const Plan>> registerParts(std::vector<StepPartition> partitions, const CancellationToken& cancellation);
  Result<StepResult> runParts(const Plan& plan, const StepRequest& request, int64_t step, bool partial, bool last, const CancellationToken& cancellation);
  Status load(std::string graphDef) WEFT_REQUIRES(mutex_);
  void logPlacement() const WEFT_REQUIRES(mutex_);

  const std::string handle_, ownTask_;
  const pb::ConfigProto config_;
  const std::vector<ClusterDevice> devices_;
  const std::map<std::string, std::shared_ptr<Peer>> peers_;
  mutable Mutex mutex_;
  std::string graphDef_ WEFT_GUARDED_BY(mutex_);
  std::shared_ptr<const Graph> graph_ WEFT_GUARDED_BY(mutex_);
  std::vector<int> placement_ WEFT_GUARDED_BY(mutex_);
  int64_t version_ WEFT_GUARDED_BY(mutex_) = 0;
  AddedNames names_ WEFT_GUARDED_BY(mutex_);
  std::map<std::string, std::shared_ptr<const Plan>> plans_ WEFT_GUARDED_BY(mutex_);
  std::map<std::string, std::shared_ptr<Partial>> partials_ WEFT_GUARDED_BY(mutex_);
  std::map<int64_t, Signature> callables_ WEFT_GUARDED_BY(mutex_);
  int64_t made_ WEFT_GUARDED_BY(mutex_) = 0;
  Status closed_ WEFT_GUARDED_BY(mutex_);
  std::map<int64_t, CancellationToken> running_ WEFT_GUARDED_BY(mutex_);
};

}  // namespace weft::cluster
