#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "weft/op.h"

namespace weft {

/// What a shape function sees of its node, and where it leaves the shapes of the outputs (unknown unless set).
class WEFT_API ShapeContext {
 public:
  /// Constant value of input `i` if it is known, else nullptr; may be computed by folding what feeds it.
  using ConstantLookup = std::function<const Tensor*(int input)>;
  /// What a resource handle says of the variable behind it (VarHandleOp's attributes), or of a tensor array's elements.
  struct HandleData {
    DType dtype = DType::Invalid;
    Shape shape = Shape::unknown();
  };
  /// What else may be known of the tensors that come in, beside their shapes. Each may be empty.
  struct Lookups {
    std::function<Shape(int input)> asShape;  ///< Input read as a shape where only parts of it are known (Shape of [?,3], Pack, …).
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
  /// Type and shape behind Resource input `i`, if they are known.
  std::optional<HandleData> handle(int i) const { return lookups_.handle ? lookups_.handle(i) : std::nullopt; }
  /// Input `i` (a vector or scalar of int32/int64) read as a shape: unknown rank or dims where it is not known. -1 means an unknown dim.
  Result<Shape> constantAsShape(int i) const;
  /// Element `k` of a constant integer input, or nothing.
  std::optional<int64_t> constantInt(int i, int64_t k = 0) const;

  void setOutput(int i, Shape shape) { outputs_[i] = std::move(shape); }
  const std::vector<Shape>& outputs() const { return outputs_; }

  /// Errors in TensorFlow's words ("Shape must be rank 2 but is rank 1").
  Status requireRank(const Shape& s, int rank) const;
  Status requireRankAtLeast(const Shape& s, int rank) const;
  Status requireRankAtMost(const Shape& s, int rank) const;
  /// "Dimensions must be equal, but are 3 and 4": the known one of both.
  Result<int64_t> mergeDims(int64_t a, int64_t b) const;
  Result<Shape> merge(const Shape& a, const Shape& b) const { return a.mergedWith(b); }
  /// " for 'NAME' (op: 'OP') with input shapes: [2,3], [4]." and the constants that were looked at: the end of TensorFlow's messages.
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
WEFT_API Status mergeAll(ShapeContext& c);   ///< All inputs have one shape; so has output 0.
WEFT_API Status unknown(ShapeContext& c);    ///< Nothing is known before the run.
WEFT_API Status none(ShapeContext& c);       ///< No outputs.
/// Output dim of a window op; -1 if anything needed is unknown. `padding`: "SAME", "VALID" or (with `before`,`after`) "EXPLICIT".
/// INVALID_ARGUMENT "Negative dimension size caused by subtracting 5 from 2".
WEFT_API Result<int64_t> windowOutput(int64_t input, int64_t window, int64_t dilation, int64_t stride, std::string_view padding, int64_t before = 0,
                                      int64_t after = 0);
}  // namespace shapes

/// Runs the shape function of a known op; outputs' shapes. Errors are in TensorFlow's words, with the node's name, op and input shapes.
WEFT_API Result<std::vector<Shape>> inferShapes(const Node& node, const std::vector<Shape>& inputs, ShapeContext::ConstantLookup constants,
                                                ShapeContext::Lookups lookups = {});

/// The type and shape that the handle `handle` of `graph` carries: found at the VarHandleOp or TensorArrayV3 that it comes from, through
/// Identity, Switch, Enter and their like.
WEFT_API std::optional<ShapeContext::HandleData> findHandleData(const Graph& graph, Output handle);

/// Infers all shapes of `graph` in topological order, with constants folded as far as shape functions ask for them.
/// `problems` gets the errors (with node) of nodes whose inputs do not fit; their outputs stay unknown.
WEFT_API Status inferGraphShapes(Graph& graph, std::vector<Error>* problems);

}  // namespace weft
