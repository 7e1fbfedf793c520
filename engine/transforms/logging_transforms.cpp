// Transforms around the values that ops print: adding Print ops, and reading ranges back from a log.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "graph/attr_proto.h"
#include "transforms/node_names.h"
#include "transforms/patterns.h"
#include "weft/file_system.h"
#include "weft/op.h"

namespace weft::transforms {
namespace {

/// Types of a node's outputs, from its op and attributes.
Result<std::vector<DType>> outputTypesOf(const NodeDef& node) {
  const OpRecord* record = OpRegistry::instance().find(node.op());
  if (!record) return notFound("Op type not registered '", node.op(), "'").atNode(node.name());
  AttrMap attrs;
  for (const auto& [name, value] : node.attr()) {
    if (!record->findAttr(name)) continue;
    auto attr = attrFromProto(value);
    if (!attr.ok()) return attr.error().atNode(node.name());
    attrs.set(name, std::move(*attr));
  }
  auto signature = resolveSignature(*record, attrs);
  if (!signature.ok()) return signature.error().atNode(node.name());
  return signature->outputTypes;
}

/// How the Print ops are made.
struct PrintStyle {
  std::string message;
  bool showName = false, showOp = false;
  int64_t firstN = -1, summarize = 1024;
};

/// `used`: the names that are taken, to which the new one is added.
Result<NodeDef> printNode(const NodeDef& node, const std::set<int>& outputs, const PrintStyle& style, std::set<std::string>* used) {
  WEFT_LET(const std::vector<DType> types, outputTypesOf(node));
  if (types.empty() || *outputs.rbegin() >= int(types.size()))
    return invalidArgument("has ", types.size(), " outputs, but another node reads output ", *outputs.rbegin()).atNode(node.name());
  NodeDef print;
  print.set_op("Print");
  const std::string name = node.name() + "__print__";
  print.set_name(name);
  for (int number = 1; !used->insert(print.name()).second; ++number) print.set_name(concat(name, "_", number));
  std::string message;
  if (style.showOp) message += ";" + node.op() + ";";
  if (style.showName) message += ";" + print.name() + ";";
  auto& attrs = *print.mutable_attr();
  attrs["message"].set_s(message + style.message);
  attrs["first_n"].set_i(style.firstN);
  attrs["summarize"].set_i(style.summarize);
  attrs["T"].set_type(tensorflow::DataType(types[0]));
  print.add_input(node.name() + ":0");
  for (const int output : outputs) {
    attrs["U"].mutable_list()->add_type(tensorflow::DataType(types[size_t(output)]));
    print.add_input(concat(node.name(), ":", output));
  }
  return print;
}

/// The outputs of each node that others read. A control edge reads none; TensorFlow counts it as a read of output 0, which the node may not have.
Result<std::map<std::string, std::set<int>>> readOutputs(const GraphDef& graph) {
  std::map<std::string, std::set<int>> out;
  for (const NodeDef& node : graph.node())
    for (const std::string& input : node.input()) {
      if (input.starts_with('^')) continue;
      const InputParts parts = inputParts(canonicalInput(input));
      char* end = nullptr;
      const long index = std::strtol(parts.suffix.c_str() + 1, &end, 10);
      if (*end || parts.suffix.size() < 2 || index < 0 || index > 1 << 20) return invalidArgument("Couldn't understand output number in ", input);
      out[parts.node].insert(int(index));
    }
  return out;
}

Status insertLogging(const GraphDef& in, const Context& context, GraphDef* out) {
  const auto ops = context.all("op"), prefixes = context.all("prefix");
  PrintStyle style;
  WEFT_LET(style.message, context.text("message", ""));
  WEFT_LET(style.showName, context.boolean("show_name", false));
  WEFT_LET(style.showOp, context.boolean("show_op", false));
  WEFT_LET(style.firstN, context.integer("first_n", -1));
  WEFT_LET(style.summarize, context.integer("summarize", 1024));
  WEFT_LET(const auto read, readOutputs(in));
  std::map<std::string, std::string> names;
  std::unordered_set<std::string> prints;
  std::set<std::string> used;
  for (const NodeDef& node : in.node()) used.insert(node.name());
  GraphDef logged;
  for (const NodeDef& node : in.node()) {
    *logged.add_node() = node;
    const auto outputs = read.find(node.name());
    if (outputs == read.end()) continue;
    if (!ops.empty() && std::find(ops.begin(), ops.end(), node.op()) == ops.end()) continue;
    if (!prefixes.empty() && std::none_of(prefixes.begin(), prefixes.end(), [&](const std::string& p) { return node.name().starts_with(p); })) continue;
    WEFT_LET(NodeDef print, printNode(node, outputs->second, style, &used));
    prints.insert(print.name());
    names[node.name() + ":0"] = print.name() + ":0";
    logged.add_node()->Swap(&print);
  }
  return renameInputs(logged, names, prints, out);
}

struct LoggedRanges {
  std::vector<float> mins, maxs;
};

/// The number between "[" and "]" at `at`, which moves behind it.
bool bracketedNumber(std::string_view line, size_t* at, float* out) {
  if (*at >= line.size() || line[*at] != '[') return false;
  const size_t end = line.find(']', *at);
  if (end == line.npos) return false;
  const std::string text(line.substr(*at + 1, end - *at - 1));
  char* stop = nullptr;
  *out = std::strtof(text.c_str(), &stop);
  *at = end + 1;
  return !text.empty() && !*stop;
}

/// Lines such as `;conv/range__print__;__requant_min_max:[-1.5][6.25]`, among others.
std::map<std::string, LoggedRanges> rangesOfLog(std::string_view log) {
  constexpr std::string_view kMark = "__print__;__requant_min_max:";
  std::map<std::string, LoggedRanges> out;
  while (!log.empty()) {
    const std::string_view line = log.substr(0, log.find('\n'));
    log.remove_prefix(std::min(log.size(), line.size() + 1));
    const size_t mark = line.find(kMark);
    if (mark == line.npos) continue;
    const size_t semicolon = line.rfind(';', mark), begin = semicolon == line.npos ? 0 : semicolon + 1;
    size_t at = mark + kMark.size();
    float min = 0, max = 0;
    if (!bracketedNumber(line, &at, &min) || !bracketedNumber(line, &at, &max)) continue;
    LoggedRanges& ranges = out[std::string(line.substr(begin, mark - begin))];
    ranges.mins.push_back(min);
    ranges.maxs.push_back(max);
  }
  return out;
}

Status freezeRequantizationRanges(const GraphDef& in, const Context& context, GraphDef* out) {
  WEFT_LET(const std::string path, context.text("min_max_log_file", ""));
  if (path.empty()) return invalidArgument("You must pass a file name to min_max_log_file");
  WEFT_LET(const float low, context.number("min_percentile", 5));
  WEFT_LET(const float high, context.number("max_percentile", 5));
  WEFT_LET(const std::string log, posixFileSystem().readAll(path));
  auto ranges = rangesOfLog(log);
  if (ranges.empty()) return invalidArgument("No min/max range logs were found in the log file").inFile(path);
  const NodeIndex nodes = indexNodes(in);
  for (const auto& [name, range] : ranges)
    if (!nodes.count(name)) return invalidArgument("Nodes were found in the log file that aren't present in the graph: ", name).inFile(path);
  std::map<std::string, std::string> names;
  GraphDef frozen;
  for (const NodeDef& node : in.node()) {
    const auto range = ranges.find(node.name());
    if (range == ranges.end()) {
      *frozen.add_node() = node;
      continue;
    }
    if (node.op() != "RequantizationRange") return invalidArgument("Node is expected to be a RequantizationRange op: ", node.name(), ", but is: ", node.op());
    auto& [mins, maxs] = range->second;
    std::sort(mins.begin(), mins.end());
    std::sort(maxs.begin(), maxs.end());
    const float last = float(mins.size() - 1);
    const float minAt = std::clamp(std::round(float(mins.size()) * (low / 100.0F)), 0.0F, last);
    const float maxAt = std::clamp(std::round(float(maxs.size()) * (1.0F - high / 100.0F)), 0.0F, last);
    const std::pair<const char*, float> ends[] = {{"min", mins[size_t(minAt)]}, {"max", maxs[size_t(maxAt)]}};
    for (int i = 0; i < 2; ++i) {
      WEFT_LET(NodeDef made, constNode(node.name() + "/frozen_" + ends[i].first, Tensor::scalar(ends[i].second)));
      names[concat(node.name(), ":", i)] = made.name() + ":0";
      frozen.add_node()->Swap(&made);
    }
  }
  return renameInputs(frozen, names, {}, out);
}

}  // namespace

std::vector<Entry> loggingTransforms() {
  return {
      {{"freeze_requantization_ranges",
        "Replaces RequantizationRange ops by constants, from the ranges that a log with insert_logging's lines contains.",
        {{"min_max_log_file", "the log", true},
         {"min_percentile", "how many percent of the smallest minimums to pass over (default 5)"},
         {"max_percentile", "how many percent of the largest maximums to pass over (default 5)"}}},
       freezeRequantizationRanges},
      {{"insert_logging",
        "Puts a Print op behind nodes.",
        {{"op", "only behind nodes of these ops (default: all)", false, true},
         {"prefix", "only behind nodes whose names begin so (default: all)", false, true},
         {"show_op", "true: print the op (default false)"},
         {"show_name", "true: print the name of the Print op (default false)"},
         {"message", "text before the values"},
         {"first_n", "how often to print (default -1: always)"},
         {"summarize", "how many values to print (default 1024)"}}},
       insertLogging},
  };
}

}  // namespace weft::transforms
