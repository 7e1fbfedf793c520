#include <algorithm>
#include <iostream>

#include "cli/command.h"
#include "cli/tools/tool.h"

// `weft tools NAME …`: TensorFlow's command line programs under their own names.
namespace weft::cli {
namespace {

const std::vector<Tool>& allTools() {
  static const std::vector<Tool> list = {freezeGraphTool(),   importPbToTensorboardTool(), inspectCheckpointTool(), optimizeForInferenceTool(),
                                         savedModelCliTool(), stripUnusedTool(),           summarizeGraphTool(),    transformGraphTool()};
  return list;
}

const Tool* findTool(std::string_view name) {
  for (const Tool& tool : allTools())
    if (tool.name == name) return &tool;
  return nullptr;
}

std::string toolNames() {
  std::string out;
  for (const Tool& tool : allTools()) out += (out.empty() ? "" : ", ") + std::string(tool.name);
  return out;
}

void printTools(std::ostream& out) {
  out << "usage: weft tools NAME [OPTIONS…]\n\nTensorFlow's command line programs, with its names and options:\n";
  for (const Tool& tool : allTools()) out << "  " << tool.name << std::string(28 - tool.name.size(), ' ') << tool.summary << "\n";
  out << "\n`weft tools NAME --help` says more about one. In a Python program of `weft py`, the modules of tensorflow.python.tools are the same.\n";
}

void printToolHelp(const Tool& tool) {
  std::cout << "usage: weft tools " << tool.name << " [OPTIONS…]\n\n" << tool.summary << ".\n\noptions (a default in brackets):\n";
  for (const ToolOption& option : tool.options) {
    std::string left = "--" + std::string(option.name);
    if (option.kind == ToolOption::Kind::Bool) left += " [true|false]";
    if (option.kind == ToolOption::Kind::Number) left += " N";
    if (option.kind == ToolOption::Kind::Text) left += " TEXT";
    std::cout << "  " << left << std::string(left.size() < 34 ? 34 - left.size() : 1, ' ') << option.summary;
    if (option.required) std::cout << " (required)";
    else if (!option.fallback.empty()) std::cout << " [" << option.fallback << "]";
    std::cout << "\n";
  }
  if (tool.more) std::cout << "\n" << tool.more();
}

int runTools(std::span<const std::string> words) {
  if (words.empty()) {
    printTools(std::cout);
    return kDone;
  }
  if (words[0].starts_with('-')) return usageError("tools", concat("expected the name of a tool before '", words[0], "'"));
  const Tool* tool = findTool(words[0]);
  if (!tool) return usageError("tools", concat("unknown tool '", words[0], "'; the tools are ", toolNames()));
  const auto rest = words.subspan(1);
  if (!tool->run) return runPythonModule(tool->module, rest);
  if (std::find_if(rest.begin(), rest.end(), [](const std::string& w) { return w == "--help" || w == "-h"; }) != rest.end()) {
    printToolHelp(*tool);
    return kDone;
  }
  const auto options = ToolOptions::parse(rest, tool->options);
  if (!options.ok()) return complain(concat("tools ", tool->name, ": ", options.error().message, "; see weft tools ", tool->name, " --help"), kWrongUsage);
  const Status status = tool->run(*options);
  return status.ok() ? kDone : complain(status.error());
}

}  // namespace

extern const Command kToolsCommand;
const Command kToolsCommand{"tools", "run one of TensorFlow's command line programs",
                            "usage: weft tools NAME [OPTIONS…]\n\n"
                            "TensorFlow's command line programs, with its names and options: freeze_graph, import_pb_to_tensorboard,\n"
                            "inspect_checkpoint, optimize_for_inference, saved_model_cli, strip_unused, summarize_graph, transform_graph.\n"
                            "`weft tools` lists them, `weft tools NAME --help` says more about one. inspect_checkpoint and saved_model_cli\n"
                            "print NumPy's arrays and need Python, as `weft py` does.\n",
                            runTools, true};

}  // namespace weft::cli
