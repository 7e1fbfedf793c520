// Nodes as editable text, and back. Only edited nodes are parsed again, so that all others stay byte for byte.
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <map>
#include <set>

#include "proto/graph.pb.h"
#include "weft/defects.h"
#include "weft/edit.h"
#include "weft/graph_text.h"

namespace weft {

namespace tf = ::tensorflow;
namespace pb = ::google::protobuf;

namespace {

class Collector final : public pb::io::ErrorCollector {
 public:
  explicit Collector(std::string_view text) : text_(text) {}
  void AddError(int line, pb::io::ColumnNumber column, const std::string& message) override {
    if (!error.empty()) return;
    // For an invalid enum value the parser reports the position after it, possibly on the next line.
    const size_t open = message.find('"'), close = message.find('"', open + 1);
    if (message.starts_with("Unknown enumeration value") && close != message.npos) {
      const std::string_view word = std::string_view(message).substr(open + 1, close - open - 1);
      for (int back = 0; back < 3 && line - back >= 0; ++back) {
        const size_t at = lineAt(line - back).find(word);
        if (at == word.npos) continue;
        line -= back;
        column = int(at);
        break;
      }
    }
    error = std::to_string(line + 1) + ":" + std::to_string(column + 1) + ": " + message;
  }
  std::string error;

 private:
  std::string_view lineAt(int line) const {
    size_t begin = 0;
    for (int i = 0; i < line && begin < text_.size(); ++i) begin = std::min(text_.find('\n', begin), text_.size() - 1) + 1;
    return text_.substr(begin, text_.find('\n', begin) - begin);
  }
  std::string_view text_;
};

Result<tf::GraphDef> parse(std::string_view text) {
  if (text.size() > size_t(1) << 30) return invalidArgument("1:1: the text is over 1 GiB");
  tf::GraphDef def;
  Collector collector(text);
  pb::TextFormat::Parser parser;
  parser.RecordErrorsTo(&collector);
  parser.SetRecursionLimit(100);
  pb::io::ArrayInputStream in(text.data(), int(text.size()));
  if (!parser.Parse(&in, &def)) return invalidArgument(collector.error.empty() ? "1:1: the text does not parse" : collector.error);
  return def;
}

std::string bytesOf(const tf::NodeDef& node) {
  std::string out;
  {
    pb::io::StringOutputStream stream(&out);
    pb::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    node.SerializeToCodedStream(&coded);
  }
  return out;
}

void appendNode(std::string& out, std::string_view bytes) {
  out += char(1 << 3 | 2);
  for (size_t v = bytes.size();; v >>= 7) {
    out += char(v < 0x80 ? v : v | 0x80);
    if (v < 0x80) break;
  }
  out += bytes;
}

std::string lineOf(const std::vector<NodeLines>& lines, const std::string& name, bool last = false) {
  int at = 1;
  for (const NodeLines& l : lines) {
    if (l.name != name) continue;
    at = l.first;
    if (!last) break;
  }
  return std::to_string(at) + ":1: ";
}

}  // namespace

Result<std::string> nodesToText(const Graph& graph, const std::vector<int>& nodes, size_t largest) {
  std::string out;
  pb::TextFormat::Printer printer;
  for (const int id : nodes) {
    const Node* n = graph.node(id);
    if (!n || isMissing(*n)) continue;
    WEFT_LET(const std::string bytes, serializeNode(graph, id));
    if (bytes.size() > largest) {
      out += "# " + n->name + ": " + n->op + " of " + std::to_string(bytes.size()) + " bytes, left out\n";
      continue;
    }
    tf::GraphDef one;
    std::string text;
    if (!one.add_node()->ParseFromString(bytes) || !printer.PrintToString(one, &text)) return internalError("node ", n->name, " cannot be printed as text");
    out += text;
  }
  return out;
}

std::vector<NodeLines> nodeLinesOf(std::string_view text) {
  std::vector<NodeLines> out;
  NodeLines node;
  int line = 1, depth = 0;
  std::string word, field;  // the last word, and the last word before a colon
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      ++line;
    } else if (c == '#') {
      while (i + 1 < text.size() && text[i + 1] != '\n') ++i;
    } else if (c == '"' || c == '\'') {
      size_t end = i + 1;
      while (end < text.size() && text[end] != c && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      if (depth == 1 && field == "name" && node.name.empty()) node.name = std::string(text.substr(i + 1, std::min(end, text.size()) - i - 1));
      i = std::min(end, text.size());
      if (i < text.size() && text[i] == '\n') --i;
    } else if (c == '{') {
      if (depth++ == 0) node = {std::string(), line, line};
      field.clear();
    } else if (c == '}') {
      if (depth > 0 && --depth == 0) {
        node.last = line;
        if (!node.name.empty()) out.push_back(node);
      }
    } else if (c == ':') {
      field = word;
    } else if ((c >= 'a' && c <= 'z') || c == '_') {
      word.clear();
      while (i < text.size() && ((text[i] >= 'a' && text[i] <= 'z') || text[i] == '_')) word += text[i++];
      --i;
    }
  }
  return out;
}

