#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "weft/builder.h"

// What is built from ops: layers, losses, metrics, optimizers, summaries. Each is stated once, as a record beside the function that builds
// it; palette, help, recipes in documents and language bindings are made from these records.
namespace weft {

/// A value given for a parameter.
using Argument = std::variant<std::monostate, Output, std::vector<Output>, std::string, int64_t, double, bool, DType, Shape, std::vector<int64_t>>;

/// Text of an argument as documents keep it ("0.001", "relu", "[3,3]"), and back. Tensors are written as their names by the caller.
WEFT_API std::string argumentToText(const Argument& value);

struct ApiParameter {
  std::string name;
  std::string type;  ///< "tensor", "tensors", "string", "int", "float", "bool", "dtype", "shape", "ints"
  std::optional<Argument> otherwise;  ///< Default; none: the parameter is required.
  std::string doc;
  std::string unit;
  std::vector<std::string> choices;   ///< Of a string: what is allowed; empty = anything.
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
  std::vector<Output> tensors(const std::string& name) const { return get<std::vector<Output>>(name, {}); }
  std::string text(const std::string& name) const { return get<std::string>(name, {}); }
  int64_t integer(const std::string& name) const { return get<int64_t>(name, 0); }
  bool flag(const std::string& name) const { return get<bool>(name, false); }
  DType dtype(const std::string& name) const { return get<DType>(name, DType::Float); }
  Shape shape(const std::string& name) const { return get<Shape>(name, Shape::unknown()); }
  double number(const std::string& name) const;               ///< An int is a number too.
  std::vector<int64_t> integers(const std::string& name) const;  ///< A single int counts as a list of one.
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

/// What a build function made: tensors that go on, and nodes to be run (an optimizer's update).
struct Values {
  std::vector<Output> outputs;
  std::vector<int> nodes;
};

/// How a layer shows in palette and drawing.
struct ApiRecipe {
  std::string icon, category;
  std::vector<std::string> shownParameters;  ///< On the node itself.
};

struct WEFT_API ApiRecord {
  std::string name;                  ///< "layers.dense"
  std::vector<std::string> aliases;
  std::string summary, doc, returns;
  std::vector<ApiParameter> parameters;
  std::function<Result<Values>(GraphBuilder&, const Arguments&)> build;
  std::optional<ApiRecipe> recipe;   ///< Set for what can be dropped onto a canvas.
  std::string source;                ///< What it follows.

  const ApiParameter* find(std::string_view parameter) const;
};

/// All records. Filled once, at first use; thread-safe after that.
class WEFT_API ApiRegistry {
 public:
  static const ApiRegistry& instance();
  const ApiRecord* find(std::string_view nameOrAlias) const;
  std::vector<const ApiRecord*> all() const;  ///< Sorted by name.
  void add(ApiRecord record);                 ///< For the modules' registration functions.

 private:
  std::vector<ApiRecord> records_;
};

/// Checks names and types of arguments, fills in defaults, builds.
WEFT_API Result<Values> buildApi(GraphBuilder& b, std::string_view name, Arguments arguments);

}  // namespace weft
