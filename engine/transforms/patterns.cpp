#include "transforms/patterns.h"

#include <algorithm>

#include "transforms/node_names.h"

namespace weft::transforms {
namespace {

bool waitsForOneInput(const NodeDef& node) { return node.op() == "Merge" || node.op() == "RefMerge" || node.op() == "_XlaMerge"; }

bool opMatches(const std::string& op, std::string_view pattern) {
  if (pattern == "*") return true;
  while (true) {
    const size_t bar = pattern.find('|');
    if (pattern.substr(0, bar) == op) return true;
    if (bar == pattern.npos) return false;
    pattern.remove_prefix(bar + 1);
  }
}

class Matcher {
 public:
  explicit Matcher(const GraphDef& graph) {
    // What is part of a cycle, or behind one, is left out; so it never matches.
    (void)executionOrder(graph, &sorted_).ok();
    for (const NodeDef* node : sorted_) nodes_[node->name()] = node;
  }

  std::vector<Match> find(const Pattern& pattern) {
    std::vector<Match> out;
    for (const NodeDef* node : sorted_) {
      Match match;
      if (!matches(*node, pattern, &match)) continue;
      record(match);
      out.push_back(std::move(match));
    }
    return out;
  }

  const std::unordered_set<std::string>& taken() const { return taken_; }

 private:
  bool matches(const NodeDef& node, const Pattern& pattern, Match* match) const {
    if (taken_.count(node.name()) || !opMatches(node.op(), pattern.op)) return false;
    match->node = &node;
    if (pattern.inputs.empty()) return true;
    std::vector<const std::string*> data;
    for (const std::string& input : node.input())
      if (!input.empty() && input[0] != '^') data.push_back(&input);
    if (data.size() != pattern.inputs.size()) return false;
    match->inputs.reserve(data.size());
    for (size_t i = 0; i < data.size(); ++i) {
      const auto source = nodes_.find(nodeNameOf(*data[i]));
      if (source == nodes_.end() || !matches(*source->second, pattern.inputs[i], &match->inputs.emplace_back())) return false;
    }
    return true;
  }

  void record(const Match& match) {
    taken_.insert(match.node->name());
    for (const Match& input : match.inputs) record(input);
  }

  std::vector<const NodeDef*> sorted_;
  NodeIndex nodes_;
  std::unordered_set<std::string> taken_;
};

/// Drops repeated nodes: a node that two parts of a match read is made twice. False if two nodes of one name differ.
bool oneOfEachName(std::vector<NodeDef>* nodes) {
  std::unordered_map<std::string, std::string> contents;
  std::vector<NodeDef> once;
  for (NodeDef& node : *nodes) {
    std::string content = contentOf(node);
    const auto [at, isNew] = contents.try_emplace(node.name(), content);
    if (!isNew && at->second != content) return false;
    if (isNew) once.push_back(std::move(node));
  }
  nodes->swap(once);
  return true;
}

/// Follows renamings until none applies.
class Renamer {
 public:
  explicit Renamer(const std::map<std::string, std::string>& names) {
    for (const auto& [from, to] : names) rules_[nodeNameOf(from)].push_back({from, to});
  }

  Status rename(std::string* input) const {
    std::set<std::string> seen;
    while (true) {
      const std::string node = nodeNameOf(*input);
      const auto rules = rules_.find(node);
      if (rules == rules_.end()) return {};
      if (!seen.insert(node).second) return invalidArgument("RenameNodeInputs argument contains a cycle for ", node);
      bool any = false;
      for (const auto& [from, to] : rules->second) {
        if (from.size() >= 2 && from.compare(from.size() - 2, 2, ":*") == 0) {
          const InputParts parts = inputParts(*input);
          *input = parts.prefix + to + parts.suffix;
          any = true;
        } else if (canonicalInput(from) == canonicalInput(*input)) {
          *input = to;
          any = true;
        }
      }
      if (!any) return {};
    }
  }

