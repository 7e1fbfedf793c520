#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "weft/graph.h"
#include "weft/precision.h"

namespace weft {

struct StepTrace;
class StepController;  // weft/debug.h

/// Stops a run from another thread. Copies share the flag.
class WEFT_API CancellationToken {
 public:
  CancellationToken() : flag_(std::make_shared<std::atomic<bool>>(false)) {}
  void cancel() const { flag_->store(true, std::memory_order_relaxed); }
  bool cancelled() const { return flag_->load(std::memory_order_relaxed); }
  const std::atomic<bool>* flag() const { return flag_.get(); }

 private:
  std::shared_ptr<std::atomic<bool>> flag_;
};

/// Which values a step computes a second time instead of keeping them. Results are the same bits.
enum class Recomputation : uint8_t {
  Never,
  ToFit,   ///< What has to be, for the step to stay within SessionOptions::memoryLimitBytes.
  Hinted,  ///< The nodes with an attribute `_recompute_hint`; nothing else, whatever the limit.
  Cheap,   ///< What takes little time beside its memory; nothing else, whatever the limit.
};

/// How a session computes: the fields of ConfigProto that Weft supports.
struct SessionOptions {
  int threads = 0;                  ///< Threads per op; 0: all processors.
  bool allowSoftPlacement = false;  ///< Ops without a kernel on the requested device go to the CPU.
  bool logDevicePlacement = false;
  /// Of float32 matrices and convolutions on the CPU.
  ProductPrecision products = ProductPrecision::Float32;
  std::map<std::string, int> deviceCount;   ///< "CPU" -> 2: /device:CPU:0 and :1. "GPU" -> 0: use no GPU.
  int64_t operationTimeoutMs = 0;           ///< 0: none.
  double memoryLimitFraction = 0.8;         ///< Share of the machine's memory; a step that needs more is refused.
  std::vector<std::string> disabledPasses;  ///< Rewrite passes to leave out; "all" means every pass.
  std::string defaultDevice;                ///< Device of nodes that request none, e.g. "/device:GPU:0"; empty: TensorFlow's choice.
  std::string target;                       ///< "grpc://host:port" of a TensorFlow server whose master runs the steps; empty: this process.
  CancellationToken connecting;             ///< Ends the wait for the server of `target`.
  std::string config;                       ///< Serialised ConfigProto for the server of `target`; empty: made of the fields above.
  int64_t memoryLimitBytes = 0;             ///< Of a step's tensors and the session's variables in host memory; 0: none. See weft/planned_memory.h.
  Recomputation recomputation = Recomputation::ToFit;
};

/// What an observer sees of an op. References are valid only during the call.
struct OpEvent {
  const Node& node;  ///< Of the user's graph.
  std::string_view device;
  std::string_view frame;  ///< Name of the while frame; empty outside loops.
  int64_t iteration = 0;
  int thread = 0;
  int64_t startNs = 0, endNs = 0;          ///< Steady clock, from the start of the step.
  std::span<const Tensor* const> outputs;  ///< Null where an output is dead or not computed.
};

/// Watches a run. Called on engine threads. Must not block or keep references.
class WEFT_API RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void opDone(const OpEvent&) = 0;
};

/// Options of one run.
struct RunOptions {
  CancellationToken cancellation;
  int64_t timeoutMs = 0;  ///< 0: the session's.
  bool trace = false;     ///< Fill RunReport::trace.
  std::string message;    ///< Serialised RunOptions for a session on a server; empty: made of the fields above.
  std::vector<RunObserver*> observers;
  StepController* controller = nullptr;  ///< Steps through the run (weft/debug.h) and must outlive it. Null costs nothing.
};

/// What a run returns beside its values.
struct RunReport {
  std::shared_ptr<StepTrace> trace;  ///< Only if requested.
  size_t peakBytes = 0;              ///< Peak memory of the step's tensors.
};

/// One op's execution in a trace.
struct TraceEvent {
  int node = -1;  ///< Id in the session's graph.
  std::string name, op, device, frame;
  int64_t iteration = 0;
  int thread = 0;
  int64_t startNs = 0, endNs = 0;  ///< From the start of the step.
  int64_t outputBytes = 0;
  std::vector<std::pair<DType, Shape>> outputs;
};

/// Everything that a step did.
struct WEFT_API StepTrace {
  int64_t startUnixUs = 0;
  int64_t durationNs = 0;
  std::vector<TraceEvent> events;
  std::string received;               ///< The RunMetadata of a step on a server, as it came; empty for steps of this process.
  std::string toRunMetadata() const;  ///< Serialised RunMetadata (step_stats), as TensorFlow's FULL_TRACE; `received` if there is one.
  std::string toChromeJson() const;   ///< Trace Event Format.
  /// The events of a serialised RunMetadata, which may be of several tasks, with the nodes of `graph` that they belong to.
  static Result<StepTrace> ofRunMetadata(std::string bytes, const Graph& graph);
};

