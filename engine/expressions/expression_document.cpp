// Names and expressions in a document's format, and their changes.
#include <algorithm>

#include "expressions/expression_scope.h"
#include "expressions/fields.h"
#include "expressions/words.h"
#include "proto/document_messages.h"
#include "proto/weft_document.pb.h"

namespace weft {

using namespace expressions;

namespace {

constexpr const char* kNames = "weft/names";
constexpr const char* kExpressions = "weft/expressions";

std::string joined(const document::FieldName& f) { return f.owner().empty() ? f.parameter() : f.owner() + "." + f.parameter(); }

void split(const std::string& field, document::FieldName* to) {
  const size_t dot = field.rfind('.');
  if (dot != field.npos) to->set_owner(field.substr(0, dot));
  to->set_parameter(dot == field.npos ? field : field.substr(dot + 1));
}

std::string readText(const document::ExpressionText& m) {
  std::string out;
  for (int i = 0; i < m.text_size(); ++i) {
    out += m.text(i);
    if (i < m.reference_size()) out += fieldInExpression(joined(m.reference(i)));
  }
  return out;
}

void writeText(const std::string& text, document::ExpressionText* to) {
  const auto parsed = Expression::parse(text);
  size_t from = 0;
  if (parsed.ok())
    for (const Expression::Use& use : parsed->uses()) {
      const std::string& name = parsed->references()[size_t(use.reference)];
      const size_t dot = name.rfind('.');
      if (dot == name.npos || dot == 0) continue;
      to->add_text(text.substr(from, use.begin - from));
      split(name, to->add_reference());
      from = use.begin + use.length;
    }
  to->add_text(text.substr(from));
}

Result<Expression> parsedFor(const std::string& what, const std::string& expression) {
  auto parsed = Expression::parse(expression);
  if (!parsed.ok()) {
    Error error = parsed.error();
    error.message = concat(what, " = ", expression, ": ", error.message);
    return error;
  }
  return parsed;
}

NamedValue* findName(std::vector<NamedValue>& names, std::string_view name) {
  const auto at = std::find_if(names.begin(), names.end(), [&](const NamedValue& n) { return n.name == name; });
  return at == names.end() ? nullptr : &*at;
}

Status checkNewName(const MetaGraph& meta, const std::string& name) {
  if (!isIdentifier(name)) return invalidArgument("'", name, "' cannot be a name: expected a letter or _, then letters, digits and _");
  if (isReserved(name)) return invalidArgument("'", name, "' cannot be a name: it is a word of expressions");
  // Also those that the document has not yet.
  const std::vector<ExpressionScope::Field> fields = trainingFields(meta);
  if (isSettingName(name) || std::any_of(fields.begin(), fields.end(), [&](const ExpressionScope::Field& f) { return f.name == name; }))
    return alreadyExists("'", name, "' is a training setting, which expressions can use as it is: choose another name");
  return {};
}

bool refersTo(const std::string& expression, const std::string& name) {
  const auto parsed = Expression::parse(expression);
  return parsed.ok() && std::count(parsed->references().begin(), parsed->references().end(), name) > 0;
}

Error hiddenBy(const std::string& field, const std::string& from, const std::string& to, const std::string& group) {
  return failedPrecondition(field, " uses ", from, ", and the group ", group, " has a parameter ", to, ", which would come first there: choose another name");
}

/// The document's name in the expressions of a group's body. False: it does not occur there. `all`: the groups of the document.
Result<bool> renameInBody(GroupDefinition& d, const std::vector<GroupDefinition>& all, const std::string& from, const std::string& to) {
  if (d.body.find(from) == std::string::npos) return false;
  WEFT_LET(LoadedGraph body, groupBody(d));
  std::vector<FollowedField> fields = followedFieldsOf(body.meta);
  const std::vector<GroupInstance> inner = groupInstancesOf(body.meta);
  bool any = false;
  for (FollowedField& f : fields) {
    const auto parsed = Expression::parse(f.expression);
    if (!parsed.ok() || !std::count(parsed->references().begin(), parsed->references().end(), from)) continue;
    const GroupInstance* around = groups::instanceAround(inner, f.field);
    if (around ? groups::isOwnParameter(inner, all, f.field, from) : d.find(from) != nullptr) continue;
    if (around ? groups::isOwnParameter(inner, all, f.field, to) : d.find(to) != nullptr)
      return hiddenBy(concat(f.field, " of the group ", d.name), from, to, around ? around->group : d.name);
    f.expression = parsed->renamed([&](const std::string& name) { return name == from ? to : name; });
    any = true;
  }
  if (!any) return false;
  std::vector<NamedValue> names = namedValuesOf(body.meta);
  for (NamedValue& n : names)
    if (n.name == from) n.name = to;
  setNamedValues(body.meta, names);
  setFollowedFields(body.meta, fields);
  WEFT_LET(d.body, serializeGraph(body.meta, GraphFormat::MetaBinary));
  return true;
}

}  // namespace

bool hasExpressions(const MetaGraph& meta) { return meta.collections.count(kNames) > 0 || meta.collections.count(kExpressions) > 0; }

std::vector<NamedValue> namedValuesOf(const MetaGraph& meta) {
  std::vector<NamedValue> out;
  document::readMessages<document::NamedValue>(meta, kNames, [&](const document::NamedValue& m) {
    out.push_back({m.id(), readText(m.expression()), m.notes(), m.has_result() ? std::optional(m.result()) : std::nullopt, m.changed()});
  });
  return out;
}

std::vector<FollowedField> followedFieldsOf(const MetaGraph& meta) {
  std::vector<FollowedField> out;
  document::readMessages<document::FollowedField>(meta, kExpressions, [&](const document::FollowedField& m) {
    out.push_back({joined(m.field()), readText(m.expression()), m.has_result() ? std::optional(m.result()) : std::nullopt, m.changed()});
  });
  return out;
}

void setNamedValues(MetaGraph& meta, const std::vector<NamedValue>& names) {
  std::vector<std::string> anys;
  for (const NamedValue& n : names) {
    document::NamedValue m;
    m.set_id(n.name);
    writeText(n.expression, m.mutable_expression());
    m.set_notes(n.doc);
    if (n.result) m.set_result(*n.result);
    if (n.changed) m.set_changed(true);
    anys.push_back(document::packed(m));
  }
  document::writeMessages(meta, kNames, std::move(anys));
}

void setFollowedFields(MetaGraph& meta, const std::vector<FollowedField>& fields) {
  std::vector<std::string> anys;
  for (const FollowedField& f : fields) {
    document::FollowedField m;
    split(f.field, m.mutable_field());
    writeText(f.expression, m.mutable_expression());
    if (f.result) m.set_result(*f.result);
    if (f.changed) m.set_changed(true);
    anys.push_back(document::packed(m));
  }
  document::writeMessages(meta, kExpressions, std::move(anys));
}

Status setNamedValue(MetaGraph& meta, const std::string& name, const std::string& expression) {
  std::vector<NamedValue> names = namedValuesOf(meta);
  NamedValue* known = findName(names, name);
  if (!known) WEFT_TRY(checkNewName(meta, name));
  WEFT_TRY(parsedFor(name, expression));
  if (!known) known = &names.emplace_back(NamedValue{name, {}, {}, {}});
  known->expression = expression;
  known->result.reset();
  known->changed = true;
  setNamedValues(meta, names);
  return {};
}

Status setNamedValueDoc(MetaGraph& meta, const std::string& name, const std::string& doc) {
  std::vector<NamedValue> names = namedValuesOf(meta);
  NamedValue* known = findName(names, name);
  if (!known) return unknownName(name, names);
  known->doc = doc;
  setNamedValues(meta, names);
  return {};
}

Status renameNamedValue(MetaGraph& meta, const std::string& from, const std::string& to) {
  std::vector<NamedValue> names = namedValuesOf(meta);
  NamedValue* known = findName(names, from);
  if (!known) return unknownName(from, names);
  if (from == to) return {};
  if (findName(names, to)) return alreadyExists("There is a name ", to, " already");
  WEFT_TRY(checkNewName(meta, to));
  known->name = to;
  const auto follow = [&](std::string& expression) {
    if (const auto parsed = Expression::parse(expression); parsed.ok())
      expression = parsed->renamed([&](const std::string& name) { return name == from ? to : name; });
  };
  for (NamedValue& n : names) follow(n.expression);
  std::vector<FollowedField> fields = followedFieldsOf(meta);
  {
    // Within an instance, a parameter of that name comes first.
    const ExpressionScope::State state(meta);
    for (FollowedField& f : fields) {
      if (state.resolved(from, f.field) != from || !refersTo(f.expression, from)) continue;
      if (state.resolved(to, f.field) != to) return hiddenBy(f.field, from, to, state.instanceAround(f.field)->group);
      follow(f.expression);
    }
  }
  setNamedValues(meta, names);
  setFollowedFields(meta, fields);
  std::vector<GroupDefinition> groups = groupsOf(meta);
  const std::vector<GroupDefinition> all = groups;
  bool any = false;
  for (GroupDefinition& d : groups) {
    WEFT_LET(const bool changed, renameInBody(d, all, from, to));
    any = any || changed;
  }
  if (any) setGroups(meta, groups);
  return {};
}

Status removeNamedValue(MetaGraph& meta, const std::string& name) {
  std::vector<NamedValue> names = namedValuesOf(meta);
  if (!findName(names, name)) return unknownName(name, names);
  std::string users;
  const auto look = [&](const std::string& user, const std::string& expression) {
    const auto parsed = Expression::parse(expression);
    if (parsed.ok() && std::count(parsed->references().begin(), parsed->references().end(), name)) users += (users.empty() ? "" : ", ") + user;
  };
  for (const NamedValue& n : names)
    if (n.name != name) look(n.name, n.expression);
  const ExpressionScope::State state(meta);
  for (const FollowedField& f : state.fields)
    if (state.resolved(name, f.field) == name) look(f.field, f.expression);
  const std::vector<GroupDefinition> all = groupsOf(meta);
  for (const GroupDefinition& d : all) {
    if (d.body.find(name) == d.body.npos) continue;
    WEFT_LET(const LoadedGraph body, groupBody(d));
    const std::vector<GroupInstance> inner = groupInstancesOf(body.meta);
    for (const FollowedField& f : followedFieldsOf(body.meta))
      if (groups::instanceAround(inner, f.field) ? !groups::isOwnParameter(inner, all, f.field, name) : !d.find(name))
        look(concat(f.field, " of the group ", d.name), f.expression);
  }
  if (!users.empty()) return failedPrecondition(name, " is used by ", users, ": change those first");
  std::erase_if(names, [&](const NamedValue& n) { return n.name == name; });
  setNamedValues(meta, names);
  return {};
}

Status setFieldExpression(MetaGraph& meta, const std::string& field, const std::string& expression) {
  WEFT_LET(const ExpressionScope::Field found, ExpressionScope(meta).field(field));
  WEFT_TRY(parsedFor(found.name, expression));
  std::vector<FollowedField> fields = followedFieldsOf(meta);
  const auto at = std::find_if(fields.begin(), fields.end(), [&](const FollowedField& f) { return f.field == found.name; });
  if (at == fields.end()) {
    fields.push_back({found.name, expression, {}, true});
  } else {
    at->expression = expression;
    at->result.reset();
    at->changed = true;
  }
  setFollowedFields(meta, fields);
  return {};
}

bool releaseField(MetaGraph& meta, const std::string& field) {
  std::vector<FollowedField> fields = followedFieldsOf(meta);
  if (fields.empty()) return false;
  std::string name = field;
  if (const auto found = ExpressionScope(meta).field(field); found.ok()) name = found->name;
  const size_t before = fields.size();
  std::erase_if(fields, [&](const FollowedField& f) { return f.field == name; });
  if (fields.size() == before) return false;
  setFollowedFields(meta, fields);
  return true;
}

}  // namespace weft
