// Tells the network's nodes from the nodes around it.
//
// Seeds are found by op and by the names that TensorFlow gives (`gradients/…`, `conv1/kernel/Assign`, `Adam/update_conv1`). From them the parts
// spread against the edges: a node that only helpers read is a helper too. Gradients spread along the edges: nodes computed from them that are not
// differentiated again belong to the update.
#include "weft/parts.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "weft/graph.h"
#include "weft/op_traits.h"

namespace weft {
namespace {

bool isAssign(const Node& n) { return roleOf(n) == OpRole::Assign; }
bool isSaveOrRestore(const Node& n) { return roleOf(n) == OpRole::Save || roleOf(n) == OpRole::Restore; }
bool isRead(const Node& n) { return roleOf(n) == OpRole::Identity || roleOf(n) == OpRole::ReadVariable; }

/// `name` is `stem`, or `stem_7`.
bool isNumbered(std::string_view name, std::string_view stem) {
  if (!name.starts_with(stem)) return false;
  name.remove_prefix(stem.size());
  if (name.empty()) return true;
  if (name[0] != '_' || name.size() < 2) return false;
  return std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view withoutNumber(std::string_view name) {
  size_t end = name.size();
  while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9') --end;
  return end < name.size() && end > 1 && name[end - 1] == '_' ? name.substr(0, end - 1) : name;
}

/// Calls `visit` with each component of a name, including the last, until it returns true.
template <typename Visit>
bool anyComponent(std::string_view name, Visit&& visit) {
  for (size_t begin = 0;;) {
    const size_t slash = name.find('/', begin);
    const bool last = slash == name.npos;
    if (visit(last ? name.substr(begin) : name.substr(begin, slash - begin), last)) return true;
    if (last) return false;
    begin = slash + 1;
  }
}

bool isGradientName(std::string_view name) {
  return anyComponent(name, [](std::string_view part, bool last) {
    if (isNumbered(part, "gradients")) return true;
    return !last && withoutNumber(part).ends_with("_grad");
  });
}

bool appliesGradient(const Node& n) { return roleOf(n) == OpRole::ApplyGradient; }

class Sorter {
 public:
  explicit Sorter(const Graph& graph) : graph_(graph), parts_(size_t(graph.size()), Part::Network), known_(parts_.size(), 0) { connect(); }

  std::vector<Part> run() {
    seedByOp();
    seedInitializers();
    spreadBack();
    seedUpdates();
    spreadBack();
    sortVariables();
    sortSteps();
    spreadBack();
    sortGroups();
    giveInitializersToWeights();
    return std::move(parts_);
  }

 private:
  const Node& node(int id) const { return *graph_.node(id); }
  bool isKnown(int id) const { return known_[size_t(id)] != 0; }
  Part part(int id) const { return parts_[size_t(id)]; }

  void mark(int id, Part p) {
    if (isKnown(id)) return;
    known_[size_t(id)] = 1;
    parts_[size_t(id)] = p;
    fresh_.push_back(id);
  }

  void connect() {
    dataReaders_.resize(parts_.size());
    allReaders_.resize(parts_.size());
    for (int id = 0; id < graph_.size(); ++id) {
      const Node* n = graph_.node(id);
      if (!n) continue;
      for (const Output& in : n->inputs)
        if (graph_.node(in.node)) dataReaders_[size_t(in.node)].push_back(id), allReaders_[size_t(in.node)].push_back(id);
      for (const int c : n->controls)
        if (graph_.node(c)) allReaders_[size_t(c)].push_back(id);
    }
    open_.resize(parts_.size());
    for (size_t i = 0; i < parts_.size(); ++i) open_[i] = int(allReaders_[i].size());
  }

  template <typename F>
  void each(F&& f) const {
    for (int id = 0; id < graph_.size(); ++id)
      if (graph_.node(id)) f(id, node(id));
  }

  /// `save/…` with a node that saves or restores: the whole scope belongs to the saver.
  std::unordered_set<std::string_view> saverScopes() {
    std::unordered_set<std::string_view> scopes;
    each([&](int, const Node& n) {
      if (!isSaveOrRestore(n)) return;
      const std::string_view name = n.name;
      for (size_t end = name.rfind('/'); end != name.npos && end > 0; end = name.rfind('/', end - 1)) {
        const std::string_view scope = name.substr(0, end);
        if (isNumbered(scope.substr(scope.rfind('/') + 1), "save")) scopes.insert(scope);
      }
    });
    return scopes;
  }

  void seedByOp() {
    const auto savers = saverScopes();
    const auto isSaver = [&](std::string_view name) {
      if (savers.empty()) return false;
      for (size_t end = name.rfind('/'); end != name.npos && end > 0; end = name.rfind('/', end - 1))
        if (savers.count(name.substr(0, end))) return true;
      return false;
    };
    each([&](int id, const Node& n) {
      // `kernel/gradients/tag` is the tag of a summary of gradients.
      const bool tag = isConstant(n) && !dataReaders_[size_t(id)].empty() &&
                       std::all_of(dataReaders_[size_t(id)].begin(), dataReaders_[size_t(id)].end(), [&](int r) { return isSummary(roleOf(node(r))); });
      if (!tag && isGradientName(n.name) && !isVariable(n)) {
        hasGradients_ = true;
        mark(id, isSummary(roleOf(n)) ? Part::Summary : Part::Gradient);
      } else if (isSaver(n.name) || isSaveOrRestore(n) || roleOf(n) == OpRole::SaverFile) mark(id, Part::Save);
      else if (isSummary(roleOf(n))) mark(id, Part::Summary);
      else if (roleOf(n) == OpRole::ProbeVariable || (roleOf(n) == OpRole::Check && n.outputTypes.empty()) ||
               anyComponent(n.name, [](std::string_view p, bool) { return p.starts_with("report_uninitialized"); }))
        mark(id, Part::Check);
      else if (roleOf(n) == OpRole::CloseQueue || roleOf(n) == OpRole::QueueState) mark(id, Part::Queue);
    });
  }

  /// `conv1/kernel/Assign` initializes a variable; an Assign of a restored value belongs to the saver.
  void seedInitializers() {
    each([&](int id, const Node& n) {
      if (!isAssign(n) || n.inputs.size() < 2) return;
      const Node* value = graph_.node(n.inputs[1].node);
      while (value && roleOf(*value) == OpRole::Identity && !value->inputs.empty()) value = graph_.node(value->inputs[0].node);
      if (value && roleOf(*value) == OpRole::Restore) return mark(id, Part::Save);
      const Node* variable = graph_.node(n.inputs[0].node);
      if (!variable || !isVariable(*variable)) return;
      const std::string_view name = n.name;
      if (name.starts_with(variable->name) && name.size() > variable->name.size() && name[variable->name.size()] == '/' &&
          isNumbered(name.substr(variable->name.size() + 1), "Assign"))
        mark(id, Part::Init);
    });
  }

  /// A node that only helpers read is a helper too. Variables are handled later.
  void spreadBack() {
    while (!fresh_.empty()) {
      const int at = fresh_.back();
      fresh_.pop_back();
      const Node& n = node(at);
      for (const Output& in : n.inputs) release(in.node, at);
      for (const int c : n.controls) release(c, at);
    }
  }

  void release(int producer, int reader) {
    const Node* n = graph_.node(producer);
    if (!n) return;
    const Part p = part(reader);
    if (p == Part::Gradient || p == Part::Weight) return;  // gradients read the network but do not own it
    if (--open_[size_t(producer)] > 0 || isKnown(producer) || isVariable(*n)) return;
    const bool constant = isConstant(*n);
    // Nodes with a summary's name belong to it; an accuracy that only a summary reads is still a result of the network.
    if (p == Part::Summary && !constant && !anyComponent(n->name, [](std::string_view c, bool) { return c.starts_with("summar") || c.starts_with("Summar"); }))
      return;
    // Without gradients, an update may be the purpose of the graph.
    if (p == Part::Update && !constant && !hasGradients_) return;
    if (p == Part::Queue && !constant && roleOf(*n) != OpRole::Cast) return;
    if (p == Part::Step && !constant) return;
    mark(producer, p);
  }

  void seedUpdates() {
    std::unordered_set<std::string_view> optimizers;
    each([&](int id, const Node& n) {
      if (isKnown(id)) return;
      if (appliesGradient(n)) {
        mark(id, Part::Update);
        hasGradients_ = true;
        // `Adam/update_conv1/kernel/ApplyAdam`: everything below `Adam` belongs to the optimizer.
        const size_t at = n.name.find("/update_");
        if (at != n.name.npos && at > 0) optimizers.insert(std::string_view(n.name).substr(0, at));
      } else if (changesVariable(roleOf(n))) {
        mark(id, Part::Update);
      }
    });
    if (!optimizers.empty())
      each([&](int id, const Node& n) {
        if (isKnown(id) || isVariable(n)) return;
        const std::string_view name = n.name;
        for (size_t end = name.size(); end != name.npos && end > 0; end = name.rfind('/', end - 1))
          if (optimizers.count(name.substr(0, end))) return mark(id, Part::Update);
      });
    // Along the edges from the gradients, but not into nodes that are differentiated again (a gradient penalty in the loss).
    std::vector<char> differentiated(parts_.size(), 0);
    std::vector<int> stack;
    each([&](int id, const Node&) {
      if (part(id) == Part::Gradient) stack.push_back(id);
    });
    const std::vector<int> gradients = stack;
    while (!stack.empty()) {
      const Node& n = node(stack.back());
      stack.pop_back();
      for (const Output& in : n.inputs)
        if (graph_.node(in.node) && !differentiated[size_t(in.node)]) differentiated[size_t(in.node)] = 1, stack.push_back(in.node);
    }
    stack = gradients;
    while (!stack.empty()) {
      const int at = stack.back();
      stack.pop_back();
      for (const int reader : dataReaders_[size_t(at)]) {
        if (isKnown(reader) || differentiated[size_t(reader)] || isVariable(node(reader))) continue;
        mark(reader, Part::Update);
        stack.push_back(reader);
      }
    }
  }

  /// The consumers of a variable, seen through reads of its value.
  void readersOf(int id, std::vector<int>& out, int depth = 0) const {
    constexpr int kReads = 3;  // nested reads: of a cached value, or on another device
    for (const int reader : dataReaders_[size_t(id)]) {
      const bool passes = depth < kReads && isRead(node(reader));
      if (passes && part(reader) != Part::Gradient && part(reader) != Part::Update && part(reader) != Part::Save) readersOf(reader, out, depth + 1);
      else out.push_back(reader);
    }
  }

  void sortVariables() {
    std::vector<int> readers;
    each([&](int id, const Node& n) {
      if (!isVariable(n)) return;
      const std::string_view last = std::string_view(n.name).substr(n.name.rfind('/') + 1);
      readers.clear();
      readersOf(id, readers);
      bool network = false, updated = false, second = false;
      for (const int r : readers) {
        network |= part(r) == Part::Network || part(r) == Part::Gradient;
        if (part(r) != Part::Update) continue;
        updated = true;
        second |= appliesGradient(node(r)) && !(node(r).inputs[0].node == id);
      }
      Part p = Part::Weight;
      if (isNumbered(last, "global_step")) p = Part::Step;
      else if (!network && second) p = Part::Slot;
      else if (!network && updated)
        p = last.find("verage") != last.npos || last.starts_with("moving_") || last == "biased" || last == "local_step" ? Part::Average : Part::Slot;
      mark(id, p);
      // Reads of its value.
      for (const int reader : dataReaders_[size_t(id)])
        if (isRead(node(reader)) && isBelow(node(reader).name, n.name)) {
          if (isKnown(reader)) parts_[size_t(reader)] = p;
          else mark(reader, p);
        }
    });
  }

  /// By node: whether it is computed only from constants and helpers.
  std::vector<char> computedFromHelpers() const {
    std::vector<char> light(parts_.size(), 0);
    std::vector<int> open(parts_.size(), 0), stack;
    each([&](int id, const Node& n) {
      light[size_t(id)] = isConstant(n) || (isKnown(id) && isHelper(part(id)));
      if (light[size_t(id)]) stack.push_back(id);
      open[size_t(id)] = int(n.inputs.size());
    });
    while (!stack.empty()) {
      const int at = stack.back();
      stack.pop_back();
      for (const int reader : dataReaders_[size_t(at)]) {
        if (light[size_t(reader)] || isKnown(reader) || isVariable(node(reader)) || --open[size_t(reader)] > 0) continue;
        light[size_t(reader)] = 1;
        stack.push_back(reader);
      }
    }
    return light;
  }

  /// Marks nodes that are computed from the step counter and do not feed the network's data: `tf.train.get_global_step` reads the counter through a
  /// conditional, and all other nodes wait for that by control edges.
  void sortSteps() {
    std::vector<int> stack, steps;
    each([&](int id, const Node&) {
      if (isKnown(id) && part(id) == Part::Step) stack.push_back(id);
    });
    if (!hasGradients_ || stack.empty()) return;
    const std::vector<char> light = computedFromHelpers();
    std::vector<char> counts(parts_.size(), 0);
    while (!stack.empty()) {
      const int at = stack.back();
      stack.pop_back();
      for (const int reader : dataReaders_[size_t(at)]) {
        if (isKnown(reader) || counts[size_t(reader)] || !light[size_t(reader)]) continue;
        counts[size_t(reader)] = 1;
        steps.push_back(reader);
        stack.push_back(reader);
      }
    }
    const auto feedsNetwork = [&](int reader) { return part(reader) == Part::Gradient || (part(reader) == Part::Network && !counts[size_t(reader)]); };
    stack = steps;
    while (!stack.empty()) {
      const int id = stack.back();
      stack.pop_back();
      const auto& readers = dataReaders_[size_t(id)];
      if (!counts[size_t(id)] || std::none_of(readers.begin(), readers.end(), feedsNetwork)) continue;
      counts[size_t(id)] = 0;
      for (const Output& in : node(id).inputs)
        if (graph_.node(in.node) && counts[size_t(in.node)]) stack.push_back(in.node);
    }
    for (const int id : steps)
      if (counts[size_t(id)]) mark(id, Part::Step), stack.push_back(id);
    // Nodes that only these read: the predicate, and the other branch.
    while (!stack.empty()) {
      const Node& n = node(stack.back());
      stack.pop_back();
      for (const Output& in : n.inputs) {
        if (!graph_.node(in.node) || isKnown(in.node) || isVariable(node(in.node))) continue;
        const auto& readers = dataReaders_[size_t(in.node)];
        if (!std::all_of(readers.begin(), readers.end(), [&](int r) { return isKnown(r) && part(r) == Part::Step; })) continue;
        mark(in.node, Part::Step);
        stack.push_back(in.node);
      }
    }
  }

  static bool isBelow(std::string_view name, std::string_view scope) {
    return name.size() > scope.size() && name[scope.size()] == '/' && name.starts_with(scope);
  }

  static bool isHelper(Part p) { return p != Part::Network && p != Part::Weight && p != Part::Gradient; }

  /// A NoOp that waits only for helpers groups them. An unread node that is computed only from helpers and constants is a helper too.
  void sortGroups() {
    each([&](int id, const Node& n) {
      if (isKnown(id) || roleOf(n) != OpRole::Group || !n.controls.empty()) return;
      const std::string_view last = std::string_view(n.name).substr(n.name.rfind('/') + 1);
      if (isNumbered(last, "init") || isNumbered(last, "init_all_tables")) mark(id, Part::Init);
    });
    for (bool changed = true; changed;) {
      changed = false;
      each([&](int id, const Node& n) {
        if (isKnown(id)) return;
        const bool checks = std::all_of(n.inputs.begin(), n.inputs.end(),
                                        [&](const Output& in) { return graph_.node(in.node) && isKnown(in.node) && part(in.node) == Part::Check; });
        if ((open_[size_t(id)] <= 0 || checks) && !n.inputs.empty() && !isVariable(n)) {
          Part p = Part::Network;
          for (const Output& in : n.inputs) {
            const Node* from = graph_.node(in.node);
            if (!from || (isConstant(*from) && !isKnown(in.node))) continue;
            if (!isKnown(in.node) || !isHelper(part(in.node))) return;
            if (p == Part::Network) p = part(in.node);
          }
          if (p != Part::Network) mark(id, p), changed = true;
          return;
        }
        if (roleOf(n) != OpRole::Group || n.controls.empty()) return;
        Part p = Part::Network;
        for (const int c : n.controls) {
          if (!graph_.node(c)) continue;
          if (roleOf(node(c)) == OpRole::Group && !isKnown(c)) return;
          if (!isKnown(c) || part(c) == Part::Gradient) return;
          if (part(c) != Part::Weight && (p == Part::Network || part(c) == Part::Update)) p = part(c);
        }
        if (p == Part::Network) return;
        mark(id, p);
        changed = true;
      });
      spreadBack();
    }
    // In a training graph, every other NoOp belongs to the updates, because it computes nothing.
    if (hasGradients_)
      each([&](int id, const Node& n) {
        if (!isKnown(id) && roleOf(n) == OpRole::Group) mark(id, Part::Update);
      });
    fresh_.clear();
  }

  /// `conv1/kernel/Initializer/…`, `conv1/kernel/Assign` and `conv1/kernel/Regularizer/…` belong to the variable `conv1/kernel`.
  void giveInitializersToWeights() {
    std::unordered_set<std::string_view> variables;
    each([&](int, const Node& n) {
      if (isVariable(n)) variables.insert(n.name);
    });
    each([&](int id, const Node& n) {
      const std::string_view name = n.name;
      if (!isKnown(id) && (name.find("/Regularizer/") != name.npos || name.ends_with("/Regularizer"))) parts_[size_t(id)] = Part::Weight;
      if (part(id) != Part::Init) return;
      for (size_t end = name.rfind('/'); end != name.npos && end > 0; end = name.rfind('/', end - 1)) {
        const auto it = variables.find(name.substr(0, end));
        if (it == variables.end()) continue;
        parts_[size_t(id)] = part(graph_.find(*it)->id);
        return;
      }
    });
  }

  const Graph& graph_;
  std::vector<Part> parts_;
  std::vector<char> known_;
  std::vector<std::vector<int>> dataReaders_, allReaders_;
  std::vector<int> open_;   // number of readers that are not (yet) helpers
  std::vector<int> fresh_;  // marked nodes whose inputs are not visited yet
  bool hasGradients_ = false;
};

}  // namespace

std::vector<Part> partsOf(const Graph& graph) { return Sorter(graph).run(); }

}  // namespace weft
