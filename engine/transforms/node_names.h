#pragma once

#include <string>
#include <string_view>

#include "proto/graph.pb.h"

namespace weft::transforms {

/// An input of a NodeDef, "^name" or "name:1", in parts: "^" or nothing, the node's name, ":1" or nothing.
struct InputParts {
  std::string prefix, node, suffix;
};

inline InputParts inputParts(std::string_view input) {
  InputParts out;
  if (!input.empty() && input[0] == '^') {
    out.prefix = "^";
    input.remove_prefix(1);
  }
  const size_t colon = input.find(':');
  out.node = std::string(input.substr(0, colon));
  if (colon != input.npos) out.suffix = std::string(input.substr(colon, input.find(':', colon + 1) - colon));
  return out;
}

inline std::string nodeNameOf(std::string_view input) {
  if (!input.empty() && input[0] == '^') input.remove_prefix(1);
  return std::string(input.substr(0, input.find(':')));
}

/// With ":0" where no output is named; also of control inputs, as in TensorFlow.
inline std::string canonicalInput(std::string_view input) {
  const InputParts parts = inputParts(input);
  return parts.prefix + parts.node + (parts.suffix.empty() ? ":0" : parts.suffix);
}

/// Renames the nodes of a node's colocation groups, the entries "loc:@name" of its attribute _class.
template <typename F>
void renameGroups(tensorflow::NodeDef* node, F&& renamed) {
  const auto groups = node->mutable_attr()->find("_class");
  if (groups == node->mutable_attr()->end()) return;
  for (std::string& group : *groups->second.mutable_list()->mutable_s())
    if (group.starts_with("loc:@")) group = "loc:@" + renamed(group.substr(5));
}

}  // namespace weft::transforms
