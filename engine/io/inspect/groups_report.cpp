// Libraries of groups (weft/groups.h).
#include "io/inspect/format.h"
#include "weft/groups.h"

namespace weft::inspect {
namespace {

Json portsJson(const std::vector<GroupPort>& ports) {
  Json out = Json::array();
  for (const GroupPort& p : ports)
    out.push_back({{"name", p.name}, {"dtype", std::string(dtypeName(p.type))}, {"shape", p.shape.hasRank() ? shapeJson(p.shape) : Json(nullptr)}});
  return out;
}

Status reportGroups(Report& r) {
  r.setKind("weftgroups");
  WEFT_LET(const std::vector<GroupDefinition> groups, readGroupLibrary(r.path));
  r.json["groups"] = Json::array();
  for (const GroupDefinition& d : groups) {
    Json parameters = Json::array();
    for (const GroupParameter& p : d.parameters) parameters.push_back({{"name", p.name}, {"type", p.type}, {"value", p.value}, {"targets", p.targets}});
    r.json["groups"].push_back({{"name", d.name},
                                {"version", d.version},
                                {"doc", d.doc},
                                {"inputs", portsJson(d.inputs)},
                                {"outputs", portsJson(d.outputs)},
                                {"parameters", parameters}});
  }
  return {};
}

}  // namespace

extern const Format kGroupsFormat;
const Format kGroupsFormat{
    {"weftgroups", WEFT_TRANSLATED("FileKinds", "Library of groups"),
     WEFT_TRANSLATED("FileKinds", "Groups that can be added to any document, with their inputs, outputs and parameters."), ".weftgroups"},
    [](Report& r) { return r.isFile() && r.ends(".weftgroups"); },
    reportGroups};

}  // namespace weft::inspect
