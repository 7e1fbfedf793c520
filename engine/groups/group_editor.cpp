// Instances: inserting, connecting, overriding, and following their definition.
#include <algorithm>
#include <charconv>

#include "graph/edit_internal.h"
#include "graph/graph_assembler.h"
#include "groups/group_state.h"

namespace weft {

using namespace groups;

namespace {

constexpr size_t kMostNamed = 3;

const GroupDefinition* findIn(const std::vector<GroupDefinition>& all, std::string_view name) {
  for (const GroupDefinition& d : all)
    if (d.name == name) return &d;
  return nullptr;
}

std::string parameterNames(const GroupDefinition& d) {
  std::string out;
  for (const GroupParameter& p : d.parameters) out += (out.empty() ? "" : ", ") + p.name;
  return out.empty() ? "none" : out;
}

}  // namespace

GroupDefinition* GroupEditor::State::find(std::string_view group) { return const_cast<GroupDefinition*>(findIn(definitions, group)); }

GroupInstance* GroupEditor::State::at(std::string_view scope) {
  for (GroupInstance& i : instances)
    if (i.scope == scope) return &i;
  return nullptr;
}

Result<GroupDefinition*> GroupEditor::State::need(std::string_view group) {
  if (GroupDefinition* d = find(group)) return d;
  std::string names;
  for (const GroupDefinition& d : definitions) names += (names.empty() ? "" : ", ") + d.name;
  return notFound("There is no group ", group, " in this document", names.empty() ? "" : "; it has ", names);
}

Result<GroupInstance*> GroupEditor::State::needInstance(std::string_view scope) {
  if (GroupInstance* i = at(scope)) return i;
  return notFound(scope, " is no instance of a group").atNode(std::string(scope));
}

void GroupEditor::State::readAgain() {
  names.reset();
  if (!inBody) definitions = groupsOf(editor().meta());
  instances = groupInstancesOf(editor().meta());
}

void GroupEditor::State::write() {
  if (!inBody) setGroups(editor().meta(), definitions);
  setGroupInstances(editor().meta(), instances);
  layers.refresh();
}

Result<Job> GroupEditor::State::jobFor(const GroupInstance& was, const GroupDefinition& old, GroupInstance record, const GroupDefinition& now,
                                       const RecipesByScope& layerAt, std::vector<GroupDefinition>* past) {
  Job job;
  job.scope = was.scope;
  std::map<std::string, std::string> valid = validValues(was, old);
  if (past) definitions.swap(*past);
  if (!variant(old, valid).ok()) {
    // A value that cannot be read, as of a changed file, must not keep the instance from being mended.
    std::erase_if(valid, [&](const auto& one) { return !variant(old, {one}).ok(); });
  }
  auto before = variant(old, valid);
  if (past) definitions.swap(*past);
  if (!before.ok()) return Error(before.error()).atNode(was.scope);
  job.before = std::move(*before);
  const std::vector<Output> bound = boundInputs(editor(), layerAt, was.scope, *job.before);
  job.inputs.resize(now.inputs.size());
  std::vector<Shape> shapes(now.inputs.size(), Shape::unknown());
  for (size_t p = 0; p < now.inputs.size(); ++p) {
    for (size_t k = 0; k < bound.size(); ++k)
      if (job.before->inputs[k] == now.inputs[p].name) job.inputs[p] = bound[k];
    if (job.inputs[p].valid()) shapes[p] = graph().shape(job.inputs[p]);
  }
  record.version = now.version;
  job.record = std::move(record);
  const auto built = [&](const std::vector<Shape>& known) {
    auto made = variant(now, job.record.overrides, known);
    return made.ok() ? made : Result<VariantPtr>(Error(made.error()).atNode(job.scope));
  };
  WEFT_LET(job.after, built({}));
  // Only layers depend on the shapes that they are built for.
  if (!job.after->layers.empty()) {
    WEFT_LET(job.after, built(shapes));
  }
  return job;
}

Status GroupEditor::State::stampAll(std::vector<Job>& jobs) {
  names.reset();
  WEFT_TRY(stamp(layers, jobs, instances, notes));
  readAgain();
  layers.refresh();
  return {};
}

Status GroupEditor::State::rebuild(GroupInstance record, const std::function<Status(const Variant&, std::vector<Output>&)>& change) {
  WEFT_LET(GroupDefinition* const d, need(record.group));
  const std::vector<Recipe> recipes = recipesOf(editor().meta());
  const GroupInstance was = *at(record.scope);
  WEFT_LET(Job job, jobFor(was, *d, std::move(record), *d, byScope(recipes)));
  if (change) {
    WEFT_TRY(change(*job.after, job.inputs));
    std::vector<Shape> shapes(d->inputs.size(), Shape::unknown());
    for (size_t p = 0; p < shapes.size(); ++p)
      if (job.inputs[p].valid()) shapes[p] = graph().shape(job.inputs[p]);
    if (!job.after->layers.empty()) {
      WEFT_LET(job.after, variant(*d, job.record.overrides, shapes));
    }
  }
  if (!matches(editor(), byScope(recipes), instances, followedIn(editor().meta()), was.scope, *job.before, nodesOf(graph(), {was.scope})[0]))
    notes.push_back("Edits inside of " + was.scope + " were replaced by the group's.");
  std::vector<Job> jobs{std::move(job)};
  return stampAll(jobs);
}

Result<LoadedGraph> GroupEditor::State::currentBody(const GroupDefinition& d, const std::vector<GroupDefinition>& before) {
  WEFT_LET(LoadedGraph body, groupBody(d));
  if (building.count(d.name) || valuesOfNames(d).empty()) return body;
  GraphEditor bodyEditor(body.meta, body.problems);
  LayerEditor bodyLayers(bodyEditor);
  GroupEditor bodyGroups(bodyLayers);
  bodyGroups.s_->enter(*this, d.name);
  bodyGroups.s_->definitions = before;
  // With values that it cannot take, the change may mend it.
  if (!finishBody(d, {}, bodyLayers, bodyGroups).ok()) return groupBody(d);
  return body;
}

Status GroupEditor::State::editBody(GroupDefinition& d, const std::function<Status(LayerEditor&, GroupEditor&)>& change,
                                    const std::vector<GroupDefinition>* before) {
  WEFT_LET(LoadedGraph body, currentBody(d, before ? *before : definitions));
  GraphEditor bodyEditor(body.meta, body.problems);
  LayerEditor bodyLayers(bodyEditor);
  GroupEditor bodyGroups(bodyLayers);
  if (building.count(d.name)) return failedPrecondition("The group ", d.name, " contains itself");
  bodyGroups.s_->enter(*this, d.name);
  WEFT_TRY(change(bodyLayers, bodyGroups));
  if (const Status done = finishBody(d, {}, bodyLayers, bodyGroups); !done.ok()) {
    Error error = done.error();
    error.message = concat("Within the group ", d.name, ": ", error.message);
    return error;
  }
  keepNames(d, body.meta);
  for (const std::string& note : bodyGroups.s_->notes) notes.push_back(concat("Within the group ", d.name, ": ", note));
  for (GroupPort& p : d.outputs) {
    const Node* n = body.meta.graph.find(concat(kOutputScope, p.name));
    if (!n) return dataLoss("The body of the group ", d.name, " has no output ", p.name);
    p.type = baseType(n->outputTypes[0]);
    p.shape = n->outputShapes[0];
  }
  WEFT_LET(d.body, serializeGraph(body.meta, GraphFormat::MetaBinary));
  ++d.version;
  return {};
}

Status GroupEditor::State::restamp(const std::set<std::string>& changed, const std::vector<GroupDefinition>& before, std::string_view except) {
  std::set<std::string> scopes;
  std::vector<const GroupInstance*> chosen;
  for (const GroupInstance& i : instances)
    if (changed.count(i.group) && i.scope != except) scopes.insert(i.scope);
  const auto within = [&](const std::string& scope) {
    for (std::string_view s = scopeOf(scope); !s.empty(); s = scopeOf(s))
      if (scopes.count(std::string(s)) || s == except) return true;
    return false;
  };
  std::vector<std::string> names;
  for (const GroupInstance& i : instances) {
    if (!scopes.count(i.scope) || within(i.scope)) continue;
    chosen.push_back(&i);
    names.push_back(i.scope);
  }
  const std::vector<Recipe> recipes = recipesOf(editor().meta());
  const RecipesByScope layerAt = byScope(recipes);
  const auto nodes = nodesOf(graph(), names);
  const FollowedIn follows = followedIn(editor().meta());
  std::vector<Job> jobs;
  std::vector<std::string> edited;
  std::set<std::string> empty;
  std::vector<GroupDefinition> past = before;
  for (size_t i = 0; i < chosen.size(); ++i) {
    if (nodes[i].empty()) {  // its nodes went another way
      empty.insert(names[i]);
      continue;
    }
    const GroupDefinition& now = *find(chosen[i]->group);
    const GroupDefinition* old = findIn(before, chosen[i]->group);
    GroupInstance record = *chosen[i];
    if (!record.overrides.empty() || !record.aside.empty()) WEFT_TRY(sortOverrides(now, record));
    WEFT_LET(Job job, jobFor(*chosen[i], old ? *old : now, std::move(record), now, layerAt, &past));
    if (!matches(editor(), layerAt, instances, follows, chosen[i]->scope, *job.before, nodes[i])) edited.push_back(chosen[i]->scope);
    jobs.push_back(std::move(job));
  }
  std::erase_if(instances, [&](const GroupInstance& i) { return empty.count(i.scope) > 0; });
  if (!edited.empty()) {
    std::string list;
    for (size_t i = 0; i < edited.size() && i < kMostNamed; ++i) list += (i ? ", " : "") + edited[i];
    if (edited.size() > kMostNamed) list += concat(" and ", edited.size() - kMostNamed, " more");
    notes.push_back("Edits inside of " + list + " were replaced by the group's.");
  }
  return stampAll(jobs);
}

Status GroupEditor::State::follow(std::set<std::string> changed, const std::vector<GroupDefinition>& before, std::string_view except) {
  forget();
  // Bodies that contain a changed group come after it.
  std::set<std::string> done;
  const std::function<Status(const std::string&)> visit = [&](const std::string& name) -> Status {
    if (!done.insert(name).second || !find(name)) return {};
    WEFT_LET(const std::set<std::string> inner, groupsIn(*find(name)));
    for (const std::string& n : inner) WEFT_TRY(visit(n));
    if (std::none_of(inner.begin(), inner.end(), [&](const std::string& n) { return changed.count(n) > 0; })) return {};
    GroupDefinition& d = *find(name);
    GroupDefinition now = d;
    WEFT_TRY(editBody(
        now, [&](LayerEditor&, GroupEditor& groups) -> Status { return groups.s_->restamp(changed, before, {}); }, &before));
    if (!changed.insert(name).second) now.version = d.version;  // one change
    d = std::move(now);
    return {};
  };
  std::vector<std::string> names;
  for (const GroupDefinition& d : definitions) names.push_back(d.name);
  for (const std::string& n : names) WEFT_TRY(visit(n));
  forget();
  write();
  return restamp(changed, before, except);
}

GroupEditor::GroupEditor(LayerEditor& layers) : s_(std::make_unique<State>(layers)) { s_->readAgain(); }
GroupEditor::~GroupEditor() = default;

const std::vector<GroupDefinition>& GroupEditor::definitions() const { return s_->definitions; }
const std::vector<GroupInstance>& GroupEditor::instances() const { return s_->instances; }
const GroupDefinition* GroupEditor::definition(std::string_view group) const { return s_->find(group); }
const GroupInstance* GroupEditor::instance(std::string_view scope) const { return s_->at(scope); }
const std::vector<std::string>& GroupEditor::notes() const { return s_->notes; }

const GroupInstance* GroupEditor::around(std::string_view name) const {
  for (std::string_view s = name; !s.empty(); s = scopeOf(s))
    if (const GroupInstance* i = s_->at(s)) return i;
  return nullptr;
}

Result<std::string> GroupEditor::insert(std::string_view group, std::string_view name, const TextAttrs& inputs, const TextAttrs& overrides) {
  s_->readAgain();
  WEFT_LET(GroupDefinition* const d, s_->need(group));
  Job job;
  job.scope = s_->editor().uniqueName(name.empty() ? group : name);
  if (!isValidNodeName(job.scope) || job.scope[0] == '_' || job.scope.ends_with('/') || job.scope.find("//") != job.scope.npos)
    return invalidArgument("'", job.scope, "' is not a valid node name: letters, digits and . _ - / are");
  job.record = {job.scope, d->name, d->version, {}, {}};
  for (const auto& [key, text] : overrides) {
    const GroupParameter* p = d->find(key);
    if (!p) return notFound("The group ", d->name, " has no parameter '", key, "'; expected ", parameterNames(*d));
    if (text != p->value) job.record.overrides[key] = text;
  }
  job.inputs.resize(d->inputs.size());
  std::vector<Shape> shapes(d->inputs.size(), Shape::unknown());
  for (const auto& [port, tensor] : inputs) {
    size_t at = 0;
    if (port.empty())
      while (at < job.inputs.size() && job.inputs[at].valid()) ++at;
    else
      while (at < d->inputs.size() && d->inputs[at].name != port) ++at;
    if (at >= d->inputs.size()) {
      std::string names;
      for (const GroupPort& p : d->inputs) names += (names.empty() ? "" : ", ") + p.name;
      return notFound("The group ", d->name, port.empty() ? " has no further input" : " has no input ", port, "; it has ", names.empty() ? "none" : names);
    }
    WEFT_LET(job.inputs[at], s_->editor().output(tensor));
    shapes[at] = s_->graph().shape(job.inputs[at]);
  }
  WEFT_LET(job.after, s_->variant(*d, job.record.overrides));
  if (!job.after->layers.empty()) {
    WEFT_LET(job.after, s_->variant(*d, job.record.overrides, shapes));
  }
  const std::string scope = job.scope;
  std::vector<Job> jobs{std::move(job)};
  WEFT_TRY(s_->stampAll(jobs));
  return scope;
}

Status GroupEditor::connect(std::string_view scope, std::string_view port, const std::string& tensor) {
  s_->readAgain();
  WEFT_LET(GroupInstance* const i, s_->needInstance(scope));
  Output source;
  if (!tensor.empty()) {
    WEFT_LET(source, s_->editor().output(tensor));
    if (inside(s_->graph().node(source.node)->name, i->scope)) return invalidArgument(i->scope, " cannot be its own input").atNode(i->scope);
  }
  const std::string wanted(port), where = i->scope;
  return s_->rebuild(*i, [&](const Variant& v, std::vector<Output>& inputs) -> Status {
    size_t number = 0;
    const auto [end, problem] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
    const bool numbered = !wanted.empty() && problem == std::errc() && end == wanted.data() + wanted.size();
    std::string names;
    size_t at = numbered ? number : inputs.size();
    for (size_t p = 0; p < v.inputs.size(); ++p) {
      names += (p ? ", " : "") + v.inputs[p];
      if (!numbered && at == inputs.size() && (wanted.empty() ? inputs[p].valid() == tensor.empty() : v.inputs[p] == wanted)) at = p;
    }
    if (wanted.empty() && at == inputs.size() && inputs.size() == 1) at = 0;
    if (at >= inputs.size())
      return wanted.empty() ? failedPrecondition("All inputs of ", where, " are connected; say which one to change: ", names).atNode(where)
                            : notFound(where, " has no input ", wanted, "; it has ", names.empty() ? "none" : names).atNode(where);
    if (tensor.empty() && !inputs[at].valid()) return failedPrecondition("Input ", v.inputs[at], " of ", where, " is not connected").atNode(where);
    inputs[at] = source;
    return {};
  });
}

Result<GroupWires> GroupEditor::wires(std::string_view scope) {
  WEFT_LET(const GroupInstance* const i, s_->needInstance(scope));
  WEFT_LET(const GroupDefinition* const d, s_->need(i->group));
  WEFT_LET(const VariantPtr v, s_->variant(*d, State::validValues(*i, *d)));
  const std::vector<Recipe> recipes = recipesOf(s_->editor().meta());
  const RecipesByScope layerAt = byScope(recipes);
  GroupWires out;
  for (const Output o : boundInputs(s_->editor(), layerAt, i->scope, *v)) out.inputs.push_back(o.valid() ? s_->graph().tensorName(o) : std::string());
  for (const Output o : boundOutputs(s_->graph(), layerAt, i->scope, *v)) out.outputs.push_back(o.valid() ? s_->graph().tensorName(o) : std::string());
  return out;
}

Status GroupEditor::setParameter(std::string_view scope, const std::string& name, const std::string& text) {
  s_->readAgain();
  WEFT_LET(GroupInstance* const i, s_->needInstance(scope));
  WEFT_LET(GroupDefinition* const d, s_->need(i->group));
  const GroupParameter* p = d->find(name);
  if (!p) return notFound("The group ", d->name, " has no parameter '", name, "'; expected ", parameterNames(*d)).atNode(i->scope);
  GroupInstance record = *i;
  record.aside.erase(name);
  if (text == p->value) record.overrides.erase(name);
  else record.overrides[name] = text;
  const Status built = s_->rebuild(std::move(record));
  if (!built.ok()) return Error(built.error()).atNode(std::string(scope));
  return {};
}

Status GroupEditor::reset(std::string_view scope, const std::string& name) {
  s_->readAgain();
  WEFT_LET(GroupInstance* const i, s_->needInstance(scope));
  GroupInstance record = *i;
  if (name.empty()) {
    record.overrides.clear();
    record.aside.clear();
  } else if (record.overrides.erase(name) + record.aside.erase(name) == 0) {
    return notFound(i->scope, " has no value of its own for ", name).atNode(i->scope);
  }
  return s_->rebuild(std::move(record));
}

Status GroupEditor::restore(std::string_view scope) {
  s_->readAgain();
  WEFT_LET(GroupInstance* const i, s_->needInstance(scope));
  return s_->rebuild(*i);
}

Result<bool> GroupEditor::differs(std::string_view scope) {
  WEFT_LET(const GroupInstance* const i, s_->needInstance(scope));
  WEFT_LET(const GroupDefinition* const d, s_->need(i->group));
  WEFT_LET(const VariantPtr v, s_->variant(*d, State::validValues(*i, *d)));
  const std::vector<Recipe> recipes = recipesOf(s_->editor().meta());
  return !matches(s_->editor(), byScope(recipes), s_->instances, followedIn(s_->editor().meta()), i->scope, *v, nodesOf(s_->graph(), {i->scope})[0]);
}

Status GroupEditor::detach(std::string_view scope) {
  s_->readAgain();
  WEFT_TRY(s_->needInstance(scope).status());
  s_->releaseWithin(scope);
  std::erase_if(s_->instances, [&](const GroupInstance& i) { return i.scope == scope; });
  s_->write();
  return {};
}

}  // namespace weft
