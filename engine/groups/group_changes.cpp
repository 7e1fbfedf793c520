// Definitions: made from a selection, changed from an instance, with their parameters.
#include <algorithm>
#include <cctype>

#include "graph/edit_internal.h"
#include "groups/group_state.h"
#include "weft/expressions.h"
#include "weft/op_traits.h"

namespace weft {

using namespace groups;

namespace {

Status checkName(std::string_view name) {
  const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-'; };
  if (name.empty() || !std::isalnum(static_cast<unsigned char>(name[0])) || !std::all_of(name.begin(), name.end(), fits))
    return invalidArgument("'", name, "' cannot name a group: letters, digits and . _ - are allowed, beginning with a letter or digit");
  return {};
}

/// The definition of a document that is equal in everything that instances depend on.
bool sameGroup(const GroupDefinition& a, const GroupDefinition& b) {
  const auto ports = [](const std::vector<GroupPort>& x, const std::vector<GroupPort>& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const GroupPort& p, const GroupPort& q) { return p.name == q.name && p.type == q.type; });
  };
  const auto parameters = std::equal(a.parameters.begin(), a.parameters.end(), b.parameters.begin(), b.parameters.end(),
                                     [](const auto& p, const auto& q) { return p.name == q.name && p.value == q.value && p.targets == q.targets; });
  return (a.body == b.body || bodyWithoutNames(a) == bodyWithoutNames(b)) && ports(a.inputs, b.inputs) && ports(a.outputs, b.outputs) && parameters;
}

}  // namespace

Result<std::string> GroupEditor::make(const std::vector<int>& chosen, std::string_view wanted) {
  s_->readAgain();
  Graph& graph = s_->graph();
  if (chosen.empty()) return invalidArgument("There is nothing to make a group of");
  std::set<int> ids;
  for (const int id : chosen)
    if (const Node* n = graph.node(id); n && (!isOpenInput(*n) || n->attrs.text(kOpenAttr) == kWaitingLayer)) ids.insert(id);
  // A variable comes with its initial value and its reading op, which are named below it.
  std::vector<std::string> variables;
  for (const int id : ids)
    if (isVariable(*graph.node(id))) variables.push_back(graph.node(id)->name);
  if (!variables.empty())
    for (const auto& own : nodesOf(graph, variables)) ids.insert(own.begin(), own.end());
  if (ids.empty()) return invalidArgument("There is nothing to make a group of: only missing inputs are selected");
  std::string_view common = scopeOf(graph.node(*ids.begin())->name);
  for (const int id : ids) common = commonScope(common, scopeOf(graph.node(id)->name));
  std::string scope(common);
  const bool whole = !scope.empty() && !graph.find(scope) && nodesOf(graph, {scope})[0].size() == ids.size();
  // A layer or an instance of its own becomes part of the group.
  const bool wraps = whole && (s_->layers.find(scope) || s_->at(scope));
  const std::string name = !wanted.empty() ? std::string(wanted) : whole ? scope.substr(scope.rfind('/') + 1) : std::string("group");
  WEFT_TRY(checkName(name));
  if (s_->find(name)) return alreadyExists("There is a group ", name, " already; choose another name");
  if (wraps) {
    const std::string parent(scopeOf(scope)), last = scope.substr(parent.empty() ? 0 : parent.size() + 1);
    const std::string made = s_->editor().uniqueName(parent.empty() ? name : parent + "/" + name);
    WEFT_TRY(s_->layers.rename(scope, made + "/" + last));
    s_->readAgain();
    scope = made;
  } else if (!whole) {
    // A layer that is split becomes plain ops, as when nodes move into a scope.
    const auto part = [&](const std::string& s) {
      const auto own = nodesOf(graph, {s})[0];
      const auto count = std::count_if(own.begin(), own.end(), [&](int id) { return ids.count(id) > 0; });
      return count > 0 && size_t(count) < own.size();
    };
    std::vector<std::string> split;
    for (const Recipe& r : s_->layers.recipes())
      if (!r.trains() && part(r.scope)) split.push_back(r.scope);
    for (const std::string& layer : split) s_->layers.explode(layer);
    for (const GroupInstance& i : s_->instances)
      if (part(i.scope) && !inside(graph.node(*ids.begin())->name, i.scope))
        return invalidArgument("Only a part of ", i.scope, " is selected; select all of it, or detach it from its group").atNode(i.scope);
    WEFT_LET(scope, s_->editor().group({ids.begin(), ids.end()}, name));
    s_->layers.refresh();
    s_->readAgain();
  }
  WEFT_LET(GroupDefinition d, capture(s_->layers, scope, nullptr, nullptr, s_->notes));
  d.name = name;
  if (!groupExpressions(d).empty()) {
    WEFT_TRY(s_->editBody(d, [](LayerEditor&, GroupEditor&) { return Status(); }));
    d.version = 1;
  }
  s_->definitions.push_back(std::move(d));
  s_->instances.push_back({scope, name, 1, {}, {}});
  s_->write();
  return scope;
}

