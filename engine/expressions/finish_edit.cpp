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

/// A field that is to be set.
struct FieldChange {
  std::string field, expression, text;
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
  const auto missing = [&](const std::string& expression) {
    const auto parsed = Expression::parse(expression);
    if (!parsed.ok()) return std::string();
    for (const std::string& r : parsed->references())
      if (!state.exists(r)) return r;
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
    const std::string gone = missing(f.expression);
    if (!gone.empty()) note(f.field, " keeps its value ", *f.result, ": ", gone, ", which it followed, is gone.");
    return !gone.empty();
  });
  for (NamedValue& n : state.names) {
    const std::string gone = n.result ? missing(n.expression) : std::string();
    if (gone.empty()) continue;
    note(n.name, " keeps its value ", *n.result, ": ", gone, ", which it followed, is gone.");
    const bool word = std::holds_alternative<std::string>(ExpressionValue::fromText(*n.result).value);
    n.expression = word ? "'" + *n.result + "'" : *n.result;
    changed = true;
  }
  return changed || state.fields.size() != before;
}

/// Sets fields of one kind after another: layers in one step, since one of them alone may not fit its neighbours.
Status setFields(LayerEditor& layers, const std::vector<FieldChange>& changes, TextAttrs* later) {
  std::vector<LayerEditor::Setting> ofLayers;
  std::map<std::string, const FieldChange*> layerAt;
  std::optional<GroupEditor> groups;
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
    if (!groups) groups.emplace(layers);
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

}  // namespace

Status finishEdit(LayerEditor& layers, std::vector<std::string>* notes) {
  MetaGraph& meta = layers.editor().meta();
  if (!hasExpressions(meta)) return layers.finish(notes);
  layers.refresh();
  std::vector<FieldChange> changes;
  std::vector<NamedValue> names;
  std::vector<FollowedField> fields;
  {
    ExpressionScope::State state(meta);
    if (dropStale(state, notes)) state.sources.clear();
    for (NamedValue& n : state.names) {
      WEFT_LET(const ExpressionValue value, state.valueOf(n.name));
      n.result = value.toString();
    }
    for (const FollowedField& f : state.fields) {
      if (f.result && !state.field(f.field).ok()) continue;
      WEFT_LET(const ExpressionValue value, state.valueOf(f.field));
      const ExpressionScope::State::Source& source = state.sourceOf(f.field);
      WEFT_LET(std::string text, textForType(source.field->type, value));
      if (text != source.field->value) changes.push_back({f.field, f.expression, std::move(text)});
    }
    names = std::move(state.names);
    fields = std::move(state.fields);
  }
  // Written before the layers change, so that names follow where something is renamed.
  setNamedValues(meta, names);
  setFollowedFields(meta, fields);
  TextAttrs later;
  WEFT_TRY(setFields(layers, changes, &later));
  WEFT_TRY(layers.finish(notes));
  for (const auto& [name, text] : later)
    for (const FieldChange& c : changes)
      if (c.field == name) WEFT_TRY(wrapped(setLaterParameter(meta, name, text), c));
  // As it reads now: a float32 has fewer digits, and so on.
  const ExpressionScope::State after(meta);
  for (FollowedField& f : fields) {
    if (const auto now = after.field(f.field); now.ok()) f.result = now->value;
  }
  setFollowedFields(meta, fields);
  return {};
}

}  // namespace weft
