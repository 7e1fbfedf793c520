// Shared by the sources of LayerEditor.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/recipes.h"

namespace weft::recipes {

inline constexpr const char* kSeenIn = "~in";    // types and shapes of the inputs that a layer was built for
inline constexpr const char* kSeenOut = "~out";  // shapes that it gave: more than shape functions find again after reading a file

inline constexpr const char* kSettingsBefore = "weft/training_before";  // collection: how a training is done that waits until its network is whole

inline bool isTensor(const ApiParameter& p) { return p.type == "tensor" || p.type == "tensors"; }
inline bool isName(const ApiParameter& p) { return p.name == "name" || p.name == "scope"; }
inline bool inScope(std::string_view name, std::string_view scope) {
  return name.starts_with(scope) && (name.size() == scope.size() || name[scope.size()] == '/');
}
/// The scope's nodes, in the order of the graph.
std::vector<int> nodesIn(const Graph& graph, const std::string& scope);
/// What may be set of a layer, in words: "units, activation".
std::string settableNames(const ApiRecord& record);
/// argumentFromText() for what people set: sizes of dimensions, windows and strides are from 1 on, and a whole number is one that ops take as 32 bits; seeds have all 64.
Result<Argument> settingFromText(const ApiParameter& p, std::string_view text);

}  // namespace weft::recipes