Result<std::vector<std::string>> GroupEditor::adopt(const std::vector<std::string>& scopes, std::string_view group) {
  s_->readAgain();
  WEFT_LET(GroupDefinition* const d, s_->need(group));
  const std::vector<Recipe> recipes = recipesOf(s_->editor().meta());
  const RecipesByScope layerAt = byScope(recipes);
  const FollowedIn follows = followedIn(s_->editor().meta());
  const auto nodes = nodesOf(s_->graph(), scopes);
  std::vector<std::string> taken;
  std::vector<GroupInstance> added;
  for (size_t i = 0; i < scopes.size(); ++i) {
    if (s_->at(scopes[i])) return alreadyExists(scopes[i], " is an instance already").atNode(scopes[i]);
    const GroupInstance record{scopes[i], d->name, d->version, {}, {}};
    WEFT_LET(const Job job, s_->jobFor(record, *d, record, *d, layerAt));
    if (!matches(s_->editor(), layerAt, s_->instances, follows, record.scope, *job.after, nodes[i])) continue;
    added.push_back(record);
    taken.push_back(scopes[i]);
  }
  s_->instances.insert(s_->instances.end(), added.begin(), added.end());
  s_->write();
  return taken;
}

Status GroupEditor::updateFrom(std::string_view scope) {
  s_->readAgain();
  WEFT_LET(GroupInstance* const i, s_->needInstance(scope));
  WEFT_LET(GroupDefinition* const d, s_->need(i->group));
  const std::vector<GroupDefinition> before = s_->definitions;
  std::map<std::string, std::string> valid;
  for (const auto& [name, text] : i->overrides)
    if (d->find(name)) valid.emplace(name, text);
  WEFT_LET(const VariantPtr old, s_->variant(*d, valid));
  WEFT_LET(GroupDefinition now, capture(s_->layers, i->scope, d, old.get(), s_->notes));
  now.name = d->name;
  now.doc = d->doc;
  now.version = d->version;
  now.parameters = d->parameters;
  const std::string name = d->name, where = i->scope;
  {
    std::vector<GroupDefinition> all = s_->definitions;
    for (GroupDefinition& other : all)
      if (other.name == name) other = now;
    WEFT_LET(const std::string circle, circleThrough(all, name));
    if (!circle.empty()) return failedPrecondition("The group ", name, " would contain itself: ", circle).atNode(where);
  }
  std::set<std::string> followed, used, lost;
  for (const FollowedField& f : groupExpressions(now)) {
    followed.insert(f.field);
    if (const auto parsed = Expression::parse(f.expression); parsed.ok()) used.insert(parsed->references().begin(), parsed->references().end());
  }
  // Parameters keep the places that are still there and that follow no expression. An override of this instance is not the group's default.
  WEFT_TRY(s_->editBody(now, [&](LayerEditor& layers, GroupEditor& groups) -> Status {
    for (GroupParameter& p : now.parameters) {
      const bool places = !p.targets.empty();
      std::erase_if(p.targets, [&](const std::string& t) { return followed.count(t) || !placeOf(layers, groups, t).ok(); });
      if (places && p.targets.empty() && !used.count(p.name)) lost.insert(p.name);
      if (p.targets.empty()) continue;
      if (!valid.count(p.name)) {
        WEFT_LET(const Place first, placeOf(layers, groups, p.targets[0]));
        p.value = first.value;
      }
      WEFT_TRY(State::apply(layers, groups, p, p.value));
    }
    return {};
  }));
  std::erase_if(now.parameters, [&](const GroupParameter& p) {
    if (!lost.count(p.name)) return false;
    s_->notes.push_back(concat("Parameter ", p.name, " of the group ", name, " is gone: what it set is no longer inside."));
    return true;
  });
  *s_->find(name) = now;
  GroupInstance record = *s_->at(where);
  WEFT_TRY(s_->sortOverrides(now, record));
  record.version = now.version;
  *s_->at(where) = record;
  WEFT_TRY(s_->follow({name}, before, where));
  // The instance has the texts of the group too: what was units of this instance is units of any.
  FollowedIn ofGroup;
  for (const FollowedField& f : groupExpressions(*s_->find(name))) ofGroup[f.field] = f.expression;
  std::vector<FollowedField> fields = followedFieldsOf(s_->editor().meta());
  for (FollowedField& f : fields)
    if (inside(f.field, where))
      if (const auto own = ofGroup.find(f.field.substr(where.size() + 1)); own != ofGroup.end()) f.expression = withPrefix(own->second, where + "/");
  setFollowedFields(s_->editor().meta(), fields);
  return {};
}

