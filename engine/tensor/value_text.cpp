#include "tensor/value_text.h"

#include <nlohmann/json.hpp>

#include "tensor/element_types.h"

namespace weft {
namespace {

using Json = nlohmann::json;

/// Flattens a nested list; `shape` gets its dimensions. False if the list is ragged.
bool flatten(const Json& j, int depth, std::vector<int64_t>& shape, std::vector<const Json*>& out) {
  if (!j.is_array()) {
    out.push_back(&j);
    return depth == int(shape.size());
  }
  if (depth == int(shape.size())) {
    if (!out.empty()) return false;
    shape.push_back(int64_t(j.size()));
  } else if (shape[size_t(depth)] != int64_t(j.size())) {
    return false;
  }
  for (const Json& element : j)
    if (!flatten(element, depth + 1, shape, out)) return false;
  return true;
}

}  // namespace

Result<Tensor> tensorFromText(const std::string& text, DType dtype, const Shape& wanted) {
  if (dtype == DType::String) return Tensor::scalar(text);
  const Json j = Json::parse(text, nullptr, false);
  std::vector<int64_t> dims;
  std::vector<const Json*> elements;
  if (j.is_discarded() || !flatten(j, 0, dims, elements))
    return invalidArgument("\"", text, "\" is no value of type ", dtypeName(dtype), ": expected a number, true, false or a list of them");
  const Shape shape(dims);
  if (!wanted.compatibleWith(shape)) return invalidArgument("\"", text, "\" has shape ", shape.toString(), ", expected ", wanted.toString());
  WEFT_LET(Tensor out, Tensor::allocate(dtype, shape));
  for (size_t i = 0; i < elements.size(); ++i) {
    const Json& e = *elements[i];
    if (!e.is_number() && !e.is_boolean()) return invalidArgument("\"", text, "\" holds ", e.dump(), ", expected ", dtypeName(dtype));
    const double v = e.is_boolean() ? double(e.get<bool>()) : e.get<double>();
    if (dtype == DType::Bool) {
      out.mutableData<bool>()[i] = v != 0;
    } else if (!withReal(dtype, [&]<typename T>(std::type_identity<T>) {
                 elementsOf<T>(out)[i] = e.is_number_integer() && std::is_integral_v<T> ? T(e.get<int64_t>()) : T(v);
               })) {
      return unimplemented("values of type ", dtypeName(dtype), " cannot be given as text");
    }
  }
  return out;
}

}  // namespace weft