 private:
  std::unordered_map<std::string, std::vector<std::pair<std::string, std::string>>> rules_;
};

}  // namespace

NodeIndex indexNodes(const GraphDef& graph) {
  NodeIndex out;
  out.reserve(size_t(graph.node_size()));
  for (const NodeDef& node : graph.node()) out[node.name()] = &node;
  return out;
}

const tensorflow::AttrValue* attrOf(const NodeDef& node, const std::string& name) {
  const auto at = node.attr().find(name);
  return at == node.attr().end() ? nullptr : &at->second;
}

std::string textAttr(const NodeDef& node, const std::string& name, const char* otherwise) {
  const auto* value = attrOf(node, name);
  return value ? value->s() : otherwise;
}

bool boolAttr(const NodeDef& node, const std::string& name) {
  const auto* value = attrOf(node, name);
  return value && value->b();
}

DType statedType(const NodeDef& node) {
  const auto* value = attrOf(node, "dtype");
  return value ? DType(value->type()) : DType::Invalid;
}

Status executionOrder(const GraphDef& graph, std::vector<const NodeDef*>* sorted) {
  const int count = graph.node_size();
  std::unordered_map<std::string, int> numbers;
  for (int i = 0; i < count; ++i) numbers[graph.node(i).name()] = i;
  std::vector<int> pending(static_cast<size_t>(count)), ready;
  std::vector<std::vector<int>> readers(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    const NodeDef& node = graph.node(i);
    pending[size_t(i)] = node.input_size();
    if (waitsForOneInput(node)) {
      pending[size_t(i)] = 1;
      for (const std::string& input : node.input()) pending[size_t(i)] += !input.empty() && input[0] == '^';
    }
    if (node.input_size() == 0) ready.push_back(i);
    for (const std::string& input : node.input()) {
      const auto source = numbers.find(nodeNameOf(input));
      if (source == numbers.end()) return invalidArgument("Node '", node.name(), "': Unknown input node '", input, "'");
      readers[size_t(source->second)].push_back(i);
    }
  }
  sorted->reserve(size_t(count));
  while (!ready.empty()) {
    const int next = ready.back();
    ready.pop_back();
    sorted->push_back(&graph.node(next));
    for (const int reader : readers[size_t(next)])
      if (--pending[size_t(reader)] == 0) ready.push_back(reader);
  }
  if (int(sorted->size()) == count) return {};
  const std::string* first = nullptr;
  for (int i = 0; i < count && !first; ++i)
    if (pending[size_t(i)] > 0) first = &graph.node(i).name();
  return invalidArgument(count - int(sorted->size()), " nodes in a cycle", first ? concat(", or behind one, from '", *first, "' on") : std::string());
}

std::vector<const NodeDef*> nodesOf(const Match& match) {
  std::vector<const NodeDef*> out;
  std::set<std::string> seen;
  std::vector<const Match*> level = {&match};
  while (!level.empty()) {
    std::vector<const Match*> next;
    for (const Match* m : level) {
      if (!seen.insert(m->node->name()).second) continue;
      out.push_back(m->node);
      for (const Match& input : m->inputs) next.push_back(&input);
    }
    level = std::move(next);
  }
  return out;
}

void keepMatch(const Match& match, std::vector<NodeDef>* nodes) {
  for (const NodeDef* node : nodesOf(match)) nodes->push_back(*node);
}

std::string contentOf(const NodeDef& node) {
  std::string out;
  const auto add = [&out](const std::string& part) { out += concat(part.size(), ":", part); };
  add(node.op());
  add(node.device());
  for (const std::string& input : node.input()) add(canonicalInput(input));
  std::map<std::string, const tensorflow::AttrValue*> attrs;
  for (const auto& [key, value] : node.attr()) attrs[key] = &value;
  for (const auto& [key, value] : attrs) {
    out += ";";
    add(key);
    add(value->SerializeAsString());
  }
  return out;
}

Result<int> replaceMatches(const GraphDef& in, const Context& context, const Pattern& pattern, const Replacement& replacement, bool mayDrop, GraphDef* out) {
  Matcher matcher(in);
  const std::vector<Match> matches = matcher.find(pattern);
  std::unordered_map<std::string, const Match*> heads;
  for (const Match& match : matches) heads[match.node->name()] = &match;
  std::unordered_map<std::string, std::vector<const NodeDef*>> readers;
  for (const NodeDef& node : in.node())
    for (const std::string& input : node.input()) readers[nodeNameOf(input)].push_back(&node);

  const std::set<std::string> ends = context.ends();

  int count = 0;
  out->Clear();
  for (const NodeDef& node : in.node()) {
    const auto head = heads.find(node.name());
    if (head == heads.end()) {
      if (!matcher.taken().count(node.name())) *out->add_node() = node;
      continue;
    }
    std::set<std::string> inside, readOutside;
    for (const NodeDef* member : nodesOf(*head->second)) inside.insert(member->name());
    for (const std::string& name : inside) {
      if (ends.count(name)) readOutside.insert(name);
      if (const auto users = readers.find(name); users != readers.end())
        for (const NodeDef* user : users->second)
          if (!inside.count(user->name())) readOutside.insert(name);
    }
    std::vector<NodeDef> made;
    WEFT_TRY(replacement(*head->second, readOutside, &made));
    if (!oneOfEachName(&made)) {
      context.warn(concat("'", node.name(), "' stays as it is: nodes before it are shared and would need different values"));
      made.clear();
    }
    std::set<std::string> names;
    for (const NodeDef& n : made) names.insert(n.name());
    if (!mayDrop && !std::includes(names.begin(), names.end(), readOutside.begin(), readOutside.end())) made.clear();
    if (made.empty()) keepMatch(*head->second, &made);
    else ++count;
    for (NodeDef& n : made) out->add_node()->Swap(&n);
  }
  return count;
}

Status renameInputs(const GraphDef& in, const std::map<std::string, std::string>& names, const std::unordered_set<std::string>& except, GraphDef* out) {
  const Renamer renamer(names);
  GraphDef result;
  for (const NodeDef& node : in.node()) {
    NodeDef* copy = result.add_node();
    *copy = node;
    if (except.count(node.name())) continue;
    for (std::string& input : *copy->mutable_input()) WEFT_TRY(renamer.rename(&input));
  }
  out->Swap(&result);
  return {};
}

}  // namespace weft::transforms
