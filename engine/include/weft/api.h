#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "weft/builder.h"

// What is built from ops: functions of tf.*, layers, losses, metrics, optimizers, summaries. Each is stated once, as a record beside the
// function that builds it; palette, help, recipes in documents and language bindings are made from these records.
namespace weft {

namespace api {
struct Variable;
}

/// A number, text or array that no op holds yet: it becomes a Const when a function knows its name and type.
struct Literal {
  Tensor value;
  /// Of numbers without a type of their own (Python's: Int64, Double, Bool or String here): becomes int32, float32 … unless a type is asked
  /// for, and must fit that type. Not loose: an array with a type, which is kept unless another one is asked for.
  bool loose = true;
};

/// A tf.SparseTensor.
struct SparseValue {
  Output indices, values, denseShape;
};

struct Argument;
struct Values;
/// A function as an argument: initializers, activations, regularizers, branches, bodies of loops. Called while the graph is built; it
/// adds nodes through the builder that it gets.
using Callback = std::function<Result<Values>(GraphBuilder&, const Values&)>;

/// A value given for a parameter; std::monostate is Python's None. Lists may mix tensors, literals and lists.
struct Argument : std::variant<std::monostate, Output, std::vector<Output>, std::string, int64_t, double, bool, DType, Shape, std::vector<int64_t>, Literal,
                               std::shared_ptr<const api::Variable>, SparseValue, Callback, std::vector<Argument>> {
  using variant::variant;
};
using ArgumentList = std::vector<Argument>;

/// What a build function made: tensors that go on, and nodes to be run (an optimizer's update). Also what callbacks get and give.
struct Values {
  std::vector<Output> outputs;
  std::vector<int> nodes;
  ArgumentList others = {};  ///< What is neither: variables, sparse tensors, lists; a type and a shape for an initializer (in this order).
};

/// Text of an argument as documents keep it ("0.001", "relu", "[3,3]"), and back. Tensors are written as their names by the caller.
WEFT_API std::string argumentToText(const Argument& value);

struct ApiParameter {
  std::string name;
  /// "tensor" (whatever a tensor can be made of), "tensors", "sparse", "variable", "string", "int", "float", "bool", "dtype", "shape",
  /// "ints", "floats", "strings", "dtypes", "shapes", "callback", "any" (the function looks itself)
  std::string type;
  std::optional<Argument> otherwise;  ///< Default; none: the parameter is required. std::monostate: None is accepted.
  std::string doc;
  std::string unit;
  std::vector<std::string> choices;       ///< Of a string: what is allowed; empty = anything.
  std::vector<std::string> aliases = {};  ///< Deprecated spellings ("dim" of "axis").
  bool variadic = false;                  ///< Takes all further positional arguments as a list; what follows is given by name only.
};

/// INVALID_ARGUMENT names the parameter, the text and what was expected.
WEFT_API Result<Argument> argumentFromText(const ApiParameter& parameter, std::string_view text);

/// Arguments by name. Missing ones fall back to the record's defaults once checkArguments() ran.
class WEFT_API Arguments {
 public:
  Arguments() = default;
  Arguments(std::initializer_list<std::pair<const std::string, Argument>> items) : items_(items) {}
  void set(std::string name, Argument value) { items_[std::move(name)] = std::move(value); }
  const Argument* find(const std::string& name) const {
    const auto it = items_.find(name);
    return it == items_.end() ? nullptr : &it->second;
  }
  bool given(const std::string& name) const {
    const Argument* a = find(name);
    return a && !std::holds_alternative<std::monostate>(*a);
  }
  Output tensor(const std::string& name) const { return get<Output>(name, {}); }
  std::vector<Output> tensors(const std::string& name) const;  ///< Those in a list; a single one counts as a list.
  std::string text(const std::string& name) const { return get<std::string>(name, {}); }
  int64_t integer(const std::string& name) const;
  bool flag(const std::string& name) const;
  DType dtype(const std::string& name) const { return get<DType>(name, DType::Float); }
  Shape shape(const std::string& name) const;
  double number(const std::string& name) const;                  ///< An int is a number too.
  std::vector<int64_t> integers(const std::string& name) const;  ///< A single int counts as a list of one; a literal or list of ints, too.
  void erase(const std::string& name) { items_.erase(name); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

 private:
  template <typename T>
  T get(const std::string& name, T otherwise) const {
    const Argument* a = find(name);
    const T* v = a ? std::get_if<T>(a) : nullptr;
    return v ? *v : std::move(otherwise);
  }
  std::map<std::string, Argument> items_;
};

/// How a layer shows in palette and drawing.
struct ApiRecipe {
  std::string icon, category;
  std::vector<std::string> shownParameters;  ///< On the node itself.
};

struct WEFT_API ApiRecord {
  std::string name;  ///< "layers.dense"
  std::vector<std::string> aliases;
  std::string summary, doc, returns;
  std::vector<ApiParameter> parameters;
  std::function<Result<Values>(GraphBuilder&, const Arguments&)> build;
  std::optional<ApiRecipe> recipe;  ///< Set for what can be dropped onto a canvas.
  std::string source;               ///< What it follows.
  /// What a binding returns: "tensor" (the first output), "tensors" (a list), "tuple" (of the outputs, named by `fields` if there are any),
  /// "sparse" (three outputs), "operation" (the first node), "others" (the first of them; lists in it are tuples), "nothing".
  std::string form = "tensor";
  std::vector<std::string> fields = {};

  const ApiParameter* find(std::string_view parameter) const;  ///< By name or deprecated spelling.
};

/// All records. Filled once, at first use; thread-safe after that.
class WEFT_API ApiRegistry {
 public:
  static const ApiRegistry& instance();
  /// The function of that name or alias. Where a layer of documents has the name of a function (`reshape` with numbers only), the function.
  const ApiRecord* find(std::string_view nameOrAlias) const;
  /// The same, but first what has a recipe.
  const ApiRecord* findLayer(std::string_view nameOrAlias) const;
  std::vector<const ApiRecord*> all() const;        ///< Sorted by name; with layers of documents.
  std::vector<const ApiRecord*> functions() const;  ///< Those that find() finds, sorted by name.
  void add(ApiRecord record);                       ///< For the modules' registration functions.

 private:
  const ApiRecord* lookUp(std::string_view name, bool layerFirst) const;
  std::vector<ApiRecord> records_;
  std::map<std::string, std::vector<int>, std::less<>> byName_;
};

/// Checks names and types of arguments, fills in defaults, builds. Errors are as in Python: INVALID_ARGUMENT, whose `kind` is the name of
/// the exception's class ("TypeError") where that is not ValueError.
WEFT_API Result<Values> buildApi(GraphBuilder& b, std::string_view name, Arguments arguments);
WEFT_API Result<Values> buildApi(GraphBuilder& b, const ApiRecord& record, Arguments arguments);

}  // namespace weft
