#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <typeindex>
#include <vector>

#include "kernel/kernel.h"
#include "tensor/variable.h"
#include "weft/error.h"
#include "weft/export.h"
#include "weft/mutex.h"
#include "weft/precision.h"

namespace weft {

class FunctionRuntime;

/// The state that a session keeps between runs: resources by container and name (variables, tables, queues), and the state of single nodes (random streams,
/// counters). Thread-safe.
class WEFT_API SessionState {
 public:
  SessionState() : activeRuns(runs_), disproved(disproved_) {}
  /// Uses the resources and the run counter of `shared` (of a task, shared by several sessions), and the node states of `nodes` (of a master's session, shared
  /// by its graphs), but its own functions. Null: its own resources or node states.
  explicit SessionState(std::shared_ptr<SessionState> shared, std::shared_ptr<SessionState> nodes = nullptr)
      : activeRuns(shared ? shared->activeRuns : runs_),
        disproved(shared ? shared->disproved : disproved_),
        shared_(std::move(shared)),
        nodeKeeper_(std::move(nodes)) {}
  /// The session as ops of a function see it: the same resources and functions, but separate node states, because node names may repeat. These are kept in the
  /// session under `scope` or, with `ownNodes`, in this object. `session` outlives it.
  SessionState(SessionState& session, std::string scope, bool ownNodes)
      : activeRuns(session.activeRuns), disproved(session.disproved), parent_(&session), scope_(std::move(scope)), ownNodes_(ownNodes) {}
  SessionState(const SessionState&) = delete;
  SessionState& operator=(const SessionState&) = delete;

  /// Container used for an empty `container` attribute, as in TensorFlow.
  static constexpr std::string_view kDefaultContainer = "localhost";

  /// The T of this name, or null. Objects of different classes may have the same name.
  template <typename T>
  std::shared_ptr<T> find(std::string_view container, std::string_view name) const {
    return std::static_pointer_cast<T>(findAny(typeid(T), container, name));
  }

  /// The T of this name, created by `make` (() -> Result<std::shared_ptr<T>>) if there is none. `make` is called under the lock.
  template <typename T>
  Result<std::shared_ptr<T>> lookupOrCreate(std::string_view container, std::string_view name, const std::function<Result<std::shared_ptr<T>>()>& make) {
    WEFT_LET(std::shared_ptr<SessionResource> found,
             lookupOrCreateAny(typeid(T), container, name, [&]() -> Result<std::shared_ptr<SessionResource>> {
               WEFT_LET(std::shared_ptr<T> made, make());
               return std::shared_ptr<SessionResource>(std::move(made));
             }));
    return std::static_pointer_cast<T>(found);
  }

  /// Removes the object of this class and name; NOT_FOUND if there is none. Other owners keep it alive.
  Status erase(std::type_index type, std::string_view container, std::string_view name);
  /// Removes exactly this object, regardless of the class it was stored as.
  Status erase(const SessionResource& object, std::string_view container, std::string_view name);
  /// Removes everything in a container (Session.reset).
  void clearContainer(std::string_view container);
  /// Removes everything in all containers.
  void clear();
  /// How often clear() and clearContainer() were called. Kernels made before may hold removed variables.
  uint64_t clearings() const { return keeper() ? keeper()->clearings() : clearings_.load(std::memory_order_acquire); }

  /// Number of active runs of this session. If there is only one, it may update reference variables in place although it still holds reads of them (see
  /// KernelContext::update).
  std::atomic<int>& activeRuns;
  /// Number of variables with values that do not fit their declared shapes (Variable::disproved). A plan made when the number was lower may rely on wrong
  /// shapes and is rebuilt (runtime/stated_shapes.h).
  std::atomic<uint64_t>& disproved;

  /// Where node states are kept: the session's state, or the separate state of an iterator's functions (`ownNodes`).
  SessionState& home() { return nodeKeeper_ ? nodeKeeper_->home() : ownNodes_ ? *this : parent_->home(); }
  /// The unique name of a node among the states kept at home().
  std::string scoped(const std::string& node) const { return ownNodes_ ? node : parent_->scoped(scope_ + node); }
  SessionState& root() { return parent_ ? parent_->root() : *this; }

  /// How kernels of this session multiply float32. Set before the first run.
  ProductPrecision products() const { return parent_ ? parent_->products() : products_; }
  void setProducts(ProductPrecision precision) { products_ = precision; }
  /// Notes that a node's operands were rounded to bfloat16; the nodes noted so far, ordered by name.
  void noteRounded(const std::string& node);
  std::vector<std::string> roundedNodes() const;

  /// The functions of the session's graph, or null.
  std::shared_ptr<FunctionRuntime> functions() const;
  void setFunctions(std::shared_ptr<FunctionRuntime> functions);

  /// Every variable, ordered by container and name.
  std::vector<std::shared_ptr<Variable>> variables() const;
  /// Calls `f` for every resource, ordered by container and name, outside the lock.
  void forEach(const std::function<void(const std::string& container, const std::string& name, SessionResource&)>& f) const;

  /// The state of the named node; created on first use, starting from the position given to restoreStreams(), if any.
  std::shared_ptr<NodeState> nodeState(const std::string& node, const std::function<std::shared_ptr<NodeState>()>& make);
  /// Positions of all nodes with a saved position, by node name.
  std::map<std::string, std::string> saveStreams() const;
  /// Sets the positions of these nodes, including nodes created later; others are unchanged.
  void restoreStreams(const std::map<std::string, std::string>& positions);

 private:
  using Key = std::tuple<std::string, std::string, std::type_index>;  // container, name, class
  std::shared_ptr<SessionResource> findAny(std::type_index type, std::string_view container, std::string_view name) const;
  Result<std::shared_ptr<SessionResource>> lookupOrCreateAny(std::type_index type, std::string_view container, std::string_view name,
                                                             const std::function<Result<std::shared_ptr<SessionResource>>()>& make);
  static Key keyOf(std::type_index type, std::string_view container, std::string_view name);

  /// The owner of the resources; null: this.
  SessionState* keeper() const { return parent_ ? parent_ : shared_.get(); }

  SessionState* const parent_ = nullptr;
  const std::shared_ptr<SessionState> shared_, nodeKeeper_;
  const std::string scope_;
  const bool ownNodes_ = true;
  ProductPrecision products_ = ProductPrecision::Float32;
  std::atomic<int> runs_{0};
  std::atomic<uint64_t> disproved_{0}, clearings_{0};
  mutable Mutex mutex_;
  std::shared_ptr<FunctionRuntime> functions_ WEFT_GUARDED_BY(mutex_);
  std::map<Key, std::shared_ptr<SessionResource>> resources_ WEFT_GUARDED_BY(mutex_);
  std::map<std::string, std::shared_ptr<NodeState>> nodes_ WEFT_GUARDED_BY(mutex_);
  std::map<std::string, std::string> pending_ WEFT_GUARDED_BY(mutex_);  // restored positions of nodes not created yet
  std::set<std::string> rounded_ WEFT_GUARDED_BY(mutex_);
};

}  // namespace weft
