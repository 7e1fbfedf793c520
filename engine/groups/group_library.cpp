// Groups in a file of their own: a MetaGraphDef whose graph is empty, with the collection `weft/group_definitions`.
#include "groups/group_parts.h"
#include "weft/file_system.h"

namespace weft {

Result<std::vector<GroupDefinition>> readGroupLibrary(const std::string& path) {
  WEFT_LET(const LoadedGraph loaded, loadGraphFile(path));
  std::vector<GroupDefinition> out = groupsOf(loaded.meta);
  if (out.empty()) return dataLoss("There are no groups in this file, expected a library of groups or a document that has some").inFile(path);
  std::set<std::string> names;
  for (const GroupDefinition& d : out) {
    if (d.name.empty() || !names.insert(d.name).second) return dataLoss("Two groups are called '", d.name, "'").inFile(path);
    auto body = groupBody(d);
    if (!body.ok()) return Error(body.error()).inFile(path);
    groups::Variant v;
    v.meta = std::move(body->meta);
    if (const Status ports = groups::readVariant(d, v); !ports.ok()) return Error(ports.error()).inFile(path);
  }
  for (const GroupDefinition& d : out) {
    WEFT_LET(const auto inner, groups::groupsIn(d));
    for (const std::string& name : inner)
      if (!names.count(name)) return dataLoss("The group ", d.name, " contains ", name, ", which is not in this file").inFile(path);
    WEFT_LET(const std::string circle, groups::circleThrough(out, d.name));
    if (!circle.empty()) return dataLoss("The group ", d.name, " contains itself: ", circle).inFile(path);
  }
  return out;
}

Status writeGroupLibrary(const std::string& path, const std::vector<GroupDefinition>& all, const std::vector<std::string>& names) {
  MetaGraph library;
  std::vector<GroupDefinition> kept;
  std::set<std::string> seen;
  const auto add = [&](auto&& self, const std::string& name) -> Status {
    if (!seen.insert(name).second) return {};
    for (const GroupDefinition& d : all) {
      if (d.name != name) continue;
      WEFT_LET(const auto inner, groups::groupsIn(d));
      for (const std::string& n : inner) WEFT_TRY(self(self, n));
      kept.push_back(d);
      return {};
    }
    return notFound("There is no group ", name, " in this document");
  };
  if (names.empty())
    for (const GroupDefinition& d : all) WEFT_TRY(add(add, d.name));
  for (const std::string& name : names) WEFT_TRY(add(add, name));
  if (kept.empty()) return failedPrecondition("There are no groups to save");
  if (posixFileSystem().exists(path)) {
    // Groups that the file has already stay; a document is not overwritten.
    WEFT_LET(const LoadedGraph there, loadGraphFile(path));
    if (there.meta.graph.nodeCount() > 0) return failedPrecondition("This file is a document with a graph; choose another one for the groups").inFile(path);
    WEFT_LET(const auto before, readGroupLibrary(path));
    std::vector<GroupDefinition> all;
    for (const GroupDefinition& d : before)
      if (!seen.count(d.name)) all.push_back(d);
    kept.insert(kept.begin(), all.begin(), all.end());
  }
  setGroups(library, kept);
  return saveGraphFile(library, GraphFormat::MetaBinary, path);
}

}  // namespace weft
