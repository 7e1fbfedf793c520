// Variables that nothing initialises or trains.
#include <algorithm>
#include <set>

#include "problems/search.h"
#include "weft/op_traits.h"
#include "weft/train.h"
#include "weft/training_mistakes.h"

namespace weft::problems {
namespace {

constexpr size_t kMostLeft = 8;  // unupdated variables; more than that were left out on purpose

bool isRestore(const Node& n) { return roleOf(n) == OpRole::Restore; }

/// Whether the node is the "w/Assign" that TensorFlow creates with a variable w.
bool isInitialiser(const Graph& graph, const Node& assign) {
  const Node* variable = graph.node(assign.inputs[0].node);
  return variable && isVariable(*variable) && assign.name == variable->name + "/Assign";
}

/// The initialisers of a graph without training settings: NoOps whose control inputs are all assignments to variables.
struct InitialGroups {
  const Node* most = nullptr;       ///< The one that assigns most variables.
  std::set<int> reached;            ///< Variables that any of them assigns.
  std::set<std::string> variables;  ///< Global ones.
};

InitialGroups initialGroups(const MetaGraph& meta) {
  InitialGroups out;
  size_t most = 0;
  const auto all = meta.collections.find("variables");
  if (all == meta.collections.end()) return out;
  for (const std::string& def : all->second.bytes) out.variables.insert(variableOf(def));
  for (int id = 0; id < meta.graph.size(); ++id) {
    const Node* n = meta.graph.node(id);
    if (!n || roleOf(*n) != OpRole::Group || n->controls.empty()) continue;
    std::set<int> own;
    const bool only = std::all_of(n->controls.begin(), n->controls.end(), [&](int c) {
      const Node* a = meta.graph.node(c);
      if (!a || roleOf(*a) != OpRole::Assign || a->inputs.empty() || !isInitialiser(meta.graph, *a)) return false;
      own.insert(a->inputs[0].node);
      return true;
    });
    if (!only) continue;
    out.reached.insert(own.begin(), own.end());
    if (own.size() > most) {
      most = own.size();
      out.most = n;
    }
  }
  return out;
}

/// What `init` runs, by node.
std::vector<bool> ranBy(const Graph& graph, const Node* init) {
  std::vector<bool> out(size_t(graph.size()), false);
  std::vector<int> queue;
  if (init) queue.push_back(init->id);
  while (!queue.empty()) {
    const int id = queue.back();
    queue.pop_back();
    if (out[size_t(id)]) continue;
    out[size_t(id)] = true;
    for (const int c : graph.node(id)->controls) queue.push_back(c);
    for (const Output o : graph.node(id)->inputs) queue.push_back(o.node);
  }
  return out;
}

}  // namespace

std::string variableOf(const std::string& def) {
  // Field 1 is the tensor's name.
  size_t length = 0, at = 1;
  if (def.empty() || def[0] != 0x0A) return {};
  for (int shift = 0; at < def.size(); shift += 7) {
    const auto byte = static_cast<unsigned char>(def[at++]);
    length |= size_t(byte & 0x7F) << shift;
    if (byte < 0x80 || shift > 21) break;
  }
  const std::string name = def.substr(std::min(at, def.size()), length);
  return name.substr(0, name.rfind(':'));
}

void findUninitialised(Search& s) {
  const Graph& graph = s.graph;
  const auto settings = trainingSettingsOf(s.meta);
  const Node* init = settings.ok() ? graph.find(settings->initOp) : nullptr;
  const std::vector<bool> ran = ranBy(graph, init);
  const InitialGroups groups = settings.ok() ? InitialGroups() : initialGroups(s.meta);
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n || !isVariable(*n) || isOpenInput(*n)) continue;
    bool assigned = false, run = false, restored = false;
    for (const int reader : s.readers[size_t(id)]) {
      const Node& r = *graph.node(reader);
      // A function may assign it: models of TensorFlow 2 restore their variables so.
      restored |= std::any_of(r.attrs.begin(), r.attrs.end(), [](const auto& named) { return named.second.template get<FuncAttr>() != nullptr; });
      if (roleOf(r) != OpRole::Assign || r.inputs.empty() || r.inputs[0].node != id) continue;
      const Node* value = r.inputs.size() > 1 ? graph.node(r.inputs[1].node) : nullptr;
      const Node* behind = value && roleOf(*value) == OpRole::Identity && !value->inputs.empty() ? graph.node(value->inputs[0].node) : nullptr;
      const bool fromFile = value && (isRestore(*value) || (behind && isRestore(*behind)));
      restored |= fromFile;
      assigned |= !fromFile;
      run |= ran[size_t(reader)];
    }
    const GraphCommand mend{"graph.initialize", {n->name}};
    if (!assigned && !restored) {
      s.add(DoctorWeight::Error, n->name, "uninitialized", said(WEFT_TRANSLATED("GraphProblems", "This variable has no initialiser.")))
          .fixes.push_back({said(WEFT_TRANSLATED("GraphProblems", "Initialise with zeros")), mend});
    } else if (assigned && init && !run) {
      s.add(DoctorWeight::Error, n->name, "uninitialized",
            said(WEFT_TRANSLATED("GraphProblems", "Training does not initialise this variable: %1 does not run its initialiser."), {init->name}))
          .fixes.push_back({said(WEFT_TRANSLATED("GraphProblems", "Let %1 initialise it"), {init->name}), mend});
    } else if (assigned && groups.most && !groups.reached.count(id) && groups.variables.count(n->name)) {
      s.add(DoctorWeight::Warning, n->name, "uninitialized",
            said(WEFT_TRANSLATED("GraphProblems", "%1 does not initialise this variable: the variable was created after it. Create the initialiser last."),
                 {groups.most->name}));
    }
  }
}

void findUntrained(Search& s) {
  const auto settings = trainingSettingsOf(s.meta);
  const auto trainable = s.meta.collections.find("trainable_variables");
  const bool isDocument = settings.ok() && s.graph.find(settings->trainOp);
  if (trainable == s.meta.collections.end() || (!isDocument && s.meta.collections.find("train_op") == s.meta.collections.end())) return;
  // An optimizer in a branch or loop reads the variable through Switch or Enter.
  std::set<const Node*> changed;
  for (int id = 0; id < s.graph.size(); ++id) {
    const Node* n = s.graph.node(id);
    if (n && (roleOf(*n) == OpRole::ApplyGradient || roleOf(*n) == OpRole::Update)) changed.insert(changedVariable(s.graph, *n));
  }
  std::vector<const Node*> left;
  for (const std::string& def : trainable->second.bytes) {
    const Node* variable = s.graph.find(variableOf(def));
    if (variable && !isOpenInput(*variable) && !changed.count(variable)) left.push_back(variable);
  }
  // Fine-tuning leaves out many variables on purpose.
  if (!isDocument && (left.size() > kMostLeft || left.size() == trainable->second.bytes.size())) return;
  for (const Node* variable : left)
    s.add(
        DoctorWeight::Warning, variable->name, "no-gradient",
        said(isDocument ? WEFT_TRANSLATED("GraphProblems", "The loss does not depend on this variable: its gradient is None, and training does not change it.")
                        : WEFT_TRANSLATED(
                              "GraphProblems",
                              "No optimizer updates this trainable variable: the loss does not depend on it and its gradient is None, or it is missing from "
                              "var_list.")));
}

}  // namespace weft::problems
