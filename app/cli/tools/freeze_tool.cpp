#include <iostream>
#include <set>

#include "cli/tools/tool.h"
#include "weft/checkpoint.h"
#include "weft/defects.h"
#include "weft/file_system.h"
#include "weft/freeze.h"
#include "weft/op_traits.h"
#include "weft/saved_model.h"
#include "weft/session.h"

// freeze_graph: one graph of constants from a graph and its checkpoint.
namespace weft::cli {
namespace {

using Kind = ToolOption::Kind;

/// What there is to freeze.
struct FreezeSource {
  std::string bytes;  ///< a GraphDef or MetaGraphDef
  std::string file, checkpoint;
  bool fromGraph = false;  ///< a bare graph, without a saver of its own
};

Result<FreezeSource> findSource(const ToolOptions& options) {
  FileSystem& files = posixFileSystem();
  FreezeSource out;
  out.checkpoint = options.text("input_checkpoint");
  if (const std::string& folder = options.text("input_saved_model_dir"); !folder.empty()) {
    WEFT_LET(const SavedModelContents model, readSavedModel(folder, options.list("saved_model_tags")));
    WEFT_LET(out.bytes, serializeGraph(model.meta, GraphFormat::MetaBinary));
    out.file = folder;
    out.checkpoint = model.checkpoint;
    return out;
  }
  const std::string &meta = options.text("input_meta_graph"), &graph = options.text("input_graph");
  if (!meta.empty() && !files.exists(meta)) return notFound("Input meta graph file '", meta, "' does not exist!");
  out.file = meta.empty() ? graph : meta;
  out.fromGraph = meta.empty() && options.text("input_saver").empty();
  if (out.file.empty()) return invalidArgument("freeze_graph needs --input_graph, --input_meta_graph or --input_saved_model_dir");
  if (!files.exists(out.file)) return notFound("Input graph file '", out.file, "' does not exist!");
  WEFT_LET(out.bytes, files.readAll(out.file));
  if (!meta.empty()) std::cout << "Loaded meta graph file '" << meta << "\n";  // TensorFlow's line has no second quote
  if (const std::string& saver = options.text("input_saver"); !saver.empty() && !files.exists(saver))
    return notFound("Input saver file '", saver, "' does not exist!");
  if (auto reader = CheckpointReader::open(out.checkpoint); !reader.ok() && reader.error().code == Code::NotFound)
    return notFound("Input checkpoint '", out.checkpoint, "' doesn't exist!");
  return out;
}

bool isVariable(const std::string& op) { return roleOf(op) == OpRole::Variable; }

/// Values of variables after the initializers have run in a session that has the checkpoint's values.
Result<VariableValues> initializedValues(const Graph& graph, const CheckpointReader& reader, const std::vector<std::string>& initializers) {
  WEFT_LET(const auto session, Session::create(graph));
  for (int id = 0; id < graph.size(); ++id) {
    const Node* node = graph.node(id);
    if (!node || !isVariable(node->op) || !reader.find(node->name)) continue;
    WEFT_LET(const Tensor value, reader.read(node->name));
    WEFT_TRY(session->setVariable(node->name, value));
  }
  WEFT_TRY(session->run({}, {}, initializers).status());
  auto values = std::make_shared<const std::map<std::string, Tensor>>(session->variables());
  return VariableValues([values](const SavedVariable& variable) -> Result<Tensor> {
    const auto at = values->find(variable.name);
    if (at == values->end()) return failedPrecondition("Attempting to use uninitialized value ", variable.name);
    return at->second;
  });
}

Status freezeSource(const ToolOptions& options, const FreezeSource& source) {
  WEFT_LET(const LoadedGraph loaded, openGraphBytes(std::make_shared<const std::string>(source.bytes), source.file));
  const Graph& graph = loaded.meta.graph;
  FreezeOptions freeze;
  freeze.outputs = options.list("output_node_names");
  freeze.clearDevices = options.boolean("clear_devices");
  const auto wanted = options.list("variable_names_whitelist"), refused = options.list("variable_names_blacklist");
  const std::set<std::string> only(wanted.begin(), wanted.end());
  freeze.keep.insert(refused.begin(), refused.end());
  std::set<std::string> variables;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* node = graph.node(id);
    if (!node || !isVariable(node->op)) continue;
    variables.insert(node->name);
    if (!only.empty() && !only.count(node->name)) freeze.keep.insert(node->name);
  }
  if (variables.empty() && source.fromGraph)
    return invalidArgument("No variables were found in this model. It is likely the model was frozen previously. You cannot freeze a graph twice.");
  for (const auto& [option, names] : {std::pair{"variable_names_whitelist", &wanted}, std::pair{"variable_names_blacklist", &refused}})
    for (const std::string& name : *names)
      if (!variables.count(name)) return invalidArgument("--", option, ": the graph has no variable '", name, "'");
  std::unique_ptr<CheckpointReader> reader;
  VariableValues values = [](const SavedVariable&) -> Result<Tensor> { return failedPrecondition("the model has no values for its variables"); };
  if (!source.checkpoint.empty()) {
    WEFT_LET(reader, CheckpointReader::open(source.checkpoint));
    values = valuesFromCheckpoint(*reader);
    if (const auto initializers = options.list("initializer_nodes"); !initializers.empty()) {
      WEFT_LET(values, initializedValues(graph, *reader, initializers));
    }
  }
  WEFT_LET(const std::string frozen, freezeGraph(source.bytes, values, freeze));
  return writeGraphFile(options.text("output_graph"), frozen, true);
}

Status runFreeze(const ToolOptions& options) {
  if (const int64_t version = options.number("checkpoint_version"); version != 1 && version != 2)
    return invalidArgument("Invalid checkpoint version (must be '1' or '2'): ", version);
  WEFT_LET(const FreezeSource source, findSource(options));
  if (options.list("output_node_names").empty()) return invalidArgument("You need to supply the name of a node to --output_node_names.");
  Status status = freezeSource(options, source);
  if (!status.ok()) status.error().inFile(source.file);
  return status;
}

}  // namespace

