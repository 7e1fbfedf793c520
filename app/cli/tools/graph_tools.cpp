#include <algorithm>
#include <charconv>
#include <iostream>

#include "cli/tools/tool.h"
#include "weft/events.h"
#include "weft/file_system.h"
#include "weft/graph_transforms.h"
#include "weft/inspect.h"

// The tools that make a graph from a graph, and those that show one.
namespace weft::cli {
namespace {

using Kind = ToolOption::Kind;

/// Adds the input file to an error that names none.
template <typename T>
Result<T> ofFile(Result<T> result, const std::string& path) {
  if (!result.ok()) return result.error().inFile(path);
  return result;
}

Result<std::vector<int>> placeholderTypes(const ToolOptions& options) {
  std::vector<int> out;
  for (const std::string& word : options.list("placeholder_type_enum")) {
    int type = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), type);
    if (problem != std::errc() || end != word.data() + word.size())
      return invalidArgument("--placeholder_type_enum: '", word, "' is not the number of a DataType");
    out.push_back(type);
  }
  if (out.empty()) return invalidArgument("--placeholder_type_enum has no number");
  return out;
}

void printWarnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) std::cerr << "weft: warning: " << warning << "\n";
}

Status runStripUnused(const ToolOptions& options) {
  WEFT_LET(const std::string graph, readGraphFile(options.text("input_graph")));
  if (options.list("output_node_names").empty()) return invalidArgument("You need to supply the name of a node to --output_node_names.");
  WEFT_LET(const std::vector<int> types, placeholderTypes(options));
  WEFT_LET(const std::string out, ofFile(stripUnused(graph, options.list("input_node_names"), options.list("output_node_names"), types), options.text("input_graph")));
  WEFT_TRY(writeGraphFile(options.text("output_graph"), out, options.boolean("output_binary")));
  std::cout << graphNodeCount(out) << " ops in the final graph.\n";
  return {};
}

Status runOptimize(const ToolOptions& options) {
  WEFT_LET(const std::string graph, readGraphFile(options.text("input")));
  WEFT_LET(const std::vector<int> types, placeholderTypes(options));
  std::vector<std::string> warnings;
  WEFT_LET(const std::string out, ofFile(optimizeForInference(graph, options.list("input_names"), options.list("output_names"), types,
                                                              options.boolean("toco_compatible"), &warnings),
                                         options.text("input")));
  printWarnings(warnings);
  return writeGraphFile(options.text("output"), out, options.boolean("frozen_graph"));
}

Status runTransform(const ToolOptions& options) {
  for (const char* name : {"in_graph", "out_graph"})
    if (options.text(name).empty()) return invalidArgument(name, " graph can't be empty.");
  auto transforms = parseTransforms(options.text("transforms"));
  if (!transforms.ok()) return invalidArgument("Failed to parse --transform argument, error was ", transforms.error().message);
  if (transforms->empty()) return invalidArgument("You must specify at least one transform.");
  WEFT_LET(const std::string graph, readGraphFile(options.text("in_graph")));
  std::vector<std::string> warnings;
  WEFT_LET(const std::string out, ofFile(transformGraph(graph, options.list("inputs"), options.list("outputs"), *transforms, &warnings), options.text("in_graph")));
  printWarnings(warnings);
  return writeGraphFile(options.text("out_graph"), out, !options.boolean("output_as_text"));
}

std::string transformList() {
  std::string out = "transforms, as in --transforms='fold_constants(ignore_errors=true) strip_unused_nodes(type=float, shape=\"1,28,28,1\")':\n";
  for (const GraphTransform& transform : graphTransforms()) {
    out += concat("  ", transform.name, "\n      ", transform.summary, "\n");
    for (const TransformParameter& p : transform.parameters) {
      if (p.name == "ignore_errors") continue;
      out += concat("      ", p.name, ": ", p.summary, p.required ? " (required)" : "", p.repeated ? " (may be repeated)" : "", "\n");
    }
  }
  return out + "Each of them also has ignore_errors=true: if it fails, the next one gets the graph before it.\n";
}

