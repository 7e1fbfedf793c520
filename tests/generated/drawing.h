#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "case.h"
#include "random.h"
#include "samples.h"
#include "scripts.h"
#include "weft/builder.h"

namespace weft::generated {

/// A tensor that further ops may take.
struct Value {
  Output out;
  DType type = DType::Invalid;
  Shape shape;  ///< The shape at run time; unknown where only the run determines it.
};

/// The generators' sources, read once.
struct Sources {
  std::map<std::string, OpSamples> samples;
  std::vector<std::string> sampleNames;
  std::vector<ScriptCase> scripts;
  std::string only;  ///< "loops", "gradients": mostly these; empty: everything.
};

/// A graph under construction. Nodes that shape functions reject are removed again.
class Drawing {
 public:
  Drawing(uint64_t seed, const Sources& sources);
  /// The whole graph with its steps.
  Case draw();

  Random& random() { return random_; }
  GraphBuilder& b() { return *builder_; }
  MetaGraph& meta() { return meta_; }

  /// Adds a node and puts its outputs into the pool. Returns -1 and leaves the graph unchanged if it was rejected.
  int add(const std::string& op, const std::vector<Output>& inputs, AttrMap attrs = {});
  /// Runs `make`; if the builder then reports an error, restores the graph and returns false.
  bool attempt(const std::function<void()>& make);

  /// A source with this value: a constant, or a placeholder with a more or less known shape. `free`: other steps may feed different numbers.
  Output fresh(const Tensor& value, bool free = false);
  Output freshInts(const std::vector<int64_t>& values);
  Output freshInt(int64_t value, DType type = DType::Int32);
  /// A value of the pool that satisfies `wanted`.
  const Value* find(const std::function<bool(const Value&)>& wanted);
  /// A value of this type and shape: from the pool, derived from a pool value, or new with random numbers.
  Output similar(DType type, const Shape& shape);
  /// A numeric value with a known shape.
  const Value* numbers(int minRank = 0, int maxRank = 8, bool floating = false);
  /// A tensor of the pool as another shape, by two or three further ops.
  std::optional<Output> adapted(DType type, const Shape& shape);

  Shape shapeOf(Output o) const;
  Shape randomShape();
  DType randomType();
  void offer(Output o);  ///< Puts a tensor into the pool.
  const Tensor* knownValue(Output o) const;

  // State. Effects run in sequence with reads between them, so that a step's results are deterministic.
  void effect(int node);       ///< Waits for all effects and reads before it.
  void readOfState(int node);  ///< Waits for all effects before it.
  void initialise(int node) { initialisers_.push_back(node); }
  /// Records that `dx` (only its rows `indices`, if valid) is the derivative of the sum of `ys` with respect to `x`.
  void derivative(const std::vector<Output>& ys, Output x, Output dx, Output indices = {});
  void keepTarget(int node) { targets_.push_back(node); }
  void file(const std::string& name, const std::string& bytes) { files_[name] = bytes; }

 private:
  friend bool drawScript(Drawing& d);
  bool sampleOp();
  bool broadcastOp(const OpSamples& op, const Sample& sample);
  bool switchType(const Sample& sample, AttrMap& attrs, std::vector<Tensor>& inputs);
  void finish(Case& out);
  void actualShapes(int node);

  Random random_;
  const Sources& sources_;
  MetaGraph meta_;
  std::unique_ptr<GraphBuilder> builder_;
  std::vector<Value> pool_;
  std::map<Output, Shape> shapes_;
  std::map<Output, Tensor> known_;
  struct Feed {
    std::string name;
    Tensor value;
    bool free = false;
  };
  std::vector<Feed> feeds_;
  std::vector<int> initialisers_, targets_;
  std::vector<int> effects_, reads_;  // those that the next effect waits for
  std::map<std::string, std::string> files_;
  std::vector<Step> scripted_;  // steps of a spliced script, in their order
  std::vector<Derivative> derivatives_;
  int nextName_ = 0;
};

/// Whether the op has a kernel for this type of an attribute.
bool hasKernel(const OpRecord& record, const std::string& attr, DType type);

// One construct each; false if nothing could be added.
bool drawFamily(Drawing& d);   ///< An op whose arguments are derived from a given tensor.
bool drawNetwork(Drawing& d);  ///< A few layers with their gradients.
bool drawGradient(Drawing& d);
bool drawLoop(Drawing& d);  ///< A loop of the kinds for which plans have special forms.
bool drawCond(Drawing& d);
bool drawWhile(Drawing& d);
bool drawTensorArray(Drawing& d);
bool drawFunction(Drawing& d);
bool drawVariable(Drawing& d);  ///< A variable with an update.
bool drawOptimizer(Drawing& d);
bool drawQueue(Drawing& d);
bool drawRandom(Drawing& d);
bool drawScript(Drawing& d);

/// tf.gradients of the sum of `ys` by `xs`, into the pool.
void differentiate(Drawing& d, const std::vector<Output>& ys, const std::vector<Output>& xs);
/// A few element-wise ops over `values`, all of `type` and one shape; gives a tensor of that shape.
Output expression(GraphBuilder& b, Random& random, DType type, const std::vector<Output>& values, int ops);

}  // namespace weft::generated
