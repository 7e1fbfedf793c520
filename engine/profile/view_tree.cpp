#include "profile/view_tree.h"

#include <algorithm>

#include "weft/scopes.h"

namespace weft {

ViewTree::~ViewTree() {
  std::vector<std::unique_ptr<ViewTree>> rest = std::move(children);
  while (!rest.empty()) {
    std::unique_ptr<ViewTree> last = std::move(rest.back());
    rest.pop_back();
    for (auto& c : last->children) rest.push_back(std::move(c));
    last->children.clear();
  }
}

ViewTree* ViewTree::child(const std::string& name) {
  ViewTree*& entry = byName[name];
  if (!entry) {
    children.push_back(std::make_unique<ViewTree>());
    entry = children.back().get();
    entry->row.name = name;
  }
  return entry;
}

void ViewTree::take(const Trace& trace, NodeTotals& node) {
  row.self += node.numbers;
  if (row.op.empty()) row.op = trace.text(node.op);
  if (row.device.empty() && node.device >= 0) row.device = deviceOfTrack(trace.tracks[size_t(node.device)].device);
  if (durations.empty()) durations = std::move(node.durations);
  else durations.insert(durations.end(), node.durations.begin(), node.durations.end());
}

void ViewTree::sum() {
  std::vector<ViewTree*> order = {this};
  for (size_t i = 0; i < order.size(); ++i) {
    for (auto& c : order[i]->children) order.push_back(c.get());
  }
  for (ViewTree* t : order) t->row.total = t->row.self;
  std::unordered_map<ViewTree*, ViewTree*> parents;
  for (ViewTree* t : order) {
    for (auto& c : t->children) parents[c.get()] = t;
  }
  for (size_t i = order.size(); i-- > 1;) parents[order[i]]->row.total += order[i]->row.total;
}

std::unique_ptr<ViewTree> scopeTree(const Trace& trace, std::vector<NodeTotals>& nodes) {
  auto root = std::make_unique<ViewTree>();
  for (NodeTotals& n : nodes) {
    const std::string& name = trace.text(n.name);
    ViewTree* at = root.get();
    const size_t scope = shownScopeOf(name).size();
    for (size_t slash = name.find('/'); slash <= scope && slash != std::string::npos; slash = name.find('/', slash + 1)) at = at->child(name.substr(0, slash));
    at->child(name)->take(trace, n);
  }
  return root;
}

std::unique_ptr<ViewTree> graphTree(const Trace& trace, std::vector<NodeTotals>& nodes) {
  auto root = std::make_unique<ViewTree>();
  std::unordered_map<std::string_view, size_t> byName;
  for (size_t i = 0; i < nodes.size(); ++i) byName.emplace(trace.text(nodes[i].name), i);
  std::vector<char> read(nodes.size(), 0), placed(nodes.size(), 0);
  for (const NodeTotals& n : nodes) {
    if (!n.facts) continue;
    for (const std::string& input : n.facts->inputs) {
      if (const auto it = byName.find(input); it != byName.end()) read[it->second] = 1;
    }
  }
  // An explicit stack instead of recursion; deep chains are flattened by the view's depth limit.
  const auto place = [&](size_t first) {
    if (placed[first]) return;
    std::vector<std::pair<size_t, ViewTree*>> todo = {{first, root.get()}};
    placed[first] = 1;
    for (size_t k = 0; k < todo.size(); ++k) {
      const auto [i, parent] = todo[k];
      ViewTree* entry = parent->child(trace.text(nodes[i].name));
      entry->take(trace, nodes[i]);
      if (!nodes[i].facts) continue;
      for (const std::string& input : nodes[i].facts->inputs) {
        const auto it = byName.find(input);
        if (it == byName.end() || placed[it->second]) continue;
        placed[it->second] = 1;
        todo.emplace_back(it->second, entry);
      }
    }
  };
  for (size_t i = nodes.size(); i-- > 0;) {
    if (!read[i]) place(i);
  }
  for (size_t i = 0; i < nodes.size(); ++i) place(i);  // nodes on cycles without readers outside
  return root;
}

std::unique_ptr<ViewTree> codeTree(const Trace& trace, std::vector<NodeTotals>& nodes) {
  auto root = std::make_unique<ViewTree>();
  for (NodeTotals& n : nodes) {
    if (!n.facts || n.facts->code.empty()) continue;
    ViewTree* at = root.get();
    for (const CodeLine& c : n.facts->code) {
      const size_t slash = c.file.rfind('/');
      const std::string file = slash == std::string::npos ? c.file : c.file.substr(slash + 1);
      at = at->child(concat(file, ":", c.number, ":", c.function, c.text.empty() ? "" : "  ", c.text));
    }
    at->take(trace, n);
    at->row.op.clear();
  }
  return root;
}

}  // namespace weft
