#include <algorithm>
#include <charconv>
#include <set>

#include "cli/tools/tool.h"
#include "weft/file_system.h"
#include "weft/inspect.h"

namespace weft::cli {
namespace {

bool isTruth(const std::string& word) { return word == "true" || word == "True" || word == "false" || word == "False"; }

/// The value in the form that ToolOptions keeps.
Result<std::string> toolValue(const ToolOption& option, std::string value) {
  if (option.kind == ToolOption::Kind::Bool) {
    if (!isTruth(value)) return invalidArgument("option --", option.name, " must be true or false, not '", value, "'");
    value[0] = char(value[0] | 0x20);
  }
  if (option.kind == ToolOption::Kind::Number) {
    int64_t number = 0;
    const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (problem != std::errc() || end != value.data() + value.size())
      return invalidArgument("option --", option.name, " needs a whole number, not '", value, "'");
  }
  return value;
}

}  // namespace

Result<ToolOptions> ToolOptions::parse(std::span<const std::string> words, std::span<const ToolOption> known) {
  ToolOptions out;
  std::set<std::string_view> given;
  for (const ToolOption& option : known) out.values_[std::string(option.name)] = option.fallback;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const size_t dashes = word.find_first_not_of('-');
    if (!word.starts_with('-') || dashes == word.npos || dashes > 2) return invalidArgument("unexpected argument '", word, "'");
    const size_t equals = word.find('=');
    const std::string name = word.substr(dashes, equals == word.npos ? word.npos : equals - dashes);
    const auto option = std::find_if(known.begin(), known.end(), [&](const ToolOption& o) { return o.name == name; });
    if (option == known.end()) return invalidArgument("unknown option ", word.substr(0, equals));
    std::string value = "true";
    if (equals != word.npos) value = word.substr(equals + 1);
    else if (option->kind == ToolOption::Kind::Bool && (i + 1 == words.size() || !isTruth(words[i + 1]))) value = "true";
    else if (i + 1 < words.size()) value = words[++i];
    else return invalidArgument("option --", name, " needs a value");
    WEFT_LET(out.values_[name], toolValue(*option, std::move(value)));
    given.insert(option->name);
  }
  for (const ToolOption& option : known)
    if (option.required && !given.count(option.name)) return invalidArgument("option --", option.name, " is required");
  for (const ToolOption& option : known)
    if (option.required && out.text(option.name).empty()) return invalidArgument("option --", option.name, " needs a value");
  return out;
}

std::vector<std::string> ToolOptions::list(std::string_view name) const {
  std::vector<std::string> out;
  std::string text = this->text(name);
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  for (size_t at = 0; at < text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    if (comma > at) out.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return out;
}

Result<std::string> readGraphFile(const std::string& path) {
  FileSystem& files = posixFileSystem();
  if (!files.exists(path)) return notFound("Input graph file '", path, "' does not exist!");
  WEFT_LET(const std::string bytes, files.readAll(path));
  auto graph = convertGraphBytes(bytes, "graph.pb");
  if (!graph.ok()) return graph.error().inFile(path);
  return graph;
}

Status writeGraphFile(const std::string& path, const std::string& graph, bool binary) {
  if (binary) return posixFileSystem().writeAtomically(path, graph);
  WEFT_LET(const std::string text, convertGraphBytes(graph, "graph.pbtxt"));
  return posixFileSystem().writeAtomically(path, text);
}

}  // namespace weft::cli