Status GroupEditor::addParameter(std::string_view group, std::string name, std::string_view place) {
  s_->readAgain();
  WEFT_LET(GroupDefinition* const d, s_->need(group));
  std::string target(place);
  for (const GroupInstance& i : s_->instances)
    if (i.group == group && inside(place, i.scope)) target = place.substr(i.scope.size() + 1);
  GroupDefinition now = *d;
  const std::vector<GroupDefinition> before = s_->definitions;
  GroupParameter* known = nullptr;
  if (name.empty()) name = target.substr(target.rfind('.') + 1);
  if (name.empty() || name.find_first_of(" =.~/") != name.npos || !std::isalpha(static_cast<unsigned char>(name[0])))
    return invalidArgument("'", name, "' cannot name a parameter: it begins with a letter and has no space and none of = . ~ /");
  for (GroupParameter& p : now.parameters) {
    if (std::count(p.targets.begin(), p.targets.end(), target))
      return alreadyExists(target, " is set by the parameter ", p.name, " of the group ", now.name, " already");
    if (p.name == name) known = &p;
  }
  if (!known) WEFT_TRY(s_->checkUnused(now, name));
  GroupParameter added{name, {}, {}, {}, {}};
  WEFT_TRY(s_->editBody(now, [&](LayerEditor& layers, GroupEditor& groups) -> Status {
    WEFT_LET(const Place found, placeOf(layers, groups, target));
    for (const FollowedField& f : followedFieldsOf(layers.editor().meta()))
      if (f.field == target) return failedPrecondition(target, " follows ", f.expression, " in the group ", now.name, "; release it first");
    if (found.name.starts_with(kInputScope) || found.name.starts_with(kOutputScope))
      return invalidArgument(target, " belongs to a port; its type and shape follow the wires");
    if (known) {
      known->targets.push_back(target);
      return State::apply(layers, groups, *known, known->value);
    }
    added.type = found.type;
    added.value = found.value;
    added.doc = found.doc;
    added.targets = {target};
    return {};
  }));
  if (!known) now.parameters.push_back(added);
  // A value that was changed by hand in an instance is its override.
  const std::string value = known ? known->value : added.value;
  for (GroupInstance& i : s_->instances) {
    if (i.group != now.name) continue;
    const auto own = placeOf(s_->layers, *this, i.scope + "/" + target);
    if (own.ok() && own->value != value && !i.overrides.count(name)) i.overrides[name] = own->value;
    if (const auto back = i.aside.find(name); back != i.aside.end() && !i.overrides.count(name)) i.overrides.insert(*back);
    i.aside.erase(name);
  }
  *s_->find(group) = std::move(now);
  s_->write();
  return s_->follow({std::string(group)}, before);
}

Status GroupEditor::removeParameter(std::string_view group, std::string_view name) {
  s_->readAgain();
  WEFT_LET(GroupDefinition* const d, s_->need(group));
  if (!d->find(name)) return notFound("The group ", group, " has no parameter ", name);
  std::string users;
  WEFT_LET(const LoadedGraph body, groupBody(*d));
  const std::vector<GroupInstance> inner = groupInstancesOf(body.meta);
  for (const FollowedField& f : followedFieldsOf(body.meta))
    if (const auto parsed = Expression::parse(f.expression);
        parsed.ok() && std::count(parsed->references().begin(), parsed->references().end(), name) && !instanceAround(inner, f.field))
      users += (users.empty() ? "" : ", ") + f.field;
  if (!users.empty()) return failedPrecondition("The parameter ", name, " of the group ", group, " is used by ", users, ": change those first");
  const std::vector<GroupDefinition> before = s_->definitions;
  std::erase_if(d->parameters, [&](const GroupParameter& p) { return p.name == name; });
  ++d->version;
  return s_->follow({std::string(group)}, before);
}

