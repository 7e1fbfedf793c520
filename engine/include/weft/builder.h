#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weft/graph.h"
#include "weft/op.h"

namespace weft {

/// Inputs of an op: single tensors and lists, in order, flattened.
class WEFT_API Inputs {
 public:
  Inputs() = default;
  Inputs(std::initializer_list<Output> items) : items_(items) {}
  Inputs(std::vector<Output> items) : items_(std::move(items)) {}
  Inputs& add(Output o) {
    items_.push_back(o);
    return *this;
  }
  Inputs& add(const std::vector<Output>& list) {
    items_.insert(items_.end(), list.begin(), list.end());
    return *this;
  }
  const std::vector<Output>& items() const { return items_; }

 private:
  std::vector<Output> items_;
};

/// A control-flow construct (cond branch, while body). It sees every node made inside and may reroute its inputs.
class WEFT_API ControlFlowContext {
 public:
  virtual ~ControlFlowContext() = default;
  /// Called after a node was made. May route its inputs through Switch or Enter and add control inputs, as TensorFlow's AddOp does.
  virtual void addedNode(class GraphBuilder& builder, int id) = 0;
  ControlFlowContext* outer = nullptr;  ///< The enclosing construct; it lives as long as the builder.
};

/// Builds a graph as TensorFlow 1.15's Python does: names are made unique in scopes, attributes inferred from inputs, shapes checked at once.
///
/// Errors stick: status() keeps the first one, and from then on all calls return invalid Outputs. A sequence of calls
/// needs one check at its end. Not thread-safe. `meta` must outlive the builder.
class WEFT_API GraphBuilder {
 public:
  explicit GraphBuilder(MetaGraph& meta);
  ~GraphBuilder();
  GraphBuilder(const GraphBuilder&) = delete;

  const Status& status() const;
  void fail(Error error);  ///< Records an error unless one is already recorded.
  bool ok() const { return status().ok(); }
  Graph& graph();
  MetaGraph& meta();

  /// Adds an op in the current scope and returns the node's id, or -1 after an error. Type attributes and list lengths are inferred from
  /// the inputs; others get their defaults. An empty `name` means the op's type. A name that ends in '/' is a scope's full name and is
  /// used without the slash, for an op named like its scope. Inputs that stand for IndexedSlices (graph/indexed_slices.h) are made dense.
  int node(std::string_view op, const Inputs& inputs, AttrMap attrs = {}, std::string_view name = {});
  /// The same, for the first output.
  Output op(std::string_view op, const Inputs& inputs, AttrMap attrs = {}, std::string_view name = {}) {
    const int id = node(op, inputs, std::move(attrs), name);
    return {id, 0};
  }
  /// All outputs of a node.
  std::vector<Output> outputsOf(int node) const;

  // Frequent ops, named as TensorFlow names them.
  Output constant(Tensor value, std::string_view name = "Const");
  template <typename T>
  Output scalar(T v, std::string_view name = "Const") {
    return constant(Tensor::scalar(v), name);
  }
  Output ints(const std::vector<int32_t>& v, std::string_view name = "Const") { return constant(Tensor::vector(v), name); }
  /// A scalar constant of `type`.
  Output number(DType type, double value, std::string_view name = "Const");
  Output placeholder(DType type, Shape shape, std::string_view name = "Placeholder");
  Output identity(Output x, std::string_view name = "Identity") { return op("Identity", {x}, {}, name); }
  Output cast(Output x, DType to, std::string_view name = "Cast");
  int noOp(const std::vector<int>& controls, std::string_view name = "NoOp");  ///< tf.group on one device.

  /// tf.group: a NoOp that waits for all nodes. With several devices there is one NoOp per device in between.
  int group(const std::vector<int>& nodes, std::string_view name = "group_deps");

  DType dtype(Output o) const;  ///< Base type; Invalid for an invalid output.
  Shape shape(Output o) const;  ///< Unknown for an invalid output.
  const Node& nodeAt(int id) const;
  /// The constant value of a tensor, if it can be derived now (folding Const, Shape of static shapes, Pack, …).
  std::optional<Tensor> constantValue(Output o) const;

  // Scopes. A guard ends its scope when destroyed; destroy guards in reverse order of creation.
  class WEFT_API Guard {
   public:
    Guard() = default;
    explicit Guard(std::function<void()> end) : end_(std::move(end)) {}
    Guard(Guard&& o) noexcept : end_(std::exchange(o.end_, nullptr)) {}
    Guard& operator=(Guard&& o) noexcept {
      if (end_) end_();
      end_ = std::exchange(o.end_, nullptr);
      return *this;
    }
    ~Guard() {
      if (end_) end_();
    }

