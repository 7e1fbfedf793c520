#include "weft/graph.h"

#include <algorithm>
#include <charconv>

#include "weft/op_traits.h"

namespace weft {

Graph::Graph() : byName_(std::make_shared<std::unordered_map<std::string, int>>()) {}

namespace {

// Copies the map before a change if a snapshot shares it.
std::unordered_map<std::string, int>& own(std::shared_ptr<std::unordered_map<std::string, int>>& map) {
  if (map.use_count() > 1) map = std::make_shared<std::unordered_map<std::string, int>>(*map);
  return *map;
}

}  // namespace

const Node* Graph::find(std::string_view name) const {
  const auto it = byName_->find(std::string(name));
  return it == byName_->end() ? nullptr : nodes_[it->second].get();
}

Result<Output> Graph::findOutput(std::string_view tensorName) const {
  const size_t colon = tensorName.rfind(':');
  int index = -1;
  if (colon != std::string_view::npos) {
    const char* first = tensorName.data() + colon + 1;
    const char* last = tensorName.data() + tensorName.size();
    const auto r = std::from_chars(first, last, index);
    if (r.ec != std::errc() || r.ptr != last || index < 0) index = -1;
  }
  if (index < 0 || tensorName.starts_with('^')) {
    return invalidArgument("The name '", tensorName,
                           "' looks like an (invalid) Operation name, not a Tensor. Tensor names must be of the form \"<op_name>:<output_index>\".");
  }
  const std::string_view op = tensorName.substr(0, colon);
  const Node* n = find(op);
  if (!n) {
    return notFound("The name '", tensorName, "' refers to a Tensor which does not exist. The operation, '", op, "', does not exist in the graph.");
  }
  if (index >= int(n->outputTypes.size())) {
    return notFound("The name '", tensorName, "' refers to a Tensor which does not exist. The operation, '", op, "', exists but only has ",
                    n->outputTypes.size(), " outputs.")
        .atNode(n->name);
  }
  return Output{n->id, index};
}

std::string Graph::tensorName(Output o) const {
  const Node* n = node(o.node);
  return n ? n->name + ":" + std::to_string(o.index) : std::string("(none)");
}

Result<int> Graph::add(Node node) {
  const int id = size();
  auto& names = own(byName_);
  if (names.size() + 1 > names.bucket_count()) names.reserve(4 * names.size() + 16);  // graphs are either large or stay small
  if (!names.try_emplace(node.name, id).second) {
    return alreadyExists("Node name '", node.name, "' already exists in the Graph").atNode(node.name);
  }
  node.id = id;
  statesShapes |= std::any_of(node.outputShapes.begin(), node.outputShapes.end(), [](const Shape& s) { return s.hasRank(); });  // regardless of their origin
  node.outputShapes.resize(node.outputTypes.size(), Shape::unknown());
  nodes_.push_back(std::make_shared<const Node>(std::move(node)));
  ++live_;
  return id;
}

Status Graph::replace(int id, Node node) {
  const std::string& old = nodes_[id]->name;
  if (node.name != old) {
    if (byName_->contains(node.name)) return alreadyExists("Node name '", node.name, "' already exists in the Graph").atNode(node.name);
    auto& map = own(byName_);
    map.erase(old);
    map.emplace(node.name, id);
    // Consumers name their producer in their bytes.
    for (auto& other : nodes_) {
      if (!other || !other->raw || other->id == id) continue;
      const bool uses = std::any_of(other->inputs.begin(), other->inputs.end(), [&](Output o) { return o.node == id; }) ||
                        std::find(other->controls.begin(), other->controls.end(), id) != other->controls.end();
      if (!uses) continue;
      auto copy = std::make_shared<Node>(*other);
      copy->raw = nullptr;
      other = std::move(copy);
    }
  }
  node.id = id;
  node.raw = nullptr;
  statesShapes = true;  // shapes of the node and its successors may be outdated
  nodes_[id] = std::make_shared<const Node>(std::move(node));
  return {};
}

Status Graph::remove(int id) {
  if (!node(id)) return notFound("There is no node with the number ", id);
  for (const auto& other : nodes_) {
    if (!other || other->id == id) continue;
    const bool uses = std::any_of(other->inputs.begin(), other->inputs.end(), [&](Output o) { return o.node == id; }) ||
                      std::find(other->controls.begin(), other->controls.end(), id) != other->controls.end();
    if (uses) {
      return failedPrecondition("Node '", nodes_[id]->name, "' cannot be removed: node '", other->name, "' depends on it").atNode(nodes_[id]->name);
    }
  }
  own(byName_).erase(nodes_[id]->name);
  nodes_[id] = nullptr;
  --live_;
  return {};
}

void Graph::removeFrom(int first) {
  for (int id = first; id < size(); ++id) {
    if (!nodes_[id]) continue;
    own(byName_).erase(nodes_[id]->name);
    nodes_[id] = nullptr;
    --live_;
  }
}

void Graph::setOutputShapes(int id, std::vector<Shape> shapes) {
  if (nodes_[id]->outputShapes == shapes) return;
  if (nodes_[id].use_count() == 1) {
    // The node is not shared, and shapes are derived data, so they can be written in place.
    const_cast<Node&>(*nodes_[id]).outputShapes = std::move(shapes);
    return;
  }
  auto copy = std::make_shared<Node>(*nodes_[id]);
  copy->outputShapes = std::move(shapes);
  nodes_[id] = std::move(copy);
}

std::vector<std::vector<int>> Graph::consumers() const {
  std::vector<std::vector<int>> out(nodes_.size());
  const auto note = [&](int producer, int consumer) {
    auto& list = out[producer];
    if (list.empty() || list.back() != consumer) list.push_back(consumer);
  };
  for (const auto& n : nodes_) {
    if (!n) continue;
    for (Output o : n->inputs) note(o.node, n->id);
    for (int c : n->controls) note(c, n->id);
  }
  return out;
}

Result<std::vector<int>> Graph::topologicalOrder() const {
  const size_t size = nodes_.size();
  std::vector<int> order;
  order.reserve(size_t(live_));
  const auto eachInput = [&](const Node& n, auto&& f) {
    const bool merges = roleOf(n) == OpRole::Merge;  // only Merges need a look at the producer
    for (Output o : n.inputs) {
      if (!merges || !isBackEdge(*nodes_[o.node], n)) f(o.node);
    }
    for (int c : n.controls) f(c);
  };
  // Edges by producer in one array: the uses of node i are at [first[i], first[i + 1]), one for each edge, consumers in order of id.
  std::vector<int> waiting(size, 0), first(size + 1, 0);
  for (const auto& n : nodes_) {
    if (!n) continue;
    eachInput(*n, [&](int producer) {
      ++waiting[n->id];
      ++first[size_t(producer) + 1];
    });
  }
  for (size_t i = 0; i < size; ++i) first[i + 1] += first[i];
  std::vector<int> uses(static_cast<size_t>(first.back()));
  std::vector<int> next(first.begin(), first.end() - 1);
  for (const auto& n : nodes_) {
    if (n) eachInput(*n, [&](int producer) { uses[size_t(next[size_t(producer)]++)] = n->id; });
  }
  // Kahn's algorithm; the result list is also the queue. Keeps the order of ids where dependencies allow.
  for (const auto& n : nodes_) {
    if (n && waiting[n->id] == 0) order.push_back(n->id);
  }
  for (size_t done = 0; done < order.size(); ++done) {
    const size_t id = size_t(order[done]);
    for (int i = first[id]; i < first[id + 1]; ++i) {
      if (--waiting[uses[size_t(i)]] == 0) order.push_back(uses[size_t(i)]);
    }
  }
  if (int(order.size()) == live_) return order;

  // Walk backwards among the remaining nodes until one repeats: that is a cycle.
  std::vector<bool> done(nodes_.size(), false);
  for (int id : order) done[id] = true;
  int at = -1;
  for (const auto& n : nodes_) {
    if (n && !done[n->id]) {
      at = n->id;
      break;
    }
  }
  std::vector<int> path;
  std::vector<bool> seen(nodes_.size(), false);
  while (!seen[at]) {
    seen[at] = true;
    path.push_back(at);
    int next = -1;
    eachInput(*nodes_[at], [&](int producer) {
      if (next < 0 && !done[producer]) next = producer;
    });
    at = next;
  }
  std::string names;
  const auto begin = std::find(path.begin(), path.end(), at);
  int shown = 0;
  for (auto it = path.rbegin(); it.base() != begin; ++it) {
    if (++shown > 8) {
      names += " -> ...";
      break;
    }
    names += (names.empty() ? "" : " -> ") + nodes_[*it]->name;
  }
  return invalidArgument("The graph contains a cycle: ", names, " -> ", nodes_[path.back()]->name).atNode(nodes_[at]->name);
}

}  // namespace weft
