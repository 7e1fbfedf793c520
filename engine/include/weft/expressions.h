// Named values of a document, and fields that follow expressions: `width = 64`, `dense_1.units = 2*width`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "weft/recipes.h"

namespace weft {

class GroupEditor;

/// What an expression gives. Whole numbers are exact. An unknown dimension (`?`) occurs only in lists.
struct WEFT_API ExpressionValue {
  struct Unknown {};
  using List = std::vector<ExpressionValue>;
  std::variant<Unknown, bool, int64_t, double, std::string, List> value;

  /// `128`, `0.001`, `true`, `SAME`, `[?,64]`. Reading a real number again gives the same number.
  std::string toString() const;
  /// As an expression that gives this value: words, also those in lists, stand in quotes.
  std::string toExpression() const;
  /// The value in a text as attributes have it: the reverse of toString(). What is no number, truth value or list is a word.
  static ExpressionValue fromText(std::string_view text);
};

/// A parsed expression, with Python's rules: + - * / // % **, comparisons, and or not, `a if b else c`, lists `[batch, 2*width]`, `shape[0]`, and the
/// functions of expressionFunctions(). Words stand in quotes ('SAME'); a doubled quote stands for one ('it''s'). A name with a dot is a field;
/// `{conv/block.units}` where its scope has other characters than letters, digits and _. A quotient is whole if it divides evenly (6/3); // always is for
/// whole numbers. Immutable.
class WEFT_API Expression {
 public:
  /// INVALID_ARGUMENT names the place and what was expected there. At most 10,000 characters, and brackets 200 deep.
  static Result<Expression> parse(std::string_view text);

  const std::string& text() const { return text_; }
  /// Names and fields, each once, in the order of their first use.
  const std::vector<std::string>& references() const { return references_; }
  /// Where a reference stands in the text, with its braces.
  struct Use {
    size_t begin, length;
    int reference;
  };
  /// In the order of the text.
  const std::vector<Use>& uses() const { return uses_; }
  /// The text with references replaced: old and new name.
  std::string renamed(const std::function<std::string(const std::string&)>& name) const;
  /// Whether it is a single number, word or truth value.
  bool isConstant() const { return references_.empty() && code_.size() <= 2; }

  /// Values of references. Its errors are passed on.
  using Lookup = std::function<Result<ExpressionValue>(const std::string&)>;
  /// OUT_OF_RANGE: beyond 64 bits, a division by zero, not finite, a list of more than 10,000 elements or 32 levels.
  /// INVALID_ARGUMENT: types that do not fit. Branches that are not taken are not computed.
  Result<ExpressionValue> evaluate(const Lookup& lookup) const;

  struct Instruction {
    int kind = 0, argument = 0, count = 0;
  };

