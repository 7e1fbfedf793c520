#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernel/kernel.h"
#include "weft/mutex.h"
#include "weft/session.h"

namespace weft {

struct FunctionBody;
class ExecutablePlan;
class FunctionLibrary;

/// The run that calls a function: its step, and the conditions that end it. Valid during the call.
struct WEFT_API CallSite {
  StepState* step = nullptr;
  const std::atomic<bool>* cancelled = nullptr;
  const std::atomic<bool>* sessionClosed = nullptr;
  int64_t deadlineNs = 0;
  Device* device = nullptr;  ///< Where results go, but for int32 and objects, which are on the host everywhere; null: the host.
  static CallSite of(KernelContext& c);
  /// As of(), with results on the kernel's device.
  static CallSite onDevice(KernelContext& c);
  /// CANCELLED or DEADLINE_EXCEEDED if the run has to end now.
  Status check() const;
};

/// A function with bound attributes, ready to be called. Each call runs a plan of the body; plans are made for the argument shapes and cached. The state of its
/// ops (random streams) lives in this object or in the session. Thread-safe; the session outlives it.
class WEFT_API BoundFunction : public std::enable_shared_from_this<BoundFunction> {
 public:
  /// `scope` separates the node states in the session; with `ownState` they are kept in this object instead.
  BoundFunction(std::shared_ptr<const FunctionBody> body, SessionState& session, std::string scope, bool ownState);
  ~BoundFunction();
  const FunctionBody& body() const { return *body_; }
  const std::vector<DType>& argTypes() const { return argTypes_; }
  const std::vector<DType>& resultTypes() const { return resultTypes_; }
  /// INVALID_ARGUMENT if the number or types of the arguments do not fit; otherwise errors of the function's ops.
  Result<std::vector<Tensor>> call(std::span<const Tensor> args, const CallSite& site);
  /// The same function with fresh op state; returns itself if its ops keep no state.
  std::shared_ptr<BoundFunction> fresh();

 private:
  struct Variant {
    std::vector<Shape> shapes;
    std::vector<int> places;  // of the variables behind arguments
    bool anyShapes = false;
    std::shared_ptr<ExecutablePlan> plan;
  };
  Result<std::shared_ptr<ExecutablePlan>> planFor(std::span<const Tensor> feeds);
  std::shared_ptr<const FunctionBody> body_;
  SessionState& session_;
  const std::unique_ptr<SessionState> state_;  // the session as seen by the body's kernels
  std::vector<DType> argTypes_, resultTypes_;
  std::vector<int> feeds_;      // arguments that the body uses
  std::vector<int> fromArg_;    // per result: the argument it passes on, or -1
  std::vector<int> fromFetch_;  // per result: position among the fetches, or -1
  std::vector<std::string> feedNames_, fetchNames_;
  std::string scope_;
  bool runs_ = false;  // false if the body computes nothing
  Mutex mutex_;
  std::vector<Variant> variants_ WEFT_GUARDED_BY(mutex_);
};

/// The bound functions of a session's graph. Thread-safe.
class WEFT_API FunctionRuntime {
 public:
  FunctionRuntime(std::shared_ptr<const FunctionLibrary> library, std::vector<Device*> devices, SessionOptions options);
  ~FunctionRuntime();
  const std::shared_ptr<const FunctionLibrary>& library() const { return library_; }
  const std::vector<Device*>& devices() const { return devices_; }
  const SessionOptions& options() const { return options_; }
  /// The function with this name and attributes, bound for the node `caller`. All callers share a function without state. A stateful function gets separate
  /// state per calling node, as if its body were inlined there. NOT_FOUND "Function f is not defined.".
  Result<std::shared_ptr<BoundFunction>> bind(const FuncAttr& f, const std::string& caller, SessionState& session);

 private:
  std::shared_ptr<const FunctionLibrary> library_;
  std::vector<Device*> devices_;
  const SessionOptions options_;
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<BoundFunction>> bound_ WEFT_GUARDED_BY(mutex_);
};

/// Binds the function named by attribute `attr` of a node, or the given function. Errors name the node.
WEFT_API Result<std::shared_ptr<BoundFunction>> bindFunction(KernelInit& init, std::string_view attr);
WEFT_API Result<std::shared_ptr<BoundFunction>> bindFunction(KernelInit& init, const FuncAttr& f);

}  // namespace weft
