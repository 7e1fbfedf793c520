// The end of an edit: everything that follows an expression is set.
#include <algorithm>
#include <map>
#include <set>

#include "expressions/expression_scope.h"
#include "expressions/fields.h"
#include "train/parameter_changes.h"

namespace weft {

using namespace expressions;

namespace {

constexpr const char *kProblem = "expression", *kCircle = "a circle: ";

/// A field that is to be set.
struct FieldChange {
  std::string field, expression, text, type;
};

Status wrapped(Status status, const FieldChange& c) {
  if (status.ok()) return status;
  Error error = status.error();
  error.message = concat(c.field, " = ", c.expression, ": ", error.message);
  return error;
}

/// Drops fields that are gone or were edited since, and those whose expression uses something that is gone; names of the latter kind keep their value.
bool dropStale(ExpressionScope::State& state, std::vector<std::string>* notes) {
  const auto note = [&](const auto&... parts) {
    if (notes) notes->push_back(concat(parts...));
  };
  const auto missing = [&](const std::string& expression, const std::string& field) {
    const auto parsed = Expression::parse(expression);
    if (!parsed.ok()) return std::string();
    for (const std::string& r : parsed->references())
      if (state.resolved(r, field) == r && !state.exists(r) && !state.awaited(r)) return r;
    return std::string();
  };
  const size_t before = state.fields.size();
  bool changed = false;
  std::erase_if(state.fields, [&](const FollowedField& f) {
    const auto now = state.field(f.field);
    // Settings of a training that waits until the network is whole come back.
    if (!now.ok()) return f.field.find('.') != std::string::npos;
    if (!f.result) return false;
    if (now->value != *f.result) {
      note(f.field, " no longer follows ", f.expression, ": it was set to ", now->value, ".");
      return true;
    }
    const std::string gone = missing(f.expression, f.field);
    if (!gone.empty()) note(f.field, " keeps its value ", *f.result, ": ", gone, ", which it followed, is gone.");
    return !gone.empty();
  });
  for (NamedValue& n : state.names) {
    const std::string gone = n.result ? missing(n.expression, {}) : std::string();
    if (gone.empty()) continue;
    note(n.name, " keeps its value ", *n.result, ": ", gone, ", which it followed, is gone.");
    n.expression = ExpressionValue::fromText(*n.result).toExpression();
    changed = true;
  }
  return changed || state.fields.size() != before;
}

/// Sets fields of one kind after another: layers in one step, since one of them alone may not fit its neighbours.
Status setFields(LayerEditor& layers, GroupEditor* groups, const std::vector<FieldChange>& changes, TextAttrs* later) {
  std::vector<LayerEditor::Setting> ofLayers;
  std::map<std::string, const FieldChange*> layerAt;
  std::optional<GroupEditor> own;
  for (const FieldChange& c : changes) {
    const size_t dot = c.field.rfind('.');
    if (dot == std::string::npos) {
      WEFT_TRY(wrapped(setParameter(layers, c.field, c.text, later), c));
      continue;
    }
    const std::string owner = c.field.substr(0, dot), name = c.field.substr(dot + 1);
    const Node* node = layers.editor().graph().find(owner);
    if (!groupInstanceAt(layers.editor().meta(), owner)) {
      if (!node) {
        ofLayers.push_back({owner, name, c.text});
        layerAt.emplace(owner, &c);
      } else {
        WEFT_TRY(wrapped(layers.editor().setAttr(node->id, name, c.text), c));
      }
      continue;
    }
    if (!groups) groups = &own.emplace(layers);
    WEFT_TRY(wrapped(groups->setParameter(owner, name, c.text), c));
  }
  if (ofLayers.empty()) return {};
  layers.refresh();
  const Status set = layers.setParameters(ofLayers);
  if (set.ok()) return set;
  // The error names the layer, and its parameter unless the layer as a whole cannot be built.
  const std::string& node = set.error().node;
  for (const FieldChange& c : changes)
    if (c.field.starts_with(node + ".") && set.error().message.find(c.field.substr(node.size() + 1)) != std::string::npos) return wrapped(set, c);
  const auto at = layerAt.find(node);
  return at == layerAt.end() ? set : wrapped(set, *at->second);
}

/// Names and fields with their results, and the fields that are to be set.
struct Computed {
  std::vector<NamedValue> names;
  std::vector<FollowedField> fields;
  std::vector<FieldChange> changes;
  std::vector<Error> problems;  ///< Of the stored expressions that stay as they are.
};

/// Adds why a stored expression stays as it is; a circle is one problem, whatever number of expressions it has.
void addProblem(const ExpressionScope::State::Source& s, std::vector<Error>* problems) {
  const bool circle = s.kept->starts_with(kCircle);
  Error problem = failedPrecondition(circle ? concat("Expressions form ", *s.kept, "; they keep their last values until one of them is changed")
                                            : concat(s.what, " cannot be computed: ", *s.kept));
  if (std::any_of(problems->begin(), problems->end(), [&](const Error& e) { return e.message == problem.message; })) return;
  if (s.field)
    if (const size_t dot = s.field->name.rfind('.'); dot != std::string::npos) problem.atNode(s.field->name.substr(0, dot));
  problems->push_back(problem.ofKind("expression"));
}

Status compute(const MetaGraph& meta, const GroupEditor* groups, bool first, std::vector<std::string>* notes, Computed* out) {
  ExpressionScope::State state(meta, groups);
  state.keepsBroken = true;
  if (dropStale(state, notes)) state.forget();
  // Whether it stays as it is.
  const auto kept = [&](const ExpressionScope::State::Source& s) {
    if (!s.kept) return false;
    if (!s.kept->empty()) addProblem(s, &out->problems);
    if (first && notes && !s.kept->empty()) notes->push_back(concat(s.what, s.result ? " keeps its value " + *s.result : " has no value", ": ", *s.kept));
    return true;
  };
  for (NamedValue& n : state.names) {
    const auto value = state.valueOf(n.name);
    if (kept(state.sourceOf(n.name))) continue;
    if (!value.ok()) return value.error();
    n.result = value->toString();
    n.changed = false;
  }
  for (FollowedField& f : state.fields) {
    if (f.result && !state.field(f.field).ok()) continue;
    const std::string reference = state.fieldReference(f.field);
    const auto value = state.valueOf(reference);
    const ExpressionScope::State::Source& source = state.sourceOf(reference);
    if (kept(source)) continue;
    if (!value.ok()) return value.error();
    if (!source.field) return internalError(f.field, " is no field");
    f.changed = false;
    WEFT_LET(std::string text, textForType(source.field->type, *value));
    if (text != source.field->value) out->changes.push_back({f.field, f.expression, std::move(text), source.field->type});
  }
  out->names = std::move(state.names);
  out->fields = std::move(state.fields);
  return {};
}

/// Keeps what fields read now. OUT_OF_RANGE: a tensor that does not hold what was computed for it.
Status readBack(MetaGraph& meta, const GroupEditor* groups, const Computed& now) {
  // Read again: instances that were built again have the fields of their group.
  ExpressionScope::State after(meta, groups);
  for (FollowedField& f : after.fields) {
    const auto is = after.field(f.field);
    if (!is.ok()) continue;
    f.result = is->value;
    for (const FieldChange& c : now.changes) {
      if (c.field != f.field || c.type != "tensor") continue;
      const auto dtype = after.field(c.field.substr(0, c.field.rfind('.')) + ".dtype");
      const std::string name = dtype.ok() ? dtype->value : std::string("its type");
      const bool whole = name.find("int") != name.npos || name.find("INT") != name.npos;
      if (!holdsValue(is->value, ExpressionValue::fromText(c.text), whole))
        return outOfRange(c.field, " = ", c.expression, " is ", c.text, ", which ", name, " cannot hold: it would be ", is->value);
    }
  }
  setFollowedFields(meta, after.fields);
  return {};
}

void replaceProblems(std::vector<Error>& problems, const std::vector<Error>& now) {
  std::erase_if(problems, [](const Error& e) { return e.kind == kProblem; });
  problems.insert(problems.end(), now.begin(), now.end());
}

/// The groups of the document keep the values that its names have now.
Status keepNamesInGroups(MetaGraph& meta, const std::vector<NamedValue>& was) {
  TextAttrs changed;
  for (const NamedValue& n : namedValuesOf(meta)) {
    const auto before = std::find_if(was.begin(), was.end(), [&](const NamedValue& o) { return o.name == n.name; });
    if (n.result && (before == was.end() || before->result != n.result)) changed.emplace_back(n.name, ExpressionValue::fromText(*n.result).toExpression());
  }
  return changed.empty() ? Status() : groups::keepNames(meta, changed);
}

}  // namespace

void findExpressionProblems(LoadedGraph& loaded) {
  std::erase_if(loaded.problems, [](const Error& e) { return e.kind == kProblem; });
  if (!hasExpressions(loaded.meta)) return;
  ExpressionScope::State state(loaded.meta);
  state.keepsBroken = true;
  std::vector<Error> found;
  const auto look = [&](const std::string& reference) {
    (void)state.valueOf(reference);
    if (const auto& s = state.sourceOf(reference); s.kept && !s.kept->empty()) addProblem(s, &found);
  };
  for (const NamedValue& n : state.names) look(n.name);
  for (const FollowedField& f : state.fields)
    if (state.field(f.field).ok()) look(state.fieldReference(f.field));
  replaceProblems(loaded.problems, found);
}

Status finishEdit(LayerEditor& layers, std::vector<std::string>* notes, GroupEditor* groups) {
  MetaGraph& meta = layers.editor().meta();
  if (!hasExpressions(meta)) {
    replaceProblems(layers.editor().problems(), {});
    return layers.finish(notes);
  }
  layers.refresh();
  const std::vector<NamedValue> was = namedValuesOf(meta);
  // Fields that use an attribute of a node that was built anew follow in another round.
  constexpr int kMostRounds = 4;
  std::map<std::string, std::string> done;
  std::vector<Error> problems;
  for (int round = 0; round < kMostRounds; ++round) {
    Computed now;
    WEFT_TRY(compute(meta, groups, round == 0, notes, &now));
    // A float32 has fewer digits, so that it never reads as the text that it was set to.
    std::erase_if(now.changes, [&](const FieldChange& c) {
      const auto at = done.find(c.field);
      return at != done.end() && at->second == c.text;
    });
    // Written before the layers change, so that names follow where something is renamed.
    setNamedValues(meta, now.names);
    setFollowedFields(meta, now.fields);
    if (round > 0 && now.changes.empty()) break;
    layers.refresh();
    TextAttrs later;
    WEFT_TRY(setFields(layers, groups, now.changes, &later));
    WEFT_TRY(layers.finish(notes));
    problems = now.problems;
    for (const auto& [name, text] : later)
      for (const FieldChange& c : now.changes)
        if (c.field == name) WEFT_TRY(wrapped(setLaterParameter(meta, name, text), c));
    WEFT_TRY(readBack(meta, groups, now));
    for (const FieldChange& c : now.changes) done[c.field] = c.text;
  }
  replaceProblems(layers.editor().problems(), problems);
  return groups ? Status() : keepNamesInGroups(meta, was);
}

}  // namespace weft
