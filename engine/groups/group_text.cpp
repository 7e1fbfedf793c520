// Values of parameters as text, and the places that they set.
#include <algorithm>
#include <charconv>

#include "api/recipe_parts.h"
#include "groups/group_parts.h"
#include "weft/op.h"
#include "weft/op_traits.h"

namespace weft::groups {
namespace {

constexpr int64_t kMostElements = 64;

std::string numberText(double v) {
  char text[40];
  return std::string(text, std::to_chars(text, text + sizeof text, v).ptr);
}
std::string numberText(float v) {
  char text[40];
  return std::string(text, std::to_chars(text, text + sizeof text, v).ptr);
}

template <typename T, typename F>
std::string listText(const std::vector<T>& values, F&& one) {
  std::string out;
  for (const auto& v : values) out += (out.empty() ? "" : ",") + one(v);
  return "[" + out + "]";
}

std::string elementText(const Tensor& t, int64_t i) {
  if (t.dtype() == DType::String) return t.at<std::string>(i);
  if (t.dtype() == DType::Bool) return t.asDouble(i) != 0 ? "true" : "false";
  if (t.dtype() == DType::Float) return numberText(float(t.asDouble(i)));
  if (isFloating(t.dtype())) return numberText(t.asDouble(i));
  return t.dtype() == DType::Int64 ? std::to_string(t.at<int64_t>(i)) : std::to_string(int64_t(t.asDouble(i)));
}

/// Nested lists, from dimension `axis` on.
std::string nested(const Tensor& t, int axis, int64_t& next) {
  if (axis == t.shape().rank()) return elementText(t, next++);
  std::string out = "[";
  for (int64_t i = 0; i < t.shape().dim(axis); ++i) out += (i ? "," : "") + nested(t, axis + 1, next);
  return out + "]";
}

std::string namesOf(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& n : names) out += (out.empty() ? "" : ", ") + n;
  return out.empty() ? "none" : out;
}

}  // namespace

Result<std::string> textOfAttr(std::string_view name, const Attr& attr) {
  if (const auto* v = attr.get<std::string>()) return *v;
  if (const auto* v = attr.get<int64_t>()) return std::to_string(*v);
  if (const auto* v = attr.get<float>()) return numberText(*v);
  if (const auto* v = attr.get<bool>()) return std::string(*v ? "true" : "false");
  if (const auto* v = attr.get<DType>()) return std::string(dtypeName(baseType(*v)));
  if (const auto* v = attr.get<Shape>()) return v->hasRank() ? v->toString() : std::string("?");
  if (const auto* v = attr.get<std::vector<int64_t>>()) return listText(*v, [](int64_t x) { return std::to_string(x); });
  if (const auto* v = attr.get<std::vector<float>>()) return listText(*v, [](float x) { return numberText(x); });
  if (const auto* v = attr.get<std::vector<bool>>()) return listText(*v, [](bool x) { return std::string(x ? "true" : "false"); });
  if (const auto* v = attr.get<std::vector<std::string>>()) return listText(*v, [](const std::string& x) { return x; });
  if (attr.get<EmptyListAttr>()) return std::string("[]");
  if (const auto* t = attr.get<Tensor>()) {
    if (t->elements() > kMostElements)
      return invalidArgument(name, " has ", t->elements(), " elements; a parameter of a group may have at most ", kMostElements);
    if (isComplex(t->dtype()) || !(isNumeric(t->dtype()) || t->dtype() == DType::Bool || t->dtype() == DType::String))
      return invalidArgument(name, " is of type ", dtypeName(t->dtype()), ", which has no text; expected numbers, booleans or strings");
    if (t->dtype() == DType::String && !t->shape().isScalar()) return invalidArgument(name, " is a list of strings; expected a single string or numbers");
    int64_t next = 0;
    return nested(*t, 0, next);
  }
  return invalidArgument(name, " is ", attr.toString(), ", which has no text; expected a number, a string, a type, a shape or a list of them");
}

