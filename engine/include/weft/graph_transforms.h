#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/error.h"
#include "weft/export.h"

namespace weft {

/// A parameter of a graph transform.
struct TransformParameter {
  std::string_view name;
  std::string_view summary;  ///< What it means, with its default where it has one.
  bool required = false;
  bool repeated = false;  ///< May be given several times.
};

/// A graph transform of TensorFlow's Graph Transform Tool. Help, completion and dialogs are made from these records.
struct GraphTransform {
  std::string_view name;     ///< As in TensorFlow.
  std::string_view summary;  ///< One sentence.
  std::vector<TransformParameter> parameters;
};

/// All transforms, by name.
WEFT_API std::span<const GraphTransform> graphTransforms();
/// Null if there is none of this name.
WEFT_API const GraphTransform* findGraphTransform(std::string_view name);

/// A transform to apply, with its parameters' values in the order in which they were given.
struct TransformCall {
  std::string name;
  std::map<std::string, std::vector<std::string>> parameters;
};

/// Parses TensorFlow's notation: `fold_constants(ignore_errors=true) strip_unused_nodes(type=float, shape="1,299,299,3")`. INVALID_ARGUMENT where it cannot be read.
WEFT_API Result<std::vector<TransformCall>> parseTransforms(std::string_view text);
/// The notation for one call; values are quoted where the parser needs it. INVALID_ARGUMENT if a value has a quotation mark, which the notation cannot express.
WEFT_API Result<std::string> transformText(const TransformCall& call);

/// Applies transforms in order. `graph` is a GraphDef or MetaGraphDef in either form, the result a binary GraphDef. `inputs` and `outputs` name the nodes that are fed
/// and fetched. Results are those of TensorFlow 1.15, except where those would compute other values: there the graph keeps its nodes, and `warnings` (or null) gets a
/// line. A transform with the parameter ignore_errors=true that fails changes nothing.
/// INVALID_ARGUMENT: the graph cannot be read, an unknown transform or parameter, a single parameter given twice, nodes of one name before or after a transform, a graph
/// that a transform cannot handle. FAILED_PRECONDITION: sparsify_gather of weights that are no float column. NOT_FOUND: an unknown op; for fold_constants also an input
/// or output that is not in the graph; for freeze_requantization_ranges also its log. UNIMPLEMENTED: quantize_nodes, and sparsify_gather of variables. INTERNAL: an input
/// that a transform left without its node. fold_constants also returns the errors of the kernels that it runs.
WEFT_API Result<std::string> transformGraph(std::string_view graph, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                                            const std::vector<TransformCall>& transforms, std::vector<std::string>* warnings = nullptr);

/// What tf.graph_util.extract_sub_graph does, with each node of `inputs` replaced by a placeholder first: tensorflow.python.tools.strip_unused_lib. `types` are
/// DataType numbers: one for all inputs, or one for each. INVALID_ARGUMENT: the graph cannot be read or has several nodes of one name, an input is not the name of a node
/// but of a tensor, a type is not valid, an output or a node that is read is not in the graph. NOT_FOUND: an input is not in the graph.
WEFT_API Result<std::string> stripUnused(std::string_view graph, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                                         const std::vector<int>& types);
/// tensorflow.python.tools.optimize_for_inference_lib: strips, removes training nodes, folds batch norms and, unless `tocoCompatible`, fuses padding and resizing into
/// convolutions. Warnings, such as a batch norm that cannot be folded, are appended to `warnings`. Errors: those of stripUnused(); INVALID_ARGUMENT also for a node that
/// reads one that is not in the graph, and for weights that are no floats of four dimensions.
WEFT_API Result<std::string> optimizeForInference(std::string_view graph, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                                                  const std::vector<int>& types, bool tocoCompatible, std::vector<std::string>* warnings);

/// Two of its steps alone, as fold_batch_norms() and fuse_resize_and_conv() of that library. `outputs`: nodes that are fetched.
WEFT_API Result<std::string> foldInferenceNorms(std::string_view graph, const std::vector<std::string>& outputs, std::vector<std::string>* warnings);
WEFT_API Result<std::string> fuseResizeAndConv(std::string_view graph, const std::vector<std::string>& outputs, std::vector<std::string>* warnings);

/// What summarize_graph says about a graph. `path` is repeated in a command line. `structure`: also lists the nodes in execution order. INVALID_ARGUMENT: the graph
/// cannot be read or, with `structure`, has a cycle. INTERNAL: a node reads one that is not in the graph.
WEFT_API Result<std::string> summarizeGraph(std::string_view graph, const std::string& path, bool structure);

/// The graph with all nodes below a scope, as tf.import_graph_def puts them there. INVALID_ARGUMENT: the graph cannot be read.
WEFT_API Result<std::string> graphUnderScope(std::string_view graph, const std::string& scope);
/// Number of nodes of a binary GraphDef; 0 if it cannot be read.
WEFT_API int graphNodeCount(std::string_view graph);

}  // namespace weft