 private:
  friend class ExpressionParser;
  std::string text_;
  std::vector<std::string> references_;
  std::vector<Use> uses_;
  std::vector<ExpressionValue> constants_;
  std::vector<Instruction> code_;  // for a stack machine, so that a long sum needs no recursion
};

/// "min(a, b, …)" and so on.
WEFT_API const std::vector<std::pair<std::string, std::string>>& expressionFunctions();
/// A field as an expression writes it: with braces where it needs them.
WEFT_API std::string fieldInExpression(std::string_view field);

/// A name of a document (collection `weft/names`).
struct NamedValue {
  std::string name, expression;
  std::string doc;
  std::optional<std::string> result;  ///< As text, when it was last computed; unset: not yet.
  bool changed = false;               ///< By the edit that finishEdit() will end, so that it is an error if it cannot be computed.
};
/// A field that follows an expression (collection `weft/expressions`).
struct FollowedField {
  std::string field;  ///< "LAYER.PARAMETER", "NODE.ATTRIBUTE", "INSTANCE.PARAMETER" of a group, or a training setting ("batch_size").
  std::string expression;
  std::optional<std::string> result;  ///< What the field was set to. A field with another value was edited since, and follows no more.
  bool changed = false;               ///< As of NamedValue.
};

WEFT_API std::vector<NamedValue> namedValuesOf(const MetaGraph& meta);
WEFT_API std::vector<FollowedField> followedFieldsOf(const MetaGraph& meta);
WEFT_API void setNamedValues(MetaGraph& meta, const std::vector<NamedValue>& names);
WEFT_API void setFollowedFields(MetaGraph& meta, const std::vector<FollowedField>& fields);

/// Whether a document has names or fields that follow expressions.
WEFT_API bool hasExpressions(const MetaGraph& meta);

/// Gives a name an expression; a new name is added. Nothing is computed before finishEdit().
/// Errors name the name: not letters, digits and _; a word of expressions; a training setting; a text that is no expression.
WEFT_API Status setNamedValue(MetaGraph& meta, const std::string& name, const std::string& expression);
WEFT_API Status setNamedValueDoc(MetaGraph& meta, const std::string& name, const std::string& doc);
/// All expressions with the name follow.
WEFT_API Status renameNamedValue(MetaGraph& meta, const std::string& from, const std::string& to);
/// FAILED_PRECONDITION names the expressions that use it.
WEFT_API Status removeNamedValue(MetaGraph& meta, const std::string& name);
/// Lets a field follow an expression. Nothing is computed before finishEdit(). NOT_FOUND names the field and what there is.
WEFT_API Status setFieldExpression(MetaGraph& meta, const std::string& field, const std::string& expression);
/// The field keeps its value and follows nothing. False: it followed nothing.
WEFT_API bool releaseField(MetaGraph& meta, const std::string& field);

/// The last call of an edit, in place of LayerEditor::finish(): computes all expressions, sets the fields that follow them, and finishes the layers. Fields
/// that were edited since, or are gone, follow no more; stored expressions that cannot be read, or are in a circle, keep their value: `notes` gets a sentence
/// on each, and the editor's problems one of the kind "expression". Errors name field, expression, value and what was expected: a name that there is not (with
/// the nearest one), a circle (with its names), a value of another type or out of range. The graph is then half changed. `groups`: the editor of groups to use,
/// as within the body of a group; null: one of its own.
WEFT_API Status finishEdit(LayerEditor& layers, std::vector<std::string>* notes = nullptr, GroupEditor* groups = nullptr);
/// Stored expressions that cannot be read or are in a circle: puts into `loaded.problems` what is wrong, of the kind "expression". For graphs that were read
/// from files, which do not store problems; finishEdit() finds them by itself.
WEFT_API void findExpressionProblems(LoadedGraph& loaded);

/// The value as a field of that type takes it, which is a type as of GroupParameter. INVALID_ARGUMENT: "is 2.5, expected a whole number".
WEFT_API Result<std::string> fieldText(std::string_view type, const ExpressionValue& value);
/// The value of a field of that type: words are not taken for numbers.
WEFT_API ExpressionValue fieldValue(std::string_view type, std::string_view text);

/// What expressions of a document can use, with the values of now. In the expression of a field inside of a group's instance, the names of the group's
/// parameters stand for the instance's values; other names are the document's. A view: `meta` must outlive it. Not thread-safe.
class WEFT_API ExpressionScope {
 public:
  struct State;
  explicit ExpressionScope(const MetaGraph& meta);
  ~ExpressionScope();
  ExpressionScope(ExpressionScope&&) noexcept;

  /// A field that an expression can set or use.
  struct Field {
    std::string name;
    std::string type;   ///< "int", "float", "bool", "string", "type", "shape", "tensor", "list(int)", …
    std::string value;  ///< Of now, as text.
    std::string doc;
  };
  /// NOT_FOUND names what is missing and what there is.
  Result<Field> field(std::string_view name) const;
  /// The values of all names, in their order, or why there is none.
  std::vector<std::pair<std::string, Result<ExpressionValue>>> names() const;
  /// The value of one name. NOT_FOUND: there is none.
  Result<ExpressionValue> name(const std::string& name) const;
  /// The text that the field would be set to. Errors as those of finishEdit().
  Result<std::string> valueFor(const std::string& field, const std::string& expression) const;
  /// The value that a name would get.
  Result<ExpressionValue> valueOf(const std::string& name, const std::string& expression) const;
  /// Names, functions, training settings and parameters of layers and groups, as expressions write them.
  std::vector<std::string> words() const;
  /// Fields that setFieldExpression() takes and that have numbers: training settings, parameters of layers and groups.
  std::vector<std::string> fields() const;

 private:
  std::unique_ptr<State> s_;
};

}  // namespace weft