Result<Place> placeOf(const Contents& in, std::string_view target) {
  const size_t dot = target.rfind('.');
  if (dot == target.npos || dot == 0 || dot + 1 == target.size())
    return invalidArgument("'", target, "' is no place of a parameter, expected NODE.ATTRIBUTE, LAYER.PARAMETER or GROUP.PARAMETER");
  Place p;
  p.name = target.substr(0, dot);
  p.attribute = target.substr(dot + 1);
  std::vector<std::string> names;
  const auto named = [&](const auto& all, const auto& name) {
    return std::find_if(all.begin(), all.end(), [&](const auto& one) { return name(one) == p.name; });
  };
  if (const auto inner = named(in.instances, [](const GroupInstance& i) { return i.scope; }); inner != in.instances.end()) {
    p.kind = Place::Kind::Group;
    const auto definition = std::find_if(in.definitions.begin(), in.definitions.end(), [&](const GroupDefinition& d) { return d.name == inner->group; });
    const GroupDefinition* d = definition == in.definitions.end() ? nullptr : &*definition;
    if (!d) return notFound("There is no group ", inner->group, " in this document").atNode(p.name);
    for (const GroupParameter& g : d->parameters) names.push_back(g.name);
    const GroupParameter* own = d->find(p.attribute);
    if (!own) return notFound("The group ", d->name, " has no parameter ", p.attribute, "; it has ", namesOf(names)).atNode(p.name);
    const auto set = inner->overrides.find(p.attribute);
    p.type = own->type;
    p.doc = own->doc;
    p.value = set != inner->overrides.end() ? set->second : own->value;
    return p;
  }
  const Node* n = in.graph.find(p.name);
  const auto layer = named(in.layers, [](const Recipe& r) { return r.trains() ? std::string() : r.scope; });
  if (!n && layer != in.layers.end()) {
    p.kind = Place::Kind::Layer;
    const ApiRecord* record = ApiRegistry::instance().findLayer(layer->kind);
    if (!record) return notFound("There is no layer ", layer->kind).atNode(p.name);
    const ApiParameter* own = record->find(p.attribute);
    if (!own || recipes::isTensor(*own) || recipes::isName(*own))
      return notFound(layer->kind, " has no parameter ", p.attribute, "; it has ", recipes::settableNames(*record)).atNode(p.name);
    const auto set = layer->parameters.find(own->name);
    p.attribute = own->name;
    p.type = own->type;
    p.doc = own->doc;
    p.value = set != layer->parameters.end() ? set->second : own->otherwise ? argumentToText(*own->otherwise) : std::string();
    return p;
  }
  if (!n) return notFound("There is no node, layer or group ", p.name, " here");
  const AttrSpec* spec = n->record ? n->record->findAttr(p.attribute) : nullptr;
  const Attr* held = n->attrs.find(p.attribute);
  if (n->record)
    for (const AttrSpec& s : n->record->attrs) names.push_back(s.name);
  if (!spec && !held) return notFound(n->name, " (", n->op, ") has no attribute ", p.attribute, "; it has ", namesOf(names)).atNode(n->name);
  if (!held && spec->defaultValue) held = &*spec->defaultValue;
  if (!held) return notFound(n->name, " (", n->op, ") has no value for ", p.attribute).atNode(n->name);
  auto text = textOfAttr(target, *held);
  if (!text.ok()) return text.error().atNode(n->name);
  p.value = std::move(*text);
  p.type = spec ? spec->type : "string";
  p.doc = spec ? spec->doc : std::string();
  return p;
}

Result<Place> placeOf(LayerEditor& layers, const GroupEditor& groups, std::string_view target) {
  return placeOf({layers.editor().graph(), layers.recipes(), groups.instances(), groups.definitions()}, target);
}

const GroupInstance* instanceAround(const std::vector<GroupInstance>& instances, std::string_view field) {
  const GroupInstance* found = nullptr;
  for (const GroupInstance& i : instances)
    if (inside(field, i.scope) && (!found || i.scope.size() > found->scope.size())) found = &i;
  return found;
}

bool isOwnParameter(const std::vector<GroupInstance>& instances, const std::vector<GroupDefinition>& definitions, std::string_view field,
                    std::string_view name) {
  const GroupInstance* around = instanceAround(instances, field);
  return around && std::any_of(definitions.begin(), definitions.end(), [&](const GroupDefinition& d) { return d.name == around->group && d.find(name); });
}

Result<std::set<std::string>> groupsIn(const GroupDefinition& definition) {
  std::set<std::string> out;
  WEFT_LET(const LoadedGraph body, groupBody(definition));
  for (const GroupInstance& i : groupInstancesOf(body.meta)) out.insert(i.group);
  return out;
}

Result<std::string> circleThrough(const std::vector<GroupDefinition>& all, const std::string& name) {
  std::map<std::string, std::vector<std::string>> inner;
  for (const GroupDefinition& d : all) {
    WEFT_LET(const LoadedGraph body, groupBody(d));
    const std::vector<GroupInstance> instances = groupInstancesOf(body.meta);
    const auto nested = [&](const GroupInstance& i) {
      return std::any_of(instances.begin(), instances.end(), [&](const GroupInstance& outer) { return inside(i.scope, outer.scope); });
    };
    // Those within another one come last: the circle is named through that if it can be.
    for (const bool late : {false, true})
      for (const GroupInstance& i : instances)
        if (nested(i) == late) inner[d.name].push_back(i.group);
  }
  std::vector<std::string> path{name};
  std::set<std::string> seen;
  const auto search = [&](auto&& self, const std::string& at) -> bool {
    for (const std::string& next : inner[at]) {
      path.push_back(next);
      if (next == name || (seen.insert(next).second && self(self, next))) return true;
      path.pop_back();
    }
    return false;
  };
  if (!search(search, name)) return std::string();
  std::string words;
  for (const std::string& n : path) words += (words.empty() ? "" : " → ") + n;
  return words;
}

}  // namespace weft::groups
