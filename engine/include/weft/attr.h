#pragma once

#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "weft/dtype.h"
#include "weft/shape.h"
#include "weft/tensor.h"

namespace weft {

class AttrMap;

/// A function by name with its attributes (AttrValue.func).
struct FuncAttr {
  std::string name;
  std::shared_ptr<const AttrMap> attrs;  // never null in a well-formed attribute
};

/// An attribute of the enclosing function, by name. It is bound when the function is instantiated (AttrValue.placeholder).
struct PlaceholderAttr {
  std::string name;
};

/// An empty list whose element type the file does not state.
struct EmptyListAttr {};

/// The value of a node's attribute: TensorFlow's AttrValue.
class WEFT_API Attr {
 public:
  using Value = std::variant<std::monostate, std::string, int64_t, float, bool, DType, Shape, Tensor, FuncAttr, PlaceholderAttr, EmptyListAttr,
                             std::vector<std::string>, std::vector<int64_t>, std::vector<float>, std::vector<bool>, std::vector<DType>, std::vector<Shape>,
                             std::vector<Tensor>, std::vector<FuncAttr>>;
  Attr() = default;
  Attr(const char* v) : value(std::string(v)) {}
  Attr(std::string_view v) : value(std::string(v)) {}
  Attr(std::string v) : value(std::move(v)) {}
  Attr(int v) : value(int64_t(v)) {}
  Attr(int64_t v) : value(v) {}
  Attr(float v) : value(v) {}
  Attr(double v) : value(float(v)) {}
  Attr(bool v) : value(v) {}
  Attr(DType v) : value(v) {}
  Attr(Shape v) : value(std::move(v)) {}
  Attr(Tensor v) : value(std::move(v)) {}
  Attr(FuncAttr v) : value(std::move(v)) {}
  Attr(PlaceholderAttr v) : value(std::move(v)) {}
  Attr(EmptyListAttr v) : value(v) {}
  Attr(std::vector<std::string> v) : value(std::move(v)) {}
  Attr(std::vector<int64_t> v) : value(std::move(v)) {}
  Attr(std::vector<float> v) : value(std::move(v)) {}
  Attr(std::vector<bool> v) : value(std::move(v)) {}
  Attr(std::vector<DType> v) : value(std::move(v)) {}
  Attr(std::vector<Shape> v) : value(std::move(v)) {}
  Attr(std::vector<Tensor> v) : value(std::move(v)) {}
  Attr(std::vector<FuncAttr> v) : value(std::move(v)) {}

  template <typename T>
  const T* get() const {
    return std::get_if<T>(&value);
  }
  bool operator==(const Attr& o) const;
  /// For display: `float32`, `[1, 2, 2, 1]`, `"SAME"`, `(5x5 tensor)`.
  std::string toString() const;

  Value value;
};

/// Attributes sorted by name. Small, so it is searched linearly.
class WEFT_API AttrMap {
 public:
  AttrMap() = default;
  AttrMap(std::initializer_list<std::pair<std::string_view, Attr>> items) {
    for (auto& [k, v] : items) set(k, v);
  }
  const Attr* find(std::string_view name) const;
  void set(std::string_view name, Attr value);
  void erase(std::string_view name);
  bool empty() const { return items_.empty(); }
  size_t size() const { return items_.size(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  bool operator==(const AttrMap& o) const { return items_ == o.items_; }

  /// Typed access. Returns `otherwise` if the attribute is absent or has another type.
  int64_t integer(std::string_view name, int64_t otherwise = 0) const { return valueOr<int64_t>(name, otherwise); }
  float number(std::string_view name, float otherwise = 0) const { return valueOr<float>(name, otherwise); }
  bool flag(std::string_view name, bool otherwise = false) const { return valueOr<bool>(name, otherwise); }
  DType type(std::string_view name, DType otherwise = DType::Invalid) const { return valueOr<DType>(name, otherwise); }
  std::string text(std::string_view name, std::string otherwise = {}) const { return valueOr<std::string>(name, std::move(otherwise)); }
  Shape shape(std::string_view name, Shape otherwise = Shape::unknown()) const { return valueOr<Shape>(name, std::move(otherwise)); }
  /// A list; empty if absent or an EmptyListAttr.
  template <typename T>
  std::vector<T> list(std::string_view name) const {
    return valueOr<std::vector<T>>(name, {});
  }
  std::vector<int64_t> integers(std::string_view name) const { return list<int64_t>(name); }

 private:
  template <typename T>
  T valueOr(std::string_view name, T otherwise) const {
    const Attr* a = find(name);
    const T* v = a ? a->get<T>() : nullptr;
    return v ? *v : std::move(otherwise);
  }
  std::vector<std::pair<std::string, Attr>> items_;
};

}  // namespace weft
