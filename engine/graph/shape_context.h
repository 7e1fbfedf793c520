#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "weft/op.h"

namespace weft {

/// A shape function's view of its node; also receives the shapes of the outputs (unknown unless set).
class WEFT_API ShapeContext {
 public:
  /// Constant value of input `i` if known, else nullptr; may be folded from its producers.
  using ConstantLookup = std::function<const Tensor*(int input)>;
  /// Type and shape of the variable (VarHandleOp's attributes) or tensor array elements behind a resource handle.
  struct HandleData {
    DType dtype = DType::Invalid;
    Shape shape = Shape::unknown();
  };
  /// Lookups of further facts about inputs. Each may be empty.
  struct Lookups {
    std::function<Shape(int input)> asShape;  ///< Input read as a shape, possibly only partly known (Shape of [?,3], Pack, …).
    std::function<std::optional<HandleData>(int input)> handle;
  };

  ShapeContext(const Node& node, std::vector<Shape> inputs, ConstantLookup constants, Lookups lookups = {})
      : node_(node),
        inputs_(std::move(inputs)),
        constants_(std::move(constants)),
        lookups_(std::move(lookups)),
        outputs_(node.outputTypes.size(), Shape::unknown()) {}

  const Node& node() const { return node_; }
  const AttrMap& attrs() const { return node_.attrs; }
  int inputCount() const { return int(inputs_.size()); }
  int outputCount() const { return int(outputs_.size()); }
  const Shape& input(int i) const { return inputs_[i]; }
  DType inputType(int i) const { return baseType(node_.inputTypes[i]); }
  const Tensor* constant(int i) const {
    const Tensor* t = constants_ ? constants_(i) : nullptr;
    if (t) askedFor_.emplace_back(i, false);
    return t;
  }
  /// Type and shape behind Resource input `i`, if known.
  std::optional<HandleData> handle(int i) const { return lookups_.handle ? lookups_.handle(i) : std::nullopt; }
  /// Input `i` (int32/int64 vector or scalar) read as a shape; unknown parts give unknown rank or dims. -1 means an unknown dim.
  Result<Shape> constantAsShape(int i) const;
  /// Element `k` of a constant integer input, or nullopt.
  std::optional<int64_t> constantInt(int i, int64_t k = 0) const;

  void setOutput(int i, Shape shape) { outputs_[i] = std::move(shape); }
  const std::vector<Shape>& outputs() const { return outputs_; }

  /// Errors in TensorFlow's words ("Shape must be rank 2 but is rank 1").
  Status requireRank(const Shape& s, int rank) const;
  Status requireRankAtLeast(const Shape& s, int rank) const;
  Status requireRankAtMost(const Shape& s, int rank) const;
  /// The known one of both; "Dimensions must be equal, but are 3 and 4" if they differ.
  Result<int64_t> mergeDims(int64_t a, int64_t b) const;
  Result<Shape> merge(const Shape& a, const Shape& b) const { return a.mergedWith(b); }
  /// The end of TensorFlow's messages: " for 'NAME' (op: 'OP') with input shapes: [2,3], [4]." and the constants that were used.
  std::string errorContext() const;

 private:
  const Node& node_;
  std::vector<Shape> inputs_;
  ConstantLookup constants_;
  Lookups lookups_;
  mutable std::vector<std::pair<int, bool>> askedFor_;  // input, whether as a shape
  std::vector<Shape> outputs_;
};

/// Shape functions that many ops share.
namespace shapes {
WEFT_API Status scalar(ShapeContext& c);     ///< All outputs are scalars.
WEFT_API Status unchanged(ShapeContext& c);  ///< Output 0 has the shape of input 0.
WEFT_API Status unchangedOfRankAtLeast1(ShapeContext& c);
WEFT_API Status broadcast(ShapeContext& c);  ///< Inputs 0 and 1 broadcast to output 0.
WEFT_API Status mergeAll(ShapeContext& c);   ///< All inputs and output 0 have the same shape.
WEFT_API Status unknown(ShapeContext& c);    ///< Nothing is known before the run.
WEFT_API Status none(ShapeContext& c);       ///< No outputs.
/// Output dim of a window op; -1 if an argument is unknown. `padding`: "SAME", "VALID" or (with `before`,`after`) "EXPLICIT".
/// INVALID_ARGUMENT "Negative dimension size caused by subtracting 5 from 2".
WEFT_API Result<int64_t> windowOutput(int64_t input, int64_t window, int64_t dilation, int64_t stride, std::string_view padding, int64_t before = 0,
                                      int64_t after = 0);
}  // namespace shapes

/// Runs the shape function of a known op; returns the output shapes. Errors are in TensorFlow's words, with the node's name, op and input shapes.
WEFT_API Result<std::vector<Shape>> inferShapes(const Node& node, const std::vector<Shape>& inputs, ShapeContext::ConstantLookup constants,
                                                ShapeContext::Lookups lookups = {});

/// The type and shape behind `handle`, from its VarHandleOp or TensorArrayV3, seen through Identity, Switch, Enter and similar ops.
WEFT_API std::optional<ShapeContext::HandleData> findHandleData(const Graph& graph, Output handle);

/// Infers all shapes of `graph` in topological order, with constants folded as shape functions request them.
/// `problems` receives the errors (with node) of nodes whose inputs do not fit; their outputs stay unknown.
WEFT_API Status inferGraphShapes(Graph& graph, std::vector<Error>* problems);

}  // namespace weft
