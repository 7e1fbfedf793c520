// The values that expressions of a document see.
#include "expressions/expression_scope.h"

#include <algorithm>
#include <set>

#include "api/recipe_parts.h"
#include "base/nearest_name.h"
#include "expressions/fields.h"
#include "expressions/words.h"
#include "graph/edit_internal.h"

namespace weft {

using namespace expressions;

namespace {

const std::set<std::string_view> kNumeric = {"int", "float", "shape", "ints", "floats", "list(int)", "list(float)", "tensor", "bool"};

}  // namespace

ExpressionScope::State::State(const MetaGraph& m, const GroupEditor* groups)
    : meta(m), layers(recipesOf(m)), instances(groupInstancesOf(m)), names(namedValuesOf(m)), fields(followedFieldsOf(m)) {
  if (!instances.empty()) definitions = groups ? groups->definitions() : groupsOf(m);
  for (size_t i = 0; i < instances.size(); ++i) instanceAt.emplace(instances[i].scope, i);
  waits = m.collections.count(recipes::kSettingsBefore) > 0;
}

const std::vector<ExpressionScope::Field>& ExpressionScope::State::training() const {
  if (!trainingRead) trainingKept = trainingFields(meta);
  trainingRead = true;
  return trainingKept;
}

Result<ExpressionScope::Field> ExpressionScope::State::field(std::string_view name) const {
  if (name.find('.') == name.npos) {
    for (const Field& f : training())
      if (f.name == name || (name == "lr" && f.name == "learning_rate")) return f;
    std::vector<std::string> all;
    for (const Field& f : training()) all.push_back(f.name);
    const std::string near = nearestName(name, all);
    return notFound("there is no field ", name, near.empty() ? ", expected LAYER.PARAMETER, NODE.ATTRIBUTE or a training setting" : "; did you mean ", near,
                    near.empty() ? "" : "?");
  }
  WEFT_LET(groups::Place place, groups::placeOf({meta.graph, layers, instances, definitions}, name));
  return Field{place.name + "." + place.attribute, std::move(place.type), std::move(place.value), std::move(place.doc)};
}

const NamedValue* ExpressionScope::State::named(std::string_view name) const {
  for (const NamedValue& n : names)
    if (n.name == name) return &n;
  return nullptr;
}

const GroupInstance* ExpressionScope::State::instanceAround(std::string_view field) const {
  if (instanceAt.empty()) return nullptr;
  const size_t dot = field.rfind('.');
  for (std::string_view s = scopeOf(field.substr(0, dot == field.npos ? 0 : dot)); !s.empty(); s = scopeOf(s))
    if (const auto at = instanceAt.find(std::string(s)); at != instanceAt.end()) return &instances[at->second];
  return nullptr;
}

const GroupDefinition* ExpressionScope::State::definitionOf(const GroupInstance& instance) const {
  for (const GroupDefinition& d : definitions)
    if (d.name == instance.group) return &d;
  return nullptr;
}

std::string ExpressionScope::State::resolved(const std::string& reference, std::string_view field) const {
  if (reference.find('.') != reference.npos) return reference;
  const GroupInstance* around = instanceAround(field);
  const GroupDefinition* d = around ? definitionOf(*around) : nullptr;
  if (d && d->find(reference)) return fieldReference(around->scope + "." + reference);
  // Parameters of a group are no names for the instances inside of it.
  std::string ofDocument = groups::kHidden + reference;
  return around && named(ofDocument) ? ofDocument : reference;
}

const FollowedField* ExpressionScope::State::followed(const std::string& field) {
  if (fieldAt.empty())
    for (size_t i = 0; i < fields.size(); ++i) fieldAt[fields[i].field] = i;
  const auto at = fieldAt.find(field);
  return at == fieldAt.end() ? nullptr : &fields[at->second];
}

void ExpressionScope::State::forget() {
  sources.clear();
  fieldAt.clear();
}

Error ExpressionScope::State::unknown(const std::string& reference, std::string_view of) const {
  if (reference.find('.') != reference.npos) return field(reference).error();
  std::vector<std::string> all;
  if (const GroupInstance* around = instanceAround(of))
    if (const GroupDefinition* d = definitionOf(*around))
      for (const GroupParameter& p : d->parameters) all.push_back(p.name);
  for (const NamedValue& n : names) all.push_back(n.name);
  for (const Field& f : training()) all.push_back(f.name);
  std::string near = nearestName(reference, all);
  for (const Recipe& r : layers)
    if (near.empty() && r.scope.starts_with(reference + "/"))
      return notFound("there is no name ", reference, "; a field of a layer in a scope stands in braces: {", r.scope, ".…}");
  return notFound("there is no name ", reference, near.empty() ? "" : "; did you mean ", near, near.empty() ? "" : "?");
}

bool ExpressionScope::State::exists(const std::string& reference) const { return named(reference) || field(reference).ok(); }

bool ExpressionScope::State::awaited(const std::string& reference) const { return waits && reference.find('.') == reference.npos && !exists(reference); }

void ExpressionScope::State::keepResult(Source& s, std::string why) const {
  if (!s.result) s.value = Error(failedPrecondition(s.what, ": ", why).ofKind("expression"));
  else s.value = s.field ? fieldValue(s.field->type, *s.result) : ExpressionValue::fromText(*s.result);
  s.kept = std::move(why);
}

ExpressionScope::State::Source& ExpressionScope::State::sourceOf(const std::string& reference) {
  const auto known = sources.find(reference);
  if (known != sources.end()) return known->second;
  Source s;
  s.key = reference;
  const std::string* expression = nullptr;
  const bool ofField = reference.starts_with('}');
  const auto take = [&](const auto& stored) {
    s.result = stored.result;
    s.changed = stored.changed;
    expression = &stored.expression;
  };
  const std::string plain = ofField ? reference.substr(1) : reference;
  if (const NamedValue* n = ofField ? nullptr : named(reference)) {
    s.what = n->name;
    take(*n);
  } else if (auto f = field(plain); f.ok()) {
    s.field = std::move(*f);
    s.key = s.what = s.field->name;
    if (const FollowedField* own = followed(s.key)) take(*own);
    s.key = fieldReference(s.key);
    if (!expression) {
      if (s.field->value.empty()) s.value = Error(failedPrecondition(s.what, " has no value that an expression could use"));
      else s.value = fieldValue(s.field->type, s.field->value);
    }
  } else {
    s.value = ofField ? field(plain).error() : unknown(plain, {});
  }
  if (expression) {
    s.what += " = " + *expression;
    auto parsed = Expression::parse(*expression);
    if (parsed.ok()) s.expression = std::move(*parsed);
    else s.value = Error(parsed.error());
    // Edits store no text that is no expression: it was in the file.
    if (!parsed.ok() && keepsBroken) keepResult(s, parsed.error().message);
    const std::string of = s.field ? s.field->name : std::string();
    if (s.expression)
      for (const std::string& r : s.expression->references()) {
        s.needs.push_back(resolved(r, of));
        // Here the group is known in which the reference stands.
        if (s.needs.back() == r && r.find('.') == r.npos && !exists(r) && !awaited(r))
          sources.try_emplace(r, Source{r, r, {}, {}, {}, {}, {}, Error(unknown(r, of)), false});
      }
    const auto missing = [&](const std::string& r) { return awaited(r); };
    if (s.expression && s.result && std::any_of(s.expression->references().begin(), s.expression->references().end(), missing)) keepResult(s, {});
  }
  return sources.emplace(reference, std::move(s)).first->second;
}

Result<ExpressionValue> ExpressionScope::State::valueOf(const std::string& reference) {
  // Depth first, with a stack of our own: names may be a long chain.
  struct Step {
    std::string reference;
    size_t next = 0;
  };
  std::vector<Step> path{{reference, 0}};
  std::set<std::string> onPath;
  while (!path.empty()) {
    Step& at = path.back();
    Source& s = sourceOf(at.reference);
    if (at.next == 0 && !s.value) onPath.insert(s.key);
    if (!s.value && at.next < s.needs.size()) {
      const std::string next = s.needs[at.next++];
      const Source& other = sourceOf(next);
      if (onPath.count(other.key) && !other.value) {
        const auto shown = [](const Source& one) { return one.field ? one.field->name : one.key; };
        std::string circle = shown(other);
        size_t from = path.size();
        while (from > 0 && sourceOf(path[--from].reference).key != other.key) {
        }
        bool stored = keepsBroken;
        for (size_t i = from; i < path.size(); ++i) {
          const Source& one = sourceOf(path[i].reference);
          if (i > from) circle += " → " + shown(one);
          stored = stored && !one.changed;
        }
        circle += " → " + shown(other);
        // An edit that made the circle changed one of its expressions.
        for (size_t i = from; stored && i < path.size(); ++i) keepResult(sourceOf(path[i].reference), "a circle: " + circle);
        if (!stored) s.value = failedPrecondition(s.what, ": a circle: ", circle).ofKind("expression");
      } else if (!other.value) {
        path.push_back({next, 0});
        continue;
      }
      continue;
    }
    if (!s.value) {
      s.value = compute(s);
      // What reads a circle cannot be computed either.
      if (!s.value->ok() && keepsBroken && !s.changed && readsBroken(s)) keepResult(s, s.value->error().message);
    }
    onPath.erase(s.key);
    path.pop_back();
  }
  return *sourceOf(reference).value;
}

bool ExpressionScope::State::readsBroken(const Source& s) {
  return std::any_of(s.needs.begin(), s.needs.end(), [&](const std::string& need) {
    const Source& other = sourceOf(need);
    return other.kept && !other.value->ok();
  });
}

Result<ExpressionValue> ExpressionScope::State::compute(const Source& s) {
  const std::vector<std::string>& references = s.expression->references();
  auto value = s.expression->evaluate([&](const std::string& name) {
    const size_t at = size_t(std::find(references.begin(), references.end(), name) - references.begin());
    return *sourceOf(s.needs[at]).value;
  });
  if (!value.ok()) {
    // What a name that it uses says of itself is enough.
    Error error = value.error();
    if (error.kind != "expression") error.message = concat(s.what, ": ", error.message);
    return error.ofKind("expression");
  }
  if (!s.field) return value;
  WEFT_LET(const std::string text, textFor(s, *value));
  return fieldValue(s.field->type, text);
}

Result<std::string> ExpressionScope::State::textFor(const Source& s, const ExpressionValue& value) const {
  auto text = textForType(s.field->type, value);
  if (text.ok()) return text;
  Error error = text.error();
  error.message = concat(s.what, " ", error.message);
  const size_t dot = s.field->name.rfind('.');
  if (dot != std::string::npos) error.atNode(s.field->name.substr(0, dot));
  return error.ofKind("expression");
}

ExpressionScope::ExpressionScope(const MetaGraph& meta) : s_(std::make_unique<State>(meta)) {}
ExpressionScope::~ExpressionScope() = default;
ExpressionScope::ExpressionScope(ExpressionScope&&) noexcept = default;

Result<ExpressionScope::Field> ExpressionScope::field(std::string_view name) const { return s_->field(name); }

std::vector<std::pair<std::string, Result<ExpressionValue>>> ExpressionScope::names() const {
  std::vector<std::pair<std::string, Result<ExpressionValue>>> out;
  for (const NamedValue& n : s_->names) out.emplace_back(n.name, s_->valueOf(n.name));
  return out;
}

Result<ExpressionValue> ExpressionScope::name(const std::string& name) const {
  if (!s_->named(name)) return notFound("there is no name ", name);
  return s_->valueOf(name);
}

Result<std::string> ExpressionScope::valueFor(const std::string& field, const std::string& expression) const {
  WEFT_LET(const Field found, s_->field(field));
  State trial(*s_);
  std::erase_if(trial.fields, [&](const FollowedField& f) { return f.field == found.name; });
  trial.fields.push_back({found.name, expression, {}, true});
  trial.forget();
  WEFT_LET(const ExpressionValue value, trial.valueOf(trial.fieldReference(found.name)));
  return textForType(found.type, value);
}

Result<ExpressionValue> ExpressionScope::valueOf(const std::string& name, const std::string& expression) const {
  State trial(*s_);
  std::erase_if(trial.names, [&](const NamedValue& n) { return n.name == name; });
  trial.names.push_back({name, expression, {}, {}, true});
  trial.forget();
  return trial.valueOf(name);
}

std::vector<std::string> ExpressionScope::words() const {
  std::vector<std::string> out;
  for (const NamedValue& n : s_->names) out.push_back(n.name);
  for (const GroupDefinition& d : s_->definitions)
    for (const GroupParameter& p : d.parameters)
      if (isIdentifier(p.name) && !std::count(out.begin(), out.end(), p.name)) out.push_back(p.name);
  for (const Field& f : s_->training()) out.push_back(f.name);
  for (const std::string& f : fields())
    if (f.find('.') != f.npos) out.push_back(fieldInExpression(f));
  for (const auto& [name, usage] : expressionFunctions()) out.push_back(name + "(");
  return out;
}

std::vector<std::string> ExpressionScope::fields() const {
  std::vector<std::string> out;
  for (const Field& f : s_->training()) out.push_back(f.name);
  for (const Recipe& r : s_->layers) {
    const ApiRecord* record = r.trains() ? nullptr : ApiRegistry::instance().findLayer(r.kind);
    if (!record) continue;
    for (const ApiParameter& p : record->parameters)
      if (kNumeric.count(p.type) && p.type != "tensor") out.push_back(r.scope + "." + p.name);
  }
  for (const GroupInstance& i : s_->instances)
    for (const GroupDefinition& d : s_->definitions)
      if (d.name == i.group)
        for (const GroupParameter& p : d.parameters)
          if (kNumeric.count(p.type)) out.push_back(i.scope + "." + p.name);
  return out;
}

}  // namespace weft