Result<TextChange> applyNodesText(const LoadedGraph& loaded, std::string_view before, std::string_view after) {
  WEFT_LET(const tf::GraphDef was, parse(before));
  WEFT_LET(const tf::GraphDef is, parse(after));
  const Graph& graph = loaded.meta.graph;
  const std::vector<NodeLines> lines = nodeLinesOf(after);
  if (is.has_library() || is.has_versions()) return invalidArgument("1:1: only nodes stand here; the graph keeps its functions and versions");
  TextChange out;
  std::map<std::string, std::string> old, now;
  for (const tf::NodeDef& n : was.node()) old[n.name()] = bytesOf(n);
  std::vector<std::string> order;
  for (const tf::NodeDef& n : is.node()) {
    if (n.name().empty()) return invalidArgument("1:1: a node has no name");
    if (n.op().empty()) return invalidArgument(lineOf(lines, n.name()), "node ", n.name(), " has no op");
    if (!now.emplace(n.name(), bytesOf(n)).second) return invalidArgument(lineOf(lines, n.name(), true), "two nodes are called ", n.name());
    if (!old.count(n.name()) && graph.find(n.name()))
      return invalidArgument(lineOf(lines, n.name()), "the graph has a node ", n.name(), " already, which is not shown here");
    order.push_back(n.name());
  }
  for (const auto& [name, bytes] : old)
    if (!now.count(name)) out.removed.push_back(name);
  const std::set<std::string> removed(out.removed.begin(), out.removed.end());
  for (const std::string& name : order) {
    const auto it = old.find(name);
    if (it == old.end()) out.added.push_back(name);
    else if (it->second != now[name]) out.changed.push_back(name);
  }
  // The nodes in their order, new ones at the end; then functions and versions unchanged.
  std::string bytes;
  std::set<std::string> written;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n || isMissing(*n) || removed.count(n->name)) continue;
    const auto it = now.find(n->name);
    const bool edited = it != now.end() && old.count(n->name) && old[n->name] != it->second;
    if (edited) {
      appendNode(bytes, it->second);
    } else {
      WEFT_LET(const std::string kept, serializeNode(graph, id));
      appendNode(bytes, kept);
    }
    written.insert(n->name);
  }
  for (const std::string& name : order)
    if (!written.count(name) && !old.count(name)) appendNode(bytes, now[name]);
  MetaGraph shell;
  shell.graph.versions = graph.versions;
  shell.graph.functions = graph.functions;
  WEFT_LET(const std::string rest, serializeGraph(shell, GraphFormat::GraphBinary));
  bytes += rest;
  auto read = openGraphBytes(std::make_shared<const std::string>(std::move(bytes)), "text");
  if (!read.ok()) return invalidArgument(lineOf(lines, read.error().node), read.error().message);
  out.loaded = loaded;
  out.loaded.original = nullptr;
  out.loaded.meta.graph = std::move(read->meta.graph);
  out.loaded.problems = std::move(read->problems);
  if (!removed.empty()) removeReferences(out.loaded.meta, removed);
  return out;
}

}  // namespace weft
