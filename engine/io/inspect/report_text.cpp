#include <algorithm>

#include "io/inspect/report.h"

namespace weft::inspect {
namespace {

constexpr size_t kShownEntries = 40;

std::string dumped(const Json& v) { return v.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// A text without quotes, anything else as JSON. Bytes that are no UTF-8 are replaced.
std::string valueText(const Json& v) {
  if (!v.is_string()) return dumped(v);
  const std::string& text = v.get_ref<const std::string&>();
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) { return uint8_t(c) < 128; });
  return plain ? text : Json::parse(dumped(v)).get<std::string>();
}

/// The members of an object that are there and not empty.
Json partsOf(const Json& object, std::initializer_list<const char*> keys) {
  Json out = Json::object();
  for (const char* key : keys)
    if (const auto at = object.find(key); at != object.end() && !at->empty()) out[key] = *at;
  return out;
}

}  // namespace

void writeText(const Json& report, const std::string& indent, std::string& out) {
  const auto add = [&out](const auto&... parts) { out += concat(parts...); };
  for (const auto& [key, value] : report.items()) {
    if (key == "inspect_version" || key == "error") continue;
    if (value.is_object() && !value.empty()) {
      add(indent, key, "\n");
      writeText(value, indent + "  ", out);
    } else if (value.is_array() && !value.empty() && value[0].is_object()) {
      add(indent, key, " (", value.size(), ")\n");
      for (size_t i = 0; i < value.size() && i < kShownEntries; ++i) {
        add(indent, "  ");
        const char* gap = "";
        for (const auto& [k, v] : value[i].items()) {
          if (v.is_structured() && !v.empty() && !(v.is_array() && v[0].is_primitive())) continue;
          add(gap, k == "name" || k == "tag" ? "" : k + " ", valueText(v));
          gap = "  ";
        }
        add("\n");
        if (key == "meta_graphs") writeText(partsOf(value[i], {"signatures", "objects", "functions"}), indent + "    ", out);
      }
      if (value.size() > kShownEntries) add(indent, "  … ", value.size() - kShownEntries, " more\n");
    } else if (value.is_array()) {
      add(indent, key, " ");
      for (size_t i = 0; i < value.size() && i < kShownEntries; ++i) add(i ? ", " : "", valueText(value[i]));
      add(value.size() > kShownEntries ? ", …\n" : value.empty() ? "-\n" : "\n");
    } else {
      const std::string text = valueText(value);
      add(indent, key, " ", value.is_null() || text.empty() ? "-" : text, "\n");
    }
  }
}

}  // namespace weft::inspect