Status GroupEditor::setDefault(std::string_view group, const std::string& name, const std::string& text) {
  s_->readAgain();
  WEFT_LET(GroupDefinition* const d, s_->need(group));
  if (!d->find(name)) {
    std::string names;
    for (const GroupParameter& p : d->parameters) names += (names.empty() ? "" : ", ") + p.name;
    return notFound("The group ", group, " has no parameter '", name, "'; expected ", names.empty() ? "none" : names);
  }
  const std::vector<GroupDefinition> before = s_->definitions;
  GroupDefinition now = *d;
  GroupParameter& p = *const_cast<GroupParameter*>(now.find(name));
  WEFT_TRY(s_->editBody(now, [&](LayerEditor& layers, GroupEditor& groups) -> Status {
    p.value = text;
    return State::apply(layers, groups, p, text);
  }));
  *s_->find(group) = std::move(now);
  return s_->follow({std::string(group)}, before);
}

Status GroupEditor::setDoc(std::string_view group, const std::string& doc) {
  s_->readAgain();
  WEFT_LET(GroupDefinition* const d, s_->need(group));
  d->doc = doc;
  s_->write();
  return {};
}

Status GroupEditor::rename(std::string_view group, const std::string& to) {
  s_->readAgain();
  WEFT_TRY(s_->need(group).status());
  WEFT_TRY(checkName(to));
  if (to == group) return {};
  if (s_->find(to)) return alreadyExists("There is a group ", to, " already; choose another name");
  const std::string from(group);
  const auto renamed = [&](std::vector<GroupInstance>& all) {
    bool any = false;
    for (GroupInstance& i : all)
      if (i.group == from) i.group = to, any = true;
    return any;
  };
  for (GroupDefinition& d : s_->definitions) {
    WEFT_LET(LoadedGraph body, groupBody(d));
    auto inner = groupInstancesOf(body.meta);
    if (renamed(inner)) {
      setGroupInstances(body.meta, inner);
      WEFT_LET(d.body, serializeGraph(body.meta, GraphFormat::MetaBinary));
    }
    if (d.name == from) d.name = to;
  }
  renamed(s_->instances);
  s_->variants.clear();
  s_->write();
  return {};
}

Status GroupEditor::remove(std::string_view group) {
  s_->readAgain();
  WEFT_TRY(s_->need(group).status());
  for (const GroupDefinition& d : s_->definitions) {
    WEFT_LET(const auto inner, groupsIn(d));
    if (inner.count(std::string(group))) return failedPrecondition("The group ", d.name, " contains ", group, "; remove it there first");
  }
  for (const GroupInstance& i : s_->instances)
    if (i.group == group) return failedPrecondition(i.scope, " is an instance of ", group, "; delete it or detach it first").atNode(i.scope);
  std::erase_if(s_->definitions, [&](const GroupDefinition& d) { return d.name == group; });
  s_->write();
  return {};
}

Status GroupEditor::take(const GroupDefinition& definition, const std::vector<GroupDefinition>& others, bool replace) {
  s_->readAgain();
  const std::vector<GroupDefinition> before = s_->definitions;
  std::set<std::string> changed, seen;
  const std::function<Status(const GroupDefinition&)> visit = [&](const GroupDefinition& d) -> Status {
    if (!seen.insert(d.name).second) return {};
    WEFT_LET(const auto inner, groupsIn(d));
    for (const std::string& name : inner) {
      const auto at = std::find_if(others.begin(), others.end(), [&](const GroupDefinition& o) { return o.name == name; });
      if (at == others.end() && !s_->find(name))
        return notFound("The group ", d.name, " contains ", name, ", which is neither in the library nor in this document");
      if (at != others.end()) WEFT_TRY(visit(*at));
    }
    GroupDefinition* own = s_->find(d.name);
    if (own && sameGroup(*own, d)) return {};
    if (own && !replace) return alreadyExists("This document has another group ", d.name, "; rename it, or replace it by that of the library");
    if (own) {
      const int64_t version = own->version + 1;
      *own = d;
      own->version = version;
      changed.insert(d.name);
    } else {
      s_->definitions.push_back(d);
    }
    return s_->takeNames(d);
  };
  WEFT_TRY(visit(definition));
  WEFT_LET(const std::string circle, circleThrough(s_->definitions, definition.name));
  if (!circle.empty()) return failedPrecondition("The group ", definition.name, " would contain itself: ", circle);
  if (changed.empty()) {
    s_->write();
    return {};
  }
  return s_->follow(std::move(changed), before);
}

}  // namespace weft
