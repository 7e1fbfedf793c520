#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "graph/function_writer.h"
#include "weft/builder.h"

namespace weft {

/// Whether gradients flow through tensors of this type (gradients_util.IsTrainable).
bool isTrainableType(DType type);

/// The body of a function that is called by a node, and beside it, in the same graph, the nodes of its gradient, until the two are
/// divided into functions of their own: what the gradient takes from the body is then handed over by whoever calls the two.
class FunctionGradient {
 public:
  /// A gradient's argument and the tensor of the calling graph that it stands for.
  struct Capture {
    Output outer, arg;
    Output next;  ///< What a loop's body gives back for it.
  };

  /// Opens the body of `function` for arguments of these shapes; `inputs` are the tensors of `outer` that the node hands over.
  Status open(GraphBuilder& outer, const FuncAttr& function, const std::vector<Output>& inputs, const std::vector<Shape>& shapes);
  /// addGradients() beside the body; errors name the function.
  Result<std::vector<Gradient>> gradients(const std::vector<Output>& ys, const std::vector<Output>& xs, const GradientsOptions& options);
  /// A new argument; `like` (if valid) is the tensor of `outer` whose handle it may carry.
  Output addArg(GraphBuilder& outer, DType type, const Shape& shape, const std::string& name, Output like = {});
  /// Tells the nodes of the body from those that were made since open() and that the body does not need.
  void divide();
  /// Replaces whatever the gradient's nodes and `outputs` take from the body, and those of `strangers`, by what `capture` gives.
  Status reroute(const std::set<Output>& strangers, std::vector<Output>& outputs, const std::function<Result<Output>(Output)>& capture);
  /// The argument that stands for a tensor of the calling graph: one that is there or a new one.
  Output captured(GraphBuilder& outer, Output tensor, DType type, const Shape& shape, const std::string& name);
  /// Position of the argument that a resource of the body comes from; UNIMPLEMENTED if that is not one.
  Result<size_t> resourceArg(Output o) const;
  /// Adds one half to the functions of `outer` under a free name like `name`, and gives that.
  Result<std::string> publish(GraphBuilder& outer, const std::string& name, bool gradientHalf, const std::vector<Output>& fromArgs,
                              const std::vector<Output>& toResults);

  MetaGraph meta;
  std::unique_ptr<GraphBuilder> builder;
  std::string name;
  std::vector<Output> args, results;  ///< Of the body.
  std::vector<std::string> targets;
  std::set<int> body, gradient;  ///< Which node belongs to which half.
  std::vector<Capture> captures;

 private:
  int opened_ = 0;
};

/// The dims that two shapes share; unknown where they differ.
Shape commonShape(const Shape& a, const Shape& b);

/// An attribute that calls a function without attributes of its own.
Attr functionCalled(const std::string& name);

/// "BASE_grad_N", a name that no function of `graph` has, and that is not `taken`.
std::string freeGradientName(const Graph& graph, const std::string& base, const std::vector<std::string>& taken = {});

/// Gives a node `more` outputs of type variant and says so in its attribute `types` ("Tout", "T") and in output_shapes.
void addVariantOutputs(Node& node, size_t more, const char* types);

}  // namespace weft
