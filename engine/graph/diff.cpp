// Differences between two graphs, for display: by name, with renamed nodes told apart from new ones.
#include <algorithm>
#include <map>
#include <set>

#include "graph/function_library.h"
#include "weft/defects.h"
#include "weft/diff.h"

namespace weft {
namespace {

std::string inputName(const Graph& graph, Output o) {
  const Node* n = graph.node(o.node);
  return n ? n->name + ":" + std::to_string(o.index) : "(none)";
}

std::set<std::string> controlNames(const Graph& graph, const Node& n) {
  std::set<std::string> out;
  for (const int c : n.controls)
    if (graph.node(c)) out.insert(graph.node(c)->name);
  return out;
}

std::string joined(const std::set<std::string>& names) {
  std::string out;
  for (const std::string& n : names) out += (out.empty() ? "^" : ", ^") + n;
  return out.empty() ? "none" : out;
}

/// What differs between two nodes. `pairs`: ids of the first graph's nodes in the second one; null: nodes are the same if their names are.
std::vector<std::string> detailsOf(const Graph& a, const Node& x, const Graph& b, const Node& y, const std::vector<int>* pairs = nullptr) {
  std::vector<std::string> out;
  const auto note = [&](const std::string& what, const std::string& was, const std::string& is) { out.push_back(what + ": " + was + " -> " + is); };
  if (x.op != y.op) note("op", x.op, y.op);
  if (x.device != y.device) note("device", x.device.empty() ? "none" : x.device, y.device.empty() ? "none" : y.device);
  const auto paired = [&](int id) { return pairs && id >= 0 && size_t(id) < pairs->size() ? (*pairs)[size_t(id)] : -1; };
  for (size_t i = 0; i < std::max(x.inputs.size(), y.inputs.size()); ++i) {
    if (pairs && i < x.inputs.size() && i < y.inputs.size() && paired(x.inputs[i].node) == y.inputs[i].node && x.inputs[i].index == y.inputs[i].index) continue;
    const std::string was = i < x.inputs.size() ? inputName(a, x.inputs[i]) : "none", is = i < y.inputs.size() ? inputName(b, y.inputs[i]) : "none";
    if (was != is || pairs) note("input " + std::to_string(i), was, is);
  }
  if (pairs) {
    std::set<int> was, is(y.controls.begin(), y.controls.end());
    for (const int c : x.controls) was.insert(paired(c));
    if (was != is) note("waits for", joined(controlNames(a, x)), joined(controlNames(b, y)));
  } else if (const auto was = controlNames(a, x), is = controlNames(b, y); was != is) {
    note("waits for", joined(was), joined(is));
  }
  std::set<std::string> names;
  for (const auto& [name, value] : x.attrs) names.insert(name);
  for (const auto& [name, value] : y.attrs) names.insert(name);
  for (const std::string& name : names) {
    const Attr *was = x.attrs.find(name), *is = y.attrs.find(name);
    if (was && is && *was == *is) continue;
    // These hold names of nodes, which are expected to differ.
    if (pairs && (name == "_class" || name == "shared_name" || name == "container")) continue;
    std::string before = was ? was->toString() : "none", after = is ? is->toString() : "none";
    // Different tensors may have the same summary.
    if (before == after) after += " (other values)";
    note(name, before, after);
  }
  return out;
}

/// A node without its name, for finding renamed nodes.
std::string fingerprint(const Node& n) {
  std::string out = n.op + "|" + n.device;
  for (const auto& [name, value] : n.attrs) out += "|" + name + "=" + value.toString();
  return out + "|" + std::to_string(n.inputs.size());
}

/// Collections, versions, functions and savers. By structure: of collections, which list names, only the sizes.
void compareRest(const MetaGraph& before, const MetaGraph& after, GraphDifference& out, bool byStructure = false) {
  const Graph &a = before.graph, &b = after.graph;
  std::set<std::string> keys;
  for (const auto& [key, c] : before.collections) keys.insert(key);
  for (const auto& [key, c] : after.collections) keys.insert(key);
  const auto count = [](const MetaGraph& meta, const std::string& key) -> size_t {
    const auto it = meta.collections.find(key);
    if (it == meta.collections.end()) return 0;
    const Collection& c = it->second;
    return c.nodes.size() + c.bytes.size() + c.ints.size() + c.floats.size() + c.anys.size();
  };
  for (const std::string& key : keys) {
    const auto x = before.collections.find(key), y = after.collections.find(key);
    if (byStructure && count(before, key) == count(after, key)) continue;
    const bool both = x != before.collections.end() && y != after.collections.end();
    if (both && x->second.nodes == y->second.nodes && x->second.bytes == y->second.bytes && x->second.ints == y->second.ints &&
        x->second.floats == y->second.floats && x->second.anys == y->second.anys)
      continue;
    out.collections.push_back(concat(key, ": ", count(before, key), " -> ", count(after, key), " entries"));
  }
  if (a.versions.producer != b.versions.producer) out.others.push_back(concat("producer: ", a.versions.producer, " -> ", b.versions.producer));
  const auto library = [](const Graph& g) { return g.functions ? g.functions->bytes() : std::string(); };
  if (library(a) != library(b)) out.others.push_back("the library of functions differs");
  if (before.saver.has_value() != after.saver.has_value() || (before.saver && !byStructure && before.saver->restoreOp != after.saver->restoreOp)) {
    out.others.push_back(concat("saver: ", before.saver ? before.saver->restoreOp : "none", " -> ", after.saver ? after.saver->restoreOp : "none"));
  }
}

}  // namespace

GraphDifference diffGraphs(const MetaGraph& before, const MetaGraph& after) {
  const Graph &a = before.graph, &b = after.graph;
  GraphDifference out;
  std::map<std::string, const Node*> gone, fresh;
  for (int id = 0; id < a.size(); ++id) {
    const Node* x = a.node(id);
    if (!x || isMissing(*x)) continue;
    const Node* y = b.find(x->name);
    if (!y || isMissing(*y)) {
      gone.emplace(x->name, x);
      continue;
    }
    if (auto details = detailsOf(a, *x, b, *y); !details.empty()) out.nodes.push_back({NodeDifference::Kind::Changed, x->name, {}, y->op, std::move(details)});
  }
  for (int id = 0; id < b.size(); ++id)
    if (const Node* y = b.node(id), *x = y && !isMissing(*y) ? a.find(y->name) : y; y && !isMissing(*y) && (!x || isMissing(*x))) fresh.emplace(y->name, y);
  // Renamed: the same node with the same inputs, if there is exactly one such pair. Renames of producers are found first, so that chains are found.
  std::map<std::string, std::string> renamed;
  const auto source = [&](const std::string& name) {
    const auto it = renamed.find(name);
    return it == renamed.end() ? name : it->second;
  };
  for (bool again = true; again;) {
    again = false;
    std::multimap<std::string, const Node*> candidates;
    for (const auto& [name, y] : fresh) {
      std::string key = fingerprint(*y);
      for (const Output o : y->inputs) key += "," + inputName(b, o);
      candidates.emplace(std::move(key), y);
    }
    for (auto it = gone.begin(); it != gone.end();) {
      std::string key = fingerprint(*it->second);
      for (const Output o : it->second->inputs) {
        const std::string name = inputName(a, o);
        const size_t colon = name.rfind(':');
        key += "," + source(name.substr(0, colon)) + name.substr(colon);
      }
      const auto range = candidates.equal_range(key);
      if (std::distance(range.first, range.second) != 1 || !fresh.count(range.first->second->name)) {
        ++it;
        continue;
      }
      const Node* y = range.first->second;
      renamed[it->first] = y->name;
      out.nodes.push_back({NodeDifference::Kind::Renamed, y->name, it->first, y->op, {}});
      fresh.erase(y->name);
      it = gone.erase(it);
      again = true;
    }
  }
  // Reading a renamed node is no change.
  std::erase_if(out.nodes, [&](NodeDifference& d) {
    if (d.kind != NodeDifference::Kind::Changed) return false;
    std::erase_if(d.details, [&](const std::string& text) {
      const size_t colon = text.find(": "), arrow = text.find(" -> ");
      if (!text.starts_with("input ") || colon == text.npos || arrow == text.npos) return false;
      const std::string was = text.substr(colon + 2, arrow - colon - 2), is = text.substr(arrow + 4);
      const size_t c = was.rfind(':');
      return c != was.npos && source(was.substr(0, c)) + was.substr(c) == is;
    });
    return d.details.empty();
  });
  for (const auto& [name, x] : gone) out.nodes.push_back({NodeDifference::Kind::Removed, name, {}, x->op, {}});
  for (const auto& [name, y] : fresh) out.nodes.push_back({NodeDifference::Kind::Added, name, {}, y->op, {}});
  std::stable_sort(out.nodes.begin(), out.nodes.end(), [](const auto& x, const auto& y) { return x.name < y.name; });
  compareRest(before, after, out);
  return out;
}

GraphDifference diffGraphsByStructure(const MetaGraph& before, const MetaGraph& after) {
  const Graph &a = before.graph, &b = after.graph;
  const std::vector<int> pairs = matchByStructure(a, b);
  std::vector<bool> known(size_t(b.size()));
  GraphDifference out;
  for (int id = 0; id < a.size(); ++id) {
    const Node* x = a.node(id);
    if (!x || isMissing(*x)) continue;
    if (pairs[size_t(id)] < 0) {
      out.nodes.push_back({NodeDifference::Kind::Removed, x->name, {}, x->op, {}});
      continue;
    }
    const Node& y = *b.node(pairs[size_t(id)]);
    known[size_t(y.id)] = true;
    auto details = detailsOf(a, *x, b, y, &pairs);
    const std::string oldName = x->name == y.name ? std::string() : x->name;
    if (!details.empty()) out.nodes.push_back({NodeDifference::Kind::Changed, y.name, oldName, y.op, std::move(details)});
    else if (!oldName.empty()) out.nodes.push_back({NodeDifference::Kind::Renamed, y.name, oldName, y.op, {}});
  }
  for (int id = 0; id < b.size(); ++id)
    if (const Node* y = b.node(id); y && !isMissing(*y) && !known[size_t(id)]) out.nodes.push_back({NodeDifference::Kind::Added, y->name, {}, y->op, {}});
  std::stable_sort(out.nodes.begin(), out.nodes.end(), [](const auto& x, const auto& y) { return x.name < y.name; });
  compareRest(before, after, out, true);
  return out;
}

}  // namespace weft
