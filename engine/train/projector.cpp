#include "train/projector.h"

#include "weft/projector.h"

namespace weft {
namespace {

/// A field of a tab-separated table: one line, never empty (the projector skips empty lines).
std::string fieldOf(const std::string& word) {
  std::string out;
  for (const char c : word) {
    if (c == '\n') out += "\\n";
    else if (c == '\t') out += "\\t";
    else if (c == '\r') out += "\\r";
    else out += c;
  }
  if (out.find_first_not_of(' ') == std::string::npos) out = "<" + std::string(out.empty() ? "empty" : "space") + ">";
  return out;
}

}  // namespace

Result<Projector> Projector::of(const DatasetBinding& binding, const Dataset& data, const Graph& graph) {
  Projector projector;
  const auto option = binding.options.find("projector");
  std::string rest = option == binding.options.end() ? std::string() : option->second;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(';'), rest.size()), equals = rest.find('=');
    if (equals == rest.npos || equals > end) return invalidArgument("the option projector of the data is ", option->second, ", expected VARIABLE=COLUMN;…");
    const std::string variable = rest.substr(0, equals), column = rest.substr(equals + 1, end - equals - 1);
    rest.erase(0, end + 1);
    const auto words = data.vocabularies.find(column);
    if (words == data.vocabularies.end()) return notFound("the option projector of the data names the column ", column, ", whose numbers stand for no words");
    if (graph.find(variable)) projector.tables_.push_back({variable, words->second});
  }
  return projector;
}

Status Projector::write(const Session& session, const std::string& folder, FileSystem& files) const {
  if (tables_.empty()) return {};
  const std::map<std::string, Tensor> variables = session.variables();
  std::string config;
  for (const Table& t : tables_) {
    const auto it = variables.find(t.variable);
    if (it == variables.end() || it->second.rank() != 2) continue;
    const std::string base = projectorTableName(t.variable);
    std::string words;
    for (int64_t i = 0; i < it->second.dim(0); ++i) words += (size_t(i) < t.words.size() ? fieldOf(t.words[size_t(i)]) : "<unused>") + "\n";
    WEFT_TRY(files.makeFolders(folder));
    WEFT_TRY(files.writeAtomically(joinPath(folder, base + ".values.tsv"), projectorTable(it->second)));
    WEFT_TRY(files.writeAtomically(joinPath(folder, base + ".words.tsv"), words));
    config += projectorEntry(t.variable, base + ".values.tsv", base + ".words.tsv");
  }
  return config.empty() ? Status() : files.writeAtomically(joinPath(folder, "projector_config.pbtxt"), config);
}

}  // namespace weft
