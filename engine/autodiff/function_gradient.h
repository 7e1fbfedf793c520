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

/// A called function's body and its gradient, in one graph until they are divided into two functions. The caller of the two then passes the values that the
/// gradient takes from the body.
class FunctionGradient {
 public:
  /// A gradient's argument and the tensor of the calling graph that it stands for.
  struct Capture {
    Output outer, arg;
    Output next;  ///< For a loop's body: the result that feeds the argument in the next iteration.
  };

  /// Opens the body of `function` for arguments of these shapes; `inputs` are the call's arguments in `outer`.
  Status open(GraphBuilder& outer, const FuncAttr& function, const std::vector<Output>& inputs, const std::vector<Shape>& shapes);
  /// Calls addGradients() in the body's graph; errors name the function.
  Result<std::vector<Gradient>> gradients(const std::vector<Output>& ys, const std::vector<Output>& xs, const GradientsOptions& options);
  /// Adds an argument. `like` (if valid) is the tensor of `outer` whose handle data it gets.
  Output addArg(GraphBuilder& outer, DType type, const Shape& shape, const std::string& name, Output like = {});
  /// Separates the body's nodes from nodes that were added since open() and that the body does not need.
  void divide();
  /// Replaces values that the gradient's nodes and `outputs` take from the body or from `strangers` by the results of `capture`.
  Status reroute(const std::set<Output>& strangers, std::vector<Output>& outputs, const std::function<Result<Output>(Output)>& capture);
  /// The argument that stands for a tensor of the calling graph; added if missing.
  Output captured(GraphBuilder& outer, Output tensor, DType type, const Shape& shape, const std::string& name);
  /// Index of the argument behind a resource in the body; UNIMPLEMENTED if it is not an argument.
  Result<size_t> resourceArg(Output o) const;
  /// Adds one half to the functions of `outer`, under a free name based on `name`; returns that name.
  Result<std::string> publish(GraphBuilder& outer, const std::string& name, bool gradientHalf, const std::vector<Output>& fromArgs,
                              const std::vector<Output>& toResults);

  MetaGraph meta;
  std::unique_ptr<GraphBuilder> builder;
  std::string name;
  std::vector<Output> args, results;  ///< Of the body.
  std::vector<std::string> targets;
  std::set<int> body, gradient;  ///< Node ids of the two halves.
  std::vector<Capture> captures;

 private:
  int opened_ = 0;
};

/// The dims that two shapes have in common; unknown where they differ.
Shape commonShape(const Shape& a, const Shape& b);

/// An attribute that names a function without attributes.
Attr functionCalled(const std::string& name);

/// "BASE_grad_N", with the first N for which neither `graph` has such a function nor `taken` holds the name.
std::string freeGradientName(const Graph& graph, const std::string& base, const std::vector<std::string>& taken = {});

/// Adds `more` variant outputs to a node and updates its attributes `types` ("Tout", "T") and output_shapes.
void addVariantOutputs(Node& node, size_t more, const char* types);

}  // namespace weft
