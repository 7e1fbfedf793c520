#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/error.h"

namespace weft::cli {

/// An option of a tool, with TensorFlow's name and default. A Bool may stand alone (true), or be followed by true or false.
struct ToolOption {
  enum class Kind { Text, Number, Bool };
  std::string_view name;  ///< Without its dashes.
  Kind kind = Kind::Text;
  std::string_view fallback;  ///< The value if it is not given.
  std::string_view summary;
  bool required = false;
};

/// A tool's options with their values.
class ToolOptions {
 public:
  /// INVALID_ARGUMENT names an unknown option, one without a value, a value that does not fit, or a required option that is missing or empty.
  static Result<ToolOptions> parse(std::span<const std::string> words, std::span<const ToolOption> known);

  const std::string& text(std::string_view name) const { return values_.find(name)->second; }  ///< REQUIRES: the tool has the option.
  bool boolean(std::string_view name) const { return text(name) == "true"; }
  int64_t number(std::string_view name) const { return std::stoll(text(name)); }
  std::vector<std::string> list(std::string_view name) const;  ///< Separated by commas, without spaces; empty parts are left out.

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

/// One of TensorFlow's command line programs. Define each in a file of this folder and list it in tools_command.cpp.
struct Tool {
  std::string_view name;
  std::string_view summary;  ///< One line.
  std::vector<ToolOption> options;
  Status (*run)(const ToolOptions& options) = nullptr;
  std::string_view module = {};     ///< The Python module that is the program, if `run` is null: what it prints is NumPy's.
  std::string (*more)() = nullptr;  ///< Text below the options in the help.
};

Tool freezeGraphTool();
Tool stripUnusedTool();
Tool optimizeForInferenceTool();
Tool transformGraphTool();
Tool summarizeGraphTool();
Tool importPbToTensorboardTool();
Tool inspectCheckpointTool();
Tool savedModelCliTool();

/// Reads a graph file. NOT_FOUND in TensorFlow's words if there is none.
Result<std::string> readGraphFile(const std::string& path);
/// Writes a GraphDef in binary or text form.
Status writeGraphFile(const std::string& path, const std::string& graph, bool binary);

/// Becomes the Python interpreter, which runs a module as a program (py_command.cpp). Returns only if that fails.
int runPythonModule(std::string_view module, std::span<const std::string> arguments);

}  // namespace weft::cli
