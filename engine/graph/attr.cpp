#include "weft/attr.h"

#include <algorithm>
#include <charconv>

namespace weft {
namespace {

template <typename T>
bool same(const T& a, const T& b) {
  return a == b;
}
bool same(const Tensor& a, const Tensor& b) { return a.identicalTo(b); }
bool same(const FuncAttr& a, const FuncAttr& b) {
  if (a.name != b.name) return false;
  const bool emptyA = !a.attrs || a.attrs->empty(), emptyB = !b.attrs || b.attrs->empty();
  return emptyA || emptyB ? emptyA == emptyB : *a.attrs == *b.attrs;
}
bool same(const PlaceholderAttr& a, const PlaceholderAttr& b) { return a.name == b.name; }
bool same(const EmptyListAttr&, const EmptyListAttr&) { return true; }
template <typename T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const T& x, const T& y) { return same(x, y); });
}

// An empty list of any element type, because files do not state the type.
bool isEmptyList(const Attr& a) {
  return std::visit(
      [](const auto& v) {
        using V = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<V, EmptyListAttr>) return true;
        else if constexpr (requires { v.capacity(); } && !std::is_same_v<V, std::string>) return v.empty();
        else return false;
      },
      a.value);
}

std::string shown(const std::monostate&) { return "(none)"; }
std::string shown(const std::string& v) { return "\"" + v + "\""; }
std::string shown(int64_t v) { return std::to_string(v); }
std::string shown(float v) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, v).ptr;
  return std::string(text, end);
}
std::string shown(bool v) { return v ? "true" : "false"; }
std::string shown(DType v) { return dtypeName(v); }
std::string shown(const Shape& v) { return v.toString(); }
std::string shown(const Tensor& v) { return v.elements() == 1 ? v.toString(1) : "(" + dtypeName(v.dtype()) + v.shape().toString() + ")"; }
std::string shown(const FuncAttr& v) { return v.name; }
std::string shown(const PlaceholderAttr& v) { return "$" + v.name; }
std::string shown(const EmptyListAttr&) { return "[]"; }
template <typename T>
std::string shown(const std::vector<T>& list) {
  std::string out = "[";
  for (size_t i = 0; i < list.size(); ++i) {
    if (i) out += ", ";
    out += shown(static_cast<const T&>(list[i]));
  }
  return out + "]";
}

}  // namespace

bool Attr::operator==(const Attr& o) const {
  if (value.index() != o.value.index()) return isEmptyList(*this) && isEmptyList(o);
  return std::visit(
      [&](const auto& v) {
        using V = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<V, std::vector<bool>>) return v == *o.get<V>();
        else return same(v, *o.get<V>());
      },
      value);
}

std::string Attr::toString() const {
  return std::visit(
      [](const auto& v) -> std::string {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::vector<bool>>) {
          std::string out = "[";
          for (size_t i = 0; i < v.size(); ++i) out += (i ? ", " : "") + shown(bool(v[i]));
          return out + "]";
        } else {
          return shown(v);
        }
      },
      value);
}

const Attr* AttrMap::find(std::string_view name) const {
  for (const auto& [key, attr] : items_) {
    if (key == name) return &attr;
  }
  return nullptr;
}

void AttrMap::set(std::string_view name, Attr value) {
  const auto at = std::lower_bound(items_.begin(), items_.end(), name, [](const auto& item, std::string_view n) { return item.first < n; });
  if (at != items_.end() && at->first == name) {
    at->second = std::move(value);
  } else {
    items_.emplace(at, std::string(name), std::move(value));
  }
}

void AttrMap::erase(std::string_view name) {
  std::erase_if(items_, [&](const auto& item) { return item.first == name; });
}

}  // namespace weft