Status runSummarize(const ToolOptions& options) {
  if (options.text("in_graph").empty()) return invalidArgument("in_graph graph can't be empty.");
  WEFT_LET(const std::string graph, readGraphFile(options.text("in_graph")));
  WEFT_LET(const std::string text, ofFile(summarizeGraph(graph, options.text("in_graph"), options.boolean("print_structure")), options.text("in_graph")));
  std::cout << text;
  return {};
}

Status runImport(const ToolOptions& options) {
  WEFT_LET(const std::string graph, readGraphFile(options.text("model_dir")));
  WEFT_LET(const std::string imported, ofFile(graphUnderScope(graph, "import"), options.text("model_dir")));
  WEFT_LET(const auto writer, EventWriter::create(options.text("log_dir")));
  WEFT_TRY(writer->addGraph(imported));
  WEFT_TRY(writer->close());
  std::cout << "Model Imported. Visualize by running: tensorboard --logdir=" << options.text("log_dir") << "\n";
  return {};
}

}  // namespace

Tool stripUnusedTool() {
  return {"strip_unused",
          "cuts a graph to the part between inputs and outputs",
          {{"input_graph", Kind::Text, "", "GraphDef file to load"},
           {"input_binary", Kind::Bool, "false", "no effect: the file's content says its form"},
           {"output_graph", Kind::Text, "", "GraphDef file to write", true},
           {"output_binary", Kind::Bool, "true", "whether to write the binary form"},
           {"input_node_names", Kind::Text, "", "the input nodes, separated by commas"},
           {"output_node_names", Kind::Text, "", "the output nodes, separated by commas"},
           {"placeholder_type_enum", Kind::Text, "1", "number of the DataType of the new placeholders; or one for each, separated by commas"}},
          runStripUnused};
}

Tool optimizeForInferenceTool() {
  return {"optimize_for_inference",
          "removes what only training needs, and folds batch norms into convolutions",
          {{"input", Kind::Text, "", "GraphDef file to load"},
           {"output", Kind::Text, "", "file to write", true},
           {"input_names", Kind::Text, "", "the input nodes, separated by commas"},
           {"output_names", Kind::Text, "", "the output nodes, separated by commas"},
           {"frozen_graph", Kind::Bool, "true", "whether to write the binary form; the input's content says its form"},
           {"placeholder_type_enum", Kind::Text, "1", "number of the DataType of the placeholders; or one for each, separated by commas"},
           {"toco_compatible", Kind::Bool, "false", "whether to leave padding and resizing out of convolutions"}},
          runOptimize};
}

Tool transformGraphTool() {
  return {"transform_graph",
          "applies transforms to a graph, one after the other",
          {{"in_graph", Kind::Text, "", "GraphDef file to load"},
           {"out_graph", Kind::Text, "", "GraphDef file to write"},
           {"inputs", Kind::Text, "", "the nodes that are fed, separated by commas"},
           {"outputs", Kind::Text, "", "the nodes that are fetched, separated by commas"},
           {"transforms", Kind::Text, "", "the transforms, separated by spaces"},
           {"output_as_text", Kind::Bool, "false", "whether to write the text form"}},
          runTransform,
          {},
          transformList};
}

Tool summarizeGraphTool() {
  return {"summarize_graph",
          "shows likely inputs and outputs of a graph, and its ops",
          {{"in_graph", Kind::Text, "", "GraphDef file to load"}, {"print_structure", Kind::Bool, "false", "whether to list all nodes with their inputs"}},
          runSummarize};
}

Tool importPbToTensorboardTool() {
  return {"import_pb_to_tensorboard",
          "writes a graph to a log folder for TensorBoard",
          {{"model_dir", Kind::Text, "", "GraphDef file to load", true}, {"log_dir", Kind::Text, "", "the log folder", true}},
          runImport};
}

}  // namespace weft::cli
