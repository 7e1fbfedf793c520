// Recipes in a document's format.
#include <google/protobuf/any.pb.h>

#include "proto/weft_document.pb.h"
#include "weft/recipes.h"

namespace weft {
namespace {
constexpr const char* kLayers = "weft/layers";
}

std::vector<Recipe> recipesOf(const MetaGraph& meta) {
  std::vector<Recipe> out;
  const auto it = meta.collections.find(kLayers);
  if (it == meta.collections.end()) return out;
  for (const std::string& bytes : it->second.anys) {
    google::protobuf::Any any;
    document::LayerRecipe m;
    if (!any.ParseFromString(bytes) || !any.UnpackTo(&m)) continue;
    Recipe r;
    r.scope = m.scope();
    r.kind = m.kind();
    r.parameters = {m.parameter().begin(), m.parameter().end()};
    r.inputs.assign(m.input().begin(), m.input().end());
    r.outputs.assign(m.output().begin(), m.output().end());
    r.nodes.assign(m.node().begin(), m.node().end());
    out.push_back(std::move(r));
  }
  return out;
}

void setRecipes(MetaGraph& meta, const std::vector<Recipe>& recipes) {
  if (recipes.empty()) {
    meta.collections.erase(kLayers);
    return;
  }
  Collection c;
  c.kind = Collection::Kind::Anys;
  for (const Recipe& r : recipes) {
    document::LayerRecipe m;
    m.set_scope(r.scope);
    m.set_kind(r.kind);
    for (const auto& s : r.inputs) m.add_input(s);
    for (const auto& s : r.outputs) m.add_output(s);
    for (const auto& s : r.nodes) m.add_node(s);
    std::string bytes = m.SerializeAsString();
    for (const auto& [name, text] : r.parameters) {  // one by one: a map of protobuf has no order
      document::LayerRecipe one;
      (*one.mutable_parameter())[name] = text;
      bytes += one.SerializeAsString();
    }
    google::protobuf::Any any;
    any.set_type_url("type.googleapis.com/weft.document.LayerRecipe");
    any.set_value(std::move(bytes));
    c.anys.push_back(any.SerializeAsString());
  }
  meta.collections[kLayers] = std::move(c);
}

}  // namespace weft
