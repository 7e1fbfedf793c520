// Graphs written by tests as text GraphDefs.
#pragma once

#include <string>
#include <vector>

namespace weft::tests {

/// A node; `attrs` as attr() gives them. `field`: "node" in a graph, "node_def" in a function.
inline std::string node(const std::string& name, const std::string& op, const std::vector<std::string>& inputs, const std::string& attrs = "",
                        const char* field = "node") {
  std::string out = std::string(field) + " { name: '" + name + "' op: '" + op + "'";
  for (const auto& i : inputs) out += " input: '" + i + "'";
  return out + " " + attrs + " }\n";
}

/// `value`: the text of an AttrValue, such as "type: DT_FLOAT".
inline std::string attr(const std::string& key, const std::string& value) { return "attr { key: '" + key + "' value { " + value + " } } "; }

}  // namespace weft::tests
