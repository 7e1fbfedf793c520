#include <algorithm>
#include <map>
#include <set>

#include "io/rename_score.h"
#include "weft/compare.h"
#include "weft/object_graph.h"
#include "weft/op_traits.h"

namespace weft {
namespace {

constexpr size_t kNearest = 3;

/// The strings of a constant; empty if it is none.
std::vector<std::string> constantStrings(const Graph& graph, const Node& node, size_t input) {
  const Node* constant = input < node.inputs.size() ? graph.node(node.inputs[input].node) : nullptr;
  if (!constant || !isConstant(*constant)) return {};
  const Attr* value = constant->attrs.find("value");
  const Tensor* tensor = value ? value->get<Tensor>() : nullptr;
  if (!tensor || tensor->dtype() != DType::String) return {};
  return {tensor->flat<std::string>().begin(), tensor->flat<std::string>().end()};
}

/// A tensor that a graph restores from a checkpoint, and the variable that it is assigned to.
struct Wanted {
  std::string key;
  Shape shape;  ///< Shape of the whole tensor in the checkpoint; unknown rank: the variable's shape.
};

/// Follows output `index` of a restore op over identities to an assignment; the id of the variable there, or -1.
int assignedVariable(const Graph& graph, const std::vector<std::vector<int>>& consumers, int node, int index) {
  for (int hops = 0; hops < 4; ++hops) {
    int next = -1;
    for (const int id : consumers[size_t(node)]) {
      const Node& user = *graph.node(id);
      const auto reads = [&](size_t i) { return i < user.inputs.size() && user.inputs[i] == Output{node, index}; };
      if (roleOf(user) == OpRole::Assign && reads(1)) return user.inputs[0].node;
      if ((roleOf(user) == OpRole::Identity || roleOf(user) == OpRole::Reshape || roleOf(user) == OpRole::Cast) && reads(0)) next = id;
    }
    if (next < 0) return -1;
    node = next;
    index = 0;
  }
  return -1;
}

/// The tensors that a graph's restore ops request, by variable.
std::map<int, Wanted> wantedBySavers(const Graph& graph) {
  std::map<int, Wanted> wanted;
  const auto consumers = graph.consumers();
  for (int id = 0; id < graph.size(); ++id) {
    const Node* node = graph.node(id);
    if (!node || roleOf(*node) != OpRole::Restore) continue;
    const auto names = constantStrings(graph, *node, 1), slices = constantStrings(graph, *node, 2);  // the oldest of these ops has no slices
    for (size_t i = 0; i < names.size(); ++i) {
      const int variable = assignedVariable(graph, consumers, id, int(i));
      if (variable < 0 || !graph.node(variable)) continue;
      Wanted w{names[i], Shape::unknown()};
      if (i < slices.size() && !slices[i].empty())
        if (auto parsed = parseShapeAndSlice(slices[i]); parsed.ok()) w.shape = parsed->full;
      wanted.emplace(variable, std::move(w));
    }
  }
  return wanted;
}

DType dtypeOf(const Node& variable) { return baseType(variable.attrs.type("dtype")); }
Shape shapeOf(const Node& variable) { return variable.attrs.shape("shape"); }

std::vector<std::string_view> partsOf(std::string_view name) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at <= name.size();) {
    const size_t end = std::min(name.find('/', at), name.size());
    parts.push_back(name.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

/// Fraction of adjacent letter pairs (bigrams) that two words have in common, 0…1 (Dice coefficient).
double bigramSimilarity(std::string_view a, std::string_view b) {
  if (a == b) return 1;
  if (a.size() < 2 || b.size() < 2) return 0;
  int common = 0;
  std::vector<bool> used(b.size());
  for (size_t i = 0; i + 1 < a.size(); ++i) {
    for (size_t k = 0; k + 1 < b.size(); ++k) {
      if (used[k] || a[i] != b[k] || a[i + 1] != b[k + 1]) continue;
      used[k] = true;
      ++common;
      break;
    }
  }
  return 2.0 * common / double(a.size() + b.size() - 2);
}

/// Compares a variable with its tensor in the checkpoint; null: there is none.
void compareWithEntry(const CheckpointEntry* entry, VariableMatch* m) {
  using Kind = VariableMatch::Kind;
  if (!entry) {
    m->kind = Kind::Missing;
    return;
  }
  m->dtypeStored = entry->dtype;
  m->shapeStored = entry->shape;
  m->kind = !m->shape.compatibleWith(entry->shape) ? Kind::ShapeDiffers : m->dtype != entry->dtype ? Kind::TypeDiffers : Kind::Fits;
}

GraphMatch matchByKeys(const Graph& graph, const CheckpointReader& checkpoint) {
  const std::map<int, Wanted> wanted = wantedBySavers(graph);
  GraphMatch out;
  out.hasSaver = !wanted.empty();
  for (int id = 0; id < graph.size(); ++id) {
    const Node* node = graph.node(id);
    if (!node || !isVariable(*node)) continue;
    VariableMatch m;
    m.variable = node->name;
    m.dtype = dtypeOf(*node);
    m.shape = shapeOf(*node);
    const auto asked = wanted.find(id);
    if (asked != wanted.end()) {
      m.key = asked->second.key;
      if (asked->second.shape.hasRank()) m.shape = asked->second.shape;
    } else if (out.hasSaver) {
      m.kind = VariableMatch::Kind::NotRestored;
      out.variables.push_back(std::move(m));
      continue;
    } else {
      m.key = isResourceVariable(*node) ? node->attrs.text("shared_name") : std::string();
      if (m.key.empty()) m.key = node->name;
    }
    compareWithEntry(checkpoint.find(m.key), &m);
    out.variables.push_back(std::move(m));
  }
  return out;
}

/// An object-based checkpoint is read by full names once a key is missing, as TensorFlow does; a name that several objects have counts as missing.
void matchByFullNames(const CheckpointReader& checkpoint, GraphMatch* match) {
  const auto objects = readObjectGraph(checkpoint);
  if (!objects.ok()) return;
  const KeysByName names = keysByFullName(*objects);
  for (VariableMatch& m : match->variables) {
    if (m.kind == VariableMatch::Kind::NotRestored) continue;
    const auto at = names.find(m.key);
    if (at == names.end() || at->second.size() != 1) {
      // Without a saver, a key that fits is as good as a name.
      if (match->hasSaver && m.kind != VariableMatch::Kind::Missing) compareWithEntry(nullptr, &m);
      continue;
    }
    compareWithEntry(checkpoint.find(at->second[0]), &m);
    if (m.kind != VariableMatch::Kind::Missing) m.storedAs = at->second[0];
  }
}

}  // namespace

double renameScore(std::string_view name, std::string_view key, bool sameShape) {
  const auto a = partsOf(name), b = partsOf(key);
  double score = 0, weight = 1, total = 0;
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i, weight *= 0.6) {
    total += weight;
    if (i < a.size() && i < b.size()) score += weight * bigramSimilarity(a[a.size() - 1 - i], b[b.size() - 1 - i]);
  }
  // The same parts in another scope: scope/w for w, a/b/w for b/w.
  int shared = 0;
  for (const auto part : a) shared += std::find(b.begin(), b.end(), part) != b.end();
  return score / total + 0.3 * shared / double(std::max(a.size(), b.size())) + (sameShape ? 0.5 : 0);
}

std::string_view kindName(VariableMatch::Kind kind) {
  static constexpr std::string_view kNames[] = {"fits", "missing", "shape differs", "type differs", "not restored", "unused"};
  return kNames[int(kind)];
}

int64_t GraphMatch::count(VariableMatch::Kind kind) const {
  return std::count_if(variables.begin(), variables.end(), [kind](const VariableMatch& v) { return v.kind == kind; });
}

bool GraphMatch::canRestore() const {
  return count(VariableMatch::Kind::Missing) + count(VariableMatch::Kind::ShapeDiffers) + count(VariableMatch::Kind::TypeDiffers) == 0;
}

GraphMatch matchCheckpoint(const Graph& graph, const CheckpointReader& checkpoint) {
  using Kind = VariableMatch::Kind;
  GraphMatch out = matchByKeys(graph, checkpoint);
  if (out.count(Kind::Missing) > 0) matchByFullNames(checkpoint, &out);
  std::set<std::string, std::less<>> used;
  for (const VariableMatch& m : out.variables)
    if (m.kind != Kind::Missing && m.kind != Kind::NotRestored) used.insert(m.storedAs.empty() ? m.key : m.storedAs);
  std::vector<const CheckpointEntry*> left;
  for (const CheckpointEntry& entry : checkpoint.tensors())
    if (!used.count(entry.name)) left.push_back(&entry);
  for (VariableMatch& m : out.variables) {
    if (m.kind != Kind::Missing) continue;
    std::vector<std::pair<double, const CheckpointEntry*>> ranked;
    for (const CheckpointEntry* entry : left) {
      const bool sameShape = m.shape.compatibleWith(entry->shape) && m.dtype == entry->dtype;
      if (const double score = renameScore(m.key, entry->name, sameShape); score > 0.45) ranked.emplace_back(-score, entry);
    }
    const size_t kept = std::min(kNearest, ranked.size());
    std::partial_sort(ranked.begin(), ranked.begin() + ptrdiff_t(kept), ranked.end(),
                      [](const auto& a, const auto& b) { return a.first != b.first ? a.first < b.first : a.second->name < b.second->name; });
    for (size_t i = 0; i < kept; ++i) m.nearest.push_back(ranked[i].second->name);
  }
  for (const CheckpointEntry* entry : left) {
    VariableMatch m;
    m.kind = Kind::Unused;
    m.key = entry->name;
    m.dtypeStored = entry->dtype;
    m.shapeStored = entry->shape;
    out.variables.push_back(std::move(m));
  }
  // What shapes and order say counts more than similar letters.
  std::map<std::string, std::string> proposed;
  for (RenameProposal& p : proposeRenames(out)) proposed.emplace(std::move(p.key), std::move(p.stored));
  for (VariableMatch& m : out.variables) {
    const auto at = m.kind == Kind::Missing ? proposed.find(m.key) : proposed.end();
    if (at == proposed.end()) continue;
    std::erase(m.nearest, at->second);
    m.nearest.insert(m.nearest.begin(), at->second);
    if (m.nearest.size() > kNearest) m.nearest.pop_back();
  }
  return out;
}

std::vector<std::string> restoredVariables(const Graph& graph) {
  std::vector<std::string> names;
  for (const auto& [id, wanted] : wantedBySavers(graph)) names.push_back(graph.node(id)->name);
  return names;
}

}  // namespace weft
