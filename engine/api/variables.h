#pragma once

#include <memory>

#include "weft/builder.h"

#pragma GCC visibility push(default)  // the whole module is part of the exported API
namespace weft::api {

/// Makes the initial value of a variable; called in the scope NAME/Initializer.
using Initializer = std::function<Output(GraphBuilder&, const Shape&, DType)>;

// tf.*_initializer, node for node.
Initializer zerosInitializer();
Initializer onesInitializer();
Initializer constantInitializer(double value);
Initializer randomUniformInitializer(double low, double high, std::optional<int64_t> seed = {});
Initializer randomNormalInitializer(double mean, double stddev, std::optional<int64_t> seed = {});
Initializer truncatedNormalInitializer(double mean, double stddev, std::optional<int64_t> seed = {});
/// `mode`: "fan_in", "fan_out", "fan_avg"; `distribution`: "uniform", "truncated_normal", "untruncated_normal".
Initializer varianceScalingInitializer(double scale, std::string mode, std::string distribution, std::optional<int64_t> seed = {});
Initializer glorotUniformInitializer(std::optional<int64_t> seed = {});
Initializer glorotNormalInitializer(std::optional<int64_t> seed = {});

// tf.random_uniform and similar, tf.zeros, tf.ones, of known shapes.
Output randomUniform(GraphBuilder& b, Output shape, double low, double high, DType type, std::optional<int64_t> seed, std::string_view name = "random_uniform");
Output zeros(GraphBuilder& b, const Shape& shape, DType type, std::string_view name = "zeros");
Output ones(GraphBuilder& b, const Shape& shape, DType type, std::string_view name = "ones");

/// A variable of the graph: its op, its initializer and its value.
struct Variable {
  std::string name;  ///< Of the op.
  Output handle;     ///< The reference (VariableV2) or the resource handle (VarHandleOp).
  Output snapshot;   ///< "NAME/read" or "NAME/Read/ReadVariableOp"
  Output initialValue;
  int initializer = -1;  ///< The assigning op.
  DType dtype = DType::Float;
  Shape shape;
  bool resource = false, trainable = true;
};
using VariablePtr = std::shared_ptr<const Variable>;

struct VariableOptions {
  DType dtype = DType::Float;
  bool trainable = true;
  std::optional<bool> resource;          ///< Not set: as in the variable scope; references by default.
  std::vector<std::string> collections;  ///< Empty: variables, and trainable_variables if trainable.
  std::string kind = "variables";        ///< The collection of all: "variables" or "local_variables".
};

/// tf.Variable of a tensor that exists (`initial`) or of an initializer.
VariablePtr variable(GraphBuilder& b, Output initial, std::string_view name, const VariableOptions& options = {});
/// tf.Variable of a number or array: its Const is NAME/initial_value.
VariablePtr variable(GraphBuilder& b, const Tensor& initial, std::string_view name, const VariableOptions& options = {});
/// tf.Variable of a function that makes the initial value, in the scope NAME/Initializer.
VariablePtr variable(GraphBuilder& b, const std::function<Output()>& make, std::string_view name, const VariableOptions& options = {});
/// The client's counter of a metric; null if there is no client or it leaves the counter to the engine.
VariablePtr clientCounter(GraphBuilder& b, std::string_view name, const std::function<Output()>& make);
/// tf.get_variable in the current variable scope: made, or found if the scope reuses.
VariablePtr getVariable(GraphBuilder& b, std::string_view name, const Shape& shape, const Initializer& initializer = {}, const VariableOptions& options = {});
/// The value as a tensor: the snapshot of a reference, a fresh ReadVariableOp of a resource.
Output read(GraphBuilder& b, const Variable& v);
/// Variables made or found through this builder, and those of the meta graph's collection.
std::vector<VariablePtr> variablesIn(GraphBuilder& b, const std::string& collection = "variables");
/// The variable whose handle is `name` ("w" or "w:0"); null if there is none.
VariablePtr findVariable(GraphBuilder& b, std::string_view name);

enum class Reuse { No, Yes, Auto };
/// tf.variable_scope(name) or, with an empty name, variable_scope(None, default_name).
class VariableScope {
 public:
  VariableScope(GraphBuilder& b, std::string_view name, std::string_view defaultName = {}, Reuse reuse = Reuse::No);
  ~VariableScope();
  VariableScope(const VariableScope&) = delete;
  const std::string& name() const { return name_; }                    ///< Prefix of variables, without '/'.
  const std::string& originalNameScope() const { return nameScope_; }  ///< "a/b/"
 private:
  friend class LayerScope;
  struct Reenter {};
  VariableScope(GraphBuilder& b, Reenter, const std::string& variablePrefix, const std::string& nameScope, Reuse reuse);
  GraphBuilder& b_;
  GraphBuilder::Guard guard_;
  std::string name_, nameScope_;
  bool reentered_ = false, client_ = false;
};

/// Hooks for a client in another language that keeps its own variables and variable scopes (with initializers, regularizers and getters that are
/// functions there); layers use these instead. Each member may be empty.
struct VariableClient {
  std::function<VariablePtr(std::string_view name, const Shape& shape, const Initializer& initializer, const VariableOptions& options)> get;
  /// Opens a variable scope; returns its variables' prefix and its name scope ("a/b/"). A non-empty `nameScope` re-enters an earlier one.
  std::function<std::pair<std::string, std::string>(std::string_view name, std::string_view defaultName, std::string_view nameScope, Reuse reuse)> enter;
  std::function<void()> leave;
  /// Makes the counter of a metric, whose initial value `make` builds; null: the engine makes it.
  std::function<VariablePtr(std::string_view name, const std::function<Output()>& make)> counter;
};
void setVariableClient(GraphBuilder& b, VariableClient client);
/// Registers a variable that the client built.
void adoptVariable(GraphBuilder& b, VariablePtr v);

/// The scopes of a layer of tf.layers: found first ("dense", "dense_1", or the name given), then entered for its variables and ops.
class LayerScope {
 public:
  LayerScope(GraphBuilder& b, const std::string& name, std::string_view baseName, bool reuse = false);
  const std::string& nameScope() const { return scope_->originalNameScope(); }

 private:
  std::unique_ptr<VariableScope> scope_;
};

/// An op with variables among its inputs: a resource is read in the op's own scope.
struct Arg {
  Arg(Output o) : output(o) {}
  Arg(VariablePtr v) : var(std::move(v)) {}
  Output output;
  VariablePtr var;
};
int callNode(GraphBuilder& b, std::string_view op, const std::vector<Arg>& args, AttrMap attrs = {}, std::string_view name = {});
inline Output call(GraphBuilder& b, std::string_view op, const std::vector<Arg>& args, AttrMap attrs = {}, std::string_view name = {}) {
  const int id = callNode(b, op, args, std::move(attrs), name);
  return {id, 0};
}

/// tf.global_variables_initializer: a NoOp "init" that waits for all initialisers.
int globalVariablesInitializer(GraphBuilder& b, std::string_view name = "init");
/// tf.train.get_or_create_global_step.
VariablePtr globalStep(GraphBuilder& b);

}  // namespace weft::api
#pragma GCC visibility pop
