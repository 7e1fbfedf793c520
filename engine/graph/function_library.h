#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weft/graph.h"
#include "weft/mutex.h"

namespace tensorflow {
class FunctionDef;
class FunctionDefLibrary;
}  // namespace tensorflow

namespace weft {

/// The body of a function with its attributes bound: a graph whose arguments are `_Arg` nodes. Immutable once shared.
struct FunctionBody {
  std::string name;
  Graph graph;
  std::vector<Output> args;
  std::vector<Output> results;
  std::vector<std::string> targets;  ///< Nodes that run whether their results are used or not: stateful ones, and control outputs.
  bool isStateful = false;           ///< Some node (of a function called from here, too) keeps state.
};

/// The functions of a graph (FunctionDefLibrary), kept as the bytes that were read. Thread-safe.
class WEFT_API FunctionLibrary : public std::enable_shared_from_this<FunctionLibrary> {
 public:
  /// REQUIRES: `bytes` parse as a FunctionDefLibrary.
  explicit FunctionLibrary(std::string bytes);
  ~FunctionLibrary();
  const std::string& bytes() const { return bytes_; }

  bool contains(const std::string& name) const { return defs_.contains(name); }
  std::vector<std::string> names() const;
  /// For each op in the bodies that is neither known nor a function: its number of nodes.
  std::map<std::string, int> unknownOps() const;
  /// The op record for nodes whose op is the function's name; null if there is no such function. Records are never freed.
  const OpRecord* record(const std::string& name) const;
  /// Name of the gradient function of `name`; empty if gradients are derived.
  std::string gradientOf(const std::string& name) const;

  /// INVALID_ARGUMENT if the function calls itself, directly or indirectly, or if calls nest deeper than kMaxDepth; NOT_FOUND if it or a callee is
  /// missing.
  Status checkCalls(const std::string& name) const;
  /// The body of a function for these attributes. Errors are those of loading a graph, and those of checkCalls().
  Result<std::shared_ptr<const FunctionBody>> instantiate(const std::string& name, const AttrMap& attrs) const;

  static constexpr int kMaxDepth = 64;

 private:
  struct Calls {
    int depth = 0;  ///< 0: not visited, -1: on the way.
    bool isStateful = false;
  };
  Status visit(const std::string& name, std::vector<std::string>& path, std::map<std::string, Calls>& seen) const;

  std::string bytes_;
  std::unique_ptr<tensorflow::FunctionDefLibrary> library_;
  std::map<std::string, const tensorflow::FunctionDef*> defs_;
  std::map<std::string, std::string> gradients_;
  mutable Mutex mutex_;
  mutable std::map<std::string, Calls> calls_ WEFT_GUARDED_BY(mutex_);  // functions that passed checkCalls()
};

/// Sets a graph's functions. Also raises its minimum consumer version, because readers before kFunctionConsumer do not support functions.
WEFT_API void setFunctions(Graph& graph, std::shared_ptr<const FunctionLibrary> functions);
constexpr int kFunctionConsumer = 12;

/// The record of an op: the engine's, or that of a function of the graph; or null.
const OpRecord* recordOf(const Graph& graph, std::string_view op);

/// Gives a function's record its kernel, shape function and gradient. Declared here, where these records are made; defined in ops/function_calls.cpp,
/// which implements calls.
void completeFunctionRecord(OpRecord& record);

}  // namespace weft
