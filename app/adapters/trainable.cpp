#include "adapters/trainable.h"

#include <cstdint>
#include <string_view>

#include "weft/graph.h"

namespace weft::app {
namespace {

/// Field 1 of a serialised VariableDef, `variable_name`, which writers put first; empty if another field is first.
std::string_view variableName(std::string_view def) {
  constexpr char kName = 0x0A;  // field 1, a string
  if (def.empty() || def[0] != kName) return {};
  uint64_t length = 0;
  for (size_t at = 1, shift = 0; at < def.size() && shift < 35; ++at, shift += 7) {
    const auto byte = uint8_t(def[at]);
    length |= uint64_t(byte & 0x7F) << shift;
    if (byte < 0x80) return length <= def.size() - at - 1 ? def.substr(at + 1, length) : std::string_view();
  }
  return {};
}

}  // namespace

std::set<std::string, std::less<>> trainableVariables(const MetaGraph& meta) {
  std::set<std::string, std::less<>> names;
  const auto it = meta.collections.find("trainable_variables");
  if (it == meta.collections.end()) return names;
  for (const std::string& def : it->second.bytes) {
    const std::string_view name = variableName(def);
    if (!name.empty()) names.emplace(name.substr(0, name.rfind(':')));
  }
  return names;
}

}  // namespace weft::app
