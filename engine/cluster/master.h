#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cluster/addresses.h"
#include "cluster/debug_service.h"
#include "cluster/master_session.h"
#include "cluster/request_ids.h"
#include "cluster/worker.h"
#include "rpc/rpc_server.h"
#include "weft/cluster_status.h"
#include "weft/mutex.h"

namespace weft::cluster {

/// A task as master: the sessions of its clients, whose steps it spreads over the workers of the cluster. Thread-safe.
class Master {
 public:
  /// `own`: the worker of the master's task; it outlives the master.
  Master(Worker& own, Addresses addresses);
  ~Master();

  /// Waits until every worker that the configuration's device filters admit has answered, and says every ten seconds on stderr which has not.
  Result<std::shared_ptr<MasterSession>> createSession(std::string graphDef, const std::string& config, const CancellationToken& cancellation);
  /// ABORTED, as after a restart of this task, for a handle that is not known.
  Result<std::shared_ptr<MasterSession>> find(const std::string& handle) const;
  Status closeSession(const std::string& handle);
  /// Ends all sessions, with this error for the steps that run.
  void closeAll(const Error& why);
  /// Ends all sessions and clears these containers, or the default one, on all tasks.
  Status reset(const std::vector<std::string>& containers, const CancellationToken& cancellation);

  /// Fills in what the master knows. Waits for no task.
  void report(TaskReport& report) const;

  /// The methods of TensorFlow's MasterService, and RunStep of Weft's DebugService. The master outlives the server.
  std::vector<rpc::RpcMethod> methods();
  SteppedRuns& steppedRuns() { return steppedRuns_; }

 private:
  struct Search;
  Result<std::vector<ClusterDevice>> findDevices(const std::vector<std::string>& tasks, const CancellationToken& cancellation) const;

  Worker& own_;
  const Addresses addresses_;
  RecentRequests recent_;
  SteppedRuns steppedRuns_;
  mutable Mutex mutex_;
  std::map<std::string, std::shared_ptr<MasterSession>> sessions_ WEFT_GUARDED_BY(mutex_);
  mutable std::set<std::shared_ptr<Search>> searches_ WEFT_GUARDED_BY(mutex_);  ///< That have not found all yet.
};

}  // namespace weft::cluster
