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

/// A number, text or array that is not in the graph yet. It becomes a Const once a function knows its name and type.
struct Literal {
  Tensor value;
  /// True for untyped values (Python's numbers and strings; here Int64, Double, Bool or String). They become int32, float32 … or a requested type, which
  /// they must fit. False for typed arrays, which keep their type unless another is requested.
  bool loose = true;
};

/// A tf.SparseTensor.
struct SparseValue {
  Output indices, values, denseShape;
};

struct Argument;
struct Values;
/// A function as an argument: initializers, activations, regularizers, branches, loop bodies. Called while the graph is built; it adds
/// nodes through the builder it is given.
using Callback = std::function<Result<Values>(GraphBuilder&, const Values&)>;

/// The value of a parameter. std::monostate is Python's None. Lists may mix tensors, literals and lists.
struct Argument : std::variant<std::monostate, Output, std::vector<Output>, std::string, int64_t, double, bool, DType, Shape, std::vector<int64_t>, Literal,
                               std::shared_ptr<const api::Variable>, SparseValue, Callback, std::vector<Argument>> {
  using variant::variant;
};
using ArgumentList = std::vector<Argument>;

/// The result of a build function: tensors, and nodes to run (an optimizer's update). Also the arguments and results of callbacks.
struct Values {
  std::vector<Output> outputs;
  std::vector<int> nodes;
  ArgumentList others = {};  ///< Anything else: variables, sparse tensors, lists; for an initializer a type and a shape, in this order.
};

/// An argument as documents store it ("0.001", "relu", "[3,3]"); argumentFromText() is the inverse. The caller writes tensors by name.
WEFT_API std::string argumentToText(const Argument& value);

struct ApiParameter {
  std::string name;
  /// "tensor" (anything convertible to a tensor), "tensors", "sparse", "variable", "string", "int", "float", "bool", "dtype", "shape",
  /// "ints", "floats", "strings", "dtypes", "shapes", "callback", "any" (the function checks)
  std::string type;
  std::optional<Argument> otherwise;  ///< Default. Unset: the parameter is required. std::monostate: None is accepted.
  std::string doc;
  std::string unit;
  std::vector<std::string> choices;       ///< Allowed strings; empty: any.
  std::vector<std::string> aliases = {};  ///< Deprecated names ("dim" for "axis").
  bool variadic = false;                  ///< Takes all further positional arguments as a list. Later parameters are given by name only.
};

/// Parses an argument. INVALID_ARGUMENT names the parameter, the text and what was expected.
WEFT_API Result<Argument> argumentFromText(const ApiParameter& parameter, std::string_view text);

/// Arguments by name. buildApi() fills in the record's defaults for missing ones.
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
  std::vector<Output> tensors(const std::string& name) const;  ///< The tensors of a list; a single tensor counts as a list.
  std::string text(const std::string& name) const { return get<std::string>(name, {}); }
  int64_t integer(const std::string& name) const;
  bool flag(const std::string& name) const;
  DType dtype(const std::string& name) const { return get<DType>(name, DType::Float); }
  Shape shape(const std::string& name) const;
  double number(const std::string& name) const;                  ///< Accepts an int too.
  std::vector<int64_t> integers(const std::string& name) const;  ///< Accepts a single int as a list of one, a literal, or a list of ints.
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

/// How a layer appears in the palette and on the canvas.
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
  std::optional<ApiRecipe> recipe;  ///< Set for layers, which can be dropped onto a canvas.
  std::string source;               ///< The behaviour that it follows.
  /// What a language binding returns: "tensor" (the first output), "tensors" (a list), "tuple" (the outputs, named by `fields` if set),
  /// "sparse" (three outputs), "operation" (the first node), "others" (the first of them; its lists become tuples), "nothing".
  std::string form = "tensor";
  std::vector<std::string> fields = {};
  bool offered = true;  ///< False: for documents that have such a layer (models of another program); not in the palette, not a function of tf.*.

  const ApiParameter* find(std::string_view parameter) const;  ///< By name or deprecated name.
};

/// All records. Filled at first use; thread-safe after that.
class WEFT_API ApiRegistry {
 public:
  static const ApiRegistry& instance();
  /// The record with that name or alias. If a document layer and a function share it (`reshape` with numbers only), the function.
  const ApiRecord* find(std::string_view nameOrAlias) const;
  /// The same, but prefers records with a recipe.
  const ApiRecord* findLayer(std::string_view nameOrAlias) const;
  std::vector<const ApiRecord*> all() const;        ///< Sorted by name, including document layers and what is not offered.
  std::vector<const ApiRecord*> functions() const;  ///< The records that find() returns, sorted by name.
  void add(ApiRecord record);                       ///< For the modules' registration functions.

 private:
  const ApiRecord* lookUp(std::string_view name, bool layerFirst) const;
  std::vector<ApiRecord> records_;
  std::map<std::string, std::vector<int>, std::less<>> byName_;
};

/// Checks names and types of the arguments, fills in defaults, and builds. Errors are INVALID_ARGUMENT; `kind` names Python's exception class
/// ("TypeError") where it is not ValueError.
WEFT_API Result<Values> buildApi(GraphBuilder& b, std::string_view name, Arguments arguments);
WEFT_API Result<Values> buildApi(GraphBuilder& b, const ApiRecord& record, Arguments arguments);

}  // namespace weft