Tool freezeGraphTool() {
  return {"freeze_graph",
          "merges a graph and its checkpoint into one graph of constants",
          {{"input_graph", Kind::Text, "", "GraphDef file to load"},
           {"input_saver", Kind::Text, "", "SaverDef file; the graph's own save ops say the same"},
           {"input_checkpoint", Kind::Text, "", "checkpoint to load"},
           {"checkpoint_version", Kind::Number, "2", "version of the checkpoint: 1 or 2; its files say the same"},
           {"output_graph", Kind::Text, "", "GraphDef file to write", true},
           {"input_binary", Kind::Bool, "false", "no effect: the file's content says its form"},
           {"output_node_names", Kind::Text, "", "the output nodes, separated by commas"},
           {"restore_op_name", Kind::Text, "save/restore_all", "no effect, as in TensorFlow"},
           {"filename_tensor_name", Kind::Text, "save/Const:0", "no effect, as in TensorFlow"},
           {"clear_devices", Kind::Bool, "true", "whether nodes lose their devices"},
           {"initializer_nodes", Kind::Text, "", "operations to run before freezing, separated by commas"},
           {"variable_names_whitelist", Kind::Text, "", "variables to convert, separated by commas (all)"},
           {"variable_names_blacklist", Kind::Text, "", "variables not to convert, separated by commas"},
           {"input_meta_graph", Kind::Text, "", "MetaGraphDef file to load"},
           {"input_saved_model_dir", Kind::Text, "", "folder of a SavedModel"},
           {"saved_model_tags", Kind::Text, "serve", "tags of its meta graph, separated by commas"}},
          runFreeze};
}

Tool inspectCheckpointTool() {
  return {"inspect_checkpoint", "prints names, shapes and values of a checkpoint's tensors", {}, nullptr, "tensorflow.python.tools.inspect_checkpoint"};
}

Tool savedModelCliTool() { return {"saved_model_cli", "shows, runs and scans SavedModels", {}, nullptr, "tensorflow.python.tools.saved_model_cli"}; }

}  // namespace weft::cli
