// The state of an ExpressionScope, for the sources of this folder.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "groups/group_parts.h"
#include "weft/expressions.h"

namespace weft {

struct ExpressionScope::State {
  /// `groups`: whose definitions count, as within a body; null: those of `m`.
  explicit State(const MetaGraph& m, const GroupEditor* groups = nullptr);

  /// What a reference stands for: a name, a field that follows an expression, or the value that a field has.
  struct Source {
    std::string key, what;              ///< Canonical name, and that with its expression.
    std::optional<std::string> result;  ///< Of its expression, when that was last computed.
    std::optional<std::string>
        kept;  ///< The last result stands in for the expression, which is not computed; why, unless that will pass. Without a result, it has none.
    std::optional<Field> field;
    std::optional<Expression> expression;
    std::vector<std::string> needs;  ///< What each reference of the expression stands for.
    std::optional<Result<ExpressionValue>> value;
    bool changed = false;  ///< By the edit that is being made.
  };

  const MetaGraph& meta;
  std::vector<Recipe> layers;
  std::vector<GroupInstance> instances;
  std::vector<GroupDefinition> definitions;
  std::vector<NamedValue> names;
  std::vector<FollowedField> fields;
  std::map<std::string, Source> sources;               // by reference, as far as they were asked for
  std::unordered_map<std::string, size_t> instanceAt;  // by scope
  std::unordered_map<std::string, size_t> fieldAt;     // by field; made when it is asked for
  mutable std::vector<Field> trainingKept;
  mutable bool trainingRead = false;
  bool waits = false;        ///< A training waits for its network, so that its settings are not there now.
  bool keepsBroken = false;  ///< Stored expressions that cannot be computed, whatever the values are, keep their last result.

  const std::vector<Field>& training() const;
  Result<Field> field(std::string_view name) const;
  const NamedValue* named(std::string_view name) const;
  /// The innermost instance that a field lies in; null: none. An instance's own parameters lie in the instance around it.
  const GroupInstance* instanceAround(std::string_view field) const;
  const GroupDefinition* definitionOf(const GroupInstance& instance) const;
  /// What a reference in the expression of a field stands for: within an instance, the names of its group's parameters come first.
  std::string resolved(const std::string& reference, std::string_view field) const;
  const FollowedField* followed(const std::string& field);
  /// After `names` or `fields` changed.
  void forget();
  /// Why there is no such reference.
  Error unknown(const std::string& reference, std::string_view field) const;
  bool exists(const std::string& reference) const;
  /// A setting that comes back with its training.
  bool awaited(const std::string& reference) const;
  Source& sourceOf(const std::string& reference);
  /// How a field is referred to: also if there is a name like it, with a letter that no reference has.
  std::string fieldReference(const std::string& field) const { return named(field) ? '}' + field : field; }
  /// Computes what it needs first. Errors name the field or name, its expression, and are of the kind "expression".
  Result<ExpressionValue> valueOf(const std::string& reference);
  Result<ExpressionValue> compute(const Source& source);
  /// Its last result stands in for the expression; without one, it has no value.
  void keepResult(Source& source, std::string why) const;
  bool readsBroken(const Source& source);
  Result<std::string> textFor(const Source& source, const ExpressionValue& value) const;
};

}  // namespace weft
