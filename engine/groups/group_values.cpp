// Values of a group's parameters: a body with them, and the fields inside that follow expressions over them.
#include <algorithm>

#include "graph/edit_internal.h"
#include "groups/group_state.h"
#include "weft/expressions.h"

namespace weft {

using namespace groups;

namespace {

/// Without places to set, only the type says what a parameter may be.
Status checkValue(const GroupParameter& p, const std::string& text) {
  if (!p.targets.empty()) return {};
  const auto fits = fieldText(p.type, fieldValue(p.type, text));
  if (fits.ok()) return {};
  return invalidArgument("parameter '", p.name, "' ", fits.error().message);
}

/// Names of the document in the expressions of a body. Those that are parameters of `d` as well, which instances inside do not see, begin with kHidden.
std::set<std::string> namesIn(const GroupDefinition& d, const MetaGraph& body, const std::vector<GroupDefinition>& definitions) {
  std::set<std::string> out;
  const std::vector<GroupInstance> inner = groupInstancesOf(body);
  for (const FollowedField& f : followedFieldsOf(body)) {
    const auto parsed = Expression::parse(f.expression);
    if (!parsed.ok()) continue;
    for (const std::string& r : parsed->references()) {
      if (r.find('.') != r.npos || isOwnParameter(inner, definitions, f.field, r)) continue;
      if (!d.find(r)) out.insert(r);
      else if (instanceAround(inner, f.field)) out.insert(kHidden + r);
    }
  }
  return out;
}

/// NOT_FOUND names the field and the name that neither the group nor the document has.
Status checkNames(const GroupDefinition& d, const TextAttrs& ofDocument, const MetaGraph& body, const std::vector<GroupDefinition>& definitions) {
  const std::vector<GroupInstance> inner = groupInstancesOf(body);
  for (const FollowedField& f : followedFieldsOf(body)) {
    const auto parsed = Expression::parse(f.expression);
    if (!parsed.ok()) continue;
    for (const std::string& r : parsed->references()) {
      if (r.find('.') != r.npos || d.find(r) || isOwnParameter(inner, definitions, f.field, r)) continue;
      if (std::any_of(ofDocument.begin(), ofDocument.end(), [&](const auto& n) { return n.first == r; })) continue;
      std::string names;
      for (const GroupParameter& p : d.parameters) names += (names.empty() ? "" : ", ") + p.name;
      return notFound(f.field, " = ", f.expression, ": there is no name ", r, ", neither in the document nor among the parameters of the group ", d.name, ": ",
                      names.empty() ? "it has none" : names);
    }
  }
  return {};
}

std::string typeOf(const ExpressionValue& value) {
  if (std::holds_alternative<bool>(value.value)) return "bool";
  if (std::holds_alternative<int64_t>(value.value)) return "int";
  if (std::holds_alternative<double>(value.value)) return "float";
  const auto* list = std::get_if<ExpressionValue::List>(&value.value);
  if (!list) return "string";
  const bool real = std::any_of(list->begin(), list->end(), [](const ExpressionValue& v) { return std::holds_alternative<double>(v.value); });
  const bool open = std::any_of(list->begin(), list->end(), [](const ExpressionValue& v) { return std::holds_alternative<ExpressionValue::Unknown>(v.value); });
  return open ? "shape" : real ? "list(float)" : "list(int)";
}

}  // namespace

Status GroupEditor::State::apply(LayerEditor& layers, GroupEditor& groups, const GroupParameter& p, const std::string& text) {
  WEFT_TRY(checkValue(p, text));
  for (const std::string& target : p.targets) {
    auto place = placeOf(layers, groups, target);
    if (!place.ok()) return place.error();
    if (place->value == text) continue;
    Status set;
    if (place->kind == Place::Kind::Group) {
      set = groups.setParameter(place->name, place->attribute, text);
    } else if (place->kind == Place::Kind::Layer) {
      set = layers.setParameter(*layers.find(place->name), place->attribute, text);
    } else {
      WEFT_LET(const int id, layers.editor().find(place->name));
      set = layers.editor().setAttr(id, place->attribute, text);
    }
    if (!set.ok()) return invalidArgument("parameter '", p.name, "' is '", text, "': ", set.error().message);
  }
  return {};
}

std::map<std::string, std::string> GroupEditor::State::validValues(const GroupInstance& instance, const GroupDefinition& d) {
  std::map<std::string, std::string> out;
  for (const auto& [name, text] : instance.overrides)
    if (d.find(name)) out.emplace(name, text);
  return out;
}

Result<VariantPtr> GroupEditor::State::variant(const GroupDefinition& d, const std::map<std::string, std::string>& overrides,
                                               const std::vector<Shape>& shapes) {
  const TextAttrs used = valuesOfNames(d);
  std::string key = concat(d.name, "\x01", d.version);
  for (const auto& [name, text] : used) key += concat("\x01", name, "\x03", text);
  for (const auto& [name, text] : overrides) key += concat("\x01", name, "\x02", text);
  for (const Shape& s : shapes) key += "\x01" + (s.hasRank() ? s.toString() : std::string());
  if (const auto known = variants.find(key); known != variants.end()) return known->second;
  if (building.count(d.name)) return failedPrecondition("The group ", d.name, " contains itself");
  WEFT_LET(LoadedGraph body, groupBody(d));
  auto v = std::make_shared<Variant>();
  v->meta = std::move(body.meta);
  v->problems = std::move(body.problems);
  {
    GraphEditor bodyEditor(v->meta, v->problems);
    LayerEditor bodyLayers(bodyEditor);
    bool changed = false;
    for (size_t p = 0; p < shapes.size() && p < d.inputs.size(); ++p) {
      if (!shapes[p].hasRank() || shapes[p] == d.inputs[p].shape) continue;
      WEFT_LET(const int id, bodyEditor.find(concat(kInputScope, d.inputs[p].name)));
      WEFT_TRY(bodyEditor.setAttr(id, "shape", shapes[p].toString()));
      changed = true;
    }
    GroupEditor bodyGroups(bodyLayers);
    bodyGroups.s_->enter(*this, d.name);
    for (const GroupParameter& p : d.parameters) {
      const auto set = overrides.find(p.name);
      if (set == overrides.end() || set->second == p.value) continue;
      WEFT_TRY(apply(bodyLayers, bodyGroups, p, set->second));
      changed = true;
    }
    if (changed || !followedFieldsOf(v->meta).empty()) WEFT_TRY(finishBody(d, overrides, bodyLayers, bodyGroups));
  }
  WEFT_TRY(readVariant(d, *v));
  variants.emplace(std::move(key), v);
  return VariantPtr(v);
}

Status GroupEditor::State::sortOverrides(const GroupDefinition& d, GroupInstance& record) {
  for (auto it = record.aside.begin(); it != record.aside.end();) {
    if (!d.find(it->first) || record.overrides.count(it->first)) {
      ++it;
      continue;
    }
    record.overrides.insert(*it);
    it = record.aside.erase(it);
  }
  for (auto it = record.overrides.begin(); it != record.overrides.end();) {
    std::string why;
    if (!d.find(it->first)) {
      why = concat("the group ", d.name, " has no such parameter any more");
    } else if (const auto v = variant(d, {*it}); !v.ok()) {
      why = v.error().message;
    }
    if (why.empty()) {
      ++it;
      continue;
    }
    notes.push_back(concat(record.scope, ": ", it->first, " = ", it->second, " is set aside: ", why, "."));
    record.aside[it->first] = it->second;
    it = record.overrides.erase(it);
  }
  return {};
}

void GroupEditor::State::enter(State& outer, const std::string& group) {
  inBody = true;
  document = outer.document ? outer.document : &outer;
  definitions = outer.definitions;
  building = outer.building;
  building.insert(group);
}

void GroupEditor::State::forget() {
  variants.clear();
  used.clear();
}

TextAttrs GroupEditor::State::valuesOfNames(const GroupDefinition& d) {
  const std::string key = concat(d.name, "\x01", d.version);
  auto known = used.find(key);
  if (known == used.end()) {
    const auto body = groupBody(d);
    known = used.emplace(key, body.ok() ? namesIn(d, body->meta, definitions) : std::set<std::string>()).first;
  }
  return valuesOf(known->second);
}

TextAttrs GroupEditor::State::valuesOf(const std::set<std::string>& used) {
  TextAttrs out;
  if (used.empty()) return out;
  State& top = document ? *document : *this;
  if (!top.names) top.names = std::make_unique<ExpressionScope>(top.editor().meta());
  for (const std::string& name : used) {
    const std::string plain = name.starts_with(kHidden) ? name.substr(1) : name;
    if (const auto value = top.names->name(plain); value.ok()) out.emplace_back(name, value->toExpression());
  }
  return out;
}

Status GroupEditor::State::finishBody(const GroupDefinition& d, const std::map<std::string, std::string>& overrides, LayerEditor& bodyLayers,
                                      GroupEditor& bodyGroups) {
  MetaGraph& meta = bodyLayers.editor().meta();
  if (followedFieldsOf(meta).empty()) return bodyLayers.finish();
  const TextAttrs names = valuesOf(namesIn(d, meta, definitions));
  WEFT_TRY(checkNames(d, names, meta, definitions));
  // Within a body, the names are its parameters and, behind them, those of the document. Instances inside see only their own and the document's.
  std::vector<NamedValue> seen;
  for (const GroupParameter& p : d.parameters) {
    const auto set = overrides.find(p.name);
    seen.push_back({p.name, fieldValue(p.type, set == overrides.end() ? p.value : set->second).toExpression(), {}, {}});
  }
  for (const auto& [name, value] : names) seen.push_back({name, value, {}, {}});
  setNamedValues(meta, seen);
  const Status done = finishEdit(bodyLayers, nullptr, &bodyGroups);
  setNamedValues(meta, {});
  if (done.ok()) return done;
  Error error = done.error();
  error.node.clear();  // of the body; the caller knows the instance
  return error;
}

void GroupEditor::State::keepNames(const GroupDefinition& d, MetaGraph& body) {
  std::vector<NamedValue> kept;
  for (const auto& [name, value] : valuesOf(namesIn(d, body, definitions)))
    if (!name.starts_with(kHidden)) kept.push_back({name, value, {}, {}});  // the group inside keeps these
  setNamedValues(body, kept);
}

namespace groups {

Status keepNames(MetaGraph& meta, const TextAttrs& changed) {
  std::vector<GroupDefinition> all = groupsOf(meta);
  bool any = false;
  for (GroupDefinition& d : all) {
    if (std::none_of(changed.begin(), changed.end(), [&](const auto& c) { return d.body.find(c.first) != d.body.npos; })) continue;
    auto body = groupBody(d);
    if (!body.ok()) continue;  // a problem of the file; nothing of it can be built
    std::vector<NamedValue> kept = namedValuesOf(body->meta);
    bool other = false;
    for (NamedValue& n : kept)
      for (const auto& [name, value] : changed)
        if (n.name == name && n.expression != value) n.expression = value, other = true;
    if (!other) continue;
    setNamedValues(body->meta, kept);
    WEFT_LET(d.body, serializeGraph(body->meta, GraphFormat::MetaBinary));
    any = true;
  }
  if (any) setGroups(meta, all);
  return {};
}

std::string bodyWithoutNames(const GroupDefinition& d) {
  auto body = groupBody(d);
  if (!body.ok()) return d.body;
  setNamedValues(body->meta, {});
  auto text = serializeGraph(body->meta, GraphFormat::MetaBinary);
  return text.ok() ? *text : d.body;
}

}  // namespace groups

Status GroupEditor::State::takeNames(const GroupDefinition& d) {
  WEFT_LET(const LoadedGraph body, groupBody(d));
  MetaGraph& meta = editor().meta();
  for (const NamedValue& n : namedValuesOf(body.meta)) {
    const std::vector<NamedValue> own = namedValuesOf(meta);
    if (std::any_of(own.begin(), own.end(), [&](const NamedValue& o) { return o.name == n.name; })) continue;
    WEFT_TRY(setNamedValue(meta, n.name, n.expression));
    notes.push_back(concat("The name ", n.name, " = ", n.expression, " came with the group ", d.name, "."));
  }
  names.reset();
  return {};
}

void GroupEditor::State::releaseWithin(std::string_view scope) {
  std::vector<FollowedField> fields = followedFieldsOf(editor().meta());
  std::vector<GroupInstance> rest = instances;
  std::erase_if(rest, [&](const GroupInstance& i) { return i.scope == scope; });
  const size_t before = fields.size();
  std::erase_if(fields, [&](const FollowedField& f) {
    const GroupInstance* around = instanceAround(instances, f.field);
    const auto parsed = Expression::parse(f.expression);
    if (!around || around->scope != scope || !parsed.ok()) return false;
    for (const std::string& r : parsed->references()) {
      const bool own = isOwnParameter(instances, definitions, f.field, r);
      if (r.find('.') != r.npos || (!own && !isOwnParameter(rest, definitions, f.field, r))) continue;
      notes.push_back(concat(f.field, " keeps its value", f.result ? " " + *f.result : std::string(), ": ", r, ", which it followed, is ",
                             own ? "gone." : "another one there now."));
      return true;
    }
    return false;
  });
  if (fields.size() != before) setFollowedFields(editor().meta(), fields);
}

Status GroupEditor::State::checkUnused(const GroupDefinition& d, const std::string& parameter) const {
  WEFT_LET(const LoadedGraph body, groupBody(d));
  const std::vector<GroupInstance> inner = groupInstancesOf(body.meta);
  for (const FollowedField& f : followedFieldsOf(body.meta)) {
    const auto parsed = Expression::parse(f.expression);
    if (!parsed.ok() || !std::count(parsed->references().begin(), parsed->references().end(), parameter) || instanceAround(inner, f.field)) continue;
    return failedPrecondition(f.field, " = ", f.expression, " in the group ", d.name, " uses the name ", parameter,
                              " of the document, which a parameter would hide: choose another name, or change that first");
  }
  return {};
}

Status GroupEditor::declareParameter(std::string_view group, const std::string& name, const std::string& text, const std::string& type) {
  static const std::set<std::string> kTypes = {"int", "float", "bool", "string", "shape", "list(int)", "list(float)"};
  s_->readAgain();
  WEFT_LET(GroupDefinition* const d, s_->need(group));
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  const auto part = [&](char c) { return letter(c) || std::isdigit(static_cast<unsigned char>(c)); };
  if (name.empty() || !letter(name[0]) || !std::all_of(name.begin(), name.end(), part))
    return invalidArgument("'", name, "' cannot name a parameter that expressions use: expected a letter or _, then letters, digits and _");
  if (const auto parsed = Expression::parse(name); !parsed.ok() || parsed->references().size() != 1)
    return invalidArgument("'", name, "' cannot name a parameter that expressions use: it is a word of expressions");
  if (d->find(name)) return alreadyExists("The group ", group, " has a parameter ", name, " already");
  WEFT_TRY(s_->checkUnused(*d, name));
  GroupParameter added{name, type.empty() ? typeOf(ExpressionValue::fromText(text)) : type, text, {}, {}};
  if (!kTypes.count(added.type))
    return invalidArgument("'", type, "' is no type of a parameter; expected int, float, bool, string, shape, list(int) or list(float)");
  WEFT_TRY(checkValue(added, text));
  const std::vector<GroupDefinition> before = s_->definitions;
  d->parameters.push_back(std::move(added));
  ++d->version;
  return s_->follow({std::string(group)}, before);
}

std::vector<FollowedField> groupExpressions(const GroupDefinition& definition) {
  const auto body = groupBody(definition);
  return body.ok() ? followedFieldsOf(body->meta) : std::vector<FollowedField>();
}

}  // namespace weft
