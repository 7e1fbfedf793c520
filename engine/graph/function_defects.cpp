// Calls of functions whose bodies cannot be built. TensorFlow loads such a graph and fails when it is run.
#include <map>
#include <optional>

#include "graph/function_library.h"
#include "weft/defects.h"
#include "weft/op.h"

namespace weft {
namespace {

class Calls {
 public:
  explicit Calls(const FunctionLibrary& library) : library_(library) {}

  /// The first error in the functions that a node calls, directly or indirectly; nullopt if all can be built.
  std::optional<Error> check(const Node& n) {
    if (library_.contains(n.op))
      if (auto e = body(n.op, n.attrs)) return e;
    for (const auto& [name, value] : n.attrs) {
      if (name.starts_with('_')) continue;  // notes, such as the gradient's name
      if (const auto* f = value.get<FuncAttr>())
        if (auto e = called(*f)) return e;
      if (const auto* list = value.get<std::vector<FuncAttr>>())
        for (const FuncAttr& f : *list)
          if (auto e = called(f)) return e;
    }
    return std::nullopt;
  }

 private:
  std::optional<Error> called(const FuncAttr& f) {
    if (f.name.empty()) return std::nullopt;
    return body(f.name, f.attrs ? *f.attrs : AttrMap());
  }

  std::optional<Error> body(const std::string& name, const AttrMap& attrs) {
    std::string key = name;
    for (const auto& [attr, value] : attrs) key += '\n' + attr + '=' + value.toString();
    const auto [it, fresh] = known_.try_emplace(key);
    if (!fresh || known_.size() > kMost) return it->second;
    std::optional<Error> error;
    const auto built = library_.instantiate(name, attrs);
    if (!built.ok()) error = built.error();
    for (int id = 0; built.ok() && !error && id < (*built)->graph.size(); ++id)
      if (const Node* n = (*built)->graph.node(id)) error = check(*n);
    return known_[key] = error;
  }

  static constexpr size_t kMost = 2000;
  const FunctionLibrary& library_;
  std::map<std::string, std::optional<Error>> known_;
};

}  // namespace

std::vector<Defect> functionDefects(const Graph& graph) {
  std::vector<Defect> out;
  if (!graph.functions) return out;
  Calls calls(*graph.functions);
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    const auto error = n && !isMissing(*n) ? calls.check(*n) : std::nullopt;
    if (error) out.push_back({error->code == Code::NotFound ? "function-op" : "function", n->name, error->node, {}, error->message});
  }
  return out;
}

}  // namespace weft
