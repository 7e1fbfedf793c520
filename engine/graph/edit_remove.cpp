// Removes nodes together with everything that depends on them.
#include <algorithm>
#include <unordered_set>

#include "graph/edit_internal.h"
#include "graph/variable_ops.h"
#include "weft/op_traits.h"

namespace weft {
namespace {

/// An optimizer's step. One that is not registered is known by its name.
bool isApply(const Node& n) {
  if (roleOf(n) == OpRole::ApplyGradient) return true;
  std::string_view op = n.op;
  for (const std::string_view prefix : {"Resource", "Sparse"})
    if (op.starts_with(prefix)) op.remove_prefix(prefix.size());
  return op.starts_with("Apply");
}

/// SaveV2 and RestoreV2, which list the types of their tensors: from them, single tensors can be cut.
bool canBeCut(const Node& n, OpRole role) { return roleOf(n) == role && n.attrs.find("dtypes"); }

bool inGradients(std::string_view name) {
  while (!name.empty()) {
    const size_t slash = std::min(name.find('/'), name.size());
    std::string_view part = name.substr(0, slash);
    if (slash < name.size() && part.starts_with("gradients")) {
      part.remove_prefix(9);
      if (part.empty() || (part[0] == '_' && part.find_first_not_of("0123456789", 1) == part.npos)) return true;
    }
    name.remove_prefix(std::min(slash + 1, name.size()));
  }
  return false;
}

/// A string vector without the elements in `gone`.
Tensor without(const Tensor& list, const std::set<int>& gone) {
  std::vector<std::string> kept;
  for (int64_t i = 0; i < list.elements(); ++i)
    if (!gone.count(int(i))) kept.push_back(list.at<std::string>(i));
  return Tensor::vector(kept);
}

}  // namespace

Status GraphEditor::removeSaved(const std::set<int>& gone) {
  const auto cut = [&](int constant, const std::set<int>& entries) -> Status {
    const Node* n = graph().node(constant);
    const Attr* value = n && isConstant(*n) ? n->attrs.find("value") : nullptr;
    const Tensor* list = value ? value->get<Tensor>() : nullptr;
    if (!list || list->dtype() != DType::String) return {};
    const Tensor kept = without(*list, entries);
    touched_.insert(constant);
    return graph().change(constant, [&](Node& node) { node.attrs.set("value", kept); });
  };
  for (int id = 0; id < graph().size(); ++id) {
    const Node* n = graph().node(id);
    if (!n || !n->record || gone.count(id) || n->inputs.size() < 3) continue;
    std::set<int> entries;
    const bool save = canBeCut(*n, OpRole::Save);
    if (save) {
      for (size_t i = 3; i < n->inputs.size(); ++i)
        if (gone.count(n->inputs[i].node)) entries.insert(int(i) - 3);
    } else if (canBeCut(*n, OpRole::Restore)) {
      for (const int reader : gone) {
        for (const Output o : graph().node(reader)->inputs)
          if (o.node == id) entries.insert(o.index);
      }
      // Entries with other readers stay.
      for (int reader = 0; reader < graph().size(); ++reader) {
        const Node* r = graph().node(reader);
        if (!r || gone.count(reader)) continue;
        for (const Output o : r->inputs)
          if (o.node == id) entries.erase(o.index);
      }
    }
    if (entries.empty()) continue;
    auto types = n->attrs.list<DType>("dtypes");
    if (entries.size() == types.size()) continue;  // remove() removes the whole saver
    for (auto it = entries.rbegin(); it != entries.rend(); ++it) types.erase(types.begin() + *it);
    WEFT_TRY(cut(n->inputs[1].node, entries));
    WEFT_TRY(cut(n->inputs[2].node, entries));
    touched_.insert(id);
    WEFT_TRY(graph().change(id, [&](Node& node) {
      node.attrs.set("dtypes", types);
      if (save) {
        for (auto it = entries.rbegin(); it != entries.rend(); ++it) {
          node.inputs.erase(node.inputs.begin() + 3 + *it);
          node.inputTypes.erase(node.inputTypes.begin() + 3 + *it);
        }
      } else {
        node.outputTypes = types;
        node.outputShapes.assign(types.size(), Shape::unknown());
      }
    }));
    if (save) continue;
    for (int reader = 0; reader < graph().size(); ++reader) {
      const Node* r = graph().node(reader);
      if (!r || std::none_of(r->inputs.begin(), r->inputs.end(), [&](Output o) { return o.node == id; })) continue;
      WEFT_TRY(graph().change(reader, [&](Node& node) {
        for (Output& o : node.inputs)
          if (o.node == id) o.index -= int(std::distance(entries.begin(), entries.lower_bound(o.index)));
      }));
    }
  }
  return {};
}

Status GraphEditor::remove(const std::vector<int>& nodes) {
  std::set<int> gone;
  for (const int id : nodes)
    if (graph().node(id)) gone.insert(id);
  if (gone.empty()) return {};
  const auto readers = graph().consumers();
  // Nodes that operate on a removed variable are removed too.
  std::vector<int> queue(gone.begin(), gone.end());
  while (!queue.empty()) {
    const int id = queue.back();
    queue.pop_back();
    const Node& n = *graph().node(id);
    if (!isVariable(n) || isOpenInput(n)) continue;
    for (const int reader : readers[size_t(id)]) {
      const Node& r = *graph().node(reader);
      for (size_t i = 0; i < r.inputs.size(); ++i) {
        if (r.inputs[i].node != id) continue;
        const bool works = (i < r.inputTypes.size() && (isRef(r.inputTypes[i]) || r.inputTypes[i] == DType::Resource)) || r.name == n.name + "/read";
        if (works && roleOf(r) != OpRole::Save && gone.insert(reader).second) queue.push_back(reader);
      }
    }
  }
  // A saver with nothing left to save is removed as a whole.
  for (int id = 0; id < graph().size(); ++id) {
    const Node* n = graph().node(id);
    if (!n || gone.count(id) || !canBeCut(*n, OpRole::Save)) continue;
    bool keeps = false;
    for (size_t i = 3; i < n->inputs.size(); ++i) keeps |= !gone.count(n->inputs[i].node);
    const size_t slash = n->name.rfind('/');
    if (keeps || slash == n->name.npos) continue;
    const std::string scope = n->name.substr(0, slash + 1);
    for (int other = 0; other < graph().size(); ++other)
      if (const Node* o = graph().node(other); o && o->name.starts_with(scope)) gone.insert(other);
  }
  WEFT_TRY(removeSaved(gone));
  std::set<std::string> names;
  std::set<int> openInputs;
  for (const int id : gone) {
    names.insert(graph().node(id)->name);
    for (const Output o : graph().node(id)->inputs)
      if (const Node* from = graph().node(o.node); from && isOpenInput(*from)) openInputs.insert(o.node);
  }
  for (int id = 0; id < graph().size(); ++id) {
    if (!graph().node(id) || gone.count(id)) continue;
    for (size_t i = 0; i < graph().node(id)->inputs.size(); ++i) {
      const Node& n = *graph().node(id);
      const Output o = n.inputs[i];
      if (!gone.count(o.node)) continue;
      const DType expected = i < n.inputTypes.size() && n.inputTypes[i] != DType::Invalid ? n.inputTypes[i] : graph().dtype(o);
      WEFT_LET(const int openInput, addOpenInput(n, int(i), expected));
      WEFT_TRY(graph().change(id, [&](Node& node) { node.inputs[i] = {openInput, 0}; }));
      touched_.insert(id);
    }
    const auto& controls = graph().node(id)->controls;
    if (std::any_of(controls.begin(), controls.end(), [&](int c) { return gone.count(c) > 0; })) {
      WEFT_TRY(graph().change(id, [&](Node& node) { std::erase_if(node.controls, [&](int c) { return gone.count(c) > 0; }); }));
      touched_.insert(id);
    }
  }
  for (const int id : gone) {
    WEFT_TRY(graph().change(id, [](Node& n) {
      n.inputs.clear();
      n.controls.clear();
    }));
  }
  for (const int id : gone) WEFT_TRY(graph().remove(id));
  removeOpenInputs(openInputs);
  removeReferences(meta_, names);
  return {};
}

Status GraphEditor::extract(const std::vector<int>& nodes) {
  std::set<int> kept;
  std::vector<int> queue = nodes;
  const auto readers = graph().consumers();
  while (!queue.empty()) {
    const int id = queue.back();
    queue.pop_back();
    const Node* n = graph().node(id);
    if (!n || !kept.insert(id).second) continue;
    for (const Output o : n->inputs) queue.push_back(o.node);
    for (const int c : n->controls) queue.push_back(c);
    if (!isVariable(*n)) continue;
    // A variable keeps its initializer.
    for (const int reader : readers[size_t(id)]) {
      const Node& r = *graph().node(reader);
      if (roleOf(r) == OpRole::Assign && !r.inputs.empty() && r.inputs[0].node == id && r.name.starts_with(n->name + "/")) queue.push_back(reader);
    }
  }
  std::vector<int> gone;
  for (int id = 0; id < graph().size(); ++id)
    if (graph().node(id) && !kept.count(id)) gone.push_back(id);
  return remove(gone);
}

Result<int> GraphEditor::stripTraining() {
  const int before = graph().nodeCount();
  const auto readers = graph().consumers();
  std::set<int> gone;
  std::vector<int> queue;
  for (int id = 0; id < graph().size(); ++id)
    if (const Node* n = graph().node(id); n && (isApply(*n) || inGradients(n->name))) queue.push_back(id);
  if (queue.empty()) return 0;
  // Nodes that read or wait for updates are part of training too.
  while (!queue.empty()) {
    const int id = queue.back();
    queue.pop_back();
    if (!gone.insert(id).second) continue;
    for (const int reader : readers[size_t(id)]) queue.push_back(reader);
  }
  const auto servant = [&](const Node& variable, const Node& n) {
    const OpRole r = roleOf(n);
    return r == OpRole::Assign || r == OpRole::ProbeVariable || canBeCut(n, OpRole::Save) || n.name.starts_with(variable.name + "/");
  };
  std::set<std::string> trainable;
  if (const auto it = meta_.collections.find("trainable_variables"); it != meta_.collections.end())
    for (const std::string& def : it->second.bytes) trainable.insert(def);
  const auto isTrainable = [&](const std::string& name) {
    return std::any_of(trainable.begin(), trainable.end(), [&](const std::string& def) { return def.find(name + ":0") != def.npos; });
  };
  std::vector<std::string> slots;
  for (int id = 0; id < graph().size(); ++id) {
    const Node* n = graph().node(id);
    if (!n || gone.count(id) || !isVariable(*n) || isTrainable(n->name)) continue;
    bool used = false, trains = false;
    for (const int reader : readers[size_t(id)]) {
      const Node& r = *graph().node(reader);
      if (gone.count(reader)) trains = true;
      else if (!servant(*n, r)) used = true;
      else if (r.name.starts_with(n->name + "/")) {
        for (const int second : readers[size_t(reader)]) {
          if (gone.count(second)) trains = true;
          else if (roleOf(*graph().node(second)) != OpRole::Group && !servant(*n, *graph().node(second))) used = true;
        }
      }
    }
    if (trains && !used) slots.push_back(n->name);
  }
  for (const std::string& slot : slots)
    for (int id = 0; id < graph().size(); ++id)
      if (const Node* n = graph().node(id); n && (n->name == slot || n->name.starts_with(slot + "/"))) gone.insert(id);
  // Constants and feedable numbers that only training read.
  for (bool again = true; again;) {
    again = false;
    for (int id = 0; id < graph().size(); ++id) {
      const Node* n = graph().node(id);
      if (!n || gone.count(id) || readers[size_t(id)].empty()) continue;
      if (const OpRole r = roleOf(*n); r != OpRole::Constant && r != OpRole::DefaultedPlaceholder && r != OpRole::Fill) continue;
      if (std::all_of(readers[size_t(id)].begin(), readers[size_t(id)].end(), [&](int r) { return gone.count(r) > 0; })) again |= gone.insert(id).second;
    }
  }
  WEFT_TRY(remove(std::vector<int>(gone.begin(), gone.end())));
  return before - graph().nodeCount();
}

}  // namespace weft
