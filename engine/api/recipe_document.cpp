// Recipes in a document's format.
#include "proto/document_messages.h"
#include "proto/weft_document.pb.h"
#include "weft/recipes.h"

namespace weft {
namespace {
constexpr const char* kLayers = "weft/layers";
}

std::vector<Recipe> recipesOf(const MetaGraph& meta) {
  std::vector<Recipe> out;
  document::readMessages<document::LayerRecipe>(meta, kLayers, [&](const document::LayerRecipe& m) {
    Recipe r;
    r.scope = m.scope();
    r.kind = m.kind();
    r.parameters = {m.parameter().begin(), m.parameter().end()};
    r.inputs.assign(m.input().begin(), m.input().end());
    r.outputs.assign(m.output().begin(), m.output().end());
    r.nodes.assign(m.node().begin(), m.node().end());
    out.push_back(std::move(r));
  });
  return out;
}

void setRecipes(MetaGraph& meta, const std::vector<Recipe>& recipes) {
  std::vector<std::string> anys;
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
    anys.push_back(document::packedAs(m, std::move(bytes)));
  }
  document::writeMessages(meta, kLayers, std::move(anys));
}

}  // namespace weft