   private:
    std::function<void()> end_;
  };
  /// tf.name_scope: makes the name unique. A name ending in '/' re-enters that scope; an empty name returns to the root.
  [[nodiscard]] Guard nameScope(std::string_view name);
  std::string currentScope() const;                                       ///< "a/b/" or "".
  std::string uniqueName(std::string_view name, bool markAsUsed = true);  ///< Full name, case-insensitively unique.
  [[nodiscard]] Guard controlDependencies(const std::vector<int>& nodes);
  /// control_dependencies(None): suspends control dependencies and control-flow constructs.
  [[nodiscard]] Guard clearControlDependencies();
  /// tf.device: merged field by field with the enclosing devices; inner fields win. "" changes nothing; a string_view without data clears all.
  [[nodiscard]] Guard device(std::string_view device);
  /// tf.colocate_with. `ignoreExisting` drops the enclosing colocations.
  [[nodiscard]] Guard colocateWith(int node, bool ignoreExisting = false);
  [[nodiscard]] Guard controlFlow(std::shared_ptr<ControlFlowContext> context);
  std::shared_ptr<ControlFlowContext> controlFlowContext() const;
  /// The construct that a node was made in (null: none), and setting another.
  std::shared_ptr<ControlFlowContext> contextOf(int node) const;
  void setContextOf(int node, std::shared_ptr<ControlFlowContext> context);

  /// Tensor.set_shape: merges `shape` with what is known. INVALID_ARGUMENT (in status()) if they contradict each other.
  void setShape(Output o, const Shape& shape);
  /// Replaces input `i` of a node (a loop's back edge, an inserted Switch). Types must agree.
  void updateInput(int node, int i, Output o);
  void addControlInputs(int node, const std::vector<int>& controls);

  // For control-flow contexts, whose enter and exit do not nest with guards.
  void setControlFlow(std::shared_ptr<ControlFlowContext> context);
  /// Control inputs that a node with these inputs would get now.
  std::vector<int> pendingControls(const std::vector<Output>& inputs) const;
  void markSeenByControls(int node);
  /// Attributes for every node made inside (Graph._attr_scope: _class, _output_shapes …).
  [[nodiscard]] Guard attrScope(AttrMap attrs);

  // Seeds: tf.set_random_seed, and the pair of seeds for a random op made now (TensorFlow 1.15's rule).
  void setGraphSeed(std::optional<int64_t> seed);
  std::pair<int64_t, int64_t> seedsFor(std::optional<int64_t> opSeed) const;

  /// State of another module that lives as long as the builder (caches of gradient functions, …). One T, made on first use.
  template <typename T>
  T& extension() {
    static const char key = 0;
    std::shared_ptr<void>& slot = extensions_[&key];
    if (!slot) slot = std::make_shared<T>();
    return *static_cast<T*>(slot.get());
  }

  // Collections.
  void addToCollection(std::string_view collection, std::string_view nodeOrTensorName);

 private:
  friend class GradientBuilder;
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::map<const void*, std::shared_ptr<void>> extensions_;
};

/// What a gradient function gets: the op, the gradients of its outputs, and a builder in the scope `<op name>_grad`.
class WEFT_API GradContext {
 public:
  GradContext(GraphBuilder& builder, const Node& node, std::vector<Output> grads) : builder_(builder), node_(node), grads_(std::move(grads)) {}
  GraphBuilder& b() { return builder_; }
  const Node& node() const { return node_; }
  const AttrMap& attrs() const { return node_.attrs; }
  Output input(int i) const { return node_.inputs[i]; }
  int inputCount() const { return int(node_.inputs.size()); }
  Output output(int i) const { return {node_.id, i}; }
  /// Gradient of output `i`; invalid if nothing depends on it. Float outputs get zeros if another output has a gradient.
  Output grad(int i = 0) const { return grads_[i]; }
  const std::vector<Output>& grads() const { return grads_; }

 private:
  GraphBuilder& builder_;
  const Node& node_;
  std::vector<Output> grads_;
};

/// A sparse gradient: rows `indices` of a tensor of shape `denseShape`. Gradient functions of Gather and similar ops return one
/// through makeSlices(). Everything that sums or applies gradients accepts it.
struct IndexedSlices {
  Output values, indices, denseShape;
};

/// tf.gradients: d(sum of ys)/d(xs), added to the builder's graph under the scope "gradients" (uniquified).
struct GradientsOptions {
  std::string name = "gradients";
  std::vector<Output> gradYs;  ///< Empty: ones.
  std::vector<Output> stopGradients;
  bool colocateWithOps = false;
  bool gateGradients = false;  ///< GATE_OP: the results of one op wait for each other (tf.tuple).
};
struct Gradient {
  Output dense;  ///< Invalid if the gradient is None or sparse.
  std::optional<IndexedSlices> slices;
  bool none() const { return !dense.valid() && !slices; }
};
WEFT_API Result<std::vector<Gradient>> addGradients(GraphBuilder& builder, const std::vector<Output>& ys, const std::vector<Output>& xs,
                                                    const GradientsOptions& options = {});

}  // namespace weft
