#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cluster/worker.h"
#include "rpc/channel.h"
#include "runtime/cluster_placement.h"

namespace weft::cluster {

/// A worker as its master sees it: the one in the master's own task, or one behind a connection. Thread-safe.
class Peer {
 public:
  using Ran = std::function<void(Result<GraphResult>)>;
  /// Ends a run early, at any time; may be empty.
  using Stop = std::function<void()>;

  virtual ~Peer() = default;
  virtual const std::string& task() const = 0;
  /// This and the calls below that take a token wait for a task that is not there until the token is cancelled.
  virtual Status createSession(const std::string& handle, bool isolated, FrameIds frameIds, const CancellationToken& cancellation) = 0;
  virtual void deleteSession(const std::string& handle) = 0;
  virtual Result<std::string> registerGraph(const std::string& session, const Graph& graph, bool hasControlFlow, ProductPrecision products,
                                            const CancellationToken& cancellation) = 0;
  /// Frees a registered graph, in the background.
  virtual void forgetGraph(const std::string& session, const std::string& graph) = 0;
  /// Starts a run; `ran` is called once, from any thread. A worker of this process runs it at once, on this thread, and looks at `cancellation`; another one is
  /// ended by the result.
  virtual Stop start(const std::string& session, const GraphRun& run, const CancellationToken& cancellation, Ran ran) = 0;
  /// Brings the end of a run nearer on this thread, which saves a thread switch, for up to `milliseconds` or until `finished`. False if it cannot.
  virtual bool help(int milliseconds, const std::atomic<bool>& finished) { return false; }
  /// Passes on a serialised PartRequest about a stepped step. UNIMPLEMENTED from a task of TensorFlow's.
  virtual Result<rpc::Bytes> part(const std::string& request, const CancellationToken& cancellation) = 0;
  /// Forgets a step, in the background.
  virtual void cleanupStep(int64_t step) = 0;
  virtual Status cleanupAll(const std::vector<std::string>& containers, const CancellationToken& cancellation) = 0;
};

/// The devices of a task, once it answers. The token ends the wait.
Result<std::vector<ClusterDevice>> devicesOf(rpc::Channel& channel, const CancellationToken& cancellation);
std::unique_ptr<Peer> localPeer(Worker& worker);
/// `master`: the task that calls it.
std::unique_ptr<Peer> remotePeer(std::string master, std::string task, std::shared_ptr<rpc::Channel> channel);

}  // namespace weft::cluster
