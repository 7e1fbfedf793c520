#pragma once

#include "api/convert.h"
#include "api/records.h"
#include "ops/grad_ops.h"

// Definition of a tf.* function: one call of def() with its names, its parameters as text, and the few lines that build it.
namespace weft::api {

using Built = Result<Values>;

/// One call of a function: its builder and arguments.
class Call {
 public:
  Call(GraphBuilder& builder, const Arguments& arguments) : b(builder), a(arguments) {}
  GraphBuilder& b;
  const Arguments& a;

  /// The argument as it was given; None if there is none.
  const Argument& operator[](const std::string& name) const;
  bool has(const std::string& name) const { return a.given(name); }
  /// Converted: a Const is named like the parameter.
  Output tensor(const std::string& name, DType type = DType::Invalid, DType preferred = DType::Invalid) const {
    return toTensor(b, (*this)[name], name, type, preferred);
  }
  /// Of a list, each named NAME_i.
  std::vector<Output> tensors(const std::string& name, DType type = DType::Invalid) const { return toTensors(b, (*this)[name], name, type); }
  ArgumentList list(const std::string& name) const { return items((*this)[name]); }
  std::string name(std::string_view otherwise = {}) const { return has("name") ? a.text("name") : std::string(otherwise); }
  /// tf.name_scope(name, otherwise)
  py::Scope scope(std::string_view otherwise) const { return py::Scope(b, name(otherwise)); }
  std::optional<int64_t> seed() const { return has("seed") ? std::optional(a.integer("seed")) : std::nullopt; }
  /// The type given, else another.
  DType dtype(const std::string& name, DType otherwise) const { return has(name) ? a.dtype(name) : otherwise; }
  /// Calls a callback argument with tensors; its first output.
  Output callback(const std::string& name, const std::vector<Output>& inputs) const;

  // Return values of functions.
  static Built one(Output o) { return Values{{o}, {}}; }
  static Built all(std::vector<Output> outputs) { return Values{std::move(outputs), {}}; }
  static Built operation(int node) { return Values{{}, {node}}; }
};

using CallFunction = std::function<Built(Call&)>;

/// Defines a function. `names`: its dotted name and aliases, separated by spaces. `parameters`: separated by '|', each
/// `name[/deprecated spelling…][*][: type][= default][ -- documentation]`; '*' takes all further positional arguments, the type is "tensor" if it
/// is omitted, `name` alone is the op's or scope's name. Parameters with a common meaning (x, axis, dtype, seed …) need no documentation.
/// `returns` may begin with its form: "tensors: ", "tuple(values indices): ", "sparse: ", "operation: ", "others: ", "nothing: ".
void def(ApiRegistry& r, std::string_view names, std::string_view parameters, std::string_view summary, std::string_view returns, CallFunction build);

/// The parameters of such a text.
std::vector<ApiParameter> parametersOf(std::string_view text);
/// Sets form, fields and documentation of what a function returns.
void setReturns(ApiRecord& record, std::string_view returns);
/// The attribute of an op from an argument; the type is that of AttrSpec.
Result<Attr> attrFromArgument(const std::string& type, const Argument& a);

}  // namespace weft::api
