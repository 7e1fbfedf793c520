#include "cli/bench/translated_graph.h"

#include "cli/script.h"
#include "weft/arrays.h"
#include "weft/file_system.h"

namespace weft::cli {
namespace {

Json dims(const Shape& shape) {
  if (!shape.hasRank()) return nullptr;
  Json out = Json::array();
  for (int i = 0; i < shape.rank(); ++i) out.push_back(shape.dim(i));
  return out;
}

struct AttrToJson {
  const std::string& where;  // the key of a tensor
  std::vector<std::pair<std::string, Tensor>>* constants;

  Json operator()(std::monostate) const { return nullptr; }
  // Bytes that are no text are in attributes which no translated op has.
  Json operator()(const std::string& v) const { return v; }
  Json operator()(int64_t v) const { return v; }
  Json operator()(float v) const { return v; }
  Json operator()(bool v) const { return v; }
  Json operator()(DType v) const { return dtypeName(v); }
  Json operator()(const Shape& v) const { return dims(v); }
  Json operator()(const Tensor& v) const {
    constants->emplace_back(where, v);
    return where;
  }
  Json operator()(const FuncAttr& v) const { return v.name; }
  Json operator()(const PlaceholderAttr&) const { return nullptr; }
  Json operator()(EmptyListAttr) const { return Json::array(); }
  template <typename T>
  Json operator()(const std::vector<T>& list) const {
    Json out = Json::array();
    if constexpr (!std::is_same_v<T, Tensor> && !std::is_same_v<T, FuncAttr>)
      for (const auto& v : list) out.push_back((*this)(T(v)));
    return out;
  }
};

}  // namespace

Status writeTranslated(const Workload& w, const std::string& folder) {
  const Graph& graph = w.source.meta.graph;
  WEFT_LET(const auto needed, neededNodes(graph, w.feedNames(), w.fetches, w.targets));
  std::vector<std::pair<std::string, Tensor>> constants;
  Json nodes = Json::array();
  for (const int id : needed) {
    const Node& n = *graph.node(id);
    Json node{
        {"name", n.name}, {"op", n.op}, {"inputs", Json::array()}, {"controls", Json::array()}, {"attrs", Json::object()}, {"outputs", n.outputTypes.size()}};
    for (const Output& input : n.inputs) node["inputs"].push_back(graph.tensorName(input));
    for (const int c : n.controls) node["controls"].push_back(graph.node(c)->name);
    for (const auto& [key, attr] : n.attrs) {
      if (key == "_class" || key == "_output_shapes") continue;
      const std::string where = n.name + "/" + key;
      node["attrs"][key] = std::visit(AttrToJson{where, &constants}, attr.value);
    }
    nodes.push_back(std::move(node));
  }
  WEFT_TRY(saveNpz(joinPath(folder, "constants.npz"), constants));
  return posixFileSystem().writeAtomically(joinPath(folder, "graph.json"), nodes.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace weft::cli