/// Where a node was placed, and why.
struct Placement {
  std::string node, device, reason;
};

class CallableImpl;  // kernel/session_internals.h

/// A prepared signature: the cheapest way to run the same feeds and fetches repeatedly. Thread-safe. Keeps the session alive.
class WEFT_API Callable {
 public:
  Callable() = default;
  explicit Callable(std::shared_ptr<CallableImpl> impl) : impl_(std::move(impl)) {}
  /// Feeds and fetches are in the order of prepare().
  Result<std::vector<Tensor>> run(std::span<const Tensor> feeds, const RunOptions& options = {}, RunReport* report = nullptr) const;
  /// The plan for display: passes applied, nodes, memory. Empty for a session on a server.
  std::string explain() const;

 private:
  std::shared_ptr<CallableImpl> impl_;
};

/// Runs parts of one graph and owns its variables, in this process or on a TensorFlow server (SessionOptions::target). All methods are thread-safe.
class WEFT_API Session {
 public:
  /// Takes a snapshot of `graph`. INVALID_ARGUMENT if it cannot be loaded (cycles, inputs that do not fit). With a target: waits until the server's master
  /// has reached all workers; NOT_FOUND for an unknown kind of target, UNAVAILABLE or DEADLINE_EXCEEDED if the server does not answer in operationTimeoutMs.
  static Result<std::unique_ptr<Session>> create(Graph graph, SessionOptions options = {});
  virtual ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Runs one step. Fetches and feeds are tensor names ("x:0"), targets are node names. Any tensor can be fed. Errors in TensorFlow's words.
  /// After an error, variables keep what the completed ops wrote.
  virtual Result<std::vector<Tensor>> run(const std::vector<std::pair<std::string, Tensor>>& feeds, const std::vector<std::string>& fetches,
                                          const std::vector<std::string>& targets = {}, const RunOptions& options = {}, RunReport* report = nullptr) = 0;
  virtual Result<Callable> prepare(const std::vector<std::string>& feeds, const std::vector<std::string>& fetches,
                                   const std::vector<std::string>& targets = {}) = 0;
  /// See partialRunSetup() and partialRun() in weft/partial_run.h.
  virtual Result<std::string> partialRunSetup(const std::vector<std::string>& feeds, const std::vector<std::string>& fetches,
                                              const std::vector<std::string>& targets) = 0;
  virtual Result<std::vector<Tensor>> partialRun(const std::string& handle, const std::vector<std::pair<std::string, Tensor>>& feeds,
                                                 const std::vector<std::string>& fetches) = 0;

  /// The session's current graph. A later extend() does not change the returned one.
  virtual std::shared_ptr<const Graph> graph() const = 0;
  /// Adds nodes. `graph` must contain the session's graph unchanged (by id). Variables keep their values.
  virtual Status extend(Graph graph) = 0;

  /// Copies of the initialised variables by name, and setting one, e.g. to carry values over to a new session. On a server each is a step; a variable that
  /// the server cannot read is left out.
  virtual std::map<std::string, Tensor> variables() const = 0;
  virtual Status setVariable(const std::string& name, const Tensor& value) = 0;
  /// Positions of random streams and similar states by node name, to be saved beside a checkpoint. A server keeps its own: none.
  virtual std::map<std::string, std::string> opStates() const = 0;
  virtual void restoreOpStates(const std::map<std::string, std::string>& states) = 0;

  /// The server that runs the steps; empty: this process.
  virtual std::string target() const { return {}; }
  virtual std::vector<std::string> devices() const = 0;  ///< "/job:localhost/replica:0/task:0/device:CPU:0", …
  /// Devices of all nodes that can run. UNIMPLEMENTED for a session on a server, which decides at each run.
  virtual Result<std::vector<Placement>> placements() const = 0;
  /// Cancels running steps. Later runs fail with CANCELLED "Session has been closed."
  virtual void close() = 0;

 protected:
  Session() = default;
};

/// Devices of this machine that the engine can use. If there is no GPU, `whyNoGpu` gets one line with the reason ("no CUDA device: …").
struct DeviceInfo {
  std::string name;  ///< "/device:CPU:0"
  std::string type;  ///< "CPU", "GPU"
  std::string description;
  size_t memoryBytes = 0;
};
WEFT_API std::vector<DeviceInfo> availableDevices(std::string* whyNoGpu = nullptr);
WEFT_API std::string engineVersion();

}  // namespace weft
