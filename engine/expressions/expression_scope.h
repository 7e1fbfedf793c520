// The state of an ExpressionScope, for the sources of this folder.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "groups/group_parts.h"
#include "weft/expressions.h"

namespace weft {

struct ExpressionScope::State {
  explicit State(const MetaGraph& m);

  /// What a reference stands for: a name, a field that follows an expression, or the value that a field has.
  struct Source {
    std::string key, what;              ///< Canonical name, and that with its expression.
    std::optional<std::string> result;  ///< Of its expression, when that was last computed.
    std::optional<std::string>
        kept;  ///< The last result stands in for the expression, which is not computed; why, unless that will pass. Without a result, it has none.
    std::optional<Field> field;
    std::optional<Expression> expression;
    std::optional<Result<ExpressionValue>> value;
  };

  const MetaGraph& meta;
  std::vector<Recipe> layers;
  std::vector<GroupInstance> instances;
  std::vector<GroupDefinition> definitions;
  std::vector<NamedValue> names;
  std::vector<FollowedField> fields;
  std::map<std::string, Source> sources;  // by reference, as far as they were asked for
  mutable std::vector<Field> trainingKept;
  mutable bool trainingRead = false;
  bool waits = false;        ///< A training waits for its network, so that its settings are not there now.
  bool keepsBroken = false;  ///< Stored expressions that cannot be computed, whatever the values are, keep their last result.

  const std::vector<Field>& training() const;
  Result<Field> field(std::string_view name) const;
  const NamedValue* named(std::string_view name) const;
  /// Why there is no such reference.
  Error unknown(const std::string& reference) const;
  bool exists(const std::string& reference) const;
  /// A setting that comes back with its training.
  bool awaited(const std::string& reference) const;
  Source& sourceOf(const std::string& reference);
  /// How a field is referred to: also if there is a name like it, with a letter that no reference has.
  std::string fieldReference(const std::string& field) const { return named(field) ? '}' + field : field; }
  /// Computes what it needs first. Errors name the field or name, its expression, and are of the kind "expression".
  Result<ExpressionValue> valueOf(const std::string& reference);
  Result<ExpressionValue> compute(const Source& source);
  void keepResult(Source& source, std::string why) const;
  Result<std::string> textFor(const Source& source, const ExpressionValue& value) const;
};

}  // namespace weft
